#include <mesi_cuda.h>
// args: -O2 --no-line
/* Threads that go through neighbouring elements of their own: an element a thread. Launches of `chunks`
 * with a short chunk keep it. */
__global__ void four(float *c, const float *a, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++)
    if (4 * id + j < n) c[4 * id + j] = 2 * a[4 * id + j];
}
// four_mapped: four with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) four_mapped(float *c, const float *__restrict__ a, int n, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 1024 + 0) < _total_x && (int)(blockIdx.x * 1024 + 0) < n && ((int)(blockIdx.x * 1024 + 1023) < _total_x && (int)(blockIdx.x * 1024 + 1023) < n) && (mesi_vector_at(&a[(int)(blockIdx.x * 1024 + 0)]) && mesi_vector_at(&c[(int)(blockIdx.x * 1024 + 0)])));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    float _w_c[4];
    {
      {
        {
          {
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              _w_c[_x] = 2 * _w_a[_x];
          }
        }
      }
    }
    mesi_vector_store(&c[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_c[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
        {
          int _element = (int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));
          {
            if (_element < n) c[_element] = 2 * a[_element];
          }
        }
      }
    }
}
// four_written: four for launches whose rows are short or whose arguments may overlap.
static __global__ void four_written(float *c, const float *a, int n, int _total_x) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++)
    if (4 * id + j < n) c[4 * id + j] = 2 * a[4 * id + j];
}
__global__ void chunks(float *c, const float *a, int n, int chunk) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * chunk, end = start + chunk;
  if (end > n) end = n;
  for (int i = start; i < end; i++) c[i] = 2 * a[i];
}
// chunks_mapped: chunks with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) chunks_mapped(float *c, const float *__restrict__ a, int n, int chunk, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 1024 + 0) < _total_x && (int)(blockIdx.x * 1024 + 0) < n && ((int)(blockIdx.x * 1024 + 1023) < _total_x && (int)(blockIdx.x * 1024 + 1023) < n) && (mesi_vector_at(&a[(int)(blockIdx.x * 1024 + 0)]) && mesi_vector_at(&c[(int)(blockIdx.x * 1024 + 0)])));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    float _w_c[4];
    {
      {
        {
          {
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              _w_c[_x] = 2 * _w_a[_x];
          }
        }
      }
    }
    mesi_vector_store(&c[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_c[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
        {
          int _element = (int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));
          {
            if (_element < n)
              c[_element] = 2 * a[_element];
          }
        }
      }
    }
}
// chunks_written: chunks for launches whose rows are short or whose arguments may overlap.
static __global__ void chunks_written(float *c, const float *a, int n, int chunk, int _total_x) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * chunk, end = start + chunk;
  if (end > n) end = n;
  for (int i = start; i < end; i++) c[i] = 2 * a[i];
}
__global__ void counted(float *c, const float *a) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++) c[4 * id + j] = a[4 * id + j] + j;
}
// The lowest index is not known: the launch asks for two allocations.
__global__ void bytes(signed char *y, const signed char *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    y[i] = x[i] + 1;
    i += blockDim.x * gridDim.x;
  }
}
// bytes_mapped: bytes with blocks of 4096 x 1 elements for 256 x 1 threads.
// Predicted gain: 3.4.
static __global__ void __launch_bounds__(256) bytes_mapped(signed char *y, const signed char *__restrict__ x, int n, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 4096 + 0) < _total_x && (int)(blockIdx.x * 4096 + 0) < n && ((int)(blockIdx.x * 4096 + 4095) < _total_x && (int)(blockIdx.x * 4096 + 4095) < n) && (mesi_vector_at(&x[(int)(blockIdx.x * 4096 + 0)]) && mesi_vector_at(&y[(int)(blockIdx.x * 4096 + 0)])));
  if (_whole) {
    signed char _w_x[16];
    mesi_vector_load(&_w_x[0], &x[(int)(blockIdx.x * 4096 + (int)threadIdx.x * 16)]);
    signed char _w_y[16];
    {
      {
        {
          {
#pragma unroll
            for (int _x = 0; _x < 16; _x++)
              _w_y[_x] = _w_x[_x] + 1;
          }
        }
      }
    }
    mesi_vector_store(&y[(int)(blockIdx.x * 4096 + (int)threadIdx.x * 16)], &_w_y[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 16; _x++) {
      if ((int)(blockIdx.x * 4096 + ((int)threadIdx.x + _x * 256)) < _total_x) {
        int _element = (int)(blockIdx.x * 4096 + ((int)threadIdx.x + _x * 256));
        {
          if (_element < n) {
            y[_element] = x[_element] + 1;
          }
        }
      }
    }
}
// bytes_written: bytes for launches whose rows are short or whose arguments may overlap.
static __global__ void bytes_written(signed char *y, const signed char *x, int n, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    y[i] = x[i] + 1;
    i += blockDim.x * gridDim.x;
  }
}
void run(float *c, float *a, int n, int chunk, signed char *y, signed char *x) {
  (mesi_map(n / 1024, 256), mesi_elements(false, (long long)mesi_mapped().written_grid.x * 1024, -1), mesi_map_if(mesi_no_alias(a, 0, (long long)n * 4, c, 0, (long long)n * 4)), mesi_choose(true, {{}, {1024, 1, 256, 1, 4325376}}), mesi_pick(four_written, four_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(c, a, n, mesi_mapped().total_x));
  (mesi_map(n / 256 / chunk, 256), mesi_elements(false, (long long)mesi_mapped().written_grid.x * ((long long)chunk * (long long)256 * (long long)(chunk >= 4)), -1), mesi_map_if((n >= 0 && chunk >= 0) && mesi_allocated_apart(a, c)), mesi_choose(true, {{}, {1024, 1, 256, 1, 4325376}}), mesi_pick(chunks_written, chunks_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(c, a, n, chunk, mesi_mapped().total_x));
  counted<<<n / 1024, 256>>>(c, a);
  (mesi_map(1056, 256), mesi_elements(false, (long long)n, -1), mesi_map_if(mesi_allocated_apart(x, y)), mesi_choose(true, {{}, {4096, 1, 256, 1, mesi_shared_least(17301504)}}), mesi_pick(bytes_written, bytes_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(y, x, n, mesi_mapped().total_x));
}
