/* SPDX-License-Identifier: MIT */
/* runtime_report.c - MESI_TRACE, MESI_STATS and MESI_DUMP. */
#include "runtime_support.h"

#include "dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  long value;
  struct node *next;
};

static const size_t next_offset[] = {offsetof(struct node, next)};
static const struct mesi_pointer_map node_map = {sizeof(struct node), 1, next_offset};
static const size_t first_word[] = {0};
static const struct mesi_pointer_map pointer_map = {sizeof(void *), 1, first_word};

static PAGED(int, [10]) a_store;
static PAGED(struct node *, ) head_store;
static int *d_a;
static struct node **d_head;

static const struct mesi_var vars[] = {
    {"a", a_store.value, sizeof a_store.value, &d_a, MESI_VAR_GUARDED, NULL, "r.mcu:1"},
    {"ns::head", &head_store.value, sizeof head_store.value, &d_head, 0, &pointer_map, "r.mcu:2"},
};
static const struct mesi_site_use uses[] = {{0, MESI_WRITE}, {1, MESI_READ | MESI_REACH_WRITE}};
static const struct mesi_site sites[] = {{"k", "r.mcu:10", uses, 2, 0},
                                         {"p", "r.mcu:11", NULL, 0, 0}};
static const struct mesi_file file = {MESI_ABI, "r.mcu", vars, 2, sites, 2};

static void program(void)
{
  mesi_register(&file);
  for (int i = 0; i < 3; i++) {
    struct node *node = mesi_malloc_typed(sizeof *node, &node_map);
    *node = (struct node){i, head_store.value};
    head_store.value = node;
  }
  mesi_free(head_store.value->next);                       /* the second of three */
  head_store.value->next = (struct node *)(uintptr_t)0x10; /* to nowhere */
  begin_launch(&file, 0);
  d_a[9] = 99;
  (*d_head)->value = 7;
  mesi_launch_end();
}

/* Two launches in three parts, one as a whole. */
static void parted_program(void)
{
  struct mesi_part part = {8, 0, 8};
  unsigned first, blocks;
  program();
  for (int i = 0; i < 2; i++) {
    mesi_launch_begin(&file, 1);
    mesi_launch_in_parts();
    mesi_launch_stream(NULL);
    int *a =
        mesi_launch_arg_parts(a_store.value, 0, 0, 0, 40, MESI_WRITE | MESI_OVERWRITE, part, part);
    assert_int_equal(mesi_launch_parts(5, 5), 3);
    while (mesi_launch_next_part(&first, &blocks))
      for (unsigned k = first; k < first + blocks; k++) a[2 * k] = a[2 * k + 1] = (int)k;
    mesi_launch_end();
  }
  mesi_touch_object(a_store.value, MESI_READ);
  for (int k = 0; k < 10; k++) assert_int_equal(a_store.value[k], k / 2);
}

/* Blocks that launches take for float, for double, for two types, for ints, and one that none
 * takes. */
static void typed_program(void)
{
  static const unsigned types[][2] = {{MESI_OF_FLOAT, MESI_OF_FLOAT},
                                      {MESI_OF_DOUBLE, 0},
                                      {MESI_OF_FLOAT, MESI_OF_OTHER},
                                      {MESI_OF_OTHER, 0},
                                      {0, 0}};
  mesi_register(&file);
  for (int i = 0; i < 5; i++) {
    char *block = mesi_malloc(64);
    for (int k = 0; k < 2; k++) {
      begin_launch(&file, 0);
      mesi_launch_arg(block, MESI_WRITE | types[i][k]);
      mesi_launch_arg_range(block + 8, 0, 8, 0, 0, MESI_READ | types[i][k]);
      mesi_launch_end();
    }
  }
}

static void run_program_with(void (*body)(void), const char *variable, const char *path, char *text,
                             size_t size)
{
  setenv(variable, path, 1);
  if (run_child(body, text, size) != 0) fail_msg("%s", text);
  unsetenv(variable);
}

static void run_with(const char *variable, const char *path, char *text, size_t size)
{
  run_program_with(program, variable, path, text, size);
}

static size_t load(const char *path, unsigned char *bytes, size_t size)
{
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t got = fread(bytes, 1, size, stream);
  fclose(stream);
  unlink(path);
  return got;
}

