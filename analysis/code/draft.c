/* SPDX-License-Identifier: MIT */
/* draft.c - operations that all transformations apply to a draft. A changed body gets nodes of its
 * own. Text in it that names a removed local (sizeof, casts) gets its meaning. */
#include "analysis/code/draft.h"

#include "runtime/seeded.h"

/* ---- names of removed locals ---- */

struct lost_names {
  const struct ir_function *function;
  bool *declared; /* by local */
};

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct lost_names *lost = context;

  if (stmt->kind == IR_STMT_DECL && ir_owns(lost->function, stmt->var))
    lost->declared[stmt->var->id] = true;
  return true;
}

/* Does the text name a local that the body no longer declares? */
static bool names_lost(const struct lost_names *lost, const char *text)
{
  const struct ir_function *function = lost->function;

  for (unsigned i = 0; i < function->var_count && text; i++) {
    const struct ir_var *var = function->vars[i];
    if (!lost->declared[i] && var->name && ir_text_has_name(text, var->name)) return true;
  }
  return false;
}

/* Replaces sizeof(v) by its number, and (decltype(v))x by a cast to the type itself. */
static struct ir_expr *replace_lost(struct ir_rewriter *r, struct ir_expr *expr)
{
  bool size = expr->kind == IR_EXPR_SIZEOF && expr->has_value;

  if ((!size && expr->kind != IR_EXPR_CAST) || !names_lost(r->context, expr->text)) return NULL;
  struct ir_expr *value =
      size ? ir_build_int(r->arena, expr->value) : ir_rewrite_expr(r, expr->operands[0]);
  return ir_build_cast(r->arena, expr->type, value);
}

/* Keeps the meaning of text that is printed as written and names removed locals. */
static void settle_text(struct draft *draft)
{
  struct arena *arena = draft->code.arena;
  struct ir_function *kernel = draft->code.facts.kernel;
  struct lost_names lost = {kernel, arena_alloc(arena, kernel->var_count + 1)};
  struct ir_rewriter rewriter = {arena, replace_lost, &lost};

  for (unsigned i = 0; i < kernel->var_count; i++)
    lost.declared[i] = kernel->vars[i]->kind == IR_VAR_PARAM;
  ir_visit_stmts(kernel->body, note_declared, &lost);
  if (!SEEDED(LOST_NAME_KEPT)) kernel->body = ir_rewrite_stmt(&rewriter, kernel->body);
}

void draft_own_body(struct draft *draft)
{
  code_drop_scan(&draft->code);
  settle_text(draft);
  ir_own_body(draft->code.arena, draft->code.facts.kernel);
}
