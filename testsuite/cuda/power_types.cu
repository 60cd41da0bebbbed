// pow(float, int) is a double in device code: what is made of it by auto, in sums and in arguments
// keeps its type in kernels that are printed anew.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HD __host__ __device__

HD double of_double(double x) { return x * 3 + 1e-9; }
HD int size_of(double) { return 8; }
HD int size_of(float) { return 4; }

/* double: 16 bytes of a square and a product that floats do not hold */
HD float point(float c, float e, float w, float s, float n)
{
  auto d = pow(e - w, 2);
  auto f = std::pow(s - n, 3) + pow(c, 2);
  auto g = d + f * of_double(pow(w, 2));
  return (float)(g - d) + size_of(pow(c, 2)) + size_of(pow(c, 2.0f)) + pow(c, 2.0f);
}

__global__ void stencil(const float *u, float *o, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float c = u[y * n + x], w = u[y * n + x - 1];
  auto d = pow(u[y * n + x + 1] - w, 2);
  auto f = std::pow(u[(y + 1) * n + x] - u[(y - 1) * n + x], 3) + pow(c, 2);
  auto g = d + f * of_double(pow(w, 2));
  o[y * n + x] = (float)(g - d) + size_of(pow(c, 2)) + size_of(pow(c, 2.0f)) + pow(c, 2.0f);
}

__global__ void sums(const float *u, int *o, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (int k = 0; k < n; k++) {
    auto d = pow(u[k * n + i], 3) * 1e6;
    s += (int)(d - 1e6f * (float)pow(u[k * n + i], 3));
  }
  o[i] = s;
}

int main(int argc, char **)
{
  const int n = argc > 50 ? 90 : 128;
  std::vector<float> u(n * n), o(n * n, 0);
  std::vector<int> t(n);
  int wrong = 0, *dt;
  float *du, *d;
  for (int i = 0; i < n * n; i++) u[i] = (i * 37 % 1009) * 0.0131f;
  cudaMalloc(&du, n * n * sizeof(float));
  cudaMalloc(&d, n * n * sizeof(float));
  cudaMalloc(&dt, n * sizeof(int));
  cudaMemcpy(du, u.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d, 0, n * n * sizeof(float));
  stencil<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(du, d, n);
  sums<<<(n + 63) / 64, 64>>>(du, dt, n);
  cudaMemcpy(o.data(), d, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(t.data(), dt, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++) {
      float want = point(u[y * n + x], u[y * n + x + 1], u[y * n + x - 1], u[(y + 1) * n + x],
                         u[(y - 1) * n + x]);
      wrong += !(std::fabs(o[y * n + x] - want) <= std::fabs(want) * 1e-6f);
    }
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < n; k++) {
      double e = std::pow((double)u[k * n + i], 3.0);
      s += (int)(e * 1e6 - 1e6f * (float)e);
    }
    wrong += std::abs(s - t[i]) > n / 8;
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
