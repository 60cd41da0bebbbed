#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_eaada768; }
// args: -O2 --no-line
// Rows that steps load of an array that no launch writes, two steps early.
enum { ROWS = 101, N = 1 << 20 };
static int wall[ROWS][N] MESI_VS(_vs_wall_eaada768), even[N] MESI_VS(_vs_even_eaada768), odd[N] MESI_VS(_vs_odd_eaada768); static MESI_CONSTANT decltype(wall) *_d_wall; static MESI_CONSTANT decltype(even) *_d_even; static MESI_CONSTANT decltype(odd) *_d_odd;

__global__ void next_row(const int *from, int *to, int row)
{ auto &wall = *_d_wall;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) {
    int best = min(from[i], from[i - 1]);
    to[i] = wall[row][i] + min(best, from[i + 1]);
  }
}
// next_row_part: next_row for a run of blocks along x, from _run.first of _run.blocks.
__global__ void next_row_part(const int *from, int *to, int row, const mesi_run _run) {
  auto &wall = *_d_wall;
  int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1) {
    int best = min(from[i], from[i - 1]);
    to[i] = wall[row][i] + min(best, from[i + 1]);
  }
}
// next_row_steps: up to 23 launches of next_row, which follow one another, in one; tiles of 128 elements in 0 bytes of shared memory.
// Predicted gain: 1.7.
static __global__ void __launch_bounds__(256) next_row_steps(const int *from, int *to, int row, const mesi_steps_run _steps, const mesi_steps_values _v_row) {
  auto &wall = *_d_wall;
  int _r_from[6] = {};
  int _r_to[6] = {};
  int _x0 = ((int)blockIdx.x * 8 + (int)threadIdx.y) * (128 - _steps.margin * 2) - _steps.margin;
  bool _inner = _x0 >= 0 && _x0 + 128 <= _steps.total[0] && ((int)(unsigned int)_x0 > 0 && (int)(unsigned int)_x0 < N - 1) && ((int)(unsigned int)(_x0 + 127) > 0 && (int)(unsigned int)(_x0 + 127) < N - 1);
  if (_inner) {
#pragma unroll
    for (int _ix = 0; _ix < 4; _ix++) {
      int _lx = (int)threadIdx.x * 4 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      _r_from[_ix + 1] = from[(long long)(int)_x];
    }
    {
      int _a_wall[4];
      int _a_wall_2[4];
#pragma unroll
      for (int _ix = 0; _ix < 4; _ix++) {
        int _lx = (int)threadIdx.x * 4 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        _a_wall[_ix] = mesi_lane_load(&wall[mesi_step_value<int>(_v_row, 0)][(int)_x - _ix], _ix);
      }
      if (1 < _steps.depth)
#pragma unroll
        for (int _ix = 0; _ix < 4; _ix++) {
          int _lx = (int)threadIdx.x * 4 + _ix;
          unsigned int _x = (unsigned int)(_x0 + _lx);
          _a_wall_2[_ix] = mesi_lane_load(&wall[mesi_step_value<int>(_v_row, 1)][(int)_x - _ix], _ix);
        }
#pragma unroll 4
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 4], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_from[_e + 5] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 4; _ix++) {
            {
              {
                int best = min(_r_from[_ix + 1], _r_from[_ix]);
                _r_to[_ix + 1] = _a_wall[_ix] + min(best, _r_from[_ix + 2]);
              }
            }
          }
          if (_t + 2 < _steps.depth)
#pragma unroll
            for (int _ix = 0; _ix < 4; _ix++) {
              int _lx = (int)threadIdx.x * 4 + _ix;
              unsigned int _x = (unsigned int)(_x0 + _lx);
              _a_wall[_ix] = mesi_lane_load(&wall[mesi_step_value<int>(_v_row, _t + 2)][(int)_x - _ix], _ix);
            }
        }
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_to[_e] = __shfl_up_sync(0xffffffffu, _r_to[_e + 4], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_to[_e + 5] = __shfl_down_sync(0xffffffffu, _r_to[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 4; _ix++) {
            {
              {
                int best = min(_r_to[_ix + 1], _r_to[_ix]);
                _r_from[_ix + 1] = _a_wall_2[_ix] + min(best, _r_to[_ix + 2]);
              }
            }
          }
          if (_t + 3 < _steps.depth)
#pragma unroll
            for (int _ix = 0; _ix < 4; _ix++) {
              int _lx = (int)threadIdx.x * 4 + _ix;
              unsigned int _x = (unsigned int)(_x0 + _lx);
              _a_wall_2[_ix] = mesi_lane_load(&wall[mesi_step_value<int>(_v_row, _t + 3)][(int)_x - _ix], _ix);
            }
        }
      }
      {
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 4], 1);
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_from[_e + 5] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
      }
