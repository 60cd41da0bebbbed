/* SPDX-License-Identifier: MIT */
/* runtime_dynamic.c - mesi_malloc and its family, and pointers inside objects. */
#include "runtime_support.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 5000 };

struct node {
  int value;
  struct node *next;
};

struct matrix { /* a VS variable with pointers in it */
  int rows;
  float *row[4];
};

static const size_t node_offsets[] = {offsetof(struct node, next)};
static const struct mesi_pointer_map node_map = {sizeof(struct node), 1, node_offsets};
static const size_t first_word[] = {0};
static const struct mesi_pointer_map pointer_map = {sizeof(void *), 1, first_word};
static const size_t matrix_offsets[] = {8, 16, 24, 32};
static const struct mesi_pointer_map matrix_map = {sizeof(struct matrix), 4, matrix_offsets};

static PAGED(struct node *, ) head_store;
static PAGED(struct matrix, ) matrix_store;
static PAGED(float *, ) p_store;
static struct node **d_head;
static struct matrix *d_matrix;
static float **d_p;

#define head head_store.value
#define matrix matrix_store.value
#define p p_store.value

static const struct mesi_var vars[] = {
    {"head", &head, sizeof head, &d_head, MESI_VAR_GUARDED, &pointer_map, "d.mcu:1"},
    {"matrix", &matrix, sizeof matrix, &d_matrix, MESI_VAR_GUARDED, &matrix_map, "d.mcu:2"},
    {"p", &p, sizeof p, &d_p, MESI_VAR_GUARDED, &pointer_map, "d.mcu:3"},
};

enum { WALK, CHANGE_LIST, RELINK, USE_MATRIX, WRITE_THROUGH_P, READ_P, NOTHING };

static const struct mesi_site_use uses[] = {
    {0, MESI_READ},       {0, MESI_READ | MESI_REACH_WRITE}, {0, MESI_READ_WRITE},
    {1, MESI_READ_WRITE}, {2, MESI_READ | MESI_REACH_WRITE}, {2, MESI_READ},
};
static const struct mesi_site sites[] = {
    {"walk", "d.mcu:10", &uses[0], 1, 0},    {"change", "d.mcu:11", &uses[1], 1, 0},
    {"relink", "d.mcu:12", &uses[2], 1, 0},  {"use_matrix", "d.mcu:13", &uses[3], 1, 0},
    {"through", "d.mcu:14", &uses[4], 1, 0}, {"read_p", "d.mcu:15", &uses[5], 1, 0},
    {"nothing", "d.mcu:16", NULL, 0, 0},
};
static const struct mesi_file file = {MESI_ABI, "d.mcu", vars, 3, sites, 7};

/* Nothing is protected at the start of a test: cmocka replaces the fault handler for each. */
static int set_up(void **state)
{
  (void)state;
  mesi_touch_all(MESI_READ_WRITE);
  reset_counts();
  return 0;
}

static void make_list(size_t bytes)
{
  head = NULL;
  for (int i = 0; i < NODES; i++) {
    struct node *node = mesi_malloc_typed(bytes, &node_map);
    assert_non_null(node);
    *node = (struct node){i, head};
    head = node;
  }
}

static void free_list(void)
{
  while (head) {
    struct node *next = head->next;
    mesi_free(head);
    head = next;
  }
}

static void list_goes_there_and_back(void **state)
{
  (void)state;
  make_list(sizeof(struct node));
  reset_counts();
  begin_launch(&file, WALK);
  long sum = 0;
  assert_ptr_not_equal(*d_head, head);
  for (struct node *node = *d_head; node; node = node->next) sum += node->value;
  mesi_launch_end();
  assert_int_equal(sum, (long)NODES * (NODES - 1) / 2);
  assert_true(counts.to_device < 10);

  begin_launch(&file, CHANGE_LIST);
  for (struct node *node = *d_head; node; node = node->next) node->value += 1;
  mesi_launch_end();
  int expected = NODES;
  for (struct node *node = head; node; node = node->next) assert_int_equal(node->value, expected--);
  assert_int_equal(expected, 0);
  free_list();
}

static void kernel_relinks(void **state)
{
  (void)state;
  make_list(sizeof(struct node));
  struct node *last = head;
  while (last->next) last = last->next;
  for (int round = 0; round < 2; round++) {
    begin_launch(&file, RELINK);
    struct node *reversed = NULL;
    for (struct node *node = *d_head; node;) {
      struct node *next = node->next;
      node->next = reversed;
      reversed = node;
      node = next;
    }
    *d_head = reversed;
    mesi_launch_end();
    if (round == 0) assert_ptr_equal(head, last);
  }
  int expected = NODES;
  for (struct node *node = head; node; node = node->next) assert_int_equal(node->value, --expected);
  assert_int_equal(expected, 0);
  free_list();
}

