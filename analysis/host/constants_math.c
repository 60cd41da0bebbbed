/* SPDX-License-Identifier: MIT */
/* constants_math.c - arithmetic on numbers: -7 / 2 is -3, 0u - 1 is 4294967295, INT_MAX + 1 is not
 * known. */
#include "analysis/host/constants_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool number_type(const struct ir_type *type)
{
  if (type->kind == IR_TYPE_BOOL) return true;
  if (type->kind == IR_TYPE_INT) return type->size >= 1 && type->size <= 8;
  return type->kind == IR_TYPE_FLOAT && (type->size == 4 || type->size == 8);
}

/* The value that `size` bytes keep of it. */
static int64_t wrap(int64_t value, int size, bool is_unsigned)
{
  if (size >= 8) return value;
  uint64_t shifted = (uint64_t)value << (64 - 8 * size);
  return is_unsigned ? (int64_t)(shifted >> (64 - 8 * size)) : (int64_t)shifted >> (64 - 8 * size);
}

static struct number integer(int64_t value, int size, bool is_unsigned)
{
  return (struct number){
      .size = size, .is_unsigned = is_unsigned, .integer = wrap(value, size, is_unsigned)};
}

static struct number real(double value, int size)
{
  return (struct number){
      .is_float = true, .size = size, .real = size == 4 ? (double)(float)value : value};
}

struct number number_of_int(int64_t value, const struct ir_type *type)
{
  if (!type || type->kind != IR_TYPE_INT || type->size < 1 || type->size > 8)
    return integer(value, 4, false);
  return integer(value, (int)type->size, !type->is_signed);
}

bool number_of_literal(const char *text, const struct ir_type *type, struct number *ret)
{
  if (!text || !number_type(type)) return false;
  if (type->kind == IR_TYPE_FLOAT) {
    char *end;
    double value = type->size == 4 ? (double)strtof(text, &end) : strtod(text, &end);
    if (end == text || (*end && !strchr("fF", *end)) || !isfinite(value)) return false;
    *ret = real(value, (int)type->size);
    return true;
  }
  if (!strcmp(text, "true") || !strcmp(text, "false")) {
    *ret = integer(*text == 't', 1, true);
    return true;
  }
  bool plain = text[0] == '\'' && text[1] && text[1] != '\\' && text[2] == '\'' && !text[3];
  if (plain) *ret = integer(text[1], (int)type->size, !type->is_signed);
  return plain;
}

bool number_true(struct number n) { return n.is_float ? n.real != 0 : n.integer != 0; }

static double to_real(struct number n)
{
  if (n.is_float) return n.real;
  return n.is_unsigned ? (double)(uint64_t)n.integer : (double)n.integer;
}

static bool real_to_integer(struct number *n, int size, bool is_unsigned)
{
  double whole = trunc(n->real);
  double limit = ldexp(1.0, 8 * size - (is_unsigned ? 0 : 1));
  if (!(whole >= (is_unsigned ? 0.0 : -limit)) || !(whole < limit)) return false;
  *n = integer(is_unsigned ? (int64_t)(uint64_t)whole : (int64_t)whole, size, is_unsigned);
  return true;
}

bool number_convert(struct number *n, const struct ir_type *type)
{
  if (!number_type(type)) return false;
  int size = (int)type->size;
  if (type->kind == IR_TYPE_BOOL) {
    *n = integer(number_true(*n), 1, true);
  } else if (type->kind == IR_TYPE_FLOAT) {
    if (size == 4 && !n->is_float) { /* one rounding, from the integer */
      *n = real((double)(n->is_unsigned ? (float)(uint64_t)n->integer : (float)n->integer), 4);
    } else {
      *n = real(to_real(*n), size);
    }
  } else if (n->is_float) {
    return real_to_integer(n, size, !type->is_signed);
  } else {
    *n = integer(n->integer, size, !type->is_signed);
  }
  return true;
}

static struct number promote(struct number n)
{
  return !n.is_float && n.size < 4 ? integer(n.integer, 4, false) : n;
}

bool number_unary(enum ir_op op, struct number *n)
{
  if (op == IR_OP_NOT) {
    *n = integer(!number_true(*n), 1, true);
    return true;
  }
  *n = promote(*n);
  switch (op) {
  case IR_OP_PLUS: return true;
  case IR_OP_NEG:
    if (n->is_float) {
      n->real = -n->real;
      return true;
    }
    if (!n->is_unsigned && n->integer == wrap(INT64_MIN >> (64 - 8 * n->size), n->size, false))
      return false;
    *n = integer((int64_t)(0 - (uint64_t)n->integer), n->size, n->is_unsigned);
    return true;
  case IR_OP_BIT_NOT:
    if (!n->is_float) *n = integer(~n->integer, n->size, n->is_unsigned);
    return !n->is_float;
  default: return false;
  }
}

static bool compare(enum ir_op op, int order, struct number *ret)
{
  bool holds;
  switch (op) {
  case IR_OP_LT: holds = order < 0; break;
  case IR_OP_GT: holds = order > 0; break;
  case IR_OP_LE: holds = order <= 0; break;
  case IR_OP_GE: holds = order >= 0; break;
  case IR_OP_EQ: holds = order == 0; break;
  case IR_OP_NE: holds = order != 0; break;
  default: return false;
  }
  *ret = integer(holds, 1, true);
  return true;
}

