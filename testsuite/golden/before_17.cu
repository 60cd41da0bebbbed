#include <mesi_cuda.h>
// args: -O2 -arch=sm_80 -std=c++11 -Rmesi=map --no-line
// before C++17 the shapes below are copies
#if __cplusplus >= 201402L
#error "the unit is read by a later standard"
#endif
__global__ void product(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ c) {
  int y = blockIdx.y * 16 + threadIdx.y, x = blockIdx.x * 16 + threadIdx.x;
  for (int k = 0; k < 2; k++) c[y * 1024 + x] += a[y * 1024 + k] * b[k * 1024 + x];
}
// product_mapped: product with blocks of 32 x 32 elements for 32 x 8 threads.
// Predicted gain: 1.3.
static __global__ void __launch_bounds__(256) product_mapped(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  int _ty = (int)threadIdx.y * 4;
  int x = (int)(blockIdx.x * 32 + threadIdx.x);
  float _r_c[4];
#pragma unroll
  for (int _y = 0; _y < 4; _y++) {
    int y = (int)(blockIdx.y * 32 + (_ty + _y));
    _r_c[_y] = c[y * 1024 + x];
  }
#pragma unroll
  for (int k = 0; k < 2; k++) {
    float _r_b;
    _r_b = b[k * 1024 + x];
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int y = (int)(blockIdx.y * 32 + (_ty + _y));
      _r_c[_y] += a[y * 1024 + k] * _r_b;
    }
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++) {
    int y = (int)(blockIdx.y * 32 + (_ty + _y));
    c[y * 1024 + x] = _r_c[_y];
  }
}
void run(const float *a, const float *b, float *c) {
  const dim3 block = dim3(16, 16);
  ((void)&block, product_mapped<<<dim3(32, 32), dim3(32, 8)>>>(a, b, c));
}
