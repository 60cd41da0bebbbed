/* peer.h - for the programs written by hand: memory, and the time of the work by CUDA events. */
#pragma once
#include <cuda_runtime.h>
#include <algorithm>

#include "bench.h"

#define MUST(call) \
  do { \
    cudaError_t error_ = (call); \
    if (error_ != cudaSuccess) { \
      printf("check: FAILED: %s: %s\n", #call, cudaGetErrorString(error_)); \
      exit(1); \
    } \
  } while (0)

template <class T> static T *device_array(long n)
{
  void *p = NULL;

  MUST(cudaMalloc(&p, n * sizeof(T)));
  MUST(cudaMemset(p, 0, n * sizeof(T)));
  return (T *)p;
}

template <class T> static T *device_copy(const T *host, long n)
{
  T *p = device_array<T>(n);

  MUST(cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <class T> static T *host_copy(const T *device, long n)
{
  T *p = (T *)malloc(n * sizeof(T));

  MUST(cudaMemcpy(p, device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return p;
}

/* Runs the work a few times and prints "kernel_ms X", the median of its times on the device. */
template <class F> static void print_kernel_ms(F work)
{
  enum { TIMES = 11 };
  cudaEvent_t begin, end;
  float ms[TIMES];

  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreate(&end));
  for (int i = 0; i < TIMES; i++) {
    MUST(cudaEventRecord(begin, 0));
    work();
    MUST(cudaEventRecord(end, 0));
    MUST(cudaEventSynchronize(end));
    MUST(cudaEventElapsedTime(&ms[i], begin, end));
  }
  MUST(cudaGetLastError());
  std::sort(ms, ms + TIMES);
  printf("kernel_ms %.6f\n", ms[TIMES / 2]);
}
