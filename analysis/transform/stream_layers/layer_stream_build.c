/* SPDX-License-Identifier: MIT */
/* layer_stream_build.c - the code of a thread that loads each layer once (layer_stream.c finds the
 * sums).
 *
 *     bool _in[4], _rows[2];                            the lanes, and the rows, that store
 *     _in[_lane] = k > 0 && k < n - 1;  _rows[_row] = j > 0 && j < n - 1;
 *     int _part = (n - 2 + 7) / 8, _first = 1 + blockIdx.z * _part, _last = min(_first + _part,
 *         n - 1);
 *     if (_first < _last && (_in[0] || ...) && (_rows[0] || _rows[1])) {
 *       float _sum = 0, _sum_2 = 0, _sum_3 = 0;
 *       for (_p = _first; _p < _last + 2; _p++) {
 *         if (_rows[0]) mesi_row_load<1, 1>(_m_in[0][0], &in[_p - 1][j - 1][k], _in); ...
 *         ...the items, stage 0 first...
 *         if (_p >= _first + 2) { if (_rows[_row]) mesi_lane_store_in(&out[_p - 2][j][k],
 *             _w_out[_row], _in, _lane, _sum_3); }
 *         _sum_3 = _sum_2; _sum_2 = _sum;
 *       }
 *     }
 *
 * Statements with _lane and _row run for all elements of the thread (coarsen.c). The results of a
 * stage for layers that the part does not have are dropped: its locals then belong to no layer that
 * is stored. Items that must not run then have a test.
 */
#include "analysis/transform/stream_layers/layer_stream.h"

#include "analysis/code/vector_access.h"
#include "analysis/code/read_only.h"
#include "runtime/seeded.h"

struct building {
  struct layer_stream *s;
  struct arena *arena;
  struct ir_list *verbatim;
  struct ir_list declarations;         /* of real threads */
  struct ir_var *layer, *first, *last; /* _p, _first, _last */
  /* by lane and by row of the thread: does it store? rows NULL: there is one */
  struct ir_var *in, *rows;
  const struct layer_stream_item *item; /* the one in the making */
};

static struct ir_expr *use(const struct building *b, struct ir_var *var)
{
  return ir_build_var(b->arena, var);
}

static struct ir_expr *number(const struct building *b, int64_t value)
{
  return ir_build_int(b->arena, value);
}

static struct ir_expr *binary(const struct building *b, enum ir_op op, struct ir_expr *left,
                              struct ir_expr *right)
{
  return ir_build_binary(b->arena, op, left, right);
}

static struct ir_expr *plus(const struct building *b, struct ir_expr *expr, int64_t constant)
{
  if (!constant) return expr;
  struct ir_expr *sum = binary(b, constant < 0 ? IR_OP_SUB : IR_OP_ADD, expr,
                               number(b, constant < 0 ? -constant : constant));
  sum->type = expr->type;
  return sum;
}

static struct ir_expr *either(const struct building *b, struct ir_expr *left, struct ir_expr *right)
{
  return left && right ? binary(b, IR_OP_LOR, left, right) : left ? left : right;
}

static struct ir_expr *element(const struct building *b, struct ir_var *array, int64_t at)
{
  return ir_build_index(b->arena, use(b, array), number(b, at));
}

static struct ir_stmt *assign(const struct building *b, struct ir_expr *to, struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, to, value));
}

static struct ir_expr *yes(const struct building *b)
{
  struct ir_expr *expr = number(b, 1);

  expr->text = "true";
  expr->type = ir_bool_type();
  return expr;
}

static struct ir_var *declared(struct building *b, const char *name, const struct ir_type *type,
                               bool zeroed)
{
  struct ir_var *var = code_local(b->s->code, name, type);
  struct ir_stmt *declaration =
      zeroed ? ir_build_zeroed(b->arena, var) : ir_build_decl(b->arena, var, NULL);

  var->of_thread = true;
  ir_list_add(b->arena, &b->declarations, declaration);
  ir_list_add(b->arena, b->verbatim, declaration);
  return var;
}

static struct ir_var *of_thread(struct building *b, const char *name, const struct ir_type *type)
{
  return declared(b, name, type, false);
}

static const struct ir_type *array_of(const struct building *b, const struct ir_type *type,
                                      int64_t extent)
{
  return ir_build_array_type(b->arena, type, extent);
}

