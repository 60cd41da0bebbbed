/* SPDX-License-Identifier: MIT */
/* shape_free.c - finds kernels that use thread and block indices as global ids only, and gives them
 * another shape.
 *
 *     int tx = threadIdx.x;
 *     int col = blockIdx.x * blockDim.x + tx;
 *     if (col >= n) return;
 *     ...
 *   =>
 *     int col = blockIdx.x * 64 + threadIdx.x;
 *     if (col < 1000) {
 *       if (col < n) { ... }
 *     }
 *
 * A use of an index is fine inside an expression that is affine in threadIdx and blockIdx of one
 * axis and equals blockIdx * blockDim + threadIdx + constant under the launch's facts. Locals that
 * are set once are replaced by their values. blockDim and gridDim are numbers where the launch
 * gives them; their product is the total of the axis, from which gridDim follows where only
 * blockDim is known. CUDA lets the threads of a grid run in any order unless they communicate. So a
 * kernel is not shape-free if it has a barrier, a shared array, a warp operation, a fence, an
 * atomic whose result is used, volatile accesses, or output.
 *
 * Blocks of several layers become a loop in each thread, over the elements of a block along z:
 *
 *     int k = blockIdx.z * blockDim.z + threadIdx.z;
 *         =>    for (int _z = 0; _z < 8; _z++) { int k = blockIdx.z * 8 + _z; ... }
 */
#include <string.h>

#include "analysis/code/precondition.h"
#include "analysis/code/shape_linear.h"
#include "runtime/seeded.h"

static void give_up(struct shaping *s, const char *reason, const struct ir_place *place)
{
  if (s->reason) return;
  s->reason = reason;
  s->place = *place;
}

/* ---- replacing ---- */

static struct ir_expr *typed(struct shaping *s, struct ir_expr *expr, const struct ir_type *type)
{
  return ir_build_cast(s->code->arena, type, expr);
}

/* The constant of a form of `type`, taken between -2^(bits - 1) and 2^(bits - 1). */
static int64_t signed_constant(const struct linear *form, const struct ir_type *type)
{
  return form->exact || type->size == 8 ? form->constant
                                        : (int32_t)(uint32_t)(uint64_t)form->constant;
}

/* `id` + constant, in the type of `id`. */
static struct ir_expr *plus_constant(struct shaping *s, struct ir_expr *id, int64_t constant)
{
  struct arena *arena = s->code->arena;
  bool negative = constant < 0 && constant >= -INT32_MAX;
  struct ir_expr *number = ir_build_int(arena, negative ? -constant : constant);

  if (!constant) return id;
  if (number->type->size == 8) number = typed(s, number, id->type);
  struct ir_expr *sum = ir_build_binary(arena, negative ? IR_OP_SUB : IR_OP_ADD, id, number);
  sum->type = id->type;
  return sum;
}

/* blockIdx * block + threadIdx, unsigned. */
static struct ir_expr *first_id(struct shaping *s, int axis)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *block = ir_build_builtin(arena, IR_BLOCK_IDX + axis);
  bool layers = axis == 2;
  struct ir_expr *thread =
      layers ? ir_build_var(arena, s->layer) : ir_build_builtin(arena, IR_THREAD_IDX + axis);
  int64_t size = layers ? s->geometry->layers : s->geometry->block[axis];

  if (s->ids) return ir_build_var(arena, s->ids[axis]);
  if (size == 1) return block;
  struct ir_expr *first = ir_build_binary(arena, IR_OP_MUL, block, ir_build_int(arena, size));
  first->type = block->type;
  struct ir_expr *id = ir_build_binary(arena, IR_OP_ADD, first, thread);
  id->type = block->type;
  return id;
}

/* blockIdx * block + threadIdx + constant, of the type of `like`. The constant is added in that
 * type, in which the form equals the original expression. An id is an int, too. It is widened as an
 * int, so that transformations that visit points beside it may subtract from it. */
static struct ir_expr *virtual_id(struct shaping *s, const struct linear *form,
                                  const struct ir_expr *like)
{
  struct ir_expr *id = first_id(s, form->axis);
  const struct ir_type *type = ir_plain_type(s->code->arena, like->type);
  bool same = ir_same_type(type, id->type);

  if (SEEDED(ID_SUM_UNSIGNED)) return typed(s, plus_constant(s, id, form->constant), type);
  if (type->size == 8) id = typed(s, id, ir_int_type());
  return plus_constant(s, same ? id : typed(s, id, type), signed_constant(form, type));
}

