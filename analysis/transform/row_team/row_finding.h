/* SPDX-License-Identifier: MIT */
/* row_finding.h - the state that row_find.c and row_memory.c share while they look for passes over
 * rows. */
#ifndef MESI_ANALYSIS_ROW_FINDING_H
#define MESI_ANALYSIS_ROW_FINDING_H

#include "analysis/transform/row_team/row_team.h"

enum { ASSUMED_RUNS = 32 };

struct event { /* a pass, or another statement that uses memory */
  struct ir_stmt *stmt;
  uint64_t reads, writes; /* arrays of the scan, by bits */
  bool pass, condition;   /* a pass; the condition of an `if` or of a loop around passes */
  /* The outermost loop around the statement, which runs it again. NULL: no loop. */
  const struct ir_stmt *outermost;
};

struct finding {
  struct code *code;
  struct row_passes *out;
  bool floats;
  const char *reason;
  struct ir_place place;
  struct event events[MOST_EVENTS];
  unsigned event_count;
  struct ir_stmt *pass; /* the pass whose body is visited */
  unsigned number;      /* its number */
  unsigned conditions;  /* conditions around the visited place in the pass */
  unsigned inner;       /* loops around it, likewise */
  bool closed;          /* a branch with passes has ended */
  /* All threads of a team go through loops with loops inside, and share the inner ones. */
  bool outer_loops;
  struct ir_stmt *outermost, *around; /* loops around the visited place; NULL: none */
  double runs;                        /* how often the visited place runs */
};

/* Returns false. Only the first reason counts. */
bool row_give_up(struct finding *, const char *reason, const struct ir_place *place);
/* The array's bit in an event; 0: there are too many arrays. */
uint64_t row_bit_of(struct finding *, const struct array *);
/* row_memory.c: decides which elements stay in registers, and where a team waits. False: a team
 * must not share the passes. */
bool row_check_memory(struct finding *);

#endif
