/* SPDX-License-Identifier: MIT */
/* scan.c - a small tokenizer.
 *
 *     ns::a[i] // x     =>     NAME ns, PUNCTUATOR ::, NAME a, PUNCTUATOR [, NAME i, PUNCTUATOR ]
 */
#include "translator/base/scan.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "translator/base/text.h"

static bool name_char(char c)
{
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The end of the line splices at `at`; `at`: there are none. */
static unsigned skip_splices(const char *text, unsigned at, unsigned end)
{
  while (at + 1 < end && text[at] == '\\' && (text[at + 1] == '\n' || text[at + 1] == '\r'))
    at += text[at + 1] == '\r' && at + 2 < end && text[at + 2] == '\n' ? 3 : 2;
  return at;
}

static bool at_line_start(const char *text, unsigned at)
{
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return at == 0 || text[at - 1] == '\n';
}

static unsigned line_end(const char *text, unsigned at, unsigned end)
{
  while (at < end && (text[at] != '\n' || text[at - 1] == '\\')) at++;
  return at;
}

/* The end of the comment or preprocessor line at `at`; `at`: there is none. */
static unsigned skip_comment(const char *text, unsigned at, unsigned end)
{
  if (at + 1 < end && text[at] == '/' && text[at + 1] == '/') return line_end(text, at, end);
  if (at + 1 < end && text[at] == '/' && text[at + 1] == '*') {
    for (at += 2; at + 1 < end; at++)
      if (text[at] == '*' && text[at + 1] == '/') return at + 2;
    return end;
  }
  return at;
}

static unsigned skip_space(const char *text, unsigned at, unsigned end)
{
  for (;;) {
    unsigned start = at;
    while (at < end && isspace((unsigned char)text[at])) at++;
    at = skip_splices(text, at, end);
    at = skip_comment(text, at, end);
    if (at < end && text[at] == '#' && at_line_start(text, at)) at = line_end(text, at, end);
    if (at == start) return at;
  }
}

static unsigned skip_quoted(const char *text, unsigned at, unsigned end)
{
  char quote = text[at++];
  while (at < end && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return at < end ? at + 1 : end;
}

/* The end of R"tag( ... )tag", with `at` at the quote. */
static unsigned skip_raw(const char *text, unsigned at, unsigned end)
{
  unsigned tag = at + 1, open = tag;
  while (open < end && text[open] != '(') open++;
  unsigned length = open - tag;
  for (at = open; at + length + 1 < end; at++)
    if (text[at] == ')' && !memcmp(text + at + 1, text + tag, length) &&
        text[at + 1 + length] == '"')
      return at + length + 2;
  return end;
}

static unsigned punctuator_end(const char *text, unsigned at, unsigned end)
{
  static const char *const pairs[] = {"::", "->", "[["};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (at + 1 < end && text[at] == pairs[i][0] && text[at + 1] == pairs[i][1]) return at + 2;
  return at + 1;
}

static bool number_char(const char *text, unsigned at)
{
  return name_char(text[at]) || text[at] == '.' || text[at] == '\'' ||
         ((text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1]));
}

static unsigned number_end(const char *text, unsigned at, unsigned end)
{
  for (;;) {
    unsigned next = skip_splices(text, at, end);
    if (next >= end || !number_char(text, next)) return at;
    at = next + 1;
  }
}

static unsigned name_end(const char *text, unsigned at, unsigned end)
{
  for (;;) {
    unsigned next = skip_splices(text, at, end);
    if (next >= end || !name_char(text[next])) return at;
    at = next + 1;
  }
}

struct token scan_token(const char *text, unsigned at, unsigned end)
{
  at = skip_space(text, at, end);
  struct token token = {TOKEN_END, at, at};
  if (at >= end) return token;
  token.end = at + 1;
  if (isdigit((unsigned char)text[at])) {
    token.kind = TOKEN_NUMBER;
    token.end = number_end(text, at, end);
  } else if (text[at] == '"' || text[at] == '\'') {
    token.kind = TOKEN_QUOTED;
    token.end = skip_quoted(text, at, end);
  } else if (name_char(text[at])) {
    token.kind = TOKEN_NAME;
    token.end = name_end(text, at, end);
    if (token.end < end && text[token.end] == '"' && text[token.end - 1] == 'R') {
      token.kind = TOKEN_QUOTED;
      token.end = skip_raw(text, token.end, end);
    }
  } else {
    token.kind = TOKEN_PUNCTUATOR;
    token.end = punctuator_end(text, at, end);
  }
  return token;
}

unsigned scan_spelling(const char *text, unsigned begin, const char *spelling)
{
  unsigned at = begin;
  for (; *spelling; spelling++, at++) {
    at = skip_splices(text, at, UINT_MAX);
    if (text[at] != *spelling) return 0;
  }
  return at;
}

bool token_is(const char *text, struct token token, const char *spelling)
{
  return scan_spelling(text, token.begin, spelling) == token.end && token.end > token.begin;
}

struct token scan_last(const char *text, unsigned begin, unsigned end)
{
  struct token last = {TOKEN_END, begin, begin};
  for (;;) {
    struct token token = scan_token(text, last.end, end);
    if (token.kind == TOKEN_END) return last;
    last = token;
  }
}

const char *scan_one_line(struct arena *arena, const char *text, unsigned begin, unsigned end)
{
  struct text line = {0};
  unsigned at = begin;
  bool directive = false;
  while (at < end) {
    struct token token = scan_token(text, at, end);
    for (unsigned i = at; i < token.begin; i++)
      directive |= text[i] == '#' && at_line_start(text, i);
    bool plain = true;
    for (unsigned i = at; i < token.begin; i++) plain &= text[i] == ' ';
    if (plain)
      text_add_bytes(&line, text + at, token.begin - at);
    else if (line.length && token.kind != TOKEN_END)
      text_add(&line, " ");
    text_add_bytes(&line, text + token.begin, token.end - token.begin);
    at = token.kind == TOKEN_END ? end : token.end;
  }
  const char *result = directive ? NULL : arena_copy(arena, text_string(&line), line.length);
  text_finish(&line);
  return result;
}

const char *scan_line_ends(struct arena *arena, const char *text, unsigned begin, unsigned end)
{
  char *ends = arena_alloc(arena, end - begin + 1);
  unsigned count = 0;
  for (unsigned i = begin; i < end; i++)
    if (text[i] == '\n') ends[count++] = '\n';
  return ends;
}

unsigned scan_mark(const char *text) { return strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3; }

unsigned scan_line(const char *text, unsigned offset)
{
  unsigned line = 1;
  for (unsigned i = 0; i < offset; i++) line += text[i] == '\n';
  return line;
}
