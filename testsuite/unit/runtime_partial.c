/* SPDX-License-Identifier: MIT */
/* runtime_partial.c - ranges: how many bytes move, and that the others survive; prefetch; faults by
 * page. */
#include "runtime_support.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 100 * PAGE, SMALL = 1000, LARGE = 20 << 20 };

static PAGED(unsigned char, [N]) a_store, guarded_store;
static PAGED(unsigned char, [SMALL]) small_store;
static unsigned char *d_a, *d_guarded, *d_small;

#define a a_store.value
#define guarded guarded_store.value
#define small small_store.value

static const struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, 0, NULL, "p.mcu:1"},
    {"guarded", guarded, sizeof guarded, &d_guarded, MESI_VAR_GUARDED, NULL, "p.mcu:2"},
    {"small", small, sizeof small, &d_small, 0, NULL, "p.mcu:3"},
};
static const struct mesi_site_use uses[] = {
    {0, MESI_READ_WRITE}, {1, MESI_READ_WRITE}, {2, MESI_READ_WRITE}};
static const struct mesi_site sites[] = {
    {"a", "p.mcu:10", &uses[0], 1, 0},
    {"guarded", "p.mcu:11", &uses[1], 1, 0},
    {"small", "p.mcu:12", &uses[2], 1, 0},
    {"nothing", "p.mcu:13", NULL, 0, 0},
};
enum { USE_A, USE_GUARDED, USE_SMALL, NOTHING };
static const struct mesi_file file = {MESI_ABI, "p.mcu", vars, 3, sites, 4};

static int set_up(void **state)
{
  (void)state;
  mesi_touch_all(MESI_READ_WRITE);
  memset(a, 1, sizeof a);
  memset(guarded, 1, sizeof guarded);
  memset(small, 1, sizeof small);
  reset_counts();
  return 0;
}

/* A launch of the kernel that uses [read) and writes [write) of the site's variable. */
static void begin_range(unsigned site, size_t read_begin, size_t read_end, size_t write_begin,
                        size_t write_end, unsigned access)
{
  mesi_launch_begin(&file, site);
  mesi_launch_use_range(0, read_begin, read_end, write_begin, write_end, access);
  mesi_launch_stream(NULL);
}

static void launches_bring_what_they_use(void **state)
{
  (void)state;
  begin_range(USE_A, 100, 300, 0, 0, MESI_READ);
  assert_int_equal(d_a[100], 1);
  assert_int_equal(d_a[299], 1);
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, 200);
  begin_range(USE_A, 50, 400, 0, 0, MESI_READ); /* the two ends that are missing */
  mesi_launch_end();
  assert_int_equal(counts.to_device, 3);
  assert_int_equal(counts.bytes_to_device, 350);
  begin_range(USE_A, 0, N + 100, 0, 0, MESI_READ); /* clipped */
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, N);
}

static void reading_one_element_moves_one_element(void **state)
{
  (void)state;
  begin_launch(&file, USE_A);
  memset(d_a, 7, N);
  mesi_launch_end();
  mesi_touch_range(&a[5000], 4, MESI_READ);
  assert_int_equal(a[5003], 7);
  assert_int_equal(counts.bytes_to_host, 4);
  mesi_touch_range(&a[4990], 20, MESI_READ);
  assert_int_equal(counts.bytes_to_host, 20);
  assert_int_equal(counts.to_host, 3);
  mesi_touch_range(&a[N - 10], SIZE_MAX, MESI_READ);
  assert_int_equal(counts.bytes_to_host, 30);
  mesi_touch_range(&a[0], 0, MESI_READ);
  assert_int_equal(counts.bytes_to_host, 30);
}

static void partial_writes_stay_partial(void **state)
{
  (void)state;
  begin_launch(&file, USE_A);
  mesi_launch_end();
  reset_counts();
  mesi_touch_range(&a[1000], 8, MESI_WRITE); /* all is stale on the host: the 8 bytes come first */
  assert_int_equal(counts.bytes_to_host, 8);
  a[1000] = 42;
  begin_range(USE_A, 0, N, 2000, 2100, MESI_READ_WRITE);
  assert_int_equal(d_a[1000], 42);
  assert_int_equal(d_a[1001], 1);
  memset(d_a + 2000, 9, 100);
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, 8);
  mesi_touch_object(a, MESI_READ);
  assert_int_equal(counts.bytes_to_host, 8 + N - 8);
  assert_int_equal(a[2099], 9);
  assert_int_equal(a[1000], 42);
}

static void overwritten_bytes_are_not_brought(void **state)
{
  (void)state;
  begin_range(USE_A, 0, 0, 0, N, MESI_WRITE | MESI_OVERWRITE);
  memset(d_a, 3, N);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 0);
  mesi_touch_range(a, N, MESI_WRITE | MESI_OVERWRITE);
  assert_int_equal(counts.to_host, 0);
  memset(a, 4, N);
  begin_launch(&file, USE_A);
  assert_int_equal(d_a[N - 1], 4);
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, N);
}

