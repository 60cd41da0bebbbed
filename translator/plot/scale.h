/* SPDX-License-Identifier: MIT */
/* scale.h - from values to places along an axis, and the ticks between. */
#ifndef MESI_PLOT_SCALE_H
#define MESI_PLOT_SCALE_H

#include <stdbool.h>

enum { SCALE_TICKS = 16, SCALE_NUMBER = 32 };

struct scale {
  double low, high; /* values at the ends */
  bool log;         /* both are above 0 */
  double from, to;  /* places of the ends, user units */
};

/* Around values from `least` to `most`, to round numbers; a linear one begins at 0, a logarithmic
 * one wants least > 0. */
struct scale scale_around(double least, double most, bool log, double from, double to);
double scale_at(const struct scale *, double value);
/* At most SCALE_TICKS values; how many. */
unsigned scale_ticks(const struct scale *, double *ret);
/* "0.25", "4096", "268M" */
const char *scale_number(double value, char text[SCALE_NUMBER]);

#endif
