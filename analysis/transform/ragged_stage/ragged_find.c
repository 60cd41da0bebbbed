/* SPDX-License-Identifier: MIT */
/* ragged_find.c - finds loops in which each thread goes over a range that an array gives, next to
 * that of the thread before.
 *
 *     i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i < n)                                         a guard: it holds for a whole block if it
 *                                                            holds for its first and last thread
 *       for (j = row[i]; j < row[i + 1]; j++)            the range: row[i], and row[i + 1]
 *         sum += val[j] * x[col[j]];                     val[j], x[col[j]] are copied
 *
 * The bounds are loads from arrays that the kernel does not write, at indices that go up by one
 * from each thread to the next. All threads of a block reach the loop together, apart from guards;
 * loops around it are those of the block, or step a thread's own index by the same number. What is
 * copied is found as for segments (strip_loads.c). Requires: a normal body and its scan. Gives up
 * per loop, with a remark where arrays give both bounds.
 */
#include "analysis/transform/ragged_stage/ragged.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "analysis/code/reuse.h"
#include "runtime/seeded.h"

enum { MOST_AROUND = 24, MOST_TRIPS = 16 };

struct finding {
  struct code *code;
  const struct uniform *uniform;
  struct ragged_all *all;
  struct ir_stmt *around[MOST_AROUND]; /* statements around this place, outermost first */
  bool otherwise[MOST_AROUND];         /* of an if: this place is in its other arm */
  unsigned depth;
  bool associative;      /* floats may be rounded in another way */
  struct ir_place place; /* of the reason */
};

/* ---- the loop by itself ---- */

static bool compares_own_type(const struct ir_stmt *stmt)
{
  const struct ir_expr *condition = ir_strip(stmt->expr);
  const struct ir_type *type = stmt->loop->iterator->type,
                       *compared =
                           condition->kind == IR_EXPR_BINARY ? condition->operands[0]->type : NULL;

  return compared && compared->kind == IR_TYPE_INT && compared->size == type->size &&
         compared->is_signed == type->is_signed;
}

struct body_search {
  struct code *code;
  bool meets;
};

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct body_search *s = context;

  s->meets |= effects_join(s->code->effects, expr) || effects_fence(s->code->effects, expr);
}

static const char *why_not_counting(struct finding *f, const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  struct body_search s = {.code = f->code};

  if (loop->step_expr || loop->step != 1 ||
      (loop->relation != IR_OP_LT && loop->relation != IR_OP_NE) ||
      loop->iterator->type->kind != IR_TYPE_INT || loop->iterator->type->size < 4 ||
      loop->iterator->address_taken || loop->iterator->type->is_volatile)
    return "the loop does not go up by one from a first value to an end";
  if (!compares_own_type(stmt))
    return "the loop's iterator is compared in another type than its own";
  ir_visit_stmt_exprs(stmt->body, note_meeting, &s);
  return s.meets ? "threads meet in the loop" : NULL;
}

struct steady_search {
  struct finding *f;
  bool fails;
};

/* Notes a variable whose value may be another one at the loop. */
static void note_unsteady(struct ir_expr *expr, void *context)
{
  struct steady_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  bool counts = false;

  if (!var || (var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_PARAM)) return;
  for (unsigned i = 0; i < s->f->depth; i++) {
    const struct ir_stmt *around = s->f->around[i];
    counts |= around->kind == IR_STMT_FOR && around->loop && around->loop->declared &&
              around->loop->iterator == var;
  }
  s->fails |=
      var->address_taken || (!counts && var->write_count > (unsigned)(var->kind == IR_VAR_LOCAL));
}

static bool is_steady(struct finding *f, struct ir_expr *expr)
{
  struct steady_search s = {f, false};

  ir_visit_expr(expr, note_unsteady, &s);
  return !s.fails;
}

/* ---- its bounds ---- */

struct decl_search {
  const struct ir_var *var;
  struct ir_expr *init;
};

