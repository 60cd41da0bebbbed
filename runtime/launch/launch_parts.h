/* SPDX-License-Identifier: MIT */
/* launch_parts.h - a launch over a large grid, made as several over runs of its blocks. Internal to
 * the runtime. All functions require the lock. */
#ifndef MESI_PARTS_H
#define MESI_PARTS_H

#include "../object/object.h"

enum { MESI_PENDING = 32 }; /* uses that a launch in parts may have */

struct mesi_pending { /* a use that is not ready yet */
  struct mesi_object *object;
  struct mesi_span read, write; /* of the whole launch */
  unsigned access;
  /* relative to the object; step 0: every part uses all of it */
  struct mesi_part read_part, write_part;
};

struct mesi_piece { /* a run of the launch's blocks, by one launch */
  unsigned part, first, blocks;
};

struct mesi_parts {
  struct mesi_pending items[MESI_PENDING];
  unsigned count;
  /* a use had no room: it has been made ready, and the others must be, too */
  bool overfull;
  unsigned number;          /* of parts; 0: the launch goes out as a whole */
  unsigned next;            /* the next piece to be made */
  unsigned blocks;          /* along the axis */
  unsigned long long total; /* blocks of the grid */
  unsigned unit; /* every part but the last has whole units of so many blocks; 0: no parts */
  /* part i is on device i of mesi_devices_at; the program's pointers are those of the device on
   * which the launch began */
  bool spread;
  struct mesi_piece pieces[3 * MESI_DEVICE_MAX]; /* of a launch that is spread, in order */
  unsigned piece_count;
};

/* false: there is no room. */
bool mesi_parts_add(struct mesi_parts *, const struct mesi_pending *);

/* Chooses and stores the number of parts for a launch of `blocks` runs with `total` blocks, by the
 * bytes that it has to move and by MESI_PARTS. 0: one launch. */
unsigned mesi_parts_decide(struct mesi_parts *, int device, const struct mesi_site *site,
                           unsigned blocks, unsigned long long total);

/* The same for one part on each device. NULL: the launch goes out so; otherwise the reason why
 * not. */
const char *mesi_parts_spread(struct mesi_parts *, int device, unsigned blocks,
                              unsigned long long total);

/* After mesi_parts_spread: a use no longer counts as overwriting where another use writes the
 * object, too. */
void mesi_parts_keep_overwritten(struct mesi_parts *);

/* The first block of part `index`, and the number of its blocks. */
unsigned mesi_parts_first(const struct mesi_parts *, unsigned index);
unsigned mesi_parts_blocks(const struct mesi_parts *, unsigned index);
/* The launches that are made: the parts themselves, or pieces of them. */
unsigned mesi_parts_pieces(const struct mesi_parts *);
struct mesi_piece mesi_parts_piece(const struct mesi_parts *, unsigned index);
/* The bytes that the blocks of a piece read and write, and those of a part. */
struct mesi_span mesi_piece_read(const struct mesi_piece *, const struct mesi_pending *);
struct mesi_span mesi_piece_write(const struct mesi_piece *, const struct mesi_pending *);
struct mesi_span mesi_parts_read(const struct mesi_parts *, const struct mesi_pending *,
                                 unsigned index);
struct mesi_span mesi_parts_write(const struct mesi_parts *, const struct mesi_pending *,
                                  unsigned index);

#endif
