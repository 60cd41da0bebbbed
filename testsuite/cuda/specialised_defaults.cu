// A specialised kernel template has the default arguments of the template itself.
#include <cstdio>
#include <cstdlib>

template <class T> __global__ void scaled(T *p, int n, T by = T(3))
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = p[i] * by + T(i);
}

template <> __global__ void scaled<char>(char *p, int n, char by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = p[i] + by;
}

template <class T> static int try_type(int expected)
{
  T *p;
  cudaMallocManaged(&p, 64 * sizeof *p);
  for (int i = 0; i < 64; i++) p[i] = 2;
  scaled<T><<<2, 32>>>(p, 50);
  scaled<<<2, 32>>>(p, 40, T(1));
  cudaDeviceSynchronize();
  int wrong = p[10] != expected || p[60] != 2;
  if (wrong) printf("%d, not %d\n", (int)p[10], expected);
  cudaFree(p);
  return wrong;
}

int main()
{
  char *p;
  cudaMallocManaged(&p, 32);
  p[5] = 4;
  scaled<char><<<1, 32>>>(p, 9);
  cudaDeviceSynchronize();
  if (try_type<int>(26) || try_type<char>(6) || p[5] != 7) return 1;
  printf("ok\n");
}
