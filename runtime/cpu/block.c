/* SPDX-License-Identifier: MIT */
/* block.c - runs the threads of one block as fibers on the calling OS thread.
 *
 * A fiber runs one thread after another until a thread waits. That thread keeps the fiber, and
 * another fiber goes on with the threads that have not started. So a kernel without barriers needs
 * one stack and no switches. A switch goes directly from fiber to fiber. The root (the OS thread's
 * own stack) gets control when no thread can run: at the end of the block, in a grid barrier, or in
 * a deadlock.
 *
 * Order of choice: threads made runnable by a barrier or warp operation, threads not started,
 * threads that asked for their warp's active mask, threads that yielded.
 */
#define _GNU_SOURCE
#include "scheduler_internal.h"
#include "../seeded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread struct mesi_cpu_dim threadIdx, blockIdx, blockDim, gridDim; /* the variables of kernels */
__thread struct worker *mesi_cpu_worker;
__thread unsigned mesi_cpu_spins; /* failed attempts of a waiting loop, see mesi/atomics.h */
const struct mesi_cpu_hooks *mesi_cpu_hooks;
const struct mesi_cpu_memory *mesi_cpu_memory;

uint64_t random_next(uint64_t *state)
{ /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void shuffle(uint64_t *random, uint16_t *items, unsigned count)
{
  for (unsigned i = count; i > 1; i--) {
    unsigned j = (unsigned)(random_next(random) % i);
    uint16_t t = items[i - 1];
    items[i - 1] = items[j];
    items[j] = t;
  }
}

static void queue_push(struct queue *queue, unsigned thread)
{
  queue->items[(queue->head + queue->count++) % MESI_CPU_BLOCK_THREADS] = (uint16_t)thread;
}

static unsigned queue_pop(struct queue *queue)
{
  unsigned thread = queue->items[queue->head];
  queue->head = (queue->head + 1) % MESI_CPU_BLOCK_THREADS;
  queue->count--;
  return thread;
}

/* ---- choosing and switching ---- */

static int pick_rest(struct worker *w)
{
  if (w->asking_active) {
    warp_complete_active(w);
    return (int)queue_pop(&w->ready);
  }
  if (w->yielded.count) {
    if (++w->idle_yields > w->count) {
      w->idle_yields = 0;
      coop_relax(w);
    }
    return (int)queue_pop(&w->yielded);
  }
  return NO_THREAD;
}

static inline int pick(struct worker *w)
{
  if (!w->ready.count && w->started == w->count) return pick_rest(w);
  w->stalled = 0;
  return w->ready.count ? (int)queue_pop(&w->ready) : w->order[w->started++];
}

static inline void set_current(struct worker *w, unsigned thread)
{
  w->current = thread;
  threadIdx = w->index[thread];
}

/* Tells AddressSanitizer, where the program has it, which stack runs. */
extern void __sanitizer_start_switch_fiber(void **, const void *, size_t) __attribute__((weak));
extern void __sanitizer_finish_switch_fiber(void *, const void **, size_t *) __attribute__((weak));

static void leave_stack(struct fiber *from, const struct fiber *to)
{
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->stack_bytes);
}

static void enter_stack(struct fiber *self, struct fiber *before)
{
  if (!__sanitizer_finish_switch_fiber) return;
  const void *bottom;
  size_t bytes;
  __sanitizer_finish_switch_fiber(self->fake_stack, &bottom, &bytes);
  if (before->low) return;
  before->bottom = bottom;
  before->stack_bytes = bytes;
}

/* Tells ThreadSanitizer, too: its record of calls would otherwise grow with each switch, until it
 * stops the program. Called in the function that switches, whose calls belong to the stack. */
extern void *__tsan_get_current_fiber(void) __attribute__((weak));
extern void *__tsan_create_fiber(unsigned) __attribute__((weak));
extern void __tsan_switch_to_fiber(void *, unsigned) __attribute__((weak));

__attribute__((always_inline)) static inline void change_race_state(struct fiber *from,
                                                                    struct fiber *to)
{
  if (!__tsan_switch_to_fiber) return;
  from->race_state = __tsan_get_current_fiber();
  if (!to->race_state) to->race_state = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(to->race_state, 0);
}

static void jump(struct worker *w, struct fiber *from, struct fiber *to)
{
  w->running = to;
  leave_stack(from, to);
  change_race_state(from, to);
  transfer_t back = jump_fcontext(to->context, from);
  struct fiber *before = back.data;
  enter_stack(from, before);
  before->context = back.fctx;
}

static void complete_barrier(struct worker *w)
{
  if (mesi_cpu_hooks && mesi_cpu_hooks->barrier_complete)
    mesi_cpu_hooks->barrier_complete(w->arrived);
  w->barrier_total = w->arrived;
  w->barrier_true = w->arrived_true;
  w->arrived = w->arrived_true = 0;
  uint16_t threads[MESI_CPU_BLOCK_THREADS];
  unsigned count = 0;
  for (unsigned t = 0; t < w->count; t++)
    if (w->state[t] == THREAD_BARRIER) threads[count++] = (uint16_t)t;
  block_make_ready(w, threads, count);
}

