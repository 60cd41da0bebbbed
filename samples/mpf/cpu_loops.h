/* cpu_loops.h - the vector loops of cpu_isa.h. Needs BYTES (of a vector), ROWS and VECTORS (of the
 * tile), ISA (the name). */
#include "cpu_isa.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#pragma GCC optimize("O3")

enum { LANES = BYTES / sizeof(real), COLUMNS = VECTORS * LANES, IS_FLOAT = sizeof(real) == 4 };

#define REAL_IS_float 1
#define REAL_IS_double 0
#define CHOICE_(name) REAL_IS_##name
#define CHOICE(name) CHOICE_(name)
#if CHOICE(REAL)
typedef int32_t whole;
#else
typedef int64_t whole;
#endif
typedef real vector __attribute__((vector_size(BYTES)));
typedef real loose __attribute__((vector_size(BYTES), aligned(sizeof(real)), may_alias));
typedef whole wholes __attribute__((vector_size(BYTES)));

enum { MANTISSA = IS_FLOAT ? 23 : 52, BIAS = IS_FLOAT ? 127 : 1023 };

static inline vector broadcast(real value) { return value - (vector){0}; }

static inline vector choose(wholes mask, vector yes, vector no)
{
  return (vector)((mask & (wholes)yes) | (~mask & (wholes)no));
}

/* ---- exponential and logarithm ---- */

/* 2^x for x <= 1, by 2^round(x) and the series of exp in the rest. */
static inline vector exp2_vector(vector x)
{
  const real magic = IS_FLOAT ? (real)0x1.8p23 : (real)0x1.8p52;
  static const double terms[] = {1,
                                 6.93147180559945309e-1,
                                 2.40226506959100712e-1,
                                 5.55041086648215800e-2,
                                 9.61812910762847716e-3,
                                 1.33335581464284434e-3,
                                 1.54035303933816099e-4,
                                 1.52527338040598403e-5,
                                 1.32154867901443095e-6,
                                 1.01780860092396997e-7,
                                 7.05491162080112333e-9,
                                 4.44553827187081150e-10,
                                 2.56784359934882051e-11,
                                 1.36914888539041289e-12};
  wholes tiny = x < broadcast(1 - BIAS);
  vector kept = choose(tiny, broadcast(0), x), shifted = kept + magic,
         rest = kept - (shifted - magic);
  vector sum = broadcast((real)terms[IS_FLOAT ? 7 : 13]);

#pragma GCC unroll 16
  for (int i = (IS_FLOAT ? 7 : 13) - 1; i >= 0; i--) sum = sum * rest + (real)terms[i];
  wholes scaled = (wholes)sum + ((wholes)shifted << MANTISSA);
  return (vector)(~tiny & scaled);
}

/* log2 of a normal number, or of 0: minus infinity. */
static inline vector log2_vector(vector x)
{
  /* of the square root of 1/2 */
  const whole half = IS_FLOAT ? (whole)0x3f3504f3 : (whole)0x3fe6a09e667f3bcdll;
  wholes bits = (wholes)x - half, exponent = bits >> MANTISSA;
  vector mantissa = (vector)((wholes)x - (exponent << MANTISSA));
  vector t = (mantissa - (real)1) / (mantissa + (real)1), square = t * t, sum = broadcast(0);

#pragma GCC unroll 16
  for (int i = IS_FLOAT ? 5 : 11; i >= 0; i--)
    sum = sum * square + (real)(2.88539008177792682 / (2 * i + 1));
  vector result = __builtin_convertvector(exponent, vector) + sum * t;
  return choose(x == broadcast(0), broadcast(-INFINITY), result);
}

static void exp2_all(real *values, size_t count)
{
  size_t i = 0;

  for (; i + LANES <= count; i += LANES)
    *(loose *)(values + i) = exp2_vector(*(loose *)(values + i));
  if (i < count) {
    vector rest = {0};
    memcpy(&rest, values + i, (count - i) * sizeof *values);
    rest = exp2_vector(rest);
    memcpy(values + i, &rest, (count - i) * sizeof *values);
  }
}

static void log2_all(real *values, size_t count)
{
  size_t i = 0;

  for (; i + LANES <= count; i += LANES)
    *(loose *)(values + i) = log2_vector(*(loose *)(values + i));
  if (i < count) {
    vector rest = {0};
    memcpy(&rest, values + i, (count - i) * sizeof *values);
    rest = log2_vector(rest);
    memcpy(values + i, &rest, (count - i) * sizeof *values);
  }
}