/* One argument overwrites what another of the same launch reads. */
static void overwritten_and_read(void **state)
{
  (void)state;
  mesi_launch_begin(&file, NOTHING);
  mesi_launch_stream(NULL);
  mesi_launch_arg_range(small, 0, 0, 0, SMALL, MESI_WRITE | MESI_OVERWRITE);
  unsigned char *there = mesi_launch_arg_range(small + 10, -10, 10, 0, 0, MESI_READ);
  assert_int_equal(there[-10], 1);
  assert_int_equal(there[9], 1);
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, 20);
  mesi_touch_object(small, MESI_READ_WRITE);
  reset_counts();
  mesi_launch_begin(&file, NOTHING);
  mesi_launch_stream(NULL);
  mesi_launch_arg(small, MESI_WRITE | MESI_OVERWRITE);
  mesi_launch_arg(small, MESI_WRITE); /* the same bytes, some of which stay as they are */
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, SMALL);
}

/* A launch of the whole variable that reads it, and may write all of it, is made, or left. */
static void *launch_all(void *left)
{
  begin_launch(&file, USE_A);
  if (left)
    mesi_launch_left();
  else
    mesi_launch_end();
  return NULL;
}

/* The other launch is made while the first, whose kernel has run, is not at its end. */
static void overwrite_beside(bool first_left, bool other_left)
{
  pthread_t other;
  begin_range(USE_A, 0, 0, 1000, 3000, MESI_WRITE | MESI_OVERWRITE);
  memset(d_a + 1000, 8, 2000);
  assert_int_equal(pthread_create(&other, NULL, launch_all, other_left ? d_a : NULL), 0);
  pthread_join(other, NULL);
  assert_int_equal(d_a[1000], 8);
  assert_int_equal(d_a[2999], 8);
  if (first_left)
    mesi_launch_left();
  else
    mesi_launch_end();
  mesi_touch_object(a, MESI_READ);
  for (size_t i = 0; i < N; i++)
    if (a[i] != (i >= 1000 && i < 3000 && !first_left ? 8 : 1)) fail_msg("%zu: %d", i, a[i]);
  mesi_touch_object(a, MESI_READ_WRITE);
}

/* Another thread's launch brings nothing over what the kernel has written, and does not take what
 * was on the host before for written. */
static void overwritten_beside_another_launch(void **state)
{
  (void)state;
  overwrite_beside(false, false);
  memset(a, 1, sizeof a);
  overwrite_beside(true, false);
  memset(a, 1, sizeof a);
  overwrite_beside(false, true);
  memset(a, 1, sizeof a);
  overwrite_beside(true, true);
}

static void many_pieces_are_joined(void **state)
{
  (void)state;
  begin_launch(&file, USE_A);
  mesi_launch_end();
  mesi_touch_object(a, MESI_READ);
  reset_counts();
  for (size_t i = 0; i < 100; i++) {
    mesi_touch_range(&a[i * 64], 4, MESI_WRITE | MESI_OVERWRITE);
    a[i * 64] = (unsigned char)i;
  }
  begin_launch(&file, USE_A);
  for (size_t i = 0; i < 100; i++) assert_int_equal(d_a[i * 64], i);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 1);
  for (size_t i = 0; i < N / 64; i += 2) { /* more than are kept apart */
    mesi_touch_range(&a[i * 64], 1, MESI_READ_WRITE);
    a[i * 64] = 77;
  }
  begin_launch(&file, USE_A);
  for (size_t i = 0; i < N / 64; i += 2) assert_int_equal(d_a[i * 64], 77);
  mesi_launch_end();
}

static void faults_bring_pages(void **state)
{
  (void)state;
  begin_launch(&file, USE_GUARDED);
  memset(d_guarded, 5, N);
  mesi_launch_end();
  reset_counts();
  assert_int_equal(((volatile unsigned char *)guarded)[50 * PAGE + 7], 5);
  assert_int_equal(counts.to_host, 1);
  assert_true(counts.bytes_to_host < N / 2);
  ((volatile unsigned char *)guarded)[50 * PAGE + 8] = 6;
  begin_launch(&file, USE_GUARDED);
  assert_int_equal(d_guarded[50 * PAGE + 8], 6);
  mesi_launch_end();
  assert_int_equal(counts.bytes_to_device, PAGE);
  unsigned sum = 0;
  reset_counts();
  for (size_t i = 0; i < N; i += PAGE) sum += ((volatile unsigned char *)guarded)[i];
  assert_int_equal(sum, 5 * (N / PAGE));
  assert_true(counts.to_host < 8);
}

static void a_part_that_a_kernel_writes_is_stale(void **state)
{
  (void)state;
  begin_launch(&file, USE_GUARDED);
  mesi_launch_end();
  mesi_touch_object(guarded, MESI_READ);
  begin_range(USE_GUARDED, 0, 0, 10 * PAGE, 10 * PAGE + 4, MESI_WRITE);
  d_guarded[10 * PAGE] = 99;
  mesi_launch_end();
  reset_counts();
  assert_int_equal(((volatile unsigned char *)guarded)[20 * PAGE], 1);
  assert_int_equal(counts.to_host, 0);
  assert_int_equal(((volatile unsigned char *)guarded)[10 * PAGE], 99);
  assert_int_equal(counts.bytes_to_host, 4);
}

