/* SPDX-License-Identifier: MIT */
/* temporal_point.c - the points of a thread and their elements, in tiles, registers and memory.
 *
 *     v[i] = u[i - 1] + u[i + 1]
 *   =>
 *     _s_v[_lx + 1] = _s_u[_lx] + _s_u[_lx + 2]     tiles in shared memory
 *     _r_v[_ix + 1] = _r_u[_ix] + _r_u[_ix + 2]     elements in registers, with those around a
 *                                                   thread's own
 *     v[i] = ...                                    the last launch
 *
 * Requires and gives up: as temporal_build.c, which these functions belong to.
 */
#include "analysis/code/rounding_pin.h"
#include "analysis/transform/temporal/temporal_parts.h"

#include "analysis/code/vector_access.h"
#include "runtime/seeded.h"

/* ---- a thread's points ---- */

static struct ir_expr *point_number(struct building *b)
{
  struct ir_expr *number_of = NULL;

  for (unsigned axis = TEMPORAL_AXES; axis-- > 0;) {
    if (number_of && points_along(b, axis) > 1)
      number_of = join(b, IR_OP_MUL, number_of, number(b, points_along(b, axis)));
    if (b->round[axis])
      number_of = number_of ? join(b, IR_OP_ADD, number_of, use(b, b->round[axis]))
                            : use(b, b->round[axis]);
  }
  return number_of ? number_of : number(b, 0);
}

struct ir_expr *temporal_of_point(struct building *b, struct ir_var *array)
{
  return ir_build_index(b->arena, use(b, array), point_number(b));
}

/* An element of a tile that the thread holds in registers, with those around its own, at a distance
 * from the point. */
static struct ir_expr *held_element(struct building *b, unsigned tile,
                                    const int64_t offset[TEMPORAL_AXES])
{
  struct ir_expr *element = use(b, b->results[tile]);

  for (unsigned axis = first_kernel(b)->axes; axis-- > 0;) {
    int64_t at = b->period->low[axis] + (offset ? offset[axis] : 0);
    element = ir_build_index(b->arena, element,
                             b->round[axis] ? plus(b, use(b, b->round[axis]), at) : number(b, at));
  }
  return element;
}

/* The thread's new element of a tile. */
struct ir_expr *temporal_result(struct building *b, unsigned tile)
{
  return b->shape->warps ? held_element(b, tile, NULL) : temporal_of_point(b, b->results[tile]);
}

/* The point's place in the tile along an axis. */
static struct ir_expr *place_in_tile(struct building *b, unsigned axis)
{
  struct ir_expr *thread = int_builtin(b, IR_THREAD_IDX + axis),
                 *round = b->round[axis] ? use(b, b->round[axis]) : NULL;

  if (!round) return thread;
  if (axis == 0 && !b->shape->warps)
    return join(b, IR_OP_ADD, join(b, IR_OP_MUL, round, number(b, b->shape->threads[axis])),
                thread);
  return join(b, IR_OP_ADD, join(b, IR_OP_MUL, thread, number(b, points_along(b, axis))), round);
}

/* for each point: const int _lx = ...; const unsigned _x = _x0 + _lx; body. Each variable is only
 * declared if it is used. */
struct ir_stmt *temporal_each_point(struct building *b, struct ir_stmt *body)
{
  struct ir_list out = {0};

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    bool axes = axis < first_kernel(b)->axes, pointed = ir_stmt_has_var(body, b->point[axis]);
    if (axes && (pointed || ir_stmt_has_var(body, b->local[axis])))
      ir_list_add(b->arena, &out, ir_build_decl(b->arena, b->local[axis], place_in_tile(b, axis)));
    struct ir_expr *at =
        axes ? join(b, IR_OP_ADD, use(b, b->origin[axis]), use(b, b->local[axis])) : number(b, 0);
    if (pointed)
      ir_list_add(
          b->arena, &out,
          ir_build_decl(b->arena, b->point[axis], ir_build_cast(b->arena, unsigned_type(b), at)));
  }
  ir_list_add(b->arena, &out, body);
  struct ir_stmt *all = ir_build_block(b->arena, &out);
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    if (!b->round[axis]) continue;
    all = ir_build_for(b->arena, b->round[axis], number(b, 0), number(b, points_along(b, axis)), 1,
                       all);
    all->pragma = "#pragma unroll";
  }
  return all;
}

/* The point's element of a tile. */
struct ir_expr *temporal_tile_element(struct building *b, unsigned tile)
{
  struct ir_expr *element = b->shape->warps ? NULL : use(b, b->tiles[tile]);

  for (unsigned axis = first_kernel(b)->axes; element && axis-- > 0;)
    element =
        ir_build_index(b->arena, element, plus(b, use(b, b->local[axis]), b->period->low[axis]));
  return element ? element : temporal_result(b, tile);
}

