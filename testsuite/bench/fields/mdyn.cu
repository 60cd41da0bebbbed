// Molecular dynamics: neighbour and cell lists, Ewald sums, Coulomb grids, bonds, integrators,
// thermostats.
#include "helpers.h"
__host__ __device__ inline float3 operator-(float3 a, float3 b)
{
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__host__ __device__ inline float3 operator+(float3 a, float3 b)
{
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ inline float3 operator*(float s, float3 a)
{
  return make_float3(s * a.x, s * a.y, s * a.z);
}
__host__ __device__ inline void operator+=(float3 &a, const float3 &b)
{
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
__host__ __device__ inline float dot(const float3 &a, const float3 &b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ inline void min_image(float3 &d, float L)
{
  d.x -= L * rintf(d.x / L);
  d.y -= L * rintf(d.y / L);
  d.z -= L * rintf(d.z / L);
}

__global__ void build_neighbours(const float4 *pos, int *nbr, int *cnt, int n, int maxn, float rc2,
                                 float L)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 p = make_float3(pos[i].x, pos[i].y, pos[i].z);
  int c = 0;
  for (int j = 0; j < n; j++) {
    if (j == i) continue;
    float3 d = p - make_float3(pos[j].x, pos[j].y, pos[j].z);
    min_image(d, L);
    if (dot(d, d) < rc2 && c < maxn) {
      nbr[c * n + i] = j;
      c++;
    }
  }
  cnt[i] = c;
}
__global__ void lj_neigh(const float4 *__restrict__ pos, float4 *force, const int *__restrict__ nbr,
                         const int *__restrict__ cnt, int n, float L, float eps, float sig2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 pi = pos[i];
  float3 f = make_float3(0, 0, 0);
  float pe = 0;
  int m = cnt[i];
  for (int k = 0; k < m; k++) {
    int j = nbr[k * n + i];
    float4 pj = pos[j];
    float3 d = make_float3(pi.x - pj.x, pi.y - pj.y, pi.z - pj.z);
    min_image(d, L);
    float r2 = dot(d, d);
    float s2 = sig2 / r2, s6 = s2 * s2 * s2;
    f += (24.0f * eps * (2.0f * s6 * s6 - s6) / r2) * d;
    pe += 4.0f * eps * (s6 * s6 - s6);
  }
  force[i] = make_float4(f.x, f.y, f.z, pe);
}
struct Cells {
  const int *start;
  const int *idx;
  int nc;
  float size;
};
__global__ void lj_cells(const float4 *pos, float3 *force, Cells c, int n, float rc2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i];
  int cx = min(c.nc - 1, (int)(p.x / c.size)), cy = min(c.nc - 1, (int)(p.y / c.size)),
      cz = min(c.nc - 1, (int)(p.z / c.size));
  float3 f = {0, 0, 0};
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int x = cx + dx, y = cy + dy, z = cz + dz;
        if (x < 0 || y < 0 || z < 0 || x >= c.nc || y >= c.nc || z >= c.nc) continue;
        int cell = (z * c.nc + y) * c.nc + x;
        for (int k = c.start[cell]; k < c.start[cell + 1]; k++) {
          int j = c.idx[k];
          if (j == i) continue;
          float ddx = p.x - pos[j].x, ddy = p.y - pos[j].y, ddz = p.z - pos[j].z;
          float r2 = ddx * ddx + ddy * ddy + ddz * ddz;
          if (r2 < rc2) {
            float s = 1.0f / (r2 * r2 + 0.01f);
            f.x += s * ddx;
            f.y += s * ddy;
            f.z += s * ddz;
          }
        }
      }
  force[i] = f;
}
__global__ void ewald_rho(const float4 *pos, const float3 *kv, float2 *rho, int n, int nk)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= nk) return;
  float3 q = kv[k];
  float re = 0, im = 0;
  for (int i = 0; i < n; i++) {
    float4 p = pos[i];
    float ph = q.x * p.x + q.y * p.y + q.z * p.z, s, c;
    sincosf(ph, &s, &c);
    re += p.w * c;
    im += p.w * s;
  }
  rho[k] = make_float2(re, im);
}
__global__ void ewald_force(const float4 *pos, const float3 *kv, const float2 *rho,
                            const float *pref, float3 *f, int n, int nk)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 p = pos[i];
    float3 a = make_float3(0.f, 0.f, 0.f);
    for (int k = 0; k < nk; ++k) {
      float ph = kv[k].x * p.x + kv[k].y * p.y + kv[k].z * p.z;
      float t = pref[k] * p.w * (rho[k].x * sinf(ph) - rho[k].y * cosf(ph));
      a += t * kv[k];
    }
    f[i] = a;
  }
}
__global__ void coulomb_slice(const float4 *atoms, int natoms, float *grid, float h, float z)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned w = gridDim.x * blockDim.x;
  float e = 0, px = h * x, py = h * y;
  for (int a = 0; a < natoms; a++) {
    float dx = px - atoms[a].x, dy = py - atoms[a].y, dz = z - atoms[a].z;
    e += atoms[a].w / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
  }
  grid[y * w + x] += e;
}
__global__ void bonds(const int2 *bond, const float2 *par, const float4 *pos, float *fx, float *fy,
                      float *fz, int nb)
{
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= nb) return;
  int2 ij = bond[b];
  float dx = pos[ij.x].x - pos[ij.y].x, dy = pos[ij.x].y - pos[ij.y].y,
        dz = pos[ij.x].z - pos[ij.y].z;
  float r = sqrtf(dx * dx + dy * dy + dz * dz) + 1e-6f;
  float g = -par[b].x * (r - par[b].y) / r;
  fx[b] = g * dx;
  fy[b] = g * dy;
  fz[b] = g * dz;
}
__global__ void verlet1(float4 *pos, float4 *vel, const float4 *force, int n, float dt, float L)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i], v = vel[i], f = force[i];
  v.x += 0.5f * dt * f.x;
  v.y += 0.5f * dt * f.y;
  v.z += 0.5f * dt * f.z;
  p.x += dt * v.x;
  p.y += dt * v.y;
  p.z += dt * v.z;
  if (p.x < 0) p.x += L;
  if (p.x >= L) p.x -= L;
  if (p.y < 0) p.y += L;
  if (p.y >= L) p.y -= L;
  if (p.z < 0) p.z += L;
  if (p.z >= L) p.z -= L;
  pos[i] = p;
  vel[i] = v;
}
__global__ void kinetic(const float4 *vel, float *ke, int n)
{
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float k = 0;
  if (i < n) {
    float4 v = vel[i];
    k = 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z);
  }
  s[t] = k;
  __syncthreads();
  for (int d = blockDim.x / 2; d >= 1; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (!t) ke[blockIdx.x] = s[0];
}
__global__ void rdf(const float4 *pos, unsigned *hist, int n, float L, float dr, int nb)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = i + 1; j < n; j++) {
    float3 d = make_float3(pos[i].x - pos[j].x, pos[i].y - pos[j].y, pos[i].z - pos[j].z);
    min_image(d, L);
    int b = (int)(sqrtf(dot(d, d)) / dr);
    if (b < nb) atomicAdd(&hist[b], 2u);
  }
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 500, nk = argc > 2 ? atoi(argv[2]) : 60,
      gw = argc > 3 ? atoi(argv[3]) : 32;
  float L = 10.0f;
  std::vector<float4> ps(n), vs(n), fs(n);
  for (int i = 0; i < n; i++) {
    ps[i] = make_float4(L * rnd(), L * rnd(), L * rnd(), rnd() - 0.5f);
    vs[i] = make_float4(rnd() - 0.5f, rnd() - 0.5f, rnd() - 0.5f, 0);
    fs[i] = make_float4(0, 0, 0, 0);
  }
  float4 *pos = upload(ps), *vel = upload(vs), *f = upload(fs);
  int maxn = 64;
  int *nbr = zeros<int>((size_t)n * maxn), *cnt = zeros<int>(n);
  int nc = 5;
  float cs = L / nc;
  std::vector<int> st(nc * nc * nc + 1, 0), id;
  {
    std::vector<std::vector<int>> c(nc * nc * nc);
    auto q = [&](float v) {
      int a = (int)(v / cs);
      return a >= nc ? nc - 1 : a;
    };
    for (int i = 0; i < n; i++) c[(q(ps[i].z) * nc + q(ps[i].y)) * nc + q(ps[i].x)].push_back(i);
    for (size_t k = 0; k < c.size(); k++) {
      st[k] = (int)id.size();
      for (int v : c[k]) id.push_back(v);
    }
    st[c.size()] = (int)id.size();
  }
  Cells ce = {upload(st), upload(id), nc, cs};
  float3 *f3 = zeros<float3>(n), *fe = zeros<float3>(n);
  std::vector<float3> kv(nk);
  for (auto &k : kv) k = make_float3(6 * rnd(), 6 * rnd(), 6 * rnd());
  float3 *dk = upload(kv);
  float2 *rho = zeros<float2>(nk);
  float *pref = random_floats(nk, 0, 1), *grid = zeros<float>((size_t)gw * gw);
  std::vector<int2> bd(n);
  std::vector<float2> pr(n);
  for (int i = 0; i < n; i++) {
    bd[i] = make_int2(i, (i * 7 + 1) % n);
    pr[i] = make_float2(rnd(), rnd());
  }
  int2 *db = upload(bd);
  float2 *dp = upload(pr);
  float *bx = zeros<float>(n), *by = zeros<float>(n), *bz = zeros<float>(n),
        *ke = zeros<float>(n / 128 + 1);
  unsigned *hist = zeros<unsigned>(200);
  int g = (n + 127) / 128;
  build_neighbours<<<g, 128>>>(pos, nbr, cnt, n, maxn, 2.25f, L);
  lj_neigh<<<g, 128>>>(pos, f, nbr, cnt, n, L, 0.001f, 0.3f);
  lj_cells<<<g, 128>>>(pos, f3, ce, n, 4.0f);
  ewald_rho<<<(nk + 63) / 64, 64>>>(pos, dk, rho, n, nk);
  ewald_force<<<g, 128>>>(pos, dk, rho, pref, fe, n, nk);
  coulomb_slice<<<dim3(gw / 16, gw / 16), dim3(16, 16)>>>(pos, n, grid, 0.1f, 0.5f);
  bonds<<<g, 128>>>(db, dp, pos, bx, by, bz, n);
  rdf<<<g, 128>>>(pos, hist, n, L, 0.05f, 200);
  verlet1<<<g, 128>>>(pos, vel, f, n, 0.001f, L);
  kinetic<<<g, 128>>>(vel, ke, n);
  show("cnt", cnt, n);
  show("nbr", nbr, (size_t)n * maxn);
  show("f", f, n);
  show("f3", f3, n);
  show("rho", rho, nk);
  show("fe", fe, n);
  show("grid", grid, (size_t)gw * gw);
  show("bx", bx, n);
  show("bz", bz, n);
  show("hist", hist, 200);
  show("pos", pos, n);
  show("ke", ke, g);
}
