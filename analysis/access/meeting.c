/* SPDX-License-Identifier: MIT */
/* meeting.c - do all threads reach the places where threads synchronise: barriers and warp
 * operations?
 *
 *     if (threadIdx.y == 0) {                                           threads of other rows do
 *         not come, and their lanes are in the mask:
 *       v += __shfl_down_sync(0xffffffff, v, 8);
 *           =>     the shuffle goes on because they have ended.
 *     }                                                                 A barrier behind the
 *         kernel's end would keep them alive: nobody goes on
 *
 * No thread waits for one that has ended, but threads do wait for one that is kept at a barrier
 * from a transformation. So a kernel with a place that only some threads reach may get no barrier
 * behind its head, and no code there that its threads reach at different times. A block barrier
 * needs all threads of the block. A warp operation needs those of the warp, whatever its mask is,
 * which may name missing lanes.
 *
 * Values have levels: the same for the block, the same for a warp, or only for a lane. The level of
 * a variable is that of the values assigned to it, and of the conditions around the assignments;
 * levels rise until nothing changes. Only some threads reach a place if a condition around it, or
 * one under which threads have left before it, has too high a level. A load has the level of its
 * address if nothing changes the loaded memory. (Shared memory does not change between barriers for
 * threads that come together, apart from races.) Device functions are visited at each call.
 *
 * Requires: a kernel with a body. Gives up: never; a value that is not understood belongs to one
 * lane, and a call that is not understood synchronises.
 */
#include "analysis/access/meeting.h"

#include <string.h>

#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

enum level { OF_BLOCK, OF_WARP, OF_LANE };
enum { MOST_NESTED = 8, MOST_CALLS = 1000 /* calls that are visited */, WARP = 32 };

struct meeting_walk { /* over one function, called in one way */
  const struct meeting_query *query;
  const struct ir_function *function;
  struct meeting *out;
  unsigned char *levels; /* of values, by id of the function's variables */
  unsigned depth;        /* of calls */
  /* Levels of the conditions under which threads returned, went to the end, or left the loop's
   * iteration before this place. */
  enum level left, gone, jumped;
  enum level result; /* of the function's result */
  bool changed;
  bool looks; /* the levels are final: places are judged */
};

static enum level expr_level(struct meeting_walk *w, struct ir_expr *expr);
static void visit_expr(struct meeting_walk *w, struct ir_expr *expr, enum level level);
static void visit(struct meeting_walk *w, struct ir_stmt *stmt, enum level level);

static enum level higher(enum level a, enum level b) { return a > b ? a : b; }

/* ---- the thread's number ---- */

static int64_t block_size(const struct meeting_walk *w, int axis)
{
  return w->query->facts->block[axis];
}

/* The number of the block's threads along the axes below `axis`; -1: not known. */
static int64_t threads_below(const struct meeting_walk *w, int axis)
{
  int64_t threads = 1;

  for (int i = 0; i < axis; i++)
    threads = threads < 0 || block_size(w, i) < 0 ? -1 : threads * block_size(w, i);
  return threads;
}

static enum level index_level(const struct meeting_walk *w, int axis)
{
  if (block_size(w, axis) == 1) return OF_BLOCK;
  int64_t below = threads_below(w, axis);
  return axis > 0 && below > 0 && below % WARP == 0 ? OF_WARP : OF_LANE;
}

struct linear {
  bool is;
  int64_t constant, by[3];
}; /* constant + by[0] * threadIdx.x + ... */

static struct linear linear_of(const struct meeting_walk *w, const struct ir_expr *expr,
                               unsigned depth);

static bool owns(const struct meeting_walk *w, const struct ir_var *var)
{
  return ir_owns(w->function, var);
}

static struct linear linear_constant(int64_t value)
{
  return (struct linear){.is = value > -(1 << 20) && value < 1 << 20, .constant = value};
}

static struct linear linear_scaled(struct linear a, int64_t by)
{
  a.is &= by > -(1 << 20) && by < 1 << 20;
  a.constant *= by;
  for (int i = 0; i < 3; i++) a.by[i] *= by;
  return a;
}

static struct linear linear_sum(struct linear a, struct linear b)
{
  a.is &= b.is;
  a.constant += b.constant;
  for (int i = 0; i < 3; i++) a.by[i] += b.by[i];
  return a;
}

static bool is_number(const struct linear *a)
{
  return a->is && !a->by[0] && !a->by[1] && !a->by[2];
}

