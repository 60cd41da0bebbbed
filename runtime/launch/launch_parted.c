/* SPDX-License-Identifier: MIT */
/* launch_parted.c - the calls around the parts of a launch that goes out in parts.
 *
 *     mesi_launch_parts            the number of parts; the launch's uses are only noted so far
 *     mesi_launch_next_part        the part's uses are made ready, its stream comes behind them
 *     mesi_launch_part_pointer,    the part's pointer and stream on its device
 *     mesi_launch_part_stream
 *     the part's launch; again mesi_launch_next_part, which ends it
 */
#include "../base/error.h"
#include "../stream/devices.h"
#include "gate.h"
#include "launch_sums.h"
#include "launch_spread.h"
#include "launch_uses.h"
#include "../stream/order.h"
#include "../object/poison.h"
#include "../transfer/state.h"
#include "../trace/trace.h"
#include "uses.h"
#include "../stream/wait.h"

/* Poisons the bytes that the launch overwrites. Parts must not do it: their ranges may overlap. */
static void poison(const struct launch *launch)
{
  for (unsigned i = 0; i < launch->parts.count; i++) {
    const struct mesi_pending *pending = &launch->parts.items[i];
    if ((pending->access & MESI_WRITE) && (pending->access & MESI_OVERWRITE) &&
        mesi_span_empty(pending->read))
      mesi_poison_device(pending->object, launch->uses.device, pending->write);
  }
}

/* The number of parts; 0: the launch goes out as a whole. */
static unsigned parts_of(struct launch *launch, unsigned blocks, unsigned long long total)
{
  if (launch->stream == MESI_STREAM_UNKNOWN) return 0;
  if (launch->may_spread) {
    const char *obstacle = mesi_spread_begin(launch, blocks, total);
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

static void begin_piece(struct launch *launch, const struct mesi_piece *piece)
{
  struct mesi_parts *parts = &launch->parts;
  if (parts->spread) mesi_spread_place(launch, piece->part);
  mesi_uses_init(&launch->uses, launch->uses.device, "launch");
  launch->uses.part = !parts->spread;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    if (mesi_sums_use(launch, pending)) continue;
    mesi_uses_add(&launch->uses, pending->object, mesi_piece_read(piece, pending),
                  mesi_piece_write(piece, pending), pending->access & ~(unsigned)MESI_SUM_ANY);
  }
  mesi_launch_behind(launch);
  if (parts->spread) mesi_spread_enter(launch);
}

/* Bytes that later parts write too come back behind the last part. */
static void end_piece(struct launch *launch, const struct mesi_piece *piece, bool last)
{
  struct mesi_parts *parts = &launch->parts;
  int device = launch->uses.device;
  if (parts->spread) mesi_spread_leave(launch);
  mesi_launch_check(launch);
  mesi_waiting_launch(launch->site);
  mesi_trace_part_ends(launch->site, device, launch->handle, piece->first, piece->blocks,
                       parts->blocks);
  mesi_order_launched(device, launch->stream);
  mesi_uses_finish(&launch->uses, NULL, launch->stream);
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    bool own = mesi_sums_own(launch, pending->object, device) != NULL;
    if (!own && (pending->access & MESI_WRITE) && (pending->write_part.step > 0 || last))
      mesi_uses_foresee(pending->object, device, launch->site, mesi_piece_write(piece, pending));
  }
}

int mesi_launch_next_part(unsigned *ret_first, unsigned *ret_blocks)
{
  struct launch *launch = mesi_launch_current();
  if (!launch->active || !launch->parted) return 0;
  mesi_lock_to_launch();
  struct mesi_parts *parts = &launch->parts;
  unsigned index = parts->next++;
  struct mesi_piece piece;
  if (!index && parts->spread) mesi_spread_bring(launch);
  bool more = index < mesi_parts_pieces(parts);
  if (index > 0) {
    piece = mesi_parts_piece(parts, index - 1);
    end_piece(launch, &piece, !more);
  }
  if (!more && parts->spread) {
    mesi_trace_spread();
    mesi_spread_end(launch);
    if (launch->gated) mesi_gate_ends(launch, true);
  }
  if (more) {
    piece = mesi_parts_piece(parts, index);
    begin_piece(launch, &piece);
    *ret_first = piece.first;
    *ret_blocks = piece.blocks;
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
