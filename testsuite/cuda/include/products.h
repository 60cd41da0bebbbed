// Matrix products on the host, for programs that compare theirs with it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { T = 16, MOST = 128 * 128 };

static float *a, *b, *c, *expected, *left, *right, *out;
static int failures;

static void fill()
{
  for (int i = 0; i < MOST; i++) {
    a[i] = (float)(i * 7 % 23 - 11);
    b[i] = (float)(i * 5 % 19 - 9);
    c[i] = (float)(i % 13);
  }
  cudaMemcpy(left, a, MOST * sizeof *a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, MOST * sizeof *b, cudaMemcpyHostToDevice);
  cudaMemcpy(out, c, MOST * sizeof *c, cudaMemcpyHostToDevice);
}

enum first { NOTHING, LAST_OF_8, NUMBER };

static void check(const char *name, int m, int n, int k, float alpha, float beta,
                  enum first first = NOTHING)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int number = i % T * T + j % T;
      float sum = first == LAST_OF_8 ? number % 8 : first == NUMBER ? number : 0;
      for (int p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
      expected[i * n + j] = alpha * sum + beta * (float)((i * n + j) % 13);
    }
  for (int i = m * n; i < MOST; i++) expected[i] = (float)(i % 13);
  cudaMemcpy(c, out, MOST * sizeof *c, cudaMemcpyDeviceToHost);
  for (int i = 0; i < MOST; i++)
    if (c[i] != expected[i]) {
      printf("%s %d %d %d: [%d] is %g, not %g\n", name, m, n, k, i, c[i], expected[i]);
      failures++;
      break;
    }
  fill();
}

static void allocate()
{
  a = (float *)malloc(MOST * sizeof *a), b = (float *)malloc(MOST * sizeof *b);
  c = (float *)malloc(MOST * sizeof *c), expected = (float *)malloc(MOST * sizeof *expected);
  cudaMalloc((void **)&left, MOST * sizeof *a);
  cudaMalloc((void **)&right, MOST * sizeof *b);
  cudaMalloc((void **)&out, MOST * sizeof *c);
  fill();
}
