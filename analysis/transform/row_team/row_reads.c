/* SPDX-License-Identifier: MIT */
/* row_reads.c - the accesses of a pass that go to a row of the thread's own, and the rows that
 * begin at multiples of 16 bytes.
 *
 *     x[row * n + j]                          as the scan's form says
 *     const float *own = x + (size_t)row * n, own[j]
 *         the form only has a value for (size_t)row * n; the expression
 *         tells that it follows the thread, and is a multiple of 4 where n is
 *
 * A product or a sum modulo a power of two is a multiple of a smaller one where its parts are,
 * whatever type computes it. Requires: a scan. Where the expression does not tell, the row counts
 * as no thread's own, and is not loaded 16 bytes at once.
 */
#include "analysis/transform/row_team/row_team.h"

#include "analysis/code/alignment.h"
#include "analysis/code/loop.h"

/* ---- rows of a thread's own ---- */

struct thread_search {
  const struct code *code;
  bool *within; /* by variable id: it was visited */
  bool found;
};

static void note_thread(struct ir_expr *expr, void *context)
{
  struct thread_search *s = context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(s->code, expr->var) : NULL;

  s->found |= expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX;
  if (!value && expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL &&
      !s->within[expr->var->id]) {
    s->within[expr->var->id] = true;
    value = expr->var->init;
  }
  if (value && !s->found) ir_visit_expr(value, note_thread, s);
}

static bool involves(const struct access *access, const struct symbol *symbol)
{
  bool found = false;

  for (unsigned d = 0; d < access->dim_count; d++)
    found |= access->index[d].aff &&
             isl_pw_aff_involves_param_id(access->index[d].aff, symbol->id) == isl_bool_true;
  return found;
}

bool row_team_is_own(struct code *code, const struct code_access *found)
{
  struct thread_search search = {
      .code = code, .within = arena_alloc(code->arena, code->facts.kernel->var_count + 1)};

  if (model_request(&code->symbols, found->access) > MODEL_NEIGHBOURS) return true;
  if (involves(found->access, symbol_of_builtin(&code->symbols, IR_THREAD_IDX))) return false;
  ir_visit_expr((struct ir_expr *)found->expr, note_thread, &search);
  return search.found;
}

/* Is it the iterator, in a type that holds all of its values? */
static bool is_iterator(const struct ir_expr *expr, const struct ir_var *iterator)
{
  while (expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CONVERT ||
         expr->kind == IR_EXPR_CAST) {
    if (expr->type->kind != IR_TYPE_INT || expr->type->size < iterator->type->size) return false;
    expr = expr->operands[0];
  }
  return expr->kind == IR_EXPR_VAR && expr->var == iterator;
}

/* Is it a sum with the iterator as one term? Even modulo a power of two it differs in each
 * iteration. */
static bool adds_iterator(struct ir_expr *expr, const struct ir_var *iterator)
{
  if (is_iterator(expr, iterator)) return true;
  expr = ir_strip(expr);
  bool sum = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD &&
             expr->type->kind == IR_TYPE_INT && expr->type->size >= iterator->type->size;
  if (!sum) return false;
  unsigned at = ir_expr_has_var(expr->operands[0], iterator) ? 0 : 1;
  return !ir_expr_has_var(expr->operands[1 - at], iterator) &&
         adds_iterator(expr->operands[at], iterator);
}

bool row_team_follows(struct code *code, const struct code_access *found,
                      const struct ir_var *iterator)
{
  const struct ir_expr *expr = found->expr;

  if (team_reduce_follows(code, found, iterator) == 1) return true;
  return expr->kind == IR_EXPR_INDEX && found->access->dim_count == 1 &&
         !ir_expr_has_var(expr->operands[0], iterator) &&
         adds_iterator(expr->operands[1], iterator);
}

/* ---- multiples ---- */

static bool is_multiple(struct code *code, struct ir_expr *expr, int64_t of)
{
  int64_t value;

  expr = ir_strip(expr);
  while (expr->kind == IR_EXPR_CAST) expr = ir_strip(expr->operands[0]);
  if (expr->type->kind != IR_TYPE_INT) return false;
  if (ir_constant(expr, &value)) return value % of == 0;
  struct ir_expr *stands = expr->kind == IR_EXPR_VAR ? code_value_of(code, expr->var) : NULL;
  if (stands) return is_multiple(code, stands, of);
  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL)
    return is_multiple(code, expr->operands[0], of) || is_multiple(code, expr->operands[1], of);
  if (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB))
    return is_multiple(code, expr->operands[0], of) && is_multiple(code, expr->operands[1], of);
  return expr->kind == IR_EXPR_VAR && precondition_multiple(code, expr, of);
}

/* Is the address a multiple of 16 bytes, which are `of` elements? */
static bool is_aligned(struct code *code, const struct array *array, struct ir_expr *expr,
                       int64_t of)
{
  expr = ir_strip(expr);
  if (expr->kind == IR_EXPR_VAR && expr->var == array->var) return array_is_aligned(code, array);
  if (expr->kind == IR_EXPR_VAR)
    return expr->var->kind == IR_VAR_LOCAL && expr->var->write_count == 1 && expr->var->init &&
           !expr->var->address_taken && is_aligned(code, array, expr->var->init, of);
  bool sum = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD;
  if (!sum || expr->type->kind != IR_TYPE_POINTER) return false;
  unsigned at = ir_strip(expr->operands[1])->type->kind == IR_TYPE_INT ? 0 : 1;
  return is_aligned(code, array, expr->operands[at], of) &&
         is_multiple(code, expr->operands[1 - at], of);
}

/* Is the index a sum with the iterator as one term, and a multiple of `of` apart from it? */
static bool starts_multiple(struct code *code, struct ir_expr *index, const struct ir_var *iterator,
                            int64_t of)
{
  index = ir_strip(index);
  while (index->kind == IR_EXPR_CAST) index = ir_strip(index->operands[0]);
  if (index->kind == IR_EXPR_VAR && index->var == iterator) return true;
  if (!ir_expr_has_var(index, iterator)) return is_multiple(code, index, of);
  return index->kind == IR_EXPR_BINARY && index->op == IR_OP_ADD &&
         starts_multiple(code, index->operands[0], iterator, of) &&
         starts_multiple(code, index->operands[1], iterator, of);
}

static bool begins_aligned(struct code *code, const struct row_group *group,
                           const struct ir_var *iterator, int64_t vector)
{
  const struct code_access *found = code_access_of(code, group->like);
  struct preconditions saved = *code->preconditions;

  if (team_reduce_starts_aligned(code, found, iterator, vector)) return true;
  *code->preconditions = saved;
  return is_aligned(code, group->array, group->like->operands[0], vector) &&
         starts_multiple(code, group->like->operands[1], iterator, vector);
}

bool row_team_vectorize(struct code *code, const struct row_passes *p, int64_t vector)
{
  for (unsigned g = 0; g < p->group_count; g++) {
    const struct row_group *group = &p->groups[g];
    const struct ir_type *element = group->array->element;
    bool number =
        (element->kind == IR_TYPE_FLOAT || element->kind == IR_TYPE_INT) && !element->is_volatile;
    if (!number || element->size * vector != 16 ||
        !begins_aligned(code, group, p->passes[group->pass].loop->loop->iterator, vector))
      return false;
  }
  for (unsigned i = 0; i < p->pass_count; i++)
    if (!precondition_multiple(code, loop_end(code->arena, p->passes[i].loop->loop), vector))
      return false;
  return p->group_count;
}
