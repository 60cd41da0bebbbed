#include "addresses.h"

__global__ void kernel(float *const *rows, float *sums, int n)
{
  float more[2000] = {}; // another size of the program's parts
  more[n] = sums[threadIdx.x];
  for (int k = 0; k < n; k++) more[n] += rows[threadIdx.x][n - 1 - k];
  sums[threadIdx.x] = more[n];
}
