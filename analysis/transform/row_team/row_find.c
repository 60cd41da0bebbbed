/* SPDX-License-Identifier: MIT */
/* row_find.c - finds kernels in which each thread goes through a row, once or several times.
 *
 *     for (j = 0; j < n; j++) m = fmaxf(m, x[j]);           pass 0: reads x
 *     for (j = 0; j < n; j++) sum += expf(x[j] - m);        pass 1: reads x
 *     for (j = 0; j < n; j++) y[j] = expf(x[j] - m) / sum;  pass 2: reads x, writes y
 *
 * A team of threads shares the iterations of each pass. All its threads compute the statements
 * beside the passes, and one of them stores. This is legal when no iteration of a pass uses an
 * element that another one writes: an iteration accesses each element that the pass writes at one
 * place only, which moves on by one element. It also takes that no two names stand for the same
 * memory. All threads of the team go through a loop around passes, where the loops inside it are
 * passes and the outer loop itself does not go over a row of the thread's own. Sums follow the
 * rules of team_reduce. Where a later statement uses memory that an earlier one has used, and one
 * of them writes it, the team waits in between, unless the same thread has the element in both:
 * passes give iteration j to the same thread. Requires: shaped code, scanned. Gives up: other
 * loops, values carried from iteration to iteration, memory that is not followed.
 */
#include "analysis/sets/budget.h"
#include "analysis/transform/row_team/row_finding.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "analysis/code/precondition.h"
#include "runtime/seeded.h"

bool row_give_up(struct finding *f, const char *reason, const struct ir_place *place)
{
  if (!f->reason) {
    f->reason = reason;
    f->place = *place;
  }
  return false;
}

/* ---- the memory that a statement uses ---- */

uint64_t row_bit_of(struct finding *f, const struct array *array)
{
  for (unsigned i = 0; i < f->code->access.arrays.count && i < 64; i++)
    if (f->code->access.arrays.items[i] == array) return (uint64_t)1 << i;
  row_give_up(f, "it has too many arrays", &f->code->kernel->name_place);
  return 0;
}

static void note_memory(struct ir_expr *expr, void *context)
{
  struct finding *f = context;
  const struct code_access *found = code_access_of(f->code, expr);
  struct event *event = &f->events[f->event_count];

  if (!found) return;
  if (found->access->read) event->reads |= row_bit_of(f, found->array);
  if (found->access->write) event->writes |= row_bit_of(f, found->array);
}

static void add_event(struct finding *f, struct ir_stmt *stmt, struct ir_expr *only, bool pass)
{
  struct event *event = &f->events[f->event_count];

  *event = (struct event){.stmt = stmt, .pass = pass, .outermost = f->outermost};
  if (only)
    ir_visit_expr(only, note_memory, f);
  else
    ir_visit_stmt_exprs(stmt, note_memory, f);
  if (!event->reads && !event->writes) return;
  if (f->event_count + 1 == MOST_EVENTS)
    row_give_up(f, "it has too many statements", &stmt->place);
  else
    f->event_count++;
}

/* ---- groups ---- */

static struct ir_var *iterator_of(const struct row_passes *p, unsigned pass)
{
  return p->passes[pass].loop->loop->iterator;
}

/* Is it the element that the group has in the same iteration? */
static bool is_like(struct finding *f, const struct row_group *group, struct ir_expr *expr)
{
  struct arena *arena = f->code->arena;
  struct ir_var *from = iterator_of(f->out, f->number), *to = iterator_of(f->out, group->pass);

  return ir_same_type(from->type, to->type) &&
         ir_same_expr(ir_replace_var(arena, expr, from, ir_build_var(arena, to)), group->like);
}

static struct row_group *group_of(struct finding *f, const struct code_access *found,
                                  struct ir_expr *expr)
{
  struct row_passes *out = f->out;

  for (unsigned i = 0; i < out->group_count; i++)
    if (out->groups[i].array == found->array && is_like(f, &out->groups[i], expr))
      return &out->groups[i];
  if (out->group_count == MOST_GROUPS) {
    row_give_up(f, "it has too many rows", &expr->place);
    return NULL;
  }
  struct row_group *group = &out->groups[out->group_count++];
  *group = (struct row_group){.array = found->array,
                              .like = expr,
                              .pass = f->number,
                              .kept = true,
                              .own = row_team_is_own(f->code, found) &&
                                     !row_team_is_shared(f->code, expr, f->pass->loop->iterator)};
  return group;
}

struct fixed_search {
  struct finding *f;
  const struct ir_expr *whole;
  bool moves; /* it may be another element in the next pass */
  bool outer; /* ... in the next iteration of a loop around the pass */
  bool unsteady;
};

