/* SPDX-License-Identifier: MIT */
/* loop_steps.c - the variables that a loop steps besides its iterator become expressions of it.
 *
 *     const float *p = a + i * n;            const float *_from_p = a + i * n;
 *     for (k = 1; k < n; k++) {              for (k = 1; k < n; k++) {
 *       s += *p * b[at];               =>      s += _from_p[k - 1] * b[_from_at + (k - 1) * n];
 *       p++;                                 }
 *       at += n;
 *     }
 *
 * This holds for a local that is declared in front of the loop, in the same list, and has no use
 * there but in the loop. The loop steps it once in each iteration, by an amount that the loop does
 * not change. Behind the step the local is one step further. Numbers are computed in the local's
 * own type, and the results are the same: an unsigned number wraps around in both, and a signed one
 * stays in its type where the loop's own does. Pointers are computed with 64 bits.
 */
#include "analysis/transform/loop_forms/loop_forms.h"

#include <stdlib.h>

#include "runtime/seeded.h"

enum { MOST_FACTOR = 4096 }; /* of an amount over the loop's step */

struct stepped {
  struct loop_forming *f;
  struct ir_stmt *decl, *loop;
  struct ir_var *var, *from; /* FROM: its value in front of the loop */
  struct ir_expr *by;        /* the amount of each iteration; NULL: 1 */
  /* The amount over the loop's step is factor * rest. NULL: factor. */
  int64_t factor;
  struct ir_expr *rest;
  bool down; /* the step subtracts the amount */
  int place; /* of the step among the body's statements */
  const struct ir_expr *step;
  bool behind; /* state of the rewriting: the step lies behind */
};

/* ---- the step ---- */

static bool is_steppable(const struct ir_var *var)
{
  const struct ir_type *type = var->type;
  bool number = type->kind == IR_TYPE_INT && type->size >= 4;
  bool pointer = type->kind == IR_TYPE_POINTER && type->element && type->element->size > 0;

  return var->kind == IR_VAR_LOCAL && !var->address_taken && !var->is_static &&
         !type->is_volatile && (number || pointer) && var->name;
}

/* ++v, v++, --v, v--, v += by, v -= by, v = v + by */
static bool find_by(struct stepped *s, const struct ir_expr *expr)
{
  if (!expr || ir_assigned_var(expr) != s->var) return false;
  s->step = expr;
  if (ir_is_step(expr)) {
    s->down = expr->op == IR_OP_PRE_DEC || expr->op == IR_OP_POST_DEC;
    return true;
  }
  const struct ir_expr *sum = ir_strip(expr->operands[1]);
  s->by = expr->operands[1];
  s->down = expr->op == IR_OP_SUB_ASSIGN;
  if (expr->op == IR_OP_ADD_ASSIGN || expr->op == IR_OP_SUB_ASSIGN) return true;
  if (expr->op != IR_OP_ASSIGN || sum->kind != IR_EXPR_BINARY ||
      (sum->op != IR_OP_ADD && sum->op != IR_OP_SUB))
    return false;
  const struct ir_expr *left = ir_strip(sum->operands[0]);
  s->by = sum->operands[1];
  s->down = sum->op == IR_OP_SUB;
  return left->kind == IR_EXPR_VAR && left->var == s->var;
}

struct count_search {
  const struct ir_var *var;
  unsigned writes, uses;
  const struct ir_expr *in_place; /* *v++ */
};

static void note_use(struct ir_expr *expr, void *context)
{
  struct count_search *s = context;

  s->uses += expr->kind == IR_EXPR_VAR && expr->var == s->var;
  s->writes += ir_assigned_var(expr) == s->var;
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) {
    const struct ir_expr *step = ir_strip(expr->operands[0]);
    if (ir_is_step(step) && step->op == IR_OP_POST_INC && ir_assigned_var(step) == s->var)
      s->in_place = step;
  }
}

/* Does the expression evaluate `inside`, a part of it, whatever the values of its operands are? */
static bool evaluates(struct ir_expr *expr, const struct ir_expr *inside)
{
  if (expr == inside) return true;
  bool chooses =
      expr->kind == IR_EXPR_COND || expr->kind == IR_EXPR_SIZEOF || expr->kind == IR_EXPR_OPAQUE ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  for (unsigned i = 0; i < (chooses ? 1 : expr->operand_count) && i < expr->operand_count; i++)
    if (evaluates(expr->operands[i], inside)) return true;
  return false;
}

