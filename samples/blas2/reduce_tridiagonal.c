/* reduce_tridiagonal.c - checks A = Q T Q^T of symmetric matrices. */
#include <math.h>
#include <stdlib.h>

#include "dense.h"
#include "library.h"
#include "reduction.h"

typedef void sterf_function(const int *, real *, real *, int *);
typedef void syev_function(const char *, const char *, const int *, real *, const int *, real *,
                           real *, const int *, int *, size_t, size_t);

static int untouched(const struct problem *p, int i, int j)
{
  return i >= p->n || j >= p->n || (p->uplo == 'U' ? i > j : i < j);
}

static void shape(uint64_t *random, struct problem *p)
{
  p->uplo = "UL"[next_random(random) % 2];
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++)
      if (untouched(p, i, j)) p->a[i + (long)j * p->lda] = NAN;
}

static int run(const struct problem *p)
{
  return blas2_sytrd(p->uplo, p->n, p->a, p->lda, p->d, p->e, p->tauq);
}

static double *factor_q(const struct problem *p)
{
  double *q = dense_identity(p->n), *v = dense_new(p->n, 1);

  for (long step = 0; step + 1 < p->n; step++) {
    long k = p->uplo == 'U' ? step : p->n - 2 - step;
    for (long i = 0; i < p->n; i++)
      if (p->uplo == 'U')
        v[i] = i > k ? 0 : i == k ? 1 : (double)p->a[i + (k + 1) * p->lda];
      else
        v[i] = i <= k ? 0 : i == k + 1 ? 1 : (double)p->a[i + k * p->lda];
    dense_reflect(q, p->n, p->n, v, (double)p->tauq[k]);
  }
  free(v);
  return q;
}

static double *factor_t(const struct problem *p)
{
  double *t = dense_new(p->n, p->n);

  for (long i = 0; i < p->n; i++) {
    t[i + i * p->n] = (double)p->d[i];
    if (i + 1 < p->n) t[i + 1 + i * p->n] = t[i + (i + 1) * p->n] = (double)p->e[i];
  }
  return t;
}

static double compare_values(const struct problem *p)
{
  int n = p->n, room = 8 * n + 64, failed, status;
  sterf_function *sterf;
  syev_function *syev;
  double worst = 0;

  *(void **)&sterf = library_lapack("sterf_");
  *(void **)&syev = library_lapack("syev_");
  if (!sterf || !syev) return NAN;
  if (!n) return 0;
  real *copy = malloc(((size_t)n * (size_t)n + 3 * (size_t)n + (size_t)room) * sizeof *copy),
       *wanted = copy + (long)n * n, *d = wanted + n, *e = d + n, *work = e + n;
  for (long i = 0; i < (long)n * n; i++) copy[i] = (real)p->before[i];
  for (int i = 0; i < n; i++) {
    d[i] = p->d[i];
    e[i] = i + 1 < n ? p->e[i] : 0;
  }
  syev("N", "L", &n, copy, &n, wanted, work, &room, &failed, 1, 1);
  sterf(&n, d, e, &status);
  for (int i = 0; i < n; i++) {
    double off = fabs((double)wanted[i] - (double)d[i]);
    worst = off <= worst ? worst : off;
  }
  free(copy);
  return failed || status ? INFINITY
         : worst == 0     ? 0
                          : worst / (dense_norm(p->before, n, n) * n * reduction_unit());
}

static struct verdict verify(const struct problem *p)
{
  double *q = factor_q(p), *t = factor_t(p);
  struct verdict ret = {dense_residual(p->before, q, t, NULL, p->n, p->n, reduction_unit()),
                        dense_orthogonality(q, p->n, reduction_unit()), compare_values(p)};

  free(q);
  free(t);
  return ret;
}

static double flops(double m, double n) { return m * n * n * 4 / 3; }

static int by_cusolver(struct cusolver *solver, const struct problem *p)
{
  return cusolver_sytrd(solver, p->n, p->a, p->d, p->e, p->tauq);
}

const struct reduction reduction_tridiagonal = {"tridiagonal", 50,        0,     shape,      run,
                                                verify,        untouched, flops, by_cusolver};
