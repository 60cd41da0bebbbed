/* SPDX-License-Identifier: MIT */
/* stage.c - turns a candidate into a struct stage: offsets, guards and indices as IR.
 *
 *     u[i - 1], i = 128 blockIdx.x + threadIdx.x, offset 128 blockIdx.x - 1   =>  index threadIdx.x
 *
 * An index with an affine difference to the offset is printed from that difference, any other as
 * source - offset. One with quotients, such as (t + k) % 32, is printed as written if the offset is
 * 0. Requires: a legal candidate. Gives up: an offset, guard or index without IR form.
 */
#include "analysis/range/candidate.h"
#include "analysis/sets/budget.h"
#include "analysis/sets/lower.h"
#include "analysis/sets/stride.h"
#include "runtime/seeded.h"

enum { GUARD_CONSTRAINTS = 16 };

static struct ir_var *element_var(struct stager *stager, bool wide, unsigned dim)
{
  struct ir_var **slot = &stager->element_vars[wide][dim];

  if (!*slot) {
    struct arena *arena = stager->unit->arena;
    *slot = ARENA_NEW(arena, struct ir_var);
    (*slot)->id = UINT32_MAX;
    (*slot)->kind = IR_VAR_LOCAL;
    (*slot)->name =
        unit_fresh_name(stager->unit, arena_format(arena, wide ? "_gl%u" : "_g%u", dim));
    (*slot)->type = lower_int_type(arena, wide);
  }
  return *slot;
}

static struct ir_expr *lower_stride(struct symbols *symbols, const struct stride *stride)
{
  struct ir_expr *expr = stride_expr(symbols, NULL, stride->symbol);

  return expr ? expr
              : ir_build_int(symbols->arena,
                             stride->constant + (stride->constant > 1 && SEEDED(WRONG_STRIDE)));
}

static bool has_wide_index(const struct candidate *c)
{
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    if (c->array->accesses.items[i].wide) return true;
  return false;
}

static bool lower_dims(struct stager *stager, struct symbols *symbols, struct candidate *c,
                       struct stage *stage)
{
  stage->dims = arena_alloc(symbols->arena, c->dim_count * sizeof *stage->dims);
  stage->element_vars = arena_alloc(symbols->arena, c->dim_count * sizeof *stage->element_vars);
  stage->strides =
      c->is_flat ? arena_alloc(symbols->arena, c->dim_count * sizeof *stage->strides) : NULL;
  stage->wide = c->is_flat && has_wide_index(c);
  for (unsigned d = 0; d < c->dim_count; d++) {
    struct stage_dim *dim = &stage->dims[d];
    dim->size = c->length[d] ? -1 : c->size[d] - SEEDED(RANGE_SHORT);
    dim->length = c->length[d] ? lower_wide(symbols, c->length[d]) : NULL;
    dim->extent = c->is_flat ? -1 : c->array->extents[d];
    dim->offset = lower_aff(symbols, c->offset[d]);
    if (dim->offset && SEEDED(RANGE_LATE))
      dim->offset =
          ir_build_binary(symbols->arena, IR_OP_ADD, dim->offset, ir_build_int(symbols->arena, 1));
    if (!dim->offset || (c->length[d] && !dim->length)) return false;
    stage->element_vars[d] =
        element_var(stager, dim->offset->type && dim->offset->type->size > 4, d);
    if (c->is_flat) stage->strides[d] = lower_stride(symbols, &c->strides[d]);
  }
  return true;
}

static bool lower_guards(struct symbols *symbols, struct candidate *c, struct stage *stage)
{
  if (c->load_set) {
    stage->load_guard = lower_set(symbols, c->load_set, stage->element_vars, GUARD_CONSTRAINTS);
    if (!stage->load_guard) return false;
  }
  if (c->store_set) {
    stage->store_guard = lower_set(symbols, c->store_set, stage->element_vars, GUARD_CONSTRAINTS);
    if (!stage->store_guard) return false;
  }
  return true;
}

