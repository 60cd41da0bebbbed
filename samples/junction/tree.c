/* tree.c - junction trees from elimination orders.
 *
 * Example: functions over (a, b), (b, c), (b, d) and the order a, c, d, b have the clusters {a, b},
 * {c, b}, {d, b}, {b}. The last one is part of the others; the tree is {a, b} - {c, b}, {a, b} -
 * {d, b} with the separators {b}. Sets are bit sets over positions in the order. */
#include "tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct clusters { /* by position in the order */
  unsigned count, words;
  uint64_t *rows; /* [position * words]: the cluster, then the set of its clique */
  /* position -> position whose cluster contains this one's; itself where it is maximal */
  unsigned *clique_of;
  unsigned *position; /* of each variable; count: none */
};

static uint64_t *row_of(const struct clusters *clusters, unsigned i)
{
  return clusters->rows + (size_t)i * clusters->words;
}

static bool has(const uint64_t *row, unsigned i) { return row[i / 64] >> i % 64 & 1; }

static void add(uint64_t *row, unsigned i) { row[i / 64] |= UINT64_C(1) << i % 64; }

static unsigned count_of(const uint64_t *row, unsigned words)
{
  unsigned count = 0;

  for (unsigned w = 0; w < words; w++) count += (unsigned)__builtin_popcountll(row[w]);
  return count;
}

/* The first member of a set behind position `from`; `end` where there is none. */
static unsigned next_member(const uint64_t *row, unsigned from, unsigned end)
{
  while (from < end && !has(row, from)) from++;
  return from;
}

/* ---- triangulation ---- */

static int clusters_alloc(struct clusters *clusters, const struct mpf_network *network,
                          const struct mpf_order *order)
{
  clusters->count = order->count;
  clusters->words = order->count / 64 + 1;
  clusters->rows = calloc((size_t)order->count * clusters->words + 1, sizeof *clusters->rows);
  clusters->clique_of = calloc(order->count + 1, sizeof *clusters->clique_of);
  clusters->position = malloc((network->variable_count + 1) * sizeof *clusters->position);
  if (!clusters->rows || !clusters->clique_of || !clusters->position) return JUNCTION_NO_MEMORY;
  for (unsigned v = 0; v < network->variable_count; v++) clusters->position[v] = order->count;
  for (unsigned i = 0; i < order->count; i++) clusters->position[order->variables[i]] = i;
  return JUNCTION_OK;
}

static void clusters_free(struct clusters *clusters)
{
  free(clusters->rows);
  free(clusters->clique_of);
  free(clusters->position);
}

/* The position of the first variable of a scope that goes; count: the scope is empty. */
static unsigned first_of(const struct clusters *clusters, const struct mpf_function *function)
{
  unsigned first = clusters->count;

  for (unsigned i = 0; i < function->count; i++)
    first = clusters->position[function->scope[i]] < first ? clusters->position[function->scope[i]]
                                                           : first;
  return first;
}

/* A cluster is the variable, and what the scopes and clusters that it is the first one of have
 * besides. */
static void triangulate(struct clusters *clusters, const struct mpf_network *network)
{
  for (unsigned f = 0; f < network->function_count; f++) {
    unsigned first = first_of(clusters, &network->functions[f]);
    for (unsigned i = 0; first < clusters->count && i < network->functions[f].count; i++)
      add(row_of(clusters, first), clusters->position[network->functions[f].scope[i]]);
  }
  for (unsigned i = 0; i < clusters->count; i++) {
    uint64_t *row = row_of(clusters, i);
    add(row, i);
    unsigned next = next_member(row, i + 1, clusters->count);
    for (unsigned w = 0; next < clusters->count && w < clusters->words; w++)
      row_of(clusters, next)[w] |= row[w];
    if (next < clusters->count) row_of(clusters, next)[i / 64] &= ~(UINT64_C(1) << i % 64);
  }
}

/* A cluster is part of an earlier one where that one has just one variable more, its own. */
static void find_maximal(struct clusters *clusters)
{
  for (unsigned i = 0; i < clusters->count; i++) clusters->clique_of[i] = i;
  for (unsigned i = 0; i < clusters->count; i++) {
    const uint64_t *row = row_of(clusters, i);
    unsigned next = next_member(row, i + 1, clusters->count);
    if (next < clusters->count && clusters->clique_of[next] == next &&
        count_of(row, clusters->words) == count_of(row_of(clusters, next), clusters->words) + 1)
      clusters->clique_of[next] = clusters->clique_of[i];
  }
}

/* ---- the spanning tree ---- */

struct link {      /* of a clique to the part of the tree that stands */
  int shared;      /* variables; -1: in the tree, or no clique */
  double cost;     /* of both tables: ties go to the smaller ones */
  unsigned parent; /* position */
};

