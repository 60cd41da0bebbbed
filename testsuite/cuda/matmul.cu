// Tiled matrix product with rectangular sizes.
#include <cstdio>
#include <vector>

const int T = 16;

__global__ void matmul(const int *a, const int *b, int *c, int m, int n, int k) {
  __shared__ int sa[T][T], sb[T][T];
  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x, sum = 0;
  for (int t = 0; t < (k + T - 1) / T; t++) {
    int ka = t * T + threadIdx.x, kb = t * T + threadIdx.y;
    sa[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0;
    sb[threadIdx.y][threadIdx.x] = kb < k && col < n ? b[kb * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < T; i++) sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

int main() {
  const int m = 50, n = 70, k = 33;
  std::vector<int> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; i++) a[i] = i % 11 - 5;
  for (int i = 0; i < k * n; i++) b[i] = i % 13 - 6;
  int *da, *db, *dc;
  cudaMalloc(&da, a.size() * sizeof(int));
  cudaMalloc(&db, b.size() * sizeof(int));
  cudaMalloc(&dc, c.size() * sizeof(int));
  cudaMemcpy(da, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
  matmul<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(da, db, dc, m, n, k);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
      if (c[i * n + j] != sum) return 1;
    }
  std::printf("%d\n", c[0]);
  return 0;
}
