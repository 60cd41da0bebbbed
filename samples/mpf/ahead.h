/* ahead.h - sums that are begun before the ones that they wait for are there.
 *
 * Sums are asked for one after another, and each is a task: its shapes, its place (device or CPU)
 * and its memory are decided when it is asked for, from what all earlier ones take; its values come
 * when its inputs are there. So the plan of a bucket is prepared while the device works on the
 * bucket before (section 7.3.3 of the MPF paper), and buckets of the CPU are computed at the same
 * time as those of the device where neither needs the other (section 8). What is computed and in
 * which order its inputs stand is the same as one after another, and so is every bit of it.
 *
 * The device's tasks run on a thread of their own, which starts with the first of them. All else is
 * the caller's thread: what waits helps with tasks of the CPU. */
#ifndef MPF_AHEAD_H
#define MPF_AHEAD_H

#include "job.h"

struct mpf_ahead_times { /* seconds */
  double device;         /* in which the device had a task */
  double prepared;       /* of what the caller does besides, while the device had one */
  double computed;       /* of tasks of the CPU, while the device had one */
};

/* Up to `most` tasks that are not done. MPF_OK, or no memory. */
int mpf_ahead_begin(struct mpf_engine *, unsigned most);
void mpf_ahead_end(struct mpf_engine *); /* waits for all */

/* The output of a job, which is taken over where that is MPF_OK: on the CPU, with inputs that are
 * there, it is computed at once. */
int mpf_ahead_run(struct mpf_engine *, struct mpf_job *, bool device, struct mpf_table *output);
struct mpf_ahead_times mpf_ahead_times(const struct mpf_engine *);
/* A task found no memory: what came after it was not computed. */
bool mpf_ahead_failed(const struct mpf_engine *);

#endif
