/* temporal.c - kernels whose launches may be put together: temporal blocking.
 *
 *     for (int t = 0; t < steps; t += 2) {                       one launch of dif_steps for 31 launches of dif: a block loads 1024 points
 *       dif<<<blocks, 128>>>(u, v);                        =>    of u, does 31 steps on them in shared memory, each on one point less on
 *       dif<<<blocks, 128>>>(v, u);                              either side, and writes the 962 points that are left to v
 *     }
 *
 *     __global__ void dif(float *u, float *v) { int i = blockDim.x * blockIdx.x + threadIdx.x;
 *                                               if (i > 0 && i < N - 1) v[i] = u[i] + R * (u[i - 1] - 2 * u[i] + u[i + 1]); }
 *
 * Which launches are put together is decided when they are made (runtime/steps.c): the batch of the loop (host_batch.c) holds launches
 * back as long as nothing in the program can tell, and compares each with the one before it. So trip counts, swapped pointers, loops that
 * end early and functions in between need no analysis here. What is asked here is asked of the kernel:
 *
 *   - it is shape-free (shape_free.c): a *point* is a thread of the launch, by its global ids;
 *   - its arrays come in pairs, two parameters of one type: one is written, each point its own element (the access map is a translation,
 *     each axis of the grid is a dimension), surely and whenever the point passes conditions on indices; the other is read at constant
 *     distances from there. A launch writes what the next one reads, under the other name;
 *   - whatever else it reads no launch writes.
 *
 * Then the elements that a launch reads are those that the launch before wrote, or elements that no launch writes, since all launches
 * have the same sizes, and the conditions depend on nothing that may differ between them. A tile of points, enlarged by
 * `depth` times the distance on each side, has all that the points in its middle need for `depth` launches; the points around are computed by
 * several blocks. What nobody writes is loaded in the tiles at the rim.
 *
 * depth is odd: the result is in the array that the first launch writes, not in the one that all blocks read. The other array would
 * have the result of the launch before; the runtime puts launches together only where a further one, which writes it, is known to follow.
 *
 * Requires: a kernel with IR, facts of the launches in a loop. Produces struct temporal, for temporal_model.c and temporal_build.c.
 * Gives up with a reason at its place.
 */
#include "analysis/temporal.h"

#include <string.h>

#include <isl/aff.h>

#include "analysis/reuse.h"
#include "analysis/shape_free.h"
#include "runtime/seeded.h"

static void give_up(struct temporal *t, const char *reason, const struct ir_place *place)
{
  if (t->reason)
    return;
  t->reason = reason;
  t->place = place && place->line ? *place : t->code.kernel->name_place;
}

/* ---- the shape ---- */

/* The loop over the one layer of a block. */
static struct ir_stmt *without_layer(struct ir_stmt *body)
{
  while (body->kind == IR_STMT_BLOCK && body->child_count == 1 && body->children[0]->kind == IR_STMT_BLOCK)
    body = body->children[0];
  bool layer = body->kind == IR_STMT_BLOCK && body->child_count == 1 && body->children[0]->kind == IR_STMT_FOR;
  return layer ? body->children[0]->body : body;
}

static bool shape_points(struct temporal *t)
{
  struct geometry geometry = { { 1, 1 }, { 1, 1 }, { 1, 1 }, t->code.facts.block[2] == 1 ? 0 : 1 };

  if (!shape_free(&t->code, &t->reason, &t->place) || !shape_virtual(&t->code, &geometry, t->totals, &t->reason, &t->place))
    return false;
  if (geometry.layers)
    t->code.facts.kernel->body = without_layer(t->code.facts.kernel->body);
  return true;
}

/* ---- slots ---- */

static int slot_of_param(const struct temporal *t, unsigned param)
{
  for (unsigned i = 0; i < t->slot_count; i++)
    if (t->slots[i].param == param)
      return (int)i;
  return -1;
}

static struct array *array_of(const struct temporal *t, unsigned param)
{
  for (unsigned i = 0; i < t->code.access.arrays.count; i++)
    if (t->code.access.arrays.items[i]->var == t->code.kernel->params[param])
      return t->code.access.arrays.items[i];
  return NULL;
}

