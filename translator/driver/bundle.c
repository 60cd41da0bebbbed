/* SPDX-License-Identifier: MIT */
/* bundle.c - `mesicc bundle -o DIR a.mcu b.mcu`: adds cases to a self-contained folder.
 *
 *     DIR/run.sh            builds all, runs all, compares each level with -O0, prints one table
 *     DIR/cases             a line a case: name, levels
 *     DIR/src/NAME_ON.cu    emitted text; NAME_OT.cu: with the plans of --tuned, NAME_OF.cu: for
 *                           -use_fast_math, both at the highest level; NAME.macros.h: the case's
 *                           macros; NAME.args: arguments for nvcc
 *     DIR/src/NAME.parts/   the C and C++ files of the program, with the headers beside them and
 *                           beside the .mcu file
 *     DIR/src/NAME.from     the origin of the case
 *     DIR/src/NAME.run      the program's arguments, one a line
 *     DIR/src/NAME.libs     -l and -L, for the end of the link
 *     DIR/runtime, DIR/tool runtime and comparison sources
 *
 * Several calls with different -D add to one folder: the name of a case has the macros in it. All
 * files of a call take their places at its end (together.h), or none does. */
#include "translator/driver/bundle.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/build.h"
#include "translator/driver/bundle_headers.h"
#include "translator/driver/outputs.h"
#include "translator/driver/parts.h"
#include "translator/driver/paths.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/progress.h"
#include "translator/driver/sandbox.h"
#include "translator/driver/together.h"

static int fail(struct diag *diag, const char *path)
{
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return STATUS_USAGE;
}

static int copy_file(struct arena *arena, const char *from, const char *to, struct diag *diag)
{
  const char *text;
  size_t length;
  enum file_status status = file_read(arena, from, &text, &length);
  if (status != FILE_OK) {
    diag_report(diag, DIAG_INPUT, &(struct diag_place){.file = from}, "%s",
                file_status_text(status));
    return STATUS_USAGE;
  }
  return file_write(to, text, length) ? fail(diag, to) : 0;
}

static bool has_extension(const char *name, const char *wanted)
{
  const char *dot = strrchr(name, '.');
  return dot && !strcmp(dot, wanted);
}

/* Every .c, .h and .def of a folder. */
static int copy_sources(struct arena *arena, const char *from, const char *to, struct diag *diag)
{
  DIR *folder = opendir(from);
  int status = 0;
  mkdir(to, 0777);
  if (!folder) return fail(diag, from);
  for (struct dirent *entry; !status && (entry = readdir(folder));)
    if (has_extension(entry->d_name, ".c") || has_extension(entry->d_name, ".h") ||
        has_extension(entry->d_name, ".def"))
      status = copy_file(arena, arena_format(arena, "%s/%s", from, entry->d_name),
                         arena_format(arena, "%s/%s", to, entry->d_name), diag);
  closedir(folder);
  return status;
}

/* Copies the runtime's interface from its own folder, and its rooms; the CPU backend is left
 * out. */
static int copy_runtime(struct arena *arena, const char *from, const char *to, struct diag *diag)
{
  int status = copy_sources(arena, from, to, diag);
  DIR *folder = status ? NULL : opendir(from);
  for (struct dirent *entry; !status && folder && (entry = readdir(folder));)
    if (!strchr(entry->d_name, '.') && strcmp(entry->d_name, "cpu") != 0)
      status = copy_sources(arena, arena_format(arena, "%s/%s", from, entry->d_name),
                            arena_format(arena, "%s/%s", to, entry->d_name), diag);
  if (folder) closedir(folder);
  return status;
}

