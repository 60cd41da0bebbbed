/* SPDX-License-Identifier: MIT */
/* strip_loads.c - the loads in an iteration of a segment that are the same for all threads of a
 * block.
 *
 *     const int j = index[k];                      an array: items[index[k]], of iteration k
 *     float p[3];
 *     for (d = 0; d < 3; d++)                      a row: words[3 * k + d] for d = 0 .. 2
 *       p[d] = words[3 * k + d];
 *     if (p[0] < x) sum += weight[list[k]];
 *         not sure to be read: where list[k] is within weight
 *
 * An address may have any form made of the iterator, of uniform values that do not change in the
 * body, of locals with one value (which replaces them), and of one short loop's iterator. If each
 * iteration loads an element in any case, the copy reads the same elements as the loop as written.
 * An element that is loaded under a condition is copied where it exists, which the size of its
 * object tells. If that is not known the load stays, unless another load certainly reads the same
 * element. In a loop that may be left early, no iteration but the first is sure to run. Where each
 * thread has a segment of its own (ragged_stage), an element is likewise the same for whichever
 * thread has the iteration, so its address names nothing of a thread. Requires: a scan, and a strip
 * with its segment. Gives up per access, with a remark.
 */
#include "analysis/code/loop.h"
#include "analysis/transform/segment_stage/strip.h"
#include "analysis/sets/lower.h"
#include "analysis/code/reuse.h"
#include "translator/base/diag.h"
#include "runtime/seeded.h"

enum { MOST_VALUES = 24, MOST_ROWS = 4, MOST_DEAD = 16, MOST_ROW_WORDS = 16, UNKNOWN_TRIPS = 16 };

struct loading {
  struct code *code;
  const struct uniform *uniform;
  struct strip *out;
  const struct ir_stmt *rows[MOST_ROWS]; /* short loops around this place, in the segment's body */
  unsigned row_count;
  /* This pass takes the loads of every iteration; the next one takes loads of the same elements. */
  bool sure;
  double around; /* executions of this place in an iteration */
};

/* ---- addresses ---- */

struct address_search {
  struct loading *f;
  const struct ir_expr *whole; /* the access */
  const struct ir_stmt *row;
  bool fails, iterates;
  unsigned depth;
};

static void note_address(struct ir_expr *expr, void *context);

static bool is_row_of(const struct loading *f, const struct ir_var *var,
                      const struct ir_stmt **ret_row)
{
  for (unsigned i = 0; i < f->row_count; i++)
    if (f->rows[i]->loop->iterator == var) {
      *ret_row = f->rows[i];
      return true;
    }
  return false;
}

static void note_address_var(struct address_search *s, struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;
  const struct ir_stmt *row = NULL;

  if (var == s->f->out->segment->loop->iterator) {
    s->iterates = true;
  } else if (is_row_of(s->f, var, &row)) {
    s->fails |= s->row && s->row != row;
    s->row = row;
  } else if (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) {
    bool inside = strip_declares(s->f->out->segment->body, var);
    /* what an iteration makes of its iterator is another thread's, too */
    s->fails |= !(inside && s->f->out->own) && !uniform_var(s->f->uniform, var);
    if (!inside) {
      s->fails |= strip_assigns(s->f->out->segment->body, var);
      return;
    }
    struct ir_expr *value = code_value_of(s->f->code, var);
    s->fails |= !value || ++s->depth > MOST_VALUES;
    if (!s->fails) ir_visit_expr(value, note_address, s);
  }
}

/* In threads with segments of their own: is it a number of the thread, or memory that may change?
 */
