/* SPDX-License-Identifier: MIT */
/* version.h - the codes of a kernel whose work is mapped to threads anew, and the launches that
 * each is for. */
#ifndef MESI_ANALYSIS_VERSION_H
#define MESI_ANALYSIS_VERSION_H

#include "translator/ir/unit.h"

enum { MOST_VERSIONS = 12 };

struct block_time {  /* of blocks of a version, for the launch's prediction (mesi_split.h) */
  int64_t block[2];  /* elements */
  unsigned resident; /* blocks of a multiprocessor */
  /* cycles of an iteration: of a block that is alone on its multiprocessor, of each of many */
  double alone, busy;
};

enum { MOST_OTHERS = 4 };

/* A rule for the grid: blocks of a version that are along z share the sums of their elements, and
 * a function in front of the launch says how many they are. */
struct block_share {
  const char *function,
      *known; /* of the runtime: that says so, and the type of what it remembers */
  /* of the loop; host arithmetic over the kernel's parameters, long long */
  struct ir_expr *iterations;
  struct ir_expr *elements; /* of a launch of one dimension that do anything, likewise; NULL: all */
  int64_t unit;             /* iterations of a block are a multiple of it */
  uint64_t bytes;           /* of a block's parts */
  bool tree;                /* some meet at a time; else all at once */
  /* `others`: of kernels without, which the launch could take */
  struct block_time own, others[MOST_OTHERS];
  unsigned other_count;
  unsigned fixed; /* how many; 0: as the launch predicts */
};

struct mapped_version { /* one code of a shape-free kernel in a new shape; axis 0 x, 1 y */
  struct ir_function *code;
  int64_t block[2];   /* elements (threads of the kernel as written) of a block */
  int64_t threads[2]; /* of a block */
  int64_t layers;     /* elements of a block along z; 0: the threads of one as written */
  /* for launches whose blocks are whole and that fulfil the mapping's condition */
  bool specialised;
  const char *means; /* by which it does its work, for comments and reports; NULL: the usual ones */
  /* elements of a launch from which it is preferred to those before it; 0: any number */
  int64_t least;
  /* threads of a launch's rows from which it is for it, which has at most 65535 rows; 0: any */
  int64_t fewest;
  uint64_t shared_bytes;
  unsigned registers;      /* estimate */
  unsigned next_registers; /* ... of them for the next tile */
  /* blocks of a multiprocessor that the registers have to suffice for; 0: no wish */
  unsigned resident;
  bool team; /* threads share a loop: it comes behind the others */
  /* over the kernel's parameters: the launches that it is for; NULL: all */
  struct ir_expr *when;
  int64_t most;                    /* elements of a launch, below which it is; 0: any number */
  const char *suffix;              /* of its name; NULL: as its place says */
  const char *note;                /* what it does, for a comment; NULL: its shape */
  const struct block_share *share; /* NULL: no blocks share sums */
  /* of a launch: they take turns at its elements; 0: as many as it takes */
  int64_t most_blocks;
  int64_t z_parts; /* blocks along z for one of the launch; 0: one */
};

struct kernel_mapping { /* of a shape-free kernel's work to threads */
  /* the first is right for every launch that is not too small, or for all there are */
  struct mapped_version versions[MOST_VERSIONS];
  unsigned version_count;
  int64_t grid[3];   /* blocks of the only version; -1: not constant */
  bool has_total[2]; /* the code has a parameter for the axis's number of elements */
  struct ir_var *totals[2];
  /* parameter behind these: where the parts of sums are that blocks share; NULL: no version has
   * such */
  const struct ir_var *workspace;
  /* the code for fewer elements than `least`, in the launch's own shape; NULL: every launch is
   * mapped */
  struct ir_function *plain;
  int64_t least;
  /* the code for launches whose arguments overlap, in their own shape; NULL: none do, or nobody
   * minds */
  struct ir_function *written;
  /* elements of a launch from which `plain` is better than all but teams; 0: none */
  int64_t most;
  /* of the specialised versions, over the kernel's parameters and totals; NULL: always */
  struct ir_expr *condition;
  double gain; /* predicted, of the first version */
};

#endif