static struct ir_var *total_param(struct shaping *s, int axis)
{
  if (!s->totals[axis]) {
    const char *name = unit_local_name(s->code->unit, axis ? "_total_y" : "_total_x");
    s->totals[axis] = ir_add_param(s->code->arena, s->code->facts.kernel, name, ir_int_type());
  }
  return s->totals[axis];
}

static struct ir_expr *total_of(struct shaping *s, int axis)
{
  int64_t block = s->facts->block[axis], grid = s->facts->grid[axis];

  if (block > 0 && grid > 0) return ir_build_int(s->code->arena, block * grid);
  return ir_build_var(s->code->arena, total_param(s, axis));
}

/* The axis of a product gridDim * blockDim; -1: it is none. */
static int total_axis(const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_MUL) return -1;
  struct ir_expr *a = ir_strip(expr->operands[0]), *b = ir_strip(expr->operands[1]);
  if (a->kind != IR_EXPR_BUILTIN || b->kind != IR_EXPR_BUILTIN || a->value == IR_WARP_SIZE ||
      b->value == IR_WARP_SIZE)
    return -1;
  int64_t low = a->value < b->value ? a->value : b->value, high = a->value + b->value - low;
  return low >= IR_BLOCK_DIM && low < IR_GRID_DIM && high == low + 3 && low % 3 < 2 ? (int)(low % 3)
                                                                                    : -1;
}

/* gridDim of a launch whose blocks alone are known: the total over their size. */
static struct ir_expr *grid_of_total(struct shaping *s, struct ir_expr *expr, int axis)
{
  struct arena *arena = s->code->arena;
  int64_t size = s->facts->block[axis];

  if (!s->geometry) return expr;
  struct ir_expr *total = total_of(s, axis);
  if (size > 1 && !SEEDED(GRID_IS_TOTAL))
    total = ir_build_binary(arena, IR_OP_DIV, total, ir_build_int(arena, size));
  return typed(s, total, expr->type);
}

static struct ir_expr *replace_builtin(struct shaping *s, struct ir_expr *expr)
{
  int axis = (int)expr->value % 3;

  if (expr->value == IR_WARP_SIZE) return expr;
  if (expr->value >= IR_GRID_DIM && axis < 2 && s->facts->grid[axis] <= 0 &&
      s->facts->block[axis] > 0)
    return grid_of_total(s, expr, axis);
  if (expr->value >= IR_BLOCK_DIM) {
    int64_t size = expr->value >= IR_GRID_DIM ? s->facts->grid[axis] : s->facts->block[axis];
    if (axis == 2 && expr->value >= IR_GRID_DIM && !s->layer) return expr;
    if (size <= 0) give_up(s, "it uses the block or grid size by itself", &expr->place);
    return size > 0 ? typed(s, ir_build_int(s->code->arena, size), expr->type) : expr;
  }
  if (axis == 2 && !s->layer && s->facts->block[2] == 1) return expr;
  if (axis == 2 && s->layer && expr->value < IR_BLOCK_IDX && s->facts->block[2] == 1)
    return typed(s, ir_build_int(s->code->arena, 0), expr->type);
  give_up(s, "it uses a thread or block index other than as a global id", &expr->place);
  return expr;
}

static struct ir_expr *replace_index(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct shaping *s = r->context;
  int axis = total_axis(expr);

  if (axis >= 0) return s->geometry ? typed(s, total_of(s, axis), expr->type) : expr;
  struct linear form = linear_of(s, expr);
  /* a local that holds an id stays: its own initialiser is replaced */
  if (expr->kind == IR_EXPR_VAR && linear_is_global_id(s, &form)) return NULL;
  if (linear_is_global_id(s, &form)) return s->geometry ? virtual_id(s, &form, expr) : expr;
  if (expr->kind == IR_EXPR_VAR && linear_uses_index(&form)) {
    give_up(s, "it uses a thread or block index other than as a global id", &expr->place);
    return expr;
  }
  return expr->kind == IR_EXPR_BUILTIN ? replace_builtin(s, expr) : NULL;
}

