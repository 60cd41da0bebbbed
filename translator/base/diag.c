/* SPDX-License-Identifier: MIT */
/* diag.c - the choice of messages to print, and their severities. */
#include "translator/base/diag.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  unsigned code;
  enum diag_severity severity;
  const char *kind; /* of a remark: -Rmesi=KIND, of a warning: -Wmesi-KIND; NULL: it has none */
} registry[DIAG_COUNT] = {
#define DIAG(id, code, severity, title) {code, DIAG_##severity, NULL},
#define REMARK(id, code, kind, title) {code, DIAG_REMARK, kind},
#define WARNING(id, code, kind, title) {code, DIAG_WARNING, kind},
#include "translator/base/diag.def"
#undef WARNING
#undef REMARK
#undef DIAG
};

const char *diag_code(enum diag_id id)
{
  static char text[16];
  snprintf(text, sizeof text, "M%u", registry[id].code);
  return text;
}

enum diag_severity diag_severity_of(enum diag_id id) { return registry[id].severity; }

const char *diag_kind_of(enum diag_id id) { return registry[id].kind; }

static bool filter_has(const char *filter, const char *kind)
{
  size_t length = strlen(kind);
  for (const char *word = filter; word; word = strchr(word, ',')) {
    if (*word == ',') word++;
    if (!strncmp(word, kind, length) && (word[length] == ',' || !word[length])) return true;
  }
  return false;
}

const char *diag_earlier_kind(const char *kind)
{
  return !strcmp(kind, "privatize") ? "private" : NULL;
}

static bool filter_names(const char *filter, const char *kind)
{
  const char *earlier = diag_earlier_kind(kind);
  return filter_has(filter, kind) || (earlier && filter_has(filter, earlier));
}

/* ---- -W words ---- */

/* The rest of the word after `start` and "mesi": "", or "-KIND"; NULL: it is another word. */
static const char *behind(const char *word, const char *start)
{
  size_t length = strlen(start);
  if (strncmp(word, start, length) || strncmp(word + length, "mesi", 4)) return NULL;
  return word + length + 4;
}

static bool names(const char *rest, const char *kind)
{
  return rest && (!*rest || (*rest == '-' && !strcmp(rest + 1, kind)));
}

bool diag_is_own_word(const char *word)
{
  static const char *const starts[] = {"-W", "-Wno-", "-Werror=", "-Wno-error="};
  for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
    const char *rest = behind(word, starts[i]);
    for (unsigned k = 0; rest && k < DIAG_COUNT; k++)
      if (registry[k].severity == DIAG_WARNING && registry[k].kind && names(rest, registry[k].kind))
        return true;
  }
  return false;
}

/* NOTE: the warning is off. */
static enum diag_severity severity_of_warning(const struct diag *diag, const char *kind)
{
  bool wanted = true, error = false;
  for (unsigned i = 0; i < diag->warning_word_count; i++) {
    const char *word = diag->warning_words[i];
    if (!strcmp(word, "-w")) return DIAG_NOTE;
    if (!strcmp(word, "-Werror")) error = true;
    if (names(behind(word, "-W"), kind)) wanted = true;
    if (names(behind(word, "-Wno-"), kind)) wanted = false;
    if (names(behind(word, "-Werror="), kind)) wanted = error = true;
    if (names(behind(word, "-Wno-error="), kind)) error = false;
  }
  return !wanted ? DIAG_NOTE : error ? DIAG_ERROR : DIAG_WARNING;
}

/* ---- reports ---- */

void diag_tell(struct diag *diag, const struct diag_message *message)
{
  enum diag_severity severity = registry[message->id].severity;
  const char *kind = registry[message->id].kind;
  if (severity == DIAG_REMARK) {
    if (!diag->remarks) return;
    if (diag->remark_filter && !filter_names(diag->remark_filter, kind)) return;
  } else if (severity == DIAG_WARNING && kind) {
    severity = severity_of_warning(diag, kind);
    if (severity == DIAG_NOTE) return;
  }
  int status = (int)(registry[message->id].code / 1000); /* M1xxx, M2xxx, M3xxx */
  diag->error_count += severity == DIAG_ERROR;
  if (severity == DIAG_ERROR && status > diag->worst_status) diag->worst_status = status;
  diag->warning_count += severity == DIAG_WARNING;
  if (!diag->out) return;
  if (diag->records)
    diag_print_record(diag->out, message, severity);
  else {
    if (diag->line && *diag->line) fputs("\r\33[K", diag->out), *diag->line = false;
    diag_print_text(diag->out, message, severity, diag->color);
  }
}

void diag_vreport(struct diag *diag, enum diag_id id, const struct diag_place *place,
                  const char *format, va_list arguments)
{
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (stream) {
    vfprintf(stream, format, arguments);
    fclose(stream);
  }
  struct diag_message message = {.id = id, .text = text ? text : format};
  if (place) message.place = *place;
  diag_tell(diag, &message);
  free(text);
}

void diag_report(struct diag *diag, enum diag_id id, const struct diag_place *place,
                 const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  diag_vreport(diag, id, place, format, arguments);
  va_end(arguments);
}
