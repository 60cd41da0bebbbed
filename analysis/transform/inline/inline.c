/* SPDX-License-Identifier: MIT */
/* inline.c - device functions become a part of the kernel that calls them, so that analyses see the
 * arrays that they get or name as the kernel's own.
 *
 *     __device__ float at(const float *p, int i, int n)
 *     {
 *       if (i < 0) return p[0];
 *       if (i >= n) return p[n - 1];
 *       return p[i];
 *     }
 *     for (int k = -4; k <= 4; k++) s += at(a, i + k, n);
 *   =>
 *     for (int k = -4; k <= 4; k++)
 *       s += i + k < 0 ? a[0] : i + k >= n ? a[n - 1] : a[i + k];
 *
 * The explicit-cache paper counts the accesses of "a kernel function and the device functions that
 * it calls" (section 4); a call ends the analysis of every array that it is given (walk_call.c).
 * Requires: a body, and no recursion. A function that comes to one expression takes the call's
 * place (inline_value.c). The body of any other goes in front of the statement (inline_body.c),
 * where the parts of the statement that come before the call have no effect (inline_legal.c). Calls
 * inside inserted bodies come next.
 * Produces: the places in draft->formed. Costs: nothing, since nvcc does the same; the code is
 * printed only where another row takes the kernel.
 * Gives up with a remark: a call under a condition or in the head of a loop whose function is no
 * single expression, names that mean something else in the kernel, shared or static variables, code
 * that grows too long.
 */
#include "analysis/transform/inline/inline.h"

#include "runtime/seeded.h"

enum {
  MOST_ADDED = 600, /* statements and expressions, divided by 8 */
  MOST_ROUNDS = 3,  /* through an expression */
};

struct inliner {
  struct draft *draft;
  struct code *code;
  unsigned added; /* statements, about */
  bool declined;  /* the limit is reached: no more bodies go in */
};

/* ---- remarks and notes ---- */

static void decline(struct inliner *in, const struct ir_expr *call, const char *reason)
{
  struct code *code = in->code;
  const char *what = arena_format(code->arena, "the body of '%s'", call->callee->name);

  if (call->callee->method_of) /* the reason that remarks give */
    ((struct ir_function *)call->callee->method_of)->verbatim = reason;
  code_decide(code, (struct decision){
                        .kind = DECISION_FORM, .place = call->place, .what = what, .why = reason});
  code_remark(code, DIAG_CALL_KEPT, &call->place,
              "'%s' does not get %s in the place of its call: %s", code->kernel->name, what,
              reason);
}

static void note_form(struct inliner *in, const struct ir_expr *call)
{
  in->added += call->callee->stmt_count + call->callee->expr_count / 8 + 1;
  *ARENA_PUSH(in->code->arena, &in->draft->formed) =
      (struct formed){call->place, DIAG_CALL_INLINED, DIAG_CALL_KEPT, NULL,
                      arena_format(in->code->arena, "the body of '%s' in the place of its call",
                                   call->callee->name)};
}

/* ---- in an expression ---- */

static const char *size_obstacle(const struct inliner *in, const struct ir_expr *call)
{
  unsigned more = call->callee->stmt_count + call->callee->expr_count / 8 + 1;
  return in->added + more > MOST_ADDED ? "the kernel would grow too long" : NULL;
}

static struct ir_expr *replace_call(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct inliner *in = r->context;

  if (!inline_is_wanted(in->code, expr) || inline_obstacle(in->code, expr) ||
      size_obstacle(in, expr))
    return NULL;
  struct ir_expr *value = inline_value(in->code, expr);
  if (!value) return NULL;
  note_form(in, expr);
  return ir_rewrite_expr(r, value);
}

/* A call becomes a value, too, whose arguments have become one. */
static struct ir_expr *with_values(struct inliner *in, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {in->code->arena, replace_call, in};

  for (unsigned round = 0; round < MOST_ROUNDS; round++) {
    unsigned before = in->draft->formed.count;
    expr = ir_rewrite_expr(&rewriter, expr);
    if (in->draft->formed.count == before) break;
  }
  return expr;
}

struct swap {
  const struct ir_expr *from;
  struct ir_expr *to;
};

static struct ir_expr *replace_one(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct swap *swap = r->context;
  return expr == swap->from ? swap->to : NULL;
}

/* ---- in front of a statement ---- */

static void inline_stmt(struct inliner *in, struct ir_stmt *stmt, struct ir_list *out);

