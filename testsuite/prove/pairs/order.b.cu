// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  float sum = 0;
  for (int i = threadIdx.x; i < N; i += 32)
    sum += a[i] * b[i];
  for (int o = 16; o; o >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0)
    out[0] = sum;
}