/* Does the statement declare a local for a part of an id? No expression uses it once all ids are
 * replaced. That is decided by what the uses see: an initialiser in which a function's body has
 * taken the place of its call may be one that they do not. */
static bool holds_part(struct shaping *s, const struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_DECL || !stmt->expr || !linear_keeps_value(stmt->var) ||
      !linear_is_index_type(stmt->var->type))
    return false;
  struct linear form = linear_of(s, SEEDED(PART_UNSEEN) ? stmt->expr : stmt->var->init);
  return linear_uses_index(&form) && !linear_is_global_id(s, &form);
}

static struct ir_stmt *drop_parts(struct shaping *s, struct ir_stmt *stmt)
{
  if (!stmt || (stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_DECLS)) return stmt;
  struct ir_list out = {0};
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (!holds_part(s, stmt->children[i]))
      ir_list_add(s->code->arena, &out, drop_parts(s, stmt->children[i]));
  struct ir_stmt *copy = ARENA_NEW(s->code->arena, struct ir_stmt);
  *copy = *stmt;
  copy->children = out.items.items;
  copy->child_count = out.items.count;
  return stmt->kind == IR_STMT_DECLS && !copy->child_count ? NULL : copy;
}

/* ---- operations that a shape-free kernel must not have ---- */

static bool callee_uses_index(const struct ir_function *function, unsigned depth);

struct callee_search {
  unsigned depth;
  bool found;
};

static void note_index(struct ir_expr *expr, void *context)
{
  struct callee_search *search = context;

  search->found |= expr->kind == IR_EXPR_BUILTIN ||
                   (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_SHARED);
  if (expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_CALLEE)
    search->found |= callee_uses_index(expr->callee, search->depth + 1);
}

static bool callee_uses_index(const struct ir_function *function, unsigned depth)
{
  struct callee_search search = {depth, false};

  if (!function->body || depth > 16) return true;
  ir_visit_stmt_exprs(function->body, note_index, &search);
  return search.found;
}

static bool is_assertion(const struct ir_expr *call) { return !strncmp(call->text, "__assert", 8); }

static void note_call(struct shaping *s, const struct ir_expr *expr)
{
  switch (expr->effect) {
  case IR_EFFECT_NONE:
  case IR_EFFECT_LOAD: break;
  case IR_EFFECT_ATOMIC:
    if (effects_order(expr)) give_up(s, "it has a memory fence", &expr->place);
    break;
  case IR_EFFECT_BARRIER: give_up(s, "it has a barrier", &expr->place); break;
  case IR_EFFECT_WARP: give_up(s, "it has a warp operation", &expr->place); break;
  case IR_EFFECT_FENCE: give_up(s, "it has a memory fence", &expr->place); break;
  case IR_EFFECT_PRINT:
    give_up(s, is_assertion(expr) ? "it has an assert, which NDEBUG takes out" : "it prints",
            &expr->place);
    break;
  case IR_EFFECT_CALLEE: {
    const struct function_effects *effects = effects_of(s->code->effects, expr->callee);
    if (effects->unknown_call)
      give_up(s, "it calls a function whose effects are not known", &expr->place);
    else if (effects->barrier || effects->warp || effects->fence)
      give_up(s, "it calls a function whose effects may join threads", &expr->place);
    else if (callee_uses_index(expr->callee, 0))
      give_up(s, "it calls a function that uses thread or block indices", &expr->place);
    break;
  }
  default: give_up(s, "it calls a function whose effects are not known", &expr->place); break;
  }
}

/* Runs before all else: a kernel with a tile by hand needs no other reason. */
static void note_shared(struct ir_expr *expr, void *context)
{
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_SHARED)
    give_up(context, "it has a shared array", &expr->place);
}

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct shaping *s = context;

  if (expr->kind == IR_EXPR_CALL) note_call(s, expr);
  if (expr->type->is_volatile) give_up(s, "it accesses volatile memory", &expr->place);
  for (unsigned i = 0; i < expr->operand_count; i++) {
    const struct ir_expr *operand = expr->operands[i];
    if (operand->kind == IR_EXPR_CALL && operand->effect == IR_EFFECT_ATOMIC)
      give_up(s, "it uses the result of an atomic operation", &operand->place);
  }
}

