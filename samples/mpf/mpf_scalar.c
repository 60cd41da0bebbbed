/* mpf_scalar.c - the definition of a bucket, output by output.
 *
 * The places of the summands are in tables, as on a device; an output's place is counted on like an
 * odometer. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "mpf_cpu.h"

struct odometer {
  size_t *digits; /* of the output, the most significant first */
  size_t *places; /* [function]: where its values for this output start */
};

static void seek(const struct mpf_bucket *bucket, struct odometer *at, size_t output)
{
  for (unsigned f = 0; f < bucket->function_count; f++) at->places[f] = 0;
  for (unsigned v = bucket->output_count; v-- > 0;) {
    at->digits[v] = output % bucket->domains[v];
    output /= bucket->domains[v];
    for (unsigned f = 0; f < bucket->function_count; f++)
      at->places[f] += at->digits[v] * bucket->strides[(size_t)f * bucket->variable_count + v];
  }
}

static void advance(const struct mpf_bucket *bucket, struct odometer *at)
{
  for (unsigned v = bucket->output_count; v-- > 0;) {
    bool wraps = ++at->digits[v] == bucket->domains[v];
    for (unsigned f = 0; f < bucket->function_count; f++) {
      size_t stride = bucket->strides[(size_t)f * bucket->variable_count + v];
      at->places[f] =
          wraps ? at->places[f] - (bucket->domains[v] - 1) * stride : at->places[f] + stride;
    }
    if (!wraps) return;
    at->digits[v] = 0;
  }
}

/* [summand][function] */
static size_t *build_sums(const struct mpf_bucket *bucket)
{
  unsigned functions = bucket->function_count;
  size_t *sums = calloc(bucket->summands * functions + 1, sizeof *sums), length = 1;

  for (unsigned v = bucket->variable_count; sums && v > bucket->output_count; v--) {
    for (size_t k = 1; k < bucket->domains[v - 1]; k++)
      for (size_t i = 0; i < length; i++)
        for (unsigned f = 0; f < functions; f++)
          sums[(k * length + i) * functions + f] =
              sums[i * functions + f] +
              k * bucket->strides[(size_t)f * bucket->variable_count + v - 1];
    length *= bucket->domains[v - 1];
  }
  return sums;
}

static real sum_linear(const struct mpf_bucket *bucket, const real *const *tables,
                       const size_t *places, const size_t *sums)
{
  real sum = 0;

  for (size_t s = 0; s < bucket->summands; s++, sums += bucket->function_count) {
    real product = 1;
    for (unsigned f = 0; f < bucket->function_count; f++) product *= tables[f][places[f] + sums[f]];
    sum += product;
  }
  return sum;
}

static real term_of(const struct mpf_bucket *bucket, const real *const *tables,
                    const size_t *places, const size_t *sums)
{
  real term = 0;

  for (unsigned f = 0; f < bucket->function_count; f++) term += tables[f][places[f] + sums[f]];
  return term;
}

static real exp2_of(real x) { return sizeof x == sizeof(float) ? exp2f(x) : exp2(x); }

static real log2_of(real x) { return sizeof x == sizeof(float) ? log2f(x) : log2(x); }

static real sum_log(const struct mpf_bucket *bucket, const real *const *tables,
                    const size_t *places, const size_t *sums)
{
  real largest = -INFINITY, sum = 0;
  const size_t *at = sums;

  for (size_t s = 0; s < bucket->summands; s++, at += bucket->function_count) {
    real term = term_of(bucket, tables, places, at);
    largest = term > largest ? term : largest;
  }
  if (largest == -INFINITY) return largest;
  for (size_t s = 0; s < bucket->summands; s++, sums += bucket->function_count)
    sum += exp2_of(term_of(bucket, tables, places, sums) - largest);
  return largest + log2_of(sum);
}

void mpf_scalar(const struct mpf_bucket *bucket, enum mpf_domain domain, const real *const *tables,
                size_t from, size_t to, real *output)
{
  size_t *sums = build_sums(bucket);
  struct odometer at = {calloc(bucket->output_count + 1, sizeof *at.digits),
                        calloc(bucket->function_count + 1, sizeof *at.places)};

  if (!sums || !at.digits || !at.places) abort();
  seek(bucket, &at, from);
  for (size_t i = from; i < to; i++) {
    output[i - from] = domain == MPF_LINEAR ? sum_linear(bucket, tables, at.places, sums)
                                            : sum_log(bucket, tables, at.places, sums);
    advance(bucket, &at);
  }
  free(sums);
  free(at.digits);
  free(at.places);
}
