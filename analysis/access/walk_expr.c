/* SPDX-License-Identifier: MIT */
/* walk_expr.c - evaluates expressions symbolically: integer values, conditions, accesses in order.
 *
 *     int col = blockDim.x * blockIdx.x + threadIdx.x;
 *         =>   value of col: 128 blockIdx.x + threadIdx.x
 *
 * An unsigned operation or a narrowing conversion keeps its value only where it is proved not to
 * wrap; one of 64 bits also keeps it for offsets of pointers, which wrap like it (walk_offset).
 * Signed overflow is undefined in C, so it counts as impossible. A value without an affine form
 * becomes an unknown symbol bounded by its type.
 */
#include <string.h>

#include "analysis/access/walk.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

bool walk_is_integer(const struct ir_type *type)
{
  return type && (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_BOOL) && type->size > 0 &&
         type->size <= 8;
}

bool walk_owns(const struct walk *w, const struct ir_var *var)
{
  return ir_owns(w->frame->function, var);
}

bool walk_tracked(const struct ir_var *var)
{
  return (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && walk_is_integer(var->type) &&
         !var->type->is_volatile && !var->address_taken && !var->is_static;
}

bool walk_tracked_pointer(const struct ir_var *var)
{
  return (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) &&
         var->type->kind == IR_TYPE_POINTER && !var->type->is_volatile && !var->address_taken &&
         !var->is_static;
}

void walk_reject(struct walk *w, const char *reason, const struct ir_place *place)
{
  if (w->out->reject) return;
  w->out->reject = reason;
  w->out->reject_place = *place;
}

void walk_effects(struct walk *w, struct ir_expr *expr)
{
  struct value value = walk_offset(w, expr);
  value_free(&value);
}

static struct value unknown_of_type(struct walk *w, const struct ir_type *type)
{
  isl_ctx *ctx = w->symbols->ctx;
  unsigned bits = type->kind == IR_TYPE_BOOL ? 1 : (unsigned)type->size * 8;
  bool is_signed = type->kind != IR_TYPE_BOOL && type->is_signed;
  isl_val *range = isl_val_2exp(isl_val_int_from_ui(ctx, is_signed ? bits - 1 : bits));
  isl_val *low = is_signed ? isl_val_neg(isl_val_copy(range)) : isl_val_zero(ctx);
  struct symbol *symbol = symbol_new_unknown(w->symbols, low, isl_val_sub_ui(range, 1));

  return value_take(symbol_aff(w->symbols, symbol));
}

struct value walk_known(struct walk *w, struct value value, const struct ir_type *type)
{
  return value.aff || !walk_is_integer(type) ? value : unknown_of_type(w, type);
}

struct value walk_between(struct walk *w, int64_t low, int64_t high)
{
  isl_ctx *ctx = w->symbols->ctx;
  struct symbol *symbol =
      symbol_new_unknown(w->symbols, isl_val_int_from_si(ctx, low), isl_val_int_from_si(ctx, high));
  return value_take(symbol_aff(w->symbols, symbol));
}

static bool is_whole_word(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size == 8;
}

/* Is it the type of a sum, difference or product in which the parts may count modulo 2^64? */
static bool keeps_modulo(enum ir_op op, const struct ir_type *type)
{
  return is_whole_word(type) && (op == IR_OP_ADD || op == IR_OP_SUB || op == IR_OP_MUL);
}

/* `value` as the result of an operation of `type`: unknown if it may wrap, or modulo 2^64. */
static struct value wrapped(struct walk *w, struct value value, const struct ir_type *type)
{
  if (!value.aff || type->kind != IR_TYPE_INT || type->is_signed || SEEDED(UNSIGNED_WRAP))
    return value;
  value.modulo = is_whole_word(type);
  if (!value.modulo && !value_fits(w->symbols, &value, w->domain, type)) value_free(&value);
  return value;
}

struct value walk_converted(struct walk *w, struct value value, const struct ir_type *from,
                            const struct ir_type *to)
{
  if (!value.aff) return value;
  bool widens =
      walk_is_integer(from) && to->kind == IR_TYPE_INT &&
      (from->kind == IR_TYPE_BOOL || (from->is_signed == to->is_signed && from->size <= to->size) ||
       (!from->is_signed && from->size < to->size));
  bool whole = is_whole_word(to) && walk_is_integer(from);
  if (!whole) value = walk_all_bits(w, value, from);
  value.modulo |= whole && !widens;
  if (!walk_is_integer(from) || !walk_is_integer(to)) {
    value_free(&value);
  } else if (!widens && !whole && !value_fits(w->symbols, &value, w->domain, to)) {
    struct symbol *divisor =
        w->divides && !value.term_count ? symbol_of_unsigned(w->symbols, value.aff, to) : NULL;
    value_free(&value);
    if (divisor) value = value_take(symbol_aff(w->symbols, divisor));
  }
  return value;
}

struct value walk_all_bits(struct walk *w, struct value value, const struct ir_type *type)
{
  if (value.modulo && !SEEDED(MODULO_COMPARED) && !value_fits(w->symbols, &value, w->domain, type))
    value_free(&value);
  value.modulo = false;
  return value;
}

static struct value constant(struct walk *w, int64_t value)
{
  return value_take(symbols_constant(w->symbols, value));
}

/* ---- variables ---- */

static struct value value_of_var(struct walk *w, struct ir_expr *expr)
{
  struct ir_var *var = expr->var;

  if (var->has_value) return constant(w, var->value);
  if (walk_tracked(var) && walk_owns(w, var)) return value_copy(&w->frame->values[var->id]);
  struct address address = address_of_lvalue(w, expr);
  if (!address.local && address.base && var->type->kind != IR_TYPE_POINTER)
    address_access(w, &address, expr, true, false);
  else if (var->type->kind == IR_TYPE_REFERENCE)
    address_access(w, &address, expr, true, false);
  address_free(&address);
  return (struct value){0};
}

/* An unknown value of a variable, within its known bounds. */
static struct value unknown_of_var(struct walk *w, const struct ir_var *var)
{
  const struct walk_watch *watch = w->symbols->facts->watch;
  int64_t low, high;

  if (watch && watch->range && watch->range(watch->context, var, &low, &high))
    return walk_between(w, low, high);
  return unknown_of_type(w, var->type);
}

void walk_assign_var(struct walk *w, struct ir_var *var, struct ir_expr *from, struct value value)
{
  if (walk_tracked(var) && walk_owns(w, var)) {
    struct value *slot = &w->frame->values[var->id];
    if (!is_whole_word(var->type)) value = walk_all_bits(w, value, var->type);
    if (!value.aff) value = unknown_of_var(w, var);
    value_free(slot);
    *slot = walk_known(w, value, var->type);
    return;
  }
  value_free(&value);
  if (!from) return;
  if (walk_tracked_pointer(var) && walk_owns(w, var)) {
    struct address address = address_of_pointer(w, from);
    address.stored = true;
    walk_set_pointer(w, var, address);
    return;
  }
  if (address_is_pointer_type(from->type) && address_is_pointer_type(var->type)) {
    struct address address = address_of_pointer(w, from);
    address_escape(w, &address, from, "its address is stored", true, true);
    address_free(&address);
  }
}

/* ---- assignments ---- */

static struct value apply(struct walk *w, enum ir_op op, struct value a, struct value b,
                          const struct ir_type *type);

static struct value assigned_value(struct walk *w, struct ir_expr *expr, struct ir_var *var,
                                   struct value right)
{
  struct ir_expr *from = expr->operands[1];

  if (expr->op == IR_OP_ASSIGN) return walk_converted(w, right, from->type, var->type);
  struct value old = value_copy(&w->frame->values[var->id]);
  if (!walk_is_integer(from->type)) {
    value_free(&old);
    value_free(&right);
    return (struct value){0};
  }
  /* The operation is done in the wider of both types. Where those differ in sign, its operands and
   * its result must fit both. */
  const struct ir_type *wider = from->type->size > var->type->size ? from->type : var->type;
  const struct ir_type *left = var->type, *other = from->type;
  bool shifts = expr->op == IR_OP_SHL_ASSIGN || expr->op == IR_OP_SHR_ASSIGN;
  if (!shifts && !SEEDED(COMPOUND_SIGNED)) {
    left = from->type->is_signed ? wider : from->type, other = wider;
    old = walk_converted(w, old, var->type, left);
    right = walk_converted(w, right, from->type, other);
  }
  if (!keeps_modulo(ir_compound_op(expr->op), wider)) {
    old = walk_all_bits(w, old, left);
    right = walk_all_bits(w, right, other);
  }
  struct value result = apply(w, ir_compound_op(expr->op), old, right, wider);
  if (!from->type->is_signed && from->type->kind == IR_TYPE_INT)
    result = wrapped(w, result, from->type);
  return walk_converted(w, result, wider, var->type);
}

static struct value walk_assign(struct walk *w, struct ir_expr *expr)
{
  struct ir_expr *target = expr->operands[0], *plain = ir_strip(target), *from = expr->operands[1];
  bool own = plain->kind == IR_EXPR_VAR && walk_owns(w, plain->var);

  if (own && walk_tracked_pointer(plain->var)) {
    if (expr->op == IR_OP_ASSIGN) {
      walk_assign_var(w, plain->var, from, (struct value){0});
    } else {
      struct ir_expr *sum =
          ir_build_binary(w->symbols->arena, ir_compound_op(expr->op), plain, from);
      sum->type = plain->type;
      walk_assign_var(w, plain->var, sum, (struct value){0});
    }
    return (struct value){0};
  }
  if (address_is_pointer_type(from->type)) { /* a pointer goes to memory */
    struct address address = address_of_pointer(w, from);
    address_escape(w, &address, from, "its address is stored", true, true);
    address_free(&address);
  }
  struct value right =
      address_is_pointer_type(from->type) ? (struct value){0} : walk_offset(w, from);
  if (own && walk_tracked(plain->var)) {
    walk_assign_var(w, plain->var, NULL, assigned_value(w, expr, plain->var, right));
    return value_copy(&w->frame->values[plain->var->id]);
  }
  struct address address = address_of_lvalue(w, target);
  address_access(w, &address, plain, expr->op != IR_OP_ASSIGN, true);
  address_free(&address);
  return right;
}

static struct value walk_step(struct walk *w, struct ir_expr *expr)
{
  struct ir_expr *target = ir_strip(expr->operands[0]);
  bool minus = expr->op == IR_OP_PRE_DEC || expr->op == IR_OP_POST_DEC;
  bool post = expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC;

  if (target->kind == IR_EXPR_VAR && walk_tracked(target->var) && walk_owns(w, target->var)) {
    struct value *slot = &w->frame->values[target->var->id], old = value_copy(slot);
    const struct ir_type *type = target->var->type;
    struct value stepped = value_add(value_copy(slot), constant(w, minus ? -1 : 1));
    if (is_whole_word(type))
      stepped.modulo = stepped.aff && (old.modulo || !type->is_signed);
    else if (stepped.aff && !(type->is_signed && type->size >= 4) &&
             !value_fits(w->symbols, &stepped, w->domain, type))
      value_free(&stepped);
    walk_assign_var(w, target->var, NULL, stepped);
    if (post) return old;
    value_free(&old);
    return value_copy(slot);
  }
  if (target->kind == IR_EXPR_VAR && walk_tracked_pointer(target->var) &&
      walk_owns(w, target->var)) {
    struct address address = address_of_pointer(w, expr);
    address_free(&address);
    return (struct value){0};
  }
  struct address address = address_of_lvalue(w, expr->operands[0]);
  address_access(w, &address, target, true, true);
  address_free(&address);
  return (struct value){0};
}

/* ---- operators ---- */

static struct value apply(struct walk *w, enum ir_op op, struct value a, struct value b,
                          const struct ir_type *type)
{
  struct value result = {0};
  bool modulo = a.modulo || b.modulo;

  switch (op) {
  case IR_OP_ADD: result = value_add(a, b); break;
  case IR_OP_SUB: result = value_sub(a, b); break;
  case IR_OP_MUL: result = value_mul(w->symbols, a, b); break;
  case IR_OP_DIV:
  case IR_OP_REM: result = walk_divided(w, op, a, b, type); break;
  case IR_OP_SHL:
  case IR_OP_SHR: result = walk_shifted(op, a, b); break;
  case IR_OP_AND: result = walk_masked(w, a, b); break;
  default:
    value_free(&a);
    value_free(&b);
    return result;
  }
  result.modulo = result.aff && modulo;
  return wrapped(w, result, type);
}

/* condition ? a : b, where the condition holds in `yes` */
static struct value chosen(struct value a, struct value b, isl_set *yes, isl_set *no, bool exact)
{
  struct value result = {0};
  bool modulo = a.modulo || b.modulo;

  if (value_same(&a, &b)) {
    result = value_copy(&a);
  } else if (exact && a.aff && b.aff && !a.term_count && !b.term_count) {
    isl_pw_aff *first = isl_pw_aff_intersect_params(isl_pw_aff_copy(a.aff), isl_set_copy(yes));
    isl_pw_aff *second = isl_pw_aff_intersect_params(isl_pw_aff_copy(b.aff), isl_set_copy(no));
    result = value_take(isl_pw_aff_coalesce(isl_pw_aff_union_add(first, second)));
  }
  result.modulo = result.aff && modulo;
  value_free(&a);
  value_free(&b);
  isl_set_free(yes);
  isl_set_free(no);
  return result;
}

/* Evaluates `expr` where `where` holds as well. */
static struct value value_under(struct walk *w, struct ir_expr *expr, isl_set *where, bool exact)
{
  isl_set *domain = w->domain;
  bool must = w->must;

  w->domain = isl_set_intersect(isl_set_copy(domain), isl_set_copy(where));
  w->must = must && exact;
  w->chosen++;
  w->count /= 2;
  w->scale /= 2;
  struct value value = walk_value(w, expr);
  walk_forget_expr(w, expr);
  w->chosen--;
  w->count *= 2;
  w->scale *= 2;
  w->must = must;
  isl_set_free(w->domain);
  w->domain = domain;
  return value;
}

static struct value walk_choice(struct walk *w, struct ir_expr *expr)
{
  isl_set *yes, *no;
  bool exact;

  walk_condition(w, expr->operands[0], &yes, &no, &exact);
  struct value a = value_under(w, expr->operands[1], yes, exact),
               b = value_under(w, expr->operands[2], no, exact);
  a = walk_converted(w, a, expr->operands[1]->type, expr->type);
  b = walk_converted(w, b, expr->operands[2]->type, expr->type);
  return chosen(a, b, yes, no, exact);
}

/* The second operand, with a number of its own where all threads divide by it and it may lose its
 * sign. */
static struct value walk_divisor(struct walk *w, struct ir_expr *expr)
{
  bool divides = w->divides, by = expr->op == IR_OP_DIV || expr->op == IR_OP_REM;

  w->divides = by && walk_is_integer(expr->type) && !expr->type->is_signed;
  struct value b = walk_offset(w, expr->operands[1]);
  w->divides = divides;
  return b;
}

static struct value walk_binary(struct walk *w, struct ir_expr *expr)
{
  if (expr->op == IR_OP_COMMA) {
    walk_effects(w, expr->operands[0]);
    return walk_offset(w, expr->operands[1]);
  }
  if (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR ||
      (expr->op >= IR_OP_LT && expr->op <= IR_OP_NE)) {
    isl_set *yes, *no;
    bool exact;
    walk_condition(w, expr, &yes, &no, &exact);
    return chosen(constant(w, 1), constant(w, 0), yes, no, exact);
  }
  if (address_is_pointer_type(expr->operands[0]->type) ||
      address_is_pointer_type(expr->operands[1]->type)) {
    /* a difference of pointers, or a pointer whose value is dropped */
    for (unsigned i = 0; i < 2; i++) {
      if (!address_is_pointer_type(expr->operands[i]->type)) {
        walk_effects(w, expr->operands[i]);
        continue;
      }
      struct address address = address_of_pointer(w, expr->operands[i]);
      address_escape(w, &address, expr, "its address is computed with", true, true);
      address_free(&address);
    }
    return (struct value){0};
  }
  struct value a = walk_offset(w, expr->operands[0]), b = walk_divisor(w, expr);
  if (!keeps_modulo(expr->op, expr->type)) {
    a = walk_all_bits(w, a, expr->operands[0]->type);
    b = walk_all_bits(w, b, expr->operands[1]->type);
  }
  if (!walk_is_integer(expr->type)) {
    value_free(&a);
    value_free(&b);
    return (struct value){0};
  }
  const struct walk_watch *watch = w->symbols->facts->watch;
  if (watch && watch->division && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM))
    watch->division(watch->context, w, &b, expr);
  /* a symbol for an unknown part keeps the rest of a sum, product, quotient or mask useful */
  if (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_REM ||
      expr->op == IR_OP_AND || expr->op == IR_OP_DIV || expr->op == IR_OP_SHR) {
    a = walk_known(w, a, expr->operands[0]->type);
    b = walk_known(w, b, expr->operands[1]->type);
  }
  return apply(w, expr->op, a, b, expr->type);
}

