#include <mesi_cuda.h>
// args: -O2 --no-line --mapping=never -Rmesi=stage,launch
// Blocks of any width: a range that grows faster than the threads that use it is not staged by any launch, one that 16 rows of threads share may be.
__global__ void apart(float *__restrict__ out, const float *__restrict__ in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[2 * i] + in[2 * i + 1];
}

__global__ void shared_by_rows(float *__restrict__ out, const float *__restrict__ in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[threadIdx.y * n + i] = in[2 * i] * threadIdx.y;
}
// shared_by_rows_planned: shared_by_rows for launches at which nothing is staged.
__global__ void shared_by_rows_planned(float *__restrict__ out, const float *__restrict__ in, int n, const mesi_plan _plan) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[threadIdx.y * n + i] = in[2 * i] * threadIdx.y;
}

// shared_by_rows_planned_in: shared_by_rows with the following in shared memory, where it fits at the launch.
//   in[(long long)blockIdx.x * 2 * blockDim.x .. +(long long)((int)blockDim.x * 2 - 1)]  copied in; accesses per thread: 1.0
__global__ void shared_by_rows_planned_in(float *__restrict__ out, const float *__restrict__ in, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_in_0 = _plan.size[0][0];
  float *const _s_in = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  const long long _o_in_0 = (long long)blockIdx.x * 2 * blockDim.x;
  for (int _i0 = _t; _i0 < _n_in_0; _i0 += _threads)
    if (((_o_in_0 + _i0) + (long long)blockIdx.x * 2 * blockDim.x < 0 ? ((_o_in_0 + _i0) + (long long)blockIdx.x * 2 * blockDim.x - 1) / 2 : ((_o_in_0 + _i0) + (long long)blockIdx.x * 2 * blockDim.x) / 2) * 2 == (_o_in_0 + _i0) + (long long)blockIdx.x * 2 * blockDim.x)
      _s_in[_i0] = in[_o_in_0 + _i0];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[threadIdx.y * n + i] = _s_in[threadIdx.x * 2] * threadIdx.y;
}

__global__ void shared_by_few(float *__restrict__ out, const float *__restrict__ in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[threadIdx.y * n + i] = in[2 * i] * threadIdx.y;
}

void f(float *out, const float *in, int n, int width)
{
  apart<<<n / width, width>>>(out, in, n);
  (mesi_plan_launch(dim3(width, 32), 49152, 8, {mesi_plan_of(true, 4, 1.0, {(long long)((int)dim3(dim3(width, 32)).x * 2 - 1)})}), mesi_plan_kernel(shared_by_rows_planned, shared_by_rows_planned_in)<<<n / width, dim3(width, 32), mesi_planned().bytes>>>(out, in, n, mesi_planned()));
  shared_by_few<<<n / width, dim3(width, 4)>>>(out, in, n);
}
