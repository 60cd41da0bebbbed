// Sums of columns in blocks with rows of threads that do nothing of their own: launches of many
// elements take the kernel as written again, behind the versions with other axes.
#include <cstdio>
#include <cstdlib>

__global__ void sums(const float *a, float *y, int n, int m)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i * m + j];
    y[j] = s;
  }
}

__global__ void weighted(const float *a, float *y, const float *x, int n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    y[j] = 0;
    for (int i = 0; i < n; i++) y[j] += a[i * n + j] * x[i];
  }
}

static int wrong;

static void run(int n, int m)
{
  float *a, *y;
  cudaMallocManaged(&a, sizeof(float) * n * m);
  cudaMallocManaged(&y, sizeof(float) * m);
  for (int i = 0; i < n * m; i++) a[i] = (float)(i % 7);
  dim3 block(32, 8), grid((m + block.x - 1) / block.x, 1);
  sums<<<grid, block>>>(a, y, n, m);
  cudaDeviceSynchronize();
  for (int j = 0; j < m; j += 5) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i * m + j];
    if (y[j] == s) continue;
    printf("column %d of %d x %d is %g, not %g\n", j, n, m, y[j], s);
    wrong++;
  }
  if (n == m) {
    weighted<<<grid, block>>>(a, y, a + n, n);
    cudaDeviceSynchronize();
    for (int j = 0; j < n; j += 3) {
      float s = 0;
      for (int i = 0; i < n; i++) s += a[i * n + j] * a[n + i];
      if (y[j] == s) continue;
      printf("weighted column %d of %d is %g, not %g\n", j, n, y[j], s);
      wrong++;
    }
  }
  cudaFree(a);
  cudaFree(y);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 96;
  run(n, n);
  run(5, 1000);
  run(3, 70001);
  if (!wrong) printf("columns ok\n");
  return wrong != 0;
}
