/* verify.c - junction check: the computation kernel on small random cliques against double
 * precision, zeros included, and the junction trees of random networks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "trial.h"
#include "tree.h"
#include "verbs.h"
#include "words.h"

enum { MOST_SEPARATORS = 12, MOST_ENTRIES = 20000 };

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 16;
}

/* ---- primitives ---- */

static void random_shape(uint64_t *random, struct junction_shape *ret)
{
  static const size_t sizes[] = {1, 2, 2, 2, 3, 3, 5, 40};
  unsigned wanted = (unsigned)(next_random(random) % 14);
  size_t size = 1;

  ret->count = 0;
  for (unsigned i = 0; i < wanted; i++) {
    size_t next = sizes[next_random(random) % 8];
    if (size * next > MOST_ENTRIES) continue;
    ret->sizes[ret->count++] = next;
    size *= next;
  }
}

/* The versions by hand, where they fit. */
static double check_by_hand(struct junction_trial *trial, uint64_t number)
{
  static const unsigned blocks[] = {1, 3, 16, 128};
  double worst = 0;

  for (enum junction_form form = 0; trial->hand && form < JUNCTION_FORM_COUNT; form++) {
    junction_trial_restore(trial);
    junction_trial_by_hand(trial, JUNCTION_ALL, form, blocks[number % 4]);
    junction_device_wait();
    double error = junction_trial_error(trial, true);
    worst = error < 0 ? INFINITY : fmax(worst, error);
  }
  return worst;
}

/* Negative: out of memory. */
static double check_kernel(uint64_t number, enum mpf_domain domain, bool keep)
{
  uint64_t random = number * UINT64_C(0x9e3779b97f4a7c15) + 99, digits[MOST_SEPARATORS];
  static const size_t fan_ins[] = {2, 8, 64, 1000};
  struct junction_shape shape;
  struct junction_trial trial;
  double worst = -1;

  random_shape(&random, &shape);
  unsigned count = (unsigned)(next_random(&random) % MOST_SEPARATORS);
  for (unsigned k = 0; k < count; k++)
    digits[k] = next_random(&random) & next_random(&random) & junction_shape_all(&shape);
  size_t fan_in = fan_ins[next_random(&random) % 4];
  int status =
      junction_trial_begin(&trial, &shape, count, digits, domain, fan_in, number, number % 2);
  if (!status) {
    junction_trial_device(&trial, JUNCTION_ALL);
    junction_trial_cpu(&trial, JUNCTION_ALL, number % 3 ? 1 : mpf_cpu_cores());
    junction_device_wait();
    worst = fmax(junction_trial_error(&trial, true), junction_trial_error(&trial, false));
  }
  if (!status && domain == MPF_LINEAR) {
    junction_trial_restore(&trial);
    junction_trial_plain(&trial, JUNCTION_ALL, 3);
    worst = fmax(worst, junction_trial_error(&trial, false));
    worst = fmax(worst, check_by_hand(&trial, number));
  }
  if (!keep) junction_trial_end(&trial);
  return worst;
}

/* ---- trees ---- */

static int random_network(uint64_t *random, struct mpf_network *ret)
{
  unsigned count = 1 + (unsigned)(next_random(random) % 40),
           functions = (unsigned)(next_random(random) % 70);

  *ret = (struct mpf_network){.variable_count = count, .function_count = functions};
  ret->domains = calloc(count, sizeof *ret->domains);
  ret->functions = calloc(functions + 1, sizeof *ret->functions);
  if (!ret->domains || !ret->functions) return -1;
  for (unsigned v = 0; v < count; v++) ret->domains[v] = 2 + (unsigned)(next_random(random) % 2);
  for (unsigned f = 0; f < functions; f++) {
    struct mpf_function *function = &ret->functions[f];
    unsigned wanted = (unsigned)(next_random(random) % 4);
    function->scope = calloc(wanted + 1, sizeof *function->scope);
    if (!function->scope) return -1;
    for (unsigned i = 0; i < wanted; i++) {
      unsigned v = (unsigned)(next_random(random) % count), k = 0;
      while (k < function->count && function->scope[k] != v) k++;
      function->scope[k] = v;
      function->count += k == function->count;
    }
  }
  return 0;
}

static bool check_tree(uint64_t number)
{
  uint64_t random = number * UINT64_C(0x9e3779b97f4a7c15) + 7;
  struct mpf_network network;
  struct mpf_order order = {0};
  struct junction_tree tree = {0};
  bool good = !random_network(&random, &network) &&
              !mpf_order_find(&network, MPF_ORDER_FILL, 2, false, number + 1, &order) &&
              !junction_tree_build(&network, &order, &tree) && junction_tree_valid(&tree, &network);

  junction_tree_free(&tree);
  mpf_order_free(&order);
  mpf_network_free(&network);
  return good;
}

int junction_check(int argc, char **argv)
{
  static const char *const known[] = {"--random=", "--seed=", "--keep", NULL};
  const char *other = mpf_known(argc, argv, known);
  uint64_t count = (uint64_t)mpf_number("--random", 40), seed = (uint64_t)mpf_number("--seed", 1);
  double limit = sizeof(real) == sizeof(float) ? 2e-5 : 1e-12;
  int failed = 0;

  if (other) {
    fprintf(stderr, "junction: unknown word '%s'\n", other);
    return 1;
  }
  for (enum mpf_domain domain = MPF_LINEAR; domain < MPF_DOMAIN_COUNT; domain++)
    for (uint64_t i = 0; i < count; i++) {
      double worst = check_kernel(seed * 1000 + i, domain, mpf_flag("--keep"));
      if (worst >= 0 && worst <= limit) continue;
      printf("%s domain, case %llu: error %g\n", domain == MPF_LINEAR ? "linear" : "log",
             (unsigned long long)i, worst);
      failed++;
    }
  for (uint64_t i = 0; i < count; i++)
    if (!check_tree(seed * 1000 + i)) {
      printf("tree %llu is no junction tree\n", (unsigned long long)i);
      failed++;
    }
  printf(failed ? "check: FAILED\n" : "check: ok\n");
  return failed ? 2 : 0;
}
