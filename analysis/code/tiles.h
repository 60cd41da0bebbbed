/* SPDX-License-Identifier: MIT */
/* tiles.h - arrays staged in shared memory tile by tile of a sequential loop: what is planned, and
 * what is built of it. */
#ifndef MESI_ANALYSIS_TILES_H
#define MESI_ANALYSIS_TILES_H

#include "analysis/code/instance.h"
#include "analysis/code/shape_free.h"

struct buffering { /* how the tiles of a kernel are pipelined */
  /* two copies of each array: the next tile's is filled while one is used */
  bool two;
  bool asynchronous; /* by cp.async, where elements can be copied so */
  /* register double buffering: others are loaded while a tile is used, and stored behind it */
  bool registers;
  /* ... and those whose layout changes on the way: 16 bytes at once, where cp.async takes one
   * element */
  bool transposed;
};

/* at once, by cp.async, through registers of the thread */
enum tile_pipelining { TILE_COPIED, TILE_ASYNCHRONOUS, TILE_REGISTERS };

/* of a block at each tile: for its stores, a second barrier too, for loads */
enum tile_pause { PAUSE_NONE, PAUSE_STORE, PAUSE_BARRIER, PAUSE_COPY };

struct tile_array {    /* what one tile needs of an array */
  struct array *array; /* of the code's scan: only the accesses in the loop */
  struct stage stage;  /* the box; offsets depend on the tile's first iteration */
  /* of the copy's dimensions, outermost first: a thread's neighbours stand side by side */
  unsigned order[ACCESS_DIMS];
  int64_t pad;     /* elements behind each row of the copy */
  uint64_t bytes;  /* of the copy, with the padding */
  unsigned vector; /* elements that are copied at once */
  double count;    /* accesses of a virtual thread in an iteration of the loop */
  double reuse;    /* accesses of the block to an element of a tile */
  /* used too rarely for that to count: copied so that it is read in whole lines, and ahead of
   * its use */
  bool streamed;
  enum tile_pipelining pipelining; /* how it comes to its copy */
  unsigned next_registers;         /* registers of a thread (TILE_REGISTERS) */
  struct ir_var *copy;             /* made by tile_build */
  struct ir_var *next_var; /* TILE_REGISTERS: a thread's part of the next tile; by tile_build */
};

struct tile {
  struct ir_stmt *loop; /* the user's; NULL: no loop is worth it */
  struct ir_var *first; /* iterator of the loop over tiles: the tile's first iteration */
  int64_t size;         /* iterations of a tile */
  bool exact;           /* the loop is a whole number of tiles */
  struct tile_array *arrays;
  unsigned array_count;
  uint64_t bytes;
  bool buffered;           /* `bytes` are of two copies of each array */
  bool only;               /* there is no next tile */
  unsigned next_registers; /* registers of a thread for the next tile */
  enum tile_pause pause;
  /* which half of the copies holds the tile; NULL: there is one copy of each */
  struct ir_var *buffer;
  bool shared;           /* by several blocks: each takes a run of it */
  struct ir_var *run[2]; /* where that begins and ends; made by tile_build */
  /* of an iteration, which is nothing else: tensor cores take them (product.h); 0: it is an
   * ordinary loop */
  unsigned products;
  struct ir_stmt *built; /* the loop over tiles; made by tile_build */
  /* its iterations are taken by tensor cores; made by coarsen_instances */
  bool multiplied;
  /* the loops over the iterations of a tile, and of one that is cut short (NULL: none is); made
   * by tile_build */
  struct ir_stmt *whole, *rest;
};

enum { MOST_TILES = 4 };

struct tiles { /* of loops that are not inside one another */
  struct tile items[MOST_TILES];
  unsigned count;
  struct buffering buffering;
  /* made by tile_build: statements of real threads, whatever the predicates around them */
  struct ir_list verbatim;
  /* the real thread's number in its block; made by tile_build, declared by its caller */
  struct ir_var *thread;
};

#endif
