/* SPDX-License-Identifier: MIT */
/* prove_field.c - the arithmetic of prove/field.h against its definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prove/field.h"

static uint64_t state = 88172645463325252u;

static uint64_t any_element(void)
{
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return field_reduce(state);
}

static uint64_t modulo(unsigned __int128 value) { return (uint64_t)(value % FIELD_P); }

static void test_ring(void **context)
{
  (void)context;
  for (int i = 0; i < 100000; i++) {
    uint64_t a = any_element(), b = any_element();
    assert_int_equal(field_add(a, b), modulo((unsigned __int128)a + b));
    assert_int_equal(field_sub(a, b), modulo((unsigned __int128)a + FIELD_P - b));
    assert_int_equal(field_mul(a, b), modulo((unsigned __int128)a * b));
    assert_int_equal(field_add(a, field_neg(a)), 0);
  }
}

static void test_ends(void **context)
{
  const uint64_t last = FIELD_P - 1;
  (void)context;
  assert_int_equal(field_reduce(FIELD_P), 0);
  assert_int_equal(field_reduce(UINT64_MAX), 7);
  assert_int_equal(field_add(last, 1), 0);
  assert_int_equal(field_mul(last, last), 1);
  assert_int_equal(field_neg(0), 0);
  assert_int_equal(field_sub(0, 1), last);
}

static void test_inverse(void **context)
{
  (void)context;
  assert_int_equal(field_inverse(1), 1);
  assert_int_equal(field_inverse(FIELD_P - 1), FIELD_P - 1);
  assert_int_equal(field_inverse(2), UINT64_C(1) << 60);
  for (int i = 0; i < 10000; i++) {
    uint64_t a = any_element(), b = any_element();
    if (a) assert_int_equal(field_mul(a, field_inverse(a)), 1);
    if (b) assert_int_equal(field_mul(field_div(a, b), b), a);
  }
  assert_int_not_equal(field_div(1, 0), field_div(2, 0));
  assert_int_equal(field_div(5, 0), field_div(5, 0));
}

static void test_scale(void **context)
{
  (void)context;
  for (int by = -2000; by <= 2000; by += 7) {
    uint64_t a = any_element();
    assert_int_equal(field_scale(field_scale(a, by), -by), a);
    assert_int_equal(field_scale(a, by), field_mul(a, field_scale(1, by)));
    assert_int_equal(field_scale(a, by + 1), field_add(field_scale(a, by), field_scale(a, by)));
  }
}

static void test_numbers(void **context)
{
  (void)context;
  assert_int_equal(field_of(0), 0);
  assert_int_equal(field_of(-0.0), 0);
  assert_int_equal(field_of(1), 1);
  assert_int_equal(field_of(-3), FIELD_P - 3);
  assert_int_equal(field_mul(field_of(0.75), 4), 3);
  assert_int_equal(field_of(ldexp(1, 61)), 1);
  assert_int_equal(field_of(ldexp(3, -1073)), field_scale(3, -1073));
  assert_int_equal(field_of(1e300), field_mul(field_of(1e300 / 1024), 1024));
  assert_int_equal(field_of(NAN), field_of(-NAN));
  assert_int_not_equal(field_of(INFINITY), field_of(-INFINITY));
  for (int i = 1; i < 10000; i++)
    assert_int_equal(field_of(i * 0.5 + i * 0.25), field_mul(field_of(i), field_of(0.75)));
}

static void test_names(void **context)
{
  (void)context;
  assert_int_equal(field_name("sqrt"), field_name("sqrt"));
  assert_int_not_equal(field_name("sin"), field_name("cos"));
  assert_int_not_equal(field_mix(field_mix(1, 2), 3), field_mix(field_mix(1, 3), 2));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ring),    cmocka_unit_test(test_ends),
                                     cmocka_unit_test(test_inverse), cmocka_unit_test(test_scale),
                                     cmocka_unit_test(test_numbers), cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