static double log2_size(const struct clusters *clusters, const struct mpf_network *network,
                        const struct mpf_order *order, unsigned i)
{
  double size = 0;

  for (unsigned k = 0; k < clusters->count; k++)
    size += has(row_of(clusters, i), k) ? log2(network->domains[order->variables[k]]) : 0;
  return size;
}

static int shared_of(const struct clusters *clusters, unsigned a, unsigned b)
{
  unsigned count = 0;

  for (unsigned w = 0; w < clusters->words; w++)
    count += (unsigned)__builtin_popcountll(row_of(clusters, a)[w] & row_of(clusters, b)[w]);
  return (int)count;
}

/* Prim's algorithm from the largest clique on. ret_sequence: positions, parents first; ret_parents:
 * by number in the sequence, the parent's position. The number of cliques. */
static unsigned span(const struct clusters *clusters, const double *sizes, struct link *links,
                     unsigned *ret_sequence, unsigned *ret_parents)
{
  unsigned count = 0, cliques = 0, next = 0;

  for (unsigned i = 0; i < clusters->count; i++) {
    bool maximal = clusters->clique_of[i] == i;
    links[i] = (struct link){maximal ? 0 : -1, 0, JUNCTION_NO_PARENT};
    cliques += maximal;
    if (maximal && (links[next].shared < 0 || sizes[i] > sizes[next])) next = i;
  }
  while (count < cliques) {
    ret_sequence[count] = next;
    ret_parents[count++] = links[next].parent;
    links[next].shared = -1;
    unsigned best = clusters->count;
    for (unsigned i = 0; i < clusters->count; i++) {
      if (links[i].shared < 0) continue;
      int shared = shared_of(clusters, i, next);
      if (shared > links[i].shared || links[i].parent == JUNCTION_NO_PARENT)
        links[i] = (struct link){shared, sizes[i] + sizes[next], next};
      if (best == clusters->count || links[i].shared > links[best].shared ||
          (links[i].shared == links[best].shared && links[i].cost < links[best].cost))
        best = i;
    }
    next = best;
  }
  return count;
}

/* ---- cliques ---- */

static int fill_clique(struct junction_clique *clique, const struct clusters *clusters,
                       const struct mpf_network *network, const struct mpf_order *order,
                       unsigned position)
{
  const uint64_t *row = row_of(clusters, position);
  unsigned count = count_of(row, clusters->words);
  double size = 0;

  clique->parent = JUNCTION_NO_PARENT;
  clique->variables = malloc((count + 1) * sizeof *clique->variables);
  if (!clique->variables) return JUNCTION_NO_MEMORY;
  if (count > JUNCTION_MOST_DIGITS) return JUNCTION_TOO_LARGE;
  for (unsigned i = 0; i < clusters->count; i++) {
    if (!has(row, i)) continue;
    unsigned variable = order->variables[i];
    clique->variables[clique->shape.count] = variable;
    clique->shape.sizes[clique->shape.count++] = network->domains[variable];
    size += log2(network->domains[variable]);
  }
  return size < JUNCTION_MOST_DIGITS ? JUNCTION_OK : JUNCTION_TOO_LARGE;
}

/* Which digits of `clique` the other one has too. */
static uint64_t common(const struct junction_clique *clique, const struct junction_clique *other)
{
  uint64_t digits = 0;

  for (unsigned i = 0; i < clique->shape.count; i++)
    for (unsigned k = 0; k < other->shape.count; k++)
      digits |= (uint64_t)(clique->variables[i] == other->variables[k]) << i;
  return digits;
}

static int append(unsigned **list, unsigned *count, unsigned value)
{
  unsigned *longer = realloc(*list, (*count + 1) * sizeof *longer);

  if (!longer) return JUNCTION_NO_MEMORY;
  *list = longer;
  longer[(*count)++] = value;
  return JUNCTION_OK;
}

static int connect(struct junction_tree *tree, unsigned child, unsigned parent)
{
  struct junction_clique *below = &tree->cliques[child], *above = &tree->cliques[parent];

  below->parent = parent;
  below->separator = common(below, above);
  below->above = common(above, below);
  tree->separators += (double)junction_shape_size(&below->shape, below->separator);
  return append(&above->children, &above->child_count, child);
}

static void find_homes(struct junction_tree *tree)
{
  for (unsigned v = 0; v < tree->variable_count; v++) tree->home[v] = tree->clique_count;
  for (unsigned c = 0; c < tree->clique_count; c++) {
    const struct junction_clique *clique = &tree->cliques[c];
    size_t size = junction_shape_size(&clique->shape, junction_shape_all(&clique->shape));
    for (unsigned i = 0; i < clique->shape.count; i++) {
      unsigned *home = &tree->home[clique->variables[i]];
      const struct junction_shape *other =
          *home < tree->clique_count ? &tree->cliques[*home].shape : NULL;
      if (!other || size < junction_shape_size(other, junction_shape_all(other))) *home = c;
    }
  }
}

