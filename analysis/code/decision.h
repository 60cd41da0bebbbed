/* SPDX-License-Identifier: MIT */
/* decision.h - the decisions of passes about a kernel or one of its arrays, with their reasons.
 * Each is recorded where it is made.
 *
 *     { TILES, taken, "a", what "16 iterations of k at a time",
 *         why "an element of a tile is used 64 times" }
 *     { STAGING, declined, "b", why "4194304 bytes do not fit 49152" }
 *
 * A pass that tries several plans ranks them: the taken one, and the others with their predicted
 * times.
 */
#ifndef MESI_ANALYSIS_DECISION_H
#define MESI_ANALYSIS_DECISION_H

#include "translator/ir/ir.h"

enum decision_kind {
#define DECISION(id, name, title) DECISION_##id,
#include "analysis/code/decision.def"
#undef DECISION
  DECISION_COUNT
};

struct decision {
  enum decision_kind kind;
  bool taken;
  bool late;             /* made when the steps were used up, as a remark's */
  struct ir_place place; /* the place that it is about */
  const char *array;     /* NULL: the kernel, or the launch */
  const char *what;      /* the choice; NULL: the kind names it */
  const char *why;       /* the rule, or the model's prediction; NULL: only the kind is known */
  /* Predicted time as written over that of the plan. 0: the decision needs no prediction. */
  double gain;
  /* For staging that is taken: the elements of the array's copy in shared memory, by dimension,
   * outermost first; -1 where the launch decides. NULL: there is no copy of one size. */
  const int64_t *copy;
  unsigned copy_dims;
};

enum bound { /* the resource that limits a predicted time */
             BOUND_UNKNOWN,
             BOUND_ISSUE,     /* instructions of all resident warps */
             BOUND_BARRIERS,  /* one block alone, between its barriers */
             BOUND_REQUESTS,  /* the load/store unit */
             BOUND_LATENCY,   /* waiting for device memory */
             BOUND_BANDWIDTH, /* of device memory */
             BOUND_COUNT
};

struct ranked_plan { /* one of the plans that were compared */
  const char *key;   /* its name in --tuned; NULL: it cannot be chosen */
  const char *what;
  bool taken;
  const char *why;     /* why it is not taken; NULL: it is, or another is faster */
  double milliseconds; /* predicted; 0: no prediction */
  double written;      /* milliseconds of the kernel as written, likewise */
  enum bound bound, written_bound;
  unsigned registers;    /* of a thread, estimated; 0: not known */
  unsigned resident;     /* blocks of a multiprocessor; 0: not known */
  uint64_t shared_bytes; /* of a block */
  int64_t totals[2];     /* numbers of elements that the times are for */
  unsigned others;       /* further plans with the same reason, which this one represents */
};

const char *decision_name(enum decision_kind);
const char *decision_title(enum decision_kind);
const char *bound_name(enum bound); /* in words */

#endif
