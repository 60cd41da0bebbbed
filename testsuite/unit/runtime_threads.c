/* SPDX-License-Identifier: MIT */
/* runtime_threads.c - host threads that launch, touch, allocate and free at the same time, as
 * mesi.h allows. Built with ThreadSanitizer: a race ends the program with its exit status. Kernels
 * are calls between begin and end. */
#include "mesi.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 300, EACH = 1000, PAGE = 4096 };

const char *__tsan_default_options(void);

/* The runtime's handler runs in the thread that faulted, as a call would. */
const char *__tsan_default_options(void)
{
  return "handle_segv=0:allow_user_segv_handler=1:report_signal_unsafe=0:exitcode=66";
}

static _Alignas(PAGE) struct {
  int value[THREADS][EACH];
  char end;
} own_store, shared_store;
static _Alignas(PAGE) struct {
  int value[PAGE];
  char end;
} guarded_store[THREADS];
static int (*d_own)[EACH], (*d_shared)[EACH];

#define own own_store.value
#define shared shared_store.value

static struct mesi_var vars[2 + THREADS] = {
    {"own", own, sizeof own, &d_own, 0, NULL, "t.mcu:1"},
    {"shared", shared, sizeof shared, &d_shared, 0, NULL, "t.mcu:2"},
};
static const struct mesi_site_use uses[] = {{1, MESI_READ}};
static const struct mesi_site sites[] = {{"increment", "t.mcu:10", NULL, 0, 0},
                                         {"sum", "t.mcu:11", uses, 1, 0}};
static const struct mesi_file file = {MESI_ABI, "t.mcu", vars, 2 + THREADS, sites, 2};

static void fail(const char *what, int got, int expected)
{
  fprintf(stderr, "%s: %d instead of %d\n", what, got, expected);
  exit(1);
}

/* Adds 1 to the first `count` elements on the device. */
static void launch_increment(int *p, size_t count)
{
  mesi_launch_begin(&file, 0);
  mesi_launch_stream(NULL);
  int *there = mesi_launch_arg_range(p, 0, (ptrdiff_t)(count * sizeof *p), 0,
                                     (ptrdiff_t)(count * sizeof *p), MESI_READ_WRITE);
  for (size_t i = 0; i < count; i++) there[i]++;
  mesi_launch_end();
}

static void use_own_rows(int mine, int round)
{
  launch_increment(own[mine], EACH);
  mesi_touch_range(&own[mine][round % EACH], sizeof(int), MESI_READ);
  if (own[mine][round % EACH] != 2 * round + 1) fail("own", own[mine][round % EACH], 2 * round + 1);
  mesi_touch_range(own[mine], sizeof own[mine], MESI_READ_WRITE);
  for (int i = 0; i < EACH; i++) own[mine][i]++;
}

/* All only read it. */
static void use_shared(int mine, int round)
{
  mesi_launch_begin(&file, 1);
  mesi_launch_stream(NULL);
  int there = d_shared[mine][round % EACH];
  mesi_launch_end();
  mesi_touch_range(shared, sizeof shared, MESI_READ);
  if (there != shared[mine][round % EACH]) fail("shared", there, shared[mine][round % EACH]);
}

static void use_guarded(int mine, int round)
{
  volatile int *p = guarded_store[mine].value;
  if (round % 10) return;
  launch_increment(guarded_store[mine].value, PAGE);
  if (p[round] != round / 10 + 1) fail("guarded", p[round], round / 10 + 1);
}

static void use_dynamic(int mine, int round)
{
  size_t count = round % 3 ? 10 : 3000;
  int *p = mesi_malloc(count * sizeof *p);
  mesi_touch_range(p, count * sizeof *p, MESI_WRITE | MESI_OVERWRITE);
  for (size_t i = 0; i < count; i++) ((volatile int *)p)[i] = mine;
  launch_increment(p, count);
  mesi_touch_range(p, count * sizeof *p, MESI_READ);
  if (((volatile int *)p)[count - 1] != mine + 1) fail("dynamic", p[count - 1], mine + 1);
  mesi_free(p);
}

static void *run(void *argument)
{
  int mine = *(int *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    use_own_rows(mine, round);
    use_shared(mine, round);
    use_guarded(mine, round);
    if (round % 4 == mine) use_dynamic(mine, round);
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++)
    vars[2 + i] =
        (struct mesi_var){"guarded", guarded_store[i].value, sizeof guarded_store[i].value,
                          NULL,      MESI_VAR_GUARDED,       NULL,
                          "t.mcu:3"};
  mesi_register(&file);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, run, &numbers[i])) return 2;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  puts("fine");
  return 0;
}
