/* blas2.h - matrix-vector products on the device with the semantics of BLAS: column-major matrices, any leading dimension and
 * increments, negative increments from the end, beta 0 overwrites y whatever it holds.
 *
 * Arrays are virtual shared memory (mesi_malloc); host code uses them as ordinary memory. A function returns 0, or the number of
 * the first argument that is not allowed, as BLAS's xerbla counts them from 1; nothing is done then. -1: no memory. */
#ifndef BLAS2_H
#define BLAS2_H

#ifndef REAL
#define REAL float
#endif

/* From so many bytes of the matrix on the edges of a transposed product are apart, see blas2_set_edges. */
#ifndef BLAS2_APART_BYTES
#define BLAS2_APART_BYTES 67108864
#endif

typedef REAL real;

#ifdef __cplusplus
extern "C" {
#endif

/* y = alpha A x + beta y (trans 'N'), y = alpha A^T x + beta y ('T', 'C'); A has m rows and n columns. */
int blas2_gemv(char trans, int m, int n, real alpha, const real *a, int lda, const real *x, int incx, real beta, real *y, int incy);
/* y = alpha A x + beta y, A symmetric with n rows, of which only the upper ('U') or lower ('L') triangle is read. */
int blas2_symv(char uplo, int n, real alpha, const real *a, int lda, const real *x, int incx, real beta, real *y, int incy);

/* Sides that are no multiples of 64: the whole product in one kernel, or a main part of such multiples with the edges at the same time
 * in a second stream. By rule: apart where sums run down columns ('T') that begin at multiples of 16 bytes (lda) but do not end at one (m),
 * so that only the main part is loaded 16 bytes at once, and the matrix has BLAS2_APART_BYTES. */
enum blas2_edges { BLAS2_BY_RULE, BLAS2_WHOLE, BLAS2_APART };
void blas2_set_edges(enum blas2_edges);

real *blas2_alloc(long count);
void blas2_free(real *);
void blas2_wait(void);
/* Milliseconds of one call of `body`, kernels only: the median of `repeats` after one that does not count. */
double blas2_time(void (*body)(void *), void *context, int repeats);
const char *blas2_device(void);

int blas2_command(int argc, char **argv); /* the program: verbs.c */

#ifdef __cplusplus
}
#endif
#endif
