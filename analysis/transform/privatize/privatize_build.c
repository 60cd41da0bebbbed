/* SPDX-License-Identifier: MIT */
/* privatize_build.c - code in which blocks keep private copies.
 *
 *     if (i < n) atomicAdd(&count[v[i]], 1);
 *   =>
 *     __shared__ int _s_count[256][8];
 *     ...start with 0, barrier...
 *     for (unsigned _x = blockIdx.x * 2048 + threadIdx.x; _x < total; _x += gridDim.x * 2048) {
 *       ...for four elements: _k[_u] = v[i]...
 *       ...for each of them: atomicAdd(&_s_count[_k[_u]][_c], 1);
 *     }
 *     ...barrier, atomicAdd(&count[_e], sum of the copies) where that is not 0...
 *
 * Blocks take turns at the elements of the launch, so that a block adds its copies once for many of
 * them. The loads for several elements are in flight together, in front of the updates. A copy of
 * one element is a register of each thread. Returns become jumps to the end of the element, or of
 * the body: every thread reaches the barriers. Requires: arrays of privatize_find.
 */
#include "analysis/transform/privatize/privatize.h"
#include "runtime/seeded.h"

enum { MOST_AT_ONCE = 8 /* copies */ };

struct update { /* a deferred update */
  const struct private_array *own;
  /* By element of the thread: the element of the private array, or -1. NULL: the array has one. */
  struct ir_var *element;
  struct ir_var *value; /* likewise the operand of the update; NULL: `constant` */
  struct ir_expr *constant;
  struct ir_stmt *stmt;
};

struct building {
  struct code *code;
  struct arena *arena;
  struct private_arrays *arrays;
  struct ir_var *thread;   /* number in its block */
  struct ir_expr *threads; /* of a block */
  /* The number of a thread's element. NULL: updates are made at once. */
  struct ir_var *round;
  int64_t rounds;
  struct update updates[MOST_UPDATES];
  unsigned update_count;
};

static struct ir_expr *number(struct building *b, int64_t value)
{
  return ir_build_int(b->arena, value);
}

static struct ir_expr *use(struct building *b, struct ir_var *var)
{
  return ir_build_var(b->arena, var);
}

static const struct ir_type *unsigned_type(struct building *b)
{
  return ir_build_builtin(b->arena, IR_THREAD_IDX)->type;
}

/* for (var = lower; var < bound; var += step) body */
static struct ir_stmt *stepping(struct building *b, struct ir_var *var, struct ir_expr *lower,
                                struct ir_expr *bound, struct ir_expr *step, struct ir_stmt *body)
{
  struct ir_stmt *loop = ir_build_for(b->arena, var, lower, bound, 1, body);
  struct ir_expr *assign = ir_build_assign(b->arena, use(b, var), step);

  assign->op = IR_OP_ADD_ASSIGN;
  loop->increment = assign;
  loop->loop->step_expr = step;
  return loop;
}

static struct ir_stmt *counting(struct building *b, struct ir_var *var, int64_t count,
                                struct ir_stmt *body)
{
  struct ir_stmt *loop = ir_build_for(b->arena, var, number(b, 0), number(b, count), 1, body);
  loop->pragma = "#pragma unroll";
  return loop;
}

static struct ir_stmt *assign(struct building *b, struct ir_expr *target, struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, target, value));
}

static struct ir_stmt *barrier(struct building *b)
{
  return ir_build_expr_stmt(b->arena, ir_build_call(b->arena, "__syncthreads", IR_EFFECT_BARRIER));
}

/* ---- a block's copies ---- */

