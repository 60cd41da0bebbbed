/* SPDX-License-Identifier: MIT */
/* bin_grid.c - the box of bins and their options: limits, and messages where they are exceeded. */
#include "bin.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* The number of bins of this edge over a length; a number above the limit where it is out of all
 * proportion. */
static double bins_over(double length, double edge)
{
  double bins = length / edge - 1e-5;
  if (bins > MESI_BIN_MOST_BINS) return 2.0 * MESI_BIN_MOST_BINS;
  return bins <= 0 ? 0 : (double)(long long)bins + (bins > (double)(long long)bins);
}

int mesi_bin_fail(char *message, int status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (message) vsnprintf(message, MESI_BIN_MESSAGE, format, args);
  va_end(args);
  return status;
}

/* ---- the grid ---- */

static int check_box(const float low[3], const float high[3], const float edge[3], char *message)
{
  static const char axes[] = "xyz";
  for (int a = 0; a < 3; a++) {
    if (!isfinite(low[a]) || !isfinite(high[a]) || high[a] < low[a])
      return mesi_bin_fail(message, MESI_BIN_BAD_GRID, "the box from %g to %g along %c is none",
                           (double)low[a], (double)high[a], axes[a]);
    if (!isfinite(edge[a]) || edge[a] <= 0)
      return mesi_bin_fail(message, MESI_BIN_BAD_GRID, "a bin's edge along %c is %g, not above 0",
                           axes[a], (double)edge[a]);
  }
  return 0;
}

int mesi_bin_cover(struct mesi_bin_grid *ret, const float low[3], const float high[3],
                   const float edge[3], float cutoff, char *message)
{
  struct mesi_bin_grid grid;
  int status = check_box(low, high, edge, message);
  double count = 1;
  if (status) return status;
  if (!isfinite(cutoff) || cutoff <= 0)
    return mesi_bin_fail(message, MESI_BIN_BAD_GRID, "the cutoff is %g, not above 0",
                         (double)cutoff);
  for (int a = 0; a < 3; a++) {
    double inner = bins_over((double)high[a] - low[a], edge[a]),
           margin = bins_over(cutoff, edge[a]);
    margin = margin < 1 ? 1 : margin;
    double bins = (inner < 1 ? 1 : inner) + 2 * margin;
    count *= bins;
    if (count > MESI_BIN_MOST_BINS)
      return mesi_bin_fail(message, MESI_BIN_BAD_GRID,
                           "more than %d bins: edges of %g, %g and %g are too short",
                           MESI_BIN_MOST_BINS, (double)edge[0], (double)edge[1], (double)edge[2]);
    grid.edge[a] = edge[a];
    grid.inverse[a] = 1 / edge[a];
    grid.bins[a] = (int)bins;
    grid.margin[a] = (int)margin;
    grid.low[a] = (float)(low[a] - margin * edge[a]);
  }
  *ret = grid;
  return 0;
}

int mesi_bin_check_grid(struct mesi_bins *bins)
{
  struct mesi_bin_grid *grid = &bins->grid;
  float high[3];
  double count = 1;
  for (int a = 0; a < 3; a++) {
    count *= grid->bins[a];
    if (grid->bins[a] < 1 || count > MESI_BIN_MOST_BINS)
      return mesi_bin_fail(bins->message, MESI_BIN_BAD_GRID,
                           "%d x %d x %d bins: at least 1 along each axis, at most %d in all",
                           grid->bins[0], grid->bins[1], grid->bins[2], MESI_BIN_MOST_BINS);
    high[a] = grid->low[a] + (float)grid->bins[a] * grid->edge[a];
    grid->inverse[a] = 1 / grid->edge[a];
  }
  bins->bin_count = (long long)count;
  return check_box(grid->low, high, grid->edge, bins->message);
}

int mesi_bin_check_options(struct mesi_bins *bins)
{
  struct mesi_bin_options *options = &bins->options;
  if ((unsigned)options->form >= MESI_BIN_FORM_COUNT)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION, "there is no form %d of bins",
                         (int)options->form);
  if (options->words < 3 || options->words > MESI_BIN_MOST_WORDS)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "elements of %u words: 3 to %d are possible", options->words,
                         MESI_BIN_MOST_WORDS);
  options->pitch = options->pitch ? options->pitch : options->words;
  options->vector = options->vector ? options->vector : 1;
  options->align = options->align ? options->align : 1;
  if (options->pitch < options->words || options->pitch > MESI_BIN_MOST_WORDS)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "a pitch of %u words for elements of %u: at most %d are possible",
                         options->pitch, options->words, MESI_BIN_MOST_WORDS);
  if (options->vector > 1024 || options->align > 1024)
    return mesi_bin_fail(
        bins->message, MESI_BIN_BAD_OPTION,
        "vectors of %u elements and bins at multiples of %u: at most 1024 are possible",
        options->vector, options->align);
  if (options->align > 1 && options->form != MESI_BIN_COMPACT)
    return mesi_bin_fail(bins->message, MESI_BIN_BAD_OPTION,
                         "only compact bins begin at multiples of a number of elements");
  return 0;
}
