/* SPDX-License-Identifier: MIT */
/* emit_waits.c - loops that may wait for another thread, for the CPU backend.
 *
 *     while (*flag == 0) ;     =>     while (mesi_cpu_turn() && (*flag == 0)) ;
 *
 *     while (int rest = *left) ;     =>     for (; int rest = *left; (void)mesi_cpu_turn()) ;
 *
 * The threads of a block are fibers of one host thread: a loop that waits has to let others run.
 * Atomic operations and fences do that themselves. A loop over plain loads can only wait where
 * these are volatile, since compilers otherwise make one load of them. So this applies to functions
 * that name a volatile object, or call a function that does: to each while and do, and to each for
 * without a condition or with a condition that names such an object. Works on the text, so in
 * templates too; text that is printed from the IR uses waits_for_others.
 */
#include <string.h>

#include "codegen/cpu/cpu.h"

typedef LIST_OF(const char *) name_list;

struct waits {
  struct codegen *cg;
  name_list names; /* names declared volatile anywhere, and functions whose text has the word */
  bool *waiting;   /* by function */
};

static bool is_among(const name_list *names, const char *text, struct token token)
{
  for (unsigned i = 0; i < names->count; i++)
    if (token_is(text, token, names->items[i])) return true;
  return false;
}

static bool ends_declarator(const char *text, struct token token)
{
  static const char *const ends[] = {",", ";", ")", "=", "[", "{", ":"};
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
    if (token_is(text, token, ends[i])) return true;
  return token.kind == TOKEN_END;
}

static bool is_type_word(const char *text, struct token token)
{
  static const char *const words[] = {"volatile", "const",  "int",   "char",   "short", "long",
                                      "unsigned", "signed", "float", "double", "bool",  "void"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is(text, token, words[i])) return true;
  return false;
}

/* Adds the names that the declaration around text[.. at), which ends with `volatile`, goes on to
 * declare. A cast declares none. */
static void add_declared(struct waits *w, const char *text, unsigned at, unsigned end)
{
  struct token last = {TOKEN_END, at, at};
  for (;;) {
    struct token token = scan_token(text, at, end);
    at = token.end;
    if (ends_declarator(text, token)) break;
    last = token;
  }
  if (last.kind != TOKEN_NAME || is_type_word(text, last) || is_among(&w->names, text, last))
    return;
  *ARENA_PUSH(w->cg->arena, &w->names) =
      arena_copy(w->cg->arena, text + last.begin, last.end - last.begin);
}

static void find_declared(struct waits *w, const struct unit_file *file)
{
  if (!strstr(file->text, "volatile")) return;
  for (unsigned at = 0;;) {
    struct token token = scan_token(file->text, at, (unsigned)file->length);
    if (token.kind == TOKEN_END) return;
    at = token.end;
    if (token_is(file->text, token, "volatile"))
      add_declared(w, file->text, at, (unsigned)file->length);
  }
}

static bool names_volatile(const struct waits *w, const char *text, unsigned begin, unsigned end)
{
  for (unsigned at = begin;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END) return false;
    at = token.end;
    if (token.kind == TOKEN_NAME &&
        (token_is(text, token, "volatile") || is_among(&w->names, text, token)))
      return true;
  }
}

static bool runs_on_device(const struct ir_function *function)
{
  return function->has_definition && (function->is_kernel || function->is_device);
}

static bool function_names(const struct waits *w, const struct ir_function *function)
{
  const char *text = w->cg->unit->files.items[function->place.file].text;
  return function->place.file == function->body_place.file &&
         names_volatile(w, text, function->place.begin, function->body_place.end);
}

static void mark_functions(struct waits *w)
{
  const struct unit *unit = w->cg->unit;
  bool *waiting = w->waiting;
  unsigned declared = w->names.count;
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    waiting[i] = runs_on_device(function) && function_names(w, function);
  }
  for (unsigned i = 0; i < unit->functions.count; i++)
    if (waiting[i] && !unit->functions.items[i]->is_kernel)
      *ARENA_PUSH(w->cg->arena, &w->names) = unit->functions.items[i]->name;
  for (unsigned i = 0; w->names.count > declared && i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    waiting[i] = waiting[i] || (runs_on_device(function) && function_names(w, function));
  }
}

/* ---- the loops ---- */

/* The offset after the ) of the group that begins at `open`, or `end`; *ret_parts: the offsets of
 * its ;. */
static unsigned group_end(const char *text, unsigned open, unsigned end, unsigned ret_parts[2],
                          unsigned *ret_count)
{
  unsigned depth = 0;
  *ret_count = 0;
  for (unsigned at = open;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END) return end;
    at = token.end;
    depth += token_is(text, token, "(") || token_is(text, token, "{");
    depth -= token_is(text, token, ")") || token_is(text, token, "}");
    if (!depth) return at;
    if (depth == 1 && token_is(text, token, ";") && (*ret_count)++ < 2)
      ret_parts[*ret_count - 1] = token.begin;
  }
}

