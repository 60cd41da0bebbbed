/* SPDX-License-Identifier: MIT */
/* prove_build.c - compiles for `mesicc prove`: clang to bitcode, instrumented, clang to an object.
 *
 * Nothing may fold a floating-point operation before the instrumentation, so that clang's passes
 * are off. After it they are not worth their time: most of the code is calls of helpers. */
#include "translator/driver/prove_build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/file.h"
#include "translator/driver/process.h"

static bool on_path(struct arena *arena, const char *program)
{
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    if (length && !access(arena_format(arena, "%.*s/%s", (int)length, path, program), X_OK))
      return true;
    path += length + (path[length] == ':');
  }
  return false;
}

/* The clang of the LLVM with which mesicc was built. Debian's has its version in its name. */
static const char *find_compiler(struct arena *arena)
{
  static const char *const names[] = {"clang++-" MESI_LLVM_VERSION, "clang++"};
  static const char own[] = MESI_LLVM_PREFIX "/bin/clang++";
  if (on_path(arena, names[0])) return names[0];
  if (!access(own, X_OK)) return own;
  return on_path(arena, names[1]) ? names[1] : NULL;
}

const char *prove_missing(struct arena *arena, const struct build *build)
{
  const struct paths *paths = &build->paths;
  if (!find_compiler(arena)) return "there is no clang++-" MESI_LLVM_VERSION;
  if (!file_exists(paths->instrument) || !file_exists(paths->prove_library) ||
      !file_exists(paths->prove_helpers))
    return "mesicc was built without prove (llvm-" MESI_LLVM_VERSION "-dev)";
  return NULL;
}

static void add_all(struct arena *arena, struct command *command, const char *const *words)
{
  for (; *words; words++) command_add(arena, command, *words);
}

static void add_list(struct arena *arena, struct command *command, const struct string_list *list)
{
  for (unsigned i = 0; i < list->count; i++) command_add(arena, command, list->items[i]);
}

static bool run_quietly(struct arena *arena, const struct build *build, struct command *command)
{
  command->err = arena_format(arena, "%s/messages", build->directory);
  return command_run(arena, command, build->options->verbose) == 0;
}

static bool to_bitcode(struct arena *arena, const struct build *build, const char *source,
                       const char *text, bool is_c, const char *bitcode)
{
  const struct options *options = build->options;
  struct command command = {0};
  const char *const flags[] = {
      find_compiler(arena),
      is_c ? "-std=gnu11" : arena_format(arena, "-std=%s", option_cpu_standard(options->standard)),
      "-O1",
      "-Xclang",
      "-disable-llvm-passes",
      "-w",
      "-ffp-contract=off",
      "-fno-strict-aliasing",
      "-fno-math-errno",
      "-pthread",
      NULL};
  const char *const own[] = {"-I",         file_directory(arena, source),
                             "-isystem",   build->paths.runtime,
                             "-isystem",   build->paths.cpu,
                             "-isystem",   build->paths.surface,
                             "-x",         is_c ? "c" : "c++",
                             "-emit-llvm", "-c",
                             text,         "-o",
                             bitcode,      NULL};
  add_all(arena, &command, flags);
  add_list(arena, &command, &options->host_args);
  add_list(arena, &command, &options->build_args);
  add_all(arena, &command, own);
  return run_quietly(arena, build, &command);
}

static bool to_object(struct arena *arena, const struct build *build, const char *bitcode,
                      const char *object)
{
  const char *done = arena_format(arena, "%s.instrumented.bc", object);
  const char *const first[] = {
      build->paths.instrument, "--inputs", build->paths.prove_helpers, bitcode, done, NULL};
  const char *const second[] = {find_compiler(arena), "-O0", "-w", "-c", done, "-o", object, NULL};
  struct command instrument = {0}, compile = {0};
  add_all(arena, &instrument, first);
  add_all(arena, &compile, second);
  return run_quietly(arena, build, &instrument) && run_quietly(arena, build, &compile);
}

static bool compile_one(struct arena *arena, const struct build *build, const char *source,
                        const char *text, const char *object)
{
  const char *bitcode = arena_format(arena, "%s.bc", object), *dot = strrchr(text, '.');
  return to_bitcode(arena, build, source, text, dot && !strcmp(dot, ".c"), bitcode) &&
         to_object(arena, build, bitcode, object);
}

static bool link_program(struct arena *arena, const struct build *build,
                         const struct string_list *objects, const char *program)
{
  static const char *const wrapped[] = {
      "-Wl,--wrap=calloc,--wrap=realloc,--wrap=mmap,--wrap=mesi_guard_map,--wrap=mesi_cpu_run",
      NULL};
  static const char *const libraries[] = {"-lboost_context", "-ldl", "-lm", "-pthread", "-o", NULL};
  struct command command = {0};
  command_add(arena, &command, find_compiler(arena));
  add_list(arena, &command, &build->options->host_args);
  add_list(arena, &command, objects);
  add_all(arena, &command, wrapped);
  command_add(arena, &command, build->paths.prove_library);
  add_list(arena, &command, &build->options->link_args);
  add_all(arena, &command, libraries);
  command_add(arena, &command, program);
  return run_quietly(arena, build, &command);
}

/* The first error in a compiler's messages. */
static const char *first_error(struct arena *arena, const struct build *build)
{
  const char *text, *found;
  size_t length;
  if (file_read(arena, arena_format(arena, "%s/messages", build->directory), &text, &length) !=
      FILE_OK)
    return "";
  found = strstr(text, "error: ");
  if (!found) found = text;
  return arena_copy(arena, found, strcspn(found, "\n"));
}

int prove_compile(struct arena *arena, const struct build *build, const char *source,
                  const char *name, const char **ret_program, const char **ret_reason)
{
  struct string_list objects = {0};
  const char *object = arena_format(arena, "%s/%s.o", build->directory, name),
             *program = arena_format(arena, "%s/%s", build->directory, name);
  bool done = compile_one(arena, build, source,
                          arena_format(arena, "%s/%s.cpp", build->directory, name), object);
  *ARENA_PUSH(arena, &objects) = object;
  for (unsigned i = 0; i < build->options->parts.count && done; i++) {
    const char *part = build->options->parts.items[i],
               *made = arena_format(arena, "%s/%s_part_%u.o", build->directory, name, i);
    done = compile_one(arena, build, part, part, made);
    *ARENA_PUSH(arena, &objects) = made;
  }
  if (done && link_program(arena, build, &objects, program)) {
    *ret_program = program;
    return 0;
  }
  *ret_reason =
      arena_format(arena, "clang does not take the emitted file: %s", first_error(arena, build));
  return -1;
}
