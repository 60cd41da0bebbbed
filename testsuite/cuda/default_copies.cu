// launches: plain
// Launches that leave arguments out, of objects that no copy can be made of; nothing in front of a
// launch converts them, as the launches of this unit need no runtime.
#include <cstdio>

struct array {
  int *data;
  explicit array(int n) { cudaMalloc(&data, n * sizeof(int)); }
  ~array() { cudaFree(data); }
  array(const array &) = delete;
  operator int *() const { return data; }
};

struct sizes {
  unsigned few : 5, many : 11;
};

__global__ void add(int *a, int n = 137, int by = 3)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += by;
}

__global__ void scale(int *a, float by)
{
  a[threadIdx.x] *= by;
}

__global__ void scale(int *a, int n, int by = 2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}

template <class T> __global__ void above(T *a, T least, unsigned char n = 137)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] < least) a[i] = least;
}

int main()
{
  enum { N = 137 };
  array a(N);
  sizes s = {20, 100};
  int h[N], wrong = 0;

  cudaMemset(a, 0, sizeof h);
  add<<<3, 50>>>(a);
  add<<<3, 50>>>(a, s.many);
  scale<<<3, 50>>>(a, N);
  scale<<<1, 10>>>(a, 2.5f);
  above<int><<<3, 50>>>(a, s.few);
  above<int><<<3, 50>>>(a, 22.9, s.many);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) wrong += h[i] != (i < 10 ? 30 : i < 100 ? 22 : 20);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
