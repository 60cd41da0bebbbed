/* SPDX-License-Identifier: MIT */
/* unused.c - the locals that a staged kernel no longer needs.
 *
 *     int row = ...; c[row][col] = 0;     =>     _s_c[threadIdx.y][threadIdx.x] = 0;
 *                                                without row and col
 *
 * A plan may print a variable's declaration several times, each for code of its own; each stays
 * where code in its scope reads the variable. A declaration goes with the assignments to it.
 *
 * Requires the variant's accesses. Produces a copy of the body. A local stays where printed text
 * names it, or where its initialiser does more than compute a value.
 */
#include <string.h>

#include "codegen/kernel/stage.h"
#include "translator/ir/ir_rewrite.h"

struct usage {
  struct staged *staged;
  unsigned at;    /* declarations before the present statement, in the order of the text */
  bool *used;     /* by number of the declaration */
  unsigned *last; /* by variable id: the declaration in scope, + 1 */
  bool *outside;  /* by variable id: read where no declaration of it is in scope */
  bool changed;   /* something has become used */
  bool settled;   /* nothing becomes used any more: what is built is printed */
};

/* `ret_kept`: the access is also printed as written, beside its replacement. */
static const struct stage_access *replaced(const struct staged *s, const struct ir_expr *expr,
                                           unsigned *ret_dims, bool *ret_kept)
{
  for (unsigned i = 0; i < s->variant->stage_count; i++)
    for (unsigned k = 0; k < s->variant->stages[i].access_count; k++)
      if (s->variant->stages[i].accesses[k].expr == expr) {
        *ret_dims = s->variant->stages[i].dim_count;
        *ret_kept = s->partly && s->variant->stages[i].segmentation;
        return &s->variant->stages[i].accesses[k];
      }
  return NULL;
}

