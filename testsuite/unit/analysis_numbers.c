/* SPDX-License-Identifier: MIT */
/* analysis_numbers.c - tests of the arithmetic on constants: each operator, conversion and literal
 * by its value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/host/constants_math.h"
#include "analysis/model/model.h"

static const struct ir_type bool_type = {.kind = IR_TYPE_BOOL, .size = 1},
                            char_type = {.kind = IR_TYPE_INT, .size = 1, .is_signed = true},
                            int_type = {.kind = IR_TYPE_INT, .size = 4, .is_signed = true},
                            unsigned_type = {.kind = IR_TYPE_INT, .size = 4},
                            wide_type = {.kind = IR_TYPE_INT, .size = 16, .is_signed = true},
                            long_type = {.kind = IR_TYPE_INT, .size = 8, .is_signed = true},
                            float_type = {.kind = IR_TYPE_FLOAT, .size = 4},
                            double_type = {.kind = IR_TYPE_FLOAT, .size = 8},
                            half_type = {.kind = IR_TYPE_FLOAT, .size = 2},
                            void_type = {.kind = IR_TYPE_VOID};

static struct number of(double value, const struct ir_type *type)
{
  struct number n = {.is_float = true, .size = 8, .real = value};
  assert_true(number_convert(&n, type));
  return n;
}

/* "f2.5": a float; "d": a double; "i": an int; "u": unsigned; "c", "b", "l": char, bool, long; "?":
 * not known */
static const char *shown(bool known, struct number n)
{
  static char text[40];
  if (!known) return "?";
  if (n.is_float)
    snprintf(text, sizeof text, "%c%g", n.size == 4 ? 'f' : 'd', n.real);
  else
    snprintf(text, sizeof text, "%c%lld",
             n.size == 1     ? (n.is_unsigned ? 'b' : 'c')
             : n.size == 8   ? 'l'
             : n.is_unsigned ? 'u'
                             : 'i',
             (long long)n.integer);
  return text;
}

static void check_binary(enum ir_op op, struct number a, struct number b, const char *wanted)
{
  struct number result = {0};
  bool known = number_binary(op, a, b, &result);
  assert_string_equal(shown(known, result), wanted);
}

static void operands_of_two_types(void **state)
{
  (void)state;
  check_binary(IR_OP_ADD, of(2, &int_type), of(0.5, &float_type), "f2.5");
  check_binary(IR_OP_ADD, of(0.5, &float_type), of(2, &int_type), "f2.5");
  check_binary(IR_OP_SUB, of(0.5, &float_type), of(0.25, &double_type), "d0.25");
  check_binary(IR_OP_MUL, of(16777217, &int_type), of(1, &float_type), "f1.67772e+07");
  check_binary(IR_OP_ADD, of(1, &long_type), of(2, &unsigned_type), "l3");
  check_binary(IR_OP_ADD, of(1, &unsigned_type), of(2, &long_type), "l3");
  check_binary(IR_OP_SUB, of(1, &int_type), of(2, &unsigned_type), "u4294967295");
  check_binary(IR_OP_ADD, of(100, &char_type), of(100, &char_type), "i200");
  check_binary(IR_OP_SHL, of(1, &bool_type), of(3, &long_type), "i8");
  check_binary(IR_OP_LT, of(-1, &char_type), of(1, &bool_type), "b1");
}

static void what_is_undefined(void **state)
{
  (void)state;
  check_binary(IR_OP_DIV, of(1, &double_type), of(0, &double_type), "?");
  check_binary(IR_OP_REM, of(1, &double_type), of(2, &double_type), "?");
  check_binary(IR_OP_DIV, of(1, &unsigned_type), of(0, &unsigned_type), "?");
  check_binary(IR_OP_REM, of(1, &unsigned_type), of(0, &unsigned_type), "?");
  check_binary(IR_OP_COMMA, of(1, &int_type), of(2, &int_type), "?");
  check_binary(IR_OP_COMMA, of(1, &unsigned_type), of(2, &int_type), "?");
  struct number n = of(1.5, &double_type);
  assert_false(number_unary(IR_OP_BIT_NOT, &n));
  n = of(1, &int_type);
  assert_false(number_unary(IR_OP_DEREF, &n));
  n = of(5e9, &double_type);
  assert_false(number_convert(&n, &int_type));
  n = of(-1, &double_type);
  assert_false(number_convert(&n, &unsigned_type));
  assert_false(number_convert(&n, &void_type));
  assert_false(number_convert(&n, &half_type));
  assert_false(number_convert(&n, &wide_type));
}

