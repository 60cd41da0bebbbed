/* SPDX-License-Identifier: MIT */
/* interior.c - the code of threads for which all conditions on indices hold, and the condition for
 * these threads.
 *
 *     for (v = -1; v <= 1; v++)                       for (v = -1; v <= 1; v++)
 *       if (y + v >= 0 && y + v < n)          =>        sum += a[y + v][x];
 *         sum += a[y + v][x];                         for y - 1 >= 0 && y + 1 < n
 *
 * Almost all threads of a stencil or a convolution pass all its tests. Code without the tests lets
 * the elements of a thread share their reads; a thread that fails one runs the original code. The
 * same holds for the arms of `?:`, and for an index that `min`, `max` or `%` keeps within its array
 * (likely.c). A comparison of affine forms holds on one side of a plane. So it holds in all
 * iterations of a short loop if it holds in the first or the last one, whichever is nearer to the
 * other side, and it holds for all threads between two for which it holds. For a test for equality,
 * and for a disjunction of such tests, the code takes the other way. Requires: code in its virtual
 * shape. Gives up per condition, which stays: conditions that involve more than indices, parameters
 * and iterators of short loops, or that hold for no thread in the middle of the launch.
 */
#include "analysis/code/interior.h"

#include <isl/constraint.h>

#include "analysis/code/index_grows.h"
#include "analysis/code/likely.h"
#include "analysis/code/reuse.h"
#include "runtime/seeded.h"

enum { MOST_DEPTH = 16, MOST_LOOPS = 6, MARGIN = 32 /* elements */, USUAL_WINDOW = 16 };

struct extremes {
  const struct ir_var *iterator;
  int64_t first, last;
  bool at_last;
  struct ir_expr *from, *to; /* in the place of the numbers: of the launch; NULL: numbers */
};

struct passing {
  struct code *code; /* scanned, with its conditions */
  /* [symbols] -> { : } the conditions that the thread tests, if they have no iterators; owned */
  isl_set *context;
  struct ir_expr *condition; /* the test for it; NULL: none */
  bool convex;
  bool at_margin;                    /* nothing is asked that more threads may fail */
  struct likely_list likely;         /* choices in the place of what is written */
  bool windows;                      /* loops from and to numbers of the launch count as short */
  struct extremes loops[MOST_LOOPS]; /* short ones around this place */
  unsigned loop_count;
};

/* ---- half spaces ---- */

struct half_space {
  isl_constraint *plane;
  bool is;
};

static isl_stat note_plane(isl_constraint *constraint, void *user)
{
  struct half_space *h = user;

  h->is = !h->plane && isl_constraint_is_equality(constraint) == isl_bool_false;
  isl_constraint_free(h->plane);
  h->plane = constraint;
  return isl_stat_ok;
}

static isl_stat note_side(isl_basic_set *part, void *user)
{
  struct half_space *h = user;
  bool divides = isl_basic_set_dim(part, isl_dim_div) > 0, several = h->plane != NULL;

  isl_basic_set_foreach_constraint(part, note_plane, h);
  h->is &= !divides && !several;
  isl_basic_set_free(part);
  return isl_stat_ok;
}

static int loop_of(const struct passing *p, const struct symbol *symbol)
{
  for (unsigned i = 0; symbol->kind == SYMBOL_LOOP && i < p->loop_count; i++)
    if (p->loops[i].iterator == symbol->var) return (int)i;
  return -1;
}

/* Is the set one side of a plane? Then notes the end of each loop that is nearest to it. */
static bool is_half_space(struct passing *p, isl_set *no)
{
  struct half_space h = {NULL, false};

  isl_set_foreach_basic_set(no, note_side, &h);
  isl_space *space = isl_set_get_space(no);
  for (int i = 0; h.is && i < isl_space_dim(space, isl_dim_param); i++) {
    int loop = loop_of(p, symbol_of_param(space, (unsigned)i));
    isl_val *by = isl_constraint_get_coefficient_val(h.plane, isl_dim_param, i);
    if (loop >= 0) p->loops[loop].at_last = isl_val_is_pos(by) == isl_bool_true;
    isl_val_free(by);
  }
  isl_space_free(space);
  isl_constraint_free(h.plane);
  return h.is;
}

/* ---- the condition as written ---- */

struct plain_search {
  const struct passing *p;
  bool failed, iterates;
  unsigned depth;
};

