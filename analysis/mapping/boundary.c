/* SPDX-License-Identifier: MIT */
/* boundary.c - the size of a launch from which the time of its boundary does not matter.
 *
 * The elements of a thread share requests only where all conditions on indices hold (interior.c). A
 * boundary thread, at the end of a row, runs the original code for its elements one after the
 * other, and each waits for its own loads. In a launch of one or two waves of blocks nothing hides
 * that. conv2d, 16 elements a thread: 26 us for its boundary, where all of 1000 x 1000 elements as
 * written take 24; jacobi of 1024 x 1024: 4.7 us a step instead of 4.3.
 */
#include "analysis/mapping/mapping.h"
#include "analysis/code/instructions.h"
#include "analysis/code/loop.h"

/* Cycles of an element, one after the other: for its loads outside loops, for an iteration of an
 * innermost loop, and for one with conditions, behind which the next loads have to wait (conv2d:
 * 2900 cycles for 49 of them). */
#define WAIT_ELEMENT 300.0
#define WAIT_ITERATION 8.0
#define WAIT_CONDITION 60.0
#define START 3000.0 /* cycles of an empty launch */
#define HIDDEN 3.0   /* time of the launch over that of its boundary */
enum { UNKNOWN_TRIPS = 16 };

struct serial {
  double trips, cycles;
  bool inner, condition;
};

static bool note_inside(struct ir_stmt *stmt, void *context)
{
  struct serial *s = context;

  s->inner |= stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  s->condition |= stmt->kind == IR_STMT_IF;
  return true;
}

static void add_loops(const struct numbers *numbers, struct ir_stmt *stmt, double trips,
                      double *cycles)
{
  bool now;

  if (!stmt) return;
  if (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO) {
    struct serial inside = {0};
    ir_visit_stmts(stmt->body, note_inside, &inside);
    double own = instructions_trips(numbers, stmt, &now);
    trips *= own >= 0 ? own : UNKNOWN_TRIPS;
    *cycles += inside.inner ? 0 : trips * (inside.condition ? WAIT_CONDITION : WAIT_ITERATION);
  }
  add_loops(numbers, stmt->body, trips, cycles);
  add_loops(numbers, stmt->else_body, trips, cycles);
  for (unsigned i = 0; i < stmt->child_count; i++)
    add_loops(numbers, stmt->children[i], trips, cycles);
}

/* Cycles of the load/store unit for one element, as written. */
static double written(const struct mapping *m)
{
  double cycles = 0;

  for (unsigned i = 0; i < m->from->access.arrays.count; i++) {
    const struct array *array = m->from->access.arrays.items[i];
    for (unsigned k = 0; k < array->accesses.count; k++) {
      const struct access *access = &array->accesses.items[k];
      double times = 1;
      for (const struct nest_level *level = access->nest; level; level = level->outer)
        times *= level->count;
      cycles += times * model_request((struct symbols *)&m->from->symbols, access) / 32;
    }
  }
  return cycles;
}

int64_t map_elements_for_boundary(const struct mapping *m, int64_t each)
{
  struct numbers numbers = {.code = m->from, .block = {-1, -1, -1}, .thread = -1};
  double alone = WAIT_ELEMENT, element = written(m);

  add_loops(&numbers, m->from->facts.kernel->body, 1, &alone);
  double needed = HIDDEN * alone * (double)each - START;
  return needed <= 0 || element <= 0 ? 0 : (int64_t)(needed * m->target->multiprocessors / element);
}

/* ---- arrays of a thread ---- */

static void note_element(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_INDEX && ir_holder(expr) == NULL;
  if (expr->kind == IR_EXPR_INDEX && ir_holder(expr))
    *(bool *)context |= ir_holder(expr)->kind != IR_VAR_LOCAL;
}

static void note_chosen_local(struct ir_expr *expr, void *context)
{
  const struct ir_var *holder = expr->kind == IR_EXPR_INDEX ? ir_holder(expr) : NULL;

  if (!holder || holder->kind != IR_VAR_LOCAL) return;
  ir_visit_expr(expr->operands[1], note_element, context);
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  if (loop_is_one(stmt)) ir_visit_stmt_exprs(stmt->body, note_chosen_local, context);
  return true;
}

bool map_counts_in_locals(const struct mapping *m)
{
  bool found = false;

  ir_visit_stmts(m->from->facts.kernel->body, note_loop, &found);
  return found;
}
