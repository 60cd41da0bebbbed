/* SPDX-License-Identifier: MIT */
/* privatize.c - finds arrays that a kernel only updates by atomic operations.
 *
 *     if (i < n) atomicAdd(&count[values[i] & 255], 1);     =>     count[0 .. 255], sum, one update
 *
 * A block may keep a private copy of such an array, start it with the neutral value, and add it
 * once. The conditions: all updates are one associative and commutative operation, no code uses a
 * result, and no other code in the kernel may reach the elements. The elements are known from the
 * values of the indices, from the array's extents, or from the object that the launch passes. Or a
 * parameter is above all indices (`if (k >= 0 && k < bins)`, `x % bins`), and each launch checks
 * that it is small enough. Where none is, the first elements have a copy, and each update asks.
 * Sums of floats have no fixed order as written; per block the order changes again, so they need
 * -O3. Requires: a scan. Gives up with a reason: other uses of the array, mixed operations, a range
 * that is not known or too large.
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

/* The parameter or the VS variable of which the target is an element; NULL: it is none. */
static struct ir_var *updated_var(const struct ir_expr *target)
{
  struct ir_var *var = ir_updated_var(target);
  return var && (var->kind == IR_VAR_PARAM || var->kind == IR_VAR_VS) ? var : NULL;
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

/* ---- an end that is a parameter ---- */

enum {
  SIZED_BYTES = 16384, /* of a copy whose length the launch knows */
  MOST_SIZED = 32768,  /* of one that is known, above which a length is looked for */
  MOST_BYTES = 49152   /* ... and above which it is taken for unknown */
};

static bool is_length(const struct ir_var *param)
{
  return param->kind == IR_VAR_PARAM && param->type->kind == IR_TYPE_INT &&
         param->type->size == 4 && !param->write_count && !param->address_taken && param->name;
}

/* Is the index below the parameter wherever it is used? */
static bool is_below(struct code *code, const struct access *where, struct ir_var *param)
{
  struct symbols *symbols = &code->symbols;
  struct symbol *symbol = symbol_of_scalar(symbols, param);
  if (!symbol) return false;
  struct value over =
      value_sub(value_copy(&where->index[0]), value_take(symbol_aff(symbols, symbol)));
  bool is = value_within(symbols, &over, where->domain, NULL,
                         isl_val_int_from_si(symbols->ctx, SEEDED(PRIVATE_LENGTH_SHORT) ? 0 : -1));

  value_free(&over);
  return is;
}

static bool is_from_zero(struct code *code, const struct access *where)
{
  return value_within(&code->symbols, &where->index[0], where->domain,
                      isl_val_zero(code->symbols.ctx), NULL);
}

/* The index of `&v[i]` or `v + i`; NULL: there is none. */
static struct ir_expr *updated_index(const struct ir_expr *call)
{
  struct ir_expr *expr = ir_strip(call->operands[0]);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) expr = ir_strip(expr->operands[0]);
  bool indexed = expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_BINARY;
  return indexed ? expr->operands[1] : NULL;
}

/* Is it a cast to a type with room for an int? */
static bool keeps_numbers(const struct ir_expr *expr)
{
  return (expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT) &&
         expr->type->kind == IR_TYPE_INT && expr->type->size >= 4;
}

/* The divisor where the index is a remainder of unsigned numbers; NULL: it is none. */
static struct ir_var *divisor_of(struct code *code, const struct ir_expr *call)
{
  struct ir_expr *index = updated_index(call);

  index = index ? code_resolve(code, index) : NULL;
  index = index ? ir_strip(index) : NULL;
  while (index && keeps_numbers(index)) index = ir_strip(index->operands[0]);
  if (!index || index->kind != IR_EXPR_BINARY || index->op != IR_OP_REM ||
      index->type->kind != IR_TYPE_INT || index->type->is_signed || index->type->size < 4)
    return NULL;
  struct ir_expr *by = ir_strip(index->operands[1]);
  while (keeps_numbers(by)) by = ir_strip(by->operands[0]);
  return by->kind == IR_EXPR_VAR && is_length(by->var) ? by->var : NULL;
}

static struct ir_var *length_above(struct code *code, const struct atomic_seen *seen)
{
  struct ir_var *divisor = divisor_of(code, seen->call);

  if (divisor || !is_from_zero(code, &seen->where)) return divisor;
  for (unsigned i = 0; i < code->kernel->param_count; i++)
    if (is_length(code->facts.kernel->params[i]) &&
        is_below(code, &seen->where, code->facts.kernel->params[i]))
      return code->facts.kernel->params[i];
  return NULL;
}

