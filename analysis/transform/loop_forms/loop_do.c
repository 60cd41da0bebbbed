/* SPDX-License-Identifier: MIT */
/* loop_do.c - loops that test their condition behind the body, or that count down in the test.
 *
 *     int k = 0; do { f(k); k++; } while (k < n);     =>  for (k = 0; k < n; k++) f(k);
 *     int k = n; while (k--) f(k);                    =>  for (k = n - 1; k >= 0; k--) f(k);
 *
 * A `do` always has a first iteration, so the first number must be inside the loop's bound. Where
 * the bound is a parameter, the launch checks that; launches with a shorter loop take the kernel as
 * written. A `while (k--)` from below 0 would overflow in the end. C++ does not allow that, unless
 * the loop is left before; so k must be signed.
 */
#include "analysis/transform/loop_forms/loop_forms.h"
#include "runtime/seeded.h"

/* ---- do ---- */

struct do_loop {
  struct ir_var *var;
  struct ir_expr *first, *bound, *increment;
  struct ir_stmt *body; /* without the step */
  enum ir_op relation;
  int64_t step;
  struct ir_expr *asked; /* the launch checks it; NULL: the first iteration is certain */
};

/* Takes the step off the end of the body, or out of the condition `++k < n`. */
static bool take_step(struct arena *arena, const struct ir_stmt *stmt, struct ir_expr *left,
                      struct do_loop *ret)
{
  struct ir_stmt *body = stmt->body;
  struct ir_expr *bare = ir_strip(left);

  ret->body = body;
  if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_PRE_INC) {
    ret->increment = bare;
    ret->var = ir_assigned_var(bare);
  } else if (bare->kind == IR_EXPR_VAR && body->kind == IR_STMT_BLOCK && body->child_count) {
    struct ir_stmt *last = body->children[body->child_count - 1];
    ret->var = bare->var;
    ret->increment = last->kind == IR_STMT_EXPR ? last->expr : NULL;
    ret->body = ir_copy_stmt(arena, body);
    ret->body->child_count--;
  }
  bool known = ret->var && ret->increment && loop_forms_is_counter(ret->var) &&
               ir_same_type(left->type, ret->var->type);
  ret->step = known ? loop_forms_step_of(ret->increment, ret->var) : 0;
  return ret->step > 0;
}

/* Is the first number inside the bound? Where it depends on a parameter, ret->asked is the
 * condition. */
static bool take_end(struct code *code, struct do_loop *ret)
{
  struct ir_expr *end = code_resolve(code, ret->bound);
  int64_t first, last;

  if (!end || !ir_constant(ret->first, &first)) return false;
  end = ir_strip(end);
  if (code_constant(code, end, &last)) {
    return (ret->relation == IR_OP_LT ? first < last : first <= last) || SEEDED(DO_UNASKED);
  }
  if (end->kind != IR_EXPR_VAR || end->var->kind != IR_VAR_PARAM || end->var->write_count ||
      !ir_same_type(end->var->type, ret->var->type))
    return false;
  ret->asked =
      ir_build_binary(code->arena, ret->relation == IR_OP_LT ? IR_OP_GT : IR_OP_GE,
                      ir_build_var(code->arena, end->var), ir_build_int(code->arena, first));
  return true;
}

static bool find_do(struct code *code, const struct ir_stmt *stmt, struct ir_stmt *const *before,
                    unsigned count, struct do_loop *ret)
{
  struct ir_expr *condition = stmt->kind == IR_STMT_DO && stmt->expr ? ir_strip(stmt->expr) : NULL;

  *ret = (struct do_loop){0};
  if (!condition || condition->kind != IR_EXPR_BINARY ||
      (condition->op != IR_OP_LT && condition->op != IR_OP_LE) ||
      !take_step(code->arena, stmt, condition->operands[0], ret))
    return false;
  ret->relation = condition->op;
  ret->bound = condition->operands[1];
  struct ir_expr *first = loop_forms_value_before(ret->var, before, count, false);
  int64_t number;
  if (!first || !ir_constant(first, &number) || number < 0 || number > INT32_MAX) return false;
  ret->first = first;
  if (loop_forms_writes(ret->body, ret->var) || ir_expr_has_var(ret->bound, ret->var) ||
      !loop_forms_stays(ret->bound, ret->body))
    return false;
  if (loop_forms_continues(stmt->body) && !SEEDED(DO_CONTINUES)) return false;
  return take_end(code, ret);
}

