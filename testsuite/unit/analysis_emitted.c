/* SPDX-License-Identifier: MIT */
/* analysis_emitted.c - wrong code of each kind, built by hand: the check of emitted code finds
 * it, and nothing in the right code beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/plan/verify/emitted.h"
#include "testsuite/unit/analysis_ir.h"

struct made { /* code for a user's kernel k(float *a, int n), blocks of `threads` */
  struct builder b;
  struct ir_function user;
  struct effects effects;
  struct emitted_code code;
  struct emitted_report report;
  struct ir_var *a, *n, *copy, *t;
};

static void begin(struct made *m, int64_t elements)
{
  struct builder *b = &m->b;

  memset(m, 0, sizeof *m);
  build_begin(b, "k");
  m->a = make_var(b, IR_VAR_PARAM, "a", make_pointer(b, b->type_float));
  m->n = make_var(b, IR_VAR_PARAM, "n", b->type_int);
  m->user = *b->function;
  m->user.vars = arena_alloc(b->arena, 2 * sizeof *m->user.vars);
  memcpy(m->user.vars, b->function->vars, 2 * sizeof *m->user.vars);
  m->copy = make_var(b, IR_VAR_SHARED, "_s_a", make_array(b, b->type_float, elements));
  m->copy->alignment = 16;
  m->t = make_var(b, IR_VAR_LOCAL, "_t", b->type_int);
}

static struct ir_expr *thread(struct made *m)
{
  return convert(&m->b, m->b.type_int, builtin(&m->b, IR_THREAD_IDX));
}

static struct ir_expr *made(struct ir_expr *expr) /* by a transformation: it has no place */
{
  expr->place.line = 0;
  return expr;
}

static struct ir_expr *call(struct made *m, const char *name, enum ir_effect effect,
                            struct ir_expr *first, struct ir_expr *second)
{
  struct ir_expr *expr = made(make_expr(&m->b, IR_EXPR_CALL, m->b.type_void, first, second));

  expr->text = name;
  expr->effect = effect;
  return expr;
}

static struct ir_expr *address(struct made *m, struct ir_expr *element)
{
  struct ir_expr *expr =
      make_expr(&m->b, IR_EXPR_UNARY, make_pointer(&m->b, m->b.type_float), element, NULL);

  expr->op = IR_OP_ADDRESS;
  return expr;
}

/* The body: the copy, `_t = threadIdx.x`, then these statements. */
static const struct emitted_report *check(struct made *m, int64_t threads,
                                          struct ir_stmt *const *stmts, unsigned count)
{
  struct ir_stmt *all[8] = {declare(&m->b, m->copy, NULL), declare(&m->b, m->t, thread(m))};

  memcpy(all + 2, stmts, count * sizeof *stmts);
  build_end(&m->b, all, count + 2);
  effects_init(&m->effects, m->b.unit);
  m->code = (struct emitted_code){.code = m->b.function,
                                  .kernel = &m->user,
                                  .facts = make_facts(&m->b, threads, -1, -1),
                                  .stages = m->code.stages,
                                  .staged_bytes = m->code.staged_bytes,
                                  .dynamic = m->code.dynamic};
  emitted_check_code(m->b.unit, &m->effects, 70, &m->code, &m->report);
  return &m->report;
}

static void found(struct made *m, const char *wanted)
{
  if (!wanted && m->report.findings.count) fail_msg("found: %s", m->report.findings.items[0].text);
  if (wanted &&
      (m->report.findings.count != 1 || !strstr(m->report.findings.items[0].text, wanted)))
    fail_msg("not found: %s (%s)", wanted,
             m->report.findings.count ? m->report.findings.items[0].text : "nothing is");
  arena_destroy(m->b.arena);
}

#define CHECK(m, threads, ...) \
  check(m, threads, (struct ir_stmt *[]){__VA_ARGS__}, \
        sizeof((struct ir_stmt *[]){__VA_ARGS__}) / sizeof(struct ir_stmt *))

/* ---- a: indices ---- */

static void test_index(void **state)
{
  struct made m;
  (void)state;

  for (int64_t elements = 127; elements <= 128; elements++) {
    begin(&m, elements);
    CHECK(&m, 128,
          run(&m.b, assign(&m.b, IR_OP_ASSIGN, at(&m.b, use(&m.b, m.copy), use(&m.b, m.t)),
                           num(&m.b, 0))));
    assert_int_equal(m.report.indices.all, 1);
    assert_int_equal(m.report.indices.proved, elements == 128);
    found(&m, elements == 128 ? NULL : "the index leaves '_s_a'");
  }
}

