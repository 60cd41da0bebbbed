/* SPDX-License-Identifier: MIT */
/* host_text.c - does lowered code have every mention of a name? Compares the identifiers in the
 * text with the IR.
 *
 *     static int n = 4;                  // declaration: explained
 *     k<<<n, 32>>>();                    // VAR expression: explained
 *     template <class T> void f() { n = 5; }
 *         // not lowered: host_unseen_use returns this mention
 *
 * A mention in a # line (a macro's body) is never explained. Comments and literals are skipped.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/host/host_internal.h"

struct scanner {
  const char *text;
  size_t at, length;
  bool in_directive, line_start;
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void skip_comment(struct scanner *s)
{
  bool block = s->text[s->at + 1] == '*';
  for (s->at += 2; s->at < s->length; s->at++) {
    if (!block && s->text[s->at] == '\n' && s->text[s->at - 1] != '\\') return;
    if (block && s->text[s->at] == '*' && s->text[s->at + 1] == '/') {
      s->at += 2;
      return;
    }
  }
}

static void skip_raw_string(struct scanner *s)
{
  const char *open = strchr(s->text + s->at, '(');
  char close[24];
  size_t length = open ? (size_t)(open - (s->text + s->at + 1)) : sizeof close;
  if (length > 16) {
    s->at++;
    return;
  }
  close[0] = ')';
  memcpy(close + 1, s->text + s->at + 1, length);
  memcpy(close + 1 + length, "\"", 2);
  const char *end = strstr(open, close);
  s->at = end ? (size_t)(end - s->text) + length + 2 : s->length;
}

static void skip_literal(struct scanner *s)
{
  char quote = s->text[s->at];
  if (quote == '"' && s->at > 0 && s->text[s->at - 1] == 'R') {
    skip_raw_string(s);
    return;
  }
  for (s->at++; s->at < s->length && s->text[s->at] != quote && s->text[s->at] != '\n'; s->at++)
    if (s->text[s->at] == '\\') s->at++;
  if (s->at < s->length) s->at++;
}

static bool member_in_front(const struct scanner *s)
{
  size_t at = s->at;
  while (at > 0 && isspace((unsigned char)s->text[at - 1])) at--;
  if (at > 0 && s->text[at - 1] == '.') return at < 2 || s->text[at - 2] != '.';
  return at > 1 && s->text[at - 1] == '>' && s->text[at - 2] == '-';
}

static void scan_word(struct host_index *index, struct scanner *s, unsigned file)
{
  size_t begin = s->at;
  bool is_member = member_in_front(s);
  while (s->at < s->length && (is_word(s->text[s->at]) ||
                               (isdigit((unsigned char)s->text[begin]) && s->text[s->at] == '\'')))
    s->at++;
  if (isdigit((unsigned char)s->text[begin])) return;
  *ARENA_PUSH(index->arena, &index->words) = (struct host_word){.text = s->text + begin,
                                                                .length = (unsigned)(s->at - begin),
                                                                .file = file,
                                                                .begin = (unsigned)begin,
                                                                .in_directive = s->in_directive,
                                                                .is_member = is_member};
}

static void scan_character(struct scanner *s)
{
  char c = s->text[s->at];
  if (c == '\n') {
    if (s->at == 0 || s->text[s->at - 1] != '\\') s->in_directive = false;
    s->line_start = true;
  } else if (!isspace((unsigned char)c)) {
    if (c == '#' && s->line_start) s->in_directive = true;
    s->line_start = false;
  }
  s->at++;
}

static void scan_file(struct host_index *index, unsigned file)
{
  const struct unit_file *source = &index->unit->files.items[file];
  struct scanner s = {
      .text = source->text, .length = source->text ? source->length : 0, .line_start = true};
  while (s.at < s.length) {
    char c = s.text[s.at];
    if (c == '/' && s.at + 1 < s.length && (s.text[s.at + 1] == '/' || s.text[s.at + 1] == '*')) {
      skip_comment(&s);
    } else if (c == '"' || c == '\'') {
      skip_literal(&s);
      s.line_start = false;
    } else if (is_word(c)) {
      scan_word(index, &s, file);
      s.line_start = false;
    } else {
      scan_character(&s);
    }
  }
}

static int compare_words(const void *left, const void *right)
{
  const struct host_word *a = left, *b = right;
  unsigned length = a->length < b->length ? a->length : b->length;
  int order = memcmp(a->text, b->text, length);
  if (order) return order;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  uint64_t x = (uint64_t)a->file << 32 | a->begin, y = (uint64_t)b->file << 32 | b->begin;
  return (x > y) - (x < y);
}

void host_text_scan(struct host_index *index)
{
  for (unsigned i = 0; i < index->unit->files.count; i++) scan_file(index, i);
  if (index->words.count)
    qsort(index->words.items, index->words.count, sizeof *index->words.items, compare_words);
}

static int compare_name(const struct host_word *word, const char *name)
{
  int order = strncmp(word->text, name, word->length);
  return order ? order : name[word->length] ? -1 : 0;
}

/* The first of the words with the text `name`; *ret_end: behind the last. */
static unsigned words_named(const struct host_index *index, const char *name, unsigned *ret_end)
{
  unsigned low = 0, high = index->words.count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (compare_name(&index->words.items[middle], name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (*ret_end = low;
       *ret_end < index->words.count && compare_name(&index->words.items[*ret_end], name) == 0;)
    ++*ret_end;
  return low;
}

static bool covers(const struct ir_place *place, const struct host_word *word)
{
  return place->file == word->file && place->begin <= word->begin && word->begin < place->end;
}

bool host_text_has_word(const struct host_index *index, const struct ir_place *place,
                        const char *name)
{
  unsigned end, at = words_named(index, name, &end);
  for (; at < end; at++)
    if (covers(place, &index->words.items[at])) return true;
  return false;
}

/* Is `word` the first mention of its name in `place`, the declared name? */
static bool is_declared_name(const struct host_index *index, const struct ir_place *place,
                             const struct host_word *word)
{
  if (!covers(place, word)) return false;
  const struct host_word *first = index->words.items;
  return word == first || !covers(place, word - 1) || word[-1].length != word->length ||
         memcmp(word[-1].text, word->text, word->length) != 0;
}

/* Marks the words of [begin, end), which have one name, that are inside `place`. */
static void mark_covered(struct host_index *index, const struct ir_place *place, unsigned begin,
                         unsigned end)
{
  struct host_word *words = index->words.items;
  unsigned low = begin, high = end;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    bool before = words[middle].file < place->file ||
                  (words[middle].file == place->file && words[middle].begin < place->begin);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < end && covers(place, &words[low]); low++) words[low].is_used = true;
}

static int compare_vars(const void *left, const void *right)
{
  const struct host_var *const *a = left, *const *b = right;
  return strcmp((*a)->var->name, (*b)->var->name);
}

static void sort_vars(struct host_index *index)
{
  for (unsigned i = 0; i < index->var_list.count; i++)
    if (index->var_list.items[i]->var->name)
      *ARENA_PUSH(index->arena, &index->by_name) = index->var_list.items[i];
  if (index->by_name.count)
    qsort(index->by_name.items, index->by_name.count, sizeof *index->by_name.items, compare_vars);
}

/* The first of the variables with the name `name`; *ret_end: behind the last. */
static unsigned vars_named(const struct host_index *index, const char *name, unsigned *ret_end)
{
  unsigned low = 0, high = index->by_name.count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (strcmp(index->by_name.items[middle]->var->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (*ret_end = low; *ret_end < index->by_name.count &&
                       strcmp(index->by_name.items[*ret_end]->var->name, name) == 0;)
    ++*ret_end;
  return low;
}

static void mark_used(struct host_index *index, const char *name, unsigned begin, unsigned end)
{
  unsigned last, i = vars_named(index, name, &last);
  for (; i < last; i++) {
    const struct host_var *var = index->by_name.items[i];
    for (unsigned j = 0; j < var->uses.count; j++)
      mark_covered(index, &var->uses.items[j]->expr->place, begin, end);
  }
}

static bool explained_by_declaration(const struct host_index *index, const struct host_word *word)
{
  for (unsigned i = 0; i < index->unit->vs_vars.count; i++)
    if (covers(&index->unit->vs_vars.items[i]->name_place, word)) return true;
  for (unsigned i = 0; i < index->unit->functions.count; i++) {
    const struct ir_function *function = index->unit->functions.items[i];
    bool device_only = (function->is_kernel || function->is_device) && !function->is_host;
    if (device_only && covers(&function->place, word)) return true;
  }
  return false;
}

static bool explained_by_sizeof(const struct host_index *index, const struct host_word *word)
{
  for (unsigned i = 0; i < index->node_list.count; i++) {
    const struct ir_expr *expr = index->node_list.items[i]->expr;
    if (expr->kind == IR_EXPR_SIZEOF && covers(&expr->place, word)) return true;
  }
  return false;
}

/* Does a brace open a structure, by the text in front of it back to the last ; { or }? */
static bool opens_structure(const char *text, size_t brace)
{
  static const char *const words[] = {"struct", "class", "union"};
  size_t begin = brace;
  while (begin > 0 && !strchr(";{}()=", text[begin - 1])) begin--;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    const char *found = strstr(text + begin, words[i]);
    if (found && found < text + brace && !is_word(found[strlen(words[i])]) &&
        (found == text || !is_word(found[-1])))
      return true;
  }
  return false;
}

/* Is it the name of a member in a structure's declaration, like `struct point { int x, a; };`? */
static bool is_member_name(const struct host_index *index, const struct host_word *word)
{
  const char *text = index->unit->files.items[word->file].text;
  size_t after = word->begin + word->length, before = word->begin;
  while (isspace((unsigned char)text[after])) after++;
  while (before > 0 && isspace((unsigned char)text[before - 1])) before--;
  if (!strchr(";,[", text[after]) || before == 0 ||
      !(is_word(text[before - 1]) || strchr("*&,>", text[before - 1])))
    return false;
  int braces = 0;
  for (size_t at = word->begin; at > 0; at--) {
    char c = text[at - 1];
    if (c == '"' || c == '\'' || c == '#' || c == '=' || (strchr("([", c) && !braces)) return false;
    if (c == '}') braces++;
    if (c == '{' && braces-- == 0) return opens_structure(text, at - 1);
  }
  return false;
}

static bool is_explained(const struct host_index *index, const struct host_word *word,
                         const char *name)
{
  if (word->is_member) return true;
  if (word->in_directive) return false;
  if (word->is_used) return true;
  unsigned last, i = vars_named(index, name, &last);
  for (; i < last; i++)
    if (is_declared_name(index, &index->by_name.items[i]->var->place, word)) return true;
  return explained_by_declaration(index, word) || explained_by_sizeof(index, word) ||
         is_member_name(index, word);
}

static const struct ir_place *place_of_word(struct host_index *index, const struct host_word *word)
{
  struct ir_place *place = ARENA_NEW(index->arena, struct ir_place);
  const char *text = index->unit->files.items[word->file].text;
  *place = (struct ir_place){.file = word->file,
                             .begin = word->begin,
                             .end = word->begin + word->length,
                             .line = 1,
                             .column = 1,
                             .in_macro = word->in_directive};
  for (unsigned i = 0; i < word->begin; i++) {
    place->column = text[i] == '\n' ? 1 : place->column + 1;
    place->line += text[i] == '\n';
  }
  return place;
}

static const struct ir_place *find_unseen(struct host_index *index, const struct ir_var *var)
{
  unsigned end, at = words_named(index, var->name, &end);
  if (!index->by_name.count) sort_vars(index);
  mark_used(index, var->name, at, end);
  for (; at < end; at++) {
    const struct host_word *word = &index->words.items[at];
    if (var->function && !covers(&var->function->place, word)) continue;
    if (!is_explained(index, word, var->name)) return place_of_word(index, word);
  }
  return NULL;
}

const struct ir_place *host_unseen_use(struct host_index *index, const struct ir_var *var)
{
  struct host_var *entry = host_var_of(index, var);
  if (index->truncated || !var->name || !entry) return &var->place;
  if (!entry->unseen_known) {
    entry->unseen_known = true;
    entry->unseen = find_unseen(index, var);
  }
  return entry->unseen;
}

bool host_text_starts(const struct host_index *index, const struct ir_place *place,
                      const char *word)
{
  size_t length = strlen(word);
  if (place->file >= index->unit->files.count || place->in_macro ||
      place->end < place->begin + length)
    return false;
  const char *text = index->unit->files.items[place->file].text + place->begin;
  return !strncmp(text, word, length) &&
         (place->end == place->begin + length || !is_word(text[length]));
}

/* ---- functions ---- */

struct ir_function *host_named_function(const struct host_index *index, const struct ir_expr *expr)
{
  struct ir_function *found = NULL;
  for (unsigned i = 0; i < index->unit->functions.count; i++) {
    struct ir_function *function = index->unit->functions.items[i];
    if (function->instance_of || strlen(function->name) != expr->place.end - expr->place.begin)
      continue;
    if (!host_text_starts(index, &expr->place, function->name)) continue;
    if (found) return NULL;
    found = function;
  }
  return found;
}

/* Is it a declaration at file scope? Only a type stands between the name and the last ; { or }. */
static bool is_prototype(const struct host_index *index, const struct host_word *word)
{
  const struct unit_file *file = &index->unit->files.items[word->file];
  size_t after = word->begin + word->length, before = word->begin;
  while (after < file->length && isspace((unsigned char)file->text[after])) after++;
  if (after >= file->length || file->text[after] != '(') return false;
  while (before > 0 &&
         (is_word(file->text[before - 1]) || strchr(" \t\n*&:<>", file->text[before - 1])))
    before--;
  if (before > 0 && !strchr(";{}", file->text[before - 1])) return false;
  while (isspace((unsigned char)file->text[before])) before++;
  if (before >= word->begin) return false;
  for (unsigned i = 0; i < index->unit->functions.count; i++)
    if (covers(&index->unit->functions.items[i]->body_place, word)) return false;
  return true;
}

static bool explained_by_function(const struct host_index *index, const struct host_function *entry,
                                  const struct host_word *word)
{
  if (covers(&entry->function->name_place, word)) return true;
  for (unsigned i = 0; i < entry->calls.count; i++) {
    const struct ir_expr *call = entry->calls.items[i]->expr;
    struct ir_place callee = call->place; /* f or ns::f, up to the ( */
    const char *text = index->unit->files.items[callee.file].text;
    const char *paren = text && !callee.in_macro ? strchr(text + callee.begin, '(') : NULL;
    if (paren && (size_t)(paren - text) < callee.end) callee.end = (unsigned)(paren - text);
    if (covers(&callee, word)) return true;
  }
  return false;
}

static bool find_callers(const struct host_index *index, const struct host_function *entry)
{
  const struct ir_function *function = entry->function;
  if (!function->is_internal || !function->body || function->is_method || index->truncated)
    return false;
  unsigned end, at = words_named(index, function->name, &end);
  for (; at < end; at++) {
    const struct host_word *word = &index->words.items[at];
    if (word->is_member) continue;
    if (word->in_directive) return false;
    if (!explained_by_function(index, entry, word) && !is_prototype(index, word)) return false;
  }
  return true;
}

bool host_callers_known(struct host_index *index, const struct ir_function *function)
{
  struct host_function *entry = host_function_of(index, function);
  if (!entry) return false;
  if (entry->callers == HOST_CALLERS_UNASKED)
    entry->callers = find_callers(index, entry) ? HOST_CALLERS_KNOWN : HOST_CALLERS_UNKNOWN;
  return entry->callers == HOST_CALLERS_KNOWN;
}
