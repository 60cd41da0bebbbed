/* SPDX-License-Identifier: MIT */
/* ir_same.c - tests of the equality of expressions and types, and of the conversions of operands
 * that are moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "translator/ir/ir_rewrite.h"

#define INTEGER(SPELLING, SIZE, SIGNED) \
  { \
    .kind = IR_TYPE_INT, .spelling = SPELLING, .size = SIZE, .is_signed = SIGNED, .extent = -1 \
  }
static const struct ir_type int_type = INTEGER("int", 4, true),
                            const_int = {.kind = IR_TYPE_INT,
                                         .spelling = "const int",
                                         .size = 4,
                                         .is_signed = true,
                                         .is_const = true,
                                         .extent = -1},
                            unsigned_type = INTEGER("unsigned int", 4, false),
                            long_type = INTEGER("long", 8, true),
                            long_long = INTEGER("long long", 8, true),
                            char_type = INTEGER("char", 1, true),
                            enum_type = INTEGER("five", 4, false),
                            float_type = {.kind = IR_TYPE_FLOAT,
                                          .spelling = "float",
                                          .size = 4,
                                          .extent = -1},
                            array_type = {.kind = IR_TYPE_ARRAY,
                                          .spelling = "int[4]",
                                          .size = 16,
                                          .element = &int_type,
                                          .extent = 4},
                            pointer_type = {.kind = IR_TYPE_POINTER,
                                            .spelling = "const int *",
                                            .size = 8,
                                            .element = &const_int,
                                            .extent = -1},
                            other_pointer = {.kind = IR_TYPE_POINTER,
                                             .spelling = "float *",
                                             .size = 8,
                                             .element = &float_type,
                                             .extent = -1};
static struct ir_var i_var = {.kind = IR_VAR_LOCAL, .name = "i", .type = &int_type},
                     j_var = {.kind = IR_VAR_LOCAL, .name = "j", .type = &int_type},
                     five = {.kind = IR_VAR_LOCAL,
                             .name = "five",
                             .type = &const_int,
                             .has_value = true,
                             .value = 5},
                     u_var = {.kind = IR_VAR_LOCAL, .name = "u", .type = &unsigned_type};
static struct arena *arena;

static struct ir_expr *around(enum ir_expr_kind kind, const struct ir_type *type,
                              struct ir_expr *operand)
{
  struct ir_expr *expr = ir_build_cast(arena, type, operand);
  expr->kind = kind;
  return expr;
}

static struct ir_expr *number(int64_t value, const struct ir_type *type)
{
  struct ir_expr *expr = ir_build_int(arena, value);
  expr->type = type;
  return expr;
}

/* i - 5, of a five of that type */
static struct ir_expr *less_five(const struct ir_type *type)
{
  return ir_build_binary(arena, IR_OP_SUB, ir_build_var(arena, &i_var), number(5, type));
}

static void constants_have_types(void **state)
{
  const struct ir_type *types[] = {&int_type,  &unsigned_type, &long_type,
                                   &long_long, &char_type,     &enum_type};
  (void)state;
  for (unsigned a = 0; a < 6; a++)
    for (unsigned b = 0; b < 6; b++)
      assert_int_equal(ir_same_expr(less_five(types[a]), less_five(types[b])), a == b);
  assert_true(ir_same_expr(number(5, &int_type),
                           around(IR_EXPR_CONVERT, &int_type, ir_build_var(arena, &five))));
  assert_true(ir_same_expr(ir_build_var(arena, &five), number(5, &int_type)));
  assert_false(ir_same_expr(ir_build_var(arena, &five), number(5, &unsigned_type)));
  assert_false(ir_same_expr(number(5, &int_type), number(6, &int_type)));
  assert_false(ir_same_expr(number(5, &int_type), ir_build_var(arena, &i_var)));
}

static void conversions_have_types(void **state)
{
  (void)state;
  struct ir_expr *i = ir_build_var(arena, &i_var);
  assert_false(ir_same_expr(around(IR_EXPR_CONVERT, &long_long, i), i));
  assert_false(ir_same_expr(around(IR_EXPR_CONVERT, &long_long, i),
                            around(IR_EXPR_CONVERT, &unsigned_type, i)));
  assert_true(ir_same_expr(around(IR_EXPR_CONVERT, &unsigned_type, i),
                           around(IR_EXPR_CONVERT, &unsigned_type, i)));
  assert_false(
      ir_same_expr(around(IR_EXPR_CAST, &unsigned_type, i), around(IR_EXPR_CAST, &char_type, i)));
  assert_true(
      ir_same_expr(around(IR_EXPR_CAST, &char_type, i), around(IR_EXPR_CAST, &char_type, i)));
  assert_false(
      ir_same_expr(around(IR_EXPR_CAST, &char_type, i), around(IR_EXPR_CONVERT, &char_type, i)));
}

