#include <mesi_cuda.h>
// args: -O2 --no-line
// Blocks in a row whose threads take their number apart: they get rows of threads, and pointers that
// walk in front of tiles become indices. Two divisors keep the blocks in a row.
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k)
{
  int row = blockIdx.x * 32 + threadIdx.x / 32, col = blockIdx.y * 32 + threadIdx.x % 32;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}
// product_mapped: product with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
// Predicted gain: 5.3.
static __global__ void __launch_bounds__(128, 4) product_mapped(const float *a, const float *b, float *c, int m, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    bool _p[8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
      _p[_y] = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)) < _total_y;
    bool _p_2[8];
#pragma unroll
    for (int _x = 0; _x < 8; _x++)
      _p_2[_x] = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) < _total_x;
    {
      bool _p_3[8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++) {
        int row = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
        _p_3[_y] = row < m;
      }
      bool _p_4[8];
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int col = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
        _p_4[_x] = col < n;
      }
      float sum[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          sum[_y][_x] = 0;
      {
        int _b = 0;
        if (0 < k) {
          {
            int _i1 = _t % 16;
            int _m = m < _total_y ? m : _total_y;
            bool _f = n >= (int)blockIdx.x * 128 + 1 && k >= _i1 + 1;
#pragma unroll
            for (int _e = 0; _e < 8; _e++) {
              int _i0 = _e * 8 + _t / 16;
              int _j0 = blockIdx.y * 64 + _i0;
              mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1], _f && _m >= _j0 + 1);
            }
          }
          {
            int _i1 = _t % 128;
            int _j1 = blockIdx.x * 128 + _i1;
            bool _f = n >= _j1 + 1 && m >= (int)blockIdx.y * 64 + 1 && _total_x >= _j1 + 1;
#pragma unroll
            for (int _e = 0; _e < 16; _e++) {
              int _i0 = _e + _t / 128;
              mesi_copy_async<4>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1], _f && k >= _i0 + 1);
            }
          }
        }
        mesi_copy_commit();
        for (int _i = 0; _i < k; _i += 16) {
          mesi_copy_wait();
          __syncthreads();
          if (_i + 16 < k) {
            {
              int _i1 = _t % 16;
              int _j1 = _i + 16 + _i1;
              int _m = m < _total_y ? m : _total_y;
              bool _f = n >= (int)blockIdx.x * 128 + 1 && k >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 8; _e++) {
                int _i0 = _e * 8 + _t / 16;
                int _j0 = blockIdx.y * 64 + _i0;
                mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * k + _j1], _f && _m >= _j0 + 1);
              }
            }
            {
              int _i1 = _t % 128;
              int _j1 = blockIdx.x * 128 + _i1;
              bool _f = n >= _j1 + 1 && m >= (int)blockIdx.y * 64 + 1 && _total_x >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 16; _e++) {
                int _i0 = _e + _t / 128;
                int _j0 = _i + 16 + _i0;
                mesi_copy_async<4>(&_s_b[1 - _b][_i0][_i1], &b[_j0 * n + _j1], _f && k >= _j0 + 1);
              }
            }
          }
          mesi_copy_commit();
          if (_i + 16 <= k) {
#pragma unroll
            for (int i = _i; i < _i + 16; i++) {
              float _r_a[8];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
                _r_a[_y] = _s_a[_b][i - _i][_ty + _y / 4 * 32 + _y % 4];
              float _r_b[8];
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                _r_b[_x] = _s_b[_b][i - _i][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  sum[_y][_x] += _r_a[_y] * _r_b[_x];
            }
          } else {
            for (int i = _i; i < k; i++) {
              float _r_a_2[8];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
                _r_a_2[_y] = _s_a[_b][i - _i][_ty + _y / 4 * 32 + _y % 4];
              float _r_b_2[8];
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                _r_b_2[_x] = _s_b[_b][i - _i][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  sum[_y][_x] += _r_a_2[_y] * _r_b_2[_x];
            }
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int row = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)); int col = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
          if (_p[_y] && _p_2[_x] && _p_3[_y] && _p_4[_x])
            c[row * n + col] = sum[_y][_x];
        }
    }
  }
}
// product_aligned: product with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
static __global__ void __launch_bounds__(128, 4) product_aligned(const float *a, const float *b, float *c, int m, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    bool _p[8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
      _p[_y] = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)) < _total_y;
    bool _p_2[8];
