/* SPDX-License-Identifier: MIT */
/* strip_build.c - code that goes over a segment one strip at a time.
 *
 *     for (k = begin; k < end; k++)                    for (int _k = begin; _k < end; _k += 256) {
 *       sum += f(items[k], x);                   =>      const int _n = ...; // rest, 256 at most
 *                                                        ...threads: _s_items[_q] = items[_k + _q],
 *                                                            for _q = 0 ... _n - 1...
 *                                                        __syncthreads();
 *                                                        for (_e = 0; _e < _n;
 *                                                            _e++) sum += f(_s_items[_e], x);
 *                                                        __syncthreads();
 *                                                      }
 *
 * This is for segments that are long enough for these barriers; a short one runs the original code.
 * Each thread goes through the elements in the order as written. The segments of a nest, which may
 * be short, fill strips together: strip_nest.c.
 *
 * All threads of the block reach this code (converge.c); those that are not active only copy.
 * Requires: strips of strip_find with their slots. Assumes, as tiles do, that a loop ends at least
 * a strip before the end of its iterator's type.
 */
#include "analysis/transform/segment_stage/strip_making.h"
#include "analysis/code/converge.h"
#include "runtime/seeded.h"

/* Elements: two barriers and a copy with its wait take as long as loads of so many elements. */
enum { MOST_UNITS = 8, SHORT_SEGMENT = 32 };

struct ir_stmt *making_call(struct building *b, const char *name, enum ir_effect effect)
{
  return ir_build_expr_stmt(b->arena, ir_build_call(b->arena, name, effect));
}

struct ir_stmt *making_add(struct building *b, struct ir_var *var, struct ir_expr *value)
{
  struct ir_expr *assign = ir_build_assign(b->arena, use(b, var), value);

  assign->op = IR_OP_ADD_ASSIGN;
  return ir_build_expr_stmt(b->arena, assign);
}

/* for (int var = from; var < to; var += threads) body */
struct ir_stmt *making_by_threads(struct building *b, struct ir_var *var, struct ir_expr *to,
                                  struct ir_stmt *body)
{
  struct ir_expr *threads = block_threads(b->code);
  struct ir_stmt *loop = ir_build_for(b->arena, var, use(b, b->thread), to, 1, body);
  int64_t constant;

  if (ir_constant(threads, &constant))
    return ir_build_for(b->arena, var, use(b, b->thread), to, constant, body);
  loop->increment = making_add(b, var, threads)->expr;
  loop->loop->step_expr = threads;
  return loop;
}

/* ---- copies ---- */

struct placing {
  struct building *b;
  struct ir_var *iteration, *word;
  const struct strip_array *array;
};

/* The address for the copied iteration. */
static struct ir_expr *replace_place(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct placing *p = r->context;

  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == loop_of(p->b)->iterator) return use(p->b, p->iteration);
  return p->array->row && expr->var == p->array->row->loop->iterator ? use(p->b, p->word) : NULL;
}

/* The unit of asynchronous copies, in bytes. 0: they are not possible. */
static int64_t async_unit(const struct building *b, const struct strip_array *array)
{
  const struct ir_type *type = array->array->element;
  int64_t unit = type->align > 16 ? 16 : type->align;

  return b->strip->asynchronous && (unit == 4 || unit == 8 || unit == 16) &&
                 type->size % unit == 0 && type->size <= MOST_UNITS * unit
             ? unit
             : 0;
}

static struct ir_stmt *copy_element(struct building *b, const struct strip_array *array,
                                    struct ir_expr *to, struct ir_expr *value)
{
  bool load = ir_strip(value)->kind == IR_EXPR_CALL;
  int64_t size = array->array->element->size, unit = async_unit(b, array);

  if (!unit) return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, to, value));
  const char *units = unit < size ? arena_format(b->arena, ", %lld", (long long)unit) : "";
  struct ir_expr *copy = ir_build_call(
      b->arena, arena_format(b->arena, "mesi_copy_async<%lld%s>", (long long)size, units),
      IR_EFFECT_NONE);
  ir_add_argument(b->arena, copy, ir_build_unary(b->arena, IR_OP_ADDRESS, to));
  ir_add_argument(b->arena, copy,
                  load ? ir_strip(value)->operands[0]
                       : ir_build_unary(b->arena, IR_OP_ADDRESS, value));
  return ir_build_expr_stmt(b->arena, copy);
}

