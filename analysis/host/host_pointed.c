/* SPDX-License-Identifier: MIT */
/* host_pointed.c - host uses of the memory that a pointer variable leads to.
 *
 *     __global__ float *p;  p = (float *)mesi_malloc(...);
 *     for (int i = 0; i < n; i++) p[i] = i;         a write of p[i]
 *     s += p[5] + q->x;                             a read of p[5], of q->x
 *     memcpy(p + 3, from, 100);                     a write of the bytes at p + 3
 *
 * Dynamic memory is page-guarded, so no use must be found. An announcement with the bytes of a use
 * saves the faults, and overwritten bytes are not copied back. Requires the host index. A use that
 * is passed on or bound to a reference is left to the guard.
 */
#include "analysis/host/host_pointed.h"

#include "analysis/host/host_calls.h"
#include "analysis/host/host_points.h"

enum { READ = 1, WRITE = 2 }; /* as mesi.h */

struct pointed {
  struct host_index *index;
  struct host_uses *uses;
};

static bool is_pointer(const struct ir_type *type) { return type->kind == IR_TYPE_POINTER; }

static bool is_scalar(const struct ir_type *type)
{
  return type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
         is_pointer(type);
}

bool host_can_be_pointed(struct host_index *index, struct ir_var *var)
{
  const struct host_var *entry = host_var_of(index, var);
  if (!entry || !entry->uses.count || !is_pointer(var->type) || var->type->is_volatile ||
      var->type->element->size <= 0)
    return false;
  if (var->kind == IR_VAR_VS) return true;
  bool own = (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && !var->is_static &&
             !var->address_taken && !entry->escapes;
  return own && var->function && var->function->is_host && !var->function->is_device &&
         host_may_point(index, entry->uses.items[0]->expr);
}

static void add(struct pointed *p, const struct host_node *node, unsigned access)
{
  *ARENA_PUSH(host_index_arena(p->index), &p->uses->list) =
      (struct host_use){.node = node, .access = access};
}

/* Is the node in a construct that runs at another time, or of which nothing is known? */
static bool is_obscure(const struct pointed *p, const struct host_node *node)
{
  for (const struct host_node *at = node; at; at = at->parent)
    if (at->expr->kind == IR_EXPR_OPAQUE) return true;
  for (const struct ir_stmt *stmt = node->stmt; stmt; stmt = host_stmt_of(p->index, stmt)->parent)
    if (stmt->kind == IR_STMT_OPAQUE) return true;
  return !node->stmt || !node->function || node->function->is_device || node->function->is_kernel;
}

/* Is the parent an expression for a place in the same memory? */
static bool is_moved_pointer(const struct host_node *pointer)
{
  const struct ir_expr *parent = pointer->parent->expr;
  switch (parent->kind) {
  case IR_EXPR_PAREN: return true;
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return is_pointer(parent->type);
  case IR_EXPR_BINARY:
    return is_pointer(parent->type) && (parent->op == IR_OP_ADD || parent->op == IR_OP_SUB);
  default: return false;
  }
}

static bool is_element(const struct host_node *pointer)
{
  const struct ir_expr *parent = pointer->parent->expr;
  return (parent->kind == IR_EXPR_INDEX && pointer->slot == 0) ||
         (parent->kind == IR_EXPR_UNARY && parent->op == IR_OP_DEREF) ||
         (parent->kind == IR_EXPR_MEMBER && parent->is_arrow);
}

static void use_argument(struct pointed *p, const struct host_node *pointer)
{
  const struct host_call *known = host_call_of(pointer->parent->expr);
  unsigned access = known ? host_letter_access(host_call_letter(known, pointer->slot)) : 0;
  if (access) add(p, pointer, access);
}

/* Adds the use of the lvalue that the pointer leads to. Returns the node if it is a pointer again:
 * &p[i], or an array in it. */
static const struct host_node *use_element(struct pointed *p, const struct host_node *lvalue)
{
  struct host_node *top = host_lvalue_top((struct host_node *)lvalue);
  if (top->expr->type->kind == IR_TYPE_ARRAY) return top->parent ? top : NULL;
  switch (host_context_of(p->index, top)) {
  case HOST_READS:
    if (is_scalar(top->expr->type)) add(p, top, READ);
    return NULL;
  case HOST_ASSIGNS:
  case HOST_MODIFIES: add(p, top, READ | WRITE); return NULL;
  case HOST_TAKES_ADDRESS: return top->parent;
  default: return NULL;
  }
}

static void use_pointer(struct pointed *p, const struct host_node *pointer)
{
  while (pointer && pointer->parent) {
    if (is_moved_pointer(pointer))
      pointer = pointer->parent;
    else if (is_element(pointer))
      pointer = use_element(p, pointer->parent);
    else
      break;
  }
  if (pointer && pointer->parent && pointer->parent->expr->kind == IR_EXPR_CALL &&
      is_pointer(pointer->expr->type))
    use_argument(p, pointer);
}

void host_pointed_uses(struct host_index *index, const struct ir_var *var, struct host_uses *ret)
{
  struct pointed p = {index, ret};
  const struct host_var *entry = host_var_of(index, var);
  *ret = (struct host_uses){.reason = "other pointers may lead to it", .pointed = true};
  for (unsigned i = 0; i < entry->uses.count; i++)
    if (!is_obscure(&p, entry->uses.items[i])) use_pointer(&p, entry->uses.items[i]);
}
