/* verbs.c - blas2: matrix-vector products.
 *
 *     blas2 check [--random N] [--seed S] [--largest N]   random shapes, strides and increments against Debian's reference BLAS
 *     blas2 bench [--largest N] [--repeats N]             bytes of the matrix a second over n
 */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas2.h"

static const char usage[] = "blas2 check [--random N] [--seed S] [--largest N]\nblas2 bench [--largest N] [--repeats N]\n";

static long number_of(int argc, char **argv, const char *name, long other)
{
  for (int i = 2; i + 1 < argc; i += 2)
    if (!strcmp(argv[i], name))
      return strtol(argv[i + 1], NULL, 10);
  return other;
}

static int known_words(int argc, char **argv, const char *const *known)
{
  for (int i = 2; i < argc; i += 2) {
    const char *const *word = known;
    while (*word && strcmp(*word, argv[i]))
      word++;
    char *end = i + 1 < argc ? argv[i + 1] : NULL;
    long value = end ? strtol(argv[i + 1], &end, 10) : 0;
    if (!*word || !end || *end || end == argv[i + 1] || value < 1) {
      fprintf(stderr, "blas2: '%s' is not understood\n%s", argv[i], usage);
      return 0;
    }
  }
  return 1;
}

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 16;
}

static real random_value(uint64_t *state)
{
  return (real)((double)(next_random(state) % 20001) / 10000 - 1);
}

/* ---- one product ---- */

struct product {
  int symmetric, m, n, lda, incx, incy; /* symmetric: n is m */
  char kind;                            /* trans or uplo */
  real alpha, beta;
  int terms, outputs;
  long size, x_size, y_size;            /* numbers */
  real *a, *x, *y;                      /* owned, on the device */
  real *before, *wanted;                /* y before, and by the reference; owned */
};

static int pick(uint64_t *random, const int *values, int count)
{
  return values[next_random(random) % (uint64_t)count];
}

static void random_shape(uint64_t *random, int largest, struct product *ret)
{
  static const int increments[] = { 1, 1, 1, 2, 3, 7, -1, -1, -2, -5 }, gaps[] = { 0, 0, 1, 3, 32 }, small[] = { 0, 1, 2, 31, 32, 33 };
  static const double scales[] = { 0, 1, -1, 0.7, 2.5 };
  static const char kinds[] = "NTCntcULul";

  *ret = (struct product){ .symmetric = next_random(random) % 2 == 0 };
  ret->m = next_random(random) % 4 ? (int)(next_random(random) % (uint64_t)largest) : pick(random, small, 6);
  ret->n = ret->symmetric ? ret->m : next_random(random) % 4 ? (int)(next_random(random) % (uint64_t)largest) : pick(random, small, 6);
  ret->kind = kinds[ret->symmetric ? 6 + next_random(random) % 4 : next_random(random) % 6];
  ret->lda = (ret->m > 1 ? ret->m : 1) + pick(random, gaps, 5);
  ret->incx = pick(random, increments, 10);
  ret->incy = pick(random, increments, 10);
  ret->alpha = (real)scales[next_random(random) % 5];
  ret->beta = (real)scales[next_random(random) % 5];
}

static int is_rows(const struct product *product)
{
  return product->symmetric || product->kind == 'N' || product->kind == 'n';
}

static void release(struct product *product)
{
  real *device[] = { product->a, product->x, product->y };

  for (int i = 0; i < 3; i++)
    if (device[i])
      blas2_free(device[i]);
  free(product->before);
  free(product->wanted);
}

