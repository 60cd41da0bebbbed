/* SPDX-License-Identifier: MIT */
/* launch.c - the calls around a launch.
 *
 *     begin                        names the site
 *     use_range, any number        the bytes of a variable that the kernel uses, where not all
 *     stream                       the variables of the site are made ready (launch_uses.c);
 *                                  the stream waits for their transfers
 *     arg, any number              the object that each pointer leads to is made ready
 *     the launch
 *     end                          checks the launch and lets go of the objects
 *
 * A compiler may evaluate arguments before the stream, wherever it stands in the source: the first
 * call of either kind makes the variables ready. The stream, when it is known, waits for all
 * transfers so far.
 *
 * A launch that may go out in parts (launch_parts.c) says so after its begin. Its uses are then
 * only noted; they are made ready when the number of its blocks is known, all at once or with each
 * part.
 *
 * In a batch, a launch that repeats an earlier one while nothing has changed passes through these
 * calls without any look-up (again.h). It must be one that is held back: launches that the runtime
 * makes itself it also watches itself.
 *
 * The program makes the launch without the runtime's lock. An object that the launch writes counts
 * a writer, for which host uses by other threads wait.
 */
#include "launch.h"

#include "again.h"
#include "../base/error.h"
#include "../stream/devices.h"
#include "gate.h"
#include "jumps.h"
#include "launch_spread.h"
#include "launch_uses.h"
#include "../object/slab.h"
#include "../stream/order.h"
#include "../object/poison.h"
#include "../transfer/register.h"
#include "../seeded.h"
#include "../transfer/state.h"
#include "../trace/trace.h"
#include "uses.h"
#include "../stream/wait.h"

#include <pthread.h>

static _Thread_local struct launch current;
static pthread_key_t key; /* to hear of the end of a thread */

unsigned mesi_launch_writes(const struct mesi_object *object)
{
  return current.active && current.open ? mesi_uses_writes(&current.uses, object) : 0;
}

struct launch *mesi_launch_current(void) { return &current; }

int mesi_launch_elsewhere(const unsigned grid[3], const unsigned block[3])
{
  return mesi_launch_of_other_rank(&current, grid, block);
}

/* ---- launches that are left ---- */

/* After this the thread may find that a signal has come meanwhile, or does so where it releases the
 * lock. */
static void over(struct launch *launch)
{
  launch->active = false;
  mesi_error_set_site(NULL);
  mesi_launched();
}

static void leave(void *launch)
{
  struct launch *left = launch;
  if (!left->active) return;
  mesi_again_left();
  mesi_lock();
  if (left->open) mesi_uses_abandon(&left->uses);
  if (left->parted && left->parts.spread) {
    mesi_spread_leave(left);
    mesi_spread_end(left);
  }
  over(left);
  mesi_writers_signal();
  mesi_unlock();
}

void mesi_launch_left(void)
{
  if (current.active && !SEEDED(LAUNCH_NOT_ENDED)) leave(&current);
}

/* The thread jumps to this stack pointer: the jump ends a launch whose arguments it leaves. */
static void jump(const char *stack)
{
  if (current.active && stack >= current.stack && !SEEDED(JUMP_UNSEEN)) leave(&current);
}

static void make_key(void)
{
  pthread_key_create(&key, leave);
  mesi_jumps_watch(jump);
}

/* Registers the thread, so that its end is noticed. */
static void watch_thread(struct launch *launch)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  launch->watched = !SEEDED(THREAD_END_UNSEEN) && !pthread_setspecific(key, launch);
}

void mesi_launch_open(struct launch *launch)
{
  if (launch->open) return;
  if (!launch->watched) watch_thread(launch);
  mesi_spread_wait_turn();
  mesi_uses_init(&launch->uses, mesi_order_device(), "launch");
  launch->open = true;
  mesi_launch_use_variables(launch);
}

