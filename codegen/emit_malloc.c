/* emit_malloc.c - tells the runtime where allocated VS memory holds pointers.
 *
 *     n = (struct node *)mesi_malloc(sizeof *n);
 *  => n = (struct node *)mesi_malloc_typed(sizeof *n, &_mesi_1f00_type_0);
 *
 * Requires lowered host functions. The element type is that of the cast around the call; a call without one, or in a
 * function that is not lowered (a template), keeps memory without pointers.
 */
#include <string.h>

#include "codegen/internal.h"

static bool is_pointer_to_data(const struct ir_type *type) {
  return type->kind == IR_TYPE_POINTER && type->element && type->element->kind != IR_TYPE_OTHER;
}

static bool holds_pointers(const struct ir_type *type) {
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return (type->kind == IR_TYPE_RECORD && type->pointer_count) || is_pointer_to_data(type);
}

static unsigned map_number(struct codegen *cg, const struct ir_type *type) {
  for (unsigned i = 0; i < cg->allocated.count; i++)
    if (cg->allocated.items[i] == type) return i;
  *ARENA_PUSH(cg->arena, &cg->allocated) = type;
  return cg->allocated.count - 1;
}

static const char *typed_name(const char *name) {
  if (!strcmp(name, "mesi_malloc")) return "mesi_malloc_typed";
  if (!strcmp(name, "mesi_calloc")) return "mesi_calloc_typed";
  return !strcmp(name, "mesi_realloc") ? "mesi_realloc_typed" : NULL;
}

static void visit(struct ir_expr *expr, void *context) {
  struct codegen *cg = context;
  if (expr->kind != IR_EXPR_CAST || expr->type->kind != IR_TYPE_POINTER) return;
  struct ir_expr *call = ir_strip(expr->operands[0]);
  const char *name = call->kind == IR_EXPR_CALL && call->text ? typed_name(call->text) : NULL;
  if (!name || call->place.in_macro || !holds_pointers(expr->type->element)) return;
  const struct unit_file *file = &cg->unit->files.items[call->place.file];
  if (strncmp(file->text + call->place.begin, call->text, strlen(call->text)) || file->text[call->place.end - 1] != ')') return;
  struct edits *edits = &cg->edits[call->place.file];
  edit_replace(edits, call->place.begin, call->place.begin + (unsigned)strlen(call->text), name);
  edit_insert(edits, call->place.end - 1,
              arena_format(cg->arena, ", &%s_type_%u", cg->table, map_number(cg, expr->type->element)));
}

void emit_typed_allocations(struct codegen *cg) {
  for (unsigned i = 0; i < cg->unit->functions.count; i++)
    if (cg->unit->functions.items[i]->body && cg->unit->functions.items[i]->is_host)
      ir_visit_stmt_exprs(cg->unit->functions.items[i]->body, visit, cg);
  for (unsigned i = 0; i < cg->unit->globals.count; i++) ir_visit_expr(cg->unit->globals.items[i]->init, visit, cg);
}

void emit_allocation_maps(struct codegen *cg, struct text *out) {
  for (unsigned i = 0; i < cg->allocated.count; i++) {
    const struct ir_type *type = cg->allocated.items[i];
    while (type->kind == IR_TYPE_ARRAY) type = type->element;
    bool record = type->kind == IR_TYPE_RECORD;
    text_format(out, "static const size_t %s_type_%u_offsets[] = {", cg->table, i);
    for (unsigned k = 0; k < (record ? type->pointer_count : 1); k++)
      text_format(out, "%s%llu", k ? ", " : "", record ? (unsigned long long)type->pointer_offsets[k] : 0ull);
    text_format(out, "};\nstatic const struct mesi_pointer_map %s_type_%u = {%lld, %u, %s_type_%u_offsets};\n", cg->table, i,
                (long long)type->size, record ? type->pointer_count : 1u, cg->table, i);
  }
}
