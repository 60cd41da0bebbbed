/* SPDX-License-Identifier: MIT */
/* split_tiles.c - a loop over tiles that several blocks share.
 *
 *     float sum = 0;
 *     for (k ...) sum += a * b;
 *     c[row * n + col] = sum;
 *       =>
 *     float sum = 0;
 *     float _p_sum = blockIdx.z == 0 ? sum : -0.0f;
 *     for (k from _first to _last, tile by tile) _p_sum += a * b;
 *     mesi_sums_put<float, 0, 8192>(_sums, blockIdx.z, ..., _p_sum);
 *     for (int _level = 0; _level < mesi_sums_levels(); _level++) {
 *       if (!mesi_sums_last(_sums, _level)) return;
 *       _p_sum = mesi_sums_get<float, 0, 8192>(_sums, mesi_sums_node(_level, 0), ...);
 *       for (int _z = 1; _z < mesi_sums_nodes(_level); _z++)
 *         _p_sum += mesi_sums_get<float, 0, 8192>(_sums, mesi_sums_node(_level, _z), ...);
 *       if (_level + 1 < mesi_sums_levels())
 *         mesi_sums_put<float, 0, 8192>(_sums, mesi_sums_node(_level, 0), ..., _p_sum);
 *     }
 *     sum = _p_sum;
 *     c[row * n + col] = sum;
 *
 * A run is a whole number of tiles, so facts about tiles hold for those of each run. All threads of
 * the block reach the loop over tiles, and so the place behind it. A thread takes the parts that
 * the same thread of other blocks has stored: element e of thread t is at e * threads + t. Parts of
 * signed integers are unsigned: they may leave the range in which the whole sum stays (reduce.c).
 * Requires: a loop that threads may share (team_reduce.c). Gives up: stores in front of it, which
 * each block would make.
 */
#include "analysis/transform/split_k/split.h"
#include "analysis/transform/team_reduce/team_reduce.h"

#include <string.h>

#include "analysis/mapping/tile/tile.h"
#include "analysis/code/loop.h"
#include "runtime/seeded.h"

static struct ir_expr *replace_sum(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct team_loop *c = r->context;

  for (unsigned i = 0; i < c->sum_count; i++)
    if (expr->kind == IR_EXPR_VAR && expr->var == c->sums[i].var)
      return ir_build_var(r->arena, c->sums[i].part);
  return NULL;
}

/* The neutral value. For a sum of floats it is -0, which keeps the sign of a zero. */
static struct ir_expr *neutral(struct arena *arena, const struct shared_sum *sum,
                               const struct ir_type *type)
{
  struct ir_expr *zero = ARENA_NEW(arena, struct ir_expr);

  if (type->kind != IR_TYPE_FLOAT || sum->op != REDUCE_SUM)
    return ir_build_int(arena, sum->op == REDUCE_PRODUCT);
  *zero = (struct ir_expr){.kind = IR_EXPR_LITERAL,
                           .id = UINT32_MAX,
                           .type = type,
                           .text = type->size == 4 ? "-0.0f" : "-0.0"};
  return zero;
}

/* _p_sum = blockIdx.z == 0 ? sum : -0. If an operand may be taken twice, every block begins with
 * sum. */
static struct ir_stmt *declare_part(struct code *code, struct shared_sum *sum)
{
  struct arena *arena = code->arena;
  const struct ir_type *type = reduce_type(arena, sum->op, sum->var->type);
  const char *name = strncmp(sum->var->name, "_r_", 3) ? sum->var->name : sum->var->name + 3;
  struct ir_expr *value = reduce_cast(arena, type, ir_build_var(arena, sum->var));

  sum->part = code_local(code, arena_format(arena, "_p_%s", name), type);
  sum->part->write_count = 2;
  if (!reduce_repeats(sum->op) && !SEEDED(SPLIT_BEGINS_TWICE)) {
    struct ir_expr *first = ir_build_binary(
        arena, IR_OP_EQ, ir_build_builtin(arena, IR_BLOCK_IDX + 2), ir_build_int(arena, 0));
    value = ir_build_cond(arena, first, value, neutral(arena, sum, type));
    value->type = type;
  }
  return ir_build_decl(arena, sum->part, value);
}

