/* SPDX-License-Identifier: MIT */
/* emit_malloc.c - tells the runtime the places of pointers in allocated VS memory.
 *
 *     n = (struct node *)mesi_malloc(sizeof *n);
 *  => n = (struct node *)mesi_malloc_typed(sizeof *n, &_mesi_1f00_type_0);
 *
 * Requires lowered host functions. The element type is that of the cast around the call. A call
 * without one, or in a function that is not lowered (a template), allocates memory without
 * pointers.
 */
#include <string.h>

#include "codegen/host/host.h"
#include "runtime/seeded.h"

static unsigned map_number(struct codegen *cg, const struct ir_type *type)
{
  for (unsigned i = 0; i < cg->allocated.count; i++)
    if (cg->allocated.items[i] == type) return i;
  *ARENA_PUSH(cg->arena, &cg->allocated) = type;
  return cg->allocated.count - 1;
}

static const char *typed_name(const char *name)
{
  if (!strcmp(name, "mesi_malloc")) return "mesi_malloc_typed";
  if (!strcmp(name, "mesi_calloc")) return "mesi_calloc_typed";
  return !strcmp(name, "mesi_realloc") ? "mesi_realloc_typed" : NULL;
}

static void visit(struct ir_expr *expr, void *context)
{
  struct codegen *cg = context;
  if (expr->kind != IR_EXPR_CAST || expr->type->kind != IR_TYPE_POINTER) return;
  struct ir_expr *call = ir_strip(expr->operands[0]);
  const char *name = call->kind == IR_EXPR_CALL ? typed_name(call->text) : NULL;
  if (!name || SEEDED(ALLOCATION_UNTYPED) || call->place.in_macro ||
      !ir_type_holds_pointers(expr->type->element))
    return;
  const struct unit_file *file = &cg->unit->files.items[call->place.file];
  if (strncmp(file->text + call->place.begin, call->text, strlen(call->text)) ||
      file->text[call->place.end - 1] != ')')
    return;
  struct edits *edits = &cg->edits[call->place.file];
  edit_replace(edits, call->place.begin, call->place.begin + (unsigned)strlen(call->text), name);
  edit_insert(
      edits, call->place.end - 1,
      arena_format(cg->arena, ", &%s_type_%u", cg->table, map_number(cg, expr->type->element)));
}

void emit_typed_allocations(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++)
    if (cg->unit->functions.items[i]->body && cg->unit->functions.items[i]->is_host)
      ir_visit_stmt_exprs(cg->unit->functions.items[i]->body, visit, cg);
  for (unsigned i = 0; i < cg->unit->globals.count; i++)
    ir_visit_expr(cg->unit->globals.items[i]->init, visit, cg);
}

void emit_allocation_maps(struct codegen *cg, struct text *out)
{
  for (unsigned i = 0; i < cg->allocated.count; i++)
    emit_pointer_map(out, cg->allocated.items[i],
                     arena_format(cg->arena, "%s_type_%u", cg->table, i));
}
