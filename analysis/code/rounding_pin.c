/* SPDX-License-Identifier: MIT */
/* rounding_pin.c - rounds products that are stored as written, and stay in registers now.
 *
 *     c[i] *= 0.3f;                              float _r_c = c[i];
 *     for (k = 0; k < 8; k++)             =>     _r_c = __fmul_rn(_r_c, 0.3f);
 *       c[i] += a[k];                            for (k = 0; k < 8; k++) _r_c += a[k];
 *
 * nvcc fuses a product with the sums that use it if nothing else does. As written the product is
 * stored, too, so it is rounded. With the store gone it would be fused. __fmul_rn is a product that
 * is never fused; with -fmad=false it is what all products are.
 *
 * What reaches the registers is followed back through negations, selections and locals, to products
 * and calls. All of them are rounded as written, for a selection is another use than a sum. A call
 * whose result may be a product is multiplied by one. A division by a power of two is the product
 * with its inverse. Requires: a body whose definitions of the registers are assignments. Produces
 * a body with new nodes.
 */
#include "analysis/code/rounding_pin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/code/rounding.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

struct pinning {
  const struct code *code;
  const struct ir_var *array;               /* what is stored there is followed; NULL: none is */
  LIST_OF(const struct ir_var *) vars;      /* that a register gets its value from */
  LIST_OF(const struct ir_expr *) products; /* to be rounded */
  bool changed;
};

bool rounding_is_real(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_FLOAT && (type->size == 4 || type->size == 8);
}

static void add_var(struct pinning *p, const struct ir_var *var)
{
  for (unsigned i = 0; i < p->vars.count; i++)
    if (p->vars.items[i] == var) return;
  *ARENA_PUSH(p->code->arena, &p->vars) = var;
  p->changed = true;
}

static bool is_pinned(const struct pinning *p, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < p->products.count; i++)
    if (p->products.items[i] == expr) return true;
  return false;
}

static void add_product(struct pinning *p, const struct ir_expr *expr)
{
  if (!rounding_is_real(expr->type) || is_pinned(p, expr)) return;
  *ARENA_PUSH(p->code->arena, &p->products) = expr;
  p->changed = true;
}

/* The local that an expression is an element or a member of. NULL: it is in memory. */
static const struct ir_var *local_of(const struct ir_expr *expr)
{
  expr = ir_strip((struct ir_expr *)expr);
  while (expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_MEMBER)
    expr = ir_strip(expr->operands[0]);
  if (expr->kind != IR_EXPR_VAR) return NULL;
  const struct ir_type *type = expr->var->type;
  bool held = expr->var->kind == IR_VAR_LOCAL ||
              (expr->var->kind == IR_VAR_PARAM && expr->var->write_count);
  return held && type->kind != IR_TYPE_POINTER && type->kind != IR_TYPE_REFERENCE ? expr->var
                                                                                  : NULL;
}

/* The inverse of a power of two, which a division by a constant is a product with. 0: it is none.
 */
static double inverse_of(const struct ir_expr *divisor)
{
  double number;
  int exponent;

  divisor = ir_strip((struct ir_expr *)divisor);
  if (divisor->kind == IR_EXPR_INT)
    number = (double)divisor->value;
  else if (divisor->kind == IR_EXPR_LITERAL && rounding_is_real(divisor->type) && divisor->text)
    number = strtod(divisor->text, NULL);
  else
    return 0;
  bool power = isfinite(number) && fabs(number) > 1 && frexp(fabs(number), &exponent) == 0.5 &&
               exponent < 60;
  return power ? 1 / number : 0;
}

static void follow(struct pinning *p, const struct ir_expr *expr);

struct returns {
  struct pinning *p;
  bool product;
};

/* Whether a value may be a product is the same question for what a function returns. */
static bool note_return(struct ir_stmt *stmt, void *context)
{
  struct returns *r = context;

  if (stmt->kind == IR_STMT_RETURN && stmt->expr) {
    struct pinning inner = {.code = r->p->code};
    follow(&inner, stmt->expr);
    r->product |= inner.products.count || inner.vars.count;
  }
  return true;
}

