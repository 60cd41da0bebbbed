/* SPDX-License-Identifier: MIT */
/* plot_read.c - charts of results in JSON.
 *
 *     { "mesi_compare": 1, "input", "macros": [ "N=1024" ], "target": "cuda",
 *       "levels": [ { "level", "kernels_ms", "transfers_ms", "run_ms", "result" } ] }
 *     { "mesi_tune": 1, "plans": [ { "kernel", "shape", "gpu", "times": { PLAN: ms } } ] }
 *     { "version": 1, "totals": { "kernels", "changed", "kept": [ { "class", "kernels" } ] } }
 *     { "mesi_bundle": 1, "gpu", "bytes_per_s", "flops",
 *       "cases": [ { "case", "level", "kernels_ms" } ],
 *       "benchmarks": [ { "case", "bytes", "flops", "O0": ms, ..., "peer": ms } ] }
 *     { "mesi_figure": 1, "kind": "bars", "title", "note", "x", "y", "groups": [...],
 *       "series": [ { "name", "x": [...], "y": [...] } ], "bytes_per_s", "flops" }
 *
 * Parts that are missing or have another type are not drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "translator/driver/plot.h"

enum { MOST_REASONS = 16 };

struct bars { /* a chart of bars under construction */
  struct arena *arena;
  struct {
    LIST_OF(const char *) items;
  } groups;
  const char *names[CHART_MOST_SERIES];
  unsigned series_count;
  struct {
    LIST_OF(double) items;
  } values[CHART_MOST_SERIES];
};

static const char *text_of(struct arena *arena, json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? arena_string(arena, text) : NULL;
}

static double number_of(json_t *object, const char *key)
{
  return json_number_value(json_object_get(object, key));
}

/* ---- bars ---- */

/* The index of the group; a new group is added at the end. */
static unsigned group_of(struct bars *bars, const char *name)
{
  for (unsigned i = 0; i < bars->groups.items.count; i++)
    if (!strcmp(bars->groups.items.items[i], name)) return i;
  *ARENA_PUSH(bars->arena, &bars->groups.items) = name;
  return bars->groups.items.count - 1;
}

static void add_value(struct bars *bars, const char *group, const char *series, double value)
{
  unsigned g = group_of(bars, group), s = 0;
  while (s < bars->series_count && strcmp(bars->names[s], series)) s++;
  if (s == CHART_MOST_SERIES) return;
  if (s == bars->series_count) bars->names[bars->series_count++] = series;
  while (bars->values[s].items.count <= g) *ARENA_PUSH(bars->arena, &bars->values[s].items) = 0;
  bars->values[s].items.items[g] = value;
}

static void add_bars(const struct bars *bars, struct chart chart, struct charts *ret)
{
  struct chart_series *series = arena_alloc(bars->arena, (bars->series_count + 1) * sizeof *series);
  for (unsigned i = 0; i < bars->series_count; i++)
    series[i] = (struct chart_series){bars->names[i], NULL, bars->values[i].items.items,
                                      bars->values[i].items.count};
  chart.kind = CHART_BARS;
  chart.groups = bars->groups.items.items;
  chart.group_count = bars->groups.items.count;
  chart.series = series;
  chart.series_count = bars->series_count;
  if (chart_is_drawable(&chart)) *ARENA_PUSH(bars->arena, &ret->items) = chart;
}

/* ---- compare ---- */

static const char *level_name(struct arena *arena, json_t *level)
{
  return arena_format(arena, "-O%lld",
                      (long long)json_integer_value(json_object_get(level, "level")));
}

static const char *macros_of(struct arena *arena, json_t *results)
{
  json_t *macros = json_object_get(results, "macros"), *macro;
  const char *text = "";
  size_t i;
  json_array_foreach(macros, i, macro) if (json_is_string(macro)) text =
      arena_format(arena, "%s -D%s", text, json_string_value(macro));
  return text;
}

static const char *device_of(json_t *results)
{
  const char *target = json_string_value(json_object_get(results, "target"));
  return target && !strcmp(target, "cpu") ? "the CPU backend" : "the GPU";
}

