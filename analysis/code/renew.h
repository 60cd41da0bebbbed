/* SPDX-License-Identifier: MIT */
/* renew.h - locals whose value has become another one. */
#ifndef MESI_ANALYSIS_RENEW_H
#define MESI_ANALYSIS_RENEW_H

#include "analysis/code/code.h"

/* The body with variables of its own for locals that are set once, to a number that is not their
 * initialiser's any more. */
struct ir_stmt *code_renew_locals(struct code *, struct ir_stmt *body);
/* The body with a variable of its own for a local that it sets once, unlike the kernel as written.
 */
struct ir_stmt *code_renew_once(struct code *, struct ir_stmt *body, struct ir_var *local);

/* A kernel with its facts, its body and its table of locals, to go back to. */
struct code_kept {
  struct kernel_facts facts;
  struct ir_function kernel;
};

struct code_kept code_keep(const struct code *);
/* Drops the scan. */
void code_go_back(struct code *, const struct code_kept *);

#endif
