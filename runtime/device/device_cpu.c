/* SPDX-License-Identifier: MIT */
/* device_cpu.c - devices made of host memory, for the CPU backend and for tests.
 *
 * Device memory is separate memory, filled with 0xA5 when it is allocated, so that a missing
 * transfer shows as a wrong result. Its capacity is MESI_CPU_MEMORY bytes (suffix K, M or G), 4 GiB
 * by default, and at most the memory that the machine has left: a message about memory is better
 * than a killed process.
 *
 * Kernels run inside the launch, so that a stream never holds work. Copies happen at once. With
 * MESI_CPU_COPIES=late they happen only when something waits for them, so that a missing wait shows
 * as well. In that mode host memory counts as page-locked, so that copies use it where they would
 * on a GPU.
 *
 * There are as many devices as MESI_DEVICES asks for, each with memory, lanes and symbol values of
 * its own. The kernels of all devices run on the same cores. Where copies happen at once, memory
 * that is no longer valid is overwritten, so that every use of it shows.
 */
#include "device.h"

#include "../cpu/scheduler.h"
#include "../base/machine.h"
#include "../base/ranks.h"
#include "../mesi_bin_steps.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ALIGNMENT = 256, POISON = 0xA5, QUEUE_ROOM = 256, CHECKED = 64 << 20, MANY = 1 << 18 };

enum way { FROM_HOST, BACK_TO_HOST, FROM_OTHER };

struct copy {
  void *to;
  const void *from;
  size_t bytes;
  enum way way;
  int device, other; /* the device of its lane, and the device of the other memory */
};

struct lane { /* copies in the order of submission; number n is at n % QUEUE_ROOM */
  struct copy copies[QUEUE_ROOM];
  uint64_t submitted, done;
};

struct event {
  struct lane *lane; /* NULL: recorded in a stream, or never */
  uint64_t position; /* copies that the lane held at the recording */
  double ms;         /* time of the recording */
};

struct header { /* in front of each block */
  size_t bytes; /* requested */
};

/* Of the CPU backend, where the program has it: its refusals of launches. Values are those of
 * cudaError_t. */
extern int cudaPeekAtLastError(void) __attribute__((weak));
extern const char *cudaGetErrorString(int error) __attribute__((weak));

extern const struct mesi_cpu_memory *mesi_cpu_memory __attribute__((weak));
#pragma weak mesi_cpu_extent

static _Thread_local int earlier; /* an error from before the launch */
static size_t capacity;           /* bytes of each device; 0 until known */
static size_t used[MESI_DEVICE_MAX];
static bool late; /* a copy happens when something waits for it */
static struct lane lanes[MESI_DEVICE_MAX][MESI_LANE_COUNT];

struct symbol { /* a pointer that kernels read: one variable for all devices */
  void *place;
  void *values[MESI_DEVICE_MAX]; /* NULL: none yet */
};

static struct symbol *symbols;
static size_t symbol_count, symbol_room;
static int in_use; /* the device whose kernels run */

/* ---- copies, at once or as late as the waits allow ---- */

static struct lane *lane_of(const void *queue)
{
  struct lane *first = &lanes[0][0], *lane = first;
  while (lane < first + MESI_DEVICE_MAX * MESI_LANE_COUNT && queue != lane) lane++;
  return queue == lane ? lane : NULL;
}

/* Copies between ranks (base/ranks.h): each rank has only the memory of its own devices; all have
 * the hosts. */
static void copy_between_ranks(const struct copy *copy)
{
  int to = mesi_rank_of_device(copy->device), from = mesi_rank_of_device(copy->other);
  bool local = to == mesi_rank();
  mesi_ranks_note_number(copy->bytes);
  if (copy->way == FROM_HOST) {
    mesi_ranks_note(copy->from, copy->bytes);
    if (local) memcpy(copy->to, copy->from, copy->bytes);
  } else if (copy->way == BACK_TO_HOST) {
    if (local) memcpy(copy->to, copy->from, copy->bytes);
    mesi_ranks_spread(to, copy->to, copy->bytes);
  } else if (to == from) {
    if (local) memcpy(copy->to, copy->from, copy->bytes);
  } else if (local) {
    mesi_ranks_receive(from, copy->to, copy->bytes);
  } else if (from == mesi_rank()) {
    mesi_ranks_send(to, copy->from, copy->bytes);
  }
}

