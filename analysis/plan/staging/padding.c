/* SPDX-License-Identifier: MIT */
/* padding.c - rows of a staged copy end a little later where lanes of a warp would meet on banks.
 *
 *     points[i][k], i = 128 blockIdx.x + threadIdx.x, 0 <= k < 16   =>   _s_points[128][17]
 *
 * The bank model (analysis/model/banks.c) counts the requests of each access for the copy as it is
 * and for rows of up to MOST_PADDING elements more; the least padding with the fewest requests is
 * taken. Requires: a copy of constant sizes and two dimensions or more, in a block of known shape,
 * with indices that are sums of thread indices times constants and what all threads of the warp
 * have in common. Gives up, and leaves the copy as it is: an index of another form; no room; more
 * loss by blocks that are no longer resident than gain by the banks. What a row ends with is never
 * read nor written. */
#include "analysis/model/model.h"
#include "analysis/plan/staging/planning.h"
#include "runtime/seeded.h"

enum { MOST_PADDING = 4, ROW_OF_BANKS = 128, OWN_SHARED = 1024 }; /* elements; bytes */

/* What a form grows by from thread to thread along the axis; false: that is no constant. */
static bool step_along(struct planning *p, isl_pw_aff *form, unsigned axis, int64_t *ret)
{
  struct symbol *thread =
      symbol_of_builtin(&p->symbols, (enum ir_builtin)(IR_THREAD_IDX + (int)axis));

  *ret = 0;
  if (isl_pw_aff_involves_param_id(form, thread->id) != isl_bool_true) return true;
  if (isl_pw_aff_isa_aff(form) != isl_bool_true) return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_space *space = isl_aff_get_domain_space(aff);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, thread->id);
  isl_val *by = at < 0 ? NULL : isl_aff_get_coefficient_val(aff, isl_dim_param, at);
  bool known = isl_aff_dim(aff, isl_dim_div) == 0 && by && isl_val_is_int(by) == isl_bool_true;

  if (known) *ret = (int64_t)isl_val_get_d(by);
  isl_val_free(by);
  isl_space_free(space);
  isl_aff_free(aff);
  return known;
}

/* Is the rest of the form, thread indices apart, the same for all threads of a warp? */
static bool rest_is_common(struct planning *p, isl_pw_aff *form)
{
  isl_space *space = isl_pw_aff_get_domain_space(form);

  for (int axis = 0; axis < 3; axis++) {
    struct symbol *thread = symbol_of_builtin(&p->symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
    int at = isl_space_find_dim_by_id(space, isl_dim_param, thread->id);
    if (at >= 0) space = isl_space_drop_dims(space, isl_dim_param, (unsigned)at, 1);
  }
  bool common = !symbols_differ(space);
  isl_space_free(space);
  return common;
}

/* What the place in the copy grows by along each axis, with `padding` more elements in a row. */
static bool steps_of(struct planning *p, const struct candidate *c, unsigned access,
                     int64_t padding, int64_t ret[3])
{
  for (unsigned d = 0; d < c->dim_count; d++)
    if (!rest_is_common(p, c->index[access * c->dim_count + d])) return false;
  for (unsigned axis = 0; axis < 3; axis++) {
    int64_t below = 1; /* elements of a step in the dimension */
    ret[axis] = 0;
    for (unsigned d = c->dim_count; d-- > 0;) {
      int64_t step;
      if (!step_along(p, c->index[access * c->dim_count + d], axis, &step)) return false;
      ret[axis] += step * below;
      below *= c->size[d] + (d + 1 == c->dim_count ? padding : 0);
    }
  }
  return true;
}

/* Of all accesses, as often as a thread makes them; below 0: an index is of another form. */
static double requests(struct planning *p, const struct candidate *c, int64_t padding)
{
  double all = 0;

  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    int64_t steps[3];
    if (!steps_of(p, c, i, padding, steps)) return -1;
    all += c->array->accesses.items[i].count *
           model_bank_requests(p->facts->block, steps, c->array->element->size);
  }
  return all;
}

static int64_t rows_of(const struct stage *stage)
{
  int64_t rows = 1;

  for (unsigned d = 0; d + 1 < stage->dim_count; d++) rows *= stage->dims[d].size;
  return rows;
}

void padding_wanted(struct planning *p, const struct candidate *c, struct stage *stage)
{
  bool constant = has_constant_block(p) && !c->segmentation && c->dim_count > 1 &&
                  c->array->element->size <= ROW_OF_BANKS / 8 && rows_of(stage) > 1;

  for (unsigned d = 0; d < c->dim_count && constant; d++) constant = c->size[d] > 0;
  if (!constant) return;
  stage->requests = requests(p, c, 0);
  double least = stage->requests;
  for (int64_t padding = 1; padding <= MOST_PADDING; padding++) {
    double with = requests(p, c, padding);
    if (with < 0 || with >= least) continue;
    least = with;
    stage->padding = padding;
  }
  stage->requests_padded = least;
}

static double resident(const struct planning *p, uint64_t bytes)
{
  const struct target *target = target_of(p->options->arch);
  double threads = (double)(p->facts->block[0] * p->facts->block[1] * p->facts->block[2]);
  double by_threads = (double)target->threads_per_sm / threads,
         by_bytes = (double)target->shared_per_sm / (double)(bytes + OWN_SHARED);

  return (double)(int64_t)(by_bytes < by_threads ? by_bytes : by_threads);
}

/* Bytes of all copies, each at a multiple of 16. */
static uint64_t bytes_of_all(const struct planning *p)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < p->out->stage_count; i++)
    bytes = (bytes + 15) / 16 * 16 + p->out->stages[i].bytes;
  return bytes;
}

void pad_copies(struct planning *p, uint64_t static_limit)
{
  for (unsigned i = 0; i < p->out->stage_count; i++) {
    struct stage *stage = &p->out->stages[i];
    uint64_t more = (uint64_t)(stage->padding * rows_of(stage) * stage->element->size),
             before = bytes_of_all(p), room = p->out->bytes + p->left;
    if (!stage->padding) continue;
    if (SEEDED(PADDING_UNCOUNTED)) more = 0;
    stage->bytes += more;
    uint64_t after = bytes_of_all(p);
    bool fits = after <= room && (after <= static_limit || before > static_limit),
         pays = stage->requests * resident(p, after) > stage->requests_padded * resident(p, before);
    if (fits && pays)
      text_format(&p->out->plan, "  plan pad %s rows by %lld: requests %g to %g\n",
                  stage->array->name, (long long)stage->padding, stage->requests,
                  stage->requests_padded);
    if (fits && pays) continue;
    stage->bytes -= more;
    stage->padding = 0;
  }
  uint64_t padded = bytes_of_all(p);
  p->left -= padded > p->out->bytes ? padded - p->out->bytes : 0;
  p->out->bytes = padded;
}
