/* command_check.c - mpf check: buckets on the device and on the CPU against the definition.
 *
 * Besides random ones: one function, 64 functions, no variable summed out, none left, large
 * variables, zeros. With --keep the tables stay allocated, so that `mesicc compare` sees them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "commands.h"
#include "mpf_cpu.h"
#include "random.h"
#include "words.h"

static const double tolerance = 1e-4;

struct shape { /* of a special bucket */
  const char *name;
  unsigned functions, variables, domains[6];
  unsigned masks[64]; /* functions: bit per variable; repeated to the end where they run out */
  unsigned summed;    /* bit per variable */
};

static const struct shape shapes[] = {
    {"one function", 1, 3, {4, 3, 5}, {7}, 4},
    {"64 functions", 64, 4, {3, 5, 2, 4}, {9, 12, 10, 15, 8, 1, 3}, 8},
    {"nothing summed", 2, 3, {7, 1, 9}, {3, 6}, 0},
    {"everything summed", 3, 3, {6, 5, 7}, {3, 6, 5}, 7},
    {"a constant", 3, 2, {5, 3}, {0, 3, 1}, 2},
    {"large variables", 2, 3, {301, 521, 2}, {5, 6}, 4},
    {"a large variable alone", 2, 2, {2003, 3}, {3, 2}, 2},
    {"summed first", 2, 4, {3, 6, 5, 4}, {11, 14}, 3},
    {"values of one", 4, 6, {1, 4, 1, 6, 1, 3}, {63, 21, 42, 33}, 48},
};

static int build_shape(const struct shape *shape, struct mpf_bucket *ret)
{
  unsigned places[64][6], listed = 0;
  struct mpf_scope scopes[64];
  bool summed[6];

  while (listed < shape->functions && listed < 64 && (listed == 0 || shape->masks[listed]))
    listed++;
  for (unsigned v = 0; v < shape->variables; v++) summed[v] = shape->summed >> v & 1;
  for (unsigned f = 0; f < shape->functions; f++) {
    scopes[f] = (struct mpf_scope){0, places[f], NULL};
    for (unsigned v = 0; v < shape->variables; v++)
      if (shape->masks[f % listed] >> v & 1) places[f][scopes[f].count++] = v;
  }
  return mpf_bucket_build(shape->functions, scopes, shape->domains, summed, ret);
}

/* Every other bucket gets zeros, every fourth magnitudes far apart. */
static void fill(struct mpf_case *one, enum mpf_domain domain, unsigned number)
{
  mpf_random_values(number, domain, number % 4 == 3 && domain == MPF_LOG ? 300 : 1, one->values,
                    one->size);
  for (size_t i = 0; number % 2 && i < one->size; i += 3 + number % 5)
    one->values[i] = domain == MPF_LINEAR ? 0 : -INFINITY;
}

static int compare(const char *what, const char *name, unsigned number, enum mpf_domain domain,
                   const real *wanted, const real *have, size_t count)
{
  double error = mpf_error_of(domain, wanted, have, count);

  if (error < tolerance) return 0;
  printf("check: FAILED: %s, %s %u, %s domain: error %g\n", what, name, number,
         domain == MPF_LINEAR ? "linear" : "log", error);
  return 1;
}

static int check_bucket(const char *name, unsigned number, struct mpf_bucket *bucket,
                        enum mpf_domain domain, bool keep)
{
  struct mpf_case one;
  size_t outputs = bucket->outputs;
  real *wanted = malloc((outputs + 1) * sizeof *wanted),
       *have = malloc((outputs + 1) * sizeof *have);
  int failed = !wanted || !have || mpf_case_begin(&one, bucket);

  if (!failed) {
    fill(&one, domain, number);
    mpf_scalar(&one.bucket, domain, one.tables, 0, outputs, wanted);
    failed = mpf_cpu(&one.bucket, domain, one.tables, 0, have) ||
             compare("CPU", name, number, domain, wanted, have, outputs);
    for (size_t pages = 0; pages < 64 && !failed; pages = pages ? pages * 7 : 1)
      failed = mpf_case_run(&one, domain, pages) ||
               compare("device", name, number, domain, wanted, one.output, outputs);
    if (keep)
      mpf_bucket_free(&one.bucket);
    else
      mpf_case_end(&one);
  } else {
    puts("check: FAILED: out of memory");
  }
  free(wanted);
  free(have);
  return failed;
}

int mpf_command_check(int argc, char **argv)
{
  static const char *const known[] = {
      "--random=", "--seed=", "--max-flop=", "--keep", "--summed=", NULL};
  const char *other = mpf_known(argc, argv, known);
  struct mpf_random random = {.seed = (uint64_t)mpf_number("--seed", 1),
                              .summed = (unsigned)mpf_number("--summed", 1),
                              .least_flop = 100,
                              .most_bytes = 1 << 24,
                              .most_flop = mpf_number("--max-flop", 1e5)};
  unsigned count = (unsigned)mpf_number("--random", 40);
  bool keep = mpf_flag("--keep");
  int failed = 0;

  if (other || random.summed < 1 || random.summed > MPF_RANDOM_SUMMED) {
    fprintf(stderr, "mpf: unknown word '%s'\n", other ? other : "--summed");
    return 1;
  }
  for (enum mpf_domain domain = MPF_LINEAR; domain < MPF_DOMAIN_COUNT; domain++) {
    struct mpf_bucket bucket;
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes && !failed; i++)
      failed = build_shape(&shapes[i], &bucket) ||
               check_bucket(shapes[i].name, i, &bucket, domain, keep);
    for (unsigned i = 0; i < count && !failed; i++)
      failed = mpf_random_bucket(&random, i, &bucket) ||
               check_bucket("random bucket", i, &bucket, domain, keep);
  }
  puts(failed ? "check: FAILED" : "check: ok");
  return failed ? 2 : 0;
}
