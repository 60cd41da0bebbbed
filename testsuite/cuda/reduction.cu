// Sum by shared memory, warp shuffles and an atomic; a template over the block size.
#include <cstdio>

template <unsigned Block> __global__ void sum(const int *in, unsigned long long *out, int n) {
  __shared__ int s[Block];
  unsigned t = threadIdx.x;
  int v = 0;
  for (int i = blockIdx.x * Block + t; i < n; i += gridDim.x * Block) v += in[i];
  s[t] = v;
  __syncthreads();
#pragma unroll
  for (unsigned half = Block / 2; half >= 32; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    v = s[t];
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
    if (t == 0) atomicAdd(out, (unsigned long long)v);
  }
}

int main() {
  const int n = 100000;
  int *in, *host = new int[n];
  unsigned long long *out, expected = 0, result[2];
  for (int i = 0; i < n; i++) host[i] = i % 1000, expected += i % 1000;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof *out);
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 2 * sizeof *out);
  sum<128><<<40, 128>>>(in, out, n);
  sum<64><<<dim3(7), dim3(64)>>>(in, out + 1, n);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%llu %llu\n", result[0], result[1]);
  cudaFree(in);
  cudaFree(out);
  delete[] host;
  return result[0] != expected || result[1] != expected;
}
