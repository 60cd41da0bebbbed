/* posterior.c - two-phase propagation (Hugin) by the three primitives.
 *
 * Collect, from the leaves to the root: a clique's table is the product of its functions and of
 * what its children sent; its sum over what the parent has not is what it sends. Distribute, from
 * the root to the leaves: a clique's table is summed onto the separators of its children, divided
 * by what they sent, and the quotient multiplied into theirs; its sum onto a single variable is the
 * variable's posterior. Sums are scaled by powers of two that bring their largest value near 1.
 * Small cliques are on the CPU, large ones on the device. */
#include "posterior.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "branches.h"
#include "cpu.h"
#include "primitives.h"

enum { DEVICE_FAN_IN = 64, CPU_FAN_IN = 256, LEAST_ON_DEVICE = 1024, READ_BY_HOST = 4096 };

struct node { /* a clique at work */
  bool device;
  real *values;  /* its table; owned */
  real *factors; /* functions, then what children sent, then what is sent to them; owned */
  size_t factor_size;
  size_t messages; /* where the children's part starts */
  size_t message_size;
  size_t place; /* in the factors of the parent, of what this one sent */
  /* what its visits find, of the outcome: they may be at the same time as others */
  double log2_z;
  size_t denormal;
};

struct propagation {
  const struct mpf_network *network;
  const struct junction_tree *tree;
  const struct junction_options *options;
  struct junction_outcome *outcome;
  double **posteriors;
  struct node *nodes; /* by clique; owned */
  double *cost;       /* by clique; owned */
  size_t used;        /* bytes of tables; of the lock, and so is the outcome's peak */
  pthread_mutex_t lock;
};

double junction_bytes(const struct junction_tree *tree)
{
  return (1.5 * tree->size + 3 * tree->separators) * sizeof(real);
}

/* ---- memory ---- */

static real *acquire(struct propagation *work, bool device, size_t count)
{
  real *memory = device ? junction_device_alloc(count) : malloc((count + 1) * sizeof *memory);

  pthread_mutex_lock(&work->lock);
  work->used += memory ? count * sizeof *memory : 0;
  if (work->used > work->outcome->peak) work->outcome->peak = work->used;
  pthread_mutex_unlock(&work->lock);
  return memory;
}

static void release(struct propagation *work, bool device, real **memory, size_t count)
{
  if (!*memory) return;
  pthread_mutex_lock(&work->lock);
  work->used -= count * sizeof **memory;
  pthread_mutex_unlock(&work->lock);
  if (device)
    junction_device_free(*memory);
  else
    free(*memory);
  *memory = NULL;
}

static int missing(const struct node *node)
{
  return node->device ? JUNCTION_TOO_LARGE : JUNCTION_NO_MEMORY;
}

static size_t table_size(const struct junction_clique *clique)
{
  return junction_shape_size(&clique->shape, junction_shape_all(&clique->shape));
}

static double flop_of(const struct junction_clique *clique)
{
  return (double)table_size(clique) * (2.0 * clique->child_count + clique->function_count + 2);
}

/* ---- the primitives where the clique is ---- */

static int marginalise(struct propagation *work, const struct node *node,
                       const struct junction_shape *shape, unsigned count, const uint64_t *kept,
                       struct junction_marginal *plan, real **ret)
{
  enum mpf_domain domain = work->options->domain;

  *ret = NULL;
  if (junction_marginal_plan(shape, count, kept, node->device ? DEVICE_FAN_IN : CPU_FAN_IN, plan))
    return JUNCTION_NO_MEMORY;
  *ret = acquire(work, node->device, plan->scratch);
  if (!*ret) return missing(node);
  if (!node->device)
    return junction_cpu_marginalise(plan, domain, work->options->threads, node->values, *ret);
  struct junction_device_marginal *device = junction_device_marginal(plan);
  if (!device) return JUNCTION_TOO_LARGE;
  junction_device_marginalise(device, domain, node->values, *ret);
  junction_device_wait();
  junction_device_marginal_release(device);
  return JUNCTION_OK;
}

