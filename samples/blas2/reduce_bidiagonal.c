/* reduce_bidiagonal.c - checks A = Q B P^T. */
#include <math.h>
#include <stdlib.h>

#include "dense.h"
#include "library.h"
#include "reduction.h"

typedef void bdsqr_function(const char *, const int *, const int *, const int *, const int *,
                            real *, real *, real *, const int *, real *, const int *, real *,
                            const int *, real *, int *, size_t);
typedef void gesvd_function(const char *, const char *, const int *, const int *, real *,
                            const int *, real *, real *, const int *, real *, const int *, real *,
                            const int *, int *, size_t, size_t);

static void shape(uint64_t *random, struct problem *p)
{
  (void)random;
  (void)p;
}

static int run(const struct problem *p)
{
  return blas2_gebrd(p->m, p->n, p->a, p->lda, p->d, p->e, p->tauq, p->taup);
}

/* The product of the reflectors that begin `below` under (Q) or right of (P) the diagonal. */
static double *factor(const struct problem *p, int of_rows, int below)
{
  int size = of_rows ? p->n : p->m, least = p->m < p->n ? p->m : p->n,
      count = least - (below && size == least);
  double *q = dense_identity(size), *v = dense_new(size, 1);

  for (long k = count - 1; k >= 0; k--) {
    for (long i = 0; i < size; i++)
      v[i] = i < k + below    ? 0
             : i == k + below ? 1
                              : (double)(of_rows ? p->a[k + i * p->lda] : p->a[i + k * p->lda]);
    dense_reflect(q, size, size, v, (double)(of_rows ? p->taup[k] : p->tauq[k]));
  }
  free(v);
  return q;
}

static double *factor_b(const struct problem *p)
{
  int least = p->m < p->n ? p->m : p->n;
  double *b = dense_new(p->m, p->n);

  for (long i = 0; i < least; i++) {
    b[i + i * p->m] = (double)p->d[i];
    if (i + 1 < least) b[p->m >= p->n ? i + (i + 1) * p->m : i + 1 + i * p->m] = (double)p->e[i];
  }
  return b;
}

static int singular_values(gesvd_function *gesvd, const struct problem *p, real *ret)
{
  int one = 1, m = p->m, n = p->n, room = 8 * (m + n) + 64, status;
  real *copy = malloc((size_t)m * (size_t)n * sizeof *copy),
       *work = malloc((size_t)room * sizeof *work), none;

  for (long i = 0; i < (long)m * n; i++) copy[i] = (real)p->before[i];
  gesvd("N", "N", &m, &n, copy, &m, ret, &none, &one, &none, &one, work, &room, &status, 1, 1);
  free(copy);
  free(work);
  return status;
}

static double compare_values(const struct problem *p)
{
  int least = p->m < p->n ? p->m : p->n, none = 0, one = 1, status;
  bdsqr_function *bdsqr;
  gesvd_function *gesvd;
  real dummy;
  double worst = 0;

  *(void **)&bdsqr = library_lapack("bdsqr_");
  *(void **)&gesvd = library_lapack("gesvd_");
  if (!bdsqr || !gesvd) return NAN;
  if (!least) return 0;
  real *wanted = malloc(7 * (size_t)least * sizeof *wanted), *d = wanted + least, *e = d + least,
       *work = e + least;
  for (int i = 0; i < least; i++) {
    d[i] = p->d[i];
    e[i] = i + 1 < least ? p->e[i] : 0;
  }
  int failed = singular_values(gesvd, p, wanted);
  bdsqr(p->m >= p->n ? "U" : "L", &least, &none, &none, &none, d, e, &dummy, &one, &dummy, &one,
        &dummy, &one, work, &status, 1);
  for (int i = 0; i < least; i++) {
    double off = fabs((double)wanted[i] - (double)d[i]);
    worst = off <= worst ? worst : off;
  }
  free(wanted);
  double norm = dense_norm(p->before, p->m, p->n);
  return failed || status ? INFINITY
         : worst == 0     ? 0
                          : worst / (norm * (p->m > p->n ? p->m : p->n) * reduction_unit());
}

static struct verdict verify(const struct problem *p)
{
  double *q = factor(p, 0, p->m < p->n), *t = factor(p, 1, p->m >= p->n), *b = factor_b(p),
         unit = reduction_unit();
  double left = dense_orthogonality(q, p->m, unit), right = dense_orthogonality(t, p->n, unit);
  struct verdict ret = {dense_residual(p->before, q, b, t, p->m, p->n, unit),
                        left > right ? left : right, compare_values(p)};

  free(q);
  free(t);
  free(b);
  return ret;
}

static int untouched(const struct problem *p, int i, int j) { return i >= p->m || j >= p->n; }

static double flops(double m, double n)
{
  return m >= n ? 4 * n * n * (m - n / 3) : 4 * m * m * (n - m / 3);
}

static int by_cusolver(struct cusolver *solver, const struct problem *p)
{
  return cusolver_gebrd(solver, p->n, p->a, p->d, p->e, p->tauq, p->taup);
}

const struct reduction reduction_bidiagonal = {"bidiagonal", 50,        1,     shape,      run,
                                               verify,       untouched, flops, by_cusolver};
