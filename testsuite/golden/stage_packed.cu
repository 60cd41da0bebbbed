#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_a0f1814d; }
// args: -O1 --no-line
// What lies between the elements that a block uses has no room in the copy; a box that is used to more than 3 of 5 stays.
static int a[64][64] MESI_VS(_vs_a_a0f1814d), v[512] MESI_VS(_vs_v_a0f1814d); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(v) *_d_v;
static float out[64] MESI_VS(_vs_out_a0f1814d); static MESI_CONSTANT decltype(out) *_d_out;

__global__ void fourth(int n) { auto &out = *_d_out; auto &v = *_d_v;
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = v[4 * i + n] + v[4 * i + n + 1];
}
// fourth_cached: fourth with the following in shared memory, for blocks of 32 threads.
//   out[blockIdx.x * 32 .. +32]  128 bytes, copied out, 1 accesses per thread, 0.007812 per byte
//   v[(long long)blockIdx.x * 128 + (long long)n .. +126]  504 bytes, copied in, 2 accesses per thread, 0.003968 per byte
__global__ void fourth_cached(int n) {
  auto &out = *_d_out;
  auto &v = *_d_v;
  __shared__ float _s_out[32];
  __shared__ int _s_v[126];
  const int _t = threadIdx.x;
  const int _o_out_0 = blockIdx.x * 32;
  const long long _o_v_0 = (long long)blockIdx.x * 128 + (long long)n;
  for (int _i0 = _t; _i0 < 126; _i0 += 32)
    if (511 >= (_o_v_0 + _i0) && (_o_v_0 + _i0) >= 0)
      _s_v[_i0] = v[_o_v_0 + _i0];
  __syncthreads();
  _s_out[threadIdx.x] = _s_v[threadIdx.x * 4] + _s_v[threadIdx.x * 4 + 1];
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    out[_o_out_0 + _i0] = _s_out[_i0];
}
__global__ void diagonal(void) { auto &out = *_d_out; auto &a = *_d_a;
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i > 0) out[i] = a[i][i] + a[i][i - 1];
}
// diagonal_cached: diagonal with the following in shared memory, for blocks of 32 threads.
//   a[blockIdx.x * 32 .. +32][-1 .. +2]  256 bytes, copied in, 1 accesses per thread, 0.003906 per byte
//   out[blockIdx.x * 32 .. +32]  128 bytes, copied out, 0.5 accesses per thread, 0.003906 per byte
__global__ void diagonal_cached(void) {
  auto &out = *_d_out;
  auto &a = *_d_a;
  __shared__ int _s_a[32][2];
  __shared__ float _s_out[32];
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x * 32;
  const int _o_a_1 = -1;
  const int _o_out_0 = blockIdx.x * 32;
  for (int _e = _t; _e < 64; _e += 32) {
    const int _i0 = _e / 2;
    const int _i1 = _e % 2;
    if ((_o_a_0 + _i0) * 65 + (_o_a_1 + _i1) >= 0)
      _s_a[_i0][_i1] = (&a[0][0])[(_o_a_0 + _i0) * 65 + _o_a_1 + _i1];
  }
  __syncthreads();
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i > 0) _s_out[threadIdx.x] = _s_a[threadIdx.x][1] + _s_a[threadIdx.x][0];
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    if ((_o_out_0 + _i0) >= 1)
      out[_o_out_0 + _i0] = _s_out[_i0];
}
__global__ void runs(void) { auto &out = *_d_out; auto &v = *_d_v;
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = v[i / 4 * 32 + i % 4];
}
// runs_cached: runs with the following in shared memory, for blocks of 32 threads.
//   v[blockIdx.x * 8 .. +8][0 .. +4]  128 bytes, copied in, 1 accesses per thread, 0.007812 per byte
//   out[blockIdx.x * 32 .. +32]  128 bytes, copied out, 1 accesses per thread, 0.007812 per byte
__global__ void runs_cached(void) {
  auto &out = *_d_out;
  auto &v = *_d_v;
  __shared__ int _s_v[8][4];
  __shared__ float _s_out[32];
  const int _t = threadIdx.x;
  const int _o_v_0 = blockIdx.x * 8;
  const int _o_out_0 = blockIdx.x * 32;
  for (int _e = _t; _e < 32; _e += 32) {
    const int _i0 = _e / 4;
    const int _i1 = _e % 4;
    _s_v[_i0][_i1] = v[(_o_v_0 + _i0) * 32 + _i1];
  }
  __syncthreads();
  _s_out[threadIdx.x] = _s_v[(int)threadIdx.x / 4][(int)threadIdx.x - (int)threadIdx.x / 4 * 4];
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    out[_o_out_0 + _i0] = _s_out[_i0];
}
__global__ void full(void) { auto &out = *_d_out; auto &v = *_d_v;
  int i = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 3; k++) out[i] += v[4 * i + k];
}
// full_cached: full with the following in shared memory, for blocks of 32 threads.
//   out[blockIdx.x * 32 .. +32]  128 bytes, copied in and out, 3 accesses per thread, 0.02344 per byte
//   v[blockIdx.x * 128 .. +127]  508 bytes, copied in, 3 accesses per thread, 0.005906 per byte
__global__ void full_cached(void) {
  auto &out = *_d_out;
  auto &v = *_d_v;
  __shared__ float _s_out[32];
  __shared__ int _s_v[127];
  const int _t = threadIdx.x;
  const int _o_out_0 = blockIdx.x * 32;
  const int _o_v_0 = blockIdx.x * 128;
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    _s_out[_i0] = out[_o_out_0 + _i0];
  for (int _i0 = _t; _i0 < 127; _i0 += 32)
    _s_v[_i0] = v[_o_v_0 + _i0];
  __syncthreads();
  for (int k = 0; k < 3; k++) _s_out[threadIdx.x] += _s_v[k + threadIdx.x * 4];
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    out[_o_out_0 + _i0] = _s_out[_i0];
}
__global__ void chosen(const int *p) { auto &out = *_d_out;
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = p[4 * (i % 8 ? i : 0)];
}
// chosen_cached: chosen with the following in shared memory, for blocks of 32 threads.
//   out[blockIdx.x * 32 .. +32]  128 bytes, copied out, 1 accesses per thread, 0.007812 per byte
//   p[0 .. +253]  1012 bytes, copied in, 1 accesses per thread, 0.0009881 per byte
__global__ void chosen_cached(const int *p) {
  auto &out = *_d_out;
  __shared__ float _s_out[32];
  __shared__ int _s_p[253];
  const int _t = threadIdx.x;
  const int _o_out_0 = blockIdx.x * 32;
  for (int _i0 = _t; _i0 < 253; _i0 += 32)
    _s_p[_i0] = p[_i0];
  __syncthreads();
  int i = blockIdx.x * 32 + threadIdx.x;
  _s_out[threadIdx.x] = _s_p[4 * (i % 8 ? i : 0)];
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    out[_o_out_0 + _i0] = _s_out[_i0];
}
int main(int argc, char **) {
  (mesi_launch_begin(&_mesi_a0f1814d, 0), mesi_launch_range(0, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, (long long)argc * 4, (long long)argc * 4 + 1016, 0, 0, MESI_READ), mesi_stream(0), fourth_cached<<<2, 32>>>(argc), mesi_launch_end());
  (mesi_launch_begin(&_mesi_a0f1814d, 1), mesi_launch_range(0, 0, 0, 4, 256, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, 256, 16384, 0, 0, MESI_READ), mesi_stream(0), diagonal_cached<<<2, 32>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_a0f1814d, 2), mesi_launch_range(0, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, 0, 1936, 0, 0, MESI_READ), mesi_stream(0), runs_cached<<<2, 32>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_a0f1814d, 3), mesi_launch_range(1, 0, 1020, 0, 0, MESI_READ), mesi_stream(0), full_cached<<<2, 32>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_a0f1814d, 4), mesi_launch_range(0, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), chosen_cached<<<2, 32>>>(mesi_arg_range(v, 0, 1012, 0, 0, MESI_READ)), mesi_launch_end());
  mesi_use_bytes(out, 12, 16, MESI_READ); return out[3] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_a0f1814d; }
