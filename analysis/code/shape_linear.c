/* SPDX-License-Identifier: MIT */
/* shape_linear.c - an expression as a linear form of the thread's and the block's index along one
 * axis.
 *
 *     blockIdx.x * 64 + threadIdx.x - 1     =>     1 * threadIdx + 64 * blockIdx - 1
 *
 * Forms hold in the expression's own type: modulo 2^32 or 2^64, or exactly where no step can leave
 * the type's range. Locals that are set once are replaced by their values. Requires: the facts of
 * the launch as written.
 */
#include "analysis/code/shape_linear.h"

#include "runtime/seeded.h"

static const struct linear unknown = {.known = false};

bool linear_is_index_type(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_INT && (type->size == 4 || type->size == 8);
}

/* The greatest threadIdx, blockIdx, and blockIdx * blockDim + threadIdx of an axis; a dimension has
 * at most 2^31 threads. */
static int64_t last_thread(const struct shaping *s, int axis)
{
  return (s->facts->block[axis] > 0 ? s->facts->block[axis] : MOST_THREADS) - 1;
}

static int64_t last_block(const struct shaping *s, int axis)
{
  int64_t threads = s->facts->block[axis] > 0 ? s->facts->block[axis] : 1;

  if (s->facts->grid[axis] > 0) return s->facts->grid[axis] - 1;
  return (axis ? MOST_BLOCKS_Y : MOST_IDS / threads) - 1;
}

static int64_t last_id(const struct shaping *s, int axis)
{
  bool known = s->facts->block[axis] > 0 && s->facts->grid[axis] > 0;
  return (known ? s->facts->block[axis] * s->facts->grid[axis] : MOST_IDS) - 1;
}

/* The least and the greatest value of the form. False: they are beyond 64 bits. */
static bool range_of(struct shaping *s, const struct linear *form, int64_t *ret_low,
                     int64_t *ret_high)
{
  int64_t ends[2] = {form->thread, form->block};
  bool overflows = false;

  *ret_low = *ret_high = form->constant;
  if (form->axis >= 0 && linear_is_global_id(s, form))
    return !__builtin_add_overflow(*ret_high, last_id(s, form->axis), ret_high);
  if (form->axis >= 0) {
    int64_t last = form->block_by_dim ? last_id(s, form->axis) : last_block(s, form->axis);
    overflows |= __builtin_mul_overflow(form->thread, last_thread(s, form->axis), &ends[0]);
    overflows |= __builtin_mul_overflow(form->block, last, &ends[1]);
  }
  for (unsigned i = 0; i < 2 && form->axis >= 0; i++)
    overflows |= __builtin_add_overflow(ends[i] < 0 ? *ret_low : *ret_high, ends[i],
                                        ends[i] < 0 ? ret_low : ret_high);
  return !overflows;
}

