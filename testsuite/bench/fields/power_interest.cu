// Present values of bonds with coupons (double): pow(1 + r, n) with constant maturities; one with a
// run-time maturity stays.
#include "powers.h"
__global__ void values(const double *rate, const int *years, double *ten, double *five,
                       double *other, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = rate[i];
  ten[i] = 4.0 * (1 - pow(1 + r, -8)) / r + 100 * pow(1 + r, -8) + 0.5 * pow(1.0 + r / 12, 12);
  five[i] = 100 * pow(1 + r, 5) + 50 * pow(1 + r, 10) + 25 * pow(1 + r, 15);
  other[i] = years[i] < 2 ? 100 * pow(1 + r, years[i]) : 0;
}
int main(int argc, char **argv)
{
  int n = size_of(argc, argv, 1, 100000), times = size_of(argc, argv, 2, 3);
  std::vector<double> from(n);
  std::vector<int> y(n);
  for (int i = 0; i < n; i++) from[i] = 0.01 + 0.1 * unit(i), y[i] = i / 32 % 30;
  double *rate = to_device(from), *ten, *five, *other;
  int *years = to_device(y);
  cudaMalloc(&ten, n * sizeof(double)), cudaMalloc(&five, n * sizeof(double)),
      cudaMalloc(&other, n * sizeof(double));
  timer w;
  for (int r = 0; r < times; r++)
    values<<<(n + 255) / 256, 256>>>(rate, years, ten, five, other, n);
  w.show(times);
  checksum("ten", ten, n), checksum("five", five, n), checksum("other", other, n);
}