static void run_until(struct lane *lane, uint64_t position)
{
  for (; lane->done < position; lane->done++) {
    struct copy *copy = &lane->copies[lane->done % QUEUE_ROOM];
    if (mesi_ranks_several())
      copy_between_ranks(copy);
    else
      memcpy(copy->to, copy->from, copy->bytes);
  }
}

/* ---- memory ---- */

static size_t read_capacity(void)
{
  const char *text = getenv("MESI_CPU_MEMORY");
  size_t fallback = (size_t)4 << 30;
  if (!text || !*text) return fallback;
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  switch (*end) {
  case 'k':
  case 'K': value <<= 10; break;
  case 'm':
  case 'M': value <<= 20; break;
  case 'g':
  case 'G': value <<= 30; break;
  default: break;
  }
  return value ? (size_t)value : fallback;
}

static const char *cpu_current(int *ret_device)
{
  if (!capacity) {
    const char *copies = getenv("MESI_CPU_COPIES");
    capacity = read_capacity();
    late = copies && strcmp(copies, "late") == 0;
  }
  *ret_device = 0;
  return NULL;
}

/* Allocates from the CPU backend's own source where there is one. The checker knows the extent of
 * such memory and leaves room behind it, so that the byte which the runtime requests beyond the
 * object's end is not taken. */
static char *obtain(size_t bytes)
{
  if (&mesi_cpu_memory && mesi_cpu_memory)
    return mesi_cpu_memory->allocate(bytes > 1 ? bytes - 1 : 1, "virtual shared memory");
  size_t whole = (bytes + ALIGNMENT + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *block = aligned_alloc(ALIGNMENT, whole);
  if (!block) return NULL;
  struct header header = {bytes};
  memcpy(block, &header, sizeof header);
  return block + ALIGNMENT;
}

/* Returns the number of bytes that were allocated. */
static size_t give_back(char *memory)
{
  if (&mesi_cpu_memory && mesi_cpu_memory) return mesi_cpu_memory->release(memory) + 1;
  struct header header;
  memcpy(&header, memory - ALIGNMENT, sizeof header);
  free(memory - ALIGNMENT);
  return header.bytes;
}

/* Has the machine so much memory left? Asks it again after each CHECKED bytes. */
static bool machine_has(size_t bytes)
{
  static size_t taken;
  if ((taken += bytes) < CHECKED) return true;
  taken = 0;
  return bytes <= mesi_machine_available();
}

/* Populates memory that is about to be written as a whole: one call gets pages in half the time of
 * a fault for each. */
static void populate(char *memory, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  size_t page = 4096, skipped = -(uintptr_t)memory % page;
  if (bytes >= MANY)
    madvise(memory + skipped, (bytes - skipped) / page * page, MADV_POPULATE_WRITE);
#else
  (void)memory, (void)bytes;
#endif
}

/* MESI_CPU_FAILS: `memory:1`, a device has no memory left; `link`, devices cannot reach each
 * other any more; `hang:1`, a device never answers. */
static bool fails(const char *what, int device)
{
  const char *text = getenv("MESI_CPU_FAILS");
  size_t length = strlen(what);
  if (!text || strncmp(text, what, length) != 0) return false;
  return !text[length] || (text[length] == ':' && atoi(text + length + 1) == device);
}

static void answer(int device)
{
  while (fails("hang", device)) pause();
}

/* ---- addresses without memory: of other ranks, of objects that a device lacks room for ---- */

static struct reserved {
  char *memory;
  size_t bytes, backed;
  struct reserved *next;
} * reserved[MESI_DEVICE_MAX];

static void *reserve(int device, size_t bytes)
{
  size_t whole = (bytes + MESI_PIECE - 1) / MESI_PIECE * MESI_PIECE;
  struct reserved *entry = malloc(sizeof *entry);
  char *memory = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!entry || memory == MAP_FAILED) return NULL;
  *entry = (struct reserved){memory, whole, 0, reserved[device]};
  reserved[device] = entry;
  return memory;
}

static struct reserved **find_reserved(int device, const void *memory)
{
  struct reserved **at = &reserved[device];
  while (*at && (*at)->memory != memory) at = &(*at)->next;
  return at;
}

