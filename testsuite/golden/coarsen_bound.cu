#include <mesi_cuda.h>
// args: -O2 --no-line -arch=sm_90
/* Five loads of which neighbours along y share two. Sharing them gains where requests take the
 * time: `light`. Doubles wait for device memory as written, and the powers and divisions of `heavy`
 * take longer than the loads. */
#include <mesi.h>

__global__ void light(const float *a, float *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= w - 1 || j < 1 || j >= h - 1) return;
  out[j * w + i] = a[(j - 1) * w + i] + a[(j + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] -
                   a[j * w + i];
}
// light_mapped: light with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.3.
static __global__ void __launch_bounds__(256) light_mapped(const float *__restrict__ a, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 16 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int i = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++) {
          int j = (int)(blockIdx.y * 16 + (_ty + _y));
          out[j * w + i] = a[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + i] + a[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] - a[j * w + i];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 16 + (_ty + _y));
        if (i >= 1 && i < w - 1 && j >= 1 && j < h - 1) {
          out[j * w + i] = a[((int)(blockIdx.y * 16 + (_ty + _y)) - 1) * w + i] + a[((int)(blockIdx.y * 16 + (_ty + _y)) + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] - a[j * w + i];
        }
      }
    }
}
// light_mapped_large: light with blocks of 32 x 32 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) light_mapped_large(const float *__restrict__ a, float *out, int w, int h, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
    _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < w - 1 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 32 + (_ty + _y)) < h - 1);
  if (_whole) {
    {
      int i = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll
        for (int _y = 0; _y < 4; _y++) {
          int j = (int)(blockIdx.y * 32 + (_ty + _y));
          out[j * w + i] = a[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + i] + a[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] - a[j * w + i];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 4; _y++) {
      if ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int i = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 32 + (_ty + _y));
        if (i >= 1 && i < w - 1 && j >= 1 && j < h - 1) {
          out[j * w + i] = a[((int)(blockIdx.y * 32 + (_ty + _y)) - 1) * w + i] + a[((int)(blockIdx.y * 32 + (_ty + _y)) + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] - a[j * w + i];
        }
      }
    }
}
// light_plain: light for smaller launches.
static __global__ void light_plain(const float *a, float *out, int w, int h, int _total_x, int _total_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= w - 1 || j < 1 || j >= h - 1) return;
  out[j * w + i] = a[(j - 1) * w + i] + a[(j + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] - a[j * w + i];
}
// light_written: light for launches whose arguments may overlap.
static __global__ void light_written(const float *a, float *out, int w, int h, int _total_x, int _total_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= w - 1 || j < 1 || j >= h - 1) return;
  out[j * w + i] = a[(j - 1) * w + i] + a[(j + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] - a[j * w + i];
}

__global__ void doubles(const double *a, double *out, int w, int h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= w - 1 || j < 1 || j >= h - 1) return;
  out[j * w + i] = a[(j - 1) * w + i] + a[(j + 1) * w + i] + a[j * w + i - 1] + a[j * w + i + 1] -
                   a[j * w + i];
}

__global__ void heavy(const float *a, float *out, int w, int h, float e)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= w - 1 || j < 1 || j >= h - 1) return;
  float x = a[(j - 1) * w + i] + a[(j + 1) * w + i], y = a[j * w + i - 1] + a[j * w + i + 1];
  out[j * w + i] = powf(x, e) + powf(y, e) / (a[j * w + i] + e);
}

void run(const float *a, float *out, const double *b, double *result, int w, int h)
{
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  (mesi_map(grid, block), mesi_map_if(mesi_no_alias(a, 0, mesi_times((long long)h * 4 - 4, w) + (long long)w * 4, out, mesi_times(4, w), mesi_times((long long)h * 4 - 8, w) + (long long)w * 4)), mesi_choose(true, {{}, {}, {32, 16, 32, 8, 486552}, {32, 32, 32, 8, 973104}}), mesi_pick(light_written, light_plain, light_mapped, light_mapped_large)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, out, w, h, mesi_mapped().total_x, mesi_mapped().total_y));
  doubles<<<grid, block>>>(b, result, w, h);
  heavy<<<grid, block>>>(a, out, w, h, 1.5f);
}
