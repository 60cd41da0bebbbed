/* solve.c - bucket elimination.
 *
 * Variables go in the order of elimination; the place of a variable in the global order is the
 * reverse. The bucket of a variable has all tables that contain it; its sum over the variable is a
 * table of a later bucket. Where a sum would exceed the memory limit, a variable is set to each of
 * its values in turn and the rest of the elimination is done for each.
 */
#include "solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "device.h"
#include "forecast.h"
#include "posterior.h"
#include "solver.h"

static double seconds(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double mpf_add_log2(double a, double b)
{
  double most = a > b ? a : b, least = a > b ? b : a;

  return most == -INFINITY ? most : most + log2(1 + exp2(least - most));
}

int mpf_list_add(struct mpf_list *list, struct mpf_table *table)
{
  if (list->count == list->capacity) {
    unsigned capacity = list->capacity ? 2 * list->capacity : 64;
    struct mpf_table **items = realloc(list->items, capacity * sizeof *items);
    if (!items) return MPF_NO_MEMORY;
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = table;
  return MPF_OK;
}

void mpf_report(struct mpf_solver *solver, unsigned place)
{
  const double interval = 2;
  double now = seconds(), within = solver->count ? 1 - (double)(place + 1) / solver->count : 1;

  if (solver->options->quiet || now - solver->reported < interval) return;
  solver->reported = now;
  fprintf(stderr, "mpf: %.0f s: bucket %u of %u", now - solver->started, solver->count - place,
          solver->count);
  if (solver->share < 1)
    fprintf(stderr, ", %.1f%% of the conditions", 100 * (solver->done + solver->share * within));
  fprintf(stderr, ", tables %.0f MB\n", (double)solver->engine.used * 1e-6);
}

/* ---- tables of the network ---- */

/* Where each variable of the scope goes: positions in the scope by ascending place. */
static void sort_scope(const struct mpf_function *function, const unsigned *place_of,
                       unsigned *positions)
{
  for (unsigned i = 0; i < function->count; i++) {
    unsigned k = i;
    for (; k > 0 && place_of[function->scope[positions[k - 1]]] > place_of[function->scope[i]]; k--)
      positions[k] = positions[k - 1];
    positions[k] = i;
  }
}

/* The values in the global order, the largest one 1 (0 where it is a logarithm). */
static void fill_table(const struct mpf_solver *solver, const struct mpf_function *function,
                       const unsigned *positions, struct mpf_table *table)
{
  size_t strides[64], digits[64] = {0}, stride = 1, at = 0;
  double most = 0;

  for (unsigned i = function->count; i-- > 0;
       stride *= solver->network->domains[function->scope[i]])
    strides[i] = stride;
  for (size_t i = 0; i < function->size; i++)
    most = function->values[i] > most ? function->values[i] : most;
  table->exponent = most > 0 ? log2(most) : 0;
  for (size_t i = 0; i < function->size; i++) {
    double value = most > 0 ? function->values[at] / most : 0;
    table->values[i] = (real)(solver->engine.domain == MPF_LINEAR ? value : log2(value));
    for (unsigned k = function->count; k-- > 0;) {
      size_t domain = solver->network->domains[function->scope[positions[k]]];
      at += strides[positions[k]];
      if (++digits[k] < domain) break;
      at -= digits[k] * strides[positions[k]];
      digits[k] = 0;
    }
  }
}

static int add_function(struct mpf_solver *solver, const struct mpf_function *function,
                        const unsigned *place_of, struct mpf_list *live)
{
  unsigned positions[64], places[64];

  sort_scope(function, place_of, positions);
  for (unsigned i = 0; i < function->count; i++)
    places[i] = place_of[function->scope[positions[i]]];
  struct mpf_table *table = mpf_table_create(&solver->engine, function->count, places, false);
  if (!table) return MPF_NO_MEMORY;
  table->origin = MPF_NO_ORIGIN;
  fill_table(solver, function, positions, table);
  if (mpf_list_add(&solver->tables, table))
    return mpf_table_free(&solver->engine, table), MPF_NO_MEMORY;
  return mpf_list_add(live, table);
}

/* ---- elimination ---- */

static bool contains(const struct mpf_table *table, unsigned place)
{
  for (unsigned i = table->count; i-- > 0;)
    if (table->places[i] == place) return true;
  return false;
}

void mpf_table_forget(struct mpf_solver *solver, struct mpf_table *table)
{
  for (unsigned i = solver->tables.count; i-- > 0;)
    if (solver->tables.items[i] == table) {
      solver->tables.items[i] = solver->tables.items[--solver->tables.count];
      break;
    }
  mpf_table_free(&solver->engine, table);
}

int mpf_step_record(struct mpf_solver *solver, unsigned place, unsigned count,
                    struct mpf_table *const *inputs)
{
  struct mpf_step *step = &solver->steps[place];

  free(step->inputs);
  step->count = count;
  step->inputs = malloc((count + 1) * sizeof *step->inputs);
  if (!step->inputs) return MPF_NO_MEMORY;
  memcpy(step->inputs, inputs, count * sizeof *step->inputs);
  return MPF_OK;
}

/* The variables that were summed together with that of the place. */
static void note_gone(struct mpf_solver *solver, unsigned place, unsigned depth)
{
  for (unsigned p = 0; p < place; p++)
    if (!solver->kept[p]) {
      solver->gone[p] = depth + 1;
      solver->result->several++;
    }
}

/* The bucket of a place: its inputs leave `live`, its sum comes in. `live` is as before where it
 * fails. */
static int eliminate_one(struct mpf_solver *solver, unsigned place, unsigned depth,
                         struct mpf_list *live)
{
  struct mpf_list inputs = {0}, rest = {0};
  struct mpf_table *output = NULL;
  int status = MPF_OK;

  for (unsigned i = 0; !status && i < live->count; i++)
    status = mpf_list_add(contains(live->items[i], place) ? &inputs : &rest, live->items[i]);
  memset(solver->kept, 1, solver->count);
  solver->kept[place] = false;
  if (!status && mpf_sums_several(solver)) mpf_sum_several(solver, &inputs, &rest);
  if (!status)
    status = mpf_engine_sum(&solver->engine, inputs.count, inputs.items, solver->kept, &output);
  if (!status) {
    output->depth = depth;
    output->origin = place;
    status = mpf_list_add(&solver->tables, output);
  }
  if (!status) status = mpf_list_add(&rest, output);
  if (!status && solver->options->marginals)
    status = mpf_step_record(solver, place, inputs.count, inputs.items);
  if (!status) {
    for (unsigned i = 0; !solver->options->marginals && i < inputs.count; i++)
      if (inputs.items[i]->depth == depth) mpf_table_forget(solver, inputs.items[i]);
    note_gone(solver, place, depth);
    free(live->items);
    *live = rest;
  } else {
    free(rest.items);
  }
  free(inputs.items);
  return status;
}

static void forget_deeper(struct mpf_solver *solver, unsigned depth)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < solver->tables.count; i++)
    if (solver->tables.items[i]->depth > depth)
      mpf_table_free(&solver->engine, solver->tables.items[i]);
    else
      solver->tables.items[kept++] = solver->tables.items[i];
  solver->tables.count = kept;
  for (unsigned place = 0; place < solver->count; place++)
    if (solver->gone[place] > depth + 1) solver->gone[place] = 0;
}

