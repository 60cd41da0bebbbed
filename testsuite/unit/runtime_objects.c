/* SPDX-License-Identifier: MIT */
/* runtime_objects.c - registered variables: when they move, and what launches and announcements do
 * to them. */
#include "runtime_support.h"

#include <string.h>

enum { N = 1000 };

static PAGED(float, [N]) a_store, b_store;
static float foreign[N]; /* defined by a plain C file, as far as the runtime knows */
static PAGED(int, [4]) k_store = {{1, 2, 3, 4}, 0};
static float *d_a, *d_b, *d_a2, *d_foreign;
static int *d_k;

#define a a_store.value
#define b b_store.value

static const struct mesi_var vars[] = {
    {"a", a, sizeof a, &d_a, 0, NULL, "t.mcu:1"},
    {"b", b, sizeof b, &d_b, 0, NULL, "t.mcu:2"},
    {"foreign", foreign, sizeof foreign, &d_foreign, MESI_VAR_EXTERN, NULL, "t.mcu:3"},
    {"k", k_store.value, sizeof k_store.value, &d_k, MESI_VAR_CONST | MESI_VAR_GUARDED, NULL,
     "t.mcu:4"},
};

enum { READ_A, WRITE_A, COPY_A_TO_B, WRITE_FOREIGN, READ_FOREIGN, USE_K, NOTHING };

static const struct mesi_site_use uses[][2] = {
    {{0, MESI_READ}},  {{0, MESI_WRITE}}, {{0, MESI_READ}, {1, MESI_WRITE}},
    {{2, MESI_WRITE}}, {{2, MESI_READ}},  {{3, MESI_READ_WRITE}},
};

static const struct mesi_site sites[] = {
    {"read_a", "t.mcu:10", uses[0], 1, 0},       {"write_a", "t.mcu:11", uses[1], 1, 0},
    {"copy", "t.mcu:12", uses[2], 2, 0},         {"write_foreign", "t.mcu:13", uses[3], 1, 0},
    {"read_foreign", "t.mcu:14", uses[4], 1, 0}, {"use_k", "t.mcu:15", uses[5], 1, 0},
    {"nothing", "t.mcu:16", NULL, 0, 0},
};

static const struct mesi_file file = {MESI_ABI, "t.mcu", vars, 4, sites, 7};

/* A second file that declares `a` without its size. */
static const struct mesi_var other_vars[] = {{"a", a, 0, &d_a2, MESI_VAR_EXTERN, NULL, "u.mcu:1"}};
static const struct mesi_site_use other_uses[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site other_sites[] = {{"other", "u.mcu:5", other_uses, 1, 0}};
static const struct mesi_file other = {MESI_ABI, "u.mcu", other_vars, 1, other_sites, 1};

static int set_up(void **state)
{
  (void)state;
  mesi_touch_all(MESI_READ_WRITE);
  reset_counts();
  return 0;
}

static void reads_move_once(void **state)
{
  (void)state;
  a[3] = 42;
  for (int i = 0; i < 3; i++) {
    begin_launch(&file, READ_A);
    assert_ptr_not_equal(d_a, a);
    assert_true(d_a[3] == 42);
    mesi_launch_end();
  }
  assert_int_equal(counts.to_device, 1);
  mesi_touch_object(a, MESI_READ);
  assert_int_equal(counts.to_host, 0);
  mesi_touch_object(&a[N / 2], MESI_WRITE);
  a[3] = 43;
  begin_launch(&file, READ_A);
  assert_true(d_a[3] == 43);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 2);
}

static void writes_come_back(void **state)
{
  (void)state;
  a[0] = 1;
  a[1] = 2;
  begin_launch(&file, WRITE_A);
  d_a[0] = 7; /* a part only: the rest must survive */
  mesi_launch_end();
  assert_true(a[0] == 1);
  mesi_touch_object(a, MESI_READ);
  assert_true(a[0] == 7);
  assert_true(a[1] == 2);
  mesi_touch_object(a, MESI_READ);
  assert_int_equal(counts.to_host, 1);
  begin_launch(&file, READ_A);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 1);
}

static void results_stay_on_the_device(void **state)
{
  (void)state;
  a[5] = 5;
  for (int i = 0; i < 10; i++) {
    begin_launch(&file, COPY_A_TO_B);
    memcpy(d_b, d_a, sizeof a);
    d_b[5] += (float)i;
    mesi_launch_end();
  }
  assert_int_equal(counts.to_device, 2);
  assert_int_equal(counts.to_host, 0);
  mesi_touch_object(b, MESI_READ);
  assert_true(b[5] == 14);
}

