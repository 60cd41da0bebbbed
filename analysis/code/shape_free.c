/* shape_free.c - finds kernels that use thread and block indices as global ids only, and gives them another shape.
 *
 *     int tx = threadIdx.x;                                  int col = blockIdx.x * 64 + threadIdx.x;
 *     int col = blockIdx.x * blockDim.x + tx;          =>    if (col < 1000) {
 *     if (col >= n) return;                                    if (col < n) { ... }
 *     ...                                                    }
 *
 * A use of an index is fine inside an expression that is affine in threadIdx and blockIdx of one axis and equals
 * blockIdx * blockDim + threadIdx + constant under the launch's facts; locals that are set once are looked through. blockDim
 * and gridDim are numbers where the launch says so, their product is the total of the axis. CUDA lets the threads of a grid
 * run in any order unless they talk to each other: a barrier, a shared array, a warp operation, a fence, an atomic whose
 * result is used, volatile, or output make a kernel that is not shape-free.
 *
 * Blocks of several layers become a loop in each thread, over the elements of a block along z:
 *
 *     int k = blockIdx.z * blockDim.z + threadIdx.z;    =>    for (int _z = 0; _z < 8; _z++) { int k = blockIdx.z * 8 + _z; ... }
 */
#include "analysis/code/assume.h"
#include "runtime/seeded.h"

enum { MOST_THREADS = 1024, MOST_BLOCKS_Y = 65536 };
#define MOST_IDS (INT64_C(1) << 31) /* of a dimension of a grid */

/* thread * threadIdx + block * blockIdx + constant, of one axis: the value of an expression of an integer type of 32 or 64 bits, or equal to it modulo 2^bits. */
struct linear {
  bool known;
  bool exact;                /* it is the value */
  int axis;                  /* -1: a constant */
  int64_t thread, block, constant;
  bool block_by_dim;         /* `block` is times blockDim */
};

struct shaping {
  struct code *code;
  const struct kernel_facts *facts; /* of the launch as written */
  const struct geometry *geometry; /* NULL: only looking */
  struct ir_var *const *ids; /* variables that stand for the global ids; NULL: they are computed */
  struct ir_var **totals;    /* parameters for totals that are not constants; made when needed */
  struct ir_var *layer;      /* the virtual thread along z within its block; NULL: indices along z stay as they are */
  const char *reason;
  struct ir_place place;
};

static void give_up(struct shaping *s, const char *reason, const struct ir_place *place)
{
  if (s->reason)
    return;
  s->reason = reason;
  s->place = *place;
}

/* ---- affine forms ---- */

static const struct linear unknown = { .known = false };

static bool is_index_type(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_INT && (type->size == 4 || type->size == 8);
}

/* The greatest threadIdx, blockIdx, and blockIdx * blockDim + threadIdx of an axis; a dimension has at most 2^31 threads. */
static int64_t last_thread(const struct shaping *s, int axis)
{
  return (s->facts->block[axis] > 0 ? s->facts->block[axis] : MOST_THREADS) - 1;
}

static int64_t last_block(const struct shaping *s, int axis)
{
  int64_t threads = s->facts->block[axis] > 0 ? s->facts->block[axis] : 1;

  if (s->facts->grid[axis] > 0)
    return s->facts->grid[axis] - 1;
  return (axis ? MOST_BLOCKS_Y : MOST_IDS / threads) - 1;
}

static int64_t last_id(const struct shaping *s, int axis)
{
  bool known = s->facts->block[axis] > 0 && s->facts->grid[axis] > 0;
  return (known ? s->facts->block[axis] * s->facts->grid[axis] : MOST_IDS) - 1;
}

static bool is_global_id(struct shaping *s, const struct linear *form);

