/* SPDX-License-Identifier: MIT */
/* rank.c - the shapes of tile_plan.c with their predictions, as data for --explain and `mesicc
 * tune`, and the remark about the taken one.
 *
 *     128x64/16x8/16: 0.31 ms, instruction issue     64x64/16x16/16: 0.38 ms     as written: 2.9
 *         ms, the load/store unit
 *
 * Requires: measured shapes. Times are for the launch's size, or for the assumed one.
 */
#include "analysis/mapping/mapping.h"

#include <stdlib.h>
#include <string.h>

static const char *key_of(const struct mapping *m, const struct shape *shape)
{
  const struct geometry *g = &shape->geometry;

  return arena_format(m->from->arena, "%lldx%lld/%lldx%lld/%lld%s", (long long)g->block[0],
                      (long long)g->block[1], (long long)g->threads[0], (long long)g->threads[1],
                      (long long)shape->tile, g->fragments ? "/mma" : "");
}

static struct ranked_plan named(const struct mapping *m, unsigned shape)
{
  const struct geometry *g = &m->shapes[shape].geometry;
  const char *what = arena_format(
      m->from->arena,
      "blocks of %lld x %lld elements for %lld x %lld threads, tiles of %lld iterations%s",
      (long long)g->block[0], (long long)g->block[1], (long long)g->threads[0],
      (long long)g->threads[1], (long long)m->shapes[shape].tile,
      g->fragments ? ", products on tensor cores" : "");

  return (struct ranked_plan){.key = key_of(m, &m->shapes[shape]), .what = what};
}

void map_rank_unfit(const struct mapping *m, unsigned shape, const char *reason)
{
  struct remarks *remarks = m->from->remarks;
  struct ranked_plan plan = named(m, shape);

  for (unsigned i = 0; i < remarks->plans.count; i++)
    if (!remarks->plans.items[i].key && !strcmp(remarks->plans.items[i].why, reason)) {
      remarks->plans.items[i].others++;
      return;
    }
  plan.key = NULL;
  plan.why = reason;
  *ARENA_PUSH(m->from->arena, &remarks->plans) = plan;
}

static bool predicted(const struct mapping *m, unsigned shape, struct ranked_plan *ret)
{
  struct prediction prediction;

  *ret = named(m, shape);
  for (int axis = 0; axis < 2; axis++)
    ret->totals[axis] = m->totals[axis] > 0 ? m->totals[axis] : axis && m->flat ? 1 : m->assumed;
  if (!m->loads[shape].count) return false;
  if (!model_predict(&m->loads[shape], ret->totals, m->target, &prediction)) {
    ret->key = NULL;
    ret->why = "it needs more registers or shared memory than there are";
    return true;
  }
  ret->milliseconds = model_milliseconds(m->target, prediction.mapped);
  ret->written = model_milliseconds(m->target, prediction.written);
  ret->bound = prediction.mapped_bound;
  ret->written_bound = prediction.written_bound;
  ret->registers = prediction.registers;
  ret->resident = prediction.blocks_per_sm;
  ret->shared_bytes = (uint64_t)m->loads[shape].shared;
  return true;
}

static int by_time(const void *a, const void *b)
{
  const struct ranked_plan *x = a, *y = b;

  if ((x->milliseconds > 0) != (y->milliseconds > 0)) return x->milliseconds > 0 ? -1 : 1;
  return x->milliseconds < y->milliseconds ? -1 : x->milliseconds > y->milliseconds;
}

void map_rank(const struct mapping *m, int taken, const char *why)
{
  struct remarks *remarks = m->from->remarks;
  struct ranked_plan plan, found[MOST_SHAPES];
  unsigned count = 0;

  for (unsigned i = 0; i < m->shape_count; i++)
    if (predicted(m, i, &plan)) {
      plan.taken = (int)i == taken;
      plan.why = plan.why ? plan.why : taken < 0 ? why : NULL;
      found[count++] = plan;
    }
  qsort(found, count, sizeof *found, by_time);
  for (unsigned i = 0; i < count; i++) *ARENA_PUSH(m->from->arena, &remarks->plans) = found[i];
}

/* The elements of a tile's copy, by dimension, for a decision. */
static const int64_t *copied_elements(struct arena *arena, const struct stage *stage)
{
  int64_t *sizes = arena_alloc(arena, (stage->dim_count + 1) * sizeof *sizes);

  for (unsigned d = 0; d < stage->dim_count; d++) sizes[d] = stage->dims[d].size;
  return sizes;
}