static const struct extremes *extremes_of(const struct passing *p, const struct ir_var *var)
{
  for (unsigned i = 0; i < p->loop_count; i++)
    if (p->loops[i].iterator == var) return &p->loops[i];
  return NULL;
}

static void note_not_plain(struct ir_expr *expr, void *context);

static void note_var(struct plain_search *s, const struct ir_var *var)
{
  struct ir_expr *value = code_value_of(s->p->code, var);
  bool param = var->kind == IR_VAR_PARAM && !var->write_count && !var->address_taken &&
               var->type->kind == IR_TYPE_INT;

  if (extremes_of(s->p, var)) {
    s->iterates = true;
    return;
  }
  s->failed |= (!value && !param && !var->has_value) || s->depth == MOST_DEPTH;
  if (value && s->depth < MOST_DEPTH) {
    s->depth++;
    ir_visit_expr(value, note_not_plain, s);
    s->depth--;
  }
}

static void note_not_plain(struct ir_expr *expr, void *context)
{
  struct plain_search *s = context;
  int64_t by;

  switch (expr->kind) {
  case IR_EXPR_VAR: note_var(s, expr->var); break;
  case IR_EXPR_INT:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: break;
  case IR_EXPR_UNARY:
    s->failed |= ir_is_step(expr) || expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS;
    break;
  case IR_EXPR_BINARY:
    s->failed |= (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
                 !(ir_constant(expr->operands[1], &by) && by > 0);
    break;
  default: s->failed = true; break;
  }
}

static struct ir_expr *inline_value(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct passing *p = r->context;
  const struct extremes *extremes = expr->kind == IR_EXPR_VAR ? extremes_of(p, expr->var) : NULL;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(p->code, expr->var) : NULL;

  if (extremes && extremes->from)
    return code_cast_value(r->arena, expr->var,
                           ir_rewrite_expr(r, extremes->at_last ? extremes->to : extremes->from));
  if (extremes)
    return code_cast_value(
        r->arena, expr->var,
        ir_build_int(r->arena, extremes->at_last ? extremes->last : extremes->first));
  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

/* ---- conditions ---- */

static struct ir_expr *bare(struct ir_expr *expr)
{
  while (expr->kind == IR_EXPR_PAREN ||
         (expr->kind == IR_EXPR_CONVERT && expr->type->kind == IR_TYPE_BOOL))
    expr = expr->operands[0];
  return expr;
}

static bool joins(const struct ir_expr *expr, enum ir_op op)
{
  return expr->kind == IR_EXPR_BINARY && expr->op == op;
}

/* Is the condition likely to hold for most threads, judged by its form? */
static bool is_likely(struct ir_expr *expr)
{
  expr = bare(expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_NOT) return !is_likely(expr->operands[0]);
  if (joins(expr, IR_OP_LAND)) return is_likely(expr->operands[0]) && is_likely(expr->operands[1]);
  if (joins(expr, IR_OP_LOR)) return is_likely(expr->operands[0]) && is_likely(expr->operands[1]);
  return !joins(expr, IR_OP_EQ);
}

/* Is the arm what the condition is about, as `e` in e < 0 ? -e : e? Or one of its own arms? */
static bool is_compared(struct ir_expr *condition, struct ir_expr *arm)
{
  arm = ir_strip(arm);
  condition = bare(condition);
  if (arm->kind == IR_EXPR_COND)
    return is_compared(condition, arm->operands[1]) || is_compared(condition, arm->operands[2]);
  if (condition->kind != IR_EXPR_BINARY || condition->op < IR_OP_LT || condition->op > IR_OP_GE)
    return false;
  return ir_same_expr(ir_strip(condition->operands[0]), ir_strip(arm)) ||
         ir_same_expr(ir_strip(condition->operands[1]), ir_strip(arm));
}

/* Do most threads take the first arm, judged by the form? Where one arm is the same number for all
 * threads, as the 0 of e < 0 ? 0 : e, they take the other one. */
static bool takes_first(const struct code *code, struct ir_expr *choice)
{
  struct ir_expr *condition = choice->operands[0], *first = choice->operands[1],
                 *second = choice->operands[2];
  bool fixed = likely_is_fixed(code, first), other = likely_is_fixed(code, second);

  if (fixed != other) return other;
  if (!fixed && is_compared(condition, first) != is_compared(condition, second))
    return is_compared(condition, first);
  return is_likely(condition);
}

static const struct condition_seen *seen_once(const struct code *code, const struct ir_expr *expr)
{
  const struct condition_seen *seen = NULL;
  unsigned places = 0;

  for (unsigned i = 0; i < code->access.conditions.count; i++)
    if (code->access.conditions.items[i].expr == expr) {
      seen = &code->access.conditions.items[i];
      places++;
    }
  return places == 1 ? seen : NULL;
}

/* Does the thread in the middle of the launch fail it in some iteration? False where the launch's
 * size is not constant. */
static bool fails_in_middle(struct passing *p, isl_set *fails)
{
  isl_set *middle = isl_set_copy(fails);
  isl_space *space = isl_set_get_space(fails);
  bool known = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (symbol->kind != SYMBOL_BUILTIN || symbol->builtin >= IR_BLOCK_DIM) continue;
    int64_t grid = p->code->facts.grid[symbol->builtin % 3],
            block = p->code->facts.block[symbol->builtin % 3];
    known &= grid > 0;
    middle = isl_set_fix_si(middle, isl_dim_param, (unsigned)i,
                            (int)(symbol->builtin < IR_BLOCK_IDX ? block / 2 : (grid - 1) / 2));
  }
  bool in = known && isl_set_is_empty(middle) == isl_bool_false;
  isl_space_free(space);
  isl_set_free(middle);
  return in;
}

static isl_set *fails_of(struct passing *p, const struct condition_seen *seen, bool want)
{
  isl_set *other = want ? isl_set_copy(seen->no) : isl_set_complement(isl_set_copy(seen->no));
  isl_set *fails = isl_set_intersect(isl_set_intersect(isl_set_copy(seen->domain), other),
                                     isl_set_copy(p->context));

  return symbols_close(&p->code->symbols, fails);
}

static isl_set *side_of(const struct condition_seen *seen, bool holds)
{
  return holds ? isl_set_complement(isl_set_copy(seen->no)) : isl_set_copy(seen->no);
}

/* The threads with x != 0 lie on one side where no x is below 0, by the tests so far and by the
 * facts that always hold. */
static bool is_beside(struct passing *p, const struct condition_seen *seen, bool want)
{
  isl_set *passes = isl_set_intersect(side_of(seen, want), isl_set_copy(p->context));

  passes = isl_set_coalesce(isl_set_remove_redundancies(symbols_close(&p->code->symbols, passes)));
  bool is = isl_set_n_basic_set(passes) == 1 && isl_set_involves_locals(passes) == isl_bool_false;
  isl_set_free(passes);
  return is;
}

static bool fails_behind_plane(struct passing *p, const struct condition_seen *seen, bool want)
{
  isl_set *fails = isl_set_coalesce(side_of(seen, !want));
  bool is = is_half_space(p, fails);

  isl_set_free(fails);
  return is;
}

struct margin {
  isl_constraint *only; /* of the threads that fail; owned */
  unsigned count;
};

static isl_stat note_only(isl_constraint *constraint, void *user)
{
  struct margin *m = user;

  m->count++;
  isl_constraint_free(m->only);
  m->only = constraint;
  return isl_stat_ok;
}

static isl_stat note_constraints(isl_basic_set *part, void *user)
{
  isl_basic_set_foreach_constraint(part, note_only, user);
  isl_basic_set_free(part);
  return isl_stat_ok;
}

static bool names_thread(isl_constraint *constraint)
{
  isl_space *space = isl_constraint_get_space(constraint);
  bool found = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    found |=
        symbol->kind == SYMBOL_BUILTIN && symbol->builtin < IR_BLOCK_DIM &&
        isl_constraint_involves_dims(constraint, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
  }
  isl_space_free(space);
  return found;
}

/* With the iterators of short loops from their first to their last value. */
static isl_set *in_loops(struct passing *p, isl_set *set)
{
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    int loop = loop_of(p, symbol_of_param(space, (unsigned)i));
    if (loop < 0) continue;
    const struct extremes *e = &p->loops[loop];
    if (e->from) {
      set = isl_set_lower_bound_si(set, isl_dim_param, (unsigned)i, -USUAL_WINDOW);
      set = isl_set_upper_bound_si(set, isl_dim_param, (unsigned)i, USUAL_WINDOW);
      continue;
    }
    int low = (int)(e->first < e->last ? e->first : e->last),
        high = (int)(e->first < e->last ? e->last : e->first);
    set = isl_set_lower_bound_si(set, isl_dim_param, (unsigned)i, low);
    set = isl_set_upper_bound_si(set, isl_dim_param, (unsigned)i, high);
  }
  isl_space_free(space);
  return set;
}

