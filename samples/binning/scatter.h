/* scatter.h - the host's share: what elements contribute to a unit of outputs, element by element
 * along the rows of a lattice; or, where outputs are at elements, output by output. Included by the
 * application for each number type, with SCATTER (the name), REAL and CONTRIBUTE.
 *
 * Elements are in the order of bins (limited_rows), so those that reach a unit are a few runs.
 */

#ifndef LIMITED_SCATTER_H
#define LIMITED_SCATTER_H

#include <math.h>

#include "host.h"
#include "limited.h"

static inline int host_bin(double at, double low, double inverse, int bins)
{
  double place = floor((at - low) * inverse);
  return place < 0 ? 0 : place >= bins ? bins - 1 : (int)place;
}

#endif

#ifdef AT_ELEMENTS

static HOST_CLONES void SCATTER(const struct limited_work *work, size_t unit)
{
  const struct limited_space *space = work->space;
  const struct mesi_bin_grid *grid = &space->grid;
  long first = (long)unit * HOST_TARGETS,
       end = first + HOST_TARGETS < space->outputs ? first + HOST_TARGETS : space->outputs;
  REAL *out = work->out;
  for (long t = first; t < end; t++) {
    const float *target = work->targets + (size_t)t * WORDS;
    int from[3], to[3];
    REAL sum[CHANNELS] = {0};
    for (int a = 0; a < 3; a++) {
      from[a] = host_bin((double)target[a] - space->cutoff, grid->low[a], grid->inverse[a],
                         grid->bins[a]);
      to[a] = host_bin((double)target[a] + space->cutoff, grid->low[a], grid->inverse[a],
                       grid->bins[a]);
    }
    for (int z = from[2]; z <= to[2]; z++)
      for (int y = from[1]; y <= to[1]; y++) {
        int row = (z * grid->bins[1] + y) * grid->bins[0];
        for (int at = work->rows->starts[row + from[0]]; at < work->rows->starts[row + to[0] + 1];
             at++)
          CONTRIBUTE(work->rows->elements + (size_t)at * WORDS, target[0], target[1], target[2],
                     sum);
      }
    for (int c = 0; c < CHANNELS; c++) out[t * CHANNELS + c] += sum[c];
  }
}

#else

/* What an element contributes to the points of one row. */
static inline HOST_INLINE void NAMED(SCATTER, row)(const struct limited_space *space,
                                                   const float *element, int j, int k, REAL rest,
                                                   REAL *row)
{
  double half = sqrt((double)rest), spacing = space->spacing;
  int first = (int)ceil((element[0] - half) / spacing - 1e-3),
      last = (int)floor((element[0] + half) / spacing + 1e-3);
  first = first > 0 ? first : 0;
  last = last < space->points[0] ? last : space->points[0] - 1;
  const REAL y = (REAL)(j * space->spacing), z = (REAL)(k * space->spacing),
             step = (REAL)space->spacing;
  float e[WORDS];
  for (int w = 0; w < WORDS; w++) e[w] = element[w];
#pragma GCC ivdep
  for (int i = first; i <= last; i++) {
    REAL sum[CHANNELS] = {0};
    CONTRIBUTE(e, (REAL)i * step, y, z, sum);
    for (int c = 0; c < CHANNELS; c++) row[i * CHANNELS + c] += sum[c];
  }
}

static inline HOST_INLINE void NAMED(SCATTER, run)(const struct limited_work *work, int from,
                                                   int to, int first_row, int end_row, int k)
{
  const struct limited_space *space = work->space;
  const REAL reach = (REAL)space->cutoff * (REAL)space->cutoff;
  for (int at = from; at < to; at++) {
    const float *element = work->rows->elements + (size_t)at * WORDS;
    REAL dz = element[2] - (REAL)k * space->spacing;
    for (int j = first_row; j < end_row; j++) {
      REAL dy = element[1] - (REAL)j * space->spacing, rest = reach - dz * dz - dy * dy;
      if (rest > 0) NAMED(SCATTER, row)
      (space, element, j, k, rest,
       (REAL *)work->out + ((size_t)k * space->points[1] + j) * space->points[0] * CHANNELS);
    }
  }
}

static HOST_CLONES void SCATTER(const struct limited_work *work, size_t unit)
{
  const struct limited_space *space = work->space;
  const struct mesi_bin_grid *grid = &space->grid;
  int per_plane = (space->points[1] + HOST_ROWS - 1) / HOST_ROWS, k = (int)(unit / per_plane);
  int first = (int)(unit % per_plane) * HOST_ROWS,
      end = first + HOST_ROWS < space->points[1] ? first + HOST_ROWS : space->points[1];
  double z = (double)k * space->spacing, reach = space->cutoff;
  if (k % work->plane_step) return;
  int y0 = host_bin(first * (double)space->spacing - reach, grid->low[1], grid->inverse[1],
                    grid->bins[1]);
  int y1 = host_bin((end - 1) * (double)space->spacing + reach, grid->low[1], grid->inverse[1],
                    grid->bins[1]);
  int z1 = host_bin(z + reach, grid->low[2], grid->inverse[2], grid->bins[2]);
  for (int bz = host_bin(z - reach, grid->low[2], grid->inverse[2], grid->bins[2]); bz <= z1; bz++)
    NAMED(SCATTER, run)
  (work, work->rows->starts[bz * grid->bins[1] + y0],
   work->rows->starts[bz * grid->bins[1] + y1 + 1], first, end, k);
}

#endif
