#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_9f627638; }
#line 1 "blob.mcu"
/* blob.mcu - the density that makes the surfaces of molecules, on a lattice.
 *
 * -DCUTOFF=3.0f -DBLOBBINESS=2.0f
 */
#include <math.h>

#include "limited.h"

#define CONTRIBUTION __device__ inline
#define CONTRIBUTE contribute
#include "number.h"
#include "contribution.h"
#line 1 "../binning/gather.h"
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

#include "../binning/limited.h"

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
// gather_ranges_strips: gather_ranges with strips of segments in shared memory: elements, 256 elements at a time of all segments of the loops around it, 5128 bytes.
#line 102 "../binning/gather.h"
__global__ void gather_ranges_strips(const element *elements, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) element _s_elements[256];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_begin[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 105 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_nest_trips(_m, _m_2);
      if (_m_3 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_3; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _begin = (int)0;
          int _i = _b + _t;
          if (_i < _m_3) {
            int bz = z0 + _i / _m_2;
            {
              int by = y0 + _i % _m_2;
              {
#line 108 "../binning/gather.h"
                const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], size = offsets[row + x1 + 1] - begin;
                {
                  _at = 0;
                  _n = mesi_segment_length<int>(_at, size);
                  _begin = begin;
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_begin[_t] = _begin;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 256 - _f ? (int)(_all - _a) : 256 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int begin = _r_begin[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
                mesi_copy_async<16>(&_s_elements[_slot], &elements[begin + _at_2]);
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 256) {
              mesi_copy_wait();
              __syncthreads();
#line 110 "../binning/gather.h"
              for (int _e = 0; _e < 256; _e++) {
                const element e = _s_elements[_e];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 110 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            const element e = _s_elements[_e_2];
            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 106 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++) {
            const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], size = offsets[row + x1 + 1] - begin;

            for (int at = 0; at < size; at += 1) {
              const element e = elements[begin + at];
              const float *e_2 = e.word;
              const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
              if (r2 < (float)3.0f * (float)3.0f)
                sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
            }
          }
      }
    }
#line 115 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 115 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 117 "../binning/gather.h"

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
// gather_single_strips: gather_single with strips of segments in shared memory: elements, 256 elements at a time of all segments of the loops around it, 5128 bytes.
#line 118 "../binning/gather.h"
__global__ void gather_single_strips(const element *elements, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) element _s_elements[256];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_begin[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 121 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_loop_trips<int>(x0, x1, 1, 1);
      int _m_4 = mesi_nest_trips(_m, _m_2, _m_3);
      if (_m_4 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_4; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _begin = (int)0;
          int _i = _b + _t;
          if (_i < _m_4) {
            int bz = z0 + _i / (_m_2 * _m_3);
            {
              int by = y0 + _i / _m_3 % _m_2;
              {
                int bx = x0 + _i % _m_3;
                {
#line 125 "../binning/gather.h"
                  const int bin = (bz * w.ny + by) * w.nx + bx, begin = offsets[bin], size = offsets[bin + 1] - begin;
                  {
                    _at = 0;
                    _n = mesi_segment_length<int>(_at, size);
                    _begin = begin;
                  }
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_begin[_t] = _begin;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 256 - _f ? (int)(_all - _a) : 256 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int begin = _r_begin[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
                mesi_copy_async<16>(&_s_elements[_slot], &elements[begin + _at_2]);
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 256) {
              mesi_copy_wait();
              __syncthreads();
#line 127 "../binning/gather.h"
              for (int _e = 0; _e < 256; _e++) {
                const element e = _s_elements[_e];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 127 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            const element e = _s_elements[_e_2];
            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 122 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++)
            for (int bx = x0; bx <= x1; bx++) {
              const int bin = (bz * w.ny + by) * w.nx + bx, begin = offsets[bin], size = offsets[bin + 1] - begin;

              for (int at = 0; at < size; at += 1) {
                const element e = elements[begin + at];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
            }
      }
    }
#line 132 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 132 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 134 "../binning/gather.h"

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
// gather_counted_strips: gather_counted with strips of segments in shared memory: elements, 256 elements at a time of all segments of the loops around it, 5128 bytes.
#line 135 "../binning/gather.h"
__global__ void gather_counted_strips(const element *elements, const int *sizes, int depth,
                               const element *targets, const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) element _s_elements[256];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_bin[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 138 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_loop_trips<int>(x0, x1, 1, 1);
      int _m_4 = mesi_nest_trips(_m, _m_2, _m_3);
      if (_m_4 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_4; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _bin = (int)0;
          int _i = _b + _t;
          if (_i < _m_4) {
            int bz = z0 + _i / (_m_2 * _m_3);
            {
              int by = y0 + _i / _m_3 % _m_2;
              {
                int bx = x0 + _i % _m_3;
                {
#line 142 "../binning/gather.h"
                  const int bin = (bz * w.ny + by) * w.nx + bx, size = sizes[bin];
                  {
                    _at = 0;
                    _n = mesi_segment_length<int>(_at, size);
                    _bin = bin;
                  }
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_bin[_t] = _bin;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 256 - _f ? (int)(_all - _a) : 256 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int bin = _r_bin[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
                mesi_copy_async<16>(&_s_elements[_slot], &elements[(long long)bin * depth + _at_2]);
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 256) {
              mesi_copy_wait();
              __syncthreads();
#line 143 "../binning/gather.h"
              for (int _e = 0; _e < 256; _e++) {
                const element e = _s_elements[_e];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 143 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            const element e = _s_elements[_e_2];
            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 139 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++)
            for (int bx = x0; bx <= x1; bx++) {
              const int bin = (bz * w.ny + by) * w.nx + bx, size = sizes[bin];
              for (int at = 0; at < size; at += 1) {
                const element e = elements[(long long)bin * depth + at];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
            }
      }
    }
#line 148 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 148 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 150 "../binning/gather.h"

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
// gather_padded_strips: gather_padded with strips of segments in shared memory: elements, 256 elements at a time of all segments of the loops around it, 5128 bytes.
#line 168 "../binning/gather.h"
__global__ void gather_padded_strips(const padded_element *elements, const int *offsets,
                              const element *targets, const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) padded_element _s_elements[256];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_begin[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 171 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_nest_trips(_m, _m_2);
      if (_m_3 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_3; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _begin = (int)0;
          int _i = _b + _t;
          if (_i < _m_3) {
            int bz = z0 + _i / _m_2;
            {
              int by = y0 + _i % _m_2;
              {
#line 174 "../binning/gather.h"
                const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], size = offsets[row + x1 + 1] - begin;
                {
                  _at = 0;
                  _n = mesi_segment_length<int>(_at, size);
                  _begin = begin;
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_begin[_t] = _begin;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 256 - _f ? (int)(_all - _a) : 256 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int begin = _r_begin[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
                mesi_copy_async<16>(&_s_elements[_slot], &elements[begin + _at_2]);
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 256) {
              mesi_copy_wait();
              __syncthreads();
#line 176 "../binning/gather.h"
              for (int _e = 0; _e < 256; _e++) {
                const padded_element e = _s_elements[_e];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 176 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            const padded_element e = _s_elements[_e_2];
            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 172 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++) {
            const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], size = offsets[row + x1 + 1] - begin;

            for (int at = 0; at < size; at += 1) {
              const padded_element e = elements[begin + at];
              const float *e_2 = e.word;
              const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
              if (r2 < (float)3.0f * (float)3.0f)
                sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
            }
          }
      }
    }
#line 181 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 181 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 183 "../binning/gather.h"

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
// gather_vectors_strips: gather_vectors with strips of segments in shared memory: words, 256 elements at a time of all segments of the loops around it, 4872 bytes.
#line 184 "../binning/gather.h"
__global__ void gather_vectors_strips(const float *words, const int *offsets, const element *targets,
                               const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) float _s_words[256][4];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 187 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_nest_trips(_m, _m_2);
      if (_m_3 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_3; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _i = _b + _t;
          if (_i < _m_3) {
            int bz = z0 + _i / _m_2;
            {
              int by = y0 + _i % _m_2;
              {
#line 190 "../binning/gather.h"
                const int row = (bz * w.ny + by) * w.nx, end = offsets[row + x1 + 1];
                {
                  _at = offsets[row + x0] + 0;
                  _n = mesi_segment_length<int>(_at, end);
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 256 - _f ? (int)(_all - _a) : 256 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
#pragma unroll
                for (int _w = 0; _w < 4; _w++)
                  mesi_copy_async<4>(&_s_words[_slot][_w], &words[_at_2 / LIMITED_VECTOR * (LIMITED_VECTOR * 4) + _w * LIMITED_VECTOR + _at_2 % LIMITED_VECTOR]);
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 256) {
              mesi_copy_wait();
              __syncthreads();
#line 191 "../binning/gather.h"
              for (int _e = 0; _e < 256; _e++) {
                element e;
                for (int word = 0; word < 4; word++)
                  e.word[word] = _s_words[_e][word];

                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 191 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            element e;
            for (int word = 0; word < 4; word++)
              e.word[word] = _s_words[_e_2][word];

            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 188 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++) {
            const int row = (bz * w.ny + by) * w.nx, end = offsets[row + x1 + 1];
            for (int at = offsets[row + x0] + 0; at < end; at += 1) {
              element e;
              for (int word = 0; word < 4; word++)
                e.word[word] = words[at / LIMITED_VECTOR * (LIMITED_VECTOR * 4) + word * LIMITED_VECTOR + at % LIMITED_VECTOR];

              const float *e_2 = e.word;
              const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
              if (r2 < (float)3.0f * (float)3.0f)
                sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
            }
          }
      }
    }
#line 199 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 199 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 201 "../binning/gather.h"

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
// gather_float2_strips: gather_float2 with strips of segments in shared memory: words, 64 elements at a time of all segments of the loops around it, 4104 bytes.
#line 210 "../binning/gather.h"
__global__ void gather_float2_strips(const float2 *words, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) float2 _s_words[64][4];
  __shared__ __align__(16) int _s_at[64];
  __shared__ __align__(16) int _s_begin[64];
  __shared__ __align__(16) int _s_end[64];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_begin[64];
  __shared__ __align__(16) int _r_end[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 213 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_nest_trips(_m, _m_2);
      if (_m_3 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_3; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _begin = (int)0;
          int _end = (int)0;
          int _i = _b + _t;
          if (_i < _m_3) {
            int bz = z0 + _i / _m_2;
            {
              int by = y0 + _i % _m_2;
              {
#line 216 "../binning/gather.h"
                const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], end = offsets[row + x1 + 1];
                {
                  _at = begin / 2 + 0;
                  _n = mesi_segment_length<int>(_at, (end + 1) / 2);
                  _begin = begin;
                  _end = end;
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_begin[_t] = _begin;
            _r_end[_t] = _end;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 64 - _f ? (int)(_all - _a) : 64 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int begin = _r_begin[_r];
              const int end = _r_end[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
#pragma unroll
                for (int _w = 0; _w < 4; _w++)
                  mesi_copy_async<8>(&_s_words[_slot][_w], &words[(long long)_at_2 * 4 + _w]);
                _s_at[_slot] = _at_2;
                _s_begin[_slot] = begin;
                _s_end[_slot] = end;
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 64) {
              mesi_copy_wait();
              __syncthreads();
#line 218 "../binning/gather.h"
              for (int _e = 0; _e < 64; _e++) {
                int at = _s_at[_e];
                const int begin = _s_begin[_e];
                const int end = _s_end[_e];
                {
#line 219 "../binning/gather.h"
                  float2 read[4];
                  for (int word = 0; word < 4; word++) read[word] = _s_words[_e][word];
                  for (int i_2 = 0; i_2 < 2; i_2++) {
                    element e;
                    for (int word = 0; word < 4; word++) e.word[word] = part_of(read[word], i_2);
                    if (at * 2 + i_2 >= begin && at * 2 + i_2 < end) {
#line 224 "../binning/gather.h"
                      const float *e_2 = e.word;
                      const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                      if (r2 < (float)3.0f * (float)3.0f)
                        sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                    }
                  }
                }
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 218 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            int at = _s_at[_e_2];
            const int begin = _s_begin[_e_2];
            const int end = _s_end[_e_2];
            {
#line 219 "../binning/gather.h"
              float2 read[4];
              for (int word = 0; word < 4; word++) read[word] = _s_words[_e_2][word];
              for (int i_2 = 0; i_2 < 2; i_2++) {
                element e;
                for (int word = 0; word < 4; word++) e.word[word] = part_of(read[word], i_2);
                if (at * 2 + i_2 >= begin && at * 2 + i_2 < end) {
#line 224 "../binning/gather.h"
                  const float *e_2 = e.word;
                  const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                  if (r2 < (float)3.0f * (float)3.0f)
                    sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                }
              }
            }
          }
          __syncthreads();
        }
      } else {
#line 214 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++) {
            const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], end = offsets[row + x1 + 1];

            for (int at = begin / 2 + 0; at < (end + 1) / 2; at += 1) {
              float2 read[4];
              for (int word = 0; word < 4; word++) read[word] = words[(long long)at * 4 + word];
              for (int i_2 = 0; i_2 < 2; i_2++) {
                element e;
                for (int word = 0; word < 4; word++) e.word[word] = part_of(read[word], i_2);
                if (at * 2 + i_2 >= begin && at * 2 + i_2 < end) {
#line 224 "../binning/gather.h"
                  const float *e_2 = e.word;
                  const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                  if (r2 < (float)3.0f * (float)3.0f)
                    sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                }
              }
            }
          }
      }
    }
#line 228 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 228 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 230 "../binning/gather.h"

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
// gather_float4_strips: gather_float4 with strips of segments in shared memory: words, 64 elements at a time of all segments of the loops around it, 6152 bytes.
#line 231 "../binning/gather.h"
__global__ void gather_float4_strips(const float4 *words, const int *offsets, const element *targets,
                              const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) float4 _s_words[64][4];
  __shared__ __align__(16) int _s_at[64];
  __shared__ __align__(16) int _s_begin[64];
  __shared__ __align__(16) int _s_end[64];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_begin[64];
  __shared__ __align__(16) int _r_end[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 234 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_nest_trips(_m, _m_2);
      if (_m_3 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_3; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _begin = (int)0;
          int _end = (int)0;
          int _i = _b + _t;
          if (_i < _m_3) {
            int bz = z0 + _i / _m_2;
            {
              int by = y0 + _i % _m_2;
              {
#line 237 "../binning/gather.h"
                const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], end = offsets[row + x1 + 1];
                {
                  _at = begin / 4 + 0;
                  _n = mesi_segment_length<int>(_at, (end + 3) / 4);
                  _begin = begin;
                  _end = end;
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_begin[_t] = _begin;
            _r_end[_t] = _end;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 64 - _f ? (int)(_all - _a) : 64 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int begin = _r_begin[_r];
              const int end = _r_end[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
#pragma unroll
                for (int _w = 0; _w < 4; _w++)
                  mesi_copy_async<16>(&_s_words[_slot][_w], &words[(long long)_at_2 * 4 + _w]);
                _s_at[_slot] = _at_2;
                _s_begin[_slot] = begin;
                _s_end[_slot] = end;
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 64) {
              mesi_copy_wait();
              __syncthreads();
#line 239 "../binning/gather.h"
              for (int _e = 0; _e < 64; _e++) {
                int at = _s_at[_e];
                const int begin = _s_begin[_e];
                const int end = _s_end[_e];
                {
#line 240 "../binning/gather.h"
                  float4 read[4];
                  for (int word = 0; word < 4; word++) read[word] = _s_words[_e][word];
                  for (int i_3 = 0; i_3 < 4; i_3++) {
                    element e;
                    for (int word = 0; word < 4; word++) e.word[word] = part_of(read[word], i_3);
                    if (at * 4 + i_3 >= begin && at * 4 + i_3 < end) {
#line 245 "../binning/gather.h"
                      const float *e_2 = e.word;
                      const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                      if (r2 < (float)3.0f * (float)3.0f)
                        sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                    }
                  }
                }
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 239 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            int at = _s_at[_e_2];
            const int begin = _s_begin[_e_2];
            const int end = _s_end[_e_2];
            {
#line 240 "../binning/gather.h"
              float4 read[4];
              for (int word = 0; word < 4; word++) read[word] = _s_words[_e_2][word];
              for (int i_3 = 0; i_3 < 4; i_3++) {
                element e;
                for (int word = 0; word < 4; word++) e.word[word] = part_of(read[word], i_3);
                if (at * 4 + i_3 >= begin && at * 4 + i_3 < end) {
#line 245 "../binning/gather.h"
                  const float *e_2 = e.word;
                  const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                  if (r2 < (float)3.0f * (float)3.0f)
                    sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                }
              }
            }
          }
          __syncthreads();
        }
      } else {
#line 235 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++) {
            const int row = (bz * w.ny + by) * w.nx, begin = offsets[row + x0], end = offsets[row + x1 + 1];

            for (int at = begin / 4 + 0; at < (end + 3) / 4; at += 1) {
              float4 read[4];
              for (int word = 0; word < 4; word++) read[word] = words[(long long)at * 4 + word];
              for (int i_3 = 0; i_3 < 4; i_3++) {
                element e;
                for (int word = 0; word < 4; word++) e.word[word] = part_of(read[word], i_3);
                if (at * 4 + i_3 >= begin && at * 4 + i_3 < end) {
#line 245 "../binning/gather.h"
                  const float *e_2 = e.word;
                  const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                  if (r2 < (float)3.0f * (float)3.0f)
                    sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                }
              }
            }
          }
      }
    }
#line 249 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 249 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 251 "../binning/gather.h"

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
// gather_aligned_strips: gather_aligned with strips of segments in shared memory: elements, 256 elements at a time of all segments of the loops around it, 5128 bytes.
#line 252 "../binning/gather.h"
__global__ void gather_aligned_strips(const element *elements, const int *offsets, const int *sizes,
                               const element *targets, const int *order, float *out, struct walk w)
{
  __shared__ __align__(16) element _s_elements[256];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_begin[64];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 255 "../binning/gather.h"
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z; const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; const int tile_x = (int)blockIdx.x * w.step_x, tile_y = (int)blockIdx.y * w.step_y, tile_z = (int)blockIdx.z * w.step_z; const int x0 = tile_x > w.before ? tile_x - w.before : 0, x1 = tile_x + w.after_x < w.nx ? tile_x + w.after_x : w.nx - 1; const int y0 = tile_y > w.before ? tile_y - w.before : 0, y1 = tile_y + w.after_y < w.ny ? tile_y + w.after_y : w.ny - 1; const int z0 = tile_z > w.before ? tile_z - w.before : 0, z1 = tile_z + w.after_z < w.nz ? tile_z + w.after_z : w.nz - 1; float sum[1] = {};
    {
      int _m = mesi_loop_trips<int>(z0, z1, 1, 1);
      int _m_2 = mesi_loop_trips<int>(y0, y1, 1, 1);
      int _m_3 = mesi_loop_trips<int>(x0, x1, 1, 1);
      int _m_4 = mesi_nest_trips(_m, _m_2, _m_3);
      if (_m_4 > 20) {
        int _f = 0;
        for (int _b = 0; _b < _m_4; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _begin = (int)0;
          int _i = _b + _t;
          if (_i < _m_4) {
            int bz = z0 + _i / (_m_2 * _m_3);
            {
              int by = y0 + _i / _m_3 % _m_2;
              {
                int bx = x0 + _i % _m_3;
                {
#line 259 "../binning/gather.h"
                  const int bin = (bz * w.ny + by) * w.nx + bx, begin = offsets[bin], size = sizes[bin];
                  {
                    _at = 0;
                    _n = mesi_segment_length<int>(_at, size);
                    _begin = begin;
                  }
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_begin[_t] = _begin;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c = _all - _a < 256 - _f ? (int)(_all - _a) : 256 - _f;
            for (int _q = _t; _q < _c; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              const int begin = _r_begin[_r];
              int _slot = _f + _q;
              {
                int _at_2 = _first[_r] + (int)(_a + _q - _sum[_r]);
                mesi_copy_async<16>(&_s_elements[_slot], &elements[begin + _at_2]);
              }
            }
            _f += _c;
            _a += _c;
            if (_f == 256) {
              mesi_copy_wait();
              __syncthreads();
#line 260 "../binning/gather.h"
              for (int _e = 0; _e < 256; _e++) {
                const element e = _s_elements[_e];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
#line 260 "../binning/gather.h"
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            const element e = _s_elements[_e_2];
            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 256 "../binning/gather.h"
        for (int bz = z0; bz <= z1; bz++)
          for (int by = y0; by <= y1; by++)
            for (int bx = x0; bx <= x1; bx++) {
              const int bin = (bz * w.ny + by) * w.nx + bx, begin = offsets[bin], size = sizes[bin];
              for (int at = 0; at < size; at += 1) {
                const element e = elements[begin + at];
                const float *e_2 = e.word;
                const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < (float)3.0f * (float)3.0f)
                  sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
              }
            }
      }
    }
#line 265 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 265 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[((k * w.py + j) * w.px + i) * 1 + c] = sum[c];
  }
}
#line 267 "../binning/gather.h"

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
// gather_everything_strips: gather_everything with strips of segments in shared memory: elements, 256 elements at a time of a segment of more than 32, 4096 bytes.
#line 285 "../binning/gather.h"
__global__ void gather_everything_strips(const element *elements, const int *offsets,
                                  const element *targets, const int *order, float *out,
                                  struct walk w)
{
  __shared__ __align__(16) element _s_elements[256];
  int _t = (int)((threadIdx.z * 2 + threadIdx.y) * 16 + threadIdx.x);
  {
#line 289 "../binning/gather.h"
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = (int)(blockIdx.y * blockDim.y + threadIdx.y), k = (int)(blockIdx.z * blockDim.z + threadIdx.z); const float x = i * w.spacing, y = j * w.spacing, z = k * w.spacing; float sum[1] = {};
    const int count = offsets[w.nx * w.ny * w.nz];
    {
      int _first = 0;
      int _end = count;
      if (_first < _end && _end - _first > 32) {
        for (int _at = _first; _at < _end; _at += 256) {
          int _n = _end - _at < 256 ? (int)(_end - _at) : 256;
          for (int _q = _t; _q < _n; _q += 64) {
            int _at_2 = _at + _q;
            mesi_copy_async<16>(&_s_elements[_q], &elements[_at_2]);
          }
          mesi_copy_wait();
          __syncthreads();
#line 291 "../binning/gather.h"
          for (int _e = 0; _e < _n; _e++) {
            const element e = _s_elements[_e];
            const float *e_2 = e.word;
            const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < (float)3.0f * (float)3.0f)
              sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
          }
          __syncthreads();
        }
      } else {
#line 291 "../binning/gather.h"
        for (int at = 0; at < count; at += 1) {
          const element e = elements[at];
          const float *e_2 = e.word;
          const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
          if (r2 < (float)3.0f * (float)3.0f)
            sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
        }
      }
    }
#line 295 "../binning/gather.h"
    if (i < w.px && j < w.py && k < w.pz)
#line 295 "../binning/gather.h"
      for (int c = 0; c < 1; c++) out[(int)(blockIdx.x * blockDim.x + threadIdx.x) + w.px * (int)(blockIdx.y * blockDim.y + threadIdx.y) + w.py * w.px * (int)(blockIdx.z * blockDim.z + threadIdx.z) + c] = sum[c];
  }
}
#line 297 "../binning/gather.h"

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
// scatter_atomic_part: scatter_atomic for a run of blocks along x, from _run.first of _run.blocks.
#line 331 "../binning/gather.h"
__global__ void scatter_atomic_part(const element *elements, const int *offsets, float *out,
                               struct walk w, const mesi_run _run) {
#line 334 "../binning/gather.h"
  const int number = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;

  if (number < offsets[w.nx * w.ny * w.nz]) {
    const element e = elements[number];
    const int i0 = max((int)ceilf((e.word[0] - w.reach) / w.spacing), 0), i1 = min((int)floorf((e.word[0] + w.reach) / w.spacing), w.px - 1);

    const int j0 = max((int)ceilf((e.word[1] - w.reach) / w.spacing), 0), j1 = min((int)floorf((e.word[1] + w.reach) / w.spacing), w.py - 1);

    const int k0 = max((int)ceilf((e.word[2] - w.reach) / w.spacing), 0), k1 = min((int)floorf((e.word[2] + w.reach) / w.spacing), w.pz - 1);

    for (int k = k0; k <= k1; k++)
      for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
          float sum[1] = {};
          contribute(e.word, i * w.spacing, j * w.spacing, k * w.spacing, sum);
          for (int c = 0; c < 1; c++)
            if (sum[c] != 0) atomicAdd(&out[((k * w.py + j) * w.px + i) * 1 + c], sum[c]);
        }
  }
}
#line 354 "../binning/gather.h"

#endif

__global__ void clear_out(float *out, long long count)
{
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) out[i] = 0;
}
// clear_out_mapped: clear_out with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
#line 357 "../binning/gather.h"
static __global__ void __launch_bounds__(256) clear_out_mapped(float *out, long long count, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 1024 + 0) < _total_x && (long long)(int)(blockIdx.x * 1024 + 0) < count && ((int)(blockIdx.x * 1024 + 1023) < _total_x && (long long)(int)(blockIdx.x * 1024 + 1023) < count) && mesi_vector_at(&out[(long long)(int)(blockIdx.x * 1024 + 0)]));
  if (_whole) {
    float _w_out[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
#line 361 "../binning/gather.h"
          _w_out[_x] = 0;
      }
    }
    mesi_vector_store(&out[(long long)(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
#line 359 "../binning/gather.h"
        long long i = (long long)(int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));

        if (i < count) out[i] = 0;
      }
    }
}
// clear_out_plain: clear_out for launches of less than 4325376 threads.
#line 357 "../binning/gather.h"
static __global__ void clear_out_plain(float *out, long long count, int _total_x) {
#line 359 "../binning/gather.h"
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) out[i] = 0;
}
// clear_out_mapped_part: clear_out_mapped for a run of blocks along x, from _run.first of _run.blocks.
#line 357 "../binning/gather.h"
static __global__ void __launch_bounds__(256) clear_out_mapped_part(float *out, long long count, int _total_x, const mesi_run _run) {
  bool _whole = true;
  _whole = _whole && ((int)((blockIdx.x + _run.first) * 1024 + 0) < _total_x && (long long)(int)((blockIdx.x + _run.first) * 1024 + 0) < count && ((int)((blockIdx.x + _run.first) * 1024 + 1023) < _total_x && (long long)(int)((blockIdx.x + _run.first) * 1024 + 1023) < count) && mesi_vector_at(&out[(long long)(int)((blockIdx.x + _run.first) * 1024 + 0)]));
  if (_whole) {
    float _w_out[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
#line 361 "../binning/gather.h"
          _w_out[_x] = 0;
      }
    }
    mesi_vector_store(&out[(long long)(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)((blockIdx.x + _run.first) * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
#line 359 "../binning/gather.h"
        long long i = (long long)(int)((blockIdx.x + _run.first) * 1024 + ((int)threadIdx.x + _x * 256));

        if (i < count) out[i] = 0;
      }
    }
}
// clear_out_plain_part: clear_out_plain for a run of blocks along x, from _run.first of _run.blocks.
#line 357 "../binning/gather.h"
static __global__ void clear_out_plain_part(float *out, long long count, int _total_x, const mesi_run _run) {
#line 359 "../binning/gather.h"
  long long i = (long long)(blockIdx.x + _run.first) * blockDim.x + threadIdx.x;

  if (i < count) out[i] = 0;
}
#line 363 "../binning/gather.h"

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
// gather_pieces_strips: gather_pieces with strips of segments in shared memory: overflow, 256 elements at a time of a segment of more than 32, 4096 bytes.
#line 399 "../binning/gather.h"
__global__ void gather_pieces_strips(const element *overflow, const mesi_bin_piece *pieces, float *out,
                              struct walk w, float edge)
{
  __shared__ __align__(16) element _s_overflow[256];
  int _t = (int)threadIdx.x;
  {
#line 402 "../binning/gather.h"
    const mesi_bin_piece piece = pieces[blockIdx.x];
    const int bx = piece.bin % w.nx, by = piece.bin / w.nx % w.ny, bz = piece.bin / w.nx / w.ny;
    const float lx = w.low[0] + bx * edge - w.reach, ly = w.low[1] + by * edge - w.reach, lz = w.low[2] + bz * edge - w.reach;

    const float across = edge + 2 * w.reach;
    const int i0 = max((int)ceilf(lx / w.spacing), 0), i1 = min((int)floorf((lx + across) / w.spacing), w.px - 1);

    const int j0 = max((int)ceilf(ly / w.spacing), 0), j1 = min((int)floorf((ly + across) / w.spacing), w.py - 1);

    const int k0 = max((int)ceilf(lz / w.spacing), 0), k1 = min((int)floorf((lz + across) / w.spacing), w.pz - 1);

    const int ni = i1 - i0 + 1, nj = j1 - j0 + 1, all = ni * nj * (k1 - k0 + 1);
    {
      int number = threadIdx.x;
      bool _p = number < all;
#line 415 "../binning/gather.h"
      while (__syncthreads_or(_p)) {
        {
#line 416 "../binning/gather.h"
          const int i = _p ? i0 + number % ni : (int)0; const int j = _p ? j0 + number / ni % nj : (int)0; const int k = _p ? k0 + number / ni / nj : (int)0;
          float sum[1] = {};
          {
            int _first = piece.begin;
            int _end = piece.end;
            if (_first < _end && _end - _first > 32) {
              for (int _at = _first; _at < _end; _at += 256) {
                int _n = _end - _at < 256 ? (int)(_end - _at) : 256;
                for (int _q = _t; _q < _n; _q += 256) {
                  int _at_2 = _at + _q;
                  mesi_copy_async<16>(&_s_overflow[_q], &overflow[_at_2]);
                }
                mesi_copy_wait();
                __syncthreads();
                if (_p)
#line 418 "../binning/gather.h"
                  for (int _e = 0; _e < _n; _e++) {
                    const element e = _s_overflow[_e];
                    const float *e_2 = e.word; float x = i * w.spacing; float y = j * w.spacing; float z = k * w.spacing;
                    const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                    if (r2 < (float)3.0f * (float)3.0f)
                      sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                  }
                __syncthreads();
              }
            } else {
              if (_p)
#line 418 "../binning/gather.h"
                for (int at = piece.begin; at < piece.end; at++) {
                  const element e = overflow[at];
                  const float *e_2 = e.word; float x = i * w.spacing; float y = j * w.spacing; float z = k * w.spacing;
                  const float dx = e_2[0] - x, dy = e_2[1] - y, dz = e_2[2] - z, r2 = dx * dx + dy * dy + dz * dz;
                  if (r2 < (float)3.0f * (float)3.0f)
                    sum[0] += expf((float)2.0f * (1 - r2 * e_2[3]));
                }
            }
          }
          if (_p) {
#line 422 "../binning/gather.h"
            for (int c = 0; c < 1; c++)
              if (sum[c] != 0) atomicAdd(&out[((k * w.py + j) * w.px + i) * 1 + c], sum[c]);
          }
        }
        if (_p) {
          number += blockDim.x;
          _p = number < all;
        }
      }
    }
  }
}
#line 426 "../binning/gather.h"
// gather_pieces_part: gather_pieces for a run of blocks along x, from _run.first of _run.blocks.
#line 399 "../binning/gather.h"
__global__ void gather_pieces_part(const element *overflow, const mesi_bin_piece *pieces, float *out,
                              struct walk w, float edge, const mesi_run _run) {
#line 402 "../binning/gather.h"
  const mesi_bin_piece piece = pieces[(blockIdx.x + _run.first)];
  const int bx = piece.bin % w.nx, by = piece.bin / w.nx % w.ny, bz = piece.bin / w.nx / w.ny;
  const float lx = w.low[0] + bx * edge - w.reach, ly = w.low[1] + by * edge - w.reach, lz = w.low[2] + bz * edge - w.reach;

  const float across = edge + 2 * w.reach;
  const int i0 = max((int)ceilf(lx / w.spacing), 0), i1 = min((int)floorf((lx + across) / w.spacing), w.px - 1);

  const int j0 = max((int)ceilf(ly / w.spacing), 0), j1 = min((int)floorf((ly + across) / w.spacing), w.py - 1);

  const int k0 = max((int)ceilf(lz / w.spacing), 0), k1 = min((int)floorf((lz + across) / w.spacing), w.pz - 1);

  const int ni = i1 - i0 + 1, nj = j1 - j0 + 1, all = ni * nj * (k1 - k0 + 1);

  for (int number = threadIdx.x; number < all; number += blockDim.x) {
    const int i = i0 + number % ni, j = j0 + number / ni % nj, k = k0 + number / ni / nj;
    float sum[1] = {};
    for (int at = piece.begin; at < piece.end; at++) {
      const element e = overflow[at];
      contribute(e.word, i * w.spacing, j * w.spacing, k * w.spacing, sum);
    }
    for (int c = 0; c < 1; c++)
      if (sum[c] != 0) atomicAdd(&out[((k * w.py + j) * w.px + i) * 1 + c], sum[c]);
  }
}
#line 426 "../binning/gather.h"

#endif

__global__ void add_share(float *out, const float *other, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) out[i] += other[i];
}
// add_share_mapped: add_share with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
#line 429 "../binning/gather.h"
static __global__ void __launch_bounds__(256) add_share_mapped(float *out, const float *other, int count, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 1024 + 0) < _total_x && (int)(blockIdx.x * 1024 + 0) < count && ((int)(blockIdx.x * 1024 + 1023) < _total_x && (int)(blockIdx.x * 1024 + 1023) < count) && (mesi_vector_at(&out[(int)(blockIdx.x * 1024 + 0)]) && mesi_vector_at(&other[(int)(blockIdx.x * 1024 + 0)])));
  if (_whole) {
    float _w_out[4];
    mesi_vector_load(&_w_out[0], &out[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    float _w_other[4];
    mesi_vector_load(&_w_other[0], &other[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
#line 433 "../binning/gather.h"
          _w_out[_x] = _w_out[_x] + _w_other[_x];
      }
    }
    mesi_vector_store(&out[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
#line 431 "../binning/gather.h"
        int i = (int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));

        if (i < count) out[i] += other[i];
      }
    }
}
// add_share_plain: add_share for launches of less than 4325376 threads.
#line 429 "../binning/gather.h"
static __global__ void add_share_plain(float *out, const float *other, int count, int _total_x) {
#line 431 "../binning/gather.h"
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) out[i] += other[i];
}
// add_share_mapped_part: add_share_mapped for a run of blocks along x, from _run.first of _run.blocks.
#line 429 "../binning/gather.h"
static __global__ void __launch_bounds__(256) add_share_mapped_part(float *out, const float *other, int count, int _total_x, const mesi_run _run) {
  bool _whole = true;
  _whole = _whole && ((int)((blockIdx.x + _run.first) * 1024 + 0) < _total_x && (int)((blockIdx.x + _run.first) * 1024 + 0) < count && ((int)((blockIdx.x + _run.first) * 1024 + 1023) < _total_x && (int)((blockIdx.x + _run.first) * 1024 + 1023) < count) && (mesi_vector_at(&out[(int)((blockIdx.x + _run.first) * 1024 + 0)]) && mesi_vector_at(&other[(int)((blockIdx.x + _run.first) * 1024 + 0)])));
  if (_whole) {
    float _w_out[4];
    mesi_vector_load(&_w_out[0], &out[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)]);
    float _w_other[4];
    mesi_vector_load(&_w_other[0], &other[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)]);
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
#line 433 "../binning/gather.h"
          _w_out[_x] = _w_out[_x] + _w_other[_x];
      }
    }
    mesi_vector_store(&out[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)((blockIdx.x + _run.first) * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
#line 431 "../binning/gather.h"
        int i = (int)((blockIdx.x + _run.first) * 1024 + ((int)threadIdx.x + _x * 256));

        if (i < count) out[i] += other[i];
      }
    }
}
// add_share_plain_part: add_share_plain for a run of blocks along x, from _run.first of _run.blocks.
#line 429 "../binning/gather.h"
static __global__ void add_share_plain_part(float *out, const float *other, int count, int _total_x, const mesi_run _run) {
#line 431 "../binning/gather.h"
  int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;

  if (i < count) out[i] += other[i];
}
#line 435 "../binning/gather.h"

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

  (mesi_launch_begin(&_mesi_9f627638, 0), mesi_launch_on_devices(), mesi_stream(0), mesi_map((int)((numbers + 255) / 256), 256, 1024, 1, 256, 4325376), mesi_parted(mesi_runs((mesi_mapped().mapped ? clear_out_mapped : clear_out_plain), {clear_out_plain_part, clear_out_mapped_part}, mesi_mapped().mapped, 0), mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(out, 0, 0, 0, mesi_limit(numbers) * 4, MESI_WRITE | ((long long)dim3((int)((numbers + 255) / 256)).x * 256 >= mesi_limit(numbers) ? MESI_OVERWRITE : 0u), {}, {1024, 0, 1024}), numbers, mesi_mapped().total_x), mesi_launch_end());
#ifdef AT_ELEMENTS
  scatter_atomic<<<blocks, 128>>>((const element *)bins->elements, bins->offsets, targets, order,
                                  out, w);
#else
  (void)targets, (void)order;
  (mesi_launch_begin(&_mesi_9f627638, 1), mesi_launch_in_parts(), mesi_stream(0), mesi_parted(scatter_atomic, scatter_atomic_part, 0, blocks, 128)(mesi_arg_range((const element *)bins->elements, 0, (long long)dim3(blocks).x * 2048, 0, 0, MESI_READ, {2048, 0, 2048}, {}), mesi_arg(bins->offsets, MESI_READ), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
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
  case LIMITED_RANGES: (mesi_launch_begin(&_mesi_9f627638, 2), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias(elements, out), gather_ranges_strips, gather_ranges)<<<grid, block>>>(mesi_arg(elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end()); break;
  case LIMITED_SINGLE: (mesi_launch_begin(&_mesi_9f627638, 3), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias(elements, out), gather_single_strips, gather_single)<<<grid, block>>>(mesi_arg(elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end()); break;
  case LIMITED_COUNTED:
    (mesi_launch_begin(&_mesi_9f627638, 4), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(sizes, out) && mesi_plan_no_alias(elements, out), gather_counted_strips, gather_counted)<<<grid, block>>>(mesi_arg(elements, MESI_READ), mesi_arg(sizes, MESI_READ), bins->depth, mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_SENTINEL:
    (mesi_launch_begin(&_mesi_9f627638, 5), mesi_stream(0), gather_sentinel<<<grid, block>>>(mesi_arg_range(elements, mesi_times(-68719476736ll, (bins->depth)), mesi_times(68719476704ll, (bins->depth)) + (long long)(bins->depth) * 16, 0, 0, MESI_READ), bins->depth, mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_PADDED:
    (mesi_launch_begin(&_mesi_9f627638, 6), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias((const padded_element *)bins->elements, out), gather_padded_strips, gather_padded)<<<grid, block>>>(mesi_arg((const padded_element *)bins->elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE),
                                   w), mesi_launch_end());
    break;
  case LIMITED_VECTORS:
    (mesi_launch_begin(&_mesi_9f627638, 7), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias(bins->elements, out), gather_vectors_strips, gather_vectors)<<<grid, block>>>(mesi_arg(bins->elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_FLOAT2:
    (mesi_launch_begin(&_mesi_9f627638, 8), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias((const float2 *)bins->elements, out), gather_float2_strips, gather_float2)<<<grid, block>>>(mesi_arg((const float2 *)bins->elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_FLOAT4:
    (mesi_launch_begin(&_mesi_9f627638, 9), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias((const float4 *)bins->elements, out), gather_float4_strips, gather_float4)<<<grid, block>>>(mesi_arg((const float4 *)bins->elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_ALIGNED:
    (mesi_launch_begin(&_mesi_9f627638, 10), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias(sizes, out) && mesi_plan_no_alias(elements, out), gather_aligned_strips, gather_aligned)<<<grid, block>>>(mesi_arg(elements, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(sizes, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_REGULAR_RANGES:
    (mesi_launch_begin(&_mesi_9f627638, 11), mesi_stream(0), gather_rooms<<<grid, block>>>(mesi_arg(elements, MESI_READ), mesi_arg(sizes, MESI_READ), bins->depth, mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
    break;
  case LIMITED_EVERYTHING:
    (mesi_launch_begin(&_mesi_9f627638, 12), mesi_stream(0), mesi_pick_if(mesi_plan_no_alias(offsets, out) && mesi_plan_no_alias(elements, out), gather_everything_strips, gather_everything)<<<grid, block>>>(mesi_arg_range(elements, 0, 34359738352ll, 0, 0, MESI_READ), mesi_arg(offsets, MESI_READ), mesi_arg(at, 0), mesi_arg(order, 0), mesi_arg(out, MESI_READ_WRITE), w), mesi_launch_end());
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
  (mesi_launch_begin(&_mesi_9f627638, 13), mesi_launch_in_parts(), mesi_stream(0), mesi_parted(mesi_pick_if(mesi_plan_no_alias(pieces, out) && mesi_plan_no_alias((const element *)bins->overflow, out), gather_pieces_strips, gather_pieces), gather_pieces_part, 0, count, 256)(mesi_arg((const element *)bins->overflow, MESI_READ), mesi_arg_range(pieces, 0, (long long)(dim3(count).x * 12), 0, 0, MESI_READ, {12, 0, 12}, {}), mesi_arg(out, MESI_READ_WRITE), w,
                                space->grid.edge[0]), mesi_launch_end());
#endif
}

extern "C" void limited_add(float *out, const float *other, long begin, long end)
{
  if (begin < end)
    (mesi_launch_begin(&_mesi_9f627638, 14), mesi_launch_on_devices(), mesi_stream(0), mesi_map((int)((end - begin + 255) / 256), 256, 1024, 1, 256, 4325376), mesi_parted(mesi_runs((mesi_mapped().mapped ? add_share_mapped : add_share_plain), {add_share_plain_part, add_share_mapped_part}, mesi_mapped().mapped, 0), mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(out + begin, 0, (long long)((int)(end - begin)) * 4, 0, (long long)((int)(end - begin)) * 4, MESI_READ_WRITE, {1024, 0, 1024}, {1024, 0, 1024}), mesi_arg_range(other + begin, 0, (long long)((int)(end - begin)) * 4, 0, 0, MESI_READ, {1024, 0, 1024}, {}),
                                                         (int)(end - begin), mesi_mapped().total_x), mesi_launch_end());
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
#line 14 "blob.mcu"

extern "C" const struct limited_app application;

int main(int argc, char **argv)
{
  mesi_touch_all(MESI_READ_WRITE); return limited_program(&application, argc, argv);
}

/* ---- for the runtime ---- */
static const struct mesi_site _mesi_9f627638_sites[] = {
  {"clear_out", "../binning/gather.h:461", 0, 0, 0},
  {"scatter_atomic", "../binning/gather.h:467", 0, 0, 0},
  {"gather_ranges", "../binning/gather.h:487", 0, 0, 0},
  {"gather_single", "../binning/gather.h:488", 0, 0, 0},
  {"gather_counted", "../binning/gather.h:490", 0, 0, 0},
  {"gather_sentinel", "../binning/gather.h:493", 0, 0, 0},
  {"gather_padded", "../binning/gather.h:496", 0, 0, 0},
  {"gather_vectors", "../binning/gather.h:500", 0, 0, 0},
  {"gather_float2", "../binning/gather.h:503", 0, 0, 0},
  {"gather_float4", "../binning/gather.h:506", 0, 0, 0},
  {"gather_aligned", "../binning/gather.h:509", 0, 0, 0},
  {"gather_rooms", "../binning/gather.h:512", 0, 0, 0},
  {"gather_everything", "../binning/gather.h:515", 0, 0, 0},
  {"gather_pieces", "../binning/gather.h:536", 0, 0, 0},
  {"add_share", "../binning/gather.h:544", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_9f627638 = {MESI_ABI, "blob.mcu", 0, 0, _mesi_9f627638_sites, 15}; }
MESI_REGISTER(_mesi_9f627638)