static int eliminate(struct mpf_solver *solver, unsigned end, unsigned depth, struct mpf_list *live,
                     double *ret);

/* The places below `end` for each value of one of their variables. */
static int eliminate_conditions(struct mpf_solver *solver, unsigned end, unsigned depth,
                                const struct mpf_list *live, double *ret)
{
  int place = mpf_condition_choose(solver, live, end - 1), status = MPF_OK;

  if (place < 0) return MPF_TOO_LARGE;
  double share = solver->share;
  bool conditioned = solver->engine.conditioned;
  *ret = -INFINITY;
  solver->engine.conditioned = true;
  solver->share = share / solver->domains[place];
  for (unsigned value = 0; !status && value < solver->domains[place]; value++) {
    struct mpf_list copy = {0};
    double part = -INFINITY;
    solver->fixed[place] = (int)value;
    for (unsigned i = 0; !status && i < live->count; i++)
      status = mpf_list_add(&copy, live->items[i]);
    if (!status) status = eliminate(solver, end, depth + 1, &copy, &part);
    *ret = mpf_add_log2(*ret, part);
    free(copy.items);
    forget_deeper(solver, depth);
  }
  solver->share = share;
  solver->engine.conditioned = conditioned;
  solver->fixed[place] = -1;
  return status;
}

