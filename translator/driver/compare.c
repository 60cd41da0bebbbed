/* SPDX-License-Identifier: MIT */
/* compare.c - builds a program at several levels, runs each, compares results and times.
 *
 * With --check each level runs on the CPU backend under each schedule, and all runs are compared
 * with the first:
 *
 *     -O2, reverse: a[3][17] is 4.5, was 4.25
 *
 * Translation gets --check too: the reports of a checked program are its exit status. -O3 may
 * reassociate sums, so that its floating-point results are compared up to rounding. */
#include "translator/driver/compare.h"

#include <jansson.h>
#include <string.h>

#include "translator/driver/pipeline.h"
#include "translator/driver/plot.h"
#include "translator/driver/progress.h"
#include "translator/driver/trial.h"

static const char *const schedules[] = {"forward", "reverse", "random:1"};
enum { SCHEDULES = sizeof schedules / sizeof *schedules, LEVELS = 4, MOST_DEVICES = 8 };

struct run {
  enum plan_level level;
  const char *schedule; /* NULL: the default */
  unsigned devices;     /* 0: as in the environment */
  const char *program;
  struct trial trial;
  const char *difference; /* NULL: agrees with the first level */
};

static void print_table(const struct run *runs, unsigned count, const struct build *build)
{
  printf("%s on the %s\n", build->options->input,
         build->target == TARGET_CPU ? "CPU backend" : "GPU");
  bool devices = build->options->device_runs > 0;
  printf("%-6s %s%12s %9s %12s %12s %9s  %s\n", "level", devices ? "devices " : "", "kernels ms",
         "speed-up", "transfers ms", "whole run ms", "speed-up", "results");
  for (unsigned i = 0; i < count; i++) {
    const struct run *run = &runs[i];
    const char number[] = {(char)('0' + run->devices), 0};
    printf("-O%-4d %*s%s%12.3f %9.2f %12.3f %12.1f %9.2f  %s\n", (int)run->level, devices ? 7 : 0,
           devices ? number : "", devices ? " " : "", run->trial.kernel_ms,
           run->trial.kernel_ms > 0 ? runs[0].trial.kernel_ms / run->trial.kernel_ms : 1.0,
           run->trial.transfer_ms, run->trial.total_ms,
           runs[0].trial.total_ms / run->trial.total_ms,
           i == 0            ? "reference"
           : run->difference ? run->difference
                             : "same");
  }
}

/* The table as data (plot_read.c has the form). */
static json_t *table_json(const struct run *runs, unsigned count, const struct build *build)
{
  json_t *levels = json_array(), *macros = json_array();
  for (unsigned i = 0; i < count; i++) {
    json_array_append_new(
        levels, json_pack("{s:i, s:f, s:f, s:f, s:s}", "level", (int)runs[i].level, "kernels_ms",
                          runs[i].trial.kernel_ms, "transfers_ms", runs[i].trial.transfer_ms,
                          "run_ms", runs[i].trial.total_ms, "result",
                          i == 0               ? "reference"
                          : runs[i].difference ? runs[i].difference
                                               : "same"));
    if (runs[i].devices)
      json_object_set_new(json_array_get(levels, i), "devices", json_integer(runs[i].devices));
  }
  for (unsigned i = 0; i < build->options->build_args.count; i++)
    if (!strncmp(build->options->build_args.items[i], "-D", 2))
      json_array_append_new(macros, json_string(build->options->build_args.items[i] + 2));
  return json_pack("{s:i, s:s, s:o, s:s, s:o}", "mesi_compare", 1, "input", build->options->input,
                   "macros", macros, "target", build->target == TARGET_CPU ? "cpu" : "cuda",
                   "levels", levels);
}

