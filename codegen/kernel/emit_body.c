/* SPDX-License-Identifier: MIT */
/* emit_body.c - the statements of a staged kernel.
 *
 *     if (i >= n) return;           =>  if (i < n) {
 *     b[i] = a[i - 1] + a[i];             _s_b[threadIdx.x] =
 *                                             _s_a[threadIdx.x] + _s_a[threadIdx.x + 1];
 *                                       }
 *
 * Staged accesses are replaced. Where an array is written back every thread has to reach the end:
 * an early return in the body itself becomes a condition, one further inside a goto out of the
 * block around the body.
 */
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

static bool is_return(const struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_BLOCK && stmt->child_count == 1) stmt = stmt->children[0];
  return stmt->kind == IR_STMT_RETURN && !stmt->expr;
}

static bool is_early_return(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_IF && !stmt->else_body && is_return(stmt->body);
}

/* ---- returns ---- */

static bool note_return(struct ir_stmt *stmt, void *context)
{
  bool *returns = context;
  if (stmt->kind == IR_STMT_RETURN) *returns = true;
  return true;
}

static const struct ir_stmt *last_statement(const struct ir_stmt *body)
{
  return body->child_count ? body->children[body->child_count - 1] : NULL;
}

/* ---- printing ---- */

static bool has_nested_return(const struct ir_stmt *stmt)
{
  bool returns = false;
  if (is_early_return(stmt)) return false;
  ir_visit_stmts((struct ir_stmt *)stmt, note_return, &returns);
  return returns;
}

static bool needs_goto(const struct ir_stmt *body)
{
  for (unsigned i = 0; i < body->child_count; i++) {
    if (body->children[i] == last_statement(body) && is_return(body->children[i])) continue;
    if (has_nested_return(body->children[i])) return true;
  }
  return false;
}

static bool is_integer(const struct ir_expr *expr)
{
  return expr->type->kind == IR_TYPE_INT || expr->type->kind == IR_TYPE_BOOL ||
         expr->type->kind == IR_TYPE_POINTER;
}

/* The opposite of a comparison of integers; IR_OP_COUNT for anything else. */
static enum ir_op opposite(const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_BINARY || !is_integer(expr->operands[0]) ||
      !is_integer(expr->operands[1]))
    return IR_OP_COUNT;
  switch (expr->op) {
  case IR_OP_LT: return IR_OP_GE;
  case IR_OP_GE: return SEEDED(OPPOSITE_WRONG) ? IR_OP_LE : IR_OP_LT;
  case IR_OP_GT: return IR_OP_LE;
  case IR_OP_LE: return IR_OP_GT;
  case IR_OP_EQ: return IR_OP_NE;
  case IR_OP_NE: return IR_OP_EQ;
  default: return IR_OP_COUNT;
  }
}

static void print_opposite(struct staged *s, const struct ir_expr *condition)
{
  const struct ir_expr *bare = ir_strip((struct ir_expr *)condition);
  enum ir_op op = opposite(bare);
  if (op != IR_OP_COUNT) {
    struct ir_expr swapped = *bare;
    swapped.op = op;
    print_expr_at(&s->printer, &swapped, 1);
  } else if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_NOT) {
    print_expr_at(&s->printer, bare->operands[0], 1);
  } else {
    text_add(s->printer.out, "!");
    print_expr_at(&s->printer, condition, 14);
  }
}

static void print_statements(struct staged *s, const struct ir_stmt *body, unsigned first)
{
  unsigned opened = 0;
  struct printer *p = &s->printer;
  for (unsigned i = first; i < body->child_count; i++) {
    const struct ir_stmt *stmt = body->children[i];
    bool last = stmt == last_statement(body);
    if (s->stores && last && is_return(stmt)) break;
    if (!s->stores || SEEDED(EARLY_RETURN_KEPT) || !is_early_return(stmt)) {
      print_stmt(p, stmt);
      continue;
    }
    print_text_line(p, "if (");
    print_opposite(s, stmt->expr);
    text_add(p->out, ") {");
    p->indent++;
    opened++;
  }
  while (opened--) {
    p->indent--;
    print_text_line(p, "}");
  }
}

static void print_body(struct staged *s)
{
  const struct ir_stmt *body = needed_body(s);
  struct printer *p = &s->printer;
  bool jumps = s->stores && !SEEDED(NESTED_RETURN_KEPT) && needs_goto(body);
  if (!jumps) {
    print_statements(s, body, 0);
    return;
  }
  p->return_text = arena_format(s->cg->arena, "goto %s;", s->tail);
  print_text_line(p, "{");
  p->indent++;
  print_statements(s, body, 0);
  p->indent--;
  print_text_line(p, "}");
  p->return_text = NULL;
  text_format(p->out, "\n%s:", s->tail);
  if (p->line) p->line++;
}

/* The loops that the printer knows are those of the body without unused locals meanwhile. */
void emit_stage_body(struct staged *s)
{
  const struct ir_stmt *entered = s->printer.entered, *unrolled = s->printer.unrolled;

  print_body(s);
  s->printer.entered = entered;
  s->printer.unrolled = unrolled;
}
