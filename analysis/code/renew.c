/* SPDX-License-Identifier: MIT */
/* renew.c - locals whose value has become another one.
 *
 *     int x = __mul24(blockIdx.x, 16);     =>     int x' = blockIdx.x * 16;
 *
 * Such a local is a variable of the copy: what is known of the old one are the values that it has
 * in the kernel as written, which stays. Requires: a body with rewritten initialisers.
 */
#include "analysis/code/renew.h"

#include <string.h>

#include "runtime/seeded.h"

struct renewal {
  struct code *code;
  struct ir_var *from, *to;
};

static struct ir_expr *renew(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct renewal *renewal = r->context;

  if (expr->kind != IR_EXPR_VAR || expr->var != renewal->from) return NULL;
  struct ir_expr *copy = ARENA_NEW(r->arena, struct ir_expr);
  *copy = *expr;
  copy->var = renewal->to;
  return copy;
}

static bool find_changed(struct ir_stmt *stmt, void *context)
{
  struct renewal *renewal = context;

  if (!renewal->from && stmt->kind == IR_STMT_DECL && stmt->expr && stmt->var->init &&
      ir_owns(renewal->code->facts.kernel, stmt->var) && stmt->expr != stmt->var->init &&
      stmt->var->kind == IR_VAR_LOCAL && stmt->var->write_count == 1 &&
      stmt->var->type->kind == IR_TYPE_INT)
    renewal->from = stmt->var;
  return true;
}

static struct ir_stmt *declare(struct ir_stmt *stmt, const struct renewal *renewal,
                               struct arena *arena)
{
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;

  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    if (*below) *below = declare(*below, renewal, arena);
  if (copy->init) copy->init = declare(copy->init, renewal, arena);
  if (copy->var != renewal->from) return copy;
  copy->var = renewal->to;
  renewal->to->init = copy->expr;
  return copy;
}

/* In the place of the old one in the copy's table. */
static struct ir_var *renewed(struct code *code, const struct ir_var *from)
{
  struct ir_function *kernel = code->facts.kernel;
  struct ir_var **vars = arena_alloc(code->arena, kernel->var_count * sizeof *vars);
  struct ir_var *to = ARENA_NEW(code->arena, struct ir_var);

  memcpy(vars, kernel->vars, kernel->var_count * sizeof *vars);
  *to = *from;
  vars[from->id] = to;
  kernel->vars = vars;
  return to;
}

struct ir_stmt *code_renew_locals(struct code *code, struct ir_stmt *body)
{
  struct renewal renewal = {.code = code};
  struct ir_rewriter rewriter = {code->arena, renew, &renewal};

  for (;;) {
    renewal.from = NULL;
    ir_visit_stmts(body, find_changed, &renewal);
    if (!renewal.from) return body;
    renewal.to = renewed(code, renewal.from);
    body = declare(ir_rewrite_stmt(&rewriter, body), &renewal, code->arena);
  }
}

struct ir_stmt *code_renew_once(struct code *code, struct ir_stmt *body, struct ir_var *local)
{
  struct renewal renewal = {code, local, renewed(code, local)};
  struct ir_rewriter rewriter = {code->arena, renew, &renewal};

  renewal.to->write_count = 1;
  return declare(ir_rewrite_stmt(&rewriter, body), &renewal, code->arena);
}

struct code_kept code_keep(const struct code *code)
{
  return (struct code_kept){code->facts, *code->facts.kernel};
}

void code_go_back(struct code *code, const struct code_kept *kept)
{
  struct ir_function renewed = *code->facts.kernel;

  code_drop_scan(code);
  code->facts = kept->facts;
  *code->facts.kernel = kept->kernel;
  if (SEEDED(RENEWED_FOREIGN)) code->facts.kernel->vars = renewed.vars;
}
