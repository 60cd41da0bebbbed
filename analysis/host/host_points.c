/* SPDX-License-Identifier: MIT */
/* host_points.c - the sources of pointers, flow-insensitively, on demand.
 *
 *     char line[80];  fread(line, 1, 80, f);        // an array of this function: no
 *     float *p = (float *)malloc(8);  p++;
 *         // all definitions of p are fresh memory or p itself: no
 *     void save(const float *q) { write(1, q, 8); } // a parameter of a visible function: may
 *
 * Requires the host index. A pointer may point into a VS object unless each of its sources is a
 * string, null, a fresh allocation, or an object that is no VS variable. Other sources may: values
 * loaded from memory, unknown calls, parameters of functions with unknown callers, and variables
 * that other files or unseen code may write.
 */
#include "analysis/host/host_points.h"

#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/host/host_map.h"

#define MAX_DEPTH 200

struct pointer_walk {
  struct host_index *index;
  struct host_map visited; /* variables and functions whose sources are visited */
  unsigned depth;
};

static bool is_pointer(const struct ir_type *type)
{
  return type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
}

static bool may(struct pointer_walk *, const struct ir_expr *);
static bool lvalue_may(struct pointer_walk *, const struct ir_expr *);

static bool first_visit(struct pointer_walk *w, const void *key)
{
  if (host_map_get(&w->visited, key)) return false;
  host_map_put(&w->visited, key, w);
  return true;
}

static bool receives_allocation(const struct host_node *use)
{
  const struct host_node *node = use->parent; /* the & */
  while (node && node->parent &&
         (node->parent->expr->kind == IR_EXPR_CAST || node->parent->expr->kind == IR_EXPR_CONVERT ||
          node->parent->expr->kind == IR_EXPR_PAREN))
    node = node->parent;
  const struct host_node *call = node ? node->parent : NULL;
  const struct host_call *known = call ? host_call_of(call->expr) : NULL;
  return known && host_call_letter(known, node->slot) == 'p';
}

/* Do only allocating functions get its address? */
static bool is_tracked(const struct host_index *index, const struct host_var *entry)
{
  for (unsigned i = 0; i < entry->uses.count; i++) {
    struct host_node *top = host_lvalue_top(entry->uses.items[i]);
    enum host_context context = host_context_of(index, top);
    if (context == HOST_BINDS || context == HOST_OBSCURE) return false;
    if (context == HOST_TAKES_ADDRESS && !receives_allocation(top)) return false;
  }
  return true;
}

static bool callers_may(struct pointer_walk *w, const struct ir_var *param)
{
  struct ir_function *function = param->function;
  if (!strcmp(function->name, "main")) return false;
  if (!host_callers_known(w->index, function)) return true;
  unsigned number = 0;
  while (number < function->param_count && function->params[number] != param) number++;
  const struct host_function *entry = host_function_of(w->index, function);
  for (unsigned i = 0; i < entry->calls.count; i++) {
    const struct ir_expr *call = entry->calls.items[i]->expr;
    if (number >= call->operand_count || may(w, call->operands[number])) return true;
  }
  return false;
}

static bool var_may(struct pointer_walk *w, const struct ir_var *var)
{
  const struct host_var *entry = host_var_of(w->index, var);
  if (var->kind == IR_VAR_VS || !entry || var->type->kind != IR_TYPE_POINTER) return true;
  if (!first_visit(w, var)) return false;
  bool global = !var->function;
  if (global && (!var->is_static || host_unseen_use(w->index, var))) return true;
  if (!is_tracked(w->index, entry) || host_index_truncated(w->index)) return true;
  if (global && var->init && may(w, var->init)) return true;
  for (unsigned i = 0; i < entry->writes.count; i++) {
    const struct host_write *write = &entry->writes.items[i];
    if (write->value ? may(w, write->value)
                     : write->node && write->node->expr->kind == IR_EXPR_ASSIGN &&
                           write->node->expr->op == IR_OP_ASSIGN)
      return true;
  }
  return var->kind == IR_VAR_PARAM && callers_may(w, var);
}

struct return_walk {
  struct pointer_walk *walk;
  bool may;
};

static bool visit_return(struct ir_stmt *stmt, void *context)
{
  struct return_walk *r = context;
  if (stmt->kind == IR_STMT_OPAQUE) r->may = true;
  if (stmt->kind == IR_STMT_RETURN && stmt->expr) r->may = r->may || may(r->walk, stmt->expr);
  return !r->may;
}

