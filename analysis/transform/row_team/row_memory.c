/* SPDX-License-Identifier: MIT */
/* row_memory.c - the effects of passes over a row on memory: the elements that stay in registers,
 * and the places where a team has to wait.
 *
 *     for (j ...) o[j] = 0;                              o[j]: a register of the thread that has
 *     for (k = 0; k < m; k++)                            iteration j of each pass; stored behind
 *       for (j ...) o[j] += a[k] * v[k * n + j];         the loop over k
 *
 * A wait stands behind a statement whose memory a later one uses, where one of them writes it,
 * unless the same thread has the element in both. A statement in a loop also comes after itself.
 * Requires: all events and groups.
 */
#include "analysis/transform/row_team/row_finding.h"

#include <math.h>

#include "runtime/seeded.h"

struct others {
  struct finding *f;
  const struct array *array;
  int group;  /* the group of the first access; -1: none yet */
  bool found; /* there are accesses of no group, or of another one */
};

static int group_at(const struct row_passes *out, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < out->place_count; i++)
    if (out->places[i].expr == expr) return (int)out->places[i].group;
  return -1;
}

static void note_other(struct ir_expr *expr, void *context)
{
  struct others *o = context;
  const struct code_access *found = code_access_of(o->f->code, expr);

  if (!found || found->array != o->array) return;
  int group = group_at(o->f->out, expr);
  if (o->group < 0) o->group = group;
  o->found |= group < 0 || group != o->group;
}

/* Checks that a pass accesses each element that it writes at one place only. */
static bool check_pass(struct finding *f, const struct event *event)
{
  for (unsigned i = 0; i < f->code->access.arrays.count; i++) {
    const struct array *array = f->code->access.arrays.items[i];
    struct others others = {f, array, -1, false};
    if (!(event->writes & row_bit_of(f, array))) continue;
    ir_visit_stmt_exprs(event->stmt->body, note_other, &others);
    if (others.found && !SEEDED(ROW_NEIGHBOURS_WRITTEN))
      return row_give_up(f, "an iteration accesses an element that another one writes",
                         &event->stmt->place);
  }
  return true;
}

/* A register keeps an element from pass to pass where all of them stand outside loops, or all in
 * one iteration of a loop. An element may be written by a pass in front of loops and by passes in
 * them. Then it is stored behind the last of these loops, since they may run no iteration. */
static void settle_loops(struct row_passes *out, struct row_group *group)
{
  const struct ir_stmt *first = out->around[group->pass], *last = NULL;
  uint64_t used = group->reads | group->writes;

  for (unsigned i = 0; i < out->pass_count; i++) {
    if (used >> i & 1 && first && out->around[i] != first) group->kept = false;
    if (group->writes >> i & 1 && out->outermost[i]) last = out->outermost[i];
  }
  bool all = !first && group->writes >> group->pass & 1;
  group->sunk = group->kept && !group->elsewhere && all ? last : NULL;
}

static void count_bytes(struct row_passes *out, const struct row_group *group)
{
  double size = (double)group->array->element->size, runs = 0;

  if (!group->own) return;
  out->bytes += size;
  for (unsigned i = 0; i < out->place_count; i++)
    if (&out->groups[out->places[i].group] == group) runs = fmax(runs, out->places[i].runs);
  if (group->moving) out->moved += size * (runs - 1);
}

/* Settles which groups stay in registers. Passes may use an array at several places, and other
 * statements may read it. */
static void settle_groups(struct finding *f)
{
  struct row_passes *out = f->out;

  for (unsigned g = 0; g < out->group_count; g++) {
    struct row_group *group = &out->groups[g];
    struct others others = {f, group->array, -1, false};
    uint64_t bit = row_bit_of(f, group->array), written = 0;
    for (unsigned i = 0; i < f->event_count; i++) {
      const struct event *event = &f->events[i];
      written |= event->writes & bit;
      if (event->pass) ir_visit_stmt_exprs(event->stmt->body, note_other, &others);
      if (event->pass) continue;
      group->elsewhere |= (event->reads & bit) != 0;
      group->kept &= !(event->writes & bit);
    }
    group->kept &= !group->maybe && !(group->moving && group->unsteady);
    group->kept &= !written || !others.found;
    settle_loops(out, group);
    count_bytes(out, group);
  }
}

static bool check_apart(struct finding *f)
{
  const struct kernel_access *access = &f->code->access;

  for (unsigned i = 0; i < access->arrays.count; i++)
    for (unsigned k = 0; k < access->arrays.count; k++) {
      const struct array *array = access->arrays.items[i], *other = access->arrays.items[k];
      if (i == k || !array->written || code_disjoint(f->code, array, other)) continue;
      return row_give_up(f,
                         arena_format(f->code->arena,
                                      "'%s' and '%s' may overlap, and one is written",
                                      array->var->name, other->var->name),
                         &f->code->kernel->name_place);
    }
  return true;
}

/* Do all accesses to the array belong to one group, and does one thread have each of its elements
 * in all passes? */
static bool same_thread(struct finding *f, const struct array *array)
{
  struct others others = {f, array, -1, false};
  uint64_t bit = row_bit_of(f, array);

  for (unsigned i = 0; i < f->event_count; i++) {
    const struct event *event = &f->events[i];
    if (!event->pass && ((event->reads | event->writes) & bit)) return false;
    if (event->pass) ir_visit_stmt_exprs(event->stmt->body, note_other, &others);
  }
  return !others.found && !(others.group >= 0 && f->out->groups[others.group].moving);
}

/* Does `b` run after `a`? In a loop around both, an earlier statement runs after `a` too, in the
 * next iteration. A single thread runs a statement beside passes, so such a statement does not wait
 * for itself. */
static bool comes_behind(const struct event *a, const struct event *b)
{
  bool again = a->outermost && a->outermost == b->outermost && !SEEDED(ROW_NEXT_FORGOTTEN);
  return b > a || (again && (a != b || a->pass));
}

static void find_waits(struct finding *f)
{
  uint64_t own = 0;

  for (unsigned i = 0; i < f->code->access.arrays.count && i < 64; i++)
    if (same_thread(f, f->code->access.arrays.items[i])) own |= (uint64_t)1 << i;
  for (unsigned i = 0; i < f->event_count; i++)
    for (unsigned k = 0; k < f->event_count; k++) {
      const struct event *a = &f->events[i], *b = &f->events[k];
      if (!comes_behind(a, b)) continue;
      uint64_t both = (a->writes & (b->reads | b->writes)) | (a->reads & b->writes);
      if (!(both & ~own) || SEEDED(ROW_WAIT_LOST)) continue;
      if (a->condition)
        row_give_up(f, "memory that a condition reads is written behind it", &a->stmt->place);
      f->out->waits[f->out->wait_count++] = a->stmt;
      break;
    }
}

bool row_check_memory(struct finding *f)
{
  if (!check_apart(f)) return false;
  for (unsigned i = 0; i < f->event_count; i++)
    if (f->events[i].pass && !check_pass(f, &f->events[i])) return false;
  settle_groups(f);
  if (!f->reason) find_waits(f);
  return !f->reason;
}
