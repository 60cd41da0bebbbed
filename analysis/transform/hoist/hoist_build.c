/* SPDX-License-Identifier: MIT */
/* hoist_build.c - the code of a loop whose loads are kept in registers.
 *
 *     float _r_p[3];                                     hoist_declare
 *     if (1 < n) { _r_p[1] = p[0]; _r_p[2] = p[1]; }     hoist_fetch: the code in { }
 *     for (i = 1; i < n; i++) {                          hoist_rebuilt_loop
 *       _r_p[0] = _r_p[1]; _r_p[1] = _r_p[2];            ... keeps values of the last iteration
 *       _r_p[2] = p[i + 1];                              ... and loads the new one
 *       for (x = 0; x < 3; x++) sum += _r_p[x] * w[x];
 *     }
 *
 * A load has a register for each value of the iterators of the short loops in its address; those
 * loops are unrolled, so that their indices are constants. Requires: loads that hoist.c has found.
 * Produces IR; the user's statements stay unchanged, their copies change.
 */
#include "analysis/transform/hoist/hoisting.h"

#include "analysis/code/reuse.h"
#include "runtime/seeded.h"

/* The register of the load: for the iterators of its loops, `by` further along the carrying loop,
 * or at its end. */
static struct ir_expr *place_of(struct arena *arena, const struct load *load, int64_t by,
                                bool at_end)
{
  struct ir_expr *element = ir_build_var(arena, load->var);

  for (unsigned i = 0; i < load->loop_count; i++) {
    const struct ir_loop *loop = load->loops[i]->loop;
    struct ir_expr *at = ir_build_var(arena, loop->iterator);
    int64_t first = 0, trips = 1;
    reuse_short_loop(load->loops[i], &first, &trips);
    int64_t minus = first - ((int)i == load->carried ? by : 0);
    if ((int)i == load->carried && at_end)
      at = ir_build_int(arena, trips - 1);
    else if (minus)
      at = ir_build_binary(arena, minus < 0 ? IR_OP_ADD : IR_OP_SUB, at,
                           ir_build_int(arena, minus < 0 ? -minus : minus));
    element = ir_build_index(arena, element, at);
  }
  return element;
}

static struct ir_expr *register_of(struct arena *arena, const struct load *load)
{
  return place_of(arena, load, 0, false);
}

void hoist_declare(struct hoisting *h, struct load *load, struct ir_list *out)
{
  struct arena *arena = h->code->arena;
  const struct ir_type *type = ir_plain_type(arena, load->found->array->element);
  int64_t first, trips = 1;

  for (unsigned i = load->loop_count; i-- > 0;)
    if (reuse_short_loop(load->loops[i], &first, &trips))
      type = ir_build_array_type(arena, type, trips);
  load->var =
      code_local(h->code, arena_format(arena, "_r_%s", load->found->array->var->name), type);
  ir_list_add(arena, out, ir_build_decl(arena, load->var, NULL));
}

/* The loops over the load's elements around `stmt`. `carried`: by how many iterations the carrying
 * loop is shorter; -1: it is left out. */
static struct ir_stmt *over_elements(struct arena *arena, const struct load *load, int64_t carried,
                                     struct ir_stmt *stmt)
{
  int64_t first, trips;

  for (unsigned i = load->loop_count; i-- > 0;) {
    const struct ir_stmt *from = load->loops[i];
    bool carries = (int)i == load->carried;
    if ((carries && carried < 0) || !reuse_short_loop(from, &first, &trips)) continue;
    stmt = ir_build_for(arena, from->loop->iterator, ir_build_int(arena, first),
                        ir_build_int(arena, first + trips - (carries ? carried : 0)), 1, stmt);
    stmt->pragma = "#pragma unroll";
  }
  return stmt;
}

struct fixing {
  const struct ir_var *var;
  struct ir_expr *value;
};

static struct ir_expr *fix(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct fixing *f = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == f->var
             ? code_cast_value(r->arena, f->var, f->value)
             : NULL;
}

