#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_48d1320f; }
// args: -O2 --no-line -arch=sm_90
#define N 4096
extern float image[N][N] MESI_VS(_vs_image), weights[3][3] MESI_VS(_vs_weights), filtered[N][N] MESI_VS(_vs_filtered), columns[N][N] MESI_VS(_vs_columns); static MESI_CONSTANT decltype(image) *_d_image; static MESI_CONSTANT decltype(weights) *_d_weights; static MESI_CONSTANT decltype(filtered) *_d_filtered; static MESI_CONSTANT decltype(columns) *_d_columns;
extern double wide[N][N] MESI_VS(_vs_wide), wider[N][N] MESI_VS(_vs_wider); static MESI_CONSTANT decltype(wide) *_d_wide; static MESI_CONSTANT decltype(wider) *_d_wider;
// Rows of 16 bytes: three loads for each, four elements stored at once.
__global__ void filter() { auto &image = *_d_image; auto &weights = *_d_weights; auto &filtered = *_d_filtered;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= N - 1 || y < 1 || y >= N - 1) return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) sum += image[y + v][x + u] * weights[v + 1][u + 1];
  filtered[y][x] = sum;
}
// filter_mapped: filter with blocks of 64 x 64 elements for 16 x 16 threads.
// Predicted gain: 2.5.
static __global__ void __launch_bounds__(256) filter_mapped() {
  auto &image = *_d_image;
  auto &weights = *_d_weights;
  auto &filtered = *_d_filtered;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < 4096 - 1 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 64 + (_ty + _y)) < 4096 - 1);
  if (_whole) {
    float _w_filtered[4];
    {
      {
        float sum[4][4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            sum[_y][_x] = 0;
#pragma unroll
        for (int _d = -1; _d < 5; _d++)
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
            if (_d - _y >= -1 && _d - _y < 2) {
              int v = _d - _y;
              {
#pragma unroll
                for (int u = -1; u <= 1; u++) {
                  float _r_weights;
                  _r_weights = __ldg(&weights[v + 1][u + 1]);
#pragma unroll
                  for (int _x = 0; _x < 4; _x++) {
                    int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 64 + (_ty + _y));
                    sum[_y][_x] += mesi_lane_load(&image[y + v][x + u - (_x + (int)u)], _x + (int)u) * _r_weights;
                  }
                }
              }
            }
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++) {
            int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 64 + (_ty + _y));
            mesi_lane_store(&filtered[y][x], _w_filtered, _x, sum[_y][_x]);
          }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 64 + (_ty + _y));
        if (x >= 1 && x < 4096 - 1 && y >= 1 && y < 4096 - 1) {
          float sum = 0;
          for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++) sum += image[y + v][x + u] * weights[v + 1][u + 1];
          filtered[y][x] = sum;
        }
      }
}
// filter_mapped_part: filter_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) filter_mapped_part(const mesi_run _run) {
  auto &image = *_d_image;
  auto &weights = *_d_weights;
  auto &filtered = *_d_filtered;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < 4096 - 1 && (int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) >= 1 && (int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) < 4096 - 1);
  if (_whole) {
    float _w_filtered[4];
    {
      {
        float sum[4][4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            sum[_y][_x] = 0;
#pragma unroll
        for (int _d = -1; _d < 5; _d++)
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
            if (_d - _y >= -1 && _d - _y < 2) {
              int v = _d - _y;
              {
#pragma unroll
                for (int u = -1; u <= 1; u++) {
                  float _r_weights;
                  _r_weights = __ldg(&weights[v + 1][u + 1]);
#pragma unroll
                  for (int _x = 0; _x < 4; _x++) {
                    int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y));
                    sum[_y][_x] += mesi_lane_load(&image[y + v][x + u - (_x + (int)u)], _x + (int)u) * _r_weights;
                  }
                }
              }
            }
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++) {
            int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y));
            mesi_lane_store(&filtered[y][x], _w_filtered, _x, sum[_y][_x]);
          }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y));
        if (x >= 1 && x < 4096 - 1 && y >= 1 && y < 4096 - 1) {
          float sum = 0;
          for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++) sum += image[y + v][x + u] * weights[v + 1][u + 1];
          filtered[y][x] = sum;
        }
      }
}
// Two doubles; no loop.
__global__ void stencil() { auto &wider = *_d_wider; auto &wide = *_d_wide;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < N - 1 && y >= 1 && y < N - 1) wider[y][x] = wide[y - 1][x] + wide[y + 1][x] + wide[y][x - 1] + wide[y][x + 1];
}
// stencil_mapped: stencil with blocks of 32 x 64 elements for 16 x 16 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) stencil_mapped() {
  auto &wider = *_d_wider;
  auto &wide = *_d_wide;
  int _tx = (int)threadIdx.x * 2;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
