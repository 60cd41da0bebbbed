/* SPDX-License-Identifier: MIT */
/* team_build.c - code in which a team of threads shares the iterations of a loop.
 *
 *     row = id;                        float _p_sum = 0;
 *     if (row < m) {                   if (row < m)
 *       float sum = 0;                   for (j = lane; j < n; j += 128)
 *       for (j ...)                        _p_sum += a[row * n + j] * x[j];
 *       sum += ...;          =>      ...the parts of the team are combined...
 *       y[row] = sum;                  if (lane == 0 && row < m) {
 *     }                                  float sum = 0; sum += _p_sum; y[row] = sum;
 *                                      }
 *
 * First every thread runs the code on the way to the loop, without its stores, and its share of the
 * iterations (team_share.c). Then, behind barriers that all threads reach, one thread of the team
 * runs all of the code with the sum in the place of the loop. Teams of neighbours combine their
 * parts by shuffles, and in shared memory where they span several warps. Other teams use shuffles
 * among their threads in a warp, and then shared memory. Requires: team_reduce_find, and
 * team_reduce_vectorize where there are vector loads.
 */
#include "analysis/transform/team_reduce/team_building.h"
#include "analysis/code/partial_sums.h"

#include <string.h>

#include "analysis/code/tiles.h"
#include "analysis/code/loop.h"
#include "runtime/seeded.h"

enum { WARP = 32 };

/* ---- the way to the loop ---- */

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

static bool has_loop(struct building *b, struct ir_stmt *stmt)
{
  struct presence p = {b->c->loop, false};

  if (stmt) ir_visit_stmts(stmt, note_presence, &p);
  return p.found;
}

static struct ir_stmt *way(struct building *b, struct ir_stmt *stmt)
{
  struct ir_list out = {0};

  if (stmt == b->c->loop) return team_reduce_share(b);
  if (stmt->kind == IR_STMT_IF) {
    bool other = !has_loop(b, stmt->body);
    return ir_build_if(b->arena, other ? ir_build_not(b->arena, stmt->expr) : stmt->expr,
                       way(b, other ? stmt->else_body : stmt->body));
  }
  for (unsigned i = 0; i < stmt->child_count; i++) {
    bool last = has_loop(b, stmt->children[i]);
    if (last)
      ir_list_add(b->arena, &out, way(b, stmt->children[i]));
    else if (!team_reduce_stores(stmt->children[i]))
      ir_list_add(b->arena, &out, stmt->children[i]);
    if (last) break;
  }
  return ir_build_block(b->arena, &out);
}

/* A copy of `stmt` without the declarations of sums that `all` does not use: only the loop used
 * them. */
static struct ir_stmt *without_sums(struct building *b, struct ir_stmt *all, struct ir_stmt *stmt)
{
  struct ir_list out = {0};

  if (!stmt ||
      (stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_DECLS && stmt->kind != IR_STMT_IF))
    return stmt;
  struct ir_stmt *copy = ARENA_NEW(b->arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = without_sums(b, all, stmt->body);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    bool needless = false;
    for (unsigned k = 0; k < b->c->sum_count && stmt->children[i]->kind == IR_STMT_DECL; k++)
      needless |=
          stmt->children[i]->var == b->c->sums[k].var && !ir_count_var(all, b->c->sums[k].var);
    struct ir_stmt *child = needless ? NULL : without_sums(b, all, stmt->children[i]);
    if (child && (child->kind != IR_STMT_DECLS || child->child_count))
      ir_list_add(b->arena, &out, child);
  }
  copy->children = out.items.items;
  copy->child_count = out.items.count;
  return copy;
}

/* ---- combining the parts ---- */

int64_t team_reduce_in_warp(const struct team *team)
{
  int64_t lanes = team->in_rows ? WARP : team->elements < WARP ? WARP / team->elements : 1;
  return team->threads < lanes ? team->threads : lanes;
}

static const char *operation(enum reduce_op op)
{
  static const char *const names[REDUCE_COUNT] = {
      "mesi_sum", "mesi_product", "mesi_least", "mesi_greatest", "mesi_and", "mesi_or", "mesi_xor"};
  return names[op];
}