static void arguments(void **state)
{
  (void)state;
  int outside = 0;
  a[9] = 9;
  begin_launch(&file, READ_A);
  assert_ptr_equal(mesi_launch_arg(&outside, MESI_READ), &outside);
  assert_null(mesi_launch_arg(NULL, MESI_READ));
  float *inside = mesi_launch_arg(&a[9], MESI_READ_WRITE);
  assert_ptr_equal(inside, d_a + 9);
  assert_ptr_equal(mesi_launch_arg(a + N, MESI_READ), d_a + N);
  *inside += 1;
  mesi_launch_end();
  mesi_touch_object(a, MESI_READ);
  assert_true(a[9] == 10);
}

static void several_files(void **state)
{
  (void)state;
  a[1] = 1;
  begin_launch(&other, 0);
  assert_non_null(d_a2);
  d_a2[1]++;
  mesi_launch_end();
  begin_launch(&file, READ_A);
  assert_ptr_equal(d_a, d_a2);
  assert_true(d_a[1] == 2);
  mesi_launch_end();
  mesi_touch_object(a, MESI_READ);
  assert_true(a[1] == 2);
}

static void foreign_definitions(void **state)
{
  (void)state;
  foreign[0] = 1;
  begin_launch(&file, WRITE_FOREIGN);
  assert_true(d_foreign[0] == 1);
  d_foreign[0] = 2;
  mesi_launch_end();
  assert_true(foreign[0] == 2);
  foreign[0] = 3; /* not announced */
  begin_launch(&file, READ_FOREIGN);
  assert_true(d_foreign[0] == 3);
  mesi_launch_end();
}

static void constants_never_come_back(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    begin_launch(&file, USE_K);
    assert_int_equal(d_k[3], 4);
    mesi_launch_end();
  }
  mesi_touch_object(k_store.value, MESI_READ);
  assert_int_equal(k_store.value[3], 4);
  assert_int_equal(counts.to_host, 0);
}

static void device_pointers(void **state)
{
  (void)state;
  a[2] = 2;
  float *p = mesi_device_ptr(&a[2], MESI_READ_WRITE);
  assert_true(*p == 2);
  *p = 20;
  mesi_touch_object(a, MESI_READ);
  assert_true(a[2] == 20);
  assert_ptr_equal(mesi_device_ptr(&p, MESI_READ), &p);
}

static float *arg_on(int device, unsigned access)
{
  current_device = device;
  begin_launch(&file, NOTHING);
  return mesi_launch_arg(a, access);
}

static void two_devices(void **state)
{
  (void)state;
  a[0] = 1;
  float *first = arg_on(0, MESI_READ_WRITE);
  first[0]++;
  mesi_launch_end();
  float *second = arg_on(1, MESI_READ_WRITE);
  assert_ptr_not_equal(first, second);
  assert_true(second[0] == 2);
  second[0]++;
  mesi_launch_end();
  assert_true(arg_on(0, MESI_READ)[0] == 3);
  mesi_launch_end();
  arg_on(1, MESI_READ);
  mesi_launch_end();
  assert_int_equal(counts.to_device, 3);
  assert_int_equal(counts.to_host, 2);
  mesi_touch_object(a, MESI_READ);
  assert_true(a[0] == 3);
  current_device = 0;
}

static void abandoned_launch(void **state)
{
  (void)state;
  a[0] = 1;
  begin_launch(&file, WRITE_A); /* an exception in an argument: no end */
  begin_launch(&file, NOTHING);
  mesi_launch_end();
  mesi_touch_object(a, MESI_READ_WRITE);
  assert_true(a[0] == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(reads_move_once, set_up),
      cmocka_unit_test_setup(writes_come_back, set_up),
      cmocka_unit_test_setup(results_stay_on_the_device, set_up),
      cmocka_unit_test_setup(arguments, set_up),
      cmocka_unit_test_setup(several_files, set_up),
      cmocka_unit_test_setup(foreign_definitions, set_up),
      cmocka_unit_test_setup(constants_never_come_back, set_up),
      cmocka_unit_test_setup(device_pointers, set_up),
      cmocka_unit_test_setup(two_devices, set_up),
      cmocka_unit_test_setup(abandoned_launch, set_up),
  };
  mesi_register(&other);
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_objects", tests, NULL, NULL);
}
