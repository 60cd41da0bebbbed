/* job.h - a bucket as the engine runs it: its inputs at the values of the fixed variables. */
#ifndef MPF_JOB_H
#define MPF_JOB_H

#include "engine.h"
#include "plan.h"

struct mpf_view { /* the part of a table at the values of the fixed variables */
  const struct mpf_table *table;
  size_t base; /* where it starts in the table */
  struct mpf_scope scope;
  unsigned *places; /* owned */
  size_t *strides;  /* owned */
};

struct mpf_job {
  unsigned count;
  struct mpf_view views[MPF_MOST_FUNCTIONS];
  struct mpf_bucket bucket;
  unsigned output_count;
  unsigned *outputs; /* places of the output's variables; owned */
};

/* At most MPF_MOST_FUNCTIONS inputs. `ret_all`: whether all variables that are not kept are summed
 * out; there may be too many configurations for one bucket. End the job in either case. A status of
 * the engine. */
int mpf_job_begin(struct mpf_engine *, unsigned count, struct mpf_table *const *inputs,
                  const bool *kept, struct mpf_job *ret, bool *ret_all);
void mpf_job_end(struct mpf_job *);

/* Where the inputs of all jobs go in one piece of memory, bases[job * MPF_MOST_FUNCTIONS +
 * function]: those in the host's memory first, `ret_host` numbers. The numbers of all. */
size_t mpf_job_place(unsigned count, const struct mpf_job *, size_t *bases, size_t *ret_host);
/* Copies them there; `pool` is the device's. Whether there was memory for it. */
bool mpf_job_gather(struct mpf_engine *, unsigned count, const struct mpf_job *,
                    const size_t *bases, size_t host, real *pool);
size_t mpf_job_inputs(const struct mpf_job *);   /* their numbers */
double mpf_job_exponent(const struct mpf_job *); /* of all inputs together; they are computed */
/* Milliseconds of the kernel, the median of `repeats`; `output` is the device's. A status of the
 * engine. */
int mpf_job_time(struct mpf_engine *, const struct mpf_job *, real *output, int repeats,
                 double *ret_ms);

struct mpf_device_work {                        /* a job on the device */
  size_t bases[MPF_MOST_FUNCTIONS], size, host; /* of the inputs in `pool`: mpf_job_place */
  real *pool;
  bool alone; /* the pool is the one input, where it is */
  struct mpf_plan plan;
  struct mpf_device_plan *device;
};
/* The preparation: memory, and the plan with its tables. Ends it where it fails. A status of the
 * engine. */
int mpf_device_work_begin(struct mpf_engine *, const struct mpf_job *, struct mpf_device_work *ret);
void mpf_device_work_end(struct mpf_engine *, struct mpf_device_work *);

struct mpf_result_of { /* a sum, when it is computed */
  real most;
  size_t denormal;
};
/* Computes the output of a job, on the device with its work or (NULL) on the CPU, and brings its
 * largest value near 1 where it is far from it. Of the engine it uses what does not change. A
 * status of the engine. */
int mpf_job_compute(struct mpf_engine *, const struct mpf_job *, struct mpf_device_work *,
                    struct mpf_table *output, struct mpf_result_of *ret);
void mpf_engine_count(struct mpf_engine *, const struct mpf_result_of *);
/* Brings the largest value of a table near 1 where it is far from it. */
void mpf_table_normalize(enum mpf_domain, struct mpf_table *, real most);
/* So that mpf_job_gather with as many numbers of the host needs no memory. */
bool mpf_engine_reserve(struct mpf_engine *, size_t count);

/* Jobs in one launch; inputs and outputs are each in one piece of device memory. A status of the
 * engine. */
int mpf_job_run_batch(struct mpf_engine *, unsigned count, struct mpf_job *,
                      struct mpf_table **ret);

/* Memory for tables, counted. The device's is written by the device only. */
void *mpf_engine_acquire(struct mpf_engine *, size_t count, bool device);
void mpf_engine_release(struct mpf_engine *, void *memory, size_t count, bool device);
void mpf_engine_forget_memory(struct mpf_engine *); /* after all was released */

#endif