void mesi_launch_behind(struct launch *launch)
{
  int device = launch->uses.device;
  if (!launch->placed) return;
  mesi_order_stream_after(device, launch->stream, MESI_TO_DEVICE, launch->uses.arrived);
  mesi_order_stream_after(device, launch->stream, MESI_TO_HOST, launch->uses.left);
  for (int other = 0; mesi_devices_several() && other < MESI_DEVICE_MAX; other++)
    if (launch->uses.taken[other])
      mesi_order_stream_after_lane_of(device, launch->stream, other, launch->uses.taken[other]);
  if (launch->stream != MESI_STREAM_UNKNOWN)
    mesi_trace_launch_starts(launch->site, device, launch->handle);
  mesi_device.before_launch(device);
}

static void finish(struct launch *launch)
{
  if (launch->open) {
    if (launch->uses.count) mesi_order_launched(launch->uses.device, launch->stream);
    mesi_uses_finish(&launch->uses, launch->site, launch->stream);
  }
  over(launch);
  mesi_writers_signal();
}

static void make_call(const struct mesi_call *call)
{
  switch (call->kind) {
  case MESI_CALL_RANGE:
    mesi_launch_use_range(call->use, (size_t)call->read_begin, (size_t)call->read_end,
                          (size_t)call->write_begin, (size_t)call->write_end, call->access);
    break;
  case MESI_CALL_STREAM: mesi_launch_stream((void *)(uintptr_t)call->pointer); break;
  case MESI_CALL_ARG: mesi_launch_arg(call->pointer, call->access); break;
  case MESI_CALL_ARG_RANGE:
    mesi_launch_arg_range(call->pointer, call->read_begin, call->read_end, call->write_begin,
                          call->write_end, call->access);
    break;
  }
}

/* An active launch is made around this one: it loses its objects before its arguments are
 * complete. */
void mesi_launch_begin(const struct mesi_file *file, unsigned site)
{
  mesi_register_bind();
  if (current.active) {
    mesi_lock_to_launch();
    finish(&current);
    mesi_unlock();
  }
  mesi_launching();
  current.file = file;
  current.site = &file->sites[site];
  current.active = true;
  current.stack = (const char *)__builtin_frame_address(0) + 2 * sizeof(void *);
  current.open = current.placed = current.deferred = current.parted = current.held =
      current.counted = current.may_spread = current.passed = current.only_spread =
          current.foreign = false;
  current.gated = NULL;
  current.stream = MESI_STREAM_UNKNOWN;
  current.narrowed_count = 0;
  mesi_error_set_site(current.site);
  mesi_again_begin(current.site, make_call);
}

void mesi_launch_begins(const struct mesi_file *file, unsigned site)
    __attribute__((alias("mesi_launch_begin")));

/* Reads and writes follow from the ranges; `access` adds how the bytes are used. */
static unsigned range_access(bool reads, bool writes, unsigned access)
{
  return (reads ? MESI_READ : 0u) | (writes ? MESI_WRITE : 0u) |
         (access & (MESI_OVERWRITE | MESI_REACH_WRITE | MESI_SUM_ANY));
}

static void use_range(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                      size_t write_end, unsigned access, struct mesi_part read,
                      struct mesi_part write)
{
  access = range_access(read_begin < read_end, write_begin < write_end, access);
  struct narrowed narrowed = {use,  access, {read_begin, read_end}, {write_begin, write_end},
                              read, write};
  if (current.narrowed_count < NARROWED) {
    current.narrowed[current.narrowed_count++] = narrowed;
    return;
  }
  for (unsigned i = 0; i < NARROWED; i++)
    if (current.narrowed[i].use == use)
      current.narrowed[i] = (struct narrowed){use,           current.site->uses[use].access,
                                              {0, SIZE_MAX}, {0, SIZE_MAX},
                                              mesi_no_part,  mesi_no_part};
}

void mesi_launch_use_range(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                           size_t write_end, unsigned access)
{
  const struct mesi_call call = {MESI_CALL_RANGE,
                                 access,
                                 use,
                                 NULL,
                                 (ptrdiff_t)read_begin,
                                 (ptrdiff_t)read_end,
                                 (ptrdiff_t)write_begin,
                                 (ptrdiff_t)write_end};
  void *none;

  if (!current.active || current.open || mesi_again_passes(&call, &none)) return;
  use_range(use, read_begin, read_end, write_begin, write_end, access, mesi_no_part, mesi_no_part);
  mesi_again_note(&call, NULL);
}

