/* check.c - every form, limits, the host's share and pieces against the reference; bad input. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limited.h"

struct checked {
  const struct limited_problem *problem;
  const double *reference;
  int failures;
};

static void expect_close(struct checked *checked, const char *form, const char *what)
{
  double error = limited_error(checked->problem, checked->reference, 1);
  double tolerance = checked->problem->app->tolerance;
  bool good = error <= tolerance;
  printf("%-26s %-32s ", form, what);
  if (good) /* not its value, which depends on the order of sums */
    printf("within %g\n", tolerance);
  else
    printf("error %.3g: above %g\n", error, tolerance);
  checked->failures += !good;
}

static int expect_status(struct checked *checked, const char *what, int status, int wanted,
                         const char *message)
{
  bool good = status == wanted && (!wanted || message[0]);
  if (!good || wanted)
    printf("%-26s %s%s\n", what, message, good ? "" : ": not the status that it should be");
  checked->failures += !good;
  return good ? 0 : -1;
}

static void check_partition(struct checked *checked, struct mesi_bins *bins, enum limited_form form)
{
  const struct limited_problem *problem = checked->problem;
  int most = (int)bins->depths.most, runs;
  struct limited_partition partition;
  char what[64];
  for (int depth = most > 1 ? (most + 1) / 2 : 1; depth < most; depth += most / 4 + 1) {
    if (expect_status(checked, "partition",
                      limited_run_partition(problem, bins, form, depth, &partition), 0,
                      bins->message))
      return;
    snprintf(what, sizeof what, "depth %d, %lld on the host", depth, partition.overflow);
    expect_close(checked, limited_form_name(form), what);
  }
  if (expect_status(checked, "balance", limited_balance(problem, bins, form, &partition, &runs), 0,
                    bins->message))
    return;
  expect_close(checked, limited_form_name(form), "balanced");
}

/* Regular bins that do not fit as a whole. */
static void check_limited(struct checked *checked, struct mesi_bins *bins, enum limited_form form)
{
  struct limited_partition partition;
  if (!expect_status(checked, "partition",
                     limited_run_partition(checked->problem, bins, form, 8, &partition), 0,
                     bins->message))
    expect_close(checked, limited_form_name(form), "depth 8");
}

static void check_pieces(struct checked *checked, struct mesi_bins *bins)
{
  const struct limited_problem *problem = checked->problem;
  struct limited_partition partition;
  int depth = (int)(bins->depths.most + 1) / 2, runs;
  if (expect_status(checked, "pieces", limited_run_pieces(problem, bins, depth, &partition), 0,
                    bins->message))
    return;
  expect_close(checked, limited_form_name(LIMITED_RANGES), "the rest in pieces");
  if (expect_status(checked, "pieces", limited_balance_pieces(problem, bins, &partition, &runs), 0,
                    bins->message))
    return;
  expect_close(checked, limited_form_name(LIMITED_RANGES), "the rest in pieces, balanced");
}

static void check_form(struct checked *checked, enum limited_form form, bool stable)
{
  const struct limited_problem *problem = checked->problem;
  struct mesi_bin_options options = limited_options(problem->app, form);
  struct mesi_bins bins;
  options.stable = stable;
  if (expect_status(checked, "init", mesi_bin_init(&bins, &problem->space.grid, &options), 0,
                    bins.message))
    return;
  int status = mesi_bin_fill(&bins, problem->elements, problem->count, 0);
  if (status == MESI_BIN_NO_MEMORY && options.form != MESI_BIN_COMPACT) {
    printf("%-26s %s\n", limited_form_name(form), bins.message);
    check_limited(checked, &bins, form);
  } else if (!expect_status(checked, "fill", status, 0, bins.message) &&
             !expect_status(checked, "launch", limited_launch(problem, &bins, form), 0,
                            bins.message)) {
    expect_close(checked, limited_form_name(form), stable ? "stable" : "");
    if (form == LIMITED_RANGES || form == LIMITED_COUNTED) check_partition(checked, &bins, form);
    if (form == LIMITED_RANGES) check_pieces(checked, &bins);
  }
  mesi_bin_finish(&bins);
}

static void check_bad_input(struct checked *checked)
{
  const struct limited_problem *problem = checked->problem;
  struct mesi_bin_options options = limited_options(problem->app, LIMITED_RANGES);
  struct limited_app app = *problem->app;
  struct limited_space space;
  struct mesi_bins bins;
  char message[MESI_BIN_MESSAGE];
  float *x = &problem->elements[(problem->count / 2) * (long)app.words], kept = *x;
  struct limited_set many = problem->set;
  many.bins[0] = many.bins[1] = many.bins[2] = 1500;
  expect_status(checked, "many bins:", limited_space_init(&space, &app, &many, 1, message),
                MESI_BIN_BAD_GRID, message);
  many.bins[0] = many.bins[1] = many.bins[2] = 1200;
  many.spacing = many.edge / 2;
  if (!app.at_elements)
    expect_status(checked, "many outputs:", limited_space_init(&space, &app, &many, 1, message),
                  MESI_BIN_BAD_GRID, message);
  app.cutoff = 0;
  expect_status(checked, "no cutoff:", limited_space_init(&space, &app, &problem->set, 1, message),
                MESI_BIN_BAD_GRID, message);
  if (expect_status(checked, "init", mesi_bin_init(&bins, &problem->space.grid, &options), 0,
                    bins.message))
    return;
  expect_status(checked, "empty set:", mesi_bin_fill(&bins, problem->elements, 0, 0),
                MESI_BIN_EMPTY, bins.message);
  *x = NAN;
  expect_status(checked,
                "not a number:", mesi_bin_fill(&bins, problem->elements, problem->count, 0),
                MESI_BIN_NOT_FINITE, bins.message);
  *x = -1e6f;
  expect_status(checked, "far away:", mesi_bin_fill(&bins, problem->elements, problem->count, 0),
                MESI_BIN_OUTSIDE, bins.message);
  *x = kept;
  mesi_bin_finish(&bins);
}

int limited_check(const struct limited_app *app, const struct limited_set *set, uint64_t seed)
{
  struct limited_problem problem;
  if (limited_problem_init(&problem, app, set, NULL, seed)) return 2;
  double *reference = limited_make_reference(&problem, 1);
  struct checked checked = {.problem = &problem, .reference = reference};
  for (int form = 0; form < LIMITED_FORM_COUNT; form++)
    check_form(&checked, (enum limited_form)form,
               form == LIMITED_SINGLE || form == LIMITED_SENTINEL);
  check_bad_input(&checked);
  free(reference);
  limited_problem_finish(&problem);
  puts(checked.failures ? "check: FAILED" : "check: ok");
  return checked.failures ? 2 : 0;
}
