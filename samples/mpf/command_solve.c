/* command_solve.c - mpf solve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "crew.h"
#include "device.h"
#include "mpf_cpu.h"
#include "solve.h"
#include "words.h"

static double seconds(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int fail(const char *text)
{
  fprintf(stderr, "mpf: %s\n", text);
  return 1;
}

/* minfill, weighted, edges, random:N; a number after any of them is that of the tries. */
static int parse_order(const char *text, struct mpf_options *options)
{
  size_t length = strcspn(text, ":");
  char *end = NULL;

  if (length == 7 && !strncmp(text, "minfill", 7))
    options->rule = MPF_ORDER_FILL;
  else if (length == 8 && !strncmp(text, "weighted", 8))
    options->rule = MPF_ORDER_WEIGHT;
  else if (length == 5 && !strncmp(text, "edges", 5))
    options->rule = MPF_ORDER_EDGES;
  else if (length == 6 && !strncmp(text, "random", 6))
    options->rule = MPF_ORDER_RULE_COUNT;
  else
    return fail("--order is minfill, weighted, edges or random:N");
  options->more_tries = false;
  if (text[length]) options->tries = (unsigned)strtoul(text + length + 1, &end, 10);
  if ((end && *end) || !options->tries || options->tries > 1000000 || (text[0] == 'r' && !end))
    return fail("--order needs a number of tries, as in random:100");
  return 0;
}

static void print_marginals(const struct mpf_network *network, const struct mpf_result *result)
{
  for (unsigned v = 0; v < network->variable_count; v++) {
    const double *marginal = result->marginals[v];
    if (network->names)
      printf("%s", network->names[v]);
    else
      printf("%u", v);
    for (unsigned k = 0; marginal && k < network->domains[v]; k++) printf(" %.6g", marginal[k]);
    printf(marginal ? "\n" : " 1\n");
  }
}

static void print_result(const struct mpf_network *network, const struct mpf_options *options,
                         const struct mpf_result *result, double time)
{
  if (result->marginals) print_marginals(network, result);
  printf("log10 Z %.8g\n", result->log10_z);
  if (options->quiet) return;
  char threshold[64];
  const char *what = result->tree ? "cliques" : "buckets";
  fprintf(stderr,
          "mpf: %.3g s, %.3g FLOP in %lu %s on %u cores, %.3g FLOP in %lu %s, %lu batches on the "
          "device (%s)\n",
          time, result->flop[0], result->buckets[0], what, mpf_cpu_cores(), result->flop[1],
          result->buckets[1], what, result->batches, mpf_device_name());
  if (result->tree && result->branches > 1)
    fprintf(stderr, "mpf: up to %u branches of the tree at once\n", result->branches);
  if (result->several)
    fprintf(stderr, "mpf: %lu variables were summed together with another one\n", result->several);
  if (result->times.device > 0)
    fprintf(stderr,
            "mpf: the device worked for %.3g s; meanwhile %.3g s of other buckets on the CPU and "
            "%.3g s of preparation\n",
            result->times.device, result->times.computed, result->times.prepared);
  fprintf(stderr, "mpf: tables took up to %.1f MB, %.0f condition%s, %s\n",
          (double)result->peak * 1e-6, result->conditions, result->conditions == 1 ? "" : "s",
          mpf_threshold_text(result->threshold, threshold, sizeof threshold));
}

/* Z is 0, or the linear domain cannot tell it from 0: the log domain can. */
static void explain_zero(const struct mpf_network *network, const struct mpf_options *options,
                         bool evidence)
{
  struct mpf_options again = *options;
  struct mpf_result result = {.log10_z = -INFINITY};
  struct mpf_error error;

  again.domain = MPF_LOG;
  again.marginals = false;
  if (options->domain == MPF_LINEAR && mpf_solve(network, &again, &result, &error))
    fprintf(stderr, "mpf: the partition function is 0, or underflowed in the linear domain: %s\n",
            error.text);
  else if (result.log10_z > -INFINITY)
    fprintf(stderr, "mpf: the linear domain underflowed to 0; with --log: log10 Z %.8g\n",
            result.log10_z);
  else
    fprintf(stderr, "mpf: the partition function is 0%s\n",
            evidence ? ": the evidence is impossible" : "");
  mpf_result_free(&result);
}

/* What the linear domain held badly. */
static void warn(const struct mpf_result *result)
{
  if (result->denormal && result->log10_z > -INFINITY)
    fprintf(stderr,
            "mpf: %zu results are below the normal range of the linear domain and imprecise; --log "
            "has no such limit\n",
            result->denormal);
}

static int solve(const char *path, const char *evidence, const struct mpf_options *options)
{
  struct mpf_network network;
  struct mpf_result result;
  struct mpf_error error;
  double start = seconds();

  if (mpf_network_read(path, &network, &error)) return fail(error.text);
  int status = evidence ? mpf_network_observe(&network, evidence, &error) : 0;
  mpf_network_simplify(&network);
  if (!status) status = mpf_solve(&network, options, &result, &error);
  if (status) {
    mpf_network_free(&network);
    return fail(error.text);
  }
  bool zero = result.log10_z == -INFINITY;
  if (!zero) print_result(&network, options, &result, seconds() - start);
  warn(&result);
  if (zero) explain_zero(&network, options, evidence != NULL);
  mpf_result_free(&result);
  mpf_network_free(&network);
  return zero;
}

int mpf_command_solve(int argc, char **argv)
{
  static const char *const known[] = {
      "--evidence=", "--log", "--linear", "--order=", "--seed=",  "--memory=",   "--threshold=",
      "--marginals", "--by=", "--quiet",  "--ahead=", "--single", "--branches=", NULL};
  struct mpf_options options = {.domain = MPF_LOG,
                                .rule = MPF_ORDER_RULE_COUNT,
                                .tries = 24,
                                .more_tries = true,
                                .seed = 1,
                                .threshold = -1};

  const char *path = mpf_known(argc, argv, known), *order = mpf_option("--order"),
             *by = mpf_option("--by");
  if (order && parse_order(order, &options)) return 1;
  if (by && strcmp(by, "tree") && strcmp(by, "buckets")) return fail("--by is tree or buckets");
  if (mpf_flag("--linear") && mpf_flag("--log"))
    return fail("--linear and --log exclude each other");
  options.domain = mpf_flag("--linear") ? MPF_LINEAR : MPF_LOG;
  options.seed = (uint64_t)mpf_number("--seed", 1);
  options.memory = (size_t)mpf_number("--memory", 0);
  options.threshold = mpf_number("--threshold", -1);
  options.marginals = mpf_flag("--marginals");
  options.tree = !by || !strcmp(by, "tree");
  options.several = !mpf_flag("--single");
  options.branches = (unsigned)mpf_number("--branches", 0);
  options.ahead = (unsigned)mpf_number("--ahead", 16);
  options.quiet = mpf_flag("--quiet");
  return path ? solve(path, mpf_option("--evidence"), &options) : fail("solve needs a network");
}
