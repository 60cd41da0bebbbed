/* SPDX-License-Identifier: MIT */
/* model.h - predicted time of a kernel's loops, as written and mapped.
 *
 * The room has the targets (targets.def) and the cycles for their requests, instructions, barriers
 * and waits. It takes shaped code with its tiles and gives a workload, from which a time follows
 * for each size of launch. It does not guess unknown inputs: the caller declines then. */
#ifndef MESI_ANALYSIS_MODEL_H
#define MESI_ANALYSIS_MODEL_H

#include "analysis/code/reuse.h"
#include "analysis/code/tiles.h"
#include "analysis/data/version.h"

struct target { /* the limits of an architecture (targets.def) */
  unsigned arch;
  uint64_t shared_bytes;    /* bytes that a block may opt into */
  uint64_t shared_per_sm;   /* bytes for all blocks of a multiprocessor */
  unsigned multiprocessors; /* of its data centre or largest part */
  unsigned threads_per_sm;
  double megahertz; /* of its multiprocessors */
  /* Multiply-adds of doubles on tensor cores in the time of one without them. */
  double products;
};

const struct target *target_of(unsigned arch);
double model_milliseconds(const struct target *, double cycles);

/* The work of one virtual thread in one iteration of a tiled loop; staged accesses count
 * separately. */
struct work {
  double operations; /* arithmetic instructions */
  /* Multiply-adds on tensor cores in mapped code. They replace operations and accesses of copies.
   * 0: none. */
  double products;
  double product_tile;   /* cycles of a warp in front of the products of a tile */
  double loads;          /* accesses as written */
  double cycles_written; /* of the load/store unit, for a warp's accesses as written */
  /* ... for accesses that are not staged, divided by the number of instances that share them. */
  double cycles_left;
  /* Loads among these that stand under a predicate of their element, which waits for each. */
  double guarded;
  /* Conversions between formats of numbers: as written, and divided by the number of instances that
   * share their operand. They are no part of `operations`. */
  double converted, converted_left;
  /* Accesses of copies by a thread for all its elements, in units of at most STAGED_WORDS words. */
  double staged;
  double copied; /* cycles of a thread to fill the copies */
  /* Cycles per iteration in which a block waits at the barriers of a tile. */
  double pause;
  /* Loads and stores of the block's threads fill a tile's copies. */
  bool loaded;
  /* Copies of the tile are stored behind its iterations, and some are loaded in front of them. */
  bool stored;
  double streamed; /* bytes that a thread reads of streamed arrays, and writes through tiles */
  /* Cycles for which a thread waits for lines of its own that are in no tile. */
  double wait_left;
  bool branches; /* divides floats or calls: the compiler does not interleave two elements */
  /* In a loop of unknown length an element loads under a condition of its own: likewise, where the
   * elements of a thread share requests. */
  bool tests;
  bool wide;  /* numbers of 8 bytes: results take longer */
  bool waits; /* for the unit of special functions (-use_fast_math) */
  /* Cycles between two of its loads, as written: a warp has little in flight. */
  double wait_written;
  /* Cycles, as written, from an iteration's store to its load by the next one; 0: there is none. */
  double wait_carried;
  double wait_mapped; /* cycles per iteration in which a tile can be in flight */
};

struct prediction {
  double written, mapped;                 /* cycles of a multiprocessor for the loops */
  enum bound written_bound, mapped_bound; /* of the loop that takes longest */
  unsigned registers;                     /* of a thread */
  unsigned blocks_per_sm;                 /* resident */
};

/* Cycles of the load/store unit for a warp's request. They are more than MODEL_NEIGHBOURS if its
 * threads access neither one element nor neighbours. */
#define MODEL_NEIGHBOURS 2.5
#define MODEL_BROADCAST 2.0
double model_request(struct symbols *, const struct access *);
/* Of a kernel that does little but access memory: cycles of a multiprocessor for a warp's request
 * and its overhead, and bytes of device memory in a cycle. */