static bool note_decl(struct ir_stmt *stmt, void *context)
{
  struct decl_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var) s->init = stmt->expr;
  return true;
}

/* The iterator's first value; in for (; j < end; j++) that of its declaration, if nothing else but
 * the loop changes it. The block tests it in any case. NULL: it is not known. */
static struct ir_expr *lower_of(const struct finding *f, const struct ir_loop *loop)
{
  struct decl_search s = {loop->iterator, NULL};

  if (loop->lower || loop->iterator->kind != IR_VAR_LOCAL || loop->iterator->write_count != 2)
    return loop->lower;
  ir_visit_stmts(f->code->facts.kernel->body, note_decl, &s);
  return s.init;
}

/* The load that gives the bound. NULL: it is none. */
static struct ir_expr *load_of(const struct finding *f, struct ir_expr *expr)
{
  const struct ir_expr *last = NULL;

  while (expr && expr != last) {
    last = expr;
    expr = ir_strip(expr);
    bool integer = expr->kind == IR_EXPR_CAST && expr->type->kind == IR_TYPE_INT &&
                   expr->operands[0]->type->kind == IR_TYPE_INT && expr->type->size >= 4;
    if (code_access_of(f->code, expr)) return expr;
    if (integer)
      expr = expr->operands[0];
    else if (expr->kind == IR_EXPR_VAR)
      expr = code_value_of(f->code, expr->var);
  }
  return NULL;
}

/* p[index] of it or of __ldg(&p[index]). NULL: it has another form. */
static struct ir_expr *element_of(struct ir_expr *load)
{
  load = ir_strip(load);
  if (load->kind == IR_EXPR_CALL && load->operand_count == 1) load = ir_strip(load->operands[0]);
  if (load->kind == IR_EXPR_UNARY && load->op == IR_OP_ADDRESS) load = ir_strip(load->operands[0]);
  bool plain = load->kind == IR_EXPR_INDEX && ir_strip(load->operands[0])->kind == IR_EXPR_VAR;
  return plain ? load : NULL;
}

static struct ir_expr *index_of(struct ir_expr *load)
{
  struct ir_expr *element = element_of(load);
  return element ? element->operands[1] : NULL;
}

static bool is_same_base(struct ir_expr *a, struct ir_expr *b)
{
  return ir_strip(element_of(a)->operands[0])->var == ir_strip(element_of(b)->operands[0])->var;
}

static const char *why_no_bound(struct finding *f, struct ir_expr *load, struct ir_expr **ret)
{
  const struct code_access *found = code_access_of(f->code, load);
  struct ir_expr *index = index_of(load), *value = index ? code_resolve(f->code, index) : NULL;
  struct ragged_linear linear =
      value ? ragged_linear(f->uniform, f->all, value) : (struct ragged_linear){.fits = false};

  f->place = found->access->place;
  if (found->array->reject) return found->array->reject;
  const struct ir_var *var = found->array->var;
  if (!found->access->read || found->access->has_effects || var->kind == IR_VAR_LOCAL ||
      var->kind == IR_VAR_SHARED || found->array->element->is_volatile)
    return "its bounds are no plain loads";
  if (var->kind == IR_VAR_PARAM && var->write_count) return "the kernel assigns its parameter";
  const char *written = code_why_written(f->code, found->array);
  if (written && !SEEDED(RAGGED_BOUNDS_WRITTEN)) return written;
  if (!linear.fits || !linear.known || linear.step != 1)
    return "the ranges of neighbouring threads are not known to be neighbours";
  *ret = code_resolve(f->code, load);
  if (!*ret) return "its bounds are too large an expression";
  return is_steady(f, *ret) ? NULL : "what the kernel changes decides about its bounds";
}

