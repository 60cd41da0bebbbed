/* command_reduce.c - the reductions: `blas2 hessenberg check` and so on.
 *
 * Matrices of a check are random, or of the kinds that reductions fail on: zero, diagonal, of rank
 * one, with columns of very different sizes, of numbers whose squares overflow or vanish. What a
 * reduction has no business with is not a number and must stay so. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "cublas.h"
#include "reduction.h"
#include "words.h"

double reduction_unit(void) { return sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON; }

/* ---- a problem ---- */

enum content { RANDOM, ZERO, DIAGONAL, RANK_ONE, GRADED, LARGE, SMALL, CONTENT_COUNT };

static double content_of(enum content content, uint64_t *random, int i, int j)
{
  const int reach = sizeof(real) == sizeof(float) ? 30 : 280;
  double value = (double)random_value(random);

  switch (content) {
  case ZERO: return 0;
  case DIAGONAL: return i == j ? i + 1 : 0;
  case RANK_ONE: return (i % 7 + 1) * (j % 5 - 2.25);
  case GRADED: return value * pow(10, -(j % 12));
  case LARGE: return value * pow(10, reach);
  case SMALL: return value * pow(10, -reach);
  default: return value;
  }
}

static void release(struct problem *p)
{
  real *memory[] = {p->a, p->d, p->e, p->tauq, p->taup};

  for (int i = 0; i < 5; i++) blas2_free(memory[i]);
  free(p->before);
}

static int reserve(struct problem *p)
{
  long least = p->m < p->n ? p->m : p->n;

  p->a = blas2_alloc((long)p->lda * p->n);
  p->d = blas2_alloc(least);
  p->e = blas2_alloc(least);
  p->tauq = blas2_alloc(least);
  p->taup = blas2_alloc(least);
  p->before = malloc(((size_t)p->m * (size_t)p->n + 1) * sizeof *p->before);
  return p->a && p->d && p->e && p->tauq && p->taup && p->before ? 0 : -1;
}

static int fill(const struct reduction *reduction, enum content content, uint64_t *random,
                struct problem *p)
{
  if (reserve(p)) return -1;
  for (long j = 0; j < p->n; j++)
    for (int i = 0; i < p->lda; i++)
      p->a[i + j * p->lda] = i < p->m ? (real)content_of(content, random, i, (int)j) : (real)NAN;
  reduction->shape(random, p);
  for (long j = 0; j < p->n; j++)
    for (long i = 0; i < p->m; i++)
      p->before[i + j * p->m] =
          (double)(reduction->untouched(p, (int)i, (int)j) ? p->a[j + i * p->lda]
                                                           : p->a[i + j * p->lda]);
  return 0;
}

static int all_untouched(const struct reduction *reduction, const struct problem *p)
{
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->lda; i++)
      if (reduction->untouched(p, i, j) && !isnan(p->a[i + (long)j * p->lda])) return 0;
  return 1;
}

/* ---- check ---- */

static struct problem random_problem(const struct reduction *reduction, uint64_t *random,
                                     int largest)
{
  static const int gaps[] = {0, 0, 1, 3, 32}, small[] = {0, 1, 2, 3, 32, 33, 34, 64, 65};
  struct problem p = {.m = 0};

  p.m = next_random(random) % 3 ? (int)(next_random(random) % (uint64_t)largest) + 1
                                : random_of(random, small, 9);
  p.n = !reduction->takes_rows    ? p.m
        : next_random(random) % 3 ? (int)(next_random(random) % (uint64_t)largest) + 1
                                  : random_of(random, small, 9);
  p.lda = (p.m > 1 ? p.m : 1) + random_of(random, gaps, 5);
  return p;
}

static int is_wrong(const struct reduction *reduction, const struct verdict *v)
{
  return !(v->residual <= reduction->allowed) || !(v->orthogonality <= reduction->allowed) ||
         v->values > reduction->allowed;
}

