// Finite elements and volumes: gather, scatter, matrix-free operators, unstructured fluxes, mass
// lumping, quadrature, colouring.
#include "helpers.h"
#define NVAR 5
__constant__ double shape[4][4];
__constant__ double dshape[4][4][2];
__constant__ float ff[NVAR];
__global__ void gather_q4(const int *conn, const double *u, double *ue, int ne)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < ne)
    for (int a = 0; a < 4; a++) ue[a * ne + e] = u[conn[a * ne + e]];
}
__global__ void stiffness(const int *conn, const double2 *xy, double *ke, int ne, double kappa)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= ne) return;
  double2 x[4];
  double k[4][4];
  for (int a = 0; a < 4; a++) {
    x[a] = xy[conn[a * ne + e]];
    for (int b = 0; b < 4; b++) k[a][b] = 0;
  }
  for (int q = 0; q < 4; q++) {
    double j00 = 0, j01 = 0, j10 = 0, j11 = 0;
    for (int a = 0; a < 4; a++) {
      j00 += dshape[q][a][0] * x[a].x;
      j01 += dshape[q][a][0] * x[a].y;
      j10 += dshape[q][a][1] * x[a].x;
      j11 += dshape[q][a][1] * x[a].y;
    }
    double det = j00 * j11 - j01 * j10, gx[4], gy[4];
    for (int a = 0; a < 4; a++) {
      gx[a] = (j11 * dshape[q][a][0] - j01 * dshape[q][a][1]) / det;
      gy[a] = (-j10 * dshape[q][a][0] + j00 * dshape[q][a][1]) / det;
    }
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) k[a][b] += kappa * det * (gx[a] * gx[b] + gy[a] * gy[b]);
  }
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) ke[(a * 4 + b) * ne + e] = k[a][b];
}
__global__ void apply_elements(const double *ke, const double *ue, double *re, int ne)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x, a = blockIdx.y;
  if (e >= ne) return;
  double s = 0;
  for (int b = 0; b < 4; b++) s += ke[(a * 4 + b) * ne + e] * ue[b * ne + e];
  re[a * ne + e] = s;
}
__global__ void scatter_nodes(const int *noff, const int *nelem, const double *re, double *r,
                              int nn)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nn) {
    double s = 0;
    for (int k = noff[v]; k < noff[v + 1]; k++) s += re[nelem[k]];
    r[v] = s;
  }
}
__global__ void scatter_atomic(const int *conn, const float *re, float *r, int ne)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= ne) return;
  for (int a = 0; a < 4; a++) atomicAdd(&r[conn[a * ne + e]], re[a * ne + e]);
}
__device__ inline void velocity(float rho, float3 mom, float3 &v)
{
  v.x = mom.x / rho;
  v.y = mom.y / rho;
  v.z = mom.z / rho;
}
__device__ inline float pressure(float rho, float e, const float3 &v)
{
  return 0.4f * (e - 0.5f * rho * (v.x * v.x + v.y * v.y + v.z * v.z));
}
__device__ inline void fluxes(float &rho, float3 &m, float &e, float p, float3 &v, float3 &fx,
                              float3 &fy, float3 &fz, float3 &fe)
{
  fx.x = v.x * m.x + p;
  fx.y = v.x * m.y;
  fx.z = v.x * m.z;
  fy.x = fx.y;
  fy.y = v.y * m.y + p;
  fy.z = v.y * m.z;
  fz.x = fx.z;
  fz.y = fy.z;
  fz.z = v.z * m.z + p;
  float d = e + p;
  fe.x = v.x * d;
  fe.y = v.y * d;
  fe.z = v.z * d;
}
__global__ void euler_flux(int n, const int *nb, const float *nrm, const float *var, float *flux)
{
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float rho = var[i], e = var[i + 4 * n];
  float3 m;
  m.x = var[i + n];
  m.y = var[i + 2 * n];
  m.z = var[i + 3 * n];
  float3 v;
  velocity(rho, m, v);
  float p = pressure(rho, e, v);
  float3 fx, fy, fz, fe;
  fluxes(rho, m, e, p, v, fx, fy, fz, fe);
  float fr = 0, fen = 0;
  float3 fm = {0, 0, 0};
  for (int j = 0; j < 4; j++) {
    int k = nb[i + j * n];
    float3 nn;
    nn.x = nrm[i + (j * 3) * n];
    nn.y = nrm[i + (j * 3 + 1) * n];
    nn.z = nrm[i + (j * 3 + 2) * n];
    if (k >= 0) {
      float r2 = var[k], e2 = var[k + 4 * n];
      float3 m2;
      m2.x = var[k + n];
      m2.y = var[k + 2 * n];
      m2.z = var[k + 3 * n];
      float3 v2;
      velocity(r2, m2, v2);
      float p2 = pressure(r2, e2, v2);
      float3 gx, gy, gz, ge;
      fluxes(r2, m2, e2, p2, v2, gx, gy, gz, ge);
      float f = 0.5f * nn.x;
      fr += f * (m2.x + m.x);
      fen += f * (ge.x + fe.x);
      fm.x += f * (gx.x + fx.x);
      fm.y += f * (gy.x + fy.x);
      fm.z += f * (gz.x + fz.x);
      f = 0.5f * nn.y;
      fr += f * (m2.y + m.y);
      fen += f * (ge.y + fe.y);
      fm.x += f * (gx.y + fx.y);
      fm.y += f * (gy.y + fy.y);
      fm.z += f * (gz.y + fz.y);
    } else if (k == -1) {
      fm.x += nn.x * p;
      fm.y += nn.y * p;
      fm.z += nn.z * p;
    } else {
      float f = 0.5f * nn.x;
      fr += f * (ff[1] + m.x);
      fen += f * (ff[4] + fe.x);
    }
  }
  flux[i] = fr;
  flux[i + n] = fm.x;
  flux[i + 2 * n] = fm.y;
  flux[i + 3 * n] = fm.z;
  flux[i + 4 * n] = fen;
}
__global__ void time_step(int j, int n, const float *old, float *var, const float *sf,
                          const float *flux)
{
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float f = sf[i] / (float)(4 - j);
  for (int k = 0; k < NVAR; k++) var[i + k * n] = old[i + k * n] + f * flux[i + k * n];
}
__global__ void edge_flux(const int2 *edge, const float2 *nrm, const float4 *q, float4 *f, int ne)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= ne) return;
  const float4 L = q[edge[e].x], Rr = q[edge[e].y];
  float un = 0.5f * ((L.y / L.x + Rr.y / Rr.x) * nrm[e].x + (L.z / L.x + Rr.z / Rr.x) * nrm[e].y);
  f[e] = un > 0 ? make_float4(un * L.x, un * L.y, un * L.z, un * L.w)
                : make_float4(un * Rr.x, un * Rr.y, un * Rr.z, un * Rr.w);
}
// tensor product operator: D along x, y, z of order 8 elements, a block an element
#define P 8
__global__ void sem_gradient(const double *__restrict__ u, const double *__restrict__ D, double *gx,
                             double *gy, double *gz)
{
  int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, e = blockIdx.x;
  size_t o = (size_t)e * P * P * P;
  double a = 0, b = 0, c = 0;
  for (int m = 0; m < P; m++) {
    a += D[i * P + m] * u[o + (k * P + j) * P + m];
    b += D[j * P + m] * u[o + (k * P + m) * P + i];
    c += D[k * P + m] * u[o + (m * P + j) * P + i];
  }
  gx[o + (k * P + j) * P + i] = a;
  gy[o + (k * P + j) * P + i] = b;
  gz[o + (k * P + j) * P + i] = c;
}
__global__ void lumped_mass(const double2 *xy, const int *conn, double *area, int ne)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= ne) return;
  double2 a = xy[conn[e]], b = xy[conn[ne + e]], c = xy[conn[2 * ne + e]], d = xy[conn[3 * ne + e]];
  area[e] = 0.5 * fabs((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y));
}
__global__ void dg_volume(const float *Dr, const float *u, const float *rx, float *rhs, int K,
                          int Np)
{
  int n = threadIdx.x, k = blockIdx.x;
  if (n >= Np) return;
  float s = 0;
  for (int m = 0; m < Np; m++) s += Dr[n * Np + m] * u[k * Np + m];
  rhs[k * Np + n] = -rx[k] * s;
}
int main(int argc, char **argv)
{
  int m = argc > 1 ? atoi(argv[1]) : 24, nel = argc > 2 ? atoi(argv[2]) : 20,
      K = argc > 3 ? atoi(argv[3]) : 50;
  int ne = m * m, nn = (m + 1) * (m + 1);
  double sh[4][4], ds[4][4][2];
  for (auto &r : sh)
    for (auto &x : r) x = rnd();
  for (auto &q : ds)
    for (auto &r : q)
      for (auto &x : r) x = rnd() - 0.5;
  cudaMemcpyToSymbol(shape, sh, sizeof sh);
  cudaMemcpyToSymbol(dshape, ds, sizeof ds);
  float hf[5] = {1.4f, 1.2f, 0.1f, 0, 3};
  cudaMemcpyToSymbol(ff, hf, sizeof hf);
  std::vector<int> cn(4 * ne);
  std::vector<double2> xy(nn);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      int e = i * m + j, v = i * (m + 1) + j;
      cn[e] = v;
      cn[ne + e] = v + 1;
      cn[2 * ne + e] = v + m + 2;
      cn[3 * ne + e] = v + m + 1;
    }
  for (auto &x : xy) x = make_double2(rnd(), rnd());
  std::vector<std::vector<int>> inc(nn);
  for (int a = 0; a < 4; a++)
    for (int e = 0; e < ne; e++) inc[cn[a * ne + e]].push_back(a * ne + e);
  std::vector<int> no(nn + 1, 0), nl;
  for (int v = 0; v < nn; v++) {
    for (int x : inc[v]) nl.push_back(x);
    no[v + 1] = (int)nl.size();
  }
  int *c = upload(cn);
  double2 *x = upload(xy);
  std::vector<double> uv(nn);
  for (auto &q : uv) q = rnd();
  double *u = upload(uv), *ue = zeros<double>(4 * ne), *ke = zeros<double>(16 * ne),
         *re = zeros<double>(4 * ne), *r = zeros<double>(nn), *ar = zeros<double>(ne);
  int g = (ne + 127) / 128;
  gather_q4<<<g, 128>>>(c, u, ue, ne);
  stiffness<<<g, 128>>>(c, x, ke, ne, 2.0);
  apply_elements<<<dim3(g, 4), 128>>>(ke, ue, re, ne);
  auto *up21 = upload(no);
  auto *up22 = upload(nl);
  scatter_nodes<<<(nn + 127) / 128, 128>>>(up21, up22, re, r, nn);
  lumped_mass<<<g, 128>>>(x, c, ar, ne);
  float *ref = random_floats(4 * ne, 1, 1), *ra = zeros<float>(nn);
  scatter_atomic<<<g, 128>>>(c, ref, ra, ne);
  std::vector<int> nb(4 * ne);
  for (int e = 0; e < ne; e++)
    for (int a = 0; a < 4; a++) {
      int o[4] = {-1, 1, -m, m};
      int k = e + o[a];
      nb[a * ne + e] = k < 0 ? -1 : k >= ne ? -2 : k;
    }
  int *dn = upload(nb);
  float *nr = random_floats(12 * ne, -1, 1), *var = random_floats(5 * ne, 1, 2),
        *old = random_floats(5 * ne, 1, 2), *fl = zeros<float>(5 * ne),
        *sf = random_floats(ne, 0, 0.01f);
  for (int j = 0; j < 3; j++) {
    euler_flux<<<g, 128>>>(ne, dn, nr, var, fl);
    time_step<<<g, 128>>>(j, ne, old, var, sf, fl);
  }
  std::vector<int2> ed(2 * ne);
  std::vector<float2> en(2 * ne);
  std::vector<float4> qq(ne);
  for (auto &q : ed) q = make_int2((int)(rnd() * ne), (int)(rnd() * ne));
  for (auto &q : en) q = make_float2(rnd() - 0.5f, rnd() - 0.5f);
  for (auto &q : qq) q = make_float4(1 + rnd(), rnd(), rnd(), rnd());
  float4 *ef = zeros<float4>(2 * ne);
  auto *up23 = upload(ed);
  auto *up24 = upload(en);
  auto *up25 = upload(qq);
  edge_flux<<<(2 * ne + 127) / 128, 128>>>(up23, up24, up25, ef, 2 * ne);
  std::vector<double> us((size_t)nel * 512), D(64);
  for (auto &q : us) q = rnd();
  for (auto &q : D) q = rnd();
  size_t s = (size_t)nel * 512;
  double *gx = zeros<double>(s), *gy = zeros<double>(s), *gz = zeros<double>(s);
  auto *up26 = upload(us);
  auto *up27 = upload(D);
  sem_gradient<<<nel, dim3(P, P, P)>>>(up26, up27, gx, gy, gz);
  int Np = 20;
  float *Dr = random_floats(Np * Np, -1, 1), *du = random_floats(K * Np, 0, 1),
        *rx = random_floats(K, 0, 1), *rh = zeros<float>(K * Np);
  dg_volume<<<K, 32>>>(Dr, du, rx, rh, K, Np);
  show("ke", ke, 16 * ne);
  show("r", r, nn);
  show("ra", ra, nn);
  show("area", ar, ne);
  show("var", var, 5 * ne);
  show("ef", ef, 2 * ne);
  show("gx", gx, s);
  show("gy", gy, s);
  show("gz", gz, s);
  show("dg", rh, K * Np);
}
