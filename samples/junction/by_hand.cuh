/* by_hand.cuh - the primitives as the paper has them, in shared memory; by_hand.h has the forms.
 *
 * A block takes HAND_THREADS * HAND_CHUNK entries of a table at a time (a tile) into shared memory,
 * HAND_CHUNK of them each thread. Row-major, they follow each other: a warp's loads are that far
 * apart, and so are its banks. Column-major, neighbouring threads have neighbouring entries.
 *
 * A mapping vector has a size and a stride for each variable of a separator. Of an entry of the
 * clique it gives the entry of the separator (a product reads it), and of an entry of the separator
 * those of the clique (a sum reads them). Where the last variable's stride is a multiple of
 * HAND_CHUNK, so many entries in a row go to one sum: the paper's third case of unrolling.
 *
 * A sum has as many threads as the separators have entries in a tile, as often as the block has
 * threads for. Blocks leave their sums behind each other; a second kernel adds them up. */
#include "by_hand.h"

#ifndef HAND_CHUNK
#define HAND_CHUNK 8
#endif

enum {
  HAND_THREADS = 96,
  HAND_TILE = HAND_THREADS * HAND_CHUNK,
  HAND_PITCH = HAND_THREADS + 1, /* of columns: odd, so that copies meet different banks */
  HAND_VALUES = 1024,            /* of all separators */
  HAND_SUMS = 2048,              /* a block's: values, as often as threads share one */
  HAND_SEPARATORS = 8,
  HAND_WIDTH = 8
};

struct hand_mapping {    /* of a separator; the most significant variable first */
  int count, tile_count; /* variables; the last of them, which a tile has all values of */
  int first, tile_size;  /* in the array of all separators; entries of it in a tile */
  int sizes[HAND_WIDTH], strides[HAND_WIDTH]; /* values, in the clique */
};

struct hand_mappings {
  int count, values, size; /* separators, their entries, the clique's entries */
  int tile, items, parts;  /* entries of a tile; sums of it; threads of a sum */
  struct hand_mapping of[HAND_SEPARATORS];
};

/* ---- copies ---- */

template <bool COLUMNS> static __device__ int hand_own(int i)
{
  return COLUMNS ? i * HAND_THREADS + threadIdx.x : threadIdx.x * HAND_CHUNK + i;
}

template <int DEPTH, bool COLUMNS>
static __device__ void hand_copy(REAL *to, const REAL *from, int count)
{
#pragma unroll 1
  for (int first = 0; first < HAND_CHUNK; first += DEPTH)
#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
      int at = hand_own<COLUMNS>(first + i);
      if (at < count) to[at] = from[at];
    }
}

/* ---- division ---- */

template <int DEPTH, bool COLUMNS>
__global__ void hand_divide(const REAL *above, const REAL *below, REAL *quotient, int count)
{
  __shared__ REAL a[HAND_TILE], b[HAND_TILE];

  for (int at = blockIdx.x * HAND_TILE; at < count; at += gridDim.x * HAND_TILE) {
    int here = count - at < HAND_TILE ? count - at : HAND_TILE;
    hand_copy<DEPTH, COLUMNS>(a, above + at, here);
    hand_copy<DEPTH, COLUMNS>(b, below + at, here);
#pragma unroll 1
    for (int first = 0; first < HAND_CHUNK; first += DEPTH)
#pragma unroll
      for (int i = 0; i < DEPTH; i++) {
        int own = hand_own<COLUMNS>(first + i);
        if (own < here) a[own] = b[own] == 0 ? 0 : a[own] / b[own];
      }
    hand_copy<DEPTH, COLUMNS>(quotient + at, a, here);
  }
}

/* ---- multiplication ---- */

/* The separator's entry that belongs to an entry of the clique, in the array of all separators. */
static __device__ int hand_entry(const struct hand_mapping *mapping, int entry)
{
  int place = 0;

  for (int v = 0; v < mapping->count; v++)
    place = place * mapping->sizes[v] + entry / mapping->strides[v] % mapping->sizes[v];
  return mapping->first + place;
}

