// Arguments as constants, by the forms of launches: in a loop with another number each time, through
// a pointer to the kernel, by cudaLaunchKernel, from a template, with numbers of variables that
// change, with three numbers for one kernel. Beside them sums of products whose bits depend on which
// of them the compiler fuses.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 1000 };

static int failures;

__global__ void changing(int *out, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % w + i / w;
}

__global__ void pointed(int *out, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % w + i / w;
}

__global__ void by_interface(int *out, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % w + i / w;
}

__global__ void several(int *out, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % w + i / w;
}

__global__ void of_variable(int *out, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % w + i / w;
}

template <typename T> __global__ void of_type(T *out, int n, T w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (T)i % w + (T)i / w;
}

template <int K> __global__ void of_number(int *out, int n, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int k = 0; k < K; k++) s += (i + k) % w;
  if (i < n) out[i] = s + i / w;
}

__global__ void behind(float *out, const float *in, int n, int w, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float product = 1;
  for (int j = 0; j < k; j++) product *= in[i % w + j];
  out[i] = product + in[i / w];
}

__global__ void weighted(float *out, const float *in, int n, int w, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < k; j++) sum += in[i / w + j] * expf(-0.3f * j * j);
  out[i] = sum;
}

static int *out_d;
int variable = 6;

static void expect(const char *name, int w, int terms)
{
  static int got[N];

  cudaMemcpy(got, out_d, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemset(out_d, 0, sizeof got);
  for (int i = 0; i < N; i++) {
    int want = i / w;
    for (int k = 0; k < terms; k++) want += (i + k) % w;
    if (got[i] == want) continue;
    printf("%s: element %d is %d, not %d\n", name, i, got[i], want);
    failures++;
    return;
  }
}

static void through(void (*kernel)(int *, int, int), int w) { kernel<<<8, 128>>>(out_d, N, w); }

static void integers(int argc)
{
  for (int w = 1; w < 5; w++) {
    changing<<<8, 128>>>(out_d, N, w);
    expect("changing", w, 1);
  }
  through(pointed, 7);
  expect("pointed", 7, 1);
  pointed<<<8, 128>>>(out_d, N, 5);
  expect("pointed, by name", 5, 1);
  int n = N, w = 9;
  void *arguments[] = {&out_d, &n, &w};
  cudaLaunchKernel((void *)by_interface, dim3(8), dim3(128), arguments, 0, 0);
  expect("by the interface", 9, 1);
  by_interface<<<8, 128>>>(out_d, N, 3);
  expect("by name", 3, 1);
  several<<<8, 128>>>(out_d, N, 3);
  expect("several", 3, 1);
  several<<<8, 128>>>(out_d, N, 4);
  expect("several", 4, 1);
  several<<<8, 128>>>(out_d, N, argc + 4);
  expect("several", argc + 4, 1);
  of_variable<<<8, 128>>>(out_d, N, variable);
  expect("of a variable", 6, 1);
  variable = 11;
  of_variable<<<8, 128>>>(out_d, N, variable);
  expect("of a variable", 11, 1);
  of_type<<<8, 128>>>(out_d, N, 13);
  expect("of a type", 13, 1);
  of_type<<<8, 128>>>((unsigned *)out_d, N, 17u);
  expect("of another type", 17, 1);
  of_number<2><<<8, 128>>>(out_d, N, 10);
  expect("of a number", 10, 2);
  of_number<3><<<8, 128>>>(out_d, N, 12);
  expect("of another number", 12, 3);
}

// the launch whose numbers are known has the same bits as the one whose numbers are not
static void floats(int argc)
{
  static float in[N + 64], known[N], unknown[N];
  float *in_d, *floats_d;

  for (int i = 0; i < N + 64; i++) in[i] = 1 + (float)(i * 7919 % 1013) / 1021;
  cudaMalloc(&in_d, sizeof in);
  cudaMalloc(&floats_d, sizeof known);
  cudaMemcpy(in_d, in, sizeof in, cudaMemcpyHostToDevice);
  for (int which = 0; which < 2; which++) {
    int w = 23 + argc, k = 2 + argc;
    if (which == 0) behind<<<8, 128>>>(floats_d, in_d, N, 24, 3);
    if (which == 1) weighted<<<8, 128>>>(floats_d, in_d, N, 24, 3);
    cudaMemcpy(known, floats_d, sizeof known, cudaMemcpyDeviceToHost);
    if (which == 0) behind<<<8, 128>>>(floats_d, in_d, N, w, k);
    if (which == 1) weighted<<<8, 128>>>(floats_d, in_d, N, w, k);
    cudaMemcpy(unknown, floats_d, sizeof unknown, cudaMemcpyDeviceToHost);
    if (!memcmp(known, unknown, sizeof known)) continue;
    printf("floats %d: other bits\n", which);
    failures++;
  }
}

int main(int argc, char **)
{
  cudaMalloc(&out_d, N * sizeof *out_d);
  cudaMemset(out_d, 0, N * sizeof *out_d);
  integers(argc);
  floats(argc);
  printf(failures ? "FAILED\n" : "ok\n");
  return failures != 0;
}
