/* SPDX-License-Identifier: MIT */
/* curves.c - curves over sizes, and points under a roofline, on two logarithmic axes.
 *
 * A curve has its name at its right end; names that would lie over one another move apart. A
 * roofline is the least of `flops` and x times `bytes_per_s`; its points have numbers, which a list
 * under the chart explains.
 */
#include <stdio.h>

#include "translator/plot/frame.h"
#include "translator/plot/markup.h"

enum {
  LEFT = 74,
  HIGH = 320,
  NAMES = 150, /* user units for the names of curves */
  LINE = 15,
  RADIUS = 4,
  MOST_POINTS = 128,
  KEY_COLUMNS = 3
};

struct plane {
  struct scale x, y;
};

/* ---- axes ---- */

static void add_axes(const struct chart *chart, const struct plane *p, struct text *out)
{
  double ticks[SCALE_TICKS], last = -1e9;
  char number[SCALE_NUMBER];
  unsigned count = scale_ticks(&p->x, ticks);
  for (unsigned i = 0; i < count; i++) {
    double x = scale_at(&p->x, ticks[i]);
    const char *text = scale_number(ticks[i], number);
    double half = markup_width(text, FRAME_SIZE) / 2;
    markup_line(out, "g", x, p->y.to, x, p->y.from);
    if (x - half < last + 6) continue;
    markup_text(out, "s", ANCHOR_MIDDLE, x, p->y.from + 17, text);
    last = x + half;
  }
  count = scale_ticks(&p->y, ticks);
  for (unsigned i = 0; i < count; i++) {
    double y = scale_at(&p->y, ticks[i]);
    markup_line(out, "g", p->x.from, y, p->x.to, y);
    markup_text(out, "s", ANCHOR_END, p->x.from - 7, y + 4, scale_number(ticks[i], number));
  }
  markup_line(out, "x", p->x.from, p->y.from, p->x.to, p->y.from);
  markup_line(out, "x", p->x.from, p->y.from, p->x.from, p->y.to);
  if (chart->x_label)
    markup_text(out, "s", ANCHOR_MIDDLE, (p->x.from + p->x.to) / 2, p->y.from + 37, chart->x_label);
  markup_text(out, "s", ANCHOR_START, FRAME_MARGIN, p->y.to - 12, chart->y_label);
}

/* ---- curves ---- */

static unsigned last_point(const struct chart_series *series)
{
  unsigned last = series->count;
  while (last && !(series->y[last - 1] > 0)) last--;
  return last;
}

static void add_curve(const struct chart_series *series, unsigned number, const struct plane *p,
                      struct text *out)
{
  char class[16];
  text_format(out, "<polyline class=\"curve l%u\" points=\"", number);
  for (unsigned i = 0; i < series->count; i++)
    if (series->y[i] > 0 && series->x[i] > 0)
      text_format(out, "%.5g,%.5g ", scale_at(&p->x, series->x[i]), scale_at(&p->y, series->y[i]));
  text_add(out, "\"/>\n");
  snprintf(class, sizeof class, "c%u", number);
  for (unsigned i = 0; i < series->count; i++)
    if (series->y[i] > 0 && series->x[i] > 0)
      text_format(out, "<circle class=\"%s\" cx=\"%.5g\" cy=\"%.5g\" r=\"3\"/>\n", class,
                  scale_at(&p->x, series->x[i]), scale_at(&p->y, series->y[i]));
}

/* Many points, each a line without length that has round ends. */
static void add_dots(const struct chart_series *series, unsigned number, const struct plane *p,
                     struct text *out)
{
  text_format(out,
              "<path class=\"l%u\" fill=\"none\" stroke-width=\"3\" stroke-linecap=\"round\" d=\"",
              number);
  for (unsigned i = 0; i < series->count; i++)
    if (series->y[i] > 0 && series->x[i] > 0)
      text_format(out, "M%.0f %.0fh0", scale_at(&p->x, series->x[i]),
                  scale_at(&p->y, series->y[i]));
  text_add(out, "\"/>\n");
}

