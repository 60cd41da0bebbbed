/* temporal_build.c - the kernel that does several launches in one.
 *
 *     v[i] = u[i - 1] + u[i + 1], for 0 < i < n - 1
 *  =>
 *     __shared__ float _s_u[1026], _s_v[1026];
 *     int _x0 = (int)blockIdx.x * (1024 - _steps.depth * 2) - _steps.depth;         the first point of the tile
 *     int _live[4];                                                                 by point of the thread: the steps that it is right for
 *     bool _inner = true;                                                           all points pass all conditions
 *     for each point: _lx, _x = _x0 + _lx; _live[..] = min(_lx, 1023 - _lx), 0 outside of the launch; _s_u[_lx + 1] = u[_x]
 *     if (__syncthreads_and(_inner)) {
 *       for (int _t = 0; _t + 1 < _steps.depth; _t += 2) {
 *         for each point: _r_v[..] = _s_u[_lx] + _s_u[_lx + 2];      whatever the elements at the rim of the tile are
 *         for each point: _s_v[_lx + 1] = _r_v[..];
 *         __syncthreads();
 *         ...the same from _s_v to _s_u...
 *       }
 *       for each point: if (_live[..] >= _steps.depth) v[i] = _s_u[_lx] + _s_u[_lx + 2];
 *     } else {
 *       for each point: where nobody writes v[_x], _s_v[_lx + 1] = v[_x];
 *       ...the same with the code as it was, for points with _t < _live[..]...
 *     }
 *
 * A thread has points that stand apart along x, and neighbours along y and z, which share what they read. Where the
 * code of whole points is not blind (temporal.h), or the kernel is checked, all blocks take the second way. Requires: struct temporal. Produces IR.
 */
#include "analysis/temporal.h"

#include <string.h>

#include "runtime/seeded.h"

enum role { TO_REGISTERS, TO_TILE, TO_MEMORY };

struct building {
  struct temporal *t;
  const struct temporal_shape *shape;
  struct code *code;
  struct arena *arena;
  struct ir_var *run;          /* the parameter with depth, sizes and bounds */
  struct ir_var *lists[TEMPORAL_SLOTS]; /* by value: its parameter */
  struct ir_var *tiles[TEMPORAL_SLOTS]; /* by slot: shared memory */
  struct ir_var *results[TEMPORAL_SLOTS]; /* by slot: a thread's new elements */
  struct ir_var *origin[TEMPORAL_AXES], *local[TEMPORAL_AXES], *point[TEMPORAL_AXES]; /* _x0, _lx, _x */
  struct ir_var *round[TEMPORAL_AXES]; /* counts a thread's points along the axis; NULL: there is one */
  struct ir_var *live, *inner, *step;
  /* of the body that is being rewritten */
  enum role role;
  bool odd;                    /* the arrays have changed places */
  struct ir_expr *number;      /* of the step */
};

static const char *const axis_names[] = { "x", "y", "z" };

static struct ir_expr *number(struct building *b, int64_t value)
{
  return ir_build_int(b->arena, value);
}

static struct ir_expr *use(struct building *b, struct ir_var *var)
{
  return ir_build_var(b->arena, var);
}

static struct ir_expr *join(struct building *b, enum ir_op op, struct ir_expr *left, struct ir_expr *right)
{
  return ir_build_binary(b->arena, op, left, right);
}

static struct ir_expr *plus(struct building *b, struct ir_expr *left, int64_t right)
{
  return right ? join(b, right < 0 ? IR_OP_SUB : IR_OP_ADD, left, number(b, right < 0 ? -right : right)) : left;
}

static struct ir_expr *both(struct building *b, struct ir_expr *left, struct ir_expr *right)
{
  return !left ? right : !right ? left : join(b, IR_OP_LAND, left, right);
}

static struct ir_stmt *assign(struct building *b, struct ir_expr *target, struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, target, value));
}

