/* SPDX-License-Identifier: MIT */
/* explain.h - the facts and decisions about the kernels of a unit, as data for --explain and
 * `mesicc tune`.
 *
 * A kernel has one entry for each set of facts from its launches. The decisions come from the
 * passes (decision.h). The ranges and counts come from a look at the kernel as written, after all
 * planning, so this changes nothing in the plan.
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

struct explained_dim { /* the elements that a block may use, outermost dimension first */
  int64_t size;        /* number of these elements; -1: not constant */
  int64_t extent;      /* of the array; -1: not known, or not constant */
  int axis;            /* 0 x: the next block along it uses others; -1: all use the same, or it
                        * moves along several axes */
  int64_t step;        /* ... which lie this many elements further; 0: not constant */
  /* For a size above the step: the elements in front of a block's own ones, and behind, that
   * neighbours use as well. */
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
  const char *no_range;       /* why there is none; NULL: there is a range */
  struct ir_place place;      /* of the reason, or of the first access */
  uint64_t bytes;             /* of the range; 0: not constant */
  double count;               /* accesses by a thread */
  double reuse;               /* uses of an element of the range by a block; 0: not constant */
};

struct explained_launch {
  const struct launch *launch;
  LIST_OF(struct decision) decisions; /* about this launch alone */
  /* The emitted form, once the plan is closed: a changed kernel; in parts on one device; in parts
   * over several devices; put together with others. */
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
  const char *reject;                   /* why its accesses are not understood; NULL: they are */
  struct remarks found;                 /* decisions and ranked plans */
  const struct kernel_variant *variant; /* NULL: the kernel as written */
  const char *code;                     /* names the code as written (tuned_code_of) */
  const char *result;                   /* names the plan and its code: the same for the same */
  /* The key of the plan, if a measurement chose it. NULL: the model did. */
  const char *tuned;
};

struct explanation {
  struct unit *unit;
  const struct plan_options *options;
  LIST_OF(struct explained_kernel *) kernels; /* in order of their first launch */
  struct explained_launch **launches;         /* by launch id */
};

const char *pattern_name(enum pattern);

/* All functions accept NULL for explanations, launches and kernels: no report is wanted. */
struct explanation *explain_begin(struct unit *, const struct plan_options *);
/* The kernel of the launch under these facts. `facts` NULL: the kernel is not analysed. */
struct explained_kernel *explain_launch(struct explanation *, const struct launch *,
                                        struct ir_function *kernel,
                                        const struct kernel_facts *facts);
void explain_plan(struct explained_kernel *, const struct remarks *, const struct kernel_variant *);
/* The plan was made for other facts. */
void explain_same(struct explained_kernel *, const struct explained_kernel *as);
/* A measurement chose the plan. */
void explain_tuned(struct explained_kernel *, const char *key);
/* The text of the plan, and the changed code. */
void explain_result(struct explained_kernel *, const char *text);
/* A decision about the launch alone: the choice, or why there is none. */
void explain_decide_launch(struct explanation *, const struct launch *, enum decision_kind,
                           bool taken, const char *text);
/* Closes the report once the launches' plans are final (by launch id). A kernel whose variant no
 * launch takes counts as written. */
struct launch_plan;
void explain_close(struct explanation *, const struct launch_plan *);
/* explain_boxes.c: the dimensions of a candidate's box */
void explain_box(struct symbols *, const struct candidate *, struct explained_array *ret);
/* explain_ranges.c: fills the arrays of all kernels, after everything is planned */
void explain_ranges(struct explanation *, struct effects *);
/* ... the part that plan_kernel calls for each array; without a candidate the array cannot be
 * staged */
void explain_array(struct symbols *, const struct kernel_access *, const struct array *,
                   const struct candidate *, struct explained_array *ret);
/* Adds the expression without its implicit conversions. */
void explain_expr(struct text *, struct arena *, const struct ir_expr *);

/* The facts that launches share for a tuned plan: "block 128x1x1 grid 8x1024x1", ? where it is not
 * constant. In the arena. */
const char *explain_shape(struct arena *, const struct kernel_facts *);

#endif
