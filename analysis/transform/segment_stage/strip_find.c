/* SPDX-License-Identifier: MIT */
/* strip_find.c - finds segments from tables whose elements are the same for all threads of a block.
 *
 *     for (by = y0; by <= y1; by++) {                                 the nest
 *       const int begin = offsets[by], end = offsets[by + 1];
 *       for (k = begin; k < end; k++) {                               the segment
 *         const int j = index[k];
 *         sum += f(items[j], x);                                      items[index[k]] is loaded
 *             once by each thread; a copy would do
 *       }
 *     }
 *
 * The loops are uniform: their bounds depend on blockIdx, parameters, each other, and tables that
 * the kernel does not write. An element is copied under two conditions. Its address is made of such
 * values and of the iterator, in any form. And each iteration certainly loads it, so that the copy
 * reads the same elements as the loop as written. A nest may do nothing but go from segment to
 * segment, in loops that can be counted in front of it and whose iterations are independent. Then a
 * thread of its own finds each segment, and all segments are one stream of elements; variables that
 * the loops change and the segment's body uses are copied by element as well. Requires: a normal
 * body and its scan. Gives up per loop, with a remark if a table holds its first or last element.
 */
#include "analysis/code/loop.h"
#include "analysis/transform/segment_stage/strip.h"
#include "translator/base/diag.h"
#include "runtime/seeded.h"

#include <string.h>

enum { MOST_SOURCES = 16, MOST_STEP = 1 << 20 };

struct finding {
  struct code *code;
  const struct uniform *uniform;
  struct strips *all;
  struct strip *out;           /* the current one */
  struct ir_stmt *segment;     /* found in a nest */
  const struct ir_stmt *bound; /* a segment in a nest with dependent iterations */
};

/* ---- questions ---- */

struct var_search {
  const struct ir_var *var;
  bool found;
};

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct var_search *s = context;

  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    s->found |= ir_holder(expr->operands[0]) == s->var;
}

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct var_search *s = context;

  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  return true;
}

bool strip_assigns(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct var_search s = {var, false};

  ir_visit_stmt_exprs(stmt, note_assigned, &s);
  return s.found;
}

bool strip_declares(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct var_search s = {var, false};

  ir_visit_stmts(stmt, note_declared, &s);
  return s.found;
}

struct meeting_search {
  struct code *code;
  bool found;
};

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct meeting_search *s = context;

  s->found |= effects_join(s->code->effects, expr) || effects_fence(s->code->effects, expr);
}

static bool meets(struct code *code, struct ir_stmt *stmt)
{
  struct meeting_search s = {code, false};

  ir_visit_stmt_exprs(stmt, note_meeting, &s);
  return s.found;
}

bool strip_jumps(const struct ir_stmt *stmt, enum ir_stmt_kind kind)
{
  if (!stmt || loop_is_one(stmt) || (stmt->kind == IR_STMT_SWITCH && kind == IR_STMT_BREAK))
    return false;
  bool found =
      stmt->kind == kind || strip_jumps(stmt->body, kind) || strip_jumps(stmt->else_body, kind);
  for (unsigned i = 0; i < stmt->child_count && !found; i++)
    found = strip_jumps(stmt->children[i], kind);
  return found;
}

/* ---- does a table give the segment? ---- */

struct source_search {
  const struct finding *f;
  const struct ir_var *var; /* its values are visited */
  const struct ir_var *seen[MOST_SOURCES];
  unsigned count; /* of these */
  bool found;
};

static void note_loaded(struct ir_expr *expr, void *context);

static void note_source(struct ir_expr *expr, void *context)
{
  struct source_search *s = context;

  if (expr->kind == IR_EXPR_ASSIGN && ir_assigned_var(expr) == s->var)
    ir_visit_expr(expr->operands[1], note_loaded, s);
}

static bool note_initial(struct ir_stmt *stmt, void *context)
{
  struct source_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var && stmt->expr)
    ir_visit_expr(stmt->expr, note_loaded, s);
  return true;
}