/* On the way to the loop: is there an `if` with an else, or with a statement behind it? If a block
 * as a whole skips the loop, each of the sharing blocks would run that code. `behind`: a statement
 * stands behind `stmt`. */
static bool runs_without(struct ir_stmt *stmt, const struct ir_stmt *loop, bool behind)
{
  if (stmt == loop) return false;
  if (stmt->kind == IR_STMT_IF)
    return behind || stmt->else_body || runs_without(stmt->body, loop, false);
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (stmt_contains(stmt->children[i], loop))
      return runs_without(stmt->children[i], loop, behind || i + 1 < stmt->child_count);
  return true;
}

bool split_prepare(struct code *code, bool floats, struct team_loop *ret, const char **ret_reason,
                   struct ir_place *ret_place)
{
  struct arena *arena = code->arena;
  struct ir_rewriter rewriter = {arena, replace_sum, ret};
  struct ir_list list = {0};

  code_drop_scan(code);
  partial_one_layer(code);
  code_scan(code);
  bool found = team_reduce_find(code, floats, ret, ret_reason, ret_place);
  code_drop_scan(code);
  if (found && ret->stored && !SEEDED(SPLIT_STORES_AGAIN)) {
    *ret_reason = "memory is written in front of it";
    *ret_place = ret->loop->place;
    found = false;
  }
  if (found && runs_without(code->facts.kernel->body, ret->loop, false) &&
      !SEEDED(SPLIT_SKIPPED_LOOP)) {
    *ret_reason = "something is done where it does not run";
    *ret_place = ret->loop->place;
    found = false;
  }
  if (!found) return false;
  for (unsigned i = 0; i < ret->sum_count; i++)
    ir_list_add(arena, &list, declare_part(code, &ret->sums[i]));
  struct ir_stmt *loop = ir_rewrite_stmt(&rewriter, ret->loop);
  ir_list_add(arena, &list, loop);
  for (unsigned i = 0; i < ret->sum_count; i++) {
    const struct shared_sum *sum = &ret->sums[i];
    struct ir_expr *value =
        reduce_cast(arena, ir_plain_type(arena, sum->var->type), ir_build_var(arena, sum->part));
    ir_list_add(
        arena, &list,
        ir_build_expr_stmt(arena, ir_build_assign(arena, ir_build_var(arena, sum->var), value)));
  }
  code->facts.kernel->body =
      loop_swap(arena, code->facts.kernel->body, ret->loop, ir_build_block(arena, &list));
  ret->loop = loop;
  return true;
}

/* ---- behind the loop ---- */

struct putting {
  struct code *code;
  const struct geometry *geometry;
  struct tiles *tiles;
  struct team_loop *c;
  struct ir_var *split;
};

static int64_t factor(const struct putting *p, int axis)
{
  return p->geometry->block[axis] / p->geometry->threads[axis];
}

/* (instance y * instances along x + instance x) * threads + thread */
static struct ir_expr *place(const struct putting *p)
{
  struct arena *arena = p->code->arena;
  struct ir_expr *instance = NULL;

  for (int axis = 1; axis >= 0; axis--) {
    if (factor(p, axis) == 1) continue;
    struct ir_expr *own = ir_build_var(arena, p->code->instance[axis]);
    struct ir_expr *rows =
        instance ? ir_build_binary(arena, IR_OP_MUL, instance, ir_build_int(arena, factor(p, axis)))
                 : NULL;
    instance = rows ? ir_build_binary(arena, IR_OP_ADD, rows, own) : own;
  }
  struct ir_expr *thread = ir_build_var(arena, p->tiles->thread);
  if (!instance || SEEDED(SPLIT_PLACES_SHARED)) return thread;
  struct ir_expr *before =
      ir_build_binary(arena, IR_OP_MUL, instance,
                      ir_build_int(arena, p->geometry->threads[0] * p->geometry->threads[1]));
  return ir_build_binary(arena, IR_OP_ADD, before, thread);
}

static int64_t elements(const struct putting *p)
{
  return p->geometry->block[0] * p->geometry->block[1];
}

static struct ir_expr *part_of(const struct putting *p, unsigned sum, struct ir_expr *which)
{
  return partial_get(p->code, p->c, sum, elements(p), p->split, which, place(p));
}

