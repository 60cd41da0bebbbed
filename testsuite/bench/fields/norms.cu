// Normalisations as a C programmer writes them: one thread a row or a channel, sizes as arguments.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(x) \
  do { \
    cudaError_t e = (x); \
    if (e != cudaSuccess) { \
      printf("%s: %s\n", #x, cudaGetErrorString(e)); \
      exit(1); \
    } \
  } while (0)

__global__ void layernorm_forward(float *out, float *mean, float *rstd, const float *inp,
                                  const float *weight, const float *bias, int N, int C)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  float eps = 1e-5f;
  if (idx < N) {
    const float *x = inp + idx * C;
    float m = 0.0f;
    for (int i = 0; i < C; i++) m += x[i];
    m = m / C;
    float v = 0.0f;
    for (int i = 0; i < C; i++) {
      float xshift = x[i] - m;
      v += xshift * xshift;
    }
    v = v / C;
    float s = 1.0f / sqrtf(v + eps);
    float *o = out + idx * C;
    for (int i = 0; i < C; i++) o[i] = s * (x[i] - m) * weight[i] + bias[i];
    mean[idx] = m;
    rstd[idx] = s;
  }
}

__global__ void rmsnorm(float *o, const float *x, const float *w, int rows, int size)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float ss = 0;
  for (int j = 0; j < size; j++) ss += x[r * size + j] * x[r * size + j];
  ss = 1.0f / sqrtf(ss / size + 1e-6f);
  for (int j = 0; j < size; j++) o[r * size + j] = w[j] * (ss * x[r * size + j]);
}

__global__ void batchnorm_stats(const float *x, float *mean, float *var, int N, int C, int HW)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float sum = 0, sq = 0;
  for (int n = 0; n < N; n++)
    for (int i = 0; i < HW; i++) {
      float v = x[(n * C + c) * HW + i];
      sum += v;
      sq += v * v;
    }
  mean[c] = sum / (N * HW);
  var[c] = sq / (N * HW) - mean[c] * mean[c];
}

__global__ void batchnorm_apply(const float *x, float *y, const float *mean, const float *var,
                                const float *gamma, const float *beta, int N, int C, int HW)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int total = N * C * HW;
  if (idx < total) {
    int c = (idx / HW) % C;
    y[idx] = gamma[c] * (x[idx] - mean[c]) / sqrtf(var[c] + 1e-5f) + beta[c];
  }
}

__global__ void groupnorm(const float *x, float *y, const float *gamma, const float *beta, int N,
                          int C, int HW, int G)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= N * G) return;
  int n = id / G, g = id % G, per = C / G;
  const float *p = x + (n * C + g * per) * HW;
  float *q = y + (n * C + g * per) * HW;
  float s = 0.f, s2 = 0.f;
  for (int i = 0; i < per * HW; i++) s += p[i];
  float m = s / (per * HW);
  for (int i = 0; i < per * HW; i++) s2 += (p[i] - m) * (p[i] - m);
  float inv = rsqrtf(s2 / (per * HW) + 1e-5f);
  for (int c = 0; c < per; c++)
    for (int i = 0; i < HW; i++)
      q[c * HW + i] = (p[c * HW + i] - m) * inv * gamma[g * per + c] + beta[g * per + c];
}

__global__ void layernorm_grad_weight(const float *dout, const float *inp, const float *mean,
                                      const float *rstd, float *dw, float *db, int N, int C)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < C) {
    float a = 0.0f, b = 0.0f;
    for (int n = 0; n < N; n++) {
      float norm = (inp[n * C + c] - mean[n]) * rstd[n];
      a += norm * dout[n * C + c];
      b += dout[n * C + c];
    }
    dw[c] = a;
    db[c] = b;
  }
}

static void sum(const char *name, const float *d, int n)
{
  float *h = (float *)malloc(n * sizeof(float));
  double s = 0;
  CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) s += h[i] * (1 + i % 5);
  printf("%s %.7g\n", name, s);
  free(h);
}

int main(int argc, char **argv)
{
  int N = argc > 1 ? atoi(argv[1]) : 8, C = argc > 2 ? atoi(argv[2]) : 16;
  int HW = argc > 3 ? atoi(argv[3]) : 49, reps = argc > 4 ? atoi(argv[4]) : 1;
  int total = N * C * HW, rows = N * HW;
  float *x, *y, *m, *v, *w, *b, *h = (float *)malloc(total * sizeof(float));
  for (int i = 0; i < total; i++) h[i] = (i * 29 % 113) / 50.f - 1;
  CHECK(cudaMalloc(&x, total * 4));
  CHECK(cudaMalloc(&y, total * 4));
  CHECK(cudaMalloc(&m, (rows + C) * 4));
  CHECK(cudaMalloc(&v, (rows + C) * 4));
  CHECK(cudaMalloc(&w, C * 4));
  CHECK(cudaMalloc(&b, C * 4));
  CHECK(cudaMemcpy(x, h, total * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(w, h, C * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, h, C * 4, cudaMemcpyHostToDevice));
  for (int r = 0; r < reps; r++) {
    layernorm_forward<<<(rows + 255) / 256, 256>>>(y, m, v, x, w, b, rows, C);
    if (r == reps - 1) sum("layernorm", y, total);
    layernorm_grad_weight<<<(C + 127) / 128, 128>>>(y, x, m, v, w, b, rows, C);
    if (r == reps - 1) sum("dweight", w, C);
    CHECK(cudaMemcpy(w, h, C * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h, C * 4, cudaMemcpyHostToDevice));
    rmsnorm<<<(rows + 255) / 256, 256>>>(y, x, w, rows, C);
    if (r == reps - 1) sum("rmsnorm", y, total);
    batchnorm_stats<<<(C + 63) / 64, 64>>>(x, m, v, N, C, HW);
    if (r == reps - 1) sum("var", v, C);
    batchnorm_apply<<<(total + 255) / 256, 256>>>(x, y, m, v, w, b, N, C, HW);
    if (r == reps - 1) sum("batchnorm", y, total);
    groupnorm<<<(N * 4 + 63) / 64, 64>>>(x, y, w, b, N, C, HW, 4);
    if (r == reps - 1) sum("groupnorm", y, total);
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