/* ---- the tile of a matrix product ---- */

static void multiply(size_t k, const real *a, const real *b, real *const *c, bool add)
{
  vector sums[ROWS][VECTORS];

#pragma GCC unroll 32
  for (int r = 0; r < ROWS; r++) {
    __builtin_prefetch(c[r], 1);
    __builtin_prefetch(c[r] + COLUMNS - 1, 1);
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++) sums[r][v] = (vector){0};
  }
  for (size_t i = 0; i < k; i++, a += ROWS, b += COLUMNS) {
    vector row[VECTORS];
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++) row[v] = *(const loose *)(b + v * LANES);
#pragma GCC unroll 32
    for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 8
      for (int v = 0; v < VECTORS; v++) sums[r][v] += a[r] * row[v];
  }
#pragma GCC unroll 32
  for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++)
      *(loose *)(c[r] + v * LANES) =
          sums[r][v] + (add ? (vector) * (loose *)(c[r] + v * LANES) : (vector){0});
}

/* ---- outputs in lanes ---- */

static inline vector fetch(const real *table, const int *offsets, unsigned kind)
{
  if (kind == MPF_LANE_EQUAL) return broadcast(table[offsets[0]]);
  if (kind == MPF_LANE_NEXT) return *(const loose *)(table + offsets[0]);
  vector result;
  for (int i = 0; i < LANES; i++) result[i] = table[offsets[i]];
  return result;
}

static inline vector combine(const struct mpf_lanes *page, enum mpf_domain domain, size_t chunk,
                             size_t summand)
{
  const int *sums = page->sums + summand * page->functions;
  vector result = broadcast(domain == MPF_LINEAR);

  for (unsigned f = 0; f < page->functions; f++) {
    size_t at = f * page->width + chunk * LANES;
    vector value = fetch(page->tables[f] + page->bases[f] + sums[f], page->offsets + at,
                         page->kinds[at / LANES]);
    result = domain == MPF_LINEAR ? result * value : result + value;
  }
  return result;
}

static inline vector sum_linear(const struct mpf_lanes *page, size_t chunk)
{
  vector sum = {0};

  for (size_t s = 0; s < page->summands; s++) sum += combine(page, MPF_LINEAR, chunk, s);
  return sum;
}

static inline vector sum_log(const struct mpf_lanes *page, size_t chunk)
{
  vector largest = broadcast(IS_FLOAT ? (real)-FLT_MAX : (real)-DBL_MAX), sum = {0};

  for (size_t s = 0; s < page->summands; s++) {
    vector term = combine(page, MPF_LOG, chunk, s);
    wholes more = term > largest;
    vector difference = choose(more, largest - term, term - largest),
           part = exp2_vector(difference);
    sum = choose(more, sum * part + (real)1, sum + part);
    largest = choose(more, term, largest);
  }
  return largest + log2_vector(sum);
}

/* The last chunk of a page with fewer outputs than lanes: the lanes behind read what the last one
 * reads. */
static vector sum_rest(const struct mpf_lanes *page, enum mpf_domain domain, size_t chunk,
                       size_t count)
{
  int offsets[64 * LANES];
  unsigned char kinds[64];
  struct mpf_lanes rest = *page;

  for (unsigned f = 0; f < page->functions; f++) {
    const int *from = page->offsets + f * page->width + chunk * LANES;
    for (size_t i = 0; i < LANES; i++) offsets[f * LANES + i] = from[i < count ? i : count - 1];
    kinds[f] = MPF_LANE_ANY;
  }
  rest.width = LANES;
  rest.offsets = offsets;
  rest.kinds = kinds;
  return domain == MPF_LINEAR ? sum_linear(&rest, 0) : sum_log(&rest, 0);
}

static void sum_lanes(const struct mpf_lanes *page, enum mpf_domain domain, real *output,
                      size_t count)
{
  size_t chunk = 0;

  for (; (chunk + 1) * LANES <= count; chunk++)
    *(loose *)(output + chunk * LANES) =
        domain == MPF_LINEAR ? sum_linear(page, chunk) : sum_log(page, chunk);
  size_t left = count - chunk * LANES;
  if (left) {
    vector sum = sum_rest(page, domain, chunk, left);
    memcpy(output + chunk * LANES, &sum, left * sizeof *output);
  }
}

const struct mpf_cpu_isa ISA = {LANES, ROWS, COLUMNS, multiply, exp2_all, log2_all, sum_lanes};
