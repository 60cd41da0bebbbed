/* hessenberg.c - A = Q H Q^T with zeros below the first subdiagonal of H: LAPACK's gehrd.
 *
 * Of a panel of columns k, k + 1, ...: the product of its reflectors is Q = I - V T V^T, and with Y
 * = A V T the matrix becomes Q^T A Q = (I - V T^T V^T) (A - Y V^T). Column k + j needs these for
 * the reflectors in front of it only; then its own reflector is found and Y gets a column, for
 * which all of A right of the column is multiplied by a vector: that is gemv's part, the rest is
 * products of matrices at the end of the panel. */
#include <stddef.h>

#include "panel.h"

struct hessenberg {
  int n, low, high; /* columns and rows low ... high - 1 are reduced */
  real *a;
  int lda;
  real *tau;
  real *v;      /* n x PANEL: reflectors, from row k + 1 on */
  real *y;      /* n x PANEL */
  real *turned; /* PANEL x n: V^T; PANEL x n and n x PANEL: products */
  real *left, *right;
  real *t, *t_turned; /* PANEL x PANEL: upper triangle; transposed */
  real *seen, *turn;  /* PANEL each */
  real *scalars;      /* beta, and 2 for device_reflect */
  struct scratch scratch;
};

static real *at(const struct hessenberg *h, int i, int j) { return h->a + i + (long)j * h->lda; }

/* What the panel's first j reflectors do to its column j; the column is in place j of V. */
static int catch_up(const struct hessenberg *h, int k, int j)
{
  int rows = h->high - k - 1, status;
  real *column = h->v + (long)j * h->n;

  if (!j) return 0;
  status = panel_subtract(column, rows, h->y + k + 1, h->n, j, h->v + j - 1, h->n);
  status |= blas2_gemv('T', rows, j, 1, h->v, h->n, column, 1, 0, h->seen, 1);
  status |= blas2_gemv('T', j, j, 1, h->t, PANEL, h->seen, 1, 0, h->turn, 1);
  return status | panel_subtract(column, rows, h->v, h->n, j, h->turn, 1);
}

/* Column j of Y, rows k + 1 on, and of T. */
static int extend(const struct hessenberg *h, int k, int j)
{
  int rows = h->high - k - 1, status;
  real *v = h->v + (long)j * h->n, *y = h->y + k + 1 + (long)j * h->n;

  status = blas2_gemv('N', rows, rows - j, 1, at(h, k + 1, k + 1 + j), h->lda, v + j, 1, 0, y, 1);
  status |=
      panel_subtract_seen(y, rows, h->y + k + 1, h->n, h->v + j, h->n, rows - j, j, v + j, h->seen);
  device_scale_by(y, rows, h->tau + k + j);
  device_append(h->t, PANEL, j, PANEL, h->seen, h->tau + k + j);
  return status;
}

static int reduce_panel(const struct hessenberg *h, int k, int count)
{
  int rows = h->high - k - 1, status = 0;

  for (int j = 0; j < count; j++) {
    real *column = h->v + (long)j * h->n;
    device_take(column, at(h, k + 1, k + j), 1, rows, 0);
    status |= catch_up(h, k, j);
    status |= device_reflect(at(h, k + 1, k + j), column, j, rows, h->scalars, h->tau + k + j,
                             h->scalars + 1);
    status |= extend(h, k, j);
  }
  return status;
}

static int reduce_panel_in_one(const struct hessenberg *h, int k, int count)
{
  const struct scratch *s = &h->scratch;

  return device_panel_hessenberg((struct panel_hessenberg){.a = at(h, k + 1, k),
                                                           .v = h->v,
                                                           .y = h->y + k + 1,
                                                           .t = h->t,
                                                           .tau = h->tau + k,
                                                           .column = s->vectors[0],
                                                           .product = s->vectors[1],
                                                           .seen = s->seen,
                                                           .squares = s->squares,
                                                           .parts = s->parts,
                                                           .lda = h->lda,
                                                           .ldv = h->n,
                                                           .rows = h->high - k - 1,
                                                           .count = count});
}

/* A - Y V^T right of the panel and above it, then (I - V T^T V^T) times that. */
static void update(const struct hessenberg *h, int k, int count)
{
  int n = h->n, rows = h->high - k - 1, next = k + count, rest = n - next;

  device_times(h->right, n, at(h, 0, k + 1), h->lda, h->v, n, k + 1, count, rows);
  device_times(h->y, n, h->right, n, h->t, PANEL, k + 1, count, count);
  device_subtract_turned(at(h, 0, k + 1), h->lda, h->y, n, h->v, n, k + 1, count - 1, count);
  device_subtract_turned(at(h, 0, next), h->lda, h->y, n, h->v + count - 1, n, h->high,
                         h->high - next, count);
  device_turn(h->turned, PANEL, h->v, n, rows, count);
  device_times(h->left, PANEL, h->turned, PANEL, at(h, k + 1, next), h->lda, count, rest, rows);
  device_turn(h->t_turned, PANEL, h->t, PANEL, count, count);
  device_times(h->turned, PANEL, h->t_turned, PANEL, h->left, PANEL, count, rest, count);
  device_subtract_times(at(h, k + 1, next), h->lda, h->v, n, h->turned, PANEL, rows, rest, count);
  device_store(at(h, k + 1, k), h->lda, h->v, n, rows, count, 0, 0);
}

static int reduce(const struct hessenberg *h)
{
  int last = h->high - 1, status = 0; /* columns low ... last - 1 have reflectors */

  device_clear(h->tau, h->n - 1);
  for (int k = h->low, count; k < last && !status; k += count) {
    count = last - k < PANEL ? last - k : PANEL;
    status = panel_in_one(h->high - k - 1) ? reduce_panel_in_one(h, k, count)
                                           : reduce_panel(h, k, count);
    update(h, k, count);
  }
  return status;
}

static int check(int n, int ilo, int ihi, int lda)
{
  if (n < 0) return 1;
  if (ilo < 1 || ilo > (n > 1 ? n : 1)) return 2;
  if (ihi < (ilo < n ? ilo : n) || ihi > n) return 3;
  return lda < (n > 1 ? n : 1) ? 5 : 0;
}

static int reserve(struct hessenberg *h, struct workspace *work)
{
  real **const tall[] = {&h->v, &h->y, &h->turned, &h->left, &h->right};

  if (workspace_begin(work, 5L * h->n * PANEL + 2 * PANEL * PANEL + 2 * PANEL + 3 + 4L * h->n +
                                PANEL_SCRATCH))
    return -1;
  for (int i = 0; i < 5; i++) *tall[i] = workspace_take(work, (long)h->n * PANEL);
  h->t = workspace_take(work, PANEL * PANEL);
  h->t_turned = workspace_take(work, PANEL * PANEL);
  h->seen = workspace_take(work, PANEL);
  h->turn = workspace_take(work, PANEL);
  h->scalars = workspace_take(work, 3);
  h->scratch = panel_scratch(work, h->n);
  return 0;
}

int blas2_gehrd(int n, int ilo, int ihi, real *a, int lda, real *tau)
{
  struct hessenberg h = {.n = n, .low = ilo - 1, .high = ihi, .a = a, .lda = lda, .tau = tau};
  struct workspace work;
  int status = check(n, ilo, ihi, lda);
  double factor;

  if (status || n < 2) return status;
  if (reserve(&h, &work)) return -1;
  status = panel_scale(a, lda, (struct band){n, n, n, n}, h.v, &factor);
  if (!status) {
    status = reduce(&h);
    panel_scale_back(a, lda, (struct band){n, n, n, 1}, factor);
  }
  return status;
}
