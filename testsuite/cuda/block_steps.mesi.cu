#include <mesi_cuda.h>
#line 1 "testsuite/cuda/block_steps.cu"
// args: --mapping=always
// Blocks that go through a tile in steps: by their threads from 0 and from the thread's index, by
// one, along both axes, with guards, sums and unsigned indices; tiles that the grid does not fill;
// and steps that meet in an element, hand something on or use a digit by itself, which stay.
#include <cstdio>
#include <cstdlib>

#define TILE 32
#define ROWS 8

__global__ void copied(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) c[(y + j) * n + x] = a[(y + j) * n + x];
}
// copied_mapped: copied with blocks of 256 x 1 elements for 64 x 1 threads.
// Predicted gain: 1.1.
#line 11 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(64) copied_mapped(int *c, const int *__restrict__ a, int n, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 256 + 0) < _total_x && (int)(blockIdx.x * 256 + 255) < _total_x && (mesi_vector_at(&a[(int)blockIdx.y * n + (int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&c[(int)blockIdx.y * n + (int)(blockIdx.x * 256 + 0)])));
  if (_whole) {
    int _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)blockIdx.y * n + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    int _w_c[4];
    {
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
#line 14 "testsuite/cuda/block_steps.cu"
            _w_c[_x] = _w_a[_x];
        }
      }
    }
    mesi_vector_store(&c[(int)blockIdx.y * n + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)], &_w_c[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)) < _total_x) {
        int _element = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64));
        int _element_2 = (int)blockIdx.y;
        {
#line 14 "testsuite/cuda/block_steps.cu"
          c[_element_2 * n + _element] = a[_element_2 * n + _element];
        }
      }
    }
}
// copied_written: copied for launches whose rows are short or whose arguments may overlap.
#line 11 "testsuite/cuda/block_steps.cu"
static __global__ void copied_written(int *c, const int *a, int n, int _total_x) {
#line 13 "testsuite/cuda/block_steps.cu"
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) c[(y + j) * n + x] = a[(y + j) * n + x];
}
#line 16 "testsuite/cuda/block_steps.cu"

__global__ void transposed(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < n && y + j < n) c[x * n + (y + j)] = a[(y + j) * n + x];
}
// transposed_mapped: transposed with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 4224 bytes of shared memory.
// Predicted gain: 2.1.
#line 17 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(256) transposed_mapped(int *c, const int *a, int n, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) int _s_c[32][33];
  {
#pragma unroll
    for (int _y = 0; _y < 4; _y++)
      if ((int)(blockIdx.y * 32 + (_ty + _y * 8)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int _element = (int)(blockIdx.x * 32 + threadIdx.x);
        int _element_2 = (int)(blockIdx.y * 32 + (_ty + _y * 8));
        {
#line 19 "testsuite/cuda/block_steps.cu"
          int x = _element;

          if (x < n && _element_2 < n) _s_c[threadIdx.x][_ty + _y * 8] = a[_element_2 * n + _element];
        }
      }
  }
  __syncthreads();
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)(blockIdx.y * 32 + threadIdx.x) < _total_y && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < _total_x)
      if ((int)(blockIdx.x * 32 + (_ty + _y * 8)) < n && (int)(blockIdx.y * 32 + threadIdx.x) < n)
        c[(int)(blockIdx.x * 32 + (_ty + _y * 8)) * n + (int)(blockIdx.y * 32 + threadIdx.x)] = _s_c[_ty + _y * 8][threadIdx.x];
}
// transposed_written: transposed for launches whose rows are short or whose arguments may overlap.
#line 17 "testsuite/cuda/block_steps.cu"
static __global__ void transposed_written(int *c, const int *a, int n, int _total_x, int _total_y) {
#line 19 "testsuite/cuda/block_steps.cu"
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y)
    if (x < n && y + j < n) c[x * n + (y + j)] = a[(y + j) * n + x];
}
#line 23 "testsuite/cuda/block_steps.cu"

