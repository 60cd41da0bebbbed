/* bench_figures.c - junction figures: the paper's figures 3, 4 and 5, with the versions by hand
 * (by_hand.h) beside the plain kernels.
 *
 * Figure 3 is what unrolling and the column-major layout give each primitive; the paper has it of
 * the division. Figure 4 is the primitives over the number of blocks, each parameter by itself.
 * Figure 5 is a computation kernel over processing units, and here over the clique's width, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "trial.h"
#include "verbs.h"
#include "words.h"

enum { WIDTH, STATES, SEPARATOR, CHILDREN, AXIS_COUNT };
enum { PAPER_CORES = 4, MOST_CASES = 9, MOST_BLOCK_COUNTS = 8 };

struct figures {
  unsigned width;   /* the greatest one */
  unsigned entries; /* of figure 3's division: 2 to the power of it */
  int repeats;
};

struct timed {
  struct junction_trial *trial;
  enum junction_part part;
  enum junction_form form;
  unsigned blocks;   /* 0: the plain kernels */
  const real *above; /* not NULL: a division of these */
  real *below;
  size_t count;
};

static const char *const part_names[] = {"marginalise", "divide", "multiply", "all"};

/* ---- one case ---- */

static int begin(const unsigned *at, struct junction_trial *ret)
{
  struct junction_shape shape = {.count = at[WIDTH]};
  uint64_t separators[MOST_CASES] = {0};

  for (unsigned i = 0; i < at[WIDTH]; i++) shape.sizes[i] = at[STATES];
  for (unsigned k = 0; k < at[CHILDREN]; k++) /* spread over the clique, no two the same */
    for (unsigned i = 0; i < at[SEPARATOR] && i < at[WIDTH]; i++)
      separators[k] |= UINT64_C(1) << (k + i * at[WIDTH] / at[SEPARATOR]) % at[WIDTH];
  if (!junction_trial_begin(ret, &shape, at[CHILDREN], separators, MPF_LINEAR, 64, 1, false) &&
      ret->hand)
    return 0;
  fprintf(stderr, "junction: the case does not fit\n");
  junction_trial_end(ret);
  return 1;
}

static void run(void *context)
{
  const struct timed *timed = context;

  if (timed->above && timed->blocks)
    junction_by_hand->divide(timed->form, timed->blocks, timed->above, timed->below, timed->count,
                             timed->below);
  else if (timed->above)
    junction_device_divide(MPF_LINEAR, timed->above, timed->below, timed->count, timed->below);
  else if (timed->blocks)
    junction_trial_by_hand(timed->trial, timed->part, timed->form, timed->blocks);
  else
    junction_trial_device(timed->trial, timed->part);
}

/* Microseconds of one call. */
static double measure(struct timed timed, int repeats)
{
  double first = junction_device_time(run, &timed, 1, 1);

  return 1e3 * junction_device_time(run, &timed, first > 20 ? 1 : repeats, first < 1 ? 20 : 1);
}

/* The version by hand against double precision; a count of failures. */
static int check(struct junction_trial *trial, enum junction_form form, unsigned blocks)
{
  junction_trial_restore(trial);
  junction_trial_by_hand(trial, JUNCTION_ALL, form, blocks);
  junction_device_wait();
  double error = junction_trial_error(trial, true);
  junction_trial_restore(trial);
  if (error >= 0 && error < 1e-4) return 0;
  printf("form %d, %u blocks: error %g\n", form, blocks, error);
  return 1;
}

/* ---- figure 3 ---- */

static void print_forms(const char *what, size_t entries, const double *us, double ours)
{
  printf("figure 3 | %-11s | %9zu | %9.2f | %9.2f | %9.2f | %9.2f | %6.1f | %6.1f\n", what, entries,
         us[JUNCTION_NAIVE], us[JUNCTION_UNROLLED], us[JUNCTION_COLUMNS], ours,
         100 * (1 - us[JUNCTION_UNROLLED] / us[JUNCTION_NAIVE]),
         100 * (1 - us[JUNCTION_COLUMNS] / us[JUNCTION_UNROLLED]));
  fflush(stdout);
}

