// Acoustic and elastic waves in 2-D and 3-D, absorbing rims, sources, receivers, imaging.
#include "helpers.h"
#define IDX2(i, j) ((i)*nx + (j))
#define IDX3(k, j, i) (((k)*ny + (j)) * nx + (i))
#define R 4
__constant__ float c_coef[R + 1];

__global__ void acoustic2d(const float *prev, const float *cur, float *next, const float *vel,
                           int nx, int nz, float dt2)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < R || i >= nz - R || j < R || j >= nx - R) return;
  float lap = 2.0f * c_coef[0] * cur[IDX2(i, j)];
  for (int r = 1; r <= R; r++)
    lap += c_coef[r] *
           (cur[IDX2(i + r, j)] + cur[IDX2(i - r, j)] + cur[IDX2(i, j + r)] + cur[IDX2(i, j - r)]);
  float v = vel[IDX2(i, j)];
  next[IDX2(i, j)] = 2.0f * cur[IDX2(i, j)] - prev[IDX2(i, j)] + v * v * dt2 * lap;
}
__global__ void sponge(float *p, float *q, const float *taper, int nx, int nz, int nb)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nz || j >= nx) return;
  float t = 1.0f;
  if (i < nb) t *= taper[i];
  if (i >= nz - nb) t *= taper[nz - 1 - i];
  if (j < nb) t *= taper[j];
  if (j >= nx - nb) t *= taper[nx - 1 - j];
  p[IDX2(i, j)] *= t;
  q[IDX2(i, j)] *= t;
}
__global__ void acoustic3d(float *__restrict__ u2, const float *__restrict__ u1,
                           const float *__restrict__ u0, const float *__restrict__ m, int nx,
                           int ny, int nz)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x + R;
  int j = blockIdx.y * blockDim.y + threadIdx.y + R;
  if (i >= nx - R || j >= ny - R) return;
  for (int k = R; k < nz - R; k++) {
    float s = 3.0f * c_coef[0] * u1[IDX3(k, j, i)];
#pragma unroll
    for (int r = 1; r <= R; r++) {
      s += c_coef[r] * (u1[IDX3(k + r, j, i)] + u1[IDX3(k - r, j, i)]);
      s += c_coef[r] * (u1[IDX3(k, j + r, i)] + u1[IDX3(k, j - r, i)]);
      s += c_coef[r] * (u1[IDX3(k, j, i + r)] + u1[IDX3(k, j, i - r)]);
    }
    u2[IDX3(k, j, i)] = 2.0f * u1[IDX3(k, j, i)] - u0[IDX3(k, j, i)] + m[IDX3(k, j, i)] * s;
  }
}
struct Elastic {
  float *vx, *vz, *txx, *tzz, *txz;
  const float *lam, *mu, *rho;
  int nx, nz;
  float dt, h;
};
__global__ void elastic_velocity(Elastic e)
{
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iz = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix > 0 && ix < e.nx - 1 && iz > 0 && iz < e.nz - 1) {
    int c = iz * e.nx + ix;
    float b = e.dt / (e.h * e.rho[c]);
    e.vx[c] += b * (e.txx[c + 1] - e.txx[c] + e.txz[c] - e.txz[c - e.nx]);
    e.vz[c] += b * (e.txz[c] - e.txz[c - 1] + e.tzz[c + e.nx] - e.tzz[c]);
  }
}
__global__ void elastic_stress(Elastic e)
{
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iz = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix > 0 && ix < e.nx - 1 && iz > 0 && iz < e.nz - 1) {
    int c = iz * e.nx + ix;
    float dvx = (e.vx[c] - e.vx[c - 1]) / e.h, dvz = (e.vz[c] - e.vz[c - e.nx]) / e.h;
    float l = e.lam[c], m = e.mu[c];
    e.txx[c] += e.dt * ((l + 2 * m) * dvx + l * dvz);
    e.tzz[c] += e.dt * ((l + 2 * m) * dvz + l * dvx);
    e.txz[c] += e.dt * m * ((e.vx[c + e.nx] - e.vx[c]) / e.h + (e.vz[c + 1] - e.vz[c]) / e.h);
  }
}
__global__ void inject(float *p, const int *pos, int ns, float amp)
{
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  if (t < ns) atomicAdd(&p[pos[t]], amp);
}
__global__ void image_cond(const float *s, const float *r, float *img, float *ill, size_t n)
{
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    img[i] += s[i] * r[i];
    ill[i] += s[i] * s[i];
  }
}
__global__ void laplace_filter(const float *img, float *out, int nx, int nz)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= nx || i >= nz) return;
  float s = 0.f;
  if (j > 0 && j < nx - 1) s += img[IDX2(i, j - 1)] - 2.f * img[IDX2(i, j)] + img[IDX2(i, j + 1)];
  if (i > 0 && i < nz - 1) s += img[IDX2(i - 1, j)] - 2.f * img[IDX2(i, j)] + img[IDX2(i + 1, j)];
  out[IDX2(i, j)] = s;
}
int main(int argc, char **argv)
{
  int nx = argc > 1 ? atoi(argv[1]) : 96, n3 = argc > 2 ? atoi(argv[2]) : 32,
      it = argc > 3 ? atoi(argv[3]) : 2;
  int nz = nx / 2 + 5;
  size_t n = (size_t)nx * nz;
  float co[R + 1] = {-2.847f, 1.6f, -0.2f, 0.0254f, -0.00178f};
  cudaMemcpyToSymbol(c_coef, co, sizeof co);
  float *a = random_floats(n, -1, 1), *b = random_floats(n, -1, 1), *c = zeros<float>(n),
        *v = random_floats(n, 0.5f, 1);
  float *tp = random_floats(20, 0.9f, 1), *img = zeros<float>(n), *ill = zeros<float>(n),
        *lf = zeros<float>(n);
  std::vector<int> pos;
  for (int i = 0; i < 16; i++) pos.push_back((nz / 2) * nx + 10 + 2 * i);
  int *dp = upload(pos);
  dim3 bl(16, 16), g((nx + 15) / 16, (nz + 15) / 16);
  Elastic e;
  e.nx = nx;
  e.nz = nz;
  e.dt = 0.01f;
  e.h = 1.5f;
  e.vx = random_floats(n, -1, 1);
  e.vz = random_floats(n, -1, 1);
  e.txx = random_floats(n, -1, 1);
  e.tzz = random_floats(n, -1, 1);
  e.txz = random_floats(n, -1, 1);
  e.lam = random_floats(n, 1, 2);
  e.mu = random_floats(n, 1, 2);
  e.rho = random_floats(n, 1, 2);
  size_t m = (size_t)n3 * n3 * n3;
  float *u0 = random_floats(m, -1, 1), *u1 = random_floats(m, -1, 1), *u2 = zeros<float>(m),
        *mm = random_floats(m, 0, 0.1f);
  for (int t = 0; t < it; t++) {
    acoustic2d<<<g, bl>>>(a, b, c, v, nx, nz, 0.001f);
    inject<<<1, 32>>>(c, dp, 16, 0.5f);
    sponge<<<g, bl>>>(b, c, tp, nx, nz, 20);
    float *x = a;
    a = b;
    b = c;
    c = x;
    image_cond<<<64, 256>>>(a, b, img, ill, n);
    elastic_velocity<<<g, bl>>>(e);
    elastic_stress<<<g, bl>>>(e);
    acoustic3d<<<dim3((n3 - 2 * R + 31) / 32, (n3 - 2 * R + 7) / 8), dim3(32, 8)>>>(u2, u1, u0, mm,
                                                                                    n3, n3, n3);
    x = u0;
    u0 = u1;
    u1 = u2;
    u2 = x;
  }
  laplace_filter<<<g, bl>>>(img, lf, nx, nz);
  show("p", b, n);
  show("img", img, n);
  show("ill", ill, n);
  show("lf", lf, n);
  show("vx", e.vx, n);
  show("txx", e.txx, n);
  show("txz", e.txz, n);
  show("u", u1, m);
  return 0;
}