bool temporal_is_written(const struct building *b, unsigned tile, bool odd)
{
  const struct temporal *t = b->period->kernels[odd];

  for (unsigned i = 0; i < t->buffer_count; i++)
    if (t->buffers[i].tile[odd] == tile) return t->buffers[i].written;
  return false;
}

/* ---- an array's element of the point ---- */

static struct ir_expr *coordinate(struct building *b, unsigned d)
{
  struct ir_expr *signed_point =
      ir_build_cast(b->arena, ir_int_type(), use(b, b->point[first_kernel(b)->axis_of[d]]));
  return plus(b, signed_point, first_kernel(b)->first[d]);
}

static struct ir_expr *extent(struct building *b, const struct temporal_buffer *buffer, unsigned d)
{
  return buffer->extent[d] > 0 ? number(b, buffer->extent[d]) : buffer->length[d];
}

/* The number of the element, counted from the array's pointer, in long long. */
static struct ir_expr *flat_number(struct building *b, const struct temporal_buffer *buffer)
{
  struct ir_expr *flat = ir_build_cast(b->arena, long_type(b), coordinate(b, 0));

  for (unsigned d = 1; d < first_kernel(b)->axes; d++)
    flat = join(b, IR_OP_ADD, join(b, IR_OP_MUL, flat, extent(b, buffer, d)), coordinate(b, d));
  return flat;
}

/* Does the array have such an element? */
static struct ir_expr *exists(struct building *b, unsigned tile)
{
  const struct temporal_buffer *buffer = buffer_of_tile(b, tile);
  struct ir_expr *condition = NULL;

  for (unsigned d = 1; d < first_kernel(b)->axes; d++) {
    condition = both(b, condition, join(b, IR_OP_GE, coordinate(b, d), number(b, 0)));
    condition = both(b, condition, join(b, IR_OP_LT, coordinate(b, d), extent(b, buffer, d)));
  }
  condition =
      both(b, condition,
           join(b, IR_OP_GE, flat_number(b, buffer), listed(b, "first", long_type(b), tile)));
  return both(b, condition,
              join(b, IR_OP_LT, flat_number(b, buffer), listed(b, "end", long_type(b), tile)));
}

struct ir_expr *temporal_memory_element(struct building *b, unsigned tile)
{
  const struct temporal_buffer *buffer = buffer_of_tile(b, tile);
  struct ir_expr *element = use(b, buffer->var);

  if (buffer->is_flat || first_kernel(b)->axes == 1)
    return ir_build_index(b->arena, element, flat_number(b, buffer));
  for (unsigned d = 0; d < first_kernel(b)->axes; d++)
    element = ir_build_index(b->arena, element, coordinate(b, d));
  return element;
}

/* Fills the tile where `condition` holds (NULL: everywhere) and the array has an element. */
struct ir_stmt *temporal_load(struct building *b, unsigned tile, struct ir_expr *condition)
{
  struct ir_stmt *copy =
      assign(b, temporal_tile_element(b, tile), temporal_memory_element(b, tile));
  return ir_build_if(b->arena, both(b, condition, exists(b, tile)), copy);
}

/* ---- the code of a point ---- */

static struct ir_expr *rewrite_index(struct building *b, struct ir_expr *expr)
{
  if (expr->value == IR_THREAD_IDX + 2) return ir_build_cast(b->arena, expr->type, number(b, 0));
  if (expr->value == IR_GRID_DIM + 2)
    return ir_build_cast(b->arena, expr->type, listed(b, "total", ir_int_type(), 2));
  if (expr->value < IR_BLOCK_IDX || expr->value >= IR_BLOCK_DIM) return expr;
  unsigned axis = (unsigned)(expr->value - IR_BLOCK_IDX);
  if (b->corner == NO_CORNER || axis >= first_kernel(b)->axes) return use(b, b->point[axis]);
  return ir_build_cast(
      b->arena, unsigned_type(b),
      plus(b, use(b, b->origin[axis]), b->corner >> axis & 1 ? b->shape->tile[axis] - 1 : 0));
}

static struct ir_expr *value_of(struct building *b, unsigned value, const struct ir_var *param)
{
  const struct ir_type *type = ir_plain_type(b->arena, param->type);
  struct ir_expr *call = ir_build_call(
      b->arena, arena_format(b->arena, "mesi_step_value<%s>", type->spelling), IR_EFFECT_NONE);

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
    if (expr->var == b->t->code.kernel->params[b->t->values[i]]) return value_of(b, i, expr->var);
  for (unsigned i = 0; b->t != first_kernel(b) && i < b->t->code.kernel->param_count; i++)
    if (expr->var == b->t->code.kernel->params[i] && b->others[i]) return use(b, b->others[i]);
  return NULL;
}

/* The dimension of the arrays for an axis. */
static unsigned dimension_of(const struct building *b, unsigned axis)
{
  unsigned d = 0;

  while (first_kernel(b)->axis_of[d] != axis) d++;
  return d;
}

