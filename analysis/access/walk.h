/* SPDX-License-Identifier: MIT */
/* walk.h - the state of the walk over a kernel (private to walk*.c and address.c). */
#ifndef MESI_ANALYSIS_WALK_H
#define MESI_ANALYSIS_WALK_H

#include "analysis/access/access.h"
#include "analysis/access/effects.h"

struct address {       /* the address of an lvalue, or the value of a pointer */
  struct ir_var *base; /* NULL: not known */
  bool local;          /* not device memory */
  /* Local: a temporary, or an lvalue made of others ((c ? x : y), (x = 1)). It must not be
   * written. */
  bool made;
  bool shaped; /* index[] gives the element; else only base is known */
  bool inside; /* within an element (a member) */
  bool stored; /* it came out of a local pointer variable */
  bool has_effects;
  bool stepped;   /* pointer arithmetic has changed the last one of several indices */
  unsigned count; /* of indices; pointer arithmetic changes the last one */
  struct value index[ACCESS_DIMS];     /* owned */
  struct ir_expr *source[ACCESS_DIMS]; /* NULL: zero, when has_source */
  bool has_source;
  /* An index is computed in a wider type than int: from 64-bit parts, or parts that pointers add
   * up. */
  bool wide;
  const struct ir_expr *element; /* the expression that first named the element */
  unsigned shared;               /* further frames that have it (walk_pointer) */
};

struct frame { /* the variables of the visited function */
  const struct ir_function *function;
  struct value *values; /* by variable id: integer locals and parameters */
  /* By variable id: pointer locals and parameters. NULL: not known. Frames share them, since most
   * branches assign none. */
  struct address **pointers;
};

struct walk {
  struct symbols *symbols;
  struct effects *effects;
  struct kernel_access *out;
  struct frame *frame;
  unsigned depth;          /* of substituted calls */
  isl_set *domain, *loops; /* as in struct access */
  bool must;
  bool dead;           /* control does not reach this place */
  double count, scale; /* as in struct access */
  struct ir_expr *trips;
  const struct nest_level *nest;
  /* The number of operands of ?:, && and || around this place that need not be evaluated. */
  unsigned chosen;
  unsigned divergent; /* conditions around this place that threads may decide differently */
  unsigned loop_depth;
  bool divides;          /* it evaluates an unsigned divisor of 32 bits */
  bool any_barrier;      /* anywhere in the kernel */
  bool divergent_return; /* occurred before this place */
};

/* Functions that see each place with the walk's state there, which they must not change. NULL:
 * none. */
struct walk_watch {
  void *context;
  /* A read or write of an element, in memory of any kind. */
  void (*access)(void *context, struct walk *, const struct address *, const struct ir_expr *expr);
  /* Its arguments are not evaluated yet. */
  void (*call)(void *context, struct walk *, struct ir_expr *call);
  /* An integer is divided by `by`; called after its evaluation. */
  void (*division)(void *context, struct walk *, const struct value *by, const struct ir_expr *);
  /* The range of a local where its value is not known. False: any number of its type. */
  bool (*range)(void *context, const struct ir_var *var, int64_t *ret_low, int64_t *ret_high);
};

/* ---- walk_expr.c ---- */
/* Evaluates the expression: its effects, and its integer value. */
struct value walk_value(struct walk *, struct ir_expr *expr);
/* The same for an offset of a pointer, which counts modulo 2^64 as addresses do: the value may be
 * one before an unsigned operation of 64 bits wraps. */
struct value walk_offset(struct walk *, struct ir_expr *expr);
/* An unknown value, low <= value <= high. */
struct value walk_between(struct walk *, int64_t low, int64_t high);
void walk_effects(struct walk *, struct ir_expr *expr); /* evaluates it and drops the result */
/* Gives an unknown value a symbol. */
struct value walk_known(struct walk *, struct value value, const struct ir_type *type);
/* The value of type `from` as one of type `to`: unknown if that may change it. */
struct value walk_converted(struct walk *, struct value value, const struct ir_type *from,
                            const struct ir_type *to);
/* A value of `type` for uses that count all its bits: unknown if it may be another than modulo
 * 2^64. */
struct value walk_all_bits(struct walk *, struct value value, const struct ir_type *type);
bool walk_is_integer(const struct ir_type *type);
void walk_assign_var(struct walk *, struct ir_var *var, struct ir_expr *from, struct value value);
/* Is it a variable of the visited function? */
bool walk_owns(const struct walk *, const struct ir_var *var);
bool walk_tracked(const struct ir_var *var); /* an integer whose value the walk keeps */
bool walk_tracked_pointer(const struct ir_var *var);
void walk_reject(struct walk *, const char *reason, const struct ir_place *); /* rejects the whole
                                                                               * kernel */

/* ---- share.c ---- */
/* The share of a block's threads that are in `where`, as far as the indices of threads alone decide
 * about it; otherwise a half. `exact`: the set is the condition, not only around it. */
double share_of_threads(struct symbols *, isl_set *where, bool exact);

/* ---- walk_operators.c; they take the values ---- */
struct value walk_divided(struct walk *, enum ir_op op, struct value a, struct value b,
                          const struct ir_type *);
struct value walk_shifted(enum ir_op op, struct value a, struct value by);
struct value walk_masked(struct walk *, struct value a, struct value b);

/* ---- walk_table.c ---- */
/* The value of an element that is read. */
struct value walk_table(struct walk *, const struct address *, const struct ir_expr *expr);

/* ---- walk_condition.c ---- */
/* The sets where a condition may hold and where it may fail. *ret_exact: they are exact. Either may
 * be the whole space. */
void walk_condition(struct walk *, struct ir_expr *expr, isl_set **ret_yes, isl_set **ret_no,
                    bool *ret_exact);

/* ---- walk_call.c ---- */
struct value walk_call(struct walk *, struct ir_expr *call);

/* ---- address.c ---- */
/* The value of a pointer or array expression. */
struct address address_of_pointer(struct walk *, struct ir_expr *expr);
struct address address_of_lvalue(struct walk *, struct ir_expr *expr);
struct address address_copy(const struct address *);
void address_free(struct address *);
/* An access to *address; `expr` is the lvalue expression as a whole. */
void address_access(struct walk *, struct address *, const struct ir_expr *expr, bool read,
                    bool write);
/* The pointer escapes to a place where it is not followed: its array is no candidate. */
void address_escape(struct walk *, struct address *, const struct ir_expr *expr, const char *reason,
                    bool read, bool write);
/* The array in device memory. NULL: local or shared memory. */
struct array *address_array(struct walk *, struct ir_var *var);
bool address_is_pointer_type(const struct ir_type *type);

/* ---- walk.c ---- */
void walk_stmt(struct walk *, struct ir_stmt *stmt);
/* Makes the variables unknown that it assigns. */
void walk_forget_expr(struct walk *, struct ir_expr *expr);
void walk_forget_stmt(struct walk *, struct ir_stmt *stmt);
struct frame walk_frame_create(struct walk *, const struct ir_function *);
void walk_frame_finish(struct frame *);
/* The value of a pointer that is tracked. */
const struct address *walk_pointer(const struct walk *, const struct ir_var *var);
void walk_set_pointer(struct walk *, const struct ir_var *var, struct address); /* takes it */

/* ---- walk_loop.c ---- */
void walk_for(struct walk *, struct ir_stmt *stmt);
void walk_while(struct walk *, struct ir_stmt *stmt); /* and do */

#endif
