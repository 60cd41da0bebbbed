#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_65760a71; }
// args: -O2 --no-line -Rmesi=temporal --temporal=9
// Two kernels that take turns and name their arrays: a run of launches begins with either.
enum { N = 4096 };
static float a[N] MESI_VS(_vs_a_65760a71), b[N] MESI_VS(_vs_b_65760a71); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;
static __device__ float half_of(float x) { return 0.5f * x; }

__global__ void step()
{ auto &b = *_d_b; auto &a = *_d_a;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1)
    b[i] = half_of(a[i - 1] + a[i + 1]);
}

__global__ void copy(float by)
{ auto &a = *_d_a; auto &b = *_d_b;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + by;
}
// step_steps: up to 9 launches of step and copy, which take turns, in one; tiles of 256 elements in 0 bytes of shared memory.
// Predicted gain: 1.9.
static __global__ void __launch_bounds__(128) step_steps(float _b_by, const mesi_steps_run _steps) {
  float _r_b[10] = {};
  float _r_a[10] = {};
  int _x0 = ((int)blockIdx.x * 4 + (int)threadIdx.y) * (256 - _steps.margin * 2) - _steps.margin;
  bool _inner = _x0 >= 0 && _x0 + 256 <= _steps.total[0] && ((int)(unsigned int)_x0 > 0 && (int)(unsigned int)_x0 < N - 1) && ((int)(unsigned int)(_x0 + 255) > 0 && (int)(unsigned int)(_x0 + 255) < N - 1);
  if (_inner) {
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      _r_a[_ix + 1] = (*_d_a)[(long long)(int)_x];
    }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e] = __shfl_up_sync(0xffffffffu, _r_a[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e + 9] = __shfl_down_sync(0xffffffffu, _r_a[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            {
              _r_b[_ix + 1] = __fmul_rn(half_of(_r_a[_ix] + _r_a[_ix + 2]), 1.0f);
            }
          }
        }
        {
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            {
              _r_a[_ix + 1] = _r_b[_ix + 1] + _b_by;
            }
          }
        }
      }
      {
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_a[_e] = __shfl_up_sync(0xffffffffu, _r_a[_e + 8], 1);
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_a[_e + 9] = __shfl_down_sync(0xffffffffu, _r_a[_e + 1], 1);
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        {
          _r_b[_ix + 1] = __fmul_rn(half_of(_r_a[_ix] + _r_a[_ix + 2]), 1.0f);
        }
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        int _lx = (int)threadIdx.x * 8 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_lx >= _steps.margin && _lx < 256 - _steps.margin)
          (*_d_b)[(long long)(int)_x] = _r_b[_ix + 1];
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
        if (255 - _lx < _d)
          _d = 255 - _lx;
        _live[_ix] = _in ? _d : -1;
        if ((long long)(int)_x >= _steps.first[1] && (long long)(int)_x < _steps.end[1])
          _r_a[_ix + 1] = (*_d_a)[(long long)(int)_x];
      }
    }
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      {
        if (!(_x < (unsigned int)_steps.total[0] && ((long long)_x >= 1 && 4094 >= (long long)_x)) && ((long long)(int)_x >= _steps.first[0] && (long long)(int)_x < _steps.end[0]))
          _r_b[_ix + 1] = (*_d_b)[(long long)(int)_x];
      }
    }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e] = __shfl_up_sync(0xffffffffu, _r_a[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e + 9] = __shfl_down_sync(0xffffffffu, _r_a[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            int _lx = (int)threadIdx.x * 8 + _ix;
            unsigned int _x = (unsigned int)(_x0 + _lx);
            if (_t / 2 < _live[_ix]) {
              int i = (int)_x;
              if (i > 0 && i < N - 1)
                _r_b[_ix + 1] = half_of(_r_a[_ix] + _r_a[_ix + 2]);
            }
          }
        }
        {
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            if (_t / 2 < _live[_ix]) {
              _r_a[_ix + 1] = _r_b[_ix + 1] + _b_by;
            }
          }
        }
      }
      {
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_a[_e] = __shfl_up_sync(0xffffffffu, _r_a[_e + 8], 1);
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_a[_e + 9] = __shfl_down_sync(0xffffffffu, _r_a[_e + 1], 1);
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        int _lx = (int)threadIdx.x * 8 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_live[_ix] >= _steps.margin) {
          int i = (int)_x;
          if (i > 0 && i < N - 1)
            (*_d_b)[i] = half_of(_r_a[_ix] + _r_a[_ix + 2]);
        }
      }
    }
  }
}
static const mesi_steps_buffer step_buffers[] = {{MESI_STEPS_NAMED, 0, 4, 4096}, {MESI_STEPS_NAMED, 1, 4, 4096}};

