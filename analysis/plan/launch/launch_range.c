/* SPDX-License-Identifier: MIT */
/* launch_range.c - the bytes that a launch may read and write, as arithmetic for the host.
 *
 *     __global__ void f(const float *a, float *b, int n) { int i = 128 * blockIdx.x + threadIdx.x;
 *         if (i < n) b[i] = a[i + 1]; }
 *   =>
 *     a: reads 4 ... 4 n + 4, b: writes 0 ... 4 n,
 *         all of it when 128 gridDim.x >= n        (n: less when the grid is smaller)
 *
 * Requires: the launch's arguments and uses are planned; facts; an IR of the kernel. Every thread,
 * block and loop iteration is projected out of the accesses. Kernel scalars, blockDim and gridDim
 * stay as parameters. The range is the hull of the possible accesses. It counts as overwritten
 * where it is a subset of the certain writes, the kernel reads the array nowhere, and no other
 * array that it reads overlaps; the parameters for which it is no subset give a condition. Gives up
 * per array (the whole object): unbounded hulls or hulls of several parts, accesses that the walk
 * does not follow. Gives up per launch: arguments with side effects.
 */
#include "analysis/plan/launch/launch_range.h"

#include <isl/map.h>

#include "analysis/sets/budget.h"
#include "analysis/range/candidate.h"
#include "analysis/range/grid_footprint.h"
#include "analysis/sets/hull.h"
#include "analysis/sets/lower.h"
#include "analysis/sets/stride.h"
#include "analysis/host/pure.h"

enum { OPERATIONS = 300000 };     /* of isl, for the walk and for each array */
enum { ROWS_OPERATIONS = 30000 }; /* for the rest of whole rows */
enum { PIECES = 3, CONSTRAINTS = 6 };

struct ranging {
  struct effects *effects;
  struct symbols symbols;
  struct kernel_access access;
  const struct kernel_facts *facts;
  struct use_range **ranges; /* by array of `access`; NULL: the whole object */
  int axis;                  /* the axis along which blocks are told apart; -1: none */
};

static bool exhausted(struct ranging *r)
{
  bool failed = budget_unanswered(r->symbols.ctx);

  isl_ctx_reset_error(r->symbols.ctx);
  isl_ctx_reset_operations(r->symbols.ctx);
  return failed;
}

/* ---- forms to IR ---- */

struct pieces {
  struct symbols *symbols;
  struct ir_expr *conditions[PIECES], *values[PIECES];
  unsigned count;
  bool failed;
};

static isl_set *context_of(struct symbols *symbols, isl_set *set)
{
  isl_set *context = symbols_universe(symbols);
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    context = isl_set_intersect(context, isl_set_copy(symbol_of_param(space, (unsigned)i)->bounds));
  isl_space_free(space);
  return symbols_close(symbols, context);
}

/* The condition on parameters for `set`, without the facts that always hold. Takes `set`. */
static struct ir_expr *lower_condition(struct symbols *symbols, isl_set *set)
{
  isl_set *context = context_of(symbols, set);

  set = isl_set_coalesce(isl_set_gist(isl_set_coalesce(set), context));
  struct ir_expr *expr = lower_set(symbols, set, NULL, CONSTRAINTS);
  isl_set_free(set);
  return expr;
}

static isl_stat lower_piece(isl_set *domain, isl_aff *aff, void *user)
{
  struct pieces *p = user;
  isl_pw_aff *form = isl_pw_aff_from_aff(aff);

  if (p->count < PIECES) {
    p->values[p->count] = lower_wide(p->symbols, form);
    p->conditions[p->count] = lower_condition(p->symbols, domain);
    p->failed |= !p->values[p->count] || !p->conditions[p->count];
  } else {
    isl_set_free(domain);
  }
  p->failed |= p->count++ >= PIECES;
  isl_pw_aff_free(form);
  return isl_stat_ok;
}

/* form * by. Where no piece's condition holds, it has the value of the last piece. */
static struct ir_expr *lower_scaled(struct symbols *symbols, isl_pw_aff *form, int64_t by)
{
  struct pieces p = {.symbols = symbols};
  isl_pw_aff *scaled =
      isl_pw_aff_scale_val(isl_pw_aff_copy(form), isl_val_int_from_si(symbols->ctx, by));
  struct value value = {.aff = scaled};
  int64_t constant;

