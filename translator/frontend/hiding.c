/* SPDX-License-Identifier: MIT */
/* hiding.c - renames locals of device code that hide a name which the function uses elsewhere.
 *
 *     const float *p = a + i * m;               const float *p = a + i * m;
 *     for (int i = 0; i < m; i++)       =>      for (int i_2 = 0; i_2 < m; i_2++)
 *       s += p[i];                                s += p[i_2];
 *
 * A plan moves expressions to other places: a[i * m + i_2], in the loop. Only the IR has the new
 * name, and the text that is printed from it; the kernel as written keeps its text. Requires: a
 * body in which all names are lowered. Gives up, and leaves the function alone, where a text that
 * is printed as written has the name.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

struct hiding {
  struct lower *l;
  struct ir_stmt *body;
  LIST_OF(struct ir_var *) visible; /* the variables declared so far in the enclosing blocks */
};

/* ---- text that is printed as written ---- */

struct text_search {
  struct lower *l;
  const char *name;
  bool found;
};

static void find_in_expr(struct ir_expr *expr, void *context)
{
  struct text_search *s = context;
  bool is_function = expr->kind == IR_EXPR_CALL && expr->callee;

  if (ir_has_text(expr) && !expr->is_method && !is_function)
    s->found |= ir_text_has_name(expr->text, s->name);
}

static bool find_in_stmt(struct ir_stmt *stmt, void *context)
{
  struct text_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var->kind == IR_VAR_SHARED &&
      strcmp(stmt->var->name, s->name))
    s->found |= ir_text_has_name(lowered_text(s->l, stmt->place), s->name);
  return true;
}

static bool is_in_text(struct hiding *h, const char *name)
{
  struct text_search s = {h->l, name, false};

  ir_visit_stmt_exprs(h->body, find_in_expr, &s);
  ir_visit_stmts(h->body, find_in_stmt, &s);
  return s.found;
}

bool hiding_is_told_by_local(const struct lower *l, const char *text)
{
  const char *arguments = strchr(text, '<');

  if (arguments && lambda_is_in_text(l, arguments)) return true;
  for (unsigned i = 0; arguments && l->strict && i < l->vars.count; i++)
    if (l->vars.items[i]->name && ir_text_has_name(arguments, l->vars.items[i]->name))
      return !SEEDED(ARGUMENT_NAMES_LOCAL);
  return false;
}

/* ---- scopes ---- */

static bool hides(struct hiding *h, const struct ir_var *var)
{
  for (unsigned i = 0; i < h->visible.count; i++)
    if (h->visible.items[i] != var && !strcmp(h->visible.items[i]->name, var->name)) return true;
  struct ir_function own = *h->l->function;
  own.body = h->body;
  return ir_names_other(&own, var->name, var);
}

static void declare(struct hiding *h, struct ir_stmt *decl)
{
  struct lower *l = h->l;
  struct ir_var *var = decl->var;

  if (var->name && hides(h, var) && !SEEDED(HIDDEN_NAME_KEPT)) {
    if (var->kind == IR_VAR_SHARED || is_in_text(h, var->name)) {
      l->failed = arena_format(l->frontend->arena, "'%s' hides another name", var->name);
      l->failed_place = decl->place;
    } else {
      var->name = unit_fresh_name(l->frontend->unit, var->name);
    }
  }
  if (var->name) *ARENA_PUSH(l->frontend->arena, &h->visible) = var;
}

static bool opens_scope(const struct ir_stmt *stmt)
{
  return stmt->kind != IR_STMT_DECL && stmt->kind != IR_STMT_DECLS;
}

static void look_through(struct hiding *h, struct ir_stmt *stmt)
{
  if (!stmt || h->l->failed) return;
  unsigned before = h->visible.count;
  if (stmt->kind == IR_STMT_DECL) declare(h, stmt);
  look_through(h, stmt->init);
  for (unsigned i = 0; i < stmt->child_count; i++) look_through(h, stmt->children[i]);
  look_through(h, stmt->body);
  look_through(h, stmt->else_body);
  if (opens_scope(stmt)) h->visible.count = before;
}

void hiding_end(struct lower *l, struct ir_stmt *body)
{
  struct hiding h = {.l = l, .body = body};

  if (!l->strict || l->failed) return;
  l->function->vars = l->vars.items;
  l->function->var_count = l->vars.count;
  for (unsigned i = 0; i < l->function->param_count; i++)
    if (l->function->params[i]->name)
      *ARENA_PUSH(l->frontend->arena, &h.visible) = l->function->params[i];
  look_through(&h, body);
}
