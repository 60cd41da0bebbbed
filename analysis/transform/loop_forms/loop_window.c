/* SPDX-License-Identifier: MIT */
/* loop_window.c - loops over a window at a thread's own place count from a number of the launch.
 *
 *     for (int j = y - 2; j <= y + 2; j++) f(j);
 *         =>    for (int k = 0; k < 5; k++) { int _j = y - 2 + k; f(_j); }
 *     int end = min(i + w, n);
 *     for (int j = i; j < end; j++) f(j);
 *         =>    for (int k = 0; k < w; k++) { int _j = i + k; if (_j < n) f(_j); }
 *
 * All threads run such a loop equally often, which the walk does not see in the first form. Of the
 * ends, which max, min, `?:` and `&&` may put together, two differ by a number of the launch; the
 * others become a condition around the body. The numbers are those of the loop as written: each is
 * between its ends, so no sum overflows. Requires: an int that the loop itself declares and steps
 * upwards by a constant; ends that stay. The step is 1 where the lower end may be cut off: another
 * first number gives others behind it. Where the window is cut off, its length is a constant, or
 * the launch finds that it is no longer than the row: iterations that do nothing take time. Gives
 * up: ends that differ by data, windows whose place is not a thread's.
 */
#include "analysis/transform/loop_forms/loop_forms.h"

#include <string.h>

#include "analysis/code/polynomial.h"
#include "analysis/code/shape_linear.h"
#include "runtime/seeded.h"

enum { MOST_PARTS = 4, MOST_CUT = 64, MOST_LEVELS = 4 };

/* iterator >= value, > value; < value, <= value */
struct end {
  enum ir_op relation;
  struct ir_expr *value;
};

struct window {
  struct code *code;
  struct ir_stmt *loop;
  struct ir_var *var;
  int64_t step;
  struct end low[MOST_PARTS], high[MOST_PARTS];
  unsigned low_count, high_count;
  /* ---- what is found ---- */
  unsigned from, to; /* the ends of the window, of `low` and `high` */
  struct polynomial length;
  struct ir_expr *asked; /* the launch checks it; NULL: nothing */
};

/* ---- the head ---- */

static bool add_end(struct end *ends, unsigned *count, enum ir_op relation, struct ir_expr *value)
{
  if (*count == MOST_PARTS || !ir_same_type(value->type, ir_int_type())) return false;
  ends[(*count)++] = (struct end){relation, value};
  return true;
}

/* Is it `a && b`, or a comparison of the iterator with an end above it? */
static bool add_condition(struct window *w, struct ir_expr *condition)
{
  struct ir_expr *bare = ir_strip(condition);

  if (bare->kind != IR_EXPR_BINARY) return false;
  if (bare->op == IR_OP_LAND)
    return add_condition(w, bare->operands[0]) && add_condition(w, bare->operands[1]);
  const struct ir_expr *left = ir_strip(bare->operands[0]);
  return (bare->op == IR_OP_LT || bare->op == IR_OP_LE) && left->kind == IR_EXPR_VAR &&
         left->var == w->var && ir_same_type(bare->operands[0]->type, w->var->type) &&
         add_end(w->high, &w->high_count, bare->op, bare->operands[1]);
}

static bool find_ends(struct window *w)
{
  const struct ir_stmt *loop = w->loop, *init = loop->kind == IR_STMT_FOR ? loop->init : NULL;

  if (!init || init->kind != IR_STMT_DECL || !init->expr || !loop->expr || !loop->increment)
    return false;
  w->var = init->var;
  w->step = loop_forms_step_of(loop->increment, w->var);
  return w->step && loop_forms_is_counter(w->var) && ir_same_type(w->var->type, ir_int_type()) &&
         !loop_forms_writes(loop->body, w->var) &&
         add_end(w->low, &w->low_count, IR_OP_GE, init->expr) && add_condition(w, loop->expr);
}

/* ---- max, min, and the values of locals ---- */

/* a < b ? b : a, a >= b ? b - 1 : a: is it the greater one of two values, or where `least` the
 * smaller one? One of them is compared. */
