/* SPDX-License-Identifier: MIT */
/* codegen_edits.c - tests of the edit list, of the tokenizer of codegen and of pragmas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "codegen/text/source.h"
#include "translator/base/scan.h"

struct fixture {
  struct arena *arena;
  struct edits edits;
  struct text out;
};

static int setup(void **state)
{
  struct fixture *f = test_calloc(1, sizeof *f);
  f->arena = f->edits.arena = arena_create();
  *state = f;
  return 0;
}

static int teardown(void **state)
{
  struct fixture *f = *state;
  text_finish(&f->out);
  arena_destroy(f->arena);
  test_free(f);
  return 0;
}

static void check(struct fixture *f, const char *text, const char *expected)
{
  assert_int_equal(edits_apply(&f->edits, text, strlen(text), &f->out), 0);
  assert_string_equal(text_string(&f->out), expected);
}

static void no_edit_is_the_text(void **state) { check(*state, "a\r\nb", "a\r\nb"); }

static void replacements_in_any_order(void **state)
{
  struct fixture *f = *state;
  edit_replace(&f->edits, 4, 5, "E");
  edit_delete(&f->edits, 0, 2);
  edit_insert(&f->edits, 3, "+");
  check(f, "abcdef", "c+dEf");
}

static void wraps_nest(void **state)
{
  struct fixture *f = *state;
  edit_wrap(&f->edits, 2, 3, "<", ">");
  edit_wrap(&f->edits, 0, 3, "{", "}");
  edit_wrap(&f->edits, 2, 3, "(", ")"); /* equal ranges: the first is outside */
  check(f, "abcd", "{ab<(c)>}d");
}

static void wraps_that_touch(void **state)
{
  struct fixture *f = *state;
  edit_wrap(&f->edits, 1, 2, "(", ")");
  edit_wrap(&f->edits, 0, 1, "<", ">");
  edit_insert(&f->edits, 1, "|");
  check(f, "ab", "<a>|(b)");
}

static void wrap_around_replacement(void **state)
{
  struct fixture *f = *state;
  edit_replace(&f->edits, 1, 2, "X");
  edit_wrap(&f->edits, 1, 2, "(", ")");
  check(f, "abc", "a(X)c");
}

static void overlap_is_an_error(void **state)
{
  struct fixture *f = *state;
  edit_replace(&f->edits, 0, 3, "x");
  edit_insert(&f->edits, 1, "y");
  assert_int_equal(edits_apply(&f->edits, "abcd", 4, &f->out), -1);
  assert_int_equal(f->out.length, 0);
}

static void range_behind_the_text_is_an_error(void **state)
{
  struct fixture *f = *state;
  edit_delete(&f->edits, 3, 9);
  assert_int_equal(edits_apply(&f->edits, "abcd", 4, &f->out), -1);
}

static void tokens_skip_comments_and_directives(void **state)
{
  (void)state;
  const char *text =
      "a/* b */\n# define c \\\n d\n  // e\n::f 'g' \"h\\\"i\" R\"(j\")\" 1.5e+3f->k";
  static const char *const expected[] = {"a",          "::",      "f",  "'g'", "\"h\\\"i\"",
                                         "R\"(j\")\"", "1.5e+3f", "->", "k"};
  unsigned at = 0, end = (unsigned)strlen(text);
  for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
    struct token token = scan_token(text, at, end);
    assert_true(token_is(text, token, expected[i]));
    at = token.end;
  }
  assert_int_equal(scan_token(text, at, end).kind, TOKEN_END);
}

