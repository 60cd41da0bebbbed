/* host.c - where bins and outputs are; elements in order on the host, whose threads take units of
 * outputs. */
#include "limited.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "host.h"

double limited_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void *need(void *memory)
{
  if (!memory) {
    fprintf(stderr, "not enough memory\n");
    exit(1);
  }
  return memory;
}

/* ---- bins and outputs ---- */

/* -1: tiles that are not whole bins. */
static int place_tiles(struct limited_space *space, const struct limited_app *app,
                       const struct limited_set *set)
{
  int reach = (int)ceil((double)space->cutoff / set->edge - 1e-5), margin = space->grid.margin[0];
  space->before = reach - margin;
  for (int a = 0; a < 3; a++) {
    double step = app->tile[a] * (double)set->spacing / set->edge;
    space->step[a] = (int)lround(step);
    if (space->step[a] < 1 || fabs(step - space->step[a]) > 1e-5) return -1;
    space->after[a] =
        margin +
        (int)floor(((app->tile[a] - 1) * (double)set->spacing + space->cutoff) / set->edge + 1e-5);
  }
  return 0;
}

int limited_space_init(struct limited_space *ret, const struct limited_app *app,
                       const struct limited_set *set, long count, char *message)
{
  const float low[3] = {0, 0, 0}, edge[3] = {set->edge, set->edge, set->edge};
  float high[3];
  memset(ret, 0, sizeof *ret);
  for (int a = 0; a < 3; a++) high[a] = (float)set->bins[a] * set->edge;
  int status = mesi_bin_cover(&ret->grid, low, high, edge, app->cutoff, message);
  if (status) return status;
  for (int a = 0; a < 3 && !set->margin; a++) {
    ret->grid.low[a] = 0;
    ret->grid.bins[a] = set->bins[a];
    ret->grid.margin[a] = 0;
  }
  ret->cutoff = app->cutoff;
  ret->spacing = set->spacing;
  ret->at_elements = app->at_elements;
  ret->outputs = app->at_elements ? count : 1;
  for (int a = 0; a < 3 && !app->at_elements; a++) {
    ret->points[a] = (int)lround((double)set->bins[a] * set->edge / set->spacing);
    ret->outputs *= ret->points[a];
  }
  if (ret->outputs > INT_MAX / (long)app->channels) {
    snprintf(message, MESI_BIN_MESSAGE, "%ld outputs are more than kernels can number",
             ret->outputs);
    return MESI_BIN_BAD_GRID;
  }
  if (app->at_elements || !place_tiles(ret, app, set)) return 0;
  snprintf(message, MESI_BIN_MESSAGE, "tiles of %d x %d x %d points are not whole bins of %g",
           app->tile[0], app->tile[1], app->tile[2], (double)set->edge);
  return MESI_BIN_BAD_GRID;
}

/* ---- elements in order ---- */

static int key_of(const struct limited_space *space, const float *element)
{
  const struct mesi_bin_grid *grid = &space->grid;
  int at[3];
  for (int a = 0; a < 3; a++)
    at[a] = mesi_bin_at(element[a], grid->low[a], grid->inverse[a], grid->bins[a]);
  int row = at[2] * grid->bins[1] + at[1];
  return space->at_elements ? row * grid->bins[0] + at[0] : row;
}

static void sort_elements(struct limited_rows *rows, unsigned words, const int *keys, long count)
{
  float *sorted = need(malloc(((size_t)count + 1) * words * sizeof *sorted));
  for (long i = 0; i < count; i++)
    memcpy(sorted + (size_t)rows->starts[keys[i]]++ * words, rows->elements + (size_t)i * words,
           words * sizeof *sorted);
  rows->elements = rows->sorted = sorted;
}

void limited_rows_init(struct limited_rows *ret, const struct limited_app *app,
                       const struct limited_space *space, const float *elements, long count)
{
  const int *bins = space->grid.bins;
  size_t row_count = (size_t)bins[2] * bins[1] * (space->at_elements ? (size_t)bins[0] : 1);
  int *keys = need(malloc(((size_t)count + 1) * sizeof *keys));
  bool in_order = true;
  ret->elements = elements;
  ret->sorted = NULL;
  ret->starts = need(calloc(row_count + 1, sizeof *ret->starts));
  for (long i = 0; i < count; i++) {
    keys[i] = key_of(space, elements + (size_t)i * app->words);
    in_order = in_order && (i == 0 || keys[i - 1] <= keys[i]);
    ret->starts[keys[i]]++;
  }
  for (size_t row = 0, sum = 0; row <= row_count; row++) {
    size_t here = (size_t)ret->starts[row];
    ret->starts[row] = (int)sum;
    sum += here;
  }
  if (!in_order) { /* which moves each start to its end */
    sort_elements(ret, app->words, keys, count);
    memmove(ret->starts + 1, ret->starts, row_count * sizeof *ret->starts);
    ret->starts[0] = 0;
  }
  free(keys);
}

void limited_rows_finish(struct limited_rows *rows)
{
  free(rows->starts);
  free(rows->sorted);
}

/* ---- threads ---- */

struct task {
  const struct limited_work *work;
  void (*body)(const struct limited_work *work, size_t unit);
};

static int do_unit(void *context, size_t unit, void **memory)
{
  const struct task *task = context;
  (void)memory;
  task->body(task->work, unit);
  return 0;
}

static void run(struct task *task, unsigned threads)
{
  const struct limited_space *space = task->work->space;
  size_t units = space->at_elements ? ((size_t)space->outputs + HOST_TARGETS - 1) / HOST_TARGETS
                                    : (size_t)space->points[2] *
                                          (size_t)((space->points[1] + HOST_ROWS - 1) / HOST_ROWS);
  struct mpf_crew crew = {.work = do_unit, .context = task, .units = units};
  mpf_crew_run(&crew, threads);
}

struct pieces {
  void (*part)(void *context, long first, long end);
  void *context;
  long count;
};
enum { PIECE_COUNT = 1L << 16 };

static int do_piece(void *context, size_t unit, void **memory)
{
  const struct pieces *pieces = context;
  long first = (long)unit * PIECE_COUNT, end = first + PIECE_COUNT;
  (void)memory;
  pieces->part(pieces->context, first, end < pieces->count ? end : pieces->count);
  return 0;
}

void limited_pieces(long count, void (*part)(void *context, long first, long end), void *context)
{
  struct pieces pieces = {part, context, count};
  struct mpf_crew crew = {.work = do_piece,
                          .context = &pieces,
                          .units = (size_t)((count + PIECE_COUNT - 1) / PIECE_COUNT)};
  mpf_crew_run(&crew, mpf_cpu_cores());
}

void limited_scatter(const struct limited_app *app, const struct limited_work *work,
                     unsigned threads)
{
  run(&(struct task){work, app->scatter}, threads);
}

void limited_reference(const struct limited_app *app, const struct limited_work *work,
                       unsigned threads)
{
  run(&(struct task){work, app->reference}, threads);
}
