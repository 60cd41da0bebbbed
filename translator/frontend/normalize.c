/* SPDX-License-Identifier: MIT */
/* normalize.c - rewrites spellings that would hide tokens from the edits, before the first parse.
 *
 *     k<<<{4, 2}, {8, 1}>>>(a)   =>   k<<<dim3{4, 2}, dim3{8, 1}>>>(a)     nvcc accepts it, but
 *                                                                          clang does not parse it
 *     __glo\                     =>   __global__\                     a line splice inside a token
 *     bal__ int a;                     int a;
 *     void f() <% a<:0:> = 1; %>  =>   void f() { a[0] = 1; }                digraphs
 *     k << < 1, 1 >> > (a)        =>   k <<<  1, 1 >>>  (a)              nvcc reads these as one
 *
 * Works on the text of the main file, and of the user's headers; lines keep their numbers, and
 * everything else stays. A file without edits is written as it was read, so that the changes appear
 * only in edited files. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static bool at_launch(const char *text, unsigned at)
{
  return !strncmp(text + at, "<<<", 3) && text[at + 3] != '<';
}

/* Inserts dim3 before each argument with a leading brace, up to the >>> of the launch at `at`. */
static unsigned copy_launch(const char *text, unsigned at, struct text *out)
{
  text_add(out, "<<<");
  at += 3;
  bool first = true;
  while (text[at] && strncmp(text + at, ">>>", 3) && text[at] != ';') {
    unsigned next = scan_skip_space(text, at);
    text_add_bytes(out, text + at, next - at);
    at = next;
    if (!text[at] || !strncmp(text + at, ">>>", 3) || text[at] == ';') break;
    if (first && text[at] == '{') text_add(out, "dim3");
    first = text[at] == ',';
    next = strchr("([{", text[at]) ? scan_skip_group(text, at) : scan_skip_token(text, at);
    text_add_bytes(out, text + at, next - at);
    at = next;
  }
  return at;
}

static unsigned splice_length(const char *text)
{
  if (text[0] != '\\') return 0;
  return text[1] == '\n' ? 2 : text[1] == '\r' && text[2] == '\n' ? 3 : 0;
}

/* Moves each splice to the right, to a blank or the end of the line: the joined token stays whole,
 * and no token continues after a splice. Strings and comments count as tokens. */
static void move_splices(const char *text, size_t length, struct text *out)
{
  unsigned pending = 0;
  const char *splice = "\\\n"; /* as the file writes its last one */
  for (unsigned at = 0; at < length;) {
    unsigned skip = splice_length(text + at), end;
    if (skip) {
      pending++;
      splice = skip == 3 ? "\\\r\n" : "\\\n";
      at += skip;
      continue;
    }
    bool comment = text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
    if (strchr(" \t\r\n\f\v", text[at])) {
      while (pending) text_add(out, splice), pending--;
      end = at + 1;
    } else {
      end = comment ? scan_skip_space(text, at) : scan_skip_token(text, at);
    }
    if (end <= at) end = at + 1;
    text_add_bytes(out, text + at, end - at);
    at = end;
  }
  while (pending) text_add(out, splice), pending--;
}

static void keep(struct arena *arena, struct unit_file *file, struct text *text)
{
  file->text = arena_copy(arena, text_string(text), text->length);
  file->length = text->length;
  text_finish(text);
}

static void write_shapes(struct arena *arena, struct unit_file *file)
{
  const char *text = file->text;
  struct text out = {0};
  for (unsigned at = 0; at < file->length;) {
    unsigned next = scan_skip_space(text, at);
    if (next == at) {
      if (at_launch(text, at)) {
        at = copy_launch(text, at, &out);
        continue;
      }
      next = scan_skip_token(text, at);
    }
    text_add_bytes(&out, text + at, next - at);
    at = next;
  }
  keep(arena, file, &out);
}

