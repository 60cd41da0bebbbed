/* SPDX-License-Identifier: MIT */
/* launch_parts.c - a launch over a large grid, made as several over runs of its blocks.
 *
 *     k<<<4096, 256>>>(a, b)      block i reads [1024 i, 1024 i + 1032) of a, writes [1024 i,
 *         1024 i + 1024) of b
 *  =>  8 launches of 512 blocks; the third comes behind the copies of [1 M, 1.5 M + 8) of a,
 *      beside those of the parts behind it;
 *      [1 M, 1.5 M) of b starts its way to the host behind it, where the host is expected to read b
 *
 * A run of blocks uses the bytes step * first + begin ... step * last + end, clipped to the
 * launch's range. That is right for any step that the compiler gives; it helps where the ranges of
 * neighbours hardly overlap. Parts pay when the bytes to move take longer than the launches and
 * copies that are added. Let T be the time of all moves and t that of a part's launch and copies: n
 * parts take about T / n + n t longer than the slowest of the three (to the device, kernel, back),
 * and n = sqrt(T / t) is best. A PCIe 5 link moves PART_BYTES in the 20 us of a part.
 */
#include "launch_parts.h"

#include "../stream/devices.h"
#include "../object/habit.h"
#include "../object/pointers.h"
#include "../seeded.h"
#include "../transfer/state.h"

#include <stdlib.h>

enum {
  PART_BYTES = 1 << 20,
  LEAST_BYTES = 4 << 20, /* fewer bytes are moved in one piece */
  MOST_PARTS = 32,
  LEAST_BLOCKS = 512 /* of a part: fewer do not fill the device */
};

/* MESI_PARTS: -1 not set; 0 or 1 no parts; another value is the number of parts, where there are
 * blocks for them. */
static int forced = -2;

static int forced_parts(void)
{
  if (forced == -2) {
    const char *text = getenv("MESI_PARTS");
    int value = text && *text ? atoi(text) : -1;
    forced = value < -1 ? -1 : value;
  }
  return forced;
}

bool mesi_parts_add(struct mesi_parts *parts, const struct mesi_pending *pending)
{
  if (parts->count == MESI_PENDING) parts->overfull = true;
  if (parts->overfull) return false;
  parts->items[parts->count++] = *pending;
  return true;
}

/* ---- the ranges of a part ---- */

/* The number of units of blocks. Every part but the last has whole units. */
static unsigned units_of(const struct mesi_parts *parts, unsigned blocks)
{
  return parts->unit ? blocks / parts->unit + (blocks % parts->unit > 0) : 0;
}

unsigned mesi_parts_first(const struct mesi_parts *parts, unsigned index)
{
  unsigned long long units = units_of(parts, parts->blocks);
  unsigned long long first = units * index / parts->number * parts->unit;
  return first < parts->blocks ? (unsigned)first : parts->blocks;
}

unsigned mesi_parts_blocks(const struct mesi_parts *parts, unsigned index)
{
  return mesi_parts_first(parts, index + 1) - mesi_parts_first(parts, index);
}

unsigned mesi_parts_pieces(const struct mesi_parts *parts)
{
  return parts->spread ? parts->piece_count : parts->number;
}

static struct mesi_piece whole_part(const struct mesi_parts *parts, unsigned index)
{
  return (struct mesi_piece){index, mesi_parts_first(parts, index),
                             mesi_parts_blocks(parts, index)};
}

struct mesi_piece mesi_parts_piece(const struct mesi_parts *parts, unsigned index)
{
  return parts->spread ? parts->pieces[index] : whole_part(parts, index);
}

static struct mesi_span of_piece(const struct mesi_piece *piece, const struct mesi_part *part,
                                 struct mesi_span whole)
{
  ptrdiff_t first = piece->first, last = first + piece->blocks - 1 - SEEDED(PART_ENDS_EARLY), begin,
            end;
  if (part->step <= 0) return whole;
  if (__builtin_mul_overflow(part->step, first, &begin) ||
      __builtin_add_overflow(begin, part->begin, &begin) ||
      __builtin_mul_overflow(part->step, last, &end) ||
      __builtin_add_overflow(end, part->end, &end))
    return whole;
  if (end <= 0) return (struct mesi_span){0, 0};
  return mesi_span_clip((struct mesi_span){begin < 0 ? 0 : (size_t)begin, (size_t)end}, whole);
}

struct mesi_span mesi_piece_read(const struct mesi_piece *piece, const struct mesi_pending *pending)
{
  return of_piece(piece, &pending->read_part, pending->read);
}

struct mesi_span mesi_piece_write(const struct mesi_piece *piece,
                                  const struct mesi_pending *pending)
{
  return of_piece(piece, &pending->write_part, pending->write);
}

struct mesi_span mesi_parts_read(const struct mesi_parts *parts, const struct mesi_pending *pending,
                                 unsigned index)
{
  struct mesi_piece piece = whole_part(parts, index);
  return mesi_piece_read(&piece, pending);
}

struct mesi_span mesi_parts_write(const struct mesi_parts *parts,
                                  const struct mesi_pending *pending, unsigned index)
{
  struct mesi_piece piece = whole_part(parts, index);
  return mesi_piece_write(&piece, pending);
}

/* ---- does it pay? ---- */

static ptrdiff_t overlap(const struct mesi_part *part)
{
  return part->end - part->begin - part->step;
}