/* All places below `end`, the last first. */
static int eliminate(struct mpf_solver *solver, unsigned end, unsigned depth, struct mpf_list *live,
                     double *ret)
{
  solver->together_below = solver->count;
  for (unsigned place = end; place-- > 0;) {
    if (solver->fixed[place] >= 0 || solver->gone[place]) continue;
    mpf_report(solver, place);
    int state = mpf_eliminate_together(solver, &place, depth, live);
    if (!state) state = eliminate_one(solver, place, depth, live);
    if (state == MPF_TOO_LARGE) return eliminate_conditions(solver, place + 1, depth, live, ret);
    if (state && state != MPF_TOGETHER) return state;
  }
  int status = mpf_engine_await(&solver->engine, NULL);
  if (status) return status;
  *ret = 0;
  for (unsigned i = 0; i < live->count; i++)
    *ret += mpf_engine_log2(&solver->engine, live->items[i]);
  solver->done += solver->share;
  solver->result->conditions++;
  return solver->options->marginals && *ret > -INFINITY ? mpf_marginals_add(solver, *ret) : MPF_OK;
}

/* ---- the whole ---- */

static int choose_engine(struct mpf_solver *solver)
{
  struct mpf_engine *engine = &solver->engine;
  /* log2 of a work that takes the CPU less time than finding out; of a large cluster */
  const double small = 28, functions = 4;

  if (mpf_engine_begin(engine, solver->options->domain, solver->domains, solver->count,
                       solver->fixed))
    return MPF_NO_MEMORY;
  engine->watch = solver->options->watch;
  if (solver->options->threshold >= 0)
    engine->threshold = solver->options->threshold;
  else if (solver->result->order.work >= small)
    engine->threshold = mpf_engine_calibrate(
        solver->options->domain, functions * exp2(solver->result->order.width), &solver->rate);
  engine->memory = solver->options->memory ? solver->options->memory : mpf_machine_memory();
  if (!solver->options->memory && engine->threshold < INFINITY &&
      mpf_device_memory() / 10 * 9 < engine->memory)
    engine->memory = mpf_device_memory() / 10 * 9;
  /* what comes down takes as much as what went up */
  engine->memory /= solver->options->marginals ? 2 : 1;
  solver->result->threshold = engine->threshold;
  bool ahead = solver->options->ahead && !engine->watch && engine->threshold < INFINITY;
  return ahead ? mpf_ahead_begin(engine, solver->options->ahead) : MPF_OK;
}

static int allocate(struct mpf_solver *solver)
{
  unsigned count = solver->count;

  solver->domains = calloc(count + 1, sizeof *solver->domains);
  solver->variables = calloc(count + 1, sizeof *solver->variables);
  solver->fixed = calloc(count + 1, sizeof *solver->fixed);
  solver->kept = calloc(count + 1, sizeof *solver->kept);
  solver->gone = calloc(count + 1, sizeof *solver->gone);
  solver->marks = calloc(count + 1, sizeof *solver->marks);
  solver->steps = calloc(count + 1, sizeof *solver->steps);
  if (!solver->domains || !solver->variables || !solver->fixed || !solver->kept || !solver->gone ||
      !solver->marks || !solver->steps)
    return MPF_NO_MEMORY;
  for (unsigned place = 0; place < count; place++) {
    solver->variables[place] = solver->result->order.variables[count - 1 - place];
    solver->domains[place] = solver->network->domains[solver->variables[place]];
    solver->fixed[place] = -1;
  }
  return MPF_OK;
}

