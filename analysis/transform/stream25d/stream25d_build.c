/* SPDX-License-Identifier: MIT */
/* stream25d_build.c - the code of a thread that goes through layers and keeps rows of them in
 * registers (stream25d.c finds the rows).
 *
 *     bool _in[4];                                      the lanes that store
 *     _in[_lane] = k > 0 && k < n - 1;
 *     int _first = 0, _last = 32;                       the layers of the thread
 *     while (_first < _last && !(i > 0 && ...)) _first++; ...
 *     if (j > 0 && j < n - 1 && (_in[0] || ... _in[3]) && _first < _last) {
 *       float _m_a[4][4];
 *       for (_z = _first; _z < _last; _z++) {
 *         if (_z + 1 < _last) _m_a[3][_lane] = a[i + 2][j][k];
 *         mesi_lane_store_in(&b[i][j][k], _w_b, _in, _lane,
 *             _m_a[0][_lane] + ... + mesi_row_element(_m_a[1], _lane - 1, _in[_lane],
 *             &a[i][j][k - 1]));
 *         _m_a[0][_lane] = _m_a[1][_lane]; ...
 *       }
 *     }
 *
 * Statements with _lane run for all lanes (coarsen.c), those of a block before those of the next
 * one. Rows are loaded `ahead` layers early; otherwise a thread waits for device memory.
 */
#include <string.h>

#include "analysis/code/vector_access.h"
#include "analysis/transform/stream25d/stream25d.h"
#include "analysis/code/read_only.h"
#include "runtime/seeded.h"

struct building {
  struct stream25d *m;
  struct arena *arena;
  struct ir_list *verbatim;
  struct ir_list declarations; /* of real threads */
  struct ir_var *layer, *first, *last;
  struct ir_var *in; /* by lane: does it store? NULL: all do */
  /* The values that the work needs only for this layer; they are loaded for all lanes in front of
   * the first one's work. */
  struct ir_list fetches;
  struct ir_var *fetched[STREAM25D_LOADS]; /* by load */
};

static struct ir_expr *binary(struct arena *arena, enum ir_op op, struct ir_expr *left,
                              struct ir_expr *right)
{
  return ir_build_binary(arena, op, left, right);
}

static struct ir_expr *plus(struct arena *arena, struct ir_expr *expr, int64_t constant)
{
  if (!constant) return expr;
  return binary(arena, constant < 0 ? IR_OP_SUB : IR_OP_ADD, expr,
                ir_build_int(arena, constant < 0 ? -constant : constant));
}

static struct ir_expr *lane(const struct building *b)
{
  return ir_build_var(b->arena, b->m->code->lane);
}

static struct ir_var *of_thread(struct building *b, const char *name, const struct ir_type *type)
{
  struct ir_var *var = code_local(b->m->code, name, type);
  struct ir_stmt *declaration = ir_build_decl(b->arena, var, NULL);

  var->of_thread = true;
  ir_list_add(b->arena, &b->declarations, declaration);
  ir_list_add(b->arena, b->verbatim, declaration);
  return var;
}

static struct ir_stmt *assign(const struct building *b, struct ir_expr *to, struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, to, value));
}

static struct ir_expr *all_of(const struct building *b, struct ir_expr *const *conditions,
                              unsigned count)
{
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < count; i++)
    all = all ? binary(b->arena, IR_OP_LAND, all, conditions[i]) : conditions[i];
  return all;
}

/* ---- in another layer ---- */

struct placing {
  const struct building *b;
  struct ir_expr *layer;
};

static struct ir_expr *replace_layer(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct placing *p = r->context;
  const struct stream25d *m = p->b->m;

  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == p->b->layer) return p->layer;
  struct ir_expr *value = code_value_of(m->code, expr->var);
  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

/* The expression of indices, for another layer. */
static struct ir_expr *in_layer(const struct building *b, const struct ir_expr *expr,
                                struct ir_expr *layer)
{
  struct placing placing = {b, layer};
  struct ir_rewriter rewriter = {b->arena, replace_layer, &placing};

  return ir_rewrite_expr(&rewriter, (struct ir_expr *)expr);
}

