/* SPDX-License-Identifier: MIT */
/* form.c - questions about an affine form over symbols.
 *
 *     n   =>   the symbol n         2 blockIdx.x + n   =>   uniform, of the block
 *
 * Requires: forms over the symbols of one kernel. Gives up: never; a form that isl did not compute
 * is no symbol's and the same as none.
 */
#include "analysis/sets/form.h"

bool form_of_block(isl_pw_aff *aff)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool found = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    found |= symbol->of_block && isl_pw_aff_involves_param_id(aff, symbol->id);
  }
  isl_space_free(space);
  return found;
}

bool form_is_uniform(isl_pw_aff *aff)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool uniform = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    uniform &= symbol_is_uniform(symbol) || !isl_pw_aff_involves_param_id(aff, symbol->id);
  }
  isl_space_free(space);
  return uniform;
}

bool form_same(isl_pw_aff *a, isl_pw_aff *b)
{
  isl_pw_aff *difference = isl_pw_aff_sub(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
  bool same = isl_pw_aff_is_cst(difference) == isl_bool_true && isl_pw_aff_n_piece(difference) == 1;

  if (same) {
    isl_aff *aff = isl_pw_aff_as_aff(difference);
    isl_val *value = isl_aff_get_constant_val(aff);
    same = isl_val_is_zero(value) == isl_bool_true;
    isl_val_free(value);
    isl_aff_free(aff);
    return same;
  }
  isl_pw_aff_free(difference);
  return false;
}

const struct symbol *form_symbol(isl_pw_aff *form)
{
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_space *space = isl_aff_get_domain_space(aff);
  isl_val *constant = isl_aff_get_constant_val(aff);
  bool plain = isl_val_is_zero(constant) == isl_bool_true && isl_aff_dim(aff, isl_dim_div) == 0;
  int found = -1;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param) && plain; i++) {
    isl_val *factor = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    bool one = isl_val_is_one(factor) == isl_bool_true;
    plain = isl_val_is_zero(factor) == isl_bool_true || (one && found < 0);
    if (one) found = i;
    isl_val_free(factor);
  }
  const struct symbol *symbol =
      plain && found >= 0 ? symbol_of_param(space, (unsigned)found) : NULL;
  isl_val_free(constant);
  isl_space_free(space);
  isl_aff_free(aff);
  return symbol;
}