static int add_functions(struct junction_tree *tree, const struct clusters *clusters,
                         const struct mpf_network *network, const unsigned *number)
{
  int status = JUNCTION_OK;

  for (unsigned f = 0; !status && f < network->function_count; f++) {
    unsigned first = first_of(clusters, &network->functions[f]);
    if (first == clusters->count) continue;
    struct junction_clique *clique = &tree->cliques[number[clusters->clique_of[first]]];
    status = append(&clique->functions, &clique->function_count, f);
  }
  return status;
}

/* The tree from the sequence of the spanning tree; number: scratch, by position. */
static int assemble(struct junction_tree *tree, const struct clusters *clusters,
                    const struct mpf_network *network, const struct mpf_order *order,
                    const unsigned *sequence, const unsigned *parents, unsigned *number)
{
  int status = JUNCTION_OK;

  for (unsigned c = 0; !status && c < tree->clique_count; c++) {
    number[sequence[c]] = c;
    status = fill_clique(&tree->cliques[c], clusters, network, order, sequence[c]);
    if (!status)
      tree->size += (double)junction_shape_size(&tree->cliques[c].shape,
                                                junction_shape_all(&tree->cliques[c].shape));
    if (!status && parents[c] != JUNCTION_NO_PARENT) status = connect(tree, c, number[parents[c]]);
  }
  if (!status) find_homes(tree);
  return status ? status : add_functions(tree, clusters, network, number);
}

int junction_tree_build(const struct mpf_network *network, const struct mpf_order *order,
                        struct junction_tree *ret)
{
  struct clusters clusters = {0};
  unsigned *scratch = calloc(3 * (size_t)order->count + 1, sizeof *scratch), count = order->count;
  struct link *links = calloc(count + 1, sizeof *links);
  double *sizes = calloc(count + 1, sizeof *sizes);
  int status = clusters_alloc(&clusters, network, order);

  *ret = (struct junction_tree){.variable_count = network->variable_count};
  ret->home = calloc(network->variable_count + 1, sizeof *ret->home);
  if (!scratch || !links || !sizes || !ret->home) status = JUNCTION_NO_MEMORY;
  if (!status) {
    triangulate(&clusters, network);
    find_maximal(&clusters);
    for (unsigned i = 0; i < count; i++) sizes[i] = log2_size(&clusters, network, order, i);
    ret->clique_count = span(&clusters, sizes, links, scratch, scratch + count);
    ret->cliques = calloc(ret->clique_count + 1, sizeof *ret->cliques);
    status = ret->cliques ? assemble(ret, &clusters, network, order, scratch, scratch + count,
                                     scratch + 2 * (size_t)count)
                          : JUNCTION_NO_MEMORY;
  }
  clusters_free(&clusters);
  free(scratch);
  free(links);
  free(sizes);
  if (status) junction_tree_free(ret);
  return status;
}

void junction_tree_free(struct junction_tree *tree)
{
  for (unsigned c = 0; tree->cliques && c < tree->clique_count; c++) {
    free(tree->cliques[c].variables);
    free(tree->cliques[c].children);
    free(tree->cliques[c].functions);
  }
  free(tree->cliques);
  free(tree->home);
  *tree = (struct junction_tree){0};
}

/* ---- what makes it a junction tree ---- */

static bool contains(const struct junction_clique *clique, unsigned variable)
{
  for (unsigned i = 0; i < clique->shape.count; i++)
    if (clique->variables[i] == variable) return true;
  return false;
}

int junction_tree_valid(const struct junction_tree *tree, const struct mpf_network *network)
{
  unsigned functions = 0, constants = 0;

  for (unsigned f = 0; f < network->function_count; f++) constants += !network->functions[f].count;
  for (unsigned c = 0; c < tree->clique_count; c++) {
    const struct junction_clique *clique = &tree->cliques[c];
    for (unsigned k = 0; k < clique->function_count; k++)
      for (unsigned i = 0; i < network->functions[clique->functions[k]].count; i++)
        if (!contains(clique, network->functions[clique->functions[k]].scope[i])) return 0;
    functions += clique->function_count;
  }
  /* connected: just one of its cliques has no parent that has it */
  for (unsigned v = 0; v < tree->variable_count; v++) {
    unsigned tops = 0, all = 0;
    for (unsigned c = 0; c < tree->clique_count; c++) {
      unsigned parent = tree->cliques[c].parent;
      all += contains(&tree->cliques[c], v);
      tops += contains(&tree->cliques[c], v) &&
              (parent == JUNCTION_NO_PARENT || !contains(&tree->cliques[parent], v));
    }
    if (all && tops != 1) return 0;
  }
  return functions + constants == network->function_count;
}
