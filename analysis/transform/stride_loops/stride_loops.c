/* SPDX-License-Identifier: MIT */
/* stride_loops.c - loops by which the threads of a launch share elements become an element a
 * thread.
 *
 *     for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < n; i += gridDim.y * blockDim.y)
 *       for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < m; j += gridDim.x * blockDim.x)
 *         c[i * m + j] = f(i, j);
 *   =>
 *     int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
 *     if (i < n)                                                 m x n elements
 *       if (j < m) c[i * m + j] = f(i, j);
 *
 *     for (int j = threadIdx.x; j < n; j += blockDim.x) c[blockIdx.x * n + j] = ...
 *   =>
 *     the same with a row for each block: n x gridDim.x elements
 *
 * Rows of threads that do the same are one row then (idle_rows.c).
 * Steps of a block through its tile, and of a thread through neighbours, are the other form
 * (block_steps.c).
 * The launch computes the elements (mesi_elements), and takes the kernel as written where there are
 * none, or its blocks or its grid have more dimensions. Requires: nothing but declarations beside
 * the loops (stride_find.c); iterations of a thread that hand nothing on (stride_legal.c); the
 * launch's values can be computed twice. Produces: code in the new ids, whose facts follow, and
 * draft->extents. Gives up: another use of the ids over which the loops go; code that is not free
 * of its shape then.
 */
#include "analysis/transform/stride_loops/stride_loops.h"

#include "analysis/code/renew.h"
#include "analysis/code/rounding.h"
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

struct striding {
  struct code *code;
  const struct stride_nest *nest;
  struct ir_var *elements[2]; /* by level: in the place of its iterator */
  bool left;                  /* an index over which the loops go is used otherwise */
};

/* ---- the body ---- */

static struct ir_expr *element_as(struct arena *arena, struct ir_var *element,
                                  const struct ir_type *type)
{
  struct ir_expr *var = ir_build_var(arena, element);
  const struct ir_type *plain = ir_plain_type(arena, type);

  return ir_same_type(plain, var->type) ? var : ir_build_cast(arena, plain, var);
}

/* Is there an iteration for the element? */
static struct ir_expr *inside_of(struct striding *s, unsigned level)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *bound = s->nest->levels[level].bound;

  return ir_build_binary(arena, IR_OP_LT, element_as(arena, s->elements[level], bound->type),
                         bound);
}

/* A statement in front of a loop, without the loop's counter. */
static void add_front(struct striding *s, struct ir_stmt *stmt, struct ir_list *out)
{
  bool counter = false;

  for (unsigned i = 0; stmt->kind == IR_STMT_DECLS && i < stmt->child_count; i++)
    add_front(s, stmt->children[i], out);
  if (stmt->kind == IR_STMT_DECLS) return;
  for (unsigned i = 0; stmt->kind == IR_STMT_DECL && i < s->nest->count; i++)
    counter |= stmt->var == s->nest->levels[i].loop->loop->iterator;
  if (!counter) ir_list_add(s->code->arena, out, stmt);
}

static struct ir_stmt *replaced(struct striding *s, struct ir_stmt *stmt, unsigned level)
{
  struct arena *arena = s->code->arena;

  if (level == s->nest->count) return stmt;
  if (stmt == s->nest->levels[level].source) {
    struct ir_expr *inside = inside_of(s, level);
    inside->place = stmt->place;
    return ir_build_if(arena, inside, replaced(s, s->nest->levels[level].loop->body, level + 1));
  }
  struct ir_list out = {0};
  for (unsigned i = 0; i + 1 < stmt->child_count; i++) add_front(s, stmt->children[i], &out);
  ir_list_add(arena, &out, replaced(s, stmt->children[stmt->child_count - 1], level));
  return ir_build_block(arena, &out);
}

static bool is_over(const struct stride_nest *nest, int axis)
{
  for (unsigned i = 0; i < nest->count; i++)
    if (nest->levels[i].axis == axis) return true;
  return false;
}

static struct ir_expr *replace_index(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct striding *s = r->context;
  struct ir_expr *ret = NULL;

  if (expr->kind == IR_EXPR_VAR)
    for (unsigned i = 0; i < s->nest->count; i++)
      if (expr->var == s->nest->levels[i].loop->loop->iterator)
        return element_as(r->arena, s->elements[i], expr->type);
  if (expr->kind != IR_EXPR_BUILTIN || expr->value == IR_WARP_SIZE) return NULL;
  int axis = (int)expr->value % 3;
  if (!s->nest->of_block) {
    s->left |= axis == 2 || is_over(s->nest, axis);
    return NULL;
  }
  s->left |= !axis && expr->value != IR_BLOCK_IDX;
  ret = axis ? ir_build_int(r->arena, expr->value >= IR_BLOCK_DIM) : shape_global_id(r->arena, 1);
  if (!ir_same_type(ret->type, expr->type))
    ret = ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), ret);
  ret->place = expr->place;
  return ret;
}

/* NULL: an index is left. */
static struct ir_stmt *body_of_element(struct striding *s)
{
  struct arena *arena = s->code->arena;
  struct ir_rewriter rewriter = {arena, replace_index, s};
  struct ir_list out = {0};

