/* SPDX-License-Identifier: MIT */
/* model.h - predicted time of a kernel's loops, as written and mapped.
 *
 * The room has the targets (targets.def) and the cycles of requests, instructions, barriers and
 * waits on them. It takes shaped code with its tiles and gives a workload, from which a time
 * follows for each size of launch. What it does not know it does not guess: the caller declines.
 */
#ifndef MESI_ANALYSIS_MODEL_H
#define MESI_ANALYSIS_MODEL_H

#include "analysis/code/tiles.h"
#include "analysis/data/version.h"

struct target { /* limits of an architecture (targets.def) */
  unsigned arch;
  uint64_t shared_bytes;    /* that a block may opt into */
  uint64_t shared_per_sm;   /* bytes for all blocks of a multiprocessor */
  unsigned multiprocessors; /* of its data centre or largest part */
  unsigned threads_per_sm;
  double megahertz; /* of its multiprocessors */
  /* multiply-adds of doubles on tensor cores in the time of one without */
  double products;
};

const struct target *target_of(unsigned arch);
double model_milliseconds(const struct target *, double cycles);

/* of one virtual thread in one iteration of a tiled loop, staged accesses apart */
struct work {
  double operations; /* arithmetic instructions */
  /* multiply-adds on tensor cores, when mapped, in the place of operations and accesses of
   * copies; 0: none */
  double products;
  double product_tile;   /* cycles of a warp in front of the products of a tile */
  double loads;          /* accesses as written */
  double cycles_written; /* of the load/store unit for a warp of them as written */
  /* those that are not staged, divided by the instances that share them */
  double cycles_left;
  /* loads of those that stand under a predicate of their element, which waits for each */
  double guarded;
  /* accesses of copies by a thread for all its elements, in units of STAGED_WORDS words or less */
  double staged;
  double copied; /* cycles of a thread that fill the copies */
  /* cycles in which a block waits at the barriers of a tile, an iteration */
  double pause;
  /* a tile's copies are filled by loads and stores of the block's threads */
  bool loaded;
  double streamed; /* bytes that a thread reads of streamed arrays */
  /* cycles for which a thread waits for lines of its own that no tile has */
  double wait_left;
  bool branches; /* divides floats or calls: the compiler interleaves no two elements */
  bool wide;     /* numbers of 8 bytes: a result is waited for longer */
  bool waits;    /* for the unit of special functions (-use_fast_math) */
  /* cycles from one of their loads to the next, as written: what a warp has on its way is little */
  double wait_written;
  double wait_mapped; /* cycles an iteration in which a tile can be on its way */
};

struct prediction {
  double written, mapped;                 /* cycles of a multiprocessor for the loops */
  enum bound written_bound, mapped_bound; /* of the loop that takes longest */
  unsigned registers;                     /* of a thread */
  unsigned blocks_per_sm;                 /* resident */
};

/* Cycles of the load/store unit for a warp's request; more than MODEL_NEIGHBOURS where its threads
 * access neither one element nor neighbours. */
#define MODEL_NEIGHBOURS 2.5
#define MODEL_BROADCAST 2.0
double model_request(struct symbols *, const struct access *);
/* Does the device's compiler take an approximate instruction or two for it (-use_fast_math)? They
 * count MODEL_SHORT_COST operations. */
#define MODEL_SHORT_COST 4.0
bool model_is_short(const struct code *, const struct ir_expr *);
/* Instructions of a call of what is not inline, about: by the name where it is a function without a
 * unit of its own. */
double model_call_operations(const struct code *, const struct ir_expr *call);
/* of a warp whose threads are neighbours along it */
double model_request_along(struct symbols *, const struct access *, int axis);

/* How often the banks of shared memory are asked for one request of a warp of that block whose
 * place in a copy of elements of `size` bytes grows by `steps` elements along the axes. */
unsigned model_bank_requests(const int64_t block[3], const int64_t steps[3], int64_t size);

/* of a thread, estimated */
double model_registers(const struct instances *, const struct geometry *);

struct workload { /* of mapped code, whatever the size of the launch */
  struct geometry geometry;
  struct work work[MOST_TILES]; /* by tile */
  double trips[MOST_TILES];     /* iterations of its loop */
  /* they are those of many ranges in a nest, which are looked at in batches */
  bool nested[MOST_TILES];
  unsigned count;
  /* loops without tiles beside such that stream: their threads are as few */
  struct work beside[MOST_TILES];
  double beside_trips[MOST_TILES];
  unsigned beside_count;
  double registers;     /* of a thread */
  double own_registers; /* ... besides those that hold the next tile */
  double shared;        /* bytes of a block */
};

/* Requires: shaped code with its scan, and the tiles that it is to have. */
void model_measure(struct code *, const struct instances *, const struct geometry *,
                   const struct tiles *, struct workload *ret);
/* The tiles are pipelined in another way now (tile_rebuffer). */
void model_rebuffer(struct workload *, const struct tiles *);
/* False: the mapping needs more registers than there are. `totals`: virtual threads by axis. */
bool model_predict(const struct workload *, const int64_t totals[2], const struct target *,
                   struct prediction *ret);
/* Of the tiled loops' iterations, and of those of the kernel as written, whose blocks are warps
 * here. False: there is no room for a block. */
bool model_block_time(const struct workload *, const struct target *, struct block_time *ret,
                      struct block_time *ret_written);
/* As written over tiled, for a launch that fills the device, in the shape that it has; 0: there is
 * no room for a block. */
double model_gain_in_place(const struct workload *, const struct target *, struct prediction *ret);

#endif
