/* cpu_product.h - the matrix products of a split bucket, in packed and blocked form, unit by unit.
 */
#ifndef MPF_CPU_PRODUCT_H
#define MPF_CPU_PRODUCT_H

#include "cpu_split.h"

struct mpf_side { /* the rows, or the columns */
  unsigned count; /* functions of the group */
  unsigned functions[64];
  size_t length;   /* rows or columns */
  unsigned unit;   /* of them in a panel */
  size_t *places;  /* [function of the group][row or column]; owned */
  size_t *outputs; /* [row or column]; owned */
};

struct mpf_product {
  const struct mpf_bucket *bucket;
  const struct mpf_cpu_isa *isa;
  enum mpf_domain domain;
  const real *const *tables;
  real *output;
  struct mpf_side rows, columns;
  unsigned batch_count;      /* variables of the batch, the most significant first */
  unsigned *batch_variables; /* owned */
  size_t batch;
  size_t *sums;     /* [function][summand]; owned */
  size_t depth;     /* summands of a panel */
  size_t row_chunk; /* rows of a unit */
  size_t chunks;    /* of the rows */
  size_t units;     /* batch * chunks */
};

/* 0, or -1 when out of memory; end it in either case. */
int mpf_product_begin(struct mpf_product *, const struct mpf_bucket *, const struct mpf_cpu_isa *,
                      enum mpf_domain, const real *const *tables, const struct mpf_split *,
                      unsigned threads, real *output);
/* One unit; `memory` is the calling thread's, NULL at first, and given back with
 * mpf_product_forget. */
int mpf_product_unit(void *product, size_t unit, void **memory);
void mpf_product_forget(void *memory);
void mpf_product_end(struct mpf_product *);

#endif