static void what_no_value_shows(void **state)
{
  (void)state;
  struct ir_expr *i = ir_build_var(arena, &i_var), *array = around(IR_EXPR_PAREN, &array_type, i);
  assert_true(ir_same_expr(around(IR_EXPR_PAREN, &int_type, i), i));
  assert_true(ir_same_expr(around(IR_EXPR_CONVERT, &const_int, i), i));
  assert_true(ir_same_expr(around(IR_EXPR_CONVERT, &pointer_type, array), array));
  assert_false(ir_same_expr(around(IR_EXPR_CONVERT, &other_pointer, array), array));
  assert_false(ir_same_expr(i, ir_build_var(arena, &j_var)));
  assert_false(ir_same_expr(i, NULL));
  assert_true(ir_same_expr(NULL, NULL));
}

static void types(void **state)
{
  (void)state;
  assert_true(ir_same_type(&int_type, &const_int));
  assert_false(ir_same_type(&long_type, &long_long));
  assert_false(ir_same_type(&int_type, &float_type));
  assert_false(ir_same_type(&int_type, NULL));
  assert_false(ir_same_type(&pointer_type, &other_pointer));
  assert_true(ir_same_type(ir_build_pointer_type(arena, &int_type), &pointer_type));
}

static void check_printed(struct ir_expr *expr, const char *wanted)
{
  struct text text = {0};
  ir_print_expr(&text, expr);
  assert_string_equal(text_string(&text), wanted);
  text_finish(&text);
}

/* A conversion stays where the new surroundings do not make it. */
static void moved_operands(void **state)
{
  (void)state;
  struct ir_expr *i = ir_build_var(arena, &i_var), *u = ir_build_var(arena, &u_var);
  struct ir_expr *as_int = around(IR_EXPR_CONVERT, &int_type, u),
                 *as_unsigned = around(IR_EXPR_CONVERT, &unsigned_type, i),
                 *as_long = around(IR_EXPR_CONVERT, &long_long, i);
  assert_int_equal(ir_build_binary(arena, IR_OP_ADD, as_int, i)->operands[0]->kind, IR_EXPR_CAST);
  assert_int_equal(ir_build_binary(arena, IR_OP_ADD, as_unsigned, u)->operands[0]->kind,
                   IR_EXPR_CONVERT);
  assert_int_equal(ir_build_binary(arena, IR_OP_ADD, as_unsigned, i)->operands[0]->kind,
                   IR_EXPR_CAST);
  assert_int_equal(
      ir_build_binary(arena, IR_OP_ADD, number(1, &long_long), as_unsigned)->operands[1]->kind,
      IR_EXPR_CAST);
  struct ir_expr *both = ir_build_binary(arena, IR_OP_ADD, as_long, as_long);
  assert_true(both->operands[0]->kind == IR_EXPR_CAST &&
              both->operands[1]->kind == IR_EXPR_CONVERT && both->type->size == 8);
  check_printed(ir_build_binary(arena, IR_OP_ADD, as_int, i), "(cast<int>(convert<int>(u)) + i)");
  assert_int_equal(ir_build_converted(arena, as_int, &int_type)->kind, IR_EXPR_CONVERT);
  assert_int_equal(ir_build_converted(arena, as_int, &long_long)->kind, IR_EXPR_CAST);
  assert_int_equal(ir_build_converted(arena, as_long, NULL)->kind, IR_EXPR_CONVERT);
}

static void types_of_operations(void **state)
{
  (void)state;
  struct ir_expr *i = ir_build_var(arena, &i_var), *u = ir_build_var(arena, &u_var),
                 *c = number(1, &char_type), *l = number(1, &long_long);
  assert_true(ir_same_type(ir_build_binary(arena, IR_OP_ADD, i, u)->type, &unsigned_type));
  assert_true(ir_same_type(ir_build_binary(arena, IR_OP_ADD, c, c)->type, &int_type));
  assert_true(ir_same_type(ir_build_binary(arena, IR_OP_ADD, u, l)->type, &long_long));
  assert_true(ir_same_type(ir_build_binary(arena, IR_OP_SHL, u, l)->type, &unsigned_type));
  assert_int_equal(ir_build_binary(arena, IR_OP_LT, u, l)->type->kind, IR_TYPE_BOOL);
  assert_true(ir_same_type(ir_build_cond(arena, i, c, u)->type, &unsigned_type));
  assert_true(ir_same_type(ir_build_unary(arena, IR_OP_NEG, c)->type, &int_type));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_have_types), cmocka_unit_test(conversions_have_types),
      cmocka_unit_test(what_no_value_shows),  cmocka_unit_test(types),
      cmocka_unit_test(moved_operands),       cmocka_unit_test(types_of_operations)};
  arena = arena_create();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  arena_destroy(arena);
  return failed;
}
