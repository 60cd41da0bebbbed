// args: --mapping=always
// Flat ids that are taken apart: a kernel gets an id along each axis, and computes what it computed with one id, for every
// number of rows, for launches that end within a row, that have fewer threads than elements, or more than one dimension.
#include <cstdio>
#include <cstdlib>

static int failures;

static void expect(const char *name, const float *got, const float *want, int count)
{
  for (int i = 0; i < count; i++)
    if (got[i] != want[i]) {
      printf("%s: element %d is %g, not %g\n", name, i, got[i], want[i]);
      failures++;
      return;
    }
}

__global__ void product(float *out, const float *a, const float *b, int rows, int columns, int inner)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < rows * columns) {
    int row = idx / columns;
    int column = idx % columns;
    float sum = 0;
    for (int k = 0; k < inner; k++)
      sum += a[row * inner + k] * b[k * columns + column];
    out[idx] = sum;
  }
}

// the remainder as a difference; unsigned; the guard is an early return
__global__ void smooth(float *out, const float *in, unsigned w, unsigned h)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h)
    return;
  unsigned y = i / w, x = i - y * w;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[i] = in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
  else
    out[i] = in[i];
}

// three digits, one after the other from what is left
__global__ void planes(float *out, const float *in, const float *scale, int planes, int h, int w)
{
  int rest = blockIdx.x * blockDim.x + threadIdx.x;
  int all = rest;
  if (rest >= planes * h * w)
    return;
  int p = rest / (h * w);
  rest = rest % (h * w);
  int y = rest / w;
  rest %= w;
  float sum = 0;
  for (int k = 0; k < h; k++)
    sum += in[(p * h + k) * w + rest] * scale[y * h + k];
  out[all] = sum;
}

// the same by differences from products
__global__ void remains(float *out, const float *in, const float *scale, int planes, int h, int w)
{
  int rest = blockIdx.x * blockDim.x + threadIdx.x, all = rest;
  if (rest >= planes * h * w)
    return;
  int p = rest / (h * w);
  rest -= p * h * w;
  int y = rest / w;
  rest = rest - w * y;
  float sum = 0;
  for (int k = 0; k < h; k++)
    sum += in[(p * h + k) * w + rest] * scale[y * h + k];
  out[all] = sum;
}

// without a guard: the launch ends where the elements end, or within a row
__global__ void unguarded(float *out, const float *in, int w, int inner)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / w, column = i % w;
  float sum = 0;
  for (int k = 0; k < inner; k++)
    sum += in[row * inner + k] * in[k * w + column];
  out[i] = sum;
}

// sizes that are powers of two, by shifts and masks; an id of 64 bits
__global__ void masked(float *out, const float *in, int n, int inner)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (size_t)n) {
    size_t y = i >> 6, x = i & 63;
    float sum = 0;
    for (int k = 0; k < inner; k++)
      sum += in[y * inner + k] * in[k * 64 + x];
    out[i] = sum;
  }
}

// a limit that ends within a row
__global__ void cut(float *out, const float *in, int n, int w, int inner)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int y = i / w, x = i % w;
  float sum = 0;
  for (int k = 0; k < inner; k++)
    sum += in[y * inner + k] * in[k * w + x];
  out[i] = sum;
}

// two ways to take it apart that are no digits of one number
__global__ void two_bases(float *out, const float *in, int n, int w, int v)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i % w] + in[i % v] + in[i / w];
}

// what is left is set again in a nested statement
__global__ void nested(float *out, const float *in, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, r = i;
  if (i >= w * h)
    return;
  if (in[i] > 3)
    r = 0;
  int y = r / w, x = r % w;
  float sum = 0;
  for (int k = 0; k < h; k++)
    sum += in[y * h + k] * in[k * w + x];
  out[i] = sum;
}

static float *managed(int count)
{
  float *p;
  if (cudaMallocManaged(&p, count * sizeof *p) != cudaSuccess)
    exit(1);
  return p;
}

static float *in, *out, *want;
enum { ROOM = 1 << 15 };

static void begin()
{
  for (int i = 0; i < ROOM; i++) {
    in[i] = (i * 7 + i / 5) % 5;
    out[i] = want[i] = -1;
  }
}

static float dot(int y, int x, int inner, int w)
{
  float sum = 0;
  for (int k = 0; k < inner; k++)
    sum += in[y * inner + k] * in[k * w + x];
  return sum;
}

static void products(int rows, int columns, int inner, int threads, int blocks)
{
  begin();
  product<<<blocks, threads>>>(out, in, in + ROOM / 2, rows, columns, inner);
  cudaDeviceSynchronize();
  for (int i = 0; i < rows * columns && i < threads * blocks; i++) {
    float sum = 0;
    for (int k = 0; k < inner; k++)
      sum += in[i / columns * inner + k] * in[ROOM / 2 + k * columns + i % columns];
    want[i] = sum;
  }
  expect("product", out, want, ROOM);
}

