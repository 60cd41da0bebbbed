/* SPDX-License-Identifier: MIT */
/* macro.c - definitions of macros, and the expansion of one use by one level.
 *
 *     #define RUN(k, ...) k<<<grid, 128>>>(a __VA_OPT__(,) __VA_ARGS__)
 *     RUN(step, n)                            =>   step<<<grid, 128>>>(a , n)
 *
 * Arguments are inserted as written: the next parse expands them. Knows # and ##, also as digraphs,
 * __VA_OPT__, and GNU's comma before ##. Gives up on macros of system headers and on recursive
 * ones, whose second use is not expanded. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

/* ---- the definition ---- */

static unsigned hash_length(const char *text)
{
  return text[0] == '#' ? 1 : text[0] == '%' && text[1] == ':' ? 2 : 0;
}

/* Reads "NAME(a, b) body" with line splices; false: the text has another form. */
static bool parse_definition(struct frontend *f, const char *text, struct macro *ret)
{
  unsigned at = scan_skip_token(text, 0);
  *ret = (struct macro){.name = {text, at}};
  if (text[at] != '(') {
    ret->body = text + at;
    return true;
  }
  ret->is_function = true;
  at = scan_skip_space(text, at + 1);
  while (text[at] && text[at] != ')') {
    struct piece *param = ARENA_PUSH(f->arena, &ret->params);
    unsigned end = at;
    if (!strncmp(text + at, "...", 3)) {
      *param = (struct piece){"__VA_ARGS__", 11};
      ret->is_variadic = true;
      end = at + 3;
    } else {
      end = scan_skip_token(text, at);
      *param = (struct piece){text + at, end - at};
      unsigned dots = scan_skip_space(text, end);
      if (!strncmp(text + dots, "...", 3)) ret->is_variadic = true, end = dots + 3;
    }
    at = scan_skip_space(text, end);
    if (text[at] == ',') at = scan_skip_space(text, at + 1);
  }
  ret->body = text + at + (text[at] == ')');
  return text[at] == ')';
}

bool macro_of(struct frontend *f, CXCursor definition, struct macro *ret)
{
  if (clang_Cursor_isNull(definition) || is_system_cursor(definition)) return false;
  CXSourceRange range = clang_getCursorExtent(definition);
  CXFile file;
  unsigned begin, end;
  clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
  size_t size;
  const char *contents = file ? clang_getFileContents(f->tu, file, &size) : NULL;
  if (!contents || end > size || end <= begin) return false;
  return parse_definition(f, arena_copy(f->arena, contents + begin, end - begin), ret);
}

static int param_index(const struct macro *macro, const char *token, unsigned length)
{
  for (unsigned i = 0; i < macro->params.count; i++)
    if (macro->params.items[i].length == length &&
        !strncmp(macro->params.items[i].text, token, length))
      return (int)i;
  return -1;
}

static bool has_token(const char *text, struct piece name)
{
  for (unsigned at = scan_skip_space(text, 0), end; text[at]; at = scan_skip_space(text, end)) {
    end = scan_skip_token(text, at);
    if (end - at == name.length && !strncmp(text + at, name.text, name.length)) return true;
  }
  return false;
}

/* Does the macro's body name it, or that of a macro that it uses? */
static bool leads_back(struct frontend *f, const struct macro_use *use, const struct macro *macro)
{
  if (has_token(macro->body, macro->name)) return true;
  for (unsigned i = 0; i < f->macros.count; i++) {
    const struct macro_use *other = &f->macros.items[i];
    struct macro nested;
    if (other == use || other->file != use->file || other->begin != use->begin ||
        other->end != use->end)
      continue;
    if (macro_of(f, other->definition, &nested) && has_token(nested.body, macro->name)) return true;
  }
  return false;
}

/* ---- the arguments ---- */

struct args {
  LIST_OF(struct piece) list;
};

static struct piece trimmed(const char *text, unsigned begin, unsigned end)
{
  begin = scan_skip_space(text, begin);
  while (end > begin && strchr(" \t\r\n", text[end - 1])) end--;
  return (struct piece){text + begin, begin < end ? end - begin : 0};
}