  if (value_constant(&value, &constant)) {
    isl_pw_aff_free(scaled);
    return ir_build_int(symbols->arena, constant);
  }
  isl_pw_aff_foreach_piece(scaled, lower_piece, &p);
  isl_pw_aff_free(scaled);
  if (p.failed || !p.count) return NULL;
  struct ir_expr *expr = p.values[p.count - 1];
  for (unsigned i = p.count - 1; i-- > 0;)
    expr = ir_build_cond(symbols->arena, p.conditions[i], p.values[i], expr);
  return expr;
}

/* mesi_times(a, b): a product that stays beyond every object if it would overflow. */
static struct ir_expr *times(struct arena *arena, struct ir_expr *a, struct ir_expr *b)
{
  struct ir_expr *call = ARENA_NEW(arena, struct ir_expr);

  call->kind = IR_EXPR_CALL;
  call->id = UINT32_MAX;
  call->text = "mesi_times";
  call->operands = arena_alloc(arena, 2 * sizeof *call->operands);
  call->operands[call->operand_count++] = a;
  call->operands[call->operand_count++] = b;
  return call;
}

static struct ir_expr *times_stride(struct symbols *symbols, struct ir_expr *expr,
                                    const struct stride *stride)
{
  for (unsigned i = 0; i < STRIDE_FACTORS && expr && stride->symbol[i]; i++) {
    struct ir_expr *factor = lower_symbol(symbols, stride->symbol[i]);
    expr = factor ? times(symbols->arena, expr, factor) : NULL;
  }
  return expr;
}

static isl_pw_aff *after(isl_pw_aff *last)
{
  isl_pw_aff *one =
      isl_pw_aff_zero_on_domain(isl_local_space_from_space(isl_pw_aff_get_domain_space(last)));
  one = isl_pw_aff_add_constant_val(one, isl_val_one(isl_pw_aff_get_ctx(last)));
  return isl_pw_aff_add(isl_pw_aff_copy(last), one);
}

/* The bytes up to `row` in the first dimension, and within that row for the other dimensions. */
static struct ir_expr *lower_bound(struct symbols *symbols, const struct candidate *c,
                                   isl_pw_aff *const *form, bool is_end)
{
  struct ir_expr *sum = NULL;

  for (unsigned d = 0; d < c->dim_count; d++) {
    bool last = d == c->dim_count - 1;
    isl_pw_aff *index = is_end && last ? after(form[d]) : isl_pw_aff_copy(form[d]);
    struct ir_expr *part =
        lower_scaled(symbols, index, c->array->element->size * c->strides[d].constant);
    isl_pw_aff_free(index);
    int64_t constant;
    bool zero = part && ir_constant(part, &constant) && !constant;
    part = zero ? part : times_stride(symbols, part, &c->strides[d]);
    if (!part) return NULL;
    if (!zero) sum = sum ? ir_build_binary(symbols->arena, IR_OP_ADD, sum, part) : part;
  }
  return sum ? sum : ir_build_int(symbols->arena, 0);
}

static bool lower_hull(struct symbols *symbols, const struct candidate *c, const struct hull *hull,
                       struct byte_range *ret)
{
  *ret = (struct byte_range){NULL, NULL};
  if (hull->empty) return true;
  ret->begin = lower_bound(symbols, c, hull->low, false);
  ret->end = lower_bound(symbols, c, hull->high, true);
  return ret->begin && ret->end;
}

/* ---- is all of it written? ---- */

/* { [x] : low <= x <= high } */
static isl_set *interval(struct symbols *symbols, isl_pw_aff *low, isl_pw_aff *high)
{
  isl_map *not_less = isl_map_lex_le(isl_space_set_alloc(symbols->ctx, 0, 1));
  isl_map *not_more = isl_map_lex_ge(isl_space_set_alloc(symbols->ctx, 0, 1));
  isl_set *from = isl_set_apply(isl_set_from_pw_aff(isl_pw_aff_copy(low)), not_less);
  return isl_set_intersect(from,
                           isl_set_apply(isl_set_from_pw_aff(isl_pw_aff_copy(high)), not_more));
}

/* Rows from the first to the last, each from end to end. */
static isl_set *whole_rows(struct symbols *symbols, const struct candidate *c,
                           const struct hull *hull)
{
  isl_set *rows = interval(symbols, hull->low[0], hull->high[0]);

  for (unsigned d = 1; d < c->dim_count; d++) {
    isl_pw_aff *first = symbols_constant(symbols, 0), *extent = candidate_extent(symbols, c, d);
    isl_pw_aff *last = isl_pw_aff_add_constant_val(extent, isl_val_negone(symbols->ctx));
    rows = isl_set_flat_product(rows, interval(symbols, first, last));
    isl_pw_aff_free(first);
    isl_pw_aff_free(last);
  }
  return rows;
}