/* Do only threads fail that are on a line, or within MARGIN of where it holds? By what has been
 * asked: x + 1 < w fails for one x where x < w, and for most of them otherwise. */
static bool fails_at_margin(struct passing *p, const struct condition_seen *seen, bool want)
{
  isl_set *fails = isl_set_coalesce(side_of(seen, !want));
  struct margin m = {NULL, 0};

  isl_set_foreach_basic_set(fails, note_constraints, &m);
  bool is =
      m.count == 1 && isl_set_involves_locals(fails) == isl_bool_false && names_thread(m.only);
  isl_set_free(fails);
  if (is && isl_constraint_is_equality(m.only) == isl_bool_false) {
    isl_val *from = isl_val_sub_ui(isl_constraint_get_constant_val(m.only), MARGIN);
    m.only = isl_constraint_set_constant_val(m.only, from);
    isl_set *far = isl_set_from_basic_set(isl_basic_set_from_constraint(m.only));
    far = in_loops(p, isl_set_intersect(far, isl_set_copy(p->context)));
    far = symbols_close(&p->code->symbols, far);
    is = isl_set_is_empty(far) == isl_bool_true;
    isl_set_free(far);
    return is;
  }
  isl_constraint_free(m.only);
  return is;
}

/* Is it a comparison with a number of the launch, which one thread fails first, and all behind it?
 * id / 4 < n / 4 has no plane. */
