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

__global__ void narrow(int *out, float v) {
  __half h = __float2half(v);
  out[0] = __half2short_rz(h);
  out[1] = __half2ushort_rn(h);
  out[2] = (int)__half2ull_rd(h);
  out[3] = __half2short_rn(__float2half(-v * 1000));
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
  int narrowed[4], *d_narrowed;
  cudaMalloc(&d_narrowed, sizeof narrowed);
  narrow<<<1, 1>>>(d_narrowed, 40.75f);
  cudaMemcpy(narrowed, d_narrowed, sizeof narrowed, cudaMemcpyDeviceToHost);
  if (narrowed[0] != 40 || narrowed[1] != 41 || narrowed[2] != 40 || narrowed[3] != -32768) return 3;
  std::printf("%g\n", out[3]);
  return 0;
}
