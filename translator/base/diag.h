/* SPDX-License-Identifier: MIT */
/* diag.h - one call for everything a user is told: errors, warnings, remarks.
 *
 * Each diagnostic has a permanent code from diag.def. Output:
 *     file:line:column: error[M2001]: message
 *         source line
 *             ^
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
  unsigned line, column; /* from 1; 0: unknown */
  const char *source;    /* text of the file the place is in, for the caret; NULL: no caret line */
};

struct diag {
  FILE *out;                 /* NULL: what is reported is counted only */
  bool remarks;              /* -Rmesi was given */
  const char *remark_filter; /* -Rmesi=KIND[,KIND]: NULL is all */
  unsigned error_count, warning_count;
  int worst_status; /* exit status that the errors so far ask for: 1, 2 or 3; 0: no error */
};

/* `kind` of a remark: "stage", "host", "verbatim", "launch"; ignored for other severities (NULL).
 */
void diag_report(struct diag *, enum diag_id, const struct diag_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_vreport(struct diag *, enum diag_id, const struct diag_place *, const char *format,
                  va_list);

const char *diag_code(enum diag_id);
enum diag_severity diag_severity_of(enum diag_id);

#endif
