#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_e8d44d51; }
// args: -O2 --no-line -arch=sm_70 --mapping=always
// Below sm_80 all loads of an element are on their way before the first of them is stored.
extern float x[20000] MESI_VS(_vs_x), y[20000] MESI_VS(_vs_y), result[12800] MESI_VS(_vs_result); static MESI_CONSTANT decltype(x) *_d_x; static MESI_CONSTANT decltype(y) *_d_y; static MESI_CONSTANT decltype(result) *_d_result;
extern int kind[20000] MESI_VS(_vs_kind), starts[101] MESI_VS(_vs_starts); static MESI_CONSTANT decltype(kind) *_d_kind; static MESI_CONSTANT decltype(starts) *_d_starts;

__global__ void rows() { auto &starts = *_d_starts; auto &x = *_d_x; auto &y = *_d_y; auto &kind = *_d_kind; auto &result = *_d_result;
  const int i = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int k = starts[blockIdx.x]; k < starts[blockIdx.x + 1]; k++)
    sum += x[k] * y[kind[k]] * i;
  result[i] = sum;
}
// rows_strips: rows with strips of segments in shared memory: x, y, 256 elements at a time of a segment of more than 32, 2048 bytes.
__global__ void rows_strips() {
  auto &starts = *_d_starts;
  auto &x = *_d_x;
  auto &y = *_d_y;
  auto &kind = *_d_kind;
  auto &result = *_d_result;
  __shared__ __align__(16) float _s_x[256];
  __shared__ __align__(16) float _s_y[256];
  int _t = (int)threadIdx.x;
  {
    const int i = blockIdx.x * 128 + threadIdx.x;
    float sum = 0;
    {
      int _first = starts[blockIdx.x];
      int _end = starts[blockIdx.x + 1];
      if (_first < _end && _end - _first > 32) {
        for (int _k = _first; _k < _end; _k += 256) {
          int _n = _end - _k < 256 ? (int)(_end - _k) : 256;
          for (int _q = _t; _q < _n; _q += 128) {
            int _k_2 = _k + _q;
            float _v = x[_k_2];
            float _v_2 = y[kind[_k_2]];
            _s_x[_q] = _v;
            _s_y[_q] = _v_2;
          }
          __syncthreads();
          for (int _e = 0; _e < _n; _e++)
            sum += _s_x[_e] * _s_y[_e] * i;
          __syncthreads();
        }
      } else {
        for (int k = starts[blockIdx.x]; k < starts[blockIdx.x + 1]; k++)
          sum += x[k] * y[kind[k]] * i;
      }
    }
    result[i] = sum;
  }
}

void go() {
  (mesi_launch_begin(&_mesi_e8d44d51, 0), mesi_launch_range(4, 0, 0, 0, 51200, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), rows_strips<<<100, 128>>>(), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(x)> _vs_x; }
extern "C" { MESI_HIDDEN mesi_page<decltype(y)> _vs_y; }
extern "C" { MESI_HIDDEN mesi_page<decltype(result)> _vs_result; }
extern "C" { MESI_HIDDEN mesi_page<decltype(kind)> _vs_kind; }
extern "C" { MESI_HIDDEN mesi_page<decltype(starts)> _vs_starts; }
static const struct mesi_var _mesi_e8d44d51_vars[] = {
  {"x", (void *)&x, sizeof(x), &_d_x, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "segment_loads.mcu:3"},
  {"y", (void *)&y, sizeof(y), &_d_y, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "segment_loads.mcu:3"},
  {"result", (void *)&result, sizeof(result), &_d_result, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "segment_loads.mcu:3"},
  {"kind", (void *)&kind, sizeof(kind), &_d_kind, MESI_VAR_GUARDED, 0, "segment_loads.mcu:4"},
  {"starts", (void *)&starts, sizeof(starts), &_d_starts, MESI_VAR_GUARDED, 0, "segment_loads.mcu:4"},
};
static const struct mesi_site_use _mesi_e8d44d51_uses_0[] = {{4, MESI_READ}, {0, MESI_READ}, {1, MESI_READ}, {3, MESI_READ}, {2, MESI_READ_WRITE}};
static const struct mesi_site _mesi_e8d44d51_sites[] = {
  {"rows", "segment_loads.mcu:15", _mesi_e8d44d51_uses_0, 5, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_e8d44d51 = {MESI_ABI, "segment_loads.mcu", _mesi_e8d44d51_vars, 5, _mesi_e8d44d51_sites, 1}; }
MESI_REGISTER(_mesi_e8d44d51)
