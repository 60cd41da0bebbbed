/* cache.c - the policy of the MPF paper's cache, and its model (sections 4 and 5.1.2). */
#include "cache.h"

static int best_function(const struct mpf_plan *plan, size_t capacity,
                         const struct mpf_cache *cache)
{
  const int *segments = plan->tables + plan->segments, *lifetimes = plan->tables + plan->lifetimes;
  int best = -1;

  for (int f = 0; f < plan->functions && f < MPF_CACHED_FUNCTIONS; f++) {
    double uses = (double)plan->threads * plan->summands * lifetimes[f];
    if (cache->cached[f] || 2.0 * segments[f] > uses ||
        cache->used + (size_t)segments[f] > capacity)
      continue;
    if (best < 0 || (double)lifetimes[f] / segments[f] > (double)lifetimes[best] / segments[best])
      best = f;
  }
  return best;
}

void mpf_cache_choose(const struct mpf_plan *plan, size_t capacity, size_t taken,
                      struct mpf_cache *ret)
{
  *ret = (struct mpf_cache){.used = taken};
  for (int best; (best = best_function(plan, capacity, ret)) >= 0;) {
    ret->cached[best] = true;
    ret->places[best] = ret->used;
    ret->used += (size_t)plan->tables[plan->segments + (size_t)best];
  }
}

double mpf_cache_misses(const struct mpf_plan *plan, const struct mpf_cache *cache, unsigned f)
{
  double fills = 0;

  if (!cache->cached[f]) return 1;
  for (int page = 0; page < plan->pages; page++)
    fills += plan->tables[plan->refresh + (size_t)page * (size_t)plan->functions + f];
  return fills * plan->tables[plan->segments + f] /
         ((double)plan->threads * plan->summands * plan->pages);
}

double mpf_cache_intensity(const struct mpf_plan *plan, const struct mpf_cache *cache)
{
  double misses = 0, summands = plan->summands;

  for (unsigned f = 0; f < (unsigned)plan->functions; f++)
    misses += mpf_cache_misses(plan, cache, f);
  return (plan->functions - 1 / summands) / (misses + 1 / summands);
}
