// Double buffering with the pipeline primitives, cache-hint loads, stream-ordered allocation.
#include <cstdio>
#include <cuda_pipeline.h>
#include <vector>

__global__ void sums(const float4 *in, float *out, int tiles) {
  __shared__ float4 buffer[2][64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&buffer[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 v = buffer[k % 2][63 - t];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  out[t] = sum + __ldg(&out[64]) * 0.0f;
}

int main() {
  const int tiles = 5;
  std::vector<float> in(tiles * 256);
  float out[65], *d_in, *d_out;
  for (size_t i = 0; i < in.size(); i++) in[i] = i % 17;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&d_in, in.size() * sizeof(float), stream);
  cudaMallocAsync((void **)&d_out, sizeof out, stream);
  cudaMemcpyAsync(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(d_out, 0, sizeof out, stream);
  sums<<<1, 64, 0, stream>>>((const float4 *)d_in, d_out, tiles);
  cudaMemcpyAsync(out, d_out, sizeof out, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(d_in, stream);
  cudaFreeAsync(d_out, stream);
  cudaStreamSynchronize(stream);
  for (int t = 0; t < 64; t++) {
    float sum = 0;
    for (int k = 0; k < tiles; k++)
      for (int j = 0; j < 4; j++) sum += in[k * 256 + (63 - t) * 4 + j];
    if (out[t] != sum) return 1;
  }
  std::printf("%g\n", out[0]);
  return cudaStreamDestroy(stream) != cudaSuccess;
}