static struct ir_stmt *counting(struct arena *arena, const struct ir_stmt *stmt, struct ir_var *var,
                                struct ir_expr *first)
{
  struct ir_stmt *loop = ir_copy_stmt(arena, stmt);

  loop->kind = IR_STMT_FOR;
  loop->init = ir_build_expr_stmt(arena, ir_build_assign(arena, ir_build_var(arena, var), first));
  loop->loop = ARENA_NEW(arena, struct ir_loop);
  *loop->loop = (struct ir_loop){.iterator = var, .lower = first};
  return loop;
}

struct ir_stmt *loop_forms_do(struct loop_forming *f, struct ir_stmt *stmt,
                              struct ir_stmt *const *before, unsigned count)
{
  struct arena *arena = f->code->arena;
  struct do_loop found;

  if (!find_do(f->code, stmt, before, count, &found)) return stmt;
  if (found.asked && !code_granted(f->code, found.asked) && !SEEDED(DO_ASKED)) return stmt;
  struct ir_stmt *loop = counting(arena, stmt, found.var, found.first);
  loop->body = found.body;
  loop->increment = found.increment;
  loop->expr = ir_build_binary(arena, found.relation, ir_build_var(arena, found.var), found.bound);
  loop->loop->relation = found.relation;
  loop->loop->bound = found.bound;
  loop->loop->step = found.step;
  loop_forms_note(f, stmt, "a loop that counts in the place of a do");
  return loop;
}

/* ---- the conditions that the launch checks ---- */

struct asking {
  struct code *code;
  struct ir_expr **ret;
  unsigned count, most;
};

static void ask(struct asking *a, struct ir_expr *asked)
{
  for (unsigned i = 0; i < a->count; i++)
    if (ir_same_expr(a->ret[i], asked)) return;
  if (a->count < a->most) a->ret[a->count++] = asked;
}

static bool ask_of(struct ir_stmt *stmt, void *context)
{
  struct asking *a = context;
  struct do_loop found;
  struct ir_expr *asked = loop_forms_window_asks(a->code, stmt);

  if (asked) ask(a, asked);
  for (unsigned i = 0; stmt->kind == IR_STMT_BLOCK && i < stmt->child_count; i++)
    if (find_do(a->code, stmt->children[i], stmt->children, i, &found) && found.asked)
      ask(a, found.asked);
  return true;
}

unsigned loop_forms_ask(struct code *code, struct ir_expr **ret, unsigned most)
{
  struct asking a = {.code = code, .ret = ret, .most = most};

  ir_visit_stmts(code->facts.kernel->body, ask_of, &a);
  return a.count;
}

/* ---- while (k--) ---- */

/* The step of `k--`, `k-- > 0` and `k-- != 0`; NULL: it is another condition. */
static struct ir_expr *step_down(struct ir_expr *condition)
{
  struct ir_expr *bare = ir_strip(condition);
  int64_t zero;

  if (bare->kind == IR_EXPR_BINARY && (bare->op == IR_OP_GT || bare->op == IR_OP_NE) &&
      ir_constant(bare->operands[1], &zero) && !zero)
    bare = ir_strip(bare->operands[0]);
  bool is_step = bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_POST_DEC;
  return is_step ? bare : NULL;
}

struct ir_stmt *loop_forms_down(struct loop_forming *f, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count)
{
  struct arena *arena = f->code->arena;
  struct ir_expr *step = stmt->kind == IR_STMT_WHILE && stmt->expr ? step_down(stmt->expr) : NULL;
  struct ir_var *var = step ? ir_assigned_var(step) : NULL;

  if (!var || !loop_forms_is_counter(var) || !var->type->is_signed ||
      loop_forms_writes(stmt->body, var) || loop_forms_is_left(stmt))
    return stmt;
  struct ir_expr *from = loop_forms_value_before(var, before, count, true);
  if (!from || !ir_same_type(from->type, var->type)) return stmt;
  struct ir_expr *one = ir_build_int(arena, 1), *zero = ir_build_int(arena, 0);
  one->type = zero->type = ir_plain_type(arena, var->type);
  struct ir_expr *first = ir_build_binary(arena, IR_OP_SUB, from, one);
  struct ir_stmt *loop = counting(arena, stmt, var, first);
  loop->increment = step;
  loop->expr = ir_build_binary(arena, IR_OP_GE, ir_build_var(arena, var), zero);
  loop->loop->relation = IR_OP_GE;
  loop->loop->bound = zero;
  loop->loop->step = -1;
  loop_forms_note(f, stmt, "a loop that counts down to 0 in the place of a while");
  return loop;
}
