/* plain.c - the primitives by their definition: for each entry of the clique, the mapping vector
 * gives its place in each separator. Threads take parts of the clique; sums of the parts are added
 * up at the end. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "crew.h"

void junction_mapping_build(const struct junction_shape *shape, uint64_t digits, size_t first,
                            struct junction_mapping *ret)
{
  struct junction_axis axes[JUNCTION_MOST_DIGITS];

  ret->count = junction_shape_axes(shape, junction_shape_all(shape), digits, axes);
  ret->first = first;
  ret->size = junction_shape_size(shape, digits);
  for (unsigned i = 0; i < ret->count; i++) {
    ret->sizes[i] = axes[i].size;
    ret->strides[i] = axes[i].stride;
  }
}

size_t junction_mapping_place(const struct junction_mapping *mapping, size_t entry)
{
  size_t place = 0;

  for (unsigned i = 0; i < mapping->count; i++)
    place = place * mapping->sizes[i] + entry / mapping->strides[i] % mapping->sizes[i];
  return mapping->first + place;
}

struct plain_work {
  unsigned count;
  const struct junction_mapping *mappings;
  const real *factors;
  real *table;        /* of the clique */
  size_t size, chunk; /* entries: all, and of a unit */
  size_t separator_size;
  real *sums; /* one of the two: where sums go */
  double *exact;
  pthread_mutex_t lock;
};

static int multiply_unit(void *context, size_t unit, void **memory)
{
  const struct plain_work *work = context;
  size_t to = (unit + 1) * work->chunk < work->size ? (unit + 1) * work->chunk : work->size;

  (void)memory;
  for (size_t i = unit * work->chunk; i < to; i++) {
    real product = work->table[i];
    for (unsigned k = 0; k < work->count; k++)
      product *= work->factors[junction_mapping_place(&work->mappings[k], i)];
    work->table[i] = product;
  }
  return 0;
}

static int sum_unit(void *context, size_t unit, void **memory)
{
  struct plain_work *work = context;
  size_t to = (unit + 1) * work->chunk < work->size ? (unit + 1) * work->chunk : work->size;
  real *sums = calloc(work->separator_size, sizeof *sums);

  (void)memory;
  for (size_t i = unit * work->chunk; sums && i < to; i++)
    for (unsigned k = 0; k < work->count; k++)
      sums[junction_mapping_place(&work->mappings[k], i)] += work->table[i];
  pthread_mutex_lock(&work->lock);
  for (size_t s = 0; sums && s < work->separator_size; s++) work->sums[s] += sums[s];
  pthread_mutex_unlock(&work->lock);
  free(sums);
  return sums ? 0 : -1;
}

static int exact_unit(void *context, size_t unit, void **memory)
{
  struct plain_work *work = context;
  size_t to = (unit + 1) * work->chunk < work->size ? (unit + 1) * work->chunk : work->size;
  double *sums = calloc(work->separator_size, sizeof *sums);

  (void)memory;
  for (size_t i = unit * work->chunk; sums && i < to; i++)
    for (unsigned k = 0; k < work->count; k++)
      sums[junction_mapping_place(&work->mappings[k], i)] += (double)work->table[i];
  pthread_mutex_lock(&work->lock);
  for (size_t s = 0; sums && s < work->separator_size; s++) work->exact[s] += sums[s];
  pthread_mutex_unlock(&work->lock);
  free(sums);
  return sums ? 0 : -1;
}

static int run(struct plain_work *work, int (*unit)(void *, size_t, void **), unsigned threads)
{
  for (unsigned k = 0; k < work->count; k++) work->separator_size += work->mappings[k].size;
  work->chunk = (work->size + threads - 1) / threads;
  struct mpf_crew crew = {
      .work = unit, .context = work, .units = (work->size + work->chunk - 1) / work->chunk};
  return mpf_crew_run(&crew, threads);
}

int junction_plain_marginalise(unsigned count, const struct junction_mapping *mappings,
                               unsigned threads, const real *clique, size_t size, real *separators)
{
  struct plain_work work = {.count = count,
                            .mappings = mappings,
                            .table = (real *)clique,
                            .size = size,
                            .sums = separators,
                            .lock = PTHREAD_MUTEX_INITIALIZER};

  for (unsigned k = 0; k < count; k++)
    memset(separators + mappings[k].first, 0, mappings[k].size * sizeof *separators);
  return run(&work, sum_unit, threads);
}

int junction_reference_marginalise(unsigned count, const struct junction_mapping *mappings,
                                   unsigned threads, const real *clique, size_t size,
                                   double *separators)
{
  struct plain_work work = {.count = count,
                            .mappings = mappings,
                            .table = (real *)clique,
                            .size = size,
                            .exact = separators,
                            .lock = PTHREAD_MUTEX_INITIALIZER};

  for (unsigned k = 0; k < count; k++)
    memset(separators + mappings[k].first, 0, mappings[k].size * sizeof *separators);
  return run(&work, exact_unit, threads);
}

int junction_plain_multiply(unsigned count, const struct junction_mapping *mappings,
                            unsigned threads, const real *factors, real *clique, size_t size)
{
  struct plain_work work = {
      .count = count, .mappings = mappings, .factors = factors, .table = clique, .size = size};

  return run(&work, multiply_unit, threads);
}
