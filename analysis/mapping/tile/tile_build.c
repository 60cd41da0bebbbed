/* SPDX-License-Identifier: MIT */
/* tile_build.c - the code with its loops over tiles.
 *
 *     for (k = 0; k < n; k++) S          for (int _k = 0; _k < n; _k += 16) {
 *                                          ...copies of the tile...
 *                                 =>       __syncthreads();
 *                                          if (_k + 16 <= n)
 *                                            #pragma unroll
 *                                            for (k = _k; k < _k + 16; k++) S'
 *                                          else
 *                                            for (k = _k; k < n; k++) S'
 *                                          __syncthreads();
 *                                        }
 *
 * The next tile is in flight while the current one is used (tile_ahead.c): by cp.async into a
 * second copy of each array, or in registers of the threads. With two copies one barrier per tile
 * is enough:
 *
 *     float4 _n_a[2];                                   int _b = 0;
 *     _n_a = a[0 ...]                                   _s_a[0] <~ a[0 ...]
 *     for (_k = 0; _k < n; _k += 16) {                  for (_k = 0; _k < n; _k += 16) {
 *       _s_a = _n_a                                       mesi_copy_wait();
 *       __syncthreads();                                  __syncthreads();
 *       if (_k + 16 < n)                                  if (_k + 16 < n)
 *         _n_a = a[_k + 16 ...]                             _s_a[1 - _b] <~ a[_k + 16 ...]
 *       ...use _s_a...                                    ...use _s_a[_b]...
 *       __syncthreads();                                  _b = 1 - _b;
 *     }                                                 }
 *
 * An array that the iterations write has one copy. Barriers stand around the loop that stores it:
 *
 *     ...use and write _s_x...; __syncthreads(); ...x[..] = _s_x[..]...; __syncthreads();
 *
 * Requires: tiles of tile_plan. Every thread of the block must reach the loop; code that expands it
 * must keep that.
 */
#include "analysis/mapping/tile/tile.h"
#include "analysis/code/loop.h"
#include "analysis/model/model.h"
#include "runtime/seeded.h"

/* A loop of more instructions does not stay in the instruction cache: complex products of 64
 * elements of a thread (392 instructions an iteration, 1024 x 1024) took 790 us with 16 iterations
 * in a row, 794 with 8, 347 with 4. */
enum { UNROLLED = 32, UNROLLED_PART = 8, MOST_CODE = 2048 };

struct building {
  struct code *code;
  const struct geometry *geometry;
  struct tiles *tiles;
  struct tile *tile;
};

static struct ir_expr *staged_element(struct building *b, const struct tile_array *array,
                                      const struct stage_access *access)
{
  struct ir_expr *element = ir_build_var(b->code->arena, array->copy);

  if (b->tile->buffer && !array->stored)
    element =
        ir_build_index(b->code->arena, element, ir_build_var(b->code->arena, b->tile->buffer));
  for (unsigned i = 0; i < array->stage.dim_count; i++)
    element = ir_build_index(b->code->arena, element, access->index[array->order[i]]);
  return element;
}

static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct building *b = r->context;

  for (unsigned i = 0; i < b->tile->array_count; i++) {
    const struct tile_array *array = &b->tile->arrays[i];
    for (unsigned k = 0; k < array->stage.access_count; k++)
      if (array->stage.accesses[k].expr == expr)
        return staged_element(b, array, &array->stage.accesses[k]);
  }
  return NULL;
}

static void declare_copies(struct building *b, struct tile *tile)
{
  struct arena *arena = b->code->arena;

  for (unsigned i = 0; i < tile->array_count; i++) {
    struct tile_array *array = &tile->arrays[i];
    const struct ir_type *type = ir_plain_type(arena, array->stage.element);
    for (unsigned k = array->stage.dim_count; k-- > 0;)
      type = ir_build_array_type(
          arena, type,
          array->stage.dims[array->order[k]].size +
              (k + 1 == array->stage.dim_count ? array->pad - SEEDED(COPY_ROWS_SHORT) : 0));
    if (tile->buffered && !array->stored) type = ir_build_array_type(arena, type, 2);
    array->copy = code_local(b->code, arena_format(arena, "_s_%s", array->stage.array->name), type);
    array->copy->kind = IR_VAR_SHARED;
    array->copy->alignment = 16;
  }
}

/* The instructions of an expression, about: nvcc fuses a product with a sum (`fused`), and
 * addresses of copies are constants. */