/* ---- rows ---- */

static int64_t rows_of(const struct building *b, const struct layer_stream_group *group)
{
  return (int64_t)group->row_count + (group->by_row ? b->s->rows - 1 : 0);
}

static int64_t held(const struct layer_stream_group *group)
{
  return group->newest - group->oldest + 1;
}

static void declare_groups(struct building *b)
{
  for (unsigned i = 0; i < b->s->group_count; i++) {
    struct layer_stream_group *group = &b->s->groups[i];
    const struct ir_type *type = array_of(b, ir_plain_type(b->arena, group->array->element),
                                          group->left + b->s->factor + group->right);
    type = array_of(b, array_of(b, type, rows_of(b, group)), held(group));
    group->var = declared(b, arena_format(b->arena, "_m_%s", group->array->var->name), type,
                          !SEEDED(LAYER_STREAM_NOT_ZEROED));
  }
}

struct placing {
  const struct building *b;
  const struct layer_stream_group *group;
  struct ir_expr *layer;
  int64_t row;
};

/* The index of the thread's first element. */
static struct ir_expr *first_index(const struct placing *p, struct ir_expr *builtin)
{
  const struct building *b = p->b;
  bool x = builtin->value == IR_THREAD_IDX;
  int64_t by = x ? b->s->factor : b->s->rows, more = x ? -p->group->place : p->row;
  struct ir_expr *first = by > 1 ? binary(b, IR_OP_MUL, builtin, number(b, by)) : builtin;

  first->type = builtin->type;
  return plus(b, first, more);
}

static struct ir_expr *replace_first(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct placing *p = r->context;
  const struct layer_stream *s = p->b->s;

  if (expr->kind == IR_EXPR_BUILTIN &&
      (expr->value == IR_THREAD_IDX || expr->value == IR_THREAD_IDX + 1))
    return first_index(p, expr);
  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == s->loop->loop->iterator) return p->layer;
  for (unsigned i = 0; i < p->group->iterator_count; i++)
    if (p->group->iterators[i] == expr->var) return number(p->b, 0);
  struct ir_expr *value = code_value_of(s->code, expr->var);
  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

/* The first of the thread's 16 bytes in the row that is `row` behind the group's first one, while
 * the thread is at _p. */
static struct ir_expr *row_element(const struct building *b, const struct layer_stream_group *group,
                                   int64_t row, int64_t layer)
{
  struct placing placing = {b, group, plus(b, use(b, b->layer), layer), group->first_row + row};
  struct ir_rewriter rewriter = {b->arena, replace_first, &placing};
  struct ir_expr *address = ir_build_unary(
      b->arena, IR_OP_ADDRESS, ir_rewrite_expr(&rewriter, (struct ir_expr *)group->element));

  address->type = ir_build_pointer_type(b->arena, group->element->type);
  return address;
}

/* Joins the rows of elements that use a row of the thread. *ret_any: some active row of the
 * thread's elements needs it. NULL: always. */
static struct layer_stream_row joined(const struct building *b,
                                      const struct layer_stream_group *group, int64_t number,
                                      struct ir_expr **ret_any)
{
  struct layer_stream_row all = {0};
  int64_t rows = group->by_row ? b->s->rows : 1, users = 0;

  *ret_any = NULL;
  for (int64_t r = 0; r < rows; r++) {
    const struct layer_stream_row *row =
        number >= r && number - r < (int64_t)group->row_count ? &group->rows[number - r] : NULL;
    if (!row || !row->used) continue;
    int64_t newest = all.used && all.newest > row->newest ? all.newest : row->newest;
    all = *row;
    all.newest = newest;
    users++;
    *ret_any = b->rows ? either(b, *ret_any, element(b, b->rows, r)) : NULL;
  }
  if (users == rows) *ret_any = NULL;
  return all;
}

/* Does the part use the layer of the row that the thread loads now? NULL: always. */
static struct ir_expr *has_use(const struct building *b, const struct layer_stream_row *row)
{
  int64_t from = row->first - row->newest, to = row->last - row->newest;
  struct ir_expr *begun =
      from > 0 ? binary(b, IR_OP_GE, use(b, b->layer), plus(b, use(b, b->first), from)) : NULL;
  struct ir_expr *left = to < b->s->stages - 1
                             ? binary(b, IR_OP_LT, use(b, b->layer), plus(b, use(b, b->last), to))
                             : NULL;

