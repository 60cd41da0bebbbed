// args: --mapping=always
// Loops by which the threads of a launch share elements, without another loop in them: counters and
// ends of each type, `while` and a counter in front, steps with a name; elements of 1 to 8 bytes;
// and loops whose counter is named elsewhere, whose step is another one, or that skip elements,
// which stay.
#include <cstdio>
#include <cstdlib>

#define ID (blockIdx.x * blockDim.x + threadIdx.x)

struct sizes {
  size_t n;
  int apart;
};

template <class T> __global__ void by_int(T *c, const T *a, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    c[i] = a[i] * 2 + 1;
}

template <class T> __global__ void by_size(T *c, const T *a, size_t n)
{
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    c[i] = a[i] * 2 + 2;
}

template <class T> __global__ void by_unsigned(T *c, const T *a, unsigned n)
{
  unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = ID; i < n; i += stride) c[i] += a[i] * 2;
}

template <class T> __global__ void by_long(T *c, const T *a, long long n)
{
  long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < n; i += (long long)blockDim.x * gridDim.x) c[i] = a[i] * 2 + 3;
}

template <class T> __global__ void by_while(T *c, const T *a, int n)
{
  int i = ID;
  while (i < n) {
    c[i] = a[i] * 2 + 4;
    i += blockDim.x * gridDim.x;
  }
}

template <class T> __global__ void counter_in_front(T *c, const T *a, int n)
{
  int i = threadIdx.x + blockDim.x * blockIdx.x, stride = gridDim.x * blockDim.x;
  for (; i < n; i += stride) c[i] = a[i] * 2 + 5;
}

template <class T> __global__ void by_member(T *c, const T *a, sizes s)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < s.n;
       i += (size_t)blockDim.x * gridDim.x)
    c[i] = a[i] * 2 + s.apart;
}

template <class T> __global__ void in_place(T *c, int n)
{
  for (int i = ID; i < n; i += gridDim.x * blockDim.x) c[i] = c[i] > 0 ? c[i] : 0;
}

// another declaration names the counter
__global__ void named(int *c, const int *a, int n)
{
  int i = ID, first = i;
  for (; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + first;
}

// all iterations of a thread, and those alone, read what it has loaded in front
__global__ void loaded(int *c, const int *a, int n)
{
  int own = a[ID % n];
  for (int i = ID; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + own;
}

// every other element of the thread's
__global__ void skipping(int *c, const int *a, int n)
{
  int i = ID;
  while (i < n) {
    c[i] = a[i];
    if (a[i] > 0) i += blockDim.x * gridDim.x;
    i += blockDim.x * gridDim.x;
  }
}

// the step stands in front of the store
__global__ void stepped_first(int *c, const int *a, int n)
{
  int i = ID;
  while (i < n) {
    int v = a[i];
    i += blockDim.x * gridDim.x;
    if (i < n) c[i] = v;
  }
}

static int wrong;

static void expect(const char *what, int n, int at, double is, double should)
{
  if (is != should && wrong++ < 10) printf("%s, %d [%d]: %g, not %g\n", what, n, at, is, should);
}

#define TRY(name, launch, value) \
  cudaMemset(dc, 1, bytes); \
  launch; \
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost); \
  cudaMemset(dc, 1, bytes); \
  cudaMemcpy(was, dc, bytes, cudaMemcpyDeviceToHost); \
  for (int i = 0; i < n; i++) expect(name, n, i, (double)c[i], (double)(T)(value)); \
  expect("behind " name, n, n, (double)c[n], (double)was[n]);

template <class T> struct arrays {
  size_t bytes;
  T *a, *c, *was, *da, *dc;

  arrays(int most)
  {
    bytes = (most + 1) * sizeof(T);
    a = (T *)malloc(bytes), c = (T *)malloc(bytes), was = (T *)malloc(bytes);
    cudaMalloc(&da, bytes), cudaMalloc(&dc, bytes);
    for (int i = 0; i <= most; i++) a[i] = (T)(i * 7 % 61 - 30);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  }

  ~arrays() { free(a), free(c), free(was), cudaFree(da), cudaFree(dc); }
};

#define ARRAYS(type, most) \
  typedef type T; \
  arrays<T> all_arrays(most); \
  size_t bytes = all_arrays.bytes; \
  T *a = all_arrays.a, *c = all_arrays.c, *was = all_arrays.was, *da = all_arrays.da, \
    *dc = all_arrays.dc;

static void try_spellings(int n, int blocks)
{
  ARRAYS(float, n)
  TRY("by_int", (by_int<float><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 1)
  TRY("by_size", (by_size<float><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 2)
  TRY("by_unsigned", (by_unsigned<float><<<blocks, 64>>>(dc, da, n)), was[i] + a[i] * 2)
  TRY("by_long", (by_long<float><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 3)
  TRY("by_while", (by_while<float><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 4)
  TRY("counter_in_front", (counter_in_front<float><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 5)
  sizes s = {(size_t)n, 6};
  TRY("by_member", (by_member<float><<<blocks, 64>>>(dc, da, s)), a[i] * 2 + 6)
  TRY("in_place", (in_place<float><<<blocks, 64>>>(dc, n)), was[i] > 0 ? was[i] : 0)
}

static void try_bytes(int n, int blocks)
{
  ARRAYS(signed char, n)
  TRY("by_int, bytes", (by_int<signed char><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 1)
  TRY("by_size, bytes", (by_size<signed char><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 2)
  TRY("by_unsigned, bytes", (by_unsigned<signed char><<<blocks, 64>>>(dc, da, n)),
      was[i] + a[i] * 2)
}

static void try_shorts(int n, int blocks)
{
  ARRAYS(short, n)
  TRY("by_while, shorts", (by_while<short><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 4)
  TRY("by_long, shorts", (by_long<short><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 3)
}

static void try_wide(int n, int blocks)
{
  ARRAYS(double, n)
  TRY("by_int, doubles", (by_int<double><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 1)
  TRY("by_size, doubles", (by_size<double><<<blocks, 64>>>(dc, da, n)), a[i] * 2 + 2)
  TRY("counter_in_front, doubles", (counter_in_front<double><<<blocks, 64>>>(dc, da, n)),
      a[i] * 2 + 5)
}

static void try_others(int n, int blocks)
{
  ARRAYS(int, n)
  int all = blocks * 64;
  TRY("named", (named<<<blocks, 64>>>(dc, da, n)), a[i] + i % all)
  TRY("loaded", (loaded<<<blocks, 64>>>(dc, da, n)), a[i] + a[i % all % n])
  TRY("stepped_first", (stepped_first<<<blocks, 64>>>(dc, da, n)), i < all ? was[i] : a[i - all])
  cudaMemset(dc, 1, bytes);
  skipping<<<blocks, 64>>>(dc, da, n);
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
  for (int k = 0; k < all; k++)
    for (int i = k; i < n; i += all) {
      expect("skipping", n, i, c[i], a[i]);
      if (a[i] > 0 && (i += all) < n) expect("skipped", n, i, c[i], was[i]);
    }
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 20000;
  for (int k = 0; k < 3; k++) {
    int n = k == 0 ? most : k == 1 ? 4097 : 130, blocks = k == 2 ? 5 : 7;
    try_spellings(n, blocks), try_bytes(n, blocks), try_shorts(n, blocks), try_wide(n, blocks);
    try_others(n, blocks);
  }
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
