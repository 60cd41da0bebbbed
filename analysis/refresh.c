/* refresh.c - copies of segments whose bases change in a loop: the cache pages of the MPF paper.
 *
 *     for (page...)  for (s...)  for (f...)  x *= v[b[page * F + f] + t[f * T + threadIdx.x] + o[s * F + f]]
 *   =>  a segment for each f, its base b[page * F + f], its positions t[...] + o[...] between bounds that the launch finds in rows and
 *       columns of the tables; at the head of each page the segments whose base is another one than a page before are copied
 *
 * The index is a sum of symbols. Those that are the same for all threads, and change with the loops outside of the one that uses the
 * copy again, or with one inner loop (the segment's number), make the base; the others make the position. Requires: a walk in which
 * the launch looks at tables. Produces: struct refresh. Gives up: other forms of index, loops that threads may leave, bases of two
 * accesses that differ, an inner loop that does not count from 0, written arrays.
 */
#include "analysis/candidate.h"
#include "analysis/lower.h"
#include "translator/ir/ir_rewrite.h"

enum { MOST_LOOPS = 8, MOST_TABLES = 8 };

struct refreshing {
  struct symbols *symbols;
  struct candidate *c;
  const struct nest_level *nest[MOST_LOOPS]; /* outermost first */
  unsigned depth;
  unsigned outer;              /* loops that may change the base */
  struct symbol *segment;      /* iterator of an inner loop that may; NULL: none */
  isl_pw_aff *base;            /* of all accesses; owned */
};

/* ---- what belongs to the base ---- */

static bool of_params(struct refreshing *r, isl_pw_aff *aff, bool (*test)(struct refreshing *, const struct symbol *))
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

static bool of_value(struct refreshing *r, const struct value *value, bool (*test)(struct refreshing *, const struct symbol *))
{
  bool all = value->aff && of_params(r, value->aff, test);

  for (unsigned t = 0; t < value->term_count && all; t++) {
    all = of_params(r, value->terms[t].coefficient, test);
    for (unsigned s = 0; s < 2 && all && value->terms[t].stride[s]; s++)
      all = test(r, value->terms[t].stride[s]);
  }
  return all;
}

static bool is_outer_loop(struct refreshing *r, const struct symbol *symbol)
{
  for (unsigned i = 0; i < r->outer; i++)
    if (r->nest[i]->symbol == symbol)
      return true;
  return false;
}

static bool in_base(struct refreshing *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP)
    return symbol == r->segment || is_outer_loop(r, symbol);
  if (symbol->kind == SYMBOL_UNKNOWN)
    return symbol->from_table && !symbol->read.wraps && symbol->read.index->aff && of_value(r, symbol->read.index, in_base);
  return symbol_is_uniform(symbol);
}

/* Is it the same in all iterations of the refreshing loop? */
static bool stays(struct refreshing *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP)
    return !r->outer || symbol != r->nest[r->outer - 1]->symbol;
  return symbol->kind != SYMBOL_UNKNOWN || of_value(r, symbol->read.index, stays);
}

static bool is_no_table(struct refreshing *r, const struct symbol *symbol)
{
  (void)r;
  return symbol->kind != SYMBOL_UNKNOWN;
}

static bool is_not_segment(struct refreshing *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP)
    return symbol != r->segment;
  return symbol->kind != SYMBOL_UNKNOWN || of_value(r, symbol->read.index, is_not_segment);
}

/* The terms of `form` whose symbols pass, without the constant. */
static isl_pw_aff *part(struct refreshing *r, isl_pw_aff *form, bool (*test)(struct refreshing *, const struct symbol *), bool passes)
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

static isl_pw_aff *index_form(struct refreshing *r, const struct access *access)
{
  struct value flat = access->dim_count == 1 ? value_flatten(r->symbols, value_copy(&access->index[0])) : (struct value){ 0 };
  bool plain = flat.aff && isl_pw_aff_isa_aff(flat.aff) == isl_bool_true;

  if (plain) {
    isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(flat.aff));
    plain = isl_aff_dim(aff, isl_dim_div) == 0;
    isl_aff_free(aff);
  }
  if (!plain)
    value_free(&flat);
  return flat.aff;
}