/* Objects of their own, thousands deep. */
static void large_nodes(void **state)
{
  (void)state;
  enum { COUNT = 300, BYTES = 5000 };
  head = NULL;
  for (int i = 0; i < COUNT; i++) {
    struct node *node = mesi_malloc_typed(BYTES, &node_map);
    memset(node, 0, BYTES);
    *node = (struct node){i, head};
    head = node;
  }
  begin_launch(&file, CHANGE_LIST);
  int count = 0;
  for (struct node *node = *d_head; node; node = node->next, count++) node->value *= 2;
  mesi_launch_end();
  assert_int_equal(count, COUNT);
  assert_int_equal(head->value, 2 * (COUNT - 1));
  free_list();
}

static void pointer_launches_do_not_copy(void **state)
{
  (void)state;
  enum { N = 10000 };
  p = mesi_malloc(N * sizeof *p);
  for (int i = 0; i < N; i++) p[i] = (float)i;
  reset_counts();
  for (int round = 0; round < 5; round++) {
    begin_launch(&file, WRITE_THROUGH_P);
    float *q = *d_p;
    for (int i = 0; i < N; i++) q[i] += 1;
    mesi_launch_end();
  }
  assert_int_equal(counts.to_device, 2);
  assert_int_equal(counts.to_host, 0);
  assert_true(p[N - 1] == N - 1 + 5);
  assert_int_equal(counts.to_host, 1);
  p++; /* into the middle */
  begin_launch(&file, READ_P);
  assert_true(**d_p == 1 + 5);
  mesi_launch_end();
  mesi_free(p - 1);
  p = NULL;
}

static void rows_of_a_matrix(void **state)
{
  (void)state;
  float *shared = mesi_calloc(100, sizeof *shared);
  matrix.rows = 4;
  for (int i = 0; i < 3; i++) matrix.row[i] = mesi_malloc(8 * sizeof(float));
  matrix.row[3] = shared + 100; /* one past the end */
  for (int i = 0; i < 3; i++) matrix.row[i][7] = (float)i;
  begin_launch(&file, USE_MATRIX);
  assert_int_equal(d_matrix->rows, 4);
  assert_true(d_matrix->row[2][7] == 2);
  assert_true(d_matrix->row[3][-1] == 0);
  d_matrix->row[0][7] = 50;
  d_matrix->row[3][-1] = 51;
  float *swap = d_matrix->row[0];
  d_matrix->row[0] = d_matrix->row[1];
  d_matrix->row[1] = swap;
  mesi_launch_end();
  assert_true(matrix.row[1][7] == 50);
  assert_true(matrix.row[0][7] == 1);
  assert_ptr_equal(matrix.row[3], shared + 100);
  assert_true(shared[99] == 51);
  for (int i = 0; i < 3; i++) mesi_free(matrix.row[i]);
  mesi_free(shared);
}

static void a_place_is_as_aligned_as_the_argument(void **state)
{
  (void)state;
  char *memory = mesi_malloc(100);
  int local = 0;
  for (int i = 0; i < 64; i++) {
    begin_launch(&file, NOTHING);
    uintptr_t place = (uintptr_t)mesi_launch_place(memory + i),
              there = (uintptr_t)mesi_launch_arg(memory + i, MESI_READ);
    mesi_launch_end();
    assert_int_equal(place % 16, there % 16);
  }
  assert_ptr_equal(mesi_launch_place(&local), &local);
  mesi_free(memory);
}

static void realloc_keeps_what_a_kernel_wrote(void **state)
{
  (void)state;
  static const size_t sizes[] = {16, 40, 4096, 4097, 100000, 500000, 60, 8};
  char *memory = mesi_malloc(8);
  memset(memory, 'a', 8);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    begin_launch(&file, NOTHING);
    char *there = mesi_launch_arg(memory, MESI_READ_WRITE);
    there[i % 8] = (char)('A' + i);
    mesi_launch_end();
    memory = mesi_realloc(memory, sizes[i]);
    assert_int_equal(memory[i % 8], 'A' + (int)i);
    memory[sizes[i] - 1] = 'z';
    memory[(i + 1) % 8] = 'b';
  }
  mesi_free(memory);
}

