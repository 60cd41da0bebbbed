/* SPDX-License-Identifier: MIT */
/* frame.h - what the kinds of charts share: the head of the SVG, keys, extremes. */
#ifndef MESI_PLOT_FRAME_H
#define MESI_PLOT_FRAME_H

#include "translator/plot/chart.h"
#include "translator/plot/scale.h"

enum { FRAME_TOP = 62, FRAME_MARGIN = 16, FRAME_SIZE = 12 };

struct extremes {
  double least, most; /* of values above 0; most 0: there are none */
};

void extremes_add(struct extremes *, const double *values, unsigned count);
/* Title, note; to `height`. `top`: under them. */
void frame_begin(const struct chart *, double height, struct text *out);
void frame_end(struct text *out);
/* A key for each series in lines at y; returns what they take. Draws nothing where out is NULL. */
double frame_keys(const struct chart *, double y, struct text *out);

/* bars.c, curves.c */
void draw_bars(const struct chart *, struct text *out);
void draw_curves(const struct chart *, struct text *out);

#endif
