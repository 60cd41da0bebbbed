/* SPDX-License-Identifier: MIT */
/* temporal.c - kernels whose launches may be put together: temporal blocking.
 *
 *     for (int t = 0; t < steps; t += 2) {
 *       dif<<<blocks, 128>>>(u, v);
 *       dif<<<blocks, 128>>>(v, u);
 *     }
 *       =>
 *     one launch of dif_steps for 31 launches of dif: a block loads 1024 points of u, does 31 steps
 *     on them in shared memory, each on one point less on either side, and writes the 962 points
 *     that are left to v
 *
 *     __global__ void dif(float *u, float *v) {
 *       int i = blockDim.x * blockIdx.x + threadIdx.x;
 *       if (i > 0 && i < N - 1) v[i] = u[i] + R * (u[i - 1] - 2 * u[i] + u[i + 1]);
 *     }
 *
 * The decision to put launches together falls when they are made (runtime/launch/steps.c). The
 * batch of the loop (host_batch.c) holds launches back as long as nothing in the program can
 * notice, and compares each with the one before it. So trip counts, swapped pointers, loops that
 * end early and functions in between need no analysis here. The conditions here are on the kernel:
 *
 *   - it is shape-free (shape_free.c): a *point* is a thread of the launch, by its global ids;
 *   - its arrays come in pairs, two parameters of one type. One is written, each point its own
 *     element (the access map is a translation, each axis of the grid is a dimension), surely and
 *     whenever the point passes conditions on indices. The other is read at constant distances
 *     from there. A launch writes the array that the next one reads by the other name;
 *   - no launch writes any other memory that it reads.
 *
 * Then a launch reads elements that the previous launch wrote, or elements that no launch writes.
 * For all launches have the same sizes, and the conditions depend on nothing that may differ
 * between them. A tile of points, enlarged by `depth` times the distance on each side, has
 * everything that the points in its middle need for `depth` launches; several blocks compute the
 * points around them. Elements that no launch writes are loaded into the tiles at the rim.
 *
 * depth is odd: the result goes to the array that the first launch writes, not to the one that all
 * blocks read. The other array would need the result of the previous launch. So the runtime puts
 * launches together only where a further launch, which writes that array, is known to follow.
 *
 * Requires: a kernel with IR, facts of the launches in a loop. Produces struct temporal, for
 * temporal_model.c and temporal_build.c. Gives up with a reason at its place.
 */
#include "analysis/sets/budget.h"
#include "analysis/transform/temporal/temporal.h"

#include <string.h>

#include <isl/aff.h>

#include "analysis/code/reuse.h"
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

void temporal_give_up(struct temporal *t, const char *reason, const struct ir_place *place)
{
  if (t->reason) return;
  t->reason = reason;
  t->place = place && place->line ? *place : t->code.kernel->name_place;
}

/* ---- the shape ---- */

static bool shape_points(struct temporal *t)
{
  struct geometry geometry = {{1, 1}, {1, 1}, {1, 1}, t->code.facts.block[2] == 1 ? 0 : 1, false};

  if (!shape_free(&t->code, &t->reason, &t->place) ||
      !shape_virtual(&t->code, &geometry, t->totals, &t->reason, &t->place))
    return false;
  return true;
}

/* ---- parameters that may differ between launches ---- */

static void find_values(struct temporal *t, const bool *varies)
{
  for (unsigned i = 0; i < t->code.kernel->param_count && !t->reason; i++) {
    const struct ir_var *param = t->code.kernel->params[i];
    const struct ir_type *type = param->type;
    if (type->kind == IR_TYPE_RECORD || type->kind == IR_TYPE_OTHER)
      temporal_give_up(t, arena_format(t->code.arena, "'%s' is passed by value", param->name),
                       &t->code.kernel->name_place);
    if (!varies[i]) continue;
    bool scalar =
        type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;
    if (!scalar || type->size > 8 || param->write_count || param->address_taken ||
        t->value_count == TEMPORAL_BUFFERS)
      temporal_give_up(t, arena_format(t->code.arena, "'%s' differs between launches", param->name),
                       &t->code.kernel->name_place);
    else
      t->values[t->value_count++] = i;
  }
}

/* ---- the kernel as a whole ---- */

static void check_memory(struct temporal *t)
{
  const struct kernel_access *access = &t->code.access;

  if (access->reject) temporal_give_up(t, access->reject, &access->reject_place);
  if (access->has_fence) temporal_give_up(t, "it has a memory fence", NULL);
  if (access->unknown_write || access->unknown_read)
    temporal_give_up(t, "it uses memory through a pointer that is not followed",
                     &access->unknown_place);
  if (access->atomics.count)
    temporal_give_up(t, "it has atomic operations", &access->atomics.items[0].call->place);
  for (unsigned i = 0; i < access->arrays.count; i++)
    if (access->arrays.items[i]->element->is_volatile)
      temporal_give_up(t, "it accesses volatile memory", NULL);
}