/* Has the form quotients, or several pieces? */
static bool is_long(isl_pw_aff *form)
{
  if (isl_pw_aff_isa_aff(form) != isl_bool_true) return true;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  bool divides = isl_aff_dim(aff, isl_dim_div) > 0;
  isl_aff_free(aff);
  return divides;
}

static struct ir_expr *lower_position(struct symbols *symbols, struct candidate *c,
                                      const struct access *access, unsigned i, unsigned d,
                                      const struct stage_dim *dim)
{
  struct ir_expr *source = c->is_flat && c->dim_count > 1 ? NULL : access->source[d];
  int64_t offset;
  bool begins = ir_constant(dim->offset, &offset) && offset == 0;

  if (!access->has_effects && source && begins && is_long(c->index[i * c->dim_count + d]))
    return source;
  if (!access->has_effects) {
    isl_pw_aff *form = isl_pw_aff_coalesce(
        isl_pw_aff_sub(isl_pw_aff_copy(c->index[i * c->dim_count + d]),
                       SEEDED(INDEX_OFFSET_MISSING) ? symbols_constant(symbols, 0)
                                                    : isl_pw_aff_copy(c->offset[d])));
    struct ir_expr *expr = lower_index(symbols, form);
    isl_pw_aff_free(form);
    if (expr) return expr;
  }
  if (!source) return NULL;
  if (begins) return source;
  return ir_build_binary(symbols->arena, IR_OP_SUB, source, dim->offset);
}

static bool lower_accesses(struct symbols *symbols, struct candidate *c, struct stage *stage)
{
  stage->access_count = c->array->accesses.count;
  stage->accesses = arena_alloc(symbols->arena, stage->access_count * sizeof *stage->accesses);
  for (unsigned i = 0; i < stage->access_count; i++) {
    const struct access *access = &c->array->accesses.items[i];
    struct stage_access *out = &stage->accesses[i];
    out->expr = access->expr;
    out->index = arena_alloc(symbols->arena, c->dim_count * sizeof *out->index);
    for (unsigned d = 0; d < c->dim_count; d++) {
      out->index[d] = lower_position(symbols, c, access, i, d, &stage->dims[d]);
      if (!out->index[d]) {
        candidate_reject(c, &access->place,
                         "an index cannot be written in terms of the staged copy");
        return false;
      }
    }
  }
  return true;
}

static void use_positions(struct symbols *symbols, struct candidate *c, struct stage *stage)
{
  stage->segmentation = c->segmentation;
  stage->dim_count = 1;
  stage->dims = arena_alloc(symbols->arena, sizeof *stage->dims);
  *stage->dims =
      (struct stage_dim){-1, ir_build_int(symbols->arena, 0), -1, c->segmentation->elements};
  stage->access_count = c->array->accesses.count;
  stage->accesses =
      arena_alloc(symbols->arena, (stage->access_count + 1) * sizeof *stage->accesses);
  for (unsigned i = 0; i < stage->access_count; i++)
    stage->accesses[i] = (struct stage_access){c->array->accesses.items[i].expr, &c->positions[i]};
}

bool candidate_lower(struct stager *stager, struct symbols *symbols, struct candidate *c,
                     struct stage *ret)
{
  struct stage stage = {
      .array = c->array->var,
      .element = c->array->element,
      .dim_count = c->dim_count,
      .is_flat = c->is_flat,
      .load = c->load,
      .store = c->store,
      .bytes = c->bytes,
      .count = c->count,
      .no_alias = c->no_alias,
      .no_alias_count = c->no_alias_count,
      .values = c->values,
  };

  if (c->segmentation) {
    use_positions(symbols, c, &stage);
    *ret = stage;
    return true;
  }
  if (!lower_dims(stager, symbols, c, &stage))
    candidate_reject(c, &c->place,
                     "where its range begins cannot be written at the head of the kernel");
  else if (!lower_guards(symbols, c, &stage))
    candidate_reject(c, &c->place,
                     budget_obstacle("the set of its elements that a block uses is too complex"));
  else if (lower_accesses(symbols, c, &stage)) {
    *ret = stage;
    return true;
  }
  return false;
}
