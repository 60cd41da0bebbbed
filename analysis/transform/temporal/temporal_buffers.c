/* SPDX-License-Identifier: MIT */
/* temporal_buffers.c - the arrays that launches pass on to one another, and the places of their
 * elements relative to a point.
 *
 *     if (i > 0 && i < n - 1) v[i] = u[i - 1] + u[i + 1]     v: written at the point,
 *         where 0 < i < n - 1; u: read at -1 and +1
 *
 * Two launches, of one kernel or of two that take turns, give each array its tile: the array that
 * is u in the first launch is v in the second. The access that writes gives a point its element.
 * The distance of the other accesses is a constant by axis. Requires: scanned code whose blocks are
 * points. Gives up with a reason (temporal.c).
 */
#include "analysis/sets/budget.h"
#include "analysis/transform/temporal/temporal.h"

#include <string.h>

#include <isl/aff.h>

#include "runtime/seeded.h"

enum { FARTHEST = 16 }; /* elements from the point */

const struct temporal_access *temporal_access_of(const struct temporal *t,
                                                 const struct ir_expr *expr)
{
  for (unsigned i = 0; i < t->access_count; i++)
    if (t->accesses[i].expr == expr) return &t->accesses[i];
  return NULL;
}

/* ---- buffers ---- */

static struct array *array_of(const struct temporal *t, const struct ir_var *var)
{
  for (unsigned i = 0; i < t->code.access.arrays.count; i++)
    if (t->code.access.arrays.items[i]->var == var) return t->code.access.arrays.items[i];
  return NULL;
}

static unsigned param_of(const struct temporal *t, const struct ir_var *var)
{
  for (unsigned i = 0; i < t->code.kernel->param_count; i++)
    if (t->code.kernel->params[i] == var) return i;
  return UINT32_MAX;
}

static struct temporal_buffer *buffer_of(struct temporal *t, const struct ir_var *var)
{
  for (unsigned i = 0; i < t->buffer_count; i++)
    if (t->buffers[i].var == var) return &t->buffers[i];
  return NULL;
}

/* Gives the array the tile `number`; `which`: the kernel is the first (0) or the second (1) of two
 * launches. */
static void add_buffer(struct temporal *t, struct ir_var *var, unsigned number, unsigned which)
{
  struct temporal_buffer *buffer = buffer_of(t, var);

  if (!buffer && t->buffer_count == TEMPORAL_BUFFERS) {
    temporal_give_up(t, "it has too many arrays", NULL);
    return;
  }
  if (!buffer) {
    buffer = &t->buffers[t->buffer_count++];
    *buffer =
        (struct temporal_buffer){.var = var, .param = param_of(t, var), .array = array_of(t, var)};
    buffer->written = buffer->array->written;
  }
  buffer->tile[which] = number;
  if (buffer->array->read && buffer->array->written)
    temporal_give_up(t, arena_format(t->code.arena, "it reads and writes '%s'", var->name), NULL);
  for (unsigned d = 0; buffer->param == UINT32_MAX && d < buffer->array->dim_count; d++)
    if (buffer->array->extents[d] <= 0 || var->kind != IR_VAR_VS)
      temporal_give_up(t, arena_format(t->code.arena, "the size of '%s' is not known", var->name),
                       NULL);
  if (buffer->param == UINT32_MAX && !buffer->array->dim_count)
    temporal_give_up(t, arena_format(t->code.arena, "'%s' is no array", var->name), NULL);
  if (var->write_count && var->kind == IR_VAR_PARAM)
    temporal_give_up(t, arena_format(t->code.arena, "it changes '%s'", var->name), NULL);
}

static const char *element_of(const struct temporal *t, const struct ir_var *var)
{
  const char *spelling = ir_plain_type(t->code.arena, array_of(t, var)->element)->spelling;
  return spelling + (strncmp(spelling, "const ", 6) ? 0 : 6);
}

/* Checks that the arrays which a kernel writes are passed on. */
static void check_written(struct temporal *t)
{
  for (unsigned i = 0; i < t->code.access.arrays.count && !t->reason; i++) {
    const struct array *array = t->code.access.arrays.items[i];
    if (array->written && !buffer_of(t, array->var))
      temporal_give_up(t,
                       arena_format(t->code.arena,
                                    array->read
                                        ? "it reads and writes '%s'"
                                        : "the next launch does not read what it writes to '%s'",
                                    array->var->name),
                       NULL);
  }
}