/* if (the element exists) copy */
static struct ir_stmt *guarded(struct building *b, struct ir_rewriter *rewriter,
                               const struct strip_array *array, struct ir_stmt *copy)
{
  return array->guard ? ir_build_if(b->arena, ir_rewrite_expr(rewriter, array->guard), copy) : copy;
}

/* copy[slot] = array[...iteration...], or a row of them */
static struct ir_stmt *copy_array(struct building *b, const struct strip_array *array,
                                  struct ir_var *slot, struct ir_var *iteration)
{
  struct placing placing = {b, iteration, NULL, array};
  struct ir_rewriter rewriter = {b->arena, replace_place, &placing};
  struct ir_expr *to = ir_build_index(b->arena, use(b, array->copy), use(b, slot));

  if (!array->row)
    return guarded(b, &rewriter, array,
                   copy_element(b, array, to, ir_rewrite_expr(&rewriter, array->element)));
  placing.word = local(b, "_w", array->row->loop->iterator->type);
  struct ir_expr *word = use(b, placing.word);
  to = ir_build_index(b->arena, to,
                      array->row_first ? binary(b, IR_OP_SUB, word, number(b, array->row_first))
                                       : word);
  struct ir_stmt *loop =
      ir_build_for(b->arena, placing.word, number(b, array->row_first),
                   number(b, array->row_first + array->row_trips), 1,
                   guarded(b, &rewriter, array,
                           copy_element(b, array, to, ir_rewrite_expr(&rewriter, array->element))));
  loop->pragma = "#pragma unroll";
  return loop;
}

/* Is it a load whose result a thread waits for before it continues? */
static bool is_waited_for(const struct building *b, const struct strip_array *array)
{
  return !array->row && !array->guard && !async_unit(b, array);
}

/* Are there several such loads? Then all are started before the first of them is stored. */
static bool loads_first(const struct building *b)
{
  unsigned count = 0;

  for (unsigned i = 0; i < b->strip->array_count; i++)
    count += is_waited_for(b, &b->strip->arrays[i]);
  return count > 1;
}

static void copy_arrays(struct building *b, struct ir_var *slot, struct ir_var *iteration,
                        struct ir_list *out)
{
  bool first = loads_first(b);
  struct ir_list stores = {0};

  for (unsigned i = 0; i < b->strip->array_count; i++) {
    const struct strip_array *array = &b->strip->arrays[i];
    if (!first || !is_waited_for(b, array)) {
      ir_list_add(b->arena, &stores, copy_array(b, array, slot, iteration));
      continue;
    }
    struct placing placing = {b, iteration, NULL, array};
    struct ir_rewriter rewriter = {b->arena, replace_place, &placing};
    struct ir_var *value = local(b, "_v", ir_plain_type(b->arena, array->array->element));
    ir_list_add(b->arena, out, declare(b, value, ir_rewrite_expr(&rewriter, array->element)));
    ir_list_add(
        b->arena, &stores,
        ir_build_expr_stmt(
            b->arena,
            ir_build_assign(b->arena, ir_build_index(b->arena, use(b, array->copy), use(b, slot)),
                            use(b, value))));
  }
  for (unsigned i = 0; i < stores.items.count; i++)
    ir_list_add(b->arena, out, stores.items.items[i]);
}

/* { const T k = iteration; ...copies to the slot... } */
struct ir_stmt *making_copy_slot(struct building *b, struct ir_var *slot, struct ir_expr *iteration)
{
  struct ir_list out = {0};
  struct ir_var *at = local(b, arena_format(b->arena, "_%s", loop_of(b)->iterator->name),
                            loop_of(b)->iterator->type);

  ir_list_add(b->arena, &out, ir_build_decl(b->arena, at, iteration));
  copy_arrays(b, slot, at, &out);
  for (unsigned i = 0; i < b->strip->carried_count; i++) {
    struct ir_var *var = b->strip->carried[i];
    struct ir_expr *to = ir_build_index(b->arena, use(b, b->strip->carried_copy[i]), use(b, slot));
    ir_list_add(b->arena, &out,
                ir_build_expr_stmt(
                    b->arena,
                    ir_build_assign(b->arena, to, use(b, var == loop_of(b)->iterator ? at : var))));
  }
  return ir_build_block(b->arena, &out);
}

/* ---- use ---- */