static void add_pair(struct temporal *t, unsigned written, unsigned read)
{
  unsigned first = t->slot_count;

  if (first + 2 > TEMPORAL_SLOTS) {
    give_up(t, "it has too many arrays", NULL);
    return;
  }
  t->slots[first] = (struct temporal_slot){ .param = read, .partner = first + 1, .array = array_of(t, read) };
  t->slots[first + 1] = (struct temporal_slot){ .param = written, .partner = first, .written = true, .array = array_of(t, written) };
  t->slot_count += 2;
}

static const struct ir_type *elements_of(const struct temporal *t, unsigned param)
{
  const struct ir_type *type = t->code.kernel->params[param]->type;
  return type->kind == IR_TYPE_POINTER ? ir_plain_type(t->code.arena, type->element) : NULL;
}

static bool same_elements(const struct temporal *t, unsigned a, unsigned b)
{
  const struct ir_type *x = elements_of(t, a), *y = elements_of(t, b);
  const char *left = x ? x->spelling : "", *right = y ? y->spelling : "";

  left += strncmp(left, "const ", 6) ? 0 : 6;
  right += strncmp(right, "const ", 6) ? 0 : 6;
  return x && y && !strcmp(left, right);
}

/* Each array that is written has a partner. */
static void find_slots(struct temporal *t, const int *partners)
{
  const struct kernel_access *access = &t->code.access;

  for (unsigned i = 0; i < access->arrays.count && !t->reason; i++) {
    const struct array *array = access->arrays.items[i];
    const struct ir_var *var = array->var;
    if (!array->written)
      continue;
    unsigned param = var->kind == IR_VAR_PARAM ? var->id : UINT32_MAX;
    if (param >= t->code.kernel->param_count) {
      give_up(t, arena_format(t->code.arena, "it writes '%s', which no argument names", var->name), &t->code.kernel->name_place);
    } else if (array->read) {
      give_up(t, arena_format(t->code.arena, "it reads and writes '%s'", var->name), &t->code.kernel->name_place);
    } else if (partners[param] < 0 || slot_of_param(t, (unsigned)partners[param]) >= 0) {
      give_up(t, arena_format(t->code.arena, "the next launch does not read what '%s' has", var->name), &t->code.kernel->name_place);
    } else {
      add_pair(t, param, (unsigned)partners[param]);
    }
  }
  for (unsigned i = 0; i < t->slot_count; i++) {
    const struct temporal_slot *slot = &t->slots[i];
    const struct ir_var *var = t->code.kernel->params[slot->param];
    if (!slot->array || !same_elements(t, slot->param, t->slots[slot->partner].param) || var->write_count || var->address_taken)
      give_up(t, arena_format(t->code.arena, "'%s' and '%s' do not change places", var->name,
                              t->code.kernel->params[t->slots[slot->partner].param]->name), &t->code.kernel->name_place);
    else if (!slot->written && slot->array->written)
      give_up(t, arena_format(t->code.arena, "it reads and writes '%s'", var->name), &t->code.kernel->name_place);
  }
  if (!t->slot_count)
    give_up(t, "it hands no array on", NULL);
}

/* ---- where an access is, from the point ---- */

/* form = coefficient * point along one axis + constant. False: it is something else. */
static bool translation(isl_pw_aff *form, int *ret_axis, int64_t *ret_constant)
{
  if (isl_pw_aff_isa_aff(form) != isl_bool_true)
    return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_val *constant = isl_aff_get_constant_val(aff);
  isl_space *space = isl_aff_get_domain_space(aff);
  bool fits = isl_aff_dim(aff, isl_dim_div) == 0 && isl_val_is_int(constant) == isl_bool_true && isl_val_cmp_si(constant, 64) <= 0 &&
              isl_val_cmp_si(constant, -64) >= 0;

  *ret_axis = -1;
  *ret_constant = fits ? isl_val_get_num_si(constant) : 0;
  for (int i = 0; fits && i < isl_aff_dim(aff, isl_dim_param); i++) {
    if (isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) != isl_bool_true)
      continue;
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    bool point = symbol->kind == SYMBOL_BUILTIN && symbol->builtin >= IR_BLOCK_IDX && symbol->builtin < IR_BLOCK_DIM;
    fits = *ret_axis < 0 && point && isl_val_is_one(coefficient) == isl_bool_true;
    *ret_axis = point ? (int)symbol->builtin - IR_BLOCK_IDX : -1;
    isl_val_free(coefficient);
  }
  isl_space_free(space);
  isl_val_free(constant);
  isl_aff_free(aff);
  return fits && *ret_axis >= 0;
}

