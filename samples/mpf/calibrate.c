/* calibrate.c - from which complexity on the device wins.
 *
 * Buckets of three functions, each four times as large as the one before, run on all cores and on
 * the device, its preparation included. The threshold is the first size from which on the device is
 * faster at every size. A first run on the device does not count: it allocates and transfers, which
 * the solver does once for many buckets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "device.h"
#include "engine.h"
#include "mpf_cpu.h"
#include "random.h"

enum { FUNCTIONS = 3, VARIABLES = 4, TRIES = 3 };

static const double give_up_ms = 60; /* of a device that was slower at the size before, too */

static double now_ms(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* f(a, b, s) g(b, c, s) h(a, c, s) summed over s, with `side` values of a, b and c. */
static int build(unsigned side, struct mpf_bucket *ret)
{
  static const unsigned places[FUNCTIONS][3] = {{0, 1, 3}, {1, 2, 3}, {0, 2, 3}};
  unsigned domains[VARIABLES] = {side, side, side, 4};
  bool summed[VARIABLES] = {false, false, false, true};
  struct mpf_scope scopes[FUNCTIONS];

  for (unsigned f = 0; f < FUNCTIONS; f++) scopes[f] = (struct mpf_scope){3, places[f], NULL};
  return mpf_bucket_build(FUNCTIONS, scopes, domains, summed, ret);
}

static double time_cpu(const struct mpf_bucket *bucket, enum mpf_domain domain, const real *values,
                       const size_t *bases, real *output)
{
  const real *tables[FUNCTIONS];
  double best = INFINITY;

  for (unsigned f = 0; f < FUNCTIONS; f++) tables[f] = values + bases[f];
  for (int i = 0; i < TRIES; i++) {
    double start = now_ms();
    if (mpf_cpu(bucket, domain, tables, 0, output)) return INFINITY;
    double time = now_ms() - start;
    best = time < best ? time : best;
  }
  return best;
}

static double time_device_once(const struct mpf_bucket *bucket, enum mpf_domain domain,
                               const real *values, const size_t *bases, size_t size, real *output)
{
  struct mpf_plan plan;
  double start = now_ms();

  struct mpf_shape shape = {256, mpf_device_parallelism(), 0, {1, 1}};
  mpf_device_alike(shape.alike);
  if (mpf_plan_build(bucket, bases, &shape, &plan)) return INFINITY;
  struct mpf_device_plan *device = mpf_device_prepare(&plan, size);
  if (device) mpf_device_run(device, domain, values, output);
  mpf_device_wait();
  double time = device ? now_ms() - start : INFINITY;
  mpf_device_release(device);
  mpf_plan_free(&plan);
  return time;
}

/* `hopeless`: it was slower before. */
static double time_device(const struct mpf_bucket *bucket, enum mpf_domain domain,
                          const real *values, const size_t *bases, size_t size, real *output,
                          bool hopeless)
{
  double best = INFINITY;

  time_device_once(bucket, domain, values, bases, size, output);
  for (int i = 0; i < TRIES && (i == 0 || !hopeless || best < give_up_ms); i++)
    best = fmin(best, time_device_once(bucket, domain, values, bases, size, output));
  return best;
}

/* Device time over CPU time, `ret_ms` of the device, `ret_rate` of the faster one; not a number
 * where there is no memory. */
static double compare(const struct mpf_bucket *bucket, enum mpf_domain domain, bool hopeless,
                      double *ret_ms, double *ret_rate)
{
  size_t bases[FUNCTIONS], size = 0;
  double ratio = NAN;

  for (unsigned f = 0; f < FUNCTIONS; f++) {
    bases[f] = size;
    size += bucket->sizes[f];
  }
  real *values = malloc(size * sizeof *values), *output = malloc(bucket->outputs * sizeof *output);
  real *pool = mpf_device_alloc(size), *result = mpf_device_alloc(bucket->outputs);
  *ret_ms = INFINITY;
  if (values && output && pool && result) {
    mpf_random_values(1, domain, 1, values, size);
    mpf_random_values(1, domain, 1, pool, size);
    double cpu = time_cpu(bucket, domain, values, bases, output);
    *ret_ms = time_device(bucket, domain, pool, bases, size, result, hopeless);
    ratio = *ret_ms / cpu;
    *ret_rate = mpf_bucket_flop(bucket) / fmin(*ret_ms, cpu) * 1e3;
  }
  mpf_device_free(pool);
  mpf_device_free(result);
  free(values);
  free(output);
  return ratio;
}

double mpf_engine_calibrate(enum mpf_domain domain, double most_flop, double *ret_rate)
{
  double threshold = INFINITY;
  unsigned wins = 0; /* in a row */

  *ret_rate = 0;
  for (unsigned side = 12; side <= 500; side = side * 8 / 5) {
    struct mpf_bucket bucket;
    double ms;
    if (build(side, &bucket)) return INFINITY;
    double ratio = compare(&bucket, domain, !wins, &ms, ret_rate);
    if (isnan(ratio)) {
      mpf_bucket_free(&bucket);
      break;
    }
    wins = ratio < 1 ? wins + 1 : 0;
    if (wins == 1) threshold = mpf_bucket_flop(&bucket);
    bool enough = mpf_bucket_flop(&bucket) > most_flop;
    mpf_bucket_free(&bucket);
    if (enough || (!wins && ms > give_up_ms)) break;
  }
  return wins > 0 ? threshold : INFINITY;
}

const char *mpf_threshold_text(double threshold, char *ret, size_t size)
{
  if (threshold == INFINITY)
    snprintf(ret, size, "no bucket for the device");
  else
    snprintf(ret, size, "threshold %.3g FLOP", threshold);
  return ret;
}
