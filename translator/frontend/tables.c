/* SPDX-License-Identifier: MIT */
/* tables.c - static tables of device code are constants like any other local.
 *
 *     static const float w[3] = {1, 2, 1};
 *     s += w[j] * in[i + j];                   =>   w is a local that nothing changes
 *
 * All calls share such a table, and none can tell: it is constant, it has its values before the
 * first call (C++ asks that of a static variable in device code), and its address goes nowhere.
 * Requires: numbers. Gives up, and the function is kept as it is: other static variables, tables
 * whose rows are handed on as pointers or whose elements are bound to references. Text that is
 * printed from the IR says static, too: then no thread keeps a copy of its own.
 */
#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static bool is_constant(const struct ir_expr *expr)
{
  bool leaf = expr->kind == IR_EXPR_INT || expr->kind == IR_EXPR_LITERAL;
  bool node = expr->kind == IR_EXPR_UNARY || expr->kind == IR_EXPR_BINARY ||
              expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT ||
              expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_INIT_LIST;

  if (expr->kind == IR_EXPR_VAR) return expr->var->has_value;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!is_constant(expr->operands[i])) return false;
  return leaf || node;
}

bool table_declare(struct ir_var *var, const struct ir_expr *init)
{
  const struct ir_type *type = var->type;

  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  bool number =
      type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT;
  if (!number || type->is_volatile || !init || !is_constant(init)) return false;
  if (!type->is_const && !SEEDED(STATIC_CHANGES)) return false;
  var->is_table = type->is_const;
  var->is_static = false;
  return true;
}

/* ---- uses ---- */

struct table_search {
  unsigned rows, indexed; /* arrays that tables are or have, and those that have an index */
  bool bound;             /* an element is bound to a reference, or its address is taken */
};

static const struct ir_var *table_of(const struct ir_expr *expr)
{
  const struct ir_var *var = ir_holder(expr);
  return var && var->is_table ? var : NULL;
}

static void note_use(struct ir_expr *expr, void *context)
{
  struct table_search *s = context;
  bool place = expr->kind == IR_EXPR_VAR || expr->kind == IR_EXPR_INDEX;

  if (place && table_of(expr)) {
    s->bound |= table_of(expr)->address_taken;
    s->rows += expr->type->kind == IR_TYPE_ARRAY;
  }
  if (expr->kind == IR_EXPR_INDEX && table_of(expr)) s->indexed++;
  for (unsigned i = 0; expr->kind == IR_EXPR_CALL && i < expr->operand_count; i++) {
    bool value = expr->effect == IR_EFFECT_NONE || expr->operands[i]->kind == IR_EXPR_CONVERT ||
                 (i < 32 && (expr->by_value >> i & 1));
    s->bound |= !value && table_of(expr->operands[i]);
  }
}

void tables_end(struct lower *l, struct ir_stmt *body)
{
  struct table_search s = {0};
  const struct ir_type *result = l->function->result;
  bool found = false;

  for (unsigned i = 0; i < l->vars.count; i++) found |= l->vars.items[i]->is_table;
  if (!found) return;
  s.bound = result && result->kind == IR_TYPE_REFERENCE;
  ir_visit_stmt_exprs(body, note_use, &s);
  if (s.bound || s.rows != s.indexed)
    lower_fail(l, body_of(l->frontend, l->frontend->bodies.items[l->function->id]),
               "a static table whose address is used");
}
