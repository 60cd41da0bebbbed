/* SPDX-License-Identifier: MIT */
/* jam.c - may several iterations of a loop run at once? (unroll and jam)
 *
 *     for (p = 0; p < n; p++) {
 *       float sum = 0;
 *       for (k = 0; k < m; k++) sum += a[p * m + k] * b[k];
 *       out[p] = sum;
 *     }
 *   =>
 *     for (p = 0; p < n; p += 2)
 *       if (p + 1 < n) {
 *         float sum = 0, sum_1 = 0;
 *         for (k = 0; k < m; k++) {
 *           sum += a[p * m + k] * b[k];
 *           sum_1 += a[(p + 1) * m + k] * b[k];
 *         }
 *         out[p] = sum; out[p + 1] = sum_1;
 *       } else ...the original code...
 *
 * Each iteration computes the same values, in its order. But an iteration's loads now come before
 * the stores of the iterations in front of it. So: the kernel does not write the memory that is
 * loaded before an iteration's first store, under any name (proved, or checked by the launch); from
 * the first store on, iterations follow one another as before; no value goes from one iteration to
 * the next; and inner loops have the same iterations in all of them. Requires: the accesses of the
 * code. Produces: the variables that each iteration has for itself. Gives up with a reason: jumps,
 * barriers, calls with effects, loads that are not followed.
 */
#include "analysis/transform/unroll_jam/jam.h"
#include "runtime/seeded.h"

static bool fail(struct jam *j, const struct ir_place *place, const char *why)
{
  if (!j->why) {
    j->why = why;
    j->place = *place;
  }
  return false;
}

/* ---- variables ---- */

static bool is_own(const struct jam *j, const struct ir_var *var)
{
  return var && var->kind == IR_VAR_LOCAL && var->id < j->var_count &&
         j->code->vars[var->id] == var && j->own[var->id];
}

struct variation {
  const struct jam *j;
  bool found;
};

static void note_varying(struct ir_expr *expr, void *context)
{
  struct variation *v = context;

  if (expr->kind == IR_EXPR_VAR)
    v->found |= expr->var == v->j->loop->loop->iterator ||
                (is_own(v->j, expr->var) && v->j->varies[expr->var->id]);
}

bool jam_varies(const struct jam *j, struct ir_expr *expr)
{
  struct variation v = {j, false};

  ir_visit_expr(expr, note_varying, &v);
  return v.found;
}

static bool note_varying_decl(struct ir_stmt *stmt, void *context)
{
  struct variation *v = context;

  v->found |= stmt->kind == IR_STMT_DECL && is_own(v->j, stmt->var) && v->j->varies[stmt->var->id];
  return true;
}

bool jam_stmt_varies(const struct jam *j, struct ir_stmt *stmt)
{
  struct variation v = {j, false};

  ir_visit_stmt_exprs(stmt, note_varying, &v);
  ir_visit_stmts(stmt, note_varying_decl, &v);
  return v.found;
}

struct marking {
  struct jam *j;
  bool varies, changed;
};

static void mark(struct marking *m, const struct ir_var *var)
{
  if (!is_own(m->j, var) || m->j->varies[var->id]) return;
  m->j->varies[var->id] = m->changed = true;
}

static void mark_assigned(struct ir_expr *expr, void *context)
{
  struct marking *m = context;

  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    if (m->varies || jam_varies(m->j, expr)) mark(m, ir_holder(expr->operands[0]));
}

/* Is it a condition that holds for all iterations when they run at once? */
static bool is_guard(const struct jam *j, const struct ir_stmt *stmt)
{
  const struct ir_stmt *guard = jam_guard(j, j->loop->body);

  while (guard && guard != stmt) guard = jam_guard(j, guard->body);
  return guard != NULL;
}

/* Marks, in one round over the statements, the variables that vary by their value, or by a
 * condition around their assignment. */
