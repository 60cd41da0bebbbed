/* SPDX-License-Identifier: MIT */
/* untile_loops.c - joins a loop over tiles and the loop over the elements of a tile.
 *
 *     for (t = 0; t < (n + 15) / 16; t++)                 for (_k = 0; _k < n; _k++)
 *       for (k = 0; k < 16; k++)                    =>      s += a[_k] * b[_k];
 *         s += (t * 16 + k < n ? a[t * 16 + k] : 0) *
 *              (t * 16 + k < n ? b[t * 16 + k] : 0);
 *
 * Every index and condition must be a polynomial that depends on the two iterators through t * 16 +
 * k alone. Iterations behind n are dropped where each of them adds 0 to a sum that is never -0: one
 * that begins with 0 and is only added to. Both loops begin with 0; the inner one has constant
 * bounds.
 */
#include <stdlib.h>

#include "analysis/transform/untile/untile_parts.h"
#include "runtime/seeded.h"

struct nest {
  struct code *code;
  const struct ir_loop *outer, *inner;
  struct ir_stmt *body;  /* of the inner one */
  int64_t size;          /* iterations of the inner one */
  int64_t ratio;         /* k stands for _k - ratio * t */
  struct ir_var *joined; /* _k */
  bool failed;
};

/* ---- find ---- */

static bool counts_from_zero(struct code *code, const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->kind == IR_STMT_FOR ? stmt->loop : NULL;
  int64_t lower;

  return loop && loop->declared && loop->lower && !loop->step_expr && loop->step > 0 &&
         loop->relation == IR_OP_LT && code_constant(code, loop->lower, &lower) && !lower;
}

/* The only statement, apart from declarations of locals that keep one value. NULL: there are none
 * or several. */
static struct ir_stmt *only_statement(struct code *code, struct ir_stmt *stmt)
{
  struct ir_stmt *only = NULL;

  if (stmt->kind != IR_STMT_BLOCK) return stmt;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = stmt->children[i];
    if (child->kind == IR_STMT_NULL) continue;
    if (child->kind == IR_STMT_DECL && code_value_of(code, child->var) &&
        !ir_has_effects(child->expr))
      continue;
    if (only) return NULL;
    only = child;
  }
  return only ? only_statement(code, only) : NULL;
}

static bool find_nest(struct code *code, struct ir_stmt *stmt, struct nest *ret)
{
  *ret = (struct nest){.code = code};
  if (!counts_from_zero(code, stmt)) return false;
  struct ir_stmt *inner = only_statement(code, stmt->body);
  if (!inner || !counts_from_zero(code, inner) || inner->loop->step != 1 ||
      !code_constant(code, inner->loop->bound, &ret->size) || ret->size < 2)
    return false;
  ret->outer = stmt->loop;
  ret->inner = inner->loop;
  ret->body = inner->body;
  ret->ratio = stmt->loop->step == 1 ? ret->size : 1;
  return (stmt->loop->step == 1 || stmt->loop->step == ret->size || SEEDED(UNTILE_STEP_UNASKED)) &&
         ir_same_type(stmt->loop->iterator->type, inner->loop->iterator->type) &&
         !ir_expr_has_var(stmt->loop->bound, stmt->loop->iterator);
}

/* ---- t * size + k ---- */

static bool has_iterator(const struct nest *nest, struct ir_expr *expr)
{
  return ir_expr_has_var(expr, nest->outer->iterator) ||
         ir_expr_has_var(expr, nest->inner->iterator);
}

static struct polynomial of_var(struct arena *arena, struct ir_var *var)
{
  return polynomial_of(ir_build_var(arena, var));
}

/* Does it depend on the iterators through ratio * t + k alone? */
static bool depends_on_sum(const struct nest *nest, const struct polynomial *p)
{
  struct arena *arena = nest->code->arena;
  struct polynomial zero = polynomial_constant(0), t = of_var(arena, nest->outer->iterator),
                    k = of_var(arena, nest->inner->iterator),
                    sum = polynomial_sum(&k, &t, nest->ratio),
                    swapped = polynomial_swap(p, nest->outer->iterator, &zero);

  swapped = polynomial_swap(&swapped, nest->inner->iterator, &sum);
  return polynomial_same(p, &swapped);
}