void temporal_pair(struct temporal *first, struct temporal *second,
                   const struct temporal_handed *handed, unsigned count)
{
  unsigned tiles = 0;

  for (unsigned i = 0; i < count && !first->reason && !second->reason; i++) {
    struct array *array = array_of(first, handed[i].var), *next = array_of(second, handed[i].next);
    bool written = (array && array->written) || (next && next->written), never = !array || !next;
    if (!written) continue;
    if (never || array->written == next->written ||
        strcmp(element_of(first, handed[i].var), element_of(second, handed[i].next))) {
      temporal_give_up(first,
                       arena_format(first->code.arena,
                                    "'%s' is not read by one launch and written by the next",
                                    handed[i].var->name),
                       NULL);
      return;
    }
    add_buffer(first, handed[i].var, tiles, 0);
    add_buffer(second, handed[i].next, tiles++, 1);
  }
  check_written(first);
  check_written(second);
  if (!first->buffer_count) temporal_give_up(first, "it hands no array on", NULL);
  if (second->reason && !first->reason) {
    first->reason = second->reason;
    first->place = second->place;
  }
}

/* ---- the place of an access relative to the point ---- */

/* Is the form coefficient * point along one axis + constant? */
static bool translation(isl_pw_aff *form, int *ret_axis, int64_t *ret_constant)
{
  isl_aff *aff = value_plain(form);
  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  bool fits = value_number(isl_aff_get_constant_val(aff), 64, ret_constant);

  *ret_axis = -1;
  for (int i = 0; fits && i < isl_aff_dim(aff, isl_dim_param); i++) {
    if (isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) != isl_bool_true) continue;
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    bool point = symbol->kind == SYMBOL_BUILTIN && symbol->builtin >= IR_BLOCK_IDX &&
                 symbol->builtin < IR_BLOCK_DIM;
    fits = *ret_axis < 0 && point && isl_val_is_one(coefficient) == isl_bool_true;
    *ret_axis = point ? (int)symbol->builtin - IR_BLOCK_IDX : -1;
    isl_val_free(coefficient);
  }
  isl_space_free(space);
  isl_aff_free(aff);
  return fits && *ret_axis >= 0;
}

/* Is 0 <= aff < extent at every execution of the access? */
static bool in_row(struct temporal *t, const struct access *access, isl_pw_aff *aff,
                   isl_pw_aff *extent)
{
  isl_set *bad =
      isl_set_union(isl_pw_aff_lt_set(isl_pw_aff_copy(aff), symbols_constant(&t->code.symbols, 0)),
                    isl_pw_aff_ge_set(isl_pw_aff_copy(aff), isl_pw_aff_copy(extent)));
  bad = symbols_close(&t->code.symbols, isl_set_intersect(bad, isl_set_copy(access->domain)));
  bool proved = isl_set_is_empty(bad) == isl_bool_true;
  isl_set_free(bad);
  return proved;
}

static isl_pw_aff *extent_of(struct temporal *t, const struct candidate *c, unsigned d)
{
  if (c->is_flat) return candidate_extent(&t->code.symbols, c, d);
  return c->array->extents[d] > 0 ? symbols_constant(&t->code.symbols, c->array->extents[d]) : NULL;
}

/* Finds the extents of a buffer's array. Accesses must stay in its rows, since a neighbour in the
 * tile is a neighbour in the row. */
