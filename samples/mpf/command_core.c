/* command_core.c - mpf core: one core of the CPU version on a plain product of two matrices beside
 * a BLAS, which section 7.1 of the MPF paper calibrates its own core with (within 5% of ATLAS).
 *
 * C[i][j] = sum over s of A[i][s] B[s][j] is a bucket of two functions. The BLAS is looked for when
 * the program runs; without one its columns are empty. Both take turns, and count the time of the
 * calling thread alone, so that other programs of the machine matter little. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "mpf_cpu.h"
#include "random.h"
#include "words.h"

typedef void product(const char *, const char *, const int *, const int *, const int *,
                     const real *, const real *, const int *, const real *, const int *,
                     const real *, real *, const int *);

struct blas {
  const char *name; /* of the library; NULL: there is none */
  product *multiply;
};

static double thread_ms(void)
{
  struct timespec time;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* One thread, by each library's own name for that. */
static void limit_threads(void *library)
{
  static const char *const names[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                      "bli_thread_set_num_threads", NULL};

  for (unsigned i = 0; names[i]; i++) {
    void (*set)(int);
    *(void **)&set = dlsym(library, names[i]);
    if (set) set(1);
  }
}

static struct blas find_blas(const char *wanted)
{
  static const char *const usual[] = {"libopenblas.so.0", "libmkl_rt.so.2", "libblis.so.4",
                                      "libblas.so.3", NULL};
  const char *const given[] = {wanted, NULL}, *const *names = wanted ? given : usual;
  struct blas blas = {0};

  for (unsigned i = 0; names[i] && !blas.name; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    *(void **)&blas.multiply = dlsym(library, sizeof(real) == sizeof(float) ? "sgemm_" : "dgemm_");
    if (!blas.multiply) continue;
    blas.name = names[i];
    limit_threads(library);
  }
  return blas;
}

struct matrices { /* n x n, row by row; owned */
  int n;
  real *a, *b, *ours, *theirs;
};

static void multiply_by_blas(const struct blas *blas, const struct matrices *m)
{
  const real one = 1, none = 0;

  /* columns first: the transposed product */
  blas->multiply("N", "N", &m->n, &m->n, &m->n, &one, m->b, &m->n, m->a, &m->n, &none, m->theirs,
                 &m->n);
}

static int build(unsigned n, struct mpf_bucket *ret)
{
  static const unsigned places[2][2] = {{0, 1}, {1, 2}};
  const struct mpf_scope scopes[2] = {{2, places[0], NULL}, {2, places[1], NULL}};
  const unsigned domains[3] = {n, n, n};
  const bool summed[3] = {false, true, false};

  return mpf_bucket_build(2, scopes, domains, summed, ret);
}

/* The largest difference, of the largest value. */
static double difference(const struct matrices *m)
{
  double worst = 0, most = 0;

  for (size_t i = 0; i < (size_t)m->n * (size_t)m->n; i++) {
    worst = fmax(worst, fabs((double)m->ours[i] - (double)m->theirs[i]));
    most = fmax(most, fabs((double)m->theirs[i]));
  }
  return worst / most;
}

/* Milliseconds of one product, the best of `repeats` turns of at least 20 ms each; 0, or -1: out
 * of memory. */
static int take_turns(const struct blas *blas, const struct matrices *m, int repeats,
                      double *ret_ours, double *ret_theirs)
{
  const double least_ms = 20;
  const real *tables[2] = {m->a, m->b};
  struct mpf_bucket bucket;
  int status = build((unsigned)m->n, &bucket);

  *ret_ours = *ret_theirs = INFINITY;
  for (int i = 0; i < repeats && !status; i++) {
    int count = 0;
    double begin = thread_ms();
    for (; !status && (!count || thread_ms() - begin < least_ms); count++)
      status = mpf_cpu(&bucket, MPF_LINEAR, tables, 1, m->ours);
    *ret_ours = fmin(*ret_ours, (thread_ms() - begin) / count);
    count = 0;
    begin = thread_ms();
    for (; blas->name && (!count || thread_ms() - begin < least_ms); count++)
      multiply_by_blas(blas, m);
    if (count) *ret_theirs = fmin(*ret_theirs, (thread_ms() - begin) / count);
  }
  mpf_bucket_free(&bucket);
  return status;
}

/* A line of the table. 0, 1: out of memory, 2: results differ. */
static int compare(const struct blas *blas, int n, int repeats)
{
  size_t size = (size_t)n * (size_t)n;
  const double limit = sizeof(real) == sizeof(float) ? 1e-5 : 1e-13;
  struct matrices m = {n, malloc(size * sizeof(real)), malloc(size * sizeof(real)),
                       malloc(size * sizeof(real)), malloc(size * sizeof(real))};
  double ours = 0, theirs = 0, worst = 0, flop = 2.0 * n * n * n;
  int status = m.a && m.b && m.ours && m.theirs ? 0 : 1;

  if (!status) {
    mpf_random_values(1, MPF_LINEAR, 1, m.a, size);
    mpf_random_values(2, MPF_LINEAR, 1, m.b, size);
    status = take_turns(blas, &m, repeats, &ours, &theirs) ? 1 : 0;
  }
  if (!status && blas->name) worst = difference(&m);
  if (!status && blas->name)
    printf("%6d %10.4g %10.4g %8.3f %10.2g\n", n, flop / ours * 1e-6, flop / theirs * 1e-6,
           theirs / ours, worst);
  else if (!status)
    printf("%6d %10.4g\n", n, flop / ours * 1e-6);
  fflush(stdout);
  free(m.a);
  free(m.b);
  free(m.ours);
  free(m.theirs);
  return status ? status : worst <= limit ? 0 : 2;
}

int mpf_command_core(int argc, char **argv)
{
  static const char *const known[] = {"--sizes=", "--library=", "--repeats=", NULL};
  const char *other = mpf_known(argc, argv, known), *sizes = mpf_option("--sizes");
  int repeats = (int)mpf_number("--repeats", 7), worst = 0;

  for (const char *at = sizes = sizes ? sizes : "64,128,256,512,1000,1024,2048"; !other && *at;) {
    char *end;
    long n = strtol(at, &end, 10);
    if (n < 1 || n > 20000 || (*end && *end != ',')) other = sizes;
    at = *end ? end + 1 : end;
  }
  if (other || repeats < 1) {
    fprintf(stderr, "mpf: bad word '%s'\n", other ? other : "--repeats");
    return 1;
  }
  struct blas blas = find_blas(mpf_option("--library"));
  printf("one core: a product of two n x n matrices, %s; BLAS: %s\n",
         sizeof(real) == sizeof(float) ? "float" : "double", blas.name ? blas.name : "none found");
  printf("%6s %10s %10s %8s %10s\n", "n", "GFLOP/s", "BLAS", "of BLAS", "difference");
  for (const char *at = sizes; *at && worst < 1;) {
    char *end;
    worst = compare(&blas, (int)strtol(at, &end, 10), repeats);
    at = *end ? end + 1 : end;
  }
  if (worst == 1) fprintf(stderr, "mpf: out of memory\n");
  if (worst == 2) printf("check: FAILED\n");
  return worst;
}