static void unreserve(int device, struct reserved **at)
{
  struct reserved *entry = *at;
  *at = entry->next;
  munmap(entry->memory, entry->bytes);
  used[device] -= entry->backed;
  free(entry);
}

/* Not under the checker, which has to know all memory that kernels may use. */
static const char *cpu_reserve(int device, size_t bytes, void **ret_memory)
{
  bool checked = &mesi_cpu_memory && mesi_cpu_memory;
  *ret_memory = checked ? NULL : reserve(device, bytes);
  return NULL;
}

static const char *cpu_back(int device, void *memory, size_t begin, size_t end, bool *ret_enough)
{
  struct reserved *entry = *find_reserved(device, memory);
  size_t bytes = end - begin;
  *ret_enough = false;
  if (fails("memory", device)) return NULL;
  if (bytes > capacity - used[device] || bytes > mesi_machine_available()) return NULL;
  if (mprotect(entry->memory + begin, bytes, PROT_READ | PROT_WRITE)) return NULL;
  memset(entry->memory + begin, POISON, bytes);
  entry->backed += bytes;
  used[device] += bytes;
  *ret_enough = true;
  return NULL;
}

static const char *cpu_alloc(int device, size_t bytes, void **ret_memory)
{
  *ret_memory = NULL;
  if (mesi_ranks_elsewhere(device)) {
    *ret_memory = reserve(device, bytes);
    return NULL;
  }
  if (fails("memory", device)) return NULL;
  if (bytes > capacity - used[device] || !machine_has(bytes)) return NULL;
  char *memory = obtain(bytes);
  if (!memory) return NULL;
  populate(memory, bytes);
  memset(memory, POISON, bytes > 1 ? bytes - 1 : 1);
  used[device] += bytes;
  *ret_memory = memory;
  return NULL;
}

static const char *cpu_free(int device, void *memory)
{
  struct lane *lane = &lanes[device][MESI_TO_DEVICE];
  run_until(lane, lane->submitted);
  struct reserved **entry = find_reserved(device, memory);
  if (*entry)
    unreserve(device, entry);
  else
    used[device] -= give_back(memory);
  return NULL;
}

static const char *cpu_memory(int device, size_t *ret_total, size_t *ret_free)
{
  size_t available = mesi_machine_available(), left = capacity - used[device];
  *ret_total = capacity;
  *ret_free = available < left ? available : left;
  return NULL;
}

static const char *cpu_staging(int device, size_t bytes, void **ret_memory)
{
  (void)device;
  *ret_memory = malloc(bytes);
  return NULL;
}

/* ---- queues ---- */

static const char *cpu_lane(int device, enum mesi_lane lane, void **ret_queue)
{
  *ret_queue = &lanes[device][lane];
  return NULL;
}

static const char *cpu_stream(int device, void *stream, struct mesi_stream_info *ret_info)
{
  (void)device;
  *ret_info = (struct mesi_stream_info){true, true, (uint64_t)(uintptr_t)stream};
  return NULL;
}

static const char *submit(enum mesi_lane which, struct copy copy)
{
  struct lane *lane = &lanes[copy.device][which];
  if (lane->submitted - lane->done == QUEUE_ROOM) run_until(lane, lane->done + 1);
  lane->copies[lane->submitted++ % QUEUE_ROOM] = copy;
  if (!late) run_until(lane, lane->submitted);
  return NULL;
}

static const char *cpu_copy(int device, enum mesi_lane which, void *to, const void *from,
                            size_t bytes)
{
  enum way way = which == MESI_TO_DEVICE ? FROM_HOST : BACK_TO_HOST;
  return submit(which, (struct copy){to, from, bytes, way, device, device});
}

static const char *cpu_event(int device, bool timed, void **ret_event)
{
  (void)device;
  (void)timed;
  *ret_event = calloc(1, sizeof(struct event));
  return *ret_event ? NULL : "out of memory";
}

static double now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static const char *cpu_record(int device, void *handle, void *queue)
{
  struct event *event = handle;
  (void)device;
  event->lane = lane_of(queue);
  event->position = event->lane ? event->lane->submitted : 0;
  event->ms = now_ms();
  return NULL;
}

static void come_behind(const struct event *event)
{
  if (event->lane) run_until(event->lane, event->position);
}

static const char *cpu_event_wait(int device, void *event)
{
  answer(device);
  come_behind(event);
  return NULL;
}

