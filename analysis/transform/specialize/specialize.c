/* SPDX-License-Identifier: MIT */
/* specialize.c - arguments that are the same number in all launches become constants.
 *
 *     x = i % w, y = i / w;                       x = i % 256, y = i / 256;
 *     for (k = 0; k < size; k++) s += in[...] =>  for (k = 0; k < 3; k++) s += in[...];
 *         with k<<<...>>>(out, in, 256, 3)
 *
 * The compiler of the emitted code does not see launches. With constants it divides by
 * multiplications, and unrolls loops of few iterations. Both leave each result the same bit for
 * bit, since only integers become constants. The rest of the pipeline sees the constants, too. The
 * gain is that of instructions: divisions and the overhead of short loops are compared with the
 * rest of the kernel's arithmetic and with its memory. Pooling, 3 x 3 of 8 x 32 planes of 256 x 256
 * on an H200: 25 us, 73 as written. The block's shape becomes a constant where it divides. Gives
 * up: no argument that is constant divides or ends a short loop; the gain is small; nvcc would
 * round in another way (rounding.c).
 */
#include "analysis/transform/specialize/specialize.h"

#include <math.h>

#include "analysis/code/instructions.h"
#include "analysis/code/loop.h"
#include "analysis/code/renew.h"
#include "analysis/code/rounding.h"
#include "runtime/seeded.h"

#define GAIN_NEEDED 1.08

enum {
  MOST_COPIED = 1536 /* operations of an unrolled nest; more do not stay in the cache of a warp */
};

struct looking {
  struct code *code;
  struct numbers numbers, shaped; /* without and with the block's shape */
  LIST_OF(const struct ir_stmt *) unrolled_loops;
};

/* Does it become a constant, which it is not by itself? */
static bool becomes_constant(struct looking *l, struct ir_expr *expr, int64_t *ret)
{
  int64_t is;

  return !ir_constant(expr, &is) && number_of(&l->numbers, expr, ret);
}

static void note_local(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL;
}

/* Does a divisor become a constant with the block's shape, in the place where it stands? */
static bool is_shape(struct looking *l, struct ir_expr *divisor)
{
  int64_t value;
  bool local = false;

  ir_visit_expr(divisor, note_local, &local);
  return !local && !number_of(&l->numbers, divisor, &value) &&
         number_of(&l->shaped, divisor, &value) && value > 1;
}

static bool is_cheap(void *context, struct ir_expr *division)
{
  struct looking *l = context;
  int64_t value;

  return division->kind == IR_EXPR_BINARY &&
         ((becomes_constant(l, division->operands[1], &value) && value > 0) ||
          is_shape(l, division->operands[1]));
}

/* ---- short loops ---- */

struct nest {
  double iterations, size; /* of its innermost body; operations of all of them */
};

static void note_operation(struct ir_expr *expr, void *context)
{
  *(double *)context += expr->kind == IR_EXPR_BINARY || expr->kind == IR_EXPR_ASSIGN ||
                        expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_CALL;
}

/* Lists the loops that are unrolled, from the inside out: those of few iterations all of whose
 * inner loops are, while the nest stays small. */
static struct nest list_unrolled(struct looking *l, struct ir_stmt *stmt)
{
  struct nest nest = {1, 0};
  struct ir_stmt **below;
  bool now;

  if (!stmt) return nest;
  ir_visit_expr(stmt->expr, note_operation, &nest.size);
  for (unsigned i = 0; (below = ir_below(stmt, i)); i++) {
    struct nest inner = list_unrolled(l, *below);
    nest.iterations = fmax(nest.iterations, inner.iterations);
    nest.size += inner.size;
  }
  if (!loop_is_one(stmt)) return nest;
  double trips = stmt->kind == IR_STMT_FOR ? instructions_trips(&l->numbers, stmt, &now) : -1;
  nest.iterations = trips > 0 && trips <= SHORT_TRIPS ? nest.iterations * trips : INFINITY;
  nest.size *= fmax(trips, 1);
  if (nest.iterations <= MOST_UNROLLED && nest.size <= MOST_COPIED)
    *ARENA_PUSH(l->code->arena, &l->unrolled_loops) = stmt;
  else
    nest.iterations = INFINITY;
  return nest;
}

static bool is_unrolled(const void *context, const struct ir_stmt *loop)
{
  const struct looking *l = context;

  for (unsigned i = 0; i < l->unrolled_loops.count; i++)
    if (l->unrolled_loops.items[i] == loop) return true;
  return false;
}

/* ---- the code ---- */

/* Has the expression, with constants, a value that no number of its type is? It stays as it is, as
 * compilers warn about it even where it is not reached. */
