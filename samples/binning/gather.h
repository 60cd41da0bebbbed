/* gather.h - the kernels of a function of limited range: an output is computed by one thread (at
 * elements, LANES), which goes through the bins within reach.
 *
 * Included by the application's .mcu behind contribution.h. Outputs on a lattice: a block works on
 * a tile of points, and all its threads go through the same bins. AT_ELEMENTS: some threads have an
 * element, their neighbours those of the same bin, and go through the bins around it. No copy in
 * shared memory is written here; that is the translator's business. The forms differ in how they
 * find elements only.
 */
#ifndef LIMITED_GATHER_H
#define LIMITED_GATHER_H

#include <math.h>
#include <mesi_bin.h>
#include <stdio.h>
#include <stdlib.h>

#include "limited.h"

#define PITCH (WORDS <= 4 ? 4 : WORDS <= 8 ? 8 : WORDS <= 16 ? 16 : WORDS)

struct alignas(WORDS % 4 == 0 ? 16 : WORDS % 2 == 0 ? 8 : 4) element {
  float word[WORDS];
};

struct alignas(16) padded_element {
  float word[PITCH];
};

struct walk {     /* limited_space for kernels */
  int nx, ny, nz; /* bins */
  int px, py, pz; /* points */
  int step_x, step_y, step_z, after_x, after_y, after_z, before;
  float spacing;
  float low[3], inverse[3], reach;
  int targets;
};

/* What every form begins with: the output's place (x, y, z), its number `index` (-1: none), the
 * bins x0 .. x1, y0 .. y1, z0 .. z1. */
#ifdef AT_ELEMENTS

__device__ inline int first_bin(float at, float low, float inverse, float reach)
{
  return (int)fmaxf((at - reach - low) * inverse, 0.0f);
}

__device__ inline int last_bin(float at, float low, float inverse, float reach, int bins)
{
  return (int)fminf((at + reach - low) * inverse, (float)(bins - 1));
}

/* An output's lanes take every LANES-th element of a range, so that long ranges and short ones keep
 * a warp busy. */
#ifndef LANES
#define LANES 8
#endif
#define FIRST_ELEMENT (int)(threadIdx.x % LANES)

#define OUTPUT_PLACE \
  const int place = (blockIdx.x * blockDim.x + threadIdx.x) / LANES; \
  const int index = order[place < w.targets ? place : w.targets - 1]; \
  const float x = targets[index].word[0], y = targets[index].word[1], z = targets[index].word[2]; \
  const int x0 = first_bin(x, w.low[0], w.inverse[0], w.reach), \
            x1 = last_bin(x, w.low[0], w.inverse[0], w.reach, w.nx); \
  const int y0 = first_bin(y, w.low[1], w.inverse[1], w.reach), \
            y1 = last_bin(y, w.low[1], w.inverse[1], w.reach, w.ny); \
  const int z0 = first_bin(z, w.low[2], w.inverse[2], w.reach), \
            z1 = last_bin(z, w.low[2], w.inverse[2], w.reach, w.nz); \
  float sum[CHANNELS] = {};
#define OUTPUT_STORE \
  for (int c = 0; c < CHANNELS; c++) { \
    for (int step = 1; step < LANES; step *= 2) \
      sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], step); \
    if (place < w.targets && threadIdx.x % LANES == 0) out[index * CHANNELS + c] = sum[c]; \
  }

#else

#define LANES 1
#define FIRST_ELEMENT 0

#define OUTPUT_PLACE \
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, \
            k = blockIdx.z * blockDim.z + threadIdx.z; \
  const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; \
  const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, \
            tile_z = (int)blockIdx.z * w.step_z; \
  const int x0 = tile_x > w.before ? tile_x - w.before : 0, \
            x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; \
  const int y0 = tile_y > w.before ? tile_y - w.before : 0, \
            y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; \
  const int z0 = tile_z > w.before ? tile_z - w.before : 0, \
            z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; \
  float sum[CHANNELS] = {};
#define OUTPUT_STORE \
  if (i < w.px && j < w.py && k < w.pz) \
    for (int c = 0; c < CHANNELS; c++) out[((k * w.py + j) * w.px + i) * CHANNELS + c] = sum[c];

#endif

__global__ void gather_ranges(const element *elements, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++) {
      const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0],
                size = offsets[row + x1 + 1] - begin;
      for (int at = FIRST_ELEMENT; at < size; at += LANES) {
        const element e = elements[begin + at];
        contribute(e.word, x, y, z, sum);
      }
    }
  OUTPUT_STORE
}