/* Is 0 <= aff < extent wherever the access is made? */
static bool in_row(struct temporal *t, const struct access *access, isl_pw_aff *aff, isl_pw_aff *extent)
{
  isl_set *bad = isl_set_union(isl_pw_aff_lt_set(isl_pw_aff_copy(aff), symbols_constant(&t->code.symbols, 0)),
                               isl_pw_aff_ge_set(isl_pw_aff_copy(aff), isl_pw_aff_copy(extent)));
  bad = symbols_close(&t->code.symbols, isl_set_intersect(bad, isl_set_copy(access->domain)));
  bool proved = isl_set_is_empty(bad) == isl_bool_true;
  isl_set_free(bad);
  return proved;
}

static isl_pw_aff *extent_of(struct temporal *t, const struct candidate *c, unsigned d)
{
  if (c->is_flat)
    return candidate_extent(&t->code.symbols, c, d);
  return c->array->extents[d] > 0 ? symbols_constant(&t->code.symbols, c->array->extents[d]) : NULL;
}

/* The extents of a slot's array; accesses keep to its rows, since a neighbour in the tile is a neighbour in the row. */
static void find_extents(struct temporal *t, struct candidate *c, struct temporal_slot *slot)
{
  slot->is_flat = c->is_flat;
  for (unsigned d = 1; d < c->dim_count && !t->reason; d++) {
    isl_pw_aff *extent = extent_of(t, c, d);
    isl_val *value = extent && isl_pw_aff_is_cst(extent) == isl_bool_true ? isl_pw_aff_max_val(isl_pw_aff_copy(extent)) : NULL;
    slot->extent[d] = value && isl_val_is_int(value) == isl_bool_true ? isl_val_get_num_si(value) : -1;
    slot->length[d] = extent && slot->extent[d] < 0 ? lower_wide(&t->code.symbols, extent) : NULL;
    if (!extent || (slot->extent[d] < 0 && !slot->length[d]))
      give_up(t, "the extents of its arrays are not known", NULL);
    for (unsigned i = 0; i < c->array->accesses.count && !t->reason; i++)
      if (!in_row(t, &c->array->accesses.items[i], c->index[i * c->dim_count + d], extent) && !SEEDED(STEPS_ROWS_LEFT))
        give_up(t, "an index may leave its row", &c->array->accesses.items[i].place);
    isl_val_free(value);
    isl_pw_aff_free(extent);
  }
}

/* Dimension d of an access is the point along `axis` plus `constant`. */
static bool note_dimension(struct temporal *t, unsigned d, bool write, int axis, int64_t constant, struct temporal_access *out)
{
  if (write && !t->axes)
    t->axis_of[d] = (unsigned)axis;
  if (t->axis_of[d] != (unsigned)axis)
    return false;
  if (write && !t->axes)
    t->first[d] = constant;
  out->offset[axis] = constant - t->first[d];
  return !write || out->offset[axis] == 0;
}

static void note_access(struct temporal *t, struct candidate *c, unsigned number, unsigned slot)
{
  const struct access *access = &c->array->accesses.items[number];
  struct temporal_access *out = &t->accesses[t->access_count];
  const char *far = "an index is not at a constant distance from the element that the thread writes";

  if (t->access_count == TEMPORAL_ACCESSES) {
    give_up(t, "it has too many accesses", &access->place);
    return;
  }
  *out = (struct temporal_access){ .expr = access->expr, .slot = slot, .write = access->write };
  for (unsigned d = 0; d < c->dim_count && !t->reason; d++) {
    int axis;
    int64_t constant;
    if (!translation(c->index[number * c->dim_count + d], &axis, &constant) || !note_dimension(t, d, access->write, axis, constant, out))
      give_up(t, far, &access->place);
  }
  t->access_count++;
  if (access->write && !t->axes) {
    t->axes = c->dim_count;
    for (unsigned d = 0, seen = 0; d < t->axes; d++) {
      bool axis_fits = t->axis_of[d] < t->axes && !(seen >> t->axis_of[d] & 1);
      seen |= 1u << t->axis_of[d];
      if (!axis_fits)
        give_up(t, "threads do not write one element each", &access->place);
    }
  }
}

