/* SPDX-License-Identifier: MIT */
/* host_index.c - builds the index in one walk over all lowered functions and the initialisers of
 * globals.
 *
 * Produces a node for each expression (its parent, slot, statement, function), one for each
 * statement, and for each variable its uses and writes: `dim3 g(4); g.x = n;` gives g two writes,
 * the declaration and component 0. Requires verified IR. It stops below MAX_DEPTH levels, and
 * records that it is truncated.
 */
#include "analysis/host/host_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/host/host_internal.h"

#define MAX_DEPTH 3000

struct unit *host_index_unit(const struct host_index *index) { return index->unit; }
struct arena *host_index_arena(const struct host_index *index) { return index->arena; }
bool host_index_truncated(const struct host_index *index) { return index->truncated; }

struct host_node *host_node_of(const struct host_index *index, const struct ir_expr *expr)
{
  return host_map_get(&index->nodes, expr);
}
struct host_stmt *host_stmt_of(const struct host_index *index, const struct ir_stmt *stmt)
{
  return host_map_get(&index->stmts, stmt);
}
struct host_var *host_var_of(const struct host_index *index, const struct ir_var *var)
{
  return host_map_get(&index->vars, var);
}
struct host_function *host_function_of(const struct host_index *index,
                                       const struct ir_function *function)
{
  return function ? &index->functions[function->id] : NULL;
}
struct host_node *host_launch_node(const struct host_index *index, const struct launch *launch)
{
  return index->launches[launch->id];
}

bool host_stmt_inside(const struct host_index *index, const struct ir_stmt *inner,
                      const struct ir_stmt *outer)
{
  while (inner && inner != outer) {
    const struct host_stmt *place = host_stmt_of(index, inner);
    inner = place ? place->parent : NULL;
  }
  return inner == outer && inner;
}

static struct host_var *var_entry(struct host_index *index, struct ir_var *var)
{
  struct host_var *entry = host_var_of(index, var);
  if (entry) return entry;
  entry = ARENA_NEW(index->arena, struct host_var);
  entry->var = var;
  host_map_put(&index->vars, var, entry);
  *ARENA_PUSH(index->arena, &index->var_list) = entry;
  return entry;
}

static void add_write(struct host_index *index, struct ir_var *var, struct host_write write)
{
  *ARENA_PUSH(index->arena, &var_entry(index, var)->writes) = write;
}

/* 0 .. 2 for .x .y .z directly on the variable; -1 for anything else. */
static int component_of(const struct host_node *use, const struct host_node *top)
{
  const struct host_node *member = use->parent;
  while (member && member != top && member->expr->kind == IR_EXPR_PAREN) member = member->parent;
  if (use == top || !member || member->expr->kind != IR_EXPR_MEMBER || !member->expr->text)
    return -1;
  const char *name = member->expr->text;
  return name[0] >= 'x' && name[0] <= 'z' && !name[1] ? name[0] - 'x' : -1;
}

static bool stands_in_opaque(const struct host_node *node)
{
  for (; node; node = node->parent)
    if (node->expr->kind == IR_EXPR_OPAQUE) return true;
  return false;
}

static void note_use(struct host_index *index, struct host_node *use)
{
  struct host_var *var = var_entry(index, use->expr->var);
  *ARENA_PUSH(index->arena, &var->uses) = use;
  struct host_node *top = host_lvalue_top(use);
  enum host_context context = host_context_of(index, top);
  if (context == HOST_ASSIGNS || context == HOST_MODIFIES) {
    struct ir_expr *value = context == HOST_ASSIGNS ? top->parent->expr->operands[1] : NULL;
    bool whole =
        top == use || component_of(use, top) >= 0 || use->parent->expr->kind == IR_EXPR_PAREN;
    add_write(
        index, use->expr->var,
        (struct host_write){top->parent, use->stmt, value, component_of(use, top), value && whole});
    if (stands_in_opaque(top)) var->escapes = true; /* a lambda's body: runs at another time */
  } else if (context != HOST_READS) {
    var->escapes = true;
  }
}

static void walk_expr(struct host_index *index, struct ir_expr *expr, struct host_node at,
                      unsigned depth)
{
  if (!expr || host_node_of(index, expr)) return;
  if (depth > MAX_DEPTH) {
    index->truncated = true;
    return;
  }
  struct host_node *node = ARENA_NEW(index->arena, struct host_node);
  *node = at;
  node->expr = expr;
  host_map_put(&index->nodes, expr, node);
  *ARENA_PUSH(index->arena, &index->node_list) = node;
  for (unsigned i = 0; i < expr->operand_count; i++)
    walk_expr(
        index, expr->operands[i],
        (struct host_node){.parent = node, .slot = i, .stmt = at.stmt, .function = at.function},
        depth + 1);
}

static void walk_stmt(struct host_index *, struct ir_stmt *, struct host_stmt, unsigned depth);

