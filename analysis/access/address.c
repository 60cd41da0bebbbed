/* SPDX-License-Identifier: MIT */
/* address.c - the element that a pointer or lvalue expression names.
 *
 *     a[row][k]        =>  base a, index { row, k }
 *     *(p + i)         =>  base p, index { i }
 *     q = a[row]; q[k] =>  base a, index { row, k }
 *
 * Requires: walk.h's state. Produces: struct address, and the entries of struct array. Gives up
 * (base or shape unknown): pointers from memory, casts to another element type, pointers changed in
 * loops.
 */
#include <string.h>

#include "analysis/access/walk.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

bool address_is_pointer_type(const struct ir_type *type)
{
  return type && (type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY);
}

struct address address_copy(const struct address *address)
{
  struct address copy = *address;

  for (unsigned i = 0; i < address->count; i++) copy.index[i] = value_copy(&address->index[i]);
  return copy;
}

void address_free(struct address *address)
{
  for (unsigned i = 0; i < address->count; i++) value_free(&address->index[i]);
  memset(address, 0, sizeof *address);
}

static void describe(struct array *array)
{
  const struct ir_type *type = array->var->type;

  if (type->kind == IR_TYPE_POINTER) {
    array->extents[array->dim_count++] = -1;
    type = type->element;
  }
  while (type->kind == IR_TYPE_ARRAY) {
    if (array->dim_count == ACCESS_DIMS) {
      array->reject = "it has too many dimensions";
      break;
    }
    array->extents[array->dim_count++] = type->extent;
    type = type->element;
  }
  array->element = type;
}

struct array *address_array(struct walk *w, struct ir_var *var)
{
  if (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_SHARED || var->kind == IR_VAR_HOST)
    return NULL;
  for (unsigned i = 0; i < w->out->arrays.count; i++)
    if (w->out->arrays.items[i]->var == var) return w->out->arrays.items[i];

  struct array *array = ARENA_NEW(w->symbols->arena, struct array);
  array->var = var;
  describe(array);
  *ARENA_PUSH(w->symbols->arena, &w->out->arrays) = array;
  return array;
}

static struct value zero(struct walk *w) { return value_take(symbols_constant(w->symbols, 0)); }

/* Adds one more index, 0. */
static void descend(struct walk *w, struct address *address)
{
  if (address->inside || !address->shaped) return;
  if (address->count == ACCESS_DIMS) {
    address->shaped = false;
    return;
  }
  address->source[address->count] = NULL;
  address->index[address->count++] = zero(w);
}

static void find_effects(struct ir_expr *expr, void *context)
{
  bool *found = context;
  *found |=
      expr->kind == IR_EXPR_ASSIGN || expr->kind == IR_EXPR_OPAQUE ||
      (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
       expr->effect != IR_EFFECT_LOAD) ||
      (expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                       expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC));
}

static bool evaluates_with_effects(struct ir_expr *expr)
{
  bool found = false;
  ir_visit_expr(expr, find_effects, &found);
  return found;
}

static bool has_unknown(const struct value *value)
{
  isl_space *space = isl_pw_aff_get_space(value->aff);
  bool unknown = symbols_any_unknown(space);

  isl_space_free(space);
  for (unsigned i = 0; i < value->term_count; i++) {
    space = isl_pw_aff_get_space(value->terms[i].coefficient);
    unknown |= symbols_any_unknown(space);
    isl_space_free(space);
  }
  return unknown;
}

/* The value of an offset. Addresses wrap around at 64 bits: an unsigned i - n with unknown parts
 * may lead to an element in front of the pointer's, and ((size_t)z * ny + y) * nx to the same
 * element as the product of whole numbers. */
static struct value offset_value(struct walk *w, struct ir_expr *offset)
{
  static const struct ir_type wide = {
      .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};
  struct value by = walk_known(w, walk_offset(w, offset), offset->type);
  const struct ir_type *type = offset->type;

  by.modulo = false;
  if (!by.aff || type->kind != IR_TYPE_INT || type->is_signed || type->size < 8 ||
      SEEDED(OFFSET_NOT_NEGATIVE) || !has_unknown(&by) ||
      value_fits(w->symbols, &by, w->domain, &wide))
    return by;
  value_free(&by);
  return walk_known(w, by, &wide);
}

