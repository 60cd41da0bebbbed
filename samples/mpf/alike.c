/* alike.c - pages that a thread computes at once because they read the same values.
 *
 * A step of a variable that only function f has leaves the places in all others alone. So alike[0]
 * such steps of f side by side, and alike[1] steps of another function g between the rows, take
 * alike[0] loads of f, alike[1] of g and one of each other function for alike[0] * alike[1]
 * outputs. What a load costs differs between functions: a warp whose threads are far apart in a
 * table takes a line of the cache for each of them.
 */
#include "digits.h"

enum {
  CACHE = 170 /* bytes for each thread that is resident where pages are computed at once */,
  MOST = 64 /* functions */,
  WARP = 32,
  LINE = 128 / sizeof(real),
  OWN = 4 /* digits of a function that are looked at */,
  SETS = 1 << OWN
};

#define ISSUE \
  0.75 /* of a load, in the time that the cache takes for a line: its address and itself */
#define ARITHMETIC 0.25 /* of a value */
#define WORTH 0.9

struct choice {
  double time; /* of a summand of an output */
  /* whose values differ between neighbours, between rows; the same: along the whole group */
  unsigned functions[2];
  unsigned sets[2]; /* bit k: own digit k of the function is one of the pages' */
  size_t pages;
};

struct owned { /* digits that change one function only */
  unsigned count, digits[OWN];
  double lines;  /* of the cache, that a warp's load of the function takes */
  double values; /* that a block uses of it for one page, at most */
};

static size_t divide_up(size_t a, size_t b) { return (a + b - 1) / b; }

/* Where the first threads of a block read the function, in lines. */
static double count_lines(const struct digits *digits, const struct mpf_bucket *bucket, unsigned f)
{
  size_t lines[WARP];
  unsigned count = 0;

  for (unsigned t = 0; t < WARP; t++) {
    size_t rest = t, at = 0;
    unsigned known = 0;
    for (unsigned d = 0; d < digits->threads_end; d++) {
      at += rest % digits->sizes[d] * mpf_unit_of(digits, bucket, d)[f];
      rest /= digits->sizes[d];
    }
    while (known < count && lines[known] != at / LINE) known++;
    lines[count] = at / LINE;
    count += known == count;
  }
  return count;
}

/* From the first to the last, or one for each thread and summand. */
static double count_values(const struct digits *digits, const struct mpf_bucket *bucket, unsigned f)
{
  double values = 1, accesses = (double)bucket->summands;

  for (unsigned d = 0; d < digits->threads_end; d++) {
    values += (double)(digits->sizes[d] - 1) * (double)mpf_unit_of(digits, bucket, d)[f];
    accesses *= (double)digits->sizes[d];
  }
  for (unsigned v = bucket->output_count; v < bucket->variable_count; v++)
    values += (double)(bucket->domains[v] - 1) *
              (double)bucket->strides[(size_t)f * bucket->variable_count + v];
  return values < accesses ? values : accesses;
}

static struct owned owned_by(const struct digits *digits, const struct mpf_bucket *bucket,
                             unsigned f)
{
  struct owned owned = {.lines = count_lines(digits, bucket, f),
                        .values = count_values(digits, bucket, f)};

  for (unsigned d = digits->threads_end; d < digits->count && owned.count < OWN; d++) {
    const size_t *units = mpf_unit_of(digits, bucket, d);
    int alone = units[f] != 0 && digits->sizes[d] > 1;
    for (unsigned other = 0; other < bucket->function_count; other++)
      alone &= other == f || !units[other];
    if (alone) owned.digits[owned.count++] = d;
  }
  return owned;
}

static size_t values_of(const struct digits *digits, const struct owned *owned, unsigned set)
{
  size_t values = 1;

  for (unsigned k = 0; k < owned->count; k++)
    values *= set >> k & 1 ? digits->sizes[owned->digits[k]] : 1;
  return values;
}

/* The set of own digits that fills groups of `tile` values best, of at most `most`; the share that
 * is no repetition, 0: there is none. */
static double best_set(const struct digits *digits, const struct owned *owned, unsigned tile,
                       size_t most, unsigned *ret_set, size_t *ret_values)
{
  double best = 0;

  for (unsigned set = 1; set < 1u << owned->count; set++) {
    size_t values = values_of(digits, owned, set), all = divide_up(values, tile) * tile;
    double share = (double)values / (double)all;
    if (all > most || share < best || (share == best && all >= *ret_values)) continue;
    best = share;
    *ret_set = set;
    *ret_values = all;
  }
  return best;
}

/* Does what a block reads for the pages of a group stay in the cache? Where it does not lines are
 * fetched again and again: up to 6 times as long. */
