/* SPDX-License-Identifier: MIT */
/* runtime_verify.c - MESI_VERIFY: what nobody announced is reported, what was announced is not. */
#include "runtime_support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 3 * PAGE };

static PAGED(unsigned char, [N]) a_store, guarded_store;
static unsigned char *d_a, *d_guarded;

#define a a_store.value
#define guarded guarded_store.value

static const struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, 0, NULL, "v.mcu:1"},
    {"guarded", guarded, sizeof guarded, &d_guarded, MESI_VAR_GUARDED, NULL, "v.mcu:2"},
};
static const struct mesi_site_use uses[] = {
    {0, MESI_READ_WRITE}, {0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site sites[] = {
    {"write", "v.mcu:10", &uses[0], 1, 0},
    {"read", "v.mcu:11", &uses[1], 1, 0},
    {"guarded", "v.mcu:12", &uses[2], 1, 0},
};
enum { WRITE, READ, GUARDED };
static const struct mesi_file file = {MESI_ABI, "v.mcu", vars, 2, sites, 3};

static void start(void)
{
  signal(SIGSEGV, SIG_DFL);
  setenv("MESI_VERIFY", "1", 1);
}

static void launch(unsigned site)
{
  begin_launch(&file, site);
  mesi_launch_end();
}

static void reads_stale_bytes(void)
{
  start();
  launch(WRITE);
  _exit(((volatile unsigned char *)a)[160]);
}

static void writes_shared_bytes(void)
{
  start();
  launch(READ);
  ((volatile unsigned char *)a)[161] = 1;
  _exit(0);
}

static void reads_beyond_the_announced_range(void)
{
  start();
  launch(WRITE);
  mesi_touch_range(a, 100, MESI_READ);
  _exit(((volatile unsigned char *)a)[99] + ((volatile unsigned char *)a)[PAGE]);
}

static void announces_everything(void)
{
  start();
  for (int round = 0; round < 3; round++) {
    launch(WRITE);
    launch(GUARDED);
    mesi_touch_range(a + 10, 4, MESI_READ);
    volatile unsigned char *p = a;
    unsigned sum = p[10] + p[13];
    mesi_touch_range(a + 5000, 1, MESI_WRITE | MESI_OVERWRITE);
    p[5000] = (unsigned char)sum;
    mesi_touch_object(a, MESI_READ_WRITE);
    p[7] = p[8];
    ((volatile unsigned char *)guarded)[3]++;
    launch(READ);
    mesi_touch_range(a, N, MESI_READ);
    sum = p[N - 1];
  }
  _exit(0);
}

static void drops_the_second(void)
{
  setenv("MESI_VERIFY_DROP", "2", 1);
  announces_everything();
}

static void expect(void (*body)(void), const char *start_of_text, const char *part, const char *end)
{
  char text[4096];
  int status = run_child(body, text, sizeof text);
  if (strncmp(text, start_of_text, strlen(start_of_text)) || !strstr(text, part) ||
      !strstr(text, end))
    fail_msg("message: %sexpected: %s...%s...%s", text, start_of_text, part, end);
  assert_int_equal(status, 70);
}

static void messages(void **state)
{
  (void)state;
  char text[4096];
  expect(reads_stale_bytes,
         "mesi: error: unannounced host access: variable 'a' (v.mcu:1): mesi_touch of 'a' for "
         "reading is "
         "missing before ",
         "reads_stale_bytes", ": byte 160 is stale\n");
  expect(
      writes_shared_bytes,
      "mesi: error: unannounced host access: variable 'a' (v.mcu:1): mesi_touch of 'a' for writing "
      "is missing before ",
      "writes_shared_bytes", ": byte 161 is valid on the device");
  expect(reads_beyond_the_announced_range, "mesi: error: unannounced host access: variable 'a'",
         "reads_beyond_the_announced_range", ": byte 4096 is stale\n");
  expect(drops_the_second, "mesi: error: unannounced host access: variable 'a'",
         "for writing is missing before ", ": byte 5000 is stale\n");
  assert_int_equal(run_child(announces_everything, text, sizeof text), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(messages)};
  signal(SIGSEGV, SIG_DFL);
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_verify", tests, NULL, NULL);
}
