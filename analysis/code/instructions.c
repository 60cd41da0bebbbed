/* SPDX-License-Identifier: MIT */
/* instructions.c - the instructions and bytes of a thread, counted from its code.
 *
 * Divisions by numbers that are no constants take many instructions; each iteration of a loop has
 * some of its own. Bytes count once for each array and place, as caches keep what short loops load
 * again.
 */
#include "analysis/code/instructions.h"

#include <math.h>

#include "analysis/code/loop.h"
#include "runtime/seeded.h"

#define ISSUE 2.56  /* instructions a cycle of a multiprocessor, for a warp each */
#define STREAM 20.0 /* bytes a cycle of a multiprocessor from device memory */
#define DIVISION 22.0
#define WIDE_DIVISION 70.0
#define DIVIDED 5.0   /* by a constant */
#define ITERATION 4.0 /* the overhead of a loop, and of the addresses in it */
#define CALL 8.0
#define UNKNOWN_TRIPS 64.0

static void count_division(struct instructions *i, struct ir_expr *expr)
{
  double plain = expr->type->size > 4 ? WIDE_DIVISION : DIVISION;
  int64_t value;

  if (number_of(i->numbers, expr, &value)) return; /* of the block, not of each thread */
  i->operations += i->around * (ir_constant(expr->operands[1], &value) && value ? DIVIDED : plain);
  if (i->is_cheap(i->context, expr)) i->saved += i->around * (plain - DIVIDED);
}

static const struct ir_var *array_of(struct ir_expr *expr)
{
  for (expr = ir_strip(expr); expr->kind == IR_EXPR_INDEX; expr = ir_strip(expr->operands[0])) {
  }
  return expr->kind == IR_EXPR_VAR && expr->var->kind != IR_VAR_LOCAL &&
                 expr->var->kind != IR_VAR_SHARED
             ? expr->var
             : NULL;
}

static void count_element(struct instructions *i, struct ir_expr *expr)
{
  const struct ir_var *array = array_of(expr);
  double bytes = i->around / i->unrolled * (double)expr->type->size;
  unsigned at = 0;

  if (!array) return;
  while (at < i->array_count && i->arrays[at] != array) at++;
  if (at == MOST_COUNTED) return;
  if (at == i->array_count) i->arrays[i->array_count++] = array;
  i->bytes[at] = fmax(i->bytes[at], bytes);
}

static bool is_division(const struct ir_expr *expr)
{
  bool divides =
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM)) ||
      (expr->kind == IR_EXPR_ASSIGN &&
       (expr->op == IR_OP_DIV_ASSIGN || expr->op == IR_OP_REM_ASSIGN));

  return divides && expr->type && expr->type->kind == IR_TYPE_INT;
}

/* Counts the function's body with the numbers of the call. */
static void count_body(struct instructions *i, struct ir_expr *call)
{
  const struct numbers *outside = i->numbers;
  const struct ir_function *callee = call->callee;
  struct numbers inside = *outside;
  int64_t value;

  for (unsigned k = 0; k < callee->param_count && k < call->operand_count; k++)
    if (!callee->params[k]->write_count && !callee->params[k]->address_taken &&
        number_of(outside, call->operands[k], &value))
      number_set(&inside, callee->params[k], value);
  i->numbers = &inside;
  i->calls--;
  instructions_count(i, callee->body);
  i->calls++;
  i->numbers = outside;
}

static void count_expr(struct instructions *i, struct ir_expr *expr)
{
  if (!expr) return;
  if (is_division(expr)) {
    count_division(i, expr);
  } else if (expr->kind == IR_EXPR_CALL && i->calls && expr->effect == IR_EFFECT_CALLEE &&
             expr->callee->body) {
    count_body(i, expr);
  } else if (expr->kind == IR_EXPR_CALL) {
    i->operations += i->around * CALL;
  } else if (expr->kind == IR_EXPR_INDEX) {
    count_element(i, expr);
    i->operations += i->around;
  } else if (expr->kind == IR_EXPR_BINARY || expr->kind == IR_EXPR_ASSIGN) {
    i->operations += i->around;
  }
  for (unsigned k = 0; k < expr->operand_count; k++) count_expr(i, expr->operands[k]);
}

double instructions_trips(const struct numbers *numbers, const struct ir_stmt *stmt, bool *ret_now)
{
  const struct ir_loop *loop = stmt->loop;
  int64_t lower, bound, is;

  *ret_now = false;
  if (!loop || !loop->lower || loop->step_expr || !number_of(numbers, loop->lower, &lower) ||
      !number_of(numbers, loop->bound, &bound))
    return -1;
  *ret_now = ir_constant(loop->lower, &is) && ir_constant(loop->bound, &is);
  double trips = loop_trips_between(loop, (double)lower, (double)bound);
  return isfinite(trips) ? trips : -1;
}

static bool note_exit(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_RETURN;
  return stmt->kind != IR_STMT_SWITCH;
}

void instructions_count(struct instructions *i, struct ir_stmt *stmt)
{
  if (!stmt) return;
  double around = i->around, unrolled = i->unrolled;

  instructions_count(i, stmt->init);
  if (loop_is_one(stmt)) {
    bool now, left = false;
    double trips = instructions_trips(i->numbers, stmt, &now);
    ir_visit_stmts(stmt->body, note_exit, &left);
    i->open |= trips < 0 || (left && !SEEDED(PRIVATE_BEHIND_EXIT));
    i->around *= trips >= 0 ? trips : i->assumed > 0 ? i->assumed : UNKNOWN_TRIPS;
    i->operations += i->around * ITERATION;
    if (i->is_unrolled && i->is_unrolled(i->context, stmt)) {
      i->unrolled *= trips;
      i->saved += now ? 0 : i->around * ITERATION;
    }
  }
  count_expr(i, stmt->expr);
  count_expr(i, stmt->increment);
  instructions_count(i, stmt->body);
  instructions_count(i, stmt->else_body);
  for (unsigned k = 0; k < stmt->child_count; k++) instructions_count(i, stmt->children[k]);
  i->around = around;
  i->unrolled = unrolled;
}

double instructions_cycles(const struct instructions *i) { return i->operations / ISSUE; }

double instructions_gain(const struct instructions *i)
{
  double bytes = 0;

  for (unsigned k = 0; k < i->array_count; k++) bytes += i->bytes[k];
  double memory = bytes * 32 / STREAM, written = i->operations / ISSUE,
         left = (i->operations - i->saved) / ISSUE;
  return fmax(memory, written) / fmax(fmax(memory, left), 1);
}