static bool is_chosen(const struct ir_expr *expr, bool least, struct ir_expr *ret[2])
{
  const struct ir_expr *test = ir_strip(expr->operands[0]);
  bool above = test->op == IR_OP_GT || test->op == IR_OP_GE;
  if (test->kind != IR_EXPR_BINARY || (!above && test->op != IR_OP_LT && test->op != IR_OP_LE))
    return false;
  bool equal = test->op == IR_OP_LE || test->op == IR_OP_GE;
  for (unsigned side = 0; side < 2; side++)
    if (!ir_same_type(test->operands[side]->type, ir_int_type())) return false;
  for (unsigned side = 0; side < 2; side++) {
    struct ir_expr *own = test->operands[side];
    bool is_above = above != (side == 1); /* the test says that `own` is */
    unsigned yes = is_above == least ? 2 : 1;
    struct ir_expr *other = expr->operands[3 - yes];
    /* `own` from this number on is above */
    struct polynomial limit = polynomial_of(test->operands[!side]), value = polynomial_of(other),
                      one = polynomial_constant(1);
    if (is_above != equal) limit = polynomial_sum(&limit, &one, 1);
    struct polynomial below = polynomial_sum(&limit, &one, -1);
    if (!ir_same_expr(ir_strip(own), ir_strip(expr->operands[yes])) || !limit.known ||
        !value.known || !(polynomial_same(&value, &limit) || polynomial_same(&value, &below)))
      continue;
    ret[0] = own, ret[1] = other;
    return true;
  }
  return false;
}

/* max(a, b), or a choice; min where `least` */
static bool is_extreme(struct ir_expr *of, bool least, struct ir_expr *ret[2])
{
  const struct ir_expr *expr = ir_strip(of);

  if (expr->kind == IR_EXPR_COND) return is_chosen(expr, least, ret);
  if (!ir_is_extreme(expr, least)) return false;
  ret[0] = expr->operands[0], ret[1] = expr->operands[1];
  return true;
}

static bool note_iterator(struct ir_stmt *stmt, void *context)
{
  const struct ir_var **var = context;
  const struct ir_loop *loop = stmt->loop;

  if (loop && loop->declared && loop->iterator == *var && loop->iterator->write_count == 2)
    *var = NULL;
  return true;
}

/* Has the variable one value where the loop is, and where locals in front of it are declared? */
static bool is_settled(const struct window *w, const struct ir_var *var)
{
  if (var->kind == IR_VAR_PARAM) return !var->write_count && var->type->is_signed;
  if (var->kind != IR_VAR_LOCAL || var->is_static || var->address_taken || !var->type->is_signed)
    return false;
  if (var->write_count <= 1) return true;
  ir_visit_stmts(w->code->facts.kernel->body, note_iterator, &var);
  return !var;
}

struct settle_search {
  const struct window *w;
  bool settled;
};

static void note_unsettled(struct ir_expr *expr, void *context)
{
  struct settle_search *s = context;

  s->settled &= expr->kind != IR_EXPR_VAR || is_settled(s->w, expr->var);
}

/* Has the end one value from the declarations of its locals on? */
static bool stays(const struct window *w, struct ir_expr *expr)
{
  struct settle_search s = {w, true};

  ir_visit_expr(expr, note_unsettled, &s);
  return s.settled && loop_forms_stays(expr, w->loop);
}

static struct ir_expr *replace_local(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct window *w = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(w->code, expr->var) : NULL;
  bool plain = value && ir_same_type(value->type, ir_int_type());

  return plain && ir_same_type(expr->var->type, ir_int_type()) ? value : NULL;
}

/* The end with the values of its locals, which may name others. */
static struct ir_expr *one_level(struct window *w, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {w->code->arena, replace_local, w};
  return ir_rewrite_expr(&rewriter, expr);
}

/* min(a, b) among the ends above: a and b, likewise below */
static bool part_ends(struct window *w, struct end *ends, unsigned *count, bool least)
{
  struct ir_expr *of[2];

  for (unsigned i = 0; i < *count;) {
    struct ir_expr *value = ends[i].value;
    for (unsigned level = 0; level < 2 && !is_extreme(value, least, of); level++)
      value = one_level(w, value);
    if (!is_extreme(value, least, of)) {
      i++;
      continue;
    }
    enum ir_op relation = ends[i].relation;
    if (!ir_same_type(of[0]->type, ir_int_type())) return false;
    ends[i].value = of[0];
    if (!add_end(ends, count, relation, of[1])) return false;
  }
  return true;
}

/* ---- the window ---- */

