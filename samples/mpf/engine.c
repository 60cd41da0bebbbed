/* engine.c - one bucket: views of its inputs, the device or the CPU, and a result near 1.
 *
 * Results are scaled by a power of two as soon as their largest value leaves a range around 1, so
 * that neither products of many small numbers vanish in the linear domain nor large exponents eat
 * the precision of logarithms. */
#include "job.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "mpf_cpu.h"

enum { THREADS = 256, LEAST_OUTPUTS = 1024 };

int mpf_engine_begin(struct mpf_engine *engine, enum mpf_domain domain, const unsigned *domains,
                     unsigned variable_count, int *fixed)
{
  *engine = (struct mpf_engine){.domain = domain,
                                .domains = domains,
                                .variable_count = variable_count,
                                .fixed = fixed,
                                .threshold = INFINITY,
                                .memory = (size_t)-1};
  engine->summed = calloc(variable_count + 1, sizeof *engine->summed);
  return engine->summed ? MPF_OK : MPF_NO_MEMORY;
}

void mpf_engine_end(struct mpf_engine *engine)
{
  mpf_engine_forget_memory(engine);
  free(engine->summed);
}

double mpf_engine_log2(const struct mpf_engine *engine, const struct mpf_table *table)
{
  size_t at = 0, stride = 1;

  for (unsigned i = table->count; i-- > 0; stride *= engine->domains[table->places[i]])
    at +=
        engine->fixed[table->places[i]] > 0 ? (size_t)engine->fixed[table->places[i]] * stride : 0;
  double value = table->values[at];
  return (engine->domain == MPF_LINEAR ? log2(value) : value) + table->exponent;
}

/* ---- on the device ---- */

static real *gather(struct mpf_engine *engine, const struct mpf_job *job, size_t *bases,
                    size_t *ret_size)
{
  size_t host;

  *ret_size = mpf_job_place(1, job, bases, &host);
  real *pool = mpf_engine_acquire(engine, *ret_size, true);
  if (pool && mpf_job_gather(engine, 1, job, bases, host, pool)) return pool;
  mpf_engine_release(engine, pool, *ret_size, true);
  return NULL;
}

/* A single input on the device is used where it is. Times `repeats` runs, or runs it (0). */
static int run_on_device(struct mpf_engine *engine, const struct mpf_job *job, real *output,
                         int repeats, double *ret_ms)
{
  size_t bases[MPF_MOST_FUNCTIONS] = {0}, size = job->bucket.sizes[0];
  bool alone = job->count == 1 && job->views[0].table->device;
  real *pool =
      alone ? job->views[0].table->values + job->views[0].base : gather(engine, job, bases, &size);
  struct mpf_plan plan = {0};
  struct mpf_device_plan *device = NULL;
  struct mpf_shape shape = {THREADS, mpf_device_parallelism(), 0, {1, 1}};
  mpf_device_alike(shape.alike);
  int status = pool && !mpf_plan_build(&job->bucket, bases, &shape, &plan) ? MPF_OK : MPF_NO_MEMORY;

  if (!status) status = (device = mpf_device_prepare(&plan, size)) ? MPF_OK : MPF_NO_MEMORY;
  if (!status && repeats)
    *ret_ms = mpf_device_time(device, engine->domain, pool, output, repeats);
  else if (!status)
    mpf_device_run(device, engine->domain, pool, output);
  mpf_device_wait();
  mpf_device_release(device);
  mpf_plan_free(&plan);
  if (!alone) mpf_engine_release(engine, pool, size, true);
  return status;
}

bool mpf_engine_suits_device(double threshold, const struct mpf_bucket *bucket)
{
  return mpf_bucket_flop(bucket) >= threshold &&
         (threshold == 0 || bucket->outputs >= LEAST_OUTPUTS);
}

/* Kernels can number what it has. */
static bool fits_device(const struct mpf_job *job)
{
  size_t inputs = mpf_job_inputs(job);
  const size_t most = (size_t)1 << 31;

  return job->count && job->bucket.outputs < most - 8192 && inputs < most - 8192;
}

static bool suits_device(const struct mpf_engine *engine, const struct mpf_job *job)
{
  return fits_device(job) && mpf_engine_suits_device(engine->threshold, &job->bucket);
}

int mpf_job_time(struct mpf_engine *engine, const struct mpf_job *job, real *output, int repeats,
                 double *ret_ms)
{
  return fits_device(job) ? run_on_device(engine, job, output, repeats, ret_ms) : MPF_TOO_LARGE;
}

/* ---- results ---- */

