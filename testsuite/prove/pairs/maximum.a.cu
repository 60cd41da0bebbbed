// expect: equal
#include "host.h"

__global__ void kernel(const float *a, const float *b, float *out, int *number)
{
  if (threadIdx.x) return;
  float most = 0;
  for (int i = 0; i < N; i++)
    most = a[i] > most ? a[i] : most;
  out[0] = most;
}
