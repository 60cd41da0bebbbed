/* SPDX-License-Identifier: MIT */
/* host_batch.c - loops of launches that may go out as graphs.
 *
 *     for (int s = 0; s < steps; s++) {
 *       k<<<g, b>>>(u, v);
 *       float *t = u; u = v; v = t;
 *     }
 *   =>
 *     { mesi_batch _mesi_batch;
 *       for (int s = 0; s < steps; s++) {
 *         mesi_batched(k, g, b)(u, v);
 *         float *t = u; u = v; v = t;
 *       } }
 *
 * A batch may hold launches back, so nothing in the loop may notice that. The loop must have no
 * call with unknown effects, no object with a constructor, and no use of a VS variable outside a
 * launch. (A use through a pointer is announced or guarded, and then the runtime submits the
 * launches that it holds.) The loop may call a function that is quiet in the same sense; its
 * launches may be held back as well. Requires work->launches. A loop with launches in a stream of
 * their own is left alone.
 */
#include "analysis/host/host_batch.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/host/host_calls.h"

/* The least number of launches that a batch is worth; FEWEST_STEPS: if they can be put together. */
enum { FEWEST = 32, FEWEST_STEPS = 4 };

enum quiet { QUIET_UNASKED, QUIET_YES, QUIET_NO };

struct batching {
  struct unit *unit;
  struct host_work *work;
  enum quiet *functions; /* by id */
  unsigned *visited;     /* by function id: the walk that visited it */
  unsigned walk;
  unsigned launches; /* found so far */
  bool steps;        /* some of them may be put together */
  bool marking;      /* the visited code is known to be quiet: marks its launches */
};

static bool stmt_is_quiet(struct batching *, struct ir_stmt *);

static bool function_is_quiet(struct batching *b, const struct ir_function *function)
{
  if (!function || !function->body || function->is_template || function->calls_itself) return false;
  enum quiet *known = &b->functions[function->id];
  if (b->visited[function->id] == b->walk || *known == QUIET_NO) return *known == QUIET_YES;
  b->visited[function->id] = b->walk;
  *known = QUIET_NO;
  if (stmt_is_quiet(b, function->body)) *known = QUIET_YES;
  return *known == QUIET_YES;
}

static bool launch_may_wait(struct batching *b, const struct ir_expr *expr)
{
  const struct launch *launch = b->unit->launches.items[expr->value];
  const struct ir_function *kernel = launch->kernel;
  struct host_launch *known = &b->work->launches[launch->id];
  if (!kernel || !launch_is_pinned(launch) || !known->hooked || launch->stream) return false;
  if (!launch_gives_all(launch) || !b->unit->files.items[launch->place.file].is_main) return false;
  for (unsigned i = 0; i < b->unit->functions.count; i++) {
    const struct ir_function *other = b->unit->functions.items[i];
    /* overloaded */
    if (!unit_same_source(other, kernel) && !strcmp(other->qualified, kernel->qualified))
      return false;
  }
  if (b->marking) known->batched = true;
  b->launches++;
  b->steps |= known->steps;
  return true;
}

static bool is_plain_type(const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
         type->kind == IR_TYPE_POINTER || host_type_is_dim3(type);
}

/* Is it std::swap of two variables with numbers or pointers? */
static bool swaps_variables(const struct ir_expr *call)
{
  const struct host_call *known = host_call_of(call);
  if (!known || strcmp(known->name, "swap") || call->operand_count != 2) return false;
  for (unsigned i = 0; i < 2; i++) {
    const struct ir_expr *operand = ir_strip(call->operands[i]);
    if (operand->kind != IR_EXPR_VAR || operand->var->kind == IR_VAR_VS ||
        !is_plain_type(operand->var->type))
      return false;
  }
  return true;
}

static bool call_is_quiet(struct batching *b, const struct ir_expr *call)
{
  if (swaps_variables(call)) return true;
  if (call->callee && call->callee->has_definition) return function_is_quiet(b, call->callee);
  return call->effect == IR_EFFECT_NONE && host_call_is_standard(call->text);
}