/* What the launch's argument decides, or a value that is not known, is no finding. */
static void test_index_untold(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 128);
  CHECK(&m, 128,
        run(&m.b,
            assign(&m.b, IR_OP_ASSIGN, at(&m.b, use(&m.b, m.copy), use(&m.b, m.n)), num(&m.b, 0))));
  assert_int_equal(m.report.indices.all, 1);
  assert_int_equal(m.report.indices.proved, 0);
  found(&m, NULL);
}

/* ---- b: alignment ---- */

static struct ir_stmt *copy_wide(struct made *m, int64_t factor, int64_t more)
{
  struct builder *b = &m->b;
  struct ir_expr *to = binary(b, IR_OP_MUL, use(b, m->t), num(b, 4));
  struct ir_expr *from =
      binary(b, IR_OP_ADD, binary(b, IR_OP_MUL, use(b, m->t), num(b, factor)), num(b, more));

  return run(b,
             call(m, "mesi_copy_async<16>", IR_EFFECT_NONE, address(m, at(b, use(b, m->copy), to)),
                  address(m, at(b, use(b, m->a), from))));
}

static void test_alignment(void **state)
{
  static const struct {
    int64_t factor, more;
    bool bound;
    const char *wanted;
  } cases[] = {
      {4, 0, true, NULL},
      {4, 8, true, NULL},
      {4, 2, true, "where it is not aligned"},
      {2, 0, true, "where it is not aligned"},
      {4, 0, false, "nothing says that it is aligned"},
  };
  (void)state;

  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct made m;
    begin(&m, 512);
    if (!cases[i].bound) {
      CHECK(&m, 128, copy_wide(&m, cases[i].factor, cases[i].more));
    } else {
      m.a->type = make_pointer(&m.b, make_type(&m.b, IR_TYPE_FLOAT, "float", 4, true));
      ((struct ir_type *)m.a->type->element)->align =
          16; /* as a launch's facts say of the object */
      CHECK(&m, 128, copy_wide(&m, cases[i].factor, cases[i].more));
    }
    assert_int_equal(m.report.vectors.all, 2);
    assert_int_equal(m.report.vectors.proved, cases[i].wanted ? 1 : 2);
    assert_int_equal(m.report.indices.proved, 1);
    found(&m, cases[i].wanted);
  }
}

/* The copy's rows are too short for its last 16 bytes. */
static void test_wide_end(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 510);
  m.a->alignment = 16;
  m.a->kind = IR_VAR_PARAM;
  CHECK(&m, 128,
        run(&m.b, call(&m, "mesi_vector_store", IR_EFFECT_NONE,
                       address(&m, at(&m.b, use(&m.b, m.copy),
                                      binary(&m.b, IR_OP_MUL, use(&m.b, m.t), num(&m.b, 4)))),
                       address(&m, at(&m.b, use(&m.b, m.copy),
                                      binary(&m.b, IR_OP_MUL, use(&m.b, m.t), num(&m.b, 4)))))));
  assert_int_equal(m.report.indices.all, 2);
  found(&m, "the index leaves '_s_a'");
}

/* ---- c: barriers ---- */

static struct ir_expr *barrier(struct made *m)
{
  return call(m, "__syncthreads", IR_EFFECT_BARRIER, NULL, NULL);
}

static struct ir_expr *below(struct made *m, struct ir_var *var, int64_t bound)
{
  return binary(&m->b, IR_OP_LT, use(&m->b, var), num(&m->b, bound));
}

static void test_barrier(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 128);
  CHECK(&m, 128, when(&m.b, below(&m, m.t, 100), run(&m.b, barrier(&m))));
  found(&m, "some threads of a block do not come");

  begin(&m, 128);
  CHECK(&m, 128, when(&m.b, below(&m, m.n, 100), run(&m.b, barrier(&m))));
  assert_int_equal(m.report.barriers.proved, 1);
  found(&m, NULL);

  begin(&m, 128);
  CHECK(&m, 128, when(&m.b, below(&m, m.t, 128), run(&m.b, barrier(&m)))); /* that is all of them */
  assert_int_equal(m.report.barriers.proved, 1);
  found(&m, NULL);
}

