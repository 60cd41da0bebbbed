// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  int i = threadIdx.x;
  out[i] = sqrtf(a[i] + b[i]) * expf(a[i]) + floorf(b[i]);
}
