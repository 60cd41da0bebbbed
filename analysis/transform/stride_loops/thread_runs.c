/* SPDX-License-Identifier: MIT */
/* thread_runs.c - a thread that goes through neighbouring elements of its own leaves them to
 * neighbours.
 *
 *     int id = blockIdx.x * blockDim.x + threadIdx.x;
 *     for (int j = 0; j < 4; j++)
 *       if (4 * id + j < n) out[4 * id + j] = f(in[4 * id + j]);
 *   =>
 *     if (e < n) out[e] = f(in[e]);             four times as many elements as threads
 *
 *     int start = id * chunk, end = min(start + chunk, n);
 *     for (int i = start; i < end; i++) out[i] = f(in[i]);
 *   =>
 *     if (e < n) out[e] = f(in[e]);             `chunk` times as many
 *
 * The thread's number and the iterator are the digits of an element's number, as in block_steps.c.
 * A warp's request meets as many sectors as elements lie between its threads, and one for eight
 * floats behind the change. Requires: a number of elements that the launch knows, which does not
 * depend on the thread; a limit that all threads have in common, in the loop's end, its condition,
 * or an `if` with a break in front of its body. Gives up: an iteration that may end the loop
 * otherwise; in launches, runs that are shorter than the model needs.
 */
#include "analysis/code/shape_linear.h"
#include "analysis/model/model.h"
#include "analysis/transform/stride_loops/stepping.h"
#include "runtime/seeded.h"

#include <math.h>
#include <string.h>

enum {
  MOST_RUN = 4096,
  LEAST_RUN = 4, /* elements of a thread, where only the launch knows them */
  LANES = 32,
  SECTOR = 32 /* bytes */
};

/* ---- numbers of the launch ---- */

static bool is_number(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size >= 4;
}

static bool is_of_launch(const struct ir_expr *expr, bool quotients)
{
  if (!is_number(expr->type)) return false;
  if (expr->kind == IR_EXPR_INT) return true;
  if (expr->kind == IR_EXPR_VAR) return expr->var->kind == IR_VAR_PARAM && !expr->var->write_count;
  if (expr->kind == IR_EXPR_BUILTIN)
    return expr->value >= IR_BLOCK_DIM && expr->value != IR_WARP_SIZE;
  bool binary = expr->kind == IR_EXPR_BINARY;
  if (binary && expr->op != IR_OP_ADD && expr->op != IR_OP_SUB && expr->op != IR_OP_MUL &&
      (expr->op != IR_OP_DIV || !quotients))
    return false;
  if (!binary && expr->kind != IR_EXPR_CONVERT && expr->kind != IR_EXPR_CAST &&
      expr->kind != IR_EXPR_PAREN)
    return false;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!is_of_launch(expr->operands[i], quotients)) return false;
  return expr->operand_count > 0;
}

static bool is_known(const struct polynomial *p)
{
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->terms[i].factor_count; k++)
      if (!is_of_launch(p->terms[i].factors[k], true)) return false;
  return p->known;
}

/* The factor of the variable in `p`, and the rest. False: `p` is not linear in it. */
static bool take_variable(const struct polynomial *p, const struct ir_var *var,
                          struct polynomial *ret, struct polynomial *ret_rest)
{
  const struct polynomial zero = polynomial_constant(0), one = polynomial_constant(1),
                          two = polynomial_constant(2);

  *ret_rest = polynomial_swap(p, var, &zero);
  struct polynomial at_one = polynomial_swap(p, var, &one), at_two = polynomial_swap(p, var, &two);
  *ret = polynomial_sum(&at_one, ret_rest, -1);
  struct polynomial second = polynomial_sum(&at_two, &at_one, -1);
  return ret_rest->known && polynomial_same(ret, &second);
}

/* ---- find ---- */

static struct ir_var *counted(const struct ir_stmt *stmt)
{
  const struct ir_expr *step = stmt->increment ? ir_strip(stmt->increment) : NULL;
  bool one = step && ir_is_step(step) && (step->op == IR_OP_PRE_INC || step->op == IR_OP_POST_INC);

  if (!one || !stmt->init || stmt->init->kind != IR_STMT_DECL || !stmt->init->expr) return NULL;
  struct ir_var *var = stmt->init->var;
  return ir_assigned_var(step) == var && is_number(var->type) && var->write_count == 2 ? var : NULL;
}

