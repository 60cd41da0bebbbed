// Whole float4 and struct elements assigned, local arrays with initialiser lists, a user barrier between.
#include <cstdio>

struct pair { float x, y; };

__global__ void flip(const float4 *p, float4 *a, pair *b) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float4 v;
  v = p[i];
  a[i] = v;
  __syncthreads();
  float4 w = a[blockIdx.x * 64 + 63 - t];
  __syncthreads();
  a[i] = make_float4(w.x, w.y, w.z, v.w);
  float s[4] = {0, 0, 0, 0}, m[2][2] = {{1, 2}, {3}};
  for (int k = 0; k < 4; k++) s[k] += v.x * k + m[k / 2][k % 2];
  pair r;
  r = b[i];
  r.x += s[1] + s[2];
  b[i] = r;
  b[i].y = s[3];
}

int main() {
  static float4 in[256], out[256];
  static pair pairs[256];
  float4 *p, *a;
  pair *b;
  cudaMalloc(&p, sizeof in);
  cudaMalloc(&a, sizeof out);
  cudaMalloc(&b, sizeof pairs);
  for (int i = 0; i < 256; i++) {
    in[i] = make_float4(i, i + 1, i + 2, i + 3);
    pairs[i] = {i * 2.0f, -1};
  }
  cudaMemcpy(p, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(b, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  flip<<<4, 64>>>(p, a, b);
  cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(pairs, b, sizeof pairs, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i++) {
    int j = i / 64 * 64 + 63 - i % 64;
    if (out[i].x != j || out[i].y != j + 1 || out[i].z != j + 2 || out[i].w != i + 3) return 1;
    if (pairs[i].x != i * 2 + (i + 2) + (i * 2 + 3) || pairs[i].y != i * 3) return 2;
  }
  std::printf("%g\n", out[0].x);
  return 0;
}
