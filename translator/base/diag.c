/* SPDX-License-Identifier: MIT */
/* diag.c - formatting of diagnostics. */
#include "translator/base/diag.h"

#include <string.h>

#define LINE_SHOWN 160u /* bytes of a source line that are shown around the caret */

static const struct {
  unsigned code;
  enum diag_severity severity;
  const char *kind; /* of a remark: -Rmesi=KIND; NULL: it is none */
} registry[DIAG_COUNT] = {
#define DIAG(id, code, severity, title) {code, DIAG_##severity, NULL},
#define REMARK(id, code, kind, title) {code, DIAG_REMARK, kind},
#include "translator/base/diag.def"
#undef REMARK
#undef DIAG
};

static const char *const severity_names[DIAG_SEVERITY_COUNT] = {"error", "warning", "remark",
                                                                "note"};

static bool filter_names(const char *filter, const char *kind)
{
  size_t length = strlen(kind);
  for (const char *word = filter; word; word = strchr(word, ',')) {
    if (*word == ',') word++;
    if (!strncmp(word, kind, length) && (word[length] == ',' || !word[length])) return true;
  }
  return false;
}

static const char *find_line(const char *source, unsigned line)
{
  for (; line > 1; line--) {
    source = strchr(source, '\n');
    if (!source) return NULL;
    source++;
  }
  return source;
}

/* The line of the place and a caret under its column; a long line is shown from near the caret
 * only. */
static void print_caret(FILE *out, const struct diag_place *place)
{
  const char *line = place->source ? find_line(place->source, place->line) : NULL;
  if (!line || !place->column) return;
  size_t length = strcspn(line, "\r\n"), column = place->column - 1;
  if (column > length) return;
  size_t first = column > LINE_SHOWN / 2 && length > LINE_SHOWN ? column - LINE_SHOWN / 2 : 0;
  size_t shown = length - first < LINE_SHOWN ? length - first : LINE_SHOWN;
  fputs("    ", out);
  for (size_t i = 0; i < shown; i++) {
    unsigned char c = (unsigned char)line[first + i];
    fputc(c < ' ' && c != '\t' ? '?' : c, out);
  }
  fputs("\n    ", out);
  for (size_t i = first; i < column; i++) fputc(line[i] == '\t' ? '\t' : ' ', out);
  fputs("^\n", out);
}

const char *diag_code(enum diag_id id)
{
  static char text[16];
  snprintf(text, sizeof text, "M%u", registry[id].code);
  return text;
}

enum diag_severity diag_severity_of(enum diag_id id) { return registry[id].severity; }

void diag_vreport(struct diag *diag, enum diag_id id, const struct diag_place *place,
                  const char *format, va_list arguments)
{
  enum diag_severity severity = registry[id].severity;
  if (severity == DIAG_REMARK) {
    if (!diag->remarks) return;
    if (diag->remark_filter && !filter_names(diag->remark_filter, registry[id].kind)) return;
  }
  diag->error_count += severity == DIAG_ERROR;
  if (severity == DIAG_ERROR && (int)(registry[id].code / 1000) > diag->worst_status)
    diag->worst_status = (int)(registry[id].code / 1000); /* M1xxx, M2xxx, M3xxx */
  diag->warning_count += severity == DIAG_WARNING;
  FILE *out = diag->out;
  if (!out) return;
  if (place && place->file && place->line)
    fprintf(out, "%s:%u:%u: ", place->file, place->line, place->column);
  else if (place && place->file)
    fprintf(out, "%s: ", place->file);
  else
    fputs("mesicc: ", out);
  fprintf(out, "%s", severity_names[severity]);
  if (severity == DIAG_REMARK)
    fprintf(out, "[-Rmesi=%s,%s]", registry[id].kind, diag_code(id));
  else if (severity != DIAG_NOTE)
    fprintf(out, "[%s]", diag_code(id));
  fputs(": ", out);
  vfprintf(out, format, arguments);
  fputc('\n', out);
  if (place && place->line) print_caret(out, place);
}

void diag_report(struct diag *diag, enum diag_id id, const struct diag_place *place,
                 const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  diag_vreport(diag, id, place, format, arguments);
  va_end(arguments);
}
