/* SPDX-License-Identifier: MIT */
/* addressed.c - which kernel a call launches by its address.
 *
 *     cudaLaunchCooperativeKernel((void *)k, grid, block, args, 0, stream)      k
 *     cudaLaunchKernelEx(&config, k, a, n)                                      k
 *     cudaLaunchKernel(chosen, grid, block, args)                               none: not by name
 *
 * Codegen gives such a launch a site of its own, whose code copies and translates the arguments. So
 * the call is none of a library that may hand memory to the system. */
#include <string.h>

#include "translator/ir/ir.h"

static bool is_function(const struct ir_type *type)
{
  if (type->kind == IR_TYPE_POINTER) type = type->element;
  return type->kind == IR_TYPE_OTHER && !strncmp(type->spelling, "void (", 6);
}

/* The kernel's name below casts to void *. */
static const struct ir_expr *named_kernel(const struct ir_expr *expr)
{
  while (expr->operand_count == 1 && !is_function(expr->type) &&
         (expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT ||
          expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_OPAQUE))
    expr = expr->operands[0];
  return is_function(expr->type) && !expr->place.in_macro && expr->place.end > expr->place.begin
             ? expr
             : NULL;
}

const struct ir_expr *ir_addressed_kernel(const struct ir_expr *call)
{
  if (call->kind != IR_EXPR_CALL || call->place.in_macro || !call->text) return NULL;
  const char *name = call->text + (strncmp(call->text, "::", 2) ? 0 : 2);
  bool by_config = !strcmp(name, "cudaLaunchKernelEx"),
       by_address =
           !strcmp(name, "cudaLaunchCooperativeKernel") || !strcmp(name, "cudaLaunchKernel");
  if ((!by_config && !by_address) || call->operand_count < (by_address ? 4 : 2)) return NULL;
  return named_kernel(call->operands[by_address ? 0 : 1]);
}
