/* SPDX-License-Identifier: MIT */
/* runtime_devices.c - random programs over several devices whose queues run in random order, each
 * as late as it may, against the same programs on plain arrays. Launches go out in parts over three
 * devices or as a whole on the program's one, which changes; in several streams; the host uses what
 * they write, and memory goes and comes. Only what the runtime orders between devices, and the
 * program's own events between its streams, keeps the results right. */
#include "sim_objects.h"
#include "object/object.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 512,
  BLOCKS = 40,
  BYTES = BLOCK * BLOCKS,
  HALO = 100, /* more than that reaches over several blocks, sometimes */
  DYNAMIC = 2,
  DEVICES = 3,
  STEPS = 2500,
  SEEDS = 10,
  SITES = 4
};

static PAGED(unsigned char, [BYTES]) a_store, b_store;
static const struct mesi_var vars[] = {
    {"a", a_store.value, BYTES, NULL, 0, NULL, "d.mcu:1"},
    {"b", b_store.value, BYTES, NULL, MESI_VAR_GUARDED, NULL, "d.mcu:2"},
};
static const struct mesi_site sites[SITES] = {
    {"k0", "d.mcu:10", NULL, 0, 0},
    {"k1", "d.mcu:11", NULL, 0, 0},
    {"k2", "d.mcu:12", NULL, 0, 0},
    {"k3", "d.mcu:13", NULL, 0, 0},
};
static const struct mesi_file file = {MESI_ABI, "d.mcu", vars, 2, sites, SITES};
static const struct mesi_part none;

struct work { /* of a run of blocks: mixes what is near an element into it */
  const unsigned char *source;
  unsigned char *target;
  ptrdiff_t below, above;               /* bytes that a block reads beyond its own */
  unsigned first, blocks, seed, stride; /* writes every stride-th byte */
};

static void work_on(const struct work *work)
{
  ptrdiff_t end = (ptrdiff_t)(work->first + work->blocks) * BLOCK;
  for (ptrdiff_t i = (ptrdiff_t)work->first * BLOCK; i < end; i++) {
    if (i % work->stride) continue;
    ptrdiff_t low = i - work->below, high = i + work->above;
    unsigned sum = work->seed + work->source[i];
    if (low >= 0) sum = sum * 31 + work->source[low];
    if (high < BYTES) sum = sum * 31 + work->source[high];
    work->target[i] = (unsigned char)(sum + (unsigned)i * 7);
  }
}

static unsigned kernels_run;
static bool by_block; /* all that is read is told by block */

static void kernel(void *context)
{
  work_on(context);
  kernels_run++;
}

static void submit(void *stream, const struct work *work)
{
  struct work *copy = malloc(sizeof *copy);
  *copy = *work;
  sim_launch_in(stream, kernel, copy);
}

static void random_halo(struct work *work, bool in_place)
{
  unsigned kind = (unsigned)rand() % 4;
  if (in_place || !kind) return;
  if (kind & 1) work->below = rand() % 8 ? rand() % HALO : rand() % BYTES;
  if (kind & 2) work->above = rand() % 8 ? rand() % HALO : rand() % BYTES;
}

/* All that the blocks from `first` on read and write: by block, or as a whole. */
static void launch_work(struct work *work, unsigned access, void *stream)
{
  ptrdiff_t first = (ptrdiff_t)work->first * BLOCK, bytes = (ptrdiff_t)work->blocks * BLOCK;
  struct mesi_part reads = {BLOCK, first - work->below, first + BLOCK + work->above},
                   writes = {BLOCK, first, first + BLOCK};
  struct work part = *work;
  unsigned some;
  if (!by_block && rand() % 6 == 0) reads = none;
  mesi_launch_stream(stream);
  part.source = mesi_launch_arg_parts(work->source, first - work->below,
                                      first + bytes + work->above, 0, 0, MESI_READ, reads, none);
  part.target =
      mesi_launch_arg_parts(work->target, 0, 0, first, first + bytes, access, none, writes);
  const unsigned char *source = part.source;
  unsigned char *target = part.target;
  if (!mesi_launch_parts(work->blocks, work->blocks)) {
    submit(stream, &part);
    return;
  }
  while (mesi_launch_next_part(&part.first, &some)) {
    part.first += work->first;
    part.blocks = some;
    part.source = mesi_launch_part_pointer(source);
    part.target = mesi_launch_part_pointer(target);
    submit(mesi_launch_part_stream(stream), &part);
  }
}

static void launch(void)
{
  struct sim_object *source = sim_any_object(), *target = sim_any_object();
  unsigned stream = (unsigned)rand() % SIM_STREAMS;
  struct work work = {.source = source->host,
                      .target = target->host,
                      .seed = (unsigned)rand(),
                      .stride = rand() % 2 ? 1 : 1 + (unsigned)rand() % 3};
  random_halo(&work, source == target);
  work.blocks = rand() % 3 ? BLOCKS : 1 + (unsigned)rand() % BLOCKS;
  work.first = (unsigned)rand() % (BLOCKS - work.blocks + 1);
  sim_capturing = rand() % 24 == 0;
  sim_order_streams(source, stream, false);
  sim_order_streams(target, stream, true);
  mesi_launch_begin(&file, (unsigned)rand() % SITES);
  if (rand() % 4) mesi_launch_on_devices();
  launch_work(&work, MESI_WRITE | (work.stride == 1 ? MESI_OVERWRITE : 0u), sim_stream(stream));
  mesi_launch_end();
  sim_capturing = false;
  work.source = source->model;
  work.target = target->model;
  work_on(&work);
}

