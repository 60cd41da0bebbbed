// Coefficients of an anisotropic diffusion that removes speckle, and a step with them (double or
// float by -DREAL=).
#include "powers.h"
#ifndef REAL
#define REAL double
#endif
__global__ void coefficients(const REAL *u, REAL *c, int h, int w, REAL q0)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  REAL m = u[y * w + x];
  REAL n = u[(y > 0 ? y - 1 : 0) * w + x] - m, s = u[(y < h - 1 ? y + 1 : y) * w + x] - m;
  REAL l = u[y * w + (x > 0 ? x - 1 : 0)] - m, r = u[y * w + (x < w - 1 ? x + 1 : x)] - m;
  REAL g2 = (pow(n, 2) + pow(s, 2) + pow(l, 2) + pow(r, 2)) / pow(m, 2), lap = (n + s + l + r) / m;
  REAL q = (0.5 * g2 - pow(lap, 2) / 16.0) / pow(1 + 0.25 * lap, 2);
  REAL v = 1.0 / (1.0 + (q - q0) / (q0 * (1 + q0)));
  c[y * w + x] = v < 0 ? 0 : v > 1 ? 1 : v;
}
__global__ void step(const REAL *u, const REAL *c, REAL *to, int h, int w, REAL lambda)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  REAL m = u[y * w + x], k = c[y * w + x];
  REAL ks = c[(y < h - 1 ? y + 1 : y) * w + x], ke = c[y * w + (x < w - 1 ? x + 1 : x)];
  REAL d = k * (u[(y > 0 ? y - 1 : 0) * w + x] - m) +
           ks * (u[(y < h - 1 ? y + 1 : y) * w + x] - m) +
           k * (u[y * w + (x > 0 ? x - 1 : 0)] - m) + ke * (u[y * w + (x < w - 1 ? x + 1 : x)] - m);
  to[y * w + x] = m + 0.25 * lambda * d;
}
int main(int argc, char **argv)
{
  int h = size_of(argc, argv, 1, 256), w = size_of(argc, argv, 2, 256),
      times = size_of(argc, argv, 3, 2);
  std::vector<REAL> from(h * w);
  for (int i = 0; i < h * w; i++) from[i] = (REAL)exp(unit(i));
  REAL *u = to_device(from), *c, *to;
  cudaMalloc(&c, from.size() * sizeof(REAL)), cudaMalloc(&to, from.size() * sizeof(REAL));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  timer t;
  for (int r = 0; r < times; r++) {
    coefficients<<<grid, block>>>(u, c, h, w, (REAL)0.05);
    step<<<grid, block>>>(u, c, to, h, w, (REAL)0.5);
    REAL *other = u;
    u = to, to = other;
  }
  t.show(2 * times);
  checksum("c", c, from.size()), checksum("u", u, from.size());
}
