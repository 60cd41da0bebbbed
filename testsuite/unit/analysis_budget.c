/* SPDX-License-Identifier: MIT */
/* analysis_budget.c - the end of the work on a kernel comes after the same number of questions,
 * whatever else the machine does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <isl/aff.h>
#include <isl/set.h>

#include "analysis/sets/budget.h"

enum { OPERATIONS = 300000, MOST = 2000000 };

/* Is it answered? `number` makes each question another one. */
static bool ask(isl_ctx *ctx, unsigned number)
{
  isl_set *set =
      isl_set_read_from_str(ctx, "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= 2i and 3j + i < 5n }");
  set = isl_set_subtract(
      set, isl_set_read_from_str(ctx, "[n] -> { [i, j] : i = 2 * floor((i + j) / 4) }"));
  set = isl_set_fix_si(set, isl_dim_param, 0, (int)(number % 1000));
  isl_bool empty = isl_set_is_empty(set);
  isl_set_free(set);
  isl_ctx_reset_error(ctx);
  isl_ctx_reset_operations(ctx);
  return empty != isl_bool_error;
}

/* Questions until one is not answered. */
static unsigned questions_of_a_kernel(void)
{
  unsigned count = 0;

  budget_begin_kernel();
  isl_ctx *ctx = budget_new_ctx(OPERATIONS);
  while (count < MOST && ask(ctx, count)) count++;
  assert_false(ask(ctx, count));
  isl_ctx *late = budget_new_ctx(OPERATIONS);
  assert_false(ask(late, 1));
  budget_free_ctx(late);
  budget_free_ctx(ctx);
  budget_end_kernel();
  return count;
}

static void test_kernels_end_alike(void **state)
{
  (void)state;
  budget_begin(200000, 900000, 4);
  unsigned first = questions_of_a_kernel();
  assert_in_range(first, 20, MOST - 1);
  assert_int_equal(questions_of_a_kernel(), first);
  budget_end();
}

static void test_the_unit_ends(void **state)
{
  unsigned kernels = 0;

  (void)state;
  budget_begin(200000, 900000, 4);
  while (kernels < 100 && questions_of_a_kernel() > 0) kernels++;
  assert_in_range(kernels, 2, 99);
  budget_end();
  budget_begin(200000, 900000, 4);
  isl_ctx *ctx = budget_new_ctx(OPERATIONS);
  assert_true(ask(ctx, 1));
  budget_free_ctx(ctx);
  budget_end();
}

/* Kernels that take all they get leave something for those behind them. */
static void test_late_kernels_have_a_share(void **state)
{
  (void)state;
  budget_begin(200000, 900000, 30);
  unsigned first = questions_of_a_kernel();
  for (unsigned i = 1; i < 29; i++) {
    unsigned count = questions_of_a_kernel();
    assert_in_range(count, first / 3, first);
  }
  assert_in_range(questions_of_a_kernel(), 5, first);
  budget_end();
}

/* A unit of many kernels has more steps, and an end of them. */
static void test_a_large_unit_has_more(void **state)
{
  (void)state;
  assert_int_equal(budget_of_unit(0), BUDGET_UNIT);
  assert_int_equal(budget_of_unit(BUDGET_USUAL), BUDGET_UNIT);
  assert_int_equal(budget_of_unit(BUDGET_USUAL + 3), BUDGET_UNIT + 3 * BUDGET_MORE);
  assert_int_equal(budget_of_unit(100000), BUDGET_MOST);
}

/* Pivots of a large tableau allocate little: what they change counts. */
static void test_changed_rows_are_steps(void **state)
{
  static const char *tangled = "[b] -> { [i] : exists (e: i >= 0 and 0 <= e <= 4294967295 and "
                               "-23 + 768b - 8i + 9e <= 24*floor((3e)/8) <= 3864 - 8i + 9e and "
                               "24*floor((3e)/8) <= 744 + 768b - 8i + 9e and "
                               "24*floor((-1 + 8i - 9e)/24) <= -17 + 8i - 9e) }";

  (void)state;
  budget_begin(1200000, 9000000, 1);
  budget_begin_kernel();
  isl_ctx *ctx = budget_new_ctx(20000);
  isl_pw_multi_aff_free(isl_set_lexmin_pw_multi_aff(isl_set_read_from_str(ctx, tangled)));
  assert_true(budget_is_spent());
  budget_free_ctx(ctx);
  budget_end_kernel();
  budget_end();
}

/* A first attempt that takes all it gets leaves the second one the rest. */
static void test_an_attempt_has_a_part(void **state)
{
  (void)state;
  budget_begin(400000, 9000000, 1);
  budget_begin_kernel();
  unsigned long begun = budget_begin_part(4);
  isl_ctx *first = budget_new_ctx(OPERATIONS);
  unsigned count = 0, more = 0;
  while (count < 1000 && ask(first, count)) count++;
  assert_true(budget_is_spent());
  budget_end_part(begun);
  assert_false(budget_is_spent());
  budget_free_ctx(first);
  isl_ctx *second = budget_new_ctx(OPERATIONS);
  while (more < 1000 && ask(second, more)) more++;
  assert_in_range(more, 2 * count, 4 * count + 4);
  budget_free_ctx(second);
  budget_end_part(budget_begin_part(2)); /* nothing is left */
  assert_true(budget_is_spent());
  budget_end_kernel();
  budget_end();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_end_alike),
      cmocka_unit_test(test_the_unit_ends),
      cmocka_unit_test(test_late_kernels_have_a_share),
      cmocka_unit_test(test_a_large_unit_has_more),
      cmocka_unit_test(test_changed_rows_are_steps),
      cmocka_unit_test(test_an_attempt_has_a_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
