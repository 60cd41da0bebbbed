/* SPDX-License-Identifier: MIT */
/* temporal.h - temporal blocking: several launches of a loop that pass arrays on to one another
 * become one. */
#ifndef MESI_ANALYSIS_TEMPORAL_H
#define MESI_ANALYSIS_TEMPORAL_H

#include "analysis/code/code.h"
#include "analysis/host/constants.h"
#include "analysis/sets/lower.h"
#include "analysis/code/interior.h"
#include "analysis/data/options.h"
#include "analysis/data/steps.h"

enum { TEMPORAL_AXES = 3, TEMPORAL_BUFFERS = 8, TEMPORAL_ACCESSES = 96 };

struct temporal_handed { /* an array that launches pass on */
  /* Its name in a launch, and in the next one: parameters or VS variables. */
  struct ir_var *var, *next;
};

/* An array that a launch of the kernel reads, or writes and passes on to the next one. */
struct temporal_buffer {
  struct ir_var *var;
  unsigned param; /* of the kernel; UINT32_MAX: a VS variable */
  /* The number of its tile: in the first launch and every other one, and in the second one. */
  unsigned tile[2];
  bool written;
  struct array *array;                   /* of the scan */
  int64_t extent[TEMPORAL_AXES];         /* elements by dimension, without the first; -1:
                                          * `length` */
  struct ir_expr *length[TEMPORAL_AXES]; /* of a flat array with symbolic strides */
  bool is_flat;
};

struct temporal_access { /* an access to a buffer's array */
  const struct ir_expr *expr;
  unsigned buffer;
  bool write;
  /* By axis: the least distance of the element from the thread's own, which is the one that it
   * writes. */
  int64_t offset[TEMPORAL_AXES];
  int64_t most[TEMPORAL_AXES]; /* the greatest distance */
  /* By axis: the index as written, if the distance varies (clamped, or in a short loop); else
   * NULL. */
  struct ir_expr *index[TEMPORAL_AXES];
};

/* A kernel whose launches may be put together. Its code is in a shape in which each block is one
 * thread of the original kernel: its point, { [blockIdx.x, blockIdx.y, blockIdx.z] }. */
struct temporal {
  struct code code;                /* scanned */
  const char *reason;              /* why its launches stay apart; NULL: they need not */
  struct ir_place place;           /* of the reason */
  unsigned axes;                   /* the number of axes that the arrays have dimensions for: x,
                                    * then y, then z */
  unsigned axis_of[TEMPORAL_AXES]; /* by dimension of an array, outermost first */
  int64_t first[TEMPORAL_AXES];    /* by dimension: the element of point 0 */
  /* By axis: how far a launch reads from its point, downwards and upwards. */
  int64_t low[TEMPORAL_AXES], high[TEMPORAL_AXES];
  struct temporal_buffer buffers[TEMPORAL_BUFFERS];
  unsigned buffer_count;
  struct temporal_access accesses[TEMPORAL_ACCESSES];
  unsigned access_count;
  unsigned values[TEMPORAL_BUFFERS]; /* scalar parameters that may differ between launches */
  unsigned value_count;
  struct ir_expr *written;  /* the condition under which a point writes, on its index and
                             * parameters */
  struct interior interior; /* the code of points that pass all conditions */
  struct ir_var *totals[2]; /* parameters for the launch's size, which the code may have */
  bool blind;               /* that code does no harm for any values in the arrays */
  /* Per point: accesses to buffers, arithmetic operations, and bytes of elements of other
   * arrays. */
  double loads, operations;
  double other_bytes;
};

/* A tile of points for the threads of a block, and the most launches that are put together. */
struct temporal_shape {
  int64_t tile[TEMPORAL_AXES], threads[TEMPORAL_AXES];
  bool warps; /* elements are in registers: a warp is as wide as the tile, its lanes have neighbours
                 along x and rows along y; where there is one axis each warp has a tile of its own,
                 and threads[1] of them make a block */
  /* Blocks of a multiprocessor for which the registers must suffice. 0: no wish. */
  unsigned resident;
  int64_t depth; /* odd */
  double gain;   /* predicted: time of a launch as written over that of a step */
};

/* Analyses the kernel of `facts`, in three steps. Sets `reason` if its launches cannot be put
 * together. temporal_finish frees the result. `varies`: by parameter, scalars that differ between
 * launches. */
void temporal_scan(struct unit *, struct effects *, const struct kernel_facts *, const bool *varies,
                   struct remarks *, struct temporal *ret);
/* temporal_buffers.c: the arrays that a launch of `first` and one of `second` (it may be the same)
 * pass on to one another. Else sets first->reason. */
void temporal_pair(struct temporal *first, struct temporal *second, const struct temporal_handed *,
                   unsigned count);
/* Finds the elements of the buffers, and the written buffers. */
void temporal_find(struct temporal *);
void temporal_blind(struct temporal *);
/* Do the kernels handle the same points in the same way? Else sets second->reason. */
void temporal_match(const struct temporal *first, struct temporal *second);
/* The number of assignments to buffers; with `always`, only the unconditional ones. */
unsigned temporal_stores(const struct temporal *, struct ir_stmt *body, bool always);
void temporal_finish(struct temporal *);
/* Keeps the first reason. */
void temporal_give_up(struct temporal *, const char *reason, const struct ir_place *place);
/* NULL: none. */
const struct temporal_access *temporal_access_of(const struct temporal *, const struct ir_expr *);

/* The common properties of the kernels of a loop: one, or two that take turns. */
struct temporal_period {
  struct temporal *kernels[2];                     /* the first may be both */
  int64_t low[TEMPORAL_AXES], high[TEMPORAL_AXES]; /* the greater ones */
  bool moves[2]; /* does a launch read more than its own points? */
};

/* temporal_model.c: the shape with the least time. False: see *ret_reason. `points`: of a launch,
 * by axis; `launches`: of the loop; -1: not known. */
bool temporal_choose(const struct temporal_period *, const struct plan_options *,
                     const int64_t points[TEMPORAL_AXES], int64_t launches,
                     struct temporal_shape *ret, const char **ret_reason);
/* Has each warp a tile of its own? Then its margin is a multiple of four points, so that rows begin
 * at multiples of 16 bytes. */
bool temporal_rounds(const struct temporal_period *, const struct temporal_shape *);
/* The bytes of shared memory. */
int64_t temporal_bytes(const struct temporal_period *, const struct temporal_shape *);

/* temporal_build.c: the kernel that begins with a launch of the first kernel. The scans are invalid
 * afterwards. */
struct kernel_steps *temporal_build(const struct temporal_period *, const struct temporal_shape *);

/* temporal_loop.c: sets `steps` of the launches in the unit's loops that may be put together.
 * Requires plan->launches. */
void temporal_loops(struct unit *, struct effects *, struct constants *,
                    const struct plan_options *, struct steps_work *, struct remarks *);

#endif
