/* figures.c - the figures and tables of the paper for one data set, each form beside the others in
 * one run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limited.h"

enum { MOST_DEPTHS = 64 };
static const double patience = 1000; /* ms that the host may take for a depth of a sweep */
static const double warming = 300;   /* ms of kernels before anything is timed */
/* that a kernel without bins goes through, on a GPU and on the CPU backend */
static const double most_pairs[] = {3e11, 1e9};

struct figures {
  struct limited_problem problem;
  int repeats;
  /* of sweeps, ascending; the last one leaves nothing to the host */
  int depths[MOST_DEPTHS], depth_count;
  double regular, compact; /* table 5: the best of each so far */
};

struct timed {
  double kernel; /* ms; below 0: it does not fit */
  double bin;
  size_t bytes;
};

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double kernel_time(const struct figures *figures, struct mesi_bins *bins,
                          enum limited_form form)
{
  const struct limited_problem *problem = &figures->problem;
  double times[64];
  int count = figures->repeats < 64 ? figures->repeats : 64;
  for (int i = -1; i < count; i++) {
    limited_mark(0);
    limited_launch(problem, bins, form);
    limited_mark(1);
    times[i < 0 ? 0 : i] = limited_between();
  }
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

/* Bins of the form at a depth, without what is beyond. */
static struct timed time_form(const struct figures *figures, enum limited_form form, int depth)
{
  const struct limited_problem *problem = &figures->problem;
  struct mesi_bin_options options = limited_options(problem->app, form);
  struct timed ret = {-1, 0, 0};
  struct mesi_bins bins;
  int status = mesi_bin_init(&bins, &problem->space.grid, &options);
  for (int i = 0; i < 2 && !status; i++) { /* the first run allocates */
    double began = limited_now();
    status = mesi_bin_fill(&bins, problem->elements, problem->count, depth);
    limited_wait();
    ret.bin = limited_now() - began;
  }
  if (!status) {
    ret.kernel = kernel_time(figures, &bins, form);
    ret.bytes = bins.bytes;
  }
  mesi_bin_finish(&bins);
  return ret;
}

static const char *time_text(double ms, char text[16])
{
  if (ms < 0) return "-";
  snprintf(text, 16, "%.4f", ms);
  return text;
}

/* ---- statistics ---- */

static int count_bins(struct figures *figures)
{
  const struct limited_problem *problem = &figures->problem;
  struct mesi_bin_options options = limited_options(problem->app, LIMITED_RANGES);
  struct mesi_bins bins;
  int status = mesi_bin_init(&bins, &problem->space.grid, &options);
  if (!status) status = mesi_bin_count(&bins, problem->elements, problem->count);
  if (status) {
    fprintf(stderr, "%s: %s\n", problem->app->name, bins.message);
    return status;
  }
  limited_statistics(problem, &bins);
  long long most = bins.depths.most;
  for (long long depth = 1; depth < most; depth += most <= 16 ? 1 : depth)
    figures->depths[figures->depth_count++] = (int)depth;
  figures->depths[figures->depth_count++] = (int)most;
  mesi_bin_finish(&bins);
  return 0;
}

/* ---- figures of the device alone ---- */

static void print_form(const char *name, const struct timed *timed, const struct timed *regular)
{
  char text[2][16];
  if (timed->kernel < 0)
    printf("%-26s does not fit\n", name);
  else
    printf("%-26s %12s %10s %12.3f %12.1f\n", name, time_text(timed->kernel, text[0]),
           time_text(regular->kernel < 0 ? -1 : regular->kernel / timed->kernel, text[1]),
           timed->bin, (double)timed->bytes * 1e-6);
}

static double pairs_of(const struct limited_problem *problem)
{
  return (double)problem->count * (double)problem->space.outputs;
}

static void print_forms(const struct figures *figures)
{
  static const enum limited_form forms[] = {
      LIMITED_COUNTED, LIMITED_SENTINEL,       LIMITED_SINGLE,  LIMITED_RANGES,
      LIMITED_PADDED,  LIMITED_VECTORS,        LIMITED_FLOAT2,  LIMITED_FLOAT4,
      LIMITED_ALIGNED, LIMITED_REGULAR_RANGES, LIMITED_SCATTER, LIMITED_EVERYTHING};
  const struct limited_app *app = figures->problem.app;
  struct timed regular = {-1, 0, 0};
  int on_cpu = strstr(limited_device(), "CPU backend") != NULL;
  puts("\nfigures 2, 4, 25 and 27: all elements in bins, kernel, relative to regular bins with "
       "counts");
  printf("%-26s %12s %10s %12s %12s\n", "form", "kernel ms", "speed", "binning ms", "MB");
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i] == LIMITED_PADDED && limited_padded_words(app->words) == app->words)
      continue; /* elements have such a size */
    if (forms[i] == LIMITED_EVERYTHING && pairs_of(&figures->problem) > most_pairs[on_cpu]) {
      printf("%-26s %.3g pairs: left out\n", limited_form_name(forms[i]),
             pairs_of(&figures->problem));
      continue;
    }
    struct timed timed = time_form(figures, forms[i], 0);
    regular = i ? regular : timed;
    print_form(limited_form_name(forms[i]), &timed, &regular);
  }
}

