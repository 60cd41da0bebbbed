/* SPDX-License-Identifier: MIT */
/* windows.c - a thread that computes neighbouring elements along x, each of them from a window of
 * a length that only the launch knows, loads each element of their windows once.
 *
 *     for (u = -r; u <= r; u++)                 if (-r <= r) _w_in[0 .. 2] = in[x + -r .. + 2];
 *       s += in[x + u] * k[u + r];        =>    for (u = -r; u <= r; u++) {
 *                                                 _w_in[3] = in[x + u + 3];
 *                                                 for _x: s[_x] += _w_in[_x] * k[u + r];
 *                                                 _w_in[0 .. 2] = _w_in[1 .. 3];
 *                                               }
 *
 * All neighbours go through the loop together, so that each one's additions keep their order. Every
 * element that is loaded is one that a neighbour loads as written, in this iteration or in the
 * first one. Four iterations stand in a row: the compiler then renames registers and moves nothing.
 *
 * Requires: the code of interior threads (interior.c), scanned, in its virtual shape. Gives up per
 * loop, which stays as it is: loops that do not step by one or that may end early, loops around
 * loops. Gives up per load: under a condition, from memory that the kernel writes, indices that do
 * not go one further from thread to thread, and one further or back from iteration to iteration.
 */
#include "analysis/transform/coarsen/windows.h"

#include <math.h>

#include "analysis/code/index_grows.h"
#include "analysis/code/loop.h"
#include "analysis/code/reuse.h"
#include "analysis/code/vector_access.h"
#include "analysis/model/model.h"
#include "runtime/seeded.h"

enum { MOST_WINDOWS = 4, MOST_AROUND = 8 };

/* Instructions for the address of a load, and of an iteration's end. */
#define ADDRESS 2.0
#define ITERATION 2.0
#define SCHEDULERS 4.0

struct row_window {
  const struct code_access *first; /* one of the loads with this place */
  int64_t step;                    /* from iteration to iteration: 1 or -1 */
  struct ir_var *var;
};

struct windows {
  struct code *code;
  int64_t lanes;
  struct ir_list *verbatim;
  struct ir_stmt *around[MOST_AROUND]; /* the loops around this place, outermost first */
  unsigned around_count;
  struct ir_stmt *loop;
  struct row_window items[MOST_WINDOWS];
  unsigned count, loads;                 /* windows of the loop, and the loads in them */
  struct ir_stmt *written_body, *as_was; /* the code as written, and the loop in it */
  double written, left;                  /* cycles of an element's iterations */
};

/* ---- loads ---- */

static bool of_loop_around(const struct windows *w, const struct ir_var *var)
{
  bool found = var == w->loop->loop->iterator;

  for (unsigned i = 0; i < w->around_count; i++)
    found |= w->around[i]->loop && w->around[i]->loop->iterator == var;
  return found;
}

struct name_search {
  struct windows *w;
  bool failed;
};

static void note_name(struct ir_expr *expr, void *context)
{
  struct name_search *s = context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(s->w->code, expr->var) : NULL;

  if (value)
    ir_visit_expr(value, note_name, s);
  else if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL)
    s->failed |= !of_loop_around(s->w, expr->var);
  else if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_PARAM)
    s->failed |= expr->var->write_count > 0 || expr->var->address_taken;
  s->failed |= expr->kind == IR_EXPR_CALL || ir_has_effects(expr);
}

/* Can the index be written outside of the threads' own code? */
static bool is_named(struct windows *w, struct ir_expr *expr)
{
  struct name_search s = {w, false};

  ir_visit_expr(expr, note_name, &s);
  return !s.failed;
}

static int64_t coefficient(isl_aff *aff, const struct symbol *symbol)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, symbol->id);
  int64_t by = 0;

  isl_space_free(space);
  if (at >= 0 && !value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, at), INT32_MAX, &by))
    by = INT32_MAX;
  return by;
}

static bool has_unknown(isl_aff *aff)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  bool found = isl_aff_dim(aff, isl_dim_div) > 0;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++)
    found |= symbol_of_param(space, (unsigned)i)->kind == SYMBOL_UNKNOWN &&
             isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) != isl_bool_false;
  isl_space_free(space);
  return found;
}

static struct symbol *symbol_of_iterator(const struct windows *w, isl_aff *aff)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  struct symbol *found = NULL;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (symbol->kind == SYMBOL_LOOP && symbol->var == w->loop->loop->iterator) found = symbol;
  }
  isl_space_free(space);
  return found;
}

