/* SPDX-License-Identifier: MIT */
/* specialize.c - arguments that are the same number in all launches become constants.
 *
 *     x = i % w, y = i / w;                       x = i % 256, y = i / 256;
 *     for (k = 0; k < size; k++) s += in[...] =>  for (k = 0; k < 3; k++) s += in[...];
 *         with k<<<...>>>(out, in, 256, 3)
 *
 * The compiler of the emitted code does not see launches. With constants it divides by
 * multiplications, and unrolls loops of few iterations. Both leave each result the same bit for
 * bit: only integers become constants, and specialize_floats.c looks at what floats do with them.
 * The rest of the pipeline sees the constants, too. The gain is that of instructions: divisions and
 * the overhead of short loops are compared with the rest of the kernel's arithmetic and with its
 * memory. Pooling, 3 x 3 of 8 x 32 planes of 256 x 256 on an H200: 25 us, 73 as written. Gives up:
 * no argument that is constant divides or ends a short loop; the gain is small.
 */
#include "analysis/transform/specialize/specialize.h"
#include "analysis/transform/specialize/specialize_parts.h"

#include <math.h>

#include "analysis/code/loop.h"
#include "analysis/code/renew.h"
#include "runtime/seeded.h"

#define GAIN_NEEDED 1.08
#define ISSUE 2.56  /* instructions a cycle of a multiprocessor, for a warp each */
#define STREAM 20.0 /* bytes a cycle of a multiprocessor from device memory */
#define DIVISION 22.0
#define WIDE_DIVISION 70.0
#define DIVIDED 5.0   /* by a constant */
#define ITERATION 4.0 /* the overhead of a loop, and of the addresses in it */
#define CALL 8.0
#define UNKNOWN_TRIPS 64.0

enum { SHORT_TRIPS = 16, MOST_UNROLLED = 128 /* iterations of a nest */ };

/* Does it become a constant, which it is not by itself? */
static bool becomes_constant(struct looking *l, struct ir_expr *expr, int64_t *ret)
{
  int64_t is;

  return !ir_constant(expr, &is) && number_of(&l->numbers, expr, ret);
}

static void look_division(struct looking *l, struct ir_expr *expr)
{
  double plain = expr->type->size > 4 ? WIDE_DIVISION : DIVISION;
  int64_t value, dividend;

  if (number_of(&l->numbers, expr, &dividend)) return; /* of the block, not of each thread */
  l->operations += l->around * (ir_constant(expr->operands[1], &value) ? DIVIDED : plain);
  if (becomes_constant(l, expr->operands[1], &value) && value > 0)
    l->saved += l->around * (plain - DIVIDED);
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

static void look_element(struct looking *l, struct ir_expr *expr)
{
  const struct ir_var *array = array_of(expr);
  double bytes = l->around / l->unrolled * (double)expr->type->size;
  unsigned at = 0;

  if (!array) return;
  while (at < l->array_count && l->arrays[at] != array) at++;
  if (at == MOST_ARRAYS) return;
  if (at == l->array_count) l->arrays[l->array_count++] = array;
  l->bytes[at] = fmax(l->bytes[at], bytes);
}

static void look_expr(struct looking *l, struct ir_expr *expr)
{
  if (!expr) return;
  bool integer = expr->type && expr->type->kind == IR_TYPE_INT;

  if (expr->kind == IR_EXPR_BINARY && integer && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM)) {
    look_division(l, expr);
  } else if (expr->kind == IR_EXPR_CALL) {
    l->operations += l->around * CALL;
  } else if (expr->kind == IR_EXPR_INDEX) {
    look_element(l, expr);
    l->operations += l->around;
  } else if (expr->kind == IR_EXPR_BINARY || expr->kind == IR_EXPR_ASSIGN) {
    l->operations += l->around;
  }
  for (unsigned i = 0; i < expr->operand_count; i++) look_expr(l, expr->operands[i]);
}