void map_note_tiles(const struct mapping *m, const struct tiles *tiles)
{
  struct arena *arena = m->from->arena;

  for (unsigned i = 0; i < tiles->count; i++)
    for (unsigned k = 0; k < tiles->items[i].array_count; k++) {
      const struct tile_array *array = &tiles->items[i].arrays[k];
      const char *next =
          array->next_registers
              ? arena_format(arena, ", the next ones on their way in %u registers of each thread",
                             array->next_registers)
              : "";
      const char *what =
          arena_format(arena, "%lld iterations at a time, %llu bytes%s, %u element%s at once%s",
                       (long long)tiles->items[i].size, (unsigned long long)array->bytes,
                       tiles->items[i].buffered && !array->stored ? " in two copies" : "",
                       array->vector, array->vector > 1 ? "s" : "", next);
      const char *why =
          array->stored ? "each thread writes a row of its own, in whole lines"
          : array->streamed
              ? "it is read in whole lines, ahead of its use"
              : arena_format(arena, "a block uses an element of a tile %.3g times", array->reuse);
      code_decide((struct code *)m->from,
                  (struct decision){.kind = DECISION_TILES,
                                    .taken = true,
                                    .place = tiles->items[i].loop->place,
                                    .array = array->stage.array->name,
                                    .what = what,
                                    .why = why,
                                    .copy = copied_elements(arena, &array->stage),
                                    .copy_dims = array->stage.dim_count});
    }
}

/* ---- the mapping that is taken ---- */

static unsigned staged_count(const struct tiles *tiles)
{
  unsigned count = 0;

  for (unsigned i = 0; i < tiles->count; i++) count += tiles->items[i].array_count;
  return count;
}

/* The number of arrays that keep their layout and are copied several elements at once (`wide`), or
 * by single elements. */
static unsigned count_copies(const struct tiles *tiles, bool wide)
{
  unsigned count = 0;

  for (unsigned i = 0; i < tiles->count; i++)
    for (unsigned k = 0; k < tiles->items[i].array_count; k++) {
      const struct tile_array *array = &tiles->items[i].arrays[k];
      unsigned last = array->stage.dim_count - 1;
      int64_t size = array->stage.element->size;
      count += array->pipelining == TILE_ASYNCHRONOUS && array->order[last] == last &&
               (size == 4 || size == 8) && (array->vector > 1) == wide;
    }
  return count;
}

struct described map_describe(const struct mapping *m, const struct tiles *tiles)
{
  struct described d = {staged_count(tiles), count_copies(tiles, true), count_copies(tiles, false),
                        tiles->items[0].size, ""};

  for (unsigned i = 0; i < tiles->count; i++)
    for (unsigned k = 0; k < tiles->items[i].array_count; k++)
      d.names = arena_format(m->from->arena, "%s%s%s", d.names, *d.names ? ", " : "",
                             tiles->items[i].arrays[k].stage.array->name);
  return d;
}

void map_report(const struct mapping *m, const struct described *staged, struct text *dump)
{
  struct code *code = (struct code *)m->from;
  const struct kernel_mapping *mapping = m->out;
  const struct mapped_version *first = &mapping->versions[0];
  long long shape[4] = {first->block[0], first->block[1], first->threads[0], first->threads[1]};
  const char *order = "";

  for (unsigned i = 0; i < mapping->version_count; i++)
    order =
        mapping->versions[i].means
            ? "; products of doubles on tensor cores, their sums may be rounded in another order"
            : order;
  map_take(m, mapping->gain,
           arena_format(
               code->arena,
               "blocks of %lld x %lld elements for %lld x %lld threads; %s staged tile by tile%s",
               shape[0], shape[1], shape[2], shape[3], staged->names, order));
  code_remark(code, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld x %lld elements for %lld x %lld threads; %s staged tile by "
              "tile, %llu bytes%s; predicted gain %.1f",
              code->kernel->name, shape[0], shape[1], shape[2], shape[3], staged->names,
              (unsigned long long)first->shared_bytes, order, mapping->gain);
  text_format(dump,
              "  plan map %lldx%lld threads %lldx%lld tile %lld%s staged %s bytes %llu gain %.1f\n",
              shape[0], shape[1], shape[2], shape[3], (long long)staged->tile,
              first->means ? " products" : "", staged->names,
              (unsigned long long)first->shared_bytes, mapping->gain);
  for (unsigned i = 1; i < mapping->version_count; i++) {
    const struct mapped_version *version = &mapping->versions[i];
    text_format(dump, "  plan map %s %lldx%lld threads %lldx%lld%s bytes %llu from %lld\n",
                version->specialised ? "exact"
                : version->suffix    ? version->suffix
                                     : "general",
                (long long)version->block[0], (long long)version->block[1],
                (long long)version->threads[0], (long long)version->threads[1],
                version->means ? " products" : "", (unsigned long long)version->shared_bytes,
                (long long)version->least);
  }
}