  return ir_build_both(b->arena, begun, left);
}

static void load_row(struct building *b, const struct layer_stream_group *group,
                     int64_t number_of_row, struct ir_list *out)
{
  struct ir_expr *any = NULL;
  struct layer_stream_row row = joined(b, group, number_of_row, &any);

  if (!row.used) return;
  struct ir_expr *wanted = ir_build_both(b->arena, has_use(b, &row), any),
                 *to = element(b, group->var, row.newest - group->oldest);
  const char *name = arena_format(b->arena, "mesi_row_load<%lld, %lld>", (long long)row.left,
                                  (long long)row.right);
  struct ir_expr *call = ir_build_call(b->arena, name, IR_EFFECT_LOAD);
  to = plus(b, ir_build_index(b->arena, to, number(b, number_of_row)), group->left - row.left);
  ir_add_argument(b->arena, call, to);
  ir_add_argument(b->arena, call, row_element(b, group, number_of_row, row.newest));
  ir_add_argument(b->arena, call, use(b, b->in));
  struct ir_stmt *load = ir_build_expr_stmt(b->arena, call);
  struct ir_stmt *stmt =
      wanted && !SEEDED(LAYER_STREAM_ROWS_UNASKED) ? ir_build_if(b->arena, wanted, load) : load;
  stmt->place = group->element->place;
  ir_list_add(b->arena, out, stmt);
  ir_list_add(b->arena, b->verbatim, stmt);
}

static void load_rows(struct building *b, struct ir_list *out)
{
  for (unsigned g = 0; g < b->s->group_count; g++)
    for (int64_t i = 0; i < rows_of(b, &b->s->groups[g]); i++)
      load_row(b, &b->s->groups[g], i, out);
}

/* Moves the held layers: each is a layer older now. */
static void shift_rows(struct building *b, struct ir_list *out)
{
  for (unsigned g = 0; g < b->s->group_count; g++) {
    const struct layer_stream_group *group = &b->s->groups[g];
    if (held(group) == 1 || SEEDED(LAYER_STREAM_NOT_OLDER)) continue;
    struct ir_expr *call = ir_build_call(b->arena, "mesi_rows_older", IR_EFFECT_NONE);
    ir_add_argument(b->arena, call, use(b, group->var));
    struct ir_stmt *stmt = ir_build_expr_stmt(b->arena, call);
    ir_list_add(b->arena, out, stmt);
    ir_list_add(b->arena, b->verbatim, stmt);
  }
}

/* ---- items ---- */

static bool fixed_value(const struct layer_stream_item *item, const struct ir_var *var,
                        int64_t *ret)
{
  for (unsigned i = 0; i < item->fixed_count; i++)
    if (item->fixed[i].iterator == var) {
      *ret = item->fixed[i].value;
      return true;
    }
  return false;
}

static struct ir_expr *add_iterations(const struct building *b, struct ir_expr *at,
                                      struct ir_var *iterator, int64_t by)
{
  struct ir_expr *more =
      by == 1 ? use(b, iterator) : binary(b, IR_OP_MUL, use(b, iterator), number(b, by));
  return by ? binary(b, IR_OP_ADD, at, more) : at;
}

/* The register that holds the loaded element. */
static struct ir_expr *held_element(const struct building *b, const struct layer_stream_load *load)
{
  const struct layer_stream *s = b->s;
  const struct layer_stream_group *group = &s->groups[load->group];
  struct layer_stream_step at = load->at;
  int64_t value;

  for (unsigned i = 0; i < load->loop_count; i++)
    if (fixed_value(b->item, load->loops[i].iterator, &value)) {
      at.layer += value * load->loops[i].step.layer;
      at.row += value * load->loops[i].step.row;
      at.place += value * load->loops[i].step.place;
    }
  struct ir_expr *row = group->by_row && b->rows
                            ? plus(b, use(b, s->code->instance[1]), at.row - group->first_row)
                            : number(b, at.row - group->first_row);
  struct ir_expr *place = plus(b, use(b, s->code->lane), at.place + group->left);
  for (unsigned i = 0; i < load->loop_count; i++)
    if (!fixed_value(b->item, load->loops[i].iterator, &value)) {
      row = add_iterations(b, row, load->loops[i].iterator, load->loops[i].step.row);
      place = add_iterations(b, place, load->loops[i].iterator, load->loops[i].step.place);
    }
  struct ir_expr *layer = element(b, group->var, at.layer - b->item->stage - group->oldest);
  struct ir_expr *found = ir_build_index(b->arena, ir_build_index(b->arena, layer, row), place);
  found->type = ir_plain_type(b->arena, load->expr->type);
  found->place = load->expr->place;
  return found;
}

