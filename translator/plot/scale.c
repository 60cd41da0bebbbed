/* SPDX-License-Identifier: MIT */
/* scale.c - from values to places along an axis, and the ticks between. */
#include "translator/plot/scale.h"

#include <math.h>
#include <stdio.h>

static const double steps[] = {1, 2, 5, 10};

/* The round number (1, 2 or 5 times a power of ten) at or above the value; `below`: at or below. */
static double round_number(double value, bool below)
{
  double power = pow(10, floor(log10(value)));
  for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
    unsigned k = below ? 3 - i : i;
    double number = steps[k] * power;
    if (below ? number <= value * (1 + 1e-9) : number >= value * (1 - 1e-9)) return number;
  }
  return below ? power : 10 * power;
}

struct scale scale_around(double least, double most, bool log, double from, double to)
{
  struct scale scale = {0, 1, log, from, to};
  if (!(most > 0)) {
    scale.low = log ? 0.1 : 0;
    return scale;
  }
  scale.low = log ? round_number(least, true) : 0;
  scale.high = round_number(most, false);
  if (!log) { /* to the next tick, which is nearer than the next round number */
    double step = round_number(most / 6, false);
    scale.high = step * ceil(most / step * (1 - 1e-9));
  }
  if (!(scale.high > scale.low)) scale.high = 10 * scale.low;
  return scale;
}

double scale_at(const struct scale *scale, double value)
{
  double share = scale->log ? log(value / scale->low) / log(scale->high / scale->low)
                            : (value - scale->low) / (scale->high - scale->low);
  return scale->from + share * (scale->to - scale->from);
}

static unsigned log_ticks(const struct scale *scale, double *ret)
{
  double decades = log10(scale->high / scale->low);
  unsigned count = 0, each = decades <= 2.5 ? 1 : 3;
  double skip = ceil(decades / (SCALE_TICKS - 2));
  for (double power = floor(log10(scale->low)); power <= log10(scale->high) + 1e-9; power += skip)
    for (unsigned i = 0; i < 3; i += each) {
      double value = steps[i] * pow(10, power);
      if (value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9) &&
          count < SCALE_TICKS)
        ret[count++] = value;
    }
  return count;
}

unsigned scale_ticks(const struct scale *scale, double *ret)
{
  if (scale->log) return log_ticks(scale, ret);
  double step = round_number((scale->high - scale->low) / 6, false);
  unsigned count = 0;
  while (count < SCALE_TICKS && scale->low + count * step <= scale->high * (1 + 1e-9)) {
    ret[count] = scale->low + count * step;
    count++;
  }
  return count;
}

const char *scale_number(double value, char text[SCALE_NUMBER])
{
  double size = fabs(value);
  const char *unit = size >= 1e12 ? "T" : size >= 1e9 ? "G" : size >= 1e6 ? "M" : "";
  double shown = size >= 1e12  ? value / 1e12
                 : size >= 1e9 ? value / 1e9
                 : size >= 1e6 ? value / 1e6
                               : value;
  bool whole = size >= 1e4 && size < 1e6; /* %g would take a power of ten */
  snprintf(text, SCALE_NUMBER, whole ? "%.0f%s" : "%.4g%s", shown, unit);
  return text;
}
