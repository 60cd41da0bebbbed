/* SPDX-License-Identifier: MIT */
/* coarsen_group.c - groups statements that share loops over instances, and evaluates loads once for
 * the instances that share them.
 *
 *     s += a[row][k] * b[k][col]                    float _r_a[8]; for _y: _r_a[_y] = a[..][k];
 *                                            =>     float _r_b[8]; for _x: _r_b[_x] = b[k][..];
 *                                                   for _y for _x: s[_y][_x] += _r_a[_y] *
 *                                                       _r_b[_x];
 *
 * A part of an expression that reads memory and depends on fewer axes than its statement is
 * evaluated once for the instances that share it. A local that only this group uses is declared
 * inside the loops; any other becomes an array.
 */
#include "runtime/seeded.h"
#include "analysis/mapping/coarsen/coarsen.h"

struct shared_value {
  struct ir_expr *expr;
  struct ir_var *var;
  unsigned axes;
};

struct sharing { /* the values that a group's instances share */
  struct coarsening *e;
  struct coarsen_group *group;
  struct ir_list *out;
  LIST_OF(struct shared_value) values;
};

/* ---- the parts that may be shared ---- */

struct load_search {
  const struct coarsening *e;
  bool loads, changes;
  const char *name;
};

static void note_load(struct ir_expr *expr, void *context)
{
  struct load_search *s = context;
  const struct code_access *found = code_access_of(s->e->code, expr);
  const struct ir_expr *root = expr;

  if (expr->kind == IR_EXPR_INDEX) {
    while (root->kind == IR_EXPR_INDEX) root = ir_strip(root->operands[0]);
    if (root->kind == IR_EXPR_VAR && root->var->kind == IR_VAR_SHARED &&
        expr->type->kind != IR_TYPE_ARRAY) {
      s->loads = true;
      s->name = s->name ? s->name : root->var->name + 3; /* _s_ */
      return;
    }
  }
  if (!found) return;
  s->loads = true;
  s->name = s->name ? s->name : found->array->var->name;
  s->changes |= !code_read_only(s->e->code, found->array);
}

struct assigned_search {
  struct ir_expr *in;
  bool found;
};

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct assigned_search *s = context;
  const struct ir_var *var = ir_assigned_var(expr);
  s->found |= var && ir_expr_has_var(s->in, var);
}

static bool changes_in_group(const struct coarsen_group *group, struct ir_expr *expr)
{
  struct assigned_search s = {expr, false};

  for (unsigned i = 0; i < group->stmts.items.count; i++) {
    struct ir_stmt *stmt = group->stmts.items.items[i];
    ir_visit_stmt_exprs(stmt, note_assigned, &s);
    if (stmt->kind == IR_STMT_DECL) s.found |= ir_expr_has_var(expr, stmt->var);
  }
  return s.found;
}

static bool has_value_type(const struct ir_expr *expr)
{
  const struct ir_type *type = expr->type;
  bool number =
      type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;
  return number || (type->kind == IR_TYPE_RECORD && type->is_trivial);
}

/* May the part be shared? If it reads memory that is not staged, it must be evaluated under the
 * predicates, and so over their axes. */
static bool may_share(struct sharing *s, struct ir_expr *expr, const char **ret_name)
{
  struct load_search search = {.e = s->e};
  unsigned axes = coarsen_axes(s->e, expr);

  if (axes == s->group->axes || !has_value_type(expr) || ir_has_effects(expr)) return false;
  ir_visit_expr(expr, note_load, &search);
  if (!search.loads || search.changes || changes_in_group(s->group, expr)) return false;
  *ret_name = search.name;
  return coarsen_safe_expr(s->e, expr) || !s->e->predicate_count ||
         !(coarsen_predicate_axes(s->e) & ~axes);
}

/* ---- sharing ---- */

static struct ir_var *share(struct sharing *s, struct ir_expr *expr, const char *name)
{
  struct coarsening *e = s->e;