static void walk_substatements(struct host_index *index, struct ir_stmt *stmt,
                               struct ir_function *function, unsigned depth)
{
  struct host_stmt at = {.parent = stmt, .function = function, .role = HOST_ROLE_INIT};
  walk_stmt(index, stmt->init, at, depth);
  at.role = HOST_ROLE_BODY;
  walk_stmt(index, stmt->body, at, depth);
  at.role = HOST_ROLE_ELSE;
  walk_stmt(index, stmt->else_body, at, depth);
  at.role = HOST_ROLE_CHILD;
  for (at.slot = 0; at.slot < stmt->child_count; at.slot++)
    walk_stmt(index, stmt->children[at.slot], at, depth);
}

static bool is_misplaced_label(const struct host_index *index, const struct host_stmt *at)
{
  const struct host_stmt *block = host_stmt_of(index, at->parent);
  return !block || !block->parent || block->parent->kind != IR_STMT_SWITCH ||
         block->role != HOST_ROLE_BODY;
}

static void note_stmt(struct host_index *index, struct ir_stmt *stmt, const struct host_stmt *at)
{
  struct host_function *function = host_function_of(index, at->function);
  if (stmt->kind == IR_STMT_CASE && is_misplaced_label(index, at)) function->has_jumps = true;
  if (stmt->kind != IR_STMT_DECL) return;
  *ARENA_PUSH(index->arena, &function->declarations) = stmt;
  bool has_default = host_type_is_dim3(stmt->var->type);
  if (stmt->expr || has_default)
    add_write(index, stmt->var, (struct host_write){NULL, stmt, stmt->expr, -1, true});
}

static void walk_stmt(struct host_index *index, struct ir_stmt *stmt, struct host_stmt at,
                      unsigned depth)
{
  if (!stmt || host_stmt_of(index, stmt)) return;
  if (depth > MAX_DEPTH) {
    index->truncated = true;
    return;
  }
  struct host_stmt *entry = ARENA_NEW(index->arena, struct host_stmt);
  *entry = at;
  entry->stmt = stmt;
  host_map_put(&index->stmts, stmt, entry);
  note_stmt(index, stmt, entry);
  struct host_node root = {.stmt = stmt, .function = at.function};
  walk_expr(index, stmt->expr, root, depth);
  walk_expr(index, stmt->increment, root, depth);
  for (unsigned i = 0; i < stmt->expr_count; i++) walk_expr(index, stmt->exprs[i], root, depth);
  walk_substatements(index, stmt, at.function, depth + 1);
}

static void note_node(struct host_index *index, struct host_node *node)
{
  struct host_function *function = host_function_of(index, node->function);
  struct ir_expr *expr = node->expr;
  switch (expr->kind) {
  case IR_EXPR_VAR: note_use(index, node); return;
  case IR_EXPR_CALL: {
    struct host_function *callee = host_function_of(index, expr->callee);
    if (callee) *ARENA_PUSH(index->arena, &callee->calls) = node;
    break;
  }
  case IR_EXPR_LAUNCH: index->launches[expr->value] = node; break;
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_OPAQUE: break;
  default: return;
  }
  if (function) *ARENA_PUSH(index->arena, &function->inside) = node;
}

/* Is there an & in the declaration, up to the body? */
static bool declares_reference(const struct host_index *index, const struct ir_function *function)
{
  struct ir_place head = function->place;
  if (function->body_place.end > head.begin && function->body_place.begin > head.begin)
    head.end = function->body_place.begin;
  if (head.file >= index->unit->files.count || head.in_macro || head.end <= head.begin) return true;
  const char *text = index->unit->files.items[head.file].text;
  return memchr(text + head.begin, '&', head.end - head.begin) != NULL;
}

static void index_function(struct host_index *index, struct ir_function *function)
{
  for (unsigned i = 0; i < function->param_count; i++) var_entry(index, function->params[i]);
  for (unsigned i = 0; i < function->var_count; i++) var_entry(index, function->vars[i]);
  struct host_function *entry = host_function_of(index, function);
  entry->by_reference = function->is_template && declares_reference(index, function);
  walk_stmt(index, function->body, (struct host_stmt){.function = function}, 0);
  if (function->body && host_text_has_word(index, &function->body_place, "goto"))
    entry->has_jumps = true;
}

struct host_index *host_index_create(struct unit *unit)
{
  struct arena *arena = arena_create();
  struct host_index *index = ARENA_NEW(arena, struct host_index);
  index->arena = arena;
  index->unit = unit;
  index->nodes.arena = index->stmts.arena = index->vars.arena = arena;
  index->functions = arena_alloc(arena, (unit->functions.count + 1) * sizeof *index->functions);
  index->launches = arena_alloc(arena, (unit->launches.count + 1) * sizeof(struct host_node *));
  host_text_scan(index);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    index->functions[i].function = unit->functions.items[i];
    assert(unit->functions.items[i]->id == i);
  }
  for (unsigned i = 0; i < unit->functions.count; i++)
    index_function(index, unit->functions.items[i]);
  for (unsigned i = 0; i < unit->globals.count; i++) {
    var_entry(index, unit->globals.items[i]);
    walk_expr(index, unit->globals.items[i]->init, (struct host_node){0}, 0);
  }
  for (unsigned i = 0; i < index->node_list.count; i++) note_node(index, index->node_list.items[i]);
  return index;
}

void host_index_destroy(struct host_index *index)
{
  if (index) arena_destroy(index->arena);
}
