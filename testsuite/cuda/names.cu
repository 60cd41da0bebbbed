// args: --mapping=always
// Names that mean something else in another place: a local that hides a variable, a function or
// another local; a function that is declared again between its use and the kernel, or in the
// kernel's namespace. What becomes part of a kernel, or moves within one, keeps its meaning.
#include <cstdio>

enum { N = 500, K = 24 };

#define ID \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return;
// what a kernel is taken for
#define SUM \
  for (int k = 0; k < K; k++) b[i] += a[k]
#define KERNEL(name) __global__ void name(const float *a, float *b, int n)

__constant__ float scale = 3;
__device__ float bump(float x) { return x + 1; }

__device__ float around(const float *p, int i)
{
  float scale = p[i];
  scale += p[i + 1];
  return scale;
}

KERNEL(local_as_variable)
{
  ID b[i] = around(a, i) * scale;
  SUM;
}

__device__ float pair(const float *p, int i)
{
  float bump = p[i];
  bump += 2 * p[i + 1];
  return bump;
}

KERNEL(local_as_function)
{
  ID float v = pair(a, i);
  b[i] = bump(v);
  SUM;
}

__device__ float twice(const float *p, int i)
{
  float v = around(p, i);
  v = v * scale + around(p, i + 1);
  return v * scale;
}

KERNEL(bodies_in_bodies)
{
  ID b[i] = twice(a, i);
  SUM;
}

__device__ float weight(float x) { return x * 0.5f; }
__device__ float weighted(const float *p, int i)
{
  float v = p[i];
  v += weight(i);
  return v;
}
__device__ float weight(int x) { return x + 1000; }

KERNEL(declared_again)
{
  ID b[i] = weighted(a, i) + weight(1);
  SUM;
}

__device__ float last(const float *p, int i);

KERNEL(declared_behind)
{
  ID b[i] = last(a, i);
  SUM;
}

__device__ float third(float x) { return x * 3; }
__device__ float last(const float *p, int i)
{
  float v = p[i];
  v += third(v);
  return v;
}

namespace inside {
__device__ float third(float x) { return x + 100; }

KERNEL(of_the_namespace)
{
  ID b[i] = last(a, i) + third(1);
  SUM;
}
} // namespace inside

KERNEL(iterator_hidden)
{
  ID const float *p = a + i;
  float s = 0;
  for (int k = 0; k < K; k++) {
    {
      int k = 7;
      s += *p * k;
    }
    p++;
  }
  b[i] = s;
}

KERNEL(parameter_hidden)
{
  ID const float *p = a + i;
  float s = 0;
  for (int k = 0; k < K; k++) {
    {
      int n = 5;
      s += *p + n;
    }
    p += n;
  }
  b[i] = s;
}

KERNEL(id_hidden)
{
  ID const float *p = a + i * K;
  float s = 0;
  for (int i = 0; i < K; i++) s += p[i] * a[i];
  b[i] = s;
}

KERNEL(variable_hidden)
{
  ID float v = scale;
  {
    float scale = a[i];
    v += scale;
  }
  for (int scale = 0; scale < 3; scale++) v += a[i + scale];
  b[i] = v * scale;
  SUM;
}

KERNEL(named_in_a_type)
{
  ID double x = 1;
  float v = sizeof(x);
  {
    float x[5];
    x[i % 5] = a[i];
    v += sizeof(x) + x[i % 5];
  }
  b[i] = v + x;
  SUM;
}

static float h[N * K + N * K + 64], r[N];
static float *a, *b;
static int failed;

static void check(const char *name, float (*wanted)(int), bool sum)
{
  float all = 0;
  cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
  for (int k = 0; k < K; k++) all += h[k];
  for (int i = 0; i < N; i++)
    if (r[i] != wanted(i) + (sum ? all : 0) && !failed++)
      printf("%s: b[%d] is %g, not %g\n", name, i, r[i], wanted(i) + (sum ? all : 0));
}

static float sum_of(int i, int step, float factor, float more)
{
  float s = 0;
  for (int k = 0; k < K; k++) s += h[i + k * step] * factor + more;
  return s;
}

#define RUN(name, sum, value) \
  name<<<(N + 127) / 128, 128>>>(a, b, N); \
  check(#name, [](int i) -> float { return value; }, sum)
#define AROUND(i) (h[i] + h[(i) + 1])

int main()
{
  for (int i = 0; i < N * K + N * K + 64; i++) h[i] = i * 7 % 16;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof r);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  RUN(local_as_variable, true, AROUND(i) * 3);
  RUN(local_as_function, true, h[i] + 2 * h[i + 1] + 1);
  RUN(bodies_in_bodies, true, (AROUND(i) * 3 + AROUND(i + 1)) * 3);
  RUN(declared_again, true, h[i] + i * 0.5f + 1001);
  RUN(declared_behind, true, h[i] * 4);
  RUN(inside::of_the_namespace, true, h[i] * 4 + 101);
  RUN(iterator_hidden, false, sum_of(i, 1, 7, 0));
  RUN(parameter_hidden, false, sum_of(i, N, 1, 5));
  RUN(id_hidden, false, [](int i) {
    float s = 0;
    for (int k = 0; k < K; k++) s += h[i * K + k] * h[k];
    return s;
  }(i));
  RUN(variable_hidden, true, (3 + h[i] + h[i] + h[i + 1] + h[i + 2]) * 3);
  RUN(named_in_a_type, true, 8 + 20 + h[i] + 1);
  puts(failed ? "FAILED" : "ok");
  return failed != 0;
}