/* Is every value of the form a value of the type? */
static bool fits(struct shaping *s, const struct linear *form, const struct ir_type *type)
{
  int64_t low, high;

  if (!range_of(s, form, &low, &high)) return false;
  if (type->size == 8) return type->is_signed || low >= 0;
  return type->is_signed ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

/* The form in another type. Equality modulo 2^32 says nothing about 64 bits, so the conversion
 * stays where the source has it, around its form. */
static struct linear converted(struct shaping *s, struct linear form, const struct ir_type *from,
                               const struct ir_type *to)
{
  if (!form.known || !linear_is_index_type(from) || !linear_is_index_type(to) ||
      (!form.exact && to->size > from->size && !SEEDED(ID_WIDENED_AS_FORM)))
    return unknown;
  form.exact = fits(s, &form, to);
  return form;
}

/* The form of an operation's result in `type`; `exact`: its operands were. Signed operations do not
 * overflow. */
static struct linear computed(struct shaping *s, struct linear form, bool exact,
                              const struct ir_type *type)
{
  form.exact = (exact && type->is_signed) || fits(s, &form, type);
  return form;
}

static struct linear constant_form(struct shaping *s, int64_t value, const struct ir_type *type)
{
  struct linear form = {.known = true, .axis = -1, .constant = value};
  return computed(s, form, false, type);
}

/* The operand in the operation's type. */
static struct linear operand_of(struct shaping *s, const struct ir_expr *expr, unsigned i)
{
  return converted(s, linear_of(s, expr->operands[i]), expr->operands[i]->type, expr->type);
}

static struct linear linear_of_builtin(struct shaping *s, const struct ir_expr *expr)
{
  struct linear form = {.known = true, .exact = true, .axis = (int)expr->value % 3};

  if (expr->value == IR_WARP_SIZE || (form.axis == 2 && !s->layer && s->facts->block[2] == 1))
    return unknown;
  if (expr->value >= IR_BLOCK_DIM) {
    int64_t size =
        expr->value >= IR_GRID_DIM ? s->facts->grid[form.axis] : s->facts->block[form.axis];
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

  if (!a.known || !b.known || !meet || mixed) return unknown;
  b = scaled(b, sign);
  bool overflows = !b.known || __builtin_add_overflow(a.thread, b.thread, &a.thread);
  overflows |= __builtin_add_overflow(a.block, b.block, &a.block);
  overflows |= __builtin_add_overflow(a.constant, b.constant, &a.constant);
  a.axis = a.axis < 0 ? b.axis : a.axis;
  a.block_by_dim |= b.block_by_dim;
  return overflows ? unknown : a;
}

struct ir_expr *linear_bare(struct ir_expr *expr)
{
  while ((expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT ||
          expr->kind == IR_EXPR_PAREN) &&
         linear_is_index_type(expr->type))
    expr = expr->operands[0];
  return expr;
}

/* Is it blockDim of the axis, in a type that holds it? */
static bool is_dim(struct ir_expr *expr, int axis)
{
  expr = linear_bare(expr);
  return expr->kind == IR_EXPR_BUILTIN && expr->value == IR_BLOCK_DIM + axis;
}

/* Is it blockIdx of an axis with one block, times a number of blocks or a factor that is no linear
 * form? Then it is 0. */
static bool is_of_only_block(const struct shaping *s, struct ir_expr *block, struct ir_expr *other,
                             const struct linear *form)
{
  block = linear_bare(block);
  other = linear_bare(other);
  bool only = block->kind == IR_EXPR_BUILTIN && block->value >= IR_BLOCK_IDX &&
              block->value < IR_BLOCK_DIM && s->facts->grid[block->value - IR_BLOCK_IDX] == 1;
  return only && (!form->known || (other->kind == IR_EXPR_BUILTIN && other->value >= IR_GRID_DIM));
}

static struct linear product(struct shaping *s, struct ir_expr *expr)
{
  struct linear a = operand_of(s, expr, 0), b = operand_of(s, expr, 1);
  bool exact = a.exact && b.exact;

  if (is_of_only_block(s, expr->operands[0], expr->operands[1], &b) ||
      is_of_only_block(s, expr->operands[1], expr->operands[0], &a))
    return constant_form(s, 0, expr->type);
  if (a.known && b.known && (a.axis < 0 || b.axis < 0))
    return computed(s, a.axis < 0 ? scaled(b, a.constant) : scaled(a, b.constant), exact,
                    expr->type);
  struct linear *index = a.known ? &a : &b;
  struct ir_expr *other = expr->operands[a.known ? 1 : 0];
  if (!index->known || index->axis < 0 || index->thread || index->constant || index->block_by_dim ||
      !is_dim(other, index->axis))
    return unknown;
  index->block_by_dim = true;
  return computed(s, *index, index->exact, expr->type);
}

/* Does the local have its initial value wherever it is named? */
bool linear_keeps_value(const struct ir_var *var)
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
  if (expr->op == IR_OP_MUL) return product(s, expr);
  if (expr->op == IR_OP_SHL && ir_constant(expr->operands[1], &by) && by >= 0 && by < 31) {
    struct linear a = operand_of(s, expr, 0);
    return computed(s, scaled(a, INT64_C(1) << by), a.exact, expr->type);
  }
  return unknown;
}

struct linear linear_of(struct shaping *s, struct ir_expr *expr)
{
  int64_t value;

  if (!linear_is_index_type(expr->type)) return unknown;
  if (ir_constant(expr, &value)) return constant_form(s, value, expr->type);
  switch (expr->kind) {
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return operand_of(s, expr, 0);
  case IR_EXPR_BUILTIN: return linear_of_builtin(s, expr);
  case IR_EXPR_VAR:
    return linear_keeps_value(expr->var)
               ? converted(s, linear_of(s, expr->var->init), expr->var->init->type, expr->var->type)
               : unknown;
  case IR_EXPR_BINARY: return linear_of_binary(s, expr);
  default: return unknown;
  }
}

bool linear_uses_index(const struct linear *form)
{
  return form->known && form->axis >= 0 && (form->thread || form->block);
}

bool linear_is_global_id(struct shaping *s, const struct linear *form)
{
  if (!linear_uses_index(form)) return false;
  int64_t block = s->facts->block[form->axis], grid = s->facts->grid[form->axis];
  bool one_thread = block == 1, one_block = grid == 1;
  bool thread = form->thread == 1 || one_thread;
  bool blocks =
      (form->block_by_dim ? form->block == 1 : block > 0 && form->block == block) || one_block;
  return thread && blocks;
}
