/* SPDX-License-Identifier: MIT */
/* tile_short.c - the launches whose loops are long enough for tiles.
 *
 *     for (j = 0; j < width; j++) s += in[i + j] * w[j];     tiles of 16 iterations
 *
 * Neighbouring threads read the same elements at a distance of iterations. A tile then has the
 * elements of a whole number of iterations beside those of the block, whatever the loop's end. With
 * a filter of 7 x 7, whose width only the launch knew, tiles of 16 took 653 us for 422 as written.
 * So the launch compares the loop's length with a tile's, and for rows of bytes, of which a thread
 * loads as many as a tile has. Products, whose rows have a dimension of their own, need no such
 * condition.
 */
#include "analysis/transform/tile/tile_plan.h"

#include <stdlib.h>

#include "analysis/code/loop.h"

enum {
  MOST_STEP = 8,   /* elements between neighbouring threads */
  WINDOW_TILES = 4 /* a window of 17 x 17 took 2.0 times as long in tiles of 16 as written */
};

static int64_t coefficient(isl_aff *aff, const struct symbol *symbol)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, symbol->id);
  int64_t value = 0;

  isl_space_free(space);
  if (at < 0) return 0;
  bool known = value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, at), INT32_MAX, &value);
  return known ? value : INT32_MAX;
}

/* Is the index a sum of the thread's and the iteration's, a few elements apart? */
static bool is_window(struct symbols *symbols, const struct value *index,
                      const struct symbol *iteration)
{
  isl_aff *aff = index->aff ? value_plain(index->aff) : NULL;
  bool window = false;

  if (!aff) return false;
  for (int axis = 0; axis < 2 && coefficient(aff, iteration); axis++) {
    int64_t step =
        coefficient(aff, symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + axis)));
    window |= step && llabs(step) <= MOST_STEP;
  }
  isl_aff_free(aff);
  return window;
}

static bool reads_windows(const struct mapping *m, const struct ir_var *iterator)
{
  struct symbols *symbols = (struct symbols *)&m->from->symbols;

  for (unsigned i = 0; i < m->from->access_count; i++) {
    const struct access *access = m->from->accesses[i].access;
    for (const struct nest_level *level = access->nest; level; level = level->outer) {
      if (!level->symbol || !level->stmt->loop || level->stmt->loop->iterator != iterator) continue;
      for (unsigned d = 0; d < access->dim_count; d++)
        if (is_window(symbols, &access->index[d], level->symbol)) return true;
    }
  }
  return false;
}

/* The arrays of one or two bytes that go through registers on their way. A thread loads all of a
 * tile's then, also of shorter rows. */
static unsigned loads_all(const struct tile *tile)
{
  unsigned count = 0;

  for (unsigned i = 0; i < tile->array_count; i++)
    count += tile->arrays[i].streamed && tile->arrays[i].array->element->size < 4 &&
             tile->arrays[i].stage.load;
  return count;
}

/* Is a row of each thread copied in whole lines? Each element serves one thread, so that the part
 * of a tile behind a shorter row is work without use: rows of 16 elements took 1.7 times as long in
 * tiles of 128 iterations as written. */
static bool copies_rows(const struct tile *tile)
{
  for (unsigned i = 0; i < tile->array_count; i++)
    if (tile->arrays[i].streamed && !tile->own_rows) return true;
  return false;
}

static struct ir_expr *sum_of(struct arena *arena, struct ir_expr *number, int64_t more)
{
  int64_t known;
  return ir_constant(number, &known)
             ? ir_build_int(arena, known + more)
             : ir_build_binary(arena, IR_OP_ADD, number, ir_build_int(arena, more));
}

/* (high - low) % iterations of a tile == 0 || high - low >= several of these */
static struct ir_expr *is_filled(struct arena *arena, struct ir_expr *high, struct ir_expr *low,
                                 int64_t size)
{
  struct ir_expr *least = sum_of(arena, low, TILES_OF_BYTES * size),
                 *rest =
                     ir_build_binary(arena, IR_OP_REM, ir_build_binary(arena, IR_OP_SUB, high, low),
                                     ir_build_int(arena, size));

  return ir_build_binary(arena, IR_OP_LOR,
                         ir_build_binary(arena, IR_OP_EQ, rest, ir_build_int(arena, 0)),
                         ir_build_binary(arena, IR_OP_GE, high, least));
}

/* The loop has the iterations of a tile, or of half a one for rows, or of several; it may count
 * down. NULL: no condition is needed, or none is known. */
static struct ir_expr *is_long(const struct mapping *m, const struct tile *tile, bool whole)
{
  struct code *code = (struct code *)m->from;
  struct arena *arena = code->arena;
  const struct ir_loop *loop = tile->loop ? tile->loop->loop : NULL;

  bool windows = loop && reads_windows(m, loop->iterator);
  if (!loop || !loop->lower || loop_trips(code, loop) >= 0 ||
      !(windows || loads_all(tile) || copies_rows(tile)))
    return NULL;
  struct ir_expr *end = code_resolve(code, loop_end(arena, loop)),
                 *lower = code_resolve(code, loop->lower);
  if (!end || !lower || !code_is_launch_number(end) || !code_is_launch_number(lower)) return NULL;
  bool down = loop->step < 0;
  int64_t size = tile->size * (down ? -loop->step : loop->step), few = windows ? WINDOW_TILES * size
                                                                       : loads_all(tile) ? size
                                                                                         : size / 2;
  struct ir_expr *high = down ? lower : end, *low = down ? end : lower,
                 *least = sum_of(arena, low, few),
                 *is = ir_build_binary(arena, IR_OP_GE, high, least);
  return loads_all(tile) > 1 && !whole ? ir_build_both(arena, is, is_filled(arena, high, low, size))
                                       : is;
}

struct ir_expr *tile_long_enough(const struct mapping *m, const struct tiles *tiles, bool whole)
{
  struct ir_expr *all = NULL;

  if (m->options->mapping != MAPPING_AUTO) return NULL;
  code_scan((struct code *)m->from);
  for (unsigned i = 0; i < tiles->count; i++) {
    struct ir_expr *one = is_long(m, &tiles->items[i], whole);
    if (one) all = ir_build_both(m->from->arena, all, one);
  }
  return all;
}