static void inline_list(struct inliner *in, const struct ir_list *list, struct ir_list *out)
{
  for (unsigned i = 0; i < list->items.count; i++) inline_stmt(in, list->items.items[i], out);
}

/* Takes the first call of the expression whose body can go in front of its statement, and adds that
 * body to `out`. *expr becomes the expression that is left, or NULL where the call was all of it.
 * False: there is no such call. */
static bool take_call(struct inliner *in, struct ir_expr **expr, bool alone, struct ir_list *out)
{
  struct code *code = in->code;
  struct inline_calls calls = {0};

  inline_find_calls(code, *expr, &calls);
  for (unsigned i = 0; i < calls.list.count; i++) {
    struct ir_expr *call = calls.list.items[i], *value = NULL;
    struct ir_list body = {0};
    const char *obstacle = inline_obstacle(code, call);
    if (!obstacle) obstacle = size_obstacle(in, call);
    if (!obstacle) obstacle = inline_order_obstacle(code, *expr, call);
    if (!obstacle && call->callee->result->kind == IR_TYPE_VOID &&
        !(alone && ir_strip(*expr) == call))
      continue;
    if (!obstacle) obstacle = inline_body(code, call, &body, &value);
    if (obstacle) continue;
    note_form(in, call);
    inline_list(in, &body, out);
    struct swap swap = {call, value};
    struct ir_rewriter rewriter = {code->arena, replace_one, &swap};
    bool unused = alone && ir_strip(*expr) == call && (!value || !ir_has_effects(value));
    *expr = unused ? NULL : ir_rewrite_expr(&rewriter, *expr);
    return true;
  }
  return false;
}

/* Says why the calls that are left stay calls. */
static void decline_left(struct inliner *in, struct ir_expr *expr)
{
  struct ir_expr *call = inline_any_call(in->code, expr);
  struct inline_calls calls = {0};
  struct ir_list unused = {0};
  struct ir_expr *value;
  bool always = false;

  if (!call) return;
  inline_find_calls(in->code, expr, &calls);
  for (unsigned i = 0; i < calls.list.count; i++) always |= calls.list.items[i] == call;
  const char *why = inline_obstacle(in->code, call);
  if (!why) why = size_obstacle(in, call);
  if (!why && !always) why = "it is under a condition, or in the head of a loop";
  if (!why) why = inline_order_obstacle(in->code, expr, call);
  if (!why) why = inline_body(in->code, call, &unused, &value);
  decline(in, call, why ? why : "it is in the head of a loop");
}

/* A statement's expression after its bodies have gone to `out`. `alone`: nothing uses the
 * expression's value. NULL: nothing is left of it. */
static struct ir_expr *front_expr(struct inliner *in, struct ir_expr *expr, bool alone,
                                  struct ir_list *out)
{
  if (!expr) return NULL;
  expr = with_values(in, expr);
  while (expr && take_call(in, &expr, alone, out)) expr = expr ? with_values(in, expr) : NULL;
  decline_left(in, expr);
  return expr;
}

/* An expression that is evaluated again and again, or that nothing can stand in front of. */
static struct ir_expr *head_expr(struct inliner *in, struct ir_expr *expr)
{
  if (!expr) return NULL;
  expr = with_values(in, expr);
  decline_left(in, expr);
  return expr;
}

static struct ir_loop *head_loop(struct inliner *in, const struct ir_loop *loop)
{
  unsigned formed = in->draft->formed.count;

  if (!loop) return NULL;
  struct ir_loop *copy = ARENA_NEW(in->code->arena, struct ir_loop);
  *copy = *loop;
  copy->lower = loop->lower ? with_values(in, loop->lower) : NULL;
  copy->bound = with_values(in, loop->bound);
  copy->step_expr = loop->step_expr ? with_values(in, loop->step_expr) : NULL;
  in->draft->formed.count = formed; /* the statement has these calls as well */
  return copy;
}

/* ---- statements ---- */

static struct ir_stmt *inline_child(struct inliner *in, struct ir_stmt *stmt)
{
  struct ir_list list = {0};

  if (!stmt) return NULL;
  inline_stmt(in, stmt, &list);
  if (list.items.count == 1) return list.items.items[0];
  struct ir_stmt *block = ir_build_block(in->code->arena, &list);
  block->place = stmt->place;
  return block;
}

