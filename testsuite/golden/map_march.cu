#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_103d2ebc; }
// args: -O2 --no-line
#define N 256
extern float cube[N][N][N] MESI_VS(_vs_cube), moved[N][N][N] MESI_VS(_vs_moved), weights[3] MESI_VS(_vs_weights); static MESI_CONSTANT decltype(cube) *_d_cube; static MESI_CONSTANT decltype(moved) *_d_moved; static MESI_CONSTANT decltype(weights) *_d_weights;
extern double wide[N][N][N] MESI_VS(_vs_wide), wider[N][N][N] MESI_VS(_vs_wider); static MESI_CONSTANT decltype(wide) *_d_wide; static MESI_CONSTANT decltype(wider) *_d_wider;
extern int flat[N * N * N] MESI_VS(_vs_flat), sums[N * N * N] MESI_VS(_vs_sums); static MESI_CONSTANT decltype(flat) *_d_flat; static MESI_CONSTANT decltype(sums) *_d_sums;
__global__ void seven_points() { auto &moved = *_d_moved; auto &cube = *_d_cube;
  int i = blockIdx.z * blockDim.z + threadIdx.z, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < N - 1 && j > 0 && j < N - 1 && k > 0 && k < N - 1)
    moved[i][j][k] = cube[i][j][k] + cube[i][j][k - 1] + cube[i][j][k + 1] + cube[i][j - 1][k] + cube[i][j + 1][k] + cube[i - 1][j][k] + cube[i + 1][j][k];
}
// seven_points_mapped: seven_points with blocks of 128 x 8 elements for 32 x 8 threads.
// Predicted gain: 5.3.
static __global__ void __launch_bounds__(256) seven_points_mapped() {
  auto &moved = *_d_moved;
  auto &cube = *_d_cube;
  int _tx = (int)threadIdx.x * 4;
  bool _in[4];
  float _m_cube[4][4];
  float _n_cube[4];
  float _n_cube_2[4];
  float _w_moved[4];
  {
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      _in[_x] = (int)(blockIdx.x * 128 + (_tx + _x)) > 0 && (int)(blockIdx.x * 128 + (_tx + _x)) < 256 - 1;
  }
  int _first = 0;
  int _last = 16;
  while (_first < _last && ((int)(blockIdx.z * 16 + _first) <= 0 || (int)(blockIdx.z * 16 + _first) >= 256 - 1)) {
    _first = _first + 1;
  }
  while (_first < _last && ((int)(blockIdx.z * 16 + (_last - 1)) <= 0 || (int)(blockIdx.z * 16 + (_last - 1)) >= 256 - 1)) {
    _last = _last - 1;
  }
  if ((int)(blockIdx.y * 8 + threadIdx.y) > 0 && (int)(blockIdx.y * 8 + threadIdx.y) < 256 - 1 && _first < _last && (_in[0] || _in[1] || _in[2] || _in[3])) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_cube[0][_x] = mesi_lane_load(&cube[(int)(blockIdx.z * 16 + (_first - 1))][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x); _m_cube[1][_x] = mesi_lane_load(&cube[(int)(blockIdx.z * 16 + _first)][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _m_cube[2][_x] = mesi_lane_load(&cube[(int)(blockIdx.z * 16 + (_first + 1))][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
    }
#pragma unroll 4
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_cube[3][_x] = mesi_lane_load(&cube[(int)(blockIdx.z * 16 + (_z + 2))][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _n_cube[_x] = mesi_lane_load(&cube[(int)(blockIdx.z * 16 + _z)][(int)(blockIdx.y * 8 + threadIdx.y) - 1][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x); _n_cube_2[_x] = mesi_lane_load(&cube[(int)(blockIdx.z * 16 + _z)][(int)(blockIdx.y * 8 + threadIdx.y) + 1][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
      {
        int i = (int)(blockIdx.z * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int k = (int)(blockIdx.x * 128 + (_tx + _x));
          mesi_lane_store_in(&moved[i][j][k], _w_moved, _in, _x, _m_cube[1][_x] + mesi_row_element(_m_cube[1], _x - 1, _in[_x], &cube[i][j][(int)(blockIdx.x * 128 + (_tx + _x)) - 1]) + mesi_row_element(_m_cube[1], _x + 1, _in[_x], &cube[i][j][(int)(blockIdx.x * 128 + (_tx + _x)) + 1]) + _n_cube[_x] + _n_cube_2[_x] + _m_cube[0][_x] + _m_cube[2][_x]);
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_cube[0][_x] = _m_cube[1][_x];
          _m_cube[1][_x] = _m_cube[2][_x];
          _m_cube[2][_x] = _m_cube[3][_x];
        }
      }
    }
  }
}
// seven_points_mapped_part: seven_points_mapped for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) seven_points_mapped_part(const mesi_run _run) {
  auto &moved = *_d_moved;
  auto &cube = *_d_cube;
  int _tx = (int)threadIdx.x * 4;
  bool _in[4];
  float _m_cube[4][4];
  float _n_cube[4];
  float _n_cube_2[4];
  float _w_moved[4];
  {
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      _in[_x] = (int)(blockIdx.x * 128 + (_tx + _x)) > 0 && (int)(blockIdx.x * 128 + (_tx + _x)) < 256 - 1;
  }
  int _first = 0;
  int _last = 16;
  while (_first < _last && ((int)((blockIdx.z + _run.first) * 16 + _first) <= 0 || (int)((blockIdx.z + _run.first) * 16 + _first) >= 256 - 1)) {
    _first = _first + 1;
  }
  while (_first < _last && ((int)((blockIdx.z + _run.first) * 16 + (_last - 1)) <= 0 || (int)((blockIdx.z + _run.first) * 16 + (_last - 1)) >= 256 - 1)) {
    _last = _last - 1;
  }
  if ((int)(blockIdx.y * 8 + threadIdx.y) > 0 && (int)(blockIdx.y * 8 + threadIdx.y) < 256 - 1 && _first < _last && (_in[0] || _in[1] || _in[2] || _in[3])) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_cube[0][_x] = mesi_lane_load(&cube[(int)((blockIdx.z + _run.first) * 16 + (_first - 1))][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x); _m_cube[1][_x] = mesi_lane_load(&cube[(int)((blockIdx.z + _run.first) * 16 + _first)][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _m_cube[2][_x] = mesi_lane_load(&cube[(int)((blockIdx.z + _run.first) * 16 + (_first + 1))][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
    }
#pragma unroll 4
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_cube[3][_x] = mesi_lane_load(&cube[(int)((blockIdx.z + _run.first) * 16 + (_z + 2))][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _n_cube[_x] = mesi_lane_load(&cube[(int)((blockIdx.z + _run.first) * 16 + _z)][(int)(blockIdx.y * 8 + threadIdx.y) - 1][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x); _n_cube_2[_x] = mesi_lane_load(&cube[(int)((blockIdx.z + _run.first) * 16 + _z)][(int)(blockIdx.y * 8 + threadIdx.y) + 1][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
      {
        int i = (int)((blockIdx.z + _run.first) * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int k = (int)(blockIdx.x * 128 + (_tx + _x));
          mesi_lane_store_in(&moved[i][j][k], _w_moved, _in, _x, _m_cube[1][_x] + mesi_row_element(_m_cube[1], _x - 1, _in[_x], &cube[i][j][(int)(blockIdx.x * 128 + (_tx + _x)) - 1]) + mesi_row_element(_m_cube[1], _x + 1, _in[_x], &cube[i][j][(int)(blockIdx.x * 128 + (_tx + _x)) + 1]) + _n_cube[_x] + _n_cube_2[_x] + _m_cube[0][_x] + _m_cube[2][_x]);
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_cube[0][_x] = _m_cube[1][_x];
          _m_cube[1][_x] = _m_cube[2][_x];
          _m_cube[2][_x] = _m_cube[3][_x];
        }
      }
    }
  }
}
__global__ void lopsided(float scale) { auto &moved = *_d_moved; auto &cube = *_d_cube; auto &weights = *_d_weights;
  int i = blockIdx.z * blockDim.z + threadIdx.z, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= N - 1 || j < 1) return;
  if (k >= N - 2) return;
  moved[i][j][k] = cube[i - 2][j][k] * weights[0] + cube[i + 1][j][k + 2] * weights[1] + cube[i - 1][j - 1][k + 1] * scale;
}
// lopsided_mapped: lopsided with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.4.
static __global__ void __launch_bounds__(256) lopsided_mapped(float scale) {
  auto &moved = *_d_moved;
  auto &cube = *_d_cube;
  auto &weights = *_d_weights;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.z * 4 + 0) >= 2 && (int)(blockIdx.z * 4 + 3) < 256 - 1 && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < 256 - 2);
  if (_whole) {
#pragma unroll
    for (int _z = 0; _z < 4; _z++) {
      int i = (int)(blockIdx.z * 4 + _z); int k = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        {
          float _r_weights;
          _r_weights = __ldg(&weights[0]);
          float _r_weights_2;
          _r_weights_2 = __ldg(&weights[1]);
#pragma unroll
          for (int _y = 0; _y < 2; _y++) {
            int j = (int)(blockIdx.y * 16 + (_ty + _y));
            moved[i][j][k] = __ldg(&cube[(int)(blockIdx.z * 4 + _z) - 2][j][k]) * _r_weights + __fmul_rn(__ldg(&cube[(int)(blockIdx.z * 4 + _z) + 1][j][(int)(blockIdx.x * 32 + threadIdx.x) + 2]), _r_weights_2) + __ldg(&cube[(int)(blockIdx.z * 4 + _z) - 1][(int)(blockIdx.y * 16 + (_ty + _y)) - 1][(int)(blockIdx.x * 32 + threadIdx.x) + 1]) * scale;
          }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      for (int _z = 0; _z < 4; _z++) {
        int i = (int)(blockIdx.z * 4 + _z), j = (int)(blockIdx.y * 16 + (_ty + _y)), k = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i >= 2 && i < 256 - 1 && j >= 1) {
          if (k < 256 - 2) {
            moved[i][j][k] = cube[(int)(blockIdx.z * 4 + _z) - 2][j][k] * weights[0] + __fmul_rn(cube[(int)(blockIdx.z * 4 + _z) + 1][j][(int)(blockIdx.x * 32 + threadIdx.x) + 2], weights[1]) + cube[(int)(blockIdx.z * 4 + _z) - 1][(int)(blockIdx.y * 16 + (_ty + _y)) - 1][(int)(blockIdx.x * 32 + threadIdx.x) + 1] * scale;
          }
        }
      }
    }
}
// lopsided_mapped_part: lopsided_mapped for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) lopsided_mapped_part(float scale, const mesi_run _run) {
  auto &moved = *_d_moved;
  auto &cube = *_d_cube;
  auto &weights = *_d_weights;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)((blockIdx.z + _run.first) * 4 + 0) >= 2 && (int)((blockIdx.z + _run.first) * 4 + 3) < 256 - 1 && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < 256 - 2);
  if (_whole) {
#pragma unroll
    for (int _z = 0; _z < 4; _z++) {
      int i = (int)((blockIdx.z + _run.first) * 4 + _z); int k = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        {
          float _r_weights;
          _r_weights = __ldg(&weights[0]);
          float _r_weights_2;
          _r_weights_2 = __ldg(&weights[1]);
#pragma unroll
          for (int _y = 0; _y < 2; _y++) {
            int j = (int)(blockIdx.y * 16 + (_ty + _y));
            moved[i][j][k] = __ldg(&cube[(int)((blockIdx.z + _run.first) * 4 + _z) - 2][j][k]) * _r_weights + __fmul_rn(__ldg(&cube[(int)((blockIdx.z + _run.first) * 4 + _z) + 1][j][(int)(blockIdx.x * 32 + threadIdx.x) + 2]), _r_weights_2) + __ldg(&cube[(int)((blockIdx.z + _run.first) * 4 + _z) - 1][(int)(blockIdx.y * 16 + (_ty + _y)) - 1][(int)(blockIdx.x * 32 + threadIdx.x) + 1]) * scale;
          }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      for (int _z = 0; _z < 4; _z++) {
        int i = (int)((blockIdx.z + _run.first) * 4 + _z), j = (int)(blockIdx.y * 16 + (_ty + _y)), k = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i >= 2 && i < 256 - 1 && j >= 1) {
          if (k < 256 - 2) {
            moved[i][j][k] = cube[(int)((blockIdx.z + _run.first) * 4 + _z) - 2][j][k] * weights[0] + __fmul_rn(cube[(int)((blockIdx.z + _run.first) * 4 + _z) + 1][j][(int)(blockIdx.x * 32 + threadIdx.x) + 2], weights[1]) + cube[(int)((blockIdx.z + _run.first) * 4 + _z) - 1][(int)(blockIdx.y * 16 + (_ty + _y)) - 1][(int)(blockIdx.x * 32 + threadIdx.x) + 1] * scale;
          }
        }
      }
    }
}
__global__ void no_rim() { auto &wide = *_d_wide; auto &wider = *_d_wider;
  int i = blockIdx.z * blockDim.z + threadIdx.z, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N - 2) return;
  double next = wide[i + 1][j][k];
  wider[i][j][k] = wide[i][j][k] + next * 2 + wide[i + 2][j][k];
}
// no_rim_mapped: no_rim with blocks of 64 x 8 elements for 32 x 8 threads.
// Predicted gain: 4.0.
static __global__ void __launch_bounds__(256) no_rim_mapped() {
  auto &wide = *_d_wide;
  auto &wider = *_d_wider;
  int _tx = (int)threadIdx.x * 2;
  double _m_wide[4][2];
  double _w_wider[2];
  int _first = 0;
  int _last = 16;
  while (_first < _last && (int)(blockIdx.z * 16 + _first) >= 256 - 2) {
    _first = _first + 1;
  }
  while (_first < _last && (int)(blockIdx.z * 16 + (_last - 1)) >= 256 - 2) {
    _last = _last - 1;
  }
  if (_first < _last) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          _m_wide[0][_x] = mesi_lane_load(&wide[(int)(blockIdx.z * 16 + (_first - 1)) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x); _m_wide[1][_x] = mesi_lane_load(&wide[(int)(blockIdx.z * 16 + _first) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x);
        }
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 2; _x++)
            _m_wide[2][_x] = mesi_lane_load(&wide[(int)(blockIdx.z * 16 + (_first + 1)) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x);
        }
      }
    }
#pragma unroll 4
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 2; _x++)
          _m_wide[3][_x] = mesi_lane_load(&wide[(int)(blockIdx.z * 16 + (_z + 2)) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x);
      }
      {
      }
      {
        int i = (int)(blockIdx.z * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          int k = (int)(blockIdx.x * 64 + (_tx + _x));
          double next = _m_wide[1][_x];
          mesi_lane_store(&wider[i][j][k], _w_wider, _x, _m_wide[0][_x] + next * 2 + _m_wide[2][_x]);
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          _m_wide[0][_x] = _m_wide[1][_x];
          _m_wide[1][_x] = _m_wide[2][_x];
          _m_wide[2][_x] = _m_wide[3][_x];
        }
      }
    }
  }
}
// no_rim_mapped_part: no_rim_mapped for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) no_rim_mapped_part(const mesi_run _run) {
  auto &wide = *_d_wide;
  auto &wider = *_d_wider;
  int _tx = (int)threadIdx.x * 2;
  double _m_wide[4][2];
  double _w_wider[2];
  int _first = 0;
  int _last = 16;
  while (_first < _last && (int)((blockIdx.z + _run.first) * 16 + _first) >= 256 - 2) {
    _first = _first + 1;
  }
  while (_first < _last && (int)((blockIdx.z + _run.first) * 16 + (_last - 1)) >= 256 - 2) {
    _last = _last - 1;
  }
  if (_first < _last) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          _m_wide[0][_x] = mesi_lane_load(&wide[(int)((blockIdx.z + _run.first) * 16 + (_first - 1)) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x); _m_wide[1][_x] = mesi_lane_load(&wide[(int)((blockIdx.z + _run.first) * 16 + _first) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x);
        }
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 2; _x++)
            _m_wide[2][_x] = mesi_lane_load(&wide[(int)((blockIdx.z + _run.first) * 16 + (_first + 1)) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x);
        }
      }
    }
#pragma unroll 4
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 2; _x++)
          _m_wide[3][_x] = mesi_lane_load(&wide[(int)((blockIdx.z + _run.first) * 16 + (_z + 2)) + 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 64 + (_tx + _x)) - _x], _x);
      }
      {
      }
      {
        int i = (int)((blockIdx.z + _run.first) * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          int k = (int)(blockIdx.x * 64 + (_tx + _x));
          double next = _m_wide[1][_x];
          mesi_lane_store(&wider[i][j][k], _w_wider, _x, _m_wide[0][_x] + next * 2 + _m_wide[2][_x]);
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          _m_wide[0][_x] = _m_wide[1][_x];
          _m_wide[1][_x] = _m_wide[2][_x];
          _m_wide[2][_x] = _m_wide[3][_x];
        }
      }
    }
  }
}
__global__ void flat_rows(int by) { auto &sums = *_d_sums; auto &flat = *_d_flat;
  int i = blockIdx.z * blockDim.z + threadIdx.z, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  int at = (i * N + j) * N + k;
  if (i - 1 >= 0)
    sums[at] = flat[at] - flat[at - N * N] * by;
}
// flat_rows_mapped: flat_rows with blocks of 128 x 8 elements for 32 x 8 threads.
// Predicted gain: 6.0.
static __global__ void __launch_bounds__(256) flat_rows_mapped(int by) {
  auto &sums = *_d_sums;
  auto &flat = *_d_flat;
  int _tx = (int)threadIdx.x * 4;
  int _m_flat[3][4];
  int _w_sums[4];
  int _first = 0;
  int _last = 16;
  while (_first < _last && (int)(blockIdx.z * 16 + _first) - 1 < 0) {
    _first = _first + 1;
  }
  while (_first < _last && (int)(blockIdx.z * 16 + (_last - 1)) - 1 < 0) {
    _last = _last - 1;
  }
  if (_first < _last) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_flat[0][_x] = mesi_lane_load(&flat[(int)(((int)(blockIdx.z * 16 + (_first - 1)) * 256 + (int)(blockIdx.y * 8 + threadIdx.y)) * 256 + (int)(blockIdx.x * 128 + (_tx + _x))) - _x], _x);
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _m_flat[1][_x] = mesi_lane_load(&flat[(int)(((int)(blockIdx.z * 16 + _first) * 256 + (int)(blockIdx.y * 8 + threadIdx.y)) * 256 + (int)(blockIdx.x * 128 + (_tx + _x))) - _x], _x);
        }
      }
    }
