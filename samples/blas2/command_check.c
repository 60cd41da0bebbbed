/* command_check.c - random products against Debian's reference BLAS and against the definition. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "library.h"
#include "product.h"
#include "words.h"

static void random_shape(uint64_t *random, int largest, struct product *ret)
{
  static const int increments[] = {1, 1, 1, 2, 3, 7, -1, -1, -2, -5}, gaps[] = {0, 0, 1, 3, 32},
                   small[] = {0, 1, 2, 31, 32, 33};
  static const double scales[] = {0, 1, -1, 0.7, 2.5};
  static const char kinds[] = "NTCntcULul";

  *ret = (struct product){.symmetric = next_random(random) % 2 == 0};
  ret->m = next_random(random) % 4 ? (int)(next_random(random) % (uint64_t)largest)
                                   : random_of(random, small, 6);
  ret->n = ret->symmetric            ? ret->m
           : next_random(random) % 4 ? (int)(next_random(random) % (uint64_t)largest)
                                     : random_of(random, small, 6);
  ret->kind = kinds[ret->symmetric ? 6 + next_random(random) % 4 : next_random(random) % 6];
  ret->lda = (ret->m > 1 ? ret->m : 1) + random_of(random, gaps, 5);
  ret->incx = random_of(random, increments, 10);
  ret->incy = random_of(random, increments, 10);
  ret->alpha = (real)scales[next_random(random) % 5];
  ret->beta = (real)scales[next_random(random) % 5];
}

/* ---- the reference ---- */

typedef void gemv_function(const char *, const int *, const int *, const real *, const real *,
                           const int *, const real *, const int *, const real *, real *,
                           const int *);
typedef void symv_function(const char *, const int *, const real *, const real *, const int *,
                           const real *, const int *, const real *, real *, const int *);

struct reference { /* NULL: there is none */
  gemv_function *gemv;
  symv_function *symv;
};

static struct reference find_reference(void)
{
  struct reference ret = {NULL, NULL};

  *(void **)&ret.gemv = library_blas("gemv_");
  *(void **)&ret.symv = library_blas("symv_");
  return ret.gemv && ret.symv ? ret : (struct reference){NULL, NULL};
}

static double element(const struct product *product, long output, long term)
{
  long i = product_is_rows(product) ? output : term, j = product_is_rows(product) ? term : output;
  int upper = product->kind == 'U' || product->kind == 'u';

  if (product->symmetric && (upper ? i > j : i < j)) {
    long swap = i;
    i = j, j = swap;
  }
  return (double)product->a[j * product->lda + i];
}

static long place(long index, int count, int increment)
{
  return increment < 0 ? (index - count + 1) * increment : index * increment;
}

/* The largest error in units of the bound: (terms + 4) roundings of the sum of all terms' sizes.
 * The result is in y, the reference's in `wanted`. */
static double error_of(const struct product *product)
{
  const double unit = sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
  double worst = 0;
  long walked = 0;

  for (long o = 0; o < product->outputs; o++, walked++) {
    long at = place(o, product->outputs, product->incy);
    double size =
        product->beta == 0 ? 0 : fabs((double)product->beta * (double)product->before[at]);
    for (long t = 0; product->alpha != 0 && t < product->terms; t++)
      size += fabs((double)product->alpha * element(product, o, t) *
                   (double)product->x[place(t, product->terms, product->incx)]);
    double difference = fabs((double)product->y[at] - (double)product->wanted[at]);
    double error = difference == 0 ? 0 : difference / (unit * (product->terms + 4) * size);
    worst = error <= worst ? worst : error;
  }
  for (long i = 0; i < product->y_size; i++) /* what lies between must be as it was */
    if (i % abs(product->incy) && memcmp(&product->y[i], &product->before[i], sizeof(real)))
      return INFINITY;
  return worst;
}

/* By the definition, in double precision. */
static void compute_wanted(const struct product *product)
{
  for (long o = 0; product->m && product->n && o < product->outputs; o++) {
    long at = place(o, product->outputs, product->incy);
    double sum = 0;
    for (long t = 0; product->alpha != 0 && t < product->terms; t++)
      sum += element(product, o, t) * (double)product->x[place(t, product->terms, product->incx)];
    double rest = product->beta == 0 ? 0 : (double)product->beta * (double)product->before[at];
    product->wanted[at] = (real)((double)product->alpha * sum + rest);
  }
}