static double code_of(const struct code *code, const struct ir_expr *expr, bool fused)
{
  double count = 0;

  if (!expr) return 0;
  bool computes = expr->kind == IR_EXPR_BINARY ||
                  (expr->kind == IR_EXPR_ASSIGN && expr->op != IR_OP_ASSIGN),
       sums = computes && (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB ||
                           expr->op == IR_OP_ADD_ASSIGN || expr->op == IR_OP_SUB_ASSIGN);
  if (expr->kind == IR_EXPR_CALL) count = model_call_operations(code, expr);
  if (computes && !fused) count = 1;
  for (unsigned i = 0; i < expr->operand_count; i++) {
    const struct ir_expr *operand = ir_strip(expr->operands[i]);
    bool product = operand->kind == IR_EXPR_BINARY && operand->op == IR_OP_MUL;
    if (expr->kind == IR_EXPR_INDEX && i > 0) break;
    count += code_of(code, operand, sums && product);
    sums &= !product; /* one product a sum */
  }
  return count;
}

struct code_count {
  const struct code *code;
  double instructions;
};

static bool note_code(struct ir_stmt *stmt, void *context)
{
  struct code_count *c = context;

  c->instructions += code_of(c->code, stmt->expr, false) + code_of(c->code, stmt->increment, false);
  return true;
}

/* Iterations in a row. */
static int64_t iterations_at_once(const struct building *b, struct ir_stmt *body)
{
  const struct geometry *g = b->geometry;
  int64_t at_once = b->tile->size <= UNROLLED ? b->tile->size : UNROLLED_PART;
  struct code_count count = {b->code, 0};

  ir_visit_stmts(body, note_code, &count);
  double code = count.instructions * (double)(g->block[0] / g->threads[0]) *
                (double)(g->block[1] / g->threads[1]);
  if ((double)at_once * code <= MOST_CODE) return at_once;
  for (at_once = UNROLLED_PART; at_once > 1 && (double)at_once * code > MOST_CODE;) at_once /= 2;
  return at_once;
}

static struct ir_stmt *iterations(struct building *b, struct ir_expr *end, struct ir_stmt *body,
                                  bool whole)
{
  const struct tile *tile = b->tile;
  struct ir_stmt *loop = tile_inner_loop(b->code->arena, tile->loop,
                                         ir_build_var(b->code->arena, tile->first), end, body);

  int64_t at_once = iterations_at_once(b, body);
  if (whole && !loop->pragma)
    loop->pragma = at_once == tile->size
                       ? "#pragma unroll"
                       : arena_format(b->code->arena, "#pragma unroll %lld", (long long)at_once);
  return loop;
}

/* The end of the loop, or of the block's run. */
static struct ir_expr *end_of_run(struct building *b)
{
  const struct tile *tile = b->tile;
  return tile->run[1] ? ir_build_var(b->code->arena, tile->run[1])
                      : loop_end(b->code->arena, tile->loop->loop);
}

static struct ir_expr *loop_begin(struct building *b)
{
  const struct tile *tile = b->tile;
  return tile->run[0] ? ir_build_var(b->code->arena, tile->run[0]) : tile->loop->loop->lower;
}

static struct ir_stmt *compute(struct building *b, struct ir_stmt *body)
{
  struct arena *arena = b->code->arena;
  struct tile *tile = b->tile;
  struct ir_expr *end = end_of_run(b), *tile_ends = tile_end(arena, tile);

  tile->whole = iterations(b, tile_ends, body, true);
  if (tile->exact || SEEDED(LAST_TILE_WHOLE)) return tile->whole;
  struct ir_list one = {0}, other = {0};
  tile->rest = iterations(b, end, body, false);
  ir_list_add(arena, &one, tile->whole);
  ir_list_add(arena, &other, tile->rest);
  enum ir_op within = tile->loop->loop->step < 0 ? IR_OP_GE : IR_OP_LE;
  struct ir_stmt *both = ir_build_if(arena, ir_build_binary(arena, within, tile_ends, end),
                                     ir_build_block(arena, &one));
  both->else_body = ir_build_block(arena, &other);
  return both;
}

/* ---- the loop over tiles ---- */

/* Adds a statement of real threads, which is not expanded. */
static void add(struct building *b, struct ir_list *list, struct ir_stmt *stmt)
{
  ir_list_add(b->code->arena, &b->tiles->verbatim, stmt);
  ir_list_add(b->code->arena, list, stmt);
}

static struct ir_stmt *call(struct building *b, const char *name, enum ir_effect effect)
{
  return ir_build_expr_stmt(b->code->arena, ir_build_call(b->code->arena, name, effect));
}

