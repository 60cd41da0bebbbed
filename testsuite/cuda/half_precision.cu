// Half precision: conversions, arithmetic, pairs.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void axpy(__half *y, const __half *x, __half a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void pairs(float *out, const half2 *v, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  half2 s = __hadd2(__hmul2(v[i], v[i]), __float2half2_rn(0.5f));
  out[i] = __low2float(s) + __half2float(__high2half(s));
}

int main() {
  const int n = 64;
  __half x[n], y[n], *dx, *dy;
  float out[n / 2], *d_out;
  for (int i = 0; i < n; i++) {
    x[i] = __float2half(i * 0.0625f);
    y[i] = __float2half(1.0f);
  }
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
  axpy<<<2, 32>>>(dy, dx, __float2half(2.0f), n);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (__half2float(y[i]) != 1.0f + i * 0.125f) return 1;
  pairs<<<1, 32>>>(d_out, (const half2 *)dy, n / 2);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++) { // exact in half
    float a = 1.0f + i * 0.25f, b = a + 0.125f;
    if (out[i] != a * a + 0.5f + b * b + 0.5f) return 2;
  }
  std::printf("%g\n", out[3]);
  return 0;
}