static struct ir_stmt *barrier(struct building *b)
{
  return ir_build_expr_stmt(b->arena, ir_build_call(b->arena, "__syncthreads", IR_EFFECT_BARRIER));
}

static const struct ir_type *unsigned_type(struct building *b)
{
  return ir_build_builtin(b->arena, IR_THREAD_IDX)->type;
}

static const struct ir_type *long_type(struct building *b)
{
  return lower_int_type(b->arena, true);
}

static struct ir_expr *int_builtin(struct building *b, unsigned builtin)
{
  return ir_build_cast(b->arena, ir_int_type(), ir_build_builtin(b->arena, (enum ir_builtin)builtin));
}

static struct ir_var *local(struct building *b, const char *name, const struct ir_type *type)
{
  return code_local(b->code, name, type);
}

static struct ir_expr *depth(struct building *b)
{
  return ir_build_member(b->arena, use(b, b->run), "depth", ir_int_type());
}

/* _steps.total[axis] and so on. */
static struct ir_expr *listed(struct building *b, const char *member, const struct ir_type *type, unsigned index)
{
  const struct ir_type *array = ir_build_array_type(b->arena, type, TEMPORAL_SLOTS);
  return ir_build_index(b->arena, ir_build_member(b->arena, use(b, b->run), member, array), number(b, index));
}

static int64_t points_along(const struct building *b, unsigned axis)
{
  return b->shape->tile[axis] / b->shape->threads[axis];
}

static int64_t points(const struct building *b)
{
  return points_along(b, 0) * points_along(b, 1) * points_along(b, 2);
}

/* ---- a thread's points ---- */

static struct ir_expr *point_number(struct building *b)
{
  struct ir_expr *number_of = NULL;

  for (unsigned axis = TEMPORAL_AXES; axis-- > 0;) {
    if (number_of && points_along(b, axis) > 1)
      number_of = join(b, IR_OP_MUL, number_of, number(b, points_along(b, axis)));
    if (b->round[axis])
      number_of = number_of ? join(b, IR_OP_ADD, number_of, use(b, b->round[axis])) : use(b, b->round[axis]);
  }
  return number_of ? number_of : number(b, 0);
}

static struct ir_expr *of_point(struct building *b, struct ir_var *array)
{
  return ir_build_index(b->arena, use(b, array), point_number(b));
}

/* Its place in the tile along an axis. */
static struct ir_expr *place_in_tile(struct building *b, unsigned axis)
{
  struct ir_expr *thread = int_builtin(b, IR_THREAD_IDX + axis), *round = b->round[axis] ? use(b, b->round[axis]) : NULL;

  if (!round)
    return thread;
  if (axis == 0)
    return join(b, IR_OP_ADD, join(b, IR_OP_MUL, round, number(b, b->shape->threads[axis])), thread);
  return join(b, IR_OP_ADD, join(b, IR_OP_MUL, thread, number(b, points_along(b, axis))), round);
}

/* for each point: const int _lx = ...; const unsigned _x = _x0 + _lx; body */
static struct ir_stmt *each_point(struct building *b, struct ir_stmt *body)
{
  struct ir_list out = { 0 };

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    bool used = axis < b->t->axes;
    if (used)
      ir_list_add(b->arena, &out, ir_build_decl(b->arena, b->local[axis], place_in_tile(b, axis)));
    struct ir_expr *at = used ? join(b, IR_OP_ADD, use(b, b->origin[axis]), use(b, b->local[axis])) : number(b, 0);
    if (ir_stmt_has_var(body, b->point[axis]))
      ir_list_add(b->arena, &out, ir_build_decl(b->arena, b->point[axis], ir_build_cast(b->arena, unsigned_type(b), at)));
  }
  ir_list_add(b->arena, &out, body);
  struct ir_stmt *all = ir_build_block(b->arena, &out);
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    if (!b->round[axis])
      continue;
    all = ir_build_for(b->arena, b->round[axis], number(b, 0), number(b, points_along(b, axis)), 1, all);
    all->pragma = "#pragma unroll";
  }
  return all;
}

