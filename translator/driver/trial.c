/* SPDX-License-Identifier: MIT */
/* trial.c - runs a built program once and records its results and times.
 *
 * Results are all VS variables and mesi_malloc memory at the end of the run. They are compared byte
 * for byte on the CPU backend, and up to contraction into fused multiply-adds on a GPU. The result
 * of a program without any is its standard output. */
#include "translator/driver/trial.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "translator/base/file.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/types_file.h"

static double number_of(const char *text, const char *key)
{
  size_t length = strlen(key);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (!strncmp(line, key, length) && line[length] == ' ') return strtod(line + length, NULL);
  }
  return 0;
}

static double now_ms(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static int run_with(struct arena *arena, const struct build *build, const char *program,
                    const char *name, const char *schedule, unsigned devices, struct diag *diag,
                    struct trial *ret)
{
  const struct options *options = build->options;
  *ret = (struct trial){0};
  const char *stem = arena_format(arena, "%s/%s%s%s", build->directory, name, schedule ? "." : "",
                                  schedule ? schedule : "");
  const char *dump = arena_format(arena, "%s.dump", stem),
             *stats = arena_format(arena, "%s.stats", stem);
  struct command command = {.out = arena_format(arena, "%s.out", stem)};
  command_add(arena, &command, program);
  for (unsigned i = 0; i < options->program_args.count; i++)
    command_add(arena, &command, options->program_args.items[i]);
  *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_DUMP=%s", dump);
  *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_STATS=%s", stats);
  if (schedule)
    *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_SCHEDULE=%s", schedule);
  if (devices)
    *ARENA_PUSH(arena, &command.environment) = arena_format(arena, "MESI_DEVICES=%u", devices);
  double start = now_ms();
  ret->status = command_run(arena, &command, options->verbose);
  ret->total_ms = now_ms() - start;
  if (ret->status < 0) {
    diag_report(diag, DIAG_TOOL, NULL, "the program could not be started");
    return STATUS_USAGE;
  }
  ret->has_dump = dumps_read(arena, dump, &ret->dump);
  for (unsigned i = 0; ret->has_dump && i < options->inputs.count; i++)
    types_file_apply(arena, build_types_file(arena, build, i), &ret->dump);
  const char *text;
  size_t length;
  if (file_read(arena, stats, &text, &length) == FILE_OK) {
    ret->stats = text;
    ret->kernel_ms = number_of(text, "kernel_ms");
    ret->transfer_ms = number_of(text, "transfer_ms");
  }
  if (file_read(arena, command.out, &ret->out, &ret->out_length) != FILE_OK) ret->out = "";
  return 0;
}

int trial_run(struct arena *arena, const struct build *build, const char *program, const char *name,
              const char *schedule, struct diag *diag, struct trial *ret)
{
  return run_with(arena, build, program, name, schedule, 0, diag, ret);
}

int trial_run_on(struct arena *arena, const struct build *build, const char *program,
                 const char *name, unsigned devices, struct diag *diag, struct trial *ret)
{
  return run_with(arena, build, program, name, NULL, devices, diag, ret);
}

const char *trial_difference(struct arena *arena, const struct trial *first,
                             const struct trial *run, bool exact)
{
  if (first->status != run->status)
    return arena_format(arena, "the exit status is %d, was %d", run->status, first->status);
  if (first->has_dump != run->has_dump) return "only one of the runs wrote its results";
  if (first->has_dump && first->dump.count)
    return dumps_difference(arena, &first->dump, &run->dump, exact);
  if (first->out_length != run->out_length || memcmp(first->out, run->out, run->out_length))
    return "the standard output differs";
  return NULL;
}

bool trial_next_site(const char **stats, struct trial_site *ret)
{
  for (const char *line = *stats; line && *line;) {
    const char *end = strchr(line, '\n');
    double all;
    int used = 0;
    *stats = end ? end + 1 : line + strlen(line);
    if (sscanf(line, "site %511s %lf %lf %lf %n", ret->kernel, &ret->launches, &all,
               &ret->milliseconds, &used) == 4 &&
        used) {
      ret->place = line + used;
      ret->place_length = strcspn(ret->place, "\n");
      return true;
    }
    line = *stats;
  }
  return false;
}
