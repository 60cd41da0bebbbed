// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  if (threadIdx.x) return;
  float most = 0;
  for (int i = N - 1; i >= 0; i--)
    most = fmaxf(most, a[i]);
  out[0] = most;
}
