// args: --mapping=always
// launches: plain
// Arguments in braces, of structures, numbers and pointers; bit-fields, members of packed structures,
// constant members of classes that have no memory; defaults beside them.
#include <cstdio>

enum { SIZE = 2048 };

struct rows {
  int *data;
  int count, length, factor;
};

struct narrow {
  unsigned count : 7, length : 5;
};

struct __attribute__((packed)) packed {
  char before;
  int count;
  int *data;
};

struct limits {
  static const int count = 20; // no definition: it has no address
  static constexpr int length = 4;
};

__global__ void sum(rows r, int first = 0)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= r.count) return;
  int s = first;
  for (int j = 0; j < r.length; j++) s += r.data[i * r.length + j];
  r.data[i * r.length] = s * r.factor;
}

__global__ void sum_of(int *data, int count, int length)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int s = 0;
  for (int j = 0; j < length; j++) s += data[i * length + j];
  data[i * length] = s;
}

// Its launch has a condition on a number.
__global__ void sum_once(float *data, int count, int length)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float s = 0;
  for (int j = 0; j < length; j++) s += data[i * length + j];
  data[i * length] = s;
}

template <class T> __global__ void add(T *data, T by, int count, int times = 2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; i < count && k < times; k++) data[i] += by;
}

static int *device, host[SIZE], wanted[SIZE];

static void want_sum(int *data, int count, int length, int factor)
{
  for (int i = 0; i < count; i++) {
    int s = 0;
    for (int j = 0; j < length; j++) s += data[i * length + j];
    data[i * length] = s * factor;
  }
}

static void want_add(int by, int count)
{
  for (int i = 0; i < count; i++) wanted[i] += by;
}

static int differs(const char *what)
{
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int i = 0; i < SIZE; i++)
    if (host[i] != wanted[i]) {
      printf("%s: [%d] is %d, not %d\n", what, i, host[i], wanted[i]);
      return 1;
    }
  return 0;
}

static int once(int length)
{
  float values[512], sums[512], *data;
  for (int i = 0; i < 512; i++) values[i] = i * 5 % 11;
  if (cudaMalloc(&data, sizeof values) != cudaSuccess) return 1;
  cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice);
  sum_once<<<1, 32>>>({data}, {7}, {length});
  cudaMemcpy(sums, data, sizeof values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 7; i++) {
    float s = 0;
    for (int j = 0; j < length; j++) s += values[i * length + j];
    if (sums[i * length] != s) {
      printf("once: [%d] is %g, not %g\n", i, sums[i * length], s);
      return 1;
    }
  }
  return cudaFree(data) != cudaSuccess;
}

int main(int count, char **)
{
  int length = 12 + count; // unknown to the translation
  narrow bits;
  packed tight = {1, 9, nullptr};
  bits.count = 100;
  bits.length = 17;
  for (int i = 0; i < SIZE; i++) wanted[i] = i * 7 % 13 - 5;
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return 1;
  cudaMemcpy(device, wanted, sizeof host, cudaMemcpyHostToDevice);
  tight.data = device;

  sum<<<2, 32>>>({device, 40, 16, 3});
  want_sum(wanted, 40, 16, 3);
  sum<<<2, 32>>>({device, 30, 8, 1}, {0});
  want_sum(wanted, 30, 8, 1);
  if (differs("a structure in braces")) return 1;

  sum_of<<<4, 32>>>({device}, {100}, {17});
  want_sum(wanted, 100, 17, 1);
  sum_of<<<4, 32>>>({device}, 10, {});
  want_sum(wanted, 10, 0, 1);
  if (differs("numbers in braces") || once(length)) return 1;

  sum_of<<<4, 32>>>(device, bits.count, bits.length);
  want_sum(wanted, 100, 17, 1);
  if (differs("bit-fields")) return 1;

  sum_of<<<4, 32>>>(tight.data, tight.count, 5);
  want_sum(wanted, 9, 5, 1);
  if (differs("members of a packed structure")) return 1;

  sum_of<<<1, 32>>>(device, limits::count, limits::length);
  want_sum(wanted, 20, 4, 1);
  add<<<1, 32>>>(device, 5, limits::count);
  want_add(10, 20);
  add<int><<<4, 32>>>(device, bits.length, bits.count);
  want_add(34, 100);
  add<int><<<4, 32>>>(device, 2, {(int)bits.count}, {3});
  want_add(6, 100);
  if (differs("constant members")) return 1;

  printf("ok\n");
  return cudaFree(device) != cudaSuccess;
}
