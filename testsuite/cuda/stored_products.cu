// args: --mapping=always
// Products that the kernels as written store, or round because a sum has two of them. Where they
// stay in registers, or are those of several elements, they are rounded as before
// (testsuite/tools/contraction.py compares the PTX). All numbers are integers.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define N 256
#define K 32
#define LINE 4096
#define IDS \
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y

// the element is a register over the loop, and its product is that of the next sum
__global__ void scaled(float *c, const float *a, const float *b, int n) {
  IDS;
  for (int k = 0; k < n; k++) c[j * N + i] = (c[j * N + i] + a[j * N + k] * b[k * N + i]) * -1.0f;
}

// what fills the tile is a product
__global__ void filled(float *c, const float *a, const float *b, int n) {
  __shared__ float s[16][16], t[16][16];
  IDS;
  int x = threadIdx.x, y = threadIdx.y;
  float v = 0;
  for (int k = 0; k < n; k += 16) {
    s[y][x] = a[j * N + k + x] * 3.0f;
    t[y][x] = b[(k + y) * N + i];
    __syncthreads();
    for (int q = 0; q < 16; q++) v += s[y][q] + t[q][x];
    __syncthreads();
  }
  c[j * N + i] = v;
}

// the left products are those of a row, the right ones those of a column
__global__ void pairs(float *c, const float *a, const float *b, const float *w, int n) {
  IDS;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[j * N + k] * w[k] + b[k * N + i] * w[k];
  c[j * N + i] = s;
}

__global__ void differences(float *c, const float *a, const float *b, float x, int n) {
  IDS;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[j * N + k] * b[k * N + i] - b[k * N + i] * x;
  c[j * N + i] = s;
}

// a product in front of the loop, which the sums of several elements would share
__global__ void in_front(float *c, const float *a, const float *b, float x, float y, int n) {
  IDS;
  float s = 0;
  for (int k = 0; k < n; k++) s += (x * y + a[j * N + k]) * b[k * N + i];
  c[j * N + i] = s;
}

// pointers that may lead to one memory
__global__ void again(float *c, const float *a, float *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = c[i] * 3.0f;
  float t = a[i + 1];
  d[i] = t * 5.0f;
  c[i] += t;
  c[i] += a[i + 2];
  d[i + LINE] = a[i + 7] * 7.0f + c[i];
}

// several launches in one: the next step reads the product
__global__ void step(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < LINE - 1) out[i] = 3.0f * (in[i - 1] - in[i + 1]);
}

static int small(int i) { return i * 7 % 5 - 2; }

static int wrong(const char *what, const std::vector<float> &found, const std::vector<float> &want) {
  for (size_t i = 0; i < found.size(); i++)
    if (found[i] != want[i]) {
      printf("%s: element %zu is %g, not %g\n", what, i, found[i], want[i]);
      return 1;
    }
  return 0;
}

int main() {
  const int all = N * N;
  std::vector<float> a(all), b(all), c(all), w(N), found(all), want(all);
  float *da, *db, *dc, *dw;
  int bad = 0;
  for (int i = 0; i < all; i++) a[i] = small(i), b[i] = small(i / 3), c[i] = small(i / 7);
  for (int i = 0; i < N; i++) w[i] = small(i + 2);
  cudaMalloc(&da, all * 4), cudaMalloc(&db, all * 4), cudaMalloc(&dc, all * 4), cudaMalloc(&dw, N * 4);
  cudaMemcpy(da, a.data(), all * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), all * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), all * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dw, w.data(), N * 4, cudaMemcpyHostToDevice);
  dim3 grid(N / 16, N / 16), block(16, 16);
  for (int kernel = 0; kernel < 5; kernel++) {
    if (kernel == 0) scaled<<<grid, block>>>(dc, da, db, K);
    if (kernel == 1) filled<<<grid, block>>>(dc, da, db, K);
    if (kernel == 2) pairs<<<grid, block>>>(dc, da, db, dw, K);
    if (kernel == 3) differences<<<grid, block>>>(dc, da, db, 3, K);
    if (kernel == 4) in_front<<<grid, block>>>(dc, da, db, 3, 5, K);
    cudaMemcpy(found.data(), dc, all * 4, cudaMemcpyDeviceToHost);
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) {
        float s = kernel ? 0 : c[j * N + i];
        for (int k = 0; k < K; k++) {
          float x = a[j * N + k], y = b[k * N + i];
          s = kernel == 0   ? -(s + x * y)
              : kernel == 1 ? s + (x * 3 + y)
              : kernel == 2 ? s + (x * w[k] + y * w[k])
              : kernel == 3 ? s + (x * y - y * 3)
                            : s + (15 + x) * y;
        }
        want[j * N + i] = s;
      }
    static const char *const names[] = {"scaled", "filled", "pairs", "differences", "in_front"};
    bad |= wrong(names[kernel], found, want);
  }
  cudaMemcpy(dc, c.data(), all * 4, cudaMemcpyHostToDevice);
  again<<<LINE / 256, 256>>>(dc, da, db);
  found.resize(2 * LINE), want.resize(2 * LINE);
  cudaMemcpy(found.data(), db, 2 * LINE * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < LINE; i++) {
    want[i] = a[i + 1] * 5;
    want[i + LINE] = a[i + 7] * 7 + (c[i] * 3 + a[i + 1] + a[i + 2]);
  }
  bad |= wrong("again", found, want);
  cudaMemcpy(db, a.data(), LINE * 4, cudaMemcpyHostToDevice);
  for (int t = 0; t < 6; t += 2) {
    step<<<LINE / 256, 256>>>(da, db);
    step<<<LINE / 256, 256>>>(db, da);
  }
  found.resize(LINE), want.assign(a.begin(), a.begin() + LINE);
  cudaMemcpy(found.data(), da, LINE * 4, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 6; t++) {
    std::vector<float> next = want;
    for (int i = 1; i < LINE - 1; i++) next[i] = 3 * (want[i - 1] - want[i + 1]);
    want = next;
  }
  bad |= wrong("step", found, want);
  cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dw);
  puts(bad ? "FAILED" : "ok");
  return bad;
}