/* The least and the greatest value of the form. False: they are beyond 64 bits. */
static bool range_of(struct shaping *s, const struct linear *form, int64_t *ret_low, int64_t *ret_high)
{
  int64_t ends[2] = { form->thread, form->block };
  bool overflows = false;

  *ret_low = *ret_high = form->constant;
  if (form->axis >= 0 && is_global_id(s, form))
    return !__builtin_add_overflow(*ret_high, last_id(s, form->axis), ret_high);
  if (form->axis >= 0) {
    int64_t last = form->block_by_dim ? last_id(s, form->axis) : last_block(s, form->axis);
    overflows |= __builtin_mul_overflow(form->thread, last_thread(s, form->axis), &ends[0]);
    overflows |= __builtin_mul_overflow(form->block, last, &ends[1]);
  }
  for (unsigned i = 0; i < 2 && form->axis >= 0; i++)
    overflows |= __builtin_add_overflow(ends[i] < 0 ? *ret_low : *ret_high, ends[i], ends[i] < 0 ? ret_low : ret_high);
  return !overflows;
}

/* Is every value of the form one of the type? */
static bool fits(struct shaping *s, const struct linear *form, const struct ir_type *type)
{
  int64_t low, high;

  if (!range_of(s, form, &low, &high))
    return false;
  if (type->size == 8)
    return type->is_signed || low >= 0;
  return type->is_signed ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

/* The form in another type. What is equal modulo 2^32 only says nothing about 64 bits: the conversion stays where the source has it, around the form that
 * it converts. */
static struct linear converted(struct shaping *s, struct linear form, const struct ir_type *from, const struct ir_type *to)
{
  if (!form.known || !is_index_type(from) || !is_index_type(to) || (!form.exact && to->size > from->size && !SEEDED(ID_WIDENED_AS_FORM)))
    return unknown;
  form.exact = fits(s, &form, to);
  return form;
}

/* What an operation of `type` makes of operands that were exact or not: signed ones do not overflow. */
static struct linear computed(struct shaping *s, struct linear form, bool exact, const struct ir_type *type)
{
  form.exact = (exact && type->is_signed) || fits(s, &form, type);
  return form;
}

static struct linear constant_form(struct shaping *s, int64_t value, const struct ir_type *type)
{
  struct linear form = { .known = true, .axis = -1, .constant = value };
  return computed(s, form, false, type);
}

static struct linear linear_of(struct shaping *s, struct ir_expr *expr);

/* An operand as the operation has it. */
static struct linear operand_of(struct shaping *s, const struct ir_expr *expr, unsigned i)
{
  return converted(s, linear_of(s, expr->operands[i]), expr->operands[i]->type, expr->type);
}

static struct linear linear_of_builtin(struct shaping *s, const struct ir_expr *expr)
{
  struct linear form = { .known = true, .exact = true, .axis = (int)expr->value % 3 };

  if (expr->value == IR_WARP_SIZE || (form.axis == 2 && !s->layer && s->facts->block[2] == 1))
    return unknown;
  if (expr->value >= IR_BLOCK_DIM) {
    int64_t size = expr->value >= IR_GRID_DIM ? s->facts->grid[form.axis] : s->facts->block[form.axis];
    return size > 0 ? constant_form(s, size, expr->type) : unknown;
  }
  if (expr->value >= IR_BLOCK_IDX)
    form.block = 1;
  else
    form.thread = 1;
  return form;
}

static struct linear scaled(struct linear form, int64_t by)
{
  bool overflows = __builtin_mul_overflow(form.thread, by, &form.thread);

  overflows |= __builtin_mul_overflow(form.block, by, &form.block);
  overflows |= __builtin_mul_overflow(form.constant, by, &form.constant);
  return overflows ? unknown : form;
}

static struct linear sum(struct linear a, struct linear b, int sign)
{
  bool meet = a.axis < 0 || b.axis < 0 || a.axis == b.axis;
  bool mixed = a.block && b.block && a.block_by_dim != b.block_by_dim;

  if (!a.known || !b.known || !meet || mixed)
    return unknown;
  b = scaled(b, sign);
  bool overflows = !b.known || __builtin_add_overflow(a.thread, b.thread, &a.thread);
  overflows |= __builtin_add_overflow(a.block, b.block, &a.block);
  overflows |= __builtin_add_overflow(a.constant, b.constant, &a.constant);
  a.axis = a.axis < 0 ? b.axis : a.axis;
  a.block_by_dim |= b.block_by_dim;
  return overflows ? unknown : a;
}

/* blockDim of the axis, in a type that holds it. */
static bool is_dim(struct ir_expr *expr, int axis)
{
  while ((expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN) &&
         is_index_type(expr->type))
    expr = expr->operands[0];
  return expr->kind == IR_EXPR_BUILTIN && expr->value == IR_BLOCK_DIM + axis;
}

static struct linear product(struct shaping *s, struct ir_expr *expr)
{
  struct linear a = operand_of(s, expr, 0), b = operand_of(s, expr, 1);
  bool exact = a.exact && b.exact;

  if (a.known && b.known && (a.axis < 0 || b.axis < 0))
    return computed(s, a.axis < 0 ? scaled(b, a.constant) : scaled(a, b.constant), exact, expr->type);
  struct linear *index = a.known ? &a : &b;
  struct ir_expr *other = expr->operands[a.known ? 1 : 0];
  if (!index->known || index->axis < 0 || index->thread || index->constant || index->block_by_dim || !is_dim(other, index->axis))
    return unknown;
  index->block_by_dim = true;
  return computed(s, *index, index->exact, expr->type);
}

/* A local that is its initialiser wherever it is named. */
static bool keeps_value(const struct ir_var *var)
{
  return var->kind == IR_VAR_LOCAL && var->write_count == 1 && var->init && !var->address_taken;
}

static struct linear linear_of_binary(struct shaping *s, struct ir_expr *expr)
{
  int64_t by;

  if (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB) {
    struct linear a = operand_of(s, expr, 0), b = operand_of(s, expr, 1);
    return computed(s, sum(a, b, expr->op == IR_OP_ADD ? 1 : -1), a.exact && b.exact, expr->type);
  }
  if (expr->op == IR_OP_MUL)
    return product(s, expr);
  if (expr->op == IR_OP_SHL && ir_constant(expr->operands[1], &by) && by >= 0 && by < 31) {
    struct linear a = operand_of(s, expr, 0);
    return computed(s, scaled(a, INT64_C(1) << by), a.exact, expr->type);
  }
  return unknown;
}

static struct linear linear_of(struct shaping *s, struct ir_expr *expr)
{
  int64_t value;

  if (!is_index_type(expr->type))
    return unknown;
  if (ir_constant(expr, &value))
    return constant_form(s, value, expr->type);
  switch (expr->kind) {
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return operand_of(s, expr, 0);
  case IR_EXPR_BUILTIN: return linear_of_builtin(s, expr);
  case IR_EXPR_VAR:
    return keeps_value(expr->var) ? converted(s, linear_of(s, expr->var->init), expr->var->init->type, expr->var->type) : unknown;
  case IR_EXPR_BINARY: return linear_of_binary(s, expr);
  default: return unknown;
  }
}

static bool uses_index(const struct linear *form)
{
  return form->known && form->axis >= 0 && (form->thread || form->block);
}

static bool is_global_id(struct shaping *s, const struct linear *form)
{
  if (!uses_index(form))
    return false;
  int64_t block = s->facts->block[form->axis], grid = s->facts->grid[form->axis];
  bool one_thread = block == 1, one_block = grid == 1;
  bool thread = form->thread == 1 || one_thread;
  bool blocks = (form->block_by_dim ? form->block == 1 : block > 0 && form->block == block) || one_block;
  return thread && blocks;
}

/* ---- replacing ---- */

static struct ir_expr *typed(struct shaping *s, struct ir_expr *expr, const struct ir_type *type)
{
  return ir_build_cast(s->code->arena, type, expr);
}

/* The constant of a form of `type`, between -2^(bits - 1) and 2^(bits - 1). */
static int64_t signed_constant(const struct linear *form, const struct ir_type *type)
{
  return form->exact || type->size == 8 ? form->constant : (int32_t)(uint32_t)(uint64_t)form->constant;
}

/* `id` + constant, in the type of `id`. */
static struct ir_expr *plus_constant(struct shaping *s, struct ir_expr *id, int64_t constant)
{
  struct arena *arena = s->code->arena;
  bool negative = constant < 0 && constant >= -INT32_MAX;
  struct ir_expr *number = ir_build_int(arena, negative ? -constant : constant);

  if (!constant)
    return id;
  if (number->type->size == 8)
    number = typed(s, number, id->type);
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
  struct ir_expr *thread = layers ? ir_build_var(arena, s->layer) : ir_build_builtin(arena, IR_THREAD_IDX + axis);
  int64_t size = layers ? s->geometry->layers : s->geometry->block[axis];

  if (s->ids)
    return ir_build_var(arena, s->ids[axis]);
  if (size == 1)
    return block;
  struct ir_expr *first = ir_build_binary(arena, IR_OP_MUL, block, ir_build_int(arena, size));
  first->type = block->type;
  struct ir_expr *id = ir_build_binary(arena, IR_OP_ADD, first, thread);
  id->type = block->type;
  return id;
}

/* blockIdx * block + threadIdx + constant, of the type that `like` has: the constant is added in that type, in which the form is equal to what was written.
 * An id is an int, too; as such it is widened, so that those who look at points beside (march.c) may take some off it. */
static struct ir_expr *virtual_id(struct shaping *s, const struct linear *form, const struct ir_expr *like)
{
  struct ir_expr *id = first_id(s, form->axis);
  const struct ir_type *type = ir_plain_type(s->code->arena, like->type);
  bool same = ir_same_type(type, id->type);

  if (SEEDED(ID_SUM_UNSIGNED))
    return typed(s, plus_constant(s, id, form->constant), type);
  if (type->size == 8)
    id = typed(s, id, ir_int_type());
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

  if (block > 0 && grid > 0)
    return ir_build_int(s->code->arena, block * grid);
  return ir_build_var(s->code->arena, total_param(s, axis));
}

/* gridDim * blockDim of one axis; -1: it is not. */
static int total_axis(const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_MUL)
    return -1;
  struct ir_expr *a = ir_strip(expr->operands[0]), *b = ir_strip(expr->operands[1]);
  if (a->kind != IR_EXPR_BUILTIN || b->kind != IR_EXPR_BUILTIN || a->value == IR_WARP_SIZE || b->value == IR_WARP_SIZE)
    return -1;
  int64_t low = a->value < b->value ? a->value : b->value, high = a->value + b->value - low;
  return low >= IR_BLOCK_DIM && low < IR_GRID_DIM && high == low + 3 && low % 3 < 2 ? (int)(low % 3) : -1;
}

