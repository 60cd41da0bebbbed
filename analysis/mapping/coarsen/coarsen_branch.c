/* SPDX-License-Identifier: MIT */
/* coarsen_branch.c - an `if` that threads decide differently, with a loop over tiles in it.
 *
 *     if (j > i) c = -1;                         bool _p[8][8], _p_2[8][8], _any;
 *     else { for (k ...) sum += ...; c = sum; }  for _y for _x: _p[_y][_x] = j > i, _p_2 = !_p;
 *                                           =>   for _y for _x: if (_p[_y][_x]) c = -1;
 *                                                for _y for _x: _any = _any || _p_2[_y][_x];
 *                                                if (__syncthreads_or(_any)) {
 *                                                  for (k ...) { ...all instances... }
 *                                                  for _y for _x: if (_p_2[_y][_x]) c = sum; }
 *
 * The condition becomes predicates of the instances, since every thread of a block must reach the
 * barriers in the loop. The arms stand one after the other; values that one arm sets do not affect
 * the threads of the other. If there is an else, a block skips an arm that none of its threads
 * takes. Gives up: conditions that are nested too deeply.
 */
#include "analysis/mapping/coarsen/coarsen.h"
#include "runtime/seeded.h"

static void add_predicate(struct coarsening *e, struct ir_expr *condition,
                          const struct ir_stmt *from, struct ir_list *out)
{
  struct arena *arena = e->arena;
  bool safe = !e->predicate_count || coarsen_safe_expr(e, condition);
  unsigned axes = coarsen_axes(e, condition) | (safe ? 0 : coarsen_predicate_axes(e));
  struct ir_expr *value = coarsen_expr(e, condition), *around = safe ? NULL : coarsen_predicate(e);
  struct ir_stmt use = {.kind = IR_STMT_EXPR, .expr = condition};
  struct ir_list body = {0}, uses = {0};

  if (e->predicate_count == COARSEN_PREDICATES) {
    coarsen_fail(e, "its conditions are nested too deeply", &from->place);
    return;
  }
  struct ir_var *model = code_local(e->code, "_p", ir_bool_type());
  struct ir_var *var = coarsen_array(e, model->name, ir_bool_type(), axes);
  if (around) value = ir_build_binary(arena, IR_OP_LAND, around, value);
  ir_list_add(arena, out, ir_build_decl(arena, var, NULL));
  ir_list_add(
      arena, &body,
      ir_build_expr_stmt(arena, ir_build_assign(arena, coarsen_element(e, var, axes), value)));
  ir_list_add(arena, &uses, &use);
  coarsen_loops(e, axes, &body, &uses, out);
  e->predicates[e->predicate_count++] = (struct predicate){var, axes, from, e->loops};
}

/* Adds one predicate for each part of a conjunction, if all parts may be evaluated alone. */
static void add_conjunction(struct coarsening *e, struct ir_expr *condition,
                            const struct ir_stmt *from, struct ir_list *out)
{
  struct ir_expr *plain = ir_strip(condition);

  if (plain->kind == IR_EXPR_BINARY && plain->op == IR_OP_LAND && coarsen_safe_expr(e, plain)) {
    add_conjunction(e, plain->operands[0], from, out);
    add_conjunction(e, plain->operands[1], from, out);
    return;
  }
  add_predicate(e, condition, from, out);
}

/* The predicate of the other arm: none of those from `first` on holds. It is computed before the
 * first arm may change the variables of the condition. */
static struct predicate other_arm(struct coarsening *e, struct ir_stmt *stmt, unsigned first,
                                  struct ir_list *out)
{
  struct arena *arena = e->arena;
  struct ir_var *model = code_local(e->code, "_p", ir_bool_type());
  struct ir_list body = {0}, none = {0};
  struct ir_expr *all = NULL;
  unsigned axes = 0;

  for (unsigned i = first; i < e->predicate_count; i++) {
    const struct predicate *part = &e->predicates[i];
    axes |= part->axes;
    all = ir_build_both(arena, all, coarsen_element(e, part->var, part->axes));
  }
  struct ir_var *var = coarsen_array(e, model->name, ir_bool_type(), axes);
  struct ir_expr *value = SEEDED(ELSE_FOR_ALL) ? all : ir_build_not(arena, all);
  ir_list_add(arena, out, ir_build_decl(arena, var, NULL));
  ir_list_add(
      arena, &body,
      ir_build_expr_stmt(arena, ir_build_assign(arena, coarsen_element(e, var, axes), value)));
  coarsen_loops(e, axes, &body, &none, out);
  return (struct predicate){var, axes, stmt->else_body, e->loops};
}

/* Adds an arm. The block skips it if none of its threads takes it. */
static void add_arm(struct coarsening *e, struct ir_stmt *arm, struct ir_list *out)
{
  struct arena *arena = e->arena;
  struct ir_var *any = code_local(e->code, "_any", ir_bool_type());
  struct ir_expr *name = ir_build_var(arena, any),
                 *either = ir_build_binary(arena, IR_OP_LOR, name, coarsen_predicate(e)),
                 *vote = ir_build_call(arena, "__syncthreads_or", IR_EFFECT_BARRIER);
  struct ir_list body = {0}, none = {0};

  if (!coarsen_has_tile(e, arm)) {
    ir_list_add(arena, out, coarsen_body(e, arm));
    return;
  }
  vote->type = ir_int_type();
  ir_add_argument(arena, vote, name);
  ir_list_add(arena, out, ir_build_decl(arena, any, ir_build_int(arena, 0)));
  ir_list_add(arena, &body, ir_build_expr_stmt(arena, ir_build_assign(arena, name, either)));
  coarsen_loops(e, coarsen_predicate_axes(e), &body, &none, out);
  ir_list_add(arena, out, ir_build_if(arena, vote, coarsen_body(e, arm)));
}

/* Adds both arms, one after the other, each under its predicate. */
static void both_arms(struct coarsening *e, struct ir_stmt *stmt, unsigned first,
                      struct ir_list *out)
{
  if (e->reason) return;
  struct predicate other = other_arm(e, stmt, first, out);
  for (unsigned i = first; i < e->predicate_count; i++)
    e->predicates[i].from = SEEDED(ELSE_SEES_ARM) ? stmt : stmt->body;
  add_arm(e, stmt->body, out);
  e->predicate_count = first;
  e->predicates[e->predicate_count++] = other;
  add_arm(e, stmt->else_body, out);
}

struct ir_stmt *coarsen_predicated(struct coarsening *e, struct ir_stmt *stmt)
{
  struct ir_list out = {0};
  unsigned before = e->predicate_count;

  add_conjunction(e, stmt->expr, stmt, &out);
  if (stmt->else_body)
    both_arms(e, stmt, before, &out);
  else {
    struct ir_stmt *body = coarsen_body(e, stmt->body);
    for (unsigned i = 0; i < body->child_count; i++) ir_list_add(e->arena, &out, body->children[i]);
  }
  e->predicate_count = before;
  return ir_build_block(e->arena, &out);
}
