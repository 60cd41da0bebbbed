/* SPDX-License-Identifier: MIT */
/* stream25d_plan.c - gives a thread several layers, one after the other, with rows in registers.
 *
 *     out[i][j][k] = in[i - 1][j][k] + in[i + 1][j][k]
 *
 * This is for launches that still fill the device. Requires: a shape-free kernel that gets no loops
 * over tiles.
 */
#include "analysis/transform/stream25d/stream25d.h"

#define GAIN_NEEDED 1.25 /* requests as written over the remaining ones */

/* stencil3d of 512^3: blocks of 32 x 8 threads, one layer ahead, 16 layers 0.295 ms, 32 layers
 * 0.299, 64 layers 0.315, two layers ahead 0.299; a register tile of 4 x 4 elements takes 0.334, a
 * copy 0.258. */
enum {
  STREAM25D_THREADS = 256,
  STREAM25D_AHEAD = 1,
  STREAM25D_NEEDED = 1024 /* threads of a multiprocessor */
};
static const int64_t stream25d_layers[] = {16, 8, 4};
static const int64_t stream25d_across[] = {32, 16};
#define ROW_USED 0.75 /* the used share of a row of blocks */
#define STREAM25D_REGISTERS 64

/* Chooses the geometry: blocks wide enough that few threads lie beyond the ends of rows, and as
 * many layers per thread as leave the device enough threads. */
static bool stream25d_geometry(const struct mapping *m, struct geometry *ret)
{
  int64_t factor = map_vector_factor(m), across = 0, layers = 0,
          threads = map_elements(m) / factor / m->target->multiprocessors;

  for (unsigned i = 0; i < sizeof stream25d_across / sizeof *stream25d_across && !across; i++) {
    int64_t across_all = stream25d_across[i] * factor,
            blocks = (m->totals[0] + across_all - 1) / across_all;
    across =
        (double)m->totals[0] >= ROW_USED * (double)(blocks * across_all) ? stream25d_across[i] : 0;
  }
  for (unsigned i = 0; i < sizeof stream25d_layers / sizeof *stream25d_layers && !layers; i++)
    layers = threads / stream25d_layers[i] >= STREAM25D_NEEDED ? stream25d_layers[i] : 0;
  if (map_is_forced(m)) {
    across = across ? across : stream25d_across[0];
    layers = layers ? layers : stream25d_layers[2];
  }
  if (!across || !layers) return false;
  int64_t down = STREAM25D_THREADS / across;
  *ret = (struct geometry){.block = {across * factor, down},
                           .threads = {across, down},
                           .vector = {factor, 1},
                           .layers = layers};
  return true;
}

static void report(struct mapping *m, const struct geometry *geometry, double gain)
{
  const char *shape = arena_format(
      m->from->arena, "blocks of %lld x %lld x %lld elements for %lld x %lld threads",
      (long long)geometry->block[0], (long long)geometry->block[1], (long long)geometry->layers,
      (long long)geometry->threads[0], (long long)geometry->threads[1]);

  map_take(m, gain,
           arena_format(m->from->arena,
                        "%s, which go through the layers with rows of 16 bytes in registers",
                        shape));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets %s, which go through the layers with rows of 16 bytes in registers: %.2f "
              "times as many requests as written",
              m->from->kernel->name, shape, 1 / gain);
  text_format(m->dump, "  plan map %lldx%lldx%lld threads %lldx%lld marching gain %.2f\n",
              (long long)geometry->block[0], (long long)geometry->block[1],
              (long long)geometry->layers, (long long)geometry->threads[0],
              (long long)geometry->threads[1], gain);
}

enum outcome plan_stream25d(struct mapping *m)
{
  struct geometry geometry;
  struct attempt attempt;
  double gain = 0;
  bool taken = false;

  if (!map_untiled(m) || !map_is_constant(m) || map_layers(m) < stream25d_layers[2] ||
      !stream25d_geometry(m, &geometry))
    return OUTCOME_PASSED;
  if (map_shaped(m, &geometry, &attempt)) {
    struct stream25d found = {.code = &attempt.code,
                              .factor = geometry.vector[0],
                              .ahead = STREAM25D_AHEAD,
                              .checked = m->options->checked};
    bool fits = stream25d_find(&found) && stream25d_registers(&found) <= STREAM25D_REGISTERS &&
                (map_is_forced(m) || stream25d_pays(&found));
    gain = fits ? stream25d_gain(&found) : 0;
    m->out = NULL;
    if (gain > GAIN_NEEDED) {
      stream25d_build(&found, &attempt.tiles.verbatim);
      taken = map_add_version(m, &attempt, gain, 0);
    }
  }
  code_drop_scan(&attempt.code);
  if (!taken) return OUTCOME_PASSED;
  map_finish(m);
  report(m, &geometry, gain);
  return OUTCOME_TAKEN;
}