static void smooths(int w, int h, int threads)
{
  begin();
  smooth<<<(w * h + threads - 1) / threads, threads>>>(out, in, w, h);
  cudaDeviceSynchronize();
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int i = y * w + x;
      bool inside = x > 0 && x < w - 1 && y > 0 && y < h - 1;
      want[i] = inside ? in[i - 1] + in[i + 1] + in[i - w] + in[i + w] : in[i];
    }
  expect("smooth", out, want, ROOM);
}

static void all_planes(int count, int h, int w)
{
  begin();
  planes<<<(count * h * w + 127) / 128, 128>>>(out, in, in + ROOM / 2, count, h, w);
  cudaDeviceSynchronize();
  for (int i = 0; i < count * h * w; i++) {
    int p = i / (h * w), y = i / w % h, x = i % w;
    float sum = 0;
    for (int k = 0; k < h; k++)
      sum += in[(p * h + k) * w + x] * in[ROOM / 2 + y * h + k];
    want[i] = sum;
  }
  expect("planes", out, want, ROOM);
  for (int i = 0; i < ROOM; i++)
    out[i] = -1;
  remains<<<(count * h * w + 127) / 128, 128>>>(out, in, in + ROOM / 2, count, h, w);
  cudaDeviceSynchronize();
  expect("remains", out, want, ROOM);
}

static void others(int w, int inner)
{
  int threads = 64;
  for (int blocks = 1; blocks <= 24; blocks += 23) {
    begin();
    unguarded<<<blocks, threads>>>(out, in, w, inner);
    cudaDeviceSynchronize();
    for (int i = 0; i < blocks * threads; i++)
      want[i] = dot(i / w, i % w, inner, w);
    expect("unguarded", out, want, ROOM);
  }
  begin();
  masked<<<40, threads>>>(out, in, 33 * 64 + 7, inner);
  cudaDeviceSynchronize();
  for (int i = 0; i < 33 * 64 + 7; i++)
    want[i] = dot(i / 64, i % 64, inner, 64);
  expect("masked", out, want, ROOM);
  begin();
  cut<<<40, threads>>>(out, in, 20 * w + 3, w, inner);
  cudaDeviceSynchronize();
  for (int i = 0; i < 20 * w + 3 && i < 40 * threads; i++)
    want[i] = dot(i / w, i % w, inner, w);
  expect("cut", out, want, ROOM);
  begin();
  cut<<<dim3(10, 2), dim3(16, 2)>>>(out, in, 20 * w + 3, w, inner);
  cudaDeviceSynchronize();
  for (int i = 0; i < 160 && i < 20 * w + 3; i++)
    want[i] = dot(i / w, i % w, inner, w);
  expect("cut in two dimensions", out, want, ROOM);
  begin();
  two_bases<<<20, threads>>>(out, in, 1000, w, w + 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1000; i++)
    want[i] = in[i % w] + in[i % (w + 1)] + in[i / w];
  expect("two bases", out, want, ROOM);
  begin();
  nested<<<40, threads>>>(out, in, w, inner);
  cudaDeviceSynchronize();
  for (int i = 0; i < w * inner && i < 40 * threads; i++) {
    int r = in[i] > 3 ? 0 : i;
    want[i] = dot(r / w, r % w, inner, w);
  }
  expect("nested", out, want, ROOM);
}

static void layers(int h)
{
  begin();
  masked<<<dim3(20, 1, 3), 64>>>(out, in, 20 * 64, h);
  cudaDeviceSynchronize();
  for (int i = 0; i < 20 * 64; i++)
    want[i] = dot(i / 64, i % 64, h, 64);
  expect("layers that repeat each other", out, want, ROOM);
}

int main()
{
  in = managed(ROOM);
  out = managed(ROOM);
  want = (float *)malloc(ROOM * sizeof *want);
  products(40, 50, 33, 128, 16);
  products(64, 64, 32, 256, 16);
  products(64, 64, 32, 256, 15); // whole rows, fewer than there are
  products(40, 50, 33, 128, 3);  // ends within a row
  products(2000, 1, 4, 128, 16); // rows of one element
  products(1, 2000, 4, 128, 16);
  products(7, 3, 5, 32, 1);
  smooths(100, 70, 256);
  smooths(64, 64, 128);
  smooths(1, 5, 32);
  smooths(5, 1, 32);
  all_planes(3, 20, 40);
  all_planes(5, 32, 32);
  all_planes(1, 1, 64);
  others(64, 16);
  others(50, 17);
  others(16, 5);
  layers(40);
  layers(17);
  printf(failures ? "%d wrong\n" : "flat ids ok\n", failures);
  return failures != 0;
}