/* The values of the parameters for which a part of the rows is not written. NULL: not known. */
static isl_set *left_of_rows(struct symbols *symbols, const struct candidate *c,
                             const struct hull *hull, const struct grid_footprint *touched)
{
  isl_ctx_reset_operations(symbols->ctx);
  isl_ctx_set_max_operations(symbols->ctx, ROWS_OPERATIONS);
  isl_set *left = isl_set_params(
      isl_set_subtract(whole_rows(symbols, c, hull), isl_set_copy(touched->must_write)));
  left = isl_set_coalesce(symbols_close(symbols, left));
  isl_ctx_reset_operations(symbols->ctx);
  isl_ctx_set_max_operations(symbols->ctx, OPERATIONS);
  if (!left) isl_ctx_reset_error(symbols->ctx);
  return left;
}

/* The condition under which all of the rows is written. Makes the hull that of whole rows. NULL:
 * never. */
static struct ir_expr *overwrites(struct symbols *symbols, const struct candidate *c,
                                  struct hull *hull, const struct grid_footprint *touched)
{
  if (isl_set_is_empty(touched->must_write) == isl_bool_true ||
      isl_set_is_empty(touched->read) != isl_bool_true)
    return NULL;
  isl_set *left = left_of_rows(symbols, c, hull, touched);
  if (!left) return NULL;
  isl_set *when = isl_set_complement(left);
  if (hull->where) when = isl_set_intersect(when, isl_set_copy(hull->where));
  bool never = isl_set_is_empty(when) != isl_bool_false;
  struct ir_expr *condition = never ? isl_set_free(when), NULL : lower_condition(symbols, when);
  int64_t value;
  if (!condition || (ir_constant(condition, &value) && !value)) return NULL;
  for (unsigned d = 1; d < c->dim_count; d++) {
    isl_pw_aff_free(hull->low[d]);
    isl_pw_aff_free(hull->high[d]);
    hull->low[d] = symbols_constant(symbols, 0);
    hull->high[d] =
        isl_pw_aff_add_constant_val(candidate_extent(symbols, c, d), isl_val_negone(symbols->ctx));
  }
  return condition;
}

/* ---- one array ---- */

/* Joins the declared dimensions: a[i][j] is element i * M + j. */
static bool flatten(struct symbols *symbols, struct candidate *c)
{
  const struct array *array = c->array;

  c->dim_count = 1;
  c->strides[0] = (struct stride){1, {NULL}};
  c->index = arena_alloc(symbols->arena, (array->accesses.count + 1) * sizeof *c->index);
  for (unsigned i = 0; i < array->accesses.count; i++) {
    struct value sum = value_copy(&array->accesses.items[i].index[0]);
    for (unsigned d = 1; d < array->dim_count; d++) {
      sum = array->extents[d] > 0 ? value_scale(sum, array->extents[d]) : (value_free(&sum), sum);
      sum = value_add(sum, value_copy(&array->accesses.items[i].index[d]));
    }
    sum = value_flatten(symbols, sum);
    c->index[i] = sum.aff;
    if (!sum.aff) return false;
  }
  return true;
}

/* Takes p[i * n + j] as written, as (i, j). */
static bool take_rows(struct symbols *symbols, struct candidate *c)
{
  candidate_shape(symbols, c, false);
  return c->is_flat && !c->reject;
}

static bool is_followed(const struct array *array)
{
  const struct ir_type *element = array->element;
  bool data = element->size > 0 && element->kind != IR_TYPE_VOID &&
              element->kind != IR_TYPE_OTHER && !element->is_volatile;

  return !array->reject && data && array->dim_count > 0 && !ir_type_holds_pointers(element) &&
         array->var->kind != IR_VAR_DEVICE;
}

/* ---- parts ---- */

static struct ir_expr *lower_step(struct symbols *symbols, const struct candidate *c,
                                  const struct block_advance *advance)
{
  const struct stride *dim = &c->strides[advance->dim];
  struct stride own = {1, {NULL}};
  int64_t constant;

  stride_copy(own.symbol, advance->moving->stride);

  if (__builtin_mul_overflow(advance->coefficient, c->array->element->size, &constant) ||
      __builtin_mul_overflow(constant, dim->constant, &constant))
    return NULL;
  struct ir_expr *step = times_stride(symbols, ir_build_int(symbols->arena, constant), &own);
  return times_stride(symbols, step, dim);
}

