/* SPDX-License-Identifier: MIT */
/* rows_downwards.cu - rows that threads walk from their end, by counters that count up, and rows
 * that are named after a neighbour. Each kernel compares its sums with the host's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 128
#define ROWS 256

/* Back substitution of a line for each thread: X[N - k - 2] from X[N - k - 3]. */
__global__ void back(const float *a, const float *b, float *x)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < ROWS) {
    for (int k = 0; k < N - 2; k++)
      x[r * N + (N - k - 2)] =
          (x[r * N + (N - 2 - k)] - x[r * N + (N - k - 3)] * a[r * N + (N - k - 3)]) /
          b[r * N + (N - 3 - k)];
  }
}

/* The end of the next row less one and more, with a length that only the launch knows. */
__global__ void ends(const float *a, float *x, int n, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float carried = 1.f;
    for (int k = 0; k < n; k++) {
      carried = carried * 0.5f + a[(r + 1) * n - 1 - k];
      x[(r + 1) * n - 1 - k] = carried;
    }
  }
}

/* Rows of N, of which the launch walks some elements: at most N, which nobody has said. */
__global__ void some(const float *a, float *x, int length)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < ROWS) {
    float carried = 1.f;
    for (int k = 0; k < length; k++) {
      carried = carried * 0.5f + a[r * N + (N - 1 - k)];
      x[r * N + (N - 1 - k)] = carried;
    }
  }
}

/* Row r as the row behind row r - 1. */
__global__ void behind(const float *a, float *x)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < ROWS) {
    float carried = 0.f;
    for (int k = 0; k < N; k++) {
      carried = carried * 0.25f + a[(r - 1) * N + N + k];
      x[(r - 1) * N + k + N] = carried;
    }
  }
}

/* Layers of rows, from the last column. */
__global__ void layers(const float *a, float *x)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < ROWS) {
    for (int l = 0; l < 2; l++) {
      float carried = 2.f;
      for (int k = 1; k <= N / 2; k++) {
        carried = carried - a[(r * 2 + l) * (N / 2) + N / 2 - k] * 0.125f;
        x[(r * 2 + l + 1) * (N / 2) - k] = carried;
      }
    }
  }
}

/* A reversed row of each block in shared reach: every thread reads all of it. */
__global__ void mirror(const float *a, float *x)
{
  int c = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < N; k++) sum += a[blockIdx.x * N + N - 1 - k] * (float)((c + k) % 5);
  x[blockIdx.x * N + (N - 1 - c)] = sum;
}

static int wrong;

static void compare(const char *name, const float *device, const float *host)
{
  static float got[ROWS * N];
  cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < ROWS * N; i++)
    if (fabsf(got[i] - host[i]) > 1e-5f * (1.f + fabsf(host[i]))) {
      if (wrong++ < 5) printf("%s: element %d: %g instead of %g\n", name, i, got[i], host[i]);
    }
}

static void host_back(const float *a, const float *b, float *x)
{
  for (int r = 0; r < ROWS; r++)
    for (int c = N - 2; c >= 1; c--)
      x[r * N + c] = (x[r * N + c] - x[r * N + c - 1] * a[r * N + c - 1]) / b[r * N + c - 1];
}

static void host_rows(const float *a, float *x, int which)
{
  for (int r = 0; r < ROWS; r++) {
    float carried = which ? 0.f : 1.f;
    for (int k = 0; k < N; k++) {
      int c = which ? k : N - 1 - k;
      carried = carried * (which ? 0.25f : 0.5f) + a[r * N + c];
      x[r * N + c] = carried;
    }
  }
}

static void host_layers(const float *a, float *x)
{
  for (int r = 0; r < ROWS * 2; r++) {
    float carried = 2.f;
    for (int c = N / 2 - 1; c >= 0; c--) {
      carried = carried - a[r * (N / 2) + c] * 0.125f;
      x[r * (N / 2) + c] = carried;
    }
  }
}

static void host_mirror(const float *a, float *x)
{
  for (int b = 0; b < ROWS; b++)
    for (int c = 0; c < N; c++) {
      float sum = 0.f;
      for (int k = 0; k < N; k++) sum += a[b * N + N - 1 - k] * (float)((c + k) % 5);
      x[b * N + (N - 1 - c)] = sum;
    }
}

int main(int argc, char **argv)
{
  int length = argc > 5 ? atoi(argv[1]) : N; /* only the run knows it */
  static float a[ROWS * N], b[ROWS * N], x[ROWS * N];
  float *da, *db, *dx;
  for (int i = 0; i < ROWS * N; i++) {
    a[i] = (float)(i * 7 % 31) / 31.f;
    b[i] = 1.f + (float)(i * 5 % 17) / 17.f;
    x[i] = (float)(i * 3 % 13);
  }
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dx, sizeof x);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  back<<<ROWS / 64, 64>>>(da, db, dx);
  host_back(a, b, x);
  compare("back", dx, x);
  ends<<<ROWS / 64, 64>>>(da, dx, length, ROWS);
  host_rows(a, x, 0);
  compare("ends", dx, x);
  cudaMemset(dx, 0, sizeof x);
  some<<<ROWS / 64, 64>>>(da, dx, length);
  compare("some", dx, x);
  behind<<<ROWS / 64, 64>>>(da, dx);
  host_rows(a, x, 1);
  compare("behind", dx, x);
  layers<<<ROWS / 64, 64>>>(da, dx);
  host_layers(a, x);
  compare("layers", dx, x);
  mirror<<<ROWS, N>>>(da, dx);
  host_mirror(a, x);
  compare("mirror", dx, x);
  if (!wrong) printf("all rows are right\n");
  return wrong != 0;
}