static int check_one(const struct reduction *reduction, enum content content, uint64_t *random,
                     int largest, struct verdict *worst)
{
  struct problem p = random_problem(reduction, random, largest);
  struct verdict v = {INFINITY, INFINITY, NAN};
  int status = fill(reduction, content, random, &p), clean = 0;

  blas2_set_symv((enum blas2_symv_way)(next_random(random) % 3));
  blas2_set_panels(words_value("--panels", NULL)  ? words_panels()
                   : next_random(random) % 3 == 0 ? BLAS2_PANELS_BY_LAUNCHES
                                                  : BLAS2_PANELS_IN_ONE);
  status = status ? status : reduction->run(&p);
  blas2_set_symv(BLAS2_SYMV_BY_RULE);
  if (!status) {
    v = reduction->verify(&p);
    clean = all_untouched(reduction, &p);
  }
  int wrong = status || !clean || is_wrong(reduction, &v);
  if (wrong)
    printf(
        "%s, %d x %d, lda %d, content %d: status %d%s, residual %g, orthogonality %g, values %g\n",
        reduction->name, p.m, p.n, p.lda, (int)content, status,
        clean ? "" : ", writes where it must not", v.residual, v.orthogonality, v.values);
  worst->residual = v.residual <= worst->residual ? worst->residual : v.residual;
  worst->orthogonality =
      v.orthogonality <= worst->orthogonality ? worst->orthogonality : v.orthogonality;
  worst->values = isnan(v.values) || v.values > worst->values ? v.values : worst->values;
  release(&p);
  return wrong;
}

/* Numbers that are not finite, wherever they are, are reported and nothing is changed. */
static int check_not_finite(const struct reduction *reduction, uint64_t *random)
{
  int failed = 0;

  for (int i = 0; i < 6; i++) {
    struct problem p = {.m = 40, .n = 40, .lda = 41};
    if (fill(reduction, RANDOM, random, &p)) return 1;
    int row = i % 3 * 18, column = p.uplo == 'U' ? 39 : p.uplo == 'L' ? 0 : i % 2 * 39;
    p.a[row + (long)column * p.lda] = (real)(i < 3 ? NAN : -INFINITY);
    size_t bytes = (size_t)p.lda * 40 * sizeof(real);
    real *copy = malloc(bytes);
    if (copy) memcpy(copy, p.a, bytes);
    int status = reduction->run(&p);
    if (status != BLAS2_NOT_FINITE || !copy || memcmp(copy, p.a, bytes)) {
      printf("%s: a number that is not finite at %d, %d: status %d\n", reduction->name, row, column,
             status);
      failed++;
    }
    free(copy);
    release(&p);
  }
  return failed;
}

static int check_arguments(void)
{
  real one[4] = {1, 1, 1, 1};
  const int got[] = {
      blas2_gehrd(-1, 1, 0, one, 1, one),
      blas2_gehrd(2, 0, 2, one, 2, one),
      blas2_gehrd(2, 3, 2, one, 2, one),
      blas2_gehrd(2, 1, 3, one, 2, one),
      blas2_gehrd(2, 2, 1, one, 2, one),
      blas2_gehrd(2, 1, 2, one, 1, one),
      blas2_gebrd(-1, 1, one, 1, one, one, one, one),
      blas2_gebrd(1, -1, one, 1, one, one, one, one),
      blas2_gebrd(2, 1, one, 1, one, one, one, one),
      blas2_sytrd('N', 1, one, 1, one, one, one),
      blas2_sytrd('U', -1, one, 1, one, one, one),
      blas2_sytrd('L', 2, one, 1, one, one, one),
  };
  static const int wanted[] = {1, 2, 2, 3, 3, 5, 1, 2, 4, 1, 2, 4};
  int failed = 0;

  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (got[i] != wanted[i]) {
      printf("argument %d is not allowed (case %u), got %d\n", wanted[i], i, got[i]);
      failed++;
    }
  return failed;
}

static int check(const struct reduction *reduction, int argc, char **argv)
{
  static const char *const known[] = {"--random", "--seed", "--largest",
                                      "--panels=rule|one|launches", NULL};

  words_read(argc, argv, known);
  long count = words_number("--random", 60);
  int largest = (int)words_number("--largest", 150);
  uint64_t random = random_seed(words_number("--seed", 1));
  struct verdict worst = {0, 0, 0};
  int failed;

  failed = check_arguments() + check_not_finite(reduction, &random);
  for (long i = 0; i < count; i++)
    failed += check_one(reduction, i % 3 ? RANDOM : (enum content)(i / 3 % CONTENT_COUNT), &random,
                        largest, &worst);
  if (isnan(worst.values)) printf("liblapack is not installed: without comparison of values\n");
  printf("at most (allowed: %g): residual %.3g, orthogonality %.3g, values %.3g\n",
         reduction->allowed, worst.residual, worst.orthogonality, worst.values);
  printf(failed ? "check: FAILED\n" : "check: ok\n");
  return failed ? 2 : 0;
}

/* ---- bench ---- */

/* With whose gemv a reduction is done, or the whole of it by cuSOLVER. BY_LAUNCHES: with the own
 * ones, but no panel in one launch. */
enum peer { OWN, BY_LAUNCHES, PAPER, CUBLAS, CUSOLVER, PEER_COUNT };

