/* SPDX-License-Identifier: MIT */
/* conditional.c - conditional compilation in the body of a kernel or device function.
 *
 *     #if UNROLL > 1                  =>  settled: the parser's view is the device's
 *     #ifdef __CUDA_ARCH__            =>  not: nvcc compiles the body once for each view
 *
 * The parser sees the unit once, as the host does. A condition means the same on the device where
 * none of the names it depends on, through macros, is the compiler's own (it begins with an
 * underscore), and none is a macro of the user's that is defined under such a condition. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

enum { NESTED_MACROS = 8, NESTED_VIEWS = 2, NESTED_CONDITIONS = 64 };

static unsigned line_end(const char *text, unsigned at)
{
  while (text[at] && text[at] != '\n') at += text[at] == '\\' && text[at + 1] ? 2 : 1;
  return at;
}

/* Behind the word of the directive that the line at `at` is; 0: it is none of this name. */
static unsigned directive_at(const char *text, unsigned at, const char *name)
{
  while (text[at] == ' ' || text[at] == '\t') at++;
  if (text[at++] != '#') return 0;
  while (text[at] == ' ' || text[at] == '\t') at++;
  size_t length = strlen(name);
  return !strncmp(text + at, name, length) ? at + (unsigned)length : 0;
}

static const char *unsettled(struct frontend *f, const char *text, unsigned begin, unsigned end,
                             unsigned depth);

/* ---- macros that one view defines ---- */

static bool is_of_view(struct frontend *f, const char *name, unsigned depth);

/* A condition that asks for __CUDA_ARCH__, or for a macro of one view. */
static bool asks_for_view(struct frontend *f, const char *text, unsigned at, unsigned end,
                          unsigned depth)
{
  const char *condition = arena_copy(f->arena, text + at, end - at);
  if (strstr(condition, "__CUDA_ARCH")) return true;
  for (unsigned next; condition[at = scan_skip_space(condition, 0)]; condition += next) {
    next = scan_skip_token(condition, at);
    if (next <= at) next = at + 1;
    if (!scan_is_identifier_start(condition[at]) || condition[at] == '_') continue;
    if (is_of_view(f, arena_copy(f->arena, condition + at, next - at), depth + 1)) return true;
  }
  return false;
}

struct nest { /* of conditional directives */
  bool asks[NESTED_CONDITIONS];
  unsigned depth, asking;
};

static void open_condition(struct nest *nest, bool asks)
{
  if (nest->depth < NESTED_CONDITIONS) nest->asks[nest->depth] = asks, nest->asking += asks;
  nest->depth++;
}

static void close_condition(struct nest *nest)
{
  if (nest->depth && --nest->depth < NESTED_CONDITIONS) nest->asking -= nest->asks[nest->depth];
}

static bool names_at(const char *text, unsigned at, const char *name)
{
  size_t length = strlen(name);
  at = scan_skip_space(text, at);
  return !strncmp(text + at, name, length) && !scan_is_identifier(text[at + length]);
}

static bool file_has_view(struct frontend *f, const char *text, const char *name, unsigned depth)
{
  struct nest nest = {0};
  for (unsigned at = 0, end, word; text[at]; at = end + (text[end] == '\n')) {
    end = line_end(text, at);
    if ((word = directive_at(text, at, "if")) != 0)
      open_condition(&nest, asks_for_view(f, text, word, end, depth));
    else if (directive_at(text, at, "endif"))
      close_condition(&nest);
    if (!nest.asking) continue;
    if ((word = directive_at(text, at, "define")) != 0 && names_at(text, word, name)) return true;
    if ((word = directive_at(text, at, "undef")) != 0 && names_at(text, word, name)) return true;
    word = directive_at(text, at, "include");
    if (word && text[scan_skip_space(text, word)] == '"') return true;
  }
  return false;
}

/* A definition or an include of the user's stands where only one view sees it. */
static bool is_of_view(struct frontend *f, const char *name, unsigned depth)
{
  if (depth > NESTED_VIEWS) return true;
  for (unsigned i = 0; i < f->unit->files.count; i++)
    if (file_has_view(f, f->unit->files.items[i].text, name, depth)) return true;
  return false;
}

/* ---- conditions ---- */

/* A macro of the user's, with all its definitions. */
static const char *unsettled_macro(struct frontend *f, const char *name, unsigned depth)
{
  for (unsigned i = 0; i < f->unit->files.count; i++) {
    const char *text = f->unit->files.items[i].text;
    for (unsigned at = 0; text[at]; at = line_end(text, at) + (text[line_end(text, at)] == '\n')) {
      unsigned word = directive_at(text, at, "define");
      if (!word) word = directive_at(text, at, "undef");
      if (!word) continue;
      word = scan_skip_space(text, word);
      size_t length = strlen(name);
      if (strncmp(text + word, name, length) || scan_is_identifier(text[word + length])) continue;
      if (is_of_view(f, name, 0)) return name;
      const char *inner =
          unsettled(f, text, word + (unsigned)length, line_end(text, word), depth + 1);
      if (inner) return inner;
    }
  }
  return NULL;
}

/* The first name between the offsets that may differ between the views; NULL: none. */
static const char *unsettled(struct frontend *f, const char *text, unsigned begin, unsigned end,
                             unsigned depth)
{
  for (unsigned at = scan_skip_space(text, begin), next; at < end;
       at = scan_skip_space(text, next)) {
    next = scan_skip_token(text, at);
    if (next <= at) next = at + 1;
    if (!scan_is_identifier_start(text[at])) continue;
    const char *name = arena_copy(f->arena, text + at, next - at);
    if (!strcmp(name, "defined")) continue;
    if (*name == '_' || depth >= NESTED_MACROS) return name;
    const char *inner = unsettled_macro(f, name, depth);
    if (inner) return inner;
  }
  return NULL;
}

const char *conditional_obstacle(struct frontend *f, struct ir_place body)
{
  const char *text = f->unit->files.items[body.file].text;
  for (unsigned at = body.begin; at < body.end;) {
    unsigned end = line_end(text, at), word = directive_at(text, at, "if");
    if (!word) word = directive_at(text, at, "elif");
    if (word) {
      while (scan_is_identifier(text[word])) word++; /* ifdef, ifndef, elifdef */
      const char *name = SEEDED(CONDITIONAL_SETTLED) ? NULL : unsettled(f, text, word, end, 0);
      if (name)
        return arena_format(f->arena,
                            "its body is compiled as '%s' says, which may differ for the "
                            "device",
                            name);
    }
    at = end + (text[end] == '\n');
    if (end >= body.end) break;
  }
  return NULL;
}