static bool is_own(const struct staged *s, const struct ir_var *var)
{
  return (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && var->id < s->code->var_count &&
         s->code->vars[var->id] == var;
}

static void use(struct usage *u, const struct ir_var *var)
{
  if (!is_own(u->staged, var)) return;
  unsigned at = u->last[var->id];
  bool *used = at ? &u->used[at - 1] : &u->outside[var->id];
  if (!*used) *used = u->changed = true;
}

static void note(struct usage *u, const struct ir_expr *expr)
{
  if (!expr) return;
  unsigned dims = 0;
  bool kept = false;
  const struct stage_access *access = replaced(u->staged, expr, &dims, &kept);
  for (unsigned i = 0; access && i < dims; i++) note(u, access->index[i]);
  if (access && !kept) return;
  if (expr->kind == IR_EXPR_VAR) use(u, expr->var);
  for (unsigned i = 0; i < expr->operand_count; i++) note(u, expr->operands[i]);
}

static void note_effect(struct ir_expr *expr, void *context)
{
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  if (steps || expr->kind == IR_EXPR_ASSIGN ||
      (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE))
    *(bool *)context = true;
}

static bool has_effect(struct ir_expr *expr)
{
  bool effect = false;
  ir_visit_expr(expr, note_effect, &effect);
  return effect;
}

static bool is_droppable(const struct ir_stmt *stmt)
{
  const struct ir_type *type = stmt->var->type;
  bool scalar = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
                type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_POINTER;
  return stmt->var->kind == IR_VAR_LOCAL && scalar && !type->is_volatile && !has_effect(stmt->expr);
}

static void declare(struct usage *u, struct ir_stmt *stmt, bool stays, struct ir_list *ret_left)
{
  unsigned number = u->at++;
  if (stays || !is_own(u->staged, stmt->var) || !is_droppable(stmt)) u->used[number] = true;
  if (u->used[number]) {
    note(u, stmt->expr);
    ir_list_add(u->staged->cg->arena, ret_left, stmt);
  }
  if (is_own(u->staged, stmt->var)) u->last[stmt->var->id] = number + 1;
}

/* x = ..., x += ..., x++ of a local that nothing reads, without another effect. */
static bool is_dead(const struct usage *u, const struct ir_stmt *stmt)
{
  struct ir_expr *expr = ir_strip(stmt->expr);
  const struct ir_var *var = ir_assigned_var(expr);
  if (!var || !is_own(u->staged, var) || !u->last[var->id] || u->used[u->last[var->id] - 1])
    return false;
  return expr->kind != IR_EXPR_ASSIGN || !has_effect(expr->operands[1]);
}

static struct ir_stmt *needed(struct usage *u, struct ir_stmt *stmt);

static struct ir_stmt *with_children(struct usage *u, struct ir_stmt *stmt,
                                     const struct ir_list *left)
{
  size_t size = stmt->child_count * sizeof(struct ir_stmt *);
  if (left->items.count == stmt->child_count &&
      (!size || !memcmp(left->items.items, stmt->children, size)))
    return stmt;
  struct ir_stmt *copy = ARENA_NEW(u->staged->cg->arena, struct ir_stmt);
  *copy = *stmt;
  copy->children = left->items.items;
  copy->child_count = left->items.count;
  return copy;
}

static struct ir_stmt *needed_decls(struct usage *u, struct ir_stmt *stmt, bool stays)
{
  struct ir_list left = {0};
  for (unsigned i = 0; i < stmt->child_count; i++) declare(u, stmt->children[i], stays, &left);
  return left.items.count ? with_children(u, stmt, &left) : NULL;
}

/* A label needs a statement behind it. */
static struct ir_stmt *needed_block(struct usage *u, struct ir_stmt *block)
{
  struct ir_list left = {0};
  bool labelled = false;
  for (unsigned i = 0; i < block->child_count; i++) {
    struct ir_stmt *child = block->children[i];
    if (child->kind == IR_STMT_DECL) {
      declare(u, child, labelled, &left);
    } else if (child->kind == IR_STMT_DECLS) {
      child = needed_decls(u, child, labelled);
      if (child) ir_list_add(u->staged->cg->arena, &left, child);
    } else if (labelled || child->kind != IR_STMT_EXPR || !is_dead(u, child)) {
      ir_list_add(u->staged->cg->arena, &left, needed(u, child));
    }
    labelled = child && child->kind == IR_STMT_CASE;
  }
  return with_children(u, block, &left);
}

/* The statement of an if or a loop, with what is in it and needed. */
static struct ir_stmt *needed_parts(struct usage *u, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *init = stmt->init;
  if (init && init->kind == IR_STMT_DECL)
    declare(u, init, true, &(struct ir_list){0});
  else if (init && init->kind == IR_STMT_DECLS)
    needed_decls(u, init, true);
  else if (init)
    note(u, init->expr);
  note(u, stmt->expr);
  note(u, stmt->increment);
  for (unsigned i = 0; i < stmt->expr_count; i++) note(u, stmt->exprs[i]);
  struct ir_stmt *body = needed(u, stmt->body), *otherwise = needed(u, stmt->else_body);
  if (body == stmt->body && otherwise == stmt->else_body) return stmt;
  struct ir_stmt *copy = ARENA_NEW(u->staged->cg->arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = body;
  copy->else_body = otherwise;
  struct printer *p = &u->staged->printer;
  if (u->settled && p->unrolled == stmt) p->unrolled = copy;
  if (u->settled && p->entered == stmt) p->entered = copy;
  return copy;
}

/* The statement without what nothing reads in it. What it declares is in scope in it only. */
static struct ir_stmt *needed(struct usage *u, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_EXPR) return needed_parts(u, stmt);
  size_t size = u->staged->code->var_count * sizeof *u->last;
  unsigned *before = memcpy(arena_alloc(u->staged->cg->arena, size + 1), u->last, size);
  stmt = stmt->kind == IR_STMT_BLOCK ? needed_block(u, stmt) : needed_parts(u, stmt);
  memcpy(u->last, before, size);
  return stmt;
}

static bool count_declaration(struct ir_stmt *stmt, void *context)
{
  *(unsigned *)context += stmt->kind == IR_STMT_DECL;
  return true;
}

struct ir_stmt *needed_body(struct staged *s)
{
  struct arena *arena = s->cg->arena;
  unsigned vars = s->code->var_count, count = 0;
  ir_visit_stmts(s->code->body, count_declaration, &count);
  struct usage u = {.staged = s,
                    .used = arena_alloc(arena, count + 1),
                    .last = arena_alloc(arena, (vars + 1) * sizeof(unsigned)),
                    .outside = arena_alloc(arena, vars + 1)};
  do {
    u.changed = false;
    u.at = 0;
    needed(&u, s->code->body);
  } while (u.changed);
  u.settled = true;
  u.at = 0;
  return needed(&u, s->code->body);
}