static void find_extents(struct temporal *t, struct candidate *c, struct temporal_buffer *buffer)
{
  buffer->is_flat = c->is_flat;
  for (unsigned d = 1; d < c->dim_count && !t->reason; d++) {
    isl_pw_aff *extent = extent_of(t, c, d);
    isl_val *value = extent && isl_pw_aff_is_cst(extent) == isl_bool_true
                         ? isl_pw_aff_max_val(isl_pw_aff_copy(extent))
                         : NULL;
    buffer->extent[d] =
        value && isl_val_is_int(value) == isl_bool_true ? isl_val_get_num_si(value) : -1;
    buffer->length[d] =
        extent && buffer->extent[d] < 0 ? lower_wide(&t->code.symbols, extent) : NULL;
    if (!extent || (buffer->extent[d] < 0 && !buffer->length[d]))
      temporal_give_up(t, "the extents of its arrays are not known", NULL);
    for (unsigned i = 0; i < c->array->accesses.count && !t->reason; i++)
      if (!in_row(t, &c->array->accesses.items[i], c->index[i * c->dim_count + d], extent) &&
          !SEEDED(STEPS_ROWS_LEFT))
        temporal_give_up(t, "an index may leave its row", &c->array->accesses.items[i].place);
    isl_val_free(value);
    isl_pw_aff_free(extent);
  }
}

/* Notes that dimension d of an access is the point along `axis` plus `constant`. */
static bool note_dimension(struct temporal *t, unsigned d, bool write, int axis, int64_t constant,
                           struct temporal_access *out)
{
  if (write && !t->axes) t->axis_of[d] = (unsigned)axis;
  if (t->axis_of[d] != (unsigned)axis) return false;
  if (write && !t->axes) t->first[d] = constant;
  out->offset[axis] = out->most[axis] = constant - t->first[d];
  return !write || out->offset[axis] == 0;
}

/* Notes dimension d of an access that reads at some place near the point, at every execution. */
static bool note_near(struct temporal *t, const struct candidate *c, unsigned number, unsigned d,
                      struct temporal_access *out)
{
  const struct access *access = &c->array->accesses.items[number];
  unsigned axis = t->axis_of[d];
  isl_val *low, *high;

  if (access->write || c->is_flat || !access->source[d]) return false;
  struct symbol *point =
      symbol_of_builtin(&t->code.symbols, (enum ir_builtin)(IR_BLOCK_IDX + axis));
  isl_pw_aff *own = isl_pw_aff_add(symbol_aff(&t->code.symbols, point),
                                   symbols_constant(&t->code.symbols, t->first[d]));
  struct value away =
      value_take(isl_pw_aff_sub(isl_pw_aff_copy(c->index[number * c->dim_count + d]), own));
  value_interval(&t->code.symbols, &away, access->domain, &low, &high);
  value_free(&away);
  bool above = value_number(high, FARTHEST, &out->most[axis]),
       near = value_number(low, FARTHEST, &out->offset[axis]) && above;
  out->index[axis] = access->source[d];
  return near;
}

static void note_access(struct temporal *t, struct candidate *c, unsigned number, unsigned buffer)
{
  const struct access *access = &c->array->accesses.items[number];
  struct temporal_access *out = &t->accesses[t->access_count];
  const char *far = "an index is not known to be near the element that the thread writes";

  if (t->access_count == TEMPORAL_ACCESSES) {
    temporal_give_up(t, "it has too many accesses", &access->place);
    return;
  }
  *out = (struct temporal_access){.expr = access->expr, .buffer = buffer, .write = access->write};
  for (unsigned d = 0; d < c->dim_count && !t->reason; d++) {
    int axis;
    int64_t constant;
    bool constant_distance = translation(c->index[number * c->dim_count + d], &axis, &constant) &&
                             note_dimension(t, d, access->write, axis, constant, out);
    if (!constant_distance && !note_near(t, c, number, d, out))
      temporal_give_up(t, far, &access->place);
  }
  t->access_count++;
  if (access->write && !t->axes) {
    t->axes = c->dim_count;
    for (unsigned d = 0, seen = 0; d < t->axes; d++) {
      bool axis_fits = t->axis_of[d] < t->axes && !(seen >> t->axis_of[d] & 1);
      seen |= 1u << t->axis_of[d];
      if (!axis_fits) temporal_give_up(t, "threads do not write one element each", &access->place);
    }
  }
}

/* Finds the accesses to one buffer's array. The write comes first: it gives each point its
 * element. */
