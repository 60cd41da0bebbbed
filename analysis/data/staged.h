/* SPDX-License-Identifier: MIT */
/* staged.h - arrays that a whole kernel keeps in shared memory, and what its launches choose from.
 */
#ifndef MESI_ANALYSIS_STAGED_H
#define MESI_ANALYSIS_STAGED_H

#include "analysis/data/launch_value.h"

struct stage_dim {
  int64_t size;           /* elements staged in this dimension; -1: `length` of them */
  struct ir_expr *offset; /* first element: of block indices, kernel scalars and constants only */
  int64_t extent;         /* declared elements of the array in this dimension; -1 unknown */
  /* size -1: over kernel parameters, blockDim and gridDim; host arithmetic, may be negative */
  struct ir_expr *length;
};

struct stage_access {         /* one occurrence of the array in the kernel */
  const struct ir_expr *expr; /* the INDEX (or DEREF, or LOAD call) expression that is replaced */
  struct ir_expr **index;     /* per dimension: position in the staged copy, 0 <= index < size */
};

struct table_part { /* elements of a table that belong to one segment */
  unsigned param;
  const struct ir_type *element;
  struct ir_expr *first, *last, *step; /* host arithmetic, over `segment` too */
  bool wraps;                /* it holds only where first ... last are numbers of 32 bits */
  struct ir_var *low, *high; /* stand for the least and the greatest of them */
  /* iterator of the loop that goes through them: iteration i, counted from 0, reads first + i *
   * step. NULL: none */
  struct ir_var *counts;
  const struct ir_stmt *loop; /* that loop */
  /* device arithmetic over `segment`: which of them a thread reads, all the time; NULL: several */
  struct ir_expr *kept;
  bool of_segment; /* they differ between segments */
  /* where the kernel reads them, each of type int when its value is used */
  const struct ir_expr **reads;
  unsigned read_count;
};

/* the copy has segments, each with a base; what a loop changes is fetched anew in it */
struct segmentation {
  const struct ir_stmt *loop; /* at the head of its body; NULL: at the head of the kernel, once */
  struct ir_var *iterator;    /* of the loop */
  struct ir_expr *from;       /* its first value */
  int64_t step;
  struct ir_var *segment;   /* stands for a segment's number; NULL: there is one segment */
  struct ir_expr *segments; /* how many; host arithmetic */
  struct ir_var *count;     /* the parameter that is their number; NULL: it is none */
  /* element that a segment's positions count from; device arithmetic, over `segment` */
  struct ir_expr *base;
  struct ir_expr *changing; /* the part of it that the loop changes; NULL: none */
  /* of the positions of a segment: host arithmetic, over `segment` and the tables' bounds */
  struct ir_expr *low, *high;
  struct table_part *tables;
  unsigned table_count;
  const struct table_part
      *even; /* of them: where its elements are even, the kernel need not read it, and those that a
                thread reads all the time it reads once; NULL: none */
  const struct table_part *grouped; /* a table that the part of the base which the loop changes is
                                       made of, element by element with its iterator: launches find
                                       iterations with equal bases by it; NULL: none */
  struct ir_expr *elements;         /* of all segments */
  struct ir_expr *begin, *end;      /* elements of the object; device arithmetic */
  struct ir_expr *accesses; /* of a thread between two restagings; double, host arithmetic */
};

struct stage {          /* one array staged in shared memory for the whole kernel */
  struct ir_var *array; /* kernel parameter or VS variable */
  const struct ir_type *element;
  struct stage_dim *dims; /* outermost first */
  unsigned dim_count;
  /* Element (g0, g1, ...) in global coordinates is array[g0][g1]..., or array[sum of g_d *
   * strides[d]] when flat: of its elements one behind the other, if it has several dimensions. */
  bool is_flat;
  struct ir_expr **strides; /* is_flat: per dimension, elements */
  /* is_flat: the kernel computes the index in more than int, and so must copies */
  bool wide;
  /* per dimension: stands for the global coordinate in the guards below */
  struct ir_var **element_vars;
  bool load, store;           /* copied in at the head, written back at the tail */
  struct ir_expr *load_guard; /* condition under which an element may be read; NULL: always */
  /* condition under which this block wrote the element; NULL: always */
  struct ir_expr *store_guard;
  struct stage_access *accesses;
  unsigned access_count;
  uint64_t bytes;  /* of the staged copy; 0: a dimension has no constant size */
  int64_t padding; /* elements behind each row of the copy, which nobody uses */
  /* of its banks by a warp's accesses, without and with the padding */
  double requests, requests_padded;
  double count;              /* accesses a thread, by the published rule */
  struct no_alias *no_alias; /* of a kernel_choice: conditions of the stage */
  unsigned no_alias_count;
  unsigned values; /* of a kernel_choice: bits of the launch's values that it needs */
  /* of a kernel_choice: the one dimension holds segments; NULL: it is the box */
  struct segmentation *segmentation;
  unsigned slot; /* of a kernel_choice: its number in the launch's plan */
  /* of a kernel_choice: staged only beside another that is staged for itself */
  bool only_beside;
  /* of a kernel_choice: `count`, with the trips that the launch's arguments give; double, host
   * arithmetic */
  struct ir_expr *accesses_at_launch;
};

enum { MOST_NUMBERS = 4 }; /* of segments, for which there are kernels */

/* the kernels of a choice, in the order of their names: for each set of stages by its bits */
struct choice_kernels {
  unsigned sets; /* one more than there are where the last stages some segments of an array */
  unsigned
      numbers; /* of segments, 1 ..., for which there are all of these once more, behind them */
  bool even;   /* behind all of these, all once more for launches that find a table even */
  bool several[1 + MOST_NUMBERS]; /* by number of segments, 0 any: a template of `several` */
};

/* what is staged is decided at the launch: any of the variant's stages */
struct kernel_choice {
  struct choice_kernels kernels;
  uint64_t capacity;    /* bytes of dynamic shared memory */
  double reuse;         /* uses of an element in a block that a stage needs */
  double segment_reuse; /* the same for segments, between two restagings */
  struct launch_value *values;
  unsigned value_count;
  bool has_segments;             /* of one of the stages */
  const struct several *several; /* a code more, for launches that stage nothing; NULL: none */
};

/* a loop of the kernel goes by `count` iterations, which load segments' elements in common where
 * their bases are equal */
struct several {
  struct ir_function *code;
  const char *suffix; /* of its kernels' names */
  /* of the runtime: takes one of them, and says how many segments find room */
  const char *picks, *room;
  struct ir_var *iterator; /* of the loop */
  unsigned count, inner;   /* groups of `inner` neighbours */
  /* bytes of segments that a block may use at once, for each of its threads */
  unsigned cache;
  /* numbers with a bit for each segment: its base differs between neighbours (0), between groups
   * (1) */
  struct ir_var *differs[2];
  struct no_alias *no_alias; /* conditions of a launch */
  unsigned no_alias_count;
};

#endif
