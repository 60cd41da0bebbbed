/* SPDX-License-Identifier: MIT */
/* analysis_segment.c - segments that a table gives, on a hand-built kernel: what is uniform, what
 * is copied, how threads come together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/transform/segment_stage/strip.h"
#include "analysis/code/converge.h"
#include "testsuite/unit/analysis_ir.h"

/* if (t < 60) for (c = 0; c < 3; c++) for (k = first[c]; k < first[c + 1]; k++) sum += item[k] *
 * t */
struct segments {
  struct builder b;
  struct effects effects;
  struct remarks remarks;
  struct code code;
  struct ir_var *first, *item, *result, *t, *c, *k, *sum;
  struct ir_expr *element;
  struct ir_stmt *nest, *segment;
};

/* The loop declares its iterator. */
static struct ir_stmt *own_iterator(struct builder *b, struct ir_stmt *stmt)
{
  stmt->init = declare(b, stmt->loop->iterator, stmt->loop->lower);
  stmt->loop->declared = true;
  return stmt;
}

/* `unsure`: the body's load stands under a condition. */
static void build_segments(struct segments *r, bool unsure)
{
  struct builder *b = &r->b;

  memset(r, 0, sizeof *r);
  build_begin(b, "segments");
  struct ir_type *ints = make_pointer(b, b->type_int);
  r->first = make_var(b, IR_VAR_PARAM, "first", ints);
  r->item = make_var(b, IR_VAR_PARAM, "item", ints);
  r->result = make_var(b, IR_VAR_PARAM, "result", ints);
  r->t = make_var(b, IR_VAR_LOCAL, "t", b->type_int);
  r->c = make_var(b, IR_VAR_LOCAL, "c", b->type_int);
  r->k = make_var(b, IR_VAR_LOCAL, "k", b->type_int);
  r->sum = make_var(b, IR_VAR_LOCAL, "sum", b->type_int);
  r->element = at(b, use(b, r->item), use(b, r->k));
  struct ir_stmt *add = run(b, assign(b, IR_OP_ADD_ASSIGN, use(b, r->sum),
                                      binary(b, IR_OP_MUL, r->element, use(b, r->t))));
  if (unsure) add = when(b, binary(b, IR_OP_LT, use(b, r->t), num(b, 5)), add);
  r->segment = own_iterator(
      b, loop(b, r->k, at(b, use(b, r->first), use(b, r->c)),
              at(b, use(b, r->first), binary(b, IR_OP_ADD, use(b, r->c), num(b, 1))), add));
  r->nest = own_iterator(b, loop(b, r->c, num(b, 0), num(b, 3), r->segment));
  build_end(
      b,
      (struct ir_stmt *[]){
          declare(b, r->t, convert(b, b->type_int, builtin(b, IR_THREAD_IDX))),
          declare(b, r->sum, num(b, 0)),
          when(b, binary(b, IR_OP_LT, use(b, r->t), num(b, 60)), r->nest),
          run(b, assign(b, IR_OP_ASSIGN, at(b, use(b, r->result), use(b, r->t)), use(b, r->sum))),
      },
      4);
}

/* Objects of `bytes`; 0: of unknown size. */
static void begin_sized(struct segments *r, int64_t bytes)
{
  struct kernel_facts facts = make_facts(&r->b, 64, 1, 1);

  for (unsigned i = 0; i < 3; i++) bind(&facts, i, bytes);
  effects_init(&r->effects, r->b.unit);
  code_init(&r->code, r->b.unit, &r->effects, &facts, &r->remarks);
  code_scan(&r->code);
}

static void begin(struct segments *r) { begin_sized(r, 4096); }

static void end(struct segments *r)
{
  code_finish(&r->code);
  arena_destroy(r->b.arena);
}

static void test_uniform(void **state)
{
  struct segments r;
  struct uniform u;
  (void)state;

  build_segments(&r, false);
  begin(&r);
  uniform_analyze(&r.code, &u);
  assert_true(uniform_var(&u, r.c));
  assert_true(uniform_var(&u, r.k));
  assert_false(uniform_var(&u, r.t));
  assert_false(uniform_var(&u, r.sum));
  assert_true(uniform_expr(&u, r.element));
  assert_true(uniform_loop(&u, r.nest));
  assert_true(uniform_loop(&u, r.segment));
  assert_false(uniform_stmt(&u, r.segment));
  end(&r);
}

