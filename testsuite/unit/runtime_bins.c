/* SPDX-License-Identifier: MIT */
/* Bins: every form, layout and limit against bins that the test makes itself; what is reported;
 * memory. */
#include "runtime_support.h"

#include "mesi_bin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5, COUNT = 3000 };

static const struct mesi_bin_grid small = {
    .low = {-1, 0, 2}, .edge = {0.5f, 1, 0.25f}, .bins = {7, 3, 5}};
enum { BINS = 7 * 3 * 5 };

static float uniform(void) { return (float)rand() / ((float)RAND_MAX + 1); }

/* Half of them in one corner, so that depths differ; word 3 is the number. VS memory. */
static float *make_elements(int count)
{
  float *ret = mesi_malloc((size_t)count * WORDS * sizeof *ret);
  for (int i = 0; i < count; i++) {
    float near = i % 2 ? 1 : 0.3f;
    for (int a = 0; a < 3; a++)
      ret[i * WORDS + a] = small.low[a] + near * uniform() * (float)small.bins[a] * small.edge[a];
    ret[i * WORDS + 3] = (float)i;
    ret[i * WORDS + 4] = uniform();
  }
  return ret;
}

static int bin_of(const float *element)
{
  int place[3];
  for (int a = 0; a < 3; a++)
    place[a] = mesi_bin_at(element[a], small.low[a], 1 / small.edge[a], small.bins[a]);
  return (place[2] * 3 + place[1]) * 7 + place[0];
}

struct wanted { /* what is to be in the bins */
  int counts[BINS], *members[BINS];
};

static void make_wanted(struct wanted *wanted, const float *elements, int count)
{
  memset(wanted, 0, sizeof *wanted);
  for (int i = 0; i < count; i++) wanted->counts[bin_of(elements + i * WORDS)]++;
  for (int b = 0; b < BINS; b++)
    wanted->members[b] = calloc((size_t)wanted->counts[b] + 1, sizeof(int));
  memset(wanted->counts, 0, sizeof wanted->counts);
  for (int i = 0; i < count; i++) {
    int b = bin_of(elements + i * WORDS);
    wanted->members[b][wanted->counts[b]++] = i;
  }
}

static void free_wanted(struct wanted *wanted)
{
  for (int b = 0; b < BINS; b++) free(wanted->members[b]);
}

static float word_at(const struct mesi_bins *bins, long long slot, unsigned word)
{
  unsigned v = bins->options.vector, pitch = bins->options.pitch;
  return bins->elements[slot / v * v * pitch + word * v + slot % v];
}

/* The slots of a bin hold `kept` of its members, all different; in order where that was asked for.
 */
static void check_bin(const struct mesi_bins *bins, const float *elements,
                      const struct wanted *wanted, int b, int kept, bool *seen)
{
  long long first = bins->offsets ? bins->offsets[b] : (long long)b * bins->depth;
  assert_true(first % bins->options.align == 0);
  for (int k = 0; k < kept; k++) {
    int number = (int)word_at(bins, first + k, 3);
    assert_int_equal(bin_of(elements + number * WORDS), b);
    assert_false(seen[number]);
    seen[number] = true;
    if (bins->options.stable) assert_int_equal(number, wanted->members[b][k]);
    for (unsigned w = 0; w < bins->options.pitch; w++)
      assert_true(word_at(bins, first + k, w) ==
                  (w < WORDS ? elements[number * WORDS + (int)w] : 0));
  }
  if (bins->options.form == MESI_BIN_SENTINEL)
    for (int k = kept; k < bins->depth; k++)
      assert_true(word_at(bins, first + k, 0) == MESI_BIN_NOTHING);
}

static void check_overflow(const struct mesi_bins *bins, const float *elements,
                           const struct wanted *wanted, int b, int kept, bool *seen)
{
  for (int k = bins->overflow_offsets[b]; k < bins->overflow_offsets[b + 1]; k++) {
    int number = (int)bins->overflow[k * WORDS + 3];
    assert_int_equal(bin_of(elements + number * WORDS), b);
    assert_false(seen[number]);
    seen[number] = true;
    if (bins->options.stable)
      assert_int_equal(number, wanted->members[b][kept + k - bins->overflow_offsets[b]]);
    assert_memory_equal(bins->overflow + k * WORDS, elements + number * WORDS,
                        WORDS * sizeof(float));
  }
}