/* Names from the top down, at least a line apart. */
static void place_names(const struct chart *chart, const struct plane *p, double *ret)
{
  unsigned order[CHART_MOST_SERIES];
  for (unsigned i = 0; i < chart->series_count; i++) {
    unsigned last = last_point(&chart->series[i]), k = i;
    ret[i] = last ? scale_at(&p->y, chart->series[i].y[last - 1]) + 4 : p->y.from;
    for (; k && ret[order[k - 1]] > ret[i]; k--) order[k] = order[k - 1];
    order[k] = i;
  }
  for (unsigned k = 1; k < chart->series_count; k++)
    if (ret[order[k]] < ret[order[k - 1]] + LINE) ret[order[k]] = ret[order[k - 1]] + LINE;
  double beyond = chart->series_count ? ret[order[chart->series_count - 1]] - (p->y.from + 4) : 0;
  for (unsigned k = chart->series_count; k-- && beyond > 0;) {
    double most = k + 1 < chart->series_count ? ret[order[k + 1]] - LINE : p->y.from + 4;
    if (ret[order[k]] > most) ret[order[k]] = most;
  }
}

static void add_curves(const struct chart *chart, const struct plane *p, struct text *out)
{
  double names[CHART_MOST_SERIES];
  char class[16];
  place_names(chart, p, names);
  for (unsigned i = 0; i < chart->series_count; i++) {
    unsigned last = last_point(&chart->series[i]);
    if (!last) continue;
    double x = scale_at(&p->x, chart->series[i].x[last - 1]),
           y = scale_at(&p->y, chart->series[i].y[last - 1]);
    bool dots = chart->kind == CHART_POINTS;
    (dots ? add_dots : add_curve)(&chart->series[i], i, p, out);
    snprintf(class, sizeof class, "c%u", i);
    if (!dots) markup_line(out, "lead", x + 4, y, p->x.to + 10, names[i] - 4);
    markup_text(out, class, ANCHOR_START, p->x.to + 13, names[i], chart->series[i].name);
  }
}

/* ---- roofline ---- */

struct box {
  double x, y, wide, high;
};

struct boxes { /* that are taken */
  struct box items[2 * MOST_POINTS];
  unsigned count;
};

static bool is_free(const struct boxes *boxes, const struct box *box)
{
  for (unsigned i = 0; i < boxes->count; i++) {
    const struct box *other = &boxes->items[i];
    if (box->x < other->x + other->wide && other->x < box->x + box->wide &&
        box->y < other->y + other->high && other->y < box->y + box->high)
      return false;
  }
  return true;
}

/* Near (x, y), where nothing is; farther and farther away. */
static struct box place_number(const struct boxes *taken, double x, double y, double wide)
{
  static const double around[][2] = {{1, 0},  {0, -1},  {-1, 0}, {0, 1},
                                     {1, -1}, {-1, -1}, {1, 1},  {-1, 1}};
  struct box box = {x + RADIUS + 2, y - 6, wide, 12};
  for (unsigned ring = 0; ring < 8; ring++)
    for (unsigned i = 0; i < sizeof around / sizeof *around; i++) {
      double by = RADIUS + 3 + 9.0 * ring;
      box.x = x + around[i][0] * (by + wide / 2) - wide / 2;
      box.y = y + around[i][1] * (by + 6) - 6;
      if (is_free(taken, &box)) return box;
    }
  return box;
}

static void add_roof(const struct chart *chart, const struct plane *p, struct text *out)
{
  double ridge = chart->flops / chart->bytes_per_s, low = p->x.low * chart->bytes_per_s;
  double left = p->x.low;
  if (low < p->y.low) low = p->y.low, left = low / chart->bytes_per_s;
  text_format(out, "<polyline class=\"roof\" points=\"%.5g,%.5g %.5g,%.5g %.5g,%.5g\"/>\n",
              scale_at(&p->x, left), scale_at(&p->y, low), scale_at(&p->x, ridge),
              scale_at(&p->y, chart->flops), p->x.to, scale_at(&p->y, chart->flops));
}

