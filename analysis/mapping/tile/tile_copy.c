/* SPDX-License-Identifier: MIT */
/* tile_copy.c - copies the box of an array for one tile of a loop, or loads it into registers and
 * stores them to the copy.
 *
 *     #pragma unroll
 *     for (int _e = 0; _e < 2; _e++) {
 *       const int _q = _e * 128 + _t, _i0 = _q / 4, _i1 = _q % 4 * 4;
 *       const float4 _v = *(const float4 *)&a[_i0 + 64 * blockIdx.y][_i1 + _k];
 *       _s_a[_i1][_i0] = _v.x; ...
 *     }
 *
 * Parts of a guard that are the same in all rounds are computed in front of them (tile_guard.c).
 *
 * For the next tile it has two parts (tile_build.c). If not all threads take part in the last
 * round, each tests whether there is a _q left:
 *
 *     for (int _e = 0; _e < 2; _e++) { ...; _n_a[_e] = *(const float4 *)&a[_j0][_j1]; }
 *     for (int _e = 0; _e < 2; _e++) { ...; _s_a[_i1][_i0] = _n_a[_e].x; ... }
 *
 * Consecutive threads take consecutive elements in device memory. Elements that may not be read are
 * zero in the copy, so that threads outside the problem compute with numbers. Requires: a lowered
 * stage. Produces IR.
 */
#include <string.h>

#include "analysis/mapping/tile/tile_copying.h"
#include "analysis/sets/lower.h"
#include "runtime/seeded.h"

enum { UNROLLED_ROUNDS = 32, UNROLLED_STORED = 48, UNROLLED_PART = 8 };

static struct ir_expr *number(struct copying *c, int64_t value)
{
  return ir_build_int(c->arena, value);
}

static struct ir_expr *combine(struct copying *c, enum ir_op op, struct ir_expr *left,
                               int64_t right)
{
  bool neutral =
      (op == IR_OP_ADD && right == 0) || ((op == IR_OP_MUL || op == IR_OP_DIV) && right == 1);
  return neutral ? left : ir_build_binary(c->arena, op, left, number(c, right));
}

static struct ir_var *local_int(struct copying *c, const char *name)
{
  return code_scratch(c->code, name, ir_int_type());
}

/* Declares name = value in the body. Constants and variables are used directly. */
static struct ir_expr *named(struct copying *c, const char *name, struct ir_expr *value)
{
  if (value->kind == IR_EXPR_INT || value->kind == IR_EXPR_VAR) return value;
  struct ir_var *var = local_int(c, name);
  ir_list_add(c->arena, &c->body, ir_build_decl(c->arena, var, value));
  return ir_build_var(c->arena, var);
}

/* Round `round` of copies in which a thread keeps its place within a row; its row advances by
 * threads / vectors of a row. */
static struct ir_expr *same_column(struct copying *c, struct ir_expr *round, int64_t row)
{
  unsigned last = c->stage->dim_count - 1;
  struct ir_expr *thread = ir_build_var(c->arena, c->tiles->thread);

  c->local[last] = named(c, arena_format(c->arena, "_i%u", last),
                         combine(c, IR_OP_MUL, combine(c, IR_OP_REM, thread, row), c->vector));
  struct ir_expr *first = combine(c, IR_OP_DIV, thread, row);
  return round ? ir_build_binary(c->arena, IR_OP_ADD,
                                 combine(c, IR_OP_MUL, round, c->threads / row), first)
               : first;
}

/* Round `round` of copies in which all threads are in one row, which is `parts` rounds long. */
static struct ir_expr *same_row(struct copying *c, struct ir_expr *round, int64_t parts)
{
  unsigned last = c->stage->dim_count - 1;
  struct ir_expr *first =
      combine(c, IR_OP_MUL, combine(c, IR_OP_REM, round, parts), c->threads * c->vector);
  struct ir_expr *thread =
      combine(c, IR_OP_MUL, ir_build_var(c->arena, c->tiles->thread), c->vector);

  c->local[last] = named(c, arena_format(c->arena, "_i%u", last),
                         ir_build_binary(c->arena, IR_OP_ADD, first, thread));
  return combine(c, IR_OP_DIV, round, parts);
}

/* The position of vector `q` of the box, in vectors of `vector` elements of the last dimension. If
 * the last dimension is known, only of `dims` outer ones. */
