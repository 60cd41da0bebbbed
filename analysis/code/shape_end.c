/* SPDX-License-Identifier: MIT */
/* shape_end.c - code whose threads all come to its end.
 *
 *     if (i >= n) return;                  if (i < n) {
 *     S                            =>        S
 *                                          }
 *
 * A return (or, in the body of a loop, a continue) that ends an if becomes a condition around what
 * follows; where a barrier stands behind all of the code only, any other return becomes a jump to
 * the end. Gives up: never; shape_return_in says what is left.
 */
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

static bool ends_in(const struct ir_stmt *stmt, enum ir_stmt_kind jump)
{
  if (stmt->kind == IR_STMT_BLOCK)
    return stmt->child_count && ends_in(stmt->children[stmt->child_count - 1], jump);
  return stmt->kind == jump;
}

static struct ir_stmt *without_jump(struct arena *arena, struct ir_stmt *stmt)
{
  struct ir_list out = {0};

  if (stmt->kind == IR_STMT_BLOCK)
    for (unsigned i = 0; i + 1 < stmt->child_count; i++)
      ir_list_add(arena, &out, stmt->children[i]);
  return ir_build_block(arena, &out);
}

/* The statements from `first` on, with `if (c) return; rest` (or another jump to the end) as `if
 * (!c) { rest }`. */
static struct ir_stmt *guarded_by(struct arena *arena, struct ir_stmt **list, unsigned first,
                                  unsigned count, enum ir_stmt_kind jump)
{
  struct ir_list out = {0};

  for (unsigned i = first; i < count; i++) {
    struct ir_stmt *stmt = list[i];
    if (stmt->kind == jump) break;
    if (stmt->kind != IR_STMT_IF || !ends_in(stmt->body, jump)) {
      ir_list_add(arena, &out, stmt);
      continue;
    }
    struct ir_stmt *rest = guarded_by(arena, list, i + 1, count, jump),
                   *body = without_jump(arena, stmt->body);
    if (stmt->else_body) {
      struct ir_list both = {0};
      ir_list_add(arena, &both, stmt->else_body);
      ir_list_add(arena, &both, rest);
      rest = ir_build_block(arena, &both);
    }
    struct ir_stmt *guard = ir_build_if(arena, ir_build_not(arena, stmt->expr), rest);
    if (body->child_count && !SEEDED(RETURN_BODY_LOST)) guard->else_body = body;
    guard->place = stmt->place;
    ir_list_add(arena, &out, guard);
    break;
  }
  return ir_build_block(arena, &out);
}

struct ir_stmt *shape_without_jumps(struct arena *arena, struct ir_stmt *body,
                                    enum ir_stmt_kind jump)
{
  return body->kind == IR_STMT_BLOCK ? guarded_by(arena, body->children, 0, body->child_count, jump)
                                     : body;
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

/* `goto label` in the place of every return. */
static struct ir_stmt *jumping(struct arena *arena, struct ir_stmt *stmt, const char *label)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  if (stmt->kind == IR_STMT_RETURN) {
    copy->kind = IR_STMT_GOTO;
    copy->label = label;
    copy->expr = NULL;
    return copy;
  }
  copy->body = jumping(arena, stmt->body, label);
  copy->else_body = jumping(arena, stmt->else_body, label);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = jumping(arena, stmt->children[i], label);
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
