/* SPDX-License-Identifier: MIT */
/* row_sums.c - combines the sums of a pass over all threads of a team.
 *
 *     float _p_m = m;                                         a part of each thread
 *     ...the thread's iterations: _p_m = fmaxf(_p_m, x);
 *     _p_m = mesi_lanes_all<32>(_p_m, mesi_called_greatest());
 *     m = _p_m;
 *
 * A team of one warp combines its parts by shuffles; larger teams continue in shared memory. All
 * threads have the same value afterwards.
 */
#include "analysis/code/loop.h"
#include "analysis/transform/row_team/row_making.h"
#include "runtime/seeded.h"

static const char *operation(const struct shared_sum *sum)
{
  static const char *const names[REDUCE_COUNT] = {
      "mesi_sum", "mesi_product", "mesi_least", "mesi_greatest", "mesi_and", "mesi_or", "mesi_xor"};

  if (sum->at) return sum->op == REDUCE_MIN ? "mesi_under" : "mesi_above";
  if (sum->called) return sum->op == REDUCE_MIN ? "mesi_called_least" : "mesi_called_greatest";
  return names[sum->op];
}

static struct ir_expr *call_on(struct making *m, const char *name, int64_t count,
                               const struct shared_sum *sum, struct ir_expr *const *arguments)
{
  struct ir_expr *call = ir_build_call(
      m->arena, arena_format(m->arena, "%s<%lld>", name, (long long)count), IR_EFFECT_WARP);

  call->type = sum->part->type;
  for (; *arguments; arguments++) ir_add_argument(m->arena, call, *arguments);
  ir_add_argument(m->arena, call, ir_build_call(m->arena, operation(sum), IR_EFFECT_NONE));
  return call;
}

void row_declare_parts(struct making *m, struct ir_list *out)
{
  struct team_loop *pass = &m->p->passes[m->pass];

  for (unsigned i = 0; i < pass->sum_count; i++) {
    struct shared_sum *sum = &pass->sums[i];
    bool from = reduce_repeats(sum->op) && !SEEDED(ROW_PART_EMPTY);
    sum->part = code_local(m->code, arena_format(m->arena, "_p_%s", sum->var->name),
                           reduce_type(m->arena, sum->op, sum->var->type));
    struct ir_expr *none = row_number(m, sum->op == REDUCE_PRODUCT ? 1 : 0);
    row_add(m, out, ir_build_decl(m->arena, sum->part, from ? row_use(m, sum->var) : none));
    if (!sum->at) continue;
    sum->at_part = code_local(m->code, arena_format(m->arena, "_p_%s", sum->at->name),
                              ir_plain_type(m->arena, sum->at->type));
    row_add(m, out, ir_build_decl(m->arena, sum->at_part, row_use(m, sum->at)));
  }
}

static struct ir_var *shared_parts(struct making *m, const struct ir_var *part)
{
  struct ir_var *var =
      code_local(m->code, arena_format(m->arena, "_s%s", part->name + 2),
                 ir_build_array_type(m->arena, part->type, m->shape->threads / ROW_WARP));

  var->kind = IR_VAR_SHARED;
  row_add(m, &m->shared, ir_build_decl(m->arena, var, NULL));
  return var;
}

/* _s[_l / 32] = part */
static struct ir_stmt *leave(struct making *m, struct ir_var *parts, struct ir_var *part)
{
  return row_assign(
      m,
      ir_build_index(m->arena, row_use(m, parts),
                     row_binary(m, IR_OP_DIV, row_use(m, m->lane), row_number(m, ROW_WARP))),
      row_use(m, part));
}