static struct ir_expr *replace_builtin(struct shaping *s, struct ir_expr *expr)
{
  int axis = (int)expr->value % 3;

  if (expr->value == IR_WARP_SIZE)
    return expr;
  if (expr->value >= IR_BLOCK_DIM) {
    int64_t size = expr->value >= IR_GRID_DIM ? s->facts->grid[axis] : s->facts->block[axis];
    if (axis == 2 && expr->value >= IR_GRID_DIM && !s->layer)
      return expr;
    if (size <= 0)
      give_up(s, "it uses the block or grid size by itself", &expr->place);
    return size > 0 ? typed(s, ir_build_int(s->code->arena, size), expr->type) : expr;
  }
  if (axis == 2 && !s->layer && s->facts->block[2] == 1)
    return expr;
  if (axis == 2 && s->layer && expr->value < IR_BLOCK_IDX && s->facts->block[2] == 1)
    return typed(s, ir_build_int(s->code->arena, 0), expr->type);
  give_up(s, "it uses a thread or block index other than as a global id", &expr->place);
  return expr;
}

static struct ir_expr *replace_index(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct shaping *s = r->context;
  int axis = total_axis(expr);

  if (axis >= 0)
    return s->geometry ? typed(s, total_of(s, axis), expr->type) : expr;
  struct linear form = linear_of(s, expr);
  /* a local that holds an id is kept: its own initialiser is replaced */
  if (expr->kind == IR_EXPR_VAR && is_global_id(s, &form))
    return NULL;
  if (is_global_id(s, &form))
    return s->geometry ? virtual_id(s, &form, expr) : expr;
  if (expr->kind == IR_EXPR_VAR && uses_index(&form)) {
    give_up(s, "it uses a thread or block index other than as a global id", &expr->place);
    return expr;
  }
  return expr->kind == IR_EXPR_BUILTIN ? replace_builtin(s, expr) : NULL;
}