static struct ir_stmt *barrier(struct building *b)
{
  return call(b, "__syncthreads", IR_EFFECT_BARRIER);
}

static bool takes(const struct tile *tile, enum tile_pipelining pipelining)
{
  bool some = false;

  for (unsigned i = 0; i < tile->array_count; i++) some |= tile->arrays[i].pipelining == pipelining;
  return some;
}

/* The arrays of this `pipelining`, or a part of it. */
static void fill(struct building *b, struct ir_list *list, enum tile_pipelining pipelining,
                 enum tile_part part, struct ir_expr *first, struct ir_expr *buffer)
{
  for (unsigned i = 0; i < b->tile->array_count; i++) {
    struct tile_copying what = {b->tile, &b->tile->arrays[i], first, buffer, part};
    if (what.array->pipelining == pipelining && !what.array->stored)
      add(b, list, tile_copy(b->code, b->geometry, b->tiles, &what));
  }
}

/* Loads the arrays that the tile stores (PART_ALL), or brings them back (PART_BACK). */
static void fill_stored(struct building *b, struct ir_list *list, enum tile_part part)
{
  for (unsigned i = 0; i < b->tile->array_count; i++) {
    struct tile_copying what = {b->tile, &b->tile->arrays[i], NULL, NULL, part};
    if (what.array->stored && (part == PART_BACK || what.array->stage.load))
      add(b, list, tile_copy(b->code, b->geometry, b->tiles, &what));
  }
}

static struct ir_stmt *over_tiles(struct building *b, const struct ir_list *body)
{
  struct arena *arena = b->code->arena;

  return tile_over(arena, b->tile, loop_begin(b), end_of_run(b), ir_build_block(arena, body));
}

static struct ir_stmt *staged_body(struct building *b)
{
  struct ir_rewriter rewriter = {b->code->arena, replace_access, b};
  return compute(b, ir_rewrite_stmt(&rewriter, b->tile->loop->body));
}

/* Starts the copies of a tile ahead of its use. Plain copies are only possible if another half can
 * hold them. */
static void ask(struct building *b, struct ir_list *list, struct ir_expr *first,
                struct ir_expr *buffer)
{
  if (b->tile->buffered) fill(b, list, TILE_COPIED, PART_ALL, first, buffer);
  fill(b, list, TILE_ASYNCHRONOUS, PART_ALL, first, buffer);
  fill(b, list, TILE_REGISTERS, PART_LOAD, first, NULL);
}

/* if (first < end) { ...copies for the next tile... } and the end of a batch */
static void fill_ahead(struct building *b, struct ir_list *list, struct ir_expr *first,
                       struct ir_expr *buffer)
{
  struct arena *arena = b->code->arena;
  struct ir_expr *end = end_of_run(b);
  struct ir_list copies = {0};
  int64_t from, to;

  const struct ir_type *type = b->tile->first->type; /* of the loop's comparison */
  struct ir_expr *start =
      first->type->size == type->size && first->type->is_signed == type->is_signed
          ? first
          : ir_build_cast(arena, type, first);
  ask(b, &copies, first, buffer);
  bool down = b->tile->loop->loop->step < 0;
  bool always = !down && ir_constant(first, &from) && ir_constant(end, &to) && from < to;
  if (always || !copies.items.count || SEEDED(TILE_BEHIND_LAST))
    for (unsigned i = 0; i < copies.items.count; i++) add(b, list, copies.items.items[i]);
  else
    add(b, list,
        ir_build_if(arena, ir_build_binary(arena, down ? IR_OP_GT : IR_OP_LT, start, end),
                    ir_build_block(arena, &copies)));
  if (takes(b->tile, TILE_ASYNCHRONOUS)) add(b, list, call(b, "mesi_copy_commit", IR_EFFECT_NONE));
}

/* Waits until all of the tile has arrived. */
static void receive(struct building *b, struct ir_list *list, struct ir_expr *half)
{
  fill_stored(b, list, PART_ALL);
  fill(b, list, TILE_REGISTERS, PART_STORE, NULL, half);
  if (!half) fill(b, list, TILE_COPIED, PART_ALL, NULL, NULL);
  if (takes(b->tile, TILE_ASYNCHRONOUS)) add(b, list, call(b, "mesi_copy_wait", IR_EFFECT_NONE));
  if (half ? !SEEDED(BUFFER_BARRIER) : !SEEDED(TILE_READ_EARLY)) add(b, list, barrier(b));
}