static void exit_thread(struct worker *w)
{
  unsigned thread = w->current;
  if (mesi_cpu_hooks && mesi_cpu_hooks->thread_exit) mesi_cpu_hooks->thread_exit(thread);
  w->state[thread] = THREAD_EXITED;
  w->fiber[thread] = NULL;
  w->alive--;
  w->warp_alive[thread / MESI_CPU_WARP] &= ~(1u << thread % MESI_CPU_WARP);
  if (w->warp_waiting[thread / MESI_CPU_WARP]) warp_thread_exited(w, thread);
  if (w->arrived && w->arrived == w->alive && !SEEDED(EXIT_NOT_COUNTED)) complete_barrier(w);
}

static void fiber_main(transfer_t from)
{
  struct worker *w = mesi_cpu_worker;
  struct fiber *self = w->running;
  enter_stack(self, from.data);
  ((struct fiber *)from.data)->context = from.fctx;
  void (*run)(void *);
  for (;;) {
    run = w->launch->run;
    run(w->launch->context);
    exit_thread(w);
    int next = pick(w);
    struct fiber *to = next == NO_THREAD ? &w->root : w->fiber[next];
    if (next != NO_THREAD) set_current(w, (unsigned)next);
    if (to) {
      self->next_idle = w->idle;
      w->idle = self;
      jump(w, self, to);
    } else {
      self->thread = (unsigned)next;
      w->fiber[next] = self;
    }
  }
}

static struct fiber *fiber_for(struct worker *w, unsigned thread)
{
  struct fiber *fiber = w->fiber[thread];
  if (fiber) return fiber;
  fiber = w->idle;
  if (fiber)
    w->idle = fiber->next_idle;
  else
    fiber = stack_create(&w->stacks, fiber_main);
  if (!fiber)
    mesi_cpu_fail("no memory for the stack of a thread (%zu bytes each, MESI_STACK)", stack_size());
  fiber->thread = thread;
  w->fiber[thread] = fiber;
  return fiber;
}

void block_suspend(struct worker *w)
{
  struct fiber *self = w->fiber[w->current];
  int next = pick(w);
  if (next == NO_THREAD) {
    jump(w, self, &w->root);
    return;
  }
  set_current(w, (unsigned)next);
  struct fiber *to = fiber_for(w, (unsigned)next);
  if (to != self) jump(w, self, to);
}

void block_make_ready(struct worker *w, const uint16_t *threads, unsigned count)
{
  uint16_t mixed[MESI_CPU_BLOCK_THREADS];
  enum schedule schedule = mesi_cpu_options()->schedule;
  if (schedule == SCHEDULE_RANDOM) {
    memcpy(mixed, threads, count * sizeof *threads);
    shuffle(&w->random, mixed, count);
    threads = mixed;
  }
  for (unsigned i = 0; i < count; i++) {
    unsigned thread = threads[schedule == SCHEDULE_REVERSE ? count - 1 - i : i];
    w->state[thread] = THREAD_RUNNABLE;
    queue_push(&w->ready, thread);
  }
}

/* ---- barriers ---- */

static struct worker *in_kernel(const char *what)
{
  struct worker *w = mesi_cpu_worker;
  if (!w || !w->launch) {
    fprintf(stderr, "mesi: %s called outside a kernel\n", what);
    exit(MESI_CPU_EXIT);
  }
  return w;
}

__attribute__((noinline)) int mesi_cpu_barrier(enum mesi_cpu_sync kind, int predicate)
{
  struct worker *w = in_kernel("__syncthreads");
  if (mesi_cpu_hooks && mesi_cpu_hooks->barrier_arrive)
    mesi_cpu_hooks->barrier_arrive(w->current, __builtin_return_address(0));
  w->state[w->current] = THREAD_BARRIER;
  w->arrived++;
  w->arrived_true += predicate != 0;
  if (w->arrived + SEEDED(BARRIER_EARLY) == w->alive) complete_barrier(w);
  block_suspend(w);
  switch (kind) {
  case MESI_CPU_SYNC_COUNT: return (int)w->barrier_true;
  case MESI_CPU_SYNC_AND: return w->barrier_true == w->barrier_total;
  case MESI_CPU_SYNC_OR: return w->barrier_true != 0;
  case MESI_CPU_SYNC: break;
  }
  return 0;
}

void mesi_cpu_grid_barrier(void)
{
  struct worker *w = in_kernel("a grid-wide barrier");
  if (!w->coop)
    mesi_cpu_fail("a grid-wide barrier needs a cooperative launch (cudaLaunchCooperativeKernel)");
  w->state[w->current] = THREAD_GRID;
  w->at_grid++;
  block_suspend(w);
}

void mesi_cpu_yield(void)
{
  struct worker *w = mesi_cpu_worker;
  mesi_cpu_spins = 0;
  if (!w || !w->launch) return;
  w->state[w->current] = THREAD_RUNNABLE;
  queue_push(&w->yielded, w->current);
  block_suspend(w);
}