/* The base as the choice of loops has it; NULL: no base, or not the same for all accesses. */
static isl_pw_aff *common_base(struct refreshing *r)
{
  isl_pw_aff *common = NULL;

  for (unsigned i = 0; i < r->c->array->accesses.count; i++) {
    isl_pw_aff *form = index_form(r, &r->c->array->accesses.items[i]);
    isl_pw_aff *base = form ? part(r, form, in_base, true) : NULL;
    bool same = base && (!common || isl_pw_aff_plain_is_equal(common, base) == isl_bool_true);
    isl_pw_aff_free(form);
    isl_pw_aff_free(common);
    common = same ? base : isl_pw_aff_free(base);
    if (!same)
      return NULL;
  }
  return common;
}

/* ---- the choice of loops ---- */

static bool collect_nest(struct refreshing *r)
{
  const struct array *array = r->c->array;
  const struct nest_level *innermost = array->accesses.count ? array->accesses.items[0].nest : NULL;

  for (unsigned i = 1; i < array->accesses.count; i++)
    if (array->accesses.items[i].nest != innermost)
      return false;
  for (const struct nest_level *nest = innermost; nest; nest = nest->outer)
    r->depth++;
  if (r->depth > MOST_LOOPS)
    return false;
  unsigned at = r->depth;
  for (const struct nest_level *nest = innermost; nest; nest = nest->outer)
    r->nest[--at] = nest;
  return true;
}

static bool loop_fits(const struct nest_level *nest)
{
  return nest->together && nest->symbol && nest->from && nest->step;
}

static bool counts_segments(const struct nest_level *nest)
{
  int64_t from;
  return nest->symbol && nest->step == 1 && nest->from && ir_constant(nest->from, &from) && from == 0;
}

/* Does the base come from a table, change with the innermost of its loops, and with the segment where there is one? */
static bool base_fits(struct refreshing *r, isl_pw_aff *base)
{
  if (of_params(r, base, is_no_table) || (r->outer && of_params(r, base, stays)))
    return false;
  return !r->segment || !of_params(r, base, is_not_segment);
}

static bool try_loops(struct refreshing *r, unsigned outer, const struct nest_level *segment)
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

/* As many loops outside as there can be, at least `reusing` of those inside being for other elements of the same segments. */
static bool choose_loops(struct refreshing *r, unsigned reusing)
{
  unsigned most = 0;

  while (most < r->depth && loop_fits(r->nest[most]))
    most++;
  for (unsigned outer = most + 1; outer-- > 0;) {
    unsigned inner = r->depth - outer;
    for (unsigned i = outer; i < r->depth; i++)
      if (counts_segments(r->nest[i]) && inner > reusing && try_loops(r, outer, r->nest[i]))
        return true;
    if (inner >= reusing && try_loops(r, outer, NULL))
      return true;
  }
  return false;
}

/* ---- hulls over threads and inner loops, as host arithmetic ---- */

static bool host_knows(struct refreshing *r, const struct symbol *symbol)
{
  return symbol == r->segment || symbol_known_at_launch(symbol);
}

static isl_stat take_piece(isl_set *domain, isl_aff *aff, void *user)
{
  isl_set_free(domain);
  *(isl_pw_aff **)user = isl_pw_aff_from_aff(aff);
  return isl_stat_ok;
}

/* The form of the only piece; takes it. NULL: there are several. */
static isl_pw_aff *only_piece(isl_pw_aff *form)
{
  isl_pw_aff *piece = NULL;

  form = isl_pw_aff_coalesce(form);
  if (form && isl_pw_aff_n_piece(form) == 1)
    isl_pw_aff_foreach_piece(form, take_piece, &piece);
  isl_pw_aff_free(form);
  return piece;
}

