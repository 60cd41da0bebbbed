/* SPDX-License-Identifier: MIT */
/* runtime_gate.c - the prediction of the gate to several devices, by numbers measured on H200s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/lock.h"
#include "device_sim.h"
#include "launch/gate.h"
#include "stream/devices.h"
#include "stream/order.h"

#include <stdlib.h>

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

/* ---- loops of launches ---- */

struct loop {
  double one, several;   /* ms of a launch */
  unsigned held_from;    /* the launch of a site from which on a batch holds them back */
  double behind;         /* ms of launches that the device still has to do */
  size_t written;        /* bytes, by each launch */
  unsigned passed, gone; /* launches so far; those over several devices */
};

/* A launch of one of two sites, which take turns, of 64 blocks of which each device gets half. */
static void go(struct loop *loop, const struct mesi_site *site)
{
  static struct mesi_object written;
  struct launch launch = {.site = site, .active = true, .parts = {.blocks = 64, .number = 2}};
  unsigned of_site = loop->passed++ / 2;

  launch.parts.count = loop->written > 0;
  launch.parts.items[0] = (struct mesi_pending){
      .object = &written, .write = {0, loop->written}, .access = MESI_WRITE | MESI_OVERWRITE};
  sim_busy = loop->behind;
  launch.parts.unit = 1;
  launch.parts.total = 64;
  mesi_lock();
  launch.stream = mesi_order_stream(0, NULL);
  bool several = !mesi_gate_refuses(&launch);
  mesi_gate_begins(&launch, several);
  launch.counted = !several && of_site >= loop->held_from;
  sim_clock += several ? loop->several : loop->one;
  mesi_gate_ends(&launch, several);
  mesi_unlock();
  loop->gone += several;
}

static void run_loop(struct loop *loop, const struct mesi_site sites[2], unsigned count)
{
  for (unsigned i = 0; i < count; i++) go(loop, &sites[i % 2]);
}

/* The step takes 0.93 ms, and 0.5 on two. 130 ms have to be lost first: 300 launches. A batch,
 * which knows the period after eight launches of each site, leaves some to be timed alone before.
 * The device is so far behind that a copy to time it would take 30 ms. */
static void a_loop_goes_out(void **state)
{
  static const struct mesi_site sites[2] = {{.kernel = "step", .place = "1"},
                                            {.kernel = "step", .place = "2"}};
  struct loop loop = {
      .one = 0.93, .several = 0.5, .held_from = 8, .behind = 30, .written = 1 << 30};

  (void)state;
  run_loop(&loop, sites, 600);
  assert_in_range(loop.gone, 150, 300);
  unsigned before = loop.gone;
  run_loop(&loop, sites, 100);
  assert_int_equal(loop.gone, before + 100);
}

/* Another loop over the same kernel and bytes goes out without times of its own. */
static void a_like_loop_borrows(void **state)
{
  static const struct mesi_site sites[2] = {{.kernel = "step", .place = "7"},
                                            {.kernel = "step", .place = "8"}};
  struct loop loop = {.one = 0.93, .several = 0.5, .held_from = 8, .written = 1 << 30};

  (void)state;
  run_loop(&loop, sites, 20);
  assert_int_equal(loop.gone, 20);
}

/* A loop that seems alike and does less goes back: it takes less than was predicted. */
static void a_loan_ends(void **state)
{
  static const struct mesi_site sites[2] = {{.kernel = "step", .place = "9"},
                                            {.kernel = "step", .place = "10"}};
  struct loop loop = {.one = 0.05, .several = 0.06, .held_from = ~0u, .written = 1 << 30};

  (void)state;
  run_loop(&loop, sites, 100);
  assert_in_range(loop.gone, 2, 12);
}

static void without_a_batch(void **state)
{
  static const struct mesi_site sites[2] = {{.kernel = "step", .place = "3"},
                                            {.kernel = "step", .place = "4"}};
  struct loop loop = {.one = 0.93, .several = 0.5, .held_from = ~0u};

  (void)state;
  run_loop(&loop, sites, 100);
  assert_in_range(loop.gone, 90, 98);
}

/* Predicted are 0.5 ms, and it takes longer than on one device: after some it goes back. */
static void a_loop_goes_back(void **state)
{
  static const struct mesi_site sites[2] = {{.kernel = "step", .place = "5"},
                                            {.kernel = "step", .place = "6"}};
  struct loop loop = {.one = 0.93, .several = 0.95, .held_from = ~0u};

  (void)state;
  run_loop(&loop, sites, 400);
  assert_in_range(loop.gone, 2, 20);
}

int main(void)
{
  setenv("MESI_DEVICES", "2", 1);
  unsetenv("MESI_SPREAD");
  if (mesi_devices_count() != 2) return 1;

  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_kernels_gain),   cmocka_unit_test(short_kernels_do_not),
      cmocka_unit_test(bytes_tell_a_time),   cmocka_unit_test(memory_is_the_least),
      cmocka_unit_test(exchanges_cost),      cmocka_unit_test(moving_pays_later),
      cmocka_unit_test(losers_go_back),      cmocka_unit_test(a_loop_goes_out),
      cmocka_unit_test(a_like_loop_borrows), cmocka_unit_test(a_loan_ends),
      cmocka_unit_test(without_a_batch),     cmocka_unit_test(a_loop_goes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