/* Finds the statement of the body that steps the variable, once in each iteration. */
static bool find_step(struct stepped *s)
{
  const struct ir_stmt *body = s->loop->body;
  struct count_search all = {.var = s->var};

  ir_visit_stmt_exprs(s->loop, note_use, &all);
  if (body->kind != IR_STMT_BLOCK || all.writes != 1) return false;
  for (unsigned i = 0; i < body->child_count; i++) {
    struct ir_stmt *stmt = body->children[i];
    struct count_search here = {.var = s->var};
    if (stmt->kind != IR_STMT_EXPR && stmt->kind != IR_STMT_DECL && stmt->kind != IR_STMT_DECLS)
      continue;
    ir_visit_stmt_exprs(stmt, note_use, &here);
    if (!here.writes) continue;
    s->place = (int)i;
    if (stmt->kind == IR_STMT_EXPR && find_by(s, ir_strip(stmt->expr))) return true;
    s->by = NULL;
    s->down = false;
    s->step = here.in_place;
    bool always = here.in_place && stmt->expr && evaluates(stmt->expr, here.in_place);
    return always && all.uses == 1 && s->var->type->kind == IR_TYPE_POINTER;
  }
  return false;
}

bool loop_forms_steps_once(struct ir_stmt *body, struct ir_var *var)
{
  struct ir_stmt loop = {.kind = IR_STMT_DO, .body = body};
  struct stepped s = {.loop = &loop, .var = var};
  int64_t by = 1;

  return find_step(&s) && !s.down && (!s.by || (ir_constant(s.by, &by) && by == 1));
}

/* ---- legal ---- */

static unsigned uses_in(struct ir_stmt *const *stmts, unsigned count, const struct ir_var *var)
{
  unsigned uses = 0;

  for (unsigned i = 0; i < count; i++) uses += ir_count_var(stmts[i], var);
  return uses;
}

static bool is_counted(const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->kind == IR_STMT_FOR ? stmt->loop : NULL;

  return loop && loop->lower && !loop->step_expr && loop->step &&
         loop->iterator->type->kind == IR_TYPE_INT && loop->iterator->type->size >= 4;
}

/* The amount for a step of 1 of the loop's number: 16 * n for a step of 16 is n. False: it is no
 * multiple of the step. */
static bool find_factor(struct stepped *s)
{
  int64_t step = llabs(s->loop->loop->step), number = 1;
  struct ir_expr *by = s->by ? ir_strip(s->by) : NULL;

  s->rest = NULL;
  if (by && !ir_constant(by, &number)) {
    /* an unsigned product may wrap around */
    bool product = by->kind == IR_EXPR_BINARY && by->op == IR_OP_MUL && step != 1 &&
                   (by->type->is_signed || by->type->size == 8);
    bool first = product && ir_constant(by->operands[0], &number);
    if (product && !first && !ir_constant(by->operands[1], &number)) product = false;
    if (!product) number = 1;
    s->rest = !product ? by : by->operands[first ? 1 : 0];
  }
  s->factor = number / step;
  bool small =
      s->var->type->kind == IR_TYPE_POINTER ? llabs(s->factor) <= MOST_FACTOR : s->factor == 1;
  return (number % step == 0 || SEEDED(STEP_NO_MULTIPLE)) && (step == 1 || small);
}

/* No `continue` in front of the step skips it. The amount and the loop's first number are the same
 * in every iteration. */
static bool is_regular(struct stepped *s)
{
  const struct ir_type *type = s->by ? ir_strip(s->by)->type : NULL;

  if (loop_forms_continues(s->loop->body) && !SEEDED(STEP_CONTINUES)) return false;
  if (s->by && (type->kind != IR_TYPE_INT || ir_expr_has_var(s->by, s->var) ||
                !loop_forms_stays(s->by, s->loop)))
    return false;
  /* each step would cut a wider amount */
  if (s->by && s->var->type->kind == IR_TYPE_INT && type->size > s->var->type->size) return false;
  return find_factor(s) && loop_forms_stays(s->loop->loop->lower, s->loop) &&
         !ir_expr_has_var(s->loop->expr, s->var) &&
         !(s->loop->increment && ir_expr_has_var(s->loop->increment, s->var));
}

/* ---- the new code ---- */

static struct ir_expr *typed(struct stepped *s, struct ir_expr *expr, const struct ir_type *type)
{
  return ir_same_type(expr->type, type) ? expr : ir_build_cast(s->f->code->arena, type, expr);
}