static void print_depths(const struct figures *figures)
{
  char text[4][16];
  puts("\nfigures 23 and 30: kernel without what is beyond the depth, ms");
  printf("%8s %12s %12s %12s\n", "depth", "counts", "sentinels", "compact");
  for (int i = 0; i < figures->depth_count; i++) {
    int depth = figures->depths[i];
    struct timed counted = time_form(figures, LIMITED_COUNTED, depth),
                 sentinel = time_form(figures, LIMITED_SENTINEL, depth);
    struct timed compact = time_form(figures, LIMITED_RANGES, depth);
    printf("%8d %12s %12s %12s\n", depth, time_text(counted.kernel, text[0]),
           time_text(sentinel.kernel, text[1]), time_text(compact.kernel, text[2]));
  }
}

/* ---- both sides ---- */

static double total(const struct limited_partition *partition, double count_ms)
{
  return count_ms + partition->bin + partition->all;
}

/* Bins of the form that have been counted; the time of that. -1: no memory. */
static double start_bins(const struct figures *figures, struct mesi_bins *bins,
                         enum limited_form form)
{
  struct mesi_bin_options options = limited_options(figures->problem.app, form);
  double began = 0;
  int status = mesi_bin_init(bins, &figures->problem.space.grid, &options);
  for (int i = 0; i < 2 && !status; i++) {
    const int *order;
    began = limited_now();
    status = mesi_bin_count(bins, figures->problem.elements, figures->problem.count);
    if (!status && figures->problem.space.at_elements) status = mesi_bin_order(bins, &order);
    limited_wait();
  }
  return status ? -1 : limited_now() - began;
}

static bool too_slow(const struct limited_partition *last, long long overflow)
{
  return last->overflow && last->host * (double)overflow / (double)last->overflow > patience;
}

/* The best run at a depth, of a few; the first one at each depth allocates. */
static int best_run(struct figures *figures, struct mesi_bins *bins, enum limited_form form,
                    int depth, struct limited_partition *ret)
{
  struct limited_partition next;
  int status = limited_run_partition(&figures->problem, bins, form, depth, ret);
  for (int i = 0; i < 3 && !status && ret->all < (i ? 200 : 1000); i++) {
    status = limited_run_partition(&figures->problem, bins, form, depth, &next);
    if (!status && (i == 0 || next.bin + next.all < ret->bin + ret->all)) *ret = next;
  }
  return status;
}

/* From the greatest depth down, until the host has too much to do. The best total, the best run and
 * the last one. */
static void sweep(struct figures *figures, enum limited_form form, double *ret_total,
                  struct limited_partition *ret_best, struct limited_partition *ret_last)
{
  struct limited_partition last = {.overflow = 0};
  struct mesi_bins bins;
  double count_ms = start_bins(figures, &bins, form);
  printf("%-20s %8s %12s %10s %10s %10s %10s %10s\n", limited_form_name(form), "depth",
         "on the host", "binning", "device", "host", "both", "total");
  ret_best->all = *ret_total = INFINITY;
  for (int i = figures->depth_count - 1; i >= 0 && count_ms >= 0; i--) {
    int depth = figures->depths[i];
    if (too_slow(&last, mesi_bin_beyond(&bins, depth))) break;
    if (best_run(figures, &bins, form, depth, &last)) {
      printf("%-20s %8d does not fit\n", "", depth);
      continue;
    }
    printf("%-20s %8d %12lld %10.3f %10.3f %10.3f %10.3f %10.3f\n", "", last.depth, last.overflow,
           last.bin, last.device, last.host, last.all, total(&last, count_ms));
    if (last.all < ret_best->all) *ret_best = last;
    *ret_total = fmin(*ret_total, total(&last, count_ms));
  }
  *ret_last = last;
  mesi_bin_finish(&bins);
}

