/* SPDX-License-Identifier: MIT */
/* runtime_again.c - launches of a batch that repeat ones before them, among host uses, other
 * ranges, other arrays and more kernels than are kept: what the host reads is always what launches
 * one by one would have left. */
#include "launch/again.h"
#include "device_sim.h"
#include "eight_bytes.h"
#include "object/object.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 64 << 10, ARRAYS = 4, SITES = 12, ROUNDS = 60 };

static PAGED(unsigned char, [BYTES]) stores[ARRAYS];
static unsigned char model[ARRAYS][BYTES];

#define VARIABLE(i) \
  { \
    "a", stores[i].value, BYTES, NULL, 0, NULL, "f.mcu:1" \
  }
static const struct mesi_var vars[] = {VARIABLE(0), VARIABLE(1), VARIABLE(2), VARIABLE(3)};
#define SITE(i) \
  { \
    "step", "f.mcu:" #i, NULL, 0, 0 \
  }
static const struct mesi_site sites[SITES] = {SITE(1), SITE(2),  SITE(3),  SITE(4),
                                              SITE(5), SITE(6),  SITE(7),  SITE(8),
                                              SITE(9), SITE(10), SITE(11), SITE(12)};
static const struct mesi_file file = {MESI_ABI, "f.mcu", vars, ARRAYS, sites, SITES};

static unsigned repeated; /* launches */

struct step { /* to[begin ... end) = 3 from[begin ... end) + add */
  unsigned site, from, to;
  size_t begin, end, add;
};

static void compute(unsigned char *to, const unsigned char *from, size_t bytes, size_t add)
{
  size_t i = 0;

  for (; i + 8 <= bytes; i += 8) {
    uint64_t x = eight_at(from + i);
    eight_store(to + i, eight_sum(eight_sum(x, x), eight_sum(x, eight_times((unsigned char)add))));
  }
  for (; i < bytes; i++) to[i] = (unsigned char)(3 * from[i] + add);
}

static void kernel(void *const args[SIM_ARGS])
{
  compute(args[0], args[1], (size_t)args[2], (size_t)args[3]);
}

static ptrdiff_t bytes_of(const struct step *step) { return (ptrdiff_t)(step->end - step->begin); }

/* As the code that mesicc emits. */
static void launch(const struct step *step)
{
  sim_function *function = kernel;
  void *to, *from, *bytes = (void *)(step->end - step->begin), *add = (void *)step->add;
  void *args[] = {&to, &from, &bytes, &add};
  const size_t sizes[] = {sizeof to, sizeof from, sizeof bytes, sizeof add};
  struct mesi_kernel_launch made = {NULL, {1, 1, 1}, {1, 1, 1}, 0, args, sizes, 4};

  memcpy(&made.function, &function, sizeof function);
  mesi_launch_begin(&file, step->site);
  mesi_launch_stream(NULL);
  from = mesi_launch_arg_range(stores[step->from].value + step->begin, 0, bytes_of(step), 0, 0,
                               MESI_READ);
  to = mesi_launch_arg_range(stores[step->to].value + step->begin, 0, 0, 0, bytes_of(step),
                             MESI_WRITE | MESI_OVERWRITE);
  repeated += mesi_again_device() >= 0;
  if (!mesi_batch_add(&made)) mesi_device.launch(0, &made);
  mesi_launch_end();
  compute(model[step->to] + step->begin, model[step->from] + step->begin, step->end - step->begin,
          step->add);
}

static size_t below(size_t end) { return (size_t)rand() % end; }

static void host_use(void)
{
  size_t array = below(ARRAYS), begin = below(BYTES - 1), bytes = 1 + below(BYTES - begin);
  unsigned char *at = stores[array].value + begin;

  if (rand() % 2) {
    mesi_touch_range(at, bytes, MESI_WRITE | MESI_OVERWRITE);
    memset(at, rand(), bytes);
    memcpy(model[array] + begin, at, bytes);
  }
  mesi_touch_range(at, bytes, MESI_READ);
  assert_memory_equal(at, model[array] + begin, bytes);
}

static struct step random_step(unsigned site)
{
  struct step step = {site, (unsigned)below(ARRAYS), 0, 0, BYTES, below(7)};

  step.to = (step.from + 1 + (unsigned)below(ARRAYS - 1)) % ARRAYS;
  if (rand() % 3 == 0) {
    step.begin = below(BYTES / 2);
    step.end = step.begin + 1 + below(BYTES / 2);
  }
  return step;
}

static void swap(struct step *step)
{
  unsigned from = step->from;
  step->from = step->to;
  step->to = from;
}

/* A loop of launches, some of which swap their arrays each time; now and then something else
 * happens in it. */
static void loop(void)
{
  struct step steps[SITES];
  size_t count = 1 + (rand() % 4 ? below(3) : below(SITES)), trips = 3 + below(80),
         odd = rand() % 3 ? trips : below(trips);
  unsigned swaps = rand() % 4 ? 0 : (unsigned)rand();

  for (size_t i = 0; i < count; i++) steps[i] = random_step(rand() % 4 ? (unsigned)i : 0);
  mesi_batch_begin();
  for (size_t trip = 0; trip < trips; trip++)
    for (size_t i = 0; i < count; i++) {
      launch(&steps[i]);
      if (swaps >> i & 1) swap(&steps[i]);
      if (trip == odd && rand() % 2)
        host_use();
      else if (trip == odd)
        steps[i] = random_step(steps[i].site);
    }
  mesi_batch_end();
}

static void all_is_as_it_was_meant(void **state)
{
  (void)state;
  for (unsigned seed = 1; seed <= 20; seed++) {
    srand(seed);
    for (unsigned round = 0; round < ROUNDS; round++) {
      loop();
      host_use();
      sim_progress();
    }
    for (unsigned i = 0; i < ARRAYS; i++) {
      mesi_touch_range(stores[i].value, BYTES, MESI_READ);
      assert_memory_equal(stores[i].value, model[i], BYTES);
    }
  }
  assert_true(repeated > 20000);
}

/* After a few rounds each launch of a plain loop is one. */
static void a_loop_repeats(void **state)
{
  struct step there = {0, 0, 1, 0, BYTES, 1}, back = {1, 1, 0, 0, BYTES, 2};

  (void)state;
  host_use();
  repeated = 0;
  mesi_batch_begin();
  for (unsigned trip = 0; trip < 200; trip++) {
    launch(&there);
    launch(&back);
  }
  mesi_batch_end();
  assert_in_range(repeated, 350, 400);
}

/* So is one that changes its arrays with each launch. */
static void a_loop_that_swaps_repeats(void **state)
{
  struct step step = {0, 0, 1, 0, BYTES, 1};

  (void)state;
  host_use();
  repeated = 0;
  mesi_batch_begin();
  for (unsigned trip = 0; trip < 400; trip++) {
    launch(&step);
    swap(&step);
  }
  mesi_batch_end();
  assert_in_range(repeated, 350, 400);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_repeats),
      cmocka_unit_test(a_loop_that_swaps_repeats),
      cmocka_unit_test(all_is_as_it_was_meant),
  };

  sim_kernels = sim_copies[0] = sim_copies[1] = -1;
  unsetenv("MESI_STATS");
  unsetenv("MESI_TRACE");
  mesi_register(&file);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
