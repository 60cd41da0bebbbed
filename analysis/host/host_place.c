/* SPDX-License-Identifier: MIT */
/* host_place.c - finds the statement that an announcement goes in front of.
 *
 *     while (step()) {              // launches: stays outside
 *       mesi_use(&a, MESI_READ);    // goes here: nothing in the for statement launches
 *       for (int i = 0; i < n; i++)
 *         if (a[i] > max) max = a[i];
 *     }
 *
 * Requires may_launch. Gives up if the use shares an expression with a launch, is in a loop's
 * condition with a launch in the loop, is in an opaque statement, or if jumps could bypass the
 * announcement.
 */
#include "analysis/host/host_place.h"

#include "analysis/host/host_launches.h"
#include "runtime/seeded.h"

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

/* Can one more statement stand in front of it? */
static bool is_open(const struct host_stmt *at, struct host_spot *ret)
{
  if (!at->parent) return false;
  bool child = at->role == HOST_ROLE_CHILD && at->parent->kind == IR_STMT_BLOCK;
  bool sole = at->role == HOST_ROLE_ELSE ||
              (at->role == HOST_ROLE_BODY && at->parent->kind != IR_STMT_SWITCH);
  bool block = at->stmt->kind == IR_STMT_BLOCK;
  if (at->stmt->place.begins_in_macro) return false;
  if (!child && (!sole || block || at->stmt->place.in_macro)) return false;
  *ret = (struct host_spot){at->stmt, !child};
  return true;
}

/* The outermost opaque statement around it, or the statement itself. */
static const struct ir_stmt *out_of_opaque(const struct host_index *index,
                                           const struct ir_stmt *stmt)
{
  const struct ir_stmt *outer = stmt;
  for (; stmt; stmt = host_stmt_of(index, stmt)->parent)
    if (stmt->kind == IR_STMT_OPAQUE) outer = stmt;
  return outer;
}

static bool is_around(const struct host_node *outer, const struct host_node *node)
{
  while (node && node != outer) node = node->parent;
  return node == outer;
}

/* May the node be evaluated after its own statement launched? Calls that it is an argument of come
 * after it. */
static bool launch_in_front(const struct host_index *index, const struct host_node *node)
{
  if (is_loop(node->stmt) && !SEEDED(HOST_CONDITION_MISSED))
    return host_stmt_may_launch(index, node->stmt, node->function);
  const struct host_function *function = host_function_of(index, node->function);
  for (unsigned i = 0; i < function->inside.count; i++) {
    const struct host_node *other = function->inside.items[i];
    if (other->stmt == node->stmt && !is_around(other, node) && host_expr_may_launch(index, other))
      return true;
  }
  return false;
}

bool host_spot_outermost(const struct host_index *index, const struct host_node *node,
                         struct host_spot *ret)
{
  const struct host_function *function = host_function_of(index, node->function);
  if (!function || function->has_jumps || !node->stmt || launch_in_front(index, node)) return false;
  const struct ir_stmt *outer = out_of_opaque(index, node->stmt);
  if (outer->kind == IR_STMT_OPAQUE && host_stmt_may_launch(index, outer, node->function))
    return false;
  bool found = false;
  for (const struct host_stmt *at = host_stmt_of(index, outer); at->parent;
       at = host_stmt_of(index, at->parent)) {
    found = is_open(at, ret) || found;
    bool first = at->role == HOST_ROLE_INIT; /* runs before all else of the parent */
    if (!first && !SEEDED(HOST_HOISTED) && host_stmt_may_launch(index, at->parent, node->function))
      break;
  }
  return found;
}

static bool in_opaque_expr(const struct host_node *node)
{
  for (; node; node = node->parent)
    if (node->expr->kind == IR_EXPR_OPAQUE) return true;
  return false;
}

bool host_spot_innermost(const struct host_index *index, const struct host_node *node,
                         struct host_spot *ret, bool *ret_again)
{
  if (!node->stmt || !node->function) return false;
  *ret_again = in_opaque_expr(node) || launch_in_front(index, node);
  for (const struct host_stmt *at = host_stmt_of(index, node->stmt); at->parent;
       at = host_stmt_of(index, at->parent)) {
    if (is_open(at, ret)) return true;
    bool repeats =
        at->parent->kind == IR_STMT_OPAQUE || (is_loop(at->parent) && at->role != HOST_ROLE_INIT);
    if (repeats && host_stmt_may_launch(index, at->parent, node->function)) *ret_again = true;
  }
  return false;
}

bool host_stmt_once(const struct host_index *index, const struct ir_stmt *inner,
                    const struct ir_stmt *outer)
{
  for (const struct host_stmt *at = host_stmt_of(index, inner); at->stmt != outer;
       at = host_stmt_of(index, at->parent))
    if (!at->parent || at->parent->kind == IR_STMT_OPAQUE ||
        (is_loop(at->parent) && at->role != HOST_ROLE_INIT))
      return false;
  return true;
}
