/* command_bench.c - products over n beside cuBLAS, of square matrices or of rectangles.
 *
 * A square matrix is symmetric with both triangles there, so that all products have the same
 * result, which is checked, and cuBLAS's gemv of it is what a user without symv would do. By hand:
 * gemv as the paper has it, symv with atomic additions. A rectangle has as many numbers, and four
 * times as many rows as columns or the other way round. A line's ratio is the time of cuBLAS's best
 * way over that of this program: 1 and more is as fast. Where MAGMA is there, its symv has a column
 * behind the ratio.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "cublas.h"
#include "magma.h"
#include "random.h"
#include "words.h"

enum { OWN, BY_HAND, GEMV, SYMV, SYMV_ATOMICS, MAGMA, WAY_COUNT };
#define WRONG 1e6       /* no result: numbers are below 1, up to some ten thousand are summed up */
enum { MIDDLE = 4500 }; /* the paper's middle sizes end here */

struct work {
  const struct cublas *peer; /* NULL: there is none */
  struct magma *magma;       /* likewise */
  int n;                     /* of the square */
  int rows, columns;         /* n each, or half and twice of it */
  int repeats;
  enum blas2_symv_way symv; /* what is asked for */
  double peak;              /* bytes a second; 0: unknown */
  real *a, *x, *y, *wanted; /* of blas2_alloc; owned. wanted: this program's own result */
  int failed;               /* products whose result is another, or whose call failed */
};

struct way {
  struct work *work;
  char kind;
  int which; /* of the ways above */
  int peer_status;
  struct cublas_product product;
};

/* ---- one product ---- */

static void run_own(void *context)
{
  const struct way *way = context;
  const struct work *w = way->work;

  if (way->kind == 'U' || way->kind == 'L')
    blas2_symv(way->kind, w->n, 1, w->a, w->n, w->x, 1, 0, w->y, 1);
  else
    blas2_gemv(way->kind, w->rows, w->columns, 1, w->a, w->rows, w->x, 1, 0, w->y, 1);
}

static void run_peer(void *context)
{
  struct way *way = context;

  way->peer_status |= way->which == MAGMA ? magma_symv(way->work->magma, &way->product)
                                          : cublas_run(way->work->peer, &way->product);
}

/* Roundings of sums of n numbers below 1 that have both signs stay below a multiple of n. */
static int is_right(const struct work *w, char kind)
{
  int count = kind == 'T' ? w->columns : w->rows, terms = w->rows + w->columns - count;
  const double unit = sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;

  for (int i = 0; i < count; i++)
    if (!(fabs((double)w->y[i] - (double)w->wanted[i]) <= 4 * unit * terms)) return 0;
  return 1;
}

static int is_way(struct work *w, int which, int symmetric)
{
  if (which == MAGMA) return symmetric && w->magma && !magma_reserve(w->magma, w->n, w->rows);
  return which <= BY_HAND || (w->peer && (which == GEMV || symmetric));
}

/* Milliseconds; not a number where this way is none for the product, or its library not there. */
static double time_way(struct work *w, char kind, int which)
{
  int symmetric = kind == 'U' || kind == 'L';
  struct way way = {.work = w, .kind = kind, .which = which};
  double time;

  if (!is_way(w, which, symmetric)) return NAN;
  /* MAGMA multiplies what is there by beta = 0, so it gets no NAN. */
  for (int i = 0; i < w->rows || i < w->columns; i++) w->y[i] = which == MAGMA ? WRONG : NAN;
  if (which <= BY_HAND) {
    blas2_set_gemv(which == BY_HAND ? BLAS2_GEMV_PAPER : BLAS2_GEMV_OWN, NULL);
    blas2_set_symv(which == BY_HAND ? BLAS2_SYMV_ATOMIC : w->symv);
    time = blas2_time(run_own, &way, w->repeats);
    blas2_set_gemv(BLAS2_GEMV_OWN, NULL);
    blas2_set_symv(w->symv);
  } else {
    way.product = (struct cublas_product){.kind = which == GEMV && symmetric ? 'N' : kind,
                                          .m = w->rows,
                                          .n = w->columns,
                                          .lda = w->rows,
                                          .atomics = which == SYMV_ATOMICS,
                                          .a = blas2_device_address(w->a),
                                          .x = blas2_device_address(w->x),
                                          .y = blas2_device_result(w->y)};
    time = blas2_time(run_peer, &way, w->repeats);
  }
  w->failed += way.peer_status != 0 || !is_right(w, kind);
  return time;
}