void mesi_launch_use_parts(unsigned use, size_t read_begin, size_t read_end, size_t write_begin,
                           size_t write_end, unsigned access, struct mesi_part read,
                           struct mesi_part write)
{
  if (!current.deferred) {
    mesi_launch_use_range(use, read_begin, read_end, write_begin, write_end, access);
    return;
  }
  if (!current.active || current.open) return;
  use_range(use, read_begin, read_end, write_begin, write_end, access, read, write);
}

void mesi_launch_stream(void *stream)
{
  const struct mesi_call call = {.kind = MESI_CALL_STREAM, .pointer = stream};
  void *none;

  if (!current.active || mesi_again_passes(&call, &none)) return;
  mesi_again_note(&call, NULL);
  mesi_lock_to_launch();
  mesi_launch_open(&current);
  current.handle = stream;
  current.stream = mesi_order_stream(current.uses.device, stream);
  current.placed = true;
  if (!current.deferred) mesi_launch_behind(&current);
  mesi_unlock();
}

void mesi_launch_in_parts(void)
{
  if (!current.active || current.open) return;
  mesi_again_never();
  current.deferred = true;
  current.parts.count = 0;
  current.parts.overfull = current.parts.spread = false;
}

static bool passes(void)
{
  current.passed = current.active && mesi_gate_passes(current.site);
  return current.passed;
}

void mesi_launch_on_devices(void)
{
  mesi_launch_in_parts();
  current.may_spread = mesi_devices_several() && !passes();
}

void mesi_launch_on_several(void)
{
  if (!mesi_devices_several() || !current.active || passes()) return;
  mesi_launch_in_parts();
  current.may_spread = current.only_spread = true;
}

/* ---- arguments ---- */

static struct mesi_span relative(ptrdiff_t at, ptrdiff_t begin, ptrdiff_t end)
{
  if (begin >= end || at + end <= 0) return (struct mesi_span){0, 0};
  return (struct mesi_span){at + begin < 0 ? 0 : (size_t)(at + begin), (size_t)(at + end)};
}

static void *device_address(const struct mesi_object *object, int device, const void *pointer)
{
  return (char *)object->device[device].address +
         (SEEDED(ARGUMENT_OFFSET_LOST) ? 0 : (const char *)pointer - object->host);
}

/* A pointer that leads to no object stays as it is. */
static void *foreign(const void *pointer)
{
  current.foreign |= pointer != NULL;
  return (void *)(uintptr_t)pointer;
}

/* The object that the pointer leads to. `type` is the argument's MESI_OF_... NULL: no object. */
static struct mesi_object *argument(const void *pointer, unsigned type)
{
  struct mesi_object *object = mesi_object_of_pointer(pointer);
  if (!object) foreign(pointer);
  if (!object || object->slab) mesi_slab_check_freed(pointer, "a launch");
  if (object && object->slab) mesi_slab_note_type(object, pointer, type);
  return object;
}

static struct mesi_span led_to(const struct mesi_object *object, const void *pointer)
{
  return object->slab ? mesi_slab_led_to(object, pointer) : mesi_object_whole(object);
}

static void *argument_used(const void *pointer, const struct mesi_pending *wanted)
{
  bool moved = mesi_launch_add_use(&current, wanted);
  if (moved && !current.deferred) mesi_launch_behind(&current);
  return device_address(wanted->object, current.uses.device, pointer);
}

void *mesi_launch_arg(const void *pointer, unsigned access)
{
  const struct mesi_call call = {.kind = MESI_CALL_ARG, .access = access, .pointer = pointer};
  unsigned type = access & MESI_OF_ANY;
  void *result = (void *)(uintptr_t)pointer;

  access &= ~(unsigned)MESI_OF_ANY;
  if (!current.active) return mesi_device_ptr(pointer, access);
  if (mesi_object_reject(pointer)) return foreign(pointer);
  if (mesi_again_passes(&call, &result)) return result;
  mesi_lock_to_launch();
  struct mesi_object *object = argument(pointer, type);
  if (object) {
    struct mesi_span used = led_to(object, pointer);
    mesi_launch_open(&current);
    result = argument_used(
        pointer, &(struct mesi_pending){object, used, used, access, mesi_no_part, mesi_no_part});
  }
  mesi_unlock();
  mesi_again_note(&call, result);
  return result;
}