static bool is_of_thread(const struct address_search *s, const struct ir_expr *expr)
{
  const struct code_access *found = expr == s->whole ? NULL : code_access_of(s->f->code, expr);

  if (expr->kind == IR_EXPR_BUILTIN) return expr->value < IR_BLOCK_IDX;
  if (found) return code_why_written(s->f->code, found->array) && !SEEDED(RAGGED_INDEX_WRITTEN);
  return expr->kind == IR_EXPR_VAR && expr->var->kind != IR_VAR_LOCAL &&
         expr->var->kind != IR_VAR_PARAM && !expr->var->has_value &&
         expr->type->kind != IR_TYPE_ARRAY && expr->type->kind != IR_TYPE_POINTER;
}

static void note_address(struct ir_expr *expr, void *context)
{
  struct address_search *s = context;

  s->fails |= s->f->out->own && is_of_thread(s, expr);
  if (expr->kind == IR_EXPR_VAR) note_address_var(s, expr);
  if (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
      expr->effect != IR_EFFECT_LOAD)
    s->fails = true;
}

/* Replaces locals of the body in the address by their values. */
static struct ir_expr *replace_local(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct loading *f = r->context;

  if (expr->kind != IR_EXPR_VAR || !strip_declares(f->out->segment->body, expr->var)) return NULL;
  struct ir_expr *value = code_value_of(f->code, expr->var);
  bool kept = !value;
  for (unsigned i = 0; i < f->row_count; i++) kept |= f->rows[i]->loop->iterator == expr->var;
  return kept ? NULL : code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value));
}

static const char *unfit(const struct loading *f, const struct code_access *found)
{
  const struct array *array = found->array;
  const struct ir_type *element = array->element;

  if (array->reject) return array->reject;
  if (array->var->kind == IR_VAR_PARAM && array->var->write_count)
    return "the kernel assigns its parameter";
  if (array->var->kind == IR_VAR_DEVICE) return "it is a device variable";
  if (element->size <= 0 || element->is_volatile || element->is_unnamed ||
      element->kind == IR_TYPE_OTHER || element->kind == IR_TYPE_ARRAY ||
      (element->kind == IR_TYPE_RECORD && !element->is_trivial))
    return "its element type cannot be copied";
  return code_why_written(f->code, array);
}

/* ---- loads that are not certain ---- */

struct extent {
  int64_t low, high;
}; /* elements, the last one excluded */

static bool is_param(const struct ir_function *kernel, const struct ir_var *var, unsigned *ret)
{
  for (*ret = 0; *ret < kernel->param_count; ++*ret)
    if (kernel->params[*ret] == var) return true;
  return false;
}

/* The elements that exist in a dimension of the array. False: not known. */
static bool extent_of(const struct loading *f, const struct array *array, unsigned d,
                      struct extent *ret)
{
  unsigned param;

  if (array->var->type->kind == IR_TYPE_ARRAY || d > 0) {
    *ret = (struct extent){0, array->extents[d]};
    return array->extents[d] > 0;
  }
  if (!is_param(f->code->kernel, array->var, &param) || array->var->write_count ||
      array->dim_count != 1)
    return false;
  const struct pointer_fact *fact = &f->code->facts.pointers[param];
  int64_t size = array->element->size;
  *ret = (struct extent){-(-fact->low / size), fact->high / size};
  return fact->range_known;
}

static struct ir_expr *within(struct arena *arena, struct ir_expr *index,
                              const struct extent *extent)
{
  const struct ir_type *wide = lower_int_type(arena, true);
  struct ir_expr *low = ir_build_binary(arena, IR_OP_GE, ir_build_cast(arena, wide, index),
                                        ir_build_int(arena, extent->low));
  struct ir_expr *high = ir_build_binary(arena, IR_OP_LT, ir_build_cast(arena, wide, index),
                                         ir_build_int(arena, extent->high));

  return ir_build_binary(arena, IR_OP_LAND, low, high);
}

/* Does every iteration load the element as well? */
static bool is_sure(struct loading *f, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {f->code->arena, replace_local, f};
  struct ir_expr *element = ir_rewrite_expr(&rewriter, expr);

  for (unsigned i = 0; i < f->out->array_count; i++)
    if (!f->out->arrays[i].guard && !f->out->arrays[i].row &&
        ir_same_expr(f->out->arrays[i].element, element))
      return true;
  return false;
}

