/* SPDX-License-Identifier: MIT */
/* grid.c - runs a grid: blocks over a pool of workers, or all blocks at once for a cooperative
 * grid.
 *
 * Blocks are numbered x fastest and handed out in chunks. Nothing is stored for a block, so that a
 * grid may be as large as CUDA allows. The order is a function from position to block: identity,
 * reversed, or a keyed permutation (a Feistel network over the next power of four, applied until
 * the result is in the grid).
 *
 * A cooperative grid takes one OS thread per block, since __shared__ is thread_local. In a
 * deterministic run these threads pass a turn on at grid barriers, so that one runs at a time.
 *
 * Blocks of other grids may wait for one another, too, as if all were resident: with a lock, or a
 * barrier of the program's own. A worker whose block makes no progress hands back the blocks of its
 * chunk, and helpers, which are more OS threads, run the blocks that have not begun. In a
 * deterministic run workers and helpers pass a turn on there.
 */
#define _GNU_SOURCE
#include "forks.h"
#include "scheduler_internal.h"
#include "../seeded.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t block_count(const struct mesi_cpu_launch *launch)
{
  return (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
}

static uint64_t permute(uint64_t seed, uint64_t position, uint64_t total)
{
  unsigned half = 1;
  while (half < 32 && (UINT64_C(1) << 2 * half) < total) half++;
  uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = position >> half, right = position & mask;
    for (unsigned round = 0; round < 4; round++) {
      uint64_t key = seed + round * 0x632be59bd9b4e019u + right;
      uint64_t next = left ^ (random_next(&key) & mask);
      left = right;
      right = next;
    }
    position = left << half | right;
  } while (position >= total);
  return position;
}

static uint64_t block_at(uint64_t position, uint64_t total)
{
  const struct options *options = mesi_cpu_options();
  switch (options->schedule) {
  case SCHEDULE_FORWARD: return position;
  case SCHEDULE_REVERSE: return total - 1 - position;
  case SCHEDULE_RANDOM: return permute(options->seed, position, total);
  }
  return position;
}

static struct mesi_cpu_dim block_index(const struct mesi_cpu_launch *launch, uint64_t linear)
{
  struct mesi_cpu_dim grid = launch->grid;
  return (struct mesi_cpu_dim){(unsigned)(linear % grid.x), (unsigned)(linear / grid.x % grid.y),
                               (unsigned)(linear / grid.x / grid.y)};
}

/* The calling OS thread's worker. A pool thread's is never freed: the thread lives as long as the
 * process. */
static struct worker *own_worker(void)
{
  if (!mesi_cpu_worker) {
    mesi_cpu_worker = worker_create();
    report_thread_setup();
  }
  return mesi_cpu_worker;
}

/* ---- the pool ---- */

static struct {
  pthread_mutex_t launch; /* one grid at a time */
  pthread_mutex_t mutex;  /* over the fields below */
  pthread_cond_t start, done;
  unsigned threads;                  /* created so far, besides the caller */
  unsigned busy;                     /* of them, those that run blocks of the current grid */
  uint64_t generation;               /* grids handed to the pool */
  const struct mesi_cpu_launch *job; /* NULL: no grid that a thread may join */
  _Atomic uint64_t next;             /* first block not handed out */
  uint64_t total, chunk;
  struct blocks {
    uint64_t first, end;
  } * returned; /* handed out, but not begun */
  unsigned returned_count, returned_room;
  _Atomic unsigned helpers; /* made for the current grid */
  uint64_t turns, turn;     /* of a deterministic run: handed out, running now */
  pthread_cond_t passed;
} pool = {.launch = PTHREAD_MUTEX_INITIALIZER,
          .mutex = PTHREAD_MUTEX_INITIALIZER,
          .start = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .passed = PTHREAD_COND_INITIALIZER};

extern void mesi_kernel_thread(int running) __attribute__((weak));
/* Of libmesi_cpu_core: does another process make this launch? */
extern int mesi_launch_elsewhere(const unsigned grid[3], const unsigned block[3])
    __attribute__((weak));
extern void mesi_launching_thread(int running) __attribute__((weak));

static void take_turn(void)
{
  if (!mesi_cpu_options()->serial) return;
  pthread_mutex_lock(&pool.mutex);
  uint64_t own = pool.turns++;
  while (pool.turn != own) pthread_cond_wait(&pool.passed, &pool.mutex);
  pthread_mutex_unlock(&pool.mutex);
}

