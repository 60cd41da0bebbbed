/* SPDX-License-Identifier: MIT */
/* row_team.h - several threads go through the passes over a row together. */
#ifndef MESI_ANALYSIS_ROW_TEAM_H
#define MESI_ANALYSIS_ROW_TEAM_H

#include "analysis/transform/team_reduce/team_reduce.h"

enum { MOST_PASSES = 8, MOST_GROUPS = 8, MOST_EVENTS = 64, MOST_PLACES = 64 };

struct row_group { /* accesses in passes to one array, at one place of an iteration */
  const struct array *array;
  struct ir_expr *like; /* one of them; the iterator is that of `pass` */
  unsigned pass;        /* the first that has one */
  unsigned last;        /* the last that has one */
  /* passes that read it before they write it, and passes whose every iteration writes it: bits */
  unsigned reads, writes;
  bool maybe; /* an iteration of a pass may write it, or not: it stays in memory */
  bool kept;  /* a register has the same element until the kernel ends */
  /* the array is read beside the passes: what they write has to be in memory */
  bool elsewhere;
  bool own; /* as written, no neighbouring thread reads an element beside it */
  /* a loop around the pass has another row in each of its iterations */
  bool moving;
  bool unsteady; /* ... and passes of one iteration of it may have different ones */
  /* kept, and stored behind this loop around passes only; NULL: each pass stores it */
  const struct ir_stmt *sunk;
  bool written;
};

struct row_place { /* an access of a group, in a pass */
  const struct ir_expr *expr;
  unsigned group;
  double runs; /* of its pass */
};

struct row_passes { /* of a kernel */
  struct team_loop passes[MOST_PASSES];
  /* by pass: the innermost and the outermost of the loops around it, which all threads of a team go
   * through; NULL: there are none */
  const struct ir_stmt *around[MOST_PASSES], *outermost[MOST_PASSES];
  unsigned pass_count;
  unsigned loops; /* that are no part of others */
  struct row_group groups[MOST_GROUPS];
  unsigned group_count;
  struct row_place places[MOST_PLACES];
  unsigned place_count;
  /* statements behind which the team has to wait before it goes on: others use their memory */
  const struct ir_stmt *waits[MOST_EVENTS];
  unsigned wait_count;
  bool floats;    /* sums of floats change their order */
  bool same_ends; /* all passes end at one iteration */
  bool straight;  /* they stand side by side */
  double bytes;   /* of an iteration of all passes, each element of a row once */
  double again;   /* ... and each time that it is accessed */
  int64_t trips;  /* of the longest; -1: not constant */
  double calls;   /* of functions in an iteration of all passes */
  double runs;    /* of passes: those in loops around them count several times */
  double moved;   /* bytes of an iteration that are other ones in each run: of all runs */
};

/* False: *ret_reason, *ret_place. Requires: shaped code, scanned; of several elements a block for
 * `own` and `bytes`. */
bool row_team_find(struct code *, bool floats, struct row_passes *ret, const char **ret_reason,
                   struct ir_place *ret_place);

/* row_reads.c: do threads that are neighbours access elements that are not? */
bool row_team_is_own(struct code *, const struct code_access *);
/* ... does an iteration access one element, beside that of the iteration before? */
bool row_team_follows(const struct code_access *, const struct ir_var *iterator);

struct row_shape {  /* of a version */
  int64_t elements; /* rows of a block */
  int64_t threads;  /* of a row */
  int64_t kept;     /* places of a thread in registers; 0: rows of any length */
  int64_t vector;   /* elements of a place */
};
/* Are the groups there to be loaded `shape->vector` at a time, under code->preconditions? */
bool row_team_vectorize(struct code *, const struct row_passes *, int64_t vector);
/* Replaces the body. */
void row_team_build(struct code *, struct row_passes *, const struct row_shape *);

/* The row of transforms.c. */
bool plan_row_team(struct draft *);

#endif
