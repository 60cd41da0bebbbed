/* SPDX-License-Identifier: MIT */
/* temporal_loop.c - loops of launches whose arrays change places.
 *
 *     for (...) { k<<<g, b>>>(u, v, t); k<<<g, b>>>(v, u, t + 1); }
 *         two launches: v of the first is u of the second
 *     for (...) { k<<<g, b>>>(u, v, t); swap(u, v); }
 *         one launch: both arguments change in the loop
 *     for (...) { k<<<g, b>>>(u, v); copy<<<g, b>>>(v, u); }
 *         two kernels that take turns; the kernels may also name VS variables
 *
 * Finds, for the kernel of a loop, the arrays that change places and the scalars that differ
 * between launches. Both are guesses, which the runtime compares with the actual launches; a wrong
 * one costs time. Loops with more kernels are left alone, and so are those in which nothing changes
 * places. Requires: the launches that a batch could hold back. Produces the steps of launches.
 */
#include "analysis/transform/temporal/temporal.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/host/launch_facts.h"

enum { MOST_LAUNCHES = 8, MOST_PARAMS = 32 };

struct loop_launches {
  struct ir_stmt *loop;
  const struct launch *items[MOST_LAUNCHES];
  unsigned count;
  bool many; /* there are more */
};

struct turn { /* the launches of a loop by one kernel */
  const struct loop_launches *loop;
  struct kernel_facts facts;
  bool varies[MOST_PARAMS];
};

enum { MOST_HANDED = 16, MOST_LISTS = 4 /* the parameters of a kernel are 4 KB */ };

struct made { /* for launches with these facts */
  struct turn turns[2];
  struct temporal_handed handed[MOST_HANDED];
  unsigned handed_count;
  /* For runs that begin with one kernel, and with the other. NULL: declined. */
  struct kernel_steps *steps[2];
};

struct looking {
  struct unit *unit;
  struct effects *effects;
  struct constants *constants;
  const struct plan_options *options;
  struct steps_work *work;
  struct remarks *remarks;
  LIST_OF(struct made) made;
  LIST_OF(struct loop_launches) loops;
};

/* ---- loops ---- */

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

/* The innermost loop around a launch. NULL: there is none in its function. */
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
    if (l->loops.items[i].loop == loop) found = &l->loops.items[i];
  if (!found) {
    found = ARENA_PUSH(l->unit->arena, &l->loops);
    *found = (struct loop_launches){.loop = loop};
  }
  if (found->count == MOST_LAUNCHES)
    found->many = true;
  else
    found->items[found->count++] = launch;
}

static bool may_be_held(const struct looking *l, const struct launch *launch)
{
  const struct ir_function *kernel = launch->kernel;

  return kernel && kernel->body && l->work->held[launch->id] && !launch->stream &&
         !launch->shared && launch_is_pinned(launch) && launch_gives_all(launch) &&
         kernel->param_count <= MOST_PARAMS && ir_head_params(kernel) == kernel->param_count;
}

struct change_search {
  const struct looking *l;
  const struct ir_stmt *loop;
  bool found;
};

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;
  const struct host_index *index = constants_index(s->l->constants);
  const struct host_var *var = expr->kind == IR_EXPR_VAR ? host_var_of(index, expr->var) : NULL;

  for (unsigned i = 0; var && i < var->writes.count; i++) {
    const struct ir_stmt *stmt =
        var->writes.items[i].node ? var->writes.items[i].node->stmt : var->writes.items[i].stmt;
    s->found |= stmt && host_stmt_inside(index, stmt, s->loop);
  }
  s->found |= var && var->escapes;
}