/* ---- the table ---- */

static void print_time(double milliseconds)
{
  if (isnan(milliseconds))
    printf(" %10s", "-");
  else
    printf(" %10.2f", milliseconds * 1e3);
}

static void print_size(const struct work *w)
{
  char text[32];

  snprintf(text, sizeof text, w->rows == w->columns ? "%d" : "%dx%d", w->rows, w->columns);
  printf("%*s", w->rows == w->columns ? 7 : 11, text);
}

/* Bytes of the matrix (symv: of its stored half) and operations a second, part of the peak. */
static void print_rates(const struct work *w, int symmetric, double milliseconds)
{
  double numbers = (double)w->rows * w->columns,
         bytes = numbers * sizeof(real) / (symmetric ? 2 : 1) / milliseconds * 1e3;

  printf(" %9.1f %9.1f", bytes * 1e-9, 2 * numbers / milliseconds * 1e-6);
  if (w->peak > 0)
    printf(" %6.1f", 100 * bytes / w->peak);
  else
    printf(" %6s", "-");
}

/* A line; the ratio, or not a number. */
static double bench_product(struct work *w, char kind)
{
  int symmetric = kind == 'U' || kind == 'L';
  double times[WAY_COUNT], best = NAN;

  if (!symmetric) blas2_gemv(kind, w->rows, w->columns, 1, w->a, w->rows, w->x, 1, 0, w->wanted, 1);
  for (int i = 0; i < WAY_COUNT; i++) times[i] = time_way(w, kind, i);
  for (int i = GEMV; i < MAGMA; i++)
    best = times[i] >= best ? best : isnan(times[i]) ? best : times[i];
  print_size(w);
  printf(" %s %c", symmetric ? "symv" : "gemv", kind);
  print_time(times[OWN]);
  print_rates(w, symmetric, times[OWN]);
  for (int i = BY_HAND; i < MAGMA; i++) print_time(times[i]);
  if (isnan(best))
    printf(" %7s", "-");
  else
    printf(" %7.3f", best / times[OWN]);
  if (w->magma) print_time(times[MAGMA]);
  printf("\n");
  fflush(stdout);
  return best / times[OWN];
}

static int prepare(struct work *w)
{
  uint64_t random = random_seed(1);
  int most = w->rows > w->columns ? w->rows : w->columns;

  w->a = blas2_alloc((long)w->rows * w->columns);
  w->x = blas2_alloc(most);
  w->y = blas2_alloc(most);
  w->wanted = blas2_alloc(most);
  if (!w->a || !w->x || !w->y || !w->wanted) return -1;
  blas2_fill_symmetric(w->a, w->rows, w->columns);
  for (int i = 0; i < most; i++) w->x[i] = random_value(&random);
  return blas2_gemv('N', w->rows, w->columns, 1, w->a, w->rows, w->x, 1, 0, w->wanted, 1);
}

static void release(struct work *w)
{
  real *memory[] = {w->a, w->x, w->y, w->wanted};

  for (int i = 0; i < 4; i++) blas2_free(memory[i]);
}

struct mean {
  double sum;
  int count;
};

static void print_mean(const char *what, const struct mean *mean)
{
  if (mean->count)
    printf("geometric mean of the ratios, %s: %.3f\n", what, exp(mean->sum / mean->count));
}

struct bench {
  const struct cublas *peer;
  struct magma *magma;
  const char *products, *shape;
  int largest, step, repeats;
  enum blas2_symv_way symv;
  struct mean means[2];
  int failed;
};

