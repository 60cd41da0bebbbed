#include <mesi_cuda.h>
// args: -O2 --no-line -arch=sm_90
// Static tables of constants are constants: the kernel gets several elements a thread.
__global__ void smooth(const float *in, float *out, int w, int h)
{
  static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}
// smooth_mapped: smooth with blocks of 32 x 32 elements for 32 x 8 threads.
// Predicted gain: 1.8.
static __global__ void __launch_bounds__(256) smooth_mapped(const float *__restrict__ in, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        float sum[4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
          sum[_y] = 0;
#pragma unroll
        for (int j = -1; j <= 1; j++) {
#pragma unroll
          for (int i = -1; i <= 1; i++) {
#pragma unroll
            for (int _y = 0; _y < 4; _y++) {
              int y = (int)(blockIdx.y * 32 + (_ty + _y));
              sum[_y] += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
            }
          }
        }
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int y = (int)(blockIdx.y * 32 + (_ty + _y));
          out[y * w + x] = sum[_y];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 32 + (_ty + _y));
        if (x >= 1 && y >= 1 && x < w - 1 && y < h - 1) {
          float sum = 0;
          for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
          out[y * w + x] = sum;
        }
      }
    }
}
// smooth_mapped_large: smooth with blocks of 32 x 64 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) smooth_mapped_large(const float *__restrict__ in, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 8;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 8; _y += 7)
    _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 64 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        float sum[8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
          sum[_y] = 0;
#pragma unroll
        for (int j = -1; j <= 1; j++) {
#pragma unroll
          for (int i = -1; i <= 1; i++) {
#pragma unroll
            for (int _y = 0; _y < 8; _y++) {
              int y = (int)(blockIdx.y * 64 + (_ty + _y));
              sum[_y] += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
            }
          }
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++) {
          int y = (int)(blockIdx.y * 64 + (_ty + _y));
          out[y * w + x] = sum[_y];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 8; _y++) {
      if ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 64 + (_ty + _y));
        if (x >= 1 && y >= 1 && x < w - 1 && y < h - 1) {
          float sum = 0;
          for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
          out[y * w + x] = sum;
        }
      }
    }
}
// smooth_mapped_large_2: smooth with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) smooth_mapped_large_2(const float *in, float *out, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    float _w_out[4];
    {
      {
        static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
        {
          float sum[2][4];
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              sum[_y][_x] = 0;
#pragma unroll
          for (int _d = -1; _d < 3; _d++)
#pragma unroll
            for (int _y = 0; _y < 2; _y++)
              if (_d - _y >= -1 && _d - _y < 2) {
                int j = _d - _y;
                {
#pragma unroll
                  for (int i = -1; i <= 1; i++) {
#pragma unroll
                    for (int _x = 0; _x < 4; _x++) {
                      int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 32 + (_ty + _y));
                      sum[_y][_x] += weight[j + 1][i + 1] * mesi_lane_load(&in[(y + j) * w + x + i - (_x + (int)i)], _x + (int)i);
                    }
                  }
                }
              }
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 32 + (_ty + _y));
              mesi_lane_store(&out[y * w + x], _w_out, _x, sum[_y][_x]);
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
          static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 32 + (_ty + _y));
          if (x >= 1 && y >= 1 && x < w - 1 && y < h - 1) {
            float sum = 0;
            for (int j = -1; j <= 1; j++)
              for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
            out[y * w + x] = sum;
          }
        }
      }
}
// smooth_mapped_large_3: smooth with blocks of 64 x 64 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) smooth_mapped_large_3(const float *in, float *out, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w - 1 && (int)(blockIdx.y * 64 + (_ty + _y)) < h - 1);
  if (_whole) {
    float _w_out[4];
    {
      {
        static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
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
                int j = _d - _y;
                {
#pragma unroll
                  for (int i = -1; i <= 1; i++) {
#pragma unroll
                    for (int _x = 0; _x < 4; _x++) {
                      int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 64 + (_ty + _y));
                      sum[_y][_x] += weight[j + 1][i + 1] * mesi_lane_load(&in[(y + j) * w + x + i - (_x + (int)i)], _x + (int)i);
                    }
                  }
                }
              }
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 64 + (_ty + _y));
              mesi_lane_store(&out[y * w + x], _w_out, _x, sum[_y][_x]);
            }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++)
#pragma unroll 1
      for (int _x = 0; _x < 4; _x++) {
        if ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x) {
          static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 64 + (_ty + _y));
          if (x >= 1 && y >= 1 && x < w - 1 && y < h - 1) {
            float sum = 0;
            for (int j = -1; j <= 1; j++)
              for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
            out[y * w + x] = sum;
          }
        }
      }
}
// smooth_plain: smooth for smaller launches.
static __global__ void smooth_plain(const float *in, float *out, int w, int h, int _total_x, int _total_y) {
  static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}
// smooth_written: smooth for launches whose arguments may overlap.
static __global__ void smooth_written(const float *in, float *out, int w, int h, int _total_x, int _total_y) {
  static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}
// smooth_version_if: what smooth_mapped_large_2 is for.
static inline bool smooth_version_if(const float *in, float *out, int w) {
  return w % 4 == 0 && mesi_aligned(in) && mesi_aligned(out);
}
// smooth_version_if_2: what smooth_mapped_large_3 is for.
static inline bool smooth_version_if_2(const float *in, float *out, int w) {
  return w % 4 == 0 && mesi_aligned(in) && mesi_aligned(out);
}

/* kept: it changes; a pointer to it is used */
__global__ void counts(int *out)
{
  static int calls = 0;
  out[threadIdx.x] = calls++;
}

__global__ void walks(float *out, int n)
{
  static const float weight[3] = {1, 2, 1};
  const float *w = weight;
  if (threadIdx.x < n) out[threadIdx.x] = w[threadIdx.x % 3];
}

void run(float *in, float *out, int *counters, int w, int h)
{
  (mesi_map(dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)), mesi_map_if(mesi_no_alias(in, 0, mesi_times((long long)h * 4 - 4, w) + (long long)w * 4, out, mesi_times(4, w), mesi_times((long long)h * 4 - 8, w) + (long long)w * 4)), mesi_choose(true, {{}, {}, {32, 32, 32, 8, 405504}, {32, 64, 32, 8, 1001594}, {64, 32, 16, 16, 1001594, false, mesi_rows_of(512) && smooth_version_if(in, out, w)}, {64, 64, 16, 16, 2510069, false, mesi_rows_of(512) && smooth_version_if_2(in, out, w)}}), mesi_pick(smooth_written, smooth_plain, smooth_mapped, smooth_mapped_large, smooth_mapped_large_2, smooth_mapped_large_3)<<<mesi_mapped().grid, mesi_mapped().block>>>(in, out, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  counts<<<1, 32>>>(counters);
  walks<<<1, 32>>>(out, 32);
}
