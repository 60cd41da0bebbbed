// begins with the mark of UTF-8, as editors of Windows write it
#include "check.h"

__global__ int marked[40];

__global__ void mark(int *out, const int *in, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; k++) out[i * m + k] = in[i * m + k] + in[i] + marked[i % 40];
}
