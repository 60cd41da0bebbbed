// Constant memory, device variables, symbols.
#include <cstdio>

struct Poly { float c[4]; int degree; };
__constant__ Poly poly;
__constant__ int table[8] = {1, 1, 2, 3, 5, 8, 13, 21};
__device__ int counter;
static __device__ float results[64];

__device__ float eval(const Poly &p, float x) {
  float y = 0;
  for (int i = p.degree; i >= 0; i--) y = y * x + p.c[i];
  return y;
}

__global__ void run() {
  int i = threadIdx.x;
  results[i] = eval(poly, (float)i) + table[i % 8];
  atomicAdd(&counter, 1);
}

int main() {
  Poly p = {{1, 2, 3, 0}, 2};
  int n = 5;
  float out[64];
  cudaMemcpyToSymbol(poly, &p, sizeof p);
  cudaMemcpyToSymbol(counter, &n, sizeof n);
  run<<<1, 64>>>();
  cudaMemcpyFromSymbol(out, results, sizeof out);
  cudaMemcpyFromSymbol(&n, counter, sizeof n);
  int *address;
  size_t size;
  if (cudaGetSymbolAddress((void **)&address, counter) != cudaSuccess) return 1;
  if (cudaGetSymbolSize(&size, results) != cudaSuccess || size != sizeof results) return 2;
  const int fib[8] = {1, 1, 2, 3, 5, 8, 13, 21};
  for (int i = 0; i < 64; i++)
    if (out[i] != 1.0f + 2 * i + 3 * i * i + fib[i % 8]) return 3;
  std::printf("%d\n", n);
  return n != 69;
}