#pragma unroll
    for (int _x = 0; _x < 2; _x++)
      _whole = _whole && ((int)(blockIdx.x * 32 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 32 + (_tx + _x)) < 4096 - 1 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 64 + (_ty + _y)) < 4096 - 1);
  if (_whole) {
    double _w_wider[2];
    {
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          int x = (int)(blockIdx.x * 32 + (_tx + _x)); int y = (int)(blockIdx.y * 64 + (_ty + _y));
          mesi_lane_store(&wider[y][x], _w_wider, _x, mesi_lane_load(&wide[(int)(blockIdx.y * 64 + (_ty + _y)) - 1][x - _x], _x) + mesi_lane_load(&wide[(int)(blockIdx.y * 64 + (_ty + _y)) + 1][x - _x], _x) + mesi_lane_load(&wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) - 1 - (_x - 1)], _x - 1) + mesi_lane_load(&wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) + 1 - (_x + 1)], _x + 1));
        }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 2; _x++) {
        int x = (int)(blockIdx.x * 32 + (_tx + _x)), y = (int)(blockIdx.y * 64 + (_ty + _y));
        if (x >= 1 && x < 4096 - 1 && y >= 1 && y < 4096 - 1) wider[y][x] = wide[(int)(blockIdx.y * 64 + (_ty + _y)) - 1][x] + wide[(int)(blockIdx.y * 64 + (_ty + _y)) + 1][x] + wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) - 1] + wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) + 1];
      }
}
// stencil_mapped_part: stencil_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) stencil_mapped_part(const mesi_run _run) {
  auto &wider = *_d_wider;
  auto &wide = *_d_wide;
  int _tx = (int)threadIdx.x * 2;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