enum { MOST_CALLS = 8 }; /* nested calls */

struct blind_search {
  struct temporal *t;
  bool safe;
  unsigned calls;
};

static void note_callee(struct blind_search *s, const struct ir_expr *call);

static void note_expr(struct ir_expr *expr, void *context)
{
  struct blind_search *s = context;
  const struct code_access *found = code_access_of(&s->t->code, expr);
  const struct temporal_access *own = temporal_access_of(s->t, expr);

  if (own) s->t->loads += 1;
  if (found && !own) {
    s->t->other_bytes += (double)found->array->element->size;
    for (unsigned d = 0; d < found->access->dim_count; d++)
      s->safe &= found->access->index[d].aff != NULL;
  }
  if (expr->kind == IR_EXPR_BINARY) s->t->operations += 1;
  s->safe &= !ir_may_trap(expr);
  if (expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_CALLEE)
    note_callee(s, expr);
  else
    s->safe &= expr->kind != IR_EXPR_CALL || expr->effect == IR_EFFECT_NONE ||
               expr->effect == IR_EFFECT_LOAD;
  s->safe &= expr->kind != IR_EXPR_INDEX || own || found || !s->calls;
  s->safe &= !(expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) || own || found;
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct blind_search *s = context;
  int64_t first, trips;

  switch (stmt->kind) {
  case IR_STMT_NULL:
  case IR_STMT_DECL:
  case IR_STMT_DECLS:
  case IR_STMT_EXPR:
  case IR_STMT_BLOCK:
  case IR_STMT_IF: break;
  case IR_STMT_RETURN: s->safe &= s->calls > 0; break;
  case IR_STMT_FOR: s->safe &= reuse_short_loop(stmt, &first, &trips); break;
  default: s->safe = false;
  }
  return true;
}

/* Notes a device function of numbers: without a loop whose end depends on a number, it is as good
 * as an operation. */
static void note_callee(struct blind_search *s, const struct ir_expr *call)
{
  if (!call->callee->body || s->calls == MOST_CALLS) {
    s->safe = false;
    return;
  }
  s->calls++;
  ir_visit_stmts(call->callee->body, note_stmt, s);
  ir_visit_stmt_exprs(call->callee->body, note_expr, s);
  s->calls--;
}

/* Has the kernel local arrays? A value may choose their elements. */
static bool has_local_arrays(const struct ir_function *kernel)
{
  for (unsigned i = 0; i < kernel->var_count; i++)
    if (kernel->vars[i]->kind == IR_VAR_LOCAL && kernel->vars[i]->type->kind == IR_TYPE_ARRAY)
      return true;
  return false;
}

/* May the code of interior points run at points whose elements have arbitrary values? It must store
 * to one place, and no index may come from an element. */
static void find_blind(struct temporal *t)
{
  struct blind_search s = {t, true, 0};

  ir_visit_stmts(t->interior.body, note_stmt, &s);
  ir_visit_stmt_exprs(t->interior.body, note_expr, &s);
  t->blind = s.safe && !has_local_arrays(t->code.facts.kernel);
}

static bool asks_varying(const struct temporal *t)
{
  for (unsigned i = 0; t->interior.condition && i < t->value_count; i++)
    if (ir_expr_has_var(t->interior.condition, t->code.kernel->params[t->values[i]])) return true;
  return false;
}

void temporal_blind(struct temporal *t)
{
  find_blind(t);
  t->blind &= !asks_varying(t) && temporal_stores(t, t->interior.body, true) ==
                                      temporal_stores(t, t->code.facts.kernel->body, false);
}

void temporal_scan(struct unit *unit, struct effects *effects, const struct kernel_facts *facts,
                   const bool *varies, struct remarks *remarks, struct temporal *t)
{
  memset(t, 0, sizeof *t);
  code_init(&t->code, unit, effects, facts, remarks);
  if (!shape_points(t)) return;
  interior_of(&t->code, &t->interior);
  code_scan(&t->code);
  check_memory(t);
  if (!t->reason) find_values(t, varies);
  if (code_exhausted(&t->code))
    temporal_give_up(t, budget_obstacle("the index expressions are too complex"), NULL);
}

void temporal_finish(struct temporal *t) { code_finish(&t->code); }