/* ---- rows ---- */

static int64_t layers_of(const struct stream25d_row *row) { return row->last - row->first + 1; }

static struct ir_expr *register_at(const struct building *b, const struct stream25d_row *row,
                                   int64_t layer, struct ir_expr *place)
{
  return ir_build_index(
      b->arena,
      ir_build_index(b->arena, ir_build_var(b->arena, row->var), ir_build_int(b->arena, layer)),
      place);
}

/* Loads the row's layer with the number `layer` while the thread is at `at`. */
static struct ir_stmt *load_row(const struct building *b, const struct stream25d_row *row,
                                int64_t layer, struct ir_var *at)
{
  struct ir_expr *place =
      plus(b->arena, ir_build_var(b->arena, at), row->first + layer - row->layer);
  struct ir_stmt *stmt = assign(b, register_at(b, row, layer, lane(b)),
                                vector_load(b->arena, in_layer(b, row->element, place), lane(b)));

  stmt->place = row->element->place;
  return stmt;
}

static void declare_rows(struct building *b)
{
  struct stream25d *m = b->m;

  for (unsigned i = 0; i < m->row_count; i++) {
    struct stream25d_row *row = &m->rows[i];
    if (row->last == row->first) continue;
    const struct ir_type *type =
        ir_build_array_type(b->arena, ir_plain_type(b->arena, row->array->element), m->factor);
    row->var = of_thread(b, arena_format(b->arena, "_m_%s", row->array->var->name),
                         ir_build_array_type(b->arena, type, layers_of(row) + m->ahead));
  }
}

/* The loads in front of the loop: all layers but the one that the first iteration loads. */
static struct ir_stmt *fill_rows(const struct building *b)
{
  struct stream25d *m = b->m;
  struct ir_list all = {0}, early = {0};

  for (unsigned i = 0; i < m->row_count; i++)
    for (int64_t k = 0; m->rows[i].var && k + 1 < layers_of(&m->rows[i]); k++)
      ir_list_add(b->arena, &all, load_row(b, &m->rows[i], k, b->first));
  for (int64_t k = 0; k < m->ahead; k++) {
    struct ir_list some = {0};
    for (unsigned i = 0; i < m->row_count; i++)
      if (m->rows[i].var)
        ir_list_add(b->arena, &some,
                    load_row(b, &m->rows[i], layers_of(&m->rows[i]) - 1 + k, b->first));
    struct ir_expr *there =
        binary(b->arena, IR_OP_LT, plus(b->arena, ir_build_var(b->arena, b->first), k),
               ir_build_var(b->arena, b->last));
    ir_list_add(b->arena, &early,
                k ? ir_build_if(b->arena, there, ir_build_block(b->arena, &some))
                  : ir_build_block(b->arena, &some));
  }
  struct ir_list both = {0};
  ir_list_add(b->arena, &both, ir_build_block(b->arena, &all));
  ir_list_add(b->arena, &both, ir_build_block(b->arena, &early));
  return ir_build_block(b->arena, &both);
}

/* The load of the coming layer in an iteration. */
static struct ir_stmt *extend_rows(const struct building *b)
{
  struct stream25d *m = b->m;
  struct ir_list all = {0};

  for (unsigned i = 0; i < m->row_count; i++)
    if (m->rows[i].var)
      ir_list_add(b->arena, &all,
                  load_row(b, &m->rows[i], layers_of(&m->rows[i]) - 1 + m->ahead, b->layer));
  struct ir_expr *there =
      binary(b->arena, IR_OP_LT, plus(b->arena, ir_build_var(b->arena, b->layer), m->ahead),
             ir_build_var(b->arena, b->last));
  return m->ahead ? ir_build_if(b->arena, there, ir_build_block(b->arena, &all))
                  : ir_build_block(b->arena, &all);
}

static struct ir_stmt *shift_rows(const struct building *b)
{
  struct stream25d *m = b->m;
  struct ir_list all = {0};

