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

#include "ahead.h"
#include "crew.h"
#include "device.h"
#include "mpf_cpu.h"
#include "turns.h"

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
  mpf_ahead_end(engine);
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

void mpf_device_work_end(struct mpf_engine *engine, struct mpf_device_work *work)
{
  mpf_device_release(work->device);
  mpf_plan_free(&work->plan);
  if (!work->alone) mpf_engine_release(engine, work->pool, work->size, true);
  *work = (struct mpf_device_work){0};
}

/* A single input on the device is used where it is. */
int mpf_device_work_begin(struct mpf_engine *engine, const struct mpf_job *job,
                          struct mpf_device_work *ret)
{
  struct mpf_shape shape = {THREADS, mpf_device_parallelism(), 0, {1, 1}};

  *ret = (struct mpf_device_work){.alone = job->count == 1 && job->views[0].table->device,
                                  .size = job->bucket.sizes[0]};
  if (!ret->alone) ret->size = mpf_job_place(1, job, ret->bases, &ret->host);
  ret->pool = ret->alone ? job->views[0].table->values + job->views[0].base
                         : mpf_engine_acquire(engine, ret->size, true);
  mpf_device_alike(shape.alike);
  if (ret->pool && !mpf_plan_build(&job->bucket, ret->bases, &shape, &ret->plan))
    ret->device = mpf_device_prepare(&ret->plan, ret->size);
  if (ret->device) return MPF_OK;
  mpf_device_work_end(engine, ret);
  return MPF_NO_MEMORY;
}

static bool gather(struct mpf_engine *engine, const struct mpf_job *job,
                   const struct mpf_device_work *work)
{
  return work->alone || mpf_job_gather(engine, 1, job, work->bases, work->host, work->pool);
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
  struct mpf_device_work work;

  if (!fits_device(job)) return MPF_TOO_LARGE;
  int status = mpf_device_work_begin(engine, job, &work);
  if (status) return status;
  if (gather(engine, job, &work))
    *ret_ms = mpf_turns_time(work.device, engine->domain, work.pool, output, repeats);
  else
    status = MPF_NO_MEMORY;
  mpf_device_wait();
  mpf_device_work_end(engine, &work);
  return status;
}

size_t mpf_engine_least_outputs(const struct mpf_engine *engine, double flop)
{
  const double single = 5e4; /* FLOP up to which a bucket is one core's, whatever its outputs */
  const size_t vectors = 1024;

  if (flop >= engine->threshold) return mpf_device_parallelism();
  return flop < single ? 1 : vectors * mpf_cpu_cores();
}

/* ---- results ---- */

static real largest_of(enum mpf_domain domain, const struct mpf_table *table, size_t *denormal)
{
  const real smallest = sizeof(real) == sizeof(float) ? (real)FLT_MIN : (real)DBL_MIN;
  real most = domain == MPF_LINEAR ? 0 : -INFINITY;

  if (table->device) return mpf_device_max(table->values, table->size, domain, denormal);
  *denormal = 0;
  for (size_t i = 0; i < table->size; i++) most = table->values[i] > most ? table->values[i] : most;
  for (size_t i = 0; domain == MPF_LINEAR && i < table->size; i++)
    *denormal += table->values[i] > 0 && table->values[i] < smallest;
  return most;
}

static void shift(enum mpf_domain domain, struct mpf_table *table, int exponent)
{
  if (table->device) {
    mpf_device_shift(table->values, table->size, domain, exponent);
  } else {
    real factor = (real)ldexp(1, exponent);
    for (size_t i = 0; i < table->size; i++)
      table->values[i] =
          domain == MPF_LINEAR ? table->values[i] * factor : table->values[i] + (real)exponent;
  }
  table->exponent -= exponent;
}

void mpf_table_normalize(enum mpf_domain domain, struct mpf_table *table, real most)
{
  int exponent = 0;
  const int far = 4;

  if (domain == MPF_LINEAR)
    frexp(most, &exponent);
  else
    exponent = most == -INFINITY ? 0 : (int)floor(most);
  while (abs(exponent) >= far) { /* a factor of 2^127 and more needs two steps */
    int step = exponent > 100 ? 100 : exponent < -100 ? -100 : exponent;
    shift(domain, table, -step);
    exponent -= step;
  }
}

void mpf_engine_count(struct mpf_engine *engine, const struct mpf_result_of *result)
{
  engine->denormal += result->denormal;
  engine->vanished += engine->domain == MPF_LINEAR && result->most == 0;
}

int mpf_job_compute(struct mpf_engine *engine, const struct mpf_job *job,
                    struct mpf_device_work *work, struct mpf_table *output,
                    struct mpf_result_of *ret)
{
  const real *tables[MPF_MOST_FUNCTIONS];
  int status = MPF_OK;

  for (unsigned i = 0; i < job->count; i++)
    tables[i] = job->views[i].table->values + job->views[i].base;
  if (work && !gather(engine, job, work)) return MPF_NO_MEMORY;
  if (work) {
    mpf_device_run(work->device, engine->domain, work->pool, output->values);
    mpf_device_wait();
  } else if (mpf_cpu(&job->bucket, engine->domain, tables, 0, output->values)) {
    return MPF_NO_MEMORY;
  }
  if (engine->watch) status = engine->watch->bucket(engine->watch, engine, job, output);
  if (status) return status;
  output->exponent = mpf_job_exponent(job);
  ret->most = largest_of(engine->domain, output, &ret->denormal);
  mpf_table_normalize(engine->domain, output, ret->most);
  return MPF_OK;
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

static bool has_room(const struct mpf_engine *engine, size_t outputs, size_t pool)
{
  size_t room = mpf_engine_room(engine) / sizeof(real);

  return outputs <= room && pool <= room - outputs;
}

static int run_now(struct mpf_engine *engine, const struct mpf_job *job, bool device,
                   struct mpf_table *output)
{
  struct mpf_device_work work = {0};
  struct mpf_result_of result = {0};
  int status = device ? mpf_device_work_begin(engine, job, &work) : MPF_OK;

  if (!status) status = mpf_job_compute(engine, job, device ? &work : NULL, output, &result);
  if (device) mpf_device_work_end(engine, &work);
  if (!status) mpf_engine_count(engine, &result);
  return status;
}

/* The output's values are there, or come (mpf_engine_await). */
static int run_job(struct mpf_engine *engine, struct mpf_job *job, struct mpf_table **ret)
{
  bool device = suits_device(engine, job);
  size_t pool = device ? mpf_job_inputs(job) : 0, outputs = job->bucket.outputs;
  double flop = mpf_bucket_flop(&job->bucket);
  int status = has_room(engine, outputs, pool) ? MPF_OK : mpf_engine_await(engine, NULL);

  if (!status && !has_room(engine, outputs, pool)) status = MPF_TOO_LARGE;
  if (status) return status;
  struct mpf_table *output = mpf_table_create(engine, job->output_count, job->outputs, device);
  if (!output && !(status = mpf_engine_await(engine, NULL)))
    output = mpf_table_create(engine, job->output_count, job->outputs, device);
  status = output ? status : MPF_NO_MEMORY;
  if (!status && engine->ahead)
    status = mpf_ahead_run(engine, job, device, output);
  else if (!status)
    status = run_now(engine, job, device, output);
  if (status) {
    mpf_table_free(engine, output);
    if (mpf_engine_await(engine, NULL)) return MPF_NO_MEMORY;
    return lower_limit(engine, (outputs + pool) * sizeof(real));
  }
  engine->flop[device] += flop;
  engine->buckets[device]++;
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
