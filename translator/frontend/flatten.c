/* flatten.c - expands, by one level, macro uses that hold something that must be edited.
 *
 *     #define RUN(k) k<<<grid, 128>>>(a)
 *     RUN(step);                              =>   step<<<grid, 128>>>(a);
 *
 * Requires: a collected unit. Produces: new file texts (line structure kept) and 1 when the unit must be parsed again; a
 * launch two macros deep takes two rounds. Gives up (the edit is then refused by codegen with a diagnostic) when
 * the macro is defined in a system header or uses __VA_OPT__. */
#include <stdlib.h>
#include <string.h>

#include "translator/frontend/internal.h"

/* ---- one expansion ---- */

struct piece {
  const char *text;
  unsigned length;
};

struct macro {
  LIST_OF(struct piece) params; /* __VA_ARGS__ for ... */
  bool is_function, is_variadic;
  const char *body;
};

/* "NAME(a, b) body" with line splices; false when it does not look like that. */
static bool parse_definition(struct frontend *f, const char *text, struct macro *ret) {
  unsigned at = scan_skip_token(text, 0);
  *ret = (struct macro){0};
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

struct args {
  LIST_OF(struct piece) list;
};

static struct piece trimmed(const char *text, unsigned begin, unsigned end) {
  begin = scan_skip_space(text, begin);
  while (end > begin && strchr(" \t\r\n", text[end - 1])) end--;
  return (struct piece){text + begin, begin < end ? end - begin : 0};
}

/* The arguments of the use at `at` (its opening parenthesis). */
static void parse_arguments(struct frontend *f, const char *text, unsigned at, const struct macro *macro, struct args *ret) {
  unsigned close = scan_skip_group(text, at) - 1, begin = at + 1;
  for (at = scan_skip_space(text, at + 1); at < close;) {
    bool last = macro->is_variadic && ret->list.count + 1 == macro->params.count;
    if (text[at] == ',' && !last) {
      *ARENA_PUSH(f->arena, &ret->list) = trimmed(text, begin, at);
      begin = at + 1;
      at = scan_skip_space(text, at + 1);
      continue;
    }
    at = strchr("([{", text[at]) ? scan_skip_group(text, at) : scan_skip_token(text, at);
    at = scan_skip_space(text, at);
  }
  *ARENA_PUSH(f->arena, &ret->list) = trimmed(text, begin, close);
}

static int param_index(const struct macro *macro, const char *token, unsigned length) {
  for (unsigned i = 0; i < macro->params.count; i++)
    if (macro->params.items[i].length == length && !strncmp(macro->params.items[i].text, token, length)) return (int)i;
  return -1;
}

static void add_flat(struct text *out, struct piece piece) { /* newlines become blanks */
  for (unsigned i = 0; i < piece.length; i++) {
    char c = piece.text[i];
    text_add_bytes(out, c == '\n' || c == '\r' ? " " : &c, 1);
  }
}

static void add_string(struct text *out, struct piece piece) {
  text_add(out, "\"");
  for (unsigned i = 0; i < piece.length; i++) {
    char c = piece.text[i];
    if (c == '"' || c == '\\') text_add(out, "\\");
    text_add_bytes(out, c == '\n' ? " " : &c, 1);
  }
  text_add(out, "\"");
}

static void remove_blanks(struct text *out) {
  while (out->length && out->data[out->length - 1] == ' ') out->data[--out->length] = '\0';
}

/* `, ##__VA_ARGS__`: the comma goes where the arguments are left out. `next`: what is pasted to it. */
static void remove_comma(const struct macro *macro, const struct args *args, const char *next, struct text *out) {
  int index = param_index(macro, next, scan_skip_token(next, 0));
  unsigned last = macro->params.count - 1;
  bool left_out = args->list.count <= last || (last == 0 && args->list.items[0].length == 0);
  if (macro->is_variadic && index == (int)last && left_out && out->length && out->data[out->length - 1] == ',') out->data[--out->length] = '\0';
}

static bool expand_body(const struct macro *macro, const struct args *args, struct text *out) {
  const char *body = macro->body;
  for (unsigned at = scan_skip_space(body, 0); body[at];) {
    unsigned end = scan_skip_token(body, at), length = end - at;
    if (!strncmp(body + at, "__VA_OPT__", 10)) return false;
    if (body[at] == '#' && body[at + 1] == '#') { /* paste: no blank on either side */
      remove_blanks(out);
      at = scan_skip_space(body, at + 2);
      remove_comma(macro, args, body + at, out);
      continue;
    }
    if (body[at] == '#' && macro->is_function) {
      unsigned name = scan_skip_space(body, at + 1), name_end = scan_skip_token(body, name);
      int index = param_index(macro, body + name, name_end - name);
      if (index < 0 || (unsigned)index >= args->list.count) return false;
      add_string(out, args->list.items[index]);
      end = name_end;
    } else {
      int index = scan_is_identifier_start(body[at]) ? param_index(macro, body + at, length) : -1;
      if (index >= 0 && (unsigned)index < args->list.count)
        add_flat(out, args->list.items[index]);
      else if (index < 0)
        text_add_bytes(out, body + at, length);
    }
    unsigned next = scan_skip_space(body, end);
    if (next > end) text_add(out, " ");
    at = next;
  }
  return true;
}

static bool expand(struct frontend *f, const struct macro_use *use, struct text *out) {
  if (clang_Cursor_isNull(use->definition) || is_system_cursor(use->definition)) return false;
  CXSourceRange range = clang_getCursorExtent(use->definition);
  CXFile file;
  unsigned begin, end;
  clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
  size_t size;
  const char *contents = file ? clang_getFileContents(f->tu, file, &size) : NULL;
  if (!contents || end > size || end <= begin) return false;
  struct macro macro;
  if (!parse_definition(f, arena_copy(f->arena, contents + begin, end - begin), &macro)) return false;
  const char *text = f->unit->files.items[use->file].text;
  struct args args = {0};
  if (macro.is_function) {
    unsigned open = scan_skip_space(text, scan_skip_token(text, use->begin));
    if (text[open] != '(') return false;
    parse_arguments(f, text, open, &macro, &args);
  }
  return expand_body(&macro, &args, out);
}

/* ---- which uses ---- */

struct chosen {
  LIST_OF(const struct macro_use *) uses;
};

static void choose(struct frontend *f, struct chosen *chosen, struct ir_place place) {
  const struct macro_use *outermost = NULL;
  for (unsigned i = 0; i < f->macros.count; i++) {
    const struct macro_use *use = &f->macros.items[i];
    if (use->file != place.file || use->begin > place.begin || use->end < place.begin || use->end <= place.begin) continue;
    if (!outermost || use->end - use->begin > outermost->end - outermost->begin) outermost = use;
  }
  if (!outermost) return;
  for (unsigned i = 0; i < chosen->uses.count; i++)
    if (chosen->uses.items[i]->file == outermost->file && chosen->uses.items[i]->begin == outermost->begin) return;
  *ARENA_PUSH(f->arena, &chosen->uses) = outermost;
}

/* A macro that writes several parts of the shape: none of them can be told from its text. */
static void choose_shape(struct frontend *f, struct chosen *chosen, const struct launch *launch) {
  const struct ir_expr *parts[] = {launch->grid, launch->block, launch->shared, launch->stream};
  for (unsigned i = 0; i + 1 < sizeof parts / sizeof *parts; i++)
    if (parts[i] && parts[i + 1] && parts[i]->place.in_macro && parts[i]->place.begin == parts[i + 1]->place.begin)
      choose(f, chosen, parts[i]->place);
}

static void choose_all(struct frontend *f, struct chosen *chosen) {
  struct unit *unit = f->unit;
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    if (!launch->place.in_macro) continue;
    choose(f, chosen, launch->open.in_macro ? launch->open : launch->place);
    choose_shape(f, chosen, launch);
    if (launch->close.in_macro && !launch->open.in_macro) choose(f, chosen, launch->close);
    if (launch->paren.in_macro && !launch->close.in_macro) choose(f, chosen, launch->paren);
    for (unsigned k = 0; k < launch->arg_count; k++)
      if (launch->args[k].place.in_macro) choose(f, chosen, launch->args[k].place);
  }
  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    const struct vs_var *vs = unit->vs_vars.items[i];
    if (vs->qualifier.in_macro) choose(f, chosen, vs->qualifier);
    if (vs->name_place.in_macro) choose(f, chosen, vs->name_place);
  }
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    bool edited = function->is_kernel || ((function->vs_use_count || function->dynamic_shared_count) && function->is_device);
    if (function->has_definition && edited && function->body_place.in_macro) choose(f, chosen, function->body_place);
  }
}