/* log2 of the values of variables that no function has. */
static double free_variables(const struct mpf_network *network)
{
  bool *used = calloc(network->variable_count + 1, sizeof *used);
  double sum = 0;

  for (unsigned f = 0; used && f < network->function_count; f++)
    for (unsigned i = 0; i < network->functions[f].count; i++)
      used[network->functions[f].scope[i]] = true;
  for (unsigned v = 0; used && v < network->variable_count; v++)
    sum += used[v] ? 0 : log2(network->domains[v]);
  free(used);
  return sum;
}

/* What is to be expected, where it may take long. */
static int report_forecast(const struct mpf_solver *solver, const struct mpf_list *live)
{
  const double large = 26; /* log2 of the work */
  const double memory = (double)solver->engine.memory - (double)solver->engine.used;
  struct mpf_forecast whole, within;

  if (solver->options->quiet || solver->result->order.work < large) return MPF_OK;
  if (mpf_forecast(solver, live, INFINITY, &whole) || mpf_forecast(solver, live, memory, &within))
    return MPF_NO_MEMORY;
  fprintf(stderr, "mpf: forecast: tables of %.3g MB at once, %.3g FLOP", whole.bytes * 1e-6,
          whole.flop);
  if (within.conditions > 1)
    fprintf(stderr, "; in %.3g MB: %.0f conditions, %.3g FLOP", memory * 1e-6, within.conditions,
            within.flop);
  if (solver->rate > 0)
    fprintf(stderr, ", %.3g s at %.3g GFLOP/s", within.flop / solver->rate, solver->rate * 1e-9);
  fprintf(stderr, "\n");
  return MPF_OK;
}

static int run(struct mpf_solver *solver)
{
  struct mpf_list live = {0};
  unsigned *place_of = calloc(solver->network->variable_count + 1, sizeof *place_of);
  double log2_z = -INFINITY;
  int status = place_of ? MPF_OK : MPF_NO_MEMORY;

  for (unsigned place = 0; !status && place < solver->count; place++)
    place_of[solver->variables[place]] = place;
  for (unsigned f = 0; !status && f < solver->network->function_count; f++)
    status = add_function(solver, &solver->network->functions[f], place_of, &live);
  if (!status) status = report_forecast(solver, &live);
  if (!status && solver->options->marginals) status = mpf_marginals_begin(solver);
  if (!status) status = eliminate(solver, solver->count, 0, &live, &log2_z);
  if (!status && solver->options->marginals) mpf_marginals_end(solver);
  solver->result->log10_z = (log2_z + free_variables(solver->network)) * log10(2);
  free(live.items);
  free(place_of);
  return status;
}

/* The posteriors in a junction tree; MPF_TOO_LARGE: its tables do not fit. */
static int run_tree(struct mpf_solver *solver)
{
  struct mpf_result *result = solver->result;
  struct junction_tree tree;
  struct junction_outcome outcome;
  int status = junction_tree_build(solver->network, &result->order, &tree);

  if (status) return status;
  size_t memory =
      solver->engine.memory <= (size_t)-1 / 2 ? 2 * solver->engine.memory : solver->engine.memory;
  const struct junction_options options = {solver->options->domain, mpf_cpu_cores(),
                                           solver->engine.threshold, memory,
                                           solver->options->branches};
  if (!solver->options->quiet)
    fprintf(stderr, "mpf: junction tree of %u cliques, %.0f MB\n", tree.clique_count,
            junction_bytes(&tree) * 1e-6);
  status = mpf_marginals_begin(solver);
  if (!status)
    status = junction_posteriors(solver->network, &tree, &options, result->marginals, &outcome);
  if (!status) {
    result->tree = true;
    result->branches = outcome.branches;
    result->log10_z = (outcome.log2_z + free_variables(solver->network)) * log10(2);
    result->peak = outcome.peak;
    result->denormal = outcome.denormal;
    for (int where = 0; where < 2; where++) {
      result->flop[where] = outcome.flop[where];
      result->buckets[where] = outcome.cliques[where];
    }
    mpf_marginals_spread(solver);
  } else {
    mpf_marginals_forget(result);
  }
  junction_tree_free(&tree);
  return status;
}

