/* SPDX-License-Identifier: MIT */
/* tile_fit.c - the arrays that may have tiles, as far as that is known without their boxes; and
 * the number of their accesses.
 *
 *     out[i] = sum;      =>   no tiles: the kernel only writes it
 *     sum += a[i];       =>   none if what the kernel writes under another name may overlap it
 *
 * These reasons are the same in every shape, and they take no walk over the code with a loop over
 * tiles. Requires: a scan. Gives up: never.
 */
#include "analysis/code/loop.h"
#include "analysis/mapping/tile/tile.h"
#include "runtime/seeded.h"

enum { UNKNOWN_TRIPS = 16 };

const char *tile_why_written(const struct code *scan, const struct array *array)
{
  return array->written && !array->read ? "the kernel only writes it"
                                        : code_why_written(scan, array);
}

const char *tile_unfit(const struct code *scan, struct array *array, bool may_store)
{
  const struct ir_type *element = array->element;

  if (array->reject) return array->reject;
  if (array->var->kind == IR_VAR_PARAM && array->var->write_count)
    return "the kernel assigns its parameter";
  if (tile_memory_obstacle(array)) return tile_memory_obstacle(array);
  if (element->size <= 0 || element->is_volatile || element->is_unnamed ||
      element->kind == IR_TYPE_OTHER)
    return "its element type cannot be copied";
  if (element->kind == IR_TYPE_RECORD && !element->is_trivial && !SEEDED(TILE_OF_CLASSES))
    return "its elements have a constructor, constants or an operator= of their own";
  if (array->written && may_store && tile_is_alone(scan, array)) return NULL;
  return tile_why_written(scan, array);
}

struct fit_search {
  const struct code *code;
  bool found;
};

static void note_fit(struct ir_expr *expr, void *context)
{
  struct fit_search *s = context;
  const struct code_access *access = code_access_of(s->code, expr);

  s->found =
      s->found || (access && (access->array->reject || !tile_unfit(s->code, access->array, true)));
}

static bool note_fit_in_loop(struct ir_stmt *stmt, void *context)
{
  if (loop_is_one(stmt)) ir_visit_stmt_exprs(stmt, note_fit, context);
  return !loop_is_one(stmt);
}

bool tile_may_be(const struct code *code)
{
  struct fit_search search = {code, false};

  ir_visit_stmts(code->facts.kernel->body, note_fit_in_loop, &search);
  return search.found;
}

/* ---- counts ---- */

struct weighing {
  const struct code *code;
  const struct array *part;
  double around, sum;
};

static void add_weight(struct ir_expr *expr, void *context)
{
  struct weighing *w = context;
  for (unsigned i = 0; i < w->part->accesses.count; i++)
    if (w->part->accesses.items[i].expr == expr) {
      w->sum += w->around;
      return;
    }
}

/* Weighs the accesses of a virtual thread in one run of `stmt`: those in a loop count once per
 * iteration, those in a branch half. */
static void weigh(struct weighing *w, struct ir_stmt *stmt)
{
  double around = w->around;

  if (!stmt) return;
  ir_visit_expr(stmt->expr, add_weight, w);
  if (stmt->kind == IR_STMT_IF) w->around /= 2;
  if (loop_is_one(stmt)) {
    int64_t trips = loop_trips(w->code, stmt->loop);
    w->around *= trips >= 0 ? (double)trips : UNKNOWN_TRIPS;
  }
  weigh(w, stmt->body);
  weigh(w, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) weigh(w, stmt->children[i]);
  w->around = around;
}

double tile_accesses_each(const struct code *code, struct ir_stmt *loop, const struct array *part)
{
  struct weighing w = {code, part, 1, 0};

  weigh(&w, loop->body);
  return w.sum;
}