static struct value walk_unary(struct walk *w, struct ir_expr *expr)
{
  struct ir_expr *operand = expr->operands[0];

  switch (expr->op) {
  case IR_OP_PRE_INC:
  case IR_OP_PRE_DEC:
  case IR_OP_POST_INC:
  case IR_OP_POST_DEC: return walk_step(w, expr);
  case IR_OP_PLUS: return walk_offset(w, operand);
  case IR_OP_NEG: return wrapped(w, value_neg(walk_value(w, operand)), expr->type);
  case IR_OP_NOT: {
    isl_set *yes, *no;
    bool exact;
    walk_condition(w, expr, &yes, &no, &exact);
    return chosen(constant(w, 1), constant(w, 0), yes, no, exact);
  }
  case IR_OP_ADDRESS: {
    struct address address = address_of_lvalue(w, operand);
    address_escape(w, &address, expr, "its address is taken", true, true);
    address_free(&address);
    return (struct value){0};
  }
  default: walk_effects(w, operand); return (struct value){0};
  }
}

static struct value walk_read(struct walk *w, struct ir_expr *expr)
{
  struct address address = address_of_lvalue(w, expr);
  struct value value = {0};

  if (expr->type->kind == IR_TYPE_ARRAY) {
    address_escape(w, &address, expr, "part of it is used as a whole", true, true);
  } else {
    address_access(w, &address, expr, true, false);
    value = walk_table(w, &address, expr);
  }
  address_free(&address);
  return value;
}