/* Removes "0.123 ms: " behind each "mesi: trace: ". */
static void remove_times(char *text)
{
  for (char *at = text; (at = strstr(at, "mesi: trace: ")); at++) {
    char *time = at + strlen("mesi: trace: "), *end = strstr(time, " ms: "),
         *line_end = strchr(time, '\n');
    if (end && end < line_end)
      memmove(time, end + strlen(" ms: "), strlen(end + strlen(" ms: ")) + 1);
  }
}

static void trace(void **state)
{
  (void)state;
  char text[4096];
  run_with("MESI_TRACE", "1", text, sizeof text);
  remove_times(text);
  assert_string_equal(
      text,
      "mesi: trace: h2d a [0, 40) 40 bytes, launch of k (r.mcu:10)\n"
      "mesi: trace: h2d ns::head [0, 8) 8 bytes, launch of k (r.mcu:10)\n"
      "mesi: trace: h2d mesi_malloc blocks of 16 bytes [0, 48) 48 bytes, launch of k (r.mcu:10)\n"
      "mesi: trace: launch of k (r.mcu:10)\n"
      "mesi: trace: total a: h2d 1 times 40 bytes, d2h 0 times 0 bytes, 0 faults\n"
      "mesi: trace: total ns::head: h2d 1 times 8 bytes, d2h 0 times 0 bytes, 0 faults\n"
      "mesi: trace: total mesi_malloc: h2d 1 times 48 bytes, d2h 0 times 0 bytes, 0 faults\n"
      "mesi: trace: total: 1 launches, h2d 96 bytes, d2h 0 bytes, of them 0 to join pieces, 0 "
      "redundant\n");
}

static size_t count_of(const char *text, const char *part)
{
  size_t count = 0;
  for (; (text = strstr(text, part)); text++) count++;
  return count;
}