/* The least and the greatest value of `form` in `loops`, over all that the host does not know. */
static bool hull(struct refreshing *r, isl_pw_aff *form, isl_set *loops, struct ir_expr *ret[2])
{
  isl_set *set = isl_set_intersect_params(isl_set_from_pw_aff(isl_pw_aff_copy(form)), isl_set_copy(loops));

  set = symbols_close(r->symbols, set);
  isl_space *space = isl_set_get_space(set);
  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (!host_knows(r, symbol_of_param(space, (unsigned)i)))
      set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  bool bounded = isl_set_dim_has_lower_bound(set, isl_dim_set, 0) == isl_bool_true &&
                 isl_set_dim_has_upper_bound(set, isl_dim_set, 0) == isl_bool_true && isl_set_is_empty(set) == isl_bool_false;
  isl_pw_aff *low = bounded ? only_piece(isl_set_dim_min(isl_set_copy(set), 0)) : NULL;
  isl_pw_aff *high = bounded ? only_piece(isl_set_dim_max(isl_set_copy(set), 0)) : NULL;
  ret[0] = low ? lower_wide(r->symbols, low) : NULL;
  ret[1] = high ? lower_wide(r->symbols, high) : NULL;
  isl_pw_aff_free(low);
  isl_pw_aff_free(high);
  isl_set_free(set);
  return ret[0] && ret[1];
}

static struct ir_expr *sum_of(struct refreshing *r, struct ir_expr *sum, struct ir_expr *term)
{
  int64_t value;

  if (!sum || (ir_constant(ir_strip(sum), &value) && value == 0))
    return term;
  return ir_constant(ir_strip(term), &value) && value == 0 ? sum : ir_build_binary(r->symbols->arena, IR_OP_ADD, sum, term);
}

static struct ir_expr *times_strides(struct refreshing *r, struct ir_expr *expr, struct symbol *const stride[2])
{
  for (unsigned s = 0; s < 2 && stride[s]; s++)
    expr = ir_build_binary(r->symbols->arena, IR_OP_MUL, expr, lower_symbol(r->symbols, stride[s]));
  return expr;
}

/* The one symbol of `form` that the host does not know, and its coefficient; NULL: none, or several (*ret_count). */
static const struct symbol *only_varying(struct refreshing *r, isl_pw_aff *form, int64_t *ret_coefficient, unsigned *ret_count)
{
  const struct symbol *found = NULL;
  isl_aff *aff = isl_pw_aff_isa_aff(form) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(form)) : NULL;

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

static struct ir_expr *step_of(struct refreshing *r, const struct value *index)
{
  struct ir_expr *step = NULL;
  unsigned count = 0;

  for (unsigned t = 0; t <= index->term_count; t++) {
    int64_t coefficient = 0;
    isl_pw_aff *form = t ? index->terms[t - 1].coefficient : index->aff;
    if (!only_varying(r, form, &coefficient, &count))
      continue;
    step = ir_build_int(r->symbols->arena, coefficient < 0 ? -coefficient : coefficient);
    if (t && (coefficient == 1 || coefficient == -1))
      step = NULL;
    struct symbol *const *stride = t ? index->terms[t - 1].stride : NULL;
    for (unsigned s = 0; stride && s < 2 && stride[s]; s++) {
      struct ir_expr *factor = lower_symbol(r->symbols, stride[s]);
      step = step ? ir_build_binary(r->symbols->arena, IR_OP_MUL, step, factor) : factor;
    }
  }
  return count == 1 && step ? step : ir_build_int(r->symbols->arena, 1);
}

static bool strides_known(const struct value *index)
{
  for (unsigned t = 0; t < index->term_count; t++)
    for (unsigned s = 0; s < 2 && index->terms[t].stride[s]; s++)
      if (!symbol_known_at_launch(index->terms[t].stride[s]))
        return false;
  return true;
}

static struct ir_var *launch_var(struct refreshing *r, const char *name, int64_t value)
{
  struct ir_var *var = ARENA_NEW(r->symbols->arena, struct ir_var);

  var->id = UINT32_MAX;
  var->kind = IR_VAR_LAUNCH;
  var->name = name;
  var->type = lower_int_type(r->symbols->arena, true);
  var->value = value;
  return var;
}

static unsigned param_number(struct refreshing *r, const struct ir_var *var)
{
  const struct ir_function *kernel = r->symbols->facts->kernel;
  unsigned i = 0;

  while (kernel->params[i] != var)
    i++;
  return i;
}