__global__ void from_thread(int *c, const int *a, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  for (int j = threadIdx.y; j < TILE; j += ROWS) {
    int row = blockIdx.y * TILE + j;
    if (row < n) {
      int sum = row;
      for (int k = 0; k < 9; k++) sum += a[row * n + k] * a[k * n + x];
      c[row * n + x] = sum;
    }
  }
}
// from_thread_mapped: from_thread with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 14112 bytes of shared memory.
// Predicted gain: 0.9.
#line 24 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(128, 4) from_thread_mapped(int *c, const int *a, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) int _s_a[2][9][68];
  __shared__ __align__(16) int _s_a_2[2][9][128];
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
      {
        bool _p_3[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int _element = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
#line 26 "testsuite/cuda/block_steps.cu"
          int x = _element;
          _p_3[_x] = x < n;
        }
        {
          {
            bool _p_4[8];
#pragma unroll
            for (int _y = 0; _y < 8; _y++) {
              int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
#line 29 "testsuite/cuda/block_steps.cu"
              int row = _element_2;
              _p_4[_y] = row < n;
            }
            int sum[8][8];
#pragma unroll
            for (int _y = 0; _y < 8; _y++)
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
#line 29 "testsuite/cuda/block_steps.cu"
                int row = _element_2;

                sum[_y][_x] = row;
              }
            {
              int _b = 0;
              for (int _q = _t; _q < 576; _q += 128) {
                int _i0 = _q / 9;
                int _i1 = _q % 9;
                int _j0 = blockIdx.y * 64 + _i0;
                mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * n + _i1], _total_y >= _j0 + 1 && n >= _j0 + 1 && n >= (int)blockIdx.x * 128 + 1);
              }
              {
                int _i1 = _t % 128;
                int _j1 = blockIdx.x * 128 + _i1;
                bool _f = _total_x >= _j1 + 1 && n >= _j1 + 1 && n >= (int)blockIdx.y * 64 + 1;
#pragma unroll
                for (int _e = 0; _e < 9; _e++) {
                  int _i0 = _e + _t / 128;
                  mesi_copy_async<4>(&_s_a_2[0][_i0][_i1], &a[_i0 * n + _j1], _f);
                }
              }
              mesi_copy_commit();
              for (int _k = 0; _k < 9; _k += 9) {
                mesi_copy_wait();
                __syncthreads();
                if (_k + 9 < 9) {
                  for (int _q = _t; _q < 576; _q += 128) {
                    int _i0 = _q / 9;
                    int _i1 = _q % 9;
                    int _j0 = blockIdx.y * 64 + _i0;
                    mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * n + _i1], _total_y >= _j0 + 1 && n >= _j0 + 1 && n >= (int)blockIdx.x * 128 + 1);
                  }
                  {
                    int _i1 = _t % 128;
                    int _j1 = blockIdx.x * 128 + _i1;
                    bool _f = _total_x >= _j1 + 1 && n >= _j1 + 1 && n >= (int)blockIdx.y * 64 + 1;
#pragma unroll
                    for (int _e = 0; _e < 9; _e++) {
                      int _i0 = _e + _t / 128;
                      mesi_copy_async<4>(&_s_a_2[1 - _b][_i0][_i1], &a[_i0 * n + _j1], _f);
                    }
                  }
                }
                mesi_copy_commit();
#pragma unroll
#line 32 "testsuite/cuda/block_steps.cu"
                for (int k = _k; k < _k + 9; k++) {
                  int _r_a[8];
#pragma unroll
                  for (int _y = 0; _y < 8; _y++)
                    _r_a[_y] = _s_a[_b][k][_ty + _y / 4 * 32 + _y % 4];
                  int _r_a_2[8];
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
                    _r_a_2[_x] = _s_a_2[_b][k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                  for (int _y = 0; _y < 8; _y++)
#pragma unroll
                    for (int _x = 0; _x < 8; _x++)
#line 32 "testsuite/cuda/block_steps.cu"
                      sum[_y][_x] += _r_a[_y] * _r_a_2[_x];
                }
                _b = 1 - _b;
              }
              __syncthreads();
            }
#pragma unroll
            for (int _y = 0; _y < 8; _y++)
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                int _element = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
                int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
                if (_p[_y] && _p_2[_x] && _p_3[_x] && _p_4[_y])