template <int DEPTH, bool COLUMNS, int CHILDREN>
__global__ void hand_multiply(REAL *clique, const REAL *factors, struct hand_mappings maps)
{
  __shared__ REAL tile[HAND_TILE], held[HAND_VALUES];
  int children = CHILDREN ? CHILDREN : maps.count;

  for (int i = threadIdx.x; i < maps.values; i += HAND_THREADS) held[i] = factors[i];
  __syncthreads();
  for (int at = blockIdx.x * HAND_TILE; at < maps.size; at += gridDim.x * HAND_TILE) {
    int here = maps.size - at < HAND_TILE ? maps.size - at : HAND_TILE;
    hand_copy<DEPTH, COLUMNS>(tile, clique + at, here);
#pragma unroll 1
    for (int first = 0; first < HAND_CHUNK; first += DEPTH)
#pragma unroll
      for (int i = 0; i < DEPTH; i++) {
        int own = hand_own<COLUMNS>(first + i);
        if (own >= here) continue;
        REAL product = tile[own];
        for (int k = 0; k < children; k++) product *= held[hand_entry(&maps.of[k], at + own)];
        tile[own] = product;
      }
    hand_copy<DEPTH, COLUMNS>(clique + at, tile, here);
  }
}

/* ---- marginalisation ---- */

/* Where an entry of the tile is in shared memory. */
template <bool COLUMNS> static __device__ int hand_place(int entry)
{
  return COLUMNS ? entry % HAND_CHUNK * HAND_PITCH + entry / HAND_CHUNK : entry;
}

/* The tile's entry with number j among those where the separator's variables are 0. */
static __device__ int hand_spread(const struct hand_mapping *mapping, int j)
{
  int entry = j;

  for (int v = mapping->count; v-- > mapping->count - mapping->tile_count;) {
    int stride = mapping->strides[v];
    entry = entry / stride * stride * mapping->sizes[v] + entry % stride;
  }
  return entry;
}

/* The first entry of the tile of value `low` of the separator. */
static __device__ int hand_base(const struct hand_mapping *mapping, int low)
{
  int entry = 0;

  for (int v = mapping->count; v-- > mapping->count - mapping->tile_count;) {
    entry += low % mapping->sizes[v] * mapping->strides[v];
    low /= mapping->sizes[v];
  }
  return entry;
}

/* What one thread adds up of a tile: a part of the entries that go to one value. */
template <int DEPTH, bool COLUMNS>
static __device__ REAL hand_sum(const REAL *tile, const struct hand_mapping *mapping, int size,
                                int low, int part, int parts)
{
  int base = hand_base(mapping, low), count = size / mapping->tile_size;
  int last = mapping->count - 1;
  int run = DEPTH > 1 && (!mapping->tile_count || mapping->strides[last] % HAND_CHUNK == 0) &&
                    count % HAND_CHUNK == 0
                ? HAND_CHUNK
                : 1;
  int groups = count / run, each = (groups + parts - 1) / parts;
  int begin = COLUMNS ? part : part * each, step = COLUMNS ? parts : 1;
  int end = COLUMNS || begin + each > groups ? groups : begin + each;
  REAL sum = 0;

  if (run > 1) {
    for (int g = begin; g < end; g += step) {
      int entry = base + hand_spread(mapping, g * HAND_CHUNK);
#pragma unroll
      for (int i = 0; i < HAND_CHUNK; i++) sum += tile[hand_place<COLUMNS>(entry + i)];
    }
  } else {
#pragma unroll DEPTH
    for (int g = begin; g < end; g += step)
      sum += tile[hand_place<COLUMNS>(base + hand_spread(mapping, g))];
  }
  return sum;
}

/* The tile of a row goes to the block's sums: a thread has a value of a separator, or shares it. */
template <int DEPTH, bool COLUMNS, int CHILDREN>
static __device__ void hand_add(const REAL *tile, REAL *sums, int row,
                                const struct hand_mappings &maps)
{
  int children = CHILDREN ? CHILDREN : maps.count, shared = maps.items < HAND_THREADS;
  int part = !shared ? 0 : COLUMNS ? threadIdx.x % maps.parts : threadIdx.x / maps.items;
  int item = !shared ? threadIdx.x : COLUMNS ? threadIdx.x / maps.parts : threadIdx.x % maps.items;

  for (; item < maps.items && part < maps.parts; item += shared ? maps.items : HAND_THREADS) {
    int low = item, k = 0;
    for (int c = 0; c < children - 1; c++)
      if (k == c && low >= maps.of[c].tile_size) low -= maps.of[c].tile_size, k = c + 1;
    const struct hand_mapping *mapping = &maps.of[k];
    int high = 0;
    for (int v = 0; v < mapping->count - mapping->tile_count; v++)
      high = high * mapping->sizes[v] + row / (mapping->strides[v] / maps.tile) % mapping->sizes[v];
    sums[(mapping->first + high * mapping->tile_size + low) * maps.parts + part] +=
        hand_sum<DEPTH, COLUMNS>(tile, mapping, maps.tile, low, part, maps.parts);
  }
}

