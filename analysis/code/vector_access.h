/* SPDX-License-Identifier: MIT */
/* vector_access.h - rows of a thread's neighbouring elements, read and written 16 bytes at once, in
 * kernels with loops. */
#ifndef MESI_ANALYSIS_VECTOR_ACCESS_H
#define MESI_ANALYSIS_VECTOR_ACCESS_H

#include "analysis/code/tiles.h"
#include "analysis/code/interior.h"

/* places in the code; left: those that differ along x and stay as they are */
struct vector_accesses {
  unsigned loads, stores, left;
};

/* Rewrites interior->body, a part of the code, for threads with `count` neighbours along x,
 * elements of 16 bytes. The scan stays valid for what is left; what it requires is in
 * code->preconditions. Statements of real threads go to `verbatim`. */
struct vector_accesses vector_rewrite(struct code *, struct interior *, int64_t count,
                                      struct ir_list *verbatim);
/* Is the access, outside of loops, one of a row that begins at a multiple of 16 bytes? Then what is
 * added to the lane of a neighbour along `along`, whose first one has a multiple of `count`. */
bool vector_place(struct code *, const struct code_access *, enum ir_builtin along, int64_t count,
                  int64_t *ret_constant);
/* The same for an access in short loops with those iterators, along x; the constant is that of the
 * index, the lane's multiple of `count` apart. */
bool vector_row(struct code *, const struct code_access *, int64_t count,
                struct ir_var *const *iterators, unsigned iterator_count, int64_t *ret_constant);
/* May neighbours along `along` access different elements? */
bool vector_apart(struct code *, const struct code_access *, enum ir_builtin along);
/* May the index be computed for places beside the thread's own, before the first one too? Not where
 * a conversion on its way holds only what the thread itself has: of an unsigned sum to 64 bits, to
 * a type of one or two bytes. Locals that keep a value are looked through. */
bool vector_movable(struct code *, struct ir_expr *expr);
/* Is the element's place told by what is loaded, perhaps kept in a local? Where neighbours of the
 * thread are not in, what they load is no place. */
bool vector_told_by_loads(const struct code *, struct ir_expr *element);
/* Is it the only access to memory that may be the array's? */
bool vector_alone(const struct code *, const struct code_access *store);
/* The load of an element at such a place. */
struct ir_expr *vector_load(struct arena *, struct ir_expr *element, struct ir_expr *place);

#endif