/* A loop to k != n with an unsigned k may wrap around on its way. Its iterations are counted in k's
 * type. */
static bool wraps(const struct ir_loop *loop, const struct ir_type *type)
{
  return loop->relation == IR_OP_NE && !loop->iterator->type->is_signed &&
         type->size > loop->iterator->type->size && !SEEDED(STEP_WRAPS);
}

/* The loop's first number, as its iterator holds it. */
static struct ir_expr *first_number(struct stepped *s)
{
  struct ir_expr *first = ir_strip(s->loop->loop->lower);

  if (SEEDED(STEP_FIRST_WIDE)) return first;
  return typed(s, first, ir_plain_type(s->f->code->arena, s->loop->loop->iterator->type));
}

/* The steps of the loop's number in front of this iteration, in `type`. */
static struct ir_expr *iterations(struct stepped *s, const struct ir_type *type)
{
  struct arena *arena = s->f->code->arena;
  const struct ir_loop *loop = s->loop->loop;
  const struct ir_type *own = wraps(loop, type) ? ir_plain_type(arena, loop->iterator->type) : type;
  struct ir_expr *k = typed(s, ir_build_var(arena, loop->iterator), own),
                 *first = typed(s, first_number(s), own), *count;
  int64_t number;

  if (ir_constant(loop->lower, &number) && number == 0 && loop->step > 0)
    count = k;
  else
    count = loop->step > 0 ? ir_build_binary(arena, IR_OP_SUB, k, first)
                           : ir_build_binary(arena, IR_OP_SUB, first, k);
  if (count != k) count->type = own;
  count = typed(s, count, type);
  if (!s->behind || SEEDED(STEP_BEHIND)) return count;
  count = ir_build_binary(arena, IR_OP_ADD, count, ir_build_int(arena, llabs(loop->step)));
  count->type = type;
  return count;
}

/* Has the loop fewer than 2^31 iterations, since an int counts them from 0 or down to it? */
static bool counts_in_int(const struct ir_loop *loop)
{
  const struct ir_type *type = loop->iterator->type;
  const struct ir_expr *least = loop->step > 0 ? loop->lower : loop->bound;
  int64_t number;

  return type->is_signed && type->size == 4 && ir_constant(least, &number) && number >= 0 &&
         (loop->step > 0 || loop->relation != IR_OP_NE);
}

/* The type in which iterations are counted: that of a number, and of a pointer one that holds their
 * number and the distance. */
static const struct ir_type *wide_type(struct stepped *s)
{
  static const struct ir_type wide = {.kind = IR_TYPE_INT,
                                      .spelling = "long long",
                                      .size = 8,
                                      .align = 8,
                                      .is_signed = true,
                                      .extent = -1};
  if (s->var->type->kind == IR_TYPE_INT) return ir_plain_type(s->f->code->arena, s->var->type);
  bool in_int = counts_in_int(s->loop->loop) || SEEDED(STEP_COUNT_INT);
  return s->by || !in_int ? &wide : ir_int_type();
}

/* The distance of the variable from its first value. */
static struct ir_expr *way(struct stepped *s)
{
  struct arena *arena = s->f->code->arena;
  const struct ir_type *type = wide_type(s);
  struct ir_expr *count = iterations(s, type);

  if (s->factor != 1) {
    count =
        ir_build_binary(arena, IR_OP_MUL, count, typed(s, ir_build_int(arena, s->factor), type));
    count->type = type;
  }
  if (!s->rest) return count;
  count = ir_build_binary(arena, IR_OP_MUL, count, typed(s, ir_strip(s->rest), type));
  count->type = type;
  return count;
}

static struct ir_expr *moved(struct stepped *s)
{
  struct arena *arena = s->f->code->arena;
  struct ir_expr *sum =
      ir_build_binary(arena, s->down ? IR_OP_SUB : IR_OP_ADD, ir_build_var(arena, s->from), way(s));
  sum->type = ir_plain_type(arena, s->var->type);
  return sum;
}

static struct ir_expr *element(struct stepped *s, struct ir_expr *index)
{
  struct arena *arena = s->f->code->arena;
  struct ir_expr *at = way(s);

  if (s->down) {
    const struct ir_type *type = at->type;
    at = ir_build_unary(arena, IR_OP_NEG, at);
    at->type = type;
  }
  if (index) at = ir_build_binary(arena, IR_OP_ADD, at, index);
  return ir_build_index(arena, ir_build_var(arena, s->from), at);
}

