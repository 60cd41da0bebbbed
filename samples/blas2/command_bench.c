/* command_bench.c - products of square matrices over n beside cuBLAS.
 *
 * The matrix is symmetric with both triangles there, so that all products have the same result,
 * which is checked, and cuBLAS's gemv of it is what a user without symv would do. A line's ratio is
 * the time of cuBLAS's best way over that of this program: 1 and more is as fast. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "cublas.h"
#include "random.h"
#include "words.h"

enum { OWN, GEMV, SYMV, SYMV_ATOMICS, WAY_COUNT };
enum { MIDDLE = 4500 }; /* the paper's middle sizes end here */

struct work {
  const struct cublas *peer; /* NULL: there is none */
  int n, repeats;
  real *a, *x, *y, *wanted; /* of blas2_alloc; owned. wanted: the first product's result */
  int failed;               /* products whose result is another, or whose call failed */
};

struct way {
  struct work *work;
  char kind;
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
    blas2_gemv(way->kind, w->n, w->n, 1, w->a, w->n, w->x, 1, 0, w->y, 1);
}

static void run_peer(void *context)
{
  struct way *way = context;

  way->peer_status |= cublas_run(way->work->peer, &way->product);
}

/* Roundings of sums of n numbers below 1 that have both signs stay below a multiple of n. */
static int is_right(const struct work *w)
{
  const double unit = sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;

  for (int i = 0; i < w->n; i++)
    if (!(fabs((double)w->y[i] - (double)w->wanted[i]) <= 4 * unit * w->n)) return 0;
  return 1;
}

/* Milliseconds; not a number where this way is none for the product, or there is no cuBLAS. */
static double time_way(struct work *w, char kind, int which)
{
  int symmetric = kind == 'U' || kind == 'L';
  struct way way = {.work = w, .kind = kind};
  double time;

  if (which != OWN && (!w->peer || (which != GEMV && !symmetric))) return NAN;
  for (int i = 0; i < w->n; i++) w->y[i] = NAN;
  if (which == OWN) {
    time = blas2_time(run_own, &way, w->repeats);
  } else {
    way.product = (struct cublas_product){.kind = which == GEMV && symmetric ? 'N' : kind,
                                          .n = w->n,
                                          .lda = w->n,
                                          .atomics = which == SYMV_ATOMICS,
                                          .a = blas2_device_address(w->a),
                                          .x = blas2_device_address(w->x),
                                          .y = blas2_device_result(w->y)};
    time = blas2_time(run_peer, &way, w->repeats);
  }
  w->failed += way.peer_status != 0 || !is_right(w);
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

/* A line; the ratio, or not a number. */
static double bench_product(struct work *w, char kind)
{
  int symmetric = kind == 'U' || kind == 'L';
  double times[WAY_COUNT], best = NAN;

  for (int i = 0; i < WAY_COUNT; i++) times[i] = time_way(w, kind, i);
  for (int i = GEMV; i < WAY_COUNT; i++)
    best = times[i] >= best ? best : isnan(times[i]) ? best : times[i];
  printf("%7d %s %c", w->n, symmetric ? "symv" : "gemv", kind);
  print_time(times[OWN]);
  printf(" %9.1f", (double)w->n * w->n * sizeof(real) / (symmetric ? 2 : 1) / times[OWN] * 1e-6);
  for (int i = GEMV; i < WAY_COUNT; i++) print_time(times[i]);
  if (isnan(best))
    printf(" %7s\n", "-");
  else
    printf(" %7.3f\n", best / times[OWN]);
  fflush(stdout);
  return best / times[OWN];
}

static int prepare(struct work *w)
{
  uint64_t random = random_seed(1);

  w->a = blas2_alloc((long)w->n * w->n);
  w->x = blas2_alloc(w->n);
  w->y = blas2_alloc(w->n);
  w->wanted = blas2_alloc(w->n);
  if (!w->a || !w->x || !w->y || !w->wanted) return -1;
  blas2_fill_symmetric(w->a, w->n, w->n);
  for (int i = 0; i < w->n; i++) w->x[i] = random_value(&random);
  return blas2_gemv('N', w->n, w->n, 1, w->a, w->n, w->x, 1, 0, w->wanted, 1);
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

int command_bench(int argc, char **argv)
{
  static const char *const known[] = {
      "--largest",   "--repeats", "--edges=whole|apart", "--symv=rule|once|twice", "--cublas=",
      "--products=", NULL};
  int largest = (int)words_number(argc, argv, "--largest", 16384),
      repeats = (int)words_number(argc, argv, "--repeats", 11), failed = 0;
  struct mean means[2] = {{0, 0}, {0, 0}};
  const char *library = words_value(argc, argv, "--cublas", NULL),
             *products = words_value(argc, argv, "--products", "NTUL");

  if (!words_known(argc, argv, known)) return 1;
  if (!*products || strspn(products, "NTUL") < strlen(products)) {
    fprintf(stderr, "blas2: '%s' are no products: some of N, T, U, L\n", products);
    words_usage(1);
    return 1;
  }
  words_edges(argc, argv);
  words_symv(argc, argv);
  struct cublas *peer = cublas_open(library);
  if (library && !peer) {
    fprintf(stderr, "blas2: '%s' is no cuBLAS that can be used here\n", library);
    return 1;
  }
  printf("%s, %s", blas2_device(), sizeof(real) == sizeof(float) ? "float" : "double");
  if (peer) printf(", beside cuBLAS %d", cublas_version(peer));
  printf(": microseconds, GB/s of the matrix (symv: of its stored half)\n%7s %-6s %10s %9s %10s "
         "%10s %10s %7s\n",
         "n", "", "here", "GB/s", "gemv", "symv", "atomics", "ratio");
  for (int n = 128; n <= largest; n = n % 3 ? n + n / 2 : n / 3 * 4) {
    struct work w = {.peer = peer, .n = n, .repeats = repeats};
    int prepared = !prepare(&w);
    for (const char *kind = products; prepared && *kind; kind++) {
      double ratio = bench_product(&w, *kind);
      if (ratio > 0) {
        means[n > MIDDLE].sum += log(ratio);
        means[n > MIDDLE].count++;
      }
    }
    if (!prepared) printf("%7d does not fit the memory\n", n);
    failed += w.failed;
    release(&w);
  }
  print_mean("n up to 4500", &means[0]);
  print_mean("above", &means[1]);
  cublas_close(peer);
  if (failed) printf("check: FAILED: %d products have other results\n", failed);
  return failed ? 2 : 0;
}