/* An element of a slot's tile, at a distance from the point. */
static struct ir_expr *tile_element(struct building *b, unsigned slot, const int64_t offset[TEMPORAL_AXES])
{
  struct ir_expr *element = use(b, b->tiles[slot]);

  for (unsigned axis = b->t->axes; axis-- > 0;)
    element = ir_build_index(b->arena, element, plus(b, use(b, b->local[axis]), b->t->low[axis] + (offset ? offset[axis] : 0)));
  return element;
}

/* ---- an array's element of the point ---- */

static struct ir_expr *coordinate(struct building *b, unsigned d)
{
  struct ir_expr *signed_point = ir_build_cast(b->arena, ir_int_type(), use(b, b->point[b->t->axis_of[d]]));
  return plus(b, signed_point, b->t->first[d]);
}

static struct ir_expr *extent(struct building *b, unsigned slot, unsigned d)
{
  const struct temporal_slot *s = &b->t->slots[slot];
  return s->extent[d] > 0 ? number(b, s->extent[d]) : s->length[d];
}

/* The number of the element, from where the parameter points, in long long. */
static struct ir_expr *flat_number(struct building *b, unsigned slot)
{
  struct ir_expr *flat = ir_build_cast(b->arena, long_type(b), coordinate(b, 0));

  for (unsigned d = 1; d < b->t->axes; d++)
    flat = join(b, IR_OP_ADD, join(b, IR_OP_MUL, flat, extent(b, slot, d)), coordinate(b, d));
  return flat;
}

/* Is there such an element? */
static struct ir_expr *exists(struct building *b, unsigned slot)
{
  struct ir_expr *condition = NULL;

  for (unsigned d = 1; d < b->t->axes; d++) {
    condition = both(b, condition, join(b, IR_OP_GE, coordinate(b, d), number(b, 0)));
    condition = both(b, condition, join(b, IR_OP_LT, coordinate(b, d), extent(b, slot, d)));
  }
  condition = both(b, condition, join(b, IR_OP_GE, flat_number(b, slot), listed(b, "first", long_type(b), slot)));
  return both(b, condition, join(b, IR_OP_LT, flat_number(b, slot), listed(b, "end", long_type(b), slot)));
}

static struct ir_expr *memory_element(struct building *b, unsigned slot)
{
  const struct temporal_slot *s = &b->t->slots[slot];
  struct ir_expr *element = use(b, b->code->kernel->params[s->param]);

  if (s->is_flat || b->t->axes == 1)
    return ir_build_index(b->arena, element, flat_number(b, slot));
  for (unsigned d = 0; d < b->t->axes; d++)
    element = ir_build_index(b->arena, element, coordinate(b, d));
  return element;
}

/* Fills the tile where `condition` holds (NULL: everywhere) and the array has an element. */
static struct ir_stmt *load(struct building *b, unsigned slot, struct ir_expr *condition)
{
  struct ir_stmt *copy = assign(b, tile_element(b, slot, NULL), memory_element(b, slot));
  return ir_build_if(b->arena, both(b, condition, exists(b, slot)), copy);
}

/* ---- the code of a point ---- */

static struct ir_expr *rewrite_index(struct building *b, struct ir_expr *expr)
{
  if (expr->value == IR_THREAD_IDX + 2)
    return ir_build_cast(b->arena, expr->type, number(b, 0));
  if (expr->value == IR_GRID_DIM + 2)
    return ir_build_cast(b->arena, expr->type, listed(b, "total", ir_int_type(), 2));
  return expr->value >= IR_BLOCK_IDX && expr->value < IR_BLOCK_DIM ? use(b, b->point[expr->value - IR_BLOCK_IDX]) : expr;
}