static struct linear linear_binary(const struct meeting_walk *w, const struct ir_expr *expr,
                                   unsigned depth)
{
  struct linear a = linear_of(w, expr->operands[0], depth),
                b = linear_of(w, expr->operands[1], depth);

  if (!a.is || !b.is) return (struct linear){0};
  switch (expr->op) {
  case IR_OP_ADD: return linear_sum(a, b);
  case IR_OP_SUB: return linear_sum(a, linear_scaled(b, -1));
  case IR_OP_MUL:
    if (is_number(&a)) return linear_scaled(b, a.constant);
    return is_number(&b) ? linear_scaled(a, b.constant) : (struct linear){0};
  default: return (struct linear){0};
  }
}

static struct linear linear_builtin(const struct meeting_walk *w, const struct ir_expr *expr)
{
  struct linear result = {.is = true};

  if (expr->value < IR_BLOCK_IDX)
    result.by[expr->value] = 1;
  else if (expr->value == IR_WARP_SIZE)
    return linear_constant(WARP);
  else if (expr->value >= IR_BLOCK_DIM && expr->value < IR_GRID_DIM &&
           block_size(w, (int)expr->value % 3) > 0)
    return linear_constant(block_size(w, (int)expr->value % 3));
  else
    result.is = false;
  return result;
}

static struct linear linear_of(const struct meeting_walk *w, const struct ir_expr *expr,
                               unsigned depth)
{
  int64_t value;

  if (ir_constant(expr, &value)) return linear_constant(value);
  if (!depth) return (struct linear){0};
  switch (expr->kind) {
  case IR_EXPR_PAREN: return linear_of(w, expr->operands[0], depth);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    return expr->type->kind == IR_TYPE_INT && expr->type->size >= 4
               ? linear_of(w, expr->operands[0], depth)
               : (struct linear){0};
  case IR_EXPR_BUILTIN: return linear_builtin(w, expr);
  case IR_EXPR_BINARY: return linear_binary(w, expr, depth - 1);
  case IR_EXPR_VAR: {
    const struct ir_var *var = expr->var;
    bool one = owns(w, var) && var->kind == IR_VAR_LOCAL && var->write_count == 1 &&
               !var->address_taken && var->init && var->type->kind == IR_TYPE_INT &&
               var->type->size >= 4;
    return one ? linear_of(w, var->init, depth - 1) : (struct linear){0};
  }
  default: return (struct linear){0};
  }
}

/* Is it the thread's number in its block, plus a multiple of a warp and `*ret_rest`? Lanes and
 * warps must agree with that number. */
static bool is_thread_number(const struct meeting_walk *w, const struct ir_expr *expr,
                             int64_t *ret_rest)
{
  struct linear a = linear_of(w, expr, MOST_NESTED);
  bool is = a.is && (a.by[0] == 1 || block_size(w, 0) == 1);

  for (int axis = 1; is && axis < 3; axis++) {
    int64_t below = threads_below(w, axis);
    is = block_size(w, axis) == 1 || (below > 0 && a.by[axis] == below) ||
         (below > 0 && below % WARP == 0 && a.by[axis] % WARP == 0);
  }
  *ret_rest = ((a.constant % WARP) + WARP) % WARP;
  return is && a.constant >= 0;
}

/* Does a comparison of the thread's number with a bound separate threads of one warp? */
static bool splits_warps(const struct meeting_walk *w, const struct ir_expr *expr)
{
  static const enum ir_op mirrored[][2] = {
      {IR_OP_LT, IR_OP_GT}, {IR_OP_GT, IR_OP_LT}, {IR_OP_LE, IR_OP_GE}, {IR_OP_GE, IR_OP_LE}};
  enum ir_op op = expr->op;
  struct ir_expr *number = expr->operands[0], *bound = expr->operands[1];
  int64_t rest, at;

  if (ir_constant(number, &at)) {
    struct ir_expr *swap = number;
    number = bound;
    bound = swap;
    for (unsigned i = 0; i < 4; i++)
      if (expr->op == mirrored[i][0]) op = mirrored[i][1];
  }
  struct linear by = linear_of(w, bound, MOST_NESTED);
  if (!is_number(&by) || !is_thread_number(w, number, &rest)) return true;
  at = by.constant - rest + (op == IR_OP_LE || op == IR_OP_GT);
  return at % WARP != 0;
}