/* Writes the files of --json and --plot. An exit status. */
static int write_data(struct arena *arena, const struct run *runs, unsigned count,
                      const struct build *build, struct diag *diag)
{
  const struct options *options = build->options;
  int status = STATUS_FINE;
  if (!options->json && !options->plot) return status;
  json_t *results = table_json(runs, count, build);
  if (results && options->json) {
    json_dumpf(results, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
    putchar('\n');
  }
  if (results && options->plot) status = plot_results(arena, &results, 1, options->plot, diag);
  json_decref(results);
  return status;
}

static void print_schedules(const struct run *runs, unsigned count, const struct build *build)
{
  printf("%s on the CPU backend\n", build->options->input);
  for (unsigned i = 0; i < count; i++)
    printf("-O%d, %s: %s\n", (int)runs[i].level, runs[i].schedule,
           runs[i].difference ? runs[i].difference
           : i == 0           ? "reference"
                              : "same");
}

static int run_devices(struct arena *arena, struct build *build, enum plan_level level,
                       const char *program, struct diag *diag, struct run *runs, unsigned *count)
{
  int status = STATUS_FINE;
  for (unsigned i = 0; i < build->options->device_runs && !status; i++) {
    struct run *run = &runs[(*count)++];
    *run = (struct run){.level = level, .devices = build->options->devices[i], .program = program};
    const char *name = arena_format(arena, "O%d.%u", (int)level, run->devices);
    progress_show("running", name, 0, 0);
    status = trial_run_on(arena, build, program, name, run->devices, diag, &run->trial);
  }
  return status;
}

/* Builds one level and runs it, under each schedule with --check. */
static int run_level(struct arena *arena, struct build *build, enum plan_level level,
                     struct diag *diag, struct run *runs, unsigned *count)
{
  const char *program;
  progress_show("building", arena_format(arena, "-O%d", (int)level), 0, 0);
  int status = build_program(arena, build, level, diag, &program);
  if (build->options->device_runs && !status)
    return run_devices(arena, build, level, program, diag, runs, count);
  for (unsigned i = 0; i < (build->options->check ? SCHEDULES : 1) && !status; i++) {
    struct run *run = &runs[(*count)++];
    run->level = level;
    run->schedule = build->options->check ? schedules[i] : NULL;
    run->program = program;
    progress_show("running",
                  arena_format(arena, "-O%d%s%s", (int)level, run->schedule ? ", " : "",
                               run->schedule ? run->schedule : ""),
                  0, 0);
    status = trial_run(arena, build, program, arena_format(arena, "O%d", (int)level), run->schedule,
                       diag, &run->trial);
  }
  return status;
}

/* Where levels differ: does the first one differ from itself when its threads run in another order?
 * NULL: no difference was seen. */
static const char *own_difference(struct arena *arena, const struct run *first,
                                  const struct build *build, struct diag *diag)
{
  for (unsigned i = 0; i < SCHEDULES; i++) {
    struct trial again;
    const char *schedule = build->target == TARGET_CPU ? schedules[i] : NULL;
    if (trial_run(arena, build, first->program, "again", schedule, diag, &again)) return NULL;
    const char *difference =
        trial_difference(arena, &first->trial, &again, build->target == TARGET_CPU);
    if (difference) return difference;
  }
  return NULL;
}

static int judge(struct arena *arena, struct run *runs, unsigned count, const struct build *build,
                 struct diag *diag)
{
  bool failed = false, differs = false, check = build->options->check;
  for (unsigned i = 0; i < count; i++) {
    bool exact = build->target == TARGET_CPU && !(check && runs[i].level >= PLAN_O3);
    if (i) runs[i].difference = trial_difference(arena, &runs[0].trial, &runs[i].trial, exact);
    differs |= runs[i].difference != NULL;
    failed |= (i == 0 || check) && runs[i].trial.status != 0;
  }
  progress_clear();
  if (write_data(arena, runs, count, build, diag)) return STATUS_USAGE;
  if (build->options->json) return differs || failed ? STATUS_DIFFERENT : STATUS_FINE;
  fwrite(runs[0].trial.out, 1, runs[0].trial.out_length, stdout);
  if (check)
    print_schedules(runs, count, build);
  else
    print_table(runs, count, build);
  if (runs[0].trial.status) printf("the program ends with status %d\n", runs[0].trial.status);
  const char *own = differs && !check ? own_difference(arena, &runs[0], build, diag) : NULL;
  if (own)
    printf("-O%d run again: %s; the results depend on the order of the threads\n",
           (int)runs[0].level, own);
  puts(!differs ? "results agree"
       : own    ? "results differ, at one level as well"
                : "results differ");
  return differs || failed ? STATUS_DIFFERENT : STATUS_FINE;
}

/* The times of each level by launch site. */
static const struct measured_time *times_of(struct arena *arena, const struct run *runs,
                                            unsigned count, const struct build *build,
                                            unsigned *ret_count)
{
  struct {
    LIST_OF(struct measured_time) items;
  } times = {{0}};
  for (unsigned i = 0; i < count; i++) {
    const char *stats = runs[i].trial.stats;
    struct trial_site site;
    while (!runs[i].difference && trial_next_site(&stats, &site))
      *ARENA_PUSH(arena, &times.items) = (struct measured_time){
          .kernel = arena_string(arena, site.kernel),
          .place = arena_copy(arena, site.place, site.place_length),
          .plan = arena_format(arena, "-O%d%s%s", (int)runs[i].level, runs[i].schedule ? ", " : "",
                               runs[i].schedule ? runs[i].schedule : ""),
          .milliseconds = site.milliseconds,
          .where = build->target == TARGET_CPU ? "the CPU backend" : "the GPU"};
  }
  *ret_count = times.items.count;
  return times.items.items;
}

/* Writes --explain for the highest level, with the times of all levels. */
static int explain(struct arena *arena, struct build *build, const struct run *runs, unsigned count,
                   struct diag *diag)
{
  struct options wanted = build_again(arena, build->options);
  wanted.level = runs[count - 1].level;
  wanted.measured = times_of(arena, runs, count, build, &wanted.measured_count);
  return build_translate(arena, build, &wanted,
                         arena_format(arena, "%s/explained", build->directory), diag);
}

int compare_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct build build;
  struct run runs[LEVELS * MOST_DEVICES] = {{0}};
  unsigned count = 0;
  struct options plain = *options;
  plain.explain = EXPLAIN_NONE;
  if (plot_check(arena, options, diag)) return STATUS_USAGE;
  int status = build_begin(arena, &plain, diag, &build);
  for (int level = 0; level < LEVELS && !status; level++)
    if (options->levels & 1u << level)
      status = run_level(arena, &build, (enum plan_level)level, diag, runs, &count);
  if (!status && count) status = judge(arena, runs, count, &build, diag);
  build.options = options;
  if (options->explain != EXPLAIN_NONE && count && (!status || status == STATUS_DIFFERENT)) {
    int failed = explain(arena, &build, runs, count, diag);
    status = failed ? failed : status;
  }
  build_end(arena, &build);
  return status;
}