static void note_loaded(struct ir_expr *expr, void *context)
{
  struct source_search *s = context;

  bool local =
      expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL && s->count < MOST_SOURCES;

  s->found |= code_access_of(s->f->code, expr) != NULL;
  for (unsigned i = 0; i < s->count && local; i++) local = s->seen[i] != expr->var;
  if (s->found || !local) return;
  const struct ir_var *outer = s->var;
  s->var = s->seen[s->count++] = expr->var;
  ir_visit_stmt_exprs(s->f->code->facts.kernel->body, note_source, s);
  ir_visit_stmts(s->f->code->facts.kernel->body, note_initial, s);
  s->var = outer;
}

static bool from_table(const struct finding *f, struct ir_expr *expr)
{
  struct source_search s = {.f = f};

  ir_visit_expr(expr, note_loaded, &s);
  return s.found;
}

/* ---- the segment ---- */

/* for (T i = lower; i < bound; i += step) */
static bool counts_up(const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;

  return stmt->kind == IR_STMT_FOR && loop && loop->lower && loop->declared && !loop->step_expr &&
         loop->step > 0 && loop->step < MOST_STEP &&
         (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE) &&
         loop->iterator->type->kind == IR_TYPE_INT && loop->iterator->type->size >= 4 &&
         !loop->iterator->address_taken;
}

static bool compares_own_type(const struct ir_stmt *stmt)
{
  const struct ir_expr *condition = ir_strip(stmt->expr);
  const struct ir_type *type = stmt->loop->iterator->type,
                       *compared =
                           condition->kind == IR_EXPR_BINARY ? condition->operands[0]->type : NULL;

  return compared && compared->kind == IR_TYPE_INT && compared->size == type->size &&
         compared->is_signed == type->is_signed;
}

/* Why the loop is no segment. NULL: it is one. */
static const char *no_segment(const struct finding *f, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;

  if (!counts_up(stmt) || loop->step != 1)
    return "the loop does not go up by one from a first value to a last one";
  if (!compares_own_type(stmt))
    return "the loop's iterator is compared in another type than its own";
  if (strip_jumps(stmt->body, IR_STMT_BREAK))
    return "the loop may be left early, and what is behind that is not sure to exist";
  if (shape_return_in(stmt->body)) return "threads return from inside of the loop";
  if (meets(f->code, stmt->body)) return "threads meet in the loop";
  if (!uniform_loop(f->uniform, stmt) || !uniform_expr(f->uniform, loop->lower) ||
      !uniform_expr(f->uniform, loop->bound))
    return "the threads of a block go through different segments";
  return NULL;
}

/* Does `stmt`, part of a nest, only lead to one segment? */
static bool leads_to_segment(struct finding *f, struct ir_stmt *stmt)
{
  struct ir_stmt *before = f->segment;

  if (!stmt || uniform_stmt(f->uniform, stmt)) return true;
  switch (stmt->kind) {
  case IR_STMT_BREAK:
  case IR_STMT_CONTINUE: return true;
  case IR_STMT_IF:
    return uniform_expr(f->uniform, stmt->expr) && leads_to_segment(f, stmt->body) &&
           leads_to_segment(f, stmt->else_body);
  case IR_STMT_BLOCK:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!leads_to_segment(f, stmt->children[i])) return false;
    return true;
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
    if (uniform_loop(f->uniform, stmt) && leads_to_segment(f, stmt->body)) return true;
    f->segment = before ? before : stmt;
    return !before && !no_segment(f, stmt);
  default: return false;
  }
}

/* ---- the nest without the body ---- */

struct meddling {
  struct finding *f;
  struct ir_stmt *around;
  const char *reason;
};

/* The statement without the body of a loop in it. */
static struct ir_stmt *without_body(struct finding *f, struct ir_stmt *stmt,
                                    const struct ir_stmt *loop)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(f->code->arena, stmt), **below;
  if (stmt == loop) copy->body = NULL;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = without_body(f, *below, loop);
  return copy;
}

static bool is_scalar(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL ||
         type->kind == IR_TYPE_POINTER;
}

static void carry(struct meddling *m, const struct ir_var *var)
{
  struct strip *out = m->f->out;

  if (!(strip_declares(m->around, var) || strip_assigns(m->around, var))) return;
  for (unsigned i = 0; i < out->carried_count; i++)
    if (out->carried[i] == var) return;
  if (out->carried_count == STRIP_CARRIED || !is_scalar(var->type) ||
      !uniform_var(m->f->uniform, var))
    m->reason = "too much changes from segment to segment";
  else
    out->carried[out->carried_count++] = (struct ir_var *)var;
}

