/* SPDX-License-Identifier: MIT */
/* device_sim.c - queues of copies, kernels, records and waits.
 *
 * Nothing happens until the host waits. Then the first operation of a random queue is done, again
 * and again, until what the host waits for is done. A missing wait thus meets every order that a
 * GPU could produce. */
#include "device_sim.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum operation_kind { COPY, KERNEL, RECORD, WAIT, POISON, FREE };

struct event {
  unsigned recorded, done; /* how often it was recorded, and how many of these have happened */
  double at;               /* sim_clock at the latest record */
  struct event *next;      /* made before it; they last as long as the process */
};

struct operation {
  enum operation_kind kind;
  void *to; /* COPY; KERNEL: context; POISON, FREE: memory */
  const void *from;
  size_t bytes;
  void (*kernel)(void *);
  struct event *event; /* RECORD, WAIT */
  unsigned generation; /* which recording */
  struct operation *next;
};

struct sim_queue {
  struct operation *first, *last;
};

struct freed {
  void *memory;
  struct freed *next;
};

struct handle { /* what a cudaStream_t is */
  struct sim_queue *queue;
  uint64_t id;
};

static struct sim_queue *queues[4096];
static size_t queue_count;
static struct sim_queue *lanes[MESI_DEVICE_MAX][MESI_LANE_COUNT];
static struct handle handles[MESI_DEVICE_MAX][SIM_STREAMS];
static uint64_t ids;
static struct freed *freed;
static bool held[MESI_DEVICE_MAX];
static int in_use; /* the current device */
bool sim_capturing, sim_no_pins;
double sim_clock, sim_busy;
int sim_kernels = -1, sim_copies[MESI_LANE_COUNT] = {-1, -1};
unsigned sim_submitted[MESI_LANE_COUNT];

static struct sim_queue *new_queue(void)
{
  assert_true(queue_count < sizeof queues / sizeof *queues);
  return queues[queue_count++] = calloc(1, sizeof(struct sim_queue));
}

static void open_device(int device)
{
  if (lanes[device][0]) return;
  for (int lane = 0; lane < MESI_LANE_COUNT; lane++) lanes[device][lane] = new_queue();
  for (int i = 0; i < SIM_STREAMS; i++) handles[device][i] = (struct handle){new_queue(), ++ids};
}

static void submit(struct sim_queue *queue, struct operation operation)
{
  struct operation *copy = malloc(sizeof *copy);
  assert_non_null(copy);
  *copy = operation;
  if (queue->last)
    queue->last->next = copy;
  else
    queue->first = copy;
  queue->last = copy;
}

/* Freed memory is kept, so that a use of it shows. */
static void put_away(void *memory)
{
  struct freed *entry = malloc(sizeof *entry);
  assert_non_null(entry);
  *entry = (struct freed){memory, freed};
  freed = entry;
  memset(memory, 0xA5, malloc_usable_size(memory));
}

void sim_check_freed(void)
{
  while (freed) {
    struct freed *entry = freed;
    const unsigned char *memory = entry->memory;
    for (size_t i = 0; i < malloc_usable_size(entry->memory); i++)
      if (memory[i] != 0xA5) fail_msg("freed memory has been written");
    freed = entry->next;
    free(entry->memory);
    free(entry);
  }
}

static void perform(struct operation *operation)
{
  switch (operation->kind) {
  case COPY: memcpy(operation->to, operation->from, operation->bytes); break;
  case KERNEL:
    operation->kernel(operation->to);
    free(operation->to);
    break;
  case RECORD: operation->event->done = operation->generation; break;
  case POISON: memset(operation->to, 0xA5, operation->bytes); break;
  case FREE: put_away(operation->to); break;
  case WAIT: break;
  }
}

static int *limit_of(const struct sim_queue *queue)
{
  if (queue->first->kind == KERNEL) return &sim_kernels;
  for (int i = 0; queue->first->kind == COPY && i < MESI_DEVICE_MAX * MESI_LANE_COUNT; i++)
    if (queue == lanes[i / MESI_LANE_COUNT][i % MESI_LANE_COUNT])
      return &sim_copies[i % MESI_LANE_COUNT];
  return NULL;
}

void sim_hold(int device, bool is_held) { held[device] = is_held; }

static bool is_held(const struct sim_queue *queue)
{
  for (int device = 0; device < MESI_DEVICE_MAX; device++)
    if (held[device] && queue == handles[device][0].queue) return queue->first->kind == KERNEL;
  return false;
}

static bool can_run(const struct sim_queue *queue)
{
  const struct operation *first = queue->first;
  if (first && is_held(queue)) return false;
  if (!first || (first->kind == WAIT && first->event->done < first->generation)) return false;
  const int *limit = limit_of(queue);
  return !limit || *limit != 0;
}

static void run_first(struct sim_queue *queue)
{
  struct operation *first = queue->first;
  int *limit = limit_of(queue);
  if (limit && *limit > 0) --*limit;
  queue->first = first->next;
  if (!queue->first) queue->last = NULL;
  perform(first);
  free(first);
}

