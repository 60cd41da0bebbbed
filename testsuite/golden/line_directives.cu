#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_482087de; }
#line 1 "line_directives.mcu"
// args: -O1 -I include
// #line brings messages back to the .mcu and to the header that was put in.
#line 1 "include/vs.h"
#ifndef VS_H
#define VS_H
#include "include/plain.h"
static int shared_table[LIMIT] MESI_VS(_vs_shared_table_482087de); static MESI_CONSTANT decltype(shared_table) *_d_shared_table;
static __global__ void scale(int factor) { auto &shared_table = *_d_shared_table; shared_table[threadIdx.x] *= factor; }
// scale_cached: scale with the following in shared memory, for blocks of 16 threads.
//   shared_table[0 .. +16]  64 bytes, copied in and out, 1 accesses per thread, 0.01562 per byte
#line 5 "include/vs.h"
static __global__ void scale_cached(int factor) {
  auto &shared_table = *_d_shared_table;
  __shared__ int _s_shared_table[16];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 16; _i0 += 16)
    _s_shared_table[_i0] = shared_table[_i0];
  __syncthreads();
#line 5 "include/vs.h"
  _s_shared_table[threadIdx.x] *= factor;
  __syncthreads();
  for (int _i0 = _t; _i0 < 16; _i0 += 16)
    shared_table[_i0] = _s_shared_table[_i0];
}
#line 6 "include/vs.h"
#endif
#line 4 "line_directives.mcu"

static float a[64] MESI_VS(_vs_a_482087de), b[64] MESI_VS(_vs_b_482087de); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;

__global__ void twice(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

  for (int k = 0; k < 4; k++)
    sum += from[i] * k;
  to[i] = sum;
}
// twice_cached: twice with the following in shared memory, for blocks of 32 threads.
//   from[blockIdx.x * 32 .. +32]  128 bytes, copied in, 4 accesses per thread, 0.03125 per byte
//   to[blockIdx.x * 32 .. +32]  128 bytes, copied out, 1 accesses per thread, 0.007812 per byte
#line 7 "line_directives.mcu"
__global__ void twice_cached(const float *from, float *to) {
  __shared__ float _s_from[32];
  __shared__ float _s_to[32];
  const int _t = threadIdx.x;
  const int _o_from_0 = blockIdx.x * 32;
  const int _o_to_0 = blockIdx.x * 32;
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    _s_from[_i0] = from[_o_from_0 + _i0];
  __syncthreads();
#line 9 "line_directives.mcu"
  float sum = 0;

  for (int k = 0; k < 4; k++)
    sum += _s_from[threadIdx.x] * k;
  _s_to[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    to[_o_to_0 + _i0] = _s_to[_i0];
}
#line 15 "line_directives.mcu"

int main() {
  (mesi_launch_begin(&_mesi_482087de, 0), mesi_stream(0), scale_cached<<<1, LIMIT>>>(2), mesi_launch_end());
  (mesi_launch_begin(&_mesi_482087de, 1), mesi_stream(0), twice_cached<<<2, 32>>>(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(b, 0, 4, MESI_READ); return b[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(shared_table)> _vs_shared_table_482087de; }
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_482087de; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_482087de; }
static const struct mesi_var _mesi_482087de_vars[] = {
  {"shared_table", (void *)&shared_table, sizeof(shared_table), &_d_shared_table, 0, 0, "include/vs.h:4"},
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "line_directives.mcu:5"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "line_directives.mcu:5"},
};
static const struct mesi_site_use _mesi_482087de_uses_0[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_482087de_sites[] = {
  {"scale", "line_directives.mcu:17", _mesi_482087de_uses_0, 1, 0},
  {"twice", "line_directives.mcu:18", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_482087de = {MESI_ABI, "line_directives.mcu", _mesi_482087de_vars, 3, _mesi_482087de_sites, 2}; }
MESI_REGISTER(_mesi_482087de)
