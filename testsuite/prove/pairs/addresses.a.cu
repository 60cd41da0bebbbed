// expect: equal
#include "addresses.h"

__global__ void kernel(float *const *rows, float *sums, int n)
{
  for (int k = 0; k < n; k++) sums[threadIdx.x] += rows[threadIdx.x][k];
}