#pragma unroll
      for (int _ix = 0; _ix < 4; _ix++) {
        {
          {
            int best = min(_r_from[_ix + 1], _r_from[_ix]);
            _r_to[_ix + 1] = _a_wall[_ix] + min(best, _r_from[_ix + 2]);
          }
        }
      }
#pragma unroll
      for (int _ix = 0; _ix < 4; _ix++) {
        int _lx = (int)threadIdx.x * 4 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_lx >= _steps.margin && _lx < 128 - _steps.margin)
          to[(long long)(int)_x] = _r_to[_ix + 1];
      }
    }
  } else {
    int _live[4];
#pragma unroll
    for (int _ix = 0; _ix < 4; _ix++) {
      int _lx = (int)threadIdx.x * 4 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      {
        bool _in = _x < (unsigned int)_steps.total[0];
        int _d = _steps.margin;
        if (_lx < _d)
          _d = _lx;
        if (127 - _lx < _d)
          _d = 127 - _lx;
        _live[_ix] = _in ? _d : -1;
        if ((long long)(int)_x >= _steps.first[0] && (long long)(int)_x < _steps.end[0])
          _r_from[_ix + 1] = from[(long long)(int)_x];
      }
    }
#pragma unroll
    for (int _ix = 0; _ix < 4; _ix++) {
      int _lx = (int)threadIdx.x * 4 + _ix;
      unsigned int _x = (unsigned int)(_x0 + _lx);
      {
        if (!(_x < (unsigned int)_steps.total[0] && ((long long)_x >= 1 && 1048574 >= (long long)_x)) && ((long long)(int)_x >= _steps.first[1] && (long long)(int)_x < _steps.end[1]))
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
              _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 4], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_from[_e + 5] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 4; _ix++) {
            int _lx = (int)threadIdx.x * 4 + _ix;
            unsigned int _x = (unsigned int)(_x0 + _lx);
            if (_t < _live[_ix]) {
              int i = (int)_x;
              if (i > 0 && i < N - 1) {
                int best = min(_r_from[_ix + 1], _r_from[_ix]);
                _r_to[_ix + 1] = wall[mesi_step_value<int>(_v_row, _t)][i] + min(best, _r_from[_ix + 2]);
              }
            }
          }
        }
        {
          {
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_to[_e] = __shfl_up_sync(0xffffffffu, _r_to[_e + 4], 1);
#pragma unroll
            for (int _e = 0; _e < 1; _e++)
              _r_to[_e + 5] = __shfl_down_sync(0xffffffffu, _r_to[_e + 1], 1);
          }
#pragma unroll
          for (int _ix = 0; _ix < 4; _ix++) {
            int _lx = (int)threadIdx.x * 4 + _ix;
            unsigned int _x = (unsigned int)(_x0 + _lx);
            if (_t + 1 < _live[_ix]) {
              int i = (int)_x;
              if (i > 0 && i < N - 1) {
                int best = min(_r_to[_ix + 1], _r_to[_ix]);
                _r_from[_ix + 1] = wall[mesi_step_value<int>(_v_row, _t + 1)][i] + min(best, _r_to[_ix + 2]);
              }
            }
          }
        }
      }
      {
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_from[_e] = __shfl_up_sync(0xffffffffu, _r_from[_e + 4], 1);
#pragma unroll
        for (int _e = 0; _e < 1; _e++)
          _r_from[_e + 5] = __shfl_down_sync(0xffffffffu, _r_from[_e + 1], 1);
      }
