/* SPDX-License-Identifier: MIT */
/* team_reduce.c - finds a loop whose iterations several threads may share.
 *
 *     for (int j = 0; j < n; j++) sum += a[row * n + j] * x[j];
 *         sum: +, 4 bytes an iteration, neighbours from iteration to iteration
 *
 * Each thread takes some of the iterations into a part of its own, and the parts are combined
 * behind the loop. That is legal under two conditions. The only variables that the iterations share
 * are updated by all of them, by one associative and commutative operation. And the iterations only
 * read memory that the kernel does not write. Integers come out the same. Sums and products of
 * floats round in another order, which needs -O3. A loop whose end is so close to the largest value
 * of its iterator's type that the team's steps overflow is not considered, as with tiles. Requires:
 * shaped code without returns, scanned. Gives up: other assignments, memory that is written, a
 * second loop, a loop that reads nothing of its own (team_reads.c).
 */
#include "analysis/code/loop.h"
#include "analysis/code/members.h"
#include "analysis/sets/budget.h"
#include "analysis/transform/team_reduce/team_reduce.h"
#include "analysis/transform/team_reduce/team_update.h"
#include "runtime/seeded.h"

#include <math.h>
#include <string.h>

struct looking {
  struct code *code;
  struct team_loop *out;
  bool floats;
  bool stored; /* memory is written in front of the loop */
  bool rows;   /* it is a pass over a row: the caller (row_team) checks memory */
  const char *reason;
  struct ir_place place;
};

static bool give_up(struct looking *l, const char *reason, const struct ir_place *place)
{
  if (!l->reason) {
    l->reason = reason;
    l->place = *place;
  }
  return false;
}

/* ---- the effects of the loop ---- */

struct uses {
  struct ir_var *var;
  unsigned count;
};

static struct shared_sum *sum_of(struct looking *l, struct ir_var *var)
{
  for (unsigned i = 0; i < l->out->sum_count; i++)
    if (l->out->sums[i].var == var) return &l->out->sums[i];
  return NULL;
}

struct updates {
  struct looking *l;
  unsigned uses[MOST_SUMS];
};

static void add_update(struct updates *u, struct update update, const struct ir_place *place)
{
  struct team_loop *out = u->l->out;
  struct shared_sum *sum = sum_of(u->l, update.var);

  if (!sum && out->sum_count == MOST_SUMS) {
    give_up(u->l, "it sums up too many values", place);
    return;
  }
  if (!sum) {
    sum = &out->sums[out->sum_count++];
    *sum = (struct shared_sum){
        .var = update.var, .op = update.op, .called = update.called, .at = update.at};
  }
  if (sum->op != update.op || sum->called != update.called || sum->at != update.at)
    give_up(u->l, "it updates a value by different operations", place);
  u->uses[sum - out->sums] += update.uses;
}

/* Finds the updates of variables that are declared outside the loop. */
static bool find_update(struct ir_stmt *stmt, void *context)
{
  struct updates *u = context;
  struct update update = {.op = REDUCE_NONE};

  if (stmt->kind == IR_STMT_IF)
    update = u->l->rows ? update_of_place(stmt, u->l->out->loop->loop->iterator) : update;
  if (stmt->kind == IR_STMT_IF && !update.var)
    update = update_of_if(stmt);
  else if (stmt->kind == IR_STMT_EXPR)
    update = update_of_expr(ir_strip(stmt->expr));
  if (!update.var || update.op == REDUCE_NONE || team_reduce_declares(u->l->out->loop, update.var))
    return true;
  add_update(u, update, &stmt->place);
  return false;
}

struct declaration {
  const struct ir_var *var;
  bool found;
};

static bool note_declaration(struct ir_stmt *stmt, void *context)
{
  struct declaration *d = context;
  d->found |= stmt->kind == IR_STMT_DECL && stmt->var == d->var;
  return true;
}

bool team_reduce_declares(struct ir_stmt *loop, const struct ir_var *var)
{
  struct declaration d = {var, loop->loop && loop->loop->iterator == var};
  ir_visit_stmts(loop, note_declaration, &d);
  return d.found;
}