// copy_steps: up to 9 launches of copy and step, which take turns, in one; tiles of 256 elements in 0 bytes of shared memory.
// Predicted gain: 1.9.
static __global__ void __launch_bounds__(128) copy_steps(float by, const mesi_steps_run _steps) {
  float _r_b[10] = {};
  float _r_a[10] = {};
  int _x0 = ((int)blockIdx.x * 4 + (int)threadIdx.y) * (256 - _steps.margin * 2) - _steps.margin;
  bool _inner = _x0 >= 0 && _x0 + 256 <= _steps.total[0] && ((int)(unsigned int)_x0 > 0 && (int)(unsigned int)_x0 < N - 1) && ((int)(unsigned int)(_x0 + 255) > 0 && (int)(unsigned int)(_x0 + 255) < N - 1);
  if (_inner) {
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      _r_b[_ix + 1] = (*_d_b)[(long long)(int)_x];
    }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            {
              _r_a[_ix + 1] = _r_b[_ix + 1] + by;
            }
          }
        }
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e] = __shfl_up_sync(0xffffffffu, _r_a[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e + 9] = __shfl_down_sync(0xffffffffu, _r_a[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            {
              _r_b[_ix + 1] = __fmul_rn(half_of(_r_a[_ix] + _r_a[_ix + 2]), 1.0f);
            }
          }
        }
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        {
          _r_a[_ix + 1] = _r_b[_ix + 1] + by;
        }
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        int _lx = (int)threadIdx.x * 8 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_lx >= _steps.margin && _lx < 256 - _steps.margin)
          (*_d_a)[(long long)(int)_x] = _r_a[_ix + 1];
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
        if (255 - _lx < _d)
          _d = 255 - _lx;
        _live[_ix] = _in ? _d : -1;
        if ((long long)(int)_x >= _steps.first[0] && (long long)(int)_x < _steps.end[0])
          _r_b[_ix + 1] = (*_d_b)[(long long)(int)_x];
      }
    }
#pragma unroll
    for (int _ix = 0; _ix < 8; _ix++) {
      int _lx = (int)threadIdx.x * 8 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      {
        if (!(_x < (unsigned int)_steps.total[0] && 1) && ((long long)(int)_x >= _steps.first[1] && (long long)(int)_x < _steps.end[1]))
          _r_a[_ix + 1] = (*_d_a)[(long long)(int)_x];
      }
    }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            if (_t / 2 <= _live[_ix]) {
              _r_a[_ix + 1] = _r_b[_ix + 1] + by;
            }
          }
        }
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e] = __shfl_up_sync(0xffffffffu, _r_a[_e + 8], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_a[_e + 9] = __shfl_down_sync(0xffffffffu, _r_a[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 8; _ix++) {
            int _lx = (int)threadIdx.x * 8 + _ix;
            unsigned int _x = (unsigned int)(_x0 + _lx);
            if (_t / 2 < _live[_ix]) {
              int i = (int)_x;
              if (i > 0 && i < N - 1)
                _r_b[_ix + 1] = half_of(_r_a[_ix] + _r_a[_ix + 2]);
            }
          }
        }
      }
#pragma unroll
      for (int _ix = 0; _ix < 8; _ix++) {
        int _lx = (int)threadIdx.x * 8 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_live[_ix] >= _steps.margin) {
          int i = (int)_x;
          (*_d_a)[i] = _r_b[_ix + 1] + by;
        }
      }
    }
  }
}
static const mesi_steps_buffer copy_buffers[] = {{MESI_STEPS_NAMED, 0, 4, 4096}, {MESI_STEPS_NAMED, 1, 4, 4096}};
static const mesi_steps step_in_steps[] = {{9, 0, 1, {32, 4, 1}, {256, 1, 1}, {2, 0, 0}, 4, {1, 0}, step_buffers, 2, nullptr, 0, &step_in_steps[1]}, {9, 1, 1, {32, 4, 1}, {256, 1, 1}, {2, 0, 0}, 4, {0, 1}, copy_buffers, 2, nullptr, 0, &step_in_steps[0]}};

void run(int steps)
{
  { mesi_batch _mesi_batch; for (int t = 0; t < steps; t++) {
    (mesi_launch_begin(&_mesi_65760a71, 0), mesi_launch_range(0, 0, 0, 4, 16380, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), mesi_stepped(step_in_steps[0], step_steps, step, N / 128, 128, N / 128, 128)(), mesi_launch_end());
    (mesi_launch_begin(&_mesi_65760a71, 1), mesi_launch_range(0, 0, 0, 0, 16384, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), mesi_stepped(step_in_steps[1], copy_steps, copy, N / 128, 128, N / 128, 128)(1.0f / steps), mesi_launch_end());
  } }
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_65760a71; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_65760a71; }
static const struct mesi_var _mesi_65760a71_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "steps_turns.mcu:4"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "steps_turns.mcu:4"},
};
static const struct mesi_site_use _mesi_65760a71_uses_0[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_65760a71_uses_1[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site _mesi_65760a71_sites[] = {
  {"step", "steps_turns.mcu:23", _mesi_65760a71_uses_0, 2, 0},
  {"copy", "steps_turns.mcu:24", _mesi_65760a71_uses_1, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_65760a71 = {MESI_ABI, "steps_turns.mcu", _mesi_65760a71_vars, 2, _mesi_65760a71_sites, 2}; }
MESI_REGISTER(_mesi_65760a71)
