/* SPDX-License-Identifier: MIT */
/* tune_file.c - reads and writes the file of tuned plans.
 *
 * A text that does not fit the form is an error with its place. The planning judges the plans
 * (analysis/plan/tuned.c). */
#include "translator/driver/tune_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plan/tuned.h"
#include "translator/base/file.h"
#include "translator/driver/json_file.h"

enum { FORM = 1, LARGEST = 1 << 24 /* bytes */ };

const char *tune_file_name(struct arena *arena, const char *input)
{
  const char *dot = strrchr(file_name(input), '.');
  return arena_format(arena, "%.*s.tune", dot ? (int)(dot - input) : (int)strlen(input), input);
}

static int refuse(struct diag *diag, const char *path, const char *reason)
{
  diag_report(diag, DIAG_TUNE_FILE, &(struct diag_place){.file = path}, "%s", reason);
  return -1;
}

/* ---- reading ---- */

static void read_times(struct arena *arena, json_t *times, struct tune_entry *ret)
{
  const char *key;
  json_t *value;
  json_object_foreach(times, key, value)
  {
    if (json_is_number(value))
      *ARENA_PUSH(arena, &ret->times) =
          (struct tune_time){arena_string(arena, key), json_number_value(value)};
  }
}

static bool read_entry(struct arena *arena, json_t *from, struct tune_entry *ret)
{
  const char *kernel, *shape, *code, *gpu, *key;
  int arch, level;
  json_t *times = NULL;
  *ret = (struct tune_entry){0};
  if (json_unpack(from, "{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s?o}", "kernel", &kernel, "shape",
                  &shape, "code", &code, "gpu", &gpu, "arch", &arch, "level", &level, "plan", &key,
                  "times", &times) ||
      level < PLAN_O0 || level > PLAN_O3 || arch < 0)
    return false;
  ret->plan = (struct tuned_plan){.kernel = arena_string(arena, kernel),
                                  .shape = arena_string(arena, shape),
                                  .code = arena_string(arena, code),
                                  .key = arena_string(arena, key),
                                  .level = (enum plan_level)level,
                                  .arch = (unsigned)arch};
  ret->gpu = arena_string(arena, gpu);
  if (times && !json_is_object(times)) return false;
  read_times(arena, times, ret);
  return true;
}

static int read_entries(struct arena *arena, const char *path, json_t *root, struct diag *diag,
                        struct tune_file *ret)
{
  json_t *form = json_object_get(root, "mesi_tune"), *plans = json_object_get(root, "plans");
  if (!json_is_integer(form)) return refuse(diag, path, "it is no file of tuned plans");
  if (json_integer_value(form) != FORM)
    return refuse(diag, path,
                  arena_format(arena, "its form is %lld, and this mesicc reads %d: tune again",
                               (long long)json_integer_value(form), FORM));
  if (!json_is_array(plans)) return refuse(diag, path, "it has no list of plans");
  for (size_t i = 0; i < json_array_size(plans); i++)
    if (!read_entry(arena, json_array_get(plans, i), ARENA_PUSH(arena, &ret->entries)))
      return refuse(
          diag, path,
          arena_format(arena, "plan %zu of it lacks something, or has something of the wrong kind",
                       i + 1));
  return 0;
}

int tune_file_read(struct arena *arena, const char *path, bool must, struct diag *diag,
                   struct tune_file *ret)
{
  const char *text;
  size_t length;
  *ret = (struct tune_file){{0}};
  enum file_status status = file_read(arena, path, &text, &length);
  if (status == FILE_MISSING && !must) return 0;
  if (status != FILE_OK) return refuse(diag, path, file_status_text(status));
  if (length > LARGEST) return refuse(diag, path, "it is too large");
  json_t *root = json_file_parse(path, text, length, DIAG_TUNE_FILE, diag);
  if (!root) return -1;
  int result = read_entries(arena, path, root, diag, ret);
  json_decref(root);
  return result;
}

/* ---- writing ---- */

static json_t *entry_of(const struct tune_entry *entry)
{
  json_t *times = json_object();
  for (unsigned i = 0; i < entry->times.count; i++)
    json_object_set_new(times, entry->times.items[i].key,
                        json_real(entry->times.items[i].milliseconds));
  return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:o}", "kernel", entry->plan.kernel,
                   "shape", entry->plan.shape, "code", entry->plan.code, "gpu", entry->gpu, "arch",
                   (int)entry->plan.arch, "level", (int)entry->plan.level, "plan", entry->plan.key,
                   "times", times);
}

int tune_file_write(struct arena *arena, const char *path, const struct tune_file *file,
                    struct diag *diag)
{
  json_t *plans = json_array();
  for (unsigned i = 0; i < file->entries.count; i++)
    json_array_append_new(plans, entry_of(&file->entries.items[i]));
  json_t *root = json_pack("{s:i, s:o}", "mesi_tune", FORM, "plans", plans);
  char *text =
      root ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) : NULL;
  json_decref(root);
  const char *line = text ? arena_format(arena, "%s\n", text) : NULL;
  free(text);
  if (line && !file_write(path, line, strlen(line))) return 0;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return -1;
}

static bool same_case(const struct tune_entry *a, const struct tune_entry *b)
{
  return !strcmp(a->plan.kernel, b->plan.kernel) && !strcmp(a->plan.shape, b->plan.shape) &&
         !strcmp(a->plan.code, b->plan.code) && !strcmp(a->gpu, b->gpu) &&
         a->plan.arch == b->plan.arch && a->plan.level == b->plan.level;
}

void tune_file_add(struct arena *arena, struct tune_file *file, const struct tune_entry *entry)
{
  struct tune_file kept = {{0}};
  *ARENA_PUSH(arena, &kept.entries) = *entry;
  for (unsigned i = 0; i < file->entries.count; i++)
    if (!same_case(&file->entries.items[i], entry))
      *ARENA_PUSH(arena, &kept.entries) = file->entries.items[i];
  *file = kept;
}

/* ---- for a translation ---- */

int tune_file_apply(struct arena *arena, struct options *options, struct diag *diag)
{
  struct tune_file file;
  if (!options->tuned_file) return 0;
  if (tune_file_read(arena, options->tuned_file, true, diag, &file)) return -1;
  struct tuned_plan *plans = arena_alloc(arena, (file.entries.count + 1) * sizeof *plans);
  struct {
    LIST_OF(struct measured_time) items;
  } times = {{0}};
  for (unsigned i = 0; i < file.entries.count; i++) {
    const struct tune_entry *entry = &file.entries.items[i];
    plans[i] = entry->plan;
    for (unsigned k = 0; k < entry->times.count; k++)
      *ARENA_PUSH(arena, &times.items) =
          (struct measured_time){.kernel = entry->plan.kernel,
                                 .shape = entry->plan.shape,
                                 .code = entry->plan.code,
                                 .plan = entry->times.items[k].key,
                                 .where = entry->gpu,
                                 .milliseconds = entry->times.items[k].milliseconds};
  }
  options->tuned = plans;
  options->tuned_count = file.entries.count;
  options->measured = times.items.items;
  options->measured_count = times.items.count;
  return 0;
}
