/* SPDX-License-Identifier: MIT */
/* host_context.c - the use that code makes of an lvalue, one step of the tree at a time.
 *
 *     grid.x = n + 1;    grid: ASSIGNS (component 0)    n: READS
 *     scale(&m, n);      m: TAKES_ADDRESS               n: READS,
 *         or BINDS when scale takes a reference
 *
 * Requires the nodes of host_index. Code that may change the object in an unknown way is BINDS or
 * OBSCURE.
 */
#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/host/host_index.h"

static const char *unqualified(const char *spelling)
{
  for (;;) {
    if (!strncmp(spelling, "const ", 6))
      spelling += 6;
    else if (!strncmp(spelling, "volatile ", 9))
      spelling += 9;
    else
      return spelling;
  }
}

/* Is it a conversion of T to const T, or to a base class? Any other conversion reads the object
 * (const long &x = n; binds to a temporary). */
static bool is_same_object(const struct ir_type *from, const struct ir_type *to)
{
  bool qualifies = (to->is_const && !from->is_const) || (to->is_volatile && !from->is_volatile);
  if (from->kind != to->kind) return false;
  if (from->kind == IR_TYPE_RECORD) return true;
  if (from->kind == IR_TYPE_POINTER) return qualifies && from->element == to->element;
  return qualifies && (from->kind == IR_TYPE_ARRAY ||
                       !strcmp(unqualified(from->spelling), unqualified(to->spelling)));
}

static bool continues_lvalue(const struct host_node *node)
{
  const struct host_node *parent = node->parent;
  if (!parent) return false;
  switch (parent->expr->kind) {
  case IR_EXPR_PAREN: return true;
  case IR_EXPR_MEMBER: return !parent->expr->is_arrow;
  case IR_EXPR_INDEX: return node->slot == 0 && node->expr->type->kind == IR_TYPE_ARRAY;
  case IR_EXPR_COND: return node->slot > 0;
  case IR_EXPR_BINARY: return parent->expr->op == IR_OP_COMMA && node->slot == 1;
  case IR_EXPR_CONVERT: return is_same_object(node->expr->type, parent->expr->type);
  default: return false;
  }
}

struct host_node *host_lvalue_top(struct host_node *node)
{
  while (continues_lvalue(node)) node = node->parent;
  return node;
}

static bool is_reference(const struct ir_type *type) { return type->kind == IR_TYPE_REFERENCE; }

static bool is_const_reference(const struct ir_type *type)
{
  return is_reference(type) && type->element->is_const;
}

/* Is it a method of the library that takes values or constant references, like v.resize(n)? */
static bool is_plain_method(const struct ir_expr *call)
{
  static const char *const others[] = {"swap",       "get",        "getline",  "read",
                                       "operator>>", "operator()", "readsome", "merge"};
  const struct ir_type *object = call->operands[0]->type;
  if (object && object->kind == IR_TYPE_POINTER) object = object->element;
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(call->text, others[i])) return false;
  return host_type_is_standard(object);
}

static enum host_context context_of_argument(const struct host_index *index,
                                             const struct host_node *top)
{
  const struct ir_expr *call = top->parent->expr;
  if (call->is_method && call->operand_count == 2 && host_type_is_dim3(call->operands[0]->type) &&
      !strcmp(call->text, "operator="))
    return top->slot == 0 ? HOST_ASSIGNS : HOST_READS;
  if (call->is_method && top->slot == 0) return HOST_BINDS;
  if (call->callee && call->callee->is_template)
    return host_function_of(index, call->callee)->by_reference ? HOST_BINDS : HOST_READS;
  if (call->callee) {
    unsigned number = top->slot - (call->is_method ? 1 : 0);
    if (number >= call->callee->param_count) return HOST_READS; /* variadic */
    const struct ir_type *type = call->callee->params[number]->type;
    return is_reference(type) && !is_const_reference(type) ? HOST_BINDS : HOST_READS;
  }
  if (call->effect == IR_EFFECT_NONE || call->effect == IR_EFFECT_PRINT) return HOST_READS;
  if (top->slot < 32 && (call->by_value >> top->slot & 1) &&
      top->expr->type->kind != IR_TYPE_RECORD)
    return HOST_READS;
  const struct host_call *known = host_call_of(call);
  if (known && known->arguments[0] != 'm') return HOST_READS;
  /* C interfaces of CUDA */
  if (!call->is_method && !strncmp(call->text, "cu", 2)) return HOST_READS;
  if (call->is_method && is_plain_method(call)) return HOST_READS;
  return !call->is_method && !strcmp(call->text, "operator<<") && top->slot > 0 ? HOST_READS
                                                                                : HOST_BINDS;
}

static enum host_context context_in_statement(const struct host_node *top)
{
  const struct ir_stmt *stmt = top->stmt;
  if (!stmt) return HOST_READS;
  switch (stmt->kind) {
  case IR_STMT_OPAQUE: return HOST_OBSCURE;
  case IR_STMT_DECL:
    return is_reference(stmt->var->type) && !is_const_reference(stmt->var->type) ? HOST_BINDS
                                                                                 : HOST_READS;
  case IR_STMT_RETURN: return is_reference(top->function->result) ? HOST_BINDS : HOST_READS;
  default: return HOST_READS;
  }
}

static enum host_context context_of_unary(const struct ir_expr *unary)
{
  switch (unary->op) {
  case IR_OP_ADDRESS: return HOST_TAKES_ADDRESS;
  case IR_OP_PRE_INC:
  case IR_OP_PRE_DEC:
  case IR_OP_POST_INC:
  case IR_OP_POST_DEC: return HOST_MODIFIES;
  default: return HOST_READS;
  }
}

enum host_context host_context_of(const struct host_index *index, const struct host_node *top)
{
  if (!top->parent) return context_in_statement(top);
  const struct ir_expr *parent = top->parent->expr;
  switch (parent->kind) {
  case IR_EXPR_ASSIGN:
    if (top->slot != 0) return HOST_READS;
    return parent->op == IR_OP_ASSIGN ? HOST_ASSIGNS : HOST_MODIFIES;
  case IR_EXPR_UNARY: return context_of_unary(parent);
  case IR_EXPR_CALL: return context_of_argument(index, top);
  case IR_EXPR_CONSTRUCT:
    return host_type_is_dim3(parent->type) || host_type_is_standard(parent->type) ||
                   (parent->type->kind != IR_TYPE_RECORD && !is_reference(parent->type))
               ? HOST_READS
               : HOST_BINDS;
  case IR_EXPR_INIT_LIST:
    return parent->type->kind != IR_TYPE_RECORD || host_type_is_dim3(parent->type) ? HOST_READS
                                                                                   : HOST_BINDS;
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return is_reference(parent->type) ? HOST_BINDS : HOST_READS;
  case IR_EXPR_OPAQUE: return HOST_OBSCURE;
  default: return HOST_READS;
  }
}