/* Does text[begin .. end) declare a variable? `T x = e`, `const T *x = e`, `auto x{e}`: words, and
 * another one before the value. */
static bool is_declaration(const char *text, unsigned begin, unsigned end)
{
  unsigned words = 0;
  bool scoped = false; /* after :: */
  for (struct token token = scan_token(text, begin, end);;
       token = scan_token(text, token.end, end)) {
    bool name = token.kind == TOKEN_NAME;
    words += name && !scoped;
    scoped = token_is(text, token, "::");
    if (token_is(text, token, "=") || token_is(text, token, "{"))
      return words > 1 && !token_is(text, scan_token(text, token.end, end), "=");
    if (!name && !scoped && !token_is(text, token, "*") && !token_is(text, token, "&"))
      return false;
  }
}

static void edit_condition(struct codegen *cg, unsigned file, unsigned begin, unsigned end)
{
  const char *text = cg->unit->files.items[file].text;
  struct token first = scan_token(text, begin, end);
  if (first.kind == TOKEN_END)
    edit_insert(&cg->edits[file], begin, "mesi_cpu_turn()");
  else
    edit_wrap(&cg->edits[file], first.begin, scan_last(text, begin, end).end,
              "mesi_cpu_turn() && (", ")");
}

/* while (T x = e)   =>   for (; T x = e; (void)mesi_cpu_turn()) */
static void edit_while(struct codegen *cg, unsigned file, struct token word, unsigned begin,
                       unsigned end)
{
  struct edits *edits = &cg->edits[file];
  if (!is_declaration(cg->unit->files.items[file].text, begin, end)) {
    edit_condition(cg, file, begin, end);
    return;
  }
  edit_replace(edits, word.begin, word.end, "for");
  edit_insert(edits, begin, "; ");
  edit_insert(edits, end, "; (void)mesi_cpu_turn()");
}

static void edit_for(struct codegen *cg, unsigned file, const unsigned parts[2], unsigned end)
{
  const char *text = cg->unit->files.items[file].text;
  bool last = scan_token(text, parts[1] + 1, end).kind == TOKEN_END;
  if (is_declaration(text, parts[0] + 1, parts[1]))
    edit_insert(&cg->edits[file], parts[1] + 1,
                last ? " (void)mesi_cpu_turn()" : " (void)mesi_cpu_turn(),");
  else
    edit_condition(cg, file, parts[0] + 1, parts[1]);
}

static void edit_loop(struct waits *w, unsigned file, struct token word, unsigned end)
{
  const char *text = w->cg->unit->files.items[file].text;
  struct token open = scan_token(text, word.end, end);
  if (!token_is(text, open, "(")) return;
  unsigned parts[2], count, close = group_end(text, open.begin, end, parts, &count) - 1;
  if (token_is(text, word, "while"))
    edit_while(w->cg, file, word, open.end, close);
  else if (count == 2 && (scan_token(text, parts[0] + 1, parts[1]).kind == TOKEN_END ||
                          names_volatile(w, text, parts[0] + 1, parts[1])))
    edit_for(w->cg, file, parts, close);
}

static void edit_loops(struct waits *w, const struct ir_place *body)
{
  const char *text = w->cg->unit->files.items[body->file].text;
  for (unsigned at = body->begin;;) {
    struct token token = scan_token(text, at, body->end);
    if (token.kind == TOKEN_END) return;
    at = token.end;
    if (token_is(text, token, "while") || token_is(text, token, "for"))
      edit_loop(w, body->file, token, body->end);
  }
}

bool waits_for_others(const struct codegen *cg, const struct ir_function *function)
{
  return cg->waits && cg->waits->waiting[function->id];
}

void find_waits(struct codegen *cg)
{
  const struct unit *unit = cg->unit;
  struct waits *w = ARENA_NEW(cg->arena, struct waits);
  w->cg = cg;
  for (unsigned i = 0; i < unit->files.count; i++) find_declared(w, &unit->files.items[i]);
  if (!w->names.count) return;
  w->waiting = arena_alloc(cg->arena, (unit->functions.count + 1) * sizeof *w->waiting);
  mark_functions(w);
  cg->waits = w;
}

void emit_waits(struct codegen *cg)
{
  const struct unit *unit = cg->unit;
  for (unsigned i = 0; cg->waits && i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    if (cg->waits->waiting[i] && !is_check_printed(cg, function) && !function->instance_of)
      edit_loops(cg->waits, &function->body_place);
  }
}
