/* problem.c - a data set with its outputs, and the error of results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "limited.h"

static size_t numbers(const struct limited_problem *problem)
{
  return (size_t)problem->space.outputs * problem->app->channels;
}

int limited_problem_init(struct limited_problem *problem, const struct limited_app *app,
                         const struct limited_set *set, const float *elements, uint64_t seed)
{
  char message[MESI_BIN_MESSAGE];
  uint64_t random = seed;
  *problem = (struct limited_problem){
      .app = app, .set = *set, .count = set->count, .threads = mpf_cpu_cores()};
  if (limited_space_init(&problem->space, app, set, set->count, message)) {
    fprintf(stderr, "%s: %s\n", app->name, message);
    return -1;
  }
  size_t words = (size_t)set->count * app->words;
  problem->elements = limited_alloc(words);
  problem->out = limited_alloc(numbers(problem));
  problem->host_out = limited_alloc(numbers(problem));
  mesi_touch_range(problem->elements, words * sizeof(float), MESI_WRITE | MESI_OVERWRITE);
  if (elements)
    memcpy(problem->elements, elements, words * sizeof(float));
  else
    app->make(set, &random, problem->elements);
  return !elements && set->paper_bins ? limited_fit(app, set, &random, problem->elements) : 0;
}

void limited_problem_finish(struct limited_problem *problem)
{
  limited_free(problem->elements);
  limited_free(problem->out);
  limited_free(problem->host_out);
}

double *limited_make_reference(const struct limited_problem *problem, int plane_step)
{
  double *ret = calloc(numbers(problem), sizeof *ret);
  struct limited_rows rows;
  if (!ret) {
    fprintf(stderr, "not enough memory\n");
    exit(1);
  }
  mesi_touch_range(problem->elements, (size_t)problem->count * problem->app->words * sizeof(float),
                   MESI_READ);
  limited_rows_init(&rows, problem->app, &problem->space, problem->elements, problem->count);
  struct limited_work work = {.space = &problem->space,
                              .rows = &rows,
                              .targets = problem->elements,
                              .plane_step = plane_step,
                              .out = ret};
  limited_reference(problem->app, &work, problem->threads);
  limited_rows_finish(&rows);
  return ret;
}

double limited_error(const struct limited_problem *problem, const double *reference, int plane_step)
{
  const struct limited_space *space = &problem->space;
  size_t all = numbers(problem),
         plane = space->at_elements
                     ? all
                     : (size_t)space->points[0] * space->points[1] * problem->app->channels;
  double difference = 0, square = 0;
  mesi_touch_range(problem->out, all * sizeof(float), MESI_READ);
  for (size_t i = 0; i < all; i++) {
    if (i / plane % (size_t)plane_step) continue;
    double d = problem->out[i] - reference[i];
    difference += d * d;
    square += reference[i] * reference[i];
  }
  return sqrt(difference / square);
}

/* ---- statistics ---- */

void limited_statistics(const struct limited_problem *problem, const struct mesi_bins *bins)
{
  const struct limited_set *set = &problem->set;
  double n = (double)bins->bin_count; /* the paper's deviation is that of a sample */
  printf("%-12s %12s %12s %8s %8s %12s %12s\n", set->name, problem->app->elements, "bins", "least",
         "most", "mean", "deviation");
  printf("%-12s %12lld %12lld %8lld %8lld %12.6f %12.6f\n", "generated", bins->count,
         bins->bin_count, bins->depths.least, bins->depths.most, bins->depths.mean,
         bins->depths.deviation * sqrt(n / (n - 1)));
  if (set->paper_bins)
    printf("%-12s %12ld %12lld %8d %8lld %12.6f %12.6f\n", "paper", set->count, set->paper_bins, 0,
           set->paper_most, set->paper_mean, set->paper_deviation);
}

int limited_sets(const struct limited_app *app, uint64_t seed, long most)
{
  struct mesi_bin_options options = limited_options(app, LIMITED_RANGES);
  int status = 0;
  for (unsigned i = 0; i < app->set_count && !status; i++) {
    struct limited_problem problem;
    struct mesi_bins bins;
    if (app->sets[i].count > most) continue;
    if (limited_problem_init(&problem, app, &app->sets[i], NULL, seed)) return 2;
    status = mesi_bin_init(&bins, &problem.space.grid, &options);
    if (!status) status = mesi_bin_count(&bins, problem.elements, problem.count);
    if (status)
      fprintf(stderr, "%s: %s\n", app->name, bins.message);
    else
      limited_statistics(&problem, &bins);
    mesi_bin_finish(&bins);
    limited_problem_finish(&problem);
  }
  return status ? 2 : 0;
}