static struct ir_stmt *barrier(struct building *b)
{
  return ir_build_expr_stmt(b->arena, ir_build_call(b->arena, "__syncthreads", IR_EFFECT_BARRIER));
}

static struct ir_expr *column(struct building *b)
{
  return ir_build_builtin(b->arena, IR_THREAD_IDX);
}

/* The element of shared memory for the part with the number `which`. */
static struct ir_expr *stored(struct building *b, unsigned sum, struct ir_expr *which)
{
  struct ir_expr *element = ir_build_index(b->arena, use(b, b->shared[sum]), which);
  return b->team->in_rows ? element : ir_build_index(b->arena, element, column(b));
}

/* mesi_lanes<LANES>; mesi_lanes<32, APART> where the lanes of a team are one row of the block
 * apart. */
static void over_lanes(struct building *b, const struct shared_sum *sum, struct ir_list *out)
{
  long long lanes = team_reduce_in_warp(b->team);
  const char *name = b->team->in_rows
                         ? arena_format(b->arena, "mesi_lanes<%lld>", lanes)
                         : arena_format(b->arena, "mesi_lanes<%d, %lld>", WARP, WARP / lanes);
  struct ir_expr *call = ir_build_call(b->arena, name, IR_EFFECT_WARP);
  struct ir_expr *op = ir_build_call(b->arena, operation(sum->op), IR_EFFECT_NONE);

  call->type = sum->part->type;
  ir_add_argument(b->arena, call, use(b, sum->part));
  ir_add_argument(b->arena, call, op);
  struct ir_stmt *together = assign(b, use(b, sum->part), call);
  if (SEEDED(LANES_OF_SOME))
    together = ir_build_if(
        b->arena, ir_build_binary(b->arena, IR_OP_EQ, use(b, b->lane), number(b, 0)), together);
  if (!SEEDED(LANES_LEFT_OUT)) ir_list_add(b->arena, out, together);
}

static void store_part(struct building *b, unsigned sum, struct ir_list *out)
{
  struct ir_expr *which = use(b, b->lane);
  int64_t lanes = team_reduce_in_warp(b->team);

  if (lanes > 1) which = ir_build_binary(b->arena, IR_OP_DIV, which, number(b, lanes));
  struct ir_stmt *store = assign(b, stored(b, sum, which), use(b, b->c->sums[sum].part));
  if (lanes > 1) {
    struct ir_expr *in_warp =
        ir_build_binary(b->arena, IR_OP_REM, use(b, b->lane), number(b, lanes));
    store =
        ir_build_if(b->arena, ir_build_binary(b->arena, IR_OP_EQ, in_warp, number(b, 0)), store);
  }
  ir_list_add(b->arena, out, store);
}

/* Adds the other parts to that of the team's first thread, in front of its code. */
static void add_stored(struct building *b, unsigned sum, struct ir_list *out)
{
  struct ir_var *which = code_local(b->code, "_i", ir_int_type());
  int64_t parts = b->team->threads / team_reduce_in_warp(b->team);
  struct ir_stmt *add = reduce_into(b->arena, b->c->sums[sum].op, use(b, b->c->sums[sum].part),
                                    stored(b, sum, use(b, which)));
  struct ir_stmt *loop = ir_build_for(b->arena, which, number(b, 1),
                                      number(b, parts - SEEDED(LAST_PART_LOST)), 1, add);

  loop->pragma = "#pragma unroll";
  ir_list_add(b->arena, out, loop);
}

/* A name for a variable of the sum. An element that is kept in a register is called _r_name. */
static const char *named(struct building *b, const char *prefix, const struct shared_sum *sum)
{
  const char *name = sum->var->name;
  return arena_format(b->arena, "%s%s", prefix, strncmp(name, "_r_", 3) ? name : name + 3);
}