double specialize_trips(struct looking *l, const struct ir_stmt *stmt, bool *ret_now)
{
  const struct ir_loop *loop = stmt->loop;
  int64_t lower, bound, is;

  *ret_now = false;
  if (!loop || !loop->lower || loop->step_expr || !number_of(&l->numbers, loop->lower, &lower) ||
      !number_of(&l->numbers, loop->bound, &bound))
    return -1;
  *ret_now = ir_constant(loop->lower, &is) && ir_constant(loop->bound, &is);
  return ceil(fabs((double)(bound - lower) / (double)loop->step));
}

static void look(struct looking *l, struct ir_stmt *stmt)
{
  if (!stmt) return;
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  double around = l->around, unrolled = l->unrolled;

  look(l, stmt->init);
  if (loop) {
    bool now;
    double trips = specialize_trips(l, stmt, &now);
    l->around *= trips >= 0 ? trips : UNKNOWN_TRIPS;
    l->operations += l->around * ITERATION;
    if (trips >= 0 && trips <= SHORT_TRIPS && l->unrolled * trips <= MOST_UNROLLED) {
      l->unrolled *= fmax(trips, 1);
      l->saved += now ? 0 : l->around * ITERATION;
    }
  }
  look_expr(l, stmt->expr);
  look_expr(l, stmt->increment);
  look(l, stmt->body);
  look(l, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) look(l, stmt->children[i]);
  l->around = around;
  l->unrolled = unrolled;
}

static double gain_of(struct looking *l)
{
  double bytes = 0;

  for (unsigned i = 0; i < l->array_count; i++) bytes += l->bytes[i];
  double memory = bytes * 32 / STREAM, written = l->operations / ISSUE,
         left = (l->operations - l->saved) / ISSUE;
  return fmax(memory, written) / fmax(fmax(memory, left), 1);
}

/* ---- the row ---- */

static struct ir_expr *constant_of(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct code *code = r->context;
  int64_t value;

  if (expr->kind != IR_EXPR_VAR || expr->var->kind != IR_VAR_PARAM || expr->var->address_taken ||
      expr->type->kind != IR_TYPE_INT || !code_constant(code, expr, &value) || value < -INT32_MAX ||
      value > INT32_MAX)
    return NULL;
  struct ir_expr *number = ir_build_int(r->arena, value + SEEDED(SPECIALIZED_WRONG));
  const struct ir_type *type = ir_plain_type(r->arena, expr->type);
  return ir_same_type(type, number->type) ? number : ir_build_cast(r->arena, type, number);
}

/* Unrolls the short loops of nests. */
static struct ir_stmt *unrolled(struct looking *l, struct ir_stmt *stmt)
{
  struct ir_stmt **below;
  double around = l->unrolled;
  bool now;

  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(l->code->arena, stmt);
  double trips = stmt->kind == IR_STMT_FOR ? specialize_trips(l, stmt, &now) : -1;
  if (trips > 0 && trips <= SHORT_TRIPS && l->unrolled * trips <= MOST_UNROLLED) {
    l->unrolled *= trips;
    if (!copy->pragma && !now) copy->pragma = "#pragma unroll";
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = unrolled(l, *below);
  l->unrolled = around;
  return copy;
}

bool plan_specialize(struct draft *draft)
{
  struct code *code = &draft->code;
  struct looking l = {.code = code,
                      .numbers = {.code = code, .block = {-1, -1, -1}, .thread = -1},
                      .around = 1,
                      .unrolled = 1};
  struct ir_rewriter rewriter = {code->arena, constant_of, code};

  look(&l, code->facts.kernel->body);
  if (!l.saved || gain_of(&l) < GAIN_NEEDED || !specialize_keeps_bits(&l, code->facts.kernel->body))
    return false;
  struct ir_stmt *body = unrolled(&l, code->facts.kernel->body);
  body = ir_rewrite_stmt(&rewriter, body);
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, body);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_SPECIALIZED, DIAG_SPECIALIZED, NULL,
                      "the numbers of its launches as constants"};
  draft->alone = true;
  draft_own_body(draft);
  return true;
}
