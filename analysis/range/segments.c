/* SPDX-License-Identifier: MIT */
/* segments.c - copies of segments whose bases change in a loop: the cache pages of the MPF paper.
 *
 *     for (page...)  for (s...)  for (f...)  x *= v[b[page * F + f] + t[f * T + threadIdx.x] + o[s
 *         * F + f]]
 *   =>  a segment for each f, its base b[page * F + f],
 *       its positions t[...] + o[...] between bounds that the launch finds in rows and
 *       columns of the tables; at the head of each page the segments are copied whose base
 *       differs from that of the page before
 *
 * The index is a sum of symbols. The base consists of the symbols that are the same for all threads
 * and that change with the loops outside the loop that uses the copy again, or with one inner loop
 * (the segment's number). The others are the position. Requires: a walk in which the launch
 * inspects tables. Produces: struct segmentation. Gives up: other forms of index, loops that
 * threads may leave, different bases of two accesses, an inner loop that does not count from 0,
 * written arrays.
 */
#include "analysis/sets/lower.h"
#include "analysis/range/segments.h"

/* ---- the parts of the base ---- */

bool segment_each(struct segmenting *r, isl_pw_aff *aff, segment_test *test)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool all = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param) && all; i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    all = isl_pw_aff_involves_param_id(aff, symbol->id) != isl_bool_true || test(r, symbol);
  }
  isl_space_free(space);
  return all;
}

bool segment_value_each(struct segmenting *r, const struct value *value, segment_test *test)
{
  bool all = value->aff && segment_each(r, value->aff, test);

  for (unsigned t = 0; t < value->term_count && all; t++) {
    all = segment_each(r, value->terms[t].coefficient, test);
    for (unsigned s = 0; s < STRIDE_FACTORS && all && value->terms[t].stride[s]; s++)
      all = test(r, value->terms[t].stride[s]);
  }
  return all;
}

static bool is_outer_loop(struct segmenting *r, const struct symbol *symbol)
{
  for (unsigned i = 0; i < r->outer; i++)
    if (r->nest[i]->symbol == symbol) return true;
  return false;
}

bool segment_in_base(struct segmenting *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP) return symbol == r->segment || is_outer_loop(r, symbol);
  if (symbol->kind == SYMBOL_UNKNOWN)
    return symbol->from_table && symbol->read.index->aff &&
           segment_value_each(r, symbol->read.index, segment_in_base);
  return symbol_is_uniform(symbol);
}

/* Is the symbol the same in all iterations of the loop that copies the segments anew? */
bool segment_stays(struct segmenting *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP) return !r->outer || symbol != r->nest[r->outer - 1]->symbol;
  return symbol->kind != SYMBOL_UNKNOWN || segment_value_each(r, symbol->read.index, segment_stays);
}

bool segment_is_no_table(struct segmenting *r, const struct symbol *symbol)
{
  (void)r;
  return symbol->kind != SYMBOL_UNKNOWN;
}

static bool is_not_segment(struct segmenting *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP) return symbol != r->segment;
  return symbol->kind != SYMBOL_UNKNOWN ||
         segment_value_each(r, symbol->read.index, is_not_segment);
}

/* The terms of `form` whose symbols pass, without the constant. */
isl_pw_aff *segment_part(struct segmenting *r, isl_pw_aff *form, segment_test *test, bool passes)
{
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));

  aff = isl_aff_set_constant_si(aff, 0);
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_space_free(space);
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    if (isl_val_is_zero(coefficient) != isl_bool_true && test(r, symbol) != passes)
      aff = isl_aff_set_coefficient_si(aff, isl_dim_param, i, 0);
    isl_val_free(coefficient);
  }
  return isl_pw_aff_from_aff(aff);
}

isl_pw_aff *segment_index(struct segmenting *r, const struct access *access)
{
  struct value flat = access->dim_count == 1
                          ? value_flatten(r->symbols, value_copy(&access->index[0]))
                          : (struct value){0};
  bool plain = flat.aff && isl_pw_aff_isa_aff(flat.aff) == isl_bool_true;

  if (plain) {
    isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(flat.aff));
    plain = isl_aff_dim(aff, isl_dim_div) == 0;
    isl_aff_free(aff);
  }
  if (!plain) value_free(&flat);
  return flat.aff;
}

/* The base for this choice of loops. NULL: there is none, or accesses have different bases. */
static isl_pw_aff *common_base(struct segmenting *r)
{
  isl_pw_aff *common = NULL;

  for (unsigned i = 0; i < r->c->array->accesses.count; i++) {
    isl_pw_aff *form = segment_index(r, &r->c->array->accesses.items[i]);
    isl_pw_aff *base = form ? segment_part(r, form, segment_in_base, true) : NULL;
    bool same = base && (!common || isl_pw_aff_plain_is_equal(common, base) == isl_bool_true);
    isl_pw_aff_free(form);
    isl_pw_aff_free(common);
    common = same ? base : isl_pw_aff_free(base);
    if (!same) return NULL;
  }
  return common;
}

isl_pw_aff *segment_position(struct segmenting *r, unsigned i)
{
  isl_pw_aff *form = segment_index(r, &r->c->array->accesses.items[i]);
  return isl_pw_aff_sub(form, isl_pw_aff_copy(r->base));
}

/* ---- the choice of loops ---- */