  for (unsigned i = 0; i < s->values.count; i++)
    if (ir_same_expr(s->values.items[i].expr, expr)) return s->values.items[i].var;
  unsigned axes = coarsen_axes(e, expr);
  struct ir_var *model = code_local(e->code, arena_format(e->arena, "_r_%s", name), expr->type);
  struct ir_var *var = coarsen_array(e, model->name, expr->type, axes);
  struct ir_stmt *value = ir_build_expr_stmt(
      e->arena, ir_build_assign(e->arena, coarsen_element(e, var, axes), coarsen_expr(e, expr)));
  struct ir_stmt use = {.kind = IR_STMT_EXPR, .expr = expr};
  struct ir_list body = {0}, uses = {0};
  if (!coarsen_safe_expr(e, expr) && e->predicate_count)
    value = ir_build_if(e->arena, coarsen_predicate(e), value);
  ir_list_add(e->arena, s->out, ir_build_decl(e->arena, var, NULL));
  ir_list_add(e->arena, &body, value);
  ir_list_add(e->arena, &uses, &use);
  coarsen_loops(e, axes, &body, &uses, s->out);
  *ARENA_PUSH(e->arena, &s->values) = (struct shared_value){expr, var, axes};
  return var;
}

static struct ir_expr *share_parts(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct sharing *s = r->context;
  const char *name;
  bool conditional =
      expr->kind == IR_EXPR_COND ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));

  if (expr->kind == IR_EXPR_ASSIGN) {
    struct ir_expr *value = ir_rewrite_expr(r, expr->operands[1]);
    if (value == expr->operands[1]) return expr;
    struct ir_expr *copy = ir_build_assign(r->arena, expr->operands[0], value);
    copy->op = expr->op;
    return copy;
  }
  if (ir_is_step(expr)) return expr;
  if (may_share(s, expr, &name)) {
    struct ir_expr *shared = ir_build_var(r->arena, share(s, expr, name));
    shared->type = expr->type;
    return shared;
  }
  return conditional && !coarsen_safe_expr(s->e, expr) ? expr : NULL;
}

/* Replaces shared values by elements; the statements have them as plain variables. */
static struct ir_expr *name_shared(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct sharing *s = r->context;

  for (unsigned i = 0; expr->kind == IR_EXPR_VAR && i < s->values.count; i++)
    if (s->values.items[i].var == expr->var)
      return coarsen_element(s->e, expr->var, s->values.items[i].axes);
  return NULL;
}

/* ---- declarations ---- */

static bool only_in(struct coarsening *e, const struct coarsen_group *group,
                    const struct ir_var *var)
{
  unsigned inside = 0;

  for (unsigned i = 0; i < group->stmts.items.count; i++)
    inside += ir_count_var(group->stmts.items.items[i], var);
  return inside == ir_count_var(e->scope, var);
}

static bool can_be_array(const struct ir_stmt *decl)
{
  const struct ir_type *type = decl->var->type;
  bool list = decl->expr && ir_strip(decl->expr)->kind == IR_EXPR_INIT_LIST;
  bool bare = type->kind != IR_TYPE_RECORD || type->is_bare || SEEDED(OBJECT_ARRAYS);
  return type->kind != IR_TYPE_REFERENCE && !list && bare &&
         !(type->kind == IR_TYPE_ARRAY && decl->expr);
}

/* The declaration as a statement of the group. NULL: nothing is left of it. */
static struct ir_stmt *declare(struct coarsening *e, const struct coarsen_group *group,
                               struct ir_stmt *decl, struct ir_list *out)
{
  struct ir_var *var = decl->var;

  if (only_in(e, group, var) && !group->guarded) return decl;
  if (!can_be_array(decl)) {
    coarsen_fail(e, "a local variable cannot be kept once for each of a thread's elements",
                 &decl->place);
    return NULL;
  }
  unsigned axes = instances_of_var(&e->in, var) & e->active;
  struct ir_var *array = coarsen_array(e, var->name, var->type, axes);
  ir_list_add(e->arena, out, ir_build_decl(e->arena, array, NULL));
  if (var->id < e->var_count) e->array[var->id] = array;
  if (!decl->expr) return NULL;
  struct ir_stmt *init = ir_build_expr_stmt(
      e->arena, ir_build_assign(e->arena, ir_build_var(e->arena, var), decl->expr));
  init->place = decl->place;
  return init;
}

/* ---- variables that instances share ---- */