static struct ir_expr *replace_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  struct layer_stream_local *local = layer_stream_local_of(b->s, expr->var);
  int64_t value;

  if (expr->var == b->s->loop->loop->iterator) return plus(b, use(b, b->layer), -b->item->stage);
  if (fixed_value(b->item, expr->var, &value)) return number(b, value);
  if (local) return use(b, local->copies[b->item->stage - local->first]);
  struct ir_expr *own = layer_stream_value_of(b->s, expr->var);
  return own ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, own)) : NULL;
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;

  for (unsigned i = 0; i < b->s->load_count; i++)
    if (b->s->loads[i].expr == expr) return held_element(b, &b->s->loads[i]);
  return expr->kind == IR_EXPR_VAR ? replace_var(r, expr) : NULL;
}

/* Unrolls the loops of an item. They are short, and registers get constant indices that way. */
static struct ir_stmt *unrolled(struct arena *arena, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->pragma = stmt->kind == IR_STMT_FOR ? "#pragma unroll" : NULL;
  copy->body = unrolled(arena, stmt->body);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = unrolled(arena, stmt->children[i]);
  return copy;
}

/* The store of an element, 16 bytes at once if its row allows that. */
static struct ir_stmt *store(struct building *b, const struct code_access *found,
                             struct ir_expr *to, struct ir_expr *value)
{
  struct layer_stream *s = b->s;
  struct ir_expr *row =
      b->rows ? ir_build_index(b->arena, use(b, b->rows), use(b, s->code->instance[1])) : NULL;
  int64_t place = 1;

  if (!vector_row(s->code, found, s->factor, NULL, 0, &place) || place % s->factor) {
    struct ir_expr *in = ir_build_index(b->arena, use(b, b->in), use(b, s->code->lane));
    return ir_build_if(b->arena, ir_build_both(b->arena, row, in), assign(b, to, value));
  }
  const struct ir_type *type = array_of(b, ir_plain_type(b->arena, to->type), s->factor);
  struct ir_var *wide = of_thread(b, arena_format(b->arena, "_w_%s", found->array->var->name),
                                  b->rows ? array_of(b, type, s->rows) : type);
  struct ir_expr *call = ir_build_call(b->arena, "mesi_lane_store_in", IR_EFFECT_NONE),
                 *address = ir_build_unary(b->arena, IR_OP_ADDRESS, to);
  address->type = ir_build_pointer_type(b->arena, to->type);
  ir_add_argument(b->arena, call, address);
  ir_add_argument(b->arena, call,
                  b->rows ? ir_build_index(b->arena, use(b, wide), use(b, s->code->instance[1]))
                          : use(b, wide));
  ir_add_argument(b->arena, call, use(b, b->in));
  ir_add_argument(b->arena, call, use(b, s->code->lane));
  ir_add_argument(b->arena, call, value);
  struct ir_stmt *stmt = ir_build_expr_stmt(b->arena, call);
  return row ? ir_build_if(b->arena, row, stmt) : stmt;
}

static struct ir_stmt *item_of(struct building *b, const struct layer_stream_item *item)
{
  struct ir_rewriter rewriter = {b->arena, replace, b};
  struct ir_stmt *stmt = item->stmt, *made = NULL;

  b->item = item;
  if (stmt->kind == IR_STMT_DECL) {
    if (!stmt->expr) return NULL;
    made = assign(b,
                  use(b, layer_stream_local_of(b->s, stmt->var)
                             ->copies[item->stage - layer_stream_local_of(b->s, stmt->var)->first]),
                  ir_rewrite_expr(&rewriter, stmt->expr));
  } else {
    struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL,
                   *to = expr ? ir_strip(expr->operands[0]) : NULL;
    const struct code_access *found = to ? code_access_of(b->s->code, to) : NULL;
    if (found)
      made = store(b, found, ir_rewrite_expr(&rewriter, to),
                   ir_rewrite_expr(&rewriter, expr->operands[1]));
    else
      made = unrolled(b->arena, ir_rewrite_stmt(&rewriter, stmt));
  }
  made->place = stmt->place;
  return made;
}

