#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_c4edf373; }
// args: -O2 --no-line -Rmesi=temporal --temporal=7
// Steps of a loop in one launch: two arrays that change places, a scalar that differs between steps.
enum { N = 100000 };
static float a[N] MESI_VS(_vs_a_c4edf373), b[N] MESI_VS(_vs_b_c4edf373); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;

__global__ void step(const float *from, float *to, float by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 2)
    to[i] = from[i - 1] + by * from[i + 2];
}
// step_steps: up to 7 launches of step, which follow one another, in one; tiles of 256 elements in 0 bytes of shared memory.
// Predicted gain: 1.5.
static __global__ void __launch_bounds__(128) step_steps(const float *from, float *to, float by, const mesi_steps_run _steps, const mesi_steps_values _v_by) {
  float _r_from[11] = {};
  float _r_to[11] = {};
  int _x0 = ((int)blockIdx.x * 4 + (int)threadIdx.y) * (256 - _steps.margin * 3) - _steps.margin;
  bool _inner = _x0 >= 0 && _x0 + 256 <= _steps.total[0] && ((int)(unsigned int)_x0 > 0 && (int)(unsigned int)_x0 < N - 2) && ((int)(unsigned int)(_x0 + 255) > 0 && (int)(unsigned int)(_x0 + 255) < N - 2);
  if (_inner) {
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      _r_from[_ix + 1] = from[(long long)(int)_x];
    }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _r_from[_e + 9] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            {
              _r_to[_ix + 1] = _r_from[_ix] + mesi_step_value<float>(_v_by, _t) * _r_from[_ix + 3];
            }
          }
        }
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_to[_e] = __shfl_up_sync(0xffffffffu, _r_to[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _r_to[_e + 9] = __shfl_down_sync(0xffffffffu, _r_to[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            {
              _r_from[_ix + 1] = _r_to[_ix] + mesi_step_value<float>(_v_by, _t + 1) * _r_to[_ix + 3];
            }
          }
        }
      }
      {
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 8], 1);
#pragma unroll
        for (int _e = 0; _e < 2; _e++)
          _r_from[_e + 9] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        {
          _r_to[_ix + 1] = _r_from[_ix] + mesi_step_value<float>(_v_by, _steps.depth - 1) * _r_from[_ix + 3];
        }
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        int _lx = (int)threadIdx.x * 8 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_lx >= _steps.margin && _lx < 256 - _steps.margin * 2)
          to[(long long)(int)_x] = _r_to[_ix + 1];
      }
    }
  } else {
    int _live[8];
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      {
        bool _in = _x < (unsigned int)_steps.total[0];
        int _d = _steps.margin;
        if (_lx < _d)
          _d = _lx;
        if ((255 - _lx) / 2 < _d)
          _d = (255 - _lx) / 2;
        _live[_ix] = _in ? _d : -1;
        if ((long long)(int)_x >= _steps.first[0] && (long long)(int)_x < _steps.end[0])
          _r_from[_ix + 1] = from[(long long)(int)_x];
      }
    }
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      {
        if (!(_x < (unsigned int)_steps.total[0] && ((long long)_x >= 1 && 99997 >= (long long)_x)) && ((long long)(int)_x >= _steps.first[1] && (long long)(int)_x < _steps.end[1]))
          _r_to[_ix + 1] = to[(long long)(int)_x];
      }
    }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _r_from[_e + 9] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            int _lx = (int)threadIdx.x * 8 + _ix;
            unsigned int _x = (unsigned int)(_x0 + _lx);
            if (_t < _live[_ix]) {
              int i = (int)_x;
              if (i > 0 && i < N - 2)
                _r_to[_ix + 1] = _r_from[_ix] + mesi_step_value<float>(_v_by, _t) * _r_from[_ix + 3];
            }
          }
        }
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_to[_e] = __shfl_up_sync(0xffffffffu, _r_to[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _r_to[_e + 9] = __shfl_down_sync(0xffffffffu, _r_to[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            int _lx = (int)threadIdx.x * 8 + _ix;
            unsigned int _x = (unsigned int)(_x0 + _lx);
            if (_t + 1 < _live[_ix]) {
              int i = (int)_x;
              if (i > 0 && i < N - 2)
                _r_from[_ix + 1] = _r_to[_ix] + mesi_step_value<float>(_v_by, _t + 1) * _r_to[_ix + 3];
            }
          }
        }
      }
      {
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 8], 1);
#pragma unroll
        for (int _e = 0; _e < 2; _e++)
          _r_from[_e + 9] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        int _lx = (int)threadIdx.x * 8 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_live[_ix] >= _steps.margin) {
          int i = (int)_x;
          if (i > 0 && i < N - 2)
            to[i] = _r_from[_ix] + mesi_step_value<float>(_v_by, _steps.depth - 1) * _r_from[_ix + 3];
        }
      }
    }
  }
}
static const mesi_steps_buffer step_buffers[] = {{0, 1, 4}, {1, 0, 4}};
static const unsigned step_values[] = {2};
static const mesi_steps step_in_steps = {7, 3, 1, {32, 4, 1}, {256, 1, 1}, {3, 0, 0}, 4, {1, 1}, step_buffers, 2, step_values, 1, &step_in_steps};

void run(int steps)
{
  { mesi_batch _mesi_batch; for (int t = 0; t < steps; t++) {
    (mesi_launch_begin(&_mesi_c4edf373, 0), mesi_stream(0), mesi_stepped(step_in_steps, step_steps, step, (N + 127) / 128, 128, (N + 127) / 128, 128)(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 4, 399992, MESI_WRITE | MESI_OVERWRITE), 0.5f * t), mesi_launch_end());
    (mesi_launch_begin(&_mesi_c4edf373, 1), mesi_stream(0), mesi_stepped(step_in_steps, step_steps, step, (N + 127) / 128, 128, (N + 127) / 128, 128)(mesi_arg(b, MESI_READ), mesi_arg_range(a, 0, 0, 4, 399992, MESI_WRITE | MESI_OVERWRITE), 0.25f * t), mesi_launch_end());
  } }
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_c4edf373; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_c4edf373; }
static const struct mesi_var _mesi_c4edf373_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "steps_line.mcu:4"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "steps_line.mcu:4"},
};
static const struct mesi_site _mesi_c4edf373_sites[] = {
  {"step", "steps_line.mcu:16", 0, 0, 0},
  {"step", "steps_line.mcu:17", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_c4edf373 = {MESI_ABI, "steps_line.mcu", _mesi_c4edf373_vars, 2, _mesi_c4edf373_sites, 2}; }
MESI_REGISTER(_mesi_c4edf373)
