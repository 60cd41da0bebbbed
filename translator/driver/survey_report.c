/* SPDX-License-Identifier: MIT */
/* survey_report.c - a survey as a table and as JSON.
 *
 *     unit or kernel           launches  changed  gain  how, or why not
 *     nn/nn.cu                                          taken, 0.31 s
 *       euclid                        1        0        nothing to gain: its threads ...
 *     ...
 *     units: 20, taken 19; kernels: 31, changed 12 (39%), predicted gain 2.10
 *     why kernels are kept:
 *          7  aliasing: '...' may overlap it, and one of them is written
 */
#include "translator/driver/survey_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "translator/driver/explain_words.h"
#include "translator/driver/survey_errors.h"

enum { MOST_REASONS = 20, NAME_WIDTH = 40 };

struct reason { /* equal reasons of a survey */
  const char *form;
  enum survey_class class;
  unsigned count;
};

struct totals {
  unsigned fates[FATE_COUNT], kernels, launched, changed;
  double seconds, gain; /* GAIN: geometric mean over changed kernels with a prediction; 0: none */
  LIST_OF(struct reason) reasons; /* most frequent first */
};

/* ---- totals ---- */

static void count_reason(struct arena *arena, struct totals *totals,
                         const struct survey_kernel *kernel)
{
  const char *form = survey_reason_form(arena, kernel->why);
  for (unsigned i = 0; i < totals->reasons.count; i++) {
    struct reason *known = &totals->reasons.items[i];
    if (known->class == kernel->why_class && !strcmp(known->form, form)) {
      known->count++;
      return;
    }
  }
  *ARENA_PUSH(arena, &totals->reasons) = (struct reason){form, kernel->why_class, 1};
}

static int by_count(const void *a, const void *b)
{
  const struct reason *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return strcmp(x->form, y->form);
}

static void count_all(struct arena *arena, const struct survey *survey, struct totals *totals)
{
  double sum = 0;
  unsigned predicted = 0;
  for (unsigned i = 0; i < survey->units.count; i++) {
    const struct survey_unit *unit = &survey->units.items[i];
    totals->fates[unit->fate]++;
    totals->seconds += unit->seconds;
    for (unsigned k = 0; k < unit->kernels.count; k++) {
      const struct survey_kernel *kernel = &unit->kernels.items[k];
      totals->kernels++;
      totals->launched += kernel->launches > 0;
      totals->changed += kernel->changed > 0;
      if (kernel->changed && kernel->gain > 0) sum += log(kernel->gain), predicted++;
      if (!kernel->changed && kernel->why) count_reason(arena, totals, kernel);
    }
  }
  totals->gain = predicted ? exp(sum / predicted) : 0;
  if (totals->reasons.count)
    qsort(totals->reasons.items, totals->reasons.count, sizeof *totals->reasons.items, by_count);
}

/* ---- the table ---- */

static const char *joined(struct arena *arena, const struct string_list *words)
{
  const char *text = "";
  for (unsigned i = 0; i < words->count; i++)
    text = arena_format(arena, "%s%s%s", text, i ? ", " : "", words->items[i]);
  return text;
}

/* "aliasing: 'b' may overlap it" */
static const char *reason_text(struct arena *arena, enum survey_class class, const char *reason)
{
  return arena_format(arena, "%s: %s", survey_class_name(class), reason);
}

static void print_kernel(struct arena *arena, const struct survey_kernel *kernel)
{
  char gain[16] = "";
  if (kernel->changed && kernel->gain > 0) snprintf(gain, sizeof gain, "%.2f", kernel->gain);
  const char *what = kernel->changed ? joined(arena, &kernel->how)
                     : kernel->why   ? reason_text(arena, kernel->why_class, kernel->why)
                                     : "";
  printf("  %-*s %8u %8u %6s  %s\n", NAME_WIDTH - 2, words_clean(arena, kernel->name),
         kernel->launches, kernel->changed, gain, what);
}

static void print_unit(struct arena *arena, const struct survey_unit *unit)
{
  const char *path = words_clean(arena, unit->path);
  if (unit->code)
    printf("%s: %s, %.2f s: %s\n", path,
           unit->fate == FATE_REFUSED ? "not taken" : survey_fate_name(unit->fate), unit->seconds,
           words_clean(arena, unit->message));
  else
    printf("%s: taken, %.2f s\n", path, unit->seconds);
  for (unsigned i = 0; i < unit->kernels.count; i++) print_kernel(arena, &unit->kernels.items[i]);
}

static void print_units(const struct survey *survey, const struct totals *totals)
{
  printf("\nunits: %u, taken %u", survey->units.count, totals->fates[FATE_TAKEN]);
  for (unsigned fate = FATE_TOOLKIT; fate < FATE_COUNT; fate++)
    if (totals->fates[fate])
      printf(", %s %u", survey_fate_name((enum survey_fate)fate), totals->fates[fate]);
  printf(", %.1f s of processor time\n", totals->seconds);
  if (survey->parts.count)
    printf("files that units include, counted as their parts: %u\n", survey->parts.count);
}