/* address += sign * the value of `offset` */
static void advance(struct walk *w, struct address *address, struct ir_expr *offset, bool minus)
{
  struct value by = offset_value(w, offset);
  struct arena *arena = w->symbols->arena;

  address->has_effects |= evaluates_with_effects(offset);
  if (address->inside || !address->shaped || !address->count) {
    value_free(&by);
    return;
  }
  unsigned last = address->count - 1;
  address->stepped |= address->count > 1 && (address->stored || address->source[last]);
  address->index[last] =
      minus ? value_sub(address->index[last], by) : value_add(address->index[last], by);
  struct ir_expr *old = address->source[last];
  address->wide |= old || offset->type->size > 4 || !offset->type->is_signed;
  if (minus)
    address->source[last] = old ? ir_build_binary(arena, IR_OP_SUB, old, offset)
                                : ir_build_unary(arena, IR_OP_NEG, offset);
  else
    address->source[last] = old ? ir_build_binary(arena, IR_OP_ADD, old, offset) : offset;
}

static bool tracked_pointer(struct walk *w, const struct ir_var *var)
{
  return walk_tracked_pointer(var) && walk_owns(w, var);
}

static struct address address_of_var(struct walk *w, struct ir_var *var, const struct ir_expr *expr)
{
  struct address address = {0};

  if (var->type->kind == IR_TYPE_REFERENCE) return address;
  if (var->type->kind == IR_TYPE_POINTER) {
    if (tracked_pointer(w, var)) return address_copy(walk_pointer(w, var));
    if (var->kind == IR_VAR_VS || var->kind == IR_VAR_DEVICE) {
      struct array *array = address_array(w, var);
      array->read = true;
      if (!array->reject) {
        array->reject = "it is a pointer in device memory";
        array->reject_place = expr->place;
      }
    }
    return address;
  }
  address.base = var;
  address.local =
      var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_SHARED || var->kind == IR_VAR_PARAM;
  address.shaped = address.has_source = true;
  return address;
}

/* Joins two pointers, one of which is taken. */
static struct address either(struct address a, struct address b)
{
  struct address merged = {0};

  if (a.base == b.base && a.local == b.local) {
    merged.base = a.base;
    merged.local = a.local;
  }
  address_free(&a);
  address_free(&b);
  return merged;
}

static struct address address_of_choice(struct walk *w, struct ir_expr *expr)
{
  isl_set *yes, *no;
  bool exact;

  walk_condition(w, expr->operands[0], &yes, &no, &exact);
  isl_set_free(yes);
  isl_set_free(no);
  bool must = w->must;
  w->must = false;
  w->chosen++;
  struct address a = address_of_pointer(w, expr->operands[1]),
                 b = address_of_pointer(w, expr->operands[2]);
  w->must = must;
  w->chosen--;
  /* two known bases: neither is followed any more */
  if (a.base != b.base) {
    address_escape(w, &a, expr, "its address is chosen by a condition", true, true);
    address_escape(w, &b, expr, "its address is chosen by a condition", true, true);
  }
  return either(a, b);
}

/* Have both pointers the same element type? Elements of another type are other values, even with
 * the same size, and a replacement of an element has the element's type. */
static bool same_pointee(const struct ir_type *a, const struct ir_type *b)
{
  if (!address_is_pointer_type(a) || !address_is_pointer_type(b)) return false;
  a = a->element;
  b = b->element;
  while (a->kind == IR_TYPE_ARRAY && b->kind == IR_TYPE_ARRAY && a->extent == b->extent) {
    a = a->element;
    b = b->element;
  }
  bool same =
      ir_same_type(a, b) || (SEEDED(POINTEE_BY_SIZE) && a->kind == b->kind && a->size == b->size);
  return same && a->kind != IR_TYPE_ARRAY && a->is_volatile == b->is_volatile;
}

static struct address address_of_cast(struct walk *w, struct ir_expr *expr)
{
  struct ir_expr *operand = expr->operands[0];