/* Combines the parts of a warp's threads, for all of them. */
static void over_lanes(struct making *m, const struct shared_sum *sum, struct ir_list *out)
{
  struct ir_expr *const one[] = {row_use(m, sum->part), NULL}, *const two[] = {
                                                                   row_use(m, sum->part),
                                                                   sum->at
                                                                       ? row_use(m, sum->at_part)
                                                                       : NULL,
                                                                   NULL};

  if (SEEDED(ROW_LANES_APART)) return;
  if (sum->at)
    row_add(m, out,
            ir_build_expr_stmt(m->arena, call_on(m, "mesi_lanes_first", ROW_WARP, sum, two)));
  else
    row_add(m, out,
            row_assign(m, row_use(m, sum->part), call_on(m, "mesi_lanes_all", ROW_WARP, sum, one)));
}

/* Combines the parts of the block's warps. */
static void over_warps(struct making *m, const struct shared_sum *sums, unsigned count,
                       struct ir_list *out)
{
  struct ir_list leaving = {0}, taking = {0};
  int64_t parts = m->shape->threads / ROW_WARP - SEEDED(ROW_PART_LOST);

  for (unsigned i = 0; i < count; i++) {
    const struct shared_sum *sum = &sums[i];
    struct ir_var *shared = shared_parts(m, sum->part),
                  *places = sum->at ? shared_parts(m, sum->at_part) : NULL;
    row_add(m, &leaving, leave(m, shared, sum->part));
    if (places) row_add(m, &leaving, leave(m, places, sum->at_part));
    struct ir_expr *const one[] = {row_use(m, shared), NULL};
    struct ir_expr *const two[] = {row_use(m, shared), places ? row_use(m, places) : NULL,
                                   row_use(m, sum->part), places ? row_use(m, sum->at_part) : NULL,
                                   NULL};
    struct ir_expr *call =
        call_on(m, places ? "mesi_parts_first" : "mesi_parts", parts, sum, places ? two : one);
    row_add(m, &taking,
            places ? ir_build_expr_stmt(m->arena, call)
                   : row_assign(m, row_use(m, sum->part), call));
  }
  struct ir_expr *in_warp = row_binary(m, IR_OP_REM, row_use(m, m->lane), row_number(m, ROW_WARP));
  row_add(m, out,
          ir_build_if(m->arena, row_binary(m, IR_OP_EQ, in_warp, row_number(m, 0)),
                      ir_build_block(m->arena, &leaving)));
  if (!SEEDED(ROW_PARTS_EARLY)) row_add(m, out, row_barrier(m, false));
  for (unsigned i = 0; i < taking.items.count; i++) row_add(m, out, taking.items.items[i]);
}

/* sum = sum + part */
static struct ir_stmt *result(struct making *m, const struct shared_sum *sum)
{
  bool same = sum->part->type->is_signed == sum->var->type->is_signed ||
              sum->var->type->kind == IR_TYPE_FLOAT;

  if (reduce_repeats(sum->op)) return row_assign(m, row_use(m, sum->var), row_use(m, sum->part));
  if (same) return reduce_into(m->arena, sum->op, row_use(m, sum->var), row_use(m, sum->part));
  struct ir_expr *wrapped = ir_build_cast(m->arena, sum->part->type, row_use(m, sum->var));
  struct ir_expr *both =
      row_binary(m, sum->op == REDUCE_SUM ? IR_OP_ADD : IR_OP_MUL, wrapped, row_use(m, sum->part));
  both->type = sum->part->type;
  return row_assign(m, row_use(m, sum->var),
                    ir_build_cast(m->arena, ir_plain_type(m->arena, sum->var->type), both));
}

void row_put_together(struct making *m, struct ir_list *out)
{
  const struct team_loop *pass = &m->p->passes[m->pass];

  for (unsigned i = 0; i < pass->sum_count; i++) over_lanes(m, &pass->sums[i], out);
  if (pass->sum_count && m->shape->threads > ROW_WARP)
    over_warps(m, pass->sums, pass->sum_count, out);
  for (unsigned i = 0; i < pass->sum_count; i++) {
    const struct shared_sum *sum = &pass->sums[i];
    row_add(m, out, result(m, sum));
    if (sum->at) row_add(m, out, row_assign(m, row_use(m, sum->at), row_use(m, sum->at_part)));
  }
}