static bool real_binary(enum ir_op op, double a, double b, int size, struct number *ret)
{
  double value;
  switch (op) {
  case IR_OP_ADD: value = a + b; break;
  case IR_OP_SUB: value = a - b; break;
  case IR_OP_MUL: value = a * b; break;
  case IR_OP_DIV: value = a / b; break;
  default: return compare(op, (a > b) - (a < b), ret);
  }
  *ret = real(value, size);
  return isfinite(ret->real);
}

static bool shift(enum ir_op op, struct number a, struct number b, struct number *ret)
{
  if (b.integer < 0 || b.integer >= 8 * a.size) return false;
  if (op == IR_OP_SHR) {
    int64_t value =
        a.is_unsigned ? (int64_t)((uint64_t)a.integer >> b.integer) : a.integer >> b.integer;
    *ret = integer(value, a.size, a.is_unsigned);
    return true;
  }
  *ret = integer((int64_t)((uint64_t)a.integer << b.integer), a.size, a.is_unsigned);
  return a.is_unsigned || (a.integer >= 0 && ret->integer >> b.integer == a.integer);
}

static bool unsigned_binary(enum ir_op op, uint64_t a, uint64_t b, int size, struct number *ret)
{
  uint64_t value;
  switch (op) {
  case IR_OP_ADD: value = a + b; break;
  case IR_OP_SUB: value = a - b; break;
  case IR_OP_MUL: value = a * b; break;
  case IR_OP_DIV:
    if (!b) return false;
    value = a / b;
    break;
  case IR_OP_REM:
    if (!b) return false;
    value = a % b;
    break;
  case IR_OP_AND: value = a & b; break;
  case IR_OP_OR: value = a | b; break;
  case IR_OP_XOR: value = a ^ b; break;
  default: return compare(op, (a > b) - (a < b), ret);
  }
  *ret = integer((int64_t)value, size, true);
  return true;
}

static bool signed_binary(enum ir_op op, int64_t a, int64_t b, int size, struct number *ret)
{
  int64_t value;
  bool overflow = false;
  switch (op) {
  case IR_OP_ADD: overflow = __builtin_add_overflow(a, b, &value); break;
  case IR_OP_SUB: overflow = __builtin_sub_overflow(a, b, &value); break;
  case IR_OP_MUL: overflow = __builtin_mul_overflow(a, b, &value); break;
  case IR_OP_DIV:
  case IR_OP_REM:
    if (!b || (b == -1 && a == INT64_MIN)) return false;
    value = op == IR_OP_DIV ? a / b : a % b;
    break;
  case IR_OP_AND: value = a & b; break;
  case IR_OP_OR: value = a | b; break;
  case IR_OP_XOR: value = a ^ b; break;
  default: return compare(op, (a > b) - (a < b), ret);
  }
  *ret = integer(value, size, false);
  return !overflow && ret->integer == value;
}

bool number_binary(enum ir_op op, struct number a, struct number b, struct number *ret)
{
  if (op == IR_OP_LAND || op == IR_OP_LOR) {
    bool holds =
        op == IR_OP_LAND ? number_true(a) && number_true(b) : number_true(a) || number_true(b);
    *ret = integer(holds, 1, true);
    return true;
  }
  a = promote(a);
  b = promote(b);
  if (a.is_float || b.is_float) {
    int size = (a.is_float && a.size == 8) || (b.is_float && b.size == 8) ? 8 : 4;
    double left = size == 4 && !a.is_float ? (double)(float)to_real(a) : to_real(a);
    double right = size == 4 && !b.is_float ? (double)(float)to_real(b) : to_real(b);
    return real_binary(op, left, right, size, ret);
  }
  if (op == IR_OP_SHL || op == IR_OP_SHR) return shift(op, a, b, ret);
  int size = a.size > b.size ? a.size : b.size;
  bool is_unsigned = (a.is_unsigned && a.size == size) || (b.is_unsigned && b.size == size);
  a = integer(a.integer, size, is_unsigned);
  b = integer(b.integer, size, is_unsigned);
  return is_unsigned ? unsigned_binary(op, (uint64_t)a.integer, (uint64_t)b.integer, size, ret)
                     : signed_binary(op, a.integer, b.integer, size, ret);
}

static bool is_one_of(const char *name, const char *plain, const char *with_suffix)
{
  return !strcmp(name, plain) || !strcmp(name, with_suffix);
}

bool number_call(const char *name, const struct number *arguments, unsigned count,
                 struct number *ret)
{
  struct number a = arguments[0];
  if (count == 2 && (!strcmp(name, "min") || !strcmp(name, "max"))) {
    struct number less;
    if (!number_binary(IR_OP_LT, arguments[1], a, &less)) return false;
    *ret = number_true(less) == (*name == 'm' && name[1] == 'i') ? arguments[1] : a;
    return true;
  }
  if (count != 1) return false;
  double value = to_real(a);
  if (is_one_of(name, "ceil", "ceilf"))
    value = ceil(value);
  else if (is_one_of(name, "floor", "floorf"))
    value = floor(value);
  else if (is_one_of(name, "trunc", "truncf"))
    value = trunc(value);
  else if (is_one_of(name, "sqrt", "sqrtf"))
    value = sqrt(value);
  else
    return false;
  *ret = real(value, name[strlen(name) - 1] == 'f' ? 4 : a.is_float ? a.size : 8);
  return isfinite(value);
}
