/* SPDX-License-Identifier: MIT */
/* ragged_round.c - would nvcc fuse other products and sums than in the code as written?
 *
 *     for (j = first; j < end; j++) {             nvcc unrolls the loop, and fuses the product of
 * an sum += wait;                              iteration with the sum of the next one; in chunks
 *       wait = val[j] * x[col[j]];                it unrolls from other iterations on
 *     }
 *
 *     float sum = 0;                              as written nvcc multiplies where the loop ends,
 * as for (...) sum += ...;                       0.85f * 0 is a constant where it does not run, and
 *     y[i] = c + 0.85f * sum;                     cannot fuse; behind two loops it fuses
 *
 *     float t = a * b;                            as written the product goes into the if, to its
 *     if (i < n) { ... y[i] = sum + t; }          sum; not where two arms use it
 *
 * A product that a sum of its own iteration uses is fused in all loops; so is the product of a sum
 * with an argument. Requires: a normal body.
 */
#include "analysis/transform/ragged_stage/ragged.h"
#include "runtime/seeded.h"

struct product_search {
  struct ir_stmt *body;
  const struct ir_var *var;
  bool product, added; /* may it be a product, and does a sum use it? */
  struct ir_place place;
};

static bool is_product(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  if (expr->type->kind != IR_TYPE_FLOAT) return false;
  switch (expr->kind) {
  case IR_EXPR_CALL: return true;
  case IR_EXPR_CAST:
  case IR_EXPR_VAR: /* of a local that is one, perhaps */
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return true;
  case IR_EXPR_UNARY: return is_product(expr->operands[0]);
  case IR_EXPR_COND: return is_product(expr->operands[1]) || is_product(expr->operands[2]);
  case IR_EXPR_BINARY: return expr->op == IR_OP_MUL;
  default: return false;
  }
}

static bool is_sum(enum ir_op op) { return op == IR_OP_ADD || op == IR_OP_SUB; }

/* Is the expression the variable, or computed of it without a sum in between? */
static bool is_of(struct ir_expr *expr, const struct ir_var *var)
{
  expr = ir_strip(expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op != IR_OP_DEREF) return is_of(expr->operands[0], var);
  return ir_holder(expr) == var;
}

static void note_use(struct ir_expr *expr, void *context)
{
  struct product_search *p = context;

  if (expr->kind == IR_EXPR_ASSIGN && ir_holder(expr->operands[0]) == p->var)
    p->product |=
        expr->op == IR_OP_MUL_ASSIGN || (expr->op == IR_OP_ASSIGN && is_product(expr->operands[1]));
  bool compound = expr->kind == IR_EXPR_ASSIGN && is_sum(ir_compound_op(expr->op));
  if (!compound && !(expr->kind == IR_EXPR_BINARY && is_sum(expr->op))) return;
  /* `sum += ...` adds to the sum, which is no product unless something else makes it one */
  for (unsigned i = 0; i < 2; i++)
    if (is_of(expr->operands[i], p->var)) {
      p->added = true;
      p->place = expr->place;
    }
}

struct carried_search {
  struct ir_stmt *loop;
  struct ir_place *place;
  const char *reason;
};

static void note_carried(struct ir_expr *expr, void *context)
{
  struct carried_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_ASSIGN ? ir_holder(expr->operands[0]) : NULL;

  if (s->reason || !var || expr->type->kind != IR_TYPE_FLOAT || strip_declares(s->loop->body, var))
    return;
  struct product_search p = {.body = s->loop->body, .var = var};
  ir_visit_stmt_exprs(s->loop->body, note_use, &p);
  if (!p.product || !p.added || SEEDED(RAGGED_PRODUCT)) return;
  s->reason = "a product waits for a sum of the next iteration, and nvcc may round it differently";
  *s->place = p.place;
}

const char *ragged_rounds(struct ir_stmt *loop, struct ir_place *ret_place)
{
  struct carried_search s = {loop, ret_place, NULL};

  ir_visit_stmt_exprs(loop->body, note_carried, &s);
  return s.reason;
}

/* ---- products of what the loop hands on ---- */

enum { MOST_HANDED = 32 };

