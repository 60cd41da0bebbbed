/* SPDX-License-Identifier: MIT */
/* state.c - the states of an object's bytes and its transfers.
 *
 *   host    device   protection of the user's view of a guarded object
 *   valid   no       read and write: the host may write unseen, no copy depends on it
 *   valid   valid    read: the first write is seen, and makes the device copy invalid
 *   stale   valid    none: the first touch is seen, and copies back
 *
 * Example: of a float a[1000], valid on both sides, a kernel writes a[0 .. 99]. The host's bytes
 * [0, 400) are then stale. The host reads a[50]: 4 bytes come back where the read was announced, a
 * page where it was not. The host writes a[500]: the device's bytes [2000, 2004) become invalid,
 * and the next launch sends only these.
 *
 * A kernel that may write only some bytes of a range needs the whole range valid before, since all
 * of it counts as written.
 */
#include "state.h"

#include "../base/error.h"
#include "../stream/devices.h"
#include "../object/guard.h"
#include "../object/habit.h"
#include "../stream/order.h"
#include "../object/pointers.h"
#include "../seeded.h"
#include "../trace/trace.h"
#include "transfer.h"
#include "verify.h"

#include <stdlib.h>

enum {
  PIECES_SEPARATE = 8, /* up to so many intervals are transferred one by one */
  /* bytes that PCIe 5 moves in 0.4 us; submitting another copy takes about 2 us */
  JOINED_GAP = 16 << 10,
  MOST_COMING = 256,   /* prefetches of an object that the host has not used yet */
  MOST_INTERVALS = 256 /* of valid bytes on a device; above that the small ones are dropped */
};

static bool has_own_pages(const struct mesi_object *object)
{
  return object->defined && (uintptr_t)object->host % mesi_page_size() == 0;
}

static void choose_mode(struct mesi_object *object)
{
  object->verified = mesi_verify_on() && !object->kept && !object->slab && !object->wants_guard &&
                     has_own_pages(object);
  if (object->kept) {
    object->mode = MESI_EAGER;
  } else if (object->slab) {
    object->mode = MESI_GUARDED;
  } else if (object->constant) {
    object->mode = MESI_ANNOUNCED;
  } else if ((object->wants_guard || object->verified) && has_own_pages(object)) {
    object->extent = mesi_round_to_pages(object->size);
    mesi_guard_adopt(object);
  } else {
    object->mode = object->wants_guard || !object->defined ? MESI_EAGER : MESI_ANNOUNCED;
  }
}

void mesi_state_prepare(struct mesi_object *object)
{
  if (object->prepared) return;
  object->prepared = true;
  mesi_change();
  choose_mode(object);
}

void mesi_state_keep(struct mesi_object *object)
{
  mesi_change();
  object->kept = object->prepared = true;
  choose_mode(object);
}

void mesi_state_want_guard(struct mesi_object *object)
{
  if (object->wants_guard) return;
  mesi_change();
  object->wants_guard = true;
  object->verified = false;
  if (has_own_pages(object)) object->extent = mesi_round_to_pages(object->size);
  if (!object->prepared || object->mode == MESI_GUARDED) return;
  mesi_state_to_host(object, mesi_object_whole(object), "guard");
  mesi_state_host_writes(object, mesi_object_whole(object));
  if (object->pinned) mesi_device.unpin(object->view);
  object->pinned = object->prepared = false;
}

struct mesi_span mesi_state_span(const struct mesi_object *object, struct mesi_span span)
{
  span = mesi_span_clip(span, (struct mesi_span){0, mesi_object_capacity(object)});
  if (mesi_span_empty(span) || !mesi_pointers_any(object)) return span;
  return (struct mesi_span){0, span.end > object->size ? span.end : object->size};
}

/* ---- pieces ---- */

static size_t bytes_in(const struct mesi_ranges *set, struct mesi_span span)
{
  size_t bytes = 0;
  while (!mesi_span_empty(span)) {
    struct mesi_span part = mesi_ranges_next(set, span);
    bytes += mesi_span_bytes(part);
    span.begin = mesi_span_empty(part) ? span.end : part.end;
  }
  return bytes;
}