static void forget_sums(struct propagation *work, const struct node *node,
                        struct junction_marginal *plan, real **scratch)
{
  release(work, node->device, scratch, plan->scratch);
  junction_marginal_free(plan);
}

static int multiply(struct propagation *work, const struct node *node,
                    const struct junction_shape *shape, unsigned count, const uint64_t *scopes,
                    const real *factors, bool fresh)
{
  enum mpf_domain domain = work->options->domain;
  struct junction_extend plan;
  int status = JUNCTION_OK;

  if (junction_extend_plan(shape, count, scopes, &plan)) return JUNCTION_TOO_LARGE;
  if (node->device) {
    struct junction_device_extend *device = junction_device_extend(&plan);
    status = device ? JUNCTION_OK : JUNCTION_TOO_LARGE;
    if (!status) junction_device_multiply(device, domain, factors, fresh, node->values);
    junction_device_wait();
    junction_device_extend_release(device);
  } else if (junction_cpu_multiply(&plan, domain, work->options->threads, factors, fresh,
                                   node->values)) {
    status = JUNCTION_NO_MEMORY;
  }
  junction_extend_free(&plan);
  return status;
}

static void scale(bool device, real *to, const real *from, size_t count, enum mpf_domain domain,
                  int exponent)
{
  real factor = (real)ldexp(1, exponent);

  if (device)
    junction_device_scale(to, from, count, domain, exponent);
  else
    for (size_t i = 0; i < count; i++)
      to[i] = domain == MPF_LINEAR ? from[i] * factor : from[i] + (real)exponent;
}

static real largest_of(struct propagation *work, bool device, const real *values, size_t count,
                       size_t *denormal)
{
  const real smallest = sizeof(real) == sizeof(float) ? (real)FLT_MIN : (real)DBL_MIN;
  enum mpf_domain domain = work->options->domain;
  real most = domain == MPF_LINEAR ? 0 : -INFINITY;

  if (device && count > READ_BY_HOST && junction_device_largest(values, count, domain, &most))
    return most;
  if (device) junction_device_wait();
  for (size_t i = 0; i < count; i++) {
    most = values[i] > most ? values[i] : most;
    *denormal += domain == MPF_LINEAR && values[i] > 0 && values[i] < smallest;
  }
  return most;
}

/* to = from * 2^-e with its largest value near 1; e. `device`: both are there. What is too small
 * to be precise is counted in `denormal`. */
static int normalise(struct propagation *work, bool device, real *to, const real *from,
                     size_t count, size_t *denormal)
{
  enum mpf_domain domain = work->options->domain;
  const int step_limit = 100; /* a factor of 2^127 and more needs two steps */
  real most = largest_of(work, device, from, count, denormal);
  int exponent = 0;

  if (domain == MPF_LINEAR)
    frexp(most, &exponent);
  else if (most > -INFINITY)
    exponent = (int)floor(most);
  int left = exponent, step = left > step_limit    ? step_limit
                              : left < -step_limit ? -step_limit
                                                   : left;
  scale(device, to, from, count, domain, -step);
  for (left -= step; left; left -= step) {
    step = left > step_limit ? step_limit : left < -step_limit ? -step_limit : left;
    scale(device, to, to, count, domain, -step);
  }
  if (device) junction_device_wait();
  return exponent;
}

/* Numbers from one clique's memory to another's. The host may read and write both kinds. */
static void hand_over(bool device, real *to, const real *from, size_t count, enum mpf_domain domain)
{
  if (device)
    junction_device_scale(to, from, count, domain, 0);
  else
    memcpy(to, from, count * sizeof *to);
}

/* ---- functions ---- */

static uint64_t scope_of(const struct junction_clique *clique, const struct mpf_function *function)
{
  uint64_t digits = 0;

  for (unsigned i = 0; i < clique->shape.count; i++)
    for (unsigned k = 0; k < function->count; k++)
      digits |= (uint64_t)(clique->variables[i] == function->scope[k]) << i;
  return digits;
}

