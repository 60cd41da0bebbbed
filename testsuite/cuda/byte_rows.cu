// args: --mapping=always
// Threads that go through rows of one and two bytes of their own, through tiles: rows shorter than
// a tile, of whole tiles, and with a rest; rows that are read, compared, summed up and written.
#include <cstdio>
#include <cuda_runtime.h>

enum { ROWS = 70, MOST = 700 };

__global__ void hashes(unsigned *out, const unsigned char *text, int length, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char *s = text + (size_t)i * length;
  unsigned h = 2166136261u;
  for (int k = 0; k < length; k++) {
    h ^= s[k];
    h *= 16777619u;
  }
  out[i] = h;
}

__global__ void sums(int *out, const short *in, int length, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (int k = 0; k < length; k++) s = s * 3 + in[i * length + k];
  out[i] = s;
}

__global__ void distances(int *out, const char *a, const char *b, int length, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a += i * length;
  b += i * length;
  int d = 0;
  for (int k = 0; k < length; k++)
    if (a[k] != b[k]) d = d * 2 + k;
  out[i] = d;
}

__global__ void chained(unsigned char *out, const unsigned char *in, int length, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char last = 0;
  for (int k = 0; k < length; k++) {
    last = in[i * length + k] ^ last;
    out[i * length + k] = last;
  }
}

template <typename T> static void report(const char *name, int length, const T *values, int n)
{
  double sum = 0;
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) sum = sum * 0.999 + (double)values[i] * (i % 7 + 1);
  printf("%s %d %.17g\n", name, length, sum);
}

int main()
{
  unsigned char *a, *b;
  int *out;
  cudaMallocManaged(&a, 2 * ROWS * MOST);
  cudaMallocManaged(&b, 2 * ROWS * MOST);
  cudaMallocManaged(&out, ROWS * sizeof *out);
  for (int i = 0; i < 2 * ROWS * MOST; i++) {
    a[i] = (unsigned char)(i * 31 % 251);
    b[i] = (unsigned char)(i * 31 % 251 + (i % 5 == 0));
  }
  for (int length : {1, 40, 64, 128, 300, 512, 700}) {
    hashes<<<(ROWS + 31) / 32, 32>>>((unsigned *)out, a, length, ROWS);
    report("hashes", length, out, ROWS);
    sums<<<(ROWS + 31) / 32, 32>>>(out, (const short *)a, length, ROWS - 1);
    report("sums", length, out, ROWS - 1);
    distances<<<(ROWS + 31) / 32, 32>>>(out, (const char *)a, (const char *)b, length, ROWS);
    report("distances", length, out, ROWS);
    chained<<<(ROWS + 31) / 32, 32>>>(b, a, length, ROWS);
    report("chained", length, b, ROWS * length);
  }
  return 0;
}