/* By how much does the form grow from thread to thread, and from iteration to iteration? False: it
 * is not known. */
static bool steps_of(const struct windows *w, isl_pw_aff *form, int64_t *ret_thread,
                     int64_t *ret_loop)
{
  isl_aff *aff = value_plain(form);

  if (!aff) return false;
  struct symbol *iterator = symbol_of_iterator(w, aff);
  *ret_thread = coefficient(aff, symbol_of_builtin(&w->code->symbols, IR_THREAD_IDX));
  *ret_loop = iterator ? coefficient(aff, iterator) : 0;
  bool known = !has_unknown(aff);
  isl_aff_free(aff);
  return known;
}

/* Is the element one further for the next thread, and one further or back, *ret_step, for the next
 * iteration? */
static bool slides(const struct windows *w, const struct code_access *found, int64_t *ret_step)
{
  const struct access *a = found->access;
  unsigned last = a->dim_count - 1;
  int64_t thread, loop;

  *ret_step = 1;
  for (unsigned d = 0; d <= last; d++) {
    if (!a->index[d].aff || !steps_of(w, a->index[d].aff, &thread, &loop) || thread != (d == last))
      return false;
    bool one = d == last ? loop == 1 || loop == -1 : loop == 0;
    if (!one && !SEEDED(WINDOW_STRIDED)) return false;
    if (d == last && loop < 0) *ret_step = -1;
    for (unsigned t = 0; t < a->index[d].term_count; t++)
      if (!steps_of(w, a->index[d].terms[t].coefficient, &thread, &loop) || thread || loop)
        return false;
  }
  return true;
}

static bool fits_window(struct windows *w, const struct code_access *found, int64_t *ret_step)
{
  const struct ir_type *type = found->array->element;
  bool number = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT;

  return number && !type->is_volatile && found->expr->kind == IR_EXPR_INDEX &&
         found->access->read && !found->access->write && !found->access->partial &&
         !found->access->has_effects && found->access->dim_count &&
         found->access->dim_count == found->array->dim_count && !found->array->reject &&
         !found->array->var->is_constant_memory && code_read_only(w->code, found->array) &&
         slides(w, found, ret_step) && is_named(w, (struct ir_expr *)found->expr) &&
         vector_movable(w->code, found->expr->operands[1]);
}

static bool same_element(const struct access *a, const struct access *b)
{
  for (unsigned d = 0; d < a->dim_count; d++)
    if (!value_same(&a->index[d], &b->index[d])) return false;
  return a->dim_count == b->dim_count;
}

static int window_of(const struct windows *w, const struct code_access *found)
{
  for (unsigned i = 0; i < w->count; i++)
    if (w->items[i].first->array == found->array &&
        same_element(w->items[i].first->access, found->access))
      return (int)i;
  return -1;
}

/* ---- the loop ---- */

/* Notes the windows of loads that each iteration makes, and the cycles of all loads. */
static void note_loads(struct windows *w, struct ir_expr *expr, bool always)
{
  if (!expr) return;
  bool choice = expr->kind == IR_EXPR_COND ||
                (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));

  for (unsigned i = 0; i < expr->operand_count; i++)
    note_loads(w, expr->operands[i], always && !(choice && i));
  const struct code_access *found = code_access_of(w->code, expr);
  int64_t step;
  if (!found || !(always || SEEDED(WINDOW_CONDITIONAL)) || !fits_window(w, found, &step)) return;
  bool known = window_of(w, found) >= 0;
  if (!known && w->count == MOST_WINDOWS) return;
  if (!known) w->items[w->count++] = (struct row_window){.first = found, .step = step};
  w->loads++;
}

static void note_body(struct windows *w, struct ir_stmt *stmt, bool always)
{
  if (!stmt) return;
  bool plain = stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS ||
               stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_EXPR;

  note_loads(w, stmt->expr, always && plain);
  note_body(w, stmt->body, false);
  note_body(w, stmt->else_body, false);
  for (unsigned i = 0; i < stmt->child_count; i++) note_body(w, stmt->children[i], always && plain);
}

struct shape_search {
  const struct ir_var *iterator;
  bool jumps, steps;
};

static void note_step(struct ir_expr *expr, void *context)
{
  struct shape_search *s = context;
  bool changes = ir_is_step(expr) || expr->kind == IR_EXPR_ASSIGN ||
                 (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS);
  struct ir_expr *target = changes ? ir_strip(expr->operands[0]) : NULL;

  s->steps |= target && target->kind == IR_EXPR_VAR && target->var == s->iterator;
}

