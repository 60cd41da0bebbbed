/* SPDX-License-Identifier: MIT */
/* steps.h - several launches that become one kernel. */
#ifndef MESI_ANALYSIS_STEPS_H
#define MESI_ANALYSIS_STEPS_H

#include "translator/base/arena.h"
#include "translator/ir/unit.h"

struct steps_buffer { /* an array that launches pass on to one another */
  unsigned param;     /* of the kernel; UINT32_MAX: a VS variable */
  unsigned before;    /* buffer of the previous launch with the same pointer as this parameter */
  uint64_t bytes;     /* of an element */
  uint64_t elements;  /* of a VS variable */
};

struct steps_value { /* a scalar that may differ between launches */
  unsigned param;
  const struct ir_var *list; /* parameter of the code with its values */
};

/* The kernel that does in one launch the work of several successive launches, of one kernel or of
 * two that take turns. */
struct kernel_steps {
  struct ir_function *kernel, *other; /* of the first launch and the second one */
  const struct kernel_steps *next;    /* for runs that begin with the second kernel */
  struct ir_function *code;           /* whose body is printed */
  unsigned number;                    /* from 1, within its kernel */
  /* Its parameters behind the kernel's, for those of the other kernel that are no buffers. None if
   * both are one. */
  const struct ir_var **others;
  unsigned other_count;
  const struct ir_var *run; /* its parameter behind that: mesi_steps_run */
  /* For each kernel: the values that differ, each with a parameter behind that:
   * mesi_steps_values. */
  struct steps_value *values[2];
  unsigned value_count[2];
  struct steps_buffer *buffers;
  unsigned buffer_count;
  unsigned depth; /* the most launches in one; odd */
  unsigned axes;  /* of the arrays */
  /* The points of a block, with those that other blocks compute as well, and the block's
   * threads. */
  int64_t tile[3], threads[3];
  unsigned tiles; /* of a block, along x */
  /* Blocks of a multiprocessor for which the registers must suffice. 0: no wish. */
  unsigned resident;
  /* The number of points that a launch with a halo reads beyond those that it computes, by axis. */
  int64_t halo[3];
  bool moves[2];    /* does a launch of each kernel read more than its own points? */
  uint64_t bytes;   /* of shared memory */
  double gain;      /* predicted */
  const char *note; /* the launches that become one, for a remark */
};

struct steps_work {                     /* for a unit */
  const bool *held;                     /* by launch id: a batch could hold it back */
  LIST_OF(struct kernel_steps *) steps; /* found */
  /* The results, by launch id. NULL: the launch is not put together with others. */
  const struct kernel_steps **launches;
};

#endif
