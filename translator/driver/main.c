/* main.c - mesicc: chooses the verb. */
#include <stdlib.h>

#include "translator/driver/pipeline.h"
#include "translator/driver/sandbox.h"
#include "translator/driver/tune_file.h"
#include "translator/driver/verbs.h"

int main(int argc, char **argv) {
  struct arena *arena = arena_create();
  struct diag diag = {.out = stderr};
  struct options options;
  int status = STATUS_USAGE;
  if (!options_parse(arena, argc, argv, &diag, &options) &&
      (!options.database || !options_read_database(arena, &diag, &options)) && !tune_file_apply(arena, &options, &diag)) {
    diag.remarks = options.remarks;
    diag.remark_filter = options.remark_filter;
    if (options.help) {
      options_help(stdout);
      status = STATUS_FINE;
    } else if (options.version) {
      puts("mesicc " MESI_VERSION);
      status = STATUS_FINE;
    } else if (options.verb == VERB_TRANSLATE) {
      status = sandbox_translate(&options, &diag);
    } else {
      status = verb_run(arena, &options, &diag);
    }
  }
  arena_destroy(arena);
  return status;
}
