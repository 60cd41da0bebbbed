#include <mesi_cuda.h>
// args: -O2 --mapping=always --no-line
// conditions on the architecture: known for all that there are in f and known; differing in later; of two views in both
__device__ float f(float x) {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 600) // all
  return x / 2;
#elif !__CUDA_ARCH__ || 300 > __CUDA_ARCH__
  return x;
#endif
}
__host__ __device__ float both(float x) {
#ifdef __CUDA_ARCH__
  return x + 1;
#endif
  return x;
}
__global__ void known(const float *__restrict__ a, float *__restrict__ c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#ifndef __CUDA_ARCH__
  sum = 5;
#endif
  for (int k = 0; k < 64; k++) sum += f(a[i * 64 + k]);
  c[i] = sum;
}
// known_mapped: known with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 16384 bytes of shared memory.
// Predicted gain: 0.8.
static __global__ void __launch_bounds__(32) known_mapped(const float *__restrict__ a, float *__restrict__ c) {
  __shared__ __align__(16) float _s_a[2][2048];
  int _t = (int)threadIdx.x;
  int i = (int)(blockIdx.x * 32 + threadIdx.x);
  float sum = 0;
  {
    int _b = 0;
#pragma unroll 8
    for (int _e = 0; _e < 64; _e++) {
      int _q = _e * 32 + _t;
      int _j0 = blockIdx.x * 2048 + _q;
      mesi_copy_async<4>(&_s_a[0][_q], &a[_j0]);
    }
    mesi_copy_commit();
    for (int _k = 0; _k < 64; _k += 64) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 64 < 64) {
#pragma unroll 8
        for (int _e = 0; _e < 64; _e++) {
          int _q = _e * 32 + _t;
          int _j0 = blockIdx.x * 2048 + _q;
          mesi_copy_async<4>(&_s_a[1 - _b][_q], &a[_j0]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int k = _k; k < _k + 64; k++) {
        sum += f(_s_a[_b][k + threadIdx.x * 64]);
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  c[i] = sum;
}
// known_exact: known with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 16384 bytes of shared memory.
static __global__ void __launch_bounds__(32) known_exact(const float *__restrict__ a, float *__restrict__ c) {
  __shared__ __align__(16) float _s_a[2][2048];
  int _t = (int)threadIdx.x;
  int i = (int)(blockIdx.x * 32 + threadIdx.x);
  float sum = 0;
  {
    int _b = 0;
#pragma unroll
    for (int _e = 0; _e < 16; _e++) {
      int _q = _e * 32 + _t;
      int _i0 = _q * 4;
      int _j0 = blockIdx.x * 2048 + _i0;
      mesi_copy_async<16>(&_s_a[0][_i0], &a[_j0]);
    }
    mesi_copy_commit();
    for (int _k = 0; _k < 64; _k += 64) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 64 < 64) {
#pragma unroll
        for (int _e = 0; _e < 16; _e++) {
          int _q = _e * 32 + _t;
          int _i0 = _q * 4;
          int _j0 = blockIdx.x * 2048 + _i0;
          mesi_copy_async<16>(&_s_a[1 - _b][_i0], &a[_j0]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int k = _k; k < _k + 64; k++) {
        sum += f(_s_a[_b][k + threadIdx.x * 64]);
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  c[i] = sum;
}
// known_fits: what the exact versions take for granted.
static inline bool known_fits(const float *__restrict__ a) {
  return mesi_aligned(a);
}
__global__ void later(const float *__restrict__ a, float *__restrict__ c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 800
  for (int k = 0; k < 64; k++) c[i] += a[i * 64 + k];
#endif
}
__global__ void of_both(const float *__restrict__ a, float *__restrict__ c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; k++) c[i] += both(a[i * 64 + k]);
}
void run(float *a, float *c) {
  (mesi_map(32, 128), mesi_choose(known_fits(a), {{32, 1, 32, 1, 0}, {32, 1, 32, 1, 0, true}}), mesi_pick(known_mapped, known_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, c)), later<<<32, 128>>>(a, c), of_both<<<32, 128>>>(a, c);
}
