/* SPDX-License-Identifier: MIT */
/* strip.h - segments that all threads of a block go through together, in strips that the block
 * copies to shared memory. A segment is what a table gives by its first element and its end, as a
 * row of a CSR matrix; its loop is strip-mined. */
#ifndef MESI_ANALYSIS_STRIP_H
#define MESI_ANALYSIS_STRIP_H

#include "analysis/code/draft.h"
#include "analysis/model/model.h"
#include "analysis/code/uniform.h"
#include "analysis/data/options.h"

enum {
  MOST_STRIPS = 4,
  STRIP_ARRAYS = 8,
  STRIP_ACCESSES = 32,
  STRIP_CARRIED = 4,
  STRIP_LOOPS = 4,
  STRIP_PLACES = 6
};

struct strip_array { /* what an iteration loads, the same for all threads */
  const struct array *array;
  /* as the first access has it; where locals of the body are in it, their values stand for them */
  struct ir_expr *element;
  /* of the same kind: the element exists; NULL: every iteration is sure to load it */
  struct ir_expr *guard;
  /* a short loop in the body whose iterator its address has: an iteration loads a row of
   * elements; NULL: one */
  const struct ir_stmt *row;
  int64_t row_first, row_trips; /* of that loop; 1 trip where there is none */
  double count;                 /* loads of a thread in an iteration, as written */
  struct ir_var *copy;          /* made by the builder */
};

struct strip_access {
  const struct ir_expr *expr;
  unsigned array;
};

struct strip {             /* a loop over a segment, and what is around it */
  struct ir_stmt *segment; /* the loop over the segment */
  /* the outermost loop all of whose segments are one stream of elements; or `segment` */
  struct ir_stmt *nest;
  /* of the nest around the segment, from the outside in; their iterations do not depend on one
   * another */
  struct ir_stmt *loops[STRIP_LOOPS];
  unsigned loop_count;
  struct strip_array arrays[STRIP_ARRAYS];
  unsigned array_count;
  struct strip_access accesses[STRIP_ACCESSES]; /* in the segment's body */
  unsigned access_count;
  /* changed by the nest around the segment's body, and used there: copied by element, too */
  struct ir_var *carried[STRIP_CARRIED];
  struct ir_var *carried_copy[STRIP_CARRIED]; /* made by the builder */
  unsigned carried_count;
  struct ir_var *places[STRIP_PLACES]; /* of the nest, which the copies need; kept by segment */
  /* made by the builder: by segment, and its first iteration, the elements in front of it */
  struct ir_var *place_tables[STRIP_PLACES], *firsts, *sums;
  unsigned place_count;
  int64_t few; /* segments of a nest that is run as written */
  /* segments that are looked at together, each by a thread; at most the block's threads */
  int64_t batch;
  /* of the segment, without what only the copied loads need; accesses are those of `accesses` */
  struct ir_stmt *body;
  int64_t slots;     /* iterations of a strip */
  uint64_t bytes;    /* of the copies, and of the tables of segments */
  bool asynchronous; /* copies are on their way while others are asked for */
};

struct strips {
  struct strip items[MOST_STRIPS];
  unsigned count;
};

/* strip_find.c: the loops and what they load. Requires: a normal body (converge.h). Remarks say
 * what is not copied, and why. */
void strip_find(struct code *, const struct uniform *, struct strips *ret);
/* strip_build.c: the changed body. NULL: *ret_reason. `slots` are chosen. */
struct ir_stmt *strip_build(struct code *, const struct uniform *, struct strips *,
                            const char **ret_reason, struct ir_place *ret_place);

/* strip_plan.c: what becomes of a kernel's segments. */
struct strip_plan {
  struct ir_function *code;                                /* to print */
  const char *note;                                        /* for a comment */
  struct no_alias_list no_alias;                           /* what the launch has to find out */
  const struct ir_var *arrays[MOST_STRIPS * STRIP_ARRAYS]; /* that are copied */
  unsigned array_count;
};

struct plan_options;
bool strip_stages(const struct strip_plan *, const struct ir_var *array);
/* False: the kernel keeps its loops; remarks say why. A line is added to `dump`. */
bool plan_strips(struct code *, const struct plan_options *, struct text *dump,
                 struct strip_plan *ret);

/* The row of transforms.c. */
bool plan_segment_stage(struct draft *);

#endif