/* Is the stage at a layer of the part? NULL: always. */
static struct ir_expr *has_layer(const struct building *b, int64_t stage)
{
  struct ir_expr *begun =
      stage ? binary(b, IR_OP_GE, use(b, b->layer), plus(b, use(b, b->first), stage)) : NULL;
  struct ir_expr *left = stage < b->s->stages - 1 ? binary(b, IR_OP_LT, use(b, b->layer),
                                                           plus(b, use(b, b->last), stage))
                                                  : NULL;

  return SEEDED(LAYER_STREAM_STAGES_UNASKED) ? NULL : ir_build_both(b->arena, begun, left);
}

static void add_items(struct building *b, struct ir_list *out)
{
  const struct layer_stream *s = b->s;

  for (unsigned i = 0; i < s->item_count;) {
    struct ir_list some = {0};
    const struct layer_stream_item *item = &s->items[i];
    struct ir_expr *asked = item->asks ? has_layer(b, item->stage) : NULL;
    do ir_list_add(b->arena, &some, item_of(b, &s->items[i++]));
    while (i < s->item_count && s->items[i].asks == item->asks && s->items[i].stage == item->stage);
    struct ir_stmt *block = ir_build_block(b->arena, &some);
    ir_list_add(b->arena, out, asked ? ir_build_if(b->arena, asked, block) : block);
  }
}

/* ---- locals ---- */

static void declare_locals(struct building *b, struct ir_list *out)
{
  for (unsigned i = 0; i < b->s->local_count; i++) {
    struct layer_stream_local *local = &b->s->locals[i];
    for (int64_t k = 0; k <= local->last - local->first; k++) {
      local->copies[k] = code_local(b->s->code, arena_format(b->arena, "_%s", local->var->name),
                                    ir_plain_type(b->arena, local->var->type));
      ir_list_add(b->arena, out, ir_build_decl(b->arena, local->copies[k], number(b, 0)));
    }
  }
}

/* Moves the values of a stage to the next one. */
static void shift_locals(struct building *b, struct ir_list *out)
{
  for (unsigned i = 0; i < b->s->local_count && !SEEDED(LAYER_STREAM_NOT_SHIFTED); i++) {
    struct layer_stream_local *local = &b->s->locals[i];
    for (int64_t k = local->last - local->first; k > 0; k--)
      ir_list_add(b->arena, out, assign(b, use(b, local->copies[k]), use(b, local->copies[k - 1])));
  }
}

/* ---- the whole ---- */

static struct ir_expr *all_of(const struct building *b, struct ir_expr *const *conditions,
                              unsigned count)
{
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < count; i++) all = ir_build_both(b->arena, all, conditions[i]);
  return all;
}

static struct ir_stmt *in_block(const struct building *b, struct ir_stmt *stmt)
{
  struct ir_list one = {0};

  ir_list_add(b->arena, &one, stmt);
  return ir_build_block(b->arena, &one);
}

static void declare_conditions(struct building *b, struct ir_list *out)
{
  struct layer_stream *s = b->s;
  struct ir_expr *lanes = all_of(b, s->x_in, s->lane_count),
                 *rows = all_of(b, s->rows_in, s->row_count);

  b->in = of_thread(b, "_in", array_of(b, ir_bool_type(), s->factor));
  ir_list_add(b->arena, out,
              in_block(b, assign(b, ir_build_index(b->arena, use(b, b->in), use(b, s->code->lane)),
                                 lanes ? lanes : yes(b))));
  if (s->rows == 1) return;
  b->rows = of_thread(b, "_rows", array_of(b, ir_bool_type(), s->rows));
  ir_list_add(
      b->arena, out,
      in_block(b, assign(b, ir_build_index(b->arena, use(b, b->rows), use(b, s->code->instance[1])),
                         rows ? rows : yes(b))));
}