static struct part_range lower_part(struct ranging *r, const struct candidate *c,
                                    const struct block_advance *advance, isl_set *touched)
{
  struct part_range part = {0};
  struct hull hull = {0};

  bool found = hull_of(&hull, touched, c->dim_count, true) && !hull.empty &&
               lower_hull(&r->symbols, c, &hull, &part.rest);
  hull_finish(&hull);
  if (found) part.step = lower_step(&r->symbols, c, advance);
  return part;
}

/* Finds the range of one block, if it advances with the block's number. */
static void find_parts(struct ranging *r, struct candidate *c, struct use_range *range)
{
  struct block_advance advance;

  if (r->axis < 0 || !find_block_advance(&r->symbols, c, (unsigned)r->axis, &advance)) return;
  struct grid_footprint touched = grid_footprint(&r->symbols, c, &advance);
  range->read_part = lower_part(r, c, &advance, touched.read);
  range->write_part = lower_part(r, c, &advance, touched.write);
  grid_footprint_finish(&touched);
  exhausted(r);
}

static struct use_range *range_of(struct ranging *r, struct candidate *c)
{
  struct use_range *range = ARENA_NEW(r->symbols.arena, struct use_range);
  struct grid_footprint touched = grid_footprint(&r->symbols, c, NULL);
  struct hull read = {0}, write = {0};

  bool found = hull_of(&read, touched.read, c->dim_count, false) &&
               hull_of(&write, touched.write, c->dim_count, false);
  if (found && !write.empty) range->overwrites = overwrites(&r->symbols, c, &write, &touched);
  found = found && lower_hull(&r->symbols, c, &read, &range->read) &&
          lower_hull(&r->symbols, c, &write, &range->write);
  hull_finish(&read);
  hull_finish(&write);
  grid_footprint_finish(&touched);
  found = found && !exhausted(r);
  if (found) find_parts(r, c, range);
  return found ? range : NULL;
}

/* Is the array also used through a pointer that is not followed? */
static bool is_reached(const struct kernel_access *access, const struct array *array)
{
  for (unsigned i = 0; i < access->lost.count; i++)
    if (access->lost.items[i] == array->var) return access->unknown_read || access->unknown_write;
  return false;
}

static struct use_range *find_range(struct ranging *r, struct array *array)
{
  struct candidate flat = {.array = array}, rows = {.array = array};

  if (!is_followed(array) || is_reached(&r->access, array)) return NULL;
  struct use_range *range = flatten(&r->symbols, &flat) ? range_of(r, &flat) : NULL;
  exhausted(r);
  if (!range && array->dim_count == 1 && array->accesses.count)
    range = take_rows(&r->symbols, &rows) ? range_of(r, &rows) : NULL;
  exhausted(r);
  candidate_finish(&flat);
  candidate_finish(&rows);
  return range;
}

/* ---- arrays together ---- */

static int param_index(const struct ranging *r, const struct ir_var *var)
{
  for (unsigned i = 0; i < r->facts->kernel->param_count; i++)
    if (r->facts->kernel->params[i] == var) return (int)i;
  return -1;
}

/* Drops `overwrites` if the kernel may read the array under another name. */
static void keep_no_alias(struct ranging *r, unsigned number)
{
  struct use_range *range = r->ranges[number];
  const struct array *array = r->access.arrays.items[number];

  range->no_alias =
      arena_alloc(r->symbols.arena, (r->access.arrays.count + 1) * sizeof *range->no_alias);
  if (r->access.unknown_read) range->overwrites = NULL;
  for (unsigned i = 0; i < r->access.arrays.count && range->overwrites; i++) {
    const struct array *other = r->access.arrays.items[i];
    if (i == number || !other->read || arrays_disjoint(&r->symbols, array->var, other->var))
      continue;
    int param = param_index(r, other->var);
    if (param < 0 || param_index(r, array->var) < 0 || !r->ranges[i])
      range->overwrites = NULL;
    else
      range->no_alias[range->no_alias_count++] = (unsigned)param;
  }
}

static void find_ranges(struct ranging *r)
{
  access_collect(r->effects, &r->symbols, &r->access);
  bool failed = exhausted(r) || r->access.reject;
  unsigned count = r->access.arrays.count;

  r->ranges = arena_alloc(r->symbols.arena, (count + 1) * sizeof *r->ranges);
  for (unsigned i = 0; i < count && !failed; i++)
    r->ranges[i] = find_range(r, r->access.arrays.items[i]);
  for (unsigned i = 0; i < count; i++)
    if (r->ranges[i] && r->ranges[i]->overwrites) keep_no_alias(r, i);
}