#pragma unroll 3
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_flat[2][_x] = mesi_lane_load(&flat[(int)(((int)(blockIdx.z * 16 + (_z + 1)) * 256 + (int)(blockIdx.y * 8 + threadIdx.y)) * 256 + (int)(blockIdx.x * 128 + (_tx + _x))) - _x], _x);
      }
      {
      }
      {
        int i = (int)(blockIdx.z * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int k = (int)(blockIdx.x * 128 + (_tx + _x));
          int at = (i * 256 + j) * 256 + k;
          mesi_lane_store(&sums[at], _w_sums, _x, _m_flat[1][_x] - _m_flat[0][_x] * by);
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_flat[0][_x] = _m_flat[1][_x];
          _m_flat[1][_x] = _m_flat[2][_x];
        }
      }
    }
  }
}
// flat_rows_mapped_part: flat_rows_mapped for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) flat_rows_mapped_part(int by, const mesi_run _run) {
  auto &sums = *_d_sums;
  auto &flat = *_d_flat;
  int _tx = (int)threadIdx.x * 4;
  int _m_flat[3][4];
  int _w_sums[4];
  int _first = 0;
  int _last = 16;
  while (_first < _last && (int)((blockIdx.z + _run.first) * 16 + _first) - 1 < 0) {
    _first = _first + 1;
  }
  while (_first < _last && (int)((blockIdx.z + _run.first) * 16 + (_last - 1)) - 1 < 0) {
    _last = _last - 1;
  }
  if (_first < _last) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_flat[0][_x] = mesi_lane_load(&flat[(int)(((int)((blockIdx.z + _run.first) * 16 + (_first - 1)) * 256 + (int)(blockIdx.y * 8 + threadIdx.y)) * 256 + (int)(blockIdx.x * 128 + (_tx + _x))) - _x], _x);
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _m_flat[1][_x] = mesi_lane_load(&flat[(int)(((int)((blockIdx.z + _run.first) * 16 + _first) * 256 + (int)(blockIdx.y * 8 + threadIdx.y)) * 256 + (int)(blockIdx.x * 128 + (_tx + _x))) - _x], _x);
        }
      }
    }
