#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_e3b41b8e; }
// args: -O2 --no-line -Rmesi=temporal --temporal=always
// Steps over a plane in flat memory, whose sizes only the launch knows; a division by a value keeps points at the rim from running blindly.
#include <utility>

__global__ void step(const int *from, int *to, int h, int w)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= h - 1 || j >= w)
    return;
  int sum = from[(i - 1) * w + j] + from[(i + 1) * w + j];
  to[i * w + j] = sum / from[i * w + j];
}
// step_mapped: step with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.4.
static __global__ void __launch_bounds__(256) step_mapped(const int *__restrict__ from, int *to, int h, int w, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 16 + (_ty + _y)) < h - 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int i = (int)(blockIdx.y * 16 + (_ty + _y));
          int sum = from[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + j] + from[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int j = (int)(blockIdx.x * 32 + threadIdx.x), i = (int)(blockIdx.y * 16 + (_ty + _y));
        if (i >= 1 && i < h - 1 && j < w) {
          int sum = from[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + j] + from[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
}
// step_mapped_large: step with blocks of 32 x 32 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) step_mapped_large(const int *__restrict__ from, int *to, int h, int w, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int i = (int)(blockIdx.y * 32 + (_ty + _y));
          int sum = from[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + j] + from[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int j = (int)(blockIdx.x * 32 + threadIdx.x), i = (int)(blockIdx.y * 32 + (_ty + _y));
        if (i >= 1 && i < h - 1 && j < w) {
          int sum = from[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + j] + from[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
}
// step_mapped_large_2: step with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) step_mapped_large_2(const int *from, int *to, int h, int w, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w);
  if (_whole) {
    int _w_to[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int j = (int)(blockIdx.x * 64 + (_tx + _x)); int i = (int)(blockIdx.y * 32 + (_ty + _y));
              int sum = mesi_lane_load(&from[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + j - _x], _x) + mesi_lane_load(&from[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + j - _x], _x);
              mesi_lane_store(&to[i * w + j], _w_to, _x, sum / mesi_lane_load(&from[i * w + j - _x], _x));
            }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x) {
          int j = (int)(blockIdx.x * 64 + (_tx + _x)), i = (int)(blockIdx.y * 32 + (_ty + _y));
          if (i >= 1 && i < h - 1 && j < w) {
            int sum = from[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + j] + from[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + j];
            to[i * w + j] = sum / from[i * w + j];
          }
        }
      }
}
// step_plain: step for smaller launches.
static __global__ void step_plain(const int *from, int *to, int h, int w, int _total_x, int _total_y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= h - 1 || j >= w)
    return;
  int sum = from[(i - 1) * w + j] + from[(i + 1) * w + j];
  to[i * w + j] = sum / from[i * w + j];
}
// step_written: step for launches whose arguments may overlap.
static __global__ void step_written(const int *from, int *to, int h, int w, int _total_x, int _total_y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= h - 1 || j >= w)
    return;
  int sum = from[(i - 1) * w + j] + from[(i + 1) * w + j];
  to[i * w + j] = sum / from[i * w + j];
}
// step_version_if: what step_mapped_large_2 is for.
static inline bool step_version_if(const int *from, int *to, int w) {
  return w % 4 == 0 && mesi_aligned(from) && mesi_aligned(to);
}
// step_mapped_part: step_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) step_mapped_part(const int *__restrict__ from, int *to, int h, int w, int _total_x, int _total_y, const mesi_run _run) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) >= 1 && (int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) < h - 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int i = (int)((blockIdx.y + _run.first) * 16 + (_ty + _y));
          int sum = from[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) - 1) * w + j] + from[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int j = (int)(blockIdx.x * 32 + threadIdx.x), i = (int)((blockIdx.y + _run.first) * 16 + (_ty + _y));
        if (i >= 1 && i < h - 1 && j < w) {
          int sum = from[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) - 1) * w + j] + from[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
}
// step_mapped_large_part: step_mapped_large for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) step_mapped_large_part(const int *__restrict__ from, int *to, int h, int w, int _total_x, int _total_y, const mesi_run _run) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) >= 1 && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < h - 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y));
          int sum = from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * w + j] + from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int j = (int)(blockIdx.x * 32 + threadIdx.x), i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y));
        if (i >= 1 && i < h - 1 && j < w) {
          int sum = from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * w + j] + from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * w + j];
          to[i * w + j] = sum / from[i * w + j];
        }
      }
    }
}
// step_mapped_large_2_part: step_mapped_large_2 for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) step_mapped_large_2_part(const int *from, int *to, int h, int w, int _total_x, int _total_y, const mesi_run _run) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) >= 1 && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < h - 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w);
  if (_whole) {
    int _w_to[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int j = (int)(blockIdx.x * 64 + (_tx + _x)); int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y));
              int sum = mesi_lane_load(&from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * w + j - _x], _x) + mesi_lane_load(&from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * w + j - _x], _x);
              mesi_lane_store(&to[i * w + j], _w_to, _x, sum / mesi_lane_load(&from[i * w + j - _x], _x));
            }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        if ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x) {
          int j = (int)(blockIdx.x * 64 + (_tx + _x)), i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y));
          if (i >= 1 && i < h - 1 && j < w) {
            int sum = from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * w + j] + from[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * w + j];
            to[i * w + j] = sum / from[i * w + j];
          }
        }
      }
}
// step_plain_part: step_plain for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void step_plain_part(const int *from, int *to, int h, int w, int _total_x, int _total_y, const mesi_run _run) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y;
  if (i < 1 || i >= h - 1 || j >= w)
    return;
  int sum = from[(i - 1) * w + j] + from[(i + 1) * w + j];
  to[i * w + j] = sum / from[i * w + j];
}
// step_written_part: step_written for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void step_written_part(const int *from, int *to, int h, int w, int _total_x, int _total_y, const mesi_run _run) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y;
  if (i < 1 || i >= h - 1 || j >= w)
    return;
  int sum = from[(i - 1) * w + j] + from[(i + 1) * w + j];
  to[i * w + j] = sum / from[i * w + j];
}
// step_steps: up to 7 launches of step, which follow one another, in one; tiles of 64 x 64 elements in 8192 bytes of shared memory.
// Predicted gain: 0.9.
static __global__ void __launch_bounds__(256, 3) step_steps(const int *from, int *to, int h, int w, const mesi_steps_run _steps) {
  int _r_from[10][2] = {};
  __shared__ __align__(16) int _s_from[8][2][64];
  int _r_to[10][2] = {};
  __shared__ __align__(16) int _s_to[8][2][64];
  int _x0 = (int)blockIdx.x * 64;
  int _y0 = (int)blockIdx.y * (64 - _steps.margin * 2) - _steps.margin;
  {
    int _live[16];
#pragma unroll
    for (int _iy = 0; _iy < 8; _iy++)
#pragma unroll
      for (int _ix = 0; _ix < 2; _ix++) {
        int _lx = (int)threadIdx.x * 2 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        int _ly = (int)threadIdx.y * 8 + _iy;
        unsigned int _y = (unsigned int)(_y0 + _ly);
        {
          bool _in = _x < (unsigned int)_steps.total[0] && _y < (unsigned int)_steps.total[1];
          int _d = _steps.margin;
          if (_ly < _d)
            _d = _ly;
          if (63 - _ly < _d)
            _d = 63 - _ly;
          _live[_iy * 2 + _ix] = _in ? _d : -1;
          if ((int)_x >= 0 && (int)_x < (long long)w && (long long)(int)_y * (long long)w + (int)_x >= _steps.first[0] && (long long)(int)_y * (long long)w + (int)_x < _steps.end[0])
            _r_from[_iy + 1][_ix] = from[(long long)(int)_y * (long long)w + (int)_x];
        }
      }
#pragma unroll
    for (int _iy = 0; _iy < 8; _iy++)
#pragma unroll
      for (int _ix = 0; _ix < 2; _ix++) {
        int _lx = (int)threadIdx.x * 2 + _ix;
        unsigned int _x = (unsigned int)(_x0 + _lx);
        int _ly = (int)threadIdx.y * 8 + _iy;
        unsigned int _y = (unsigned int)(_y0 + _ly);
        {
          if (!(_x < (unsigned int)_steps.total[0] && _y < (unsigned int)_steps.total[1] && ((long long)w >= (long long)_x + 1 && (long long)_y >= 1 && (long long)h >= (long long)_y + 2)) && ((int)_x >= 0 && (int)_x < (long long)w && (long long)(int)_y * (long long)w + (int)_x >= _steps.first[1] && (long long)(int)_y * (long long)w + (int)_x < _steps.end[1]))
            _r_to[_iy + 1][_ix] = to[(long long)(int)_y * (long long)w + (int)_x];
        }
      }
    {
#pragma unroll 1
      for (int _t = 0; _t < _steps.depth - 1; _t += 2) {
        {
#pragma unroll
          for (int _j = 0; _j < 1; _j++)
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _s_from[(int)threadIdx.y][_j][(int)threadIdx.x * 2 + _e] = _r_from[_j + 1][_e];
#pragma unroll
          for (int _j = 0; _j < 1; _j++)
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _s_from[(int)threadIdx.y][_j + 1][(int)threadIdx.x * 2 + _e] = _r_from[_j + 8][_e];
          __syncthreads();
          if ((int)threadIdx.y > 0)
#pragma unroll
            for (int _j = 0; _j < 1; _j++)
#pragma unroll
              for (int _e = 0; _e < 2; _e++)
                _r_from[_j][_e] = _s_from[(int)threadIdx.y - 1][_j + 1][(int)threadIdx.x * 2 + _e];
          if ((int)threadIdx.y < 7)
#pragma unroll
            for (int _j = 0; _j < 1; _j++)
#pragma unroll
              for (int _e = 0; _e < 2; _e++)
                _r_from[_j + 9][_e] = _s_from[(int)threadIdx.y + 1][_j][(int)threadIdx.x * 2 + _e];
#pragma unroll
          for (int _iy = 0; _iy < 8; _iy++)
#pragma unroll
            for (int _ix = 0; _ix < 2; _ix++) {
              int _lx = (int)threadIdx.x * 2 + _ix;
              unsigned int _x = (unsigned int)(_x0 + _lx);
              int _ly = (int)threadIdx.y * 8 + _iy;
              unsigned int _y = (unsigned int)(_y0 + _ly);
              if (_t < _live[_iy * 2 + _ix]) {
                int j = (int)_x, i = (int)_y;
                if (i >= 1 && i < h - 1 && j < w) {
                  int sum = _r_from[_iy][_ix] + _r_from[_iy + 2][_ix];
                  _r_to[_iy + 1][_ix] = sum / _r_from[_iy + 1][_ix];
                }
              }
            }
        }
        {
#pragma unroll
          for (int _j = 0; _j < 1; _j++)
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _s_to[(int)threadIdx.y][_j][(int)threadIdx.x * 2 + _e] = _r_to[_j + 1][_e];
#pragma unroll
          for (int _j = 0; _j < 1; _j++)
#pragma unroll
            for (int _e = 0; _e < 2; _e++)
              _s_to[(int)threadIdx.y][_j + 1][(int)threadIdx.x * 2 + _e] = _r_to[_j + 8][_e];
          __syncthreads();
          if ((int)threadIdx.y > 0)
#pragma unroll
            for (int _j = 0; _j < 1; _j++)
#pragma unroll
              for (int _e = 0; _e < 2; _e++)
                _r_to[_j][_e] = _s_to[(int)threadIdx.y - 1][_j + 1][(int)threadIdx.x * 2 + _e];
          if ((int)threadIdx.y < 7)
#pragma unroll
            for (int _j = 0; _j < 1; _j++)
#pragma unroll
              for (int _e = 0; _e < 2; _e++)
                _r_to[_j + 9][_e] = _s_to[(int)threadIdx.y + 1][_j][(int)threadIdx.x * 2 + _e];
#pragma unroll
          for (int _iy = 0; _iy < 8; _iy++)
#pragma unroll
            for (int _ix = 0; _ix < 2; _ix++) {
              int _lx = (int)threadIdx.x * 2 + _ix;
              unsigned int _x = (unsigned int)(_x0 + _lx);
              int _ly = (int)threadIdx.y * 8 + _iy;
              unsigned int _y = (unsigned int)(_y0 + _ly);
              if (_t + 1 < _live[_iy * 2 + _ix]) {
                int j = (int)_x, i = (int)_y;
                if (i >= 1 && i < h - 1 && j < w) {
                  int sum = _r_to[_iy][_ix] + _r_to[_iy + 2][_ix];
                  _r_from[_iy + 1][_ix] = sum / _r_to[_iy + 1][_ix];
                }
              }
            }
        }
      }
#pragma unroll
      for (int _j = 0; _j < 1; _j++)
#pragma unroll
        for (int _e = 0; _e < 2; _e++)
          _s_from[(int)threadIdx.y][_j][(int)threadIdx.x * 2 + _e] = _r_from[_j + 1][_e];
#pragma unroll
      for (int _j = 0; _j < 1; _j++)
#pragma unroll
        for (int _e = 0; _e < 2; _e++)
          _s_from[(int)threadIdx.y][_j + 1][(int)threadIdx.x * 2 + _e] = _r_from[_j + 8][_e];
      __syncthreads();
      if ((int)threadIdx.y > 0)
#pragma unroll
        for (int _j = 0; _j < 1; _j++)
#pragma unroll
          for (int _e = 0; _e < 2; _e++)
            _r_from[_j][_e] = _s_from[(int)threadIdx.y - 1][_j + 1][(int)threadIdx.x * 2 + _e];
      if ((int)threadIdx.y < 7)
#pragma unroll
        for (int _j = 0; _j < 1; _j++)
#pragma unroll
          for (int _e = 0; _e < 2; _e++)
            _r_from[_j + 9][_e] = _s_from[(int)threadIdx.y + 1][_j][(int)threadIdx.x * 2 + _e];
#pragma unroll
      for (int _iy = 0; _iy < 8; _iy++)
#pragma unroll
        for (int _ix = 0; _ix < 2; _ix++) {
          int _lx = (int)threadIdx.x * 2 + _ix;
          unsigned int _x = (unsigned int)(_x0 + _lx);
          int _ly = (int)threadIdx.y * 8 + _iy;
          unsigned int _y = (unsigned int)(_y0 + _ly);
          if (_live[_iy * 2 + _ix] >= _steps.margin) {
            int j = (int)_x, i = (int)_y;
            if (i >= 1 && i < h - 1 && j < w) {
              int sum = _r_from[_iy][_ix] + _r_from[_iy + 2][_ix];
              to[i * w + j] = sum / _r_from[_iy + 1][_ix];
            }
          }
        }
    }
  }
}
static const mesi_steps_buffer step_buffers[] = {{0, 1, 4}, {1, 0, 4}};
static const mesi_steps step_in_steps = {7, 4, 2, {32, 8, 1}, {64, 64, 1}, {0, 2, 0}, 1, {1, 1}, step_buffers, 2, nullptr, 0, &step_in_steps};