static void trace_file(void **state)
{
  (void)state;
  char path[] = "/tmp/mesi-trace-XXXXXX.json", text[8192];
  close(mkstemps(path, 5));
  run_with("MESI_TRACE", path, text, sizeof text);
  text[load(path, (unsigned char *)text, sizeof text - 1)] = '\0';
  assert_ptr_equal(strstr(text, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"), text);
  assert_string_equal(text + strlen(text) - 4, "\n]}\n");
  assert_int_equal(count_of(text, "\"cat\":\"h2d\""), 3);
  assert_int_equal(
      count_of(
          text,
          "\"cat\":\"launch\",\"name\":\"k\",\"args\":{\"kernel\":\"k\",\"place\":\"r.mcu:10\"}"),
      1);
  assert_non_null(strstr(text, "\"name\":\"a\",\"args\":{\"begin\":0,\"end\":40,\"bytes\":40,"
                               "\"cause\":\"launch\",\"kernel\":\"k\""));
  assert_int_equal(count_of(text, "{"), count_of(text, "}"));
}

static void stats(void **state)
{
  (void)state;
  char path[] = "/tmp/mesi-stats-XXXXXX", text[4096], name[64];
  double ms;
  close(mkstemp(path));
  run_with("MESI_STATS", path, text, sizeof text);
  text[load(path, (unsigned char *)text, sizeof text - 1)] = '\0';
  assert_non_null(strstr(text, "launches 1\nparts 0\nstepped 0\nkernel_ms "));
  assert_non_null(
      strstr(text, "\nh2d_count 3\nh2d_bytes 96\nd2h_count 0\nd2h_bytes 0\ntransfer_ms "));
  assert_int_equal(sscanf(strstr(text, "\nkernel "), " kernel %63s 1 %lf", name, &ms), 2);
  assert_string_equal(name, "k");
  assert_non_null(strstr(text, "\nredundant_bytes 0\n"));
}

/* A launch in parts is one launch, with the time of all of them. */
static void parts_are_one_launch(void **state)
{
  (void)state;
  char path[] = "/tmp/mesi-stats-XXXXXX", text[8192];
  double ms, median;
  setenv("MESI_PARTS", "3", 1);
  close(mkstemp(path));
  run_program_with(parted_program, "MESI_STATS", path, text, sizeof text);
  text[load(path, (unsigned char *)text, sizeof text - 1)] = '\0';
  assert_non_null(strstr(text, "launches 3\nparts 6\n"));
  assert_int_equal(sscanf(strstr(text, "\nkernel p "), " kernel p 2 %lf %lf", &ms, &median), 2);
  assert_true(median <= ms);
  run_program_with(parted_program, "MESI_TRACE", "1", text, sizeof text);
  assert_int_equal(count_of(text, "launch of p (r.mcu:11), blocks 0 to 0 of 5\n"), 2);
  assert_int_equal(count_of(text, "launch of p (r.mcu:11), blocks 3 to 4 of 5\n"), 2);
  strcpy(path, "/tmp/mesi-trace-XXXXXX");
  close(mkstemp(path));
  char file_name[64];
  snprintf(file_name, sizeof file_name, "%s.json", path);
  unlink(path);
  run_program_with(parted_program, "MESI_TRACE", file_name, text, sizeof text);
  text[load(file_name, (unsigned char *)text, sizeof text - 1)] = '\0';
  assert_int_equal(count_of(text, "\"first_block\":1,\"blocks\":2"), 2);
  unsetenv("MESI_PARTS");
}

static const unsigned char *expect_entry(const unsigned char *at, uint32_t kind, const char *name,
                                         uint64_t size)
{
  struct mesi_dump_entry entry;
  memcpy(&entry, at, sizeof entry);
  assert_int_equal(entry.kind, kind);
  assert_int_equal(entry.size, size);
  assert_int_equal(entry.name_bytes, strlen(name));
  assert_memory_equal(at + sizeof entry, name, strlen(name));
  return at + sizeof entry + strlen(name);
}

static void dump(void **state)
{
  (void)state;
  char path[] = "/tmp/mesi-dump-XXXXXX", text[4096];
  unsigned char bytes[4096];
  struct mesi_dump_header header;
  int a[10] = {[9] = 99};
  uint64_t pointer = MESI_DUMP_POINTER(3, 0), first[2] = {0, 0}, third[2] = {7, MESI_DUMP_FOREIGN};
  close(mkstemp(path));
  run_with("MESI_DUMP", path, text, sizeof text);
  size_t size = load(path, bytes, sizeof bytes);
  memcpy(&header, bytes, sizeof header);
  assert_memory_equal(header.magic, MESI_DUMP_MAGIC, 8);
  assert_int_equal(header.version, MESI_DUMP_VERSION);
  assert_int_equal(header.count, 4);
  const unsigned char *at = expect_entry(bytes + sizeof header, MESI_DUMP_VARIABLE, "a", sizeof a);
  assert_memory_equal(at, a, sizeof a);
  at = expect_entry(at + sizeof a, MESI_DUMP_VARIABLE, "ns::head", 8);
  assert_memory_equal(at, &pointer, 8);
  at = expect_entry(at + 8, MESI_DUMP_DYNAMIC, "mesi_malloc", sizeof(struct node));
  assert_memory_equal(at, first, sizeof first);
  at = expect_entry(at + sizeof first, MESI_DUMP_DYNAMIC, "mesi_malloc", sizeof(struct node));
  assert_memory_equal(at, third, sizeof third);
  assert_int_equal(at + sizeof third - bytes, size);
}

static void dump_types(void **state)
{
  (void)state;
  static const uint32_t wanted[] = {MESI_DUMP_FLOAT, MESI_DUMP_DOUBLE, MESI_DUMP_BYTES,
                                    MESI_DUMP_BYTES, MESI_DUMP_BYTES};
  char path[] = "/tmp/mesi-dump-XXXXXX", text[4096];
  unsigned char bytes[4096], *at = bytes + sizeof(struct mesi_dump_header);
  unsigned found = 0;
  close(mkstemp(path));
  run_program_with(typed_program, "MESI_DUMP", path, text, sizeof text);
  size_t size = load(path, bytes, sizeof bytes);
  while (at < bytes + size) {
    struct mesi_dump_entry entry;
    memcpy(&entry, at, sizeof entry);
    if (entry.kind == MESI_DUMP_DYNAMIC) assert_int_equal(entry.element, wanted[found++]);
    at += sizeof entry + entry.name_bytes + entry.size;
  }
  assert_int_equal(found, 5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trace), cmocka_unit_test(trace_file),
      cmocka_unit_test(stats), cmocka_unit_test(parts_are_one_launch),
      cmocka_unit_test(dump),  cmocka_unit_test(dump_types)};
  return cmocka_run_group_tests_name("runtime_report", tests, NULL, NULL);
}
