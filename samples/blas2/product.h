/* product.h - one call of gemv or symv with its data. */
#ifndef BLAS2_PRODUCT_H
#define BLAS2_PRODUCT_H

#include "random.h"

struct product {
  int symmetric, m, n, lda, incx, incy; /* symmetric: n is m */
  char kind;                            /* trans or uplo */
  real alpha, beta;
  int terms, outputs;
  long size, x_size, y_size; /* numbers */
  real *a, *x, *y;           /* owned, on the device */
  real *before, *wanted;     /* y before, and by the reference; owned */
};

/* Takes memory and makes data; what is not to be read is not a number. 0, or -1: no memory; to be
 * released in either case. */
int product_fill(uint64_t *random, struct product *);
void product_release(struct product *);
int product_run(const struct product *);     /* what blas2_gemv or blas2_symv returns */
int product_is_rows(const struct product *); /* a sum is over a row of the matrix */

#endif
