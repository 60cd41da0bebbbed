/* SPDX-License-Identifier: MIT */
/* reduce.c - operations whose operands may be taken in any order.
 *
 *     s += x     =>     part += (unsigned)x      in several parts,
 *         and s = (int)((unsigned)s + part) in the end
 *
 * Integers wrap, so their result is the same bit for bit. A sum of signed parts may leave the range
 * that the whole sum stays in, so parts are unsigned. Sums and products of floats round in another
 * order. Requires: numbers of 4 or 8 bytes.
 */
#include "analysis/code/reduce.h"

static const struct ir_type unsigned_type = {
    .kind = IR_TYPE_INT, .spelling = "unsigned int", .size = 4, .align = 4, .extent = -1};
static const struct ir_type unsigned_wide = {
    .kind = IR_TYPE_INT, .spelling = "unsigned long long", .size = 8, .align = 8, .extent = -1};

bool reduce_fits(enum reduce_op op, const struct ir_type *type, bool floats)
{
  bool number =
      type->kind == IR_TYPE_INT || (type->kind == IR_TYPE_FLOAT && floats && op <= REDUCE_MAX);

  return op != REDUCE_NONE && number && (type->size == 4 || type->size == 8) &&
         !type->is_volatile && !type->is_unnamed;
}

bool reduce_repeats(enum reduce_op op)
{
  return op == REDUCE_MIN || op == REDUCE_MAX || op == REDUCE_AND || op == REDUCE_OR;
}

const struct ir_type *reduce_type(struct arena *arena, enum reduce_op op,
                                  const struct ir_type *type)
{
  bool may_overflow =
      type->kind == IR_TYPE_INT && type->is_signed && (op == REDUCE_SUM || op == REDUCE_PRODUCT);

  if (may_overflow) return type->size == 4 ? &unsigned_type : &unsigned_wide;
  return ir_plain_type(arena, type);
}

static struct ir_expr *greatest(struct arena *arena, const struct ir_type *type)
{
  if (!type->is_signed) return ir_build_cast(arena, type, ir_build_int(arena, -1));
  return ir_build_int(arena, type->size == 4 ? INT32_MAX : INT64_MAX);
}

static struct ir_expr *least(struct arena *arena, const struct ir_type *type)
{
  if (!type->is_signed) return ir_build_int(arena, 0);
  return ir_build_binary(arena, IR_OP_SUB,
                         ir_build_int(arena, type->size == 4 ? -INT32_MAX : -INT64_MAX),
                         ir_build_int(arena, 1));
}

struct ir_expr *reduce_neutral(struct arena *arena, enum reduce_op op, const struct ir_type *type)
{
  switch (op) {
  case REDUCE_PRODUCT: return ir_build_int(arena, 1);
  case REDUCE_MIN: return greatest(arena, type);
  case REDUCE_MAX: return least(arena, type);
  case REDUCE_AND: return ir_build_cast(arena, ir_plain_type(arena, type), ir_build_int(arena, -1));
  default: return ir_build_int(arena, 0);
  }
}

struct ir_expr *reduce_cast(struct arena *arena, const struct ir_type *type, struct ir_expr *value)
{
  const struct ir_type *from = value->type;
  bool same = from && from->kind == type->kind && from->size == type->size &&
              from->is_signed == type->is_signed;

  return same ? value : ir_build_cast(arena, type, value);
}

struct ir_stmt *reduce_into(struct arena *arena, enum reduce_op op, struct ir_expr *target,
                            struct ir_expr *value)
{
  static const enum ir_op assigns[REDUCE_COUNT] = {
      IR_OP_ADD_ASSIGN, IR_OP_MUL_ASSIGN, IR_OP_ASSIGN,    IR_OP_ASSIGN,
      IR_OP_AND_ASSIGN, IR_OP_OR_ASSIGN,  IR_OP_XOR_ASSIGN};

  value = reduce_cast(arena, target->type, value);
  if (op == REDUCE_MIN || op == REDUCE_MAX) {
    struct ir_expr *call =
        ir_build_call(arena, op == REDUCE_MIN ? "mesi_min" : "mesi_max", IR_EFFECT_NONE);
    call->type = target->type;
    ir_add_argument(arena, call, target);
    ir_add_argument(arena, call, value);
    value = call;
  }
  struct ir_expr *assign = ir_build_assign(arena, target, value);
  assign->op = assigns[op];
  return ir_build_expr_stmt(arena, assign);
}
