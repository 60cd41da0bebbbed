/* SPDX-License-Identifier: MIT */
/* chart.c - the head of a chart, its keys, and the choice between the kinds. */
#include "translator/plot/chart.h"

#include <stddef.h>
#include <stdio.h>

#include "translator/plot/frame.h"
#include "translator/plot/markup.h"

static const char style[] =
    "<style>.chart{font:12px 'DejaVu Sans',Verdana,sans-serif}.bg{fill:#fff}.n{fill:#1b2230}"
    ".t{fill:#1b2230;font-size:15px;font-weight:600}.s{fill:#586274}.g{stroke:#d5dbe4}"
    ".x{stroke:#586274}.roof{stroke:#1b2230;stroke-width:2;fill:none}.lead{stroke:#586274;"
    "stroke-width:.7}.c0{fill:#8592a3}.c1{fill:#2563a8}.c2{fill:#d2691e}.c3{fill:#2a8f5b}"
    ".c4{fill:#9a4fa3}.c5{fill:#b8860b}.c6{fill:#c23b3b}.c7{fill:#3a9aa8}.l0{stroke:#8592a3}"
    ".l1{stroke:#2563a8}.l2{stroke:#d2691e}.l3{stroke:#2a8f5b}.l4{stroke:#9a4fa3}"
    ".l5{stroke:#b8860b}.l6{stroke:#c23b3b}.l7{stroke:#3a9aa8}.curve{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){.bg{fill:#12161d}.n,.t{fill:#e2e7ef}.s{fill:#a3aebf}"
    ".g{stroke:#333d4b}.roof{stroke:#e2e7ef}.c1{fill:#5f9fe0}.l1{stroke:#5f9fe0}}</style>\n";

void extremes_add(struct extremes *e, const double *values, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    if (!(values[i] > 0)) continue;
    if (!(e->most > 0) || values[i] < e->least) e->least = values[i];
    if (values[i] > e->most) e->most = values[i];
  }
}

/* With its end cut where it is too wide. */
static void add_cut(struct text *out, const char *class, double y, const char *string, double size)
{
  char shown[512];
  int length = snprintf(shown, sizeof shown, "%s", string);
  if (length >= (int)sizeof shown) length = sizeof shown - 1;
  while (length > 0 && markup_width(shown, size) > CHART_WIDTH - 2 * FRAME_MARGIN)
    shown[--length] = '\0';
  markup_text(out, class, ANCHOR_START, FRAME_MARGIN, y, shown);
}

void frame_begin(const struct chart *chart, double height, struct text *out)
{
  text_format(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 %d %.5g\" "
              "width=\"%d\" height=\"%.5g\" role=\"img\">\n",
              CHART_WIDTH, height, CHART_WIDTH, height);
  markup_element(out, "title", chart->title);
  text_add(out, style);
  markup_rect(out, "bg", 0, 0, CHART_WIDTH, height);
  add_cut(out, "t", 24, chart->title, 15);
  if (chart->note) add_cut(out, "s", 43, chart->note, FRAME_SIZE);
}

void frame_end(struct text *out) { text_add(out, "</svg>\n"); }

double frame_keys(const struct chart *chart, double y, struct text *out)
{
  double x = FRAME_MARGIN, line = 18, at = y;
  for (unsigned i = 0; i < chart->series_count; i++) {
    double width = 18 + markup_width(chart->series[i].name, FRAME_SIZE) + 14;
    char class[16];
    if (x > FRAME_MARGIN && x + width > CHART_WIDTH - FRAME_MARGIN) x = FRAME_MARGIN, at += line;
    snprintf(class, sizeof class, "c%u", i % CHART_MOST_SERIES);
    if (out) markup_rect(out, class, x, at - 10, 11, 11);
    if (out) markup_text(out, "n", ANCHOR_START, x + 16, at, chart->series[i].name);
    x += width;
  }
  return at + line - y;
}

bool chart_is_drawable(const struct chart *chart)
{
  struct extremes all = {0};
  for (unsigned i = 0; i < chart->series_count; i++)
    extremes_add(&all, chart->series[i].y, chart->series[i].count);
  return all.most > 0 && chart->series_count <= CHART_MOST_SERIES;
}

void chart_draw(const struct chart *chart, struct text *out)
{
  if (chart->kind == CHART_BARS)
    draw_bars(chart, out);
  else
    draw_curves(chart, out);
}
