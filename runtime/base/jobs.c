/* SPDX-License-Identifier: MIT */
/* jobs.c - a few threads that copy between the program's memory and page-locked slots.
 *
 * One core copies 10 GB/s, PCIe 5 moves 50: four threads keep up. The threads are created at the
 * first large transfer, block all signals and sleep between transfers. */
#include "jobs.h"

#include "lock.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { HELPERS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static struct mesi_job *first, **end = &first; /* jobs that no thread has begun, in order */

/* Does the first job. Requires the lock, and releases it meanwhile. */
static void work(void)
{
  struct mesi_job *job = first;
  first = job->next;
  if (!first) end = &first;
  pthread_mutex_unlock(&lock);
  memcpy(job->to, job->from, job->bytes);
  pthread_mutex_lock(&lock);
  job->done = true;
  pthread_cond_broadcast(&finished);
}

static void *help(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!first) pthread_cond_wait(&added, &lock);
    work();
  }
  return NULL;
}

static bool created; /* the helpers exist */

static void create_helpers(void)
{
  if (created) return;
  created = true;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int i = 0; i < HELPERS && i + 1 < cores; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, help, NULL) == 0) pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void mesi_job_start(struct mesi_job *job, void *to, const void *from, size_t bytes)
{
  *job = (struct mesi_job){to, from, bytes, NULL, false};
  create_helpers();
  pthread_mutex_lock(&lock);
  *end = job;
  end = &job->next;
  pthread_cond_signal(&added);
  pthread_mutex_unlock(&lock);
}

void mesi_job_wait(struct mesi_job *job)
{
  mesi_no_cancel();
  pthread_mutex_lock(&lock);
  while (!job->done)
    if (first)
      work();
    else
      pthread_cond_wait(&finished, &lock);
  pthread_mutex_unlock(&lock);
}

void mesi_jobs_fork(int when)
{
  if (when == 0)
    pthread_mutex_lock(&lock);
  else
    pthread_mutex_unlock(&lock);
  if (when < 2) return;
  created = false;
  pthread_cond_init(&added, NULL);
  pthread_cond_init(&finished, NULL);
}
