/* SPDX-License-Identifier: MIT */
/* main.c - mesicc: the choice of the verb. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/seeded.h"
#include "runtime/settings.h"
#include "translator/driver/in_place.h"
#include "translator/driver/messages.h"
#include "translator/driver/objects.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/progress.h"
#include "translator/driver/tune_file.h"
#include "translator/driver/verbs.h"

extern char **environ;

static int check_settings(struct diag *diag)
{
  int status = 0;
  for (char **entry = environ; entry && *entry; entry++) {
    const char *problem = mesi_setting_problem(*entry);
    if (!problem || SEEDED(SETTING_UNCHECKED_HERE)) continue;
    const char *near = mesi_setting_near(*entry);
    diag_report(diag, DIAG_SETTING, NULL, "%s %s%s%s%s", *entry, problem,
                near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    status = -1;
  }
  return status;
}

/* Are the arguments nvcc's? */
static bool is_in_place(int argc, char **argv) { return argc > 1 && !strcmp(argv[1], "nvcc"); }

int main(int argc, char **argv)
{
  struct arena *arena = arena_create();
  struct diag diag = {0};
  struct options options = {0};
  int status = STATUS_USAGE;
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
  messages_begin(&diag);
  if (check_settings(&diag)) {
    arena_destroy(arena);
    return STATUS_USAGE;
  }
  if (is_in_place(argc, argv)) {
    status = in_place_run(arena, argc - 2, argv + 2, &diag);
  } else if (!options_parse(arena, argc, argv, &diag, &options) &&
             (!options.database || options.verb == VERB_SURVEY ||
              !options_read_database(arena, &diag, &options)) &&
             !tune_file_apply(arena, &options, &diag)) {
    messages_settle(&diag, &options);
    if (!options.verbose) progress_begin(&diag);
    if (options.help) {
      options_help(stdout, &options);
      status = STATUS_FINE;
    } else if (options.version) {
      options_version(arena, stdout, &options, &diag);
      status = STATUS_FINE;
    } else if (options.verb == VERB_TRANSLATE) {
      status = objects_make(arena, &options, &diag);
    } else {
      status = verb_run(arena, &options, &diag);
    }
  }
  progress_clear();
  messages_end(&diag, &options);
  arena_destroy(arena);
  return status;
}