/* Do the loops around passes only count the variable up? */
static bool counts(const struct finding *f, const struct ir_var *var)
{
  return f->outermost && loop_counts(f->outermost, var);
}

static void note_moving(struct ir_expr *expr, void *context)
{
  struct fixed_search *s = context;
  struct finding *f = s->f;
  const struct code_access *found = expr != s->whole ? code_access_of(f->code, expr) : NULL;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;

  s->moves |= found && !code_read_only(f->code, found->array);
  if (!var || var == f->pass->loop->iterator || var->kind != IR_VAR_LOCAL) return;
  bool changes = var->write_count > 1,
       inside = f->outermost && team_reduce_declares(f->outermost, var);
  s->moves |= (var->address_taken || (changes && !f->outermost)) && !SEEDED(ROW_BASE_FIXED);
  s->outer |= (inside || (changes && f->outermost)) && !SEEDED(ROW_OUTER_FIXED);
  s->unsteady |= changes && !counts(f, var);
}

/* Is it the same element in each pass, apart from the iteration and from loops around the pass? */
static bool is_fixed(struct finding *f, struct ir_expr *expr, struct fixed_search *ret)
{
  *ret = (struct fixed_search){.f = f, .whole = expr};
  ir_visit_expr(expr, note_moving, ret);
  return !ret->moves;
}

/* Does each iteration access an element of a row of its own, by an index that the pass does not
 * compute? */
static bool is_of_row(struct finding *f, const struct code_access *found, struct ir_expr *expr,
                      struct fixed_search *ret)
{
  return expr->kind == IR_EXPR_INDEX && !team_reduce_names_inner(f->pass, expr) && !f->inner &&
         !ir_has_effects(expr) && is_fixed(f, expr, ret) &&
         row_team_follows(f->code, found, f->pass->loop->iterator);
}

static void note_access(struct finding *f, const struct code_access *found, struct ir_expr *expr)
{
  const struct ir_type *element = found->array->element;
  struct fixed_search fixed = {.outer = false};
  bool write = found->access->write, row = is_of_row(f, found, expr, &fixed);
  struct row_passes *out = f->out;
  unsigned bit = 1u << f->number;

  if (write && !row) {
    row_give_up(f, "an iteration may write an element that another one accesses", &expr->place);
    return;
  }
  out->again += (double)element->size * f->runs;
  struct row_group *group = row ? group_of(f, found, expr) : NULL;
  if (!group) return;
  if (out->place_count == MOST_PLACES) {
    row_give_up(f, "it has too many accesses", &expr->place);
    return;
  }
  out->places[out->place_count++] =
      (struct row_place){expr, (unsigned)(group - out->groups), f->runs};
  group->last = f->number;
  group->moving |= fixed.outer;
  group->unsteady |= fixed.unsteady;
  group->written |= write;
  if (found->access->read && !(group->writes & bit)) group->reads |= bit;
  if (write && !f->conditions) group->writes |= bit;
  if (write && f->conditions) group->maybe = true;
}