static void calloc_is_zero(void **state)
{
  (void)state;
  for (size_t bytes = 1; bytes < 20000; bytes = bytes * 3 + 1) {
    for (int round = 0; round < 3; round++) {
      unsigned char *memory = mesi_calloc(1, bytes);
      for (size_t i = 0; i < bytes; i++) assert_int_equal(memory[i], 0);
      begin_launch(&file, NOTHING);
      memset(mesi_launch_arg(memory, MESI_WRITE), 0xff, bytes);
      mesi_launch_end();
      mesi_free(memory);
    }
  }
  assert_null(mesi_calloc(SIZE_MAX / 2, 3));
  assert_null(mesi_malloc(SIZE_MAX - 10000));
  mesi_free(NULL);
}

static void zero_bytes_have_an_address(void **state)
{
  (void)state;
  void *one = mesi_malloc(0), *two = mesi_malloc(0);
  assert_non_null(one);
  assert_ptr_not_equal(one, two);
  mesi_free(one);
  mesi_free(two);
}

/* Random operations against ordinary memory as the model. */
static void random_use(void **state)
{
  (void)state;
  enum { SLOTS = 60, STEPS = 6000 };
  static struct {
    unsigned char *memory, *model;
    size_t bytes;
  } slots[SLOTS];
  srand(7);
  for (int step = 0; step < STEPS; step++) {
    int i = rand() % SLOTS;
    size_t bytes = 1 + (size_t)rand() % (rand() % 8 ? 300 : 20000);
    if (!slots[i].memory || rand() % 6 == 0) {
      slots[i].memory = mesi_realloc(slots[i].memory, bytes);
      slots[i].model = realloc(slots[i].model, bytes);
      for (size_t k = slots[i].bytes; k < bytes; k++)
        slots[i].memory[k] = slots[i].model[k] = (unsigned char)(k + (size_t)step);
      slots[i].bytes = bytes;
    }
    assert_memory_equal(slots[i].memory, slots[i].model, slots[i].bytes);
    size_t at = (size_t)rand() % slots[i].bytes;
    switch (rand() % 4) {
    case 0: slots[i].memory[at] = slots[i].model[at] = (unsigned char)step; break;
    case 1:
      begin_launch(&file, NOTHING);
      unsigned char *there = mesi_launch_arg(slots[i].memory, MESI_READ_WRITE);
      assert_memory_equal(there, slots[i].model, slots[i].bytes);
      there[at] = slots[i].model[at] = (unsigned char)(step * 3);
      mesi_launch_end();
      break;
    case 2:
      begin_launch(&file, NOTHING);
      assert_memory_equal(mesi_launch_arg(slots[i].memory, MESI_READ), slots[i].model,
                          slots[i].bytes);
      mesi_launch_end();
      break;
    default:
      mesi_free(slots[i].memory);
      free(slots[i].model);
      slots[i].memory = slots[i].model = NULL;
      slots[i].bytes = 0;
    }
  }
  for (int i = 0; i < SLOTS; i++) {
    mesi_free(slots[i].memory);
    free(slots[i].model);
  }
}

static int *block;
static volatile int launching;

static void *launch_and_free(void *unused)
{
  begin_launch(&file, 0);
  mesi_launch_arg(block, MESI_READ_WRITE);
  launching = 1;
  usleep(3000);
  mesi_launch_end();
  mesi_free(block);
  return unused;
}

/* What pthread_join and other calls do that open everything. Freed memory is filled, as its next
 * owner would. */
static void all_is_awaited_while_memory_is_freed(void **state)
{
  pthread_t thread;
  (void)state;
  mallopt(M_PERTURB, 0x55);
  alarm(100);
  for (int round = 0; round < 30; round++) {
    block = mesi_malloc(20000);
    launching = 0;
    assert_int_equal(pthread_create(&thread, NULL, launch_and_free, NULL), 0);
    while (!launching) usleep(100);
    mesi_touch_all(MESI_READ_WRITE);
    pthread_join(thread, NULL);
  }
  alarm(0);
  mallopt(M_PERTURB, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(list_goes_there_and_back, set_up),
      cmocka_unit_test_setup(kernel_relinks, set_up),
      cmocka_unit_test_setup(large_nodes, set_up),
      cmocka_unit_test_setup(pointer_launches_do_not_copy, set_up),
      cmocka_unit_test_setup(rows_of_a_matrix, set_up),
      cmocka_unit_test_setup(a_place_is_as_aligned_as_the_argument, set_up),
      cmocka_unit_test_setup(realloc_keeps_what_a_kernel_wrote, set_up),
      cmocka_unit_test_setup(calloc_is_zero, set_up),
      cmocka_unit_test_setup(zero_bytes_have_an_address, set_up),
      cmocka_unit_test_setup(random_use, set_up),
      cmocka_unit_test_setup(all_is_awaited_while_memory_is_freed, set_up),
  };
  mesi_register(&file);
  return cmocka_run_group_tests_name("runtime_dynamic", tests, NULL, NULL);
}
