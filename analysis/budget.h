/* budget.h - an end to the work on a unit. */
#ifndef MESI_ANALYSIS_BUDGET_H
#define MESI_ANALYSIS_BUDGET_H

#include <stdbool.h>

#include <isl/ctx.h>

void budget_begin(void);             /* for the unit */
void budget_end(void);
void budget_enter(isl_ctx *);        /* the context that works from here on; it must be left before it is freed */
void budget_leave(void);
bool budget_is_spent(void);

#endif
