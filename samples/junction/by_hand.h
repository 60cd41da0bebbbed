/* by_hand.h - the primitives as the paper makes them by hand, to compare with primitives.h: grids
 * of any number of blocks of 96 threads, tables in shared memory, mapping vectors in place of index
 * tables. Linear domain. by_hand.cuh implements them. */
#ifndef JUNCTION_BY_HAND_H
#define JUNCTION_BY_HAND_H

#include "cpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum junction_form {
  JUNCTION_NAIVE,    /* a thread's entries follow each other; no loop is unrolled */
  JUNCTION_UNROLLED, /* copies, children, and entries that go to one value of a separator */
  JUNCTION_COLUMNS,  /* and column-major: neighbouring threads have neighbouring entries */
  JUNCTION_FORM_COUNT
};

enum { JUNCTION_MOST_BLOCKS = 128 };

struct junction_hand_plan;

/* The device's side. */
struct junction_hand {
  /* NULL where the separators are too many or too large for shared memory, or there is no memory */
  struct junction_hand_plan *(*plan)(const struct junction_shape *, unsigned count,
                                     const struct junction_mapping *);
  void (*release)(struct junction_hand_plan *); /* or NULL */
  /* as in primitives.h; at most JUNCTION_MOST_BLOCKS blocks */
  void (*marginalise)(const struct junction_hand_plan *, enum junction_form, unsigned blocks,
                      const real *clique, real *separators);
  void (*divide)(enum junction_form, unsigned blocks, const real *above, const real *below,
                 size_t count, real *ret);
  void (*multiply)(const struct junction_hand_plan *, enum junction_form, unsigned blocks,
                   const real *factors, real *clique);
};

/* NULL, as long as the program has not set it: mpf has no versions by hand. */
extern const struct junction_hand *junction_by_hand;

#ifdef __cplusplus
}
#endif
#endif