static bool is_step(struct passing *p, struct ir_expr *expr)
{
  struct ir_expr *resolved = code_resolve(p->code, expr);
  const struct ir_expr *test = resolved ? ir_strip(resolved) : NULL;

  if (!test || test->kind != IR_EXPR_BINARY ||
      (test->op != IR_OP_LT && test->op != IR_OP_LE && test->op != IR_OP_GT &&
       test->op != IR_OP_GE))
    return false;
  return !index_named(test->operands[1]) &&
         (index_is_id(test->operands[0]) ||
          (test->operands[0]->type->is_signed && index_grows(test->operands[0])));
}

/* Adds the test that `expr` is `want` in all iterations. False: there is no such test. */
static bool ask_one(struct passing *p, struct ir_expr *expr, bool want)
{
  const struct condition_seen *seen = seen_once(p->code, expr);
  struct plain_search s = {p, false, false, 0};
  struct ir_rewriter rewriter = {p->code->arena, inline_value, p};

  if (!seen || ir_has_effects(expr)) return false;
  isl_set *fails = fails_of(p, seen, want);
  bool never = isl_set_is_empty(fails) == isl_bool_true, rare = !never && fails_in_middle(p, fails);
  isl_set_free(fails);
  if (never || rare) return never && !code_exhausted(p->code);
  if (p->at_margin && !fails_at_margin(p, seen, want)) return false;
  ir_visit_expr(expr, note_not_plain, &s);
  bool plane = fails_behind_plane(p, seen, want);
  if (s.failed || (s.iterates && !plane) || code_exhausted(p->code)) return false;
  struct ir_expr *question = ir_rewrite_expr(&rewriter, expr);
  question = want ? question : ir_build_not(p->code->arena, question);
  if (SEEDED(WHOLE_UNASKED) || (!want && SEEDED(OTHER_ARM_UNASKED))) return true;
  p->condition =
      p->condition ? ir_build_binary(p->code->arena, IR_OP_LAND, p->condition, question) : question;
  p->convex &= plane || (!s.iterates && (is_beside(p, seen, want) || is_step(p, expr)));
  if (!s.iterates)
    p->context = isl_set_intersect(p->context, want ? isl_set_complement(isl_set_copy(seen->no))
                                                    : isl_set_copy(seen->no));
  return true;
}

static bool ask_all(struct passing *p, struct ir_expr *expr, bool want)
{
  expr = bare(expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_NOT)
    return ask_all(p, expr->operands[0], !want);
  if (joins(expr, want ? IR_OP_LAND : IR_OP_LOR))
    return ask_all(p, expr->operands[0], want) && ask_all(p, expr->operands[1], want);
  return ask_one(p, expr, want);
}

/* Adds all tests for `expr`, or none of them. */
static bool settles(struct passing *p, struct ir_expr *expr, bool want)
{
  struct passing before = *p;

  before.context = isl_set_copy(p->context);
  if (ask_all(p, expr, want)) {
    isl_set_free(before.context);
    return true;
  }
  isl_set_free(p->context);
  *p = before;
  return false;
}

/* ---- the code ---- */

