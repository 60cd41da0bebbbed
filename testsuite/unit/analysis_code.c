/* SPDX-License-Identifier: MIT */
/* analysis_code.c - the transformations of -O2 on hand-built kernels: promotion, shape-free
 * kernels, instances, tiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/code/precondition.h"
#include "analysis/mapping/coarsen/coarsen.h"
#include "analysis/transform/promote/promote.h"
#include "analysis/mapping/tile/tile.h"
#include "testsuite/unit/analysis_ir.h"

struct product { /* c[row][col] += a[row][k] * b[k][col] */
  struct builder b;
  struct effects effects;
  struct remarks remarks;
  struct code code;
  struct ir_var *row, *col, *k;
  struct ir_expr *left, *right; /* the two factors */
};

static void build_product(struct product *p, int64_t n)
{
  struct builder *b = &p->b;

  memset(p, 0, sizeof *p);
  build_begin(b, "product");
  struct ir_type *rows = make_pointer(b, make_array(b, b->type_int, n));
  struct ir_var *a = make_var(b, IR_VAR_PARAM, "a", rows),
                *bb = make_var(b, IR_VAR_PARAM, "b", rows);
  struct ir_var *c = make_var(b, IR_VAR_PARAM, "c", rows);
  p->k = make_var(b, IR_VAR_LOCAL, "k", b->type_int);
  p->row = make_var(b, IR_VAR_LOCAL, "row", b->type_int);
  p->col = make_var(b, IR_VAR_LOCAL, "col", b->type_int);
  p->left = at(b, at(b, use(b, a), use(b, p->row)), use(b, p->k));
  p->right = at(b, at(b, use(b, bb), use(b, p->k)), use(b, p->col));
#define C_ELEMENT at(b, at(b, use(b, c), use(b, p->row)), use(b, p->col))
  build_end(b,
            (struct ir_stmt *[]){
                declare(b, p->k, NULL),
                declare(b, p->row, global_id(b, 1)),
                declare(b, p->col, global_id(b, 0)),
                run(b, assign(b, IR_OP_ASSIGN, C_ELEMENT, num(b, 0))),
                loop(b, p->k, num(b, 0), num(b, n),
                     run(b, assign(b, IR_OP_ADD_ASSIGN, C_ELEMENT,
                                   binary(b, IR_OP_MUL, p->left, p->right)))),
            },
            5);
#undef C_ELEMENT
}

static void begin(struct product *p, bool bound)
{
  struct kernel_facts facts = make_facts(&p->b, 128, 2, 256);

  for (unsigned i = 0; i < 3 && bound; i++) bind(&facts, i, 256 * 256 * 4);
  effects_init(&p->effects, p->b.unit);
  code_init(&p->code, p->b.unit, &p->effects, &facts, &p->remarks);
}

static void end(struct product *p)
{
  code_finish(&p->code);
  arena_destroy(p->b.arena);
}

static void test_promote(void **state)
{
  struct product p;
  (void)state;

  build_product(&p, 256);
  begin(&p, true);
  assert_int_equal(promote_registers(&p.code), 1);
  const struct ir_stmt *body = p.code.facts.kernel->body;
  assert_int_equal(body->child_count, 6); /* k, row, col, the register, the loop, the store */
  assert_int_equal(body->children[3]->kind, IR_STMT_DECL);
  assert_string_equal(body->children[3]->var->name, "_r_c");
  assert_int_equal(body->children[5]->kind, IR_STMT_EXPR);
  assert_int_equal(p.remarks.items.items[0].id, DIAG_PROMOTED);
  end(&p);
}

static void test_promote_aliases(void **state)
{
  struct product p;
  (void)state;

  build_product(&p, 256);
  begin(&p, false); /* nothing is known of the pointers */
  assert_int_equal(promote_registers(&p.code), 0);
  assert_int_equal(p.remarks.items.items[0].id, DIAG_NOT_PROMOTED);
  end(&p);
}

static const struct geometry quarter = {{64, 64}, {16, 16}, {4, 4}, 0, false};

static void shape(struct product *p)
{
  struct ir_var *totals[2];
  const char *reason;
  struct ir_place place;

  promote_registers(&p->code);
  assert_true(shape_free(&p->code, &reason, &place));
  assert_true(shape_virtual(&p->code, &quarter, totals, &reason, &place));
  assert_null(totals[0]);
  assert_null(totals[1]);
  assert_int_equal(p->code.facts.block[1], 64);
  assert_int_equal(p->code.facts.grid[0], 4);
}

