/* SPDX-License-Identifier: MIT */
/* temporal_steps.c - the launches, one after the other: with the code of interior points for all
 * points of a tile (blind), or with the original code for the points that are right (careful).
 * part of temporal_build.c.
 */
#include "analysis/transform/temporal/temporal_parts.h"

#include "runtime/seeded.h"

/* Stores the new elements of the arrays that the step writes. */
static struct ir_stmt *stored(struct building *b, bool odd)
{
  struct ir_list out = {0};

  for (unsigned i = 0; i < b->tile_count; i++)
    if (temporal_is_written(b, i, odd))
      ir_list_add(b->arena, &out,
                  assign(b, temporal_tile_element(b, i), temporal_of_point(b, b->results[i])));
  return ir_build_body(b->arena, &out);
}

static struct ir_expr *step_number(struct building *b, bool odd)
{
  return plus(b, use(b, b->step), odd);
}

static void blind_step(struct building *b, bool odd, struct ir_list *out)
{
  if (b->shape->warps) {
    temporal_exchange(b, odd, out);
    ir_list_add(
        b->arena, out,
        temporal_each_point(b, temporal_code_of(b, odd, true, TO_REGISTERS, step_number(b, odd))));
    ir_list_add(b->arena, out,
                temporal_early_load(
                    b, odd, plus(b, use(b, b->step), (SEEDED(EARLY_ROW_OLD) ? 0 : 2) + odd)));
    return;
  }
  for (unsigned i = 0; i < b->tile_count; i++)
    if (temporal_is_written(b, i, odd))
      ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
  ir_list_add(
      b->arena, out,
      temporal_each_point(b, temporal_code_of(b, odd, true, TO_REGISTERS, step_number(b, odd))));
  ir_list_add(b->arena, out, temporal_each_point(b, stored(b, odd)));
}

/* Has the point everything that this step needs? Counts the steps that move, including this one. */
static struct ir_expr *is_right(struct building *b, bool odd)
{
  bool first = b->period->moves[0], second = b->period->moves[1];
  struct ir_expr *two = first && second   ? use(b, b->step)
                        : first || second ? join(b, IR_OP_DIV, use(b, b->step), number(b, 2))
                                          : number(b, 0);
  int64_t more = first + (odd && second);

  return join(b, more ? IR_OP_LT : IR_OP_LE, plus(b, two, more ? more - 1 : 0),
              temporal_of_point(b, b->live));
}

static void careful_step(struct building *b, bool odd, struct ir_list *out)
{
  struct ir_stmt *body = temporal_code_of(b, odd, false, TO_TILE, step_number(b, odd));
  if (b->shape->warps) temporal_exchange(b, odd, out);
  ir_list_add(b->arena, out, temporal_each_point(b, ir_build_if(b->arena, is_right(b, odd), body)));
}

/* Is the point one that no other block computes? */
static struct ir_expr *is_own(struct building *b)
{
  const struct temporal_period *p = b->period;
  struct ir_expr *own = NULL;

  for (unsigned axis = 0; axis < first_kernel(b)->axes; axis++) {
    struct ir_expr *below =
        p->low[axis] > 1 ? join(b, IR_OP_MUL, margin(b), number(b, p->low[axis])) : margin(b);
    struct ir_expr *above =
        p->high[axis] > 1 ? join(b, IR_OP_MUL, margin(b), number(b, p->high[axis])) : margin(b);
    if (p->low[axis]) own = both(b, own, join(b, IR_OP_GE, use(b, b->local[axis]), below));
    if (p->high[axis])
      own = both(b, own,
                 join(b, IR_OP_LT, use(b, b->local[axis]),
                      join(b, IR_OP_SUB, number(b, b->shape->tile[axis]), above)));
  }
  return own ? own : number(b, 1);
}

/* The last blind step: all points compute, and a block's own ones are stored. */
static void blind_last_step(struct building *b, struct ir_list *out)
{
  struct ir_list stores = {0};

  if (b->shape->warps) temporal_exchange(b, false, out);
  for (unsigned i = 0; i < b->tile_count; i++)
    if (temporal_is_written(b, i, false)) {
      if (!b->shape->warps)
        ir_list_add(b->arena, out, ir_build_decl(b->arena, b->results[i], NULL));
      ir_list_add(b->arena, &stores,
                  assign(b, temporal_memory_element(b, i), temporal_result(b, i)));
    }
  ir_list_add(b->arena, out,
              temporal_each_point(
                  b, temporal_code_of(b, false, true, TO_REGISTERS, plus(b, depth(b), -1))));
  ir_list_add(
      b->arena, out,
      temporal_each_point(b, ir_build_if(b->arena, is_own(b), ir_build_body(b->arena, &stores))));
}

static void careful_last_step(struct building *b, struct ir_list *out)
{
  struct ir_expr *own = join(b, IR_OP_GE, temporal_of_point(b, b->live), margin(b));
  struct ir_stmt *code = temporal_code_of(b, false, false, TO_MEMORY, plus(b, depth(b), -1));
  if (b->shape->warps) temporal_exchange(b, false, out);
  ir_list_add(b->arena, out, temporal_each_point(b, ir_build_if(b->arena, own, code)));
}

/* Does a warp load, in each step, elements that it could load steps ahead? pathfinder, 100 rows of
 * 2^20: 0.191 ms with four times two steps in a row, 0.214 with two. */
static bool loads_others(const struct building *b)
{
  return is_line(b) &&
         (b->period->kernels[0]->other_bytes > 0 || b->period->kernels[1]->other_bytes > 0);
}

struct ir_stmt *temporal_all_steps(struct building *b, bool blind)
{
  struct ir_list two = {0}, out = {0};

  if (blind) temporal_early_find(b, &out);
  for (unsigned odd = 0; odd < 2 && blind; odd++)
    ir_list_add(b->arena, &out, temporal_early_load(b, odd, number(b, odd)));
  for (unsigned odd = 0; odd < 2; odd++) {
    struct ir_list one = {0};
    (blind ? blind_step : careful_step)(b, odd, &one);
    ir_list_add(b->arena, &two,
                blind || b->shape->warps ? ir_build_block(b->arena, &one)
                                         : ir_build_body(b->arena, &one));
    if (!b->shape->warps && !SEEDED(STEPS_BARRIER)) ir_list_add(b->arena, &two, barrier(b));
  }
  struct ir_stmt *loop = ir_build_for(b->arena, b->step, number(b, 0), plus(b, depth(b), -1), 2,
                                      ir_build_block(b->arena, &two));
  loop->pragma = blind && loads_others(b) ? "#pragma unroll 4" : "#pragma unroll 1";
  ir_list_add(b->arena, &out, loop);
  (blind ? blind_last_step : careful_last_step)(b, &out);
  return ir_build_block(b->arena, &out);
}
