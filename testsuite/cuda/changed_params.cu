// Parameters that kernels change: pointers that advance to the thread's row, once, twice, in loops,
// under conditions; numbers that are halved, counted down, or set anew; parameters whose address is
// taken, or that count a loop; a block's tile by hand behind pointers that walk.
#include <cstdio>
#include <cuda_runtime.h>

enum { ROWS = 96, COLUMNS = 160, SIZE = ROWS * COLUMNS };

__global__ void smoothed(float *out, const float *in, int w, int h, float a)
{
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  in += y * w;
  out += y * w;
  float last = in[0];
  for (int x = 0; x < w; x++) {
    last = in[x] + (last - in[x]) * a;
    out[x] = last;
  }
  for (int x = w - 2; x >= 0; x--) {
    last = out[x] + (last - out[x]) * a;
    out[x] = last;
  }
}

__global__ void walked(float *out, const float *a, const float *b, int n, int rows)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n) return;
  a += c, b += c;
  out += c;
  for (int r = 0; r < rows; r++) {
    *out = *a * 2 + *b;
    a += n;
    b += n;
    out += n;
  }
}

__global__ void twice(int *out, const int *in, int n, int parts)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  in += blockIdx.x;
  n /= 2;
  in = in + n;
  parts = parts * 2 + n % 3;
  if (i >= n) return;
  if (i % 2) in -= blockIdx.x;
  n -= parts;
  out[i] = in[i] + n * parts;
}

__global__ void counted(int *out, const int *in, int n, unsigned u, short s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (; n > 0; n--) sum += in[n - 1] * (i + n);
  while (u > 1) {
    sum ^= (int)u;
    u >>= 1;
  }
  s += 30000;
  s += 30000; /* it wraps around */
  out[i] = sum + s;
}

__device__ void add_one(int &n) { n++; }

__global__ void taken(int *out, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *p = &m;
  *p += i;
  m *= 2;
  add_one(n);
  n += m;
  out[i] = n - m;
}

__global__ void product(int k, int n, const float *a, const float *b, float *c)
{
  __shared__ float s[16][16], t[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  a += blockIdx.y * 16 * k;
  b += blockIdx.x * 16;
  c += blockIdx.y * 16 * n + blockIdx.x * 16;
  float sum = 0;
  for (int at = 0; at < k; at += 16) {
    s[y][x] = a[y * k + x];
    t[y][x] = b[y * n + x];
    __syncthreads();
    a += 16;
    b += 16 * n;
    for (int i = 0; i < 16; i++) sum += s[y][i] * t[i][x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

/* Amounts that are multiples of the loop's step, and some that are none. */
__global__ void strided(float *out, const float *in, int n, int m, unsigned u)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *a = in + i, *b = in + i, *c = in + i, *d = in;
  float sum = 0;
  int at = 0, far = 3;
  for (int k = 0; k < n; k += 4) {
    sum += *a + b[m] * 2 + c[1] - d[k] + in[at] * in[far];
    a += 4;
    b += 8 * m;
    c += 6;
    d += 4 * u;
    at += 4;
    far += 8;
  }
  for (int k = n; k > 0; k -= 8) {
    a -= 8;
    sum += *a * k;
  }
  out[i] = sum;
}

__global__ void reversed(float *out, const float *in, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + (h - 1 - y)] = in[y * w + x] * 2;
}

/* What each report says at -O0. */
static const double wanted[] = {
    32111.359043867949, 240533.30545789606, 568.20017492766499, 4204.5585267581419,
    3388.1604797114924, 134407344.95840779, 696544.84638991684, 70479.212838966268,
};
static int reports, wrong;

template <typename T> static void report(const char *name, const T *values, int n)
{
  double sum = 0;
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) sum = sum * 0.999 + (double)values[i] * (i % 7 + 1);
  printf("%s %.17g\n", name, sum);
  double want = wanted[reports++], apart = sum < want ? want - sum : sum - want;
  if (apart > 1e-6 * (want < 0 ? -want : want)) wrong++;
}

int main(int argc, char **)
{
  float *in, *out, *more;
  int *numbers, *results, w = COLUMNS - 1 + argc, h = ROWS - 1 + argc;
  cudaMallocManaged(&in, SIZE * sizeof *in);
  cudaMallocManaged(&more, SIZE * sizeof *more);
  cudaMallocManaged(&out, SIZE * sizeof *out);
  cudaMallocManaged(&numbers, SIZE * sizeof *numbers);
  cudaMallocManaged(&results, SIZE * sizeof *results);
  for (int i = 0; i < SIZE; i++) {
    in[i] = (float)(i * 31 % 97) - 40;
    more[i] = (float)(i * 17 % 89);
    out[i] = 0;
    numbers[i] = i * 7919 % 1013;
    results[i] = 0;
  }
  smoothed<<<(h + 31) / 32, 32>>>(out, in, w, h, 0.25f);
  report("smoothed", out, SIZE);
  walked<<<(w + 63) / 64, 64>>>(out, in, more, w, h);
  report("walked", out, SIZE);
  twice<<<32, 128>>>(results, numbers, 8000, argc);
  report("twice", results, SIZE);
  counted<<<8, 64>>>(results, numbers, 40 + argc, 1000u, (short)argc);
  report("counted", results, SIZE);
  taken<<<4, 64>>>(results, argc, 5);
  report("taken", results, SIZE);
  product<<<dim3(COLUMNS / 16, ROWS / 16), dim3(16, 16)>>>(ROWS, COLUMNS, in, more, out);
  report("product", out, SIZE);
  strided<<<2, 64>>>(out, in, 30, 5, 3u + argc);
  report("strided", out, 128);
  reversed<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(out, in, w, h);
  report("reversed", out, SIZE);
  return wrong != 0;
}
