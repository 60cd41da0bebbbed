#include <mesi_cuda.h>
// args: -O2 --no-line
/* Numbers that ifs keep within limits: one value, which the inner threads do not test. `read` names
 * its number in front of them and between them. */
#include <mesi.h>

__global__ void clamped(const float *a, float *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      if (x < 0) x = 0;
      if (x >= w) x = w - 1;
      if (y < 0)
        y = 0;
      else if (y >= h)
        y = h - 1;
      sum += a[y * w + x];
    }
  out[j * w + i] = sum / 9;
}
// clamped_mapped: clamped with blocks of 32 x 32 elements for 32 x 8 threads.
// Predicted gain: 1.8.
static __global__ void __launch_bounds__(256) clamped_mapped(const float *__restrict__ a, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y_2 = 0; _y_2 < 4; _y_2 += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) < w && (int)(blockIdx.y * 32 + (_ty + _y_2)) < h && (int)(blockIdx.x * 32 + threadIdx.x) + -1 >= 0 && (int)(blockIdx.x * 32 + threadIdx.x) + 1 <= w - 1 && (int)((int)(blockIdx.y * 32 + (_ty + _y_2)) + -1) >= 0 && (int)((int)(blockIdx.y * 32 + (_ty + _y_2)) + 1) < h);
  if (_whole) {
    {
      int i = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        float sum[4];
#pragma unroll
        for (int _y_2 = 0; _y_2 < 4; _y_2++)
          sum[_y_2] = 0;
#pragma unroll
        for (int v = -1; v <= 1; v++) {
#pragma unroll
          for (int u = -1; u <= 1; u++) {
            int y[4];
#pragma unroll
            for (int _y_2 = 0; _y_2 < 4; _y_2++) {
              int j = (int)(blockIdx.y * 32 + (_ty + _y_2));
              y[_y_2] = j + v;
            }
            {
            }
            int _x = i + u;
#pragma unroll
            for (int _y_2 = 0; _y_2 < 4; _y_2++) {
              int _y = y[_y_2];
              sum[_y_2] += a[_y * w + _x];
            }
          }
        }
#pragma unroll
        for (int _y_2 = 0; _y_2 < 4; _y_2++) {
          int j = (int)(blockIdx.y * 32 + (_ty + _y_2));
          out[j * w + i] = sum[_y_2] / 9;
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y_2 = 0; _y_2 < 4; _y_2++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 32 + (_ty + _y_2));
        if (i < w && j < h) {
          float sum = 0;
          for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++) {
              int y = j + v;
              {
              }
              int _x = mesi_min(mesi_max(i + u, 0), w - 1);
              int _y = y < 0 ? 0 : y >= h ? h - 1 : y;
              sum += a[_y * w + _x];
            }
          out[j * w + i] = sum / 9;
        }
      }
    }
}
// clamped_mapped_large: clamped with blocks of 32 x 64 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) clamped_mapped_large(const float *__restrict__ a, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 8;
  bool _whole = true;
#pragma unroll
  for (int _y_2 = 0; _y_2 < 8; _y_2 += 7)
    _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) < w && (int)(blockIdx.y * 64 + (_ty + _y_2)) < h && (int)(blockIdx.x * 32 + threadIdx.x) + -1 >= 0 && (int)(blockIdx.x * 32 + threadIdx.x) + 1 <= w - 1 && (int)((int)(blockIdx.y * 64 + (_ty + _y_2)) + -1) >= 0 && (int)((int)(blockIdx.y * 64 + (_ty + _y_2)) + 1) < h);
  if (_whole) {
    {
      int i = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        float sum[8];
#pragma unroll
        for (int _y_2 = 0; _y_2 < 8; _y_2++)
          sum[_y_2] = 0;
#pragma unroll
        for (int v = -1; v <= 1; v++) {
#pragma unroll
          for (int u = -1; u <= 1; u++) {
            int y[8];
#pragma unroll
            for (int _y_2 = 0; _y_2 < 8; _y_2++) {
              int j = (int)(blockIdx.y * 64 + (_ty + _y_2));
              y[_y_2] = j + v;
            }
            {
            }
            int _x = i + u;
#pragma unroll
            for (int _y_2 = 0; _y_2 < 8; _y_2++) {
              int _y = y[_y_2];
              sum[_y_2] += a[_y * w + _x];
            }
          }
        }
#pragma unroll
        for (int _y_2 = 0; _y_2 < 8; _y_2++) {
          int j = (int)(blockIdx.y * 64 + (_ty + _y_2));
          out[j * w + i] = sum[_y_2] / 9;
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y_2 = 0; _y_2 < 8; _y_2++) {
      if ((int)(blockIdx.y * 64 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 64 + (_ty + _y_2));
        if (i < w && j < h) {
          float sum = 0;
          for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++) {
              int y = j + v;
              {
              }
              int _x = mesi_min(mesi_max(i + u, 0), w - 1);
              int _y = y < 0 ? 0 : y >= h ? h - 1 : y;
              sum += a[_y * w + _x];
            }
          out[j * w + i] = sum / 9;
        }
      }
    }
}
// clamped_mapped_large_2: clamped with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) clamped_mapped_large_2(const float *a, float *out, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y_2 = 0; _y_2 < 2; _y_2++)
#pragma unroll
    for (int _x_2 = 0; _x_2 < 4; _x_2 += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x_2)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x_2)) < w && (int)(blockIdx.y * 32 + (_ty + _y_2)) < h && (int)(blockIdx.x * 64 + (_tx + _x_2)) + -1 >= 0 && (int)(blockIdx.x * 64 + (_tx + _x_2)) + 1 <= w - 1 && (int)((int)(blockIdx.y * 32 + (_ty + _y_2)) + -1) >= 0 && (int)((int)(blockIdx.y * 32 + (_ty + _y_2)) + 1) < h);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
          float sum[2][4];