/* The arguments of the use at `at` (its opening parenthesis). */
static void parse_arguments(struct frontend *f, const char *text, unsigned at,
                            const struct macro *macro, struct args *ret)
{
  unsigned close = scan_skip_group(text, at) - 1, begin = at + 1, depth = 0;
  for (at = scan_skip_space(text, at + 1); at < close;) {
    bool last = macro->is_variadic && ret->list.count + 1 == macro->params.count;
    if (text[at] == ',' && !depth && !last) {
      *ARENA_PUSH(f->arena, &ret->list) = trimmed(text, begin, at);
      begin = at + 1;
    }
    depth += text[at] == '(';
    depth -= text[at] == ')';
    at = scan_skip_space(text, scan_skip_token(text, at));
  }
  *ARENA_PUSH(f->arena, &ret->list) = trimmed(text, begin, close);
}

/* ---- the body ---- */

struct expansion {
  const struct macro *macro;
  const struct args *args;
  struct text *out;
  size_t left; /* start in `out` of the last token, which may be empty */
};

static void add_gap(struct text *out, const char *text, unsigned begin, unsigned end)
{
  bool comment = memchr(text + begin, '/', end - begin) != NULL;
  for (unsigned i = begin; i < end && !comment; i++)
    text_add_bytes(out, strchr("\r\n\\", text[i]) ? " " : text + i, 1);
  if (comment) text_add(out, " ");
}

/* Adds the text on one line, without comments. */
static void add_flat(struct text *out, struct piece piece)
{
  for (unsigned at = 0, end, next; at < piece.length; at = next) {
    end = scan_skip_token(piece.text, at);
    next = scan_skip_space(piece.text, end);
    text_add_bytes(out, piece.text + at, end - at);
    if (next < piece.length) add_gap(out, piece.text, end, next);
  }
}

/* Adds #x: blanks and comments become one blank. */
static void add_string(struct text *out, struct piece piece)
{
  text_add(out, "\"");
  for (unsigned at = 0, end, next; at < piece.length; at = next) {
    end = scan_skip_token(piece.text, at);
    next = scan_skip_space(piece.text, end);
    bool quoted = memchr(piece.text + at, '"', end - at) || piece.text[at] == '\'';
    for (; at < end; at++) {
      char c = piece.text[at];
      if (quoted && (c == '"' || c == '\\')) text_add(out, "\\");
      text_add_bytes(out, &c, 1);
    }
    if (next > end && next < piece.length) text_add(out, " ");
  }
  text_add(out, "\"");
}

static bool has_variable_arguments(const struct expansion *e)
{
  unsigned last = e->macro->params.count - 1;
  return e->macro->is_variadic && e->args->list.count > last &&
         e->args->list.items[last].length > 0;
}

/* `, ##__VA_ARGS__`: removes the comma where the arguments are left out. `next`: the operand after
 * ##. */
static void remove_comma(const struct expansion *e, const char *next)
{
  const struct macro *macro = e->macro;
  struct text *out = e->out;
  int index = param_index(macro, next, scan_skip_token(next, 0));
  unsigned last = macro->params.count - 1;
  bool left_out = e->args->list.count <= last || (last == 0 && e->args->list.items[0].length == 0);
  if (macro->is_variadic && index == (int)last && left_out && out->length &&
      out->data[out->length - 1] == ',')
    out->data[--out->length] = '\0';
}

/* At ##: removes the blank after the last token, unless that is empty. */
static unsigned paste(struct expansion *e, const char *body, unsigned at)
{
  struct text *out = e->out;
  while (out->length > e->left && out->data[out->length - 1] == ' ')
    out->data[--out->length] = '\0';
  at = scan_skip_space(body, at);
  remove_comma(e, body + at);
  return at;
}

static bool expand_range(struct expansion *, const char *body, unsigned begin, unsigned end);

/* Expands __VA_OPT__( ... ) from the opening parenthesis; *ret_end: after the group. */
static bool expand_option(struct expansion *e, const char *body, unsigned open, unsigned *ret_end)
{
  if (body[open] != '(') return false;
  *ret_end = scan_skip_group(body, open);
  return !has_variable_arguments(e) || SEEDED(OPTION_LOST) ||
         expand_range(e, body, open + 1, *ret_end - 1);
}

/* Adds the operand at `at`: an argument, an option, or the token itself. */
static bool add_operand(struct expansion *e, const char *body, unsigned at, unsigned *ret_end)
{
  unsigned end = *ret_end = scan_skip_token(body, at);
  int index = scan_is_identifier_start(body[at]) ? param_index(e->macro, body + at, end - at) : -1;
  if (end - at == 10 && !strncmp(body + at, "__VA_OPT__", 10))
    return expand_option(e, body, scan_skip_space(body, end), ret_end);
  if (index >= 0 && (unsigned)index < e->args->list.count)
    add_flat(e->out, e->args->list.items[index]);
  else if (index < 0)
    text_add_bytes(e->out, body + at, end - at);
  return true;
}

