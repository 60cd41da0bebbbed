/* SPDX-License-Identifier: MIT */
/* verbs.c - the verb run, and the choice between the verbs. */
#include "translator/driver/verbs.h"

#include <unistd.h>

#include "translator/base/file.h"
#include "translator/driver/build.h"
#include "translator/driver/bundle.h"
#include "translator/driver/compare.h"
#include "translator/driver/editor.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/plot.h"
#include "translator/driver/process.h"
#include "translator/driver/progress.h"
#include "translator/driver/prove.h"
#include "translator/driver/survey.h"
#include "translator/driver/tune.h"

static int run_program(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct build build;
  const char *program = NULL;
  int status = build_begin(arena, options, diag, &build);
  progress_show("building", options->input, 0, 0);
  if (!status) status = build_program(arena, &build, options->level, diag, &program);
  if (!status) {
    struct command command = {0};
    command_add(arena, &command, program);
    for (unsigned i = 0; i < options->program_args.count; i++)
      command_add(arena, &command, options->program_args.items[i]);
    const char *mark = arena_format(arena, "%s/reported", build.directory);
    unlink(mark);
    if (options->check) build_check_environment(arena, mark, &command.environment);
    progress_clear();
    status = command_run(arena, &command, options->verbose);
    if (options->check && status >= 0 && file_exists(mark)) status = STATUS_DIFFERENT;
    if (status < 0) {
      diag_report(diag, DIAG_TOOL, NULL, "the program could not be started");
      status = STATUS_USAGE;
    }
  }
  build_end(arena, &build);
  return status;
}

static int run_verb(struct arena *arena, const struct options *options, struct diag *diag)
{
  switch (options->verb) {
  case VERB_RUN: return run_program(arena, options, diag);
  case VERB_COMPARE: return compare_run(arena, options, diag);
  case VERB_BUNDLE: return bundle_write(arena, options, diag);
  case VERB_TUNE: return tune_run(arena, options, diag);
  case VERB_SURVEY: return survey_run(arena, options, diag);
  case VERB_PLOT: return plot_run(arena, options, diag);
  case VERB_PROVE: return prove_run(arena, options, diag);
  case VERB_SETUP: return editor_setup(arena, options, diag);
  case VERB_NVCC:
  case VERB_TRANSLATE: break; /* handled by main */
  }
  return STATUS_USAGE;
}

/* A program that is run decides about signals; another verb ends by them. */
int verb_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  process_catch_signals();
  int status = run_verb(arena, options, diag);
  return process_interrupted() && options->verb != VERB_RUN ? process_interrupted() : status;
}