/* An element of the copy. `which` NULL: the first. */
static struct ir_expr *copy_element(struct building *b, const struct private_array *own,
                                    struct ir_expr *which, struct ir_expr *copy)
{
  if (own->length) {
    struct ir_expr *first = ir_build_binary(b->arena, IR_OP_MUL, which, use(b, own->copy_count));
    return ir_build_index(b->arena, use(b, own->copy),
                          ir_build_binary(b->arena, IR_OP_ADD, first, copy));
  }
  struct ir_expr *element =
      ir_build_index(b->arena, use(b, own->copy), which ? which : number(b, 0));
  return own->copies > 1 ? ir_build_index(b->arena, element, copy) : element;
}

/* What a number of a copy is taken out of by `&`. */
static struct ir_expr *copies_mask(struct building *b, const struct private_array *own)
{
  return own->length ? ir_build_binary(b->arena, IR_OP_SUB, use(b, own->copy_count), number(b, 1))
                     : number(b, own->copies - 1);
}

/* The copy that a thread updates. */
static struct ir_expr *own_copy(struct building *b, const struct private_array *own)
{
  return ir_build_binary(b->arena, IR_OP_AND, use(b, b->thread), copies_mask(b, own));
}

/* The elements of a copy that are used. */
static struct ir_expr *used_elements(struct building *b, const struct private_array *own)
{
  return own->length ? reduce_cast(b->arena, ir_int_type(), use(b, own->length))
                     : number(b, own->elements);
}

/* const int _n = length <= 64 ? 32 : length <= 128 ? 16 ... : 1; */
static void count_copies(struct building *b, struct private_array *own, struct ir_list *out)
{
  struct ir_expr *count = number(b, 1);
  int64_t most = own->elements;

  if (!own->length) return;
  while (private_copies(most) == 1) most /= 2;
  for (int64_t copies = private_copies(most); most > 0 && copies == private_copies(most);
       most /= 2, copies *= 2) {
    struct ir_expr *fits =
        ir_build_binary(b->arena, IR_OP_LE, used_elements(b, own), number(b, most));
    count = ir_build_cond(b->arena, fits, number(b, copies), count);
  }
  own->copy_count =
      code_local(b->code, arena_format(b->arena, "_n_%s", own->var->name), ir_int_type());
  ir_list_add(b->arena, out, ir_build_decl(b->arena, own->copy_count, count));
}

static void declare(struct building *b, struct ir_list *out)
{
  for (unsigned i = 0; i < b->arrays->count; i++) {
    struct private_array *own = &b->arrays->items[i];
    const struct ir_type *type = ir_plain_type(b->arena, own->element);
    type = own->copies > 1 ? ir_build_array_type(b->arena, type, own->copies) : type;
    own->copy = code_local(b->code, arena_format(b->arena, "_s_%s", own->var->name),
                           ir_build_array_type(b->arena, type, own->elements));
    own->copy->kind = IR_VAR_SHARED;
    ir_list_add(b->arena, out, ir_build_decl(b->arena, own->copy, NULL));
    count_copies(b, own, out);
    if (own->elements > 1) continue;
    const struct ir_type *sum = reduce_type(b->arena, own->op, own->element);
    own->sum = code_local(b->code, arena_format(b->arena, "_r_%s", own->var->name), sum);
    ir_list_add(b->arena, out,
                ir_build_decl(b->arena, own->sum, reduce_neutral(b->arena, own->op, own->element)));
  }
}

/* The copies of a length that the launch knows, one behind the other. */
static struct ir_stmt *clear_sized(struct building *b, const struct private_array *own)
{
  struct ir_var *element = code_local(b->code, "_e", ir_int_type());
  struct ir_expr *all =
      ir_build_binary(b->arena, IR_OP_MUL, used_elements(b, own), use(b, own->copy_count));
  struct ir_expr *target = ir_build_index(b->arena, use(b, own->copy), use(b, element));

  return stepping(b, element, use(b, b->thread), all, b->threads,
                  assign(b, target, reduce_neutral(b->arena, own->op, own->element)));
}

