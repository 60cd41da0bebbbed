#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_a39a9914; }
// args: -O1 --no-line
// Indices out of tables: the launch looks at what it reads of them, and at the object that they lead into.
__global__ void gather(const float *x, const int *row, const short *shift, float *y, int n)
{
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[row[threadIdx.x] + shift[k]];
  y[threadIdx.x] = sum;
}
// gather_planned: gather for launches at which nothing is staged.
__global__ void gather_planned(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[row[threadIdx.x] + shift[k]];
  y[threadIdx.x] = sum;
}

// gather_planned_row: gather with the following in shared memory, where it fits at the launch.
//   row[0 .. +64]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_row(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  int *const _s_row = (int *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    if (n >= 1)
      _s_row[_i0] = row[_i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[_s_row[threadIdx.x] + shift[k]];
  y[threadIdx.x] = sum;
}

// gather_planned_shift: gather with the following in shared memory, where it fits at the launch.
//   shift[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_shift(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_shift_0 = _plan.size[1][0];
  short *const _s_shift = (short *)(_mesi_shared + _plan.offset[1]);
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < _n_shift_0; _i0 += 64)
    _s_shift[_i0] = shift[_i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[row[threadIdx.x] + _s_shift[k]];
  y[threadIdx.x] = sum;
}

// gather_planned_row_shift: gather with the following in shared memory, where it fits at the launch.
//   row[0 .. +64]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   shift[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_row_shift(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  int *const _s_row = (int *)(_mesi_shared + _plan.offset[0]);
  const int _n_shift_0 = _plan.size[1][0];
  short *const _s_shift = (short *)(_mesi_shared + _plan.offset[1]);
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    if (n >= 1)
      _s_row[_i0] = row[_i0];
  for (int _i0 = _t; _i0 < _n_shift_0; _i0 += 64)
    _s_shift[_i0] = shift[_i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[_s_row[threadIdx.x] + _s_shift[k]];
  y[threadIdx.x] = sum;
}

// gather_planned_x: gather with the following in shared memory, where it fits at the launch.
//   x[_plan.value[2] + _plan.value[0] .. +_plan.value[3] + _plan.value[1] + 1 - _plan.value[2] - _plan.value[0]]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_x(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_x_0 = _plan.size[2][0];
  float *const _s_x = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const long long _o_x_0 = _plan.value[2] + _plan.value[0];
  for (int _i0 = _t; _i0 < _n_x_0; _i0 += 64)
    if (_plan.value[5] >= (_o_x_0 + _i0) + 1 && (_o_x_0 + _i0) >= _plan.value[4])
      _s_x[_i0] = x[_o_x_0 + _i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_x[row[threadIdx.x] + shift[k] - (_plan.value[2] + _plan.value[0])];
  y[threadIdx.x] = sum;
}

// gather_planned_row_x: gather with the following in shared memory, where it fits at the launch.
//   row[0 .. +64]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   x[_plan.value[2] + _plan.value[0] .. +_plan.value[3] + _plan.value[1] + 1 - _plan.value[2] - _plan.value[0]]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_row_x(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  int *const _s_row = (int *)(_mesi_shared + _plan.offset[0]);
  const int _n_x_0 = _plan.size[2][0];
  float *const _s_x = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const long long _o_x_0 = _plan.value[2] + _plan.value[0];
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    if (n >= 1)
      _s_row[_i0] = row[_i0];
  for (int _i0 = _t; _i0 < _n_x_0; _i0 += 64)
    if (_plan.value[5] >= (_o_x_0 + _i0) + 1 && (_o_x_0 + _i0) >= _plan.value[4])
      _s_x[_i0] = x[_o_x_0 + _i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_x[_s_row[threadIdx.x] + shift[k] - (_plan.value[2] + _plan.value[0])];
  y[threadIdx.x] = sum;
}

