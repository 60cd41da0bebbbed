#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_433d32e4; }
// args: -O2 --no-line -arch=sm_90 --mapping=always
#define N 1024
extern float re[N][N] MESI_VS(_vs_re), im[N][N] MESI_VS(_vs_im), ar[N][N] MESI_VS(_vs_ar), ai[N][N] MESI_VS(_vs_ai), br[N][N] MESI_VS(_vs_br), bi[N][N] MESI_VS(_vs_bi); static MESI_CONSTANT decltype(re) *_d_re; static MESI_CONSTANT decltype(im) *_d_im; static MESI_CONSTANT decltype(ar) *_d_ar; static MESI_CONSTANT decltype(ai) *_d_ai; static MESI_CONSTANT decltype(br) *_d_br; static MESI_CONSTANT decltype(bi) *_d_bi;
#define IDS int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y
// nvcc takes the product whose loads come first, y * u, and rounds x * v.
__global__ void complex(int n) { auto &ar = *_d_ar; auto &ai = *_d_ai; auto &br = *_d_br; auto &bi = *_d_bi; auto &re = *_d_re; auto &im = *_d_im;
  IDS;
  float s = 0, t = 0;
  for (int k = 0; k < n; k++) {
    float x = ar[j][k], y = ai[j][k], u = br[k][i], v = bi[k][i];
    s += x * u - y * v;
    t += x * v + y * u;
  }
  re[j][i] = s;
  im[j][i] = t;
}
// complex_mapped: complex with blocks of 128 x 32 elements for 16 x 8 threads; tiles in 41984 bytes of shared memory.
// Predicted gain: 5.9.
static __global__ void __launch_bounds__(128, 3) complex_mapped(int n) {
  auto &ar = *_d_ar;
  auto &ai = *_d_ai;
  auto &br = *_d_br;
  auto &bi = *_d_bi;
  auto &re = *_d_re;
  auto &im = *_d_im;
  __shared__ __align__(16) float _s_ar[2][16][36];
  __shared__ __align__(16) float _s_ai[2][16][36];
  __shared__ __align__(16) float _s_br[2][16][128];
  __shared__ __align__(16) float _s_bi[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  float s[4][8];
  float t[4][8];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      s[_y][_x] = 0; t[_y][_x] = 0;
    }
  {
    int _b = 0;
    if (0 < n) {
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = blockIdx.y * 32 + _i0;
        mesi_copy_async<4>(&_s_ar[0][_i1][_i0], &ar[_j0][_i1]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = blockIdx.y * 32 + _i0;
        mesi_copy_async<4>(&_s_ai[0][_i1][_i0], &ai[_j0][_i1]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e * 4 + _t / 32;
        int _j1 = blockIdx.x * 128 + _i1;
        mesi_copy_async<16>(&_s_br[0][_i0][_i1], &br[_i0][_j1]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e * 4 + _t / 32;
        int _j1 = blockIdx.x * 128 + _i1;
        mesi_copy_async<16>(&_s_bi[0][_i0][_i1], &bi[_i0][_j1]);
      }
    }
    mesi_copy_commit();
    for (int _k = 0; _k < n; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < n) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = blockIdx.y * 32 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_ar[1 - _b][_i1][_i0], &ar[_j0][_j1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = blockIdx.y * 32 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_ai[1 - _b][_i1][_i0], &ai[_j0][_j1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_br[1 - _b][_i0][_i1], &br[_j0][_j1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_bi[1 - _b][_i0][_i1], &bi[_j0][_j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int k = _k; k < _k + 16; k++) {
        float x[4];
        float y[4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          x[_y] = _s_ar[_b][k - _k][_ty + _y]; y[_y] = _s_ai[_b][k - _k][_ty + _y];
        }
        float u[8];
        float v[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          u[_x] = _s_br[_b][k - _k][_tx + _x / 4 * 64 + _x % 4]; v[_x] = _s_bi[_b][k - _k][_tx + _x / 4 * 64 + _x % 4];
        }
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++) {
            s[_y][_x] += x[_y] * u[_x] - __fmul_rn(y[_y], v[_x]);
            t[_y][_x] += __fmul_rn(x[_y], v[_x]) + y[_y] * u[_x];
          }
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)(blockIdx.y * 32 + (_ty + _y));
      re[j][i] = s[_y][_x];
      im[j][i] = t[_y][_x];
    }
}
// complex_mapped_part: complex_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128, 3) complex_mapped_part(int n, const mesi_run _run) {
  auto &ar = *_d_ar;
  auto &ai = *_d_ai;
  auto &br = *_d_br;
  auto &bi = *_d_bi;
  auto &re = *_d_re;
  auto &im = *_d_im;
  __shared__ __align__(16) float _s_ar[2][16][36];
  __shared__ __align__(16) float _s_ai[2][16][36];
  __shared__ __align__(16) float _s_br[2][16][128];
  __shared__ __align__(16) float _s_bi[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  float s[4][8];
  float t[4][8];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      s[_y][_x] = 0; t[_y][_x] = 0;
    }
  {
    int _b = 0;
    if (0 < n) {
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = (blockIdx.y + _run.first) * 32 + _i0;
        mesi_copy_async<4>(&_s_ar[0][_i1][_i0], &ar[_j0][_i1]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = (blockIdx.y + _run.first) * 32 + _i0;
        mesi_copy_async<4>(&_s_ai[0][_i1][_i0], &ai[_j0][_i1]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e * 4 + _t / 32;
        int _j1 = blockIdx.x * 128 + _i1;
        mesi_copy_async<16>(&_s_br[0][_i0][_i1], &br[_i0][_j1]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e * 4 + _t / 32;
        int _j1 = blockIdx.x * 128 + _i1;
        mesi_copy_async<16>(&_s_bi[0][_i0][_i1], &bi[_i0][_j1]);
      }
    }
    mesi_copy_commit();
    for (int _k = 0; _k < n; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < n) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = (blockIdx.y + _run.first) * 32 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_ar[1 - _b][_i1][_i0], &ar[_j0][_j1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = (blockIdx.y + _run.first) * 32 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_ai[1 - _b][_i1][_i0], &ai[_j0][_j1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_br[1 - _b][_i0][_i1], &br[_j0][_j1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_bi[1 - _b][_i0][_i1], &bi[_j0][_j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int k = _k; k < _k + 16; k++) {
        float x[4];
        float y[4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          x[_y] = _s_ar[_b][k - _k][_ty + _y]; y[_y] = _s_ai[_b][k - _k][_ty + _y];
        }
        float u[8];
        float v[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          u[_x] = _s_br[_b][k - _k][_tx + _x / 4 * 64 + _x % 4]; v[_x] = _s_bi[_b][k - _k][_tx + _x / 4 * 64 + _x % 4];
        }
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++) {
            s[_y][_x] += x[_y] * u[_x] - __fmul_rn(y[_y], v[_x]);
            t[_y][_x] += __fmul_rn(x[_y], v[_x]) + y[_y] * u[_x];
          }
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y));
      re[j][i] = s[_y][_x];
      im[j][i] = t[_y][_x];
    }
}
// The members of a vector come at once before sm_100: the left one is taken first.
__global__ void pairs(const float2 *a, const float2 *b, float *c, int n) {
  IDS;
  float t = 0;
  for (int k = 0; k < n; k++) {
    float2 p = a[j * n + k], q = b[k * n + i];
    t += p.x * q.y + p.y * q.x;
  }
  c[j * n + i] = t;
}
// pairs_mapped: pairs with blocks of 64 x 64 elements for 16 x 8 threads; tiles in 16896 bytes of shared memory.
// Predicted gain: 5.3.
static __global__ void __launch_bounds__(128, 4) pairs_mapped(const float2 *a, const float2 *b, float *c, int n) {
  __shared__ __align__(16) float2 _s_a[2][16][66];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 2;
  int _ty = (int)threadIdx.y * 2;
  float t[8][4];
#pragma unroll
  for (int _y = 0; _y < 8; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      t[_y][_x] = 0;
  {
    int _b = 0;
    if (0 < n) {
#pragma unroll
      for (int _e = 0; _e < 8; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = blockIdx.y * 64 + _i0;
        mesi_copy_async<8>(&_s_a[0][_i1][_i0], &a[_j0 * 512 + _i1]);
      }
    }
    mesi_copy_commit();
    for (int _k = 0; _k < n; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < n) {
#pragma unroll
        for (int _e = 0; _e < 8; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = blockIdx.y * 64 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<8>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * 512 + _j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll
      for (int k = _k; k < _k + 16; k++) {
        float2 p[8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
          p[_y] = _s_a[_b][k - _k][_ty + _y / 2 * 16 + _y % 2];
        float2 q[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int i = (int)(blockIdx.x * 64 + (_tx + _x / 2 * 32 + _x % 2));
          q[_x] = b[k * n + i];
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            t[_y][_x] += p[_y].x * q[_x].y + __fmul_rn(p[_y].y, q[_x].x);
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 8; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)(blockIdx.x * 64 + (_tx + _x / 2 * 32 + _x % 2)); int j = (int)(blockIdx.y * 64 + (_ty + _y / 2 * 16 + _y % 2));
      c[j * n + i] = t[_y][_x];
    }
}
// pairs_mapped_part: pairs_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128, 4) pairs_mapped_part(const float2 *a, const float2 *b, float *c, int n, const mesi_run _run) {
  __shared__ __align__(16) float2 _s_a[2][16][66];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 2;
  int _ty = (int)threadIdx.y * 2;
  float t[8][4];
#pragma unroll
  for (int _y = 0; _y < 8; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      t[_y][_x] = 0;
  {
    int _b = 0;
    if (0 < n) {
#pragma unroll
      for (int _e = 0; _e < 8; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = (blockIdx.y + _run.first) * 64 + _i0;
        mesi_copy_async<8>(&_s_a[0][_i1][_i0], &a[_j0 * 512 + _i1]);
      }
    }
    mesi_copy_commit();
    for (int _k = 0; _k < n; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < n) {
#pragma unroll
        for (int _e = 0; _e < 8; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = (blockIdx.y + _run.first) * 64 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<8>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * 512 + _j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll
      for (int k = _k; k < _k + 16; k++) {
        float2 p[8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
          p[_y] = _s_a[_b][k - _k][_ty + _y / 2 * 16 + _y % 2];
        float2 q[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int i = (int)(blockIdx.x * 64 + (_tx + _x / 2 * 32 + _x % 2));
          q[_x] = b[k * n + i];
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            t[_y][_x] += p[_y].x * q[_x].y + __fmul_rn(p[_y].y, q[_x].x);
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 8; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)(blockIdx.x * 64 + (_tx + _x / 2 * 32 + _x % 2)); int j = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y / 2 * 16 + _y % 2));
      c[j * n + i] = t[_y][_x];
    }
}
// The load of b moves in front of the loop.
__global__ void early(float *o, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    float p = a[k];
    o[i + k * n] = p * b[k + n] + b[i] * p;
  }
}
// early_mapped: early with blocks of 128 x 1 elements for 128 x 1 threads; tiles in 2048 bytes of shared memory.
// Predicted gain: 0.2.
static __global__ void __launch_bounds__(128) early_mapped(float *o, const float *a, const float *b, int n) {
  __shared__ __align__(16) float _s_b[2][128];
  __shared__ __align__(16) float _s_a[2][128];
  int _t = (int)threadIdx.x;
  int i = (int)(blockIdx.x * 128 + threadIdx.x);
  {
    float _r_b;
    {
      _r_b = b[i];
    }
    {
      int _b = 0;
      if (0 < n) {
        for (int _q = _t; _q < 32; _q += 128) {
          int _i0 = _q * 4;
          int _j0 = 0 + 512 + _i0;
          mesi_copy_async<16>(&_s_b[0][_i0], &b[_j0]);
        }
        for (int _q = _t; _q < 32; _q += 128) {
          int _i0 = _q * 4;
          mesi_copy_async<16>(&_s_a[0][_i0], &a[_i0]);
        }
      }
      mesi_copy_commit();
      for (int _k = 0; _k < n; _k += 128) {
        mesi_copy_wait();
        __syncthreads();
        if (_k + 128 < n) {
          for (int _q = _t; _q < 32; _q += 128) {
            int _i0 = _q * 4;
            int _j0 = _k + 128 + 512 + _i0;
            mesi_copy_async<16>(&_s_b[1 - _b][_i0], &b[_j0]);
          }
          for (int _q = _t; _q < 32; _q += 128) {
            int _i0 = _q * 4;
            int _j0 = _k + 128 + _i0;
            mesi_copy_async<16>(&_s_a[1 - _b][_i0], &a[_j0]);
          }
        }
        mesi_copy_commit();
#pragma unroll 8
        for (int k = _k; k < _k + 128; k++) {
          float p = _s_a[_b][k - _k];
          o[i + k * n] = p * _s_b[_b][k - _k] + __fmul_rn(_r_b, p);
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
  }
}
// Which one of them is taken first is not known.
__global__ void chosen(int n) { auto &ar = *_d_ar; auto &ai = *_d_ai; auto &br = *_d_br; auto &re = *_d_re;
  IDS;
  float s = 0;
  for (int k = 0; k < n; k++) {
    float x = ar[j][k], y = ai[j][k], u = br[k][i], v = fmaxf(y, x);
    s += v * x + x * u;
  }
  re[j][i] = s;
}
// chosen_part: chosen for a run of blocks along y, from _run.first of _run.blocks.
__global__ void chosen_part(int n, const mesi_run _run) {
  auto &ar = *_d_ar;
  auto &ai = *_d_ai;
  auto &br = *_d_br;
  auto &re = *_d_re;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k++) {
    float x = ar[j][k], y = ai[j][k], u = br[k][i], v = fmaxf(y, x);
    s += v * x + x * u;
  }
  re[j][i] = s;
}
int main() {
  (mesi_launch_begin(&_mesi_433d32e4, 0), mesi_launch_on_several(), mesi_launch_range(0, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(1, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(2, 0, 4194304, 0, 0, MESI_READ), mesi_launch_range(3, 0, 4194304, 0, 0, MESI_READ), mesi_launch_range(4, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {65536, 0, 65536}), mesi_launch_range(5, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {65536, 0, 65536}), mesi_stream(0), mesi_map(dim3(N / 16, N / 16), dim3(16, 16), 128, 32, dim3(16, 8), 0), mesi_parted(mesi_runs(complex_mapped, {complex_mapped_part}, 0, 1), dim3(8, 32), dim3(16, 8))(N), mesi_launch_end());
  (mesi_launch_begin(&_mesi_433d32e4, 1), mesi_launch_on_several(), mesi_stream(0), mesi_map(dim3(N / 16, N / 16), dim3(16, 16), 64, 64, dim3(16, 8), 0), mesi_parted(mesi_runs(pairs_mapped, {pairs_mapped_part}, 0, 1), dim3(16, 16), dim3(16, 8))(mesi_arg_range((float2 *)&ar[0][0], 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_arg_range((float2 *)&br[0][0], 0, 2101248, 0, 0, MESI_READ), mesi_arg_range(&im[0][0], 0, 0, 0, 2099200, MESI_WRITE | MESI_OVERWRITE, {}, {32768, 0, 34816}), N / 2), mesi_launch_end());
  (mesi_launch_begin(&_mesi_433d32e4, 2), mesi_stream(0), early_mapped<<<8, 128>>>(mesi_arg_range(&ar[0][0], 0, 0, 0, 1050624, MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(&br[0][0], 0, 2048, 0, 0, MESI_READ), mesi_arg_range(&im[0][0], 0, 4096, 0, 0, MESI_READ), N / 2), mesi_launch_end());
  (mesi_launch_begin(&_mesi_433d32e4, 3), mesi_launch_on_devices(), mesi_launch_range(0, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(1, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(2, 0, 4194304, 0, 0, MESI_READ), mesi_launch_range(3, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {65536, 0, 65536}), mesi_stream(0), mesi_parted(chosen, chosen_part, 1, dim3(N / 16, N / 16), dim3(16, 16))(N), mesi_launch_end());
  mesi_use_bytes(re, 12304, 12308, MESI_READ); return re[3][4] > 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(re)> _vs_re; }
extern "C" { MESI_HIDDEN mesi_page<decltype(im)> _vs_im; }
extern "C" { MESI_HIDDEN mesi_page<decltype(ar)> _vs_ar; }
extern "C" { MESI_HIDDEN mesi_page<decltype(ai)> _vs_ai; }
extern "C" { MESI_HIDDEN mesi_page<decltype(br)> _vs_br; }
extern "C" { MESI_HIDDEN mesi_page<decltype(bi)> _vs_bi; }
static const struct mesi_var _mesi_433d32e4_vars[] = {
  {"re", (void *)&re, sizeof(re), &_d_re, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_order.mcu:3"},
  {"im", (void *)&im, sizeof(im), &_d_im, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_order.mcu:3"},
  {"ar", (void *)&ar, sizeof(ar), &_d_ar, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_order.mcu:3"},
  {"ai", (void *)&ai, sizeof(ai), &_d_ai, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_order.mcu:3"},
  {"br", (void *)&br, sizeof(br), &_d_br, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_order.mcu:3"},
  {"bi", (void *)&bi, sizeof(bi), &_d_bi, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_order.mcu:3"},
};
static const struct mesi_site_use _mesi_433d32e4_uses_0[] = {{2, MESI_READ}, {3, MESI_READ}, {4, MESI_READ}, {5, MESI_READ}, {0, MESI_READ_WRITE}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_433d32e4_uses_3[] = {{2, MESI_READ}, {3, MESI_READ}, {4, MESI_READ}, {0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_433d32e4_sites[] = {
  {"complex", "rounding_order.mcu:46", _mesi_433d32e4_uses_0, 6, 0},
  {"pairs", "rounding_order.mcu:47", 0, 0, 0},
  {"early", "rounding_order.mcu:48", 0, 0, 0},
  {"chosen", "rounding_order.mcu:49", _mesi_433d32e4_uses_3, 4, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_433d32e4 = {MESI_ABI, "rounding_order.mcu", _mesi_433d32e4_vars, 6, _mesi_433d32e4_sites, 4}; }
MESI_REGISTER(_mesi_433d32e4)