static void clear(struct building *b, struct ir_list *out)
{
  for (unsigned i = 0; i < b->arrays->count && !SEEDED(PRIVATE_NOT_CLEARED); i++) {
    const struct private_array *own = &b->arrays->items[i];
    if (own->length) {
      ir_list_add(b->arena, out, clear_sized(b, own));
      continue;
    }
    struct ir_var *element = code_local(b->code, "_e", ir_int_type()),
                  *copy = code_local(b->code, "_c", ir_int_type());
    struct ir_stmt *store = assign(b, copy_element(b, own, use(b, element), use(b, copy)),
                                   reduce_neutral(b->arena, own->op, own->element));
    if (own->copies > 1)
      store = ir_build_for(b->arena, copy, number(b, 0), number(b, own->copies), 1, store);
    ir_list_add(
        b->arena, out,
        stepping(b, element, use(b, b->thread), number(b, own->elements), b->threads, store));
  }
  if (!SEEDED(PRIVATE_EARLY)) ir_list_add(b->arena, out, barrier(b));
}

/* atomicX(&target, value); */
static struct ir_stmt *atomic(struct building *b, const char *name, struct ir_expr *target,
                              struct ir_expr *value)
{
  struct ir_expr *call = ir_build_call(b->arena, name, IR_EFFECT_ATOMIC);
  struct ir_expr *address = ir_build_unary(b->arena, IR_OP_ADDRESS, target);

  address->type = ir_build_pointer_type(b->arena, target->type);
  ir_add_argument(b->arena, call, address);
  ir_add_argument(b->arena, call, value);
  return ir_build_expr_stmt(b->arena, call);
}

/* The element of the array with the number `which` in the private array. */
static struct ir_expr *device_element(struct building *b, const struct private_array *own,
                                      struct ir_var *which)
{
  struct ir_expr *element = use(b, own->var);
  int64_t stride = own->elements;

  if (!own->dim_count) return element;
  for (unsigned d = 0; d < own->dim_count; d++) {
    int64_t above = stride;
    stride /= own->size[d];
    struct ir_expr *index = use(b, which);
    if (stride > 1) index = ir_build_binary(b->arena, IR_OP_DIV, index, number(b, stride));
    if (above < own->elements)
      index = ir_build_binary(b->arena, IR_OP_REM, index, number(b, own->size[d]));
    if (own->low[d]) index = ir_build_binary(b->arena, IR_OP_ADD, index, number(b, own->low[d]));
    element = ir_build_index(b->arena, element, index);
  }
  return element;
}

/* Adds the copies of an element to *sum. Threads begin with different copies, to avoid bank
 * conflicts. All of 32 copies at once would take 63 registers of every thread: only half as many
 * blocks would fit a multiprocessor for the whole time of the kernel. */
static struct ir_stmt *add_copies(struct building *b, const struct private_array *own,
                                  struct ir_var *element, struct ir_var *sum)
{
  struct ir_var *copy = code_local(b->code, "_c", ir_int_type());
  struct ir_expr *rotated = ir_build_binary(b->arena, IR_OP_ADD, use(b, copy), use(b, b->thread));
  struct ir_expr *part = copy_element(
      b, own, use(b, element), ir_build_binary(b->arena, IR_OP_AND, rotated, copies_mask(b, own)));

  if (own->length)
    return ir_build_for(b->arena, copy, number(b, 0), use(b, own->copy_count), 1,
                        reduce_into(b->arena, own->op, use(b, sum), part));
  struct ir_stmt *loop = counting(b, copy, own->copies - SEEDED(COUNTER_COPY_LOST),
                                  reduce_into(b->arena, own->op, use(b, sum), part));
  if (own->copies > MOST_AT_ONCE && !SEEDED(COPIES_AT_ONCE)) loop->pragma = "#pragma unroll 4";
  return loop;
}