static bool may_be_product(struct pinning *p, const struct ir_expr *call)
{
  struct returns returns = {.p = p};

  if (call->effect == IR_EFFECT_CALLEE && call->callee && call->callee->body) {
    ir_visit_stmts(call->callee->body, note_return, &returns);
    return returns.product;
  }
  bool known = call->text && (!strncmp(call->text, "__", 2) || !strncmp(call->text, "mesi_", 5) ||
                              rounding_is_exact(p->code, call));
  return call->effect == IR_EFFECT_NONE && !known;
}

static void follow_binary(struct pinning *p, const struct ir_expr *expr)
{
  if (expr->op == IR_OP_COMMA) follow(p, expr->operands[1]);
  if (expr->op == IR_OP_MUL || (expr->op == IR_OP_DIV && inverse_of(expr->operands[1])))
    add_product(p, expr);
}

/* What the value may be. */
static void follow(struct pinning *p, const struct ir_expr *expr)
{
  const struct ir_type *from;

  if (!expr || !expr->type || expr->type->kind != IR_TYPE_FLOAT) return;
  switch (expr->kind) {
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    from = expr->operands[0]->type;
    if (!from || from->kind != IR_TYPE_FLOAT || from->size != expr->type->size) return;
    follow(p, expr->operands[0]);
    return;
  case IR_EXPR_PAREN: follow(p, expr->operands[0]); return;
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_NEG || expr->op == IR_OP_PLUS) follow(p, expr->operands[0]);
    return;
  case IR_EXPR_COND:
    follow(p, expr->operands[1]);
    follow(p, expr->operands[2]);
    return;
  case IR_EXPR_BINARY: follow_binary(p, expr); return;
  case IR_EXPR_CALL:
    if (may_be_product(p, expr)) add_product(p, expr);
    return;
  case IR_EXPR_ASSIGN: expr = expr->operands[0]; break;
  default: break;
  }
  const struct ir_var *var = local_of(expr);
  if (var) add_var(p, var);
}

/* ---- definitions ---- */

static bool is_followed(const struct pinning *p, const struct ir_var *var)
{
  for (unsigned i = 0; var && i < p->vars.count; i++)
    if (p->vars.items[i] == var) return true;
  return false;
}

static bool is_in_array(const struct pinning *p, struct ir_expr *target)
{
  const struct code_access *found = p->array ? code_access_of(p->code, ir_strip(target)) : NULL;

  return found && found->array->var == p->array;
}

static void note_assignment(struct ir_expr *expr, void *context)
{
  struct pinning *p = context;

  if (expr->kind != IR_EXPR_ASSIGN ||
      !(is_followed(p, local_of(expr->operands[0])) || is_in_array(p, expr->operands[0])))
    return;
  if (expr->op == IR_OP_ASSIGN) follow(p, expr->operands[1]);
  bool scales = ir_compound_op(expr->op) == IR_OP_MUL ||
                (ir_compound_op(expr->op) == IR_OP_DIV && inverse_of(expr->operands[1]));
  const struct ir_type *by = expr->operands[1]->type;
  if (scales && by && (by->kind != IR_TYPE_FLOAT || by->size <= expr->type->size))
    add_product(p, expr);
}

static bool note_declaration(struct ir_stmt *stmt, void *context)
{
  struct pinning *p = context;

  if (stmt->kind == IR_STMT_DECL && is_followed(p, stmt->var)) follow(p, stmt->expr);
  return true;
}

static void follow_all(struct pinning *p, struct ir_stmt *body)
{
  do {
    p->changed = false;
    ir_visit_stmts(body, note_declaration, p);
    ir_visit_stmt_exprs(body, note_assignment, p);
  } while (p->changed);
}

bool rounding_stores_product(const struct code *code, const struct ir_var *param)
{
  struct pinning p = {.code = code, .array = param};

  follow_all(&p, code->facts.kernel->body);
  return p.products.count > 0;
}

/* ---- the new code ---- */

