/* order.c - elimination orders by greedy rules with random restarts.
 *
 * The graph has an edge between two variables of one scope. A variable goes with its edges, and its
 * neighbours are joined with each other: its cluster is a bucket of the computation. Rows of the
 * graph are bit sets; the cost of a variable is computed again where its neighbourhood has changed.
 */
#include "order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct graph {
  unsigned count, words; /* variables; 64-bit words of a row */
  const unsigned *domains;
  uint64_t *rows;     /* [variable * words] */
  double *cost;       /* by variable */
  bool *left, *stale; /* not eliminated yet; cost to be computed again */
};

static uint64_t *row_of(const struct graph *graph, unsigned variable)
{
  return graph->rows + (size_t)variable * graph->words;
}

static bool graph_alloc(struct graph *graph, const struct mpf_network *network)
{
  graph->count = network->variable_count;
  graph->words = (graph->count + 63) / 64;
  graph->domains = network->domains;
  graph->rows = calloc((size_t)graph->count * graph->words + 1, sizeof *graph->rows);
  graph->cost = calloc(graph->count + 1, sizeof *graph->cost);
  graph->left = calloc(graph->count + 1, sizeof *graph->left);
  graph->stale = calloc(graph->count + 1, sizeof *graph->stale);
  return graph->rows && graph->cost && graph->left && graph->stale;
}

static void graph_free(struct graph *graph)
{
  free(graph->rows);
  free(graph->cost);
  free(graph->left);
  free(graph->stale);
}

static void graph_build(struct graph *graph, const struct mpf_network *network)
{
  memset(graph->rows, 0, (size_t)graph->count * graph->words * sizeof *graph->rows);
  memset(graph->left, 0, graph->count * sizeof *graph->left);
  for (unsigned f = 0; f < network->function_count; f++) {
    const struct mpf_function *function = &network->functions[f];
    for (unsigned i = 0; i < function->count; i++) {
      unsigned a = function->scope[i];
      graph->left[a] = graph->domains[a] > 1;
      for (unsigned k = 0; k < function->count; k++) {
        unsigned b = function->scope[k];
        if (a != b && graph->domains[a] > 1 && graph->domains[b] > 1)
          row_of(graph, a)[b / 64] |= UINT64_C(1) << b % 64;
      }
    }
  }
  memcpy(graph->stale, graph->left, graph->count * sizeof *graph->left);
}

/* ---- costs ---- */

/* Calls `body` with `at` for each neighbour of a variable. */
#define EACH_NEIGHBOUR(graph, variable, at) \
  for (unsigned word_ = 0; word_ < (graph)->words; word_++) \
    for (uint64_t bits_ = row_of(graph, variable)[word_]; bits_; bits_ &= bits_ - 1) \
      for (unsigned at = word_ * 64 + (unsigned)__builtin_ctzll(bits_), once_ = 1; once_; once_ = 0)

static double log2_cluster(const struct graph *graph, unsigned variable)
{
  double size = log2(graph->domains[variable]);

  EACH_NEIGHBOUR(graph, variable, other)
  size += log2(graph->domains[other]);
  return size;
}

/* Pairs of neighbours that are not neighbours of each other. */
static double fill_of(const struct graph *graph, unsigned variable)
{
  const uint64_t *row = row_of(graph, variable);
  unsigned missing = 0;

  EACH_NEIGHBOUR(graph, variable, other)
  {
    const uint64_t *theirs = row_of(graph, other);
    for (unsigned w = 0; w < graph->words; w++)
      missing += (unsigned)__builtin_popcountll(row[w] & ~theirs[w]);
    missing--; /* itself */
  }
  return missing / 2;
}

/* The same, with the product of both domains for each pair. */
static double weighted_fill_of(const struct graph *graph, unsigned variable)
{
  const uint64_t *row = row_of(graph, variable);
  double missing = 0;

  EACH_NEIGHBOUR(graph, variable, other)
  {
    const uint64_t *theirs = row_of(graph, other);
    double weight = 0;
    for (unsigned w = 0; w < graph->words; w++)
      for (uint64_t bits = row[w] & ~theirs[w]; bits; bits &= bits - 1)
        weight += graph->domains[w * 64 + (unsigned)__builtin_ctzll(bits)];
    missing += (weight - graph->domains[other]) * graph->domains[other]; /* without itself */
  }
  return missing / 2;
}

static void update_cost(struct graph *graph, enum mpf_order_rule rule, unsigned variable)
{
  double cluster = log2_cluster(graph, variable);

  if (rule == MPF_ORDER_FILL)
    graph->cost[variable] = fill_of(graph, variable) + cluster / 1024;
  else if (rule == MPF_ORDER_EDGES)
    graph->cost[variable] = log2(1 + weighted_fill_of(graph, variable)) + cluster / 1024;
  else
    graph->cost[variable] = cluster;
  graph->stale[variable] = false;
}