static void test_escapes(void **state)
{
  struct segments r;
  struct uniform u;
  (void)state;

  build_segments(&r, false);
  r.c->address_taken = true;
  begin(&r);
  uniform_analyze(&r.code, &u);
  assert_false(uniform_var(&u, r.c));
  assert_false(uniform_loop(&u, r.segment));
  end(&r);
}

static void find_strips(struct segments *r, struct strips *ret)
{
  struct uniform u;

  uniform_analyze(&r->code, &u);
  strip_find(&r->code, &u, ret);
}

static void test_find(void **state)
{
  struct segments r;
  struct strips strips;
  (void)state;

  build_segments(&r, false);
  begin(&r);
  find_strips(&r, &strips);
  assert_int_equal(strips.count, 1);
  const struct strip *strip = &strips.items[0];
  assert_ptr_equal(strip->nest, r.nest);
  assert_ptr_equal(strip->segment, r.segment);
  assert_int_equal(strip->array_count, 1);
  assert_ptr_equal(strip->arrays[0].array->var, r.item);
  assert_int_equal(strip->access_count, 1);
  assert_ptr_equal(strip->accesses[0].expr, r.element);
  assert_int_equal(strip->carried_count, 0);
  end(&r);
}

static void test_unsure(void **state)
{
  struct segments r;
  struct strips strips;
  (void)state;

  build_segments(&r, true);
  begin_sized(&r, 0);
  find_strips(&r, &strips);
  assert_int_equal(strips.count, 0);
  assert_int_equal(r.remarks.items.items[0].id, DIAG_NOT_STAGED);
  end(&r);
}

static void test_guarded(void **state)
{
  struct segments r;
  struct strips strips;
  (void)state;

  build_segments(&r, true);
  begin(&r);
  find_strips(&r, &strips);
  assert_int_equal(strips.count, 1);
  assert_non_null(strips.items[0].arrays[0].guard); /* k >= 0 && k < 1024 */
  assert_int_equal(strips.items[0].arrays[0].guard->op, IR_OP_LAND);
  end(&r);
}

static struct ir_stmt *note_active(struct convergence *c, unsigned target, struct ir_expr *active)
{
  *(struct ir_expr **)c->context = active;
  return c->targets[target];
}

static void test_converge(void **state)
{
  struct segments r;
  struct uniform u;
  struct ir_expr *active = NULL;
  (void)state;

  build_segments(&r, false);
  begin(&r);
  uniform_analyze(&r.code, &u);
  struct convergence c = {.code = &r.code,
                          .uniform = &u,
                          .targets = {r.nest},
                          .target_count = 1,
                          .build = note_active,
                          .context = &active};
  struct ir_stmt *body = converge(&c);
  assert_non_null(body);
  assert_null(c.reason);
  assert_non_null(active);
  assert_int_equal(active->kind, IR_EXPR_VAR);
  /* { const bool _p = t < 60; if (__syncthreads_or(_p)) ... } */
  const struct ir_stmt *branch = body->children[2];
  assert_int_equal(branch->kind, IR_STMT_BLOCK);
  assert_ptr_equal(branch->children[0]->var, active->var);
  assert_int_equal(branch->children[1]->kind, IR_STMT_IF);
  assert_string_equal(branch->children[1]->expr->text, "__syncthreads_or");
  end(&r);
}

static void test_switch(void **state)
{
  struct segments r;
  struct uniform u;
  struct ir_expr *active = NULL;
  (void)state;

  build_segments(&r, false);
  r.b.function->body->children[2]->kind = IR_STMT_SWITCH;
  begin(&r);
  uniform_analyze(&r.code, &u);
  struct convergence c = {.code = &r.code,
                          .uniform = &u,
                          .targets = {r.nest},
                          .target_count = 1,
                          .build = note_active,
                          .context = &active};
  assert_null(converge(&c));
  assert_string_equal(c.reason, "it stands in a switch");
  end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uniform), cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_find),    cmocka_unit_test(test_unsure),
      cmocka_unit_test(test_guarded), cmocka_unit_test(test_converge),
      cmocka_unit_test(test_switch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