static void pass_pool_turn(void)
{
  if (!mesi_cpu_options()->serial) return;
  pthread_mutex_lock(&pool.mutex);
  pool.turn++;
  pthread_cond_broadcast(&pool.passed);
  pthread_mutex_unlock(&pool.mutex);
}

static bool take_returned(struct worker *w)
{
  if (!pool.helpers) return false;
  pthread_mutex_lock(&pool.mutex);
  bool any = pool.returned_count > 0;
  if (any) {
    struct blocks blocks = pool.returned[--pool.returned_count];
    w->next_block = blocks.first;
    w->end_block = blocks.end;
  }
  pthread_mutex_unlock(&pool.mutex);
  return any;
}

static bool take_chunk(struct worker *w)
{
  uint64_t total = pool.total, chunk = pool.chunk, first = atomic_fetch_add(&pool.next, chunk);
  if (first >= total) return take_returned(w);
  w->next_block = first;
  w->end_block =
      first + chunk < total ? first + chunk : total - (total > 1 && SEEDED(LAST_BLOCK_MISSED));
  return true;
}

static void run_chunks(const struct mesi_cpu_launch *launch)
{
  if (mesi_kernel_thread) mesi_kernel_thread(1);
  struct worker *w = own_worker();
  take_turn();
  w->launch = launch;
  while (take_chunk(w))
    while (w->next_block < w->end_block) {
      uint64_t linear = block_at(w->next_block++, pool.total);
      worker_run_block(w, block_index(launch, linear), linear);
    }
  w->launch = NULL;
  pass_pool_turn();
  if (mesi_kernel_thread) mesi_kernel_thread(0);
}

static void *pool_main(void *generation_before)
{
  uint64_t seen = *(uint64_t *)generation_before;
  free(generation_before);
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    while (pool.generation == seen) pthread_cond_wait(&pool.start, &pool.mutex);
    seen = pool.generation;
    const struct mesi_cpu_launch *job = pool.job;
    if (!job) continue; /* the grid has finished without this thread */
    pool.busy++;
    pthread_mutex_unlock(&pool.mutex);
    run_chunks(job);
    pthread_mutex_lock(&pool.mutex);
    if (--pool.busy == 0) pthread_cond_signal(&pool.done);
  }
  return NULL;
}

/* Threads of a launch leave other signals to the program's own threads. */
static int start_thread(pthread_t *ret_thread, void *(*entry)(void *), void *argument)
{
  sigset_t all, old;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGILL);
  sigdelset(&all, SIGABRT);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int error = pthread_create(ret_thread, NULL, entry, argument);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return error;
}

/* ---- helpers ---- */

#define MOST_HELPERS 2048u
#define STALLED_NS \
  2000000u /* a block waits so long before another thread runs the blocks that have not begun */

static void *helper_main(void *launch)
{
  run_chunks(launch);
  struct worker *w = mesi_cpu_worker;
  mesi_cpu_worker = NULL;
  worker_destroy(w);
  pthread_mutex_lock(&pool.mutex);
  if (--pool.busy == 0) pthread_cond_signal(&pool.done);
  pthread_mutex_unlock(&pool.mutex);
  return NULL;
}

/* Requires pool.mutex. */
static void start_helper(const struct mesi_cpu_launch *launch)
{
  pthread_t thread;
  if (pool.helpers >= MOST_HELPERS) return;
  pool.busy++;
  pool.helpers++;
  if (start_thread(&thread, helper_main, (void *)launch) == 0)
    pthread_detach(thread);
  else
    pool.busy--;
}

/* Requires pool.mutex. */
static void hand_back(struct worker *w)
{
  if (w->next_block >= w->end_block) return;
  if (pool.returned_count == pool.returned_room) {
    unsigned room = pool.returned_room ? 2 * pool.returned_room : 16;
    void *larger = realloc(pool.returned, room * sizeof *pool.returned);
    if (!larger) return;
    pool.returned = larger;
    pool.returned_room = room;
  }
  pool.returned[pool.returned_count++] = (struct blocks){w->next_block, w->end_block};
  w->end_block = w->next_block;
}

/* Doubles the helpers: a grid may wait for all of its blocks. */
static void call_helpers(struct worker *w)
{
  pthread_mutex_lock(&pool.mutex);
  uint64_t more = pool.helpers + 1;
  hand_back(w);
  uint64_t next = atomic_load(&pool.next),
           left = (next < pool.total ? pool.total - next : 0) + pool.returned_count;
  for (uint64_t i = 0; i < more && i < left; i++) start_helper(w->launch);
  pthread_mutex_unlock(&pool.mutex);
}