static void mark_stmt(struct marking *m, struct ir_stmt *stmt)
{
  bool outer = m->varies;

  if (!stmt) return;
  if (stmt->kind == IR_STMT_DECL && (m->varies || jam_varies(m->j, stmt->expr))) mark(m, stmt->var);
  m->varies |= ((stmt->kind == IR_STMT_IF && !is_guard(m->j, stmt)) || stmt->kind == IR_STMT_FOR) &&
               jam_varies(m->j, stmt->expr);
  ir_visit_expr(stmt->expr, mark_assigned, m);
  mark_stmt(m, stmt->init);
  ir_visit_expr(stmt->increment, mark_assigned, m);
  mark_stmt(m, stmt->body);
  mark_stmt(m, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) mark_stmt(m, stmt->children[i]);
  m->varies = outer;
}

/* ---- the statements of the body ---- */

static bool declare(struct jam *j, struct ir_stmt *stmt)
{
  struct ir_var *var = stmt->var;
  bool plain = var->kind == IR_VAR_LOCAL && !var->address_taken &&
               var->type->kind != IR_TYPE_REFERENCE && !var->type->is_volatile &&
               (var->type->kind != IR_TYPE_RECORD || var->type->is_trivial);

  if (!plain) return fail(j, &stmt->place, "a variable in it has an address, or is no plain local");
  j->own[var->id] = true;
  return true;
}

struct checking {
  struct jam *j;
  bool fails;
  struct ir_place place;
  const char *why;
};

static void note_fault(struct checking *c, const struct ir_expr *expr, const char *why)
{
  if (c->fails) return;
  *c = (struct checking){c->j, true, expr->place, why};
}

static void check_expr(struct ir_expr *expr, void *context)
{
  struct checking *c = context;

  if (expr->type->is_volatile) note_fault(c, expr, "it uses volatile memory");
  if (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
      expr->effect != IR_EFFECT_LOAD)
    note_fault(c, expr, "it calls a function that may do more than compute a value");
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS)
    note_fault(c, expr, "it takes an address");
  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) return;
  const struct ir_var *holder = ir_holder(expr->operands[0]);
  if (holder && holder->kind == IR_VAR_SHARED) note_fault(c, expr, "it writes shared memory");
  if (holder && (holder->kind == IR_VAR_LOCAL || holder->kind == IR_VAR_PARAM) &&
      !is_own(c->j, holder) && !SEEDED(JAM_CARRIED))
    note_fault(c, expr, "an iteration hands a value to the next one");
}

static bool check_kind(struct ir_stmt *stmt, void *context)
{
  struct jam *j = context;

  switch (stmt->kind) {
  case IR_STMT_NULL:
  case IR_STMT_DECLS:
  case IR_STMT_EXPR:
  case IR_STMT_BLOCK:
  case IR_STMT_IF: return true;
  case IR_STMT_DECL: return declare(j, stmt);
  case IR_STMT_FOR:
    if (!stmt->loop || !stmt->loop->declared || stmt->loop->step_expr ||
        ir_has_effects(stmt->loop->bound))
      return fail(j, &stmt->place, "a loop inside does not count from one bound to another");
    return true;
  default: return fail(j, &stmt->place, "control leaves a statement in it by a jump");
  }
}

static bool check_body(struct jam *j)
{
  struct checking c = {.j = j};

  ir_visit_stmts(j->loop->body, check_kind, j);
  if (j->why) return false;
  ir_visit_stmt_exprs(j->loop->body, check_expr, &c);
  return !c.fails || fail(j, &c.place, c.why);
}

/* ---- stores ---- */

struct storing {
  const struct jam *j;
  bool found;
};

static void note_store(struct ir_expr *expr, void *context)
{
  struct storing *s = context;

  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    s->found |= !is_own(s->j, ir_holder(expr->operands[0]));
}

bool jam_stores(const struct jam *j, struct ir_stmt *stmt)
{
  struct storing s = {j, false};

  ir_visit_stmt_exprs(stmt, note_store, &s);
  return s.found;
}

struct ir_stmt *jam_guard(const struct jam *j, const struct ir_stmt *body)
{
  struct ir_stmt *last = body->kind == IR_STMT_IF ? (struct ir_stmt *)body : NULL;

