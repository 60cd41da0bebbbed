// args: --mapping=always
// Kernel templates whose functors are declared behind them: structures, class templates, classes in
// namespaces, enumerations; launched directly and from templates of host code that are declared in
// front of the functors, too. Some declarations in between have names that a template uses, so that
// its text would mean another thing behind them.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 5000 };

__host__ __device__ inline float weight(double x) { return (float)x * 2; }

template <class Op> __global__ void folded(float *out, const float *in, int n, Op op)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = op(in[i], in[(i + 1) % n]);
}

// Its call finds the function above, not the one below.
template <class Op> __global__ void weighted(float *out, const float *in, int n, Op op)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = op(in[i], in[(i + 1) % n] + weight(3.0f));
}

// Its number is the macro's value here.
#define FIRST 1
template <class Op> __global__ void numbered(float *out, const float *in, int n, Op op)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = op(in[i], in[(i + 1) % n]) + FIRST;
}

template <class Op> void fold_of(float *out, const float *in, int n, Op op)
{
  folded<<<(n + 127) / 128, 128>>>(out, in, n, op);
}

template <class T, class Op> class folder {
public:
  folder(T *to, const T *from, int count) : out(to), in(from), n(count) {}
  void run(Op op) { folded<<<(n + 127) / 128, 128>>>(out, in, n, op); }

private:
  T *out;
  const T *in;
  int n;
};

struct plus {
  float by;
  __host__ __device__ float operator()(float a, float b) const { return a + b * by; }
};

template <class T> struct larger {
  __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

namespace deep {
namespace deeper {
struct minus {
  __host__ __device__ float operator()(float a, float b) const { return a - b; }
};
} // namespace deeper
} // namespace deep

__host__ __device__ inline float weight(float x) { return x * 100; }
#undef FIRST
#define FIRST 1000

struct times {
  __host__ __device__ float operator()(float a, float b) const { return a * 0.5f + b; }
};

template <class T, class Op> struct both {
  Op first;
  __host__ __device__ T operator()(T a, T b) const { return first(a, b) + 1; }
};

static float in[N], out[N];
static int failures;

template <class Op> static void check(const char *name, float *from, Op op, float first, float more)
{
  cudaMemcpy(out, from, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemset(from, 0, sizeof out);
  for (int i = 0; i < N; i++) {
    float sum = op(in[i], in[(i + 1) % N] + more) + first;
    if (out[i] == sum) continue;
    printf("%s: [%d] is %g, not %g\n", name, i, out[i], sum);
    failures++;
    return;
  }
}

int main()
{
  float *a, *b;

  for (int i = 0; i < N; i++) in[i] = (float)(i * 7 % 31);
  cudaMalloc((void **)&a, N * sizeof *a);
  cudaMalloc((void **)&b, N * sizeof *b);
  cudaMemcpy(b, in, sizeof in, cudaMemcpyHostToDevice);
  plus twice = {2};
  folded<<<(N + 127) / 128, 128>>>(a, b, (int)N, twice);
  check("plus", a, twice, 0, 0);
  larger<float> max;
  folded<<<(N + 127) / 128, 128>>>(a, b, (int)N, max);
  check("larger", a, max, 0, 0);
  deep::deeper::minus minus;
  folded<<<(N + 127) / 128, 128>>>(a, b, (int)N, minus);
  check("minus", a, minus, 0, 0);
  times times_half;
  folded<<<(N + 127) / 128, 128>>>(a, b, (int)N, times_half);
  check("times", a, times_half, 0, 0);
  weighted<<<(N + 127) / 128, 128>>>(a, b, (int)N, times_half);
  check("weighted", a, times_half, 0, 6);
  numbered<<<(N + 127) / 128, 128>>>(a, b, (int)N, times_half);
  check("numbered", a, times_half, 1, 0);
  fold_of(a, b, (int)N, twice);
  check("fold_of", a, twice, 0, 0);
  fold_of(a, b, (int)N, times_half);
  check("fold_of times", a, times_half, 0, 0);
  both<float, deep::deeper::minus> two = {minus};
  fold_of(a, b, (int)N, two);
  check("both", a, two, 0, 0);
  folder<float, plus> object(a, b, N);
  object.run(twice);
  check("folder", a, twice, 0, 0);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