#line 33 "testsuite/cuda/block_steps.cu"
                  c[_element_2 * n + _element] = sum[_y][_x];
              }
          }
        }
      }
    }
  }
}
// from_thread_aligned: from_thread with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 14112 bytes of shared memory.
#line 24 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(128, 4) from_thread_aligned(int *c, const int *a, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) int _s_a[2][9][68];
  __shared__ __align__(16) int _s_a_2[2][9][128];
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
      {
        bool _p_3[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int _element = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
#line 26 "testsuite/cuda/block_steps.cu"
          int x = _element;
          _p_3[_x] = x < n;
        }
        {
          {
            bool _p_4[8];
#pragma unroll
            for (int _y = 0; _y < 8; _y++) {
              int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
#line 29 "testsuite/cuda/block_steps.cu"
              int row = _element_2;
              _p_4[_y] = row < n;
            }
            int sum[8][8];
#pragma unroll
            for (int _y = 0; _y < 8; _y++)
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
#line 29 "testsuite/cuda/block_steps.cu"
                int row = _element_2;

                sum[_y][_x] = row;
              }
            {
              int _b = 0;
              for (int _q = _t; _q < 576; _q += 128) {
                int _i0 = _q / 9;
                int _i1 = _q % 9;
                int _j0 = blockIdx.y * 64 + _i0;
                mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * n + _i1], _total_y >= _j0 + 1 && n >= _j0 + 1 && n >= (int)blockIdx.x * 128 + 1);
              }
              for (int _q = _t; _q < 288; _q += 128) {
                int _i0 = _q / 32;
                int _i1 = _q % 32 * 4;
                int _j1 = blockIdx.x * 128 + _i1;
                mesi_copy_async<16>(&_s_a_2[0][_i0][_i1], &a[_i0 * n + _j1], _total_x >= _j1 + 1 && n >= _j1 + 1 && n >= (int)blockIdx.y * 64 + 1);
              }
              mesi_copy_commit();
              for (int _k = 0; _k < 9; _k += 9) {
                mesi_copy_wait();
                __syncthreads();
                if (_k + 9 < 9) {
                  for (int _q = _t; _q < 576; _q += 128) {
                    int _i0 = _q / 9;
                    int _i1 = _q % 9;
                    int _j0 = blockIdx.y * 64 + _i0;
                    mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * n + _i1], _total_y >= _j0 + 1 && n >= _j0 + 1 && n >= (int)blockIdx.x * 128 + 1);
                  }
                  for (int _q = _t; _q < 288; _q += 128) {
                    int _i0 = _q / 32;
                    int _i1 = _q % 32 * 4;
                    int _j1 = blockIdx.x * 128 + _i1;
                    mesi_copy_async<16>(&_s_a_2[1 - _b][_i0][_i1], &a[_i0 * n + _j1], _total_x >= _j1 + 1 && n >= _j1 + 1 && n >= (int)blockIdx.y * 64 + 1);
                  }
                }
                mesi_copy_commit();
#pragma unroll
#line 32 "testsuite/cuda/block_steps.cu"
                for (int k = _k; k < _k + 9; k++) {
                  int _r_a[8];
#pragma unroll
                  for (int _y = 0; _y < 8; _y++)
                    _r_a[_y] = _s_a[_b][k][_ty + _y / 4 * 32 + _y % 4];
                  int _r_a_2[8];
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
                    _r_a_2[_x] = _s_a_2[_b][k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                  for (int _y = 0; _y < 8; _y++)
#pragma unroll
                    for (int _x = 0; _x < 8; _x++)
#line 32 "testsuite/cuda/block_steps.cu"
                      sum[_y][_x] += _r_a[_y] * _r_a_2[_x];
                }
                _b = 1 - _b;
              }
              __syncthreads();
            }
#pragma unroll
            for (int _y = 0; _y < 8; _y++)
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                int _element = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
                int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
                if (_p[_y] && _p_2[_x] && _p_3[_x] && _p_4[_y])