#pragma unroll
    for (int _x = 0; _x < 2; _x++)
      _whole = _whole && ((int)(blockIdx.x * 32 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 32 + (_tx + _x)) < 4096 - 1 && (int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) >= 1 && (int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) < 4096 - 1);
  if (_whole) {
    double _w_wider[2];
    {
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          int x = (int)(blockIdx.x * 32 + (_tx + _x)); int y = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y));
          mesi_lane_store(&wider[y][x], _w_wider, _x, mesi_lane_load(&wide[(int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) - 1][x - _x], _x) + mesi_lane_load(&wide[(int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) + 1][x - _x], _x) + mesi_lane_load(&wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) - 1 - (_x - 1)], _x - 1) + mesi_lane_load(&wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) + 1 - (_x + 1)], _x + 1));
        }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 2; _x++) {
        int x = (int)(blockIdx.x * 32 + (_tx + _x)), y = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y));
        if (x >= 1 && x < 4096 - 1 && y >= 1 && y < 4096 - 1) wider[y][x] = wide[(int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) - 1][x] + wide[(int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) + 1][x] + wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) - 1] + wide[y][(int)(blockIdx.x * 32 + (_tx + _x)) + 1];
      }
}
// A store that is apart keeps the threads one element wide.
__global__ void turned() { auto &image = *_d_image; auto &columns = *_d_columns;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= 1 && y < N - 1 && image[y][x] > 0) columns[x][y] = image[y - 1][x] + image[y + 1][x];
}
// turned_part: turned for a run of blocks along y, from _run.first of _run.blocks.
__global__ void turned_part(const mesi_run _run) {
  auto &image = *_d_image;
  auto &columns = *_d_columns;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y;
  if (y >= 1 && y < 4096 - 1 && image[y][x] > 0) columns[x][y] = image[y - 1][x] + image[y + 1][x];
}
int main() {
  dim3 block(16, 16), grid(N / 16, N / 16);
  (mesi_launch_begin(&_mesi_48d1320f, 0), mesi_launch_on_devices(), mesi_launch_range(0, 0, 67108864, 0, 0, MESI_READ, {262144, -16384, 278528}, {}), mesi_launch_range(1, 0, 36, 0, 0, MESI_READ), mesi_launch_range(2, 0, 0, 16388, 67092476, MESI_WRITE, {}, {262144, 4, 262140}), mesi_stream(0), mesi_map(grid, block, 64, 64, dim3(16, 16), 0), mesi_parted(mesi_runs(filter_mapped, {filter_mapped_part}, 0, 1), dim3(64, 64), dim3(16, 16))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_48d1320f, 1), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 32776, 134184952, MESI_WRITE, {}, {524288, 8, 524280}), mesi_launch_range(1, -8, 134217720, 0, 0, MESI_READ, {524288, -32776, 557048}, {}), mesi_stream(0), mesi_map(grid, block, 32, 64, dim3(16, 16), 0), mesi_parted(mesi_runs(stencil_mapped, {stencil_mapped_part}, 0, 1), dim3(128, 64), dim3(16, 16))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_48d1320f, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, 67108864, 0, 0, MESI_READ, {262144, -16384, 278528}, {}), mesi_launch_range(1, 0, 0, 4, 67108860, MESI_WRITE, {}, {64, 0, 67092544}), mesi_stream(0), mesi_parted(turned, turned_part, 1, grid, block)(), mesi_launch_end());
  return 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(image)> _vs_image; }
extern "C" { MESI_HIDDEN mesi_page<decltype(weights)> _vs_weights; }
extern "C" { MESI_HIDDEN mesi_page<decltype(filtered)> _vs_filtered; }
extern "C" { MESI_HIDDEN mesi_page<decltype(columns)> _vs_columns; }
extern "C" { MESI_HIDDEN mesi_page<decltype(wide)> _vs_wide; }
extern "C" { MESI_HIDDEN mesi_page<decltype(wider)> _vs_wider; }
static const struct mesi_var _mesi_48d1320f_vars[] = {
  {"image", (void *)&image, sizeof(image), &_d_image, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_lanes.mcu:3"},
  {"weights", (void *)&weights, sizeof(weights), &_d_weights, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_lanes.mcu:3"},
  {"filtered", (void *)&filtered, sizeof(filtered), &_d_filtered, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_lanes.mcu:3"},
  {"columns", (void *)&columns, sizeof(columns), &_d_columns, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_lanes.mcu:3"},
  {"wide", (void *)&wide, sizeof(wide), &_d_wide, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_lanes.mcu:4"},
  {"wider", (void *)&wider, sizeof(wider), &_d_wider, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_lanes.mcu:4"},
};
static const struct mesi_site_use _mesi_48d1320f_uses_0[] = {{0, MESI_READ}, {1, MESI_READ}, {2, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_48d1320f_uses_1[] = {{5, MESI_READ_WRITE}, {4, MESI_READ}};
static const struct mesi_site_use _mesi_48d1320f_uses_2[] = {{0, MESI_READ}, {3, MESI_READ_WRITE}};
static const struct mesi_site _mesi_48d1320f_sites[] = {
  {"filter", "map_lanes.mcu:26", _mesi_48d1320f_uses_0, 3, 0},
  {"stencil", "map_lanes.mcu:27", _mesi_48d1320f_uses_1, 2, 0},
  {"turned", "map_lanes.mcu:28", _mesi_48d1320f_uses_2, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_48d1320f = {MESI_ABI, "map_lanes.mcu", _mesi_48d1320f_vars, 6, _mesi_48d1320f_sites, 3}; }
MESI_REGISTER(_mesi_48d1320f)
