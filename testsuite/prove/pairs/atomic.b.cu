// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  float sum = 0;
  for (int i = threadIdx.x; i < N; i += 32)
    sum = fmaf(a[i], b[i], sum);
  atomicAdd(out, sum);
}
