/* SPDX-License-Identifier: MIT */
/* access.h - the accesses of a kernel to memory.
 *
 * The room walks over a kernel's statements (walk.h). For each access to an array it gives the
 * index as affine forms, the set of iterations and threads that make the access (its domain), the
 * number of executions, and whether the access is certain. effects.h gives the effects of functions
 * on memory. meeting.h tells whether all threads reach the places where threads synchronise. The
 * room takes IR and facts. It gives up with a reason and a place, for an array or for the
 * kernel. */
#ifndef MESI_ANALYSIS_ACCESS_H
#define MESI_ANALYSIS_ACCESS_H

#include "analysis/sets/value.h"

struct nest_level {               /* a loop around an access, seen from the access */
  const struct nest_level *outer; /* NULL: none */
  const struct ir_stmt *stmt;
  struct symbol *symbol; /* its iterator; NULL: the loop is not canonical */
  struct ir_expr *from;  /* the iterator's first value; NULL: not known */
  int64_t step;          /* 0: not constant */
  /* All threads of the block go through all of its iterations, in step. */
  bool together;
  double count; /* trips, as in struct access */
  struct ir_expr *trips;
};

struct access {               /* one occurrence */
  const struct ir_expr *expr; /* the element expression: INDEX, DEREF or a LOAD call */
  struct ir_place place;
  bool read, write;
  bool partial; /* a member of the element: not all of it is written */
  bool must;    /* made whenever control is in `domain`, without a further condition */
  /* Behind a ?:, && or ||: the statement may run without the access, whatever `must` says. */
  bool chosen;
  bool has_effects; /* evaluating an index changes something */
  /* A pointer that may leave its row has been stepped: p[k] of p = a[i], not a[i][k]. */
  bool stepped;
  double count; /* executions by a thread, by the published rule */
  /* count = scale * the trips below, each of which counts as some constant here. */
  double scale;
  /* The product of the trip counts that the launch's arguments give, as host arithmetic. NULL:
   * none. */
  struct ir_expr *trips;
  /* the innermost loop around it; NULL: none, or it is in another function */
  const struct nest_level *nest;
  isl_set *domain; /* [symbols] -> { : } loops and affine conditions around it; owned */
  isl_set *loops;  /* [symbols] -> { : } loops only; owned */
  unsigned dim_count;
  struct value index[ACCESS_DIMS]; /* outermost first; owned */
  /* The index as written. NULL: it is spread over several places. */
  struct ir_expr *source[ACCESS_DIMS];
  bool wide; /* an index is computed in a wider type than int */
};

/* A pointer parameter, VS variable or device variable that the kernel names. */
struct array {
  struct ir_var *var;
  const struct ir_type *element;
  unsigned dim_count;              /* as declared: 2 for `a` in `int a[][N]`; 0 for a scalar
                                    * variable */
  int64_t extents[ACCESS_DIMS];    /* declared; -1 unknown */
  LIST_OF(struct access) accesses; /* in source order */
  bool read, written;              /* anywhere, even if the access is not in the list */
  const char *reject;              /* why it cannot be staged; NULL: no reason yet */
  struct ir_place reject_place;
};

/* An integer condition, or a part of one, where it is evaluated. */
struct condition_seen {
  const struct ir_expr *expr;
  isl_set *domain; /* [symbols] -> { : } where control reaches it; owned */
  isl_set *no;     /* [symbols] -> { : } where it does not hold, exactly; owned */
};

struct atomic_seen { /* an atomic operation */
  const struct ir_expr *call;
  struct ir_var *var;  /* its array or variable; NULL: local or shared memory, or not known */
  bool shaped;         /* `where` gives the element */
  struct access where; /* without expression and sources; owned */
};

struct kernel_access {
  LIST_OF(struct array *) arrays; /* in order of first appearance */
  const char *reject;             /* why nothing in this kernel can be staged; NULL: it can */
  struct ir_place reject_place;
  const char *tail_reject; /* why there can be no barrier at the tail; NULL: there can */
  struct ir_place tail_place;
  /* Why no barrier may be added behind the kernel's head: some threads miss a place where threads
   * synchronise (meeting.h). NULL: none do. */
  const char *meet_reject;
  struct ir_place meet_place;
  bool has_fence;
  bool unknown_read, unknown_write; /* through a pointer that is not followed */
  /* Such pointers may lead to these parameters and variables, from which they were made. */
  LIST_OF(const struct ir_var *) lost;
  struct ir_place unknown_place;
  LIST_OF(struct condition_seen) conditions; /* with facts->note_conditions */
  LIST_OF(struct atomic_seen) atomics;       /* in source order */
};

/* Does the index depend on what a thread loads, or on what is not known of it? */
bool access_through_table(const struct access *);

/* Walks the kernel of `symbols->facts`. `ret` is zeroed first. Free it before the symbols. */
struct effects;
void access_collect(struct effects *, struct symbols *, struct kernel_access *ret);
void kernel_access_finish(struct kernel_access *);
/* The first place where the kernel uses the array: an access, or where it hands it on. */
const struct ir_place *array_place(const struct array *);

#endif
