// args: --mapping=always
// Sums over the threads of a block, as trees in shared memory by hand: both orders, in many forms
// of loops, with one and several arrays, behind and in loops, with a block's sum for all threads;
// and kernels that only look like them.
#include <cmath>
#include <cstdio>
#include <cstdlib>

static int failures;

static void expect(const char *name, const float *got, const float *want, int count)
{
  for (int i = 0; i < count; i++)
    if (got[i] != want[i]) {
      printf("%s: element %d is %.9g, not %.9g\n", name, i, got[i], want[i]);
      failures++;
      return;
    }
}

__global__ void halved(float *out, const float *in, int n)
{
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void dynamic(float *out, const float *in, int n)
{
  extern __shared__ float sums[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n)
    sums[t] = in[i];
  else
    sums[t] = 0;
  int d = blockDim.x / 2;
  while (d != 0) {
    __syncthreads();
    if (t < d) sums[t] = sums[t] + sums[t + d];
    d /= 2;
  }
  if (!t) out[blockIdx.x] = sums[t];
}

__global__ void remainder_of(float *out, const float *in, int n)
{
  __shared__ float s[128];
  unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void product_of(float *out, const float *in, int n)
{
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < 64; d <<= 1) {
    int k = 2 * d * t;
    if (k < 64) s[k] = s[k + d] + s[k];
    __syncthreads();
  }
  if (t == 0 && blockIdx.x < gridDim.x) out[blockIdx.x] = s[0];
}

__global__ void greatest(float *out, const float *in, int n)
{
  __shared__ float a[256], b[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  a[t] = i < n ? in[i] : -1e30f;
  b[t] = i < n ? in[i] : 1e30f;
  __syncthreads();
  for (int d = 128; d >= 1; d /= 2) {
    if (t < d) {
      a[t] = fmaxf(a[t], a[t + d]);
      if (b[t] > b[t + d]) b[t] = b[t + d];
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = a[0] - b[0];
}

// Two trees over one array, for all threads, in a loop over rows.
__global__ void rows(float *out, const float *in, int rows, int n)
{
  __shared__ float s[128];
  int t = threadIdx.x;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float m = -1e30f;
    for (int j = t; j < n; j += blockDim.x) m = fmaxf(m, in[r * n + j]);
    s[t] = m;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
      if (t < d && s[t] < s[t + d]) s[t] = s[t + d];
      __syncthreads();
    }
    m = s[0];
    __syncthreads();
    float sum = 0;
    for (int j = t; j < n; j += blockDim.x) sum += in[r * n + j] - m;
    s[t] = sum;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
    sum = s[0];
    for (int j = t; j < n; j += blockDim.x) out[r * n + j] = sum + m;
    __syncthreads();
  }
}

__global__ void in_rows(float *out, const float *in)
{
  __shared__ float s[256];
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (threadIdx.x == 0 && threadIdx.y == 0) out[blockIdx.x] = s[0];
}

// These stay as they are.
__global__ void mirrored(float *out, const float *in)
{
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[2 * d - 1 - t];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void leaves_read(float *out, const float *in)
{
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0] - s[1];
}

__global__ void twice(float *out, const float *in)
{
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int pass = 0; pass < 2; pass++)
    for (int d = 64; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void again(float *out, const float *in)
{
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) s[0] = 1;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void counted(int *out, const float *in, int n)
{
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n && in[i] > 0;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}

static float tree(const float *from, int count, int leaves, bool doubled)
{
  static float s[256];
  for (int i = 0; i < leaves; i++) s[i] = i < count ? from[i] : 0;
  for (int step = 1; step < leaves; step *= 2) {
    int d = doubled ? step : leaves / 2 / step;
    for (int i = 0; i < leaves; i++)
      if (doubled ? i % (2 * d) == 0 : i < d) s[i] = s[i] + s[i + d];
  }
  return s[0];
}

enum { N = 256 * 21 + 77, ROWS = 9, LENGTH = 300 };

static float in[256 * 32], want[N], got[N];
static float *in_d, *out_d;

static void compare(const char *name, int blocks, int leaves, bool doubled, int n)
{
  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; b++)
    want[b] = tree(in + b * leaves, n - b * leaves, leaves, doubled);
  for (int b = blocks; b < blocks + 8; b++) want[b] = -3;
  expect(name, got, want, blocks + 8);
}

static void fresh()
{
  for (int i = 0; i < N; i++) got[i] = -3;
  cudaMemcpy(out_d, got, sizeof got, cudaMemcpyHostToDevice);
}

static void compare_others()
{
  static float s[2][256];
  fresh();
  mirrored<<<4, 128>>>(out_d, in_d);
  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 4; b++) {
    for (int i = 0; i < 128; i++) s[0][i] = in[b * 128 + i];
    for (int d = 64; d > 0; d /= 2)
      for (int i = 0; i < d; i++) s[0][i] += s[0][2 * d - 1 - i];
    want[b] = s[0][0];
  }
  expect("mirrored", got, want, 4);
  leaves_read<<<4, 128>>>(out_d, in_d);
  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 2; k++) {
    for (int b = 0; b < 4; b++) {
      for (int i = 0; i < 128; i++) s[0][i] = in[b * 128 + i];
      for (int pass = 0; pass < 1 + k; pass++) {
        for (int d = 64; d > 0; d /= 2)
          for (int i = 0; i < d; i++) s[0][i] += s[0][i + d];
      }
      want[b] = k ? s[0][0] : s[0][0] - s[0][1];
    }
    expect(k ? "twice" : "leaves read", got, want, 4);
    twice<<<4, 128>>>(out_d, in_d);
    cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  }
  again<<<4, 128>>>(out_d, in_d);
  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 4; b++) {
    for (int i = 0; i < 128; i++) s[0][i] = in[b * 128 + i];
    for (int pass = 0; pass < 2; pass++) {
      if (pass) s[0][0] = 1;
      for (int d = 64; d > 0; d /= 2)
        for (int i = 0; i < d; i++) s[0][i] += s[0][i + d];
    }
    want[b] = s[0][0];
  }
  expect("again", got, want, 4);
}

