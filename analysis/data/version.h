/* SPDX-License-Identifier: MIT */
/* version.h - the codes of a kernel whose work is mapped to threads anew, and the launches that
 * each is for. */
#ifndef MESI_ANALYSIS_VERSION_H
#define MESI_ANALYSIS_VERSION_H

#include "translator/ir/unit.h"

enum { MOST_VERSIONS = 12 };

struct block_time {  /* for the blocks of a version, in the launch's prediction (mesi_sums.h) */
  int64_t block[2];  /* elements */
  unsigned resident; /* blocks of a multiprocessor */
  /* Cycles of an iteration: for a block alone on its multiprocessor, for each of many. */
  double alone, busy;
};

enum { MOST_OTHERS = 4 };

/* A rule for the grid: blocks of a version along z share the sums of their elements, and a function
 * in front of the launch computes their number. */
struct block_share {
  const char *function, *known; /* of the runtime: that function, and the type of its memory */
  /* Iterations of the loop; host arithmetic over the kernel's parameters, long long. */
  struct ir_expr *iterations;
  struct ir_expr *elements; /* active elements of a one-dimensional launch, likewise; NULL: all */
  int64_t unit;             /* iterations of a block are a multiple of it */
  uint64_t bytes;           /* of a block's parts */
  bool tree;                /* a few blocks combine at a time; else all at once */
  /* `others`: of kernels without sharing, which the launch could take. */
  struct block_time own, others[MOST_OTHERS];
  unsigned other_count;
  unsigned fixed; /* number of blocks; 0: the launch's prediction */
};

struct mapped_version { /* one code of a shape-free kernel in a new shape; axis 0 x, 1 y */
  struct ir_function *code;
  int64_t block[2];   /* elements (threads of the kernel as written) of a block */
  int64_t threads[2]; /* of a block */
  int64_t layers;     /* elements of a block along z; 0: the threads of one as written */
  /* For launches with whole blocks that satisfy the mapping's condition. */
  bool specialised;
  const char *means; /* the instructions that do its work, for comments and reports; NULL: the usual
                      * ones */
  /* The number of a launch's elements from which it is preferred to earlier versions. 0: any
   * number. */
  int64_t least;
  /* The number of threads in a launch's row from which it is used; such a launch has at most 65535
   * rows. 0: any number. */
  int64_t fewest;
  uint64_t shared_bytes;
  unsigned registers;      /* estimate */
  unsigned next_registers; /* ... of them for the next tile */
  /* Blocks of a multiprocessor for which the registers must suffice. 0: no wish. */
  unsigned resident;
  bool team; /* threads share a loop: it stands behind the other versions */
  /* The launches that it is for, over the kernel's parameters. NULL: all. */
  struct ir_expr *when;
  int64_t most;                    /* it is for launches with fewer elements; 0: any number */
  const char *suffix;              /* the end of its name; NULL: from its place */
  const char *note;                /* its description, for a comment; NULL: its shape */
  const struct block_share *share; /* NULL: no blocks share sums */
  /* The blocks of a launch, which take turns at its elements. 0: as many as are needed. */
  int64_t most_blocks;
  int64_t z_parts; /* blocks along z for one of the launch; 0: one */
};

/* Elements that are not the launch's threads: its codes have an id along each axis for them. Host
 * arithmetic over the kernel's parameters, long long. */
struct extents {
  /* Threads of a launch's block along x and y, whose number along x alone has these two as digits.
   * 0: the numbers below say how many elements there are. */
  int64_t digits[2];
  bool turned; /* `digits`: blocks along y of the launch lie along x, and those along x along y */
  /* The launch's own threads with their axes in another order: along axis i those along axis
   * from[i] of the launch. Where at most `run` threads of a warp are neighbours along from[0]. */
  bool permuted;
  int from[3];
  int64_t run;
  bool as_many;             /* a thread has as much work as one of the launch */
  struct ir_expr *along[3]; /* elements along x, y, z; NULL: one */
  /* These are all elements along x and y; NULL: as many as the launch's threads. `of_block`: along
   * y there is one for each block. */
  bool given, of_block;
  bool flat; /* they are those of a loop by which the launch's threads share them, in one row */
  /* Along this axis there are so many times as many that the launch's threads make them up. */
  int derived;
  /* Threads with this number and above do nothing. NULL: each thread has an element. */
  struct ir_expr *count;
  /* The predicted time of accesses as written over that of neighbouring threads, which access
   * neighbours; 0: they do so as written. */
  double regained;
  unsigned divisions; /* of a flat index, as written, which the ids along the axes replace */
};

/* In conditions of versions: the elements of a launch along z, as host code knows them. */
extern struct ir_var version_total_z;

struct kernel_mapping { /* the mapping of a shape-free kernel's work to threads */
  /* The first is legal for every launch that is not too small, or for all launches. */
  struct mapped_version versions[MOST_VERSIONS];
  unsigned version_count;
  int64_t grid[3];   /* blocks of the only version; -1: not constant */
  bool has_total[2]; /* the code has a parameter for the axis's number of elements */
  struct ir_var *totals[2];
  struct ir_var *total_z; /* for conditions: elements along z, as host code knows them */
  /* The parameter behind these with the parts of sums that blocks share. NULL: no version has such
   * sums. */
  const struct ir_var *workspace;
  /* The code for fewer elements than `least`, in the launch's own shape. NULL: every launch is
   * mapped. */
  struct ir_function *plain;
  int64_t least;
  /* The code for launches whose arguments overlap, in their own shape. NULL: there are none, or
   * overlaps do not matter. */
  struct ir_function *written;
  /* The number of a launch's elements from which `plain` is better than all versions but teams. 0:
   * none. */
  int64_t most;
  const struct extents *extents; /* NULL: an element is a thread of the launch */
  /* The condition of the specialised versions, over the kernel's parameters and totals. NULL:
   * always. */
  struct ir_expr *condition;
  double gain; /* predicted, of the first version */
};

#endif
