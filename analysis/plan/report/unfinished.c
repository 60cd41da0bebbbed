/* SPDX-License-Identifier: MIT */
/* unfinished.c - the first reason of a kernel whose steps ended.
 *
 * Without steps each question stays open, and passes take that as an obstacle of their own:
 *
 *     'nested' keeps its mapping to threads: no loop reads the same elements again and again
 *
 * though nobody knows. Such refusals, made when the steps were used up, give way to one remark and
 * one decision, in front of all others:
 *
 *     'nested' is not examined to its end: its analysis, or that of its unit, takes too many steps;
 *     --effort=4 allows more
 *
 * So do all refusals of a plan that stands because the steps of a better one ended, the one that
 * lets the launch ask whether arguments overlap ("what the kernel writes under another name may
 * overlap it").
 *
 * Requires: the remarks of a planned kernel, whose budget still runs. Produces: remarks. Gives up:
 * never.
 */
#include "analysis/plan/report/unfinished.h"

#include "analysis/data/options.h"
#include "analysis/sets/budget.h"
#include "runtime/seeded.h"

#include <string.h>

enum { MORE = 4 }; /* times the effort that was not enough */

/* Does the remark say that something is left as it is? */
static bool refuses(enum diag_id id)
{
  switch (id) {
  case DIAG_NOT_MAPPED:
  case DIAG_NOT_STAGED:
  case DIAG_NOT_PROMOTED:
  case DIAG_NOT_PRIVATE:
  case DIAG_NOT_COOPERATIVE:
  case DIAG_NOT_TRANSPOSED:
  case DIAG_NOT_JAMMED:
  case DIAG_NOT_RESTRICTED:
  case DIAG_IF_KEPT:
  case DIAG_TILES_KEPT:
  case DIAG_IDS_APART:
  case DIAG_CALL_KEPT:
  case DIAG_TREES_KEPT:
  case DIAG_ARGUMENTS_KEPT:
  case DIAG_RANGES_KEPT: return true;
  default: return false;
  }
}

void unfinished_doubt(struct remarks *remarks)
{
  if (SEEDED(UNFINISHED_ASKING)) return;
  for (unsigned i = 0; i < remarks->items.count; i++) remarks->items.items[i].late = true;
  for (unsigned i = 0; i < remarks->decisions.count; i++)
    if (!remarks->decisions.items[i].taken) remarks->decisions.items[i].late = true;
}

/* Returns whether there were any. */
static bool drop_late(struct remarks *remarks)
{
  unsigned items = 0, decisions = 0;

  for (unsigned i = 0; i < remarks->items.count; i++)
    if (!remarks->items.items[i].late || !refuses(remarks->items.items[i].id))
      remarks->items.items[items++] = remarks->items.items[i];
  for (unsigned i = 0; i < remarks->decisions.count; i++)
    if (!remarks->decisions.items[i].late || remarks->decisions.items[i].taken)
      remarks->decisions.items[decisions++] = remarks->decisions.items[i];
  bool any = items < remarks->items.count || decisions < remarks->decisions.count;
  remarks->items.count = items;
  remarks->decisions.count = decisions;
  return any;
}

static void put_first(struct arena *arena, struct remarks *remarks, struct remark remark,
                      struct decision decision)
{
  ARENA_PUSH(arena, &remarks->items);
  memmove(remarks->items.items + 1, remarks->items.items,
          (remarks->items.count - 1) * sizeof remark);
  remarks->items.items[0] = remark;
  ARENA_PUSH(arena, &remarks->decisions);
  memmove(remarks->decisions.items + 1, remarks->decisions.items,
          (remarks->decisions.count - 1) * sizeof decision);
  remarks->decisions.items[0] = decision;
}

void unfinished_tell(struct arena *arena, const struct kernel_facts *facts, unsigned effort,
                     bool changed, struct remarks *remarks)
{
  unsigned used = effort > 0 ? effort : 1;

  if (!budget_was_cut() || SEEDED(UNFINISHED_UNTOLD)) return;
  if (!drop_late(remarks) && changed) return;
  const char *advice = used * MORE <= PLAN_MOST_EFFORT
                           ? arena_format(arena, "--effort=%u allows more", used * MORE)
                           : "its indices are too complex, or its unit should have fewer kernels";
  const char *why =
      arena_format(arena, "its analysis, or that of its unit, takes too many steps; %s", advice);
  put_first(
      arena, remarks,
      (struct remark){.id = DIAG_UNFINISHED,
                      .place = facts->kernel->name_place,
                      .text = arena_format(arena, "'%s' is not examined to its end: %s",
                                           facts->kernel->name, why)},
      (struct decision){.kind = DECISION_KERNEL, .place = facts->kernel->name_place, .why = why});
}
