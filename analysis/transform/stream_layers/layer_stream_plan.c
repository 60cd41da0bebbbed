/* SPDX-License-Identifier: MIT */
/* layer_stream_plan.c - the elements of a thread, for kernels whose threads go through the layers
 * of an array in a loop of their own.
 *
 * A thread has 16 bytes of neighbours along x, and as many rows as its registers allow; blocks
 * along z share the layers. The version is for launches that are large enough, with rows that begin
 * at multiples of 16 bytes and a long loop. If all that is known, it is the only version.
 */
#include <string.h>

#include "analysis/mapping/mapping.h"
#include "analysis/transform/stream_layers/layer_stream.h"

/* conv3d (27 products) on an H200, two rows a thread and 8 parts along z: 512^3 0.37 ms, with 4 and
 * 16 parts about 1% and 5% more, a register tile 0.60; 256^3 about 0.06 and 0.14, 128^3 about 0.02
 * and 0.035. All layers in registers, but one at a time: 0.49 to 0.70. */
enum {
  LAYER_STREAM_ACROSS = 32,
  LAYER_STREAM_THREADS = 256,
  LAYER_STREAM_Z_PARTS = 8,
  LAYER_STREAM_NEEDED = 96 /* threads of a multiprocessor */,
  LAYER_STREAM_REGISTERS = 128
};
#define LAYER_STREAM_GAIN 1.25 /* requests as written over the remaining ones */

static const int64_t layer_stream_rows[] = {2, 1};

static struct geometry geometry_of(const struct mapping *m, int64_t rows)
{
  int64_t factor = 16 / (m->element > 8 ? 8 : m->element),
          down = LAYER_STREAM_THREADS / LAYER_STREAM_ACROSS;

  return (struct geometry){.block = {LAYER_STREAM_ACROSS * factor, down * rows},
                           .threads = {LAYER_STREAM_ACROSS, down},
                           .vector = {factor, rows}};
}

/* The elements of a launch that keep the device busy. */
static int64_t elements_for(const struct mapping *m, const struct geometry *geometry)
{
  return (int64_t)m->target->multiprocessors * LAYER_STREAM_NEEDED * geometry->vector[0] *
         geometry->vector[1] / LAYER_STREAM_Z_PARTS;
}

static bool is_large(const struct mapping *m, const struct geometry *geometry)
{
  return map_is_forced(m) || !map_is_constant(m) ||
         m->totals[0] * m->totals[1] >= elements_for(m, geometry);
}

struct swept {
  struct attempt attempt; /* with a scan, for the caller to drop */
  struct layer_stream stream;
  double gain, registers;
};

/* Plans it for a number of rows per thread. The caller drops the scan. */
static bool try_rows(const struct mapping *m, int64_t rows, struct swept *ret)
{
  struct attempt *attempt = &ret->attempt;

  memset(ret, 0, sizeof *ret);
  attempt->code = code_copy(m->from, &attempt->remarks);
  if (m->from->steady)
    attempt->code.facts.kernel = ir_copy_function(attempt->code.arena, m->from->steady);
  attempt->preconditions.only_aligned = true;
  attempt->code.preconditions = &attempt->preconditions;
  attempt->geometry = geometry_of(m, rows);
  if (!is_large(m, &attempt->geometry)) {
    ret->stream.reason = "its launch is small";
    return false;
  }
  if (!shape_virtual(&attempt->code, &attempt->geometry, attempt->totals, &attempt->reason,
                     &attempt->place))
    return false;
  ret->stream = (struct layer_stream){.code = &attempt->code,
                                      .factor = attempt->geometry.vector[0],
                                      .rows = rows,
                                      .z_parts = LAYER_STREAM_Z_PARTS,
                                      .associative = m->options->associative};
  if (!layer_stream_find(&ret->stream)) return false;
  ret->gain = layer_stream_gain(&ret->stream);
  ret->registers = layer_stream_registers(&ret->stream);
  if (ret->registers > LAYER_STREAM_REGISTERS)
    return layer_stream_give_up(
        &ret->stream,
        arena_format(m->from->arena,
                     "its layers and sums would take about %.0f registers of a thread",
                     ret->registers));
  return ret->gain > LAYER_STREAM_GAIN ||
         layer_stream_give_up(&ret->stream, "its elements share too few requests");
}

