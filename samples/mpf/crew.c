/* crew.c - threads that wait for work.
 *
 * They are started when first wanted and stay; starting one takes longer than many a bucket. A
 * thread that has nothing to do looks for work a little while before it sleeps. One work runs at a
 * time: a second caller does its work alone. */
#include "crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_WORKERS = 256, LOOKS = 2000 };

static struct {
  pthread_mutex_t caller; /* held while a work runs */
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  unsigned started; /* threads */
  unsigned wanted;  /* of the current work: threads below this number */
  struct mpf_crew *crew;
  atomic_ulong work; /* the number of the current work */
  atomic_uint busy;  /* threads that have not finished it */
} pool = {.caller = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

unsigned mpf_cpu_cores(void)
{
  long cores = sysconf(_SC_NPROCESSORS_ONLN);

  return cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (unsigned)cores;
}

static void do_units(struct mpf_crew *crew)
{
  void *memory = NULL;

  for (size_t unit; !crew->status && (unit = atomic_fetch_add(&crew->next, 1)) < crew->units;)
    if (crew->work(crew->context, unit, &memory)) crew->status = -1;
  if (crew->finish) crew->finish(memory);
}

static void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

/* The work after `seen`, for thread `number`; NULL where it is not wanted. */
static struct mpf_crew *next_work(unsigned number, unsigned long *seen)
{
  for (int i = 0; i < LOOKS && pool.work == *seen; i++) pause_briefly();
  pthread_mutex_lock(&pool.lock);
  while (pool.work == *seen) pthread_cond_wait(&pool.wake, &pool.lock);
  *seen = pool.work;
  struct mpf_crew *crew = number < pool.wanted ? pool.crew : NULL;
  pthread_mutex_unlock(&pool.lock);
  return crew;
}

static void *run_worker(void *argument)
{
  unsigned number = (unsigned)(size_t)argument;
  unsigned long seen = 0;

  for (;;) {
    struct mpf_crew *crew = next_work(number, &seen);
    if (!crew) continue;
    do_units(crew);
    if (atomic_fetch_sub(&pool.busy, 1) == 1) {
      pthread_mutex_lock(&pool.lock);
      pthread_cond_signal(&pool.done);
      pthread_mutex_unlock(&pool.lock);
    }
  }
  return NULL;
}

/* Starts threads up to `wanted`; how many there are of those. */
static unsigned start_workers(unsigned wanted)
{
  while (pool.started < wanted && pool.started < MOST_WORKERS) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_worker, (void *)(size_t)pool.started)) break;
    pthread_detach(thread);
    pool.started++;
  }
  return pool.started < wanted ? pool.started : wanted;
}

static void wait_for_workers(void)
{
  for (int i = 0; i < LOOKS && pool.busy; i++) pause_briefly();
  pthread_mutex_lock(&pool.lock);
  while (pool.busy) pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

int mpf_crew_run(struct mpf_crew *crew, unsigned threads)
{
  if (threads > crew->units) threads = (unsigned)crew->units;
  if (threads < 2 || pthread_mutex_trylock(&pool.caller)) {
    do_units(crew);
    return crew->status;
  }
  pthread_mutex_lock(&pool.lock);
  pool.wanted = start_workers(threads - 1);
  pool.crew = crew;
  pool.busy = pool.wanted;
  pool.work++;
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.lock);
  do_units(crew);
  wait_for_workers();
  pthread_mutex_unlock(&pool.caller);
  return crew->status;
}
