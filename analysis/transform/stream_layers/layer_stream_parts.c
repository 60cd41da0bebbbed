/* SPDX-License-Identifier: MIT */
/* layer_stream_parts.c - splits the code of a thread that goes through layers: the conditions
 * around its loop, the code in front of it, its body.
 *
 *     int k = ..., j = ...;                                before: k, j, _r_w
 *     if (k > 0 && k < n - 1 && j > 0 && j < n - 1) {      conditions on x: k > 0, k < n - 1;
 *         on y: j > 0, j < n - 1
 *       float _r_w = w[0];
 *       for (i = 1; i < n - 1; i++) ...                    the loop
 *     }
 *
 * The conditions are tested once for all. The code in front of the loop runs whatever the
 * conditions on x and y are, if they hold for some element of the thread; so it may only load the
 * same elements for all threads. Gives up: conditions on anything but indices and parameters, or on
 * x and y at once; loops in front of this one other than those that fill registers; a loop that
 * does not go up by one, or whose bounds the host does not know.
 */
#include "analysis/transform/stream_layers/layer_stream.h"

#include "analysis/code/precondition.h"
#include "analysis/code/vector_access.h"
#include "analysis/code/reuse.h"

enum { DEPENDS_X = 1, DEPENDS_Y = 2, DEPENDS_Z = 4 };

bool layer_stream_give_up(struct layer_stream *s, const char *reason)
{
  s->reason = s->reason ? s->reason : reason;
  return false;
}

bool layer_stream_short(const struct ir_stmt *stmt, struct layer_stream_around *ret)
{
  *ret = (struct layer_stream_around){0};
  if (!reuse_short_loop(stmt, &ret->first, &ret->trips) || !stmt->loop->declared) return false;
  ret->iterator = stmt->loop->iterator;
  ret->by = stmt->loop->step;
  return true;
}

/* ---- conditions ---- */

static struct ir_expr *bare(struct ir_expr *expr)
{
  while (expr->kind == IR_EXPR_PAREN ||
         (expr->kind == IR_EXPR_CONVERT && expr->type->kind == IR_TYPE_BOOL))
    expr = expr->operands[0];
  return expr;
}

