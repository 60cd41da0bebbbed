/* tridiagonal.c - A = Q T Q^T of a symmetric matrix, T of three diagonals: LAPACK's sytrd.
 *
 * Of a panel, A becomes A - V W^T - W V^T, where W gets a column for each reflector v, for which A
 * is multiplied by v: symv's part. The lower triangle is reduced from its first column on. The
 * upper one of A is the lower one of A with both orders reversed, where LAPACK's reduction from the
 * last column on is this one. */
#include <stddef.h>

#include "panel.h"

/* Where the columns of a panel are one launch, what is left of the matrix is copied, with both
 * triangles: a product with it is one with its columns, which lie one after another. */

struct tridiagonal {
  int n;
  real *a; /* lower triangle */
  int lda;
  real *d, *e, *tau;
  real *v, *w;   /* n x PANEL, from the panel's corner of A */
  real *seen;    /* PANEL */
  real *work;    /* 2, for device_reflect */
  real *full;    /* copy of what is left, n x n at most; NULL: no launch does columns of a panel */
  int full_from; /* its first column in `a`; n: there is no copy yet */
  struct scratch scratch;
};

static real *at(const struct tridiagonal *t, int i, int j) { return t->a + i + (long)j * t->lda; }

static int reduce_column(const struct tridiagonal *t, int p, int i)
{
  int n = t->n, rows = n - p - i, under = rows - 1, status;
  real *column = t->v + i + (long)i * n, *v = column + 1, *w = t->w + i + 1 + (long)i * n;

  device_take(column - i, at(t, p, p + i), 1, n - p, i);
  status = panel_subtract(column, rows, t->v + i, n, i, t->w + i, n);
  status |= panel_subtract(column, rows, t->w + i, n, i, t->v + i, n);
  if (!under) {
    device_take(at(t, p + i, p + i), column, 1, 1, 0);
    return status;
  }
  status |=
      device_reflect(at(t, p + i, p + i), column, 1, rows, t->e + p + i, t->tau + p + i, t->work);
  status |= blas2_symv('L', under, 1, at(t, p + i + 1, p + i + 1), t->lda, v, 1, 0, w, 1);
  status |= panel_subtract_seen(w, under, t->v + i + 1, n, t->w + i + 1, n, under, i, v, t->seen);
  status |= panel_subtract_seen(w, under, t->w + i + 1, n, t->v + i + 1, n, under, i, v, t->seen);
  device_scale_by(w, under, t->tau + p + i);
  status |= blas2_gemv('T', under, 1, 1, w, under, v, 1, 0, t->seen, 1);
  device_subtract_projection(w, v, under, t->tau + p + i, t->seen);
  return status;
}

static int reduce_panel(const struct tridiagonal *t, int p, int count)
{
  int left = t->n - p, status = 0;

  for (int i = 0; i < count; i++) status |= reduce_column(t, p, i);
  device_subtract_turned_lower(at(t, p + count, p + count), t->lda, t->v + count, t->n,
                               t->w + count, t->n, left - count, count);
  device_subtract_turned_lower(at(t, p + count, p + count), t->lda, t->w + count, t->n,
                               t->v + count, t->n, left - count, count);
  return status;
}

/* The same in one launch, and of both triangles. */
static int reduce_panel_in_one(struct tridiagonal *t, int p, int count)
{
  int left = t->n - p;

  if (t->full_from > p) {
    device_mirror(t->full, left, at(t, p, p), t->lda, left);
    t->full_from = p;
  }
  long long ld = t->n - t->full_from;
  real *corner = t->full + (p - t->full_from) * (ld + 1), *next = corner + count * (ld + 1);
  int status = device_panel_tridiagonal((struct panel_tridiagonal){.full = corner,
                                                                   .a = at(t, p, p),
                                                                   .v = t->v,
                                                                   .w = t->w,
                                                                   .e = t->e + p,
                                                                   .tau = t->tau + p,
                                                                   .column = t->scratch.vectors[0],
                                                                   .product = t->scratch.vectors[1],
                                                                   .seen = t->scratch.seen,
                                                                   .squares = t->scratch.squares,
                                                                   .parts = t->scratch.parts,
                                                                   .ldfull = ld,
                                                                   .lda = t->lda,
                                                                   .ldv = t->n,
                                                                   .rows = left,
                                                                   .count = count});
  device_subtract_turned(next, ld, t->v + count, t->n, t->w + count, t->n, left - count,
                         left - count, count);
  device_subtract_turned(next, ld, t->w + count, t->n, t->v + count, t->n, left - count,
                         left - count, count);
  return status;
}