/* ---- a block ---- */

static void fill_indices(struct worker *w)
{
  struct mesi_cpu_dim size = w->launch->block;
  if (w->index_of.x == size.x && w->index_of.y == size.y && w->index_of.z == size.z) return;
  unsigned t = 0;
  for (unsigned z = 0; z < size.z; z++)
    for (unsigned y = 0; y < size.y; y++)
      for (unsigned x = 0; x < size.x; x++) w->index[t++] = (struct mesi_cpu_dim){x, y, z};
  w->index_of = size;
}

static void fill_order(struct worker *w, uint64_t linear)
{
  const struct options *options = mesi_cpu_options();
  for (unsigned i = 0; i < w->count; i++)
    w->order[i] = (uint16_t)(options->schedule == SCHEDULE_REVERSE ? w->count - 1 - i : i);
  if (options->schedule != SCHEDULE_RANDOM) return;
  w->random = options->seed ^ (linear * 0xd1342543de82ef95u);
  shuffle(&w->random, w->order, w->count);
}

static void prepare_shared(struct worker *w)
{
  size_t bytes = w->launch->shared;
  if (bytes > w->shared_room || !w->shared) {
    free(w->shared);
    w->shared_room = ((bytes ? bytes : 1) + 4095) & ~(size_t)4095;
    w->shared = aligned_alloc(4096, w->shared_room);
    if (!w->shared) mesi_cpu_fail("no memory for %zu bytes of dynamic shared memory", bytes);
  }
  memset(w->shared, 0xA5, bytes);
}

static void prepare_block(struct worker *w, struct mesi_cpu_dim block, uint64_t linear)
{
  const struct mesi_cpu_launch *launch = w->launch;
  unsigned count = launch->block.x * launch->block.y * launch->block.z;
  bool same_order = w->count == count && mesi_cpu_options()->schedule != SCHEDULE_RANDOM;
  w->block = block;
  w->count = w->alive = count;
  w->started = w->arrived = w->arrived_true = w->at_grid = w->asking_active = w->idle_yields = 0;
  w->stalled = 0;
  w->ready.count = w->yielded.count = 0;
  memset(w->state, THREAD_NEW, count);
  for (unsigned i = 0; i * MESI_CPU_WARP < count; i++) {
    unsigned lanes = count - i * MESI_CPU_WARP;
    w->warp_alive[i] = lanes >= MESI_CPU_WARP ? ~0u : (1u << lanes) - 1;
    w->warp_waiting[i] = 0;
  }
  fill_indices(w);
  if (!same_order) fill_order(w, linear);
  prepare_shared(w);
  blockIdx = block;
  blockDim = launch->block;
  gridDim = launch->grid;
}

static void release_grid_barrier(struct worker *w)
{
  uint16_t threads[MESI_CPU_BLOCK_THREADS];
  unsigned count = 0;
  coop_wait(w);
  for (unsigned t = 0; t < w->count; t++)
    if (w->state[t] == THREAD_GRID) threads[count++] = (uint16_t)t;
  w->at_grid = 0;
  if (mesi_cpu_hooks && mesi_cpu_hooks->grid_resume) mesi_cpu_hooks->grid_resume();
  block_make_ready(w, threads, count);
}

void worker_run_block(struct worker *w, struct mesi_cpu_dim block, uint64_t linear)
{
  prepare_block(w, block, linear);
  const struct mesi_cpu_hooks *hooks = mesi_cpu_hooks;
  if (hooks && hooks->block_begin) hooks->block_begin(w->launch, block);
  while (w->alive) {
    int next = pick(w);
    if (next == NO_THREAD) {
      if (w->at_grid != w->alive) report_deadlock(w);
      release_grid_barrier(w);
      continue;
    }
    set_current(w, (unsigned)next);
    jump(w, &w->root, fiber_for(w, (unsigned)next));
  }
  if (hooks && hooks->block_end) hooks->block_end(w->launch, block);
}

struct worker *worker_create(void)
{
  struct worker *w = calloc(1, sizeof *w);
  if (!w) {
    fprintf(stderr, "mesi: no memory for a worker thread\n");
    exit(MESI_CPU_EXIT);
  }
  return w;
}

void worker_destroy(struct worker *w)
{
  if (!w) return;
  stack_arena_finish(&w->stacks);
  free(w->shared);
  free(w);
}

/* ---- questions ---- */

int mesi_cpu_in_kernel(void) { return mesi_cpu_worker && mesi_cpu_worker->launch; }

int mesi_cpu_is_cooperative(void) { return mesi_cpu_in_kernel() && mesi_cpu_worker->coop; }

void *mesi_cpu_dynamic_shared(void) { return in_kernel("mesi_cpu_dynamic_shared")->shared; }

size_t mesi_cpu_dynamic_shared_size(void)
{
  return in_kernel("mesi_cpu_dynamic_shared_size")->launch->shared;
}

unsigned mesi_cpu_thread_rank(void) { return in_kernel("mesi_cpu_thread_rank")->current; }