static struct ir_expr *rewrite_var(struct building *b, struct ir_expr *expr)
{
  for (unsigned axis = 0; axis < 2; axis++)
    if (b->t->totals[axis] == expr->var && expr->var)
      return listed(b, "total", ir_int_type(), axis);
  for (unsigned i = 0; i < b->t->value_count; i++) {
    if (expr->var != b->code->kernel->params[b->t->values[i]])
      continue;
    const struct ir_type *type = ir_plain_type(b->arena, expr->var->type);
    struct ir_expr *call = ir_build_call(b->arena, arena_format(b->arena, "mesi_step_value<%s>", type->spelling), IR_EFFECT_NONE);
    call->type = type;
    ir_add_argument(b->arena, call, use(b, b->lists[i]));
    ir_add_argument(b->arena, call, SEEDED(STEPS_FIRST_VALUE) ? number(b, 0) : b->number);
    return call;
  }
  return NULL;
}

static const struct temporal_access *access_of(const struct building *b, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < b->t->access_count; i++)
    if (b->t->accesses[i].expr == expr)
      return &b->t->accesses[i];
  return NULL;
}

static struct ir_expr *rewrite(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  const struct temporal_access *access = access_of(b, expr);

  if (access && !(access->write && b->role == TO_MEMORY)) {
    bool swapped = b->odd && (access->write || !SEEDED(STEPS_NOT_SWAPPED));
    unsigned slot = swapped ? b->t->slots[access->slot].partner : access->slot;
    return access->write && b->role == TO_REGISTERS ? of_point(b, b->results[slot]) : tile_element(b, slot, access->offset);
  }
  if (expr->kind == IR_EXPR_BUILTIN)
    return rewrite_index(b, expr);
  return expr->kind == IR_EXPR_VAR ? rewrite_var(b, expr) : NULL;
}

/* Without locals that nothing uses any more. */
static struct ir_stmt *without_unused(struct building *b, struct ir_stmt *stmt, struct ir_stmt *all, bool *changed)
{
  bool is_list = stmt && (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS);
  struct ir_list out = { 0 };

  if (!is_list)
    return stmt;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = stmt->children[i];
    bool unused = child->kind == IR_STMT_DECL && !ir_count_var(all, child->var) && !(child->expr && ir_has_effects(child->expr));
    *changed |= unused;
    if (!unused)
      ir_list_add(b->arena, &out, without_unused(b, child, all, changed));
  }
  struct ir_stmt *copy = ARENA_NEW(b->arena, struct ir_stmt);
  *copy = *stmt;
  copy->children = out.items.items;
  copy->child_count = out.items.count;
  return stmt->kind == IR_STMT_DECLS && !copy->child_count ? NULL : copy;
}

static struct ir_stmt *code_of(struct building *b, struct ir_stmt *body, enum role role, bool odd, struct ir_expr *step)
{
  struct ir_rewriter rewriter = { b->arena, rewrite, b };
  bool changed = true;

  b->role = role;
  b->odd = odd;
  b->number = step;
  struct ir_stmt *code = ir_rewrite_stmt(&rewriter, body);
  while (changed) {
    changed = false;
    code = without_unused(b, code, code, &changed);
  }
  return code;
}

/* A condition of the plan for the point. */
static struct ir_expr *asked(struct building *b, struct ir_expr *condition)
{
  struct ir_rewriter rewriter = { b->arena, rewrite, b };
  return condition ? ir_rewrite_expr(&rewriter, condition) : NULL;
}

/* ---- the steps ---- */

/* New elements of the arrays that an even step writes, an odd one. */
static struct ir_stmt *stored(struct building *b, bool odd)
{
  struct ir_list out = { 0 };

  for (unsigned i = 0; i < b->t->slot_count; i++)
    if (b->t->slots[i].written != odd)
      ir_list_add(b->arena, &out, assign(b, tile_element(b, i, NULL), of_point(b, b->results[i])));
  return ir_build_body(b->arena, &out);
}

static void blind_step(struct building *b, struct ir_expr *step, bool odd, struct ir_list *out)
{
  for (unsigned i = 0; i < b->t->slot_count; i++)
    if (b->t->slots[i].written != odd)
      ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
  ir_list_add(b->arena, out, each_point(b, code_of(b, b->t->whole.body, TO_REGISTERS, odd, step)));
  ir_list_add(b->arena, out, each_point(b, stored(b, odd)));
}