static void flush_array(struct building *b, const struct private_array *own, struct ir_list *out)
{
  const struct ir_type *type = reduce_type(b->arena, own->op, own->element);
  struct ir_var *element = code_local(b->code, "_e", ir_int_type()),
                *sum = code_local(b->code, "_v", type);
  struct ir_expr *neutral = reduce_neutral(b->arena, own->op, own->element);
  struct ir_list body = {0};

  bool several = own->copies > 1 || own->length;
  struct ir_expr *first = several ? neutral : copy_element(b, own, use(b, element), NULL);
  ir_list_add(b->arena, &body,
              ir_build_decl(b->arena, sum, several ? first : reduce_cast(b->arena, type, first)));
  if (several) ir_list_add(b->arena, &body, add_copies(b, own, element, sum));
  struct ir_expr *value = reduce_cast(b->arena, ir_plain_type(b->arena, own->element), use(b, sum));
  struct ir_expr *differs = ir_build_binary(b->arena, IR_OP_NE, value, neutral);
  ir_list_add(b->arena, &body,
              ir_build_if(b->arena, differs,
                          atomic(b, own->flush, device_element(b, own, element), value)));
  ir_list_add(b->arena, out,
              stepping(b, element, use(b, b->thread), used_elements(b, own), b->threads,
                       ir_build_block(b->arena, &body)));
}

static void flush(struct building *b, struct ir_list *out)
{
  for (unsigned i = 0; i < b->arrays->count; i++) {
    const struct private_array *own = &b->arrays->items[i];
    if (!own->sum) continue;
    const struct ir_type *type = ir_plain_type(b->arena, own->element);
    ir_list_add(b->arena, out,
                atomic(b, own->flush, copy_element(b, own, NULL, own_copy(b, own)),
                       reduce_cast(b->arena, type, use(b, own->sum))));
  }
  if (!SEEDED(PRIVATE_LATE)) ir_list_add(b->arena, out, barrier(b));
  for (unsigned i = 0; i < b->arrays->count; i++) flush_array(b, &b->arrays->items[i], out);
}

/* ---- updates ---- */

/* The element of the private array that an update changes. NULL: the array has one. */
static struct ir_expr *element_of(struct building *b, const struct private_array *own,
                                  const struct ir_expr *target)
{
  struct ir_expr *expr = ir_strip((struct ir_expr *)target), *flat = NULL;
  struct ir_expr *indices[ACCESS_DIMS] = {NULL};

  if (own->elements == 1) return NULL;
  if (expr->kind == IR_EXPR_BINARY) {
    indices[0] = expr->operands[1];
  } else if (expr->kind == IR_EXPR_UNARY) {
    expr = ir_strip(expr->operands[0]);
    for (unsigned d = own->dim_count; d-- > 0 && expr->kind == IR_EXPR_INDEX;
         expr = ir_strip(expr->operands[0]))
      indices[d] = expr->operands[1];
  }
  for (unsigned d = 0; d < own->dim_count; d++) {
    struct ir_expr *index = indices[d] ? indices[d] : number(b, 0);
    if (own->low[d]) index = ir_build_binary(b->arena, IR_OP_SUB, index, number(b, own->low[d]));
    if (flat)
      index = ir_build_binary(b->arena, IR_OP_ADD,
                              ir_build_binary(b->arena, IR_OP_MUL, flat, number(b, own->size[d])),
                              index);
    flat = index;
  }
  return reduce_cast(b->arena, ir_int_type(), flat);
}

/* Adds the operand to the sum; that of atomicSub is subtracted. */
static struct ir_stmt *into_sum(struct building *b, const struct private_array *own,
                                const struct ir_expr *call, struct ir_expr *value)
{
  struct ir_stmt *stmt = reduce_into(b->arena, own->op, use(b, own->sum), value);

  if (call->text[6] == 'S') stmt->expr->op = IR_OP_SUB_ASSIGN;
  return stmt;
}

static struct ir_stmt *update(struct building *b, const struct private_array *own,
                              const struct ir_expr *call, struct ir_expr *element,
                              struct ir_expr *value)
{
  if (own->sum) return into_sum(b, own, call, value);
  return atomic(b, call->text, copy_element(b, own, element, own_copy(b, own)), value);
}

