// args: --mapping=always
// A size that is no size: the stride of rows is -1 as an unsigned number, and indices wrap around on
// purpose. Launches with sizes that are small take the same kernel.
#include <cstdio>
#include <cstdlib>

__global__ void product(float *out, const float *left, const float *right, unsigned n, unsigned m)
{
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < m; k++) sum += left[row * m + k] * right[k * n + col + 2 * m];
  out[row * 64 + col] = sum;
}

static float *out, *left, *right;

static int products(unsigned n, unsigned m)
{
  product<<<dim3(4, 8), dim3(16, 8)>>>(out, left, right, n, m);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (unsigned i = 0; i < 64; i++)
    for (unsigned j = 0; j < 64; j++) {
      float sum = 0;
      for (unsigned k = 0; k < m; k++) sum += left[i * m + k] * right[k * n + j + 2 * m];
      if (out[i * 64 + j] != sum) {
        printf("stride %u: %u %u is %g, not %g\n", n, i, j, out[i * 64 + j], sum);
        return 1;
      }
    }
  return 0;
}

int main(int argc, char **)
{
  const int count = 64 * 256;
  if (cudaMallocManaged(&out, count * sizeof(float))) return 1;
  if (cudaMallocManaged(&left, count * sizeof(float))) return 1;
  if (cudaMallocManaged(&right, count * sizeof(float))) return 1;
  for (int i = 0; i < count; i++) {
    left[i] = (float)(i * 37 % 64) / 8 - 3;
    right[i] = (float)(i * 11 % 64) / 8 - 2;
  }
  const unsigned one = (unsigned)argc;
  if (products(192 * one, 64 * one) || products(0 - one, 64 * one)) return 1;
  if (products(0, 32 * one) || products(0 - 2 * one, 16 * one)) return 1;
  printf("ok\n");
  return 0;
}
