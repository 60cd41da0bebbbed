/* cublas.h - cuBLAS as a peer, found at run time. Matrices and vectors are of blas2_alloc; products
 * are with alpha 1 and beta 0, increments 1. */
#ifndef BLAS2_CUBLAS_H
#define BLAS2_CUBLAS_H

#include "blas2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: the library (NULL: what the system has, on a GPU only) is not there or finds no device. */
struct cublas *cublas_open(const char *library);
int cublas_version(const struct cublas *);
void cublas_close(struct cublas *);

/* y = A x for what lies on the device already. 0, or cuBLAS's status. */
struct cublas_product {
  char kind;         /* gemv: 'N', 'T'; symv: 'U', 'L' */
  int m, n, lda;     /* symv: m is n */
  int atomics;       /* may symv add up by atomic operations? */
  const real *a, *x; /* addresses on the device */
  real *y;
};
int cublas_run(const struct cublas *, const struct cublas_product *);
/* y = alpha A x + beta y, kinds 'N' and 'T' */
int cublas_gemv(const struct cublas *, const struct cublas_product *, real alpha, real beta,
                int incy);

#ifdef __cplusplus
}
#endif
#endif
