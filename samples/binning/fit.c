/* fit.c - data sets with the statistics of the paper's tables 1 to 4, in every number that whole
 * elements can have.
 *
 * A generated set comes near; then elements move to other bins until the deepest bin has what the
 * table says and the sum of the squares of all depths is that of the table's deviation. Moving one
 * from a bin of depth a to one of depth b changes the sum by 2 (b - a + 1), so that it can be met
 * exactly: of the two sums of the right parity the nearer one is taken. An element keeps its place
 * within a bin. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"
#include "limited.h"

struct fit {
  const struct limited_app *app;
  const struct limited_set *set;
  uint64_t *random;
  float *elements;
  int *depths;          /* by bin of the box; owned */
  int low[3], high[3];  /* bins that elements may go to */
  long deepest;         /* bin */
  long long difference; /* what the sum of squares lacks */
};

static float *element_at(const struct fit *fit, long i)
{
  return fit->elements + (size_t)i * fit->app->words;
}

static int place_of(const struct fit *fit, const float *e, int axis)
{
  return (int)floorf(e[axis] / fit->set->edge);
}

static long bin_at(const struct fit *fit, const int *places)
{
  const int *bins = fit->set->bins;

  return ((long)places[2] * bins[1] + places[1]) * bins[0] + places[0];
}

static long bin_of(const struct fit *fit, const float *e)
{
  int places[3];

  for (int a = 0; a < 3; a++) places[a] = place_of(fit, e, a);
  return bin_at(fit, places);
}

static void count(struct fit *fit)
{
  for (int a = 0; a < 3; a++) fit->low[a] = fit->set->bins[a] - 1;
  for (long i = 0; i < fit->set->count; i++) {
    const float *e = element_at(fit, i);
    for (int a = 0; a < 3; a++) {
      int place = place_of(fit, e, a);
      fit->low[a] = place < fit->low[a] ? place : fit->low[a];
      fit->high[a] = place > fit->high[a] ? place : fit->high[a];
    }
    long bin = bin_of(fit, e);
    fit->depths[bin]++;
    if (fit->depths[bin] > fit->depths[fit->deepest]) fit->deepest = bin;
  }
}

static long long sum_of_squares(const struct fit *fit)
{
  const int *bins = fit->set->bins;
  long long sum = 0;

  for (long b = 0; b < (long)bins[0] * bins[1] * bins[2]; b++)
    sum += (long long)fit->depths[b] * fit->depths[b];
  return sum;
}

/* The sum that the table's deviation, that of a sample, stands for: of the count's parity. */
static long long wanted_sum(const struct limited_set *set)
{
  double bins = (double)set->paper_bins, mean = (double)set->count / bins,
         sum = (bins - 1) * set->paper_deviation * set->paper_deviation + bins * mean * mean;
  long long below = (long long)floor(sum);

  below -= (below - set->count) & 1;
  return sum - (double)below < 1 ? below : below + 2;
}

static void move(struct fit *fit, float *e, long from, const int *places)
{
  const float edge = fit->set->edge;
  long to = bin_at(fit, places);

  for (int a = 0; a < 3; a++) {
    float rest = e[a] / edge - floorf(e[a] / edge);
    e[a] = ((float)places[a] + rest) * edge;
    if (place_of(fit, e, a) != places[a]) e[a] = ((float)places[a] + 0.5f) * edge;
  }
  fit->difference -= 2 * ((long long)fit->depths[to] - fit->depths[from] + 1);
  fit->depths[from]--;
  fit->depths[to]++;
  if (fit->app->moved) fit->app->moved(fit->set, fit->random, e);
}

static float *any_element(const struct fit *fit)
{
  return element_at(fit, (long)(random_unit(fit->random) * (double)fit->set->count));
}

/* A bin of the box, or where another element is; not the deepest. */
static void choose_bin(const struct fit *fit, bool crowded, int *ret)
{
  const float *other = any_element(fit);

  for (int a = 0; a < 3; a++)
    ret[a] = crowded ? place_of(fit, other, a)
                     : fit->low[a] + (int)random_below(fit->random, fit->high[a] - fit->low[a] + 1);
}

/* The deepest bin gets what the table says, and no other has more. */
static void set_deepest(struct fit *fit)
{
  const long long most = fit->set->paper_most;
  int top[3] = {0, 0, 0}, places[3];

  for (long i = 0; i < fit->set->count; i++) {
    const float *e = element_at(fit, i);
    if (bin_of(fit, e) == fit->deepest)
      for (int a = 0; a < 3; a++) top[a] = place_of(fit, e, a);
  }
  for (long i = 0; i < fit->set->count; i++) {
    float *e = element_at(fit, i);
    long bin = bin_of(fit, e);
    if (fit->depths[bin] <= most) continue;
    do choose_bin(fit, false, places);
    while (bin_at(fit, places) == fit->deepest || fit->depths[bin_at(fit, places)] + 1 >= most);
    move(fit, e, bin, places);
  }
  while (fit->depths[fit->deepest] < most) {
    float *e = any_element(fit);
    if (bin_of(fit, e) != fit->deepest) move(fit, e, bin_of(fit, e), top);
  }
}

/* One move that brings the sum nearer, where this try finds one. */
static void try_move(struct fit *fit)
{
  float *e = any_element(fit);
  long from = bin_of(fit, e);
  int places[3];

  choose_bin(fit, fit->difference > 0, places);
  long to = bin_at(fit, places);
  long long change = 2 * ((long long)fit->depths[to] - fit->depths[from] + 1);
  if (from == to || from == fit->deepest || to == fit->deepest ||
      fit->depths[to] + 1 > fit->set->paper_most ||
      llabs(fit->difference - change) >= llabs(fit->difference))
    return;
  move(fit, e, from, places);
}

int limited_fit(const struct limited_app *app, const struct limited_set *set, uint64_t *random,
                float *elements)
{
  struct fit fit = {.app = app, .set = set, .random = random, .elements = elements};
  const int *bins = set->bins;
  const long tries = 100; /* an element */

  fit.depths = calloc((size_t)bins[0] * (size_t)bins[1] * (size_t)bins[2], sizeof *fit.depths);
  if (!fit.depths) {
    fprintf(stderr, "not enough memory\n");
    return -1;
  }
  count(&fit);
  fit.difference = wanted_sum(set) - sum_of_squares(&fit);
  set_deepest(&fit);
  for (long i = 0; i < tries * set->count && fit.difference; i++) try_move(&fit);
  free(fit.depths);
  return 0;
}