size_t mesi_state_missing(const struct mesi_object *object, int device, struct mesi_span span)
{
  const struct mesi_ranges *valid = &object->device[device].valid;
  return mesi_ranges_contain(valid, span) ? 0 : mesi_span_bytes(span) - bytes_in(valid, span);
}

/* The first piece of the span that the target lacks and the source has. Where the target has many
 * intervals, the piece continues over small gaps that both have. */
static struct mesi_span next_piece(const struct mesi_ranges *target,
                                   const struct mesi_ranges *source, struct mesi_span span)
{
  struct mesi_span piece = mesi_ranges_next_gap(target, span);
  if (mesi_span_empty(piece)) return piece;
  piece.end = mesi_ranges_next(source, piece).end;
  while (target->count > PIECES_SEPARATE && piece.end < span.end) {
    struct mesi_span next = mesi_ranges_next_gap(target, (struct mesi_span){piece.end, span.end});
    struct mesi_span both = {piece.end, next.end};
    if (mesi_span_empty(next) || next.begin - piece.end > JOINED_GAP ||
        !mesi_ranges_contain(source, both))
      break;
    mesi_trace_joined(next.begin - piece.end);
    piece.end = next.end;
  }
  return piece;
}

/* Reports valid bytes in a piece that was not joined on purpose: with few intervals there are none,
 * and others would be a defect. */
static void check_piece(const struct mesi_ranges *target, struct mesi_span piece)
{
  if (target->count <= PIECES_SEPARATE) mesi_trace_redundant(bytes_in(target, piece));
}

/* ---- to the device ---- */

static void send(struct mesi_object *object, int device, struct mesi_span piece, const char *cause)
{
  struct mesi_ranges *valid = &object->device[device].valid;
  check_piece(valid, piece);
  mesi_ranges_add(valid, piece);
  mesi_object_changed(object);
  if (!SEEDED(SENT_NOT_PROTECTED)) mesi_guard_update(object, piece);
  mesi_transfer_to_device(object, device, piece, cause);
}

/* The first bytes of the gap that are valid on another device; empty: on none. */
static struct mesi_span peer_piece(const struct mesi_object *object, int device,
                                   struct mesi_span gap, int *ret_other)
{
  struct mesi_span first = {0, 0};
  for (int other = 0; other < object->device_count; other++) {
    if (other == device) continue;
    struct mesi_span piece = mesi_ranges_next(&object->device[other].valid, gap);
    if (mesi_span_empty(piece)) continue;
    bool better = mesi_span_empty(first) || piece.begin < first.begin ||
                  (piece.begin == first.begin && piece.end > first.end);
    if (better) first = piece, *ret_other = other;
  }
  return first;
}

/* Takes bytes from other devices that have them: a link between devices is faster than the
 * host's. */
static void take_from_peers(struct mesi_object *object, int device, struct mesi_span span,
                            const char *cause)
{
  struct mesi_ranges *valid = &object->device[device].valid;
  while (!mesi_span_empty(span)) {
    int other = device;
    struct mesi_span gap = mesi_ranges_next_gap(valid, span);
    struct mesi_span piece = peer_piece(object, device, gap, &other);
    span.begin = mesi_span_empty(gap) ? span.end : mesi_span_empty(piece) ? gap.end : piece.end;
    if (mesi_span_empty(piece)) continue;
    mesi_ranges_add(valid, piece);
    mesi_object_changed(object);
    mesi_guard_update(object, piece);
    if (!SEEDED(PEER_NOT_COPIED)) mesi_transfer_between(object, device, other, piece, cause);
  }
}

/* The pages become read-only before the copy starts: a write by another thread during the copy then
 * makes the device's bytes invalid. */
