/* SPDX-License-Identifier: MIT */
/* budget.c - the work that the analysis of one kernel, and of one unit, may take.
 *
 * isl's limit on operations bounds each question. It does not bound a unit: operations differ in
 * price by orders of magnitude with the size of sets and of numbers, and a unit may ask thousands
 * of questions. Behind it therefore stands a count of steps: isl computes in GMP's integers, and
 * each one that is allocated is a step. Where a kernel has used up its steps, or the unit its own,
 * all contexts are aborted: their operations fail from then on as at isl's limit, and what is still
 * to be analyzed is left as it is, with the reason in the remarks. Time is not looked at, so that
 * the same input gives the same output on every machine.
 *
 * Requires: one analysis at a time in a process. Produces: nothing. Gives up: never.
 */
#include "analysis/sets/budget.h"

#include <stdbool.h>
#include <stddef.h>

#include <gmp.h>
#include <isl/options.h>

enum { CONTEXTS = 64 }; /* that can be aborted; one more is bounded by its operations alone */

static struct {
  unsigned long steps;  /* since the budget began */
  unsigned long limit;  /* of the kernel at work, or of the unit; 0: no budget */
  unsigned long unit;   /* the unit's limit */
  unsigned long kernel; /* of each kernel */
  unsigned left;        /* kernels to come */
  bool spent;
  void *(*allocate)(size_t); /* GMP's own; NULL: nothing is counted yet */
  isl_ctx *contexts[CONTEXTS];
} budget;

static void spend(void)
{
  budget.spent = true;
  for (unsigned i = 0; i < CONTEXTS; i++)
    if (budget.contexts[i]) isl_ctx_abort(budget.contexts[i]);
}

static void *allocate(size_t bytes)
{
  if (++budget.steps == budget.limit) spend();
  return budget.allocate(bytes);
}

/* Before the first integer there is: GMP frees with the functions that are set then. */
static void count_steps(void)
{
  void *(*reallocate)(void *, size_t, size_t);
  void (*release)(void *, size_t);

  if (budget.allocate) return;
  mp_get_memory_functions(&budget.allocate, &reallocate, &release);
  mp_set_memory_functions(allocate, reallocate, release);
}

void budget_begin(unsigned long kernel_steps, unsigned long unit_steps, unsigned kernels)
{
  budget.steps = 0;
  budget.limit = budget.unit = unit_steps;
  budget.kernel = kernel_steps;
  budget.left = kernels;
  budget.spent = false;
}

void budget_end(void) { budget.limit = 0; }

static unsigned long least(unsigned long a, unsigned long b) { return a < b ? a : b; }

/* What is left up to `end`, for each of the kernels to come. */
static unsigned long mean_left(unsigned long end)
{
  unsigned long left = budget.steps < end ? end - budget.steps : 0;

  return left / (budget.left > 0 ? budget.left : 1);
}

void budget_begin_kernel(void)
{
  unsigned long last = budget.unit / 4 * 7, floor = least(budget.kernel / 4, mean_left(last)),
                share = least(budget.kernel, 3 * mean_left(budget.unit));

  budget.limit = least(budget.steps + (share > floor ? share : floor), last);
  budget.spent = budget.steps >= last;
  if (budget.left > 0) budget.left--;
}

void budget_end_kernel(void)
{
  budget.limit = budget.unit;
  budget.spent = budget.steps >= budget.unit;
}

const char *budget_obstacle(const char *otherwise)
{
  return budget.spent ? "its analysis, or that of its unit, takes too many steps" : otherwise;
}

isl_ctx *budget_new_ctx(unsigned long operations)
{
  count_steps();
  isl_ctx *ctx = isl_ctx_alloc();
  unsigned i = 0;

  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx, operations);
  while (i < CONTEXTS && budget.contexts[i]) i++;
  if (i < CONTEXTS) budget.contexts[i] = ctx;
  if (budget.spent) isl_ctx_abort(ctx);
  return ctx;
}

void budget_free_ctx(isl_ctx *ctx)
{
  for (unsigned i = 0; i < CONTEXTS; i++)
    if (budget.contexts[i] == ctx) budget.contexts[i] = NULL;
  isl_ctx_free(ctx);
}
