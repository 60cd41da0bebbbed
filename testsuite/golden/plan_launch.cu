#include <mesi_cuda.h>
// args: -O1 --no-line
// A row of n elements: how much of it is staged only the launch can say.
__global__ void rows(const float *a, const float *b, float *c, int n)
{
  int row = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k];
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}
// rows_planned: rows for launches at which nothing is staged.
__global__ void rows_planned(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  int row = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k];
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}

// rows_planned_a: rows with the following in shared memory, where it fits at the launch.
//   a[blockIdx.x .. +1][0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void rows_planned_a(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_a_1 = _plan.size[0][1];
  float *const _s_a = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x;
  for (int _i1 = _t; _i1 < _n_a_1; _i1 += 32)
    _s_a[_i1] = a[_o_a_0 * n + _i1];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_a[k] * b[k];
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}

// rows_planned_b: rows with the following in shared memory, where it fits at the launch.
//   b[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void rows_planned_b(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_b_0 = _plan.size[1][0];
  float *const _s_b = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < _n_b_0; _i0 += 32)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  int row = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * _s_b[k];
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}

// rows_planned_a_b: rows with the following in shared memory, where it fits at the launch.
//   a[blockIdx.x .. +1][0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   b[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void rows_planned_a_b(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_a_1 = _plan.size[0][1];
  float *const _s_a = (float *)(_mesi_shared + _plan.offset[0]);
  const int _n_b_0 = _plan.size[1][0];
  float *const _s_b = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x;
  for (int _i1 = _t; _i1 < _n_a_1; _i1 += 32)
    _s_a[_i1] = a[_o_a_0 * n + _i1];
  for (int _i0 = _t; _i0 < _n_b_0; _i0 += 32)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_a[k] * _s_b[k];
  c[blockIdx.x * 32 + threadIdx.x] = sum;
}

// rows_planned_c: rows with the following in shared memory, where it fits at the launch.
//   c[blockIdx.x * 32 .. +32]  copied out; accesses per thread: 1.0
__global__ void rows_planned_c(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  float *const _s_c = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const int _o_c_0 = blockIdx.x * 32;
  int row = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k];
  _s_c[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    c[_o_c_0 + _i0] = _s_c[_i0];
}

// rows_planned_a_c: rows with the following in shared memory, where it fits at the launch.
//   a[blockIdx.x .. +1][0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   c[blockIdx.x * 32 .. +32]  copied out; accesses per thread: 1.0
__global__ void rows_planned_a_c(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_a_1 = _plan.size[0][1];
  float *const _s_a = (float *)(_mesi_shared + _plan.offset[0]);
  float *const _s_c = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x;
  const int _o_c_0 = blockIdx.x * 32;
  for (int _i1 = _t; _i1 < _n_a_1; _i1 += 32)
    _s_a[_i1] = a[_o_a_0 * n + _i1];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_a[k] * b[k];
  _s_c[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    c[_o_c_0 + _i0] = _s_c[_i0];
}

// rows_planned_b_c: rows with the following in shared memory, where it fits at the launch.
//   b[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   c[blockIdx.x * 32 .. +32]  copied out; accesses per thread: 1.0
__global__ void rows_planned_b_c(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_b_0 = _plan.size[1][0];
  float *const _s_b = (float *)(_mesi_shared + _plan.offset[1]);
  float *const _s_c = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const int _o_c_0 = blockIdx.x * 32;
  for (int _i0 = _t; _i0 < _n_b_0; _i0 += 32)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  int row = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * _s_b[k];
  _s_c[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    c[_o_c_0 + _i0] = _s_c[_i0];
}

// rows_planned_a_b_c: rows with the following in shared memory, where it fits at the launch.
//   a[blockIdx.x .. +1][0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   b[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   c[blockIdx.x * 32 .. +32]  copied out; accesses per thread: 1.0
__global__ void rows_planned_a_b_c(const float *a, const float *b, float *c, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_a_1 = _plan.size[0][1];
  float *const _s_a = (float *)(_mesi_shared + _plan.offset[0]);
  const int _n_b_0 = _plan.size[1][0];
  float *const _s_b = (float *)(_mesi_shared + _plan.offset[1]);
  float *const _s_c = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x;
  const int _o_c_0 = blockIdx.x * 32;
  for (int _i1 = _t; _i1 < _n_a_1; _i1 += 32)
    _s_a[_i1] = a[_o_a_0 * n + _i1];
  for (int _i0 = _t; _i0 < _n_b_0; _i0 += 32)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_a[k] * _s_b[k];
  _s_c[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    c[_o_c_0 + _i0] = _s_c[_i0];
}

void f(float *a, float *b, float *c, int n)
{
  static float *d = new float[100];
  (mesi_plan_launch(32, 49152, 0, {mesi_plan_of(mesi_no_alias(a, 0, mesi_times(36, (n + 1)) + (long long)(n + 1) * 4, d, 0, 1280), 4, mesi_trips((long long)(n + 1) - 1, 1), {1, (long long)(n + 1)}), mesi_plan_of(mesi_no_alias(b, 0, (long long)(n + 1) * 4, d, 0, 1280), 4, mesi_trips((long long)(n + 1) - 1, 1), {(long long)(n + 1)}), mesi_plan_of(mesi_no_alias(d, 0, 1280, a, 0, mesi_times(36, (n + 1)) + (long long)(n + 1) * 4) && mesi_no_alias(d, 0, 1280, b, 0, (long long)(n + 1) * 4), 4, 1.0, {32})}), mesi_plan_kernel(rows_planned, rows_planned_a, rows_planned_b, rows_planned_a_b, rows_planned_c, rows_planned_a_c, rows_planned_b_c, rows_planned_a_b_c)<<<10, 32, mesi_planned().bytes>>>(a, b, d, n + 1, mesi_planned()));
  cudaMalloc(&c, 1280 * sizeof *c);
  (mesi_plan_launch(32, 49152, 0, {mesi_plan_of(mesi_no_alias(a, 0, mesi_times(36, n) + (long long)n * 4, c, 0, 1280), 4, mesi_trips((long long)n - 1, 1), {1, (long long)n}), mesi_plan_of(mesi_no_alias(b, 0, (long long)n * 4, c, 0, 1280), 4, mesi_trips((long long)n - 1, 1), {(long long)n}), mesi_plan_of(mesi_no_alias(c, 0, 1280, a, 0, mesi_times(36, n) + (long long)n * 4) && mesi_no_alias(c, 0, 1280, b, 0, (long long)n * 4), 4, 1.0, {32})}), mesi_plan_kernel(rows_planned, rows_planned_a, rows_planned_b, rows_planned_a_b, rows_planned_c, rows_planned_a_c, rows_planned_b_c, rows_planned_a_b_c)<<<10, 32, mesi_planned().bytes>>>(a, b, c, n, mesi_planned()));
}