static bool changes_in(const struct looking *l, struct ir_expr *expr, const struct ir_stmt *loop)
{
  struct change_search s = {l, loop, false};
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

/* Has parameter i in each launch the argument of k in the previous one, and the reverse? */
static bool change_places(const struct loop_launches *loop, unsigned i, unsigned k)
{
  bool change = true;

  for (unsigned n = 0; n < loop->count && change; n++) {
    const struct launch *one = loop->items[n], *next = loop->items[(n + 1) % loop->count];
    change = same_argument(one, i, next, k) && same_argument(one, k, next, i) &&
             !same_argument(one, i, one, k);
  }
  return change;
}

/* For a single launch: pairs the pointers that change in the loop, the first half with the
 * second. */
static bool pair_changing(const struct looking *l, const struct loop_launches *loop, int *partners)
{
  const struct launch *launch = loop->items[0];
  unsigned changing[MOST_PARAMS], count = 0;

  for (unsigned i = 0; i < launch->arg_count; i++)
    if (is_pointer(launch->kernel, i) && argument(launch, i) &&
        changes_in(l, argument(launch, i), loop->loop))
      changing[count++] = i;
  for (unsigned i = 0; count % 2 == 0 && i < count; i++)
    partners[changing[i]] = (int)changing[(i + count / 2) % count];
  return count > 0 && count % 2 == 0;
}

static bool find_partners(const struct looking *l, const struct loop_launches *loop, int *partners)
{
  const struct ir_function *kernel = loop->items[0]->kernel;
  bool any = false;

  for (unsigned i = 0; i < MOST_PARAMS; i++) partners[i] = -1;
  if (loop->count == 1) return pair_changing(l, loop, partners);
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

  if (!first || changes_in(l, first, loop->loop)) return true;
  for (unsigned n = 1; n < loop->count; n++)
    if (!same_argument(loop->items[0], param, loop->items[n], param)) return true;
  return false;
}

/* Sets the facts that all launches of the loop by this kernel share. */
static void common_facts(struct looking *l, const struct loop_launches *loop, struct turn *ret)
{
  struct kernel_facts *all = &ret->facts;
  struct ir_function *kernel = loop->items[0]->kernel;

  for (unsigned n = 0; n < loop->count; n++) {
    struct kernel_facts facts;
    facts_of_launch(l->unit->arena, l->constants, effects_of(l->effects, kernel), loop->items[n],
                    &facts);
    if (!n) {
      *all = facts;
      continue;
    }
    for (unsigned axis = 0; axis < 3; axis++) {
      all->block[axis] = all->block[axis] == facts.block[axis] ? facts.block[axis] : -1;
      all->grid[axis] = all->grid[axis] == facts.grid[axis] ? facts.grid[axis] : -1;
    }
    for (unsigned i = 0; i < kernel->param_count; i++)
      all->scalars[i].known &=
          facts.scalars[i].known && facts.scalars[i].value == all->scalars[i].value;
  }
  for (unsigned i = 0; i < kernel->param_count; i++) {
    ret->varies[i] = !is_pointer(kernel, i) && varies(l, loop, i);
    all->scalars[i].known &= !ret->varies[i];
    all->pointers[i] = (struct pointer_fact){0};
  }
}

/* The trip count of a loop with constant bounds that is not inside another one; -1: not known. */
static int64_t launches_of(const struct looking *l, const struct loop_launches *loop)
{
  const struct ir_loop *form = loop->loop->loop;
  const struct host_stmt *place = host_stmt_of(constants_index(l->constants), loop->loop);
  int64_t first, last;

  for (struct ir_stmt *outer = place ? place->parent : NULL; outer;) {
    if (is_loop(outer)) return -1;
    place = host_stmt_of(constants_index(l->constants), outer);
    outer = place ? place->parent : NULL;
  }
  if (!form || !form->lower || form->step_expr || form->step == 0 ||
      !ir_constant(form->lower, &first) || !ir_constant(form->bound, &last))
    return -1;
  if (first < INT32_MIN || first > INT32_MAX || last < INT32_MIN || last > INT32_MAX ||
      form->step < INT32_MIN)
    return -1;
  return (llabs(last - first) / llabs(form->step) + 1) * loop->count;
}

/* ---- two kernels ---- */

struct name {               /* of an array in a launch */
  struct ir_var *var;       /* in the kernel */
  struct ir_expr *argument; /* NULL: it is a VS variable that the kernel names */
};

static unsigned names_of(const struct launch *launch, struct name *ret)
{
  const struct ir_function *kernel = launch->kernel;
  unsigned count = 0;

  for (unsigned i = 0; i < launch->arg_count && count < MOST_HANDED; i++)
    if (is_pointer(kernel, i) && argument(launch, i))
      ret[count++] = (struct name){kernel->params[i], argument(launch, i)};
  for (unsigned i = 0; i < kernel->vs_use_count && count < MOST_HANDED; i++)
    ret[count++] = (struct name){kernel->vs_uses[i]->var, NULL};
  return count;
}

/* Are two names of one kind equal? An argument that leads to a variable which a kernel names is not
 * recognised. */
static bool same_name(const struct name *a, const struct name *b)
{
  return a->argument && b->argument ? ir_same_expr(a->argument, b->argument)
                                    : !a->argument && !b->argument && a->var == b->var;
}

/* Finds the arrays that both launches name. */
static unsigned handed_on(const struct launch *first, const struct launch *second,
                          struct temporal_handed *ret)
{
  struct name names[MOST_HANDED], others[MOST_HANDED];
  unsigned count = names_of(first, names), other_count = names_of(second, others), handed = 0;

  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < other_count && handed < MOST_HANDED; k++)
      if (same_name(&names[i], &others[k]))
        ret[handed++] = (struct temporal_handed){names[i].var, others[k].var};
  return handed;
}