#pragma unroll
          for (int _y_2 = 0; _y_2 < 2; _y_2++)
#pragma unroll
            for (int _x_2 = 0; _x_2 < 4; _x_2++)
              sum[_y_2][_x_2] = 0;
#pragma unroll
          for (int _d = -1; _d < 3; _d++)
#pragma unroll
            for (int _y_2 = 0; _y_2 < 2; _y_2++)
              if (_d - _y_2 >= -1 && _d - _y_2 < 2) {
                int v = _d - _y_2;
                {
#pragma unroll
                  for (int u = -1; u <= 1; u++) {
#pragma unroll
                    for (int _x_2 = 0; _x_2 < 4; _x_2++) {
                    }
                    int y[2];
                    {
                      int j = (int)(blockIdx.y * 32 + (_ty + _y_2));
                      y[_y_2] = j + v;
                    }
                    {
                    }
                    int _x[4];
#pragma unroll
                    for (int _x_2 = 0; _x_2 < 4; _x_2++) {
                      int i = (int)(blockIdx.x * 64 + (_tx + _x_2));
                      _x[_x_2] = i + u;
                    }
                    int _y[2];
                    {
                      _y[_y_2] = y[_y_2];
                    }
#pragma unroll
                    for (int _x_2 = 0; _x_2 < 4; _x_2++)
                      sum[_y_2][_x_2] += mesi_lane_load(&a[_y[_y_2] * w + _x[_x_2] - (_x_2 + (int)u)], _x_2 + (int)u);
                  }
                }
              }
#pragma unroll
          for (int _y_2 = 0; _y_2 < 2; _y_2++)
#pragma unroll
            for (int _x_2 = 0; _x_2 < 4; _x_2++) {
              int i = (int)(blockIdx.x * 64 + (_tx + _x_2)); int j = (int)(blockIdx.y * 32 + (_ty + _y_2));
              mesi_lane_store(&out[j * w + i], _w_out, _x_2, sum[_y_2][_x_2] / 9);
            }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y_2 = 0; _y_2 < 2; _y_2++)
#pragma unroll 1
      for (int _x_2 = 0; _x_2 < 4; _x_2++) {
        if ((int)(blockIdx.y * 32 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x_2)) < _total_x) {
          int i = (int)(blockIdx.x * 64 + (_tx + _x_2)), j = (int)(blockIdx.y * 32 + (_ty + _y_2));
          if (i < w && j < h) {
            float sum = 0;
            for (int v = -1; v <= 1; v++)
              for (int u = -1; u <= 1; u++) {
                int y = j + v;
                {
                }
                int _x = mesi_min(mesi_max(i + u, 0), w - 1);
                int _y = y < 0 ? 0 : y >= h ? h - 1 : y;
                sum += a[_y * w + _x];
              }
            out[j * w + i] = sum / 9;
          }
        }
      }
}
// clamped_mapped_large_3: clamped with blocks of 64 x 64 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) clamped_mapped_large_3(const float *a, float *out, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y_2 = 0; _y_2 < 4; _y_2 += 3)
#pragma unroll
    for (int _x_2 = 0; _x_2 < 4; _x_2 += 3)
      _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x_2)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x_2)) < w && (int)(blockIdx.y * 64 + (_ty + _y_2)) < h && (int)(blockIdx.x * 64 + (_tx + _x_2)) + -1 >= 0 && (int)(blockIdx.x * 64 + (_tx + _x_2)) + 1 <= w - 1 && (int)((int)(blockIdx.y * 64 + (_ty + _y_2)) + -1) >= 0 && (int)((int)(blockIdx.y * 64 + (_ty + _y_2)) + 1) < h);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
          float sum[4][4];
#pragma unroll
          for (int _y_2 = 0; _y_2 < 4; _y_2++)
#pragma unroll
            for (int _x_2 = 0; _x_2 < 4; _x_2++)
              sum[_y_2][_x_2] = 0;
#pragma unroll
          for (int _d = -1; _d < 5; _d++)