/* Is the result the same for a warp, although the operands differ between lanes? */
static bool is_of_warp(const struct meeting_walk *w, const struct ir_expr *expr)
{
  int64_t rest;

  switch (expr->op) {
  case IR_OP_LT:
  case IR_OP_LE:
  case IR_OP_GT:
  case IR_OP_GE: return !splits_warps(w, expr);
  case IR_OP_DIV:
  case IR_OP_SHR: {
    struct linear by = linear_of(w, expr->operands[1], MOST_NESTED);
    bool warps =
        is_number(&by) && (expr->op == IR_OP_DIV ? by.constant > 0 && by.constant % WARP == 0
                                                 : by.constant >= 5 && by.constant < 31);
    return warps && is_thread_number(w, expr->operands[0], &rest) && !rest;
  }
  default: return false;
  }
}

/* ---- levels of values ---- */

static enum level operands_level(struct meeting_walk *w, struct ir_expr *expr)
{
  enum level level = OF_BLOCK;

  for (unsigned i = 0; i < expr->operand_count; i++)
    level = higher(level, expr_level(w, expr->operands[i]));
  return level;
}

/* The variable whose memory a pointer expression or lvalue leads into. NULL: not found. */
static const struct ir_var *memory_of(const struct ir_expr *expr)
{
  for (;;) {
    if (expr->kind == IR_EXPR_VAR) return expr->var;
    bool down =
        expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_PAREN ||
        expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST ||
        (expr->kind == IR_EXPR_MEMBER && !expr->is_arrow) ||
        (expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS));
    bool sum = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD;
    if (!down && !sum) return NULL;
    bool second = sum && expr->operands[0]->type->kind != IR_TYPE_POINTER &&
                  expr->operands[0]->type->kind != IR_TYPE_ARRAY;
    expr = expr->operands[second];
  }
}

/* The level of a loaded element: that of its address, if threads that come together find the same
 * value there. */
static enum level load_level(struct meeting_walk *w, struct ir_expr *expr)
{
  const struct ir_var *var = memory_of(expr);
  bool own = var && owns(w, var) && var->type->kind != IR_TYPE_POINTER;
  bool same = expr->type->is_const || own ||
              (var && (var->kind == IR_VAR_SHARED || var->has_value || var->is_constant_memory));

  if (!same && var && w->depth == 0)
    same = w->query->keeps && w->query->keeps(w->query->context, var);
  return same && !expr->type->is_volatile ? operands_level(w, expr) : OF_LANE;
}

static enum level var_level(struct meeting_walk *w, struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;
  bool array = var->type->kind == IR_TYPE_ARRAY;

  if (var->has_value) return OF_BLOCK;
  if (owns(w, var))
    return var->is_static || var->type->is_volatile || var->type->kind == IR_TYPE_REFERENCE
               ? OF_LANE
               : (enum level)w->levels[var->id];
  if (array && var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_PARAM) return OF_BLOCK;
  return load_level(w, expr);
}

static enum level called(struct meeting_walk *w, struct ir_expr *call, enum level level,
                         bool looks);

static bool names_all_lanes(const struct ir_expr *call)
{
  int64_t mask;

  return call->operand_count && ir_constant(call->operands[0], &mask) &&
         (uint32_t)mask == UINT32_MAX;
}

static enum level call_level(struct meeting_walk *w, struct ir_expr *call)
{
  bool vote = !strncmp(call->text, "__any_sync", 10) || !strncmp(call->text, "__all_sync", 10) ||
              !strncmp(call->text, "__ballot_sync", 13);

  switch (call->effect) {
  case IR_EFFECT_NONE: return operands_level(w, call);
  case IR_EFFECT_LOAD: return operands_level(w, call);
  case IR_EFFECT_BARRIER: return !strncmp(call->text, "__syncthreads_", 14) ? OF_BLOCK : OF_LANE;
  case IR_EFFECT_WARP: return vote && names_all_lanes(call) ? OF_WARP : OF_LANE;
  case IR_EFFECT_CALLEE: return called(w, call, OF_BLOCK, false);
  default: return OF_LANE;
  }
}

static enum level expr_level(struct meeting_walk *w, struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL:
  case IR_EXPR_SIZEOF: return OF_BLOCK;
  case IR_EXPR_BUILTIN:
    return expr->value < IR_BLOCK_IDX ? index_level(w, (int)expr->value) : OF_BLOCK;
  case IR_EXPR_VAR: return var_level(w, expr);
  case IR_EXPR_BINARY: {
    enum level level = operands_level(w, expr);
    return level == OF_LANE && is_of_warp(w, expr) ? OF_WARP : level;
  }
  case IR_EXPR_INDEX:
    return expr->type->kind == IR_TYPE_ARRAY ? operands_level(w, expr) : load_level(w, expr);
  case IR_EXPR_MEMBER: return expr->is_arrow ? load_level(w, expr) : operands_level(w, expr);
  case IR_EXPR_UNARY:
    return expr->op == IR_OP_DEREF ? load_level(w, expr) : operands_level(w, expr);
  case IR_EXPR_COND:
  case IR_EXPR_ASSIGN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: return operands_level(w, expr);
  case IR_EXPR_CALL: return call_level(w, expr);
  default: return OF_LANE;
  }
}

