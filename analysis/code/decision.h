/* SPDX-License-Identifier: MIT */
/* decision.h - what passes have decided about a kernel or one of its arrays, and why: recorded
 * where it is decided.
 *
 *     { TILES, taken, "a", what "16 iterations of k at a time",
 *         why "an element of a tile is used 64 times" }
 *     { STAGING, declined, "b", why "4194304 bytes do not fit 49152" }
 *
 * A pass that tries several plans ranks them: the one taken, and the others with what they are
 * predicted to take.
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
  struct ir_place place; /* of what it is about */
  const char *array;     /* NULL: the kernel, or the launch */
  const char *what;      /* was chosen; NULL: what the kind says */
  const char *why;       /* the rule, or what the model says; NULL: nothing but the kind */
  /* predicted: time as written over planned; 0: the decision rests on no prediction */
  double gain;
  /* staging that is taken: elements of the array's copy in shared memory, by dimension, outermost
   * first, -1 where the launch says; NULL: the decision makes no copy of one size */
  const int64_t *copy;
  unsigned copy_dims;
};

enum bound { /* what a predicted time is the time of */
             BOUND_UNKNOWN,
             BOUND_ISSUE,     /* instructions of all resident warps */
             BOUND_BARRIERS,  /* a block by itself, between its barriers */
             BOUND_REQUESTS,  /* the load/store unit */
             BOUND_LATENCY,   /* waiting for device memory */
             BOUND_BANDWIDTH, /* of device memory */
             BOUND_COUNT
};

struct ranked_plan { /* one of the plans that were compared */
  const char *key;   /* chooses it by --tuned; NULL: it cannot be chosen */
  const char *what;
  bool taken;
  const char *why;     /* it is not taken; NULL: it is, or another is faster */
  double milliseconds; /* predicted; 0: no prediction */
  double written;      /* milliseconds of the kernel as written, likewise */
  enum bound bound, written_bound;
  unsigned registers;    /* of a thread, estimated; 0: not known */
  unsigned resident;     /* blocks of a multiprocessor; 0: not known */
  uint64_t shared_bytes; /* of a block */
  int64_t totals[2];     /* elements that the times are for */
  unsigned others;       /* plans with the same reason that it stands for as well */
};

const char *decision_name(enum decision_kind);
const char *decision_title(enum decision_kind);
const char *bound_name(enum bound); /* in words */

#endif