#pragma unroll
    for (int _x = 0; _x < 8; _x++)
      _p_2[_x] = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) < _total_x;
    {
      bool _p_3[8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++) {
        int row = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
        _p_3[_y] = row < m;
      }
      bool _p_4[8];
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int col = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
        _p_4[_x] = col < n;
      }
      float sum[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          sum[_y][_x] = 0;
      {
        int _b = 0;
        if (0 < k) {
          {
            int _i1 = _t % 16;
            int _m = m < _total_y ? m : _total_y;
            bool _f = n >= (int)blockIdx.x * 128 + 1 && k >= _i1 + 1;
#pragma unroll
            for (int _e = 0; _e < 8; _e++) {
              int _i0 = _e * 8 + _t / 16;
              int _j0 = blockIdx.y * 64 + _i0;
              mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1], _f && _m >= _j0 + 1);
            }
          }
          {
            int _i1 = _t % 32 * 4;
            int _j1 = blockIdx.x * 128 + _i1;
            bool _f = n >= _j1 + 1 && m >= (int)blockIdx.y * 64 + 1 && _total_x >= _j1 + 1;
#pragma unroll
            for (int _e = 0; _e < 4; _e++) {
              int _i0 = _e * 4 + _t / 32;
              mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1], _f && k >= _i0 + 1);
            }
          }
        }
        mesi_copy_commit();
        for (int _i = 0; _i < k; _i += 16) {
          mesi_copy_wait();
          __syncthreads();
          if (_i + 16 < k) {
            {
              int _i1 = _t % 16;
              int _j1 = _i + 16 + _i1;
              int _m = m < _total_y ? m : _total_y;
              bool _f = n >= (int)blockIdx.x * 128 + 1 && k >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 8; _e++) {
                int _i0 = _e * 8 + _t / 16;
                int _j0 = blockIdx.y * 64 + _i0;
                mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * k + _j1], _f && _m >= _j0 + 1);
              }
            }
            {
              int _i1 = _t % 32 * 4;
              int _j1 = blockIdx.x * 128 + _i1;
              bool _f = n >= _j1 + 1 && m >= (int)blockIdx.y * 64 + 1 && _total_x >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 4; _e++) {
                int _i0 = _e * 4 + _t / 32;
                int _j0 = _i + 16 + _i0;
                mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0 * n + _j1], _f && k >= _j0 + 1);
              }
            }
          }
          mesi_copy_commit();
          if (_i + 16 <= k) {
#pragma unroll
            for (int i = _i; i < _i + 16; i++) {
              float _r_a[8];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
                _r_a[_y] = _s_a[_b][i - _i][_ty + _y / 4 * 32 + _y % 4];
              float _r_b[8];
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                _r_b[_x] = _s_b[_b][i - _i][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  sum[_y][_x] += _r_a[_y] * _r_b[_x];
            }
          } else {
            for (int i = _i; i < k; i++) {
              float _r_a_2[8];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
                _r_a_2[_y] = _s_a[_b][i - _i][_ty + _y / 4 * 32 + _y % 4];
              float _r_b_2[8];
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                _r_b_2[_x] = _s_b[_b][i - _i][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  sum[_y][_x] += _r_a_2[_y] * _r_b_2[_x];
            }
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int row = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)); int col = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
          if (_p[_y] && _p_2[_x] && _p_3[_y] && _p_4[_x])
            c[row * n + col] = sum[_y][_x];
        }
    }
  }
}
// product_exact_small: product with blocks of 32 x 32 elements for 8 x 8 threads; tiles in 17408 bytes of shared memory.
static __global__ void __launch_bounds__(64) product_exact_small(const float *a, const float *b, float *c, int m, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][32][36];
  __shared__ __align__(16) float _s_b[2][32][32];
  int _t = (int)threadIdx.y * 8 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    float sum[4][4];
#pragma unroll
    for (int _y = 0; _y < 4; _y++)