static void decompose(struct copying *c, struct ir_expr *q, int64_t vectors, unsigned dims)
{
  const struct stage *stage = c->stage;
  int64_t inner = vectors;

  for (unsigned d = 0; d < dims; d++) {
    bool last = d + 1 == stage->dim_count;
    int64_t size = last ? stage->dims[d].size / c->vector : stage->dims[d].size, outer = inner;
    inner /= size;
    struct ir_expr *part =
        combine(c, IR_OP_DIV, q, SEEDED(TILE_ROWS_SHIFTED) && inner > 1 ? inner - 1 : inner);
    if (size == 1)
      part = number(c, 0);
    else if (outer != vectors)
      part = combine(c, IR_OP_REM, part, size);
    if (last && size > 1) part = combine(c, IR_OP_MUL, part, c->vector);
    c->local[d] = named(c, arena_format(c->arena, "_i%u", d), part);
  }
}

static bool is_zero(const struct ir_expr *expr)
{
  int64_t value;
  return ir_constant(expr, &value) && value == 0;
}

/* A variable for the coordinate, which conditions compare with signed numbers. */
static struct ir_expr *as_coordinate(struct copying *c, unsigned d, struct ir_expr *value)
{
  struct ir_var *var =
      code_scratch(c->code, arena_format(c->arena, "_j%u", d), c->stage->element_vars[d]->type);

  ir_list_add(c->arena, &c->body, ir_build_decl(c->arena, var, value));
  return ir_build_var(c->arena, var);
}

static struct ir_expr *replace_first(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct tile_copying *what = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == what->tile->first ? what->first : NULL;
}

/* The expression for the tile that is filled. */
static struct ir_expr *of_tile(struct copying *c, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {c->arena, replace_first, (void *)c->what};
  return c->what->first && !SEEDED(TILE_AHEAD_IS_THIS) ? ir_rewrite_expr(&rewriter, expr) : expr;
}

static void find_global(struct copying *c)
{
  for (unsigned d = 0; d < c->stage->dim_count; d++) {
    struct ir_expr *offset = of_tile(c, c->stage->dims[d].offset);
    bool here = is_zero(c->local[d]);
    c->global[d] = !offset || is_zero(offset) ? c->local[d]
                   : here                     ? offset
                          : ir_build_binary(c->arena, IR_OP_ADD, offset, c->local[d]);
    if (c->global[d] != c->local[d]) c->global[d] = as_coordinate(c, d, c->global[d]);
  }
}

/* A coordinate to be multiplied by its stride, in 64 bits if the kernel does so. */
static struct ir_expr *in_stride(struct copying *c, unsigned d)
{
  bool wide = c->stage->strides[d]->type->size > 4;

  return c->stage->wide && !wide
             ? ir_build_cast(c->arena, lower_int_type(c->arena, true), c->global[d])
             : c->global[d];
}

/* a[g0][g1], or a[g0 * stride + g1] */
static struct ir_expr *in_device(struct copying *c)
{
  const struct stage *stage = c->stage;
  struct ir_expr *element = ir_build_var(c->arena, stage->array), *index = NULL;

  for (unsigned d = 0; d < stage->dim_count; d++) {
    if (!stage->is_flat) {
      element = ir_build_index(c->arena, element, c->global[d]);
      continue;
    }
    int64_t stride;
    bool one = ir_constant(stage->strides[d], &stride) && stride == 1;
    struct ir_expr *term =
        one ? c->global[d]
            : ir_build_binary(c->arena, IR_OP_MUL, in_stride(c, d), stage->strides[d]);
    index = index ? ir_build_binary(c->arena, IR_OP_ADD, index, term) : term;
  }
  return stage->is_flat ? ir_build_index(c->arena, element, index) : element;
}

/* The element of the copy that is `step` behind this one in the last dimension. */
static struct ir_expr *in_copy(struct copying *c, int64_t step)
{
  struct ir_expr *element = ir_build_var(c->arena, c->array->copy);
  if (c->what->buffer) element = ir_build_index(c->arena, element, c->what->buffer);
  unsigned last = c->stage->dim_count - 1;

  for (unsigned i = 0; i <= last; i++) {
    unsigned d = c->array->order[i];
    element = ir_build_index(c->arena, element,
                             d == last ? combine(c, IR_OP_ADD, c->local[d], step) : c->local[d]);
  }
  return element;
}

/* ---- asynchronous copies ---- */