static bool is_zero(const struct ir_expr *expr)
{
  int64_t value;

  return ir_constant(expr, &value) && !value;
}

/* A copy with 0 for t, and _k for k. */
static struct ir_expr *swapped(const struct nest *nest, struct ir_expr *expr)
{
  struct arena *arena = nest->code->arena;

  if (expr->kind == IR_EXPR_VAR && expr->var == nest->outer->iterator) {
    struct ir_expr *zero = ir_build_int(arena, 0);
    zero->type = ir_plain_type(arena, expr->type);
    return zero;
  }
  if (expr->kind == IR_EXPR_VAR && expr->var == nest->inner->iterator)
    return ir_build_var(arena, nest->joined);
  if (!has_iterator(nest, expr)) return expr;
  struct ir_expr *copy = ARENA_NEW(arena, struct ir_expr);
  *copy = *expr;
  copy->operands = arena_alloc(arena, (expr->operand_count + 1) * sizeof *copy->operands);
  for (unsigned i = 0; i < expr->operand_count; i++)
    copy->operands[i] = swapped(nest, expr->operands[i]);
  bool sum = copy->kind == IR_EXPR_BINARY && copy->op == IR_OP_ADD,
       product = copy->kind == IR_EXPR_BINARY && copy->op == IR_OP_MUL;
  for (unsigned i = 0; i < 2 && (sum || product); i++)
    if (is_zero(copy->operands[i])) return copy->operands[sum ? 1 - i : i];
  return copy;
}

static struct ir_expr *join_iterators(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct nest *nest = r->context;

  if (!expr->type || expr->type->kind != IR_TYPE_INT || expr->kind == IR_EXPR_ASSIGN ||
      ir_is_step(expr) || !has_iterator(nest, expr))
    return NULL;
  struct polynomial p = polynomial_of(expr);
  bool whole = p.known && p.count == 1 && p.terms[0].factor_count == 1 &&
               p.terms[0].factors[0]->kind != IR_EXPR_VAR;
  if (whole || polynomial_hides(&p, nest->outer->iterator) ||
      polynomial_hides(&p, nest->inner->iterator))
    return NULL;
  nest->failed |= !p.known || (!depends_on_sum(nest, &p) && !SEEDED(UNTILE_SUM_UNASKED));
  return swapped(nest, expr);
}

/* ---- the end ---- */

/* Do the loops run up to `limit`, rounded up to whole tiles? */
static bool reaches(struct nest *nest, struct ir_expr *limit)
{
  struct ir_expr *bound = code_resolve(nest->code, nest->outer->bound), *number;
  int64_t size, last, end;

  limit = code_resolve(nest->code, limit);
  if (!bound || !limit) return false;
  if (code_constant(nest->code, bound, &last) && code_constant(nest->code, limit, &end))
    return nest->outer->step == 1 ? last >= 0 && last < INT32_MAX && last * nest->size >= end
                                  : last >= end;
  struct polynomial want = polynomial_of(limit), one = polynomial_constant(1), got;
  if (nest->outer->step != 1) {
    got = polynomial_of(bound);
    return polynomial_same(&got, &want);
  }
  number = ir_strip(bound);
  while (number->kind == IR_EXPR_CAST) number = ir_strip(number->operands[0]);
  bool plus = number->kind == IR_EXPR_BINARY && number->op == IR_OP_ADD &&
              ir_constant(number->operands[1], &size) && size == 1;
  if (plus) number = ir_strip(number->operands[0]);
  if (number->kind != IR_EXPR_BINARY || number->op != IR_OP_DIV ||
      !ir_constant(number->operands[1], &size) || size != nest->size)
    return false;
  got = polynomial_of(number->operands[0]);
  want = polynomial_sum(&want, &one, plus ? -1 : nest->size - 1);
  return polynomial_same(&got, &want);
}

/* ---- iterations that add nothing ---- */

static bool is_conjunct(struct ir_expr *condition, const struct ir_expr *part)
{
  struct ir_expr *bare = ir_strip(condition);

  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_LAND)
    return is_conjunct(bare->operands[0], part) || is_conjunct(bare->operands[1], part);
  return ir_same_expr(bare, part);
}

