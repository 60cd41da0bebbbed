/* SPDX-License-Identifier: MIT */
/* codegen_print.c - tests of the printers of expressions, declarations and statements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "codegen/print/print.h"

static const struct ir_type int_type = {
    .kind = IR_TYPE_INT, .spelling = "int", .size = 4, .is_signed = true};
static const struct ir_type float_type = {.kind = IR_TYPE_FLOAT, .spelling = "float", .size = 4};
static const struct ir_type const_float = {
    .kind = IR_TYPE_FLOAT, .spelling = "const float", .is_const = true};

struct fixture {
  struct arena *arena;
  struct text out;
  struct printer printer;
  struct ir_var a, b;
};

static int setup(void **state)
{
  struct fixture *f = test_calloc(1, sizeof *f);
  f->arena = arena_create();
  f->printer = (struct printer){.arena = f->arena, .out = &f->out};
  f->a = (struct ir_var){.kind = IR_VAR_LOCAL, .name = "a", .type = &int_type};
  f->b = (struct ir_var){.kind = IR_VAR_LOCAL, .name = "b", .type = &int_type};
  *state = f;
  return 0;
}

static int teardown(void **state)
{
  struct fixture *f = *state;
  text_finish(&f->out);
  arena_destroy(f->arena);
  test_free(f);
  return 0;
}

static struct ir_expr *node(struct fixture *f, enum ir_expr_kind kind, unsigned count, ...)
{
  struct ir_expr *expr = ARENA_NEW(f->arena, struct ir_expr);
  expr->kind = kind;
  expr->type = &int_type;
  expr->operand_count = count;
  expr->operands = arena_alloc(f->arena, (count + 1) * sizeof *expr->operands);
  va_list arguments;
  va_start(arguments, count);
  for (unsigned i = 0; i < count; i++) expr->operands[i] = va_arg(arguments, struct ir_expr *);
  va_end(arguments);
  return expr;
}

static struct ir_expr *A(struct fixture *f) { return ir_build_var(f->arena, &f->a); }
static struct ir_expr *B(struct fixture *f) { return ir_build_var(f->arena, &f->b); }
static struct ir_expr *two(struct fixture *f, enum ir_op op, struct ir_expr *l, struct ir_expr *r)
{
  return ir_build_binary(f->arena, op, l, r);
}
static struct ir_expr *one(struct fixture *f, enum ir_op op, struct ir_expr *e)
{
  return ir_build_unary(f->arena, op, e);
}
static struct ir_expr *number(struct fixture *f, int64_t value)
{
  return ir_build_int(f->arena, value);
}

static void check(struct fixture *f, struct ir_expr *expr, const char *expected)
{
  f->out.length = 0;
  print_expr(&f->printer, expr);
  assert_string_equal(text_string(&f->out), expected);
  assert_false(f->printer.failed);
}

static void parentheses_follow_precedence(void **state)
{
  struct fixture *f = *state;
  check(f, two(f, IR_OP_MUL, two(f, IR_OP_ADD, A(f), B(f)), number(f, 2)), "(a + b) * 2");
  check(f, two(f, IR_OP_ADD, two(f, IR_OP_MUL, A(f), B(f)), number(f, 2)), "a * b + 2");
  check(f, two(f, IR_OP_SUB, A(f), two(f, IR_OP_SUB, B(f), number(f, 1))), "a - (b - 1)");
  check(f, two(f, IR_OP_SUB, two(f, IR_OP_SUB, A(f), B(f)), number(f, -1)), "a - b - -1");
  check(f, one(f, IR_OP_NOT, two(f, IR_OP_LT, A(f), B(f))), "!(a < b)");
  check(f,
        ir_build_cond(f->arena, ir_build_cond(f->arena, A(f), A(f), B(f)), A(f),
                      ir_build_cond(f->arena, B(f), A(f), B(f))),
        "(a ? a : b) ? a : b ? a : b");
}

static void signs_do_not_merge(void **state)
{
  struct fixture *f = *state;
  check(f, one(f, IR_OP_NEG, one(f, IR_OP_NEG, A(f))), "- -a");
  check(f, one(f, IR_OP_NEG, number(f, -1)), "- -1");
  check(f, one(f, IR_OP_NEG, one(f, IR_OP_PRE_DEC, A(f))), "- --a");
  check(f, one(f, IR_OP_DEREF, one(f, IR_OP_POST_INC, A(f))), "*a++");
  check(f, one(f, IR_OP_POST_INC, one(f, IR_OP_DEREF, A(f))), "(*a)++");
}

static void written_forms_stay(void **state)
{
  struct fixture *f = *state;
  struct ir_expr *cast = node(f, IR_EXPR_CAST, 1, two(f, IR_OP_ADD, A(f), B(f)));
  cast->text = "float";
  check(f, cast, "(float)(a + b)");
  check(f, node(f, IR_EXPR_CONVERT, 1, node(f, IR_EXPR_PAREN, 1, A(f))), "(a)");
  struct ir_expr *call = node(f, IR_EXPR_CALL, 2, A(f), two(f, IR_OP_COMMA, A(f), B(f)));
  call->text = "ns::f<int>";
  check(f, call, "ns::f<int>(a, (a, b))");
  struct ir_expr *sum = node(f, IR_EXPR_CALL, 2, A(f), B(f));
  sum->text = "operator+";
  check(f, node(f, IR_EXPR_INDEX, 2, sum, A(f)), "(a + b)[a]");
  check(f, number(f, 5000000000), "5000000000ll");
  check(f, ir_build_builtin(f->arena, IR_BLOCK_IDX + 1), "blockIdx.y");
}

static bool staged(struct printer *p, const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_INDEX) return false;
  text_add(p->out, "_s_a[0]");
  return true;
}

static void accesses_are_replaced(void **state)
{
  struct fixture *f = *state;
  f->printer.replace = staged;
  check(f,
        two(f, IR_OP_MUL, node(f, IR_EXPR_CONVERT, 1, node(f, IR_EXPR_INDEX, 2, A(f), B(f))), B(f)),
        "_s_a[0] * b");
}

static void declarators(void **state)
{
  struct fixture *f = *state;
  struct ir_type row = {
      .kind = IR_TYPE_ARRAY, .spelling = "float[4]", .element = &float_type, .extent = 4};
  struct ir_type matrix = {
      .kind = IR_TYPE_ARRAY, .spelling = "float[][4]", .element = &row, .extent = -1};
  struct ir_type pointer = {
      .kind = IR_TYPE_POINTER, .spelling = "float (*)[4]", .element = &row, .is_const = true};
  struct ir_type reference = {
      .kind = IR_TYPE_REFERENCE, .spelling = "float (&)[][4]", .element = &matrix};
  struct ir_type plain = {.kind = IR_TYPE_POINTER,
                          .spelling = "const float *__restrict",
                          .element = &const_float,
                          .is_restrict = true};
  struct ir_type function = {.kind = IR_TYPE_OTHER, .spelling = "void (int)"};
  struct ir_type callback = {
      .kind = IR_TYPE_POINTER, .spelling = "void (*)(int)", .element = &function};
  assert_string_equal(print_declaration(f->arena, &matrix, "m"), "float m[][4]");
  assert_string_equal(print_declaration(f->arena, &pointer, "p"), "float (*const p)[4]");
  assert_string_equal(print_declaration(f->arena, &reference, "r"), "float (&r)[][4]");
  assert_string_equal(print_declaration(f->arena, &plain, "q"), "const float *__restrict__ q");
  assert_string_equal(print_declaration(f->arena, &callback, "g"), "void (*g)(int)");
  assert_string_equal(print_declaration(f->arena, &float_type, ""), "float");
  assert_string_equal(print_plain_type(f->arena, &const_float), "float");
}

static struct ir_stmt *stmt(struct fixture *f, enum ir_stmt_kind kind, unsigned line,
                            struct ir_expr *expr)
{
  struct ir_stmt *made = ARENA_NEW(f->arena, struct ir_stmt);
  made->kind = kind;
  made->expr = expr;
  made->place.line = line;
  return made;
}

static void statements_keep_their_lines(void **state)
{
  struct fixture *f = *state;
  struct ir_stmt *loop = stmt(f, IR_STMT_FOR, 10, two(f, IR_OP_LT, A(f), number(f, 4)));
  loop->init = stmt(f, IR_STMT_DECL, 10, number(f, 0));
  loop->init->var = &f->a;
  loop->init->init_style = IR_INIT_ASSIGN;
  loop->increment = one(f, IR_OP_POST_INC, A(f));
  loop->body = stmt(f, IR_STMT_IF, 11, A(f));
  loop->body->body = stmt(f, IR_STMT_BREAK, 11, NULL);
  loop->body->else_body = stmt(f, IR_STMT_CONTINUE, 14, NULL);
  f->printer.file = "\"x.mcu\"";
  print_stmt(&f->printer, loop);
  assert_string_equal(text_string(&f->out), "\n#line 10 \"x.mcu\"\nfor (int a = 0; a < 4; a++)\n  "
                                            "if (a) break;\n  else\n\n    continue;");
}

static void returns_can_be_replaced(void **state)
{
  struct fixture *f = *state;
  f->printer.return_text = "goto out;";
  print_stmt(&f->printer, stmt(f, IR_STMT_RETURN, 1, NULL));
  assert_string_equal(text_string(&f->out), "\ngoto out;");
  assert_true(f->printer.returned);
}

static void opaque_forms_fail(void **state)
{
  struct fixture *f = *state;
  print_expr(&f->printer, node(f, IR_EXPR_OPAQUE, 0));
  assert_true(f->printer.failed);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(parentheses_follow_precedence),
                                     TEST(signs_do_not_merge),
                                     TEST(written_forms_stay),
                                     TEST(accesses_are_replaced),
                                     TEST(declarators),
                                     TEST(statements_keep_their_lines),
                                     TEST(returns_can_be_replaced),
                                     TEST(opaque_forms_fail)};
  return cmocka_run_group_tests_name("codegen_print", tests, NULL, NULL);
}
