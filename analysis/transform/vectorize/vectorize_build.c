/* SPDX-License-Identifier: MIT */
/* vectorize_build.c - the code of interior threads with loads and stores of 16 bytes.
 *
 *     r = in[3 * i]; ... out[i] = r;     =>     mesi_vector_load(&_w_in[0], &in[3 * i]); ...
 *                                               r = _w_in[3 * _x]; ... _w_out[_x] = r;
 *                                               mesi_vector_store(&out[i], &_w_out[0]);
 *
 * Requires: the windows of vectorize.c. Produces: the body, and what a block has to fulfil.
 */
#include "analysis/transform/vectorize/vectorize.h"

#include "runtime/seeded.h"

struct placing {
  struct vectorized *w;
  struct ir_expr *thread;
};

static struct ir_expr *place_thread(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct placing *p = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(p->w->code, expr->var) : NULL;

  if (expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX) return p->thread;
  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

/* With `by` added to its index. */
static struct ir_expr *further(struct arena *arena, struct ir_expr *element, int64_t by)
{
  struct ir_expr *index = element->operands[1];

  if (!by) return element;
  struct ir_expr *sum = ir_build_binary(arena, by < 0 ? IR_OP_SUB : IR_OP_ADD, index,
                                        ir_build_int(arena, by < 0 ? -by : by));
  sum->type = index->type;
  return ir_build_index(arena, element->operands[0], sum);
}

/* The window's element `e` behind the place of a thread, which is `thread` of the virtual block:
 * NULL for this one's first instance. */
static struct ir_expr *element(struct vectorized *w, const struct window *window,
                               struct ir_expr *thread, int64_t e)
{
  struct arena *arena = w->code->arena;
  int64_t by = e - window->like->offset;
  struct placing p = {w, thread};
  struct ir_rewriter rewriter = {arena, place_thread, &p};

  if (!p.thread)
    p.thread =
        ir_build_binary(arena, IR_OP_MUL,
                        ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, IR_THREAD_IDX)),
                        ir_build_int(arena, w->factor));
  if (window->step > 1)
    return further(arena, ir_rewrite_expr(&rewriter, (struct ir_expr *)window->like->found->expr),
                   by);
  /* of the index's own type: a constant below 0 beside numbers without a sign is worth a warning */
  if (by < 0 && thread)
    p.thread = ir_build_cast(arena, ir_build_builtin(arena, IR_THREAD_IDX)->type, p.thread);
  if (by)
    p.thread = ir_build_binary(arena, by < 0 ? IR_OP_SUB : IR_OP_ADD, p.thread,
                               ir_build_int(arena, by < 0 ? -by : by));
  return ir_rewrite_expr(&rewriter, (struct ir_expr *)window->like->found->expr);
}

static struct ir_expr *address_of(struct arena *arena, struct ir_expr *expr)
{
  struct ir_expr *address = ir_build_unary(arena, IR_OP_ADDRESS, expr);

  address->type = ir_build_pointer_type(arena, expr->type);
  return address;
}

static struct ir_expr *held(struct vectorized *w, const struct window *window, int64_t e)
{
  return ir_build_index(w->code->arena, ir_build_var(w->code->arena, window->var),
                        ir_build_int(w->code->arena, e - window->low));
}

/* mesi_vector_load, mesi_some_load<4> of less than 16 bytes, or mesi_triples_load<16> */
static struct ir_stmt *call(struct vectorized *w, const struct window *window, const char *name,
                            struct ir_expr *first, struct ir_expr *second)
{
  struct arena *arena = w->code->arena;
  const struct ir_type *type = window->array->element;
  const char *some = vectorize_triple(type) ? "triples" : "some";
  bool all = type->size * w->factor == 16;
  const char *text =
      all ? arena_format(arena, "mesi_vector_%s", name)
          : arena_format(arena, "mesi_%s_%s<%lld>", some, name, (long long)w->factor);
  struct ir_expr *call = ir_build_call(arena, text, IR_EFFECT_NONE);

  ir_add_argument(arena, call, address_of(arena, first));
  ir_add_argument(arena, call, address_of(arena, second));
  return ir_build_expr_stmt(arena, call);
}

static void declare(struct vectorized *w, struct window *window, struct ir_list *out)
{
  struct arena *arena = w->code->arena;
  const struct ir_type *type = ir_build_array_type(
      arena, ir_plain_type(arena, window->array->element), vectorize_end(w, window) - window->low);

  window->var = code_local(w->code, arena_format(arena, "_w_%s", window->array->var->name), type);
  window->var->of_thread = true;
  ir_list_add(arena, out, ir_build_decl(arena, window->var, NULL));
}