/* Memory and data; parts that are not to be read are not a number. */
static int fill(uint64_t *random, struct product *product)
{
  product->outputs = is_rows(product) ? product->m : product->n;
  product->terms = is_rows(product) ? product->n : product->m;
  product->size = (long)product->lda * (product->n ? product->n : 1);
  product->x_size = 1 + (long)(product->terms ? product->terms - 1 : 0) * abs(product->incx);
  product->y_size = 1 + (long)(product->outputs ? product->outputs - 1 : 0) * abs(product->incy);
  product->a = blas2_alloc(product->size);
  product->x = blas2_alloc(product->x_size);
  product->y = blas2_alloc(product->y_size);
  product->before = malloc((size_t)product->y_size * sizeof(real));
  product->wanted = malloc((size_t)product->y_size * sizeof(real));
  if (!product->a || !product->x || !product->y || !product->before || !product->wanted)
    return -1;
  int upper = product->kind == 'U' || product->kind == 'u';
  for (long j = 0; j < (product->n ? product->n : 1); j++)
    for (long i = 0; i < product->lda; i++) {
      int unread = i >= product->m || (product->symmetric && (upper ? i > j : i < j));
      product->a[j * product->lda + i] = unread ? NAN : random_value(random);
    }
  for (long i = 0; i < product->x_size; i++)
    product->x[i] = random_value(random);
  for (long i = 0; i < product->y_size; i++) {
    product->y[i] = product->beta == 0 && product->alpha != 0 && product->terms && i % abs(product->incy) == 0 ? NAN : random_value(random);
    product->before[i] = product->wanted[i] = product->y[i];
  }
  return 0;
}

static int run(const struct product *product)
{
  return product->symmetric ? blas2_symv(product->kind, product->n, product->alpha, product->a, product->lda, product->x, product->incx,
                                         product->beta, product->y, product->incy)
                            : blas2_gemv(product->kind, product->m, product->n, product->alpha, product->a, product->lda, product->x,
                                         product->incx, product->beta, product->y, product->incy);
}

/* ---- the reference ---- */

typedef void gemv_function(const char *, const int *, const int *, const real *, const real *, const int *, const real *, const int *,
                           const real *, real *, const int *);
typedef void symv_function(const char *, const int *, const real *, const real *, const int *, const real *, const int *, const real *,
                           real *, const int *);

struct reference { /* NULL: there is none */
  gemv_function *gemv;
  symv_function *symv;
};

static struct reference find_reference(void)
{
  static const char *const names[] = { "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3", "libblas.so.3" };
  struct reference ret = { NULL, NULL };

  for (int i = 0; i < 2 && !ret.gemv; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    *(void **)&ret.gemv = dlsym(library, sizeof(real) == sizeof(float) ? "sgemv_" : "dgemv_");
    *(void **)&ret.symv = dlsym(library, sizeof(real) == sizeof(float) ? "ssymv_" : "dsymv_");
  }
  return ret.symv ? ret : (struct reference){ NULL, NULL };
}

