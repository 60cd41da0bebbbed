/* compare.c - builds a program at several levels, runs each, compares results and times.
 *
 * Results are all VS variables and mesi_malloc memory at the end of the run, byte for byte on the CPU backend, up to
 * contraction into fused multiply-adds on a GPU; a program without any is compared by its standard output. */
#include "translator/driver/compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "translator/base/file.h"
#include "translator/driver/build.h"
#include "translator/driver/dumps.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"

struct run {
  enum plan_level level;
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
  const char *stem = arena_format(arena, "%s/O%d", build->directory, (int)run->level);
  const char *dump = arena_format(arena, "%s.dump", stem), *stats = arena_format(arena, "%s.stats", stem);
  struct command command = {.out = arena_format(arena, "%s.out", stem)};
  command_add(arena, &command, program);
  for (unsigned i = 0; i < options->program_args.count; i++) command_add(arena, &command, options->program_args.items[i]);
  *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_DUMP=%s", dump);
  *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_STATS=%s", stats);
  double start = now_ms();
  run->status = command_run(arena, &command, options->verbose);
  run->total_ms = now_ms() - start;
  if (run->status < 0) {
    diag_report(diag, DIAG_TOOL, NULL, "the program could not be started");
    return STATUS_USAGE;
  }
  run->has_dump = dumps_read(arena, dump, &run->dump);
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

int compare_run(struct arena *arena, const struct options *options, struct diag *diag) {
  struct build build;
  struct run runs[4] = {{0}};
  unsigned count = 0;
  int status = build_begin(arena, options, diag, &build);
  for (int level = 0; level < 4 && !status; level++) {
    if (!(options->levels & 1u << level)) continue;
    struct run *run = &runs[count++];
    run->level = (enum plan_level)level;
    const char *program;
    status = build_program(arena, &build, run->level, diag, &program);
    if (!status) status = execute(arena, &build, program, diag, run);
  }
  if (!status && count) {
    bool failed = runs[0].status != 0, differs = false;
    for (unsigned i = 1; i < count; i++) {
      runs[i].difference = difference(arena, &runs[0], &runs[i], build.target == TARGET_CPU);
      differs |= runs[i].difference != NULL;
    }
    fwrite(runs[0].out, 1, runs[0].out_length, stdout);
    print_table(runs, count, &build);
    if (failed) printf("the program ends with status %d\n", runs[0].status);
    puts(differs ? "results differ" : "results agree");
    status = differs || failed ? STATUS_DIFFERENT : STATUS_FINE;
  }
  build_end(arena, &build);
  return status;
}