  for (unsigned i = 0; i < s->nest->count; i++) {
    struct ir_var *var = code_local(s->code, "_element", ir_int_type());
    var->init = shape_global_id(arena, s->nest->levels[i].axis);
    var->write_count = 1;
    s->elements[i] = var;
    ir_list_add(arena, &out, ir_build_decl(arena, var, var->init));
  }
  struct ir_stmt *body = code_without_unused(arena, replaced(s, s->code->facts.kernel->body, 0));
  ir_list_add(arena, &out, ir_rewrite_stmt(&rewriter, body));
  return s->left ? NULL : ir_build_block(arena, &out);
}

/* ---- facts ---- */

static void note_builtin(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE;
}

/* The launch's blocks stay what its warps are made of; conditions on its shape have no meaning. */
void stride_follow_facts(struct code *code, const struct stride_nest *nest)
{
  struct kernel_facts *facts = &code->facts;
  struct ir_expr **context = arena_alloc(code->arena, (facts->context_count + 1) * sizeof *context);
  unsigned count = 0;

  for (unsigned i = 0; i < facts->context_count; i++) {
    bool shape = false;
    ir_visit_expr(facts->context[i], note_builtin, &shape);
    if (!shape) context[count++] = facts->context[i];
  }
  facts->context = context;
  facts->context_count = count;
  if (nest->of_block) facts->block[1] = 1;
  facts->block[2] = facts->grid[2] = 1;
  facts->grid[0] = facts->grid[1] = -1;
  facts->layers_apart = true;
}

static struct extents extents_of(struct arena *arena, const struct stride_nest *nest)
{
  static const struct ir_type wide = {
      .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};
  struct extents ret = {.given = true, .of_block = nest->of_block, .flat = nest->flat};

  for (unsigned i = 0; i < nest->count; i++)
    ret.along[nest->levels[i].axis] = ir_build_cast(arena, &wide, nest->levels[i].bound);
  return ret;
}

/* ---- the row ---- */

static bool is_shape_free(struct code *code)
{
  struct remarks unused = {0};
  struct code looked = code_copy(code, &unused);
  const char *reason;
  struct ir_place place;

  bool is = shape_free(&looked, &reason, &place);
  code_finish(&looked);
  return is;
}

static bool has_shape(const struct kernel_facts *facts, bool of_block)
{
  for (int axis = of_block ? 1 : 2; axis < 3; axis++)
    if (facts->block[axis] > 1 || facts->grid[axis] > 1) return false;
  return facts->repeatable && !facts->within_count;
}

/* The elements of loops over a launch's threads, or over a block's. */
static bool form_strides(struct code *code, struct extents *ret)
{
  struct stride_nest nest;
  struct striding s = {.code = code, .nest = &nest};

  if (!stride_find(code, &nest) || !has_shape(&code->facts, nest.of_block) ||
      !stride_legal(code, &nest))
    return false;
  struct ir_stmt *element = body_of_element(&s);
  code_drop_scan(code);
  if (!element) return false;
  *ret = extents_of(code->arena, &nest);
  code->facts.kernel->body = element;
  stride_follow_facts(code, &nest);
  return true;
}

/* What the elements are in the place of. NULL: there is no such form. */
static const char *form_of(struct code *code, struct extents *ret)
{
  static const char shared[] =
      "an element a thread in the place of loops by which threads share elements";
  struct block_steps steps;

  if (form_strides(code, ret)) return shared;
  if (block_steps_form(code, &steps)) {
    *ret = steps.extents;
    return shared;
  }
  return idle_rows_form(code, ret) ? "one row of threads in the place of rows that do the same"
                                   : NULL;
}

/* A loop around products may be what keeps them where their sums are. `facts`, `body`: with it. */
static bool keeps_rounding(struct code *code, const struct kernel_facts *facts,
                           struct ir_stmt *body)
{
  struct remapped remapped = {.unlooped = true};
  struct remarks unused = {0};
  struct code looked = code_copy(code, &unused);
  struct ir_place place;

  looked.facts = *facts;
  looked.facts.kernel = ir_copy_function(code->arena, facts->kernel);
  looked.facts.kernel->body = body;
  const char *reason = code->reorders || SEEDED(LOOP_GONE_UNASKED)
                           ? NULL
                           : rounding_remapped(&looked, &remapped, &place);
  if (reason)
    code_remark(code, DIAG_NOT_MAPPED, &place, "'%s' keeps its loops over elements: %s",
                code->kernel->name, reason);
  return !reason;
}

bool plan_stride_loops(struct draft *draft)
{
  struct code *code = &draft->code;
  struct code_kept before = code_keep(code);
  struct extents *extents = ARENA_NEW(code->arena, struct extents);
  const char *what = draft->way ? NULL : form_of(code, extents);

  if (!what) return false;
  code->facts.kernel->body = code_renew_locals(code, code->facts.kernel->body);
  if (!is_shape_free(code) || !keeps_rounding(code, &before.facts, before.kernel.body)) {
    code_go_back(code, &before);
    return false;
  }
  draft->extents = extents;
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_STRIDE_LOOPS, DIAG_STRIDE_LOOPS, NULL, what};
  draft_own_body(draft);
  return true;
}
