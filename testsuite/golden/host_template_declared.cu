#include <mesi_cuda.h>
// args: --no-line -I include
// A header declares a template of host code, this file defines it behind its use: the specialisation
// is declared in front of the first declaration behind the header.
#include "host_template.h"

#define PLAIN(name) int name()
PLAIN(of_macro)
{
  return 0;
}
/* not; here */
 template <> __attribute__((weak)) void sums_of<float, 512>(const table<float> &in, float *out, int rows) ; void use(table<float> f, float *out, int rows)
{
  sums_of<float, 512>(f, out, rows);
}

template <class T, int N> __global__ void sums(const T *a, T *o, int rows)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  T s = 0;
  for (int k = 0; k < N; k++) s += a[i * N + k];
  o[i] = s;
}
// sums_mapped: sums with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 33024 bytes of shared memory.
// Predicted gain: 2.5.
static __global__ void __launch_bounds__(32) sums_mapped(const float *a, float *o, int rows, int _total_x) {
  __shared__ __align__(16) float _s_a[2][32][129];
  int _t = (int)threadIdx.x;
  {
    bool _p;
    _p = (int)(blockIdx.x * 32 + threadIdx.x) < _total_x;
    int i = (int)(blockIdx.x * 32 + threadIdx.x);
    {
      bool _p_2;
      _p_2 = i < rows;
      float s = 0;
      {
        int _b = 0;
        {
          int _m = rows < _total_x ? rows : _total_x;
#pragma unroll 8
          for (int _e = 0; _e < 128; _e++) {
            int _i1 = _e % 4 * 32 + _t;
            int _i0 = _e / 4;
            int _j0 = blockIdx.x * 32 + _i0;
            mesi_copy_async<4>(&_s_a[0][_i0][_i1], &a[_j0 * 512 + _i1], _m >= _j0 + 1);
          }
        }
        mesi_copy_commit();
        for (int _k = 0; _k < 512; _k += 128) {
          mesi_copy_wait();
          __syncthreads();
          if (_k + 128 < 512) {
            {
              int _m = rows < _total_x ? rows : _total_x;
#pragma unroll 8
              for (int _e = 0; _e < 128; _e++) {
                int _i1 = _e % 4 * 32 + _t;
                int _i0 = _e / 4;
                int _j0 = blockIdx.x * 32 + _i0;
                int _j1 = _k + 128 + _i1;
                mesi_copy_async<4>(&_s_a[1 - _b][_i0][_i1], &a[_j0 * 512 + _j1], _m >= _j0 + 1);
              }
            }
          }
          mesi_copy_commit();
#pragma unroll 8
          for (int k = _k; k < _k + 128; k++) {
            s += _s_a[_b][threadIdx.x][k - _k];
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
      if (_p && _p_2)
        o[i] = s;
    }
  }
}
// sums_exact: sums with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 33792 bytes of shared memory.
static __global__ void __launch_bounds__(32) sums_exact(const float *a, float *o, int rows, int _total_x) {
  __shared__ __align__(16) float _s_a[2][32][132];
  int _t = (int)threadIdx.x;
  int i = (int)(blockIdx.x * 32 + threadIdx.x);
  {
    float s = 0;
    {
      int _b = 0;
#pragma unroll
      for (int _e = 0; _e < 32; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e + _t / 32;
        int _j0 = blockIdx.x * 32 + _i0;
        mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_j0 * 512 + _i1]);
      }
      mesi_copy_commit();
      for (int _k = 0; _k < 512; _k += 128) {
        mesi_copy_wait();
        __syncthreads();
        if (_k + 128 < 512) {
#pragma unroll
          for (int _e = 0; _e < 32; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e + _t / 32;
            int _j0 = blockIdx.x * 32 + _i0;
            int _j1 = _k + 128 + _i1;
            mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0 * 512 + _j1]);
          }
        }
        mesi_copy_commit();
#pragma unroll 8
        for (int k = _k; k < _k + 128; k++) {
          s += _s_a[_b][threadIdx.x][k - _k];
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
    o[i] = s;
  }
}
// sums_written: sums for launches whose arguments may overlap.
static __global__ void sums_written(const float *a, float *o, int rows, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float s = 0;
  for (int k = 0; k < 512; k++) s += a[i * 512 + k];
  o[i] = s;
}
// sums_fits: what the exact versions take for granted.
static inline bool sums_fits(const float *a, int rows) {
  const long long _total_x = mesi_mapped().total_x;
  return rows >= _total_x && mesi_aligned(a);
}

template <class T, int N> void sums_of(const table<T> &in, T *out, int rows)
{
  sums<T, N><<<(rows + 127) / 128, 128>>>(in.items, out, rows);
} template <> __attribute__((weak)) void sums_of<float, 512>(const table<float> &in, float *out, int rows) { (mesi_map((rows + 127) / 128, 128), mesi_map_if(mesi_no_alias(in.items, 0, (long long)rows * 2048, out, 0, (long long)rows * 4)), mesi_choose(sums_fits(in.items, rows), {{}, {32, 1, 32, 1, 1}, {32, 1, 32, 1, 1, true}}), mesi_pick(sums_written, sums_mapped, sums_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(in.items, out, rows, mesi_mapped().total_x)); }
