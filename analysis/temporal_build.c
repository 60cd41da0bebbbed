/* temporal_build.c - the kernel that does several launches in one.
 *
 *     v[i] = u[i - 1] + u[i + 1], for 0 < i < n - 1
 *  =>
 *     __shared__ float _s_u[1026], _s_v[1026];
 *     int _x0 = (int)blockIdx.x * (1024 - _steps.margin * 2) - _steps.margin;       the first point of the tile
 *     bool _inner = _x0 >= 0 && _x0 + 1024 <= total && ...;                         all points pass all conditions: the corners do
 *     if (_inner) {
 *       for each point: _r_u[..] = u[_x];  for each point: _s_u[_lx + 1] = _r_u[..];  __syncthreads();
 *       for (int _t = 0; _t + 1 < _steps.depth; _t += 2) {
 *         for each point: _r_v[..] = _s_u[_lx] + _s_u[_lx + 2];                     whatever the elements at the rim of the tile are
 *         for each point: _s_v[_lx + 1] = _r_v[..];
 *         __syncthreads();
 *         ...the same from _s_v to _s_u...
 *       }
 *       for each point: _r_v[..] = ...;  for each point: if (it is the block's own) v[_x] = _r_v[..];
 *     } else {
 *       for each point: _live[..] = min(_lx, 1023 - _lx), -1 outside of the launch; _s_u[_lx + 1] = u[_x] where there is such an element
 *       for each point: where nobody writes v[_x], _s_v[_lx + 1] = v[_x];
 *       ...the same with the code as it was, for points with _t < _live[..]...
 *     }
 *
 * With two kernels that take turns, the second one's code stands in the place of the second step; its parameters follow those of the first, and the
 * elements that one of them only copies need no margin.
 *
 * A thread has points that stand apart along x, and neighbours along y and z, which share what they read. Where the
 * code of whole points is not blind (temporal.h), or the kernel is checked, all blocks take the second way. Requires: struct temporal. Produces IR.
 */
#include "analysis/temporal.h"

#include <string.h>

#include "runtime/seeded.h"

enum role { TO_REGISTERS, TO_TILE, TO_MEMORY };
enum corner { NO_CORNER = -1 };