static void check_call(struct looking *l, const struct ir_expr *expr)
{
  if (!effects_pure(l->code->effects, expr))
    give_up(l, "it calls a function that may do more than compute a value", &expr->place);
}

/* Is it a sum of the loop, or the place of its value? */
static bool is_result(struct looking *l, const struct ir_var *var)
{
  for (unsigned i = 0; i < l->out->sum_count; i++)
    if (l->out->sums[i].var == var || l->out->sums[i].at == var) return true;
  return false;
}

static void check_expr(struct ir_expr *expr, void *context)
{
  struct looking *l = context;
  const struct code_access *found = code_access_of(l->code, expr);

  if (found && !l->rows && !members_load_kept(l->code, found) && !SEEDED(SHARED_LOOP_READS_WRITTEN))
    give_up(l, "it reads memory that the kernel writes", &expr->place);
  if (expr->kind == IR_EXPR_CALL) check_call(l, expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS)
    give_up(l, "it has an expression that is not understood", &expr->place);
  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) {
    struct ir_var *var = update_own_var(expr->operands[0]);
    bool known = var ? team_reduce_declares(l->out->loop, var) || is_result(l, var)
                     : l->rows && code_access_of(l->code, ir_strip(expr->operands[0]));
    if (!known)
      give_up(l, var ? "a value goes from iteration to iteration" : "it writes memory",
              &expr->place);
  }
}

struct jump_search {
  bool found;
};

static bool find_jump(struct ir_stmt *stmt, void *context)
{
  struct jump_search *s = context;

  s->found |=
      stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_GOTO;
  return stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE && stmt->kind != IR_STMT_DO &&
         stmt->kind != IR_STMT_SWITCH;
}

static bool find_return(struct ir_stmt *stmt, void *context)
{
  struct jump_search *s = context;
  s->found |= stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_GOTO;
  return true;
}

struct assigned {
  struct ir_expr *expr;
  bool found;
};

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct assigned *a = context;
  const struct ir_var *var = ir_assigned_var(expr);
  a->found |= var && ir_expr_has_var(a->expr, var);
}

static bool changes_in(struct ir_stmt *body, struct ir_expr *expr)
{
  struct assigned a = {expr, ir_has_effects(expr)};
  ir_visit_stmt_exprs(body, note_assigned, &a);
  return a.found;
}

struct iterator_uses {
  const struct ir_var *var;
  unsigned count;
};

static bool note_loop_of(struct ir_stmt *stmt, void *context)
{
  struct iterator_uses *uses = context;
  bool sets = stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->iterator == uses->var &&
              stmt->loop->lower;

  if (sets) uses->count += ir_count_var(stmt, uses->var);
  return !sets;
}

/* Do only loops that set the variable first use it? */
static bool only_of_loops(struct looking *l, const struct ir_var *iterator)
{
  struct iterator_uses uses = {iterator, 0};
  struct ir_stmt *body = l->code->facts.kernel->body;

  ir_visit_stmts(body, note_loop_of, &uses);
  return uses.count == ir_count_var(body, iterator);
}

static bool loop_is_counted(struct looking *l, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  struct jump_search jumps = {false};

  if (stmt->kind != IR_STMT_FOR || !loop || !loop->lower || loop->step_expr || loop->step <= 0 ||
      loop->step > 64 || (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE) ||
      loop->iterator->type->size < 4)
    return give_up(l, "it does not count up by a constant", &stmt->place);
  ir_visit_stmts(stmt->body, find_jump, &jumps);
  if (jumps.found) return give_up(l, "it is left early", &stmt->place);
  jumps.found = false;
  ir_visit_stmts(stmt->body, find_return, &jumps);
  bool own = loop->declared || (l->rows && only_of_loops(l, loop->iterator)) ||
             ir_count_var(l->code->facts.kernel->body, loop->iterator) ==
                 ir_count_var(stmt, loop->iterator);
  if (jumps.found || !own || changes_in(stmt->body, loop->bound) ||
      changes_in(stmt->body, loop->lower))
    return give_up(l, "its bounds, or its iterator behind it, are not fixed", &stmt->place);
  return true;
}

