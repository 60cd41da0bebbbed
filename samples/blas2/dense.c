/* dense.c - small dense algebra on the host in double precision. */
#include "dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double *dense_new(int m, int n)
{
  double *ret = calloc((size_t)m * (size_t)n + 1, sizeof *ret);

  if (!ret) {
    fprintf(stderr, "blas2: no memory for a matrix of %d x %d on the host\n", m, n);
    exit(2);
  }
  return ret;
}

double *dense_identity(int n)
{
  double *ret = dense_new(n, n);

  for (long i = 0; i < n; i++) ret[i + i * n] = 1;
  return ret;
}

void dense_reflect(double *q, int m, int n, const double *v, double tau)
{
  for (long j = 0; j < n; j++) {
    double *column = q + j * m, sum = 0;
    for (int i = 0; i < m; i++) sum += v[i] * column[i];
    sum *= tau;
    for (int i = 0; i < m; i++) column[i] -= sum * v[i];
  }
}

/* c (m x n) += factor a b, sums of k terms; turned: b is n x k */
static void add_product(double *c, double factor, const double *a, const double *b, int turned,
                        int m, int n, int k)
{
  for (long j = 0; j < n; j++)
    for (long l = 0; l < k; l++) {
      double by = factor * (turned ? b[j + l * n] : b[l + j * k]);
      for (long i = 0; by != 0 && i < m; i++) c[i + j * m] += by * a[i + l * m];
    }
}

double dense_norm(const double *a, int m, int n)
{
  double most = 0;

  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long i = 0; i < m; i++) sum += fabs(a[i + j * m]);
    most = sum <= most ? most : sum;
  }
  return most;
}

double dense_residual(const double *a, const double *q, const double *b, const double *p, int m,
                      int n, double unit)
{
  double *half = dense_new(m, n), *rest = dense_new(m, n), norm = dense_norm(a, m, n);

  add_product(half, 1, q, b, 0, m, n, m);
  for (long i = 0; i < (long)m * n; i++) rest[i] = a[i];
  add_product(rest, -1, half, p ? p : q, 1, m, n, n);
  double left = dense_norm(rest, m, n);
  free(half);
  free(rest);
  return left == 0 ? 0 : left / (norm * (m > n ? m : n) * unit);
}

double dense_orthogonality(const double *q, int n, double unit)
{
  double *rest = dense_identity(n);

  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++) {
      double sum = 0;
      for (long l = 0; l < n; l++) sum += q[l + i * n] * q[l + j * n];
      rest[i + j * n] -= sum;
    }
  double left = dense_norm(rest, n, n);
  free(rest);
  return n ? left / (n * unit) : 0;
}