static int copy_tools(struct arena *arena, const struct paths *paths, const char *directory,
                      const char *from, struct diag *diag)
{
  static const char *const sources[] = {
      "translator/base/arena.c",         "translator/base/arena.h",        "translator/base/file.c",
      "translator/base/file.h",          "translator/base/text.c",         "translator/base/text.h",
      "translator/driver/dumps.c",       "translator/driver/dumps.h",      "runtime/dump.h",
      "testsuite/tools/compare_dumps.c", "testsuite/tools/bundle_build.sh"};
  static const char *const folders[] = {
      "tool",         "tool/translator", "tool/translator/base", "tool/translator/driver",
      "tool/runtime", "tool/testsuite",  "tool/testsuite/tools"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
    mkdir(arena_format(arena, "%s/%s", directory, folders[i]), 0777);
  for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++) {
    int status = copy_file(arena, arena_format(arena, "%s/%s", paths->bundle, sources[i]),
                           arena_format(arena, "%s/tool/%s", directory, sources[i]), diag);
    if (status) return status;
  }
  const char *script = arena_format(arena, "%s/run.sh", directory);
  int status = copy_file(arena, arena_format(arena, "%s/%s", paths->bundle, from), script, diag);
  if (!status) chmod(script, 0777);
  return status;
}

/* matmul with -DBX=64 -DN=256: "matmul-BX=64-N=256", other characters as '_'. */
const char *bundle_case_name(struct arena *arena, const struct options *options, const char *input)
{
  const char *file = file_name(input), *dot = strrchr(file, '.');
  struct text name = {0};
  text_add_bytes(&name, file, dot ? (size_t)(dot - file) : strlen(file));
  for (unsigned i = 0; i < options->build_args.count; i++)
    if (!strncmp(options->build_args.items[i], "-D", 2))
      text_format(&name, "-%s", options->build_args.items[i] + 2);
  for (size_t i = 0; i < name.length; i++)
    if (!isalnum((unsigned char)name.data[i]) && !strchr("-_=.", name.data[i])) name.data[i] = '_';
  const char *copy = arena_copy(arena, text_string(&name), name.length);
  text_finish(&name);
  return copy;
}

static int write_macros(const struct options *options, const char *path, struct diag *diag)
{
  struct text header = {0};
  for (unsigned i = 0; i < options->build_args.count; i++)
    build_add_macro(&header, options->build_args.items[i]);
  int result = file_write(path, text_string(&header), header.length) ? fail(diag, path) : 0;
  text_finish(&header);
  return result;
}

/* Writes -l and -L as given. */
static int write_libraries(struct arena *arena, const struct options *options, const char *stem,
                           struct diag *diag)
{
  struct text words = {0};
  const char *path = arena_format(arena, "%s.libs", stem);
  for (unsigned i = 0; i < options->link_args.count; i++)
    text_format(&words, "%s\n", options->link_args.items[i]);
  int failed = words.length && file_write(path, text_string(&words), words.length);
  text_finish(&words);
  return failed ? fail(diag, path) : 0;
}

/* The program's C and C++ files, its headers and its arguments. */
static int add_parts(struct arena *arena, const struct options *options, const char *input,
                     const char *stem, struct diag *diag)
{
  struct text args = {0};
  const char *path = arena_format(arena, "%s.run", stem),
             *folder = arena_format(arena, "%s.parts", stem);
  int status = parts_copy(arena, options, folder, diag);
  if (!status) status = parts_copy_headers(arena, file_directory(arena, input), folder, diag);
  for (unsigned i = 0; i < options->program_args.count && !status; i++) {
    text_format(&args, "%s\n", options->program_args.items[i]);
    if (!strchr(options->program_args.items[i], '\n')) continue;
    diag_report(diag, DIAG_USAGE, NULL,
                "an argument of several lines cannot go into a folder for another machine");
    status = STATUS_USAGE;
  }
  if (!status && args.length && file_write(path, text_string(&args), args.length))
    status = fail(diag, path);
  text_finish(&args);
  return status;
}

int bundle_add_files(struct arena *arena, const struct options *options, const char *input,
                     const char *stem, struct diag *diag)
{
  int status = write_macros(options, arena_format(arena, "%s.macros.h", stem), diag);
  if (!status) status = write_libraries(arena, options, stem, diag);
  return status ? status : add_parts(arena, options, input, stem, diag);
}

/* The emitted text of a case at one level: NAME_ON.cu, NAME_OT.cu or NAME_OF.cu. */
enum variant { PLAIN, WITH_TUNED, WITH_FAST_MATH };

