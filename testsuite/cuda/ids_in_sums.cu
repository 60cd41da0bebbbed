// args: --mapping=always
// Sums of a block's part, a thread's part and other terms, in any order: offsets, steps, halos,
// parts in locals, signed and unsigned, blocks of a shape that only the launch knows; and sums that
// are no ids, as their parts are those of two axes or of other widths.
#include <cstdio>
#include <cstdlib>

enum { SIZE = 8192 };

__global__ void shifted(const float *in, float *out, int n, int offset)
{
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n + offset && i >= 0) out[i - offset] = in[i] + in[i + 1];
}

__global__ void between(const float *in, const float *k, float *out, int n, int r)
{
  int tx = threadIdx.x, bx = blockIdx.x, bd = blockDim.x;
  float sum = 0;
  if (bx * bd + tx >= n) return;
  for (int j = 0; j < r; j++) sum += in[j + 1 + bx * bd + tx] * k[j];
  out[bx * bd + tx] = sum;
}

__global__ void box(const float *in, float *out, int w, int h)
{
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * blockDim.x, y = blockIdx.y * blockDim.y;
  float sum = 0;
  if (x + tx >= w - 2 || y + ty >= h - 2) return;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += in[(y + j + ty) * w + (x + i + tx)];
  out[(1 + y + ty) * w + x + 1 + tx] = sum;
}

__global__ void wrapping(const float *in, float *out, unsigned n, unsigned offset)
{
  unsigned i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = in[i] * 2;
}

// Blocks go along y of the array and their threads along x: no id.
__global__ void crossed(const float *in, float *out, int n)
{
  int i = 3 + threadIdx.x + blockIdx.y * blockDim.x;
  if (i < n) out[i] = in[i] * 3;
}

// Each block begins at half of the block in front of it: elements are written twice, and the last
// ones by no block.
__global__ void halved(const float *in, float *out, int n, int offset)
{
  int i = offset + threadIdx.x + blockIdx.x * 32;
  float sum = 0;
  if (i >= n) return;
  for (int k = 0; k < 9; k++) sum += in[i + k];
  out[i] = sum;
}

static float *host, *expected, *in, *out;

static void begin()
{
  cudaMemset(out, 0, SIZE * sizeof(float));
  for (int i = 0; i < SIZE; i++) expected[i] = 0;
}

static int differs(const char *what)
{
  float *found = expected + SIZE;
  cudaMemcpy(found, out, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < SIZE; i++)
    if (found[i] != expected[i]) {
      printf("%s: element %d is %g, not %g\n", what, i, found[i], expected[i]);
      return 1;
    }
  return 0;
}

static int lines(int n, int block)
{
  int grid = (n + block - 1) / block;
  begin();
  for (int i = 0; i < n; i++) expected[i] = host[i + 7] + host[i + 8];
  shifted<<<grid, block>>>(in, out, n, 7);
  if (differs("shifted")) return 1;
  begin();
  for (int i = 5; i < n; i++) expected[i] = host[i - 5] + host[i - 4];
  shifted<<<grid, block>>>(in, out, n, -5);
  if (differs("shifted back")) return 1;
  begin();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 21; j++) expected[i] += host[j + 1 + i] * host[j];
  between<<<grid, block>>>(in, in, out, n, 21);
  if (differs("between")) return 1;
  begin();
  for (int i = 0; i < n - 3; i++) expected[i] = host[i] * 2;
  wrapping<<<grid, block>>>(in, out, n - 3, -3u); // the first threads come to 2^32 - 3 and so on
  return differs("wrapping");
}

static int others(int w, int h)
{
  begin();
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++) {
      float sum = 0;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) sum += host[(y + j) * w + x + i];
      expected[(y + 1) * w + x + 1] = sum;
    }
  box<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(in, out, w, h);
  if (differs("box")) return 1;
  begin();
  for (int i = 3; i < 1000; i++) expected[i] = host[i] * 3;
  crossed<<<dim3(1, 16), 64>>>(in, out, 1000);
  if (differs("crossed")) return 1;
  begin();
  for (int i = 1; i <= 32 * 19 + 64; i++)
    for (int k = 0; k < 9; k++) expected[i] += host[i + k];
  halved<<<20, 64>>>(in, out, 1000, 1);
  return differs("halved");
}

int main(int argc, char **)
{
  host = (float *)malloc(SIZE * sizeof(float));
  expected = (float *)malloc(2 * SIZE * sizeof(float));
  for (int i = 0; i < SIZE; i++) host[i] = (float)(i * 37 % 64) / 8;
  if (cudaMalloc(&in, SIZE * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&out, SIZE * sizeof(float)) != cudaSuccess) return 1;
  cudaMemcpy(in, host, SIZE * sizeof(float), cudaMemcpyHostToDevice);
  if (lines(4096, 128) || lines(1000, 64 * argc) || lines(77, 32)) return 1;
  if (others(64, 48) || others(70, 33)) return 1;
  printf("ok\n");
  return cudaFree(in) != cudaSuccess || cudaFree(out) != cudaSuccess;
}