__global__ void gather_single(const element *elements, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++)
      for (int bx = x0; bx <= x1; bx++) {
        const int bin = (bz * w.ny + by) * w.nx + bx, begin = offsets[bin],
                  size = offsets[bin + 1] - begin;
        for (int at = FIRST_ELEMENT; at < size; at += LANES) {
          const element e = elements[begin + at];
          contribute(e.word, x, y, z, sum);
        }
      }
  OUTPUT_STORE
}

__global__ void gather_counted(const element *elements, const int *sizes, int depth,
                               const element *targets, const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++)
      for (int bx = x0; bx <= x1; bx++) {
        const int bin = (bz * w.ny + by) * w.nx + bx, size = sizes[bin];
        for (int at = FIRST_ELEMENT; at < size; at += LANES) {
          const element e = elements[(long long)bin * depth + at];
          contribute(e.word, x, y, z, sum);
        }
      }
  OUTPUT_STORE
}

__global__ void gather_sentinel(const element *elements, int depth, const element *targets,
                                const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++)
      for (int bx = x0; bx <= x1; bx++) {
        const int bin = (bz * w.ny + by) * w.nx + bx;
        for (int at = FIRST_ELEMENT; at < depth; at += LANES) {
          const element e = elements[(long long)bin * depth + at];
          if (e.word[0] >= MESI_BIN_NOTHING) break;
          contribute(e.word, x, y, z, sum);
        }
      }
  OUTPUT_STORE
}

__global__ void gather_padded(const padded_element *elements, const int *offsets,
                              const element *targets, const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++) {
      const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0],
                size = offsets[row + x1 + 1] - begin;
      for (int at = FIRST_ELEMENT; at < size; at += LANES) {
        const padded_element e = elements[begin + at];
        contribute(e.word, x, y, z, sum);
      }
    }
  OUTPUT_STORE
}

__global__ void gather_vectors(const float *words, const int *offsets, const element *targets,
                               const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++) {
      const int row = (bz * w.ny + by) * w.nx, end = offsets[row + x1 + 1];
      for (int at = offsets[row + x0] + FIRST_ELEMENT; at < end; at += LANES) {
        element e;
        for (int word = 0; word < WORDS; word++)
          e.word[word] = words[at / LIMITED_VECTOR * (LIMITED_VECTOR * WORDS) +
                               word * LIMITED_VECTOR + at % LIMITED_VECTOR];
        contribute(e.word, x, y, z, sum);
      }
    }
  OUTPUT_STORE
}

/* Word w of 2 or 4 elements is a vector; a range begins and ends within one. */
__device__ inline float part_of(float2 vector, int i) { return i ? vector.y : vector.x; }

__device__ inline float part_of(float4 vector, int i)
{
  return i < 2 ? (i ? vector.y : vector.x) : i < 3 ? vector.z : vector.w;
}

__global__ void gather_float2(const float2 *words, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++) {
      const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0],
                end = offsets[row + x1 + 1];
      for (int at = begin / 2 + FIRST_ELEMENT; at < (end + 1) / 2; at += LANES) {
        float2 read[WORDS];
        for (int word = 0; word < WORDS; word++) read[word] = words[(long long)at * WORDS + word];
        for (int i = 0; i < 2; i++) {
          element e;
          for (int word = 0; word < WORDS; word++) e.word[word] = part_of(read[word], i);
          if (at * 2 + i >= begin && at * 2 + i < end) contribute(e.word, x, y, z, sum);
        }
      }
    }
  OUTPUT_STORE
}

__global__ void gather_float4(const float4 *words, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++) {
      const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0],
                end = offsets[row + x1 + 1];
      for (int at = begin / 4 + FIRST_ELEMENT; at < (end + 3) / 4; at += LANES) {
        float4 read[WORDS];
        for (int word = 0; word < WORDS; word++) read[word] = words[(long long)at * WORDS + word];
        for (int i = 0; i < 4; i++) {
          element e;
          for (int word = 0; word < WORDS; word++) e.word[word] = part_of(read[word], i);
          if (at * 4 + i >= begin && at * 4 + i < end) contribute(e.word, x, y, z, sum);
        }
      }
    }
  OUTPUT_STORE
}

__global__ void gather_aligned(const element *elements, const int *offsets, const int *sizes,
                               const element *targets, const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++)
      for (int bx = x0; bx <= x1; bx++) {
        const int bin = (bz * w.ny + by) * w.nx + bx, begin = offsets[bin], size = sizes[bin];
        for (int at = FIRST_ELEMENT; at < size; at += LANES) {
          const element e = elements[begin + at];
          contribute(e.word, x, y, z, sum);
        }
      }
  OUTPUT_STORE
}