static void print_totals(struct arena *arena, const struct survey *survey,
                         const struct totals *totals)
{
  print_units(survey, totals);
  printf("kernels: %u, launched in their unit %u, changed %u", totals->kernels, totals->launched,
         totals->changed);
  if (totals->launched) printf(" (%.0f%% of those)", 100.0 * totals->changed / totals->launched);
  if (totals->gain > 0) printf(", predicted gain %.2f", totals->gain);
  printf("\n");
  if (totals->reasons.count) printf("why kernels are kept:\n");
  for (unsigned i = 0; i < totals->reasons.count && i < MOST_REASONS; i++) {
    const struct reason *reason = &totals->reasons.items[i];
    const char *advice = survey_class_advice(reason->class);
    printf("%6u  %s%s%s\n", reason->count, reason_text(arena, reason->class, reason->form),
           *advice ? "; " : "", advice);
  }
}

bool survey_print_table(struct arena *arena, const struct survey *survey)
{
  struct totals totals = {0};
  count_all(arena, survey, &totals);
  printf("%-*s %8s %8s %6s  %s\n", NAME_WIDTH, "unit or kernel", "launches", "changed", "gain",
         "how, or why not");
  for (unsigned i = 0; i < survey->units.count; i++) print_unit(arena, &survey->units.items[i]);
  print_totals(arena, survey, &totals);
  return !ferror(stdout);
}

/* ---- JSON ---- */

static json_t *string(struct arena *arena, const char *text)
{
  return text ? json_string(words_clean(arena, text)) : json_null();
}

static json_t *gain_json(double gain) { return gain > 0 ? json_real(gain) : json_null(); }

static json_t *kernel_json(struct arena *arena, const struct survey_kernel *kernel)
{
  json_t *how = json_array();
  bool changed = kernel->changed > 0, kept = !changed && kernel->why;
  const char *advice = kept ? survey_class_advice(kernel->why_class) : "";
  for (unsigned i = 0; changed && i < kernel->how.count; i++)
    json_array_append_new(how, string(arena, kernel->how.items[i]));
  return json_pack("{s:o, s:o, s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "name",
                   string(arena, kernel->name), "file", string(arena, kernel->file), "line",
                   (int)kernel->line, "launches", (int)kernel->launches, "changed_launches",
                   (int)kernel->changed, "changed", changed, "how", how, "class",
                   string(arena, kept ? survey_class_name(kernel->why_class) : NULL), "why",
                   string(arena, kept ? kernel->why : NULL), "advice",
                   string(arena, *advice ? advice : NULL), "gain",
                   gain_json(changed ? kernel->gain : 0));
}

static json_t *headers_json(struct arena *arena, const struct survey_unit *unit)
{
  json_t *headers = json_array();
  for (unsigned i = 0; i < unit->headers.count; i++)
    json_array_append_new(headers, json_pack("{s:o, s:o}", "name",
                                             string(arena, unit->headers.items[i].name), "folder",
                                             string(arena, unit->headers.items[i].folder)));
  return headers;
}

static json_t *parts_json(struct arena *arena, const struct survey *survey)
{
  json_t *parts = json_array();
  for (unsigned i = 0; i < survey->parts.count; i++)
    json_array_append_new(parts, json_pack("{s:o, s:o}", "file",
                                           string(arena, survey->parts.items[i].path), "unit",
                                           string(arena, survey->parts.items[i].unit)));
  return parts;
}

static json_t *unit_json(struct arena *arena, const struct survey_unit *unit)
{
  json_t *kernels = json_array();
  for (unsigned i = 0; i < unit->kernels.count; i++)
    json_array_append_new(kernels, kernel_json(arena, &unit->kernels.items[i]));
  return json_pack("{s:o, s:b, s:s, s:o, s:i, s:o, s:o, s:f, s:o}", "unit",
                   string(arena, unit->path), "taken", !unit->code, "fate",
                   survey_fate_name(unit->fate), "headers", headers_json(arena, unit), "status",
                   unit->status, "code", string(arena, unit->code), "message",
                   string(arena, unit->message), "seconds", unit->seconds, "kernels", kernels);
}

static json_t *totals_json(struct arena *arena, const struct survey *survey,
                           const struct totals *totals)
{
  json_t *reasons = json_array();
  for (unsigned i = 0; i < totals->reasons.count; i++) {
    const struct reason *reason = &totals->reasons.items[i];
    json_array_append_new(
        reasons, json_pack("{s:s, s:o, s:i}", "class", survey_class_name(reason->class), "why",
                           string(arena, reason->form), "kernels", (int)reason->count));
  }
  return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:f, s:o}", "units",
                   (int)survey->units.count, "taken", (int)totals->fates[FATE_TAKEN],
                   "not_for_this_toolkit", (int)totals->fates[FATE_TOOLKIT], "headers_not_found",
                   (int)totals->fates[FATE_HEADER], "parts", (int)survey->parts.count, "kernels",
                   (int)totals->kernels, "launched", (int)totals->launched, "changed",
                   (int)totals->changed, "gain", gain_json(totals->gain), "seconds",
                   totals->seconds, "kept", reasons);
}

bool survey_print_json(struct arena *arena, const struct survey *survey)
{
  struct totals totals = {0};
  json_t *units = json_array();
  count_all(arena, survey, &totals);
  for (unsigned i = 0; i < survey->units.count; i++)
    json_array_append_new(units, unit_json(arena, &survey->units.items[i]));
  json_t *root =
      json_pack("{s:i, s:o, s:o, s:o}", "version", 1, "totals", totals_json(arena, survey, &totals),
                "units", units, "parts", parts_json(arena, survey));
  bool printed = root && !json_dumpf(root, stdout,
                                     JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
  json_decref(root);
  return printed && putchar('\n') != EOF;
}
