/* SPDX-License-Identifier: MIT */
/* segments_even.c - tables that need not be read at their places in the kernel.
 *
 *     for (s = 0; s < S; s++) x += v[b[p] + o[s * F + f]];
 *         o[f], o[F + f], o[2 * F + f], ... = 0, 12, 24, ...
 *   =>  for (s = 0; s < S; s++) x += v[b[p] + (first + s * 12)]    with no load for the table in
 *       the loop
 *     v[... + t[f * blockDim.x + threadIdx.x]]
 *         =>  a thread's t[...], one for each f, read at the head of the kernel
 *
 * Requires: a part of a table whose first and last elements are known to exist. Produces: the
 * loop's iterator, or the index at the head, and all places in the kernel that read these elements.
 * Gives up: indices in which more changes than one loop, the thread and the segment; loops that do
 * not count up from 0; loops whose range depends on another loop around the access, or that other
 * loops depend on.
 */
#include "analysis/range/segments.h"

/* ---- the loop ---- */

struct varying {
  /* The only symbol that changes besides the segment. NULL: none so far. */
  const struct symbol *loop;
  bool segment; /* it changes with the segment */
  bool fails;   /* there are others, or its coefficient is not positive */
};

static void note_symbols(struct segmenting *r, isl_pw_aff *form, struct varying *varying)
{
  isl_aff *aff =
      isl_pw_aff_isa_aff(form) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(form)) : NULL;

  varying->fails |= !aff || isl_aff_dim(aff, isl_dim_div) != 0;
  for (int i = 0; aff && i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_space_free(space);
    bool has = isl_val_is_zero(coefficient) != isl_bool_true,
         changes = has && symbol != r->segment && !symbol_known_at_launch(symbol);
    varying->segment |= has && symbol == r->segment;
    varying->fails |= changes && (varying->loop || symbol->kind != SYMBOL_LOOP ||
                                  isl_val_is_pos(coefficient) != isl_bool_true);
    varying->loop = changes ? symbol : varying->loop;
    isl_val_free(coefficient);
  }
  isl_aff_free(aff);
}

static struct varying varying_of(struct segmenting *r, const struct value *index)
{
  struct varying varying = {0};

  note_symbols(r, index->aff, &varying);
  for (unsigned t = 0; t < index->term_count; t++)
    note_symbols(r, index->terms[t].coefficient, &varying);
  return varying;
}

static const struct nest_level *level_of(struct segmenting *r, const struct symbol *loop)
{
  for (unsigned i = 0; i < r->depth; i++)
    if (r->nest[i]->symbol == loop) return r->nest[i];
  return NULL;
}

static bool counts_up(const struct nest_level *nest)
{
  int64_t from;
  return nest && nest->step == 1 && nest->from && ir_constant(nest->from, &from) && from == 0;
}

static isl_set *without(isl_set *set, const struct symbol *symbol, bool others)
{
  for (int i = isl_set_dim(set, isl_dim_param) - 1; i >= 0; i--) {
    isl_space *space = isl_set_get_space(set);
    const struct symbol *param = symbol_of_param(space, (unsigned)i);
    isl_space_free(space);
    if (others ? param != symbol && !symbol_known_at_launch(param) : param == symbol)
      set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  }
  return set;
}

/* Does the iterator take all its values in every iteration of the other loops? */
static bool is_independent(isl_set *loops, const struct symbol *symbol)
{
  isl_set *alone = without(isl_set_copy(loops), symbol, true),
          *rest = without(isl_set_copy(loops), symbol, false);
  isl_set *product = isl_set_intersect(alone, rest);
  bool is = isl_set_is_subset(product, loops) == isl_bool_true;

  isl_set_free(product);
  return is;
}

/* ---- the reads ---- */

static bool has_other_symbol(struct segmenting *r, const struct ir_expr *expr,
                             const struct symbol *symbol)
{
  for (unsigned i = 0; i < r->symbols->tables.count; i++)
    if (r->symbols->tables.items[i].expr == expr && r->symbols->tables.items[i].symbol != symbol)
      return true;
  return false;
}

