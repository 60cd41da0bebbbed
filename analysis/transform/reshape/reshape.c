/* SPDX-License-Identifier: MIT */
/* reshape.c - blocks of fewer threads than a warp has get whole warps.
 *
 *     k<<<n, 1>>>     =>     blocks of 256 threads
 *
 * A warp takes the same time with one thread as with 32. Each thread still has one element, so its
 * code is the same. This is for launches that give each multiprocessor such a block; fewer elements
 * are better off spread over all of them. The same blocks take elements that were a thread's own,
 * one behind the other (stride_loops), where neighbours gain, and threads whose axes have changed
 * their order (turn_axes), in launches that are too small for another mapping. Requires: a
 * shape-free kernel that gets no other mapping, and a block of constant shape or such elements.
 */
#include "analysis/transform/reshape/reshape.h"

#include "analysis/code/read_only.h"

enum { WARP = 32, THREADS = 256, ROWS = 8, THREADS_NEEDED = 8192 /* of a multiprocessor */ };
#define LEAST_REGAINED 1.25

/* Blocks of whole warps, an element a thread. */
static struct geometry whole_warps(const struct mapping *m)
{
  int64_t rows = m->flat ? 1 : ROWS;

  return (struct geometry){.block = {THREADS / rows, rows},
                           .threads = {THREADS / rows, rows},
                           .vector = {1, 1},
                           .layers = m->from->facts.block[2] > 1};
}

static void report(const struct mapping *m, int rows, int64_t threads)
{
  const char *why =
      m->regained >= LEAST_REGAINED
          ? "neighbours access neighbours"
          : arena_format(m->from->arena, "%d of a warp's 32 lanes work as written", (int)threads);

  code_remark((struct code *)m->from, DIAG_MAPPED, NULL, "'%s' gets blocks of %d x %d threads: %s",
              m->from->kernel->name, THREADS / rows, rows, why);
  text_format(m->dump, "  plan map %dx%d whole warps\n", THREADS / rows, rows);
}

enum outcome plan_reshape(struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;
  int64_t threads = facts->block[0] * facts->block[1] * facts->block[2],
          each = m->regained >= LEAST_REGAINED && !m->as_many ? THREADS_NEEDED : THREADS,
          least = map_is_forced(m) ? 0 : (int64_t)m->target->multiprocessors * each;
  struct attempt attempt;
  bool taken = false;

  bool few = facts_block_is_constant(facts) && threads < WARP;
  if (!map_untiled(m) || (!few && m->regained < LEAST_REGAINED) || map_elements(m) < least)
    return OUTCOME_PASSED;
  struct geometry geometry = whole_warps(m);
  int64_t rows = geometry.block[1];
  double gain = few && !m->regained ? (double)WARP / (double)threads : 1;
  if (map_shaped(m, &geometry, &attempt)) {
    m->out = NULL;
    taken = map_add_version(m, &attempt, gain, least);
  }
  code_drop_scan(&attempt.code);
  if (!taken) return OUTCOME_PASSED;
  map_finish(m);
  map_take(m, m->out->gain,
           arena_format(m->from->arena, "blocks of %d x %d threads, whole warps",
                        (int)(THREADS / rows), (int)rows));
  report(m, (int)rows, threads);
  return OUTCOME_TAKEN;
}

/* Elements of which a thread has as many as one of the launch gain in small launches, too: puts a
 * version for these in front of those that need more. */
bool also_reshape(struct mapping *m)
{
  struct kernel_mapping *out = m->out, first = {.version_count = 0};
  struct geometry geometry = whole_warps(m);
  int64_t least = (int64_t)m->target->multiprocessors * THREADS;
  struct attempt attempt;

  if (!out || !m->as_many || m->regained < LEAST_REGAINED || m->tiled || map_is_constant(m) ||
      map_is_forced(m) || out->version_count == MOST_VERSIONS ||
      (out->versions[0].least <= least && !out->versions[0].fewest && !out->versions[0].when))
    return false;
  bool built = map_shaped(m, &geometry, &attempt);
  m->out = &first;
  built = built && map_add_version(m, &attempt, 1, least);
  m->out = out;
  code_drop_scan(&attempt.code);
  if (!built) return false;
  for (unsigned i = out->version_count++; i > 0; i--) out->versions[i] = out->versions[i - 1];
  out->versions[0] = first.versions[0];
  map_take_totals(out, first.totals);
  map_finish(m);
  return true;
}
