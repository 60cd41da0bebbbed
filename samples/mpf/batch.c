/* batch.c - many small buckets in one launch.
 *
 * A bucket too small for the device alone runs there together with others, where they come to as
 * much work as one large one. Their outputs share one piece of device memory, which goes with the
 * last of them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "job.h"
#include "plan.h"

enum { THREADS = 256 };

struct batch {
  unsigned count;
  struct mpf_plan *plans; /* owned */
  size_t *bases;          /* [job][function] */
  size_t *outputs_at, *outputs;
  real *largest;
  /* numbers; host: of the inputs, those from the host's memory */
  size_t inputs, host, output_count;
};

static int batch_begin(struct batch *batch, unsigned count, const struct mpf_job *jobs)
{
  *batch = (struct batch){.count = count,
                          .plans = calloc(count, sizeof *batch->plans),
                          .bases = calloc(count * MPF_MOST_FUNCTIONS, sizeof *batch->bases),
                          .outputs_at = calloc(count, sizeof(size_t)),
                          .outputs = calloc(count, sizeof(size_t)),
                          .largest = calloc(count, sizeof(real))};
  if (!batch->plans || !batch->bases || !batch->outputs_at || !batch->outputs || !batch->largest)
    return MPF_NO_MEMORY;
  batch->inputs = mpf_job_place(count, jobs, batch->bases, &batch->host);
  for (unsigned i = 0; i < count; i++) {
    batch->outputs_at[i] = batch->output_count;
    batch->outputs[i] = jobs[i].bucket.outputs;
    batch->output_count += jobs[i].bucket.outputs;
  }
  if (batch->inputs > INT_MAX - 8192 || batch->output_count > INT_MAX - 8192) return MPF_TOO_LARGE;
  for (unsigned i = 0; i < count; i++)
    if (mpf_plan_build(&jobs[i].bucket, batch->bases + i * MPF_MOST_FUNCTIONS,
                       &(struct mpf_shape){THREADS, 0, 1, {1, 1}}, &batch->plans[i]))
      return MPF_NO_MEMORY;
  return MPF_OK;
}

static void batch_end(struct batch *batch)
{
  for (unsigned i = 0; batch->plans && i < batch->count; i++) mpf_plan_free(&batch->plans[i]);
  free(batch->plans);
  free(batch->bases);
  free(batch->outputs_at);
  free(batch->outputs);
  free(batch->largest);
}

static struct mpf_table *table_in(const struct mpf_job *job, struct mpf_shared *shared, size_t at)
{
  struct mpf_table *table = calloc(1, sizeof *table);

  if (!table) return NULL;
  *table = (struct mpf_table){.count = job->output_count,
                              .size = job->bucket.outputs,
                              .values = shared->memory + at,
                              .shared = shared,
                              .exponent = mpf_job_exponent(job),
                              .device = true};
  table->places = malloc((table->count + 1) * sizeof *table->places);
  if (!table->places) {
    free(table);
    return NULL;
  }
  memcpy(table->places, job->outputs, table->count * sizeof *table->places);
  shared->users++;
  return table;
}

static struct mpf_shared *shared_create(struct mpf_engine *engine, size_t count)
{
  struct mpf_shared *shared = calloc(1, sizeof *shared);

  if (!shared) return NULL;
  shared->count = count;
  shared->memory = mpf_engine_acquire(engine, count, true);
  if (!shared->memory) {
    free(shared);
    return NULL;
  }
  return shared;
}

static int launch(struct mpf_engine *engine, const struct batch *batch, const struct mpf_job *jobs,
                  real *output, size_t *denormal)
{
  real *pool = mpf_engine_acquire(engine, batch->inputs, true);

  if (!pool) return MPF_NO_MEMORY;
  int status = mpf_job_gather(engine, batch->count, jobs, batch->bases, batch->host, pool) ? 0 : -1;
  if (!status)
    status =
        mpf_device_run_batch(batch->count, batch->plans, engine->domain, pool, batch->inputs,
                             output, batch->outputs_at, batch->outputs, batch->largest, denormal);
  mpf_engine_release(engine, pool, batch->inputs, true);
  return status ? MPF_NO_MEMORY : MPF_OK;
}

int mpf_job_run_batch(struct mpf_engine *engine, unsigned count, struct mpf_job *jobs,
                      struct mpf_table **ret)
{
  struct batch batch;
  struct mpf_shared *shared = NULL;
  unsigned made = 0;
  size_t denormal = 0;
  int status = batch_begin(&batch, count, jobs);

  if (!status &&
      (engine->used + (batch.inputs + batch.output_count) * sizeof(real) > engine->memory))
    status = MPF_TOO_LARGE;
  if (!status)
    status = (shared = shared_create(engine, batch.output_count)) ? MPF_OK : MPF_NO_MEMORY;
  if (!status) status = launch(engine, &batch, jobs, shared->memory, &denormal);
  for (; !status && made < count; made++)
    status = (ret[made] = table_in(&jobs[made], shared, batch.outputs_at[made])) ? MPF_OK
                                                                                 : MPF_NO_MEMORY;
  for (unsigned i = 0; !status && i < count; i++) {
    mpf_table_normalize(engine->domain, ret[i], batch.largest[i]);
    mpf_engine_count(engine, &(struct mpf_result_of){batch.largest[i], i ? 0 : denormal});
    engine->flop[1] += mpf_bucket_flop(&jobs[i].bucket);
    engine->buckets[1]++;
  }
  engine->batches += !status;
  if (status && shared) { /* what exists frees it */
    shared->users++;
    for (unsigned i = 0; i + 1 < made; i++) mpf_table_free(engine, ret[i]);
    mpf_engine_release(engine, shared->memory, shared->count, true);
    free(shared);
  }
  batch_end(&batch);
  return status;
}

bool mpf_engine_small(struct mpf_engine *engine, unsigned count, struct mpf_table *const *inputs,
                      const bool *kept, double *ret_flop)
{
  struct mpf_job job;
  bool all = false;

  *ret_flop = 0;
  if (!count || count > MPF_MOST_FUNCTIONS) return false;
  int status = mpf_job_begin(engine, count, inputs, kept, &job, &all);
  if (!status) *ret_flop = mpf_bucket_flop(&job.bucket);
  mpf_job_end(&job);
  return !status && all && *ret_flop < engine->threshold;
}

int mpf_engine_batch(struct mpf_engine *engine, unsigned count, const struct mpf_request *requests,
                     struct mpf_table **ret)
{
  struct mpf_job *jobs = calloc(count, sizeof *jobs);
  bool *kept = malloc(engine->variable_count + 1), all;
  unsigned begun = 0;
  int status = jobs && kept ? MPF_OK : MPF_NO_MEMORY;

  for (; !status && begun < count; begun++) {
    memset(kept, 1, engine->variable_count);
    kept[requests[begun].place] = false;
    status = mpf_job_begin(engine, requests[begun].count, requests[begun].inputs, kept,
                           &jobs[begun], &all);
  }
  if (!status) status = mpf_engine_await(engine, NULL);
  if (!status) status = mpf_job_run_batch(engine, count, jobs, ret);
  for (unsigned i = 0; i < begun; i++) mpf_job_end(&jobs[i]);
  free(jobs);
  free(kept);
  return status;
}
