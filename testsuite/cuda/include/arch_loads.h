// Loads and sums that ask for the architecture, as libraries of before 2017 have them.
#pragma once

template <class T> __device__ __forceinline__ T load(const T *p)
{
#if __CUDA_ARCH__ >= 350
  return __ldg(p);
#else
  return *p;
#endif
}

__device__ inline void add_to(double *p, double value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
  unsigned long long *word = (unsigned long long *)p, old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
#else
  atomicAdd(p, value);
#endif
}
