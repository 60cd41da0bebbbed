/* SPDX-License-Identifier: MIT */
/* analysis_kernel.c - plans of hand-built kernels: the published outcomes and the rules of
 * correctness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <isl/options.h>

#include "testsuite/unit/analysis_ir.h"

static void plan(struct builder *b, const struct kernel_facts *facts, uint64_t c,
                 struct kernel_plan *ret)
{
  struct effects effects;
  struct stager stager = {.unit = b->unit};
  struct plan_options options = {.level = PLAN_O1, .shared_memory = c};

  memset(ret, 0, sizeof *ret);
  effects_init(&effects, b->unit);
  plan_kernel(&effects, &stager, facts, &options, ret);
}

static void assert_contains(const struct text *text, const char *wanted)
{
  if (!strstr(text_string(text), wanted)) fail_msg("no \"%s\" in:\n%s", wanted, text_string(text));
}

static void done(struct builder *b, struct kernel_plan *plan)
{
  kernel_plan_finish(plan);
  arena_destroy(b->arena);
}

/* ---- the published outcomes ---- */

static void build_matmul(struct builder *b, int64_t n)
{
  build_begin(b, "transpose");
  struct ir_type *rows = make_pointer(b, make_array(b, b->type_int, n));
  struct ir_var *a = make_var(b, IR_VAR_PARAM, "a", rows),
                *bb = make_var(b, IR_VAR_PARAM, "b", rows);
  struct ir_var *c = make_var(b, IR_VAR_PARAM, "c", rows),
                *k = make_var(b, IR_VAR_LOCAL, "k", b->type_int);
  struct ir_var *row = make_var(b, IR_VAR_LOCAL, "row", b->type_int),
                *col = make_var(b, IR_VAR_LOCAL, "col", b->type_int);
#define C_ELEMENT at(b, at(b, use(b, c), use(b, row)), use(b, col))
  struct ir_expr *product = binary(b, IR_OP_MUL, at(b, at(b, use(b, a), use(b, row)), use(b, k)),
                                   at(b, at(b, use(b, bb), use(b, k)), use(b, col)));
  build_end(
      b,
      (struct ir_stmt *[]){
          declare(b, k, NULL),
          declare(b, row, global_id(b, 1)),
          declare(b, col, global_id(b, 0)),
          run(b, assign(b, IR_OP_ASSIGN, C_ELEMENT, num(b, 0))),
          loop(b, k, num(b, 0), num(b, n), run(b, assign(b, IR_OP_ADD_ASSIGN, C_ELEMENT, product))),
      },
      5);
#undef C_ELEMENT
}

static void test_matmul(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_matmul(&b, 1024);
  struct kernel_facts facts = make_facts(&b, 128, 8, 1024);
  for (unsigned i = 0; i < 3; i++) bind(&facts, i, 1024 * 1024 * 4);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 2);
  assert_string_equal(p.stages[0].array->name, "c");
  assert_int_equal(p.stages[0].dims[0].size, 1);
  assert_int_equal(p.stages[0].dims[1].size, 128);
  assert_true(!p.stages[0].load && p.stages[0].store && !p.stages[0].load_guard &&
              !p.stages[0].store_guard); /* it is written before it is read */
  assert_string_equal(p.stages[1].array->name, "a");
  assert_int_equal(p.stages[1].dims[1].size, 1024);
  assert_true(p.stages[1].load && !p.stages[1].store);
  assert_int_equal(p.bytes, 512 + 4096);
  assert_contains(&p.plan, "plan stage a 4096 bytes 0.25 per byte");
  assert_contains(&p.plan, "plan skip b: 524288 bytes do not fit 44544");
  assert_contains(&p.plan, "index [threadIdx.y][threadIdx.x]");
  assert_contains(&p.plan, "index [threadIdx.y][k]");
  done(&b, &p);
}

static void test_matmul_capacity(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_matmul(&b, 1024);
  struct kernel_facts facts = make_facts(&b, 128, 8, 1024);
  for (unsigned i = 0; i < 3; i++) bind(&facts, i, 1024 * 1024 * 4);
  plan(&b, &facts, 4096, &p); /* c takes 512, a no longer fits */
  assert_int_equal(p.stage_count, 1);
  assert_string_equal(p.stages[0].array->name, "c");
  done(&b, &p);
}

