/* cpu_split.c - tries groups of functions: those that share a variable, two such groups together,
 * and what is left then.
 *
 * The costs are of one core of a current server CPU; they only have to rank the ways of one bucket.
 */
#include "cpu_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE \
  ((size_t)1 << 16) /* most rows, and most columns; further variables are the batch's \
                     */

static const double vector_ns = 0.16, load_ns = 0.8, exp_ns = 4, tile_ns = 40, scatter_ns = 1.5;
/* of a vector of products, a packed number, a vector of exponentials, a tile, an output that is
 * stored alone */

static unsigned long long functions_of(const struct mpf_bucket *bucket, unsigned variable)
{
  unsigned long long mask = 0;

  for (unsigned f = 0; f < bucket->function_count; f++)
    mask |= (unsigned long long)(bucket->strides[(size_t)f * bucket->variable_count + variable] > 0)
            << f;
  return mask;
}

static double round_up(double count, double unit) { return ceil(count / unit) * unit; }

static double cost_of(const struct mpf_bucket *bucket, const struct mpf_cpu_isa *isa,
                      enum mpf_domain domain, const struct mpf_split *split)
{
  double rows = round_up((double)split->sizes[MPF_ROW], isa->rows);
  double columns = round_up((double)split->sizes[MPF_COLUMN], isa->columns);
  double inner = (double)bucket->summands, vectors = rows * columns / isa->lanes,
         pairs = __builtin_popcountll(split->columns);
  double loads =
      split->sizes[MPF_ROW] * (bucket->function_count - pairs) + split->sizes[MPF_COLUMN] * pairs;
  double packed = (rows + columns) * inner / isa->lanes;
  double cost =
      vectors * inner * vector_ns + loads * inner * load_ns + vectors / isa->rows * tile_ns;

  if (!bucket->output_count || split->kinds[bucket->output_count - 1] != MPF_COLUMN)
    cost += (double)split->sizes[MPF_ROW] * split->sizes[MPF_COLUMN] * scatter_ns;
  if (domain == MPF_LOG) cost += (packed + vectors) * exp_ns;
  return cost * (double)split->sizes[MPF_BATCH];
}

/* The kinds of all variables with `columns` as the second group. */
static void classify(const struct mpf_bucket *bucket, const unsigned long long *masks,
                     unsigned long long columns, struct mpf_split *split)
{
  split->columns = columns;
  for (unsigned kind = 0; kind < MPF_KIND_COUNT; kind++) split->sizes[kind] = 1;
  for (unsigned v = bucket->output_count; v-- > 0;) {
    unsigned kind = !(masks[v] & ~columns)  ? MPF_COLUMN
                    : !(masks[v] & columns) ? MPF_ROW
                                            : MPF_BATCH;
    if (kind != MPF_BATCH && split->sizes[kind] * bucket->domains[v] > SIDE &&
        split->sizes[kind] > 1)
      kind = MPF_BATCH;
    split->kinds[v] = (unsigned char)kind;
    split->sizes[kind] *= bucket->domains[v];
  }
}

struct search {
  const struct mpf_bucket *bucket;
  const struct mpf_cpu_isa *isa;
  enum mpf_domain domain;
  const unsigned long long *masks; /* functions by output variable */
  unsigned long long all;
  struct mpf_split trial, *best;
};

static void try_columns(struct search *search, unsigned long long columns)
{
  for (int other = 0; other < 2; other++, columns = search->all & ~columns) {
    if (!columns || columns == search->all) continue;
    classify(search->bucket, search->masks, columns, &search->trial);
    search->trial.cost = cost_of(search->bucket, search->isa, search->domain, &search->trial);
    if (search->trial.sizes[MPF_ROW] > 4 * SIDE || search->trial.sizes[MPF_COLUMN] > 4 * SIDE)
      continue;
    if (search->trial.cost < search->best->cost) {
      struct mpf_split swap = *search->best;
      *search->best = search->trial;
      search->trial = swap;
    }
  }
}

int mpf_split_find(const struct mpf_bucket *bucket, const struct mpf_cpu_isa *isa,
                   enum mpf_domain domain, struct mpf_split *ret)
{
  unsigned count = bucket->output_count;
  unsigned long long *masks = calloc(count + 1, sizeof *masks);
  struct search search = {bucket,
                          isa,
                          domain,
                          masks,
                          bucket->function_count < 64 ? (1ull << bucket->function_count) - 1
                                                      : ~0ull,
                          {.kinds = malloc(count + 1)},
                          ret};

  *ret = (struct mpf_split){.kinds = malloc(count + 1), .cost = INFINITY};
  if (!masks || !ret->kinds || !search.trial.kinds) {
    free(masks);
    free(ret->kinds);
    free(search.trial.kinds);
    return -1;
  }
  for (unsigned v = 0; v < count; v++) masks[v] = functions_of(bucket, v);
  for (unsigned f = 0; f < bucket->function_count; f++) try_columns(&search, 1ull << f);
  for (unsigned v = 0; v < count; v++)
    for (unsigned w = 0; w <= v; w++) try_columns(&search, masks[v] | masks[w]);
  free(masks);
  free(search.trial.kinds);
  return 0;
}
