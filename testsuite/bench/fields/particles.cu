// Particles: SPH, n-body by AoS and SoA, particles in cells, boids, DEM, vortex sheets, dust by
// grid-stride.
#include "helpers.h"
struct Body {
  float4 pos;
  float3 vel;
  float pad;
};
struct BodySoA {
  float *x, *y, *z, *m, *ax, *ay, *az;
};
__device__ float3 body_body(float4 bi, float4 bj, float3 ai)
{
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float d = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f, s = d * d * d, inv = 1.0f / sqrtf(s),
        w = bj.w * inv;
  ai.x += r.x * w;
  ai.y += r.y * w;
  ai.z += r.z * w;
  return ai;
}
__global__ void nbody_aos(const Body *b, float3 *acc, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 a = {0, 0, 0};
  for (int j = 0; j < n; j++) a = body_body(b[i].pos, b[j].pos, a);
  acc[i] = a;
}
__global__ void nbody_soa(BodySoA s, int n, float eps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0, x = s.x[i], y = s.y[i], z = s.z[i];
  for (int j = 0; j < n; ++j) {
    float dx = s.x[j] - x, dy = s.y[j] - y, dz = s.z[j] - z, r2 = dx * dx + dy * dy + dz * dz + eps,
          r = rsqrtf(r2), f = s.m[j] * r * r * r;
    ax += f * dx;
    ay += f * dy;
    az += f * dz;
  }
  s.ax[i] = ax;
  s.ay[i] = ay;
  s.az[i] = az;
}
__global__ void nbody_shared(const float4 *p, float4 *acc, int n)
{
  extern __shared__ float4 sh[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float3 a = make_float3(0, 0, 0);
  for (int t = 0; t < n / blockDim.x; t++) {
    sh[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) a = body_body(me, sh[k], a);
    __syncthreads();
  }
  acc[i] = make_float4(a.x, a.y, a.z, 0);
}
__global__ void integrate(Body *b, const float3 *acc, float dt, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i].vel.x += dt * acc[i].x;
    b[i].vel.y += dt * acc[i].y;
    b[i].vel.z += dt * acc[i].z;
    b[i].pos.x += dt * b[i].vel.x;
    b[i].pos.y += dt * b[i].vel.y;
    b[i].pos.z += dt * b[i].vel.z;
  }
}
struct SphParams {
  float h, mass, rho0, k, mu;
  int n;
};
__constant__ SphParams sp;
__device__ float poly6(float r2, float h)
{
  float d = h * h - r2;
  return d > 0 ? 1.566681471f * d * d * d / (h * h * h * h * h * h * h * h * h) : 0.f;
}
__global__ void sph_density(const float3 *pos, float *rho, float *prs)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= sp.n) return;
  float3 p = pos[i];
  float s = 0;
  for (int j = 0; j < sp.n; j++) {
    float dx = p.x - pos[j].x, dy = p.y - pos[j].y, dz = p.z - pos[j].z;
    s += sp.mass * poly6(dx * dx + dy * dy + dz * dz, sp.h);
  }
  rho[i] = s;
  prs[i] = sp.k * (s - sp.rho0);
}
__global__ void sph_force(const float3 *pos, const float3 *vel, const float *rho, const float *prs,
                          float3 *f)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= sp.n) return;
  float3 a = {0, -9.8f, 0};
  for (int j = 0; j < sp.n; j++) {
    if (j == i) continue;
    float3 d = {pos[i].x - pos[j].x, pos[i].y - pos[j].y, pos[i].z - pos[j].z};
    float r = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    if (r < sp.h && r > 1e-6f) {
      float w = (sp.h - r), t = sp.mass * (prs[i] + prs[j]) / (2 * rho[j]) * w * w / r,
            v = sp.mu * sp.mass / rho[j] * w;
      a.x += t * d.x + v * (vel[j].x - vel[i].x);
      a.y += t * d.y + v * (vel[j].y - vel[i].y);
      a.z += t * d.z + v * (vel[j].z - vel[i].z);
    }
  }
  f[i] = a;
}
__global__ void pic_deposit(const float2 *x, const float *q, float *rho, int n, int nx, int ny)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float fx = x[i].x * (nx - 1), fy = x[i].y * (ny - 1);
  int ix = (int)fx, iy = (int)fy;
  fx -= ix;
  fy -= iy;
  atomicAdd(&rho[iy * nx + ix], q[i] * (1 - fx) * (1 - fy));
  atomicAdd(&rho[iy * nx + ix + 1], q[i] * fx * (1 - fy));
  atomicAdd(&rho[(iy + 1) * nx + ix], q[i] * (1 - fx) * fy);
  atomicAdd(&rho[(iy + 1) * nx + ix + 1], q[i] * fx * fy);
}
__global__ void pic_push(float2 *x, float2 *v, const float2 *E, float qm, float dt, int n, int nx,
                         int ny)
{
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float2 p = x[i], u = v[i];
    float fx = p.x * (nx - 1), fy = p.y * (ny - 1);
    int c = (int)fy * nx + (int)fx;
    fx -= (int)fx;
    fy -= (int)fy;
    float ex = E[c].x * (1 - fx) * (1 - fy) + E[c + 1].x * fx * (1 - fy) +
               E[c + nx].x * (1 - fx) * fy + E[c + nx + 1].x * fx * fy,
          ey = E[c].y * (1 - fx) * (1 - fy) + E[c + 1].y * fx * (1 - fy) +
               E[c + nx].y * (1 - fx) * fy + E[c + nx + 1].y * fx * fy;
    u.x += qm * dt * ex;
    u.y += qm * dt * ey;
    p.x += dt * u.x;
    p.y += dt * u.y;
    if (p.x < 0) p.x += 1;
    if (p.x >= 1) p.x -= 1;
    if (p.y < 0) p.y += 1;
    if (p.y >= 1) p.y -= 1;
    x[i] = p;
    v[i] = u;
  }
}
__global__ void efield(const float *phi, float2 *E, int nx, int ny)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    int w = (i + nx - 1) % nx, e = (i + 1) % nx, s = (j + ny - 1) % ny, n = (j + 1) % ny;
    E[j * nx + i].x = -0.5f * (phi[j * nx + e] - phi[j * nx + w]);
    E[j * nx + i].y = -0.5f * (phi[n * nx + i] - phi[s * nx + i]);
  }
}
__global__ void boids(const float4 *p, const float4 *v, float4 *nv, int n, float r)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 c = {0, 0, 0, 0}, al = {0, 0, 0, 0}, se = {0, 0, 0, 0};
  int cnt = 0;
  for (int j = 0; j < n; j++) {
    if (i == j) continue;
    float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z,
          d = dx * dx + dy * dy + dz * dz;
    if (d < r * r) {
      c.x += p[j].x;
      c.y += p[j].y;
      c.z += p[j].z;
      al.x += v[j].x;
      al.y += v[j].y;
      al.z += v[j].z;
      se.x -= dx / (d + 1e-3f);
      se.y -= dy / (d + 1e-3f);
      se.z -= dz / (d + 1e-3f);
      cnt++;
    }
  }
  float4 o = v[i];
  if (cnt) {
    float k = 1.0f / cnt;
    o.x += 0.01f * (c.x * k - p[i].x) + 0.1f * (al.x * k - o.x) + 0.02f * se.x;
    o.y += 0.01f * (c.y * k - p[i].y) + 0.1f * (al.y * k - o.y) + 0.02f * se.y;
    o.z += 0.01f * (c.z * k - p[i].z) + 0.1f * (al.z * k - o.z) + 0.02f * se.z;
  }
  nv[i] = o;
}
__global__ void dem_contacts(const float *x, const float *y, const float *rad, float *fx, float *fy,
                             int n, float kn)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sx = 0, sy = 0;
    for (int j = 0; j < n; j++) {
      float dx = x[i] - x[j], dy = y[i] - y[j], d = sqrtf(dx * dx + dy * dy),
            o = rad[i] + rad[j] - d;
      if (o > 0 && j != i) {
        sx += kn * o * dx / d;
        sy += kn * o * dy / d;
      }
    }
    fx[i] = sx;
    fy[i] = sy;
  }
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 512, np = argc > 2 ? atoi(argv[2]) : 2000,
      nx = argc > 3 ? atoi(argv[3]) : 32;
  n = n / 128 * 128;
  int g = n / 128;
  std::vector<Body> b(n);
  std::vector<float4> p4(n), v4(n);
  std::vector<float3> p3(n), v3(n);
  for (int i = 0; i < n; i++) {
    p4[i] = make_float4(rnd(), rnd(), rnd(), rnd());
    v4[i] = make_float4(rnd(), rnd(), rnd(), 0);
    b[i].pos = p4[i];
    b[i].vel = make_float3(0, 0, 0);
    b[i].pad = 0;
    p3[i] = make_float3(rnd(), rnd(), rnd());
    v3[i] = make_float3(rnd(), rnd(), rnd());
  }
  Body *db = upload(b);
  float3 *acc = zeros<float3>(n), *f3 = zeros<float3>(n);
  float4 *dp = upload(p4), *dv = upload(v4), *a4 = zeros<float4>(n), *nv = zeros<float4>(n);
  BodySoA s = {random_floats(n, 0, 1), random_floats(n, 0, 1), random_floats(n, 0, 1),
               random_floats(n, 0, 1), zeros<float>(n),        zeros<float>(n),
               zeros<float>(n)};
  nbody_aos<<<g, 128>>>(db, acc, n);
  integrate<<<g, 128>>>(db, acc, 0.01f, n);
  nbody_soa<<<g, 128>>>(s, n, 0.01f);
  nbody_shared<<<g, 128, 128 * sizeof(float4)>>>(dp, a4, n);
  SphParams h = {0.2f, 0.01f, 1.0f, 2.0f, 0.1f, n};
  cudaMemcpyToSymbol(sp, &h, sizeof h);
  float3 *dp3 = upload(p3), *dv3 = upload(v3);
  float *rho = zeros<float>(n), *pr = zeros<float>(n);
  sph_density<<<g, 128>>>(dp3, rho, pr);
  sph_force<<<g, 128>>>(dp3, dv3, rho, pr, f3);
  std::vector<float2> x(np), v(np);
  for (int i = 0; i < np; i++) {
    x[i] = make_float2(0.999f * rnd(), 0.999f * rnd());
    v[i] = make_float2(rnd() - 0.5f, rnd() - 0.5f);
  }
  float2 *dx = upload(x), *du = upload(v), *E = zeros<float2>(nx * nx);
  float *phi = random_floats(nx * nx, 0, 1), *q = random_floats(np, 1, 1),
        *rg = zeros<float>(nx * nx);
  efield<<<dim3((nx + 15) / 16, (nx + 15) / 16), dim3(16, 16)>>>(phi, E, nx, nx);
  pic_push<<<30, 128>>>(dx, du, E, -1, 0.01f, np, nx, nx);
  pic_deposit<<<(np + 127) / 128, 128>>>(dx, q, rg, np, nx, nx);
  boids<<<g, 128>>>(dp, dv, nv, n, 0.3f);
  float *fx = zeros<float>(n), *fy = zeros<float>(n), *rad = random_floats(n, 0.01f, 0.1f);
  dem_contacts<<<g, 128>>>(s.x, s.y, rad, fx, fy, n, 100);
  show("acc", acc, n);
  show("body", db, n);
  show("ax", s.ax, n);
  show("a4", a4, n);
  show("rho", rho, n);
  show("f3", f3, n);
  show("x", dx, np);
  show("E", E, nx * nx);
  show("boids", nv, n);
  show("fx", fx, n);
}