  if (body->kind == IR_STMT_BLOCK && body->child_count)
    last = body->children[body->child_count - 1];
  if (!last || last->kind != IR_STMT_IF || last->else_body || !jam_stores(j, last)) return NULL;
  for (unsigned i = 0; body->kind == IR_STMT_BLOCK && i + 1 < body->child_count; i++)
    if (body->children[i]->kind != IR_STMT_DECL && body->children[i]->kind != IR_STMT_DECLS)
      return NULL;
  return last;
}

/* ---- loads ---- */

const struct access *jam_access(const struct jam *j, const struct ir_expr *expr,
                                const struct array **ret_array)
{
  for (unsigned i = 0; i < j->access->arrays.count; i++) {
    const struct array *array = j->access->arrays.items[i];
    for (unsigned k = 0; k < array->accesses.count; k++)
      if (array->accesses.items[k].expr == expr) {
        if (ret_array) *ret_array = array;
        return &array->accesses.items[k];
      }
  }
  return NULL;
}

static bool is_load(const struct ir_expr *expr)
{
  const struct ir_var *holder = expr->kind == IR_EXPR_INDEX ? ir_holder(expr) : NULL;
  bool own = holder && (holder->kind == IR_VAR_LOCAL || holder->kind == IR_VAR_PARAM ||
                        holder->kind == IR_VAR_SHARED);

  switch (expr->kind) {
  case IR_EXPR_INDEX: return expr->type->kind != IR_TYPE_ARRAY && !own;
  case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF;
  case IR_EXPR_MEMBER: return expr->is_arrow;
  case IR_EXPR_CALL: return expr->effect == IR_EFFECT_LOAD;
  case IR_EXPR_VAR:
    return (expr->var->kind == IR_VAR_VS || expr->var->kind == IR_VAR_DEVICE) &&
           expr->type->kind != IR_TYPE_ARRAY && !expr->var->has_value;
  default: return false;
  }
}

/* Do loads from the array give the same values at any time? */
static bool is_unwritten(struct jam *j, const struct array *array)
{
  for (unsigned i = 0; i < j->access->arrays.count; i++) {
    const struct array *other = j->access->arrays.items[i];
    if (!other->written || SEEDED(JAM_ALIAS_SKIPPED) ||
        (other != array && arrays_disjoint(j->symbols, array->var, other->var)))
      continue;
    if (other == array || !alias_ask((struct symbols *)j->symbols, array, other, &j->no_alias))
      return false;
  }
  return array->var->type->is_restrict || !j->access->unknown_write;
}

static void check_load(struct ir_expr *expr, void *context)
{
  struct checking *c = context;
  const struct array *array = NULL;

  if (!is_load(expr) || c->fails) return;
  if (!jam_access(c->j, expr, &array)) {
    note_fault(c, expr, "it is not known what it loads");
    return;
  }
  unsigned number = 0;
  while (c->j->access->arrays.items[number] != array) number++;
  if (!c->j->asked[number] && !is_unwritten(c->j, array))
    note_fault(c, expr, "what it loads may be written by an iteration before it");
  c->j->asked[number] = true;
}

/* Counts a load in an inner loop: those that all iterations make alike. If the launch finds which
 * ones are alike, only those of its array count. */
static void count_load(struct ir_expr *expr, void *context)
{
  struct jam *j = context;
  const struct array *array = NULL;

  if (!is_load(expr) || !jam_access(j, expr, &array) || (j->array && array != j->array)) return;
  bool common = array == j->array || !jam_varies(j, expr);
  j->loads += common || jam_varies(j, expr);
  j->common += common;
}

/* ---- statements up to the first store ---- */

static bool check_before(struct jam *j, struct ir_stmt *stmt, bool in_loop)
{
  if (!stmt) return true;
  switch (stmt->kind) {
  case IR_STMT_FOR:
    if (jam_varies(j, stmt->expr) || jam_varies(j, stmt->loop->lower) ||
        jam_varies(j, stmt->increment))
      return fail(j, &stmt->place, "a loop inside has other bounds in each iteration");
    return check_before(j, stmt->body, true);
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!check_before(j, stmt->children[i], in_loop)) return false;
    return true;
  default:
    if (in_loop && jam_stmt_varies(j, stmt)) ir_visit_stmt_exprs(stmt, count_load, j);
    return true;
  }
}

