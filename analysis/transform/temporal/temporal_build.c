/* SPDX-License-Identifier: MIT */
/* temporal_build.c - the kernel that does several launches in one.
 *
 *     v[i] = u[i - 1] + u[i + 1], for 0 < i < n - 1
 *       =>
 *     __shared__ float _s_u[1026], _s_v[1026];
 *     int _x0 = (int)blockIdx.x * (1024 - _steps.margin * 2) - _steps.margin;    the first point
 *     bool _inner = _x0 >= 0 && _x0 + 1024 <= total && ...;          all points pass all conditions
 *     if (_inner) {
 *       for each point: _r_u[..] = u[_x];  for each point: _s_u[_lx + 1] = _r_u[..];
 *       __syncthreads();
 *       for (int _t = 0; _t + 1 < _steps.depth; _t += 2) {
 *         for each point: _r_v[..] = _s_u[_lx] + _s_u[_lx + 2];     whatever the tile's rim holds
 *         for each point: _s_v[_lx + 1] = _r_v[..];
 *         __syncthreads();
 *         ...the same from _s_v to _s_u...
 *       }
 *       for each point: _r_v[..] = ...;
 *       for each point: if (it is the block's own) v[_x] = _r_v[..];
 *     } else {
 *       for each point: _live[..] = min(_lx, 1023 - _lx), -1 outside of the launch;
 *                       _s_u[_lx + 1] = u[_x] where there is such an element
 *       for each point: where nobody writes v[_x], _s_v[_lx + 1] = v[_x];
 *       ...the same with the code as it was, for points with _t < _live[..]...
 *     }
 *
 * With two kernels that take turns, the second one's code is the second step. Its parameters follow
 * those of the first. Elements that one of the kernels only copies need no margin.
 *
 * A thread has points that are apart along x, and neighbours along y and z, which share their
 * reads. If the code of interior points is not blind (temporal.h), or the kernel is checked, all
 * blocks take the second way. Requires: struct temporal. Produces IR.
 */
#include "analysis/transform/temporal/temporal_parts.h"

#include <string.h>

#include "runtime/seeded.h"

static const char *const axis_names[] = {"x", "y", "z"};

/* ---- the head ---- */

static struct ir_expr *in_launch(struct building *b)
{
  struct ir_expr *condition = NULL;

  for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++) {
    struct ir_expr *total =
        ir_build_cast(b->arena, unsigned_type(b), listed(b, "total", ir_int_type(), axis));
    condition = both(b, condition, join(b, IR_OP_LT, use(b, b->point[axis]), total));
  }
  return condition;
}

/* if (value < *least) *least = value; */
static void take_less(struct building *b, struct ir_var *least, struct ir_expr *value,
                      struct ir_list *out)
{
  ir_list_add(b->arena, out,
              ir_build_if(b->arena, join(b, IR_OP_LT, value, use(b, least)),
                          assign(b, use(b, least), value)));
}

/* The number of moving steps for which the tile has everything that the point needs. */
static void find_live(struct building *b, struct ir_var *least, struct ir_list *out)
{
  const struct temporal_period *t = b->period;

  ir_list_add(b->arena, out, ir_build_decl(b->arena, least, margin(b)));
  for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++) {
    struct ir_expr *below = use(b, b->local[axis]),
                   *above = join(b, IR_OP_SUB, number(b, b->shape->tile[axis] - 1),
                                 use(b, b->local[axis]));
    if (t->low[axis])
      take_less(b, least,
                t->low[axis] > 1 ? join(b, IR_OP_DIV, below, number(b, t->low[axis])) : below, out);
    if (t->high[axis])
      take_less(b, least,
                t->high[axis] > 1 ? join(b, IR_OP_DIV, above, number(b, t->high[axis])) : above,
                out);
  }
}

/* Declares the elements that a thread holds of each tile, and the rows that it shows to other
 * warps. */
