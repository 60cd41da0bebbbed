/* SPDX-License-Identifier: MIT */
/* rounding.c - would nvcc round in another way, with arguments as constants, or with several
 * elements a thread (rounding_mapped.c)?
 *
 *     float t = a[i] * x;                          nvcc fuses a product and a sum that uses it if
 *     for (j = 0; j < k; j++) t += b[i + j];       both stand in one basic block: with k = 3 the
 *     out[i] = t;                                  loop is gone, and the first sum is fused
 *
 *     s += a[i + j] * __expf(-0.5f * j * j);       nvcc computes functions of constants by itself,
 *                                                  and not as a GPU does
 *
 * The walk goes through the kernel as it runs with the constants: unrolled loops iteration by
 * iteration, only the arm that a known condition takes. It counts the boundaries of basic blocks
 * that are gone (`vanished`), and knows of each local whether it may be a product, made how many
 * boundaries ago, and whether it may be a constant. A product of loop invariants counts as made in
 * front of an unrolled loop. Loops that stay are walked twice, each time from all states so far.
 * Gives up, with a reason: too many locals, too long.
 */
#include "analysis/code/rounding.h"

#include <math.h>

#include "analysis/code/loop.h"
#include "analysis/code/rounding_pin.h"
#include "runtime/seeded.h"

static void walk(struct rounding *r, struct ir_stmt *stmt);

/* ---- the state ---- */

void rounding_found(struct rounding *r, const struct ir_expr *expr, const char *reason)
{
  if (r->reason) return;
  r->reason = reason;
  r->place = expr && expr->place.line ? expr->place : r->code->kernel->name_place;
}

struct held *rounding_held(struct rounding *r, const struct ir_var *var)
{
  struct held_all *now = &r->now;

  for (unsigned i = 0; i < now->count; i++)
    if (now->items[i].var == var) return &now->items[i];
  if (now->count == MOST_HELD) {
    rounding_found(r, NULL, "it has too many locals to tell whether its results stay the same");
    return &now->items[0];
  }
  bool table = var && var->init && var->kind == IR_VAR_DEVICE && !var->is_constant_memory;
  now->items[now->count] =
      (struct held){var, {.constness = table ? AS_WRITTEN : VARIES, .set = r->vanished}};
  return &now->items[now->count++];
}

void rounding_set(struct rounding *r, const struct ir_var *var, struct traced value)
{
  value.set = r->vanished;
  rounding_held(r, var)->value = value;
}

struct traced rounding_join(struct traced a, struct traced b)
{
  struct traced v = a.constness > b.constness ? a : b;

  v.mixed = a.mixed || b.mixed || !a.constness != !b.constness;
  v.exact = a.exact && b.exact && a.number == b.number;
  v.number = a.number;
  v.one_way = a.one_way || b.one_way;
  v.carried = a.carried && b.carried;
  v.product = a.product || b.product;
  v.split = a.split || b.split;
  v.split_made = a.split_made || b.split_made;
  v.divided = a.divided || b.divided;
  v.scaled = a.scaled || b.scaled;
  v.one_more = a.one_more || b.one_more;
  v.made = !b.product ? a.made : !a.product ? b.made : a.made < b.made ? a.made : b.made;
  if ((a.product && a.made == ANOTHER) || (b.product && b.made == ANOTHER)) v.made = ANOTHER;
  v.set = a.set < b.set ? a.set : b.set;
  v.axes = a.axes | b.axes;
  v.data = a.data || b.data;
  v.from = a.product ? a.from : b.from;
  return v;
}

void rounding_new_block(struct rounding *r) { r->block = ++r->block_count; }

struct traced rounding_select(const struct rounding *r, bool decided, struct traced a,
                              struct traced b)
{
  bool same = a.product && b.product && a.from == b.from && a.block == b.block;
  struct traced v = rounding_join(a, b);

  v.product &= !r->remapped || decided || same;
  return v;
}

struct held_all *rounding_save(struct rounding *r)
{
  struct held_all *copy = r->free;

  if (copy)
    r->free = copy->next;
  else
    copy = ARENA_NEW(r->code->arena, struct held_all);
  *copy = r->now;
  return copy;
}

void rounding_release(struct rounding *r, struct held_all *copy)
{
  copy->next = r->free;
  r->free = copy;
}

