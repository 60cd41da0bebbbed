/* SPDX-License-Identifier: MIT */
/* conditional.c - conditional compilation in the body of a kernel or device function.
 *
 *     #if UNROLL > 1                  =>  settled: the parser's view is the device's
 *     #ifdef __CUDA_ARCH__            =>  not: nvcc compiles the body once for each view
 *
 * The parser sees the unit once, as the host does. A condition has one meaning on host and device
 * where none of the names on which it depends, through macros, is the compiler's own (with a
 * leading underscore) or a macro of the user's that is defined under a condition of two meanings.
 * The same must hold for the macros that the body names as code. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

enum { NESTED_MACROS = 64, NESTED_CONDITIONS = 64 };

static unsigned line_end(const char *text, unsigned at)
{
  while (text[at] && text[at] != '\n') at += text[at] == '\\' && text[at + 1] ? 2 : 1;
  return at;
}

/* The offset after the directive's word; 0: the line at `at` is no directive of this name. */
static unsigned directive_at(const char *text, unsigned at, const char *name)
{
  while (text[at] == ' ' || text[at] == '\t') at++;
  if (text[at++] != '#') return 0;
  while (text[at] == ' ' || text[at] == '\t') at++;
  size_t length = strlen(name);
  return !strncmp(text + at, name, length) ? at + (unsigned)length : 0;
}

/* ---- macros that one view defines ---- */

/* the nest of conditional directives */
struct nest {
  bool asks[NESTED_CONDITIONS];
  unsigned depth, asking;
};

static void ask(struct nest *nest, bool asks)
{
  if (!nest->depth || nest->depth > NESTED_CONDITIONS || !asks) return;
  nest->asking += !nest->asks[nest->depth - 1];
  nest->asks[nest->depth - 1] = true;
}

static void open_condition(struct nest *nest, bool asks)
{
  if (nest->depth < NESTED_CONDITIONS) nest->asks[nest->depth] = false;
  nest->depth++;
  ask(nest, asks);
}

static void close_condition(struct nest *nest)
{
  if (nest->depth && --nest->depth < NESTED_CONDITIONS) nest->asking -= nest->asks[nest->depth];
}

/* Does the condition depend on __CUDA_ARCH__, or on a macro that only one view defines? */
static bool asks_for_view(struct frontend *f, const char *text, unsigned at, unsigned end)
{
  const char *condition = arena_copy(f->arena, text + at, end - at);
  if (strstr(condition, "__CUDA_ARCH")) return true;
  for (unsigned next; condition[at = scan_skip_space(condition, 0)]; condition += next) {
    next = scan_skip_token(condition, at);
    if (next <= at) next = at + 1;
    if (!scan_is_identifier_start(condition[at]) || condition[at] == '_') continue;
    if (name_map_has(&f->views.names, arena_copy(f->arena, condition + at, next - at))) return true;
  }
  return false;
}

static void add_view(struct frontend *f, const char *text, unsigned word)
{
  unsigned at = scan_skip_space(text, word);
  const char *name = arena_copy(f->arena, text + at, scan_skip_token(text, at) - at);
  if (name_map_has(&f->views.names, name)) return;
  name_map_put(f->arena, &f->views.names, name, (void *)name);
  f->views.grown = true;
}

/* Finds the user's definitions and includes that only one view sees. */
static void find_views(struct frontend *f, const char *text)
{
  struct nest nest = {0};
  for (unsigned at = 0, end, word; text[at]; at = end + (text[end] == '\n')) {
    end = line_end(text, at);
    if ((word = directive_at(text, at, "if")) != 0)
      open_condition(&nest, asks_for_view(f, text, word, end));
    else if ((word = directive_at(text, at, "elif")) != 0)
      ask(&nest, asks_for_view(f, text, word, end));
    else if (directive_at(text, at, "endif"))
      close_condition(&nest);
    if (!nest.asking) continue;
    if ((word = directive_at(text, at, "define")) != 0) add_view(f, text, word);
    if ((word = directive_at(text, at, "undef")) != 0) add_view(f, text, word);
    word = directive_at(text, at, "include");
    f->views.all |= word && text[scan_skip_space(text, word)] == '"';
  }
}

/* Does only one view define the name? Names that depend on others are found in the next round. */
static bool is_of_view(struct frontend *f, const char *name)
{
  for (f->views.grown |= !f->views.known; f->views.grown;) {
    f->views.grown = false;
    for (unsigned i = 0; i < f->unit->files.count; i++) find_views(f, f->unit->files.items[i].text);
  }
  f->views.known = true;
  return f->views.all || name_map_has(&f->views.names, name);
}

/* ---- conditions, and names in code ---- */

enum text_kind { TEXT_CONDITION, TEXT_CODE };

static const char *unsettled(struct frontend *f, enum text_kind kind, const char *text,
                             unsigned begin, unsigned end, unsigned depth);

