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
  MOST_ADDED = 64,     /* products that sums use, of a kernel whose elements are mapped anew */
  OWN_ROW = 4096       /* more than a block's elements along x */
};

enum constness { /* is a value one that the compiler may compute? */
                 VARIES,
                 AS_WRITTEN, /* with arguments as arguments, too */
                 MADE        /* only with constants in their place */
};

/* A value as the walk knows it. What several ways lead to has all that any of them has. */
struct traced {
  enum constness constness;
  bool mixed;   /* ... on some of the ways only that lead to it */
  bool one_way; /* ... on ways as written that constants have removed */
  bool carried; /* mixed by a loop around this place, which carries it */
  bool exact;   /* it is `number` */
  double number;
  /* A product, which the compiler fuses with a sum that uses it if both are in one basic block.
   * `made`: how many boundaries had vanished where it was computed; ANOTHER: it is no product as
   * written. `divided`: by a power of two. */
  bool product, divided;
  bool split;      /* nvcc may compute the product where the ways to one of its factors part */
  bool split_made; /* ... as written, and constants have left one way */
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
  /* Products that elements share become each element's own where that is known to round the same
   * (rounding_own.c). */
  bool owns;
  /* A loop around is gone, and nothing else: products that it repeats, or that are computed where
   * ways to a factor part, which is so without a loop around only. */
  bool unlooped;
};

struct rounding {
  struct code *code;
  const struct remapped *remapped; /* NULL: arguments become constants */
  const struct ir_expr *added[MOST_ADDED];
  bool ownable[MOST_ADDED]; /* likewise: it can be made each element's own */
  bool direct[MOST_ADDED];  /* ... nothing but its sum uses it */
  unsigned added_count;
  LIST_OF(const struct ir_expr *) owned; /* products to be made so; the arena's */
  /* Of the sum at this place: an operand, seen from the other one; is it a sum, not a difference,
   * with one product? */
  struct ir_expr *beside;
  bool alone;
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

/* Likewise, with the body in which products are made own ones, without keys, in *ret_body. NULL:
 * there are none. */
const char *rounding_remapped_own(struct code *, const struct remapped *, struct ir_stmt **ret_body,
                                  struct ir_place *ret_place);
/* The body with the keys of a thread's elements along these axes, of x and y a bit each. */
struct ir_stmt *rounding_own_keys(struct code *, struct ir_stmt *body, unsigned axes);

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
extern const char rounding_shares[];
/* What a value is written as: without parentheses and conversions, and the value of a local that is
 * set once. */
struct ir_expr *rounding_written(struct ir_expr *);
/* May the products, of any two elements of a thread, have the same factors? */
bool rounding_may_be_same(struct rounding *, const struct ir_expr *, const struct ir_expr *);
/* May the value be a factor of the product? */
bool rounding_may_have_factor(struct rounding *, struct ir_expr *value,
                              const struct ir_expr *product);
/* Can the product, an operand of the sum at this place, be made each element's own? */
bool rounding_ownable(struct rounding *, const struct ir_expr *operand,
                      const struct ir_expr *product);
/* Behind the walk: something else than sums may use what is a product of a sum for another element.
 */
void rounding_check_used(struct rounding *, struct ir_stmt *body);
/* ... nothing else may be the value of a product that is made an own one. */
void rounding_check_owned(struct rounding *, struct ir_stmt *body);
struct ir_stmt *rounding_make_own(struct rounding *, struct ir_stmt *body);
/* May nvcc compute the product of the two where the ways to one of them part? `one_way`: as
 * written, and constants have left one way. */
bool rounding_is_split(const struct traced *, const struct traced *, bool one_way);
struct traced rounding_join(struct traced, struct traced);
struct held *rounding_held(struct rounding *, const struct ir_var *); /* with an entry made */
void rounding_set(struct rounding *, const struct ir_var *, struct traced);
/* A copy of the present state, to be given back. */
struct held_all *rounding_save(struct rounding *);
void rounding_release(struct rounding *, struct held_all *);
/* The present state becomes what it is or the copy, which is given back. */
void rounding_meet(struct rounding *, struct held_all *);
/* Constants have left one way, to the present state. As written what is no constant now may still
 * be one that it was on another way, that of `before`. */
void rounding_one_way(struct rounding *, const struct held_all *before);
/* What two ways lead to is no product of either, if the branch stays. */
struct traced rounding_select(const struct rounding *, bool decided, struct traced, struct traced);
void rounding_new_block(struct rounding *);
void rounding_found(struct rounding *, const struct ir_expr *, const char *reason);

#endif