void rounding_meet(struct rounding *r, struct held_all *copy)
{
  for (unsigned i = 0; i < copy->count; i++)
    r->now.items[i].value = rounding_join(r->now.items[i].value, copy->items[i].value);
  rounding_release(r, copy);
}

void rounding_one_way(struct rounding *r, const struct held_all *before)
{
  for (unsigned i = 0; i < before->count; i++) {
    struct traced *now = &r->now.items[i].value;
    now->one_way |= before->items[i].value.constness && (!now->constness || now->mixed);
  }
}

/* A constant times what is one, too, on some of the ways to it, nvcc computes on these ways:
 *
 *     s += (i > 0 ? in[i - 1] : 0) * 0.1f       =>      s += i > 0 ? in[i - 1] * 0.1f : 0
 *
 * Does it so if no loop leads from there to the same place again, and there is no other use. */
bool rounding_is_split(const struct traced *a, const struct traced *b, bool one_way)
{
  bool by_a = one_way ? a->one_way : a->mixed && !a->carried,
       by_b = one_way ? b->one_way : b->mixed && !b->carried;

  return (by_a && b->constness && !b->mixed) || (by_b && a->constness && !a->mixed);
}

/* Likewise behind the arms of a branch. */
static void meet_arms(struct rounding *r, bool decided, struct held_all *copy)
{
  for (unsigned i = 0; i < copy->count; i++)
    r->now.items[i].value =
        rounding_select(r, decided, r->now.items[i].value, copy->items[i].value);
  rounding_release(r, copy);
}

/* ---- loops ---- */

/* The loop as its iterations one after the other. */
static void unrolled(struct rounding *r, struct ir_stmt *stmt, double lower, double trips)
{
  const struct ir_loop *loop = stmt->loop;
  struct ir_stmt *outer = r->loop, *around = r->inner;
  struct held_all *before = rounding_save(r);

  r->around *= fmax(trips, 1);
  r->loop = r->inner = stmt;
  for (int n = 0; n < trips && !r->reason; n++) {
    r->vanished++;
    rounding_set(r, loop->iterator,
                 (struct traced){
                     .constness = MADE, .exact = true, .number = lower + n * (double)loop->step});
    walk(r, stmt->body);
    rounding_value(r, stmt->increment);
  }
  r->vanished++;
  rounding_one_way(r, before);
  rounding_release(r, before);
  r->loop = outer;
  r->inner = around;
  r->around /= fmax(trips, 1);
}

static bool note_jump(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE ||
                      stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_GOTO;
  return true;
}

/* Does it go through a whole iteration at least once, as written? */
static bool runs_once(struct ir_stmt *stmt)
{
  int64_t lower, bound;
  const struct ir_loop *loop = stmt->loop;
  bool jumps = false;

  ir_visit_stmts(stmt->body, note_jump, &jumps);
  if (stmt->kind == IR_STMT_DO) return !jumps;
  return !jumps && loop && !loop->step_expr && loop->lower && ir_constant(loop->lower, &lower) &&
         ir_constant(loop->bound, &bound) &&
         loop_trips_between(loop, (double)lower, (double)bound) >= 1;
}

/* In the next iteration. */
static void carry(struct rounding *r, const struct held_all *entered)
{
  for (unsigned i = 0; i < r->now.count; i++) {
    bool outside = i < entered->count && entered->items[i].value.mixed;
    r->now.items[i].value.carried |= r->now.items[i].value.mixed && !outside;
  }
}

/* Behind the loop. `last`: at the end of its last iteration, which each way goes through. NULL: the
 * loop may have none. */
static void leave_loop(struct rounding *r, const struct held_all *entered,
                       const struct held_all *last)
{
  for (unsigned i = 0; i < r->now.count; i++) {
    r->now.items[i].value.carried = i < entered->count && entered->items[i].value.carried;
    if (last && i < last->count) r->now.items[i].value.mixed = last->items[i].value.mixed;
  }
}

/* May nvcc put all iterations one after the other? */
static bool may_be_unrolled(const struct ir_stmt *stmt)
{
  int64_t lower, bound;
  const struct ir_loop *loop = stmt->loop;

  return loop && !loop->step_expr && loop->lower && ir_constant(loop->lower, &lower) &&
         ir_constant(loop->bound, &bound) &&
         loop_trips_between(loop, (double)lower, (double)bound) <= MOST_UNROLLED;
}