/* One length for all updates. */
static bool add_length(struct finding *f, const struct array *array, const struct atomic_seen *seen,
                       struct private_array *own)
{
  if (seen->where.dim_count != 1 || (own->dim_count && !own->length)) return false;
  struct ir_var *length = length_above(f->code, seen);
  if (!length || (own->length && own->length != length) || code_exhausted(f->code)) return false;
  own->length = length;
  own->dim_count = 1;
  own->low[0] = 0;
  own->size[0] = SIZED_BYTES / array->element->size;
  return true;
}

/* A copy of the first elements, whatever the others are. All updates ask: those before this one had
 * a box, or a length. */
static bool be_open(const struct code *code, const struct array *array,
                    const struct atomic_seen *seen, struct private_array *own)
{
  int64_t low, high;

  if (seen->where.dim_count != 1 || !private_may_be_open(seen->call, own) ||
      object_range(code, array, &low, &high))
    return false;
  own->open = true;
  own->length = NULL;
  own->dim_count = 1;
  own->low[0] = 0;
  own->size[0] = SIZED_BYTES / own->element->size;
  return true;
}

/* The elements that are known, or those up to a length where these are many. */
static bool add_box(struct finding *f, const struct array *array, const struct atomic_seen *seen,
                    struct private_array *own)
{
  struct private_array box = *own;
  bool known = !own->length && add_range(f, array, &seen->where, &box);
  bool is_small = known && box.dim_count <= 1 &&
                  (!box.dim_count || box.size[0] <= MOST_SIZED / array->element->size);

  if (own->open || (!is_small && add_length(f, array, seen, own)))
    return !own->open || private_may_be_open(seen->call, own);
  bool is_large = known && box.dim_count == 1 && box.size[0] > MOST_BYTES / array->element->size;
  if ((!known || is_large) && be_open(f->code, array, seen, own)) return true;
  if (known) *own = box;
  return known;
}

struct ir_expr *private_lengths(struct code *code, const struct private_arrays *arrays)
{
  struct arena *arena = code->arena;
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < arrays->count && !SEEDED(PRIVATE_LENGTH_UNASKED); i++) {
    const struct private_array *own = &arrays->items[i];
    if (own->open) all = ir_build_both(arena, all, private_open_gains(code, own));
    if (!own->length) continue;
    struct ir_expr *length = ir_build_var(arena, own->length);
    all =
        ir_build_both(arena, all, ir_build_binary(arena, IR_OP_GE, length, ir_build_int(arena, 1)));
    all = ir_build_both(
        arena, all, ir_build_binary(arena, IR_OP_LE, length, ir_build_int(arena, own->elements)));
  }
  return all;
}

/* ---- one array ---- */

static struct array *array_of(const struct code *code, const struct ir_var *var)
{
  for (unsigned i = 0; i < code->access.arrays.count; i++)
    if (code->access.arrays.items[i]->var == var) return code->access.arrays.items[i];
  return NULL;
}

/* Is it made by one thread of a block? */
static bool of_one_thread(const struct finding *f, const struct access *where)
{
  for (int axis = 0; axis < 3; axis++) {
    const struct symbol *thread =
        symbol_of_builtin(&f->code->symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
    int at = where->domain ? isl_set_find_dim_by_id(where->domain, isl_dim_param, thread->id) : -1;
    if (axis && f->code->facts.block[axis] <= 1) continue;
    if (at < 0) return false;
    isl_val *only = isl_set_plain_get_val_if_fixed(where->domain, isl_dim_param, (unsigned)at);
    bool fixed = isl_val_is_int(only) == isl_bool_true;
    isl_val_free(only);
    if (!fixed) return false;
  }
  return true;
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
    bool shaped =
        seen->shaped && seen->where.dim_count == array->dim_count && !seen->where.has_effects;
    if (!shaped || !add_box(f, array, seen, own))
      return give_up(f, "the range of its index is not known", &seen->call->place);
    *(of_one_thread(f, &seen->where) ? &own->block_updates : &own->updates) += seen->where.count;
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

int64_t private_copies(int64_t elements)
{
  int64_t copies = 1;

  while (copies < MOST_COPIES && elements * copies * 2 <= COPIED_ELEMENTS) copies *= 2;
  return copies;
}

static void add_copies(struct private_arrays *arrays)
{
  arrays->bytes = 0;
  for (unsigned i = 0; i < arrays->count; i++) {
    struct private_array *own = &arrays->items[i];
    own->copies = own->length || own->open ? 1 : private_copies(own->elements);
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
