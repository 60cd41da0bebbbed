/* SPDX-License-Identifier: MIT */
/* launch_uses.h - a launch while it is made, and what it uses. Internal to the
 * files launch*.c. */
#ifndef MESI_LAUNCH_USES_H
#define MESI_LAUNCH_USES_H

#include "launch_parts.h"
#include "../object/object.h"
#include "uses.h"

static const struct mesi_part mesi_no_part;

/* ranges of variables that a launch can tell; where it tells more, they are used as a whole */
enum { NARROWED = 16 };

struct narrowed {
  unsigned use; /* index into the site's uses */
  unsigned access;
  struct mesi_span read, write;
  struct mesi_part read_part, write_part; /* step 0: none */
};

struct place { /* where a launch is made */
  int device;
  unsigned stream; /* its index, see order.h */
  void *handle;    /* of the stream */
};

struct launch {
  const struct mesi_file *file;
  const struct mesi_site *site;
  bool active;  /* between begin and end */
  bool watched; /* the thread's end will be heard of */
  /* where the caller of begin has its own: a jump to there or above leaves the launch */
  const char *stack;
  bool open;       /* the variables are ready: `uses` is valid */
  bool placed;     /* the stream has been told */
  void *handle;    /* of the stream */
  unsigned stream; /* its index, see order.h */
  struct narrowed narrowed[NARROWED];
  unsigned narrowed_count;
  bool deferred; /* uses are noted in `parts`, until mesi_launch_parts */
  bool parted;   /* it has been made, in parts */
  /* what a part writes is told apart by the compiler, and it uses objects only */
  bool may_spread;
  bool passed;         /* the gate need not be asked: it stays on one device */
  bool only_spread;    /* on one device it goes out as a whole */
  struct known *gated; /* what the gate (gate.c) knows of it; NULL: nothing */
  bool foreign;        /* an argument may lead to other memory than that of objects */
  struct place first;  /* parts.spread: where the program would make it */
  bool held;           /* it will be made later */
  bool counted;        /* for a graph, by which it is made */
  struct mesi_parts parts;
  struct mesi_uses uses;
};

/* The calling thread's. */
struct launch *mesi_launch_current(void);
/* Its device is known, and the variables of its site are ready. */
void mesi_launch_open(struct launch *);
/* It comes behind all transfers so far. */
void mesi_launch_behind(struct launch *);
/* Was it accepted? Ends the program where it was not. */
void mesi_launch_check(const struct launch *);

/* Returns whether the launch has more to come behind than before. */
bool mesi_launch_add_use(struct launch *, const struct mesi_pending *);
/* The pointers to the site's variables, on the launch's device. */
void mesi_launch_set_symbols(struct launch *);
/* Is it made by another rank (base/ranks.h) than this one? It is about to be made. */
bool mesi_launch_of_other_rank(const struct launch *, const unsigned grid[3],
                               const unsigned block[3]);
/* All variables of the site, by the ranges that the launch has told. */
void mesi_launch_use_variables(struct launch *);

#endif