/* In a loop that stays, what it changes is no longer the product that it was in front of it: two
 * ways lead to its value. */
static void enter_loop(struct rounding *r, struct ir_stmt *stmt)
{
  if (!r->remapped || may_be_unrolled(stmt)) return;
  for (unsigned i = 0; i < r->now.count; i++) {
    struct held *held = &r->now.items[i];
    if (held->value.product && held->var && rounding_written_in(stmt, held->var))
      held->value.product = false;
  }
}

/* A loop of which not each iteration is walked. `ends`: what decides how many there are. */
static void repeated(struct rounding *r, struct ir_stmt *stmt, enum constness ends)
{
  struct ir_stmt *outer = r->loop, *around = r->inner;

  struct held_all *entered = rounding_save(r);

  r->loop = ends == MADE ? stmt : NULL;
  r->inner = stmt;
  enter_loop(r, stmt);
  for (int pass = 0; pass < 3 && !r->reason; pass++) {
    struct held_all *before = rounding_save(r);
    r->vanished += ends == MADE;
    rounding_new_block(r);
    if (stmt->loop)
      rounding_set(r, stmt->loop->iterator, (struct traced){.constness = ends, .exact = false});
    if (stmt->kind == IR_STMT_WHILE) rounding_value(r, stmt->expr);
    walk(r, stmt->body);
    rounding_value(r, stmt->increment);
    if (stmt->kind != IR_STMT_WHILE) rounding_value(r, stmt->expr);
    struct held_all *last = rounding_save(r);
    rounding_meet(r, before);
    carry(r, entered);
    if (pass == 2) leave_loop(r, entered, runs_once(stmt) ? last : NULL);
    rounding_release(r, last);
  }
  if (ends == MADE) rounding_one_way(r, entered);
  rounding_release(r, entered);
  rounding_new_block(r);
  r->vanished += ends == MADE;
  r->loop = outer;
  r->inner = around;
}

static enum constness both_ends(struct traced a, struct traced b)
{
  if (!a.constness || !b.constness) return VARIES;
  return a.constness > b.constness ? a.constness : b.constness;
}

static void walk_loop(struct rounding *r, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;

  walk(r, stmt->init);
  if (!loop || loop->step_expr) {
    repeated(r, stmt, stmt->expr ? rounding_value(r, stmt->expr).constness : VARIES);
    return;
  }
  struct traced lower = loop->lower ? rounding_value(r, loop->lower)
                                    : rounding_held(r, loop->iterator)->value,
                bound = rounding_value(r, loop->bound);
  enum constness ends = both_ends(lower, bound);
  double trips =
      lower.exact && bound.exact ? loop_trips_between(loop, lower.number, bound.number) : -1;
  if (ends == MADE && trips >= 0 && trips <= SHORT_TRIPS && r->around * trips <= MOST_UNROLLED)
    unrolled(r, stmt, lower.number, trips);
  else
    repeated(r, stmt, ends);
}

/* ---- statements ---- */

static bool is_real_product(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  return expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL && rounding_is_real(expr->type);
}

/* The sum with a product at the end of an arm. NULL: there is none. */
static const struct ir_expr *sum_at_end(const struct ir_stmt *arm)
{
  while (arm && arm->kind == IR_STMT_BLOCK)
    arm = arm->child_count ? arm->children[arm->child_count - 1] : NULL;
  if (arm && arm->kind == IR_STMT_IF) {
    const struct ir_expr *sum = sum_at_end(arm->body);
    return sum ? sum : sum_at_end(arm->else_body);
  }
  struct ir_expr *expr = arm && arm->kind == IR_STMT_EXPR ? ir_strip(arm->expr) : NULL;
  if (!expr || expr->kind != IR_EXPR_ASSIGN) return NULL;
  struct ir_expr *value = ir_strip(expr->operands[1]);
  bool adds = expr->op == IR_OP_ADD_ASSIGN || expr->op == IR_OP_SUB_ASSIGN;
  bool sum = expr->op == IR_OP_ASSIGN && value->kind == IR_EXPR_BINARY &&
             (value->op == IR_OP_ADD || value->op == IR_OP_SUB) &&
             (is_real_product(value->operands[0]) || is_real_product(value->operands[1]));
  return sum || (adds && is_real_product(value)) ? expr : NULL;
}