/* ---- plans ---- */

static bool same_turn(const struct turn *a, const struct turn *b)
{
  return a->facts.kernel == b->facts.kernel &&
         (!a->facts.kernel ||
          (facts_equal(&a->facts, &b->facts) && !memcmp(a->varies, b->varies, sizeof a->varies)));
}

static bool same_made(const struct made *a, const struct made *b)
{
  bool same = same_turn(&a->turns[0], &b->turns[0]) && same_turn(&a->turns[1], &b->turns[1]) &&
              a->handed_count == b->handed_count;

  for (unsigned i = 0; same && i < a->handed_count; i++)
    same = a->handed[i].var == b->handed[i].var && a->handed[i].next == b->handed[i].next;
  return same;
}

static void decline(struct looking *l, const struct launch *launch, const char *reason,
                    const struct ir_place *place)
{
  const char *text = arena_format(l->unit->arena, "launches of '%s' are not put together: %s",
                                  launch->kernel->name, reason);
  *ARENA_PUSH(l->unit->arena, &l->remarks->items) =
      (struct remark){DIAG_NOT_STEPPED, *place, text, false};
}

static bool moves(const struct temporal *t)
{
  bool any = false;

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) any |= t->low[axis] || t->high[axis];
  return any;
}

static struct temporal_period period_of(struct temporal *first, struct temporal *second)
{
  struct temporal_period period = {.kernels = {first, second},
                                   .moves = {moves(first), moves(second)}};

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++) {
    period.low[axis] = first->low[axis] > second->low[axis] ? first->low[axis] : second->low[axis];
    period.high[axis] =
        first->high[axis] > second->high[axis] ? first->high[axis] : second->high[axis];
  }
  return period;
}

static struct kernel_steps *enter(struct looking *l, struct kernel_steps *steps)
{
  steps->number = 1;
  for (unsigned i = 0; i < l->work->steps.count; i++)
    steps->number += l->work->steps.items[i]->kernel == steps->kernel;
  *ARENA_PUSH(l->unit->arena, &l->work->steps) = steps;
  return steps;
}

/* Analyses the facts that both kernels must satisfy. */
static void find_both(struct looking *l, const struct made *made, struct temporal *first,
                      struct temporal *second, bool two)
{
  const struct temporal_handed *handed = made->handed;

  temporal_scan(l->unit, l->effects, &made->turns[0].facts, made->turns[0].varies, l->remarks,
                first);
  if (two)
    temporal_scan(l->unit, l->effects, &made->turns[1].facts, made->turns[1].varies, l->remarks,
                  second);
  struct temporal *other = two ? second : first;
  if (!first->reason && !other->reason) temporal_pair(first, other, handed, made->handed_count);
  for (unsigned i = 0; i < 1u + two && !first->reason && !other->reason; i++)
    temporal_find(i ? second : first);
  for (unsigned i = 0; i < 1u + two && !first->reason && !other->reason; i++)
    temporal_blind(i ? second : first);
  if (two && !first->reason && !second->reason) temporal_match(first, second);
  if (!first->reason && first->value_count + (two ? second->value_count : 0) > MOST_LISTS)
    temporal_give_up(first, "too many scalars differ between launches", NULL);
}

/* Builds two kernels, since a run may begin with either. */
static void build_both(struct looking *l, struct made *made, struct temporal *first,
                       struct temporal *second, const struct temporal_shape *shape)
{
  struct temporal_period period = period_of(first, second);

  made->steps[0] = enter(l, temporal_build(&period, shape));
  made->steps[0]->next = made->steps[0];
  if (first == second) return;
  for (unsigned i = 0; i < first->buffer_count; i++) {
    first->buffers[i].tile[1] = first->buffers[i].tile[0];
    second->buffers[i].tile[0] = second->buffers[i].tile[1];
  }
  period = period_of(second, first);
  made->steps[1] = enter(l, temporal_build(&period, shape));
  made->steps[1]->next = made->steps[0];
  made->steps[0]->next = made->steps[1];
}