static struct ir_expr *replace_local(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct layer_stream *s = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(s->code, expr->var) : NULL;

  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

struct plain_search {
  unsigned depends;
  bool failed;
};

static void note_builtin(struct plain_search *p, int64_t builtin)
{
  bool index = builtin >= IR_THREAD_IDX && builtin < IR_BLOCK_IDX + 3;

  p->failed |= !index;
  p->depends |= index ? 1u << (unsigned)((builtin - IR_THREAD_IDX) % 3) : 0;
}

static void note_plain(struct ir_expr *expr, void *context)
{
  struct plain_search *p = context;
  int64_t by;

  switch (expr->kind) {
  case IR_EXPR_VAR:
    p->failed |= !expr->var->has_value &&
                 !(expr->var->kind == IR_VAR_PARAM && !expr->var->write_count &&
                   !expr->var->address_taken && expr->var->type->kind == IR_TYPE_INT);
    break;
  case IR_EXPR_BUILTIN: note_builtin(p, expr->value); break;
  case IR_EXPR_INT:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: break;
  case IR_EXPR_UNARY:
    p->failed |= ir_is_step(expr) || expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS;
    break;
  case IR_EXPR_BINARY:
    p->failed |= (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
                 !(ir_constant(expr->operands[1], &by) && by > 0);
    break;
  default: p->failed = true; break;
  }
}

static bool add_condition(struct layer_stream *s, struct ir_expr *expr)
{
  expr = bare(expr);
  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_LAND)
    return add_condition(s, expr->operands[0]) && add_condition(s, expr->operands[1]);
  struct ir_rewriter rewriter = {s->code->arena, replace_local, s};
  struct ir_expr *condition = ir_rewrite_expr(&rewriter, expr);
  struct plain_search p = {0, false};
  ir_visit_expr(condition, note_plain, &p);
  if (p.failed || (p.depends & DEPENDS_Z))
    return layer_stream_give_up(
        s, "a condition around its loop is made of more than indices and parameters");
  if (p.depends == (DEPENDS_X | DEPENDS_Y))
    return layer_stream_give_up(s, "a condition around its loop is on x and y at once");
  if (s->lane_count + s->row_count + s->thread_count == LAYER_STREAM_CONDITIONS)
    return layer_stream_give_up(s, "it has too many conditions");
  if (p.depends == DEPENDS_X)
    s->x_in[s->lane_count++] = condition;
  else if (p.depends == DEPENDS_Y && s->rows > 1)
    s->rows_in[s->row_count++] = condition;
  else
    s->threads_in[s->thread_count++] = condition;
  return true;
}

/* ---- the code in front of the loop ---- */

struct before_search {
  struct layer_stream *s;
  bool failed;
};

static void note_before(struct ir_expr *expr, void *context)
{
  struct before_search *b = context;
  const struct code_access *found = code_access_of(b->s->code, expr);

  if (found)
    b->failed |= found->access->write || vector_apart(b->s->code, found, IR_THREAD_IDX) ||
                 vector_apart(b->s->code, found, IR_THREAD_IDX + 1);
  b->failed |= expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
               expr->effect != IR_EFFECT_LOAD;
  int64_t by;
  bool divides = expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
                 expr->type->kind == IR_TYPE_INT;
  b->failed |= divides && !(ir_constant(expr->operands[1], &by) && by);
}

static bool note_before_stmt(struct ir_stmt *stmt, void *context)
{
  struct before_search *b = context;
  struct layer_stream_around loop;
  bool fits = stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_DECLS ||
              stmt->kind == IR_STMT_EXPR || stmt->kind == IR_STMT_BLOCK ||
              stmt->kind == IR_STMT_NULL || stmt->kind == IR_STMT_IF ||
              (stmt->kind == IR_STMT_FOR && layer_stream_short(stmt, &loop));

  b->failed |= !fits || (stmt->kind == IR_STMT_DECL && stmt->var->type->kind == IR_TYPE_REFERENCE);
  return true;
}

static bool add_before(struct layer_stream *s, struct ir_stmt *stmt)
{
  struct before_search b = {s, false};

  ir_visit_stmts(stmt, note_before_stmt, &b);
  ir_visit_stmt_exprs(stmt, note_before, &b);
  if (b.failed)
    return layer_stream_give_up(
        s, "what stands in front of its loop is more than indices and what all threads load");
  ir_list_add(s->code->arena, &s->before, stmt);
  return true;
}

/* ---- the loop ---- */

static bool is_layer_loop(const struct ir_stmt *stmt)
{
  struct layer_stream_around loop;
  return stmt->kind == IR_STMT_FOR && !layer_stream_short(stmt, &loop);
}

/* Does the loop go up by one, in ints, between bounds that the host knows? */
static bool goes_up(struct layer_stream *s, const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  bool fits = loop && loop->declared && loop->lower && loop->step == 1 && !loop->step_expr &&
              (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE) &&
              loop->iterator->type->kind == IR_TYPE_INT && loop->iterator->type->size == 4 &&
              loop->iterator->type->is_signed && precondition_host_form(s->code, loop->lower) &&
              precondition_host_form(s->code, loop->bound);

  return fits || layer_stream_give_up(
                     s, "its loop does not go up by one between bounds that the host knows");
}

/* `last`: no statement follows. */
static bool take_apart(struct layer_stream *s, struct ir_stmt *stmt, bool last)
{
  if (stmt->kind == IR_STMT_BLOCK) {
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!take_apart(s, stmt->children[i], last && i + 1 == stmt->child_count)) return false;
    return true;
  }
  if (last && stmt->kind == IR_STMT_IF && !stmt->else_body)
    return add_condition(s, stmt->expr) && take_apart(s, stmt->body, true);
  if (last && is_layer_loop(stmt)) {
    s->loop = stmt;
    ir_list_add(s->code->arena, &s->work, stmt->body);
    return goes_up(s, stmt);
  }
  return add_before(s, stmt);
}

static void note_z(struct ir_expr *expr, void *context)
{
  bool index = expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE;
  *(bool *)context |= index && (expr->value - IR_THREAD_IDX) % 3 == 2;
}

bool layer_stream_take_apart(struct layer_stream *s)
{
  bool z = false;

  ir_visit_stmt_exprs(s->code->facts.kernel->body, note_z, &z);
  if (z || s->code->facts.grid[2] != 1 || s->code->facts.block[2] != 1)
    return layer_stream_give_up(s, "its launch may have layers");
  if (!take_apart(s, s->code->facts.kernel->body, true)) return false;
  return s->loop || layer_stream_give_up(s, "it has no loop over layers");
}
