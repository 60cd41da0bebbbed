/* SPDX-License-Identifier: MIT */
/* segments_bounds.c - the bounds that a launch finds for the segments of a copy.
 *
 *     t[f * blockDim.x + threadIdx.x] + o[s * F + f]
 *         =>  for segment f: t at f * blockDim.x ... + blockDim.x - 1, step 1;
 *                                                            o at f ... f + (S - 1) * F, step F;
 *                                                                low: t.low + o.low
 *
 * Requires: a base. Produces: host arithmetic. Gives up: positions without bounds that the launch's
 * arguments give.
 */
#include "analysis/sets/ends.h"
#include "analysis/sets/lower.h"
#include "analysis/sets/stride.h"
#include "analysis/range/segments.h"

enum { MOST_TABLES = 8 };

/* ---- hulls over threads and inner loops, as host arithmetic ---- */

static bool host_knows(struct segmenting *r, const struct symbol *symbol)
{
  return symbol == r->segment || symbol_known_at_launch(symbol);
}

/* The least and the greatest value of `form` in `loops`, over all quantities that the host does not
 * know. */
static bool hull(struct segmenting *r, isl_pw_aff *form, isl_set *loops, struct ir_expr *ret[2])
{
  isl_set *set =
      isl_set_intersect_params(isl_set_from_pw_aff(isl_pw_aff_copy(form)), isl_set_copy(loops));

  set = symbols_close(r->symbols, set);
  isl_space *space = isl_set_get_space(set);
  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (!host_knows(r, symbol_of_param(space, (unsigned)i)))
      set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  bool bounded = isl_set_dim_has_lower_bound(set, isl_dim_set, 0) == isl_bool_true &&
                 isl_set_dim_has_upper_bound(set, isl_dim_set, 0) == isl_bool_true &&
                 isl_set_is_empty(set) == isl_bool_false;
  isl_pw_aff *low = bounded ? ends_only_piece(isl_set_dim_min(isl_set_copy(set), 0)) : NULL;
  isl_pw_aff *high = bounded ? ends_only_piece(isl_set_dim_max(isl_set_copy(set), 0)) : NULL;
  ret[0] = low ? lower_wide(r->symbols, low) : NULL;
  ret[1] = high ? lower_wide(r->symbols, high) : NULL;
  isl_pw_aff_free(low);
  isl_pw_aff_free(high);
  isl_set_free(set);
  return ret[0] && ret[1];
}

struct ir_expr *segment_sum(struct segmenting *r, struct ir_expr *sum, struct ir_expr *term)
{
  int64_t value;

  if (!sum || (ir_constant(ir_strip(sum), &value) && value == 0)) return term;
  return ir_constant(ir_strip(term), &value) && value == 0
             ? sum
             : ir_build_binary(r->symbols->arena, IR_OP_ADD, sum, term);
}

struct ir_expr *segment_times(struct segmenting *r, struct ir_expr *expr,
                              struct symbol *const stride[STRIDE_FACTORS])
{
  int64_t value;

  if (ir_constant(ir_strip(expr), &value) && value == 0) return expr;
  return stride_expr(r->symbols, expr, stride);
}

/* The only symbol of `form` that the host does not know, and its coefficient. NULL: there is none,
 * or there are several (*ret_count). */
static const struct symbol *only_varying(struct segmenting *r, isl_pw_aff *form,
                                         int64_t *ret_coefficient, unsigned *ret_count)
{
  const struct symbol *found = NULL;
  isl_aff *aff =
      isl_pw_aff_isa_aff(form) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(form)) : NULL;

  if (!aff || isl_aff_dim(aff, isl_dim_div)) {
    *ret_count += 2;
    isl_aff_free(aff);
    return NULL;
  }
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_space_free(space);
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    if (isl_val_is_zero(coefficient) != isl_bool_true && !host_knows(r, symbol)) {
      found = symbol;
      *ret_coefficient = isl_val_get_num_si(coefficient);
      ++*ret_count;
    }
    isl_val_free(coefficient);
  }
  isl_aff_free(aff);
  return found;
}