/* Is the second index the next one of the first? */
static bool is_next(struct ir_expr *first, struct ir_expr *second)
{
  struct ir_expr *a = ir_strip(first), *b = ir_strip(second);
  int64_t by[2] = {0, 0};
  struct ir_expr *of[2] = {a, b};

  for (unsigned i = 0; i < 2; i++)
    while (of[i]->kind == IR_EXPR_BINARY && of[i]->op == IR_OP_ADD) {
      int64_t constant;
      unsigned at = ir_constant(of[i]->operands[1], &constant)   ? 1
                    : ir_constant(of[i]->operands[0], &constant) ? 0
                                                                 : 2;
      if (at == 2) break;
      by[i] += constant;
      of[i] = ir_strip(of[i]->operands[1 - at]);
    }
  return by[1] - by[0] == 1 && ir_same_expr(of[0], of[1]);
}

static const char *why_no_bounds(struct finding *f, struct ragged *r, struct ir_expr *lower,
                                 struct ir_expr *bound)
{
  const char *reason = why_no_bound(f, lower, &r->first);

  if (!reason) reason = why_no_bound(f, bound, &r->end);
  if (reason) return reason;
  struct ir_expr *index[2] = {code_resolve(f->code, index_of(lower)),
                              code_resolve(f->code, index_of(bound))};
  r->apart = code_access_of(f->code, lower)->array != code_access_of(f->code, bound)->array ||
             !is_same_base(lower, bound) || !is_next(index[0], index[1]);
  return NULL;
}

/* ---- the statements around it ---- */

/* Adds the condition, or its opposite, to those that lead to the loop. False: it is no guard. */
static bool add_condition(struct finding *f, struct ragged_around *a, struct ir_expr *condition,
                          bool no)
{
  struct ir_expr *expr = ir_strip(condition);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_NOT)
    return add_condition(f, a, expr->operands[0], !no);
  if (expr->kind == IR_EXPR_BINARY && expr->op == (no ? IR_OP_LOR : IR_OP_LAND))
    return add_condition(f, a, expr->operands[0], no) && add_condition(f, a, expr->operands[1], no);
  bool own = !uniform_expr(f->uniform, expr);
  if (own) expr = code_resolve(f->code, expr);
  if (!expr || a->count == RAGGED_CONDITIONS ||
      (own && (!ragged_is_guard(f->uniform, f->all, expr) || !is_steady(f, expr))))
    return false;
  a->own[a->count] = own;
  a->conditions[a->count++] = no ? ir_build_not(f->code->arena, expr) : expr;
  return true;
}

/* The entry for the statement, new ones without conditions. NULL: there are too many, or the other
 * arm of the if has a loop, too. */
static struct ragged_around *entry_of(struct finding *f, struct ir_stmt *stmt, bool otherwise)
{
  struct ragged_all *all = f->all;

  for (unsigned i = 0; i < all->around_count; i++)
    if (all->around[i].stmt == stmt)
      return all->around[i].otherwise == otherwise ? &all->around[i] : NULL;
  if (all->around_count == RAGGED_AROUND) return NULL;
  struct ragged_around *a = &all->around[all->around_count++];
  *a = (struct ragged_around){.stmt = stmt, .otherwise = otherwise};
  return a;
}

static bool add_if(struct finding *f, struct ir_stmt *stmt, bool otherwise)
{
  if (uniform_expr(f->uniform, stmt->expr)) return true;
  struct ragged_around *a = entry_of(f, stmt, otherwise);
  return a && (a->count || add_condition(f, a, stmt->expr, otherwise));
}

/* for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride): each thread of a block has
 * the same number of iterations behind it. */
static bool add_strided(struct finding *f, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;

  if (!loop || !loop->lower || !loop->declared || loop->step < 0 ||
      loop->iterator->type->size < 4 || loop->iterator->address_taken ||
      strip_jumps(stmt->body, IR_STMT_BREAK) || strip_jumps(stmt->body, IR_STMT_CONTINUE) ||
      shape_return_in(stmt->body) || (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE) ||
      (loop->step_expr && !uniform_expr(f->uniform, loop->step_expr)) ||
      !uniform_expr(f->uniform, loop->bound))
    return false;
  struct ir_expr *lower = code_resolve(f->code, loop->lower);
  struct ragged_linear linear =
      lower ? ragged_linear(f->uniform, f->all, lower) : (struct ragged_linear){.fits = false};
  if (!linear.fits || !linear.known || linear.step != 1 || !is_steady(f, lower)) return false;
  struct ragged_around *a = entry_of(f, stmt, false);
  if (!a) return false;
  if (!a->base)
    a->base = code_local(f->code, arena_format(f->code->arena, "_%s", loop->iterator->name),
                         ir_plain_type(f->code->arena, loop->iterator->type));
  return true;
}