static void add_points(const struct chart_series *series, const struct plane *p, struct text *out)
{
  struct boxes taken = {.count = 0};
  unsigned count = series->count < MOST_POINTS ? series->count : MOST_POINTS;
  char number[16];
  for (unsigned i = 0; i < count; i++) {
    double x = scale_at(&p->x, series->x[i]), y = scale_at(&p->y, series->y[i]);
    taken.items[taken.count++] = (struct box){x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS};
    text_format(out, "<circle class=\"c1\" cx=\"%.5g\" cy=\"%.5g\" r=\"%d\"/>\n", x, y, RADIUS);
  }
  for (unsigned i = 0; i < count; i++) {
    double x = scale_at(&p->x, series->x[i]), y = scale_at(&p->y, series->y[i]);
    snprintf(number, sizeof number, "%u", i + 1);
    struct box box = place_number(&taken, x, y, markup_width(number, FRAME_SIZE));
    double middle_x = box.x + box.wide / 2, middle_y = box.y + 6;
    if ((middle_x - x) * (middle_x - x) + (middle_y - y) * (middle_y - y) > 400)
      markup_line(out, "lead", x, y, middle_x, middle_y);
    markup_text(out, "n", ANCHOR_MIDDLE, middle_x, box.y + 10, number);
    taken.items[taken.count++] = box;
  }
}

/* The names of the points, by number, in columns. */
static void add_point_keys(const struct chart *chart, double top, struct text *out)
{
  unsigned rows = (chart->group_count + KEY_COLUMNS - 1) / KEY_COLUMNS;
  double wide = (CHART_WIDTH - 2.0 * FRAME_MARGIN) / KEY_COLUMNS;
  char text[160];
  for (unsigned i = 0; i < chart->group_count; i++) {
    int length = snprintf(text, sizeof text, "%u %s", i + 1, chart->groups[i]);
    if (length >= (int)sizeof text) length = sizeof text - 1;
    while (length > 4 && markup_width(text, FRAME_SIZE) > wide - 8) text[--length] = '\0';
    markup_text(out, "n", ANCHOR_START, FRAME_MARGIN + i / rows * wide, top + LINE * (i % rows),
                text);
  }
}

/* ---- both ---- */

static struct plane plane_of(const struct chart *chart)
{
  struct extremes x = {0}, y = {0};
  for (unsigned i = 0; i < chart->series_count; i++) {
    extremes_add(&x, chart->series[i].x, chart->series[i].count);
    extremes_add(&y, chart->series[i].y, chart->series[i].count);
  }
  bool roof = chart->kind == CHART_ROOFLINE;
  double ridge = roof ? chart->flops / chart->bytes_per_s : 0;
  if (roof) extremes_add(&x, &ridge, 1), extremes_add(&y, &chart->flops, 1);
  double right = CHART_WIDTH - FRAME_MARGIN - (roof ? 10 : NAMES), top = FRAME_TOP + 24;
  return (struct plane){scale_around(x.least, roof ? 2 * x.most : x.most, true, LEFT, right),
                        scale_around(y.least, y.most, true, top + HIGH, top)};
}

void draw_curves(const struct chart *chart, struct text *out)
{
  struct plane plane = plane_of(chart);
  bool roof = chart->kind == CHART_ROOFLINE;
  unsigned rows = roof ? (chart->group_count + KEY_COLUMNS - 1) / KEY_COLUMNS : 0;
  frame_begin(chart, plane.y.from + 48 + (rows ? LINE * rows + 10 : 0), out);
  add_axes(chart, &plane, out);
  if (roof) {
    add_roof(chart, &plane, out);
    add_points(&chart->series[0], &plane, out);
    add_point_keys(chart, plane.y.from + 62, out);
  } else {
    add_curves(chart, &plane, out);
  }
  frame_end(out);
}
