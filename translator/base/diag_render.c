/* SPDX-License-Identifier: MIT */
/* diag_render.c - a message as text for people, or as a record: a line of JSON for programs.
 *
 *     a.mcu:3:7: error[M2001]: use of undeclared identifier 'foo'; did you mean 'for_all'?
 *         x = foo + y;
 *             ^~~
 *             for_all
 */
#include <string.h>

#include "translator/base/diag.h"

enum {
  LINE_SHOWN = 160, /* bytes of a source line that are shown around the caret */
  INDENT = 4
};

static const char *const severity_names[DIAG_SEVERITY_COUNT] = {"error", "warning", "remark",
                                                                "note"};
static const char *const severity_colors[DIAG_SEVERITY_COUNT] = {"\33[1;31m", "\33[1;35m",
                                                                 "\33[1;34m", "\33[1;36m"};
static const char BOLD[] = "\33[1m", GREEN[] = "\33[1;32m", PLAIN[] = "\33[0m";

const char *diag_find_line(const char *source, unsigned line)
{
  for (; line > 1; line--) {
    source = strchr(source, '\n');
    if (!source) return NULL;
    source++;
  }
  return source;
}

/* ---- text ---- */

struct excerpt { /* the shown part of the line of a message's place */
  const char *line;
  size_t first, shown; /* bytes */
};

static bool find_excerpt(const struct diag_place *place, struct excerpt *ret)
{
  const char *line =
      place->source && place->line ? diag_find_line(place->source, place->line) : NULL;
  if (!line || !place->column) return false;
  size_t length = strcspn(line, "\r\n"), column = place->column - 1;
  if (column > length) return false;
  ret->line = line;
  ret->first = column > LINE_SHOWN / 2 && length > LINE_SHOWN ? column - LINE_SHOWN / 2 : 0;
  ret->shown = length - ret->first < LINE_SHOWN ? length - ret->first : LINE_SHOWN;
  return true;
}

/* A byte that continues a character has no column of its own. */
static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static bool covers(const struct diag_range *range, unsigned line, unsigned column)
{
  bool begins = range->line < line || (range->line == line && range->column <= column);
  bool ends = range->end_line > line || (range->end_line == line && range->end_column > column);
  return begins && ends;
}

static char mark_at(const struct diag_message *message, unsigned column, char source)
{
  if (column == message->place.column) return '^';
  for (unsigned i = 0; i < message->range_count; i++)
    if (covers(&message->ranges[i], message->place.line, column)) return '~';
  for (unsigned i = 0; i < message->fix_count; i++)
    if (covers(&message->fixes[i].range, message->place.line, column)) return '~';
  return source == '\t' ? '\t' : ' ';
}

/* Prints the caret and the ranges; the line ends with the last mark. */
static void print_marks(FILE *out, const struct diag_message *message,
                        const struct excerpt *excerpt, bool color)
{
  size_t last = message->place.column - 1;
  for (size_t at = last; at < excerpt->first + excerpt->shown; at++)
    if (strchr("^~", mark_at(message, (unsigned)at + 1, ' '))) last = at;
  fprintf(out, "%*s%s", INDENT, "", color ? GREEN : "");
  for (size_t at = excerpt->first; at <= last; at++) {
    char source = at < excerpt->first + excerpt->shown ? excerpt->line[at] : ' ';
    if (!continues(source)) fputc(mark_at(message, (unsigned)at + 1, source), out);
  }
  fprintf(out, "%s\n", color ? PLAIN : "");
}

/* Prints the fixes in this line that fit, below their places. */
static void print_fixes(FILE *out, const struct diag_message *message,
                        const struct excerpt *excerpt, bool color)
{
  size_t at = excerpt->first;
  bool any = false;
  for (unsigned i = 0; i < message->fix_count; i++) {
    const struct diag_fix *fix = &message->fixes[i];
    size_t column = fix->range.column - 1;
    if (fix->range.line != message->place.line || !*fix->text || strchr(fix->text, '\n') ||
        column < at || column > excerpt->first + excerpt->shown)
      continue;
    if (!any) fprintf(out, "%*s%s", INDENT, "", color ? GREEN : "");
    for (; at < column; at++)
      if (!continues(excerpt->line[at])) fputc(excerpt->line[at] == '\t' ? '\t' : ' ', out);
    fputs(fix->text, out);
    at += strlen(fix->text);
    any = true;
  }
  if (any) fprintf(out, "%s\n", color ? PLAIN : "");
}

static void print_source(FILE *out, const struct diag_message *message, bool color)
{
  struct excerpt excerpt;
  if (!find_excerpt(&message->place, &excerpt)) return;
  fprintf(out, "%*s", INDENT, "");
  for (size_t i = 0; i < excerpt.shown; i++) {
    unsigned char c = (unsigned char)excerpt.line[excerpt.first + i];
    fputc(c < ' ' && c != '\t' ? '?' : c, out);
  }
  fputc('\n', out);
  print_marks(out, message, &excerpt, color);
  print_fixes(out, message, &excerpt, color);
}

