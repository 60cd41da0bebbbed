// Launches through pointers to kernels: of a table, a parameter, a member. The arguments are
// objects of a class that may not be copied and converts to the pointers that the kernels take.
#include <cstdio>

template <class T> class array {
  T *data;

public:
  explicit array(int n) { cudaMalloc(&data, n * sizeof(T)); }
  ~array() { cudaFree(data); }
  array(const array &) = delete;
  operator T *() { return data; }
  operator const T *() const { return data; }
};

typedef void (*kernel)(const float *, const float *, float *, int);

__global__ void add(const float *a, const float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] * b[i];
}

struct named {
  const char *name;
  kernel call;
};

static void launch(kernel k, const array<float> &a, const array<float> &b, array<float> &c, int n)
{
  k<<<(n + 63) / 64, 64>>>(a, b, c, n);
}

int main()
{
  const int n = 1000;
  const named table[] = {{"add", add}, {"multiply", &multiply}};
  array<float> a(n), b(n), c(n);
  float left[n], right[n], result[n];
  int wrong = 0;
  for (int i = 0; i < n; i++) left[i] = i % 17 - 8, right[i] = i % 13;
  cudaMemcpy(a, left, sizeof left, cudaMemcpyHostToDevice);
  cudaMemcpy(b, right, sizeof right, cudaMemcpyHostToDevice);
  for (int k = 0; k < 4; k++) {
    if (k < 2)
      table[k].call<<<(n + 127) / 128, 128>>>(a, b, c, n);
    else
      launch(table[k - 2].call, a, b, c, n);
    cudaMemcpy(result, c, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
      wrong += result[i] != (k % 2 ? left[i] * right[i] : left[i] + right[i]);
    cudaMemset(c, 0, sizeof result);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
