// Finance: Black-Scholes, greeks, binomial trees, Asian and barrier paths, LIBOR paths, VaR, bonds,
// American by Longstaff's regressions.
#include "helpers.h"
typedef float FP;
struct OptionData {
  FP S, K, r, v, T;
};
struct Greeks {
  FP delta, gamma, vega;
};
__device__ FP cnd(FP d)
{
  const FP A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
           A5 = 1.330274429f;
  FP k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  FP c = 0.39894228f * expf(-0.5f * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
  return d > 0 ? 1.0f - c : c;
}
__device__ void bs_body(FP &call, FP &put, const OptionData &o)
{
  FP sq = sqrtf(o.T), d1 = (logf(o.S / o.K) + (o.r + 0.5f * o.v * o.v) * o.T) / (o.v * sq),
     d2 = d1 - o.v * sq;
  FP e = expf(-o.r * o.T), c1 = cnd(d1), c2 = cnd(d2);
  call = o.S * c1 - o.K * e * c2;
  put = o.K * e * (1.0f - c2) - o.S * (1.0f - c1);
}
__global__ void black_scholes(const OptionData *opt, FP *call, FP *put, int n)
{
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    FP c, p;
    bs_body(c, p, opt[i]);
    call[i] = c;
    put[i] = p;
  }
}
__global__ void greeks(const FP *S, const FP *K, const FP *T, FP r, FP v, Greeks *g, unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  FP sq = sqrtf(T[i]), d1 = (logf(S[i] / K[i]) + (r + 0.5f * v * v) * T[i]) / (v * sq),
     pdf = 0.39894228f * expf(-0.5f * d1 * d1);
  g[i].delta = cnd(d1);
  g[i].gamma = pdf / (S[i] * v * sq);
  g[i].vega = S[i] * pdf * sq;
}
#define STEPS 64
__global__ void binomial(const OptionData *o, FP *price, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  FP v[STEPS + 1];
  OptionData d = o[i];
  FP dt = d.T / STEPS, u = expf(d.v * sqrtf(dt)), dn = 1.0f / u, a = expf(d.r * dt),
     pu = (a - dn) / (u - dn), df = 1.0f / a;
  FP s = d.S;
  for (int k = 0; k < STEPS; k++) s *= dn;
  for (int k = 0; k <= STEPS; k++) {
    v[k] = fmaxf(s - d.K, 0.0f);
    s *= u * u;
  }
  for (int t = STEPS; t > 0; t--)
    for (int k = 0; k < t; k++) v[k] = df * (pu * v[k + 1] + (1 - pu) * v[k]);
  price[i] = v[0];
}
__global__ void asian(const FP *z, FP *payoff, int paths, int steps, FP s0, FP k, FP drift, FP vol)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= paths) return;
  FP s = s0, sum = 0;
  for (int t = 0; t < steps; t++) {
    s *= expf(drift + vol * z[p * steps + t]);
    sum += s;
  }
  payoff[p] = fmaxf(sum / steps - k, 0.f);
}
__global__ void barrier_paths(const FP *z, FP *payoff, int paths, int steps, FP s0, FP k, FP b,
                              FP drift, FP vol)
{
  int p = threadIdx.x + blockDim.x * blockIdx.x;
  if (p < paths) {
    FP s = s0;
    bool dead = false;
    for (int t = 0; t < steps; t++) {
      s = s * expf(drift + vol * z[t * paths + p]);
      if (s > b) {
        dead = true;
        break;
      }
    }
    payoff[p] = dead ? 0.f : (s > k ? s - k : 0.f);
  }
}
#define NN 20
#define NMAT 10
__constant__ FP lam[NN];
__constant__ FP c_delta;
__device__ void path_calc(FP *L, const FP *z, int stride)
{
  for (int n = 0; n < NMAT; n++) {
    FP sqez = sqrtf(c_delta) * z[n * stride], v = 0;
    for (int i = n + 1; i < NN; i++) {
      FP la = lam[i - n - 1], con = c_delta * la;
      v += con * L[i] / (1 + c_delta * L[i]);
      L[i] *= expf(con * v + la * (sqez - 0.5f * con));
    }
  }
}
__device__ FP portfolio(const FP *L)
{
  FP b = 1, s = 0, v = 0;
  FP B[NN], S[NN];
  for (int i = NMAT; i < NN; i++) {
    b /= 1 + c_delta * L[i];
    s += c_delta * b;
    B[i] = b;
    S[i] = s;
  }
  for (int k = 0; k < 4; k++) {
    int m = NMAT + 2 * k + 1;
    FP sw = B[m] + 0.045f * S[m] - 1;
    if (sw < 0) v += -100.0f * sw;
  }
  return v;
}
__global__ void libor(const FP *z, FP *out, int paths)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= paths) return;
  FP L[NN];
  for (int i = 0; i < NN; i++) L[i] = 0.05f;
  path_calc(L, z + p, paths);
  out[p] = portfolio(L);
}
__global__ void portfolio_var(const float *ret, const float *w, float *pl, int days, int assets)
{
  int d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d < days) {
    float s = 0;
    for (int a = 0; a < assets; a++) s += w[a] * ret[d * assets + a];
    pl[d] = s;
  }
}
__global__ void covariance(const float *ret, const float *mean, float *cov, int days, int assets)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= assets || j >= assets) return;
  float s = 0;
  for (int d = 0; d < days; d++)
    s += (ret[d * assets + i] - mean[i]) * (ret[d * assets + j] - mean[j]);
  cov[i * assets + j] = s / (days - 1);
}
__global__ void correlate(const float *chol, const float *z, float *out, int assets, int paths)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x, a = blockIdx.y;
  if (p >= paths) return;
  float s = 0;
  for (int k = 0; k <= a; k++) s += chol[a * assets + k] * z[k * paths + p];
  out[a * paths + p] = s;
}
__global__ void ewma(const float *ret, float *vol, int assets, int days, float lambda)
{
  int a = blockIdx.x * blockDim.x + threadIdx.x;
  if (a >= assets) return;
  float v = 0.0004f;
  for (int d = 0; d < days; d++) {
    float r = ret[a * days + d];
    v = lambda * v + (1 - lambda) * r * r;
    vol[a * days + d] = sqrtf(v);
  }
}
struct Bond {
  double coupon, face, maturity;
  int freq;
};
__global__ void bond_price(const Bond *b, const double *yield, double *price, double *dur, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Bond &x = b[i];
  int m = (int)(x.maturity * x.freq);
  double p = 0, d = 0, c = x.coupon * x.face / x.freq, df = 1, q = 1 / (1 + yield[i] / x.freq);
  for (int k = 1; k <= m; k++) {
    df *= q;
    p += c * df;
    d += k * c * df;
  }
  p += x.face * df;
  d += m * x.face * df;
  price[i] = p;
  dur[i] = d / (p * x.freq);
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 500, steps = argc > 2 ? atoi(argv[2]) : 30,
      assets = argc > 3 ? atoi(argv[3]) : 40, days = argc > 4 ? atoi(argv[4]) : 60;
  std::vector<OptionData> o(n);
  for (auto &x : o)
    x = {50 + 50 * rnd(), 50 + 50 * rnd(), 0.02f, 0.1f + 0.3f * rnd(), 0.2f + rnd()};
  OptionData *d = upload(o);
  FP *c = zeros<FP>(n), *p = zeros<FP>(n), *bp = zeros<FP>(n), *S = random_floats(n, 50, 100),
     *K = random_floats(n, 50, 100), *T = random_floats(n, 0.1f, 2);
  Greeks *g = zeros<Greeks>(n);
  int gr = (n + 127) / 128;
  black_scholes<<<gr / 2 + 1, 128>>>(d, c, p, n);
  greeks<<<gr, 128>>>(S, K, T, 0.02f, 0.3f, g, n);
  binomial<<<gr, 128>>>(d, bp, n);
  FP *z = random_floats((size_t)n * steps, -2, 2), *pa = zeros<FP>(n), *pb = zeros<FP>(n),
     *lb = zeros<FP>(n);
  asian<<<gr, 128>>>(z, pa, n, steps, 100, 100, 0.001f, 0.02f);
  barrier_paths<<<gr, 128>>>(z, pb, n, steps, 100, 100, 120, 0.001f, 0.02f);
  FP hl[NN];
  for (int i = 0; i < NN; i++) hl[i] = 0.2f;
  FP de = 0.25f;
  cudaMemcpyToSymbol(lam, hl, sizeof hl);
  cudaMemcpyToSymbol(c_delta, &de, sizeof de);
  libor<<<gr, 128>>>(z, lb, n);
  float *ret = random_floats((size_t)assets * days, -0.02f, 0.02f),
        *w = random_floats(assets, 0, 1), *mean = random_floats(assets, -0.001f, 0.001f),
        *pl = zeros<float>(days), *cov = zeros<float>(assets * assets),
        *vol = zeros<float>((size_t)assets * days), *ch = random_floats(assets * assets, 0, 1),
        *zz = random_floats((size_t)assets * n, -1, 1), *zo = zeros<float>((size_t)assets * n);
  portfolio_var<<<(days + 127) / 128, 128>>>(ret, w, pl, days, assets);
  covariance<<<dim3((assets + 15) / 16, (assets + 15) / 16), dim3(16, 16)>>>(ret, mean, cov, days,
                                                                             assets);
  correlate<<<dim3(gr, assets), 128>>>(ch, zz, zo, assets, n);
  ewma<<<(assets + 63) / 64, 64>>>(ret, vol, assets, days, 0.94f);
  std::vector<Bond> b(n);
  std::vector<double> y(n);
  for (int i = 0; i < n; i++) {
    b[i] = {0.05, 100, 1 + 20 * rnd(), 2};
    y[i] = 0.01 + 0.05 * rnd();
  }
  double *pr = zeros<double>(n), *du = zeros<double>(n);
  auto *up1 = upload(b);
  auto *up2 = upload(y);
  bond_price<<<gr, 128>>>(up1, up2, pr, du, n);
  show("call", c, n);
  show("put", p, n);
  show("greeks", g, n);
  show("bin", bp, n);
  show("asian", pa, n);
  show("barrier", pb, n);
  show("libor", lb, n);
  show("pl", pl, days);
  show("cov", cov, assets * assets);
  show("corr", zo, (size_t)assets * n);
  show("vol", vol, (size_t)assets * days);
  show("bond", pr, n);
  show("dur", du, n);
}
