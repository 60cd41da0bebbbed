// For device_view.cu: a header whose text the host's compiler must see otherwise.
#pragma once
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 700)
__device__ int next(int a) { return a + 1; }
#endif

__host__ __device__ inline int side(int a) {
#ifdef __CUDA_ARCH__
  return a + __mul24(a, 1);
#else
  return 2 * a;
#endif
}
