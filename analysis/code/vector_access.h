/* SPDX-License-Identifier: MIT */
/* vector_access.h - rows of a thread's neighbouring elements, read and written 16 bytes at once, in
 * kernels with loops. */
#ifndef MESI_ANALYSIS_VECTOR_ACCESS_H
#define MESI_ANALYSIS_VECTOR_ACCESS_H

#include "analysis/code/tiles.h"
#include "analysis/code/interior.h"

/* Numbers of accesses. left: those that differ along x and stay as they are. */
struct vector_accesses {
  unsigned loads, stores, left;
};

/* Rewrites interior->body, a part of the code, for threads with `count` neighbours along x, whose
 * elements fill 16 bytes. The scan stays valid for the remaining accesses. The requirements are in
 * code->preconditions. Adds statements of real threads to `verbatim`. */
struct vector_accesses vector_rewrite(struct code *, struct interior *, int64_t count,
                                      struct ir_list *verbatim);
/* Is the access, outside of loops, in a row that begins at a multiple of 16 bytes? *ret_constant:
 * its distance from the lane of a neighbour along `along`, where the first neighbour has a multiple
 * of `count`. */
bool vector_place(struct code *, const struct code_access *, enum ir_builtin along, int64_t count,
                  int64_t *ret_constant);
/* The same for an access in short loops with those iterators, along x. The constant is that of the
 * index without the lane, which is relative to a multiple of `count`. */
bool vector_row(struct code *, const struct code_access *, int64_t count,
                struct ir_var *const *iterators, unsigned iterator_count, int64_t *ret_constant);
/* May neighbours along `along` access different elements? */
bool vector_apart(struct code *, const struct code_access *, enum ir_builtin along);
/* May the index be computed for places beside the thread's own, also before the first one? Not if a
 * conversion on the way only holds the thread's own value: from an unsigned sum to 64 bits, or to a
 * type of one or two bytes. Locals that keep a value are replaced by it. */
bool vector_movable(struct code *, struct ir_expr *expr);
/* Does the element's place depend on a loaded value, perhaps kept in a local? Where neighbours of
 * the thread are outside the launch, the values that they load give no valid place. */
bool vector_told_by_loads(const struct code *, struct ir_expr *element);
/* Is it the only access to memory that may be the array's? */
bool vector_alone(const struct code *, const struct code_access *store);
/* The load of an element at such a place. */
struct ir_expr *vector_load(struct arena *, struct ir_expr *element, struct ir_expr *place);

#endif
