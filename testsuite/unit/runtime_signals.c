/* SPDX-License-Identifier: MIT */
/* runtime_signals.c - signals, cancellation, failing and ending while threads are in the middle of
 * something. */
#include "runtime_support.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { N = 3000 };

static PAGED(int, [N]) a_store, b_store;
static int *d_a, *d_b;

#define a a_store.value
#define b b_store.value

static const struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, MESI_VAR_GUARDED, NULL, "s.mcu:1"},
    {"b", b, sizeof b, &d_b, MESI_VAR_GUARDED, NULL, "s.mcu:2"},
};
static const struct mesi_site_use uses[] = {{0, MESI_READ_WRITE}, {1, MESI_READ_WRITE}};
static const struct mesi_site sites[] = {{"write_a", "s.mcu:10", &uses[0], 1, 0},
                                         {"write_b", "s.mcu:11", &uses[1], 1, 0}};
static const struct mesi_file file = {MESI_ABI, "s.mcu", vars, 2, sites, 2};

static char text[4096];

/* the C library's own: nobody sees the call */
extern int __sigaction(int, const struct sigaction *, struct sigaction *);

static void launch(unsigned site)
{
  begin_launch(&file, site);
  mesi_launch_end();
}

static void start(void)
{
  mesi_register(&file);
  alarm(20); /* what hangs ends so */
}

static void pause_ms(long ms)
{
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* ---- a signal while its thread has the lock ---- */

static volatile sig_atomic_t calls, value_then;

static void touch_b(int number)
{
  (void)number;
  calls++;
  value_then = ((volatile int *)b)[1];
}

static void send_signal(void)
{
  while_copying = NULL;
  raise(SIGUSR1);
  raise(SIGUSR1); /* it is there already */
  if (calls) _exit(1);
}

static void child_put_off(void)
{
  struct sigaction action = {.sa_handler = touch_b};
  start();
  sigaction(SIGUSR1, &action, NULL);
  launch(0);
  launch(1);
  while_copying = send_signal;
  int value = ((volatile int *)a)[0];
  _exit(calls == 1 && value == 0 && value_then == 0 ? 0 : 2);
}

static void signals_wait_until_the_lock_is_free(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_put_off, text, sizeof text), 0);
  assert_string_equal(text, "");
}

static void child_put_off_announced(void)
{
  struct sigaction action = {.sa_handler = touch_b, .sa_flags = SA_RESETHAND | SA_NODEFER};
  start();
  sigaction(SIGUSR1, &action, NULL);
  launch(0);
  launch(1);
  while_copying = send_signal;
  mesi_touch_object(a, MESI_READ);
  struct sigaction now;
  sigaction(SIGUSR1, NULL, &now);
  _exit(calls == 1 && now.sa_handler == SIG_DFL ? 0 : 2);
}

static void signals_wait_for_announcements_too(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_put_off_announced, text, sizeof text), 0);
}

static void child_enters_twice(void)
{
  struct sigaction action = {.sa_handler = touch_b};
  start();
  __sigaction(SIGUSR1, &action, NULL);
  launch(0);
  launch(1);
  while_copying = send_signal;
  mesi_touch_object(a, MESI_READ);
}

static void a_second_entry_is_told(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_enters_twice, text, sizeof text), 70);
  assert_non_null(strstr(text, "mesi: error: the runtime was entered twice by one thread"));
}

/* ---- a thread that waits, and is cancelled ---- */

static volatile int reached;

static void *touch_and_wait(void *unused)
{
  reached = 1;
  ((volatile int *)a)[5]++;
  reached = 2;
  pthread_testcancel();
  reached = 3;
  return unused;
}

static void child_cancels(void)
{
  pthread_t thread;
  start();
  begin_launch(&file, 0);
  pthread_create(&thread, NULL, touch_and_wait, NULL);
  while (!reached) pause_ms(1);
  pause_ms(50);
  pthread_cancel(thread);
  pause_ms(50);
  if (reached != 1) _exit(1);
  mesi_launch_end();
  pthread_join(thread, NULL);
  launch(0);
  _exit(reached == 2 && ((volatile int *)a)[5] == 1 ? 0 : 2);
}

static void a_waiting_thread_is_cancelled_behind_its_touch(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_cancels, text, sizeof text), 0);
}

/* ---- launches that are left ---- */

static void child_leaves(void)
{
  start();
  b[3] = 33;
  mesi_launch_begin(&file, 0);
  mesi_launch_stream(NULL);
  mesi_launch_arg_range(b, 0, 0, 0, sizeof b, MESI_WRITE | MESI_OVERWRITE);
  mesi_launch_left();
  mesi_launch_left(); /* there is none */
  _exit(((volatile int *)b)[3] == 33 ? 0 : 1);
}

static void what_would_have_been_overwritten_stays(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_leaves, text, sizeof text), 0);
}