/* The arm of a `?:` that is taken; what a choice stands for where none is. */
static struct ir_expr *taken_arm(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct passing *p = r->context;

  if (expr->kind != IR_EXPR_COND) return NULL;
  struct ir_expr *written = likely_written(&p->likely, expr);
  bool want = written || takes_first(p->code, expr);
  p->at_margin = true;
  bool settled = settles(p, expr->operands[0], want);
  p->at_margin = false;
  if (!settled) return written;
  struct ir_expr *arm = ir_rewrite_expr(r, expr->operands[want ? 1 : 2]);
  return ir_same_type(arm->type, expr->type) ? arm : ir_build_cast(r->arena, expr->type, arm);
}

static struct ir_expr *without_choices(struct passing *p, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {p->code->arena, taken_arm, p};

  return expr ? ir_rewrite_expr(&rewriter, expr) : NULL;
}

/* Is it a loop between numbers of the launch, each iteration by one? */
static bool is_window(struct passing *p, const struct ir_stmt *stmt, struct extremes *ret)
{
  const struct ir_loop *loop = stmt->loop;
  struct plain_search s = {p, false, false, 0};

  if (!p->windows || stmt->kind != IR_STMT_FOR || !loop || !loop->lower || loop->step_expr ||
      loop->step != 1 || (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE) ||
      !ir_type_is_int(loop->lower->type) || !ir_type_is_int(loop->bound->type))
    return false;
  ir_visit_expr(loop->lower, note_not_plain, &s);
  ir_visit_expr(loop->bound, note_not_plain, &s);
  struct ir_expr *last = loop->bound;
  if (loop->relation == IR_OP_LT)
    last = ir_build_binary(p->code->arena, IR_OP_SUB, last, ir_build_int(p->code->arena, 1));
  *ret = (struct extremes){.iterator = loop->iterator, .from = loop->lower, .to = last};
  return !s.failed && !s.iterates;
}

static struct ir_stmt *without_conditions(struct passing *p, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH) return stmt;
  if (stmt->kind == IR_STMT_IF) {
    bool want = is_likely(stmt->expr);
    if (!settles(p, stmt->expr, want)) return stmt;
    struct ir_list nothing = {0};
    struct ir_stmt *taken = want ? stmt->body : stmt->else_body;
    return taken ? without_conditions(p, taken) : ir_build_block(p->code->arena, &nothing);
  }
  struct ir_stmt *copy = ir_copy_stmt(p->code->arena, stmt), **below;
  int64_t first, trips;
  if (stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_EXPR)
    copy->expr = without_choices(p, stmt->expr);
  bool short_loop = p->loop_count < MOST_LOOPS && reuse_short_loop(stmt, &first, &trips);
  struct extremes window;
  if (short_loop) {
    p->loops[p->loop_count++] = (struct extremes){.iterator = stmt->loop->iterator,
                                                  .first = first,
                                                  .last = first + (trips - 1) * stmt->loop->step};
  } else if (p->loop_count < MOST_LOOPS && is_window(p, stmt, &window)) {
    p->loops[p->loop_count++] = window;
    short_loop = true;
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = without_conditions(p, *below);
  p->loop_count -= short_loop;
  return copy;
}

static struct ir_expr *as_written(struct ir_rewriter *r, struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_COND ? likely_written(r->context, expr) : NULL;
}

static void find_interior(struct code *code, bool windows, struct interior *ret)
{
  struct ir_stmt *written = code->facts.kernel->body;
  struct passing p = {.code = code, .convex = true, .windows = windows};
  struct ir_rewriter restoring = {code->arena, as_written, &p.likely};

  *ret = (struct interior){.body = written, .convex = true};
  code->facts.note_conditions = true;
  code->facts.kernel->body = likely_choices(code, written, &p.likely);
  code_drop_scan(code);
  code_scan(code);
  if (!code->access.reject) {
    p.context = isl_set_copy(code->symbols.context);
    ret->body = without_conditions(&p, code->facts.kernel->body);
    if (p.likely.items.count) ret->body = ir_rewrite_stmt(&restoring, ret->body);
    ret->condition = p.condition;
    ret->convex = p.convex;
    isl_set_free(p.context);
  }
  code_drop_scan(code);
  code->facts.kernel->body = written;
  code->facts.note_conditions = false;
}

void interior_of(struct code *code, struct interior *ret) { find_interior(code, false, ret); }

void interior_of_windows(struct code *code, struct interior *ret)
{
  find_interior(code, true, ret);
}