static bool is_of_launch(const struct ir_expr *expr)
{
  int64_t by;

  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_DIV && ir_constant(expr->operands[1], &by))
    return by > 0 && code_is_launch_number(expr->operands[0]);
  return code_is_launch_number(expr);
}

static bool is_known(const struct polynomial *p)
{
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->terms[i].factor_count; k++)
      if (!is_of_launch(p->terms[i].factors[k])) return false;
  return p->known;
}

struct thread_search {
  struct window *w;
  unsigned depth;
  bool found;
};

static void note_thread(struct ir_expr *expr, void *context)
{
  struct thread_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  bool own = expr->kind == IR_EXPR_BUILTIN && expr->value >= IR_THREAD_IDX &&
             expr->value < IR_THREAD_IDX + 3;

  s->found |= own;
  if (!var || var->kind != IR_VAR_LOCAL || !var->init || s->found || s->depth == MOST_LEVELS * 2)
    return;
  s->depth++;
  ir_visit_expr(var->init, note_thread, s);
  s->depth--;
}

static bool is_of_thread(struct window *w, struct ir_expr *expr)
{
  struct thread_search s = {w, 0, false};

  ir_visit_expr(expr, note_thread, &s);
  return s.found;
}

/* The length with the value of each parameter that has one in all launches. */
static struct polynomial with_constants(const struct window *w, struct polynomial length)
{
  const struct ir_function *kernel = w->code->facts.kernel;

  for (unsigned i = 0; i < kernel->param_count; i++) {
    int64_t number;
    if (kernel->params[i]->type->kind != IR_TYPE_INT ||
        !code_constant(w->code, ir_build_var(w->code->arena, kernel->params[i]), &number))
      continue;
    struct polynomial value = polynomial_constant(number);
    if (!polynomial_hides(&length, kernel->params[i]))
      length = polynomial_swap(&length, kernel->params[i], &value);
  }
  return length;
}

/* Finds ends that differ by a number of the launch, with the values of locals where that takes
 * them. */
static bool find_length(struct window *w, unsigned from, unsigned to)
{
  struct ir_expr *low = w->low[from].value;

  for (unsigned a = 0; a < MOST_LEVELS; a++, low = one_level(w, low)) {
    struct polynomial first = polynomial_of(low);
    struct ir_expr *high = w->high[to].value;
    for (unsigned b = 0; b < MOST_LEVELS; b++, high = one_level(w, high)) {
      struct polynomial end = polynomial_of(high), one = polynomial_constant(1);
      struct polynomial length = polynomial_sum(&end, &first, -1);
      if (w->high[to].relation == IR_OP_LE && !SEEDED(WINDOW_END_LOST))
        length = polynomial_sum(&length, &one, 1);
      if (!first.known || !end.known || !is_known(&length) || !stays(w, low) || !stays(w, high))
        continue;
      w->from = from, w->to = to;
      w->length = with_constants(w, length);
      return true;
    }
  }
  return false;
}

/* A constant, or a number of the launch and at most a constant: it is told in front of the loop
 * without overflow, being the difference of the ends. */
static bool is_plain(const struct polynomial *p, int64_t *ret_constant)
{
  *ret_constant = 0;
  for (unsigned i = 0; i < p->count; i++)
    if (!p->terms[i].factor_count)
      *ret_constant = p->terms[i].coefficient;
    else if (p->terms[i].coefficient != 1 || p->count > 2)
      return false;
  return true;
}

/* Where the window is cut off and its length is no small constant: the launch compares it with an
 * end that is a parameter. */
static bool find_asked(struct window *w, bool constant, int64_t length)
{
  struct arena *arena = w->code->arena;

  if (w->low_count + w->high_count == 2 || (constant && length <= MOST_CUT)) return true;
  for (unsigned i = 0; i < w->high_count; i++) {
    struct ir_expr *value = ir_strip(w->high[i].value);
    if (i == w->to || value->kind != IR_EXPR_VAR || value->var->kind != IR_VAR_PARAM) continue;
    w->asked = ir_build_binary(arena, IR_OP_LE, polynomial_expr(arena, &w->length),
                               ir_build_var(arena, value->var));
    return true;
  }
  return false;
}

static void note_element(struct ir_expr *expr, void *context)
{
  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) {
    const struct ir_expr *target = ir_strip(expr->operands[0]);
    *(bool *)context |= target->kind == IR_EXPR_INDEX || target->kind == IR_EXPR_UNARY;
  }
}