/* Replaces an access by an element of the copy. */
static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;

  for (unsigned i = 0; i < b->strip->access_count; i++) {
    if (b->strip->accesses[i].expr != expr) continue;
    const struct strip_array *array = &b->strip->arrays[b->strip->accesses[i].array];
    struct ir_expr *element = ir_build_index(r->arena, use(b, array->copy), use(b, b->element));
    if (!array->row) return element;
    struct ir_expr *word = use(b, array->row->loop->iterator);
    return ir_build_index(r->arena, element,
                          array->row_first ? binary(b, IR_OP_SUB, word, number(b, array->row_first))
                                           : word);
  }
  return NULL;
}

/* for (_e = 0; _e < count; _e++) { ...variables of the nest that the body needs...; body } */
static struct ir_stmt *use_slots(struct building *b, struct ir_expr *count, struct ir_expr *first)
{
  struct ir_rewriter rewriter = {b->arena, replace_access, b};
  struct ir_list out = {0};
  struct ir_stmt *body;

  b->element = local(b, "_e", ir_int_type());
  body = ir_rewrite_stmt(&rewriter, b->strip->body);
  if (first && ir_stmt_has_var(body, loop_of(b)->iterator))
    ir_list_add(b->arena, &out,
                ir_build_decl(b->arena, loop_of(b)->iterator,
                              binary(b, IR_OP_ADD, first, use(b, b->element))));
  for (unsigned i = 0; i < b->strip->carried_count; i++)
    ir_list_add(b->arena, &out,
                ir_build_decl(b->arena, b->strip->carried[i],
                              ir_build_index(b->arena, use(b, b->strip->carried_copy[i]),
                                             use(b, b->element))));
  ir_list_add(b->arena, &out, body);
  struct ir_stmt *loop = ir_build_for(b->arena, b->element, number(b, 0), count, 1,
                                      out.items.count > 1 ? ir_build_block(b->arena, &out) : body);
  loop->pragma = b->strip->segment->pragma;
  loop->place = b->strip->segment->place;
  return b->active ? ir_build_if(b->arena, b->active, loop) : loop;
}

/* Waits for the strip, uses it, and waits until all threads have used it. */
void making_use_strip(struct building *b, struct ir_expr *count, struct ir_expr *first,
                      struct ir_list *out)
{
  if (b->strip->asynchronous)
    ir_list_add(b->arena, out, making_call(b, "mesi_copy_wait", IR_EFFECT_NONE));
  if (!SEEDED(STRIP_READ_EARLY))
    ir_list_add(b->arena, out, making_call(b, "__syncthreads", IR_EFFECT_BARRIER));
  ir_list_add(b->arena, out, use_slots(b, count, first));
  if (!SEEDED(STRIP_FILLED_EARLY))
    ir_list_add(b->arena, out, making_call(b, "__syncthreads", IR_EFFECT_BARRIER));
}

/* ---- a single segment ---- */

struct ir_expr *making_segment_end(struct building *b)
{
  const struct ir_loop *loop = loop_of(b);
  return loop->relation == IR_OP_LE ? binary(b, IR_OP_ADD, loop->bound, number(b, 1)) : loop->bound;
}

struct ir_expr *making_least(struct building *b, struct ir_expr *left, struct ir_expr *room)
{
  struct ir_expr *less = ir_build_cond(b->arena, binary(b, IR_OP_LT, left, room),
                                       ir_build_cast(b->arena, ir_int_type(), left), room);

  less->type = ir_int_type();
  return less;
}

static struct ir_stmt *over_strips(struct building *b, struct ir_var *first, struct ir_var *end)
{
  struct ir_list body = {0};
  struct ir_var *at =
      local(b, arena_format(b->arena, "_%s", loop_of(b)->iterator->name), first->type);
  struct ir_var *count = local(b, "_n", ir_int_type()), *slot = local(b, "_q", ir_int_type());

  ir_list_add(b->arena, &body,
              declare(b, count,
                      making_least(b, binary(b, IR_OP_SUB, use(b, end), use(b, at)),
                                   number(b, b->strip->slots))));
  ir_list_add(
      b->arena, &body,
      making_by_threads(b, slot, use(b, count),
                        making_copy_slot(b, slot, binary(b, IR_OP_ADD, use(b, at), use(b, slot)))));
  making_use_strip(b, use(b, count), use(b, at), &body);
  return ir_build_for(b->arena, at, use(b, first), use(b, end), b->strip->slots,
                      ir_build_block(b->arena, &body));
}

