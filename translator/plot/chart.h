/* SPDX-License-Identifier: MIT */
/* chart.h - charts as SVG: bars by group, curves, a roofline.
 *
 * A chart is one <svg> element with its own style for light and dark, which stands alone as a file
 * or in a page. The caller owns everything that a chart points to.
 */
#ifndef MESI_PLOT_CHART_H
#define MESI_PLOT_CHART_H

#include <stdbool.h>

#include "translator/base/text.h"

enum { CHART_MOST_SERIES = 8, CHART_WIDTH = 760 };

enum chart_kind {
  CHART_BARS,    /* a bar for each series in each group, along a common axis */
  CHART_CURVES,  /* a curve for each series over x, both axes logarithmic */
  CHART_POINTS,  /* the same without the lines, for hundreds of points */
  CHART_ROOFLINE /* points of FLOP/byte and FLOP/s under the roof */
};

struct chart_series {
  const char *name;
  const double *x; /* CURVES, POINTS, ROOFLINE; else NULL */
  const double *y; /* `count` of them; of a bar by group; 0 and less: there is none */
  unsigned count;
};

struct chart {
  enum chart_kind kind;
  const char *title;
  const char *note;    /* date, device, command; NULL: none */
  const char *x_label; /* CURVES; NULL: none */
  const char *y_label; /* what is measured, with its unit */
  /* names: of BARS by group, of the points of a ROOFLINE; NULL: CURVES */
  const char *const *groups;
  unsigned group_count;
  const struct chart_series *series;
  unsigned series_count;
  double bytes_per_s, flops; /* ROOFLINE: the device's */
};

/* Is there anything to draw: a series with a value above 0, at most CHART_MOST_SERIES of them? */
bool chart_is_drawable(const struct chart *);
void chart_draw(const struct chart *, struct text *out);

#endif
