/* SPDX-License-Identifier: MIT */
/* explain_ranges.c - accesses, ranges and reuse of each array of the kernels, for --explain.
 *
 *     c[row][col] += a[row][k] * b[k][col]
 *         =>    a: [blockIdx.y .. blockIdx.y][0 .. 1023], 4096 bytes, 1024 accesses a thread,
 *                                                   an element used 128 times by the block;
 *                                                       the threads of a warp read one element
 *
 * It looks at the kernel as written, by the steps of plan_kernel.c without its choice. Requires:
 * the plan is made. Gives up: an array has no range where staging would find none; the reason is
 * recorded.
 */
#include "analysis/plan/report/explain.h"

#include <string.h>

#include "analysis/sets/budget.h"
#include "analysis/sets/lower.h"
#include "analysis/model/model.h"
#include "analysis/plan/staging/plan_kernel.h"

/* ---- an access in words ---- */

static struct ir_expr *without_conversions(struct arena *arena, const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_CONVERT && expr->operand_count)
    return without_conversions(arena, expr->operands[0]);
  struct ir_expr *copy = ARENA_NEW(arena, struct ir_expr);
  *copy = *expr;
  copy->operands = arena_alloc(arena, (expr->operand_count + 1) * sizeof *copy->operands);
  for (unsigned i = 0; i < expr->operand_count; i++)
    copy->operands[i] = without_conversions(arena, expr->operands[i]);
  return copy;
}

void explain_expr(struct text *out, struct arena *arena, const struct ir_expr *expr)
{
  ir_print_expr(out, without_conversions(arena, expr));
}

static const char *printed(struct arena *arena, const struct ir_expr *expr)
{
  struct text text = {0};

  explain_expr(&text, arena, expr);
  const char *copy = arena_string(arena, text_string(&text));
  text_finish(&text);
  return copy;
}

/* The text without the parentheses around all of it. */
static const char *bare(struct arena *arena, const char *text)
{
  size_t length = strlen(text);
  int depth = 0;

  if (length < 2 || text[0] != '(' || text[length - 1] != ')') return text;
  for (size_t i = 0; i + 1 < length; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (!depth) return text;
  }
  return arena_copy(arena, text + 1, length - 2);
}

static void add_form(struct text *out, struct symbols *symbols, isl_pw_aff *form,
                     const struct ir_expr *source)
{
  const struct ir_expr *expr = form ? lower_index(symbols, form) : NULL;

  text_add(out, expr || source ? bare(symbols->arena, printed(symbols->arena, expr ? expr : source))
                               : "?");
}

static void add_index(struct text *out, struct symbols *symbols, const struct access *access,
                      unsigned d)
{
  const struct value *value = &access->index[d];

  text_add(out, "[");
  for (unsigned i = 0; i < value->term_count; i++) {
    text_add(out, "(");
    add_form(out, symbols, value->terms[i].coefficient, NULL);
    text_add(out, ")");
    for (unsigned s = 0; s < STRIDE_FACTORS && value->terms[i].stride[s]; s++)
      text_format(out, " * %s", value->terms[i].stride[s]->name);
    text_add(out, " + ");
  }
  add_form(out, symbols, value->aff, value->term_count ? NULL : access->source[d]);
  text_add(out, "]");
}

static const char *element_text(struct symbols *symbols, const struct array *array,
                                const struct access *access)
{
  struct text text = {0};

  text_add(&text, array->var->name);
  for (unsigned d = 0; d < access->dim_count; d++) add_index(&text, symbols, access, d);
  const char *copy = arena_string(symbols->arena, text_string(&text));
  text_finish(&text);
  return copy;
}

/* ---- the accesses of a warp's threads ---- */

static enum pattern pattern_of(struct symbols *symbols, const struct access *access)
{
  double cycles = model_request(symbols, access);

  if (access_through_table(access)) return PATTERN_TABLE;
  return cycles > MODEL_NEIGHBOURS  ? PATTERN_APART
         : cycles > MODEL_BROADCAST ? PATTERN_NEIGHBOURS
                                    : PATTERN_SAME;
}

/* ---- an array ---- */