struct building {
  const struct temporal_period *period;
  struct temporal *t;          /* the kernel of the step that is being made */
  const struct temporal_shape *shape;
  struct code *code;           /* of the first kernel, with all variables */
  struct arena *arena;
  struct ir_var *run;          /* the parameter with depth, sizes and bounds */
  struct ir_var *lists[2][TEMPORAL_SLOTS]; /* by kernel and value: its parameter */
  struct ir_var **others;      /* by parameter of the second kernel: the parameter in its place; NULL: there is one kernel */
  unsigned tile_count;
  struct ir_var *tiles[TEMPORAL_SLOTS]; /* shared memory */
  struct ir_var *results[TEMPORAL_SLOTS]; /* by tile: a thread's new elements */
  struct ir_var *origin[TEMPORAL_AXES], *local[TEMPORAL_AXES], *point[TEMPORAL_AXES]; /* _x0, _lx, _x */
  struct ir_var *round[TEMPORAL_AXES]; /* counts a thread's points along the axis; NULL: there is one */
  struct ir_var *live, *step;
  struct ir_var *row, *element; /* count what is exchanged with other threads */
  /* of the body that is being rewritten */
  enum role role;
  bool odd;                    /* it is the second step */
  struct ir_expr *number;      /* of the step */
  int corner;                  /* of the tile, in the place of the point: bit of an axis: its end; NO_CORNER: none */
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

static struct ir_expr *margin(struct building *b)
{
  return ir_build_member(b->arena, use(b, b->run), "margin", ir_int_type());
}

static const struct temporal *first_kernel(const struct building *b)
{
  return b->period->kernels[0];
}

/* The array of a tile, as the first kernel names it. */
static const struct temporal_slot *slot_of_tile(const struct building *b, unsigned tile)
{
  const struct temporal *t = first_kernel(b);
  unsigned i = 0;

  while (t->slots[i].tile[0] != tile)
    i++;
  return &t->slots[i];
}

/* _steps.total[axis] and so on. */
static struct ir_expr *listed(struct building *b, const char *member, const struct ir_type *type, unsigned index)
{
  const struct ir_type *array = ir_build_array_type(b->arena, type, TEMPORAL_SLOTS);
  return ir_build_index(b->arena, ir_build_member(b->arena, use(b, b->run), member, array), number(b, index));
}

/* Does each warp have a tile of its own? */
static bool is_line(const struct building *b)
{
  return b->shape->warps && first_kernel(b)->axes == 1;
}

static int64_t points_along(const struct building *b, unsigned axis)
{
  return is_line(b) && axis ? 1 : b->shape->tile[axis] / b->shape->threads[axis];
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

/* An element of a tile that the thread holds in registers, with those around its own; at a distance from the point. */
static struct ir_expr *held_element(struct building *b, unsigned tile, const int64_t offset[TEMPORAL_AXES])
{
  struct ir_expr *element = use(b, b->results[tile]);

  for (unsigned axis = first_kernel(b)->axes; axis-- > 0;) {
    int64_t at = b->period->low[axis] + (offset ? offset[axis] : 0);
    element = ir_build_index(b->arena, element, b->round[axis] ? plus(b, use(b, b->round[axis]), at) : number(b, at));
  }
  return element;
}

/* The thread's new element of a tile. */
static struct ir_expr *result(struct building *b, unsigned tile)
{
  return b->shape->warps ? held_element(b, tile, NULL) : of_point(b, b->results[tile]);
}

/* Its place in the tile along an axis. */
static struct ir_expr *place_in_tile(struct building *b, unsigned axis)
{
  struct ir_expr *thread = int_builtin(b, IR_THREAD_IDX + axis), *round = b->round[axis] ? use(b, b->round[axis]) : NULL;

  if (!round)
    return thread;
  if (axis == 0 && !b->shape->warps)
    return join(b, IR_OP_ADD, join(b, IR_OP_MUL, round, number(b, b->shape->threads[axis])), thread);
  return join(b, IR_OP_ADD, join(b, IR_OP_MUL, thread, number(b, points_along(b, axis))), round);
}

/* for each point: const int _lx = ...; const unsigned _x = _x0 + _lx; body */
static struct ir_stmt *each_point(struct building *b, struct ir_stmt *body)
{
  struct ir_list out = { 0 };

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    bool used = axis < first_kernel(b)->axes;
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

/* The point's element of a tile. */
static struct ir_expr *tile_element(struct building *b, unsigned tile)
{
  struct ir_expr *element = b->shape->warps ? NULL : use(b, b->tiles[tile]);

  for (unsigned axis = first_kernel(b)->axes; element && axis-- > 0;)
    element = ir_build_index(b->arena, element, plus(b, use(b, b->local[axis]), b->period->low[axis]));
  return element ? element : result(b, tile);
}

/* ---- an array's element of the point ---- */

static struct ir_expr *coordinate(struct building *b, unsigned d)
{
  struct ir_expr *signed_point = ir_build_cast(b->arena, ir_int_type(), use(b, b->point[first_kernel(b)->axis_of[d]]));
  return plus(b, signed_point, first_kernel(b)->first[d]);
}

static struct ir_expr *extent(struct building *b, const struct temporal_slot *slot, unsigned d)
{
  return slot->extent[d] > 0 ? number(b, slot->extent[d]) : slot->length[d];
}

/* The number of the element, from where the array's name points, in long long. */
static struct ir_expr *flat_number(struct building *b, const struct temporal_slot *slot)
{
  struct ir_expr *flat = ir_build_cast(b->arena, long_type(b), coordinate(b, 0));

  for (unsigned d = 1; d < first_kernel(b)->axes; d++)
    flat = join(b, IR_OP_ADD, join(b, IR_OP_MUL, flat, extent(b, slot, d)), coordinate(b, d));
  return flat;
}

/* Is there such an element? */
static struct ir_expr *exists(struct building *b, unsigned tile)
{
  const struct temporal_slot *slot = slot_of_tile(b, tile);
  struct ir_expr *condition = NULL;

  for (unsigned d = 1; d < first_kernel(b)->axes; d++) {
    condition = both(b, condition, join(b, IR_OP_GE, coordinate(b, d), number(b, 0)));
    condition = both(b, condition, join(b, IR_OP_LT, coordinate(b, d), extent(b, slot, d)));
  }
  condition = both(b, condition, join(b, IR_OP_GE, flat_number(b, slot), listed(b, "first", long_type(b), tile)));
  return both(b, condition, join(b, IR_OP_LT, flat_number(b, slot), listed(b, "end", long_type(b), tile)));
}

static struct ir_expr *memory_element(struct building *b, unsigned tile)
{
  const struct temporal_slot *slot = slot_of_tile(b, tile);
  struct ir_expr *element = use(b, slot->var);

  if (slot->is_flat || first_kernel(b)->axes == 1)
    return ir_build_index(b->arena, element, flat_number(b, slot));
  for (unsigned d = 0; d < first_kernel(b)->axes; d++)
    element = ir_build_index(b->arena, element, coordinate(b, d));
  return element;
}

/* Fills the tile where `condition` holds (NULL: everywhere) and the array has an element. */
static struct ir_stmt *load(struct building *b, unsigned tile, struct ir_expr *condition)
{
  struct ir_stmt *copy = assign(b, tile_element(b, tile), memory_element(b, tile));
  return ir_build_if(b->arena, both(b, condition, exists(b, tile)), copy);
}

/* ---- the code of a point ---- */

static struct ir_expr *rewrite_index(struct building *b, struct ir_expr *expr)
{
  if (expr->value == IR_THREAD_IDX + 2)
    return ir_build_cast(b->arena, expr->type, number(b, 0));
  if (expr->value == IR_GRID_DIM + 2)
    return ir_build_cast(b->arena, expr->type, listed(b, "total", ir_int_type(), 2));
  if (expr->value < IR_BLOCK_IDX || expr->value >= IR_BLOCK_DIM)
    return expr;
  unsigned axis = (unsigned)(expr->value - IR_BLOCK_IDX);
  if (b->corner == NO_CORNER || axis >= first_kernel(b)->axes)
    return use(b, b->point[axis]);
  return ir_build_cast(b->arena, unsigned_type(b), plus(b, use(b, b->origin[axis]), b->corner >> axis & 1 ? b->shape->tile[axis] - 1 : 0));
}

static struct ir_expr *value_of(struct building *b, unsigned value, const struct ir_var *param)
{
  const struct ir_type *type = ir_plain_type(b->arena, param->type);
  struct ir_expr *call = ir_build_call(b->arena, arena_format(b->arena, "mesi_step_value<%s>", type->spelling), IR_EFFECT_NONE);

  call->type = type;
  ir_add_argument(b->arena, call, use(b, b->lists[b->t != first_kernel(b)][value]));
  ir_add_argument(b->arena, call, SEEDED(STEPS_FIRST_VALUE) ? number(b, 0) : b->number);
  return call;
}

static struct ir_expr *rewrite_var(struct building *b, struct ir_expr *expr)
{
  for (unsigned axis = 0; axis < 2; axis++)
    if (b->t->totals[axis] == expr->var && expr->var)
      return listed(b, "total", ir_int_type(), axis);
  for (unsigned i = 0; i < b->t->value_count; i++)
    if (expr->var == b->t->code.kernel->params[b->t->values[i]])
      return value_of(b, i, expr->var);
  for (unsigned i = 0; b->t != first_kernel(b) && i < b->t->code.kernel->param_count; i++)
    if (expr->var == b->t->code.kernel->params[i] && b->others[i])
      return use(b, b->others[i]);
  return NULL;
}

/* The dimension of the arrays that an axis is. */
static unsigned dimension_of(const struct building *b, unsigned axis)
{
  unsigned d = 0;

  while (first_kernel(b)->axis_of[d] != axis)
    d++;
  return d;
}

/* What an access reads or writes, in a tile. */
static struct ir_expr *accessed(struct ir_rewriter *r, unsigned tile, const struct temporal_access *access)
{
  struct building *b = r->context;
  if (b->shape->warps)
    return held_element(b, tile, access->offset);
  struct ir_expr *element = use(b, b->tiles[tile]);

  for (unsigned axis = first_kernel(b)->axes; axis-- > 0;) {
    struct ir_expr *place = plus(b, use(b, b->local[axis]), b->period->low[axis] + access->offset[axis]);
    if (access->index[axis]) {
      struct ir_expr *index = ir_build_cast(b->arena, ir_int_type(), ir_rewrite_expr(r, access->index[axis]));
      place = plus(b, join(b, IR_OP_SUB, index, use(b, b->origin[axis])), b->period->low[axis] - first_kernel(b)->first[dimension_of(b, axis)]);
    }
    element = ir_build_index(b->arena, element, place);
  }
  return element;
}

static struct ir_expr *rewrite(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  const struct temporal_access *access = temporal_access_of(b->t, expr);

  if (access && !(access->write && b->role == TO_MEMORY)) {
    bool second = b->odd && (access->write || !SEEDED(STEPS_NOT_SWAPPED));
    unsigned tile = b->t->slots[access->slot].tile[second];
    return access->write && b->role == TO_REGISTERS ? result(b, tile) : accessed(r, tile, access);
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

/* The code of the first or the second kernel; of points that pass all conditions where `whole`. */
static struct ir_stmt *code_of(struct building *b, bool odd, bool whole, enum role role, struct ir_expr *step)
{
  struct ir_rewriter rewriter = { b->arena, rewrite, b };
  bool changed = true;

  b->t = b->period->kernels[odd];
  b->role = role;
  b->odd = odd;
  b->number = step;
  struct ir_stmt *code = ir_rewrite_stmt(&rewriter, whole ? b->t->whole.body : b->t->code.facts.kernel->body);
  while (changed) {
    changed = false;
    code = without_unused(b, code, code, &changed);
  }
  return code;
}

/* A condition of the plan for the point. */
static struct ir_expr *asked(struct building *b, bool odd, struct ir_expr *condition)
{
  struct ir_rewriter rewriter = { b->arena, rewrite, b };

  b->t = b->period->kernels[odd];
  return condition ? ir_rewrite_expr(&rewriter, condition) : NULL;
}

/* ---- elements of other threads ---- */

/* 0xffffffff, of a type that prints like that. */
static struct ir_expr *all_lanes(struct building *b)
{
  struct ir_expr *lanes = number(b, INT64_C(0xffffffff));

  lanes->text = "0xffffffffu";
  lanes->type = unsigned_type(b);
  return lanes;
}

/* for (int name = 0; name < count; name++) body, unrolled */
static struct ir_stmt *counted(struct building *b, struct ir_var *var, int64_t count, struct ir_stmt *body)
{
  struct ir_stmt *loop = ir_build_for(b->arena, var, number(b, 0), number(b, count), 1, body);
  loop->pragma = "#pragma unroll";
  return loop;
}

/* _r[row][at] */
static struct ir_expr *held_at(struct building *b, unsigned tile, struct ir_expr *row, struct ir_expr *at)
{
  struct ir_expr *element = use(b, b->results[tile]);
  return ir_build_index(b->arena, row ? ir_build_index(b->arena, element, row) : element, at);
}

/* _r[row][to] = __shfl_..._sync(0xffffffff, _r[row][from], 1) */
static struct ir_stmt *shuffled(struct building *b, unsigned tile, const char *name, struct ir_expr *row, struct ir_expr *to, struct ir_expr *from)
{
  struct ir_expr *call = ir_build_call(b->arena, name, IR_EFFECT_WARP);

  ir_add_argument(b->arena, call, all_lanes(b));
  ir_add_argument(b->arena, call, held_at(b, tile, row, from));
  ir_add_argument(b->arena, call, number(b, 1));
  call->type = ir_plain_type(b->arena, slot_of_tile(b, tile)->array->element);
  return assign(b, held_at(b, tile, row, to), call);
}

/* The elements beside a lane's own are its neighbours': of the thread's rows, and of those around them where an access goes both ways. */
static void exchange_columns(struct building *b, const struct temporal *t, unsigned tile, struct ir_list *out)
{
  const struct temporal_period *p = b->period;
  int64_t own = points_along(b, 0), around = 0;
  bool plane = first_kernel(b)->axes > 1;

  for (unsigned i = 0; i < t->access_count; i++)
    around |= plane && t->accesses[i].offset[0] && t->accesses[i].offset[1];
  struct ir_var *row = b->row, *at = b->element;
  struct ir_list both_ways = { 0 };
  int64_t first_row = plane && !around ? p->low[1] : 0, rows = plane ? points_along(b, 1) + (around ? p->low[1] + p->high[1] : 0) : 1;
#define ROW (plane ? plus(b, use(b, row), first_row) : NULL)
  if (t->low[0]) {
    int64_t skip = p->low[0] - t->low[0];
    struct ir_stmt *up = shuffled(b, tile, "__shfl_up_sync", ROW, plus(b, use(b, at), skip), plus(b, use(b, at), skip + own));
    ir_list_add(b->arena, &both_ways, counted(b, at, t->low[0], up));
  }
  if (t->high[0]) {
    struct ir_stmt *down = shuffled(b, tile, "__shfl_down_sync", ROW, plus(b, use(b, at), p->low[0] + own), plus(b, use(b, at), p->low[0]));
    ir_list_add(b->arena, &both_ways, counted(b, at, t->high[0], down));
  }
#undef ROW
  if (both_ways.items.count)
    ir_list_add(b->arena, out, plane ? counted(b, row, rows, ir_build_block(b->arena, &both_ways)) : ir_build_block(b->arena, &both_ways));
}

/* for rows and elements of the thread: _s[warp][shown + _j][lane's] = _r[held + _j][..], or the other way round */
static struct ir_stmt *copy_rows(struct building *b, unsigned tile, int64_t count, struct ir_expr *warp, int64_t shown, int64_t held, bool show)
{
  struct ir_var *row = b->row, *at = b->element;
  int64_t own = points_along(b, 0);
  struct ir_expr *place = join(b, IR_OP_ADD, join(b, IR_OP_MUL, int_builtin(b, IR_THREAD_IDX), number(b, own)), use(b, at));
  struct ir_expr *shared = ir_build_index(b->arena, ir_build_index(b->arena, ir_build_index(b->arena, use(b, b->tiles[tile]), warp), plus(b, use(b, row), shown)), place);
  struct ir_expr *mine = held_at(b, tile, plus(b, use(b, row), held), plus(b, use(b, at), b->period->low[0]));

  return counted(b, row, count, counted(b, at, own, show ? assign(b, shared, mine) : assign(b, mine, shared)));
}

/* The rows around a warp's own are those of the warps beside it, shown in shared memory. */
static void exchange_rows(struct building *b, const struct temporal *t, unsigned tile, bool show, struct ir_list *out)
{
  const struct temporal_period *p = b->period;
  int64_t rows = points_along(b, 1), low = t->low[1], high = t->high[1];
  struct ir_expr *warp = int_builtin(b, IR_THREAD_IDX + 1);

  if (show && high)
    ir_list_add(b->arena, out, copy_rows(b, tile, high, warp, 0, p->low[1], true));
  if (show && low)
    ir_list_add(b->arena, out, copy_rows(b, tile, low, warp, p->high[1], p->low[1] + rows - low, true));
  if (!show && low) {
    struct ir_stmt *copy = copy_rows(b, tile, low, plus(b, warp, -1), p->high[1], p->low[1] - low, false);
    ir_list_add(b->arena, out, ir_build_if(b->arena, join(b, IR_OP_GT, warp, number(b, 0)), copy));
  }
  if (!show && high) {
    struct ir_stmt *copy = copy_rows(b, tile, high, plus(b, warp, 1), 0, p->low[1] + rows, false);
    ir_list_add(b->arena, out, ir_build_if(b->arena, join(b, IR_OP_LT, warp, number(b, b->shape->threads[1] - 1)), copy));
  }
}

static bool is_written(const struct building *b, unsigned tile, bool odd);

/* What the step reads of other threads' elements. Each array has shared memory of its own, so that a warp that is a step ahead shows its rows beside
 * those that others still look at; where only one of the kernels shows any, a barrier stands between. */
static void exchange(struct building *b, bool odd, struct ir_list *out)
{
  const struct temporal *t = b->period->kernels[odd];
  const struct temporal *other = b->period->kernels[!odd];
  bool rows = t->axes > 1 && (t->low[1] || t->high[1]);

  if (rows && !other->low[1] && !other->high[1])
    ir_list_add(b->arena, out, barrier(b));
  for (unsigned shown = 0; shown < 2 && rows; shown++) {
    for (unsigned i = 0; i < b->tile_count; i++)
      if (!is_written(b, i, odd))
        exchange_rows(b, t, i, !shown, out);
    if (!shown && !SEEDED(STEPS_BARRIER))
      ir_list_add(b->arena, out, barrier(b));
  }
  for (unsigned i = 0; i < b->tile_count; i++)
    if (!is_written(b, i, odd))
      exchange_columns(b, t, i, out);
}

/* ---- the steps ---- */

static bool is_written(const struct building *b, unsigned tile, bool odd)
{
  const struct temporal *t = b->period->kernels[odd];

  for (unsigned i = 0; i < t->slot_count; i++)
    if (t->slots[i].tile[odd] == tile)
      return t->slots[i].written;
  return false;
}

/* New elements of the arrays that the step writes. */
static struct ir_stmt *stored(struct building *b, bool odd)
{
  struct ir_list out = { 0 };

  for (unsigned i = 0; i < b->tile_count; i++)
    if (is_written(b, i, odd))
      ir_list_add(b->arena, &out, assign(b, tile_element(b, i), of_point(b, b->results[i])));
  return ir_build_body(b->arena, &out);
}

static struct ir_expr *step_number(struct building *b, bool odd)
{
  return plus(b, use(b, b->step), odd);
}

static void blind_step(struct building *b, bool odd, struct ir_list *out)
{
  if (b->shape->warps) {
    exchange(b, odd, out);
    ir_list_add(b->arena, out, each_point(b, code_of(b, odd, true, TO_REGISTERS, step_number(b, odd))));
    return;
  }
  for (unsigned i = 0; i < b->tile_count; i++)
    if (is_written(b, i, odd))
      ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
  ir_list_add(b->arena, out, each_point(b, code_of(b, odd, true, TO_REGISTERS, step_number(b, odd))));
  ir_list_add(b->arena, out, each_point(b, stored(b, odd)));
}

/* Has the point all that this step needs? The steps that move are counted, this one included. */
static struct ir_expr *is_right(struct building *b, bool odd)
{
  bool first = b->period->moves[0], second = b->period->moves[1];
  struct ir_expr *two = first && second ? use(b, b->step) : first || second ? join(b, IR_OP_DIV, use(b, b->step), number(b, 2)) : number(b, 0);
  int64_t more = first + (odd && second);

  if (more && !SEEDED(STEPS_MARGIN_SHORT))
    return join(b, IR_OP_LT, plus(b, two, more - 1), of_point(b, b->live));
  return join(b, IR_OP_LE, plus(b, two, more ? more - 1 : 0), of_point(b, b->live));
}

static void careful_step(struct building *b, bool odd, struct ir_list *out)
{
  struct ir_stmt *body = code_of(b, odd, false, TO_TILE, step_number(b, odd));
  if (b->shape->warps)
    exchange(b, odd, out);
  ir_list_add(b->arena, out, each_point(b, ir_build_if(b->arena, is_right(b, odd), body)));
}

/* Is the point one that no other block does? */
static struct ir_expr *is_own(struct building *b)
{
  const struct temporal_period *p = b->period;
  struct ir_expr *own = NULL;

  for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++) {
    struct ir_expr *below = p->low[axis] > 1 ? join(b, IR_OP_MUL, margin(b), number(b, p->low[axis])) : margin(b);
    struct ir_expr *above = p->high[axis] > 1 ? join(b, IR_OP_MUL, margin(b), number(b, p->high[axis])) : margin(b);
    if (p->low[axis])
      own = both(b, own, join(b, IR_OP_GE, use(b, b->local[axis]), below));
    if (p->high[axis])
      own = both(b, own, join(b, IR_OP_LT, use(b, b->local[axis]), join(b, IR_OP_SUB, number(b, b->shape->tile[axis]), above)));
  }
  return own ? own : number(b, 1);
}

/* All points compute, their own ones are stored. */
static void blind_last_step(struct building *b, struct ir_list *out)
{
  struct ir_list stores = { 0 };

  if (b->shape->warps)
    exchange(b, false, out);
  for (unsigned i = 0; i < b->tile_count; i++)
    if (is_written(b, i, false)) {
      if (!b->shape->warps)
        ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
      ir_list_add(b->arena, &stores, assign(b, memory_element(b, i), result(b, i)));
    }
  ir_list_add(b->arena, out, each_point(b, code_of(b, false, true, TO_REGISTERS, plus(b, depth(b), -1))));
  ir_list_add(b->arena, out, each_point(b, ir_build_if(b->arena, is_own(b), ir_build_body(b->arena, &stores))));
}

static void careful_last_step(struct building *b, struct ir_list *out)
{
  struct ir_expr *own = join(b, IR_OP_GE, of_point(b, b->live), margin(b));
  struct ir_stmt *code = code_of(b, false, false, TO_MEMORY, plus(b, depth(b), -1));
  if (b->shape->warps)
    exchange(b, false, out);
  ir_list_add(b->arena, out, each_point(b, ir_build_if(b->arena, own, code)));
}

static struct ir_stmt *all_steps(struct building *b, bool blind)
{
  struct ir_list two = { 0 }, out = { 0 };

  for (unsigned odd = 0; odd < 2; odd++) {
    struct ir_list one = { 0 };
    (blind ? blind_step : careful_step)(b, odd, &one);
    ir_list_add(b->arena, &two, ir_build_block(b->arena, &one));
    if (!b->shape->warps && !SEEDED(STEPS_BARRIER))
      ir_list_add(b->arena, &two, barrier(b));
  }
  struct ir_stmt *loop = ir_build_for(b->arena, b->step, number(b, 0), plus(b, depth(b), -1), 2, ir_build_block(b->arena, &two));
  loop->pragma = "#pragma unroll 1";
  ir_list_add(b->arena, &out, loop);
  (blind ? blind_last_step : careful_last_step)(b, &out);
  return ir_build_block(b->arena, &out);
}

/* ---- the head ---- */

static struct ir_expr *in_launch(struct building *b)
{
  struct ir_expr *condition = NULL;

  for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++) {
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

/* The steps that move for which the point has all that it needs in the tile. */
static void find_live(struct building *b, struct ir_var *least, struct ir_list *out)
{
  const struct temporal_period *t = b->period;

  ir_list_add(b->arena, out, ir_build_decl(b->arena, least, margin(b)));
  for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++) {
    struct ir_expr *below = use(b, b->local[axis]), *above = join(b, IR_OP_SUB, number(b, b->shape->tile[axis] - 1), use(b, b->local[axis]));
    if (t->low[axis])
      take_less(b, least, t->low[axis] > 1 ? join(b, IR_OP_DIV, below, number(b, t->low[axis])) : below, out);
    if (t->high[axis])
      take_less(b, least, t->high[axis] > 1 ? join(b, IR_OP_DIV, above, number(b, t->high[axis])) : above, out);
  }
}

/* The elements that a thread holds of each tile, and the rows that it shows to other warps. */
static void declare_held(struct building *b, struct ir_list *out)
{
  const struct temporal_period *p = b->period;
  int64_t rows = first_kernel(b)->axes > 1 ? p->low[1] + p->high[1] : 0;

  b->row = local(b, "_j", ir_int_type());
  b->element = local(b, "_e", ir_int_type());
  for (unsigned i = 0; i < b->tile_count; i++) {
    const struct temporal_slot *slot = slot_of_tile(b, i);
    const struct ir_type *element = ir_plain_type(b->arena, slot->array->element), *type = element;
    for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++)
      type = ir_build_array_type(b->arena, type, points_along(b, axis) + p->low[axis] + p->high[axis]);
    b->results[i] = local(b, arena_format(b->arena, "_r_%s", slot->var->name), type);
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
    if (!rows)
      continue;
    type = ir_build_array_type(b->arena, ir_build_array_type(b->arena, element, b->shape->tile[0]), rows);
    b->tiles[i] = local(b, arena_format(b->arena, "_s_%s", slot->var->name), ir_build_array_type(b->arena, type, b->shape->threads[1]));
    b->tiles[i]->kind = IR_VAR_SHARED;
    b->tiles[i]->alignment = 16;
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->tiles[i], NULL));
  }
}

static void declare_tiles(struct building *b, struct ir_list *out)
{
  const struct temporal_period *p = b->period;

  for (unsigned i = 0; i < b->tile_count; i++) {
    const struct temporal_slot *slot = slot_of_tile(b, i);
    const struct ir_type *type = ir_plain_type(b->arena, slot->array->element);
    b->results[i] = local(b, arena_format(b->arena, "_r_%s", slot->var->name), ir_build_array_type(b->arena, type, points(b)));
    for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++)
      type = ir_build_array_type(b->arena, type, b->shape->tile[axis] + p->low[axis] + p->high[axis]);
    b->tiles[i] = local(b, arena_format(b->arena, "_s_%s", slot->var->name), type);
    b->tiles[i]->kind = IR_VAR_SHARED;
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->tiles[i], NULL));
  }
}