static bool note_atomic_result(struct ir_stmt *stmt, void *context)
{
  struct shaping *s = context;

  if (stmt->kind != IR_STMT_EXPR && stmt->expr && ir_strip(stmt->expr)->kind == IR_EXPR_CALL &&
      ir_strip(stmt->expr)->effect == IR_EFFECT_ATOMIC)
    give_up(s, "it uses the result of an atomic operation", &stmt->place);
  return true;
}

bool shape_free(struct code *code, const char **ret_reason, struct ir_place *ret_place)
{
  struct shaping s = {.code = code, .facts = &code->facts};
  struct ir_rewriter look = {code->arena, replace_index, &s};

  ir_visit_stmt_exprs(code->facts.kernel->body, note_shared, &s);
  ir_visit_stmt_exprs(code->facts.kernel->body, note_meeting, &s);
  ir_visit_stmts(code->facts.kernel->body, note_atomic_result, &s);
  if (!s.reason) ir_rewrite_stmt(&look, drop_parts(&s, code->facts.kernel->body));
  *ret_reason = s.reason;
  *ret_place = s.place;
  return !s.reason;
}

/* ---- the new shape ---- */

/* `body` for the launch's threads only. A block's last threads may lie beyond its total, unless the
 * code assumes that they do not. */
static struct ir_stmt *within_total(struct shaping *s, struct ir_stmt *body)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *condition = NULL;

  for (int axis = s->layer ? 2 : 1; axis >= 0; axis--) {
    int64_t block = s->facts->block[axis], grid = s->facts->grid[axis],
            size = axis == 2 ? s->geometry->layers : s->geometry->block[axis];
    if (size == 1 || (block > 0 && grid > 0 && block * grid % size == 0)) continue;
    if (axis == 2 && !(block > 0 && grid > 0)) continue; /* the launch's layers are a multiple */
    if (precondition_whole(s->code) && block > 0 && grid > 0)
      give_up(s, "its blocks are not whole", &s->code->kernel->name_place);
    struct linear id = {.known = true, .exact = true, .axis = axis};
    struct ir_expr like = {.kind = IR_EXPR_INT, .type = ir_int_type()};
    struct ir_expr *inside =
        ir_build_binary(arena, IR_OP_LT, virtual_id(s, &id, &like), total_of(s, axis));
    condition = condition ? ir_build_binary(arena, IR_OP_LAND, condition, inside) : inside;
  }
  if (!condition || precondition_whole(s->code) || SEEDED(BEYOND_TOTAL)) return body;
  struct ir_list out = {0};
  ir_list_add(arena, &out, ir_build_if(arena, condition, body));
  return ir_build_block(arena, &out);
}

/* `body` for the layers of the block, one after the other. If there is only one, no variable
 * remains. */
static struct ir_stmt *over_layers(struct shaping *s, struct ir_stmt *body)
{
  struct arena *arena = s->code->arena;
  struct ir_list out = {0};

  if (!s->layer || s->geometry->layers == 1) return body;
  ir_list_add(arena, &out,
              ir_build_for(arena, s->layer, ir_build_int(arena, 0),
                           ir_build_int(arena, s->geometry->layers), 1, body));
  return ir_build_block(arena, &out);
}

/* Extends the facts to added parameters, whose values are unknown. */
static void extend_facts(struct code *code)
{
  unsigned count = code->facts.kernel->param_count, own = code->kernel->param_count;
  struct scalar_fact *scalars = arena_alloc(code->arena, (count + 1) * sizeof *scalars);
  struct pointer_fact *pointers = arena_alloc(code->arena, (count + 1) * sizeof *pointers);

  for (unsigned i = 0; i < own; i++) {
    scalars[i] = code->facts.scalars[i];
    pointers[i] = code->facts.pointers[i];
  }
  code->facts.scalars = scalars;
  code->facts.pointers = pointers;
}

