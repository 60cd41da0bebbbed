/* SPDX-License-Identifier: MIT */
/* halves_find.c - finds sums over a row and over a column of one triangle.
 *
 *     for (j = 0; j <= i; j++) s += a[i * n + j] * x[j];        a[i][j] with x[j]
 *     for (j = i + 1; j < n; j++) s += a[j * n + i] * x[j];     a[j][i] with x[j]
 *
 * Two statements add to a sum, in one loop or in two. What each adds depends on one element at both
 * indices, on elements at the iterator alone, and on numbers. So a thread that has loaded the
 * element can add to the sums of both of its indices. Nobody writes the memory that they read.
 * Requires: team_reduce's conditions for loops whose iterations are shared. Gives up: other
 * statements or loops, more elements.
 */
#include "analysis/transform/both_halves/both_halves.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "analysis/sets/budget.h"
#include "analysis/transform/team_reduce/team_reduce.h"
#include "analysis/transform/team_reduce/team_update.h"
#include "runtime/seeded.h"

struct finding {
  struct code *code;
  struct halves *out;
  bool floats;
  unsigned term_count;
  struct ir_stmt *loop; /* that is visited */
  const char *reason;
  struct ir_place place;
};

static bool give_up(struct finding *f, const char *reason, const struct ir_place *place)
{
  if (!f->reason) {
    f->reason = reason;
    f->place = *place;
  }
  return false;
}

/* ---- terms ---- */

struct naming {
  const struct ir_var *iterator;
  bool by_iterator, by_thread;
};

static void note_name(struct ir_expr *expr, void *context)
{
  struct naming *n = context;

  n->by_iterator |= expr->kind == IR_EXPR_VAR && expr->var == n->iterator;
  n->by_thread |= expr->kind == IR_EXPR_BUILTIN && expr->value % 3 == 0;
}

static bool is_number(const struct ir_type *type)
{
  return (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT) && !type->is_volatile;
}

static void note_access(struct finding *f, struct halves_term *term, struct ir_expr *expr,
                        const struct code_access *found)
{
  struct naming n = {.iterator = term->iterator};

  ir_visit_expr(expr, note_name, &n);
  if (!code_read_only(f->code, found->array))
    give_up(f, "it reads memory that the kernel writes", &expr->place);
  else if (found->access->chosen && !SEEDED(HALVES_CHOSEN))
    give_up(f, "it reads an element under a condition inside of a sum", &expr->place);
  else if (!is_number(expr->type))
    give_up(f, "an element is no plain number", &expr->place);
  else if (n.by_thread && !n.by_iterator)
    give_up(f, "it reads an element of the thread's own in each iteration", &expr->place);
  else if (n.by_thread && term->element)
    give_up(f, "it reads several elements at both indices", &expr->place);
  else if (n.by_thread)
    term->element = expr;
  else if (term->factor_count == HALVES_FACTORS)
    give_up(f, "it reads too many elements", &expr->place);
  else
    term->factors[term->factor_count++] = expr;
}

/* The elements of a term, and numbers that every thread can compute again. */
static void note_expr(struct finding *f, struct halves_term *term, struct ir_expr *expr)
{
  const struct code_access *found = code_access_of(f->code, expr);
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  bool own = var && ir_owns(f->code->facts.kernel, var) && var->kind != IR_VAR_PARAM;

  if (found) {
    note_access(f, term, expr, found);
    if (f->reason) return;
  }
  if (own && var != term->iterator && var != term->sum)
    give_up(f, "it uses a value that is computed in front of it", &expr->place);
  for (unsigned i = 0; i < expr->operand_count; i++) note_expr(f, term, expr->operands[i]);
}

static void note_update(struct finding *f, struct ir_stmt *stmt)
{
  struct ir_expr *expr = ir_strip(stmt->expr);
  struct update update = update_of_expr(expr);

  if (!update.var || update.op != REDUCE_SUM || f->term_count == 2) {
    give_up(f, "it does more than sum up both halves", &stmt->place);
    return;
  }
  struct halves_term *term = &f->out->terms[f->term_count++];
  *term = (struct halves_term){
      .loop = f->loop, .update = expr, .sum = update.var, .iterator = f->loop->loop->iterator};
  note_expr(f, term, expr);
  if (!term->element) give_up(f, "it reads no element at both indices", &stmt->place);
}