void run(int h, int w, int steps)
{
  int *p = (int *)mesi_malloc((size_t)h * w * sizeof *p), *q = (int *)mesi_malloc((size_t)h * w * sizeof *q);
  { mesi_batch _mesi_batch; for (int t = 0; t < steps; t++) {
    (mesi_launch_begin(&_mesi_e3b41b8e, 0), mesi_launch_on_several(), mesi_stream(0), mesi_map(dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)), mesi_map_if(mesi_no_alias(p, 0, mesi_times((long long)h * 4 - 4, w) + (long long)w * 4, q, mesi_times(4, w), mesi_times((long long)h * 4 - 8, w) + (long long)w * 4)), mesi_choose(true, {{}, {}, {32, 16, 32, 8, 486552}, {32, 32, 32, 8, 973104}, {64, 32, 16, 16, 5838624, false, mesi_rows_of(512) && step_version_if(mesi_place(p), mesi_place(q), w)}}), mesi_stepped(step_in_steps, step_steps, mesi_runs(mesi_pick(step_written, step_plain, step_mapped, step_mapped_large, step_mapped_large_2), {step_written_part, step_plain_part, step_mapped_part, step_mapped_large_part, step_mapped_large_2_part}, mesi_mapped().version, 1), mesi_mapped().written_grid, mesi_mapped().written_block, mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(p, 0, mesi_times((long long)h * 4 - 4, w) + (long long)w * 4, 0, 0, MESI_READ, {mesi_times(32, w), mesi_times(-4, w), mesi_times(32, w) + (long long)w * 4}, {}), mesi_arg_range(q, 0, 0, mesi_times(4, w), mesi_times((long long)h * 4 - 8, w) + (long long)w * 4, MESI_WRITE, {}, {mesi_times(32, w), 0, mesi_times(28, w) + (long long)w * 4}), h, w, mesi_mapped().total_x, mesi_mapped().total_y), mesi_launch_end());
    std::swap(p, q);
  } }
}

/* ---- for the runtime ---- */
static const struct mesi_site _mesi_e3b41b8e_sites[] = {
  {"step", "steps_plane.mcu:18", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_e3b41b8e = {MESI_ABI, "steps_plane.mcu", 0, 0, _mesi_e3b41b8e_sites, 1}; }
MESI_REGISTER(_mesi_e3b41b8e)
