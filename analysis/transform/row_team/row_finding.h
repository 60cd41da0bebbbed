/* SPDX-License-Identifier: MIT */
/* row_finding.h - what row_find.c and row_memory.c have of a kernel whose threads go through rows.
 */
#ifndef MESI_ANALYSIS_ROW_FINDING_H
#define MESI_ANALYSIS_ROW_FINDING_H

#include "analysis/transform/row_team/row_team.h"

enum { ASSUMED_RUNS = 32 };

struct event { /* a pass, or another statement that uses memory */
  struct ir_stmt *stmt;
  uint64_t reads, writes; /* arrays of the scan, by bits */
  bool pass, condition;   /* it is a pass; the condition of an if or of a loop around passes */
  /* the outermost of the loops around it, in which it comes back; NULL: there is none */
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
  struct ir_stmt *pass; /* that is looked at */
  unsigned number;      /* of it */
  unsigned conditions;  /* around what is looked at, in its body */
  unsigned inner;       /* loops, likewise */
  bool closed;          /* a branch that has passes lies behind */
  /* loops with loops inside are gone through by all threads of a team, who share the inner ones */
  bool outer_loops;
  struct ir_stmt *outermost, *around; /* those around what is looked at; NULL: there are none */
  double runs;                        /* of what is looked at */
};

/* False; the first reason counts. */
bool row_give_up(struct finding *, const char *reason, const struct ir_place *place);
/* The array's bit in an event; 0: there are too many arrays. */
uint64_t row_bit_of(struct finding *, const struct array *);
/* row_memory.c: settles what stays in registers, and where a team waits. False: it is not right
 * that a team goes through the passes. */
bool row_check_memory(struct finding *);

#endif
