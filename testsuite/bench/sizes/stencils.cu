#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
__global__ void jacobi(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] =
        0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
__global__ void jacobi_rhs(const float *in, const float *f, float *out, int w, int h, float h2)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                              in[(y + 1) * w + x] - h2 * f[y * w + x]);
}
__global__ void nine(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  float s = in[y * w + x] * 0.5f;
  s += in[(y - 1) * w + x - 1];
  s += in[(y - 1) * w + x];
  s += in[(y - 1) * w + x + 1];
  s += in[y * w + x - 1];
  s += in[y * w + x + 1];
  s += in[(y + 1) * w + x - 1];
  s += in[(y + 1) * w + x];
  s += in[(y + 1) * w + x + 1];
  out[y * w + x] = s;
}
__global__ void vert(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h - 1) out[y * w + x] = in[(y + 1) * w + x] - in[y * w + x];
}
__global__ void grad(const float *in, float *gx, float *gy, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w - 1 && y < h - 1) {
    gx[y * w + x] = in[y * w + x + 1] - in[y * w + x];
    gy[y * w + x] = in[(y + 1) * w + x] - in[y * w + x];
  }
}
__global__ void jacobid(const double *in, double *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] =
        0.25 * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    int gx = in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1] -
             in[(y - 1) * w + x - 1] - 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1];
    int gy = in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1] -
             in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1];
    int m = abs(gx) + abs(gy);
    out[y * w + x] = m > 255 ? 255 : m;
  }
}
__global__ void lapi(const int *in, int *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = 4 * in[y * w + x] - in[y * w + x - 1] - in[y * w + x + 1] -
                     in[(y - 1) * w + x] - in[(y + 1) * w + x];
}
__global__ void seven(const float *in, float *out, int nx, int ny, int nz, float a, float b)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    int i = (z * ny + y) * nx + x;
    out[i] = a * in[i] + b * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] +
                              in[i + nx * ny]);
  }
}
__global__ void wave(const float *now, float *next, const float *speed, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    int i = y * w + x;
    float flow = now[i - 1] + now[i + 1] + now[i - w] + now[i + w] - 4 * now[i];
    next[i] = 2 * now[i] - next[i] + speed[i] * flow;
  }
}
__global__ void magnetic(float *hz, const float *ex, const float *ey, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w - 1 && y < h - 1)
    hz[y * w + x] -=
        0.7f * (ex[(y + 1) * w + x] - ex[y * w + x] + ey[y * w + x + 1] - ey[y * w + x]);
}
__global__ void electric(const float *hz, float *ex, float *ey, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w && y > 0 && y < h) {
    ex[y * w + x] -= 0.5f * (hz[y * w + x] - hz[(y - 1) * w + x]);
    ey[y * w + x] += 0.5f * (hz[y * w + x] - hz[y * w + x - 1]);
  }
}
__global__ void gauss5(const unsigned char *in, unsigned char *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || x >= w - 2 || y < 2 || y >= h - 2) return;
  const int k[5] = {1, 4, 6, 4, 1};
  int s = 0;
  for (int v = -2; v <= 2; v++)
    for (int u = -2; u <= 2; u++) s += in[(y + v) * w + x + u] * k[u + 2] * k[v + 2];
  out[y * w + x] = s / 256;
}
__global__ void mean5(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || x >= w - 2 || y < 2 || y >= h - 2) return;
  float s = 0;
  for (int v = -2; v <= 2; v++)
    for (int u = -2; u <= 2; u++) s += in[(y + v) * w + x + u];
  out[y * w + x] = s / 25;
}
__global__ void threshold_gradient(const unsigned char *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w - 1 || y >= h - 1) return;
  float dx = in[y * w + x + 1] - in[y * w + x], dy = in[(y + 1) * w + x] - in[y * w + x];
  out[y * w + x] = sqrtf(dx * dx + dy * dy);
}

template <class T> static T *filled(size_t n, int seed)
{
  std::vector<T> host(n);
  for (size_t i = 0; i < n; i++)
    host[i] = (T)((i * 37 + seed * 11) % 251) / (sizeof(T) == 1 ? 1 : (T)8);
  T *p;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T> static void sum(const char *name, const T *p, size_t n)
{
  std::vector<T> host(n);
  cudaMemcpy(host.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned long long bits = 1469598103934665603ull;
  const unsigned char *b = (const unsigned char *)host.data();
  for (size_t i = 0; i < n * sizeof(T); i++) bits = (bits ^ b[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, bits);
}

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 200, h = argc > 2 ? atoi(argv[2]) : 100,
      d = argc > 3 ? atoi(argv[3]) : 10, times = argc > 4 ? atoi(argv[4]) : 1;
  int from = argc > 5 ? atoi(argv[5])
                      : 0; /* elements that all arrays begin behind multiples of 16 bytes */
  size_t n = (size_t)w * h;
  float *a = filled<float>(n + from, 1) + from, *b = filled<float>(n + from, 2) + from,
        *c = filled<float>(n + from, 3) + from, *e = filled<float>(n + from, 4) + from;
  double *p = filled<double>(n + from, 5) + from, *q = filled<double>(n + from, 6) + from;
  unsigned char *u = filled<unsigned char>(n + from, 7) + from,
                *v = filled<unsigned char>(n + from, 8) + from;
  int *i = filled<int>(n + from, 9) + from, *j = filled<int>(n + from, 10) + from;
  int s = w / 8, t = h / 8; /* of a layer */
  float *f = filled<float>((size_t)s * t * d, 11), *g = filled<float>((size_t)s * t * d, 12);
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  for (int k = 0; k < times; k++) {
    jacobi<<<grid, block>>>(a, b, w, h);
    if (!k) sum("jacobi", b, n);
    jacobi_rhs<<<grid, block>>>(a, c, b, w, h, 0.1f);
    if (!k) sum("jacobi_rhs", b, n);
    nine<<<grid, block>>>(a, b, w, h);
    if (!k) sum("nine", b, n);
    vert<<<grid, block>>>(a, b, w, h);
    if (!k) sum("vert", b, n);
    grad<<<grid, block>>>(a, b, e, w, h);
    if (!k) sum("grad x", b, n), sum("grad y", e, n);
    jacobid<<<grid, block>>>(p, q, w, h);
    if (!k) sum("jacobid", q, n);
    sobel<<<grid, block>>>(u, v, w, h);
    if (!k) sum("sobel", v, n);
    gauss5<<<grid, block>>>(u, v, w, h);
    if (!k) sum("gauss5", v, n);
    mean5<<<grid, block>>>(a, b, w, h);
    if (!k) sum("mean5", b, n);
    threshold_gradient<<<grid, block>>>(u, b, w, h);
    if (!k) sum("threshold_gradient", b, n);
    lapi<<<grid, block>>>(i, j, w, h);
    if (!k) sum("lapi", j, n);
    wave<<<grid, block>>>(a, b, c, w, h);
    if (!k) sum("wave", b, n);
    magnetic<<<grid, block>>>(b, c, e, w, h);
    if (!k) sum("magnetic", b, n);
    electric<<<grid, block>>>(b, c, e, w, h);
    if (!k) sum("electric x", c, n), sum("electric y", e, n);
    seven<<<dim3((s + 31) / 32, (t + 7) / 8, d), block>>>(f, g, s, t, d, 0.5f, 0.1f);
    if (!k) sum("seven", g, (size_t)s * t * d);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