static void declare_held(struct building *b, struct ir_list *out)
{
  const struct temporal_period *p = b->period;
  int64_t rows = first_kernel(b)->axes > 1 ? p->low[1] + p->high[1] : 0;

  b->row = local(b, "_j", ir_int_type());
  b->element = local(b, "_e", ir_int_type());
  for (unsigned i = 0; i < b->tile_count; i++) {
    const struct temporal_buffer *buffer = buffer_of_tile(b, i);
    const struct ir_type *element = ir_plain_type(b->arena, buffer->array->element),
                         *type = element;
    for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++)
      type =
          ir_build_array_type(b->arena, type, points_along(b, axis) + p->low[axis] + p->high[axis]);
    b->results[i] = local(b, arena_format(b->arena, "_r_%s", buffer->var->name), type);
    ir_list_add(b->arena, out,
                SEEDED(STEPS_NOT_ZEROED) ? ir_build_decl(b->arena, b->results[i], NULL)
                                         : ir_build_zeroed(b->arena, b->results[i]));
    if (!rows) continue;
    type = ir_build_array_type(b->arena, ir_build_array_type(b->arena, element, b->shape->tile[0]),
                               rows);
    b->tiles[i] = local(b, arena_format(b->arena, "_s_%s", buffer->var->name),
                        ir_build_array_type(b->arena, type, b->shape->threads[1]));
    b->tiles[i]->kind = IR_VAR_SHARED;
    b->tiles[i]->alignment = 16;
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->tiles[i], NULL));
  }
}

static void declare_tiles(struct building *b, struct ir_list *out)
{
  const struct temporal_period *p = b->period;

  for (unsigned i = 0; i < b->tile_count; i++) {
    const struct temporal_buffer *buffer = buffer_of_tile(b, i);
    const struct ir_type *type = ir_plain_type(b->arena, buffer->array->element);
    b->results[i] = local(b, arena_format(b->arena, "_r_%s", buffer->var->name),
                          ir_build_array_type(b->arena, type, points(b)));
    for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++)
      type =
          ir_build_array_type(b->arena, type, b->shape->tile[axis] + p->low[axis] + p->high[axis]);
    b->tiles[i] = local(b, arena_format(b->arena, "_s_%s", buffer->var->name), type);
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
    b->round[axis] = points_along(b, axis) > 1
                         ? local(b, arena_format(b->arena, "_i%s", name), ir_int_type())
                         : NULL;
    if (axis >= first_kernel(b)->axes) continue;
    int64_t halo = p->low[axis] + p->high[axis];
    struct ir_expr *own = number(b, b->shape->tile[axis]);
    if (halo) own = join(b, IR_OP_SUB, own, join(b, IR_OP_MUL, margin(b), number(b, halo)));
    struct ir_expr *block = int_builtin(b, IR_BLOCK_IDX + axis);
    if (is_line(b))
      block = join(b, IR_OP_ADD, join(b, IR_OP_MUL, block, number(b, b->shape->threads[1])),
                   int_builtin(b, IR_THREAD_IDX + 1));
    struct ir_expr *first = join(b, IR_OP_MUL, block, own);
    if (p->low[axis])
      first = join(b, IR_OP_SUB, first,
                   p->low[axis] > 1 ? join(b, IR_OP_MUL, margin(b), number(b, p->low[axis]))
                                    : margin(b));
    b->origin[axis] = local(b, arena_format(b->arena, "_%s0", name), ir_int_type());
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->origin[axis], first));
  }
}

/* Finds for how many steps each point is right, and loads the tiles of the arrays that the first
 * launch reads. */
static void careful_begin(struct building *b, struct ir_list *out)
{
  struct ir_var *least = local(b, "_d", ir_int_type()), *inside = local(b, "_in", ir_bool_type());
  struct ir_list body = {0};

  b->live = local(b, "_live", ir_build_array_type(b->arena, ir_int_type(), points(b)));
  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->live, NULL));
  ir_list_add(b->arena, &body, ir_build_decl(b->arena, inside, in_launch(b)));
  find_live(b, least, &body);
  ir_list_add(b->arena, &body,
              assign(b, temporal_of_point(b, b->live),
                     ir_build_cond(b->arena, use(b, inside), use(b, least), number(b, -1))));
  for (unsigned i = 0; i < b->tile_count; i++)
    if (!temporal_is_written(b, i, false)) ir_list_add(b->arena, &body, temporal_load(b, i, NULL));
  ir_list_add(b->arena, out, temporal_each_point(b, ir_build_block(b->arena, &body)));
}

/* Loads the tiles of the arrays that the first launch reads, where all points have elements: all
 * loads are in flight at once. */
static void blind_begin(struct building *b, struct ir_list *out)
{
  struct ir_list loads = {0}, stores = {0};

  for (unsigned i = 0; i < b->tile_count; i++) {
    if (temporal_is_written(b, i, false)) continue;
    if (!b->shape->warps) ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
    ir_list_add(b->arena, &loads, assign(b, temporal_result(b, i), temporal_memory_element(b, i)));
    ir_list_add(b->arena, &stores,
                assign(b, temporal_tile_element(b, i), temporal_of_point(b, b->results[i])));
  }
  ir_list_add(b->arena, out, temporal_each_point(b, ir_build_body(b->arena, &loads)));
  if (b->shape->warps) return;
  ir_list_add(b->arena, out, temporal_each_point(b, ir_build_body(b->arena, &stores)));
  ir_list_add(b->arena, out, barrier(b));
}

