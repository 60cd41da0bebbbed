/* SPDX-License-Identifier: MIT */
/* begin.c - where the rows of a block begin: the part of an index that is the same for its threads.
 *
 *     in[b * places * row + t * row + h * size + c],  b and h of blockIdx.z
 *         =>  begins at b * places * row + h * size;  t * row + c is left
 *
 * Numbers along whose axes blocks have their elements (blockIdx.x, blockIdx.y) belong to the rows.
 * Requires: accesses. Gives up: accesses with other begins, divisions by numbers of threads.
 */
#include "analysis/range/candidate.h"

/* Is it the same for the block's threads, and none of the numbers along whose axes blocks have
 * their elements? Those belong to rows. */
static bool is_begin(const struct symbol *symbol)
{
  bool along = symbol->kind == SYMBOL_BUILTIN &&
               (symbol->builtin == IR_BLOCK_IDX || symbol->builtin == IR_BLOCK_IDX + 1);
  return symbol_is_uniform(symbol) && !along;
}

/* The form with 0 for all other symbols. NULL: it has several pieces, or divisions by these. */
static isl_pw_aff *part_of_block(isl_pw_aff *form)
{
  if (!form || isl_pw_aff_isa_aff(form) != isl_bool_true) return NULL;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_space *space = isl_aff_get_domain_space(aff);

  for (int i = 0; aff && i < isl_space_dim(space, isl_dim_param); i++) {
    if (is_begin(symbol_of_param(space, (unsigned)i))) continue;
    bool divides = false;
    for (int d = 0; d < isl_aff_dim(aff, isl_dim_div); d++) {
      isl_aff *div = isl_aff_get_div(aff, d);
      divides |= isl_aff_involves_dims(div, isl_dim_param, (unsigned)i, 1) != isl_bool_false;
      isl_aff_free(div);
    }
    aff = divides ? isl_aff_free(aff) : isl_aff_set_coefficient_si(aff, isl_dim_param, i, 0);
  }
  isl_space_free(space);
  return aff ? isl_pw_aff_from_aff(isl_aff_set_constant_si(aff, 0)) : NULL;
}

static bool is_of_block(isl_pw_aff *form)
{
  isl_space *space = isl_pw_aff_get_domain_space(form);
  bool of_block = space && symbols_all_uniform(space);

  isl_space_free(space);
  return of_block;
}

/* Turns terms that are the same for the block into symbols. */
static void join_block_terms(struct symbols *symbols, struct value *value)
{
  for (unsigned t = value->term_count; t-- > 0 && value->aff;) {
    struct value_term *term = &value->terms[t];
    struct symbol *product = is_of_block(term->coefficient)
                                 ? symbol_of_product(symbols, term->coefficient, term->stride)
                                 : NULL;
    if (!product) continue;
    value->aff = isl_pw_aff_add(value->aff, symbol_aff(symbols, product));
    isl_pw_aff_free(term->coefficient);
    value->terms[t] = value->terms[--value->term_count];
  }
}

isl_pw_aff *candidate_take_begin(struct symbols *symbols, struct value *values, unsigned count)
{
  isl_pw_aff *begin = NULL;
  bool same = count > 0;

  for (unsigned i = 0; i < count; i++) join_block_terms(symbols, &values[i]);
  for (unsigned i = 0; i < count && same; i++) {
    isl_pw_aff *part = part_of_block(values[i].aff);
    same = part && (i ? isl_pw_aff_is_equal(part, begin) == isl_bool_true
                      : isl_pw_aff_is_cst(part) == isl_bool_false);
    if (i || !same)
      isl_pw_aff_free(part);
    else
      begin = part;
  }
  if (!same) return isl_pw_aff_free(begin);
  for (unsigned i = 0; i < count; i++)
    values[i].aff = isl_pw_aff_sub(values[i].aff, isl_pw_aff_copy(begin));
  return begin;
}
