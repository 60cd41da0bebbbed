/* SPDX-License-Identifier: MIT */
/* halves_build.c - code that goes through a triangle once for the sums of both of its indices.
 *
 *     const int _strips = ..., _first = mesi_halves_first<true>(_strips), _last = ...;
 *     float _p[16] = {0};
 *     for (int _t = _first; _t < _last; _t++) {          tiles of 128 x 128 elements
 *       float _q[4] = {0}, _a[64];
 *       ...loads a lane's elements of the tile: of 16 rows, 4 each...
 *       _p[_k] += _a[...] * _f[_e];                  row: a[i][j] x[j]
 *       _q[_e] += _a[...] * _s[...];                 column: a[i][j] x[i]
 *       ...leaves _q in shared memory...
 *     }
 *     unsigned _done = mesi_halves_leave<true, 256, 16>(_sums, _strips, _first, _last, _p, _c);
 *     for (int _w = 0; _w < 5; _w++)
 *       if (_done >> _w & 1) {
 *         float _sum = mesi_halves_total<true, 256, 16>(_sums, _strips, _strip, 0, _c);
 *         int _i = _strip * 128 + threadIdx.x;
 *         if (threadIdx.x < 128 && _i < _total_x) { ...the kernel with s += _sum for its loops... }
 *       }
 *
 * All elements of a tile are loaded before the first is used. A tile at the diagonal, or at the end
 * of the rows, asks for each; others ask for nothing. Requires: halves_find, and that the
 * launch has a thread for each row. The kernel's own code runs once for each thread of the launch,
 * in the block that completes its strip.
 */
#include "analysis/transform/both_halves/both_halves.h"

#include "analysis/code/loop.h"
#include "analysis/code/reduce.h"
#include "runtime/seeded.h"

enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, MOST = 4 /* MESI_HALVES_MOST */ };

struct making {
  struct code *code;
  struct arena *arena;
  struct halves *h;
  struct halves_shape shape;
  const struct ir_type *type; /* of the parts of sums */
  struct ir_var *columns;     /* shared: sums of columns by warp */
  struct ir_var *workspace;
  struct ir_var *rows, *strips, *first, *last, *warp, *lane, *row; /* numbers of a thread */
  struct ir_var *of_rows, *of_columns;                             /* a lane's sums */
  struct ir_var *slow[HALVES_FACTORS]; /* shared: factors of terms[1], for the block's rows */
  struct ir_var *fast[HALVES_FACTORS]; /* factors of terms[0], for a lane's columns */
  struct ir_var *elements;             /* of a lane, in a whole tile */
  struct ir_var *tile, *k, *e, *i, *j; /* iterators, and the indices of an element */
};

/* ---- small parts ---- */

static struct ir_expr *use(struct making *m, struct ir_var *var)
{
  return ir_build_var(m->arena, var);
}

static struct ir_expr *number(struct making *m, int64_t value)
{
  return ir_build_int(m->arena, value);
}

static struct ir_expr *join(struct making *m, enum ir_op op, struct ir_expr *a, struct ir_expr *b)
{
  return ir_build_binary(m->arena, op, a, b);
}

static struct ir_expr *both(struct making *m, struct ir_expr *a, struct ir_expr *b)
{
  return ir_build_both(m->arena, a, b);
}

static struct ir_expr *index_int(struct making *m, enum ir_builtin builtin)
{
  return ir_build_cast(m->arena, ir_int_type(), ir_build_builtin(m->arena, builtin));
}

static struct ir_expr *at(struct making *m, struct ir_var *array, struct ir_expr *index)
{
  return ir_build_index(m->arena, use(m, array), index);
}

static void add(struct making *m, struct ir_list *out, struct ir_stmt *stmt)
{
  ir_list_add(m->arena, out, stmt);
}

static struct ir_stmt *assign(struct making *m, struct ir_expr *target, struct ir_expr *value)
{
  return ir_build_expr_stmt(m->arena, ir_build_assign(m->arena, target, value));
}

