/* SPDX-License-Identifier: MIT */
/* tune.c - `mesicc tune`: measures the candidate plans of a program's kernels and keeps the best.
 *
 *     mesicc tune prog.mcu -- args           on this machine; the winners go to prog.tune
 *     mesicc tune --emit DIR prog.mcu        for another machine with nvcc and a GPU: DIR/run.sh
 *                                            measures there,
 *     mesicc tune --read DIR                 and this reads its times
 *     mesicc --tuned prog.mcu                translates with the winners, on any machine
 *
 * Each round is a program with a candidate of each kernel. Its results have to agree with -O0
 * before its plans may win. Where they do not, its candidates are tried one at a time. */
#include "translator/driver/outputs.h"
#include "translator/driver/tune.h"

#include <stdio.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/plot.h"
#include "translator/driver/process.h"
#include "translator/driver/progress.h"
#include "translator/driver/trial.h"
#include "translator/driver/tune_bundle.h"
#include "translator/driver/tune_candidates.h"
#include "translator/driver/tune_report.h"

struct tuning {
  struct build build;
  struct tune_program program;
  struct trial reference; /* at -O0 */
};

static bool is_exact(const struct tuning *t)
{
  return t->build.target == TARGET_CPU && t->program.level < PLAN_O3;
}

static int run_reference(struct arena *arena, struct tuning *t, struct diag *diag)
{
  struct options wanted = *t->build.options;
  const char *program;
  wanted.level = PLAN_O0;
  wanted.tuned_count = 0;
  wanted.explain = EXPLAIN_NONE;
  progress_show("building", "the program at -O0", 0, 0);
  int status = build_variant(arena, &t->build, &wanted, "reference", diag, &program);
  if (!status)
    status = trial_run(arena, &t->build, program, "reference.run", NULL, diag, &t->reference);
  if (status || !t->reference.status) return status;
  diag_report(diag, DIAG_TUNE_FILE, &(struct diag_place){.file = t->build.options->input},
              "the program ends with status %d at -O0: nothing is tuned", t->reference.status);
  return STATUS_USAGE;
}

/* Builds and runs a round. *ret_problem: the difference from -O0; NULL: none. */
static int measure(struct arena *arena, struct tuning *t, unsigned round, int only,
                   struct diag *diag, const char **ret_problem)
{
  struct options wanted = tune_round_options(arena, &t->build, &t->program, round, only);
  const char *name = only < 0 ? arena_format(arena, "round_%u", round)
                              : arena_format(arena, "round_%u_%d", round, only),
             *program;
  progress_show("measuring", t->build.options->input, round + 1, t->program.rounds);
  int status = build_variant(arena, &t->build, &wanted, name, diag, &program);
  *ret_problem = NULL;
  for (uint64_t run = 0; run < t->build.options->repeats && !status && !*ret_problem; run++) {
    struct trial trial;
    status = trial_run(arena, &t->build, program, arena_format(arena, "%s.run", name), NULL, diag,
                       &trial);
    if (!status) *ret_problem = trial_difference(arena, &t->reference, &trial, is_exact(t));
    if (!status && !*ret_problem && trial.stats)
      tune_add_times(&t->program, round, only, trial.stats);
  }
  return status;
}

/* Finds the candidates that cause a difference, one at a time. */
static int measure_alone(struct arena *arena, struct tuning *t, unsigned round, struct diag *diag)
{
  int status = 0;
  for (unsigned i = 0; i < t->program.kernels.count && !status; i++) {
    const char *problem = NULL;
    if (round >= t->program.kernels.items[i].candidates.count) continue;
    status = measure(arena, t, round, (int)i, diag, &problem);
    if (problem) tune_add_problem(&t->program, round, (int)i, problem);
  }
  return status;
}

static int measure_round(struct arena *arena, struct tuning *t, unsigned round, struct diag *diag)
{
  const char *problem;
  int status = measure(arena, t, round, -1, diag, &problem);
  if (status || !problem) return status;
  if (round && t->program.kernels.count > 1) return measure_alone(arena, t, round, diag);
  tune_add_problem(&t->program, round, -1, problem);
  return 0;
}

/* The GPU's name from the driver. */
static const char *gpu_name(struct arena *arena, const struct build *build)
{
  if (build->target == TARGET_CPU) return "cpu";
  struct command command = {.out = arena_format(arena, "%s/gpu", build->directory)};
  const char *const words[] = {"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"}, *text;
  size_t length;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    command_add(arena, &command, words[i]);
  if (command_run(arena, &command, false) ||
      file_read(arena, command.out, &text, &length) != FILE_OK || !*text)
    return "GPU";
  return arena_copy(arena, text, strcspn(text, "\n"));
}

static int tune_here(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct tuning t;
  struct string_list inputs = {0}, outputs = {0};
  const char *path = options->output ? options->output : tune_file_name(arena, options->input);
  outputs_add_inputs(arena, options, &inputs);
  *ARENA_PUSH(arena, &outputs) = path;
  for (unsigned i = 0; i < inputs.count; i++) /* the file is read, and gets more plans */
    if (inputs.items[i] == options->tuned_file) inputs.items[i] = NULL;
  if (outputs_check(&inputs, &outputs, diag)) return STATUS_USAGE;
  int status = build_begin(arena, options, diag, &t.build);
  if (status) return status;
  status = run_reference(arena, &t, diag);
  if (!status) status = tune_find_candidates(arena, &t.build, diag, &t.program);
  for (unsigned round = 0; round < t.program.rounds && !status; round++)
    status = measure_round(arena, &t, round, diag);
  progress_clear();
  if (!status)
    status = tune_report(arena, &t.program, gpu_name(arena, &t.build), options->input, path, diag);
  build_end(arena, &t.build);
  struct string_list drawn = {&path, 1, 1};
  return !status && options->plot ? plot_files(arena, &drawn, options->plot, diag) : status;
}

int tune_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  if (plot_check(arena, options, diag)) return STATUS_USAGE;
  if (options->tune_read) return tune_bundle_read(arena, options, diag);
  if (options->tune_emit) return tune_bundle_emit(arena, options, diag);
  return tune_here(arena, options, diag);
}
