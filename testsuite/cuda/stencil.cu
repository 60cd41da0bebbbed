// 2-D heat step with halo in shared memory; ping-pong buffers; compared with the host.
#include <cstdio>
#include <utility>
#include <vector>

constexpr int N = 96, B = 16;

__global__ __launch_bounds__(B *B) void step(const double *in, double *out) {
  __shared__ double s[B + 2][B + 2];
  const int x = blockIdx.x * B + threadIdx.x, y = blockIdx.y * B + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [in](int yy, int xx) { return yy < 0 || xx < 0 || yy >= N || xx >= N ? 0.0 : in[yy * N + xx]; };
  s[ty][tx] = at(y, x);
  if (threadIdx.x == 0) s[ty][0] = at(y, x - 1);
  if (threadIdx.x == B - 1) s[ty][B + 1] = at(y, x + 1);
  if (threadIdx.y == 0) s[0][tx] = at(y - 1, x);
  if (threadIdx.y == B - 1) s[B + 1][tx] = at(y + 1, x);
  __syncthreads();
  out[y * N + x] = 0.25 * ((s[ty - 1][tx] + s[ty + 1][tx]) + (s[ty][tx - 1] + s[ty][tx + 1]));
}

int main() {
  std::vector<double> a(N * N), b(N * N), r(N * N);
  for (int i = 0; i < N * N; i++) a[i] = (i * 37 % 101) / 8.0;
  double *d0, *d1;
  cudaMalloc(&d0, sizeof(double) * N * N);
  cudaMalloc(&d1, sizeof(double) * N * N);
  cudaMemcpy(d0, a.data(), sizeof(double) * N * N, cudaMemcpyHostToDevice);
  for (int k = 0; k < 6; k++) {
    step<<<dim3(N / B, N / B), dim3(B, B)>>>(d0, d1);
    std::swap(d0, d1);
    auto at = [&](int y, int x) { return y < 0 || x < 0 || y >= N || x >= N ? 0.0 : a[y * N + x]; };
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++)
        b[y * N + x] = 0.25 * ((at(y - 1, x) + at(y + 1, x)) + (at(y, x - 1) + at(y, x + 1)));
    std::swap(a, b);
  }
  cudaMemcpy(r.data(), d0, sizeof(double) * N * N, cudaMemcpyDeviceToHost);
  std::printf("%.17g\n", r[N * N / 2]);
  return r != a;
}
