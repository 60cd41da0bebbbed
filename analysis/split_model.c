/* split_model.c - how many blocks share a sum, as the launch predicts it.
 *
 *     2 blocks of 128 x 64 elements, 65536 iterations, 132 multiprocessors     =>     66 blocks for each, a run is 1008 iterations
 *
 * The multiprocessor with the most blocks takes the time of their iterations: `alone` cycles for a block that has it for itself, `busy` for each of
 * many. What is shared costs the block that comes last the time to read all parts. runtime/mesi_split.h has the same formulas and numbers, for
 * the device and the sizes that the launch has; here they tell which shape is best and whether there is anything to gain.
 */
#include "analysis/split.h"

#include <math.h>

#define COST 4000.0 /* cycles: parts written, a fence, an atomic operation, the first parts read */
#define RATE 24.0   /* bytes of parts that a block writes, or reads, in a cycle */
#define GAIN 1.2    /* that has to be predicted */

enum { MOST = 512 };

static double iteration_cycles(const struct block_time *time, double blocks)
{
  double waves = floor(blocks / time->resident), rest = blocks - waves * time->resident;
  double part = rest > 0 ? fmax(rest * time->busy, time->alone) : 0;

  return waves * fmax(time->resident * time->busy, time->alone) + part;
}

static double cycles(const struct split *split, const struct block_time *time, const int64_t totals[2], double parts, double iterations, double processors)
{
  double blocks = ceil((double)totals[0] / (double)time->block[0]) * ceil((double)totals[1] / (double)time->block[1]);
  double runs = ceil(iterations / (double)split->unit / parts), each = ceil(blocks * parts / processors);
  double shared = parts > 1 ? COST + (parts + each) * (double)split->bytes / RATE : 0;

  return runs * (double)split->unit * iteration_cycles(time, each) + shared;
}

double split_cycles(const struct split *split, const int64_t totals[2], double parts, double iterations, double processors)
{
  return cycles(split, &split->own, totals, parts, iterations, processors);
}

unsigned split_count(const struct split *split, const int64_t totals[2], double iterations, double processors, double *ret_gain)
{
  double one = split_cycles(split, totals, 1, iterations, processors);
  for (unsigned i = 0; i < split->other_count; i++)
    one = fmin(one, cycles(split, &split->others[i], totals, 1, iterations, processors));
  double most = fmin(ceil(iterations / (double)split->unit), MOST), least = one / GAIN;
  unsigned best = 0;

  for (unsigned parts = 2; parts <= most; parts += 1 + parts / 16) {
    double time = split_cycles(split, totals, parts, iterations, processors);
    if (time >= least)
      continue;
    least = time;
    best = parts;
  }
  *ret_gain = best ? one / least : 1;
  return best;
}
