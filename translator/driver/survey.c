/* SPDX-License-Identifier: MIT */
/* survey.c - mesicc survey: translates every unit of a tree and reports the results.
 *
 *     files and folders -> units -> for each: a child as for a translation, its explanation and
 *         diagnostics in temporary files -> rows -> table or JSON
 *
 * A unit that is refused, crashes or reaches a limit is one row. A unit that lacks a header which
 * is in the tree is translated again with its folder.
 */
#define _GNU_SOURCE
#include "translator/driver/survey.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/driver/pipeline.h"
#include "translator/driver/process.h"
#include "translator/driver/progress.h"
#include "translator/driver/sandbox.h"
#include "translator/driver/survey_report.h"
#include "translator/driver/survey_errors.h"
#include "translator/driver/survey_rows.h"
#include "translator/driver/survey_tree.h"

enum { MOST_HEADERS = 32 }; /* headers of a unit that are searched for */

struct surveying {
  struct arena *arena;
  const struct options *options;
  struct diag *diag;
  const char *folder; /* temporary */
  struct survey_tree tree;
  struct survey survey;
  struct name_map told; /* headers */
};

/* ---- the choice of units ---- */

/* The unit of a part: the file that includes it may be a part itself. */
static const char *unit_of(const struct tree_file *part)
{
  const struct tree_file *unit = part->part_of;
  while (unit->part_of) unit = unit->part_of;
  return unit->path;
}

static int find_units(struct surveying *s)
{
  if (survey_tree_read(s->arena, s->options, s->diag, &s->tree)) return -1;
  for (unsigned i = 0; i < s->tree.files.count; i++) {
    const struct tree_file *file = s->tree.files.items[i];
    if (file->unit && file->part_of)
      *ARENA_PUSH(s->arena, &s->survey.parts) = (struct survey_part){file->path, unit_of(file)};
    else if (file->unit)
      *ARENA_PUSH(s->arena, &s->survey.units) =
          (struct survey_unit){.path = file->path, .database = file->database};
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
  if (!options.database) options.database = unit->database;
  options.output = "/dev/null";
  options.explain = EXPLAIN_JSON;
  options.explain_file = json;
  options.depfile = false;
  options.remarks = false;
  options.dep_file = options.fragment = options.types_file = NULL;
  return options;
}

static void read_explanation(struct surveying *s, const char *path, struct survey_unit *unit)
{
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  if (root) survey_add_kernels(s->arena, root, unit);
  json_decref(root);
}

/* Processor time of all translations so far, which excludes other programs of a busy machine. */
static double seconds_used(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* Translates with the options of a database: the named one, or one of the tree that has the
 * unit. */
static int translate(struct surveying *s, struct options *options, struct diag *diag)
{
  if (options->database && options_read_database(s->arena, diag, options)) return STATUS_USAGE;
  return sandbox_translate(options, diag);
}

/* Adds a folder for a missing header, after all others, so that no other header of it is found
 * where the compiler has one of that name. */
static void add_headers(struct surveying *s, const struct survey_unit *unit,
                        struct options *options)
{
  const struct string_list given = options->clang_args;
  options->clang_args = (struct string_list){0};
  for (unsigned i = 0; i < given.count; i++)
    *ARENA_PUSH(s->arena, &options->clang_args) = given.items[i];
  for (unsigned i = 0; i < unit->headers.count; i++) {
    *ARENA_PUSH(s->arena, &options->clang_args) = "-idirafter";
    *ARENA_PUSH(s->arena, &options->clang_args) = unit->headers.items[i].folder;
  }
}

/* Reports each header and folder once. */
static void tell_header(struct surveying *s, const struct survey_header *header)
{
  const char *place = arena_format(s->arena, "%s/%s", header->folder, header->name);
  if (name_map_has(&s->told, place)) return;
  name_map_put(s->arena, &s->told, place, NULL);
  progress_clear();
  diag_report(s->diag, DIAG_HEADER_FOUND, NULL, "'%s' is read from '%s': no -I leads to it",
              header->name, header->folder);
}

/* Is a missing header in the tree? Then the unit is translated again with its folder. */
static bool finds_header(struct surveying *s, const char *text, struct survey_unit *unit)
{
  struct survey_header header;
  const char *includer = NULL, *name = survey_missing_header(s->arena, text, &includer);
  if (!name || unit->headers.count == MOST_HEADERS) return false;
  header = (struct survey_header){name, survey_tree_folder(&s->tree, includer, name)};
  for (unsigned i = 0; i < unit->headers.count && header.folder; i++)
    if (!strcmp(unit->headers.items[i].folder, header.folder)) return false;
  if (!header.folder) return false;
  *ARENA_PUSH(s->arena, &unit->headers) = header;
  tell_header(s, &header);
  return true;
}

/* Translates once, with the messages in a file. */
static int translate_once(struct surveying *s, struct survey_unit *unit, const char *json,
                          const char *messages)
{
  struct options options = options_of(s, unit, json);
  struct diag diag = {.out = fopen(messages, "w")};
  if (!diag.out) {
    diag_report(s->diag, DIAG_OUTPUT, &(struct diag_place){.file = messages},
                "the file cannot be written: %s", strerror(errno));
    return STATUS_USAGE;
  }
  add_headers(s, unit, &options);
  unlink(json);
  double begin = seconds_used();
  unit->status = translate(s, &options, &diag);
  unit->seconds = seconds_used() - begin;
  fclose(diag.out);
  return STATUS_FINE;
}

static int survey_unit(struct surveying *s, struct survey_unit *unit)
{
  const char *json = arena_format(s->arena, "%s/explain.json", s->folder),
             *messages = arena_format(s->arena, "%s/messages", s->folder), *text = "";
  size_t length;
  do {
    if (translate_once(s, unit, json, messages)) return STATUS_USAGE;
    if (file_read(s->arena, messages, &text, &length) != FILE_OK) text = "";
  } while (unit->status && !process_interrupted() && finds_header(s, text, unit));
  if (unit->status)
    survey_add_error(s->arena, text, unit);
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
  diag_report(s->diag, DIAG_OUTPUT, &(struct diag_place){.file = "<stdout>"},
              "the file cannot be written: %s", strerror(errno));
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
    diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = folder},
                "the folder cannot be made: %s", strerror(errno));
    return STATUS_USAGE;
  }
  int status = survey_units(&s);
  rmdir(s.folder);
  return status ? status : print(&s);
}
