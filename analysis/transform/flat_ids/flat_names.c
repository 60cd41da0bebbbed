/* SPDX-License-Identifier: MIT */
/* flat_names.c - a local for each value of a local that is set several times.
 *
 *     int rest = i;                          int rest = i;
 *     int x = rest % w;                      int x = rest % w;
 *     rest /= w;                       =>    int rest_2 = rest / w;
 *     int y = rest % h;                      int y = rest_2 % h;
 *
 * Requires that all assignments to it are statements of the list that declares it. Others stay.
 */
#include "analysis/transform/flat_ids/flat_digits.h"
#include "runtime/seeded.h"

struct renaming {
  struct code *code;
  const struct ir_var *from;
  struct ir_var *to;
  unsigned assigned;
};

static struct ir_expr *rename_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct renaming *n = r->context;

  if (expr->kind != IR_EXPR_VAR || expr->var != n->from) return NULL;
  return ir_build_var(r->arena, n->to);
}

/* The value of `var = value;` or `var op= value;`, in the names of before. NULL: it is neither. */
static struct ir_expr *assigned_value(struct arena *arena, const struct ir_stmt *stmt,
                                      const struct ir_var *var)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR && stmt->expr ? ir_strip(stmt->expr) : NULL;

  if (!expr || expr->kind != IR_EXPR_ASSIGN || ir_assigned_var(expr) != var) return NULL;
  struct ir_expr *value = expr->operands[1];
  if (expr->op == IR_OP_ASSIGN) return value;
  enum ir_op op = ir_compound_op(expr->op);
  const struct ir_type *type = ir_plain_type(arena, var->type);
  if (op == IR_OP_COUNT || !ir_same_type(ir_plain_type(arena, value->type), type)) return NULL;
  value = ir_build_binary(arena, op, ir_strip(expr->operands[0]), value);
  value->type = type;
  return value;
}

static bool is_split(struct code *code, const struct ir_stmt *list, unsigned from,
                     const struct ir_var *var)
{
  unsigned writes = var->init || list->children[from]->expr ? 1 : 0;

  if (var->kind != IR_VAR_LOCAL || var->address_taken || var->write_count < 2 || var->is_static ||
      !linear_is_index_type(var->type) || !ir_owns(code->facts.kernel, var))
    return false;
  for (unsigned i = from + 1; i < list->child_count; i++)
    writes += assigned_value(code->arena, list->children[i], var) != NULL;
  return writes == var->write_count || SEEDED(FLAT_NAME_SET_BELOW);
}

static struct ir_var *new_name(struct code *code, const struct ir_var *var, struct ir_expr *value)
{
  struct ir_var *to = code_local(code, var->name, ir_plain_type(code->arena, var->type));

  to->init = value;
  to->write_count = value ? 1 : 0;
  to->place = var->place;
  return to;
}

/* The list from the declaration on, with a local for each value. */
static struct ir_stmt *split(struct code *code, struct ir_stmt *list, unsigned from)
{
  struct ir_var *var = list->children[from]->var;
  struct renaming n = {.code = code, .from = var};
  struct ir_rewriter rewriter = {code->arena, rename_var, &n};
  struct ir_list out = {0};

  for (unsigned i = 0; i < from; i++) ir_list_add(code->arena, &out, list->children[i]);
  for (unsigned i = from; i < list->child_count; i++) {
    struct ir_stmt *stmt = list->children[i];
    struct ir_expr *value = i == from ? stmt->expr : assigned_value(code->arena, stmt, var);
    if (i > from && !value) {
      ir_list_add(code->arena, &out, n.to ? ir_rewrite_stmt(&rewriter, stmt) : stmt);
      continue;
    }
    if (!value) continue; /* declared without a value */
    value = n.to ? ir_rewrite_expr(&rewriter, value) : value;
    if (!ir_same_type(ir_plain_type(code->arena, value->type),
                      ir_plain_type(code->arena, var->type)))
      value = ir_build_cast(code->arena, ir_plain_type(code->arena, var->type), value);
    n.to = new_name(code, var, value);
    ir_list_add(code->arena, &out, ir_build_decl(code->arena, n.to, value));
  }
  return ir_build_block(code->arena, &out);
}

/* Declarations with several declarators as one each. */
static struct ir_stmt *apart(struct arena *arena, struct ir_stmt *list)
{
  struct ir_list out = {0};

  for (unsigned i = 0; i < list->child_count; i++) {
    struct ir_stmt *stmt = list->children[i];
    bool several = stmt->kind == IR_STMT_DECLS;
    for (unsigned k = 0; several && k < stmt->child_count; k++)
      ir_list_add(arena, &out, stmt->children[k]);
    if (!several) ir_list_add(arena, &out, stmt);
  }
  return ir_build_block(arena, &out);
}

struct ir_stmt *flat_single_names(struct code *code, struct ir_stmt *body)
{
  struct ir_stmt *copy = ir_copy_stmt(code->arena, body), **below;

  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    if (*below) *below = flat_single_names(code, *below);
  if (copy->kind != IR_STMT_BLOCK) return copy;
  struct ir_stmt *list = apart(code->arena, copy);
  for (unsigned i = 0; i < list->child_count; i++)
    if (list->children[i]->kind == IR_STMT_DECL && is_split(code, list, i, list->children[i]->var))
      list = split(code, list, i);
  list->place = copy->place;
  return list;
}
