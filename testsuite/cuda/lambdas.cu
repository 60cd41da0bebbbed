// nvcc: --extended-lambda
// Device lambdas passed to kernels, and captured values.
#include <cstdio>

template <class F> __global__ void for_each(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

int main() {
  const int n = 300;
  int *data;
  cudaMallocManaged(&data, n * sizeof(int));
  int factor = 3;
  for_each<<<(n + 63) / 64, 64>>>(n, [=] __device__(int i) { data[i] = i * factor; });
  auto add = [=] __host__ __device__(int i) { data[i] += 1; };
  for_each<<<(n + 63) / 64, 64>>>(n, add);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    if (data[i] != 3 * i + 1) return 1;
  cudaFree(data);
  std::printf("ok\n");
  return 0;
}