static bool note_shape(struct ir_stmt *stmt, void *context)
{
  struct shape_search *s = context;

  s->jumps |= loop_is_one(stmt) || stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_RETURN ||
              stmt->kind == IR_STMT_SWITCH || stmt->kind == IR_STMT_CONTINUE;
  ir_visit_expr(stmt->expr, note_step, s);
  return true;
}

/* Does the loop step by one from a number of the launch to another one, to its end? */
static bool is_window_loop(struct windows *w, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  int64_t first, trips;

  if (stmt->kind != IR_STMT_FOR || !loop || !loop->lower || loop->step_expr || loop->step != 1 ||
      (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE) ||
      !ir_type_is_int(loop->iterator->type) || reuse_short_loop(stmt, &first, &trips))
    return false;
  struct shape_search s = {loop->iterator, false, false};
  ir_visit_stmts(stmt->body, note_shape, &s);
  w->loop = stmt;
  return !s.jumps && !s.steps && is_named(w, loop->lower) && is_named(w, loop->bound) &&
         !ir_expr_has_var(loop->bound, loop->iterator);
}

/* ---- the model ---- */

struct cost { /* of an element's iteration */
  double issue, requests;
};

/* The cost of an expression; `left`: with windows and with shared loads. Indices count as ADDRESS.
 */
static void add_cost(struct windows *w, struct ir_expr *expr, bool left, struct cost *ret)
{
  if (!expr) return;
  const struct code_access *found = code_access_of(w->code, expr);
  bool call = expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_LOAD,
       counts = expr->kind == IR_EXPR_BINARY || expr->kind == IR_EXPR_COND ||
                expr->kind == IR_EXPR_UNARY || expr->kind == IR_EXPR_CONVERT;

  ret->issue += call ? model_call_operations(w->code, expr) : counts;
  if (found) {
    double request = model_request(&w->code->symbols, found->access);
    bool apart = vector_apart(w->code, found, IR_THREAD_IDX);
    bool shared = window_of(w, found) >= 0 || (!apart && code_read_only(w->code, found->array));
    double each = left && shared ? (double)w->lanes : 1;
    ret->requests += request / each;
    ret->issue += (1 + ADDRESS) / each;
    return;
  }
  for (unsigned i = 0; i < expr->operand_count; i++) add_cost(w, expr->operands[i], left, ret);
}

static void add_stmt(struct windows *w, struct ir_stmt *stmt, bool left, struct cost *ret)
{
  if (!stmt) return;
  add_cost(w, stmt->expr, left, ret);
  add_stmt(w, stmt->body, left, ret);
  add_stmt(w, stmt->else_body, left, ret);
  for (unsigned i = 0; i < stmt->child_count; i++) add_stmt(w, stmt->children[i], left, ret);
}

struct operation_count {
  struct windows *w;
  double operations;
  bool iterates;
};

static void note_iterator(struct ir_expr *expr, void *context)
{
  struct operation_count *c = context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(c->w->code, expr->var) : NULL;

  c->iterates |= expr->kind == IR_EXPR_VAR && expr->var == c->w->loop->loop->iterator;
  if (value) ir_visit_expr(value, note_iterator, c);
}

/* The compiler computes in front of the loop what no iteration changes. */
static void note_operation(struct ir_expr *expr, void *context)
{
  struct operation_count *c = context;
  bool counts = expr->kind == IR_EXPR_BINARY || expr->kind == IR_EXPR_COND ||
                (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_LOAD);

  c->iterates = false;
  if (counts) ir_visit_expr(expr, note_iterator, c);
  c->operations += c->iterates && counts;
}

static bool find_written(struct ir_stmt *stmt, void *context)
{
  struct windows *w = context;

  if (stmt->loop && stmt->loop->iterator == w->loop->loop->iterator) w->as_was = stmt;
  return true;
}

/* Instructions of the conditions and the choices that only the code as written has. */
static double conditions_of(struct windows *w)
{
  struct operation_count written = {w, 0, false}, inside = {w, 0, false};

  w->as_was = NULL;
  ir_visit_stmts(w->written_body, find_written, w);
  if (!w->as_was) return 0;
  ir_visit_stmt_exprs(w->as_was->body, note_operation, &written);
  ir_visit_stmt_exprs(w->loop->body, note_operation, &inside);
  return fmax(0, written.operations - inside.operations);
}

