/* SPDX-License-Identifier: MIT */
/* runtime_guard.c - guarded objects: faults bring them up to date, foreign faults go on. */
#include "runtime_support.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 3000, THREADS = 4, ROUNDS = 300 };

static PAGED(int, [N]) a_store = {{11, 12}, 0}, b_store;
static int unaligned_store[N + 1];
static int *d_a, *d_b, *d_unaligned;

#define a a_store.value
#define b b_store.value
#define unaligned (unaligned_store + ((uintptr_t)unaligned_store % PAGE == 0))

static struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, MESI_VAR_GUARDED, NULL, "g.mcu:1"},
    {"b", b, sizeof b, &d_b, MESI_VAR_GUARDED, NULL, "g.mcu:2"},
    {"unaligned", NULL, N * sizeof(int), &d_unaligned, MESI_VAR_GUARDED, NULL, "g.mcu:3"},
};

enum { READ_A, WRITE_A, WRITE_UNALIGNED, WRITE_B };

static const struct mesi_site_use uses[] = {
    {0, MESI_READ},
    {0, MESI_READ_WRITE},
    {2, MESI_WRITE},
    {1, MESI_READ_WRITE},
};
static const struct mesi_site sites[] = {
    {"read", "g.mcu:10", &uses[0], 1, 0},
    {"write", "g.mcu:11", &uses[1], 1, 0},
    {"unaligned", "g.mcu:12", &uses[2], 1, 0},
    {"write_b", "g.mcu:13", &uses[3], 1, 0},
};
static const struct mesi_file file = {MESI_ABI, "g.mcu", vars, 3, sites, 4};

static int set_up(void **state)
{
  (void)state;
  mesi_touch_all(MESI_READ_WRITE);
  reset_counts();
  return 0;
}

static void initial_contents_survive(void **state)
{
  (void)state;
  begin_launch(&file, READ_A);
  assert_int_equal(d_a[0], 11);
  assert_int_equal(d_a[1], 12);
  assert_int_equal(d_a[N - 1], 0);
  mesi_launch_end();
  assert_int_equal(a[1], 12);
}

static void reading_copies_back_once(void **state)
{
  (void)state;
  begin_launch(&file, WRITE_A);
  d_a[0] = 100;
  d_a[N - 1] = 101;
  mesi_launch_end();
  assert_int_equal(((volatile int *)a)[0], 100);
  assert_int_equal(((volatile int *)a)[N - 1], 101);
  assert_int_equal(counts.to_host, 1);
  begin_launch(&file, READ_A);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 1); /* the device copy is still valid */
}

static void writing_makes_the_device_stale(void **state)
{
  (void)state;
  begin_launch(&file, WRITE_A);
  d_a[0] = 200;
  d_a[1] = 201;
  mesi_launch_end();
  ((volatile int *)a)[0] = 300;
  assert_int_equal(counts.to_host, 1);
  assert_int_equal(a[1], 201);
  begin_launch(&file, READ_A);
  assert_int_equal(d_a[0], 300);
  assert_int_equal(d_a[1], 201);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 2);
}

static void first_write_after_a_read_launch_is_seen(void **state)
{
  (void)state;
  begin_launch(&file, READ_A);
  mesi_launch_end();
  ((volatile int *)a)[7] = 8;
  begin_launch(&file, READ_A);
  assert_int_equal(d_a[7], 8);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 2);
}

static void an_argument_may_read_what_the_launch_writes(void **state)
{
  (void)state;
  a[0] = 5;
  begin_launch(&file, WRITE_A);
  int value = ((volatile int *)a)[0];
  d_a[0] = value + 1;
  mesi_launch_end();
  assert_int_equal(((volatile int *)a)[0], 6);
}

static void without_a_page_of_its_own(void **state)
{
  (void)state;
  unaligned[0] = 1;
  begin_launch(&file, WRITE_UNALIGNED);
  assert_int_equal(d_unaligned[0], 1);
  d_unaligned[0] = 2;
  mesi_launch_end();
  assert_int_equal(unaligned[0], 2);
}

/* Each thread increments its own element on the host while launches increment element 0: none gets
 * lost. */
static void *host_thread(void *argument)
{
  size_t mine = (size_t)argument;
  for (int i = 0; i < ROUNDS; i++) {
    begin_launch(&file, WRITE_B);
    mesi_launch_end();
    ((volatile int *)b)[mine]++;
  }
  return NULL;
}

static void threads_share_an_object(void **state)
{
  (void)state;
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, host_thread, (void *)(i * 700 + 1)), 0);
  for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (size_t i = 0; i < THREADS; i++) assert_int_equal(b[i * 700 + 1], ROUNDS);
}

static sigjmp_buf back;
static volatile int foreign_faults;

static void user_handler(int number)
{
  (void)number;
  foreign_faults++;
  siglongjmp(back, 1);
}

static void child_chains(void)
{
  struct sigaction action = {.sa_handler = user_handler};
  char *page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  /* replaces the runtime's handler, which comes back at the next launch */
  sigaction(SIGSEGV, &action, NULL);
  int *p = mesi_malloc(100000);
  begin_launch(&file, WRITE_A);
  mesi_launch_arg(p, MESI_READ_WRITE);
  d_a[0] = 77;
  mesi_launch_end();
  if (((volatile int *)a)[0] != 77) _exit(1);
  if (sigsetjmp(back, 1) == 0) *(volatile char *)page = 1;
  if (sigsetjmp(back, 1) == 0) *(volatile char *)page = 1;
  _exit(foreign_faults == 2 ? 0 : 2);
}

static void child_crashes(void)
{
  signal(SIGSEGV, SIG_DFL);
  begin_launch(&file, WRITE_A);
  mesi_launch_end();
  volatile char *volatile nowhere = (volatile char *)(uintptr_t)(PAGE / 2);
  *nowhere = 1;
  _exit(1);
}

static void child_kernel_faults(void)
{
  begin_launch(&file, WRITE_A);
  mesi_kernel_thread(1);
  ((volatile int *)a)[2] = 1;
  mesi_kernel_thread(0);
  mesi_launch_end();
}

static void foreign_faults_are_chained(void **state)
{
  (void)state;
  char text[4096];
  assert_int_equal(run_child(child_chains, text, sizeof text), 0);
  assert_int_equal(run_child(child_crashes, text, sizeof text), 256 + SIGSEGV);
}

static void kernels_must_not_use_the_host_copy(void **state)
{
  (void)state;
  char text[4096];
  assert_int_equal(run_child(child_kernel_faults, text, sizeof text), 70);
  assert_string_equal(
      text, "mesi: error: a kernel used the host copy: variable 'a' (g.mcu:1), launch of write "
            "(g.mcu:11): at byte 8\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(initial_contents_survive, set_up),
      cmocka_unit_test_setup(reading_copies_back_once, set_up),
      cmocka_unit_test_setup(writing_makes_the_device_stale, set_up),
      cmocka_unit_test_setup(first_write_after_a_read_launch_is_seen, set_up),
      cmocka_unit_test_setup(an_argument_may_read_what_the_launch_writes, set_up),
      cmocka_unit_test_setup(without_a_page_of_its_own, set_up),
      cmocka_unit_test_setup(threads_share_an_object, set_up),
      cmocka_unit_test_setup(foreign_faults_are_chained, set_up),
      cmocka_unit_test_setup(kernels_must_not_use_the_host_copy, set_up),
  };
  vars[2].host = unaligned;
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_guard", tests, NULL, NULL);
}