/* Adds to *guard the condition that every element in `expr` exists, from the inside out. False: it
 * is not known. */
static bool add_guards(struct loading *f, struct ir_expr *expr, struct ir_expr **guard);

static bool add_guards_within(struct loading *f, struct ir_expr *expr, struct ir_expr **guard)
{
  bool divides = expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM);
  bool chooses = expr->kind == IR_EXPR_COND || (expr->kind == IR_EXPR_BINARY &&
                                                (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  int64_t divisor;

  if (chooses || (divides && (!ir_constant(expr->operands[1], &divisor) || divisor <= 0)))
    return false; /* which part may be evaluated is only known under the condition */
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!add_guards(f, expr->operands[i], guard)) return false;
  return true;
}

static bool add_guards(struct loading *f, struct ir_expr *expr, struct ir_expr **guard)
{
  const struct code_access *found = code_access_of(f->code, expr);
  struct arena *arena = f->code->arena;
  unsigned d = found ? found->array->dim_count : 0;

  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL &&
      strip_declares(f->out->segment->body, expr->var)) {
    struct ir_expr *value = code_value_of(f->code, expr->var);
    const struct ir_stmt *row;
    return is_row_of(f, expr->var, &row) || (value && add_guards(f, value, guard));
  }
  if (!found) return add_guards_within(f, expr, guard);
  if (is_sure(f, expr)) return true;
  for (expr = ir_strip(expr); expr->kind == IR_EXPR_INDEX && d > 0;
       expr = ir_strip(expr->operands[0])) {
    struct extent extent;
    if (!extent_of(f, found->array, --d, &extent) || !add_guards(f, expr->operands[1], guard))
      return false;
    struct ir_expr *one = within(arena, expr->operands[1], &extent);
    *guard = *guard ? ir_build_binary(arena, IR_OP_LAND, *guard, one) : one;
  }
  return !d && expr->kind == IR_EXPR_VAR && expr->var == found->array->var;
}

/* ---- the arrays ---- */

static int known_array(const struct strip *out, struct ir_expr *element, const struct ir_stmt *row)
{
  for (unsigned i = 0; i < out->array_count; i++)
    if (out->arrays[i].row == row && ir_same_expr(out->arrays[i].element, element)) return (int)i;
  return -1;
}

static void skip(struct loading *f, const struct code_access *found, const char *reason)
{
  const char *name = found->array->var->name;
  bool own = f->out->own;

  code_decide(f->code, (struct decision){.kind = DECISION_TILES,
                                         .place = found->access->place,
                                         .array = name,
                                         .why = reason});
  code_remark(f->code, own ? DIAG_RANGES_KEPT : DIAG_NOT_STAGED, &found->access->place,
              "'%s' is not staged in %s in '%s': %s", name,
              own ? "chunks of its threads' ranges" : "strips of a segment", f->code->kernel->name,
              reason);
}

static bool new_array(struct loading *f, const struct code_access *found, struct ir_expr *element,
                      struct ir_expr *guard, const struct ir_stmt *row)
{
  struct strip *out = f->out;
  int64_t first = 0, trips = 1;

  if (out->array_count == STRIP_ARRAYS || (row && !reuse_short_loop(row, &first, &trips)) ||
      trips > MOST_ROW_WORDS)
    return false;
  out->arrays[out->array_count++] = (struct strip_array){.array = found->array,
                                                         .element = element,
                                                         .guard = guard,
                                                         .row = row,
                                                         .row_first = first,
                                                         .row_trips = trips};
  return true;
}

static bool is_global(const struct array *array)
{
  return array->var->kind != IR_VAR_LOCAL && array->var->kind != IR_VAR_SHARED;
}