/* The paper's depth 0: nothing for the device. `last`: a run of the host from which to tell that it
 * takes too long. */
static void print_host(const struct figures *figures, const struct limited_partition *last)
{
  const struct limited_problem *problem = &figures->problem;
  struct limited_rows rows;
  if (too_slow(last, problem->count)) {
    puts("the host alone: too slow");
    return;
  }
  mesi_touch_range(problem->elements, (size_t)problem->count * problem->app->words * sizeof(float),
                   MESI_READ);
  mesi_touch_range(problem->host_out,
                   (size_t)problem->space.outputs * problem->app->channels * sizeof(float),
                   MESI_WRITE | MESI_OVERWRITE);
  double began = limited_now();
  limited_rows_init(&rows, problem->app, &problem->space, problem->elements, problem->count);
  struct limited_work work = {.space = &problem->space,
                              .rows = &rows,
                              .targets = problem->elements,
                              .plane_step = 1,
                              .out = problem->host_out};
  memset(problem->host_out, 0,
         (size_t)problem->space.outputs * problem->app->channels * sizeof(float));
  limited_scatter(problem->app, &work, problem->threads);
  printf("the host alone: %.3f ms\n", limited_now() - began);
  limited_rows_finish(&rows);
}

static void print_automatic(struct figures *figures, const struct limited_partition *best,
                            const double *reference, int planes)
{
  struct limited_partition found;
  struct mesi_bins bins;
  double count_ms = start_bins(figures, &bins, LIMITED_RANGES);
  int runs = 0;
  if (count_ms < 0 || limited_balance(&figures->problem, &bins, LIMITED_RANGES, &found, &runs)) {
    printf("no automatic depth: %s\n", bins.message);
  } else {
    printf("automatic depth %d after %d runs; ", found.depth, runs);
    best_run(figures, &bins, LIMITED_RANGES, found.depth, &found);
    printf("again: both %.3f ms, the sweep's best %.3f ms at depth %d: %.2f of it", found.all,
           best->all, best->depth, found.all / best->all);
    if (reference) printf("; error %.2g", limited_error(&figures->problem, reference, planes));
    puts("");
    figures->compact = fmin(figures->compact, total(&found, count_ms));
  }
  mesi_bin_finish(&bins);
}

/* Without the host: the overflow in pieces. */
static void print_pieces(struct figures *figures)
{
  struct limited_partition found;
  struct mesi_bins bins;
  int runs;
  if (start_bins(figures, &bins, LIMITED_RANGES) < 0) return;
  if (!limited_balance_pieces(&figures->problem, &bins, &found, &runs))
    printf("without the host: depth %d after %d runs, %lld elements in pieces of bins: %.3f ms\n",
           found.depth, runs, found.overflow, found.all);
  mesi_bin_finish(&bins);
}

static void print_both(struct figures *figures, const double *reference, int planes)
{
  struct limited_partition regular, compact, last;
  puts("\nfigures 31 to 34: device and host at once, ms; total: with counting, binning and the "
       "overflow on its way");
  sweep(figures, LIMITED_COUNTED, &figures->regular, &regular, &last);
  sweep(figures, LIMITED_RANGES, &figures->compact, &compact, &last);
  print_host(figures, &last);
  print_pieces(figures);
  /* the last: what the host has read of the outputs is sent ahead after later launches */
  print_automatic(figures, &compact, reference, planes);
}

