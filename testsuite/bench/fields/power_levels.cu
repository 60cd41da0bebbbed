// Factors 2^k and 10^x (double and float): levels of a pyramid, decibels.
#include "powers.h"
__global__ void scale(const float *decibels, const int *level, double *width, float *power,
                      double *amplitude, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  width[i] = pow(2.0, level[i]) + pow(2, -level[i]);
  power[i] = powf(10.0f, decibels[i] / 10) * powf(2.0f, (float)level[i]);
  amplitude[i] = pow(10.0, decibels[i] / 20.0);
}
int main(int argc, char **argv)
{
  int n = size_of(argc, argv, 1, 100000), times = size_of(argc, argv, 2, 3);
  std::vector<float> from(n);
  std::vector<int> l(n);
  for (int i = 0; i < n; i++) from[i] = (float)(40 * unit(i) - 20), l[i] = i % 23 - 11;
  float *decibels = to_device(from), *power;
  int *level = to_device(l);
  double *width, *amplitude;
  cudaMalloc(&width, n * sizeof(double)), cudaMalloc(&power, n * sizeof(float)),
      cudaMalloc(&amplitude, n * sizeof(double));
  timer w;
  for (int r = 0; r < times; r++)
    scale<<<(n + 255) / 256, 256>>>(decibels, level, width, power, amplitude, n);
  w.show(times);
  checksum("width", width, n), checksum("power", power, n), checksum("amplitude", amplitude, n);
}