/* Makes the access read the copy, if it can. True: it will. */
static bool take_access(struct loading *f, const struct ir_expr *expr, bool certain)
{
  const struct code_access *found = code_access_of(f->code, expr);
  struct address_search s = {.f = f, .whole = expr};
  struct ir_rewriter rewriter = {f->code->arena, replace_local, f};

  if (!found || !found->access->read || found->access->write || found->access->has_effects ||
      f->out->access_count == STRIP_ACCESSES)
    return false;
  for (unsigned i = 0; i < f->out->access_count; i++)
    if (f->out->accesses[i].expr == expr) return true;
  ir_visit_expr((struct ir_expr *)expr, note_address, &s);
  if (s.fails || !s.iterates || (f->out->own && !is_global(found->array)) ||
      (!f->out->own && instances_of_expr(&f->uniform->in, expr) &&
       code_read_only(f->code, found->array)))
    return false;
  const char *reason = unfit(f, found);
  struct ir_expr *element = reason ? NULL : ir_rewrite_expr(&rewriter, (struct ir_expr *)expr);
  int known = element ? known_array(f->out, element, s.row) : -1;
  struct ir_expr *guard = NULL;
  if (!reason && known < 0 && !certain && !SEEDED(STRIP_UNSURE_READ)) {
    if (f->sure) return false;
    if (!add_guards(f, (struct ir_expr *)expr, &guard))
      reason = "not every iteration is sure to read it, and what is not read may not exist";
    else if (guard)
      guard = ir_rewrite_expr(&rewriter, guard);
  }
  if (reason) {
    skip(f, found, reason);
    return false;
  }
  if (known < 0 && !new_array(f, found, element, guard, s.row)) return false;
  known = known < 0 ? (int)f->out->array_count - 1 : known;
  f->out->arrays[known].count += f->around;
  f->out->accesses[f->out->access_count++] = (struct strip_access){expr, (unsigned)known};
  return true;
}

static void look_at_expr(struct loading *f, struct ir_expr *expr, bool certain)
{
  if (!expr || take_access(f, expr, certain)) return;
  bool address = expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS;
  bool shorts = expr->kind == IR_EXPR_COND ||
                (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  for (unsigned i = 0; i < expr->operand_count && !address; i++)
    look_at_expr(f, expr->operands[i], certain && !(shorts && i));
}

static bool is_row(const struct loading *f, const struct ir_stmt *stmt)
{
  int64_t first, trips;

  return f->row_count < MOST_ROWS && stmt->kind == IR_STMT_FOR &&
         reuse_short_loop(stmt, &first, &trips) && stmt->loop->declared && stmt->loop->step == 1 &&
         trips > 0 && !strip_jumps(stmt->body, IR_STMT_BREAK) &&
         !strip_jumps(stmt->body, IR_STMT_CONTINUE);
}

static void look_at(struct loading *f, struct ir_stmt *stmt, bool certain)
{
  double around = f->around;
  int64_t first, trips = UNKNOWN_TRIPS;

  if (!stmt) return;
  bool row = is_row(f, stmt), loop = loop_is_one(stmt);
  look_at(f, stmt->init, certain);
  if (loop)
    f->around *= row && reuse_short_loop(stmt, &first, &trips) ? (double)trips : UNKNOWN_TRIPS;
  if (stmt->expr) look_at_expr(f, stmt->expr, certain && !loop);
  f->around /= stmt->kind == IR_STMT_IF ? 2 : 1;
  if (row) f->rows[f->row_count++] = stmt;
  bool inside = certain && (row || stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS);
  look_at(f, stmt->body, inside);
  look_at(f, stmt->else_body, inside);
  look_at_expr(f, stmt->increment, false);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    look_at(f, stmt->children[i], inside);
    inside &= !strip_jumps(stmt->children[i], IR_STMT_CONTINUE);
  }
  f->row_count -= row;
  f->around = around;
}

/* ---- the rest of the body ---- */

