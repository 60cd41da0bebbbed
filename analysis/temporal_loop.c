/* temporal_loop.c - loops of launches whose arrays change places.
 *
 *     for (...) { k<<<g, b>>>(u, v, t); k<<<g, b>>>(v, u, t + 1); }      two launches: what the first has as v the second has as u
 *     for (...) { k<<<g, b>>>(u, v, t); swap(u, v); }                    one launch: both arguments change in the loop
 *
 * Finds, for the kernel of a loop, which parameters change places and which scalars differ between launches. Both are guesses that the
 * runtime compares with what the launches really have; a wrong one costs time. Launches of several kernels in one loop are left alone,
 * and so are those for which nothing changes places. Requires: plan->launches, and their variants. Produces `steps` of the launches.
 */
#include "analysis/temporal.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/launch_facts.h"

enum { MOST_LAUNCHES = 8, MOST_PARAMS = 32 };

struct loop_launches {
  struct ir_stmt *loop;
  const struct launch *items[MOST_LAUNCHES];
  unsigned count;
  bool others;               /* launches of another kernel, or too many */
};

struct made {                /* for launches with these facts */
  struct kernel_facts facts;
  bool varies[MOST_PARAMS];
  int partners[MOST_PARAMS];
  struct kernel_steps *steps; /* NULL: declined */
};

struct looking {
  struct unit *unit;
  struct effects *effects;
  struct constants *constants;
  const struct plan_options *options;
  struct plan *plan;
  struct remarks *remarks;
  LIST_OF(struct made) made;
  LIST_OF(struct loop_launches) loops;
};

/* ---- loops ---- */

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

/* The innermost loop around a launch; NULL: none in its function. */
static struct ir_stmt *loop_around(const struct host_index *index, const struct launch *launch)
{
  const struct host_node *node = host_launch_node(index, launch);
  struct ir_stmt *stmt = node ? node->stmt : NULL;

  while (stmt && !is_loop(stmt)) {
    const struct host_stmt *place = host_stmt_of(index, stmt);
    stmt = place ? place->parent : NULL;
  }
  return stmt;
}

static void add_launch(struct looking *l, struct ir_stmt *loop, const struct launch *launch)
{
  struct loop_launches *found = NULL;

  for (unsigned i = 0; i < l->loops.count; i++)
    if (l->loops.items[i].loop == loop)
      found = &l->loops.items[i];
  if (!found) {
    found = ARENA_PUSH(l->unit->arena, &l->loops);
    *found = (struct loop_launches){ .loop = loop };
  }
  if (found->count == MOST_LAUNCHES || (found->count && found->items[0]->kernel != launch->kernel))
    found->others = true;
  else
    found->items[found->count++] = launch;
}

static bool may_be_held(const struct looking *l, const struct launch *launch)
{
  const struct launch_plan *plan = &l->plan->launches[launch->id];
  const struct ir_function *kernel = launch->kernel;
  bool staged = plan->variant && (plan->variant->choice || plan->variant->dynamic);

  return kernel && kernel->body && plan->hooked && !launch->stream && !launch->shared && !launch->callee_is_template && !staged &&
         launch->arg_count == kernel->param_count && kernel->param_count <= MOST_PARAMS;
}

struct change_search { const struct looking *l; const struct ir_stmt *loop; bool found; };

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;
  const struct host_index *index = constants_index(s->l->constants);
  const struct host_var *var = expr->kind == IR_EXPR_VAR ? host_var_of(index, expr->var) : NULL;

  for (unsigned i = 0; var && i < var->writes.count; i++) {
    const struct ir_stmt *stmt = var->writes.items[i].node ? var->writes.items[i].node->stmt : var->writes.items[i].stmt;
    s->found |= stmt && host_stmt_inside(index, stmt, s->loop);
  }
  s->found |= var && var->escapes;
}

static bool changes_in(const struct looking *l, struct ir_expr *expr, const struct ir_stmt *loop)
{
  struct change_search s = { l, loop, false };
  ir_visit_expr(expr, note_change, &s);
  return s.found;
}

/* ---- arguments ---- */

static struct ir_expr *argument(const struct launch *launch, unsigned i)
{
  return launch->args[i].expr ? ir_strip(launch->args[i].expr) : NULL;
}