/* All products of one size. */
static void bench_size(struct bench *bench, int n)
{
  struct work w = {.peer = bench->peer,
                   .magma = bench->magma,
                   .n = n,
                   .rows = *bench->shape == 't'   ? 2 * n
                           : *bench->shape == 'w' ? n / 2
                                                  : n,
                   .columns = *bench->shape == 't'   ? n / 2
                              : *bench->shape == 'w' ? 2 * n
                                                     : n,
                   .repeats = bench->repeats,
                   .symv = bench->symv,
                   .peak = blas2_on_gpu() ? blas2_peak_bytes() : 0};
  int prepared = !prepare(&w);

  for (const char *kind = bench->products; prepared && *kind; kind++) {
    if (w.rows != w.columns && (*kind == 'U' || *kind == 'L')) continue;
    double ratio = bench_product(&w, *kind);
    if (ratio > 0) {
      bench->means[n > MIDDLE].sum += log(ratio);
      bench->means[n > MIDDLE].count++;
    }
  }
  if (!prepared) printf("%7d does not fit the memory\n", n);
  bench->failed += w.failed;
  release(&w);
}

/* With a step its multiples; else powers of two and the middles between them. */
static void bench_sizes(struct bench *bench)
{
  int n = bench->step ? bench->step : 128;

  printf("%s, %s", blas2_device(), sizeof(real) == sizeof(float) ? "float" : "double");
  if (bench->peer) printf(", beside cuBLAS %d", cublas_version(bench->peer));
  printf(": microseconds, GB/s of the matrix (symv: of its stored half), GFLOP/s, %% of the peak");
  if (blas2_on_gpu()) printf(" of %.0f GB/s", blas2_peak_bytes() * 1e-9);
  printf("\n%7s %-6s %10s %9s %9s %6s %10s %10s %10s %10s %7s", "n", "", "here", "GB/s", "GFLOP/s",
         "%", "by hand", "gemv", "symv", "atomics", "ratio");
  if (bench->magma) printf(" %10s", "magma");
  printf("\n");
  while (n <= bench->largest) {
    bench_size(bench, n);
    n = bench->step ? n + bench->step : n % 3 ? n + n / 2 : n / 3 * 4;
  }
  print_mean("n up to 4500", &bench->means[0]);
  print_mean("above", &bench->means[1]);
}

int command_bench(int argc, char **argv)
{
  static const char *const known[] = {"--largest",
                                      "--repeats",
                                      "--step",
                                      "--shape=square|tall|wide",
                                      "--edges=whole|apart",
                                      "--symv=rule|once|twice|atomic",
                                      "--cublas=",
                                      "--magma=",
                                      "--products=",
                                      NULL};

  words_read(argc, argv, known);
  struct bench bench = {.products = words_value("--products", "NTUL"),
                        .shape = words_value("--shape", "square"),
                        .largest = (int)words_number("--largest", 16384),
                        .step = (int)words_number("--step", 0),
                        .repeats = (int)words_number("--repeats", 11)};
  const char *library = words_value("--cublas", NULL);

  if (!*bench.products || strspn(bench.products, "NTUL") < strlen(bench.products)) {
    fprintf(stderr, "blas2: '%s' are no products: some of N, T, U, L\n", bench.products);
    words_usage(1);
    return 1;
  }
  words_edges();
  bench.symv = words_symv();
  struct cublas *peer = cublas_open(library);
  if (library && !peer) {
    fprintf(stderr, "blas2: '%s' is no cuBLAS that can be used here\n", library);
    return 1;
  }
  bench.peer = peer;
  library = words_value("--magma", NULL);
  bench.magma = magma_open(library);
  if (library && !bench.magma) {
    fprintf(stderr, "blas2: '%s' is no MAGMA that can be used here\n", library);
    cublas_close(peer);
    return 1;
  }
  bench_sizes(&bench);
  magma_close(bench.magma);
  cublas_close(peer);
  if (bench.failed) printf("check: FAILED: %d products have other results\n", bench.failed);
  return bench.failed ? 2 : 0;
}