/* A local that holds part of an id is in no other expression once all are replaced. */
static bool holds_part(struct shaping *s, const struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_DECL || !stmt->expr || !keeps_value(stmt->var) || !is_index_type(stmt->var->type))
    return false;
  struct linear form = linear_of(s, stmt->expr);
  return uses_index(&form) && !is_global_id(s, &form);
}

static struct ir_stmt *drop_parts(struct shaping *s, struct ir_stmt *stmt)
{
  if (!stmt || (stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_DECLS))
    return stmt;
  struct ir_list out = { 0 };
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (!holds_part(s, stmt->children[i]))
      ir_list_add(s->code->arena, &out, drop_parts(s, stmt->children[i]));
  struct ir_stmt *copy = ARENA_NEW(s->code->arena, struct ir_stmt);
  *copy = *stmt;
  copy->children = out.items.items;
  copy->child_count = out.items.count;
  return stmt->kind == IR_STMT_DECLS && !copy->child_count ? NULL : copy;
}

/* ---- what the threads must not do ---- */

static bool callee_uses_index(const struct ir_function *function, unsigned depth);

struct callee_search { unsigned depth; bool found; };

static void note_index(struct ir_expr *expr, void *context)
{
  struct callee_search *search = context;

  search->found |= expr->kind == IR_EXPR_BUILTIN || (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_SHARED);
  if (expr->kind == IR_EXPR_CALL && expr->callee && expr->effect == IR_EFFECT_CALLEE)
    search->found |= callee_uses_index(expr->callee, search->depth + 1);
}