static void declare(struct building *b, struct ir_list *out)
{
  const struct temporal_period *p = b->period;

  (b->shape->warps ? declare_held : declare_tiles)(b, out);
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    const char *name = axis_names[axis];
    b->local[axis] = local(b, arena_format(b->arena, "_l%s", name), ir_int_type());
    b->point[axis] = local(b, arena_format(b->arena, "_%s", name), unsigned_type(b));
    b->round[axis] = points_along(b, axis) > 1 ? local(b, arena_format(b->arena, "_i%s", name), ir_int_type()) : NULL;
    if (axis >= first_kernel(b)->axes)
      continue;
    int64_t lost = p->low[axis] + p->high[axis];
    struct ir_expr *own = number(b, b->shape->tile[axis]);
    if (lost)
      own = join(b, IR_OP_SUB, own, join(b, IR_OP_MUL, margin(b), number(b, lost)));
    struct ir_expr *block = int_builtin(b, IR_BLOCK_IDX + axis);
    if (is_line(b))
      block = join(b, IR_OP_ADD, join(b, IR_OP_MUL, block, number(b, b->shape->threads[1])), int_builtin(b, IR_THREAD_IDX + 1));
    struct ir_expr *first = join(b, IR_OP_MUL, block, own);
    if (p->low[axis])
      first = join(b, IR_OP_SUB, first, p->low[axis] > 1 ? join(b, IR_OP_MUL, margin(b), number(b, p->low[axis])) : margin(b));
    b->origin[axis] = local(b, arena_format(b->arena, "_%s0", name), ir_int_type());
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->origin[axis], first));
  }
}

