/* SPDX-License-Identifier: MIT */
/* launch_parted.c - the calls around the parts of a launch that goes out in parts.
 *
 *     mesi_launch_parts            how many; what the launch uses has been noted only
 *     mesi_launch_next_part        what the part uses is made ready, its stream comes behind that
 *     mesi_launch_part_pointer,    what the part is given on its device
 *     mesi_launch_part_stream
 *     the part's launch; again mesi_launch_next_part, which ends it
 */
#include "../base/error.h"
#include "../stream/devices.h"
#include "gate.h"
#include "launch_spread.h"
#include "launch_uses.h"
#include "../stream/order.h"
#include "../object/poison.h"
#include "../transfer/state.h"
#include "../trace/trace.h"
#include "uses.h"
#include "../stream/wait.h"

/* What the launch overwrites: parts must not do it, their ranges may overlap. */
static void poison(const struct launch *launch)
{
  for (unsigned i = 0; i < launch->parts.count; i++) {
    const struct mesi_pending *pending = &launch->parts.items[i];
    if ((pending->access & MESI_WRITE) && (pending->access & MESI_OVERWRITE) &&
        mesi_span_empty(pending->read))
      mesi_poison_device(pending->object, launch->uses.device, pending->write);
  }
}

/* How many; 0: it goes out as a whole. */
static unsigned parts_of(struct launch *launch, unsigned blocks, unsigned long long total)
{
  if (launch->stream == MESI_STREAM_UNKNOWN) return 0;
  if (launch->may_spread) {
    const char *obstacle = mesi_spread_begin(launch, blocks);
    if (!obstacle) return launch->parts.number;
    mesi_trace_not_spread(obstacle);
  }
  if (launch->only_spread) return 0;
  return mesi_parts_decide(&launch->parts, launch->uses.device, launch->site, blocks, total);
}

unsigned mesi_launch_parts(unsigned blocks, unsigned long long total)
{
  return mesi_launch_parts_by(blocks, total, 1);
}

unsigned mesi_launch_parts_by(unsigned blocks, unsigned long long total, unsigned unit)
{
  struct launch *launch = mesi_launch_current();
  if (!launch->active || !launch->deferred) return 0;
  mesi_lock_to_launch();
  mesi_launch_open(launch);
  launch->parts.unit = unit;
  unsigned number = parts_of(launch, blocks, total);
  launch->deferred = false;
  launch->parted = number > 0;
  for (unsigned i = 0; i < launch->parts.count && !number; i++)
    mesi_launch_add_use(launch, &launch->parts.items[i]);
  if (!number) {
    mesi_launch_behind(launch);
    if (launch->gated) mesi_gate_begins(launch, false);
  }
  if (number && !launch->parts.spread) poison(launch);
  mesi_unlock();
  return number;
}

static void begin_part(struct launch *launch, unsigned index)
{
  struct mesi_parts *parts = &launch->parts;
  if (parts->spread) mesi_spread_place(launch, index);
  mesi_uses_init(&launch->uses, launch->uses.device, "launch");
  launch->uses.part = !parts->spread;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    mesi_uses_add(&launch->uses, pending->object, mesi_parts_read(parts, pending, index),
                  mesi_parts_write(parts, pending, index), pending->access);
  }
  mesi_launch_behind(launch);
  if (parts->spread) mesi_spread_enter(launch);
}

/* What later parts write too comes back behind the last one. */
static void end_part(struct launch *launch, unsigned index)
{
  struct mesi_parts *parts = &launch->parts;
  int device = launch->uses.device;
  if (parts->spread) mesi_spread_leave(launch);
  mesi_launch_check(launch);
  mesi_waiting_launch(launch->site);
  mesi_trace_part_ends(launch->site, device, launch->handle, mesi_parts_first(parts, index),
                       mesi_parts_blocks(parts, index), parts->blocks);
  mesi_order_launched(device, launch->stream);
  mesi_uses_finish(&launch->uses, NULL, launch->stream);
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    if ((pending->access & MESI_WRITE) &&
        (pending->write_part.step > 0 || index + 1 == parts->number))
      mesi_uses_foresee(pending->object, device, launch->site,
                        mesi_parts_write(parts, pending, index));
  }
}

int mesi_launch_next_part(unsigned *ret_first, unsigned *ret_blocks)
{
  struct launch *launch = mesi_launch_current();
  if (!launch->active || !launch->parted) return 0;
  mesi_lock_to_launch();
  unsigned index = launch->parts.next++;
  if (index > 0) end_part(launch, index - 1);
  bool more = index < launch->parts.number;
  if (!more && launch->parts.spread) {
    mesi_trace_spread();
    mesi_spread_end(launch);
    if (launch->gated) mesi_gate_ends(launch, true);
  }
  if (!index && launch->parts.spread) mesi_spread_bring(launch);
  if (more) {
    begin_part(launch, index);
    *ret_first = mesi_parts_first(&launch->parts, index);
    *ret_blocks = mesi_parts_blocks(&launch->parts, index);
  }
  mesi_unlock();
  return more;
}

void *mesi_launch_part_pointer(const void *pointer)
{
  const struct launch *launch = mesi_launch_current();
  if (!launch->active || !launch->parted || !launch->parts.spread)
    return (void *)(uintptr_t)pointer;
  mesi_lock_to_launch();
  void *moved = mesi_spread_pointer(launch, pointer);
  mesi_unlock();
  return moved;
}

void *mesi_launch_part_stream(void *stream)
{
  const struct launch *launch = mesi_launch_current();
  bool elsewhere = launch->active && launch->parted && launch->parts.spread &&
                   launch->uses.device != launch->first.device;
  return elsewhere ? launch->handle : stream;
}
