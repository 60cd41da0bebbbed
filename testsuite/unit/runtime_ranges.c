/* SPDX-License-Identifier: MIT */
/* runtime_ranges.c - sets of bytes against a table of bits. */
#include "runtime_support.h"

#include "base/ranges.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 300, STEPS = 20000 };

static struct mesi_span random_span(void)
{
  size_t a = (size_t)rand() % (BYTES + 1), b = (size_t)rand() % (BYTES + 1);
  return a < b ? (struct mesi_span){a, b} : (struct mesi_span){b, a};
}

static size_t count_in(const char *bits, struct mesi_span span, char value)
{
  size_t count = 0;
  for (size_t i = span.begin; i < span.end; i++) count += bits[i] == value;
  return count;
}

/* The first run of `value` in the span. */
static struct mesi_span first_run(const char *bits, struct mesi_span span, char value)
{
  while (span.begin < span.end && bits[span.begin] != value) span.begin++;
  size_t end = span.begin;
  while (end < span.end && bits[end] == value) end++;
  return (struct mesi_span){span.begin, end};
}

static void check_span(struct mesi_span got, struct mesi_span expected)
{
  assert_int_equal(mesi_span_bytes(got), mesi_span_bytes(expected));
  if (!mesi_span_empty(expected)) assert_int_equal(got.begin, expected.begin);
}

static void check_form(const struct mesi_ranges *set)
{
  const struct mesi_span *spans = mesi_ranges_items(set);
  for (size_t i = 0; i < set->count; i++) {
    assert_true(spans[i].begin < spans[i].end);
    assert_true(i == 0 || spans[i - 1].end < spans[i].begin);
  }
}

static void random_operations(void **state)
{
  (void)state;
  static char bits[BYTES];
  struct mesi_ranges set = {0};
  srand(3);
  for (int step = 0; step < STEPS; step++) {
    struct mesi_span span = random_span(), asked = random_span();
    if (rand() % 3) span.end = span.begin + mesi_span_bytes(span) % 9;
    bool add = rand() % 2;
    if (add)
      mesi_ranges_add(&set, span);
    else
      mesi_ranges_remove(&set, span);
    memset(bits + span.begin, add, mesi_span_bytes(span));
    check_form(&set);
    assert_int_equal(mesi_ranges_contain(&set, asked), count_in(bits, asked, 0) == 0);
    assert_int_equal(mesi_ranges_meet(&set, asked), count_in(bits, asked, 1) != 0);
    check_span(mesi_ranges_next(&set, asked), first_run(bits, asked, 1));
    check_span(mesi_ranges_next_gap(&set, asked), first_run(bits, asked, 0));
    if (step % 1000 == 999) {
      mesi_ranges_finish(&set);
      memset(bits, 0, sizeof bits);
    }
  }
  mesi_ranges_finish(&set);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_operations)};
  return cmocka_run_group_tests_name("runtime_ranges", tests, NULL, NULL);
}