/* v[i] = u[i - 1] + u[i + 1] if (i > 0 && i < n - 1); n a constant or a parameter */
static void build_dif(struct builder *b, int64_t n)
{
  build_begin(b, "dif");
  struct ir_type *pointer = make_pointer(b, b->type_float);
  struct ir_var *u = make_var(b, IR_VAR_PARAM, "u", pointer),
                *v = make_var(b, IR_VAR_PARAM, "v", pointer);
  struct ir_var *size = n ? NULL : make_var(b, IR_VAR_PARAM, "n", b->type_int);
  struct ir_var *i = make_var(b, IR_VAR_LOCAL, "i", b->type_int);
  struct ir_expr *last = binary(b, IR_OP_SUB, n ? num(b, n) : use(b, size), num(b, 1));
  struct ir_expr *inside = binary(b, IR_OP_LAND, binary(b, IR_OP_GT, use(b, i), num(b, 0)),
                                  binary(b, IR_OP_LT, use(b, i), last));
  struct ir_expr *sum =
      binary(b, IR_OP_ADD, at(b, use(b, u), binary(b, IR_OP_SUB, use(b, i), num(b, 1))),
             at(b, use(b, u), binary(b, IR_OP_ADD, use(b, i), num(b, 1))));
  build_end(b,
            (struct ir_stmt *[]){
                declare(b, i, global_id(b, 0)),
                when(b, inside, run(b, assign(b, IR_OP_ASSIGN, at(b, use(b, v), use(b, i)), sum))),
            },
            2);
}

static void test_dif(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_dif(&b, 1000);
  struct kernel_facts facts = make_facts(&b, 128, 8, 1);
  bind(&facts, 0, 4000);
  bind(&facts, 1, 4000);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 2);
  assert_string_equal(p.stages[0].array->name, "u");
  assert_int_equal(p.stages[0].dims[0].size, 130);
  assert_non_null(p.stages[0].load_guard); /* clipped to the extent */
  assert_int_equal(p.stages[1].dims[0].size, 128);
  assert_false(p.stages[1].load);
  assert_non_null(p.stages[1].store_guard); /* not the ends */
  done(&b, &p);
}

/* Nothing known of the objects but that they differ: only what is surely read is loaded. */
static void test_dif_raw(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_dif(&b, 0);
  struct kernel_facts facts = make_facts(&b, 128, -1, 1);
  bind(&facts, 0, -1);
  bind(&facts, 1, -1);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 2);
  assert_non_null(p.stages[0].load_guard);
  assert_contains(&p.plan, "n");
  done(&b, &p);
}

/* ---- rules ---- */

static void test_alias(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_dif(&b, 1000);
  struct kernel_facts facts = make_facts(&b, 128, 8, 1);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 0);
  assert_contains(&p.plan, "plan skip u: 'v' may overlap it");
  done(&b, &p);
}

/* a[threadIdx.x] = 0: every block writes the same elements */
static void test_blocks_meet(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  for (int64_t blocks = 1; blocks <= 2; blocks++) {
    build_begin(&b, "k");
    struct ir_var *a = make_var(&b, IR_VAR_PARAM, "a", make_pointer(&b, b.type_float));
    build_end(&b,
              (struct ir_stmt *[]){
                  run(&b, assign(&b, IR_OP_ADD_ASSIGN,
                                 at(&b, use(&b, a), builtin(&b, IR_THREAD_IDX)), num(&b, 1)))},
              1);
    struct kernel_facts facts = make_facts(&b, 32, blocks, 1);
    plan(&b, &facts, 49152, &p);
    assert_int_equal(p.stage_count, blocks == 1);
    if (blocks == 2)
      assert_contains(&p.plan, "another block may read or write what a block writes");
    done(&b, &p);
  }
}

