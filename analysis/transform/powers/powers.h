/* SPDX-License-Identifier: MIT */
/* powers.h - calls of pow with a constant exponent or base become products, roots and powers of two
 * and ten. */
#ifndef MESI_ANALYSIS_POWERS_H
#define MESI_ANALYSIS_POWERS_H

#include "analysis/code/draft.h"
#include "analysis/data/text_change.h"

/* ---- power_find.c ---- */

struct power {          /* what a call of pow becomes: function(operand) */
  const char *function; /* of mesi_power.h */
  unsigned operand;     /* of the call: 0 the base, 1 the exponent */
};

/* False: the call stays, or is no call of pow. *ret_why: the reason, if the exponent or the base is
 * a constant; NULL: none. */
bool power_find(struct arena *, const struct ir_expr *call, struct power *ret,
                const char **ret_why);
/* function(operand), of the call's own type */
struct ir_expr *power_build(struct arena *, const struct power *, const struct ir_expr *call,
                            struct ir_expr *operand);
/* Does a call in the body become another one? */
bool power_is_in(struct arena *, struct ir_stmt *body);

/* ---- power_text.c ---- */

/* Changes the text and the bodies of device functions and kernels that no template or macro makes.
 * Called once for a unit, before anything looks at it. */
void powers_in_text(struct unit *, struct text_changes *, struct remarks *);

/* ---- powers.c ---- */

/* The row of transforms.c: the calls that a draft still has. */
bool plan_powers(struct draft *);

#endif
