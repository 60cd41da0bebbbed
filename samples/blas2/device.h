/* device.h - what the reductions do on the device beside gemv and symv. Matrices lie by columns;
 * all pointers lead to memory of blas2_alloc; work is done in the order of the calls, and the host
 * waits only where it reads a result.
 *
 * A reflector is H = I - tau v v^T with v[0] = 1, so that H x = (beta, 0, ... 0). */
#ifndef BLAS2_DEVICE_H
#define BLAS2_DEVICE_H

#include "blas2.h"

#ifdef __cplusplus
extern "C" {
#endif

void workspace_release(void); /* panel.c: what reductions keep */

/* to[i] = from[i * increment], but 0 for the first `zeros` */
void device_take(real *to, const real *from, long long increment, int count, int zeros);
void device_clear(real *x, int count);
void device_scale_by(real *x, int count, const real *factor); /* x *= factor[0] */
/* w -= tau[0] / 2 * product[0] v */
void device_subtract_projection(real *w, const real *v, int count, const real *tau,
                                const real *product);

/* The reflector of x + lead: v takes its place, zeros that of the elements in front; these,
 * followed by beta, go to a. beta and tau too, `work`: 2 numbers. Squares must neither overflow nor
 * matter where they underflow. */
int device_reflect(real *a, real *x, int lead, int count, real *beta, real *tau, real *work);
/* Column j of the triangle T of I - V T V^T, `rows` of it: the reflector's tau, and above it -tau T
 * products, products = V^T v. */
void device_append(real *t, int ldt, int j, int rows, const real *products, const real *tau);

/* Products of matrices: c has m rows and n columns, sums have k terms. */
/* c = a b */
void device_times(real *c, long long ldc, const real *a, long long lda, const real *b,
                  long long ldb, int m, int n, int k);
/* c -= a b */
void device_subtract_times(real *c, long long ldc, const real *a, long long lda, const real *b,
                           long long ldb, int m, int n, int k);
/* c -= a b^T */
void device_subtract_turned(real *c, long long ldc, const real *a, long long lda, const real *b,
                            long long ldb, int m, int n, int k);
/* of the lower triangle */
void device_subtract_turned_lower(real *c, long long ldc, const real *a, long long lda,
                                  const real *b, long long ldb, int n, int k);

/* a(i, j) = v(i, j) where i > j + below; turned: a(j, i) = v(i, j) */
void device_store(real *a, long long lda, const real *v, long long ldv, int rows, int columns,
                  int below, int turned);
/* to(j, i) = from(i, j) */
void device_turn(real *to, long long ldto, const real *from, long long ldfrom, int m, int n);
/* to(i, j) = from(n - 1 - i, n - 1 - j) in the lower triangle of `to`, or the upper one */
void device_reverse(real *to, long long ldto, const real *from, long long ldfrom, int n, int upper);

/* A band of a matrix: elements with j - above <= i <= j + below. */
struct band {
  int m, n, above, below;
};
/* The largest size of an element; infinity where one is not finite. `work`: n numbers. */
double device_largest(const real *a, long long lda, struct band, real *work);
void device_scale(real *a, long long lda, struct band, double factor);

/* Panels in one launch (panels.cuh). All matrices begin at the panel's corner: row and column 0 are
 * its first. What the launch needs between its steps is in the last pointers: `column` and the like
 * have a number for each row, or column, `seen` has 2 PANEL, `squares` one for each block of
 * threads, `parts` PANEL of these. All but the ends of what LAPACK has as panel factors is left. */
struct panel_tridiagonal {
  real *full, *a, *v, *w, *e, *tau; /* full: what is left of the matrix, both triangles */
  real *column, *product, *seen, *squares, *parts;
  long long ldfull, lda, ldv, rows, count;
};
struct panel_bidiagonal {
  real *a, *v, *x, *u, *y, *d, *e, *tauq, *taup; /* v, x: a row for each row of a; u, y: column */
  real *column, *row_product, *row, *column_product, *seen, *squares;
  long long lda, ldv, ldu, rows, columns, count;
};
struct panel_hessenberg {
  real *a, *v, *y, *t, *tau; /* a, v, y: from the row behind the panel's first column on */
  real *column, *product, *seen, *squares, *parts;
  long long lda, ldv, rows, count;
};
enum { PANEL_BLOCKS = 256 }; /* at most */
/* Blocks of threads that the device keeps at once; 0: its blocks cannot wait for each other, or
 * products are asked for of somebody else. */
int device_panel_blocks(void);
int device_panel_tridiagonal(struct panel_tridiagonal); /* 0, or -1: it was not launched */
int device_panel_bidiagonal(struct panel_bidiagonal);
int device_panel_hessenberg(struct panel_hessenberg);
/* to(i, j) = to(j, i) = from(i, j) of the lower triangle */
void device_mirror(real *to, long long ldto, const real *from, long long ldfrom, int n);

#ifdef __cplusplus
}
#endif
#endif
