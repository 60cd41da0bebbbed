/* SPDX-License-Identifier: MIT */
/* untile_value.c - the value that the filling thread gives an element of a tile.
 *
 *     if (row < n && t * 16 + tx < m) a[ty][tx] = A[row * m + t * 16 + tx]; else a[ty][tx] = 0;
 *   =>
 *     element (threadIdx.y, threadIdx.x): row < n && ... ? A[...] : 0
 *
 * The value is made of parameters, indices of threads and blocks, iterators of the loops around the
 * list, and arrays that nothing writes while the kernel runs. So any thread that evaluates it there
 * gets the same value. Several threads may fill one element without reading each other's index;
 * then all give it one value, or the kernel has a race. Gives up: an element that some path leaves
 * unchanged, indices other than those of threads.
 */
#include "analysis/transform/untile/untile_parts.h"

/* ---- the parts of a value ---- */

struct loop_search {
  const struct ir_var *iterator;
  const struct ir_stmt *found;
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;

  if (stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->iterator == s->iterator)
    s->found = stmt;
  return true;
}

const struct ir_loop *untile_loop_of(const struct code *code, const struct ir_var *var)
{
  struct loop_search s = {var, NULL};

  ir_visit_stmts(code->facts.kernel->body, note_loop, &s);
  return s.found ? s.found->loop : NULL;
}

struct stmt_search {
  const struct ir_stmt *wanted;
  bool found;
};

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct stmt_search *s = context;

  s->found |= stmt == s->wanted;
  return !s->found;
}

static bool stands_in(struct ir_stmt *outer, const struct ir_stmt *inner)
{
  struct stmt_search s = {inner, false};

  ir_visit_stmts(outer, note_stmt, &s);
  return s.found;
}

static void note_thread(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN && expr->value < IR_BLOCK_IDX;
}

/* Does a loop around the list count the variable, in step for all threads? */
static bool counts_together(struct untiling *u, const struct hand_tile *tile,
                            const struct ir_var *var)
{
  struct loop_search s = {var, NULL};
  bool by_thread = false;

  ir_visit_stmts(u->code->facts.kernel->body, note_loop, &s);
  if (!s.found || !stands_in(s.found->body, tile->list) || !s.found->loop->lower ||
      s.found->loop->step_expr)
    return false;
  struct ir_expr *lower = code_resolve(u->code, s.found->loop->lower);
  if (lower) ir_visit_expr(lower, note_thread, &by_thread);
  return lower && !by_thread;
}

struct value_check {
  struct untiling *u;
  const struct hand_tile *tile;
  const char *reason;
  struct ir_place place;
};

static const char *reason_of_var(const struct value_check *c, const struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;

  if (var->has_value) return NULL;
  switch (var->kind) {
  case IR_VAR_PARAM:
    return var->write_count || var->address_taken ? "a parameter changes that fills a tile" : NULL;
  case IR_VAR_VS:
  case IR_VAR_DEVICE: /* its accesses are checked with those of all arrays */
    return var->type->kind == IR_TYPE_ARRAY || var->is_constant_memory || var->vs
               ? NULL
               : "a variable of the device fills a tile";
  case IR_VAR_LOCAL:
    return counts_together(c->u, c->tile, var)
               ? NULL
               : "a tile is filled by values of a variable that changes";
  default: return "a tile is filled from shared memory";
  }
}

static void check_value(struct ir_expr *expr, void *context)
{
  struct value_check *c = context;
  const char *reason = NULL;

  if (expr->kind == IR_EXPR_VAR)
    reason = reason_of_var(c, expr);
  else if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    reason = "a value that fills a tile has an effect of its own";
  if (!reason || c->reason) return;
  c->reason = reason;
  c->place = expr->place;
}

/* ---- the stores ---- */

struct filling {
  struct untiling *u;
  struct hand_tile *tile;
  struct ir_expr *target; /* the target of the stores so far */
};

static void add_axis(struct fill_index *index, int axis, int64_t stride)
{
  unsigned at = index->count++;

  for (; at && index->stride[at - 1] < stride; at--) {
    index->axis[at] = index->axis[at - 1];
    index->stride[at] = index->stride[at - 1];
  }
  index->axis[at] = axis;
  index->stride[at] = stride;
}

/* Does at most one thread index of the block give each index? */
static bool is_one_to_one(const struct code *code, const struct fill_index *index)
{
  int64_t size = 1;

  for (unsigned i = index->count; i--; size = index->stride[i] * code->facts.block[index->axis[i]])
    if (code->facts.block[index->axis[i]] < 1 || index->stride[i] < size) return false;
  return index->count && index->stride[index->count - 1] == 1;
}