static const char *cpu_queue_wait(int device, void *queue, void *event)
{
  (void)device;
  (void)queue;
  come_behind(event);
  return NULL;
}

static const char *cpu_elapsed(int device, void *start, void *stop, double *ret_ms)
{
  (void)device;
  *ret_ms = ((struct event *)stop)->ms - ((struct event *)start)->ms;
  return NULL;
}

static const char *cpu_wait(int device)
{
  answer(device);
  for (int i = 0; i < MESI_LANE_COUNT; i++)
    run_until(&lanes[device][i], lanes[device][i].submitted);
  return NULL;
}

/* ---- symbols ---- */

static struct symbol *find_symbol(void *place)
{
  for (size_t i = 0; i < symbol_count; i++)
    if (symbols[i].place == place) return &symbols[i];
  if (symbol_count == symbol_room) {
    size_t room = symbol_room ? 2 * symbol_room : 16;
    struct symbol *larger = realloc(symbols, room * sizeof *larger);
    if (!larger) return NULL;
    symbols = larger;
    symbol_room = room;
  }
  symbols[symbol_count] = (struct symbol){.place = place};
  return &symbols[symbol_count++];
}

static const char *cpu_set_symbol(int device, const void *place, void *value)
{
  struct symbol *symbol = find_symbol((void *)(uintptr_t)place);
  if (!symbol) return "out of memory";
  symbol->values[device] = value;
  if (device == in_use) memcpy(symbol->place, &value, sizeof value);
  return NULL;
}

static const char *cpu_use(int device)
{
  in_use = device;
  for (size_t i = 0; i < symbol_count; i++)
    if (symbols[i].values[device])
      memcpy(symbols[i].place, &symbols[i].values[device], sizeof(void *));
  return NULL;
}

/* ---- several devices ---- */

static const char *cpu_count(int *ret_count)
{
  *ret_count = MESI_DEVICE_MAX;
  return NULL;
}

static const char *cpu_copy_between(int device, void *to, int other, const void *from, size_t bytes)
{
  if (fails("link", device)) return "the link is lost";
  return submit(MESI_TO_DEVICE, (struct copy){to, from, bytes, FROM_OTHER, device, other});
}

static void cpu_spoil(int device, void *memory, size_t bytes)
{
  if (!late && !mesi_ranks_elsewhere(device)) memset(memory, POISON, bytes);
}

static int cpu_pin(void *memory, size_t bytes)
{
  (void)memory;
  (void)bytes;
  return late ? 0 : -1;
}

static void cpu_unpin(void *memory) { (void)memory; }

static bool cpu_extent(const void *memory, const void **ret_begin, size_t *ret_bytes)
{
  return mesi_cpu_extent && mesi_cpu_extent(memory, ret_begin, ret_bytes);
}

static int last_error(void) { return cudaPeekAtLastError ? cudaPeekAtLastError() : 0; }

static void cpu_before_launch(int device)
{
  (void)device;
  earlier = last_error();
}

static const char *cpu_launch_error(int device)
{
  (void)device;
  int error = last_error();
  if (error == 0 || error == earlier) return NULL;
  return cudaGetErrorString ? cudaGetErrorString(error) : "refused";
}

const struct mesi_device_ops mesi_device = {
    .name = "cpu",
    .forks = true,
    .current = cpu_current,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .reserve = cpu_reserve,
    .back = cpu_back,
    .memory = cpu_memory,
    .extent = cpu_extent,
    .staging = cpu_staging,
    .pin = cpu_pin,
    .unpin = cpu_unpin,
    .lane = cpu_lane,
    .stream = cpu_stream,
    .copy = cpu_copy,
    .event = cpu_event,
    .record = cpu_record,
    .queue_wait = cpu_queue_wait,
    .event_wait = cpu_event_wait,
    .elapsed = cpu_elapsed,
    .wait = cpu_wait,
    .set_symbol = cpu_set_symbol,
    .before_launch = cpu_before_launch,
    .launch_error = cpu_launch_error,
    .bins = &mesi_bin_steps_cpu,
    .count = cpu_count,
    .use = cpu_use,
    .copy_between = cpu_copy_between,
    .spoil = cpu_spoil,
    .use_is_global = true,
    .ranks = true,
};