/* i < bound, or i <= bound with `equal` */
static bool is_below(const struct ir_expr *condition, const struct ir_var *var, bool equal)
{
  if (condition->kind != IR_EXPR_BINARY ||
      (condition->op != IR_OP_LT && (condition->op != IR_OP_LE || !equal)))
    return false;
  const struct ir_expr *left = ir_strip(condition->operands[0]);
  return left->kind == IR_EXPR_VAR && left->var == var;
}

/* for (int i = lower; i < bound && inside; i++), where `side` of the condition is i < bound */
static struct ir_stmt *with_one_end(struct arena *arena, struct ir_stmt *stmt, int side,
                                    struct ir_expr **ret_inside)
{
  const struct ir_expr *both = stmt->expr ? ir_strip(stmt->expr) : NULL;
  struct ir_var *var = counted(stmt);

  if (!var || !both || both->kind != IR_EXPR_BINARY || both->op != IR_OP_LAND) return NULL;
  const struct ir_expr *end = ir_strip(both->operands[side]);
  struct ir_expr *inside = ir_strip(both->operands[!side]);
  if (!is_below(end, var, false) || !is_below(inside, var, true)) return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->loop = ARENA_NEW(arena, struct ir_loop);
  *copy->loop = (struct ir_loop){.iterator = var,
                                 .lower = stmt->init->expr,
                                 .relation = IR_OP_LT,
                                 .bound = end->operands[1],
                                 .step = 1,
                                 .declared = true};
  *ret_inside = inside;
  return copy;
}

static bool is_count(const struct ir_loop *loop)
{
  return loop && loop->lower && loop->declared && loop->relation == IR_OP_LT && !loop->step_expr &&
         loop->step == 1 && is_number(loop->iterator->type) && loop->iterator->write_count == 2;
}

/* The two of which `expr` is the smaller one. */
static bool is_smaller(struct ir_expr *of, struct ir_expr *ret[2])
{
  const struct ir_expr *expr = linear_bare(of);

  if (ir_is_extreme(expr, true)) {
    ret[0] = expr->operands[0], ret[1] = expr->operands[1];
    return ir_type_is_int(expr->type);
  }
  const struct ir_expr *test = expr->kind == IR_EXPR_COND ? ir_strip(expr->operands[0]) : NULL;
  if (!test || test->kind != IR_EXPR_BINARY) return false;
  bool below = test->op == IR_OP_LT || test->op == IR_OP_LE;
  if (!below && test->op != IR_OP_GT && test->op != IR_OP_GE) return false;
  ret[0] = test->operands[0], ret[1] = test->operands[1];
  return ir_type_is_int(expr->type) && ir_type_is_int(ret[0]->type) &&
         ir_same_expr(linear_bare(ret[!below]), linear_bare(expr->operands[1])) &&
         ir_same_expr(linear_bare(ret[below]), linear_bare(expr->operands[2]));
}

/* Is it first + each, or the smaller one of that and of a limit? Sets s->inside then. */
static bool ends_run(struct stepping *s, struct ir_expr *bound, const struct polynomial *first)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *resolved = code_resolve(s->code, bound), *of[2];
  struct polynomial end = polynomial_sum(first, &s->each, 1), is;

  if (!resolved || !end.known) return false;
  is = stepping_sum(s, resolved);
  if (is.known && polynomial_same(&is, &end)) return true;
  if (s->inside || !is_smaller(resolved, of)) return false;
  for (int side = 0; side < 2; side++) {
    struct ir_expr *limit = of[!side];
    is = stepping_sum(s, of[side]);
    if (!is.known || !polynomial_same(&is, &end) || !is_of_launch(limit, false) ||
        !ir_type_is_int(limit->type) || !ir_type_is_int(s->run->loop->iterator->type))
      continue;
    s->inside =
        ir_build_binary(arena, IR_OP_LT, ir_build_var(arena, s->run->loop->iterator), limit);
    return true;
  }
  return false;
}

/* The number of a thread's elements from the loop's ends. */
static bool find_each(struct stepping *s)
{
  const struct ir_loop *loop = s->run->loop;
  struct ir_expr *lower = code_resolve(s->code, loop->lower),
                 *bound = code_resolve(s->code, loop->bound);

  if (!lower || !bound) return false;
  struct polynomial first = stepping_sum(s, lower), threads = stepping_threads(s, s->axis), rest;
  s->counts = first.known && first.count > 0;
  if (!first.known) return false;
  if (!s->counts) {
    s->each = stepping_sum(s, bound);
    return !s->inside && is_known(&s->each);
  }
  if (!take_variable(&first, s->threads[s->axis], &s->each, &rest) || !is_known(&s->each))
    return false;
  struct polynomial block = polynomial_product(&s->each, &threads);
  block = stepping_builtin(s, IR_BLOCK_IDX + s->axis, &block);
  return polynomial_same(&rest, &block) && ends_run(s, loop->bound, &first);
}

