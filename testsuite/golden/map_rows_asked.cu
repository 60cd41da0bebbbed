#include <mesi_cuda.h>
// args: -O2 --no-line -arch=sm_90 -Rmesi=map
// Rows of a length that the launch alone knows: 16 bytes at once where they begin at multiples of 16 bytes.
#define IDS int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define INSIDE IDS; if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return
// Elements of a thread share less than a tenth; rows of 16 bytes gain.
__global__ void jacobi(const float *in, const float *f, float *out, int w, int h) {
  INSIDE;
  out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] - f[y * w + x]);
}
// jacobi_mapped: jacobi with blocks of 32 x 32 elements for 32 x 8 threads.
// Predicted gain: 1.4.
static __global__ void __launch_bounds__(256) jacobi_mapped(const float *__restrict__ in, const float *__restrict__ f, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int y = (int)(blockIdx.y * 32 + (_ty + _y));
          out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x] + in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - f[y * w + x]);
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 32 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x] + in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - f[y * w + x]);
        }
      }
    }
}
// jacobi_mapped_large: jacobi with blocks of 32 x 64 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) jacobi_mapped_large(const float *__restrict__ in, const float *__restrict__ f, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 8;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 8; _y += 7)
    _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 64 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 8; _y++) {
          int y = (int)(blockIdx.y * 64 + (_ty + _y));
          out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[((int)(blockIdx.y * 64 + (_ty + _y)) - 1) * w + x] + in[((int)(blockIdx.y * 64 + (_ty + _y)) + 1) * w + x] - f[y * w + x]);
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 8; _y++) {
      if ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 64 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[((int)(blockIdx.y * 64 + (_ty + _y)) - 1) * w + x] + in[((int)(blockIdx.y * 64 + (_ty + _y)) + 1) * w + x] - f[y * w + x]);
        }
      }
    }
}
// jacobi_mapped_large_2: jacobi with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) jacobi_mapped_large_2(const float *in, const float *f, float *out, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 32 + (_ty + _y));
              mesi_lane_store(&out[y * w + x], _w_out, _x, 0.25f * (mesi_lane_load(&in[y * w + x - 1 - (_x - 1)], _x - 1) + mesi_lane_load(&in[y * w + x + 1 - (_x + 1)], _x + 1) + mesi_lane_load(&in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x - _x], _x) + mesi_lane_load(&in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x - _x], _x) - mesi_lane_load(&f[y * w + x - _x], _x)));
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
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 32 + (_ty + _y));
          if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
            out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x] + in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - f[y * w + x]);
          }
        }
      }
}
// jacobi_plain: jacobi for smaller launches.
static __global__ void jacobi_plain(const float *in, const float *f, float *out, int w, int h, int _total_x, int _total_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] - f[y * w + x]);
}
// jacobi_version_if: what jacobi_mapped_large_2 is for.
static inline bool jacobi_version_if(const float *in, const float *f, float *out, int w) {
  return w % 4 == 0 && mesi_aligned(out) && mesi_aligned(in) && mesi_aligned(f);
}
// Bytes, four at once.
__global__ void steps(const unsigned char *in, unsigned char *out, int w, int h) {
  INSIDE;
  int d = in[(y + 1) * w + x] - in[(y - 1) * w + x], e = in[y * w + x + 1] - in[y * w + x - 1];
  out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
}
// steps_mapped: steps with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(256) steps_mapped(const unsigned char *__restrict__ in, unsigned char *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 16 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int y = (int)(blockIdx.y * 16 + (_ty + _y));
          int d = in[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + x] - in[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + x]; int e = in[y * w + x + 1] - in[y * w + x - 1];
          out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 16 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          int d = in[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + x] - in[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + x], e = in[y * w + x + 1] - in[y * w + x - 1];
          out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
        }
      }
    }
}
// steps_mapped_large: steps with blocks of 32 x 32 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) steps_mapped_large(const unsigned char *__restrict__ in, unsigned char *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int y = (int)(blockIdx.y * 32 + (_ty + _y));
          int d = in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x]; int e = in[y * w + x + 1] - in[y * w + x - 1];
          out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 32 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          int d = in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x], e = in[y * w + x + 1] - in[y * w + x - 1];
          out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
        }
      }
    }
}
// steps_mapped_large_2: steps with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) steps_mapped_large_2(const unsigned char *in, unsigned char *out, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    unsigned char _w_out[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 32 + (_ty + _y));
              int d = mesi_some_lane_load<4>(&in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x - _x], _x) - mesi_some_lane_load<4>(&in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x - _x], _x); int e = mesi_some_lane_load<4>(&in[y * w + x + 1 - (_x + 1)], _x + 1) - mesi_some_lane_load<4>(&in[y * w + x - 1 - (_x - 1)], _x - 1);
              mesi_some_lane_store<4>(&out[y * w + x], _w_out, _x, (d < 0 ? -d : d) + (e < 0 ? -e : e));
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
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 32 + (_ty + _y));
          if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
            int d = in[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - in[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x], e = in[y * w + x + 1] - in[y * w + x - 1];
            out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
          }
        }
      }
}
// steps_plain: steps for smaller launches.
static __global__ void steps_plain(const unsigned char *in, unsigned char *out, int w, int h, int _total_x, int _total_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  int d = in[(y + 1) * w + x] - in[(y - 1) * w + x], e = in[y * w + x + 1] - in[y * w + x - 1];
  out[y * w + x] = (d < 0 ? -d : d) + (e < 0 ? -e : e);
}
// steps_version_if: what steps_mapped_large_2 is for.
static inline bool steps_version_if(const unsigned char *in, unsigned char *out, int w) {
  return w % 4 == 0 && mesi_aligned(in) && mesi_aligned(out);
}
// The element that a thread stores to is its own to load.
__global__ void wave(const float *now, float *next, int w, int h) {
  INSIDE;
  next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[(y - 1) * w + x] + now[(y + 1) * w + x] - next[y * w + x];
}
// wave_mapped: wave with blocks of 32 x 32 elements for 32 x 8 threads.
// Predicted gain: 1.4.
static __global__ void __launch_bounds__(256) wave_mapped(const float *__restrict__ now, float *next, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int y = (int)(blockIdx.y * 32 + (_ty + _y));
          next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x] + now[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - next[y * w + x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 32 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x] + now[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - next[y * w + x];
        }
      }
    }
}
// wave_mapped_large: wave with blocks of 32 x 64 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) wave_mapped_large(const float *__restrict__ now, float *next, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 8;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 8; _y += 7)
    _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 64 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 8; _y++) {
          int y = (int)(blockIdx.y * 64 + (_ty + _y));
          next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[((int)(blockIdx.y * 64 + (_ty + _y)) - 1) * w + x] + now[((int)(blockIdx.y * 64 + (_ty + _y)) + 1) * w + x] - next[y * w + x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 8; _y++) {
      if ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 64 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[((int)(blockIdx.y * 64 + (_ty + _y)) - 1) * w + x] + now[((int)(blockIdx.y * 64 + (_ty + _y)) + 1) * w + x] - next[y * w + x];
        }
      }
    }
}
// wave_mapped_large_2: wave with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) wave_mapped_large_2(const float *now, float *next, int w, int h, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 64 + (_tx + _x)) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    float _w_next[4];
    {
      {
        {
#pragma unroll
          for (int _y = 0; _y < 2; _y++)
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int x = (int)(blockIdx.x * 64 + (_tx + _x)); int y = (int)(blockIdx.y * 32 + (_ty + _y));
              mesi_lane_store(&next[y * w + x], _w_next, _x, mesi_lane_load(&now[y * w + x - 1 - (_x - 1)], _x - 1) + mesi_lane_load(&now[y * w + x + 1 - (_x + 1)], _x + 1) + mesi_lane_load(&now[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x - _x], _x) + mesi_lane_load(&now[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x - _x], _x) - mesi_lane_own(&next[y * w + x - _x], _x));
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
          int x = (int)(blockIdx.x * 64 + (_tx + _x)), y = (int)(blockIdx.y * 32 + (_ty + _y));
          if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
            next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + x] + now[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + x] - next[y * w + x];
          }
        }
      }
}
// wave_plain: wave for smaller launches.
static __global__ void wave_plain(const float *now, float *next, int w, int h, int _total_x, int _total_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  next[y * w + x] = now[y * w + x - 1] + now[y * w + x + 1] + now[(y - 1) * w + x] + now[(y + 1) * w + x] - next[y * w + x];
}
// wave_version_if: what wave_mapped_large_2 is for.
static inline bool wave_version_if(const float *now, float *next, int w) {
  return w % 4 == 0 && mesi_aligned(next) && mesi_aligned(now);
}
// It is loaded behind its store: an element of the row at a time.
__global__ void twice(const float *in, float *out, float *other, int w, int h) {
  INSIDE;
  out[y * w + x] = in[(y - 1) * w + x] + in[y * w + x] + in[(y + 1) * w + x];
  other[y * w + x] = 2 * out[y * w + x];
}
// twice_mapped: twice with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) twice_mapped(const float *__restrict__ in, float *out, float *other, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 16 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int x = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int y = (int)(blockIdx.y * 16 + (_ty + _y));
          out[y * w + x] = in[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + x] + in[y * w + x] + in[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + x];
          other[y * w + x] = 2 * out[y * w + x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 16 + (_ty + _y));
        if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
          out[y * w + x] = in[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + x] + in[y * w + x] + in[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + x];
          other[y * w + x] = 2 * out[y * w + x];
        }
      }
    }
}
// twice_plain: twice for launches of less than 486552 threads.
static __global__ void twice_plain(const float *in, float *out, float *other, int w, int h, int _total_x, int _total_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  out[y * w + x] = in[(y - 1) * w + x] + in[y * w + x] + in[(y + 1) * w + x];
  other[y * w + x] = 2 * out[y * w + x];
}
int main(int argc, char **) {
  int w = 4096 * argc, h = 4096 * argc;
  float *a, *b, *c;
  cudaMalloc(&a, 4l * w * h), cudaMalloc(&b, 4l * w * h), cudaMalloc(&c, 4l * w * h);
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  (mesi_map(grid, block), mesi_choose(true, {{}, {32, 32, 32, 8, 973104}, {32, 64, 32, 8, 1946208}, {64, 32, 16, 16, 5838624, false, mesi_rows_of(512) && jacobi_version_if(a, c, b, w)}}), mesi_pick(jacobi_plain, jacobi_mapped, jacobi_mapped_large, jacobi_mapped_large_2)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, c, b, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(grid, block), mesi_choose(true, {{}, {32, 16, 32, 8, 486552}, {32, 32, 32, 8, 973104}, {64, 32, 16, 16, 5838624, false, mesi_rows_of(512) && steps_version_if((unsigned char *)b, (unsigned char *)c, w)}}), mesi_pick(steps_plain, steps_mapped, steps_mapped_large, steps_mapped_large_2)<<<mesi_mapped().grid, mesi_mapped().block>>>((unsigned char *)b, (unsigned char *)c, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(grid, block), mesi_choose(true, {{}, {32, 32, 32, 8, 973104}, {32, 64, 32, 8, 1946208}, {64, 32, 16, 16, 5838624, false, mesi_rows_of(512) && wave_version_if(a, b, w)}}), mesi_pick(wave_plain, wave_mapped, wave_mapped_large, wave_mapped_large_2)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, b, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(grid, block, 32, 16, dim3(32, 8), 486552), (mesi_mapped().mapped ? twice_mapped : twice_plain)<<<mesi_mapped().grid, mesi_mapped().block>>>(b, a, c, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  return cudaDeviceSynchronize();
}
