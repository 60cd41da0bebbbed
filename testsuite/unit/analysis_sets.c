/* SPDX-License-Identifier: MIT */
/* analysis_sets.c - the answers that symbols keep: intervals, points and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <isl/set.h>

#include "analysis/sets/budget.h"
#include "analysis/sets/ends.h"
#include "analysis/sets/interval.h"
#include "analysis/sets/stride.h"
#include "analysis/sets/value.h"
#include "analysis/sets/witness.h"
#include "translator/base/arena.h"

enum { OPERATIONS = 300000 };

static struct arena *arena;
static struct symbols symbols;
static const struct kernel_facts facts;

static int begin(void **state)
{
  (void)state;
  arena = arena_create();
  symbols_init(&symbols, budget_new_ctx(OPERATIONS), arena, &facts);
  return 0;
}

/* isl complains about references that are left. */
static int end(void **state)
{
  (void)state;
  isl_ctx *ctx = symbols.ctx;
  symbols_finish(&symbols);
  budget_free_ctx(ctx);
  arena_destroy(arena);
  return 0;
}

static struct symbol *between(long low, long high)
{
  return symbol_new_unknown(&symbols, isl_val_int_from_si(symbols.ctx, low),
                            isl_val_int_from_si(symbols.ctx, high));
}

static isl_pw_aff *plus(const struct symbol *symbol, long number)
{
  return isl_pw_aff_add_constant_val(symbol_aff(&symbols, symbol),
                                     isl_val_int_from_si(symbols.ctx, number));
}

static isl_pw_aff *times(const struct symbol *symbol, long by)
{
  return isl_pw_aff_scale_val(symbol_aff(&symbols, symbol), isl_val_int_from_si(symbols.ctx, by));
}

static void check_interval(struct symbol *symbol, int64_t low, int64_t high)
{
  int64_t found[2];
  assert_true(interval_of_symbol(&symbols, symbol, &found[0], &found[1]));
  assert_int_equal(found[0], low);
  assert_int_equal(found[1], high);
}

static void test_bounds_by_other_symbols(void **state)
{
  (void)state;
  struct symbol *grid = between(1, 100), *block = symbol_new_unknown(&symbols, NULL, NULL),
                *free = symbol_new_unknown(&symbols, NULL, NULL);
  int64_t low, high;
  assert_false(interval_of_symbol(&symbols, block, &low, &high));
  /* 0 <= block < grid */
  block->bounds = isl_set_intersect(
      block->bounds, isl_pw_aff_lt_set(symbol_aff(&symbols, block), symbol_aff(&symbols, grid)));
  assert_false(interval_of_symbol(&symbols, block, &low, &high));
  block->bounds = isl_set_intersect(
      block->bounds, isl_pw_aff_ge_set(symbol_aff(&symbols, block), symbols_constant(&symbols, 0)));
  check_interval(block, 0, 99);
  /* free = 5 - 2 block, and a limit by a symbol that has none */
  free->bounds = isl_set_intersect(
      free->bounds,
      isl_pw_aff_eq_set(symbol_aff(&symbols, free),
                        isl_pw_aff_add(symbols_constant(&symbols, 5), times(block, -2))));
  check_interval(free, -193, 5);
  check_interval(grid, 1, 100);
}

static bool within(isl_pw_aff *aff, isl_set *domain, long low, long high)
{
  struct value value = value_take(aff);
  bool is = value_within(&symbols, &value, domain, isl_val_int_from_si(symbols.ctx, low),
                         isl_val_int_from_si(symbols.ctx, high));
  value_free(&value);
  return is;
}

static bool seen_beyond(isl_pw_aff *aff, isl_set *domain, long limit)
{
  isl_val *val = isl_val_int_from_si(symbols.ctx, limit);
  bool is = witness_beyond(&symbols, aff, domain, val, true);
  isl_val_free(val);
  isl_pw_aff_free(aff);
  return is;
}

static void test_points_answer(void **state)
{
  (void)state;
  struct symbol *a = between(0, 1000), *b = between(0, 1000);
  isl_set *domain = isl_pw_aff_lt_set(symbol_aff(&symbols, a), symbol_aff(&symbols, b)),
          *other = isl_pw_aff_lt_set(symbol_aff(&symbols, b), symbol_aff(&symbols, a));

  assert_true(within(plus(a, 0), domain, 0, 999));
  assert_false(seen_beyond(plus(a, 0), domain, 997)); /* nobody has asked */
  assert_false(within(plus(a, 0), domain, 0, 998));   /* only 999 lies beyond */
  assert_true(seen_beyond(plus(a, 0), domain, 998));
  assert_true(seen_beyond(plus(a, 5), domain, 1003));
  assert_false(seen_beyond(plus(a, 5), domain, 1004));
  assert_false(seen_beyond(plus(a, 0), other, 998)); /* a point of another domain */
  struct symbol *later = between(0, 50);
  isl_pw_aff *sum = isl_pw_aff_add(symbol_aff(&symbols, a), symbol_aff(&symbols, later));
  assert_true(seen_beyond(isl_pw_aff_copy(sum), domain, 1048));
  assert_false(seen_beyond(sum, domain, 1049));
  isl_set_free(domain);
  isl_set_free(other);
}

