// Divisions by numbers that only the launch knows: parameters, members, products, quotients of
// them, in locals; of signed and unsigned numbers of 32 and 64 bits, of both signs; /= and %=;
// divisors that are 1, powers of two, huge, or never reached as they are 0. And divisors that are
// none of the launch: changed in the kernel, or of each thread.
#include <cstdio>
#include <cuda_runtime.h>

enum { BLOCK = 128, MOST = 8192 };

struct box {
  int w, h;
  unsigned depth;
};

__global__ void permuted(float *out, const float *in, int n, int c, int h, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * h * w) return;
  int x = i % w, y = i / w % h, k = i / (w * h) % c, b = i / (w * h * c);
  out[((b * h + y) * w + x) * c + k] = in[i];
}

__global__ void digits(unsigned *out, unsigned n, box of)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned rest = i * 2654435761u;
  unsigned z = rest % of.depth;
  rest /= of.depth;
  int y = (int)rest % of.h; /* negative for half of them */
  rest %= (unsigned)of.w * of.w;
  out[i] = z * 31u + (unsigned)y * 7u + rest + (unsigned)((int)i / -of.h);
}

__global__ void pooled(int *out, const int *in, int w, int h, int size, int step)
{
  int across = (w - size) / step + 1, down = (h - size) / step + 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= across * down) return;
  int x = i % across * step, y = i / across * step, most = -1000000;
  for (int k = 0; k < size * size; k++) {
    int at = (y + k / size) * w + x + k % size;
    most = max(most, in[at]);
  }
  out[i] = most;
}

__global__ void wide(long long *out, long long n, long long by, unsigned long long other, int half)
{
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long far = i * 123456789123ll - (n << 33);
  out[i] = far / by + far % by * 3 + (long long)((unsigned long long)far / other % (other / 2)) +
           (long long)(far / (half / 2));
}

__global__ void guarded(int *out, int n, int by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by ? i / by + i % by : -i;
}

__global__ void changed(int *out, int n, int by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  by += i & 3;
  int own = 1 + i % 5;
  out[i] = i / by + i % by + i / own;
}

__global__ void changed_behind(int *out, int n, int by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int *p = &by;
  *p += i & 3;
  out[i] = i / by + i % by;
}

__global__ void narrow(short *out, int n, short by, unsigned char other)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (short)((i - 300) / by + (i - 300) % by * 2 + i % other + (short)i / other);
}

static int blocks(long long n) { return (int)((n + BLOCK - 1) / BLOCK); }

/* What each report says at -O0. */
static const double wanted[] = {
    600758.17673162813, 52663414792484.141, 168116694970023.94, 83207277895609.016,
    30837823.451178905, 27126.75605326056, 543665.29322717572, 325160.40814409393,
    185514.3609979098, 2.3657733020871283e+19, 6.7593522916778762e+18, -2.6286370023187031e+18,
    3.943069931570174e+18, 3.9431842980896364e+18, 4.0015638165984696e+18, -14933588.747416396,
    -30219293.504465174, -182000808.61130029, 30415021.385753427, 15364010.846232286,
    112065143.96269913, 28979599.600294646, -3721571.2661681976,
};
static int reports, wrong;

template <typename T> static void report(const char *name, const T *values, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 0.9999 + (double)values[i] * (i % 13 + 1);
  printf("%s %.17g\n", name, sum);
  double want = wanted[reports++], apart = sum < want ? want - sum : sum - want;
  if (apart > 1e-6 * (want < 0 ? -want : want)) wrong++;
}

static void in_boxes(unsigned *numbers, int c, int h, int w)
{
  box boxes[] = {{w, h, 64}, {1, 1, 1}, {40000, 12345, 4000000000u}, {w, -h, (unsigned)c}};
  for (int k = 0; k < 4; k++) {
    box of = boxes[k];
    digits<<<blocks(MOST), BLOCK>>>(numbers, MOST, of);
    cudaDeviceSynchronize();
    report("digits", numbers, MOST);
  }
}

static void by_wide(long long *longs, int n, int c)
{
  long long divisors[] = {1, 7, -3, 1ll << 31, (1ll << 32) + n, -(1ll << 40)};
  for (int k = 0; k < 6; k++) {
    unsigned long long other = 2ull + (unsigned long long)c * k;
    wide<<<blocks(MOST), BLOCK>>>(longs, MOST, divisors[k], other, 4 + n);
    cudaDeviceSynchronize();
    report("wide", longs, MOST);
  }
}

int main(int argc, char **argv)
{
  int n = 5 + argc, c = 4 + argc, h = 6 + argc, w = 8 + argc;
  (void)argv;
  int total = n * c * h * w;
  float *in, *out;
  unsigned *numbers;
  int *ints, *more;
  long long *longs;
  short *shorts;
  cudaMallocManaged(&in, MOST * sizeof *in);
  cudaMallocManaged(&out, MOST * sizeof *out);
  cudaMallocManaged(&numbers, MOST * sizeof *numbers);
  cudaMallocManaged(&ints, MOST * sizeof *ints);
  cudaMallocManaged(&more, MOST * sizeof *more);
  cudaMallocManaged(&longs, MOST * sizeof *longs);
  cudaMallocManaged(&shorts, MOST * sizeof *shorts);
  for (int i = 0; i < MOST; i++) {
    in[i] = (float)(i * 37 % 101);
    ints[i] = i * 7919 % 1009 - 500;
    out[i] = 0;
    more[i] = 0;
    longs[i] = 0;
    shorts[i] = 0;
    numbers[i] = 0;
  }
  permuted<<<blocks(total), BLOCK>>>(out, in, n, c, h, w);
  cudaDeviceSynchronize();
  report("permuted", out, total);
  in_boxes(numbers, c, h, w);
  for (int size = 1; size < 5; size++) {
    pooled<<<blocks(64 * 64), BLOCK>>>(more, ints, 64, 64 + n, size, size + n % 2);
    cudaDeviceSynchronize();
    report("pooled", more, 63 * 63 / size / size / 4);
  }
  by_wide(longs, n, c);
  for (int by = -2; by < 3; by++) {
    guarded<<<blocks(MOST), BLOCK>>>(more, MOST, by * n);
    cudaDeviceSynchronize();
    report("guarded", more, MOST);
  }
  changed<<<blocks(MOST), BLOCK>>>(more, MOST, c);
  cudaDeviceSynchronize();
  report("changed", more, MOST);
  changed_behind<<<blocks(MOST), BLOCK>>>(more, MOST, c);
  cudaDeviceSynchronize();
  report("changed_behind", more, MOST);
  narrow<<<blocks(MOST), BLOCK>>>(shorts, MOST, (short)-h, (unsigned char)w);
  cudaDeviceSynchronize();
  report("narrow", shorts, MOST);
  return wrong != 0;
}
