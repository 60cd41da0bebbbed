/* SPDX-License-Identifier: MIT */
/* strip.h - segments that all threads of a block go through together, in strips that the block
 * copies to shared memory. A table gives a segment's first element and its end, as for a row of a
 * CSR matrix; its loop is strip-mined. */
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

struct strip_array { /* the elements that an iteration loads, the same for all threads */
  const struct array *array;
  /* As in the first access, with the values of the body's locals in their places. */
  struct ir_expr *element;
  /* Likewise: the condition that the element exists. NULL: every iteration certainly loads it. */
  struct ir_expr *guard;
  /* A short loop in the body whose iterator is in the address: an iteration loads a row of
   * elements. NULL: it loads one. */
  const struct ir_stmt *row;
  int64_t row_first, row_trips; /* of that loop; 1 trip where there is none */
  double count;                 /* loads of a thread in an iteration, as written */
  struct ir_var *copy;          /* made by the builder */
};

struct strip_access {
  const struct ir_expr *expr;
  unsigned array;
};

struct strip { /* a loop over a segment, and the code around it */
  /* Each thread has a segment of its own (ragged_stage): the iterator differs between threads. */
  bool own;
  struct ir_stmt *segment; /* the loop over the segment */
  /* The outermost loop whose segments together are one stream of elements, or `segment`. */
  struct ir_stmt *nest;
  /* The loops of the nest around the segment, from the outside in; their iterations are
   * independent. */
  struct ir_stmt *loops[STRIP_LOOPS];
  unsigned loop_count;
  struct strip_array arrays[STRIP_ARRAYS];
  unsigned array_count;
  struct strip_access accesses[STRIP_ACCESSES]; /* in the segment's body */
  unsigned access_count;
  /* Variables that the nest around the segment's body changes and the body uses: they are copied by
   * element, too. */
  struct ir_var *carried[STRIP_CARRIED];
  struct ir_var *carried_copy[STRIP_CARRIED]; /* made by the builder */
  unsigned carried_count;
  struct ir_var *places[STRIP_PLACES]; /* variables of the nest that the copies need; kept by
                                        * segment */
  /* Made by the builder, by segment: these variables, its first iteration, the elements in front of
   * it. */
  struct ir_var *place_tables[STRIP_PLACES], *firsts, *sums;
  unsigned place_count;
  int64_t few; /* a nest of so few segments is run as written */
  /* Segments that are inspected together, one by each thread; at most the block's threads. */
  int64_t batch;
  /* The segment's body, without code that only the copied loads need; its accesses are those of
   * `accesses`. */
  struct ir_stmt *body;
  int64_t slots;     /* iterations of a strip */
  uint64_t bytes;    /* of the copies, and of the tables of segments */
  bool asynchronous; /* several copies are in flight at once */
};

struct strips {
  struct strip items[MOST_STRIPS];
  unsigned count;
};

/* strip_find.c: the loops and their loads. Requires: a normal body (converge.h). Remarks name the
 * arrays that are not copied, with reasons. */
void strip_find(struct code *, const struct uniform *, struct strips *ret);
/* strip_loads.c: sets the strip's arrays, accesses and body. Returns the body without these
 * accesses. NULL: there are none. */
struct ir_stmt *strip_loads(struct code *, const struct uniform *, struct strip *);
/* Is the variable, or a part of it, assigned? */
bool strip_assigns(struct ir_stmt *stmt, const struct ir_var *var);
bool strip_declares(struct ir_stmt *stmt, const struct ir_var *var);
/* Has it a break or continue of the loop around `stmt`? */
bool strip_jumps(const struct ir_stmt *stmt, enum ir_stmt_kind kind);
/* strip_build.c: the changed body. NULL: see *ret_reason. `slots` must be chosen. */
struct ir_stmt *strip_build(struct code *, const struct uniform *, struct strips *,
                            const char **ret_reason, struct ir_place *ret_place);

/* strip_plan.c: the plan for a kernel's segments. */
struct strip_plan {
  struct ir_function *code;                                /* to print */
  const char *note;                                        /* for a comment */
  struct no_alias_list no_alias;                           /* conditions that the launch checks */
  const struct ir_var *arrays[MOST_STRIPS * STRIP_ARRAYS]; /* that are copied */
  unsigned array_count;
};

struct plan_options;
bool strip_stages(const struct strip_plan *, const struct ir_var *array);
/* False: the kernel keeps its loops, and remarks say why. Adds a line to `dump`. */
bool plan_strips(struct code *, const struct plan_options *, struct text *dump,
                 struct strip_plan *ret);

/* The row of transforms.c. */
bool plan_segment_stage(struct draft *);

#endif