struct ir_stmt *shape_element(struct code *code, struct ir_var *const ids[2],
                              struct ir_var *ret_totals[2], struct ir_expr *ret_sizes[2],
                              const char **ret_reason, struct ir_place *ret_place)
{
  static const struct geometry none = {{1, 1}, {1, 1}, {1, 1}, 0, false};
  struct kernel_facts launch = code->facts;
  struct shaping s = {
      .code = code, .facts = &launch, .geometry = &none, .ids = ids, .totals = ret_totals};
  struct ir_rewriter rewriter = {code->arena, replace_index, &s};

  ret_totals[0] = ret_totals[1] = NULL;
  if (launch.block[2] != 1)
    give_up(&s, "its block may have more than one layer", &code->kernel->name_place);
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, drop_parts(&s, code->facts.kernel->body));
  for (int axis = 0; axis < 2; axis++) ret_sizes[axis] = total_of(&s, axis);
  *ret_reason = s.reason;
  *ret_place = s.place;
  return s.reason ? NULL : shape_to_end(code, body);
}

bool shape_virtual(struct code *code, const struct geometry *geometry, struct ir_var *ret_totals[2],
                   const char **ret_reason, struct ir_place *ret_place)
{
  struct kernel_facts launch = code->facts;
  struct shaping s = {.code = code, .facts = &launch, .geometry = geometry, .totals = ret_totals};
  struct ir_rewriter rewriter = {code->arena, replace_index, &s};
  struct ir_stmt *body = drop_parts(&s, code->facts.kernel->body);

  ret_totals[0] = ret_totals[1] = NULL;
  if (!geometry->layers && launch.block[2] != 1) {
    *ret_reason = "its block has more than one layer";
    *ret_place = code->kernel->name_place;
    return false;
  }
  s.layer = geometry->layers ? code_local(code, "_z", ir_int_type()) : NULL;
  body = ir_rewrite_stmt(&rewriter, body);
  body = shape_without_jumps(code->arena, body, IR_STMT_RETURN);
  const struct ir_stmt *left = shape_return_in(body);
  if (left) give_up(&s, "threads return from inside a loop or a nested statement", &left->place);
  if (!s.reason) body = over_layers(&s, within_total(&s, body));
  *ret_reason = s.reason;
  *ret_place = s.place;
  if (s.reason) return false;
  code->facts.kernel->body = body;
  for (int axis = 0; axis < 2; axis++) {
    int64_t total = launch.block[axis] > 0 && launch.grid[axis] > 0
                        ? launch.block[axis] * launch.grid[axis]
                        : -1;
    if (precondition_whole(code) && total < 0)
      total_param(&s, axis); /* for the launch's check */
    else
      code->facts.totals[axis] = ret_totals[axis];
    code->facts.block[axis] = geometry->block[axis];
    code->facts.grid[axis] =
        total < 0 ? -1
                  : (total + (SEEDED(GRID_ROUNDED_DOWN) ? 0 : geometry->block[axis] - 1)) /
                        geometry->block[axis];
  }
  if (geometry->layers) {
    bool known = (launch.block[2] > 0 && launch.grid[2] > 0) || SEEDED(LAYERS_UNKNOWN_ONE);
    code->facts.block[2] = 1;
    code->facts.grid[2] =
        known ? (launch.block[2] * launch.grid[2] + geometry->layers - 1) / geometry->layers : -1;
  }
  extend_facts(code);
  return true;
}

struct ir_expr *shape_global_id(struct arena *arena, int axis)
{
  struct ir_expr *block = ir_build_builtin(arena, IR_BLOCK_IDX + axis),
                 *first = ir_build_binary(arena, IR_OP_MUL, block,
                                          ir_build_builtin(arena, IR_BLOCK_DIM + axis));
  first->type = block->type;
  struct ir_expr *id =
      ir_build_binary(arena, IR_OP_ADD, first, ir_build_builtin(arena, IR_THREAD_IDX + axis));
  id->type = block->type;
  return ir_build_cast(arena, ir_int_type(), id);
}

struct naming {
  int axis;
  bool found;
};

static void note_axis(struct ir_expr *expr, void *context)
{
  struct naming *naming = context;

  naming->found |= expr->kind == IR_EXPR_BUILTIN && (expr->value == IR_THREAD_IDX + naming->axis ||
                                                     expr->value == IR_BLOCK_IDX + naming->axis);
}

static bool names_axis(const struct code *code, int axis)
{
  struct naming naming = {.axis = axis};

  ir_visit_stmt_exprs(code->facts.kernel->body, note_axis, &naming);
  return naming.found;
}

bool shape_names_rows(const struct code *code) { return names_axis(code, 1); }

bool shape_names_layers(const struct code *code) { return names_axis(code, 2); }
