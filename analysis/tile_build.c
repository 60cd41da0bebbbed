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
 * Requires: tiles of tile_plan. Every thread of the block reaches the loop: whoever expands the code keeps it so.
 */
#include "analysis/tile.h"

enum { UNROLLED = 32, UNROLLED_PART = 8 };

struct building {
  struct code *code;
  const struct geometry *geometry;
  struct tiles *tiles;
  const struct tile *tile;
};

static struct ir_expr *staged_element(struct building *b, const struct tile_array *array, const struct stage_access *access)
{
  struct ir_expr *element = ir_build_var(b->code->arena, array->copy);

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
      type = ir_build_array_type(arena, type, array->stage.dims[array->order[k]].size + (k + 1 == array->stage.dim_count ? array->pad : 0));
    array->copy = code_local(b->code, arena_format(arena, "_s_%s", array->stage.array->name), type);
    array->copy->kind = IR_VAR_SHARED;
    array->copy->alignment = 16;
  }
}

static struct ir_stmt *iterations(struct building *b, struct ir_expr *end, struct ir_stmt *body, bool whole)
{
  const struct tile *tile = b->tile;
  struct ir_stmt *loop = tile_inner_loop(b->code->arena, tile->loop, ir_build_var(b->code->arena, tile->first), end, body);

  if (whole && !loop->pragma)
    loop->pragma = tile->size <= UNROLLED ? "#pragma unroll" : arena_format(b->code->arena, "#pragma unroll %d", UNROLLED_PART);
  return loop;
}

static struct ir_stmt *compute(struct building *b, struct ir_stmt *body)
{
  struct arena *arena = b->code->arena;
  const struct tile *tile = b->tile;
  struct ir_expr *end = tile_loop_end(arena, tile->loop->loop), *tile_ends = tile_end(arena, tile);
  struct ir_stmt *whole = iterations(b, tile_ends, body, true);

  if (tile->exact)
    return whole;
  struct ir_list one = { 0 }, other = { 0 };
  ir_list_add(arena, &one, whole);
  ir_list_add(arena, &other, iterations(b, end, body, false));
  struct ir_stmt *both = ir_build_if(arena, ir_build_binary(arena, IR_OP_LE, tile_ends, end), ir_build_block(arena, &one));
  both->else_body = ir_build_block(arena, &other);
  return both;
}

static struct ir_stmt *barrier(struct building *b)
{
  return ir_build_expr_stmt(b->code->arena, ir_build_call(b->code->arena, "__syncthreads", IR_EFFECT_BARRIER));
}

static struct ir_stmt *tiled_loop(struct building *b, struct tile *filled)
{
  struct arena *arena = b->code->arena;
  const struct tile *tile = b->tile;
  struct ir_rewriter rewriter = { arena, replace_access, b };
  struct ir_list body = { 0 };

  for (unsigned i = 0; i < tile->array_count; i++) {
    filled->arrays[i].filled = tile_copy(b->code, b->geometry, b->tiles, &tile->arrays[i]);
    ir_list_add(arena, &body, filled->arrays[i].filled);
  }
  ir_list_add(arena, &body, barrier(b));
  ir_list_add(arena, &body, compute(b, ir_rewrite_stmt(&rewriter, tile->loop->body)));
  ir_list_add(arena, &body, barrier(b));
  struct ir_stmt *loop = ir_build_for(arena, tile->first, tile->loop->loop->lower, tile_loop_end(arena, tile->loop->loop),
                                      tile->size * tile->loop->loop->step, ir_build_block(arena, &body));
  return loop;
}

void tile_build(struct code *code, const struct geometry *geometry, struct tiles *tiles)
{
  struct building b = { .code = code, .geometry = geometry, .tiles = tiles };

  tiles->thread = code_local(code, "_t", ir_int_type());
  for (unsigned i = 0; i < tiles->count; i++) {
    struct tile *tile = &tiles->items[i];
    declare_copies(&b, tile);
    b.tile = tile;
    tile->built = tiled_loop(&b, tile);
    code->facts.kernel->body = tile_swap(code->arena, code->facts.kernel->body, tile->loop, tile->built);
  }
}
