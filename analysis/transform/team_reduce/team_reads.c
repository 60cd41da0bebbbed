/* SPDX-License-Identifier: MIT */
/* team_reads.c - the reads in the iterations of a shared loop, and those that can be 16-byte loads.
 *
 *     sum += a[row * n + j] * x[j]     a: its own, 4 bytes, a row;
 *         a, x: four iterations at once where n % 4 == 0 and a, x are aligned
 *
 * An element that no other thread of the kernel reads follows the iterator element by element
 * (rows), or the thread (columns). Elements of neighbouring iterations become one vector load under
 * three conditions. Every iteration reads its own element; the first one is at a multiple of 16
 * bytes; and the loop is a whole number of loads, by the facts or as the launch checks
 * (precondition.c). Requires: team_reduce_find, and blocks of several elements for
 * team_reduce_reads. Gives up: loops with continue, indices that are computed in the loop.
 */
#include "analysis/transform/team_reduce/team_reduce.h"
#include "analysis/code/tiles.h"
#include "analysis/code/loop.h"
#include "analysis/code/alignment.h"
#include "runtime/seeded.h"

/* How often an expression names the iterator, also through locals. */
struct naming {
  struct code *code;
  const struct ir_var *iterator;
  unsigned count;
};

static void count_name(struct ir_expr *expr, void *context)
{
  struct naming *n = context;
  if (expr->kind != IR_EXPR_VAR) return;
  n->count += expr->var == n->iterator;
  struct ir_expr *value = code_value_of(n->code, expr->var);
  if (value) ir_visit_expr(value, count_name, n);
}

static bool has_unknown(const struct access *access)
{
  bool unknown = false;

  for (unsigned d = 0; d < access->dim_count; d++)
    for (unsigned t = 0; t <= access->index[d].term_count; t++) {
      isl_pw_aff *form = t ? access->index[d].terms[t - 1].coefficient : access->index[d].aff;
      isl_space *space = isl_pw_aff_get_domain_space(form);
      unknown |= symbols_any_unknown(space);
      isl_space_free(space);
    }
  return unknown;
}

/* A value that the analysis does not know may change with the iterator: `a[(k - 2u) >> 31][k]`. */
static bool hides_iterator(struct code *code, const struct code_access *found,
                           const struct ir_var *iterator)
{
  struct naming naming = {code, iterator, 0};

  if (has_unknown(found->access)) ir_visit_expr((struct ir_expr *)found->expr, count_name, &naming);
  return naming.count > 1 && !SEEDED(TEAM_ROW_UNKNOWN);
}

static int follows(const struct access *access, const struct ir_var *iterator)
{
  int how = 0;

  for (unsigned d = 0; d < access->dim_count; d++)
    for (unsigned t = 0; t <= access->index[d].term_count; t++) {
      isl_pw_aff *form = t ? access->index[d].terms[t - 1].coefficient : access->index[d].aff;
      if (!form) return 2;
      isl_space *space = isl_pw_aff_get_domain_space(form);
      for (int p = 0; p < isl_space_dim(space, isl_dim_param); p++) {
        const struct symbol *symbol = symbol_of_param(space, (unsigned)p);
        if (symbol->kind != SYMBOL_LOOP || symbol->var != iterator ||
            isl_pw_aff_involves_param_id(form, symbol->id) != isl_bool_true)
          continue;
        bool one = false;
        if (!t && d + 1 == access->dim_count && isl_pw_aff_isa_aff(form) == isl_bool_true) {
          isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
          isl_val *by = isl_aff_get_coefficient_val(aff, isl_dim_param, p);
          one = isl_val_is_one(by) == isl_bool_true && isl_aff_dim(aff, isl_dim_div) == 0;
          isl_val_free(by);
          isl_aff_free(aff);
        }
        how = one && how < 2 ? 1 : 2;
      }
      isl_space_free(space);
    }
  return how;
}

int team_reduce_follows(struct code *code, const struct code_access *found,
                        const struct ir_var *iterator)
{
  int how = follows(found->access, iterator);
  return how == 1 && hides_iterator(code, found, iterator) ? 2 : how;
}

struct reading {
  struct code *code;
  struct team_loop *c;
  double rows, columns, uniform;
  bool unknown; /* threads may read other elements than each other for all that is known */
};

static void note_read(struct ir_expr *expr, void *context)
{
  struct reading *r = context;
  const struct code_access *found = code_access_of(r->code, expr);

  if (!found) return;
  double request = model_request(&r->code->symbols, found->access),
         size = (double)found->array->element->size;
  int how = team_reduce_follows(r->code, found, r->c->loop->loop->iterator);
  r->unknown |= has_unknown(found->access);
  if (how == 0) return; /* other iterations read it, too */
  if (request < MODEL_NEIGHBOURS)
    r->uniform += size;
  else if (request > MODEL_NEIGHBOURS)
    r->rows += size;
  else
    r->columns += size;
}

/* Does the loop read an array of which not all accesses are known? */
static bool reads_unknown(const struct code *code, const struct team_loop *c)
{
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *array = code->access.arrays.items[i];
    if (array->reject && ir_count_var(c->loop, array->var)) return true;
  }
  return code->access.unknown_read;
}

bool team_reduce_reads(struct code *code, struct team_loop *c)
{
  struct reading reading = {code, c, 0, 0, 0, false};

  ir_visit_stmt_exprs(c->loop->body, note_read, &reading);
  c->bytes = reading.rows + reading.columns;
  c->uniform =
      !(c->bytes > 0) && reading.uniform > 0 && !reading.unknown && !reads_unknown(code, c);
  c->rows = !c->uniform && reading.rows >= reading.columns;
  if (c->uniform) c->bytes = reading.uniform;
  return c->bytes > 0;
}