static bool is_literal_zero(const struct ir_expr *expr)
{
  while ((expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST ||
          expr->kind == IR_EXPR_PAREN) &&
         expr->operand_count == 1)
    expr = expr->operands[0];
  if (expr->kind == IR_EXPR_INT) return !expr->value;
  return expr->kind == IR_EXPR_LITERAL && expr->type && expr->type->kind == IR_TYPE_FLOAT &&
         expr->text && strtod(expr->text, NULL) == 0 && *expr->text != '-';
}

/* Is the value +0 where `part` does not hold? */
static bool is_zero_without(struct code *code, struct ir_expr *expr, const struct ir_expr *part)
{
  struct ir_expr *bare = ir_strip(expr);

  if (bare->kind == IR_EXPR_CAST && bare->operand_count == 1)
    return is_zero_without(code, bare->operands[0], part);
  if (bare->kind == IR_EXPR_VAR && bare->var->kind == IR_VAR_LOCAL) {
    struct ir_expr *value = code_value_of(code, bare->var);
    return value && is_zero_without(code, value, part);
  }
  if (bare->kind == IR_EXPR_COND)
    return is_conjunct(bare->operands[0], part)
               ? is_literal_zero(bare->operands[2])
               : is_zero_without(code, bare->operands[1], part) &&
                     is_zero_without(code, bare->operands[2], part);
  bool keeps = bare->kind == IR_EXPR_BINARY &&
               (bare->op == IR_OP_MUL || bare->op == IR_OP_ADD || bare->op == IR_OP_SUB);
  return keeps ? is_zero_without(code, bare->operands[0], part) &&
                     is_zero_without(code, bare->operands[1], part)
               : is_literal_zero(bare);
}

struct sum_search {
  const struct ir_var *var;
  bool only_added; /* and begins with 0 */
};

static void note_write(struct ir_expr *expr, void *context)
{
  struct sum_search *s = context;

  if (ir_assigned_var(expr) != s->var) return;
  s->only_added &= expr->kind == IR_EXPR_ASSIGN &&
                   (expr->op == IR_OP_ADD_ASSIGN ||
                    (expr->op == IR_OP_ASSIGN && is_literal_zero(expr->operands[1])));
}

static bool note_init(struct ir_stmt *stmt, void *context)
{
  struct sum_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var)
    s->only_added &= !stmt->expr || is_literal_zero(stmt->expr);
  return true;
}

static bool is_never_negative_zero(struct code *code, const struct ir_var *var)
{
  struct sum_search s = {var, true};

  if (var->kind != IR_VAR_LOCAL || var->address_taken) return false;
  if (var->type->kind == IR_TYPE_INT) return true;
  ir_visit_stmt_exprs(code->facts.kernel->body, note_write, &s);
  ir_visit_stmts(code->facts.kernel->body, note_init, &s);
  return var->type->kind == IR_TYPE_FLOAT && (s.only_added || SEEDED(UNTILE_NEGATIVE_ZERO));
}

/* Has the statement no effect where `part` does not hold? */
static bool does_nothing_without(struct code *code, struct ir_stmt *stmt,
                                 const struct ir_expr *part)
{
  struct ir_expr *sum = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  if (stmt->kind == IR_STMT_BLOCK) {
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!does_nothing_without(code, stmt->children[i], part)) return false;
    return true;
  }
  if (stmt->kind == IR_STMT_NULL) return true;
  if (stmt->kind == IR_STMT_DECL) return code_value_of(code, stmt->var) != NULL;
  return sum && sum->kind == IR_EXPR_ASSIGN && sum->op == IR_OP_ADD_ASSIGN &&
         ir_assigned_var(sum) && is_never_negative_zero(code, ir_assigned_var(sum)) &&
         is_zero_without(code, sum->operands[1], part);
}

/* The expression without conversions between integers of one size. Inside the loop both sides of a
 * comparison with its end are positive. */
static struct ir_expr *same_number(struct ir_expr *expr)
{
  while ((expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CONVERT ||
          expr->kind == IR_EXPR_CAST) &&
         expr->operand_count == 1 && expr->type->kind == IR_TYPE_INT &&
         expr->operands[0]->type->kind == IR_TYPE_INT &&
         expr->type->size == expr->operands[0]->type->size)
    expr = expr->operands[0];
  return expr;
}