#line 33 "testsuite/cuda/block_steps.cu"
                  c[_element_2 * n + _element] = sum[_y][_x];
              }
          }
        }
      }
    }
  }
}
// from_thread_exact_small: from_thread with blocks of 32 x 32 elements for 8 x 8 threads; tiles in 4896 bytes of shared memory.
#line 24 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(64) from_thread_exact_small(int *c, const int *a, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) int _s_a[2][9][36];
  __shared__ __align__(16) int _s_a_2[2][9][32];
  int _t = (int)threadIdx.y * 8 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    {
      {
        {
          int sum[4][4];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int _element_2 = (int)(blockIdx.y * 32 + (_ty + _y));
#line 29 "testsuite/cuda/block_steps.cu"
              int row = _element_2;

              sum[_y][_x] = row;
            }
          {
            int _b = 0;
            for (int _q = _t; _q < 288; _q += 64) {
              int _i0 = _q / 9;
              int _i1 = _q % 9;
              int _j0 = blockIdx.y * 32 + _i0;
              mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * n + _i1]);
            }
            for (int _q = _t; _q < 72; _q += 64) {
              int _i0 = _q / 8;
              int _i1 = _q % 8 * 4;
              int _j1 = blockIdx.x * 32 + _i1;
              mesi_copy_async<16>(&_s_a_2[0][_i0][_i1], &a[_i0 * n + _j1]);
            }
            mesi_copy_commit();
            for (int _k = 0; _k < 9; _k += 9) {
              mesi_copy_wait();
              __syncthreads();
              if (_k + 9 < 9) {
                for (int _q = _t; _q < 288; _q += 64) {
                  int _i0 = _q / 9;
                  int _i1 = _q % 9;
                  int _j0 = blockIdx.y * 32 + _i0;
                  mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * n + _i1]);
                }
                for (int _q = _t; _q < 72; _q += 64) {
                  int _i0 = _q / 8;
                  int _i1 = _q % 8 * 4;
                  int _j1 = blockIdx.x * 32 + _i1;
                  mesi_copy_async<16>(&_s_a_2[1 - _b][_i0][_i1], &a[_i0 * n + _j1]);
                }
              }
              mesi_copy_commit();
#pragma unroll
#line 32 "testsuite/cuda/block_steps.cu"
              for (int k = _k; k < _k + 9; k++) {
                int _r_a[4];
#pragma unroll
                for (int _y = 0; _y < 4; _y++)
                  _r_a[_y] = _s_a[_b][k][_ty + _y];
                int _r_a_2[4];
#pragma unroll
                for (int _x = 0; _x < 4; _x++)
                  _r_a_2[_x] = _s_a_2[_b][k][_tx + _x];
#pragma unroll
                for (int _y = 0; _y < 4; _y++)
#pragma unroll
                  for (int _x = 0; _x < 4; _x++)
#line 32 "testsuite/cuda/block_steps.cu"
                    sum[_y][_x] += _r_a[_y] * _r_a_2[_x];
              }
              _b = 1 - _b;
            }
            __syncthreads();
          }
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int _element = (int)(blockIdx.x * 32 + (_tx + _x));
              int _element_2 = (int)(blockIdx.y * 32 + (_ty + _y));
