/* SPDX-License-Identifier: MIT */
/* row_team.h - teams of threads share the passes over a row. */
#ifndef MESI_ANALYSIS_ROW_TEAM_H
#define MESI_ANALYSIS_ROW_TEAM_H

#include "analysis/transform/team_reduce/team_reduce.h"

enum { MOST_PASSES = 8, MOST_GROUPS = 8, MOST_EVENTS = 64, MOST_PLACES = 64 };

struct row_group { /* the accesses in passes to one array at one place of an iteration */
  const struct array *array;
  struct ir_expr *like; /* one of these accesses, with the iterator of `pass` */
  unsigned pass;        /* the first pass that has one */
  unsigned last;        /* the last pass that has one */
  /* Bits of the passes that read it before they write it, and of those that write it in each
   * iteration. */
  unsigned reads, writes;
  bool maybe; /* a pass may skip the write in an iteration: it stays in memory */
  bool kept;  /* a register holds the same element until the kernel ends */
  /* Other statements read the array, so the results of passes must be in memory. */
  bool elsewhere;
  bool own; /* as written, neighbouring threads do not read neighbouring elements */
  /* A loop around the pass has another row in each of its iterations. */
  bool moving;
  bool unsteady; /* ... and even passes of one iteration may have different rows */
  /* The loop around passes behind which alone a kept group is stored. NULL: each pass stores it. */
  const struct ir_stmt *sunk;
  bool written;
};

struct row_place { /* an access of a group, in a pass */
  const struct ir_expr *expr;
  unsigned group;
  double runs; /* how often its pass runs */
};

/* The loops that are looked for as passes: the outer ones, those inside them, or those of these
 * that go through rows of the threads' own. */
enum row_loops { ROW_OUTER, ROW_INNER, ROW_EITHER };

struct row_passes { /* the passes of a kernel */
  struct team_loop passes[MOST_PASSES];
  /* By pass: the innermost and the outermost of the loops around it. All threads of a team go
   * through them. NULL: there is no loop. */
  const struct ir_stmt *around[MOST_PASSES], *outermost[MOST_PASSES];
  unsigned pass_count;
  unsigned loops; /* outermost loops */
  struct row_group groups[MOST_GROUPS];
  unsigned group_count;
  struct row_place places[MOST_PLACES];
  unsigned place_count;
  /* Statements behind which the team waits, because later ones use their memory. */
  const struct ir_stmt *waits[MOST_EVENTS];
  unsigned wait_count;
  bool floats;          /* sums of floats change their order */
  bool same_ends;       /* all passes have the same end */
  bool straight;        /* the passes stand side by side */
  enum row_loops which; /* ROW_OUTER or ROW_INNER */
  double bytes;         /* bytes of an iteration of all passes; each element counts once */
  double again;         /* ... and with an element counted at each access */
  int64_t trips;        /* of the longest pass; -1: not constant */
  double calls;         /* calls of functions in an iteration of all passes */
  double runs;          /* runs of passes; those in loops count several times */
  double summed;        /* ... of those that sum up, whose parts a team combines */
  double moved;         /* bytes of an iteration that change from run to run, over all runs */
};

/* False: see *ret_reason and *ret_place. Requires: shaped code, scanned; `own` and `bytes`, and so
 * ROW_EITHER, need several elements per block. */
bool row_team_find(struct code *, bool floats, enum row_loops, struct row_passes *ret,
                   const char **ret_reason, struct ir_place *ret_place);

/* row_reads.c: do neighbouring threads access elements that are not neighbours? */
bool row_team_is_own(struct code *, const struct code_access *);
/* ... does each iteration access the element next to that of the iteration before? */
bool row_team_follows(struct code *, const struct code_access *, const struct ir_var *iterator);
/* row_share.c: do many threads go through the row that the access begins with? */
bool row_team_is_shared(struct code *, struct ir_expr *, const struct ir_var *iterator);
/* row_names.c: writes indices in the place of locals of a loop that name them. */
void row_team_names(struct code *);

struct row_shape {  /* the shape of a version */
  int64_t elements; /* rows per block */
  int64_t threads;  /* threads per row */
  int64_t kept;     /* places that a thread keeps in registers; 0: rows of any length */
  int64_t vector;   /* elements per place */
};
/* Can the groups be loaded `vector` elements at a time, under code->preconditions? */
bool row_team_vectorize(struct code *, const struct row_passes *, int64_t vector);
/* Replaces the kernel's body. */
void row_team_build(struct code *, struct row_passes *, const struct row_shape *);

/* The row of transforms.c. */
bool plan_row_team(struct draft *);

#endif
