// Launches whose grid or block CUDA does not take: they fail, and no other shape makes them run.
#include <cstdio>

__global__ void rows(int *a, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < w && j < n) a[j * w + i] = a[j * w + i] * 3 + i + 1;
}

__global__ void product(const float *a, const float *b, float *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float s = 1;
    for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
  }
}

__global__ void count(const unsigned char *d, int *h, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&h[d[i]], 1);
}

static int failed()
{
  return cudaGetLastError() == cudaErrorInvalidConfiguration;
}

int main(int argc, char **)
{
  enum { N = 64, ALL = 12 };
  int none = argc > 9, one = 1 + none, many = 70000 + none, wide = 2048 + none;
  int found = 0, wrong = 0;
  int h[3 * N * N], *a;

  cudaMalloc(&a, sizeof h);
  cudaMemset(a, 0, sizeof h);
  float *f = (float *)a;
  unsigned char *d = (unsigned char *)(a + N * N);

  rows<<<dim3(1, 70000), 1>>>(a, 10, 10), found += failed();
  rows<<<dim3(1, many), 1>>>(a, 10, 10), found += failed();
  rows<<<one, wide>>>(a, 10, 10), found += failed();
  product<<<dim3(4, 70000), dim3(16, 16)>>>(f, f + N * N, f + 2 * N * N, N), found += failed();
  product<<<dim3(4, many), dim3(16, 16)>>>(f, f + N * N, f + 2 * N * N, N), found += failed();
  product<<<dim3(1, 1), dim3(64, 64)>>>(f, f + N * N, f + 2 * N * N, N), found += failed();
  product<<<dim3(4, 4), dim3(16, 16, none)>>>(f, f + N * N, f + 2 * N * N, N), found += failed();
  product<<<dim3(4, 4), dim3(1, 1, 64 + one)>>>(f, f + N * N, f + 2 * N * N, N), found += failed();
  count<<<none, 256>>>(d, a, N * N), found += failed();
  count<<<400, none>>>(d, a, N * N), found += failed();
  count<<<400 * one, wide>>>(d, a, N * N), found += failed();
  count<<<dim3(1, 1, none), 256>>>(d, a, N * N), found += failed();
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (int v : h) wrong += v != 0;
  printf("%d of %d failed, %d wrong\n", found, ALL, wrong);
  return found != ALL || wrong;
}