/* Device memory begins at a multiple of 256 bytes, so that the offset in the object has the
 * alignment. */
void *mesi_launch_place(const void *pointer)
{
  if (mesi_object_reject(pointer)) return (void *)(uintptr_t)pointer;
  mesi_lock_to_launch();
  const struct mesi_object *object = mesi_object_of_pointer(pointer);
  uintptr_t place = object ? (uintptr_t)((const char *)pointer - object->host) : (uintptr_t)pointer;
  mesi_unlock();
  return (void *)place;
}

static struct mesi_part moved_by(struct mesi_part part, ptrdiff_t at)
{
  return (struct mesi_part){part.step, part.begin + at, part.end + at};
}

/* Clips ranges whose end is not known to the block. */
static void keep_to_block(struct mesi_pending *pending, const void *pointer)
{
  struct mesi_span block = mesi_slab_led_to(pending->object, pointer);
  pending->read = mesi_span_clip(pending->read, block);
  pending->write = mesi_span_clip(pending->write, block);
}

/* The ranges of *wanted and the parts are offsets in bytes from the pointer. */
static void *ranges_used(const void *pointer, const struct mesi_call *wanted, struct mesi_part read,
                         struct mesi_part write)
{
  unsigned type = wanted->access & MESI_OF_ANY, access = wanted->access & ~(unsigned)MESI_OF_ANY;
  void *result = (void *)(uintptr_t)pointer;

  mesi_lock_to_launch();
  struct mesi_object *object = argument(pointer, type);
  if (object) {
    ptrdiff_t at = (const char *)pointer - object->host;
    access = range_access(wanted->read_begin < wanted->read_end,
                          wanted->write_begin < wanted->write_end, access);
    mesi_launch_open(&current);
    struct mesi_pending pending = {object,
                                   relative(at, wanted->read_begin, wanted->read_end),
                                   relative(at, wanted->write_begin, wanted->write_end),
                                   access,
                                   moved_by(read, at),
                                   moved_by(write, at)};
    if (object->slab) keep_to_block(&pending, pointer);
    result = argument_used(pointer, &pending);
  }
  mesi_unlock();
  return result;
}

static void *use_elsewhere(const void *pointer, unsigned access)
{
  return mesi_device_ptr(pointer,
                         access & ~(unsigned)(MESI_OF_ANY | MESI_OVERWRITE | MESI_SUM_ANY));
}

void *mesi_launch_arg_range(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end,
                            ptrdiff_t write_begin, ptrdiff_t write_end, unsigned access)
{
  const struct mesi_call call = {MESI_CALL_ARG_RANGE, access,   0,           pointer,
                                 read_begin,          read_end, write_begin, write_end};
  void *result = (void *)(uintptr_t)pointer;

  if (!current.active) return use_elsewhere(pointer, access);
  if (mesi_object_reject(pointer)) return foreign(pointer);
  if (mesi_again_passes(&call, &result)) return result;
  result = ranges_used(pointer, &call, mesi_no_part, mesi_no_part);
  mesi_again_note(&call, result);
  return result;
}

void *mesi_launch_arg_parts(const void *pointer, ptrdiff_t read_begin, ptrdiff_t read_end,
                            ptrdiff_t write_begin, ptrdiff_t write_end, unsigned access,
                            struct mesi_part read, struct mesi_part write)
{
  const struct mesi_call wanted = {MESI_CALL_ARG_RANGE, access,   0,           pointer,
                                   read_begin,          read_end, write_begin, write_end};

