/* SPDX-License-Identifier: MIT */
/* tile_loop.c - the loops that planning and building of tiles share.
 *
 *     for (k = 0; k < n; k++) body
 *         =>  for (_k = 0; _k < n; _k += 16)             tile_over
 *               for (k = _k; k < _k + 16; k++) body      tile_inner_loop, tile_end
 *
 * Loops that count down have the same forms with `>` in the place of `<`.
 */
#include "analysis/mapping/tile/tile.h"

/* for (k = _k; k < _k + size; k++) body */
struct ir_stmt *tile_inner_loop(struct arena *arena, const struct ir_stmt *loop,
                                struct ir_expr *first, struct ir_expr *end, struct ir_stmt *body)
{
  struct ir_stmt *inner = ARENA_NEW(arena, struct ir_stmt);
  struct ir_var *iterator = loop->loop->iterator;

  *inner = *loop;
  inner->body = body;
  enum ir_op relation = loop->loop->step < 0 ? IR_OP_GT : IR_OP_LT;
  inner->expr = ir_build_binary(arena, relation, ir_build_var(arena, iterator), end);
  inner->init =
      loop->loop->declared
          ? ir_build_decl(arena, iterator, first)
          : ir_build_expr_stmt(arena, ir_build_assign(arena, ir_build_var(arena, iterator), first));
  inner->loop = ARENA_NEW(arena, struct ir_loop);
  *inner->loop = *loop->loop;
  inner->loop->lower = first;
  inner->loop->relation = relation;
  inner->loop->bound = end;
  return inner;
}

struct ir_expr *tile_end(struct arena *arena, const struct tile *tile)
{
  return ir_build_binary(arena, IR_OP_ADD, ir_build_var(arena, tile->first),
                         ir_build_int(arena, tile->size * tile->loop->loop->step));
}

struct ir_stmt *tile_over(struct arena *arena, const struct tile *tile, struct ir_expr *first,
                          struct ir_expr *end, struct ir_stmt *body)
{
  int64_t step = tile->size * tile->loop->loop->step;
  struct ir_stmt *made = ir_build_for(arena, tile->first, first, end, step, body);

  if (step > 0) return made;
  made->loop->relation = IR_OP_GT;
  made->expr = ir_build_binary(arena, IR_OP_GT, ir_build_var(arena, tile->first), end);
  return made;
}
