// Reaction and diffusion, statistics, filters, evolution: Gray-Scott, all pairs, Kalman, particle
// filter, genetic algorithm, annealing.
#include "helpers.h"
namespace model
{
struct Params {
  float Du, Dv, F, k, dt;
};
__device__ __forceinline__ float lap(const float *f, int c, int l, int r, int d, int u)
{
  return f[l] + f[r] + f[d] + f[u] - 4.0f * f[c];
}
} // namespace model
__global__ void gray_scott(const float *u, const float *v, float *un, float *vn, int w, int h,
                           model::Params p)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int l = y * w + (x == 0 ? w - 1 : x - 1), r = y * w + (x == w - 1 ? 0 : x + 1),
      d = (y == 0 ? h - 1 : y - 1) * w + x, t = (y == h - 1 ? 0 : y + 1) * w + x, c = y * w + x;
  float uvv = u[c] * v[c] * v[c];
  un[c] = u[c] + p.dt * (p.Du * model::lap(u, c, l, r, d, t) - uvv + p.F * (1 - u[c]));
  vn[c] = v[c] + p.dt * (p.Dv * model::lap(v, c, l, r, d, t) + uvv - (p.F + p.k) * v[c]);
}
__global__ void fitzhugh(float *v, const float *vo, float *w, const unsigned char *mask, int nx,
                         int ny, float dt)
{
  int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix == 0 || iy == 0 || ix >= nx - 1 || iy >= ny - 1) return;
  int id = ix + iy * nx;
  if (!mask[id]) return;
  float lap = vo[id - 1] + vo[id + 1] + vo[id - nx] + vo[id + nx] - 4 * vo[id], q = vo[id];
  v[id] = q + dt * (lap + q * (1 - q) * (q - 0.1f) - w[id]);
  w[id] += dt * 0.01f * (0.5f * q - w[id]);
}
__global__ void moments(const float *data, float *mean, float *sd, int vars, int obs)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vars) return;
  float s = 0, q = 0;
  for (int o = 0; o < obs; o++) {
    float x = data[v * obs + o];
    s += x;
    q += x * x;
  }
  mean[v] = s / obs;
  sd[v] = sqrtf((q - s * s / obs) / (obs - 1));
}
__global__ void pearson(const float *data, const float *mean, const float *sd, float *r, int vars,
                        int obs)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= vars || j >= vars || j < i) return;
  float s = 0;
  for (int o = 0; o < obs; o++) s += (data[i * obs + o] - mean[i]) * (data[j * obs + o] - mean[j]);
  r[i * vars + j] = s / ((obs - 1) * sd[i] * sd[j]);
  r[j * vars + i] = r[i * vars + j];
}
__global__ void kde(const float *s, const float *at, float *out, int ns, int nq, float h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nq) {
    float a = 0;
    for (int j = 0; j < ns; j++) {
      float t = (at[i] - s[j]) / h;
      a += expf(-0.5f * t * t);
    }
    out[i] = a / (ns * h * 2.5066283f);
  }
}
__global__ void histogram2d(const float2 *p, int *h, int n, int bins)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = (int)(p[i].x * bins), y = (int)(p[i].y * bins);
    x = x < 0 ? 0 : (x >= bins ? bins - 1 : x);
    y = y < 0 ? 0 : (y >= bins ? bins - 1 : y);
    atomicAdd(&h[y * bins + x], 1);
  }
}
__global__ void spearman_rank(const float *d, float *rank, int n, int cols)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y;
  if (i >= n) return;
  int less = 0, same = 0;
  float v = d[c * n + i];
  for (int j = 0; j < n; j++) {
    if (d[c * n + j] < v)
      less++;
    else if (d[c * n + j] == v)
      same++;
  }
  rank[c * n + i] = less + 0.5f * (same + 1);
}
struct Kf {
  float x[2];
  float P[2][2];
};
__device__ void predict(Kf &k, float dt, float q)
{
  k.x[0] += dt * k.x[1];
  float p00 = k.P[0][0] + dt * (k.P[1][0] + k.P[0][1]) + dt * dt * k.P[1][1] + q,
        p01 = k.P[0][1] + dt * k.P[1][1], p10 = k.P[1][0] + dt * k.P[1][1];
  k.P[0][0] = p00;
  k.P[0][1] = p01;
  k.P[1][0] = p10;
  k.P[1][1] += q;
}
__device__ void update(Kf *k, float z, float r)
{
  float s = k->P[0][0] + r, g0 = k->P[0][0] / s, g1 = k->P[1][0] / s, y = z - k->x[0];
  k->x[0] += g0 * y;
  k->x[1] += g1 * y;
  float a = k->P[0][0], b = k->P[0][1];
  k->P[0][0] -= g0 * a;
  k->P[0][1] -= g0 * b;
  k->P[1][0] -= g1 * a;
  k->P[1][1] -= g1 * b;
}
__global__ void kalman(const float *z, float *out, int tracks, int steps)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tracks) return;
  Kf k;
  k.x[0] = z[t * steps];
  k.x[1] = 0;
  k.P[0][0] = k.P[1][1] = 1;
  k.P[0][1] = k.P[1][0] = 0;
  for (int s = 0; s < steps; s++) {
    predict(k, 0.1f, 0.01f);
    update(&k, z[t * steps + s], 0.5f);
    out[t * steps + s] = k.x[0];
  }
}
__global__ void likelihood(const float *px, const float *py, const unsigned char *img,
                           const int2 *off, float *w, int np, int no, int W, int H)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= np) return;
  float s = 0;
  for (int k = 0; k < no; k++) {
    int x = (int)px[i] + off[k].x, y = (int)py[i] + off[k].y;
    int c = abs(y * W + x);
    if (c >= W * H) c = 0;
    float a = img[c] - 100.0f, b = img[c] - 228.0f;
    s += (a * a - b * b) / 50.0f;
  }
  w[i] = expf(s / no * 1e-3f);
}
__global__ void resample(const float *cdf, const float *u, const float *x, float *xn, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = -1;
  for (int j = 0; j < n; j++)
    if (cdf[j] >= u[i]) {
      k = j;
      break;
    }
  if (k < 0) k = n - 1;
  xn[i] = x[k];
}
__global__ void ga_fitness(const float *pop, float *fit, int n, int dim)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *g = &pop[i * dim];
  float s = 0;
  for (int d = 0; d < dim - 1; d++) {
    float a = g[d + 1] - g[d] * g[d], b = 1 - g[d];
    s += 100 * a * a + b * b;
  }
  fit[i] = s;
}
__global__ void crossover(const float *pop, const int *mates, float *next, unsigned seed, int n,
                          int dim)
{
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= (unsigned)(n * dim)) return;
  int i = id / dim, d = id % dim;
  unsigned s = seed ^ (id * 2654435761u);
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  next[id] = (s & 1) ? pop[i * dim + d] : pop[mates[i] * dim + d];
  if ((s >> 8) % 50 == 0) next[id] += 0.01f;
}
__global__ void tsp_cost(const float *dist, const int *tours, float *cost, int nt, int nc)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < nt) {
    float c = 0;
    for (int k = 0; k < nc; k++) c += dist[tours[t * nc + k] * nc + tours[t * nc + (k + 1) % nc]];
    cost[t] = c;
  }
}
__global__ void anneal_swap(const float *dist, int *tours, float *cost, unsigned *rng, int nt,
                            int nc, float T)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= nt) return;
  unsigned s = rng[t];
  int *p = tours + t * nc;
  for (int k = 0; k < 4; k++) {
    s = s * 1103515245u + 12345u;
    int a = 1 + (s >> 8) % (nc - 2);
    float d0 = dist[p[a - 1] * nc + p[a]] + dist[p[a] * nc + p[a + 1]],
          d1 = dist[p[a + 1] * nc + p[a]] + dist[p[a - 1] * nc + p[a + 1]];
    if (d1 - d0 < T) {
      int q = p[a];
      p[a] = p[a + 1];
      p[a + 1] = q;
      cost[t] += d1 - d0;
    }
  }
  rng[t] = s;
}
__global__ void pso(float *x, float *v, const float *pb, const float *gb, const float *r1,
                    const float *r2, int n, int dim)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, d = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && d < dim) {
    int k = i * dim + d;
    v[k] = 0.7f * v[k] + 1.4f * r1[k] * (pb[k] - x[k]) + 1.4f * r2[k] * (gb[d] - x[k]);
    x[k] += v[k];
  }
}
__global__ void mutual_info(const unsigned char *a, float *mi, int vars, int obs)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= vars || j >= vars) return;
  int h[4][4];
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) h[p][q] = 0;
  for (int o = 0; o < obs; o++) h[a[i * obs + o]][a[j * obs + o]]++;
  float s = 0;
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) {
      float f = (float)h[p][q] / obs;
      int r = 0, c = 0;
      for (int k = 0; k < 4; k++) {
        r += h[p][k];
        c += h[k][q];
      }
      if (f > 0) s += f * logf(f * obs * obs / ((float)r * c));
    }
  mi[i * vars + j] = s;
}
__global__ void dtw(const float *a, const float *b, float *out, int pairs, int len)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  float row[65];
  for (int j = 0; j <= len; j++) row[j] = 1e30f;
  row[0] = 0;
  for (int i = 0; i < len; i++) {
    float diag = row[0];
    row[0] = 1e30f;
    for (int j = 1; j <= len; j++) {
      float c = fabsf(a[p * len + i] - b[p * len + j - 1]), up = row[j];
      row[j] = c + fminf(diag, fminf(up, row[j - 1]));
      diag = up;
    }
  }
  out[p] = row[len];
}
__global__ void autocorr(const float *x, float *r, int n, int lags)
{
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l < lags) {
    float s = 0;
    for (int i = 0; i < n - l; i++) s += x[i] * x[i + l];
    r[l] = s / n;
  }
}
__global__ void moving_avg(const float *x, float *y, int n, int win)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  int c = 0;
  for (int k = -win; k <= win; k++) {
    int j = i + k;
    if (j >= 0 && j < n) {
      s += x[j];
      c++;
    }
  }
  y[i] = s / c;
}
int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 64, vars = argc > 2 ? atoi(argv[2]) : 40,
      obs = argc > 3 ? atoi(argv[3]) : 60, n = argc > 4 ? atoi(argv[4]) : 512;
  int h = w;
  size_t px = (size_t)w * h;
  dim3 b(16, 16), g((w + 15) / 16, (h + 15) / 16), gv((vars + 15) / 16, (vars + 15) / 16);
  int gn = (n + 127) / 128;
  float *u = random_floats(px, 0, 1), *v = random_floats(px, 0, 1), *un = zeros<float>(px),
        *vn = zeros<float>(px), *fv = random_floats(px, 0, 1), *fo = random_floats(px, 0, 1),
        *fw = random_floats(px, 0, 1);
  std::vector<unsigned char> mk(px);
  for (auto &x : mk) x = rnd() < 0.9f;
  unsigned char *dm = upload(mk);
  model::Params p = {0.16f, 0.08f, 0.035f, 0.065f, 1};
  for (int t = 0; t < 2; t++) {
    gray_scott<<<g, b>>>(u, v, un, vn, w, h, p);
    std::swap(u, un);
    std::swap(v, vn);
    fitzhugh<<<g, b>>>(fv, fo, fw, dm, w, h, 0.1f);
    std::swap(fv, fo);
  }
  float *d = random_floats((size_t)vars * obs, 0, 1), *mean = zeros<float>(vars),
        *sd = zeros<float>(vars), *r = zeros<float>((size_t)vars * vars);
  moments<<<(vars + 63) / 64, 64>>>(d, mean, sd, vars, obs);
  pearson<<<gv, b>>>(d, mean, sd, r, vars, obs);
  float *sa = random_floats(n, 0, 1), *qa = random_floats(n, 0, 1), *ko = zeros<float>(n),
        *rk = zeros<float>((size_t)n * 4), *rd = random_floats((size_t)n * 4, 0, 1);
  kde<<<gn, 128>>>(sa, qa, ko, n, n, 0.1f);
  spearman_rank<<<dim3(gn, 4), 128>>>(rd, rk, n, 4);
  std::vector<float2> pp(n * 8);
  for (auto &x : pp) x = make_float2(rnd(), rnd());
  int *h2 = zeros<int>(1024);
  auto *up11 = upload(pp);
  histogram2d<<<(n * 8 + 127) / 128, 128>>>(up11, h2, n * 8, 32);
  float *z = random_floats((size_t)n * obs, 0, 1), *ka = zeros<float>((size_t)n * obs);
  kalman<<<gn, 128>>>(z, ka, n, obs);
  std::vector<unsigned char> im(px);
  for (auto &x : im) x = (unsigned char)(rnd() * 255);
  std::vector<int2> of(40);
  for (auto &x : of) x = make_int2((int)(rnd() * 10) - 5, (int)(rnd() * 10) - 5);
  float *lx = random_floats(n, 0, w), *ly = random_floats(n, 0, h), *lw = zeros<float>(n);
  auto *up12 = upload(im);
  auto *up13 = upload(of);
  likelihood<<<gn, 128>>>(lx, ly, up12, up13, lw, n, 40, w, h);
  std::vector<float> cd(n);
  for (int i = 0; i < n; i++) cd[i] = (i + 1.0f) / n;
  float *xn = zeros<float>(n);
  auto *up14 = upload(cd);
  resample<<<gn, 128>>>(up14, qa, lx, xn, n);
  int dim = 16;
  float *pop = random_floats((size_t)n * dim, -1, 1), *nx = zeros<float>((size_t)n * dim),
        *fit = zeros<float>(n);
  std::vector<int> mt(n);
  for (auto &x : mt) x = (int)(rnd() * n);
  ga_fitness<<<gn, 128>>>(pop, fit, n, dim);
  auto *up15 = upload(mt);
  crossover<<<(n * dim + 127) / 128, 128>>>(pop, up15, nx, 5u, n, dim);
  int nc = 32;
  std::vector<int> to((size_t)n * nc);
  for (int t = 0; t < n; t++)
    for (int k = 0; k < nc; k++) to[t * nc + k] = (k * 5 + t) % nc;
  int *tt = upload(to);
  std::vector<unsigned> rg(n);
  for (auto &x : rg) x = (unsigned)(rnd() * 4e9f);
  float *di = random_floats(nc * nc, 0, 1), *co = zeros<float>(n);
  tsp_cost<<<gn, 128>>>(di, tt, co, n, nc);
  auto *up16 = upload(rg);
  anneal_swap<<<gn, 128>>>(di, tt, co, up16, n, nc, 0.1f);
  float *vel = zeros<float>((size_t)n * dim), *gb = random_floats(dim, 0, 1),
        *r1 = random_floats((size_t)n * dim, 0, 1);
  pso<<<dim3(1, (n + 15) / 16), dim3(16, 16)>>>(pop, vel, nx, gb, r1, r1, n, dim);
  std::vector<unsigned char> ct((size_t)vars * obs);
  for (auto &x : ct) x = (unsigned char)(rnd() * 4);
  float *mi = zeros<float>((size_t)vars * vars);
  auto *up17 = upload(ct);
  mutual_info<<<gv, b>>>(up17, mi, vars, obs);
  float *da = random_floats((size_t)n * 64, 0, 1), *db = random_floats((size_t)n * 64, 0, 1),
        *dt = zeros<float>(n), *ac = zeros<float>(64), *ma = zeros<float>(n);
  dtw<<<gn, 128>>>(da, db, dt, n, 64);
  autocorr<<<1, 64>>>(sa, ac, n, 64);
  moving_avg<<<gn, 128>>>(sa, ma, n, 5);
  show("u", u, px);
  show("v", v, px);
  show("fv", fo, px);
  show("fw", fw, px);
  show("r", r, (size_t)vars * vars);
  show("kde", ko, n);
  show("rank", rk, (size_t)n * 4);
  show("h2", h2, 1024);
  show("kal", ka, (size_t)n * obs);
  show("lw", lw, n);
  show("xn", xn, n);
  show("fit", fit, n);
  show("nx", nx, (size_t)n * dim);
  show("co", co, n);
  show("tour", tt, (size_t)n * nc);
  show("pop", pop, (size_t)n * dim);
  show("mi", mi, (size_t)vars * vars);
  show("dtw", dt, n);
  show("ac", ac, 64);
  show("ma", ma, n);
}
