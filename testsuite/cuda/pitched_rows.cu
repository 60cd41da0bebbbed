// Rows that lie a number of bytes apart: as cudaMallocPitch makes them, through functions and methods, and rows of
// bytes that are no whole number of elements apart, which only the host's check of the launch tells.
#include <cstdio>
#include <cuda_runtime.h>

const int W = 333, H = 290;

struct three {
  short r, g, b; // 6 bytes
};
struct pair { // rows of them may begin in the middle of one
  short low, high;
};

template <class T> __host__ __device__ T *row_of(T *base, size_t pitch, int y)
{
  return (T *)((char *)base + y * pitch);
}
template <class T> __host__ __device__ const T *row_of(const T *base, size_t pitch, int y)
{
  return (const T *)((const char *)base + y * pitch);
}

template <class T> struct image {
  T *data;
  size_t step;
  __host__ __device__ T *ptr(int y) const { return (T *)((char *)data + y * step); }
};

// the sums of columns of seven, by which the test computes each kernel's result
#define COLUMN(element)                                                                                                \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;                            \
  if (x >= w || y >= h) return;                                                                                        \
  int sum = 0;                                                                                                         \
  for (int k = -3; k <= 3; k++) {                                                                                      \
    int at = min(max(y + k, 0), h - 1);                                                                                \
    sum = sum * 3 + element;                                                                                           \
  }

__global__ void direct(const int *in, int *out, size_t pitch, int w, int h)
{
  COLUMN(((const int *)((const char *)in + at * pitch))[x])
  ((int *)((char *)out + y * pitch))[x] = sum;
}
__global__ void by_int(const int *in, int *out, int pitch, int w, int h)
{
  COLUMN(((const int *)((const char *)in + pitch * at + x * 4))[0])
  *(int *)((char *)out + pitch * y + x * sizeof(int)) = sum;
}
__global__ void by_function(const int *in, int *out, size_t pitch, int w, int h)
{
  COLUMN(row_of(in, pitch, at)[x])
  row_of(out, pitch, y)[x] = sum;
}
__global__ void by_pointer(const int *in, int *out, size_t pitch, int w, int h)
{
  COLUMN(row_of(in, pitch, at)[x])
  int *to = (int *)((char *)out + (size_t)y * pitch);
  to[x] = sum;
}
__global__ void by_method(image<const int> in, image<int> out, size_t, int w, int h)
{
  COLUMN(in.ptr(at)[x])
  out.ptr(y)[x] = sum;
}
__global__ void of_bytes(const unsigned char *in, int *out, size_t pitch, int w, int h)
{
  COLUMN(((const unsigned char *)((const char *)in + at * pitch))[x])
  ((int *)((char *)out + y * pitch))[x] = sum;
}
__global__ void of_three(const three *in, int *out, size_t from, size_t to, int w, int h)
{
  COLUMN(row_of(in, from, at)[x].g)
  row_of(out, to, y)[x] = sum;
}
__global__ void of_pairs(const pair *in, int *out, size_t from, size_t to, int w, int h)
{
  COLUMN(row_of(in, from, at)[x].high)
  row_of(out, to, y)[x] = sum;
}

template <class Get> static int wrong(const char *name, const int *out, size_t pitch, int w, Get get)
{
  int bad = 0;
  cudaDeviceSynchronize();
  for (int y = 0; y < H; y++)
    for (int x = 0; x < w; x++) {
      int sum = 0;
      for (int k = -3; k <= 3; k++) {
        int at = y + k < 0 ? 0 : y + k > H - 1 ? H - 1 : y + k;
        sum = sum * 3 + get(x, at);
      }
      bad += row_of(out, pitch, y)[x] != sum;
    }
  if (bad) printf("%s: %d wrong\n", name, bad);
  return bad;
}

int main(int argc, char **)
{
  const size_t pitch = 1536 + 4 * argc - 4, threes = W * 6 + 6 * argc, odd = W * 4 + 2 * argc;
  int bad = 0, *in, *out;
  dim3 block(32, 8), grid((W + 31) / 32, (H + 7) / 8);
  cudaMallocManaged(&in, H * 2048);
  cudaMallocManaged(&out, H * 2048);
  for (int i = 0; i < H * 512; i++) in[i] = (i * 7 % 1001) << 16 | i * 11 % 901;
  auto element = [&](int x, int y) { return row_of(in, pitch, y)[x]; };
  direct<<<grid, block>>>(in, out, pitch, W, H);
  bad += wrong("direct", out, pitch, W, element);
  by_int<<<grid, block>>>(in, out, (int)pitch, W, H);
  bad += wrong("by_int", out, pitch, W, element);
  by_function<<<grid, block>>>(in, out, pitch, W, H);
  bad += wrong("by_function", out, pitch, W, element);
  by_pointer<<<grid, block>>>(in, out, pitch, W, H);
  bad += wrong("by_pointer", out, pitch, W, element);
  by_method<<<grid, block>>>(image<const int>{in, pitch}, image<int>{out, pitch}, pitch, W, H);
  bad += wrong("by_method", out, pitch, W, element);
  of_bytes<<<grid, block>>>((unsigned char *)in, out, pitch, W, H);
  bad += wrong("of_bytes", out, pitch, W, [&](int x, int y) { return ((unsigned char *)in)[y * pitch + x]; });
  of_three<<<grid, block>>>((three *)in, out, threes, pitch, W, H);
  bad += wrong("of_three", out, pitch, W, [&](int x, int y) { return row_of((three *)in, threes, y)[x].g; });
  of_pairs<<<grid, block>>>((pair *)in, out, odd, pitch, W, H);
  bad += wrong("of_pairs", out, pitch, W, [&](int x, int y) { return row_of((pair *)in, odd, y)[x].high; });
  puts(bad ? "wrong" : "ok");
  return bad != 0;
}
