/* SPDX-License-Identifier: MIT */
/* explain.h - what is known and decided about the kernels of a unit, as data for --explain and
 * `mesicc tune`.
 *
 * A kernel stands once for each set of facts that launches give it. The decisions come from the
 * passes (decision.h), the ranges and counts from a look at the kernel as it is written, when all
 * is planned: what is asked here changes nothing of the plan.
 */
#ifndef MESI_ANALYSIS_EXPLAIN_H
#define MESI_ANALYSIS_EXPLAIN_H

#include "analysis/code/code.h"
#include "analysis/data/options.h"

enum pattern { /* elements of a warp's threads */
               PATTERN_SAME,
               PATTERN_NEIGHBOURS,
               PATTERN_APART,
               PATTERN_TABLE, /* another element of a table each */
               PATTERN_COUNT
};

struct explained_access {
  struct ir_place place;
  /* the element, in block and thread indices and iterators: a[blockIdx.y][k] */
  const char *text;
  bool read, write;
  bool atomic;
  bool must;    /* not under a condition that is not understood */
  double count; /* executions by a thread, by the published rule */
  enum pattern pattern;
};

struct explained_dim { /* of the elements that a block may use, outermost first */
  int64_t size;        /* of them; -1: not constant */
  int64_t extent;      /* of the array; -1: not known, or not constant */
  int axis;            /* 0 x: the next block along it uses others; -1: all use the same, or others
                          by more than one axis */
  int64_t step;        /* ... which are so many elements further; 0: not constant */
  /* of a size above the step: elements in front of a block's own ones, and behind, that
   * neighbours use as well */
  int64_t halo[2];
};

struct explained_array {
  struct ir_var *var;
  const struct ir_type *element;
  bool read, written;
  struct explained_access *accesses;
  unsigned access_count;
  /* elements that a block may use: [blockIdx.y .. blockIdx.y][0 .. 1023]; NULL: none is known */
  const char *range;
  struct explained_dim *dims; /* of the range */
  unsigned dim_count;         /* 0: there is none */
  const char *no_range;       /* why; NULL: there is a range */
  struct ir_place place;      /* of the reason, or of the first access */
  uint64_t bytes;             /* of the range; 0: not constant */
  double count;               /* accesses by a thread */
  double reuse;               /* uses of an element of the range by a block; 0: not constant */
};

struct explained_launch {
  const struct launch *launch;
  LIST_OF(struct decision) decisions; /* about this launch alone */
  /* what is emitted, when the plan is closed: another kernel than the one as written; in parts on
   * one device; in parts over several; put together with others */
  bool changed, parted, spread, stepped;
};

struct explained_kernel { /* under one set of facts */
  struct arena *arena;    /* the unit's */
  struct ir_function *kernel;
  bool has_facts;
  struct kernel_facts facts;
  LIST_OF(struct explained_launch *) launches;
  struct explained_array *arrays;
  unsigned array_count;
  const char *reject;                   /* why its accesses are not understood; NULL */
  struct remarks found;                 /* decisions and ranked plans */
  const struct kernel_variant *variant; /* NULL: the kernel as written */
  const char *code;                     /* names the code as written (tuned_code_of) */
  const char *result;                   /* names the plan and its code: the same for the same */
  /* key of the plan, where it was chosen by measurement; NULL: by the model */
  const char *tuned;
};

struct explanation {
  struct unit *unit;
  const struct plan_options *options;
  LIST_OF(struct explained_kernel *) kernels; /* in order of their first launch */
  struct explained_launch **launches;         /* by launch id */
};

const char *pattern_name(enum pattern);

/* NULL explanations, launches and kernels are fine everywhere: nobody asks. */
struct explanation *explain_begin(struct unit *, const struct plan_options *);
/* The kernel of the launch under these facts; `facts` NULL: it is not analysed. */
struct explained_kernel *explain_launch(struct explanation *, const struct launch *,
                                        struct ir_function *kernel,
                                        const struct kernel_facts *facts);
void explain_plan(struct explained_kernel *, const struct remarks *, const struct kernel_variant *);
/* was planned for other facts */
void explain_same(struct explained_kernel *, const struct explained_kernel *as);
/* the plan was chosen by measurement */
void explain_tuned(struct explained_kernel *, const char *key);
/* what the plan reads, and the changed code */
void explain_result(struct explained_kernel *, const char *text);
/* A decision about the launch alone: what was chosen, or why not. */
void explain_decide_launch(struct explanation *, const struct launch *, enum decision_kind,
                           bool taken, const char *text);
/* When the launches' plans are as they stay, by launch id: a kernel whose variant no launch takes
 * stands as written. */
struct launch_plan;
void explain_close(struct explanation *, const struct launch_plan *);
/* explain_boxes.c: the dimensions of a candidate's box */
void explain_box(struct symbols *, const struct candidate *, struct explained_array *ret);
/* explain_ranges.c: fills the arrays of all kernels. After everything is planned. */
void explain_ranges(struct explanation *, struct effects *);
/* ... and what plan_kernel calls for each of them; without a candidate it is none for staging */
void explain_array(struct symbols *, const struct kernel_access *, const struct array *,
                   const struct candidate *, struct explained_array *ret);
/* Adds the expression without its implicit conversions. */
void explain_expr(struct text *, struct arena *, const struct ir_expr *);

/* What launches have in common for a tuned plan: "block 128x1x1 grid 8x1024x1", ? where it is not
 * constant. In the arena. */
const char *explain_shape(struct arena *, const struct kernel_facts *);

#endif