/* Adds #name or #__VA_OPT__(...), from after the #. */
static bool add_stringized(struct expansion *e, const char *body, unsigned at, unsigned *ret_end)
{
  struct text operand = {0};
  struct expansion inner = {.macro = e->macro, .args = e->args, .out = &operand};
  unsigned name_end = scan_skip_token(body, at);
  int index = param_index(e->macro, body + at, name_end - at);
  bool option = name_end - at == 10 && !strncmp(body + at, "__VA_OPT__", 10);
  *ret_end = name_end;
  if (index >= 0)
    add_string(e->out, (unsigned)index < e->args->list.count ? e->args->list.items[index]
                                                             : (struct piece){"", 0});
  bool fine = index >= 0 || (option && add_operand(&inner, body, at, ret_end));
  const char *text = text_string(&operand);
  if (option) add_string(e->out, trimmed(text, 0, (unsigned)strlen(text)));
  text_finish(&operand);
  return fine;
}

static bool expand_range(struct expansion *e, const char *body, unsigned begin, unsigned end)
{
  for (unsigned at = scan_skip_space(body, begin), behind; at < end && body[at];) {
    unsigned hash = hash_length(body + at);
    if (hash && hash_length(body + at + hash)) {
      at = paste(e, body, at + hash + hash_length(body + at + hash));
      continue;
    }
    e->left = e->out->length;
    bool string = hash && e->macro->is_function;
    if (string ? !add_stringized(e, body, scan_skip_space(body, at + hash), &behind)
               : !add_operand(e, body, at, &behind))
      return false;
    at = scan_skip_space(body, behind);
    if (at > behind && at < end) text_add(e->out, " ");
  }
  return true;
}

bool macro_expand(struct frontend *f, const struct macro_use *use, struct text *out)
{
  struct macro macro;
  if (!macro_of(f, use->definition, &macro) || leads_back(f, use, &macro)) return false;
  const char *text = f->unit->files.items[use->file].text;
  struct args args = {0};
  if (macro.is_function) {
    unsigned open = scan_skip_space(text, scan_skip_token(text, use->begin));
    if (text[open] != '(') return false;
    parse_arguments(f, text, open, &macro, &args);
  }
  struct expansion e = {.macro = &macro, .args = &args, .out = out};
  return expand_range(&e, macro.body, 0, (unsigned)strlen(macro.body));
}

/* ---- the uses of an argument in the body ---- */

static int argument_at(const struct args *args, const char *text, unsigned at)
{
  for (unsigned i = 0; i < args->list.count; i++) {
    const struct piece *piece = &args->list.items[i];
    if (piece->text <= text + at && text + at < piece->text + piece->length) return (int)i;
  }
  return -1;
}

static unsigned plain_count(const struct macro *macro, struct piece param, bool *ret_other)
{
  const char *body = macro->body;
  unsigned count = 0;
  bool pasted = false;
  for (unsigned at = scan_skip_space(body, 0), end; body[at]; at = scan_skip_space(body, end)) {
    unsigned hash = hash_length(body + at);
    end = hash ? at + hash : scan_skip_token(body, at);
    bool is_param = end - at == param.length && !strncmp(body + at, param.text, param.length);
    count += is_param;
    *ret_other |= is_param && (pasted || hash_length(body + scan_skip_space(body, end)));
    pasted = hash > 0;
  }
  return count;
}

static bool has_nested_use(struct frontend *f, const struct macro_use *use)
{
  for (unsigned i = 0; i < f->macros.count; i++) {
    const struct macro_use *other = &f->macros.items[i];
    struct macro macro;
    bool nested = other != use && other->file == use->file && other->begin == use->begin &&
                  other->end == use->end;
    if (nested && macro_of(f, other->definition, &macro) && macro.is_function) return true;
  }
  return false;
}

bool macro_only_passes(struct frontend *f, const struct macro_use *use, unsigned at)
{
  struct macro macro;
  struct args args = {0};
  const char *text = f->unit->files.items[use->file].text;
  if (!macro_of(f, use->definition, &macro) || !macro.is_function) return true;
  unsigned open = scan_skip_space(text, scan_skip_token(text, use->begin));
  if (text[open] != '(') return true;
  parse_arguments(f, text, open, &macro, &args);
  int index = argument_at(&args, text, at);
  bool other = false;
  if (index < 0 || (unsigned)index >= macro.params.count) return true;
  return plain_count(&macro, macro.params.items[index], &other) == 1 && !other &&
         !has_nested_use(f, use);
}