/* The conditions of both kernels, for the point or the corner. */
static struct ir_expr *all_conditions(struct building *b)
{
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < 1u + (b->others != NULL); i++)
    all = both(b, all, temporal_asked(b, i, b->period->kernels[i]->interior.condition));
  return all;
}

/* Do the corners lie in the launch and pass the conditions, and so do all points between them? */
static struct ir_expr *corners_pass(struct building *b)
{
  unsigned axes = first_kernel(b)->axes;
  struct ir_expr *pass = NULL;

  for (unsigned axis = 0; axis < axes; axis++) {
    pass = both(b, pass, join(b, IR_OP_GE, use(b, b->origin[axis]), number(b, 0)));
    pass = both(b, pass,
                join(b, IR_OP_LE, plus(b, use(b, b->origin[axis]), b->shape->tile[axis]),
                     listed(b, "total", ir_int_type(), axis)));
  }
  for (b->corner = 0; b->corner < 1 << axes; b->corner++) pass = both(b, pass, all_conditions(b));
  b->corner = NO_CORNER;
  return pass;
}

static bool is_convex(const struct building *b)
{
  return b->period->kernels[0]->interior.convex && b->period->kernels[1]->interior.convex;
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
  ir_list_add(b->arena, out, temporal_each_point(b, assign(b, use(b, inner), passes)));
  struct ir_expr *all = ir_build_call(b->arena, is_line(b) ? "__all_sync" : "__syncthreads_and",
                                      is_line(b) ? IR_EFFECT_WARP : IR_EFFECT_BARRIER);
  all->type = ir_int_type();
  if (is_line(b)) ir_add_argument(b->arena, all, all_lanes(b));
  ir_add_argument(b->arena, all, use(b, inner));
  return all;
}

/* Loads the unwritten elements of the arrays that the first launch writes. */
static struct ir_stmt *load_unwritten(struct building *b)
{
  struct ir_list body = {0};

  for (unsigned i = 0; i < b->tile_count; i++) {
    struct ir_expr *written =
        both(b, in_launch(b), temporal_asked(b, false, first_kernel(b)->written));
    if (temporal_is_written(b, i, false) && !SEEDED(STEPS_UNWRITTEN_LOST))
      ir_list_add(b->arena, &body,
                  temporal_load(b, i, ir_build_unary(b->arena, IR_OP_NOT, written)));
  }
  return temporal_each_point(b, ir_build_block(b->arena, &body));
}

static struct ir_stmt *build_body(struct building *b, bool blind)
{
  struct ir_list out = {0}, careful = {0}, fast = {0};