static struct ir_var *declare(struct making *m, struct ir_list *out, const char *name,
                              struct ir_expr *value)
{
  struct ir_var *var = code_local(m->code, name, ir_int_type());

  add(m, out, ir_build_decl(m->arena, var, value));
  return var;
}

static struct ir_var *array(struct making *m, struct ir_list *out, const char *name,
                            const struct ir_type *type, int64_t count, bool shared)
{
  struct ir_var *var = code_local(
      m->code, name, ir_build_array_type(m->arena, ir_plain_type(m->arena, type), count));

  if (shared) var->kind = IR_VAR_SHARED;
  var->of_thread = !shared;
  add(m, out, ir_build_decl(m->arena, var, NULL));
  return var;
}

static struct ir_stmt *unrolled(struct making *m, struct ir_var *iterator, int64_t count,
                                const struct ir_list *body)
{
  struct ir_stmt *made = ir_build_for(m->arena, iterator, number(m, 0), number(m, count), 1,
                                      ir_build_block(m->arena, body));
  made->pragma = "#pragma unroll";
  return made;
}

/* i * by + j */
static struct ir_expr *place(struct making *m, struct ir_expr *i, int64_t by, struct ir_expr *j)
{
  return join(m, IR_OP_ADD, join(m, IR_OP_MUL, i, number(m, by)), j);
}

/* ---- a term at an element ---- */

struct term_at {
  struct making *m;
  const struct halves_term *term; /* NULL: the kernel's own code */
  struct ir_var *thread, *iterator;
  struct ir_expr *sum, *element; /* NULL: as they are */
  struct ir_expr *factors[HALVES_FACTORS];
};

/* blockIdx.x * threads + threadIdx.x */
static bool is_id(struct making *m, const struct ir_expr *expr)
{
  int64_t by;

  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_ADD) return false;
  const struct ir_expr *first = expr->operands[0], *thread = expr->operands[1];
  return first->kind == IR_EXPR_BINARY && first->op == IR_OP_MUL &&
         first->operands[0]->kind == IR_EXPR_BUILTIN && first->operands[0]->value == IR_BLOCK_IDX &&
         ir_constant(first->operands[1], &by) && by == m->code->facts.block[0] &&
         thread->kind == IR_EXPR_BUILTIN && thread->value == IR_THREAD_IDX;
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct term_at *t = r->context;
  bool is_int = expr->kind == IR_EXPR_CAST && ir_type_is_int(expr->type);

  if (is_int && is_id(t->m, ir_strip(expr->operands[0]))) return use(t->m, t->thread);
  if (is_id(t->m, expr)) return ir_build_cast(r->arena, expr->type, use(t->m, t->thread));
  if (!t->term) return NULL;
  if (expr == t->term->element && t->element) return t->element;
  for (unsigned f = 0; f < t->term->factor_count; f++)
    if (expr == t->term->factors[f] && t->factors[f]) return t->factors[f];
  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == t->term->sum) return t->sum;
  if (expr->var != t->term->iterator) return NULL;
  return reduce_cast(r->arena, ir_plain_type(r->arena, expr->type), use(t->m, t->iterator));
}

static struct ir_expr *rewritten(struct term_at *t, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {t->m->arena, replace, t};
  return ir_rewrite_expr(&rewriter, expr);
}

static struct ir_stmt *updated(struct term_at *t)
{
  return ir_build_expr_stmt(t->m->arena, rewritten(t, t->term->update));
}

/* terms[0]: the thread is the slow index */
static struct term_at term_at(struct making *m, int number)
{
  return (struct term_at){.m = m,
                          .term = &m->h->terms[number],
                          .thread = number ? m->j : m->i,
                          .iterator = number ? m->i : m->j};
}

/* ---- tiles ---- */

/* int _j = _t * 128 + _e * 32 + _lane; */
static void declare_column(struct making *m, struct ir_list *out)
{
  struct ir_expr *column =
      place(m, use(m, m->tile), m->shape.strip, place(m, use(m, m->e), WARP, use(m, m->lane)));
  add(m, out, ir_build_decl(m->arena, m->j, column));
}

