/* SPDX-License-Identifier: MIT */
/* loops.c - recognises canonical loops.
 *
 *     for (int k = lo; k < hi; k += 2)   =>   loop { iterator k, lower lo, LT hi, step 2 }
 *
 * Requires: ir_note_usage was run on the body. Produces: ir_stmt.loop. Gives up where the iterator
 * is written in the body, has its address taken, is no integer, or is compared as an unsigned
 * number although it may be negative; or where the step is neither a constant nor an expression of
 * other variables. */
#include <stdlib.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static struct ir_var *written_var(struct ir_expr *target)
{
  target = ir_strip(target);
  return target->kind == IR_EXPR_VAR ? target->var : NULL;
}

/* ---- canonical loops ---- */

struct write_search {
  const struct ir_var *var;
  bool found;
};

static void search_write(struct ir_expr *expr, void *context)
{
  struct write_search *search = context;
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  if ((expr->kind == IR_EXPR_ASSIGN || steps) && written_var(expr->operands[0]) == search->var)
    search->found = true;
}

static bool mentions(struct ir_expr *expr, const struct ir_var *var)
{
  if (!expr) return false;
  if (expr->kind == IR_EXPR_VAR && expr->var == var) return true;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (mentions(expr->operands[i], var)) return true;
  return false;
}

static bool find_step(struct ir_expr *increment, struct ir_loop *loop)
{
  increment = ir_strip(increment);
  if (!increment) return false;
  if (increment->kind == IR_EXPR_UNARY) {
    loop->iterator = written_var(increment->operands[0]);
    loop->step = increment->op == IR_OP_PRE_INC || increment->op == IR_OP_POST_INC   ? 1
                 : increment->op == IR_OP_PRE_DEC || increment->op == IR_OP_POST_DEC ? -1
                                                                                     : 0;
    return loop->iterator && loop->step;
  }
  if (increment->kind != IR_EXPR_ASSIGN) return false;
  loop->iterator = written_var(increment->operands[0]);
  if (!loop->iterator) return false;
  struct ir_expr *amount = increment->operands[1];
  bool subtracts = increment->op == IR_OP_SUB_ASSIGN;
  if (increment->op == IR_OP_ASSIGN) { /* i = i + s, i = s + i, i = i - s */
    struct ir_expr *sum = ir_strip(amount);
    if (sum->kind != IR_EXPR_BINARY || (sum->op != IR_OP_ADD && sum->op != IR_OP_SUB)) return false;
    subtracts = sum->op == IR_OP_SUB;
    if (written_var(sum->operands[0]) == loop->iterator)
      amount = sum->operands[1];
    else if (!subtracts && written_var(sum->operands[1]) == loop->iterator)
      amount = sum->operands[0];
    else
      return false;
  } else if (increment->op != IR_OP_ADD_ASSIGN && !subtracts) {
    return false;
  }
  if (ir_constant(amount, &loop->step)) {
    if (subtracts && loop->step != INT64_MIN) loop->step = -loop->step;
    return loop->step != 0 && loop->step != INT64_MIN;
  }
  if (subtracts || mentions(amount, loop->iterator)) return false;
  loop->step_expr = amount;
  return true;
}

static enum ir_op mirrored(enum ir_op op)
{
  switch (op) {
  case IR_OP_LT: return IR_OP_GT;
  case IR_OP_GT: return IR_OP_LT;
  case IR_OP_LE: return IR_OP_GE;
  case IR_OP_GE: return IR_OP_LE;
  default: return op;
  }
}

static bool find_bound(struct ir_expr *condition, struct ir_loop *loop)
{
  condition = ir_strip(condition);
  if (!condition || condition->kind != IR_EXPR_BINARY) return false;
  enum ir_op op = condition->op;
  if (op != IR_OP_LT && op != IR_OP_GT && op != IR_OP_LE && op != IR_OP_GE && op != IR_OP_NE)
    return false;
  bool left = written_var(condition->operands[0]) == loop->iterator;
  bool right = written_var(condition->operands[1]) == loop->iterator;
  if (left == right) return false;
  loop->relation = left ? op : mirrored(op);
  loop->bound = condition->operands[left ? 1 : 0];
  return !mentions(loop->bound, loop->iterator);
}

/* Is the expression made of sums, products and quotients of indices, constants and locals of such
 * values? It is then 0 or more, also as an int. */
static bool is_nonnegative(const struct ir_expr *expr, unsigned depth)
{
  int64_t value;
  if (!expr || depth > 16 || expr->type->kind != IR_TYPE_INT) return false;
  if (ir_constant(expr, &value)) return value >= 0 && value <= INT32_MAX;
  switch (expr->kind) {
  case IR_EXPR_BUILTIN: return true;
  case IR_EXPR_PAREN: return is_nonnegative(expr->operands[0], depth + 1);
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return expr->type->size >= 4 && is_nonnegative(expr->operands[0], depth + 1);
  case IR_EXPR_VAR:
    return expr->var->kind == IR_VAR_LOCAL && expr->var->write_count == 1 &&
           !expr->var->address_taken && expr->var->type->size >= 4 &&
           is_nonnegative(expr->var->init, depth + 1);
  case IR_EXPR_BINARY:
    return (expr->op == IR_OP_ADD || expr->op == IR_OP_MUL || expr->op == IR_OP_DIV ||
            expr->op == IR_OP_REM) &&
           is_nonnegative(expr->operands[0], depth + 1) &&
           is_nonnegative(expr->operands[1], depth + 1);
  default: return false;
  }
}

