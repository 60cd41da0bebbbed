/* SPDX-License-Identifier: MIT */
/* ir_names.c - tests of the names in texts that are printed as written, and of what a store
 * writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "translator/ir/ir_rewrite.h"

static void names_in_texts(void **state)
{
  (void)state;
  assert_true(ir_text_has_name("a + b", "b"));
  assert_false(ir_text_has_name("ab + 1", "b"));
  assert_false(ir_text_has_name("'b'", "b"));
  assert_false(ir_text_has_name("u8'b'", "b"));
  assert_false(ir_text_has_name("\"a \\\" b\"", "b"));
  assert_true(ir_text_has_name("'\\'' + b", "b"));
  assert_true(ir_text_has_name("'\\\\' + b", "b"));
  assert_true(ir_text_has_name("1'000 + b - 2'0", "b"));
  assert_true(ir_text_has_name("R\"(\")\" + b", "b"));
  assert_true(ir_text_has_name("x' b", "b")); /* no literal */
}

static void what_a_store_writes(void **state)
{
  static const struct ir_type integer = {
      .kind = IR_TYPE_INT, .spelling = "int", .size = 4, .align = 4, .is_signed = true};
  static const struct ir_type pointer = {
      .kind = IR_TYPE_POINTER, .spelling = "int *", .size = 8, .align = 8, .element = &integer};
  struct ir_var i = {.kind = IR_VAR_LOCAL, .name = "i", .type = &integer},
                p = {.kind = IR_VAR_LOCAL, .name = "p", .type = &pointer};
  struct arena *arena = arena_create();
  struct ir_expr *at = ir_build_var(arena, &i), *one = ir_build_int(arena, 1),
                 *element = ir_build_index(arena, ir_build_var(arena, &p), at),
                 *store = ir_build_assign(arena, element, one),
                 *step = ir_build_assign(arena, at, one);
  (void)state;
  assert_false(ir_writes_var(store, &i));
  assert_false(ir_writes_var(store, &p));
  assert_true(ir_writes_var(step, &i));
  assert_false(ir_writes_var(step, &p));
  assert_false(ir_writes_var(element, &i));
  arena_destroy(arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_in_texts),
                                     cmocka_unit_test(what_a_store_writes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