static void declare_row(struct making *m, struct ir_list *out)
{
  add(m, out, ir_build_decl(m->arena, m->i, join(m, IR_OP_ADD, use(m, m->row), use(m, m->k))));
}

static struct ir_expr *of_lane(struct making *m)
{
  return at(m, m->elements, place(m, use(m, m->k), m->shape.lane, use(m, m->e)));
}

/* Has the kernel as written the term of this iteration for some thread? */
static struct ir_expr *has_iteration(struct making *m, int number_of, struct ir_var *iterator)
{
  bool diagonal = m->h->terms[number_of].diagonal, below = m->h->low == !number_of;
  struct ir_expr *end = use(m, m->rows), *first = NULL;

  /* j < i has no last j, j > i no first */
  if (!diagonal && below) end = join(m, IR_OP_SUB, end, number(m, 1));
  if (!diagonal && !below) first = join(m, IR_OP_GE, use(m, iterator), number(m, 1));
  return both(m, first, join(m, IR_OP_LT, use(m, iterator), end));
}

/* Is the element in the triangle? */
static struct ir_expr *has_element(struct making *m)
{
  bool diagonal = m->h->terms[0].diagonal || m->h->terms[1].diagonal;
  enum ir_op op = m->h->low ? (diagonal ? IR_OP_LE : IR_OP_LT) : diagonal ? IR_OP_GE : IR_OP_GT;
  struct ir_expr *side = join(m, op, use(m, m->j), use(m, m->i)),
                 *greater = use(m, m->h->low ? m->i : m->j);

  if (SEEDED(HALVES_EDGE)) return side;
  return both(m, join(m, IR_OP_LT, greater, use(m, m->rows)), side);
}

/* target = value; where the condition (NULL: none) holds, else 0 */
static void load(struct making *m, struct ir_expr *target, struct ir_expr *value,
                 struct ir_expr *condition, struct ir_list *out)
{
  if (condition) add(m, out, assign(m, target, number(m, 0)));
  struct ir_stmt *loaded = assign(m, target, value);
  add(m, out, condition ? ir_build_if(m->arena, condition, loaded) : loaded);
}

/* Loads the factors of terms[0] for the lane's columns. */
static void load_fast(struct making *m, bool whole, struct ir_list *out)
{
  const struct halves_term *term = &m->h->terms[0];
  struct term_at t = term_at(m, 0);
  struct ir_list body = {0};

  if (!term->factor_count) return;
  declare_column(m, &body);
  for (unsigned f = 0; f < term->factor_count; f++) {
    m->fast[f] = array(m, out, "_f", term->factors[f]->type, m->shape.lane, false);
    load(m, at(m, m->fast[f], use(m, m->e)), rewritten(&t, term->factors[f]),
         whole ? NULL : has_iteration(m, 0, m->j), &body);
  }
  add(m, out, unrolled(m, m->e, m->shape.lane, &body));
}

/* Calls `add_to` for the body of loops over the lane's elements of a tile. */
static void over_elements(struct making *m, bool whole,
                          void (*add_to)(struct making *, bool whole, struct ir_list *),
                          struct ir_list *out)
{
  struct ir_list rows = {0}, columns = {0};

  declare_row(m, &rows);
  declare_column(m, &columns);
  add_to(m, whole, &columns);
  add(m, &rows, unrolled(m, m->e, m->shape.lane, &columns));
  add(m, out, unrolled(m, m->k, m->shape.rows, &rows));
}

static void load_element(struct making *m, bool whole, struct ir_list *out)
{
  struct term_at t = term_at(m, 0);

  load(m, of_lane(m), rewritten(&t, m->h->terms[0].element), whole ? NULL : has_element(m), out);
}

