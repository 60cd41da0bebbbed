// Graphs: BFS, SSSP, PageRank, components, triangles, colouring, Jaccard, Floyd-Warshall,
// transitive closure, degrees, MIS, k-core.
#include "helpers.h"
struct Csr {
  const int *ptr, *col;
  const float *w;
  int n;
};
__global__ void bfs_level(Csr g, int *level, int cur, int *changed)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < g.n && level[v] == cur)
    for (int e = g.ptr[v]; e < g.ptr[v + 1]; e++)
      if (level[g.col[e]] < 0) {
        level[g.col[e]] = cur + 1;
        *changed = 1;
      }
}
__global__ void sssp_relax(Csr g, const int *dist, int *next, const int *wi)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n) return;
  int d = dist[v];
  if (d == 0x7fffffff) return;
  for (int e = g.ptr[v]; e < g.ptr[v + 1]; e++) atomicMin(&next[g.col[e]], d + wi[e]);
}
__global__ void pagerank_pull(Csr g, const float *rank, const int *outdeg, float *next, float damp)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < g.n) {
    float s = 0;
    for (int e = g.ptr[v]; e < g.ptr[v + 1]; e++) {
      int u = g.col[e];
      s += rank[u] / outdeg[u];
    }
    next[v] = (1 - damp) / g.n + damp * s;
  }
}
__global__ void spmv_vec(Csr g, const float *x, float *y)
{
  int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (row >= g.n) return;
  float s = 0;
  for (int e = g.ptr[row] + lane; e < g.ptr[row + 1]; e += 32) s += g.w[e] * x[g.col[e]];
  for (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);
  if (lane == 0) y[row] = s;
}
__global__ void cc_hook(const int2 *edges, int *parent, int m, int *changed)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  int a = parent[edges[e].x], b = parent[edges[e].y];
  if (a != b) {
    int hi = a > b ? a : b, lo = a > b ? b : a;
    atomicMin(&parent[hi], lo);
    *changed = 1;
  }
}
__global__ void cc_jump(int *parent, int n)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) {
    int p = parent[v];
    while (p != parent[p]) p = parent[p];
    parent[v] = p;
  }
}
__global__ void triangles(Csr g, unsigned long long *count)
{
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= g.n) return;
  unsigned long long c = 0;
  for (int e = g.ptr[u]; e < g.ptr[u + 1]; e++) {
    int v = g.col[e];
    if (v <= u) continue;
    int i = g.ptr[u], j = g.ptr[v];
    while (i < g.ptr[u + 1] && j < g.ptr[v + 1]) {
      int a = g.col[i], b = g.col[j];
      if (a == b) {
        if (a > v) c++;
        i++;
        j++;
      } else if (a < b)
        i++;
      else
        j++;
    }
  }
  atomicAdd(count, c);
}
__global__ void jaccard(Csr g, float *out)
{
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= g.n) return;
  for (int e = g.ptr[u]; e < g.ptr[u + 1]; e++) {
    int v = g.col[e], c = 0;
    for (int i = g.ptr[u]; i < g.ptr[u + 1]; i++)
      for (int j = g.ptr[v]; j < g.ptr[v + 1]; j++) c += g.col[i] == g.col[j];
    out[e] = (float)c / (g.ptr[u + 1] - g.ptr[u] + g.ptr[v + 1] - g.ptr[v] - c);
  }
}
__global__ void colour_step(Csr g, const unsigned *prio, int *colour, int c)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n || colour[v] >= 0) return;
  for (int e = g.ptr[v]; e < g.ptr[v + 1]; e++) {
    int u = g.col[e];
    if (u != v && (colour[u] < 0 || colour[u] == c) &&
        (prio[u] > prio[v] || (prio[u] == prio[v] && u > v)))
      return;
  }
  colour[v] = c;
}
__global__ void floyd(float *d, int *path, int n, int k)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float t = d[i * n + k] + d[k * n + j];
  if (t < d[i * n + j]) {
    d[i * n + j] = t;
    path[i * n + j] = k;
  }
}
__global__ void closure(const unsigned *in, unsigned *out, int n, int words)
{
  int w = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (w >= words) return;
  unsigned r = in[i * words + w];
  for (int k = 0; k < n; k++)
    if ((in[i * words + (k >> 5)] >> (k & 31)) & 1u) r |= in[k * words + w];
  out[i * words + w] = r;
}
__global__ void degree_hist(const int *ptr, int *hist, int n, int nb)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) {
    int d = ptr[v + 1] - ptr[v];
    atomicAdd(&hist[d < nb ? d : nb - 1], 1);
  }
}
__global__ void reverse_degrees(const int2 *edges, int *in, int *out, int m)
{
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < m; e += gridDim.x * blockDim.x) {
    atomicAdd(out + edges[e].x, 1);
    atomicAdd(in + edges[e].y, 1);
  }
}
__global__ void label_prop(Csr g, const int *lab, int *next)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n) return;
  int best = lab[v], bc = 0;
  for (int e = g.ptr[v]; e < g.ptr[v + 1]; e++) {
    int l = lab[g.col[e]], c = 0;
    for (int f = g.ptr[v]; f < g.ptr[v + 1]; f++) c += lab[g.col[f]] == l;
    if (c > bc || (c == bc && l < best)) {
      bc = c;
      best = l;
    }
  }
  next[v] = best;
}
__global__ void dense_mst(const float *w, const char *in, float *key, int *par, int n, int u)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && !in[v] && w[u * n + v] < key[v]) {
    key[v] = w[u * n + v];
    par[v] = u;
  }
}
__global__ void closeness(const float *d, float *out, int n)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) {
    float s = 0;
    for (int u = 0; u < n; u++) s += d[v * n + u];
    out[v] = s > 0 ? (n - 1) / s : 0;
  }
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 500, deg = argc > 2 ? atoi(argv[2]) : 8,
      fw = argc > 3 ? atoi(argv[3]) : 64;
  std::vector<int> ptr(n + 1, 0), col, wi;
  std::vector<float> w;
  std::vector<int2> ed;
  for (int v = 0; v < n; v++) {
    int d = 1 + (int)(rnd() * 2 * deg);
    int c = (int)(rnd() * n / (d + 1));
    for (int k = 0; k < d; k++) {
      col.push_back(c % n);
      w.push_back(rnd());
      wi.push_back(1 + (int)(rnd() * 9));
      ed.push_back(make_int2(v, c % n));
      c += 1 + (int)(rnd() * n / (d + 1));
      if (c >= n) {
        break;
      }
    }
    ptr[v + 1] = (int)col.size();
  }
  int m = (int)col.size();
  Csr g = {upload(ptr), upload(col), upload(w), n};
  int *dwi = upload(wi);
  int2 *de = upload(ed);
  int gr = (n + 127) / 128, ge = (m + 127) / 128;
  std::vector<int> lv(n, -1), di(n, 0x7fffffff), pa(n), od(n);
  lv[0] = 0;
  di[0] = 0;
  for (int i = 0; i < n; i++) {
    pa[i] = i;
    od[i] = 1 + ptr[i + 1] - ptr[i];
  }
  int *level = upload(lv), *dist = upload(di), *parent = upload(pa), *outdeg = upload(od),
      *ch = zeros<int>(1);
  float *r0 = random_floats(n, 0, 1), *r1 = zeros<float>(n), *y = zeros<float>(n),
        *jac = zeros<float>(m);
  unsigned long long *tc = zeros<unsigned long long>(1);
  std::vector<unsigned> pr(n);
  for (auto &x : pr) x = (unsigned)(rnd() * 1e6f);
  unsigned *prio = upload(pr);
  int *l0 = upload(pa), *l1 = zeros<int>(n), *hist = zeros<int>(64), *in = zeros<int>(n),
      *out = zeros<int>(n);
  for (int k = 0; k < 4; k++) {
    bfs_level<<<gr, 128>>>(g, level, k, ch);
    sssp_relax<<<gr, 128>>>(g, dist, dist, dwi);
    pagerank_pull<<<gr, 128>>>(g, r0, outdeg, r1, 0.85f);
    std::swap(r0, r1);
    cc_jump<<<gr, 128>>>(parent, n);
    label_prop<<<gr, 128>>>(g, l0, l1);
    std::swap(l0, l1);
  }
  cc_hook<<<ge, 128>>>(de, parent, m, ch);
  cc_jump<<<gr, 128>>>(parent, n);
  spmv_vec<<<(n * 32 + 127) / 128, 128>>>(g, r0, y);
  triangles<<<gr, 128>>>(g, tc);
  jaccard<<<gr, 128>>>(g, jac);
  degree_hist<<<gr, 128>>>(g.ptr, hist, n, 64);
  reverse_degrees<<<40, 128>>>(de, in, out, m);
  size_t f2 = (size_t)fw * fw;
  float *d = random_floats(f2, 0.1f, 10), *cl = zeros<float>(fw), *key = random_floats(fw, 20, 30),
        *ww = random_floats(f2, 0, 40);
  int *path = zeros<int>(f2), *par = zeros<int>(fw);
  char *inn = zeros<char>(fw);
  int words = (fw + 31) / 32;
  std::vector<unsigned> cb((size_t)fw * words);
  for (auto &x : cb) x = rnd() < 0.2f ? 1u << (int)(rnd() * 32) : 0;
  unsigned *c0 = upload(cb), *c1 = zeros<unsigned>(cb.size());
  dim3 b2(16, 16), g2((fw + 15) / 16, (fw + 15) / 16);
  for (int k = 0; k < fw && k < 64; k++) floyd<<<g2, b2>>>(d, path, fw, k);
  closure<<<dim3((words + 63) / 64, fw), 64>>>(c0, c1, fw, words);
  dense_mst<<<(fw + 127) / 128, 128>>>(ww, inn, key, par, fw, 0);
  closeness<<<(fw + 127) / 128, 128>>>(d, cl, fw);
  std::vector<int> cc(n, -1);
  int *colour = upload(cc);
  colour_step<<<gr, 128>>>(g, prio, colour, 0);
  show("rank", r0, n);
  show("y", y, n);
  show("tri", tc, 1);
  show("jac", jac, m);
  show("hist", hist, 64);
  show("in", in, n);
  show("out", out, n);
  show("lab", l0, n);
  show("d", d, f2);
  show("path", path, f2);
  show("clos", c1, cb.size());
  show("key", key, fw);
  show("cl", cl, fw);
}