/* if (i >= n) return; __syncthreads(); a[i] += 1: no barrier can stand at the tail */
static void test_return_before_barrier(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_begin(&b, "k");
  struct ir_var *a = make_var(&b, IR_VAR_PARAM, "a", make_pointer(&b, b.type_float));
  struct ir_var *n = make_var(&b, IR_VAR_PARAM, "n", b.type_int),
                *i = make_var(&b, IR_VAR_LOCAL, "i", b.type_int);
  struct ir_expr *barrier = make_expr(&b, IR_EXPR_CALL, b.type_void, NULL, NULL);
  barrier->text = "__syncthreads";
  barrier->effect = IR_EFFECT_BARRIER;
  build_end(
      &b,
      (struct ir_stmt *[]){
          declare(&b, i, global_id(&b, 0)),
          when(&b, binary(&b, IR_OP_GE, use(&b, i), use(&b, n)), make_stmt(&b, IR_STMT_RETURN)),
          run(&b, barrier),
          run(&b, assign(&b, IR_OP_ADD_ASSIGN, at(&b, use(&b, a), use(&b, i)), num(&b, 1))),
      },
      4);
  struct kernel_facts facts = make_facts(&b, 32, 4, 1);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 0);
  assert_contains(&p.plan, "threads that return early");
  done(&b, &p);
}

/* a[b[i]] = 0: where a block writes is not known */
static void test_scatter(void **state)
{
  struct builder b;
  struct kernel_plan p;
  (void)state;

  build_begin(&b, "k");
  struct ir_var *a = make_var(&b, IR_VAR_PARAM, "a", make_pointer(&b, b.type_float));
  struct ir_var *t = make_var(&b, IR_VAR_PARAM, "t", make_pointer(&b, b.type_int));
  build_end(&b,
            (struct ir_stmt *[]){run(
                &b, assign(&b, IR_OP_ASSIGN,
                           at(&b, use(&b, a), at(&b, use(&b, t), global_id(&b, 0))), num(&b, 0)))},
            1);
  struct kernel_facts facts = make_facts(&b, 32, 4, 1);
  bind(&facts, 0, 512);
  bind(&facts, 1, 512);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 1);
  assert_string_equal(p.stages[0].array->name, "t");
  assert_contains(&p.plan, "plan skip a: another block may");
  done(&b, &p);
}

/* Thirty branches over a nest of divisions must not hang. */
static void test_complex(void **state)
{
  struct builder b;
  struct kernel_plan p;
  struct ir_stmt *stmts[64];
  unsigned count = 0;
  (void)state;

  build_begin(&b, "k");
  struct ir_var *a = make_var(&b, IR_VAR_PARAM, "a", make_pointer(&b, b.type_float));
  struct ir_var *n = make_var(&b, IR_VAR_PARAM, "n", b.type_int),
                *i = make_var(&b, IR_VAR_LOCAL, "i", b.type_int);
  stmts[count++] = declare(&b, i, global_id(&b, 0));
  for (int64_t s = 2; s < 32; s++) {
    struct ir_expr *test =
        binary(&b, IR_OP_LT, binary(&b, IR_OP_REM, use(&b, i), num(&b, s * 7 + 1)), use(&b, n));
    struct ir_expr *next = binary(&b, IR_OP_DIV, binary(&b, IR_OP_MUL, use(&b, i), num(&b, s + 3)),
                                  num(&b, s * 2 + 1));
    stmts[count++] = when(&b, test, run(&b, assign(&b, IR_OP_ASSIGN, use(&b, i), next)));
  }
  stmts[count++] = run(&b, assign(&b, IR_OP_ASSIGN, at(&b, use(&b, a), use(&b, i)), num(&b, 0)));
  build_end(&b, stmts, count);
  struct kernel_facts facts = make_facts(&b, 32, 4, 1);
  plan(&b, &facts, 49152, &p);
  assert_int_equal(p.stage_count, 0);
  done(&b, &p);
}

/* ---- values ---- */

static int64_t constant(struct value value)
{
  int64_t result = -999;

  assert_true(value_constant(&value, &result));
  value_free(&value);
  return result;
}

static void test_division(void **state)
{
  struct builder b;
  (void)state;

  build_begin(&b, "k");
  build_end(&b, NULL, 0);
  struct kernel_facts facts = make_facts(&b, 32, 4, 1);
  struct symbols symbols;
  isl_ctx *ctx = isl_ctx_alloc();
  symbols_init(&symbols, ctx, b.arena, &facts);
  for (int64_t a = -9; a <= 9; a++)
    for (int64_t by = 1; by <= 5; by++) {
      int64_t floor = (a - ((a % by) + by) % by) / by;
      assert_int_equal(constant(value_div(value_take(symbols_constant(&symbols, a)), by, false)),
                       a / by);
      assert_int_equal(constant(value_rem(value_take(symbols_constant(&symbols, a)), by, false)),
                       a % by);
      assert_int_equal(constant(value_floor_div(value_take(symbols_constant(&symbols, a)), by)),
                       floor);
      assert_int_equal(constant(value_mod(value_take(symbols_constant(&symbols, a)), by)),
                       a - floor * by);
    }
  symbols_finish(&symbols);
  isl_options_set_on_error(ctx, ISL_ON_ERROR_ABORT); /* a reference that is left ends the test */
  isl_ctx_free(ctx);
  arena_destroy(b.arena);
}

