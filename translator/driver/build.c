/* SPDX-License-Identifier: MIT */
/* build.c - from a .mcu to a program. */
#define _GNU_SOURCE
#include "translator/driver/build.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/compile.h"
#include "translator/driver/explain_write.h"
#include "translator/driver/outputs.h"
#include "translator/driver/parts.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/sandbox.h"

int build_begin(struct arena *arena, const struct options *options, struct diag *diag,
                struct build *ret)
{
  *ret = (struct build){.options = options};
  paths_find(arena, options, diag, &ret->paths);
  bool gpu = ret->paths.nvcc && paths_have_gpu();
  ret->target = options->target != TARGET_AUTO ? options->target : gpu ? TARGET_CUDA : TARGET_CPU;
  if (ret->target == TARGET_CUDA && !ret->paths.nvcc) {
    diag_report(diag, DIAG_TOOL, NULL,
                "--target=cuda needs nvcc, which was not found (see --cuda-path)");
    return STATUS_USAGE;
  }
  if (options->keep) {
    mkdir(options->keep, 0777);
    ret->directory = options->keep;
  } else {
    const char *base = getenv("TMPDIR");
    char *made = arena_format(arena, "%s/mesicc-XXXXXX", base && *base ? base : "/tmp");
    ret->directory = mkdtemp(made);
  }
  struct stat info;
  if (ret->directory && !stat(ret->directory, &info) && S_ISDIR(info.st_mode)) {
    ret->types_file = arena_format(arena, "%s/types", ret->directory);
    return 0;
  }
  diag_report(diag, DIAG_OUTPUT, NULL, "a folder for the program cannot be made: %s",
              strerror(errno));
  return STATUS_USAGE;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
  (void)info;
  (void)kind;
  (void)where;
  remove(path);
  return 0;
}