/* Accesses of one slot's array. What is written comes first: it says which element is whose. */
static void find_accesses(struct temporal *t, unsigned number)
{
  struct temporal_slot *slot = &t->slots[number];
  struct candidate c = { .array = slot->array };

  for (unsigned i = 0; i < slot->array->accesses.count; i++) {
    const struct access *access = &slot->array->accesses.items[i];
    if (access->partial || access->has_effects || !access->dim_count)
      give_up(t, "an access is not understood", &access->place);
    if (access->write && !access->must)
      give_up(t, "whether it writes an element depends on more than indices", &access->place);
  }
  if (slot->array->reject)
    give_up(t, slot->array->reject, &slot->array->reject_place);
  if (!slot->array->accesses.count || (slot->written && slot->array->accesses.count != 1))
    give_up(t, arena_format(t->code.arena, "it writes '%s' in several places", slot->array->var->name), NULL);
  if (t->reason)
    return;
  candidate_shape(&t->code.symbols, &c, true);
  if (c.dim_count > TEMPORAL_AXES || (t->axes && c.dim_count != t->axes))
    give_up(t, "its arrays have different dimensions", &slot->array->accesses.items[0].place);
  for (unsigned i = 0; i < slot->array->accesses.count && !t->reason; i++)
    note_access(t, &c, i, number);
  if (!t->reason)
    find_extents(t, &c, slot);
  candidate_finish(&c);
}

static void find_margins(struct temporal *t)
{
  for (unsigned i = 0; i < t->access_count; i++)
    for (unsigned axis = 0; axis < t->axes; axis++) {
      int64_t offset = t->accesses[i].offset[axis];
      t->low[axis] = -offset > t->low[axis] ? -offset : t->low[axis];
      t->high[axis] = offset > t->high[axis] ? offset : t->high[axis];
    }
}

/* ---- the points that write ---- */

static isl_set *write_domain(const struct temporal_slot *slot)
{
  return isl_set_copy(slot->array->accesses.items[0].domain);
}

static bool varying_param(const struct temporal *t, const struct ir_var *var)
{
  for (unsigned i = 0; i < t->value_count; i++)
    if (t->code.kernel->params[t->values[i]] == var)
      return true;
  return false;
}

/* Of the point's index and of parameters that all launches have in common. */
static bool depends_on_fixed(struct temporal *t, isl_set *domain)
{
  isl_space *space = isl_set_get_space(domain);
  bool fixed = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (isl_set_involves_dims(domain, isl_dim_param, (unsigned)i, 1) != isl_bool_true)
      continue;
    fixed &= (symbol->kind == SYMBOL_SCALAR && !varying_param(t, symbol->var)) || (symbol->kind == SYMBOL_BUILTIN && symbol->builtin >= IR_BLOCK_IDX && symbol->builtin < IR_BLOCK_DIM);
  }
  isl_space_free(space);
  return fixed;
}

/* All arrays are written by the same points, in each launch. */
static void find_writers(struct temporal *t)
{
  isl_set *all = NULL;

  for (unsigned i = 0; i < t->slot_count && !t->reason; i++) {
    const struct temporal_slot *slot = &t->slots[i];
    if (!slot->written)
      continue;
    isl_set *domain = write_domain(slot);
    if (!depends_on_fixed(t, domain))
      give_up(t, "which elements it writes may differ between launches", &slot->array->accesses.items[0].place);
    if (all && isl_set_is_equal(all, domain) != isl_bool_true)
      give_up(t, "not all arrays are written by the same threads", &slot->array->accesses.items[0].place);
    isl_set_free(all);
    all = domain;
  }
  if (!t->reason)
    t->written = lower_set(&t->code.symbols, all, NULL, 16);
  isl_set_free(all);
  if (!t->written)
    give_up(t, "which elements it writes has no simple form", NULL);
}