/* A #define or #undef of the user's. */
struct definition {
  unsigned file, at; /* its file, and the offset behind the name */
  struct definition *next;
};

static void index_definitions(struct frontend *f, unsigned file)
{
  const char *text = f->unit->files.items[file].text;
  for (unsigned at = 0, end; text[at]; at = end + (text[end] == '\n')) {
    end = line_end(text, at);
    unsigned word = directive_at(text, at, "define");
    if (!word) word = directive_at(text, at, "undef");
    if (!word) continue;
    word = scan_skip_space(text, word);
    unsigned behind = word;
    while (scan_is_identifier(text[behind])) behind++;
    const char *name = arena_copy(f->arena, text + word, behind - word);
    struct definition *definition = ARENA_NEW(f->arena, struct definition);
    *definition = (struct definition){file, behind, name_map_get(&f->views.definitions, name)};
    name_map_put(f->arena, &f->views.definitions, name, definition);
  }
}

/* The first unsettled name on which a macro of the user's depends, in any of its definitions. */
static const char *unsettled_macro(struct frontend *f, enum text_kind kind, const char *name,
                                   unsigned depth)
{
  while (f->views.indexed < f->unit->files.count) index_definitions(f, f->views.indexed++);
  for (const struct definition *d = name_map_get(&f->views.definitions, name); d; d = d->next) {
    if (is_of_view(f, name)) return name;
    const char *text = f->unit->files.items[d->file].text,
               *inner = unsettled(f, kind, text, d->at, line_end(text, d->at), depth + 1);
    if (inner) return inner;
  }
  return NULL;
}

/* Is the name the compiler's own? In code, many names with a leading underscore are the same for
 * both views. */
static bool is_compilers(enum text_kind kind, const char *name)
{
  return kind == TEXT_CONDITION ? *name == '_' : !strncmp(name, "__CUDA_ARCH", 11);
}

/* The macro, and all on which it depends, mean the same for both views. */
static void settle(struct frontend *f, enum text_kind kind)
{
  const struct name_map *asked = &f->views.asked;
  for (unsigned i = 0; i < asked->capacity; i++)
    if (asked->entries[i].name)
      name_map_put(f->arena, &f->views.settled[kind], asked->entries[i].name,
                   asked->entries[i].value);
}

/* The first name between the offsets that may differ between the views; NULL: none. A macro that
 * names itself, or that several macros name, is asked for once. */
static const char *unsettled(struct frontend *f, enum text_kind kind, const char *text,
                             unsigned begin, unsigned end, unsigned depth)
{
  struct name_map *asked = &f->views.asked;
  for (unsigned at = scan_skip_space(text, begin), next; at < end;
       at = scan_skip_space(text, next)) {
    next = scan_skip_token(text, at);
    if (next <= at) next = at + 1;
    if (!scan_is_identifier_start(text[at])) continue;
    const char *name = arena_copy(f->arena, text + at, next - at);
    if (!strcmp(name, "defined")) continue;
    if (is_compilers(kind, name)) return name;
    if (!name_map_has(&f->unit->macros, name) || name_map_has(&f->views.settled[kind], name))
      continue;
    if (depth >= NESTED_MACROS) return name;
    if (!depth) *asked = (struct name_map){0};
    if (name_map_has(asked, name)) {
      if (SEEDED(MACRO_OF_ITSELF)) return NULL;
      continue;
    }
    name_map_put(f->arena, asked, name, (void *)name);
    const char *inner = unsettled_macro(f, kind, name, depth);
    if (inner) return inner;
    if (!depth) settle(f, kind);
  }
  return NULL;
}

/* The offset after the word of a condition; 0: the line has none. */
static unsigned condition_at(const char *text, unsigned at)
{
  unsigned word = directive_at(text, at, "if");
  if (!word) word = directive_at(text, at, "elif");
  while (word && scan_is_identifier(text[word])) word++; /* ifdef, ifndef, elifdef */
  return word;
}

const char *conditional_obstacle(struct frontend *f, struct ir_place body)
{
  CXString path = clang_getFileName(f->clang_files.items[body.file]);
  const struct arch_file *view = arch_view_of(f, string_of(f, path));
  const char *text = view ? view->parsed : f->unit->files.items[body.file].text, *name = NULL;
  for (unsigned at = body.begin; at < body.end && !name;) {
    unsigned end = line_end(text, at), word = condition_at(text, at);
    if (word && !SEEDED(CONDITIONAL_SETTLED))
      name = unsettled(f, TEXT_CONDITION, text, word, end, 0);
    at = end + (text[end] == '\n');
    if (end >= body.end) break;
  }
  if (!name && !SEEDED(MACRO_OF_HOST))
    name = unsettled(f, TEXT_CODE, text, body.begin, body.end, 0);
  return name ? arena_format(f->arena,
                             "its body is compiled as '%s' says, which may differ for the device",
                             name)
              : NULL;
}
