// Pointers and numbers that are stepped in loops whose unsigned iterator wraps around on its way.
#include <cstdio>

enum { N = 300, W = 20, K = 16 };

#define KERNEL(name) __global__ void name(const float *a, float *b, int n, int w)
#define SUM \
  for (int k = 0; k < K; k++) b[i] += a[k]

KERNEL(upwards)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *p = a + i;
  float s = 0;
  for (unsigned k = 4294967290u; k != 5; k++) {
    s += *p;
    p += w;
  }
  b[i] = s;
  SUM;
}

KERNEL(downwards)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  size_t at = i;
  float s = 0;
  for (unsigned k = 4; k != 4294967289u; k--) {
    s += a[at];
    at += w;
  }
  b[i] = s;
  SUM;
}

static float h[N + W * K], r[N];

int main()
{
  float *a, *b, all = 0;
  int failed = 0;

  for (int i = 0; i < N + W * K; i++) h[i] = i * 7 % 16;
  for (int k = 0; k < K; k++) all += h[k];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof r);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  for (int down = 0; down < 2; down++) {
    if (down)
      downwards<<<(N + 63) / 64, 64>>>(a, b, N, W);
    else
      upwards<<<(N + 63) / 64, 64>>>(a, b, N, W);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
      float s = all;
      for (int k = 0; k < 11; k++) s += h[i + k * W];
      failed |= r[i] != s;
    }
  }
  puts(failed ? "FAILED" : "ok");
  return failed;
}
