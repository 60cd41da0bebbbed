// Monte Carlo: own generators, Ising, neutron cross sections, random walks, photons, pi, annealing.
#include "helpers.h"
struct Rng {
  unsigned s[4];
};
__host__ __device__ inline unsigned rotl(unsigned x, int k) { return (x << k) | (x >> (32 - k)); }
__device__ unsigned next_u(Rng *r)
{
  unsigned t = r->s[0] ^ (r->s[0] << 11);
  r->s[0] = r->s[1];
  r->s[1] = r->s[2];
  r->s[2] = r->s[3];
  r->s[3] = r->s[3] ^ (r->s[3] >> 19) ^ t ^ (t >> 8);
  return r->s[3];
}
__device__ float uniform(Rng *r) { return (next_u(r) >> 8) * (1.0f / 16777216.0f); }
__device__ inline unsigned lcg(unsigned &s) { return s = 1664525u * s + 1013904223u; }
__device__ float2 box_muller(Rng *r)
{
  float a = uniform(r) + 1e-7f, b = uniform(r), m = sqrtf(-2.0f * logf(a));
  return make_float2(m * cosf(6.2831853f * b), m * sinf(6.2831853f * b));
}
__global__ void seed_states(Rng *st, unsigned seed, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned z = seed + i * 0x9E3779B9u;
  for (int k = 0; k < 4; k++) {
    z ^= z >> 16;
    z *= 0x85ebca6bu;
    z ^= z >> 13;
    z *= 0xc2b2ae35u;
    z ^= z >> 16;
    st[i].s[k] = z | 1u;
  }
}
__global__ void mc_pi(Rng *states, unsigned long long *hits, int per, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Rng r = states[i];
  unsigned h = 0;
  for (int k = 0; k < per; k++) {
    float x = uniform(&r), y = uniform(&r);
    if (x * x + y * y <= 1.0f) h++;
  }
  states[i] = r;
  atomicAdd(hits, (unsigned long long)h);
}
__global__ void ising(signed char *spin, Rng *st, int L, float beta, int parity)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= L || y >= L || ((x + y) & 1) != parity) return;
  int id = y * L + x;
  int nn = spin[y * L + (x + 1) % L] + spin[y * L + (x + L - 1) % L] + spin[((y + 1) % L) * L + x] +
           spin[((y + L - 1) % L) * L + x];
  float dE = 2.0f * spin[id] * nn;
  Rng loc = st[id];
  if (dE <= 0 || uniform(&loc) < expf(-beta * dE)) spin[id] = -spin[id];
  st[id] = loc;
}
__global__ void magnetisation(const signed char *spin, int *m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(m, (int)spin[i]);
}
struct Nuclide {
  double energy, total, elastic, absorb, fission;
};
__device__ int grid_search(const double *__restrict__ a, int n, double v)
{
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] > v)
      hi = mid;
    else
      lo = mid;
  }
  return lo;
}
__device__ void micro_xs(double e, int nuc, const Nuclide *grid, int gp, int idx, double *xs)
{
  const Nuclide *lo = &grid[nuc * gp + idx];
  const Nuclide *hi = lo + 1;
  double f = (hi->energy - e) / (hi->energy - lo->energy);
  xs[0] = hi->total - f * (hi->total - lo->total);
  xs[1] = hi->elastic - f * (hi->elastic - lo->elastic);
  xs[2] = hi->absorb - f * (hi->absorb - lo->absorb);
  xs[3] = hi->fission - f * (hi->fission - lo->fission);
}
__global__ void xs_lookup(const double *egrid, const Nuclide *grid, const int *mats, const int *num,
                          const double *conc, int gp, int maxn, double *out, int lookups,
                          unsigned long long seed)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lookups) return;
  unsigned long long s = seed + 2862933555777941757ull * i;
  s = s * 2862933555777941757ull + 3037000493ull;
  double e = (double)(s >> 11) / 9007199254740992.0;
  s = s * 2862933555777941757ull + 3037000493ull;
  int mat = (int)((s >> 33) % 12);
  double macro[4] = {0, 0, 0, 0};
  int idx = grid_search(egrid, gp, e);
  for (int k = 0; k < num[mat]; k++) {
    double xs[4];
    micro_xs(e, mats[mat * maxn + k], grid, gp, idx, xs);
    for (int j = 0; j < 4; j++) macro[j] += xs[j] * conc[mat * maxn + k];
  }
  double best = -1;
  int w = 0;
  for (int j = 0; j < 4; j++)
    if (macro[j] > best) {
      best = macro[j];
      w = j;
    }
  out[i] = best + w;
}
__global__ void walk2d(int2 *end, unsigned *visits, int walkers, int steps, int half)
{
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < walkers; w += gridDim.x * blockDim.x) {
    unsigned s = w * 747796405u + 1u;
    int x = 0, y = 0;
    for (int t = 0; t < steps; t++) {
      unsigned d = lcg(s) >> 30;
      if (d == 0)
        x++;
      else if (d == 1)
        x--;
      else if (d == 2)
        y++;
      else
        y--;
      if (abs(x) < half && abs(y) < half) atomicAdd(&visits[(y + half) * 2 * half + x + half], 1u);
    }
    end[w] = make_int2(x, y);
  }
}
__global__ void diffusion_mc(Rng *st, float3 *pos, float *wgt, int n, int steps, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Rng r = st[i];
  float3 p = pos[i];
  float w = wgt[i];
  for (int k = 0; k < steps; k++) {
    float2 a = box_muller(&r), b = box_muller(&r);
    p.x += sqrtf(dt) * a.x;
    p.y += sqrtf(dt) * a.y;
    p.z += sqrtf(dt) * b.x;
    w *= expf(-dt * 0.5f * (p.x * p.x + p.y * p.y + p.z * p.z));
  }
  pos[i] = p;
  wgt[i] = w;
  st[i] = r;
}
__global__ void integrate(const float *coef, float *out, int nf, int samples)
{
  int f = blockIdx.x, t = threadIdx.x;
  __shared__ float part[256];
  float s = 0;
  unsigned u = 17u * t + 31u * f + 1u;
  for (int k = t; k < samples; k += blockDim.x) {
    float x = (lcg(u) >> 8) * (1.f / 16777216.f);
    s += coef[f * 4] + x * (coef[f * 4 + 1] + x * (coef[f * 4 + 2] + x * coef[f * 4 + 3]));
  }
  part[t] = s;
  __syncthreads();
  for (int d = blockDim.x >> 1; d; d >>= 1) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[f] = part[0] / samples;
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1024, per = argc > 2 ? atoi(argv[2]) : 20,
      L = argc > 3 ? atoi(argv[3]) : 32;
  int ns = n > L * L ? n : L * L;
  Rng *st = zeros<Rng>(ns);
  unsigned long long *hits = zeros<unsigned long long>(1);
  seed_states<<<(ns + 255) / 256, 256>>>(st, 77u, ns);
  mc_pi<<<(n + 255) / 256, 256>>>(st, hits, per, n);
  std::vector<signed char> sp(L * L);
  for (auto &x : sp) x = rnd() < 0.5f ? -1 : 1;
  signed char *ds = upload(sp);
  int *mg = zeros<int>(1);
  for (int t = 0; t < 2; t++)
    for (int p = 0; p < 2; p++)
      ising<<<dim3((L + 15) / 16, (L + 15) / 16), dim3(16, 16)>>>(ds, st, L, 0.44f, p);
  magnetisation<<<(L * L + 255) / 256, 256>>>(ds, mg, L * L);
  int gp = 500, nuc = 40, maxn = 20;
  std::vector<double> eg(gp);
  for (int i = 0; i < gp; i++) eg[i] = (double)i / (gp - 1);
  std::vector<Nuclide> gr(gp * nuc);
  for (int a = 0; a < nuc; a++)
    for (int i = 0; i < gp; i++) gr[a * gp + i] = {eg[i] + 1e-6 * a, rnd(), rnd(), rnd(), rnd()};
  std::vector<int> mt(12 * maxn), nm(12);
  std::vector<double> cc(12 * maxn);
  for (auto &x : mt) x = (int)(rnd() * nuc);
  for (auto &x : nm) x = 4 + (int)(rnd() * 15);
  for (auto &x : cc) x = rnd();
  double *xo = zeros<double>(n);
  auto *up6 = upload(eg);
  auto *up7 = upload(gr);
  auto *up8 = upload(mt);
  auto *up9 = upload(nm);
  auto *up10 = upload(cc);
  xs_lookup<<<(n + 127) / 128, 128>>>(up6, up7, up8, up9, up10, gp, maxn, xo, n, 42ull);
  int half = 64;
  int2 *en = zeros<int2>(n);
  unsigned *vis = zeros<unsigned>(4 * half * half);
  walk2d<<<20, 128>>>(en, vis, n, per * 4, half);
  std::vector<float3> ps(n, make_float3(0, 0, 0));
  float3 *dp = upload(ps);
  float *w = random_floats(n, 0.5f, 1);
  diffusion_mc<<<(n + 255) / 256, 256>>>(st, dp, w, n, per, 0.01f);
  int nf = 64;
  float *co = random_floats(nf * 4, -1, 1), *io = zeros<float>(nf);
  integrate<<<nf, 256>>>(co, io, nf, per * 100);
  show("hits", hits, 1);
  show("spin", ds, L * L);
  show("mag", mg, 1);
  show("xs", xo, n);
  show("end", en, n);
  show("vis", vis, 4 * half * half);
  show("pos", dp, n);
  show("w", w, n);
  show("st", st, ns);
  show("int", io, nf);
}