  for (unsigned i = 0; i < m->row_count && !SEEDED(STREAM25D_NOT_SHIFTED); i++)
    for (int64_t k = 0; m->rows[i].var && k + 1 < layers_of(&m->rows[i]) + m->ahead; k++)
      ir_list_add(b->arena, &all,
                  assign(b, register_at(b, &m->rows[i], k, lane(b)),
                         register_at(b, &m->rows[i], k + 1, lane(b))));
  return ir_build_block(b->arena, &all);
}

/* ---- the work ---- */

static struct ir_expr *address_of(struct arena *arena, struct ir_expr *expr)
{
  struct ir_expr *address = ir_build_unary(arena, IR_OP_ADDRESS, expr);

  address->type = ir_build_pointer_type(arena, expr->type);
  return address;
}

/* Does this lane store? */
static struct ir_expr *is_in(const struct building *b)
{
  return b->in ? ir_build_index(b->arena, ir_build_var(b->arena, b->in), lane(b))
               : ir_build_int(b->arena, 1);
}

/* The value if the lane stores, else 0. */
static struct ir_expr *if_in(const struct building *b, struct ir_expr *value)
{
  struct ir_expr *choice = ir_build_cond(
      b->arena, is_in(b), value, ir_build_cast(b->arena, value->type, ir_build_int(b->arena, 0)));

  choice->type = value->type;
  return choice;
}

/* The element at `place` from the thread's first one, from the row's registers if they have it. */
static struct ir_expr *beside(const struct building *b, const struct stream25d_load *load,
                              struct ir_expr *element)
{
  struct ir_expr *call = ir_build_call(b->arena, "mesi_row_element", IR_EFFECT_LOAD);
  const struct stream25d_row *row = &b->m->rows[load->row];

  ir_add_argument(b->arena, call,
                  ir_build_index(b->arena, ir_build_var(b->arena, row->var),
                                 ir_build_int(b->arena, load->layer)));
  ir_add_argument(b->arena, call, plus(b->arena, lane(b), load->place));
  ir_add_argument(b->arena, call, is_in(b));
  ir_add_argument(b->arena, call, address_of(b->arena, element));
  call->type = ir_plain_type(b->arena, element->type);
  call->place = element->place;
  return b->m->checked && b->in ? if_in(b, call) : call;
}

/* The register for a load of 16 bytes that some lane needs. The compiler of the emitted code merges
 * equal loads only if no branch is between them. */
static struct ir_var *fetch(struct building *b, unsigned number)
{
  struct stream25d_load *loads = b->m->loads;
  const struct ir_expr *expr = loads[number].expr;

  for (unsigned i = 0; i < number; i++)
    if (b->fetched[i] && ir_same_expr(loads[i].expr, expr)) return b->fetched[i];
  const char *name = code_access_of(b->m->code, expr)->array->var->name;
  struct ir_var *var =
      of_thread(b, arena_format(b->arena, "_n_%s", name),
                ir_build_array_type(b->arena, ir_plain_type(b->arena, expr->type), b->m->factor));
  struct ir_expr *element = in_layer(b, expr, ir_build_var(b->arena, b->layer)),
                 *place = plus(b->arena, lane(b), loads[number].place);
  struct ir_stmt *stmt = assign(b, ir_build_index(b->arena, ir_build_var(b->arena, var), lane(b)),
                                vector_load(b->arena, element, place));
  stmt->place = expr->place;
  ir_list_add(b->arena, &b->fetches, stmt);
  return var;
}

/* A load of 16 bytes: for all lanes if they are the thread's own 16 bytes, else only if this lane
 * needs them. */
static struct ir_expr *direct(struct building *b, unsigned number, struct ir_expr *element)
{
  const struct stream25d_load *load = &b->m->loads[number];

  if (load->place % b->m->factor == 0) {
    b->fetched[number] = fetch(b, number);
    return ir_build_index(b->arena, ir_build_var(b->arena, b->fetched[number]), lane(b));
  }
  struct ir_expr *place = plus(b->arena, lane(b), load->place),
                 *value = vector_load(b->arena, element, place);
  if (!b->in) return value;
  struct ir_expr *call = ir_build_call(b->arena, "mesi_lane_load_in", IR_EFFECT_LOAD);
  ir_add_argument(b->arena, call, value->operands[0]);
  ir_add_argument(b->arena, call, place);
  ir_add_argument(b->arena, call, is_in(b));
  call->type = value->type;
  call->place = value->place;
  return call;
}

