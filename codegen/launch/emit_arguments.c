/* SPDX-License-Identifier: MIT */
/* emit_arguments.c - the arguments of a launch.
 *
 *     k<<<g, b>>>(a, s, n)
 *  =>
 *     k<<<g, b>>>(mesi_arg(a, MESI_READ), mesi_arg_record(s, MESI_READ_WRITE, {0, 16}), n)
 *
 * Requires the launch's plan: the kernel's effects on the memory behind each argument. Arguments
 * keep their text, and the text around them keeps their type.
 */
#include <string.h>

#include "codegen/launch/launch.h"
#include "codegen/launch/launching.h"
#include "codegen/print/print.h"
#include "codegen/print/range.h"
#include "codegen/text/source.h"
#include "runtime/seeded.h"

static bool is_null_literal(const struct launching *l, const struct launch_arg *arg)
{
  const struct ir_expr *expr = arg->expr ? ir_strip(arg->expr) : NULL;
  struct token token = {TOKEN_NAME, arg->place.begin, arg->place.end};
  return token_is(l->text, token, "NULL") || token_is(l->text, token, "0") ||
         token_is(l->text, token, "nullptr") || (expr && expr->kind == IR_EXPR_INT);
}

static const struct ir_type *record_type(const struct launching *l, unsigned index)
{
  const struct ir_expr *expr = l->launch->args[index].expr;
  const struct ir_var *param = launch_param(l->launch, index);
  const struct ir_type *type = param ? param->type : NULL;
  if (!type || type->kind != IR_TYPE_RECORD)
    type = expr ? ir_strip((struct ir_expr *)expr)->type : NULL;
  while (type && type->kind == IR_TYPE_REFERENCE) type = type->element;
  return type;
}

static void wrap_record(struct launching *l, unsigned index, unsigned access)
{
  const struct ir_type *type = record_type(l, index);
  const char *offsets = "";
  for (unsigned i = 0; type && i + SEEDED(RECORD_POINTER_MISSED) < type->pointer_count; i++)
    offsets = arena_format(l->cg->arena, "%s%s%llu", offsets, i ? ", " : "",
                           (unsigned long long)type->pointer_offsets[i]);
  const struct ir_place *place = &l->launch->args[index].place;
  const char *braced = braced_type(l->cg, l->launch, index);
  edit_wrap(l->edits, place->begin, place->end,
            braced ? arena_format(l->cg->arena, "mesi_arg_record<%s>(", braced)
                   : "mesi_arg_record(",
            arena_format(l->cg->arena, ", %s, {%s})", access_name(access), offsets));
}

static bool is_conversion(const struct ir_expr *expr)
{
  const char *name = expr->callee ? expr->callee->name : expr->text;
  return expr->kind == IR_EXPR_CALL && name && !strncmp(name, "operator ", strlen("operator "));
}

/* The cast of an argument to the parameter's pointer type: for a class that converts to it, or for
 * braces. Of a kernel behind a pointer only the type of the converted argument is known. */
static const char *pointer_cast(const struct launching *l, unsigned index)
{
  const char *braced = braced_type(l->cg, l->launch, index);
  if (braced) return arena_format(l->cg->arena, "mesi_value<%s>(", braced);
  const struct ir_expr *expr = l->launch->args[index].expr;
  const struct ir_var *param = launch_param(l->launch, index);
  const struct ir_type *type = param ? param->type : expr ? expr->type : NULL;
  while (expr && (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN))
    expr = expr->operands[0];
  if (!expr || (expr->type->kind != IR_TYPE_RECORD && !is_conversion(expr))) return NULL;
  if (type->kind != IR_TYPE_POINTER || (!param && SEEDED(POINTED_KERNEL_UNCAST))) return NULL;
  return arena_format(l->cg->arena, "static_cast<%s>(", elaborated_type(l->cg->arena, type));
}

static void wrap_pointer(struct launching *l, unsigned index)
{
  const struct arg_plan *arg = &l->plan->args[index];
  const struct ir_place *place = &l->launch->args[index].place;
  const char *cast = pointer_cast(l, index);
  bool ranged = arg->range && (!arg->range->whole || l->part);
  const char *range =
      ranged ? (l->part ? part_arguments : range_arguments)(l->cg, l->launch, arg->range, index)
             : NULL;
  const char *call = range ? "mesi_arg_range(" : "mesi_arg(";
  edit_wrap(l->edits, place->begin, place->end,
            cast ? arena_format(l->cg->arena, "%s%s", call, cast) : call,
            arena_format(l->cg->arena, cast ? "), %s)" : ", %s)",
                         range ? range : access_name(arg->access)));
}

void wrap_args(struct launching *l)
{
  for (unsigned i = 0; i < launch_text_args(l->launch) && l->plan->args; i++) {
    const struct arg_plan *arg = &l->plan->args[i];
    const struct ir_place *place = &l->launch->args[i].place;
    if (arg->is_record) wrap_record(l, i, arg->access);
    if (arg->is_unknown)
      edit_wrap(l->edits, place->begin, place->end, "mesi_arg_any(",
                arena_format(l->cg->arena, ", %s)", access_name(arg->access)));
    bool left_out = i && i + 1 == launch_text_args(l->launch) && SEEDED(ARGUMENT_LEFT_OUT);
    if (arg->is_pointer && !left_out && !is_null_literal(l, &l->launch->args[i]))
      wrap_pointer(l, i);
  }
}

/* 0, NULL and braces lose their meaning when they are forwarded. */
void complete_args(struct launching *l)
{
  for (unsigned i = 0; i < launch_text_args(l->launch); i++) {
    const struct ir_var *param = launch_param(l->launch, i);
    const struct ir_place *place = &l->launch->args[i].place;
    const struct arg_plan *plan = l->plan->args ? &l->plan->args[i] : NULL;
    const char *braced = braced_type(l->cg, l->launch, i);
    bool pointer = (plan && plan->is_pointer) || (param && param->type->kind == IR_TYPE_POINTER);
    if (pointer && is_null_literal(l, &l->launch->args[i]))
      edit_replace(l->edits, place->begin, place->end, "nullptr");
    else if (braced && !((l->plan->hooked || SEEDED(BRACES_FORWARDED)) && plan &&
                         (plan->is_record || plan->is_pointer)))
      edit_wrap(l->edits, place->begin, place->end,
                arena_format(l->cg->arena, "mesi_value<%s>(", braced), ")");
  }
}
