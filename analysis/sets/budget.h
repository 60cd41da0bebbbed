/* SPDX-License-Identifier: MIT */
/* budget.h - limits the work on a kernel and on a unit, counted in steps.
 *
 * A step is one number that isl's arithmetic allocates, or 16 numbers that it changes in a tableau:
 * about 0.3 microseconds of work, and the same count on every machine, idle or busy. All isl
 * contexts of the analysis are made here, so all of them end with the budget. */
#ifndef MESI_ANALYSIS_BUDGET_H
#define MESI_ANALYSIS_BUDGET_H

#include <stdbool.h>

#include <isl/ctx.h>

enum {
  BUDGET_KERNEL = 5000000, /* steps: about two seconds */
  BUDGET_UNIT = 6500000,
  BUDGET_USUAL = 10,     /* kernels of a unit, for which that is */
  BUDGET_MORE = 350000,  /* for each further one, */
  BUDGET_MOST = 12000000 /* up to this */
};

/* The steps of a unit with so many kernels. */
unsigned long budget_of_unit(unsigned kernels);

/* The steps of each kernel and of the unit, and the number of calls of budget_begin_kernel(). */
void budget_begin(unsigned long kernel_steps, unsigned long unit_steps, unsigned kernels);
void budget_end(void);
/* Gives one kernel, under the facts of a launch, a share of the unit's budget: up to four times
 * the mean that is left for each remaining kernel. Late kernels of a large unit get up to two
 * fifths of `kernel_steps` each, until the unit has used up 7/4 of its steps. */
void budget_begin_kernel(void);
void budget_end_kernel(void); /* the rest of the unit goes on */
/* A first attempt gets one part of `parts` of the steps that are left; the next one the rest, even
 * if the first used up its own. Returns what budget_end_part() needs. */
unsigned long budget_begin_part(unsigned parts);
void budget_end_part(unsigned long begun);
/* Are the steps used up? Then no further attempt finds anything. */
bool budget_is_spent(void);
/* Have the kernel's steps, or those of a part, ended since the kernel began? Then it is not
 * examined to its end. */
bool budget_was_cut(void);
/* Why a question has no answer: the steps are used up, or `otherwise`. */
const char *budget_obstacle(const char *otherwise);

/* A context that continues after an error, answers each question within `operations` of isl, and is
 * aborted with the budget. budget_free_ctx() ends it. */
isl_ctx *budget_new_ctx(unsigned long operations);
void budget_free_ctx(isl_ctx *);
/* Has the context left a question without an answer? If memory was exhausted the program ends, as
 * everywhere: a plan does not depend on that. */
bool budget_unanswered(isl_ctx *);

#endif
