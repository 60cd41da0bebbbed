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
  static const char *const known[] = {"--random", "--seed", "--largest", NULL};

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

struct timed {
  const struct reduction *reduction;
  struct problem *problem;
};

static void run_once(void *context)
{
  const struct timed *timed = context;

  timed->reduction->run(timed->problem);
}

static int bench(const struct reduction *reduction, int argc, char **argv)
{
  static const char *const known[] = {"--largest", "--repeats", NULL};

  words_read(argc, argv, known);
  int largest = (int)words_number("--largest", 8192), repeats = (int)words_number("--repeats", 3);
  uint64_t random = random_seed(1);

  printf("%s, %s, %s\n%7s %12s %9s\n", reduction->name, blas2_device(),
         sizeof(real) == sizeof(float) ? "float" : "double", "n", "ms", "GFLOP/s");
  for (int n = 128; n <= largest; n *= 2) {
    struct problem p = {.m = n, .n = n, .lda = n};
    struct timed timed = {reduction, &p};
    double time =
        fill(reduction, RANDOM, &random, &p) ? NAN : blas2_time(run_once, &timed, repeats);
    printf("%7d %12.3f %9.1f\n", n, time, reduction->flops(n, n) / time * 1e-6);
    fflush(stdout);
    release(&p);
  }
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