  declare(b, &out);
  b->step = local(b, "_t", ir_int_type());
  careful_begin(b, &careful);
  ir_list_add(b->arena, &careful, load_unwritten(b));
  if (!b->shape->warps) ir_list_add(b->arena, &careful, barrier(b));
  ir_list_add(b->arena, &careful, temporal_all_steps(b, false));
  struct ir_stmt *rest = ir_build_block(b->arena, &careful);
  if (blind) {
    struct ir_expr *pass = all_pass(b, &out);
    blind_begin(b, &fast);
    ir_list_add(b->arena, &fast, temporal_all_steps(b, true));
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
  *type = (struct ir_type){.kind = IR_TYPE_RECORD,
                           .spelling = arena_format(b->arena, "const %s", name),
                           .size = 8,
                           .align = 8,
                           .is_const = true,
                           .extent = -1,
                           .keyword = "struct",
                           .is_trivial = true};
  return type;
}

/* The parameters of a kernel whose values differ between launches. */
static void add_values(struct building *b, unsigned which, struct kernel_steps *out)
{
  const struct temporal *t = b->period->kernels[which];

  out->value_count[which] = t->value_count;
  out->values[which] = arena_alloc(b->arena, (t->value_count + 1) * sizeof *out->values[which]);
  for (unsigned i = 0; i < t->value_count; i++) {
    const char *name = arena_format(b->arena, which ? "_w_%s" : "_v_%s",
                                    t->code.kernel->params[t->values[i]]->name);
    b->lists[which][i] =
        ir_add_param(b->arena, b->code->facts.kernel, unit_local_name(b->code->unit, name),
                     record_type(b, "mesi_steps_values"));
    out->values[which][i] = (struct steps_value){t->values[i], b->lists[which][i]};
  }
}

/* The parameters of the second kernel that are no buffers. */
static void add_others(struct building *b, struct kernel_steps *out)
{
  const struct temporal *t = b->period->kernels[1];
  const struct ir_function *kernel = t->code.kernel;

  b->others = arena_alloc(b->arena, (kernel->param_count + 1) * sizeof *b->others);
  out->others = arena_alloc(b->arena, (kernel->param_count + 1) * sizeof *out->others);
  for (unsigned i = 0; i < kernel->param_count; i++) {
    bool buffer = false;
    for (unsigned k = 0; k < t->buffer_count; k++) buffer |= t->buffers[k].param == i;
    if (buffer) continue;
    const char *name =
        unit_local_name(b->code->unit, arena_format(b->arena, "_b_%s", kernel->params[i]->name));
    b->others[i] = ir_add_param(b->arena, b->code->facts.kernel, name, kernel->params[i]->type);
    out->others[out->other_count++] = b->others[i];
  }
}

static void add_params(struct building *b, struct kernel_steps *out)
{
  bool two = b->period->kernels[0] != b->period->kernels[1];

  if (two) add_others(b, out);
  b->run = ir_add_param(b->arena, b->code->facts.kernel, unit_local_name(b->code->unit, "_steps"),
                        record_type(b, "mesi_steps_run"));
  out->run = b->run;
  for (unsigned which = 0; which < 1u + two; which++) add_values(b, which, out);
}

static uint64_t elements_of(const struct temporal_buffer *buffer)
{
  uint64_t elements = 1;

  for (unsigned d = 0; d < buffer->array->dim_count; d++)
    elements *= (uint64_t)buffer->array->extents[d];
  return elements;
}

/* By tile: its parameter in the first kernel, and the tile of the array in the previous launch. */
static void describe_buffers(struct building *b, struct kernel_steps *out)
{
  bool two = b->period->kernels[0] != b->period->kernels[1];

  out->buffer_count = b->tile_count;
  out->buffers = arena_alloc(b->arena, (b->tile_count + 1) * sizeof *out->buffers);
  for (unsigned i = 0; i < b->tile_count; i++) {
    const struct temporal_buffer *buffer = buffer_of_tile(b, i);
    out->buffers[i] = (struct steps_buffer){.param = buffer->param,
                                            .before = two ? i : buffer->tile[1],
                                            .bytes = (uint64_t)buffer->array->element->size};
    if (buffer->param == UINT32_MAX) out->buffers[i].elements = elements_of(buffer);
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
  describe_buffers(b, out);
  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    out->tile[axis] = b->shape->tile[axis];
    out->threads[axis] = b->shape->threads[axis];
    out->halo[axis] = b->period->low[axis] + b->period->high[axis];
  }
  out->resident = b->shape->resident;
  out->tiles = is_line(b) ? (unsigned)b->shape->threads[1] : 1;
  for (unsigned i = 0; i < 2; i++) out->moves[i] = b->period->moves[i];
}

/* The text for a remark. */
static const char *note_of(struct arena *arena, const struct kernel_steps *steps)
{
  const char *tile = arena_format(arena, "%lld", (long long)steps->tile[0]);

  for (unsigned axis = 1; axis < steps->axes; axis++)
    tile = arena_format(arena, "%s x %lld", tile, (long long)steps->tile[axis]);
  const char *names = arena_format(arena, steps->kernel == steps->other ? "'%s'" : "'%s' and '%s'",
                                   steps->kernel->name, steps->other->name);
  return arena_format(arena,
                      "up to %u launches of %s become one, on tiles of %s elements in %llu bytes; "
                      "predicted gain %.1f",
                      steps->depth, names, tile, (unsigned long long)steps->bytes, steps->gain);
}

struct kernel_steps *temporal_build(const struct temporal_period *period,
                                    const struct temporal_shape *shape)
{
  struct temporal *t = period->kernels[0];
  struct building b = {.period = period,
                       .t = t,
                       .shape = shape,
                       .code = &t->code,
                       .arena = t->code.arena,
                       .tile_count = t->buffer_count,
                       .corner = NO_CORNER};
  struct kernel_steps *out = ARENA_NEW(b.arena, struct kernel_steps);
  struct ir_function *as_was = t->code.facts.kernel;

  t->code.facts.kernel = ir_copy_function(b.arena, as_was);
  describe(&b, out);
  add_params(&b, out);
  struct ir_stmt *body = build_body(&b, t->blind && period->kernels[1]->blind);
  out->code = t->code.facts.kernel;
  out->code->body = body;
  out->note = note_of(b.arena, out);
  ir_own_body(b.arena, out->code);
  t->code.facts.kernel = as_was;
  return out;
}
