// Filters whose indices stay within the image in the ways that people write it: choices, functions
// with one return and with several, both orders of min and max, reflection, and rows that wrap
// around.
#include <cstdio>
#include <cuda_runtime.h>

const int W = 333, H = 290;

__host__ __device__ inline int keep(int v, int low, int high)
{
  return v < low ? low : v > high ? high : v;
}
__host__ __device__ inline int keep_returning(int v, int low, int high)
{
  if (v < low) return low;
  if (v > high) return high;
  return v;
}
__host__ __device__ inline int nested(int v, int low, int high)
{
#ifdef __CUDA_ARCH__
  return max(low, min(v, high));
#else
  return v < low ? low : v > high ? high : v;
#endif
}
__host__ __device__ inline int reflected(int v, int n)
{
  return v < 0 ? -v : v >= n ? 2 * n - 2 - v : v;
}
template <class T> __host__ __device__ const T &pixel(const T *in, int pitch, int x, int y)
{
  return in[y * pitch + x];
}

// `at` is the row of the image from which the filter reads for its row k
#define FILTER(name, at) \
  __global__ void name(const int *in, int *out, int w, int h) \
  { \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; \
    if (x >= w || y >= h) return; \
    int sum = 0; \
    for (int k = -3; k <= 3; k++) sum = sum * 3 + in[(at)*w + x]; \
    out[y * w + x] = sum; \
  } \
  static int host_##name(int y, int k, int h) { return at; }

FILTER(low, y + k < 0 ? 0 : y + k)
FILTER(high, y + k >= h ? h - 1 : y + k)
FILTER(over, y + k > h - 1 ? h - 1 : y + k)
FILTER(both, y + k < 0 ? 0 : y + k >= h ? h - 1 : y + k)
FILTER(turned, y + k >= 0 ? y + k < h ? y + k : h - 1 : 0)
FILTER(mirrored, y + k < 0 ? -(y + k) : y + k >= h ? 2 * h - 2 - (y + k) : y + k)
FILTER(wrapped, y + k < 0 ? y + k + h : y + k >= h ? y + k - h : y + k)
FILTER(called, keep(y + k, 0, h - 1))
FILTER(called_returning, keep_returning(y + k, 0, h - 1))
FILTER(called_nested, nested(y + k, 0, h - 1))
FILTER(called_reflected, reflected(y + k, h))
FILTER(inner_edge, keep(y + k, 2, h - 5))

__global__ void through_pixel(const int *in, int *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      sum = sum * 3 + pixel(in, w, keep(x + i, 0, w - 1), keep(y + j, 0, h - 1));
  out[y * w + x] = sum;
}

static int *in, *out;

static int different(const char *name, int (*row)(int, int, int))
{
  int bad = 0;
  cudaDeviceSynchronize();
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int sum = 0;
      for (int k = -3; k <= 3; k++) sum = sum * 3 + in[row(y, k, H) * W + x];
      bad += out[y * W + x] != sum;
    }
  if (bad) printf("%s: %d wrong\n", name, bad);
  return bad;
}

// Statements: in a sum of calls all launches may come before the first comparison.
#define TEST(name) \
  name<<<grid, block>>>(in, out, W, H); \
  bad += different(#name, host_##name);

int main()
{
  int bad = 0;
  dim3 block(32, 8), grid((W + 31) / 32, (H + 7) / 8);
  cudaMallocManaged(&in, W * (H + 8) * sizeof(int)); // four rows on each side
  cudaMallocManaged(&out, W * H * sizeof(int));
  in += 4 * W;
  for (int i = -4 * W; i < W * (H + 4); i++) in[i] = (i + 4 * W) * 7 % 1001;
  TEST(low)
  TEST(high)
  TEST(over)
  TEST(both)
  TEST(turned)
  TEST(mirrored)
  TEST(wrapped)
  TEST(called)
  TEST(called_returning)
  TEST(called_nested)
  TEST(called_reflected)
  TEST(inner_edge)
  through_pixel<<<grid, block>>>(in, out, W, H);
  cudaDeviceSynchronize();
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int sum = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          sum = sum * 3 + in[keep(y + j, 0, H - 1) * W + keep(x + i, 0, W - 1)];
      bad += out[y * W + x] != sum;
    }
  puts(bad ? "wrong" : "ok");
  return bad != 0;
}
