#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_e1676412; }
// args: -O1 --no-line --whole-program
// Device functions that get or name arrays, or compute indices, are part of the kernel; one that returns from a loop stays a call.
static float a[64][64] MESI_VS(_vs_a_e1676412), b[64] MESI_VS(_vs_b_e1676412), y[64] MESI_VS(_vs_y_e1676412), z[64] MESI_VS(_vs_z_e1676412); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(y) *_d_y; static MESI_CONSTANT decltype(z) *_d_z;
static int t[64] MESI_VS(_vs_t_e1676412); static MESI_CONSTANT decltype(t) *_d_t;

__device__ float dot(const float *r, const float *x, int n)
{
  float s = 0;
  for (int k = 0; k < n; k++) s += r[k] * x[k];
  return s;
}
__device__ int inside(int i, int n)
{
  if (i < 0) return 0;
  return i >= n ? n - 1 : i;
}
__device__ void put(int i, float v)
{ auto &z = *_d_z;
  if (v < 0) return;
  z[i] = v;
}
__device__ int find(const int *p, int v)
{
  for (int k = 0; k < 64; k++)
    if (p[k] == v) return k;
  return -1;
}
__global__ void rows(void) { auto &y = *_d_y; auto &a = *_d_a; auto &b = *_d_b; y[threadIdx.x] = dot(a[threadIdx.x], b, 64); }
// rows_cached: rows with the following in shared memory, for blocks of 64 threads.
//   b[0 .. +64]  256 bytes, copied in, 64 accesses per thread, 0.25 per byte
//   a[0 .. +64][0 .. +64]  16640 bytes, copied in, 64 accesses per thread, 0.003846 per byte, rows padded by 1
//   y[0 .. +64]  256 bytes, copied out, 1 accesses per thread, 0.003906 per byte
__global__ void rows_cached(void) {
  auto &y = *_d_y;
  auto &a = *_d_a;
  auto &b = *_d_b;
  __shared__ float _s_b[64];
  __shared__ float _s_a[64][65];
  __shared__ float _s_y[64];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_b[_i0] = b[_i0];
  for (int _i0 = 0; _i0 < 64; _i0++)
    for (int _i1 = _t; _i1 < 64; _i1 += 64)
      _s_a[_i0][_i1] = a[_i0][_i1];
  __syncthreads();
  float s = 0;
  for (int k = 0; k < 64; k++) s += _s_a[threadIdx.x][k] * _s_b[k];
  _s_y[threadIdx.x] = s;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    y[_i0] = _s_y[_i0];
}
__global__ void near(int n)
{ auto &b = *_d_b;
  int i = threadIdx.x;
  put(i, b[inside(i - 1, n)] + b[inside(i + 1, n)]);
}
// near_cached: near with the following in shared memory, for blocks of 64 threads.
//   b[0 .. +60]  240 bytes, copied in, 2 accesses per thread, 0.008333 per byte
__global__ void near_cached(int n)
{
  auto &b = *_d_b;
  auto &z = *_d_z;
  __shared__ float _s_b[60];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 60; _i0 += 64)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  int i = threadIdx.x;
  float v = _s_b[i - 1 < 0 ? 0 : i - 1 >= n ? n - 1 : i - 1] + _s_b[i + 1 < 0 ? 0 : i + 1 >= n ? n - 1 : i + 1];
  if (!(v < 0)) {
    z[i] = v;
  }
}
__global__ void search(int n) { auto &y = *_d_y; auto &t = *_d_t; auto &b = *_d_b; y[threadIdx.x] = find(t, n) + b[threadIdx.x]; }
// search_cached: search with the following in shared memory, for blocks of 64 threads.
//   b[0 .. +64]  256 bytes, copied in, 1 accesses per thread, 0.003906 per byte
//   y[0 .. +64]  256 bytes, copied out, 1 accesses per thread, 0.003906 per byte
__global__ void search_cached(int n) {
  auto &y = *_d_y;
  auto &t = *_d_t;
  auto &b = *_d_b;
  __shared__ float _s_b[64];
  __shared__ float _s_y[64];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  _s_y[threadIdx.x] = find(t, n) + _s_b[threadIdx.x];
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    y[_i0] = _s_y[_i0];
}
int main()
{
  (mesi_launch_begin(&_mesi_e1676412, 0), mesi_launch_range(0, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), rows_cached<<<1, 64>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_e1676412, 1), mesi_stream(0), near_cached<<<1, 64>>>(60), mesi_launch_end());
  (mesi_launch_begin(&_mesi_e1676412, 2), mesi_launch_range(0, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), search_cached<<<1, 64>>>(5), mesi_launch_end());
  mesi_use_bytes(y, 12, 16, MESI_READ); mesi_use_bytes(z, 12, 16, MESI_READ); return y[3] + z[3] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_e1676412; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_e1676412; }
extern "C" { MESI_HIDDEN mesi_page<decltype(y)> _vs_y_e1676412; }
extern "C" { MESI_HIDDEN mesi_page<decltype(z)> _vs_z_e1676412; }
extern "C" { MESI_HIDDEN mesi_page<decltype(t)> _vs_t_e1676412; }
static const struct mesi_var _mesi_e1676412_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "inline_calls.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "inline_calls.mcu:3"},
  {"y", (void *)&y, sizeof(y), &_d_y, MESI_VAR_FLOAT, 0, "inline_calls.mcu:3"},
  {"z", (void *)&z, sizeof(z), &_d_z, MESI_VAR_FLOAT, 0, "inline_calls.mcu:3"},
  {"t", (void *)&t, sizeof(t), &_d_t, 0, 0, "inline_calls.mcu:4"},
};
static const struct mesi_site_use _mesi_e1676412_uses_0[] = {{2, MESI_READ_WRITE}, {0, MESI_READ}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_e1676412_uses_1[] = {{3, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_e1676412_uses_2[] = {{2, MESI_READ_WRITE}, {4, MESI_READ}, {1, MESI_READ}};
static const struct mesi_site _mesi_e1676412_sites[] = {
  {"rows", "inline_calls.mcu:37", _mesi_e1676412_uses_0, 3, 0},
  {"near", "inline_calls.mcu:38", _mesi_e1676412_uses_1, 2, 0},
  {"search", "inline_calls.mcu:39", _mesi_e1676412_uses_2, 3, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_e1676412 = {MESI_ABI, "inline_calls.mcu", _mesi_e1676412_vars, 5, _mesi_e1676412_sites, 3}; }
MESI_REGISTER(_mesi_e1676412)