struct handed { /* variables that have a value from the loop */
  struct code *code;
  struct ir_stmt *loop;
  const struct ir_var *vars[MOST_HANDED];
  unsigned count;
  bool changed, full;
  bool found;
  struct ir_place place;
};

static bool is_handed(const struct handed *h, const struct ir_var *var)
{
  for (unsigned i = 0; i < h->count; i++)
    if (h->vars[i] == var) return true;
  return false;
}

static void add_handed(struct handed *h, const struct ir_var *var)
{
  if (!var || (var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_PARAM) || is_handed(h, var)) return;
  h->full |= h->count == MOST_HANDED;
  if (h->full) return;
  h->vars[h->count++] = var;
  h->changed = true;
}

struct name_search {
  const struct handed *h;
  bool names, varies; /* names such a variable; is no constant */
};

static void note_name(struct ir_expr *expr, void *context)
{
  struct name_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  struct ir_expr *value = var && !var->has_value ? code_value_of(s->h->code, var) : NULL;

  s->names |= var && is_handed(s->h, var);
  s->varies |= expr->kind == IR_EXPR_BUILTIN || expr->kind == IR_EXPR_INDEX ||
               (var && !var->has_value && !value);
  if (value) ir_visit_expr(value, note_name, s);
}

static struct name_search names_in(const struct handed *h, struct ir_expr *expr)
{
  struct name_search s = {.h = h};

  ir_visit_expr(expr, note_name, &s);
  return s;
}

static void note_handed(struct ir_expr *expr, void *context)
{
  struct handed *h = context;

  if (expr->kind == IR_EXPR_ASSIGN && names_in(h, expr->operands[1]).names)
    add_handed(h, ir_holder(expr->operands[0]));
}

static bool note_handed_decl(struct ir_stmt *stmt, void *context)
{
  struct handed *h = context;

  if (stmt->kind == IR_STMT_DECL && stmt->expr && names_in(h, stmt->expr).names)
    add_handed(h, stmt->var);
  return true;
}

static void note_left(struct ir_expr *expr, void *context)
{
  struct handed *h = context;
  const struct ir_var *var =
      expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr) ? ir_holder(expr->operands[0]) : NULL;

  if (var && !strip_declares(h->loop->body, var) && var != h->loop->loop->iterator)
    add_handed(h, var);
}

/* Notes a product of such a value with a constant. */
static void note_scaled(struct ir_expr *expr, void *context)
{
  struct handed *h = context;
  bool multiplies = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL;

  if (!multiplies || expr->type->kind != IR_TYPE_FLOAT || h->found) return;
  for (unsigned i = 0; i < 2; i++)
    if (names_in(h, expr->operands[i]).names && !names_in(h, expr->operands[1 - i]).varies) {
      h->found = true;
      h->place = expr->place;
    }
}

/* Notes sums, and locals, that such products go into. */
static void note_scaled_use(struct ir_expr *expr, void *context)
{
  struct handed *h = context;
  bool assigns = expr->kind == IR_EXPR_ASSIGN;
  const struct ir_var *to = assigns ? ir_holder(expr->operands[0]) : NULL;
  bool sums = is_sum(expr->op) && expr->kind == IR_EXPR_BINARY;

  sums |= assigns && (is_sum(ir_compound_op(expr->op)) || (to && to->kind == IR_VAR_LOCAL));
  if (sums) ir_visit_expr(expr, note_scaled, h);
}

static bool note_scaled_decl(struct ir_stmt *stmt, void *context)
{
  struct handed *h = context;

  if (stmt == h->loop) return false;
  if (stmt->kind == IR_STMT_DECL && stmt->expr) ir_visit_expr(stmt->expr, note_scaled, h);
  if (stmt->expr) ir_visit_expr(stmt->expr, note_scaled_use, h);
  return true;
}

const char *ragged_rounds_behind(struct code *code, struct ir_stmt *loop,
                                 struct ir_place *ret_place)
{
  struct handed h = {.code = code, .loop = loop};
  struct ir_stmt *body = code->facts.kernel->body;

