// expect: different
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  int i = threadIdx.x;
  out[i] = sqrtf(b[i]) * sqrtf(b[i]);
}