/* Regular bins in runs along x: rooms that are empty are read, too. */
__global__ void gather_rooms(const element *elements, const int *sizes, int depth,
                             const element *targets, const int *order, float *out, struct walk w)
{
  OUTPUT_PLACE
  for (int bz = z0; bz <= z1; bz++)
    for (int by = y0; by <= y1; by++) {
      const int row = (bz * w.ny + by) * w.nx + x0, size = (x1 - x0 + 1) * depth;
      for (int at = FIRST_ELEMENT; at < size; at += LANES) {
        const element e = elements[(long long)row * depth + at];
        if (at % depth < sizes[row + at / depth]) contribute(e.word, x, y, z, sum);
      }
    }
  OUTPUT_STORE
}

/* The paper's figure 4: without bins an output goes through all elements. */
__global__ void gather_everything(const element *elements, const int *offsets,
                                  const element *targets, const int *order, float *out,
                                  struct walk w)
{
  OUTPUT_PLACE
  const int count = offsets[w.nx * w.ny * w.nz];
  for (int at = FIRST_ELEMENT; at < count; at += LANES) {
    const element e = elements[at];
    contribute(e.word, x, y, z, sum);
  }
  OUTPUT_STORE
}

/* The paper's figure 2: a thread has an element, and adds to the outputs within its reach. */
#ifdef AT_ELEMENTS

__global__ void scatter_atomic(const element *elements, const int *offsets, const element *targets,
                               const int *order, float *out, struct walk w)
{
  const int number = blockIdx.x * blockDim.x + threadIdx.x;

  if (number < offsets[w.nx * w.ny * w.nz]) {
    const element e = elements[number];
    const int x0 = first_bin(e.word[0], w.low[0], w.inverse[0], w.reach),
              x1 = last_bin(e.word[0], w.low[0], w.inverse[0], w.reach, w.nx);
    const int y0 = first_bin(e.word[1], w.low[1], w.inverse[1], w.reach),
              y1 = last_bin(e.word[1], w.low[1], w.inverse[1], w.reach, w.ny);
    const int z0 = first_bin(e.word[2], w.low[2], w.inverse[2], w.reach),
              z1 = last_bin(e.word[2], w.low[2], w.inverse[2], w.reach, w.nz);
    for (int bz = z0; bz <= z1; bz++)
      for (int by = y0; by <= y1; by++) {
        const int row = (bz * w.ny + by) * w.nx;
        for (int place = offsets[row + x0]; place < offsets[row + x1 + 1]; place++) {
          const int index = order[place];
          float sum[CHANNELS] = {};
          contribute(e.word, targets[index].word[0], targets[index].word[1], targets[index].word[2],
                     sum);
          for (int c = 0; c < CHANNELS; c++)
            if (sum[c] != 0) atomicAdd(&out[index * CHANNELS + c], sum[c]);
        }
      }
  }
}

#else

__global__ void scatter_atomic(const element *elements, const int *offsets, float *out,
                               struct walk w)
{
  const int number = blockIdx.x * blockDim.x + threadIdx.x;

  if (number < offsets[w.nx * w.ny * w.nz]) {
    const element e = elements[number];
    const int i0 = max((int)ceilf((e.word[0] - w.reach) / w.spacing), 0),
              i1 = min((int)floorf((e.word[0] + w.reach) / w.spacing), w.px - 1);
    const int j0 = max((int)ceilf((e.word[1] - w.reach) / w.spacing), 0),
              j1 = min((int)floorf((e.word[1] + w.reach) / w.spacing), w.py - 1);
    const int k0 = max((int)ceilf((e.word[2] - w.reach) / w.spacing), 0),
              k1 = min((int)floorf((e.word[2] + w.reach) / w.spacing), w.pz - 1);
    for (int k = k0; k <= k1; k++)
      for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
          float sum[CHANNELS] = {};
          contribute(e.word, i * w.spacing, j * w.spacing, k * w.spacing, sum);
          for (int c = 0; c < CHANNELS; c++)
            if (sum[c] != 0) atomicAdd(&out[((k * w.py + j) * w.px + i) * CHANNELS + c], sum[c]);
        }
  }
}

#endif

__global__ void clear_out(float *out, long long count)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) out[i] = 0;
}

/* A block has a piece of a bin, and goes through the outputs within its reach. */
#ifdef AT_ELEMENTS

/* Of all elements in the order of the bins, the first one in or behind the bin. */
#define FIRST_OF(bin) (offsets[bin] + overflow_offsets[bin])

