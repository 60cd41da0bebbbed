/* SPDX-License-Identifier: MIT */
/* product.c - loops whose iterations only add products to sums, one factor of a row, the other of a
 * column.
 *
 *     for (k ...) { double x = alpha * a[row][k]; s += x * b[k][col]; }
 *         =>    s: row alpha * a[row][k], column b[k][col]
 *     for (k ...) s -= a[row][k] * b[k][col] - c[col][k] * d[k][row]
 *         =>    s: row -a[row][k], column b[k][col]; row d[k][row], column c[col][k]
 *
 * Tensor cores run four iterations of such a loop for an 8 x 8 part of the elements in one
 * instruction (coarsen_product.c). The terms of an update become separate sums, and a sum gets its
 * products one after the other. A factor that depends on no axis goes to the row. So additions and
 * multiplications may happen in another order, which needs plan_options.associative.
 *
 * Requires: instances of the code. Gives up: sums that are no doubles, factors that depend on both
 * axes or on a sum, any other statement in the body.
 */
#include "analysis/mapping/tile/product.h"

#include <string.h>

enum { MOST_NAMED = 16, MOST_FACTORS = 16 };

struct named {
  const struct ir_var *var;
  struct ir_expr *value;
};

struct matching {
  const struct instances *in;
  struct arena *arena;
  struct named named[MOST_NAMED]; /* names that the body declares */
  unsigned named_count;
  struct products *out;
  struct ir_var *sum; /* of the current update */
  unsigned bases;     /* its uses of the sum itself */
  bool failed;
};

static bool is_double(const struct ir_type *type)
{
  return type->kind == IR_TYPE_FLOAT && type->size == 8;
}

/* The expression without parentheses, and without conversions that change nothing. */
static struct ir_expr *bare(struct ir_expr *expr)
{
  while (expr->operand_count == 1 &&
         (expr->kind == IR_EXPR_PAREN ||
          ((expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST) && is_double(expr->type) &&
           is_double(expr->operands[0]->type))))
    expr = expr->operands[0];
  return expr;
}

/* ---- names that the body declares ---- */

static struct ir_expr *replace_named(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct matching *m = r->context;

  for (unsigned i = 0; expr->kind == IR_EXPR_VAR && i < m->named_count; i++)
    if (m->named[i].var == expr->var) return m->named[i].value;
  return NULL;
}

static struct ir_expr *spelled_out(struct matching *m, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {m->arena, replace_named, m};
  return ir_rewrite_expr(&rewriter, expr);
}

static void note_name(struct matching *m, struct ir_stmt *decl)
{
  const struct ir_var *var = decl->var;
  bool value = decl->expr && var->write_count == 1 && !var->address_taken &&
               (var->type->kind == IR_TYPE_FLOAT || var->type->kind == IR_TYPE_INT);

  if (!value || m->named_count == MOST_NAMED || ir_has_effects(decl->expr)) {
    m->failed = true;
    return;
  }
  struct ir_expr *as_declared = code_cast_value(m->arena, var, spelled_out(m, decl->expr));
  m->named[m->named_count++] = (struct named){var, as_declared};
}

/* ---- factors ---- */

struct factors {
  struct ir_expr *items[MOST_FACTORS];
  unsigned count;
};

static void take_apart(struct matching *m, struct ir_expr *expr, struct factors *ret)
{
  expr = bare(expr);
  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL && is_double(expr->type) &&
      instances_of_expr(m->in, expr) == INSTANCE_ALL) {
    take_apart(m, expr->operands[0], ret);
    take_apart(m, expr->operands[1], ret);
    return;
  }
  if (ret->count == MOST_FACTORS)
    m->failed = true;
  else
    ret->items[ret->count++] = expr;
}

static struct ir_expr *times(struct matching *m, struct ir_expr *left, struct ir_expr *right)
{
  if (!left) return right;
  struct ir_expr *product = ir_build_binary(m->arena, IR_OP_MUL, left, right);
  product->type = is_double(left->type) ? left->type : right->type;
  return product;
}

/* The product of the factors that depend on `axis`; for y also of those that depend on no axis. */
static struct ir_expr *product_along(struct matching *m, const struct factors *factors,
                                     unsigned axis)
{
  struct ir_expr *all = NULL;
  bool depends = false;

  for (unsigned i = 0; i < factors->count; i++) {
    unsigned axes = instances_of_expr(m->in, factors->items[i]);
    m->failed |= axes == INSTANCE_ALL;
    if (axes != axis && (axes || axis != INSTANCE_Y)) continue;
    depends |= axes == axis;
    all = times(m, all, factors->items[i]);
  }
  m->failed |= !depends;
  return all;
}

static void add_product(struct matching *m, struct ir_expr *left, struct ir_expr *right,
                        bool negative)
{
  struct factors factors = {0};

  take_apart(m, left, &factors);
  take_apart(m, right, &factors);
  if (m->failed || m->out->count == MOST_PRODUCTS) {
    m->failed = true;
    return;
  }
  struct product *product = &m->out->items[m->out->count++];
  *product = (struct product){m->sum, product_along(m, &factors, INSTANCE_Y),
                              product_along(m, &factors, INSTANCE_X)};
  if (m->failed) return;
  if (negative) product->row = ir_build_unary(m->arena, IR_OP_NEG, product->row);
  m->failed |= !is_double(product->row->type) || !is_double(product->column->type);
}