/* With `labels`, the block is a switch's body: no declaration may stand between its labels. */
static struct ir_stmt *inline_block(struct inliner *in, const struct ir_stmt *stmt, bool labels)
{
  struct arena *arena = in->code->arena;
  struct ir_list list = {0};

  for (unsigned i = 0; i < stmt->child_count; i++) {
    if (labels && stmt->children[i]->kind != IR_STMT_DECL &&
        stmt->children[i]->kind != IR_STMT_DECLS)
      ir_list_add(arena, &list, inline_child(in, stmt->children[i]));
    else if (labels)
      ir_list_add(arena, &list, stmt->children[i]);
    else
      inline_stmt(in, stmt->children[i], &list);
  }
  struct ir_stmt *copy = ir_build_block(arena, &list);
  copy->place = stmt->place;
  return copy;
}

static bool calls_in(struct inliner *in, const struct ir_stmt *decls)
{
  for (unsigned i = 0; i < decls->child_count; i++)
    if (inline_any_call(in->code, decls->children[i]->expr)) return true;
  return false;
}

static void inline_decls(struct inliner *in, struct ir_stmt *stmt, struct ir_list *out)
{
  for (unsigned i = 0; calls_in(in, stmt) && i < stmt->child_count; i++)
    inline_stmt(in, stmt->children[i], out);
  if (!calls_in(in, stmt)) ir_list_add(in->code->arena, out, stmt);
}

/* The first value of an iterator that the head of a canonical loop sets. */
static struct ir_expr *first_value(const struct ir_stmt *init)
{
  struct ir_expr *assign = ir_strip(init->expr);
  return init->kind == IR_STMT_DECL ? init->expr : assign->operands[1];
}

static void inline_for(struct inliner *in, struct ir_stmt *stmt, struct ir_stmt *copy,
                       struct ir_list *out)
{
  if (stmt->init && (stmt->init->kind == IR_STMT_DECL || stmt->init->kind == IR_STMT_EXPR)) {
    struct ir_stmt *init = ARENA_NEW(in->code->arena, struct ir_stmt);
    *init = *stmt->init;
    init->expr = front_expr(in, init->expr, init->kind == IR_STMT_EXPR, out);
    copy->init = init->expr || !stmt->init->expr ? init : NULL;
  }
  copy->expr = head_expr(in, stmt->expr);
  copy->increment = head_expr(in, stmt->increment);
  copy->loop = head_loop(in, stmt->loop);
  if (copy->loop && copy->loop->lower && copy->init && copy->init->expr)
    copy->loop->lower = first_value(copy->init);
}

static void inline_stmt(struct inliner *in, struct ir_stmt *stmt, struct ir_list *out)
{
  struct ir_stmt *copy = ARENA_NEW(in->code->arena, struct ir_stmt);

  *copy = *stmt;
  switch (stmt->kind) {
  case IR_STMT_DECLS: inline_decls(in, stmt, out); return;
  case IR_STMT_BLOCK: copy = inline_block(in, stmt, false); break;
  case IR_STMT_FOR: inline_for(in, stmt, copy, out); break;
  case IR_STMT_WHILE:
  case IR_STMT_DO: copy->expr = head_expr(in, stmt->expr); break;
  case IR_STMT_CASE: break;
  default:
    copy->expr = front_expr(in, stmt->expr, stmt->kind == IR_STMT_EXPR, out);
    if (stmt->expr && !copy->expr && stmt->kind == IR_STMT_EXPR) return;
  }
  copy->body = stmt->kind == IR_STMT_SWITCH && stmt->body->kind == IR_STMT_BLOCK
                   ? inline_block(in, stmt->body, true)
                   : inline_child(in, stmt->body);
  copy->else_body = inline_child(in, stmt->else_body);
  if (copy->kind == IR_STMT_DECL && copy->var->init == stmt->expr && copy->expr != stmt->expr &&
      copy->var->function == in->code->facts.kernel)
    copy->var->init = copy->expr;
  ir_list_add(in->code->arena, out, copy);
}

unsigned inline_calls(struct draft *draft)
{
  struct code *code = &draft->code;
  struct inliner in = {.draft = draft, .code = code};
  unsigned before = draft->formed.count;
  struct ir_stmt *body = inline_block(&in, code->facts.kernel->body, false);

  if (draft->formed.count > before) code->facts.kernel->body = body;
  return draft->formed.count - before;
}

bool plan_inline(struct draft *draft)
{
  if (!inline_calls(draft)) return false;
  draft_own_body(draft);
  return true;
}