static void careful_step(struct building *b, struct ir_expr *step, bool odd, struct ir_list *out)
{
  struct ir_expr *right = join(b, SEEDED(STEPS_MARGIN_SHORT) ? IR_OP_LE : IR_OP_LT, step, of_point(b, b->live));
  struct ir_stmt *body = code_of(b, b->code->facts.kernel->body, TO_TILE, odd, step);
  ir_list_add(b->arena, out, each_point(b, ir_build_if(b->arena, right, body)));
}

static void last_step(struct building *b, struct ir_stmt *body, struct ir_list *out)
{
  struct ir_expr *own = join(b, IR_OP_GE, of_point(b, b->live), depth(b));
  struct ir_stmt *code = code_of(b, body, TO_MEMORY, false, plus(b, depth(b), -1));
  ir_list_add(b->arena, out, each_point(b, ir_build_if(b->arena, own, code)));
}

static struct ir_stmt *all_steps(struct building *b, bool blind)
{
  struct ir_list two = { 0 }, out = { 0 };

  for (unsigned odd = 0; odd < 2; odd++) {
    struct ir_list one = { 0 };
    (blind ? blind_step : careful_step)(b, plus(b, use(b, b->step), odd), odd, &one);
    ir_list_add(b->arena, &two, blind ? ir_build_block(b->arena, &one) : ir_build_body(b->arena, &one));
    if (!SEEDED(STEPS_BARRIER))
      ir_list_add(b->arena, &two, barrier(b));
  }
  struct ir_stmt *loop = ir_build_for(b->arena, b->step, number(b, 0), plus(b, depth(b), -1), 2, ir_build_block(b->arena, &two));
  loop->pragma = "#pragma unroll 1";
  ir_list_add(b->arena, &out, loop);
  last_step(b, blind ? b->t->whole.body : b->code->facts.kernel->body, &out);
  return ir_build_block(b->arena, &out);
}

/* ---- the head ---- */

static struct ir_expr *in_launch(struct building *b)
{
  struct ir_expr *condition = NULL;

  for (unsigned axis = 0; axis < b->t->axes; axis++) {
    struct ir_expr *total = ir_build_cast(b->arena, unsigned_type(b), listed(b, "total", ir_int_type(), axis));
    condition = both(b, condition, join(b, IR_OP_LT, use(b, b->point[axis]), total));
  }
  return condition;
}

/* if (value < *least) *least = value; */
static void take_less(struct building *b, struct ir_var *least, struct ir_expr *value, struct ir_list *out)
{
  ir_list_add(b->arena, out, ir_build_if(b->arena, join(b, IR_OP_LT, value, use(b, least)), assign(b, use(b, least), value)));
}

/* The steps for which the point has all that it needs in the tile. */
static void find_live(struct building *b, struct ir_var *least, struct ir_list *out)
{
  const struct temporal *t = b->t;

  ir_list_add(b->arena, out, ir_build_decl(b->arena, least, depth(b)));
  for (unsigned axis = 0; axis < t->axes; axis++) {
    struct ir_expr *below = use(b, b->local[axis]), *above = join(b, IR_OP_SUB, number(b, b->shape->tile[axis] - 1), use(b, b->local[axis]));
    if (t->low[axis])
      take_less(b, least, t->low[axis] > 1 ? join(b, IR_OP_DIV, below, number(b, t->low[axis])) : below, out);
    if (t->high[axis])
      take_less(b, least, t->high[axis] > 1 ? join(b, IR_OP_DIV, above, number(b, t->high[axis])) : above, out);
  }
}

