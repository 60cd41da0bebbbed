/* SPDX-License-Identifier: MIT */
/* footprint.c - the elements that a block touches.
 *
 *     { [i] : i = 128 blockIdx.x + threadIdx.x, 0 <= threadIdx.x < 128, i < n }
 *   =>  [blockIdx.x, n] -> { [d] : 128 blockIdx.x <= d <= 128 blockIdx.x + 127 and d < n }
 *
 * Requires: shape. Produces: may, must and their parts. An access with an unknown in its domain or
 * index is never a must.
 */
#include "analysis/range/candidate.h"

isl_set *candidate_elements(struct symbols *symbols, const struct candidate *c, unsigned i,
                            isl_set *domain)
{
  isl_set *set = NULL;

  for (unsigned d = 0; d < c->dim_count; d++) {
    isl_set *dim = isl_set_from_pw_aff(isl_pw_aff_copy(c->index[i * c->dim_count + d]));
    set = set ? isl_set_flat_product(set, dim) : dim;
  }
  return symbols_close(symbols, isl_set_intersect_params(set, isl_set_copy(domain)));
}

/* The same with threads and loops projected out. */
static isl_set *touched(struct symbols *symbols, struct candidate *c, unsigned access,
                        isl_set *domain)
{
  isl_set *set = candidate_elements(symbols, c, access, domain);
  return isl_set_coalesce(symbols_project_threads(set));
}

bool candidate_certain(const struct candidate *c, unsigned i)
{
  const struct access *access = &c->array->accesses.items[i];
  isl_set *all = isl_set_copy(access->domain);

  for (unsigned d = 0; d < c->dim_count; d++)
    all =
        isl_set_intersect(all, isl_pw_aff_params(isl_pw_aff_copy(c->index[i * c->dim_count + d])));
  isl_space *space = isl_set_get_space(all);
  bool unknown = symbols_any_unknown(space);
  isl_space_free(space);
  isl_set_free(all);
  for (unsigned d = 0; d < c->dim_count && !unknown; d++) {
    isl_space *index = isl_pw_aff_get_domain_space(c->index[i * c->dim_count + d]);
    unknown = symbols_any_unknown(index);
    isl_space_free(index);
  }
  return access->must && !unknown;
}

static void merge(isl_set **into, isl_set *set, bool wanted)
{
  if (wanted) *into = isl_set_union(*into, isl_set_copy(set));
}

void candidate_footprint(struct symbols *symbols, struct candidate *c)
{
  isl_set **all[] = {&c->may, &c->may_read, &c->may_write, &c->must, &c->must_write, &c->loose};

  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = isl_set_empty(isl_space_set_alloc(symbols->ctx, 0, c->dim_count));
  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    const struct access *access = &c->array->accesses.items[i];
    isl_set *set = touched(symbols, c, i, access->domain);
    bool must = candidate_certain(c, i);
    bool no_ifs = isl_set_plain_is_equal(access->domain, access->loops) == isl_bool_true;
    c->loose =
        isl_set_union(c->loose, no_ifs ? isl_set_copy(set) : touched(symbols, c, i, access->loops));
    if (c->has_extents || c->dim_count > 1) set = isl_set_intersect(set, isl_set_copy(c->valid));
    merge(&c->may, set, true);
    bool reads = access->read || (access->write && access->partial);
    merge(&c->may_read, set, reads && candidate_exposed(symbols, c, i));
    merge(&c->may_write, set, access->write);
    merge(&c->must, set, must);
    merge(&c->must_write, set, must && access->write && !access->partial);
    isl_set_free(set);
  }
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) *all[i] = isl_set_coalesce(*all[i]);
}

void candidate_finish(struct candidate *c)
{
  isl_set *sets[] = {c->valid,      c->may,   c->may_read, c->may_write, c->must,
                     c->must_write, c->loose, c->box,      c->load_set,  c->store_set};

  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) isl_set_free(sets[i]);
  for (unsigned d = 0; d < ACCESS_DIMS; d++) {
    isl_pw_aff_free(c->offset[d]);
    isl_pw_aff_free(c->length[d]);
  }
  for (unsigned i = 0; c->index && i < c->array->accesses.count * c->dim_count; i++)
    isl_pw_aff_free(c->index[i]);
}
