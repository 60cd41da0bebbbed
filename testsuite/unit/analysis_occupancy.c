/* SPDX-License-Identifier: MIT */
/* What copies of whole arrays gain in requests, and cost in blocks that a multiprocessor holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/model/model.h"

static unsigned held(unsigned arch, int64_t threads, uint64_t shared, double blocks)
{
  const struct copying c = {.threads = threads, .blocks = blocks, .shared = shared};

  return model_blocks_held(target_of(arch), &c);
}

static void blocks_of_a_multiprocessor(void **state)
{
  (void)state;
  assert_int_equal(held(90, 64, 0, 1e6), 32);
  assert_int_equal(held(90, 32, 0, 1e6), 32); /* not 64: blocks are limited, too */
  assert_int_equal(held(75, 32, 0, 1e6), 16);
  assert_int_equal(held(90, 1024, 0, 1e6), 2);
  assert_int_equal(held(90, 768, 0, 1e6), 2);
  assert_int_equal(held(90, 64, 24 * 1024, 1e6), 9); /* with 1 KB of the device's own */
  assert_int_equal(held(86, 64, 48000, 1e6), 2);
  assert_int_equal(held(90, 64, 24 * 1024, 264), 2); /* the launch has no more */
  assert_int_equal(held(90, 64, 24 * 1024, 265), 3);
  assert_int_equal(held(90, 32, 300000, 1e6), 0);
}

/* The time with a copy over that without it. */
static double factor(int64_t threads, double blocks, const struct copied *array)
{
  struct copying c = {.threads = threads, .blocks = blocks};
  double without;

  model_array_written(&c, array);
  without = model_copying(target_of(90), &c);
  model_array_copied(&c, array);
  return model_copying(target_of(90), &c) / without;
}

/* An array whose elements a block uses so many times, with requests of so many cycles. */
static struct copied used(double uses, double cycles, uint64_t bytes, int64_t threads)
{
  double elements = (double)bytes / 4 / (double)threads;

  return (struct copied){.reads = uses * elements,
                         .requests = uses * elements * cycles,
                         .elements = elements,
                         .load = true,
                         .bytes = bytes};
}

static void copies_that_pay(void **state)
{
  const struct copied scattered = used(8, 16, 49152, 32), often = used(100, 4, 49152, 32),
                      many = used(8, 4, 49152, 256), small = used(8, 4, 2048, 32);

  (void)state;
  assert_true(factor(32, 1e6, &scattered) < 1);
  assert_true(factor(32, 1e6, &often) < 1);
  assert_true(factor(256, 1e6, &many) < 1);
  assert_true(factor(32, 1e6, &small) < 1);
}

static void copies_that_cost(void **state)
{
  const struct copied few = used(8, 4, 49152, 32), cached = used(8, 2.5, 32768, 32),
                      none = used(8, 4, 300000, 32);

  (void)state;
  assert_true(factor(32, 1e6, &few) > 1.5);
  assert_true(factor(32, 1e6, &cached) > 1.5);
  assert_true(factor(32, 132, &few) <
              1.15); /* a block a multiprocessor, with the copy or without */
  assert_true(factor(32, 1e6, &none) > 1e9);
}

static void stores_do_not_wait(void **state)
{
  struct copied written = used(8, 16, 49152, 32);
  struct copying c = {.threads = 32, .blocks = 1e6};

  (void)state;
  written.writes = written.reads;
  written.reads = 0;
  written.load = false;
  written.store = true;
  model_array_written(&c, &written);
  assert_true(c.waits == 0);
  model_array_copied(&c, &written);
  assert_true(c.waits == 0);
  assert_true(c.requests > 0 && c.requests < written.requests);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_of_a_multiprocessor), cmocka_unit_test(copies_that_pay),
      cmocka_unit_test(copies_that_cost), cmocka_unit_test(stores_do_not_wait)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