static void add_costs(struct windows *w)
{
  struct cost written = {ITERATION + conditions_of(w), 0}, left = {ITERATION / (double)w->lanes, 0};

  add_stmt(w, w->loop->body, false, &written);
  add_stmt(w, w->loop->body, true, &left);
  w->written += fmax(written.issue / SCHEDULERS, written.requests);
  w->left += fmax(left.issue / SCHEDULERS, left.requests);
}

/* ---- the code ---- */

struct placing {
  struct windows *w;
  struct ir_expr *thread, *iterator; /* iterator: NULL: as it is */
};

static struct ir_expr *place_name(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct placing *p = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(p->w->code, expr->var) : NULL;

  if (expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX) return p->thread;
  if (expr->kind == IR_EXPR_VAR && p->iterator && expr->var == p->w->loop->loop->iterator)
    return p->iterator;
  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

/* The element of the thread's neighbour `lane`, in the present iteration or in the one with
 * `iterator`. */
static struct ir_expr *element(struct windows *w, const struct row_window *window, int64_t lane,
                               struct ir_expr *iterator)
{
  struct arena *arena = w->code->arena;
  struct ir_expr *thread =
      ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, IR_THREAD_IDX));
  struct placing p = {w, ir_build_binary(arena, IR_OP_MUL, thread, ir_build_int(arena, w->lanes)),
                      iterator};
  struct ir_rewriter rewriter = {arena, place_name, &p};

  if (lane) p.thread = ir_build_binary(arena, IR_OP_ADD, p.thread, ir_build_int(arena, lane));
  return ir_rewrite_expr(&rewriter, (struct ir_expr *)window->first->expr);
}

static struct ir_expr *held(struct windows *w, const struct row_window *window, int64_t at)
{
  return ir_build_index(w->code->arena, ir_build_var(w->code->arena, window->var),
                        ir_build_int(w->code->arena, at));
}

static struct ir_stmt *assigned(struct windows *w, struct ir_expr *to, struct ir_expr *from)
{
  return ir_build_expr_stmt(w->code->arena, ir_build_assign(w->code->arena, to, from));
}

static void add_verbatim(struct windows *w, struct ir_list *out, struct ir_stmt *stmt)
{
  ir_list_add(w->code->arena, out, stmt);
  ir_list_add(w->code->arena, w->verbatim, stmt);
}

/* The lower end, as a name outside of the threads' own code. */
static struct ir_expr *named(struct windows *w, struct ir_expr *expr)
{
  struct arena *arena = w->code->arena;
  struct placing p = {w, ir_build_builtin(arena, IR_THREAD_IDX), NULL};
  struct ir_rewriter rewriter = {arena, place_name, &p};

  return ir_rewrite_expr(&rewriter, expr);
}

/* The neighbour whose element each iteration loads. */
static int64_t fresh(const struct windows *w, const struct row_window *window)
{
  return window->step > 0 ? w->lanes - 1 : 0;
}

/* The elements become those of the next iteration. */
static void shift(struct windows *w, const struct row_window *window, struct ir_list *out)
{
  for (int64_t k = 0; k + 1 < w->lanes; k++) {
    int64_t to = window->step > 0 ? k : w->lanes - 1 - k;
    add_verbatim(w, out, assigned(w, held(w, window, to), held(w, window, to + window->step)));
  }
}

static void declare(struct windows *w, struct ir_list *out)
{
  struct arena *arena = w->code->arena;
  const struct ir_loop *loop = w->loop->loop;
  struct ir_list first = {0};
  struct ir_expr *lower = ir_build_cast(arena, loop->iterator->type, named(w, loop->lower));

  for (unsigned i = 0; i < w->count; i++) {
    struct row_window *window = &w->items[i];
    const struct array *array = window->first->array;
    const struct ir_type *type =
        ir_build_array_type(arena, ir_plain_type(arena, array->element), w->lanes);
    window->var = code_local(w->code, arena_format(arena, "_w_%s", array->var->name), type);
    window->var->of_thread = true;
    add_verbatim(w, out, ir_build_decl(arena, window->var, NULL));
    for (int64_t k = 0; k < w->lanes; k++)
      if (k != fresh(w, window))
        ir_list_add(arena, &first, assigned(w, held(w, window, k), element(w, window, k, lower)));
  }
  struct ir_expr *runs = ir_build_binary(arena, loop->relation, lower, named(w, loop->bound));
  struct ir_stmt *block = ir_build_block(arena, &first);
  add_verbatim(w, out, SEEDED(WINDOW_OF_NOTHING) ? block : ir_build_if(arena, runs, block));
}

