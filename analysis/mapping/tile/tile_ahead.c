/* SPDX-License-Identifier: MIT */
/* tile_ahead.c - pipelining: the next tile is in flight while the current one is used.
 *
 *     two copies, cp.async             _s_a[1 - _b][..] <~ a[next]; ...use _s_a[_b]...;
 *         wait, barrier
 *     two copies, registers            _n_a[..] = a[next]; ...use _s_a[_b]...;
 *         _s_a[1 - _b][..] = _n_a[..]; barrier
 *     one copy, registers              _n_a[..] = a[next]; ...use _s_a...; barrier;
 *         _s_a[..] = _n_a[..]; barrier
 *     one copy                         ...use _s_a...; barrier; _s_a[..] = a[next]; barrier
 *
 * cp.async takes elements of 4, 8 and 16 bytes, from sm_80 on; other elements are loaded into
 * registers. Registers and shared memory decide the number of blocks per multiprocessor, so the
 * model chooses (plan_map.c). Not pipelined are: a tile without a next one; tiles that would need
 * more than MOST_REGISTERS registers; an array of structures that a guard excludes, since no zero
 * could be kept for it.
 */
#include "analysis/mapping/tile/tile.h"

enum { MOST_REGISTERS = 64 }; /* registers of a thread for the next tile */

bool tile_can_copy_async(const struct ir_type *element)
{
  int64_t size = element->size;
  return (size == 4 || size == 8 || size == 16) && element->align == size;
}

static bool is_transposed(const struct tile_array *array)
{
  unsigned last = array->stage.dim_count - 1;
  return array->order[last] != last;
}

/* The elements that are copied at once. An asynchronous copy that changes the layout goes element
 * by element. */
unsigned tile_vector(const struct tile_array *array)
{
  return array->pipelining == TILE_ASYNCHRONOUS && is_transposed(array) ? 1 : array->vector;
}

int64_t tile_rounds(const struct geometry *geometry, const struct tile_array *array,
                    unsigned vector)
{
  int64_t vectors = 1, threads = geometry->threads[0] * geometry->threads[1];

  for (unsigned d = 0; d < array->stage.dim_count; d++) vectors *= array->stage.dims[d].size;
  vectors /= vector;
  return (vectors + threads - 1) / threads;
}

static unsigned next_registers_of(const struct geometry *geometry, const struct tile_array *array)
{
  int64_t bytes = array->stage.element->size * (int64_t)array->vector,
          rounds = tile_rounds(geometry, array, array->vector);
  int64_t registers = rounds * ((bytes + 3) / 4);

  return registers > MOST_REGISTERS ? MOST_REGISTERS + 1 : (unsigned)registers;
}

static bool has_zero(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;
}

void tile_choose_pipelining(const struct geometry *geometry, const struct tile *tile,
                            const struct buffering *buffering, struct tile_array *out)
{
  out->pipelining = TILE_COPIED;
  out->next_registers = 0;
  if (out->stored) return;
  unsigned registers = next_registers_of(geometry, out);
  bool fits = buffering->registers && !tile->only &&
              tile->next_registers + registers <= MOST_REGISTERS &&
              (!out->stage.load_guard || has_zero(out->stage.element));
  bool asynchronous = buffering->asynchronous && tile_can_copy_async(out->stage.element);
  if (asynchronous && !(fits && buffering->transposed && is_transposed(out) && out->vector > 1)) {
    out->pipelining = TILE_ASYNCHRONOUS;
  } else if (fits) {
    out->pipelining = TILE_REGISTERS;
    out->next_registers = registers;
  }
}

void tile_set_buffering(struct tile *tile, const struct buffering *buffering)
{
  bool waits = false, stores = false, two = false;

  for (unsigned i = 0; i < tile->array_count; i++) {
    two |= buffering->two && !tile->arrays[i].stored;
    waits |= tile->arrays[i].pipelining == TILE_COPIED;
    stores |= tile->arrays[i].pipelining == TILE_REGISTERS;
  }
  tile->buffered = two;
  tile->pause = waits             ? PAUSE_COPY
                : !buffering->two ? PAUSE_BARRIER
                : stores          ? PAUSE_STORE
                                  : PAUSE_NONE;
}

struct buffering tile_own_buffering(const struct tile *tile, const struct buffering *buffering)
{
  struct buffering own = *buffering;

  own.two = own.two && (own.asynchronous || !tile->only);
  return own;
}

static bool rebuffer(struct tile *tile, const struct geometry *geometry,
                     const struct buffering *buffering)
{
  struct buffering own = tile_own_buffering(tile, buffering);
  bool streams = true;

  tile->bytes = 0;
  tile->next_registers = 0;
  for (unsigned i = 0; i < tile->array_count; i++) {
    struct tile_array *array = &tile->arrays[i];
    if (!array->stored) array->bytes = array->bytes / (tile->buffered ? 2 : 1) * (own.two ? 2 : 1);
    tile_choose_pipelining(geometry, tile, &own, array);
    tile->bytes += (array->bytes + 15) / 16 * 16;
    tile->next_registers += array->next_registers;
    streams &= !array->streamed || array->stored || array->pipelining != TILE_COPIED;
  }
  tile_set_buffering(tile, &own);
  return streams;
}

bool tile_rebuffer(struct tiles *tiles, const struct geometry *geometry,
                   const struct buffering *buffering, uint64_t capacity)
{
  uint64_t bytes = 0;
  bool streams = true;

  for (unsigned i = 0; i < tiles->count; i++) {
    streams &= rebuffer(&tiles->items[i], geometry, buffering);
    bytes += tiles->items[i].bytes;
  }
  tiles->buffering = *buffering;
  return streams && bytes <= capacity;
}

bool tile_next_buffering(unsigned number, bool asynchronous, struct buffering *ret)
{
  static const struct buffering with_async[] = {
      {true, true, true, false}, {true, true, false, false}, {true, true, true, true}};
  static const struct buffering plain[] = {
      {false, false, true, false}, {true, false, true, false}, {false, false, false, false}};

  if (number >=
      (asynchronous ? sizeof with_async / sizeof *with_async : sizeof plain / sizeof *plain))
    return false;
  *ret = asynchronous ? with_async[number] : plain[number];
  return true;
}