static bool check_loads(struct jam *j, struct ir_stmt *stmt)
{
  struct checking c = {.j = j};

  ir_visit_stmt_exprs(stmt, check_load, &c);
  return !c.fails || fail(j, &c.place, c.why);
}

/* Checks the body, or that of its condition: up to the first store iterations are mixed, behind it
 * they follow one another. */
static bool check_level(struct jam *j, struct ir_stmt *body)
{
  struct ir_stmt *guard = jam_guard(j, body), *single[] = {body};
  bool block = body->kind == IR_STMT_BLOCK;
  struct ir_stmt **children = block ? body->children : single;
  unsigned count = block ? body->child_count : 1;

  for (unsigned i = 0; i < count; i++) {
    if (children[i] == guard) {
      struct checking c = {.j = j};
      ir_visit_expr(guard->expr, check_load, &c);
      return c.fails ? fail(j, &c.place, c.why) : check_level(j, guard->body);
    }
    if (jam_stores(j, children[i])) break;
    if (!check_loads(j, children[i]) || !check_before(j, children[i], false)) return false;
  }
  return true;
}

/* Marks the variables that the part behind the first store declares or assigns: iterations follow
 * one another there, each with its own variables. */
static void mark_behind(struct marking *m, struct ir_stmt *body)
{
  struct ir_stmt *guard = jam_guard(m->j, body), *single[] = {body};
  bool block = body->kind == IR_STMT_BLOCK, behind = false;
  struct ir_stmt **children = block ? body->children : single;

  for (unsigned i = 0; i < (block ? body->child_count : 1); i++) {
    behind |= children[i] != guard && jam_stores(m->j, children[i]);
    m->varies = behind;
    if (behind) mark_stmt(m, children[i]);
  }
  m->varies = false;
  if (guard) mark_behind(m, guard->body);
}

static void mark_variables(struct jam *j)
{
  struct marking m = {.j = j};

  mark_behind(&m, j->loop->body);
  do {
    m.changed = false;
    mark_stmt(&m, j->loop->body);
  } while (m.changed);
}

/* ---- the loop ---- */

static bool check_head(struct jam *j)
{
  const struct ir_loop *loop = j->loop->loop;
  const struct ir_type *type = loop ? loop->iterator->type : NULL;
  int64_t from = -1;
  bool counts = j->loop->kind == IR_STMT_FOR && loop && loop->declared && loop->step == 1 &&
                !loop->step_expr && loop->relation == IR_OP_LT && loop->lower &&
                ir_constant(ir_strip(loop->lower), &from) && from >= 0 &&
                type->kind == IR_TYPE_INT && type->size >= 4;
  struct ir_expr *bound = counts ? ir_strip(loop->bound) : NULL;
  bool fixed = bound && (bound->kind == IR_EXPR_INT ||
                         (bound->kind == IR_EXPR_VAR &&
                          (bound->var->kind == IR_VAR_LOCAL || bound->var->kind == IR_VAR_PARAM) &&
                          !bound->var->address_taken && !bound->var->type->is_volatile));

  return fixed || fail(j, &j->loop->place, "it does not count up to a number that stays");
}

bool jam_fits(struct jam *j)
{
  struct arena *arena = j->unit->arena;

  j->var_count = j->code->var_count;
  j->own = arena_alloc(arena, (j->var_count + 1) * sizeof *j->own);
  j->varies = arena_alloc(arena, (j->var_count + 1) * sizeof *j->varies);
  j->asked = arena_alloc(arena, (j->access->arrays.count + 1) * sizeof *j->asked);
  if (!check_head(j) || !check_body(j)) return false;
  mark_variables(j);
  if (!jam_stores(j, j->loop->body)) return fail(j, &j->loop->place, "it stores nothing");
  if (!check_level(j, j->loop->body)) return false;
  return j->common || fail(j, &j->loop->place, "its iterations load nothing in common");
}
