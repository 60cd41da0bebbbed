#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_dee4b9a8; }
#line 1 "map_idle_index.mcu"
// args: -O2 --mapping=always
/* Idle threads of the last block load no row, and so have no column: they may not read the tile. */
#include <mesi.h>

extern float out[400] MESI_VS(_vs_out), b[400] MESI_VS(_vs_b); static MESI_CONSTANT decltype(out) *_d_out; static MESI_CONSTANT decltype(b) *_d_b;
extern int rows[400] MESI_VS(_vs_rows); static MESI_CONSTANT decltype(rows) *_d_rows;

__global__ void shifted(float *__restrict__ o, const float *__restrict__ v, const int *__restrict__ at, int n, int w,
                        int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int y = at[i] & 7, x = y * 2 + 1;
    float s = 1;
    for (int k = 0; k < m; k++) s += v[k * w + x] * v[k * w + x];
    o[i] = s;
  }
}
// shifted_mapped: shifted with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 1984 bytes of shared memory.
// Predicted gain: 1.0.
#line 8 "map_idle_index.mcu"
static __global__ void __launch_bounds__(32) shifted_mapped(float *__restrict__ o, const float *__restrict__ v, const int *__restrict__ at, int n, int w, int m) {
  __shared__ __align__(16) float _s_v[2][247];
  int _t = (int)threadIdx.x;
  {
    bool _p;
    _p = (int)(blockIdx.x * 32 + threadIdx.x) < 400;
#line 11 "map_idle_index.mcu"
    int i = (int)(blockIdx.x * 32 + threadIdx.x);
    {
      bool _p_2;
      _p_2 = i < 390;
      int y;
      if (_p && _p_2)
#line 13 "map_idle_index.mcu"
        y = at[i] & 7;
#line 13 "map_idle_index.mcu"
      int x = y * 2 + 1;
      float s = 1;
      {
        int _b = 0;
        for (int _q = _t; _q < 246; _q += 32) {
          int _j0 = 1 + _q;
          mesi_copy_async<4>(&_s_v[0][_q], &v[_j0]);
        }
        mesi_copy_commit();
        for (int _k = 0; _k < 12; _k += 12) {
          mesi_copy_wait();
          __syncthreads();
          if (_k + 12 < 12) {
            for (int _q = _t; _q < 246; _q += 32) {
              int _j0 = 1 + _q;
              mesi_copy_async<4>(&_s_v[1 - _b][_q], &v[_j0]);
            }
          }
          mesi_copy_commit();
#pragma unroll
#line 15 "map_idle_index.mcu"
          for (int k = _k; k < _k + 12; k++) {
            if (_p && _p_2)
#line 15 "map_idle_index.mcu"
              s += _s_v[_b][k * 21 + x - 1] * _s_v[_b][k * 21 + x - 1];
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
      if (_p && _p_2)
#line 16 "map_idle_index.mcu"
        o[i] = s;
    }
  }
}
#line 19 "map_idle_index.mcu"

void run() { (mesi_launch_begin(&_mesi_dee4b9a8, 0), mesi_stream(0), shifted_mapped<<<13, 32>>>(mesi_arg_range(out, 0, 0, 0, 1560, MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(b, 4, 988, 0, 0, MESI_READ), mesi_arg_range(rows, 0, 1560, 0, 0, MESI_READ), 390, 21, 12), mesi_launch_end()); }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(out)> _vs_out; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(rows)> _vs_rows; }
static const struct mesi_var _mesi_dee4b9a8_vars[] = {
  {"out", (void *)&out, sizeof(out), &_d_out, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_idle_index.mcu:5"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_idle_index.mcu:5"},
  {"rows", (void *)&rows, sizeof(rows), &_d_rows, MESI_VAR_GUARDED, 0, "map_idle_index.mcu:6"},
};
static const struct mesi_site _mesi_dee4b9a8_sites[] = {
  {"shifted", "map_idle_index.mcu:20", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_dee4b9a8 = {MESI_ABI, "map_idle_index.mcu", _mesi_dee4b9a8_vars, 3, _mesi_dee4b9a8_sites, 1}; }
MESI_REGISTER(_mesi_dee4b9a8)
