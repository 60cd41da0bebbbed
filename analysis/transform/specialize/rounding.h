/* SPDX-License-Identifier: MIT */
/* rounding.h - would the compiler of the emitted code round in another way, with arguments as
 * constants? */
#ifndef MESI_ANALYSIS_SPECIALIZE_ROUNDING_H
#define MESI_ANALYSIS_SPECIALIZE_ROUNDING_H

#include "analysis/code/code.h"

enum {
  SHORT_TRIPS = 16,    /* iterations of a loop that the row counts as unrolled */
  MOST_UNROLLED = 128, /* ... of a nest */
  MOST_HELD = 64       /* locals and arrays that a walk follows */
};

enum constness { /* is a value one that the compiler may compute? */
                 VARIES,
                 AS_WRITTEN, /* with arguments as arguments, too */
                 MADE        /* only with constants in their place */
};

/* A value as the walk knows it. What several ways lead to has all that any of them has. */
struct traced {
  enum constness constness;
  bool exact; /* it is `number` */
  double number;
  /* A product, which the compiler fuses with a sum that uses it if both are in one basic block.
   * `made`: how many boundaries had vanished where it was computed; ANOTHER: it is no product as
   * written. `divided`: by a power of two. */
  bool product, divided;
  unsigned made;
  bool scaled;   /* a product with a factor that is MADE */
  bool one_more; /* a sum with a 1 or -1 that is MADE */
  unsigned set;  /* likewise, where its holder was set */
};

#define ANOTHER UINT32_MAX

struct held {
  const struct ir_var *var; /* NULL: memory behind pointers that are not known */
  struct traced value;
};

struct held_all {
  struct held items[MOST_HELD];
  unsigned count;
  struct held_all *next; /* of those that are free */
};

struct rounding {
  struct code *code;
  struct held_all now;
  struct held_all *free; /* copies that are not in use; the arena's */
  unsigned vanished;     /* boundaries of basic blocks that constants have removed so far */
  unsigned steps;        /* expressions looked at */
  double around;         /* iterations of unrolled loops around this place */
  /* The innermost loop around, if constants unroll it. NULL: none. */
  struct ir_stmt *loop;
  const char *reason; /* the first that was found; NULL: none so far */
  struct ir_place place;
};

/* Why nvcc could round in another way. NULL: it does not. */
const char *rounding_differs(struct code *, struct ir_place *ret_place);

/* The argument that a read of a parameter is replaced by. False: it stays. */
bool rounding_argument(const struct code *, const struct ir_expr *read, int64_t *ret);

/* ---- between the files of the walk ---- */

struct traced rounding_value(struct rounding *, struct ir_expr *); /* NULL: VARIES */
struct traced rounding_join(struct traced, struct traced);
struct held *rounding_held(struct rounding *, const struct ir_var *); /* with an entry made */
void rounding_set(struct rounding *, const struct ir_var *, struct traced);
/* A copy of the present state, to be given back. */
struct held_all *rounding_save(struct rounding *);
void rounding_release(struct rounding *, struct held_all *);
/* The present state becomes what it is or the copy, which is given back. */
void rounding_meet(struct rounding *, struct held_all *);
void rounding_found(struct rounding *, const struct ir_expr *, const char *reason);

#endif
