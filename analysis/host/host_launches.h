/* SPDX-License-Identifier: MIT */
/* host_launches.h - code that may start a kernel, or let another thread start one. */
#ifndef MESI_ANALYSIS_HOST_LAUNCHES_H
#define MESI_ANALYSIS_HOST_LAUNCHES_H

#include "analysis/host/host_index.h"

/* Sets ir_function.may_launch of every host function. Call once before the others. */
void host_launches_analyze(struct host_index *, struct unit *);
/* May the expression itself launch, without its operands? */
bool host_expr_may_launch(const struct host_index *, const struct host_node *);
/* May anything in the statement launch? */
bool host_stmt_may_launch(const struct host_index *, const struct ir_stmt *,
                          const struct ir_function *);

#endif