static void test_instances(void **state)
{
  struct product p;
  struct instances in;
  (void)state;

  build_product(&p, 256);
  begin(&p, true);
  shape(&p);
  instances_analyze(&p.code, &in);
  assert_int_equal(instances_of_var(&in, p.row), INSTANCE_Y);
  assert_int_equal(instances_of_var(&in, p.col), INSTANCE_X);
  assert_int_equal(instances_of_var(&in, p.k), 0);
  assert_int_equal(instances_of_expr(&in, p.left), INSTANCE_Y);
  assert_int_equal(instances_of_expr(&in, p.right), INSTANCE_X);
  end(&p);
}

static void test_tiles(void **state)
{
  struct product p;
  struct instances in;
  struct tiles tiles;
  struct stager stager = {0};
  struct buffering none = {0};
  (void)state;

  build_product(&p, 256);
  begin(&p, true);
  stager.unit = p.b.unit;
  shape(&p);
  instances_analyze(&p.code, &in);
  tile_plan(&p.code, &in, &quarter, &stager, 16, 49152, &none, &tiles);
  assert_int_equal(tiles.count, 1);
  const struct tile *tile = &tiles.items[0];
  assert_int_equal(tile->size, 16);
  assert_true(tile->exact);
  assert_int_equal(tile->array_count, 2);
  assert_string_equal(tile->arrays[0].stage.array->name, "a");
  assert_int_equal(tile->arrays[0].order[1], 0); /* rows last: a thread's lie side by side */
  assert_int_equal(tile->arrays[0].pad, 4);
  assert_int_equal(tile->arrays[1].order[1], 1);
  assert_true(tile->arrays[0].reuse == 64 && tile->arrays[1].reuse == 64);
  assert_int_equal(tile->bytes, 16 * 68 * 4 + 16 * 64 * 4);
  tile_build(&p.code, &quarter, &tiles);
  const char *reason;
  struct ir_place place;
  assert_true(coarsen_instances(&p.code, &quarter, &tiles, &reason, &place));
  end(&p);
}

/* The same plan in each of the ways in which tiles may arrive, below sm_80 and from there on. */
static void test_arrival(void **state)
{
  struct product p;
  struct instances in;
  struct tiles tiles;
  struct stager stager = {0};
  struct buffering buffering;
  const struct tile *tile = &tiles.items[0];
  const uint64_t once = 16 * 68 * 4 + 16 * 64 * 4;
  (void)state;

  build_product(&p, 256);
  begin(&p, true);
  stager.unit = p.b.unit;
  shape(&p);
  instances_analyze(&p.code, &in);
  assert_true(tile_next_buffering(0, false, &buffering));
  tile_plan(&p.code, &in, &quarter, &stager, 16, 49152, &buffering, &tiles);
  assert_true(tile->bytes == once && tile->arrays[0].pipelining == TILE_REGISTERS &&
              tile->pause == PAUSE_BARRIER);
  assert_int_equal(tile->next_registers, 2 * 16 * 64 / (quarter.threads[0] * quarter.threads[1]));
  assert_true(tile_next_buffering(1, false, &buffering) &&
              tile_rebuffer(&tiles, &quarter, &buffering, 49152));
  assert_true(tile->bytes == 2 * once && tile->buffered && tile->pause == PAUSE_STORE);
  assert_true(tile_next_buffering(2, false, &buffering) &&
              tile_rebuffer(&tiles, &quarter, &buffering, 49152));
  assert_true(tile->bytes == once && !tile->next_registers && !tile->buffered &&
              tile->pause == PAUSE_COPY);
  assert_false(tile_next_buffering(3, false, &buffering));
  assert_true(tile_next_buffering(0, true, &buffering) &&
              tile_rebuffer(&tiles, &quarter, &buffering, 49152));
  assert_true(tile->bytes == 2 * once && !tile->next_registers &&
              tile->arrays[1].pipelining == TILE_ASYNCHRONOUS && tile->pause == PAUSE_NONE);
  assert_false(tile_rebuffer(&tiles, &quarter, &buffering, 2 * once - 1));
  end(&p);
}

