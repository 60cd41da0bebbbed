/* SPDX-License-Identifier: MIT */
/* launch_uses.h - a launch that is being made, and its uses. Internal to the files launch*.c. */
#ifndef MESI_LAUNCH_USES_H
#define MESI_LAUNCH_USES_H

#include "launch_parts.h"
#include "../object/object.h"
#include "uses.h"

static const struct mesi_part mesi_no_part;

/* ranges of variables that a launch can give; a variable with more is used as a whole */
enum { NARROWED = 16 };

struct narrowed {
  unsigned use; /* index into the site's uses */
  unsigned access;
  struct mesi_span read, write;
  struct mesi_part read_part, write_part; /* step 0: none */
};

struct place { /* the place of a launch */
  int device;
  unsigned stream; /* its index, see order.h */
  void *handle;    /* of the stream */
};

enum { MESI_SUMS = 4 }; /* objects that a launch over several devices may add to */

struct mesi_sum {
  struct mesi_object *object;
  struct mesi_span span;                    /* what it may change of it */
  unsigned kind;                            /* MESI_SUM_INT and so on, beside other bits */
  struct mesi_object *own[MESI_DEVICE_MAX]; /* by device; NULL: the object itself */
};

struct launch {
  const struct mesi_file *file;
  const struct mesi_site *site;
  bool active;  /* between begin and end */
  bool watched; /* the thread's end will be noticed */
  /* the stack pointer of begin's caller; a jump to there or above leaves the launch */
  const char *stack;
  bool open;       /* the variables are ready: `uses` is valid */
  bool placed;     /* the stream is known */
  void *handle;    /* of the stream */
  unsigned stream; /* its index, see order.h */
  struct narrowed narrowed[NARROWED];
  unsigned narrowed_count;
  bool deferred; /* uses are noted in `parts`, until mesi_launch_parts */
  bool parted;   /* the launch is made in parts */
  /* the compiler tells the parts' writes apart, and the launch uses objects only */
  bool may_spread;
  bool passed;                     /* the launch stays on one device; the gate need not be asked */
  bool only_spread;                /* on one device it goes out as a whole */
  struct known *gated;             /* the gate's record of the site (gate.c); NULL: none */
  bool foreign;                    /* an argument may lead to memory of no object */
  struct place first;              /* where the program would make a launch with parts.spread */
  bool held;                       /* the launch will be made later */
  bool counted;                    /* the launch belongs to a graph, which makes it */
  struct mesi_sum sums[MESI_SUMS]; /* with parts.spread */
  unsigned sum_count;
  struct mesi_parts parts;
  struct mesi_uses uses;
};

/* The calling thread's launch. */
struct launch *mesi_launch_current(void);
/* Fixes the launch's device and makes the variables of its site ready. */
void mesi_launch_open(struct launch *);
/* Puts the launch behind all transfers so far. */
void mesi_launch_behind(struct launch *);
/* Ends the program where the device has not accepted the launch. */
void mesi_launch_check(const struct launch *);

/* Returns whether the launch has more transfers to wait for than before. */
bool mesi_launch_add_use(struct launch *, const struct mesi_pending *);
/* Sets the kernel's pointers to the site's variables, for the launch's device. */
void mesi_launch_set_symbols(struct launch *);
/* Does another rank (base/ranks.h) make the launch, which this one is about to make? */
bool mesi_launch_of_other_rank(const struct launch *, const unsigned grid[3],
                               const unsigned block[3]);
/* Makes all variables of the site ready, by the ranges that the launch has given. */
void mesi_launch_use_variables(struct launch *);

#endif
