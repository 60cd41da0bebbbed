/* marginals.c - posteriors without a junction tree, whose tables need not all be there at once:
 * messages go down the tree of buckets that elimination went up.
 *
 * What a bucket's variables are worth outside of it comes down from the bucket that its sum went
 * to: the product of all that is there except this sum, summed over the variables that the sum does
 * not have. A variable's posterior is the product of all inputs of its bucket and what came down,
 * summed over all other variables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver.h"

int mpf_marginals_begin(struct mpf_solver *solver)
{
  const struct mpf_network *network = solver->network;
  double **marginals = calloc(network->variable_count + 1, sizeof *marginals);

  solver->result->marginals = marginals;
  if (!marginals) return MPF_NO_MEMORY;
  for (unsigned v = 0; v < network->variable_count; v++) {
    marginals[v] =
        network->domains[v] > 1 ? malloc(network->domains[v] * sizeof **marginals) : NULL;
    if (network->domains[v] > 1 && !marginals[v]) return MPF_NO_MEMORY;
    for (unsigned k = 0; marginals[v] && k < network->domains[v]; k++) marginals[v][k] = -INFINITY;
  }
  return MPF_OK;
}

void mpf_marginals_end(struct mpf_solver *solver)
{
  for (unsigned v = 0; v < solver->network->variable_count; v++) {
    double *marginal = solver->result->marginals[v], all = -INFINITY;
    unsigned domain = solver->network->domains[v];
    for (unsigned k = 0; marginal && k < domain; k++) all = mpf_add_log2(all, marginal[k]);
    /* a variable that no function has: all values alike */
    for (unsigned k = 0; marginal && k < domain; k++)
      marginal[k] = all == -INFINITY ? 1.0 / domain : exp2(marginal[k] - all);
  }
}

void mpf_marginals_spread(struct mpf_solver *solver)
{
  for (unsigned v = 0; v < solver->network->variable_count; v++) {
    double *marginal = solver->result->marginals[v];
    for (unsigned k = 0; marginal && k < solver->network->domains[v]; k++)
      marginal[k] = marginal[k] == -INFINITY ? 1.0 / solver->network->domains[v] : marginal[k];
  }
}

void mpf_marginals_forget(struct mpf_result *result)
{
  for (unsigned v = 0; result->marginals && v < result->variable_count; v++)
    free(result->marginals[v]);
  free(result->marginals);
  result->marginals = NULL;
}

/* The inputs of a bucket but one, and what came down to it. */
static unsigned collect(const struct mpf_step *step, const struct mpf_table *except,
                        struct mpf_table *down, struct mpf_table **ret)
{
  unsigned count = 0;

  for (unsigned i = 0; i < step->count; i++)
    if (step->inputs[i] != except) ret[count++] = step->inputs[i];
  if (down) ret[count++] = down;
  return count;
}

static double log2_value(const struct mpf_solver *solver, const struct mpf_table *table, size_t i)
{
  return solver->engine.domain == MPF_LINEAR ? log2(table->values[i]) : table->values[i];
}

static int add_posterior(struct mpf_solver *solver, unsigned place, struct mpf_table *down,
                         struct mpf_table **inputs, double log2_weight)
{
  struct mpf_table *belief = NULL;
  unsigned count = collect(&solver->steps[place], NULL, down, inputs);
  double *marginal = solver->result->marginals[solver->variables[place]], all = -INFINITY;

  memset(solver->kept, 0, solver->count);
  solver->kept[place] = true;
  int status = mpf_engine_sum(&solver->engine, count, inputs, solver->kept, &belief);
  if (!status) status = mpf_engine_await(&solver->engine, belief);
  for (unsigned k = 0; !status && k < solver->domains[place]; k++)
    all = mpf_add_log2(all, log2_value(solver, belief, k));
  for (unsigned k = 0; !status && all > -INFINITY && k < solver->domains[place]; k++)
    marginal[k] = mpf_add_log2(marginal[k], log2_value(solver, belief, k) - all + log2_weight);
  mpf_table_free(&solver->engine, belief);
  return status;
}

/* What goes down to the bucket that the input `sum` came from. */
static int send_down(struct mpf_solver *solver, unsigned place, struct mpf_table *down,
                     const struct mpf_table *sum, struct mpf_table **inputs, struct mpf_table **ret)
{
  unsigned count = collect(&solver->steps[place], sum, down, inputs);

  memset(solver->kept, 0, solver->count);
  for (unsigned i = 0; i < sum->count; i++) solver->kept[sum->places[i]] = true;
  return count ? mpf_engine_sum(&solver->engine, count, inputs, solver->kept, ret) : MPF_OK;
}

static int visit(struct mpf_solver *solver, unsigned place, struct mpf_table **down,
                 double log2_weight)
{
  struct mpf_step *step = &solver->steps[place];
  struct mpf_table **inputs = malloc((step->count + 2) * sizeof *inputs);
  int status =
      inputs ? add_posterior(solver, place, down[place], inputs, log2_weight) : MPF_NO_MEMORY;

  for (unsigned i = 0; !status && i < step->count; i++)
    if (step->inputs[i]->origin != MPF_NO_ORIGIN)
      status = send_down(solver, place, down[place], step->inputs[i], inputs,
                         &down[step->inputs[i]->origin]);
  free(inputs);
  return status;
}

int mpf_marginals_add(struct mpf_solver *solver, double log2_weight)
{
  struct mpf_table **down = calloc(solver->count + 1, sizeof *down);
  int status = down ? MPF_OK : MPF_NO_MEMORY;
  size_t memory = solver->engine.memory;

  /* the half that elimination has left */
  solver->engine.memory = memory <= (size_t)-1 / 2 ? 2 * memory : memory;

  for (unsigned place = 0; !status && place < solver->count; place++) {
    if (solver->fixed[place] >= 0) {
      double *weight = &solver->result->marginals[solver->variables[place]][solver->fixed[place]];
      *weight = mpf_add_log2(*weight, log2_weight);
      continue;
    }
    status = visit(solver, place, down, log2_weight);
    mpf_table_free(&solver->engine, down[place]);
    down[place] = NULL;
  }
  for (unsigned place = 0; down && place < solver->count; place++)
    mpf_table_free(&solver->engine, down[place]);
  free(down);
  solver->engine.memory = memory;
  return status;
}