/* Which points are right for how many steps, and the tiles of the arrays that the first launch reads. */
static void careful_begin(struct building *b, struct ir_list *out)
{
  struct ir_var *least = local(b, "_d", ir_int_type()), *inside = local(b, "_in", ir_bool_type());
  struct ir_list body = { 0 };

  b->live = local(b, "_live", ir_build_array_type(b->arena, ir_int_type(), points(b)));
  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->live, NULL));
  ir_list_add(b->arena, &body, ir_build_decl(b->arena, inside, in_launch(b)));
  find_live(b, least, &body);
  ir_list_add(b->arena, &body, assign(b, of_point(b, b->live), ir_build_cond(b->arena, use(b, inside), use(b, least), number(b, -1))));
  for (unsigned i = 0; i < b->tile_count; i++)
    if (!is_written(b, i, false))
      ir_list_add(b->arena, &body, load(b, i, NULL));
  ir_list_add(b->arena, out, each_point(b, ir_build_block(b->arena, &body)));
}

/* The tiles of the arrays that the first launch reads, where all points have elements: all loads are on their way at once. */
static void blind_begin(struct building *b, struct ir_list *out)
{
  struct ir_list loads = { 0 }, stores = { 0 };

  for (unsigned i = 0; i < b->tile_count; i++) {
    if (is_written(b, i, false))
      continue;
    if (!b->shape->warps)
      ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
    ir_list_add(b->arena, &loads, assign(b, result(b, i), memory_element(b, i)));
    ir_list_add(b->arena, &stores, assign(b, tile_element(b, i), of_point(b, b->results[i])));
  }
  ir_list_add(b->arena, out, each_point(b, ir_build_body(b->arena, &loads)));
  if (b->shape->warps)
    return;
  ir_list_add(b->arena, out, each_point(b, ir_build_body(b->arena, &stores)));
  ir_list_add(b->arena, out, barrier(b));
}

