// Functions for host and device that use functions and functors of the device alone: nvcc takes
// them, since the host need never get there.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int tripled(int x) { return x * 3; }

struct Tripled {
  __device__ int operator()(int x) const { return tripled(x); }
};

struct Scaled {
  int factor;
  __host__ __device__ int operator()(int x) const { return x * factor; }
};

template <class F> __host__ __device__ int applied(const F &f, int x) { return f(x); }

template <class F> __host__ __device__ int twice(const F &f, int x)
{
  return applied(f, applied(f, x));
}

__host__ __device__ int plain(int x)
{
#ifdef __CUDA_ARCH__
  return tripled(x);
#else
  return x * 3;
#endif
}

template <class F> __global__ void map(const int *in, int *out, F f)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = twice(f, in[i]) + plain(1);
}

/* One name for both ways, as libraries dispatch: the host's is never taken for Tripled. */
template <class F> void dispatch(const int *in, int *out, int n, F f, bool on_host)
{
  if (on_host)
    for (int i = 0; i < n; i++) out[i] = twice(f, in[i]) + plain(1);
  else
    map<<<n / 32, 32>>>(in, out, f);
}

int main()
{
  const int n = 256;
  int *in, *out, host[n], there[n], here[n], wrong = 0;
  for (int i = 0; i < n; i++) host[i] = i * 7 - 300;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  dispatch(in, out, n, Tripled(), false);
  cudaMemcpy(there, out, sizeof there, cudaMemcpyDeviceToHost);
  dispatch(host, here, n, Scaled{3}, true);
  for (int i = 0; i < n; i++) wrong += there[i] != here[i] || here[i] != host[i] * 9 + 3;
  dispatch(in, out, n, Scaled{5}, false);
  cudaMemcpy(there, out, sizeof there, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) wrong += there[i] != host[i] * 25 + 3;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
