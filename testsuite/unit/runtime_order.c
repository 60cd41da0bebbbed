/* SPDX-License-Identifier: MIT */
/* runtime_order.c - random programs on a device whose queues run in random order, against the same
 * programs on plain arrays. Kernels in several streams, host uses announced by range or caught by
 * faults, dynamic memory, pointers given to the program, streams that go away. Only what the
 * runtime orders, and the program's own events between its streams, keeps the results right. */
#include "sim_objects.h"
#include "object/object.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 5 * PAGE + 300, DYNAMIC = 3, STEPS = 3000, SEEDS = 12, SITES = 4 };

static PAGED(unsigned char, [BYTES]) a_store, b_store, guarded_store;
static const struct mesi_var vars[] = {
    {"a", a_store.value, BYTES, NULL, 0, NULL, "o.mcu:1"},
    {"b", b_store.value, BYTES, NULL, 0, NULL, "o.mcu:2"},
    {"guarded", guarded_store.value, BYTES, NULL, MESI_VAR_GUARDED, NULL, "o.mcu:3"},
};
static const struct mesi_site sites[SITES] = {
    {"k0", "o.mcu:10", NULL, 0, 0},
    {"k1", "o.mcu:11", NULL, 0, 0},
    {"k2", "o.mcu:12", NULL, 0, 0},
    {"k3", "o.mcu:13", NULL, 0, 0},
};
static const struct mesi_file file = {MESI_ABI, "o.mcu", vars, 3, sites, SITES};

struct work { /* of a kernel: mixes what it reads into what it writes */
  const unsigned char *source;
  unsigned char *target;
  size_t read_begin, read_end, write_begin, write_end;
  unsigned seed, stride; /* writes every stride-th byte */
};

static void work_on(struct work *work)
{
  unsigned sum = work->seed;
  for (size_t i = work->read_begin; i < work->read_end; i++) sum = sum * 31 + work->source[i];
  for (size_t i = work->write_begin; i < work->write_end; i += work->stride)
    work->target[i] = (unsigned char)(sum + i * 7);
}

static void kernel(void *context) { work_on(context); }

static void launch(void)
{
  struct sim_object *source = sim_any_object(), *target = sim_any_object();
  unsigned stream = (unsigned)rand() % SIM_STREAMS;
  bool overwrites = rand() % 2, ranged = rand() % 4, stream_first = rand() % 2;
  struct work work = {.seed = (unsigned)rand(),
                      .stride = overwrites ? 1 : 1 + (unsigned)rand() % 3};
  sim_random_range(&work.read_begin, &work.read_end);
  sim_random_range(&work.write_begin, &work.write_end);
  if (source == target) overwrites = false;
  sim_capturing = rand() % 16 == 0;
  sim_order_streams(source, stream, false);
  sim_order_streams(target, stream, true);
  mesi_launch_begin(&file, (unsigned)rand() % SITES);
  if (stream_first) mesi_launch_stream(sim_stream(stream));
  if (ranged) {
    size_t at = (size_t)rand() % BYTES;
    work.source = (const unsigned char *)mesi_launch_arg_range(
                      source->host + at, (ptrdiff_t)(work.read_begin - at),
                      (ptrdiff_t)(work.read_end - at), 0, 0, MESI_READ) -
                  at;
    work.target =
        (unsigned char *)mesi_launch_arg_range(
            target->host + at, 0, 0, (ptrdiff_t)(work.write_begin - at),
            (ptrdiff_t)(work.write_end - at), MESI_WRITE | (overwrites ? MESI_OVERWRITE : 0u)) -
        at;
  } else {
    work.source = mesi_launch_arg(source->host, MESI_READ);
    work.target = mesi_launch_arg(target->host, MESI_WRITE);
  }
  if (!stream_first) mesi_launch_stream(sim_stream(stream));
  struct work *copy = malloc(sizeof *copy);
  *copy = work;
  sim_launch(stream, kernel, copy);
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
  struct work work = {.seed = (unsigned)rand(), .stride = 2};
  sim_random_range(&work.write_begin, &work.write_end);
  sim_order_streams(object, stream, true);
  struct work *copy = malloc(sizeof *copy);
  work.target = mesi_device_ptr(object->host, MESI_READ_WRITE);
  *copy = work;
  sim_launch(stream, kernel, copy);
  work.target = object->model;
  work_on(&work);
}

static void run_program(unsigned seed)
{
  srand(seed);
  for (int step = 0; step < STEPS; step++) {
    switch (rand() % 32) {
    case 0: sim_replace(); break;
    case 1: sim_recreate(1 + (unsigned)rand() % (SIM_STREAMS - 1)); break;
    case 2: use_device_pointer(); break;
    case 3: mesi_touch_all(rand() % 2 ? MESI_READ : MESI_READ_WRITE); break;
    default:
      switch (rand() % 4) {
      case 0: sim_host_read(); break;
      case 1: sim_host_write(); break;
      default: launch(); break;
      }
    }
    if (rand() % 3 == 0) sim_progress();
  }
  sim_compare_objects();
}

static void set_up_objects(void)
{
  unsigned char *const fixed[DYNAMIC] = {a_store.value, b_store.value, guarded_store.value};
  sim_shape = (struct sim_shape){.bytes = BYTES, .dynamic = DYNAMIC, .whole = 6};
  for (int i = 0; i < SIM_OBJECTS; i++) {
    sim_objects[i].announced = i < 2;
    if (i < DYNAMIC)
      sim_objects[i].host = fixed[i];
    else
      sim_allocate(&sim_objects[i]);
  }
}

/* Copies through the ring only: as many as make it go round. */
static void without_page_locks(void **state)
{
  (void)state;
  sim_no_pins = true;
  set_up_objects();
  for (unsigned seed = 100; seed < 100 + SEEDS / 2; seed++) run_program(seed);
  sim_no_pins = false;
}

static void random_programs(void **state)
{
  (void)state;
  for (int i = 0; i < DYNAMIC; i++) mesi_object_containing(sim_objects[i].host)->pin_failed = false;
  for (unsigned seed = 1; seed <= SEEDS; seed++) run_program(seed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_page_locks),
                                     cmocka_unit_test(random_programs)};
  signal(SIGSEGV, SIG_DFL); /* not the test library's */
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_order", tests, NULL, NULL);
}