static uint64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void relax_pooled(struct worker *w)
{
  bool serial = mesi_cpu_options()->serial;
  uint64_t now = serial ? 1 : now_ns();
  if (!w->stalled) w->stalled = now;
  if (serial || now - w->stalled > STALLED_NS) {
    call_helpers(w);
    w->stalled = now;
  }
  pass_pool_turn();
  take_turn();
  if (!serial) sched_yield();
}

/* Requires pool.mutex. Fewer threads than wanted only cost speed. */
static void grow_pool(unsigned wanted)
{
  while (pool.threads < wanted) {
    pthread_t thread;
    uint64_t *seen = malloc(sizeof *seen);
    if (!seen) return;
    *seen = pool.generation;
    if (start_thread(&thread, pool_main, seen) != 0) {
      free(seen);
      return;
    }
    pthread_detach(thread);
    pool.threads++;
  }
}

/* In a forked child there are no pool threads; it makes its own. */
static void forget_pool(void)
{
  pool.threads = pool.busy = 0;
  pool.job = NULL;
  pool.turn = pool.turns = 0;
  pthread_mutex_init(&pool.launch, NULL);
  pthread_mutex_init(&pool.mutex, NULL);
  pthread_cond_init(&pool.start, NULL);
  pthread_cond_init(&pool.done, NULL);
  pthread_cond_init(&pool.passed, NULL);
}

/* The locks of api_*.c are held for a few instructions each. The pool's may be held as long as a
 * kernel runs, so that the child gets a new one. */
void mesi_cpu_forks(int when)
{
  api_memory_fork(when);
  api_kernel_fork(when);
  if (check_memory_fork) check_memory_fork(when);
  if (when < 2) return;
  report_in_child();
  forget_pool();
}

static void before_fork(void) { mesi_cpu_forks(0); }
static void in_parent(void) { mesi_cpu_forks(1); }
static void in_child(void) { mesi_cpu_forks(2); }

/* of the runtime for virtual shared data, which handles these locks after its own */
extern void mesi_forks_watch(void) __attribute__((weak));

static void initialise(void)
{
  report_install();
  if (mesi_forks_watch)
    mesi_forks_watch();
  else
    pthread_atfork(before_fork, in_parent, in_child);
}

