#include <mesi_cuda.h>
// args: -O2 --no-line -arch=sm_90 --whole-program
// An index that is computed in 64 bits may be of more than 2^31 elements: so may those of copies.
__global__ void rows(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;

  if (row < m) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[row * (long long)n + j] * x[j];
    y[row] = sum;
  }
}
// rows_mapped: rows with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 34048 bytes of shared memory.
// Predicted gain: 2.8.
static __global__ void __launch_bounds__(32) rows_mapped(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n, int _total_x) {
  __shared__ __align__(16) float _s_a[2][32][129];
  __shared__ __align__(16) float _s_x[2][128];
  int _t = (int)threadIdx.x;
  {
    bool _p;
    _p = (int)(blockIdx.x * 32 + threadIdx.x) < _total_x;
    int row = (int)(blockIdx.x * 32 + threadIdx.x);
    {
      bool _p_2;
      _p_2 = row < m;
      float sum = 0;
      {
        int _b = 0;
        if (0 < n) {
          {
            int _m = m < _total_x ? m : _total_x;
#pragma unroll 8
            for (int _e = 0; _e < 128; _e++) {
              int _i1 = _e % 4 * 32 + _t;
              int _i0 = _e / 4;
              int _j0 = blockIdx.x * 32 + _i0;
              mesi_copy_async<4>(&_s_a[0][_i0][_i1], &a[(long long)_j0 * n + _i1], _m >= _j0 + 1 && n >= _i1 + 1);
            }
          }
          {
            bool _f = m >= (int)blockIdx.x * 32 + 1;
#pragma unroll
            for (int _e = 0; _e < 4; _e++) {
              int _q = _e * 32 + _t;
              mesi_copy_async<4>(&_s_x[0][_q], &x[_q], _f && n >= _q + 1);
            }
          }
        }
        mesi_copy_commit();
        for (int _j = 0; _j < n; _j += 128) {
          mesi_copy_wait();
          __syncthreads();
          if (_j + 128 < n) {
            {
              int _m = m < _total_x ? m : _total_x;
#pragma unroll 8
              for (int _e = 0; _e < 128; _e++) {
                int _i1 = _e % 4 * 32 + _t;
                int _i0 = _e / 4;
                int _j0 = blockIdx.x * 32 + _i0;
                int _j1 = _j + 128 + _i1;
                mesi_copy_async<4>(&_s_a[1 - _b][_i0][_i1], &a[(long long)_j0 * n + _j1], _m >= _j0 + 1 && n >= _j1 + 1);
              }
            }
            {
              bool _f = m >= (int)blockIdx.x * 32 + 1;
#pragma unroll
              for (int _e = 0; _e < 4; _e++) {
                int _q = _e * 32 + _t;
                int _j0 = _j + 128 + _q;
                mesi_copy_async<4>(&_s_x[1 - _b][_q], &x[_j0], _f && n >= _j0 + 1);
              }
            }
          }
          mesi_copy_commit();
          if (_j + 128 <= n) {
#pragma unroll 8
            for (int j = _j; j < _j + 128; j++) {
              sum += _s_a[_b][threadIdx.x][j - _j] * _s_x[_b][j - _j];
            }
          } else {
            for (int j = _j; j < n; j++) {
              sum += _s_a[_b][threadIdx.x][j - _j] * _s_x[_b][j - _j];
            }
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
      if (_p && _p_2)
        y[row] = sum;
    }
  }
}
// rows_exact: rows with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 34816 bytes of shared memory.
static __global__ void __launch_bounds__(32) rows_exact(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n, int _total_x) {
  __shared__ __align__(16) float _s_a[2][32][132];
  __shared__ __align__(16) float _s_x[2][128];
  int _t = (int)threadIdx.x;
  int row = (int)(blockIdx.x * 32 + threadIdx.x);
  {
    float sum = 0;
    {
      int _b = 0;
      if (0 < n) {
#pragma unroll
        for (int _e = 0; _e < 32; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e + _t / 32;
          int _j0 = blockIdx.x * 32 + _i0;
          mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[(long long)_j0 * n + _i1]);
        }
        {
          int _i0 = _t * 4;
          mesi_copy_async<16>(&_s_x[0][_i0], &x[_i0]);
        }
      }
      mesi_copy_commit();
      for (int _j = 0; _j < n; _j += 128) {
        mesi_copy_wait();
        __syncthreads();
        if (_j + 128 < n) {
#pragma unroll
          for (int _e = 0; _e < 32; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e + _t / 32;
            int _j0 = blockIdx.x * 32 + _i0;
            int _j1 = _j + 128 + _i1;
            mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[(long long)_j0 * n + _j1]);
          }
          {
            int _i0 = _t * 4;
            int _j0 = _j + 128 + _i0;
            mesi_copy_async<16>(&_s_x[1 - _b][_i0], &x[_j0]);
          }
        }
        mesi_copy_commit();
#pragma unroll 8
        for (int j = _j; j < _j + 128; j++) {
          sum += _s_a[_b][threadIdx.x][j - _j] * _s_x[_b][j - _j];
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
    y[row] = sum;
  }
}
// rows_plain: rows for smaller launches.
static __global__ void rows_plain(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n, int _total_x) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[row * (long long)n + j] * x[j];
    y[row] = sum;
  }
}
// rows_fits: what the exact versions take for granted.
static inline bool rows_fits(const float *__restrict__ a, const float *__restrict__ x, int m, int n) {
  const long long _total_x = mesi_mapped().total_x;
  return n % 128 == 0 && m >= _total_x && mesi_aligned(a) && mesi_aligned(x);
}
// rows_version_if: what rows_mapped is for.
static inline bool rows_version_if(int n) {
  return n >= 64;
}
// rows_version_if_2: what rows_exact is for.
static inline bool rows_version_if_2(int n) {
  return n >= 64;
}

void f(const float *a, const float *x, float *y, int m, int n)
{
  (mesi_map((m + 127) / 128, 128), mesi_choose(rows_fits(a, x, m, n), {{}, {32, 1, 32, 1, 1, false, rows_version_if(n)}, {32, 1, 32, 1, 1, true, rows_version_if_2(n)}}), mesi_pick(rows_plain, rows_mapped, rows_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, x, y, m, n, mesi_mapped().total_x));
}