static void make(struct looking *l, const struct loop_launches *loop, struct made *made)
{
  bool two = made->turns[1].facts.kernel != NULL;
  const struct kernel_facts *facts = &made->turns[0].facts;
  struct temporal first = {0}, second = {0}, *other = two ? &second : &first;
  struct temporal_shape shape;
  int64_t points[TEMPORAL_AXES];
  const char *reason;

  for (unsigned axis = 0; axis < TEMPORAL_AXES; axis++)
    points[axis] = facts->block[axis] > 0 && facts->grid[axis] > 0
                       ? facts->block[axis] * facts->grid[axis]
                       : -1;
  find_both(l, made, &first, &second, two);
  struct temporal_period period = period_of(&first, other);
  if (first.reason)
    decline(l, loop->items[0], first.reason, &first.place);
  else if (other->reason)
    decline(l, loop->items[1], other->reason, &other->place);
  else if (!temporal_choose(&period, l->options, points, launches_of(l, loop), &shape, &reason))
    decline(l, loop->items[0], reason, &loop->items[0]->place);
  else
    build_both(l, made, &first, other, &shape);
  temporal_finish(&first);
  if (two) temporal_finish(&second);
}

static void plan_with(struct looking *l, const struct loop_launches *loop, struct made *wanted)
{
  struct made *made = NULL;

  for (unsigned i = 0; i < l->made.count && !made; i++)
    if (same_made(&l->made.items[i], wanted)) made = &l->made.items[i];
  if (!made) {
    make(l, loop, wanted);
    made = ARENA_PUSH(l->unit->arena, &l->made);
    *made = *wanted;
  }
  for (unsigned n = 0; n < loop->count; n++)
    l->work->launches[loop->items[n]->id] = made->steps[made->turns[1].facts.kernel ? n : 0];
}

/* Plans launches of one kernel. */
static void plan_alone(struct looking *l, const struct loop_launches *loop, bool alone)
{
  const struct ir_function *kernel = loop->items[0]->kernel;
  int partners[MOST_PARAMS];
  struct made made = {0};

  if (!find_partners(l, loop, partners)) return;
  if (!alone) {
    decline(l, loop->items[0], "the loop launches other kernels, too", &loop->items[0]->place);
    return;
  }
  common_facts(l, loop, &made.turns[0]);
  for (unsigned i = 0; i < kernel->param_count && made.handed_count < MOST_HANDED; i++)
    if (partners[i] >= 0)
      made.handed[made.handed_count++] =
          (struct temporal_handed){kernel->params[i], kernel->params[partners[i]]};
  plan_with(l, loop, &made);
}

/* Plans two launches of two kernels. */
static void plan_turns(struct looking *l, const struct loop_launches *loop)
{
  struct made made = {0};

  made.handed_count = handed_on(loop->items[0], loop->items[1], made.handed);
  if (made.handed_count < 2) return;
  for (unsigned i = 0; i < 2; i++) {
    struct loop_launches one = {.loop = loop->loop, .items = {loop->items[i]}, .count = 1};
    common_facts(l, &one, &made.turns[i]);
  }
  plan_with(l, loop, &made);
}

/* The launches of the loop by the first one's kernel. */
static struct loop_launches of_first_kernel(const struct loop_launches *loop)
{
  struct loop_launches some = {.loop = loop->loop};

  for (unsigned i = 0; i < loop->count; i++)
    if (loop->items[i]->kernel == loop->items[0]->kernel) some.items[some.count++] = loop->items[i];
  return some;
}

static void plan_loop(struct looking *l, const struct loop_launches *loop)
{
  for (unsigned n = 0; n < loop->count; n++)
    if (!may_be_held(l, loop->items[n])) return;
  struct loop_launches some = of_first_kernel(loop);
  if (loop->count == 2 && some.count == 1 && !loop->many)
    plan_turns(l, loop);
  else
    plan_alone(l, &some, some.count == loop->count && !loop->many);
}

void temporal_loops(struct unit *unit, struct effects *effects, struct constants *constants,
                    const struct plan_options *options, struct steps_work *work,
                    struct remarks *remarks)
{
  struct looking l = {.unit = unit,
                      .effects = effects,
                      .constants = constants,
                      .options = options,
                      .work = work,
                      .remarks = remarks};

  if (options->temporal == TEMPORAL_NEVER) return;
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    struct ir_stmt *loop = loop_around(constants_index(constants), launch);
    if (loop) add_launch(&l, loop, launch);
  }
  for (unsigned i = 0; i < l.loops.count; i++) plan_loop(&l, &l.loops.items[i]);
}