static void raise_var(struct meeting_walk *w, const struct ir_var *var, enum level level)
{
  if (!var || !owns(w, var) || w->levels[var->id] >= level) return;
  w->levels[var->id] = (unsigned char)level;
  w->changed = true;
}

/* ---- places ---- */

static void meet(struct meeting_walk *w, const struct ir_expr *call, bool of_block,
                 enum level level)
{
  bool some = of_block ? level > OF_BLOCK : level > OF_WARP;

  if (!w->looks || !some || w->out->partial || SEEDED(PARTIAL_MEETING)) return;
  w->out->partial = true;
  w->out->place = call->place;
}

static bool may_meet(struct meeting_walk *w, const struct ir_expr *call)
{
  const struct function_effects *effects = effects_of(w->query->effects, call->callee);
  return effects->barrier || effects->warp || effects->unknown_call;
}

static void visit_body(struct meeting_walk *w, enum level level)
{
  w->changed = false;
  w->left = w->gone = w->jumped = OF_BLOCK;
  visit(w, w->function->body, level);
}

/* Visits the function as this call runs it, and returns the level of its result. `looks`: judges
 * its places. */
static enum level called(struct meeting_walk *w, struct ir_expr *call, enum level level, bool looks)
{
  struct ir_function *callee = call->callee;
  bool before = w->out->partial;

  if (!callee->body || callee->calls_itself || w->depth == MOST_NESTED || call->is_method ||
      w->out->calls++ > MOST_CALLS) {
    if (looks) meet(w, call, true, OF_LANE);
    return OF_LANE;
  }
  struct meeting_walk inner = {
      .query = w->query, .function = callee, .out = w->out, .depth = w->depth + 1};
  inner.levels = arena_alloc(w->query->effects->arena, callee->var_count + 1);
  for (unsigned i = 0; i < callee->param_count && i < call->operand_count; i++)
    raise_var(&inner, callee->params[i], expr_level(w, call->operands[i]));
  do visit_body(&inner, level);
  while (inner.changed);
  inner.looks = looks;
  if (looks) visit_body(&inner, level);
  if (!before && w->out->partial) w->out->place = call->place;
  return inner.result;
}

/* May the callee write the argument: the object of a member function, an array, or the target of a
 * reference? */
static bool may_write(const struct ir_expr *call, unsigned i)
{
  const struct ir_function *callee = call->callee;
  bool own = call->effect == IR_EFFECT_CALLEE || call->effect == IR_EFFECT_UNKNOWN;
  bool known = callee && !call->is_method && i < callee->param_count;

  if ((call->is_method && !i) || ir_strip(call->operands[i])->type->kind == IR_TYPE_ARRAY)
    return true;
  return own && (known ? callee->params[i]->type->kind == IR_TYPE_REFERENCE
                       : call->operands[i]->kind != IR_EXPR_CONVERT);
}

static void visit_call(struct meeting_walk *w, struct ir_expr *call, enum level level)
{
  switch (call->effect) {
  case IR_EFFECT_BARRIER:
  case IR_EFFECT_UNKNOWN: meet(w, call, true, level); break;
  case IR_EFFECT_WARP: meet(w, call, false, level); break;
  case IR_EFFECT_CALLEE:
    if (w->looks && may_meet(w, call) && !SEEDED(MEETING_IN_FUNCTION)) called(w, call, level, true);
    break;
  default: break;
  }
  for (unsigned i = 0; i < call->operand_count; i++)
    if (may_write(call, i)) raise_var(w, ir_holder(ir_strip(call->operands[i])), OF_LANE);
}

static void visit_choice(struct meeting_walk *w, struct ir_expr *expr, enum level level)
{
  visit_expr(w, expr->operands[0], level);
  level = higher(level, expr_level(w, expr->operands[0]));
  for (unsigned i = 1; i < expr->operand_count; i++) visit_expr(w, expr->operands[i], level);
}