/* ---- the launch ---- */

static bool within(const struct byte_range *range, int64_t low, int64_t high)
{
  int64_t begin, end;
  bool constant =
      range->begin && ir_constant(range->begin, &begin) && ir_constant(range->end, &end);
  return constant && begin <= low && end >= high;
}

/* Is the range all that an int can index? Then nothing is known. */
static bool is_anything(const struct use_range *range)
{
  return within(&range->read, -INT32_MAX, INT32_MAX) ||
         within(&range->write, -INT32_MAX, INT32_MAX);
}

/* Does the call for the whole object say the same? */
static bool is_whole(const struct use_range *range, int64_t low, int64_t high)
{
  if (range->overwrites || high <= low) return false;
  return (!range->read.begin || within(&range->read, low, high)) &&
         (!range->write.begin || within(&range->write, low, high)) &&
         (range->read.begin || range->write.begin);
}

static struct use_range *range_of_var(const struct ranging *r, const struct ir_var *var)
{
  for (unsigned i = 0; i < r->access.arrays.count; i++)
    if (r->access.arrays.items[i]->var == var)
      return r->ranges[i] && !is_anything(r->ranges[i]) ? r->ranges[i] : NULL;
  return NULL;
}

static void set_ranges(const struct ranging *r, struct launch_plan *plan)
{
  const struct ir_function *kernel = r->facts->kernel;

  for (unsigned i = 0; i < kernel->param_count; i++) {
    const struct pointer_fact *fact = &r->facts->pointers[i];
    struct use_range *range = plan->args[i].is_pointer ? range_of_var(r, kernel->params[i]) : NULL;
    if (range) plan->args[i].range = range;
    if (range && fact->range_known) range->whole = is_whole(range, fact->low, fact->high);
  }
  for (unsigned i = 0; i < plan->use_count; i++) {
    struct use_range *range = range_of_var(r, plan->uses[i]->var);
    if (range) range->whole = is_whole(range, 0, plan->uses[i]->var->type->size);
    plan->use_ranges[i] = range;
  }
}

static void note_effect(struct ir_expr *expr, void *context)
{
  bool *found = context;
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  bool calls = expr->kind == IR_EXPR_CALL && !pure_call(expr);

  *found |= steps || calls || expr->kind == IR_EXPR_ASSIGN || expr->kind == IR_EXPR_OPAQUE ||
            expr->kind == IR_EXPR_LAUNCH || (expr->type && expr->type->is_volatile);
}

static bool may_be_repeated(struct ir_expr *expr)
{
  bool found = false;

  if (expr) ir_visit_expr(expr, note_effect, &found);
  return !found;
}

bool launch_repeats_arguments(const struct launch *launch)
{
  for (unsigned i = 0; i < launch->arg_count; i++)
    if (!launch->args[i].expr || !may_be_repeated(launch->args[i].expr)) return false;
  return launch_gives_all(launch);
}

/* Can everything that the launch evaluates be evaluated twice, in any order? */
bool launch_is_repeatable(const struct launch *launch)
{
  bool repeatable = may_be_repeated(launch->grid) && may_be_repeated(launch->block) &&
                    may_be_repeated(launch->shared) && may_be_repeated(launch->stream) &&
                    launch->grid && launch->block;

  return repeatable && launch_repeats_arguments(launch);
}

static void set_footprints(const struct ranging *r, struct kernel_facts *facts)
{
  const struct ir_function *kernel = facts->kernel;

  facts->footprints =
      arena_alloc(r->symbols.arena, (kernel->param_count + 1) * sizeof *facts->footprints);
  for (unsigned i = 0; i < kernel->param_count; i++)
    facts->footprints[i] = range_of_var(r, kernel->params[i]);
}

void plan_launch_ranges(struct effects *effects, struct kernel_facts *facts,
                        const struct launch *launch, int parts_axis, bool wants_footprints,
                        struct launch_plan *plan)
{
  if (!(plan->hooked || wants_footprints) || !launch_is_repeatable(launch)) return;
  struct ranging r = {.effects = effects, .facts = facts, .axis = parts_axis};
  isl_ctx *ctx = budget_new_ctx(OPERATIONS);

  symbols_init(&r.symbols, ctx, effects->arena, facts);
  r.symbols.for_host = true;
  find_ranges(&r);
  if (plan->hooked) set_ranges(&r, plan);
  set_footprints(&r, facts);
  kernel_access_finish(&r.access);
  symbols_finish(&r.symbols);
  budget_free_ctx(ctx);
}