struct narrow_search {
  const struct coarsening *e;
  struct ir_stmt *stmt;
  unsigned axes;
  bool found;
};

struct own_search {
  const struct ir_var *var;
  bool found;
};

static bool note_own(struct ir_stmt *stmt, void *context)
{
  struct own_search *s = context;
  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  return true;
}

static void note_narrow(struct ir_expr *expr, void *context)
{
  struct narrow_search *s = context;

  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) return;
  const struct ir_var *target = ir_holder(expr->operands[0]);
  if (!target || target->kind == IR_VAR_SHARED || !coarsen_owns(s->e, target)) return;
  struct own_search own = {target, false};
  ir_visit_stmts(s->stmt, note_own, &own);
  s->found |= !own.found && (instances_of_var(&s->e->in, target) & s->e->active) != s->axes;
}

/* Does the statement, run by the instances along `axes`, write a variable that several of them
 * share? */
static bool writes_shared(const struct coarsening *e, struct ir_stmt *stmt, unsigned axes)
{
  struct narrow_search s = {.e = e, .stmt = stmt, .axes = axes};

  if (stmt->kind == IR_STMT_DECL)
    return stmt->expr && (instances_of_var(&e->in, stmt->var) & e->active) != axes;
  ir_visit_stmt_exprs(stmt, note_narrow, &s);
  return s.found;
}

/* Has a second run of the statement no further effect? */
static bool is_idempotent(struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_DECL) return !ir_has_effects(stmt->expr);
  if (stmt->kind != IR_STMT_EXPR) return false;
  struct ir_expr *expr = ir_strip(stmt->expr);
  if (expr->kind != IR_EXPR_ASSIGN || expr->op != IR_OP_ASSIGN) return false;
  const struct ir_var *var = ir_assigned_var(expr);
  return var && !ir_has_effects(expr->operands[1]) && !ir_expr_has_var(expr->operands[1], var);
}

/* ---- groups ---- */

void coarsen_group_add(struct coarsening *e, struct coarsen_group *group, struct ir_stmt *stmt,
                       struct ir_list *out)
{
  bool guarded = e->predicate_count && !coarsen_safe_stmt(e, stmt) &&
                 (stmt->kind != IR_STMT_DECL || stmt->expr);
  unsigned axes = coarsen_stmt_axes(e, stmt) | (guarded ? coarsen_predicate_axes(e) : 0);
  bool shared = writes_shared(e, stmt, axes);

  if (shared && !is_idempotent(stmt))
    coarsen_fail(e,
                 "a value that several elements of a thread share is changed where only some of "
                 "them are active",
                 &stmt->place);
  if (group->stmts.items.count && (group->axes != axes || group->guarded != guarded || shared))
    coarsen_group_flush(e, group, out);
  group->axes = axes;
  group->guarded = guarded;
  ir_list_add(e->arena, &group->stmts, stmt);
  if (shared) coarsen_group_flush(e, group, out);
}

void coarsen_group_flush(struct coarsening *e, struct coarsen_group *group, struct ir_list *out)
{
  struct sharing s = {.e = e, .group = group, .out = out};
  struct ir_rewriter parts = {e->arena, share_parts, &s}, names = {e->arena, name_shared, &s};
  struct ir_list body = {0};

  for (unsigned i = 0; i < group->stmts.items.count; i++) {
    struct ir_stmt *stmt = group->stmts.items.items[i];
    if (stmt->kind == IR_STMT_DECL) stmt = declare(e, group, stmt, out);
    if (stmt && (stmt->kind == IR_STMT_EXPR || stmt->kind == IR_STMT_DECL))
      stmt = ir_rewrite_stmt(&parts, stmt);
    ir_list_add(e->arena, &body, stmt ? ir_rewrite_stmt(&names, coarsen_stmt(e, stmt)) : NULL);
  }
  if (group->guarded && body.items.count) {
    struct ir_stmt *guard =
        ir_build_if(e->arena, coarsen_predicate(e), ir_build_body(e->arena, &body));
    body = (struct ir_list){0};
    ir_list_add(e->arena, &body, guard);
  }
  if (body.items.count) coarsen_loops(e, group->axes, &body, &group->stmts, out);
  *group = (struct coarsen_group){0};
}
