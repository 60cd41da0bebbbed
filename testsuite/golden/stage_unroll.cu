#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_089f8c7b; }
// args: -O2 --no-line
// Loops keep their unrolling: as a line, as an operator, in a macro.
#define PRAGMA_OF(text) _Pragma(#text)
#define UNROLLED(n) PRAGMA_OF(unroll n)
extern float a[100][100] MESI_VS(_vs_a), c[100] MESI_VS(_vs_c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(c) *_d_c;

__global__ void sums(int n)
{ auto &a = *_d_a; auto &c = *_d_c;
  float sum = 0;
  UNROLLED(4)
  for (int i = 0; i < n; i++)
    sum += a[threadIdx.x][i];
  _Pragma("unroll 2") for (int i = 0; i < n; i++)
    sum += a[i][threadIdx.x];
#pragma unroll 3
  for (int i = 0; i < n; i++)
    sum += a[0][i];
  c[threadIdx.x] = sum;
}
// sums_mapped: sums with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 34816 bytes of shared memory.
// Predicted gain: 2.7.
static __global__ void __launch_bounds__(32) sums_mapped(int n) {
  auto &a = *_d_a;
  auto &c = *_d_c;
  __shared__ __align__(16) float _s_a[2][32][132];
  __shared__ __align__(16) float _s_a_2[2][1][128];
  int _t = (int)threadIdx.x;
  float sum = 0;
  {
    int _b = 0;
    if (0 < n) {
      {
        int _i1 = _t % 32 * 4;
        bool _f = 99 >= _i1;
#pragma unroll
        for (int _e = 0; _e < 32; _e++) {
          int _i0 = _e + _t / 32;
          int _j0 = blockIdx.x * 32 + _i0;
          mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_j0][_i1], _f);
        }
      }
    }
    mesi_copy_commit();
    for (int _i = 0; _i < n; _i += 128) {
      mesi_copy_wait();
      __syncthreads();
      if (_i + 128 < n) {
        {
          int _i1 = _t % 32 * 4;
          int _j1 = _i + 128 + _i1;
          bool _f = 99 >= _j1;
#pragma unroll
          for (int _e = 0; _e < 32; _e++) {
            int _i0 = _e + _t / 32;
            int _j0 = blockIdx.x * 32 + _i0;
            mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0][_j1], _f);
          }
        }
      }
      mesi_copy_commit();
      if (_i + 128 <= n) {
        UNROLLED(4)
        for (int i = _i; i < _i + 128; i++) {
          sum += _s_a[_b][threadIdx.x][i - _i];
        }
      } else {
        UNROLLED(4)
        for (int i = _i; i < n; i++) {
          sum += _s_a[_b][threadIdx.x][i - _i];
        }
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  _Pragma("unroll 2")
  for (int i = 0; i < n; i++) {
    sum += a[i][blockIdx.x * 32 + threadIdx.x];
  }
  {
    int _b_2 = 0;
    if (0 < n) {
      {
        int _i1 = _t % 32 * 4;
        mesi_copy_async<16>(&_s_a_2[0][0][_i1], &a[0][_i1], 99 >= _i1);
      }
    }
    mesi_copy_commit();
    for (int _i_3 = 0; _i_3 < n; _i_3 += 128) {
      mesi_copy_wait();
      __syncthreads();
      if (_i_3 + 128 < n) {
        {
          int _i1 = _t % 32 * 4;
          int _j1 = _i_3 + 128 + _i1;
          mesi_copy_async<16>(&_s_a_2[1 - _b_2][0][_i1], &a[0][_j1], 99 >= _j1);
        }
      }
      mesi_copy_commit();
      if (_i_3 + 128 <= n) {
#pragma unroll 3
        for (int i = _i_3; i < _i_3 + 128; i++) {
          sum += _s_a_2[_b_2][0][i - _i_3];
        }
      } else {
#pragma unroll 3
        for (int i = _i_3; i < n; i++) {
          sum += _s_a_2[_b_2][0][i - _i_3];
        }
      }
      _b_2 = 1 - _b_2;
    }
    __syncthreads();
  }
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}
// sums_plain: sums for launches for which there is no version.
static __global__ void sums_plain(int n) {
  auto &a = *_d_a;
  auto &c = *_d_c;
  float sum = 0;
  UNROLLED(4)
  for (int i = 0; i < n; i++)
    sum += a[threadIdx.x][i];
  _Pragma("unroll 2")
  for (int i = 0; i < n; i++)
    sum += a[i][threadIdx.x];
#pragma unroll 3
  for (int i = 0; i < n; i++)
    sum += a[0][i];
  c[threadIdx.x] = sum;
}
// sums_version_if: what sums_mapped is for.
static inline bool sums_version_if(int n) {
  return n >= 64;
}

void f(int n)
{
  (mesi_launch_begin(&_mesi_089f8c7b, 0), mesi_launch_range(1, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), mesi_map(1, 64), mesi_choose(true, {{}, {32, 1, 32, 1, 0, false, sums_version_if(n)}}), mesi_pick(sums_plain, sums_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(n), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
static const struct mesi_var _mesi_089f8c7b_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "stage_unroll.mcu:5"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "stage_unroll.mcu:5"},
};
static const struct mesi_site_use _mesi_089f8c7b_uses_0[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site _mesi_089f8c7b_sites[] = {
  {"sums", "stage_unroll.mcu:23", _mesi_089f8c7b_uses_0, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_089f8c7b = {MESI_ABI, "stage_unroll.mcu", _mesi_089f8c7b_vars, 2, _mesi_089f8c7b_sites, 1}; }
MESI_REGISTER(_mesi_089f8c7b)
