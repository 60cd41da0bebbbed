/* SPDX-License-Identifier: MIT */
/* survey_tree.c - the files of a survey.
 *
 *     given folders -> all files -> those named .cu and .mcu are units
 *         unit main.cu: #include "kernel.cu" -> kernel.cu is a part of main.cu, no unit of its own
 *
 * The includes of a file are read from its text, without comments. Each means the file beside it,
 * otherwise the nearest one of the tree. A file is nearer the fewer folders are on the way up and
 * down to it. Of files that include each other the first one is the unit. A file that is given by
 * itself, on the command line or by a compile_commands.json, is a unit whoever includes it.
 */
#define _GNU_SOURCE
#include "translator/driver/survey_tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"

enum { FOLDERS_DEEP = 64 };

struct include_list { /* includes of a file: the words between quotes or brackets */
  struct string_list names;
};

static bool is_unit(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".mcu"));
}

static struct tree_file *add_file(struct survey_tree *tree, const char *path)
{
  char *real = realpath(path, NULL);
  struct tree_file *known = real ? name_map_get(&tree->reals, real) : NULL;
  if (known && !strcmp(known->path, path)) {
    free(real);
    return known;
  }
  struct tree_file *file = ARENA_NEW(tree->arena, struct tree_file);
  const char *name = file_name(path);
  *file = (struct tree_file){.path = path,
                             .real = real ? arena_string(tree->arena, real) : NULL,
                             .same_name = name_map_get(&tree->names, name)};
  free(real);
  *ARENA_PUSH(tree->arena, &tree->files) = file;
  name_map_put(tree->arena, &tree->names, name, file);
  if (file->real && !known) name_map_put(tree->arena, &tree->reals, file->real, file);
  return file;
}

/* ---- folders ---- */

static int add_folder(struct survey_tree *tree, const char *folder, unsigned depth, struct diag *);

static int add_entry(struct survey_tree *tree, const char *path, const char *name, unsigned depth,
                     struct diag *diag)
{
  struct stat info;
  if (lstat(path, &info) || name[0] == '.') return 0;
  if (S_ISDIR(info.st_mode)) return add_folder(tree, path, depth + 1, diag);
  if (stat(path, &info) || !S_ISREG(info.st_mode)) return 0;
  add_file(tree, path)->unit = is_unit(name);
  return 0;
}

/* Adds the files of a folder by name. Links to folders are not followed. */
static int add_folder(struct survey_tree *tree, const char *folder, unsigned depth,
                      struct diag *diag)
{
  struct dirent **entries;
  int count = depth < FOLDERS_DEEP ? scandir(folder, &entries, NULL, alphasort) : 0;
  if (count < 0) {
    diag_report(diag, DIAG_INPUT, &(struct diag_place){.file = folder}, "%s", strerror(errno));
    return -1;
  }
  int failed = 0;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    if (!failed)
      failed = add_entry(tree, arena_format(tree->arena, "%s/%s", folder, name), name, depth, diag);
    free(entries[i]);
  }
  if (depth < FOLDERS_DEEP) free(entries);
  return failed;
}

/* Adds a database in the folder, or in its folder `build`. */
static void add_databases(struct survey_tree *tree, const char *folder)
{
  const char *const places[] = {folder, arena_format(tree->arena, "%s/build", folder)};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    const char *place = places[i];
    if (file_exists(arena_format(tree->arena, "%s/compile_commands.json", place)))
      *ARENA_PUSH(tree->arena, &tree->databases) = place;
  }
}

/* ---- the includes of a file ---- */

/* Skips blanks and comments, at most to the end of the text. */
static const char *over_comments(const char *at)
{
  for (;;) {
    at += strspn(at, " \t\r\n");
    bool block = !strncmp(at, "/*", 2);
    if (!block && strncmp(at, "//", 2)) return at;
    const char *end = block ? strstr(at + 2, "*/") : at + strcspn(at, "\n");
    if (!end) return at + strlen(at);
    at = end + (block ? 2 : 0);
  }
}

/* The end of the line, or the start of a comment in it. */
static const char *line_end(const char *at)
{
  while (*at && *at != '\n' && strncmp(at, "//", 2) && strncmp(at, "/*", 2)) at++;
  return at;
}

/* The word of a line that begins with #include; NULL: the line is another. */
static const char *included(struct arena *arena, const char *line)
{
  if (*line++ != '#') return NULL;
  line += strspn(line, " \t");
  if (strncmp(line, "include", 7)) return NULL;
  line += 7 + strspn(line + 7, " \t");
  char close = *line == '"' ? '"' : *line == '<' ? '>' : 0;
  size_t length = close ? strcspn(line + 1, "\"\n>") : 0;
  return length && line[1 + length] == close ? arena_copy(arena, line + 1, length) : NULL;
}

static const struct include_list *includes_of(struct survey_tree *tree, struct tree_file *file)
{
  if (file->includes) return file->includes;
  struct include_list *list = ARENA_NEW(tree->arena, struct include_list);
  const char *text;
  size_t length;
  file->includes = list;
  if (file_read(tree->arena, file->path, &text, &length) != FILE_OK) return list;
  for (const char *at = over_comments(text); *at; at = over_comments(at)) {
    const char *name = included(tree->arena, at);
    if (name) *ARENA_PUSH(tree->arena, &list->names) = name;
    at = line_end(at);
  }
  return list;
}