/* Why not all threads of a block come to this place together, apart from guards. */
static const char *why_not_together(struct finding *f)
{
  for (unsigned i = 0; i < f->depth; i++) {
    struct ir_stmt *stmt = f->around[i];
    f->place = stmt->place;
    switch (stmt->kind) {
    case IR_STMT_BLOCK: break;
    case IR_STMT_IF:
      if (!add_if(f, stmt, f->otherwise[i]))
        return "which threads of a block come to the loop depends on data";
      break;
    case IR_STMT_FOR:
    case IR_STMT_WHILE:
      if (!uniform_loop(f->uniform, stmt) && !(stmt->kind == IR_STMT_FOR && add_strided(f, stmt)))
        return "threads go through a loop around it at different times";
      break;
    default: return "it stands in a statement that threads go through at different times";
    }
  }
  return NULL;
}

/* ---- loops inside ---- */

/* Is there a loop of unknown length? */
static bool note_loop(struct ir_stmt *stmt, void *context)
{
  int64_t first, trips;

  if (loop_is_one(stmt) && (!reuse_short_loop(stmt, &first, &trips) || trips > MOST_TRIPS))
    *(bool *)context = true;
  return true;
}

static bool has_long_loop(struct ir_stmt *stmt)
{
  bool found = false;

  ir_visit_stmts(stmt, note_loop, &found);
  return found;
}

/* ---- all loops ---- */

static void skip_loop(struct finding *f, const struct ir_stmt *stmt, const char *reason)
{
  const struct ir_place *place = f->place.line ? &f->place : &stmt->place;

  code_decide(f->code, (struct decision){.kind = DECISION_TILES, .place = *place, .why = reason});
  code_remark(f->code, DIAG_RANGES_KEPT, place,
              "nothing is staged in chunks of the threads' ranges in '%s': %s",
              f->code->kernel->name, reason);
}

/* Returns from nested loops and switches cannot become a break of the loop. */
static bool returns_deep(const struct ir_stmt *stmt, bool deep)
{
  bool found = stmt && stmt->kind == IR_STMT_RETURN && deep;

  if (!stmt) return false;
  deep |= loop_is_one(stmt) || stmt->kind == IR_STMT_SWITCH;
  found |= returns_deep(stmt->body, deep) || returns_deep(stmt->else_body, deep);
  for (unsigned i = 0; i < stmt->child_count; i++) found |= returns_deep(stmt->children[i], deep);
  return found;
}

static const char *why_not_left(struct finding *f, const struct ragged *r, struct ir_stmt *stmt)
{
  const struct ir_stmt *left = shape_return_in(f->code->facts.kernel->body);

  if (left && left != shape_return_in(stmt->body)) {
    f->place = left->place;
    return "threads return from inside a loop or a nested statement";
  }
  if (!r->returns) return NULL;
  if (returns_deep(stmt->body, false)) return "threads return from a loop inside of it";
  for (unsigned i = 0; i < f->depth; i++)
    if (loop_is_one(f->around[i])) return "threads return from inside of a loop around it";
  return f->all->count ? "threads return from inside of it, behind another loop" : NULL;
}

static const char *why_rounds(struct finding *f, struct ir_stmt *stmt)
{
  const char *reason = ragged_rounds(stmt, &f->place);

  if (!reason) reason = ragged_rounds_behind(f->code, stmt, &f->place);
  for (unsigned i = 0; i < f->all->around_count && !reason; i++)
    reason = ragged_rounds_around(f->code, f->all->around[i].stmt, &f->place);
  return reason;
}