/* Notes a variable in an address, other than the segment's iterator, that the nest computes. */
static void note_place(struct ir_expr *expr, void *context)
{
  struct meddling *m = context;
  struct strip *out = m->f->out;
  struct ir_var *var =
      expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL ? expr->var : NULL;

  if (!var || var == m->f->segment->loop->iterator ||
      !(strip_declares(m->around, var) || strip_assigns(m->around, var)))
    return;
  for (unsigned i = 0; i < out->place_count; i++)
    if (out->places[i] == var) return;
  if (out->place_count == STRIP_PLACES || !is_scalar(var->type) || !uniform_var(m->f->uniform, var))
    m->reason = "too much changes from segment to segment";
  else
    out->places[out->place_count++] = var;
}

static void keep_places(struct meddling *m)
{
  struct strip *out = m->f->out;

  for (unsigned i = 0; i < out->array_count; i++) {
    ir_visit_expr(out->arrays[i].element, note_place, m);
    if (out->arrays[i].guard) ir_visit_expr(out->arrays[i].guard, note_place, m);
  }
  for (unsigned i = 0; i < out->carried_count; i++)
    note_place(ir_build_var(m->f->code->arena, out->carried[i]), m);
}

static void note_use(struct ir_expr *expr, void *context)
{
  struct meddling *m = context;

  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL &&
      !strip_declares(m->f->segment->body, expr->var))
    carry(m, expr->var);
}

static void note_change(struct ir_expr *expr, void *context)
{
  struct meddling *m = context;
  bool changes = expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr);
  const struct ir_var *var = changes ? ir_holder(expr->operands[0]) : NULL;

  if (var && !strip_declares(m->f->segment->body, var) &&
      (ir_stmt_has_var(m->around, var) || strip_declares(m->around, var)) &&
      !SEEDED(STRIP_CARRIED_STALE))
    m->reason = "the loop changes what its segment depends on";
}

/* Why the segment cannot be separated from its nest. NULL: its body changes nothing of the nest,
 * and the variables of the nest that it uses can be copied. `seen`: the body with its uses. */
static const char *meddles(struct finding *f, struct ir_stmt *seen)
{
  struct meddling m = {f, without_body(f, f->out->nest, f->segment), NULL};

  ir_visit_stmt_exprs(f->segment->body, note_change, &m);
  if (!m.reason && f->out->nest != f->segment) {
    ir_visit_stmt_exprs(seen, note_use, &m);
    keep_places(&m);
  }
  return m.reason;
}

/* ---- independent iterations ---- */

struct apart_search {
  struct finding *f;
  struct ir_stmt *inside;
  bool fails;
};

/* Notes whether an iteration only changes its own variables. */
static void note_own(struct ir_expr *expr, void *context)
{
  struct apart_search *s = context;
  const struct ir_var *var =
      expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr) ? ir_holder(expr->operands[0]) : NULL;

  s->fails |= var && !strip_declares(s->inside, var) && !SEEDED(STRIP_NEST_CARRIED);
}

/* Notes whether a bound is the same for all iterations of the nest. */
static void note_bound(struct ir_expr *expr, void *context)
{
  struct apart_search *s = context;
  bool local = expr->kind == IR_EXPR_VAR &&
               (expr->var->kind == IR_VAR_LOCAL || expr->var->kind == IR_VAR_PARAM);

  s->fails |= local && (strip_declares(s->f->out->nest, expr->var) ||
                        strip_assigns(s->f->out->nest, expr->var));
}

struct loop_search {
  struct finding *f;
  const struct ir_stmt *segment;
  struct strip *out;
  bool found;
};

static bool note_segment(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;

  s->found |= stmt == s->segment;
  return !s->found;
}

/* Notes the loops of the nest around the segment, from the outside in. Fails if there are too
 * many. */
static bool note_loops(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context, inner = {.segment = s->segment};

  if (!loop_is_one(stmt) || stmt == s->segment) return true;
  ir_visit_stmts(stmt, note_segment, &inner);
  if (inner.found && s->out->loop_count < STRIP_LOOPS)
    s->out->loops[s->out->loop_count++] = stmt;
  else
    s->found |= inner.found;
  return true;
}