static bool same_argument(const struct launch *a, unsigned i, const struct launch *b, unsigned k)
{
  struct ir_expr *x = argument(a, i), *y = argument(b, k);
  return x && y && ir_same_expr(x, y);
}

static bool is_pointer(const struct ir_function *kernel, unsigned i)
{
  return kernel->params[i]->type->kind == IR_TYPE_POINTER;
}

/* Does parameter i have in each launch what k has in the one before, and the other way round? */
static bool change_places(const struct loop_launches *loop, unsigned i, unsigned k)
{
  bool change = true;

  for (unsigned n = 0; n < loop->count && change; n++) {
    const struct launch *one = loop->items[n], *next = loop->items[(n + 1) % loop->count];
    change = same_argument(one, i, next, k) && same_argument(one, k, next, i) && !same_argument(one, i, one, k);
  }
  return change;
}

/* One launch: the pointers that change in the loop, the first half with the second. */
static bool pair_changing(const struct looking *l, const struct loop_launches *loop, int *partners)
{
  const struct launch *launch = loop->items[0];
  unsigned changing[MOST_PARAMS], count = 0;

  for (unsigned i = 0; i < launch->arg_count; i++)
    if (is_pointer(launch->kernel, i) && argument(launch, i) && changes_in(l, argument(launch, i), loop->loop))
      changing[count++] = i;
  for (unsigned i = 0; count % 2 == 0 && i < count; i++)
    partners[changing[i]] = (int)changing[(i + count / 2) % count];
  return count > 0 && count % 2 == 0;
}

static bool find_partners(const struct looking *l, const struct loop_launches *loop, int *partners)
{
  const struct ir_function *kernel = loop->items[0]->kernel;
  bool any = false;

  for (unsigned i = 0; i < MOST_PARAMS; i++)
    partners[i] = -1;
  if (loop->count == 1)
    return pair_changing(l, loop, partners);
  for (unsigned i = 0; i < kernel->param_count; i++)
    for (unsigned k = i + 1; k < kernel->param_count; k++)
      if (is_pointer(kernel, i) && is_pointer(kernel, k) && change_places(loop, i, k)) {
        partners[i] = (int)k;
        partners[k] = (int)i;
        any = true;
      }
  return any;
}

static bool varies(const struct looking *l, const struct loop_launches *loop, unsigned param)
{
  struct ir_expr *first = argument(loop->items[0], param);

  if (!first || changes_in(l, first, loop->loop))
    return true;
  for (unsigned n = 1; n < loop->count; n++)
    if (!same_argument(loop->items[0], param, loop->items[n], param))
      return true;
  return false;
}

/* What all launches of the loop have in common. */
static void common_facts(struct looking *l, const struct loop_launches *loop, const bool *varying, struct kernel_facts *ret)
{
  for (unsigned n = 0; n < loop->count; n++) {
    struct kernel_facts facts;
    const struct launch *launch = loop->items[n];
    facts_of_launch(l->unit->arena, l->constants, effects_of(l->effects, launch->kernel), launch, &facts);
    if (!n) {
      *ret = facts;
      continue;
    }
    for (unsigned axis = 0; axis < 3; axis++) {
      ret->block[axis] = ret->block[axis] == facts.block[axis] ? facts.block[axis] : -1;
      ret->grid[axis] = ret->grid[axis] == facts.grid[axis] ? facts.grid[axis] : -1;
    }
    for (unsigned i = 0; i < launch->kernel->param_count; i++)
      ret->scalars[i].known &= facts.scalars[i].known && facts.scalars[i].value == ret->scalars[i].value;
  }
  for (unsigned i = 0; i < ret->kernel->param_count; i++) {
    ret->scalars[i].known &= !varying[i];
    ret->pointers[i] = (struct pointer_fact){ 0 };
  }
}

/* Trips of a loop with constant bounds that is not inside another one; -1: not known. */
static int64_t launches_of(const struct looking *l, const struct loop_launches *loop)
{
  const struct ir_loop *form = loop->loop->loop;
  const struct host_stmt *place = host_stmt_of(constants_index(l->constants), loop->loop);
  int64_t first, last;

  for (struct ir_stmt *outer = place ? place->parent : NULL; outer;) {
    if (is_loop(outer))
      return -1;
    place = host_stmt_of(constants_index(l->constants), outer);
    outer = place ? place->parent : NULL;
  }
  if (!form || !form->lower || form->step_expr || form->step == 0 || !ir_constant(form->lower, &first) || !ir_constant(form->bound, &last))
    return -1;
  if (first < INT32_MIN || first > INT32_MAX || last < INT32_MIN || last > INT32_MAX || form->step < INT32_MIN)
    return -1;
  return (llabs(last - first) / llabs(form->step) + 1) * loop->count;
}