struct timed {
  const struct reduction *reduction;
  struct problem *problem;
  struct cusolver *solver; /* not NULL: by that */
  int status;
};

struct peers { /* NULL: there is none */
  struct cublas *blas;
  struct cusolver *solver;
};

static void run_once(void *context)
{
  struct timed *timed = context;
  const struct problem *p = timed->problem;

  timed->status |=
      timed->solver ? timed->reduction->by_cusolver(timed->solver, p) : timed->reduction->run(p);
}

/* Milliseconds; not a number: this peer is not there, or fails. */
static double time_of(const struct reduction *reduction, enum peer peer, const struct peers *peers,
                      struct problem *p, int repeats)
{
  struct timed timed = {reduction, p, peer == CUSOLVER ? peers->solver : NULL, 0};

  if (peer == CUBLAS && !peers->blas) return NAN;
  if (peer == CUSOLVER &&
      (!peers->solver || !reduction->by_cusolver || cusolver_reserve(peers->solver, p->n)))
    return NAN;
  blas2_set_gemv(peer == PAPER    ? BLAS2_GEMV_PAPER
                 : peer == CUBLAS ? BLAS2_GEMV_LIBRARY
                                  : BLAS2_GEMV_OWN,
                 peers->blas);
  blas2_set_panels(peer == BY_LAUNCHES ? BLAS2_PANELS_BY_LAUNCHES : words_panels());
  double time = blas2_time(run_once, &timed, repeats);
  blas2_set_gemv(BLAS2_GEMV_OWN, NULL);
  return timed.status ? NAN : time;
}

static void print_time(double milliseconds)
{
  if (isnan(milliseconds))
    printf(" %12s", "-");
  else
    printf(" %12.3f", milliseconds);
}

static void bench_size(const struct reduction *reduction, const struct peers *peers, int n,
                       int repeats)
{
  uint64_t random = random_seed(1);
  struct problem p = {.m = n, .n = n, .lda = n};
  double times[PEER_COUNT];
  int prepared = !fill(reduction, RANDOM, &random, &p);

  p.low = 1; /* the whole of it, whatever part the checks would take */
  p.high = n;
  for (enum peer peer = OWN; peer < PEER_COUNT; peer++)
    times[peer] = prepared ? time_of(reduction, peer, peers, &p, repeats) : NAN;
  printf("%7d %12.3f %9.1f %9.1f", n, times[OWN], times[OWN] * 1e3 / n,
         reduction->flops(n, n) / times[OWN] * 1e-6);
  for (enum peer peer = BY_LAUNCHES; peer < PEER_COUNT; peer++) print_time(times[peer]);
  printf("\n");
  fflush(stdout);
  release(&p);
}

static int bench(const struct reduction *reduction, int argc, char **argv)
{
  static const char *const known[] = {"--largest", "--repeats",   "--smallest",
                                      "--cublas=", "--cusolver=", "--panels=rule|one|launches",
                                      NULL};

  words_read(argc, argv, known);
  int largest = (int)words_number("--largest", 8192), repeats = (int)words_number("--repeats", 3),
      n = (int)words_number("--smallest", 128);
  struct peers peers = {cublas_open(words_value("--cublas", NULL)),
                        cusolver_open(words_value("--cusolver", NULL))};
  printf("%s, %s, %s: ms, microseconds a column, and ms by launches and with gemv of others\n"
         "%7s %12s %9s %9s %12s %12s %12s %12s\n",
         reduction->name, blas2_device(), sizeof(real) == sizeof(float) ? "float" : "double", "n",
         "ms", "us/column", "GFLOP/s", "by launches", "the paper's", "cuBLAS", "cuSOLVER");
  for (; n <= largest; n *= 2) bench_size(reduction, &peers, n, repeats);
  cublas_close(peers.blas);
  cusolver_close(peers.solver);
  return 0;
}

static int reduce(const struct reduction *reduction, int argc, char **argv)
{
  if (argc > 0 && !strcmp(argv[0], "check")) return check(reduction, argc - 1, argv + 1);
  if (argc > 0 && !strcmp(argv[0], "bench")) return bench(reduction, argc - 1, argv + 1);
  fprintf(stderr, "blas2: %s check, or %s bench\n", reduction->name, reduction->name);
  words_usage(1);
  return 1;
}

int command_hessenberg(int argc, char **argv) { return reduce(&reduction_hessenberg, argc, argv); }

int command_bidiagonal(int argc, char **argv) { return reduce(&reduction_bidiagonal, argc, argv); }

int command_tridiagonal(int argc, char **argv)
{
  return reduce(&reduction_tridiagonal, argc, argv);
}
