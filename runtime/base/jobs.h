/* SPDX-License-Identifier: MIT */
/* jobs.h - copies of host memory by helper threads. Internal to the runtime. Requires the lock. */
#ifndef MESI_JOBS_H
#define MESI_JOBS_H

#include <stdbool.h>
#include <stddef.h>

struct mesi_job { /* the caller's, until mesi_job_wait returns */
  void *to;
  const void *from;
  size_t bytes;
  struct mesi_job *next; /* in the list of jobs that no thread has begun */
  bool done;
};

/* Copies the bytes in the background. */
void mesi_job_start(struct mesi_job *job, void *to, const void *from, size_t bytes);
/* Waits until the job is done. Meanwhile it does jobs that no thread has begun, so that it needs no
 * helpers. */
void mesi_job_wait(struct mesi_job *job);

/* Around fork: 0 before it, 1 in the parent, 2 in the child, which has no helpers. No thread has a
 * job meanwhile. */
void mesi_jobs_fork(int when);

#endif
