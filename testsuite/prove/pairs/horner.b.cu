// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  int i = threadIdx.x;
  out[i] = (b[i] * a[i] + 1.75f) * a[i] + 3;
}