static bool is_suitable(struct stepping *s)
{
  const struct polynomial *each = &s->each;
  bool constant = !each->count || (each->count == 1 && !each->terms[0].factor_count);

  s->each_known = constant && each->count ? each->terms[0].coefficient : 0;
  s->each_of = polynomial_expr(s->code->arena, each);
  return !constant || (s->each_known > 1 && s->each_known <= MOST_RUN);
}

bool runs_find(struct stepping *s)
{
  s->form = OF_THREAD;
  for (int side = -1; side < 2; side++) {
    s->inside = NULL;
    s->run = side < 0 ? s->loop : with_one_end(s->code->arena, s->loop, side, &s->inside);
    if (!s->run || !is_count(s->run->loop)) continue;
    bool limited = !s->inside;
    if (s->inside) {
      struct ir_expr *limit = code_resolve(s->code, s->inside->operands[1]);
      limited = limit && is_of_launch(limit, false);
    }
    if (limited && find_each(s) && is_suitable(s)) return true;
  }
  return false;
}

/* ---- digits ---- */

struct polynomial runs_digit(struct stepping *s, const struct ir_var **ret_digit)
{
  struct polynomial element = stepping_var(s, s->elements[s->axis]),
                    threads = stepping_threads(s, s->axis),
                    block = stepping_builtin(s, IR_BLOCK_IDX + s->axis, &threads),
                    thread = stepping_var(s, s->threads[s->axis]),
                    id = polynomial_sum(&block, &thread, 1),
                    first = polynomial_product(&id, &s->each);

  *ret_digit = s->run->loop->iterator;
  return s->counts ? element : polynomial_sum(&element, &first, -1);
}

struct polynomial runs_owner(struct stepping *s, const struct ir_var **ret_digit)
{
  struct polynomial threads = stepping_threads(s, s->axis),
                    block = stepping_builtin(s, IR_BLOCK_IDX + s->axis, &threads),
                    owner = stepping_var(s, s->owner);

  *ret_digit = s->threads[s->axis];
  return polynomial_sum(&owner, &block, -1);
}

/* ---- the body ---- */

