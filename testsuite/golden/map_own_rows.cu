#include <mesi_cuda.h>
// args: --no-line
__global__ void both(float *x, const float *y, int rows, int n)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  for (int j = 1; j < n; j++)
    x[r * n + j] = y[r * n + j] - 0.5f * x[r * n + j - 1];
  for (int j = n - 2; j >= 0; j--)
    x[r * n + j] -= 0.25f * x[r * n + j + 1];
}
// both_mapped: both with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 16896 bytes of shared memory.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(32) both_mapped(float *x, const float *y, int rows, int n, int _total_x) {
  __shared__ __align__(16) float _s_y[2][32][33];
  __shared__ __align__(16) float _s_x[32][33];
  __shared__ __align__(16) float _s_x_2[32][33];
  int _t = (int)threadIdx.x;
  {
    bool _p;
    _p = (int)(blockIdx.x * 32 + threadIdx.x) < _total_x;
    int r = (int)(blockIdx.x * 32 + threadIdx.x);
    {
      bool _p_2;
      _p_2 = r < rows;
      {
        __syncthreads();
        int _b = 0;
        if (1 < n) {
          {
            int _i1 = _t % 32;
            int _j1 = 1 + _i1;
            int _m = rows < _total_x ? rows : _total_x;
            bool _f = n >= _j1 + 1;
#pragma unroll
            for (int _e = 0; _e < 32; _e++) {
              int _i0 = _e + _t / 32;
              int _j0 = blockIdx.x * 32 + _i0;
              mesi_copy_async<4>(&_s_y[0][_i0][_i1], &y[_j0 * n + _j1], _f && _m >= _j0 + 1);
            }
          }
        }
        mesi_copy_commit();
        for (int _j = 1; _j < n; _j += 32) {
          {
            int _m = _total_x < rows ? _total_x : rows;
#pragma unroll
            for (int _e = 0; _e < 33; _e++) {
              int _q = _e * 32 + _t;
              int _i0 = _q / 33;
              int _i1 = _q % 33;
              int _j0 = blockIdx.x * 32 + _i0;
              int _j1 = _j - 1 + _i1;
              _s_x[_i0][_i1] = _m >= _j0 + 1 && n >= _j1 + 1 ? x[_j0 * n + _j1] : 0;
            }
          }
          mesi_copy_wait();
          __syncthreads();
          if (_j + 32 < n) {
            {
              int _i1 = _t % 32;
              int _j1 = _j + 32 + _i1;
              int _m = rows < _total_x ? rows : _total_x;
              bool _f = n >= _j1 + 1;
#pragma unroll
              for (int _e = 0; _e < 32; _e++) {
                int _i0 = _e + _t / 32;
                int _j0 = blockIdx.x * 32 + _i0;
                mesi_copy_async<4>(&_s_y[1 - _b][_i0][_i1], &y[_j0 * n + _j1], _f && _m >= _j0 + 1);
              }
            }
          }
          mesi_copy_commit();
          if (_j + 32 <= n) {
#pragma unroll
            for (int j = _j; j < _j + 32; j++) {
              if (_p && _p_2)
                _s_x[threadIdx.x][j + 1 - _j] = _s_y[_b][threadIdx.x][j - _j] - 0.5f * _s_x[threadIdx.x][j - _j];
            }
          } else {
            for (int j = _j; j < n; j++) {
              if (_p && _p_2)
                _s_x[threadIdx.x][j + 1 - _j] = _s_y[_b][threadIdx.x][j - _j] - 0.5f * _s_x[threadIdx.x][j - _j];
            }
          }
          __syncthreads();
          {
            int _m = rows < _total_x ? rows : _total_x;
#pragma unroll
            for (int _e = 0; _e < 33; _e++) {
              int _q = _e * 32 + _t;
              int _i0 = _q / 33;
              int _i1 = _q % 33;
              int _j0 = blockIdx.x * 32 + _i0;
              int _j1 = _j - 1 + _i1;
              if (_j1 >= _j && _m >= _j0 + 1 && n >= _j1 + 1)
                x[_j0 * n + _j1] = _s_x[_i0][_i1];
            }
          }
          __syncthreads();
          _b = 1 - _b;
        }
        __syncthreads();
      }
      {
        __syncthreads();
        for (int _j_2 = n - 2; _j_2 > -1; _j_2 += -32) {
          {
            int _m = rows < _total_x ? rows : _total_x;
#pragma unroll
            for (int _e = 0; _e < 33; _e++) {
              int _q = _e * 32 + _t;
              int _i0 = _q / 33;
              int _i1 = _q % 33;
              int _j0 = blockIdx.x * 32 + _i0;
              int _j1 = _j_2 - 31 + _i1;
              _s_x_2[_i0][_i1] = _m >= _j0 + 1 && _j1 >= 0 ? x[_j0 * n + _j1] : 0;
            }
          }
          __syncthreads();
          if (_j_2 + -32 >= -1) {
#pragma unroll
            for (int j = _j_2; j > _j_2 + -32; j--) {
              if (_p && _p_2)
                _s_x_2[threadIdx.x][j + 31 - _j_2] -= 0.25f * _s_x_2[threadIdx.x][j + 32 - _j_2];
            }
          } else {
            for (int j = _j_2; j > -1; j--) {
              if (_p && _p_2)
                _s_x_2[threadIdx.x][j + 31 - _j_2] -= 0.25f * _s_x_2[threadIdx.x][j + 32 - _j_2];
            }
          }
          __syncthreads();
          {
            int _m = rows < _total_x ? rows : _total_x;
#pragma unroll
            for (int _e = 0; _e < 33; _e++) {
              int _q = _e * 32 + _t;
              int _i0 = _q / 33;
              int _i1 = _q % 33;
              int _j0 = blockIdx.x * 32 + _i0;
              int _j1 = _j_2 - 31 + _i1;
              if (_m >= _j0 + 1 && _j1 >= 0 && _j_2 >= _j1)
                x[_j0 * n + _j1] = _s_x_2[_i0][_i1];
            }
          }
          __syncthreads();
        }
      }
    }
  }
}
// both_plain: both for launches of less than 1 threads.
static __global__ void both_plain(float *x, const float *y, int rows, int n, int _total_x) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  for (int j = 1; j < n; j++)
    x[r * n + j] = y[r * n + j] - 0.5f * x[r * n + j - 1];
  for (int j = n - 2; j >= 0; j--)
    x[r * n + j] -= 0.25f * x[r * n + j + 1];
}
// both_version_if: what both_mapped is for.
static inline bool both_version_if(int n) {
  return n >= 64 && n - 2 >= 64;
}