static const char *why_not(struct finding *f, struct ragged *r, struct ir_stmt *stmt)
{
  struct ir_expr *lower = load_of(f, lower_of(f, stmt->loop)),
                 *bound = load_of(f, stmt->loop->bound);
  const char *reason = why_not_counting(f, stmt);

  r->breaks = strip_jumps(stmt->body, IR_STMT_BREAK);
  r->returns = shape_return_in(stmt->body) != NULL;
  if (!reason) reason = why_not_left(f, r, stmt);
  if (!reason && ragged_waits(f->code, &f->place))
    reason = "a thread may wait for what another one of its block does";
  if (!reason && has_long_loop(stmt->body)) reason = "the time of an iteration is not known";
  if (!reason) reason = why_not_together(f);
  if (!reason) reason = why_no_bounds(f, r, lower, bound);
  if (!reason) f->place = (struct ir_place){0};
  return reason || f->associative ? reason : why_rounds(f, stmt);
}

struct thread_search {
  struct finding *f;
  unsigned depth;
  bool found;
};

/* Notes the thread's index along x, also as the begin of a loop around that counts the variable. */
static void note_thread(struct ir_expr *expr, void *context)
{
  struct thread_search *s = context;

  s->found |= expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX;
  for (unsigned i = 0; i < s->f->depth && expr->kind == IR_EXPR_VAR; i++) {
    const struct ir_loop *loop = s->f->around[i]->loop;
    struct ir_expr *lower = loop && loop->lower && loop->iterator == expr->var
                                ? code_resolve(s->f->code, loop->lower)
                                : NULL;
    if (!lower || s->depth == MOST_AROUND) continue;
    s->depth++;
    ir_visit_expr(lower, note_thread, s);
  }
}

/* Is the bound a load from an element of the thread's own? */
static bool is_of_thread(struct finding *f, struct ir_expr *bound)
{
  struct ir_expr *load = load_of(f, bound), *index = load ? index_of(load) : NULL;
  struct thread_search s = {.f = f};

  if (index) index = code_resolve(f->code, index);
  if (index) ir_visit_expr(index, note_thread, &s);
  return s.found;
}

static void look_at_loop(struct finding *f, struct ir_stmt *stmt)
{
  struct ragged *r = &f->all->items[f->all->count];
  struct ir_loop *loop = stmt->loop;

  if (!loop || f->all->count == MOST_RAGGED || !is_of_thread(f, lower_of(f, loop)) ||
      !is_of_thread(f, loop->bound))
    return;
  *r = (struct ragged){.strip = {.own = true, .nest = stmt, .segment = stmt, .body = stmt->body}};
  f->place = (struct ir_place){0};
  unsigned before = f->all->around_count;
  const char *reason = why_not(f, r, stmt);
  if (reason) {
    f->all->around_count = before;
    skip_loop(f, stmt, reason);
    return;
  }
  r->seen = strip_loads(f->code, f->uniform, &r->strip);
  if (!r->seen) {
    f->all->around_count = before;
    return;
  }
  f->all->count++;
}

static void visit(struct finding *f, struct ir_stmt *stmt)
{
  unsigned before = f->all->count;

  if (!stmt || f->depth == MOST_AROUND) return;
  f->around[f->depth] = stmt;
  f->otherwise[f->depth++] = false;
  visit(f, stmt->body);
  f->otherwise[f->depth - 1] = true;
  visit(f, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) visit(f, stmt->children[i]);
  f->depth--;
  if (stmt->kind == IR_STMT_FOR && f->all->count == before) look_at_loop(f, stmt);
}

void ragged_find(struct code *code, const struct uniform *uniform, bool associative,
                 struct ragged_all *ret)
{
  struct finding f = {.code = code, .uniform = uniform, .associative = associative, .all = ret};

  memset(ret, 0, sizeof *ret);
  visit(&f, code->facts.kernel->body);
}
