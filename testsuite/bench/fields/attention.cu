// A decoder's pieces: scores with mask and temperature, softmax, values, rotary embedding, SwiGLU,
// cross entropy, Adam.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

template <typename T>
__global__ void scores(const T *q, const T *k, T *s, int heads, int t, int d, float temperature)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y,
      h = blockIdx.z;
  if (i >= t || j >= t) return;
  T acc = 0;
  for (int e = 0; e < d; e++) acc += q[(i * heads + h) * d + e] * k[(j * heads + h) * d + e];
  s[(h * t + i) * t + j] = j <= i ? acc / (sqrtf((float)d) * temperature) : -INFINITY;
}

__global__ void softmax_rows(float *s, int rows, int n)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float *x = s + r * n, m = x[0], z = 0;
  for (int j = 1; j < n; j++)
    if (x[j] > m) m = x[j];
  for (int j = 0; j < n; j++) {
    x[j] = expf(x[j] - m);
    z += x[j];
  }
  for (int j = 0; j < n; j++) x[j] /= z;
}

template <typename T> __global__ void values(const T *p, const T *v, T *o, int heads, int t, int d)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y,
      h = blockIdx.z;
  if (e >= d || i >= t) return;
  T acc = 0;
  for (int j = 0; j < t; j++) acc += p[(h * t + i) * t + j] * v[(j * heads + h) * d + e];
  o[(i * heads + h) * d + e] = acc;
}

__global__ void rope(float *x, int t, int heads, int d)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= t * heads * (d / 2)) return;
  int e = id % (d / 2), h = id / (d / 2) % heads, pos = id / (d / 2) / heads;
  float a = pos * powf(10000.f, -2.f * e / d), c = cosf(a), s = sinf(a);
  float *p = x + (pos * heads + h) * d;
  float u = p[2 * e], v = p[2 * e + 1];
  p[2 * e] = u * c - v * s;
  p[2 * e + 1] = u * s + v * c;
}

__global__ void swiglu(const float *a, const float *b, float *o, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    o[i] = a[i] / (1.f + expf(-a[i])) * b[i];
}

__global__ void cross_entropy(const float *logits, const int *target, float *loss, int rows, int n)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float m = -1e30f, z = 0;
    for (int j = 0; j < n; j++) m = fmaxf(m, logits[r * n + j]);
    for (int j = 0; j < n; j++) z += expf(logits[r * n + j] - m);
    loss[r] = logf(z) + m - logits[r * n + target[r]];
  }
}

__global__ void adam(float *w, const float *g, float *m, float *v, int n, float lr, float b1,
                     float b2, float c1, float c2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = b1 * m[i] + (1 - b1) * g[i];
  v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
  w[i] -= lr * (m[i] / c1) / (sqrtf(v[i] / c2) + 1e-8f);
}

__global__ void embedding_grad(const float *dy, const int *token, float *de, int t, int c)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= t * c) return;
  atomicAdd(&de[token[i / c] * c + i % c], dy[i]);
}

static void show(const char *name, const float *d, int n)
{
  float *h = (float *)malloc(n * sizeof *h);
  double s = 0;
  cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) s += h[i] * (1 + i % 4);
  printf("%s %.6g\n", name, s);
  free(h);
}

int main(int argc, char **argv)
{
  int t = argc > 1 ? atoi(argv[1]) : 24, heads = argc > 2 ? atoi(argv[2]) : 2,
      d = argc > 3 ? atoi(argv[3]) : 16;
  int reps = argc > 4 ? atoi(argv[4]) : 1, n = t * heads * d, V = 2 * t;
  float *q, *k, *v, *o, *s, *g, *h = (float *)malloc((n + V) * sizeof *h);
  int *tok, *ht = (int *)malloc(n * sizeof *ht);
  for (int i = 0; i < n; i++) h[i] = (i * 13 % 29 - 14) / 16.f, ht[i] = i * 7 % (t / 2);
  cudaMalloc(&q, n * 4), cudaMalloc(&k, n * 4), cudaMalloc(&v, n * 4), cudaMalloc(&o, n * 4),
      cudaMalloc(&g, n * 4);
  cudaMalloc(&s, (size_t)heads * t * t * 4), cudaMalloc(&tok, n * 4);
  cudaMemcpy(tok, ht, n * 4, cudaMemcpyHostToDevice);
  dim3 b(16, 16), gs((t + 15) / 16, (t + 15) / 16, heads), gv((d + 15) / 16, (t + 15) / 16, heads);
  for (int r = 0; r < reps; r++) {
    cudaMemcpy(q, h, n * 4, cudaMemcpyHostToDevice),
        cudaMemcpy(k, h, n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(v, h, n * 4, cudaMemcpyHostToDevice), cudaMemset(g, 0, n * 4);
    bool last = r == reps - 1;
    rope<<<(n / 2 + 255) / 256, 256>>>(q, t, heads, d);
    if (last) show("rope", q, n);
    scores<float><<<gs, b>>>(q, k, s, heads, t, d, 0.8f);
    softmax_rows<<<(heads * t + 127) / 128, 128>>>(s, heads * t, t);
    if (last) show("softmax", s, heads * t * t);
    values<float><<<gv, b>>>(s, v, o, heads, t, d);
    if (last) show("values", o, n);
    cross_entropy<<<(heads * t + 127) / 128, 128>>>(s, tok, g, heads * t, t);
    if (last) show("loss", g, heads * t);
    swiglu<<<64, 256>>>(o, v, k, n);
    if (last) show("swiglu", k, n);
    cudaMemset(g, 0, n * 4);
    embedding_grad<<<(n + 255) / 256, 256>>>(o, tok, g, t, heads * d);
    if (last) show("embedding", g, n);
    cudaMemset(s, 0, (size_t)heads * t * t * 4);
    adam<<<(n + 255) / 256, 256>>>(v, o, g, k, n, 1e-3f, 0.9f, 0.999f, 0.1f, 0.001f);
    if (last) show("adam", v, n);
  }
  cudaDeviceSynchronize();
  return 0;
}
