#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_caff6925; }
// args: -O2 --no-line
#define H 4096
#define W 4100
#define N 256
extern float image[H][W] MESI_VS(_vs_image), weights[3][3] MESI_VS(_vs_weights), filtered[H][W] MESI_VS(_vs_filtered), cube[N][N][N] MESI_VS(_vs_cube), moved[N][N][N] MESI_VS(_vs_moved); static MESI_CONSTANT decltype(image) *_d_image; static MESI_CONSTANT decltype(weights) *_d_weights; static MESI_CONSTANT decltype(filtered) *_d_filtered; static MESI_CONSTANT decltype(cube) *_d_cube; static MESI_CONSTANT decltype(moved) *_d_moved;
__global__ void filter() { auto &image = *_d_image; auto &weights = *_d_weights; auto &filtered = *_d_filtered;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++)
      if (y + v >= 0 && y + v < H && x + u >= 0 && x + u < W) sum += image[y + v][x + u] * weights[v + 1][u + 1];
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
      _whole = _whole && ((int)(blockIdx.x * 64 + (_tx + _x)) < 4112 && (int)(blockIdx.x * 64 + (_tx + _x)) < 4100 && (int)(blockIdx.y * 64 + (_ty + _y)) + -1 >= 0 && (int)(blockIdx.y * 64 + (_ty + _y)) + 1 < 4096 && (int)(blockIdx.x * 64 + (_tx + _x)) + -1 >= 0 && (int)(blockIdx.x * 64 + (_tx + _x)) + 1 < 4100);
  if (_whole) {
    float _w_filtered[4];
    {
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
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        if ((int)(blockIdx.x * 64 + (_tx + _x)) < 4112) {
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 64 + (_ty + _y));
          if (x < 4100 && y < 4096) {
            float sum = 0;
            for (int v = -1; v <= 1; v++)
              for (int u = -1; u <= 1; u++)
                if (y + v >= 0 && y + v < 4096 && x + u >= 0 && x + u < 4100) sum += image[y + v][x + u] * weights[v + 1][u + 1];
            filtered[y][x] = sum;
          }
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
      _whole = _whole && ((int)(blockIdx.x * 64 + (_tx + _x)) < 4112 && (int)(blockIdx.x * 64 + (_tx + _x)) < 4100 && (int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) + -1 >= 0 && (int)((blockIdx.y + _run.first) * 64 + (_ty + _y)) + 1 < 4096 && (int)(blockIdx.x * 64 + (_tx + _x)) + -1 >= 0 && (int)(blockIdx.x * 64 + (_tx + _x)) + 1 < 4100);
  if (_whole) {
    float _w_filtered[4];
    {
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
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        if ((int)(blockIdx.x * 64 + (_tx + _x)) < 4112) {
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y));
          if (x < 4100 && y < 4096) {
            float sum = 0;
            for (int v = -1; v <= 1; v++)
              for (int u = -1; u <= 1; u++)
                if (y + v >= 0 && y + v < 4096 && x + u >= 0 && x + u < 4100) sum += image[y + v][x + u] * weights[v + 1][u + 1];
            filtered[y][x] = sum;
          }
        }
      }
}
__global__ void edges(const float *in, float *out, int rows, int columns) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows || j >= columns) return;
  if (i == 0 || i == rows - 1)
    out[i * columns + j] = 0;
  else
    out[i * columns + j] = in[(i - 1) * columns + j] + in[i * columns + j] + in[(i + 1) * columns + j];
}
// edges_mapped: edges with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.4.
static __global__ void __launch_bounds__(256) edges_mapped(const float *__restrict__ in, float *out, int rows, int columns, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.y * 16 + (_ty + _y)) < rows && (int)(blockIdx.x * 32 + threadIdx.x) < columns && (int)(blockIdx.y * 16 + (_ty + _y)) != 0 && (int)(blockIdx.y * 16 + (_ty + _y)) != rows - 1);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int i = (int)(blockIdx.y * 16 + (_ty + _y));
          out[i * columns + j] = in[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)(blockIdx.y * 16 + (_ty + _y)), j = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i < rows && j < columns) {
          if (i == 0 || i == rows - 1)
            out[i * columns + j] = 0;
          else
            out[i * columns + j] = in[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
}
// edges_mapped_large: edges with blocks of 32 x 32 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) edges_mapped_large(const float *__restrict__ in, float *out, int rows, int columns, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.y * 32 + (_ty + _y)) < rows && (int)(blockIdx.x * 32 + threadIdx.x) < columns && (int)(blockIdx.y * 32 + (_ty + _y)) != 0 && (int)(blockIdx.y * 32 + (_ty + _y)) != rows - 1);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int i = (int)(blockIdx.y * 32 + (_ty + _y));
          out[i * columns + j] = in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)(blockIdx.y * 32 + (_ty + _y)), j = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i < rows && j < columns) {
          if (i == 0 || i == rows - 1)
            out[i * columns + j] = 0;
          else
            out[i * columns + j] = in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
}
// edges_mapped_large_2: edges with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) edges_mapped_large_2(const float *in, float *out, int rows, int columns, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.y * 32 + (_ty + _y)) < rows && (int)(blockIdx.x * 64 + (_tx + _x)) < columns && (int)(blockIdx.y * 32 + (_ty + _y)) != 0 && (int)(blockIdx.y * 32 + (_ty + _y)) != rows - 1);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int i = (int)(blockIdx.y * 32 + (_ty + _y)); int j = (int)(blockIdx.x * 64 + (_tx + _x));
              mesi_lane_store(&out[i * columns + j], _w_out, _x, mesi_lane_load(&in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * columns + j - _x], _x) + mesi_lane_load(&in[i * columns + j - _x], _x) + mesi_lane_load(&in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * columns + j - _x], _x));
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
          int i = (int)(blockIdx.y * 32 + (_ty + _y)), j = (int)(blockIdx.x * 64 + (_tx + _x));
          if (i < rows && j < columns) {
            if (i == 0 || i == rows - 1)
              out[i * columns + j] = 0;
            else
              out[i * columns + j] = in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * columns + j];
          }
        }
      }
}
// edges_plain: edges for smaller launches.
static __global__ void edges_plain(const float *in, float *out, int rows, int columns, int _total_x, int _total_y) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows || j >= columns) return;
  if (i == 0 || i == rows - 1)
    out[i * columns + j] = 0;
  else
    out[i * columns + j] = in[(i - 1) * columns + j] + in[i * columns + j] + in[(i + 1) * columns + j];
}
// edges_version_if: what edges_mapped_large_2 is for.
static inline bool edges_version_if(const float *in, float *out, int columns) {
  return columns % 4 == 0 && mesi_aligned(out) && mesi_aligned(in);
}
// edges_mapped_part: edges_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) edges_mapped_part(const float *__restrict__ in, float *out, int rows, int columns, int _total_x, int _total_y, const mesi_run _run) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) < rows && (int)(blockIdx.x * 32 + threadIdx.x) < columns && (int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) != 0 && (int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) != rows - 1);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int i = (int)((blockIdx.y + _run.first) * 16 + (_ty + _y));
          out[i * columns + j] = in[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)((blockIdx.y + _run.first) * 16 + (_ty + _y)), j = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i < rows && j < columns) {
          if (i == 0 || i == rows - 1)
            out[i * columns + j] = 0;
          else
            out[i * columns + j] = in[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)((blockIdx.y + _run.first) * 16 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
}
// edges_mapped_large_part: edges_mapped_large for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) edges_mapped_large_part(const float *__restrict__ in, float *out, int rows, int columns, int _total_x, int _total_y, const mesi_run _run) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < rows && (int)(blockIdx.x * 32 + threadIdx.x) < columns && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) != 0 && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) != rows - 1);
  if (_whole) {
    {
      int j = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y));
          out[i * columns + j] = in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)), j = (int)(blockIdx.x * 32 + threadIdx.x);
        if (i < rows && j < columns) {
          if (i == 0 || i == rows - 1)
            out[i * columns + j] = 0;
          else
            out[i * columns + j] = in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * columns + j];
        }
      }
    }
}
// edges_mapped_large_2_part: edges_mapped_large_2 for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) edges_mapped_large_2_part(const float *in, float *out, int rows, int columns, int _total_x, int _total_y, const mesi_run _run) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) < rows && (int)(blockIdx.x * 64 + (_tx + _x)) < columns && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) != 0 && (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) != rows - 1);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)); int j = (int)(blockIdx.x * 64 + (_tx + _x));
              mesi_lane_store(&out[i * columns + j], _w_out, _x, mesi_lane_load(&in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * columns + j - _x], _x) + mesi_lane_load(&in[i * columns + j - _x], _x) + mesi_lane_load(&in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * columns + j - _x], _x));
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
          int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)), j = (int)(blockIdx.x * 64 + (_tx + _x));
          if (i < rows && j < columns) {
            if (i == 0 || i == rows - 1)
              out[i * columns + j] = 0;
            else
              out[i * columns + j] = in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) - 1) * columns + j] + in[i * columns + j] + in[((int)((blockIdx.y + _run.first) * 32 + (_ty + _y)) + 1) * columns + j];
          }
        }
      }
}
// edges_plain_part: edges_plain for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void edges_plain_part(const float *in, float *out, int rows, int columns, int _total_x, int _total_y, const mesi_run _run) {
  int i = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows || j >= columns) return;
  if (i == 0 || i == rows - 1)
    out[i * columns + j] = 0;
  else
    out[i * columns + j] = in[(i - 1) * columns + j] + in[i * columns + j] + in[(i + 1) * columns + j];
}
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
__global__ void nearest(const float *points, const float *centers, int *best, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = 1e30f;
  int found = 0;
  for (int c = 0; c < count; c++) {
    float sum = 0;
    for (int d = 0; d < 4; d++) {
      float difference = points[i * 4 + d] - centers[c * 4 + d];
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      found = c;
    }
  }
  best[i] = found;
}
// nearest_mapped: nearest with blocks of 512 x 1 elements for 128 x 1 threads.
// Predicted gain: 5.3.
static __global__ void __launch_bounds__(128) nearest_mapped(const float *__restrict__ points, const float *__restrict__ centers, int *best, int n, int count, int _total_x) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 4; _x += 3)
    _whole = _whole && ((int)(blockIdx.x * 512 + (_tx + _x * 128)) < _total_x && (int)(blockIdx.x * 512 + (_tx + _x * 128)) < n && 0 < count);
  if (_whole) {
    {
      {
        float least[4];
        int found[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          least[_x] = 1e30f;
          found[_x] = 0;
        }
        {
          float _r_points[4][4];
          {
#pragma unroll
            for (int d = 0; d < 4; d += 4) {
#pragma unroll
              for (int _x = 0; _x < 4; _x++) {
                int i = (int)(blockIdx.x * 512 + (_tx + _x * 128));
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[_x][d], &points[i * 4 + d]);
                else {
                  _r_points[_x][d] = points[i * 4 + d]; _r_points[_x][d + 1] = points[i * 4 + (d + 1)]; _r_points[_x][d + 2] = points[i * 4 + (d + 2)]; _r_points[_x][d + 3] = points[i * 4 + (d + 3)];
                }
              }
            }
          }
#pragma unroll 2
          for (int c = 0; c < count; c++) {
            float sum[4];
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              sum[_x] = 0;
#pragma unroll
            for (int d = 0; d < 4; d++) {
              float _r_centers;
              _r_centers = centers[c * 4 + d];
#pragma unroll
              for (int _x = 0; _x < 4; _x++) {
                float difference = _r_points[_x][d] - _r_centers;
                sum[_x] += difference * difference;
              }
            }
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              if (sum[_x] < least[_x]) {
                least[_x] = sum[_x];
                found[_x] = c;
              }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int i = (int)(blockIdx.x * 512 + (_tx + _x * 128));
          best[i] = found[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 512 + (_tx + _x * 128)) < _total_x) {
        int i = (int)(blockIdx.x * 512 + (_tx + _x * 128));
        if (i < n) {
          float least = 1e30f;
          int found = 0;
          {
            float _r_points[4];
            if (0 < count) {
#pragma unroll
              for (int d = 0; d < 4; d += 4)
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[d], &points[i * 4 + d]);
                else {
                  _r_points[d] = points[i * 4 + d]; _r_points[d + 1] = points[i * 4 + (d + 1)]; _r_points[d + 2] = points[i * 4 + (d + 2)]; _r_points[d + 3] = points[i * 4 + (d + 3)];
                }
            }
            for (int c = 0; c < count; c++) {
              float sum = 0;
#pragma unroll
              for (int d = 0; d < 4; d++) {
                float difference = _r_points[d] - centers[c * 4 + d];
                sum += difference * difference;
              }
              if (sum < least) {
                least = sum;
                found = c;
              }
            }
          }
          best[i] = found;
        }
      }
    }
}
// nearest_mapped_large: nearest with blocks of 1024 x 1 elements for 128 x 1 threads.
static __global__ void __launch_bounds__(128) nearest_mapped_large(const float *__restrict__ points, const float *__restrict__ centers, int *best, int n, int count, int _total_x) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 8; _x += 7)
    _whole = _whole && ((int)(blockIdx.x * 1024 + (_tx + _x * 128)) < _total_x && (int)(blockIdx.x * 1024 + (_tx + _x * 128)) < n && 0 < count);
  if (_whole) {
    {
      {
        float least[8];
        int found[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          least[_x] = 1e30f;
          found[_x] = 0;
        }
        {
          float _r_points[8][4];
          {
#pragma unroll
            for (int d = 0; d < 4; d += 4) {
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                int i = (int)(blockIdx.x * 1024 + (_tx + _x * 128));
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[_x][d], &points[i * 4 + d]);
                else {
                  _r_points[_x][d] = points[i * 4 + d]; _r_points[_x][d + 1] = points[i * 4 + (d + 1)]; _r_points[_x][d + 2] = points[i * 4 + (d + 2)]; _r_points[_x][d + 3] = points[i * 4 + (d + 3)];
                }
              }
            }
          }
#pragma unroll 2
          for (int c = 0; c < count; c++) {
            float sum[8];
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              sum[_x] = 0;
#pragma unroll
            for (int d = 0; d < 4; d++) {
              float _r_centers;
              _r_centers = centers[c * 4 + d];
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                float difference = _r_points[_x][d] - _r_centers;
                sum[_x] += difference * difference;
              }
            }
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              if (sum[_x] < least[_x]) {
                least[_x] = sum[_x];
                found[_x] = c;
              }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int i = (int)(blockIdx.x * 1024 + (_tx + _x * 128));
          best[i] = found[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 8; _x++) {
      if ((int)(blockIdx.x * 1024 + (_tx + _x * 128)) < _total_x) {
        int i = (int)(blockIdx.x * 1024 + (_tx + _x * 128));
        if (i < n) {
          float least = 1e30f;
          int found = 0;
          {
            float _r_points[4];
            if (0 < count) {
#pragma unroll
              for (int d = 0; d < 4; d += 4)
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[d], &points[i * 4 + d]);
                else {
                  _r_points[d] = points[i * 4 + d]; _r_points[d + 1] = points[i * 4 + (d + 1)]; _r_points[d + 2] = points[i * 4 + (d + 2)]; _r_points[d + 3] = points[i * 4 + (d + 3)];
                }
            }
            for (int c = 0; c < count; c++) {
              float sum = 0;
#pragma unroll
              for (int d = 0; d < 4; d++) {
                float difference = _r_points[d] - centers[c * 4 + d];
                sum += difference * difference;
              }
              if (sum < least) {
                least = sum;
                found = c;
              }
            }
          }
          best[i] = found;
        }
      }
    }
}
// nearest_plain: nearest for smaller launches.
static __global__ void nearest_plain(const float *__restrict__ points, const float *__restrict__ centers, int *best, int n, int count, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = 1e30f;
  int found = 0;
  {
    float _r_points[4];
    if (0 < count) {
#pragma unroll
      for (int d = 0; d < 4; d += 4)
        if (mesi_vector_at(&points[i * 4 + d]))
          mesi_vector_load(&_r_points[d], &points[i * 4 + d]);
        else {
          _r_points[d] = points[i * 4 + d]; _r_points[d + 1] = points[i * 4 + (d + 1)]; _r_points[d + 2] = points[i * 4 + (d + 2)]; _r_points[d + 3] = points[i * 4 + (d + 3)];
        }
    }
    for (int c = 0; c < count; c++) {
      float sum = 0;
#pragma unroll
      for (int d = 0; d < 4; d++) {
        float difference = _r_points[d] - centers[c * 4 + d];
        sum += difference * difference;
      }
      if (sum < least) {
        least = sum;
        found = c;
      }
    }
  }
  best[i] = found;
}
// nearest_mapped_part: nearest_mapped for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128) nearest_mapped_part(const float *__restrict__ points, const float *__restrict__ centers, int *best, int n, int count, int _total_x, const mesi_run _run) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 4; _x += 3)
    _whole = _whole && ((int)((blockIdx.x + _run.first) * 512 + (_tx + _x * 128)) < _total_x && (int)((blockIdx.x + _run.first) * 512 + (_tx + _x * 128)) < n && 0 < count);
  if (_whole) {
    {
      {
        float least[4];
        int found[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          least[_x] = 1e30f;
          found[_x] = 0;
        }
        {
          float _r_points[4][4];
          {
#pragma unroll
            for (int d = 0; d < 4; d += 4) {
#pragma unroll
              for (int _x = 0; _x < 4; _x++) {
                int i = (int)((blockIdx.x + _run.first) * 512 + (_tx + _x * 128));
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[_x][d], &points[i * 4 + d]);
                else {
                  _r_points[_x][d] = points[i * 4 + d]; _r_points[_x][d + 1] = points[i * 4 + (d + 1)]; _r_points[_x][d + 2] = points[i * 4 + (d + 2)]; _r_points[_x][d + 3] = points[i * 4 + (d + 3)];
                }
              }
            }
          }
#pragma unroll 2
          for (int c = 0; c < count; c++) {
            float sum[4];
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              sum[_x] = 0;
#pragma unroll
            for (int d = 0; d < 4; d++) {
              float _r_centers;
              _r_centers = centers[c * 4 + d];
#pragma unroll
              for (int _x = 0; _x < 4; _x++) {
                float difference = _r_points[_x][d] - _r_centers;
                sum[_x] += difference * difference;
              }
            }
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              if (sum[_x] < least[_x]) {
                least[_x] = sum[_x];
                found[_x] = c;
              }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int i = (int)((blockIdx.x + _run.first) * 512 + (_tx + _x * 128));
          best[i] = found[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 4; _x++) {
      if ((int)((blockIdx.x + _run.first) * 512 + (_tx + _x * 128)) < _total_x) {
        int i = (int)((blockIdx.x + _run.first) * 512 + (_tx + _x * 128));
        if (i < n) {
          float least = 1e30f;
          int found = 0;
          {
            float _r_points[4];
            if (0 < count) {
#pragma unroll
              for (int d = 0; d < 4; d += 4)
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[d], &points[i * 4 + d]);
                else {
                  _r_points[d] = points[i * 4 + d]; _r_points[d + 1] = points[i * 4 + (d + 1)]; _r_points[d + 2] = points[i * 4 + (d + 2)]; _r_points[d + 3] = points[i * 4 + (d + 3)];
                }
            }
            for (int c = 0; c < count; c++) {
              float sum = 0;
#pragma unroll
              for (int d = 0; d < 4; d++) {
                float difference = _r_points[d] - centers[c * 4 + d];
                sum += difference * difference;
              }
              if (sum < least) {
                least = sum;
                found = c;
              }
            }
          }
          best[i] = found;
        }
      }
    }
}
// nearest_mapped_large_part: nearest_mapped_large for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128) nearest_mapped_large_part(const float *__restrict__ points, const float *__restrict__ centers, int *best, int n, int count, int _total_x, const mesi_run _run) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 8; _x += 7)
    _whole = _whole && ((int)((blockIdx.x + _run.first) * 1024 + (_tx + _x * 128)) < _total_x && (int)((blockIdx.x + _run.first) * 1024 + (_tx + _x * 128)) < n && 0 < count);
  if (_whole) {
    {
      {
        float least[8];
        int found[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          least[_x] = 1e30f;
          found[_x] = 0;
        }
        {
          float _r_points[8][4];
          {
#pragma unroll
            for (int d = 0; d < 4; d += 4) {
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                int i = (int)((blockIdx.x + _run.first) * 1024 + (_tx + _x * 128));
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[_x][d], &points[i * 4 + d]);
                else {
                  _r_points[_x][d] = points[i * 4 + d]; _r_points[_x][d + 1] = points[i * 4 + (d + 1)]; _r_points[_x][d + 2] = points[i * 4 + (d + 2)]; _r_points[_x][d + 3] = points[i * 4 + (d + 3)];
                }
              }
            }
          }
#pragma unroll 2
          for (int c = 0; c < count; c++) {
            float sum[8];
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              sum[_x] = 0;
#pragma unroll
            for (int d = 0; d < 4; d++) {
              float _r_centers;
              _r_centers = centers[c * 4 + d];
#pragma unroll
              for (int _x = 0; _x < 8; _x++) {
                float difference = _r_points[_x][d] - _r_centers;
                sum[_x] += difference * difference;
              }
            }
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              if (sum[_x] < least[_x]) {
                least[_x] = sum[_x];
                found[_x] = c;
              }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int i = (int)((blockIdx.x + _run.first) * 1024 + (_tx + _x * 128));
          best[i] = found[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 8; _x++) {
      if ((int)((blockIdx.x + _run.first) * 1024 + (_tx + _x * 128)) < _total_x) {
        int i = (int)((blockIdx.x + _run.first) * 1024 + (_tx + _x * 128));
        if (i < n) {
          float least = 1e30f;
          int found = 0;
          {
            float _r_points[4];
            if (0 < count) {
#pragma unroll
              for (int d = 0; d < 4; d += 4)
                if (mesi_vector_at(&points[i * 4 + d]))
                  mesi_vector_load(&_r_points[d], &points[i * 4 + d]);
                else {
                  _r_points[d] = points[i * 4 + d]; _r_points[d + 1] = points[i * 4 + (d + 1)]; _r_points[d + 2] = points[i * 4 + (d + 2)]; _r_points[d + 3] = points[i * 4 + (d + 3)];
                }
            }
            for (int c = 0; c < count; c++) {
              float sum = 0;
#pragma unroll
              for (int d = 0; d < 4; d++) {
                float difference = _r_points[d] - centers[c * 4 + d];
                sum += difference * difference;
              }
              if (sum < least) {
                least = sum;
                found = c;
              }
            }
          }
          best[i] = found;
        }
      }
    }
}
// nearest_plain_part: nearest_plain for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void nearest_plain_part(const float *__restrict__ points, const float *__restrict__ centers, int *best, int n, int count, int _total_x, const mesi_run _run) {
  int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = 1e30f;
  int found = 0;
  {
    float _r_points[4];
    if (0 < count) {
#pragma unroll
      for (int d = 0; d < 4; d += 4)
        if (mesi_vector_at(&points[i * 4 + d]))
          mesi_vector_load(&_r_points[d], &points[i * 4 + d]);
        else {
          _r_points[d] = points[i * 4 + d]; _r_points[d + 1] = points[i * 4 + (d + 1)]; _r_points[d + 2] = points[i * 4 + (d + 2)]; _r_points[d + 3] = points[i * 4 + (d + 3)];
        }
    }
    for (int c = 0; c < count; c++) {
      float sum = 0;
#pragma unroll
      for (int d = 0; d < 4; d++) {
        float difference = _r_points[d] - centers[c * 4 + d];
        sum += difference * difference;
      }
      if (sum < least) {
        least = sum;
        found = c;
      }
    }
  }
  best[i] = found;
}
__global__ void in_place(float *p, int rows, int columns) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows && j < columns) p[i * columns + j] = p[i * columns + j] * 2 + p[j];
}
// in_place_part: in_place for a run of blocks along y, from _run.first of _run.blocks.
__global__ void in_place_part(float *p, int rows, int columns, const mesi_run _run) {
  int i = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows && j < columns) p[i * columns + j] = p[i * columns + j] * 2 + p[j];
}
int main(int argc, char **argv) {
  int rows = argc * 1000, columns = argc * 900;
  float *a, *b;
  int *best;
  dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);
  cudaMalloc(&a, rows * columns * sizeof(float));
  cudaMalloc(&b, rows * columns * sizeof(float));
  cudaMalloc(&best, rows * sizeof(int));
  (mesi_launch_begin(&_mesi_caff6925, 0), mesi_launch_on_devices(), mesi_launch_range(0, 0, 67174400, 0, 0, MESI_READ, {262400, -16400, 278800}, {}), mesi_launch_range(1, 0, 36, 0, 0, MESI_READ), mesi_launch_range(2, 0, 0, 0, 67174400, MESI_WRITE | MESI_OVERWRITE, {}, {262400, 0, 262400}), mesi_stream(0), mesi_map(dim3((W + 15) / 16, H / 16), block, 64, 64, dim3(16, 16), 0), mesi_parted(mesi_runs(filter_mapped, {filter_mapped_part}, 0, 1), dim3(65, 64), dim3(16, 16))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_caff6925, 1), mesi_launch_on_devices(), mesi_stream(0), mesi_map(grid, block), mesi_choose(true, {{}, {32, 16, 32, 8, 486552}, {32, 32, 32, 8, 973104}, {64, 32, 16, 16, 5838624, false, mesi_rows_of(512) && edges_version_if(mesi_place(a), mesi_place(b), columns)}}), mesi_parted(mesi_runs(mesi_pick(edges_plain, edges_mapped, edges_mapped_large, edges_mapped_large_2), {edges_plain_part, edges_mapped_part, edges_mapped_large_part, edges_mapped_large_2_part}, mesi_mapped().version, 1), mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(a, 0, mesi_times((long long)rows * 4 - 4, columns) + (long long)columns * 4, 0, 0, MESI_READ, {mesi_times(64, columns), mesi_times(-4, columns), mesi_times(64, columns) + (long long)columns * 4}, {}), mesi_arg_range(b, 0, 0, 0, mesi_times((long long)rows * 4 - 4, columns) + (long long)columns * 4, MESI_WRITE, {}, {mesi_times(64, columns), 0, mesi_times(60, columns) + (long long)columns * 4}), rows, columns, mesi_mapped().total_x, mesi_mapped().total_y), mesi_launch_end());
  (mesi_launch_begin(&_mesi_caff6925, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 263172, 66845692, MESI_WRITE, {}, {1048576, 1028, 1047548}), mesi_launch_range(1, -1028, 67107836, 0, 0, MESI_READ, {1048576, -263172, 1309692}, {}), mesi_stream(0), mesi_map(dim3(N / 8, N / 8, N / 4), dim3(8, 8, 4), 128, 8, dim3(32, 8), 0, 16), mesi_parted(mesi_runs(seven_points_mapped, {seven_points_mapped_part}, 0, 2), dim3(2, 32, 16), dim3(32, 8))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_caff6925, 3), mesi_launch_on_several(), mesi_stream(0), mesi_map((rows + 127) / 128, 128), mesi_choose(true, {{}, {512, 1, 128, 1, 405504}, {1024, 1, 128, 1, 811008}}), mesi_parted(mesi_runs(mesi_pick(nearest_plain, nearest_mapped, nearest_mapped_large), {nearest_plain_part, nearest_mapped_part, nearest_mapped_large_part}, mesi_mapped().version, 0), mesi_mapped().grid, mesi_mapped().block)(mesi_arg_range(a, 0, (long long)rows * 16, 0, 0, MESI_READ, {2048, 0, 2048}, {}), mesi_arg_range(b, 0, (long long)columns * 16, 0, 0, MESI_READ), mesi_arg_range(best, 0, 0, 0, (long long)rows * 4, MESI_WRITE | ((long long)dim3((rows + 127) / 128).x * 128 >= (long long)rows ? MESI_OVERWRITE : 0u), {}, {512, 0, 512}), rows, columns, mesi_mapped().total_x), mesi_launch_end());
  (mesi_launch_begin(&_mesi_caff6925, 4), mesi_launch_on_devices(), mesi_stream(0), mesi_parted(in_place, in_place_part, 1, grid, block)(mesi_arg_range(a, 0, mesi_times((long long)rows * 4 - 4, columns) + (long long)columns * 4, 0, mesi_times((long long)rows * 4 - 4, columns) + (long long)columns * 4, MESI_READ_WRITE, {mesi_times(64, columns), mesi_times(4 - (long long)rows * 4, columns), mesi_times((long long)rows >= 16 ? (long long)60 : (long long)rows * 4 - 4, columns) + (long long)columns * 4}, {mesi_times(64, columns), 0, mesi_times(60, columns) + (long long)columns * 4}), rows, columns), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(image)> _vs_image; }
