/* SPDX-License-Identifier: MIT */
/* plan_choice.c - the arrays among which each launch chooses, because only its arguments tell their
 * sizes.
 *
 *     a[row * n + k], 16 rows of a block, 0 <= k < n
 *         =>  size 16 x n, accesses of a thread: mesi_trips(n - 1, 1)
 *     c[row * n + col]                                  =>  size 16 x 16, accesses 1
 *
 * The runtime makes the greedy choice of the explicit-cache paper with these numbers
 * (runtime/launch/plan.c). Requires: legal candidates, at least one of them with a size that is not
 * constant, or a block shape that is not; a launch whose arguments can be evaluated in front of it.
 * Produces: stages with slots, sizes and counts. Gives up: more than CHOICES arrays; the ones with
 * the fewest accesses are left alone.
 */
#include "analysis/plan/staging/plan_choice.h"

#include <stdlib.h>

enum { CHOICES = 3, DIMS = 4, UNKNOWN_LENGTH = 64 }; /* as in mesi.h */

/* The likely gain, only for the choice among more than CHOICES arrays: those that pay for
 * themselves come first. */
static double likely_gain(const struct candidate *c)
{
  double bytes = (double)c->array->element->size * (c->segmentation ? UNKNOWN_LENGTH : 1);

  for (unsigned d = 0; d < c->dim_count; d++)
    bytes *= c->length[d] ? UNKNOWN_LENGTH : (double)c->size[d];
  return c->count / bytes;
}

static int by_likely_gain(const void *a, const void *b)
{
  const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;

  if (x->only_beside != y->only_beside) return x->only_beside ? 1 : -1;
  if (likely_gain(x) != likely_gain(y)) return likely_gain(x) < likely_gain(y) ? 1 : -1;
  return (x->order > y->order) - (x->order < y->order);
}

static int by_order(const void *a, const void *b)
{
  const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;
  return (x->order > y->order) - (x->order < y->order);
}

bool candidate_at_launch(const struct candidate *c)
{
  for (unsigned d = 0; d < c->dim_count; d++)
    if (c->length[d]) return true;
  return c->segmentation != NULL;
}

/* ---- accesses ---- */

static struct ir_expr *number(struct arena *arena, double value)
{
  static const struct ir_type type = {
      .kind = IR_TYPE_FLOAT, .spelling = "double", .size = 8, .align = 8, .extent = -1};
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);

  expr->kind = IR_EXPR_LITERAL;
  expr->id = UINT32_MAX;
  expr->type = &type;
  expr->text = arena_format(arena, value == (double)(int64_t)value ? "%.1f" : "%.17g", value);
  return expr;
}

/* The sum of scale * trips over the accesses; scales with the same trips are added first. */
static struct ir_expr *accesses_of(struct arena *arena, const struct candidate *c)
{
  const struct array *array = c->array;
  struct ir_expr *sum = NULL;

  for (unsigned i = 0; i < array->accesses.count; i++) {
    struct ir_expr *trips = array->accesses.items[i].trips;
    double scale = 0;
    bool counted = false;
    for (unsigned j = 0; j < array->accesses.count; j++) {
      if (array->accesses.items[j].trips != trips) continue;
      counted |= j < i;
      scale += array->accesses.items[j].scale;
    }
    if (counted) continue;
    struct ir_expr *part = !trips ? number(arena, scale)
                           : scale == 1
                               ? trips
                               : ir_build_binary(arena, IR_OP_MUL, number(arena, scale), trips);
    sum = sum ? ir_build_binary(arena, IR_OP_ADD, sum, part) : part;
  }
  return sum ? sum : number(arena, 0);
}

/* ---- the stages ---- */

/* Is the length of its rows the launch's, and has each thread a row of its own? Rows of an odd
 * number of elements have them in different banks. (k-means over rows of 32 floats in blocks of 256
 * took 1791 us on an H200 where rows were 32 elements apart, 1478 as written.) */
static bool has_rows_of_threads(struct symbols *symbols, const struct candidate *c)
{
  const struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX);
  bool apart = false;

  if (c->segmentation || c->dim_count < 2 || c->size[c->dim_count - 1] > 0 ||
      c->array->element->size < 4 || c->array->element->size > 8)
    return false;
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    for (unsigned d = 0; d + 1 < c->dim_count; d++)
      apart |=
          isl_pw_aff_involves_param_id(c->index[i * c->dim_count + d], thread->id) == isl_bool_true;
  return apart;
}

static bool can_be_chosen(struct stager *stager, struct symbols *symbols, struct candidate *c,
                          const struct candidate **segmented, struct stage *ret)
{
  if (c->reject) return false;
  if (c->segmentation && *segmented && *segmented != c) {
    candidate_reject(c, &c->place, "another array has segments that are fetched anew");
    return false;
  }
  if (c->dim_count > DIMS) {
    candidate_reject(c, &c->place, "it has too many dimensions for a choice at the launch");
    return false;
  }
  if (!candidate_lower(stager, symbols, c, ret)) return false;
  ret->accesses_at_launch =
      c->segmentation ? c->segmentation->accesses : accesses_of(symbols->arena, c);
  ret->only_beside = c->only_beside;
  ret->odd_rows = has_rows_of_threads(symbols, c);
  if (c->segmentation) *segmented = c;
  return true;
}

unsigned plan_choice(struct stager *stager, struct symbols *symbols, struct candidate **candidates,
                     unsigned count, struct stage *ret_stages)
{
  const struct candidate *segmented = NULL;
  unsigned chosen = 0;

  qsort(candidates, count, sizeof *candidates, by_likely_gain);
  for (unsigned i = 0; i < count; i++) {
    if (chosen == CHOICES)
      candidate_reject(candidates[i], &candidates[i]->place,
                       "other arrays with more accesses are chosen from at the launch");
    struct stage stage;
    chosen += can_be_chosen(stager, symbols, candidates[i], &segmented, &stage);
  }
  qsort(candidates, count, sizeof *candidates, by_order);
  chosen = 0;
  for (unsigned i = 0; i < count; i++)
    if (can_be_chosen(stager, symbols, candidates[i], &segmented, &ret_stages[chosen])) {
      ret_stages[chosen].slot = chosen;
      chosen++;
    }
  return chosen;
}
