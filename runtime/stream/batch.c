/* SPDX-License-Identifier: MIT */
/* batch.c - launches of a host loop, collected and submitted as CUDA graphs.
 *
 * In a batch each launch is compared with those before it. Once launches repeat with a period,
 * `cycle` holds one period and a graph holds a whole number of periods. From then on a launch that
 * is the next of the cycle is only counted, and the graph is submitted when it is full. Another
 * launch ends the cycle: the launches that are held back go out, and the search for a period starts
 * again. The cycle outlives the batch, for loops that come again.
 *
 * dif takes 1.63 us a step in graphs of 64 launches on an H200, where one graph of all launches
 * took 1.44. So a long loop gets a second graph of many more launches. Its making takes over 2 ms:
 * it is made when the device has so much work that it does not notice, and only then are as many
 * launches held back. The launches left at the end go out as small graphs and one by one.
 */
#include "batch.h"

#include "../device/device.h"
#include "../base/error.h"
#include "../mesi.h"
#include "../base/lock.h"
#include "../base/period.h"
#include "../base/ranks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  SMALL = 64,
  LARGE = 512, /* launches of a graph */
  /* small graphs in a row, before a large one is made: the host is 2 ms or more ahead by then */
  LARGE_AFTER = 32,
  /* small graphs in a row, before launches are held back for a large one */
  BACKLOG = 8
};
#define LONGEST_MS 0.5 /* ms that a launch is held back at most, while others follow */

struct stored { /* a launch with its arguments, in one allocation */
  struct mesi_kernel_launch launch;
  uint64_t hash;
};

struct graph {
  void *handle;      /* NULL: there is none */
  unsigned launches; /* launches in the graph: whole periods, from the start of the cycle */
};

struct batch { /* the batch of a thread */
  struct batch *next;
  unsigned depth; /* of mesi_batch_begin; 0: launches go out as they come */
  int device;
  struct mesi_period period;
  /* the latest launches, at position modulo MESI_PERIOD_MAX */
  struct stored *recent[MESI_PERIOD_MAX];
  struct stored *cycle[MESI_PERIOD_MAX]; /* one period, in order */
  unsigned cycle_length;                 /* 0: no period is known */
  unsigned phase;            /* position in the cycle of the next launch, when none is held back */
  struct graph small, large; /* the small one exists where a cycle does */
  unsigned in_a_row;         /* small graphs in a row since another submission */
  unsigned held;             /* launches held back, from the start of the cycle */
  double since;              /* when the first of them was made, ms */
  bool repeats;              /* a graph has run since the batch began */
};

static struct batch *batches;
static void (*make_waiting)(void); /* makes launches that wait to become one; NULL: none wait */
static _Thread_local struct batch *current;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its destructor notices the end of a thread */

/* ---- launches ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) /* FNV-1a */
{
  for (const unsigned char *at = bytes; count--; at++)
    hash = (hash ^ *at) * UINT64_C(1099511628211);
  return hash;
}

static uint64_t hash_launch(const struct mesi_kernel_launch *launch)
{
  uint64_t hash = UINT64_C(14695981039346656037);

  hash = hash_bytes(hash, &launch->function, sizeof launch->function);
  hash = hash_bytes(hash, launch->grid, sizeof launch->grid);
  hash = hash_bytes(hash, launch->block, sizeof launch->block);
  hash = hash_bytes(hash, &launch->shared, sizeof launch->shared);
  for (unsigned i = 0; i < launch->count; i++)
    hash = hash_bytes(hash, launch->args[i], launch->sizes[i]);
  return hash;
}

static bool same_launch(const struct stored *stored, const struct mesi_kernel_launch *launch)
{
  const struct mesi_kernel_launch *other = &stored->launch;

  if (other->function != launch->function || other->count != launch->count ||
      other->shared != launch->shared || memcmp(other->grid, launch->grid, sizeof launch->grid) ||
      memcmp(other->block, launch->block, sizeof launch->block))
    return false;
  for (unsigned i = 0; i < launch->count; i++)
    if (other->sizes[i] != launch->sizes[i] ||
        memcmp(other->args[i], launch->args[i], launch->sizes[i]))
      return false;
  return true;
}

