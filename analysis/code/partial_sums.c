/* SPDX-License-Identifier: MIT */
/* partial_sums.c - code for blocks that share sums: each takes a run of the loop's iterations, and
 * the last to arrive combines the parts.
 *
 *     const int _first = mesi_run_at<int>(0, n, 1, 512, blockIdx.z),
 *         _last = mesi_run_at<int>(0, n, 1, 512, blockIdx.z + 1);
 *     for (j = _first ...; j < _last; ...) _p_sum += ...;
 *     mesi_sums_put<float, 0, 1>(_sums, blockIdx.z, 0, _p_sum);
 *     if (mesi_sums_last(_sums)) {
 *       _p_sum = 0;
 *       for (_z = 0; _z < (int)gridDim.z;
 *           _z++) _p_sum += mesi_sums_get<float, 0, 1>(_sums, _z, 0);
 *       ...
 *     }
 *
 * Only the parts go through memory, at places that depend only on block, element and run. So the
 * results do not depend on the order in which blocks arrive. That is legal where threads may share
 * the loop (team_reduce.c): only the last block stores anything that the kernel as written stores.
 * Requires: a grid of one layer, which the launch checks.
 */
#include "analysis/code/partial_sums.h"

#include "analysis/code/precondition.h"
#include "analysis/code/loop.h"
#include "runtime/seeded.h"

static const struct ir_type workspace_type = {
    .kind = IR_TYPE_OTHER, .spelling = "mesi_sums", .size = 16, .align = 8, .extent = -1};
static const struct ir_type longest = {.kind = IR_TYPE_INT,
                                       .spelling = "long long",
                                       .size = 8,
                                       .align = 8,
                                       .is_signed = true,
                                       .extent = -1};

static struct ir_expr *replace_layer(struct ir_rewriter *r, struct ir_expr *expr)
{
  bool dim = expr->value == IR_GRID_DIM + 2;

  if (expr->kind != IR_EXPR_BUILTIN || (expr->value != IR_BLOCK_IDX + 2 && !dim)) return NULL;
  return ir_build_cast(r->arena, expr->type, ir_build_int(r->arena, dim));
}

void partial_one_layer(struct code *code)
{
  struct ir_rewriter rewriter = {code->arena, replace_layer, NULL};

  if (!SEEDED(SUMS_OF_LAYERS))
    code->facts.kernel->body = ir_rewrite_stmt(&rewriter, code->facts.kernel->body);
}

struct ir_var *partial_param(struct code *code)
{
  return ir_add_param(code->arena, code->facts.kernel, unit_local_name(code->unit, "_sums"),
                      &workspace_type);
}

static const struct ir_type *part_type(struct code *code, const struct shared_sum *sum)
{
  return reduce_type(code->arena, sum->op, sum->var->type);
}

uint64_t partial_bytes(const struct team_loop *c, int64_t elements)
{
  return (uint64_t)elements *
         (8 * (uint64_t)(c->sum_count - 1) + (uint64_t)c->sums[c->sum_count - 1].var->type->size);
}

static struct ir_expr *place(struct code *code, const struct team_loop *c, unsigned sum,
                             int64_t elements, const char *name, enum ir_effect effect)
{
  const char *type = part_type(code, &c->sums[sum])->spelling;
  struct ir_expr *call = ir_build_call(
      code->arena,
      arena_format(code->arena, "%s<%s, %u, %lld>", name, type, 8 * sum, (long long)elements),
      effect);
  call->type = part_type(code, &c->sums[sum]);
  return call;
}

struct ir_stmt *partial_put(struct code *code, const struct team_loop *c, unsigned sum,
                            int64_t elements, struct ir_var *workspace, struct ir_expr *which,
                            struct ir_expr *element)
{
  struct ir_expr *call = place(code, c, sum, elements, "mesi_sums_put", IR_EFFECT_NONE);

  ir_add_argument(code->arena, call, ir_build_var(code->arena, workspace));
  ir_add_argument(code->arena, call, which);
  ir_add_argument(code->arena, call, element);
  ir_add_argument(code->arena, call, ir_build_var(code->arena, c->sums[sum].part));
  return ir_build_expr_stmt(code->arena, call);
}