extern "C" { MESI_HIDDEN mesi_page<decltype(weights)> _vs_weights; }
extern "C" { MESI_HIDDEN mesi_page<decltype(filtered)> _vs_filtered; }
extern "C" { MESI_HIDDEN mesi_page<decltype(cube)> _vs_cube; }
extern "C" { MESI_HIDDEN mesi_page<decltype(moved)> _vs_moved; }
static const struct mesi_var _mesi_caff6925_vars[] = {
  {"image", (void *)&image, sizeof(image), &_d_image, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_patches.mcu:5"},
  {"weights", (void *)&weights, sizeof(weights), &_d_weights, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_patches.mcu:5"},
  {"filtered", (void *)&filtered, sizeof(filtered), &_d_filtered, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_patches.mcu:5"},
  {"cube", (void *)&cube, sizeof(cube), &_d_cube, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_patches.mcu:5"},
  {"moved", (void *)&moved, sizeof(moved), &_d_moved, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_patches.mcu:5"},
};
static const struct mesi_site_use _mesi_caff6925_uses_0[] = {{0, MESI_READ}, {1, MESI_READ}, {2, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_caff6925_uses_2[] = {{4, MESI_READ_WRITE}, {3, MESI_READ}};
static const struct mesi_site _mesi_caff6925_sites[] = {
  {"filter", "map_patches.mcu:58", _mesi_caff6925_uses_0, 3, 0},
  {"edges", "map_patches.mcu:59", 0, 0, 0},
  {"seven_points", "map_patches.mcu:60", _mesi_caff6925_uses_2, 2, 0},
  {"nearest", "map_patches.mcu:61", 0, 0, 0},
  {"in_place", "map_patches.mcu:62", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_caff6925 = {MESI_ABI, "map_patches.mcu", _mesi_caff6925_vars, 5, _mesi_caff6925_sites, 5}; }
MESI_REGISTER(_mesi_caff6925)