/* mesi_copy_async<bytes>(&copy, &device, guard), zeros where the guard does not hold */
static struct ir_stmt *copy_async(struct copying *c, struct ir_expr *guard)
{
  int64_t bytes = c->stage->element->size * (int64_t)c->vector;
  struct ir_expr *call = ir_build_call(
      c->arena, arena_format(c->arena, "mesi_copy_async<%lld>", (long long)bytes), IR_EFFECT_NONE);

  ir_add_argument(c->arena, call, ir_build_unary(c->arena, IR_OP_ADDRESS, in_copy(c, 0)));
  ir_add_argument(c->arena, call, ir_build_unary(c->arena, IR_OP_ADDRESS, in_device(c)));
  if (guard) ir_add_argument(c->arena, call, guard);
  return ir_build_expr_stmt(c->arena, call);
}

/* ---- one element ---- */

struct guard_names {
  const struct copying *c;
};

static struct ir_expr *replace_coordinate(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct copying *c = ((struct guard_names *)r->context)->c;

  for (unsigned d = 0; expr->kind == IR_EXPR_VAR && d < c->stage->dim_count; d++)
    if (expr->var == c->stage->element_vars[d]) return c->global[d];
  return NULL;
}

/* The condition for reading the element, or writing it; NULL: none. */
static struct ir_expr *guard_of_element(struct copying *c)
{
  struct guard_names names = {c};
  struct ir_rewriter rewriter = {c->arena, replace_coordinate, &names};
  struct ir_expr *guard = c->what->part == PART_BACK ? c->stage->store_guard : c->stage->load_guard;
  return tile_guard_of_round(c, ir_rewrite_expr(&rewriter, of_tile(c, guard)));
}

static void assign(struct copying *c, struct ir_expr *target, struct ir_expr *value)
{
  ir_list_add(c->arena, &c->body,
              ir_build_expr_stmt(c->arena, ir_build_assign(c->arena, target, value)));
}

static void copy_one(struct copying *c)
{
  struct ir_expr *guard = guard_of_element(c), *value = in_device(c),
                 *target = c->what->part == PART_LOAD ? c->next : in_copy(c, 0);
  const struct ir_type *type = c->stage->element;
  bool plain =
      type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;

  if (c->array->pipelining == TILE_ASYNCHRONOUS) {
    ir_list_add(c->arena, &c->body, copy_async(c, guard));
    return;
  }
  if (guard && plain) {
    value = ir_build_cond(c->arena, guard, value, number(c, 0));
    value->type = type;
    guard = NULL;
  }
  if (!guard) {
    assign(c, target, value);
    return;
  }
  struct ir_stmt *copy = ir_build_expr_stmt(c->arena, ir_build_assign(c->arena, target, value));
  ir_list_add(c->arena, &c->body, ir_build_if(c->arena, guard, copy));
}

static void bring_back(struct copying *c)
{
  struct ir_expr *guard = guard_of_element(c);
  struct ir_stmt *store =
      ir_build_expr_stmt(c->arena, ir_build_assign(c->arena, in_device(c), in_copy(c, 0)));

  ir_list_add(c->arena, &c->body, guard ? ir_build_if(c->arena, guard, store) : store);
}

/* ---- 16 bytes at once ---- */

static const struct ir_type *vector_type(struct copying *c)
{
  const struct ir_type *element = ir_plain_type(c->arena, c->stage->element);
  struct ir_type *type = ARENA_NEW(c->arena, struct ir_type);

  type->kind = IR_TYPE_RECORD;
  type->size = type->align = 16;
  type->extent = -1;
  if (element->kind == IR_TYPE_FLOAT)
    type->spelling = element->size == 4 ? "float4" : "double2";
  else if (element->size == 4)
    type->spelling = element->is_signed ? "int4" : "uint4";
  else
    type->spelling = element->is_signed ? "longlong2" : "ulonglong2";
  return type;
}

static struct ir_expr *as_vector(struct copying *c, struct ir_expr *element, bool is_const)
{
  const struct ir_type *vector = vector_type(c);
  struct ir_type *pointee = ARENA_NEW(c->arena, struct ir_type);