static void call_reference(const struct reference *reference, struct product *product)
{
  if (product->symmetric)
    reference->symv(&product->kind, &product->n, &product->alpha, product->a, &product->lda,
                    product->x, &product->incx, &product->beta, product->wanted, &product->incy);
  else
    reference->gemv(&product->kind, &product->m, &product->n, &product->alpha, product->a,
                    &product->lda, product->x, &product->incx, &product->beta, product->wanted,
                    &product->incy);
}

static int check_arguments(void)
{
  real one[4] = {1, 1, 1, 1};
  const int got[] = {
      blas2_gemv('X', 1, 1, 1, one, 1, one, 1, 1, one, 1),
      blas2_gemv('N', -1, 1, 1, one, 1, one, 1, 1, one, 1),
      blas2_gemv('N', 1, -1, 1, one, 1, one, 1, 1, one, 1),
      blas2_gemv('N', 2, 1, 1, one, 1, one, 1, 1, one, 1),
      blas2_gemv('T', 0, 0, 1, one, 0, one, 1, 1, one, 1),
      blas2_gemv('N', 1, 1, 1, one, 1, one, 0, 1, one, 1),
      blas2_gemv('N', 1, 1, 1, one, 1, one, 1, 1, one, 0),
      blas2_symv('N', 1, 1, one, 1, one, 1, 1, one, 1),
      blas2_symv('U', -1, 1, one, 1, one, 1, 1, one, 1),
      blas2_symv('L', 2, 1, one, 1, one, 1, 1, one, 1),
      blas2_symv('L', 1, 1, one, 1, one, 0, 1, one, 1),
      blas2_symv('L', 1, 1, one, 1, one, 1, 1, one, 0),
  };
  static const int wanted[] = {1, 2, 3, 6, 6, 8, 11, 1, 2, 5, 7, 10};
  int failed = 0;

  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (got[i] != wanted[i]) {
      printf("argument %d is not allowed, got %d\n", wanted[i], got[i]);
      failed++;
    }
  return failed;
}

int command_check(int argc, char **argv)
{
  static const char *const known[] = {
      "--random", "--seed", "--largest", "--edges=whole|apart", "--symv=rule|once|twice|atomic",
      NULL};

  words_read(argc, argv, known);
  long count = words_number("--random", 300), largest = words_number("--largest", 300);
  uint64_t random = random_seed(words_number("--seed", 1));
  struct reference reference = find_reference();
  int failed;

  failed = check_arguments();
  if (!reference.gemv) printf("libblas is not installed: by the definition only\n");
  for (long i = 0; i < count; i++) {
    struct product product;
    random_shape(&random, (int)largest, &product);
    if (words_value("--edges", NULL))
      words_edges();
    else
      blas2_set_edges(i % 2 ? BLAS2_APART : BLAS2_WHOLE);
    if (words_value("--symv", NULL))
      words_symv();
    else
      blas2_set_symv((enum blas2_symv_way)(i / 2 % BLAS2_SYMV_WAY_COUNT));
    blas2_set_gemv(i % 3 == 2 ? BLAS2_GEMV_PAPER : BLAS2_GEMV_OWN, NULL);
    int status = product_fill(&random, &product) ? -1 : product_run(&product);
    blas2_wait();
    if (!status && reference.gemv) call_reference(&reference, &product);
    double error = status ? INFINITY : reference.gemv ? error_of(&product) : 0;
    if (!status) {
      compute_wanted(&product);
      double other = error_of(&product);
      error = other <= error ? error : other;
    }
    if (!(error <= 1)) {
      printf("%s %c, %d x %d, lda %d, incx %d, incy %d, alpha %g, beta %g: status %d, error %g of "
             "the bound\n",
             product.symmetric ? "symv" : "gemv", product.kind, product.m, product.n, product.lda,
             product.incx, product.incy, (double)product.alpha, (double)product.beta, status,
             error);
      failed++;
    }
    product_release(&product);
  }
  blas2_set_edges(BLAS2_WHOLE);
  blas2_set_symv(BLAS2_SYMV_BY_RULE);
  blas2_set_gemv(BLAS2_GEMV_OWN, NULL);
  printf(failed ? "check: FAILED\n" : "check: ok\n");
  return failed ? 2 : 0;
}
