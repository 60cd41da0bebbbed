/* bucket.c - from scopes to domains and strides. */
#include "bucket.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare_places(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

/* The places in any scope with more than one value, each once, those that stay first. Their number.
 */
static unsigned unite(unsigned function_count, const struct mpf_scope *scopes,
                      const unsigned *domains, const bool *summed, unsigned *ret,
                      unsigned *ret_outputs)
{
  unsigned kept = 0;

  for (int half = 0; half < 2; half++) {
    unsigned first = kept, count = kept;
    for (unsigned f = 0; f < function_count; f++)
      for (unsigned i = 0; i < scopes[f].count; i++)
        if (domains[scopes[f].places[i]] > 1 && summed[scopes[f].places[i]] == half)
          ret[count++] = scopes[f].places[i];
    qsort(ret + first, count - first, sizeof *ret, compare_places);
    for (unsigned i = first; i < count; i++)
      if (kept == first || ret[kept - 1] != ret[i]) ret[kept++] = ret[i];
    if (!half) *ret_outputs = kept;
  }
  return kept;
}

static int multiply(size_t *value, size_t factor)
{
  return __builtin_mul_overflow(*value, factor, value) ? -1 : 0;
}

static unsigned find(const unsigned *places, unsigned count, unsigned place)
{
  unsigned at = 0;

  while (at < count && places[at] != place) at++;
  return at;
}

/* The strides of one function by variable. */
static int fill_strides(const struct mpf_scope *scope, const unsigned *places,
                        const unsigned *domains, struct mpf_bucket *bucket, unsigned f)
{
  size_t dense = 1;

  bucket->sizes[f] = 1;
  for (unsigned i = scope->count; i-- > 0;) {
    size_t stride = scope->strides ? scope->strides[i] : dense, domain = domains[scope->places[i]];
    if (domain == 1) continue;
    bucket->strides[(size_t)f * bucket->variable_count +
                    find(places, bucket->variable_count, scope->places[i])] = stride;
    bucket->sizes[f] += (domain - 1) * stride;
    if (multiply(&dense, domain)) return -1;
  }
  return 0;
}

/* Whether in each function that has variable `v` or the next one they lie together. */
static bool together(const struct mpf_bucket *bucket, unsigned v)
{
  for (unsigned f = 0; f < bucket->function_count; f++) {
    const size_t *strides = bucket->strides + (size_t)f * bucket->variable_count;
    if (strides[v] != strides[v + 1] * bucket->domains[v + 1]) return false;
  }
  return true;
}

/* Merges neighbours: the stride of the pair is that of its less significant half. */
static void merge(struct mpf_bucket *bucket)
{
  unsigned kept = 0, old = bucket->variable_count, outputs = bucket->output_count;
  size_t *strides = bucket->strides;

  for (unsigned v = 0; v < old; v++) {
    bool join = v + 1 < old && v + 1 != outputs && together(bucket, v);
    if (join) {
      bucket->domains[v + 1] *= bucket->domains[v];
      bucket->output_count -= v < outputs;
      continue;
    }
    bucket->domains[kept] = bucket->domains[v];
    for (unsigned f = 0; f < bucket->function_count; f++)
      strides[(size_t)f * old + kept] = strides[(size_t)f * old + v];
    kept++;
  }
  for (unsigned f = 0; f < bucket->function_count; f++)
    memmove(strides + (size_t)f * kept, strides + (size_t)f * old, kept * sizeof *strides);
  bucket->variable_count = kept;
}

static int count_configurations(struct mpf_bucket *bucket)
{
  bucket->outputs = bucket->summands = 1;
  for (unsigned v = 0; v < bucket->variable_count; v++)
    if (multiply(v < bucket->output_count ? &bucket->outputs : &bucket->summands,
                 bucket->domains[v]))
      return -1;
  return 0;
}

int mpf_bucket_build(unsigned function_count, const struct mpf_scope *scopes,
                     const unsigned *domains, const bool *summed, struct mpf_bucket *ret)
{
  size_t all = 0;

  for (unsigned f = 0; f < function_count; f++) all += scopes[f].count;
  unsigned *places = calloc(all + 1, sizeof *places);
  *ret = (struct mpf_bucket){.function_count = function_count};
  if (!places) return -1;
  ret->variable_count = unite(function_count, scopes, domains, summed, places, &ret->output_count);
  ret->domains = calloc(ret->variable_count + 1, sizeof *ret->domains);
  ret->sizes = calloc(function_count + 1, sizeof *ret->sizes);
  ret->strides = calloc((size_t)function_count * ret->variable_count + 1, sizeof *ret->strides);
  int status = ret->domains && ret->sizes && ret->strides ? 0 : -1;
  for (unsigned v = 0; !status && v < ret->variable_count; v++)
    ret->domains[v] = domains[places[v]];
  for (unsigned f = 0; !status && f < function_count; f++)
    status = fill_strides(&scopes[f], places, domains, ret, f);
  free(places);
  if (!status) status = count_configurations(ret);
  if (!status)
    merge(ret);
  else
    mpf_bucket_free(ret);
  return status;
}

void mpf_bucket_free(struct mpf_bucket *bucket)
{
  free(bucket->domains);
  free(bucket->strides);
  free(bucket->sizes);
  *bucket = (struct mpf_bucket){0};
}

double mpf_bucket_flop(const struct mpf_bucket *bucket)
{
  double functions = bucket->function_count ? bucket->function_count : 1;

  return (double)bucket->outputs * ((double)bucket->summands * functions - 1);
}