/* ---- plans ---- */

static bool same_made(const struct made *made, const struct kernel_facts *facts, const bool *varying, const int *partners)
{
  return facts_equal(&made->facts, facts) && !memcmp(made->varies, varying, sizeof made->varies) &&
         !memcmp(made->partners, partners, sizeof made->partners);
}

static void decline(struct looking *l, const struct loop_launches *loop, const char *reason, const struct ir_place *place)
{
  const char *text = arena_format(l->unit->arena, "launches of '%s' are not put together: %s", loop->items[0]->kernel->name, reason);
  *ARENA_PUSH(l->unit->arena, &l->remarks->items) = (struct remark){ DIAG_NOT_STEPPED, *place, text };
}

static struct kernel_steps *make(struct looking *l, const struct loop_launches *loop, const struct kernel_facts *facts, const bool *varying,
                                 const int *partners)
{
  struct temporal t;
  struct temporal_shape shape;
  struct kernel_steps *steps = NULL;
  int64_t points[TEMPORAL_AXES];
  const char *reason;

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++)
    points[axis] = facts->block[axis] > 0 && facts->grid[axis] > 0 ? facts->block[axis] * facts->grid[axis] : -1;
  temporal_find(l->unit, l->effects, facts, varying, partners, l->remarks, &t);
  if (t.reason)
    decline(l, loop, t.reason, &t.place);
  else if (!temporal_choose(&t, l->options, points, launches_of(l, loop), &shape, &reason))
    decline(l, loop, reason, &loop->items[0]->place);
  else
    steps = temporal_build(&t, &shape, false);
  temporal_finish(&t);
  if (steps) {
    steps->number = 1;
    for (unsigned i = 0; i < l->plan->steps.count; i++)
      steps->number += l->plan->steps.items[i]->kernel == steps->kernel;
    *ARENA_PUSH(l->unit->arena, &l->plan->steps) = steps;
  }
  return steps;
}

static void plan_loop(struct looking *l, const struct loop_launches *loop)
{
  const struct ir_function *kernel = loop->items[0]->kernel;
  bool varying[MOST_PARAMS] = { false };
  int partners[MOST_PARAMS];
  struct kernel_facts facts;
  struct kernel_steps *steps = NULL;

  for (unsigned n = 0; n < loop->count; n++)
    if (!may_be_held(l, loop->items[n]))
      return;
  if (!find_partners(l, loop, partners))
    return;
  if (loop->others) {
    decline(l, loop, "the loop launches other kernels, too", &loop->items[0]->place);
    return;
  }
  for (unsigned i = 0; i < kernel->param_count; i++)
    varying[i] = !is_pointer(kernel, i) && varies(l, loop, i);
  common_facts(l, loop, varying, &facts);
  struct made *made = NULL;
  for (unsigned i = 0; i < l->made.count && !made; i++)
    if (same_made(&l->made.items[i], &facts, varying, partners))
      made = &l->made.items[i];
  steps = made ? made->steps : make(l, loop, &facts, varying, partners);
  if (!made) {
    made = ARENA_PUSH(l->unit->arena, &l->made);
    *made = (struct made){ .facts = facts, .steps = steps };
    memcpy(made->varies, varying, sizeof varying);
    memcpy(made->partners, partners, sizeof partners);
  }
  for (unsigned n = 0; steps && n < loop->count; n++)
    l->plan->launches[loop->items[n]->id].steps = steps;
}

void temporal_loops(struct unit *unit, struct effects *effects, struct constants *constants, const struct plan_options *options,
                    struct plan *plan, struct remarks *remarks)
{
  struct looking l = { .unit = unit, .effects = effects, .constants = constants, .options = options, .plan = plan, .remarks = remarks };

  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    struct ir_stmt *loop = loop_around(constants_index(constants), launch);
    if (loop)
      add_launch(&l, loop, launch);
  }
  for (unsigned i = 0; i < l.loops.count; i++)
    plan_loop(&l, &l.loops.items[i]);
}
