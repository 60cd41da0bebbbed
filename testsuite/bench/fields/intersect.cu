// Intersections of the rows of a graph, with and without read-only loads and registers, by hand.
#include "helpers.h"

struct Csr {
  int n;
  const int *ptr;
  const int *col;
};
#define BODY(NAME, LD, R1, R2, PRE, REST) \
  __global__ void NAME(Csr g, float *out REST) \
  { \
    int u = blockIdx.x * blockDim.x + threadIdx.x; \
    if (u >= g.n) return; \
    PRE for (int e = LD(&g.ptr[u]); e < R1; e++) \
    { \
      int v = LD(&g.col[e]), c = 0; \
      for (int i = LD(&g.ptr[u]); i < R1; i++) \
        for (int j = LD(&g.ptr[v]); j < LD(&g.ptr[v + 1]); j++) \
          c += LD(&g.col[i]) == LD(&g.col[j]); \
      out[e] = (float)c / (R1 - R2 + LD(&g.ptr[v + 1]) - LD(&g.ptr[v]) - c); \
    } \
  }
#define PLAIN(p) (*(p))
BODY(v_plain, PLAIN, g.ptr[u + 1], g.ptr[u], , )
BODY(v_ldg, __ldg, __ldg(&g.ptr[u + 1]), __ldg(&g.ptr[u]), , )
BODY(
    v_regs, PLAIN, last, first, int last = 0; int first = 0; if (g.ptr[u] < g.ptr[u + 1]) {
      last = g.ptr[u + 1];
      first = g.ptr[u];
    }, )
BODY(v_regs_always, PLAIN, last, first, int last = g.ptr[u + 1]; int first = g.ptr[u];, )
BODY(v_regs_ldg, __ldg, last, first, int last = __ldg(&g.ptr[u + 1]); int first = __ldg(&g.ptr[u]);
     , )
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 500, deg = argc > 2 ? atoi(argv[2]) : 8;
  std::vector<int> ptr(n + 1), col;
  unsigned r = 12345;
  for (int i = 0; i < n; i++) {
    ptr[i] = col.size();
    r = r * 1664525u + 1013904223u;
    int d = 1 + (r >> 8) % (2 * deg);
    for (int k = 0; k < d; k++) {
      r = r * 1664525u + 1013904223u;
      col.push_back((r >> 8) % n);
    }
  }
  ptr[n] = col.size();
  int *p, *c;
  float *o;
  cudaMalloc(&p, ptr.size() * 4);
  cudaMalloc(&c, col.size() * 4);
  cudaMalloc(&o, col.size() * 4);
  cudaMemcpy(p, ptr.data(), ptr.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(c, col.data(), col.size() * 4, cudaMemcpyHostToDevice);
  Csr g = {n, p, c};
  int gr = (n + 127) / 128;
  for (int t = 0; t < 2; t++) {
    v_plain<<<gr, 128>>>(g, o);
    show("v_plain", o, col.size());
    v_ldg<<<gr, 128>>>(g, o);
    show("v_ldg", o, col.size());
    v_regs<<<gr, 128>>>(g, o);
    show("v_regs", o, col.size());
    v_regs_always<<<gr, 128>>>(g, o);
    show("v_regs_always", o, col.size());
    v_regs_ldg<<<gr, 128>>>(g, o);
    show("v_regs_ldg", o, col.size());
  }
}
