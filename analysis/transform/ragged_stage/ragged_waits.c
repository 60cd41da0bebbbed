/* SPDX-License-Identifier: MIT */
/* ragged_waits.c - may a thread wait for another one of its block?
 *
 *     while (!ready[i - 1]) {}                    the thread behind i - 1 spins until that one has
 *     for (j = row[i]; j < row[i + 1]; j++) ...   left its loop: with a barrier in the loop, both
 *     ready[i] = 1;                               wait for ever
 *
 * A thread sees what another one does while both run by volatile memory, behind fences, or by
 * atomic operations that it repeats in a loop that counts nothing. Gives up: never; a kernel that
 * has one of these gets no barrier.
 */
#include "analysis/code/loop.h"
#include "analysis/transform/ragged_stage/ragged.h"
#include "runtime/seeded.h"

struct wait_search {
  struct code *code;
  bool spins; /* within a loop that counts nothing */
  bool found;
  struct ir_place place;
};

static bool is_volatile(const struct ir_type *type)
{
  return type && (type->is_volatile || (type->kind == IR_TYPE_ARRAY && is_volatile(type->element)));
}

static void note_wait(struct ir_expr *expr, void *context)
{
  struct wait_search *s = context;
  bool calls = expr->kind == IR_EXPR_CALL;
  bool repeats = calls && s->spins && expr->effect != IR_EFFECT_NONE &&
                 expr->effect != IR_EFFECT_LOAD && expr->effect != IR_EFFECT_BARRIER;

  if (s->found || !(is_volatile(expr->type) || effects_fence(s->code->effects, expr) || repeats))
    return;
  s->found = true;
  s->place = expr->place;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct wait_search *s = context;

  if (loop_is_one(stmt) && !stmt->loop) {
    s->spins = true;
    ir_visit_stmt_exprs(stmt, note_wait, s);
    s->spins = false;
  }
  return true;
}

bool ragged_waits(struct code *code, struct ir_place *ret_place)
{
  struct wait_search s = {.code = code};
  struct ir_stmt *body = code->facts.kernel->body;

  ir_visit_stmt_exprs(body, note_wait, &s);
  ir_visit_stmts(body, note_loop, &s);
  if (s.found) *ret_place = s.place;
  return s.found && !SEEDED(RAGGED_WAITS);
}