static bool callee_uses_index(const struct ir_function *function, unsigned depth)
{
  struct callee_search search = { depth, false };

  if (!function->body || depth > 16)
    return true;
  ir_visit_stmt_exprs(function->body, note_index, &search);
  return search.found;
}

static void note_call(struct shaping *s, const struct ir_expr *expr)
{
  switch (expr->effect) {
  case IR_EFFECT_NONE:
  case IR_EFFECT_LOAD: break;
  case IR_EFFECT_ATOMIC: break;
  case IR_EFFECT_BARRIER: give_up(s, "it has a barrier", &expr->place); break;
  case IR_EFFECT_WARP: give_up(s, "it has a warp operation", &expr->place); break;
  case IR_EFFECT_FENCE: give_up(s, "it has a memory fence", &expr->place); break;
  case IR_EFFECT_PRINT: give_up(s, "it prints", &expr->place); break;
  case IR_EFFECT_CALLEE: {
    const struct function_effects *effects = expr->callee ? effects_of(s->code->effects, expr->callee) : NULL;
    if (!effects || effects->unknown_call || effects->barrier || effects->warp || effects->fence)
      give_up(s, "it calls a function whose effects may join threads", &expr->place);
    else if (callee_uses_index(expr->callee, 0))
      give_up(s, "it calls a function that uses thread or block indices", &expr->place);
    break;
  }
  default: give_up(s, "it calls a function whose effects are not known", &expr->place); break;
  }
}

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct shaping *s = context;

  if (expr->kind == IR_EXPR_CALL)
    note_call(s, expr);
  if (expr->kind == IR_EXPR_OPAQUE)
    give_up(s, "it has an expression that is not understood", &expr->place);
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_SHARED)
    give_up(s, "it has a shared array", &expr->place);
  if (expr->type && expr->type->is_volatile)
    give_up(s, "it accesses volatile memory", &expr->place);
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
  struct shaping s = { .code = code, .facts = &code->facts };
  struct ir_rewriter look = { code->arena, replace_index, &s };

  ir_visit_stmt_exprs(code->facts.kernel->body, note_meeting, &s);
  ir_visit_stmts(code->facts.kernel->body, note_atomic_result, &s);
  if (code->facts.block[2] != 1 && (code->facts.block[2] < 0 || code->facts.grid[2] < 0))
    give_up(&s, "its block may have more than one layer", &code->kernel->name_place);
  if (!s.reason)
    ir_rewrite_stmt(&look, drop_parts(&s, code->facts.kernel->body));
  *ret_reason = s.reason;
  *ret_place = s.place;
  return !s.reason;
}

/* ---- the new shape ---- */

