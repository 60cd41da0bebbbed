#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_ea178ff7; }
// args: -O2 --no-line -Rmesi=promote,launch
// Loads in front of stores: what a launch knows, what it asks, and what stays.
extern float a[65536] MESI_VS(_vs_a), b[65536] MESI_VS(_vs_b), c[65536] MESI_VS(_vs_c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(c) *_d_c;

__global__ void __launch_bounds__(256) scaled(float *to, const float *from, float by, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[2 * i] = from[2 * i] * by;
}
// scaled_restrict: scaled with loads in front of stores, where to, from lead to different memory.
__global__ void __launch_bounds__(256) scaled_restrict(float *__restrict__ to, const float *__restrict__ from, float by, int n)
{
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[2 * i] = from[2 * i] * by;
}
// scaled_restrict_2: scaled with loads in front of stores, where to, from lead to different memory.
__global__ void __launch_bounds__(256) scaled_restrict_2(float *__restrict__ to, const float *__restrict__ from, float by, int n)
{
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[2 * i] = from[2 * i] * by;
}

__global__ void steps(float *to, float *from, float *by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[2 * i] = from[2 * i] + by[i];
  to[2 * i + 1] = from[2 * i + 1] * by[i];
}
// steps_restrict: steps with loads in front of stores, where to, from, by lead to different memory.
__global__ void steps_restrict(float *__restrict__ to, float *__restrict__ from, float *__restrict__ by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[2 * i] = from[2 * i] + by[i];
  to[2 * i + 1] = from[2 * i + 1] * by[i];
}

__global__ void fenced(float *to, float *from, int n)
{
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    to[i] = from[i];
    __threadfence();
  }
}

void run(float *p, float *q, int n)
{
  (mesi_launch_begin(&_mesi_ea178ff7, 0), mesi_stream(0), scaled_restrict<<<80, 256>>>(mesi_arg_range(a, 0, 0, 0, (long long)n * 8 - 4, MESI_WRITE | (1 >= (long long)n ? MESI_OVERWRITE : 0u)), mesi_arg_range(b, 0, (long long)n * 8 - 4, 0, 0, MESI_READ), 2, n), mesi_launch_end());
  (mesi_launch_begin(&_mesi_ea178ff7, 1), mesi_stream(0), mesi_pick_if(mesi_no_alias(q, 0, (long long)n * 8 - 4, p, 0, (long long)n * 8 - 4), scaled_restrict_2, scaled)<<<80, 256>>>(mesi_arg_range(p, 0, 0, 0, (long long)n * 8 - 4, MESI_WRITE | ((1 >= (long long)n) && mesi_no_alias(p, 0, (long long)n * 8 - 4, q, 0, (long long)n * 8 - 4) ? MESI_OVERWRITE : 0u)), mesi_arg_range(q, 0, (long long)n * 8 - 4, 0, 0, MESI_READ), 2, n), mesi_launch_end());
  (mesi_launch_begin(&_mesi_ea178ff7, 2), mesi_stream(0), steps_restrict<<<64, 256>>>(mesi_arg_range(a, 0, 0, 0, (long long)n >= 16384 ? (long long)131072 : (long long)n * 8, MESI_WRITE | ((long long)n >= 1 ? MESI_OVERWRITE : 0u)), mesi_arg_range(b, 0, (long long)n >= 16384 ? (long long)131072 : (long long)n * 8, 0, 0, MESI_READ), mesi_arg_range(c, 0, (long long)n >= 16384 ? (long long)65536 : (long long)n * 4, 0, 0, MESI_READ), n), mesi_launch_end());
  (mesi_launch_begin(&_mesi_ea178ff7, 3), mesi_stream(0), fenced<<<1, 64>>>(mesi_arg_range(a, 0, 0, 0, (long long)n * 4, MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(b, 0, (long long)n * 4, 0, 0, MESI_READ), n), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
static const struct mesi_var _mesi_ea178ff7_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "restrict.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "restrict.mcu:3"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "restrict.mcu:3"},
};
static const struct mesi_site _mesi_ea178ff7_sites[] = {
  {"scaled", "restrict.mcu:29", 0, 0, 0},
  {"scaled", "restrict.mcu:30", 0, 0, 0},
  {"steps", "restrict.mcu:31", 0, 0, 0},
  {"fenced", "restrict.mcu:32", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_ea178ff7 = {MESI_ABI, "restrict.mcu", _mesi_ea178ff7_vars, 3, _mesi_ea178ff7_sites, 4}; }
MESI_REGISTER(_mesi_ea178ff7)
