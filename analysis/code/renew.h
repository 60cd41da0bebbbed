/* SPDX-License-Identifier: MIT */
/* renew.h - locals whose value has become another one. */
#ifndef MESI_ANALYSIS_RENEW_H
#define MESI_ANALYSIS_RENEW_H

#include "analysis/code/code.h"

/* The body with variables of its own for locals that are set once, to a number that is not their
 * initialiser's any more. */
struct ir_stmt *code_renew_locals(struct code *, struct ir_stmt *body);

#endif
