/* SPDX-License-Identifier: MIT */
/* tiles.h - arrays that a sequential loop stages in shared memory tile by tile: the plan, and the
 * variables and statements built for it. */
#ifndef MESI_ANALYSIS_TILES_H
#define MESI_ANALYSIS_TILES_H

#include "analysis/code/instance.h"
#include "analysis/code/shape_free.h"

struct buffering { /* how the tiles of a kernel are pipelined */
  /* Two copies of each array: the next tile is loaded into one while the other is used. */
  bool two;
  bool asynchronous; /* by cp.async, where it can copy the elements */
  /* Register double buffering: other arrays are loaded while a tile is used, and stored behind
   * it. */
  bool registers;
  /* ... also arrays whose layout changes on the way: they are loaded 16 bytes at once, where
   * cp.async would take one element */
  bool transposed;
};

/* at once, by cp.async, through registers of the thread */
enum tile_pipelining { TILE_COPIED, TILE_ASYNCHRONOUS, TILE_REGISTERS };

/* The pause of a block at each tile: for its stores, for a second barrier, too, or for loads. */
enum tile_pause { PAUSE_NONE, PAUSE_STORE, PAUSE_BARRIER, PAUSE_COPY };

/* Iterations that are no whole number of tiles of numbers with one or two bytes need so many. */
enum { TILES_OF_BYTES = 8 };

struct tile_array {    /* the use of an array by one tile */
  struct array *array; /* of the code's scan, with only the accesses in the loop */
  struct stage stage;  /* the box; offsets depend on the tile's first iteration */
  /* The copy's dimensions, outermost first: a thread's neighbours lie side by side. */
  unsigned order[ACCESS_DIMS];
  int64_t pad;     /* elements behind each row of the copy */
  uint64_t bytes;  /* of the copy, with the padding */
  unsigned vector; /* elements that are copied at once */
  double count;    /* accesses of a virtual thread in an iteration of the loop */
  double reuse;    /* accesses of the block to each element of a tile */
  /* It is used too rarely for a copy to pay by reuse. It is copied so that whole lines are read,
   * ahead of their use. */
  bool streamed;
  /* The loop writes it, each thread a row of its own: there is one copy, which is loaded behind
   * the tile before it (where stage.load) and stored behind the tile's iterations. */
  bool stored;
  enum tile_pipelining pipelining; /* how it comes to its copy */
  unsigned next_registers;         /* registers of a thread (TILE_REGISTERS) */
  struct ir_var *copy;             /* made by tile_build */
  struct ir_var *next_var; /* TILE_REGISTERS: a thread's part of the next tile; by tile_build */
};

struct tile {
  struct ir_stmt *loop; /* the user's; NULL: no loop is worth tiling */
  struct ir_var *first; /* iterator of the loop over tiles: the tile's first iteration */
  int64_t size;         /* iterations of a tile */
  bool exact;           /* the loop is a whole number of tiles */
  struct tile_array *arrays;
  unsigned array_count;
  uint64_t bytes;
  bool buffered;           /* `bytes` counts two copies of each array */
  bool only;               /* there is no next tile */
  bool stored;             /* one of its arrays is */
  bool own_rows;           /* the kernel writes one of its arrays, each thread a row of its own */
  unsigned next_registers; /* registers of a thread for the next tile */
  enum tile_pause pause;
  /* The half of the copies that holds the tile. NULL: there is one copy of each. */
  struct ir_var *buffer;
  bool shared;           /* several blocks share it: each takes a run of it */
  struct ir_var *run[2]; /* the begin and the end of the run; made by tile_build */
  /* Products per iteration, which does nothing else: tensor cores compute them (product.h). 0: an
   * ordinary loop. */
  unsigned products;
  struct ir_stmt *built; /* the loop over tiles; made by tile_build */
  /* Tensor cores run its iterations; made by coarsen_instances. */
  bool multiplied;
  /* The loops over the iterations of a whole tile, and of a tile that is cut short (NULL: none is);
   * made by tile_build. */
  struct ir_stmt *whole, *rest;
};

enum { MOST_TILES = 4 };

struct tiles { /* the tiles of loops that are not nested in one another */
  struct tile items[MOST_TILES];
  unsigned count;
  struct buffering buffering;
  /* Made by tile_build: statements of real threads, which run whatever the predicates around
   * them. */
  struct ir_list verbatim;
  /* the real thread's number in its block; made by tile_build, declared by its caller */
  struct ir_var *thread;
};

#endif