/* The tokens of a text that ends anywhere, also within a token. */
static void tokens_at_the_edges(void **state)
{
  struct fixture *f = *state;
  static const struct {
    const char *text, *tokens;
  } cases[] = {{"a\\\r\nb c", "a\\\r\nb|c"},
               {"a\\\rb", "a\\\rb"},
               {"a \\\r", "a"},
               {"x\\", "x|\\"},
               {"#define a", ""},
               {" \t# if 1\nb", "b"},
               {"a # b", "a|#|b"},
               {"a\n \t#c", "a"},
               {"a /", "a|/"},
               {"a / b", "a|/|b"},
               {"a /* b", "a"},
               {"a /* b *", "a"},
               {"a /* * / */ b", "a|b"},
               {"a // b \\\n c\nd", "a|d"},
               {"a // b", "a"},
               {"'a", "'a"},
               {"\"a\nb", "\"a\n|b"},
               {"'\\", "'\\"},
               {"R\"x(a)\" )y\" )x\" b", "R\"x(a)\" )y\" )x\"|b"},
               {"R\"(a", "R\"(a"},
               {"R\"ab", "R\"ab"},
               {"R\"a(b)a", "R\"a(b)a"},
               {"u8\"a\"", "u8|\"a\""},
               {"1'000.5e-3 1-2", "1'000.5e-3|1|-|2"},
               {"0x1p+3+4", "0x1p+3|+|4"},
               {"1\\\n2", "1\\\n2"},
               {"a:b", "a|:|b"},
               {"[[a", "[[|a"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text = cases[i].text;
    unsigned end = (unsigned)strlen(text);
    f->out.length = 0;
    for (struct token t = scan_token(text, 0, end); t.kind != TOKEN_END;
         t = scan_token(text, t.end, end)) {
      if (f->out.length) text_add(&f->out, "|");
      text_add_bytes(&f->out, text + t.begin, t.end - t.begin);
    }
    assert_string_equal(f->out.length ? text_string(&f->out) : "", cases[i].tokens);
  }
}

static void one_line_drops_comments(void **state)
{
  struct fixture *f = *state;
  const char *text = "{ 1, // one\n  2 /* two */ }", *directive = "{\n#include \"x\"\n}";
  assert_string_equal(scan_one_line(f->arena, text, 0, (unsigned)strlen(text)), "{ 1, 2 }");
  assert_null(scan_one_line(f->arena, directive, 0, (unsigned)strlen(directive)));
  assert_string_equal(scan_one_line(f->arena, "/* # */ a # b // c", 0, 18), "a # b");
  assert_string_equal(scan_one_line(f->arena, "  a  ", 1, 4), " a ");
}

/* ---- pragmas in front of a statement, which begins at the @ ---- */

static const struct {
  const char *text;
  enum pragma_kind kind;
  unsigned begin; /* of the first that governs; where there is none the statement's */
} pragmas[] = {
    {"@x;", PRAGMA_NONE, 0},
    {"  @x;", PRAGMA_NONE, 2},
    {"y;\n@x;", PRAGMA_NONE, 3},
    {"y; @x;", PRAGMA_NONE, 3},
    {"#pragma omp parallel for\n@x;", PRAGMA_GOVERNS, 0},
    {"#pragma omp parallel for\r\n\t\f @x;", PRAGMA_GOVERNS, 0},
    {"y;\n  #  pragma acc parallel\n\n  // why\n@x;", PRAGMA_GOVERNS, 3},
    {"#pragma omp parallel \\\n  for\n@x;", PRAGMA_GOVERNS, 0},
    {"#pragma omp parallel \\\r\n  for\r\n@x;", PRAGMA_GOVERNS, 0},
    {"\n#pragma omp parallel\n#pragma omp for\n@x;", PRAGMA_GOVERNS, 1},
    {"#pragma omp barrier\n@x;", PRAGMA_NONE, 20},
    {"#pragma omp section\n@x;", PRAGMA_SECTION, 20},
    {"#pragma omp section\n#pragma omp simd\n@x;", PRAGMA_GOVERNS, 20},
    {"#pragma unroll 4\n@x;", PRAGMA_GOVERNS, 0},
    {"#pragma NOVECTOR_of_a_name_that_is_long\n@x;", PRAGMA_NONE, 40},
    {"#pragma GCC ivdep\n@x;", PRAGMA_GOVERNS, 0},
    {"#pragma clang diagnostic\n@x;", PRAGMA_NONE, 25},
    {"#pragma my_own loop\n@x;", PRAGMA_NONE, 20},
    {"#pragma [x]\n@x;", PRAGMA_NONE, 12},
    {"#pragma {x}\n@x;", PRAGMA_NONE, 12},
    {"#include <x>\n@x;", PRAGMA_NONE, 13},
    {"#ifdef unroll\n@x;", PRAGMA_NONE, 14},
    {"#if unroll\n@x;", PRAGMA_NONE, 11},
};

static void pragmas_of_a_statement(void **state)
{
  (void)state;
  for (unsigned i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
    unsigned begin, at = (unsigned)strcspn(pragmas[i].text, "@");
    enum pragma_kind kind = pragma_before(pragmas[i].text, at, &begin);
    if (kind != pragmas[i].kind || begin != pragmas[i].begin)
      fail_msg("kind %d, from %u: %s", (int)kind, begin, pragmas[i].text);
  }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(no_edit_is_the_text),
                                     TEST(replacements_in_any_order),
                                     TEST(wraps_nest),
                                     TEST(wraps_that_touch),
                                     TEST(wrap_around_replacement),
                                     TEST(overlap_is_an_error),
                                     TEST(range_behind_the_text_is_an_error),
                                     TEST(tokens_skip_comments_and_directives),
                                     TEST(tokens_at_the_edges),
                                     TEST(one_line_drops_comments),
                                     cmocka_unit_test(pragmas_of_a_statement)};
  return cmocka_run_group_tests_name("codegen_edits", tests, NULL, NULL);
}