char *mesi_state_to_device(struct mesi_object *object, int device, struct mesi_span span,
                           const char *cause)
{
  mesi_state_prepare(object);
  char *memory = mesi_object_device_memory(object, device);
  mesi_object_back(object, device, span);
  const struct mesi_ranges *valid = &object->device[device].valid;
  if (mesi_ranges_contain(valid, span)) return memory;
  mesi_change();
  if (mesi_devices_several() && !mesi_pointers_any(object))
    take_from_peers(object, device, span, cause);
  for (struct mesi_span rest = span; !mesi_span_empty(rest);) {
    struct mesi_span gap = mesi_ranges_next_gap(valid, rest);
    mesi_state_to_host(object, gap, cause);
    rest.begin = mesi_span_empty(gap) ? rest.end : gap.end;
  }
  while (!mesi_span_empty(span)) {
    struct mesi_span piece = next_piece(valid, &object->host_valid, span);
    if (!mesi_span_empty(piece)) send(object, device, piece, cause);
    span.begin = mesi_span_empty(piece) ? span.end : piece.end;
  }
  return memory;
}

/* ---- to the host ---- */

static void now_on_host(struct mesi_object *object, struct mesi_span span)
{
  mesi_ranges_add(&object->host_valid, span);
  mesi_guard_update(object, span);
}

/* Removes from the list of prefetches a part of the span that is on its way. */
static bool take_coming(struct mesi_object *object, struct mesi_span span,
                        struct mesi_coming *ret_coming)
{
  for (size_t i = 0; i < object->coming_count; i++) {
    if (mesi_span_empty(mesi_span_clip(object->coming[i].span, span))) continue;
    *ret_coming = object->coming[i];
    object->coming[i] = object->coming[--object->coming_count];
    return true;
  }
  return false;
}

/* Waits for prefetched bytes of the span: the host uses them now. */
static void receive(struct mesi_object *object, struct mesi_span span)
{
  struct mesi_coming coming;
  while (take_coming(object, span, &coming)) {
    mesi_order_host_after(coming.device, MESI_TO_HOST, coming.ticket);
    mesi_habit_met(object, coming.site);
    now_on_host(object, coming.span);
  }
}

/* The device on which the byte is valid. */
static int source_of(const struct mesi_object *object, size_t byte)
{
  for (int device = 0; device < object->device_count; device++)
    if (mesi_ranges_contain(&object->device[device].valid, (struct mesi_span){byte, byte + 1}))
      return device;
  mesi_fatal("no valid copy", object, "of byte %zu%s", byte,
             object->orphaned ? ": it was on the device when this process was forked" : "");
}

void mesi_state_to_host(struct mesi_object *object, struct mesi_span span, const char *cause)
{
  if (mesi_ranges_contain(&object->host_valid, span)) return;
  mesi_change();
  receive(object, span);
  while (!mesi_span_empty(span)) {
    struct mesi_span gap = mesi_ranges_next_gap(&object->host_valid, span);
    if (mesi_span_empty(gap)) return;
    int device = source_of(object, gap.begin);
    struct mesi_span piece = next_piece(&object->host_valid, &object->device[device].valid,
                                        (struct mesi_span){gap.begin, span.end});
    check_piece(&object->host_valid, piece);
    mesi_transfer_to_host(object, device, piece, cause);
    now_on_host(object, piece);
    span.begin = piece.end;
  }
}

static bool is_coming(const struct mesi_object *object, struct mesi_span span)
{
  for (size_t i = 0; i < object->coming_count; i++)
    if (!mesi_span_empty(mesi_span_clip(object->coming[i].span, span))) return true;
  return false;
}

static void add_coming(struct mesi_object *object, struct mesi_coming coming)
{
  if (object->coming_count == object->coming_room) {
    object->coming_room = object->coming_room ? object->coming_room * 2 : 4;
    object->coming = mesi_need(realloc(object->coming, object->coming_room * sizeof coming));
  }
  object->coming[object->coming_count++] = coming;
}

