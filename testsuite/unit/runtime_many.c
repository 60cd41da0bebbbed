/* SPDX-License-Identifier: MIT */
/* runtime_many.c - mesi_malloc at the limits of the system: mappings, descriptors, sizes of files,
 * memory. */
#include "runtime_support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { BLOCKS = 40000, BYTES = 5000, FILLERS = 1 << 16, PAGES = 256 };

static const struct mesi_site sites[] = {{"kernel", "m.mcu:10", NULL, 0, 0}};
static const struct mesi_file file = {MESI_ABI, "m.mcu", NULL, 0, sites, 1};
static char *blocks[BLOCKS];

static size_t count_mappings(void)
{
  FILE *maps = fopen("/proc/self/maps", "r");
  size_t count = 0;
  for (int c; (c = getc(maps)) != EOF;) count += c == '\n';
  fclose(maps);
  return count;
}

/* A kernel that writes the bytes, which it overwrites. */
static void fill_range(char *memory, size_t begin, size_t end, char value)
{
  begin_launch(&file, 0);
  char *device = mesi_launch_arg_range(memory, 0, 0, (ptrdiff_t)begin, (ptrdiff_t)end,
                                       MESI_WRITE | MESI_OVERWRITE);
  memset(device + begin, value, end - begin);
  mesi_launch_end();
}

static void increment(char *memory, size_t at)
{
  begin_launch(&file, 0);
  char *device = mesi_launch_arg(memory, MESI_READ_WRITE);
  device[0]++;
  device[at]++;
  mesi_launch_end();
}

static void many_blocks(void **state)
{
  (void)state;
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = mesi_malloc(BYTES);
    assert_non_null(blocks[i]);
    blocks[i][0] = (char)i;
    blocks[i][BYTES - 1] = (char)(i / 3);
  }
  assert_true(count_mappings() < 30000);
  for (int i = 0; i < BLOCKS; i += 2) increment(blocks[i], BYTES - 1);
  assert_true(count_mappings() < 60000);
  for (int i = 0; i < BLOCKS; i++) {
    assert_int_equal(blocks[i][0], (char)(i + (i % 2 == 0)));
    assert_int_equal(blocks[i][BYTES - 1], (char)(i / 3 + (i % 2 == 0)));
  }
  for (int i = 0; i < BLOCKS; i++) mesi_free(blocks[i * 7 % BLOCKS]);
  assert_true(count_mappings() < 1000);
}

/* A launch that names a block of many does not move its neighbours. */
static void neighbours_stay(void **state)
{
  (void)state;
  for (int i = 0; i < 6000; i++) blocks[i] = mesi_malloc(BYTES);
  reset_counts();
  increment(blocks[5500], BYTES - 1);
  assert_int_equal(counts.bytes_to_device, BYTES);
  mesi_touch_object(blocks[5501], MESI_READ);
  assert_true(counts.bytes_to_host <= PAGE); /* what is on a page with it */
  for (int i = 0; i < 6000; i++) mesi_free(blocks[i]);
}

/* Sizes change while blocks share. */
static void resized(void **state)
{
  (void)state;
  for (int i = 0; i < 6000; i++) blocks[i] = mesi_calloc(1, BYTES);
  for (int round = 0; round < 12; round++)
    for (int i = 4000; i < 6000; i++) {
      size_t bytes = (size_t)(i * 37 + round * 991) % 20000 + 1;
      blocks[i][0] = (char)(i + round);
      blocks[i] = mesi_realloc(blocks[i], bytes);
      if (round % 4 == 1) increment(blocks[i], 0);
      assert_int_equal(blocks[i][0], (char)(i + round + 2 * (round % 4 == 1)));
    }
  for (int i = 0; i < 6000; i++) mesi_free(blocks[i]);
}