/* Both terms of an element. */
static void add_element(struct making *m, bool whole, struct ir_list *out)
{
  bool diagonal = m->h->terms[0].diagonal || m->h->terms[1].diagonal;
  struct ir_expr *own = place(m, use(m, m->warp), m->shape.rows, use(m, m->k));
  struct ir_list updates = {0};

  for (int n = 0; n < 2; n++) {
    struct term_at t = term_at(m, n);
    t.sum = n ? at(m, m->of_columns, use(m, m->e)) : at(m, m->of_rows, use(m, m->k));
    t.element = of_lane(m);
    for (unsigned f = 0; f < t.term->factor_count; f++)
      t.factors[f] = n ? at(m, m->slow[f], own) : at(m, m->fast[f], use(m, m->e));
    struct ir_stmt *update = updated(&t);
    if (!whole && diagonal && !t.term->diagonal && !SEEDED(HALVES_DIAGONAL_TWICE))
      update = ir_build_if(m->arena, join(m, IR_OP_NE, use(m, m->j), use(m, m->i)), update);
    add(m, whole ? out : &updates, update);
  }
  if (!whole)
    add(m, out, ir_build_if(m->arena, has_element(m), ir_build_block(m->arena, &updates)));
}

/* A tile: `whole` if the triangle has all of its elements. */
static struct ir_stmt *tile_of(struct making *m, bool whole)
{
  struct ir_list out = {0};

  m->elements =
      array(m, &out, "_a", m->h->terms[0].element->type, m->shape.rows * m->shape.lane, false);
  load_fast(m, whole, &out);
  over_elements(m, whole, load_element, &out);
  over_elements(m, whole, add_element, &out);
  return ir_build_block(m->arena, &out);
}

/* _t != blockIdx.x, and all of its rows and columns are there */
static struct ir_expr *is_whole(struct making *m)
{
  struct ir_expr *last = join(m, IR_OP_SUB, use(m, m->rows), number(m, m->shape.strip));
  struct ir_expr *row = join(m, IR_OP_MUL, index_int(m, IR_BLOCK_IDX), number(m, m->shape.strip)),
                 *column = join(m, IR_OP_MUL, use(m, m->tile), number(m, m->shape.strip));
  struct ir_expr *apart = join(m, IR_OP_NE, use(m, m->tile), index_int(m, IR_BLOCK_IDX));

  return both(m, apart, both(m, join(m, IR_OP_LE, row, last), join(m, IR_OP_LE, column, last)));
}

static void zero(struct making *m, struct ir_list *out, struct ir_var *sums, struct ir_var *by,
                 int64_t count)
{
  struct ir_list body = {0};

  add(m, &body, assign(m, at(m, sums, use(m, by)), number(m, 0)));
  add(m, out, unrolled(m, by, count, &body));
}

/* for (_t ...) { ... } */
static struct ir_stmt *over_tiles(struct making *m)
{
  struct ir_list out = {0}, leave = {0};
  struct ir_expr *own = place(m, join(m, IR_OP_SUB, use(m, m->tile), use(m, m->first)),
                              m->shape.strip, place(m, use(m, m->e), WARP, use(m, m->lane)));

  m->of_columns = array(m, &out, "_q", m->type, m->shape.lane, false);
  zero(m, &out, m->of_columns, m->e, m->shape.lane);
  struct ir_stmt *tile = ir_build_if(m->arena, is_whole(m), tile_of(m, true));
  tile->else_body = tile_of(m, false);
  add(m, &out, tile);
  add(m, &leave,
      assign(m, at(m, m->columns, place(m, use(m, m->warp), MOST * m->shape.strip, own)),
             at(m, m->of_columns, use(m, m->e))));
  add(m, &out, unrolled(m, m->e, m->shape.lane, &leave));
  return ir_build_for(m->arena, m->tile, use(m, m->first), use(m, m->last), 1,
                      ir_build_block(m->arena, &out));
}

/* ---- the block ---- */