#pragma unroll
      for (int _x = 0; _x < 4; _x++)
        sum[_y][_x] = 0;
    {
      int _b = 0;
      if (0 < k) {
#pragma unroll
        for (int _e = 0; _e < 16; _e++) {
          int _i1 = _t % 32;
          int _i0 = _e * 2 + _t / 32;
          int _j0 = blockIdx.y * 32 + _i0;
          mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 8 + _t / 8;
          int _j1 = blockIdx.x * 32 + _i1;
          mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1]);
        }
      }
      mesi_copy_commit();
      for (int _i = 0; _i < k; _i += 32) {
        mesi_copy_wait();
        __syncthreads();
        if (_i + 32 < k) {
#pragma unroll
          for (int _e = 0; _e < 16; _e++) {
            int _i1 = _t % 32;
            int _i0 = _e * 2 + _t / 32;
            int _j0 = blockIdx.y * 32 + _i0;
            int _j1 = _i + 32 + _i1;
            mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * k + _j1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 8 * 4;
            int _i0 = _e * 8 + _t / 8;
            int _j0 = _i + 32 + _i0;
            int _j1 = blockIdx.x * 32 + _i1;
            mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0 * n + _j1]);
          }
        }
        mesi_copy_commit();
#pragma unroll
        for (int i = _i; i < _i + 32; i++) {
          float _r_a[4];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
            _r_a[_y] = _s_a[_b][i - _i][_ty + _y];
          float _r_b[4];
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _r_b[_x] = _s_b[_b][i - _i][_tx + _x];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              sum[_y][_x] += _r_a[_y] * _r_b[_x];
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
#pragma unroll
    for (int _y = 0; _y < 4; _y++)
#pragma unroll
      for (int _x = 0; _x < 4; _x++) {
        int row = (int)(blockIdx.y * 32 + (_ty + _y)); int col = (int)(blockIdx.x * 32 + (_tx + _x));
        c[row * n + col] = sum[_y][_x];
      }
  }
}
// product_exact: product with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
static __global__ void __launch_bounds__(128, 4) product_exact(const float *a, const float *b, float *c, int m, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    float sum[8][8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
#pragma unroll
      for (int _x = 0; _x < 8; _x++)
        sum[_y][_x] = 0;
    {
      int _b = 0;
      if (0 < k) {
#pragma unroll
        for (int _e = 0; _e < 8; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = blockIdx.y * 64 + _i0;
          mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1]);
        }
      }
      mesi_copy_commit();
      for (int _i = 0; _i < k; _i += 16) {
        mesi_copy_wait();
        __syncthreads();
        if (_i + 16 < k) {
#pragma unroll
          for (int _e = 0; _e < 8; _e++) {
            int _i1 = _t % 16;
            int _i0 = _e * 8 + _t / 16;
            int _j0 = blockIdx.y * 64 + _i0;
            int _j1 = _i + 16 + _i1;
            mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * k + _j1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e * 4 + _t / 32;
            int _j0 = _i + 16 + _i0;
            int _j1 = blockIdx.x * 128 + _i1;
            mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0 * n + _j1]);
          }
        }
        mesi_copy_commit();
#pragma unroll
        for (int i = _i; i < _i + 16; i++) {
          float _r_a[8];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
            _r_a[_y] = _s_a[_b][i - _i][_ty + _y / 4 * 32 + _y % 4];
          float _r_b[8];
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            _r_b[_x] = _s_b[_b][i - _i][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              sum[_y][_x] += _r_a[_y] * _r_b[_x];
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int row = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)); int col = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
        c[row * n + col] = sum[_y][_x];
      }
  }
}
// product_written: product for launches whose rows are short or whose arguments may overlap.
static __global__ void product_written(const float *a, const float *b, float *c, int m, int n, int k, int _total_x, int _total_y) {
  int row = blockIdx.x * 32 + threadIdx.x / 32, col = blockIdx.y * 32 + threadIdx.x % 32;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}