static void find_accesses(struct temporal *t, unsigned number)
{
  struct temporal_buffer *buffer = &t->buffers[number];
  struct candidate c = {.array = buffer->array};

  for (unsigned i = 0; i < buffer->array->accesses.count; i++) {
    const struct access *access = &buffer->array->accesses.items[i];
    if (access->partial || access->has_effects || !access->dim_count)
      temporal_give_up(t, "an access is not understood", &access->place);
    if (access->write && !access->must)
      temporal_give_up(t, "whether it writes an element depends on more than indices",
                       &access->place);
  }
  if (buffer->array->reject)
    temporal_give_up(t, buffer->array->reject, &buffer->array->reject_place);
  if (!buffer->array->accesses.count || (buffer->written && buffer->array->accesses.count != 1))
    temporal_give_up(
        t,
        arena_format(t->code.arena, "it writes '%s' in several places", buffer->array->var->name),
        NULL);
  if (t->reason) return;
  candidate_shape(&t->code.symbols, &c, true);
  if (c.dim_count > TEMPORAL_AXES || (t->axes && c.dim_count != t->axes))
    temporal_give_up(t, "its arrays have different dimensions",
                     &buffer->array->accesses.items[0].place);
  for (unsigned i = 0; i < buffer->array->accesses.count && !t->reason; i++)
    note_access(t, &c, i, number);
  if (!t->reason) find_extents(t, &c, buffer);
  candidate_finish(&c);
}

static void find_margins(struct temporal *t)
{
  for (unsigned i = 0; i < t->access_count; i++)
    for (unsigned axis = 0; axis < t->axes; axis++) {
      int64_t least = t->accesses[i].offset[axis], most = t->accesses[i].most[axis];
      t->low[axis] = -least > t->low[axis] ? -least : t->low[axis];
      t->high[axis] = most > t->high[axis] ? most : t->high[axis];
    }
}

/* ---- the points that write ---- */

static isl_set *write_domain(const struct temporal_buffer *buffer)
{
  return isl_set_copy(buffer->array->accesses.items[0].domain);
}

static bool varying_param(const struct temporal *t, const struct ir_var *var)
{
  for (unsigned i = 0; i < t->value_count; i++)
    if (t->code.kernel->params[t->values[i]] == var) return true;
  return false;
}

/* Does the set only depend on the point's index and on parameters with the same value in all
 * launches? */
static bool depends_on_fixed(struct temporal *t, isl_set *domain)
{
  isl_space *space = isl_set_get_space(domain);
  bool fixed = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (isl_set_involves_dims(domain, isl_dim_param, (unsigned)i, 1) != isl_bool_true) continue;
    fixed &= (symbol->kind == SYMBOL_SCALAR && !varying_param(t, symbol->var)) ||
             (symbol->kind == SYMBOL_BUILTIN && symbol->builtin >= IR_BLOCK_IDX &&
              symbol->builtin < IR_BLOCK_DIM);
  }
  isl_space_free(space);
  return fixed;
}

/* Checks that in each launch the same points write all arrays. */
static void find_writers(struct temporal *t)
{
  isl_set *all = NULL;

  for (unsigned i = 0; i < t->buffer_count && !t->reason; i++) {
    const struct temporal_buffer *buffer = &t->buffers[i];
    if (!buffer->written) continue;
    isl_set *domain = write_domain(buffer);
    if (!depends_on_fixed(t, domain))
      temporal_give_up(t, "which elements it writes may differ between launches",
                       &buffer->array->accesses.items[0].place);
    if (all && isl_set_is_equal(all, domain) != isl_bool_true)
      temporal_give_up(t, "not all arrays are written by the same threads",
                       &buffer->array->accesses.items[0].place);
    isl_set_free(all);
    all = domain;
  }
  if (!t->reason) t->written = lower_set(&t->code.symbols, all, NULL, 16);
  isl_set_free(all);
  if (!t->written) temporal_give_up(t, "which elements it writes has no simple form", NULL);
}

static bool in_parameters(isl_space *space, const struct ir_var *var)
{
  bool found = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    found |= symbol_of_param(space, (unsigned)i)->var == var;
  isl_space_free(space);
  return found;
}

/* Checks that strides and distances are the same in all launches: their forms name no scalar that
 * may differ. */