/* <:: is a digraph only before : or >, so that a<::b> has the argument ::b. */
static const char *digraph_at(const char *text)
{
  static const char *const digraphs[][2] = {
      {"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}, {"%:", "#"}};
  if (!strncmp(text, "<::", 3) && text[3] != ':' && text[3] != '>') return NULL;
  for (unsigned i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
    if (!strncmp(text, digraphs[i][0], 2)) return digraphs[i][1];
  return NULL;
}

static bool has_digraphs(const char *text)
{
  return strstr(text, "<%") || strstr(text, "<:") || strstr(text, "%:");
}

/* Copies a % :: b and a ? b<c :> d by the longest token as well. */
static unsigned copy_digraph_token(const char *text, unsigned at, struct text *out)
{
  static const char *const longer[] = {"<<<", "<<=", "<<", "<=", "::", "%="};
  const char *other = digraph_at(text + at);
  for (unsigned i = 0; !other && i < sizeof longer / sizeof *longer; i++)
    if (!strncmp(text + at, longer[i], strlen(longer[i]))) {
      text_add(out, longer[i]);
      return at + (unsigned)strlen(longer[i]);
    }
  unsigned next = other ? at + 2 : scan_skip_token(text, at);
  if (other)
    text_add(out, other);
  else
    text_add_bytes(out, text + at, next - at);
  return next;
}

static void write_digraphs(struct arena *arena, struct unit_file *file)
{
  const char *text = file->text;
  struct text out = {0};
  for (unsigned at = 0; at < file->length;) {
    unsigned next = scan_skip_space(text, at);
    text_add_bytes(&out, text + at, next - at);
    at = next < file->length ? copy_digraph_token(text, next, &out) : next;
  }
  keep(arena, file, &out);
}

/* The end of `<< <` or `>> >`, whose parts blanks and comments of one line keep apart; 0: other
 * text is there. */
static unsigned chevron_end(const char *text, unsigned at, char c)
{
  if (text[at] != c || text[at + 1] != c) return 0;
  unsigned next = scan_skip_space(text, at + 2);
  bool alone = text[next] == c && text[next + 1] != c && text[next + 1] != '=';
  bool one_line = !memchr(text + at, '\n', next - at);
  return alone && one_line && next > at + 2 ? next + 1 : 0;
}

static bool has_chevrons_apart(const char *text, char c)
{
  const char two[] = {c, c, 0};
  for (const char *at = text; (at = strstr(at, two)); at += 2) {
    at += strspn(at, two) - 2;
    if (chevron_end(text, (unsigned)(at - text), c)) return true;
  }
  return false;
}

/* Writes `<< <` as `<<<` with its blanks behind: all other tokens keep their columns. */
static unsigned join_chevron(const char *text, unsigned at, unsigned end, struct text *out)
{
  text_add_bytes(out, text + end - 1, 1);
  text_add_bytes(out, text + at, 2);
  text_add_bytes(out, text + at + 2, end - at - 3);
  return end;
}

static unsigned skip_repeated(const char *text, unsigned at)
{
  unsigned end = at + 1;
  while (strchr("<>", text[at]) && text[end] == text[at]) end++;
  return end > at + 1 ? end : scan_skip_token(text, at);
}

/* `operator<< <T>` is a name with its arguments, and `A<B<C>> >` outside of a launch closes
 * lists. */
static void join_chevrons(struct arena *arena, struct unit_file *file)
{
  const char *text = file->text;
  struct text out = {0};
  bool open = false, name = false;
  unsigned depth = 0;
  for (unsigned at = 0, next; at < file->length; at = next) {
    next = scan_skip_space(text, at);
    text_add_bytes(&out, text + at, next - at);
    if ((at = next) >= file->length) break;
    unsigned end = name && !SEEDED(CHEVRON_OPERATOR) ? 0 : chevron_end(text, at, '<');
    bool closes = !end && open && !depth;
    if (closes) end = chevron_end(text, at, '>');
    if (end) {
      next = join_chevron(text, at, end, &out);
      open = !closes;
      depth = 0;
      continue;
    }
    next = skip_repeated(text, at);
    name = next - at == 8 && !strncmp(text + at, "operator", 8);
    if (strchr("([{", text[at])) depth++;
    if (strchr(")]}", text[at]) && depth) depth--;
    if (at_launch(text, at)) open = true, depth = 0;
    if (text[at] == ';' || (!depth && !strncmp(text + at, ">>>", 3))) open = false;
    text_add_bytes(&out, text + at, next - at);
  }
  keep(arena, file, &out);
}

/* The splices of headers stay: macros of several lines have them. */
bool normalize_text(struct arena *arena, struct unit_file *file)
{
  const char *before = file->text;
  if (strlen(file->text) != file->length) return false; /* NUL bytes: the parser will say so */
  bool spliced = strstr(file->text, "\\\n") || strstr(file->text, "\\\r\n");
  if (file->is_main && spliced) {
    struct text out = {0};
    move_splices(file->text, file->length, &out);
    keep(arena, file, &out);
  }
  if (has_digraphs(file->text)) write_digraphs(arena, file);
  if (has_chevrons_apart(file->text, '<') ||
      (strstr(file->text, "<<<") && has_chevrons_apart(file->text, '>')))
    join_chevrons(arena, file);
  if (strstr(file->text, "<<<")) write_shapes(arena, file);
  return strcmp(before, file->text) != 0;
}
