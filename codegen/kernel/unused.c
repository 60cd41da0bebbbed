/* SPDX-License-Identifier: MIT */
/* unused.c - the locals that a staged kernel no longer needs.
 *
 *     int row = ...; c[row][col] = 0;     =>     _s_c[threadIdx.y][threadIdx.x] = 0;
 *                                                without row and col
 *
 * Requires the variant's accesses. Produces printer.unused. A local stays where printed text names
 * it, or where its initialiser does more than compute a value.
 */
#include "codegen/kernel/stage.h"

struct usage {
  const struct staged *staged;
  bool *used; /* by variable id */
  bool changed;
};

/* `ret_kept`: the access is also printed as written, beside its replacement. */
static const struct stage_access *replaced(const struct staged *s, const struct ir_expr *expr,
                                           unsigned *ret_dims, bool *ret_kept)
{
  for (unsigned i = 0; i < s->variant->stage_count; i++)
    for (unsigned k = 0; k < s->variant->stages[i].access_count; k++)
      if (s->variant->stages[i].accesses[k].expr == expr) {
        *ret_dims = s->variant->stages[i].dim_count;
        *ret_kept = s->partly && s->variant->stages[i].segmentation;
        return &s->variant->stages[i].accesses[k];
      }
  return NULL;
}

static bool is_own(const struct staged *s, const struct ir_var *var)
{
  return (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && var->id < s->code->var_count &&
         s->code->vars[var->id] == var;
}

static void note(struct usage *u, const struct ir_expr *expr)
{
  if (!expr) return;
  unsigned dims = 0;
  bool kept = false;
  const struct stage_access *access = replaced(u->staged, expr, &dims, &kept);
  for (unsigned i = 0; access && i < dims; i++) note(u, access->index[i]);
  if (access && !kept) return;
  if (expr->kind == IR_EXPR_VAR && is_own(u->staged, expr->var) && !u->used[expr->var->id])
    u->used[expr->var->id] = u->changed = true;
  for (unsigned i = 0; i < expr->operand_count; i++) note(u, expr->operands[i]);
}

static void note_effect(struct ir_expr *expr, void *context)
{
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  if (steps || expr->kind == IR_EXPR_ASSIGN ||
      (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE))
    *(bool *)context = true;
}

static bool is_droppable(const struct ir_stmt *stmt)
{
  const struct ir_type *type = stmt->var->type;
  bool scalar = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
                type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_POINTER;
  bool effect = false;
  ir_visit_expr(stmt->expr, note_effect, &effect);
  return stmt->var->kind == IR_VAR_LOCAL && scalar && stmt->expr && !effect;
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct usage *u = context;
  if (stmt->kind == IR_STMT_DECL && is_droppable(stmt) && !u->used[stmt->var->id]) return true;
  note(u, stmt->expr);
  note(u, stmt->increment);
  return true;
}

/* Keeps declarations in a for statement or beside others. */
static bool keep_joined(struct ir_stmt *stmt, void *context)
{
  struct usage *u = context;
  const struct ir_stmt *joined = stmt->kind == IR_STMT_DECLS ? stmt
                                 : stmt->kind == IR_STMT_FOR ? stmt->init
                                                             : NULL;
  if (joined && joined->kind == IR_STMT_DECL) u->used[joined->var->id] = true;
  for (unsigned i = 0; joined && i < joined->child_count; i++)
    u->used[joined->children[i]->var->id] = true;
  return true;
}

void find_unused_locals(struct staged *s)
{
  struct usage u = {.staged = s, .used = arena_alloc(s->cg->arena, s->code->var_count + 1)};
  ir_visit_stmts(s->code->body, keep_joined, &u);
  do {
    u.changed = false;
    ir_visit_stmts(s->code->body, note_stmt, &u);
  } while (u.changed);
  bool *unused = arena_alloc(s->cg->arena, s->code->var_count + 1);
  for (unsigned i = 0; i < s->code->var_count; i++) unused[i] = !u.used[i];
  s->unused = unused;
}

bool is_unused_declaration(const struct staged *s, const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_DECL && is_own(s, stmt->var) && is_droppable(stmt) &&
         s->unused[stmt->var->id];
}
