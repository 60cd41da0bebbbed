/* SPDX-License-Identifier: MIT */
/* tile.h - arrays staged in shared memory tile by tile of a sequential loop. */
#ifndef MESI_ANALYSIS_TILE_H
#define MESI_ANALYSIS_TILE_H

#include "analysis/code/tiles.h"

/* Chooses loops, and the arrays to stage. `code` is shaped and scanned; `size`: iterations of a
 * tile. */
void tile_plan(struct code *, const struct instances *, const struct geometry *, struct stager *,
               int64_t size, uint64_t capacity, const struct buffering *, struct tiles *ret);
/* Rewrites the code: loops over tiles, copies, barriers, staged accesses. The scan stays valid for
 * the rest of the code. */
void tile_build(struct code *, const struct geometry *, struct tiles *);

/* tile_layout.c: sets order, pad, bytes and vector of `out`. */
void tile_layout(struct code *scan, const struct geometry *, const struct candidate *,
                 const struct buffering *, struct tile_array *out);

/* tile_ahead.c: chooses the pipelining of an array of the tile, which has its layout and stage. */
void tile_choose_pipelining(const struct geometry *, const struct tile *, const struct buffering *,
                            struct tile_array *out);
/* ... can cp.async copy elements of this type? */
bool tile_can_copy_async(const struct ir_type *element);
/* ... the pipelining for the arrays of this tile: without a next tile, only cp.async has a use for
 * a second copy */
struct buffering tile_own_buffering(const struct tile *, const struct buffering *);
/* ... and completes the tile, once it has all its arrays. */
void tile_set_buffering(struct tile *, const struct buffering *);
/* Changes the pipelining of the tiles in the same plan. False: it does not fit `capacity`, or the
 * threads would wait for streamed arrays. */
bool tile_rebuffer(struct tiles *, const struct geometry *, const struct buffering *,
                   uint64_t capacity);
/* The ways of pipelining, counted from 0. If any fits, the first one does. False: there are no
 * more. */
bool tile_next_buffering(unsigned number, bool asynchronous, struct buffering *ret);
/* The number of rounds in which threads fill its copy. */
int64_t tile_rounds(const struct geometry *, const struct tile_array *, unsigned vector);
unsigned tile_vector(const struct tile_array *); /* elements at once, in its way of pipelining */

/* tile_copy.c: the loop in which the block's threads copy an array's box to shared memory, or half
 * of that: loads into registers, stores from there. */
enum tile_part { PART_ALL, PART_LOAD, PART_STORE, PART_BACK /* from the copy to the array */ };

struct tile_copying {
  const struct tile *tile;
  const struct tile_array *array;
  struct ir_expr *first;  /* the tile's first iteration; NULL: tile->first */
  struct ir_expr *buffer; /* the half of the copy that is filled; NULL: the copy has no halves */
  enum tile_part part;
};
/* The registers that hold a thread's part of a tile. */
struct ir_var *tile_next_var(struct code *, const struct geometry *, const struct tile_array *);
struct ir_stmt *tile_copy(struct code *, const struct geometry *, const struct tiles *,
                          const struct tile_copying *);

/* ---- arrays (tile_fit.c) ---- */
/* May a loop have tiles in some shape? The code is scanned. */
bool tile_may_be(const struct code *);
/* Why an array has no tiles, as far as that is known without its boxes. `may_store`: the tiles may
 * store arrays of which each thread writes a row of its own. NULL: the boxes decide. */
const char *tile_unfit(const struct code *scan, struct array *, bool may_store);
/* Who writes the array. NULL: nothing does. */
const char *tile_why_written(const struct code *scan, const struct array *);

/* The accesses of a virtual thread in an iteration of the loop, as the model counts them. */
double tile_accesses_each(const struct code *, struct ir_stmt *loop, const struct array *part);

/* tile_rows.c: do no other name and no other axis of threads lead to the array's rows? */
bool tile_is_alone(const struct code *scan, const struct array *);
/* May the tiles store the array, since each thread has a row of its own? */
bool tile_may_store(struct code *scan, const struct geometry *, struct array *);
/* Why an array in such memory has no tiles: a device variable, a local. NULL: it may have some. */
const char *tile_memory_obstacle(const struct array *);

/* ---- parts that planning and building share (tile_loop.c) ---- */
/* The iteration behind the last one of a whole tile. */
struct ir_expr *tile_end(struct arena *, const struct tile *);
/* The loop over tiles, from the iteration `first` to `end`. */
struct ir_stmt *tile_over(struct arena *, const struct tile *, struct ir_expr *first,
                          struct ir_expr *end, struct ir_stmt *body);
/* The user's loop from `first` to `end` with another body. */
struct ir_stmt *tile_inner_loop(struct arena *, const struct ir_stmt *loop, struct ir_expr *first,
                                struct ir_expr *end, struct ir_stmt *body);

#endif