  if (!address_is_pointer_type(operand->type)) {
    walk_effects(w, operand);
    return (struct address){0};
  }
  struct address address = address_of_pointer(w, operand);
  if (address_is_pointer_type(expr->type) && !same_pointee(expr->type, operand->type))
    address.shaped = false;
  return address;
}

static struct address address_of_unary(struct walk *w, struct ir_expr *expr)
{
  if (expr->op == IR_OP_ADDRESS) return address_of_lvalue(w, expr->operands[0]);

  struct address address = {0};
  struct ir_expr *target = ir_strip(expr->operands[0]);
  if ((expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC || expr->op == IR_OP_POST_INC ||
       expr->op == IR_OP_POST_DEC) &&
      target->kind == IR_EXPR_VAR && tracked_pointer(w, target->var)) {
    struct address moved = address_copy(walk_pointer(w, target->var));
    bool post = expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC;
    bool minus = expr->op == IR_OP_PRE_DEC || expr->op == IR_OP_POST_DEC;
    if (post) address = address_copy(&moved);
    if (moved.shaped && moved.count && !moved.inside) {
      struct value one = value_take(symbols_constant(w->symbols, minus ? -1 : 1));
      moved.index[moved.count - 1] = value_add(moved.index[moved.count - 1], one);
    }
    if (!post) address = address_copy(&moved);
    walk_set_pointer(w, target->var, moved);
    address.has_effects = true;
    return address;
  }
  walk_effects(w, expr);
  return address;
}

struct address address_of_pointer(struct walk *w, struct ir_expr *expr)
{
  struct address address = {0};

  switch (expr->kind) {
  case IR_EXPR_PAREN: return address_of_pointer(w, expr->operands[0]);
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return address_of_cast(w, expr);
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_DEREF) break;
    return address_of_unary(w, expr);
  case IR_EXPR_COND: return address_of_choice(w, expr);
  case IR_EXPR_BINARY:
    if (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB) {
      bool right = !address_is_pointer_type(expr->operands[0]->type);
      address = address_of_pointer(w, expr->operands[right]);
      advance(w, &address, expr->operands[!right], expr->op == IR_OP_SUB);
      return address;
    }
    if (expr->op == IR_OP_COMMA) {
      walk_effects(w, expr->operands[0]);
      return address_of_pointer(w, expr->operands[1]);
    }
    walk_effects(w, expr);
    return address;
  case IR_EXPR_ASSIGN: {
    walk_effects(w, expr);
    struct ir_expr *target = ir_strip(expr->operands[0]);
    if (target->kind == IR_EXPR_VAR && tracked_pointer(w, target->var))
      address = address_copy(walk_pointer(w, target->var));
    address.has_effects = true;
    return address;
  }
  case IR_EXPR_VAR:
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: break;
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL: address.local = true; return address;
  case IR_EXPR_INIT_LIST: /* of a local array */
    walk_effects(w, expr);
    address.local = expr->type->kind == IR_TYPE_ARRAY;
    return address;
  default: walk_effects(w, expr); return address;
  }

  bool parameter =
      /* it may be declared as an array */
      expr->kind == IR_EXPR_VAR && expr->var->type->kind == IR_TYPE_POINTER;
  if (expr->type->kind == IR_TYPE_ARRAY && !parameter) { /* decays */
    address = address_of_lvalue(w, expr);
    descend(w, &address);
    return address;
  }
  if (expr->kind == IR_EXPR_VAR) return address_of_var(w, expr->var, expr);
  walk_effects(w, expr); /* a pointer read from memory */
  return address;
}

struct address address_of_lvalue(struct walk *w, struct ir_expr *expr)
{
  struct address address = {0};