__global__ void neighbour(float *x, int rows, int n)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = 0; j < n; j++)
      x[2 * r * n + j] += x[(2 * r + 1) * n + j];
}
// neighbour_planned: neighbour for launches at which nothing is staged.
__global__ void neighbour_planned(float *x, int rows, int n, const mesi_plan _plan) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = 0; j < n; j++)
      x[2 * r * n + j] += x[(2 * r + 1) * n + j];
}

// neighbour_planned_x: neighbour with the following in shared memory, where it fits at the launch.
//   x[(long long)blockIdx.x * 256 .. +256][0 .. +(long long)n]  copied in and out; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void neighbour_planned_x(float *x, int rows, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_x_1 = _plan.size[0][1];
  float *const _s_x = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  const long long _o_x_0 = (long long)blockIdx.x * 256;
  for (int _i0 = _t / 32; _i0 < 256; _i0 += 4)
    for (int _i1 = _t % 32; _i1 < _n_x_1; _i1 += 32)
      if ((long long)rows * 2 >= (_o_x_0 + _i0) + 1)
        _s_x[_i0 * (_n_x_1 | 1) + _i1] = x[(_o_x_0 + _i0) * n + _i1];
  __syncthreads();
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = 0; j < n; j++)
      _s_x[(threadIdx.x * 2) * (_n_x_1 | 1) + j] += _s_x[(threadIdx.x * 2 + 1) * (_n_x_1 | 1) + j];
  __syncthreads();
  for (int _i0 = _t / 32; _i0 < 256; _i0 += 4)
    for (int _i1 = _t % 32; _i1 < _n_x_1; _i1 += 32)
      if (((_o_x_0 + _i0) < 0 ? ((_o_x_0 + _i0) - 1) / 2 : (_o_x_0 + _i0) / 2) * 2 == (_o_x_0 + _i0) && (long long)rows * 2 >= (_o_x_0 + _i0) + 2)
        x[(_o_x_0 + _i0) * n + _i1] = _s_x[_i0 * (_n_x_1 | 1) + _i1];
}

// an element that is not written may be another's meanwhile
__global__ void some(float *x, int rows, int n)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = 1; j < n; j++)
      if (x[r * n + j] > 1)
        x[r * n + j] = x[r * n + j - 1];
}

void host(int rows, int n)
{
  float *x, *y;
  cudaMalloc(&x, 4l * rows * n);
  cudaMalloc(&y, 4l * rows * n);
  (mesi_map((rows + 127) / 128, 128), mesi_choose(true, {{}, {32, 1, 32, 1, 1, false, both_version_if(n)}}), mesi_pick(both_plain, both_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(x, y, rows, n, mesi_mapped().total_x));
  some<<<(rows + 127) / 128, 128>>>(x, rows, n);
  (mesi_plan_launch(128, 49152, 8, {mesi_plan_odd(mesi_plan_of(true, 4, mesi_trips((long long)n - 1, 1), {256, (long long)n}))}), mesi_plan_kernel(neighbour_planned, neighbour_planned_x)<<<(rows / 2 + 127) / 128, 128, mesi_planned().bytes>>>(x, rows / 2, n, mesi_planned()));
}
