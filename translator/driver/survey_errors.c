/* SPDX-License-Identifier: MIT */
/* survey_errors.c - the messages of a unit that is not taken.
 *
 *     main.cu:3:10: error[M2001]: 'sizes.h' file not found
 *     main.cu:9:5: error[M2001]: use of undeclared identifier 'cudaThreadSynchronize'
 *
 * The row has the first error. An exception is an error that names something that CUDA 13 has
 * removed (survey_removed.def): it shows that nvcc refuses the unit, too.
 */
#include "translator/driver/survey_errors.h"

#include <string.h>

#include "runtime/seeded.h"

#define ERROR_MARK ": error["
#define MISSING " file not found"

static const char *const removed[] = {
#define REMOVED(words) words,
#include "translator/driver/survey_removed.def"
};

static const char *const fate_names[FATE_COUNT] = {
    [FATE_TAKEN] = "taken",
    [FATE_REFUSED] = "refused",
    [FATE_TOOLKIT] = "not for this toolkit",
    [FATE_HEADER] = "header not found",
};

const char *survey_fate_name(enum survey_fate fate) { return fate_names[fate]; }

/* The first error from `text` on; NULL: none. *ret_code: the text after the bracket. */
static const char *next_error(struct arena *arena, const char *text, const char **ret_code)
{
  const char *mark = strstr(text, ERROR_MARK), *line = mark;
  if (!mark) return NULL;
  while (line > text && line[-1] != '\n') line--;
  *ret_code = mark + strlen(ERROR_MARK);
  return arena_copy(arena, line, strcspn(line, "\n"));
}

/* The file of a message: the text before the line and the column. */
static const char *file_of(struct arena *arena, const char *message)
{
  const char *end = strstr(message, ERROR_MARK);
  for (unsigned i = 0; i < 2; i++) {
    const char *colon = end;
    while (colon > message && *--colon != ':' && *colon >= '0' && *colon <= '9')
      ;
    if (colon > message && *colon == ':') end = colon;
  }
  return arena_copy(arena, message, (size_t)(end - message));
}

const char *survey_missing_header(struct arena *arena, const char *messages,
                                  const char **ret_includer)
{
  const char *code, *error = next_error(arena, messages, &code);
  const char *end = error ? strstr(error, "'" MISSING) : NULL, *begin = end;
  if (!end) return NULL;
  while (begin > error && begin[-1] != '\'') begin--;
  *ret_includer = file_of(arena, error);
  return arena_copy(arena, begin, (size_t)(end - begin));
}

static bool names_removed(const char *error)
{
  for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
    if (strstr(error, removed[i])) return !SEEDED(SURVEY_REMOVED_REFUSED);
  return false;
}

static void keep(struct arena *arena, struct survey_unit *unit, enum survey_fate fate,
                 const char *error, const char *code)
{
  unit->fate = fate;
  unit->code = arena_copy(arena, code, strcspn(code, "]\n"));
  unit->message = error;
}

void survey_add_error(struct arena *arena, const char *messages, struct survey_unit *unit)
{
  const char *code, *error, *rest = messages;
  keep(arena, unit, FATE_REFUSED, "the translation ended without a diagnostic",
       diag_code(DIAG_INTERNAL));
  for (bool first = true; (error = next_error(arena, rest, &code)); first = false, rest = code) {
    if (first)
      keep(arena, unit, strstr(error, "'" MISSING) ? FATE_HEADER : FATE_REFUSED, error, code);
    if (!names_removed(error)) continue;
    keep(arena, unit, FATE_TOOLKIT, error, code);
    return;
  }
}