static void visit_expr(struct meeting_walk *w, struct ir_expr *expr, enum level level)
{
  bool decides =
      expr && (expr->kind == IR_EXPR_COND ||
               (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR)));

  if (!expr) return;
  if (decides) {
    visit_choice(w, expr, level);
    return;
  }
  for (unsigned i = 0; i < expr->operand_count; i++) visit_expr(w, expr->operands[i], level);
  if (expr->kind == IR_EXPR_ASSIGN)
    raise_var(w, ir_holder(expr->operands[0]), higher(level, operands_level(w, expr)));
  else if (ir_is_step(expr))
    raise_var(w, ir_holder(expr->operands[0]), level);
  else if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS)
    raise_var(w, ir_holder(expr->operands[0]), OF_LANE);
  else if (expr->kind == IR_EXPR_CALL)
    visit_call(w, expr, level);
  else if (expr->kind == IR_EXPR_OPAQUE)
    meet(w, expr, true, OF_LANE);
}

/* ---- statements ---- */

static enum level condition_level(struct meeting_walk *w, struct ir_expr *condition)
{
  return condition ? expr_level(w, condition) : OF_BLOCK;
}

/* Visits a loop. Threads that leave it early, or an iteration of it, miss its later places. */
static void visit_loop(struct meeting_walk *w, struct ir_stmt *stmt, enum level level)
{
  enum level outside = w->jumped, before, left;

  if (stmt->init) visit(w, stmt->init, level);
  w->jumped = OF_BLOCK;
  do {
    before = w->jumped;
    left = w->left;
    enum level inside =
        higher(higher(level, condition_level(w, stmt->expr)), higher(w->jumped, w->left));
    visit_expr(w, stmt->expr, inside);
    visit(w, stmt->body, inside);
    visit_expr(w, stmt->increment, inside);
  } while (w->jumped != before || w->left != left);
  w->jumped = outside;
}

static void visit_switch(struct meeting_walk *w, struct ir_stmt *stmt, enum level level)
{
  enum level outside = w->jumped;

  visit_expr(w, stmt->expr, level);
  visit(w, stmt->body, higher(level, condition_level(w, stmt->expr)));
  w->jumped = higher(outside, w->jumped); /* also of a continue */
}

static void visit_decl(struct meeting_walk *w, struct ir_stmt *stmt, enum level level)
{
  if (!stmt->expr) return;
  visit_expr(w, stmt->expr, level);
  raise_var(w, stmt->var, higher(level, expr_level(w, stmt->expr)));
  if (stmt->var->type->kind == IR_TYPE_REFERENCE) raise_var(w, ir_holder(stmt->expr), OF_LANE);
}

static void visit_children(struct meeting_walk *w, struct ir_stmt *stmt, enum level level)
{
  for (unsigned i = 0; i < stmt->child_count; i++) visit(w, stmt->children[i], level);
}

static void visit(struct meeting_walk *w, struct ir_stmt *stmt, enum level level)
{
  if (!stmt) return;
  level = higher(higher(level, w->left), higher(w->gone, w->jumped));
  switch (stmt->kind) {
  case IR_STMT_DECL: visit_decl(w, stmt, level); break;
  case IR_STMT_EXPR: visit_expr(w, stmt->expr, level); break;
  case IR_STMT_IF: {
    enum level inside = higher(level, condition_level(w, stmt->expr));
    visit_expr(w, stmt->expr, level);
    visit(w, stmt->body, inside);
    visit(w, stmt->else_body, inside);
    break;
  }
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO: visit_loop(w, stmt, level); break;
  case IR_STMT_SWITCH: visit_switch(w, stmt, level); break;
  case IR_STMT_BREAK:
  case IR_STMT_CONTINUE: w->jumped = higher(w->jumped, level); break;
  case IR_STMT_RETURN:
    visit_expr(w, stmt->expr, level);
    w->left = higher(w->left, level);
    if (stmt->expr) w->result = higher(w->result, higher(level, expr_level(w, stmt->expr)));
    break;
  case IR_STMT_GOTO: w->gone = higher(w->gone, level); break; /* forward: one that a plan made */
  case IR_STMT_LABEL: w->gone = OF_BLOCK; break;
  default: visit_children(w, stmt, level); break;
  }
}

void meeting_analyze(const struct meeting_query *query, struct meeting *ret)
{
  const struct ir_function *kernel = query->facts->kernel;
  struct meeting_walk w = {.query = query, .function = kernel, .out = ret};

  *ret = (struct meeting){0};
  w.levels = arena_alloc(query->effects->arena, kernel->var_count + 1);
  do visit_body(&w, OF_BLOCK);
  while (w.changed);
  w.looks = true;
  visit_body(&w, OF_BLOCK);
}