static void declare_shared(struct building *b, unsigned sum, struct ir_list *out)
{
  const struct team *team = b->team;
  const struct ir_type *type = b->c->sums[sum].part->type;

  if (!team->in_rows) type = ir_build_array_type(b->arena, type, team->elements);
  type = ir_build_array_type(b->arena, type,
                             team->threads / team_reduce_in_warp(team) - SEEDED(PARTS_SHORT));
  b->shared[sum] = code_local(b->code, named(b, "_s_", &b->c->sums[sum]), type);
  b->shared[sum]->kind = IR_VAR_SHARED;
  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->shared[sum], NULL));
}

/* sum = sum + part, in the place of the loop */
static struct ir_stmt *result(struct building *b)
{
  struct ir_list out = {0};

  for (unsigned i = 0; i < b->c->sum_count; i++) {
    const struct shared_sum *sum = &b->c->sums[i];
    bool same = sum->part->type->is_signed == sum->var->type->is_signed ||
                sum->var->type->kind == IR_TYPE_FLOAT;
    if (reduce_repeats(sum->op)) {
      ir_list_add(b->arena, &out, assign(b, use(b, sum->var), use(b, sum->part)));
    } else if (same) {
      ir_list_add(b->arena, &out,
                  reduce_into(b->arena, sum->op, use(b, sum->var), use(b, sum->part)));
    } else {
      struct ir_expr *wrapped = ir_build_cast(b->arena, sum->part->type, use(b, sum->var));
      struct ir_expr *both = ir_build_binary(
          b->arena, sum->op == REDUCE_SUM ? IR_OP_ADD : IR_OP_MUL, wrapped, use(b, sum->part));
      both->type = sum->part->type;
      ir_list_add(b->arena, &out,
                  assign(b, use(b, sum->var),
                         ir_build_cast(b->arena, ir_plain_type(b->arena, sum->var->type), both)));
    }
  }
  return ir_build_block(b->arena, &out);
}

/* ---- the body ---- */

/* threadIdx.x in the kernel's code is now the number of the team in its block. */
static struct ir_expr *replace_thread(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;

  if (expr->kind != IR_EXPR_BUILTIN || expr->value != IR_THREAD_IDX) return NULL;
  struct ir_expr *team =
      ir_build_binary(b->arena, IR_OP_DIV, column(b), number(b, b->team->threads));
  team->type = expr->type;
  return team;
}

static struct ir_stmt *of_team(struct building *b, struct ir_stmt *stmt)
{
  struct ir_rewriter rewriter = {b->arena, replace_thread, b};
  return b->team->in_rows && b->team->elements > 1 ? ir_rewrite_stmt(&rewriter, stmt) : stmt;
}

static void declare(struct building *b, struct ir_list *out)
{
  struct ir_expr *lane =
      b->team->in_rows ? column(b) : ir_build_builtin(b->arena, IR_THREAD_IDX + 1);

  if (b->team->in_rows && b->team->elements > 1)
    lane = ir_build_binary(b->arena, IR_OP_REM, lane, number(b, b->team->threads));
  b->lane = code_local(b->code, "_l", ir_int_type());
  ir_list_add(b->arena, out, ir_build_decl(b->arena, b->lane, lane));
  for (unsigned i = 0; i < b->c->sum_count; i++) {
    struct shared_sum *sum = &b->c->sums[i];
    const struct ir_type *type = reduce_type(b->arena, sum->op, sum->var->type);
    sum->part = code_local(b->code, named(b, "_p_", sum), type);
    ir_list_add(b->arena, out,
                ir_build_decl(b->arena, sum->part, number(b, sum->op == REDUCE_PRODUCT ? 1 : 0)));
  }
}

/* Combines the parts of the block's threads. The result is in lane 0 of each team, once add_stored
 * has added the rest. */
static void put_together(struct building *b, bool in_shared, struct ir_list *out)
{
  for (unsigned i = 0; i < b->c->sum_count; i++) {
    if (team_reduce_in_warp(b->team) > 1) over_lanes(b, &b->c->sums[i], out);
    if (in_shared) store_part(b, i, out);
  }
  if (in_shared && !SEEDED(PARTS_READ_EARLY)) ir_list_add(b->arena, out, barrier(b));
}

static void add_all_stored(struct building *b, bool in_shared, struct ir_list *out)
{
  for (unsigned i = 0; i < b->c->sum_count && in_shared; i++) add_stored(b, i, out);
}

