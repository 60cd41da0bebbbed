/* SPDX-License-Identifier: MIT */
/* temporal_exchange.c - the exchange of elements between threads that hold their own elements in
 * registers.
 *
 *     _r_u[0] = __shfl_up_sync(0xffffffffu, _r_u[4], 1);
 *         the last of four elements of the lane before
 *     _s_u[warp][0][..] = _r_u[1][..]; __syncthreads();         the first row of a warp's own,
 *     _r_u[5][..] = _s_u[warp + 1][0][..];                      which the warp above needs
 *
 * A part of temporal_build.c.
 */
#include "analysis/transform/temporal/temporal_parts.h"

#include "runtime/seeded.h"

/* for (int name = 0; name < count; name++) body, unrolled */
static struct ir_stmt *counted(struct building *b, struct ir_var *var, int64_t count,
                               struct ir_stmt *body)
{
  struct ir_stmt *loop = ir_build_for(b->arena, var, number(b, 0), number(b, count), 1, body);
  loop->pragma = "#pragma unroll";
  return loop;
}

/* _r[row][at] */
static struct ir_expr *held_at(struct building *b, unsigned tile, struct ir_expr *row,
                               struct ir_expr *at)
{
  struct ir_expr *element = use(b, b->results[tile]);
  return ir_build_index(b->arena, row ? ir_build_index(b->arena, element, row) : element, at);
}

/* _r[row][to] = __shfl_..._sync(0xffffffff, _r[row][from], 1) */
static struct ir_stmt *shuffled(struct building *b, unsigned tile, const char *name,
                                struct ir_expr *row, struct ir_expr *to, struct ir_expr *from)
{
  struct ir_expr *call = ir_build_call(b->arena, name, IR_EFFECT_WARP);

  ir_add_argument(b->arena, call, all_lanes(b));
  ir_add_argument(b->arena, call, held_at(b, tile, row, from));
  ir_add_argument(b->arena, call, number(b, 1));
  call->type = ir_plain_type(b->arena, buffer_of_tile(b, tile)->array->element);
  return assign(b, held_at(b, tile, row, to), call);
}

/* Fetches the elements beside a lane's own from its neighbours: for the thread's rows, and for the
 * rows around them if an access moves along both axes. */
static void transpose_columns(struct building *b, const struct temporal *t, unsigned tile,
                              struct ir_list *out)
{
  const struct temporal_period *p = b->period;
  int64_t own = points_along(b, 0), around = 0;
  bool plane = first_kernel(b)->axes > 1;

  for (unsigned i = 0; i < t->access_count; i++)
    around |= plane && t->accesses[i].offset[0] && t->accesses[i].offset[1];
  struct ir_var *row = b->row, *at = b->element;
  struct ir_list both_ways = {0};
  int64_t first_row = plane && !around ? p->low[1] : 0,
          rows = plane ? points_along(b, 1) + (around ? p->low[1] + p->high[1] : 0) : 1;
#define ROW (plane ? plus(b, use(b, row), first_row) : NULL)
  if (t->low[0]) {
    int64_t skip = p->low[0] - t->low[0];
    struct ir_stmt *up = shuffled(b, tile, "__shfl_up_sync", ROW, plus(b, use(b, at), skip),
                                  plus(b, use(b, at), skip + own));
    ir_list_add(b->arena, &both_ways, counted(b, at, t->low[0], up));
  }
  if (t->high[0]) {
    struct ir_stmt *down =
        shuffled(b, tile, "__shfl_down_sync", ROW, plus(b, use(b, at), p->low[0] + own),
                 plus(b, use(b, at), p->low[0]));
    ir_list_add(b->arena, &both_ways, counted(b, at, t->high[0], down));
  }
#undef ROW
  if (both_ways.items.count)
    ir_list_add(b->arena, out,
                plane ? counted(b, row, rows, ir_build_block(b->arena, &both_ways))
                      : ir_build_block(b->arena, &both_ways));
}

/* For rows and elements of the thread: _s[warp][shown + _j][lane's] = _r[held + _j][..], or the
 * reverse. */
static struct ir_stmt *copy_rows(struct building *b, unsigned tile, int64_t count,
                                 struct ir_expr *warp, int64_t shown, int64_t held, bool show)
{
  struct ir_var *row = b->row, *at = b->element;
  int64_t own = points_along(b, 0);
  struct ir_expr *place = join(
      b, IR_OP_ADD, join(b, IR_OP_MUL, int_builtin(b, IR_THREAD_IDX), number(b, own)), use(b, at));
  struct ir_expr *shared = ir_build_index(
      b->arena,
      ir_build_index(b->arena, ir_build_index(b->arena, use(b, b->tiles[tile]), warp),
                     plus(b, use(b, row), shown)),
      place);
  struct ir_expr *mine =
      held_at(b, tile, plus(b, use(b, row), held), plus(b, use(b, at), b->period->low[0]));

  return counted(b, row, count,
                 counted(b, at, own, show ? assign(b, shared, mine) : assign(b, mine, shared)));
}

/* Exchanges the rows around a warp's own with the warps beside it, through shared memory. */
static void transpose_rows(struct building *b, const struct temporal *t, unsigned tile, bool show,
                           struct ir_list *out)
{
  const struct temporal_period *p = b->period;
  int64_t rows = points_along(b, 1), low = t->low[1], high = t->high[1];
  struct ir_expr *warp = int_builtin(b, IR_THREAD_IDX + 1);

  if (show && high) ir_list_add(b->arena, out, copy_rows(b, tile, high, warp, 0, p->low[1], true));
  if (show && low)
    ir_list_add(b->arena, out,
                copy_rows(b, tile, low, warp, p->high[1], p->low[1] + rows - low, true));
  if (!show && low) {
    struct ir_stmt *copy =
        copy_rows(b, tile, low, plus(b, warp, -1), p->high[1], p->low[1] - low, false);
    ir_list_add(b->arena, out, ir_build_if(b->arena, join(b, IR_OP_GT, warp, number(b, 0)), copy));
  }
  if (!show && high) {
    struct ir_stmt *copy = copy_rows(b, tile, high, plus(b, warp, 1), 0, p->low[1] + rows, false);
    ir_list_add(
        b->arena, out,
        ir_build_if(b->arena, join(b, IR_OP_LT, warp, number(b, b->shape->threads[1] - 1)), copy));
  }
}

/* Fetches the elements of other threads that the step reads. Each array has shared memory of its
 * own, so a warp that is a step ahead shows its rows beside those that others still read. If only
 * one of the kernels shows rows, a barrier stands between. */
void temporal_exchange(struct building *b, bool odd, struct ir_list *out)
{
  const struct temporal *t = b->period->kernels[odd];
  const struct temporal *other = b->period->kernels[!odd];
  bool rows = t->axes > 1 && (t->low[1] || t->high[1]);

  if (rows && !other->low[1] && !other->high[1]) ir_list_add(b->arena, out, barrier(b));
  for (unsigned shown = 0; shown < 2 && rows; shown++) {
    for (unsigned i = 0; i < b->tile_count; i++)
      if (!temporal_is_written(b, i, odd)) transpose_rows(b, t, i, !shown, out);
    if (!shown && !SEEDED(STEPS_EXCHANGE_BARRIER)) ir_list_add(b->arena, out, barrier(b));
  }
  for (unsigned i = 0; i < b->tile_count; i++)
    if (!temporal_is_written(b, i, odd)) transpose_columns(b, t, i, out);
}