/* Where the table is read for one segment. */
static bool table_part(struct refreshing *r, const struct symbol *symbol, isl_set *loops, unsigned number, struct table_part *ret)
{
  const struct value *index = symbol->read.index;
  struct ir_expr *bounds[2];

  if (!index->aff || !strides_known(index) || !hull(r, index->aff, loops, bounds))
    return false;
  ret->first = bounds[0];
  ret->last = bounds[1];
  for (unsigned t = 0; t < index->term_count; t++) {
    if (!hull(r, index->terms[t].coefficient, loops, bounds))
      return false;
    ret->first = sum_of(r, ret->first, times_strides(r, bounds[0], index->terms[t].stride));
    ret->last = sum_of(r, ret->last, times_strides(r, bounds[1], index->terms[t].stride));
  }
  ret->wraps = symbol->read.wraps;
  ret->step = step_of(r, index);
  ret->param = param_number(r, symbol->read.table);
  ret->element = symbol->read.element;
  ret->low = launch_var(r, "low", TABLE_LOW - 2 * (int64_t)number);
  ret->high = launch_var(r, "high", TABLE_HIGH - 2 * (int64_t)number);
  return true;
}

/* ---- positions ---- */

static isl_pw_aff *position_form(struct refreshing *r, unsigned i)
{
  isl_pw_aff *form = index_form(r, &r->c->array->accesses.items[i]);
  return isl_pw_aff_sub(form, isl_pw_aff_copy(r->base));
}

/* Adds coefficient * [low, high] of a table to the bounds. */
static bool add_table(struct refreshing *r, struct refresh *out, const struct symbol *symbol, int64_t coefficient, isl_set *loops,
                      struct ir_expr *bounds[2])
{
  struct arena *arena = r->symbols->arena;

  if (out->table_count == MOST_TABLES || !table_part(r, symbol, loops, out->table_count, &out->tables[out->table_count]))
    return false;
  const struct table_part *table = &out->tables[out->table_count++];
  for (unsigned b = 0; b < 2; b++) {
    struct ir_expr *term = ir_build_var(arena, (coefficient < 0) == (b == 0) ? table->high : table->low);
    if (coefficient != 1)
      term = ir_build_binary(arena, IR_OP_MUL, term, ir_build_int(arena, coefficient));
    bounds[b] = sum_of(r, bounds[b], term);
  }
  return true;
}

/* The bounds of an access's position in its segment. */
static bool bound_position(struct refreshing *r, struct refresh *out, unsigned i, struct ir_expr *bounds[2])
{
  isl_set *loops = r->c->array->accesses.items[i].loops;
  isl_pw_aff *form = position_form(r, i), *rest = part(r, form, is_no_table, true), *tables = part(r, form, is_no_table, false);
  isl_aff *constant = isl_pw_aff_as_aff(isl_pw_aff_copy(form)), *aff = isl_pw_aff_as_aff(tables);
  rest = isl_pw_aff_add_constant_val(rest, isl_aff_get_constant_val(constant));
  bool fine = hull(r, rest, loops, bounds);

  for (int k = 0; k < isl_aff_dim(aff, isl_dim_param) && fine; k++) {
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, k);
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)k);
    isl_space_free(space);
    if (isl_val_is_zero(coefficient) != isl_bool_true)
      fine = symbol->from_table && add_table(r, out, symbol, isl_val_get_num_si(coefficient), loops, bounds);
    isl_val_free(coefficient);
  }
  isl_aff_free(constant);
  isl_aff_free(aff);
  isl_pw_aff_free(rest);
  isl_pw_aff_free(form);
  return fine;
}

static bool bound_positions(struct refreshing *r, struct refresh *out)
{
  out->tables = arena_alloc(r->symbols->arena, MOST_TABLES * sizeof *out->tables);
  for (unsigned i = 0; i < r->c->array->accesses.count; i++) {
    struct ir_expr *bounds[2] = { NULL, NULL };
    if (!bound_position(r, out, i, bounds))
      return false;
    if (!i) {
      out->low = bounds[0];
      out->high = bounds[1];
      continue;
    }
    struct arena *arena = r->symbols->arena;
    out->low = ir_build_cond(arena, ir_build_binary(arena, IR_OP_LT, bounds[0], out->low), bounds[0], out->low);
    out->high = ir_build_cond(arena, ir_build_binary(arena, IR_OP_GT, bounds[1], out->high), bounds[1], out->high);
  }
  return true;
}