static struct ir_expr *replace_load(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  const struct stream25d *m = b->m;

  for (unsigned i = 0; i < m->load_count; i++) {
    const struct stream25d_load *load = &m->loads[i];
    if (load->expr != expr) continue;
    if (load->row < 0) return direct(b, i, expr);
    return load->place ? beside(b, load, expr)
                       : register_at(b, &m->rows[load->row], load->layer, lane(b));
  }
  return NULL;
}

/* The store of a lane, 16 bytes at once if its row allows that. */
static struct ir_stmt *store(struct building *b, const struct code_access *found,
                             struct ir_expr *element, struct ir_expr *value)
{
  struct arena *arena = b->arena;
  struct code *code = b->m->code;
  int64_t place = 1;

  if (!vector_alone(code, found) ||
      !vector_place(code, found, IR_THREAD_IDX, b->m->factor, &place) || place % b->m->factor) {
    struct ir_stmt *plain = assign(b, element, value);
    return b->in ? ir_build_if(arena, is_in(b), plain) : plain;
  }
  const struct ir_type *type =
      ir_build_array_type(arena, ir_plain_type(arena, element->type), b->m->factor);
  struct ir_expr *call =
      ir_build_call(arena, b->in ? "mesi_lane_store_in" : "mesi_lane_store", IR_EFFECT_NONE);
  ir_add_argument(arena, call, address_of(arena, element));
  ir_add_argument(
      arena, call,
      ir_build_var(arena,
                   of_thread(b, arena_format(arena, "_w_%s", found->array->var->name), type)));
  if (b->in) ir_add_argument(arena, call, ir_build_var(arena, b->in));
  ir_add_argument(arena, call, lane(b));
  ir_add_argument(arena, call, value);
  return ir_build_expr_stmt(arena, call);
}

static struct ir_stmt *work_of(struct building *b)
{
  struct stream25d *m = b->m;
  struct ir_rewriter loads = {b->arena, replace_load, b};
  struct ir_list all = {0};

  for (unsigned i = 0; i < m->work.items.count; i++) {
    struct ir_stmt *stmt = m->work.items.items[i], *made = NULL;
    struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL,
                   *to = expr ? ir_strip(expr->operands[0]) : NULL;
    const struct code_access *found = to ? code_access_of(m->code, to) : NULL;
    if (found)
      made =
          store(b, found, ir_rewrite_expr(&loads, to), ir_rewrite_expr(&loads, expr->operands[1]));
    else
      made = ir_rewrite_stmt(&loads, stmt);
    made->place = stmt->place;
    ir_list_add(b->arena, &all, made);
  }
  return ir_build_block(b->arena, &all);
}

/* ---- the whole ---- */

/* while (_first < _last && !condition) moves the end by one */
static struct ir_stmt *clip(const struct building *b, struct ir_expr *condition, struct ir_var *end,
                            int64_t by)
{
  struct arena *arena = b->arena;
  struct ir_expr *at = ir_build_var(arena, end),
                 *left = binary(arena, IR_OP_LT, ir_build_var(arena, b->first),
                                ir_build_var(arena, b->last));
  struct ir_stmt *loop = ARENA_NEW(arena, struct ir_stmt);

  loop->kind = IR_STMT_WHILE;
  loop->id = UINT32_MAX;
  loop->expr =
      binary(arena, IR_OP_LAND, left,
             ir_build_not(arena, in_layer(b, condition, by < 0 ? plus(arena, at, by) : at)));
  loop->body = assign(b, ir_build_var(arena, end), plus(arena, at, by));
  return loop;
}

static void clip_layers(const struct building *b, struct ir_list *out)
{
  const struct stream25d *m = b->m;
  struct ir_expr *condition = all_of(b, m->layers_in, m->layer_count);

  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->first, ir_build_int(b->arena, 0)));
  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->last, m->loop->loop->bound));
  if (!condition || SEEDED(STREAM25D_UNCLIPPED)) return;
  ir_list_add(b->arena, out, clip(b, condition, b->first, 1));
  ir_list_add(b->arena, out, clip(b, condition, b->last, -1));
}

