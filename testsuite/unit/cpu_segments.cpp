/* cpu_segments.cpp - segments of a launch: which fit and where, what is known of tables, for how
 * long it is kept. */
#include "cpu_test.h"

static mesi_segments &segments = mesi_planned_segments();
static int asked; /* how often bounds were */

/* 11 i + 1 positions */
static mesi_bounds up_to(long long i) { return mesi_bounds_of(true, -i, i * 10); }

static void place()
{
  mesi_place_segments(0, 3, up_to);
  CHECK_EQ(segments.elements, 1 + 12 + 23);
  CHECK_EQ(segments.staged, 3);
  CHECK_EQ(segments.at[2], 13);
  CHECK_EQ(segments.shift[2], 15); /* position -2 is the first */
  mesi_place_segments(13, 3, up_to);
  CHECK_EQ(segments.staged, 2);
  CHECK_EQ(segments.length[2], 0);
  CHECK_EQ(segments.elements, 13);
  CHECK(segments.share > 0.66 && segments.share < 0.67);
  mesi_place_segments(12, 3, up_to);
  CHECK_EQ(segments.staged, 1);
  /* in any order: the longest stays away */
  mesi_place_segments(24, 3, [](long long i) { return up_to(2 - i); });
  CHECK_EQ(segments.at[1], 0);
  CHECK_EQ(segments.at[2], 12);
  CHECK_EQ(segments.elements, 13);
}

static void none()
{
  mesi_place_segments(100, 0, up_to);
  CHECK_EQ(segments.elements, 0);
  mesi_place_segments(100, MESI_SEGMENTS + 1, up_to);
  CHECK_EQ(segments.elements, 0);
  mesi_place_segments(100, 2, [](long long i) { return mesi_bounds_of(i == 0, 0, 1); });
  CHECK_EQ(segments.elements, 0);
  /* the first is empty */
  mesi_place_segments(100, 2, [](long long i) { return mesi_bounds_of(true, 0, i - 1); });
  CHECK_EQ(segments.elements, 0);
  mesi_place_segments(100, 1,
                      [](long long) { return mesi_bounds_of(true, -(1ll << 40), 1ll << 40); });
  CHECK_EQ(segments.elements, 0);
}

static void plan(mesi_segments_memory &memory, const int *table, int n)
{
  mesi_plan_segments(memory, {(long long)table, n}, 1000, n, [&](long long i) {
    asked++;
    const mesi_bounds b =
        mesi_plan_elements(memory, 0, table, sizeof *table, true, i, i + 6 * n, n);
    return mesi_bounds_of(b.known, b.low, b.high);
  });
}

static void plan_worth(mesi_segments_memory &memory, const int *table, int n, int rows,
                       double accesses)
{
  mesi_plan_segments(memory, {(long long)table, n, rows, (long long)accesses}, 1000, n,
                     [&](long long i) {
                       mesi_plan_worth(memory, 0, i, accesses, table, sizeof *table, true, i,
                                       i + (rows - 1) * n, n);
                       return mesi_bounds_of(true, 0, 9);
                     });
}

/* The first segment's base changes with each of ten rows, the second one's with every fifth. */
static void worth()
{
  int *table = (int *)mesi_malloc(20 * sizeof *table);
  mesi_segments_memory memory;
  for (int i = 0; i < 10; i++) {
    table[2 * i] = i;
    table[2 * i + 1] = i / 5;
  }
  plan_worth(memory, table, 2, 10, 20);
  CHECK_EQ(segments.staged, 2);
  plan_worth(memory, table, 2, 10, 19);
  CHECK_EQ(segments.staged, 1);
  CHECK_EQ(segments.length[0], 0);
  CHECK_EQ(segments.length[1], 10);
  plan_worth(memory, table, 2, 10, 3);
  CHECK_EQ(segments.staged, 0);
  table[1] = 7; /* one change more */
  plan_worth(memory, table, 2, 10, 4);
  CHECK_EQ(segments.staged, 0);
  plan_worth(memory, table, 2, 11, 3); /* the object ends before that: not known */
  CHECK_EQ(segments.staged, 2);
  mesi_free(table);
}

static bool evenly(const int *table, int n, int rows)
{
  mesi_place_segments(0, n, [&](long long i) {
    mesi_plan_evenly(i, table, sizeof *table, true, i, i + (rows - 1) * n, n);
    return mesi_bounds_of(true, 0, 1);
  });
  return segments.even;
}