static void run_pooled(const struct mesi_cpu_launch *launch)
{
  unsigned workers = mesi_cpu_workers();
  pool.total = block_count(launch);
  pool.chunk = pool.total / (workers * 16u);
  if (pool.chunk < 1) pool.chunk = 1;
  if (pool.chunk > 64) pool.chunk = 64;
  atomic_store(&pool.next, 0);
  pool.helpers = 0;
  pool.returned_count = 0;
  bool shared = workers > 1 && pool.total > 1;
  if (shared) {
    pthread_mutex_lock(&pool.mutex);
    grow_pool(workers - 1);
    pool.job = launch;
    pool.generation++;
    pthread_cond_broadcast(&pool.start);
    pthread_mutex_unlock(&pool.mutex);
  }
  run_chunks(launch);
  if (shared || pool.helpers) {
    pthread_mutex_lock(&pool.mutex);
    pool.job = NULL;
    while (pool.busy) pthread_cond_wait(&pool.done, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
  }
}

/* ---- cooperative grids ---- */

enum coop_state { COOP_RUNNING, COOP_WAITING, COOP_FINISHED };

struct coop {
  const struct mesi_cpu_launch *launch;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool serial; /* only the block whose turn it is runs */
  unsigned total, waiting, finished;
  unsigned turn;        /* rank */
  uint64_t generation;  /* complete barriers */
  unsigned char *state; /* enum coop_state by rank */
};

struct coop_thread {
  struct coop *coop;
  unsigned rank;
};

/* Requires coop->mutex. */
static void pass_turn(struct coop *coop)
{
  for (unsigned i = 1; i <= coop->total; i++) {
    unsigned rank = (coop->turn + i) % coop->total;
    if (coop->state[rank] != COOP_RUNNING) continue;
    coop->turn = rank;
    break;
  }
  pthread_cond_broadcast(&coop->changed);
}

static void await_turn(struct coop *coop, unsigned rank)
{
  while (coop->serial && coop->turn != rank) pthread_cond_wait(&coop->changed, &coop->mutex);
}

/* Requires coop->mutex. Releases all blocks where all have arrived. */
static void check_barrier(struct coop *coop)
{
  if (!coop->waiting || coop->waiting + coop->finished < coop->total) return;
  if (coop->finished)
    mesi_cpu_fail(
        "deadlock: %u of %u blocks wait in a grid-wide barrier and the others have finished",
        coop->waiting, coop->total);
  for (unsigned i = 0; i < coop->total; i++) coop->state[i] = COOP_RUNNING;
  coop->waiting = 0;
  coop->turn = coop->total - 1;
  coop->generation++;
  if (mesi_cpu_hooks && mesi_cpu_hooks->grid_complete) mesi_cpu_hooks->grid_complete();
}

void coop_wait(struct worker *w)
{
  struct coop *coop = w->coop;
  pthread_mutex_lock(&coop->mutex);
  uint64_t generation = coop->generation;
  coop->state[w->coop_rank] = COOP_WAITING;
  coop->waiting++;
  check_barrier(coop);
  pass_turn(coop);
  while (coop->generation == generation) pthread_cond_wait(&coop->changed, &coop->mutex);
  await_turn(coop, w->coop_rank);
  pthread_mutex_unlock(&coop->mutex);
}

void coop_relax(struct worker *w)
{
  struct coop *coop = w->coop;
  if (!coop || !coop->serial) {
    if (coop)
      sched_yield();
    else
      relax_pooled(w);
    return;
  }
  pthread_mutex_lock(&coop->mutex);
  pass_turn(coop);
  await_turn(coop, w->coop_rank);
  pthread_mutex_unlock(&coop->mutex);
}

static void *coop_main(void *argument)
{
  struct coop_thread *self = argument;
  struct coop *coop = self->coop;
  struct worker *w = own_worker();
  w->launch = coop->launch;
  w->coop = coop;
  w->coop_rank = self->rank;
  pthread_mutex_lock(&coop->mutex);
  await_turn(coop, self->rank);
  pthread_mutex_unlock(&coop->mutex);
  uint64_t linear = block_at(self->rank, coop->total);
  worker_run_block(w, block_index(coop->launch, linear), linear);
  pthread_mutex_lock(&coop->mutex);
  coop->state[self->rank] = COOP_FINISHED;
  coop->finished++;
  check_barrier(coop);
  pass_turn(coop);
  pthread_mutex_unlock(&coop->mutex);
  mesi_cpu_worker = NULL;
  worker_destroy(w);
  return NULL;
}

static void run_cooperative(const struct mesi_cpu_launch *launch)
{
  unsigned total = (unsigned)block_count(launch);
  struct coop coop = {.launch = launch, .serial = mesi_cpu_options()->serial, .total = total};
  pthread_mutex_init(&coop.mutex, NULL);
  pthread_cond_init(&coop.changed, NULL);
  coop.state = calloc(total, 1);
  pthread_t *threads = calloc(total, sizeof *threads);
  struct coop_thread *selves = calloc(total, sizeof *selves);
  for (unsigned i = 0; i < total; i++) {
    if (selves) selves[i] = (struct coop_thread){&coop, i};
    if (!coop.state || !threads || !selves ||
        start_thread(&threads[i], coop_main, &selves[i]) != 0) {
      fprintf(stderr,
              "mesi: kernel '%s': no memory for %u threads, one per block of a cooperative grid\n",
              report_kernel_name(launch), total);
      exit(MESI_CPU_EXIT);
    }
  }
  for (unsigned i = 0; i < total; i++) pthread_join(threads[i], NULL);
  free(threads);
  free(selves);
  free(coop.state);
  pthread_cond_destroy(&coop.changed);
  pthread_mutex_destroy(&coop.mutex);
}

static bool is_elsewhere(const struct mesi_cpu_launch *launch)
{
  const unsigned grid[] = {launch->grid.x, launch->grid.y, launch->grid.z};
  const unsigned block[] = {launch->block.x, launch->block.y, launch->block.z};
  return mesi_launch_elsewhere && mesi_launch_elsewhere(grid, block);
}

void mesi_cpu_run(const struct mesi_cpu_launch *launch)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (mesi_cpu_in_kernel())
    mesi_cpu_fail("a kernel launches '%s': not supported", report_kernel_name(launch));
  pthread_once(&once, initialise);
  if (is_elsewhere(launch)) return;
  if (mesi_launching_thread) mesi_launching_thread(1);
  pthread_mutex_lock(&pool.launch);
  if (mesi_cpu_hooks && mesi_cpu_hooks->launch_begin) mesi_cpu_hooks->launch_begin(launch);
  if (launch->cooperative)
    run_cooperative(launch);
  else
    run_pooled(launch);
  pthread_mutex_unlock(&pool.launch);
  if (mesi_launching_thread) mesi_launching_thread(0);
}
