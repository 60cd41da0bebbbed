/* SPDX-License-Identifier: MIT */
/* runtime_overlap.c - what does not wait for what: on a device on which kernels, or copies of one
 * direction, are held back, all that does not depend on them happens. A wait too many is a deadlock
 * there. */
#include "device_sim.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME = 128 << 10, FRAMES = 8, BYTES = FRAME * FRAMES };

static PAGED(unsigned char, [BYTES]) in_store, out_store;
#define in in_store.value
#define out out_store.value

static const struct mesi_var vars[] = {
    {"in", in, BYTES, NULL, 0, NULL, "f.mcu:1"},
    {"out", out, BYTES, NULL, 0, NULL, "f.mcu:2"},
};
static const struct mesi_site sites[] = {{"step", "f.mcu:10", NULL, 0, 0},
                                         {"other", "f.mcu:11", NULL, 0, 0}};
static const struct mesi_file file = {MESI_ABI, "f.mcu", vars, 2, sites, 2};

struct work {
  const unsigned char *from;
  unsigned char *to;
};

static void invert(void *context)
{
  struct work *work = context;
  for (size_t i = 0; i < FRAME; i++) work->to[i] = (unsigned char)~work->from[i];
}

/* step<<<>>>(in + frame, out + frame); where the kernel finds its input. */
static const unsigned char *launch(unsigned site, size_t frame)
{
  struct work *work = malloc(sizeof *work);
  size_t at = frame * FRAME;
  mesi_launch_begin(&file, site);
  mesi_launch_stream(NULL);
  work->from = mesi_launch_arg_range(in + at, 0, FRAME, 0, 0, MESI_READ);
  work->to = mesi_launch_arg_range(out + at, 0, 0, 0, FRAME, MESI_WRITE | MESI_OVERWRITE);
  const unsigned char *from = work->from;
  sim_launch(0, invert, work);
  mesi_launch_end();
  return from;
}

static void write_frames(unsigned char value)
{
  mesi_touch_range(in, BYTES, MESI_READ_WRITE);
  for (size_t f = 0; f < FRAMES; f++) memset(in + f * FRAME, value + (int)f, FRAME);
}

static void check_frame(size_t f, unsigned char value)
{
  for (size_t i = f * FRAME; i < (f + 1) * FRAME; i++)
    assert_int_equal(out[i], (unsigned char)~(value + f));
}

static void round_of(unsigned char value)
{
  write_frames(value);
  for (size_t f = 0; f < FRAMES; f++) launch(0, f);
  mesi_touch_range(out, BYTES, MESI_READ);
  for (size_t f = 0; f < FRAMES; f++) check_frame(f, value);
}

static int set_up(void **state)
{
  (void)state;
  sim_kernels = sim_copies[0] = sim_copies[1] = -1;
  for (unsigned char round = 0; round < 8; round++) round_of(round);
  return 0;
}

/* All frames go to the device while the first kernel runs; each comes back when its own kernel is
 * done. */
static void frames_overlap(void **state)
{
  (void)state;
  const unsigned char *there[FRAMES];
  write_frames(100);
  sim_kernels = 0;
  for (size_t f = 0; f < FRAMES; f++) there[f] = launch(0, f);
  sim_run();
  for (size_t f = 0; f < FRAMES; f++) assert_int_equal(there[f][FRAME - 1], 100 + f);
  for (size_t f = 0; f < FRAMES; f++) {
    sim_kernels = 1;
    sim_run();
    check_frame(f, 100);
    if (f + 1 < FRAMES) assert_int_not_equal(out[(f + 1) * FRAME], (unsigned char)~(100 + f + 1));
    mesi_touch_range(out + f * FRAME, FRAME, MESI_READ);
  }
}