/* `body` for the threads of the launch only: a block's last threads may lie beyond its total, unless that is assumed not to be. */
static struct ir_stmt *within_total(struct shaping *s, struct ir_stmt *body)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *condition = NULL;

  for (int axis = s->layer ? 2 : 1; axis >= 0; axis--) {
    int64_t block = s->facts->block[axis], grid = s->facts->grid[axis], size = axis == 2 ? s->geometry->layers : s->geometry->block[axis];
    if (size == 1 || (block > 0 && grid > 0 && block * grid % size == 0))
      continue;
    if (assume_whole(s->code) && block > 0 && grid > 0)
      give_up(s, "its blocks are not whole", &s->code->kernel->name_place);
    struct linear id = { .known = true, .exact = true, .axis = axis };
    struct ir_expr like = { .kind = IR_EXPR_INT, .type = ir_int_type() };
    struct ir_expr *inside = ir_build_binary(arena, IR_OP_LT, virtual_id(s, &id, &like), total_of(s, axis));
    condition = condition ? ir_build_binary(arena, IR_OP_LAND, condition, inside) : inside;
  }
  if (!condition || assume_whole(s->code) || SEEDED(BEYOND_TOTAL))
    return body;
  struct ir_list out = { 0 };
  ir_list_add(arena, &out, ir_build_if(arena, condition, body));
  return ir_build_block(arena, &out);
}

/* `body` for one layer of the block after the other. */
static struct ir_stmt *over_layers(struct shaping *s, struct ir_stmt *body)
{
  struct arena *arena = s->code->arena;
  struct ir_list out = { 0 };

  if (!s->layer)
    return body;
  ir_list_add(arena, &out, ir_build_for(arena, s->layer, ir_build_int(arena, 0), ir_build_int(arena, s->geometry->layers), 1, body));
  return ir_build_block(arena, &out);
}

/* Facts by parameter, with the added ones not known. */
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

struct ir_stmt *shape_element(struct code *code, struct ir_var *const ids[2], struct ir_var *ret_totals[2], struct ir_expr *ret_sizes[2],
                              const char **ret_reason, struct ir_place *ret_place)
{
  static const struct geometry none = { { 1, 1 }, { 1, 1 }, { 1, 1 }, 0, false };
  struct kernel_facts launch = code->facts;
  struct shaping s = { .code = code, .facts = &launch, .geometry = &none, .ids = ids, .totals = ret_totals };
  struct ir_rewriter rewriter = { code->arena, replace_index, &s };

  ret_totals[0] = ret_totals[1] = NULL;
  if (launch.block[2] != 1)
    give_up(&s, "its block may have more than one layer", &code->kernel->name_place);
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, drop_parts(&s, code->facts.kernel->body));
  for (int axis = 0; axis < 2; axis++)
    ret_sizes[axis] = total_of(&s, axis);
  *ret_reason = s.reason;
  *ret_place = s.place;
  return s.reason ? NULL : shape_to_end(code, body);
}

bool shape_virtual(struct code *code, const struct geometry *geometry, struct ir_var *ret_totals[2],
                   const char **ret_reason, struct ir_place *ret_place)
{
  struct kernel_facts launch = code->facts;
  struct shaping s = { .code = code, .facts = &launch, .geometry = geometry, .totals = ret_totals };
  struct ir_rewriter rewriter = { code->arena, replace_index, &s };
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
  if (left)
    give_up(&s, "threads return from inside a loop or a nested statement", &left->place);
  if (!s.reason)
    body = over_layers(&s, within_total(&s, body));
  *ret_reason = s.reason;
  *ret_place = s.place;
  if (s.reason)
    return false;
  code->facts.kernel->body = body;
  for (int axis = 0; axis < 2; axis++) {
    int64_t total = launch.block[axis] > 0 && launch.grid[axis] > 0 ? launch.block[axis] * launch.grid[axis] : -1;
    if (assume_whole(code) && total < 0)
      total_param(&s, axis); /* for the launch's check */
    else
      code->facts.totals[axis] = ret_totals[axis];
    code->facts.block[axis] = geometry->block[axis];
    code->facts.grid[axis] = total < 0 ? -1 : (total + (SEEDED(GRID_ROUNDED_DOWN) ? 0 : geometry->block[axis] - 1)) / geometry->block[axis];
  }
  if (geometry->layers) {
    code->facts.block[2] = 1;
    code->facts.grid[2] = (launch.block[2] * launch.grid[2] + geometry->layers - 1) / geometry->layers;
  }
  extend_facts(code);
  return true;
}