// product_fits: what the exact versions take for granted.
static inline bool product_fits(const float *b, int m, int n, int k) {
  const long long _total_x = mesi_mapped().total_x;
  const long long _total_y = mesi_mapped().total_y;
  return k % 32 == 0 && n % 4 == 0 && m >= _total_y && n >= _total_x && mesi_aligned(b);
}
// product_aligned_if: what product_aligned is for.
static inline bool product_aligned_if(const float *b, int n) {
  const long long _total_x = mesi_mapped().total_x;
  return n % 4 == 0 && _total_x % 4 == 0 && mesi_aligned(b);
}
__global__ void tiled(const float *a, const float *b, float *c, int n, int k)
{
  __shared__ float as[32 * 32], bs[32 * 32];
  unsigned col = threadIdx.x % 32, row = threadIdx.x / 32;
  a += blockIdx.x * 32 * k;
  b += blockIdx.y * 32;
  c += blockIdx.x * 32 * n + blockIdx.y * 32;
  float sum = 0;
  for (int t = 0; t < k; t += 32) {
    as[row * 32 + col] = a[row * k + col];
    bs[row * 32 + col] = b[row * n + col];
    __syncthreads();
    a += 32;
    b += 32 * n;
    for (int i = 0; i < 32; i++) sum += as[row * 32 + i] * bs[i * 32 + col];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// tiled_mapped: tiled with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
// Predicted gain: 5.3.
static __global__ void __launch_bounds__(128, 4) tiled_mapped(const float *a, const float *b, float *c, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    bool _p[8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
      _p[_y] = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)) < _total_y;
    bool _p_2[8];
#pragma unroll
    for (int _x = 0; _x < 8; _x++)
      _p_2[_x] = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) < _total_x;
    {
      bool _p_3[8];
#pragma unroll
      for (int _x = 0; _x < 8; _x++)
        _p_3[_x] = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) < n;
      {
        float sum[8][8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            sum[_y][_x] = 0;
        {
          int _b_2 = 0;
          if (0 < k) {
            {
              int _i1 = _t % 16;
              bool _f = k >= _i1 + 1 && n >= (int)blockIdx.x * 128 + 1;
#pragma unroll
              for (int _e = 0; _e < 8; _e++) {
                int _i0 = _e * 8 + _t / 16;
                int _j0 = blockIdx.y * 64 + _i0;
                mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1], _f && _total_y >= _j0 + 1);
              }
            }
            {
              int _i1 = _t % 128;
              int _j1 = blockIdx.x * 128 + _i1;
              bool _f = _total_x >= _j1 + 1 && n >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 16; _e++) {
                int _i0 = _e + _t / 128;
                mesi_copy_async<4>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1], _f && k >= _i0 + 1);
              }
            }
          }
          mesi_copy_commit();
          for (int __k = 0; __k < k; __k += 16) {
            mesi_copy_wait();
            __syncthreads();
            if (__k + 16 < k) {
              {
                int _i1 = _t % 16;
                int _j1 = __k + 16 + _i1;
                bool _f = k >= _j1 + 1 && n >= (int)blockIdx.x * 128 + 1;
#pragma unroll
                for (int _e = 0; _e < 8; _e++) {
                  int _i0 = _e * 8 + _t / 16;
                  int _j0 = blockIdx.y * 64 + _i0;
                  mesi_copy_async<4>(&_s_a[1 - _b_2][_i1][_i0], &a[_j0 * k + _j1], _f && _total_y >= _j0 + 1);
                }
              }
              {
                int _i1 = _t % 128;
                int _j1 = blockIdx.x * 128 + _i1;
                bool _f = _total_x >= _j1 + 1 && n >= _j1 + 1;
#pragma unroll
                for (int _e = 0; _e < 16; _e++) {
                  int _i0 = _e + _t / 128;
                  int _j0 = __k + 16 + _i0;
                  mesi_copy_async<4>(&_s_b[1 - _b_2][_i0][_i1], &b[_j0 * n + _j1], _f && k >= _j0 + 1);
                }
              }
            }
            mesi_copy_commit();
            if (__k + 16 <= k) {
#pragma unroll
              for (int _k = __k; _k < __k + 16; _k++) {
                float _r_a[8];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
                  _r_a[_y] = (float)_s_a[_b_2][_k - __k][_ty + _y / 4 * 32 + _y % 4];
                float _r_b[8];
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  _r_b[_x] = (float)_s_b[_b_2][_k - __k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
                    sum[_y][_x] += _r_a[_y] * _r_b[_x];
              }
            } else {
              for (int _k = __k; _k < k; _k++) {
                float _r_a_2[8];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
                  _r_a_2[_y] = (float)_s_a[_b_2][_k - __k][_ty + _y / 4 * 32 + _y % 4];
                float _r_b_2[8];
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  _r_b_2[_x] = (float)_s_b[_b_2][_k - __k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
                    sum[_y][_x] += _r_a_2[_y] * _r_b_2[_x];
              }
            }
            _b_2 = 1 - _b_2;
          }
          __syncthreads();
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            if (_p[_y] && _p_2[_x] && _p_3[_x])
              c[(int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) + n * (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4))] = sum[_y][_x];
      }
    }
  }
}
// tiled_aligned: tiled with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
static __global__ void __launch_bounds__(128, 4) tiled_aligned(const float *a, const float *b, float *c, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    bool _p[8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
      _p[_y] = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)) < _total_y;
    bool _p_2[8];