static struct ir_expr *of_round(struct building *b, struct ir_var *var)
{
  return ir_build_index(b->arena, use(b, var), use(b, b->round));
}

static struct ir_var *by_round(struct building *b, const char *name, const struct ir_type *type)
{
  return code_local(b->code, name, ir_build_array_type(b->arena, type, b->rounds));
}

/* Notes the update, and returns the statements in its place. */
static struct ir_stmt *defer(struct building *b, const struct private_array *own,
                             struct ir_stmt *stmt)
{
  const struct ir_expr *call = ir_strip(stmt->expr);
  struct update *u = &b->updates[b->update_count++];
  struct ir_expr *element = element_of(b, own, call->operands[0]);
  struct ir_list out = {0};
  int64_t constant;

  *u = (struct update){.own = own, .stmt = stmt, .element = by_round(b, "_k", ir_int_type())};
  ir_list_add(b->arena, &out, assign(b, of_round(b, u->element), element ? element : number(b, 0)));
  if (ir_constant(call->operands[1], &constant)) {
    u->constant = call->operands[1];
  } else {
    u->value = by_round(b, "_w", ir_plain_type(b->arena, own->element));
    ir_list_add(b->arena, &out, assign(b, of_round(b, u->value), call->operands[1]));
  }
  return ir_build_block(b->arena, &out);
}

/* The update of a block's copy, or of what there is of it. */
static struct ir_stmt *of_copy(struct building *b, const struct private_array *own,
                               struct ir_stmt *stmt)
{
  struct open_update open;

  if (own->open) private_open_begin(b->code, stmt, &open);
  struct ir_stmt *in_copy = own->open ? open.inside : stmt;
  const struct ir_expr *call = ir_strip(in_copy->expr);
  struct ir_stmt *made =
      b->round ? defer(b, own, in_copy)
               : update(b, own, call, element_of(b, own, call->operands[0]), call->operands[1]);
  if (!b->round) made->place = stmt->place;
  return own->open ? private_open_end(b->code, own, &open, made) : made;
}

static struct ir_stmt *replaced(struct building *b, struct ir_stmt *stmt)
{
  const struct private_array *own = stmt ? private_array_of(b->arrays, stmt) : NULL;

  if (!stmt || own) return stmt ? of_copy(b, own, stmt) : NULL;
  struct ir_stmt *copy = ir_copy_stmt(b->arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = replaced(b, *below);
  return copy;
}

/* ---- elements ---- */

static struct ir_expr *scaled_index(struct building *b, enum ir_builtin builtin, int64_t by)
{
  struct ir_expr *index = ir_build_builtin(b->arena, builtin);
  struct ir_expr *product =
      by == 1 ? index : ir_build_binary(b->arena, IR_OP_MUL, index, number(b, by));

  product->type = index->type;
  return product;
}

/* The loop over the elements along an axis at which the block takes its turn. `id`: the thread's
 * first one. */
static struct ir_stmt *turns(struct building *b, int axis, const struct privatize_shape *shape,
                             struct ir_var *id, struct ir_expr *total, struct ir_stmt *body)
{
  int64_t block = shape->geometry.block[axis];
  struct ir_expr *first = ir_build_binary(
      b->arena, IR_OP_ADD, scaled_index(b, (enum ir_builtin)(IR_BLOCK_IDX + axis), block),
      ir_build_builtin(b->arena, (enum ir_builtin)(IR_THREAD_IDX + axis)));
  int64_t value;
  struct ir_expr *end =
      ir_constant(total, &value) ? total : ir_build_cast(b->arena, unsigned_type(b), total);