static struct ir_stmt *if_leads(struct building *b, const struct ir_list *stmts)
{
  return ir_build_if(b->arena, ir_build_binary(b->arena, IR_OP_EQ, use(b, b->lane), number(b, 0)),
                     ir_build_block(b->arena, stmts));
}

/* ---- blocks that share sums ---- */

/* The element's number in the block. */
static struct ir_expr *own_element(struct building *b)
{
  if (!b->team->in_rows) return column(b);
  return b->team->elements > 1
             ? ir_build_binary(b->arena, IR_OP_DIV, column(b), number(b, b->team->threads))
             : number(b, 0);
}

/* Each thread of the team takes the parts of some blocks, as it took iterations. */
static void take_parts(struct building *b, struct ir_list *out)
{
  struct ir_var *which = code_local(b->code, "_z", ir_int_type());
  struct ir_list body = {0};

  for (unsigned i = 0; i < b->c->sum_count; i++) {
    const struct shared_sum *sum = &b->c->sums[i];
    struct ir_expr *none = reduce_repeats(sum->op)
                               ? partial_get(b->code, b->c, i, b->team->elements, b->workspace,
                                             number(b, 0), own_element(b))
                               : number(b, sum->op == REDUCE_PRODUCT ? 1 : 0);
    struct ir_expr *part = partial_get(b->code, b->c, i, b->team->elements, b->workspace,
                                       use(b, which), own_element(b));
    ir_list_add(b->arena, out, assign(b, use(b, sum->part), none));
    ir_list_add(b->arena, &body, reduce_into(b->arena, sum->op, use(b, sum->part), part));
  }
  ir_list_add(b->arena, out,
              ir_build_for(b->arena, which, use(b, b->lane), partial_blocks(b->code),
                           b->team->threads, ir_build_block(b->arena, &body)));
}

/* Stores the block's parts. The last block to arrive combines the parts of all, and runs the
 * rest. */
static void over_blocks(struct building *b, bool in_shared, struct ir_list *out,
                        struct ir_list *last)
{
  struct ir_list leave = {0};

  add_all_stored(b, in_shared, &leave);
  for (unsigned i = 0; i < b->c->sum_count; i++)
    ir_list_add(b->arena, &leave,
                partial_put(b->code, b->c, i, b->team->elements, b->workspace,
                            ir_build_builtin(b->arena, IR_BLOCK_IDX + 2), own_element(b)));
  ir_list_add(b->arena, out, if_leads(b, &leave));
  take_parts(b, last);
  put_together(b, in_shared, last);
}

void team_reduce_build(struct code *code, struct team_loop *c, const struct team *team,
                       struct ir_var *workspace)
{
  struct building b = {
      .code = code, .arena = code->arena, .c = c, .team = team, .workspace = workspace};
  struct ir_function *kernel = code->facts.kernel;
  bool in_shared = !team->in_rows || team->threads > WARP;
  struct ir_list out = {0}, last = {0}, first = {0};

  declare(&b, &out);
  for (unsigned i = 0; i < c->sum_count && in_shared; i++) declare_shared(&b, i, &out);
  struct ir_stmt *led = way(&b, kernel->body);
  ir_list_add(b.arena, &out, of_team(&b, without_sums(&b, led, led)));
  put_together(&b, in_shared, &out);
  struct ir_list *rest = workspace ? &last : &out;
  if (workspace) over_blocks(&b, in_shared, &out, &last);
  add_all_stored(&b, in_shared, &first);
  ir_list_add(b.arena, &first, of_team(&b, loop_swap(b.arena, kernel->body, c->loop, result(&b))));
  ir_list_add(b.arena, rest,
              SEEDED(TEAM_STORES) ? ir_build_block(b.arena, &first) : if_leads(&b, &first));
  if (workspace)
    ir_list_add(
        b.arena, &out,
        ir_build_if(b.arena, partial_last(code, workspace, NULL), ir_build_block(b.arena, &last)));
  kernel->body = ir_build_block(b.arena, &out);
}
