/* compare.c - builds a program at several levels, runs each, compares results and times.
 *
 * Results are all VS variables and mesi_malloc memory at the end of the run, byte for byte on the CPU backend, up to
 * contraction into fused multiply-adds on a GPU; a program without any is compared by its standard output.
 *
 * With --check each level runs on the CPU backend under each schedule, and all runs are compared with the first:
 *
 *     -O2, reverse: a[3][17] is 4.5, was 4.25
 *
 * Translation gets --check too: what a checked program reports is its exit status. -O3 may reassociate sums, so that its
 * floating-point results are compared up to rounding. */
#include "translator/driver/compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "translator/base/file.h"
#include "translator/driver/build.h"
#include "translator/driver/dumps.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/types_file.h"

static const char *const schedules[] = {"forward", "reverse", "random:1"};
enum { SCHEDULES = sizeof schedules / sizeof *schedules, LEVELS = 4 };

struct run {
  enum plan_level level;
  const char *schedule;     /* NULL: as it comes */
  int status;               /* of the program */
  double kernel_ms, transfer_ms, total_ms;
  struct dump_file dump;
  bool has_dump;
  const char *out;          /* standard output */
  size_t out_length;
  const char *difference;   /* NULL: agrees with the first level */
};

static double number_of(const char *text, const char *key) {
  size_t length = strlen(key);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (!strncmp(line, key, length) && line[length] == ' ') return strtod(line + length, NULL);
  }
  return 0;
}

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static int execute(struct arena *arena, const struct build *build, const char *program, struct diag *diag, struct run *run) {
  const struct options *options = build->options;
  const char *stem = arena_format(arena, "%s/O%d%s%s", build->directory, (int)run->level, run->schedule ? "." : "",
                                  run->schedule ? run->schedule : "");
  const char *dump = arena_format(arena, "%s.dump", stem), *stats = arena_format(arena, "%s.stats", stem);
  struct command command = {.out = arena_format(arena, "%s.out", stem)};
  command_add(arena, &command, program);
  for (unsigned i = 0; i < options->program_args.count; i++) command_add(arena, &command, options->program_args.items[i]);
  *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_DUMP=%s", dump);
  *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_STATS=%s", stats);
  if (run->schedule) *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_SCHEDULE=%s", run->schedule);
  double start = now_ms();
  run->status = command_run(arena, &command, options->verbose);
  run->total_ms = now_ms() - start;
  if (run->status < 0) {
    diag_report(diag, DIAG_TOOL, NULL, "the program could not be started");
    return STATUS_USAGE;
  }
  run->has_dump = dumps_read(arena, dump, &run->dump);
  if (run->has_dump) types_file_apply(arena, build->types_file, &run->dump);
  const char *text;
  size_t length;
  if (file_read(arena, stats, &text, &length) == FILE_OK) {
    run->kernel_ms = number_of(text, "kernel_ms");
    run->transfer_ms = number_of(text, "transfer_ms");
  }
  if (file_read(arena, command.out, &run->out, &run->out_length) != FILE_OK) run->out = "";
  return 0;
}

static const char *difference(struct arena *arena, const struct run *first, const struct run *run, bool exact) {
  if (first->status != run->status)
    return arena_format(arena, "the exit status is %d, was %d", run->status, first->status);
  if (first->has_dump != run->has_dump) return "only one of the runs wrote its results";
  if (first->has_dump && first->dump.count) return dumps_difference(arena, &first->dump, &run->dump, exact);
  if (first->out_length != run->out_length || memcmp(first->out, run->out, run->out_length))
    return "the standard output differs";
  return NULL;
}

static void print_table(const struct run *runs, unsigned count, const struct build *build) {
  printf("%s on the %s\n", build->options->input, build->target == TARGET_CPU ? "CPU backend" : "GPU");
  printf("%-6s %12s %9s %12s %12s %9s  %s\n", "level", "kernels ms", "speed-up", "transfers ms", "whole run ms", "speed-up",
         "results");
  for (unsigned i = 0; i < count; i++) {
    const struct run *run = &runs[i];
    printf("-O%-4d %12.3f %9.2f %12.3f %12.1f %9.2f  %s\n", (int)run->level, run->kernel_ms,
           run->kernel_ms > 0 ? runs[0].kernel_ms / run->kernel_ms : 1.0, run->transfer_ms, run->total_ms,
           runs[0].total_ms / run->total_ms, i == 0 ? "reference" : run->difference ? run->difference : "same");
  }
}

static void print_schedules(const struct run *runs, unsigned count, const struct build *build) {
  printf("%s on the CPU backend\n", build->options->input);
  for (unsigned i = 0; i < count; i++)
    printf("-O%d, %s: %s\n", (int)runs[i].level, runs[i].schedule,
           runs[i].difference ? runs[i].difference : i == 0 ? "reference" : "same");
}

/* Builds one level and runs it, under each schedule with --check. */
static int run_level(struct arena *arena, struct build *build, enum plan_level level, struct diag *diag, struct run *runs,
                     unsigned *count) {
  const char *program;
  int status = build_program(arena, build, level, diag, &program);
  for (unsigned i = 0; i < (build->options->check ? SCHEDULES : 1) && !status; i++) {
    struct run *run = &runs[(*count)++];
    run->level = level;
    run->schedule = build->options->check ? schedules[i] : NULL;
    status = execute(arena, build, program, diag, run);
  }
  return status;
}

static int judge(struct arena *arena, struct run *runs, unsigned count, const struct build *build) {
  bool failed = false, differs = false, check = build->options->check;
  for (unsigned i = 0; i < count; i++) {
    bool exact = build->target == TARGET_CPU && !(check && runs[i].level >= PLAN_O3);
    if (i) runs[i].difference = difference(arena, &runs[0], &runs[i], exact);
    differs |= runs[i].difference != NULL;
    failed |= (i == 0 || check) && runs[i].status != 0;
  }
  fwrite(runs[0].out, 1, runs[0].out_length, stdout);
  if (check) print_schedules(runs, count, build);
  else print_table(runs, count, build);
  if (runs[0].status) printf("the program ends with status %d\n", runs[0].status);
  puts(differs ? "results differ" : "results agree");
  return differs || failed ? STATUS_DIFFERENT : STATUS_FINE;
}

int compare_run(struct arena *arena, const struct options *options, struct diag *diag) {
  struct build build;
  struct run runs[LEVELS * SCHEDULES] = {{0}};
  unsigned count = 0;
  int status = build_begin(arena, options, diag, &build);
  for (int level = 0; level < LEVELS && !status; level++)
    if (options->levels & 1u << level) status = run_level(arena, &build, (enum plan_level)level, diag, runs, &count);
  if (!status && count) status = judge(arena, runs, count, &build);
  build_end(arena, &build);
  return status;
}
