/* SPDX-License-Identifier: MIT */
/* untile_count.c - loops with several counters get a single counter.
 *
 *     for (int a = n * 16 * by, b = 16 * bx; a <= n * 16 * by + n - 1; a += 16, b += 16 * m)
 *       ... A[a + tx] ... B[b + tx] ...
 *   =>
 *     for (int _t = 0; _t < n; _t += 16)
 *       ... A[n * 16 * by + _t + tx] ... B[16 * bx + _t * m + tx] ...
 *
 * Each counter is an int that the loop's head steps once. Its first value and its step do not
 * change. The first counter's step is a constant that divides the steps of the others. The length
 * of its range is a polynomial. No intermediate sum is larger than the counters are.
 */
#include "analysis/transform/untile/untile_parts.h"

enum { MOST_COUNTERS = 4 };

struct counter {
  struct ir_var *var;
  struct polynomial first, step;
};

struct counted {
  struct code *code;
  struct ir_stmt *stmt;
  struct counter counters[MOST_COUNTERS];
  unsigned count;
  struct ir_var *joined;
  bool failed;
};

static bool is_plain_int(const struct ir_type *type)
{
  return ir_type_is_int(type) && !type->is_volatile;
}

static void add_counter(struct counted *c, const struct ir_stmt *decl)
{
  struct ir_expr *first = decl->expr ? code_resolve(c->code, decl->expr) : NULL;

  c->failed |= c->count == MOST_COUNTERS || !first || !is_plain_int(decl->var->type) ||
               decl->var->address_taken || ir_has_effects(first);
  if (c->failed) return;
  c->counters[c->count++] = (struct counter){.var = decl->var, .first = polynomial_of(first)};
}

static struct counter *counter_of(struct counted *c, const struct ir_var *var)
{
  for (unsigned i = 0; var && i < c->count; i++)
    if (c->counters[i].var == var) return &c->counters[i];
  return NULL;
}

/* Notes the steps of counters: by a constant, or by a number that does not change. */
static void note_step(struct counted *c, struct ir_expr *expr)
{
  struct ir_expr *bare = ir_strip(expr), *by;

  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_COMMA) {
    note_step(c, bare->operands[0]);
    note_step(c, bare->operands[1]);
    return;
  }
  struct counter *counter = counter_of(c, ir_assigned_var(bare));
  bool adds = bare->kind == IR_EXPR_ASSIGN && bare->op == IR_OP_ADD_ASSIGN,
       steps = ir_is_step(bare) && (bare->op == IR_OP_PRE_INC || bare->op == IR_OP_POST_INC);
  by = adds ? code_resolve(c->code, bare->operands[1]) : NULL;
  if (!counter || counter->step.known || (!steps && !by)) {
    c->failed = true;
    return;
  }
  counter->step = steps ? polynomial_constant(1) : polynomial_of(by);
}

struct change_search {
  struct counted *c;
  bool changed;
};

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;

  s->changed |= counter_of(s->c, ir_assigned_var(expr)) != NULL;
}

/* Is it made of parameters that do not change, constants and builtins alone? */
static bool is_fixed(const struct polynomial *p)
{
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->terms[i].factor_count; k++) {
      const struct ir_expr *of = p->terms[i].factors[k];
      bool param = of->kind == IR_EXPR_VAR && of->var->kind == IR_VAR_PARAM &&
                   !of->var->write_count && !of->var->address_taken;
      if (!param && of->kind != IR_EXPR_BUILTIN) return false;
    }
  return p->known;
}

static bool find_counters(struct counted *c)
{
  struct ir_stmt *init = c->stmt->init;
  struct change_search search = {c, false};

  if (!init || c->stmt->loop || !c->stmt->increment || !c->stmt->expr) return false;
  if (init->kind == IR_STMT_DECL) add_counter(c, init);
  for (unsigned i = 0; init->kind == IR_STMT_DECLS && i < init->child_count; i++)
    add_counter(c, init->children[i]);
  if (c->failed || !c->count) return false;
  note_step(c, c->stmt->increment);
  ir_visit_stmt_exprs(c->stmt->body, note_change, &search);
  for (unsigned i = 0; i < c->count && !c->failed; i++)
    c->failed |= !is_fixed(&c->counters[i].first) || !is_fixed(&c->counters[i].step);
  return !c->failed && !search.changed;
}