/* The layers of the part along z. */
static void declare_layers(struct building *b, struct ir_list *out)
{
  const struct ir_loop *loop = b->s->loop->loop;
  struct ir_expr *end = plus(b, loop->bound, loop->relation == IR_OP_LE),
                 *all = binary(b, IR_OP_SUB, end, loop->lower);
  struct ir_var *part = code_local(b->s->code, "_part", ir_int_type());
  struct ir_expr *which =
      ir_build_cast(b->arena, ir_int_type(), ir_build_builtin(b->arena, IR_BLOCK_IDX + 2));
  struct ir_expr *length =
      binary(b, IR_OP_DIV, plus(b, all, b->s->z_parts - 1), number(b, b->s->z_parts));

  b->first = code_local(b->s->code, "_first", ir_int_type());
  b->last = code_local(b->s->code, "_last", ir_int_type());
  ir_list_add(b->arena, out, ir_build_decl(b->arena, part, length));
  ir_list_add(
      b->arena, out,
      ir_build_decl(b->arena, b->first,
                    binary(b, IR_OP_ADD, loop->lower, binary(b, IR_OP_MUL, which, use(b, part)))));
  struct ir_expr *next = binary(b, IR_OP_ADD, use(b, b->first), use(b, part));
  struct ir_expr *last = ir_build_cond(b->arena, binary(b, IR_OP_LT, next, end), next, end);
  ir_list_add(b->arena, out,
              ir_build_decl(b->arena, b->last, SEEDED(LAYER_STREAM_SLABS_UNCUT) ? next : last));
}

/* The condition under which the thread begins. */
static struct ir_expr *begins(const struct building *b)
{
  const struct layer_stream *s = b->s;
  struct ir_expr *lanes = NULL, *rows = NULL, *all = all_of(b, s->threads_in, s->thread_count);

  for (int64_t i = 0; i < s->factor; i++) lanes = either(b, lanes, element(b, b->in, i));
  for (int64_t i = 0; b->rows && i < s->rows; i++) rows = either(b, rows, element(b, b->rows, i));
  all = ir_build_both(b->arena, all, binary(b, IR_OP_LT, use(b, b->first), use(b, b->last)));
  return ir_build_both(b->arena, ir_build_both(b->arena, all, rows), lanes);
}

/* The loop is not unrolled: nvcc 13.0 assumes that the number of layers of a part, with those
 * around them, is a multiple of three, and drops the rest. */
static struct ir_stmt *layer_stream_loop(struct building *b)
{
  struct layer_stream *s = b->s;
  struct ir_list body = {0};

  load_rows(b, &body);
  add_items(b, &body);
  shift_locals(b, &body);
  shift_rows(b, &body);
  struct ir_expr *end = plus(b, use(b, b->last), s->stages - 1);
  struct ir_stmt *loop =
      ir_build_for(b->arena, b->layer, use(b, b->first), end, 1, ir_build_block(b->arena, &body));
  loop->pragma = "#pragma unroll 1";
  return loop;
}

void layer_stream_build(struct layer_stream *s, struct ir_list *verbatim)
{
  struct building b = {.s = s, .arena = s->code->arena, .verbatim = verbatim};
  struct ir_list body = {0}, inner = {0}, all = {0};

  s->code->lane = code_local(s->code, "_lane", ir_int_type());
  s->code->instance[1] = s->rows > 1 ? code_local(s->code, "_row", ir_int_type()) : NULL;
  b.layer = code_local(s->code, "_p", ir_int_type());
  declare_groups(&b);
  declare_conditions(&b, &body);
  declare_layers(&b, &body);
  for (unsigned i = 0; i < s->before.items.count; i++)
    ir_list_add(b.arena, &inner, s->before.items.items[i]);
  declare_locals(&b, &inner);
  ir_list_add(b.arena, &inner, layer_stream_loop(&b));
  ir_list_add(b.arena, &body, ir_build_if(b.arena, begins(&b), ir_build_block(b.arena, &inner)));
  for (unsigned i = 0; i < b.declarations.items.count; i++)
    ir_list_add(b.arena, &all, b.declarations.items.items[i]);
  for (unsigned i = 0; i < body.items.count; i++) ir_list_add(b.arena, &all, body.items.items[i]);
  s->code->facts.kernel->body = read_only_loads(s->code, ir_build_block(b.arena, &all), false);
  code_drop_scan(s->code);
}