/* Where each of the clique's digits that the function has is in the function's table. */
static unsigned function_axes(const struct junction_clique *clique,
                              const struct mpf_network *network,
                              const struct mpf_function *function, struct junction_axis *ret)
{
  unsigned count = 0;

  for (unsigned i = 0; i < clique->shape.count; i++) {
    size_t stride = 1;
    for (unsigned k = function->count; k-- > 0; stride *= network->domains[function->scope[k]])
      if (function->scope[k] == clique->variables[i])
        ret[count++] = (struct junction_axis){clique->shape.sizes[i], stride};
  }
  return count;
}

static double largest_value(const struct mpf_function *function)
{
  double most = 0;

  for (size_t i = 0; i < function->size; i++)
    most = function->values[i] > most ? function->values[i] : most;
  return most;
}

/* A function's values in the order of the clique's digits, the largest one 1. */
static int write_function(struct propagation *work, const struct junction_clique *clique,
                          const struct mpf_function *function, real *ret, double *log2_z)
{
  struct junction_axis axes[JUNCTION_MOST_DIGITS];
  unsigned count = function_axes(clique, work->network, function, axes);
  long long *places = malloc(function->size * sizeof *places);
  double most = largest_value(function);

  if (!places) return JUNCTION_NO_MEMORY;
  junction_enumerate(count, axes, 0, places);
  for (size_t i = 0; i < function->size; i++) {
    double value = most > 0 ? function->values[places[i]] / most : 0;
    ret[i] = (real)(work->options->domain == MPF_LINEAR ? value : log2(value));
  }
  *log2_z += most > 0 ? log2(most) : -INFINITY;
  free(places);
  return JUNCTION_OK;
}

/* ---- collect ---- */

/* Memory for what is multiplied into each clique. */
static int prepare(struct propagation *work)
{
  for (unsigned c = 0; c < work->tree->clique_count; c++) {
    const struct junction_clique *clique = &work->tree->cliques[c];
    struct node *node = &work->nodes[c];
    node->device = table_size(clique) >= (work->options->threshold > 0 ? LEAST_ON_DEVICE : 1) &&
                   flop_of(clique) >= work->options->threshold;
    for (unsigned k = 0; k < clique->function_count; k++)
      node->messages += work->network->functions[clique->functions[k]].size;
    for (unsigned k = 0; k < clique->child_count; k++) {
      const struct junction_clique *child = &work->tree->cliques[clique->children[k]];
      work->nodes[clique->children[k]].place = node->messages + node->message_size;
      node->message_size += junction_shape_size(&child->shape, child->separator);
    }
    node->factor_size = node->messages + node->message_size;
    node->factors = acquire(work, node->device, node->factor_size);
    if (!node->factors) return missing(node);
    work->cost[c] = flop_of(clique);
    work->outcome->flop[node->device] += work->cost[c];
    work->outcome->cliques[node->device]++;
  }
  return JUNCTION_OK;
}

/* The clique's table from its functions and what came from its children. */
static int fill(struct propagation *work, unsigned c)
{
  const struct junction_clique *clique = &work->tree->cliques[c];
  struct node *node = &work->nodes[c];
  uint64_t *scopes = calloc(clique->function_count + clique->child_count + 1, sizeof *scopes);
  unsigned count = 0;
  size_t at = 0, size = table_size(clique);
  int status = scopes ? JUNCTION_OK : JUNCTION_NO_MEMORY;

  for (unsigned k = 0; !status && k < clique->function_count; k++) {
    const struct mpf_function *function = &work->network->functions[clique->functions[k]];
    scopes[count++] = scope_of(clique, function);
    status = write_function(work, clique, function, node->factors + at, &node->log2_z);
    at += function->size;
  }
  for (unsigned k = 0; !status && k < clique->child_count; k++)
    scopes[count++] = work->tree->cliques[clique->children[k]].above;
  if (!status && !(node->values = acquire(work, node->device, size))) status = missing(node);
  if (!status) status = multiply(work, node, &clique->shape, count, scopes, node->factors, true);
  if (!status && work->options->domain == MPF_LINEAR)
    node->log2_z +=
        normalise(work, node->device, node->values, node->values, size, &node->denormal);
  free(scopes);
  return status;
}

