#include <mesi_cuda.h>
// args: -O2 --no-line
/* Blocks that go through a tile in steps: an element a thread. Iterations of `rows` meet in an element
 * where n is 0, which the launch asks. */
__global__ void columns(float *c, const float *a, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) c[x * n + (y + j)] = a[(y + j) * n + x];
}
// columns_mapped: columns with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 4224 bytes of shared memory.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(256) columns_mapped(float *c, const float *a, int n, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_c[32][33];
  {
#pragma unroll
    for (int _y = 0; _y < 4; _y++)
      if ((int)(blockIdx.y * 32 + (_ty + _y * 8)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        if ((int)(blockIdx.x * 32 + threadIdx.x) < n) {
          if ((int)(blockIdx.y * 32 + (_ty + _y * 8)) < n) {
            {
              int _element = (int)(blockIdx.x * 32 + threadIdx.x);
              int _element_2 = (int)(blockIdx.y * 32 + (_ty + _y * 8));
              {
                _s_c[threadIdx.x][_ty + _y * 8] = a[_element_2 * n + _element];
              }
            }
          }
        }
      }
  }
  __syncthreads();
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)(blockIdx.y * 32 + threadIdx.x) < _total_y && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < _total_x)
      if ((int)(blockIdx.x * 32 + (_ty + _y * 8)) < n)
        if ((int)(blockIdx.y * 32 + threadIdx.x) < n)
          c[(int)(blockIdx.x * 32 + (_ty + _y * 8)) * n + (int)(blockIdx.y * 32 + threadIdx.x)] = _s_c[_ty + _y * 8][threadIdx.x];
}
// columns_written: columns for launches whose rows are short or whose arguments may overlap.
static __global__ void columns_written(float *c, const float *a, int n, int _total_x, int _total_y) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) c[x * n + (y + j)] = a[(y + j) * n + x];
}
__global__ void rows(float *c, const float *a, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int y = blockIdx.y * 32 + j;
    c[y * n + x] = a[x * n + y];
  }
}
// rows_mapped: rows with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 4224 bytes of shared memory.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(256) rows_mapped(float *c, const float *a, int n, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_a[32][33];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)(blockIdx.y * 32 + threadIdx.x) < _total_y && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < _total_x)
      if ((int)(blockIdx.y * 32 + threadIdx.x) < n)
        if ((int)(blockIdx.x * 32 + (_ty + _y * 8)) < n)
          _s_a[_ty + _y * 8][threadIdx.x] = a[(int)(blockIdx.x * 32 + (_ty + _y * 8)) * n + (int)(blockIdx.y * 32 + threadIdx.x)];
  __syncthreads();
  {
#pragma unroll
    for (int _y = 0; _y < 4; _y++)
      if ((int)(blockIdx.y * 32 + (_ty + _y * 8)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        if ((int)(blockIdx.y * 32 + (_ty + _y * 8)) < n) {
          if ((int)(blockIdx.x * 32 + threadIdx.x) < n) {
            {
              int _element = (int)(blockIdx.x * 32 + threadIdx.x);
              int _element_2 = (int)(blockIdx.y * 32 + (_ty + _y * 8));
              {
                {
                  c[_element_2 * n + _element] = _s_a[threadIdx.x][_ty + _y * 8];
                }
              }
            }
          }
        }
      }
  }
}
// rows_written: rows for launches whose rows are short or whose arguments may overlap.
static __global__ void rows_written(float *c, const float *a, int n, int _total_x, int _total_y) {
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    int y = blockIdx.y * 32 + j;
    c[y * n + x] = a[x * n + y];
  }
}
__global__ void counted(float *c, const float *a, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) c[x * n + (y + j)] = a[(y + j) * n + x] + j;
}
void run(float *c, float *a, int n) {
  (mesi_map(dim3(n / 32, n / 32), dim3(32, 8)), mesi_elements(false, -1, (long long)mesi_mapped().written_grid.y * 32), mesi_map_if(((long long)dim3(dim3(n / 32, n / 32)).x * (long long)dim3(dim3(32, 8)).x <= (long long)n && (long long)dim3(dim3(n / 32, n / 32)).y * (long long)32 <= (long long)n) && mesi_allocated_apart(a, c)), mesi_choose(true, {{}, {32, 32, 32, 8, 135168}}), mesi_pick(columns_written, columns_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(c, a, n, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(dim3(n / 32, n / 32), dim3(32, 8)), mesi_elements(false, -1, (long long)mesi_mapped().written_grid.y * 32 * (long long)(n != 0)), mesi_map_if((n >= 0 && ((long long)dim3(dim3(n / 32, n / 32)).y * (long long)32 <= (long long)n && (long long)dim3(dim3(n / 32, n / 32)).x * (long long)dim3(dim3(32, 8)).x <= (long long)n)) && mesi_allocated_apart(a, c)), mesi_choose(true, {{}, {32, 32, 32, 8, 135168}}), mesi_pick(rows_written, rows_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(c, a, n, mesi_mapped().total_x, mesi_mapped().total_y));
  counted<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(c, a, n);
}