/* The factors of terms[1] for the rows of the block, where the kernel as written loads them. */
static void load_slow(struct making *m, struct ir_list *out)
{
  const struct halves_term *term = &m->h->terms[1];
  struct term_at t = term_at(m, 1);
  struct ir_list body = {0}, inside = {0};
  struct ir_expr *thread = index_int(m, IR_THREAD_IDX);

  if (!term->factor_count) return;
  for (unsigned f = 0; f < term->factor_count; f++) {
    m->slow[f] = array(m, out, "_s", term->factors[f]->type, m->shape.strip, true);
    add(m, &inside, assign(m, at(m, m->slow[f], thread), rewritten(&t, term->factors[f])));
  }
  add(m, &body,
      ir_build_decl(m->arena, m->i, place(m, index_int(m, IR_BLOCK_IDX), m->shape.strip, thread)));
  add(m, &body,
      ir_build_if(
          m->arena,
          both(m, join(m, IR_OP_LT, thread, number(m, m->shape.strip)), has_iteration(m, 1, m->i)),
          ir_build_block(m->arena, &inside)));
  add(m, out, ir_build_block(m->arena, &body));
  struct ir_expr *barrier = ir_build_call(m->arena, "__syncthreads", IR_EFFECT_BARRIER);
  if (!SEEDED(HALVES_FACTORS_EARLY)) add(m, out, ir_build_expr_stmt(m->arena, barrier));
}

static struct ir_expr *call_strips(struct making *m, const char *name)
{
  struct ir_expr *call =
      ir_build_call(m->arena, arena_format(m->arena, "%s<%s>", name, m->h->low ? "true" : "false"),
                    IR_EFFECT_NONE);

  call->type = ir_int_type();
  ir_add_argument(m->arena, call, use(m, m->strips));
  return call;
}

static void declare_numbers(struct making *m, struct ir_list *out)
{
  struct ir_expr *thread = index_int(m, IR_THREAD_IDX);

  m->rows = declare(m, out, "_n", reduce_cast(m->arena, ir_int_type(), m->h->rows));
  struct ir_expr *less = join(m, IR_OP_SUB, use(m, m->rows), number(m, 1));
  struct ir_expr *strips =
      join(m, IR_OP_ADD, join(m, IR_OP_DIV, less, number(m, m->shape.strip)), number(m, 1));
  m->strips = declare(m, out, "_strips",
                      ir_build_cond(m->arena, join(m, IR_OP_GT, use(m, m->rows), number(m, 0)),
                                    strips, number(m, 0)));
  m->first = declare(m, out, "_first", call_strips(m, "mesi_halves_first"));
  m->last = declare(m, out, "_last", call_strips(m, "mesi_halves_last"));
  m->warp = declare(m, out, "_warp", join(m, IR_OP_DIV, thread, number(m, WARP)));
  m->lane = declare(m, out, "_lane", join(m, IR_OP_REM, thread, number(m, WARP)));
  m->row = declare(m, out, "_row",
                   place(m, index_int(m, IR_BLOCK_IDX), m->shape.strip,
                         join(m, IR_OP_MUL, use(m, m->warp), number(m, m->shape.rows))));
}

/* A run beyond the diagonal has no tiles; one block of a strip beyond the last row goes on. */
static struct ir_stmt *without_work(struct making *m)
{
  struct ir_stmt *gone = ARENA_NEW(m->arena, struct ir_stmt);
  struct ir_expr *none = join(m, IR_OP_GE, use(m, m->first), use(m, m->last)),
                 *rows = join(m, IR_OP_LT, index_int(m, IR_BLOCK_IDX), use(m, m->strips));

  *gone = (struct ir_stmt){.kind = IR_STMT_RETURN, .id = UINT32_MAX};
  return ir_build_if(m->arena, both(m, none, rows), gone);
}

static struct ir_expr *call_shaped(struct making *m, const char *name, const struct ir_type *type)
{
  struct ir_expr *call =
      ir_build_call(m->arena,
                    arena_format(m->arena, "%s<%s, %d, %lld>", name, m->h->low ? "true" : "false",
                                 THREADS, (long long)m->shape.rows),
                    IR_EFFECT_BARRIER);