static void scan_expr(struct finding *f, struct ir_expr *expr)
{
  const struct code_access *found = expr ? code_access_of(f->code, expr) : NULL;

  if (!expr) return;
  bool chooses = expr->kind == IR_EXPR_COND || (expr->kind == IR_EXPR_BINARY &&
                                                (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  if (expr->kind == IR_EXPR_CALL) f->out->calls++;
  /* the value is evaluated in front of the element that takes it */
  for (unsigned i = expr->operand_count; i-- > 0;) {
    f->conditions += chooses && i > 0;
    scan_expr(f, expr->operands[i]);
    f->conditions -= chooses && i > 0;
  }
  if (found) note_access(f, found, expr);
}

static bool skips(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_CONTINUE;
  return true;
}

static void scan_stmt(struct finding *f, struct ir_stmt *stmt)
{
  bool loop = stmt && (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE ||
                       stmt->kind == IR_STMT_DO);
  bool branch = stmt && (stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH);

  if (!stmt) return;
  f->inner += loop;
  f->conditions += loop;
  scan_stmt(f, stmt->init);
  scan_expr(f, stmt->expr);
  scan_expr(f, stmt->increment);
  f->conditions += branch;
  scan_stmt(f, stmt->body);
  scan_stmt(f, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) scan_stmt(f, stmt->children[i]);
  f->conditions -= branch;
  f->conditions -= loop;
  f->inner -= loop;
}

/* ---- passes ---- */

/* The trip count, where the end is one number in all launches of the code. -1: it is not. */
static int64_t trips_known(struct finding *f, const struct ir_loop *loop, int64_t lower)
{
  struct ir_expr *end = precondition_host_form(f->code, loop_end(f->code->arena, loop));
  int64_t number;

  if (!end || !ir_constant(end, &number)) return -1;
  return number > lower ? number - lower : 0;
}

static bool add_pass(struct finding *f, struct ir_stmt *stmt)
{
  struct row_passes *out = f->out;
  const char *reason;
  struct ir_place place;
  int64_t lower;
  bool skipping = false;

  if (out->pass_count == MOST_PASSES) return row_give_up(f, "it has too many loops", &stmt->place);
  struct team_loop *pass = &out->passes[out->pass_count];
  if (!team_reduce_pass(f->code, stmt, f->floats, pass, &reason, &place))
    row_give_up(f, reason, &place);
  if (!stmt->loop || !stmt->loop->lower) return false;
  if (stmt->loop->step != 1) return row_give_up(f, "it does not count up by one", &stmt->place);
  if (!ir_constant(stmt->loop->lower, &lower) || lower < 0 || lower > 8)
    return row_give_up(f, "it does not begin with the first elements of a row", &stmt->place);
  if (pass->trips < 0) pass->trips = trips_known(f, stmt->loop, lower);
  out->straight &= !f->closed;
  f->pass = stmt;
  f->number = out->pass_count++;
  out->around[f->number] = f->around;
  out->outermost[f->number] = f->outermost;
  out->runs += f->runs;
  out->summed += pass->sum_count ? f->runs : 0;
  ir_visit_stmts(stmt->body, skips, &skipping);
  f->conditions = skipping || lower > 0;
  scan_stmt(f, stmt->body);
  f->conditions = 0;
  out->floats |= pass->floats;
  struct ir_expr *end = loop_end(f->code->arena, stmt->loop);
  struct fixed_search fixed;
  if ((f->outermost && (!is_fixed(f, end, &fixed) || fixed.outer)) ||
      (f->number && !ir_same_expr(end, loop_end(f->code->arena, out->passes[0].loop->loop))))
    out->same_ends = false;
  if (pass->trips < 0 || (f->number && out->trips < 0))
    out->trips = -1;
  else if (pass->trips > out->trips)
    out->trips = pass->trips;
  add_event(f, stmt, NULL, true);
  return !f->reason;
}

/* ---- the statements beside passes ---- */

static bool straight(struct finding *f, struct ir_expr *expr)
{
  const char *reason;
  struct ir_place place;

  return team_reduce_straight(f->code, expr, &reason, &place) || row_give_up(f, reason, &place);
}

static bool is_update(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr);
}

struct nested_search {
  const struct ir_expr *whole;
  bool found;
};

static void note_nested(struct ir_expr *expr, void *context)
{
  struct nested_search *s = context;
  s->found |= expr != s->whole && is_update(expr);
}

/* Adds a statement beside passes. A store or an atomic operation must be a statement of its own, so
 * that one thread does it. */
static bool add_stmt(struct finding *f, struct ir_stmt *stmt)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  struct nested_search nested = {expr, false};

  if (expr && expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC) {
    for (unsigned i = 1; i < expr->operand_count; i++)
      if (!straight(f, expr->operands[i])) return false;
  } else if (stmt->expr && expr && is_update(expr) && team_reduce_stores(stmt)) {
    ir_visit_expr(expr, note_nested, &nested);
    if (nested.found)
      return row_give_up(f, "a statement beside its loops does several things", &stmt->place);
    for (unsigned i = 0; i < expr->operand_count; i++)
      if (!straight(f, expr->operands[i])) return false;
  } else if (stmt->expr) {
    if (!straight(f, stmt->expr)) return false;
    struct event *next = &f->events[f->event_count];
    add_event(f, stmt, stmt->expr, false);
    if (next->writes)
      return row_give_up(f, "a statement beside its loops writes memory", &stmt->place);
    return !f->reason;
  }
  add_event(f, stmt, stmt->expr, false);
  return !f->reason;
}

static bool walk(struct finding *f, struct ir_stmt *stmt);

/* The passes of a branch stand side by side where there is no pass outside it. */
static bool walk_in(struct finding *f, struct ir_stmt *branch)
{
  unsigned before = f->out->pass_count;
  bool fits = walk(f, branch);

  f->out->straight &= before == 0 || f->out->pass_count == before;
  f->closed |= f->out->pass_count > before;
  return fits;
}