/* Removes the directory without a command: no command is started once a signal has come. */
void build_end(struct arena *arena, const struct build *build)
{
  enum { DESCRIPTORS = 16 };
  (void)arena;
  if (build->options->keep || !build->directory || SEEDED(FOLDER_LEFT)) return;
  nftw(build->directory, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

struct options build_again(struct arena *arena, const struct options *options)
{
  struct options again = *options;
  again.warning_words = (struct string_list){0};
  for (unsigned i = 0; i < options->warning_words.count; i++)
    *ARENA_PUSH(arena, &again.warning_words) = options->warning_words.items[i];
  *ARENA_PUSH(arena, &again.warning_words) = "-w";
  return again;
}

/* Do these verbs read the results themselves? */
static void read_results(struct arena *arena, struct options *options)
{
  const struct string_list given = options->warning_words;
  if (options->verb != VERB_COMPARE && options->verb != VERB_PROVE) return;
  options->warning_words = (struct string_list){0};
  *ARENA_PUSH(arena, &options->warning_words) = "-Wno-mesi-unread";
  for (unsigned i = 0; i < given.count; i++)
    *ARENA_PUSH(arena, &options->warning_words) = given.items[i];
}

int build_translate(struct arena *arena, const struct build *build, const struct options *wanted,
                    const char *emitted, struct diag *diag)
{
  struct options *options = ARENA_NEW(arena, struct options);
  *options = *wanted;
  read_results(arena, options);
  options->verb = VERB_TRANSLATE;
  /* the report does not go beside the emitted file, which is removed */
  if (options->explain > EXPLAIN_TEXT && !options->explain_file)
    options->explain_file = explain_file_name(arena, options->explain, options->input);
  options->target = build->target;
  options->output = emitted;
  options->hook_launches = !build->options->link;
  options->whole_program = !build->options->parts.count && build->options->inputs.count <= 1;
  options->depfile = false;
  options->dep_file = options->fragment = NULL;
  if (!options->types_file) options->types_file = build->types_file;
  return sandbox_translate(options, diag);
}

void build_check_environment(struct arena *arena, const char *mark, struct string_list *environment)
{
  *ARENA_PUSH(arena, environment) = arena_format(arena, "MESI_CHECK_MARK=%s", mark);
}

/* The emitted text of each file of the program has a name of its own. */
static const char *module_emitted(struct arena *arena, const struct build *build, const char *name,
                                  unsigned module)
{
  const char *extension = build->target == TARGET_CPU ? "cpp" : "cu";
  return module ? arena_format(arena, "%s/%s.%u.%s", build->directory, name, module, extension)
                : arena_format(arena, "%s/%s.%s", build->directory, name, extension);
}

const char *build_types_file(struct arena *arena, const struct build *build, unsigned module)
{
  return module ? arena_format(arena, "%s.%u", build->types_file, module) : build->types_file;
}

/* Files with common virtual shared variables share device code. */
static const char *build_phase(const struct build *build)
{
  return build->target == TARGET_CPU ? "--compile" : "--device-c";
}

/* With --keep: refuses a folder whose files of the program would be overwritten. */
static int check_kept(struct arena *arena, const struct build *build, const char *emitted,
                      const char *program, struct diag *diag)
{
  struct string_list inputs = {0}, outputs = {0};
  outputs_add_inputs(arena, build->options, &inputs);
  const char *all[] = {emitted, program, build->types_file,
                       arena_format(arena, "%s/macros.h", build->directory)};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) *ARENA_PUSH(arena, &outputs) = all[i];
  for (unsigned i = 0; i < build->options->parts.count; i++)
    *ARENA_PUSH(arena, &outputs) = arena_format(arena, "%s/part_%u.o", build->directory, i);
  for (unsigned i = 1; i < build->options->inputs.count; i++) {
    *ARENA_PUSH(arena, &outputs) = module_emitted(arena, build, file_name(program), i);
    *ARENA_PUSH(arena, &outputs) = build_types_file(arena, build, i);
  }
  return outputs_check(&inputs, &outputs, diag) ? STATUS_USAGE : 0;
}

/* Builds each further file of the program to an object. */
static int build_modules(struct arena *arena, struct build *build, const struct options *wanted,
                         const char *name, struct diag *diag, struct string_list *objects)
{
  int status = 0;
  for (unsigned i = 1; i < build->options->inputs.count && !status; i++) {
    struct options module = *wanted;
    const char *emitted = module_emitted(arena, build, name, i),
               *object = arena_format(arena, "%s.o", emitted);
    module.input = build->options->inputs.items[i];
    module.types_file = build_types_file(arena, build, i);
    module.explain = EXPLAIN_NONE;
    status = build_translate(arena, build, &module, emitted, diag);
    if (!status)
      status = compile_file(arena, build, module.input, emitted, build_phase(build), object, diag);
    if (!status) *ARENA_PUSH(arena, objects) = object;
  }
  return status;
}

int build_variant(struct arena *arena, struct build *build, const struct options *wanted,
                  const char *name, struct diag *diag, const char **ret_program)
{
  const char *emitted = module_emitted(arena, build, name, 0);
  const char *program = arena_format(arena, "%s/%s", build->directory, name);
  const char *input = build->options->input;
  struct string_list objects = {0};
  struct options again = build_again(arena, wanted);
  if (build->told) wanted = &again;
  build->told = true;
  int status = check_kept(arena, build, emitted, program, diag);
  if (!status) status = parts_compile(arena, build, diag);
  if (!status) status = build_translate(arena, build, wanted, emitted, diag);
  if (!status) status = build_modules(arena, build, wanted, name, diag, &objects);
  if (!status) status = compile_program(arena, build, input, emitted, &objects, program, diag);
  if (!status) *ret_program = program;
  return status;
}

int build_program(struct arena *arena, struct build *build, enum plan_level level,
                  struct diag *diag, const char **ret_program)
{
  struct options wanted = *build->options;
  wanted.level = level;
  return build_variant(arena, build, &wanted, arena_format(arena, "program_O%d", (int)level), diag,
                       ret_program);
}
