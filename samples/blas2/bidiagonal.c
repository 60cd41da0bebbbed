/* bidiagonal.c - A = Q B P^T with B of two diagonals: LAPACK's gebrd.
 *
 * Columns and rows take turns: a reflector of column i (v), one of row i (u). Of a panel, A becomes
 * A - V Y^T - X U^T, where Y gets a column A^T v for each v and X one A u for each u: gemv's part,
 * transposed and not. V, Y, X and U begin at the panel's corner of A. A matrix with fewer rows than
 * columns is transposed first: its lower diagonal is the upper one of the other. */
#include <stddef.h>

#include "panel.h"

struct bidiagonal {
  int m, n; /* m >= n */
  real *a;
  int lda;
  real *d, *e, *tauq, *taup;
  real *v, *x; /* m x PANEL */
  real *u, *y; /* n x PANEL */
  real *seen;  /* PANEL */
  real *work;  /* 2, for device_reflect */
  struct scratch scratch;
};

static real *at(const struct bidiagonal *b, int i, int j) { return b->a + i + (long)j * b->lda; }

/* The reflector of column p + i, and Y's column; no row is left of it at the last column. */
static int reduce_column(const struct bidiagonal *b, int p, int i)
{
  int rows = b->m - p, columns = b->n - p, tall = rows - i, right = columns - i - 1, status;
  real *v = b->v + i + (long)i * b->m, *y = b->y + i + 1 + (long)i * b->n;

  device_take(v - i, at(b, p, p + i), 1, rows, i);
  status = panel_subtract(v, tall, b->v + i, b->m, i, b->y + i, b->n);
  status |= panel_subtract(v, tall, b->x + i, b->m, i, b->u + i, b->n);
  status |= device_reflect(at(b, p + i, p + i), v, 0, tall, b->d + p + i, b->tauq + p + i, b->work);
  if (!right) return status;
  status |= blas2_gemv('T', tall, right, 1, at(b, p + i, p + i + 1), b->lda, v, 1, 0, y, 1);
  status |= panel_subtract_seen(y, right, b->y + i + 1, b->n, b->v + i, b->m, tall, i, v, b->seen);
  status |= panel_subtract_seen(y, right, b->u + i + 1, b->n, b->x + i, b->m, tall, i, v, b->seen);
  device_scale_by(y, right, b->tauq + p + i);
  return status;
}

/* The reflector of row p + i, right of its diagonal, and X's column. */
static int reduce_row(const struct bidiagonal *b, int p, int i)
{
  int columns = b->n - p, right = columns - i - 1, under = b->m - p - i - 1, status;
  real *u = b->u + i + 1 + (long)i * b->n, *x = b->x + i + 1 + (long)i * b->m;

  device_take(u - i - 1, at(b, p + i, p), b->lda, columns, i + 1);
  status = panel_subtract(u, right, b->y + i + 1, b->n, i + 1, b->v + i, b->m);
  status |= panel_subtract(u, right, b->u + i + 1, b->n, i, b->x + i, b->m);
  status |=
      device_reflect(at(b, p + i, p + i + 1), u, 0, right, b->e + p + i, b->taup + p + i, b->work);
  if (!under) return status;
  status |= blas2_gemv('N', under, right, 1, at(b, p + i + 1, p + i + 1), b->lda, u, 1, 0, x, 1);
  status |= panel_subtract_seen(x, under, b->v + i + 1, b->m, b->y + i + 1, b->n, right, i + 1, u,
                                b->seen);
  status |=
      panel_subtract_seen(x, under, b->x + i + 1, b->m, b->u + i + 1, b->n, right, i, u, b->seen);
  device_scale_by(x, under, b->taup + p + i);
  return status;
}