/* if (row < n && col < n) if (row < n && col > 3) c[row][col] = n, on a grid of any size */
static void build_guarded(struct product *p, struct ir_var **ret_n)
{
  struct builder *b = &p->b;

  memset(p, 0, sizeof *p);
  build_begin(b, "guarded");
  struct ir_var *c = make_var(b, IR_VAR_PARAM, "c",
                              make_pointer(b, make_array(b, b->type_int, 256))),
                *n = make_var(b, IR_VAR_PARAM, "n", b->type_int);
  p->row = make_var(b, IR_VAR_LOCAL, "row", b->type_int);
  p->col = make_var(b, IR_VAR_LOCAL, "col", b->type_int);
  struct ir_expr *inside = binary(b, IR_OP_LAND, binary(b, IR_OP_LT, use(b, p->row), use(b, n)),
                                  binary(b, IR_OP_LT, use(b, p->col), use(b, n)));
  struct ir_expr *some = binary(b, IR_OP_LAND, binary(b, IR_OP_LT, use(b, p->row), use(b, n)),
                                binary(b, IR_OP_GT, use(b, p->col), num(b, 3)));
  struct ir_stmt *store =
      run(b, assign(b, IR_OP_ASSIGN, at(b, at(b, use(b, c), use(b, p->row)), use(b, p->col)),
                    use(b, n)));
  build_end(b,
            (struct ir_stmt *[]){
                declare(b, p->row, global_id(b, 1)),
                declare(b, p->col, global_id(b, 0)),
                when(b, inside, when(b, some, store)),
            },
            3);
  *ret_n = n;
}

static void test_preconditions(void **state)
{
  struct product p;
  struct ir_var *n, *totals[2];
  struct preconditions preconditions = {0}, all = {0};
  const char *reason;
  struct ir_place place;
  struct text text = {0};
  (void)state;

  build_guarded(&p, &n);
  struct kernel_facts facts = make_facts(&p.b, 128, -1, -1);
  effects_init(&p.effects, p.b.unit);
  code_init(&p.code, p.b.unit, &p.effects, &facts, &p.remarks);
  p.code.preconditions = &preconditions;
  assert_true(shape_virtual(&p.code, &quarter, totals, &reason, &place));
  precondition_guards(&p.code);
  const struct ir_stmt *body = p.code.facts.kernel->body,
                       *guard = body->children[body->child_count - 1];
  /* row < n holds by what is assumed; col > 3 is not for all threads */
  assert_int_equal(guard->kind, IR_STMT_IF);
  assert_int_equal(ir_strip(guard->expr)->op, IR_OP_GT);
  assert_int_equal(preconditions.guard_count, 2);
  assert_true(precondition_multiple(&p.code, use(&p.b, n), 4) &&
              precondition_multiple(&p.code, use(&p.b, n), 6));
  assert_true(precondition_multiple(&p.code, num(&p.b, 8), 4));
  assert_false(precondition_multiple(&p.code, num(&p.b, 6), 4));
  assert_false(precondition_multiple(&p.code, builtin(&p.b, IR_BLOCK_IDX), 4));
  assert_false(precondition_multiple(&p.code, use(&p.b, p.row), 4));
  assert_true(precondition_aligned(&p.code, p.code.facts.kernel->params[0]));
  assert_true(precondition_also(p.b.arena, &all, &preconditions, &quarter, totals, totals));
  /* the same again adds nothing */
  assert_true(precondition_also(p.b.arena, &all, &preconditions, &quarter, totals, totals));
  ir_print_expr(&text, precondition_condition(p.b.arena, &all));
  assert_string_equal(
      text_string(&text),
      "(((((n % 12) == 0) && (n >= _total_y)) && (n >= _total_x)) && mesi_aligned(c))");
  text_finish(&text);
  end(&p);
}

static void test_not_shape_free(void **state)
{
  struct product p;
  const char *reason;
  struct ir_place place;
  (void)state;

  build_product(&p, 256);
  begin(&p, true);
  struct builder *b = &p.b;
  struct ir_stmt *body = ARENA_NEW(b->arena, struct ir_stmt);
  *body = *p.code.facts.kernel->body;
  body->children[4] = run(b, assign(b, IR_OP_ASSIGN, p.left, builtin(b, IR_THREAD_IDX)));
  p.code.facts.kernel->body = body;
  assert_false(shape_free(&p.code, &reason, &place));
  assert_string_equal(reason, "it uses a thread or block index other than as a global id");
  end(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_promote),       cmocka_unit_test(test_promote_aliases),
      cmocka_unit_test(test_instances),     cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_arrival),       cmocka_unit_test(test_not_shape_free),
      cmocka_unit_test(test_preconditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
