// Forces and energies of n atoms with their next neighbours in a list (double): pow(r, 12), pow(r,
// 6), pow(r, -2) in a device function.
#include "powers.h"
__device__ double potential(double r, double sigma, double epsilon)
{
  return 4.0 * epsilon * (pow(sigma / r, 12) - pow(sigma / r, 6));
}
__global__ void forces(const double *x, const int *near, double *energy, double *force, int n,
                       int neighbours, double sigma)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double e = 0, f[3] = {0, 0, 0};
  for (int k = 0; k < neighbours; k++) {
    int j = near[k * n + i];
    double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1],
           dz = x[3 * i + 2] - x[3 * j + 2];
    double r = sqrt(pow(dx, 2) + pow(dy, 2) + pow(dz, 2) + 0.01);
    e += potential(r, sigma, 1.0);
    double s = 24.0 * (2 * pow(sigma, 12) * pow(r, -8) * pow(r, -6) - pow(sigma, 6) * pow(r, -8));
    f[0] += s * dx, f[1] += s * dy, f[2] += s * dz;
  }
  energy[i] = e;
  for (int a = 0; a < 3; a++) force[3 * i + a] = f[a];
}
int main(int argc, char **argv)
{
  int n = size_of(argc, argv, 1, 20000), neighbours = size_of(argc, argv, 2, 8),
      times = size_of(argc, argv, 3, 3);
  std::vector<double> p(3 * n);
  std::vector<int> list(n * neighbours);
  for (int i = 0; i < 3 * n; i++) p[i] = 10 * unit(i);
  for (int k = 0; k < neighbours; k++)
    for (int i = 0; i < n; i++) list[k * n + i] = (i + k * k + 1) % n;
  double *x = to_device(p), *energy, *force;
  int *near = to_device(list);
  cudaMalloc(&energy, n * sizeof(double)), cudaMalloc(&force, 3 * n * sizeof(double));
  timer t;
  for (int r = 0; r < times; r++)
    forces<<<(n + 127) / 128, 128>>>(x, near, energy, force, n, neighbours, 0.8);
  t.show(times);
  checksum("energy", energy, n), checksum("force", force, 3 * n);
}