  *pointee = *vector;
  pointee->is_const = is_const;
  pointee->spelling =
      is_const ? arena_format(c->arena, "const %s", vector->spelling) : vector->spelling;
  struct ir_expr *address = ir_build_unary(c->arena, IR_OP_ADDRESS, element);
  struct ir_expr *access =
      ir_build_unary(c->arena, IR_OP_DEREF,
                     ir_build_cast(c->arena, ir_build_pointer_type(c->arena, pointee), address));
  access->type = pointee;
  return access;
}

/* Stores the members of a vector to the copy, side by side or in rows of their own. */
static void store_vector(struct copying *c, struct ir_expr *value)
{
  static const char *const members[] = {"x", "y", "z", "w"};
  unsigned last = c->stage->dim_count - 1;

  if (c->array->order[last] == last) {
    assign(c, as_vector(c, in_copy(c, 0), false), value);
    return;
  }
  if (c->what->part == PART_ALL) {
    struct ir_var *all = code_scratch(c->code, "_v", vector_type(c));
    ir_list_add(c->arena, &c->body, ir_build_decl(c->arena, all, value));
    value = ir_build_var(c->arena, all);
  }
  for (unsigned i = 0; i < c->vector; i++)
    assign(c, in_copy(c, i), ir_build_member(c->arena, value, members[i], c->stage->element));
}

static void copy_vector(struct copying *c)
{
  struct ir_expr *value = as_vector(c, in_device(c), true);

  if (c->what->part == PART_LOAD)
    assign(c, c->next, value);
  else
    store_vector(c, value);
}

/* ---- registers ---- */

static void store_next(struct copying *c)
{
  if (c->vector > 1)
    store_vector(c, c->next);
  else
    assign(c, in_copy(c, 0), c->next);
}

struct ir_var *tile_next_var(struct code *code, const struct geometry *geometry,
                             const struct tile_array *array)
{
  struct copying c = {.code = code, .arena = code->arena, .array = array, .stage = &array->stage};
  int64_t rounds = tile_rounds(geometry, array, array->vector);
  const struct ir_type *type =
      array->vector > 1 ? vector_type(&c) : ir_plain_type(code->arena, array->stage.element);

  return code_local(code, arena_format(code->arena, "_n_%s", array->stage.array->name),
                    rounds > 1 ? ir_build_array_type(code->arena, type, rounds) : type);
}

static void set_next(struct copying *c, struct ir_var *round)
{
  if (c->what->part == PART_ALL || c->what->part == PART_BACK) return;
  struct ir_expr *next = ir_build_var(c->arena, c->array->next_var);
  c->next = round ? ir_build_index(c->arena, next, ir_build_var(c->arena, round)) : next;
}

/* ---- the loop ---- */

static void copy_found(struct copying *c)
{
  if (c->what->part == PART_STORE) {
    store_next(c);
    return;
  }
  find_global(c);
  if (c->what->part == PART_BACK)
    bring_back(c);
  else if (c->vector > 1 && c->array->pipelining == TILE_ASYNCHRONOUS)
    ir_list_add(c->arena, &c->body, copy_async(c, guard_of_element(c)));
  else if (c->vector > 1)
    copy_vector(c);
  else
    copy_one(c);
}

static void copy_at(struct copying *c, struct ir_expr *q, int64_t vectors)
{
  decompose(c, q, vectors, c->stage->dim_count);
  copy_found(c);
}

static void copy_round(struct copying *c, struct ir_expr *round, int64_t vectors)
{
  unsigned last = c->stage->dim_count - 1;
  int64_t row = c->stage->dims[last].size / c->vector;
  struct ir_expr *thread = ir_build_var(c->arena, c->tiles->thread);

  bool columns = c->threads % row == 0, rows = round && row % c->threads == 0;
  if (last > 0 && (columns || rows)) {
    decompose(c, columns ? same_column(c, round, row) : same_row(c, round, row / c->threads),
              vectors / row, last);
    copy_found(c);
    return;
  }
  if (round)
    thread = named(
        c, "_q",
        ir_build_binary(c->arena, IR_OP_ADD, combine(c, IR_OP_MUL, round, c->threads), thread));
  copy_at(c, thread, vectors);
}

/* Puts the parts of the guard that are fixed in front of the rounds. */
static struct ir_stmt *with_fixed_parts(struct copying *c, struct ir_list *fixed,
                                        struct ir_stmt *loop)
{
  struct ir_list all = {0};

