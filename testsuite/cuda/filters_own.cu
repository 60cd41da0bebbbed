// SPDX-License-Identifier: MIT
// args: --mapping=always
// Filters whose elements share products: each element of a thread gets its own, or the kernel stays
// as it is (testsuite/tools/trees.py compares the roundings in PTX). All numbers are integers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define IDS int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INSIDE \
  IDS; \
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return

template <class T> __global__ void mean(const T *in, T *out, int w, int h, T by)
{
  IDS;
  if (x >= w || y >= h) return;
  T s = 0;
  for (int v = -2; v <= 2; v++)
    for (int u = -2; u <= 2; u++) {
      int yy = min(max(y + v, 0), h - 1), xx = min(max(x + u, 0), w - 1);
      s += in[yy * w + xx] * by;
    }
  out[y * w + x] = s;
}

__global__ void weighted(const float *in, float *out, int w, int h, float by)
{
  INSIDE;
  out[y * w + x] = 3 * in[(y - 1) * w + x] + by * in[y * w + x] + 3 * in[(y + 1) * w + x];
}

__global__ void bytes(const unsigned char *in, float *out, int w, int h, float by)
{
  INSIDE;
  out[y * w + x] =
      1 + in[(y - 1) * w + x - 1] * by + in[y * w + x] * 5.0f + in[(y + 1) * w + x + 1] * by;
}

__global__ void steps(const float *in, float *out, int w, int h, float by)
{
  INSIDE;
  float a = in[y * w + x];
  out[y * w + x] = a + (in[(y + 1) * w + x] - a) * by + (a - in[(y - 1) * w + x]) * by;
}

__global__ void difference(const float *in, float *out, int w, int h, float by)
{
  INSIDE;
  out[y * w + x] = in[y * w + x] - in[(y + 1) * w + x] * by - by * in[(y - 1) * w + x];
}

__global__ void rim(const float *in, float *out, int w, int h, float)
{
  IDS;
  if (x >= w || y >= h) return;
  out[y * w + x] = in[y * w + x] + (y > 0 ? in[(y - 1) * w + x] : 0) * 3 +
                   7.0f * (y < h - 1 ? in[(y + 1) * w + x] : 0);
}

__global__ void maximum(const float *in, float *out, int w, int h, float by)
{
  INSIDE;
  out[y * w + x] = fmaxf(in[y * w + x - 1] * by, 5) + (1 + in[y * w + x + 1] * by);
}

static long wrong;

template <class T, class Value>
static void check(const char *name, const T *out, int w, int h, int rim, Value value)
{
  for (int y = rim; y < h - rim; y++)
    for (int x = rim; x < w - rim; x++)
      if (out[y * w + x] != (T)value(x, y) && wrong++ < 10)
        printf("%s %d x %d: out[%d][%d] = %g, not %g\n", name, w, h, y, x, (double)out[y * w + x],
               (double)value(x, y));
}

static int pixel(int x, int y) { return (x * 7 + y * 13 + x * y % 5) % 31; }

template <class From, class T> struct Image {
  int w, h;
  From *in;
  T *out;
  Image(int w, int h) : w(w), h(h)
  {
    cudaMallocManaged(&in, sizeof(From) * w * h);
    cudaMallocManaged(&out, sizeof(T) * w * h);
    for (int i = 0; i < w * h; i++) in[i] = (From)pixel(i % w, i / w);
  }
  ~Image()
  {
    cudaFree(in);
    cudaFree(out);
  }
  template <class Kernel, class Value>
  void run(const char *name, Kernel kernel, int rim, Value value)
  {
    kernel(dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8));
    cudaDeviceSynchronize();
    check(name, out, w, h, rim, value);
  }
};

#define RUN(image, kernel, rim, value) \
  image.run( \
      #kernel, \
      [&](dim3 grid, dim3 block) { kernel<<<grid, block>>>(image.in, image.out, w, h, 2); }, rim, \
      [=](int x, int y) { return value; })

static int sum_at(int x, int y, int w, int h)
{
  int s = 0;
  for (int v = -2; v <= 2; v++)
    for (int u = -2; u <= 2; u++) {
      int yy = y + v < 0    ? 0
               : y + v >= h ? h - 1
                            : y + v,
          xx = x + u < 0    ? 0
               : x + u >= w ? w - 1
                            : x + u;
      s += pixel(xx, yy);
    }
  return s * 2;
}

static void all(int w, int h)
{
  Image<float, float> f(w, h);
  Image<double, double> d(w, h);
  Image<unsigned char, float> b(w, h);
#define P(u, v) pixel(x + (u), y + (v))
  RUN(f, mean<float>, 0, sum_at(x, y, w, h));
  RUN(d, mean<double>, 0, sum_at(x, y, w, h));
  RUN(f, weighted, 2, 3 * P(0, -1) + 2 * P(0, 0) + 3 * P(0, 1));
  RUN(b, bytes, 2, 1 + 2 * P(-1, -1) + 5 * P(0, 0) + 2 * P(1, 1));
  RUN(f, steps, 2, P(0, 0) + (P(0, 1) - P(0, 0)) * 2 + (P(0, 0) - P(0, -1)) * 2);
  RUN(f, difference, 2, P(0, 0) - P(0, 1) * 2 - 2 * P(0, -1));
  RUN(f, rim, 0, P(0, 0) + (y > 0 ? 3 * P(0, -1) : 0) + (y < h - 1 ? 7 * P(0, 1) : 0));
  RUN(f, maximum, 2, (P(-1, 0) * 2 > 5 ? P(-1, 0) * 2 : 5) + 1 + 2 * P(1, 0));
}

int main()
{
  all(67, 45);
  all(128, 64);
  all(260, 130);
  printf(wrong ? "%ld wrong\n" : "ok\n", wrong);
  return wrong != 0;
}