  if (!current.active) return use_elsewhere(pointer, access);
  if (!current.deferred)
    return mesi_launch_arg_range(pointer, read_begin, read_end, write_begin, write_end, access);
  if (mesi_object_reject(pointer)) return foreign(pointer);
  mesi_again_never();
  return ranges_used(pointer, &wanted, read, write);
}

const struct mesi_site *mesi_launch_site(void) { return current.active ? current.site : NULL; }

void mesi_launch_held(void) { current.held = true; }

void mesi_launch_counted(void) { current.counted = true; }

int mesi_launch_device(void)
{
  int device = current.active && current.open ? current.uses.device : mesi_again_device();

  return device < 0 ? mesi_order_device() : device;
}

bool mesi_launch_names(const struct mesi_object *object)
{
  const struct mesi_site *site = current.site;
  const struct mesi_unit *unit = mesi_register_unit(current.file);
  bool names = site->all_access != 0;

  for (unsigned i = 0; unit && i < site->use_count; i++)
    names |= unit->objects[site->uses[i].var] == object;
  return names;
}

/* ---- the end ---- */

/* Waiting repeats an error of an earlier kernel and ends the program there. A launch without VS
 * objects is the program's own business. */
void mesi_launch_check(const struct launch *launch)
{
  if (!launch->placed && launch->uses.count)
    mesi_fatal("launch without a stream", NULL, "mesi_launch_stream was not called");
  const char *cause = mesi_device.launch_error(launch->uses.device);
  if (!cause || !launch->uses.count) return;
  mesi_wait(launch->uses.device);
  mesi_fatal("launch failed", NULL, "%s", cause);
}

static void note_written(const struct mesi_uses *uses)
{
  for (size_t i = 0; i < uses->count; i++)
    if (uses->items[i].done & MESI_WRITE) mesi_again_writes(uses->items[i].object);
}

void mesi_launch_end(void)
{
  if (!current.active) return;
  if (mesi_again_ends(current.held || current.counted)) {
    over(&current);
    return;
  }
  mesi_lock_to_launch();
  mesi_launch_open(&current);
  note_written(&current.uses);
  if (!current.parted) {
    if (mesi_devices_several() && !current.may_spread)
      mesi_trace_not_spread(current.passed ? "several devices have not paid before"
                                           : "the compiler has not told its parts apart");
    mesi_launch_check(&current);
    mesi_waiting_launch(current.site);
    (current.held ? mesi_trace_launch_held
                  : mesi_trace_launch_ends)(current.site, current.uses.device, current.handle);
    if (current.gated) mesi_gate_ends(&current, false);
  }
  finish(&current);
  if (current.held || current.counted) mesi_again_keep(current.uses.device, current.stream);
  mesi_unlock();
}

static void *use_by_program(const void *host, struct mesi_object *object, unsigned access)
{
  struct mesi_uses uses = {.overwrites = false};
  struct mesi_span used = led_to(object, host);
  int device = mesi_order_device();
  mesi_launch_for_one_rank(object, "a device pointer is good for one rank alone");
  mesi_uses_init(&uses, device, "mesi_device_ptr");
  mesi_uses_add(&uses, object, used, used, access);
  mesi_order_host_after(device, MESI_TO_DEVICE, uses.arrived);
  mesi_order_host_after(device, MESI_TO_HOST, uses.left);
  for (int other = 0; mesi_devices_several() && other < MESI_DEVICE_MAX; other++)
    if (uses.taken[other]) mesi_order_host_after(other, MESI_TO_DEVICE, uses.taken[other]);
  void *address = device_address(object, device, host);
  mesi_uses_finish(&uses, NULL, MESI_STREAM_UNKNOWN);
  mesi_writers_signal();
  return address;
}

void *mesi_device_ptr(const void *host, unsigned access)
{
  mesi_register_bind();
  if (mesi_object_reject(host)) return (void *)(uintptr_t)host;
  void *result = (void *)(uintptr_t)host;
  const struct mesi_site *site = mesi_error_site();
  mesi_lock();
  mesi_error_set_site(NULL);
  struct mesi_object *object = argument(host, 0);
  if (object) result = use_by_program(host, object, access);
  mesi_error_set_site(site);
  mesi_unlock();
  return result;
}
