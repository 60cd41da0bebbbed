// The nearest of k centres for each of n points in three dimensions (float arrays, distances by
// pow(dx, 2): doubles in CUDA).
#include "powers.h"
__global__ void nearest(const float *x, const float *y, const float *z, const float *centres,
                        int *which, float *distance, int n, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  int at = 0;
  for (int c = 0; c < k; c++) {
    float d = sqrt(pow(x[i] - centres[3 * c], 2) + pow(y[i] - centres[3 * c + 1], 2) +
                   pow(z[i] - centres[3 * c + 2], 2));
    if (d < best) best = d, at = c;
  }
  which[i] = at;
  distance[i] = best;
}
int main(int argc, char **argv)
{
  int n = size_of(argc, argv, 1, 100000), k = size_of(argc, argv, 2, 16),
      times = size_of(argc, argv, 3, 3);
  std::vector<float> p[3], c(3 * k);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < n; i++) p[a].push_back((float)unit(3 * i + a));
  for (int i = 0; i < 3 * k; i++) c[i] = (float)unit(i + 77777777);
  float *x = to_device(p[0]), *y = to_device(p[1]), *z = to_device(p[2]), *centres = to_device(c),
        *distance;
  int *which;
  cudaMalloc(&which, n * sizeof(int)), cudaMalloc(&distance, n * sizeof(float));
  timer t;
  for (int r = 0; r < times; r++)
    nearest<<<(n + 255) / 256, 256>>>(x, y, z, centres, which, distance, n, k);
  t.show(times);
  checksum("which", which, n), checksum("distance", distance, n);
}
