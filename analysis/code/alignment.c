/* SPDX-License-Identifier: MIT */
/* alignment.c - multiples, and arrays that begin and end at multiples of 16 bytes: proved from the
 * code, or checked by the launch.
 *
 *     a[i * n + 4 * t], 4 divides n (precondition.c)   =>   the form is a multiple of 4
 *
 * Requires: a scan. Where the code may assume nothing, only proofs count.
 */
#include "analysis/code/alignment.h"

#include "analysis/code/precondition.h"
#include "runtime/seeded.h"

/* Is the symbol a multiple, or may it be assumed to be one? */
bool symbol_is_multiple(struct code *scan, const struct symbol *symbol, int64_t of)
{
  if (symbol->multiple_of > 0 && symbol->multiple_of % of == 0) return true;
  if (symbol->kind == SYMBOL_SCALAR)
    return precondition_multiple(scan, ir_build_var(scan->arena, symbol->var), of);
  return symbol->kind == SYMBOL_UNIFORM && !symbol->of_block &&
         precondition_multiple(scan, symbol->expr, of);
}

bool stride_is_multiple(struct code *scan, struct symbol *const stride[STRIDE_FACTORS], int64_t of)
{
  struct preconditions *all = scan->preconditions;
  struct preconditions before = all ? *all : (struct preconditions){0};
  bool is = false;

  for (unsigned i = 0; i < STRIDE_FACTORS && stride[i] && !is; i++) { /* nothing new is asked */
    is = symbol_is_multiple(scan, stride[i], of);
    if (!is || !all || precondition_same(&before, all)) continue;
    *all = before;
    is = false;
  }
  for (unsigned i = 0; i < STRIDE_FACTORS && stride[i] && !is; i++)
    is = symbol_is_multiple(scan, stride[i], of);
  return is;
}

bool form_is_multiple(struct code *scan, isl_pw_aff *form, int64_t of)
{
  if (!form || isl_pw_aff_isa_aff(form) != isl_bool_true) return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  bool multiple = isl_aff_dim(aff, isl_dim_div) == 0;
  for (int i = -1; multiple && i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_val *val =
        i < 0 ? isl_aff_get_constant_val(aff) : isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    isl_val *by = isl_val_int_from_si(isl_aff_get_ctx(aff), of);
    multiple = isl_val_is_divisible_by(val, by) == isl_bool_true;
    if (!multiple && i >= 0) {
      isl_space *space = isl_aff_get_domain_space(aff);
      multiple = symbol_is_multiple(scan, symbol_of_param(space, (unsigned)i), of);
      isl_space_free(space);
    }
    isl_val_free(by);
    isl_val_free(val);
  }
  isl_aff_free(aff);
  return multiple;
}

static const struct pointer_fact *fact_of(const struct kernel_facts *facts,
                                          const struct ir_var *var)
{
  for (unsigned i = 0; i < facts->kernel->param_count; i++)
    if (facts->kernel->params[i] == var) return &facts->pointers[i];
  return NULL;
}

/* Is the address of the array's first element a multiple of 16 bytes? Objects of the runtime and of
 * cudaMalloc are. */
bool array_is_aligned(struct code *scan, const struct array *array)
{
  const struct pointer_fact *fact = fact_of(&scan->facts, array->var);

  if (array->var->kind == IR_VAR_VS) return array->var->type->kind != IR_TYPE_POINTER;
  return (fact && fact->bound && fact->range_known && fact->low % 16 == 0) ||
         SEEDED(ALIGNMENT_UNASKED) || precondition_aligned(scan, array->var);
}

bool array_ends_aligned(const struct code *scan, const struct array *array)
{
  const struct ir_type *type = array->var->type;
  const struct pointer_fact *fact = fact_of(&scan->facts, array->var);

  if (array->var->kind == IR_VAR_VS && type->kind != IR_TYPE_POINTER)
    return type->size <= 0 || type->size % 16 == 0 || SEEDED(ROW_BEYOND_END);
  return !fact || !fact->bound || !fact->range_known || fact->high % 16 == 0;
}
