/* SPDX-License-Identifier: MIT */
/* likely.h - indices that are kept within an array by an operation, as what they are for threads
 * that are within it anyway. */
#ifndef MESI_ANALYSIS_LIKELY_H
#define MESI_ANALYSIS_LIKELY_H

#include "analysis/code/code.h"

struct likely {
  struct ir_expr *choice;  /* condition ? plain : written */
  struct ir_expr *written; /* in whose place it is */
};

struct likely_list {
  LIST_OF(struct likely) items;
};

/* The body with such choices, which are added to the list. */
struct ir_stmt *likely_choices(struct code *, struct ir_stmt *body, struct likely_list *);
/* What a choice stands for; NULL: it is none of the list. */
struct ir_expr *likely_written(const struct likely_list *, const struct ir_expr *choice);

/* Is the number made of parameters, constants and the launch's shape alone? */
bool likely_is_fixed(const struct code *, struct ir_expr *);

#endif