struct ir_expr *partial_get(struct code *code, const struct team_loop *c, unsigned sum,
                            int64_t elements, struct ir_var *workspace, struct ir_expr *which,
                            struct ir_expr *element)
{
  struct ir_expr *call = place(code, c, sum, elements, "mesi_sums_get", IR_EFFECT_NONE);

  ir_add_argument(code->arena, call, ir_build_var(code->arena, workspace));
  ir_add_argument(code->arena, call, which);
  ir_add_argument(code->arena, call, element);
  return call;
}

struct ir_expr *partial_last(struct code *code, struct ir_var *workspace, struct ir_var *level)
{
  struct ir_expr *call = ir_build_call(code->arena, "mesi_sums_last", IR_EFFECT_BARRIER);

  call->type = ir_bool_type();
  ir_add_argument(code->arena, call, ir_build_var(code->arena, workspace));
  if (level) ir_add_argument(code->arena, call, ir_build_var(code->arena, level));
  return call;
}

struct ir_expr *partial_blocks(struct code *code)
{
  return ir_build_cast(code->arena, ir_int_type(), ir_build_builtin(code->arena, IR_GRID_DIM + 2));
}

struct ir_expr *partial_iterations(struct code *code, const struct ir_loop *loop)
{
  struct arena *arena = code->arena;
  struct ir_expr *end = precondition_host_form(code, loop_end(arena, loop)),
                 *lower = precondition_host_form(code, loop->lower);
  int64_t zero;

  if (!end || !lower) return NULL;
  struct ir_expr *all = ir_build_cast(arena, &longest, end);
  if (!ir_constant(lower, &zero) || zero) all = ir_build_binary(arena, IR_OP_SUB, all, lower);
  return loop->step == 1 ? all
                         : ir_build_binary(arena, IR_OP_DIV, all, ir_build_int(arena, loop->step));
}

/* ---- elements ---- */

struct presence {
  const struct ir_stmt *wanted;
  bool found;
};

static bool note_presence(struct ir_stmt *stmt, void *context)
{
  struct presence *p = context;
  p->found |= stmt == p->wanted;
  return !p->found;
}

bool stmt_contains(struct ir_stmt *stmt, const struct ir_stmt *wanted)
{
  struct presence p = {wanted, false};
  ir_visit_stmts(stmt, note_presence, &p);
  return p.found;
}

struct bound_search {
  struct code *code;
  struct ir_stmt *loop;
  struct ir_expr *bound;
};

static bool is_element(struct code *code, struct ir_expr *expr)
{
  expr = ir_strip(expr);
  while (expr->kind == IR_EXPR_CAST) expr = ir_strip(expr->operands[0]);
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL) {
    struct ir_expr *value = code_value_of(code, expr->var);
    return value && is_element(code, value);
  }
  return expr->kind == IR_EXPR_BUILTIN && expr->value == IR_BLOCK_IDX;
}

static void note_bound(struct bound_search *s, struct ir_expr *condition)
{
  condition = ir_strip(condition);
  if (condition->kind != IR_EXPR_BINARY) return;
  if (condition->op == IR_OP_LAND) {
    note_bound(s, condition->operands[0]);
    note_bound(s, condition->operands[1]);
  }
  struct ir_expr *bound = condition->op == IR_OP_LT && is_element(s->code, condition->operands[0])
                              ? precondition_host_form(s->code, condition->operands[1])
                              : NULL;
  s->bound = s->bound ? s->bound : bound;
}

static bool note_way(struct ir_stmt *stmt, void *context)
{
  struct bound_search *s = context;
  struct bound_search inside = {s->code, s->loop, NULL};

  if (stmt->kind == IR_STMT_IF && stmt_contains(stmt->body, s->loop))
    note_bound(&inside, stmt->expr);
  s->bound = s->bound ? s->bound : inside.bound;
  return true;
}

struct ir_expr *partial_elements(struct code *code, struct ir_stmt *loop)
{
  struct bound_search s = {code, loop, NULL};

  ir_visit_stmts(code->facts.kernel->body, note_way, &s);
  return s.bound ? ir_build_cast(code->arena, &longest, s.bound) : NULL;
}
