/* SPDX-License-Identifier: MIT */
/* coarsen.h - code in which one thread does the work of several (coarsen*.c share the private
 * parts). */
#ifndef MESI_ANALYSIS_COARSEN_H
#define MESI_ANALYSIS_COARSEN_H

#include "analysis/code/tiles.h"

/* Replaces the code's body by one for real threads. False: *ret_reason and *ret_place name the
 * statement without a coarsened form. */
bool coarsen_instances(struct code *, const struct geometry *, struct tiles *,
                       const char **ret_reason, struct ir_place *ret_place);

/* ---- for coarsen*.c ---- */

enum { COARSEN_PREDICATES = 16 };

struct predicate {    /* a condition that threads decide differently, around uniform loops */
  struct ir_var *var; /* bool, an array over its axes */
  unsigned axes;
  const struct ir_stmt *from; /* the if */
  unsigned loops;             /* around it */
};

struct coarsening {
  struct code *code;
  struct arena *arena;
  struct instances in;
  const struct geometry *geometry;
  struct tiles *tiles;
  int64_t factor[2]; /* instances of a thread by axis */
  unsigned active;   /* axes with more than one instance */
  unsigned around;   /* active axes whose loops already stand around this place */
  bool from_thread;  /* a thread's first instance is its own index, not its origin */
  /* _x, _y; _tx, _ty: the thread's first position times its vector */
  struct ir_var *counter[2], *origin[2];
  /* For geometry->fragments: _fx, the first column of which the thread holds a factor. */
  struct ir_var *column;
  /* By variable id: the array that holds it for all instances. NULL: it is unchanged. */
  struct ir_var **array;
  /* By variable id: its declaration, if that is repeated where it is used. NULL: it is kept. */
  struct ir_stmt **remade;
  unsigned char *declared;     /* by variable id: predicates around its declaration */
  unsigned char *loops_around; /* by variable id: loops around its declaration */
  unsigned loops;              /* around this place; all instances run them together */
  unsigned var_count;          /* entries in these tables */
  /* The part of the code that is coarsened; uses outside do not count. */
  struct ir_stmt *scope;
  struct predicate predicates[COARSEN_PREDICATES];
  unsigned predicate_count;
  const char *reason; /* of failure */
  struct ir_place place;
};

/* The active axes that the expression depends on. */
unsigned coarsen_axes(const struct coarsening *, const struct ir_expr *expr);
unsigned coarsen_stmt_axes(const struct coarsening *, struct ir_stmt *stmt);
void coarsen_fail(struct coarsening *, const char *reason, const struct ir_place *);
/* Has the variable an entry in the tables? */
bool coarsen_owns(const struct coarsening *, const struct ir_var *var);

/* coarsen.c: the statement, or all statements of a block, for all instances; NULL for none */
struct ir_stmt *coarsen_body(struct coarsening *, struct ir_stmt *stmt);
/* ... is there a loop over tiles in it? */
bool coarsen_has_tile(const struct coarsening *, struct ir_stmt *stmt);

/* coarsen_branch.c: an `if` that threads decide differently, with a loop over tiles in it */
struct ir_stmt *coarsen_predicated(struct coarsening *, struct ir_stmt *stmt);

/* coarsen_safe.c: may all instances evaluate it, even those outside the predicates? */
bool coarsen_safe_expr(const struct coarsening *, struct ir_expr *expr);
bool coarsen_safe_stmt(const struct coarsening *, struct ir_stmt *stmt);

/* coarsen_rewrite.c: code of one instance, and loops over instances */
struct ir_expr *coarsen_expr(struct coarsening *, struct ir_expr *expr);
struct ir_stmt *coarsen_stmt(struct coarsening *, struct ir_stmt *stmt);
struct ir_var *coarsen_array(struct coarsening *, const char *name, const struct ir_type *type,
                             unsigned axes);
struct ir_expr *coarsen_element(struct coarsening *, struct ir_var *array, unsigned axes);
/* Adds loops over `axes` around `body`, whose parts are coarsened already. `uses`: the statements
 * that they come from. */
void coarsen_loops(struct coarsening *, unsigned axes, struct ir_list *body,
                   const struct ir_list *uses, struct ir_list *out);
struct ir_expr *
coarsen_predicate(struct coarsening *); /* all predicates of this place; NULL: none */
unsigned coarsen_predicate_axes(const struct coarsening *);

/* coarsen_skew.c: a loop over rows that the elements along y share */
bool coarsen_can_skew(struct coarsening *, struct ir_stmt *loop);
struct ir_stmt *coarsen_skewed(struct coarsening *, struct ir_stmt *loop,
                               struct ir_stmt *(*coarsen)(struct coarsening *, struct ir_stmt *));

/* coarsen_product.c: a tile's loop of products, four iterations at a time */
struct products;
bool coarsen_can_multiply(struct coarsening *, struct ir_stmt *loop, struct products *ret);
struct ir_stmt *coarsen_multiplied(struct coarsening *, struct ir_stmt *loop,
                                   const struct products *);
/* Declares the thread's places in fragments. */
void coarsen_fragments(struct coarsening *, struct ir_list *out);

/* coarsen_group.c: statements that share loops over instances */
struct coarsen_group {
  struct ir_list stmts; /* the code's own */
  unsigned axes;
  bool guarded; /* under the predicates */
};
void coarsen_group_add(struct coarsening *, struct coarsen_group *, struct ir_stmt *stmt,
                       struct ir_list *out);
void coarsen_group_flush(struct coarsening *, struct coarsen_group *, struct ir_list *out);

#endif
