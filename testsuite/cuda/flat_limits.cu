// args: --mapping=always
// Flat ids with other limits than the first, differences that are no remainders, and layers that host code compares.
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

// a store in front of the guard: of threads behind the elements, too
__global__ void early(float *out, float *seen, const float *in, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = i;
  if (i >= w * h)
    return;
  int y = i / w, x = i % w;
  float sum = 0;
  for (int k = 0; k < h; k++)
    sum += in[y * h + k] * in[k * w + x];
  out[i] = sum;
}

// a difference that is no remainder
__global__ void slanted(float *out, const float *in, int n, int w, int v)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * w)
    return;
  int y = i / w, x = i - y * v;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[y * n + k] * in[k * w + x];
  out[i] = sum;
}

// the same where the sizes divide each other
__global__ void folded(float *out, const float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * 128)
    return;
  int y = i / 128, x = i - y * 64;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[y * n + k] * in[k * 64 + x];
  out[i] = sum;
}

// a second limit, below the first
__global__ void halves(float *out, const float *in, int w, int h, int half)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h)
    return;
  int y = i / w, x = i % w;
  float sum = 0;
  for (int k = 0; k < h; k++)
    sum += in[y * h + k] * in[k * w + x];
  if (i < half * w)
    sum = -sum;
  out[i] = sum;
}

// not flat: the layers of its grid are compared by host code
__global__ void batched(float *out, const float *a, const float *b, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, s = blockIdx.z;
  if (s >= 3 || x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[(s * n + y) * n + k] * b[(s * n + k) * n + x];
  out[(s * n + y) * n + x] = sum;
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

static void limits(int w, int h)
{
  int blocks = (w * h + 63) / 64 + 1;
  begin();
  early<<<blocks, 64>>>(out, out + ROOM / 2, in, w, h);
  cudaDeviceSynchronize();
  for (int i = 0; i < blocks * 64; i++)
    want[ROOM / 2 + i] = i;
  for (int i = 0; i < w * h; i++)
    want[i] = dot(i / w, i % w, h, w);
  expect("early", out, want, ROOM);
  begin();
  slanted<<<blocks, 64>>>(out, in, h, w, w - 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < w * h; i++)
    want[i] = dot(i / w, i - i / w * (w - 1), h, w);
  expect("slanted", out, want, ROOM);
  begin();
  folded<<<h, 128>>>(out, in, h);
  cudaDeviceSynchronize();
  for (int i = 0; i < h * 128; i++)
    want[i] = dot(i / 128, i - i / 128 * 64, h, 64);
  expect("folded", out, want, ROOM);
  begin();
  halves<<<blocks, 64>>>(out, in, w, h, h / 2);
  cudaDeviceSynchronize();
  for (int i = 0; i < w * h; i++)
    want[i] = (i < h / 2 * w ? -1 : 1) * dot(i / w, i % w, h, w);
  expect("halves", out, want, ROOM);
}

static void batches(int layers, int n)
{
  begin();
  batched<<<dim3((n + 15) / 16, (n + 15) / 16, layers), dim3(16, 16)>>>(out, in, in + ROOM / 2, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < (layers < 3 ? layers : 3) * n * n; i++) {
    int s = i / (n * n), y = i / n % n, x = i % n;
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += in[(s * n + y) * n + k] * in[ROOM / 2 + (s * n + k) * n + x];
    want[i] = sum;
  }
  expect("batched", out, want, ROOM);
}

int main()
{
  in = managed(ROOM);
  out = managed(ROOM);
  want = (float *)malloc(ROOM * sizeof *want);
  batches(2, 64);
  batches(4, 50);
  limits(64, 40);
  limits(50, 17);
  limits(100, 33);
  printf(failures ? "%d wrong\n" : "flat limits ok\n", failures);
  return failures != 0;
}
