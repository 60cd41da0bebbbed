/* SPDX-License-Identifier: MIT */
/* scan.c - a small lexer for the frontend's work on text: initialisers, macros, for headers. */
#include <ctype.h>
#include <string.h>

#include "translator/frontend/internal.h"

bool scan_is_identifier_start(char c)
{
  return isalpha((unsigned char)c) || c == '_' || (c & 0x80);
}
bool scan_is_identifier(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static unsigned skip_splice(const char *text, unsigned at)
{
  if (text[at] != '\\') return at;
  if (text[at + 1] == '\n') return at + 2;
  if (text[at + 1] == '\r' && text[at + 2] == '\n') return at + 3;
  return at;
}

unsigned scan_skip_space(const char *text, unsigned at)
{
  for (;;) {
    unsigned start = at;
    while (isspace((unsigned char)text[at])) at++;
    at = skip_splice(text, at);
    if (text[at] == '/' && text[at + 1] == '/')
      while (text[at] && text[at] != '\n') at++;
    if (text[at] == '/' && text[at + 1] == '*') {
      const char *end = strstr(text + at + 2, "*/");
      at = end ? (unsigned)(end - text) + 2 : (unsigned)strlen(text);
    }
    if (at == start) return at;
  }
}

static unsigned skip_quoted(const char *text, unsigned at)
{
  char quote = text[at++];
  while (text[at] && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' && text[at + 1] ? 2 : 1;
  return text[at] == quote ? at + 1 : at;
}

/* R"delimiter( ... )delimiter" from the R. */
static unsigned skip_raw_string(const char *text, unsigned at)
{
  unsigned open = at + 2;
  while (text[open] && text[open] != '(') open++;
  char closing[32] = ")";
  size_t length = open - (at + 2);
  if (!text[open] || length > 16) return skip_quoted(text, at + 1);
  memcpy(closing + 1, text + at + 2, length);
  strcpy(closing + 1 + length, "\"");
  const char *end = strstr(text + open, closing);
  return end ? (unsigned)(end - text) + (unsigned)strlen(closing) : (unsigned)strlen(text);
}

unsigned scan_skip_token(const char *text, unsigned at)
{
  char c = text[at];
  if (!c) return at;
  if (c == 'R' && text[at + 1] == '"') return skip_raw_string(text, at);
  if (c == '"' || c == '\'') return skip_quoted(text, at);
  if (scan_is_identifier_start(c)) {
    while (scan_is_identifier(text[at])) at++;
    return at;
  }
  if (isdigit((unsigned char)c)) {
    while (scan_is_identifier(text[at]) || text[at] == '.' ||
           (text[at] == '\'' && scan_is_identifier(text[at + 1])) ||
           ((text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1])))
      at++;
    return at;
  }
  return at + 1;
}

unsigned scan_skip_group(const char *text, unsigned at)
{
  unsigned depth = 0;
  do {
    if (strchr("([{", text[at]) && text[at]) depth++;
    if (strchr(")]}", text[at]) && text[at]) depth--;
    at = scan_skip_token(text, at);
    if (depth) at = scan_skip_space(text, at);
  } while (depth && text[at]);
  return at;
}
