/* SPDX-License-Identifier: MIT */
/* reshape.c - blocks of fewer threads than a warp has get whole warps.
 *
 *     k<<<n, 1>>>     =>     blocks of 256 threads
 *
 * A warp takes the same time with one thread as with 32. Each thread still has one element, so its
 * code is the same. This is for launches that give each multiprocessor such a block; fewer elements
 * are better off spread over all of them. Requires: a shape-free kernel that gets no other mapping,
 * and a block of constant shape.
 */
#include "analysis/transform/reshape/reshape.h"

#include "analysis/code/read_only.h"

enum { WARP = 32, THREADS = 256, ROWS = 8 };

enum outcome plan_reshape(struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  int64_t threads = facts->block[0] * facts->block[1] * facts->block[2],
          least = map_is_forced(m) ? 0 : (int64_t)m->target->multiprocessors * THREADS;
  struct attempt attempt;
  bool taken = false;

  if (!map_untiled(m) || !facts_block_is_constant(facts) || threads >= WARP ||
      map_elements(m) < least)
    return OUTCOME_PASSED;
  int64_t rows = m->flat ? 1 : ROWS;
  struct geometry geometry = {.block = {THREADS / rows, rows},
                              .threads = {THREADS / rows, rows},
                              .vector = {1, 1},
                              .layers = facts->block[2] > 1};
  double gain = (double)WARP / (double)threads;
  if (map_shaped(m, &geometry, &attempt)) {
    m->out = NULL;
    taken = map_add_version(m, &attempt, gain, least);
  }
  code_drop_scan(&attempt.code);
  if (!taken) return OUTCOME_PASSED;
  map_finish(m);
  map_take(m, gain,
           arena_format(m->from->arena, "blocks of %d x %d threads, whole warps",
                        (int)(THREADS / rows), (int)rows));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %d x %d threads: %d of a warp's 32 lanes work as written",
              m->from->kernel->name, (int)(THREADS / rows), (int)rows, (int)threads);
  text_format(m->dump, "  plan map %dx%d whole warps\n", (int)(THREADS / rows), (int)rows);
  return OUTCOME_TAKEN;
}
