/* SPDX-License-Identifier: MIT */
/* launch_spread.c - a launch over several devices that looks like one to the program.
 *
 *     k<<<4096, 256>>>(a, b)      on 4 devices: part 2 is blocks 2048 ... 3071, on device 2
 *
 * Each part is an ordinary launch with the ranges of its blocks (launch_parts.c), on another device
 * than the one before. Bytes that it needs and its device lacks are brought; bytes that it writes
 * are stale on other devices. The program's pointers, which belong to the device on which the
 * launch began, are moved to the part's device. Parts are made one after the other, so that even
 * ranges that overlap for want of knowledge would give the results of one device, only later.
 *
 * On the program's device the part goes into the program's stream. On other devices it goes into
 * the default stream. All such parts are in the order in which the program made its launches, which
 * its streams and events allow. All bytes that parts read are brought before the first part is
 * made, since copies from a device wait for all work that its stream has by then. Behind the last
 * part the program's stream waits for the others, so that its events and waits cover the whole
 * launch.
 */
#include "launch_spread.h"

#include "again.h"
#include "../base/error.h"
#include "../seeded.h"
#include "../stream/batch.h"
#include "../stream/devices.h"
#include "gate.h"
#include "launch_sums.h"
#include "../stream/order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_INNER = 2048 };       /* blocks of the grid: some rounds of a large device */
#define DEFAULT_STREAM ((void *)1) /* cudaStreamLegacy */

/* ---- one thread at a time, where devices are current for all threads ---- */

static pthread_t launcher; /* the first thread that made a launch */
static bool known;         /* `launcher` is set */
static bool others;        /* other threads have made launches */
static bool spreading;     /* the launcher makes a launch over several devices */

void mesi_spread_wait_turn(void)
{
  if (!mesi_device.use_is_global || !mesi_devices_several()) return;
  if (!known) launcher = pthread_self();
  known = true;
  if (pthread_equal(launcher, pthread_self())) return;
  others = true;
  while (spreading) mesi_writers_wait();
}

void mesi_spread_in_child(void)
{
  if (!spreading) return;
  spreading = false;
  mesi_device.use(0);
}

/* ---- the launch ---- */

const char *mesi_spread_begin(struct launch *launch, unsigned blocks, unsigned long long total)
{
  if (!launch->may_spread) return "the compiler has not told its parts apart";
  if (launch->foreign) return "an argument points to no virtual shared object";
  if (mesi_device.use_is_global && others) return "several host threads make launches";
  const char *obstacle = mesi_parts_spread(&launch->parts, launch->uses.device, blocks, total);
  if (!obstacle) obstacle = mesi_sums_obstacle(&launch->parts);
  if (!obstacle) obstacle = mesi_gate_refuses(launch);
  if (obstacle) {
    launch->parts.number = 0;
    launch->parts.spread = false;
    return obstacle;
  }
  mesi_parts_keep_overwritten(&launch->parts);
  mesi_batch_flush();
  if (launch->gated) mesi_gate_begins(launch, true);
  launch->first = (struct place){launch->uses.device, launch->stream, launch->handle};
  mesi_sums_begin(launch);
  spreading = true;
  return NULL;
}

void mesi_spread_place(struct launch *launch, unsigned part)
{
  int device = mesi_devices_at((int)part);
  struct place place = launch->first;
  if (device != place.device)
    place = (struct place){device, mesi_order_stream(device, DEFAULT_STREAM), DEFAULT_STREAM};
  launch->uses.device = place.device;
  launch->stream = place.stream;
  launch->handle = place.handle;
}

static bool is_written(const struct launch *launch, const struct mesi_object *object)
{
  for (unsigned i = 0; i < launch->parts.count; i++)
    if (launch->parts.items[i].object == object && (launch->parts.items[i].access & MESI_WRITE))
      return true;
  return false;
}

/* ---- rims ---- */

struct rims { /* blocks at the ends of a part that read what its device lacks */
  unsigned low, high;
  bool between; /* others read it, too */
};

static ptrdiff_t quotient(ptrdiff_t a, ptrdiff_t b) { return a / b - (a % b < 0); }

/* Blocks that read any of the gap, from the equation of what block k reads: [step k + begin, step k
 * + end). */
static void add_to_rims(struct rims *rims, const struct mesi_piece *part,
                        const struct mesi_part *reads, struct mesi_span gap)
{
  ptrdiff_t first = part->first, last = first + part->blocks - 1,
            from = quotient((ptrdiff_t)gap.begin - reads->end, reads->step) + 1,
            to = quotient((ptrdiff_t)gap.end - reads->begin - 1, reads->step);
  if (from <= first) {
    ptrdiff_t low = (to < last ? to : last) - first + 1;
    if (low > rims->low) rims->low = (unsigned)low;
  } else if (to >= last) {
    ptrdiff_t high = last - from + 1;
    if (high > rims->high) rims->high = (unsigned)high;
  } else {
    rims->between = true;
  }
}

static bool is_small(ptrdiff_t bytes)
{
  return bytes > -PTRDIFF_MAX / 4 && bytes < PTRDIFF_MAX / 4;
}

static void find_rims(struct rims *rims, const struct mesi_piece *part,
                      const struct mesi_pending *pending, int device)
{
  const struct mesi_part *reads = &pending->read_part;
  const struct mesi_ranges *valid = &pending->object->device[device].valid;
  bool known = reads->step > 0 && is_small(reads->begin) && is_small(reads->end);
  for (struct mesi_span rest = mesi_piece_read(part, pending); !mesi_span_empty(rest);) {
    struct mesi_span gap = mesi_ranges_next_gap(valid, rest);
    if (mesi_span_empty(gap)) return;
    if (known)
      add_to_rims(rims, part, reads, gap);
    else
      rims->between = true;
    rest.begin = gap.end;
  }
}

