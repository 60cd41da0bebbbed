/* SPDX-License-Identifier: MIT */
/* normalize.c - rewrites spellings that would hide tokens from the edits, before the first parse.
 *
 *     k<<<{4, 2}, {8, 1}>>>(a)   =>   k<<<dim3{4, 2}, dim3{8, 1}>>>(a)     nvcc accepts it, but
 *                                                                          clang does not parse it
 *     __glo\                     =>   __global__\                     a line splice inside a token
 *     bal__ int a;                     int a;
 *     void f() <% a<:0:> = 1; %>  =>   void f() { a[0] = 1; }                digraphs
 *
 * Works on the text of the main file, and of the user's headers; lines keep their numbers, and
 * everything else stays. A file without edits is written as it was read, so that the changes appear
 * only in edited files. */
#include <string.h>

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
  if (strstr(file->text, "<<<")) write_shapes(arena, file);
  return strcmp(before, file->text) != 0;
}
