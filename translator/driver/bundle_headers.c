/* SPDX-License-Identifier: MIT */
/* bundle_headers.c - copies the files that a translation has read.
 *
 *     #include <tables/sines.inc>    of -I /usr/share/tables: DIR/include/tables/sines.inc
 *     #include "steps.c"             beside the input: DIR/src/NAME.parts/steps.c
 *
 * Headers by their endings are there already (parts_copy_headers): also those that only another
 * level or the emitted text needs. */
#include "translator/driver/bundle_headers.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/pipeline.h"

static int fail(struct diag *diag, const char *path)
{
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return STATUS_USAGE;
}

/* Copies `from` to `to`, whose folders below `folder` are made where they are missing. */
static int copy(struct arena *arena, const char *from, const char *folder, const char *to,
                struct diag *diag)
{
  const char *text;
  size_t length;
  if (!access(to, F_OK) || file_read(arena, from, &text, &length) != FILE_OK) return 0;
  mkdir(folder, 0777);
  for (const char *slash = to + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++)
    mkdir(arena_format(arena, "%.*s", (int)(slash - to), to), 0777);
  return file_write(to, text, length) ? fail(diag, to) : 0;
}

/* The rest of `path` below `folder`; NULL: it is elsewhere, or leaves the folder again. */
static const char *below(const char *path, const char *folder)
{
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') length--;
  if (strncmp(path, folder, length) || path[length] != '/') return NULL;
  path += length;
  while (*path == '/') path++;
  return strstr(path, "../") ? NULL : path;
}

static int copy_one(struct arena *arena, const struct options *options, const char *input,
                    const char *stem, const char *path, struct diag *diag)
{
  const char *include = arena_format(arena, "%s/../include", file_directory(arena, stem)),
             *parts = arena_format(arena, "%s.parts", stem), *source = file_directory(arena, input),
             *rest;
  for (unsigned i = 0; i < options->folders.count; i++)
    if ((rest = below(path, options->folders.items[i])))
      return copy(arena, path, include, arena_format(arena, "%s/%s", include, rest), diag);
  rest = below(path, source);
  if (!strcmp(source, ".") && *path != '/' && !strstr(path, "../")) rest = path;
  return rest ? copy(arena, path, parts, arena_format(arena, "%s/%s", parts, rest), diag) : 0;
}

/* The file's name in a line "NAME:" of a rule; NULL: the line is another one. */
static const char *phony(struct arena *arena, const char *line, size_t length)
{
  if (!length || *line == ' ' || line[length - 1] != ':') return NULL;
  char *name = arena_copy(arena, line, length), *end = name;
  for (const char *from = line; from < line + length - 1; from++) {
    if ((*from == '\\' && strchr(" #\\", from[1])) || (*from == '$' && from[1] == '$')) from++;
    *end++ = *from;
  }
  *end = '\0';
  return name;
}

int bundle_headers_copy(struct arena *arena, const struct options *options, const char *input,
                        const char *stem, const char *depfile, struct diag *diag)
{
  const char *text;
  size_t all;
  int status = 0;
  if (file_read(arena, depfile, &text, &all) != FILE_OK || SEEDED(INCLUDED_NOT_BUNDLED)) return 0;
  for (size_t length; *text && !status; text += length + (text[length] == '\n')) {
    length = strcspn(text, "\n");
    const char *name = phony(arena, text, length);
    if (name) status = copy_one(arena, options, input, stem, name, diag);
  }
  unlink(depfile);
  return status;
}
