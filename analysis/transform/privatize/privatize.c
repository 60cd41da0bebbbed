/* SPDX-License-Identifier: MIT */
/* privatize.c - finds arrays that a kernel only updates by atomic operations.
 *
 *     if (i < n) atomicAdd(&count[values[i] & 255], 1);     =>     count[0 .. 255], sum, one update
 *
 * A block may keep a private copy of such an array, start it with the neutral value, and add it
 * once. The conditions: all updates are one associative and commutative operation, no code uses a
 * result, and no other code in the kernel may reach the elements. The elements are known from the
 * values of the indices, from the array's extents, or from the object that the launch passes. Sums
 * of floats have no fixed order as written; per block the order changes again, so they need -O3.
 * Requires: a scan. Gives up with a reason: other uses of the array, mixed operations, a range that
 * is not known or too large.
 */
#include "analysis/transform/privatize/privatize.h"
#include "runtime/seeded.h"

#include <string.h>

struct finding {
  struct code *code;
  bool floats;
  struct private_arrays *out;
  const char *reason;
  struct ir_place place;
};

static bool give_up(struct finding *f, const char *reason, const struct ir_place *place)
{
  if (!f->reason) {
    f->reason = reason;
    f->place = *place;
  }
  return false;
}

/* ---- operations ---- */

struct operation {
  const char *name;
  enum reduce_op op;
  const char *flush;
};

static const struct operation *operation_of(const struct ir_expr *call)
{
  static const struct operation all[] = {
      {"atomicAdd", REDUCE_SUM, "atomicAdd"}, {"atomicSub", REDUCE_SUM, "atomicAdd"},
      {"atomicMin", REDUCE_MIN, "atomicMin"}, {"atomicMax", REDUCE_MAX, "atomicMax"},
      {"atomicAnd", REDUCE_AND, "atomicAnd"}, {"atomicOr", REDUCE_OR, "atomicOr"},
      {"atomicXor", REDUCE_XOR, "atomicXor"},
  };

  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (call->operand_count == 2 && !call->callee && !strcmp(call->text, all[i].name))
      return &all[i];
  return NULL;
}

/* The variable with the element `&v[i][j]`, `v + i`, `v` or `&v`. NULL: it is no plain index. */
static struct ir_var *updated_var(const struct ir_expr *target)
{
  struct ir_expr *expr = ir_strip((struct ir_expr *)target);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) {
    expr = ir_strip(expr->operands[0]);
    while (expr->kind == IR_EXPR_INDEX) expr = ir_strip(expr->operands[0]);
  } else if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD) {
    expr = ir_strip(expr->operands[0]);
  }
  bool named = expr->kind == IR_EXPR_VAR &&
               (expr->var->kind == IR_VAR_PARAM || expr->var->kind == IR_VAR_VS);
  return named ? expr->var : NULL;
}

/* The atomic operation that is the whole statement. NULL: there is none. */
static const struct ir_expr *update_of(const struct ir_stmt *stmt)
{
  const struct ir_expr *call = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  return call && call->kind == IR_EXPR_CALL && call->effect == IR_EFFECT_ATOMIC ? call : NULL;
}

const struct private_array *private_array_of(const struct private_arrays *arrays,
                                             const struct ir_stmt *stmt)
{
  const struct ir_expr *call = update_of(stmt);
  const struct ir_var *var = call && call->operand_count ? updated_var(call->operands[0]) : NULL;

  for (unsigned i = 0; var && i < arrays->count; i++)
    if (arrays->items[i].var == var) return &arrays->items[i];
  return NULL;
}

/* ---- other code that may reach it ---- */

struct use_count {
  struct finding *f;
  const struct ir_var *var;
  unsigned updates;
};

static bool count_update(struct ir_stmt *stmt, void *context)
{
  struct use_count *count = context;
  const struct ir_expr *call = update_of(stmt);

  count->updates += call && call->operand_count && updated_var(call->operands[0]) == count->var;
  return true;
}

static void note_callee(struct ir_expr *expr, void *context)
{
  struct use_count *count = context;

  if (expr->kind != IR_EXPR_CALL || expr->effect != IR_EFFECT_CALLEE) return;
  const struct function_effects *effects = effects_of(count->f->code->effects, expr->callee);
  for (unsigned i = 0; i < effects->uses.count; i++)
    if (effects->uses.items[i].var == count->var)
      give_up(count->f, "a device function uses it", &expr->place);
}