/* Do both arms end with a product in a sum that has one target? nvcc may make one sum of the two,
 * behind the if, where it fuses neither product; it depends on what else is the same in the arms.
 */
static bool sums_meet(const struct ir_stmt *stmt)
{
  const struct ir_expr *yes = sum_at_end(stmt->body), *no = sum_at_end(stmt->else_body);
  return yes && no && ir_same_expr(yes->operands[0], no->operands[0]) && !SEEDED(ARMS_MEET);
}

static void walk_if(struct rounding *r, struct ir_stmt *stmt)
{
  struct traced condition = rounding_value(r, stmt->expr);
  bool decided = rounding_decided(r, &condition);

  if (r->remapped && sums_meet(stmt))
    rounding_found(r, stmt->expr, "nvcc may make one sum of those in the arms of an if");
  r->vanished += decided;
  if (condition.constness == MADE && condition.exact) {
    struct held_all *before = rounding_save(r);
    walk(r, condition.number ? stmt->body : stmt->else_body);
    rounding_one_way(r, before);
    rounding_release(r, before);
  } else {
    struct held_all *before = rounding_save(r), *yes;
    rounding_new_block(r);
    walk(r, stmt->body);
    yes = rounding_save(r);
    for (unsigned i = 0; i < before->count; i++) r->now.items[i] = before->items[i];
    rounding_release(r, before);
    rounding_new_block(r);
    walk(r, stmt->else_body);
    meet_arms(r, decided, yes);
    rounding_new_block(r);
  }
  r->vanished += decided;
}

static void walk_switch(struct rounding *r, struct ir_stmt *stmt)
{
  struct traced chosen = rounding_value(r, stmt->expr);
  bool decided = rounding_decided(r, &chosen);
  struct held_all *before = rounding_save(r);

  r->vanished += decided;
  rounding_new_block(r);
  walk(r, stmt->body);
  rounding_meet(r, before);
  rounding_new_block(r);
  r->vanished += decided;
}

static void walk_declaration(struct rounding *r, struct ir_stmt *stmt)
{
  rounding_set(r, stmt->var, rounding_value(r, stmt->expr));
}

static void walk(struct rounding *r, struct ir_stmt *stmt)
{
  if (!stmt || r->reason) return;
  switch (stmt->kind) {
  case IR_STMT_DECL: walk_declaration(r, stmt); return;
  case IR_STMT_IF: walk_if(r, stmt); return;
  case IR_STMT_FOR: walk_loop(r, stmt); return;
  case IR_STMT_WHILE:
  case IR_STMT_DO: repeated(r, stmt, rounding_value(r, stmt->expr).constness); return;
  case IR_STMT_SWITCH: walk_switch(r, stmt); return;
  default: break;
  }
  rounding_value(r, stmt->expr);
  for (unsigned i = 0; i < stmt->expr_count; i++) rounding_value(r, stmt->exprs[i]);
  walk(r, stmt->body);
  for (unsigned i = 0; i < stmt->child_count; i++) walk(r, stmt->children[i]);
}

static const char *reason_of(struct rounding *r, struct ir_place *ret_place)
{
  struct ir_stmt *body = r->code->facts.kernel->body;

  walk(r, r->remapped && r->remapped->pinned ? rounding_pin_pairs(r->code, body) : body);
  rounding_check_used(r, body);
  rounding_check_owned(r, body);
  if (r->reason) *ret_place = r->place;
  return r->reason;
}

const char *rounding_differs(struct code *code, struct ir_place *ret_place)
{
  struct rounding r = {.code = code, .around = 1};

  return reason_of(&r, ret_place);
}

const char *rounding_remapped(struct code *code, const struct remapped *remapped,
                              struct ir_place *ret_place)
{
  struct rounding r = {.code = code, .remapped = remapped, .around = 1};

  return reason_of(&r, ret_place);
}

const char *rounding_remapped_own(struct code *code, const struct remapped *remapped,
                                  struct ir_stmt **ret_body, struct ir_place *ret_place)
{
  struct rounding r = {.code = code, .remapped = remapped, .around = 1};
  const char *reason = reason_of(&r, ret_place);

  *ret_body = !reason && r.owned.count ? rounding_make_own(&r, code->facts.kernel->body) : NULL;
  return reason;
}