static bool add_condition(struct finding *f, struct ir_expr *expr, const struct ir_place *place)
{
  struct ir_stmt *only = ARENA_NEW(f->code->arena, struct ir_stmt);
  unsigned before = f->event_count;

  *only = (struct ir_stmt){.kind = IR_STMT_NULL, .expr = expr, .place = *place};
  if (!add_stmt(f, only)) return false;
  if (f->event_count > before) f->events[before].condition = true;
  return true;
}

static double runs_of(const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->kind == IR_STMT_FOR ? stmt->loop : NULL;
  int64_t lower, bound;

  if (!loop || !loop->lower || loop->step <= 0 || !ir_constant(loop->lower, &lower) ||
      !ir_constant(loop->bound, &bound))
    return ASSUMED_RUNS;
  return bound > lower ? (double)(bound - lower) / (double)loop->step : 1;
}

/* A loop around passes, which all threads of a team go through. */
static bool walk_around(struct finding *f, struct ir_stmt *stmt)
{
  struct ir_stmt *around = f->around, *outermost = f->outermost,
                 next = {.kind = IR_STMT_EXPR, .expr = stmt->increment, .place = stmt->place};
  double runs = f->runs;

  if (!walk(f, stmt->init)) return false;
  f->around = stmt;
  f->outermost = outermost ? outermost : stmt;
  f->runs *= runs_of(stmt);
  if (stmt->increment && team_reduce_stores(&next))
    return row_give_up(f, "a statement beside its loops writes memory", &stmt->place);
  bool fits = (!stmt->expr || add_condition(f, stmt->expr, &stmt->place)) &&
              (!stmt->increment || add_condition(f, stmt->increment, &stmt->place)) &&
              walk(f, stmt->body);
  f->around = around;
  f->outermost = outermost;
  f->runs = runs;
  return fits;
}

static bool walk(struct finding *f, struct ir_stmt *stmt)
{
  if (!stmt) return true;
  switch (stmt->kind) {
  case IR_STMT_NULL: return true;
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!walk(f, stmt->children[i])) return false;
    return true;
  case IR_STMT_DECL:
  case IR_STMT_EXPR: return add_stmt(f, stmt);
  case IR_STMT_IF:
    return add_condition(f, stmt->expr, &stmt->place) && walk_in(f, stmt->body) &&
           walk_in(f, stmt->else_body);
  case IR_STMT_WHILE:
    if (f->outer_loops) return walk_around(f, stmt);
    return row_give_up(f, "a statement beside its loops cannot be taken apart", &stmt->place);
  case IR_STMT_FOR:
    if (f->outer_loops && loop_number(stmt) > 1) return walk_around(f, stmt);
    return add_pass(f, stmt);
  default:
    return row_give_up(f, "a statement beside its loops cannot be taken apart", &stmt->place);
  }
}

static bool count_loop(struct ir_stmt *stmt, void *context)
{
  struct row_passes *out = context;
  bool loop = loop_is_one(stmt);

  out->loops += loop;
  return !loop;
}

static bool find(struct finding *f)
{
  struct code *code = f->code;
  const char *reason;
  struct ir_place place;

  memset(f->out, 0, sizeof *f->out);
  f->runs = 1;
  ir_visit_stmts(code->facts.kernel->body, count_loop, f->out);
  f->out->same_ends = f->out->straight = true;
  walk(f, code->facts.kernel->body);
  if (!f->reason && !f->out->pass_count)
    row_give_up(f, "it has no loop over a row", &code->kernel->name_place);
  if (!f->reason && !team_reduce_memory(code, &reason, &place)) row_give_up(f, reason, &place);
  if (!f->reason) row_check_memory(f);
  if (code_exhausted(code))
    row_give_up(f, budget_obstacle("its accesses are too complex"), &code->kernel->name_place);
  return !f->reason;
}

bool row_team_find(struct code *code, bool floats, enum row_loops loops, struct row_passes *ret,
                   const char **ret_reason, struct ir_place *ret_place)
{
  struct row_passes *inner = ARENA_NEW(code->arena, struct row_passes);
  struct finding f = {.code = code, .out = ret, .floats = floats};
  struct finding around = {.code = code, .out = inner, .floats = floats, .outer_loops = true};
  bool found = loops != ROW_INNER && find(&f);
  bool either = loops == ROW_EITHER && (!found || ret->bytes <= 0);

  if ((loops == ROW_INNER || either) && find(&around) && (!either || inner->bytes > 0)) {
    *ret = *inner;
    ret->which = ROW_INNER;
    return true;
  }
  ret->which = ROW_OUTER;
  *ret_reason = loops == ROW_INNER ? around.reason : f.reason;
  *ret_place = loops == ROW_INNER ? around.place : f.place;
  return found;
}
