// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  int i = threadIdx.x;
  out[i] = floorf(b[i]) + expf(a[i]) * (float)sqrt((double)b[i] + a[i]);
}
