/* SPDX-License-Identifier: MIT */
/* host_around.c - see host_around.h. */
#include "analysis/host/host_around.h"

#include <string.h>

#include "analysis/host/host_calls.h"

static bool has_kind(const struct ir_type *type, enum ir_type_kind kind)
{
  return type->kind == kind;
}

bool host_is_scalar(const struct ir_type *type)
{
  return has_kind(type, IR_TYPE_BOOL) || has_kind(type, IR_TYPE_INT) ||
         has_kind(type, IR_TYPE_FLOAT) || has_kind(type, IR_TYPE_POINTER);
}

/* Is it s = a[i]; or a[i] = s; for structures? VS data can be copied byte by byte, so the operator
 * hides nothing. */
bool host_is_plain_copy(const struct host_node *top)
{
  if (!has_kind(top->expr->type, IR_TYPE_RECORD)) return false;
  if (!top->parent) return top->stmt && top->stmt->kind == IR_STMT_DECL;
  const struct ir_expr *parent = top->parent->expr;
  return parent->kind == IR_EXPR_CALL && parent->is_method && !strcmp(parent->text, "operator=") &&
         parent->operand_count == 2 && (!parent->callee || !parent->callee->has_definition);
}

/* const int &m = std::max(n, 3); the result may refer to the argument. */
bool host_outlives_call(const struct host_node *top)
{
  const struct host_node *node = top;
  if (!node->parent || node->parent->expr->kind != IR_EXPR_CALL) return false;
  while (node->parent) node = node->parent;
  const struct ir_stmt *stmt = node->stmt;
  return stmt &&
         ((stmt->kind == IR_STMT_DECL && has_kind(stmt->var->type, IR_TYPE_REFERENCE)) ||
          (stmt->kind == IR_STMT_RETURN && has_kind(node->function->result, IR_TYPE_REFERENCE)));
}

/* The value of an opaque statement: throw a[1]; if (int x = n; ...) */
bool host_is_value_of_opaque(const struct host_node *top)
{
  return !top->parent && top->stmt && top->stmt->kind == IR_STMT_OPAQUE &&
         host_is_scalar(top->expr->type);
}

bool host_is_container(const struct ir_type *type)
{
  static const char *const names[] = {"std::vector<", "std::basic_string<", "std::deque<",
                                      "std::list<",   "std::set<",          "std::string"};
  const char *text = type->spelling;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(text, names[i])) return !strpbrk(text, "*&");
  return false;
}

bool host_is_reached_lvalue(const struct host_node *node)
{
  const struct ir_expr *parent = node->parent ? node->parent->expr : NULL;
  if (!parent || node->slot) return false;
  return parent->kind == IR_EXPR_PAREN || (parent->kind == IR_EXPR_MEMBER && !parent->is_arrow) ||
         (parent->kind == IR_EXPR_INDEX && has_kind(node->expr->type, IR_TYPE_ARRAY)) ||
         (parent->kind == IR_EXPR_CONVERT && has_kind(node->expr->type, IR_TYPE_ARRAY) &&
          node->parent->parent && node->parent->parent->expr->kind == IR_EXPR_INDEX &&
          node->parent->slot == 0);
}

/* Is it a pointer in an element or a member, and not an array that decays? */
bool host_is_stored_pointer(const struct host_node *node)
{
  bool decays =
      node->expr->kind == IR_EXPR_CONVERT && has_kind(node->expr->operands[0]->type, IR_TYPE_ARRAY);
  return has_kind(node->expr->type, IR_TYPE_POINTER) && !decays;
}

bool host_type_has_pointers(const struct ir_type *type)
{
  while (has_kind(type, IR_TYPE_ARRAY)) type = type->element;
  return has_kind(type, IR_TYPE_POINTER) ||
         (has_kind(type, IR_TYPE_RECORD) && type->pointer_count > 0);
}

/* The other variable of std::swap(p, q): each gets the other's value. */
const struct ir_var *host_swapped_with(const struct host_node *use)
{
  const struct host_node *call = use->parent;
  const struct host_call *known =
      call && call->expr->kind == IR_EXPR_CALL ? host_call_of(call->expr) : NULL;
  if (!known || strcmp(known->name, "swap") || call->expr->operand_count != 2) return NULL;
  const struct ir_expr *other = ir_strip(call->expr->operands[1 - use->slot]);
  return other->kind == IR_EXPR_VAR ? other->var : NULL;
}