static bool check_loop(struct looking *l, struct ir_stmt *stmt)
{
  struct team_loop *out = l->out;
  struct updates updates = {.l = l};

  out->loop = stmt;
  if (!loop_is_counted(l, stmt)) return false;
  out->trips = loop_trips(l->code, stmt->loop);
  ir_visit_stmts(stmt->body, find_update, &updates);
  if (!out->sum_count && !l->rows) return give_up(l, "it sums up nothing", &stmt->place);
  for (unsigned i = 0; i < out->sum_count && !l->reason; i++) {
    const struct ir_type *type = out->sums[i].var->type;
    bool exact = l->rows && (out->sums[i].called || out->sums[i].at);
    out->floats |= type->kind == IR_TYPE_FLOAT && !exact;
    if (!reduce_fits(out->sums[i].op, type, l->floats || exact))
      give_up(l,
              type->kind == IR_TYPE_FLOAT ? "sums of floats are taken in another order at -O3 only"
                                          : "what it sums up is no plain number",
              &stmt->place);
    if (out->sums[i].at && ir_count_var(stmt, out->sums[i].at) != 1)
      give_up(l, "it looks at the place of what it finds", &stmt->place);
    if (ir_count_var(stmt, out->sums[i].var) != updates.uses[i] && !SEEDED(SHARED_SUM_LOOKED_AT))
      give_up(l, "it looks at what it sums up", &stmt->place);
  }
  ir_visit_stmt_exprs(stmt, check_expr, l);
  return !l->reason;
}

/* ---- the code in front of the loop: every thread of the team runs it ---- */

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

struct loop_search {
  struct ir_stmt *first;
  unsigned count;
};

static bool find_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;

  if (!is_loop(stmt)) return true;
  s->first = s->first ? s->first : stmt;
  s->count++;
  return false;
}

bool team_reduce_stores(const struct ir_stmt *stmt)
{
  const struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  if (expr && (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)))
    return !update_is_local(expr->operands[0]);
  return expr && expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC;
}

static void check_prefix_expr(struct ir_expr *expr, void *context)
{
  struct looking *l = context;
  const struct code_access *found = code_access_of(l->code, expr);

  if (found && l->stored && !members_load_kept(l->code, found))
    give_up(l, "memory that the kernel writes is read in front of it", &expr->place);
  if (expr->kind == IR_EXPR_CALL) check_call(l, expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS)
    give_up(l, "an expression in front of it is not understood", &expr->place);
  if ((expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) && !update_is_local(expr->operands[0]))
    give_up(l, "a statement in front of it writes memory", &expr->place);
}

/* Checks an expression that every thread of a team is to run. */
static void check_straight(struct ir_expr *expr, void *context)
{
  struct looking *l = context;

  if (expr->kind == IR_EXPR_CALL) check_call(l, expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS)
    give_up(l, "an expression beside its loops is not understood", &expr->place);
}

/* Does control reach the loop through ifs and blocks only? The code in front of it must have no
 * effects, apart from stores. */
static bool check_path(struct looking *l, struct ir_stmt *stmt)
{
  struct ir_stmt none = {.kind = IR_STMT_EXPR, .expr = stmt->expr};

  if (stmt == l->out->loop || !stmt) return true;
  if (stmt->kind == IR_STMT_IF) {
    ir_visit_stmt_exprs(&none, check_prefix_expr, l);
    struct loop_search inside = {NULL, 0};
    ir_visit_stmts(stmt->body, find_loop, &inside);
    return check_path(l, inside.first ? stmt->body : stmt->else_body);
  }
  if (stmt->kind != IR_STMT_BLOCK)
    return give_up(l, "it stands in a statement that cannot be taken apart", &stmt->place);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct loop_search inside = {NULL, 0};
    ir_visit_stmts(stmt->children[i], find_loop, &inside);
    if (inside.first) return check_path(l, stmt->children[i]);
    if (team_reduce_stores(stmt->children[i])) {
      l->stored = true;
      continue;
    }
    ir_visit_stmt_exprs(stmt->children[i], check_prefix_expr, l);
  }
  return true;
}

