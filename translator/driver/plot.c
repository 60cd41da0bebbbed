/* SPDX-License-Identifier: MIT */
/* plot.c - mesicc plot: results as one SVG, or as a page.
 *
 *     mesicc plot results.json                   results.svg
 *     mesicc plot -o page.html a.json b.tune     a page with a chart and its numbers each
 *     mesicc plot -o sizes.svg n*.json           of compare at several sizes: curves over the size
 */
#include "translator/driver/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/json_file.h"
#include "translator/driver/outputs.h"
#include "translator/driver/page.h"
#include "translator/driver/pipeline.h"
#include "translator/plot/markup.h"
#include "translator/plot/scale.h"

static int refuse(struct diag *diag, const char *path, const char *reason)
{
  diag_report(diag, DIAG_INPUT, &(struct diag_place){.file = path}, "%s", reason);
  return STATUS_USAGE;
}

/* ---- drawing ---- */

/* Draws several charts as one SVG, one below the other. */
static void draw_svg(const struct charts *charts, struct text *out)
{
  struct text all = {0};
  double height = 0;
  if (charts->items.count == 1) {
    chart_draw(&charts->items.items[0], out);
    return;
  }
  for (unsigned i = 0; i < charts->items.count; i++) {
    struct text one = {0};
    static const char key[] = " height=\"";
    chart_draw(&charts->items.items[i], &one);
    const char *own = strstr(text_string(&one), key);
    text_format(&all, "<g transform=\"translate(0 %.5g)\">\n%s</g>\n", height, text_string(&one));
    height += own ? strtod(own + strlen(key), NULL) : 0;
    text_finish(&one);
  }
  text_format(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.5g\" width=\"%d\" "
              "height=\"%.5g\">\n%s</svg>\n",
              CHART_WIDTH, height, CHART_WIDTH, height, text_string(&all));
  text_finish(&all);
}

static void add_number(double value, struct text *out)
{
  text_add(out, "<td class=\"number\">");
  if (value > 0) text_format(out, "%.6g", value);
  text_add(out, "</td>");
}

/* Adds a chart's numbers as a table, a row a group or size. */
static void add_table(const struct chart *chart, struct text *out)
{
  const struct chart_series *first = &chart->series[0];
  unsigned rows = chart->group_count ? chart->group_count : first->count;
  text_add(out, "<div class=\"wide\"><table class=\"list\">\n<tr><th></th>");
  if (first->x && chart->group_count) markup_element(out, "th class=\"number\"", chart->x_label);
  for (unsigned i = 0; i < chart->series_count; i++)
    markup_element(out, "th class=\"number\"", chart->series[i].name);
  text_add(out, "</tr>\n");
  for (unsigned row = 0; row < rows; row++) {
    text_add(out, "<tr>");
    if (chart->group_count)
      markup_element(out, "td", chart->groups[row]);
    else
      add_number(first->x[row], out);
    if (first->x && chart->group_count) add_number(first->x[row], out);
    for (unsigned i = 0; i < chart->series_count; i++)
      add_number(row < chart->series[i].count ? chart->series[i].y[row] : 0, out);
    text_add(out, "</tr>\n");
  }
  text_add(out, "</table></div>\n");
}

static void draw_page(const struct charts *charts, struct text *out)
{
  page_begin(out, charts->items.items[0].title,
             "figure { margin: 0 0 2rem; } figure svg { max-width: 100%; height: auto; }\n"
             "main { max-width: 62rem; }\n");
  text_add(out, "<main>\n");
  for (unsigned i = 0; i < charts->items.count; i++) {
    text_add(out, "<figure>\n");
    chart_draw(&charts->items.items[i], out);
    markup_element(out, "figcaption class=\"soft\"", charts->items.items[i].y_label);
    text_add(out, "\n");
    add_table(&charts->items.items[i], out);
    text_add(out, "</figure>\n");
  }
  text_add(out, "</main>\n");
  page_end(out);
}

static int write_charts(const struct charts *charts, const char *path, struct diag *diag)
{
  const char *dot = strrchr(file_name(path), '.');
  struct text out = {0};
  if (!charts->items.count) return refuse(diag, path, "there is no time to draw");
  if (dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm")))
    draw_page(charts, &out);
  else
    draw_svg(charts, &out);
  int failed = file_write(path, text_string(&out), out.length);
  text_finish(&out);
  if (!failed) return STATUS_FINE;
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return STATUS_USAGE;
}

int plot_results(struct arena *arena, json_t *const *results, unsigned count, const char *path,
                 struct diag *diag)
{
  struct charts charts = {{0}};
  bool compared = count > 1;
  for (unsigned i = 0; i < count; i++) compared &= json_object_get(results[i], "mesi_compare") != 0;
  if (!compared || !plot_read_sizes(arena, results, count, &charts))
    for (unsigned i = 0; i < count; i++)
      if (!plot_read(arena, results[i], &charts))
        return refuse(diag, path, "what was to be drawn are no results that mesicc writes");
  return write_charts(&charts, path, diag);
}

/* ---- files ---- */

int plot_files(struct arena *arena, const struct string_list *files, const char *path,
               struct diag *diag)
{
  json_t **results = arena_alloc(arena, (files->count + 1) * sizeof *results);
  struct charts known = {{0}};
  int status = STATUS_FINE;
  for (unsigned i = 0; i < files->count && !status; i++) {
    results[i] = json_file_read(arena, files->items[i], DIAG_INPUT, diag);
    if (!results[i])
      status = STATUS_USAGE;
    else if (!plot_read(arena, results[i], &known))
      status = refuse(diag, files->items[i], "it has no results that mesicc writes");
  }
  if (!status) status = plot_results(arena, results, files->count, path, diag);
  for (unsigned i = 0; i < files->count; i++) json_decref(results[i]);
  return status;
}

int plot_check(struct arena *arena, const struct options *options, struct diag *diag)
{
  struct string_list inputs = {0}, outputs = {0};
  if (!options->plot) return 0;
  outputs_add_inputs(arena, options, &inputs);
  *ARENA_PUSH(arena, &outputs) = options->plot;
  return outputs_check(&inputs, &outputs, diag) ? STATUS_USAGE : 0;
}

int plot_run(struct arena *arena, const struct options *options, struct diag *diag)
{
  const char *first = options->input, *dot = strrchr(file_name(first), '.');
  struct options wanted = *options;
  wanted.plot =
      options->output
          ? options->output
          : arena_format(arena, "%.*s.svg", dot ? (int)(dot - first) : (int)strlen(first), first);
  int status = plot_check(arena, &wanted, diag);
  return status ? status : plot_files(arena, &options->inputs, wanted.plot, diag);
}