#line 33 "testsuite/cuda/block_steps.cu"
              c[_element_2 * n + _element] = sum[_y][_x];
            }
        }
      }
    }
  }
}
// from_thread_exact: from_thread with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 14112 bytes of shared memory.
#line 24 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(128, 4) from_thread_exact(int *c, const int *a, int n, int _total_x, int _total_y) {
  __shared__ __align__(16) int _s_a[2][9][68];
  __shared__ __align__(16) int _s_a_2[2][9][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    {
      {
        {
          int sum[8][8];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
#pragma unroll
            for (int _x = 0; _x < 8; _x++) {
              int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
#line 29 "testsuite/cuda/block_steps.cu"
              int row = _element_2;

              sum[_y][_x] = row;
            }
          {
            int _b = 0;
            for (int _q = _t; _q < 576; _q += 128) {
              int _i0 = _q / 9;
              int _i1 = _q % 9;
              int _j0 = blockIdx.y * 64 + _i0;
              mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0 * n + _i1]);
            }
            for (int _q = _t; _q < 288; _q += 128) {
              int _i0 = _q / 32;
              int _i1 = _q % 32 * 4;
              int _j1 = blockIdx.x * 128 + _i1;
              mesi_copy_async<16>(&_s_a_2[0][_i0][_i1], &a[_i0 * n + _j1]);
            }
            mesi_copy_commit();
            for (int _k = 0; _k < 9; _k += 9) {
              mesi_copy_wait();
              __syncthreads();
              if (_k + 9 < 9) {
                for (int _q = _t; _q < 576; _q += 128) {
                  int _i0 = _q / 9;
                  int _i1 = _q % 9;
                  int _j0 = blockIdx.y * 64 + _i0;
                  mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0 * n + _i1]);
                }
                for (int _q = _t; _q < 288; _q += 128) {
                  int _i0 = _q / 32;
                  int _i1 = _q % 32 * 4;
                  int _j1 = blockIdx.x * 128 + _i1;
                  mesi_copy_async<16>(&_s_a_2[1 - _b][_i0][_i1], &a[_i0 * n + _j1]);
                }
              }
              mesi_copy_commit();
#pragma unroll
#line 32 "testsuite/cuda/block_steps.cu"
              for (int k = _k; k < _k + 9; k++) {
                int _r_a[8];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
                  _r_a[_y] = _s_a[_b][k][_ty + _y / 4 * 32 + _y % 4];
                int _r_a_2[8];
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  _r_a_2[_x] = _s_a_2[_b][k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
                for (int _y = 0; _y < 8; _y++)
#pragma unroll
                  for (int _x = 0; _x < 8; _x++)
#line 32 "testsuite/cuda/block_steps.cu"
                    sum[_y][_x] += _r_a[_y] * _r_a_2[_x];
              }
              _b = 1 - _b;
            }
            __syncthreads();
          }
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
#pragma unroll
            for (int _x = 0; _x < 8; _x++) {
              int _element = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
              int _element_2 = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
#line 33 "testsuite/cuda/block_steps.cu"
              c[_element_2 * n + _element] = sum[_y][_x];
            }
        }
      }
    }
  }
}
// from_thread_written: from_thread for launches whose rows are short or whose arguments may overlap.
#line 24 "testsuite/cuda/block_steps.cu"
static __global__ void from_thread_written(int *c, const int *a, int n, int _total_x, int _total_y) {
#line 26 "testsuite/cuda/block_steps.cu"
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int row = blockIdx.y * 32 + j;
    if (row < n) {
      int sum = row;
      for (int k = 0; k < 9; k++) sum += a[row * n + k] * a[k * n + x];
      c[row * n + x] = sum;
    }
  }
}
// from_thread_fits: what the exact versions take for granted.
static inline bool from_thread_fits(const int *a, int n) {
  const long long _total_x = mesi_mapped().total_x;
  const long long _total_y = mesi_mapped().total_y;
  return n % 4 == 0 && n >= _total_x && n >= _total_y && mesi_aligned(a);
}
// from_thread_aligned_if: what from_thread_aligned is for.
static inline bool from_thread_aligned_if(const int *a, int n) {
  const long long _total_x = mesi_mapped().total_x;
  return _total_x % 4 == 0 && n % 4 == 0 && mesi_aligned(a);
}
#line 37 "testsuite/cuda/block_steps.cu"

