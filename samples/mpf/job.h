/* job.h - a bucket as the engine runs it: its inputs at the values of the fixed variables. */
#ifndef MPF_JOB_H
#define MPF_JOB_H

#include "engine.h"

struct mpf_view {              /* the part of a table at the values of the fixed variables */
  const struct mpf_table *table;
  size_t base;                 /* where it starts in the table */
  struct mpf_scope scope;
  unsigned *places;            /* owned */
  size_t *strides;             /* owned */
};

struct mpf_job {
  unsigned count;
  struct mpf_view views[MPF_MOST_FUNCTIONS];
  struct mpf_bucket bucket;
  unsigned output_count;
  unsigned *outputs;           /* places of the output's variables; owned */
  double exponent;             /* of all inputs together */
};

/* At most MPF_MOST_FUNCTIONS inputs. `ret_all`: whether all variables that are not kept are summed out; there may be too many
 * configurations for one bucket. End the job in either case. A status of the engine. */
int mpf_job_begin(struct mpf_engine *, unsigned count, struct mpf_table *const *inputs, const bool *kept, struct mpf_job *ret,
                  bool *ret_all);
void mpf_job_end(struct mpf_job *);

/* All inputs one after another into `pool`, function f from bases[f] on. Those of the host (0) or those of the device (1). */
void mpf_job_gather(const struct mpf_job *, real *pool, const size_t *bases, bool device);
size_t mpf_job_inputs(const struct mpf_job *); /* their numbers */

/* Brings the largest value of a table near 1 where it is far from it. */
void mpf_engine_normalize(struct mpf_engine *, struct mpf_table *, real most, size_t denormal);

/* Jobs in one launch; inputs and outputs are each in one piece of device memory. A status of the engine. */
int mpf_job_run_batch(struct mpf_engine *, unsigned count, struct mpf_job *, struct mpf_table **ret);

/* Memory for tables, counted. */
void *mpf_engine_acquire(struct mpf_engine *, size_t count, bool device);
void mpf_engine_release(struct mpf_engine *, void *memory, size_t count, bool device);

#endif