static int divide_forms(const struct figures *figures)
{
  size_t count = (size_t)1 << figures->entries;
  real *above = junction_device_alloc(count), *below = junction_device_alloc(count);
  double us[JUNCTION_FORM_COUNT];

  if (!above || !below) return 1;
  for (size_t i = 0; i < count; i++) above[i] = 1, below[i] = 1;
  struct timed timed = {.above = above, .below = below, .count = count};
  double ours = measure(timed, figures->repeats);
  timed.blocks = JUNCTION_MOST_BLOCKS;
  for (enum junction_form form = 0; form < JUNCTION_FORM_COUNT; form++) {
    timed.form = form;
    us[form] = measure(timed, figures->repeats);
  }
  print_forms("divide", count, us, ours);
  junction_device_free(above);
  junction_device_free(below);
  return 0;
}

static int figure_3(const struct figures *figures)
{
  const unsigned at[AXIS_COUNT] = {figures->width < 20 ? figures->width : 20, 2, 2, 2};
  struct junction_trial trial;
  int failed = 0;

  printf("figure 3 | primitive   |   entries |  naive us | unrolled  |  columns  |  plain kernels |"
         " unrolling %% | columns %%\n");
  if (divide_forms(figures) || begin(at, &trial)) return 1;
  for (enum junction_form form = 0; form < JUNCTION_FORM_COUNT; form++)
    failed += check(&trial, form, JUNCTION_MOST_BLOCKS);
  for (enum junction_part part = 0; part < JUNCTION_PART_COUNT; part++) {
    double us[JUNCTION_FORM_COUNT];
    if (part == JUNCTION_DIVIDE) continue;
    for (enum junction_form form = 0; form < JUNCTION_FORM_COUNT; form++)
      us[form] = measure((struct timed){&trial, part, form, JUNCTION_MOST_BLOCKS, NULL, NULL, 0},
                         figures->repeats);
    double ours = measure((struct timed){.trial = &trial, .part = part}, figures->repeats);
    print_forms(part_names[part], trial.size, us, ours);
  }
  junction_trial_end(&trial);
  return failed;
}

/* ---- figure 4 ---- */

static int over_blocks(const struct figures *figures, const unsigned *at)
{
  struct junction_trial trial;

  if (begin(at, &trial)) return 1;
  int failed = check(&trial, JUNCTION_COLUMNS, 16);
  for (unsigned blocks = 1; blocks <= JUNCTION_MOST_BLOCKS; blocks *= 2) {
    printf("figure 4 | %u/%u/%u/%u | %3u", at[WIDTH], at[STATES], at[SEPARATOR], at[CHILDREN],
           blocks);
    for (enum junction_part part = 0; part < JUNCTION_ALL; part++) {
      struct timed timed = {.trial = &trial, .part = part, .form = JUNCTION_COLUMNS};
      timed.blocks = blocks;
      printf(" | %9.2f", measure(timed, figures->repeats));
    }
    printf("\n");
    fflush(stdout);
  }
  junction_trial_end(&trial);
  return failed;
}

static int figure_4(const struct figures *figures)
{
  const unsigned first = figures->width < 25 ? figures->width - 4 : 15,
                 step = figures->width < 25 ? 2 : 5;
  const unsigned cases[][AXIS_COUNT] = {
      {first, 2, 2, 2}, {first + step, 2, 2, 2}, {first + 2 * step, 2, 2, 2},
      {first, 3, 2, 2}, {first, 2, 1, 2},        {first, 2, 4, 2},
      {first, 2, 2, 1}, {first, 2, 2, 4}};
  int failed = 0;

  printf("figure 4 | width/states/separator/children | blocks of 96 | marginalise us | divide us | "
         "multiply us\n");
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    failed += over_blocks(figures, cases[i]);
  return failed;
}

/* ---- figure 5 ---- */

