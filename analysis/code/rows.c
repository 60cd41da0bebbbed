/* SPDX-License-Identifier: MIT */
/* rows.c - what a launch has to fulfil so that flat arrays have rows.
 *
 *     for (k = 0; k < nk; k++) sum += a[i * 1024 + k] * ...     =>     nk <= 1024
 *     if (j < nj) c[i * ld + j] = ...                           =>     nj <= ld
 *
 * Requires: code with facts. Produces conditions over the kernel's parameters, which the launch can
 * evaluate. Gives up on an array whose rows depend on more than the host knows.
 */
#include "analysis/code/code.h"
#include "analysis/code/host_set.h"
#include "analysis/range/candidate.h"
#include "analysis/sets/lower.h"

enum { MOST_CONSTRAINTS = 3 };

/* Of parameters alone: blockDim and gridDim are those of the launch as written. */
static bool of_parameters(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool fine = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    fine &= symbol_of_param(space, (unsigned)i)->kind == SYMBOL_SCALAR ||
            isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) == isl_bool_false;
  isl_space_free(space);
  return fine;
}

static struct ir_expr *rows_of(struct code *code, struct array *array)
{
  isl_set *missing = candidate_missing(&code->symbols, array);
  isl_set *holds = missing ? host_avoids(&code->symbols, missing) : NULL;
  struct ir_expr *expr = holds && of_parameters(holds)
                             ? lower_set(&code->symbols, holds, NULL, MOST_CONSTRAINTS)
                             : NULL;
  int64_t value;

  isl_set_free(holds);
  return expr && !ir_constant(expr, &value) ? expr : NULL;
}

unsigned code_ask_rows(struct code *code, struct ir_expr **ret, unsigned most)
{
  unsigned count = 0;

  code_scan(code);
  for (unsigned i = 0; i < code->access.arrays.count && count < most; i++) {
    struct ir_expr *expr = rows_of(code, code->access.arrays.items[i]);
    bool known = !expr;
    for (unsigned k = 0; k < count && !known; k++) known = ir_same_expr(ret[k], expr);
    if (!known && !code_exhausted(code)) ret[count++] = expr;
  }
  return count;
}