static bool is_negative(const struct ir_expr *expr)
{
  int64_t value;
  return expr && ir_constant(expr, &value) && value < 0;
}

/* Does the comparison hold over the integers? In `k < n` with an unsigned n an iterator that may be
 * negative is compared as unsigned: k = -1 exceeds every n, and the loop does not run over the
 * integers from its lower bound to the other. Host code is analysed for all that its loops may do,
 * so that only certainty counts there. */
static bool compares_as_integers(const struct lower *l, struct ir_expr *condition,
                                 const struct ir_loop *loop)
{
  condition = ir_strip(condition);
  const struct ir_type *type = condition->operands[0]->type;
  bool unsigned_there =
      type->kind == IR_TYPE_INT && !type->is_signed && loop->iterator->type->is_signed;
  bool up = !loop->step_expr && loop->step > 0 &&
            (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE);
  bool down = !loop->step_expr && loop->step == -1 && loop->relation == IR_OP_GT;
  bool strides =
      loop->step_expr && is_nonnegative(loop->step_expr, 0) && loop->relation == IR_OP_LT;
  if (!unsigned_there || loop->relation == IR_OP_NE || SEEDED(UNSIGNED_COMPARISON_IGNORED))
    return true;
  return l->strict ? (up || down || strides) && is_nonnegative(loop->lower, 0)
                   : !is_negative(loop->lower);
}

/* Can an iterator of one or two bytes wrap around past its bound and start again? */
static bool may_come_round(const struct ir_loop *loop)
{
  int64_t bound = 0;
  const struct ir_type *type = loop->iterator->type;
  if (type->size >= 4 || (loop->step >= -1 && loop->step <= 1 && !loop->step_expr)) return false;
  int64_t most = (INT64_C(1) << (8 * type->size - type->is_signed)) - 1,
          least = type->is_signed ? -most - 1 : 0;
  bool known = !loop->step_expr && ir_constant(loop->bound, &bound) && llabs(bound) < INT32_MAX &&
               llabs(loop->step) < INT32_MAX;
  return !known || bound + loop->step > most || bound + loop->step < least;
}

/* What is declared behind the iterator may step it: `int k = 0, first = k++`. */
static bool find_lower(struct ir_stmt *init, struct ir_loop *loop)
{
  if (!init) return true;
  struct ir_stmt *declaration = init;
  struct write_search search = {loop->iterator, false};
  if (init->kind == IR_STMT_DECL || init->kind == IR_STMT_DECLS)
    ir_visit_stmt_exprs(init, search_write, &search);
  if (search.found) return false;
  if (init->kind == IR_STMT_DECLS)
    for (unsigned i = 0; i < init->child_count; i++)
      if (init->children[i]->var == loop->iterator) declaration = init->children[i];
  if (declaration->kind == IR_STMT_DECL && declaration->var == loop->iterator) {
    loop->declared = true;
    loop->lower = declaration->expr;
    return loop->lower && loop->lower->kind != IR_EXPR_INIT_LIST; /* int k{} */
  }
  if (init->kind == IR_STMT_EXPR) {
    struct ir_expr *assign = ir_strip(init->expr);
    if (assign->kind == IR_EXPR_ASSIGN && assign->op == IR_OP_ASSIGN &&
        written_var(assign->operands[0]) == loop->iterator) {
      loop->lower = assign->operands[1];
      return true;
    }
    return !mentions(init->expr, loop->iterator);
  }
  return true;
}

static bool canonicalize(struct ir_stmt *stmt, void *context)
{
  struct lower *l = context;
  if (stmt->kind != IR_STMT_FOR) return true;
  struct ir_loop loop = {0};
  if (!find_step(stmt->increment, &loop) || !find_bound(stmt->expr, &loop) ||
      !find_lower(stmt->init, &loop))
    return true;
  if (loop.iterator->type->kind != IR_TYPE_INT || loop.iterator->address_taken) return true;
  if (loop.iterator->kind != IR_VAR_LOCAL && loop.iterator->kind != IR_VAR_PARAM) return true;
  if (!compares_as_integers(l, stmt->expr, &loop) || may_come_round(&loop)) return true;
  struct write_search search = {loop.iterator, false};
  ir_visit_stmt_exprs(stmt->body, search_write, &search);
  if (search.found) return true;
  stmt->loop = ARENA_NEW(l->frontend->arena, struct ir_loop);
  *stmt->loop = loop;
  return true;
}

void loops_canonicalize(struct lower *l, struct ir_stmt *body)
{
  ir_visit_stmts(body, canonicalize, l);
}