static void walk_operands(struct walk *w, struct ir_expr *expr)
{
  for (unsigned i = 0; i < expr->operand_count; i++) {
    if (!address_is_pointer_type(expr->operands[i]->type)) {
      walk_effects(w, expr->operands[i]);
      continue;
    }
    struct address address = address_of_pointer(w, expr->operands[i]);
    address_escape(w, &address, expr->operands[i], "its address is stored", true, true);
    address_free(&address);
  }
}

struct value walk_value(struct walk *w, struct ir_expr *expr)
{
  return walk_all_bits(w, walk_offset(w, expr), expr->type);
}

struct value walk_offset(struct walk *w, struct ir_expr *expr)
{
  const struct kernel_facts *facts = w->symbols->facts;
  int64_t value;

  if (walk_is_integer(expr->type) && ir_constant(expr, &value))
    return value < 0 && !expr->type->is_signed ? (struct value){0} : constant(w, value);
  switch (expr->kind) {
  case IR_EXPR_INT: return constant(w, expr->value);
  case IR_EXPR_LITERAL:
    if (expr->type->kind == IR_TYPE_BOOL && expr->text)
      return constant(w, !strcmp(expr->text, "true"));
    return (struct value){0};
  case IR_EXPR_SIZEOF: return expr->has_value ? constant(w, expr->value) : (struct value){0};
  case IR_EXPR_VAR: return value_of_var(w, expr);
  case IR_EXPR_BUILTIN: {
    unsigned axis = (unsigned)expr->value % 3;
    if (expr->value == IR_WARP_SIZE) return constant(w, 32);
    if (expr->value >= IR_GRID_DIM && facts->grid[axis] > 0) return constant(w, facts->grid[axis]);
    if (expr->value >= IR_BLOCK_DIM && expr->value < IR_GRID_DIM && facts->block[axis] > 0)
      return constant(w, facts->block[axis]);
    return value_take(
        symbol_aff(w->symbols, symbol_of_builtin(w->symbols, (enum ir_builtin)expr->value)));
  }
  case IR_EXPR_PAREN: return walk_offset(w, expr->operands[0]);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: {
    if (address_is_pointer_type(expr->operands[0]->type)) {
      struct address address = address_of_pointer(w, expr);
      address_escape(w, &address, expr, "its address is converted", true, true);
      address_free(&address);
      return (struct value){0};
    }
    struct value inner = walk_offset(w, expr->operands[0]);
    return walk_converted(w, inner, expr->operands[0]->type, expr->type);
  }
  case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF ? walk_read(w, expr) : walk_unary(w, expr);
  case IR_EXPR_BINARY: return walk_binary(w, expr);
  case IR_EXPR_ASSIGN: return walk_assign(w, expr);
  case IR_EXPR_COND: return walk_choice(w, expr);
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return walk_read(w, expr);
  case IR_EXPR_CALL: return walk_call(w, expr);
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: walk_operands(w, expr); return (struct value){0};
  default:
    walk_operands(w, expr);
    walk_reject(w, "the kernel holds an expression that is not understood", &expr->place);
    return (struct value){0};
  }
}