__global__ void gather_pieces(const element *overflow, const mesi_bin_piece *pieces,
                              const int *offsets, const int *overflow_offsets,
                              const element *targets, const int *order, float *out, struct walk w,
                              int around)
{
  const mesi_bin_piece piece = pieces[blockIdx.x];
  const int bx = piece.bin % w.nx, by = piece.bin / w.nx % w.ny, bz = piece.bin / w.nx / w.ny;
  const int x0 = max(bx - around, 0), x1 = min(bx + around, w.nx - 1), y0 = max(by - around, 0),
            y1 = min(by + around, w.ny - 1);
  const int z0 = max(bz - around, 0), z1 = min(bz + around, w.nz - 1);

  for (int z = z0; z <= z1; z++)
    for (int y = y0; y <= y1; y++) {
      const int row = (z * w.ny + y) * w.nx, last = FIRST_OF(row + x1 + 1);
      for (int place = FIRST_OF(row + x0) + (int)threadIdx.x; place < last; place += blockDim.x) {
        const int index = order[place];
        const element at = targets[index];
        float sum[CHANNELS] = {};
        for (int number = piece.begin; number < piece.end; number++) {
          const element e = overflow[number];
          contribute(e.word, at.word[0], at.word[1], at.word[2], sum);
        }
        for (int c = 0; c < CHANNELS; c++) atomicAdd(&out[index * CHANNELS + c], sum[c]);
      }
    }
}

#else

__global__ void gather_pieces(const element *overflow, const mesi_bin_piece *pieces, float *out,
                              struct walk w, float edge)
{
  const mesi_bin_piece piece = pieces[blockIdx.x];
  const int bx = piece.bin % w.nx, by = piece.bin / w.nx % w.ny, bz = piece.bin / w.nx / w.ny;
  const float lx = w.low[0] + bx * edge - w.reach, ly = w.low[1] + by * edge - w.reach,
              lz = w.low[2] + bz * edge - w.reach;
  const float across = edge + 2 * w.reach;
  const int i0 = max((int)ceilf(lx / w.spacing), 0),
            i1 = min((int)floorf((lx + across) / w.spacing), w.px - 1);
  const int j0 = max((int)ceilf(ly / w.spacing), 0),
            j1 = min((int)floorf((ly + across) / w.spacing), w.py - 1);
  const int k0 = max((int)ceilf(lz / w.spacing), 0),
            k1 = min((int)floorf((lz + across) / w.spacing), w.pz - 1);
  const int ni = i1 - i0 + 1, nj = j1 - j0 + 1, all = ni * nj * (k1 - k0 + 1);

  for (int number = threadIdx.x; number < all; number += blockDim.x) {
    const int i = i0 + number % ni, j = j0 + number / ni % nj, k = k0 + number / ni / nj;
    float sum[CHANNELS] = {};
    for (int at = piece.begin; at < piece.end; at++) {
      const element e = overflow[at];
      contribute(e.word, i * w.spacing, j * w.spacing, k * w.spacing, sum);
    }
    for (int c = 0; c < CHANNELS; c++)
      if (sum[c] != 0) atomicAdd(&out[((k * w.py + j) * w.px + i) * CHANNELS + c], sum[c]);
  }
}

#endif

__global__ void add_share(float *out, const float *other, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) out[i] += other[i];
}

/* ---- for the host ---- */

static struct walk walk_of(const struct limited_space *space)
{
  struct walk w;

  w.nx = space->grid.bins[0], w.ny = space->grid.bins[1], w.nz = space->grid.bins[2];
  w.px = space->points[0], w.py = space->points[1], w.pz = space->points[2];
  w.step_x = space->step[0], w.step_y = space->step[1], w.step_z = space->step[2];
  w.after_x = space->after[0], w.after_y = space->after[1], w.after_z = space->after[2];
  w.before = space->before;
  w.spacing = space->spacing;
  for (int a = 0; a < 3; a++) w.low[a] = space->grid.low[a], w.inverse[a] = space->grid.inverse[a];
  w.reach = space->cutoff;
  w.targets = (int)space->outputs;
  return w;
}

static void launch_scatter(const struct mesi_bins *bins, const element *targets, const int *order,
                           const struct limited_space *space, float *out)
{
  const struct walk w = walk_of(space);
  const long long numbers = (long long)space->outputs * CHANNELS;
  const int blocks = (int)((bins->count + 127) / 128);

  clear_out<<<(int)((numbers + 255) / 256), 256>>>(out, numbers);
#ifdef AT_ELEMENTS
  scatter_atomic<<<blocks, 128>>>((const element *)bins->elements, bins->offsets, targets, order,
                                  out, w);
#else
  (void)targets, (void)order;
  scatter_atomic<<<blocks, 128>>>((const element *)bins->elements, bins->offsets, out, w);
#endif
}

