#include <mesi_cuda.h>
// args: -O2 --no-line -arch=sm_90 -Rmesi=map
// Windows of a length that only the launch knows: neighbours load each element of theirs once.
__global__ void gauss(const float *in, const float *k, float *out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int u = -r; u <= r; u++) s += in[y * w + min(max(x + u, 0), w - 1)] * k[u + r];
  out[y * w + x] = s;
}
// gauss_mapped: gauss with blocks of 128 x 8 elements for 32 x 8 threads.
// Predicted gain: 3.6.
static __global__ void __launch_bounds__(256) gauss_mapped(const float *in, const float *k, float *out, int w, int h, int r, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 4; _x += 3)
    _whole = _whole && ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 128 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 128 + (_tx + _x)) < w && (int)(blockIdx.y * 8 + threadIdx.y) < h && (int)(blockIdx.x * 128 + (_tx + _x)) + (int)-r >= 0 && (int)(blockIdx.x * 128 + (_tx + _x)) + (int)r <= w - 1);
  if (_whole) {
    {
      int y = (int)(blockIdx.y * 8 + threadIdx.y);
      {
        float s[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          s[_x] = 0;
        {
          float _w_in[4];
          if ((int)-r <= r) {
            _w_in[0] = in[(int)(blockIdx.y * 8 + threadIdx.y) * w + ((int)(blockIdx.x * 128 + (int)threadIdx.x * 4) + (int)-r)];
            _w_in[1] = in[(int)(blockIdx.y * 8 + threadIdx.y) * w + ((int)(blockIdx.x * 128 + ((int)threadIdx.x * 4 + 1)) + (int)-r)];
            _w_in[2] = in[(int)(blockIdx.y * 8 + threadIdx.y) * w + ((int)(blockIdx.x * 128 + ((int)threadIdx.x * 4 + 2)) + (int)-r)];
          }
#pragma unroll 4
          for (int u = -r; u <= r; u++) {
            _w_in[3] = in[(int)(blockIdx.y * 8 + threadIdx.y) * w + ((int)(blockIdx.x * 128 + ((int)threadIdx.x * 4 + 3)) + u)];
            float _r_k;
            _r_k = k[u + r];
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              s[_x] += _w_in[_x] * _r_k;
            _w_in[0] = _w_in[1];
            _w_in[1] = _w_in[2];
            _w_in[2] = _w_in[3];
          }
        }
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int x = (int)(blockIdx.x * 128 + (_tx + _x));
          out[y * w + x] = s[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 128 + (_tx + _x)) < _total_x) {
        int x = (int)(blockIdx.x * 128 + (_tx + _x)), y = (int)(blockIdx.y * 8 + threadIdx.y);
        if (x < w && y < h) {
          float s = 0;
          for (int u = -r; u <= r; u++) s += in[y * w + min(max(x + u, 0), w - 1)] * k[u + r];
          out[y * w + x] = s;
        }
      }
    }
}
// gauss_plain: gauss for launches of less than 405504 threads.
static __global__ void gauss_plain(const float *in, const float *k, float *out, int w, int h, int r, int _total_x, int _total_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int u = -r; u <= r; u++) s += in[y * w + min(max(x + u, 0), w - 1)] * k[u + r];
  out[y * w + x] = s;
}
__global__ void box(const float *in, float *out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int v = -r; v <= r; v++)
    for (int u = -r; u <= r; u++)
      if (x + u >= 0 && x + u < w && y + v >= 0 && y + v < h) s += in[(y + v) * w + x + u];
  out[y * w + x] = s;
}
// box_mapped: box with blocks of 128 x 8 elements for 32 x 8 threads.
// Predicted gain: 5.2.
static __global__ void __launch_bounds__(256) box_mapped(const float *in, float *out, int w, int h, int r, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 4; _x += 3)
    _whole = _whole && ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 128 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 128 + (_tx + _x)) < w && (int)(blockIdx.y * 8 + threadIdx.y) < h && (int)(blockIdx.x * 128 + (_tx + _x)) + (int)-r >= 0 && (int)(blockIdx.x * 128 + (_tx + _x)) + (int)r < w && (int)(blockIdx.y * 8 + threadIdx.y) + (int)-r >= 0 && (int)(blockIdx.y * 8 + threadIdx.y) + (int)r < h);
  if (_whole) {
    {
      int y = (int)(blockIdx.y * 8 + threadIdx.y);
      {
        float s[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          s[_x] = 0;
        for (int v = -r; v <= r; v++) {
          float _w_in[4];
          if ((int)-r <= r) {
            _w_in[0] = in[((int)(blockIdx.y * 8 + threadIdx.y) + v) * w + (int)(blockIdx.x * 128 + (int)threadIdx.x * 4) + (int)-r];
            _w_in[1] = in[((int)(blockIdx.y * 8 + threadIdx.y) + v) * w + (int)(blockIdx.x * 128 + ((int)threadIdx.x * 4 + 1)) + (int)-r];
            _w_in[2] = in[((int)(blockIdx.y * 8 + threadIdx.y) + v) * w + (int)(blockIdx.x * 128 + ((int)threadIdx.x * 4 + 2)) + (int)-r];
          }
#pragma unroll 4
          for (int u = -r; u <= r; u++) {
            _w_in[3] = in[((int)(blockIdx.y * 8 + threadIdx.y) + v) * w + (int)(blockIdx.x * 128 + ((int)threadIdx.x * 4 + 3)) + u];
#pragma unroll
            for (int _x = 0; _x < 4; _x++)
              s[_x] += _w_in[_x];
            _w_in[0] = _w_in[1];
            _w_in[1] = _w_in[2];
            _w_in[2] = _w_in[3];
          }
        }
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int x = (int)(blockIdx.x * 128 + (_tx + _x));
          out[y * w + x] = s[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 128 + (_tx + _x)) < _total_x) {
        int x = (int)(blockIdx.x * 128 + (_tx + _x)), y = (int)(blockIdx.y * 8 + threadIdx.y);
        if (x < w && y < h) {
          float s = 0;
          for (int v = -r; v <= r; v++)
            for (int u = -r; u <= r; u++)
              if (x + u >= 0 && x + u < w && y + v >= 0 && y + v < h) s += in[(y + v) * w + x + u];
          out[y * w + x] = s;
        }
      }
    }
}
// box_plain: box for launches of less than 1215723 threads.
static __global__ void box_plain(const float *in, float *out, int w, int h, int r, int _total_x, int _total_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int v = -r; v <= r; v++)
    for (int u = -r; u <= r; u++)
      if (x + u >= 0 && x + u < w && y + v >= 0 && y + v < h) s += in[(y + v) * w + x + u];
  out[y * w + x] = s;
}
// Elements that a thread may not load; every second one.
__global__ void some(const float *in, const int *flags, float *out, int n, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (x < r || x >= n - r) return;
  for (int u = -r; u <= r; u++)
    if (flags[u + r]) s += in[x + u];
  out[x] = s;
}
// some_mapped: some with blocks of 512 x 1 elements for 128 x 1 threads.
// Predicted gain: 1.7.
static __global__ void __launch_bounds__(128) some_mapped(const float *__restrict__ in, const int *__restrict__ flags, float *out, int n, int r, int _total_x) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 4; _x += 3)
    _whole = _whole && ((int)(blockIdx.x * 512 + (_tx + _x * 128)) < _total_x && (int)(blockIdx.x * 512 + (_tx + _x * 128)) >= r && (int)(blockIdx.x * 512 + (_tx + _x * 128)) < n - r);
  if (_whole) {
    {
      float s[4];
#pragma unroll
      for (int _x = 0; _x < 4; _x++)
        s[_x] = 0;
      {
        for (int u = -r; u <= r; u++) {
          if (flags[u + r]) {
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int x = (int)(blockIdx.x * 512 + (_tx + _x * 128));
              s[_x] += in[x + u];
            }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int x = (int)(blockIdx.x * 512 + (_tx + _x * 128));
          out[x] = s[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 512 + (_tx + _x * 128)) < _total_x) {
        int x = (int)(blockIdx.x * 512 + (_tx + _x * 128));
        float s = 0;
        if (x >= r && x < n - r) {
          for (int u = -r; u <= r; u++)
            if (flags[u + r]) s += in[x + u];
          out[x] = s;
        }
      }
    }
}
// some_mapped_large: some with blocks of 1024 x 1 elements for 128 x 1 threads.
static __global__ void __launch_bounds__(128) some_mapped_large(const float *__restrict__ in, const int *__restrict__ flags, float *out, int n, int r, int _total_x) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 8; _x += 7)
    _whole = _whole && ((int)(blockIdx.x * 1024 + (_tx + _x * 128)) < _total_x && (int)(blockIdx.x * 1024 + (_tx + _x * 128)) >= r && (int)(blockIdx.x * 1024 + (_tx + _x * 128)) < n - r);
  if (_whole) {
    {
      float s[8];
#pragma unroll
      for (int _x = 0; _x < 8; _x++)
        s[_x] = 0;
      {
        for (int u = -r; u <= r; u++) {
          if (flags[u + r]) {
#pragma unroll
            for (int _x = 0; _x < 8; _x++) {
              int x = (int)(blockIdx.x * 1024 + (_tx + _x * 128));
              s[_x] += in[x + u];
            }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int x = (int)(blockIdx.x * 1024 + (_tx + _x * 128));
          out[x] = s[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 8; _x++) {
      if ((int)(blockIdx.x * 1024 + (_tx + _x * 128)) < _total_x) {
        int x = (int)(blockIdx.x * 1024 + (_tx + _x * 128));
        float s = 0;
        if (x >= r && x < n - r) {
          for (int u = -r; u <= r; u++)
            if (flags[u + r]) s += in[x + u];
          out[x] = s;
        }
      }
    }
}
// some_plain: some for smaller launches.
static __global__ void some_plain(const float *in, const int *flags, float *out, int n, int r, int _total_x) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (x < r || x >= n - r) return;
  for (int u = -r; u <= r; u++)
    if (flags[u + r]) s += in[x + u];
  out[x] = s;
}
__global__ void second(const float *in, float *out, int n, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (x < 2 * r || x >= n - 2 * r) return;
  for (int u = -r; u <= r; u++) s += in[x + 2 * u];
  out[x] = s;
}
int main(int argc, char **) {
  int w = 4096 * argc, h = 4096 * argc;
  float *a, *b, *k;
  cudaMalloc(&a, 4l * w * h), cudaMalloc(&b, 4l * w * h), cudaMalloc(&k, 4096);
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  (mesi_map(grid, block, 128, 8, dim3(32, 8), 405504), (mesi_mapped().mapped ? gauss_mapped : gauss_plain)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, k, b, w, h, 2 + argc, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(grid, block, 128, 8, dim3(32, 8), 1215723, 0, 543), (mesi_mapped().mapped ? box_mapped : box_plain)<<<mesi_mapped().grid, mesi_mapped().block>>>(b, a, w, h, 2 + argc, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(w * h / 256, 256), mesi_choose(true, {{}, {512, 1, 128, 1, 687179}, {1024, 1, 128, 1, 1544453}}), mesi_pick(some_plain, some_mapped, some_mapped_large)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, (int *)k, b, w * h, argc, mesi_mapped().total_x));
  second<<<w * h / 256, 256>>>(b, a, w * h, argc);
  return cudaDeviceSynchronize();
}
