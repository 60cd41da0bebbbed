/* magma.h - MAGMA's symv as a peer, found at run time: the library of the paper's figure 1. */
#ifndef BLAS2_MAGMA_H
#define BLAS2_MAGMA_H

#include "cublas.h"

/* NULL: the library (NULL: libmagma.so of the system, on a GPU only) is not there, has another
 * interface than version 2's, or finds no device. */
struct magma *magma_open(const char *library);
void magma_close(struct magma *);

/* Memory for what it keeps beside a matrix of n rows. 0, or -1: no memory. */
int magma_reserve(struct magma *, int n, int lda);
/* y = A x, kinds 'U' and 'L', of what lies on the device already. 0, or MAGMA's status. */
int magma_symv(const struct magma *, const struct cublas_product *);

#endif