/* ---- the kernel ---- */

struct atomic_uses {
  const struct ir_var *var;
  unsigned count;
};

static void note_atomic(struct ir_expr *expr, void *context)
{
  struct atomic_uses *uses = context;
  if (expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC && expr->operand_count &&
      ir_expr_has_var(expr->operands[0], uses->var))
    uses->count++;
}

/* Checks that every read of memory that the kernel may write is an access of the scan, or the
 * target of an atomic operation. */
static void check_memory(struct looking *l)
{
  const struct kernel_access *access = &l->code->access;
  struct ir_function *kernel = l->code->facts.kernel;

  if (access->unknown_read || access->unknown_write || access->has_fence)
    give_up(l, "the kernel uses pointers that are not followed, or a fence",
            &access->unknown_place);
  for (unsigned i = 0; i < access->arrays.count; i++) {
    const struct array *array = access->arrays.items[i];
    struct atomic_uses uses = {array->var, 0};
    if (!array->reject || code_read_only(l->code, array)) continue;
    ir_visit_stmt_exprs(kernel->body, note_atomic, &uses);
    if (uses.count != ir_count_var(kernel->body, array->var))
      give_up(l,
              arena_format(l->code->arena, "'%s' is used in a way that is not followed",
                           array->var->name),
              &array->reject_place);
  }
  const struct ir_expr *own = ir_pointer_to_own(kernel);
  if (own && !SEEDED(TEAM_OWN_STORES))
    give_up(l, "a pointer leads to variables of the thread's own", &own->place);
  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i]->write_count || kernel->params[i]->address_taken)
      give_up(l, "the kernel assigns a parameter", &l->code->kernel->name_place);
}

bool team_reduce_find(struct code *code, bool floats, struct team_loop *ret,
                      const char **ret_reason, struct ir_place *ret_place)
{
  struct looking l = {.code = code, .out = ret, .floats = floats};
  struct loop_search search = {NULL, 0};

  memset(ret, 0, sizeof *ret);
  ir_visit_stmts(code->facts.kernel->body, find_loop, &search);
  if (search.count != 1)
    give_up(&l, search.count ? "it has several loops" : "it has no loop",
            &code->kernel->name_place);
  if (!l.reason && check_loop(&l, search.first) && check_path(&l, code->facts.kernel->body))
    check_memory(&l);
  if (code_exhausted(code))
    give_up(&l, budget_obstacle("its accesses are too complex"), &code->kernel->name_place);
  ret->stored = l.stored;
  *ret_reason = l.reason;
  *ret_place = l.place;
  return !l.reason;
}

bool team_reduce_pass(struct code *code, struct ir_stmt *loop, bool floats, struct team_loop *ret,
                      const char **ret_reason, struct ir_place *ret_place)
{
  struct looking l = {.code = code, .out = ret, .floats = floats, .rows = true};

  memset(ret, 0, sizeof *ret);
  check_loop(&l, loop);
  *ret_reason = l.reason;
  *ret_place = l.place;
  return !l.reason;
}

bool team_reduce_straight(struct code *code, struct ir_expr *expr, const char **ret_reason,
                          struct ir_place *ret_place)
{
  struct looking l = {.code = code};

  if (expr) ir_visit_expr(expr, check_straight, &l);
  *ret_reason = l.reason;
  *ret_place = l.place;
  return !l.reason;
}

bool team_reduce_memory(struct code *code, const char **ret_reason, struct ir_place *ret_place)
{
  struct looking l = {.code = code};

  check_memory(&l);
  if (code_exhausted(code))
    give_up(&l, budget_obstacle("its accesses are too complex"), &code->kernel->name_place);
  *ret_reason = l.reason;
  *ret_place = l.place;
  return !l.reason;
}