static bool only_updated(struct finding *f, const struct array *array, const struct ir_place *place)
{
  struct ir_stmt *body = f->code->facts.kernel->body;
  struct use_count count = {f, array->var, 0};

  if (array->accesses.count ||
      (array->var->kind == IR_VAR_PARAM && (array->var->write_count || array->var->address_taken)))
    return give_up(f, "it is used in another way, too", place);
  ir_visit_stmts(body, count_update, &count);
  ir_visit_stmt_exprs(body, note_callee, &count);
  if (ir_count_var(body, array->var) != count.updates)
    return give_up(f, "a result of an update, or its address, is used", place);
  for (unsigned i = 0; i < f->code->access.arrays.count; i++) {
    const struct array *other = f->code->access.arrays.items[i];
    if (other != array && !code_disjoint(f->code, array, other) && !SEEDED(COUNTER_OVER_ALIAS))
      return give_up(f, arena_format(f->code->arena, "'%s' may overlap it", other->var->name),
                     place);
  }
  return !f->reason;
}

/* ---- the range ---- */

/* The elements of the object that a pointer parameter leads to. */
static bool object_range(const struct code *code, const struct array *array, int64_t *ret_low,
                         int64_t *ret_high)
{
  int64_t size = array->element->size;

  for (unsigned i = 0; i < code->facts.kernel->param_count; i++) {
    const struct pointer_fact *fact = &code->facts.pointers[i];
    if (code->facts.kernel->params[i] != array->var || !fact->range_known || array->dim_count != 1)
      continue;
    *ret_low = -(-fact->low / size);
    *ret_high = fact->high / size - 1;
    return true;
  }
  return false;
}

static void narrow(isl_val *low, isl_val *high, int64_t *at_least, int64_t *at_most, bool *known)
{
  bool is = low && high && isl_val_is_int(low) == isl_bool_true &&
            isl_val_is_int(high) == isl_bool_true && isl_val_cmp_si(low, INT32_MIN) > 0 &&
            isl_val_cmp_si(high, INT32_MAX) < 0;

  if (is && (!*known || isl_val_get_num_si(low) > *at_least)) *at_least = isl_val_get_num_si(low);
  if (is && (!*known || isl_val_get_num_si(high) < *at_most)) *at_most = isl_val_get_num_si(high);
  *known |= is;
  isl_val_free(low);
  isl_val_free(high);
}

/* The range of the index of one update along dimension d. */
static bool index_range(struct code *code, const struct array *array, const struct access *where,
                        unsigned d, int64_t *ret_low, int64_t *ret_high)
{
  bool known = array->extents[d] > 0;
  isl_val *low, *high;

  *ret_low = 0;
  *ret_high = array->extents[d] - 1;
  if (!known && d == 0) known = object_range(code, array, ret_low, ret_high);
  value_interval(&code->symbols, &where->index[d], where->domain, &low, &high);
  narrow(low, high, ret_low, ret_high, &known);
  return known;
}

static bool add_range(struct finding *f, const struct array *array, const struct access *where,
                      struct private_array *own)
{
  bool first = !own->dim_count;

  own->dim_count = where->dim_count;
  for (unsigned d = 0; d < where->dim_count; d++) {
    int64_t low, high;
    if (!index_range(f->code, array, where, d, &low, &high) || code_exhausted(f->code))
      return false;
    int64_t end = first ? high : own->low[d] + own->size[d] - 1;
    own->low[d] = first || low < own->low[d] ? low : own->low[d];
    end = high > end ? high : end;
    own->size[d] = end - own->low[d] + 1;
  }
  return true;
}

/* ---- one array ---- */

static struct array *array_of(const struct code *code, const struct ir_var *var)
{
  for (unsigned i = 0; i < code->access.arrays.count; i++)
    if (code->access.arrays.items[i]->var == var) return code->access.arrays.items[i];
  return NULL;
}

static bool add_updates(struct finding *f, const struct array *array, struct private_array *own)
{
  const struct kernel_access *access = &f->code->access;

  for (unsigned i = 0; i < access->atomics.count; i++) {
    const struct atomic_seen *seen = &access->atomics.items[i];
    const struct operation *operation = operation_of(seen->call);
    if (seen->var != array->var) continue;
    if (!operation || (own->op != REDUCE_NONE && own->op != operation->op))
      return give_up(f,
                     operation ? "it is updated by different operations"
                               : "its updates cannot be taken in any order",
                     &seen->call->place);
    own->op = operation->op;
    own->flush = operation->flush;
    if (!reduce_fits(own->op, own->element, f->floats))
      return give_up(f,
                     own->element->kind == IR_TYPE_FLOAT
                         ? "sums of floats are taken in another order at -O3 only"
                         : "its elements are no plain integers",
                     &seen->call->place);
    if (!seen->shaped || seen->where.dim_count != array->dim_count || seen->where.has_effects ||
        !add_range(f, array, &seen->where, own))
      return give_up(f, "the range of its index is not known", &seen->call->place);
    own->updates += seen->where.count;
  }
  return own->op != REDUCE_NONE;
}

