// Text, sorts, scans, dynamic programs: matching, word counts, RLE, LCS, knapsack, n-queens, life,
// radix and bitonic sorts, compaction.
#include "helpers.h"
#define THREADS 256
template <int BITS> __device__ __host__ constexpr int mask() { return (1 << BITS) - 1; }
__global__ void naive_match(const char *text, const char *pat, int *hit, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n - m) return;
  int ok = 1;
  for (int k = 0; k < m; k++)
    if (text[i + k] != pat[k]) {
      ok = 0;
      break;
    }
  hit[i] = ok;
}
__global__ void fuzzy_match(const char *text, const char *pat, int *dist, int n, int m)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i + m <= n) {
    int d = 0;
    for (int k = 0; k < m; k++) d += text[i + k] != pat[k];
    dist[i] = d;
  }
}
__global__ void multi_match(const char *text, const char *pats, int *count, int n, int np, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y;
  if (i + m > n) return;
  for (int k = 0; k < m; k++)
    if (text[i + k] != pats[p * m + k]) return;
  atomicAdd(&count[p], 1);
}
__global__ void count_words(const char *t, unsigned *words, unsigned *lines, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (t[i] == '\n') atomicAdd(lines, 1u);
  if (t[i] != ' ' && t[i] != '\n' && (i == 0 || t[i - 1] == ' ' || t[i - 1] == '\n'))
    atomicAdd(words, 1u);
}
__global__ void to_upper(char *t, size_t n)
{
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n && t[i] >= 'a' && t[i] <= 'z') t[i] -= 32;
}
__global__ void lcs_diag(const char *a, const char *b, int *dp, int n, int m, int d)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = d - i;
  if (i > n || j < 1 || j > m) return;
  dp[i * (m + 1) + j] = a[i - 1] == b[j - 1]
                            ? dp[(i - 1) * (m + 1) + j - 1] + 1
                            : max(dp[(i - 1) * (m + 1) + j], dp[i * (m + 1) + j - 1]);
}
__global__ void knapsack(const int *prev, int *cur, int w, int v, int cap)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c <= cap) {
    int b = prev[c];
    if (c >= w) b = max(b, prev[c - w] + v);
    cur[c] = b;
  }
}
__global__ void edit_rows(const char *words, const char *query, int *out, int nw, int len, int q)
{
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= nw) return;
  unsigned char row[33];
  for (int j = 0; j <= q; j++) row[j] = j;
  for (int i = 1; i <= len; i++) {
    int diag = row[0];
    row[0] = i;
    for (int j = 1; j <= q; j++) {
      int t = row[j], c = diag + (words[w * len + i - 1] != query[j - 1]);
      row[j] = min(c, min(row[j - 1], t) + 1);
      diag = t;
    }
  }
  out[w] = row[q];
}
__global__ void queens(int *sol, int n, int prefixes)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= prefixes) return;
  unsigned full = (1u << n) - 1, a = p / n, b = p % n;
  int count = 0;
  if (a != b && a != b + 1 && b != a + 1) {
    unsigned cols[16], d1[16], d2[16], rest[16];
    int d = 2;
    cols[2] = (1u << a) | (1u << b);
    d1[2] = ((1u << a) << 2) | ((1u << b) << 1);
    d2[2] = ((1u << a) >> 2) | ((1u << b) >> 1);
    rest[2] = full & ~(cols[2] | d1[2] | d2[2]);
    while (d >= 2) {
      if (rest[d] == 0) {
        d--;
        continue;
      }
      unsigned bit = rest[d] & (0u - rest[d]);
      rest[d] ^= bit;
      if (d == n - 1) {
        count++;
        continue;
      }
      cols[d + 1] = cols[d] | bit;
      d1[d + 1] = (d1[d] | bit) << 1;
      d2[d + 1] = (d2[d] | bit) >> 1;
      rest[d + 1] = full & ~(cols[d + 1] | d1[d + 1] | d2[d + 1]);
      d++;
    }
  }
  sol[p] = count;
}
__global__ void life(const unsigned char *a, unsigned char *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int c = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) c += a[((y + dy + h) % h) * w + (x + dx + w) % w];
  b[y * w + x] = c == 3 || (c == 2 && a[y * w + x]);
}
__global__ void bitonic(int *d, int j, int k)
{
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x, l = i ^ j;
  if (l > i) {
    if ((i & k) == 0 ? d[i] > d[l] : d[i] < d[l]) {
      int t = d[i];
      d[i] = d[l];
      d[l] = t;
    }
  }
}
template <int BITS>
__global__ void digit_counts(const unsigned *keys, unsigned *counts, int n, int shift)
{
  __shared__ unsigned h[1 << BITS];
  for (int k = threadIdx.x; k < (1 << BITS); k += blockDim.x) h[k] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[(keys[i] >> shift) & mask<BITS>()], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < (1 << BITS); k += blockDim.x)
    counts[k * gridDim.x + blockIdx.x] = h[k];
}
__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
  __shared__ int s[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < THREADS; d <<= 1) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n) out[i] = s[t];
  if (t == THREADS - 1) sums[blockIdx.x] = s[t];
}
__global__ void add_offsets(int *out, const int *sums, int n)
{
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) {
    int o = 0;
    for (int b = 0; b < (int)blockIdx.x; b++) o += sums[b];
    out[i] += o;
  }
}
__global__ void compact(const int *in, const int *pos, int *out, int n, int thr)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > thr) out[pos[i] - 1] = in[i];
}
__global__ void flags(const int *in, int *f, int n, int thr)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f[i] = in[i] > thr ? 1 : 0;
}
__global__ void seg_sums(const float *v, const int *off, float *out, int segs)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < segs) {
    float a = 0;
    for (int i = off[s]; i < off[s + 1]; ++i) a += v[i];
    out[s] = a;
  }
}
__global__ void rle_heads(const char *t, int *head, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) head[i] = (i == 0 || t[i] != t[i - 1]);
}
__global__ void odd_even(float *d, int n, int phase)
{
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
  if (i + 1 < n && d[i] > d[i + 1]) {
    float t = d[i];
    d[i] = d[i + 1];
    d[i + 1] = t;
  }
}
__global__ void rank_sort(const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int r = 0;
    for (int j = 0; j < n; j++)
      if (in[j] < in[i] || (in[j] == in[i] && j < i)) r++;
    out[r] = in[i];
  }
}
__global__ void delta_pack(const int *in, unsigned char *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int d = i ? in[i] - in[i - 1] : in[0];
    unsigned z = ((unsigned)d << 1) ^ (unsigned)(d >> 31);
    out[4 * i] = z & 255;
    out[4 * i + 1] = (z >> 8) & 255;
    out[4 * i + 2] = (z >> 16) & 255;
    out[4 * i + 3] = z >> 24;
  }
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 2048, w = argc > 2 ? atoi(argv[2]) : 64,
      q = argc > 3 ? atoi(argv[3]) : 6, ls = argc > 4 ? atoi(argv[4]) : 60;
  int g = (n + 255) / 256;
  std::vector<char> t(n), p(64);
  for (auto &c : t) {
    float r = rnd();
    c = r < 0.15f ? ' ' : r < 0.17f ? '\n' : "abc"[(int)(rnd() * 3)];
  }
  for (auto &c : p) c = "abc"[(int)(rnd() * 3)];
  char *dt = upload(t), *dp = upload(p);
  int *hit = zeros<int>(n), *fz = zeros<int>(n), *mm = zeros<int>(8), *hd = zeros<int>(n);
  unsigned *wl = zeros<unsigned>(2);
  naive_match<<<g, 256>>>(dt, dp, hit, n, 3);
  fuzzy_match<<<g, 256>>>(dt, dp, fz, n, 16);
  multi_match<<<dim3(g, 8), 256>>>(dt, dp, mm, n, 8, 3);
  count_words<<<g, 256>>>(dt, wl, wl + 1, n);
  rle_heads<<<g, 256>>>(dt, hd, n);
  int *dpt = zeros<int>((size_t)(ls + 1) * (ls + 1));
  for (int d = 2; d <= 2 * ls; d++)
    lcs_diag<<<(ls + 127) / 128, 128>>>(dt, dt + 30, dpt, ls, ls, d);
  int *k0 = zeros<int>(n + 1), *k1 = zeros<int>(n + 1);
  for (int i = 0; i < 10; i++) {
    knapsack<<<(n + 256) / 256, 256>>>(k0, k1, 3 + i * 7, 10 + i, n);
    std::swap(k0, k1);
  }
  int nw = n / 16;
  int *ed = zeros<int>(nw);
  edit_rows<<<(nw + 127) / 128, 128>>>(dt, dp, ed, nw, 16, 20);
  int *sol = zeros<int>(q * q);
  queens<<<(q * q + 63) / 64, 64>>>(sol, q, q * q);
  std::vector<unsigned char> lf((size_t)w * w);
  for (auto &c : lf) c = rnd() < 0.4f;
  unsigned char *l0 = upload(lf), *l1 = upload(lf), *pk = zeros<unsigned char>(4 * n);
  for (int i = 0; i < 2; i++) {
    life<<<dim3((w + 15) / 16, (w + 15) / 16), dim3(16, 16)>>>(l0, l1, w, w);
    std::swap(l0, l1);
  }
  std::vector<int> kk(n);
  for (auto &x : kk) x = (int)(rnd() * 1e6f);
  int *key = upload(kk), *k2 = upload(kk), *fl = zeros<int>(n), *ps = zeros<int>(n),
      *sm = zeros<int>(g + 1), *cp = zeros<int>(n);
  int n2 = 1;
  while (2 * n2 <= n) n2 *= 2;
  for (int k = 2; k <= n2; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) bitonic<<<n2 / 256, 256>>>(key, j, k);
  unsigned *ct = zeros<unsigned>(256 * g);
  digit_counts<8><<<g, 256>>>((unsigned *)k2, ct, n, 8);
  digit_counts<4><<<g, 256>>>((unsigned *)k2, ct, n, 4);
  flags<<<g, 256>>>(k2, fl, n, 500000);
  scan_block<<<g, THREADS>>>(fl, ps, sm, n);
  add_offsets<<<g, THREADS>>>(ps, sm, n);
  compact<<<g, 256>>>(k2, ps, cp, n, 500000);
  delta_pack<<<g, 256>>>(key, pk, n);
  int segs = n / 32;
  std::vector<int> of(segs + 1);
  for (int i = 0; i <= segs; i++) of[i] = i * 32;
  float *v = random_floats(n, 0, 1), *so = zeros<float>(segs), *rs = zeros<float>(n);
  auto *up28 = upload(of);
  seg_sums<<<(segs + 127) / 128, 128>>>(v, up28, so, segs);
  rank_sort<<<g, 256>>>(v, rs, n);
  for (int i = 0; i < 4; i++) odd_even<<<(n / 2 + 255) / 256, 256>>>(v, n, i & 1);
  to_upper<<<g, 256>>>(dt, n);
  show("hit", hit, n);
  show("fz", fz, n);
  show("mm", mm, 8);
  show("wl", wl, 2);
  show("lcs", dpt, (size_t)(ls + 1) * (ls + 1));
  show("knap", k0, n + 1);
  show("ed", ed, nw);
  show("sol", sol, q * q);
  show("life", l0, (size_t)w * w);
  show("bit", key, n);
  show("ct", ct, 256 * g);
  show("cp", cp, n);
  show("so", so, segs);
  show("rs", rs, n);
  show("v", v, n);
  show("pk", pk, 4 * n);
  show("up", dt, n);
  show("hd", hd, n);
}