static struct ir_expr *replace_load(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct windows *w = r->context;
  const struct code_access *found = code_access_of(w->code, expr);
  int window = found ? window_of(w, found) : -1;

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) return expr;
  int64_t step;

  if (window < 0 || !fits_window(w, found, &step)) return NULL;
  return ir_build_index(r->arena, ir_build_var(r->arena, w->items[window].var),
                        ir_build_var(r->arena, w->code->lane));
}

static struct ir_stmt *build_loop(struct windows *w)
{
  struct arena *arena = w->code->arena;
  struct ir_rewriter rewriter = {arena, replace_load, w};
  struct ir_list all = {0}, body = {0};

  declare(w, &all);
  for (unsigned i = 0; i < w->count; i++) {
    struct row_window *window = &w->items[i];
    int64_t lane = fresh(w, window);
    add_verbatim(w, &body, assigned(w, held(w, window, lane), element(w, window, lane, NULL)));
  }
  struct ir_stmt *within = ir_rewrite_stmt(&rewriter, w->loop->body);
  if (within->kind == IR_STMT_BLOCK)
    for (unsigned i = 0; i < within->child_count; i++)
      ir_list_add(arena, &body, within->children[i]);
  else
    ir_list_add(arena, &body, within);
  for (unsigned i = 0; i < w->count; i++) shift(w, &w->items[i], &body);
  struct ir_stmt *loop = ir_copy_stmt(arena, w->loop);
  loop->body = ir_build_block(arena, &body);
  loop->pragma = loop->pragma ? loop->pragma : "#pragma unroll 4";
  ir_list_add(arena, &all, loop);
  return ir_build_block(arena, &all);
}

static struct ir_stmt *rewrite(struct windows *w, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH || stmt->kind == IR_STMT_IF) return stmt;
  w->count = w->loads = 0;
  if (is_window_loop(w, stmt)) {
    note_body(w, stmt->body, true);
    if (w->count) add_costs(w);
    if (w->count) return build_loop(w);
  }
  struct ir_stmt *copy = ir_copy_stmt(w->code->arena, stmt), **below;
  bool loop = loop_is_one(stmt);
  if (loop && w->around_count == MOST_AROUND) return stmt;
  if (loop) w->around[w->around_count++] = stmt;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = rewrite(w, *below);
  w->around_count -= loop;
  return copy;
}

double windows_rewrite(struct code *code, struct interior *interior, struct ir_stmt *written,
                       int64_t lanes, struct ir_list *verbatim)
{
  struct windows w = {.code = code, .lanes = lanes, .verbatim = verbatim, .written_body = written};

  code_scan(code);
  if (code->access.reject) return 0;
  if (!code->lane) code->lane = code_local(code, "_lane", ir_int_type());
  interior->body = rewrite(&w, interior->body);
  return w.left > 0 ? w.written / w.left : 0;
}

/* ---- the form ---- */

struct form_search {
  struct code *code;
  const struct ir_stmt *loop;
  bool iterates, found;
};

static void note_its_name(struct ir_expr *expr, void *context)
{
  struct form_search *s = context;

  s->iterates |= expr->kind == IR_EXPR_VAR && expr->var == s->loop->loop->iterator;
}

static void note_sliding(struct ir_expr *expr, void *context)
{
  struct form_search *s = context;
  struct ir_expr *index =
      expr->kind == IR_EXPR_INDEX ? code_resolve(s->code, expr->operands[1]) : NULL;

  if (!index) return;
  s->iterates = false;
  ir_visit_expr(index, note_its_name, s);
  s->found |= s->iterates && index_named(index);
}

static bool note_form(struct ir_stmt *stmt, void *context)
{
  struct form_search *s = context;
  int64_t first, trips;

  if (stmt->kind != IR_STMT_FOR || !stmt->loop || stmt->loop->step != 1 || stmt->loop->step_expr ||
      loop_number(stmt) > 1 || reuse_short_loop(stmt, &first, &trips))
    return true;
  s->loop = stmt;
  ir_visit_stmt_exprs(stmt->body, note_sliding, s);
  return true;
}

bool windows_possible(struct code *code)
{
  struct form_search s = {code, NULL, false, false};

  ir_visit_stmts(code->facts.kernel->body, note_form, &s);
  return s.found;
}