/* The sum onto the parent's separator goes to the parent; that of the root is the rest of Z. */
static int send_up(struct propagation *work, unsigned c)
{
  const struct junction_clique *clique = &work->tree->cliques[c];
  struct node *node = &work->nodes[c],
              *parent = clique->parent == JUNCTION_NO_PARENT ? NULL : &work->nodes[clique->parent];
  enum mpf_domain domain = work->options->domain;
  struct junction_marginal plan = {0};
  uint64_t kept = parent ? clique->separator : 0;
  real *sums;
  int status = marginalise(work, node, &clique->shape, 1, &kept, &plan, &sums);

  if (!status && parent) {
    real *to = parent->factors + node->place;
    size_t size = plan.result_size;
    node->log2_z += normalise(work, node->device, node->device && !parent->device ? sums : to, sums,
                              size, &node->denormal);
    if (node->device && !parent->device) hand_over(false, to, sums, size, domain);
  } else if (!status) {
    node->log2_z += domain == MPF_LINEAR ? log2(sums[0]) : sums[0];
  }
  forget_sums(work, node, &plan, &sums);
  return status;
}

/* ---- distribute ---- */

static void write_posterior(struct propagation *work, unsigned variable, const real *sums,
                            size_t count)
{
  double most = -INFINITY, all = 0, *ret = work->posteriors[variable];

  for (size_t k = 0; k < count; k++) most = fmax(most, (double)sums[k]);
  for (size_t k = 0; k < count; k++) {
    ret[k] =
        work->options->domain == MPF_LINEAR ? (double)sums[k] / most : exp2((double)sums[k] - most);
    all += ret[k];
  }
  for (size_t k = 0; k < count; k++) ret[k] /= all;
}

/* Multiplies what the parent sends, at `quotients`, into a child's table. */
static int receive(struct propagation *work, unsigned c, bool from_device, real *quotients)
{
  const struct junction_clique *clique = &work->tree->cliques[c];
  struct node *node = &work->nodes[c];
  size_t size = junction_shape_size(&clique->shape, clique->separator);
  real *copy = NULL;

  normalise(work, from_device, quotients, quotients, size, &node->denormal);
  if (node->device && !from_device) {
    copy = acquire(work, true, size);
    if (!copy) return JUNCTION_TOO_LARGE;
    hand_over(false, copy, quotients, size, work->options->domain);
  }
  int status =
      multiply(work, node, &clique->shape, 1, &clique->separator, copy ? copy : quotients, false);
  release(work, true, &copy, size);
  return status;
}

static void divide(struct propagation *work, const struct node *node, const real *sums)
{
  real *messages = node->factors + node->messages;

  if (node->device)
    junction_device_divide(work->options->domain, sums, messages, node->message_size, messages);
  else
    junction_cpu_divide(work->options->domain, sums, messages, node->message_size, messages);
}

/* The sets that a clique is summed onto: its children's separators, then the variables whose
 * posteriors it gives. */
static unsigned collect_targets(const struct propagation *work, unsigned c, uint64_t *ret)
{
  const struct junction_clique *clique = &work->tree->cliques[c];
  unsigned count = 0;

  for (unsigned k = 0; k < clique->child_count; k++)
    ret[count++] = work->tree->cliques[clique->children[k]].above;
  for (unsigned i = 0; i < clique->shape.count; i++)
    if (work->tree->home[clique->variables[i]] == c) ret[count++] = UINT64_C(1) << i;
  return count;
}

