/* SPDX-License-Identifier: MIT */
/* runtime_parts.c - launches in parts, on a device on which kernels and copies can be held back:
 * when there are parts, what each of them waits for, what comes back behind it, and that all bytes
 * are moved once. */
#include "device_sim.h"
#include "eight_bytes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCKS = 4096,
  BLOCK = 4 << 10,
  BYTES = BLOCKS * BLOCK,
  HALO = 100,
  PARTS = 4 /* for BYTES */
};

static PAGED(unsigned char, [BYTES]) in_store, out_store;
#define in in_store.value
#define out out_store.value

static const struct mesi_var vars[] = {
    {"in", in, BYTES, NULL, 0, NULL, "f.mcu:1"},
    {"out", out, BYTES, NULL, 0, NULL, "f.mcu:2"},
};
static const struct mesi_site_use uses[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site sites[] = {{"add", "f.mcu:10", NULL, 0, 0},
                                         {"other", "f.mcu:11", uses, 1, 0}};
static const struct mesi_file file = {MESI_ABI, "f.mcu", vars, 2, sites, 2};

static unsigned kernels_run;

struct work {
  const unsigned char *from;
  unsigned char *to;
  unsigned first, blocks;
};

/* Eight of from[i] + from[i + HALO] + 1, the last ones without the halo. */
static uint64_t added(const unsigned char *from, size_t i)
{
  uint64_t halo = 0;
  if (i + HALO + 8 <= BYTES)
    halo = eight_at(from + i + HALO);
  else if (i + HALO < BYTES)
    memcpy(&halo, from + i + HALO, BYTES - HALO - i);
  return eight_sum(eight_sum(eight_at(from + i), halo), eight_times(1));
}

static void add(void *context)
{
  struct work *work = context;
  size_t end = (size_t)(work->first + work->blocks) * BLOCK;
  for (size_t i = (size_t)work->first * BLOCK; i < end; i += 8)
    eight_store(work->to + i, added(work->from, i));
  kernels_run++;
}

static void launch_part(struct work *work, unsigned first, unsigned blocks)
{
  struct work *one = malloc(sizeof *one);
  *one = (struct work){work->from, work->to, first, blocks};
  sim_launch(0, add, one);
}

static const struct mesi_part none, of_in = {BLOCK, 0, BLOCK + HALO}, of_out = {BLOCK, 0, BLOCK};

/* add<<<BLOCKS, BLOCK>>>(in, out), in as many parts as the runtime wants. */
static unsigned launch(unsigned blocks, struct mesi_part read, struct mesi_part write,
                       unsigned access)
{
  struct work work;
  unsigned first, some;
  mesi_launch_begin(&file, 0);
  mesi_launch_in_parts();
  mesi_launch_stream(NULL);
  work.from = mesi_launch_arg_parts(in, 0, BYTES, 0, 0, MESI_READ, read, none);
  work.to = mesi_launch_arg_parts(out, 0, 0, 0, BYTES, access, none, write);
  unsigned number = mesi_launch_parts(blocks, blocks);
  if (!number) launch_part(&work, 0, BLOCKS);
  while (mesi_launch_next_part(&first, &some)) launch_part(&work, first, some);
  mesi_launch_end();
  return number;
}

static unsigned usual(void) { return launch(BLOCKS, of_in, of_out, MESI_WRITE | MESI_OVERWRITE); }

static void fill(unsigned char value)
{
  mesi_touch_range(in, BYTES, MESI_WRITE | MESI_OVERWRITE);
  for (size_t i = 0; i < BYTES; i++) in[i] = (unsigned char)(value + i / BLOCK);
}

static void check_blocks(unsigned first, unsigned blocks)
{
  for (size_t i = (size_t)first * BLOCK; i < (size_t)(first + blocks) * BLOCK; i += 8)
    if (eight_at(out + i) != added(in, i)) fail_msg("one of 8 bytes from %zu is wrong", i);
}

static void look(void)
{
  mesi_touch_range(out, BYTES, MESI_READ);
  check_blocks(0, BLOCKS);
}

/* Page-locked, and the host is known to read all of the output. */
static int set_up(void **state)
{
  (void)state;
  sim_kernels = sim_copies[0] = sim_copies[1] = -1;
  for (unsigned char round = 0; round < 8; round++) {
    fill(round);
    usual();
    look();
  }
  kernels_run = 0;
  return 0;
}

static void parts_are_made_where_much_moves(void **state)
{
  (void)state;
  fill(10);
  assert_in_range(usual(), PARTS, 2 * PARTS);
  look();
  assert_in_range(usual(), 2, PARTS); /* the results only */
  look();
  fill(11);
  assert_int_equal(launch(1, of_in, of_out, MESI_WRITE), 0); /* no blocks for that */
  look();
  for (int i = 0; i < 3; i++) /* nobody reads the results any more, and the input is there */
    usual();
  assert_int_equal(usual(), 0);
  look();
}

static void nothing_is_known_of_the_blocks(void **state)
{
  (void)state;
  fill(12);
  assert_int_equal(launch(BLOCKS, none, none, MESI_WRITE | MESI_OVERWRITE), 0);
  look();
}

/* What overlaps too much is brought as a whole; the results of the parts go back. */
static void what_overlaps_is_used_as_a_whole(void **state)
{
  (void)state;
  fill(13);
  unsigned before = sim_submitted[MESI_TO_DEVICE];
  assert_in_range(
      launch(BLOCKS, (struct mesi_part){BLOCK, 0, BYTES}, of_out, MESI_WRITE | MESI_OVERWRITE), 2,
      PARTS);
  assert_int_equal(sim_submitted[MESI_TO_DEVICE] - before, 1);
  look();
}

/* One copy to the device is let through: one part is worked on, and comes back. */
static void a_part_waits_for_its_own_bytes(void **state)
{
  (void)state;
  fill(14);
  sim_copies[MESI_TO_DEVICE] = 1;
  unsigned number = usual();
  assert_in_range(number, PARTS, 2 * PARTS);
  sim_run();
  assert_int_equal(kernels_run, 1);
  check_blocks(0, BLOCKS / number);
  sim_copies[MESI_TO_DEVICE] = 1;
  sim_run();
  assert_int_equal(kernels_run, 2);
  sim_copies[MESI_TO_DEVICE] = -1;
  look();
  assert_int_equal(kernels_run, number);
}

/* All copies to the device happen while the first kernel is held back; copies back behind each
 * kernel. */
static void copies_run_beside_kernels(void **state)
{
  (void)state;
  fill(15);
  sim_kernels = 0;
  unsigned number = usual();
  sim_run();
  for (unsigned part = 0; part < number; part++) {
    unsigned first = BLOCKS * part / number;
    sim_kernels = 1;
    sim_run();
    check_blocks(first, BLOCKS * (part + 1) / number - first);
  }
  sim_kernels = -1;
  look();
}

/* Halos are not sent twice, results are brought once. */
static void bytes_move_once(void **state)
{
  (void)state;
  fill(16);
  unsigned to_device = sim_submitted[MESI_TO_DEVICE], to_host = sim_submitted[MESI_TO_HOST];
  unsigned number = usual();
  look();
  assert_int_equal(sim_submitted[MESI_TO_DEVICE] - to_device, number);
  assert_int_equal(sim_submitted[MESI_TO_HOST] - to_host, number);
}

/* A plain write: what the parts do not write stays, wherever it was. */
static void the_rest_of_a_part_survives(void **state)
{
  (void)state;
  fill(17);
  mesi_touch_range(out, BYTES, MESI_READ_WRITE);
  launch(BLOCKS, of_in, of_out, MESI_WRITE);
  mesi_touch_range(out + BLOCK, 1, MESI_READ_WRITE);
  out[BLOCK] = 99;
  mesi_launch_begin(&file, 1); /* another launch uses the same bytes in between */
  mesi_launch_stream(NULL);
  mesi_launch_end();
  mesi_touch_range(out, BYTES, MESI_READ);
  assert_int_equal(out[BLOCK], 99);
  check_blocks(2, BLOCKS - 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(parts_are_made_where_much_moves, set_up),
      cmocka_unit_test_setup(nothing_is_known_of_the_blocks, set_up),
      cmocka_unit_test_setup(what_overlaps_is_used_as_a_whole, set_up),
      cmocka_unit_test_setup(a_part_waits_for_its_own_bytes, set_up),
      cmocka_unit_test_setup(copies_run_beside_kernels, set_up),
      cmocka_unit_test_setup(bytes_move_once, set_up),
      cmocka_unit_test_setup(the_rest_of_a_part_survives, set_up),
  };
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_parts", tests, NULL, NULL);
}
