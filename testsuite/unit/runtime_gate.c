/* SPDX-License-Identifier: MIT */
/* runtime_gate.c - the prediction of the gate to several devices, by numbers measured on H200s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "launch/gate.h"

/* A Jacobi step, 16384 squared, on two devices with 390 GB/s between them. */
static const struct mesi_gate_costs step = {
    .one = 0.905, .share = 0.5, .touched = 2.147e9, .steady = 131072, .link = 390e6, .memory = 4e9};

static void long_kernels_gain(void **state)
{
  (void)state;
  assert_true(mesi_gate_pays(&step, 0));
  assert_true(mesi_gate_several(&step) > 0.45);
  assert_true(mesi_gate_several(&step) < 0.51);
}

static void short_kernels_do_not(void **state)
{
  struct mesi_gate_costs costs = step;
  (void)state;
  costs.one = 0.02;
  costs.touched = 4e6;
  assert_false(mesi_gate_pays(&costs, 0));
}

static void bytes_tell_a_time(void **state)
{
  struct mesi_gate_costs costs = step;
  (void)state;
  costs.one = -1;
  assert_true(mesi_gate_one(&costs) > 0.5);
  assert_true(mesi_gate_pays(&costs, 0));
}

/* No device is faster than its memory, whatever several launches in one take. */
static void memory_is_the_least(void **state)
{
  struct mesi_gate_costs costs = step;
  (void)state;
  costs.one = 0.25;
  assert_true(mesi_gate_several(&costs) > 0.26);
  assert_false(mesi_gate_pays(&costs, 0));
}

static void exchanges_cost(void **state)
{
  struct mesi_gate_costs costs = step;
  (void)state;
  costs.steady = 390e6;
  assert_false(mesi_gate_pays(&costs, 0));
}

/* Half of 17 GB has to go to the other device first: 22 ms, of which a launch wins 2. */
static void moving_pays_later(void **state)
{
  struct mesi_gate_costs costs = {
      .one = 4.2, .share = 0.5, .touched = 17e9, .to_several = 8.6e9, .link = 390e6, .memory = 4e9};
  (void)state;
  assert_false(mesi_gate_pays(&costs, 0));
  assert_false(mesi_gate_pays(&costs, 10));
  assert_true(mesi_gate_pays(&costs, 25));
  costs.to_one = costs.to_several;
  assert_true(mesi_gate_pays(&costs, 0));
}

static void losers_go_back(void **state)
{
  (void)state;
  assert_true(mesi_gate_lost(1, 1.2));
  assert_true(mesi_gate_lost(1, 0.99));
  assert_false(mesi_gate_lost(1, 0.6));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_kernels_gain), cmocka_unit_test(short_kernels_do_not),
      cmocka_unit_test(bytes_tell_a_time), cmocka_unit_test(memory_is_the_least),
      cmocka_unit_test(exchanges_cost),    cmocka_unit_test(moving_pays_later),
      cmocka_unit_test(losers_go_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