static double element(const struct product *product, long output, long term)
{
  long i = is_rows(product) ? output : term, j = is_rows(product) ? term : output;
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

/* The largest error in units of the bound: (terms + 4) roundings of the sum of all terms' sizes. The result is in y, the reference's
 * in `wanted`. */
static double error_of(const struct product *product)
{
  const double unit = sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
  double worst = 0;
  long walked = 0;

  for (long o = 0; o < product->outputs; o++, walked++) {
    long at = place(o, product->outputs, product->incy);
    double size = product->beta == 0 ? 0 : fabs((double)product->beta * (double)product->before[at]);
    for (long t = 0; product->alpha != 0 && t < product->terms; t++)
      size += fabs((double)product->alpha * element(product, o, t) * (double)product->x[place(t, product->terms, product->incx)]);
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
    reference->symv(&product->kind, &product->n, &product->alpha, product->a, &product->lda, product->x, &product->incx,
                    &product->beta, product->wanted, &product->incy);
  else
    reference->gemv(&product->kind, &product->m, &product->n, &product->alpha, product->a, &product->lda, product->x,
                    &product->incx, &product->beta, product->wanted, &product->incy);
}

/* ---- verbs ---- */

static int check_arguments(void)
{
  real one[4] = { 1, 1, 1, 1 };
  const int got[] = {
    blas2_gemv('X', 1, 1, 1, one, 1, one, 1, 1, one, 1), blas2_gemv('N', -1, 1, 1, one, 1, one, 1, 1, one, 1),
    blas2_gemv('N', 1, -1, 1, one, 1, one, 1, 1, one, 1), blas2_gemv('N', 2, 1, 1, one, 1, one, 1, 1, one, 1),
    blas2_gemv('T', 0, 0, 1, one, 0, one, 1, 1, one, 1), blas2_gemv('N', 1, 1, 1, one, 1, one, 0, 1, one, 1),
    blas2_gemv('N', 1, 1, 1, one, 1, one, 1, 1, one, 0), blas2_symv('N', 1, 1, one, 1, one, 1, 1, one, 1),
    blas2_symv('U', -1, 1, one, 1, one, 1, 1, one, 1), blas2_symv('L', 2, 1, one, 1, one, 1, 1, one, 1),
    blas2_symv('L', 1, 1, one, 1, one, 0, 1, one, 1), blas2_symv('L', 1, 1, one, 1, one, 1, 1, one, 0),
  };
  static const int wanted[] = { 1, 2, 3, 6, 6, 8, 11, 1, 2, 5, 7, 10 };
  int failed = 0;

  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (got[i] != wanted[i]) {
      printf("argument %d is not allowed, got %d\n", wanted[i], got[i]);
      failed++;
    }
  return failed;
}

static int check(int argc, char **argv)
{
  static const char *const known[] = { "--random", "--seed", "--largest", NULL };
  long count = number_of(argc, argv, "--random", 300), largest = number_of(argc, argv, "--largest", 300);
  uint64_t random = (uint64_t)number_of(argc, argv, "--seed", 1) * UINT64_C(0x9e3779b97f4a7c15);
  struct reference reference = find_reference();
  int failed;

  if (!known_words(argc, argv, known))
    return 1;
  failed = check_arguments();
  if (!reference.gemv)
    printf("libblas is not installed: by the definition only\n");
  for (long i = 0; i < count; i++) {
    struct product product;
    random_shape(&random, (int)largest, &product);
    int status = fill(&random, &product) ? -1 : run(&product);
    blas2_wait();
    if (!status && reference.gemv)
      call_reference(&reference, &product);
    double error = status ? INFINITY : reference.gemv ? error_of(&product) : 0;
    if (!status) {
      compute_wanted(&product);
      double other = error_of(&product);
      error = other <= error ? error : other;
    }
    if (!(error <= 1)) {
      printf("%s %c, %d x %d, lda %d, incx %d, incy %d, alpha %g, beta %g: status %d, error %g of the bound\n", product.symmetric ? "symv" : "gemv",
             product.kind, product.m, product.n, product.lda, product.incx, product.incy, (double)product.alpha, (double)product.beta, status, error);
      failed++;
    }
    release(&product);
  }
  printf(failed ? "check: FAILED\n" : "check: ok\n");
  return failed ? 2 : 0;
}

static void run_once(void *context)
{
  run(context);
}

/* Bytes of the matrix a second; a symmetric one's stored half counts. */
static double rate(char kind, int symmetric, int n, int repeats)
{
  struct product product = { .symmetric = symmetric, .m = n, .n = n, .lda = n, .incx = 1, .incy = 1, .kind = kind, .alpha = 1, .beta = 0 };
  uint64_t random = 1;
  double bytes = (double)n * n * sizeof(real) / (symmetric ? 2 : 1), time = NAN;

  if (!fill(&random, &product))
    time = blas2_time(run_once, &product, repeats);
  release(&product);
  return bytes / time * 1e-6;
}

static int bench(int argc, char **argv)
{
  static const char *const known[] = { "--largest", "--repeats", NULL };
  long largest = number_of(argc, argv, "--largest", 16384), repeats = number_of(argc, argv, "--repeats", 11);

  if (!known_words(argc, argv, known))
    return 1;
  printf("%s, %s: GB/s of the matrix (symv: of its stored half)\n%7s %9s %9s %9s %9s\n", blas2_device(),
         sizeof(real) == sizeof(float) ? "float" : "double", "n", "gemv N", "gemv T", "symv U", "symv L");
  for (long n = 128; n <= largest; n *= 2) {
    printf("%7ld %9.1f %9.1f %9.1f %9.1f\n", n, rate('N', 0, (int)n, (int)repeats), rate('T', 0, (int)n, (int)repeats),
           rate('U', 1, (int)n, (int)repeats), rate('L', 1, (int)n, (int)repeats));
    fflush(stdout);
  }
  return 0;
}

int blas2_command(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "check"))
    return check(argc, argv);
  if (argc > 1 && !strcmp(argv[1], "bench"))
    return bench(argc, argv);
  fputs(usage, argc > 1 ? stderr : stdout);
  return argc > 1;
}
