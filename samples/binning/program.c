/* program.c - the program of an application.
 *
 *     NAME sets [--seed N] [--most N]                    statistics of the data sets (of at most N
 *         elements) beside the paper's
 *     NAME check [--set S] [--seed N]                    every form against the reference,
 *         bad input
 *     NAME figures [--set S] [--seed N] [--repeats N] [--planes N]   the paper's figures and tables
 *     NAME table [--set S] [--seed N] [--repeats N]      of these,
 *         table 5 at the depths that are found by measuring
 *     NAME depths [--set S] [--seed N]                   of these,
 *         depths of compact bins and the automatic one
 *     NAME forms [--set S] [--seed N] [--repeats N]      of these, the forms of bins side by side
 *     NAME run [FILE] [--set S] [--seed N] [--depth N] [--alone] [--write FILE]
 *         [--image FILE]                             the outputs of a data set or file, at a depth
 * or at the best one; --alone: without the host
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limited.h"
#include "words.h"

static const char *const known[] = {"--set=",   "--seed=",  "--repeats=", "--planes=", "--most=",
                                    "--depth=", "--write=", "--image=",   "--alone",   NULL};

static const struct limited_set *set_named(const struct limited_app *app, const char *name)
{
  for (unsigned i = 0; i < app->set_count; i++)
    if (!name || !strcmp(app->sets[i].name, name)) return &app->sets[i];
  fprintf(stderr, "%s: there is no data set '%s'; there are", app->name, name);
  for (unsigned i = 0; i < app->set_count; i++) fprintf(stderr, " %s", app->sets[i].name);
  fputc('\n', stderr);
  exit(1);
}

static void print_bins(const struct limited_app *app, const struct mesi_bins *bins)
{
  printf("%lld %s, %lld bins, depth %lld to %lld, mean %.6f, deviation %.6f\n", bins->count,
         app->elements, bins->bin_count, bins->depths.least, bins->depths.most, bins->depths.mean,
         bins->depths.deviation);
}

struct chosen {
  int depth;  /* 0: the one that is found */
  bool alone; /* without the host */
};

static int run_chosen(const struct limited_problem *problem, struct mesi_bins *bins,
                      struct chosen chosen, struct limited_partition *ret)
{
  int runs;
  if (chosen.alone)
    return chosen.depth ? limited_run_pieces(problem, bins, chosen.depth, ret)
                        : limited_balance_pieces(problem, bins, ret, &runs);
  return chosen.depth ? limited_run_partition(problem, bins, LIMITED_RANGES, chosen.depth, ret)
                      : limited_balance(problem, bins, LIMITED_RANGES, ret, &runs);
}

static int run_problem(const struct limited_problem *problem, struct chosen chosen)
{
  struct mesi_bin_options options = limited_options(problem->app, LIMITED_RANGES);
  struct limited_partition partition;
  struct mesi_bins bins;
  int status = mesi_bin_init(&bins, &problem->space.grid, &options);
  if (!status) status = mesi_bin_count(&bins, problem->elements, problem->count);
  if (!status) {
    print_bins(problem->app, &bins);
    status = run_chosen(problem, &bins, chosen, &partition);
  }
  if (status)
    fprintf(stderr, "%s: %s\n", problem->app->name, bins.message);
  else
    printf("depth %d of %lld, %lld %s %s: %.3f ms (device %.3f, host %.3f)%s\n", partition.depth,
           bins.depths.most, partition.overflow, problem->app->elements,
           chosen.alone ? "in pieces" : "on the host", partition.all, partition.device,
           partition.host, chosen.depth ? "" : ", found by measuring");
  mesi_bin_finish(&bins);
  return status ? 2 : 0;
}

/* 0, or 2: it cannot be written. */
static int write_to(const struct limited_problem *problem, const char *path,
                    int (*write)(const char *, const struct limited_space *, const float *))
{
  if (!path) return 0;
  mesi_touch_range(problem->out,
                   (size_t)problem->space.outputs * problem->app->channels * sizeof(float),
                   MESI_READ);
  if (write && !write(path, &problem->space, problem->out)) return 0;
  fprintf(stderr, "%s: %s cannot be written\n", problem->app->name, path);
  return 2;
}

static int run(const struct limited_app *app, const char *file, const char *name, uint64_t seed,
               struct chosen chosen)
{
  struct limited_set set;
  struct limited_problem problem;
  float *elements = NULL;
  if (file && !app->read) {
    fprintf(stderr, "%s reads no files\n", app->name);
    return 1;
  }
  if (file && app->read(file, &set, &elements)) return 2;
  if (!file) set = *set_named(app, name);
  int status = limited_problem_init(&problem, app, &set, elements, seed) ? 2 : 0;
  free(elements);
  if (status) return status;
  status = run_problem(&problem, chosen);
  if (!status) status = write_to(&problem, mpf_option("--write"), app->write);
  if (!status) status = write_to(&problem, mpf_option("--image"), app->image);
  limited_problem_finish(&problem);
  return status;
}

int limited_program(const struct limited_app *app, int argc, char **argv)
{
  char usage[640];
  snprintf(
      usage, sizeof usage,
      "%s sets [--seed N] [--most N]\n%s check [--set S] [--seed N]\n%s figures [--set S] "
      "[--seed N] [--repeats N] [--planes N]\n"
      "%s table [--set S] [--seed N] [--repeats N]\n%s depths [--set S] [--seed N]\n%s forms "
      "[--set S] [--seed N] [--repeats N]\n"
      "%s run [FILE] [--set S] [--seed N] [--depth N] [--alone] [--write FILE] [--image FILE]\n",
      app->name, app->name, app->name, app->name, app->name, app->name, app->name);
  mpf_words_begin(app->name, usage);
  const char *verb = argc > 1 ? argv[1] : "";
  argc = argc > 2 ? argc - 2 : 0;
  argv += 2;
  const char *file = mpf_known(argc, argv, known), *name = mpf_option("--set");
  uint64_t seed = (uint64_t)mpf_number("--seed", 1);
  int repeats = (int)mpf_number("--repeats", 5), planes = (int)mpf_number("--planes", 1);
  struct chosen chosen = {.depth = (int)mpf_number("--depth", 0), .alone = mpf_flag("--alone")};
  if (!strcmp(verb, "sets") && !file)
    return limited_sets(app, seed, (long)mpf_number("--most", 1e18));
  if (!strcmp(verb, "check") && !file) return limited_check(app, set_named(app, name), seed);
  if (!strcmp(verb, "figures") && !file && repeats > 0 && planes > 0)
    return limited_figures(app, set_named(app, name), seed, repeats, planes);
  if (!strcmp(verb, "table") && !file && repeats > 0)
    return limited_table(app, set_named(app, name), seed, repeats);
  if (!strcmp(verb, "depths") && !file) return limited_depths(app, set_named(app, name), seed);
  if (!strcmp(verb, "forms") && !file && repeats > 0)
    return limited_forms(app, set_named(app, name), seed, repeats);
  if (!strcmp(verb, "run")) return run(app, file, name, seed, chosen);
  fputs(usage, stderr);
  return 1;
}
