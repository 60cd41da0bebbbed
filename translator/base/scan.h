/* SPDX-License-Identifier: MIT */
/* scan.h - tokens of source text, for places where the unit has only a range. */
#ifndef MESI_BASE_SCAN_H
#define MESI_BASE_SCAN_H

#include <stdbool.h>

#include "translator/base/arena.h"

enum token_kind {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_QUOTED,
  TOKEN_PUNCTUATOR,
  TOKEN_KIND_COUNT
};

struct token {
  enum token_kind kind;
  unsigned begin, end; /* offsets in the text; END: the end of the range */
};

/* The first token in text[at .. end), after white space, comments and preprocessor lines. `::`,
 * `->` and `[[` are one token, other punctuators one character each. */
struct token scan_token(const char *text, unsigned at, unsigned end);
bool token_is(const char *text, struct token, const char *spelling);
/* The end of `spelling` at text + begin, line splices inside allowed; 0: other text is there. */
unsigned scan_spelling(const char *text, unsigned begin, const char *spelling);
/* The last token in text[begin .. end). */
struct token scan_last(const char *text, unsigned begin, unsigned end);
/* text[begin .. end) on one line: comments and line ends become a space each. NULL: it has a
 * preprocessor line. */
const char *scan_one_line(struct arena *, const char *text, unsigned begin, unsigned end);
/* Only the line ends of text[begin .. end). */
const char *scan_line_ends(struct arena *, const char *text, unsigned begin, unsigned end);
/* The start of the text: 3 after the UTF-8 mark that editors of Windows write, otherwise 0. */
unsigned scan_mark(const char *text);
/* Number of the line that holds `offset`, from 1. */
unsigned scan_line(const char *text, unsigned offset);

#endif
