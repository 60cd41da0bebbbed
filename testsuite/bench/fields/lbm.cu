// Lattice Boltzmann: D2Q9 by arrays of structures and structures of arrays, D3Q19, bounce back,
// moments.
#include "helpers.h"
#define Q 9
__constant__ int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float wt[Q] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                            1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__device__ float feq(int k, float rho, float ux, float uy)
{
  float cu = 3.0f * (ex[k] * ux + ey[k] * uy);
  return rho * wt[k] * (1.0f + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
}
__global__ void init_eq(float *f, int nx, int ny)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  for (int k = 0; k < Q; k++)
    f[(k * ny + y) * nx + x] = feq(k, 1.0f, 0.05f * x / nx, 0.01f * y / ny);
}
__global__ void collide_soa(float *f, const unsigned char *solid, int nx, int ny, float omega)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  if (solid[y * nx + x]) return;
  float fl[Q], rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < Q; k++) {
    fl[k] = f[(k * ny + y) * nx + x];
    rho += fl[k];
    ux += fl[k] * ex[k];
    uy += fl[k] * ey[k];
  }
  ux /= rho;
  uy /= rho;
  for (int k = 0; k < Q; k++)
    f[(k * ny + y) * nx + x] = fl[k] - omega * (fl[k] - feq(k, rho, ux, uy));
}
__global__ void stream_soa(const float *f, float *g, const unsigned char *solid, int nx, int ny)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  for (int k = 0; k < Q; k++) {
    int xs = (x - ex[k] + nx) % nx, ys = (y - ey[k] + ny) % ny;
    if (solid[ys * nx + xs])
      g[(k * ny + y) * nx + x] = f[(opp[k] * ny + y) * nx + x];
    else
      g[(k * ny + y) * nx + x] = f[(k * ny + ys) * nx + xs];
  }
}
struct Cell {
  float f[Q];
};
__global__ void collide_stream_aos(const Cell *in, Cell *out, int nx, int ny, float tau)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const Cell &c = in[y * nx + x];
  float rho = 0.f, jx = 0.f, jy = 0.f;
  for (int k = 0; k < Q; ++k) {
    rho += c.f[k];
    jx += c.f[k] * ex[k];
    jy += c.f[k] * ey[k];
  }
  for (int k = 0; k < Q; ++k) {
    float e = feq(k, rho, jx / rho, jy / rho);
    int tx = (x + ex[k] + nx) % nx, ty = (y + ey[k] + ny) % ny;
    out[ty * nx + tx].f[k] = c.f[k] + (e - c.f[k]) / tau;
  }
}
__global__ void macroscopic(const float *f, float *rho, float2 *vel, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = 0, u = 0, v = 0;
#pragma unroll
  for (int k = 0; k < Q; k++) {
    float q = f[k * n + i];
    r += q;
    u += ex[k] * q;
    v += ey[k] * q;
  }
  rho[i] = r;
  vel[i] = make_float2(u / r, v / r);
}
__global__ void curl(const float2 *vel, float *c, int nx, int ny)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  c[y * nx + x] = 0.5f * (vel[y * nx + x + 1].y - vel[y * nx + x - 1].y) -
                  0.5f * (vel[(y + 1) * nx + x].x - vel[(y - 1) * nx + x].x);
}
__global__ void inlet(float *f, int nx, int ny, float u0)
{
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= ny) return;
  for (int k = 0; k < Q; k++) f[(k * ny + y) * nx] = feq(k, 1.0f, u0, 0.0f);
  for (int k = 0; k < Q; k++) f[(k * ny + y) * nx + nx - 1] = f[(k * ny + y) * nx + nx - 2];
}
#define N19 19
__constant__ int d3[N19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                               {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                               {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                               {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
__global__ void d3q19(const float *__restrict__ src, float *__restrict__ dst, int n, float omega)
{
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  float f[N19];
  float rho = 0, u = 0, v = 0, w = 0;
  size_t n3 = (size_t)n * n * n;
  for (int k = 0; k < N19; k++) {
    int xs = (x - d3[k][0] + n) % n, ys = (y - d3[k][1] + n) % n, zs = (z - d3[k][2] + n) % n;
    f[k] = src[k * n3 + ((size_t)zs * n + ys) * n + xs];
    rho += f[k];
    u += f[k] * d3[k][0];
    v += f[k] * d3[k][1];
    w += f[k] * d3[k][2];
  }
  u /= rho;
  v /= rho;
  w /= rho;
  float sq = 1.5f * (u * u + v * v + w * w);
  for (int k = 0; k < N19; k++) {
    float t = k == 0 ? 1.f / 3 : (k < 7 ? 1.f / 18 : 1.f / 36);
    float cu = 3 * (d3[k][0] * u + d3[k][1] * v + d3[k][2] * w);
    dst[k * n3 + ((size_t)z * n + y) * n + x] =
        f[k] + omega * (t * rho * (1 + cu + 0.5f * cu * cu - sq) - f[k]);
  }
}
int main(int argc, char **argv)
{
  int nx = argc > 1 ? atoi(argv[1]) : 64, it = argc > 2 ? atoi(argv[2]) : 2,
      n3 = argc > 3 ? atoi(argv[3]) : 16;
  int ny = nx / 2;
  size_t n = (size_t)nx * ny;
  float *f = zeros<float>(n * Q), *g = zeros<float>(n * Q), *rho = zeros<float>(n),
        *c = zeros<float>(n);
  float2 *vel = zeros<float2>(n);
  std::vector<unsigned char> s(n, 0);
  for (size_t i = 0; i < n; i++) s[i] = rnd() < 0.02f;
  unsigned char *sd = upload(s);
  std::vector<Cell> ce(n);
  for (auto &x : ce)
    for (int k = 0; k < Q; k++) x.f[k] = 0.1f + 0.01f * rnd();
  Cell *c0 = upload(ce), *c1 = upload(ce);
  size_t m = (size_t)n3 * n3 * n3 * N19;
  float *a = random_floats(m, 0.04f, 0.06f), *b = zeros<float>(m);
  dim3 bl(32, 4), gr((nx + 31) / 32, (ny + 3) / 4);
  init_eq<<<gr, bl>>>(f, nx, ny);
  for (int t = 0; t < it; t++) {
    collide_soa<<<gr, bl>>>(f, sd, nx, ny, 1.2f);
    stream_soa<<<gr, bl>>>(f, g, sd, nx, ny);
    std::swap(f, g);
    inlet<<<(ny + 63) / 64, 64>>>(f, nx, ny, 0.04f);
    collide_stream_aos<<<gr, bl>>>(c0, c1, nx, ny, 0.8f);
    std::swap(c0, c1);
    macroscopic<<<(unsigned)((n + 127) / 128), 128>>>(f, rho, vel, (int)n);
    curl<<<gr, bl>>>(vel, c, nx, ny);
    d3q19<<<dim3(n3, n3), n3>>>(a, b, n3, 1.1f);
    std::swap(a, b);
  }
  show("f", f, n * Q);
  show("rho", rho, n);
  show("vel", vel, n);
  show("curl", c, n);
  show("cells", c0, n);
  show("d3", a, m);
}