/* ---- the file of an include ---- */

/* The number of folders on the way from one file's folder to another. */
static unsigned distance(const char *from, const char *folder, size_t folder_length)
{
  unsigned steps = 0;
  size_t same = 0, from_length = strlen(from);
  while (from_length && from[from_length - 1] != '/') from_length--;
  if (from_length) from_length--;
  for (size_t i = 0;; i++) {
    bool ends = i == from_length || from[i] == '/', other = i == folder_length || folder[i] == '/';
    if (ends && other) same = i;
    if (i >= from_length || i >= folder_length || from[i] != folder[i]) break;
  }
  for (size_t i = same; i < from_length; i++) steps += from[i] == '/';
  for (size_t i = same; i < folder_length; i++) steps += folder[i] == '/';
  return steps;
}

/* The nearest file whose path ends with `header`; *ret_length: the length of its folder's path. */
static struct tree_file *nearest(struct survey_tree *tree, const char *includer, const char *header,
                                 size_t *ret_length)
{
  struct tree_file *best = NULL;
  unsigned best_steps = 0;
  size_t end = strlen(header);
  for (struct tree_file *file = name_map_get(&tree->names, file_name(header)); file;
       file = file->same_name) {
    size_t length = file->real ? strlen(file->real) : 0;
    if (length < end + 1 || file->real[length - end - 1] != '/' ||
        strcmp(file->real + length - end, header))
      continue;
    unsigned steps = distance(includer, file->real, length - end - 1);
    /* the list goes backwards: of two equally near files, the first by name */
    if (best && (SEEDED(SURVEY_FAR_HEADER) ? steps < best_steps : steps > best_steps)) continue;
    best = file, best_steps = steps, *ret_length = length - end - 1;
  }
  return best;
}

static struct tree_file *beside(struct survey_tree *tree, const char *includer, const char *header)
{
  const char *folder = file_directory(tree->arena, includer);
  char *real = realpath(arena_format(tree->arena, "%s/%s", folder, header), NULL);
  struct tree_file *file = real ? name_map_get(&tree->reals, real) : NULL;
  free(real);
  return file;
}

const char *survey_tree_folder(struct survey_tree *tree, const char *includer, const char *header)
{
  char *real = realpath(includer, NULL);
  size_t length = 0;
  struct tree_file *file = nearest(tree, real ? real : includer, header, &length);
  free(real);
  return file ? arena_copy(tree->arena, file->real, length) : NULL;
}

/* ---- parts ---- */

/* Makes all files that `file` includes, through headers too, parts of `unit`. */
static void mark(struct survey_tree *tree, struct tree_file *file, struct tree_file *unit)
{
  const struct include_list *list = includes_of(tree, file);
  for (unsigned i = 0; i < list->names.count; i++) {
    const char *name = list->names.items[i];
    size_t length;
    struct tree_file *other = beside(tree, file->path, name);
    if (!other) other = nearest(tree, file->real ? file->real : file->path, name, &length);
    if (!other || other == unit || other->visit == tree->visits) continue;
    other->visit = tree->visits;
    if (!other->part_of && !other->given) other->part_of = unit;
    mark(tree, other, unit);
  }
}

static void mark_unit(struct survey_tree *tree, struct tree_file *unit)
{
  tree->visits++;
  mark(tree, unit, unit);
}

/* Does a unit found so far include the file? No one does of files that include each other. */
static bool is_reached(const struct tree_file *file)
{
  const struct tree_file *unit = file;
  for (unsigned i = 0; unit->part_of && i < FOLDERS_DEEP; i++) unit = unit->part_of;
  return !unit->part_of;
}

static void find_parts(struct survey_tree *tree)
{
  for (unsigned i = 0; i < tree->files.count; i++)
    if (tree->files.items[i]->unit) mark_unit(tree, tree->files.items[i]);
  for (unsigned i = 0; i < tree->files.count; i++) {
    struct tree_file *file = tree->files.items[i];
    if (file->unit && file->part_of && !is_reached(file)) file->part_of = NULL;
  }
}

/* ---- all ---- */

int survey_tree_read(struct arena *arena, const struct options *options, struct diag *diag,
                     struct survey_tree *ret)
{
  *ret = (struct survey_tree){.arena = arena};
  for (unsigned i = 0; i < options->inputs.count; i++) {
    const char *input = options->inputs.items[i];
    struct stat info;
    if (!stat(input, &info) && S_ISDIR(info.st_mode)) {
      if (add_folder(ret, input, 0, diag)) return -1;
      if (!options->database) add_databases(ret, input);
    } else {
      struct tree_file *file = add_file(ret, input);
      file->unit = file->given = true;
    }
  }
  for (unsigned i = 0; i < ret->files.count; i++) {
    struct tree_file *file = ret->files.items[i];
    if (!file->unit) continue;
    file->database = options_database_of(arena, &ret->databases, file->path);
    file->given |= file->database != NULL;
  }
  find_parts(ret);
  return 0;
}