static int send_down(struct propagation *work, unsigned c)
{
  const struct junction_clique *clique = &work->tree->cliques[c];
  struct node *node = &work->nodes[c];
  uint64_t *targets = calloc(clique->child_count + clique->shape.count + 1, sizeof *targets);
  struct junction_marginal plan = {0};
  real *sums = NULL;
  int status = targets ? JUNCTION_OK : JUNCTION_NO_MEMORY;
  unsigned count = targets ? collect_targets(work, c, targets) : 0, next = clique->child_count;

  if (!status && count)
    status = marginalise(work, node, &clique->shape, count, targets, &plan, &sums);
  for (unsigned i = 0; !status && i < clique->shape.count; i++)
    if (work->tree->home[clique->variables[i]] == c)
      write_posterior(work, clique->variables[i], sums + plan.results[next++],
                      clique->shape.sizes[i]);
  if (!status && clique->child_count) divide(work, node, sums);
  if (count) forget_sums(work, node, &plan, &sums);
  release(work, node->device, &node->values, table_size(clique));
  for (unsigned k = 0; !status && k < clique->child_count; k++)
    status = receive(work, clique->children[k], node->device,
                     node->factors + work->nodes[clique->children[k]].place);
  free(targets);
  return status;
}

/* ---- both phases ---- */

static void finish(struct propagation *work)
{
  for (unsigned c = 0; work->nodes && c < work->tree->clique_count; c++) {
    struct node *node = &work->nodes[c];
    release(work, node->device, &node->values, table_size(&work->tree->cliques[c]));
    release(work, node->device, &node->factors, node->factor_size);
  }
  free(work->nodes);
  free(work->cost);
  pthread_mutex_destroy(&work->lock);
}

static int visit_up(void *context, unsigned c)
{
  struct propagation *work = context;
  int status = fill(work, c);

  return status ? status : send_up(work, c);
}

static int visit_down(void *context, unsigned c) { return send_down(context, c); }

/* In the order of the tree, so that the sum does not depend on which clique was first. */
static double sum_log2_z(const struct propagation *work)
{
  double log2_z = 0;

  for (unsigned c = work->tree->clique_count; c-- > 0;) log2_z += work->nodes[c].log2_z;
  return log2_z;
}

/* Branches at once where what they save is more than their threads take; large cliques of the CPU
 * have all cores for themselves already. */
static unsigned choose_branches(const struct propagation *work)
{
  const double flop_ns = 1, thread_ns = 2e5;
  double all = 0, critical = junction_walk_critical(work->tree, work->cost);

  if (work->options->branches) return work->options->branches;
  for (unsigned c = 0; c < work->tree->clique_count; c++) all += work->cost[c];
  unsigned threads = work->options->threads;
  double share = critical > 1.0 / threads ? critical : 1.0 / threads;
  return all * flop_ns * (1 - share) > thread_ns * threads ? threads : 1;
}

static int propagate(struct propagation *work)
{
  struct junction_outcome *outcome = work->outcome;
  struct junction_walk walk = {work->tree, false, work->cost, visit_up, work};

  outcome->branches = choose_branches(work);
  int status = junction_walk(&walk, outcome->branches);
  outcome->log2_z += sum_log2_z(work);
  walk.down = true;
  walk.visit = visit_down;
  if (!status && outcome->log2_z > -INFINITY) status = junction_walk(&walk, outcome->branches);
  for (unsigned c = 0; c < work->tree->clique_count; c++)
    outcome->denormal += work->nodes[c].denormal;
  return status;
}

int junction_posteriors(const struct mpf_network *network, const struct junction_tree *tree,
                        const struct junction_options *options, double **posteriors,
                        struct junction_outcome *ret)
{
  struct propagation work = {.network = network,
                             .tree = tree,
                             .options = options,
                             .outcome = ret,
                             .posteriors = posteriors};

  *ret = (struct junction_outcome){0};
  if (junction_bytes(tree) > (double)options->memory) return JUNCTION_TOO_LARGE;
  work.nodes = calloc(tree->clique_count + 1, sizeof *work.nodes);
  work.cost = calloc(tree->clique_count + 1, sizeof *work.cost);
  pthread_mutex_init(&work.lock, NULL);
  int status = work.nodes && work.cost ? JUNCTION_OK : JUNCTION_NO_MEMORY;
  for (unsigned f = 0; f < network->function_count; f++)
    if (!network->functions[f].count) ret->log2_z += log2(network->functions[f].values[0]);
  if (!status) status = prepare(&work);
  if (!status) status = propagate(&work);
  finish(&work);
  return status;
}
