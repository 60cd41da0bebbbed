#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_8a0606ff; }
// args: -O2 --no-line -arch=sm_90 --whole-program
// -O2: few threads with long rows and columns: what is used once is streamed through tiles, rows in 16-byte copies and padded
extern float a[4096][1024] MESI_VS(_vs_a), x[1024] MESI_VS(_vs_x), ax[4096] MESI_VS(_vs_ax), y[1024] MESI_VS(_vs_y); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(x) *_d_x; static MESI_CONSTANT decltype(ax) *_d_ax; static MESI_CONSTANT decltype(y) *_d_y;

__global__ void rows()
{ auto &ax = *_d_ax; auto &a = *_d_a; auto &x = *_d_x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  ax[i] = 0;
  for (int j = 0; j < 1024; j++)
    ax[i] += a[i][j] * x[j];
}
// rows_mapped: rows with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 34816 bytes of shared memory.
// Predicted gain: 8.0.
static __global__ void __launch_bounds__(32) rows_mapped() {
  auto &ax = *_d_ax;
  auto &a = *_d_a;
  auto &x = *_d_x;
  __shared__ __align__(16) float _s_a[2][32][132];
  __shared__ __align__(16) float _s_x[2][128];
  int _t = (int)threadIdx.x;
  int i = (int)(blockIdx.x * 32 + threadIdx.x);
  float _r_ax = 0;
  {
    int _b = 0;
#pragma unroll
    for (int _e = 0; _e < 32; _e++) {
      int _i1 = _t % 32 * 4;
      int _i0 = _e + _t / 32;
      int _j0 = blockIdx.x * 32 + _i0;
      mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_j0][_i1]);
    }
    {
      int _i0 = _t * 4;
      mesi_copy_async<16>(&_s_x[0][_i0], &x[_i0]);
    }
    mesi_copy_commit();
    for (int _j = 0; _j < 1024; _j += 128) {
      mesi_copy_wait();
      __syncthreads();
      if (_j + 128 < 1024) {
#pragma unroll
        for (int _e = 0; _e < 32; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e + _t / 32;
          int _j0 = blockIdx.x * 32 + _i0;
          int _j1 = _j + 128 + _i1;
          mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0][_j1]);
        }
        {
          int _i0 = _t * 4;
          int _j0 = _j + 128 + _i0;
          mesi_copy_async<16>(&_s_x[1 - _b][_i0], &x[_j0]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int j = _j; j < _j + 128; j++) {
        _r_ax += _s_a[_b][threadIdx.x][j - _j] * _s_x[_b][j - _j];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  ax[i] = _r_ax;
}
// rows_mapped_part: rows_mapped for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(32) rows_mapped_part(const mesi_run _run) {
  auto &ax = *_d_ax;
  auto &a = *_d_a;
  auto &x = *_d_x;
  __shared__ __align__(16) float _s_a[2][32][132];
  __shared__ __align__(16) float _s_x[2][128];
  int _t = (int)threadIdx.x;
  int i = (int)((blockIdx.x + _run.first) * 32 + threadIdx.x);
  float _r_ax = 0;
  {
    int _b = 0;
#pragma unroll
    for (int _e = 0; _e < 32; _e++) {
      int _i1 = _t % 32 * 4;
      int _i0 = _e + _t / 32;
      int _j0 = (blockIdx.x + _run.first) * 32 + _i0;
      mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_j0][_i1]);
    }
    {
      int _i0 = _t * 4;
      mesi_copy_async<16>(&_s_x[0][_i0], &x[_i0]);
    }
    mesi_copy_commit();
    for (int _j = 0; _j < 1024; _j += 128) {
      mesi_copy_wait();
      __syncthreads();
      if (_j + 128 < 1024) {
#pragma unroll
        for (int _e = 0; _e < 32; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e + _t / 32;
          int _j0 = (blockIdx.x + _run.first) * 32 + _i0;
          int _j1 = _j + 128 + _i1;
          mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0][_j1]);
        }
        {
          int _i0 = _t * 4;
          int _j0 = _j + 128 + _i0;
          mesi_copy_async<16>(&_s_x[1 - _b][_i0], &x[_j0]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int j = _j; j < _j + 128; j++) {
        _r_ax += _s_a[_b][threadIdx.x][j - _j] * _s_x[_b][j - _j];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  ax[i] = _r_ax;
}

__global__ void columns()
{ auto &y = *_d_y; auto &a = *_d_a; auto &ax = *_d_ax;
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  y[j] = 0;
  for (int i = 0; i < 4096; i++)
    y[j] += a[i][j] * ax[i];
}
// columns_mapped: columns with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 33792 bytes of shared memory.
// Predicted gain: 17.7.
static __global__ void __launch_bounds__(32) columns_mapped() {
  auto &y = *_d_y;
  auto &a = *_d_a;
  auto &ax = *_d_ax;
  __shared__ __align__(16) float _s_a[2][128][32];
  __shared__ __align__(16) float _s_ax[2][128];
  int _t = (int)threadIdx.x;
  int j = (int)(blockIdx.x * 32 + threadIdx.x);
  float _r_y = 0;
  {
    int _b = 0;
#pragma unroll
    for (int _e = 0; _e < 32; _e++) {
      int _i1 = _t % 8 * 4;
      int _i0 = _e * 4 + _t / 8;
      int _j1 = blockIdx.x * 32 + _i1;
      mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_i0][_j1]);
    }
    {
      int _i0 = _t * 4;
      mesi_copy_async<16>(&_s_ax[0][_i0], &ax[_i0]);
    }
    mesi_copy_commit();
    for (int _i = 0; _i < 4096; _i += 128) {
      mesi_copy_wait();
      __syncthreads();
      if (_i + 128 < 4096) {
#pragma unroll
        for (int _e = 0; _e < 32; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 4 + _t / 8;
          int _j0 = _i + 128 + _i0;
          int _j1 = blockIdx.x * 32 + _i1;
          mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0][_j1]);
        }
        {
          int _i0 = _t * 4;
          int _j0 = _i + 128 + _i0;
          mesi_copy_async<16>(&_s_ax[1 - _b][_i0], &ax[_j0]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int i = _i; i < _i + 128; i++) {
        _r_y += _s_a[_b][i - _i][threadIdx.x] * _s_ax[_b][i - _i];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  y[j] = _r_y;
}
// columns_mapped_part: columns_mapped for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(32) columns_mapped_part(const mesi_run _run) {
  auto &y = *_d_y;
  auto &a = *_d_a;
  auto &ax = *_d_ax;
  __shared__ __align__(16) float _s_a[2][128][32];
  __shared__ __align__(16) float _s_ax[2][128];
  int _t = (int)threadIdx.x;
  int j = (int)((blockIdx.x + _run.first) * 32 + threadIdx.x);
  float _r_y = 0;
  {
    int _b = 0;
#pragma unroll
    for (int _e = 0; _e < 32; _e++) {
      int _i1 = _t % 8 * 4;
      int _i0 = _e * 4 + _t / 8;
      int _j1 = (blockIdx.x + _run.first) * 32 + _i1;
      mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_i0][_j1]);
    }
    {
      int _i0 = _t * 4;
      mesi_copy_async<16>(&_s_ax[0][_i0], &ax[_i0]);
    }
    mesi_copy_commit();
    for (int _i = 0; _i < 4096; _i += 128) {
      mesi_copy_wait();
      __syncthreads();
      if (_i + 128 < 4096) {
#pragma unroll
        for (int _e = 0; _e < 32; _e++) {
          int _i1 = _t % 8 * 4;
          int _i0 = _e * 4 + _t / 8;
          int _j0 = _i + 128 + _i0;
          int _j1 = (blockIdx.x + _run.first) * 32 + _i1;
          mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0][_j1]);
        }
        {
          int _i0 = _t * 4;
          int _j0 = _i + 128 + _i0;
          mesi_copy_async<16>(&_s_ax[1 - _b][_i0], &ax[_j0]);
        }
      }
      mesi_copy_commit();
