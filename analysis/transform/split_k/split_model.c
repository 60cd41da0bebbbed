/* SPDX-License-Identifier: MIT */
/* split_model.c - the number of blocks that share a sum, as the launch predicts it.
 *
 *     2 blocks of 128 x 64 elements, 65536 iterations, 132 multiprocessors
 *         =>     66 blocks for each, a run is 1008 iterations
 *
 * The multiprocessor with the most blocks takes the time of their iterations: `alone` cycles for a
 * block that has it for itself, `busy` for each of many. Sharing costs the last block the time to
 * read all parts. runtime/mesi_sums.h has the same formulas and numbers, for the device and the
 * sizes of the launch. Here they tell the best shape, and whether there is a gain.
 */
#include "analysis/transform/split_k/split.h"

#include <math.h>

#define COST \
  2500.0 /* cycles: parts written, a fence, an atomic operation, a look at the parts of others */
#define LEVEL 2000.0   /* ... for each further level of a tree */
#define RATE 16.0      /* bytes of parts that a block writes, or reads, per cycle */
#define GAIN 1.25      /* the least predicted gain */
#define IDLE (2.0 / 3) /* of the time for bytes, where some multiprocessors have nothing to do */

enum { MOST = 256, FAN = 4 };

static double iteration_cycles(const struct block_time *time, double blocks, bool idle)
{
  double waves = floor(blocks / time->resident), rest = blocks - waves * time->resident;
  double part = rest > 0 ? fmax(rest * time->busy * (idle ? IDLE : 1), time->alone) : 0;

  return waves * fmax(time->resident * time->busy, time->alone) + part;
}

static double meeting_cycles(const struct block_share *split, double parts, double each)
{
  double read = parts, levels = 1;

  if (parts < 2) return 0;
  for (double left = parts; split->tree && left > FAN; left = ceil(left / FAN), levels++)
    read = (levels + 1) * FAN;
  return COST + (levels - 1) * LEVEL + (read + levels - 1 + each) * (double)split->bytes / RATE;
}

static double cycles(const struct block_share *split, const struct block_time *time,
                     const int64_t totals[2], double parts, double iterations, double processors)
{
  double blocks = ceil((double)totals[0] / (double)time->block[0]) *
                  ceil((double)totals[1] / (double)time->block[1]) * parts;
  double runs = ceil(iterations / (double)split->unit / parts), each = ceil(blocks / processors);

  return runs * (double)split->unit * iteration_cycles(time, each, blocks < processors) +
         meeting_cycles(split, parts, each);
}

double split_cycles(const struct block_share *split, const int64_t totals[2], double parts,
                    double iterations, double processors)
{
  return cycles(split, &split->own, totals, parts, iterations, processors);
}

unsigned split_count(const struct block_share *split, const int64_t totals[2], double iterations,
                     double processors, double *ret_gain)
{
  double one = split_cycles(split, totals, 1, iterations, processors);
  for (unsigned i = 0; i < split->other_count; i++)
    one = fmin(one, cycles(split, &split->others[i], totals, 1, iterations, processors));
  double most = fmin(ceil(iterations / (double)split->unit), MOST), least = one / GAIN;
  unsigned best = 0;

  for (unsigned parts = 2; parts <= most; parts += 1 + parts / 16) {
    double time = split_cycles(split, totals, parts, iterations, processors);
    if (time >= least) continue;
    least = time;
    best = parts;
  }
  *ret_gain = best ? one / least : 1;
  return best;
}
