/* SPDX-License-Identifier: MIT */
/* vectorize_plan.c - each thread takes four neighbouring elements, or as many as 16 bytes hold, at
 * once.
 *
 *     out[i] = in[i] + in[i + 1]
 *
 * This is for launches that still fill the device. Requires: a shape-free kernel that gets no loops
 * over tiles.
 */
#include "analysis/code/loop.h"
#include "analysis/code/read_only.h"
#include "analysis/code/updates.h"
#include "analysis/transform/vectorize/vectorize.h"

/* 16-byte accesses pay off where a launch has several waves of threads: 2^26 elements took 0.61
 * times as long, 2^20 (pathfinder) 1.4 times. */
enum { VECTOR_THREADS = 256, VECTOR_THREADS_NEEDED = 8192 /* threads of a multiprocessor */ };

/* A launch of several rows gets blocks of one row each, so that all threads of a block have the
 * same alignment. Rows must be some blocks long. Rows of 300 floats, which are one block and a
 * sixth, took 1.04 times as long as written; rows of 1000 took 0.71 times as long, and 0.33 times
 * with bytes. */
enum { ROW_THREADS = 64, ROW_BLOCKS_NEEDED = 4, MOST_ROWS = 65535 };
#define ROW_GAIN_NEEDED 1.05

enum { MOST_FUSED = 4 }; /* sums with one product; nvcc computes a product of more by itself */

/* The number of elements in 16 bytes, for the widest element among the arrays that can be
 * vectorized. */
static int64_t vector_factor(const struct mapping *m)
{
  int64_t widest = 1;

  for (unsigned i = 0; i < m->from->access.arrays.count; i++) {
    const struct ir_type *element = m->from->access.arrays.items[i]->element;
    bool fits = vectorize_number(element) || vectorize_triple(element);
    if (fits && vectorize_part(element) > widest) widest = vectorize_part(element);
  }
  return m->from->access.arrays.count ? 16 / widest : map_vector_factor(m);
}

/* The time as written over the time with `fewer` times fewer requests. Chosen by hand after relu8,
 * residual16 (performance-others.md), sums and updates of floats and of doubles (predictions.md) on
 * an H100. */
static double gain_of(double fewer, int64_t factor)
{
  return model_gain_of_vectors(1, 16.0 / (double)factor, fewer);
}

/* Does it read several rows of an array? Several rows per thread are better then (coarsen). */
static bool shares_rows(const struct vectorized *v)
{
  for (unsigned i = 0; i < v->window_count; i++)
    for (unsigned k = 0; k < i; k++)
      if (v->windows[i].load && v->windows[k].load && v->windows[i].array == v->windows[k].array)
        return true;
  return false;
}

static bool rows_fit(const struct mapping *m, int64_t fewest)
{
  if (m->flat) return true;
  if (loop_number(m->from->facts.kernel->body)) return false;
  return !map_is_constant(m) ||
         ((map_is_forced(m) || m->totals[0] >= fewest) && m->totals[1] <= MOST_ROWS);
}

static bool gains(const struct mapping *m, const struct vectorized *v)
{
  return m->flat || map_is_forced(m) ||
         (!shares_rows(v) && gain_of(v->gain, v->factor) >= ROW_GAIN_NEEDED);
}

enum outcome plan_vectorize(struct mapping *m)
{
  int64_t factor = vector_factor(m),
          least = (int64_t)m->target->multiprocessors * VECTOR_THREADS_NEEDED * factor,
          threads = m->flat ? VECTOR_THREADS : ROW_THREADS,
          fewest = m->flat ? 0 : ROW_BLOCKS_NEEDED * threads * factor;
  struct geometry geometry = {
      .block = {threads * factor, 1}, .threads = {threads, 1}, .vector = {factor, 1}};
  bool taken = false;
  struct attempt attempt;
  struct interior interior;
  struct vectorized vectorized = {.reason = NULL};

  if (!map_untiled(m) || (!map_is_forced(m) && map_elements(m) < least) || !rows_fit(m, fewest))
    return OUTCOME_PASSED;
  if (map_shaped(m, &geometry, &attempt)) {
    interior_of(&attempt.code, &interior);
    struct ir_stmt *as_was = attempt.code.facts.kernel->body;
    /* a block that is not whole has all its loads in flight, too */
    as_was = read_only_loads(&attempt.code, as_was, false);
    code_drop_scan(&attempt.code);
    interior.body = updates_apart(attempt.code.arena, interior.body);
    map_choose_interior(&attempt.code, &interior, NULL);
    if (vectorize_plan(&attempt.code, &interior, factor, &vectorized) && gains(m, &vectorized) &&
        map_keeps_rounding(m, 1, factor > MOST_FUSED)) {
      vectorize_build(&vectorized, &interior, &attempt.tiles.verbatim);
      code_drop_scan(&attempt.code);
      map_choose_interior(&attempt.code, &interior, as_was);
      m->out = NULL;
      taken = map_add_version(m, &attempt, gain_of(vectorized.gain, factor), least);
      if (taken && !map_is_constant(m)) /* else rows_fit has checked it */
        m->out->versions[0].fewest = map_is_forced(m) && fewest ? 1 : fewest;
    }
  }
  code_drop_scan(&attempt.code);
  if (vectorized.reason) map_decline(m, vectorized.reason, NULL);
  if (!taken) return OUTCOME_PASSED;
  map_finish(m);
  map_take(m, m->out->gain,
           arena_format(m->from->arena,
                        "blocks of %lld elements for %d threads, %lld neighbours at once",
                        (long long)geometry.block[0], (int)threads, (long long)factor));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld elements for %d threads: %lld neighbours at once are %.2f "
              "times fewer requests",
              m->from->kernel->name, (long long)geometry.block[0], (int)threads, (long long)factor,
              vectorized.gain);
  text_format(m->dump, "  plan map %lldx1 threads %dx1 vectorized gain %.2f\n",
              (long long)geometry.block[0], (int)threads, vectorized.gain);
  return OUTCOME_TAKEN;
}