/* ---- what may differ between launches ---- */

static bool in_parameters(isl_space *space, const struct ir_var *var)
{
  bool found = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    found |= symbol_of_param(space, (unsigned)i)->var == var;
  isl_space_free(space);
  return found;
}

static void find_values(struct temporal *t, const bool *varies)
{
  for (unsigned i = 0; i < t->code.kernel->param_count && !t->reason; i++) {
    const struct ir_var *param = t->code.kernel->params[i];
    const struct ir_type *type = param->type;
    if (type->kind == IR_TYPE_RECORD || type->kind == IR_TYPE_OTHER)
      give_up(t, arena_format(t->code.arena, "'%s' is passed by value", param->name), &t->code.kernel->name_place);
    if (!varies[i])
      continue;
    bool scalar = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;
    if (!scalar || type->size > 8 || param->write_count || param->address_taken || t->value_count == TEMPORAL_SLOTS)
      give_up(t, arena_format(t->code.arena, "'%s' differs between launches", param->name), &t->code.kernel->name_place);
    else
      t->values[t->value_count++] = i;
  }
}

/* Strides and distances are the same in all launches: their forms name no scalar that may differ. */
static void check_forms(struct temporal *t)
{
  for (unsigned i = 0; i < t->value_count; i++)
    for (unsigned k = 0; k < t->slot_count && !t->reason; k++)
      for (unsigned a = 0; a < t->slots[k].array->accesses.count; a++) {
        const struct access *access = &t->slots[k].array->accesses.items[a];
        for (unsigned d = 0; d < access->dim_count; d++)
          if (!access->index[d].aff || in_parameters(isl_pw_aff_get_domain_space(access->index[d].aff), t->code.kernel->params[t->values[i]]))
            give_up(t, "its indices differ between launches", &access->place);
      }
}

/* ---- the kernel as a whole ---- */

static void check_memory(struct temporal *t)
{
  const struct kernel_access *access = &t->code.access;

  if (access->reject)
    give_up(t, access->reject, &access->reject_place);
  if (access->has_fence)
    give_up(t, "it has a memory fence", NULL);
  if (access->unknown_write || access->unknown_read)
    give_up(t, "it uses memory through a pointer that is not followed", &access->unknown_place);
  if (access->atomics.count)
    give_up(t, "it has atomic operations", &access->atomics.items[0].call->place);
  for (unsigned i = 0; i < access->arrays.count; i++)
    if (access->arrays.items[i]->element->is_volatile)
      give_up(t, "it accesses volatile memory", NULL);
}

struct blind_search { struct temporal *t; bool safe; };

static const struct temporal_access *slot_access(const struct temporal *t, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < t->access_count; i++)
    if (t->accesses[i].expr == expr)
      return &t->accesses[i];
  return NULL;
}

static void note_expr(struct ir_expr *expr, void *context)
{
  struct blind_search *s = context;
  const struct code_access *found = code_access_of(&s->t->code, expr);
  const struct temporal_access *own = slot_access(s->t, expr);
  int64_t by;

  if (own)
    s->t->loads += 1;
  if (found && !own) {
    s->t->other_bytes += (double)found->array->element->size;
    for (unsigned d = 0; d < found->access->dim_count; d++)
      s->safe &= found->access->index[d].aff != NULL;
  }
  if (expr->kind == IR_EXPR_BINARY)
    s->t->operations += 1;
  bool divides = expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) && expr->type->kind == IR_TYPE_INT;
  s->safe &= !divides || (ir_constant(expr->operands[1], &by) && by > 0);
  s->safe &= expr->kind != IR_EXPR_CALL || expr->effect == IR_EFFECT_NONE || expr->effect == IR_EFFECT_LOAD;
  s->safe &= !(expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) || own || found;
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct blind_search *s = context;
  int64_t first, trips;

  switch (stmt->kind) {
  case IR_STMT_NULL:
  case IR_STMT_DECL:
  case IR_STMT_DECLS:
  case IR_STMT_EXPR:
  case IR_STMT_BLOCK:
  case IR_STMT_IF: break;
  case IR_STMT_FOR: s->safe &= reuse_short_loop(stmt, &first, &trips); break;
  default: s->safe = false;
  }
  return true;
}