static void count_work(struct mpf_solver *solver)
{
  struct mpf_result *result = solver->result;

  for (int where = 0; where < 2; where++) {
    result->flop[where] = solver->engine.flop[where];
    result->buckets[where] = solver->engine.buckets[where];
  }
  result->batches = solver->engine.batches;
  result->times = mpf_ahead_times(&solver->engine);
  result->peak = solver->engine.peak;
  result->denormal = solver->engine.denormal;
  result->vanished = solver->engine.vanished;
}

static void finish(struct mpf_solver *solver)
{
  for (unsigned i = 0; i < solver->tables.count; i++)
    mpf_table_free(&solver->engine, solver->tables.items[i]);
  for (unsigned place = 0; solver->steps && place < solver->count; place++)
    free(solver->steps[place].inputs);
  free(solver->steps);
  free(solver->tables.items);
  free(solver->domains);
  free(solver->variables);
  free(solver->fixed);
  free(solver->kept);
  free(solver->gone);
  free(solver->marks);
  mpf_engine_end(&solver->engine);
}

/* Sums that were begun took memory that one after another may do without. */
static int solve_again(const struct mpf_network *network, const struct mpf_options *options,
                       struct mpf_result *ret, struct mpf_error *error)
{
  struct mpf_options in_order = *options;

  in_order.ahead = 0;
  mpf_result_free(ret);
  return mpf_solve(network, &in_order, ret, error);
}

int mpf_solve(const struct mpf_network *network, const struct mpf_options *options,
              struct mpf_result *ret, struct mpf_error *error)
{
  struct mpf_solver solver = {
      .network = network, .options = options, .result = ret, .error = error, .share = 1};

  *ret = (struct mpf_result){.variable_count = network->variable_count};
  solver.started = solver.reported = seconds();
  int status = mpf_order_find(network, options->rule, options->tries, options->more_tries,
                              options->seed, &ret->order);
  solver.count = ret->order.count;
  if (!status && !options->quiet)
    fprintf(stderr,
            "mpf: %u variables, largest cluster 2^%.1f, work 2^%.1f, order found in %.1f s\n",
            solver.count, ret->order.width, ret->order.work, seconds() - solver.started);
  if (!status) status = allocate(&solver);
  if (!status) status = choose_engine(&solver);
  bool tree = !status && options->marginals && options->tree;
  if (tree) status = run_tree(&solver);
  if (!status && !ret->tree)
    status = run(&solver);
  else if (tree && status && !ret->tree)
    status = run(&solver); /* with conditions */
  if (!ret->tree) count_work(&solver);
  bool again = status && mpf_ahead_failed(&solver.engine);
  finish(&solver);
  if (again) return solve_again(network, options, ret, error);
  if (status == MPF_TOO_LARGE)
    snprintf(error->text, sizeof error->text,
             "a table does not fit into %.0f MB, whatever is conditioned: allow more with --memory",
             (double)solver.engine.memory * 1e-6);
  else if (status)
    snprintf(error->text, sizeof error->text, "out of memory");
  if (status) mpf_result_free(ret);
  return status ? -1 : 0;
}

void mpf_result_free(struct mpf_result *result)
{
  mpf_marginals_forget(result);
  mpf_order_free(&result->order);
  *result = (struct mpf_result){0};
}
