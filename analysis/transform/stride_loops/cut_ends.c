/* SPDX-License-Identifier: MIT */
/* cut_ends.c - a local that an `if` cuts to a limit keeps one value.
 *
 *     int end = start + chunk;                  int _end = start + chunk < n ? start + chunk : n;
 *     if (end > n) end = n;               =>
 *     for (i = start; i < end; i++)             for (i = start; i < _end; i++)
 *
 * Requires: a number of the launch as the limit; no use of the local in between. Gives up: another
 * assignment to it. */
#include "analysis/transform/stride_loops/stepping.h"

static struct ir_expr *assigned(const struct ir_stmt *stmt, const struct ir_var *var)
{
  while (stmt && stmt->kind == IR_STMT_BLOCK && stmt->child_count == 1) stmt = stmt->children[0];
  const struct ir_expr *expr =
      stmt && stmt->kind == IR_STMT_EXPR && stmt->expr ? ir_strip(stmt->expr) : NULL;
  bool is = expr && expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN &&
            ir_assigned_var(expr) == var;

  return is ? expr->operands[1] : NULL;
}

static bool is_var(struct ir_expr *expr, const struct ir_var *var)
{
  const struct ir_expr *bare = ir_strip(expr);
  return bare->kind == IR_EXPR_VAR && bare->var == var;
}

/* The limit of `if (var > limit) var = limit;`. NULL: it is another statement. */
static struct ir_expr *limit_of(const struct ir_stmt *stmt, const struct ir_var *var)
{
  const struct ir_expr *test =
      stmt->kind == IR_STMT_IF && !stmt->else_body ? ir_strip(stmt->expr) : NULL;

  if (!test || test->kind != IR_EXPR_BINARY) return NULL;
  bool above = test->op == IR_OP_GT || test->op == IR_OP_GE;
  if (!above && test->op != IR_OP_LT && test->op != IR_OP_LE) return NULL;
  struct ir_expr *limit = test->operands[above], *value = assigned(stmt->body, var);
  bool is = value && is_var(test->operands[!above], var) &&
            ir_type_is_int(test->operands[0]->type) && ir_type_is_int(test->operands[1]->type) &&
            ir_same_expr(ir_strip(limit), ir_strip(value));
  return is && code_is_launch_number(limit) ? limit : NULL;
}

struct renaming {
  const struct ir_var *from;
  struct ir_var *to;
};

static struct ir_expr *rename_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct renaming *names = r->context;
  bool is = expr->kind == IR_EXPR_VAR && expr->var == names->from;

  return is ? ir_build_var(r->arena, names->to) : NULL;
}

/* The block with the local that is declared at `at` and cut at `end` as another one. */
static struct ir_stmt *cut(struct code *code, struct ir_stmt *block, unsigned at, unsigned end,
                           struct ir_expr *limit)
{
  struct arena *arena = code->arena;
  const struct ir_stmt *decl = block->children[at];
  struct ir_var *var = code_local(code, arena_format(arena, "_%s", decl->var->name), ir_int_type());
  struct renaming names = {decl->var, var};
  struct ir_rewriter rewriter = {arena, rename_var, &names};
  struct ir_expr *below = ir_build_binary(arena, IR_OP_LT, decl->expr, limit);
  struct ir_list out = {0};

  var->init = ir_build_cond(arena, below, decl->expr, limit);
  var->write_count = 1;
  for (unsigned i = 0; i < block->child_count; i++)
    if (i == at)
      ir_list_add(arena, &out, ir_build_decl(arena, var, var->init));
    else if (i != end)
      ir_list_add(arena, &out,
                  i < end ? block->children[i] : ir_rewrite_stmt(&rewriter, block->children[i]));
  return ir_build_block(arena, &out);
}

/* With each declaration a statement of its own. */
static struct ir_stmt *declared_apart(struct arena *arena, const struct ir_stmt *block)
{
  struct ir_list out = {0};

  for (unsigned i = 0; i < block->child_count; i++) {
    struct ir_stmt *child = block->children[i];
    bool several = child->kind == IR_STMT_DECLS;
    for (unsigned k = 0; several && k < child->child_count; k++)
      ir_list_add(arena, &out, child->children[k]);
    if (!several) ir_list_add(arena, &out, child);
  }
  return ir_build_block(arena, &out);
}

static struct ir_stmt *cut_one(struct code *code, struct ir_stmt *block)
{
  for (unsigned i = 0; i < block->child_count; i++) {
    const struct ir_stmt *decl = block->children[i];
    if (decl->kind != IR_STMT_DECL || !decl->expr || !ir_type_is_int(decl->var->type) ||
        decl->var->write_count != 2 || decl->var->address_taken || ir_has_effects(decl->expr))
      continue;
    for (unsigned k = i + 1; k < block->child_count; k++) {
      struct ir_expr *limit = limit_of(block->children[k], decl->var);
      if (limit) return cut(code, block, i, k, limit);
      if (ir_stmt_has_var(block->children[k], decl->var)) break;
    }
  }
  return NULL;
}

struct ir_stmt *runs_cut_ends(struct code *code, struct ir_stmt *body)
{
  struct ir_stmt *block = body->kind == IR_STMT_BLOCK ? declared_apart(code->arena, body) : NULL,
                 *ret = body;

  while (block && (block = cut_one(code, block))) ret = block;
  return ret;
}