/* Elements of local arrays may be chosen by a value. */
static bool has_local_arrays(const struct ir_function *kernel)
{
  for (unsigned i = 0; i < kernel->var_count; i++)
    if (kernel->vars[i]->kind == IR_VAR_LOCAL && kernel->vars[i]->type->kind == IR_TYPE_ARRAY)
      return true;
  return false;
}

/* May the code of whole points run at points whose elements hold anything? It stores to one place; no index comes from an element. */
static void find_blind(struct temporal *t)
{
  struct blind_search s = { t, true };

  ir_visit_stmts(t->whole.body, note_stmt, &s);
  ir_visit_stmt_exprs(t->whole.body, note_expr, &s);
  t->blind = s.safe && !has_local_arrays(t->code.facts.kernel);
}

/* Every use of a slot's parameter is part of an access that is known. */
struct use_count { const struct ir_var *var; unsigned uses; };

static void count_use(struct ir_expr *expr, void *context)
{
  struct use_count *count = context;
  count->uses += expr->kind == IR_EXPR_VAR && expr->var == count->var;
}

static void check_uses(struct temporal *t)
{
  for (unsigned i = 0; i < t->slot_count && !t->reason; i++) {
    struct use_count all = { t->code.kernel->params[t->slots[i].param], 0 }, seen = { all.var, 0 };
    ir_visit_stmt_exprs(t->code.facts.kernel->body, count_use, &all);
    for (unsigned k = 0; k < t->access_count; k++)
      if (t->accesses[k].slot == i)
        ir_visit_expr((struct ir_expr *)t->accesses[k].expr, count_use, &seen);
    if (all.uses != seen.uses)
      give_up(t, arena_format(t->code.arena, "'%s' is used other than by its elements", all.var->name), NULL);
  }
}

static bool asks_varying(const struct temporal *t)
{
  for (unsigned i = 0; t->whole.condition && i < t->value_count; i++)
    if (ir_expr_has_var(t->whole.condition, t->code.kernel->params[t->values[i]]))
      return true;
  return false;
}

/* Statements that store to the slots, each by an assignment of its own. */
struct store_search { const struct temporal *t; bool always; unsigned stores; };

static bool note_store(struct ir_stmt *stmt, void *context)
{
  struct store_search *s = context;
  if (s->always && stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_EXPR)
    return false;
  const struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  if (expr && expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN) {
    const struct temporal_access *access = slot_access(s->t, ir_strip(expr->operands[0]));
    s->stores += access && access->write;
  }
  return true;
}

static unsigned stores_in(const struct temporal *t, struct ir_stmt *body, bool always)
{
  struct store_search s = { t, always, 0 };

  ir_visit_stmts(body, note_store, &s);
  return s.stores;
}

void temporal_find(struct unit *unit, struct effects *effects, const struct kernel_facts *facts, const bool *varies, const int *partners,
                   struct remarks *remarks, struct temporal *t)
{
  memset(t, 0, sizeof *t);
  code_init(&t->code, unit, effects, facts, remarks);
  if (!shape_points(t))
    return;
  whole_of(&t->code, &t->whole);
  code_scan(&t->code);
  check_memory(t);
  if (!t->reason)
    find_values(t, varies);
  if (!t->reason)
    find_slots(t, partners);
  for (unsigned written = 2; written-- > 0;)
    for (unsigned i = 0; i < t->slot_count && !t->reason; i++)
      if (t->slots[i].written == (written == 1))
        find_accesses(t, i);
  if (!t->reason)
    check_forms(t);
  if (!t->reason)
    find_writers(t);
  if (!t->reason && stores_in(t, t->code.facts.kernel->body, false) * 2 != t->slot_count)
    give_up(t, "it stores other than by a plain assignment", NULL);
  if (!t->reason)
    check_uses(t);
  find_margins(t);
  find_blind(t);
  t->blind &= !asks_varying(t) && stores_in(t, t->whole.body, true) * 2 == t->slot_count;
  if (code_exhausted(&t->code))
    give_up(t, "the index expressions are too complex", NULL);
}

void temporal_finish(struct temporal *t)
{
  code_finish(&t->code);
}