template <int DEPTH, bool COLUMNS, int CHILDREN>
__global__ void hand_marginalise(const REAL *clique, REAL *partial, struct hand_mappings maps)
{
  __shared__ REAL tile[HAND_CHUNK * HAND_PITCH], sums[HAND_SUMS];
  int rows = maps.size / maps.tile;

  for (int i = threadIdx.x; i < maps.values * maps.parts; i += HAND_THREADS) sums[i] = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    __syncthreads();
#pragma unroll 1
    for (int first = 0; first < HAND_CHUNK; first += DEPTH)
#pragma unroll
      for (int i = 0; i < DEPTH; i++) {
        int own = hand_own<COLUMNS>(first + i);
        if (own < maps.tile)
          tile[hand_place<COLUMNS>(own)] = clique[(long long)row * maps.tile + own];
      }
    __syncthreads();
    hand_add<DEPTH, COLUMNS, CHILDREN>(tile, sums, row, maps);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < maps.values; i += HAND_THREADS) {
    REAL sum = 0;
    for (int part = 0; part < maps.parts; part++) sum += sums[i * maps.parts + part];
    partial[(long long)blockIdx.x * maps.values + i] = sum;
  }
}

__global__ void hand_collect(const REAL *partial, REAL *separators, int values, int blocks)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < values) {
    REAL sum = 0;
    for (int b = 0; b < blocks; b++) sum += partial[b * values + i];
    separators[i] = sum;
  }
}

/* ---- for the host ---- */

struct junction_hand_plan {
  struct hand_mappings maps;
  REAL *partial; /* a block's sums behind each other; owned */
};

/* The least significant digits that fill a tile; its entries. */
static int hand_tile_of(const struct junction_shape *shape)
{
  size_t tile = 1;

  for (unsigned i = shape->count; i-- > 0 && tile * shape->sizes[i] <= HAND_TILE;)
    tile *= shape->sizes[i];
  return (int)tile;
}

static bool hand_map(struct hand_mappings *maps, const struct junction_mapping *from,
                     struct hand_mapping *ret)
{
  if (from->count > HAND_WIDTH) return false;
  ret->count = (int)from->count;
  ret->tile_count = 0;
  ret->tile_size = 1;
  ret->first = (int)from->first;
  for (unsigned v = 0; v < from->count; v++) {
    ret->sizes[v] = (int)from->sizes[v];
    ret->strides[v] = (int)from->strides[v];
    if (from->strides[v] >= (size_t)maps->tile) continue;
    ret->tile_count++;
    ret->tile_size *= ret->sizes[v];
  }
  maps->values += (int)from->size;
  maps->items += ret->tile_size;
  return maps->values <= HAND_VALUES;
}

static struct junction_hand_plan *hand_plan(const struct junction_shape *shape, unsigned count,
                                            const struct junction_mapping *mappings)
{
  size_t size = 1;
  for (unsigned i = 0; i < shape->count; i++) size *= shape->sizes[i];
  bool fits = count && count <= HAND_SEPARATORS && size < ((size_t)1 << 31) - HAND_TILE;

  if (!fits) return NULL;
  struct junction_hand_plan *ret = (struct junction_hand_plan *)calloc(1, sizeof *ret);
  if (!ret) return NULL;
  ret->maps.count = (int)count;
  ret->maps.size = (int)size;
  ret->maps.tile = hand_tile_of(shape);
  for (unsigned k = 0; fits && k < count; k++)
    fits = hand_map(&ret->maps, &mappings[k], &ret->maps.of[k]);
  int parts = HAND_THREADS / (ret->maps.items < HAND_THREADS ? ret->maps.items : HAND_THREADS);
  int room = HAND_SUMS / (ret->maps.values > 0 ? ret->maps.values : 1);
  ret->maps.parts = parts < room ? parts : room;
  size_t sums = (size_t)JUNCTION_MOST_BLOCKS * ret->maps.values;
  if (fits) ret->partial = (REAL *)JUNCTION_ALLOC((sums + 1) * sizeof(REAL));
  if (!ret->partial) {
    free(ret);
    return NULL;
  }
  return ret;
}

static void hand_release(struct junction_hand_plan *hand)
{
  if (!hand) return;
  JUNCTION_FREE(hand->partial);
  free(hand);
}

static void hand_sum_naive(const struct hand_mappings &maps, unsigned blocks, const REAL *clique,
                           REAL *partial)
{
  hand_marginalise<1, false, 0><<<blocks, HAND_THREADS>>>(clique, partial, maps);
}

