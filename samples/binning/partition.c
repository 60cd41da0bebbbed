/* partition.c - bins up to a depth on the device, what is beyond on the host, both at once; and the
 * depth at which they take equally long.
 *
 * The paper leaves the depth to the user (section 5). Here it is found by measuring: a run with few
 * elements on the host tells what one costs there; the depth follows at which the host would be
 * done when the device is, which is tried, and so on. Each run makes both rates better, and the
 * fastest one counts.
 *
 * Where a launch returns when its kernel is done, as on the CPU backend, the two sides run one
 * after the other, and equal times are no aim. Then depths are halved as long as the host's share
 * alone would not take longer than the fastest run.
 */
#include <stdlib.h>
#include <string.h>

#include "limited.h"

enum {
  MOST_RUNS = 8,
  SHORT = 300, /* ms: so short runs are made SHORT_RUNS times */
  SHORT_RUNS = 3,
  FEW = 1024, /* the first share of the host is one of so many elements */
  PIECE = 64  /* elements of a bin that a block takes */
};

struct share {     /* of the outputs, which the host's elements reach */
  long begin, end; /* numbers */
};

static struct share reached(const struct limited_problem *problem, const struct limited_rows *rows)
{
  const struct limited_space *space = &problem->space;
  const struct mesi_bin_grid *grid = &space->grid;
  long plane = (long)space->points[0] * space->points[1] * problem->app->channels, first = 0,
       last = grid->bins[2] - 1;
  if (space->at_elements) return (struct share){0, space->outputs * (long)problem->app->channels};
  while (first < last && rows->starts[(first + 1) * grid->bins[1]] == 0) first++;
  while (last > first &&
         rows->starts[last * grid->bins[1]] == rows->starts[(long)grid->bins[2] * grid->bins[1]])
    last--;
  double low = (grid->low[2] + first * (double)grid->edge[2] - space->cutoff) / space->spacing;
  double high =
      (grid->low[2] + (last + 1) * (double)grid->edge[2] + space->cutoff) / space->spacing;
  long from = low < 0 ? 0 : (long)low,
       to = high + 1 < space->points[2] ? (long)high + 1 : space->points[2];
  return (struct share){from * plane, to * plane};
}

static struct share run_host(const struct limited_problem *problem, const struct mesi_bins *bins)
{
  struct limited_rows rows;
  limited_rows_init(&rows, problem->app, &problem->space, bins->overflow,
                    (long)bins->overflow_count);
  struct share share = reached(problem, &rows);
  float *out = problem->host_out + share.begin;
  size_t bytes = (size_t)(share.end - share.begin) * sizeof *out;
  mesi_touch_range(out, bytes, MESI_WRITE | MESI_OVERWRITE);
  memset(out, 0, bytes);
  struct limited_work work = {.space = &problem->space,
                              .rows = &rows,
                              .targets = problem->elements,
                              .plane_step = 1,
                              .out = problem->host_out};
  limited_scatter(problem->app, &work, problem->threads);
  limited_rows_finish(&rows);
  return share;
}

int limited_launch(const struct limited_problem *problem, struct mesi_bins *bins,
                   enum limited_form form)
{
  const int *order = NULL;
  int status = problem->space.at_elements ? mesi_bin_order(bins, &order) : 0;
  if (!status) limited_gather(form, bins, &problem->space, problem->elements, order, problem->out);
  return status;
}

int limited_run_partition(const struct limited_problem *problem, struct mesi_bins *bins,
                          enum limited_form form, int depth, struct limited_partition *ret)
{
  double began = limited_now();
  struct share share = {0, 0};
  int status = mesi_bin_place(bins, problem->elements, depth);
  if (status) return status;
  if (bins->overflow_count)
    mesi_touch_range(bins->overflow,
                     (size_t)bins->overflow_count * problem->app->words * sizeof(float), MESI_READ);
  limited_wait();
  double start = limited_now();
  *ret = (struct limited_partition){
      .depth = bins->depth, .overflow = bins->overflow_count, .bin = start - began};
  limited_mark(0);
  status = limited_launch(problem, bins, form);
  limited_mark(1);
  if (status) return status;
  double launched = limited_now();
  if (bins->overflow_count) share = run_host(problem, bins);
  ret->host = limited_now() - start;
  ret->host_alone = limited_now() - launched;
  ret->device = limited_between();
  ret->in_turn = launched - start > 0.9 * ret->device;
  limited_add(problem->out, problem->host_out, share.begin, share.end);
  limited_wait();
  ret->all = limited_now() - start;
  return 0;
}