static int add_text(struct arena *arena, const struct options *all, const char *input,
                    const char *stem, int level, enum variant variant, struct diag *diag)
{
  struct options *options = ARENA_NEW(arena, struct options);
  *options = *all;
  options->verb = VERB_TRANSLATE;
  options->input = input;
  options->level = (enum plan_level)level;
  options->target = TARGET_CUDA;
  options->hook_launches = true;
  options->output = variant
                        ? arena_format(arena, "%s_O%c.cu", stem, variant == WITH_TUNED ? 'T' : 'F')
                        : arena_format(arena, "%s_O%d.cu", stem, level);
  if (variant != WITH_TUNED) options->tuned_count = 0;
  options->fast_math = variant == WITH_FAST_MATH;
  options->dep_file = arena_format(arena, "%s.d", stem);
  options->dep_phony = true;
  int status = sandbox_translate(options, diag);
  return status ? status : bundle_headers_copy(arena, all, input, stem, options->dep_file, diag);
}

/* Refuses a folder whose files of the program would be overwritten. */
static int check_case(struct arena *arena, const struct options *options, const char *directory,
                      const char *stem, struct diag *diag)
{
  struct string_list inputs = {0}, outputs = {0};
  outputs_add_inputs(arena, options, &inputs);
  *ARENA_PUSH(arena, &outputs) = arena_format(arena, "%s/run.sh", directory);
  *ARENA_PUSH(arena, &outputs) = arena_format(arena, "%s/cases", directory);
  static const char *const endings[] = {".macros.h", ".run",   ".libs",  ".from",  "_O0.cu",
                                        "_O1.cu",    "_O2.cu", "_O3.cu", "_OT.cu", "_OF.cu"};
  for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++)
    *ARENA_PUSH(arena, &outputs) = arena_format(arena, "%s%s", stem, endings[i]);
  return outputs_check(&inputs, &outputs, diag) ? STATUS_USAGE : 0;
}

static int check_cases(struct arena *arena, const struct options *options, const char *directory,
                       struct diag *diag)
{
  int status = 0;
  for (unsigned i = 0; i < options->inputs.count && !status; i++)
    status = check_case(arena, options, directory,
                        arena_format(arena, "%s/src/%s", directory,
                                     bundle_case_name(arena, options, options->inputs.items[i])),
                        diag);
  return status;
}

/* The origin of a case: another case must not take its files over. */
static const char *origin_of(struct arena *arena, const struct options *options, const char *input)
{
  struct text origin = {0};
  char resolved[PATH_MAX];
  text_format(&origin, "%s\n", realpath(input, resolved) ? resolved : input);
  for (unsigned i = 0; i < options->build_args.count; i++)
    text_format(&origin, "%s\n", options->build_args.items[i]);
  const char *copy = arena_copy(arena, text_string(&origin), origin.length);
  text_finish(&origin);
  return copy;
}

/* A diagnostic where another case, here or in the folder, has the name. *ret_again: this case has
 * it already. */
static int check_name(struct arena *arena, const char *path, const char *origin, const char *input,
                      bool *ret_again, struct diag *diag)
{
  const char *before, *name = file_name(path);
  size_t length;
  if (file_read(arena, path, &before, &length) != FILE_OK) return 0;
  *ret_again = true;
  if (!strcmp(before, origin) || SEEDED(CASE_TAKEN_OVER)) return 0;
  diag_report(diag, DIAG_CASE_NAME, &(struct diag_place){.file = input},
              "the folder has a case '%.*s' of %.*s", (int)strlen(name) - (int)strlen(".from"),
              name, (int)strcspn(before, "\n"), before);
  return STATUS_USAGE;
}

/* Marks the name as taken; *ret_again: by the same case. */
static int take_name(struct arena *arena, const struct options *options, const char *input,
                     const struct together *t, const char *name, bool *ret_again, struct diag *diag)
{
  const char *path = arena_format(arena, "%s/src/%s.from", t->making, name),
             *there = arena_format(arena, "%s/src/%s.from", t->folder, name),
             *origin = origin_of(arena, options, input);
  int status = check_name(arena, there, origin, input, ret_again, diag);
  if (!status) status = check_name(arena, path, origin, input, ret_again, diag);
  if (status) return status;
  return file_write(path, origin, strlen(origin)) ? fail(diag, path) : 0;
}

