/* SPDX-License-Identifier: MIT */
/* vectorize_plan.c - four neighbours a thread, or as many as 16 bytes hold, at once.
 *
 *     out[i] = in[i] + in[i + 1]
 *
 * For a launch that fills the device all the same. Requires: a shape-free kernel that gets no loops
 * over tiles.
 */
#include "analysis/code/read_only.h"
#include "analysis/transform/vectorize/vectorize.h"

/* 16 bytes at once pay where a launch has several waves of threads: 2^26 elements took 0.61 times
 * as long, 2^20 (pathfinder) 1.4 times. */
enum { WIDE_THREADS = 256, WIDE_NEEDED = 8192 /* threads of a multiprocessor */ };

/* Of the arrays whose elements may be taken together, the widest: its elements of 16 bytes. */
static int64_t lanes_of(const struct mapping *m)
{
  int64_t widest = 1;

  for (unsigned i = 0; i < m->from->access.arrays.count; i++) {
    const struct ir_type *element = m->from->access.arrays.items[i]->element;
    if (vectorize_number(element) && element->size > widest) widest = element->size;
  }
  return m->from->access.arrays.count ? 16 / widest : map_lanes(m);
}

enum outcome plan_vectorize(struct mapping *m)
{
  int64_t lanes = lanes_of(m), least = (int64_t)m->target->multiprocessors * WIDE_NEEDED * lanes;
  struct geometry geometry = {
      .block = {WIDE_THREADS * lanes, 1}, .threads = {WIDE_THREADS, 1}, .vector = {lanes, 1}};
  bool taken = false;
  struct attempt attempt;
  struct interior interior;
  struct wide wide = {.reason = NULL};

  if (!m->flat || !map_untiled(m) || (!map_is_forced(m) && map_elements(m) < least))
    return OUTCOME_PASSED;
  if (map_shaped(m, &geometry, &attempt)) {
    interior_of(&attempt.code, &interior);
    struct ir_stmt *as_was = attempt.code.facts.kernel->body;
    /* a block that is not whole has them all on their way, too */
    as_was = read_only_loads(&attempt.code, as_was);
    code_drop_scan(&attempt.code);
    interior.body = vectorize_updates(attempt.code.arena, interior.body);
    map_choose_interior(&attempt.code, &interior, NULL);
    if (vectorize_plan(&attempt.code, &interior, lanes, &wide)) {
      vectorize_build(&wide, &interior, &attempt.tiles.verbatim);
      code_drop_scan(&attempt.code);
      map_choose_interior(&attempt.code, &interior, as_was);
      m->out = NULL;
      taken = map_add_version(m, &attempt, wide.gain, least);
    }
  }
  code_drop_scan(&attempt.code);
  if (wide.reason) map_decline(m, wide.reason, NULL);
  if (!taken) return OUTCOME_PASSED;
  map_finish(m);
  map_take(m, wide.gain,
           arena_format(m->from->arena,
                        "blocks of %lld elements for %d threads, %lld neighbours at once",
                        (long long)geometry.block[0], WIDE_THREADS, (long long)lanes));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld elements for %d threads: %lld neighbours at once are %.2f "
              "times fewer requests",
              m->from->kernel->name, (long long)geometry.block[0], WIDE_THREADS, (long long)lanes,
              wide.gain);
  text_format(m->dump, "  plan map %lldx1 threads %dx1 wide gain %.2f\n",
              (long long)geometry.block[0], WIDE_THREADS, wide.gain);
  return OUTCOME_TAKEN;
}
