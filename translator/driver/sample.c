/* SPDX-License-Identifier: MIT */
/* sample.c - a folder as a program: its sample.json has the arguments for `mesicc run`.
 *
 *     { "sources": [ "mpf.mcu", "*.c" ], "include": [ "." ], "options": [ "-lz" ],
 *       "arguments": [ "check" ] }
 *
 * Names are relative to the folder, and a source may be a pattern. The arguments count where the
 * command line has none. Other entries of the file are for other tools
 * (samples/figures/README.md). */
#include "translator/driver/sample.h"

#include <glob.h>
#include <jansson.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/json_file.h"
#include "translator/driver/parts.h"

struct sample {
  struct reader *reader;
  const char *folder, *path; /* without a slash at the end; of sample.json */
  struct string_list *words; /* options and sources */
};

static int refuse(const struct sample *sample, const char *reason)
{
  diag_report(sample->reader->diag, DIAG_INPUT, &(struct diag_place){.file = sample->path}, "%s",
              reason);
  return -1;
}

static const char *inside(const struct sample *sample, const char *name)
{
  return !strcmp(name, ".") || *name == '/'
             ? (*name == '/' ? name : sample->folder)
             : arena_format(sample->reader->arena, "%s/%s", sample->folder, name);
}

static int add_source(const struct sample *sample, const char *name)
{
  struct reader *r = sample->reader;
  const char *pattern = inside(sample, name);
  glob_t found = {0};
  int failed = glob(pattern, 0, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++)
    failed |= sample_is(r->arena, found.gl_pathv[i]); /* the folder itself: an endless loop */
  for (size_t i = 0; i < found.gl_pathc && !failed; i++)
    if (r->options->verb != VERB_TRANSLATE || !parts_is_source(found.gl_pathv[i]))
      option_push(r, sample->words, arena_string(r->arena, found.gl_pathv[i]));
  globfree(&found);
  return failed ? refuse(sample, arena_format(r->arena, "there is no source '%s'", name)) : 0;
}

static int add_include(const struct sample *sample, const char *name)
{
  option_push(sample->reader, sample->words, "-I");
  option_push(sample->reader, sample->words, inside(sample, name));
  return 0;
}

static int add_option(const struct sample *sample, const char *word)
{
  option_push(sample->reader, sample->words, arena_string(sample->reader->arena, word));
  return 0;
}

static int add_argument(const struct sample *sample, const char *word)
{
  struct reader *r = sample->reader;
  option_push(r, &r->options->program_args, arena_string(r->arena, word));
  return 0;
}

/* Calls `add` for every string of a list; a missing list is empty. */
static int each(const struct sample *sample, const json_t *root, const char *key,
                int (*add)(const struct sample *, const char *))
{
  json_t *list = json_object_get(root, key);
  if (list && !json_is_array(list))
    return refuse(sample, arena_format(sample->reader->arena, "'%s' is no list", key));
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *word = json_string_value(json_array_get(list, i));
    if (!word)
      return refuse(sample, arena_format(sample->reader->arena, "'%s' has what is no text", key));
    if (add(sample, word)) return -1;
  }
  return 0;
}

static int read_lists(const struct sample *sample, const json_t *root)
{
  struct options *o = sample->reader->options;
  if (!json_array_size(json_object_get(root, "sources")))
    return refuse(sample, "it names no sources");
  if (each(sample, root, "include", add_include) || each(sample, root, "options", add_option) ||
      each(sample, root, "sources", add_source))
    return -1;
  bool runs = o->verb != VERB_TRANSLATE && !o->program_args.count;
  return runs ? each(sample, root, "arguments", add_argument) : 0;
}

bool sample_is(struct arena *arena, const char *folder)
{
  return file_exists(arena_format(arena, "%s/sample.json", folder));
}

int sample_words(struct reader *r, const char *folder, struct string_list *ret)
{
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') length--;
  folder = arena_format(r->arena, "%.*s", (int)length, folder);
  struct sample sample = {.reader = r,
                          .folder = folder,
                          .path = arena_format(r->arena, "%s/sample.json", folder),
                          .words = ret};
  json_t *root = json_file_read(r->arena, sample.path, DIAG_INPUT, r->diag);
  if (!root) return -1;
  int result = read_lists(&sample, root);
  json_decref(root);
  return result;
}