static bool is_var(struct ir_expr *expr, const struct ir_var *var)
{
  expr = ir_strip(expr);
  return expr->kind == IR_EXPR_VAR && expr->var == var;
}

static struct ir_expr *replace_stepped(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct stepped *s = r->context;

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF &&
      (ir_strip(expr->operands[0]) == s->step || is_var(expr->operands[0], s->var)))
    return element(s, NULL);
  if (expr->kind == IR_EXPR_INDEX && is_var(expr->operands[0], s->var))
    return element(s, ir_rewrite_expr(r, expr->operands[1]));
  return expr->kind == IR_EXPR_VAR && expr->var == s->var ? moved(s) : NULL;
}

static struct ir_stmt *stepped_body(struct stepped *s)
{
  struct arena *arena = s->f->code->arena;
  const struct ir_stmt *body = s->loop->body;
  struct ir_rewriter rewriter = {arena, replace_stepped, s};
  struct ir_list list = {0};

  for (int i = 0; i < (int)body->child_count; i++) {
    struct ir_stmt *stmt = body->children[i];
    bool step = stmt->kind == IR_STMT_EXPR && ir_strip(stmt->expr) == s->step;
    s->behind = i > s->place;
    if (i != s->place || !step) ir_list_add(arena, &list, ir_rewrite_stmt(&rewriter, stmt));
  }
  return ir_build_block(arena, &list);
}

/* The declaration with `from` in the place of the variable. */
static struct ir_stmt *declare_from(struct stepped *s, const struct ir_stmt *stmt)
{
  struct arena *arena = s->f->code->arena;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);

  *copy = *stmt;
  if (stmt == s->decl) {
    copy->var = s->from;
    copy->written = NULL;
    return copy;
  }
  copy->children = arena_alloc(arena, stmt->child_count * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = stmt->children[i] == s->decl ? declare_from(s, s->decl) : stmt->children[i];
  return copy;
}

/* ---- all ---- */

/* Finds the declaration in front of the loop, alone or one of several. No statement outside the
 * loop may use the variable. Returns its place in the list; -1: there is none. */
static int find_decl(struct stepped *s, const struct ir_list *list, unsigned at)
{
  struct ir_stmt *const *stmts = list->items.items;
  int place = -1;

  for (unsigned i = 0; i < at; i++) {
    bool several = stmts[i]->kind == IR_STMT_DECLS;
    for (unsigned k = 0; k < (several ? stmts[i]->child_count : 1); k++) {
      struct ir_stmt *decl = several ? stmts[i]->children[k] : stmts[i];
      if (decl->kind != IR_STMT_DECL || decl->var != s->var || !decl->expr ||
          decl->expr->kind == IR_EXPR_INIT_LIST || decl->written)
        continue;
      s->decl = decl;
      place = (int)i;
    }
  }
  unsigned outside =
      uses_in(stmts, at, s->var) + uses_in(stmts + at + 1, list->items.count - at - 1, s->var);
  return outside ? -1 : place;
}

static void replace_step(struct stepped *s, struct ir_list *list, unsigned at, unsigned decl)
{
  struct arena *arena = s->f->code->arena;
  struct ir_stmt *loop = ARENA_NEW(arena, struct ir_stmt);

  s->from = code_local(s->f->code, arena_format(arena, "_from_%s", s->var->name),
                       ir_plain_type(arena, s->var->type));
  s->from->write_count = 1;
  s->from->init = s->decl->expr;
  *loop = *s->loop;
  loop->body = stepped_body(s);
  list->items.items[decl] = declare_from(s, list->items.items[decl]);
  list->items.items[at] = loop;
  loop_forms_note(
      s->f, s->loop,
      arena_format(arena, "'%s' as an expression of the loop's iterator", s->var->name));
}

void loop_forms_steps(struct loop_forming *f, struct ir_list *list)
{
  const struct ir_function *kernel = f->code->facts.kernel;
  unsigned count = kernel->var_count;

  for (unsigned at = 0; at < list->items.count; at++) {
    if (!is_counted(list->items.items[at])) continue;
    for (unsigned i = 0; i < count; i++) {
      struct stepped s = {.f = f, .loop = list->items.items[at], .var = kernel->vars[i]};
      if (!is_steppable(s.var) || s.var == s.loop->loop->iterator || !find_step(&s)) continue;
      int decl = find_decl(&s, list, at);
      if (decl >= 0 && is_regular(&s)) replace_step(&s, list, at, (unsigned)decl);
    }
  }
}