static void test_barrier_behind_return(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 128);
  CHECK(&m, 128, when(&m.b, below(&m, m.t, 7), make_stmt(&m.b, IR_STMT_RETURN)),
        run(&m.b, barrier(&m)));
  found(&m, "some threads of a block do not come");

  begin(&m, 128);
  CHECK(&m, 128, when(&m.b, below(&m, m.n, 7), make_stmt(&m.b, IR_STMT_RETURN)),
        run(&m.b, barrier(&m)));
  assert_int_equal(m.report.barriers.proved, 1);
  found(&m, NULL);
}

/* for (k = 0; k < threadIdx.x; k++) __syncthreads(): not proved; for (k = 0; k < n; k++): proved */
static void test_barrier_in_loop(void **state)
{
  struct made m;
  (void)state;

  for (int same = 0; same < 2; same++) {
    begin(&m, 128);
    struct ir_var *k = make_var(&m.b, IR_VAR_LOCAL, "_k", m.b.type_int);
    CHECK(&m, 128,
          loop(&m.b, k, num(&m.b, 0), use(&m.b, same ? m.n : m.t), run(&m.b, barrier(&m))));
    assert_int_equal(m.report.barriers.all, 1);
    assert_int_equal(m.report.barriers.proved, same);
    found(&m, same ? NULL : "nothing says that all threads");
  }
}

/* ---- d: shared memory ---- */

static void test_shared(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 12289); /* 49156 bytes */
  CHECK(&m, 128, run(&m.b, barrier(&m)));
  found(&m, "49156 bytes of shared memory that are not asked for");

  begin(&m, 128);
  m.code.staged_bytes = 98304;
  m.code.dynamic = true;
  CHECK(&m, 128, run(&m.b, barrier(&m)));
  found(&m, "sm_70 has 98304");

  begin(&m, 128);
  m.code.staged_bytes = 98304 - 512;
  m.code.dynamic = true;
  CHECK(&m, 128, run(&m.b, barrier(&m)));
  found(&m, NULL);
}

/* ---- e: operations of warps ---- */

static struct ir_stmt *lanes(struct made *m)
{
  return run(&m->b, call(m, "mesi_lanes<32>", IR_EFFECT_WARP, use(&m->b, m->t), NULL));
}

static void test_warp(void **state)
{
  static const struct {
    int64_t threads, below;
    const char *wanted;
    bool proved;
  } cases[] = {
      {128, 64, NULL, true}, /* whole warps */
      {128, 40, "some of a warp do not come", false},
      {100, 0, "the last warp of a block has 4", false},
      {128, 0, NULL, true},
  };
  (void)state;

  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct made m;
    begin(&m, 128);
    if (cases[i].below)
      CHECK(&m, cases[i].threads, when(&m.b, below(&m, m.t, cases[i].below), lanes(&m)));
    else
      CHECK(&m, cases[i].threads, lanes(&m));
    assert_int_equal(m.report.warps.all, 1);
    assert_int_equal(m.report.warps.proved, cases[i].proved);
    found(&m, cases[i].wanted);
  }
}

/* A lane that has returned is named by the mask all the same. */
static void test_warp_behind_return(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 128);
  CHECK(&m, 128, when(&m.b, below(&m, m.t, 7), make_stmt(&m.b, IR_STMT_RETURN)), lanes(&m));
  found(&m, "some of a warp do not come");
}

/* ---- the IR itself ---- */

static void test_malformed(void **state)
{
  struct made m;
  (void)state;

  begin(&m, 128);
  struct ir_var *k = make_var(&m.b, IR_VAR_LOCAL, "_k", m.b.type_int);
  struct ir_stmt *stmt = loop(&m.b, k, num(&m.b, 0), use(&m.b, m.n), run(&m.b, barrier(&m)));
  stmt->loop->step = 4; /* the increment is k++ */
  CHECK(&m, 128, stmt);
  found(&m, "increment is not its step");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_index),
      cmocka_unit_test(test_index_untold),
      cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_wide_end),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_barrier_behind_return),
      cmocka_unit_test(test_barrier_in_loop),
      cmocka_unit_test(test_shared),
      cmocka_unit_test(test_warp),
      cmocka_unit_test(test_warp_behind_return),
      cmocka_unit_test(test_malformed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