#pragma unroll
      for (int _ix = 0; _ix < 4; _ix++) {
        int _lx = (int)threadIdx.x * 4 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        if (_live[_ix] >= _steps.margin) {
          int i = (int)_x;
          if (i > 0 && i < N - 1) {
            int best = min(_r_from[_ix + 1], _r_from[_ix]);
            to[i] = wall[mesi_step_value<int>(_v_row, _steps.depth - 1)][i] + min(best, _r_from[_ix + 2]);
          }
        }
      }
    }
  }
}
static const mesi_steps_buffer next_row_buffers[] = {{0, 1, 4}, {1, 0, 4}};
static const unsigned next_row_values[] = {2};
static const mesi_steps next_row_in_steps = {23, 3, 1, {32, 8, 1}, {128, 1, 1}, {2, 0, 0}, 8, {1, 1}, next_row_buffers, 2, next_row_values, 1, &next_row_in_steps};

void run()
{
  { mesi_batch _mesi_batch; for (int row = 1; row < ROWS; row += 2) {
    (mesi_launch_begin(&_mesi_eaada768, 0), mesi_launch_on_several(), mesi_launch_range(0, (long long)row * 4194304 + 4, (long long)row * 4194304 + 4194300, 0, 0, MESI_READ, {1024, (long long)row * 4194304, (long long)row * 4194304 + 1024}, {}), mesi_stream(0), mesi_stepped(next_row_in_steps, next_row_steps, mesi_runs(next_row, next_row_part, 0), N / 256, 256, N / 256, 256)(mesi_arg_range(even, 0, 4194304, 0, 0, MESI_READ, {1024, -4, 1028}, {}), mesi_arg_range(odd, 0, 0, 4, 4194300, MESI_WRITE | MESI_OVERWRITE, {}, {1024, 0, 1024}), row), mesi_launch_end());
    (mesi_launch_begin(&_mesi_eaada768, 1), mesi_launch_on_several(), mesi_launch_range(0, (long long)(row + 1) * 4194304 + 4, (long long)(row + 1) * 4194304 + 4194300, 0, 0, MESI_READ, {1024, (long long)(row + 1) * 4194304, (long long)(row + 1) * 4194304 + 1024}, {}), mesi_stream(0), mesi_stepped(next_row_in_steps, next_row_steps, mesi_runs(next_row, next_row_part, 0), N / 256, 256, N / 256, 256)(mesi_arg_range(odd, 0, 4194304, 0, 0, MESI_READ, {1024, -4, 1028}, {}), mesi_arg_range(even, 0, 0, 4, 4194300, MESI_WRITE | MESI_OVERWRITE, {}, {1024, 0, 1024}), row + 1), mesi_launch_end());
  } }
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(wall)> _vs_wall_eaada768; }
extern "C" { MESI_HIDDEN mesi_page<decltype(even)> _vs_even_eaada768; }
extern "C" { MESI_HIDDEN mesi_page<decltype(odd)> _vs_odd_eaada768; }
static const struct mesi_var _mesi_eaada768_vars[] = {
  {"wall", (void *)&wall, sizeof(wall), &_d_wall, 0, 0, "steps_early.mcu:4"},
  {"even", (void *)&even, sizeof(even), &_d_even, 0, 0, "steps_early.mcu:4"},
  {"odd", (void *)&odd, sizeof(odd), &_d_odd, 0, 0, "steps_early.mcu:4"},
};
static const struct mesi_site_use _mesi_eaada768_uses_0[] = {{0, MESI_READ}};
static const struct mesi_site_use _mesi_eaada768_uses_1[] = {{0, MESI_READ}};
static const struct mesi_site _mesi_eaada768_sites[] = {
  {"next_row", "steps_early.mcu:18", _mesi_eaada768_uses_0, 1, 0},
  {"next_row", "steps_early.mcu:19", _mesi_eaada768_uses_1, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_eaada768 = {MESI_ABI, "steps_early.mcu", _mesi_eaada768_vars, 3, _mesi_eaada768_sites, 2}; }
MESI_REGISTER(_mesi_eaada768)