/* The first frame comes back though those behind it do not. */
static void a_read_waits_for_its_own_bytes(void **state)
{
  (void)state;
  write_frames(50);
  for (size_t f = 0; f < FRAMES; f++) launch(0, f);
  sim_copies[MESI_TO_HOST] = 2;
  mesi_touch_range(out + 10, 20, MESI_READ);
  check_frame(0, 50);
  mesi_touch_range(out + FRAME, FRAME, MESI_READ);
  check_frame(1, 50);
  sim_copies[MESI_TO_HOST] = -1;
  mesi_touch_range(out, BYTES, MESI_READ);
}

/* The kernel of a frame does not wait for another frame's way back. */
static void kernels_run_beside_copies_back(void **state)
{
  (void)state;
  write_frames(60);
  sim_copies[MESI_TO_HOST] = 0;
  sim_kernels = FRAMES;
  for (size_t f = 0; f < FRAMES; f++) launch(0, f);
  sim_run();
  assert_int_equal(sim_kernels, 0);
  sim_kernels = sim_copies[MESI_TO_HOST] = -1;
  mesi_touch_range(out, BYTES, MESI_READ);
}

/* The host fills a frame while those before it are on their way, and overwrites results that nobody
 * has read. */
static void the_host_writes_beside_transfers(void **state)
{
  (void)state;
  sim_copies[MESI_TO_DEVICE] = 0;
  for (size_t f = 0; f < FRAMES; f++) {
    mesi_touch_range(in + f * FRAME, FRAME, MESI_WRITE | MESI_OVERWRITE);
    memset(in + f * FRAME, (int)(70 + f), FRAME);
    launch(0, f);
  }
  sim_copies[MESI_TO_DEVICE] = -1;
  mesi_touch_range(out, BYTES, MESI_READ);
  for (size_t f = 0; f < FRAMES; f++) check_frame(f, 70);
}

/* Two launches write the same bytes and the host reads them after the second: few copies are in
 * vain. */
static void what_is_written_again_is_not_brought(void **state)
{
  (void)state;
  enum { ROUNDS = 300 };
  unsigned before = sim_submitted[MESI_TO_HOST];
  for (int round = 0; round < ROUNDS; round++) {
    launch(1, 0);
    launch(1, 0);
    mesi_touch_range(out, FRAME, MESI_READ);
  }
  assert_in_range(sim_submitted[MESI_TO_HOST] - before, ROUNDS, ROUNDS + 20);
  before = sim_submitted[MESI_TO_HOST];
  for (int i = 0; i < ROUNDS; i++) launch(1, 0);
  assert_in_range(sim_submitted[MESI_TO_HOST] - before, 0, 2);
}

/* Of each frame the host reads the first half, so that half of it comes. */
static void what_is_not_read_stays(void **state)
{
  (void)state;
  for (int round = 0; round < 3; round++) {
    launch(1, 1);
    mesi_touch_range(out + FRAME, FRAME / 2, MESI_READ);
  }
  unsigned before = sim_submitted[MESI_TO_HOST];
  launch(1, 1);
  assert_int_equal(sim_submitted[MESI_TO_HOST] - before, 1);
  sim_run();
  assert_int_equal(out[FRAME], (unsigned char)~in[FRAME]);
  mesi_touch_range(out + FRAME, FRAME / 2, MESI_READ);
  assert_int_equal(sim_submitted[MESI_TO_HOST] - before, 1);
  mesi_touch_range(out + FRAME, FRAME, MESI_READ);
  assert_int_equal(sim_submitted[MESI_TO_HOST] - before, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(frames_overlap, set_up),
      cmocka_unit_test_setup(a_read_waits_for_its_own_bytes, set_up),
      cmocka_unit_test_setup(kernels_run_beside_copies_back, set_up),
      cmocka_unit_test_setup(the_host_writes_beside_transfers, set_up),
      cmocka_unit_test_setup(what_is_not_read_stays, set_up),
      cmocka_unit_test_setup(what_is_written_again_is_not_brought, set_up),
  };
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_overlap", tests, NULL, NULL);
}