static bool call_may(struct pointer_walk *w, const struct ir_expr *call)
{
  if (call->callee && call->callee->has_definition) {
    if (!call->callee->body || call->callee->is_method) return true;
    if (!first_visit(w, call->callee)) return false;
    struct return_walk r = {.walk = w};
    ir_visit_stmts(call->callee->body, visit_return, &r);
    return r.may;
  }
  if (call->is_method) { /* data() of a container: its own memory */
    const struct ir_type *object = call->operand_count ? call->operands[0]->type : NULL;
    bool owns = host_type_is_standard(object) && (strstr(object->spelling, "std::vector<") ||
                                                  strstr(object->spelling, "std::string") ||
                                                  strstr(object->spelling, "std::basic_string<"));
    return !owns || strpbrk(object->spelling, "*") || strstr(object->spelling, "view");
  }
  const struct host_call *known = host_call_of(call);
  if (!known) return true;
  int result = host_call_returns(known);
  if (result < 0) return known->result != HOST_RESULT_FRESH;
  return (unsigned)result >= call->operand_count || !is_pointer(call->operands[result]->type) ||
         may(w, call->operands[result]);
}

/* May the object of the lvalue be a VS object? */
static bool lvalue_may(struct pointer_walk *w, const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_VAR:
    return expr->var->kind == IR_VAR_VS || expr->var->type->kind == IR_TYPE_REFERENCE;
  case IR_EXPR_LITERAL: return false;
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT: return lvalue_may(w, expr->operands[0]);
  case IR_EXPR_INDEX: return may(w, expr->operands[0]);
  case IR_EXPR_UNARY: return expr->op != IR_OP_DEREF || may(w, expr->operands[0]);
  case IR_EXPR_MEMBER:
    if (!expr->operand_count) return true;
    return expr->is_arrow ? may(w, expr->operands[0]) : lvalue_may(w, expr->operands[0]);
  case IR_EXPR_COND: return lvalue_may(w, expr->operands[1]) || lvalue_may(w, expr->operands[2]);
  case IR_EXPR_CALL: { /* v[i] of a container */
    bool element = expr->is_method && expr->text &&
                   (!strcmp(expr->text, "operator[]") || !strcmp(expr->text, "at") ||
                    !strcmp(expr->text, "front") || !strcmp(expr->text, "back"));
    return !element || call_may(w, expr);
  }
  default: return true;
  }
}

static bool may_here(struct pointer_walk *w, const struct ir_expr *expr)
{
  if (expr->type->kind == IR_TYPE_ARRAY) return lvalue_may(w, expr);
  switch (expr->kind) {
  case IR_EXPR_LITERAL: return false;
  case IR_EXPR_INT: return expr->value != 0;
  case IR_EXPR_VAR: return var_may(w, expr->var);
  case IR_EXPR_PAREN: return may(w, expr->operands[0]);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: {
    const struct ir_expr *operand = expr->operands[0];
    bool literal = operand->kind == IR_EXPR_LITERAL || operand->kind == IR_EXPR_INT;
    return literal ? may(w, operand) : !is_pointer(operand->type) || may(w, operand);
  }
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_ADDRESS) return lvalue_may(w, expr->operands[0]);
    return expr->op == IR_OP_DEREF || may(w, expr->operands[0]);
  case IR_EXPR_BINARY:
    if (expr->op == IR_OP_COMMA) return may(w, expr->operands[1]);
    return (is_pointer(expr->operands[0]->type) && may(w, expr->operands[0])) ||
           (is_pointer(expr->operands[1]->type) && may(w, expr->operands[1]));
  case IR_EXPR_ASSIGN: return may(w, expr->operands[expr->op == IR_OP_ASSIGN ? 1 : 0]);
  case IR_EXPR_COND: return may(w, expr->operands[1]) || may(w, expr->operands[2]);
  case IR_EXPR_CALL: return call_may(w, expr);
  case IR_EXPR_OPAQUE: return !host_text_starts(w->index, &expr->place, "new");
  default: return true;
  }
}

static bool may(struct pointer_walk *w, const struct ir_expr *expr)
{
  if (w->depth >= MAX_DEPTH) return true;
  w->depth++;
  bool result = may_here(w, expr);
  w->depth--;
  return result;
}

bool host_may_point(struct host_index *index, const struct ir_expr *pointer)
{
  struct pointer_walk w = {.index = index, .visited = {.arena = host_index_arena(index)}};
  return may(&w, pointer);
}

struct vs_var *host_named_vs(const struct ir_expr *expr)
{
  while (expr) {
    switch (expr->kind) {
    case IR_EXPR_VAR:
      return expr->var->kind == IR_VAR_VS && expr->var->type->kind != IR_TYPE_POINTER
                 ? expr->var->vs
                 : NULL;
    case IR_EXPR_MEMBER:
      if (expr->is_arrow || !expr->operand_count) return NULL;
      expr = expr->operands[0];
      break;
    case IR_EXPR_BINARY:
      if (expr->op != IR_OP_ADD && expr->op != IR_OP_SUB) return NULL;
      expr = expr->operands[0];
      break;
    case IR_EXPR_UNARY:
      if (expr->op != IR_OP_ADDRESS) return NULL;
      expr = expr->operands[0];
      break;
    case IR_EXPR_PAREN:
    case IR_EXPR_CONVERT:
    case IR_EXPR_CAST:
    case IR_EXPR_INDEX: expr = expr->operands[0]; break;
    default: return NULL;
    }
  }
  return NULL;
}