static int fits(const struct digits *digits, const struct mpf_bucket *bucket,
                const struct owned *owned, const double *loads, double group)
{
  double threads = 1, values = 0;

  for (unsigned d = 0; d < digits->threads_end; d++) threads *= (double)digits->sizes[d];
  for (unsigned f = 0; f < bucket->function_count; f++)
    values += owned[f].values * loads[f] * group;
  return values * sizeof(real) <= threads * CACHE;
}

static double time_of(const struct mpf_bucket *bucket, const struct owned *owned,
                      const double *loads)
{
  double time = ARITHMETIC * bucket->function_count;

  for (unsigned f = 0; f < bucket->function_count; f++) time += loads[f] * (owned[f].lines + ISSUE);
  return time;
}

/* Neighbours differ in function i, rows in function k. */
static void try_pair(const struct digits *digits, const struct mpf_bucket *bucket,
                     const struct owned *owned, const unsigned tile[2], unsigned i, unsigned k,
                     size_t most, struct choice *best)
{
  struct choice choice = {.functions = {i, k}};
  double loads[MOST], all = tile[0] * tile[1], share;
  size_t values[2] = {0, 1};

  for (unsigned f = 0; f < bucket->function_count; f++) loads[f] = 1 / all;
  if (i == k) {
    share = best_set(digits, &owned[i], tile[0] * tile[1], most, &choice.sets[0], &values[0]);
    loads[i] = 1;
  } else {
    share = best_set(digits, &owned[i], tile[0], most / tile[1], &choice.sets[0], &values[0]);
    share *=
        share ? best_set(digits, &owned[k], tile[1], most / values[0], &choice.sets[1], &values[1])
              : 0;
    loads[i] = 1.0 / tile[1];
    loads[k] = 1.0 / tile[0];
  }
  if (!share || !fits(digits, bucket, owned, loads, all)) return;
  choice.time = time_of(bucket, owned, loads) / share;
  choice.pages = values[0] * values[1];
  if (choice.time < best->time || (choice.time == best->time && choice.pages < best->pages))
    *best = choice;
}

static void swap_digits(struct digits *digits, const struct mpf_bucket *bucket, unsigned from,
                        unsigned to)
{
  unsigned units = bucket->function_count + MPF_EXTRA;

  for (; from > to; from--) {
    size_t size = digits->sizes[from];
    digits->sizes[from] = digits->sizes[from - 1];
    digits->sizes[from - 1] = size;
    for (unsigned u = 0; u < units; u++) {
      size_t unit = digits->units[(size_t)from * units + u];
      digits->units[(size_t)from * units + u] = digits->units[(size_t)(from - 1) * units + u];
      digits->units[(size_t)(from - 1) * units + u] = unit;
    }
  }
}

/* Brings the digits of a set to `end`, which goes up; the others keep their order. `before`: where
 * digits stood that were taken already. */
static void take_digits(struct digits *digits, const struct mpf_bucket *bucket,
                        const struct owned *owned, unsigned set, const unsigned *before,
                        unsigned before_count, unsigned *end)
{
  for (unsigned k = 0; k < owned->count; k++) {
    unsigned at = owned->digits[k];
    if (!(set >> k & 1)) continue;
    for (unsigned b = 0; b < before_count; b++) /* those taken before from places behind this one */
      at += before[b] > owned->digits[k];
    swap_digits(digits, bucket, at, (*end)++);
  }
}

int mpf_alike_pages(struct digits *digits, const struct mpf_bucket *bucket, const unsigned alike[2],
                    size_t most)
{
  struct owned owned[MOST];
  double loads[MOST];
  unsigned functions = bucket->function_count, before[OWN], before_count = 0;

  if (functions < 2 || functions > MOST || !alike[0] || alike[0] * alike[1] < 2 ||
      most < (size_t)alike[0] * alike[1])
    return 0;
  for (unsigned f = 0; f < functions; f++) {
    owned[f] = owned_by(digits, bucket, f);
    loads[f] = 1;
  }
  double written = WORTH * time_of(bucket, owned, loads);
  struct choice best = {.time = written};
  for (unsigned i = 0; i < functions; i++)
    for (unsigned k = 0; k < functions; k++)
      if (owned[i].count && owned[k].count)
        try_pair(digits, bucket, owned, alike, i, k, most, &best);
  if (!best.pages) return 0;
  const struct owned *inner = &owned[best.functions[0]], *outer = &owned[best.functions[1]];
  digits->pages_end = digits->threads_end;
  take_digits(digits, bucket, inner, best.sets[0], NULL, 0, &digits->pages_end);
  digits->inner_end = digits->pages_end;
  for (unsigned k = 0; k < inner->count; k++)
    if (best.sets[0] >> k & 1) before[before_count++] = inner->digits[k];
  if (outer != inner)
    take_digits(digits, bucket, outer, best.sets[1], before, before_count, &digits->pages_end);
  digits->tile[0] = outer == inner ? alike[0] * alike[1] : alike[0];
  digits->tile[1] = outer == inner ? 1 : alike[1];
  return 1;
}