/* The least depth at which no more than `most` elements are left for the host. */
static int depth_for(struct mesi_bins *bins, double most)
{
  int low = 1, high = (int)bins->depths.most;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if ((double)mesi_bin_beyond(bins, middle) <= most)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* All on the device, or as much as fits: regular bins of a great depth may not. Twice, the first
 * run has to allocate and load. */
static int run_greatest(const struct limited_problem *problem, struct mesi_bins *bins,
                        enum limited_form form, struct limited_partition *ret)
{
  int depth = (int)bins->depths.most,
      status = limited_run_partition(problem, bins, form, depth, ret);
  while (status == MESI_BIN_NO_MEMORY && depth > 1) {
    depth /= 2;
    status = limited_run_partition(problem, bins, form, depth, ret);
  }
  return status ? status : limited_run_partition(problem, bins, form, depth, ret);
}

/* The share of the host with which it is done when the device is. */
static double even_share(const struct limited_partition *last)
{
  return last->overflow ? (double)last->overflow * last->device / last->host : 0;
}

/* The least of some runs, where they are short: other programs disturb those most. */
static int run_least(const struct limited_problem *problem, struct mesi_bins *bins,
                     enum limited_form form, int depth, struct limited_partition *ret)
{
  struct limited_partition next;
  int status = limited_run_partition(problem, bins, form, depth, ret);
  for (int i = 1; i < SHORT_RUNS && !status && ret->all < SHORT; i++) {
    status = limited_run_partition(problem, bins, form, depth, &next);
    if (!status && next.all < ret->all) *ret = next;
  }
  return status;
}

/* Halves the depth for sides that run one after the other, from few elements for the host on. */
static int halve_depths(const struct limited_problem *problem, struct mesi_bins *bins,
                        enum limited_form form, struct limited_partition *best,
                        struct limited_partition *last, int *ret_runs)
{
  int status = 0, few = depth_for(bins, (double)bins->count / FEW);

  for (int depth = few < best->depth ? few : best->depth / 2; depth >= 1 && !status; depth /= 2) {
    double beyond = (double)mesi_bin_beyond(bins, depth);
    if (last->overflow && last->host_alone * beyond / (double)last->overflow > best->all) break;
    status = run_least(problem, bins, form, depth, last);
    if (!status && last->all < best->all) *best = *last;
    ++*ret_runs;
  }
  return status;
}

int limited_balance(const struct limited_problem *problem, struct mesi_bins *bins,
                    enum limited_form form, struct limited_partition *ret, int *ret_runs)
{
  struct limited_partition best, last;
  int status = run_greatest(problem, bins, form, &best), greatest = best.depth;
  double share = (double)bins->count / FEW;
  last = best;
  *ret_runs = 2;
  bool in_turn = !status && best.in_turn;
  if (in_turn) status = halve_depths(problem, bins, form, &best, &last, ret_runs);
  if (!status && best.overflow) share = even_share(&best);
  for (int tried = 0; !status && !in_turn && *ret_runs < MOST_RUNS; tried = last.depth) {
    int depth = depth_for(bins, share < 1 ? 1 : share);
    if (depth == tried || depth >= greatest) break;
    status = limited_run_partition(problem, bins, form, depth, &last);
    if (!status && last.all < best.all) best = last;
    share = even_share(&last);
    ++*ret_runs;
  }
  if (!status && last.depth != best.depth) {
    status = limited_run_partition(problem, bins, form, best.depth, &last);
    ++*ret_runs;
  }
  *ret = best;
  return status;
}

/* ---- without the host ---- */

int limited_run_pieces(const struct limited_problem *problem, struct mesi_bins *bins, int depth,
                       struct limited_partition *ret)
{
  const struct mesi_bin_piece *pieces;
  const int *order = NULL;
  double began = limited_now();
  int count, status = mesi_bin_place(bins, problem->elements, depth);
  if (!status) status = mesi_bin_split(bins, PIECE, &pieces, &count);
  if (status) return status;
  limited_wait();
  double start = limited_now();
  limited_mark(0);
  status = limited_launch(problem, bins, LIMITED_RANGES);
  if (!status && problem->space.at_elements) status = mesi_bin_order(bins, &order);
  if (!status)
    limited_gather_pieces(bins, pieces, count, &problem->space, problem->elements, order,
                          problem->out);
  limited_mark(1);
  *ret = (struct limited_partition){.depth = bins->depth,
                                    .overflow = bins->overflow_count,
                                    .bin = start - began,
                                    .device = limited_between()};
  ret->all = limited_now() - start;
  return status;
}

int limited_balance_pieces(const struct limited_problem *problem, struct mesi_bins *bins,
                           struct limited_partition *ret, int *ret_runs)
{
  struct limited_partition next;
  int status = limited_run_pieces(problem, bins, 0, ret), depth = (int)bins->depths.most;
  *ret_runs = 1;
  while (!status) { /* the first run at a depth may have to allocate and load */
    status = limited_run_pieces(problem, bins, depth, &next);
    if (!status) status = limited_run_pieces(problem, bins, depth, &next);
    *ret_runs += 2;
    if (status || (*ret_runs > 3 && next.all > ret->all)) break;
    *ret = next;
    if (depth == 1) return 0;
    depth /= 2;
  }
  return status ? status : limited_run_pieces(problem, bins, ret->depth, ret);
}