static bool read_compare(struct arena *arena, json_t *results, struct charts *ret)
{
  struct bars bars = {.arena = arena};
  json_t *levels = json_object_get(results, "levels"), *level;
  const char *input = text_of(arena, results, "input");
  size_t i;
  json_array_foreach(levels, i, level)
  {
    const char *name = level_name(arena, level);
    add_value(&bars, name, "kernels", number_of(level, "kernels_ms"));
    add_value(&bars, name, "transfers", number_of(level, "transfers_ms"));
    add_value(&bars, name, "whole run", number_of(level, "run_ms"));
  }
  struct chart chart = {
      .title = arena_format(arena, "%s%s", input ? input : "?", macros_of(arena, results)),
      .note = arena_format(arena, "mesicc compare, on %s", device_of(results)),
      .y_label = "milliseconds"};
  add_bars(&bars, chart, ret);
  return true;
}

/* The name of the one macro whose number differs, and the numbers; NULL: there is no such macro. */
static const char *size_of(struct arena *arena, json_t *const *results, unsigned count, double *ret)
{
  json_t *first = json_object_get(results[0], "macros"), *macro;
  const char *found = NULL;
  size_t k;
  json_array_foreach(first, k, macro)
  {
    const char *text = json_string_value(macro), *equals = text ? strchr(text, '=') : NULL;
    bool differs = false, numbers = equals != NULL;
    size_t length = equals ? (size_t)(equals + 1 - text) : 0;
    for (unsigned i = 0; i < count && numbers; i++) {
      const char *own = json_string_value(json_array_get(json_object_get(results[i], "macros"), k));
      char *end = NULL;
      numbers = own && !strncmp(own, text, length);
      if (numbers && strcmp(own, text)) differs = true;
      double size = numbers ? strtod(own + length, &end) : 0;
      numbers &= end && !*end && size > 0;
      if (numbers && !found) ret[i] = size;
    }
    if (differs && (!numbers || found)) return NULL;
    if (differs) found = arena_copy(arena, text, length - 1);
  }
  return found;
}

bool plot_read_sizes(struct arena *arena, json_t *const *results, unsigned count,
                     struct charts *ret)
{
  double *sizes = arena_alloc(arena, (count + 1) * sizeof *sizes);
  json_t *levels = json_object_get(results[0], "levels"), *level;
  const char *macro = size_of(arena, results, count, sizes);
  struct chart_series *series = arena_alloc(arena, CHART_MOST_SERIES * sizeof *series);
  unsigned series_count = 0;
  size_t k;
  if (!macro) return false;
  json_array_foreach(levels, k, level)
  {
    double *times = arena_alloc(arena, count * sizeof *times);
    for (unsigned i = 0; i < count; i++) {
      json_t *own = json_array_get(json_object_get(results[i], "levels"), k);
      times[i] = number_of(own, "kernels_ms");
      if (!(times[i] > 0)) times[i] = number_of(own, "run_ms");
    }
    if (series_count < CHART_MOST_SERIES)
      series[series_count++] = (struct chart_series){level_name(arena, level), sizes, times, count};
  }
  const char *input = text_of(arena, results[0], "input");
  struct chart chart = {.kind = CHART_CURVES,
                        .title = input ? input : "?",
                        .note = arena_format(arena, "mesicc compare, on %s", device_of(results[0])),
                        .x_label = macro,
                        .y_label = "kernels, milliseconds",
                        .series = series,
                        .series_count = series_count};
  if (chart_is_drawable(&chart)) *ARENA_PUSH(arena, &ret->items) = chart;
  return true;
}

/* ---- tune ---- */

static bool read_tune(struct arena *arena, json_t *results, struct charts *ret)
{
  struct bars bars = {.arena = arena};
  json_t *plans = json_object_get(results, "plans"), *plan, *time;
  const char *gpu = NULL, *key;
  bool several = json_array_size(plans) > 1;
  size_t i;
  json_array_foreach(plans, i, plan)
  {
    const char *kernel = text_of(arena, plan, "kernel"), *best = text_of(arena, plan, "plan");
    if (!gpu) gpu = text_of(arena, plan, "gpu");
    json_object_foreach(json_object_get(plan, "times"), key, time)
    {
      bool chosen = best && !strcmp(key, best);
      const char *name =
          several && kernel ? arena_format(arena, "%s: %s", kernel, key) : arena_string(arena, key);
      add_value(&bars, name, "measured", chosen ? 0 : json_number_value(time));
      add_value(&bars, name, "measured, kept", chosen ? json_number_value(time) : 0);
    }
  }
  add_bars(&bars,
           (struct chart){.title = "Plans that were measured",
                          .note = arena_format(arena, "mesicc tune, on %s", gpu ? gpu : "?"),
                          .y_label = "milliseconds of a launch"},
           ret);
  return true;
}