/* ---- vector loads ---- */

static struct ir_expr *loop_length(struct code *code, const struct ir_loop *loop)
{
  struct ir_expr *end = loop_end(code->arena, loop);
  int64_t lower;

  if (ir_constant(loop->lower, &lower) && lower == 0) return end;
  return ir_build_binary(code->arena, IR_OP_SUB, end, loop->lower);
}

/* The form without the iterator. */
static isl_pw_aff *at_start(isl_pw_aff *form, const struct ir_var *iterator)
{
  isl_aff *aff =
      isl_pw_aff_isa_aff(form) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(form)) : NULL;
  isl_space *space = aff ? isl_aff_get_domain_space(aff) : NULL;

  for (int p = 0; aff && p < isl_space_dim(space, isl_dim_param); p++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)p);
    if (symbol->kind == SYMBOL_LOOP && symbol->var == iterator)
      aff = isl_aff_set_coefficient_si(aff, isl_dim_param, p, 0);
  }
  isl_space_free(space);
  return aff ? isl_pw_aff_from_aff(aff) : NULL;
}

bool team_reduce_starts_aligned(struct code *code, const struct code_access *found,
                                const struct ir_var *iterator, int64_t vector)
{
  const struct access *access = found->access;
  const struct value *last = &access->index[access->dim_count - 1];
  isl_pw_aff *start = at_start(last->aff, iterator);
  bool aligned = start && form_is_multiple(code, start, vector);

  isl_pw_aff_free(start);
  for (unsigned t = 0; aligned && t < last->term_count; t++) {
    const struct value_term *term = &last->terms[t];
    aligned = form_is_multiple(code, term->coefficient, vector) ||
              stride_is_multiple(code, term->stride, vector);
  }
  for (unsigned d = 0; aligned && d + 1 < access->dim_count; d++)
    aligned = found->array->extents[d + 1] > 0 && found->array->extents[d + 1] % vector == 0;
  return aligned && array_is_aligned(code, found->array);
}

struct vectorizing {
  struct code *code;
  struct team_loop *c;
};

struct inner_search {
  struct ir_stmt *loop;
  bool found;
};

static void note_inner(struct ir_expr *expr, void *context)
{
  struct inner_search *s = context;
  s->found |= expr->kind == IR_EXPR_VAR && expr->var != s->loop->loop->iterator &&
              team_reduce_declares(s->loop, expr->var);
}

bool team_reduce_names_inner(struct ir_stmt *loop, struct ir_expr *expr)
{
  struct inner_search search = {loop, false};

  ir_visit_expr(expr, note_inner, &search);
  return search.found;
}

static bool is_plain(const struct ir_type *type)
{
  return (type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_INT) &&
         (type->size == 4 || type->size == 8) && !type->is_volatile;
}

static void try_vector(struct vectorizing *w, struct ir_expr *expr, const struct code_access *found)
{
  struct team_loop *c = w->c;
  struct preconditions saved = *w->code->preconditions;
  int64_t vector = 16 / found->array->element->size;

  bool fits = expr->kind == IR_EXPR_INDEX && is_plain(found->array->element) &&
              (!c->vector || c->vector == vector) && c->vector_count < MOST_VECTORS &&
              !team_reduce_names_inner(c->loop, expr) &&
              team_reduce_follows(w->code, found, c->loop->loop->iterator) == 1 &&
              !ir_has_effects(expr);
  if (!fits || !team_reduce_starts_aligned(w->code, found, c->loop->loop->iterator, vector)) {
    *w->code->preconditions = saved;
    return;
  }
  c->vector = vector;
  c->vectors[c->vector_count++] = (struct vector_load){expr, found->array, NULL};
}

/* Looks for vector loads among the reads that every iteration makes. */
static void vectorize_expr(struct vectorizing *w, struct ir_expr *expr)
{
  const struct code_access *found = expr ? code_access_of(w->code, expr) : NULL;

  if (!expr) return;
  if (found) {
    try_vector(w, expr, found);
    return;
  }
  bool sometimes =
      expr->kind == IR_EXPR_COND ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  for (unsigned i = 0; i < (sometimes ? 1 : expr->operand_count); i++)
    vectorize_expr(w, expr->operands[i]);
}

static bool skips(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_CONTINUE;
  return true;
}

static void vectorize_stmt(struct vectorizing *w, struct ir_stmt *stmt)
{
  switch (stmt->kind) {
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++) vectorize_stmt(w, stmt->children[i]);
    break;
  case IR_STMT_EXPR:
  case IR_STMT_DECL:
  case IR_STMT_IF: vectorize_expr(w, stmt->expr); break;
  default: break;
  }
}

bool team_reduce_vectorize(struct code *code, struct team_loop *c)
{
  struct vectorizing w = {.code = code, .c = c};
  bool skipping = false;

  c->vector_count = 0;
  c->vector = 0;
  ir_visit_stmts(c->loop->body, skips, &skipping);
  if (c->loop->loop->step != 1 || skipping) return false;
  vectorize_stmt(&w, c->loop->body);
  if (!c->vector_count) return false;
  return precondition_multiple(code, loop_length(code, c->loop->loop), c->vector) &&
         precondition_multiple(code, c->loop->loop->lower, c->vector);
}
