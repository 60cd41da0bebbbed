#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_ba199a70; }
#line 1 "map_idle_index.mcu"
// args: -O2 --mapping=always
/* Idle threads of the last block have no quotient, and so no column: they may not read the tile. */
#include <mesi.h>

extern float out[400] MESI_VS(_vs_out), b[400] MESI_VS(_vs_b); static MESI_CONSTANT decltype(out) *_d_out; static MESI_CONSTANT decltype(b) *_d_b;

__global__ void shifted(float *__restrict__ o, const float *__restrict__ v, int h, int w, int by, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h * w) {
    int y = i / w, x = i - y * by;
    float s = 1;
    for (int k = 0; k < m; k++) s += v[k * w + x] * v[k * w + x];
    o[i] = s;
  }
}
// shifted_mapped: shifted with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 2160 bytes of shared memory.
// Predicted gain: 1.0.
#line 7 "map_idle_index.mcu"
static __global__ void __launch_bounds__(32) shifted_mapped(float *__restrict__ o, const float *__restrict__ v, int h, int w, int by, int m) {
  __shared__ __align__(16) float _s_v[2][270];
  int _t = (int)threadIdx.x;
  {
    bool _p;
    _p = (int)(blockIdx.x * 32 + threadIdx.x) < 400;
#line 9 "map_idle_index.mcu"
    int i = (int)(blockIdx.x * 32 + threadIdx.x);
    {
      bool _p_2;
      _p_2 = i < 16 * 21;
#line 11 "map_idle_index.mcu"
      int y = i / 21; int x = i - y * 20;
      float s = 1;
      {
        int _b = 0;
        for (int _q = _t; _q < 270; _q += 32)
          mesi_copy_async<4>(&_s_v[0][_q], &v[_q]);
        mesi_copy_commit();
        for (int _k = 0; _k < 12; _k += 12) {
          mesi_copy_wait();
          __syncthreads();
          if (_k + 12 < 12) {
            for (int _q = _t; _q < 270; _q += 32)
              mesi_copy_async<4>(&_s_v[1 - _b][_q], &v[_q]);
          }
          mesi_copy_commit();
#pragma unroll
#line 13 "map_idle_index.mcu"
          for (int k = _k; k < _k + 12; k++) {
#line 13 "map_idle_index.mcu"
            s += _s_v[_b][k * 21 + x] * _s_v[_b][k * 21 + x];
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
      if (_p && _p_2)
#line 14 "map_idle_index.mcu"
        o[i] = s;
    }
  }
}
#line 17 "map_idle_index.mcu"

void run() { (mesi_launch_begin(&_mesi_ba199a70, 0), mesi_stream(0), shifted_mapped<<<13, 32>>>(mesi_arg_range(out, 0, 0, 0, 1344, MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(b, 0, 1068, 0, 0, MESI_READ), 16, 21, 20, 12), mesi_launch_end()); }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(out)> _vs_out; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
static const struct mesi_var _mesi_ba199a70_vars[] = {
  {"out", (void *)&out, sizeof(out), &_d_out, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_idle_index.mcu:5"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_idle_index.mcu:5"},
};
static const struct mesi_site _mesi_ba199a70_sites[] = {
  {"shifted", "map_idle_index.mcu:18", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_ba199a70 = {MESI_ABI, "map_idle_index.mcu", _mesi_ba199a70_vars, 2, _mesi_ba199a70_sites, 1}; }
MESI_REGISTER(_mesi_ba199a70)