static void check_bins(const struct mesi_bins *bins, const float *elements,
                       const struct wanted *wanted, int count)
{
  bool *seen = calloc((size_t)count, sizeof *seen);
  long long over = 0, all = 0;
  for (int b = 0; b < BINS; b++) {
    int kept = wanted->counts[b] < bins->depth ? wanted->counts[b] : bins->depth;
    over += wanted->counts[b] - kept;
    assert_int_equal(bins->counts[b], wanted->counts[b]);
    if (bins->offsets && bins->options.align == 1)
      assert_int_equal(bins->offsets[b + 1] - bins->offsets[b], kept);
    else
      assert_int_equal(bins->sizes[b], kept);
    check_bin(bins, elements, wanted, b, kept, seen);
    if (bins->overflow) check_overflow(bins, elements, wanted, b, kept, seen);
  }
  assert_int_equal(bins->overflow_count, over);
  for (int i = 0; i < count; i++) all += seen[i];
  assert_int_equal(all, count);
  free(seen);
}

static void test_forms(void **state)
{
  static const struct mesi_bin_options all[] = {
      {.form = MESI_BIN_COMPACT},
      {.form = MESI_BIN_COMPACT, .pitch = 8},
      {.form = MESI_BIN_COMPACT, .vector = 16},
      {.form = MESI_BIN_COMPACT, .align = 4},
      {.form = MESI_BIN_COMPACT, .align = 8, .vector = 8, .pitch = 6},
      {.form = MESI_BIN_COUNTED},
      {.form = MESI_BIN_COUNTED, .vector = 4},
      {.form = MESI_BIN_SENTINEL},
      {.form = MESI_BIN_SENTINEL, .pitch = 7, .vector = 2},
  };
  float *elements = make_elements(COUNT);
  struct wanted wanted;
  (void)state;
  make_wanted(&wanted, elements, COUNT);
  for (unsigned i = 0; i < 2 * sizeof all / sizeof *all; i++) {
    struct mesi_bin_options options = all[i / 2];
    struct mesi_bins bins;
    options.words = WORDS;
    options.stable = i % 2;
    assert_int_equal(mesi_bin_init(&bins, &small, &options), 0);
    assert_int_equal(mesi_bin_count(&bins, elements, COUNT), 0);
    for (int depth = 0; depth < 40; depth += 13) { /* 0: no limit */
      assert_int_equal(mesi_bin_place(&bins, elements, depth), 0);
      check_bins(&bins, elements, &wanted, COUNT);
      assert_int_equal(mesi_bin_beyond(&bins, bins.depth), bins.overflow_count);
    }
    mesi_bin_finish(&bins);
    mesi_bin_finish(&bins);
  }
  free_wanted(&wanted);
  mesi_free(elements);
}

static void test_statistics(void **state)
{
  struct mesi_bin_grid line = {.low = {0, 0, 0}, .edge = {1, 1, 1}, .bins = {4, 1, 1}};
  struct mesi_bin_options options = {.form = MESI_BIN_COMPACT, .words = 3};
  /* 3, 0, 1, 2 */
  static const float at[] = {0.5f, 0, 0, 0.1f, 0.5f, 0, 2, 1,    1,
                             3.5f, 1, 1, 0.7f, 0,    0, 4, 0.5f, 0.5f};
  struct mesi_bins bins;
  float *elements = mesi_malloc(sizeof at);
  (void)state;
  /* cmocka has the signals until the next launch */
  mesi_touch_range(elements, sizeof at, MESI_WRITE | MESI_OVERWRITE);
  memcpy(elements, at, sizeof at);
  assert_int_equal(mesi_bin_init(&bins, &line, &options), 0);
  assert_int_equal(mesi_bin_fill(&bins, elements, 6, 0), 0);
  assert_int_equal(bins.depths.least, 0);
  assert_int_equal(bins.depths.most, 3);
  assert_int_equal(bins.depths.empty, 1);
  assert_true(bins.depths.mean == 1.5 &&
              fabs(bins.depths.deviation - sqrt(14 / 4.0 - 2.25)) < 1e-12);
  assert_int_equal(bins.bytes, 6 * 12 + 5 * 4);
  assert_int_equal(mesi_bin_beyond(&bins, 1), 3);
  assert_int_equal(mesi_bin_beyond(&bins, 0), 6);
  assert_int_equal(bins.offsets[1], 3);
  assert_int_equal(bins.offsets[4], 6);
  mesi_bin_finish(&bins);
  mesi_free(elements);
}

/* Nothing but a few answers comes to the host, and the elements go to the device once. */
static void test_transfers(void **state)
{
  struct mesi_bin_options options = {.form = MESI_BIN_COUNTED, .words = WORDS, .stable = 1};
  float *elements = make_elements(COUNT);
  struct mesi_bins bins;
  (void)state;
  assert_int_equal(mesi_bin_init(&bins, &small, &options), 0);
  reset_counts();
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 3), 0);
  assert_int_equal(mesi_bin_place(&bins, elements, 5), 0);
  assert_true(counts.bytes_to_device >= COUNT * WORDS * 4 &&
              counts.bytes_to_device < COUNT * WORDS * 4 + 6000);
  assert_true(counts.bytes_to_host < 6000);
  mesi_bin_finish(&bins);
  mesi_free(elements);
}