/* Through a pointer that the program asked for: the program waits for its own earlier work. */
static void use_device_pointer(void)
{
  struct sim_object *object = sim_any_object();
  unsigned stream = (unsigned)rand() % SIM_STREAMS;
  struct work work = {.seed = (unsigned)rand(), .stride = 2, .blocks = BLOCKS};
  sim_order_streams(object, stream, true);
  work.source = work.target = mesi_device_ptr(object->host, MESI_READ_WRITE);
  submit(sim_stream(stream), &work);
  work.source = work.target = object->model;
  work_on(&work);
}

static void run_program(unsigned seed, bool one_device)
{
  srand(seed);
  for (int step = 0; step < STEPS; step++) {
    switch (rand() % 48) {
    case 0: sim_replace(); break;
    case 1: sim_recreate(1 + (unsigned)rand() % (SIM_STREAMS - 1)); break;
    case 2: use_device_pointer(); break;
    case 3: mesi_touch_all(rand() % 2 ? MESI_READ : MESI_READ_WRITE); break;
    case 4: sim_use(one_device ? 0 : rand() % DEVICES); break;
    default:
      switch (rand() % 5) {
      case 0: sim_host_read(); break;
      case 1: sim_host_write(); break;
      default: launch(); break;
      }
    }
    if (rand() % 3 == 0) sim_progress();
  }
  sim_compare_objects();
  sim_run();
  sim_check_freed();
}

static int set_up(void **state)
{
  static bool done;
  (void)state;
  sim_shape = (struct sim_shape){.bytes = BYTES, .dynamic = DYNAMIC, .whole = 3};
  for (int i = 0; i < SIM_OBJECTS; i++) sim_objects[i].announced = i != 1;
  sim_objects[0].host = a_store.value;
  sim_objects[1].host = b_store.value;
  for (int i = DYNAMIC; i < SIM_OBJECTS && !done; i++) sim_allocate(&sim_objects[i]);
  done = true;
  sim_use(0);
  return 0;
}

/* Parts of a launch that reads what is below, from what the one before has written: those on other
 * devices do not wait for the first one's kernel of the same launch. */
static void step_down(struct sim_object *source, struct sim_object *target, unsigned seed)
{
  struct work work = {.source = source->host,
                      .target = target->host,
                      .below = HALO,
                      .blocks = BLOCKS,
                      .seed = seed,
                      .stride = 1};
  mesi_launch_begin(&file, 0);
  mesi_launch_on_devices();
  launch_work(&work, MESI_WRITE | MESI_OVERWRITE, NULL);
  mesi_launch_end();
  work.source = source->model;
  work.target = target->model;
  work_on(&work);
}

static void parts_run_side_by_side(void **state)
{
  (void)state;
  by_block = true;
  for (unsigned seed = 0; seed < 8; seed++)
    step_down(&sim_objects[seed % 2], &sim_objects[1 - seed % 2], seed);
  sim_run();
  unsigned before = kernels_run;
  sim_hold(0, true);
  for (unsigned seed = 8; seed < 10; seed++)
    step_down(&sim_objects[seed % 2], &sim_objects[1 - seed % 2], seed);
  sim_run();
  assert_int_equal(kernels_run - before, 7); /* inner blocks of both, rims of one and a half */
  sim_hold(0, false);
  by_block = false;
  mesi_touch_all(MESI_READ_WRITE);
  for (int i = 0; i < 2; i++) assert_memory_equal(sim_objects[i].host, sim_objects[i].model, BYTES);
}

/* As most programs: they know one device. */
static void on_one_device(void **state)
{
  (void)state;
  for (unsigned seed = 1; seed <= SEEDS; seed++) run_program(seed, true);
}

/* The program uses several by itself as well. */
static void on_devices_that_change(void **state)
{
  (void)state;
  for (unsigned seed = 100; seed < 100 + SEEDS; seed++) run_program(seed, false);
}

/* Host memory is not used by copies, and not waited for. */
static void without_page_locks(void **state)
{
  (void)state;
  sim_no_pins = true;
  for (unsigned seed = 200; seed < 200 + SEEDS; seed++) run_program(seed, false);
  sim_no_pins = false;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(parts_run_side_by_side, set_up),
                                     cmocka_unit_test_setup(on_one_device, set_up),
                                     cmocka_unit_test_setup(on_devices_that_change, set_up),
                                     cmocka_unit_test_setup(without_page_locks, set_up)};
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  setenv("MESI_DEVICES", "3", 1);
  setenv("MESI_SPREAD", "always", 1);
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_devices", tests, NULL, NULL);
}
