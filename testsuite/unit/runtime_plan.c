/* SPDX-License-Identifier: MIT */
/* The greedy choice of a launch: order, capacity, conditions, sizes that are anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <cmocka.h>

#include "mesi.h"

static struct mesi_plan_array array(unsigned element, double accesses, long long rows,
                                    long long columns)
{
  return (struct mesi_plan_array){
      .condition = 1, .element = element, .dims = 2, .size = {rows, columns}, .accesses = accesses};
}

static void test_best_first(void **state)
{
  (void)state;
  struct mesi_plan_array arrays[] = {array(4, 10, 1, 1000), array(4, 10, 1, 100),
                                     array(4, 30, 2, 1000)};
  struct mesi_plan plan;

  mesi_plan_choose(arrays, 3, 8400, 64, 0, &plan);
  /* 0.025 and 0.00375 per byte; 0.0025 comes last and does not fit */
  assert_int_equal(plan.staged, 2 | 4);
  assert_int_equal(plan.offset[1], 0);
  assert_int_equal(plan.offset[2], 400);
  assert_int_equal(plan.bytes, 8400);
  assert_int_equal(plan.size[2][0], 2);
  assert_int_equal(plan.size[2][1], 1000);
}

static void test_one_that_fits_follows(void **state)
{
  (void)state;
  struct mesi_plan_array arrays[] = {array(8, 1e9, 100, 100), array(1, 1, 1, 7), array(4, 1, 1, 4)};
  struct mesi_plan plan;

  mesi_plan_choose(arrays, 3, 1000, 64, 0, &plan);
  assert_int_equal(plan.staged, 2 | 4);
  assert_int_equal(plan.offset[2], 16); /* each copy begins at a multiple of 16 */
  assert_int_equal(plan.bytes, 32);
  mesi_plan_choose(arrays, 3, 31, 64, 0, &plan);
  assert_int_equal(plan.staged, 2);
}

static void test_sizes_are_anything(void **state)
{
  (void)state;
  long long sizes[] = {0, -1, LLONG_MIN, LLONG_MAX, 1ll << 62, (1ll << 32) + 1};
  struct mesi_plan plan;

  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct mesi_plan_array one = array(4, 100, sizes[i], sizes[i]),
                           other = array(4, 100, 2, sizes[i]);
    mesi_plan_choose(&one, 1, 49152, 64, 0, &plan);
    assert_int_equal(plan.staged, 0);
    mesi_plan_choose(&other, 1, 49152, 64, 0, &plan);
    assert_int_equal(plan.staged, 0);
    assert_int_equal(plan.bytes, 0);
  }
}

static void test_conditions(void **state)
{
  (void)state;
  struct mesi_plan_array arrays[] = {array(4, 10, 1, 10), array(4, 2, 1, 10), array(4, 0, 1, 10)};
  struct mesi_plan plan;

  arrays[0].condition = 0;
  mesi_plan_choose(arrays, 3, 49152, 8, 0, &plan);
  assert_int_equal(plan.staged, 2); /* the third is not accessed */
  arrays[0].condition = 1;
  mesi_plan_choose(arrays, 3, 49152, 8, 8, &plan);
  assert_int_equal(plan.staged, 1); /* 10 * 8 accesses to 10 elements; the second has 16 */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_best_first),
      cmocka_unit_test(test_one_that_fits_follows),
      cmocka_unit_test(test_sizes_are_anything),
      cmocka_unit_test(test_conditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
