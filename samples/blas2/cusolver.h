/* cusolver.h - cuSOLVER as a peer of the reductions, found at run time. */
#ifndef BLAS2_CUSOLVER_H
#define BLAS2_CUSOLVER_H

#include "blas2.h"

/* NULL: the library (NULL: what the system has, on a GPU only) is not there or finds no device. */
struct cusolver *cusolver_open(const char *library);
void cusolver_close(struct cusolver *);

/* Room for a matrix with n rows and columns; 0, or what is wrong. */
int cusolver_reserve(struct cusolver *, int n);
/* gebrd, and sytrd of the lower triangle, of what lies on the device already; arrays are of
 * blas2_alloc. 0, or cuSOLVER's status. It has no gehrd. */
int cusolver_gebrd(struct cusolver *, int n, real *a, real *d, real *e, real *tauq, real *taup);
int cusolver_sytrd(struct cusolver *, int n, real *a, real *d, real *e, real *tau);

#endif
