// The lowest element of each row, and a loop that shares elements, in one unit: the headers of both
// are in the emitted text.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void lowest(const int *a, int *low, int rows, int columns)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int m = 0;
  for (int k = 0; k < columns; ++k)
    if (a[i * columns + k] % 1000 < m) m = a[i * columns + k] % 1000;
  low[i] = m;
}

__global__ void turned(const unsigned char *a, unsigned char *b, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    b[i] = 255 - a[i];
}

int main()
{
  const int rows = 300, columns = 333, n = rows * columns;
  std::vector<int> a(n), low(rows);
  std::vector<unsigned char> bytes(n), back(n);
  for (int i = 0; i < n; i++) {
    a[i] = (int)(i * 7919u % 4001u) - 2000;
    bytes[i] = (unsigned char)(i * 31);
  }
  int *device_a, *device_low;
  unsigned char *device_bytes, *device_back;
  cudaMalloc(&device_a, n * sizeof(int));
  cudaMalloc(&device_low, rows * sizeof(int));
  cudaMalloc(&device_bytes, n);
  cudaMalloc(&device_back, n);
  cudaMemcpy(device_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_bytes, bytes.data(), n, cudaMemcpyHostToDevice);
  lowest<<<(rows + 127) / 128, 128>>>(device_a, device_low, rows, columns);
  turned<<<64, 128>>>(device_bytes, device_back, n);
  cudaMemcpy(low.data(), device_low, rows * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(back.data(), device_back, n, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < rows; i++) {
    int m = 0;
    for (int k = 0; k < columns; k++)
      if (a[i * columns + k] % 1000 < m) m = a[i * columns + k] % 1000;
    wrong += low[i] != m;
  }
  for (int i = 0; i < n; i++) wrong += back[i] != 255 - bytes[i];
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
