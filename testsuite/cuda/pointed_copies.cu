// launches: plain
// Launches through pointers to kernels, of arguments that no copy can be made of; nothing in front
// of a launch converts them, as the launches of this unit need no runtime.
#include <cstdio>

struct array {
  int *data;
  explicit array(int n) { cudaMalloc(&data, n * sizeof(int)); }
  ~array() { cudaFree(data); }
  array(const array &) = delete;
  operator int *() const { return data; }
};

__global__ void add(int *a, int n, float by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += by;
}

__global__ void multiply(int *a, int n, float by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}

template <class T> struct operation {
  void (*call)(T *, int, float);
  void on(const array &a, int n, float by) const { call<<<3, 50>>>(a, n, by); }
};

int main()
{
  enum { N = 137 };
  array a(N);
  int h[N], wrong = 0;
  void (*table[])(int *, int, float) = {add, multiply};
  auto one = table[0];

  cudaMemset(a, 0, sizeof h);
  one<<<3, 50>>>(a, N, 3);
  for (int k = 0; k < 2; k++) table[k]<<<3, 50>>>(a, N, 4);
  (*table)<<<3, 50>>>(a, N, 5);
  (h[0] == h[0] ? multiply : add)<<<3, 50>>>(a, N, 2);
  operation<int>{add}.on(a, N, 1);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) wrong += h[i] != ((3 + 4) * 4 + 5) * 2 + 1;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
