#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_ae3167cb; }
// args: -O2 --no-line -arch=sm_90 --mapping=always
// The segments of a nest as one stream of elements, with what the nest changes; a segment by itself behind an early return; arguments that may overlap.
struct alignas(16) atom { float x, y, z, q; };
extern int first[1025] MESI_VS(_vs_first); static MESI_CONSTANT decltype(first) *_d_first;
extern struct atom atoms[20000] MESI_VS(_vs_atoms); static MESI_CONSTANT decltype(atoms) *_d_atoms;
extern float out[1024 * 64] MESI_VS(_vs_out); static MESI_CONSTANT decltype(out) *_d_out;

__global__ void around(int cells)
{ auto &first = *_d_first; auto &atoms = *_d_atoms; auto &out = *_d_out;
  const float x = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
  for (int c = (int)blockIdx.x - 1; c <= (int)blockIdx.x + 1; c++) {
    if (c < 0 || c >= cells) continue;
    for (int k = first[c]; k < first[c + 1]; k++) {
      const struct atom e = atoms[k];
      sum += e.q * (e.x - x) + c * e.y;
    }
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// around_strips: around with strips of segments in shared memory: atoms, 128 elements at a time of all segments of the loops around it, 3592 bytes.
__global__ void around_strips(int cells)
{
  auto &first = *_d_first;
  auto &atoms = *_d_atoms;
  auto &out = *_d_out;
  __shared__ __align__(16) atom _s_atoms[128];
  __shared__ __align__(16) int _s_c[128];
  __shared__ __align__(16) long long _sum[65];
  __shared__ __align__(16) int _first[64];
  __shared__ __align__(16) int _r_c[64];
  int _t = (int)threadIdx.x;
  {
    const float x = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    {
      int _m = mesi_loop_trips<int>((int)blockIdx.x - 1, (int)blockIdx.x + 1, 1, 1);
      int _m_2 = mesi_nest_trips(_m);
      if (_m_2 > 2) {
        int _f = 0;
        for (int _b = 0; _b < _m_2; _b += 64) {
          int _at = (int)0;
          long long _n = 0;
          int _c = (int)0;
          int _i = _b + _t;
          if (_i < _m_2) {
            int c = (int)blockIdx.x - 1 + _i;
            {
              if (c >= 0 && c < cells) {
                {
                  _at = first[c];
                  _n = mesi_segment_length<int>(_at, first[c + 1]);
                  _c = c;
                }
              }
            }
          }
          long long _before = mesi_sum_before(_t, 64, _n);
          {
            _sum[_t] = _before;
            _first[_t] = _at;
            _r_c[_t] = _c;
          }
          if (_t == 64 - 1)
            _sum[64] = _before + _n;
          __syncthreads();
          long long _all = _sum[64];
          long long _a = 0;
          while (_a < _all) {
            int _c_2 = _all - _a < 128 - _f ? (int)(_all - _a) : 128 - _f;
            for (int _q = _t; _q < _c_2; _q += 64) {
              int _r = mesi_segment_of(_sum, 64, _a + _q);
              int c = _r_c[_r];
              int _slot = _f + _q;
              {
                int _k = _first[_r] + (int)(_a + _q - _sum[_r]);
                mesi_copy_async<16>(&_s_atoms[_slot], &atoms[_k]);
                _s_c[_slot] = c;
              }
            }
            _f += _c_2;
            _a += _c_2;
            if (_f == 128) {
              mesi_copy_wait();
              __syncthreads();
              for (int _e = 0; _e < 128; _e++) {
                int c = _s_c[_e];
                {
                  const atom e = _s_atoms[_e];
                  sum += __fmul_rn(e.q, (e.x - x)) + c * e.y;
                }
              }
              __syncthreads();
              _f = 0;
            }
          }
        }
        if (_f > 0) {
          mesi_copy_wait();
          __syncthreads();
          for (int _e_2 = 0; _e_2 < _f; _e_2++) {
            int c = _s_c[_e_2];
            {
              const atom e = _s_atoms[_e_2];
              sum += __fmul_rn(e.q, (e.x - x)) + c * e.y;
            }
          }
          __syncthreads();
        }
      } else {
        for (int c = (int)blockIdx.x - 1; c <= (int)blockIdx.x + 1; c++) {
          if (c >= 0 && c < cells) {
            for (int k = first[c]; k < first[c + 1]; k++) {
              const atom e = atoms[k];
              sum += __fmul_rn(e.q, (e.x - x)) + c * e.y;
            }
          }
        }
      }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
  }
}

__global__ void rows(const int *starts, const int *columns, const float *values, float *result, int n)
{ auto &atoms = *_d_atoms;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own = values[i];
  float sum = 0;
  for (int k = starts[blockIdx.x]; k < starts[blockIdx.x + 1]; k++) {
    const int j = columns[k];
    sum += values[j] * own;
    if (j != i) sum -= atoms[j].q;
  }
  result[i] = sum;
}
// rows_strips: rows with strips of segments in shared memory: columns, values, 256 elements at a time of a segment of more than 32, 2048 bytes.
__global__ void rows_strips(const int *starts, const int *columns, const float *values, float *result, int n)
{
  auto &atoms = *_d_atoms;
  __shared__ __align__(16) int _s_columns[256];
  __shared__ __align__(16) float _s_values[256];
  int _t = (int)threadIdx.x;
  {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    {
      bool _p = i < n;
      if (__syncthreads_or(_p)) {
        const float own = _p ? values[i] : (float)0;
        float sum = 0;
        {
          int _first = starts[blockIdx.x];
          int _end = starts[blockIdx.x + 1];
          if (_first < _end && _end - _first > 32) {
            for (int _k = _first; _k < _end; _k += 256) {
              int _n = _end - _k < 256 ? (int)(_end - _k) : 256;
              for (int _q = _t; _q < _n; _q += 128) {
                int _k_2 = _k + _q;
                mesi_copy_async<4>(&_s_columns[_q], &columns[_k_2]);
                mesi_copy_async<4>(&_s_values[_q], &values[(int)columns[_k_2]]);
              }
              mesi_copy_wait();
              __syncthreads();
              if (_p)
                for (int _e = 0; _e < _n; _e++) {
                  const int j = _s_columns[_e];
                  sum += _s_values[_e] * own;
                  if (j != i) sum -= atoms[j].q;
                }
              __syncthreads();
            }
          } else {
            if (_p)
              for (int k = starts[blockIdx.x]; k < starts[blockIdx.x + 1]; k++) {
                const int j = columns[k];
                sum += values[j] * own;
                if (j != i) sum -= atoms[j].q;
              }
          }
        }
        if (_p) {
          result[i] = sum;
        }
      }
    }
  }
}
// rows_strips_part: rows_strips for a run of blocks along x, from _run.first of _run.blocks.
__global__ void rows_strips_part(const int *starts, const int *columns, const float *values, float *result, int n, const mesi_run _run) {
  auto &atoms = *_d_atoms;
  __shared__ __align__(16) int _s_columns[256];
  __shared__ __align__(16) float _s_values[256];
  int _t = (int)threadIdx.x;
  {
    const int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
    {
      bool _p = i < n;
      if (__syncthreads_or(_p)) {
        const float own = _p ? values[i] : (float)0;
        float sum = 0;
        {
          int _first = starts[(blockIdx.x + _run.first)];
          int _end = starts[(blockIdx.x + _run.first) + 1];
          if (_first < _end && _end - _first > 32) {
            for (int _k = _first; _k < _end; _k += 256) {
              int _n = _end - _k < 256 ? (int)(_end - _k) : 256;
              for (int _q = _t; _q < _n; _q += 128) {
                int _k_2 = _k + _q;
                mesi_copy_async<4>(&_s_columns[_q], &columns[_k_2]);
                mesi_copy_async<4>(&_s_values[_q], &values[(int)columns[_k_2]]);
              }
              mesi_copy_wait();
              __syncthreads();
              if (_p)
                for (int _e = 0; _e < _n; _e++) {
                  const int j = _s_columns[_e];
                  sum += _s_values[_e] * own;
                  if (j != i) sum -= atoms[j].q;
                }
              __syncthreads();
            }
          } else {
            if (_p)
              for (int k = starts[(blockIdx.x + _run.first)]; k < starts[(blockIdx.x + _run.first) + 1]; k++) {
                const int j = columns[k];
                sum += values[j] * own;
                if (j != i) sum -= atoms[j].q;
              }
          }
        }
        if (_p) {
          result[i] = sum;
        }
      }
    }
  }
}
// rows_part: rows for a run of blocks along x, from _run.first of _run.blocks.
__global__ void rows_part(const int *starts, const int *columns, const float *values, float *result, int n, const mesi_run _run) {
  auto &atoms = *_d_atoms;
  const int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own = values[i];
  float sum = 0;
  for (int k = starts[(blockIdx.x + _run.first)]; k < starts[(blockIdx.x + _run.first) + 1]; k++) {
    const int j = columns[k];
    sum += values[j] * own;
    if (j != i) sum -= atoms[j].q;
  }
  result[i] = sum;
}

void go(const float *v, float *r, int n)
{
  (mesi_launch_begin(&_mesi_ae3167cb, 0), mesi_launch_range(2, 0, 0, 0, 262144, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), around_strips<<<1024, 64>>>(1024), mesi_launch_end());
  (mesi_launch_begin(&_mesi_ae3167cb, 1), mesi_launch_on_devices(), mesi_stream(0), mesi_parted(mesi_pick_if(mesi_plan_no_alias(v, r) && mesi_no_alias(first, 0, (long long)((n + 127 < 0 ? (n + 127 - 127) / 128 : (n + 127) / 128) * 4 + 4), r, 0, (long long)n * 4) && mesi_plan_no_alias(first, r), rows_strips, rows), mesi_pick_if(mesi_plan_no_alias(v, r) && mesi_no_alias(first, 0, (long long)((n + 127 < 0 ? (n + 127 - 127) / 128 : (n + 127) / 128) * 4 + 4), r, 0, (long long)n * 4) && mesi_plan_no_alias(first, r), rows_strips_part, rows_part), 0, (n + 127) / 128, 128)(mesi_arg_range(first, 0, (long long)((n + 127 < 0 ? (n + 127 - 127) / 128 : (n + 127) / 128) * 4 + 4), 0, 0, MESI_READ, {4, 0, 8}, {}), mesi_arg(first, MESI_READ), mesi_arg(v, MESI_READ), mesi_arg_range(r, 0, 0, 0, (long long)n * 4, MESI_WRITE, {}, {512, 0, 512}), n), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(first)> _vs_first; }
extern "C" { MESI_HIDDEN mesi_page<decltype(atoms)> _vs_atoms; }
extern "C" { MESI_HIDDEN mesi_page<decltype(out)> _vs_out; }
static const struct mesi_var _mesi_ae3167cb_vars[] = {
  {"first", (void *)&first, sizeof(first), &_d_first, MESI_VAR_GUARDED, 0, "segment_nest.mcu:4"},
  {"atoms", (void *)&atoms, sizeof(atoms), &_d_atoms, MESI_VAR_GUARDED, 0, "segment_nest.mcu:5"},
  {"out", (void *)&out, sizeof(out), &_d_out, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "segment_nest.mcu:6"},
};
static const struct mesi_site_use _mesi_ae3167cb_uses_0[] = {{0, MESI_READ}, {1, MESI_READ}, {2, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_ae3167cb_uses_1[] = {{1, MESI_READ}};
static const struct mesi_site _mesi_ae3167cb_sites[] = {
  {"around", "segment_nest.mcu:38", _mesi_ae3167cb_uses_0, 3, 0},
  {"rows", "segment_nest.mcu:39", _mesi_ae3167cb_uses_1, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_ae3167cb = {MESI_ABI, "segment_nest.mcu", _mesi_ae3167cb_vars, 3, _mesi_ae3167cb_sites, 2}; }
MESI_REGISTER(_mesi_ae3167cb)
