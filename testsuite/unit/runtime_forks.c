/* SPDX-License-Identifier: MIT */
/* runtime_forks.c - what a child of fork has: data of its own; with -DDEVICES_FORK=false, as with
 * CUDA, no devices. */
#include "object/guard.h"
#include "runtime_support.h"
#include "base/signals.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 3000 };

static PAGED(int, [N]) a_store, b_store;
static int *d_a, *d_b, *memory;
static char stats[64];

#define a a_store.value
#define b b_store.value

static const struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, MESI_VAR_GUARDED, NULL, "f.mcu:1"},
    {"b", b, sizeof b, &d_b, MESI_VAR_GUARDED, NULL, "f.mcu:2"},
};
static const struct mesi_site_use uses[] = {{0, MESI_READ_WRITE}, {1, MESI_READ_WRITE}};
static const struct mesi_site sites[] = {{"write_a", "f.mcu:10", &uses[0], 1, 0},
                                         {"write_b", "f.mcu:11", &uses[1], 1, 0}};
static const struct mesi_file file = {MESI_ABI, "f.mcu", vars, 2, sites, 2};

static char text[4096];

/* cmocka puts its own handler of faults in place for each test, which the runtime does not see
 * behind a sanitizer's sigaction. */
static void set_up_data(void)
{
  mesi_guard_catch();
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i, memory[i] = 3 * i;
  begin_launch(&file, 0);
  mesi_launch_arg(memory, MESI_READ_WRITE);
  mesi_launch_end();
  begin_launch(&file, 1);
  d_b[7] = 100;
  mesi_launch_end();
  if (((volatile int *)a)[0] != 0 || ((volatile int *)a)[N - 1] != N - 1 ||
      ((volatile int *)memory)[0] != 0)
    abort();
}

/* a and the block are valid on the host, b is not. */
static void child_uses_the_host(void)
{
  alarm(20);
  if (((volatile int *)a)[3] != 3 || ((volatile int *)memory)[4] != 12) _exit(1);
  for (int i = 0; i < N; i++) ((volatile int *)a)[i] = ((volatile int *)memory)[i] = -1;
  int *more = mesi_malloc(50000);
  more[0] = memory[9];
  _exit(more[0] == -1 ? 0 : 2);
}

static void child_and_parent_write_to_their_own(void **state)
{
  (void)state;
  set_up_data();
  int status = run_child(child_uses_the_host, text, sizeof text);
  assert_string_equal(text, "");
  assert_int_equal(status, 0);
  assert_int_equal(((volatile int *)a)[3], 3);
  assert_int_equal(((volatile int *)memory)[4], 12);
  ((volatile int *)a)[3]++;
  begin_launch(&file, 0);
  assert_int_equal(d_a[3], 4);
  mesi_launch_end();
}

static void child_reads_stale_data(void)
{
  alarm(20);
  _exit(((volatile int *)b)[7] == 100 ? 0 : 1);
}

static void stale_data_needs_the_device(void **state)
{
  (void)state;
  set_up_data();
  int status = run_child(child_reads_stale_data, text, sizeof text);
  assert_int_equal(status, DEVICES_FORK ? 0 : 70);
  if (!DEVICES_FORK)
    assert_non_null(strstr(text, "no valid copy: variable 'b' (f.mcu:2): of byte 0: it was on the "
                                 "device when this process was forked"));
  assert_int_equal(((volatile int *)b)[7], 100);
}

static void child_launches(void)
{
  alarm(20);
  begin_launch(&file, 0);
  mesi_launch_end();
  _exit(0);
}

static void child_gives_to_the_device(void)
{
  alarm(20);
  mesi_device_ptr(memory, MESI_READ);
  _exit(0);
}

static void a_device_that_was_used_is_lost(void **state)
{
  static void (*const uses_it[])(void) = {child_launches, child_gives_to_the_device};
  (void)state;
  set_up_data();
  for (unsigned i = 0; i < 2; i++) {
    int status = run_child(uses_it[i], text, sizeof text);
    assert_int_equal(status, DEVICES_FORK ? 0 : 70);
    if (!DEVICES_FORK)
      assert_non_null(strstr(text, "this process was forked when a device had been used"));
  }
}

/* No object is on a device yet, and none has been asked for. */
static void a_child_may_be_the_first_to_launch(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_launches, text, sizeof text), 0);
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
  (void)number;
  signals++;
}

static void child_has_no_signals(void)
{
  alarm(20);
  mesi_touch_object(memory, MESI_READ);
  mesi_launch_end();
  _exit(signals);
}

static void what_was_put_off_is_for_the_parent(void **state)
{
  (void)state;
  set_up_data();
  struct sigaction action = {.sa_handler = count_signal};
  /* what sigaction is, but behind a sanitizer's */
  assert_int_equal(mesi_signals_action(SIGUSR1, &action, NULL), 0);
  begin_launch(&file, 0);
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert_int_equal(signals, 0);
  int status = run_child(child_has_no_signals, text, sizeof text);
  if (DEVICES_FORK) assert_int_equal(status, 0);
  mesi_launch_end();
  assert_int_equal(signals, 1);
}

static void child_exits(void)
{
  alarm(20);
  exit(0);
}

static void only_the_parent_writes_statistics(void **state)
{
  struct stat status;
  (void)state;
  set_up_data();
  assert_int_equal(run_child(child_exits, text, sizeof text), 0);
  assert_int_equal(stat(stats, &status), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_child_may_be_the_first_to_launch),
      cmocka_unit_test(child_and_parent_write_to_their_own),
      cmocka_unit_test(stale_data_needs_the_device),
      cmocka_unit_test(a_device_that_was_used_is_lost),
      cmocka_unit_test(what_was_put_off_is_for_the_parent),
      cmocka_unit_test(only_the_parent_writes_statistics),
  };
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  snprintf(stats, sizeof stats, "/tmp/runtime_forks.%d", (int)getpid());
  setenv("MESI_STATS", stats, 1);
  mesi_register(&file);
  memory = mesi_malloc(N * sizeof(int));
  int failed = cmocka_run_group_tests_name("runtime_forks", tests, NULL, NULL);
  _exit(failed);
}
