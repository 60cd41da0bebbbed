/* SPDX-License-Identifier: MIT */
/* loop_forms.c - loops in the form that the other rows know.
 *
 *     const float *p = a + i * n, *q = b + j;
 *     int k = 0;
 *     while (k < n) {                        for (k = 0; k < n; k++)
 *       s += *p++ * *q;                =>      s += p[k] * q[(long long)k * n];
 *       q += n;
 *       k++;
 *     }
 *
 * The walk knows nothing of a number that a loop steps by hand: it has no range, so there is no
 * tile. The rewriting goes loop by loop, the inner ones first. The head gets the canonical form
 * (loop_heads.c); then each variable that the body steps becomes an expression of the iterator
 * (loop_steps.c). Both compute the same numbers in the same order. Requires: the IR as the frontend
 * has it. An iteration that ends early by a `continue` gets a condition around its rest. Produces:
 * the places in draft->formed. Costs: nothing; the code is printed only where another row takes the
 * kernel. Gives up without a remark: nothing is lost.
 */
#include "analysis/transform/loop_forms/loop_forms.h"

#include "analysis/code/loop.h"
#include "analysis/code/shape_free.h"

struct write_search {
  const struct ir_var *var;
  bool found;
};

static void note_write(struct ir_expr *expr, void *context)
{
  struct write_search *s = context;

  s->found |= ir_writes_var(expr, s->var);
}

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct write_search *s = context;

  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  return true;
}

bool loop_forms_writes(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct write_search s = {var, false};

  ir_visit_stmt_exprs(stmt, note_write, &s);
  ir_visit_stmts(stmt, note_declared, &s);
  return s.found;
}

struct stay_search {
  struct ir_stmt *stmt;
  const struct ir_expr *place; /* of &p[n], which loads nothing; NULL: none */
  bool stays;
};

static void note_changing(struct ir_expr *expr, void *context)
{
  struct stay_search *s = context;

  switch (expr->kind) {
  case IR_EXPR_VAR:
    s->stays &= (expr->var->kind == IR_VAR_LOCAL || expr->var->kind == IR_VAR_PARAM) &&
                !expr->var->address_taken && !expr->var->is_static &&
                expr->var->type->kind != IR_TYPE_REFERENCE && !expr->var->type->is_volatile &&
                !loop_forms_writes(s->stmt, expr->var);
    break;
  case IR_EXPR_INT:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN:
  case IR_EXPR_SIZEOF: break;
  case IR_EXPR_BINARY: s->stays &= expr->op != IR_OP_COMMA; break;
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_ADDRESS) s->place = ir_strip(expr->operands[0]);
    s->stays &= expr->op == IR_OP_NEG || expr->op == IR_OP_PLUS || expr->op == IR_OP_BIT_NOT ||
                (expr->op == IR_OP_ADDRESS && s->place->kind == IR_EXPR_INDEX);
    break;
  case IR_EXPR_INDEX:
    s->stays &= expr == s->place && ir_strip(expr->operands[0])->type->kind == IR_TYPE_POINTER;
    break;
  default: s->stays = false;
  }
}

bool loop_forms_stays(struct ir_expr *expr, struct ir_stmt *stmt)
{
  struct stay_search s = {stmt, NULL, true};

  ir_visit_expr(expr, note_changing, &s);
  return s.stays;
}

bool loop_forms_continues(const struct ir_stmt *body)
{
  if (!body || loop_is_one(body)) return false;
  if (body->kind == IR_STMT_CONTINUE || body->kind == IR_STMT_GOTO) return true;
  bool found = loop_forms_continues(body->body) || loop_forms_continues(body->else_body);
  for (unsigned i = 0; i < body->child_count; i++) found |= loop_forms_continues(body->children[i]);
  return found;
}

void loop_forms_note(struct loop_forming *f, const struct ir_stmt *loop, const char *what)
{
  *ARENA_PUSH(f->code->arena, &f->draft->formed) =
      (struct formed){loop->place, DIAG_LOOP_FORMED, DIAG_LOOP_FORMED, NULL, what};
}

/* ---- all statements ---- */

static struct ir_stmt *form(struct loop_forming *f, struct ir_stmt *stmt);

/* Without the declarations of ends that no loop compares with any more. */
static void drop_ends(struct arena *arena, struct ir_list *list)
{
  struct ir_stmt *block = code_without_unused(arena, ir_build_block(arena, list));

  list->items.count = 0;
  for (unsigned i = 0; i < block->child_count; i++) ir_list_add(arena, list, block->children[i]);
}

static struct ir_stmt *form_list(struct loop_forming *f, const struct ir_stmt *block)
{
  struct arena *arena = f->code->arena;
  struct ir_list list = {0};

  bool walked = f->walked;

  f->walked = false;
  for (unsigned i = 0; i < block->child_count; i++) {
    struct ir_stmt *child = form(f, block->children[i]);
    child = loop_forms_head(f, child, list.items.items, list.items.count);
    ir_list_add(arena, &list, child);
  }
  if (f->walked) drop_ends(arena, &list);
  f->walked = walked;
  loop_forms_steps(f, &list);
  struct ir_stmt *copy = ir_copy_stmt(arena, block);
  copy->children = list.items.items;
  copy->child_count = list.items.count;
  return copy;
}

/* if (c) continue; rest   =>   if (!c) { rest }: the body of a loop, if no `continue` is left. */
static struct ir_stmt *without_continue(struct loop_forming *f, const struct ir_stmt *loop)
{
  if (!loop->loop || !loop_forms_continues(loop->body)) return loop->body;
  struct ir_stmt *body = shape_without_jumps(f->code->arena, loop->body, IR_STMT_CONTINUE);
  if (loop_forms_continues(body)) return loop->body;
  loop_forms_note(f, loop, "iterations that end early as conditions");
  return body;
}

static struct ir_stmt *form(struct loop_forming *f, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  stmt = loop_forms_regular(f, stmt);
  if (stmt->kind == IR_STMT_BLOCK) return form_list(f, stmt);
  if (!stmt->body && !stmt->else_body) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(f->code->arena, stmt);
  copy->body = stmt->kind == IR_STMT_SWITCH ? stmt->body : form(f, without_continue(f, stmt));
  copy->else_body = form(f, stmt->else_body);
  /* A loop may be the whole body. */
  if (copy->body) copy->body = loop_forms_head(f, copy->body, NULL, 0);
  if (copy->else_body) copy->else_body = loop_forms_head(f, copy->else_body, NULL, 0);
  return copy;
}

bool plan_loop_forms(struct draft *draft)
{
  struct loop_forming f = {draft, &draft->code, false};
  unsigned before = draft->formed.count;

  struct ir_stmt *body = form(&f, draft->code.facts.kernel->body);
  if (draft->formed.count == before) return false;
  code_drop_scan(&draft->code);
  draft->code.facts.kernel->body = body;
  draft_own_body(draft);
  return true;
}