extern "C" void limited_gather(enum limited_form form, const struct mesi_bins *bins,
                               const struct limited_space *space, const float *targets,
                               const int *order, float *out)
{
  const struct walk w = walk_of(space);
  const element *elements = (const element *)bins->elements, *at = (const element *)targets;
  const int *offsets = bins->offsets, *sizes = bins->sizes;
#ifdef AT_ELEMENTS
  const dim3 block(128), grid((w.targets + 128 / LANES - 1) / (128 / LANES));
#else
  const dim3 block(TILE_X, TILE_Y, TILE_Z),
      grid((w.px + TILE_X - 1) / TILE_X, (w.py + TILE_Y - 1) / TILE_Y,
           (w.pz + TILE_Z - 1) / TILE_Z);
#endif

  switch (form) {
  case LIMITED_RANGES: gather_ranges<<<grid, block>>>(elements, offsets, at, order, out, w); break;
  case LIMITED_SINGLE: gather_single<<<grid, block>>>(elements, offsets, at, order, out, w); break;
  case LIMITED_COUNTED:
    gather_counted<<<grid, block>>>(elements, sizes, bins->depth, at, order, out, w);
    break;
  case LIMITED_SENTINEL:
    gather_sentinel<<<grid, block>>>(elements, bins->depth, at, order, out, w);
    break;
  case LIMITED_PADDED:
    gather_padded<<<grid, block>>>((const padded_element *)bins->elements, offsets, at, order, out,
                                   w);
    break;
  case LIMITED_VECTORS:
    gather_vectors<<<grid, block>>>(bins->elements, offsets, at, order, out, w);
    break;
  case LIMITED_FLOAT2:
    gather_float2<<<grid, block>>>((const float2 *)bins->elements, offsets, at, order, out, w);
    break;
  case LIMITED_FLOAT4:
    gather_float4<<<grid, block>>>((const float4 *)bins->elements, offsets, at, order, out, w);
    break;
  case LIMITED_ALIGNED:
    gather_aligned<<<grid, block>>>(elements, offsets, sizes, at, order, out, w);
    break;
  case LIMITED_REGULAR_RANGES:
    gather_rooms<<<grid, block>>>(elements, sizes, bins->depth, at, order, out, w);
    break;
  case LIMITED_EVERYTHING:
    gather_everything<<<grid, block>>>(elements, offsets, at, order, out, w);
    break;
  case LIMITED_SCATTER: launch_scatter(bins, at, order, space, out); break;
  default: break;
  }
}

extern "C" void limited_gather_pieces(const struct mesi_bins *bins,
                                      const struct mesi_bin_piece *pieces, int count,
                                      const struct limited_space *space, const float *targets,
                                      const int *order, float *out)
{
  const struct walk w = walk_of(space);

  if (count <= 0) return;
#ifdef AT_ELEMENTS
  const int around = (int)ceilf(space->cutoff * space->grid.inverse[0] - 1e-5f);
  gather_pieces<<<count, 128>>>((const element *)bins->overflow, pieces, bins->offsets,
                                bins->overflow_offsets, (const element *)targets, order, out, w,
                                around);
#else
  gather_pieces<<<count, 256>>>((const element *)bins->overflow, pieces, out, w,
                                space->grid.edge[0]);
#endif
}

extern "C" void limited_add(float *out, const float *other, long begin, long end)
{
  if (begin < end)
    add_share<<<(int)((end - begin + 255) / 256), 256>>>(out + begin, other + begin,
                                                         (int)(end - begin));
}

extern "C" void limited_wait(void) { cudaDeviceSynchronize(); }

static cudaEvent_t marks[2];

extern "C" void limited_mark(int which)
{
  if (!marks[0])
    for (int i = 0; i < 2; i++) cudaEventCreate(&marks[i]);
  cudaEventRecord(marks[which], 0);
}

extern "C" double limited_between(void)
{
  float ms = 0;

  cudaEventSynchronize(marks[1]);
  cudaEventElapsedTime(&ms, marks[0], marks[1]);
  return ms;
}

extern "C" const char *limited_device(void)
{
  static cudaDeviceProp properties;

  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "a device";
}

extern "C" float *limited_alloc(size_t count)
{
  float *ret = (float *)mesi_malloc((count + 1) * sizeof(float));

  if (!ret) {
    fprintf(stderr, "not enough memory: %zu bytes for elements or outputs\n", count * sizeof *ret);
    exit(2);
  }
  return ret;
}

extern "C" void limited_free(void *memory) { mesi_free(memory); }

#endif
