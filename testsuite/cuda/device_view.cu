// Code under __CUDA_ARCH__ runs: whole kernel bodies, helpers in headers, members; assembly that has an alternative does not.
#include <cstdio>
#include <new>
#include "include/device_view.cuh"

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__VECTOR_TYPES_H__)
#error "programs ask for the toolkit's header guards"
#endif

  #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600 // the host's view of this one is the device's
  #else
__device__ double atomicAdd(double *, double) { return -1; }
  #endif

namespace wide {
struct move {
  int step;
  __device__ move(int s) : step(s) {}
  __device__ int of(int a) const {
#if __CUDA_ARCH__ >= 700
    int b;
    asm volatile("mov.u32 %0, %1;" : "=r"(b) : "r"(a));
    return b + step;
#else
    return a + step;
#endif
  }
};
} // namespace wide

template <class T> __global__ void whole(T *out) {
#if defined(__CUDA_ARCH__) && \
  __CUDA_ARCH__ >= 700
  __shared__ alignas(16) T row[32];
  __shared__ alignas(wide::move) unsigned char raw[sizeof(wide::move)];
  if (threadIdx.x == 0) new (raw) wide::move(5);
  row[threadIdx.x] = next(side(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = reinterpret_cast<wide::move *>(raw)->of(row[31 - threadIdx.x]);
#endif
}

__global__ void hinted(float *to, const float *from, double *sum) {
  __stcs(to + threadIdx.x, __ldcs(from + threadIdx.x) + __ldcg(from));
  atomicAdd(sum, (double)threadIdx.x);
}

int main() {
  int *out, host[32], wrong = side(3) != 6;
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  whole<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) wrong += host[i] != 2 * (31 - i) + 6;

  float from[32], to[32], *d_from, *d_to;
  double sum, *d_sum;
  for (int i = 0; i < 32; i++) from[i] = i + 1;
  cudaMalloc(&d_from, sizeof from);
  cudaMalloc(&d_to, sizeof to);
  cudaMalloc(&d_sum, sizeof sum);
  cudaMemset(d_sum, 0, sizeof sum);
  cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice);
  hinted<<<1, 32>>>(d_to, d_from, d_sum);
  cudaMemcpy(to, d_to, sizeof to, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) wrong += to[i] != i + 2;
  wrong += sum != 496;

  int grid = 0, block = 0;
  wrong += cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void *)hinted, 0, 0) != cudaSuccess || block <= 0;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