static bool ends_loop(const struct ir_stmt *stmt)
{
  const struct ir_stmt *body = stmt->kind == IR_STMT_IF && !stmt->else_body ? stmt->body : NULL;

  while (body && body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  return body && (body->kind == IR_STMT_BREAK || (body->kind == IR_STMT_RETURN && !body->expr));
}

/* Is it element >= limit, which holds for all elements from one on? */
static bool is_from_limit(struct stepping *s, struct ir_expr *condition)
{
  const struct ir_expr *test = ir_strip(condition), *limit;
  const struct ir_var *digit;

  if (test->kind != IR_EXPR_BINARY || (test->op != IR_OP_GE && test->op != IR_OP_GT)) return false;
  struct ir_expr *left = code_resolve(s->code, test->operands[0]);
  limit = code_resolve(s->code, test->operands[1]);
  if (!left || !limit || !is_of_launch(limit, false)) return false;
  struct polynomial p = stepping_sum(s, left), value = runs_digit(s, &digit),
                    element = stepping_var(s, s->elements[s->axis]);
  p = polynomial_swap(&p, digit, &value);
  return p.known && (polynomial_same(&p, &element) || SEEDED(RUN_ENDS_ANYWHERE));
}

struct ir_stmt *runs_body(struct stepping *s)
{
  struct arena *arena = s->code->arena;
  struct ir_stmt *body = s->run->body;
  struct ir_list out = {0}, rest = {0};
  unsigned at = 0;

  if (body->kind == IR_STMT_BLOCK) {
    while (at < body->child_count && stride_is_plain(body->children[at]))
      ir_list_add(arena, &out, body->children[at++]);
    if (at < body->child_count && ends_loop(body->children[at])) {
      struct ir_expr *end = body->children[at]->expr;
      if (!is_from_limit(s, end)) return NULL;
      while (++at < body->child_count) ir_list_add(arena, &rest, body->children[at]);
      ir_list_add(arena, &out,
                  ir_build_if(arena, ir_build_not(arena, end), ir_build_block(arena, &rest)));
      body = ir_build_block(arena, &out);
    }
  }
  return s->inside && !SEEDED(RUN_LIMIT_LOST) ? ir_build_if(arena, s->inside, body) : body;
}

/* ---- the launch ---- */

static const struct ir_type wide = {
    .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};

static struct ir_expr *times(struct arena *arena, struct ir_expr *a, struct ir_expr *b)
{
  struct ir_expr *product = ir_build_binary(arena, IR_OP_MUL, a, ir_build_cast(arena, &wide, b));

  product->type = &wide;
  return product;
}

static struct ir_expr *without_traps(struct ir_rewriter *r, struct ir_expr *expr)
{
  bool quotient = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_DIV;

  return quotient && ir_may_trap(expr) ? code_safe_quotient(r->arena, expr) : NULL;
}

struct ir_expr *runs_tile(struct stepping *s)
{
  struct arena *arena = s->code->arena;
  struct ir_rewriter rewriter = {arena, without_traps, NULL};
  int64_t threads = s->code->facts.block[s->axis];
  struct ir_expr *block =
      threads > 0
          ? ir_build_int(arena, threads)
          : ir_build_cast(arena, &wide,
                          ir_build_builtin(arena, (enum ir_builtin)(IR_BLOCK_DIM + s->axis)));

  if (s->each_known && threads > 0) return ir_build_int(arena, threads * s->each_known);
  struct ir_expr *each = ir_rewrite_expr(&rewriter, s->each_of),
                 *all = times(arena, ir_build_cast(arena, &wide, each), block);
  if (s->each_known) return all;
  return times(arena, all, ir_build_binary(arena, IR_OP_GE, each, ir_build_int(arena, LEAST_RUN)));
}

/* ---- the model ---- */

/* Cycles of a multiprocessor for a warp's request of elements that lie so many bytes apart: of its
 * instruction, or of the sectors, two of which move in a cycle. */
static double request_of(double bytes)
{
  double sectors = fmin(LANES, fmax(1, LANES * bytes / SECTOR));

  return fmax(MODEL_REQUEST, sectors / 2);
}

enum step_kind { STEP_NONE, STEP_NEIGHBOUR, STEP_OTHER };

/* How do the elements of neighbours lie, that of the loop and that of an iteration behind? */
static enum step_kind step_of(struct stepping *s, const struct access *access)
{
  struct ir_expr *index =
      access->dim_count == 1 && access->source[0] ? code_resolve(s->code, access->source[0]) : NULL;
  const struct ir_var *digit, *element = s->elements[s->axis];
  struct polynomial p, value, by, rest;

  if (!index) return STEP_OTHER;
  p = stepping_sum(s, index);
  if (!take_variable(&p, s->run->loop->iterator, &by, &rest)) return STEP_OTHER;
  if (!by.count && !polynomial_hides(&p, s->run->loop->iterator)) return STEP_NONE;
  value = runs_digit(s, &digit);
  p = polynomial_swap(&p, digit, &value);
  struct polynomial one = polynomial_constant(1), own;
  bool is = take_variable(&p, element, &by, &rest) && polynomial_same(&by, &one) &&
            take_variable(&rest, s->threads[s->axis], &own, &p) && !own.count &&
            !polynomial_hides(&rest, s->threads[s->axis]) && !polynomial_hides(&rest, element);
  return is ? STEP_NEIGHBOUR : STEP_OTHER;
}

double runs_regained(struct stepping *s)
{
  const struct kernel_access *access = &s->code->access;
  double each = s->each_known ? (double)s->each_known : LEAST_RUN, written = 0, left = 0, bytes = 0;

  for (unsigned i = 0; i < access->arrays.count; i++)
    for (unsigned k = 0; k < access->arrays.items[i]->accesses.count; k++) {
      double size = (double)access->arrays.items[i]->element->size;
      enum step_kind kind = step_of(s, &access->arrays.items[i]->accesses.items[k]);
      written += request_of(kind == STEP_NEIGHBOUR ? size * each : size);
      left += kind == STEP_OTHER ? request_of(SECTOR) : request_of(size);
      bytes += LANES * size / MODEL_STREAM;
    }
  return left > 0 ? model_overlapping(written, bytes) / model_overlapping(left, bytes) : 1;
}
