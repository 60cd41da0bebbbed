/* SPDX-License-Identifier: MIT */
/* host_reach.c - reaching definitions in structured code, by walking back from a place.
 *
 *     int n = 4;                         // reaches the launch of k
 *     for (int i = 0; i < 9; i++) { k<<<n, 32>>>(); }
 *     if (c) n = 5;                      // conditional: the launch below has no single definition
 *     k<<<n, 32>>>();
 *
 * Requires that the variable does not escape (host_var.escapes; ir_var.address_taken also counts
 * any argument by value, which is too much here): then only the writes in the index change it. The
 * walk goes back from a statement over its elder siblings. A simple statement that certainly writes
 * is the answer. A compound one with a write in it ends the search, and so does a loop, switch or
 * opaque statement around the place with a write in it (back edges, labels). Functions with goto
 * give up at once.
 */
#include "analysis/host/host_reach.h"
#include "runtime/seeded.h"

struct search {
  const struct host_index *index;
  const struct host_var *var;
  int component;
  const struct host_write *found;
};

enum step { STEP_ON, STEP_FOUND, STEP_STOP };

static bool concerns(const struct search *s, const struct host_write *write)
{
  return s->component < 0 || write->component < 0 || write->component == s->component;
}

static const struct host_write *only_write_inside(const struct search *s,
                                                  const struct ir_stmt *stmt, unsigned *ret_count)
{
  const struct host_write *last = NULL;
  *ret_count = 0;
  for (unsigned i = 0; i < s->var->writes.count; i++) {
    const struct host_write *write = &s->var->writes.items[i];
    if (!concerns(s, write) || !host_stmt_inside(s->index, write->stmt, stmt)) continue;
    last = write;
    ++*ret_count;
  }
  return last;
}

static bool writes_inside(const struct search *s, const struct ir_stmt *stmt)
{
  unsigned count;
  only_write_inside(s, stmt, &count);
  return count > 0;
}

/* Do the statement's own expressions write the variable? Nested statements do not count. */
static bool writes_itself(const struct search *s, const struct ir_stmt *stmt,
                          const struct host_write *skip)
{
  for (unsigned i = 0; i < s->var->writes.count; i++) {
    const struct host_write *write = &s->var->writes.items[i];
    if (write != skip && concerns(s, write) && write->stmt == stmt) return true;
  }
  return false;
}

/* Has a for statement a write outside its init statement? A back edge carries it around. */
static bool writes_in_loop(const struct search *s, const struct ir_stmt *loop)
{
  for (unsigned i = 0; i < s->var->writes.count; i++) {
    const struct host_write *write = &s->var->writes.items[i];
    if (concerns(s, write) && host_stmt_inside(s->index, write->stmt, loop) &&
        !(loop->init && host_stmt_inside(s->index, write->stmt, loop->init)))
      return true;
  }
  return false;
}

/* Is the write evaluated whenever its statement is? Only assignments, commas, parentheses and
 * conversions may be around it. */
static bool is_unconditional(const struct host_write *write)
{
  if (!write->node) return true;
  for (const struct host_node *node = write->node; node->parent; node = node->parent) {
    const struct ir_expr *parent = node->parent->expr;
    bool passes = parent->kind == IR_EXPR_PAREN || parent->kind == IR_EXPR_CONVERT ||
                  parent->kind == IR_EXPR_ASSIGN ||
                  (parent->kind == IR_EXPR_BINARY && parent->op == IR_OP_COMMA);
    if (!passes) return false;
  }
  return true;
}

static enum step scan(struct search *s, const struct ir_stmt *stmt)
{
  unsigned count;
  const struct host_write *write = only_write_inside(s, stmt, &count);
  if (!count) return STEP_ON;
  if (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS) {
    for (unsigned i = stmt->child_count; i-- > 0;) {
      enum step step = scan(s, stmt->children[i]);
      if (step != STEP_ON) return step;
    }
    return STEP_ON;
  }
  bool simple = stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_EXPR;
  if (!simple || count > 1 || !write->is_plain || !is_unconditional(write))
    return SEEDED(CONSTANT_PAST_BRANCH) ? STEP_ON : STEP_STOP;
  s->found = write;
  return STEP_FOUND;
}

static enum step scan_elder(struct search *s, const struct host_stmt *at)
{
  for (unsigned i = at->slot; i-- > 0;) {
    const struct ir_stmt *sibling = at->parent->children[i];
    if (sibling->kind == IR_STMT_CASE) { /* a jump from the switch arrives here */
      const struct host_stmt *block = host_stmt_of(s->index, at->parent);
      return block && block->parent && writes_inside(s, block->parent) ? STEP_STOP : STEP_ON;
    }
    enum step step = scan(s, sibling);
    if (step != STEP_ON) return step;
  }
  return STEP_ON;
}

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

static enum step scan_loop(struct search *s, const struct ir_stmt *loop)
{
  if (writes_in_loop(s, loop) && !SEEDED(CONSTANT_ROUND_LOOP)) return STEP_STOP;
  return loop->init ? scan(s, loop->init) : STEP_ON;
}

/* Goes from a statement to its parent, over the part of the parent in front of it. */
static enum step ascend(struct search *s, const struct host_stmt *at)
{
  const struct ir_stmt *parent = at->parent;
  if (at->role == HOST_ROLE_INIT) return STEP_ON;
  if (is_loop(parent)) return scan_loop(s, parent);
  switch (parent->kind) {
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS: return scan_elder(s, at);
  case IR_STMT_IF:
    return writes_itself(s, parent, NULL) ? STEP_STOP
           : parent->init                 ? scan(s, parent->init)
                                          : STEP_ON;
  default: return writes_inside(s, parent) ? STEP_STOP : STEP_ON;
  }
}

enum host_reach host_reach(const struct host_index *index, const struct ir_var *var, int component,
                           struct host_point at, const struct host_write **ret_write)
{
  struct search s = {.index = index, .var = host_var_of(index, var), .component = component};
  const struct host_function *function = host_function_of(index, at.function);
  if (!s.var || s.var->escapes || host_index_truncated(index)) return HOST_REACH_UNKNOWN;
  if (!function || function->has_jumps || !at.stmt || var->function != at.function)
    return HOST_REACH_UNKNOWN;
  if (writes_itself(&s, at.stmt, at.skip)) return HOST_REACH_UNKNOWN;
  enum step step = is_loop(at.stmt) ? scan_loop(&s, at.stmt) : STEP_ON;
  if (at.stmt->kind == IR_STMT_OPAQUE && writes_inside(&s, at.stmt)) step = STEP_STOP;
  for (const struct ir_stmt *stmt = at.stmt; step == STEP_ON;) {
    const struct host_stmt *place = host_stmt_of(index, stmt);
    if (!place) return HOST_REACH_UNKNOWN;
    if (!place->parent) return HOST_REACH_ENTRY;
    step = ascend(&s, place);
    stmt = place->parent;
  }
  *ret_write = s.found;
  return step == STEP_FOUND ? HOST_REACH_WRITE : HOST_REACH_UNKNOWN;
}

struct host_point host_point_of_write(const struct host_write *write, struct ir_function *function)
{
  return (struct host_point){function, write->stmt, write};
}