static struct ir_expr *step_of(struct segmenting *r, const struct value *index)
{
  struct ir_expr *step = NULL;
  unsigned count = 0;

  for (unsigned t = 0; t <= index->term_count; t++) {
    int64_t coefficient = 0;
    isl_pw_aff *form = t ? index->terms[t - 1].coefficient : index->aff;
    if (!only_varying(r, form, &coefficient, &count)) continue;
    step = ir_build_int(r->symbols->arena, coefficient < 0 ? -coefficient : coefficient);
    if (t && (coefficient == 1 || coefficient == -1)) step = NULL;
    struct symbol *const *stride = t ? index->terms[t - 1].stride : NULL;
    if (stride) step = stride_expr(r->symbols, step, stride);
  }
  return count == 1 && step ? step : ir_build_int(r->symbols->arena, 1);
}

static bool strides_known(const struct value *index)
{
  for (unsigned t = 0; t < index->term_count; t++)
    for (unsigned s = 0; s < STRIDE_FACTORS && index->terms[t].stride[s]; s++)
      if (!symbol_known_at_launch(index->terms[t].stride[s])) return false;
  return true;
}

struct ir_var *segment_launch_var(struct segmenting *r, const char *name, int64_t value)
{
  struct ir_var *var = ARENA_NEW(r->symbols->arena, struct ir_var);

  var->id = UINT32_MAX;
  var->kind = IR_VAR_LAUNCH;
  var->name = name;
  var->type = lower_int_type(r->symbols->arena, true);
  var->value = value;
  return var;
}

static unsigned param_number(struct segmenting *r, const struct ir_var *var)
{
  const struct ir_function *kernel = r->symbols->facts->kernel;
  unsigned i = 0;

  while (kernel->params[i] != var) i++;
  return i;
}

/* The part of the table that is read for one segment. */
bool segment_table_part(struct segmenting *r, const struct symbol *symbol, isl_set *loops,
                        unsigned number, struct table_part *ret)
{
  const struct value *index = symbol->read.index;
  struct ir_expr *bounds[2];

  if (!index->aff || !strides_known(index) || !hull(r, index->aff, loops, bounds)) return false;
  ret->first = bounds[0];
  ret->last = bounds[1];
  for (unsigned t = 0; t < index->term_count; t++) {
    if (!hull(r, index->terms[t].coefficient, loops, bounds)) return false;
    ret->first = segment_sum(r, ret->first, segment_times(r, bounds[0], index->terms[t].stride));
    ret->last = segment_sum(r, ret->last, segment_times(r, bounds[1], index->terms[t].stride));
  }
  ret->wraps = symbol->read.wraps;
  ret->step = step_of(r, index);
  ret->param = param_number(r, symbol->read.table);
  ret->element = symbol->read.element;
  ret->low = segment_launch_var(r, "low", TABLE_LOW - 2 * (int64_t)number);
  ret->high = segment_launch_var(r, "high", TABLE_HIGH - 2 * (int64_t)number);
  return true;
}

/* ---- positions ---- */

/* Adds coefficient * [low, high] of a table to the bounds. */
static bool add_table(struct segmenting *r, struct segmentation *out, const struct symbol *symbol,
                      int64_t coefficient, isl_set *loops, struct ir_expr *bounds[2])
{
  struct arena *arena = r->symbols->arena;

  if (out->table_count == MOST_TABLES ||
      !segment_table_part(r, symbol, loops, out->table_count, &out->tables[out->table_count]))
    return false;
  struct table_part *table = &out->tables[out->table_count++];
  segment_counts(r, symbol, loops, table);
  for (unsigned b = 0; b < 2; b++) {
    struct ir_expr *term =
        ir_build_var(arena, (coefficient < 0) == (b == 0) ? table->high : table->low);
    if (coefficient != 1)
      term = ir_build_binary(arena, IR_OP_MUL, term, ir_build_int(arena, coefficient));
    bounds[b] = segment_sum(r, bounds[b], term);
  }
  return true;
}

