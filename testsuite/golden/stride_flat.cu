#include <mesi_cuda.h>
// args: -O2 --no-line
/* A loop by which the threads of a launch share elements, with no other in it. What stands in front of
 * it in `offset` each element would repeat: it stays. */
__global__ void halves(float *c, const float *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    c[i] = a[i] * 0.5f;
    i += blockDim.x * gridDim.x;
  }
}
// halves_mapped: halves with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) halves_mapped(float *c, const float *__restrict__ a, unsigned int n, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 1024 + 0) < _total_x && blockIdx.x * 1024 + 0 < n && ((int)(blockIdx.x * 1024 + 1023) < _total_x && blockIdx.x * 1024 + 1023 < n) && (mesi_vector_at(&a[blockIdx.x * 1024 + 0]) && mesi_vector_at(&c[blockIdx.x * 1024 + 0])));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[blockIdx.x * 1024 + (int)threadIdx.x * 4]);
    float _w_c[4];
    {
      {
        {
          {
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              _w_c[_x] = _w_a[_x] * 0.5f;
          }
        }
      }
    }
    mesi_vector_store(&c[blockIdx.x * 1024 + (int)threadIdx.x * 4], &_w_c[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)) < _total_x) {
        {
          if (blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256) < n) {
            c[blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)] = a[blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256)] * 0.5f;
          }
        }
      }
    }
}
// halves_written: halves for launches whose rows are short or whose arguments may overlap.
static __global__ void halves_written(float *c, const float *a, unsigned int n, int _total_x) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    c[i] = a[i] * 0.5f;
    i += blockDim.x * gridDim.x;
  }
}
__global__ void offset(float *c, const float *a, const float *by, int n) {
  float first = by[0];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c[i] = a[i] + first;
}
// offset_restrict: offset with loads in front of stores, where c, a, by lead to different memory.
__global__ void offset_restrict(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ by, int n) {
  float first = by[0];
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c[i] = a[i] + first;
}
void run(float *c, float *a, float *by, int n) {
  (mesi_map(264, 256), mesi_elements(false, (long long)static_cast<unsigned int>(n), -1), mesi_map_if((static_cast<unsigned int>(n) <= 2147483647) && mesi_no_alias(a, 0, (long long)static_cast<unsigned int>(n) * 4, c, 0, (long long)static_cast<unsigned int>(n) * 4)), mesi_choose(true, {{}, {1024, 1, 256, 1, mesi_shared_least(4325376)}}), mesi_pick(halves_written, halves_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(c, a, n, mesi_mapped().total_x));
  mesi_pick_if(mesi_no_alias(by, 0, 4, c, 0, (long long)n * 4) && mesi_no_alias(a, 0, (long long)n * 4, c, 0, (long long)n * 4), offset_restrict, offset)<<<264, 256>>>(c, a, by, n);
}
