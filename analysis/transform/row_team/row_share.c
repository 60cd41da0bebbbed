/* SPDX-License-Identifier: MIT */
/* row_share.c - does each thread have a row of its own, or do many go through the same one?
 *
 *     q[(id / n % n) * c + j]     every thread of n has the same row: a product of matrices
 *
 * The caches hold rows that many threads go through; a team gains nothing on them. Only the model
 * asks. It computes where the rows of MANY threads begin, with sizes in the place of parameters,
 * and counts the places. A number that the code does not tell may be any: such rows count as the
 * thread's own. Requires: shaped code.
 */
#include "analysis/transform/row_team/row_team.h"

#include <stdlib.h>

enum { MANY = 4096, LEAST_SHARED = 4, MOST_STEPS = 200, BLOCK = 32, SMALLEST = 12, KINDS = 3 };

struct placing {
  const struct code *code;
  const struct ir_var *iterator; /* its value is 0 */
  int64_t id;                    /* of the thread */
  bool falling;                  /* later parameters stand for smaller sizes */
  unsigned steps;
  bool known;
};

static int64_t unknown(struct placing *p)
{
  p->known = false;
  return 0;
}

static int64_t place_of(struct placing *p, const struct ir_expr *expr);

static int64_t var_of(struct placing *p, const struct ir_expr *expr)
{
  const struct ir_function *kernel = p->code->facts.kernel;
  int64_t value;

  if (expr->var == p->iterator) return 0;
  if (expr->var->kind != IR_VAR_PARAM) return unknown(p);
  if (code_constant(p->code, expr, &value)) return value;
  if (expr->type->kind == IR_TYPE_POINTER) return 0;
  for (unsigned i = 0, sizes = 0; i < kernel->param_count; i++) {
    if (kernel->params[i]->type->kind != IR_TYPE_INT) continue;
    unsigned kind = sizes++ % KINDS;
    if (kernel->params[i] == expr->var)
      return (int64_t)SMALLEST << (p->falling ? KINDS - 1 - kind : kind);
  }
  return unknown(p);
}

static int64_t builtin_of(struct placing *p, const struct ir_expr *expr)
{
  switch (expr->value) {
  case IR_THREAD_IDX: return p->id % BLOCK;
  case IR_BLOCK_IDX: return p->id / BLOCK;
  case IR_BLOCK_DIM: return BLOCK;
  default: return unknown(p);
  }
}

static int64_t binary_of(struct placing *p, const struct ir_expr *expr)
{
  uint64_t a = (uint64_t)place_of(p, expr->operands[0]),
           b = (uint64_t)place_of(p, expr->operands[1]);
  int64_t by = (int64_t)b;

  switch (expr->op) {
  case IR_OP_ADD: return (int64_t)(a + b);
  case IR_OP_SUB: return (int64_t)(a - b);
  case IR_OP_MUL: return (int64_t)(a * b);
  case IR_OP_DIV: return by > 0 ? (int64_t)a / by : unknown(p);
  case IR_OP_REM: return by > 0 ? (int64_t)a % by : unknown(p);
  case IR_OP_SHL: return b < 64 ? (int64_t)(a << b) : unknown(p);
  case IR_OP_SHR: return b < 64 ? (int64_t)a >> b : unknown(p);
  case IR_OP_AND: return (int64_t)(a & b);
  default: return unknown(p);
  }
}

static int64_t place_of(struct placing *p, const struct ir_expr *expr)
{
  int64_t value;

  if (!p->known || p->steps++ == MOST_STEPS) return unknown(p);
  if (ir_constant(expr, &value)) return value;
  switch (expr->kind) {
  case IR_EXPR_VAR: return var_of(p, expr);
  case IR_EXPR_BUILTIN: return builtin_of(p, expr);
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return place_of(p, expr->operands[0]);
  case IR_EXPR_BINARY: return binary_of(p, expr);
  case IR_EXPR_INDEX:
    value = place_of(p, expr->operands[0]);
    return (int64_t)((uint64_t)value + (uint64_t)place_of(p, expr->operands[1]));
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_ADDRESS) return place_of(p, expr->operands[0]);
    return unknown(p);
  default: return unknown(p);
  }
}

static int by_value(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The number of different rows of MANY threads; MANY where it is not known. `expr`: in the place of
 * locals are their values. */
static unsigned rows_of(const struct code *code, const struct ir_expr *expr,
                        const struct ir_var *iterator, bool falling)
{
  int64_t *places = malloc(MANY * sizeof *places);
  unsigned count = MANY;
  bool known = places;

  for (int64_t id = 0; id < MANY && known; id++) {
    struct placing p = {code, iterator, id, falling, 0, true};
    places[id] = place_of(&p, expr);
    known = p.known;
  }
  if (known) {
    qsort(places, MANY, sizeof *places, by_value);
    for (unsigned i = 1; i < MANY; i++) count -= places[i] == places[i - 1];
  }
  free(places);
  return count;
}

bool row_team_is_shared(struct code *code, struct ir_expr *expr, const struct ir_var *iterator)
{
  const struct ir_expr *resolved = code_resolve(code, expr);

  return resolved && rows_of(code, resolved, iterator, false) * LEAST_SHARED <= MANY &&
         rows_of(code, resolved, iterator, true) * LEAST_SHARED <= MANY;
}
