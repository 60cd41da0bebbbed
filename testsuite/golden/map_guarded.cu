#include <mesi_cuda.h>
// args: -O2 --no-line --mapping=32x32 -arch=sm_75
// Sizes of run time: conditions become predicates, copies read what must be read, the launch counts its threads.
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
// product_mapped: product with blocks of 32 x 32 elements for 8 x 8 threads; tiles in 8704 bytes of shared memory, the next one on its way in 32 registers of each thread.
// Predicted gain: 4.2.
static __global__ void __launch_bounds__(64) product_mapped(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[32][36];
  __shared__ __align__(16) float _s_b[32][32];
  int _t = (int)threadIdx.y * 8 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    bool _p[4];
#pragma unroll
    for (int _y = 0; _y < 4; _y++)
      _p[_y] = (int)(blockIdx.y * 32 + (_ty + _y)) < _total_y;
    bool _p_2[4];
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      _p_2[_x] = (int)(blockIdx.x * 32 + (_tx + _x)) < _total_x;
    {
      bool _p_3[4];
#pragma unroll
      for (int _y = 0; _y < 4; _y++) {
        int row = (int)(blockIdx.y * 32 + (_ty + _y));
        _p_3[_y] = row < n;
      }
      bool _p_4[4];
#pragma unroll
      for (int _x = 0; _x < 4; _x++) {
        int col = (int)(blockIdx.x * 32 + (_tx + _x));
        _p_4[_x] = col < n;
      }
      float sum[4][4];
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          sum[_y][_x] = 0;
      {
        float _n_a[16];
        float _n_b[16];
        if (0 < n) {
          {
            int _i1 = _t % 32;
            int _m = _total_y < n ? _total_y : n;
            bool _f = n >= (int)blockIdx.x * 32 + 1 && n >= _i1 + 1;
#pragma unroll
            for (int _e = 0; _e < 16; _e++) {
              int _i0 = _e * 2 + _t / 32;
              int _j0 = blockIdx.y * 32 + _i0;
              _n_a[_e] = _f && _m >= _j0 + 1 ? a[_j0 * n + _i1] : 0;
            }
          }
          {
            int _i1 = _t % 32;
            int _j1 = blockIdx.x * 32 + _i1;
            bool _f = n >= (int)blockIdx.y * 32 + 1 && _total_x >= _j1 + 1 && n >= _j1 + 1;
#pragma unroll
            for (int _e = 0; _e < 16; _e++) {
              int _i0 = _e * 2 + _t / 32;
              _n_b[_e] = _f && n >= _i0 + 1 ? b[_i0 * n + _j1] : 0;
            }
          }
        }
        for (int _k = 0; _k < n; _k += 32) {
#pragma unroll
          for (int _e = 0; _e < 16; _e++) {
            int _i1 = _t % 32;
            int _i0 = _e * 2 + _t / 32;
            _s_a[_i1][_i0] = _n_a[_e];
          }
#pragma unroll
          for (int _e = 0; _e < 16; _e++) {
            int _i1 = _t % 32;
            int _i0 = _e * 2 + _t / 32;
            _s_b[_i0][_i1] = _n_b[_e];
          }
          __syncthreads();
          if (_k + 32 < n) {
            {
              int _i1 = _t % 32;
              int _j1 = _k + 32 + _i1;
              int _m = _total_y < n ? _total_y : n;
              bool _f = n >= (int)blockIdx.x * 32 + 1 && n >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 16; _e++) {
                int _i0 = _e * 2 + _t / 32;
                int _j0 = blockIdx.y * 32 + _i0;
                _n_a[_e] = _f && _m >= _j0 + 1 ? a[_j0 * n + _j1] : 0;
              }
            }
            {
              int _i1 = _t % 32;
              int _j1 = blockIdx.x * 32 + _i1;
              bool _f = n >= (int)blockIdx.y * 32 + 1 && _total_x >= _j1 + 1 && n >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 16; _e++) {
                int _i0 = _e * 2 + _t / 32;
                int _j0 = _k + 32 + _i0;
                _n_b[_e] = _f && n >= _j0 + 1 ? b[_j0 * n + _j1] : 0;
              }
            }
          }
          if (_k + 32 <= n) {
#pragma unroll
            for (int k = _k; k < _k + 32; k++) {
              float _r_a[4];
#pragma unroll
              for (int _y = 0; _y < 4; _y++)
                _r_a[_y] = _s_a[k - _k][_ty + _y];
              float _r_b[4];
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                _r_b[_x] = _s_b[k - _k][_tx + _x];
#pragma unroll
              for (int _y = 0; _y < 4; _y++)
#pragma unroll
                for (int _x = 0; _x < 4; _x++)
                  sum[_y][_x] += _r_a[_y] * _r_b[_x];
            }
          } else {
            for (int k = _k; k < n; k++) {
              float _r_a_2[4];
#pragma unroll
              for (int _y = 0; _y < 4; _y++)
                _r_a_2[_y] = _s_a[k - _k][_ty + _y];
              float _r_b_2[4];
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                _r_b_2[_x] = _s_b[k - _k][_tx + _x];
#pragma unroll
              for (int _y = 0; _y < 4; _y++)
#pragma unroll
                for (int _x = 0; _x < 4; _x++)
                  sum[_y][_x] += _r_a_2[_y] * _r_b_2[_x];
            }
          }
          __syncthreads();
        }
      }
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int row = (int)(blockIdx.y * 32 + (_ty + _y)); int col = (int)(blockIdx.x * 32 + (_tx + _x));
          if (_p[_y] && _p_2[_x] && _p_3[_y] && _p_4[_x])
            c[row * n + col] = sum[_y][_x];
        }
    }
  }
}
// product_exact_small: product with blocks of 32 x 32 elements for 16 x 16 threads; tiles in 17408 bytes of shared memory, the next one on its way in 8 registers of each thread.
static __global__ void __launch_bounds__(256) product_exact_small(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[2][32][36];
  __shared__ __align__(16) float _s_b[2][32][32];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 2;
  int _ty = (int)threadIdx.y * 2;
  {
    float sum[2][2];
#pragma unroll
    for (int _y = 0; _y < 2; _y++)
#pragma unroll
      for (int _x = 0; _x < 2; _x++)
        sum[_y][_x] = 0;
    {
      int _b = 0;
      float4 _n_a;
      float4 _n_b;
      if (0 < n) {
        {
          int _i1 = _t % 8 * 4;
          int _i0 = _t / 8;
          int _j0 = blockIdx.y * 32 + _i0;
          _n_a = *(const float4 *)&a[_j0 * n + _i1];
        }
        {
          int _i1 = _t % 8 * 4;
          int _i0 = _t / 8;
          int _j1 = blockIdx.x * 32 + _i1;
          _n_b = *(const float4 *)&b[_i0 * n + _j1];
        }
      }
      for (int _k = 0; _k < n; _k += 32) {
        {
          int _i1 = _t % 8 * 4;
          int _i0 = _t / 8;
          _s_a[_b][_i1][_i0] = _n_a.x;
          _s_a[_b][_i1 + 1][_i0] = _n_a.y;
          _s_a[_b][_i1 + 2][_i0] = _n_a.z;
          _s_a[_b][_i1 + 3][_i0] = _n_a.w;
        }
        {
          int _i1 = _t % 8 * 4;
          int _i0 = _t / 8;
          *(float4 *)&_s_b[_b][_i0][_i1] = _n_b;
        }
        __syncthreads();
        if (_k + 32 < n) {
          {
            int _i1 = _t % 8 * 4;
            int _i0 = _t / 8;
            int _j0 = blockIdx.y * 32 + _i0;
            int _j1 = _k + 32 + _i1;
            _n_a = *(const float4 *)&a[_j0 * n + _j1];
          }
          {
            int _i1 = _t % 8 * 4;
            int _i0 = _t / 8;
            int _j0 = _k + 32 + _i0;
            int _j1 = blockIdx.x * 32 + _i1;
            _n_b = *(const float4 *)&b[_j0 * n + _j1];
          }
        }
#pragma unroll
        for (int k = _k; k < _k + 32; k++) {
          float _r_a[2];
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
            _r_a[_y] = _s_a[_b][k - _k][_ty + _y];
          float _r_b[2];
#pragma unroll
          for (int _x = 0; _x < 2; _x++)
            _r_b[_x] = _s_b[_b][k - _k][_tx + _x];
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 2; _x++)
              sum[_y][_x] += _r_a[_y] * _r_b[_x];
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
#pragma unroll
    for (int _y = 0; _y < 2; _y++)
#pragma unroll
      for (int _x = 0; _x < 2; _x++) {
        int row = (int)(blockIdx.y * 32 + (_ty + _y)); int col = (int)(blockIdx.x * 32 + (_tx + _x));
        c[row * n + col] = sum[_y][_x];
      }
  }
}
// product_exact: product with blocks of 32 x 32 elements for 8 x 8 threads; tiles in 8704 bytes of shared memory, the next one on its way in 32 registers of each thread.
static __global__ void __launch_bounds__(64) product_exact(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) float _s_a[32][36];
  __shared__ __align__(16) float _s_b[32][32];
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
      float4 _n_a[4];
      float4 _n_b[4];
      if (0 < n) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 8 + _t / 8;
          int _j0 = blockIdx.y * 32 + _i0;
          _n_a[_e] = *(const float4 *)&a[_j0 * n + _i1];
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 8 + _t / 8;
          int _j1 = blockIdx.x * 32 + _i1;
          _n_b[_e] = *(const float4 *)&b[_i0 * n + _j1];
        }
      }
      for (int _k = 0; _k < n; _k += 32) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 8 + _t / 8;
          _s_a[_i1][_i0] = _n_a[_e].x;
          _s_a[_i1 + 1][_i0] = _n_a[_e].y;
          _s_a[_i1 + 2][_i0] = _n_a[_e].z;
          _s_a[_i1 + 3][_i0] = _n_a[_e].w;
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 8 + _t / 8;
          *(float4 *)&_s_b[_i0][_i1] = _n_b[_e];
        }
        __syncthreads();
        if (_k + 32 < n) {
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 8 * 4;
            int _i0 = _e * 8 + _t / 8;
            int _j0 = blockIdx.y * 32 + _i0;
            int _j1 = _k + 32 + _i1;
            _n_a[_e] = *(const float4 *)&a[_j0 * n + _j1];
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 8 * 4;
            int _i0 = _e * 8 + _t / 8;
            int _j0 = _k + 32 + _i0;
            int _j1 = blockIdx.x * 32 + _i1;
            _n_b[_e] = *(const float4 *)&b[_j0 * n + _j1];
          }
        }
#pragma unroll
        for (int k = _k; k < _k + 32; k++) {
          float _r_a[4];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
            _r_a[_y] = _s_a[k - _k][_ty + _y];
          float _r_b[4];
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _r_b[_x] = _s_b[k - _k][_tx + _x];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              sum[_y][_x] += _r_a[_y] * _r_b[_x];
        }
        __syncthreads();
      }
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
// product_fits: what the exact versions take for granted.
static inline bool product_fits(const float *__restrict__ a, const float *__restrict__ b, int n) {
  const long long _total_x = mesi_mapped().total_x;
  const long long _total_y = mesi_mapped().total_y;
  return n % 32 == 0 && n >= _total_y && n >= _total_x && mesi_aligned(a) && mesi_aligned(b);
}
void run(float *a, float *b, float *c, int n) {
  (mesi_map(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)), mesi_choose(product_fits(a, b, n), {{32, 32, 8, 8, 0}, {32, 32, 16, 16, 0, true}, {32, 32, 8, 8, 262144, true}}), mesi_pick(product_mapped, product_exact_small, product_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, b, c, n, mesi_mapped().total_x, mesi_mapped().total_y));
}
