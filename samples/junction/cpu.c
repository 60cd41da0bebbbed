/* cpu.c - the primitives on all cores, with vectors.
 *
 * Sums go row by row with an accumulator for each lane, which stays in the nearest cache while the
 * table passes once. For products the factors of a row of lanes are multiplied first; rows that
 * have the same values of the factors' variables share that product, which a thread keeps for the
 * next one. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3", "no-trapping-math")
#endif
#include "cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define VECTORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORS
#endif

/* units a thread; kept rows of products */
enum { MOST_LANES = 1024, LEAST_LANES = 64, UNITS = 4, KEPT = 64, LEAST_ENTRIES = 8192 };

/* ---- loops ---- */

VECTORS
static void add_rows(real *sum, const real *in, const long long *places, size_t count, size_t lanes)
{
  size_t i = 0;

  memset(sum, 0, lanes * sizeof *sum);
  for (; i + 4 <= count; i += 4) {
    const real *a = in + places[i], *b = in + places[i + 1], *c = in + places[i + 2],
               *d = in + places[i + 3];
    for (size_t lane = 0; lane < lanes; lane++)
      sum[lane] += (a[lane] + b[lane]) + (c[lane] + d[lane]);
  }
  for (; i < count; i++) {
    const real *a = in + places[i];
    for (size_t lane = 0; lane < lanes; lane++) sum[lane] += a[lane];
  }
}

VECTORS
static real add_places(const real *in, const long long *places, size_t count)
{
  real sums[8] = {0}, sum = 0;
  size_t i = 0;

  for (; i + 8 <= count; i += 8)
    for (size_t k = 0; k < 8; k++) sums[k] += in[places[i + k]];
  for (; i < count; i++) sum += in[places[i]];
  for (size_t k = 0; k < 8; k++) sum += sums[k];
  return sum;
}

VECTORS
static void largest_of_rows(real *largest, const real *in, const long long *places, size_t count,
                            size_t lanes)
{
  for (size_t lane = 0; lane < lanes; lane++) largest[lane] = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    const real *a = in + places[i];
    for (size_t lane = 0; lane < lanes; lane++)
      largest[lane] = a[lane] > largest[lane] ? a[lane] : largest[lane];
  }
}

/* 2^x for x that is not positive, to rounding; 0 below the normal range of float. In float it is
 * arithmetic only, which the compiler puts into vectors. */
static inline real exp2_below(real x)
{
  if (sizeof(real) != sizeof(float)) return (real)exp2((double)x);
  const float magic = 12582912; /* 1.5 * 2^23: adding it leaves an integer */
  float at = x < -126 ? -126 : (float)x, whole = (at + magic) - magic, f = at - whole, power;
  float value = 1.52527338e-5f;
  value = value * f + 1.54035304e-4f;
  value = value * f + 1.33335581e-3f;
  value = value * f + 9.61812911e-3f;
  value = value * f + 5.55041087e-2f;
  value = value * f + 0.240226507f;
  value = value * f + 0.693147181f;
  value = value * f + 1;
  int bits = ((int)whole + 127) << 23;
  memcpy(&power, &bits, sizeof power);
  return x < -126 ? 0 : (real)(value * power);
}

VECTORS
static void add_powers(real *sum, const real *a, const real *largest, size_t lanes)
{
  for (size_t lane = 0; lane < lanes; lane++) sum[lane] += exp2_below(a[lane] - largest[lane]);
}

static void add_rows_log(real *sum, const real *in, const long long *places, size_t count,
                         size_t lanes)
{
  real largest[MOST_LANES];

  largest_of_rows(largest, in, places, count, lanes);
  memset(sum, 0, lanes * sizeof *sum);
  for (size_t lane = 0; lane < lanes; lane++)
    largest[lane] = largest[lane] == -INFINITY ? 0 : largest[lane];
  for (size_t i = 0; i < count; i++) add_powers(sum, in + places[i], largest, lanes);
  for (size_t lane = 0; lane < lanes; lane++)
    sum[lane] = sum[lane] > 0 ? largest[lane] + (real)log2(sum[lane]) : -INFINITY;
}

