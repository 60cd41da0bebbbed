/* SPDX-License-Identifier: MIT */
/* privatize_open.c - private copies of arrays whose indices have no known range.
 *
 *     atomicAdd(&count[(int)(x / width)], 1);
 *   =>
 *     const int _i = (int)(x / width);
 *     if ((unsigned long long)_i < 4096) atomicAdd(&_s_count[_i], 1);
 *     else atomicAdd(&count[_i], 1);
 *
 * A block's copy begins with the element that the parameter leads to. An element beyond the copy,
 * and one before it, is updated where it is, so that the code is right for every index. It gains
 * where most elements are in the copy: a launch takes it if the allocation behind the pointer is no
 * longer than the copy. Requires: an update of privatize_find. Gives up: the update names its
 * element in another way than by an index of the parameter.
 */
#include "analysis/transform/privatize/privatize.h"
#include "runtime/seeded.h"

/* The parameter's element that an update names, `v[i]` or `v + i`. NULL: it does so otherwise. */
static struct ir_expr *named_element(const struct ir_expr *call)
{
  struct ir_expr *expr = ir_strip(call->operands[0]);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) expr = ir_strip(expr->operands[0]);
  bool is = expr->kind == IR_EXPR_INDEX || (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD &&
                                            expr->operands[0]->type->kind == IR_TYPE_POINTER);
  if (!is) return NULL;
  struct ir_expr *base = ir_strip(expr->operands[0]);
  bool indexed = base->kind == IR_EXPR_VAR && base->var->kind == IR_VAR_PARAM &&
                 expr->operands[1]->type->kind == IR_TYPE_INT;
  return indexed ? expr : NULL;
}

bool private_may_be_open(const struct ir_expr *call, const struct private_array *own)
{
  return own->var->kind == IR_VAR_PARAM && own->var->name && named_element(call);
}

/* The update of element `index`. */
static struct ir_stmt *of_index(struct arena *arena, const struct ir_stmt *stmt,
                                struct ir_var *index)
{
  const struct ir_expr *call = ir_strip(stmt->expr), *named = named_element(call);
  struct ir_expr *made = ir_build_call(arena, call->text, IR_EFFECT_ATOMIC);
  struct ir_expr *element =
      ir_build_index(arena, ir_strip(named->operands[0]), ir_build_var(arena, index));
  struct ir_expr *address = ir_build_unary(arena, IR_OP_ADDRESS, element);

  address->type = ir_build_pointer_type(arena, element->type);
  ir_add_argument(arena, made, address);
  ir_add_argument(arena, made, call->operands[1]);
  made->type = call->type;
  struct ir_stmt *update = ir_build_expr_stmt(arena, made);
  update->place = stmt->place;
  return update;
}

void private_open_begin(struct code *code, const struct ir_stmt *stmt, struct open_update *ret)
{
  struct ir_expr *index = named_element(ir_strip(stmt->expr))->operands[1];

  ret->index = code_local(code, "_i", ir_plain_type(code->arena, index->type));
  ret->declared = ir_build_decl(code->arena, ret->index, index);
  ret->inside = of_index(code->arena, stmt, ret->index);
  ret->outside = of_index(code->arena, stmt, ret->index);
}

static const struct ir_type wide = {
    .kind = IR_TYPE_INT, .spelling = "unsigned long long", .size = 8, .align = 8, .extent = -1};

/* `made`: the update of the copy. */
struct ir_stmt *private_open_end(struct code *code, const struct private_array *own,
                                 const struct open_update *open, struct ir_stmt *made)
{
  struct arena *arena = code->arena;
  struct ir_list list = {0};
  struct ir_expr *index = ir_build_cast(arena, &wide, ir_build_var(arena, open->index));
  struct ir_expr *is_inside =
      ir_build_binary(arena, IR_OP_LT, index,
                      ir_build_int(arena, own->elements * (SEEDED(PRIVATE_OPEN_BEYOND) ? 4 : 1)));
  struct ir_stmt *choice = ir_build_if(arena, is_inside, made);

  if (!SEEDED(PRIVATE_OPEN_LOST)) choice->else_body = open->outside;
  ir_list_add(arena, &list, open->declared);
  ir_list_add(arena, &list, choice);
  return ir_build_block(arena, &list);
}

struct ir_expr *private_open_gains(struct code *code, const struct private_array *own)
{
  struct arena *arena = code->arena;
  struct ir_expr *call = ir_build_call(arena, "mesi_allocated_within", IR_EFFECT_NONE);

  call->type = ir_bool_type();
  ir_add_argument(arena, call, ir_build_var(arena, own->var));
  ir_add_argument(arena, call, ir_build_int(arena, own->elements * own->element->size));
  return call;
}
