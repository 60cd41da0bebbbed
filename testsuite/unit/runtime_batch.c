/* SPDX-License-Identifier: MIT */
/* runtime_batch.c - launches held back: which go out as a graph, which one by one, and always in
 * the order of the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stream/batch.h"
#include "device/device.h"
#include "base/error.h"
#include "mesi.h"
#include "object/object.h"
#include "launch/steps.h"

enum { LOG = 8192 };

static int order[LOG]; /* the argument of each launch that the device has got */
static unsigned made, graphs, created;

struct fake_graph {
  unsigned count;
  int values[1024];
};

/* Time stands still: a launch goes out before its time on a busy machine. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
  (void)clock;
  *ret = (struct timespec){.tv_sec = 1};
  return 0;
}

void mesi_lock(void) {}
void mesi_lock_to_launch(void) {}
void mesi_launch_counted(void) {}

int mesi_ranks_count(void) { return 1; }
int mesi_launch_device(void) { return 0; }
void mesi_unlock(void) {}
void mesi_steps_flush(void) {}
void *mesi_need(void *memory) { return memory; }
void mesi_check(const char *cause, const struct mesi_object *object, const char *what)
{
  (void)object;
  (void)what;
  assert_null(cause);
}

static const char *current_device(int *ret_device)
{
  *ret_device = 0;
  return NULL;
}

static const char *launch(int device, const struct mesi_kernel_launch *one)
{
  (void)device;
  order[made++] = *(const int *)one->args[0];
  return NULL;
}

static const char *graph_create(int device, const struct mesi_kernel_launch *const *launches,
                                unsigned count, void **ret)
{
  struct fake_graph *graph = malloc(sizeof *graph);
  (void)device;
  graph->count = count;
  for (unsigned i = 0; i < count; i++) graph->values[i] = *(const int *)launches[i]->args[0];
  created++;
  *ret = graph;
  return NULL;
}

static const char *graph_launch(int device, void *memory)
{
  const struct fake_graph *graph = memory;
  (void)device;
  for (unsigned i = 0; i < graph->count; i++) order[made++] = graph->values[i];
  graphs++;
  return NULL;
}

static void graph_free(int device, void *graph)
{
  (void)device;
  free(graph);
}

const struct mesi_device_ops mesi_device = {.name = "test",
                                            .current = current_device,
                                            .launch = launch,
                                            .graph_create = graph_create,
                                            .graph_launch = graph_launch,
                                            .graph_free = graph_free};

static void kernel(void) {}

static void add(int value)
{
  void *args[] = {&value};
  const size_t sizes[] = {sizeof value};
  const struct mesi_kernel_launch one = {
      (const void *)kernel, {1, 1, 1}, {32, 1, 1}, 0, args, sizes, 1};
  if (!mesi_batch_add(&one)) launch(0, &one);
}

static int start(void **state)
{
  (void)state;
  made = graphs = created = 0;
  return 0;
}

static void alternate(unsigned count)
{
  mesi_batch_begin();
  for (unsigned i = 0; i < count; i++) add(i % 2);
  mesi_batch_end();
  assert_int_equal(made, count);
  for (unsigned i = 0; i < count; i++) assert_int_equal(order[i], i % 2);
}

static void ping_pong(void **state)
{
  (void)state;
  alternate(1000);
  assert_int_equal(created, 1);
  assert_int_equal(graphs, (1000 - 18) / 64);
}

static void the_same_loop_again(void **state)
{
  alternate(1000);
  start(state);
  alternate(130);
  assert_int_equal(created, 0);
  assert_int_equal(graphs, 2);
}

/* A loop that goes on gets larger graphs, and its end smaller ones. */
static void a_long_loop(void **state)
{
  alternate(10); /* too short for a graph: forgotten */
  start(state);
  alternate(4000);
  assert_int_equal(created, 2);
  assert_int_equal(graphs, 32 + (4000 - 18 - 32 * 64) / 512 + (4000 - 18 - 32 * 64) % 512 / 64);
  start(state);
  alternate(64 * 8 + 2 * 512 + 100);
  assert_int_equal(created, 0);
  assert_int_equal(graphs, 8 + 2 + 1);
}

static void without_a_period(void **state)
{
  (void)state;
  mesi_batch_begin();
  for (int i = 0; i < 300; i++) add(i * i + 7);
  assert_int_equal(made, 300);
  mesi_batch_end();
  for (int i = 0; i < 300; i++) assert_int_equal(order[i], i * i + 7);
  assert_int_equal(graphs, 0);
}

static void a_period_that_ends(void **state)
{
  (void)state;
  int n = 0, wanted[600];
  mesi_batch_begin();
  for (int i = 0; i < 151; i++) add(wanted[n++] = i % 3);
  for (int i = 0; i < 7; i++) add(wanted[n++] = 100 + i);
  for (int i = 0; i < 200; i++) add(wanted[n++] = i % 5);
  mesi_batch_end();
  assert_int_equal(made, n);
  assert_memory_equal(order, wanted, (size_t)n * sizeof *wanted);
  assert_true(graphs >= 3);
}

static void flushed_in_between(void **state)
{
  (void)state;
  mesi_batch_begin();
  for (int i = 0; i < 500; i++) {
    add(i % 4);
    if (i % 37 == 0) {
      mesi_batch_flush();
      assert_int_equal(made, i + 1);
    }
  }
  mesi_batch_end();
  assert_int_equal(made, 500);
  for (int i = 0; i < 500; i++) assert_int_equal(order[i], i % 4);
}

static void nested(void **state)
{
  (void)state;
  mesi_batch_begin();
  for (int i = 0; i < 100; i++) {
    mesi_batch_begin();
    add(1);
    mesi_batch_end();
  }
  mesi_batch_end();
  assert_int_equal(made, 100);
  assert_int_equal(graphs, 1);
}

static void outside_of_a_batch(void **state)
{
  (void)state;
  for (int i = 0; i < 100; i++) add(5);
  assert_int_equal(made, 100);
  assert_int_equal(created, 0);
}

/* Random sequences of random periods, with flushes and batches that begin and end anywhere. */
static void any_sequence_keeps_its_order(void **state)
{
  int wanted[LOG];
  srand(1);
  for (int round = 0; round < 300; round++) {
    int n = 0;
    start(state);
    while (n < 1500) {
      int period = 1 + rand() % 20, base = rand() % 5, count = rand() % (round % 3 ? 400 : 3000),
          every = rand() % 5 ? 0 : 1 + rand() % 50;
      mesi_batch_begin();
      for (int i = 0; i < count; i++) {
        add(wanted[n++] = base + i % period);
        if (every && i % every == 0) mesi_batch_flush();
      }
      mesi_batch_end();
    }
    assert_int_equal(made, n);
    assert_memory_equal(order, wanted, (size_t)n * sizeof *wanted);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(without_a_period, start),
      cmocka_unit_test_setup(ping_pong, start),
      cmocka_unit_test_setup(the_same_loop_again, start),
      cmocka_unit_test_setup(a_long_loop, start),
      cmocka_unit_test_setup(a_period_that_ends, start),
      cmocka_unit_test_setup(flushed_in_between, start),
      cmocka_unit_test_setup(nested, start),
      cmocka_unit_test_setup(outside_of_a_batch, start),
      cmocka_unit_test_setup(any_sequence_keeps_its_order, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
