/* SPDX-License-Identifier: MIT */
/* editor.c - `mesicc setup clangd`: a .clangd for the .mcu files of a folder and those below.
 *
 *     If:
 *       PathMatch: .*\\.(mcu|cu|cuh)
 *     CompileFlags:
 *       Add: ["-x", "cuda", ..., "-include", ".../mesi_prelude_surface.h"]
 *
 * A file that this command did not write is left alone. */
#include "translator/driver/editor.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/file.h"
#include "translator/driver/explain_words.h"
#include "translator/driver/paths.h"
#include "translator/driver/pipeline.h"

static const char MARK[] = "# Written by 'mesicc setup clangd'";

struct frontend_words editor_words(struct arena *arena, const struct options *options,
                                   struct diag *diag)
{
  struct paths paths;
  paths_find(arena, options, diag, &paths);
  struct frontend_options wanted = pipeline_frontend_options(arena, options, &paths);
  return frontend_editor_words(arena, &wanted);
}

const char *editor_folder(struct arena *arena)
{
  char folder[4096];
  return getcwd(folder, sizeof folder) ? arena_string(arena, folder) : ".";
}

const char *editor_absolute(struct arena *arena, const char *folder, const char *path)
{
  if (*path == '/') return path;
  while (!strncmp(path, "./", 2)) path += 2;
  return arena_format(arena, "%s/%s", folder, path);
}

/* A string of YAML, in double quotes. */
static void add_string(struct text *text, const char *word)
{
  text_add(text, "\"");
  for (; *word; word++) {
    if (strchr("\"\\", *word)) text_add(text, "\\");
    text_add_bytes(text, word, 1);
  }
  text_add(text, "\"");
}

static void add_word(struct arena *arena, struct text *text, const char *word, bool is_first)
{
  text_add(text, is_first ? "[" : ",\n        ");
  add_string(text, words_clean(arena, word));
}

/* Does the word name a folder? The user's folders are relative to the working directory, not to
 * each file's own folder. */
static bool names_folder(const char *word)
{
  static const char *const options[] = {"-I", "-isystem", "-iquote", "-include"};
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
    if (!strcmp(word, options[i])) return true;
  return false;
}

static void write_text(struct arena *arena, const struct options *options, struct diag *diag,
                       struct text *text)
{
  struct frontend_words own = editor_words(arena, options, diag);
  const struct string_list *users = &options->clang_args;
  const char *folder = editor_folder(arena);
  text_format(text,
              "%s; do that again when mesicc has moved.\n"
              "If:\n  PathMatch: .*\\.(mcu|cu|cuh)\nCompileFlags:\n  Add: ",
              MARK);
  for (unsigned i = 0; i < own.count; i++) add_word(arena, text, own.items[i], !i);
  for (unsigned i = 0; i < users->count; i++) {
    bool path = i && names_folder(users->items[i - 1]);
    add_word(arena, text, path ? editor_absolute(arena, folder, users->items[i]) : users->items[i],
             false);
  }
  text_add(text, "]\n");
}

int editor_setup(struct arena *arena, const struct options *options, struct diag *diag)
{
  const char *path = options->output ? options->output : ".clangd", *before;
  struct diag_place place = {.file = path};
  size_t length;
  if (strcmp(options->input, "clangd") || options->inputs.count > 1) {
    diag_report(diag, DIAG_USAGE, NULL, "setup knows clangd, not '%s'",
                options->inputs.items[options->inputs.count - 1]);
    return STATUS_USAGE;
  }
  bool there = strcmp(path, "-") && file_exists(path);
  if (there && (file_read(arena, path, &before, &length) != FILE_OK ||
                strncmp(before, MARK, strlen(MARK)))) {
    diag_report(diag, DIAG_OUTPUT, &place,
                "the file is there and is not of 'mesicc setup clangd': it stays as it is; -o - "
                "prints what "
                "would be written");
    return STATUS_USAGE;
  }
  struct text text = {0};
  write_text(arena, options, diag, &text);
  int failed = file_write(path, text_string(&text), text.length);
  text_finish(&text);
  if (failed)
    diag_report(diag, DIAG_OUTPUT, &place, "the file cannot be written: %s", strerror(errno));
  else if (strcmp(path, "-"))
    printf("%s %s: how clangd parses .mcu, .cu and .cuh files in this folder and below\n",
           there ? "wrote again" : "wrote", path);
  return failed ? STATUS_USAGE : STATUS_FINE;
}