/* The length of the range of the counter that the condition tests. *step: its step. NULL: it is not
 * known. */
static struct ir_expr *length_of(struct counted *c, int64_t *step)
{
  struct ir_expr *condition = ir_strip(c->stmt->expr), *end;
  struct counter *counter;
  bool at_most = condition->kind == IR_EXPR_BINARY && condition->op == IR_OP_LE;

  if (condition->kind != IR_EXPR_BINARY || (!at_most && condition->op != IR_OP_LT)) return NULL;
  struct ir_expr *left = ir_strip(condition->operands[0]);
  counter = left->kind == IR_EXPR_VAR ? counter_of(c, left->var) : NULL;
  end = counter ? code_resolve(c->code, condition->operands[1]) : NULL;
  if (!end || counter->step.count != 1 || counter->step.terms[0].factor_count) return NULL;
  *step = counter->step.terms[0].coefficient;
  struct polynomial one = polynomial_constant(at_most), length = polynomial_of(end);
  if (!is_fixed(&length)) return NULL;
  length = polynomial_sum(&length, &counter->first, -1);
  length = polynomial_sum(&length, &one, 1);
  for (unsigned i = 0; i < length.count; i++)
    for (unsigned k = 0; k < length.terms[i].factor_count; k++)
      if (length.terms[i].factors[k]->kind == IR_EXPR_BUILTIN) return NULL;
  return length.known && *step > 0 ? polynomial_expr(c->code->arena, &length) : NULL;
}

static struct ir_expr *replace_counter(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct counted *c = r->context;
  const struct counter *counter = expr->kind == IR_EXPR_VAR ? counter_of(c, expr->var) : NULL;

  if (!counter) return NULL;
  struct polynomial by = counter->step, t = polynomial_of(ir_build_var(r->arena, c->joined));
  by = polynomial_product(&by, &t);
  by = polynomial_sum(&counter->first, &by, 1);
  c->failed |= !by.known;
  return polynomial_expr(r->arena, &by);
}

static struct ir_stmt *count_one(struct code *code, struct ir_stmt *stmt)
{
  struct counted c = {.code = code, .stmt = stmt};
  struct ir_rewriter rewriter = {code->arena, replace_counter, &c};
  int64_t step;

  if (stmt->kind != IR_STMT_FOR || !find_counters(&c)) return NULL;
  struct ir_expr *length = length_of(&c, &step);
  for (unsigned i = 0; length && i < c.count; i++)
    if (!polynomial_divide(&c.counters[i].step, step)) return NULL;
  if (!length) return NULL;
  c.joined = code_local(code, "_t", ir_int_type());
  c.joined->write_count = 2;
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, stmt->body);
  return c.failed ? NULL
                  : ir_build_for(code->arena, c.joined, ir_build_int(code->arena, 0), length, step,
                                 body);
}

/* ---- shapes of blocks ---- */

static struct ir_expr *replace_size(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct code *code = r->context;
  int axis = expr->kind == IR_EXPR_BUILTIN ? (int)expr->value - IR_BLOCK_DIM : -1;

  if (axis < 0 || axis > 2 || code->facts.block[axis] < 1) return NULL;
  struct ir_expr *size = ir_build_int(r->arena, code->facts.block[axis]);
  size->type = ir_plain_type(r->arena, expr->type);
  return size;
}

struct ir_stmt *untile_known_block(struct code *code, struct ir_stmt *body)
{
  struct ir_rewriter rewriter = {code->arena, replace_size, code};

  return ir_rewrite_stmt(&rewriter, body);
}

struct ir_stmt *untile_count(struct code *code, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *counted = count_one(code, stmt);
  if (counted) stmt = counted;
  struct ir_stmt *copy = ir_copy_stmt(code->arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = untile_count(code, *below);
  return copy;
}