struct limit_search {
  const struct nest *nest;
  struct ir_expr *found; /* _k < limit */
};

static void note_limit(struct ir_expr *expr, void *context)
{
  struct limit_search *s = context;

  if (s->found || expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_LT) return;
  const struct ir_expr *left = same_number(expr->operands[0]);
  if (left->kind == IR_EXPR_VAR && left->var == s->nest->joined &&
      !ir_expr_has_var(expr->operands[1], s->nest->joined))
    s->found = expr;
}

static struct ir_expr *drop_part(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct ir_expr *part = r->context;

  if (expr->kind == IR_EXPR_COND && is_conjunct(expr->operands[0], part)) {
    struct ir_expr *left = untile_without(r->arena, expr->operands[0], part),
                   *yes = ir_rewrite_expr(r, expr->operands[1]);
    if (!left) return ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), yes);
    struct ir_expr *copy = ir_build_cond(r->arena, left, yes, expr->operands[2]);
    copy->type = expr->type;
    return copy;
  }
  return NULL;
}

struct ir_expr *untile_without(struct arena *arena, struct ir_expr *condition,
                               const struct ir_expr *part)
{
  struct ir_expr *bare = ir_strip(condition);

  if (bare->kind != IR_EXPR_BINARY || bare->op != IR_OP_LAND)
    return ir_same_expr(bare, part) ? NULL : condition;
  struct ir_expr *left = untile_without(arena, bare->operands[0], part),
                 *right = untile_without(arena, bare->operands[1], part);
  if (left == bare->operands[0] && right == bare->operands[1]) return condition;
  return ir_build_both(arena, left, right);
}

/* ---- build ---- */

/* number % size == 0 */
static struct ir_expr *divided(struct ir_expr *condition, int64_t *size)
{
  struct ir_expr *asked = ir_strip(condition), *rest;

  if (asked->kind != IR_EXPR_BINARY || asked->op != IR_OP_EQ || !is_zero(asked->operands[1]))
    return NULL;
  rest = ir_strip(asked->operands[0]);
  if (rest->kind != IR_EXPR_BINARY || rest->op != IR_OP_REM ||
      !ir_constant(rest->operands[1], size))
    return NULL;
  return rest->operands[0];
}

static bool is_multiple(struct code *code, struct ir_expr *number, int64_t size)
{
  struct polynomial want = polynomial_of(number), got;
  int64_t value;

  if (code_constant(code, number, &value)) return value % size == 0;
  for (unsigned i = 0; i < code->facts.context_count; i++) {
    struct ir_expr *known = divided(code->facts.context[i], &value);
    if (!known || value != size) continue;
    got = polynomial_of(known);
    if (polynomial_same(&got, &want)) return true;
  }
  return false;
}

void untile_forget_multiples(struct code *code)
{
  struct ir_expr **left = arena_alloc(code->arena, (code->facts.context_count + 1) * sizeof *left);
  unsigned count = 0;
  int64_t size;

  for (unsigned i = 0; i < code->facts.context_count; i++)
    if (!divided(code->facts.context[i], &size)) left[count++] = code->facts.context[i];
  code->facts.context = left;
  code->facts.context_count = count;
}

/* The end of the joined loop when no condition bounds it: the whole tiles of the outer loop. NULL:
 * it is not known. */
static struct ir_expr *whole_end(struct nest *nest)
{
  struct code *code = nest->code;
  struct ir_expr *bound = code_resolve(code, nest->outer->bound),
                 *size = ir_build_int(code->arena, nest->size), *bare;
  int64_t divisor;

  if (!bound) return NULL;
  bare = ir_strip(bound);
  if (nest->outer->step != 1) return is_multiple(code, bound, nest->size) ? bound : NULL;
  if (code_constant(code, bound, &divisor) && divisor >= 0 && divisor < 1 << 20)
    return ir_build_int(code->arena, divisor * nest->size);
  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_DIV &&
      ir_constant(bare->operands[1], &divisor) && divisor == nest->size &&
      is_multiple(code, bare->operands[0], nest->size))
    return bare->operands[0];
  return ir_build_binary(code->arena, IR_OP_MUL, bound, size);
}