static void note_reads(struct segmenting *r, const struct symbol *symbol, struct table_part *part)
{
  part->reads =
      arena_alloc(r->symbols->arena, (r->symbols->tables.count + 1) * sizeof *part->reads);
  for (unsigned i = 0; i < r->symbols->tables.count; i++) {
    const struct table_seen *seen = &r->symbols->tables.items[i];
    if (seen->symbol == symbol && !has_other_symbol(r, seen->expr, symbol))
      part->reads[part->read_count++] = seen->expr;
  }
}

/* Is the form the same for a thread all the time, apart from the segment? */
static bool stays(struct segmenting *r, isl_pw_aff *form)
{
  isl_space *space = isl_pw_aff_get_domain_space(form);
  bool all = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param) && all; i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    bool plain =
        symbol->kind == SYMBOL_BUILTIN || symbol->kind == SYMBOL_SCALAR || symbol == r->segment;
    all = plain || isl_pw_aff_involves_param_id(form, symbol->id) != isl_bool_true;
  }
  isl_space_free(space);
  return all;
}

static struct ir_expr *kept_index(struct segmenting *r, const struct value *index)
{
  bool all = stays(r, index->aff);

  for (unsigned t = 0; t < index->term_count && all; t++) {
    all = stays(r, index->terms[t].coefficient);
    for (unsigned s = 0; s < STRIDE_FACTORS && all && index->terms[t].stride[s]; s++)
      all = index->terms[t].stride[s]->kind == SYMBOL_BUILTIN ||
            index->terms[t].stride[s]->kind == SYMBOL_SCALAR;
  }
  return all ? segment_table_index(r, index) : NULL;
}

static bool is_int(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && (type->size < 4 || (type->size == 4 && type->is_signed));
}

void segment_counts(struct segmenting *r, const struct symbol *table, isl_set *loops,
                    struct table_part *part)
{
  const struct varying varying = varying_of(r, table->read.index);
  const struct symbol *loop =
      varying.fails || !is_int(table->read.element) || table->read.wraps ? NULL : varying.loop;
  const struct nest_level *nest = loop ? level_of(r, loop) : NULL;

  part->of_segment = varying.segment;
  part->kept = kept_index(r, table->read.index);
  if (part->kept) note_reads(r, table, part);
  if (part->kept || !counts_up(nest) || !is_int(loop->var->type) || !is_independent(loops, loop))
    return;
  note_reads(r, table, part);
  if (!part->read_count) return;
  part->counts = loop->var;
  part->loop = nest->stmt;
}

const struct table_part *segment_even(struct segmenting *r, const struct segmentation *out)
{
  for (unsigned level = r->depth; level-- > 0;)
    for (unsigned i = 0; i < out->table_count; i++)
      if (out->tables[i].counts && r->nest[level]->symbol &&
          out->tables[i].counts == r->nest[level]->symbol->var)
        return &out->tables[i];
  return NULL;
}

/* ---- bases that iterations share ---- */

static bool stays_where_known(struct segmenting *r, const struct symbol *symbol)
{
  return (symbol->kind != SYMBOL_UNKNOWN || symbol->from_table) && segment_stays(r, symbol);
}

const struct table_part *segment_grouped(struct segmenting *r)
{
  const struct symbol *found = NULL;
  struct table_part *part = ARENA_NEW(r->symbols->arena, struct table_part);
  unsigned count = 0;

  for (unsigned i = 0; i < r->c->array->accesses.count && r->outer; i++) {
    isl_pw_aff *position = segment_position(r, i);
    count += !segment_each(r, position, stays_where_known) ? 2 : 0;
    isl_pw_aff_free(position);
  }
  isl_space *space = isl_pw_aff_get_domain_space(r->base);
  for (int i = 0; i < isl_space_dim(space, isl_dim_param) && r->outer; i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    bool changes = isl_pw_aff_involves_param_id(r->base, symbol->id) == isl_bool_true &&
                   !segment_stays(r, symbol);
    found = changes ? symbol : found;
    count += changes;
  }
  isl_space_free(space);
  if (count != 1 || !found->from_table ||
      !segment_table_part(r, found, r->c->array->accesses.items[0].loops, 0, part))
    return NULL;
  segment_counts(r, found, r->c->array->accesses.items[0].loops, part);
  return part->counts && part->counts == r->nest[r->outer - 1]->symbol->var ? part : NULL;
}
