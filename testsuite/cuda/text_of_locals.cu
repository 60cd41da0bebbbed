// Text that names a local, or the function it stands in, is printed in kernels where the local is
// an array, a register of another name, or gone.
#include <cstdio>
#include <cstdlib>

enum { N = 128 };

template <int TIMES> __device__ int times(int x) { return x * TIMES; }
template <class T> __device__ T as(int x) { return (T)x; }
template <class T> struct Size { enum { bytes = sizeof(T) }; };

__global__ void size_of_sum(int *c, const int *a, const int *b, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum + (int)sizeof(sum);
}

__global__ void size_of_name(int *c, const int *a, const int *b, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum + (int)sizeof(__func__);
}

__global__ void told_by_type(int *c, const int *a, const int *b, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  short sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = as<decltype(sum)>(sum * 7777) + Size<decltype(sum)>::bytes;
}

__global__ void told_by_number(int *c, const int *a, const int *b, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  constexpr int factor = 3;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += times<factor>(a[i * n + k]) * b[k * n + j];
  c[i * n + j] = times<factor + 1>(sum);
}

// the head is an argument of a macro
#define KERNEL(...) __global__ void __VA_ARGS__

KERNEL(in_a_macro(int *c, const int *a, const int *b, int n))
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k];
  c[i * n + j] = sum + b[j];
}

static int a[N * N], b[N * N], c[N * N];

static int expected(int which, int i, int j, int n)
{
  int sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[which == 4 ? k : k * n + j];
  if (which == 0) return sum + 4;
  if (which == 1) return sum + (int)sizeof "size_of_name";
  if (which == 2) return (short)((short)sum * 7777) + 2;
  return which == 3 ? sum * 12 : sum + b[j];
}

int main()
{
  int *da, *db, *dc, wrong = 0;
  for (int i = 0; i < N * N; i++) a[i] = i % 7 - 3, b[i] = i % 11 - 5;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  const int sizes[] = {N, 75};
  for (int n : sizes)
    for (int which = 0; which < 5; which++) {
      dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
      if (which == 0) size_of_sum<<<grid, block>>>(dc, da, db, n);
      if (which == 1) size_of_name<<<grid, block>>>(dc, da, db, n);
      if (which == 2) told_by_type<<<grid, block>>>(dc, da, db, n);
      if (which == 3) told_by_number<<<grid, block>>>(dc, da, db, n);
      if (which == 4) in_a_macro<<<grid, block>>>(dc, da, db, n);
      cudaMemcpy(c, dc, n * n * sizeof *c, cudaMemcpyDeviceToHost);
      for (int i = 0; i < n * n; i++)
        if (c[i] != expected(which, i / n, i % n, n) && !wrong++)
          printf("kernel %d, n %d: element %d is %d\n", which, n, i, c[i]);
    }
  if (wrong) return printf("%d wrong\n", wrong), 1;
  printf("ok\n");
}