/* ---- terms ---- */

static bool is_fma(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_NONE && expr->operand_count == 3 &&
         (!strcmp(expr->text, "fma") || !strcmp(expr->text, "std::fma") ||
          !strcmp(expr->text, "__fma_rn"));
}

static void add_terms(struct matching *m, struct ir_expr *expr, bool negative)
{
  expr = bare(expr);
  bool sum = expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB);

  if (!is_double(expr->type)) {
    m->failed = true;
  } else if (sum) {
    add_terms(m, expr->operands[0], negative);
    add_terms(m, expr->operands[1], negative != (expr->op == IR_OP_SUB));
  } else if (is_fma(expr)) {
    add_product(m, expr->operands[0], expr->operands[1], negative);
    add_terms(m, expr->operands[2], negative);
  } else if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_NEG) {
    add_terms(m, expr->operands[0], !negative);
  } else if (expr->kind == IR_EXPR_VAR && expr->var == m->sum && !negative) {
    m->bases++;
  } else if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL) {
    add_product(m, expr->operands[0], expr->operands[1], negative);
  } else {
    m->failed = true;
  }
}

static void match_update(struct matching *m, struct ir_expr *expr)
{
  struct ir_expr *assign = ir_strip(expr);
  struct ir_var *sum = assign->kind == IR_EXPR_ASSIGN ? ir_assigned_var(assign) : NULL;
  bool whole = assign->op == IR_OP_ASSIGN, less = assign->op == IR_OP_SUB_ASSIGN;

  if (!sum || !(whole || less || assign->op == IR_OP_ADD_ASSIGN) || sum->kind != IR_VAR_LOCAL ||
      sum->address_taken || !is_double(sum->type) || instances_of_var(m->in, sum) != INSTANCE_ALL ||
      ir_has_effects(assign->operands[1])) {
    m->failed = true;
    return;
  }
  m->sum = sum;
  m->bases = !whole;
  add_terms(m, spelled_out(m, assign->operands[1]), less);
  m->failed |= m->bases != 1;
}

static void match_stmt(struct matching *m, struct ir_stmt *stmt)
{
  switch (stmt->kind) {
  case IR_STMT_NULL: break;
  case IR_STMT_DECL: note_name(m, stmt); break;
  case IR_STMT_EXPR: match_update(m, stmt->expr); break;
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count && !m->failed; i++) match_stmt(m, stmt->children[i]);
    break;
  default: m->failed = true; break;
  }
}

static bool uses_sum(const struct products *products, struct ir_expr *factor)
{
  bool uses = false;

  for (unsigned i = 0; i < products->count; i++)
    uses |= ir_expr_has_var(factor, products->items[i].sum);
  return uses;
}

bool products_of(const struct instances *in, struct ir_stmt *body, struct products *ret)
{
  struct matching m = {.in = in, .arena = in->code->arena, .out = ret};

  ret->count = 0;
  match_stmt(&m, body);
  for (unsigned i = 0; i < ret->count && !m.failed; i++)
    m.failed |= uses_sum(ret, ret->items[i].row) || uses_sum(ret, ret->items[i].column);
  return !m.failed && ret->count;
}

/* ---- planning ---- */

struct load_search {
  const struct tile *tile;
  bool failed;
};

static bool is_staged(const struct tile *tile, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < tile->array_count; i++)
    for (unsigned k = 0; k < tile->arrays[i].stage.access_count; k++)
      if (tile->arrays[i].stage.accesses[k].expr == expr) return true;
  return false;
}

/* Notes loads. Elements of other threads may only be read from copies. */
static void note_load(struct ir_expr *expr, void *context)
{
  struct load_search *s = context;
  bool reads =
      (expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_MEMBER || expr->kind == IR_EXPR_CALL ||
       (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF)) &&
      expr->type->kind != IR_TYPE_ARRAY;
  bool pure = expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_NONE;

  s->failed |= reads && !pure && !is_staged(s->tile, expr);
}

static bool reads_copies(const struct tile *tile, const struct products *products)
{
  struct load_search s = {tile, false};

  for (unsigned i = 0; i < products->count; i++) {
    ir_visit_expr(products->items[i].row, note_load, &s);
    ir_visit_expr(products->items[i].column, note_load, &s);
  }
  return !s.failed;
}

bool products_plan(const struct instances *in, struct tiles *tiles)
{
  struct products products;
  bool found = false;

  for (unsigned i = 0; i < tiles->count; i++) {
    struct tile *tile = &tiles->items[i];
    tile->products = products_of(in, tile->loop->body, &products) && reads_copies(tile, &products)
                         ? products.count
                         : 0;
    found |= tile->products > 0;
  }
  return found;
}

bool products_fit(const struct geometry *g)
{
  for (int axis = 0; axis < 2; axis++)
    if (g->threads[axis] % (axis ? 8 : 4) || g->block[axis] % (g->threads[axis] * 2)) return false;
  return true;
}