#define MODEL_REQUEST 8.0
#define MODEL_STREAM 13.4
/* Combines two times in cycles that overlap partly. */
double model_overlapping(double a, double b);
/* Of a kernel that does little else: the time as written, with so many requests and so many bytes
 * of device memory for an element, over the time with `fewer` times fewer requests. Requests bound
 * elements of one byte, bytes bound those of eight. */
double model_gain_of_vectors(double requests, double bytes, double fewer);
/* Does the device's compiler use one or two approximate instructions for it (-use_fast_math)? They
 * count as MODEL_SHORT_COST operations. */
#define MODEL_SHORT_COST 4.0
bool model_is_short(const struct code *, const struct ir_expr *);
/* The approximate number of instructions for a call that is not inline. The name decides for a
 * function without a unit of its own. */
double model_call_operations(const struct code *, const struct ir_expr *call);
/* The cycles for a warp whose threads are neighbours along the axis. */
double model_request_along(struct symbols *, const struct access *, int axis);

/* By how many elements the next thread's element lies apart. 0: not known, or in another row. */
double model_step(struct symbols *, const struct access *);

/* How often the banks of shared memory are asked for one request of a warp of that block whose
 * place in a copy of elements of `size` bytes grows by `steps` elements along the axes. */
unsigned model_bank_requests(const int64_t block[3], const int64_t steps[3], int64_t size);

/* of a thread, estimated */
double model_registers(const struct instances *, const struct geometry *);

struct workload { /* for mapped code, independent of the size of the launch */
  struct geometry geometry;
  struct work work[MOST_TILES]; /* by tile */
  double trips[MOST_TILES];     /* iterations of its loop */
  /* The iterations belong to many ranges in a nest, which are handled in batches. */
  bool nested[MOST_TILES];
  unsigned count;
  /* Loops without tiles beside loops that stream: they have as few threads. */
  struct work beside[MOST_TILES];
  double beside_trips[MOST_TILES];
  unsigned beside_count;
  double written_warps; /* of a block as written, for tiles that are stored; 0: not set */
  double registers;     /* of a thread */
  double own_registers; /* ... besides those that hold the next tile */
  double shared;        /* bytes of a block */
  double layers;        /* of the launch, each with all elements along x and y */
};

/* Requires: shaped code with its scan, and its future tiles. */
void model_measure(struct code *, const struct instances *, const struct geometry *,
                   const struct tiles *, struct workload *ret);
/* Updates the workload after the tiles' pipelining has changed (tile_rebuffer). */
void model_rebuffer(struct workload *, const struct tiles *);
/* False: the mapping needs more registers than exist. `totals`: virtual threads by axis. */
bool model_predict(const struct workload *, const int64_t totals[2], const struct target *,
                   struct prediction *ret);
/* The gain of a kernel whose threads make so many times fewer requests: arithmetic of its loops
 * that branches may take longer than the requests do. Bodies in an array of records (2^18, of which
 * each adds up 1024) took 603 us with four elements a thread, 472 as written. Requires a scan. */
double model_gain_of_requests(struct code *, const struct instances *, const struct geometry *,
                              double fewer);
/* The same for a body without loops, where the index arithmetic of requests, bytes of device memory
 * and arithmetic overlap. Stencils of doubles that read five elements gain 1.1 at most: they wait
 * for device memory as written. */
struct body {
  struct reuse reuse;
  double together;    /* accesses that one of 16 bytes replaces */
  unsigned divisions; /* of an index, as written, that the mapped body does not have */
};

double model_gain_of_body(struct code *, const struct instances *, const struct geometry *,
                          const struct body *);
/* The times of the tiled loops' iterations, and of those of the kernel as written, whose blocks are
 * single warps here. False: a block does not fit. */
bool model_block_time(const struct workload *, const struct target *, struct block_time *ret,
                      struct block_time *ret_written);
/* The time as written over the tiled time, for a launch in its own shape that fills the device. 0:
 * a block does not fit. */
double model_gain_in_place(const struct workload *, const struct target *, struct prediction *ret);

#endif
