/* SPDX-License-Identifier: MIT */
/* guarded.c - conditions that remain around each element of a thread in a loop over tiles.
 *
 *     if (i < n && j < m)                       bool _p[8], _p_2[8];
 *       for (k ...) TILE                 =>     for (k ...) for _y for _x: if (_p[_y]
 *           && _p_2[_x]) ...
 *
 * coarsen.c makes predicates of conditions around a loop over tiles that threads decide
 * differently. Statements that only compute with copies run for all elements. Statements that read
 * device memory run under the predicates, for each element by itself. Requires: instances of the
 * code. Gives up: never.
 */
#include "analysis/code/guarded.h"

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

static bool has_stmt(struct ir_stmt *stmt, const struct ir_stmt *wanted)
{
  struct presence p = {wanted, false};

  if (stmt) ir_visit_stmts(stmt, note_presence, &p);
  return p.found;
}

unsigned guarded_axes(const struct instances *in, struct ir_stmt *body, const struct ir_stmt *stmt)
{
  unsigned axes = 0;

  if (body == stmt || !has_stmt(body, stmt)) return 0;
  if (body->kind == IR_STMT_IF) axes = instances_of_expr(in, body->expr);
  if (has_stmt(body->body, stmt)) return axes | guarded_axes(in, body->body, stmt);
  if (has_stmt(body->else_body, stmt)) return axes | guarded_axes(in, body->else_body, stmt);
  for (unsigned i = 0; i < body->child_count; i++)
    if (has_stmt(body->children[i], stmt)) return axes | guarded_axes(in, body->children[i], stmt);
  return axes;
}