static struct ir_expr *real(struct arena *arena, const struct ir_type *type, double number)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);

  *expr = (struct ir_expr){.kind = IR_EXPR_LITERAL,
                           .id = UINT32_MAX,
                           .type = type,
                           .text = arena_format(arena, number == 1 ? "%.1f%s" : "%.17g%s", number,
                                                type->size == 4 ? "f" : "")};
  return expr;
}

struct ir_expr *rounding_pin_product(struct arena *arena, const struct ir_expr *product,
                                     struct ir_expr *left, struct ir_expr *right)
{
  const struct ir_type *type = ir_plain_type(arena, product->type);
  struct ir_expr *call =
      ir_build_call(arena, type->size == 4 ? "__fmul_rn" : "__dmul_rn", IR_EFFECT_NONE);

  call->type = type;
  call->place = product->place;
  ir_add_argument(arena, call, left);
  ir_add_argument(arena, call, right);
  return call;
}

static struct ir_expr *factor_of(struct ir_rewriter *r, const struct ir_expr *expr, enum ir_op op)
{
  double inverse = op == IR_OP_DIV ? inverse_of(expr->operands[1]) : 0;

  return inverse ? real(r->arena, ir_plain_type(r->arena, expr->type), inverse)
                 : ir_rewrite_expr(r, expr->operands[1]);
}

static struct ir_expr *round_product(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct pinning *p = r->context;

  if (!is_pinned(p, expr)) return NULL;
  if (expr->kind == IR_EXPR_CALL) {
    struct ir_expr *call = ARENA_NEW(r->arena, struct ir_expr);
    *call = *expr;
    call->operands = arena_alloc(r->arena, (expr->operand_count + 1) * sizeof *call->operands);
    for (unsigned i = 0; i < expr->operand_count; i++)
      call->operands[i] = ir_rewrite_expr(r, expr->operands[i]);
    return rounding_pin_product(r->arena, expr, call,
                                real(r->arena, ir_plain_type(r->arena, expr->type), 1));
  }
  struct ir_expr *target = ir_rewrite_expr(r, expr->operands[0]);
  if (expr->kind == IR_EXPR_BINARY)
    return rounding_pin_product(r->arena, expr, target, factor_of(r, expr, expr->op));
  struct ir_expr *value =
      rounding_pin_product(r->arena, expr, target, factor_of(r, expr, ir_compound_op(expr->op)));
  struct ir_expr *assign = ir_build_assign(r->arena, target, value);
  assign->place = expr->place;
  return assign;
}

static bool may_fuse(const struct code *code)
{
  return code->reorders || SEEDED(STORED_PRODUCT_FUSED);
}

struct ir_stmt *rounding_pin(const struct code *code, struct ir_stmt *body,
                             const struct ir_var *const *vars, unsigned count)
{
  struct pinning p = {.code = code};
  struct ir_rewriter rewriter = {code->arena, round_product, &p};

  if (may_fuse(code)) return body;
  for (unsigned i = 0; i < count; i++) add_var(&p, vars[i]);
  if (count) follow_all(&p, body);
  return p.products.count ? ir_rewrite_stmt(&rewriter, body) : body;
}

struct ir_expr *rounding_pin_value(const struct code *code, struct ir_expr *value)
{
  struct pinning p = {.code = code};
  struct ir_rewriter rewriter = {code->arena, round_product, &p};

  if (may_fuse(code)) return value;
  follow(&p, value);
  return ir_rewrite_expr(&rewriter, value);
}

/* ---- memory ---- */

static bool is_global(const struct ir_var *var)
{
  return var->kind == IR_VAR_PARAM || var->kind == IR_VAR_VS || var->kind == IR_VAR_LOCAL ||
         (var->kind == IR_VAR_DEVICE && !var->is_constant_memory);
}

static bool is_named(const struct ir_var *var)
{
  return var->kind == IR_VAR_DEVICE && var->type->kind == IR_TYPE_ARRAY;
}

bool rounding_apart(const struct ir_var *a, const struct ir_var *b)
{
  if (!is_global(a) || !is_global(b) || a->type->is_restrict || b->type->is_restrict) return true;
  return is_named(a) && is_named(b) && a != b;
}