/* Takes the mappings of the process but for a few. */
static char *take_mappings(size_t *ret_bytes)
{
  *ret_bytes = (size_t)2 * FILLERS * PAGE;
  char *memory =
      mmap(NULL, *ret_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(memory != MAP_FAILED);
  size_t made = 0;
  while (made < FILLERS && mprotect(memory + 2 * made * PAGE, PAGE, PROT_NONE) == 0) made++;
  assert_true(made < FILLERS && made > 10);
  for (size_t i = 1; i < 10; i++) /* nine parts become one with their neighbours */
    mprotect(memory + 2 * (made - i) * PAGE, PAGE, PROT_READ);
  return memory;
}

static void no_mappings_left(void **state)
{
  (void)state;
  size_t bytes, size = PAGES * PAGE;
  char *memory = mesi_malloc(size);
  memset(memory, 1, size);
  char *filler = take_mappings(&bytes);
  for (size_t page = 0; page < PAGES; page += 2)
    fill_range(memory, page * PAGE, (page + 1) * PAGE, 2);
  for (size_t page = 0; page < PAGES; page++)
    assert_int_equal(((volatile char *)memory)[page * PAGE + 7], 1 + (page % 2 == 0));
  ((volatile char *)memory)[0] = 3;
  increment(memory, 1);
  assert_int_equal(memory[0], 4);
  assert_int_equal(memory[1], 3);

  munmap(filler, bytes);
  fill_range(memory, 0, size, 5);
  assert_int_equal(memory[0], 5);
  reset_counts();
  fill_range(memory, 0, size, 6);
  assert_int_equal(((volatile char *)memory)[PAGE], 6);
  assert_true(counts.bytes_to_host < size); /* by pages again */
  mesi_free(memory);
}

/* The runtime leaves mappings to the rest of the process. */
static void share_of_mappings(void **state)
{
  (void)state;
  size_t pages = 60000;
  char *memory = mesi_malloc(pages * PAGE);
  for (size_t page = 0; page < pages; page += 2)
    fill_range(memory, page * PAGE, page * PAGE + 8, (char)page);
  assert_true(count_mappings() < 50000);
  for (size_t page = 0; page < pages; page += 2)
    assert_int_equal(((volatile char *)memory)[page * PAGE + 7], (char)page);
  mesi_free(memory);
}

static void no_descriptors(void **state)
{
  struct rlimit before, none;
  (void)state;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  none = before;
  none.rlim_cur = 0;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  char *memory = mesi_malloc(BYTES);
  setrlimit(RLIMIT_NOFILE, &before);
  assert_non_null(memory);
  memory[0] = memory[BYTES - 1] = 7;
  increment(memory, BYTES - 1);
  assert_int_equal(memory[0], 8);
  mesi_free(memory);
}

static void small_files(void **state)
{
  struct rlimit before, small;
  (void)state;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 2 * PAGE;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  char *memory = mesi_malloc(10 * BYTES);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_non_null(memory);
  memory[0] = memory[BYTES - 1] = 7;
  increment(memory, BYTES - 1);
  assert_int_equal(memory[0], 8);
  mesi_free(memory);
}

/* ---- what is said ---- */

static void ask_for_too_much(void)
{
  void *memory = mesi_malloc((size_t)1 << 46);
  exit(memory || errno != ENOMEM);
}

static void ask_beyond_address_space(void)
{
  struct rlimit limit = {(size_t)1 << 30, (size_t)1 << 30};
  setrlimit(RLIMIT_AS, &limit);
  exit(mesi_malloc((size_t)1 << 29) || errno != ENOMEM);
}

static void ask_without_mappings(void)
{
  size_t bytes;
  char *memory;
  take_mappings(&bytes);
  while ((memory = mesi_malloc(100 * PAGE))) memory[0] = 1;
  exit(errno != ENOMEM);
}

static void use_freed(void)
{
  char *memory = mesi_malloc(BYTES);
  mesi_free(memory);
  *(volatile char *)memory = 1;
}

/* A device that would hold more than the machine has left. */
static void launch_larger_than_machine(void)
{
  setenv("MESI_CPU_MEMORY", "100000G", 1);
  char *memory = mesi_malloc((size_t)sysconf(_SC_PHYS_PAGES) * PAGE - (64u << 20));
  if (memory) fill_range(memory, 0, 8, 1);
}

static void expect_child(void (*body)(void), int status, const char *words)
{
  char text[4096];
  assert_int_equal(run_child(body, text, sizeof text), status);
  if (!strstr(text, words)) fail_msg("'%s' is not in '%s'", words, text);
}

static void refusals_name_the_limit(void **state)
{
  (void)state;
  expect_child(ask_for_too_much, 0, "bytes of memory and swap");
  if (SANITIZED) /* which needs address space and mappings itself */
    return;
  expect_child(ask_beyond_address_space, 0, "address space (ulimit -v)");
  expect_child(ask_without_mappings, 0, "(vm.max_map_count)");
}

static void freed_before_any_launch(void **state)
{
  (void)state;
  expect_child(use_freed, 70, "use after free: host uses byte 0 of mesi_malloc");
}

static void device_memory_of_the_machine(void **state)
{
  (void)state;
  expect_child(launch_larger_than_machine, 70, "out of device memory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(device_memory_of_the_machine), /* first: the capacity is read once */
      cmocka_unit_test(refusals_name_the_limit),
      cmocka_unit_test(freed_before_any_launch),
      cmocka_unit_test(many_blocks),
      cmocka_unit_test(neighbours_stay),
      cmocka_unit_test(resized),
      cmocka_unit_test(no_mappings_left),
      cmocka_unit_test(share_of_mappings),
      cmocka_unit_test(no_descriptors),
      cmocka_unit_test(small_files),
  };
  mesi_register(&file);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