/* Can each segment of the nest be found by itself, in front of all of them? */
static bool iterations_apart(struct finding *f)
{
  struct strip *out = f->out;
  struct loop_search loops = {.f = f, .segment = f->segment, .out = out};
  struct apart_search s = {.f = f};

  ir_visit_stmts(out->nest, note_loops, &loops);
  for (unsigned i = 0; i < out->loop_count && !loops.found && !s.fails; i++) {
    struct ir_stmt *loop = out->loops[i],
                   *next = i + 1 < out->loop_count ? out->loops[i + 1] : f->segment;
    if (!counts_up(loop) || !compares_own_type(loop) || strip_jumps(loop->body, IR_STMT_BREAK) ||
        strip_jumps(loop->body, IR_STMT_CONTINUE))
      return false;
    ir_visit_expr(loop->loop->lower, note_bound, &s);
    ir_visit_expr(loop->loop->bound, note_bound, &s);
    s.inside = without_body(f, loop->body, next);
    ir_visit_stmt_exprs(s.inside, note_own, &s);
  }
  return !loops.found && !s.fails;
}

/* ---- all loops ---- */

static void skip_loop(struct finding *f, struct ir_stmt *stmt, const char *reason)
{
  code_decide(f->code,
              (struct decision){.kind = DECISION_TILES, .place = stmt->place, .why = reason});
  code_remark(f->code, DIAG_NOT_STAGED, &stmt->place,
              "nothing is staged in strips of this segment in '%s': %s", f->code->kernel->name,
              reason);
}

static bool take_strip(struct finding *f, struct ir_stmt *nest, struct ir_stmt *segment)
{
  if (f->all->count == MOST_STRIPS ||
      !(from_table(f, segment->loop->lower) || from_table(f, segment->loop->bound)))
    return false;
  f->out = &f->all->items[f->all->count];
  *f->out = (struct strip){.nest = nest, .segment = segment, .body = segment->body};
  f->segment = segment;
  if (nest != segment && !iterations_apart(f)) {
    f->bound = segment;
    return false;
  }
  struct ir_stmt *seen = strip_loads(f->code, f->uniform, f->out);
  if (!seen) return false;
  const char *reason = meddles(f, seen);
  if (reason && nest == segment) skip_loop(f, segment, reason);
  f->all->count += !reason;
  return !reason;
}

static bool reads_memory(const struct finding *f, struct ir_stmt *stmt)
{
  struct source_search s = {.f = f, .count = MOST_SOURCES};

  ir_visit_stmt_exprs(stmt, note_loaded, &s);
  return s.found;
}

static void look_at_loop(struct finding *f, struct ir_stmt *stmt)
{
  const char *reason = no_segment(f, stmt);

  if (!reason && f->bound == stmt)
    reason = "it may be short, and others of its loop cannot be found at the same time";
  if (!reason) {
    take_strip(f, stmt, stmt);
    return;
  }
  bool table = stmt->loop && stmt->loop->lower &&
               (from_table(f, stmt->loop->lower) || from_table(f, stmt->loop->bound));
  if (table && reads_memory(f, stmt->body)) skip_loop(f, stmt, reason);
}

/* Visits nests from the outside in, then single segments from the inside out. */
static void visit(struct finding *f, struct ir_stmt *stmt)
{
  unsigned before = f->all->count;

  if (!stmt || stmt->kind == IR_STMT_SWITCH || f->all->count == MOST_STRIPS) return;
  f->segment = NULL;
  if (loop_is_one(stmt) && leads_to_segment(f, stmt) && f->segment && f->segment != stmt &&
      take_strip(f, stmt, f->segment))
    return;
  visit(f, stmt->body);
  visit(f, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) visit(f, stmt->children[i]);
  if (loop_is_one(stmt) && f->all->count == before) look_at_loop(f, stmt);
}

void strip_find(struct code *code, const struct uniform *uniform, struct strips *ret)
{
  struct finding f = {.code = code, .uniform = uniform, .all = ret};

  memset(ret, 0, sizeof *ret);
  visit(&f, code->facts.kernel->body);
}