/* The conditions of both kernels, for the point or the corner. */
static struct ir_expr *all_conditions(struct building *b)
{
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < 1u + (b->others != NULL); i++)
    all = both(b, all, asked(b, i, b->period->kernels[i]->whole.condition));
  return all;
}

/* Do the corners lie in the launch and pass, and all points between them? */
static struct ir_expr *corners_pass(struct building *b)
{
  unsigned axes = first_kernel(b)->axes;
  struct ir_expr *pass = NULL;

  for (unsigned axis = 0; axis < axes; axis++) {
    pass = both(b, pass, join(b, IR_OP_GE, use(b, b->origin[axis]), number(b, 0)));
    pass = both(b, pass, join(b, IR_OP_LE, plus(b, use(b, b->origin[axis]), b->shape->tile[axis]), listed(b, "total", ir_int_type(), axis)));
  }
  for (b->corner = 0; b->corner < 1 << axes; b->corner++)
    pass = both(b, pass, all_conditions(b));
  b->corner = NO_CORNER;
  return pass;
}

static bool is_convex(const struct building *b)
{
  return b->period->kernels[0]->whole.convex && b->period->kernels[1]->whole.convex;
}

/* Do all points of the block pass all conditions? */
static struct ir_expr *all_pass(struct building *b, struct ir_list *out)
{
  struct ir_var *inner = local(b, "_inner", ir_bool_type());

