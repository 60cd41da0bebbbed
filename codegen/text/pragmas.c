/* SPDX-License-Identifier: MIT */
/* pragmas.c - the start of a statement with the pragmas that govern it.
 *
 *     #pragma omp parallel for      <- text before the loop goes here
 *     for (int i = 0; i < n; i++)
 *       a[i] = i;
 *
 * Blank lines and lines of // comments may be in between. A stand-alone pragma of OpenMP (barrier)
 * governs nothing.
 */
#include <string.h>

#include "codegen/text/source.h"

static unsigned line_begin(const char *text, unsigned at)
{
  while (at && text[at - 1] != '\n') at--;
  return at;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

static bool only_blanks(const char *text, unsigned begin, unsigned end)
{
  while (begin < end && is_blank(text[begin])) begin++;
  return begin == end;
}

/* The start of the line that ends before `end`, with the lines that it continues. */
static unsigned logical_line_begin(const char *text, unsigned end)
{
  unsigned begin = line_begin(text, end);
  for (unsigned last; begin; begin = line_begin(text, last)) {
    last = begin - 1;
    unsigned tail = last && text[last - 1] == '\r' ? last - 1 : last;
    if (!tail || text[tail - 1] != '\\') break;
  }
  return begin;
}

static bool is_among(const char *word, const char *const *words)
{
  while (*words && strcmp(word, *words)) words++;
  return *words != NULL;
}

#define WORD_MOST 16 /* letters; no word of interest is longer */

static bool is_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Reads the next word of the line into `ret`; "": something else follows. */
static unsigned read_word(const char *text, unsigned at, unsigned end, char ret[WORD_MOST])
{
  unsigned length = 0;
  while (at < end && is_blank(text[at])) at++;
  while (at < end && is_word(text[at]) && length < WORD_MOST - 1) ret[length++] = text[at++];
  ret[length] = '\0';
  return at;
}

/* Reads "# pragma omp parallel for" at `at`. */
static enum pragma_kind kind_of(const char *text, unsigned at, unsigned end)
{
  static const char *const openmp[] = {"omp", "acc", NULL}, *const compilers[] = {"GCC", "clang",
                                                                                  NULL};
  static const char *const loops[] = {"unroll",   "nounroll", "ivdep", "vector",
                                      "novector", "simd",     "loop",  NULL};
  static const char *const alone[] = {"barrier",       "taskwait", "taskyield", "flush",
                                      "threadprivate", "declare",  "end",       "cancel",
                                      "cancellation",  "requires", "wait",      "update",
                                      "routine",       "enter",    "exit",      NULL};
  char word[WORD_MOST], family[WORD_MOST], name[WORD_MOST];
  if (text[at] != '#') return PRAGMA_NONE;
  at = read_word(text, at + 1, end, word);
  at = read_word(text, at, end, family);
  read_word(text, at, end, name);
  if (strcmp(word, "pragma")) return PRAGMA_NONE;
  if (is_among(family, loops) || (is_among(family, compilers) && is_among(name, loops)))
    return PRAGMA_GOVERNS;
  if (!is_among(family, openmp) || is_among(name, alone)) return PRAGMA_NONE;
  return strcmp(name, "section") ? PRAGMA_GOVERNS : PRAGMA_SECTION;
}

enum pragma_kind pragma_before(const char *text, unsigned at, unsigned *ret_begin)
{
  enum pragma_kind found = PRAGMA_NONE;
  *ret_begin = at;
  while (at) {
    unsigned line = line_begin(text, at);
    if (!line || !only_blanks(text, line, at)) break;
    unsigned end = line - 1, begin = logical_line_begin(text, end), first = begin;
    while (first < end && is_blank(text[first])) first++;
    bool skipped = first == end || !strncmp(text + first, "//", 2);
    enum pragma_kind kind = skipped ? PRAGMA_NONE : kind_of(text, first, end);
    if (!skipped && kind == PRAGMA_NONE) break;
    if (kind == PRAGMA_SECTION) return found == PRAGMA_NONE ? kind : found;
    if (kind == PRAGMA_GOVERNS) found = kind, *ret_begin = begin;
    at = begin;
  }
  return found;
}