/* The original loop, for its original threads. */
static struct ir_stmt *as_written(struct building *b)
{
  struct ir_stmt *segment = b->strip->segment;
  return b->active ? ir_build_if(b->arena, b->active, segment) : segment;
}

static struct ir_stmt *build_segment(struct building *b)
{
  struct ir_list out = {0}, strips = {0}, plain = {0};
  const struct ir_type *type = loop_of(b)->iterator->type;
  struct ir_var *first = local(b, "_first", type), *end = local(b, "_end", type);

  ir_list_add(b->arena, &out, ir_build_decl(b->arena, first, loop_of(b)->lower));
  ir_list_add(b->arena, &out, ir_build_decl(b->arena, end, making_segment_end(b)));
  ir_list_add(b->arena, &strips, over_strips(b, first, end));
  ir_list_add(b->arena, &plain, as_written(b));
  struct ir_expr *some = binary(b, IR_OP_LT, use(b, first), use(b, end));
  struct ir_expr *many = binary(b, IR_OP_GT, binary(b, IR_OP_SUB, use(b, end), use(b, first)),
                                number(b, SHORT_SEGMENT));
  struct ir_stmt *choice =
      ir_build_if(b->arena, binary(b, IR_OP_LAND, some, many), ir_build_block(b->arena, &strips));
  choice->else_body = ir_build_block(b->arena, &plain);
  ir_list_add(b->arena, &out, choice);
  return ir_build_block(b->arena, &out);
}

/* ---- */

static struct ir_stmt *build_strip(struct convergence *c, unsigned target, struct ir_expr *active)
{
  struct building *b = c->context;

  b->strip = &b->strips->items[target];
  b->active = active;
  b->filled = NULL;
  return b->strip->nest == b->strip->segment ? build_segment(b) : nest_build(b);
}

struct ir_var *making_shared(struct building *b, const char *name, const struct ir_type *type,
                             int64_t count, struct ir_list *out)
{
  struct ir_var *copy = code_local(b->code, name, ir_build_array_type(b->arena, type, count));

  copy->kind = IR_VAR_SHARED;
  copy->alignment = 16;
  ir_list_add(b->arena, out, declare(b, copy, NULL));
  return copy;
}

static void declare_copies(struct building *b, struct strip *strip, struct ir_list *out)
{
  for (unsigned i = 0; i < strip->array_count; i++) {
    struct strip_array *array = &strip->arrays[i];
    const struct ir_type *type = ir_plain_type(b->arena, array->array->element);
    type = array->row ? ir_build_array_type(b->arena, type, array->row_trips) : type;
    array->copy = making_shared(b, arena_format(b->arena, "_s_%s", array->array->var->name), type,
                                strip->slots, out);
  }
  for (unsigned i = 0; i < strip->carried_count; i++) {
    const struct ir_var *var = strip->carried[i];
    strip->carried_copy[i] = making_shared(b, arena_format(b->arena, "_s_%s", var->name),
                                           ir_plain_type(b->arena, var->type), strip->slots, out);
  }
  if (strip->nest != strip->segment) nest_declare(b, strip, out);
}

struct ir_stmt *strip_build(struct code *code, const struct uniform *uniform, struct strips *strips,
                            const char **ret_reason, struct ir_place *ret_place)
{
  struct building b = {.code = code, .arena = code->arena, .strips = strips};
  struct convergence c = {.code = code,
                          .uniform = uniform,
                          .target_count = strips->count,
                          .build = build_strip,
                          .context = &b};
  struct ir_list out = {0};

  b.thread = code_local(code, "_t", ir_int_type());
  for (unsigned i = 0; i < strips->count; i++) {
    c.targets[i] = strips->items[i].nest;
    declare_copies(&b, &strips->items[i], &out);
  }
  ir_list_add(b.arena, &out,
              ir_build_decl(b.arena, b.thread,
                            ir_build_cast(b.arena, ir_int_type(), block_thread_number(code))));
  struct ir_stmt *body = converge(&c);
  *ret_reason = c.reason;
  *ret_place = c.place;
  if (!body) return NULL;
  ir_list_add(b.arena, &out, body);
  return ir_build_block(b.arena, &out);
}
