/* SPDX-License-Identifier: MIT */
/* parts.c - compiles the C and C++ files of a program.
 *
 *     mesicc run solve.mcu network.c order.c -- net.uai
 *
 * C goes to gcc and C++ to the host compiler, both with the user's -I and -D and the optimisation
 * of the emitted file; the objects are linked with it. Parts may include <mesi.h>. */
#include "translator/driver/parts.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/base/file.h"
#include "translator/driver/outputs.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"

static bool is_c(const char *path)
{
  const char *dot = strrchr(file_name(path), '.');
  return dot && !strcmp(dot, ".c");
}

bool parts_is_source(const char *path)
{
  const char *dot = strrchr(file_name(path), '.');
  return dot && (is_c(path) || !strcmp(dot, ".cpp") || !strcmp(dot, ".cc") || !strcmp(dot, ".cxx"));
}

static int compile_part(struct arena *arena, const struct build *build, const char *source,
                        const char *object, struct diag *diag)
{
  const struct options *options = build->options;
  static const char *const flags[] = {"-O2", "-g", "-w", "-pthread"};
  struct command command = {0};
  command_add(arena, &command,
              is_c(source)             ? "gcc"
              : options->host_compiler ? options->host_compiler
                                       : "g++");
  command_add(arena, &command,
              is_c(source) ? "-std=gnu11" : arena_format(arena, "-std=%s", options->standard));
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
    command_add(arena, &command, flags[i]);
  for (unsigned i = 0; i < options->build_args.count; i++)
    command_add(arena, &command, options->build_args.items[i]);
  for (unsigned i = 0; i < options->host_args.count; i++)
    command_add(arena, &command, options->host_args.items[i]);
  command_add(arena, &command, "-isystem");
  command_add(arena, &command, build->paths.runtime);
  command_add(arena, &command, "-c");
  command_add(arena, &command, source);
  command_add(arena, &command, "-o");
  command_add(arena, &command, object);
  int result = command_run(arena, &command, options->verbose);
  if (!result) return 0;
  struct diag_place place = {.file = source};
  if (result == 127 || result < 0) {
    diag_report(diag, DIAG_TOOL, NULL, "'%s' cannot be run", command.words.items[0]);
    return STATUS_USAGE;
  }
  diag_report(diag, DIAG_BUILD, &place, "%s did not compile the file (exit status %d)",
              command.words.items[0], result);
  return STATUS_SOURCE;
}

int parts_compile(struct arena *arena, struct build *build, struct diag *diag)
{
  const struct string_list *parts = &build->options->parts;
  int status = 0;
  for (unsigned i = build->objects.count; i < parts->count && !status; i++) {
    const char *object = arena_format(arena, "%s/part_%u.o", build->directory, i);
    status = compile_part(arena, build, parts->items[i], object, diag);
    if (!status) *ARENA_PUSH(arena, &build->objects) = object;
  }
  return status;
}

/* ---- for bundles ---- */

static int copy_part(struct arena *arena, const char *from, const char *folder, struct diag *diag)
{
  const char *to = arena_format(arena, "%s/%s", folder, file_name(from)), *text;
  size_t length;
  enum file_status status = file_read(arena, from, &text, &length);
  if (status != FILE_OK) {
    diag_report(diag, DIAG_INPUT, &(struct diag_place){.file = from}, "%s",
                file_status_text(status));
    return STATUS_USAGE;
  }
  struct string_list inputs = {.items = &from, .count = 1}, outputs = {.items = &to, .count = 1};
  if (outputs_check(&inputs, &outputs, diag)) return STATUS_USAGE;
  if (!file_write(to, text, length)) return 0;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = to}, "the file cannot be written: %s",
              strerror(errno));
  return STATUS_USAGE;
}

int parts_copy_headers(struct arena *arena, const char *from, const char *folder, struct diag *diag)
{
  DIR *directory = opendir(from);
  int status = 0;
  for (struct dirent *entry; directory && !status && (entry = readdir(directory));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot && (!strcmp(dot, ".h") || !strcmp(dot, ".hpp") || !strcmp(dot, ".cuh")))
      status = copy_part(arena, arena_format(arena, "%s/%s", from, entry->d_name), folder, diag);
  }
  if (directory) closedir(directory);
  return status;
}

int parts_copy(struct arena *arena, const struct options *options, const char *folder,
               struct diag *diag)
{
  int status = 0;
  mkdir(folder, 0777);
  for (unsigned i = 0; i < options->parts.count && !status; i++) {
    status = copy_part(arena, options->parts.items[i], folder, diag);
    if (!status)
      status =
          parts_copy_headers(arena, file_directory(arena, options->parts.items[i]), folder, diag);
  }
  return status;
}
