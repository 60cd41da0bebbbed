/* SPDX-License-Identifier: MIT */
/* staged.h - arrays that a whole kernel keeps in shared memory, and the choices that its launches
 * have. */
#ifndef MESI_ANALYSIS_STAGED_H
#define MESI_ANALYSIS_STAGED_H

#include "analysis/data/launch_value.h"

struct stage_dim {
  int64_t size;           /* elements staged in this dimension; -1: `length` of them */
  struct ir_expr *offset; /* first element; only of block indices, kernel scalars and constants */
  int64_t extent;         /* declared elements of the array in this dimension; -1 unknown */
  /* If size is -1: over kernel parameters, blockDim and gridDim; host arithmetic, may be
   * negative. */
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
  bool wraps;                          /* it holds only if first ... last are numbers of 32 bits */
  struct ir_var *low, *high;           /* variables for the least and the greatest of them */
  /* Iterator of the loop that goes through them: iteration i, counted from 0, reads first + i *
   * step. NULL: none. */
  struct ir_var *counts;
  const struct ir_stmt *loop; /* that loop */
  /* The index of the element that a thread reads all the time; device arithmetic over `segment`.
   * NULL: it reads several. */
  struct ir_expr *kept;
  bool of_segment; /* they differ between segments */
  /* The kernel's reads of them, each of type int where its value is used. */
  const struct ir_expr **reads;
  unsigned read_count;
};

/* The copy has segments, each with a base. Segments whose base a loop changes are fetched anew in
 * it. */
struct segmentation {
  const struct ir_stmt *loop; /* at the head of its body; NULL: at the head of the kernel, once */
  struct ir_var *iterator;    /* of the loop */
  struct ir_expr *from;       /* its first value */
  int64_t step;
  struct ir_var *segment;   /* a segment's number; NULL: there is one segment */
  struct ir_expr *segments; /* their number; host arithmetic */
  struct ir_var *count;     /* the parameter with their number; NULL: there is none */
  /* The element from which a segment's positions count; device arithmetic, over `segment`. */
  struct ir_expr *base;
  struct ir_expr *changing; /* the part of it that the loop changes; NULL: none */
  /* For the positions of a segment: host arithmetic, over `segment` and the tables' bounds. */
  struct ir_expr *low, *high;
  struct table_part *tables;
  unsigned table_count;
  /* One of the tables: if its elements are even, the kernel need not read it, and a thread reads an
   * element that it needs all the time once. NULL: none. */
  const struct table_part *even;
  /* The table with the changing part of the base, one element for each value of the loop's
   * iterator: by it, launches find iterations with equal bases. NULL: none. */
  const struct table_part *grouped;
  /* The table that tells threads of a warp apart, one element for each thread: rows of a copy whose
   * lanes would meet on banks begin an element further apart. NULL: none, or several. */
  const struct table_part *rows;
  struct ir_expr *elements;    /* of all segments */
  struct ir_expr *begin, *end; /* elements of the object; device arithmetic */
  struct ir_expr *accesses;    /* of a thread between two copies; double, host arithmetic */
};

struct stage {          /* one array staged in shared memory for the whole kernel */
  struct ir_var *array; /* kernel parameter or VS variable */
  const struct ir_type *element;
  struct stage_dim *dims; /* outermost first */
  unsigned dim_count;
  /* Element (g0, g1, ...) in global coordinates is array[g0][g1]..., or array[sum of g_d *
   * strides[d]] if flat; a flat array of several dimensions counts its elements in sequence. */
  bool is_flat;
  struct ir_expr **strides; /* is_flat: per dimension, elements */
  /* If is_flat: the kernel computes the index in a wider type than int, and so must copies. */
  bool wide;
  /* Per dimension: the global coordinate in the guards below. */
  struct ir_var **element_vars;
  bool load, store;           /* copied in at the head, written back at the tail */
  struct ir_expr *load_guard; /* condition under which an element may be read; NULL: always */
  /* Condition under which this block wrote the element. NULL: always. */
  struct ir_expr *store_guard;
  struct stage_access *accesses;
  unsigned access_count;
  uint64_t bytes;  /* of the staged copy; 0: a dimension has no constant size */
  int64_t padding; /* elements behind each row of the copy, which nobody uses */
  bool odd_rows;   /* of a kernel_choice: its rows begin an odd number of elements apart */
  /* of its banks by a warp's accesses, without and with the padding */
  double requests, requests_padded;
  double count;              /* accesses a thread, by the published rule */
  struct no_alias *no_alias; /* of a kernel_choice: conditions of the stage */
  unsigned no_alias_count;
  unsigned values; /* of a kernel_choice: bits of the launch's values that it needs */
  /* For a kernel_choice: the one dimension holds segments. NULL: it is the box. */
  struct segmentation *segmentation;
  unsigned slot; /* of a kernel_choice: its number in the launch's plan */
  /* For a kernel_choice: staged only beside another array that is staged for itself. */
  bool only_beside;
  /* For a kernel_choice: `count`, with the trips from the launch's arguments; double, host
   * arithmetic. */
  struct ir_expr *accesses_at_launch;
};

enum { MOST_NUMBERS = 4 }; /* numbers of segments that have kernels of their own */

/* The kernels of a choice, in the order of their names: one for each set of stages by its bits. */
struct choice_kernels {
  unsigned sets; /* one more than the sets of stages if the last one stages some segments of an
                  * array; one more with `rows` */
  unsigned
      numbers; /* of segments, 1 ..., for which there are all of these once more, behind them */
  /* One more set before that last one, for any number of segments: rows of the copy have an end. In
   * kernels for a number of segments rows cost nothing, so that these have no such set. */
  bool rows;
  bool even; /* behind all of these: all of them again for launches that find a table even */
  bool several[1 + MOST_NUMBERS]; /* by number of segments, 0 any: a template of `several` */
};

/* The launch decides which of the variant's stages it uses. */
struct kernel_choice {
  struct choice_kernels kernels;
  uint64_t capacity;    /* bytes of dynamic shared memory */
  double reuse;         /* uses of an element by a block that a stage needs */
  double segment_reuse; /* the same for segments, between two copies */
  struct launch_value *values;
  unsigned value_count;
  bool has_segments;             /* in one of the stages */
  const struct several *several; /* further code for launches that stage nothing; NULL: none */
};

/* A loop of the kernel takes `count` iterations at a time, which load segments' elements together
 * if their bases are equal. */
struct several {
  struct ir_function *code;
  const char *suffix; /* the end of its kernels' names */
  /* Functions of the runtime: they pick one of them, and compute the number of segments with
   * room. */
  const char *picks, *room;
  struct ir_var *iterator; /* of the loop */
  unsigned count, inner;   /* groups of `inner` neighbours */
  /* Bytes of segments that a block may use at once, for each of its threads. */
  unsigned cache;
  /* Numbers with a bit for each segment: its base differs between neighbours (0), between groups
   * (1). */
  struct ir_var *differs[2];
  struct no_alias *no_alias; /* conditions of a launch */
  unsigned no_alias_count;
};

#endif
