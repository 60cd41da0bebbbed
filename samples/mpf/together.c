/* together.c - neighbouring buckets of the elimination order of which none needs another's sum, for
 * one launch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver.h"

enum { MOST = 1024 };

struct group {
  unsigned count;
  struct mpf_request requests[MOST];
  bool *touched; /* by place: a sum of the group has the variable; owned */
  double flop;
};

static void group_free(struct group *group)
{
  for (unsigned i = 0; i < group->count; i++) free(group->requests[i].inputs);
  free(group->touched);
  free(group);
}

static bool contains(const struct mpf_table *table, unsigned place)
{
  for (unsigned i = table->count; i-- > 0;)
    if (table->places[i] == place) return true;
  return false;
}

/* The bucket of a place as one more request; whether it may join. */
static bool join(struct mpf_solver *solver, const struct mpf_list *live, unsigned place,
                 struct group *group)
{
  struct mpf_request *request = &group->requests[group->count];
  double flop;

  if (group->touched[place]) return false;
  *request = (struct mpf_request){place, 0, malloc((live->count + 1) * sizeof *request->inputs)};
  for (unsigned i = 0; request->inputs && i < live->count; i++)
    if (contains(live->items[i], place)) request->inputs[request->count++] = live->items[i];
  memset(solver->kept, 1, solver->count);
  solver->kept[place] = false;
  if (!request->inputs ||
      !mpf_engine_small(&solver->engine, request->count, request->inputs, solver->kept, &flop)) {
    free(request->inputs);
    return false;
  }
  for (unsigned i = 0; i < request->count; i++)
    for (unsigned k = 0; k < request->inputs[i]->count; k++)
      group->touched[request->inputs[i]->places[k]] = true;
  group->flop += flop;
  group->count++;
  return true;
}

static bool is_input(const struct group *group, const struct mpf_table *table)
{
  for (unsigned i = 0; i < group->count; i++)
    for (unsigned k = 0; k < group->requests[i].count; k++)
      if (group->requests[i].inputs[k] == table) return true;
  return false;
}

/* The sums take the place of what they were made of. */
static int replace(struct mpf_solver *solver, const struct group *group, unsigned depth,
                   struct mpf_table **sums, struct mpf_list *live)
{
  unsigned kept = 0;
  int status = MPF_OK;

  for (unsigned i = 0; i < live->count; i++)
    if (!is_input(group, live->items[i])) live->items[kept++] = live->items[i];
  live->count = kept;
  for (unsigned i = 0; i < group->count; i++) {
    const struct mpf_request *request = &group->requests[i];
    sums[i]->depth = depth;
    sums[i]->origin = request->place;
    if (mpf_list_add(&solver->tables, sums[i]) || mpf_list_add(live, sums[i]))
      status = MPF_NO_MEMORY;
    if (solver->options->marginals &&
        mpf_step_record(solver, request->place, request->count, request->inputs))
      status = MPF_NO_MEMORY;
    for (unsigned k = 0; !solver->options->marginals && k < request->count; k++)
      if (request->inputs[k]->depth == depth) mpf_table_forget(solver, request->inputs[k]);
  }
  return status;
}

int mpf_eliminate_together(struct mpf_solver *solver, unsigned *place, unsigned depth,
                           struct mpf_list *live)
{
  struct group *group = solver->engine.threshold < INFINITY && !solver->engine.watch &&
                                *place < solver->together_below
                            ? calloc(1, sizeof *group)
                            : NULL;
  struct mpf_table *sums[MOST];
  unsigned next = *place;
  int status = MPF_OK;

  if (!group) return MPF_OK;
  group->touched = calloc(solver->count + 1, sizeof *group->touched);
  for (bool joins = group->touched != NULL; joins && group->count < MOST;) {
    joins = solver->fixed[next] >= 0 || solver->gone[next] || join(solver, live, next, group);
    joins = joins && next > 0;
    next -= joins;
  }
  unsigned last = group->count ? group->requests[group->count - 1].place : *place;
  solver->together_below = last; /* what was looked at is not looked at again */
  if (group->count > 1 && group->flop >= solver->engine.threshold &&
      !mpf_engine_batch(&solver->engine, group->count, group->requests, sums)) {
    status = replace(solver, group, depth, sums, live);
    *place = last;
    if (!status) status = MPF_TOGETHER;
  }
  group_free(group);
  return status;
}