__global__ void by_one(int *c, const int *a, int n)
{
  int first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  for (int i = 0; i < 4; i++) {
    int at = first + i * blockDim.x;
    if (at < n * n) c[at] = a[at] + (at > 0 ? a[at - 1] : 0) + (at > 1 ? a[at - 2] : 0);
  }
}
// by_one_mapped: by_one with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
#line 38 "testsuite/cuda/block_steps.cu"
static __global__ void __launch_bounds__(256) by_one_mapped(int *c, const int *__restrict__ a, int n, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 1024 + 0) < _total_x && (int)(blockIdx.x * 1024 + 0) < n * n && (int)(blockIdx.x * 1024 + 0) > 0 && (int)(blockIdx.x * 1024 + 0) > 1 && ((int)(blockIdx.x * 1024 + 1023) < _total_x && (int)(blockIdx.x * 1024 + 1023) < n * n && (int)(blockIdx.x * 1024 + 1023) > 0 && (int)(blockIdx.x * 1024 + 1023) > 1) && (mesi_vector_at(&a[(int)(blockIdx.x * 1024 + ((unsigned int)0 - 4))]) && mesi_vector_at(&c[(int)(blockIdx.x * 1024 + 0)])));
  if (_whole) {
    int _w_a[6];
    _w_a[0] = a[(int)(blockIdx.x * 1024 + ((int)threadIdx.x * 4 - 2))];
    _w_a[1] = a[(int)(blockIdx.x * 1024 + ((int)threadIdx.x * 4 - 1))];
    mesi_vector_load(&_w_a[2], &a[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    int _w_c[4];
    {
      {
        {
          {
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
#line 43 "testsuite/cuda/block_steps.cu"
              _w_c[_x] = _w_a[_x + 2] + (_w_a[_x + 1]) + (_w_a[_x]);
          }
        }
      }
    }
    mesi_vector_store(&c[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_c[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
        int _element = (int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));
        {
#line 41 "testsuite/cuda/block_steps.cu"
          {
            int at = _element;
            if (at < n * n) c[at] = a[at] + (at > 0 ? a[(int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) - 1] : 0) + (at > 1 ? a[(int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) - 2] : 0);
          }
        }
      }
    }
}
// by_one_written: by_one for launches whose rows are short or whose arguments may overlap.
#line 38 "testsuite/cuda/block_steps.cu"
static __global__ void by_one_written(int *c, const int *a, int n, int _total_x) {
#line 40 "testsuite/cuda/block_steps.cu"
  int first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  for (int i = 0; i < 4; i++) {
    int at = first + i * blockDim.x;
    if (at < n * n) c[at] = a[at] + (at > 0 ? a[at - 1] : 0) + (at > 1 ? a[at - 2] : 0);
  }
}
#line 46 "testsuite/cuda/block_steps.cu"

// under a condition, and with an index of 64 bits: stays
__global__ void wide(int *c, const int *a, size_t n)
{
  int x = blockIdx.x * TILE + threadIdx.x;
  if (x < (int)n)
    for (int j = 0; j < TILE; j += ROWS) {
      size_t y = blockIdx.y * TILE + threadIdx.y + j;
      if (y < n) c[x * n + y] = 3 * a[y * n + x];
    }
}

// elements that are `apart` elements apart: where that is 0, the last step's element stays
__global__ void meeting(int *c, const int *a, const int *chosen, int apart)
{
  int first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  for (int i = 0; i < 4; i++) {
    int at = first + i * blockDim.x;
    if (chosen[at]) c[at * apart] = a[at] + a[at + 1] + a[at + 2];
  }
}
// meeting_restrict: meeting with loads in front of stores, where c, a, chosen lead to different memory.
#line 59 "testsuite/cuda/block_steps.cu"
__global__ void meeting_restrict(int *__restrict__ c, const int *__restrict__ a, const int *__restrict__ chosen, int apart)
{
#line 61 "testsuite/cuda/block_steps.cu"
  int first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
#pragma unroll 4
#line 62 "testsuite/cuda/block_steps.cu"
  for (int i = 0; i < 4; i++) {
    int at = first + i * blockDim.x;
    if (chosen[at]) c[at * apart] = a[at] + a[at + 1] + a[at + 2];
  }
}
#line 67 "testsuite/cuda/block_steps.cu"

// a sum over a thread's steps
__global__ void handed_on(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, sum = 0;
  for (int j = 0; j < TILE; j += ROWS) {
    sum += a[(y + j) * n + x];
    c[(y + j) * n + x] = sum;
  }
}

// a step reads what the step before has written
__global__ void before(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) {
    c[(y + j) * n + x] = a[(y + j) * n + x];
    if (j) c[(y + j) * n + x] += c[(y + j - ROWS) * n + x];
  }
}

// the number of a step as it is; a tile of another height than the block steps through
__global__ void numbered(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) c[(y + j) * n + x] = a[(y + j) * n + x] + j;
}

__global__ void halves(int *c, const int *a, int n)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE / 2; j += ROWS) c[(y + j) * n + x] = a[(y + j) * n + x];
}

static int wrong;

static void expect(const char *what, int n, int at, int is, int should)
{
  if (is != should && wrong++ < 10) printf("%s, %d [%d]: %d, not %d\n", what, n, at, is, should);
}

static int *da, *dc, *dchosen, *a, *c;
static size_t bytes;

static void back() { cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost); }
static void clear() { cudaMemset(dc, 0, bytes); }

static int sum_at(int row, int x, int n)
{
  int sum = row;
  for (int k = 0; k < 9; k++) sum += a[row * n + k] * a[k * n + x];
  return sum;
}