static void test_pieces(void **state)
{
  struct mesi_bin_options options = {.form = MESI_BIN_COMPACT, .words = WORDS};
  const struct mesi_bin_piece *pieces;
  float *elements = make_elements(COUNT);
  int count, covered = 0;
  struct mesi_bins bins;
  (void)state;
  assert_int_equal(mesi_bin_init(&bins, &small, &options), 0);
  assert_int_equal(mesi_bin_split(&bins, 4, &pieces, &count), MESI_BIN_BAD_OPTION);
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 0), 0);
  assert_int_equal(mesi_bin_split(&bins, 4, &pieces, &count), 0);
  assert_int_equal(count, 0);
  assert_int_equal(mesi_bin_place(&bins, elements, 10), 0);
  assert_int_equal(mesi_bin_split(&bins, 7, &pieces, &count), 0);
  bool *seen = calloc((size_t)bins.overflow_count, sizeof *seen);
  for (int i = 0; i < count; i++) {
    assert_true(pieces[i].end - pieces[i].begin >= 1 && pieces[i].end - pieces[i].begin <= 7);
    for (int k = pieces[i].begin; k < pieces[i].end; k++, covered++) {
      assert_int_equal(bin_of(bins.overflow + k * WORDS), pieces[i].bin);
      assert_false(seen[k]);
      seen[k] = true;
    }
  }
  assert_int_equal(covered, bins.overflow_count);
  free(seen);
  mesi_bin_finish(&bins);
  mesi_free(elements);
}

static void test_order(void **state)
{
  struct mesi_bin_options options = {.form = MESI_BIN_COUNTED, .words = WORDS};
  float *elements = make_elements(COUNT);
  struct mesi_bins bins;
  const int *order, *again;
  (void)state;
  assert_int_equal(mesi_bin_init(&bins, &small, &options), 0);
  assert_int_equal(mesi_bin_order(&bins, &order), MESI_BIN_BAD_OPTION);
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 2), 0);
  assert_int_equal(mesi_bin_order(&bins, &order), 0);
  bool *seen = calloc(COUNT, sizeof *seen);
  for (int i = 0; i < COUNT; i++) {
    assert_true(i == 0 ||
                bin_of(elements + order[i - 1] * WORDS) <= bin_of(elements + order[i] * WORDS));
    assert_false(seen[order[i]]);
    seen[order[i]] = true;
  }
  assert_int_equal(mesi_bin_order(&bins, &again), 0);
  assert_ptr_equal(order, again);
  free(seen);
  mesi_bin_finish(&bins);
  mesi_free(elements);
}

static void test_cover(void **state)
{
  const float low[] = {0, 0, 0}, high[] = {184, 10, 0}, edge[] = {4, 4, 4}, nothing[] = {4, 0, 4},
              reversed[] = {-1, 0, 0};
  const float tiny[] = {1e-6f, 1e-6f, 1e-6f}, odd[] = {1, NAN, 1};
  struct mesi_bin_grid grid;
  char message[MESI_BIN_MESSAGE];
  (void)state;
  assert_int_equal(mesi_bin_cover(&grid, low, high, edge, 12, message), 0);
  assert_int_equal(grid.bins[0], 52);
  assert_int_equal(grid.bins[1], 9);
  assert_int_equal(grid.bins[2], 7);
  assert_int_equal(grid.margin[1], 3);
  assert_true(grid.low[0] == -12);
  assert_int_equal(mesi_bin_cover(&grid, low, high, edge, 0, message), MESI_BIN_BAD_GRID);
  assert_non_null(strstr(message, "cutoff"));
  assert_int_equal(mesi_bin_cover(&grid, low, high, edge, NAN, message), MESI_BIN_BAD_GRID);
  assert_int_equal(mesi_bin_cover(&grid, low, high, nothing, 1, message), MESI_BIN_BAD_GRID);
  assert_non_null(strstr(message, "along y"));
  assert_int_equal(mesi_bin_cover(&grid, low, reversed, edge, 1, message), MESI_BIN_BAD_GRID);
  assert_int_equal(mesi_bin_cover(&grid, low, odd, edge, 1, NULL), MESI_BIN_BAD_GRID);
  assert_int_equal(mesi_bin_cover(&grid, low, high, tiny, 1, message), MESI_BIN_BAD_GRID);
  assert_non_null(strstr(message, "too short"));
}

