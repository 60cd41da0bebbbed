/* SPDX-License-Identifier: MIT */
/* form.h - an affine form over symbols (private to analysis/sets). */
#ifndef MESI_ANALYSIS_FORM_H
#define MESI_ANALYSIS_FORM_H

#include "analysis/sets/symbol.h"

/* Does it use blockIdx, directly or through a symbol? */
bool form_of_block(isl_pw_aff *aff);
/* Has it one value in a block? */
bool form_is_uniform(isl_pw_aff *aff);
/* Are they the same number? */
bool form_same(isl_pw_aff *a, isl_pw_aff *b);
/* The symbol that the form, which is in one piece, consists of. NULL: it is another form. */
const struct symbol *form_symbol(isl_pw_aff *form);

#endif
