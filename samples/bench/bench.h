/* bench.h - what the benchmark programs share on the host: numbers to begin with, and the
 * comparison with the host's result.
 *
 * The numbers are small integers. Sums of their products are exact in float, in any order of
 * addition.
 */
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef REPEAT
#define REPEAT 1 /* times that the work is done, for timing */
#endif

/* From 0 to 65535, by index and seed only. */
static inline unsigned number_at(long i, unsigned seed)
{
  unsigned h = ((unsigned)i + seed * 0x9e3779b9u) * 0x85ebca6bu;

  h = (h ^ h >> 15) * 0xc2b2ae35u;
  return h >> 16;
}

static inline int digit_at(long i, unsigned seed) { return (int)(number_at(i, seed) & 15) - 8; }

/* Integers from -8 to 7. */
template <class T> static void fill(T *a, long n, unsigned seed)
{
  for (long i = 0; i < n; i++) a[i] = (T)digit_at(i, seed);
}

/* Multiples of 1/65536 from low up to low + width. */
static inline void fill_range(float *a, long n, unsigned seed, float low, float width)
{
  for (long i = 0; i < n; i++) a[i] = low + width * ((float)number_at(i, seed) * (1.0f / 65536));
}

static struct {
  long element;
  double have, want;
} first_wrong = {-1, 0, 0};

static inline void expect_near(long element, double have, double want, double tolerance)
{
  if (first_wrong.element >= 0 || fabs(have - want) <= tolerance) return;
  first_wrong.element = element;
  first_wrong.have = have;
  first_wrong.want = want;
}

/* Distance of the elements that are checked where checking all of n takes too long: odd, so that it
 * meets every column. */
static inline long check_stride(long n) { return n <= 200000 ? 1 : n / 100000 | 1; }

static inline int check_done(void)
{
  if (first_wrong.element >= 0) {
    printf("check: FAILED at %ld: %.9g, expected %.9g\n", first_wrong.element, first_wrong.have,
           first_wrong.want);
    return 1;
  }
  printf("check: ok\n");
  return 0;
}

/* A matrix as the check sees it: element (i, j) is at data[i * row + j * column], so a transposed
 * one swaps the two. */
template <class T> struct matrix_view {
  const T *data;
  long row, column;
};

/* y = m x for `rows` rows and `columns` columns, in the order in which the matrix lies in memory.
 */
template <class T>
static void multiply(matrix_view<T> m, const double *x, double *y, long rows, long columns)
{
  for (long i = 0; i < rows; i++) y[i] = 0;
  if (m.column == 1) {
    for (long i = 0; i < rows; i++) {
      double sum = 0;
      for (long j = 0; j < columns; j++) sum += (double)m.data[i * m.row + j] * x[j];
      y[i] = sum;
    }
    return;
  }
  for (long j = 0; j < columns; j++)
    for (long i = 0; i < rows; i++) y[i] += (double)m.data[i * m.row + j * m.column] * x[j];
}

/* c = a b (m x n, over k)? Freivalds' check: c x = a (b x) for a random x, exact in double since
 * all elements are integers. */
template <class T>
static void expect_product(const T *c, matrix_view<T> a, matrix_view<T> b, long m, long n, long k)
{
  double *x = new double[n], *bx = new double[k], *want = new double[m], *have = new double[m];

  for (long j = 0; j < n; j++) x[j] = 1 + (double)number_at(j, 77);
  multiply(b, x, bx, k, n);
  multiply(a, bx, want, m, k);
  multiply(matrix_view<T>{c, n, 1}, x, have, m, n);
  for (long i = 0; i < m; i++) expect_near(i, have[i], want[i], 0);
  delete[] x;
  delete[] bx;
  delete[] want;
  delete[] have;
}