/* ---- what is printed ---- */

static struct ir_expr *call(struct arena *arena, const char *name, const struct ir_type *type, unsigned count)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);

  expr->kind = IR_EXPR_CALL;
  expr->id = UINT32_MAX;
  expr->type = type;
  expr->text = name;
  expr->operands = arena_alloc(arena, count * sizeof *expr->operands);
  expr->operand_count = count;
  return expr;
}

static struct ir_expr *lower_table_index(struct refreshing *r, const struct value *index)
{
  struct ir_expr *sum = NULL;

  for (unsigned t = 0; t <= index->term_count; t++) {
    struct ir_expr *expr = lower_wide(r->symbols, t ? index->terms[t - 1].coefficient : index->aff);
    if (!expr)
      return NULL;
    sum = sum_of(r, sum, t ? times_strides(r, expr, index->terms[t - 1].stride) : expr);
  }
  return sum;
}

/* First and last element of the object behind a parameter, and the bit of the launch's value. */
static bool extents(struct refreshing *r, struct ir_var *var, const struct ir_type *element, struct ir_expr *ret[2])
{
  for (unsigned which = 0; which < 2; which++) {
    struct symbol *symbol = symbol_of_launch(r->symbols, var, element, true, which);
    if (!symbol)
      return false;
    r->c->values |= 1u << symbol->var->value / 2;
    ret[which] = lower_symbol(r->symbols, symbol);
  }
  return true;
}

static struct ir_expr *lower_element(struct refreshing *r, const struct symbol *symbol)
{
  struct arena *arena = r->symbols->arena;
  struct ir_expr *index = lower_table_index(r, symbol->read.index), *ends[2];

  if (!index || symbol->read.element->size > 4 || !extents(r, symbol->read.table, symbol->read.element, ends))
    return NULL;
  struct ir_expr *expr = call(arena, "mesi_element", lower_int_type(arena, true), 4);
  expr->operands[0] = ir_build_var(arena, symbol->read.table);
  expr->operands[1] = index;
  expr->operands[2] = ends[0];
  expr->operands[3] = ends[1];
  return expr;
}

/* A sum of symbols, tables read within their objects; NULL: has no form. */
static struct ir_expr *lower_base(struct refreshing *r, isl_pw_aff *form)
{
  struct arena *arena = r->symbols->arena;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  struct ir_expr *sum = NULL;
  bool failed = false;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param) && !failed; i++) {
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_space_free(space);
    isl_val *val = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    int64_t coefficient = isl_val_get_num_si(val);
    isl_val_free(val);
    if (!coefficient)
      continue;
    struct ir_expr *term = symbol->kind == SYMBOL_UNKNOWN ? lower_element(r, symbol)
                                                          : ir_build_cast(arena, lower_int_type(arena, true), lower_symbol(r->symbols, symbol));
    failed = !term;
    if (term && coefficient != 1)
      term = ir_build_binary(arena, IR_OP_MUL, term, ir_build_int(arena, coefficient));
    sum = failed ? NULL : sum ? ir_build_binary(arena, IR_OP_ADD, sum, term) : term;
  }
  isl_aff_free(aff);
  return failed ? NULL : sum ? sum : ir_build_int(arena, 0);
}

static struct symbol *table_at(struct refreshing *r, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < r->symbols->tables.count; i++)
    if (ir_strip((struct ir_expr *)r->symbols->tables.items[i].expr) == expr)
      return r->symbols->tables.items[i].symbol;
  return NULL;
}

/* `expr` without the addends that are the base's tables, which are counted off from `left`. NULL: nothing is left. */
static struct ir_expr *without_base(struct refreshing *r, struct ir_expr *expr, isl_pw_aff **left)
{
  struct ir_expr *bare = ir_strip(expr);

  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_ADD) {
    struct ir_expr *a = without_base(r, bare->operands[0], left), *b = without_base(r, bare->operands[1], left);
    if (a == bare->operands[0] && b == bare->operands[1])
      return expr;
    return a && b ? ir_build_binary(r->symbols->arena, IR_OP_ADD, a, b) : a ? a : b;
  }
  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_SUB) {
    struct ir_expr *a = without_base(r, bare->operands[0], left);
    if (a == bare->operands[0])
      return expr;
    return a ? ir_build_binary(r->symbols->arena, IR_OP_SUB, a, bare->operands[1])
             : ir_build_unary(r->symbols->arena, IR_OP_NEG, bare->operands[1]);
  }
  struct symbol *symbol = table_at(r, bare);
  if (!symbol || !in_base(r, symbol))
    return expr;
  *left = isl_pw_aff_sub(*left, symbol_aff(r->symbols, symbol));
  return NULL;
}