/* Until a device that was idle has its clock back. */
static int warm_up(struct figures *figures)
{
  struct limited_problem *problem = &figures->problem;
  struct mesi_bin_options options = limited_options(problem->app, LIMITED_RANGES);
  struct mesi_bins bins;
  int status = mesi_bin_init(&bins, &problem->space.grid, &options);
  if (!status) status = mesi_bin_fill(&bins, problem->elements, problem->count, 0);
  for (double began = limited_now(); !status && limited_now() - began < warming;) {
    status = limited_launch(problem, &bins, LIMITED_RANGES);
    limited_wait();
  }
  if (status) fprintf(stderr, "%s: %s\n", problem->app->name, bins.message);
  mesi_bin_finish(&bins);
  return status;
}

static int begin(struct figures *figures, const struct limited_app *app,
                 const struct limited_set *set, uint64_t seed, int repeats)
{
  *figures = (struct figures){.repeats = repeats, .regular = INFINITY, .compact = INFINITY};
  if (limited_problem_init(&figures->problem, app, set, NULL, seed)) return 2;
  printf("%s on %s, %u threads of the host\n", app->name, limited_device(),
         figures->problem.threads);
  return count_bins(figures) || warm_up(figures) ? 2 : 0;
}

/* One form at its best depth, found by measuring: the total of the best of some runs; INFINITY: it
 * does not fit. */
static double best_total(struct figures *figures, enum limited_form form)
{
  struct limited_partition found;
  struct mesi_bins bins;
  double count_ms = start_bins(figures, &bins, form), ret = INFINITY;
  int runs;
  if (count_ms < 0 || limited_balance(&figures->problem, &bins, form, &found, &runs) ||
      best_run(figures, &bins, form, found.depth, &found)) {
    printf("%-20s %s\n", limited_form_name(form), bins.message);
  } else {
    ret = total(&found, count_ms);
    printf("%-20s %8d %12lld %10.3f %10.3f %10.3f %10.3f %10.3f  counting %.3f, %d runs\n",
           limited_form_name(form), found.depth, found.overflow, found.bin, found.device,
           found.host, found.all, ret, count_ms, runs);
  }
  mesi_bin_finish(&bins);
  return ret;
}

static void print_table(const struct figures *figures)
{
  printf("\ntable 5: regular %.3f ms, compact %.3f ms, %.2f times as fast\n", figures->regular,
         figures->compact, figures->regular / figures->compact);
  printf("time_ms %.4f\n", figures->compact);
}

int limited_table(const struct limited_app *app, const struct limited_set *set, uint64_t seed,
                  int repeats)
{
  struct figures figures;
  if (begin(&figures, app, set, seed, repeats)) return 2;
  printf("%-20s %8s %12s %10s %10s %10s %10s %10s\n", "", "depth", "on the host", "binning",
         "device", "host", "both", "total");
  figures.regular = best_total(&figures, LIMITED_COUNTED);
  figures.compact = best_total(&figures, LIMITED_RANGES);
  print_pieces(&figures);
  print_table(&figures);
  limited_problem_finish(&figures.problem);
  return 0;
}

int limited_depths(const struct limited_app *app, const struct limited_set *set, uint64_t seed)
{
  struct figures figures;
  struct limited_partition best, last;
  double began = limited_now();
  if (begin(&figures, app, set, seed, 1)) return 2;
  printf("set made, bins counted and the device warm after %.1f s\n",
         (limited_now() - began) * 1e-3);
  sweep(&figures, LIMITED_RANGES, &figures.compact, &best, &last);
  print_pieces(&figures);
  print_automatic(&figures, &best, NULL, 1);
  printf("all after %.1f s\n", (limited_now() - began) * 1e-3);
  limited_problem_finish(&figures.problem);
  return 0;
}

int limited_forms(const struct limited_app *app, const struct limited_set *set, uint64_t seed,
                  int repeats)
{
  struct figures figures;
  if (begin(&figures, app, set, seed, repeats)) return 2;
  print_forms(&figures);
  limited_problem_finish(&figures.problem);
  return 0;
}

int limited_figures(const struct limited_app *app, const struct limited_set *set, uint64_t seed,
                    int repeats, int planes)
{
  struct figures figures;
  if (begin(&figures, app, set, seed, repeats)) return 2;
  double *reference = limited_make_reference(&figures.problem, planes);
  print_forms(&figures);
  print_depths(&figures);
  print_both(&figures, reference, planes);
  print_table(&figures);
  free(reference);
  limited_problem_finish(&figures.problem);
  return 0;
}
