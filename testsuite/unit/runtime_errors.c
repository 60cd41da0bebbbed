/* SPDX-License-Identifier: MIT */
/* runtime_errors.c - each error ends the program with status 70 and a message that names what and
 * where. */
#include "runtime_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PAGED(int, [100]) a_store;
static int *d_a, *d_b, unsized[4];

static const struct mesi_var vars[] = {
    {"a", a_store.value, sizeof a_store.value, &d_a, MESI_VAR_GUARDED, NULL, "in.mcu:3"},
    {"b", unsized, 0, &d_b, MESI_VAR_EXTERN, NULL, "in.mcu:4"},
};
static const struct mesi_site_use uses[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site sites[] = {{"k", "in.mcu:40", &uses[0], 1, 0},
                                         {"l", "in.mcu:41", &uses[1], 1, 0}};
static const struct mesi_file file = {MESI_ABI, "in.mcu", vars, 2, sites, 2};
static const struct mesi_file later = {MESI_ABI + 1, "later.mcu", vars, 2, sites, 2};

static void launch(void)
{
  begin_launch(&file, 0);
  mesi_launch_end();
}

static void no_memory(void)
{
  setenv("MESI_CPU_MEMORY", "1000", 1);
  void *p = mesi_malloc(500);
  launch();
  begin_launch(&file, 0);
  mesi_launch_arg(p, MESI_READ);
  mesi_launch_end();
}

static void too_large(void)
{
  setenv("MESI_CPU_MEMORY", "256", 1);
  launch();
}

static void bad_launch(void)
{
  launch_failure = "invalid configuration argument";
  launch();
}

static void late_failure(void)
{
  begin_launch(&file, 0);
  mesi_launch_end();
  launch();
  wait_failure = "an illegal memory access was encountered";
  ((volatile int *)a_store.value)[0]++;
}

static void failure_seen_at_the_next_launch(void)
{
  launch();
  launch_failure = wait_failure = "an illegal memory access was encountered";
  launch();
}

static void foreign_free(void)
{
  int local;
  mesi_free(&local);
}

static void variable_free(void)
{
  mesi_touch_object(a_store.value, MESI_READ);
  mesi_free(a_store.value);
}

static void inner_free(void)
{
  char *p = mesi_malloc(100);
  mesi_free(p + 4);
}

static void double_free(void)
{
  void *keep = mesi_malloc(100), *p = mesi_malloc(100);
  (void)keep;
  mesi_free(p);
  mesi_free(p);
}

static void double_free_large(void)
{
  void *p = mesi_malloc(100000);
  mesi_free(p);
  mesi_free(p);
}

static void launch_with(void *p)
{
  mesi_launch_begin(&file, 0);
  mesi_launch_stream(NULL);
  mesi_launch_arg(p, MESI_READ);
  mesi_launch_end();
}

static void use_after_free(void)
{
  void *keep = mesi_malloc(100);
  char *p = mesi_malloc(100);
  (void)keep;
  mesi_free(p);
  launch_with(p + 8);
}

static void use_after_free_large(void)
{
  char *p = mesi_malloc(100000);
  mesi_free(p);
  launch_with(p + 8);
}

static void host_use_after_free(void)
{
  char *p = mesi_malloc(100000);
  launch_with(p);
  mesi_free(p);
  ((volatile char *)p)[5000] = 1;
}

/* The end of a live block is no use of the block behind it. */
static void end_of_block(void)
{
  char *p = mesi_malloc(128), *q = mesi_malloc(128);
  mesi_free(q);
  launch_with(p + 128);
  exit(70);
}

static void no_stream(void)
{
  mesi_launch_begin(&file, 0);
  mesi_launch_end();
}

static void abi(void) { mesi_register(&later); }

static void unknown_size(void) { begin_launch(&file, 1); }

static void expect(void (*body)(void), const char *start, const char *end)
{
  char text[4096];
  int status = run_child(body, text, sizeof text);
  if (strncmp(text, start, strlen(start)) != 0 || strlen(text) < strlen(end) ||
      strcmp(text + strlen(text) - strlen(end), end) != 0)
    fail_msg("message: %sexpected: %s...%s", text, start, end);
  assert_int_equal(status, 70);
}

static void messages(void **state)
{
  (void)state;
  expect(no_memory,
         "mesi: error: object larger than the device's memory: memory 'mesi_malloc blocks of 512 "
         "bytes', "
         "launch of k (in.mcu:40): 65537 bytes wanted, the device has 1000\n",
         "");
  expect(
      too_large,
      "mesi: error: object larger than the device's memory: variable 'a' (in.mcu:3), launch of k "
      "(in.mcu:40): 401 bytes wanted, the device has 256\n",
      "");
  expect(bad_launch,
         "mesi: error: launch failed: launch of k (in.mcu:40): invalid configuration argument\n",
         "");
  expect(
      late_failure,
      "mesi: error: kernel failed: last launches: k (in.mcu:40), k (in.mcu:40): an illegal memory "
      "access was encountered\n",
      "");
  expect(failure_seen_at_the_next_launch,
         "mesi: error: kernel failed: last launches: k (in.mcu:40): an illegal", "\n");
}

static void messages_of_freed_memory(void **state)
{
  (void)state;
  expect(foreign_free, "mesi: error: free of a pointer that mesi_malloc did not return: 0x",
         " is in no VS memory\n");
  expect(
      variable_free,
      "mesi: error: free of a pointer that mesi_malloc did not return: variable 'a' (in.mcu:3): 0x",
      "\n");
  expect(inner_free,
         "mesi: error: free of a pointer that mesi_malloc did not return: memory 'mesi_malloc "
         "blocks of "
         "128 bytes': 0x",
         " is not the start of a block\n");
  expect(double_free, "mesi: error: double free: memory 'mesi_malloc blocks of 128 bytes': 0x",
         "\n");
  expect(double_free_large, "mesi: error: double free: 0x", "\n");
  expect(use_after_free,
         "mesi: error: use after free: memory 'mesi_malloc blocks of 128 bytes', launch of k "
         "(in.mcu:40): "
         "a launch uses 0x",
         ", which lies in a freed block\n");
  expect(
      use_after_free_large,
      "mesi: error: use after free: launch of k (in.mcu:40): a launch uses byte 8 of mesi_malloc "
      "1 (100000 bytes)\n",
      "");
  expect(host_use_after_free,
         "mesi: error: use after free: host uses byte 5000 of mesi_malloc 1 (100000 bytes)\n", "");
  expect(end_of_block, "", "");
}

static void messages_of_translated_files(void **state)
{
  (void)state;
  expect(no_stream,
         "mesi: error: launch without a stream: launch of k (in.mcu:40): mesi_launch_stream was "
         "not called\n",
         "");
  expect(abi,
         "mesi: error: ABI mismatch: later.mcu was translated for version 3 of the runtime, this "
         "is version 2\n",
         "");
  expect(
      unknown_size,
      "mesi: error: variable of unknown size: launch of l (in.mcu:41): 'b' (in.mcu:4) has no size "
      "here, and no file translated by mesicc defines it\n",
      "");
}

static void exhausted(void)
{
  setenv("MESI_CPU_MEMORY", "300k", 1);
  void *p = mesi_malloc(200000), *q = mesi_malloc(200000);
  begin_launch(&file, 0);
  mesi_launch_arg(p, MESI_READ);
  mesi_launch_arg(q, MESI_READ);
}

static void out_of_memory_tells_sizes(void **state)
{
  (void)state;
  expect(exhausted,
         "mesi: error: out of device memory: memory 'mesi_malloc 2 (200000 bytes)', launch of k "
         "(in.mcu:40): "
         "200705 bytes wanted, 307200 total, 106094 free\n",
         "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages), cmocka_unit_test(messages_of_freed_memory),
      cmocka_unit_test(messages_of_translated_files), cmocka_unit_test(out_of_memory_tells_sizes)};
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_errors", tests, NULL, NULL);
}