  if (is_convex(b)) {
    ir_list_add(b->arena, out, ir_build_decl(b->arena, inner, corners_pass(b)));
    return use(b, inner);
  }
  ir_list_add(b->arena, out, ir_build_decl(b->arena, inner, number(b, 1)));
  struct ir_expr *passes = both(b, both(b, use(b, inner), in_launch(b)), all_conditions(b));
  ir_list_add(b->arena, out, each_point(b, assign(b, use(b, inner), passes)));
  struct ir_expr *all = ir_build_call(b->arena, is_line(b) ? "__all_sync" : "__syncthreads_and", is_line(b) ? IR_EFFECT_WARP : IR_EFFECT_BARRIER);
  all->type = ir_int_type();
  if (is_line(b))
    ir_add_argument(b->arena, all, all_lanes(b));
  ir_add_argument(b->arena, all, use(b, inner));
  return all;
}

/* What nobody writes of the arrays that the first launch writes. */
static struct ir_stmt *load_unwritten(struct building *b)
{
  struct ir_list body = { 0 };

  for (unsigned i = 0; i < b->tile_count; i++) {
    struct ir_expr *written = both(b, in_launch(b), asked(b, false, first_kernel(b)->written));
    if (is_written(b, i, false) && !SEEDED(STEPS_UNWRITTEN_LOST))
      ir_list_add(b->arena, &body, load(b, i, ir_build_unary(b->arena, IR_OP_NOT, written)));
  }
  return each_point(b, ir_build_block(b->arena, &body));
}

