/* reduce_hessenberg.c - checks A = Q H Q^T. */
#include <math.h>
#include <stdlib.h>

#include "dense.h"
#include "library.h"
#include "reduction.h"

typedef void hseqr_function(const char *, const char *, const int *, const int *, const int *,
                            real *, const int *, real *, real *, real *, const int *, real *,
                            const int *, int *, size_t, size_t);
typedef void geevx_function(const char *, const char *, const char *, const char *, const int *,
                            real *, const int *, real *, real *, real *, const int *, real *,
                            const int *, int *, int *, real *, real *, real *, real *, real *,
                            const int *, int *, int *, size_t, size_t, size_t, size_t);

static void shape(uint64_t *random, struct problem *p)
{
  p->low = 1;
  p->high = p->n;
  if (p->n > 2 && next_random(random) % 3 == 0) {
    p->low = 1 + (int)(next_random(random) % (uint64_t)p->n);
    p->high = p->low + (int)(next_random(random) % (uint64_t)(p->n - p->low + 1));
  }
  for (long j = 0; j < p->n; j++) /* what lies outside is triangular already */
    for (long i = j + 1; i < p->n; i++)
      if (j < p->low - 1 || i > p->high - 1) p->a[i + j * p->lda] = 0;
}

static int run(const struct problem *p)
{
  return blas2_gehrd(p->n, p->low, p->high, p->a, p->lda, p->tauq);
}

static double *factor_q(const struct problem *p)
{
  double *q = dense_identity(p->n), *v = dense_new(p->n, 1);

  for (long k = p->high - 2; k >= p->low - 1; k--) {
    for (long i = 0; i < p->n; i++)
      v[i] = i <= k || i >= p->high ? 0 : i == k + 1 ? 1 : (double)p->a[i + k * p->lda];
    dense_reflect(q, p->n, p->n, v, (double)p->tauq[k]);
  }
  free(v);
  return q;
}

static double *factor_h(const struct problem *p)
{
  double *h = dense_new(p->n, p->n);

  for (long j = 0; j < p->n; j++)
    for (long i = 0; i < p->n && i <= j + 1; i++) h[i + j * p->n] = (double)p->a[i + j * p->lda];
  return h;
}

/* ---- eigenvalues ---- */

/* of the matrix times 2^exponent */
struct values {
  real *re, *im, *condition;
  int count, exponent;
};

/* Times 2^exponent: LAPACK's iteration for a Hessenberg matrix expects numbers of middle size. */
static real *rounded(const double *from, long count, int exponent)
{
  real *ret = malloc(((size_t)count + 1) * sizeof *ret);

  for (long i = 0; ret && i < count; i++) ret[i] = (real)ldexp(from[i], exponent);
  return ret;
}

static int values_of_h(hseqr_function *hseqr, const struct problem *p, const double *h,
                       struct values *ret)
{
  int one = 1, n = p->n, room = 11 * n + 64, status;
  real *copy = rounded(h, (long)n * n, ret->exponent), *work = malloc((size_t)room * sizeof *work),
       none;

  hseqr("E", "N", &n, &one, &n, copy, &n, ret->re, ret->im, &none, &one, work, &room, &status, 1,
        1);
  free(copy);
  free(work);
  return status;
}

static int values_of_a(geevx_function *geevx, const struct problem *p, struct values *ret)
{
  int n = p->n, room = n * (n + 6) + 64, low, high, status,
      *numbers = malloc((2 * (size_t)n + 2) * sizeof *numbers);
  real *copy = rounded(p->before, (long)n * n, ret->exponent),
       *left = malloc(((size_t)n * (size_t)n + 1) * sizeof(real)),
       *right = malloc(((size_t)n * (size_t)n + 1) * sizeof(real)),
       *work = malloc((size_t)room * sizeof(real)), *more = malloc(2 * (size_t)n * sizeof(real)),
       norm;

  geevx("N", "V", "V", "E", &n, copy, &n, ret->re, ret->im, left, &n, right, &n, &low, &high, more,
        &norm, ret->condition, more + n, work, &room, numbers, &status, 1, 1, 1, 1);
  free(numbers);
  free(copy);
  free(left);
  free(right);
  free(work);
  free(more);
  return status;
}

/* Each eigenvalue of A against the nearest of H that is not taken yet. */
static double difference(const struct values *wanted, const struct values *got)
{
  char *taken = calloc((size_t)wanted->count + 1, 1);
  double worst = 0;

  for (int i = 0; i < wanted->count; i++) {
    double nearest = INFINITY;
    int best = 0;
    for (int j = 0; j < got->count; j++) {
      double distance =
          hypot((double)(wanted->re[i] - got->re[j]), (double)(wanted->im[i] - got->im[j]));
      if (!taken[j] && distance < nearest) {
        nearest = distance;
        best = j;
      }
    }
    taken[best] = 1;
    nearest *= (double)wanted->condition[i];
    worst = nearest <= worst ? worst : nearest;
  }
  free(taken);
  return worst;
}

static double compare_values(const struct problem *p, const double *h)
{
  hseqr_function *hseqr;
  geevx_function *geevx;
  struct values wanted, got;

  *(void **)&hseqr = library_lapack("hseqr_");
  *(void **)&geevx = library_lapack("geevx_");
  if (!hseqr || !geevx) return NAN;
  if (!p->n) return 0;
  real *room = calloc(5 * (size_t)p->n, sizeof *room);
  double norm = dense_norm(p->before, p->n, p->n);
  int exponent = 0;
  frexp(norm, &exponent);
  wanted = (struct values){room, room + p->n, room + 2 * p->n, p->n, -exponent};
  got = (struct values){room + 3 * p->n, room + 4 * p->n, NULL, p->n, -exponent};
  int failed = values_of_a(geevx, p, &wanted) || values_of_h(hseqr, p, h, &got);
  double off = ldexp(difference(&wanted, &got), exponent);
  free(room);
  return failed ? INFINITY : off == 0 ? 0 : off / (norm * p->n * reduction_unit());
}

static struct verdict verify(const struct problem *p)
{
  double *q = factor_q(p), *h = factor_h(p);
  struct verdict ret = {dense_residual(p->before, q, h, NULL, p->n, p->n, reduction_unit()),
                        dense_orthogonality(q, p->n, reduction_unit()), compare_values(p, h)};

  free(q);
  free(h);
  return ret;
}

static int untouched(const struct problem *p, int i, int j) { return i >= p->n || j >= p->n; }

static double flops(double m, double n) { return m * n * n * 10 / 3; }

const struct reduction reduction_hessenberg = {"hessenberg", 20,        0,     shape, run,
                                               verify,       untouched, flops, NULL};
