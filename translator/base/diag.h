/* SPDX-License-Identifier: MIT */
/* diag.h - one call for every message to the user: errors, warnings, remarks, and their notes.
 *
 * Each diagnostic has a permanent code from diag.def. As text:
 *     file:line:column: error[M2001]: message
 *         source line
 *             ^~~~~
 *             what to write instead
 * diag_render.c has the forms of output. As a record, a message is a line of JSON, from which the
 * driver makes JSON or SARIF when the program ends.
 */
#ifndef MESI_BASE_DIAG_H
#define MESI_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_REMARK, DIAG_NOTE, DIAG_SEVERITY_COUNT };

enum diag_id {
#define DIAG(id, code, severity, title) DIAG_##id,
#include "translator/base/diag.def"
#undef DIAG
  DIAG_COUNT
};

struct diag_place {      /* all zero: no place */
  const char *file;      /* as the user named it */
  unsigned line, column; /* from 1, in bytes; 0: unknown */
  const char *source;    /* text of the file the place is in, for the caret; NULL: no caret line */
};

struct diag_range { /* in the file of the message's place; the end is behind the last byte */
  unsigned line, column, end_line, end_column;
};

struct diag_fix { /* the text to write in the place of the range, which may be empty */
  struct diag_range range;
  const char *text;
};

/* One message with all its parts. Nothing is kept: the strings are the caller's. */
struct diag_message {
  enum diag_id id;
  struct diag_place place;
  const char *text;
  const char *option; /* clang's -W option for it; NULL or "": none */
  const struct diag_range *ranges;
  const struct diag_fix *fixes;
  unsigned range_count, fix_count;
};

struct diag {
  FILE *out;    /* NULL: messages are only counted */
  bool records; /* the messages go to `out` as lines of JSON */
  bool *line;   /* a line on the terminal that messages remove is there; NULL: there never is one */
  bool color;   /* escape sequences of a terminal in text */
  bool remarks; /* -Rmesi was given */
  const char *remark_filter; /* -Rmesi=KIND[,KIND]: NULL is all */
  /* -W words for mesicc's own warnings, the last one counts; NULL: none */
  const char *const *warning_words;
  unsigned warning_word_count;
  unsigned error_limit; /* errors of a source that are shown; 0: all */
  unsigned error_count, warning_count;
  int worst_status; /* exit status by the errors so far: 1, 2 or 3; 0: no error */
};

/* Reports the message in printf's form, without ranges. Drops remarks and warnings that were not
 * requested. */
void diag_report(struct diag *, enum diag_id, const struct diag_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_vreport(struct diag *, enum diag_id, const struct diag_place *, const char *format,
                  va_list);
void diag_tell(struct diag *, const struct diag_message *);

const char *diag_code(enum diag_id);
enum diag_severity diag_severity_of(enum diag_id);
/* The name in -Rmesi=KIND of a remark and -Wmesi-KIND of a warning; NULL: it has none. */
const char *diag_kind_of(enum diag_id);
const char *diag_earlier_kind(const char *kind); /* a name that it had; NULL: none */
/* Is `word` -Wmesi, -Wno-mesi, -Werror=mesi or one of these with -KIND of a warning after it? */
bool diag_is_own_word(const char *word);

/* ---- diag_render.c ---- */
/* The line `line` of a text; NULL: it has fewer. */
const char *diag_find_line(const char *source, unsigned line);
void diag_print_text(FILE *, const struct diag_message *, enum diag_severity, bool color);
void diag_print_record(FILE *, const struct diag_message *, enum diag_severity);

#endif