/* The bounds of an access's position in its segment. */
static bool bound_position(struct segmenting *r, struct segmentation *out, unsigned i,
                           struct ir_expr *bounds[2])
{
  isl_set *loops = r->c->array->accesses.items[i].loops;
  isl_pw_aff *form = segment_position(r, i),
             *rest = segment_part(r, form, segment_is_no_table, true),
             *tables = segment_part(r, form, segment_is_no_table, false);
  isl_aff *constant = isl_pw_aff_as_aff(isl_pw_aff_copy(form)), *aff = isl_pw_aff_as_aff(tables);
  rest = isl_pw_aff_add_constant_val(rest, isl_aff_get_constant_val(constant));
  bool fine = hull(r, rest, loops, bounds);

  for (int k = 0; k < isl_aff_dim(aff, isl_dim_param) && fine; k++) {
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, k);
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)k);
    isl_space_free(space);
    if (isl_val_is_zero(coefficient) != isl_bool_true)
      fine = symbol->from_table &&
             add_table(r, out, symbol, isl_val_get_num_si(coefficient), loops, bounds);
    isl_val_free(coefficient);
  }
  isl_aff_free(constant);
  isl_aff_free(aff);
  isl_pw_aff_free(rest);
  isl_pw_aff_free(form);
  return fine;
}

static bool bound_positions(struct segmenting *r, struct segmentation *out)
{
  out->tables = arena_alloc(r->symbols->arena, MOST_TABLES * sizeof *out->tables);
  for (unsigned i = 0; i < r->c->array->accesses.count; i++) {
    struct ir_expr *bounds[2] = {NULL, NULL};
    if (!bound_position(r, out, i, bounds)) return false;
    if (!i) {
      out->low = bounds[0];
      out->high = bounds[1];
      continue;
    }
    struct arena *arena = r->symbols->arena;
    out->low = ir_build_cond(arena, ir_build_binary(arena, IR_OP_LT, bounds[0], out->low),
                             bounds[0], out->low);
    out->high = ir_build_cond(arena, ir_build_binary(arena, IR_OP_GT, bounds[1], out->high),
                              bounds[1], out->high);
  }
  return true;
}

/* ---- segments ---- */

/* for (int f = 0; f < n; f++) with a parameter n */
static struct ir_var *count_of(struct segmenting *r)
{
  for (unsigned i = r->outer; i < r->depth; i++) {
    const struct ir_loop *loop = r->nest[i]->symbol == r->segment ? r->nest[i]->stmt->loop : NULL;
    const struct ir_expr *bound = loop && loop->relation == IR_OP_LT ? ir_strip(loop->bound) : NULL;
    if (bound && bound->kind == IR_EXPR_VAR && bound->var->kind == IR_VAR_PARAM &&
        !bound->var->write_count && !bound->var->address_taken)
      return bound->var;
  }
  return NULL;
}

static bool set_segments(struct segmenting *r, struct segmentation *out)
{
  struct arena *arena = r->symbols->arena;
  struct symbol *segment = r->segment;
  struct ir_expr *bounds[2];

  out->segments = ir_build_int(arena, 1);
  if (!segment) return true;
  out->segment = segment->var;
  out->count = count_of(r);
  isl_pw_aff *form = symbol_aff(r->symbols, segment);
  r->segment = NULL;
  bool known = hull(r, form, r->c->array->accesses.items[0].loops, bounds);
  r->segment = segment;
  isl_pw_aff_free(form);
  if (known) out->segments = ir_build_binary(arena, IR_OP_ADD, bounds[1], ir_build_int(arena, 1));
  return known;
}

bool segment_bounds(struct segmenting *r, struct segmentation *out)
{
  if (!set_segments(r, out) || !bound_positions(r, out)) return false;
  out->even = segment_even(r, out);
  out->grouped = segment_grouped(r);
  out->rows = segment_rows(r);
  return true;
}