#pragma unroll
    for (int _x = 0; _x < 8; _x++)
      _p_2[_x] = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) < _total_x;
    {
      bool _p_3[8];
#pragma unroll
      for (int _x = 0; _x < 8; _x++)
        _p_3[_x] = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) < n;
      {
        float sum[8][8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            sum[_y][_x] = 0;
        {
          int _b_2 = 0;
          if (0 < k) {
            {
              int _i1 = _t % 16;
              bool _f = k >= _i1 + 1 && n >= (int)blockIdx.x * 128 + 1;
#pragma unroll
              for (int _e = 0; _e < 8; _e++) {
                int _i0 = _e * 8 + _t / 16;
                int _j0 = blockIdx.y * 64 + _i0;
                mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1], _f && _total_y >= _j0 + 1);
              }
            }
            {
              int _i1 = _t % 32 * 4;
              int _j1 = blockIdx.x * 128 + _i1;
              bool _f = _total_x >= _j1 + 1 && n >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 4; _e++) {
                int _i0 = _e * 4 + _t / 32;
                mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1], _f && k >= _i0 + 1);
              }
            }
          }
          mesi_copy_commit();
          for (int __k = 0; __k < k; __k += 16) {
            mesi_copy_wait();
            __syncthreads();
            if (__k + 16 < k) {
              {
                int _i1 = _t % 16;
                int _j1 = __k + 16 + _i1;
                bool _f = k >= _j1 + 1 && n >= (int)blockIdx.x * 128 + 1;
#pragma unroll
                for (int _e = 0; _e < 8; _e++) {
                  int _i0 = _e * 8 + _t / 16;
                  int _j0 = blockIdx.y * 64 + _i0;
                  mesi_copy_async<4>(&_s_a[1 - _b_2][_i1][_i0], &a[_j0 * k + _j1], _f && _total_y >= _j0 + 1);
                }
              }
              {
                int _i1 = _t % 32 * 4;
                int _j1 = blockIdx.x * 128 + _i1;
                bool _f = _total_x >= _j1 + 1 && n >= _j1 + 1;
#pragma unroll
                for (int _e = 0; _e < 4; _e++) {
                  int _i0 = _e * 4 + _t / 32;
                  int _j0 = __k + 16 + _i0;
                  mesi_copy_async<16>(&_s_b[1 - _b_2][_i0][_i1], &b[_j0 * n + _j1], _f && k >= _j0 + 1);
                }
              }
            }
            mesi_copy_commit();
            if (__k + 16 <= k) {
#pragma unroll
              for (int _k = __k; _k < __k + 16; _k++) {
                float _r_a[8];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
                  _r_a[_y] = (float)_s_a[_b_2][_k - __k][_ty + _y / 4 * 32 + _y % 4];
                float _r_b[8];
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  _r_b[_x] = (float)_s_b[_b_2][_k - __k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
                    sum[_y][_x] += _r_a[_y] * _r_b[_x];
              }
            } else {
              for (int _k = __k; _k < k; _k++) {
                float _r_a_2[8];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
                  _r_a_2[_y] = (float)_s_a[_b_2][_k - __k][_ty + _y / 4 * 32 + _y % 4];
                float _r_b_2[8];
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  _r_b_2[_x] = (float)_s_b[_b_2][_k - __k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
                    sum[_y][_x] += _r_a_2[_y] * _r_b_2[_x];
              }
            }
            _b_2 = 1 - _b_2;
          }
          __syncthreads();
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            if (_p[_y] && _p_2[_x] && _p_3[_x])
              c[(int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) + n * (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4))] = sum[_y][_x];
      }
    }
  }
}
// tiled_exact_small: tiled with blocks of 32 x 32 elements for 8 x 8 threads; tiles in 17408 bytes of shared memory.
static __global__ void __launch_bounds__(64) tiled_exact_small(const float *a, const float *b, float *c, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][32][36];
  __shared__ __align__(16) float _s_b[2][32][32];
  int _t = (int)threadIdx.y * 8 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    {
      float sum[4][4];
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          sum[_y][_x] = 0;
      {
        int _b_2 = 0;
        if (0 < k) {
#pragma unroll
          for (int _e = 0; _e < 16; _e++) {
            int _i1 = _t % 32;
            int _i0 = _e * 2 + _t / 32;
            int _j0 = blockIdx.y * 32 + _i0;
            mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 8 * 4;
            int _i0 = _e * 8 + _t / 8;
            int _j1 = blockIdx.x * 32 + _i1;
            mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1]);
          }
        }
        mesi_copy_commit();
        for (int __k = 0; __k < k; __k += 32) {
          mesi_copy_wait();
          __syncthreads();
          if (__k + 32 < k) {
#pragma unroll
            for (int _e = 0; _e < 16; _e++) {
              int _i1 = _t % 32;
              int _i0 = _e * 2 + _t / 32;
              int _j0 = blockIdx.y * 32 + _i0;
              int _j1 = __k + 32 + _i1;
              mesi_copy_async<4>(&_s_a[1 - _b_2][_i1][_i0], &a[_j0 * k + _j1]);
            }
#pragma unroll
            for (int _e = 0; _e < 4; _e++) {
              int _i1 = _t % 8 * 4;
              int _i0 = _e * 8 + _t / 8;
              int _j0 = __k + 32 + _i0;
              int _j1 = blockIdx.x * 32 + _i1;
              mesi_copy_async<16>(&_s_b[1 - _b_2][_i0][_i1], &b[_j0 * n + _j1]);
            }
          }
          mesi_copy_commit();
#pragma unroll
          for (int _k = __k; _k < __k + 32; _k++) {
            float _r_a[4];
#pragma unroll
            for (int _y = 0; _y < 4; _y++)
              _r_a[_y] = (float)_s_a[_b_2][_k - __k][_ty + _y];
            float _r_b[4];
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              _r_b[_x] = (float)_s_b[_b_2][_k - __k][_tx + _x];
#pragma unroll
            for (int _y = 0; _y < 4; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                sum[_y][_x] += _r_a[_y] * _r_b[_x];
          }
          _b_2 = 1 - _b_2;
        }
        __syncthreads();
      }
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          c[(int)(blockIdx.x * 32 + (_tx + _x)) + n * (int)(blockIdx.y * 32 + (_ty + _y))] = sum[_y][_x];
    }
  }
}
// tiled_exact: tiled with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
static __global__ void __launch_bounds__(128, 4) tiled_exact(const float *a, const float *b, float *c, int n, int k, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    {
      float sum[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          sum[_y][_x] = 0;
      {
        int _b_2 = 0;
        if (0 < k) {
#pragma unroll
          for (int _e = 0; _e < 8; _e++) {
            int _i1 = _t % 16;
            int _i0 = _e * 8 + _t / 16;
            int _j0 = blockIdx.y * 64 + _i0;
            mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * k + _i1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e * 4 + _t / 32;
            int _j1 = blockIdx.x * 128 + _i1;
            mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0 * n + _j1]);
          }
        }
        mesi_copy_commit();
        for (int __k = 0; __k < k; __k += 16) {
          mesi_copy_wait();
          __syncthreads();
          if (__k + 16 < k) {
#pragma unroll
            for (int _e = 0; _e < 8; _e++) {
              int _i1 = _t % 16;
              int _i0 = _e * 8 + _t / 16;
              int _j0 = blockIdx.y * 64 + _i0;
              int _j1 = __k + 16 + _i1;
              mesi_copy_async<4>(&_s_a[1 - _b_2][_i1][_i0], &a[_j0 * k + _j1]);
            }
#pragma unroll
            for (int _e = 0; _e < 4; _e++) {
              int _i1 = _t % 32 * 4;
              int _i0 = _e * 4 + _t / 32;
              int _j0 = __k + 16 + _i0;
              int _j1 = blockIdx.x * 128 + _i1;
              mesi_copy_async<16>(&_s_b[1 - _b_2][_i0][_i1], &b[_j0 * n + _j1]);
            }
          }
          mesi_copy_commit();
#pragma unroll
          for (int _k = __k; _k < __k + 16; _k++) {
            float _r_a[8];
#pragma unroll
            for (int _y = 0; _y < 8; _y++)
              _r_a[_y] = (float)_s_a[_b_2][_k - __k][_ty + _y / 4 * 32 + _y % 4];
            float _r_b[8];
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              _r_b[_x] = (float)_s_b[_b_2][_k - __k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
            for (int _y = 0; _y < 8; _y++)
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                sum[_y][_x] += _r_a[_y] * _r_b[_x];
          }
          _b_2 = 1 - _b_2;
        }
        __syncthreads();
      }
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          c[(int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)) + n * (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4))] = sum[_y][_x];
    }
  }
}
// tiled_written: tiled for launches whose rows are short or whose arguments may overlap.
static __global__ void tiled_written(const float *a, const float *b, float *c, int n, int k, int _total_x, int _total_y) {
  const float *_a = a;
  const float *_b = b;
  __shared__ float as[32 * 32], bs[32 * 32];
  unsigned int col = threadIdx.x % 32, row = threadIdx.x / 32;
  const float *_a_3 = _a + blockIdx.x * 32 * k;
  const float *_b_4 = _b + blockIdx.y * 32;
  float *_c = c + (blockIdx.x * 32 * n + blockIdx.y * 32);
  float sum = 0;
  for (int t = 0; t < k; t += 32) {
    as[row * 32 + col] = _a_3[row * k + col];
    bs[row * 32 + col] = _b_4[row * n + col];
    __syncthreads();
    _a_3 += 32;
    _b_4 += 32 * n;
    for (int i = 0; i < 32; i++) sum += as[row * 32 + i] * bs[i * 32 + col];
    __syncthreads();
  }
  _c[row * n + col] = sum;
}
// tiled_fits: what the exact versions take for granted.
static inline bool tiled_fits(const float *b, int n, int k) {
  const long long _total_x = mesi_mapped().total_x;
  const long long _total_y = mesi_mapped().total_y;
  return k % 32 == 0 && n % 4 == 0 && (1023 >= _total_y / 32 && n >= _total_x) && (1023 >= _total_y / 64 && n >= _total_x) && mesi_aligned(b);
}
// tiled_aligned_if: what tiled_aligned is for.
static inline bool tiled_aligned_if(const float *b, int n) {
  const long long _total_x = mesi_mapped().total_x;
  return _total_x % 4 == 0 && n % 4 == 0 && mesi_aligned(b);
}
void run(const float *a, const float *b, float *c, int m, int n, int k)
{
  dim3 grid((m + 31) / 32, (n + 31) / 32);
  (mesi_map(grid, 1024), mesi_digits(true, 32, 32), mesi_map_if(mesi_no_alias(a, 0, mesi_times((long long)m * 4 - 4, k) + (long long)k * 4, c, 0, mesi_times((long long)m * 4 - 4, n) + (long long)n * 4) && mesi_no_alias(b, 0, mesi_times((long long)k * 4 - 4, n) + (long long)n * 4, c, 0, mesi_times((long long)m * 4 - 4, n) + (long long)n * 4)), mesi_choose(product_fits(b, m, n, k), {{}, {128, 64, 16, 8, 504100}, {128, 64, 16, 8, 504100, false, product_aligned_if(b, n)}, {32, 32, 8, 8, 206116, true}, {128, 64, 16, 8, 1048576, true}}), mesi_pick(product_written, product_mapped, product_aligned, product_exact_small, product_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, b, c, m, n, k, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(grid, 1024), mesi_digits(true, 32, 32), mesi_map_if(n >= 0 && n <= 32767 && (k >= 0 && k <= 32767) && ((long long)dim3(grid).x * 32 <= 32767 && (long long)dim3(grid).y * 32 <= 32767 && k % 32 == 0) && (long long)dim3(grid).y * (long long)(unsigned int)32 <= (long long)n), mesi_choose(tiled_fits(b, n, k), {{}, {128, 64, 16, 8, 504100}, {128, 64, 16, 8, 504100, false, tiled_aligned_if(b, n)}, {32, 32, 8, 8, 206116, true}, {128, 64, 16, 8, 1048576, true}}), mesi_pick(tiled_written, tiled_mapped, tiled_aligned, tiled_exact_small, tiled_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, b, c, n, k, mesi_mapped().total_x, mesi_mapped().total_y));
}