  for (unsigned i = 0; i < fixed->items.count; i++)
    ir_list_add(c->arena, &all, fixed->items.items[i]);
  for (unsigned i = 0; i < c->before.items.count; i++)
    ir_list_add(c->arena, &all, c->before.items.items[i]);
  ir_list_add(c->arena, &all, loop);
  return ir_build_block(c->arena, &all);
}

static struct ir_stmt *in_rounds(struct copying *c, int64_t vectors)
{
  int64_t rounds = vectors / c->threads;
  struct ir_list fixed = {0}, varying = {0};

  if (rounds == 1) {
    set_next(c, NULL);
    copy_round(c, NULL, vectors);
    return ir_build_block(c->arena, &c->body);
  }
  struct ir_var *round = c->round = local_int(c, "_e");
  set_next(c, round);
  copy_round(c, ir_build_var(c->arena, round), vectors);
  for (unsigned i = 0; i < c->body.items.count; i++) {
    struct ir_stmt *stmt = c->body.items.items[i];
    bool before =
        c->before.items.count && stmt->kind == IR_STMT_DECL && !tile_of_round(c, stmt->expr);
    ir_list_add(c->arena, before ? &fixed : &varying, stmt);
  }
  struct ir_stmt *loop = ir_build_for(c->arena, round, number(c, 0), number(c, rounds), 1,
                                      ir_build_block(c->arena, &varying));
  /* nothing else hides the loads of a tile that is stored */
  int64_t unrolled = c->array->stored ? UNROLLED_STORED : UNROLLED_ROUNDS;
  loop->pragma = rounds <= unrolled || c->next
                     ? "#pragma unroll"
                     : arena_format(c->arena, "#pragma unroll %d", UNROLLED_PART);
  return c->before.items.count ? with_fixed_parts(c, &fixed, loop) : loop;
}

/* Rounds for registers; not all threads take part in the last one. */
static struct ir_stmt *in_next_rounds(struct copying *c, int64_t vectors)
{
  int64_t rounds = (vectors + c->threads - 1) / c->threads;
  struct ir_var *round = rounds > 1 ? local_int(c, "_e") : NULL, *q = local_int(c, "_q");
  struct ir_expr *thread = ir_build_var(c->arena, c->tiles->thread);
  struct ir_list one = {0};

  set_next(c, round);
  if (round)
    thread =
        ir_build_binary(c->arena, IR_OP_ADD,
                        combine(c, IR_OP_MUL, ir_build_var(c->arena, round), c->threads), thread);
  ir_list_add(c->arena, &one, ir_build_decl(c->arena, q, thread));
  copy_at(c, ir_build_var(c->arena, q), vectors);
  struct ir_expr *left = ir_build_binary(
      c->arena, IR_OP_LT, ir_build_var(c->arena, q),
      number(c, SEEDED(HELD_LAST_ROUND) && round ? vectors / c->threads * c->threads : vectors));
  ir_list_add(c->arena, &one, ir_build_if(c->arena, left, ir_build_block(c->arena, &c->body)));
  if (!round) return ir_build_block(c->arena, &one);
  struct ir_stmt *loop = ir_build_for(c->arena, round, number(c, 0), number(c, rounds), 1,
                                      ir_build_block(c->arena, &one));
  loop->pragma = "#pragma unroll";
  return loop;
}

struct ir_stmt *tile_copy(struct code *code, const struct geometry *geometry,
                          const struct tiles *tiles, const struct tile_copying *what)
{
  struct copying c = {.code = code,
                      .arena = code->arena,
                      .array = what->array,
                      .stage = &what->array->stage,
                      .tiles = tiles,
                      .what = what};
  int64_t vectors = 1;

  c.threads = geometry->threads[0] * geometry->threads[1];
  c.vector = tile_vector(what->array);
  for (unsigned d = 0; d < c.stage->dim_count; d++) vectors *= c.stage->dims[d].size;
  vectors /= c.vector;
  if (vectors % c.threads == 0) return in_rounds(&c, vectors);
  if (what->part == PART_LOAD || what->part == PART_STORE) return in_next_rounds(&c, vectors);
  struct ir_var *q = local_int(&c, "_q");
  copy_at(&c, ir_build_var(c.arena, q), vectors);
  return ir_build_for(c.arena, q, ir_build_var(c.arena, tiles->thread),
                      number(&c, SEEDED(TILE_LAST_CHUNK) && vectors > 1 ? vectors - 1 : vectors),
                      c.threads, ir_build_body(c.arena, &c.body));
}