static int compare_uses(const void *a, const void *b) { /* last in the file first */
  const struct macro_use *x = *(const struct macro_use *const *)a, *y = *(const struct macro_use *const *)b;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return x->begin < y->begin ? 1 : -1;
}

static bool replace(struct frontend *f, const struct macro_use *use) {
  struct text expansion = {0}, result = {0};
  bool fine = expand(f, use, &expansion);
  struct unit_file *file = &f->unit->files.items[use->file];
  if (fine) {
    text_add_bytes(&result, file->text, use->begin);
    text_add_bytes(&result, text_string(&expansion), expansion.length);
    for (unsigned at = use->begin; at < use->end; at++)
      if (file->text[at] == '\n') text_add(&result, "\n");
    text_add_bytes(&result, file->text + use->end, file->length - use->end);
    file->text = arena_copy(f->arena, text_string(&result), result.length);
    file->length = result.length;
  }
  text_finish(&expansion);
  text_finish(&result);
  return fine;
}

int flatten_macros(struct frontend *f) {
  struct chosen chosen = {0};
  choose_all(f, &chosen);
  if (!chosen.uses.count) return 0;
  qsort(chosen.uses.items, chosen.uses.count, sizeof *chosen.uses.items, compare_uses);
  int changed = 0;
  for (unsigned i = 0; i < chosen.uses.count; i++) changed |= replace(f, chosen.uses.items[i]);
  return changed;
}