static void load(struct vectorized *w, int k, struct ir_list *out)
{
  struct arena *arena = w->code->arena;
  struct window *window = &w->windows[k];

  for (int64_t e = window->low; e < vectorize_end(w, window); e++) {
    int64_t begin = vectorize_begin(w, e);
    bool whole = begin >= window->low && vectorize_is_whole(w, k, begin);
    struct ir_expr *from = element(w, window, NULL, e), *to = held(w, window, e);
    if (whole && e == begin)
      ir_list_add(arena, out, call(w, window, "load", to, from));
    else if (!whole && vectorize_needs(w, k, e))
      ir_list_add(arena, out, ir_build_expr_stmt(arena, ir_build_assign(arena, to, from)));
  }
}

static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct vectorized *w = r->context;

  for (unsigned i = 0; i < w->access_count; i++) {
    const struct vector_access *access = &w->accesses[i];
    if (access->found->expr != expr || access->window < 0) continue;
    const struct window *window = &w->windows[access->window];
    struct ir_expr *at = ir_build_var(r->arena, w->code->lane);
    if (window->step > 1)
      at = ir_build_binary(r->arena, IR_OP_MUL, at, ir_build_int(r->arena, window->step));
    if (access->offset != window->low)
      at = ir_build_binary(r->arena, IR_OP_ADD, at,
                           ir_build_int(r->arena, access->offset - window->low));
    return ir_build_index(r->arena, ir_build_var(r->arena, window->var), at);
  }
  return NULL;
}

/* The address of a vector of the block's first thread: the others' lie multiples of 16 bytes behind
 * it. */
static struct ir_expr *aligned(struct vectorized *w, const struct window *window)
{
  struct arena *arena = w->code->arena;
  struct ir_expr *test = ir_build_call(arena, "mesi_vector_at", IR_EFFECT_NONE);

  test->type = ir_bool_type();
  ir_add_argument(arena, test,
                  address_of(arena, element(w, window, ir_build_int(arena, 0),
                                            vectorize_begin(w, window->low))));
  return test;
}

/* ... of its window. */
static bool is_last_store(const struct vectorized *w, unsigned at)
{
  bool last = w->accesses[at].window >= 0 && w->accesses[at].found->access->write;

  for (unsigned i = at + 1; i < w->access_count; i++)
    last &= w->accesses[i].window != w->accesses[at].window || !w->accesses[i].found->access->write;
  return last;
}

void vectorize_build(struct vectorized *w, struct interior *interior, struct ir_list *verbatim)
{
  struct arena *arena = w->code->arena;
  struct ir_rewriter rewriter = {arena, replace_access, w};
  struct ir_list front = {0}, back = {0}, all = {0};

  w->code->lane = code_local(w->code, "_lane", ir_int_type());
  for (unsigned k = 0; k < w->window_count; k++) {
    struct window *window = &w->windows[k];
    if (!vectorize_uses(w, (int)k)) continue;
    struct ir_expr *test = aligned(w, window);
    if (!SEEDED(WIDE_UNASKED))
      interior->also =
          interior->also ? ir_build_binary(arena, IR_OP_LAND, interior->also, test) : test;
    declare(w, window, &front);
    if (window->load) load(w, (int)k, &front);
  }
  for (unsigned i = 0; i < w->access_count; i++) /* in their order */
    if (is_last_store(w, i)) {
      struct window *window = &w->windows[w->accesses[i].window];
      for (int64_t e = window->low; e < window->low + window->step * w->factor; e += w->factor)
        ir_list_add(arena, &back,
                    call(w, window, "store", element(w, window, NULL, e), held(w, window, e)));
    }
  for (unsigned i = 0; i < front.items.count; i++) ir_list_add(arena, &all, front.items.items[i]);
  ir_list_add(arena, &all, ir_rewrite_stmt(&rewriter, interior->body));
  for (unsigned i = 0; i < back.items.count; i++) ir_list_add(arena, &all, back.items.items[i]);
  for (unsigned i = 0; i < all.items.count; i++)
    if (all.items.items[i]->kind != IR_STMT_BLOCK) ir_list_add(arena, verbatim, all.items.items[i]);
  interior->body = ir_build_block(arena, &all);
  interior->by_block = true;
}