/* Does the loop store elements? Then they are a thread's own, in a row: stride_loops takes it. */
static bool stores_elements(struct ir_stmt *loop)
{
  bool found = false;

  ir_visit_stmt_exprs(loop->body, note_element, &found);
  return found;
}

static bool find_window(struct code *code, struct ir_stmt *stmt, struct window *w)
{
  int64_t constant = 0;
  bool found = false;

  *w = (struct window){.code = code, .loop = stmt};
  if (stores_elements(stmt) || !find_ends(w) || !part_ends(w, w->low, &w->low_count, false) ||
      !part_ends(w, w->high, &w->high_count, true))
    return false;
  if (w->step != 1 && w->low_count > 1 && !SEEDED(WINDOW_OUT_OF_STEP)) return false;
  for (unsigned i = 0; i < w->low_count && !found; i++)
    for (unsigned k = 0; k < w->high_count && !found; k++)
      found = is_of_thread(w, w->low[i].value) && find_length(w, i, k);
  for (unsigned i = 0; found && i < w->low_count; i++) found = stays(w, w->low[i].value);
  for (unsigned i = 0; found && i < w->high_count; i++) found = stays(w, w->high[i].value);
  if (!found || !is_plain(&w->length, &constant)) return false;
  bool is_constant = !w->length.count || (w->length.count == 1 && !w->length.terms[0].factor_count);
  return (!is_constant || constant > 0) && find_asked(w, is_constant, constant);
}

struct ir_expr *loop_forms_window_asks(struct code *code, struct ir_stmt *stmt)
{
  struct window w;
  return find_window(code, stmt, &w) ? w.asked : NULL;
}

/* ---- the new loop ---- */

/* The ends that the window's do not imply. */
static struct ir_expr *inside(struct window *w, struct ir_var *at)
{
  struct arena *arena = w->code->arena;
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < w->low_count; i++)
    if (i != w->from)
      all = ir_build_both(
          arena, all, ir_build_binary(arena, IR_OP_GE, ir_build_var(arena, at), w->low[i].value));
  for (unsigned i = 0; i < w->high_count; i++)
    if (i != w->to && !SEEDED(WINDOW_UNCUT))
      all = ir_build_both(
          arena, all,
          ir_build_binary(arena, w->high[i].relation, ir_build_var(arena, at), w->high[i].value));
  return all;
}

static struct ir_stmt *window_body(struct window *w, struct ir_var *k)
{
  struct arena *arena = w->code->arena;
  struct ir_var *at = code_local(w->code, arena_format(arena, "_%s", w->var->name), ir_int_type());
  struct ir_stmt *body = ir_rename_var(arena, w->loop->body, w->var, at);
  struct ir_expr *condition = inside(w, at);
  struct ir_list list = {0};

  at->write_count = 1;
  at->init = ir_build_binary(arena, IR_OP_ADD, w->low[w->from].value, ir_build_var(arena, k));
  ir_list_add(arena, &list, ir_build_decl(arena, at, at->init));
  if (condition) {
    struct ir_stmt *test = ir_build_if(arena, condition, body);
    test->place = w->loop->place;
    body = test;
  }
  bool is_list = body->kind == IR_STMT_BLOCK;
  for (unsigned i = 0; i < (is_list ? body->child_count : 1); i++)
    ir_list_add(arena, &list, is_list ? body->children[i] : body);
  struct ir_stmt *block = ir_build_block(arena, &list);
  block->place = w->loop->body->place;
  return block;
}

struct ir_stmt *loop_forms_window(struct loop_forming *f, struct ir_stmt *stmt)
{
  struct arena *arena = f->code->arena;
  struct window w;

  if (!find_window(f->code, stmt, &w)) return stmt;
  if (w.asked && !code_granted(f->code, w.asked)) return stmt;
  struct ir_var *k = code_local(f->code, arena_format(arena, "_at_%s", w.var->name), ir_int_type());
  struct ir_expr *length = polynomial_expr(arena, &w.length);
  if (!ir_same_type(length->type, ir_int_type()))
    length = ir_build_cast(arena, ir_int_type(), length);
  struct ir_stmt *loop =
      ir_build_for(arena, k, ir_build_int(arena, 0), length, w.step, window_body(&w, k));
  loop->place = stmt->place;
  loop->pragma = stmt->pragma;
  loop_forms_note(f, stmt, "a loop that counts in its window");
  return loop;
}
