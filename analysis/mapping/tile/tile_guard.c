/* SPDX-License-Identifier: MIT */
/* tile_guard.c - the guard of a copied element, with as little of it in the rounds as possible.
 *
 *     for (int _e = 0; _e < 16; _e++)
 *       mesi_copy_async<4>(&_s_a[_i1][_i0], &a[_j0 * n + _j1],
 *                          n >= _b && n >= _j1 + 1 && _total_y >= _j0 + 1 && n >= _j0 + 1);
 *  =>
 *     bool _f = n >= _b && n >= _j1 + 1;
 *     int _m = _total_y < n ? _total_y : n;
 *     for (int _e = 0; _e < 16; _e++)
 *       mesi_copy_async<4>(&_s_a[_i1][_i0], &a[_j0 * n + _j1], _f && _m >= _j0 + 1);
 *
 * A part of the conjunction that is the same in all rounds is computed in front of them. Of two
 * parts that compare the same value with two bounds, one with the lesser bound remains. Requires:
 * c->body has the declarations of the round so far, which show the values that change with it.
 */
#include "analysis/mapping/tile/tile_copying.h"

struct round_search {
  const struct copying *c;
  bool found;
};

static void note_round(struct ir_expr *expr, void *context)
{
  struct round_search *s = context;

  if (expr->kind != IR_EXPR_VAR) return;
  s->found |= expr->var == s->c->round;
  for (unsigned i = 0; i < s->c->body.items.count && !s->found; i++)
    if (s->c->body.items.items[i]->var == expr->var)
      s->found = tile_of_round(s->c, s->c->body.items.items[i]->expr);
}

/* Does the expression change from round to round? */
bool tile_of_round(const struct copying *c, struct ir_expr *expr)
{
  struct round_search s = {c, false};
  ir_visit_expr(expr, note_round, &s);
  return s.found;
}

struct guard_parts {
  struct ir_expr *fixed, *varying; /* conjunctions; NULL: true */
};

/* The part of `all` that compares a fixed bound with the same value as `part`: the lesser bound
 * suffices. */
static struct ir_expr *with_same_bound(struct copying *c, struct ir_expr *all,
                                       const struct ir_expr *part)
{
  while (all && all->kind == IR_EXPR_BINARY && all->op == IR_OP_LAND) {
    struct ir_expr *found = with_same_bound(c, all->operands[1], part);
    if (found) return found;
    all = all->operands[0];
  }
  bool alike = all && all->kind == IR_EXPR_BINARY && all->op == IR_OP_GE &&
               part->kind == IR_EXPR_BINARY && part->op == IR_OP_GE &&
               all->operands[0]->type->size == part->operands[0]->type->size &&
               all->operands[0]->type->is_signed && part->operands[0]->type->is_signed &&
               !tile_of_round(c, all->operands[0]) && !tile_of_round(c, part->operands[0]) &&
               ir_same_expr(all->operands[1], part->operands[1]);
  return alike ? all : NULL;
}

static void split_guard(struct copying *c, struct ir_expr *guard, struct guard_parts *parts)
{
  if (guard->kind == IR_EXPR_BINARY && guard->op == IR_OP_LAND) {
    split_guard(c, guard->operands[0], parts);
    split_guard(c, guard->operands[1], parts);
    return;
  }
  if (!tile_of_round(c, guard)) {
    parts->fixed = ir_build_both(c->arena, parts->fixed, guard);
    return;
  }
  struct ir_expr *same = with_same_bound(c, parts->varying, guard);
  if (!same) {
    struct ir_expr *own = ARENA_NEW(c->arena, struct ir_expr);
    *own = *guard;
    own->operands = arena_alloc(c->arena, (guard->operand_count + 1) * sizeof *own->operands);
    for (unsigned i = 0; i < guard->operand_count; i++) own->operands[i] = guard->operands[i];
    parts->varying = ir_build_both(c->arena, parts->varying, own);
    return;
  }
  struct ir_expr *a = same->operands[0], *b = guard->operands[0];
  const char *name = c->least_count++ ? arena_format(c->arena, "_m_%u", c->least_count) : "_m";
  struct ir_var *least = code_scratch(c->code, name, a->type);
  struct ir_expr *lesser = ir_build_cond(c->arena, ir_build_binary(c->arena, IR_OP_LT, a, b), a, b);
  lesser->type = a->type;
  ir_list_add(c->arena, &c->before, ir_build_decl(c->arena, least, lesser));
  same->operands[0] = ir_build_var(c->arena, least);
}

/* The guard of a round. Parts that are the same in all rounds are computed in front. */
struct ir_expr *tile_guard_of_round(struct copying *c, struct ir_expr *guard)
{
  struct guard_parts parts = {0};

  if (!guard || !c->round) return guard;
  split_guard(c, guard, &parts);
  if (!parts.fixed) return parts.varying;
  struct ir_var *fixed = code_scratch(c->code, "_f", ir_bool_type());
  ir_list_add(c->arena, &c->before, ir_build_decl(c->arena, fixed, parts.fixed));
  return parts.varying
             ? ir_build_binary(c->arena, IR_OP_LAND, ir_build_var(c->arena, fixed), parts.varying)
             : ir_build_var(c->arena, fixed);
}

static void note_division(struct ir_expr *expr, void *context)
{
  bool *found = context;

  *found |= expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
            !code_is_block_quotient(expr);
}

bool tile_guard_divides(const struct stage *stage)
{
  bool found = false;

  ir_visit_expr(stage->load_guard, note_division, &found);
  ir_visit_expr(stage->store_guard, note_division, &found);
  return found;
}