  first->type = unsigned_type(b);
  return stepping(b, id, first, end, scaled_index(b, (enum ir_builtin)(IR_GRID_DIM + axis), block),
                  body);
}

static struct ir_stmt *all_rounds(struct building *b, struct ir_stmt *body)
{
  return counting(b, b->round, b->rounds - SEEDED(COUNTER_ROUND_LOST), body);
}

/* for each round: { const unsigned _x = _i + _u * threads; if (_x < total) body } */
static struct ir_stmt *in_rounds(struct building *b, const struct privatize_shape *shape,
                                 struct ir_var *first, struct ir_var *id, struct ir_expr *total,
                                 struct ir_stmt *body)
{
  struct ir_list list = {0};
  struct ir_expr *further =
      ir_build_binary(b->arena, IR_OP_MUL, use(b, b->round), number(b, shape->geometry.threads[0]));
  struct ir_expr *value = ir_build_binary(b->arena, IR_OP_ADD, use(b, first), further);
  int64_t constant;
  struct ir_expr *end =
      ir_constant(total, &constant) ? total : ir_build_cast(b->arena, unsigned_type(b), total);

  value->type = unsigned_type(b);
  ir_list_add(b->arena, &list, ir_build_decl(b->arena, id, value));
  for (unsigned i = 0; i < b->update_count; i++)
    ir_list_add(b->arena, &list, assign(b, of_round(b, b->updates[i].element), number(b, -1)));
  ir_list_add(b->arena, &list,
              ir_build_if(b->arena, ir_build_binary(b->arena, IR_OP_LT, use(b, id), end), body));
  return all_rounds(b, ir_build_block(b->arena, &list));
}

/* Makes the updates that all rounds have noted. */
static struct ir_stmt *carried_out(struct building *b)
{
  struct ir_list list = {0};

  for (unsigned i = 0; i < b->update_count; i++) {
    const struct update *u = &b->updates[i];
    struct ir_expr *value = u->value ? of_round(b, u->value) : u->constant;
    struct ir_stmt *stmt =
        update(b, u->own, ir_strip(u->stmt->expr), of_round(b, u->element), value);
    struct ir_expr *noted =
        ir_build_binary(b->arena, IR_OP_GE, of_round(b, u->element), number(b, 0));
    ir_list_add(b->arena, &list, ir_build_if(b->arena, noted, stmt));
  }
  return all_rounds(b, ir_build_body(b->arena, &list));
}

static struct ir_stmt *deferred(struct building *b, const struct privatize_shape *shape,
                                struct ir_var *id, struct ir_expr *total, struct ir_stmt *element)
{
  struct ir_var *first = code_local(b->code, "_i", unsigned_type(b));
  struct ir_list out = {0};

  b->round = code_local(b->code, "_u", ir_int_type());
  struct ir_stmt *body = replaced(b, element);
  for (unsigned i = 0; i < b->update_count; i++) {
    ir_list_add(b->arena, &out, ir_build_decl(b->arena, b->updates[i].element, NULL));
    if (b->updates[i].value)
      ir_list_add(b->arena, &out, ir_build_decl(b->arena, b->updates[i].value, NULL));
  }
  ir_list_add(b->arena, &out, in_rounds(b, shape, first, id, total, body));
  ir_list_add(b->arena, &out, carried_out(b));
  return turns(b, 0, shape, first, total, ir_build_block(b->arena, &out));
}

/* ---- the body ---- */

static void number_threads(struct building *b, struct ir_expr *value, struct ir_list *out)
{
  b->thread = code_local(b->code, "_t", ir_int_type());
  ir_list_add(b->arena, out,
              ir_build_decl(b->arena, b->thread, reduce_cast(b->arena, ir_int_type(), value)));
}

static struct ir_expr *thread_number(struct building *b, const struct geometry *geometry)
{
  struct ir_expr *x = ir_build_builtin(b->arena, IR_THREAD_IDX),
                 *y = scaled_index(b, IR_THREAD_IDX + 1, geometry->threads[0]);

