// expect: not decided
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  if (threadIdx.x)
    return;
  float sum = 0;
  float again = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] * 0.1f;
  for (int i = 0; i < N; i++)
    again += a[i] * 0.1f;
  out[0] = sum == again ? 1 : 2;
}
