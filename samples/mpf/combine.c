/* combine.c - fewer functions in a bucket.
 *
 * A product of two functions that is small beside the bucket costs little and takes one function
 * out of the innermost loop for each of the bucket's configurations: of 21 functions over pairs of
 * variables in a bucket of 2^21 configurations a few are left. Buckets of more functions than a
 * bucket takes are brought down to that in the same way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* log2 of how many times smaller than the bucket a product is at least */
static const double small = 3;
static const double worth = 12; /* log2 of the configurations from which on a bucket is looked at */

struct set {
  unsigned count, made;      /* tables; the last `made` of `owned` came from here */
  struct mpf_table **tables; /* owned list */
  struct mpf_table **owned;  /* products; owned */
  bool *all;                 /* by place: every variable is kept; owned */
};

static double log2_domain(const struct mpf_engine *engine, unsigned place)
{
  return engine->fixed[place] >= 0 ? 0 : log2(engine->domains[place]);
}

/* log2 of the configurations of the variables of two tables. */
static double log2_union(const struct mpf_engine *engine, const struct mpf_table *a,
                         const struct mpf_table *b)
{
  double size = 0;

  for (unsigned i = 0, k = 0; i < a->count || k < b->count;) {
    unsigned place = k == b->count || (i < a->count && a->places[i] < b->places[k]) ? a->places[i]
                                                                                    : b->places[k];
    size += log2_domain(engine, place);
    i += i < a->count && a->places[i] == place;
    k += k < b->count && b->places[k] == place;
  }
  return size;
}

static double log2_bucket(const struct mpf_engine *engine, const struct set *set)
{
  double size = 0;

  memset(set->all, 0, engine->variable_count);
  for (unsigned i = 0; i < set->count; i++)
    for (unsigned k = 0; k < set->tables[i]->count; k++) set->all[set->tables[i]->places[k]] = true;
  for (unsigned place = 0; place < engine->variable_count; place++)
    size += set->all[place] ? log2_domain(engine, place) : 0;
  memset(set->all, 1, engine->variable_count);
  return size;
}

/* The pair whose product is smallest. */
static double find_pair(const struct mpf_engine *engine, const struct set *set, unsigned *ret_a,
                        unsigned *ret_b)
{
  double least = INFINITY;

  for (unsigned a = 0; a < set->count; a++)
    for (unsigned b = a + 1; b < set->count; b++) {
      double size = log2_union(engine, set->tables[a], set->tables[b]);
      if (size < least) least = size, *ret_a = a, *ret_b = b;
    }
  return least;
}

static int multiply(struct mpf_engine *engine, struct set *set, unsigned a, unsigned b)
{
  struct mpf_table *pair[] = {set->tables[a], set->tables[b]}, *product;
  int status = mpf_engine_bucket(engine, 2, pair, set->all, &product);

  if (status) return status;
  for (unsigned i = 0; i < set->made; i++) /* a product that is used up */
    if (set->owned[i] == pair[0] || set->owned[i] == pair[1]) {
      mpf_table_free(engine, set->owned[i]);
      set->owned[i--] = set->owned[--set->made];
    }
  set->owned[set->made++] = product;
  set->tables[a] = product;
  set->tables[b] = set->tables[--set->count];
  return MPF_OK;
}

static int reduce(struct mpf_engine *engine, struct set *set)
{
  double bucket = set->count > 2 ? log2_bucket(engine, set) : 0;

  while (set->count > 2) {
    unsigned a = 0, b = 1;
    bool many = set->count > MPF_MOST_FUNCTIONS;
    if (!many && bucket < worth) break;
    if (find_pair(engine, set, &a, &b) > bucket - small && !many) break;
    int status = multiply(engine, set, a, b);
    if (status == MPF_TOO_LARGE && !many) break;
    if (status) return status;
  }
  return MPF_OK;
}

int mpf_engine_sum(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs,
                   const bool *kept, struct mpf_table **ret)
{
  struct set set = {.count = count,
                    .tables = malloc((count + 1) * sizeof *set.tables),
                    .owned = malloc((count + 1) * sizeof *set.owned),
                    .all = malloc(engine->variable_count + 1)};
  int status = set.tables && set.owned && set.all ? MPF_OK : MPF_NO_MEMORY;

  if (!status) {
    memcpy(set.tables, inputs, count * sizeof *set.tables);
    status = reduce(engine, &set);
  }
  if (!status) status = mpf_engine_bucket(engine, set.count, set.tables, kept, ret);
  for (unsigned i = 0; i < set.made; i++) mpf_table_free(engine, set.owned[i]);
  free(set.tables);
  free(set.owned);
  free(set.all);
  return status;
}