/* False: nothing can run. */
static bool step(void)
{
  size_t start = queue_count ? (size_t)rand() % queue_count : 0;
  for (size_t i = 0; i < queue_count; i++) {
    struct sim_queue *queue = queues[(start + i) % queue_count];
    if (!can_run(queue)) continue;
    run_first(queue);
    return true;
  }
  return false;
}

void sim_run(void)
{
  while (step())
    ;
}

void sim_progress(void)
{
  for (int steps = rand() % 4; steps > 0 && step(); steps--)
    ;
}

/* ---- the program's side ---- */

void sim_use(int device)
{
  open_device(device);
  in_use = device;
}

void *sim_stream(unsigned index)
{
  open_device(in_use);
  return index ? &handles[in_use][index] : NULL;
}

struct sim_queue *sim_queue_of(unsigned index)
{
  open_device(in_use);
  return handles[in_use][index].queue;
}

void sim_recreate(unsigned index)
{
  open_device(in_use);
  handles[in_use][index] = (struct handle){new_queue(), ++ids};
}

void sim_launch(unsigned index, void (*kernel)(void *), void *context)
{
  submit(sim_queue_of(index), (struct operation){.kind = KERNEL, .kernel = kernel, .to = context});
}

/* NULL and the default stream's own handle stand for that of the device. */
static bool is_default(const void *handle) { return !handle || handle == (void *)1; }

static struct sim_queue *queue_of(int device, void *handle)
{
  open_device(device);
  for (int i = 0; i < MESI_DEVICE_MAX * MESI_LANE_COUNT; i++)
    if (handle && handle == lanes[i / MESI_LANE_COUNT][i % MESI_LANE_COUNT]) return handle;
  return is_default(handle) ? handles[device][0].queue : ((struct handle *)handle)->queue;
}

void sim_launch_in(void *stream, void (*kernel)(void *), void *context)
{
  submit(queue_of(in_use, stream),
         (struct operation){.kind = KERNEL, .kernel = kernel, .to = context});
}

static struct event *new_event(void)
{
  static struct event *latest;
  struct event *event = calloc(1, sizeof *event);
  event->next = latest;
  return latest = event;
}

void sim_order(unsigned index, struct sim_queue *after)
{
  struct event *event = new_event();
  event->recorded = 1;
  submit(after, (struct operation){.kind = RECORD, .event = event, .generation = 1});
  submit(sim_queue_of(index), (struct operation){.kind = WAIT, .event = event, .generation = 1});
}

/* ---- the device's operations ---- */

static const char *sim_current(int *ret_device)
{
  open_device(in_use);
  *ret_device = in_use;
  return NULL;
}

static const char *sim_alloc(int device, size_t bytes, void **ret_memory)
{
  open_device(device);
  *ret_memory = malloc(bytes);
  submit(lanes[device][MESI_TO_DEVICE],
         (struct operation){.kind = POISON, .to = *ret_memory, .bytes = bytes});
  return NULL;
}

static const char *sim_free(int device, void *memory)
{
  submit(lanes[device][MESI_TO_DEVICE], (struct operation){.kind = FREE, .to = memory});
  return NULL;
}

static const char *sim_memory(int device, size_t *ret_total, size_t *ret_free)
{
  (void)device;
  *ret_total = *ret_free = (size_t)1 << 30;
  return NULL;
}

static const char *sim_staging(int device, size_t bytes, void **ret_memory)
{
  (void)device;
  *ret_memory = malloc(bytes);
  return NULL;
}

static int sim_pin(void *memory, size_t bytes)
{
  (void)memory;
  (void)bytes;
  return sim_no_pins ? -1 : 0;
}

static void sim_unpin(void *memory) { (void)memory; }

static const char *sim_lane(int device, enum mesi_lane lane, void **ret_queue)
{
  open_device(device);
  *ret_queue = lanes[device][lane];
  return NULL;
}

static const char *sim_stream_info(int device, void *stream, struct mesi_stream_info *ret_info)
{
  const struct handle *handle = stream;
  (void)device;
  bool permanent = is_default(handle);
  *ret_info =
      (struct mesi_stream_info){permanent || !sim_capturing, permanent, permanent ? 0 : handle->id};
  return NULL;
}

static const char *sim_copy(int device, enum mesi_lane lane, void *to, const void *from,
                            size_t bytes)
{
  sim_submitted[lane]++;
  submit(lanes[device][lane],
         (struct operation){.kind = COPY, .to = to, .from = from, .bytes = bytes});
  return NULL;
}

static const char *sim_event(int device, bool timed, void **ret_event)
{
  (void)device;
  (void)timed;
  *ret_event = new_event();
  return NULL;
}

static const char *sim_record(int device, void *handle, void *queue)
{
  struct event *event = handle;
  event->at = sim_clock;
  submit(queue_of(device, queue),
         (struct operation){.kind = RECORD, .event = event, .generation = ++event->recorded});
  return NULL;
}