static bool collect_nest(struct segmenting *r)
{
  const struct array *array = r->c->array;
  const struct nest_level *innermost = array->accesses.count ? array->accesses.items[0].nest : NULL;

  for (unsigned i = 1; i < array->accesses.count; i++)
    if (array->accesses.items[i].nest != innermost) return false;
  for (const struct nest_level *nest = innermost; nest; nest = nest->outer) r->depth++;
  if (r->depth > MOST_LOOPS) return false;
  unsigned at = r->depth;
  for (const struct nest_level *nest = innermost; nest; nest = nest->outer) r->nest[--at] = nest;
  return true;
}

static bool loop_fits(const struct segmenting *r, const struct nest_level *nest)
{
  return r->meets && nest->together && nest->symbol && nest->from && nest->step;
}

static bool counts_segments(const struct nest_level *nest)
{
  int64_t from;
  return nest->symbol && nest->step == 1 && nest->from && ir_constant(nest->from, &from) &&
         from == 0;
}

/* Does the base come from a table, change with the innermost of its loops, and change with the
 * segment if there is one? */
static bool base_fits(struct segmenting *r, isl_pw_aff *base)
{
  if (segment_each(r, base, segment_is_no_table) ||
      (r->outer && segment_each(r, base, segment_stays)))
    return false;
  return !r->segment || !segment_each(r, base, is_not_segment);
}

static bool try_loops(struct segmenting *r, unsigned outer, const struct nest_level *segment)
{
  r->outer = outer;
  r->segment = segment ? segment->symbol : NULL;
  isl_pw_aff *base = common_base(r);
  if (base && base_fits(r, base)) {
    r->base = base;
    return true;
  }
  isl_pw_aff_free(base);
  return false;
}

/* Chooses as many outer loops as possible. At least `reusing` inner loops must go over other
 * elements of the same segments. */
static bool choose_loops(struct segmenting *r, unsigned reusing)
{
  unsigned most = 0;

  while (most < r->depth && loop_fits(r, r->nest[most])) most++;
  for (unsigned outer = most + 1; outer-- > 0;) {
    unsigned inner = r->depth - outer;
    for (unsigned i = outer; i < r->depth; i++)
      if (counts_segments(r->nest[i]) && inner > reusing && try_loops(r, outer, r->nest[i]))
        return true;
    if (inner >= reusing && try_loops(r, outer, NULL)) return true;
  }
  return false;
}

/* ---- accesses between two copies ---- */

static struct ir_expr *number(struct segmenting *r, double value)
{
  static const struct ir_type type = {
      .kind = IR_TYPE_FLOAT, .spelling = "double", .size = 8, .align = 8, .extent = -1};
  struct ir_expr *expr = ARENA_NEW(r->symbols->arena, struct ir_expr);

  expr->kind = IR_EXPR_LITERAL;
  expr->id = UINT32_MAX;
  expr->type = &type;
  expr->text =
      arena_format(r->symbols->arena, value == (double)(int64_t)value ? "%.1f" : "%.17g", value);
  return expr;
}

static struct ir_expr *accesses_of(struct segmenting *r)
{
  struct ir_expr *share =
      ir_build_var(r->symbols->arena, segment_launch_var(r, "share", SEGMENT_SHARE));
  struct ir_expr *product = ir_build_binary(r->symbols->arena, IR_OP_MUL, share,
                                            number(r, (double)r->c->array->accesses.count));

  for (unsigned i = r->outer; i < r->depth; i++)
    product = ir_build_binary(r->symbols->arena, IR_OP_MUL, product,
                              r->nest[i]->trips ? r->nest[i]->trips : number(r, r->nest[i]->count));
  return product;
}

/* ---- the candidate ---- */

static void note_tables(struct segmenting *r)
{
  struct candidate *c = r->c;

  c->tables = arena_alloc(r->symbols->arena, (r->symbols->items.count + 1) * sizeof *c->tables);
  for (unsigned k = 0; k < r->symbols->items.count; k++) {
    const struct symbol *symbol = r->symbols->items.items[k];
    bool used = false;
    for (unsigned i = 0; i < c->array->accesses.count && symbol->from_table; i++) {
      isl_pw_aff *form = segment_index(r, &c->array->accesses.items[i]);
      used |= isl_pw_aff_involves_param_id(form, symbol->id) == isl_bool_true;
      isl_pw_aff_free(form);
    }
    if (used)
      c->tables[c->table_count++] =
          (struct table_use){symbol->read.table, segment_in_base(r, symbol)};
  }
}

static bool segment_of(struct segmenting *r, bool reused)
{
  struct candidate *c = r->c;
  struct segmentation *out = ARENA_NEW(r->symbols->arena, struct segmentation);
  bool param = c->array->var->kind == IR_VAR_PARAM && !c->array->var->write_count &&
               c->array->dim_count == 1;

  if (!param || !collect_nest(r) || !choose_loops(r, reused)) return false;
  if (c->array->written) {
    candidate_reject(c, &c->place, "its base changes in a loop, and it is written");
    return false;
  }
  if (!segment_positions(r)) return false;
  if (!segment_bounds(r, out) || !segment_base(r, out)) {
    candidate_reject(c, &c->place,
                     "the launch cannot find out where the segments of its copy begin and end");
    return false;
  }
  out->accesses = accesses_of(r);
  out->elements =
      ir_build_var(r->symbols->arena, segment_launch_var(r, "elements", SEGMENT_ELEMENTS));
  note_tables(r);
  c->segmentation = out;
  c->load = true;
  return true;
}

bool candidate_segments(struct symbols *symbols, const struct kernel_access *access,
                        struct candidate *c, bool reused)
{
  struct segmenting r = {.symbols = symbols, .c = c, .meets = !access->meet_reject};
  bool found = !c->reject && segment_of(&r, reused);

  isl_pw_aff_free(r.base);
  return found;
}