static void even()
{
  int *table = (int *)mesi_malloc(30 * sizeof *table);
  for (int i = 0; i < 30; i++) table[i] = i % 3 * 100 + i / 3 * (4 * (i % 3) - 3);
  CHECK(evenly(table, 3, 10));
  CHECK_EQ(segments.first[2], 200);
  CHECK_EQ(segments.increment[0], -3);
  CHECK_EQ(segments.increment[2], 5);
  CHECK(!evenly(table, 3, 11)); /* the object ends before that */
  CHECK(!evenly(table, 2, 10));
  table[28]++;
  CHECK(!evenly(table, 3, 10));
  CHECK(evenly(table, 3, 9));
  CHECK(evenly(table, 3, 2));
  CHECK(evenly(table, 3, 1));
  CHECK_EQ(segments.increment[1], 0);
  table[0] = -2147483647 - 1;
  table[3] = 2147483647;
  CHECK(!evenly(table, 3, 2)); /* numbers of more than 30 bits */
  mesi_free(table);
  int own[4] = {0, 1, 2, 3};
  CHECK(!evenly(own, 1, 4)); /* nothing is known about it */
}

/* Two segments, whose tables are columns. */
static void group(const int *table, int rows, unsigned inner, unsigned outer)
{
  mesi_segments_memory memory;
  memory.looks = 0;
  mesi_place_segments(0, 2, [&](long long i) {
    mesi_plan_grouping(memory, 0, i, table, sizeof *table, true, i, i + (rows - 1) * 2, 2, inner,
                       outer);
    return mesi_bounds_of(true, 0, 9);
  });
}

static int chosen(double elements)
{
  static int kernels[4];
  mesi_planned().staged = 0;
  int *kernel = mesi_plan_kernel_numbered(2, true, 4, 2, mesi_room{elements, 1e300}, &kernels[0],
                                          {{2, {1, 2}, &kernels[1]},
                                           {2, {2, 1}, &kernels[2]},
                                           {2, {2, 2}, &kernels[3]},
                                           {3, {0, 0}, &kernels[1]}});
  return (int)(kernel - kernels);
}

static void grouped()
{
  int *table = (int *)mesi_malloc(36 * sizeof *table);
  for (int i = 0; i < 18; i++) {
    table[2 * i] = i / 8 * 50 + i % 4; /* the same in both rows */
    table[2 * i + 1] = i / 4;          /* and in a row */
  }
  group(table, 18, 4, 2);
  CHECK(segments.grouped);
  CHECK_EQ((int)segments.differs[0], 1);
  CHECK_EQ((int)segments.differs[1], 2);
  CHECK_EQ(chosen(1000), 1);
  CHECK_EQ(chosen(59), 0); /* 4 times 10 elements of one, 2 times of the other */
  CHECK_EQ(chosen(60), 1);
  mesi_planned().staged = 1;
  table[34]++; /* behind the last group */
  group(table, 18, 4, 2);
  CHECK_EQ(chosen(1000), 1);
  table[2]++; /* the second row is another */
  group(table, 18, 4, 2);
  CHECK_EQ((int)segments.differs[1], 3);
  CHECK_EQ(chosen(1000), 0);
  group(table, 18, 2, 4);
  CHECK_EQ((int)segments.differs[0], 1);
  group(table, 7, 4, 2);
  CHECK(!segments.grouped); /* no group */
  group(table, 19, 4, 2);
  CHECK(!segments.grouped); /* the object ends before that */
  for (int i = 0; i < 36; i++) table[i] = i % 2 ? 7 : i;
  group(table, 16, 4, 2);
  CHECK_EQ((int)(segments.differs[0] | segments.differs[1] << 4), 0x11);
  CHECK_EQ(chosen(1000), 0); /* none for a first segment that differs everywhere */
  mesi_free(table);
}

/* Two segments of 32 threads, `row` elements apart from 7 on, and `inner` places in front of each.
 */
static void plan_rows(mesi_row_kernels kernels, int row, int inner, unsigned size, long long room)
{
  int *table = (int *)mesi_malloc(64 * sizeof *table);
  mesi_segments_memory memory;
  for (int i = 0; i < 64; i++) table[i] = 7 + i % 32 * row;
  mesi_plan_segments(memory, {0}, room, 2, [&](long long i) {
    const mesi_bounds b =
        mesi_plan_elements(memory, 0, table, sizeof *table, true, 32 * i, 32 * i + 31, 1);
    mesi_plan_rows(memory, kernels, i, size, table, sizeof *table, true, 32 * i, 32 * i + 31, 1);
    return mesi_bounds_of(b.known, b.low + 3, b.high + 3 + inner - 1);
  });
  mesi_free(table);
}