/* The index as written, where the base's tables are addends in it. */
static struct ir_expr *written_position(struct refreshing *r, const struct access *access)
{
  struct value rest = { .aff = isl_pw_aff_copy(r->base) };
  int64_t constant = 1;

  struct ir_expr *expr = access->source[0] ? without_base(r, access->source[0], &rest.aff) : NULL;
  bool all = access->source[0] && value_constant(&rest, &constant) && !constant;
  value_free(&rest);
  if (!all)
    return NULL;
  return expr ? expr : ir_build_int(r->symbols->arena, 0);
}

/* The position by its symbols, tables read once more. */
static struct ir_expr *formed_position(struct refreshing *r, unsigned i)
{
  struct arena *arena = r->symbols->arena;
  isl_pw_aff *form = position_form(r, i), *plain = part(r, form, is_no_table, true);
  isl_aff *aff = isl_pw_aff_as_aff(form);
  plain = isl_pw_aff_add_constant_val(plain, isl_aff_get_constant_val(aff));
  struct ir_expr *sum = lower_index(r->symbols, plain);

  for (int k = 0; k < isl_aff_dim(aff, isl_dim_param) && sum; k++) {
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)k);
    isl_space_free(space);
    isl_val *val = isl_aff_get_coefficient_val(aff, isl_dim_param, k);
    int64_t coefficient = isl_val_get_num_si(val);
    isl_val_free(val);
    if (!coefficient || symbol->kind != SYMBOL_UNKNOWN)
      continue;
    struct ir_expr *index = symbol->from_table && symbol->read.index->aff ? lower_table_index(r, symbol->read.index) : NULL;
    struct ir_expr *term = index ? ir_build_index(arena, ir_build_var(arena, symbol->read.table), index) : NULL;
    if (term && coefficient != 1)
      term = ir_build_binary(arena, IR_OP_MUL, term, ir_build_int(arena, coefficient));
    sum = term ? sum_of(r, sum, term) : NULL;
  }
  isl_aff_free(aff);
  isl_pw_aff_free(plain);
  return sum;
}

static struct ir_expr *lower_position(struct refreshing *r, unsigned i)
{
  const struct access *access = &r->c->array->accesses.items[i];
  struct ir_expr *expr = access->has_effects ? NULL : written_position(r, access);

  if (!expr && !access->has_effects)
    expr = formed_position(r, i);
  if (!expr)
    return NULL;
  struct arena *arena = r->symbols->arena;
  struct ir_expr *segment = r->segment ? ir_build_var(arena, r->segment->var) : ir_build_int(arena, 0);
  struct ir_expr *shift = ir_build_index(arena, ir_build_var(arena, launch_var(r, "shift", SEGMENT_SHIFT)), segment);
  return ir_build_binary(arena, IR_OP_ADD, shift, expr);
}

static bool lower_positions(struct refreshing *r)
{
  unsigned count = r->c->array->accesses.count;

  r->c->positions = arena_alloc(r->symbols->arena, (count + 1) * sizeof *r->c->positions);
  for (unsigned i = 0; i < count; i++) {
    r->c->positions[i] = lower_position(r, i);
    if (!r->c->positions[i]) {
      candidate_reject(r->c, &r->c->array->accesses.items[i].place, "its index is no sum of a base and a position in the source");
      return false;
    }
  }
  return true;
}

/* ---- accesses between two refreshes ---- */

static struct ir_expr *number(struct refreshing *r, double value)
{
  static const struct ir_type type = { .kind = IR_TYPE_FLOAT, .spelling = "double", .size = 8, .align = 8, .extent = -1 };
  struct ir_expr *expr = ARENA_NEW(r->symbols->arena, struct ir_expr);

