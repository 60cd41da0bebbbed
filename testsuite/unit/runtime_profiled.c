/* SPDX-License-Identifier: MIT */
/* runtime_profiled.c - a program under a profiler, for which launches are named: one by one and put
 * together (steps.c). */
#include "device_sim.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 4096, LAUNCHES = 12 };

static PAGED(unsigned char, [BYTES]) one_store, other_store;

static const struct mesi_var vars[] = {
    {"one", one_store.value, BYTES, NULL, 0, NULL, "f.mcu:1"},
    {"other", other_store.value, BYTES, NULL, 0, NULL, "f.mcu:2"},
};
static const struct mesi_site sites[] = {{"step", "f.mcu:10", NULL, 0, 0}};
static const struct mesi_file file = {MESI_ABI, "f.mcu", vars, 2, sites, 1};

static unsigned together; /* launches of several steps */

static void add_one(void *const args[SIM_ARGS])
{
  for (size_t i = 0; i < BYTES; i++)
    ((unsigned char *)args[1])[i] = (unsigned char)(((const unsigned char *)args[0])[i] + 1);
}

struct work {
  const unsigned char *from;
  unsigned char *to;
  int steps;
};

static void add_steps(void *context)
{
  struct work *work = context;
  for (size_t i = 0; i < BYTES; i++) work->to[i] = (unsigned char)(work->from[i] + work->steps);
}

static int submit(const struct mesi_kernel_launch *launch, int steps)
{
  struct work *work = malloc(sizeof *work);
  memcpy(&work->from, launch->args[0], sizeof work->from);
  memcpy(&work->to, launch->args[1], sizeof work->to);
  work->steps = steps;
  sim_launch(0, add_steps, work);
  return 0;
}

static int start(const struct mesi_kernel_launch *launch) { return submit(launch, 1); }

static int start_steps(const struct mesi_kernel_launch *launch)
{
  const struct mesi_steps_run *run = launch->args[2];
  together++;
  return submit(launch, run->depth);
}

static const struct mesi_steps_buffer buffers[] = {{.param = 0, .before = 1, .bytes = 1},
                                                   {.param = 1, .before = 0, .bytes = 1}};
static const struct mesi_steps in_steps = {.depth = 5,
                                           .params = 2,
                                           .axes = 1,
                                           .threads = {64, 1, 1},
                                           .tile = {256, 1, 1},
                                           .tiles = 1,
                                           .buffers = buffers,
                                           .buffer_count = 2,
                                           .next = &in_steps};

/* step<<<>>>(from, to), as the code that mesicc emits. */
static void launch(unsigned char *from, unsigned char *to)
{
  mesi_launch_begin(&file, 0);
  mesi_launch_stream(NULL);
  void *values[] = {mesi_launch_arg_range(from, 0, BYTES, 0, 0, MESI_READ),
                    mesi_launch_arg_range(to, 0, 0, 0, BYTES, MESI_WRITE | MESI_OVERWRITE)};
  void *args[] = {&values[0], &values[1]};
  const size_t sizes[] = {sizeof values[0], sizeof values[1]};
  const unsigned long long totals[3] = {BYTES, 1, 1};
  const struct mesi_kernel_launch one = {add_one, {BYTES / 64, 1, 1}, {64, 1, 1}, 0, args, sizes,
                                         2};
  if (!mesi_steps_add(&in_steps, &one, start, add_steps, start_steps, totals)) start(&one);
  mesi_launch_end();
}

static void launches_put_together_are_named(void **state)
{
  (void)state;
  unsigned char *from = one_store.value, *to = other_store.value;
  mesi_touch_range(from, BYTES, MESI_READ_WRITE);
  memset(from, 7, BYTES);
  mesi_batch_begin();
  for (int i = 0; i < LAUNCHES; i++) {
    launch(from, to);
    unsigned char *old = from;
    from = to;
    to = old;
  }
  mesi_batch_end();
  mesi_touch_range(from, BYTES, MESI_READ);
  assert_int_equal(from[BYTES - 1], 7 + LAUNCHES);
  assert_in_range(together, 1, LAUNCHES / 3);
  assert_in_range(sim_ranges, together + 1, LAUNCHES - 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(launches_put_together_are_named)};
  setenv("NVTX_INJECTION64_PATH", "a-profiler", 1);
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_profiled", tests, NULL, NULL);
}
