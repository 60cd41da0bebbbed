/* SPDX-License-Identifier: MIT */
/* messages.c - the forms of messages: a table of functions that write the records when mesicc ends.
 *
 * Messages come from several processes (sandbox.c). In a form other than text they are lines of
 * JSON in a temporary file that all of them write. Here these become one document:
 *
 *     json   [{"kind": "error", "message": ..., "locations": [...], "children": [notes]}, ...],
 *            as gcc's -fdiagnostics-format=json
 *     sarif  SARIF 2.1.0: one run, a result for each message, the notes as related locations */
#include "translator/driver/messages.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/file.h"

/* ---- records ---- */

static json_t *get(const json_t *record, const char *key) { return json_object_get(record, key); }

static bool is_note(const json_t *record)
{
  return !strcmp(json_string_value(get(record, "kind")), "note");
}

static json_int_t number(const json_t *list, unsigned at)
{
  return json_integer_value(json_array_get(list, at));
}

/* The records of the file, each message with its notes in "notes". Owned by the caller. */
static json_t *read_records(FILE *file)
{
  json_t *all = json_array();
  rewind(file);
  for (;;) {
    json_t *record = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
    if (!record) return all;
    json_t *last = json_array_get(all, json_array_size(all) - 1);
    if (is_note(record) && last) {
      json_array_append_new(get(last, "notes"), record);
    } else {
      json_object_set_new(record, "notes", json_array());
      json_array_append_new(all, record);
    }
  }
}

/* ---- JSON, as gcc has it ---- */

static json_t *gcc_point(const json_t *record, json_int_t line, json_int_t column, json_int_t shown)
{
  return json_pack("{s:O, s:I, s:I, s:I, s:I}", "file", get(record, "file"), "line", line, "column",
                   column, "byte-column", column, "display-column", shown);
}

/* gcc's finish is the last byte; a record's is the byte after it. */
static json_t *gcc_finish(const json_t *record, const json_t *range)
{
  return gcc_point(record, number(range, 2), number(range, 3) - 1, number(range, 5) - 1);
}

static json_t *gcc_locations(const json_t *record)
{
  json_t *list = json_array(), *range;
  size_t i;
  if (!get(record, "line")) return list;
  json_t *caret = gcc_point(record, json_integer_value(get(record, "line")),
                            json_integer_value(get(record, "column")),
                            json_integer_value(get(record, "shown")));
  json_array_append_new(list, json_pack("{s:o}", "caret", caret));
  json_array_foreach(get(record, "ranges"), i, range)
  {
    json_t *start = gcc_point(record, number(range, 0), number(range, 1), number(range, 4));
    json_array_append_new(list, json_pack("{s:O, s:o, s:o}", "caret", start, "start", start,
                                          "finish", gcc_finish(record, range)));
  }
  return list;
}

static json_t *gcc_fixits(const json_t *record)
{
  json_t *list = json_array(), *fix;
  size_t i;
  json_array_foreach(get(record, "fixes"), i, fix)
  {
    const json_t *range = json_array_get(fix, 0);
    json_array_append_new(
        list,
        json_pack("{s:o, s:o, s:O}", "start",
                  gcc_point(record, number(range, 0), number(range, 1), number(range, 4)), "next",
                  gcc_point(record, number(range, 2), number(range, 3), number(range, 5)), "string",
                  json_array_get(fix, 1)));
  }
  return list;
}

static json_t *gcc_message(const json_t *record)
{
  json_t *children = json_array(), *note;
  size_t i;
  json_array_foreach(get(record, "notes"), i, note)
      json_array_append_new(children, gcc_message(note));
  json_t *made =
      json_pack("{s:O, s:O, s:O, s:o, s:o, s:o}", "kind", get(record, "kind"), "code",
                get(record, "code"), "message", get(record, "message"), "locations",
                gcc_locations(record), "fixits", gcc_fixits(record), "children", children);
  if (get(record, "option")) json_object_set(made, "option", get(record, "option"));
  if (!get(record, "line") && get(record, "file"))
    json_object_set(made, "file", get(record, "file"));
  return made;
}

static json_t *make_json(const json_t *records)
{
  json_t *list = json_array(), *record;
  size_t i;
  json_array_foreach(records, i, record) json_array_append_new(list, gcc_message(record));
  return list;
}

/* ---- SARIF ---- */

static json_t *region_of(const json_t *range)
{
  return json_pack("{s:I, s:I, s:I, s:I}", "startLine", number(range, 0), "startColumn",
                   number(range, 4), "endLine", number(range, 2), "endColumn", number(range, 5));
}

