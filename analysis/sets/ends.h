/* SPDX-License-Identifier: MIT */
/* ends.h - the first and the last element of a set of numbers. */
#ifndef MESI_ANALYSIS_ENDS_H
#define MESI_ANALYSIS_ENDS_H

#include "analysis/sets/symbol.h"

/* The first and the last element of [params] -> { [i] }, each in a form of one piece ({ [] -> aff
 * }). NULL: there is none, or it takes several pieces. */
void ends_of(struct symbols *, __isl_take isl_set *set, isl_pw_aff **ret_low,
             isl_pw_aff **ret_high);
/* An end of one bounded basic set. NULL: it takes many operations of isl, or has many quotients,
 * which is no error. (isl_set_dim_min() would unite the pieces of the answer, and loses its way
 * where a limit ends that.) */
__isl_give isl_pw_aff *ends_of_basic(__isl_keep isl_set *set, bool low);
/* The form of one piece that equals `form`. NULL: it takes several. */
__isl_give isl_pw_aff *ends_only_piece(__isl_take isl_pw_aff *form);
void ends_forget(struct symbols *); /* drops the answers that ends_of keeps */

#endif