/* `passed`: a VS variable in the expression goes to a launch or a function. */
static bool expr_is_quiet(struct batching *b, struct ir_expr *expr, bool passed)
{
  switch (expr->kind) {
  case IR_EXPR_OPAQUE: return false;
  case IR_EXPR_VAR:
    if (expr->var->kind == IR_VAR_VS && !passed) return false;
    break;
  case IR_EXPR_CALL:
    if (!call_is_quiet(b, expr)) return false;
    passed = true;
    break;
  case IR_EXPR_CONSTRUCT:
    if (!host_type_is_dim3(expr->type)) return false;
    break;
  case IR_EXPR_LAUNCH:
    if (!launch_may_wait(b, expr)) return false;
    passed = true;
    break;
  default: break;
  }
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!expr_is_quiet(b, expr->operands[i], passed)) return false;
  return true;
}

static bool stmt_is_quiet(struct batching *b, struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_OPAQUE ||
      (stmt->kind == IR_STMT_DECL && (!is_plain_type(stmt->var->type) || stmt->var->is_static)))
    return false;
  struct ir_expr *exprs[] = {stmt->expr, stmt->increment};
  struct ir_stmt *parts[] = {stmt->init, stmt->body, stmt->else_body};
  for (unsigned i = 0; i < sizeof exprs / sizeof *exprs; i++)
    if (exprs[i] && !expr_is_quiet(b, exprs[i], false)) return false;
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] && !stmt_is_quiet(b, parts[i])) return false;
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (!stmt_is_quiet(b, stmt->children[i])) return false;
  return true;
}

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

static bool count_loop(struct ir_stmt *stmt, void *context)
{
  *(unsigned *)context += is_loop(stmt);
  return true;
}

/* Has the loop constant bounds, and too few launches in all for a period to be found? */
static bool is_short(struct ir_stmt *stmt, unsigned launches, unsigned fewest)
{
  unsigned loops = 0;
  int64_t first, last, condition;
  ir_visit_stmts(stmt, count_loop, &loops);
  if (loops > 1) return false;
  if (stmt->kind == IR_STMT_DO && ir_constant(stmt->expr, &condition)) return !condition;
  const struct ir_loop *loop = stmt->loop;
  if (!loop || !loop->lower || loop->step_expr || !ir_constant(loop->lower, &first) ||
      !ir_constant(loop->bound, &last))
    return false;
  int64_t distance;
  if (__builtin_sub_overflow(last, first, &distance) || distance == INT64_MIN ||
      loop->step == INT64_MIN)
    return false;
  return llabs(distance) / llabs(loop->step) < fewest / launches;
}

static bool can_be_wrapped(const struct batching *b, const struct ir_stmt *stmt)
{
  const struct ir_place *place = &stmt->place;
  return b->unit->files.items[place->file].is_main && place->end > place->begin &&
         !place->in_macro && !stmt->pragma;
}

/* Adds a batch around an outermost loop that qualifies. */
static bool batch_loop(struct ir_stmt *stmt, void *context)
{
  struct batching *b = context;
  if (!is_loop(stmt) || !can_be_wrapped(b, stmt)) return true;
  b->launches = 0;
  b->steps = false;
  b->walk++;
  if (!stmt_is_quiet(b, stmt)) return true;
  if (!b->launches || is_short(stmt, b->launches, b->steps ? FEWEST_STEPS : FEWEST)) return false;
  b->walk++;
  b->marking = true;
  stmt_is_quiet(b, stmt);
  b->marking = false;
  *ARENA_PUSH(b->work->arena, &b->work->edits) = (struct host_edit){
      .kind = HOST_BATCH, .place = stmt->place, .needs_braces = true, .steps = b->steps};
  return false;
}

void host_batch_loops(struct unit *unit, struct host_work *work)
{
  struct batching b = {.unit = unit, .work = work};
  b.functions = arena_alloc(work->arena, (unit->functions.count + 1) * sizeof *b.functions);
  b.visited = arena_alloc(work->arena, (unit->functions.count + 1) * sizeof *b.visited);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    struct ir_function *function = unit->functions.items[i];
    if (function->body && function->is_host && !function->is_kernel && !function->is_template)
      ir_visit_stmts(function->body, batch_loop, &b);
  }
}
