/* SPDX-License-Identifier: MIT */
/* database.c - options from a compile_commands.json (-p DIR). */
#include <jansson.h>
#include <string.h>
#include <stdlib.h>

#include "translator/base/file.h"
#include "translator/driver/json_file.h"
#include "translator/driver/options.h"

static bool same_file(const char *directory, const char *file, const char *input)
{
  char a[4096], b[4096], joined[8192];
  snprintf(joined, sizeof joined, "%s%s%s", *file == '/' ? "" : directory, *file == '/' ? "" : "/",
           file);
  return realpath(joined, a) && realpath(input, b) && !strcmp(a, b);
}

/* Splits "command" as a shell would, without expansions. */
static void split_command(struct arena *arena, const char *command, struct string_list *words)
{
  struct text word = {0};
  bool open = false;
  char quote = 0;
  for (const char *c = command;; c++) {
    if (!*c || (!quote && (*c == ' ' || *c == '\t'))) {
      if (open) *ARENA_PUSH(arena, words) = arena_copy(arena, text_string(&word), word.length);
      open = false;
      word.length = 0;
      if (!*c) break;
    } else if (quote ? *c == quote : *c == '"' || *c == '\'') {
      quote = quote ? 0 : *c;
      open = true;
    } else {
      if (*c == '\\' && quote != '\'' && c[1]) c++;
      text_add_bytes(&word, c, 1);
      open = true;
    }
  }
  text_finish(&word);
}

static const char *absolute(struct arena *arena, const char *directory, const char *path)
{
  return *path == '/' ? path : arena_format(arena, "%s/%s", directory, path);
}

/* The index of the user's first word. An entry of -MJ has mesicc's own words first, and the prelude
 * ends them. */
static unsigned first_word(const struct string_list *words)
{
  for (unsigned i = 2; i < words->count; i++)
    if (!strcmp(words->items[i - 1], "-include") &&
        !strncmp(file_name(words->items[i]), "mesi_prelude_", 13))
      return i + 1;
  return 1;
}

/* Takes only the words for the parser: -I -D -U -include -isystem -std. */
static void take_words(struct arena *arena, struct options *options, const char *directory,
                       const struct string_list *words)
{
  static const char *const either[] = {"-I", "-D", "-U", "-isystem", "-include"};
  for (unsigned i = 1; i < words->count; i++)
    if (!strncmp(words->items[i], "-std=", 5)) options->standard = words->items[i] + 5;
  for (unsigned i = first_word(words); i < words->count; i++) {
    const char *word = words->items[i];
    for (unsigned k = 0; k < sizeof either / sizeof *either; k++) {
      size_t length = strlen(either[k]);
      if (strncmp(word, either[k], length)) continue;
      const char *value = word[length]           ? word + length
                          : i + 1 < words->count ? words->items[++i]
                                                 : NULL;
      if (!value) break;
      if (k != 1 && k != 2) value = absolute(arena, directory, value);
      const char *joined = k == 1 || k == 2 ? arena_format(arena, "%s%s", either[k], value) : NULL;
      struct string_list *lists[] = {&options->clang_args, &options->build_args};
      for (unsigned n = 0; n < 2; n++) {
        *ARENA_PUSH(arena, lists[n]) = joined ? joined : either[k];
        if (!joined) *ARENA_PUSH(arena, lists[n]) = value;
      }
      break;
    }
  }
}

/* The entry of a file; NULL: none. */
static json_t *entry_of(json_t *root, const char *file)
{
  size_t index;
  json_t *entry;
  json_array_foreach(root, index, entry)
  {
    const char *directory = json_string_value(json_object_get(entry, "directory"));
    const char *own = json_string_value(json_object_get(entry, "file"));
    if (directory && own && same_file(directory, own, file)) return entry;
  }
  return NULL;
}

static void take_entry(struct arena *arena, struct options *options, json_t *entry)
{
  const char *directory = json_string_value(json_object_get(entry, "directory"));
  const char *command = json_string_value(json_object_get(entry, "command"));
  json_t *arguments = json_object_get(entry, "arguments"), *argument;
  struct string_list words = {0};
  size_t at;
  if (command) split_command(arena, command, &words);
  json_array_foreach(arguments, at, argument) if (json_is_string(argument)) *
      ARENA_PUSH(arena, &words) = arena_string(arena, json_string_value(argument));
  take_words(arena, options, arena_string(arena, directory), &words);
}

int options_read_database(struct arena *arena, struct diag *diag, struct options *options)
{
  const char *path = arena_format(arena, "%s/compile_commands.json", options->database);
  json_t *root = json_file_read(arena, path, DIAG_INPUT, diag), *entry;
  if (!root) return -1;
  if (!json_is_array(root)) {
    diag_report(diag, DIAG_INPUT, &(struct diag_place){.file = path},
                "the file is no array of commands");
    json_decref(root);
    return -1;
  }
  entry = entry_of(root, options->input);
  if (entry)
    take_entry(arena, options, entry);
  else
    diag_report(diag, DIAG_INPUT, &(struct diag_place){.file = path},
                "the file has no entry for '%s'", options->input);
  int status = entry ? 0 : -1;
  json_decref(root);
  return status;
}

const char *options_database_of(struct arena *arena, const struct string_list *folders,
                                const char *file)
{
  const char *found = NULL;
  for (unsigned i = 0; i < folders->count && !found; i++) {
    json_t *root =
        json_load_file(arena_format(arena, "%s/compile_commands.json", folders->items[i]), 0, NULL);
    if (entry_of(root, file)) found = folders->items[i];
    json_decref(root);
  }
  return found;
}