#pragma unroll 3
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_flat[2][_x] = mesi_lane_load(&flat[(int)(((int)((blockIdx.z + _run.first) * 16 + (_z + 1)) * 256 + (int)(blockIdx.y * 8 + threadIdx.y)) * 256 + (int)(blockIdx.x * 128 + (_tx + _x))) - _x], _x);
      }
      {
      }
      {
        int i = (int)((blockIdx.z + _run.first) * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int k = (int)(blockIdx.x * 128 + (_tx + _x));
          int at = (i * 256 + j) * 256 + k;
          mesi_lane_store(&sums[at], _w_sums, _x, _m_flat[1][_x] - _m_flat[0][_x] * by);
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_flat[0][_x] = _m_flat[1][_x];
          _m_flat[1][_x] = _m_flat[2][_x];
        }
      }
    }
  }
}
__global__ void slanted() { auto &moved = *_d_moved; auto &cube = *_d_cube;
  int i = blockIdx.z * blockDim.z + threadIdx.z, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && k + i < N) moved[i][j][k] = cube[i - 1][j][k] + cube[i][j][k];
}
// slanted_mapped: slanted with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.3.
static __global__ void __launch_bounds__(256) slanted_mapped() {
  auto &moved = *_d_moved;
  auto &cube = *_d_cube;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.z * 4 + 0) > 0 && (int)(blockIdx.x * 32 + threadIdx.x) + (int)(blockIdx.z * 4 + 3) < 256);
  if (_whole) {
#pragma unroll
    for (int _z = 0; _z < 4; _z++) {
      int i = (int)(blockIdx.z * 4 + _z); int k = (int)(blockIdx.x * 32 + threadIdx.x);
#pragma unroll
      for (int _y = 0; _y < 2; _y++) {
        int j = (int)(blockIdx.y * 16 + (_ty + _y));
        moved[i][j][k] = __ldg(&cube[(int)(blockIdx.z * 4 + _z) - 1][j][k]) + __ldg(&cube[i][j][k]);
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      for (int _z = 0; _z < 4; _z++) {
        int i = (int)(blockIdx.z * 4 + _z), j = (int)(blockIdx.y * 16 + (_ty + _y)), k = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i > 0 && k + i < 256) moved[i][j][k] = cube[(int)(blockIdx.z * 4 + _z) - 1][j][k] + cube[i][j][k];
      }
    }
}
// slanted_mapped_part: slanted_mapped for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) slanted_mapped_part(const mesi_run _run) {
  auto &moved = *_d_moved;
  auto &cube = *_d_cube;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
  _whole = _whole && ((int)((blockIdx.z + _run.first) * 4 + 0) > 0 && (int)(blockIdx.x * 32 + threadIdx.x) + (int)((blockIdx.z + _run.first) * 4 + 3) < 256);
  if (_whole) {
#pragma unroll
    for (int _z = 0; _z < 4; _z++) {
      int i = (int)((blockIdx.z + _run.first) * 4 + _z); int k = (int)(blockIdx.x * 32 + threadIdx.x);
#pragma unroll
      for (int _y = 0; _y < 2; _y++) {
        int j = (int)(blockIdx.y * 16 + (_ty + _y));
        moved[i][j][k] = __ldg(&cube[(int)((blockIdx.z + _run.first) * 4 + _z) - 1][j][k]) + __ldg(&cube[i][j][k]);
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      for (int _z = 0; _z < 4; _z++) {
        int i = (int)((blockIdx.z + _run.first) * 4 + _z), j = (int)(blockIdx.y * 16 + (_ty + _y)), k = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i > 0 && k + i < 256) moved[i][j][k] = cube[(int)((blockIdx.z + _run.first) * 4 + _z) - 1][j][k] + cube[i][j][k];
      }
    }
}
int main() {
  dim3 block(32, 4, 2), grid(N / 32, N / 4, N / 2);
  (mesi_launch_begin(&_mesi_103d2ebc, 0), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 263172, 66845692, MESI_WRITE, {}, {524288, 1028, 523260}), mesi_launch_range(1, -1028, 67107836, 0, 0, MESI_READ, {524288, -263172, 785404}, {}), mesi_stream(0), mesi_map(grid, block, 128, 8, dim3(32, 8), 0, 16), mesi_parted(mesi_runs(seven_points_mapped, {seven_points_mapped_part}, 0, 2), dim3(2, 32, 16), dim3(32, 8))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_103d2ebc, 1), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 525312, 66846712, MESI_WRITE, {}, {524288, 1024, 524280}), mesi_launch_range(1, -8, 67108864, 0, 0, MESI_READ, {524288, -524288, 786440}, {}), mesi_launch_range(2, 0, 8, 0, 0, MESI_READ), mesi_stream(0), mesi_map(grid, block, 32, 16, dim3(32, 8), 0, 4), mesi_parted(mesi_runs(lopsided_mapped, {lopsided_mapped_part}, 0, 2), dim3(8, 16, 64), dim3(32, 8))(0.5f), mesi_launch_end());
  (mesi_launch_begin(&_mesi_103d2ebc, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, 134217728, 0, 0, MESI_READ, {1048576, 0, 2097152}, {}), mesi_launch_range(1, 0, 0, 0, 133169152, MESI_WRITE | MESI_OVERWRITE, {}, {1048576, 0, 1048576}), mesi_stream(0), mesi_map(grid, block, 64, 8, dim3(32, 8), 0, 16), mesi_parted(mesi_runs(no_rim_mapped, {no_rim_mapped_part}, 0, 2), dim3(4, 32, 16), dim3(32, 8))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_103d2ebc, 3), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 262144, 67108864, MESI_WRITE | MESI_OVERWRITE, {}, {524288, 0, 524288}), mesi_launch_range(1, 0, 67108864, 0, 0, MESI_READ, {524288, -262144, 524288}, {}), mesi_stream(0), mesi_map(grid, block, 128, 8, dim3(32, 8), 0, 16), mesi_parted(mesi_runs(flat_rows_mapped, {flat_rows_mapped_part}, 0, 2), dim3(2, 32, 16), dim3(32, 8))(3), mesi_launch_end());
  (mesi_launch_begin(&_mesi_103d2ebc, 4), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 262144, 67107844, MESI_WRITE, {}, {524288, 0, 524284}), mesi_launch_range(1, -262016, 67107844, 0, 0, MESI_READ, {524288, -262144, 524284}, {}), mesi_stream(0), mesi_map(grid, block, 32, 16, dim3(32, 8), 0, 4), mesi_parted(mesi_runs(slanted_mapped, {slanted_mapped_part}, 0, 2), dim3(8, 16, 64), dim3(32, 8))(), mesi_launch_end());
  mesi_use_bytes(moved, 263172, 263176, MESI_READ); mesi_use_bytes(wider, 526344, 526352, MESI_READ); mesi_use_bytes(sums, 262144, 262148, MESI_READ); return (int)moved[1][1][1] + (int)wider[1][1][1] + sums[N * N];
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(cube)> _vs_cube; }
extern "C" { MESI_HIDDEN mesi_page<decltype(moved)> _vs_moved; }
extern "C" { MESI_HIDDEN mesi_page<decltype(weights)> _vs_weights; }
extern "C" { MESI_HIDDEN mesi_page<decltype(wide)> _vs_wide; }
extern "C" { MESI_HIDDEN mesi_page<decltype(wider)> _vs_wider; }
extern "C" { MESI_HIDDEN mesi_page<decltype(flat)> _vs_flat; }
extern "C" { MESI_HIDDEN mesi_page<decltype(sums)> _vs_sums; }
static const struct mesi_var _mesi_103d2ebc_vars[] = {
  {"cube", (void *)&cube, sizeof(cube), &_d_cube, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_march.mcu:3"},
  {"moved", (void *)&moved, sizeof(moved), &_d_moved, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_march.mcu:3"},
  {"weights", (void *)&weights, sizeof(weights), &_d_weights, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_march.mcu:3"},
  {"wide", (void *)&wide, sizeof(wide), &_d_wide, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_march.mcu:4"},
  {"wider", (void *)&wider, sizeof(wider), &_d_wider, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_march.mcu:4"},
  {"flat", (void *)&flat, sizeof(flat), &_d_flat, MESI_VAR_GUARDED, 0, "map_march.mcu:5"},
  {"sums", (void *)&sums, sizeof(sums), &_d_sums, MESI_VAR_GUARDED, 0, "map_march.mcu:5"},
};
static const struct mesi_site_use _mesi_103d2ebc_uses_0[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_103d2ebc_uses_1[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}, {2, MESI_READ}};
static const struct mesi_site_use _mesi_103d2ebc_uses_2[] = {{3, MESI_READ}, {4, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_103d2ebc_uses_3[] = {{6, MESI_READ_WRITE}, {5, MESI_READ}};
static const struct mesi_site_use _mesi_103d2ebc_uses_4[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site _mesi_103d2ebc_sites[] = {
  {"seven_points", "map_march.mcu:35", _mesi_103d2ebc_uses_0, 2, 0},
  {"lopsided", "map_march.mcu:36", _mesi_103d2ebc_uses_1, 3, 0},
  {"no_rim", "map_march.mcu:37", _mesi_103d2ebc_uses_2, 2, 0},
  {"flat_rows", "map_march.mcu:38", _mesi_103d2ebc_uses_3, 2, 0},
  {"slanted", "map_march.mcu:39", _mesi_103d2ebc_uses_4, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_103d2ebc = {MESI_ABI, "map_march.mcu", _mesi_103d2ebc_vars, 7, _mesi_103d2ebc_sites, 5}; }
MESI_REGISTER(_mesi_103d2ebc)
