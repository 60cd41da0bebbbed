/* SPDX-License-Identifier: MIT */
/* guard.c - removes conditions that hold for all threads of a launch, if the host can check that.
 *
 *     if (row < n && col < n) S            64 x 32 threads a block
 *   =>
 *     S                                    assumed: n >= 32 gridDim.y, n >= 64 gridDim.x
 *
 * The threads, blocks and iterators for which a condition fails are projected out of the set where
 * it is evaluated. The complement is the condition that the launch checks; it is also part of the
 * context of later scans. Requires: code of shape_virtual that may assume. Gives up (the condition
 * stays): conditions that are not affine, that no size satisfies, or that must fail in some part of
 * the grid.
 */
#include "analysis/code/precondition.h"
#include "analysis/code/host_set.h"
#include "analysis/sets/lower.h"
#include "runtime/seeded.h"

enum { MOST_CONSTRAINTS = 3 };

struct guarding {
  struct code *code; /* scanned, with its conditions */
  isl_set *context;  /* [symbols] -> { : } all assumptions so far; owned */
  /* A part of the current condition fails for some threads in any case. */
  bool refused;
};

/* ---- the conditions that the launch checks ---- */

struct choosing {
  struct guarding *g;
  const struct condition_seen *seen;
  /* the only part for which the condition is evaluated at all; owned */
  isl_set *chosen;
  unsigned count;
};

static isl_stat choose_part(isl_basic_set *part, void *user)
{
  struct choosing *c = user;
  isl_set *set = isl_set_from_basic_set(part);
  isl_set *evaluated =
      isl_set_intersect(isl_set_intersect(isl_set_copy(set), isl_set_copy(c->seen->domain)),
                        isl_set_copy(c->g->context));

  evaluated = symbols_close(&c->g->code->symbols, evaluated);
  bool is = isl_set_is_empty(evaluated) == isl_bool_false;
  isl_set_free(evaluated);
  if (!is) {
    isl_set_free(set);
    return isl_stat_ok;
  }
  isl_set_free(c->chosen);
  c->chosen = set;
  c->count++;
  return isl_stat_ok;
}

/* The condition on the host's quantities under which all threads pass. NULL: there is no simple
 * one. Takes `fails`. */
static isl_set *condition_for_all(struct guarding *g, const struct condition_seen *seen,
                                  isl_set *fails)
{
  struct choosing c = {.g = g, .seen = seen};
  isl_set *context = host_always(&g->code->symbols, fails);

  fails = isl_set_gist(host_project(fails), isl_set_copy(context));
  isl_set *passes = isl_set_gist(isl_set_complement(fails), context);
  passes = isl_set_coalesce(isl_set_remove_redundancies(passes));
  if (isl_set_foreach_basic_set(passes, choose_part, &c) < 0 || c.count != 1)
    c.chosen = isl_set_free(c.chosen);
  isl_set_free(passes);
  return c.chosen;
}

static bool of_threads(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool found = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    found |= symbol->kind == SYMBOL_BUILTIN && symbol->builtin < IR_BLOCK_DIM &&
             isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
  }
  isl_space_free(space);
  return found;
}

static bool assume(struct guarding *g, isl_set *condition)
{
  struct preconditions *all = g->code->preconditions;
  struct ir_expr *expr = condition && all->guard_count < MOST_PRECONDITIONS
                             ? lower_set(&g->code->symbols, condition, NULL, MOST_CONSTRAINTS)
                             : NULL;

  if (!expr) return false;
  all->guards[all->guard_count++] = expr;
  g->context = isl_set_intersect(g->context, isl_set_copy(condition));
  return true;
}

/* Does the condition hold for all threads that reach it? */
static bool holds(struct guarding *g, const struct ir_expr *expr)
{
  const struct condition_seen *seen = NULL;
  unsigned places = 0;

  for (unsigned i = 0; i < g->code->access.conditions.count; i++)
    if (g->code->access.conditions.items[i].expr == expr) {
      seen = &g->code->access.conditions.items[i];
      places++;
    }
  if (places != 1 || ir_has_effects((struct ir_expr *)expr)) return false;
  isl_set *fails =
      isl_set_intersect(isl_set_intersect(isl_set_copy(seen->domain), isl_set_copy(seen->no)),
                        isl_set_copy(g->context));
  fails = symbols_close(&g->code->symbols, fails);
  bool never = isl_set_is_empty(fails) == isl_bool_true || SEEDED(GUARD_ASSUMED_UNCHECKED);
  if (never || !of_threads(seen->no)) {
    isl_set_free(fails);
    return never;
  }
  isl_set *condition = condition_for_all(g, seen, fails);
  bool assumed = assume(g, condition);
  isl_set_free(condition);
  g->refused |= !assumed;
  return assumed && !code_exhausted(g->code);
}

/* ---- the code ---- */

/* The condition without the parts that hold. NULL: nothing is left. */
static struct ir_expr *remaining(struct guarding *g, struct ir_expr *condition)
{
  struct ir_expr *plain = condition;

  while (plain->kind == IR_EXPR_PAREN ||
         (plain->kind == IR_EXPR_CONVERT && plain->type->kind == IR_TYPE_BOOL))
    plain = plain->operands[0];
  if (plain->kind != IR_EXPR_BINARY || plain->op != IR_OP_LAND)
    return holds(g, plain) ? NULL : condition;
  struct ir_expr *left = remaining(g, plain->operands[0]),
                 *right = remaining(g, plain->operands[1]);
  if (left == plain->operands[0] && right == plain->operands[1]) return condition;
  return ir_build_both(g->code->arena, left, right);
}

/* The rest of an if's condition. NULL: it always holds. Where threads fail it in any case, the
 * other parts assume nothing. */
static struct ir_expr *condition_left(struct guarding *g, struct ir_expr *condition)
{
  unsigned before = g->code->preconditions->guard_count;
  isl_set *context = isl_set_copy(g->context);

  g->refused = false;
  struct ir_expr *left = remaining(g, condition);
  if (g->refused && g->code->preconditions->guard_count > before) {
    g->code->preconditions->guard_count = before;
    isl_set_free(g->context);
    g->context = context;
    return condition;
  }
  isl_set_free(context);
  return left;
}

static struct ir_stmt *without_guards(struct guarding *g, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH) return stmt;
  struct ir_expr *condition = stmt->kind == IR_STMT_IF ? condition_left(g, stmt->expr) : stmt->expr;
  if (stmt->kind == IR_STMT_IF && !condition) return without_guards(g, stmt->body);
  struct ir_stmt *copy = ir_copy_stmt(g->code->arena, stmt), **below;
  copy->expr = condition;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = without_guards(g, *below);
  return copy;
}

void precondition_guards(struct code *code)
{
  code->facts.note_conditions = true;
  code_drop_scan(code);
  code_scan(code);
  if (!code->access.reject) {
    struct guarding g = {.code = code, .context = isl_set_copy(code->symbols.context)};
    code->facts.kernel->body = without_guards(&g, code->facts.kernel->body);
    isl_set_free(g.context);
  }
  code_drop_scan(code);
  code->facts.note_conditions = false;
  code->facts.context = code->preconditions->guards;
  code->facts.context_count = code->preconditions->guard_count;
}
