#include <mesi_cuda.h>
#line 1 "read_only_marks.mcu"
// args: -O2
// Loads through members of a parameter: marked where their innermost loop stores something.
struct rows {
  int n;
  const int *first;
  const int *column;
};

__global__ void shared_columns(rows g, float *out)
{
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= g.n) return;
  for (int e = g.first[u]; e < g.first[u + 1]; e++) {
    int v = g.column[e], c = 0;
    for (int i = g.first[u]; i < g.first[u + 1]; i++)
      for (int j = g.first[v]; j < g.first[v + 1]; j++) c += g.column[i] == g.column[j];
    out[e] = (float)c / (g.first[u + 1] - g.first[u] + g.first[v + 1] - g.first[v] - c);
  }
}
// shared_columns_promoted: shared_columns with array elements in registers over loops.
#line 9 "read_only_marks.mcu"
__global__ void shared_columns_promoted(rows g, float *out)
{
#line 11 "read_only_marks.mcu"
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= g.n) return;
  {
    int _r_g_first;
    int _r_g_first_2;
    if ((int)__ldg(&g.first[u]) < __ldg(&g.first[u + 1])) {
      _r_g_first = __ldg(&g.first[u + 1]); _r_g_first_2 = __ldg(&g.first[u]);
    }
#line 13 "read_only_marks.mcu"
    for (int e = __ldg(&g.first[u]); e < _r_g_first; e++) {
      int v = __ldg(&g.column[e]), c = 0;
      for (int i = __ldg(&g.first[u]); i < _r_g_first; i++)
        for (int j = g.first[v]; j < g.first[v + 1]; j++) c += g.column[i] == g.column[j];
      out[e] = (float)c / (_r_g_first - _r_g_first_2 + __ldg(&g.first[v + 1]) - __ldg(&g.first[v]) - c);
    }
  }
}
#line 20 "read_only_marks.mcu"

void run(rows g, float *out)
{
  mesi_pick_if(mesi_allocated_apart((g).first, out) && mesi_allocated_apart((g).column, out), shared_columns_promoted, shared_columns)<<<(g.n + 127) / 128, 128>>>(g, out);
}