static void hand_sum_unrolled(const struct hand_mappings &maps, unsigned blocks, const REAL *clique,
                              REAL *partial)
{
  if (maps.count == 1)
    hand_marginalise<HAND_CHUNK, false, 1><<<blocks, HAND_THREADS>>>(clique, partial, maps);
  else if (maps.count == 2)
    hand_marginalise<HAND_CHUNK, false, 2><<<blocks, HAND_THREADS>>>(clique, partial, maps);
  else if (maps.count == 4)
    hand_marginalise<HAND_CHUNK, false, 4><<<blocks, HAND_THREADS>>>(clique, partial, maps);
  else
    hand_marginalise<HAND_CHUNK, false, 0><<<blocks, HAND_THREADS>>>(clique, partial, maps);
}

static void hand_sum_columns(const struct hand_mappings &maps, unsigned blocks, const REAL *clique,
                             REAL *partial)
{
  if (maps.count == 1)
    hand_marginalise<HAND_CHUNK, true, 1><<<blocks, HAND_THREADS>>>(clique, partial, maps);
  else if (maps.count == 2)
    hand_marginalise<HAND_CHUNK, true, 2><<<blocks, HAND_THREADS>>>(clique, partial, maps);
  else if (maps.count == 4)
    hand_marginalise<HAND_CHUNK, true, 4><<<blocks, HAND_THREADS>>>(clique, partial, maps);
  else
    hand_marginalise<HAND_CHUNK, true, 0><<<blocks, HAND_THREADS>>>(clique, partial, maps);
}

static void hand_run_marginalise(const struct junction_hand_plan *hand, enum junction_form form,
                                 unsigned blocks, const real *clique, real *separators)
{
  int values = hand->maps.values;

  if (form == JUNCTION_NAIVE)
    hand_sum_naive(hand->maps, blocks, clique, hand->partial);
  else if (form == JUNCTION_UNROLLED)
    hand_sum_unrolled(hand->maps, blocks, clique, hand->partial);
  else
    hand_sum_columns(hand->maps, blocks, clique, hand->partial);
  hand_collect<<<(values + HAND_THREADS - 1) / HAND_THREADS, HAND_THREADS>>>(
      hand->partial, separators, values, (int)blocks);
}

static void hand_run_divide(enum junction_form form, unsigned blocks, const real *above,
                            const real *below, size_t count, real *ret)
{
  if (form == JUNCTION_NAIVE)
    hand_divide<1, false><<<blocks, HAND_THREADS>>>(above, below, ret, (int)count);
  else if (form == JUNCTION_UNROLLED)
    hand_divide<HAND_CHUNK, false><<<blocks, HAND_THREADS>>>(above, below, ret, (int)count);
  else
    hand_divide<HAND_CHUNK, true><<<blocks, HAND_THREADS>>>(above, below, ret, (int)count);
}

static void hand_product_unrolled(const struct hand_mappings &maps, unsigned blocks,
                                  const REAL *factors, REAL *clique)
{
  if (maps.count == 1)
    hand_multiply<HAND_CHUNK, false, 1><<<blocks, HAND_THREADS>>>(clique, factors, maps);
  else if (maps.count == 2)
    hand_multiply<HAND_CHUNK, false, 2><<<blocks, HAND_THREADS>>>(clique, factors, maps);
  else if (maps.count == 4)
    hand_multiply<HAND_CHUNK, false, 4><<<blocks, HAND_THREADS>>>(clique, factors, maps);
  else
    hand_multiply<HAND_CHUNK, false, 0><<<blocks, HAND_THREADS>>>(clique, factors, maps);
}

static void hand_product_columns(const struct hand_mappings &maps, unsigned blocks,
                                 const REAL *factors, REAL *clique)
{
  if (maps.count == 1)
    hand_multiply<HAND_CHUNK, true, 1><<<blocks, HAND_THREADS>>>(clique, factors, maps);
  else if (maps.count == 2)
    hand_multiply<HAND_CHUNK, true, 2><<<blocks, HAND_THREADS>>>(clique, factors, maps);
  else if (maps.count == 4)
    hand_multiply<HAND_CHUNK, true, 4><<<blocks, HAND_THREADS>>>(clique, factors, maps);
  else
    hand_multiply<HAND_CHUNK, true, 0><<<blocks, HAND_THREADS>>>(clique, factors, maps);
}

static void hand_run_multiply(const struct junction_hand_plan *hand, enum junction_form form,
                              unsigned blocks, const real *factors, real *clique)
{
  if (form == JUNCTION_NAIVE)
    hand_multiply<1, false, 0><<<blocks, HAND_THREADS>>>(clique, factors, hand->maps);
  else if (form == JUNCTION_UNROLLED)
    hand_product_unrolled(hand->maps, blocks, factors, clique);
  else
    hand_product_columns(hand->maps, blocks, factors, clique);
}

static const struct junction_hand hand = {hand_plan, hand_release, hand_run_marginalise,
                                          hand_run_divide, hand_run_multiply};