static real largest_of(const struct mpf_engine *engine, const struct mpf_table *table,
                       size_t *denormal)
{
  const real smallest = sizeof(real) == sizeof(float) ? (real)FLT_MIN : (real)DBL_MIN;
  real most = engine->domain == MPF_LINEAR ? 0 : -INFINITY;

  if (table->device) return mpf_device_max(table->values, table->size, engine->domain, denormal);
  *denormal = 0;
  for (size_t i = 0; i < table->size; i++) most = table->values[i] > most ? table->values[i] : most;
  for (size_t i = 0; engine->domain == MPF_LINEAR && i < table->size; i++)
    *denormal += table->values[i] > 0 && table->values[i] < smallest;
  return most;
}

static void shift(const struct mpf_engine *engine, struct mpf_table *table, int exponent)
{
  if (table->device) {
    mpf_device_shift(table->values, table->size, engine->domain, exponent);
  } else {
    real factor = (real)ldexp(1, exponent);
    for (size_t i = 0; i < table->size; i++)
      table->values[i] = engine->domain == MPF_LINEAR ? table->values[i] * factor
                                                      : table->values[i] + (real)exponent;
  }
  table->exponent -= exponent;
}

void mpf_engine_normalize(struct mpf_engine *engine, struct mpf_table *table, real most,
                          size_t denormal)
{
  int exponent = 0;
  const int far = 4;

  engine->denormal += denormal;
  if (engine->domain == MPF_LINEAR)
    frexp(most, &exponent);
  else
    exponent = most == -INFINITY ? 0 : (int)floor(most);
  engine->vanished += engine->domain == MPF_LINEAR && most == 0;
  while (abs(exponent) >= far) { /* a factor of 2^127 and more needs two steps */
    int step = exponent > 100 ? 100 : exponent < -100 ? -100 : exponent;
    shift(engine, table, -step);
    exponent -= step;
  }
}

/* ---- sums ---- */

/* There is less memory than the limit says: it comes down to below what was asked for, so that a
 * variable is set. */
static int lower_limit(struct mpf_engine *engine, size_t bytes)
{
  const size_t small = 1 << 20; /* where that is missing, nothing helps */

  if (bytes < small || engine->memory <= engine->used) return MPF_NO_MEMORY;
  engine->memory = engine->used + bytes / 4 * 3 < engine->memory ? engine->used + bytes / 4 * 3
                                                                 : engine->memory / 8 * 7;
  return MPF_TOO_LARGE;
}

size_t mpf_engine_room(const struct mpf_engine *engine)
{
  size_t left = engine->memory > engine->used ? engine->memory - engine->used : 0;

  return engine->conditioned ? left / 2 : left;
}

static int run_job(struct mpf_engine *engine, struct mpf_job *job, struct mpf_table **ret)
{
  bool device = suits_device(engine, job);
  size_t pool = device ? mpf_job_inputs(job) : 0;

  size_t room = mpf_engine_room(engine) / sizeof(real);
  if (job->bucket.outputs > room || pool > room - job->bucket.outputs) return MPF_TOO_LARGE;
  struct mpf_table *output = mpf_table_create(engine, job->output_count, job->outputs, device);
  int status = output ? MPF_OK : MPF_NO_MEMORY;
  const real *tables[MPF_MOST_FUNCTIONS];
  for (unsigned i = 0; i < job->count; i++)
    tables[i] = job->views[i].table->values + job->views[i].base;
  if (!status && device)
    status = run_on_device(engine, job, output->values, 0, NULL);
  else if (!status)
    status =
        mpf_cpu(&job->bucket, engine->domain, tables, 0, output->values) ? MPF_NO_MEMORY : MPF_OK;
  if (!status && engine->watch) status = engine->watch->bucket(engine->watch, engine, job, output);
  if (status) {
    mpf_table_free(engine, output);
    return lower_limit(engine, (job->bucket.outputs + pool) * sizeof(real));
  }
  engine->flop[device] += mpf_bucket_flop(&job->bucket);
  engine->buckets[device]++;
  output->exponent = job->exponent;
  size_t denormal;
  real most = largest_of(engine, output, &denormal);
  mpf_engine_normalize(engine, output, most, denormal);
  *ret = output;
  return MPF_OK;
}

static int sum_once(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs,
                    const bool *kept, struct mpf_table **ret, bool *ret_all)
{
  struct mpf_job job;
  int status = mpf_job_begin(engine, count, inputs, kept, &job, ret_all);

  if (!status) status = run_job(engine, &job, ret);
  mpf_job_end(&job);
  return status;
}

int mpf_engine_bucket(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs,
                      const bool *kept, struct mpf_table **ret)
{
  struct mpf_table *table = NULL;
  bool all;
  int status = sum_once(engine, count, inputs, kept, &table, &all);

  while (!status && !all) {
    struct mpf_table *partial = table;
    status = sum_once(engine, 1, &partial, kept, &table, &all);
    mpf_table_free(engine, partial);
  }
  if (!status) *ret = table;
  return status;
}