/* Host memory counts as page-locked with late copies only. */
static void child_prefetches(void)
{
  setenv("MESI_CPU_COPIES", "late", 1);
  for (int round = 0; round < 20; round++) {
    begin_launch(&file, USE_SMALL);
    d_small[0]++;
    mesi_launch_end();
    unsigned before = counts.to_host;
    mesi_touch_range(small, 500, MESI_READ);
    if (small[0] != 1 + round + 1) _exit(1);
    if (round > 8 && counts.to_host != before) _exit(2); /* it was under way */
  }
  for (int round = 0; round < 20; round++) { /* now nobody reads it: given up soon */
    begin_launch(&file, USE_SMALL);
    mesi_launch_end();
    if (round == 4) reset_counts();
  }
  _exit(counts.to_host ? 3 : 0);
}

static void what_the_host_reads_again_is_prefetched(void **state)
{
  (void)state;
  char text[4096];
  assert_int_equal(run_child(child_prefetches, text, sizeof text), 0);
}

/* More than the ring of page-locked slots holds, both ways. */
static void child_goes_round_the_ring(void)
{
  setenv("MESI_CPU_COPIES", "late", 1);
  unsigned *p = mesi_malloc(LARGE);
  for (unsigned i = 0; i < LARGE / sizeof *p; i++) p[i] = i * 2654435761u;
  mesi_launch_begin(&file, NOTHING);
  mesi_launch_stream(NULL);
  unsigned *there = mesi_launch_arg(p, MESI_READ_WRITE);
  for (unsigned i = 0; i < LARGE / sizeof *p; i++)
    if (there[i]++ != i * 2654435761u) _exit(1);
  mesi_launch_end();
  mesi_touch_object(p, MESI_READ);
  for (unsigned i = 0; i < LARGE / sizeof *p; i++)
    if (p[i] != i * 2654435761u + 1) _exit(2);
  _exit(0);
}

static void large_objects_go_through_the_ring(void **state)
{
  (void)state;
  char text[4096];
  assert_int_equal(run_child(child_goes_round_the_ring, text, sizeof text), 0);
}

/* An element, then one somewhere else, are their own bytes; one after the other, more and more come
 * along. */
static void elements_in_sequence_bring_more(void **state)
{
  (void)state;
  begin_range(USE_A, 0, N, 0, N, MESI_WRITE);
  memset(d_a, 7, N);
  mesi_launch_end();
  reset_counts();
  for (size_t i = 0; i < 8; i++) mesi_touch_range(a + i * 1000, 4, MESI_READ);
  assert_int_equal(counts.bytes_to_host, 32);
  for (size_t i = 10000; i < N; i += 4) {
    mesi_touch_range(a + i, 4, MESI_READ);
    assert_int_equal(a[i + 3], 7);
  }
  assert_in_range(counts.to_host, 10, 24);
  assert_in_range(counts.bytes_to_host, N - 10000, N);
  reset_counts();
  begin_range(USE_A, 0, 0, 0, PAGE, MESI_WRITE);
  mesi_launch_end();
  mesi_touch_range(a, 4, MESI_READ); /* after a launch that wrote it, from the beginning */
  assert_int_equal(counts.bytes_to_host, 4);
}

/* A frame at a time, each may be all that is ready. */
static void frames_in_sequence_bring_themselves(void **state)
{
  (void)state;
  begin_range(USE_A, 0, N, 0, N, MESI_WRITE);
  mesi_launch_end();
  reset_counts();
  for (size_t i = 0; i < 16; i++) mesi_touch_range(a + i * PAGE, PAGE, MESI_READ);
  assert_int_equal(counts.bytes_to_host, 16 * PAGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(what_the_host_reads_again_is_prefetched, set_up),
      cmocka_unit_test_setup(large_objects_go_through_the_ring, set_up),
      cmocka_unit_test_setup(launches_bring_what_they_use, set_up),
      cmocka_unit_test_setup(reading_one_element_moves_one_element, set_up),
      cmocka_unit_test_setup(partial_writes_stay_partial, set_up),
      cmocka_unit_test_setup(overwritten_bytes_are_not_brought, set_up),
      cmocka_unit_test_setup(overwritten_and_read, set_up),
      cmocka_unit_test_setup(overwritten_beside_another_launch, set_up),
      cmocka_unit_test_setup(many_pieces_are_joined, set_up),
      cmocka_unit_test_setup(faults_bring_pages, set_up),
      cmocka_unit_test_setup(a_part_that_a_kernel_writes_is_stale, set_up),
      cmocka_unit_test_setup(elements_in_sequence_bring_more, set_up),
      cmocka_unit_test_setup(frames_in_sequence_bring_themselves, set_up),
  };
  signal(SIGSEGV, SIG_DFL);
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_partial", tests, NULL, NULL);
}