static void declare(struct building *b, struct ir_list *out)
{
  const struct temporal *t = b->t;

  for (unsigned i = 0; i < t->slot_count; i++) {
    const struct ir_type *type = ir_plain_type(b->arena, t->slots[i].array->element);
    b->results[i] = local(b, arena_format(b->arena, "_r_%s", t->slots[i].array->var->name), ir_build_array_type(b->arena, type, points(b)));
    for (unsigned axis = 0; axis < t->axes; axis++)
      type = ir_build_array_type(b->arena, type, b->shape->tile[axis] + t->low[axis] + t->high[axis]);
    b->tiles[i] = local(b, arena_format(b->arena, "_s_%s", t->slots[i].array->var->name), type);
    b->tiles[i]->kind = IR_VAR_SHARED;
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->tiles[i], NULL));
  }
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    const char *name = axis_names[axis];
    b->local[axis] = local(b, arena_format(b->arena, "_l%s", name), ir_int_type());
    b->point[axis] = local(b, arena_format(b->arena, "_%s", name), unsigned_type(b));
    b->round[axis] = points_along(b, axis) > 1 ? local(b, arena_format(b->arena, "_i%s", name), ir_int_type()) : NULL;
    if (axis >= t->axes)
      continue;
    int64_t lost = t->low[axis] + t->high[axis];
    struct ir_expr *own = number(b, b->shape->tile[axis]);
    if (lost)
      own = join(b, IR_OP_SUB, own, join(b, IR_OP_MUL, depth(b), number(b, lost)));
    struct ir_expr *first = join(b, IR_OP_MUL, int_builtin(b, IR_BLOCK_IDX + axis), own);
    if (t->low[axis])
      first = join(b, IR_OP_SUB, first, join(b, IR_OP_MUL, depth(b), number(b, t->low[axis])));
    b->origin[axis] = local(b, arena_format(b->arena, "_%s0", name), ir_int_type());
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->origin[axis], first));
  }
}

/* Which points are right for how many steps, and the tiles of the arrays that the first launch reads. */
static void begin(struct building *b, bool blind, struct ir_list *out)
{
  struct ir_var *least = local(b, "_d", ir_int_type()), *inside = local(b, "_in", ir_bool_type());
  struct ir_list body = { 0 };

  b->live = local(b, "_live", ir_build_array_type(b->arena, ir_int_type(), points(b)));
  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->live, NULL));
  if (blind) {
    b->inner = local(b, "_inner", ir_bool_type());
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->inner, number(b, 1)));
  }
  ir_list_add(b->arena, &body, ir_build_decl(b->arena, inside, in_launch(b)));
  find_live(b, least, &body);
  ir_list_add(b->arena, &body, assign(b, of_point(b, b->live), ir_build_cond(b->arena, use(b, inside), use(b, least), number(b, 0))));
  if (blind)
    ir_list_add(b->arena, &body, assign(b, use(b, b->inner), both(b, both(b, use(b, b->inner), use(b, inside)), asked(b, b->t->whole.condition))));
  for (unsigned i = 0; i < b->t->slot_count; i++)
    if (!b->t->slots[i].written)
      ir_list_add(b->arena, &body, load(b, i, NULL));
  ir_list_add(b->arena, out, each_point(b, ir_build_block(b->arena, &body)));
}

/* What nobody writes of the arrays that the first launch writes. */
static struct ir_stmt *load_unwritten(struct building *b)
{
  struct ir_list body = { 0 };

  for (unsigned i = 0; i < b->t->slot_count; i++) {
    struct ir_expr *written = both(b, in_launch(b), asked(b, b->t->written));
    if (b->t->slots[i].written && !SEEDED(STEPS_UNWRITTEN_LOST))
      ir_list_add(b->arena, &body, load(b, i, ir_build_unary(b->arena, IR_OP_NOT, written)));
  }
  return each_point(b, ir_build_block(b->arena, &body));
}

static struct ir_stmt *build_body(struct building *b, bool blind)
{
  struct ir_list out = { 0 }, careful = { 0 };