static bool find_private(struct finding *f, struct ir_var *var, const struct ir_place *place,
                         struct private_array *own)
{
  const struct array *array = array_of(f->code, var);

  *own = (struct private_array){.var = var, .op = REDUCE_NONE, .elements = 1, .copies = 1};
  if (!array || array->element->is_volatile)
    return give_up(f, "it is no array in device memory", place);
  own->element = array->element;
  if (!only_updated(f, array, place) || !add_updates(f, array, own)) return false;
  for (unsigned d = 0; d < own->dim_count; d++) {
    if (own->size[d] <= 0 || own->size[d] > INT32_MAX / own->elements)
      return give_up(f, "the range of its index is too large", place);
    own->elements *= own->size[d];
  }
  return true;
}

/* ---- all of them ---- */

/* For all copies: beyond that, adding them up takes longer than they gain. */
enum {
  MOST_ATOMICS = 256 /* the search is not linear */,
  MOST_COPIES = 32,
  COPIED_ELEMENTS = 2048
};

static void add_copies(struct private_arrays *arrays)
{
  arrays->bytes = 0;
  for (unsigned i = 0; i < arrays->count; i++) {
    struct private_array *own = &arrays->items[i];
    while (own->copies < MOST_COPIES && own->elements * own->copies * 2 <= COPIED_ELEMENTS)
      own->copies *= 2;
    arrays->bytes += (uint64_t)(own->elements * own->copies * own->element->size + 15) / 16 * 16;
  }
}

struct loop_search {
  const struct private_arrays *arrays;
  unsigned updates;
  bool found;
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *search = context;
  struct loop_search inner = {search->arrays, 0, false};

  search->updates += private_array_of(search->arrays, stmt) != NULL;
  if (stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE && stmt->kind != IR_STMT_DO)
    return true;
  ir_visit_stmts(stmt->body, note_loop, &inner);
  search->found |= inner.updates > 0;
  search->updates += inner.updates;
  return false;
}

static bool is_known(const struct private_arrays *arrays, const struct ir_var *var)
{
  for (unsigned i = 0; i < arrays->count; i++)
    if (arrays->items[i].var == var) return true;
  return false;
}

/* Finds the array of an update, or says why it is not private. */
static void look_at(struct finding *f, const struct atomic_seen *seen, uint64_t capacity)
{
  const struct kernel_access *access = &f->code->access;
  struct private_array *own = &f->out->items[f->out->count];

  if (access->unknown_read || access->unknown_write || access->has_fence) {
    give_up(f,
            access->has_fence ? "the kernel has a memory fence"
                              : "the kernel uses pointers that are not followed",
            &seen->call->place);
  } else if (f->out->count == MOST_PRIVATE) {
    give_up(f, "there are too many such arrays", &seen->call->place);
  } else if (find_private(f, seen->var, &seen->call->place, own)) {
    uint64_t bytes = (uint64_t)(own->elements * own->element->size + 15) / 16 * 16;
    if (f->out->bytes + bytes > capacity) {
      give_up(f,
              arena_format(f->code->arena, "%llu bytes do not fit shared memory",
                           (unsigned long long)bytes),
              &seen->call->place);
      return;
    }
    f->out->bytes += bytes;
    f->out->count++;
  }
}

bool privatize_find(struct code *code, bool floats, uint64_t capacity, struct private_arrays *ret)
{
  const struct kernel_access *access = &code->access;
  struct finding f = {.code = code, .floats = floats, .out = ret};

  memset(ret, 0, sizeof *ret);
  for (unsigned i = 0; i < access->atomics.count && access->atomics.count <= MOST_ATOMICS; i++) {
    const struct atomic_seen *seen = &access->atomics.items[i];
    if (!seen->var || is_known(ret, seen->var)) continue;
    f.reason = NULL;
    look_at(&f, seen, capacity);
    if (!f.reason) continue;
    code_decide(code, (struct decision){.kind = DECISION_PRIVATE,
                                        .place = f.place,
                                        .array = seen->var->name,
                                        .why = f.reason});
    code_remark(code, DIAG_NOT_PRIVATE, &f.place, "'%s' is not privatised by block in '%s': %s",
                seen->var->name, code->kernel->name, f.reason);
  }
  add_copies(ret);
  struct loop_search search = {ret, 0, false};
  ir_visit_stmts(code->facts.kernel->body, note_loop, &search);
  ret->updates = search.updates;
  ret->in_loops = search.found;
  return ret->count > 0;
}