static real add_places_log(const real *in, const long long *places, size_t count)
{
  real largest = -INFINITY, sum = 0;

  for (size_t i = 0; i < count; i++) largest = in[places[i]] > largest ? in[places[i]] : largest;
  for (size_t i = 0; i < count && largest > -INFINITY; i++)
    sum += exp2_below(in[places[i]] - largest);
  return largest == -INFINITY ? largest : largest + (real)log2(sum);
}

VECTORS
static void multiply_row(real *row, const real *factor, size_t lanes, bool fresh,
                         enum mpf_domain domain)
{
  if (fresh)
    memcpy(row, factor, lanes * sizeof *row);
  else if (domain == MPF_LINEAR)
    for (size_t lane = 0; lane < lanes; lane++) row[lane] *= factor[lane];
  else
    for (size_t lane = 0; lane < lanes; lane++) row[lane] += factor[lane];
}

/* The product of all factors for one row of lanes. */
VECTORS
static void multiply_factors(const struct junction_extend *plan, enum mpf_domain domain,
                             const real *factors, size_t row, real *ret)
{
  size_t width = plan->width;

  for (size_t lane = 0; lane < width; lane++) ret[lane] = domain == MPF_LINEAR ? 1 : 0;
  for (unsigned f = 0; f < plan->factor_count; f++) {
    const real *from = factors + plan->high[f * plan->rows + row];
    const int *low = plan->low + f * width;
    if (domain == MPF_LINEAR)
      for (size_t lane = 0; lane < width; lane++) ret[lane] *= from[low[lane]];
    else
      for (size_t lane = 0; lane < width; lane++) ret[lane] += from[low[lane]];
  }
}

VECTORS
static void divide(const real *above, const real *below, size_t count, real *ret)
{
  for (size_t i = 0; i < count; i++) ret[i] = below[i] == 0 ? 0 : above[i] / below[i];
}

void junction_cpu_divide(enum mpf_domain domain, const real *above, const real *below, size_t count,
                         real *ret)
{
  if (domain == MPF_LINEAR)
    divide(above, below, count, ret);
  else
    for (size_t i = 0; i < count; i++)
      ret[i] = below[i] == -INFINITY ? below[i] : above[i] - below[i];
}

/* ---- sums ---- */

struct sum_work {
  const struct junction_stage *stage;
  const long long *tables;
  enum mpf_domain domain;
  const real *in;
  real *out;
  bool in_order;   /* lanes are neighbours in the input too */
  size_t lanes;    /* of a unit */
  size_t segments; /* units of a row */
};

static int sum_unit(void *context, size_t unit, void **memory)
{
  const struct sum_work *work = context;
  const struct junction_stage *stage = work->stage;
  size_t row = unit / work->segments, from = unit % work->segments * work->lanes;
  size_t to = from + work->lanes < stage->width ? from + work->lanes : stage->width;
  const long long *lane_table = work->tables + stage->lane_table,
                  *places = work->tables + stage->sum_table;
  const real *in = work->in + work->tables[stage->row_table + row];
  real *out = work->out + row * stage->width;

  (void)memory;
  if (work->in_order && work->domain == MPF_LINEAR)
    add_rows(out + from, in + from, places, stage->count, to - from);
  else if (work->in_order)
    add_rows_log(out + from, in + from, places, stage->count, to - from);
  else
    for (size_t lane = from; lane < to; lane++)
      out[lane] = work->domain == MPF_LINEAR
                      ? add_places(in + lane_table[lane], places, stage->count)
                      : add_places_log(in + lane_table[lane], places, stage->count);
  return 0;
}

