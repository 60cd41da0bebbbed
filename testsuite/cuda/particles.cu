// Classes with methods in kernels, vector types, math functions, 3-D launches, malloc and printf in a kernel.
#include <cmath>
#include <cstdio>

struct Particle {
  float4 position;
  float3 velocity;
  __host__ __device__ void move(float dt) {
    position.x += velocity.x * dt;
    position.y += velocity.y * dt;
    position.z += velocity.z * dt;
  }
};

inline __host__ __device__ float3 operator*(float3 a, float f) { return make_float3(a.x * f, a.y * f, a.z * f); }

__global__ void init(Particle *p, dim3 size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= size.x || y >= size.y || z >= size.z) return;
  int i = (z * size.y + y) * size.x + x;
  p[i].position = make_float4(x, y, z, 1.0f);
  p[i].velocity = make_float3(1, 2, 3) * 0.5f;
}

__global__ void advance(Particle *p, int n, float *radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int *scratch = (int *)malloc(4 * sizeof(int));
  for (int k = 0; k < 4; k++) scratch[k] = k;
  for (int k = 0; k < scratch[3] + 1; k++) p[i].move(0.5f);
  free(scratch);
  float3 v = p[i].velocity;
  radius[i] = sqrtf(fmaxf(v.x, 0.f) * 8 + max(0, 5)) + fabsf(-1.f) + min(v.z, 1.0f) + (float)abs(-2) + floorf(2.5f);
  if (i == 0) printf("%.1f %.1f %.1f\n", p[i].position.x, p[i].position.y, p[i].position.z);
}

int main() {
  dim3 size(5, 6, 7), block(4, 4, 2);
  dim3 grid((size.x + block.x - 1) / block.x, (size.y + block.y - 1) / block.y, (size.z + block.z - 1) / block.z);
  const int n = 5 * 6 * 7;
  Particle *p, host[n];
  float *radius, r[n];
  cudaMalloc(&p, sizeof host);
  cudaMalloc(&radius, sizeof r);
  init<<<grid, block>>>(p, size);
  advance<<<(n + 31) / 32, 32>>>(p, n, radius);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(r, radius, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    if (host[i].position.x != i % 5 + 1.0f || host[i].position.z != i / 30 + 3.0f) return 1;
    if (r[i] != 9.0f) return 2;
  }
  return 0;
}