/* n x n elements, of any number */
static void try_guarded(int n)
{
  dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE), block(TILE, ROWS);
  clear();
  (mesi_map(grid, block), mesi_elements(false, -1, (long long)mesi_mapped().written_grid.y * 32), mesi_choose(true, {{}, {32, 32, 32, 8, 0}}), mesi_pick(transposed_written, transposed_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(dc, da, n, mesi_mapped().total_x, mesi_mapped().total_y));
  back();
  for (int i = 0; i < n * n; i++) expect("transposed", n, i, c[i], a[i % n * n + i / n]);
  expect("behind transposed", n, n * n, c[n * n], 0);
  clear();
  (mesi_map(grid, block), mesi_elements(false, -1, (long long)mesi_mapped().written_grid.y * 32 * (long long)(n != 0)), mesi_map_if(n >= 0 && (long long)n >= 9), mesi_choose(from_thread_fits(da, n), {{}, {128, 64, 16, 8, 0}, {128, 64, 16, 8, 0, false, from_thread_aligned_if(da, n)}, {32, 32, 8, 8, 0, true}, {128, 64, 16, 8, 1048576, true}}), mesi_pick(from_thread_written, from_thread_mapped, from_thread_aligned, from_thread_exact_small, from_thread_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(dc, da, n, mesi_mapped().total_x, mesi_mapped().total_y));
  back();
  for (int i = 0; i < n * n; i++) expect("from_thread", n, i, c[i], sum_at(i / n, i % n, n));
  clear();
  (mesi_map((n * n + 511) / 512, 128), mesi_elements(false, (long long)mesi_mapped().written_grid.x * 512, -1), mesi_choose(true, {{}, {1024, 1, 256, 1, 0}}), mesi_pick(by_one_written, by_one_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(dc, da, n, mesi_mapped().total_x));
  back();
  for (int i = 0; i < n * n; i++)
    expect("by_one", n, i, c[i], a[i] + (i > 0 ? a[i - 1] : 0) + (i > 1 ? a[i - 2] : 0));
  expect("behind by_one", n, n * n, c[n * n], 0);
  clear();
  wide<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("wide", n, i, c[i], 3 * a[i % n * n + i / n]);
}

/* n a multiple of TILE */
static void try_whole(int n)
{
  dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
  clear();
  (mesi_map(grid, block), mesi_elements(false, -1, (long long)mesi_mapped().written_grid.y * 32 * (long long)(n != 0)), mesi_choose(true, {{}, {256, 1, 64, 1, 0, false, mesi_rows_of(1)}}), mesi_pick(copied_written, copied_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(dc, da, n, mesi_mapped().total_x));
  back();
  for (int i = 0; i < n * n; i++) expect("copied", n, i, c[i], a[i]);
  clear();
  numbered<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("numbered", n, i, c[i], a[i] + i / n % TILE / ROWS * ROWS);
  clear();
  halves<<<grid, block>>>(dc, da, n);
  back();
  for (int i = 0; i < n * n; i++) expect("halves", n, i, c[i], i / n % TILE < TILE / 2 ? a[i] : 0);
  for (int form = 0; form < 2; form++) {
    clear();
    form ? before<<<grid, block>>>(dc, da, n) : handed_on<<<grid, block>>>(dc, da, n);
    back();
    for (int i = 0; i < n * n; i++) {
      int sum = 0;
      for (int row = i / n; row >= i / n / TILE * TILE; row -= ROWS) sum += a[row * n + i % n];
      expect(form ? "before" : "handed_on", n, i, c[i], sum);
    }
  }
}

static void try_meeting(int n, int apart)
{
  for (int i = 0; i < n; i++) c[i] = i % 96 == 40;
  cudaMemcpy(dchosen, c, n * sizeof(int), cudaMemcpyHostToDevice);
  clear();
  meeting_restrict<<<n / 384, 96>>>(dc, da, dchosen, apart);
  back();
  for (int i = 40; i < n; i += 96) {
    int at = apart ? i : n - 96 + 40;
    expect("meeting", apart, i, c[i * apart], a[at] + a[at + 1] + a[at + 2]);
  }
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 160;
  bytes = sizeof(int) * (most * most + 1);
  a = (int *)malloc(bytes), c = (int *)malloc(bytes);
  cudaMalloc(&da, bytes), cudaMalloc(&dc, bytes), cudaMalloc(&dchosen, bytes);
  for (int i = 0; i <= most * most; i++) a[i] = i * 7 % 1019 - 509;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  try_guarded(most), try_guarded(77), try_guarded(33), try_guarded(9);
  try_whole(128), try_whole(64), try_whole(32);
  try_meeting(3840, 3), try_meeting(384, 0);
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
