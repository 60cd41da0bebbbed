/* SPDX-License-Identifier: MIT */
/* depfile.c - a make rule of the user headers, and a compile_commands.json fragment for
 * clangd. */
#include "translator/driver/depfile.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/editor.h"
#include "translator/driver/explain_words.h"

/* A file name as make reads it. */
static void add_name(struct text *text, const char *name)
{
  for (; *name; name++) {
    if (*name == ' ' || *name == '#' || *name == '\\') text_add(text, "\\");
    if (*name == '$') text_add(text, "$");
    text_add_bytes(text, name, 1);
  }
}

static const char *default_name(struct arena *arena, const char *output)
{
  const char *dot = strrchr(file_name(output), '.');
  size_t stem = dot ? (size_t)(dot - output) : strlen(output);
  return arena_format(arena, "%.*s.d", (int)stem, output);
}

const char *depfile_name(struct arena *arena, const struct options *options, const char *output)
{
  if (options->dep_file || !options->depfile) return options->dep_file;
  if (options->dependencies_only) return "-";
  return strcmp(output, "-") ? default_name(arena, output) : NULL;
}

static int put(const char *path, const char *text, size_t length, struct diag *diag)
{
  if (!file_write(path, text, length)) return 0;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return -1;
}

static int write_rule(struct arena *arena, const struct options *options, const struct unit *unit,
                      const char *output, struct diag *diag)
{
  struct text text = {0};
  if (options->dep_target && options->dep_quoted)
    add_name(&text, options->dep_target);
  else if (options->dep_target)
    text_add(&text, options->dep_target);
  else
    add_name(&text, output);
  text_add(&text, ": ");
  add_name(&text, unit->input);
  for (unsigned i = 0; i < unit->dependencies.count; i++) {
    text_add(&text, " \\\n  ");
    add_name(&text, unit->dependencies.items[i]);
  }
  if (options->tuned_file) {
    text_add(&text, " \\\n  ");
    add_name(&text, options->tuned_file);
  }
  text_add(&text, "\n");
  if (options->dep_phony && options->tuned_file) {
    add_name(&text, options->tuned_file);
    text_add(&text, ":\n");
  }
  for (unsigned i = 0; options->dep_phony && i < unit->dependencies.count; i++) {
    add_name(&text, unit->dependencies.items[i]);
    text_add(&text, ":\n");
  }
  const char *path = depfile_name(arena, options, output);
  int result = put(path, text_string(&text), text.length, diag);
  text_finish(&text);
  return result;
}

/* A string for JSON, which has only the characters of UTF-8. */
static json_t *string(struct arena *arena, const char *text)
{
  return json_string(words_clean(arena, text));
}

static json_t *strings(struct arena *arena, json_t *list, const char *const *words, unsigned count)
{
  for (unsigned i = 0; i < count; i++) json_array_append_new(list, string(arena, words[i]));
  return list;
}

static int write_fragment(struct arena *arena, const struct options *options, const char *output,
                          struct diag *diag)
{
  struct frontend_words own = editor_words(arena, options, diag);
  const char *directory = editor_folder(arena),
             *file = editor_absolute(arena, directory, options->input);
  json_t *arguments = json_pack("[s]", "clang++");
  strings(arena, arguments, own.items, own.count);
  strings(arena, arguments, options->clang_args.items, options->clang_args.count);
  json_array_append_new(arguments, string(arena, file));
  json_t *entry =
      json_pack("{s:o, s:o, s:o, s:o}", "directory", string(arena, directory), "file",
                string(arena, file), "output", string(arena, output), "arguments", arguments);
  char *text = entry ? json_dumps(entry, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  if (!text) {
    diag_report(diag, DIAG_USAGE, NULL, "there is no memory for '%s'", options->fragment);
    json_decref(entry);
    return -1;
  }
  struct text line = {0};
  text_format(&line, "%s,\n", text);
  int result = put(options->fragment, text_string(&line), line.length, diag);
  text_finish(&line);
  free(text);
  json_decref(entry);
  return result;
}

int depfile_write(struct arena *arena, const struct options *options, const struct unit *unit,
                  const char *output, struct diag *diag)
{
  bool wanted = options->depfile || options->dep_file;
  if (wanted && !depfile_name(arena, options, output)) {
    diag_report(diag, DIAG_USAGE, NULL, "-MD with output to standard output needs -MF");
    return -1;
  }
  if (wanted && write_rule(arena, options, unit, output, diag)) return -1;
  return options->fragment ? write_fragment(arena, options, output, diag) : 0;
}
