// Flows: advection, Burgers, shallow water, a cavity, projections. Doubles, double3, references.
#include "helpers.h"
typedef double real;
struct real3 {
  real x, y, z;
};
__host__ __device__ inline real3 operator+(const real3 &a, const real3 &b)
{
  real3 r = {a.x + b.x, a.y + b.y, a.z + b.z};
  return r;
}
__host__ __device__ inline real3 operator-(const real3 &a, const real3 &b)
{
  real3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
  return r;
}
__host__ __device__ inline real3 operator*(real s, const real3 &a)
{
  real3 r = {s * a.x, s * a.y, s * a.z};
  return r;
}
struct Grid {
  int nx, ny;
  real dx, dy, dt;
};

__device__ __forceinline__ int wrap(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }

__global__ void upwind(const real *u, const real *vx, const real *vy, real *un, const Grid g)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= g.nx || j >= g.ny) return;
  int c = j * g.nx + i;
  int w = j * g.nx + wrap(i - 1, g.nx), e = j * g.nx + wrap(i + 1, g.nx);
  int s = wrap(j - 1, g.ny) * g.nx + i, n = wrap(j + 1, g.ny) * g.nx + i;
  real dudx = vx[c] > 0 ? (u[c] - u[w]) / g.dx : (u[e] - u[c]) / g.dx;
  real dudy = vy[c] > 0 ? (u[c] - u[s]) / g.dy : (u[n] - u[c]) / g.dy;
  un[c] = u[c] - g.dt * (vx[c] * dudx + vy[c] * dudy);
}
__global__ void burgers(const real *u, const real *v, real *un, real *vn, int nx, int ny, real nu,
                        real dt, real h)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
    size_t c = (size_t)j * nx + i;
    real uc = u[c], vc = v[c];
    un[c] = uc - dt / h * uc * (uc - u[c - 1]) - dt / h * vc * (uc - u[c - nx]) +
            nu * dt / (h * h) * (u[c + 1] - 2 * uc + u[c - 1]) +
            nu * dt / (h * h) * (u[c + nx] - 2 * uc + u[c - nx]);
    vn[c] = vc - dt / h * uc * (vc - v[c - 1]) - dt / h * vc * (vc - v[c - nx]) +
            nu * dt / (h * h) * (v[c + 1] - 2 * vc + v[c - 1]) +
            nu * dt / (h * h) * (v[c + nx] - 2 * vc + v[c - nx]);
  }
}
__device__ void flux_x(const real3 &q, real3 &f, real &speed)
{
  const real grav = 9.81;
  real u = q.y / q.x;
  f.x = q.y;
  f.y = q.y * u + 0.5 * grav * q.x * q.x;
  f.z = q.z * u;
  speed = fabs(u) + sqrt(grav * q.x);
}
__device__ void flux_y(const real3 &q, real3 &f, real &speed)
{
  const real grav = 9.81;
  real v = q.z / q.x;
  f.x = q.z;
  f.y = q.y * v;
  f.z = q.z * v + 0.5 * grav * q.x * q.x;
  speed = fabs(v) + sqrt(grav * q.x);
}
__device__ real3 rusanov_x(const real3 &l, const real3 &r)
{
  real3 fl, fr;
  real sl, sr;
  flux_x(l, fl, sl);
  flux_x(r, fr, sr);
  real s = sl > sr ? sl : sr;
  return 0.5 * (fl + fr) - 0.5 * s * (r - l);
}
__device__ real3 rusanov_y(const real3 &l, const real3 &r)
{
  real3 fl, fr;
  real sl, sr;
  flux_y(l, fl, sl);
  flux_y(r, fr, sr);
  real s = sl > sr ? sl : sr;
  return 0.5 * (fl + fr) - 0.5 * s * (r - l);
}
__global__ void shallow(const real3 *q, real3 *qn, int nx, int ny, real r)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
  int c = i + j * nx;
  real3 fe = rusanov_x(q[c], q[c + 1]), fw = rusanov_x(q[c - 1], q[c]);
  real3 gn = rusanov_y(q[c], q[c + nx]), gs = rusanov_y(q[c - nx], q[c]);
  qn[c] = q[c] - r * (fe - fw) - r * (gn - gs);
}
__global__ void max_speed(const real3 *q, real *out, int n)
{
  __shared__ real s[256];
  real m = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    real3 f;
    real sx, sy;
    flux_x(q[i], f, sx);
    flux_y(q[i], f, sy);
    m = fmax(m, fmax(sx, sy));
  }
  s[threadIdx.x] = m;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] = fmax(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void vorticity_rhs(const real *w, const real *psi, real *rhs, int nx, int ny, real h,
                              real re)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row <= 0 || row >= ny - 1 || col <= 0 || col >= nx - 1) return;
  real u = (psi[(row + 1) * nx + col] - psi[(row - 1) * nx + col]) / (2 * h);
  real v = -(psi[row * nx + col + 1] - psi[row * nx + col - 1]) / (2 * h);
  real conv = u * (w[row * nx + col + 1] - w[row * nx + col - 1]) / (2 * h) +
              v * (w[(row + 1) * nx + col] - w[(row - 1) * nx + col]) / (2 * h);
  real diff = (w[row * nx + col + 1] + w[row * nx + col - 1] + w[(row + 1) * nx + col] +
               w[(row - 1) * nx + col] - 4 * w[row * nx + col]) /
              (h * h * re);
  rhs[row * nx + col] = diff - conv;
}
__global__ void redblack(real *psi, const real *w, int nx, int ny, real h2, real omega, int color)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < nx - 1 && j < ny - 1 && ((i + j) & 1) == color) {
    int c = j * nx + i;
    psi[c] = (1 - omega) * psi[c] +
             omega * 0.25 * (psi[c - 1] + psi[c + 1] + psi[c - nx] + psi[c + nx] + h2 * w[c]);
  }
}
__global__ void axpy_step(real *w, const real *rhs, real dt, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] = w[i] + dt * rhs[i];
}
__global__ void lax3d(const float *u, float *un, int nx, int ny, int nz, float cx, float cy,
                      float cz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i > nx - 2 || j > ny - 2 || k > nz - 2) return;
  int p = i + nx * (j + ny * k);
  un[p] = (u[p + 1] + u[p - 1] + u[p + nx] + u[p - nx] + u[p + nx * ny] + u[p - nx * ny]) / 6.0f -
          0.5f * (cx * (u[p + 1] - u[p - 1]) + cy * (u[p + nx] - u[p - nx]) +
                  cz * (u[p + nx * ny] - u[p - nx * ny]));
}
int main(int argc, char **argv)
{
  int nx = argc > 1 ? atoi(argv[1]) : 70, ny = nx + 3, it = argc > 2 ? atoi(argv[2]) : 2,
      n3 = argc > 3 ? atoi(argv[3]) : 24;
  size_t n = (size_t)nx * ny;
  auto rd = [](size_t m, double lo, double hi) {
    std::vector<double> v(m);
    for (auto &x : v) x = lo + (hi - lo) * rnd();
    return upload(v);
  };
  real *u = rd(n, 0, 1), *v = rd(n, -1, 1), *vx = rd(n, -1, 1), *un = zeros<real>(n),
       *vn = zeros<real>(n), *up = zeros<real>(n);
  real *w = rd(n, -1, 1), *psi = rd(n, -1, 1), *rhs = zeros<real>(n);
  std::vector<real3> q(n);
  for (auto &x : q) {
    x.x = 1 + rnd();
    x.y = rnd() - 0.5;
    x.z = rnd() - 0.5;
  }
  real3 *q0 = upload(q), *q1 = upload(q);
  size_t m = (size_t)n3 * n3 * n3;
  float *a = random_floats(m, 0, 1), *b = zeros<float>(m);
  real *sp = zeros<real>(64);
  dim3 bl(32, 8), g((nx + 31) / 32, (ny + 7) / 8);
  Grid gr = {nx, ny, 0.1, 0.2, 0.001};
  for (int t = 0; t < it; t++) {
    upwind<<<g, bl>>>(u, vx, v, up, gr);
    burgers<<<g, bl>>>(u, v, un, vn, nx, ny, 0.01, 0.0001, 0.01);
    shallow<<<g, bl>>>(q0, q1, nx, ny, 0.01);
    max_speed<<<64, 256>>>(q1, sp, (int)n);
    std::swap(q0, q1);
    std::swap(u, un);
    std::swap(v, vn);
    vorticity_rhs<<<g, bl>>>(w, psi, rhs, nx, ny, 0.1, 100.0);
    axpy_step<<<(unsigned)((n + 255) / 256), 256>>>(w, rhs, 0.001, (int)n);
    for (int c = 0; c < 2; c++) redblack<<<g, bl>>>(psi, w, nx, ny, 0.01, 1.5, c);
    lax3d<<<dim3((n3 + 7) / 8, (n3 + 7) / 8, (n3 + 3) / 4), dim3(8, 8, 4)>>>(a, b, n3, n3, n3, 0.1f,
                                                                             0.2f, 0.3f);
    std::swap(a, b);
  }
  show("u", u, n);
  show("v", v, n);
  show("up", up, n);
  show("q", q0, n);
  show("sp", sp, 64);
  show("psi", psi, n);
  show("w", w, n);
  show("a", a, m);
}