static void *begin_and_return(void *unused)
{
  begin_launch(&file, 0);
  return unused;
}

static void child_thread_ends(void)
{
  pthread_t thread;
  start();
  a[3] = 44;
  pthread_create(&thread, NULL, begin_and_return, NULL);
  pthread_join(thread, NULL);
  _exit(((volatile int *)a)[3] == 44 ? 0 : 1);
}

static void a_launch_ends_with_its_thread(void **state)
{
  (void)state;
  assert_int_equal(run_child(child_thread_ends, text, sizeof text), 0);
}

/* ---- the stack of the handler of faults ---- */

enum { STACK = 64 << 10, UNTOUCHED = 0x5a, MOST_OF_HANDLER = 4 << 10 };

static _Alignas(64) unsigned char other_stack[STACK];
static size_t frame_bytes; /* what the system puts there, and an empty handler */

static size_t used_of_stack(void)
{
  size_t untouched = 0;
  while (untouched < STACK && other_stack[untouched] == UNTOUCHED) untouched++;
  return STACK - untouched;
}

static void nothing(int number) { (void)number; }

static void child_measures(void)
{
  struct sigaction action = {.sa_handler = nothing, .sa_flags = SA_ONSTACK};
  stack_t stack = {.ss_sp = other_stack, .ss_size = STACK};
  memset(other_stack, UNTOUCHED, STACK);
  sigaltstack(&stack, NULL);
  start();
  __sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  frame_bytes = used_of_stack();
  sigaction(SIGSEGV, &action, NULL);
  launch(0);
  launch(1);
  ((volatile int *)a)[7]++;
  ((volatile int *)b)[7]++;
  size_t handler = used_of_stack() - frame_bytes;
  dprintf(2, "%zu bytes, and the system's %zu", handler, frame_bytes);
  _exit(used_of_stack() > frame_bytes && handler <= MOST_OF_HANDLER ? 0 : 1);
}

static void the_handler_takes_little_stack(void **state)
{
  (void)state;
  int status = run_child(child_measures, text, sizeof text);
  print_message("%s\n", text);
  assert_int_equal(status, 0);
}

/* ---- failing ---- */

static int input[2];
static char output[64];

static void *read_input(void *unused)
{
  char line[100];
  dup2(input[0], 0);
  reached = 1;
  if (!fgets(line, sizeof line, stdin)) return unused;
  return NULL;
}

static void child_fails(void)
{
  pthread_t thread;
  start();
  if (pipe(input) || !freopen(output, "w", stdout)) _exit(1);
  printf("so far");
  pthread_create(&thread, NULL, read_input, NULL);
  while (!reached) pause_ms(1);
  pause_ms(50);
  mesi_free(text);
}

static void the_message_comes_first(void **state)
{
  char written[20] = "";
  (void)state;
  snprintf(output, sizeof output, "/tmp/runtime_signals.%d", (int)getpid());
  assert_int_equal(run_child(child_fails, text, sizeof text), 70);
  assert_non_null(strstr(text, "mesi: error: free of a pointer"));
  FILE *kept = fopen(output, "r");
  assert_non_null(kept);
  assert_non_null(fgets(written, sizeof written, kept));
  fclose(kept);
  unlink(output);
  assert_string_equal(written, "so far");
}

/* ---- ending ---- */

static void *launch_for_ever(void *unused)
{
  begin_launch(&file, 0);
  reached = 1;
  for (;;) pause();
  return unused;
}

static void child_ends(void)
{
  pthread_t thread;
  setenv("MESI_DUMP", output, 1);
  start();
  launch(1);
  pthread_create(&thread, NULL, launch_for_ever, NULL);
  while (!reached) pause_ms(1);
  exit(0);
}

static void a_launch_that_is_being_made_holds_up_no_end(void **state)
{
  struct stat status;
  (void)state;
  snprintf(output, sizeof output, "/tmp/runtime_signals.%d", (int)getpid());
  assert_int_equal(run_child(child_ends, text, sizeof text), 0);
  assert_int_equal(stat(output, &status), 0);
  assert_true(status.st_size > (off_t)(sizeof a + sizeof b));
  unlink(output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signals_wait_until_the_lock_is_free),
      cmocka_unit_test(signals_wait_for_announcements_too),
      cmocka_unit_test(a_second_entry_is_told),
      cmocka_unit_test(a_waiting_thread_is_cancelled_behind_its_touch),
      cmocka_unit_test(what_would_have_been_overwritten_stays),
      cmocka_unit_test(a_launch_ends_with_its_thread),
      cmocka_unit_test(the_handler_takes_little_stack),
      cmocka_unit_test(the_message_comes_first),
      cmocka_unit_test(a_launch_that_is_being_made_holds_up_no_end),
  };
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  return cmocka_run_group_tests_name("runtime_signals", tests, NULL, NULL);
}
