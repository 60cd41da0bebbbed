// Gamma correction (pow(x, 1 / 2.2) stays), with the luminance's square and root, which do not
// (float).
#include "powers.h"
__global__ void correct(const float *r, const float *g, const float *b, float *out, float *level,
                        int n, float gamma)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float y = 0.2126f * r[i] + 0.7152f * g[i] + 0.0722f * b[i];
  out[i] = powf(y, 1.0f / 2.2f) + powf(y, gamma);
  level[i] = powf(powf(r[i], 2.0f) + powf(g[i], 2.0f) + powf(b[i], 2.0f), 0.5f);
}
int main(int argc, char **argv)
{
  int n = size_of(argc, argv, 1, 100000), times = size_of(argc, argv, 2, 3);
  std::vector<float> p[3];
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < n; i++) p[a].push_back((float)unit(3 * i + a));
  float *r = to_device(p[0]), *g = to_device(p[1]), *b = to_device(p[2]), *out, *level;
  cudaMalloc(&out, n * sizeof(float)), cudaMalloc(&level, n * sizeof(float));
  timer w;
  for (int k = 0; k < times; k++) correct<<<(n + 255) / 256, 256>>>(r, g, b, out, level, n, 1.8f);
  w.show(times);
  checksum("out", out, n), checksum("level", level, n);
}