static int reduce_panel_in_one(const struct bidiagonal *b, int p, int count)
{
  const struct scratch *s = &b->scratch;

  return device_panel_bidiagonal((struct panel_bidiagonal){.a = at(b, p, p),
                                                           .v = b->v,
                                                           .x = b->x,
                                                           .u = b->u,
                                                           .y = b->y,
                                                           .d = b->d + p,
                                                           .e = b->e + p,
                                                           .tauq = b->tauq + p,
                                                           .taup = b->taup + p,
                                                           .column = s->vectors[0],
                                                           .row_product = s->vectors[1],
                                                           .row = s->vectors[2],
                                                           .column_product = s->vectors[3],
                                                           .seen = s->seen,
                                                           .squares = s->squares,
                                                           .lda = b->lda,
                                                           .ldv = b->m,
                                                           .ldu = b->n,
                                                           .rows = b->m - p,
                                                           .columns = b->n - p,
                                                           .count = count});
}

static void finish_panel(const struct bidiagonal *b, int p, int count)
{
  int next = p + count, rows = b->m - next, columns = b->n - next,
      with_rows = columns ? count : count - 1;

  if (rows && columns) {
    device_subtract_turned(at(b, next, next), b->lda, b->v + count, b->m, b->y + count, b->n, rows,
                           columns, count);
    device_subtract_turned(at(b, next, next), b->lda, b->x + count, b->m, b->u + count, b->n, rows,
                           columns, count);
  }
  device_store(at(b, p, p), b->lda, b->v, b->m, b->m - p, count, 0, 0);
  device_store(at(b, p, p), b->lda, b->u, b->n, b->n - p, with_rows, 1, 1);
}

static int reduce(const struct bidiagonal *b)
{
  int status = 0;

  device_clear(b->taup + b->n - 1, 1);
  for (int p = 0, count; p < b->n; p += count) {
    count = b->n - p < PANEL ? b->n - p : PANEL;
    int in_one = panel_in_one(b->m - p);
    if (in_one) status |= reduce_panel_in_one(b, p, count);
    for (int i = 0; i < count && !in_one; i++) {
      status |= reduce_column(b, p, i);
      if (p + i < b->n - 1) status |= reduce_row(b, p, i);
    }
    finish_panel(b, p, count);
  }
  return status;
}

/* The upper diagonal of a matrix with m >= n. */
static int reduce_upper(struct bidiagonal *b)
{
  struct workspace work;
  double factor;

  if (workspace_begin(&work, 2L * b->m * PANEL + 2L * b->n * PANEL + PANEL + 2 + 4L * b->m +
                                 PANEL_SCRATCH))
    return -1;
  b->v = workspace_take(&work, (long)b->m * PANEL);
  b->x = workspace_take(&work, (long)b->m * PANEL);
  b->u = workspace_take(&work, (long)b->n * PANEL);
  b->y = workspace_take(&work, (long)b->n * PANEL);
  b->seen = workspace_take(&work, PANEL);
  b->work = workspace_take(&work, 2);
  b->scratch = panel_scratch(&work, b->m);
  int status = panel_scale(b->a, b->lda, (struct band){b->m, b->n, b->n, b->m}, b->u, &factor);
  if (!status) {
    status = reduce(b);
    panel_scale_back(b->a, b->lda, (struct band){b->m, b->n, 1, 0}, factor);
    panel_scale_back(b->d, b->n, (struct band){b->n, 1, 0, b->n}, factor);
    if (b->n > 1) panel_scale_back(b->e, b->n - 1, (struct band){b->n - 1, 1, 0, b->n}, factor);
  }
  return status;
}

int blas2_gebrd(int m, int n, real *a, int lda, real *d, real *e, real *tauq, real *taup)
{
  struct bidiagonal b = {
      .m = m, .n = n, .a = a, .lda = lda, .d = d, .e = e, .tauq = tauq, .taup = taup};

  if (m < 0 || n < 0 || lda < (m > 1 ? m : 1)) return m < 0 ? 1 : n < 0 ? 2 : 4;
  if (!m || !n) return 0;
  if (m >= n) return reduce_upper(&b);
  b = (struct bidiagonal){.m = n,
                          .n = m,
                          .a = blas2_alloc((long)m * n),
                          .lda = n,
                          .d = d,
                          .e = e,
                          .tauq = taup,
                          .taup = tauq};
  if (!b.a) return -1;
  device_turn(b.a, n, a, lda, m, n);
  int status = reduce_upper(&b);
  if (status != BLAS2_NOT_FINITE) device_turn(a, lda, b.a, n, n, m);
  blas2_free(b.a);
  return status;
}