  switch (expr->kind) {
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT: return address_of_lvalue(w, expr->operands[0]);
  case IR_EXPR_VAR:
    if (expr->var->type->kind == IR_TYPE_POINTER) { /* the pointer variable itself */
      address.base = expr->var;
      address.local = expr->var->kind == IR_VAR_LOCAL || expr->var->kind == IR_VAR_PARAM ||
                      expr->var->kind == IR_VAR_SHARED;
      return address;
    }
    return address_of_var(w, expr->var, expr);
  case IR_EXPR_INDEX:
    address = address_of_pointer(w, expr->operands[0]);
    advance(w, &address, expr->operands[1], false);
    break;
  case IR_EXPR_MEMBER:
    address = expr->is_arrow ? address_of_pointer(w, expr->operands[0])
                             : address_of_lvalue(w, expr->operands[0]);
    if (!address.inside && !address.element)
      address.element = expr->is_arrow ? NULL : expr->operands[0];
    address.inside = true;
    return address;
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_DEREF) {
      address = address_of_pointer(w, expr->operands[0]);
      break;
    }
    walk_effects(w, expr); /* ++x */
    address.local = address.made = true;
    return address;
  default:
    walk_effects(w, expr);
    address.local = address.made = true;
    return address;
  }
  if (!address.inside && expr->type->kind != IR_TYPE_ARRAY) address.element = expr;
  return address;
}

/* Handles a local target. True: there is nothing more to note. */
static bool local_target(struct walk *w, const struct address *address, const struct ir_expr *expr,
                         bool write)
{
  if (address->made && write) walk_reject(w, "the target of a write is not followed", &expr->place);
  return address->local;
}

static void unknown_access(struct walk *w, const struct ir_expr *expr, bool read, bool write)
{
  if ((read && !w->out->unknown_read) || (write && !w->out->unknown_write))
    w->out->unknown_place = expr->place;
  w->out->unknown_read |= read;
  w->out->unknown_write |= write;
}

static void reject_array(struct array *array, const char *reason, const struct ir_expr *expr)
{
  if (array->reject) return;
  array->reject = reason;
  array->reject_place = expr->place;
}

static void push_access(struct walk *w, struct array *array, struct address *address,
                        const struct ir_expr *expr, bool read, bool write)
{
  struct access *access = ARENA_PUSH(w->symbols->arena, &array->accesses);

  access->expr = address->element;
  access->place = expr->place;
  access->read = read;
  access->write = write;
  access->partial = address->inside && !SEEDED(PARTIAL_WRITE_WHOLE);
  access->must = w->must;
  access->chosen = w->chosen > 0;
  access->has_effects = address->has_effects;
  access->stepped = address->stepped && !SEEDED(STEPS_STAY_IN_ROW);
  access->count = w->count;
  access->scale = w->scale;
  access->trips = w->trips;
  access->nest = w->depth ? NULL : w->nest;
  access->domain = isl_set_copy(w->domain);
  access->loops = isl_set_copy(w->loops);
  access->dim_count = address->count;
  access->wide = address->wide || address->stored;
  for (unsigned i = 0; i < address->count; i++) {
    access->index[i] = value_gather(w->symbols, value_copy(&address->index[i]));
    access->source[i] = address->stored || !address->has_source ? NULL : address->source[i];
  }
}

static bool is_volatile(const struct ir_var *var)
{
  for (const struct ir_type *type = var->type; type; type = type->element)
    if (type->is_volatile && (type != var->type || var->type->kind != IR_TYPE_POINTER)) return true;
  return false;
}

void address_access(struct walk *w, struct address *address, const struct ir_expr *expr, bool read,
                    bool write)
{
  const struct walk_watch *watch = w->symbols->facts->watch;

  if (watch && watch->access) watch->access(watch->context, w, address, expr);
  if (local_target(w, address, expr, write)) return;
  if (!address->base) {
    unknown_access(w, expr, read, write);
    return;
  }
  struct array *array = address_array(w, address->base);
  if (!array) return;
  array->read |= read;
  array->written |= write;
  if (is_volatile(array->var) || expr->type->is_volatile)
    reject_array(array, "it is volatile", expr);
  else if (!address->shaped || !address->element || address->count != array->dim_count)
    reject_array(array, "it is accessed through a pointer whose target is not followed", expr);
  else
    push_access(w, array, address, expr, read, write);
}

void address_escape(struct walk *w, struct address *address, const struct ir_expr *expr,
                    const char *reason, bool read, bool write)
{
  if (local_target(w, address, expr, write)) return;
  if (!address->base) {
    unknown_access(w, expr, read, write);
    return;
  }
  struct array *array = address_array(w, address->base);
  if (!array) return;
  array->read |= read;
  array->written |= write;
  reject_array(array, reason, expr);
}