static void check_forms(struct temporal *t)
{
  for (unsigned i = 0; i < t->value_count; i++)
    for (unsigned k = 0; k < t->buffer_count && !t->reason; k++)
      for (unsigned a = 0; a < t->buffers[k].array->accesses.count; a++) {
        const struct access *access = &t->buffers[k].array->accesses.items[a];
        for (unsigned d = 0; d < access->dim_count; d++)
          if (!access->index[d].aff ||
              in_parameters(isl_pw_aff_get_domain_space(access->index[d].aff),
                            t->code.kernel->params[t->values[i]]))
            temporal_give_up(t, "its indices differ between launches", &access->place);
      }
}

/* Counts the uses of a buffer's parameter: each must be part of a known access. */
struct use_count {
  const struct ir_var *var;
  unsigned uses;
};

static void count_use(struct ir_expr *expr, void *context)
{
  struct use_count *count = context;
  count->uses += expr->kind == IR_EXPR_VAR && expr->var == count->var;
}

static void check_uses(struct temporal *t)
{
  for (unsigned i = 0; i < t->buffer_count && !t->reason; i++) {
    struct use_count all = {t->buffers[i].var, 0}, seen = {all.var, 0};
    ir_visit_stmt_exprs(t->code.facts.kernel->body, count_use, &all);
    for (unsigned k = 0; k < t->access_count; k++)
      if (t->accesses[k].buffer == i)
        ir_visit_expr((struct ir_expr *)t->accesses[k].expr, count_use, &seen);
    if (all.uses != seen.uses)
      temporal_give_up(
          t, arena_format(t->code.arena, "'%s' is used other than by its elements", all.var->name),
          NULL);
  }
}

/* Counts statements that store to the buffers, each by an assignment of its own. */
struct store_search {
  const struct temporal *t;
  bool always;
  unsigned stores;
};

static bool note_store(struct ir_stmt *stmt, void *context)
{
  struct store_search *s = context;

  if (s->always && stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_EXPR) return false;
  const struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  if (expr && expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN) {
    const struct temporal_access *access = temporal_access_of(s->t, ir_strip(expr->operands[0]));
    s->stores += access && access->write;
  }
  return true;
}

unsigned temporal_stores(const struct temporal *t, struct ir_stmt *body, bool always)
{
  struct store_search s = {t, always, 0};

  ir_visit_stmts(body, note_store, &s);
  return s.stores;
}

static unsigned written_buffers(const struct temporal *t)
{
  unsigned count = 0;

  for (unsigned i = 0; i < t->buffer_count; i++) count += t->buffers[i].written;
  return count;
}

void temporal_find(struct temporal *t)
{
  for (unsigned written = 2; written-- > 0;)
    for (unsigned i = 0; i < t->buffer_count && !t->reason; i++)
      if (t->buffers[i].written == (written == 1)) find_accesses(t, i);
  if (!t->reason) check_forms(t);
  if (!t->reason) find_writers(t);
  if (!t->reason && temporal_stores(t, t->code.facts.kernel->body, false) != written_buffers(t))
    temporal_give_up(t, "it stores other than by a plain assignment", NULL);
  if (!t->reason) check_uses(t);
  find_margins(t);
  if (code_exhausted(&t->code))
    temporal_give_up(t, budget_obstacle("the index expressions are too complex"), NULL);
}

static const struct temporal_buffer *of_tile(const struct temporal *t, unsigned tile,
                                             unsigned which)
{
  for (unsigned i = 0; i < t->buffer_count; i++)
    if (t->buffers[i].tile[which] == tile) return &t->buffers[i];
  return NULL;
}

void temporal_match(const struct temporal *first, struct temporal *second)
{
  bool same = first->axes == second->axes && first->buffer_count == second->buffer_count;

  for (unsigned d = 0; d < TEMPORAL_AXES; d++)
    same &= first->axis_of[d] == second->axis_of[d] && first->first[d] == second->first[d];
  for (unsigned i = 0; same && i < first->buffer_count; i++) {
    const struct temporal_buffer *a = of_tile(first, i, 0), *b = of_tile(second, i, 1);
    same = (a->param == UINT32_MAX) == (b->param == UINT32_MAX);
    for (unsigned d = 1; d < first->axes; d++)
      same &= a->extent[d] > 0 && a->extent[d] == b->extent[d];
  }
  if (!same) temporal_give_up(second, "its points are not those of the other kernel", NULL);
}