static bool is_no_number(struct looking *l, struct ir_expr *expr)
{
  int64_t number, right;
  struct ir_expr *last = expr->operand_count ? expr->operands[expr->operand_count - 1] : NULL;
  bool is_int = expr->type && expr->type->kind == IR_TYPE_INT;

  if (!is_int || !last || !number_of(&l->numbers, last, &right)) return false;
  if (expr->kind == IR_EXPR_CONVERT) return !number_of(&l->numbers, expr, &number);
  if (expr->kind != IR_EXPR_BINARY && expr->kind != IR_EXPR_ASSIGN) return false;
  switch (expr->op) {
  case IR_OP_DIV:
  case IR_OP_REM:
  case IR_OP_DIV_ASSIGN:
  case IR_OP_REM_ASSIGN: return !right;
  case IR_OP_SHL:
  case IR_OP_SHR:
  case IR_OP_SHL_ASSIGN:
  case IR_OP_SHR_ASSIGN: return right < 0 || right >= 8 * expr->type->size;
  case IR_OP_ADD:
  case IR_OP_SUB:
  case IR_OP_MUL:
    return number_of(&l->numbers, expr->operands[0], &number) &&
           !number_of(&l->numbers, expr, &number);
  default: return false;
  }
}

static struct ir_expr *number_as(struct arena *arena, int64_t value, const struct ir_type *type)
{
  struct ir_expr *number = ir_build_int(arena, value);

  type = ir_plain_type(arena, type);
  return ir_same_type(type, number->type) ? number : ir_build_cast(arena, type, number);
}

static struct ir_expr *constant_of(struct ir_rewriter *r, struct ir_expr *expr);

static struct ir_expr *extent_of(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct looking *l = r->context;
  int64_t value;

  if (expr->kind == IR_EXPR_BUILTIN && number_of(&l->shaped, expr, &value))
    return number_as(r->arena, value + SEEDED(SPECIALIZED_SHAPE), expr->type);
  return constant_of(r, expr);
}

/* The division by a number of the block's shape. */
static struct ir_expr *divided(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct ir_rewriter shape = {r->arena, extent_of, r->context};
  struct ir_expr *copy = ARENA_NEW(r->arena, struct ir_expr);

  *copy = *expr;
  copy->operands = arena_alloc(r->arena, 2 * sizeof *copy->operands);
  copy->operands[0] = ir_rewrite_expr(r, expr->operands[0]);
  copy->operands[1] = ir_rewrite_expr(&shape, expr->operands[1]);
  return copy;
}

static struct ir_expr *constant_of(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct looking *l = r->context;
  int64_t value;

  if (is_no_number(l, expr)) return expr;
  if (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
      expr->type->kind == IR_TYPE_INT && is_shape(l, expr->operands[1]))
    return divided(r, expr);
  if (!rounding_argument(l->code, expr, &value)) return NULL;
  /* compilers warn where an unsigned number is compared with 0 */
  if (!value && !expr->type->is_signed) return NULL;
  return number_as(r->arena, value + SEEDED(SPECIALIZED_WRONG), expr->type);
}

/* Unrolls the short loops of nests. */
static struct ir_stmt *unrolled(struct looking *l, struct ir_stmt *stmt)
{
  struct ir_stmt **below;
  bool now;

  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(l->code->arena, stmt);
  if (is_unrolled(l, stmt)) {
    instructions_trips(&l->numbers, stmt, &now);
    if (!copy->pragma && !now) copy->pragma = "#pragma unroll";
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = unrolled(l, *below);
  return copy;
}

/* ---- the row ---- */

static bool decline(struct code *code, const struct ir_place *place, const char *why)
{
  code_decide(code, (struct decision){.kind = DECISION_FORM, .place = *place, .why = why});
  code_remark(code, DIAG_ARGUMENTS_KEPT, place,
              "'%s' does not get the numbers of its launches as constants: %s", code->kernel->name,
              why);
  return false;
}

bool plan_specialize(struct draft *draft)
{
  struct code *code = &draft->code;
  struct numbers numbers = {.code = code, .block = {-1, -1, -1}, .thread = -1};
  struct looking l = {.code = code, .numbers = numbers, .shaped = numbers};
  struct instructions all = {.numbers = &l.numbers,
                             .is_cheap = is_cheap,
                             .is_unrolled = is_unrolled,
                             .context = &l,
                             .around = 1,
                             .unrolled = 1};
  struct ir_rewriter rewriter = {code->arena, constant_of, &l};
  struct ir_place place;

  for (int axis = 0; axis < 3; axis++) l.shaped.block[axis] = code->facts.block[axis];
  list_unrolled(&l, code->facts.kernel->body);
  instructions_count(&all, code->facts.kernel->body);
  if (!all.saved || instructions_gain(&all) < GAIN_NEEDED) return false;
  const char *rounds = code->reorders ? NULL : rounding_differs(code, &place);
  if (rounds) return decline(code, &place, rounds);
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