#pragma unroll 8
      for (int i = _i; i < _i + 128; i++) {
        _r_y += _s_a[_b][i - _i][threadIdx.x] * _s_ax[_b][i - _i];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
  y[j] = _r_y;
}

int main()
{
  (mesi_launch_begin(&_mesi_8a0606ff, 0), mesi_launch_on_several(), mesi_launch_range(0, 0, 0, 0, 16384, MESI_WRITE | MESI_OVERWRITE, {}, {1024, 0, 1024}), mesi_launch_range(1, 0, 16777216, 0, 0, MESI_READ, {1048576, 0, 1048576}, {}), mesi_launch_range(2, 0, 4096, 0, 0, MESI_READ), mesi_stream(0), mesi_map(16, 256, 32, 1, 32, 0), mesi_parted(mesi_runs(rows_mapped, {rows_mapped_part}, 0, 0), 128, 32)(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_8a0606ff, 1), mesi_launch_on_several(), mesi_launch_range(0, 0, 0, 0, 4096, MESI_WRITE | MESI_OVERWRITE, {}, {1024, 0, 1024}), mesi_launch_range(1, 0, 16777216, 0, 0, MESI_READ, {1024, 0, 16774144}, {}), mesi_launch_range(2, 0, 16384, 0, 0, MESI_READ), mesi_stream(0), mesi_map(4, 256, 32, 1, 32, 0), mesi_parted(mesi_runs(columns_mapped, {columns_mapped_part}, 0, 0), 32, 32)(), mesi_launch_end());
  mesi_use_bytes(y, 0, 4, MESI_READ); return y[0] > 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(x)> _vs_x; }
extern "C" { MESI_HIDDEN mesi_page<decltype(ax)> _vs_ax; }
extern "C" { MESI_HIDDEN mesi_page<decltype(y)> _vs_y; }
static const struct mesi_var _mesi_8a0606ff_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "map_stream.mcu:3"},
  {"x", (void *)&x, sizeof(x), &_d_x, MESI_VAR_FLOAT, 0, "map_stream.mcu:3"},
  {"ax", (void *)&ax, sizeof(ax), &_d_ax, MESI_VAR_FLOAT, 0, "map_stream.mcu:3"},
  {"y", (void *)&y, sizeof(y), &_d_y, MESI_VAR_FLOAT, 0, "map_stream.mcu:3"},
};
static const struct mesi_site_use _mesi_8a0606ff_uses_0[] = {{2, MESI_READ_WRITE}, {0, MESI_READ}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_8a0606ff_uses_1[] = {{3, MESI_READ_WRITE}, {0, MESI_READ}, {2, MESI_READ}};
static const struct mesi_site _mesi_8a0606ff_sites[] = {
  {"rows", "map_stream.mcu:25", _mesi_8a0606ff_uses_0, 3, 0},
  {"columns", "map_stream.mcu:26", _mesi_8a0606ff_uses_1, 3, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_8a0606ff = {MESI_ABI, "map_stream.mcu", _mesi_8a0606ff_vars, 4, _mesi_8a0606ff_sites, 2}; }
MESI_REGISTER(_mesi_8a0606ff)