/* No two threads and places share an element, and each element is where its copy is put. */
static bool are_rows_exact(int row, int inner)
{
  for (int i = 0; i < 2; i++)
    for (int thread = 0; thread < 32; thread++)
      for (int at = 0; at < inner; at++) {
        int part = 7 + thread * row, copied = part + 3 + at - segments.low[i];
        int read = segments.shift[i] + part + 3 + at +
                   mesi_segment_row(part - segments.row_low[i], segments.rows[i]);
        if (read != segments.at[i] + copied + mesi_segment_row(copied, segments.rows[i]) ||
            read < 0 || read >= segments.elements)
          return false;
      }
  return true;
}

static void rows()
{
  const mesi_row_kernels kernels = {2, 4, 12000};
  for (int row : {8, 16, 24, 48, 80, 160}) {
    plan_rows(kernels, row, row, 4, 0);
    CHECK_EQ((int)segments.row_set, 2);
    CHECK_EQ(segments.elements, 2 * (32 * row + 31));
    CHECK(are_rows_exact(row, row));
  }
  plan_rows(kernels, 16, 16, 8, 0);
  CHECK_EQ((int)segments.row_set, 2);
  for (int row : {1, 2, 5, 17}) { /* no conflicts, or rows too short */
    plan_rows(kernels, row, 1, 4, 0);
    CHECK_EQ((int)segments.row_set, 0);
    CHECK_EQ((int)segments.rows[0], 0);
  }
  plan_rows(kernels, 16, 17, 4, 0); /* places leave their row */
  CHECK_EQ((int)segments.row_set, 0);
  CHECK_EQ(segments.elements, 2 * (32 * 16 + 1));
  plan_rows({2, 4, 2 * (32 * 16 + 31)}, 16, 16, 4, 0);
  CHECK_EQ((int)segments.row_set, 2);
  plan_rows({2, 4, 2 * (32 * 16 + 31) - 1}, 16, 16, 4, 0); /* no room */
  CHECK_EQ((int)segments.row_set, 0);
  plan_rows({2, 1, 12000}, 16, 16, 4, 600); /* one segment fits; no kernel knows of both */
  CHECK_EQ(segments.staged, 1);
  CHECK_EQ((int)segments.row_set, 0);
  plan_rows(kernels, 16, 16, 4, 600); /* kernels for two segments do */
  CHECK_EQ(segments.staged, 1);
  CHECK_EQ(segments.elements, 32 * 16 + 31);
}

static void kept()
{
  mesi_segments_memory memory;
  int *table = (int *)mesi_malloc(40 * sizeof *table);
  for (int i = 0; i < 40; i++) table[i] = i % 3 * 100 + i;
  plan(memory, table, 3); /* column i: i * 101 ... + 18 */
  CHECK_EQ(segments.count, 3);
  CHECK_EQ(segments.low[1], 101);
  CHECK_EQ(segments.length[1], 19);
  mesi_device_ptr(table, MESI_READ);
  plan(memory, table, 3);
  asked = 0;
  plan(memory, table, 3);
  CHECK_EQ(asked, 0);
  CHECK_EQ(segments.length[2], 19);
  plan(memory, table, 2); /* another argument */
  CHECK_EQ(asked, 2);
  plan(memory, table, 3);
  table[4] = 500;
  asked = 0;
  plan(memory, table, 3);
  CHECK_EQ(asked, 3);
  CHECK_EQ(segments.length[1], 400);
  plan(memory, table, 6); /* more than the table has */
  CHECK_EQ(segments.elements, 0);
  static int elsewhere[40];
  plan(memory, elsewhere, 3);
  CHECK_EQ(segments.elements, 0);
  mesi_device_ptr(table, MESI_READ_WRITE); /* the host's copy is stale */
  plan(memory, table, 3);
  CHECK_EQ(segments.elements, 0);
  mesi_free(table);
}

int main()
{
  place();
  none();
  kept();
  worth();
  even();
  grouped();
  rows();
  return failures != 0;
}