  call->type = type;
  ir_add_argument(m->arena, call, use(m, m->workspace));
  ir_add_argument(m->arena, call, use(m, m->strips));
  return call;
}

static struct ir_var *leave(struct making *m, struct ir_list *out)
{
  static const struct ir_type bits = {
      .kind = IR_TYPE_INT, .spelling = "unsigned int", .size = 4, .align = 4, .extent = -1};
  struct ir_var *done = code_local(m->code, "_done", &bits);
  struct ir_expr *call = call_shaped(m, "mesi_halves_leave", &bits);
  struct ir_var *const arguments[] = {m->first, m->last, m->of_rows, m->columns};

  for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++)
    ir_add_argument(m->arena, call, use(m, arguments[i]));
  add(m, out, ir_build_decl(m->arena, done, call));
  return done;
}

/* s += total */
static struct ir_stmt *result(struct making *m, struct ir_var *sum, struct ir_expr *total)
{
  if (m->type->kind == IR_TYPE_FLOAT || m->type->is_signed == sum->type->is_signed)
    return reduce_into(m->arena, REDUCE_SUM, use(m, sum), total);
  struct ir_expr *all = join(m, IR_OP_ADD, ir_build_cast(m->arena, m->type, use(m, sum)), total);
  all->type = m->type;
  return assign(m, use(m, sum), ir_build_cast(m->arena, ir_plain_type(m->arena, sum->type), all));
}

/* Which of a thread's sums, for mesi_halves_total: of both halves, of the first, of the second. */
enum total { TOTAL_BOTH, TOTAL_ROW, TOTAL_COLUMN, TOTAL_COUNT };

/* The kernel's own code for a thread of the launch, with its sums in the place of loops. */
static struct ir_stmt *own_code(struct making *m, struct ir_stmt *body,
                                struct ir_var *const totals[TOTAL_COUNT])
{
  const struct halves *h = m->h;
  struct term_at t = {.m = m, .thread = m->i};
  struct ir_rewriter rewriter = {m->arena, replace, &t};
  const struct ir_stmt *last = h->loops[h->loops[1] ? 1 : 0];

  for (int n = 0; n < 2 && h->loops[n]; n++) {
    struct ir_list out = {0};
    for (int k = 0; k < 2 && !h->joined; k++)
      if (h->terms[k].loop == h->loops[n])
        add(m, &out, result(m, h->terms[k].sum, use(m, totals[k ? TOTAL_COLUMN : TOTAL_ROW])));
    if (h->joined && h->loops[n] == last)
      add(m, &out, result(m, h->terms[0].sum, use(m, totals[TOTAL_BOTH])));
    body = loop_swap(m->arena, body, h->loops[n], ir_build_block(m->arena, &out));
  }
  return ir_rewrite_stmt(&rewriter, body);
}

static struct ir_var *declare_total(struct making *m, enum total which, struct ir_var *strip,
                                    struct ir_list *out)
{
  struct ir_var *total = code_local(m->code, "_sum", m->type);
  struct ir_expr *call = call_shaped(m, "mesi_halves_total", m->type);

  ir_add_argument(m->arena, call, use(m, strip));
  ir_add_argument(m->arena, call, number(m, which));
  ir_add_argument(m->arena, call, use(m, m->columns));
  add(m, out, ir_build_decl(m->arena, total, call));
  return total;
}

/* The code of a complete strip. */
static struct ir_stmt *of_strip(struct making *m, struct ir_stmt *body, struct ir_var *which,
                                struct ir_expr *elements)
{
  struct ir_list one = {0};
  struct ir_expr *thread = index_int(m, IR_THREAD_IDX);
  struct ir_expr *strip = ir_build_cond(
      m->arena, join(m, IR_OP_EQ, use(m, which), number(m, 0)), index_int(m, IR_BLOCK_IDX),
      join(m, IR_OP_SUB, join(m, IR_OP_ADD, use(m, m->first), use(m, which)), number(m, 1)));
  struct ir_var *at = declare(m, &one, "_strip", strip), *totals[TOTAL_COUNT] = {NULL};