static int reduce(struct tridiagonal *t)
{
  int status = 0;

  for (int p = 0, count; p < t->n; p += count) {
    int left = t->n - p;
    count = left < PANEL ? left : PANEL;
    status |= t->full && panel_in_one(left) ? reduce_panel_in_one(t, p, count)
                                            : reduce_panel(t, p, count);
    device_store(at(t, p, p), t->lda, t->v, t->n, left, count, 1, 0);
  }
  device_take(t->d, t->a, t->lda + 1L, t->n, 0);
  return status;
}

static int reduce_lower(struct tridiagonal *t)
{
  struct workspace work;
  double factor;

  /* the first panel in one launch has as many rows as it may */
  long most = t->n;
  while (most > 0 && !panel_in_one((int)most)) most -= most > PANEL ? PANEL : most;
  if (workspace_begin(&work,
                      2L * t->n * PANEL + PANEL + 2 + 4L * t->n + PANEL_SCRATCH + most * most))
    return -1;
  t->v = workspace_take(&work, (long)t->n * PANEL);
  t->w = workspace_take(&work, (long)t->n * PANEL);
  t->seen = workspace_take(&work, PANEL);
  t->work = workspace_take(&work, 2);
  t->scratch = panel_scratch(&work, t->n);
  t->full = most ? workspace_take(&work, most * most) : NULL;
  t->full_from = t->n;
  int status = panel_scale(t->a, t->lda, (struct band){t->n, t->n, 0, t->n}, t->v, &factor);
  if (!status) {
    status = reduce(t);
    panel_scale_back(t->a, t->lda, (struct band){t->n, t->n, 0, 1}, factor);
    panel_scale_back(t->d, t->n, (struct band){t->n, 1, 0, t->n}, factor);
    if (t->n > 1) panel_scale_back(t->e, t->n - 1, (struct band){t->n - 1, 1, 0, t->n}, factor);
  }
  return status;
}

/* The upper triangle, as the lower one of a copy with both orders reversed; `lower` is the copy
 * with its vectors. */
static int reduce_upper(const struct tridiagonal *upper, struct tridiagonal *lower)
{
  int n = upper->n, status;

  device_reverse(lower->a, n, upper->a, upper->lda, n, 0);
  status = reduce_lower(lower);
  if (status == BLAS2_NOT_FINITE) return status;
  device_reverse(upper->a, upper->lda, lower->a, n, n, 1);
  device_take(upper->d, lower->d + n - 1, -1, n, 0);
  if (n > 1) {
    device_take(upper->e, lower->e + n - 2, -1, n - 1, 0);
    device_take(upper->tau, lower->tau + n - 2, -1, n - 1, 0);
  }
  return status;
}

int blas2_sytrd(char uplo, int n, real *a, int lda, real *d, real *e, real *tau)
{
  struct tridiagonal t = {.n = n, .a = a, .lda = lda, .d = d, .e = e, .tau = tau};

  if (uplo != 'U' && uplo != 'u' && uplo != 'L' && uplo != 'l') return 1;
  if (n < 0 || lda < (n > 1 ? n : 1)) return n < 0 ? 2 : 4;
  if (!n) return 0;
  if (uplo == 'L' || uplo == 'l') return reduce_lower(&t);
  real *copy = blas2_alloc((long)n * n + 3L * n);
  if (!copy) return -1;
  struct tridiagonal lower = {.n = n,
                              .a = copy,
                              .lda = n,
                              .d = copy + (long)n * n,
                              .e = copy + (long)n * n + n,
                              .tau = copy + (long)n * n + 2L * n};
  int status = reduce_upper(&t, &lower);
  blas2_free(copy);
  return status;
}