static bool may_cut(void)
{
  static enum { UNASKED, YES, NO } known;
  const char *text = known ? NULL : getenv("MESI_RIMS");
  if (!known) known = text && strcmp(text, "0") == 0 ? NO : YES;
  return known == YES;
}

/* The copies of rims take longer than the two launches more, beside what fills a device. */
static bool is_worth_cutting(const struct mesi_parts *parts, const struct mesi_piece *part,
                             unsigned inner)
{
  unsigned long long all = parts->total / parts->blocks * inner;
  return mesi_gate_is_forced() || (inner >= part->blocks / 4 * 3 && all >= LEAST_INNER);
}

static void add_piece(struct mesi_parts *parts, unsigned part, unsigned first, unsigned end)
{
  if (first < end)
    parts->pieces[parts->piece_count++] = (struct mesi_piece){part, first, end - first};
}

/* The inner blocks first: they run beside the copies for the others. */
static void cut(struct mesi_parts *parts, const struct mesi_piece *part, const struct rims *rims)
{
  unsigned unit = parts->unit, end = part->first + part->blocks,
           low = part->first + (rims->low + unit - 1) / unit * unit,
           high = rims->high ? (end - rims->high) / unit * unit : end;
  bool cuts = (rims->low || rims->high) && !rims->between && low < high && may_cut() &&
              is_worth_cutting(parts, part, high - low);
  if (!cuts) {
    add_piece(parts, part->part, part->first, end);
    return;
  }
  add_piece(parts, part->part, low, high);
  add_piece(parts, part->part, part->first, low);
  add_piece(parts, part->part, high, end);
}

static void bring_part(struct launch *launch, const struct mesi_piece *part, struct rims *rims)
{
  static const struct mesi_span none;
  int device = mesi_devices_at((int)part->part);
  mesi_uses_init(&launch->uses, device, "launch");
  for (unsigned i = 0; i < launch->parts.count; i++) {
    const struct mesi_pending *pending = &launch->parts.items[i];
    if (!(pending->access & MESI_READ) || is_written(launch, pending->object)) continue;
    find_rims(rims, part, pending, device);
    if (!SEEDED(PARTS_IN_TURN))
      mesi_uses_add(&launch->uses, pending->object, mesi_piece_read(part, pending), none,
                    MESI_READ);
  }
  mesi_uses_abandon(&launch->uses);
}

/* Copies from a device come behind all that its stream holds: were they submitted part by part,
 * they would wait for kernels of the same launch. What neighbours on two ranks send crosses. */
void mesi_spread_bring(struct launch *launch)
{
  struct mesi_parts *parts = &launch->parts;
  mesi_order_together(true);
  for (unsigned i = 0; i < parts->number; i++) {
    struct mesi_piece part = {i, mesi_parts_first(parts, i), mesi_parts_blocks(parts, i)};
    struct rims rims = {0, 0, false};
    bring_part(launch, &part, &rims);
    cut(parts, &part, &rims);
  }
  mesi_order_together(false);
}

static void use(int device) { mesi_check(mesi_device.use(device), NULL, "choosing a device"); }

/* The program has put its stream behind its others that use the objects, not this one. */
static void behind_streams(const struct launch *launch)
{
  int device = launch->uses.device;
  for (size_t i = 0; i < launch->uses.count; i++) {
    const struct mesi_copy *copy = &launch->uses.items[i].object->device[device];
    if (SEEDED(PART_BESIDE_STREAM)) continue;
    mesi_order_stream_after_streams(device, launch->stream, copy->readers | copy->writers);
    if (copy->hidden)
      mesi_order_stream_after(device, launch->stream, MESI_TO_DEVICE,
                              launch->uses.items[i].object->settled[device]);
  }
}

void mesi_spread_enter(struct launch *launch)
{
  if (!SEEDED(SYMBOL_NOT_MOVED)) mesi_launch_set_symbols(launch);
  if (launch->uses.device == launch->first.device) return;
  behind_streams(launch);
  use(launch->uses.device);
}

/* The launch's stream waits for the part in mesi_spread_end. */
void mesi_spread_leave(struct launch *launch)
{
  if (launch->uses.device == launch->first.device) return;
  use(launch->first.device);
}

void mesi_spread_end(struct launch *launch)
{
  for (unsigned part = 0; part < launch->parts.number; part++) {
    int device = mesi_devices_at((int)part);
    if (device == launch->first.device || SEEDED(PART_NOT_AWAITED)) continue;
    unsigned stream = mesi_order_stream(device, DEFAULT_STREAM);
    mesi_order_stream_after_stream_of(launch->first.device, launch->first.stream, device, stream);
  }
  for (unsigned i = 0; i < launch->parts.count; i++)
    if (launch->parts.items[i].access & MESI_WRITE)
      mesi_again_writes(launch->parts.items[i].object);
  launch->uses.device = launch->first.device;
  launch->stream = launch->first.stream;
  launch->handle = launch->first.handle;
  mesi_sums_end(launch);
  launch->parts.spread = false;
  spreading = false;
  mesi_writers_signal();
}

void *mesi_spread_pointer(const struct launch *launch, const void *pointer)
{
  const struct mesi_object *object = mesi_object_on_device(launch->first.device, pointer);
  int device = SEEDED(POINTER_NOT_MOVED) ? launch->first.device : launch->uses.device;
  if (!object) return (void *)(uintptr_t)pointer;
  const char *begin = object->device[launch->first.device].address;
  return mesi_sums_address(launch, object, device) + ((const char *)pointer - begin);
}
