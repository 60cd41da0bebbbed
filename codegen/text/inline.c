/* SPDX-License-Identifier: MIT */
/* inline.c - the texts of the unit's files with their edits, spliced into one.
 *
 *     #include "a.h"        =>   #line 1 "a.h"
 *     int x;                     ...text of a.h with its edits, if it has any...
 *                                #line 2 "in.mcu"
 *                                int x;
 *
 * A header is spliced in where it has edits, where a header that it includes is spliced in, or
 * where it includes again a header that relies on #pragma once and was spliced in. Requires that
 * all edits are recorded.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codegen/text/source.h"

struct directive {         /* #include "name" */
  unsigned begin, end;     /* its line without the line end */
  unsigned name, name_end; /* between the quotes */
};

struct splice {
  struct codegen *cg;
  bool *inlined; /* by file: its text replaces its first #include */
};

bool any_edits(const struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->files.count; i++)
    if (cg->edits[i].list.count) return true;
  return false;
}

static unsigned skip_blanks(const char *text, unsigned at)
{
  for (;;) {
    while (text[at] == ' ' || text[at] == '\t') at++;
    const char *end = !strncmp(text + at, "/*", 2) ? strstr(text + at + 2, "*/") : NULL;
    if (!end) return at;
    at = (unsigned)(end + 2 - text);
  }
}

static unsigned line_end(const char *text, unsigned at)
{
  while (text[at] && text[at] != '\n') at++;
  return at;
}

/* Reads the line that begins at `at`; false: it is no #include with quotes. */
static bool read_include(const char *text, unsigned at, struct directive *ret)
{
  unsigned begin = at;
  at = skip_blanks(text, at);
  if (text[at] != '#') return false;
  at = skip_blanks(text, at + 1);
  if (strncmp(text + at, "include", 7)) return false;
  at = skip_blanks(text, at + 7);
  if (text[at] != '"') return false;
  unsigned name = ++at;
  while (text[at] && text[at] != '"' && text[at] != '\n') at++;
  if (text[at] != '"') return false;
  *ret = (struct directive){begin, line_end(text, at), name, at};
  return true;
}

static unsigned directory_length(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? (unsigned)(slash - path) + 1 : 0;
}

static const char *beside(struct arena *arena, const char *path, const char *name)
{
  if (name[0] == '/') return name;
  return arena_format(arena, "%.*s%s", (int)directory_length(path), path, name);
}

static bool same_file(const char *a, const char *b)
{
  char real_a[PATH_MAX], real_b[PATH_MAX];
  if (!strcmp(a, b)) return true;
  return realpath(a, real_a) && realpath(b, real_b) && !strcmp(real_a, real_b);
}

static bool ends_with_path(const char *path, const char *name)
{
  size_t length = strlen(path), tail = strlen(name);
  if (tail > length || strcmp(path + length - tail, name)) return false;
  return tail == length || path[length - tail - 1] == '/';
}

/* The file of the unit that a directive in `file` includes; -1: none. */
static int directive_target(struct codegen *cg, unsigned file, const struct directive *directive)
{
  const struct unit *unit = cg->unit;
  const struct unit_file *from = &unit->files.items[file];
  const char *name =
      arena_copy(cg->arena, from->text + directive->name, directive->name_end - directive->name);
  for (unsigned i = 1; i < unit->files.count; i++) {
    const struct unit_file *to = &unit->files.items[i];
    if (to->included_from == (int)file && to->include_begin >= directive->begin &&
        to->include_begin <= directive->end)
      return (int)i;
  }
  const char *path = beside(cg->arena, from->path, name);
  for (unsigned i = 1; i < unit->files.count; i++)
    if (same_file(unit->files.items[i].path, path)) return (int)i;
  if (!access(path, R_OK)) return -1;
  for (unsigned i = 1; i < unit->files.count; i++)
    if (ends_with_path(unit->files.items[i].path, name)) return (int)i;
  return -1;
}

static bool is_first_include(const struct unit *unit, unsigned file, unsigned target,
                             const struct directive *directive)
{
  const struct unit_file *to = &unit->files.items[target];
  return to->included_from == (int)file && to->include_begin >= directive->begin &&
         to->include_begin <= directive->end;
}

/* Does a directive in `file` require that its text is spliced in? */
static bool pulls_in(struct splice *s, unsigned file)
{
  const struct unit *unit = s->cg->unit;
  const char *text = unit->files.items[file].text;
  for (unsigned at = scan_mark(text); text[at];
       at = line_end(text, at) + (text[line_end(text, at)] == '\n')) {
    struct directive directive;
    if (!read_include(text, at, &directive)) continue;
    int target = directive_target(s->cg, file, &directive);
    if (target < 0 || !s->inlined[target]) continue;
    if (is_first_include(unit, file, (unsigned)target, &directive) ||
        unit->files.items[target].has_pragma_once)
      return true;
  }
  return false;
}