/* ---- elimination ---- */

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* The cheapest variable, or with `slack` any one that costs little more. */
static unsigned choose(struct graph *graph, enum mpf_order_rule rule, double slack,
                       uint64_t *random)
{
  double least = INFINITY;
  unsigned chosen = 0, ties = 0;

  for (unsigned v = 0; v < graph->count; v++) {
    if (!graph->left[v]) continue;
    if (graph->stale[v]) update_cost(graph, rule, v);
    if (graph->cost[v] < least) least = graph->cost[v];
  }
  for (unsigned v = 0; v < graph->count; v++)
    if (graph->left[v] && graph->cost[v] <= least + slack && next_random(random) % ++ties == 0)
      chosen = v;
  return chosen;
}

static void eliminate(struct graph *graph, unsigned variable)
{
  const uint64_t *row = row_of(graph, variable);

  EACH_NEIGHBOUR(graph, variable, other)
  {
    uint64_t *theirs = row_of(graph, other);
    for (unsigned w = 0; w < graph->words; w++) theirs[w] |= row[w];
    theirs[variable / 64] &= ~(UINT64_C(1) << variable % 64);
    theirs[other / 64] &= ~(UINT64_C(1) << other % 64);
    graph->stale[other] = true;
  }
  EACH_NEIGHBOUR(graph, variable, near)
  { /* an edge may have come between two of its neighbours */
    for (unsigned w = 0; w < graph->words; w++)
      for (uint64_t bits = row_of(graph, near)[w]; bits; bits &= bits - 1)
        graph->stale[w * 64 + (unsigned)__builtin_ctzll(bits)] = true;
  }
  graph->left[variable] = false;
}

/* One order into `ret->variables`; gives up as soon as it is worse than `limit`. */
static bool try_order(struct graph *graph, enum mpf_order_rule rule, double slack, double limit,
                      uint64_t *random, struct mpf_order *ret)
{
  double work = 0;

  ret->count = 0;
  ret->width = 0;
  for (unsigned v = 0; v < graph->count; v++) ret->count += graph->left[v];
  for (unsigned i = 0; i < ret->count; i++) {
    unsigned variable = choose(graph, rule, slack, random);
    double size = log2_cluster(graph, variable);
    work += exp2(size);
    if (work >= limit) return false;
    if (size > ret->width) ret->width = size;
    ret->variables[i] = variable;
    eliminate(graph, variable);
  }
  ret->work = work;
  return true;
}

/* As many tries as the best work so far deserves. */
static double enough_tries(unsigned tries, bool more, double work)
{
  const double much = 1 << 26, most = 50; /* entries of all clusters; times */
  double times = more ? work / much : 1;

  return tries * (times < 1 ? 1 : times > most ? most : times);
}

int mpf_order_find(const struct mpf_network *network, enum mpf_order_rule rule, unsigned tries,
                   bool more, uint64_t seed, struct mpf_order *ret)
{
  static const double slacks[] = {0, 0, 1, 0.3};
  static const enum mpf_order_rule in_turn[] = {MPF_ORDER_EDGES, MPF_ORDER_FILL, MPF_ORDER_EDGES,
                                                MPF_ORDER_WEIGHT};
  enum { TURNS = sizeof in_turn / sizeof *in_turn };
  struct graph graph = {0};
  struct mpf_order order = {0};
  uint64_t random = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
  double best = INFINITY;

  *ret = order;
  order.variables = calloc(network->variable_count + 1, sizeof *order.variables);
  ret->variables = calloc(network->variable_count + 1, sizeof *ret->variables);
  int status = graph_alloc(&graph, network) && order.variables && ret->variables ? 0 : -1;
  for (unsigned i = 0;
       !status && i < enough_tries(tries ? tries : 1, more && best < INFINITY, best); i++) {
    enum mpf_order_rule one = rule == MPF_ORDER_RULE_COUNT ? in_turn[i % TURNS] : rule;
    unsigned turn = rule == MPF_ORDER_RULE_COUNT ? i / TURNS : i;
    graph_build(&graph, network);
    if (!try_order(&graph, one, turn ? slacks[turn % 4] : 0, best, &random, &order)) continue;
    best = order.work;
    struct mpf_order swap = *ret;
    *ret = order;
    order = swap;
  }
  ret->work = best > 0 ? log2(best) : 0;
  graph_free(&graph);
  free(order.variables);
  if (status) mpf_order_free(ret);
  return status;
}

void mpf_order_free(struct mpf_order *order)
{
  free(order->variables);
  *order = (struct mpf_order){0};
}