static json_t *sarif_place(const json_t *record, json_t *region)
{
  json_t *physical = json_pack("{s:{s:O}}", "artifactLocation", "uri", get(record, "file"));
  if (region) json_object_set_new(physical, "region", region);
  return physical;
}

static json_t *sarif_location(const json_t *record, bool with_text)
{
  json_t *region = NULL, *location, *notes = json_array(), *range;
  size_t i;
  if (get(record, "line"))
    region = json_pack("{s:O, s:O}", "startLine", get(record, "line"), "startColumn",
                       get(record, "shown"));
  location = json_pack("{s:o}", "physicalLocation", sarif_place(record, region));
  json_array_foreach(get(record, "ranges"), i, range)
      json_array_append_new(notes, region_of(range));
  if (json_array_size(notes)) json_object_set(location, "annotations", notes);
  json_decref(notes);
  if (with_text)
    json_object_set_new(location, "message", json_pack("{s:O}", "text", get(record, "message")));
  return location;
}

static json_t *sarif_fixes(const json_t *record)
{
  json_t *list = json_array(), *fix;
  size_t i;
  json_array_foreach(get(record, "fixes"), i, fix) json_array_append_new(
      list, json_pack("{s:[{s:{s:O}, s:[{s:o, s:{s:O}}]}]}", "artifactChanges", "artifactLocation",
                      "uri", get(record, "file"), "replacements", "deletedRegion",
                      region_of(json_array_get(fix, 0)), "insertedContent", "text",
                      json_array_get(fix, 1)));
  return list;
}

static json_t *sarif_result(const json_t *record)
{
  const char *kind = json_string_value(get(record, "kind"));
  json_t *related = json_array(), *note, *fixes = sarif_fixes(record);
  size_t i;
  json_array_foreach(get(record, "notes"), i, note) if (get(note, "file"))
      json_array_append_new(related, sarif_location(note, true));
  json_t *made = json_pack("{s:O, s:s, s:{s:O}, s:o}", "ruleId", get(record, "code"), "level",
                           strcmp(kind, "remark") ? kind : "note", "message", "text",
                           get(record, "message"), "relatedLocations", related);
  if (get(record, "file"))
    json_object_set_new(made, "locations", json_pack("[o]", sarif_location(record, false)));
  if (json_array_size(fixes)) json_object_set(made, "fixes", fixes);
  json_decref(fixes);
  return made;
}

static json_t *make_sarif(const json_t *records)
{
  json_t *results = json_array(), *record;
  size_t i;
  json_array_foreach(records, i, record) json_array_append_new(results, sarif_result(record));
  return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s}}, s:s, s:o}]}", "$schema",
                   "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/"
                   "sarif-schema-2.1.0.json",
                   "version", "2.1.0", "runs", "tool", "driver", "name", "mesicc", "version",
                   MESI_VERSION, "columnKind", "unicodeCodePoints", "results", results);
}

/* ---- the table ---- */

static const struct form {
  const char *name;
  json_t *(*make)(const json_t *records); /* NULL: messages are printed as they come */
} forms[] = {{"text", NULL}, {"json", make_json}, {"sarif", make_sarif}};

static const struct form *form_of(const struct options *options)
{
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
    if (options->message_form && !strcmp(options->message_form, forms[i].name)) return &forms[i];
  return &forms[0];
}

bool messages_is_form(const char *name)
{
  return form_of(&(struct options){.message_form = name}) != &forms[0] || !strcmp(name, "text");
}

/* https://no-color.org: set, and not empty */
static bool wants_color(void)
{
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(STDERR_FILENO) && !(none && *none) && !(terminal && !strcmp(terminal, "dumb"));
}

void messages_begin(struct diag *diag)
{
  diag->out = stderr;
  diag->color = wants_color();
  diag->error_limit = 20;
}

void messages_settle(struct diag *diag, const struct options *options)
{
  if (options->color) diag->color = options->color > 0;
  diag->error_limit = (unsigned)options->error_limit;
  diag->warning_words = options->warning_words.items;
  diag->warning_word_count = options->warning_words.count;
  diag->remarks = options->remarks;
  diag->remark_filter = options->remark_filter;
  FILE *records = form_of(options)->make ? tmpfile() : NULL;
  if (!records) return;
  diag->out = records;
  diag->records = true;
}

void messages_end(struct diag *diag, const struct options *options)
{
  if (!diag->records) return;
  json_t *records = read_records(diag->out), *made = form_of(options)->make(records);
  json_dumpf(made, stderr, JSON_INDENT(1));
  fputc('\n', stderr);
  json_decref(made);
  json_decref(records);
  fclose(diag->out);
  diag->out = stderr;
  diag->records = false;
}
