// cuRAND in kernels: pi by Monte Carlo; a skip ahead equals that many draws.
#include <cstdio>
#include <curand_kernel.h>

__global__ void pi(unsigned long long *hits, int draws) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, inside = 0;
  curandState state;
  curand_init(1234, id, 0, &state);
  for (int i = 0; i < draws; i++) {
    float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, (unsigned long long)inside);
}

__global__ void skip(unsigned *out) {
  curandState a, b;
  curand_init(99, 7, 1000, &a);
  curand_init(99, 7, 0, &b);
  for (int i = 0; i < 1000; i++) curand(&b);
  out[0] = curand(&a);
  out[1] = curand(&b);
  double sum = 0;
  for (int i = 0; i < 1000; i++) sum += curand_normal(&a);
  out[2] = sum > -150 && sum < 150;
}

int main() {
  unsigned long long *hits, n;
  unsigned *out, host[3];
  cudaMalloc(&hits, sizeof n);
  cudaMalloc(&out, sizeof host);
  cudaMemset(hits, 0, sizeof n);
  pi<<<16, 64>>>(hits, 100);
  skip<<<1, 1>>>(out);
  cudaMemcpy(&n, hits, sizeof n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%u\n", host[0]); // the same number on every device
  double estimate = 4.0 * n / (16 * 64 * 100);
  return !(estimate > 3.12 && estimate < 3.16) || host[0] != host[1] || host[2] != 1;
}
