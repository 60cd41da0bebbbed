/* SPDX-License-Identifier: MIT */
/* outputs.c - the check that an output is neither an input nor another output. */
#include "translator/driver/outputs.h"

#include <string.h>
#include <sys/stat.h>

#include "translator/base/file.h"

static bool is_name(const char *path) { return path && *path && strcmp(path, "-") != 0; }

static bool is_same_object(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Would two files that do not exist be the same: one name in one folder? */
static bool is_same_new_file(const char *a, const char *b)
{
  struct arena *arena = arena_create();
  struct stat a_folder, b_folder;
  bool same = !strcmp(file_name(a), file_name(b)) && !stat(file_directory(arena, a), &a_folder) &&
              !stat(file_directory(arena, b), &b_folder) && is_same_object(&a_folder, &b_folder);
  arena_destroy(arena);
  return same;
}

bool is_same_file(const char *a, const char *b)
{
  struct stat a_info, b_info;
  if (!is_name(a) || !is_name(b)) return false;
  bool a_there = !stat(a, &a_info), b_there = !stat(b, &b_info);
  if (a_there && b_there) return S_ISREG(a_info.st_mode) && is_same_object(&a_info, &b_info);
  return !a_there && !b_there && is_same_new_file(a, b);
}

static int refuse(const char *path, const char *other, const char *what, struct diag *diag)
{
  diag_report(diag, DIAG_OUTPUT_TWICE, &(struct diag_place){.file = path},
              "%s '%s' would be overwritten by this output", what, other);
  return -1;
}

int outputs_check(const struct string_list *inputs, const struct string_list *outputs,
                  struct diag *diag)
{
  for (unsigned i = 0; i < outputs->count; i++) {
    const char *path = outputs->items[i];
    for (unsigned k = 0; k < inputs->count; k++)
      if (is_same_file(path, inputs->items[k]))
        return refuse(path, inputs->items[k], "the input", diag);
    for (unsigned k = 0; k < i; k++)
      if (is_same_file(path, outputs->items[k]))
        return refuse(path, outputs->items[k], "the output", diag);
  }
  return 0;
}

void outputs_add_inputs(struct arena *arena, const struct options *options,
                        struct string_list *inputs)
{
  *ARENA_PUSH(arena, inputs) =
      options->input && !strcmp(options->input, "-") ? "/dev/stdin" : options->input;
  *ARENA_PUSH(arena, inputs) = options->tuned_file;
  for (unsigned i = 0; i < options->inputs.count; i++)
    *ARENA_PUSH(arena, inputs) = options->inputs.items[i];
  for (unsigned i = 0; i < options->parts.count; i++)
    *ARENA_PUSH(arena, inputs) = options->parts.items[i];
}