/* The same set gets the same ends, another one its own. */
static void test_ends_are_kept(void **state)
{
  (void)state;
  static const char *const texts[] = {"{ [i] : 3 <= i <= 9 }", "{ [i] : 3 <= i <= 8 }",
                                      "{ [i] : 3 <= i }", "{ [i] : 3 <= i <= 9 }"};
  static const int64_t lasts[] = {9, 8, -1, 9};

  for (unsigned i = 0; i < 4; i++) {
    isl_pw_aff *low, *high;
    ends_of(&symbols, isl_set_read_from_str(symbols.ctx, texts[i]), &low, &high);
    assert_int_equal(high != NULL, lasts[i] >= 0);
    struct value last = {.aff = high};
    int64_t found = -1;
    if (high) assert_true(value_constant(&last, &found));
    assert_int_equal(found, lasts[i]);
    isl_pw_aff_free(low);
    isl_pw_aff_free(high);
  }
  assert_int_equal(symbols.ends_count, 3);
}

static struct value number(enum ir_builtin builtin)
{
  return value_take(symbol_aff(&symbols, symbol_of_builtin(&symbols, builtin)));
}

/* ((x * A + y) * B + z) * C + w, with the symbols of gridDim and blockDim */
static void test_strides_of_many_factors(void **state)
{
  (void)state;
  struct value sum = number(IR_THREAD_IDX);
  for (unsigned i = 0; i < 5; i++)
    sum = value_add(value_mul(&symbols, sum, number(IR_BLOCK_DIM + i % 3)), number(IR_BLOCK_IDX));
  assert_null(sum.aff); /* of five */
  sum = number(IR_THREAD_IDX);
  for (unsigned i = 0; i < 3; i++)
    sum = value_add(value_mul(&symbols, sum, number(IR_GRID_DIM + i)), number(IR_THREAD_IDX + 1));
  assert_int_equal(sum.term_count, 3);
  struct symbol *const *outer = NULL, *const *inner = NULL, *rest[STRIDE_FACTORS];
  for (unsigned t = 0; t < 3; t++) {
    if (stride_count(sum.terms[t].stride) == 3) outer = sum.terms[t].stride;
    if (stride_count(sum.terms[t].stride) == 1) inner = sum.terms[t].stride;
  }
  assert_non_null(outer);
  assert_true(stride_quotient(outer, inner, rest));
  assert_int_equal(stride_count(rest), 2);
  assert_false(stride_quotient(inner, outer, rest));
  assert_non_null(symbol_of_factors(&symbols, outer));
  /* a number times a product of others */
  struct value rows = value_mul(&symbols, number(IR_GRID_DIM), number(IR_GRID_DIM + 1)),
               index = value_mul(&symbols, number(IR_THREAD_IDX), rows);
  assert_int_equal(index.term_count, 1);
  assert_int_equal(stride_count(index.terms[0].stride), 2);
  value_free(&index);
  value_free(&sum);
}

static void test_quotients_are_bounded(void **state)
{
  (void)state;
  static const struct ir_type types[] = {
      {.kind = IR_TYPE_INT, .size = 4, .is_signed = true, .spelling = "int"},
      {.kind = IR_TYPE_INT, .size = 4, .spelling = "unsigned int"}};
  struct value z = number(IR_BLOCK_IDX + 2), by = number(IR_GRID_DIM);
  isl_set *anywhere = symbols_universe(&symbols);

  for (unsigned i = 0; i < 2; i++) {
    struct symbol *divisor = symbol_of_unsigned(&symbols, by.aff, &types[i]);
    assert_int_equal(divisor != NULL, i);
    isl_pw_aff *form = divisor ? symbol_aff(&symbols, divisor) : isl_pw_aff_copy(by.aff);
    const struct symbol *q = symbol_of_quotient(&symbols, z.aff, form, i, &types[i]);
    assert_true(within(symbol_aff(&symbols, q), anywhere, i ? 0 : -65535, 65535));
    assert_false(within(symbol_aff(&symbols, q), anywhere, 0, 65533));
    isl_pw_aff_free(form);
  }
  isl_set_free(anywhere);
  value_free(&z);
  value_free(&by);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_bounds_by_other_symbols, begin, end),
      cmocka_unit_test_setup_teardown(test_points_answer, begin, end),
      cmocka_unit_test_setup_teardown(test_ends_are_kept, begin, end),
      cmocka_unit_test_setup_teardown(test_strides_of_many_factors, begin, end),
      cmocka_unit_test_setup_teardown(test_quotients_are_bounded, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