static void test_bad_options(void **state)
{
  static const struct mesi_bin_options wrong[] = {
      {.form = MESI_BIN_FORM_COUNT, .words = 4},
      {.words = 2},
      {.words = 65},
      {.words = 5, .pitch = 4},
      {.words = 4, .vector = 4096},
      {.form = MESI_BIN_COUNTED, .words = 4, .align = 4}};
  struct mesi_bin_options right = {.words = 4};
  struct mesi_bin_grid grid = small;
  struct mesi_bins bins;
  (void)state;
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(mesi_bin_init(&bins, &small, &wrong[i]), MESI_BIN_BAD_OPTION);
    assert_true(bins.message[0] != '\0');
    mesi_bin_finish(&bins);
  }
  grid.bins[1] = 0;
  assert_int_equal(mesi_bin_init(&bins, &grid, &right), MESI_BIN_BAD_GRID);
  grid.bins[0] = grid.bins[1] = grid.bins[2] = 2000;
  assert_int_equal(mesi_bin_init(&bins, &grid, &right), MESI_BIN_BAD_GRID);
}

static void test_bad_elements(void **state)
{
  struct mesi_bin_options options = {.form = MESI_BIN_COMPACT, .words = WORDS};
  float *elements = make_elements(100);
  struct mesi_bins bins;
  (void)state;
  assert_int_equal(mesi_bin_init(&bins, &small, &options), 0);
  assert_int_equal(mesi_bin_place(&bins, elements, 0), MESI_BIN_BAD_OPTION);
  assert_int_equal(mesi_bin_beyond(&bins, 0), -1);
  assert_int_equal(mesi_bin_fill(&bins, elements, 0, 0), MESI_BIN_EMPTY);
  assert_int_equal(mesi_bin_fill(&bins, NULL, 3, 0), MESI_BIN_EMPTY);
  float kept = elements[41 * WORDS + 1];
  elements[41 * WORDS + 1] = NAN;
  assert_int_equal(mesi_bin_fill(&bins, elements, 100, 0), MESI_BIN_NOT_FINITE);
  assert_non_null(strstr(bins.message, "element 41"));
  assert_null(bins.elements);
  elements[41 * WORDS + 1] = -INFINITY;
  assert_int_equal(mesi_bin_fill(&bins, elements, 100, 0), MESI_BIN_NOT_FINITE);
  elements[41 * WORDS + 1] = -0.001f;
  elements[77 * WORDS] = 1e30f;
  assert_int_equal(mesi_bin_fill(&bins, elements, 100, 0), MESI_BIN_OUTSIDE);
  assert_non_null(strstr(bins.message, "element 41"));
  elements[41 * WORDS + 1] = kept;
  elements[77 * WORDS] = 0;
  assert_int_equal(mesi_bin_fill(&bins, elements, 100, -1), MESI_BIN_BAD_OPTION);
  assert_int_equal(mesi_bin_fill(&bins, elements, 100, 0), 0);
  assert_string_equal(bins.message, "");
  mesi_bin_finish(&bins);
  mesi_free(elements);
}

/* 64 MB of device memory: see main. */
static void test_memory(void **state)
{
  struct mesi_bin_options options = {.form = MESI_BIN_COUNTED, .words = WORDS};
  struct mesi_bin_grid grid = {
      .low = {-1, 0, 2}, .edge = {0.05f, 0.05f, 0.05f}, .bins = {100, 100, 100}};
  float *elements = make_elements(COUNT);
  struct mesi_bins bins;
  (void)state;
  assert_int_equal(mesi_bin_init(&bins, &grid, &options), 0);
  for (int i = 0; i < 20; i++) memcpy(elements + i * WORDS, elements, 3 * sizeof(float));
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 0), MESI_BIN_NO_MEMORY);
  assert_non_null(strstr(bins.message, "binned elements of 1000000 bins"));
  assert_null(bins.elements);
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 1), 0);
  mesi_bin_finish(&bins);
  options.form = MESI_BIN_COMPACT;
  assert_int_equal(mesi_bin_init(&bins, &grid, &options), 0);
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 0), 0);
  mesi_bin_finish(&bins);
  grid.bins[2] = 10000;
  assert_int_equal(mesi_bin_init(&bins, &grid, &options), 0);
  assert_int_equal(mesi_bin_fill(&bins, elements, COUNT, 0), MESI_BIN_NO_MEMORY);
  assert_non_null(strstr(bins.message, "counts of 100000000 bins"));
  mesi_bin_finish(&bins);
  mesi_free(elements);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms),       cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_transfers),   cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_order),       cmocka_unit_test(test_cover),
      cmocka_unit_test(test_bad_options), cmocka_unit_test(test_bad_elements),
      cmocka_unit_test(test_memory),
  };
  setenv("MESI_CPU_MEMORY", "64M", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