  ir_visit_stmt_exprs(loop->body, note_left, &h);
  do {
    h.changed = false;
    ir_visit_stmt_exprs(body, note_handed, &h);
    ir_visit_stmts(body, note_handed_decl, &h);
  } while (h.changed);
  ir_visit_stmts(body, note_scaled_decl, &h);
  if (!h.found && !h.full) return NULL;
  if (h.found) *ret_place = h.place;
  return SEEDED(RAGGED_SCALED) ? NULL
                               : "nvcc fuses the product of its result and a constant with a sum, "
                                 "which it does not as written";
}

/* ---- products in front of what a block chooses ---- */

struct outside {
  struct code *code;
  struct ir_stmt *stmt;
  const struct ir_var *var; /* whose values are looked at */
  bool product;
  bool found;
  struct ir_place place;
};

/* May nvcc see a product in the value? */
static bool may_be_product(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  if (expr->type->kind != IR_TYPE_FLOAT) return false;
  switch (expr->kind) {
  case IR_EXPR_BINARY: return expr->op == IR_OP_MUL;
  case IR_EXPR_VAR: return expr->var->kind == IR_VAR_LOCAL;
  case IR_EXPR_CALL: return expr->effect == IR_EFFECT_CALLEE;
  case IR_EXPR_CAST:
  case IR_EXPR_UNARY: return may_be_product(expr->operands[0]);
  case IR_EXPR_COND: return may_be_product(expr->operands[1]) || may_be_product(expr->operands[2]);
  case IR_EXPR_INDEX: {
    const struct ir_var *holder = ir_holder(expr);
    return holder && holder->kind == IR_VAR_LOCAL;
  }
  default: return false;
  }
}

static void note_value(struct ir_expr *expr, void *context)
{
  struct outside *o = context;

  if (expr->kind == IR_EXPR_ASSIGN && ir_holder(expr->operands[0]) == o->var)
    o->product |= expr->op == IR_OP_MUL_ASSIGN ||
                  (expr->op == IR_OP_ASSIGN && may_be_product(expr->operands[1]));
}

/* Looks at what sets the variable outside of the statement. */
static bool note_setting(struct ir_stmt *stmt, void *context)
{
  struct outside *o = context;

  if (stmt == o->stmt) return false;
  if (stmt->kind == IR_STMT_DECL && stmt->var == o->var && stmt->expr)
    o->product |= stmt->expr->kind == IR_EXPR_INIT_LIST || may_be_product(stmt->expr);
  if (stmt->expr) ir_visit_expr(stmt->expr, note_value, o);
  if (stmt->increment) ir_visit_expr(stmt->increment, note_value, o);
  return true;
}

/* Notes the operand of a sum, or a value that is handed on, from in front of the statement. */
static void note_operand(struct outside *o, struct ir_expr *expr)
{
  while ((expr = ir_strip(expr))->kind == IR_EXPR_UNARY || expr->kind == IR_EXPR_CAST)
    expr = expr->operands[0];
  o->var = ir_holder(expr);
  if (!o->var || o->var->kind != IR_VAR_LOCAL || expr->type->kind != IR_TYPE_FLOAT || o->found ||
      strip_declares(o->stmt, o->var))
    return;
  o->product = false;
  ir_visit_stmts(o->code->facts.kernel->body, note_setting, o);
  o->found = o->product;
  o->place = expr->place;
}

static void note_sum(struct ir_expr *expr, void *context)
{
  bool assigns = expr->kind == IR_EXPR_ASSIGN;

  if (expr->kind == IR_EXPR_BINARY && is_sum(expr->op)) note_operand(context, expr->operands[0]);
  if ((expr->kind == IR_EXPR_BINARY && is_sum(expr->op)) || assigns)
    note_operand(context, expr->operands[1]);
}

static bool note_handing(struct ir_stmt *stmt, void *context)
{
  if (stmt->kind == IR_STMT_DECL && stmt->expr) note_operand(context, stmt->expr);
  return true;
}

const char *ragged_rounds_around(struct code *code, struct ir_stmt *stmt,
                                 struct ir_place *ret_place)
{
  struct outside o = {.code = code, .stmt = stmt};

  ir_visit_stmt_exprs(stmt, note_sum, &o);
  ir_visit_stmts(stmt, note_handing, &o);
  if (!o.found || SEEDED(RAGGED_OUTSIDE)) return NULL;
  *ret_place = o.place;
  return "a product in front of a condition on threads waits for its sum, and nvcc may round it "
         "differently";
}