/* Stores the arrays that the tile's iterations have written. Barriers stand around that, since
 * other threads store the elements of a thread, and load some of them for the next tile. */
static void bring_back(struct building *b, struct ir_list *list)
{
  if (!b->tile->stored) return;
  if (!SEEDED(TILE_BACK_EARLY)) add(b, list, barrier(b));
  fill_stored(b, list, PART_BACK);
  if (!SEEDED(TILE_BACK_LATE)) add(b, list, barrier(b));
}

/* Switches to the other half; or waits until all threads have used the only one. */
static void release(struct building *b, struct ir_list *list, struct ir_expr *half)
{
  struct arena *arena = b->code->arena;

  if (half)
    add(b, list,
        ir_build_expr_stmt(arena, ir_build_assign(arena, half,
                                                  ir_build_binary(arena, IR_OP_SUB,
                                                                  ir_build_int(arena, 1), half))));
  else if (!b->tile->stored && !SEEDED(TILE_FILLED_EARLY))
    add(b, list, barrier(b));
}

/* Prepares the loop over tiles: its variables, and the first tile. */
static void prepare(struct building *b, struct tile *tile, struct ir_list *all)
{
  struct arena *arena = b->code->arena;

  /* statements in front of the loop may have written elements that other threads load */
  if (tile->own_rows && !SEEDED(TILE_OWN_EARLY)) add(b, all, barrier(b));
  if (tile->buffered) {
    tile->buffer = code_local(b->code, "_b", ir_int_type());
    add(b, all, ir_build_decl(arena, tile->buffer, ir_build_int(arena, 0)));
  }
  for (unsigned i = 0; i < tile->array_count; i++) {
    struct tile_array *array = &tile->arrays[i];
    if (array->pipelining != TILE_REGISTERS) continue;
    array->next_var = tile_next_var(b->code, b->geometry, array);
    add(b, all, ir_build_decl(arena, array->next_var, NULL));
  }
  if (tile->buffered || takes(tile, TILE_REGISTERS))
    fill_ahead(b, all, loop_begin(b), tile->buffer ? ir_build_int(arena, 0) : NULL);
}

/* Declares the block's run, in front of all code for tiles. */
static void declare_run(struct building *b, struct tile *tile, struct ir_list *out)
{
  struct ir_list run = {0};

  if (tile->shared) loop_run(b->code, tile->loop->loop, tile->size, tile->run, &run);
  for (unsigned i = 0; i < run.items.count; i++) add(b, out, run.items.items[i]);
}

static struct ir_stmt *over_run(struct building *b, struct ir_list *run, struct ir_stmt *tiles)
{
  if (!run->items.count) return tiles;
  ir_list_add(b->code->arena, run, tiles);
  return ir_build_block(b->code->arena, run);
}

static struct ir_stmt *build(struct building *b, struct tile *tile)
{
  struct arena *arena = b->code->arena;
  struct ir_list all = {0}, body = {0}, run = {0};

  declare_run(b, tile, &run);
  prepare(b, tile, &all);
  bool ahead = tile->buffered || takes(tile, TILE_REGISTERS);
  struct ir_expr *half = tile->buffer ? ir_build_var(arena, tile->buffer) : NULL;
  struct ir_expr *other = half && !SEEDED(BUFFER_IN_USE)
                              ? ir_build_binary(arena, IR_OP_SUB, ir_build_int(arena, 1), half)
                              : half;
  receive(b, &body, half);
  if (ahead) fill_ahead(b, &body, tile_end(arena, tile), other);
  ir_list_add(arena, &body, staged_body(b));
  bring_back(b, &body);
  release(b, &body, half);
  if (!all.items.count) return over_run(b, &run, over_tiles(b, &body));
  ir_list_add(arena, &all, over_tiles(b, &body));
  if (half && !SEEDED(BUFFERS_LEFT_EARLY))
    add(b, &all, barrier(b)); /* the copies may be filled again */
  return over_run(b, &run, ir_build_block(arena, &all));
}

void tile_build(struct code *code, const struct geometry *geometry, struct tiles *tiles)
{
  struct building b = {.code = code, .geometry = geometry, .tiles = tiles};

  tiles->thread = code_local(code, "_t", ir_int_type());
  for (unsigned i = 0; i < tiles->count; i++) {
    struct tile *tile = &tiles->items[i];
    declare_copies(&b, tile);
    b.tile = tile;
    tile->built = build(&b, tile);
    code->facts.kernel->body =
        loop_swap(code->arena, code->facts.kernel->body, tile->loop, tile->built);
  }
}
