/* SPDX-License-Identifier: MIT */
/* pipelining.c - chooses the way of pipelining (tile_ahead.c) for the tiles of a shape.
 *
 *     128 x 128 elements for 256 threads:   16 registers more, two blocks as before
 *         =>   registers, two copies
 *     128 x 64 elements for 128 threads:    24 registers more, three blocks in place of four
 *         =>   the loads are waited for
 *
 * A shape is planned in the first way, which fits if any does. The other ways have the same plan
 * with other registers and shared memory, so the model can predict the time of each. Requires: a
 * measured shape (model_measure). A shape that fits in no way keeps the first.
 */
#include "analysis/mapping/mapping.h"
#include "analysis/mapping/tile/tile.h"
#include "analysis/data/options.h"

enum { ASYNCHRONOUS_FROM = 80 };

static bool is_asynchronous(const struct mapping *m)
{
  return m->options->tuned_for >= ASYNCHRONOUS_FROM;
}

void map_first_buffering(struct mapping *m, unsigned shape)
{
  tile_next_buffering(0, is_asynchronous(m), &m->buffering[shape]);
}

void map_choose_buffering(struct mapping *m, unsigned shape, struct attempt *attempt,
                          uint64_t capacity, const int64_t totals[2])
{
  struct workload load = m->loads[shape];
  struct prediction prediction;
  struct buffering buffering;
  unsigned wanted = m->options->mapping == MAPPING_BLOCK ? m->options->mapping_shape.pipelining : 0;
  double least = 0;

  for (unsigned i = 0; tile_next_buffering(i, is_asynchronous(m), &buffering); i++) {
    bool fits = (!wanted || i + 1 == wanted) &&
                tile_rebuffer(&attempt->tiles, &attempt->geometry, &buffering, capacity);
    if (!fits) continue;
    model_rebuffer(&load, &attempt->tiles);
    if (!model_predict(&load, totals, m->target, &prediction) ||
        (least > 0 && prediction.mapped >= least))
      continue;
    least = prediction.mapped;
    m->buffering[shape] = buffering;
    m->loads[shape] = load;
  }
}