/* The element of an access in a tile. */
static struct ir_expr *accessed(struct ir_rewriter *r, unsigned tile,
                                const struct temporal_access *access)
{
  struct building *b = r->context;
  if (b->shape->warps) return held_element(b, tile, access->offset);
  struct ir_expr *element = use(b, b->tiles[tile]);

  for (unsigned axis = first_kernel(b)->axes; axis-- > 0;) {
    struct ir_expr *place =
        plus(b, use(b, b->local[axis]), b->period->low[axis] + access->offset[axis]);
    if (access->index[axis]) {
      struct ir_expr *index =
          ir_build_cast(b->arena, ir_int_type(), ir_rewrite_expr(r, access->index[axis]));
      place = plus(b, join(b, IR_OP_SUB, index, use(b, b->origin[axis])),
                   b->period->low[axis] - first_kernel(b)->first[dimension_of(b, axis)]);
    }
    element = ir_build_index(b->arena, element, place);
  }
  return element;
}

/* Is it a load from an array that no launch writes, by lanes with neighbours? *ret_constant: its
 * distance from the lane. */
static bool goes_by_vectors(struct building *b, const struct ir_expr *expr, int64_t *ret_constant)
{
  const struct code_access *found = b->vectorized ? code_access_of(&b->t->code, expr) : NULL;
  int64_t size = found ? found->array->element->size : 0;

  return found && !found->access->write && (size == 4 || size == 8) &&
         points_along(b, 0) % (16 / size) == 0 && !temporal_access_of(b->t, expr) &&
         vector_place(&b->t->code, found, IR_BLOCK_IDX, 16 / size, ret_constant);
}

bool temporal_loads_vectors(struct building *b, const struct ir_expr *expr)
{
  int64_t constant;
  return goes_by_vectors(b, expr, &constant);
}

static struct ir_expr *rewrite(struct ir_rewriter *r, struct ir_expr *expr);

struct ir_expr *temporal_load_lane(struct building *b, const struct ir_expr *expr,
                                   const struct ir_expr *element)
{
  struct ir_rewriter rewriter = {b->arena, rewrite, b};
  int64_t constant;

  if (!goes_by_vectors(b, expr, &constant)) return NULL;
  struct ir_expr *first = ir_build_index(b->arena, ir_rewrite_expr(&rewriter, element->operands[0]),
                                         ir_rewrite_expr(&rewriter, element->operands[1]));
  first->type = expr->type;
  return vector_load(b->arena, first, plus(b, use(b, b->round[0]), constant));
}

static struct ir_expr *rewrite(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  const struct temporal_access *access = temporal_access_of(b->t, expr);
  struct ir_expr *load = access ? NULL : temporal_early_value(b, expr);

  if (access && !(access->write && b->role == TO_MEMORY)) {
    bool second = b->odd && (access->write || !SEEDED(STEPS_NOT_SWAPPED));
    unsigned tile = b->t->buffers[access->buffer].tile[second];
    return access->write && b->role == TO_REGISTERS ? temporal_result(b, tile)
                                                    : accessed(r, tile, access);
  }
  load = load || access ? load : temporal_load_lane(b, expr, expr);
  if (load) return load;
  if (expr->kind == IR_EXPR_BUILTIN) return rewrite_index(b, expr);
  return expr->kind == IR_EXPR_VAR ? rewrite_var(b, expr) : NULL;
}

void temporal_enter(struct building *b, bool odd, enum role role, bool interior,
                    struct ir_expr *step)
{
  b->t = b->period->kernels[odd];
  b->role = role;
  b->odd = odd;
  b->number = step;
  b->vectorized =
      role == TO_REGISTERS && interior && temporal_rounds(b->period, b->shape) && b->round[0];
}

/* The code of the first or the second kernel; with `interior`, of points that pass all
 * conditions. */
struct ir_stmt *temporal_code_of(struct building *b, bool odd, bool interior, enum role role,
                                 struct ir_expr *step)
{
  struct ir_rewriter rewriter = {b->arena, rewrite, b};

  temporal_enter(b, odd, role, interior, step);
  struct ir_stmt *code =
      ir_rewrite_stmt(&rewriter, interior ? b->t->interior.body : b->t->code.facts.kernel->body);
  if (role == TO_REGISTERS)
    code = rounding_pin(&b->t->code, code, (const struct ir_var *const *)b->results, b->tile_count);
  return code_without_unused(b->arena, code);
}

/* A condition of the plan, for the point. */
struct ir_expr *temporal_asked(struct building *b, bool odd, struct ir_expr *condition)
{
  struct ir_rewriter rewriter = {b->arena, rewrite, b};

  b->t = b->period->kernels[odd];
  b->vectorized = false;
  return condition ? ir_rewrite_expr(&rewriter, condition) : NULL;
}