static void print_place(FILE *out, const struct diag_place *place)
{
  if (place->file && place->line)
    fprintf(out, "%s:%u:%u: ", place->file, place->line, place->column);
  else
    fprintf(out, "%s: ", place->file ? place->file : "mesicc");
}

/* [M2001], [M2102,-Wunused-value], [-Rmesi=stage,M4001]; a note has none. */
static void print_code(FILE *out, const struct diag_message *message, enum diag_severity severity)
{
  const char *kind = diag_kind_of(message->id), *code = diag_code(message->id);
  if (severity == DIAG_NOTE) return;
  if (severity == DIAG_REMARK)
    fprintf(out, "[-Rmesi=%s,%s]", kind, code);
  else if (kind)
    fprintf(out, "[%s,-Wmesi-%s]", code, kind);
  else if (message->option && *message->option)
    fprintf(out, "[%s,%s]", code, message->option);
  else
    fprintf(out, "[%s]", code);
}

void diag_print_text(FILE *out, const struct diag_message *message, enum diag_severity severity,
                     bool color)
{
  if (color) fputs(BOLD, out);
  print_place(out, &message->place);
  fprintf(out, "%s%s", color ? severity_colors[severity] : "", severity_names[severity]);
  print_code(out, message, severity);
  bool bold = color && severity != DIAG_NOTE;
  fprintf(out, ": %s%s%s%s\n", color ? PLAIN : "", bold ? BOLD : "", message->text,
          bold ? PLAIN : "");
  print_source(out, message, color);
}

/* ---- records ---- */

static unsigned sequence_length(const unsigned char *at)
{
  unsigned length = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
  if (at[0] >= 0x80 && (at[0] < 0xc2 || at[0] > 0xf4)) return 0;
  for (unsigned i = 1; i < length; i++)
    if (!continues((char)at[i])) return 0;
  bool surrogate = at[0] == 0xed && at[1] >= 0xa0, overlong = at[0] == 0xe0 && at[1] < 0xa0;
  bool wide = (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90);
  return surrogate || overlong || wide ? 0 : length;
}

/* Prints a JSON string, which has only the characters of UTF-8: other bytes become question
 * marks. */
static void print_string(FILE *out, const char *text)
{
  fputc('"', out);
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    unsigned length = sequence_length(at);
    if (!length)
      fputc('?', out);
    else if (*at < ' ')
      fprintf(out, "\\u%04x", *at);
    else
      fprintf(out, "%s%.*s", strchr("\"\\", *at) ? "\\" : "", (int)length, (const char *)at);
    at += length ? length : 1;
  }
  fputc('"', out);
}

/* The column in characters. */
static unsigned shown_column(const char *source, unsigned line, unsigned column)
{
  const char *text = source ? diag_find_line(source, line) : NULL;
  unsigned shown = column;
  for (unsigned i = 0; text && i + 1 < column && text[i] && text[i] != '\n'; i++)
    shown -= continues(text[i]);
  return shown;
}

static void print_range(FILE *out, const struct diag_range *range, const struct diag_place *place)
{
  fprintf(out, "[%u,%u,%u,%u,%u,%u]", range->line, range->column, range->end_line,
          range->end_column, shown_column(place->source, range->line, range->column),
          shown_column(place->source, range->end_line, range->end_column));
}

void diag_print_record(FILE *out, const struct diag_message *message, enum diag_severity severity)
{
  const struct diag_place *place = &message->place;
  const char *kind = diag_kind_of(message->id);
  fprintf(out, "{\"kind\":\"%s\",\"code\":\"%s\",\"message\":", severity_names[severity],
          diag_code(message->id));
  print_string(out, message->text);
  if (kind)
    fprintf(out, ",\"option\":\"%s%s\"",
            diag_severity_of(message->id) == DIAG_REMARK ? "-Rmesi=" : "-Wmesi-", kind);
  else if (message->option && *message->option)
    fputs(",\"option\":", out), print_string(out, message->option);
  if (place->file) {
    fputs(",\"file\":", out);
    print_string(out, place->file);
  }
  if (place->file && place->line)
    fprintf(out, ",\"line\":%u,\"column\":%u,\"shown\":%u", place->line, place->column,
            shown_column(place->source, place->line, place->column));
  for (unsigned i = 0; i < message->range_count; i++) {
    fputs(i ? "," : ",\"ranges\":[", out);
    print_range(out, &message->ranges[i], place);
  }
  if (message->range_count) fputc(']', out);
  for (unsigned i = 0; i < message->fix_count; i++) {
    fputs(i ? ",[" : ",\"fixes\":[[", out);
    print_range(out, &message->fixes[i].range, place);
    fputc(',', out);
    print_string(out, message->fixes[i].text);
    fputc(']', out);
  }
  fprintf(out, "%s}\n", message->fix_count ? "]" : "");
}