static double now_us(void)
{
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/* The least of some runs, microseconds. */
static double cpu_us(struct junction_trial *trial,
                     void (*body)(struct junction_trial *, enum junction_part, unsigned),
                     unsigned threads)
{
  double best = INFINITY, start = now_us();

  junction_trial_restore(trial);
  for (int i = 0; i < 2 || (i < 100 && now_us() - start < 3e4); i++) {
    double from = now_us();
    body(trial, JUNCTION_ALL, threads);
    best = fmin(best, now_us() - from);
  }
  return best;
}

static double device_us(struct junction_trial *trial, unsigned blocks, int repeats)
{
  struct timed timed = {.trial = trial, .part = JUNCTION_ALL, .form = JUNCTION_COLUMNS};

  timed.blocks = blocks;
  junction_trial_restore(trial);
  return measure(timed, repeats);
}

static int over_units(const struct figures *figures)
{
  const unsigned at[AXIS_COUNT] = {figures->width < 20 ? figures->width : 20, 2, 2, 4};
  unsigned cores = mpf_cpu_cores();
  struct junction_trial trial;

  if (begin(at, &trial)) return 1;
  int failed = check(&trial, JUNCTION_COLUMNS, JUNCTION_MOST_BLOCKS);
  for (unsigned units = 1; units <= JUNCTION_MOST_BLOCKS; units *= 2) {
    printf("figure 5 | units | %3u", units);
    if (units <= cores && units <= PAPER_CORES)
      printf(" | %9.2f | %9.2f", cpu_us(&trial, junction_trial_plain, units),
             cpu_us(&trial, junction_trial_cpu, units));
    else
      printf(" | %9s | %9s", "", "");
    printf(" | %9.2f\n", device_us(&trial, units, figures->repeats));
    fflush(stdout);
  }
  junction_trial_end(&trial);
  return failed;
}

static int over_widths(const struct figures *figures)
{
  unsigned cores = mpf_cpu_cores() < PAPER_CORES ? mpf_cpu_cores() : PAPER_CORES;
  int failed = 0;

  for (unsigned width = 8; width <= figures->width; width += 2) {
    const unsigned at[AXIS_COUNT] = {width, 2, 2, 4};
    struct junction_trial trial;
    if (begin(at, &trial)) return 1;
    failed += check(&trial, JUNCTION_COLUMNS, JUNCTION_MOST_BLOCKS);
    printf("figure 5 | width | %3u | %9.2f | %9.2f | %9.2f | %9.2f\n", width,
           cpu_us(&trial, junction_trial_plain, cores), cpu_us(&trial, junction_trial_cpu, cores),
           device_us(&trial, JUNCTION_MOST_BLOCKS, figures->repeats),
           device_us(&trial, 0, figures->repeats));
    fflush(stdout);
    junction_trial_end(&trial);
  }
  return failed;
}

static int figure_5(const struct figures *figures)
{
  printf("figure 5 | units | cores or blocks | CPU, the paper's kind us | CPU, best us | by hand us"
         "\n");
  int failed = over_units(figures);
  printf(
      "figure 5 | width | of the clique | CPU, the paper's kind, 4 cores us | CPU, best, 4 cores "
      "us | by hand, 128 blocks us | plain kernels us\n");
  return failed + over_widths(figures);
}

int junction_figures(int argc, char **argv)
{
  static const char *const known[] = {"--width=", "--entries=", "--repeats=", "--figure=", NULL};
  const char *other = mpf_known(argc, argv, known);
  struct figures figures = {.width = (unsigned)mpf_number("--width", 25),
                            .entries = (unsigned)mpf_number("--entries", 22),
                            .repeats = (int)mpf_number("--repeats", 7)};
  int only = (int)mpf_number("--figure", 0), failed = 0;

  if (other || !junction_by_hand || figures.width < 8 || figures.width > 28 ||
      figures.entries > 28 || figures.repeats < 1) {
    fprintf(stderr, "junction: bad option of figures\n");
    return 1;
  }
  printf("%s, by hand: blocks of 96 threads\n", junction_device_name());
  if (!only || only == 3) failed += figure_3(&figures);
  if (!only || only == 4) failed += figure_4(&figures);
  if (!only || only == 5) failed += figure_5(&figures);
  printf(failed ? "check: FAILED\n" : "check: ok\n");
  return failed ? 2 : 0;
}
