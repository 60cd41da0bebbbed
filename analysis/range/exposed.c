/* SPDX-License-Identifier: MIT */
/* exposed.c - reads of values from before the kernel.
 *
 *     c[i] = 0;
 *     for (int k = 0; k < n; k++) c[i] += a[k];      c is read, but never its old value
 *     if (i > 0) c[i] += c[i - 1];                   c[i - 1] is exposed: another thread's element
 *
 * A read is covered by an earlier write of the same thread that certainly happens and writes the
 * whole element: the elements of each read must be among those written by then. Loops around both
 * are in the same iteration; a loop around the write alone has run to its end. An array whose reads
 * are all covered is not copied in (section 4.4.1 of the explicit-cache paper, and beyond it).
 * Requires: shape; accesses in the order in which a thread makes them. Produces: an answer. Gives
 * up (exposed): an unknown in the write, a loop around it without an iterator.
 */
#include "analysis/range/candidate.h"
#include "runtime/seeded.h"

enum { MOST_WRITES = 8 };

static bool is_around(const struct nest_level *level, const struct access *access)
{
  for (const struct nest_level *other = access->nest; other; other = other->outer)
    if (other == level) return true;
  return false;
}

/* The elements { [d0, ...] } of one access, by thread and iteration. */
static isl_set *elements_of(struct symbols *symbols, const struct candidate *c, unsigned i)
{
  const struct access *access = &c->array->accesses.items[i];
  isl_set *set = NULL;

  for (unsigned d = 0; d < c->dim_count; d++) {
    isl_set *dim = isl_set_from_pw_aff(isl_pw_aff_copy(c->index[i * c->dim_count + d]));
    set = set ? isl_set_flat_product(set, dim) : dim;
  }
  if (c->has_extents || c->dim_count > 1) set = isl_set_intersect(set, isl_set_copy(c->valid));
  return symbols_close(symbols, isl_set_intersect_params(set, isl_set_copy(access->domain)));
}

static isl_set *without(isl_set *set, const struct symbol *symbol)
{
  int at = set ? isl_set_find_dim_by_id(set, isl_dim_param, symbol->id) : -1;
  return at < 0 ? set : isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
}

/* The elements that a thread has written by access `w` when it reaches `read`. NULL: not known. */
static isl_set *written_by(struct symbols *symbols, const struct candidate *c, unsigned w,
                           const struct access *read)
{
  isl_set *set = elements_of(symbols, c, w);

  for (const struct nest_level *level = c->array->accesses.items[w].nest; level && set;
       level = level->outer) {
    if (is_around(level, read)) continue;
    set = level->symbol ? without(set, level->symbol) : isl_set_free(set);
  }
  return set;
}

bool candidate_exposed(struct symbols *symbols, const struct candidate *c, unsigned i)
{
  const struct access *read = &c->array->accesses.items[i];
  bool covered = false;

  for (unsigned w = 0, seen = 0; w < i && seen < MOST_WRITES && !covered; w++) {
    const struct access *write = &c->array->accesses.items[w];
    if (!write->write || write->partial || write->chosen ||
        !(candidate_certain(c, w) || SEEDED(COVERED_BY_CHANCE)))
      continue;
    seen++;
    isl_set *elements =
        isl_set_intersect_params(elements_of(symbols, c, i), isl_set_copy(symbols->context));
    isl_set *before = written_by(symbols, c, w, read);
    covered = before && isl_set_is_subset(elements, before) == isl_bool_true;
    isl_set_free(elements);
    isl_set_free(before);
  }
  return !covered;
}
