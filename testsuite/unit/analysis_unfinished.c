/* SPDX-License-Identifier: MIT */
/* analysis_unfinished.c - a kernel whose steps have ended says so first, and its refusals from then
 * on are not told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <isl/set.h>

#include "analysis/data/options.h"
#include "analysis/plan/report/unfinished.h"
#include "analysis/sets/budget.h"
#include "translator/base/arena.h"

static struct ir_place name = {.line = 7, .begin = 70};
static struct ir_function kernel = {.name = "late"};

static void add(struct arena *arena, struct remarks *remarks, enum diag_id id, const char *text)
{
  struct decision decision = {
      .kind = DECISION_MAPPING, .taken = id == DIAG_MAPPED, .place = name, .why = text};

  *ARENA_PUSH(arena, &remarks->items) = (struct remark){id, name, text, budget_is_spent()};
  remarks_decide(arena, remarks, &decision);
}

static void use_up(isl_ctx *ctx)
{
  for (unsigned i = 0; i < 100000 && !budget_is_spent(); i++)
    isl_set_free(isl_set_read_from_str(ctx, "{ [i, j] : 0 <= i < 9 and 0 <= j <= 2i }"));
  assert_true(budget_is_spent());
}

/* Refusals before and behind the end of the steps, and a mapping behind it. `part`: the end is
 * that of an attempt. */
static struct remarks told(struct arena *arena, bool cut, bool part, unsigned effort, bool changed)
{
  struct kernel_facts facts = {.kernel = &kernel};
  struct remarks remarks = {0};

  budget_begin(9000, 90000, 1);
  budget_begin_kernel();
  isl_ctx *ctx = budget_new_ctx(300000);
  unsigned long begun = budget_begin_part(part ? 3 : 1);
  add(arena, &remarks, DIAG_NOT_MAPPED, "true");
  if (cut) use_up(ctx);
  add(arena, &remarks, DIAG_MAPPED, "found");
  if (!part || !changed) add(arena, &remarks, DIAG_NOT_STAGED, "untrue");
  budget_end_part(begun);
  assert_int_equal(budget_was_cut(), cut);
  unfinished_tell(arena, &facts, effort, changed, &remarks);
  budget_free_ctx(ctx);
  budget_end_kernel();
  budget_end();
  return remarks;
}

static void expect_told(const struct remarks *remarks, const char *advice)
{
  assert_int_equal(remarks->items.count, 3);
  assert_int_equal(remarks->items.items[0].id, DIAG_UNFINISHED);
  assert_int_equal(remarks->items.items[0].place.line, 7);
  assert_non_null(strstr(remarks->items.items[0].text, "'late' is not examined to its end: "));
  assert_non_null(strstr(remarks->items.items[0].text, advice));
  assert_string_equal(remarks->items.items[1].text, "true");
  assert_string_equal(remarks->items.items[2].text, "found");
  assert_int_equal(remarks->decisions.count, 3);
  assert_int_equal(remarks->decisions.items[0].kind, DECISION_KERNEL);
  assert_false(remarks->decisions.items[0].taken);
  assert_non_null(strstr(remarks->decisions.items[0].why, advice));
}

static void test_the_end_is_the_first_reason(void **state)
{
  struct arena *arena = *state;
  struct remarks whole = told(arena, true, false, 0, false),
                 changed = told(arena, true, false, 2, true),
                 part = told(arena, true, true, 5, false),
                 most = told(arena, true, false, PLAN_MOST_EFFORT, false);

  expect_told(&whole, "takes too many steps; --effort=4 allows more");
  expect_told(&changed, "; --effort=8 allows more");
  expect_told(&part, "; --effort=20 allows more");
  expect_told(&most, "its indices are too complex");
}

static void test_others_stay(void **state)
{
  struct arena *arena = *state;
  struct remarks within = told(arena, false, false, 1, false),
                 found = told(arena, true, true, 1, true); /* all that was cut was in vain */

  assert_int_equal(within.items.count, 3);
  assert_int_equal(within.decisions.count, 3);
  assert_string_equal(within.items.items[2].text, "untrue");
  assert_int_equal(found.items.count, 2);
  assert_string_equal(found.items.items[0].text, "true");
}

/* The plan stands as a better one was cut: none of its refusals is sure. */
static void test_refusals_of_a_plan_in_doubt(void **state)
{
  struct arena *arena = *state;
  struct kernel_facts facts = {.kernel = &kernel};
  struct remarks remarks = {0};

  budget_begin(9000, 90000, 1);
  budget_begin_kernel();
  isl_ctx *ctx = budget_new_ctx(300000);
  add(arena, &remarks, DIAG_NOT_MAPPED, "may overlap");
  add(arena, &remarks, DIAG_MAPPED, "found");
  use_up(ctx);
  unfinished_doubt(&remarks);
  unfinished_tell(arena, &facts, 1, true, &remarks);
  budget_free_ctx(ctx);
  budget_end_kernel();
  budget_end();
  assert_int_equal(remarks.items.count, 2);
  assert_int_equal(remarks.items.items[0].id, DIAG_UNFINISHED);
  assert_string_equal(remarks.items.items[1].text, "found");
  assert_int_equal(remarks.decisions.count, 2);
  assert_true(remarks.decisions.items[1].taken);
}

static int set_up(void **state)
{
  kernel.name_place = name;
  return *state = arena_create(), 0;
}

static int tear_down(void **state) { return arena_destroy(*state), 0; }

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_end_is_the_first_reason),
      cmocka_unit_test(test_others_stay),
      cmocka_unit_test(test_refusals_of_a_plan_in_doubt),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
