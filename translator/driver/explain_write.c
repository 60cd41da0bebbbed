/* SPDX-License-Identifier: MIT */
/* explain_write.c - --explain: writes the explanation, in the requested form, to its file.
 *
 *     --explain                     text, to standard error
 *     --explain=json prog.mcu       prog.explain.json, beside the output
 *     --explain=html                prog.explain.html
 *     --explain-file=FILE           FILE; - is standard output
 */
#include "translator/driver/explain_write.h"

#include <errno.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/explain_html.h"
#include "translator/driver/explain_json.h"
#include "translator/driver/explain_text.h"

const char *explain_file_name(struct arena *arena, enum explain_form form, const char *base)
{
  const char *dot = strrchr(file_name(base), '.');
  return arena_format(arena, "%.*s.explain.%s", dot ? (int)(dot - base) : (int)strlen(base), base,
                      form == EXPLAIN_JSON ? "json" : "html");
}

static const char *file_of(struct arena *arena, const struct options *options, const char *output)
{
  if (options->explain_file) return options->explain_file;
  if (options->explain == EXPLAIN_TEXT) return NULL;
  return explain_file_name(arena, options->explain,
                           strcmp(output, "-")           ? output
                           : strcmp(options->input, "-") ? options->input
                                                         : "stdin");
}

const char *explain_output(struct arena *arena, const struct options *options, const char *output)
{
  return options->explain == EXPLAIN_NONE ? NULL : file_of(arena, options, output);
}

static bool print(const struct explained_program *program, enum explain_form form, struct text *out)
{
  switch (form) {
  case EXPLAIN_TEXT: explain_text(program, out); return true;
  case EXPLAIN_JSON: return explain_json(program, out);
  case EXPLAIN_HTML: explain_html(program, out); return true;
  case EXPLAIN_NONE: break;
  }
  return false;
}

int explain_write(struct arena *arena, const struct options *options, const struct plan *plan,
                  const struct emitted_output *emitted, const char *output, struct diag *diag)
{
  if (options->explain == EXPLAIN_NONE || !plan->explanation) return 0;
  struct explained_program program = {.arena = arena,
                                      .plan = plan,
                                      .explanation = plan->explanation,
                                      .measured = options->measured,
                                      .measured_count = options->measured_count,
                                      .printed = emitted->printed,
                                      .emitted = emitted->text};
  const char *path = file_of(arena, options, output);
  struct text text = {0};
  int failed = print(&program, options->explain, &text) ? 0 : -1;
  if (!failed && !path)
    fputs(text_string(&text), diag->out);
  else if (!failed)
    failed = file_write(path, text_string(&text), text.length);
  text_finish(&text);
  if (!failed) return 0;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return -1;
}
