/* SPDX-License-Identifier: MIT */
/* rounding.h - would the compiler of the emitted code round in another way: with arguments as
 * constants, or with several elements a thread? */
#ifndef MESI_ANALYSIS_ROUNDING_H
#define MESI_ANALYSIS_ROUNDING_H

#include "analysis/code/code.h"

enum {
  SHORT_TRIPS = 16,    /* iterations of a loop that the row counts as unrolled */
  MOST_UNROLLED = 128, /* ... of a nest */
  MOST_HELD = 64,      /* locals and arrays that a walk follows */
  MOST_ADDED = 64      /* products that sums use, of a kernel whose elements are mapped anew */
};

enum constness { /* is a value one that the compiler may compute? */
                 VARIES,
                 AS_WRITTEN, /* with arguments as arguments, too */
                 MADE        /* only with constants in their place */
};

/* A value as the walk knows it. What several ways lead to has all that any of them has. */
struct traced {
  enum constness constness;
  bool mixed; /* ... on some of the ways only that lead to it */
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
  unsigned axes; /* of the thread's and the block's indices that it depends on, a bit each */
  bool data;     /* it depends on memory: no row drops a condition on it */
  const struct ir_expr *from; /* the product */
  unsigned block;             /* the basic block where it was computed */
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

/* Several elements along each of the axes, a bit each, become those of a thread. */
struct remapped {
  unsigned axes;
  /* A product that is the same for two elements may be computed for one only: there are conditions
   * between them, or too many. */
  bool apart;
  bool pinned; /* which of two products of a sum is rounded is said (rounding_pairs.c) */
};

struct rounding {
  struct code *code;
  const struct remapped *remapped; /* NULL: arguments become constants */
  const struct ir_expr *added[MOST_ADDED];
  unsigned added_count;
  unsigned block, block_count; /* the basic block at this place, as written; so far */
  struct held_all now;
  struct held_all *free; /* copies that are not in use; the arena's */
  unsigned vanished;     /* boundaries of basic blocks that constants have removed so far */
  unsigned steps;        /* expressions looked at */
  double around;         /* iterations of unrolled loops around this place */
  /* The innermost loop around, if constants unroll it. NULL: none. */
  struct ir_stmt *loop;
  struct ir_stmt *inner; /* the innermost loop around; NULL: none */
  const char *reason;    /* the first that was found; NULL: none so far */
  struct ir_place place;
};

/* Why nvcc could round in another way. NULL: it does not. */
const char *rounding_differs(struct code *, struct ir_place *ret_place);
/* The same where a thread gets several elements, and conditions on indices are dropped for some. */
const char *rounding_remapped(struct code *, const struct remapped *, struct ir_place *ret_place);

/* The argument that a read of a parameter is replaced by. False: it stays. */
bool rounding_argument(const struct code *, const struct ir_expr *read, int64_t *ret);

/* Is it a function whose result is not computed by a product: a load's value, a root, a maximum? */
bool rounding_is_exact(const struct code *, const struct ir_expr *call);

bool rounding_is_real(const struct ir_type *); /* float or double */

/* ---- between the files of the walk ---- */

struct traced rounding_value(struct rounding *, struct ir_expr *); /* NULL: VARIES */
/* Has the expression other values in other iterations of the loop? */
bool rounding_varies(struct rounding *, struct ir_stmt *loop, struct ir_expr *);
bool rounding_written_in(struct ir_stmt *loop, const struct ir_var *);
/* May the branch at this condition be gone? */
bool rounding_decided(const struct rounding *, const struct traced *condition);
/* A sum uses the product, in code that is mapped anew. */
void rounding_added(struct rounding *, const struct ir_expr *place, const struct traced *product);
struct traced rounding_join(struct traced, struct traced);
struct held *rounding_held(struct rounding *, const struct ir_var *); /* with an entry made */
void rounding_set(struct rounding *, const struct ir_var *, struct traced);
/* A copy of the present state, to be given back. */
struct held_all *rounding_save(struct rounding *);
void rounding_release(struct rounding *, struct held_all *);
/* The present state becomes what it is or the copy, which is given back. */
void rounding_meet(struct rounding *, struct held_all *);
/* What two ways lead to is no product of either, if the branch stays. */
struct traced rounding_select(const struct rounding *, bool decided, struct traced, struct traced);
void rounding_new_block(struct rounding *);
void rounding_found(struct rounding *, const struct ir_expr *, const char *reason);

#endif