static void logic(void **state)
{
  (void)state;
  check_binary(IR_OP_LAND, of(0, &int_type), of(1, &int_type), "b0");
  check_binary(IR_OP_LAND, of(0.5, &float_type), of(1, &int_type), "b1");
  check_binary(IR_OP_LAND, of(1, &int_type), of(0, &int_type), "b0");
  check_binary(IR_OP_LOR, of(0, &int_type), of(0, &double_type), "b0");
  check_binary(IR_OP_LOR, of(0, &int_type), of(3, &int_type), "b1");
  check_binary(IR_OP_LOR, of(3, &int_type), of(0, &int_type), "b1");
}

static void literals(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    const struct ir_type *type;
    const char *value;
  } cases[] = {
      {"2.5f", &float_type, "f2.5"}, {"2.5", &double_type, "d2.5"}, {"1e3F", &float_type, "f1000"},
      {"x", &double_type, "?"},      {"2.5L", &double_type, "?"},   {"1e400", &double_type, "?"},
      {NULL, &int_type, "?"},        {"1", &void_type, "?"},        {"true", &bool_type, "b1"},
      {"false", &bool_type, "b0"},   {"'a'", &char_type, "c97"},    {"'\\n'", &char_type, "?"},
      {"''", &char_type, "?"},       {"'ab'", &int_type, "?"},      {"'", &char_type, "?"},
      {"u'a'", &int_type, "?"},      {"'a'_x", &int_type, "?"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct number n = {0};
    bool known = number_of_literal(cases[i].text, cases[i].type, &n);
    assert_string_equal(shown(known, n), cases[i].value);
  }
}

static void integers(void **state)
{
  (void)state;
  struct ir_type empty = {.kind = IR_TYPE_INT, .is_signed = true};
  assert_string_equal(shown(true, number_of_int(300, &char_type)), "c44");
  assert_string_equal(shown(true, number_of_int(-1, &unsigned_type)), "u4294967295");
  assert_string_equal(shown(true, number_of_int(7, NULL)), "i7");
  assert_string_equal(shown(true, number_of_int(7, &bool_type)), "i7");
  assert_string_equal(shown(true, number_of_int(7, &wide_type)), "i7");
  assert_string_equal(shown(true, number_of_int(7, &empty)), "i7");
}

static void check_call(const char *name, struct number a, struct number b, unsigned count,
                       const char *wanted)
{
  struct number arguments[] = {a, b}, result = {0};
  bool known = number_call(name, arguments, count, &result);
  assert_string_equal(shown(known, result), wanted);
}

static void calls(void **state)
{
  (void)state;
  struct number two = of(2, &int_type), more = of(2.25, &double_type), low = of(-2.5, &float_type);
  check_call("min", two, more, 2, "i2");
  check_call("max", two, more, 2, "d2.25");
  check_call("pow", two, more, 2, "?");
  check_call("ceil", more, two, 1, "d3");
  check_call("floor", low, two, 1, "f-3");
  check_call("truncf", low, two, 1, "f-2");
  check_call("sqrt", two, two, 1, "d1.41421");
  check_call("sqrt", low, two, 1, "?");
  check_call("sin", two, two, 1, "?");
}

/* Requests of a warp whose threads are so many elements apart, in blocks of 128. */
static unsigned banks(int64_t step, int64_t size)
{
  const int64_t block[3] = {128, 1, 1}, steps[3] = {step, 0, 0};

  return model_bank_requests(block, steps, size);
}

static void bank_requests(void **state)
{
  const int64_t square[3] = {8, 4, 1}, few[3] = {4, 2, 1};

  (void)state;
  assert_int_equal(banks(0, 4), 1);
  assert_int_equal(banks(1, 4), 1);
  assert_int_equal(banks(2, 4), 2);
  assert_int_equal(banks(16, 4), 16);
  assert_int_equal(banks(17, 4), 1);
  assert_int_equal(banks(-64, 4), 32);
  assert_int_equal(banks(1, 8), 2);
  assert_int_equal(banks(16, 8), 32);
  assert_int_equal(banks(17, 8), 2);
  assert_int_equal(banks(1, 1), 1);
  assert_int_equal(banks(64, 1), 16);
  assert_int_equal(banks(66, 1), 1);
  assert_int_equal(model_bank_requests(square, (const int64_t[]){1, 32, 0}, 4), 4);
  assert_int_equal(model_bank_requests(square, (const int64_t[]){1, 8, 0}, 4), 1);
  assert_int_equal(model_bank_requests(few, (const int64_t[]){32, 128, 0}, 4), 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(operands_of_two_types),
                                     cmocka_unit_test(what_is_undefined),
                                     cmocka_unit_test(logic),
                                     cmocka_unit_test(literals),
                                     cmocka_unit_test(integers),
                                     cmocka_unit_test(calls),
                                     cmocka_unit_test(bank_requests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