/* { : first <= symbol <= last } */
static isl_set *between(struct symbols *symbols, const struct symbol *symbol, int first, int last)
{
  isl_pw_aff *self = symbol_aff(symbols, symbol);
  isl_set *above = isl_pw_aff_ge_set(isl_pw_aff_copy(self), symbols_constant(symbols, first));

  return isl_set_intersect(above, isl_pw_aff_le_set(self, symbols_constant(symbols, last)));
}

static void expect_closed(struct symbols *symbols, isl_set *set, isl_set *wanted)
{
  isl_set *closed = symbols_close(symbols, set);

  assert_true(isl_set_is_equal(closed, wanted));
  isl_set_free(closed);
  isl_set_free(wanted);
}

/* Bounds are put into every set about a symbol, and those that it gets later, too. */
static void test_close(void **state)
{
  struct builder b;
  (void)state;

  build_begin(&b, "k");
  build_end(&b, NULL, 0);
  struct kernel_facts facts = make_facts(&b, 32, 4, 1);
  struct symbols symbols;
  isl_ctx *ctx = isl_ctx_alloc();
  symbols_init(&symbols, ctx, b.arena, &facts);
  struct symbol *s =
      symbol_new_unknown(&symbols, isl_val_int_from_si(ctx, 0), isl_val_int_from_si(ctx, 9));
  struct symbol *t =
      symbol_new_unknown(&symbols, isl_val_int_from_si(ctx, 2), isl_val_int_from_si(ctx, 4));
  expect_closed(&symbols, between(&symbols, s, 3, 20), between(&symbols, s, 3, 9));
  expect_closed(&symbols, between(&symbols, t, 3, 20), between(&symbols, t, 3, 4));
  expect_closed(&symbols, between(&symbols, s, 5, 20), between(&symbols, s, 5, 9));
  s->bounds = isl_set_intersect(s->bounds, between(&symbols, s, 0, 7));
  expect_closed(&symbols, between(&symbols, s, 3, 20), between(&symbols, s, 3, 7));
  symbols_finish(&symbols);
  isl_options_set_on_error(ctx, ISL_ON_ERROR_ABORT);
  isl_ctx_free(ctx);
  arena_destroy(b.arena);
}

/* Everything isl is given back: freeing the context aborts otherwise. */
static void test_references(void **state)
{
  struct builder b;
  (void)state;

  build_dif(&b, 0);
  struct kernel_facts facts = make_facts(&b, 128, -1, 1);
  struct symbols symbols;
  struct kernel_access access;
  struct effects effects;
  isl_ctx *ctx = isl_ctx_alloc();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_ABORT);
  effects_init(&effects, b.unit);
  symbols_init(&symbols, ctx, b.arena, &facts);
  access_collect(&effects, &symbols, &access);
  for (unsigned i = 0; i < access.arrays.count; i++) {
    struct candidate c = {.array = access.arrays.items[i]};
    candidate_shape(&symbols, &c, true);
    candidate_footprint(&symbols, &c);
    candidate_range(&symbols, &c);
    candidate_legal(&symbols, &access, &c);
    candidate_finish(&c);
  }
  kernel_access_finish(&access);
  symbols_finish(&symbols);
  isl_ctx_free(ctx);
  arena_destroy(b.arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matmul),
      cmocka_unit_test(test_matmul_capacity),
      cmocka_unit_test(test_dif),
      cmocka_unit_test(test_dif_raw),
      cmocka_unit_test(test_alias),
      cmocka_unit_test(test_blocks_meet),
      cmocka_unit_test(test_return_before_barrier),
      cmocka_unit_test(test_scatter),
      cmocka_unit_test(test_complex),
      cmocka_unit_test(test_division),
      cmocka_unit_test(test_close),
      cmocka_unit_test(test_references),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