/* ---- survey ---- */

static bool read_survey(struct arena *arena, json_t *results, struct charts *ret)
{
  struct bars bars = {.arena = arena};
  json_t *totals = json_object_get(results, "totals"), *kept = json_object_get(totals, "kept"),
         *reason;
  struct {
    const char *name;
    double count;
  } classes[MOST_REASONS];
  unsigned class_count = 0;
  size_t i;
  json_array_foreach(kept, i, reason)
  {
    const char *class = text_of(arena, reason, "class");
    unsigned k = 0;
    while (class && k < class_count && strcmp(classes[k].name, class)) k++;
    if (!class || k == MOST_REASONS) continue;
    if (k == class_count) classes[class_count].name = class, classes[class_count++].count = 0;
    classes[k].count += number_of(reason, "kernels");
  }
  add_value(&bars, "changed", "kernels", number_of(totals, "changed"));
  for (unsigned k = 0; k < class_count; k++)
    add_value(&bars, arena_format(arena, "kept: %s", classes[k].name), "kernels", classes[k].count);
  add_value(&bars, "not launched in their unit", "kernels",
            number_of(totals, "kernels") - number_of(totals, "launched"));
  const char *title = arena_format(arena, "What becomes of %g kernels in %g files",
                                   number_of(totals, "kernels"), number_of(totals, "units"));
  add_bars(&bars, (struct chart){.title = title, .note = "mesicc survey", .y_label = "kernels"},
           ret);
  return true;
}

/* ---- bundle ---- */

static bool is_time(const char *key)
{
  return strcmp(key, "bytes") && strcmp(key, "flops") && strcmp(key, "case");
}

/* Names "O2" as -O2; the peer keeps its name. */
static const char *column_name(struct arena *arena, const char *key)
{
  return key[0] == 'O' && key[1] && !key[2] ? arena_format(arena, "-%s", key)
                                            : arena_string(arena, key);
}

static void read_roofline(struct arena *arena, json_t *results, const char *note,
                          struct charts *ret)
{
  json_t *benchmarks = json_object_get(results, "benchmarks"), *benchmark, *time;
  size_t count = json_array_size(benchmarks), i;
  double *x = arena_alloc(arena, (count + 1) * sizeof *x),
         *y = arena_alloc(arena, (count + 1) * sizeof *y);
  const char **names = arena_alloc(arena, (count + 1) * sizeof *names), *key;
  unsigned points = 0;
  struct chart_series *series = ARENA_NEW(arena, struct chart_series);
  json_array_foreach(benchmarks, i, benchmark)
  {
    double bytes = number_of(benchmark, "bytes"), flops = number_of(benchmark, "flops"), best = 0;
    const char *name = text_of(arena, benchmark, "case");
    json_object_foreach(benchmark, key, time)
    {
      double ms = json_number_value(time);
      if (key[0] == 'O' && ms > 0 && (!(best > 0) || ms < best)) best = ms;
    }
    if (!(bytes > 0) || !(flops > 0) || !(best > 0) || !name) continue;
    x[points] = flops / bytes;
    y[points] = flops / best * 1e3;
    names[points++] = name;
  }
  *series = (struct chart_series){"best level", x, y, points};
  struct chart chart = {.kind = CHART_ROOFLINE,
                        .title = "Roofline of the best level",
                        .note = note,
                        .x_label = "floating-point operations a byte",
                        .y_label = "operations a second",
                        .groups = names,
                        .group_count = points,
                        .series = series,
                        .series_count = 1,
                        .bytes_per_s = number_of(results, "bytes_per_s"),
                        .flops = number_of(results, "flops")};
  if (chart.bytes_per_s > 0 && chart.flops > 0 && chart_is_drawable(&chart))
    *ARENA_PUSH(arena, &ret->items) = chart;
}