static struct ir_stmt *join(struct nest *nest)
{
  struct arena *arena = nest->code->arena;
  struct ir_rewriter joining = {arena, join_iterators, nest};
  struct limit_search limit = {.nest = nest};
  const struct ir_type *type = ir_plain_type(arena, nest->inner->iterator->type);

  nest->joined = code_local(nest->code, "_k", type);
  nest->joined->write_count = 2;
  struct ir_stmt *body = ir_rewrite_stmt(&joining, nest->body);
  if (nest->failed) return NULL;
  struct ir_expr *end = NULL;
  ir_visit_stmt_exprs(body, note_limit, &limit);
  if (limit.found && reaches(nest, limit.found->operands[1]) &&
      does_nothing_without(nest->code, body, limit.found)) {
    struct ir_rewriter dropping = {arena, drop_part, limit.found};
    body = ir_rewrite_stmt(&dropping, body);
    end = same_number(limit.found->operands[1]);
  } else
    end = whole_end(nest);
  if (!end || end->type->is_signed != type->is_signed || end->type->size != type->size) return NULL;
  return ir_build_for(arena, nest->joined, ir_build_int(arena, 0), end, 1, body);
}

struct ir_stmt *untile_fuse(struct code *code, struct ir_stmt *stmt)
{
  struct nest nest;

  if (!stmt) return NULL;
  struct ir_stmt *joined = find_nest(code, stmt, &nest) ? join(&nest) : NULL;
  if (joined) return joined;
  struct ir_stmt *copy = ir_copy_stmt(code->arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = untile_fuse(code, *below);
  return copy;
}

/* ---- the conditions that the launch checks ---- */

struct bound_search {
  const struct ir_expr *bound;
  bool found; /* a comparison with the bound */
};

static void note_comparison(struct ir_expr *expr, void *context)
{
  struct bound_search *s = context;

  s->found |= expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_LT &&
              ir_same_expr(ir_strip(expr->operands[1]), s->bound);
}

struct asking {
  struct code *code;
  struct ir_expr **ret;
  unsigned count, most;
};

static void ask_multiple(struct asking *a, struct ir_expr *number, int64_t size)
{
  struct arena *arena = a->code->arena;
  struct ir_expr *bare = ir_strip(number);
  int64_t value;

  if (a->count == a->most || bare->kind != IR_EXPR_VAR || bare->var->kind != IR_VAR_PARAM ||
      bare->var->write_count || size < 2 || code_constant(a->code, bare, &value))
    return;
  struct ir_expr *rest = ir_build_binary(arena, IR_OP_REM, bare, ir_build_int(arena, size)),
                 *asked = ir_build_binary(arena, IR_OP_EQ, rest, ir_build_int(arena, 0));
  for (unsigned i = 0; i < a->count; i++)
    if (ir_same_expr(a->ret[i], asked)) return;
  a->ret[a->count++] = asked;
}

static bool ask_of(struct ir_stmt *stmt, void *context)
{
  struct asking *a = context;
  int64_t size;

  if (!counts_from_zero(a->code, stmt)) return true;
  struct ir_expr *bound =
      untile_meets(stmt->body) ? code_resolve(a->code, stmt->loop->bound) : NULL;
  if (!bound) return true;
  bound = ir_strip(bound);
  struct bound_search guarded = {bound, false};
  ir_visit_stmt_exprs(stmt->body, note_comparison, &guarded);
  if (stmt->loop->step > 1 && !guarded.found) ask_multiple(a, bound, stmt->loop->step);
  if (stmt->loop->step == 1 && bound->kind == IR_EXPR_BINARY && bound->op == IR_OP_DIV &&
      ir_constant(bound->operands[1], &size))
    ask_multiple(a, bound->operands[0], size);
  return true;
}

unsigned untile_ask(struct code *code, struct ir_expr **ret, unsigned most)
{
  struct asking a = {.code = code, .ret = ret, .most = most};

  if (!untile_has_tiles(code->facts.kernel)) return 0;
  a.count = untile_ask_small(code, ret, most);
  struct ir_stmt *body = untile_known_block(code, code->facts.kernel->body);
  code->facts.kernel->body = untile_count(code, body);
  ir_visit_stmts(code->facts.kernel->body, ask_of, &a);
  return a.count;
}
