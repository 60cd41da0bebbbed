// Inclusive prefix sum in dynamic shared memory, double-buffered.
#include <cstdio>
#include <vector>

__global__ void scan(const int *in, int *out, int *totals, int n) {
  extern __shared__ int buffer[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0;
  buffer[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    int to = 1 - from;
    int v = buffer[from * blockDim.x + t];
    if (t >= step) v += buffer[from * blockDim.x + t - step];
    buffer[to * blockDim.x + t] = v;
    from = to;
    __syncthreads();
  }
  if (i < n) out[i] = buffer[from * blockDim.x + t];
  if (t == blockDim.x - 1) totals[blockIdx.x] = buffer[from * blockDim.x + t];
}

__global__ void add_totals(int *out, const int *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int before = 0;
  for (int b = 0; b < blockIdx.x; b++) before += totals[b];
  if (i < n) out[i] += before;
}

int main() {
  const int n = 5000, block = 256, blocks = (n + block - 1) / block;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; i++) in[i] = i % 7 - 2;
  int *d_in, *d_out, *d_totals;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_totals, blocks * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<blocks, block, 2 * block * sizeof(int)>>>(d_in, d_out, d_totals, n);
  add_totals<<<blocks, block>>>(d_out, d_totals, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < n; i++)
    if ((sum += in[i]) != out[i]) return std::printf("wrong at %d\n", i), 1;
  std::printf("total %d\n", sum);
  return 0;
}