static struct ir_stmt *build_body(struct building *b, bool blind)
{
  struct ir_list out = { 0 }, careful = { 0 }, fast = { 0 };

  declare(b, &out);
  b->step = local(b, "_t", ir_int_type());
  careful_begin(b, &careful);
  ir_list_add(b->arena, &careful, load_unwritten(b));
  if (!b->shape->warps)
    ir_list_add(b->arena, &careful, barrier(b));
  ir_list_add(b->arena, &careful, all_steps(b, false));
  struct ir_stmt *rest = ir_build_block(b->arena, &careful);
  if (blind) {
    struct ir_expr *pass = all_pass(b, &out);
    blind_begin(b, &fast);
    ir_list_add(b->arena, &fast, all_steps(b, true));
    struct ir_stmt *choice = ir_build_if(b->arena, pass, ir_build_block(b->arena, &fast));
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

/* The parameters of a kernel whose values differ between launches. */
static void add_values(struct building *b, unsigned which, struct kernel_steps *out)
{
  const struct temporal *t = b->period->kernels[which];

  out->value_count[which] = t->value_count;
  out->values[which] = arena_alloc(b->arena, (t->value_count + 1) * sizeof *out->values[which]);
  for (unsigned i = 0; i < t->value_count; i++) {
    const char *name = arena_format(b->arena, which ? "_w_%s" : "_v_%s", t->code.kernel->params[t->values[i]]->name);
    b->lists[which][i] = ir_add_param(b->arena, b->code->facts.kernel, unit_local_name(b->code->unit, name), record_type(b, "mesi_steps_values"));
    out->values[which][i] = (struct steps_value){ t->values[i], b->lists[which][i] };
  }
}

/* The parameters of the second kernel that are no slots. */
static void add_others(struct building *b, struct kernel_steps *out)
{
  const struct temporal *t = b->period->kernels[1];
  const struct ir_function *kernel = t->code.kernel;

  b->others = arena_alloc(b->arena, (kernel->param_count + 1) * sizeof *b->others);
  out->others = arena_alloc(b->arena, (kernel->param_count + 1) * sizeof *out->others);
  for (unsigned i = 0; i < kernel->param_count; i++) {
    bool slot = false;
    for (unsigned k = 0; k < t->slot_count; k++)
      slot |= t->slots[k].param == i;
    if (slot)
      continue;
    const char *name = unit_local_name(b->code->unit, arena_format(b->arena, "_b_%s", kernel->params[i]->name));
    b->others[i] = ir_add_param(b->arena, b->code->facts.kernel, name, kernel->params[i]->type);
    out->others[out->other_count++] = b->others[i];
  }
}

static void add_params(struct building *b, struct kernel_steps *out)
{
  bool two = b->period->kernels[0] != b->period->kernels[1];

  if (two)
    add_others(b, out);
  b->run = ir_add_param(b->arena, b->code->facts.kernel, unit_local_name(b->code->unit, "_steps"), record_type(b, "mesi_steps_run"));
  out->run = b->run;
  for (unsigned which = 0; which < 1u + two; which++)
    add_values(b, which, out);
}

static uint64_t elements_of(const struct temporal_slot *slot)
{
  uint64_t elements = 1;

  for (unsigned d = 0; d < slot->array->dim_count; d++)
    elements *= (uint64_t)slot->array->extents[d];
  return elements;
}

/* By tile: its parameter in the first kernel, and which tile's array that was in the launch before. */
static void describe_slots(struct building *b, struct kernel_steps *out)
{
  bool two = b->period->kernels[0] != b->period->kernels[1];

  out->slot_count = b->tile_count;
  out->slots = arena_alloc(b->arena, (b->tile_count + 1) * sizeof *out->slots);
  for (unsigned i = 0; i < b->tile_count; i++) {
    const struct temporal_slot *slot = slot_of_tile(b, i);
    out->slots[i] = (struct steps_slot){ .param = slot->param, .before = two ? i : slot->tile[1], .bytes = (uint64_t)slot->array->element->size };
    if (slot->param == UINT32_MAX)
      out->slots[i].elements = elements_of(slot);
  }
}

static void describe(struct building *b, struct kernel_steps *out)
{
  out->kernel = b->code->kernel;
  out->other = b->period->kernels[1]->code.kernel;
  out->depth = (unsigned)b->shape->depth;
  out->axes = first_kernel(b)->axes;
  out->gain = b->shape->gain;
  out->bytes = (uint64_t)temporal_bytes(b->period, b->shape);
  describe_slots(b, out);
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    out->tile[axis] = b->shape->tile[axis];
    out->threads[axis] = b->shape->threads[axis];
    out->lost[axis] = b->period->low[axis] + b->period->high[axis];
  }
  out->resident = b->shape->resident;
  out->tiles = is_line(b) ? (unsigned)b->shape->threads[1] : 1;
  for (unsigned i = 0; i < 2; i++)
    out->moves[i] = b->period->moves[i];
}

struct kernel_steps *temporal_build(const struct temporal_period *period, const struct temporal_shape *shape)
{
  struct temporal *t = period->kernels[0];
  struct building b = { .period = period, .t = t, .shape = shape, .code = &t->code, .arena = t->code.arena, .tile_count = t->slot_count, .corner = NO_CORNER };
  struct kernel_steps *out = ARENA_NEW(b.arena, struct kernel_steps);
  struct ir_function *as_was = t->code.facts.kernel;

  t->code.facts.kernel = ir_copy_function(b.arena, as_was);
  describe(&b, out);
  add_params(&b, out);
  struct ir_stmt *body = build_body(&b, t->blind && period->kernels[1]->blind);
  out->code = t->code.facts.kernel;
  out->code->body = body;
  ir_own_body(b.arena, out->code);
  t->code.facts.kernel = as_was;
  return out;
}

const char *temporal_text(struct arena *arena, const struct kernel_steps *steps)
{
  const char *tile = arena_format(arena, "%lld", (long long)steps->tile[0]);

  for (unsigned axis = 1; axis < steps->axes; axis++)
    tile = arena_format(arena, "%s x %lld", tile, (long long)steps->tile[axis]);
  const char *names = arena_format(arena, steps->kernel == steps->other ? "'%s'" : "'%s' and '%s'", steps->kernel->name, steps->other->name);
  return arena_format(arena, "up to %u launches of %s become one, on tiles of %s elements in %llu bytes; predicted gain %.1f", steps->depth,
                      names, tile, (unsigned long long)steps->bytes, steps->gain);
}
