/* SPDX-License-Identifier: MIT */
/* tree_build.c - a warp goes through a tree behind one barrier.
 *
 *     for (d = 128; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
 *   =>
 *     if (t < 32) {
 *       float _v_s = mesi_tree_halved<256>(s, t, mesi_sum());
 *       if (t == 0) s[0] = _v_s;
 *     }
 *     __syncthreads();
 *
 * The functions of mesi_lanes.h combine the same pairs as the loop, in registers and by shuffles.
 * Requires: tree_find.
 */
#include "analysis/transform/tree_reduce/tree_reduce.h"
#include "runtime/seeded.h"

static struct ir_expr *number(struct code *code, int64_t value)
{
  return ir_build_int(code->arena, value);
}

static struct ir_expr *axis(struct code *code, int which)
{
  struct ir_expr *index = ir_build_builtin(code->arena, (enum ir_builtin)(IR_THREAD_IDX + which));
  return ir_build_cast(code->arena, ir_int_type(), index);
}

/* The thread's number in its block. */
static struct ir_expr *thread_number(struct trees *t)
{
  struct code *code = t->code;
  struct ir_expr *all = NULL;

  for (int a = 2; a >= 0; a--) {
    if (t->block[a] == 1) continue;
    struct ir_expr *one = axis(code, a);
    if (all)
      all = ir_build_binary(code->arena, IR_OP_ADD,
                            ir_build_binary(code->arena, IR_OP_MUL, all, number(code, t->block[a])),
                            one);
    else
      all = one;
  }
  return all;
}

struct ir_stmt *tree_barrier(struct code *code)
{
  return ir_build_expr_stmt(code->arena,
                            ir_build_call(code->arena, "__syncthreads", IR_EFFECT_BARRIER));
}

struct ir_expr *tree_call(struct code *code, const struct tree *tree, unsigned sum, int64_t apart,
                          struct ir_expr *from, struct ir_expr *lane)
{
  const struct tree_sum *s = &tree->sums[sum];
  bool doubled = tree->doubled != SEEDED(TREE_OTHER_ORDER);
  const char *name =
      doubled ? arena_format(code->arena, "mesi_tree_doubled<%lld, %lld>", (long long)tree->leaves,
                             (long long)apart)
              : arena_format(code->arena, "mesi_tree_halved<%lld>", (long long)tree->leaves);
  struct ir_expr *call = ir_build_call(code->arena, name, IR_EFFECT_WARP);

  call->type = ir_plain_type(code->arena, s->var->type->element);
  ir_add_argument(code->arena, call, from);
  ir_add_argument(code->arena, call, lane);
  ir_add_argument(code->arena, call, ir_build_call(code->arena, s->operation, IR_EFFECT_NONE));
  return call;
}

static struct ir_stmt *built(struct trees *t, const struct tree *tree)
{
  struct code *code = t->code;
  struct arena *arena = code->arena;
  struct ir_list all = {0}, warp = {0}, root = {0};
  struct ir_var *thread = code_local(code, "_t", ir_int_type());

  if (tree->waits) ir_list_add(arena, &all, tree_barrier(code));
  ir_list_add(arena, &all, ir_build_decl(arena, thread, thread_number(t)));
  for (unsigned i = 0; i < tree->sum_count; i++) {
    const struct tree_sum *sum = &tree->sums[i];
    struct ir_var *value = code_local(code, arena_format(arena, "_v_%s", sum->var->name),
                                      ir_plain_type(arena, sum->var->type->element));
    struct ir_expr *call = tree_call(code, tree, i, tree->leaves / TREE_WARP,
                                     ir_build_var(arena, sum->var), ir_build_var(arena, thread));
    ir_list_add(arena, &warp, ir_build_decl(arena, value, call));
    struct ir_expr *first = ir_build_index(arena, ir_build_var(arena, sum->var), number(code, 0));
    ir_list_add(
        arena, &root,
        ir_build_expr_stmt(arena, ir_build_assign(arena, first, ir_build_var(arena, value))));
  }
  struct ir_expr *is_root =
      ir_build_binary(arena, IR_OP_EQ, ir_build_var(arena, thread), number(code, 0));
  ir_list_add(arena, &warp, ir_build_if(arena, is_root, ir_build_block(arena, &root)));
  struct ir_expr *in_warp =
      ir_build_binary(arena, IR_OP_LT, ir_build_var(arena, thread), number(code, TREE_WARP));
  ir_list_add(arena, &all, ir_build_if(arena, in_warp, ir_build_block(arena, &warp)));
  if (!SEEDED(TREE_UNWAITED)) ir_list_add(arena, &all, tree_barrier(code));
  return ir_build_block(arena, &all);
}

static struct ir_stmt *replaced(struct trees *t, struct ir_stmt *stmt)
{
  struct ir_stmt **below;

  if (!stmt) return NULL;
  for (unsigned i = 0; i < t->count; i++)
    if (t->items[i].loop == stmt) return built(t, &t->items[i]);
  struct ir_stmt *copy = ir_copy_stmt(t->code->arena, stmt);
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = replaced(t, *below);
  return copy;
}

struct ir_stmt *tree_build(struct trees *t)
{
  return code_without_unused(t->code->arena, replaced(t, t->code->facts.kernel->body));
}