static struct ir_expr *load_with(struct arena *arena, const struct load *load,
                                 const struct ir_var *var, struct ir_expr *value)
{
  struct fixing fixing = {var, value};
  struct ir_rewriter rewriter = {arena, fix, &fixing};

  return ir_rewrite_expr(&rewriter, (struct ir_expr *)load->found->expr);
}

static struct ir_stmt *assign(struct arena *arena, const struct load *load, struct ir_expr *to,
                              struct ir_expr *value)
{
  struct ir_stmt *stmt = ir_build_expr_stmt(arena, ir_build_assign(arena, to, value));

  stmt->place = load->found->expr->place;
  return stmt;
}

/* The load in front of the loop. */
struct ir_stmt *hoist_fetch(struct hoisting *h, const struct load *load)
{
  struct arena *arena = h->code->arena;

  if (load->carried < 0)
    return over_elements(
        arena, load, 0,
        assign(arena, load, register_of(arena, load), (struct ir_expr *)load->found->expr));
  struct ir_expr *value = load_with(arena, load, h->loop->loop->iterator, h->loop->loop->lower);
  return over_elements(arena, load, 1, assign(arena, load, place_of(arena, load, 1, false), value));
}

/* At the start of an iteration: moves the values that the previous one loaded, and loads the new
 * one. */
static void carry(struct hoisting *h, const struct load *load, struct ir_list *out)
{
  struct arena *arena = h->code->arena;
  int64_t first = 0, trips = 1;

  if (load->carried < 0) return;
  const struct ir_stmt *loop = load->loops[load->carried];
  reuse_short_loop(loop, &first, &trips);
  struct ir_expr *value =
      load_with(arena, load, loop->loop->iterator, ir_build_int(arena, first + trips - 1));
  if (!SEEDED(CARRIED_NOT_SHIFTED))
    ir_list_add(arena, out,
                over_elements(arena, load, 1,
                              assign(arena, load, register_of(arena, load),
                                     place_of(arena, load, 1, false))));
  ir_list_add(
      arena, out,
      over_elements(arena, load, -1, assign(arena, load, place_of(arena, load, 0, true), value)));
}

static struct ir_expr *replace_load(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct hoisting *h = r->context;

  if (expr->kind != IR_EXPR_INDEX || !code_access_of(h->code, expr) ||
      code_access_of(h->code, expr)->access->write)
    return NULL;
  for (unsigned i = 0; i < h->count; i++)
    if (ir_same_expr(h->loads[i].found->expr, expr)) return register_of(r->arena, &h->loads[i]);
  return NULL;
}

static bool holds_load(const struct hoisting *h, const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < h->count; i++)
    for (unsigned k = 0; k < h->loads[i].loop_count; k++)
      if (h->loads[i].loops[k] == stmt) return true;
  return false;
}

/* The loop's parts with the registers; loops over registers are unrolled. */
static struct ir_stmt *with_registers(struct hoisting *h, struct ir_stmt *stmt)
{
  struct ir_rewriter rewriter = {h->code->arena, replace_load, h};

  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(h->code->arena, stmt), **below;
  if (holds_load(h, stmt) && !stmt->pragma) copy->pragma = "#pragma unroll";
  copy->expr = ir_rewrite_expr(&rewriter, stmt->expr);
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = with_registers(h, *below);
  return copy;
}

struct ir_stmt *hoist_rebuilt_loop(struct hoisting *h)
{
  struct arena *arena = h->code->arena;
  struct ir_stmt *loop = with_registers(h, h->loop);
  struct ir_list body = {0};
  int64_t first, trips = 0;

  for (unsigned i = 0; i < h->count; i++) {
    carry(h, &h->loads[i], &body);
    if (h->loads[i].carried >= 0)
      reuse_short_loop(h->loads[i].loops[h->loads[i].carried], &first, &trips);
  }
  loop->pragma = h->loop->pragma;
  if (!body.items.count) return loop;
  h->code->carries = true;
  ir_list_add(arena, &body, loop->body);
  loop->body = ir_build_block(arena, &body);
  if (!loop->pragma) /* unrolled, the moves of registers are only new names */
    loop->pragma = arena_format(arena, "#pragma unroll %d", (int)trips);
  return loop;
}
