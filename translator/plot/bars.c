/* SPDX-License-Identifier: MIT */
/* bars.c - a bar for each series in each group, one under another.
 *
 *     [] -O0  [] -O2
 *     S_b = 32   ############ 1.374
 *                ### 0.312
 *     S_b = 64   ##########
 *                0    0.5    1
 *
 * Values that are FAR apart make the axis logarithmic, which its label says.
 */
#include <stdio.h>

#include "translator/plot/frame.h"
#include "translator/plot/markup.h"

#define FAR 30.0

enum { BAR = 13, PITCH = 15, GAP = 9, MOST_LABEL = 300 };

static double label_width(const struct chart *chart)
{
  double most = 0;
  for (unsigned i = 0; i < chart->group_count; i++) {
    double width = markup_width(chart->groups[i], FRAME_SIZE);
    if (width > most) most = width;
  }
  return most > MOST_LABEL ? MOST_LABEL : most;
}

static void add_axis(const struct chart *chart, const struct scale *scale, double top,
                     double bottom, struct text *out)
{
  double ticks[SCALE_TICKS], last = -1e9;
  unsigned count = scale_ticks(scale, ticks);
  char number[SCALE_NUMBER], label[160];
  for (unsigned i = 0; i < count; i++) {
    double x = scale_at(scale, ticks[i]);
    const char *text = scale_number(ticks[i], number);
    double half = markup_width(text, FRAME_SIZE) / 2;
    markup_line(out, i ? "g" : "x", x, top, x, bottom);
    if (x - half < last + 6) continue;
    markup_text(out, "s", ANCHOR_MIDDLE, x, bottom + 16, text);
    last = x + half;
  }
  snprintf(label, sizeof label, "%s%s", chart->y_label, scale->log ? " (logarithmic)" : "");
  markup_text(out, "s", ANCHOR_MIDDLE, (scale->from + scale->to) / 2, bottom + 35, label);
}

static void add_group(const struct chart *chart, unsigned group, const struct scale *scale,
                      double y, struct text *out)
{
  char number[SCALE_NUMBER], class[8];
  double middle = y + (PITCH * chart->series_count - 2) / 2.0 + 4;
  markup_text(out, "n", ANCHOR_END, scale->from - 8, middle, chart->groups[group]);
  for (unsigned i = 0; i < chart->series_count; i++) {
    const struct chart_series *series = &chart->series[i];
    double value = group < series->count ? series->y[group] : 0;
    if (!(value > 0)) continue;
    double end = scale_at(scale, value), top = y + PITCH * i;
    snprintf(class, sizeof class, "c%u", chart->series_count > 1 ? i % CHART_MOST_SERIES : 1);
    markup_rect(out, class, scale->from, top, end - scale->from < 1 ? 1 : end - scale->from, BAR);
    markup_text(out, "n", ANCHOR_START, end + 4, top + 11, scale_number(value, number));
  }
}

void draw_bars(const struct chart *chart, struct text *out)
{
  struct extremes all = {0};
  for (unsigned i = 0; i < chart->series_count; i++)
    extremes_add(&all, chart->series[i].y, chart->series[i].count);
  double left = FRAME_MARGIN + label_width(chart) + 10, right = CHART_WIDTH - FRAME_MARGIN - 52;
  bool log = all.most > FAR * all.least;
  /* the shortest bar of a logarithmic axis is one that can be seen */
  struct scale scale = scale_around(log ? all.least / 1.5 : all.least, all.most, log, left, right);
  bool keys = chart->series_count > 1;
  double top = FRAME_TOP + (keys ? frame_keys(chart, 0, NULL) : 0);
  double group = PITCH * chart->series_count + GAP,
         bottom = top + group * chart->group_count + GAP / 2.0;
  frame_begin(chart, bottom + 46, out);
  if (keys) frame_keys(chart, FRAME_TOP + 4, out);
  add_axis(chart, &scale, top, bottom, out);
  for (unsigned i = 0; i < chart->group_count; i++)
    add_group(chart, i, &scale, top + GAP + group * i, out);
  frame_end(out);
}