/* Is the index made of thread indices and constants alone? Fills in `ret`. */
static bool index_of(struct untiling *u, struct ir_expr *expr, struct fill_index *ret)
{
  struct ir_expr *resolved = code_resolve(u->code, expr);
  struct polynomial p = resolved ? polynomial_of(resolved) : (struct polynomial){0};

  *ret = (struct fill_index){0};
  if (!p.known) return false;
  for (unsigned i = 0; i < p.count; i++) {
    const struct polynomial_term *term = &p.terms[i];
    if (!term->factor_count)
      ret->offset = term->coefficient;
    else if (term->factor_count == 1 && term->coefficient > 0 && ret->count < 3 &&
             term->factors[0]->kind == IR_EXPR_BUILTIN && term->factors[0]->value < IR_BLOCK_IDX)
      add_axis(ret, (int)term->factors[0]->value, term->coefficient);
    else
      return false;
  }
  return is_one_to_one(u->code, ret);
}

static bool shares_axis(const struct fill_index *a, const struct fill_index *b)
{
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned k = 0; k < b->count; k++)
      if (a->axis[i] == b->axis[k]) return true;
  return false;
}

static bool note_target(struct filling *f, struct ir_expr *target)
{
  struct ir_expr *indices[TILE_DIMS];

  if (f->target)
    return ir_same_expr(f->target, target) ||
           untile_fail(f->u, "a tile is filled at several places by a thread", &target->place);
  f->target = target;
  untile_element(f->u, ir_strip(target), indices);
  for (unsigned i = 0; i < f->tile->dim_count; i++) {
    if (!index_of(f->u, indices[i], &f->tile->index[i]))
      return untile_fail(f->u, "a tile is filled at other indices than a thread's", &target->place);
    for (unsigned k = 0; k < i; k++)
      if (shares_axis(&f->tile->index[k], &f->tile->index[i]))
        return untile_fail(f->u, "a tile is filled along its diagonal", &target->place);
  }
  return true;
}

static bool is_store_to(struct filling *f, const struct ir_stmt *stmt)
{
  struct ir_expr *store = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL,
                 *indices[TILE_DIMS];

  return store && store->kind == IR_EXPR_ASSIGN &&
         untile_element(f->u, ir_strip(store->operands[0]), indices) == f->tile;
}

/* The element's value behind the statement, if it is `before` in front of it. NULL: unknown. */
static struct ir_expr *filled(struct filling *f, struct ir_stmt *stmt, struct ir_expr *before)
{
  struct arena *arena = f->u->code->arena;

  if (!stmt || !ir_stmt_has_var(stmt, f->tile->var)) return before;
  if (stmt->kind == IR_STMT_BLOCK) {
    for (unsigned i = 0; i < stmt->child_count; i++) before = filled(f, stmt->children[i], before);
    return before;
  }
  if (is_store_to(f, stmt)) {
    struct ir_expr *store = ir_strip(stmt->expr);
    if (!note_target(f, store->operands[0])) return NULL;
    return ir_build_converted(arena, store->operands[1], f->tile->element);
  }
  if (stmt->kind != IR_STMT_IF || ir_has_effects(stmt->expr)) {
    untile_fail(f->u, "a tile is filled in a loop", &stmt->place);
    return NULL;
  }
  struct ir_expr *yes = filled(f, stmt->body, before), *no = filled(f, stmt->else_body, before);
  if (!yes || !no) return NULL;
  struct ir_expr *value = ir_build_cond(arena, stmt->expr, yes, no);
  value->type = ir_plain_type(arena, f->tile->element);
  return value;
}

static struct ir_expr *filled_by_segment(struct filling *f)
{
  const struct ir_stmt *list = f->tile->list;
  struct ir_expr *value = NULL;
  unsigned segment = 0;

  for (unsigned i = 0; i < list->child_count; i++) {
    if (segment == f->tile->segment && !f->u->reason) value = filled(f, list->children[i], value);
    segment += untile_is_barrier(list->children[i]);
  }
  return value;
}

bool untile_value(struct untiling *u, struct hand_tile *tile)
{
  struct filling f = {.u = u, .tile = tile};
  struct value_check check = {.u = u, .tile = tile};
  const struct ir_place *place = &tile->store->place;

  struct ir_expr *value = filled_by_segment(&f);
  if (u->reason) return false;
  if (!value) return untile_fail(u, "a thread leaves an element of a tile as it was", place);
  tile->value = code_resolve(u->code, value);
  if (!tile->value) return untile_fail(u, "a value that fills a tile is too long", place);
  ir_visit_expr(tile->value, check_value, &check);
  return !check.reason || untile_fail(u, check.reason, &check.place);
}
