// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  int i = threadIdx.x;
  out[i] = 3 + 2 * a[i] + a[i] * a[i] * b[i] - a[i] / 4;
}