// gather_planned_shift_x: gather with the following in shared memory, where it fits at the launch.
//   shift[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   x[_plan.value[2] + _plan.value[0] .. +_plan.value[3] + _plan.value[1] + 1 - _plan.value[2] - _plan.value[0]]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_shift_x(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_shift_0 = _plan.size[1][0];
  short *const _s_shift = (short *)(_mesi_shared + _plan.offset[1]);
  const int _n_x_0 = _plan.size[2][0];
  float *const _s_x = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const long long _o_x_0 = _plan.value[2] + _plan.value[0];
  for (int _i0 = _t; _i0 < _n_shift_0; _i0 += 64)
    _s_shift[_i0] = shift[_i0];
  for (int _i0 = _t; _i0 < _n_x_0; _i0 += 64)
    if (_plan.value[5] >= (_o_x_0 + _i0) + 1 && (_o_x_0 + _i0) >= _plan.value[4])
      _s_x[_i0] = x[_o_x_0 + _i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_x[row[threadIdx.x] + _s_shift[k] - (_plan.value[2] + _plan.value[0])];
  y[threadIdx.x] = sum;
}

// gather_planned_row_shift_x: gather with the following in shared memory, where it fits at the launch.
//   row[0 .. +64]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   shift[0 .. +(long long)n]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
//   x[_plan.value[2] + _plan.value[0] .. +_plan.value[3] + _plan.value[1] + 1 - _plan.value[2] - _plan.value[0]]  copied in; accesses per thread: mesi_trips((long long)n - 1, 1)
__global__ void gather_planned_row_shift_x(const float *x, const int *row, const short *shift, float *y, int n, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  int *const _s_row = (int *)(_mesi_shared + _plan.offset[0]);
  const int _n_shift_0 = _plan.size[1][0];
  short *const _s_shift = (short *)(_mesi_shared + _plan.offset[1]);
  const int _n_x_0 = _plan.size[2][0];
  float *const _s_x = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = threadIdx.x;
  const long long _o_x_0 = _plan.value[2] + _plan.value[0];
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    if (n >= 1)
      _s_row[_i0] = row[_i0];
  for (int _i0 = _t; _i0 < _n_shift_0; _i0 += 64)
    _s_shift[_i0] = shift[_i0];
  for (int _i0 = _t; _i0 < _n_x_0; _i0 += 64)
    if (_plan.value[5] >= (_o_x_0 + _i0) + 1 && (_o_x_0 + _i0) >= _plan.value[4])
      _s_x[_i0] = x[_o_x_0 + _i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_x[_s_row[threadIdx.x] + _s_shift[k] - (_plan.value[2] + _plan.value[0])];
  y[threadIdx.x] = sum;
}

__global__ void scatter(float *x, int *row)
{
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[row[63 - threadIdx.x]] += 1;
}
// scatter_planned: scatter for launches at which nothing is staged.
__global__ void scatter_planned(float *x, int *row, const mesi_plan _plan) {
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[row[63 - threadIdx.x]] += 1;
}

// scatter_planned_row: scatter with the following in shared memory, where it fits at the launch.
//   row[0 .. +64]  copied in and out; accesses per thread: 2.0
__global__ void scatter_planned_row(float *x, int *row, const mesi_plan _plan) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  int *const _s_row = (int *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_row[_i0] = row[_i0];
  __syncthreads();
  _s_row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[_s_row[63 - threadIdx.x]] += 1;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    row[_i0] = _s_row[_i0];
}

void f(float *x, int *row, short *shift, float *y, int n)
{
  (mesi_launch_begin(&_mesi_a39a9914, 0), mesi_stream(0), mesi_plan_inspect(0, row, 4, true, 0, 256), mesi_plan_inspect(1, shift, 2, true, 0, (long long)n * 2), mesi_plan_measure(2, x, 4), mesi_plan_launch(64, 49152, 0, {mesi_plan_of(mesi_no_alias(row, 0, 256, y, 0, 256), 4, mesi_trips((long long)n - 1, 1), {64}), mesi_plan_of(mesi_no_alias(shift, 0, (long long)n * 2, y, 0, 256), 2, mesi_trips((long long)n - 1, 1), {(long long)n}), mesi_plan_of(mesi_plan_knows(7) && mesi_plan_no_alias(x, y) && mesi_no_alias(row, 0, 256, y, 0, 256) && mesi_no_alias(shift, 0, (long long)n * 2, y, 0, 256), 4, mesi_trips((long long)n - 1, 1), {mesi_planned().value[3] + mesi_planned().value[1] + 1 - mesi_planned().value[2] - mesi_planned().value[0]})}), mesi_plan_kernel(gather_planned, gather_planned_row, gather_planned_shift, gather_planned_row_shift, gather_planned_x, gather_planned_row_x, gather_planned_shift_x, gather_planned_row_shift_x)<<<1, 64, mesi_planned().bytes>>>(mesi_arg(x, MESI_READ), mesi_arg_range(row, 0, 256, 0, 0, MESI_READ), mesi_arg_range(shift, 0, (long long)n * 2, 0, 0, MESI_READ), mesi_arg_range(y, 0, 0, 0, 256, MESI_WRITE), n, mesi_planned()), mesi_launch_end());
  (mesi_launch_begin(&_mesi_a39a9914, 1), mesi_stream(0), mesi_plan_launch(64, 49152, 0, {mesi_plan_of(mesi_plan_no_alias(row, x), 4, 2.0, {64})}), mesi_plan_kernel(scatter_planned, scatter_planned_row)<<<1, 64, mesi_planned().bytes>>>(mesi_arg(x, MESI_READ_WRITE), mesi_arg_range(row, 0, 256, 0, 256, MESI_READ_WRITE), mesi_planned()), mesi_launch_end());
}

static float vx[300] MESI_VS(_vs_vx_a39a9914); static MESI_CONSTANT decltype(vx) *_d_vx;
static int vrow[64] MESI_VS(_vs_vrow_a39a9914); static MESI_CONSTANT decltype(vrow) *_d_vrow;
static short vshift[100] MESI_VS(_vs_vshift_a39a9914); static MESI_CONSTANT decltype(vshift) *_d_vshift;
static float vy[64] MESI_VS(_vs_vy_a39a9914); static MESI_CONSTANT decltype(vy) *_d_vy;

int main()
{
  f(vx, vrow, vshift, vy, 100);
  mesi_use_bytes(vy, 12, 16, MESI_READ); return vy[3] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(vx)> _vs_vx_a39a9914; }
extern "C" { MESI_HIDDEN mesi_page<decltype(vrow)> _vs_vrow_a39a9914; }
extern "C" { MESI_HIDDEN mesi_page<decltype(vshift)> _vs_vshift_a39a9914; }
extern "C" { MESI_HIDDEN mesi_page<decltype(vy)> _vs_vy_a39a9914; }
static const struct mesi_var _mesi_a39a9914_vars[] = {
  {"vx", (void *)&vx, sizeof(vx), &_d_vx, MESI_VAR_FLOAT, 0, "plan_tables.mcu:24"},
  {"vrow", (void *)&vrow, sizeof(vrow), &_d_vrow, 0, 0, "plan_tables.mcu:25"},
  {"vshift", (void *)&vshift, sizeof(vshift), &_d_vshift, 0, 0, "plan_tables.mcu:26"},
  {"vy", (void *)&vy, sizeof(vy), &_d_vy, MESI_VAR_FLOAT, 0, "plan_tables.mcu:27"},
};
static const struct mesi_site _mesi_a39a9914_sites[] = {
  {"gather", "plan_tables.mcu:20", 0, 0, 0},
  {"scatter", "plan_tables.mcu:21", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_a39a9914 = {MESI_ABI, "plan_tables.mcu", _mesi_a39a9914_vars, 4, _mesi_a39a9914_sites, 2}; }
MESI_REGISTER(_mesi_a39a9914)