  expr->kind = IR_EXPR_LITERAL;
  expr->id = UINT32_MAX;
  expr->type = &type;
  expr->text = arena_format(r->symbols->arena, value == (double)(int64_t)value ? "%.1f" : "%.17g", value);
  return expr;
}

static struct ir_expr *accesses_of(struct refreshing *r)
{
  struct ir_expr *product = number(r, (double)r->c->array->accesses.count);

  for (unsigned i = r->outer; i < r->depth; i++)
    product = ir_build_binary(r->symbols->arena, IR_OP_MUL, product,
                              r->nest[i]->trips ? r->nest[i]->trips : number(r, r->nest[i]->count));
  return product;
}

/* ---- the parts of the result ---- */

static bool set_segments(struct refreshing *r, struct refresh *out)
{
  struct arena *arena = r->symbols->arena;
  struct symbol *segment = r->segment;
  struct ir_expr *bounds[2];

  out->segments = ir_build_int(arena, 1);
  if (!segment)
    return true;
  out->segment = segment->var;
  isl_pw_aff *form = symbol_aff(r->symbols, segment);
  r->segment = NULL;
  bool known = hull(r, form, r->c->array->accesses.items[0].loops, bounds);
  r->segment = segment;
  isl_pw_aff_free(form);
  if (known)
    out->segments = ir_build_binary(arena, IR_OP_ADD, bounds[1], ir_build_int(arena, 1));
  return known;
}

static bool set_base(struct refreshing *r, struct refresh *out)
{
  struct ir_expr *ends[2];

  if (r->outer) {
    const struct nest_level *nest = r->nest[r->outer - 1];
    out->loop = nest->stmt;
    out->iterator = nest->symbol->var;
    out->from = nest->from;
    out->step = nest->step;
    isl_pw_aff *changing = part(r, r->base, stays, false);
    out->changing = lower_base(r, changing);
    isl_pw_aff_free(changing);
  }
  out->base = lower_base(r, r->base);
  if (!out->base || (r->outer && !out->changing) || !extents(r, r->c->array->var, r->c->array->element, ends))
    return false;
  out->begin = ends[0];
  out->end = ends[1];
  return true;
}

static void note_tables(struct refreshing *r)
{
  struct candidate *c = r->c;

  c->tables = arena_alloc(r->symbols->arena, (r->symbols->items.count + 1) * sizeof *c->tables);
  for (unsigned k = 0; k < r->symbols->items.count; k++) {
    const struct symbol *symbol = r->symbols->items.items[k];
    bool used = false;
    for (unsigned i = 0; i < c->array->accesses.count && symbol->from_table; i++) {
      isl_pw_aff *form = index_form(r, &c->array->accesses.items[i]);
      used |= isl_pw_aff_involves_param_id(form, symbol->id) == isl_bool_true;
      isl_pw_aff_free(form);
    }
    if (used)
      c->tables[c->table_count++] = (struct table_use){ symbol->read.table, in_base(r, symbol) };
  }
}

static bool refresh_of(struct refreshing *r, bool reused)
{
  struct candidate *c = r->c;
  struct refresh *out = ARENA_NEW(r->symbols->arena, struct refresh);
  bool param = c->array->var->kind == IR_VAR_PARAM && !c->array->var->write_count && c->array->dim_count == 1;

  if (!param || !collect_nest(r) || !choose_loops(r, reused))
    return false;
  if (c->array->written) {
    candidate_reject(c, &c->place, "its base changes in a loop, and it is written");
    return false;
  }
  if (!lower_positions(r))
    return false;
  if (!set_segments(r, out) || !set_base(r, out) || !bound_positions(r, out)) {
    candidate_reject(c, &c->place, "the launch cannot find out where the segments of its copy begin and end");
    return false;
  }
  out->accesses = accesses_of(r);
  out->elements = ir_build_var(r->symbols->arena, launch_var(r, "elements", SEGMENT_ELEMENTS));
  note_tables(r);
  c->refresh = out;
  c->load = true;
  return true;
}

bool candidate_refresh(struct symbols *symbols, struct candidate *c, bool reused)
{
  struct refreshing r = { .symbols = symbols, .c = c };
  bool found = !c->reject && refresh_of(&r, reused);

  isl_pw_aff_free(r.base);
  return found;
}
