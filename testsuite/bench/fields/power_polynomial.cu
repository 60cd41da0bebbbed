// A polynomial of degree 7 by powers, as in a table of heat capacities: c0 + c1 t + c2 t^2 + ... +
// c6 t^-2 (float).
#include "powers.h"
__global__ void capacity(const float *t, float *cp, int n, float a, float b, float c, float d,
                         float e, float f)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = t[i];
  cp[i] = a + b * x + c * powf(x, 2.0f) + d * powf(x, 3.0f) + e * powf(x, 4.0f) +
          f * powf(x, -2.0f) + 1e-3f * powf(x, 5.0f) + 1e-4f * powf(x, 7.0f);
}
int main(int argc, char **argv)
{
  int n = size_of(argc, argv, 1, 100000), times = size_of(argc, argv, 2, 3);
  std::vector<float> from(n);
  for (int i = 0; i < n; i++) from[i] = (float)(0.3 + unit(i));
  float *t = to_device(from), *cp;
  cudaMalloc(&cp, n * sizeof(float));
  timer w;
  for (int r = 0; r < times; r++)
    capacity<<<(n + 255) / 256, 256>>>(t, cp, n, 1.1f, 0.2f, -0.3f, 0.04f, 0.005f, 0.02f);
  w.show(times);
  checksum("cp", cp, n);
}