static void mark_inlined(struct splice *s)
{
  const struct unit *unit = s->cg->unit;
  bool changed = false;
  for (unsigned i = 1; i < unit->files.count; i++) {
    s->inlined[i] = s->cg->edits[i].list.count > 0 || unit->files.items[i].is_rewritten;
    changed |= s->inlined[i];
  }
  while (changed) {
    changed = false;
    for (unsigned i = 1; i < unit->files.count; i++)
      if (!s->inlined[i] && pulls_in(s, i)) changed = s->inlined[i] = true;
  }
}

/* Is the file directly in one of the folders that the output's compiler searches? */
static bool in_folder(const struct codegen *cg, const char *path)
{
  const char *directory = arena_format(cg->arena, "%.*s.", (int)directory_length(path), path);
  for (unsigned i = 0; i < cg->options->folder_count; i++)
    if (same_file(cg->options->folders[i], directory)) return true;
  return false;
}

/* The name for the output, whose directory is the main file's; NULL: unchanged. */
static const char *moved_name(struct codegen *cg, unsigned file, const char *name)
{
  const char *main_path = cg->unit->files.items[0].path, *from = cg->unit->files.items[file].path;
  unsigned main_length = directory_length(main_path);
  if (directory_length(from) == main_length && !strncmp(from, main_path, main_length)) return NULL;
  const char *path = beside(cg->arena, from, name);
  if (name[0] == '/' || access(path, R_OK)) return NULL;
  if (in_folder(cg, path)) return path + directory_length(path);
  if (!strncmp(path, main_path, main_length) && (main_length || path[0] != '/'))
    return path + main_length;
  char *real = realpath(path, NULL);
  const char *result = real ? arena_string(cg->arena, real) : NULL;
  free(real);
  return result;
}

static void render(struct splice *s, unsigned file, struct text *out);

static void splice_file(struct splice *s, unsigned file, unsigned target,
                        const struct directive *directive)
{
  struct codegen *cg = s->cg;
  struct text body = {0};
  text_add(&body, line_directive(cg, target, 1));
  render(s, target, &body);
  if (body.length && body.data[body.length - 1] != '\n') text_add(&body, "\n");
  unsigned next = scan_line(cg->unit->files.items[file].text, directive->begin) + 1;
  text_add(&body, line_directive(cg, file, next));
  if (body.length) body.data[--body.length] = '\0';
  edit_replace(&cg->edits[file], directive->begin, directive->end, text_string(&body));
  text_finish(&body);
}

static void edit_include(struct splice *s, unsigned file, const struct directive *directive)
{
  struct codegen *cg = s->cg;
  const struct unit *unit = cg->unit;
  int target = directive_target(cg, file, directive);
  if (target >= 0 && s->inlined[target]) {
    if (is_first_include(unit, file, (unsigned)target, directive)) {
      splice_file(s, file, (unsigned)target, directive);
      return;
    }
    if (unit->files.items[target].has_pragma_once) {
      edit_delete(&cg->edits[file], directive->begin, directive->end);
      return;
    }
  }
  const char *text = unit->files.items[file].text;
  const char *name =
      arena_copy(cg->arena, text + directive->name, directive->name_end - directive->name);
  const char *moved = file ? moved_name(cg, file, name) : NULL;
  if (moved) edit_replace(&cg->edits[file], directive->name, directive->name_end, moved);
}

static bool is_pragma_once(const char *text, unsigned at)
{
  at = skip_blanks(text, at);
  if (text[at] != '#') return false;
  at = skip_blanks(text, at + 1);
  if (strncmp(text + at, "pragma", 6)) return false;
  return !strncmp(text + skip_blanks(text, at + 6), "once", 4);
}

/* Writes the text of `file` with its edits, and of the headers spliced into it. */
static void render(struct splice *s, unsigned file, struct text *out)
{
  struct codegen *cg = s->cg;
  const struct unit_file *source = &cg->unit->files.items[file];
  unsigned first = scan_mark(source->text); /* the output begins with another text */
  if (first) edit_delete(&cg->edits[file], 0, first);
  for (unsigned at = first; source->text[at]; at = line_end(source->text, at) + 1) {
    struct directive directive;
    if (read_include(source->text, at, &directive))
      edit_include(s, file, &directive);
    else if (file && is_pragma_once(source->text, at))
      edit_delete(&cg->edits[file], at, line_end(source->text, at));
    if (!source->text[line_end(source->text, at)]) break;
  }
  if (edits_apply(&cg->edits[file], source->text, source->length, out) < 0)
    codegen_error(cg, DIAG_INTERNAL, &(struct ir_place){.file = file, .line = 1, .column = 1},
                  "edits of this file overlap");
}

int emit_files(struct codegen *cg, struct text *out)
{
  struct splice s = {.cg = cg};
  s.inlined = arena_alloc(cg->arena, cg->unit->files.count * sizeof *s.inlined);
  mark_inlined(&s);
  render(&s, 0, out);
  return cg->failed ? -1 : 0;
}