static void note_stmt(struct finding *f, struct ir_stmt *stmt)
{
  if (!stmt) return;
  switch (stmt->kind) {
  case IR_STMT_NULL: break;
  case IR_STMT_BLOCK:
    for (unsigned i = 0; i < stmt->child_count; i++) note_stmt(f, stmt->children[i]);
    break;
  case IR_STMT_IF:
    note_stmt(f, stmt->body);
    note_stmt(f, stmt->else_body);
    break;
  case IR_STMT_EXPR: note_update(f, stmt); break;
  default: give_up(f, "it has another statement than sums", &stmt->place);
  }
}

/* ---- loops ---- */

struct loop_search {
  struct ir_stmt *found[3];
  unsigned count;
};

static bool find_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;

  if (loop_is_one(stmt) && s->count < 3) s->found[s->count++] = stmt;
  return true;
}

static void check_loop(struct finding *f, struct ir_stmt *loop)
{
  struct team_loop found;
  const char *reason;
  struct ir_place place;

  if (!team_reduce_pass(f->code, loop, true, &found, &reason, &place)) {
    give_up(f, reason, &place);
    return;
  }
  for (unsigned i = 0; i < found.sum_count; i++)
    if (found.sums[i].op != REDUCE_SUM || found.sums[i].at)
      give_up(f, "its loops do not sum up", &loop->place);
  if (loop->loop->step != 1) give_up(f, "it does not count up by one", &loop->place);
  f->out->floats |= found.floats;
  f->loop = loop;
  note_stmt(f, loop->body);
}

struct neighbours {
  const struct halves *halves;
  bool used; /* something uses the sum between the loops, or they are no children of one block */
};

static bool note_block(struct ir_stmt *stmt, void *context)
{
  struct neighbours *n = context;
  bool between = false, used = false;

  if (stmt->kind != IR_STMT_BLOCK) return true;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = stmt->children[i];
    if (between && child == n->halves->loops[1]) n->used = used;
    used |= between && ir_stmt_has_var(child, n->halves->terms[0].sum);
    between |= child == n->halves->loops[0];
  }
  return true;
}

static bool is_joined(const struct finding *f)
{
  struct neighbours n = {f->out, f->out->loops[1] != NULL};

  if (f->out->terms[0].sum != f->out->terms[1].sum) return false;
  ir_visit_stmts(f->code->facts.kernel->body, note_block, &n);
  return !n.used || SEEDED(HALVES_LOOKED_BETWEEN);
}

static bool same_number(const struct ir_type *a, const struct ir_type *b)
{
  return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed;
}

static bool check_loops(struct finding *f)
{
  struct halves *out = f->out;

  check_loop(f, out->loops[0]);
  if (out->loops[1]) check_loop(f, out->loops[1]);
  if (f->reason) return false;
  if (f->term_count != 2) return give_up(f, "it does not sum up two halves", &out->loops[0]->place);
  if (out->loops[1] && out->terms[0].loop == out->terms[1].loop)
    return give_up(f, "one of its loops sums up nothing", &out->loops[0]->place);
  if (!same_number(out->terms[0].sum->type, out->terms[1].sum->type))
    return give_up(f, "its two sums are numbers of other types", &out->loops[0]->place);
  out->joined = is_joined(f);
  return !out->floats || f->floats ||
         give_up(f, "sums of floats are taken in another order at -O3 only", &out->loops[0]->place);
}

bool halves_find(struct code *code, bool floats, struct halves *ret, const char **ret_reason,
                 struct ir_place *ret_place)
{
  struct finding f = {.code = code, .out = ret, .floats = floats};
  struct loop_search search = {.count = 0};

  memset(ret, 0, sizeof *ret);
  ir_visit_stmts(code->facts.kernel->body, find_loop, &search);
  if (search.count < 1 || search.count > 2) {
    *ret_reason = "it has no loops over two halves";
    *ret_place = code->kernel->name_place;
    return false;
  }
  ret->loops[0] = search.found[0];
  ret->loops[1] = search.count > 1 ? search.found[1] : NULL;
  check_loops(&f);
  if (ret->terms[0].element && ret->terms[1].element)
    halves_are_transposed(code, ret, &f.reason, &f.place);
  if (!f.reason) team_reduce_memory(code, &f.reason, &f.place);
  if (code_exhausted(code) && !f.reason)
    give_up(&f, budget_obstacle("its accesses are too complex"), &code->kernel->name_place);
  *ret_reason = f.reason;
  *ret_place = f.place;
  return !f.reason;
}