/* Do neighbours share at most a quarter of the bytes that the smallest part reads? */
static bool reads_apart(const struct mesi_part *part, unsigned blocks)
{
  return part->step > 0 && overlap(part) <= part->step * (ptrdiff_t)(blocks / MOST_PARTS / 4);
}

/* Do neighbours share no byte that they write? A shared one could not start its way back. */
static bool writes_apart(const struct mesi_part *part)
{
  return part->step > 0 && overlap(part) <= 0;
}

static bool can_be_parted(const struct mesi_object *object)
{
  return object->mode != MESI_EAGER && !mesi_pointers_any(object);
}

/* An upper bound of bytes_to_move. */
static size_t bytes_used(const struct mesi_parts *parts)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < parts->count; i++)
    bytes += mesi_span_bytes(parts->items[i].read) + 2 * mesi_span_bytes(parts->items[i].write);
  return bytes;
}

static size_t bytes_to_move(const struct mesi_parts *parts, int device,
                            const struct mesi_site *site, unsigned blocks)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    bool read = (pending->access & MESI_READ) && reads_apart(&pending->read_part, blocks);
    bool written = (pending->access & MESI_WRITE) && writes_apart(&pending->write_part);
    if (read) bytes += mesi_state_missing(pending->object, device, pending->read);
    if (written && !(pending->access & MESI_OVERWRITE) && !read)
      bytes += mesi_state_missing(pending->object, device, pending->write);
    if (written) bytes += mesi_habit_expected(pending->object, site, pending->write);
  }
  return bytes;
}

static unsigned square_root(size_t value)
{
  unsigned root = 0;
  while ((size_t)(root + 1) * (root + 1) <= value) root++;
  return root;
}

static unsigned parts_for(const struct mesi_parts *parts, int device, const struct mesi_site *site,
                          unsigned blocks, unsigned long long total)
{
  if (forced_parts() >= 0) return forced < 2 ? 0 : (unsigned)forced;
  if (bytes_used(parts) < LEAST_BYTES) return 0;
  size_t bytes = bytes_to_move(parts, device, site, blocks);
  unsigned number = bytes < LEAST_BYTES ? 0 : square_root(bytes / PART_BYTES);
  if (number > MOST_PARTS) number = MOST_PARTS;
  return total / LEAST_BLOCKS < number ? (unsigned)(total / LEAST_BLOCKS) : number;
}

static bool all_can_be_parted(const struct mesi_parts *parts)
{
  for (unsigned i = 0; i < parts->count; i++)
    if (!can_be_parted(parts->items[i].object)) return false;
  return !parts->overfull;
}

/* A use whose ranges overlap counts as a whole for each part. */
static void drop_overlapping(struct mesi_parts *parts)
{
  for (unsigned i = 0; i < parts->count && forced_parts() < 0; i++) {
    if (!reads_apart(&parts->items[i].read_part, parts->blocks)) parts->items[i].read_part.step = 0;
    if (!writes_apart(&parts->items[i].write_part)) parts->items[i].write_part.step = 0;
  }
}

unsigned mesi_parts_decide(struct mesi_parts *parts, int device, const struct mesi_site *site,
                           unsigned blocks, unsigned long long total)
{
  unsigned number = parts->count ? parts_for(parts, device, site, blocks, total) : 0;
  parts->number = parts->next = 0;
  parts->blocks = blocks;
  parts->spread = false;
  if (number > units_of(parts, blocks)) number = units_of(parts, blocks);
  if (number < 2 || !all_can_be_parted(parts)) return 0;
  drop_overlapping(parts);
  return parts->number = number;
}

/* ---- a part on each device ---- */

/* Does another use write the object as well? Then no use alone tells the bytes that a part
 * overwrites. */
static bool written_elsewhere(const struct mesi_parts *parts, unsigned index)
{
  for (unsigned i = 0; i < parts->count; i++)
    if (i != index && parts->items[i].object == parts->items[index].object &&
        (parts->items[i].access & MESI_WRITE))
      return true;
  return false;
}

static const char *use_obstacle(const struct mesi_pending *pending)
{
  if (pending->object->mode == MESI_EAGER) return "an object is used by the host without notice";
  if (mesi_pointers_any(pending->object)) return "an object holds pointers";
  if ((pending->access & MESI_WRITE) && !mesi_span_empty(pending->write) &&
      !(pending->access & MESI_SUM_ANY) &&
      !(writes_apart(&pending->write_part) || SEEDED(OWNERS_OVERLAP)))
    return "a part may write what another one writes";
  return NULL;
}

const char *mesi_parts_spread(struct mesi_parts *parts, int device, unsigned blocks,
                              unsigned long long total)
{
  unsigned number = (unsigned)mesi_devices_count();
  if (parts->overfull || !parts->count) return "it uses too many objects, or none";
  if (!mesi_devices_have(device)) return "the program's device is not among them";
  if (!parts->unit) return "its version of the kernel has none for a run of blocks";
  if (units_of(parts, blocks) < number) return "it has fewer blocks than there are devices";
  for (unsigned i = 0; i < parts->count; i++) {
    const char *obstacle = use_obstacle(&parts->items[i]);
    if (obstacle) return obstacle;
  }
  parts->number = number;
  parts->next = 0;
  parts->blocks = blocks;
  parts->total = total;
  parts->piece_count = 0;
  parts->spread = true;
  return NULL;
}

void mesi_parts_keep_overwritten(struct mesi_parts *parts)
{
  for (unsigned i = 0; i < parts->count; i++)
    if (written_elsewhere(parts, i)) parts->items[i].access &= ~(unsigned)MESI_OVERWRITE;
}