  if (geometry->threads[1] == 1) return x;
  struct ir_expr *both = ir_build_binary(b->arena, IR_OP_ADD, y, x);
  both->type = x->type;
  return both;
}

struct ir_function *privatize_build(struct code *code, struct private_arrays *arrays,
                                    const struct privatize_shape *shape,
                                    struct ir_var *ret_totals[2], const char **ret_reason,
                                    struct ir_place *ret_place)
{
  struct code copy = *code;
  copy.facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  struct building b = {
      .code = &copy, .arena = code->arena, .arrays = arrays, .rounds = shape->rounds};
  const struct geometry *geometry = &shape->geometry;
  struct ir_var *ids[2] = {code_local(&copy, "_x", unsigned_type(&b)),
                           code_local(&copy, "_y", unsigned_type(&b))};
  struct ir_expr *sizes[2];
  struct ir_list out = {0};
  int64_t rows;

  struct ir_stmt *element = shape_element(&copy, ids, ret_totals, sizes, ret_reason, ret_place);
  if (!element) return NULL;
  number_threads(&b, thread_number(&b, geometry), &out);
  b.threads = number(&b, geometry->threads[0] * geometry->threads[1]);
  declare(&b, &out);
  clear(&b, &out);
  struct ir_stmt *all = shape->rounds > 1
                            ? deferred(&b, shape, ids[0], sizes[0], element)
                            : turns(&b, 0, shape, ids[0], sizes[0], replaced(&b, element));
  if (!ir_constant(sizes[1], &rows) || rows > 1)
    all = turns(&b, 1, shape, ids[1], sizes[1], all);
  else
    ir_list_add(b.arena, &out, ir_build_decl(b.arena, ids[1], number(&b, 0)));
  ir_list_add(b.arena, &out, all);
  flush(&b, &out);
  copy.facts.kernel->body = ir_build_block(b.arena, &out);
  return copy.facts.kernel;
}

/* blockDim along an axis, or its known value. */
static struct ir_expr *block_size(struct building *b, int axis)
{
  int64_t size = b->code->facts.block[axis];
  return size > 0 ? number(b, size)
                  : reduce_cast(b->arena, ir_int_type(),
                                ir_build_builtin(b->arena, (enum ir_builtin)(IR_BLOCK_DIM + axis)));
}

struct ir_function *privatize_build_in_place(struct code *code, struct private_arrays *arrays)
{
  struct code copy = *code;
  copy.facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  struct building b = {.code = &copy, .arena = code->arena, .arrays = arrays, .rounds = 1};
  struct ir_list out = {0};
  struct ir_expr *thread = ir_build_builtin(b.arena, IR_THREAD_IDX + 2);
  int64_t size;

  b.threads = number(&b, 1);
  for (int axis = 2; axis >= 0; axis--) {
    bool one = ir_constant(block_size(&b, axis), &size) && size == 1;
    if (axis < 2 && !thread) {
      thread =
          one && axis ? NULL : ir_build_builtin(b.arena, (enum ir_builtin)(IR_THREAD_IDX + axis));
    } else if (axis < 2) {
      struct ir_expr *above = ir_build_binary(b.arena, IR_OP_MUL, thread, block_size(&b, axis));
      thread = ir_build_binary(b.arena, IR_OP_ADD, above,
                               ir_build_builtin(b.arena, (enum ir_builtin)(IR_THREAD_IDX + axis)));
      thread->type = unsigned_type(&b);
    }
    if (one && axis == 2) thread = NULL;
    b.threads = ir_constant(b.threads, &size) && size == 1
                    ? block_size(&b, axis)
                    : ir_build_binary(b.arena, IR_OP_MUL, b.threads, block_size(&b, axis));
  }
  number_threads(&b, thread, &out);
  declare(&b, &out);
  clear(&b, &out);
  ir_list_add(b.arena, &out, shape_to_end(&copy, replaced(&b, copy.facts.kernel->body)));
  flush(&b, &out);
  copy.facts.kernel->body = ir_build_block(b.arena, &out);
  return copy.facts.kernel;
}