static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct loading *f = r->context;

  for (unsigned i = 0; i < f->out->access_count; i++)
    if (f->out->accesses[i].expr == expr) return ir_build_int(r->arena, 0);
  return NULL;
}

struct dead {
  struct ir_stmt *body;
  const struct ir_var *vars[MOST_DEAD];
  unsigned count;
};

static bool note_dead(struct ir_stmt *stmt, void *context)
{
  struct dead *d = context;
  bool unused = stmt->kind == IR_STMT_DECL && stmt->expr && !ir_has_effects(stmt->expr) &&
                !ir_stmt_has_var(d->body, stmt->var);

  if (unused && d->count < MOST_DEAD) d->vars[d->count++] = stmt->var;
  return true;
}

/* The statement without declarations of unused variables. */
static struct ir_stmt *without_dead(struct arena *arena, struct ir_stmt *stmt,
                                    const struct dead *dead)
{
  if (!stmt) return NULL;
  for (unsigned i = 0; stmt->kind == IR_STMT_DECL && i < dead->count; i++)
    if (dead->vars[i] == stmt->var) return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = without_dead(arena, stmt->body, dead);
  copy->else_body = without_dead(arena, stmt->else_body, dead);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  copy->child_count = 0;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = without_dead(arena, stmt->children[i], dead);
    if (child && !(child->kind == IR_STMT_DECLS && !child->child_count))
      copy->children[copy->child_count++] = child;
  }
  return copy;
}

/* Sets the body for the time when copies are read: code that only their addresses needed is
 * removed. Returns it without the accesses. */
static struct ir_stmt *strip_body(struct loading *f)
{
  struct arena *arena = f->code->arena;
  struct ir_rewriter rewriter = {arena, replace_access, f};
  struct dead dead = {.body = ir_rewrite_stmt(&rewriter, f->out->segment->body)};

  do {
    dead.count = 0;
    ir_visit_stmts(dead.body, note_dead, &dead);
    f->out->body = without_dead(arena, f->out->body, &dead);
    dead.body = without_dead(arena, dead.body, &dead);
  } while (dead.count);
  return dead.body;
}

struct use_search {
  const struct ir_expr *expr;
  bool found;
};

static void note_use(struct ir_expr *expr, void *context)
{
  struct use_search *s = context;
  s->found |= expr == s->expr;
}

/* Forgets the arrays that only addresses of other elements needed. */
static void drop_unused(struct strip *out)
{
  unsigned kept = 0, arrays = 0, moved[STRIP_ARRAYS];
  bool used[STRIP_ARRAYS] = {false};

  for (unsigned i = 0; i < out->access_count; i++) {
    struct use_search s = {out->accesses[i].expr, false};
    ir_visit_stmt_exprs(out->body, note_use, &s);
    if (!s.found) continue;
    used[out->accesses[i].array] = true;
    out->accesses[kept++] = out->accesses[i];
  }
  out->access_count = kept;
  for (unsigned i = 0; i < out->array_count; i++) {
    moved[i] = arrays;
    if (used[i]) out->arrays[arrays++] = out->arrays[i];
  }
  out->array_count = arrays;
  for (unsigned i = 0; i < kept; i++) out->accesses[i].array = moved[out->accesses[i].array];
}

struct ir_stmt *strip_loads(struct code *code, const struct uniform *uniform, struct strip *strip)
{
  struct loading f = {.code = code, .uniform = uniform, .out = strip, .around = 1};

  bool left = strip_jumps(strip->segment->body, IR_STMT_BREAK) ||
              shape_return_in(strip->segment->body) != NULL;

  for (unsigned pass = 0; pass < 2; pass++) {
    f.sure = !pass;
    look_at(&f, strip->segment->body, !left || SEEDED(RAGGED_BEHIND_BREAK));
  }
  if (!strip->array_count) return NULL;
  struct ir_stmt *seen = strip_body(&f);
  drop_unused(strip);
  return strip->array_count ? seen : NULL;
}