static size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }

static struct stored *store(const struct mesi_kernel_launch *launch, uint64_t hash)
{
  size_t head = aligned(sizeof(struct stored)), table = aligned(launch->count * sizeof(void *));
  size_t bytes = head + 2 * table;
  for (unsigned i = 0; i < launch->count; i++) bytes += aligned(launch->sizes[i]);

  char *memory = mesi_need(malloc(bytes));
  struct stored *stored = (struct stored *)memory;
  void **args = (void **)(memory + head);
  size_t *sizes = (size_t *)(memory + head + table);
  char *at = memory + head + 2 * table;
  for (unsigned i = 0; i < launch->count; i++) {
    args[i] = memcpy(at, launch->args[i], launch->sizes[i]);
    sizes[i] = launch->sizes[i];
    at += aligned(sizes[i]);
  }
  stored->launch = *launch;
  stored->launch.args = args;
  stored->launch.sizes = sizes;
  stored->hash = hash;
  return stored;
}

static void set(struct stored **slot, struct stored *stored)
{
  free(*slot);
  *slot = stored;
}

/* ---- the cycle ---- */

static void free_graph(struct batch *batch, struct graph *graph)
{
  if (graph->handle) mesi_device.graph_free(batch->device, graph->handle);
  graph->handle = NULL;
}

static void forget_cycle(struct batch *batch)
{
  free_graph(batch, &batch->small);
  free_graph(batch, &batch->large);
  batch->cycle_length = batch->phase = 0;
  memset(&batch->period, 0, sizeof batch->period);
}

/* Makes a graph of at least `launches` launches, in whole periods. */
static bool make_graph(struct batch *batch, struct graph *graph, unsigned launches)
{
  const struct mesi_kernel_launch *items[LARGE + MESI_PERIOD_MAX];
  graph->launches =
      (launches + batch->cycle_length - 1) / batch->cycle_length * batch->cycle_length;
  for (unsigned i = 0; i < graph->launches; i++)
    items[i] = &batch->cycle[i % batch->cycle_length]->launch;
  if (mesi_device.graph_create(batch->device, items, graph->launches, &graph->handle))
    graph->handle = NULL;
  return graph->handle;
}

/* The last `length` launches become the cycle. Where no graph can be made, launches go on one by
 * one. */
static void start_cycle(struct batch *batch, unsigned length)
{
  for (unsigned i = 0; i < length; i++) {
    const struct stored *recent =
        batch->recent[(batch->period.count - length + i) % MESI_PERIOD_MAX];
    set(&batch->cycle[i], store(&recent->launch, recent->hash));
  }
  batch->cycle_length = length;
  batch->in_a_row = 0;
  if (!make_graph(batch, &batch->small, SMALL)) forget_cycle(batch);
}

static void launch_graph(struct batch *batch, const struct graph *graph)
{
  batch->repeats = true;
  mesi_check(mesi_device.graph_launch(batch->device, graph->handle), NULL,
             "launch of a graph failed");
}

/* Submits the launches that are held back. */
static void flush(struct batch *batch)
{
  unsigned i = 0;
  for (; batch->held - i >= batch->small.launches && batch->held; i += batch->small.launches)
    launch_graph(batch, &batch->small);
  for (; i < batch->held; i++)
    mesi_check(mesi_device.launch(batch->device, &batch->cycle[i % batch->cycle_length]->launch),
               NULL, "launch failed");
  if (batch->held) batch->phase = batch->held % batch->cycle_length;
  batch->held = batch->in_a_row = 0;
}