/* `lines` gets the case's lines of the list. */
static int add_case(struct arena *arena, const struct options *all, const char *input,
                    const struct together *t, struct text *lines, struct diag *diag)
{
  const char *name = bundle_case_name(arena, all, input),
             *stem = arena_format(arena, "%s/src/%s", t->making, name);
  struct text levels = {0};
  bool again = false;
  int status = take_name(arena, all, input, t, name, &again, diag), highest = 0;
  if (!status) status = bundle_add_files(arena, all, input, stem, diag);
  for (int level = 0; level < 4 && !status; level++) {
    if (!(all->levels & 1u << level)) continue;
    status = add_text(arena, all, input, stem, level, PLAIN, diag);
    text_format(&levels, " %d", level);
    highest = level;
  }
  if (!status && all->tuned_count) {
    status = add_text(arena, all, input, stem, highest, WITH_TUNED, diag);
    text_add(&levels, " T");
  }
  if (!status && all->fast_math) {
    status = add_text(arena, all, input, stem, highest, WITH_FAST_MATH, diag);
    text_add(&levels, " F");
  }
  if (!again) text_format(lines, "%s%s\n", name, text_string(&levels));
  text_finish(&levels);
  return status;
}

const struct options *bundle_options(struct arena *arena, const struct options *given)
{
  struct options *options = ARENA_NEW(arena, struct options);
  *options = *given;
  for (unsigned i = 0; i + 1 < options->build_args.count; i++)
    if (!strcmp(options->build_args.items[i], "-I"))
      *ARENA_PUSH(arena, &options->folders) = options->build_args.items[++i];
  return options;
}

/* Copies the headers of all -I folders into DIR/include. */
static int copy_include_folders(struct arena *arena, const struct options *options,
                                const char *directory, struct diag *diag)
{
  const char *to = arena_format(arena, "%s/include", directory);
  int status = 0;
  if (options->folders.count) mkdir(to, 0777);
  for (unsigned i = 0; i < options->folders.count && !status; i++)
    status = parts_copy_headers(arena, options->folders.items[i], to, diag);
  return status;
}

int bundle_begin(struct arena *arena, const struct options *options, const char *directory,
                 const char *script, struct diag *diag)
{
  for (unsigned i = 0; i < options->build_args.count; i++) {
    const char *word = options->build_args.items[i];
    if (!strncmp(word, "-D", 2) || !strncmp(word, "-U", 2)) continue;
    if (!strcmp(word, "-I") && ++i < options->build_args.count) continue;
    diag_report(diag, DIAG_USAGE, NULL,
                "a folder for another machine takes -D, -U, -I, -l and -L only, not '%s'", word);
    return STATUS_USAGE;
  }
  for (unsigned i = 0; i < options->host_args.count; i++) {
    diag_report(diag, DIAG_USAGE, NULL,
                "a folder for another machine takes -D, -U, -I, -l and -L only, not '%s'",
                options->host_args.items[i]);
    return STATUS_USAGE;
  }
  struct paths paths;
  paths_find(arena, options, diag, &paths);
  mkdir(arena_format(arena, "%s/src", directory), 0777);
  int status = copy_include_folders(arena, options, directory, diag);
  if (!status)
    status = copy_runtime(arena, arena_format(arena, "%s/runtime", paths.bundle),
                          arena_format(arena, "%s/runtime", directory), diag);
  return status ? status : copy_tools(arena, &paths, directory, script, diag);
}

int bundle_write(struct arena *arena, const struct options *given, struct diag *diag)
{
  const struct options *options = bundle_options(arena, given);
  if (!options->output) {
    diag_report(diag, DIAG_USAGE, NULL, "bundle needs -o DIR");
    return STATUS_USAGE;
  }
  struct together t;
  struct text lines = {0};
  int status = check_cases(arena, options, options->output, diag);
  if (!status) status = together_begin(arena, options->output, diag, &t);
  if (status) return status;
  status = bundle_begin(arena, options, t.making, "testsuite/tools/bundle_run.sh", diag);
  for (unsigned i = 0; i < options->inputs.count && !status; i++) {
    progress_show("bundling", options->inputs.items[i], i + 1, options->inputs.count);
    status = add_case(arena, options, options->inputs.items[i], &t, &lines, diag);
  }
  status = together_end(arena, &t, status, "cases", text_string(&lines), diag);
  text_finish(&lines);
  return status;
}