enum outcome plan_stream_layers(struct mapping *m)
{
  struct swept *ret = ARENA_NEW(m->from->arena, struct swept);
  bool found = false;

  if (!map_untiled(m) || m->flat || m->element < 4) return OUTCOME_PASSED;
  for (unsigned i = 0; i < sizeof layer_stream_rows / sizeof *layer_stream_rows && !found; i++) {
    found = try_rows(m, layer_stream_rows[i], ret);
    if (!found) code_drop_scan(&ret->attempt.code);
  }
  if (!found && ret->stream.reason && (m->from->carries || ret->stream.stages > 1))
    code_remark((struct code *)m->from, DIAG_NOT_MAPPED, NULL,
                "the threads of '%s' do not go through layers 16 bytes at once: %s",
                m->from->kernel->name, ret->stream.reason);
  const struct preconditions *preconditions = &ret->attempt.preconditions;
  m->behind = found ? ret : NULL;
  m->alone = found && map_is_constant(m) && !preconditions->multiple_count &&
             !preconditions->aligned_count && !preconditions->guard_count;
  return OUTCOME_PASSED;
}

static void report(struct mapping *m, const struct swept *s)
{
  const struct geometry *geometry = &s->attempt.geometry;
  const char *shape =
      arena_format(m->from->arena, "blocks of %lld x %lld elements for %lld x %lld threads",
                   (long long)geometry->block[0], (long long)geometry->block[1],
                   (long long)geometry->threads[0], (long long)geometry->threads[1]);

  map_take(
      m, s->gain,
      arena_format(
          m->from->arena,
          "%s, which load each layer once, 16 bytes at once, and add it to the sums that need it",
          shape));
  code_remark((struct code *)m->from, DIAG_MAPPED, NULL,
              "'%s' gets %s, which load each layer once, 16 bytes at once, and add it to the sums "
              "that need it: %.2f times as many requests as written",
              m->from->kernel->name, shape, 1 / s->gain);
  text_format(m->dump, "  plan map %lldx%lld threads %lldx%lld z-parts %d streaming gain %.2f\n",
              (long long)geometry->block[0], (long long)geometry->block[1],
              (long long)geometry->threads[0], (long long)geometry->threads[1],
              LAYER_STREAM_Z_PARTS, s->gain);
}

static bool add(struct mapping *m, struct swept *s)
{
  struct prediction prediction = {.registers = (unsigned)s->registers};
  struct arena *arena = m->from->arena;
  bool only = !m->out;

  if (only) {
    m->out = ARENA_NEW(arena, struct kernel_mapping);
    m->out->gain = map_over_written(m, s->gain);
  }
  layer_stream_build(&s->stream, &s->attempt.tiles.verbatim);
  int64_t least =
      map_is_constant(m) || map_is_forced(m) ? 0 : elements_for(m, &s->attempt.geometry);
  if (!map_build_aligned(m, &s->attempt, &prediction, least, m->alone ? NULL : "swept"))
    return false;
  struct mapped_version *version = &m->out->versions[m->out->version_count - 1];
  version->z_parts = LAYER_STREAM_Z_PARTS;
  /* else ptxas takes 48 registers for conv3d, and loads the filter for each layer */
  version->resident = 65536 / LAYER_STREAM_REGISTERS / LAYER_STREAM_THREADS;
  version->note = arena_format(
      arena,
      "with blocks of %lld x %lld elements for %lld x %lld threads, which load each "
      "layer once and add it to the sums that need it; %d blocks share the layers",
      (long long)version->block[0], (long long)version->block[1], (long long)version->threads[0],
      (long long)version->threads[1], LAYER_STREAM_Z_PARTS);
  if (only) {
    map_finish(m);
    m->out->plain = version->when || least > 1 ? m->from->facts.kernel : NULL;
    m->out->grid[2] *= LAYER_STREAM_Z_PARTS;
  }
  report(m, s);
  return true;
}

bool also_stream_layers(struct mapping *m)
{
  struct swept *s = m->behind;

  if (!s) return false;
  bool added = add(m, s);
  code_drop_scan(&s->attempt.code);
  return added;
}