static double now_ms(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

/* The graph for which launches are held back. */
static const struct graph *wanted_graph(const struct batch *batch)
{
  return batch->large.handle && batch->in_a_row >= BACKLOG ? &batch->large : &batch->small;
}

static void hold(struct batch *batch)
{
  const struct graph *graph = wanted_graph(batch);
  if (!batch->held++) batch->since = now_ms();
  if (batch->held == graph->launches) {
    batch->held = 0;
    launch_graph(batch, graph);
    if (++batch->in_a_row == LARGE_AFTER && !batch->large.handle)
      make_graph(batch, &batch->large, LARGE);
  } else if (batch->held % 8 == 0 && now_ms() - batch->since > LONGEST_MS) {
    flush(batch);
  }
}

/* Sets the phase to the place behind this launch in the cycle; false: the cycle has no such
 * launch. */
static bool find_phase(struct batch *batch, const struct mesi_kernel_launch *launch)
{
  for (unsigned i = 0; i < batch->cycle_length; i++)
    if (same_launch(batch->cycle[i], launch)) {
      batch->phase = (i + 1) % batch->cycle_length;
      return true;
    }
  return false;
}

/* Is the launch held back? Only from the start of the cycle on; until then launches go out as they
 * come. */
static bool take(struct batch *batch, const struct mesi_kernel_launch *launch)
{
  unsigned next = (batch->phase + batch->held) % batch->cycle_length;

  if (!same_launch(batch->cycle[next], launch)) {
    flush(batch);
    if (!find_phase(batch, launch)) forget_cycle(batch);
    return false;
  }
  if (batch->phase) {
    batch->phase = (batch->phase + 1) % batch->cycle_length;
    return false;
  }
  hold(batch);
  return true;
}

static void watch(struct batch *batch, const struct mesi_kernel_launch *launch)
{
  uint64_t hash = hash_launch(launch);
  size_t slot = batch->period.count % MESI_PERIOD_MAX;

  set(&batch->recent[slot], store(launch, hash));
  unsigned length = mesi_period_add(&batch->period, hash);
  if (length) start_cycle(batch, length);
}

/* ---- the interface ---- */

void mesi_batch_after(void (*make)(void)) { make_waiting = make; }

void mesi_batch_flush(void)
{
  if (make_waiting) make_waiting();
  mesi_batch_submit();
}

void mesi_batch_submit(void)
{
  for (struct batch *batch = batches; batch; batch = batch->next)
    if (batch->held) flush(batch);
}

static void thread_ends(void *gone)
{
  struct batch *batch = gone, **link = &batches;

  mesi_lock();
  while (*link != batch) link = &(*link)->next;
  *link = batch->next;
  forget_cycle(batch);
  mesi_unlock();
  for (unsigned i = 0; i < MESI_PERIOD_MAX; i++) {
    free(batch->recent[i]);
    free(batch->cycle[i]);
  }
  free(batch);
}

static void make_key(void) { pthread_key_create(&key, thread_ends); }

static struct batch *of_thread(void)
{
  if (!current) {
    current = mesi_need(calloc(1, sizeof *current));
    pthread_once(&once, make_key);
    pthread_setspecific(key, current);
    current->next = batches;
    batches = current;
  }
  return current;
}

/* Is a launch to be held back? Not where each one is to be timed, unless MESI_BATCH says so. */
bool mesi_batch_wanted(void)
{
  static enum { UNASKED, YES, NO } known;
  if (known == UNASKED) {
    const char *text = getenv("MESI_BATCH");
    bool timed = getenv("MESI_STATS") || getenv("MESI_TRACE");
    known = mesi_device.graph_create && (text ? strcmp(text, "0") != 0 : !timed) ? YES : NO;
  }
  return known == YES;
}

void mesi_batch_begin(void)
{
  mesi_lock();
  struct batch *batch = of_thread();
  if (!batch->depth++) {
    if (!batch->repeats) forget_cycle(batch);
    batch->repeats = false;
    batch->phase = batch->in_a_row = 0;
  }
  mesi_unlock();
}

/* Launches that are held back are made for one device, whichever rank has it: with several ranks no
 * batch is open. */
bool mesi_batch_open(void) { return current && current->depth && !mesi_ranks_several(); }

void mesi_batch_end(void)
{
  mesi_lock();
  if (!--current->depth) {
    if (make_waiting) make_waiting();
    flush(current);
  }
  mesi_unlock();
}

bool mesi_batch_take(const struct mesi_kernel_launch *launch, int device)
{
  if (device != current->device) {
    flush(current);
    forget_cycle(current);
    current->device = device;
  }
  bool taken = current->cycle_length && take(current, launch);
  if (!current->cycle_length) watch(current, launch);
  return taken;
}
