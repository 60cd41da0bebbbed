/* reduction.h - a reduction with its data, and how far its result is off. */
#ifndef BLAS2_REDUCTION_H
#define BLAS2_REDUCTION_H

#include "cusolver.h"
#include "random.h"

struct problem {
  int m, n, lda;
  int low, high; /* hessenberg: ilo and ihi */
  char uplo;     /* tridiagonal */
  /* of blas2_alloc; owned. hessenberg and tridiagonal have tauq only */
  real *a, *d, *e, *tauq, *taup;
  double *before; /* the matrix, m x n; owned */
};

/* In the units of LAPACK's own tests, which allow 20 (hessenberg) or 50. */
struct verdict {
  double residual;      /* |A - Q R P^T| / (n |A| eps) */
  double orthogonality; /* |I - Q^T Q| / (n eps), of the worse of Q and P */
  /* eigenvalues or singular values against LAPACK's: difference / (n |A| eps), times the value's
   * condition; not a number: LAPACK is not there */
  double values;
};

struct reduction {
  const char *name;                                  /* the verb */
  double allowed;                                    /* of each number of a verdict */
  int takes_rows;                                    /* m may differ from n */
  void (*shape)(uint64_t *random, struct problem *); /* completes m, n and lda */
  int (*run)(const struct problem *);                /* as the function of blas2.h */
  struct verdict (*verify)(const struct problem *);
  /* is the element of `a` neither read nor written? */
  int (*untouched)(const struct problem *, int i, int j);
  double (*flops)(double m, double n);
  /* the same by cuSOLVER; its status. NULL: it has none */
  int (*by_cusolver)(struct cusolver *, const struct problem *);
};

extern const struct reduction reduction_hessenberg, reduction_bidiagonal, reduction_tridiagonal;

double reduction_unit(void); /* of rounding: eps of LAPACK's 'precision' */

#endif