static const char *sim_queue_wait(int device, void *queue, void *handle)
{
  struct event *event = handle;
  submit(queue_of(device, queue),
         (struct operation){.kind = WAIT, .event = event, .generation = event->recorded});
  return NULL;
}

static const char *sim_event_wait(int device, void *handle)
{
  struct event *event = handle;
  unsigned generation = event->recorded;
  (void)device;
  while (event->done < generation)
    if (!step()) return "deadlock";
  return NULL;
}

static const char *sim_elapsed(int device, void *start, void *stop, double *ret_ms)
{
  *ret_ms = ((struct event *)stop)->at - ((struct event *)start)->at;
  return sim_event_wait(device, stop);
}

static const char *sim_wait(int device)
{
  if (!device) sim_busy = 0;
  while (step())
    ;
  for (size_t i = 0; i < queue_count; i++)
    if (queues[i]->first) return "deadlock";
  return NULL;
}

static const char *sim_set_symbol(int device, const void *symbol, void *value)
{
  const char *cause = sim_wait(device);
  memcpy((void *)(uintptr_t)symbol, &value, sizeof value);
  return cause;
}

static void sim_before_launch(int device) { (void)device; }

static const char *sim_launch_error(int device)
{
  (void)device;
  return NULL;
}

/* ---- launches that the runtime makes: the kernel is a function of its arguments ---- */

struct call {
  sim_function *function;
  unsigned count;
  void *args[SIM_ARGS];
};

static struct call call_of(const struct mesi_kernel_launch *launch)
{
  struct call call = {.count = launch->count};

  memcpy(&call.function, &launch->function, sizeof call.function);
  for (unsigned i = 0; i < launch->count; i++)
    memcpy(&call.args[i], launch->args[i], launch->sizes[i]);
  return call;
}

static void run_call(void *context)
{
  struct call *call = context;
  call->function(call->args);
}

static void submit_call(int device, const struct call *call)
{
  struct call *copy = malloc(sizeof *copy);
  *copy = *call;
  submit(queue_of(device, NULL),
         (struct operation){.kind = KERNEL, .kernel = run_call, .to = copy});
}

static const char *sim_make_launch(int device, const struct mesi_kernel_launch *launch)
{
  struct call call = call_of(launch);
  submit_call(device, &call);
  return NULL;
}

struct sim_graph {
  unsigned count;
  struct call calls[];
};

static const char *sim_graph_create(int device, const struct mesi_kernel_launch *const *launches,
                                    unsigned count, void **ret_graph)
{
  struct sim_graph *graph = malloc(sizeof *graph + count * sizeof *graph->calls);
  (void)device;
  graph->count = count;
  for (unsigned i = 0; i < count; i++) graph->calls[i] = call_of(launches[i]);
  *ret_graph = graph;
  return NULL;
}

static const char *sim_graph_launch(int device, void *handle)
{
  const struct sim_graph *graph = handle;
  for (unsigned i = 0; i < graph->count; i++) submit_call(device, &graph->calls[i]);
  return NULL;
}

static void sim_graph_free(int device, void *graph)
{
  (void)device;
  free(graph);
}

unsigned sim_ranges;

static void sim_range_push(const char *name)
{
  assert_true(*name);
  sim_ranges++;
}

static void sim_range_pop(void) {}

/* ---- several devices ---- */

static const char *sim_count(int *ret_count)
{
  *ret_count = MESI_DEVICE_MAX;
  return NULL;
}

static const char *sim_use_device(int device)
{
  sim_use(device);
  return NULL;
}

static const char *sim_copy_between(int device, void *to, int other, const void *from, size_t bytes)
{
  if (!device || !other) sim_clock += sim_busy;
  return sim_copy(device, MESI_TO_DEVICE, to, from, bytes);
}

const struct mesi_device_ops mesi_device = {
    .name = "sim",
    .forks = true,
    .current = sim_current,
    .alloc = sim_alloc,
    .free = sim_free,
    .memory = sim_memory,
    .staging = sim_staging,
    .pin = sim_pin,
    .unpin = sim_unpin,
    .lane = sim_lane,
    .stream = sim_stream_info,
    .copy = sim_copy,
    .event = sim_event,
    .record = sim_record,
    .queue_wait = sim_queue_wait,
    .event_wait = sim_event_wait,
    .elapsed = sim_elapsed,
    .wait = sim_wait,
    .set_symbol = sim_set_symbol,
    .before_launch = sim_before_launch,
    .launch_error = sim_launch_error,
    .launch = sim_make_launch,
    .graph_create = sim_graph_create,
    .graph_launch = sim_graph_launch,
    .graph_free = sim_graph_free,
    .range_push = sim_range_push,
    .range_pop = sim_range_pop,
    .count = sim_count,
    .use = sim_use_device,
    .copy_between = sim_copy_between,
};