static void run_stage(const struct junction_marginal *plan, const struct junction_stage *stage,
                      enum mpf_domain domain, unsigned threads, const real *clique, real *scratch)
{
  struct sum_work work = {.stage = stage,
                          .tables = plan->tables,
                          .domain = domain,
                          .lanes = stage->width,
                          .in_order = true,
                          .in = (stage->from_clique ? clique : scratch) + stage->in,
                          .out = scratch + stage->out};

  for (size_t lane = 0; lane < stage->width && work.in_order; lane++)
    work.in_order =
        plan->tables[stage->lane_table + lane] == (long long)lane && stage->width <= MOST_LANES;
  if (stage->rows * stage->width * stage->count < LEAST_ENTRIES) threads = 1;
  size_t units = (size_t)UNITS * threads,
         wanted = threads > 1 ? (units + stage->rows - 1) / stage->rows : 1;
  if (stage->width / wanted < LEAST_LANES) wanted = stage->width / LEAST_LANES + 1;
  work.lanes = (stage->width + wanted - 1) / wanted;
  work.segments = (stage->width + work.lanes - 1) / work.lanes;
  struct mpf_crew crew = {.work = sum_unit, .context = &work, .units = stage->rows * work.segments};
  mpf_crew_run(&crew, threads);
}

int junction_cpu_marginalise(const struct junction_marginal *plan, enum mpf_domain domain,
                             unsigned threads, const real *clique, real *scratch)
{
  for (unsigned i = 0; i < plan->stage_count; i++)
    run_stage(plan, &plan->stages[i], domain, threads, clique, scratch);
  return 0;
}

/* ---- products ---- */

struct product_work {
  const struct junction_extend *plan;
  enum mpf_domain domain;
  const real *factors;
  bool fresh;
  real *clique;
  size_t rows; /* of a unit */
};

struct kept {        /* products of a thread, by the rows that they belong to */
  size_t rows[KEPT]; /* the row plus 1, 0: none */
  real products[];   /* [KEPT][width] */
};

static bool same_factors(const struct junction_extend *plan, size_t a, size_t b)
{
  for (unsigned f = 0; f < plan->factor_count; f++)
    if (plan->high[f * plan->rows + a] != plan->high[f * plan->rows + b]) return false;
  return true;
}

static const real *product_of(const struct product_work *work, struct kept *kept, size_t row)
{
  const struct junction_extend *plan = work->plan;
  size_t hash = 0;

  for (unsigned f = 0; f < plan->factor_count; f++)
    hash = hash * 31 + (size_t)plan->high[f * plan->rows + row];
  hash = (hash * UINT64_C(0x9e3779b97f4a7c15) >> 40) % KEPT;
  real *product = kept->products + hash * plan->width;
  if (!kept->rows[hash] || !same_factors(plan, kept->rows[hash] - 1, row))
    multiply_factors(plan, work->domain, work->factors, row, product);
  kept->rows[hash] = row + 1;
  return product;
}

static int product_unit(void *context, size_t unit, void **memory)
{
  const struct product_work *work = context;
  size_t width = work->plan->width, from = unit * work->rows, to = from + work->rows;

  if (!*memory) *memory = calloc(1, sizeof(struct kept) + KEPT * width * sizeof(real));
  if (!*memory) return -1;
  for (size_t row = from; row < to && row < work->plan->rows; row++)
    multiply_row(work->clique + row * width, product_of(work, *memory, row), width, work->fresh,
                 work->domain);
  return 0;
}

int junction_cpu_multiply(const struct junction_extend *plan, enum mpf_domain domain,
                          unsigned threads, const real *factors, bool fresh, real *clique)
{
  if (plan->rows * plan->width < LEAST_ENTRIES) threads = 1;
  struct product_work work = {plan,  domain, factors,
                              fresh, clique, plan->rows / ((size_t)UNITS * threads) + 1};
  struct mpf_crew crew = {.work = product_unit,
                          .finish = free,
                          .context = &work,
                          .units = (plan->rows + work.rows - 1) / work.rows};

  return mpf_crew_run(&crew, threads);
}
