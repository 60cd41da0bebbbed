// design 6: templates' arguments that a program writes, by itself or in a macro's body, in kernels
// that are printed.
#include <cstdio>
#include <cuda_runtime.h>

template <class T> __device__ T conv(float x) { return (T)x; }
template <class T> __device__ T twice(T x) { return x + x; }
template <class T, int K> __device__ T times(T x) { return x * K; }
namespace deep
{
template <class T> __device__ T half_of(T x) { return x / 2; }
} // namespace deep
enum color { RED = 3 };
template <color C> __device__ float tinted(float x) { return x + C; }
template <class T> struct scaled {
  static __device__ T of(float x) { return (T)(x * 2); }
};
struct part {
  float v;
  template <class T> __device__ T get(float x) const { return (T)(x * v); }
  template <class T> __device__ T few(float x) const // no expression: it stays a call
  {
    if (x * v > 5) return (T)(x * v - 5);
    return (T)(x * v);
  }
};

#define CONV(x) conv<int>(x)
#define TWICE(x) twice<int>(x)
#define TIMES(x) times<float, 3>(x)
#define HALF(x) deep::half_of<int>(x)
#define TINTED(x) tinted<RED>(x)
#define SCALED(x) scaled<int>::of(x)
#define AS(type, x) conv<type>(x)
#define GET(x) p.get<int>(x)
#define OUTER(x) CONV(x)

const int N = 8192, EACH = 64;

__global__ void functions(const float *a, float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < EACH; j++)
    s += CONV(a[i * EACH + j]) + TWICE(a[i * EACH + j]) + TIMES(a[i * EACH + j]) +
         HALF(a[i * EACH + j]);
  b[i] = s;
}

__global__ void classes(const float *a, float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < EACH; j++) s += SCALED(a[i * EACH + j]);
  b[i] = s;
}

__global__ void other_kinds(const float *a, float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < EACH; j++)
    s += TINTED(a[i * EACH + j]) + AS(unsigned char, a[i * EACH + j]) + OUTER(a[i * EACH + j]);
  b[i] = s;
}

__global__ void members(const float *a, float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  part p = {2};
  float s = 0;
  for (int j = 0; j < EACH; j++) s += a[i * EACH + j] + p.get<int>(j * 0.3f);
  b[i] = s;
}

__global__ void calls(const float *a, float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  part p = {2};
  float s = 0;
  for (int j = 0; j < EACH; j++) s += a[j] + p.few<int>(a[j]);
  b[i] = s;
}

__global__ void members_by_macro(const float *a, float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  part p = {2};
  float s = 0;
  for (int j = 0; j < EACH; j++) s += a[i * EACH + j] + GET(j * 0.3f);
  b[i] = s;
}

static int differ(const char *what, const float *a, const float *b, float (*want)(float, int))
{
  int bad = 0;
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = 0; j < EACH; j++) s += want(a[i * EACH + j], j);
    bad += b[i] != s;
  }
  if (bad) printf("%s: %d differ\n", what, bad);
  return bad;
}

int main()
{
  float *a, *b;
  cudaMallocManaged(&a, N * EACH * sizeof *a);
  cudaMallocManaged(&b, N * sizeof *b);
  for (int i = 0; i < N * EACH; i++) a[i] = i % 133 * 0.75f;
  functions<<<N / 256, 256>>>(a, b, N);
  int bad = differ("functions", a, b,
                   [](float x, int) { return (int)x + ((int)x + (int)x) + x * 3 + (int)x / 2; });
  classes<<<N / 256, 256>>>(a, b, N);
  bad += differ("classes", a, b, [](float x, int) { return (float)(int)(x * 2); });
  other_kinds<<<N / 256, 256>>>(a, b, N);
  bad +=
      differ("other kinds", a, b, [](float x, int) { return x + 3 + (unsigned char)x + (int)x; });
  members<<<N / 256, 256>>>(a, b, N);
  bad += differ("members", a, b, [](float x, int j) { return x + (int)(j * 0.3f * 2); });
  calls<<<N / 256, 256>>>(a, b, N);
  cudaDeviceSynchronize();
  float few = 0;
  for (int j = 0; j < EACH; j++) few += a[j] + (int)(a[j] * 2 > 5 ? a[j] * 2 - 5 : a[j] * 2);
  int calls_bad = 0;
  for (int i = 0; i < N; i++) calls_bad += b[i] != few;
  if (calls_bad) printf("calls: %d differ\n", calls_bad);
  bad += calls_bad;
  members_by_macro<<<N / 256, 256>>>(a, b, N);
  bad += differ("members by a macro", a, b, [](float x, int j) { return x + (int)(j * 0.3f * 2); });
  return bad != 0;
}
