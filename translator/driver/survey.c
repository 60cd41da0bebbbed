/* SPDX-License-Identifier: MIT */
/* survey.c - mesicc survey: translates every unit of a tree and tells what becomes of it.
 *
 *     files and folders -> units -> for each: a child as for a translation, its explanation and
 *         diagnostics in temporary files -> rows -> table or JSON
 *
 * A unit that is refused, crashes or reaches a limit is one row.
 */
#define _GNU_SOURCE
#include "translator/driver/survey.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/progress.h"
#include "translator/driver/sandbox.h"
#include "translator/driver/survey_report.h"
#include "translator/driver/survey_rows.h"

enum { FOLDERS_DEEP = 64 };

struct surveying {
  struct arena *arena;
  const struct options *options;
  struct diag *diag;
  const char *folder; /* temporary */
  struct survey survey;
};

/* ---- which units ---- */

static bool is_unit(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".mcu"));
}

static void add_unit(struct surveying *s, const char *path)
{
  *ARENA_PUSH(s->arena, &s->survey.units) = (struct survey_unit){.path = path};
}

static int add_folder(struct surveying *s, const char *folder, unsigned depth);

static int add_entry(struct surveying *s, const char *path, const char *name, unsigned depth)
{
  struct stat info;
  if (lstat(path, &info) || name[0] == '.') return 0;
  if (S_ISDIR(info.st_mode)) return add_folder(s, path, depth + 1);
  if (is_unit(name) && !stat(path, &info) && S_ISREG(info.st_mode)) add_unit(s, path);
  return 0;
}

/* In the order of names, so that two surveys compare. Links to folders are not followed. */
static int add_folder(struct surveying *s, const char *folder, unsigned depth)
{
  struct dirent **entries;
  int count = depth < FOLDERS_DEEP ? scandir(folder, &entries, NULL, alphasort) : 0;
  if (count < 0) {
    diag_report(s->diag, DIAG_INPUT, &(struct diag_place){.file = folder}, "%s", strerror(errno));
    return -1;
  }
  int failed = 0;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    if (!failed) failed = add_entry(s, arena_format(s->arena, "%s/%s", folder, name), name, depth);
    free(entries[i]);
  }
  if (depth < FOLDERS_DEEP) free(entries);
  return failed;
}

static int find_units(struct surveying *s)
{
  for (unsigned i = 0; i < s->options->inputs.count; i++) {
    const char *input = s->options->inputs.items[i];
    struct stat info;
    bool folder = !stat(input, &info) && S_ISDIR(info.st_mode);
    if (folder && add_folder(s, input, 0)) return -1;
    if (!folder) add_unit(s, input);
  }
  if (s->survey.units.count) return 0;
  diag_report(s->diag, DIAG_INPUT, &(struct diag_place){.file = s->options->input},
              "there is no .cu or .mcu file in it");
  return -1;
}

/* ---- a unit ---- */

static struct options options_of(const struct surveying *s, const struct survey_unit *unit,
                                 const char *json)
{
  struct options options = *s->options;
  options.verb = VERB_TRANSLATE;
  options.input = unit->path;
  options.output = "/dev/null";
  options.explain = EXPLAIN_JSON;
  options.explain_file = json;
  options.depfile = false;
  options.remarks = false;
  options.dep_file = options.fragment = options.types_file = NULL;
  return options;
}

/* The first line of the diagnostics that is an error. */
static void read_error(struct surveying *s, const char *path, struct survey_unit *unit)
{
  const char *text, *mark = NULL;
  size_t length;
  if (file_read(s->arena, path, &text, &length) == FILE_OK) mark = strstr(text, ": error[");
  unit->code = diag_code(DIAG_INTERNAL);
  unit->message = "the translation ended without a diagnostic";
  if (!mark) return;
  const char *line = mark, *code = mark + strlen(": error[");
  while (line > text && line[-1] != '\n') line--;
  unit->code = arena_copy(s->arena, code, strcspn(code, "]\n"));
  unit->message = arena_copy(s->arena, line, strcspn(line, "\n"));
}

static void read_explanation(struct surveying *s, const char *path, struct survey_unit *unit)
{
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  if (root) survey_add_kernels(s->arena, root, unit);
  json_decref(root);
}

/* Processor time of all translations so far: other programs of a busy machine do not count. */
static double seconds_used(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* With the options of the database, if one is named and has the unit. */
static int translate(struct surveying *s, const struct options *wanted, struct diag *diag)
{
  struct options options = *wanted;
  if (options.database && options_read_database(s->arena, diag, &options)) return STATUS_USAGE;
  return sandbox_translate(&options, diag);
}

static int survey_unit(struct surveying *s, struct survey_unit *unit)
{
  const char *json = arena_format(s->arena, "%s/explain.json", s->folder),
             *messages = arena_format(s->arena, "%s/messages", s->folder);
  struct options options = options_of(s, unit, json);
  struct diag diag = {.out = fopen(messages, "w")};
  if (!diag.out) {
    diag_report(s->diag, DIAG_OUTPUT, &(struct diag_place){.file = messages}, "cannot write: %s",
                strerror(errno));
    return STATUS_USAGE;
  }
  unlink(json);
  double begin = seconds_used();
  unit->status = translate(s, &options, &diag);
  unit->seconds = seconds_used() - begin;
  fclose(diag.out);
  if (unit->status)
    read_error(s, messages, unit);
  else
    read_explanation(s, json, unit);
  unlink(json);
  unlink(messages);
  return SEEDED(SURVEY_ENDS) ? unit->status : process_interrupted();
}

/* ---- all ---- */

static int survey_units(struct surveying *s)
{
  int status = 0;
  for (unsigned i = 0; i < s->survey.units.count && !status; i++) {
    progress_show("reading", s->survey.units.items[i].path, i + 1, s->survey.units.count);
    status = survey_unit(s, &s->survey.units.items[i]);
  }
  progress_clear();
  return status;
}

static int print(const struct surveying *s)
{
  bool printed = s->options->json ? survey_print_json(s->arena, &s->survey)
                                  : survey_print_table(s->arena, &s->survey);
  if (printed && !fflush(stdout)) return STATUS_FINE;
  diag_report(s->diag, DIAG_OUTPUT, &(struct diag_place){.file = "<stdout>"}, "cannot write: %s",
              strerror(errno));
  return STATUS_USAGE;
}

int survey_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct surveying s = {.arena = arena, .options = options, .diag = diag};
  const char *base = getenv("TMPDIR");
  char *folder = arena_format(arena, "%s/mesicc-XXXXXX", base && *base ? base : "/tmp");
  if (find_units(&s)) return STATUS_USAGE;
  s.folder = mkdtemp(folder);
  if (!s.folder) {
    diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = folder}, "cannot make it: %s",
                strerror(errno));
    return STATUS_USAGE;
  }
  int status = survey_units(&s);
  rmdir(s.folder);
  return status ? status : print(&s);
}