static bool read_bundle(struct arena *arena, json_t *results, struct charts *ret)
{
  struct bars cases = {.arena = arena}, benches = {.arena = arena};
  const char *gpu = text_of(arena, results, "gpu"), *key;
  const char *note = arena_format(arena, "a bundle's run.sh, on %s", gpu ? gpu : "?");
  json_t *item, *time;
  size_t i;
  json_array_foreach(json_object_get(results, "cases"), i, item)
  {
    const char *name = text_of(arena, item, "case"), *level = text_of(arena, item, "level");
    if (name && level) add_value(&cases, name, level, number_of(item, "kernels_ms"));
  }
  json_array_foreach(json_object_get(results, "benchmarks"), i, item)
  {
    const char *name = text_of(arena, item, "case");
    json_object_foreach(item, key, time) if (name && is_time(key) && json_is_number(time))
        add_value(&benches, name, column_name(arena, key), json_number_value(time));
  }
  struct chart chart = {.title = "Kernels", .note = note, .y_label = "milliseconds"};
  add_bars(&cases, chart, ret);
  chart.title = "Benchmarks", chart.y_label = "milliseconds of a repetition";
  add_bars(&benches, chart, ret);
  read_roofline(arena, results, note, ret);
  return true;
}

/* ---- a figure ---- */

static double *numbers_of(struct arena *arena, json_t *list, unsigned *ret_count)
{
  size_t count = json_array_size(list);
  double *numbers = arena_alloc(arena, (count + 1) * sizeof *numbers);
  for (size_t i = 0; i < count; i++) numbers[i] = json_number_value(json_array_get(list, i));
  *ret_count = (unsigned)count;
  return numbers;
}

static bool read_series(struct arena *arena, json_t *from, bool bars, struct chart_series *ret)
{
  unsigned x_count;
  ret->name = text_of(arena, from, "name");
  ret->y = numbers_of(arena, json_object_get(from, "y"), &ret->count);
  if (!bars) {
    ret->x = numbers_of(arena, json_object_get(from, "x"), &x_count);
    if (x_count < ret->count) return false;
  }
  return ret->name != NULL;
}

static bool read_figure(struct arena *arena, json_t *results, struct charts *ret)
{
  json_t *series = json_object_get(results, "series"), *groups = json_object_get(results, "groups");
  const char *kind = json_string_value(json_object_get(results, "kind"));
  struct chart chart = {.title = text_of(arena, results, "title"),
                        .note = text_of(arena, results, "note"),
                        .x_label = text_of(arena, results, "x"),
                        .y_label = text_of(arena, results, "y"),
                        .group_count = (unsigned)json_array_size(groups),
                        .series_count = (unsigned)json_array_size(series),
                        .bytes_per_s = number_of(results, "bytes_per_s"),
                        .flops = number_of(results, "flops")};
  if (!kind || !chart.title || !chart.y_label) return false;
  chart.kind = !strcmp(kind, "bars")     ? CHART_BARS
               : !strcmp(kind, "curves") ? CHART_CURVES
               : !strcmp(kind, "points") ? CHART_POINTS
                                         : CHART_ROOFLINE;
  const char **names = arena_alloc(arena, (chart.group_count + 1) * sizeof *names);
  struct chart_series *all = arena_alloc(arena, (chart.series_count + 1) * sizeof *all);
  for (unsigned i = 0; i < chart.group_count; i++) {
    const char *name = json_string_value(json_array_get(groups, i));
    names[i] = name ? arena_string(arena, name) : "?";
  }
  for (unsigned i = 0; i < chart.series_count; i++)
    if (!read_series(arena, json_array_get(series, i), chart.kind == CHART_BARS, &all[i]))
      return false;
  chart.groups = names;
  chart.series = all;
  bool roofed = chart.kind != CHART_ROOFLINE || (chart.bytes_per_s > 0 && chart.flops > 0);
  if (roofed && chart_is_drawable(&chart)) *ARENA_PUSH(arena, &ret->items) = chart;
  return true;
}

bool plot_read(struct arena *arena, json_t *results, struct charts *ret)
{
  if (json_object_get(results, "mesi_compare")) return read_compare(arena, results, ret);
  if (json_object_get(results, "mesi_tune")) return read_tune(arena, results, ret);
  if (json_object_get(results, "mesi_bundle")) return read_bundle(arena, results, ret);
  if (json_object_get(results, "mesi_figure")) return read_figure(arena, results, ret);
  return json_object_get(results, "totals") && read_survey(arena, results, ret);
}