extern "C" { MESI_HIDDEN mesi_page<decltype(v)> _vs_v_a0f1814d; }
extern "C" { MESI_HIDDEN mesi_page<decltype(out)> _vs_out_a0f1814d; }
static const struct mesi_var _mesi_a0f1814d_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, 0, 0, "stage_packed.mcu:3"},
  {"v", (void *)&v, sizeof(v), &_d_v, 0, 0, "stage_packed.mcu:3"},
  {"out", (void *)&out, sizeof(out), &_d_out, MESI_VAR_FLOAT, 0, "stage_packed.mcu:4"},
};
static const struct mesi_site_use _mesi_a0f1814d_uses_0[] = {{2, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_a0f1814d_uses_1[] = {{2, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_a0f1814d_uses_2[] = {{2, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_a0f1814d_uses_3[] = {{2, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_a0f1814d_uses_4[] = {{2, MESI_READ_WRITE}};
static const struct mesi_site _mesi_a0f1814d_sites[] = {
  {"fourth", "stage_packed.mcu:27", _mesi_a0f1814d_uses_0, 2, 0},
  {"diagonal", "stage_packed.mcu:28", _mesi_a0f1814d_uses_1, 2, 0},
  {"runs", "stage_packed.mcu:29", _mesi_a0f1814d_uses_2, 2, 0},
  {"full", "stage_packed.mcu:30", _mesi_a0f1814d_uses_3, 2, 0},
  {"chosen", "stage_packed.mcu:31", _mesi_a0f1814d_uses_4, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_a0f1814d = {MESI_ABI, "stage_packed.mcu", _mesi_a0f1814d_vars, 3, _mesi_a0f1814d_sites, 5}; }
MESI_REGISTER(_mesi_a0f1814d)