void mesi_state_prefetch(struct mesi_object *object, int device, struct mesi_span span,
                         const struct mesi_site *site)
{
  if (mesi_ranges_meet(&object->host_valid, span) || is_coming(object, span) ||
      !mesi_ranges_contain(&object->device[device].valid, span) ||
      object->coming_count == MOST_COMING)
    return;
  mesi_change();
  uint64_t ticket = mesi_transfer_prefetch(object, device, span, "expected host read");
  if (ticket) add_coming(object, (struct mesi_coming){span, device, ticket, site});
}

/* ---- writes ---- */

/* Makes the device's bytes stale. */
static void invalidate(struct mesi_object *object, int device, struct mesi_span span)
{
  struct mesi_ranges *valid = &object->device[device].valid;
  char *memory = object->device[device].address;
  bool spoils = mesi_device.spoil && mesi_devices_several();
  for (struct mesi_span rest = span; spoils && !mesi_span_empty(rest);) {
    struct mesi_span part = mesi_ranges_next(valid, rest);
    if (!mesi_span_empty(part))
      mesi_device.spoil(device, memory + part.begin, mesi_span_bytes(part));
    rest.begin = mesi_span_empty(part) ? rest.end : part.end;
  }
  mesi_ranges_remove(valid, span);
}

/* Drops small intervals of valid bytes. Scattered writes of single elements leave many of them, and
 * sending them again costs less than keeping them. */
static void thin_out(struct mesi_object *object, int device)
{
  struct mesi_ranges *valid = &object->device[device].valid, kept = {0};
  if (valid->count <= MOST_INTERVALS) return;
  for (size_t i = 0; i < valid->count; i++) {
    struct mesi_span span = mesi_ranges_items(valid)[i];
    if (mesi_span_bytes(span) > JOINED_GAP || !mesi_ranges_contain(&object->host_valid, span))
      mesi_ranges_add(&kept, span);
  }
  mesi_ranges_finish(valid);
  *valid = kept;
  mesi_guard_update(object, mesi_object_whole(object));
}

void mesi_state_host_writes(struct mesi_object *object, struct mesi_span span)
{
  if (mesi_span_empty(span)) return;
  mesi_change();
  mesi_object_changed(object);
  receive(object, span);
  if (object->pinned && !SEEDED(WRITTEN_OVER_COPY)) mesi_object_settle(object, span);
  mesi_ranges_add(&object->host_valid, span);
  for (int device = 0; device < object->device_count; device++) {
    if (!SEEDED(HOST_WRITE_UNSEEN)) invalidate(object, device, span);
    thin_out(object, device);
  }
  object->reach_epoch *= SEEDED(REACH_NOT_RENEWED);
  mesi_guard_update(object, span);
}

static bool exclusive(const struct mesi_object *object, int device, struct mesi_span span)
{
  if (mesi_ranges_meet(&object->host_valid, span) ||
      !mesi_ranges_contain(&object->device[device].valid, span))
    return false;
  for (int other = 0; other < object->device_count; other++)
    if (other != device && mesi_ranges_meet(&object->device[other].valid, span)) return false;
  return true;
}

/* Forgets prefetches of bytes that are written again: they were in vain. */
static void drop_coming(struct mesi_object *object, struct mesi_span span)
{
  struct mesi_coming coming;
  while (take_coming(object, span, &coming)) {
    mesi_change();
    mesi_habit_missed(object, coming.site, coming.span);
  }
}

void mesi_state_device_writes(struct mesi_object *object, int device, struct mesi_span span)
{
  if (mesi_span_empty(span)) return;
  mesi_object_changed(object);
  object->reach_epoch = 0;
  object->reading.faults = object->writing.faults = object->ahead.faults = object->ahead.scattered =
      0;
  if (!SEEDED(COMING_NOT_DROPPED)) drop_coming(object, span);
  if (exclusive(object, device, span)) return;
  mesi_change();
  for (int other = 0; other < object->device_count; other++)
    if (other != device && !SEEDED(PEER_KEEPS_STALE)) invalidate(object, other, span);
  mesi_ranges_add(&object->device[device].valid, span);
  if (!SEEDED(KERNEL_WRITE_UNSEEN)) mesi_ranges_remove(&object->host_valid, span);
  mesi_guard_update(object, span);
}
