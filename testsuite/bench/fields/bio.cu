// Biology: epistasis, Smith-Waterman, k-mers, HMM, phylogenetic likelihood, neurons, populations,
// GC content.
#include "helpers.h"
typedef unsigned long long u64;
typedef unsigned char u8;
typedef unsigned int uint;
// pairs of markers, genotypes in bit planes: [marker][plane][word]
__global__ void epistasis(const uint *zeros_, const uint *ones, float *score, int snps, int w0,
                          int w1)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= snps || j >= snps || j <= i) return;
  uint f0[9], f1[9];
  for (int k = 0; k < 9; k++) f0[k] = f1[k] = 0;
  for (int p = 0; p < w0; p++) {
    uint a0 = zeros_[(i * 2 + 0) * w0 + p], a1 = zeros_[(i * 2 + 1) * w0 + p], a2 = ~(a0 | a1),
         b0 = zeros_[(j * 2 + 0) * w0 + p], b1 = zeros_[(j * 2 + 1) * w0 + p], b2 = ~(b0 | b1);
    f0[0] += __popc(a0 & b0);
    f0[1] += __popc(a0 & b1);
    f0[2] += __popc(a0 & b2);
    f0[3] += __popc(a1 & b0);
    f0[4] += __popc(a1 & b1);
    f0[5] += __popc(a1 & b2);
    f0[6] += __popc(a2 & b0);
    f0[7] += __popc(a2 & b1);
    f0[8] += __popc(a2 & b2);
  }
  for (int p = 0; p < w1; p++) {
    uint a0 = ones[(i * 2 + 0) * w1 + p], a1 = ones[(i * 2 + 1) * w1 + p], a2 = ~(a0 | a1),
         b0 = ones[(j * 2 + 0) * w1 + p], b1 = ones[(j * 2 + 1) * w1 + p], b2 = ~(b0 | b1);
    f1[0] += __popc(a0 & b0);
    f1[1] += __popc(a0 & b1);
    f1[2] += __popc(a0 & b2);
    f1[3] += __popc(a1 & b0);
    f1[4] += __popc(a1 & b1);
    f1[5] += __popc(a1 & b2);
    f1[6] += __popc(a2 & b0);
    f1[7] += __popc(a2 & b1);
    f1[8] += __popc(a2 & b2);
  }
  float s = 0;
  for (int k = 0; k < 9; k++) {
    float x = (float)f0[k], y = (float)f1[k];
    s += (x - y) * (x - y) / (x + y + 1.0f);
  }
  score[i * snps + j] = s;
}
__global__ void sw_diagonal(const char *a, const char *b, int *H, int *E, int *F, int n, int m,
                            int diag, int open, int ext)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, lo = max(1, diag - m), i = lo + t, j = diag - i;
  if (i > n || j < 1) return;
  int W = m + 1, c = i * W + j;
  E[c] = max(E[c - 1] - ext, H[c - 1] - open);
  F[c] = max(F[c - W] - ext, H[c - W] - open);
  int s = H[c - W - 1] + (a[i - 1] == b[j - 1] ? 5 : -3);
  H[c] = max(max(0, s), max(E[c], F[c]));
}
#define MAXQ 64
__global__ void sw_batch(const char *query, const char *db, int *best, int nq, int len, int nseq)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= nseq) return;
  int row[MAXQ + 1], top = 0;
  for (int k = 0; k <= nq; k++) row[k] = 0;
  for (int i = 0; i < len; i++) {
    int diag = 0;
    char c = db[s * len + i];
    for (int k = 1; k <= nq; k++) {
      int up = row[k], v = diag + (query[k - 1] == c ? 2 : -1);
      v = max(v, max(up - 2, row[k - 1] - 2));
      v = max(v, 0);
      diag = up;
      row[k] = v;
      top = max(top, v);
    }
  }
  best[s] = top;
}
__device__ int code(char c)
{
  switch (c) {
  case 'A': return 0;
  case 'C': return 1;
  case 'G': return 2;
  case 'T': return 3;
  default: return -1;
  }
}
__global__ void kmer_count(const char *seq, uint *counts, int n, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + k > n) return;
  uint h = 0;
  for (int j = 0; j < k; j++) {
    int c = code(seq[i + j]);
    if (c < 0) return;
    h = (h << 2) | c;
  }
  atomicAdd(&counts[h], 1);
}
__global__ void gc_windows(const char *seq, float *gc, int n, int win)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n - win) return;
  int c = 0;
  for (int j = 0; j < win; j++) {
    char x = seq[i + j];
    if (x == 'G' || x == 'C') c++;
  }
  gc[i] = (float)c / win;
}
__global__ void hmm_forward(const float *A, const float *B, const int *obs, const float *prev,
                            float *cur, int ns, int t)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < ns) {
    float sum = 0;
    for (int q = 0; q < ns; q++) sum += prev[q] * A[q * ns + s];
    cur[s] = sum * B[s * 4 + obs[t]];
  }
}
// likelihood of sites, 4 states x 4 rate classes
__global__ void partials(const double *pl, const double *pr, const double *ml, const double *mr,
                         double *out, int sites)
{
  int site = blockIdx.x * blockDim.y + threadIdx.y, st = threadIdx.x & 3, cat = threadIdx.x >> 2;
  if (site >= sites) return;
  double a = 0, b = 0;
  for (int k = 0; k < 4; k++) {
    a += ml[(cat * 4 + st) * 4 + k] * pl[(site * 4 + cat) * 4 + k];
    b += mr[(cat * 4 + st) * 4 + k] * pr[(site * 4 + cat) * 4 + k];
  }
  out[(site * 4 + cat) * 4 + st] = a * b;
}
__global__ void site_likelihood(const double *p, const double *freq, double *lnl, int sites)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sites) return;
  double l = 0;
  for (int c = 0; c < 4; c++)
    for (int k = 0; k < 4; k++) l += 0.25 * freq[k] * p[(s * 4 + c) * 4 + k];
  lnl[s] = log(l);
}
struct HH {
  float v, m, h, n;
};
__device__ inline void rates(float v, float &am, float &bm, float &ah, float &bh, float &an,
                             float &bn)
{
  am = 0.1f * (v + 40.0f) / (1.0f - expf(-(v + 40.0f) / 10.0f) + 1e-6f);
  bm = 4.0f * expf(-(v + 65.0f) / 18.0f);
  ah = 0.07f * expf(-(v + 65.0f) / 20.0f);
  bh = 1.0f / (1.0f + expf(-(v + 35.0f) / 10.0f));
  an = 0.01f * (v + 55.0f) / (1.0f - expf(-(v + 55.0f) / 10.0f) + 1e-6f);
  bn = 0.125f * expf(-(v + 65.0f) / 80.0f);
}
__global__ void hodgkin_huxley(HH *cells, const float *I, int n, int steps, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  HH s = cells[i];
  float cur = I[i];
  for (int k = 0; k < steps; k++) {
    float am, bm, ah, bh, an, bn;
    rates(s.v, am, bm, ah, bh, an, bn);
    float ina = 120.0f * s.m * s.m * s.m * s.h * (s.v - 50.0f),
          ik = 36.0f * s.n * s.n * s.n * s.n * (s.v + 77.0f), il = 0.3f * (s.v + 54.4f);
    s.v += dt * (cur - ina - ik - il);
    s.m += dt * (am * (1 - s.m) - bm * s.m);
    s.h += dt * (ah * (1 - s.h) - bh * s.h);
    s.n += dt * (an * (1 - s.n) - bn * s.n);
  }
  cells[i] = s;
}
__global__ void lif_network(float *v, const u8 *spiked, u8 *next, const float *W, int *refr, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float in = 0;
  for (int j = 0; j < n; j++)
    if (spiked[j]) in += W[i * n + j];
  if (refr[i] > 0) {
    refr[i]--;
    next[i] = 0;
    return;
  }
  v[i] += 0.1f * (-v[i]) + in;
  if (v[i] > 1.0f) {
    v[i] = 0;
    refr[i] = 3;
    next[i] = 1;
  } else
    next[i] = 0;
}
__global__ void lotka(float2 *pop, const float4 *par, int n, int steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 p = pop[i];
    float4 q = par[i];
    for (int k = 0; k < steps; k++) {
      float dx = p.x * (q.x - q.y * p.y), dy = p.y * (q.z * p.x - q.w);
      p.x += 0.01f * dx;
      p.y += 0.01f * dy;
    }
    pop[i] = p;
  }
}
__global__ void pairwise_p(const char *aln, int *diff, int n, int len)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  int d = 0;
  for (int k = 0; k < len; k++) d += aln[i * len + k] != aln[j * len + k];
  diff[i * n + j] = d;
}
int main(int argc, char **argv)
{
  int snps = argc > 1 ? atoi(argv[1]) : 48, n = argc > 2 ? atoi(argv[2]) : 600,
      q = argc > 3 ? atoi(argv[3]) : 100;
  int w = 20;
  std::vector<uint> g0((size_t)snps * 2 * w), g1((size_t)snps * 2 * w);
  for (size_t i = 0; i < g0.size(); i++) {
    g0[i] = (uint)(rnd() * 4e9f);
    g1[i] = (uint)(rnd() * 4e9f);
  }
  float *sc = zeros<float>((size_t)snps * snps);
  auto *up18 = upload(g0);
  auto *up19 = upload(g1);
  epistasis<<<dim3((snps + 15) / 16, (snps + 15) / 16), dim3(16, 16)>>>(up18, up19, sc, snps, w, w);
  std::vector<char> s(n), t(n);
  for (auto &x : s) x = "ACGT"[(int)(rnd() * 4)];
  for (auto &x : t) x = "ACGT"[(int)(rnd() * 4)];
  char *ds = upload(s), *dt = upload(t);
  int m = n < 2000 ? n : 2000;
  size_t hm = (size_t)(m + 1) * (m + 1);
  int *H = zeros<int>(hm), *E = zeros<int>(hm), *F = zeros<int>(hm);
  for (int d = 2; d <= 2 * m; d++)
    sw_diagonal<<<(m + 127) / 128, 128>>>(ds, dt, H, E, F, m, m, d, 4, 1);
  int len = 50, nseq = n / len;
  int *best = zeros<int>(nseq);
  sw_batch<<<(nseq + 63) / 64, 64>>>(dt, ds, best, 40, len, nseq);
  uint *kc = zeros<uint>(4096);
  kmer_count<<<(n + 255) / 256, 256>>>(ds, kc, n, 6);
  float *gc = zeros<float>(n);
  gc_windows<<<(n + 255) / 256, 256>>>(ds, gc, n, 40);
  int ns = q;
  float *A = random_floats((size_t)ns * ns, 0, 0.02f), *B = random_floats(ns * 4, 0, 1),
        *f0 = random_floats(ns, 0, 1), *f1 = zeros<float>(ns);
  std::vector<int> ob(20);
  for (auto &x : ob) x = (int)(rnd() * 4);
  int *dob = upload(ob);
  for (int k = 0; k < 4; k++) {
    hmm_forward<<<(ns + 63) / 64, 64>>>(A, B, dob, f0, f1, ns, k);
    std::swap(f0, f1);
  }
  std::vector<double> pl((size_t)n * 16), ml(64);
  for (auto &x : pl) x = rnd();
  for (auto &x : ml) x = rnd();
  double *dpl = upload(pl), *dml = upload(ml), *po = zeros<double>((size_t)n * 16),
         *ln = zeros<double>(n);
  partials<<<(n + 15) / 16, dim3(16, 16)>>>(dpl, dpl, dml, dml, po, n);
  site_likelihood<<<(n + 127) / 128, 128>>>(po, dml, ln, n);
  std::vector<HH> hh(n);
  for (auto &x : hh) x = {-65 + rnd(), 0.05f, 0.6f, 0.32f};
  HH *dh = upload(hh);
  float *I = random_floats(n, 0, 10);
  hodgkin_huxley<<<(n + 127) / 128, 128>>>(dh, I, n, 20, 0.01f);
  float *v = random_floats(q, 0, 1.1f), *W = random_floats((size_t)q * q, -0.1f, 0.1f);
  int *rf = zeros<int>(q);
  std::vector<u8> sp(q);
  for (auto &x : sp) x = rnd() < 0.3f;
  u8 *s0 = upload(sp), *s1 = upload(sp);
  for (int k = 0; k < 3; k++) {
    lif_network<<<(q + 63) / 64, 64>>>(v, s0, s1, W, rf, q);
    std::swap(s0, s1);
  }
  std::vector<float2> pp(n);
  std::vector<float4> pq(n);
  for (int i = 0; i < n; i++) {
    pp[i] = make_float2(1 + rnd(), 1 + rnd());
    pq[i] = make_float4(1, 0.5f, 0.3f, 1 + rnd());
  }
  float2 *dpp = upload(pp);
  auto *up20 = upload(pq);
  lotka<<<(n + 127) / 128, 128>>>(dpp, up20, n, 30);
  int na = q < n / 40 ? q : n / 40;
  int *df = zeros<int>((size_t)na * na);
  pairwise_p<<<dim3((na + 15) / 16, (na + 15) / 16), dim3(16, 16)>>>(ds, df, na, 40);
  show("epi", sc, (size_t)snps * snps);
  show("H", H, hm);
  show("best", best, nseq);
  show("kmer", kc, 4096);
  show("gc", gc, n);
  show("hmm", f0, ns);
  show("part", po, (size_t)n * 16);
  show("lnl", ln, n);
  show("hh", dh, n);
  show("lif", v, q);
  show("pop", dpp, n);
  show("diff", df, (size_t)na * na);
}