static void compare_rows()
{
  static float s[128], out[ROWS * LENGTH];
  rows<<<4, 128>>>(out_d, in_d, ROWS, LENGTH);
  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  for (int r = 0; r < ROWS; r++) {
    float m = -1e30f;
    for (int j = 0; j < LENGTH; j++) m = in[r * LENGTH + j] > m ? in[r * LENGTH + j] : m;
    for (int t = 0; t < 128; t++) {
      s[t] = 0;
      for (int j = t; j < LENGTH; j += 128) s[t] += in[r * LENGTH + j] - m;
    }
    float sum = tree(s, 128, 128, false);
    for (int j = 0; j < LENGTH; j++) out[r * LENGTH + j] = sum + m;
  }
  expect("rows", got, out, ROWS * LENGTH);
}

int main(int argc, char **)
{
  int n = N + argc - 1, blocks = (n + 255) / 256, count = 0, *count_d;
  for (int i = 0; i < 256 * 32; i++) in[i] = (float)(i * 7919 % 1013 - 500) / 7;
  cudaMalloc(&in_d, sizeof in);
  cudaMalloc(&out_d, sizeof got);
  cudaMalloc(&count_d, sizeof count);
  cudaMemset(count_d, 0, sizeof count);
  cudaMemcpy(in_d, in, sizeof in, cudaMemcpyHostToDevice);
  fresh();
  halved<<<blocks, 256>>>(out_d, in_d, n);
  compare("halved", blocks, 256, false, n);
  fresh();
  halved<<<5, 256>>>(out_d, in_d, n);
  compare("halved, 5 blocks", 5, 256, false, n);
  fresh();
  dynamic<<<blocks, 256, 256 * sizeof(float)>>>(out_d, in_d, n);
  compare("dynamic", blocks, 256, false, n);
  fresh();
  remainder_of<<<blocks * 2 - 1, 128>>>(out_d, in_d, n);
  compare("remainder", blocks * 2 - 1, 128, true, n);
  fresh();
  product_of<<<(n + 63) / 64, 64>>>(out_d, in_d, n);
  compare("product", (n + 63) / 64, 64, true, n);
  fresh();
  in_rows<<<7, dim3(16, 16)>>>(out_d, in_d);
  compare("in rows", 7, 256, false, n);
  greatest<<<blocks, 256>>>(out_d, in_d, n);
  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; b++) {
    float high = -1e30f, low = 1e30f;
    for (int i = b * 256; i < (b + 1) * 256 && i < n; i++) {
      high = in[i] > high ? in[i] : high;
      low = in[i] < low ? in[i] : low;
    }
    want[b] = high - low;
  }
  expect("greatest", got, want, blocks);
  compare_rows();
  compare_others();
  counted<<<blocks, 256>>>(count_d, in_d, n);
  cudaMemcpy(&count, count_d, sizeof count, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) count -= in[i] > 0;
  failures += count != 0;
  printf(failures ? "FAILED\n" : "ok\n");
  return failures != 0;
}