  for (int n = 0; n < TOTAL_COUNT; n++)
    if ((n == TOTAL_BOTH) == m->h->joined) totals[n] = declare_total(m, (enum total)n, at, &one);
  add(m, &one, ir_build_decl(m->arena, m->i, place(m, use(m, at), m->shape.strip, thread)));
  struct ir_expr *inside = both(m, join(m, IR_OP_LT, thread, number(m, m->shape.strip)),
                                join(m, IR_OP_LT, use(m, m->i), elements));
  if (SEEDED(HALVES_BEYOND_LAUNCH)) inside = join(m, IR_OP_LT, thread, number(m, m->shape.strip));
  add(m, &one, ir_build_if(m->arena, inside, own_code(m, body, totals)));
  return ir_build_block(m->arena, &one);
}

/* for (_w ...) if (_done >> _w & 1) { ... } */
static struct ir_stmt *over_complete(struct making *m, struct ir_stmt *body, struct ir_var *done,
                                     struct ir_expr *elements)
{
  struct ir_var *which = code_local(m->code, "_w", ir_int_type());
  struct ir_list all = {0};
  struct ir_expr *bit =
      join(m, IR_OP_AND, join(m, IR_OP_SHR, use(m, done), use(m, which)), number(m, 1));

  add(m, &all, ir_build_if(m->arena, bit, of_strip(m, body, which, elements)));
  return ir_build_for(m->arena, which, number(m, 0),
                      number(m, SEEDED(HALVES_OTHERS_LOST) ? 1 : MOST + 1), 1,
                      ir_build_block(m->arena, &all));
}

/* ---- public ---- */

struct halves_shape halves_shape_of(const struct halves *h)
{
  int64_t element = h->terms[0].element->type->size, sum = h->terms[0].sum->type->size;
  int64_t rows = 64 / (element > 4 || sum > 4 ? 8 : 4);

  return (struct halves_shape){
      .strip = WARPS * rows, .threads = THREADS, .rows = rows, .lane = WARPS * rows / WARP};
}

uint64_t halves_slots(const struct halves *h)
{
  return (uint64_t)(halves_shape_of(h).strip * h->terms[0].sum->type->size * (MOST + 1));
}

uint64_t halves_shared(const struct halves *h)
{
  uint64_t factors = 8 * (uint64_t)h->terms[1].factor_count;
  uint64_t sums = (uint64_t)(WARPS * MOST * h->terms[0].sum->type->size);

  return (uint64_t)halves_shape_of(h).strip * (sums + factors) + 16;
}

void halves_build(struct code *code, struct halves *h, struct ir_var *workspace,
                  struct ir_expr *elements)
{
  struct making m = {.code = code,
                     .arena = code->arena,
                     .h = h,
                     .workspace = workspace,
                     .shape = halves_shape_of(h),
                     .type = reduce_type(code->arena, REDUCE_SUM, h->terms[0].sum->type)};
  struct ir_stmt *body = code->facts.kernel->body;
  struct ir_list out = {0};

  m.columns = array(&m, &out, "_c", m.type, WARPS * MOST * m.shape.strip, true);
  m.i = code_local(code, "_i", ir_int_type());
  m.j = code_local(code, "_j", ir_int_type());
  m.k = code_local(code, "_k", ir_int_type());
  m.e = code_local(code, "_e", ir_int_type());
  m.tile = code_local(code, "_t", ir_int_type());
  declare_numbers(&m, &out);
  add(&m, &out, without_work(&m));
  m.of_rows = array(&m, &out, "_p", m.type, m.shape.rows, false);
  zero(&m, &out, m.of_rows, m.k, m.shape.rows);
  load_slow(&m, &out);
  add(&m, &out, over_tiles(&m));
  struct ir_var *done = leave(&m, &out);
  add(&m, &out, over_complete(&m, body, done, elements));
  code->facts.kernel->body = ir_build_block(code->arena, &out);
}
