/* SPDX-License-Identifier: MIT */
/* coarsen_skew.c - runs a short loop over rows that the elements of a thread share one row after
 * the other.
 *
 *     for (v = 0; v < 3; v++)
 *       for (u = 0; u < 3; u++)
 *         for (_y = 0; _y < 4; _y++) sum[_y] += a[y + _y + v][x + u];
 *   =>
 *     for (_d = 0; _d < 3 + 3; _d++)            // the row y + _d of the thread's first y
 *       for (_y = 0; _y < 4; _y++)
 *         if (_d - _y >= 0 && _d - _y < 3) {
 *           int v = _d - _y;
 *           for (u = 0; u < 3; u++) sum[_y] += a[y + _y + v][x + u];
 *         }
 *
 * All loops are unrolled, so no conditions remain. Each element runs its iterations in the order as
 * written. A row stays in registers only while it is in use, not as long as any other row is.
 * conv2d of 8192 x 8192 with 4 x 4 elements a thread then takes 48 registers and 0.210 ms, 73 and
 * 0.235 otherwise. Requires: instances along both axes, which read rows 16 bytes at once
 * (vector_access.c; one element wide it was slower at eight rows, 0.40 and 0.35 ms). Gives up: no
 * access moves with the loop as it does with the element; the body writes memory, or a variable
 * that elements share and that is not its own; the loop is left early.
 */
#include "analysis/mapping/coarsen/coarsen.h"

#include "analysis/code/reuse.h"
#include "analysis/code/interior.h"
#include "runtime/seeded.h"

struct skew_search {
  struct coarsening *e;
  struct ir_stmt *body;
  const struct ir_var *iterator;
  bool failed, shares;
};

static int64_t coefficient(isl_pw_aff *form, const struct symbol *symbol)
{
  int64_t found = 0;

  isl_aff *aff = symbol ? value_plain(form) : NULL;
  if (!aff) return 0;
  isl_space *space = isl_aff_get_domain_space(aff);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, symbol->id);
  if (at >= 0) {
    isl_val *by = isl_aff_get_coefficient_val(aff, isl_dim_param, at);
    found = isl_val_is_int(by) == isl_bool_true ? isl_val_get_num_si(by) : 0;
    isl_val_free(by);
  }
  isl_space_free(space);
  isl_aff_free(aff);
  return found;
}

static const struct symbol *symbol_of(struct symbols *symbols, const struct ir_var *iterator)
{
  for (unsigned i = 0; i < symbols->items.count; i++)
    if (symbols->items.items[i]->kind == SYMBOL_LOOP && symbols->items.items[i]->var == iterator)
      return symbols->items.items[i];
  return NULL;
}

/* Does the next iteration move the access like the next element along y does? */
static bool moves_alike(struct skew_search *s, const struct access *access)
{
  struct symbols *symbols = &s->e->code->symbols;
  const struct symbol *thread = symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + 1)),
                      *loop = symbol_of(symbols, s->iterator);
  bool alike = false;

  for (unsigned d = 0; d < access->dim_count; d++) {
    int64_t by = coefficient(access->index[d].aff, thread);
    alike |= by && by == coefficient(access->index[d].aff, loop);
    for (unsigned t = 0; t < access->index[d].term_count; t++) {
      by = coefficient(access->index[d].terms[t].coefficient, thread);
      alike |= by && by == coefficient(access->index[d].terms[t].coefficient, loop);
    }
  }
  return alike;
}

struct own_search {
  const struct ir_var *var;
  bool found;
};

static bool note_own(struct ir_stmt *stmt, void *context)
{
  struct own_search *s = context;

  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  s->found |= stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->declared &&
              stmt->loop->iterator == s->var;
  return true;
}

/* May each element have its own value of the variable at a time? */
static bool is_apart(struct skew_search *s, const struct ir_expr *target)
{
  const struct ir_var *var = ir_holder((struct ir_expr *)target);
  struct own_search own = {var, false};

  if (!var || !coarsen_owns(s->e, var) || var == s->iterator) return false;
  ir_visit_stmts(s->body, note_own, &own);
  return own.found || (instances_of_var(&s->e->in, var) & INSTANCE_Y);
}

static void note_expr(struct ir_expr *expr, void *context)
{
  struct skew_search *s = context;
  const struct code_access *found = code_access_of(s->e->code, expr);

  if (found) {
    s->failed |= found->access->write;
    s->shares |= moves_alike(s, found->access);
  }
  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    s->failed |= !is_apart(s, expr->operands[0]);
  s->failed |= expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
               expr->effect != IR_EFFECT_LOAD;
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct skew_search *s = context;
  int64_t first, trips;

  switch (stmt->kind) {
  case IR_STMT_NULL:
  case IR_STMT_DECL:
  case IR_STMT_DECLS:
  case IR_STMT_EXPR:
  case IR_STMT_BLOCK: break;
  case IR_STMT_FOR: s->failed |= !reuse_short_loop(stmt, &first, &trips); break;
  default: s->failed = true;
  }
  return true;
}

bool coarsen_can_skew(struct coarsening *e, struct ir_stmt *stmt)
{
  struct skew_search s = {.e = e, .body = stmt->body};
  int64_t first, trips;

  if (!e->code->lane || !e->code->interior || e->code->interior->by_block ||
      e->active != INSTANCE_ALL || e->around || e->predicate_count || stmt->kind != IR_STMT_FOR ||
      !reuse_short_loop(stmt, &first, &trips) || stmt->loop->step != 1 || !stmt->loop->declared)
    return false;
  s.iterator = stmt->loop->iterator;
  ir_visit_stmts(stmt->body, note_stmt, &s);
  ir_visit_stmt_exprs(stmt->body, note_expr, &s);
  return s.shares && !s.failed;
}

struct ir_stmt *coarsen_skewed(struct coarsening *e, struct ir_stmt *stmt,
                               struct ir_stmt *(*coarsen)(struct coarsening *, struct ir_stmt *))
{
  struct arena *arena = e->arena;
  struct ir_list one = {0};
  int64_t first = 0, trips = 0, rows = e->factor[1];

  reuse_short_loop(stmt, &first, &trips);
  struct ir_var *row = code_local(e->code, "_d", ir_int_type());
  struct ir_expr *iteration = ir_build_binary(arena, IR_OP_SUB, ir_build_var(arena, row),
                                              ir_build_var(arena, e->counter[1]));
  struct ir_expr *from = ir_build_binary(arena, IR_OP_GE, iteration, ir_build_int(arena, first));
  struct ir_expr *to = ir_build_binary(arena, IR_OP_LT, iteration,
                                       ir_build_int(arena, first + trips - SEEDED(SKEW_SHORT)));
  ir_list_add(arena, &one, ir_build_decl(arena, stmt->loop->iterator, iteration));
  e->around = INSTANCE_Y;
  e->loops++;
  ir_list_add(arena, &one, coarsen(e, stmt->body));
  e->loops--;
  e->around = 0;
  struct ir_stmt *all =
      ir_build_if(arena, ir_build_binary(arena, IR_OP_LAND, from, to), ir_build_block(arena, &one));
  all =
      ir_build_for(arena, e->counter[1], ir_build_int(arena, 0), ir_build_int(arena, rows), 1, all);
  all->pragma = "#pragma unroll";
  all = ir_build_for(arena, row, ir_build_int(arena, first),
                     ir_build_int(arena, first + trips + rows - 1), 1, all);
  all->pragma = "#pragma unroll";
  return all;
}
