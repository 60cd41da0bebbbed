// Static variables of device memory in kernels and device functions, which outlive a launch.
#include <cstdio>

__device__ int ticket()
{
  static __device__ int next = 100;
  return atomicAdd(&next, 1);
}

__global__ void counted(int *out)
{
  static __device__ int calls = 7;
  if (threadIdx.x == 0) atomicAdd(&calls, 2);
  __syncthreads();
  if (threadIdx.x == 1) out[0] = calls;
}

__global__ void chosen(int *out, int n)
{
  static __constant__ int of[4] = {3, 1, 4, 1};
  static __device__ const int factor = 10;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = of[i % 4] * factor;
}

__global__ void numbered(int *out)
{
  out[0] = ticket() >= 100;
  out[1] = ticket() > 100;
}

int main()
{
  enum { N = 75 };
  int *out, h[N], wrong = 0;

  cudaMalloc(&out, sizeof h);
  for (int k = 0; k < 3; k++) {
    counted<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
    wrong += h[0] != 9 + 2 * k;
  }
  chosen<<<3, 25>>>(out, N);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) wrong += h[i] != (i % 4 == 0 ? 30 : i % 4 == 2 ? 40 : 10);
  numbered<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  wrong += h[0] != 1 || h[1] != 1;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