static double reuse_of(const struct kernel_facts *facts, const struct candidate *c)
{
  double threads = 1;

  for (int axis = 0; axis < 3; axis++)
    threads *= facts->block[axis] > 0 ? (double)facts->block[axis] : 0;
  return c->bytes ? c->count * threads * (double)c->array->element->size / (double)c->bytes : 0;
}

static void add_range(struct symbols *symbols, const struct candidate *c,
                      struct explained_array *ret)
{
  ret->place = c->place.line ? c->place : symbols->facts->kernel->name_place;
  if (c->segmentation)
    ret->range = "segments, whose bases a table gives";
  else if (c->box)
    ret->range = dump_box(symbols, c);
  else
    ret->no_range = c->reject ? c->reject : "its indices are not understood";
  if (!c->box || c->segmentation) return;
  explain_box(symbols, c, ret);
  ret->bytes = c->bytes;
  ret->reuse = reuse_of(symbols->facts, c);
}

static void add_access(struct symbols *symbols, const struct array *array,
                       const struct access *access, bool atomic, struct explained_array *ret)
{
  ret->accesses[ret->access_count++] =
      (struct explained_access){.place = access->place,
                                .text = element_text(symbols, array, access),
                                .read = access->read,
                                .write = access->write,
                                .atomic = atomic,
                                .must = access->must,
                                .count = access->count,
                                .pattern = pattern_of(symbols, access)};
  ret->count += access->count;
}

static void add_atomic(struct symbols *symbols, const struct array *array,
                       const struct atomic_seen *seen, struct explained_array *ret)
{
  struct access access = seen->where;

  if (!seen->shaped || !seen->call->operand_count) return;
  access.place = seen->call->place;
  add_access(symbols, array, &access, true, ret);
  const struct ir_expr *element = ir_strip(seen->call->operands[0]);
  bool pointed = element->kind == IR_EXPR_UNARY && element->op == IR_OP_ADDRESS;
  ret->accesses[ret->access_count - 1].text =
      printed(symbols->arena, pointed ? element->operands[0] : element);
}

void explain_array(struct symbols *symbols, const struct kernel_access *all,
                   const struct array *array, const struct candidate *c,
                   struct explained_array *ret)
{
  *ret = (struct explained_array){
      .var = array->var, .element = array->element, .read = array->read, .written = array->written};
  ret->accesses = arena_alloc(symbols->arena, (array->accesses.count + all->atomics.count + 1) *
                                                  sizeof *ret->accesses);
  for (unsigned i = 0; i < array->accesses.count; i++)
    add_access(symbols, array, &array->accesses.items[i], false, ret);
  for (unsigned i = 0; i < all->atomics.count; i++)
    if (all->atomics.items[i].var == array->var)
      add_atomic(symbols, array, &all->atomics.items[i], ret);
  ret->place = ret->access_count ? ret->accesses[0].place : symbols->facts->kernel->name_place;
  if (c)
    add_range(symbols, c, ret);
  else
    ret->no_range = array->var->kind == IR_VAR_DEVICE
                        ? "it is no virtual shared variable and no argument"
                        : "it is a scalar";
}

/* ---- all kernels ---- */

static void explain_kernel(struct explanation *e, struct effects *effects,
                           struct explained_kernel *kernel)
{
  struct stager stager = {.unit = e->unit};
  struct kernel_plan plan = {.looks_only = true};

  plan_kernel(effects, &stager, &kernel->facts, e->options, &plan);
  kernel->arrays = plan.explained.items;
  kernel->array_count = plan.explained.count;
  kernel->reject = plan.reject;
  kernel_plan_finish(&plan);
}

void explain_ranges(struct explanation *e, struct effects *effects)
{
  if (!e) return;
  budget_begin(BUDGET_KERNEL, BUDGET_UNIT, e->kernels.count);
  for (unsigned i = 0; i < e->kernels.count; i++)
    if (e->kernels.items[i]->has_facts) {
      budget_begin_kernel();
      explain_kernel(e, effects, e->kernels.items[i]);
      budget_end_kernel();
    }
  budget_end();
}