static struct ir_expr *of_level(const struct putting *p, const char *name, struct ir_var *level,
                                struct ir_expr *which)
{
  struct ir_expr *call = ir_build_call(p->code->arena, name, IR_EFFECT_NONE);

  call->type = ir_int_type();
  if (level) ir_add_argument(p->code->arena, call, ir_build_var(p->code->arena, level));
  if (which) ir_add_argument(p->code->arena, call, which);
  return call;
}

static struct ir_expr *node(const struct putting *p, struct ir_var *level, struct ir_expr *which)
{
  return of_level(p, "mesi_sums_node", level, which);
}

/* if (!mesi_sums_last(_sums, level)) return; by real threads */
static struct ir_stmt *leave(const struct putting *p, struct ir_var *level)
{
  struct arena *arena = p->code->arena;
  struct ir_stmt *gone = ARENA_NEW(arena, struct ir_stmt);

  *gone = (struct ir_stmt){.kind = IR_STMT_RETURN, .id = UINT32_MAX};
  struct ir_stmt *stmt =
      ir_build_if(arena, ir_build_not(arena, partial_last(p->code, p->split, level)), gone);
  ir_list_add(arena, &p->tiles->verbatim, stmt);
  return stmt;
}

static void put(const struct putting *p, struct ir_expr *which, struct ir_list *out)
{
  for (unsigned i = 0; i < p->c->sum_count; i++)
    ir_list_add(p->code->arena, out,
                partial_put(p->code, p->c, i, elements(p), p->split, which, place(p)));
}

/* for (level ...) { if (!last) return; ...combine the parts of the nodes that meet...; if (there is
 * a further level) ...store the result... } */
static struct ir_stmt *put_together(const struct putting *p)
{
  struct arena *arena = p->code->arena;
  struct ir_var *level = code_local(p->code, "_level", ir_int_type()),
                *which = code_local(p->code, "_z", ir_int_type());
  struct ir_expr *levels = of_level(p, "mesi_sums_levels", NULL, NULL);
  struct ir_list all = {0}, body = {0}, again = {0};

  ir_list_add(arena, &all, leave(p, level));
  for (unsigned i = 0; i < p->c->sum_count; i++) {
    const struct shared_sum *sum = &p->c->sums[i];
    struct ir_expr *part = ir_build_var(arena, sum->part);
    ir_list_add(arena, &all,
                ir_build_expr_stmt(
                    arena, ir_build_assign(arena, part,
                                           part_of(p, i, node(p, level, ir_build_int(arena, 0))))));
    ir_list_add(arena, &body,
                reduce_into(arena, sum->op, part,
                            part_of(p, i, node(p, level, ir_build_var(arena, which)))));
  }
  struct ir_expr *nodes = of_level(p, "mesi_sums_nodes", level, NULL);
  ir_list_add(
      arena, &all,
      ir_build_for(arena, which, ir_build_int(arena, 1), nodes, 1, ir_build_block(arena, &body)));
  put(p, node(p, level, ir_build_int(arena, 0)), &again);
  struct ir_expr *next =
      ir_build_binary(arena, IR_OP_ADD, ir_build_var(arena, level), ir_build_int(arena, 1));
  if (!SEEDED(SPLIT_LEVEL_LOST))
    ir_list_add(arena, &all,
                ir_build_if(arena, ir_build_binary(arena, IR_OP_LT, next, levels),
                            ir_build_block(arena, &again)));
  return ir_build_for(arena, level, ir_build_int(arena, 0), levels, 1, ir_build_block(arena, &all));
}

void split_finish(struct code *code, const struct geometry *geometry, struct tiles *tiles,
                  struct team_loop *c, struct ir_var *split)
{
  struct putting p = {code, geometry, tiles, c, split};
  struct tile *tile = &tiles->items[0];
  struct ir_list list = {0};

  for (int axis = 0; axis < 2; axis++)
    code->instance[axis] = code_local(code, "_instance", ir_int_type());
  ir_list_add(code->arena, &list, tile->built);
  put(&p, ir_build_builtin(code->arena, IR_BLOCK_IDX + 2), &list);
  ir_list_add(code->arena, &list, put_together(&p));
  code->facts.kernel->body = loop_swap(code->arena, code->facts.kernel->body, tile->built,
                                       ir_build_block(code->arena, &list));
}
