// A stencil of seven points, sizes at run time, in three spellings of its index.
#include "helpers.h"

__global__ void lax3d(const float *u, float *un, int nx, int ny, int nz, float cx, float cy,
                      float cz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i > nx - 2 || j > ny - 2 || k > nz - 2) return;
  int p = i + nx * (j + ny * k);
  un[p] = (u[p + 1] + u[p - 1] + u[p + nx] + u[p - nx] + u[p + nx * ny] + u[p - nx * ny]) * cx;
}
__global__ void lax3b(const float *u, float *un, int nx, int ny, int nz, float cx, float cy,
                      float cz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  int p = i + nx * j + nx * ny * k;
  un[p] = (u[p + 1] + u[p - 1] + u[p + nx] + u[p - nx] + u[p + nx * ny] + u[p - nx * ny]) * cx;
}
__global__ void lax3c(const float *u, float *un, int nx, int ny, int nz, float cx, float cy,
                      float cz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  int p = (k * ny + j) * nx + i;
  un[p] = (u[p + 1] + u[p - 1] + u[p + nx] + u[p - nx] + u[p + nx * ny] + u[p - nx * ny]) * cx;
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 32;
  size_t count = (size_t)n * n * n;
  float *a = random_floats(count, 0, 1), *b = zeros<float>(count);
  dim3 g((n + 31) / 32, (n + 7) / 8, n), t(32, 8);
  lax3d<<<g, t>>>(a, b, n, n, n, 0.1f, 0.2f, 0.3f);
  show("lax3d", b, count);
  lax3b<<<g, t>>>(b, a, n, n, n, 0.1f, 0.2f, 0.3f);
  show("lax3b", a, count);
  lax3c<<<g, t>>>(a, b, n, n, n, 0.1f, 0.2f, 0.3f);
  show("lax3c", b, count);
  lax3c<<<dim3((n + 7) / 8, (n + 7) / 8, (n + 3) / 4), dim3(8, 8, 4)>>>(b, a, n, n, n, 0.1f, 0.2f,
                                                                        0.3f);
  show("lax3c", a, count);
  return 0;
}
