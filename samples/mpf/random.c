/* random.c - random buckets. */
#include "random.h"

#include <math.h>
#include <stdlib.h>

#include "crew.h"

enum { SHARED = 18, SCOPE = 25, FUNCTIONS = 4, SUMMANDS = 32 };
enum { VARIABLES = SHARED + FUNCTIONS * SCOPE + MPF_RANDOM_SUMMED };

/* variables in the global order; the last ones are summed out, and all functions have the first of
 * these */
struct shape {
  unsigned function_count, variable_count;
  unsigned summed; /* how many are summed out */
  unsigned domains[VARIABLES];
  unsigned masks[VARIABLES]; /* bit per function that has the variable */
};

static const uint64_t STEP = UINT64_C(0x9e3779b97f4a7c15);

uint64_t mpf_random_next(uint64_t *state)
{
  uint64_t x = *state += STEP;

  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static unsigned between(uint64_t *state, unsigned least, unsigned most)
{
  return least + (unsigned)(mpf_random_next(state) % (most - least + 1));
}

static void add(struct shape *shape, unsigned mask, uint64_t *state)
{
  shape->masks[shape->variable_count] = mask;
  shape->domains[shape->variable_count++] = between(state, 1, 10);
}

static void shuffle(struct shape *shape, uint64_t *state)
{
  for (unsigned i = shape->variable_count; i > 1; i--) {
    unsigned k = between(state, 0, i - 1), domain = shape->domains[k], mask = shape->masks[k];
    shape->domains[k] = shape->domains[i - 1], shape->masks[k] = shape->masks[i - 1];
    shape->domains[i - 1] = domain, shape->masks[i - 1] = mask;
  }
}

/* At most 32 summands: of two summed variables up to 5 values each, of three up to 3. */
static void add_summed(struct shape *shape, uint64_t *state)
{
  unsigned all = (1u << shape->function_count) - 1;
  unsigned most = (unsigned)(pow(SUMMANDS, 1.0 / shape->summed) + 1e-9);

  for (unsigned i = 0; i < shape->summed; i++) {
    shape->masks[shape->variable_count] = i ? between(state, 1, all) : all;
    shape->domains[shape->variable_count++] = between(state, 2, most);
  }
}

static void draw(struct shape *shape, unsigned summed, uint64_t *state)
{
  unsigned counts[FUNCTIONS] = {0};

  *shape = (struct shape){.function_count = between(state, 2, FUNCTIONS), .summed = summed};
  unsigned all = (1u << shape->function_count) - 1, shared = between(state, 1, SHARED);
  for (unsigned i = 0; i < shared; i++) {
    unsigned mask;
    do mask = between(state, 1, all);
    while (__builtin_popcount(mask) < 2);
    add(shape, mask, state);
    for (unsigned f = 0; f < shape->function_count; f++) counts[f] += mask >> f & 1;
  }
  for (unsigned f = 0; f < shape->function_count; f++)
    for (unsigned wanted = between(state, 5, SCOPE) - 1; counts[f] < wanted; counts[f]++)
      add(shape, 1u << f, state);
  shuffle(shape, state);
  add_summed(shape, state);
}

static unsigned stay(const struct shape *shape) { return shape->variable_count - shape->summed; }

static double bytes_of(const struct shape *shape)
{
  double outputs = 1, sizes[FUNCTIONS] = {1, 1, 1, 1}, all = 0;

  for (unsigned v = 0; v < shape->variable_count; v++) {
    outputs *= v < stay(shape) ? shape->domains[v] : 1;
    for (unsigned f = 0; f < shape->function_count; f++)
      sizes[f] *= shape->masks[v] >> f & 1 ? shape->domains[v] : 1;
  }
  for (unsigned f = 0; f < shape->function_count; f++) all += sizes[f];
  return (all + outputs) * sizeof(real);
}

static double flop_of(const struct shape *shape)
{
  double outputs = 1, summands = 1;

  for (unsigned v = 0; v < shape->variable_count; v++)
    *(v < stay(shape) ? &outputs : &summands) *= shape->domains[v];
  return outputs * (summands * shape->function_count - 1);
}

int mpf_random_bucket(const struct mpf_random *random, unsigned number, struct mpf_bucket *ret)
{
  uint64_t state = random->seed * UINT64_C(1000003) + number;
  struct shape shape;
  unsigned places[FUNCTIONS][VARIABLES];
  struct mpf_scope scopes[FUNCTIONS];
  bool summed[VARIABLES] = {false};

  draw(&shape, random->summed ? random->summed : 1, &state);
  double share = (double)(mpf_random_next(&state) >> 11) * 0x1p-53;
  double target = random->least_flop * pow(random->most_flop / random->least_flop, share);
  while (flop_of(&shape) > target || bytes_of(&shape) > (double)random->most_bytes) {
    unsigned v = between(&state, 0, shape.variable_count - 1), small = 0;
    for (unsigned i = 0; i < shape.variable_count; i++)
      small += shape.domains[i] == (i < stay(&shape) ? 1 : 2);
    if (shape.domains[v] > (v < stay(&shape) ? 1 : 2))
      shape.domains[v]--;
    else if (small == shape.variable_count)
      break;
  }
  for (unsigned f = 0; f < shape.function_count; f++) {
    scopes[f] = (struct mpf_scope){0, places[f], NULL};
    for (unsigned v = 0; v < shape.variable_count; v++)
      if (shape.masks[v] >> f & 1) places[f][scopes[f].count++] = v;
  }
  for (unsigned v = stay(&shape); v < shape.variable_count; v++) summed[v] = true;
  return mpf_bucket_build(shape.function_count, scopes, shape.domains, summed, ret);
}

/* ---- data ---- */

struct filling {
  uint64_t seed;
  enum mpf_domain domain;
  real spread, *values;
  size_t count;
};

enum { CHUNK = 1 << 16 };

/* Number i depends on i alone: chunks come out the same in any order. */
static int fill_chunk(void *context, size_t chunk, void **memory)
{
  const struct filling *filling = context;
  size_t from = chunk * CHUNK, end = from + CHUNK < filling->count ? from + CHUNK : filling->count;
  uint64_t state = filling->seed + from * STEP;

  (void)memory;
  for (size_t i = from; i < end; i++) {
    real share = (real)(mpf_random_next(&state) >> 40) * (real)0x1p-24;
    filling->values[i] = filling->domain == MPF_LINEAR ? (real)0.0625 + share * (real)0.9375
                                                       : -share * 4 * filling->spread;
  }
  return 0;
}

void mpf_random_values(uint64_t seed, enum mpf_domain domain, real spread, real *values,
                       size_t count)
{
  struct filling filling = {seed, domain, spread, values, count};
  struct mpf_crew crew = {
      .work = fill_chunk, .context = &filling, .units = (count + CHUNK - 1) / CHUNK};

  mpf_crew_run(&crew, mpf_cpu_cores());
}
