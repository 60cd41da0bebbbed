/* blas2.h - matrix-vector products on the device with the semantics of BLAS: column-major matrices,
 * any leading dimension and increments, negative increments from the end, beta 0 overwrites y
 * whatever it holds.
 *
 * Arrays are virtual shared memory (mesi_malloc); host code uses them as ordinary memory. A
 * function returns 0, or the number of the first argument that is not allowed, as BLAS's xerbla
 * counts them from 1; nothing is done then. -1: no memory. */
#ifndef BLAS2_H
#define BLAS2_H

#ifndef REAL
#define REAL float
#endif

/* From so many bytes of the full matrix on symv loads its triangle once, see blas2_set_symv. */
#ifndef BLAS2_ONCE_BYTES
#define BLAS2_ONCE_BYTES 50331648
#endif

/* Up to so many rows the columns of a panel are one launch, see blas2_set_panels. */
#ifndef BLAS2_PANEL_ROWS
#define BLAS2_PANEL_ROWS 4096
#endif

typedef REAL real;

#ifdef __cplusplus
extern "C" {
#endif

/* y = alpha A x + beta y (trans 'N'), y = alpha A^T x + beta y ('T', 'C'); A has m rows and n
 * columns. */
int blas2_gemv(char trans, int m, int n, real alpha, const real *a, int lda, const real *x,
               int incx, real beta, real *y, int incy);
/* y = alpha A x + beta y, A symmetric with n rows, of which only the upper ('U') or lower ('L')
 * triangle is read. */
int blas2_symv(char uplo, int n, real alpha, const real *a, int lda, const real *x, int incx,
               real beta, real *y, int incy);

/* Reductions as LAPACK's: what they leave in `a`, and numbers of arguments, are those of gehrd,
 * gebrd and sytrd; all vectors are of blas2_alloc. Numbers that are not finite: BLAS2_NOT_FINITE,
 * and nothing is changed. */
enum { BLAS2_NOT_FINITE = -2 };
/* A = Q H Q^T, H zero below its first subdiagonal; columns and rows ilo to ihi (from 1) are
 * reduced. tau: n - 1 numbers. */
int blas2_gehrd(int n, int ilo, int ihi, real *a, int lda, real *tau);
/* A = Q B P^T, B of two diagonals, d (min(m, n) numbers) and e (one less): above it where m >= n,
 * else below. tauq, taup: min(m, n). */
int blas2_gebrd(int m, int n, real *a, int lda, real *d, real *e, real *tauq, real *taup);
/* A = Q T Q^T of a symmetric matrix, d (n numbers) and e (n - 1) its diagonals. tau: n - 1 numbers.
 * Only the triangle is used. */
int blas2_sytrd(char uplo, int n, real *a, int lda, real *d, real *e, real *tau);

/* Sides that are no multiples of 128: the whole product in one kernel, or a main part of such
 * multiples with the edges at the same time in a second stream, which has not been the faster one
 * for any shape that was measured. */
enum blas2_edges { BLAS2_WHOLE, BLAS2_APART };
void blas2_set_edges(enum blas2_edges);

/* symv loads each element of the triangle once for both of its sums and adds parts of sums up in a
 * second kernel, or twice in one kernel. By rule: once from BLAS2_ONCE_BYTES on, about what an
 * H200's cache of 50 MB keeps. Atomic: once, with atomic additions to y, only where it is asked
 * for. */
enum blas2_symv_way {
  BLAS2_SYMV_BY_RULE,
  BLAS2_SYMV_ONCE,
  BLAS2_SYMV_TWICE,
  BLAS2_SYMV_ATOMIC,
  BLAS2_SYMV_WAY_COUNT
};
void blas2_set_symv(enum blas2_symv_way);

/* The columns of a reduction's panel in one launch, whose blocks of threads wait for each other, or
 * by launches of products and vector operations. By rule: in one launch on a GPU that has these,
 * where at most BLAS2_PANEL_ROWS rows are left. */
enum blas2_panels {
  BLAS2_PANELS_BY_RULE,
  BLAS2_PANELS_IN_ONE,
  BLAS2_PANELS_BY_LAUNCHES,
  BLAS2_PANELS_COUNT
};
void blas2_set_panels(enum blas2_panels);

/* Whose gemv is called, by the reductions, too: the plain kernels, the paper's by hand, or a
 * library's. */
enum blas2_gemv_way { BLAS2_GEMV_OWN, BLAS2_GEMV_PAPER, BLAS2_GEMV_LIBRARY, BLAS2_GEMV_WAY_COUNT };
struct cublas;
void blas2_set_gemv(enum blas2_gemv_way, const struct cublas *); /* NULL unless a library's */

real *blas2_alloc(long count);
void blas2_free(real *); /* NULL: nothing */
void blas2_wait(void);
/* Milliseconds of one call of `body`, the device's work only: the median of `repeats` after one
 * that does not count; NaN: no device or no memory. */
double blas2_time(void (*body)(void *), void *context, int repeats);
const char *blas2_device(void);
int blas2_on_gpu(void); /* else on the CPU backend */
/* For libraries that know nothing of virtual shared memory: where the device has it, up to date;
 * where it is about to be written. */
const real *blas2_device_address(const real *memory);
real *blas2_device_result(real *memory);
/* bytes a second between the device and its memory as its clock and bus have it; 0: unknown */
double blas2_peak_bytes(void);
/* all of m x n numbers between -1 and 1 without gaps; (i, j) is (j, i) */
void blas2_fill_symmetric(real *a, int m, int n);

int blas2_command(int argc, char **argv); /* the program: verbs.c */

#ifdef __cplusplus
}
#endif
#endif
