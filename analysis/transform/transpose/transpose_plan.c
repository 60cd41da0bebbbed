/* SPDX-License-Identifier: MIT */
/* transpose_plan.c - blocks of 32 x 32 elements, whose warps run along y between load and store.
 *
 *     b[j][i] = a[i][j]
 *
 * This is for launches that still fill the device. Requires: a shape-free kernel that gets no loops
 * over tiles.
 */
#include "analysis/transform/transpose/transpose.h"

/* A block of warps that can be transposed; each thread has four elements in flight. */
static const struct geometry square = {{32, 32}, {32, 8}, {1, 1}, 0, false};

static const char *names_of(const struct mapping *m, const struct transposes *transposes)
{
  const char *names = "";

  for (unsigned i = 0; i < transposes->count; i++)
    names = arena_format(m->from->arena, "%s%s%s", names, *names ? ", " : "",
                         transposes->items[i]->array->var->name);
  return names;
}

enum outcome plan_transpose(struct mapping *m)
{
  bool always = map_is_forced(m);
  int64_t least = (int64_t)m->target->multiprocessors * square.block[0] * square.block[1];
  bool taken = false;
  struct transposes transposes = {0};
  struct attempt attempt;
  uint64_t bytes = 0;
  const char *names = "";

  if (m->flat || !map_untiled(m) || (!always && map_elements(m) < least)) return OUTCOME_PASSED;
  if (map_shaped(m, &square, &attempt) && transpose_plan(&attempt.code, &transposes)) {
    names = names_of(m, &transposes);
    transpose_build(&attempt.code, &square, &transposes, &bytes);
    m->out = NULL;
    taken = map_add_version(m, &attempt, transposes.gain, least);
  }
  code_drop_scan(&attempt.code);
  map_add_remarks(m, &attempt.remarks);
  if (!taken) return OUTCOME_PASSED;
  map_finish(m);
  m->out->versions[0].shared_bytes = bytes;
  map_take(
      m, transposes.gain,
      arena_format(
          m->from->arena,
          "blocks of 32 x 32 elements for 32 x 8 threads%s; %s transposed through shared memory",
          transposes.along_y ? ", whose warps run along y" : "", *names ? names : "nothing"));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets blocks of 32 x 32 elements for 32 x 8 threads%s; %s transposed through "
              "%llu bytes; predicted gain %.1f",
              m->from->kernel->name, transposes.along_y ? ", whose warps run along y" : "",
              *names ? names : "nothing", (unsigned long long)bytes, transposes.gain);
  text_format(m->dump, "  plan map 32x32 threads 32x8 %stransposed %s bytes %llu gain %.1f\n",
              transposes.along_y ? "along y, " : "", names, (unsigned long long)bytes,
              transposes.gain);
  return OUTCOME_TAKEN;
}
