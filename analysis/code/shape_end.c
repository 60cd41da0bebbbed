/* SPDX-License-Identifier: MIT */
/* shape_end.c - code in which all threads reach the end.
 *
 *     if (i < n) {                         if (i < n) {
 *       if (j > i) { R; return; }    =>      if (!(j > i)) { S } else { R }
 *       S                                  }
 *     }
 *
 * A return (or, in the body of a loop, a continue) that ends an arm of an `if` becomes a condition
 * around the statements behind the `if`, which the other arm takes. The same works in an `if` with
 * nothing behind it. If a barrier only stands behind all of the code, any other return becomes a
 * jump to the end. Gives up: never; shape_return_in finds the returns that are left.
 */
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

static bool ends_in(const struct ir_stmt *stmt, enum ir_stmt_kind jump)
{
  if (!stmt) return false;
  if (stmt->kind == IR_STMT_BLOCK)
    return stmt->child_count && ends_in(stmt->children[stmt->child_count - 1], jump);
  return stmt->kind == jump;
}

struct jump_search {
  enum ir_stmt_kind jump;
  bool found;
};

static bool find_jump(struct ir_stmt *stmt, void *context)
{
  struct jump_search *s = context;

  s->found |= stmt->kind == s->jump;
  return true;
}

static bool jumps(struct ir_stmt *stmt, enum ir_stmt_kind jump)
{
  struct jump_search s = {jump, false};

  ir_visit_stmts(stmt, find_jump, &s);
  return s.found;
}

static struct ir_stmt *tail(struct arena *arena, struct ir_stmt **list, unsigned count,
                            enum ir_stmt_kind jump);

/* Converts `stmt`, behind which the jump would go. */
static struct ir_stmt *last(struct arena *arena, struct ir_stmt *stmt, enum ir_stmt_kind jump)
{
  if (stmt->kind == IR_STMT_BLOCK) return tail(arena, stmt->children, stmt->child_count, jump);
  return tail(arena, &stmt, 1, jump);
}

/* Converts { first; list } as a statement in front of the jump's target. */
static struct ir_stmt *before(struct arena *arena, struct ir_stmt *first, struct ir_stmt **list,
                              unsigned count, enum ir_stmt_kind jump)
{
  struct ir_list all = {0};

  if (first) ir_list_add(arena, &all, first);
  for (unsigned i = 0; i < count; i++) ir_list_add(arena, &all, list[i]);
  return tail(arena, all.items.items, all.items.count, jump);
}

/* An `if` with an arm that ends in the jump: puts `list`, the statements behind it, into the other
 * arm. NULL: it has no such arm. */
static struct ir_stmt *guard(struct arena *arena, struct ir_stmt *stmt, struct ir_stmt **list,
                             unsigned count, enum ir_stmt_kind jump)
{
  struct ir_stmt *made;

  if (ends_in(stmt->body, jump)) {
    struct ir_stmt *body = last(arena, stmt->body, jump);
    made = ir_build_if(arena, ir_build_not(arena, stmt->expr),
                       before(arena, stmt->else_body, list, count, jump));
    if (body->child_count && !SEEDED(RETURN_BODY_LOST)) made->else_body = body;
  } else if (ends_in(stmt->else_body, jump)) {
    struct ir_stmt *body = last(arena, stmt->else_body, jump);
    made = ir_build_if(arena, stmt->expr, before(arena, stmt->body, list, count, jump));
    if (body->child_count && !SEEDED(RETURN_ELSE_LOST)) made->else_body = body;
  } else {
    return NULL;
  }
  made->place = stmt->place;
  return made;
}

/* The statements, with `if (c) jump; rest` as `if (!c) { rest }`. The jump goes to the code behind
 * the last of them, so the arms of an `if` at the end are such statements, too. */
static struct ir_stmt *tail(struct arena *arena, struct ir_stmt **list, unsigned count,
                            enum ir_stmt_kind jump)
{
  struct ir_list out = {0};

  for (unsigned i = 0; i < count && list[i]->kind != jump; i++) {
    struct ir_stmt *stmt = list[i], *made = NULL;
    if (stmt->kind == IR_STMT_IF) made = guard(arena, stmt, list + i + 1, count - i - 1, jump);
    if (made) {
      ir_list_add(arena, &out, made);
      break;
    }
    bool ends = i + 1 == count && jumps(stmt, jump);
    if (ends && stmt->kind == IR_STMT_BLOCK) stmt = last(arena, stmt, jump);
    if (ends && stmt->kind == IR_STMT_IF) {
      made = ARENA_NEW(arena, struct ir_stmt);
      *made = *stmt;
      made->body = last(arena, stmt->body, jump);
      if (stmt->else_body) made->else_body = last(arena, stmt->else_body, jump);
      stmt = made;
    }
    ir_list_add(arena, &out, stmt);
  }
  return ir_build_block(arena, &out);
}

struct ir_stmt *shape_without_jumps(struct arena *arena, struct ir_stmt *body,
                                    enum ir_stmt_kind jump)
{
  return body->kind == IR_STMT_BLOCK ? tail(arena, body->children, body->child_count, jump) : body;
}

static bool find_return(struct ir_stmt *stmt, void *context)
{
  const struct ir_stmt **found = context;

  if (stmt->kind == IR_STMT_RETURN) *found = stmt;
  return true;
}

struct ir_stmt *shape_return_in(struct ir_stmt *body)
{
  struct ir_stmt *found = NULL;

  ir_visit_stmts(body, find_return, &found);
  return found;
}

/* ---- jumps to the end ---- */

/* Replaces every return by `goto label`. */
static struct ir_stmt *jumping(struct arena *arena, struct ir_stmt *stmt, const char *label)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;
  if (stmt->kind == IR_STMT_RETURN) {
    copy->kind = IR_STMT_GOTO;
    copy->label = label;
    copy->expr = NULL;
    return copy;
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = jumping(arena, *below, label);
  return copy;
}

struct ir_stmt *shape_to_end(struct code *code, struct ir_stmt *body)
{
  struct arena *arena = code->arena;

  body = shape_without_jumps(arena, body, IR_STMT_RETURN);
  if (!shape_return_in(body)) return body;
  struct ir_list out = {0};
  struct ir_stmt *label = ARENA_NEW(arena, struct ir_stmt);
  *label = (struct ir_stmt){
      .kind = IR_STMT_LABEL, .id = UINT32_MAX, .label = unit_local_name(code->unit, "_mesi_end")};
  ir_list_add(arena, &out, SEEDED(RETURN_SKIPS_TAIL) ? body : jumping(arena, body, label->label));
  ir_list_add(arena, &out, label);
  return ir_build_block(arena, &out);
}
