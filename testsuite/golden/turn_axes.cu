#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_f4a952f4; }
// args: -O2 --no-line
/* Warps across rows: the launch's axes in another order, for the row of transformations behind; a
 * loop of another length for each thread, and warps that lie well, keep theirs. */
#define IDS \
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, \
      k = blockIdx.z * blockDim.z + threadIdx.z
__global__ void copy(float *out, const float *in, int nx, int ny, int nz) {
  IDS;
  if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] = in[(i * ny + j) * nz + k];
}
// copy_mapped: copy with blocks of 32 x 8 elements for 32 x 8 threads.
// Predicted gain: 1.9.
static __global__ void __launch_bounds__(256) copy_mapped(float *out, const float *in, int nx, int ny, int nz, int _total_x, int _total_y) {
  if ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
    int i = (int)blockIdx.z; int j = (int)(blockIdx.y * 8 + threadIdx.y); int k = (int)(blockIdx.x * 32 + threadIdx.x);
    if (i < nx && j < ny && k < nz) {
      out[(i * ny + j) * nz + k] = in[(i * ny + j) * nz + k];
    }
  }
}
// copy_mapped_large: copy with blocks of 256 x 1 elements for 64 x 1 threads.
static __global__ void __launch_bounds__(64) copy_mapped_large(float *out, const float *in, int nx, int ny, int nz, int _total_x, int _total_y) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 256 + 0) < _total_x && (int)blockIdx.z < nx && (int)blockIdx.y < ny && (int)(blockIdx.x * 256 + 0) < nz && ((int)(blockIdx.x * 256 + 255) < _total_x && (int)blockIdx.z < nx && (int)blockIdx.y < ny && (int)(blockIdx.x * 256 + 255) < nz) && (mesi_vector_at(&in[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&out[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + 0)])));
  if (_whole) {
    float _w_in[4];
    mesi_vector_load(&_w_in[0], &in[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    float _w_out[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _w_out[_x] = _w_in[_x];
      }
    }
    mesi_vector_store(&out[((int)blockIdx.z * ny + (int)blockIdx.y) * nz + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)) < _total_x) {
        int i = (int)blockIdx.z, j = (int)blockIdx.y, k = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64));
        if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] = in[(i * ny + j) * nz + k];
      }
    }
}
// copy_written: copy for launches whose rows are short or whose arguments may overlap.
static __global__ void copy_written(float *out, const float *in, int nx, int ny, int nz, int _total_x, int _total_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] = in[(i * ny + j) * nz + k];
}
extern float a[256][256][256] MESI_VS(_vs_a), b[256][256][256] MESI_VS(_vs_b); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;
__global__ void stencil() { auto &b = *_d_b; auto &a = *_d_a;
  IDS;
  if (i < 1 || i > 254 || j < 1 || j > 254 || k < 1 || k > 254) return;
  b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] +
               a[i][j][k + 1];
}
// stencil_mapped: stencil with blocks of 128 x 8 elements for 32 x 8 threads.
// Predicted gain: 20.3.
static __global__ void __launch_bounds__(256) stencil_mapped() {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int _tx = (int)threadIdx.x * 4;
  bool _in[4];
  float _m_a[4][4];
  float _n_a[4];
  float _n_a_2[4];
  float _w_b[4];
  {
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      _in[_x] = (int)(blockIdx.x * 128 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 128 + (_tx + _x)) <= 254;
  }
  int _first = 0;
  int _last = 16;
  while (_first < _last && ((int)(blockIdx.z * 16 + _first) < 1 || (int)(blockIdx.z * 16 + _first) > 254)) {
    _first = _first + 1;
  }
  while (_first < _last && ((int)(blockIdx.z * 16 + (_last - 1)) < 1 || (int)(blockIdx.z * 16 + (_last - 1)) > 254)) {
    _last = _last - 1;
  }
  if ((int)(blockIdx.y * 8 + threadIdx.y) >= 1 && (int)(blockIdx.y * 8 + threadIdx.y) <= 254 && _first < _last && (_in[0] || _in[1] || _in[2] || _in[3])) {
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_a[0][_x] = mesi_lane_load(&a[(int)(blockIdx.z * 16 + _first) - 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x); _m_a[1][_x] = mesi_lane_load(&a[(int)(blockIdx.z * 16 + (_first + 1)) - 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _m_a[2][_x] = mesi_lane_load(&a[(int)(blockIdx.z * 16 + (_first + 2)) - 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
    }
#pragma unroll 4
    for (int _z = _first; _z < _last; _z++) {
      if (_z + 1 < _last) {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _m_a[3][_x] = mesi_lane_load(&a[(int)(blockIdx.z * 16 + (_z + 3)) - 1][(int)(blockIdx.y * 8 + threadIdx.y)][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _n_a[_x] = mesi_lane_load(&a[(int)(blockIdx.z * 16 + _z)][(int)(blockIdx.y * 8 + threadIdx.y) - 1][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x); _n_a_2[_x] = mesi_lane_load(&a[(int)(blockIdx.z * 16 + _z)][(int)(blockIdx.y * 8 + threadIdx.y) + 1][(int)(blockIdx.x * 128 + (_tx + _x)) - _x], _x);
        }
      }
      {
        int i = (int)(blockIdx.z * 16 + _z); int j = (int)(blockIdx.y * 8 + threadIdx.y);
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int k = (int)(blockIdx.x * 128 + (_tx + _x));
          mesi_lane_store_in(&b[i][j][k], _w_b, _in, _x, _m_a[0][_x] + _m_a[2][_x] + _n_a[_x] + _n_a_2[_x] + mesi_row_element(_m_a[1], _x - 1, _in[_x], &a[i][j][(int)(blockIdx.x * 128 + (_tx + _x)) - 1]) + mesi_row_element(_m_a[1], _x + 1, _in[_x], &a[i][j][(int)(blockIdx.x * 128 + (_tx + _x)) + 1]));
        }
      }
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _m_a[0][_x] = _m_a[1][_x];
          _m_a[1][_x] = _m_a[2][_x];
          _m_a[2][_x] = _m_a[3][_x];
        }
      }
    }
  }
}
// stencil_written: stencil for launches whose rows are short or whose arguments may overlap.
static __global__ void stencil_written() {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || i > 254 || j < 1 || j > 254 || k < 1 || k > 254) return;
  b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
}
// stencil_part: stencil for a run of blocks along z, from _run.first of _run.blocks.
__global__ void stencil_part(const mesi_run _run) {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = (blockIdx.z + _run.first) * blockDim.z + threadIdx.z;
  if (i < 1 || i > 254 || j < 1 || j > 254 || k < 1 || k > 254) return;
  b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
}
__global__ void until(float *out, const float *in, const int *ends, int nx, int ny, int nz) {
  IDS;
  if (i >= nx || j >= ny || k >= nz) return;
  float sum = 0;
  for (int l = 0; l < ends[j]; l++) sum += in[((l * nx + i) * ny + j) * nz + k];
  out[(i * ny + j) * nz + k] = sum;
}
// until_part: until for a run of blocks along z, from _run.first of _run.blocks.
__global__ void until_part(float *out, const float *in, const int *ends, int nx, int ny, int nz, const mesi_run _run) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = (blockIdx.z + _run.first) * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) return;
  float sum = 0;
  for (int l = 0; l < ends[j]; l++) sum += in[((l * nx + i) * ny + j) * nz + k];
  out[(i * ny + j) * nz + k] = sum;
}
__global__ void straight(float *out, const float *in, int nx, int ny, int nz) {
  IDS;
  if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[(k * ny + j) * nx + i];
}
// straight_mapped: straight with blocks of 256 x 1 elements for 64 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(64) straight_mapped(float *out, const float *in, int nx, int ny, int nz, int _total_x) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 256 + 0) < _total_x && (int)(blockIdx.x * 256 + 0) < nx && (int)blockIdx.y < ny && (int)blockIdx.z < nz && ((int)(blockIdx.x * 256 + 255) < _total_x && (int)(blockIdx.x * 256 + 255) < nx && (int)blockIdx.y < ny && (int)blockIdx.z < nz) && (mesi_vector_at(&in[((int)blockIdx.z * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&out[((int)blockIdx.z * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + 0)])));
  if (_whole) {
    float _w_in[4];
    mesi_vector_load(&_w_in[0], &in[((int)blockIdx.z * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    float _w_out[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _w_out[_x] = _w_in[_x];
      }
    }
    mesi_vector_store(&out[((int)blockIdx.z * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)) < _total_x) {
        int i = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)), j = (int)blockIdx.y, k = (int)blockIdx.z;
        if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[(k * ny + j) * nx + i];
      }
    }
}
// straight_plain: straight for launches of less than 4325376 threads.
static __global__ void straight_plain(float *out, const float *in, int nx, int ny, int nz, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[(k * ny + j) * nx + i];
}
// straight_mapped_part: straight_mapped for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(64) straight_mapped_part(float *out, const float *in, int nx, int ny, int nz, int _total_x, const mesi_run _run) {
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 256 + 0) < _total_x && (int)(blockIdx.x * 256 + 0) < nx && (int)blockIdx.y < ny && (int)(blockIdx.z + _run.first) < nz && ((int)(blockIdx.x * 256 + 255) < _total_x && (int)(blockIdx.x * 256 + 255) < nx && (int)blockIdx.y < ny && (int)(blockIdx.z + _run.first) < nz) && (mesi_vector_at(&in[((int)(blockIdx.z + _run.first) * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&out[((int)(blockIdx.z + _run.first) * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + 0)])));
  if (_whole) {
    float _w_in[4];
    mesi_vector_load(&_w_in[0], &in[((int)(blockIdx.z + _run.first) * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    float _w_out[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _w_out[_x] = _w_in[_x];
      }
    }
    mesi_vector_store(&out[((int)(blockIdx.z + _run.first) * ny + (int)blockIdx.y) * nx + (int)(blockIdx.x * 256 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)) < _total_x) {
        int i = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)), j = (int)blockIdx.y, k = (int)(blockIdx.z + _run.first);
        if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[(k * ny + j) * nx + i];
      }
    }
}
// straight_plain_part: straight_plain for a run of blocks along z, from _run.first of _run.blocks.
static __global__ void straight_plain_part(float *out, const float *in, int nx, int ny, int nz, int _total_x, const mesi_run _run) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = (blockIdx.z + _run.first) * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) out[(k * ny + j) * nx + i] = in[(k * ny + j) * nx + i];
}
void run(float *out, const float *in, const int *ends, int nx, int ny, int nz, dim3 grid, dim3 block) {
  (mesi_launch_begin(&_mesi_f4a952f4, 0), mesi_stream(0), mesi_map(grid, block), mesi_turn(2, 1, 0, 2), mesi_choose(true, {{}, {32, 8, 32, 8, 33792, false, true, 1, 1}, {256, 1, 64, 1, 4325376, false, mesi_rows_of(1024), 1, 1}}), mesi_pick(copy_written, copy_mapped, copy_mapped_large)<<<mesi_mapped().grid, mesi_mapped().block>>>(mesi_arg(out, MESI_READ_WRITE), mesi_arg(in, MESI_READ), nx, ny, nz, mesi_mapped().total_x, mesi_mapped().total_y), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f4a952f4, 1), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 263172, 66845692, MESI_WRITE, {}, {32, 263168, 66844704}), mesi_launch_range(1, -1028, 67107836, 0, 0, MESI_READ, {32, -2016, 67106848}, {}), mesi_stream(0), mesi_map(dim3(32, 32, 32), dim3(8, 8, 8)), mesi_turn(2, 1, 0, 32), mesi_choose(true, {{}, {128, 8, 32, 8, 0, false, true, 1, 16}}), mesi_parted_or(mesi_pick(stencil_written, stencil_mapped), stencil, stencil_part, 2, mesi_mapped().grid, mesi_mapped().block)(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f4a952f4, 2), mesi_launch_on_devices(), mesi_stream(0), mesi_parted(until, until_part, 2, grid, dim3(16, 4, 4))(mesi_arg_range(out, 0, 0, 0, mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + (long long)nz * 4, MESI_WRITE, {}, {16, 0, mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + 16}), mesi_arg_range(in, 0, mesi_times(mesi_times(mesi_times(8589934588ll, nx), ny), nz) + mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + (long long)nz * 4, 0, 0, MESI_READ, {16, 0, mesi_times(mesi_times(mesi_times(8589934588ll, nx), ny), nz) + mesi_times(mesi_times((long long)nx * 4 - 4, ny), nz) + mesi_times((long long)ny * 4 - 4, nz) + 16}, {}), mesi_arg_range(ends, 0, (long long)ny * 4, 0, 0, MESI_READ), nx, ny, nz), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f4a952f4, 3), mesi_launch_on_devices(), mesi_stream(0), mesi_map(grid, dim3(16, 4, 4)), mesi_choose(true, {{}, {256, 1, 64, 1, 4325376, false, mesi_rows_of(1024), 1, 1}}), mesi_parted(mesi_runs(mesi_pick(straight_plain, straight_mapped), {straight_plain_part, straight_mapped_part}, mesi_mapped().version, 2), mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(out, 0, 0, 0, mesi_times(mesi_times((long long)nz * 4 - 4, nx), ny) + mesi_times((long long)ny * 4 - 4, nx) + (long long)nx * 4, MESI_WRITE, {}, {mesi_times(mesi_times(16, nx), ny), 0, mesi_times(mesi_times(12, nx), ny) + mesi_times((long long)ny * 4 - 4, nx) + (long long)nx * 4}), mesi_arg_range(in, 0, mesi_times(mesi_times((long long)nz * 4 - 4, nx), ny) + mesi_times((long long)ny * 4 - 4, nx) + (long long)nx * 4, 0, 0, MESI_READ, {mesi_times(mesi_times(16, nx), ny), 0, mesi_times(mesi_times(12, nx), ny) + mesi_times((long long)ny * 4 - 4, nx) + (long long)nx * 4}, {}), nx, ny, nz, mesi_mapped().total_x), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
static const struct mesi_var _mesi_f4a952f4_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "turn_axes.mcu:11"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "turn_axes.mcu:11"},
};
static const struct mesi_site_use _mesi_f4a952f4_uses_1[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site _mesi_f4a952f4_sites[] = {
  {"copy", "turn_axes.mcu:30", 0, 0, 0},
  {"stencil", "turn_axes.mcu:31", _mesi_f4a952f4_uses_1, 2, 0},
  {"until", "turn_axes.mcu:32", 0, 0, 0},
  {"straight", "turn_axes.mcu:33", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_f4a952f4 = {MESI_ABI, "turn_axes.mcu", _mesi_f4a952f4_vars, 2, _mesi_f4a952f4_sites, 4}; }
MESI_REGISTER(_mesi_f4a952f4)
