// Histogram with atomics in shared memory, merged with atomics in device memory.
#include <cstdio>
#include <cstring>

const int BINS = 256;

__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}

int main() {
  const int n = 1 << 18;
  unsigned char *host = new unsigned char[n], *data;
  unsigned *bins, expected[BINS] = {}, result[BINS];
  unsigned x = 12345;
  for (int i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    expected[host[i] = (unsigned char)(x >> 24)]++;
  }
  cudaMalloc(&data, n);
  cudaMalloc(&bins, sizeof result);
  cudaMemcpy(data, host, n, cudaMemcpyDefault);
  cudaMemset(bins, 0, sizeof result);
  histogram<<<64, 192>>>(data, n, bins);
  cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%u %u\n", result[0], result[255]);
  return std::memcmp(result, expected, sizeof result) != 0;
}