#pragma unroll
            for (int _y_2 = 0; _y_2 < 4; _y_2++)
              if (_d - _y_2 >= -1 && _d - _y_2 < 2) {
                int v = _d - _y_2;
                {
#pragma unroll
                  for (int u = -1; u <= 1; u++) {
#pragma unroll
                    for (int _x_2 = 0; _x_2 < 4; _x_2++) {
                    }
                    int y[4];
                    {
                      int j = (int)(blockIdx.y * 64 + (_ty + _y_2));
                      y[_y_2] = j + v;
                    }
                    {
                    }
                    int _x[4];
#pragma unroll
                    for (int _x_2 = 0; _x_2 < 4; _x_2++) {
                      int i = (int)(blockIdx.x * 64 + (_tx + _x_2));
                      _x[_x_2] = i + u;
                    }
                    int _y[4];
                    {
                      _y[_y_2] = y[_y_2];
                    }
#pragma unroll
                    for (int _x_2 = 0; _x_2 < 4; _x_2++)
                      sum[_y_2][_x_2] += mesi_lane_load(&a[_y[_y_2] * w + _x[_x_2] - (_x_2 + (int)u)], _x_2 + (int)u);
                  }
                }
              }
#pragma unroll
          for (int _y_2 = 0; _y_2 < 4; _y_2++)
#pragma unroll
            for (int _x_2 = 0; _x_2 < 4; _x_2++) {
              int i = (int)(blockIdx.x * 64 + (_tx + _x_2)); int j = (int)(blockIdx.y * 64 + (_ty + _y_2));
              mesi_lane_store(&out[j * w + i], _w_out, _x_2, sum[_y_2][_x_2] / 9);
            }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y_2 = 0; _y_2 < 4; _y_2++)
#pragma unroll 1
      for (int _x_2 = 0; _x_2 < 4; _x_2++) {
        if ((int)(blockIdx.y * 64 + (_ty + _y_2)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x_2)) < _total_x) {
          int i = (int)(blockIdx.x * 64 + (_tx + _x_2)), j = (int)(blockIdx.y * 64 + (_ty + _y_2));
          if (i < w && j < h) {
            float sum = 0;
            for (int v = -1; v <= 1; v++)
              for (int u = -1; u <= 1; u++) {
                int y = j + v;
                {
                }
                int _x = mesi_min(mesi_max(i + u, 0), w - 1);
                int _y = y < 0 ? 0 : y >= h ? h - 1 : y;
                sum += a[_y * w + _x];
              }
            out[j * w + i] = sum / 9;
          }
        }
      }
}
// clamped_plain: clamped for smaller launches.
static __global__ void clamped_plain(const float *a, float *out, int w, int h, int _total_x, int _total_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int y = j + v;
      {
      }
      int _x = mesi_min(mesi_max(i + u, 0), w - 1);
      int _y = y < 0 ? 0 : y >= h ? h - 1 : y;
      sum += a[_y * w + _x];
    }
  out[j * w + i] = sum / 9;
}
// clamped_written: clamped for launches whose arguments may overlap.
static __global__ void clamped_written(const float *a, float *out, int w, int h, int _total_x, int _total_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= w || j >= h) return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) {
      int x = i + u, y = j + v;
      if (x < 0) x = 0;
      if (x >= w) x = w - 1;
      if (y < 0)
        y = 0;
      else if (y >= h)
        y = h - 1;
      sum += a[y * w + x];
    }
  out[j * w + i] = sum / 9;
}
// clamped_version_if: what clamped_mapped_large_2 is for.
static inline bool clamped_version_if(const float *a, float *out, int w) {
  return w % 4 == 0 && mesi_aligned(a) && mesi_aligned(out);
}
// clamped_version_if_2: what clamped_mapped_large_3 is for.
static inline bool clamped_version_if_2(const float *a, float *out, int w) {
  return w % 4 == 0 && mesi_aligned(a) && mesi_aligned(out);
}

__global__ void read(const float *a, float *out, int w)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w) return;
  float sum = 0;
  for (int u = -1; u <= 1; u++) {
    int x = i + u;
    sum += x;
    if (x < 0) x = 0;
    sum += 2 * x;
    if (x >= w) x = w - 1;
    sum += a[x];
  }
  out[i] = sum;
}

void run(const float *a, float *out, int w, int h)
{
  (mesi_map(dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)), mesi_map_if(mesi_no_alias(a, 0, mesi_times((long long)h * 4 - 4, w) + (long long)w * 4, out, 0, mesi_times((long long)h * 4 - 4, w) + (long long)w * 4)), mesi_choose(true, {{}, {}, {32, 32, 32, 8, 405504}, {32, 64, 32, 8, 1221457}, {64, 32, 16, 16, 1221457, false, mesi_rows_of(512) && clamped_version_if(a, out, w)}, {64, 64, 16, 16, 3061060, false, mesi_rows_of(512) && clamped_version_if_2(a, out, w)}}), mesi_pick(clamped_written, clamped_plain, clamped_mapped, clamped_mapped_large, clamped_mapped_large_2, clamped_mapped_large_3)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, out, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  read<<<(w + 255) / 256, 256>>>(a, out, w);
}
