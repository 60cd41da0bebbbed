/* SPDX-License-Identifier: MIT */
/* host_edit.h - the additions to host code. */
#ifndef MESI_ANALYSIS_HOST_EDIT_H
#define MESI_ANALYSIS_HOST_EDIT_H

#include "translator/base/arena.h"
#include "translator/ir/unit.h"

struct vs_plan { /* by VS variable id */
  bool guarded;
  const char *guard_reason; /* NULL when not guarded */
};

enum host_edit_kind { /* the first ones wrap an argument */
                      HOST_TOUCH_ARG,
                      HOST_OPEN_ARG,
                      /* the library remembers the memory, or that of the control block, and uses it
                         when it likes */
                      HOST_KEEP_ARG,
                      HOST_KEEP_CONTROL_ARG,
                      HOST_TOUCH_VECTORS_ARG, /* the memory that the vectors, or the messages, lead
                                                 to */
                      HOST_TOUCH_MESSAGES_ARG,
                      HOST_TOUCH_ALL_ARG, /* all memory */
                      HOST_ARG_COUNT,
                      HOST_USE_BEFORE = HOST_ARG_COUNT,
                      HOST_USE_POINTED,
                      HOST_TOUCH_ALL_BEFORE,
                      HOST_BATCH /* around the statement */
};

struct host_edit { /* an announcement in host code, or a batch */
  enum host_edit_kind kind;
  struct ir_place place;  /* TOUCH_ARG: the argument; others: the statement it goes in front of */
  bool needs_braces;      /* others: the statement is the whole body of an if, else or loop */
  struct vs_var *vs;      /* USE_BEFORE */
  struct ir_var *pointer; /* USE_POINTED: into the object */
  /* USE_BEFORE: bytes of it; NULL: all. USE_POINTED: bytes from the pointer's target. */
  struct ir_expr *begin, *end;
  unsigned access; /* 8: overwritten, as mesi.h */
  /* TOUCH_VECTORS, TOUCH_MESSAGES: an expression for their number; NULL: unknown */
  const char *count;
  unsigned order; /* of the decision */
  bool steps;     /* BATCH: some of its launches may be put together */
};

struct host_launch { /* by launch id */
  bool hooked;       /* the runtime is told about it */
  bool steps;        /* a batch may put it together with the launches around it */
  bool batched;      /* result: a batch may hold it back */
};

struct host_work { /* the changes of a unit's host code; in the unit's arena */
  struct arena *arena;
  struct host_launch *launches;    /* by launch id */
  struct vs_plan *vs;              /* by VS variable id */
  LIST_OF(struct host_edit) edits; /* in the order of the text */
};

#endif
