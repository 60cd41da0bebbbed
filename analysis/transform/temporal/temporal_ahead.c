/* SPDX-License-Identifier: MIT */
/* temporal_ahead.c - loads from arrays that no launch writes, made two steps early.
 *
 *     for (_t = 0; _t < depth - 1; _t += 2) {
 *       _r_to = wall[row of step _t][j] + best;
 *       ...
 *     }
 *   =>
 *     _a_wall[_ix] = wall[row of step 0][j]; _a_wall_2[_ix] = wall[row of step 1][j];
 *     for (_t = 0; _t < depth - 1; _t += 2) {
 *       _r_to = _a_wall[_ix] + best;
 *       if (_t + 2 < depth) _a_wall[_ix] = wall[row of step _t + 2][j];
 *       ...
 *     }
 *
 * Steps of a warp that holds its elements only wait for such loads. If all points of a tile are
 * computed, each step makes these loads in any case. They are loads of the same elements, apart
 * from scalars that differ between launches, whose values are known from the start.
 *
 * A part of temporal_build.c. Gives up per load, which stays where it is: loads under a condition
 * or in a loop; loads whose address depends on locals that change; loads of the same elements in
 * all steps, which the compiler of the emitted code makes once.
 */
#include "analysis/transform/temporal/temporal_parts.h"

enum { MOST_WORDS = 16 /* of a thread, for each of two steps */, MOST_DEPTH = 16 };

/* ---- the loads ---- */

struct place_search {
  struct building *b;
  unsigned depth;
  bool fails, differs;
};

static void note_place(struct ir_expr *expr, void *context)
{
  struct place_search *s = context;
  const struct ir_var *var =
      expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL && !expr->var->has_value
          ? expr->var
          : NULL;
  struct ir_expr *value = var ? code_value_of(&s->b->t->code, var) : NULL;

  for (unsigned i = 0; expr->kind == IR_EXPR_VAR && i < s->b->t->value_count; i++)
    s->differs |= expr->var == s->b->t->code.kernel->params[s->b->t->values[i]];
  s->fails |= (var && !value) || s->depth == MOST_DEPTH;
  if (!value || s->fails) return;
  s->depth++;
  ir_visit_expr(value, note_place, s);
  s->depth--;
}

static int64_t words_of(struct building *b, const struct ir_expr *load)
{
  return points_along(b, 0) * load->type->size / 4;
}

static void note_load(struct building *b, struct ir_expr *load)
{
  struct place_search s = {.b = b};
  int64_t words = words_of(b, load);

  for (unsigned i = 0; i < b->early_count; i++) {
    if (b->early[i].odd == b->odd && ir_same_expr(b->early[i].expr, load)) return;
    words += b->early[i].odd == b->odd ? words_of(b, b->early[i].expr) : 0;
  }
  ir_visit_expr(load, note_place, &s);
  if (s.fails || !s.differs || words > MOST_WORDS || b->early_count == TEMPORAL_EARLY) return;
  const struct code_access *found = code_access_of(&b->t->code, load);
  const struct ir_type *type =
      ir_build_array_type(b->arena, ir_plain_type(b->arena, load->type), points_along(b, 0));
  struct ir_var *row = local(b, arena_format(b->arena, "_a_%s", found->array->var->name), type);
  b->early[b->early_count++] = (struct early_load){load, b->odd, row};
}

static void find_in_expr(struct building *b, struct ir_expr *expr)
{
  bool chooses =
      expr && (expr->kind == IR_EXPR_COND ||
               (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR)));

  if (!expr) return;
  if (temporal_loads_vectors(b, expr)) {
    note_load(b, expr);
    return;
  }
  for (unsigned i = 0; i < (chooses ? 1 : expr->operand_count); i++)
    find_in_expr(b, expr->operands[i]);
}

/* Finds the loads that a statement makes in any case. */
static void find_in_stmt(struct building *b, struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_EXPR) find_in_expr(b, stmt->expr);
  for (unsigned i = 0;
       (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS) && i < stmt->child_count; i++)
    find_in_stmt(b, stmt->children[i]);
}

void temporal_early_find(struct building *b, struct ir_list *out)
{
  for (unsigned odd = 0; odd < 2 && is_line(b); odd++) {
    temporal_enter(b, odd, TO_REGISTERS, true, NULL);
    find_in_stmt(b, b->t->interior.body);
  }
  for (unsigned i = 0; i < b->early_count; i++)
    ir_list_add(b->arena, out, ir_build_decl(b->arena, b->early[i].row, NULL));
}

/* ---- the code ---- */

static struct ir_expr *of_row(struct building *b, const struct early_load *early)
{
  return ir_build_index(b->arena, use(b, early->row), use(b, b->round[0]));
}

struct ir_expr *temporal_early_value(struct building *b, const struct ir_expr *expr)
{
  for (unsigned i = 0; b->vectorized && i < b->early_count; i++)
    if (b->early[i].odd == b->odd && ir_same_expr(b->early[i].expr, expr))
      return of_row(b, &b->early[i]);
  return NULL;
}

static struct ir_expr *replace_local(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(&b->t->code, expr->var) : NULL;

  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

/* The element with the values of locals in their places. */
static struct ir_expr *placed(struct building *b, const struct ir_expr *load)
{
  struct ir_rewriter rewriter = {b->arena, replace_local, b};
  struct ir_expr *copy = ARENA_NEW(b->arena, struct ir_expr);

  *copy = *load;
  copy->operands = arena_alloc(b->arena, 2 * sizeof *copy->operands);
  for (unsigned i = 0; i < 2; i++)
    copy->operands[i] = ir_rewrite_expr(&rewriter, load->operands[i]);
  return copy;
}

struct ir_stmt *temporal_early_load(struct building *b, bool odd, struct ir_expr *step)
{
  struct ir_list loads = {0};

  temporal_enter(b, odd, TO_REGISTERS, true, step);
  for (unsigned i = 0; i < b->early_count; i++)
    if (b->early[i].odd == odd)
      ir_list_add(b->arena, &loads,
                  assign(b, of_row(b, &b->early[i]),
                         temporal_load_lane(b, b->early[i].expr, placed(b, b->early[i].expr))));
  if (!loads.items.count) return NULL;
  struct ir_stmt *all = temporal_each_point(b, ir_build_body(b->arena, &loads));
  int64_t first;
  return ir_constant(step, &first) && !first
             ? all
             : ir_build_if(b->arena, join(b, IR_OP_LT, step, depth(b)), all);
}