/* The condition under which the thread begins. */
static struct ir_expr *begins(const struct building *b)
{
  const struct stream25d *m = b->m;
  struct ir_expr *any = NULL, *all = all_of(b, m->threads_in, m->thread_count);

  for (int64_t i = 0; b->in && i < m->factor; i++) {
    struct ir_expr *one =
        ir_build_index(b->arena, ir_build_var(b->arena, b->in), ir_build_int(b->arena, i));
    any = any ? binary(b->arena, IR_OP_LOR, any, one) : one;
  }
  if (m->layer_count) {
    struct ir_expr *some = binary(b->arena, IR_OP_LT, ir_build_var(b->arena, b->first),
                                  ir_build_var(b->arena, b->last));
    all = all ? binary(b->arena, IR_OP_LAND, all, some) : some;
  }
  return all && any ? binary(b->arena, IR_OP_LAND, all, any) : all ? all : any;
}

static struct ir_stmt *in_block(struct arena *arena, struct ir_stmt *stmt)
{
  struct ir_list one = {0};

  ir_list_add(arena, &one, stmt);
  return ir_build_block(arena, &one);
}

static struct ir_stmt *stream25d_loop(struct building *b)
{
  struct stream25d *m = b->m;
  struct ir_list body = {0};
  int64_t most = 1;

  for (unsigned i = 0; i < m->row_count; i++)
    most = m->rows[i].var && layers_of(&m->rows[i]) + m->ahead > most
               ? layers_of(&m->rows[i]) + m->ahead
               : most;
  struct ir_stmt *work = work_of(b);
  ir_list_add(b->arena, &body, extend_rows(b));
  ir_list_add(b->arena, &body, ir_build_block(b->arena, &b->fetches));
  ir_list_add(b->arena, &body, work);
  ir_list_add(b->arena, &body, shift_rows(b));
  struct ir_stmt *loop =
      ir_build_for(b->arena, b->layer, ir_build_var(b->arena, b->first),
                   ir_build_var(b->arena, b->last), 1, ir_build_block(b->arena, &body));
  /* unrolled like this, no register moves */
  loop->pragma = arena_format(b->arena, "#pragma unroll %lld", (long long)most);
  return loop;
}

void stream25d_build(struct stream25d *m, struct ir_list *verbatim)
{
  struct building b = {
      .m = m, .arena = m->code->arena, .verbatim = verbatim, .layer = m->loop->loop->iterator};
  struct ir_list body = {0}, inner = {0}, all = {0};

  m->code->lane = code_local(m->code, "_lane", ir_int_type());
  b.first = code_local(m->code, "_first", ir_int_type());
  b.last = code_local(m->code, "_last", ir_int_type());
  if (m->lane_count && !SEEDED(STREAM25D_LANES_UNASKED))
    b.in = of_thread(&b, "_in", ir_build_array_type(b.arena, ir_bool_type(), m->factor));
  declare_rows(&b);
  if (b.in)
    ir_list_add(b.arena, &body,
                in_block(b.arena, assign(&b, is_in(&b), all_of(&b, m->x_in, m->lane_count))));
  clip_layers(&b, &body);
  ir_list_add(b.arena, &inner, fill_rows(&b));
  ir_list_add(b.arena, &inner, stream25d_loop(&b));
  struct ir_expr *condition = begins(&b);
  struct ir_stmt *inside = ir_build_block(b.arena, &inner);
  ir_list_add(b.arena, &body, condition ? ir_build_if(b.arena, condition, inside) : inside);
  for (unsigned i = 0; i < b.declarations.items.count; i++)
    ir_list_add(b.arena, &all, b.declarations.items.items[i]);
  for (unsigned i = 0; i < body.items.count; i++) ir_list_add(b.arena, &all, body.items.items[i]);
  m->code->facts.kernel->body = read_only_loads(m->code, ir_build_block(b.arena, &all), false);
  code_drop_scan(m->code);
}