  declare(b, &out);
  begin(b, blind, &out);
  b->step = local(b, "_t", ir_int_type());
  ir_list_add(b->arena, &careful, load_unwritten(b));
  ir_list_add(b->arena, &careful, barrier(b));
  ir_list_add(b->arena, &careful, all_steps(b, false));
  struct ir_stmt *rest = ir_build_block(b->arena, &careful);
  if (blind) {
    struct ir_expr *all = ir_build_call(b->arena, "__syncthreads_and", IR_EFFECT_BARRIER);
    all->type = ir_int_type();
    ir_add_argument(b->arena, all, use(b, b->inner));
    struct ir_stmt *choice = ir_build_if(b->arena, all, all_steps(b, true));
    choice->else_body = rest;
    rest = choice;
  }
  ir_list_add(b->arena, &out, rest);
  return ir_build_block(b->arena, &out);
}

/* ---- */

static const struct ir_type *record_type(struct building *b, const char *name)
{
  struct ir_type *type = ARENA_NEW(b->arena, struct ir_type);
  *type = (struct ir_type){ .kind = IR_TYPE_RECORD, .spelling = arena_format(b->arena, "const %s", name), .size = 8, .align = 8, .is_const = true, .extent = -1, .keyword = "struct", .is_trivial = true };
  return type;
}

static void add_params(struct building *b, struct kernel_steps *out)
{
  const struct temporal *t = b->t;

  b->run = ir_add_param(b->arena, b->code->facts.kernel, unit_local_name(b->code->unit, "_steps"), record_type(b, "mesi_steps_run"));
  out->run = b->run;
  out->value_count = t->value_count;
  out->values = arena_alloc(b->arena, (t->value_count + 1) * sizeof *out->values);
  for (unsigned i = 0; i < t->value_count; i++) {
    const char *name = arena_format(b->arena, "_v_%s", b->code->kernel->params[t->values[i]]->name);
    b->lists[i] = ir_add_param(b->arena, b->code->facts.kernel, unit_local_name(b->code->unit, name), record_type(b, "mesi_steps_values"));
    out->values[i] = (struct steps_value){ t->values[i], b->lists[i] };
  }
}

static void describe(struct building *b, struct kernel_steps *out)
{
  const struct temporal *t = b->t;

  out->kernel = b->code->kernel;
  out->depth = (unsigned)b->shape->depth;
  out->axes = t->axes;
  out->gain = b->shape->gain;
  out->bytes = (uint64_t)temporal_bytes(t, b->shape);
  out->slot_count = t->slot_count;
  out->slots = arena_alloc(b->arena, (t->slot_count + 1) * sizeof *out->slots);
  for (unsigned i = 0; i < t->slot_count; i++)
    out->slots[i] = (struct steps_slot){ t->slots[i].param, t->slots[i].partner, (uint64_t)t->slots[i].array->element->size };
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    out->tile[axis] = b->shape->tile[axis];
    out->threads[axis] = b->shape->threads[axis];
    out->lost[axis] = t->low[axis] + t->high[axis];
  }
}

struct kernel_steps *temporal_build(struct temporal *t, const struct temporal_shape *shape, bool checked)
{
  struct building b = { .t = t, .shape = shape, .code = &t->code, .arena = t->code.arena };
  struct kernel_steps *out = ARENA_NEW(b.arena, struct kernel_steps);

  describe(&b, out);
  code_drop_scan(&t->code);
  add_params(&b, out);
  struct ir_stmt *body = build_body(&b, t->blind && !checked);
  out->code = t->code.facts.kernel;
  out->code->body = body;
  ir_own_body(b.arena, out->code);
  return out;
}

const char *temporal_text(struct arena *arena, const struct kernel_steps *steps)
{
  const char *tile = arena_format(arena, "%lld", (long long)steps->tile[0]);

  for (unsigned axis = 1; axis < steps->axes; axis++)
    tile = arena_format(arena, "%s x %lld", tile, (long long)steps->tile[axis]);
  return arena_format(arena, "up to %u launches of '%s' become one, on tiles of %s elements in %llu bytes; predicted gain %.1f", steps->depth,
                      steps->kernel->name, tile, (unsigned long long)steps->bytes, steps->gain);
}
