#include <mesi_cuda.h>
// args: -O3 --no-line -arch=sm_90
// Sums over both halves of a matrix as one pass over a triangle: with one sum, with a sum that is used between the loops; three that stay.
#define SYMV(T) (const T *a, const T *x, T *y, int n, int lda)

__global__ void lower SYMV(float)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] += 2 * s;
}
// lower_halves: lower with 256 threads for tiles of 128 x 128 elements, each for both of its sums; sums of floats are rounded in another order.
// Predicted gain: 17.3.
static __global__ void __launch_bounds__(256, 2) lower_halves(const float *a, const float *x, float *y, int n, int lda, int _total_x, mesi_sums _sums) {
  __shared__ float _c[4096];
  int _n = n;
  int _strips = _n > 0 ? (_n - 1) / 128 + 1 : 0;
  int _first = mesi_halves_first<true>(_strips);
  int _last = mesi_halves_last<true>(_strips);
  int _warp = (int)threadIdx.x / 32;
  int _lane = (int)threadIdx.x % 32;
  int _row = (int)blockIdx.x * 128 + _warp * 16;
  if (_first >= _last && (int)blockIdx.x < _strips)
    return;
  float _p[16];
#pragma unroll
  for (int _k = 0; _k < 16; _k++) {
    _p[_k] = 0;
  }
  __shared__ float _s[128];
  {
    int _i = (int)blockIdx.x * 128 + (int)threadIdx.x;
    if ((int)threadIdx.x < 128 && (_i >= 1 && _i < _n)) {
      _s[(int)threadIdx.x] = x[_i];
    }
  }
  __syncthreads();
  for (int _t = _first; _t < _last; _t++) {
    float _q[4];
#pragma unroll
    for (int _e = 0; _e < 4; _e++) {
      _q[_e] = 0;
    }
    if (_t != (int)blockIdx.x && ((int)blockIdx.x * 128 <= _n - 128 && _t * 128 <= _n - 128)) {
      float _a[64];
      float _f[4];
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _j = _t * 128 + (_e * 32 + _lane);
        _f[_e] = x[_j];
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
        int _i = _row + _k;
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _j = _t * 128 + (_e * 32 + _lane);
          _a[_k * 4 + _e] = a[_i * lda + _j];
        }
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          _p[_k] += _a[_k * 4 + _e] * _f[_e];
          _q[_e] += _a[_k * 4 + _e] * _s[_warp * 16 + _k];
        }
      }
    } else {
      float _a_2[64];
      float _f_2[4];
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _j = _t * 128 + (_e * 32 + _lane);
        _f_2[_e] = 0;
        if (_j < _n)
          _f_2[_e] = x[_j];
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
        int _i = _row + _k;
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _j = _t * 128 + (_e * 32 + _lane);
          _a_2[_k * 4 + _e] = 0;
          if (_i < _n && _j <= _i)
            _a_2[_k * 4 + _e] = a[_i * lda + _j];
        }
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
        int _i = _row + _k;
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _j = _t * 128 + (_e * 32 + _lane);
          if (_i < _n && _j <= _i) {
            _p[_k] += _a_2[_k * 4 + _e] * _f_2[_e];
            if (_j != _i)
              _q[_e] += _a_2[_k * 4 + _e] * _s[_warp * 16 + _k];
          }
        }
      }
    }
#pragma unroll
    for (int _e = 0; _e < 4; _e++) {
      _c[_warp * 512 + ((_t - _first) * 128 + (_e * 32 + _lane))] = _q[_e];
    }
  }
  unsigned int _done = mesi_halves_leave<true, 256, 16>(_sums, _strips, _first, _last, _p, _c);
  for (int _w = 0; _w < 5; _w++) {
    if (_done >> _w & 1) {
      int _strip = _w == 0 ? (int)blockIdx.x : _first + _w - 1;
      float _sum = mesi_halves_total<true, 256, 16>(_sums, _strips, _strip, 0, _c);
      int _i = _strip * 128 + (int)threadIdx.x;
      if ((int)threadIdx.x < 128 && _i < _total_x) {
        if (_i < _total_x) {
          int i = _i;
          if (i < n) {
            float s = 0;
            {
            }
            {
              s += _sum;
            }
            y[i] += 2 * s;
          }
        }
      }
    }
  }
}
// lower_plain: lower for other launches.
static __global__ void lower_plain(const float *a, const float *x, float *y, int n, int lda, int _total_x, mesi_sums _sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] += 2 * s;
}
// lower_written: lower for launches whose arguments may overlap.
static __global__ void lower_written(const float *a, const float *x, float *y, int n, int lda, int _total_x, mesi_sums _sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * x[j];
  y[i] += 2 * s;
}
// lower_halves_parts: how many blocks share a sum in lower_halves; 0: it is not for the launch.
static inline unsigned lower_halves_parts(int n) {
  static thread_local mesi_sums_known known;
  return mesi_halves_blocks(known, {{128, 1, 2, 2400, 3277}, {128, 1, 16, 90, 64}}, (long long)n, -1, 128, 2560, false, 0);
}

__global__ void upper SYMV(int)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int s = 0;
    for (int j = i; j < n; j++) s += a[i * lda + j] * x[j];
    y[i] = s;
    for (int j = 0; j < i; j++) s += a[j * lda + i] * x[j];
    y[n + i] = s;
  }
}
// upper_halves: upper with 256 threads for tiles of 128 x 128 elements, each for both of its sums.
// Predicted gain: 17.3.
static __global__ void __launch_bounds__(256, 2) upper_halves(const int *a, const int *x, int *y, int n, int lda, int _total_x, mesi_sums _sums) {
  __shared__ unsigned int _c[4096];
  int _n = n;
  int _strips = _n > 0 ? (_n - 1) / 128 + 1 : 0;
  int _first = mesi_halves_first<false>(_strips);
  int _last = mesi_halves_last<false>(_strips);
  int _warp = (int)threadIdx.x / 32;
  int _lane = (int)threadIdx.x % 32;
  int _row = (int)blockIdx.x * 128 + _warp * 16;
  if (_first >= _last && (int)blockIdx.x < _strips)
    return;
  unsigned int _p[16];
#pragma unroll
  for (int _k = 0; _k < 16; _k++) {
    _p[_k] = 0;
  }
  __shared__ int _s[128];
  {
    int _i = (int)blockIdx.x * 128 + (int)threadIdx.x;
    if ((int)threadIdx.x < 128 && _i < _n - 1) {
      _s[(int)threadIdx.x] = x[_i];
    }
  }
  __syncthreads();
  for (int _t = _first; _t < _last; _t++) {
    unsigned int _q[4];
#pragma unroll
    for (int _e = 0; _e < 4; _e++) {
      _q[_e] = 0;
    }
    if (_t != (int)blockIdx.x && ((int)blockIdx.x * 128 <= _n - 128 && _t * 128 <= _n - 128)) {
      int _a[64];
      int _f[4];
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _j = _t * 128 + (_e * 32 + _lane);
        _f[_e] = x[_j];
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
        int _i = _row + _k;
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _j = _t * 128 + (_e * 32 + _lane);
          _a[_k * 4 + _e] = a[_i * lda + _j];
        }
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          _p[_k] += _a[_k * 4 + _e] * _f[_e];
          _q[_e] += _a[_k * 4 + _e] * _s[_warp * 16 + _k];
        }
      }
    } else {
      int _a_2[64];
      int _f_2[4];
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _j = _t * 128 + (_e * 32 + _lane);
        _f_2[_e] = 0;
        if (_j < _n)
          _f_2[_e] = x[_j];
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
        int _i = _row + _k;
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _j = _t * 128 + (_e * 32 + _lane);
          _a_2[_k * 4 + _e] = 0;
          if (_j < _n && _j >= _i)
            _a_2[_k * 4 + _e] = a[_i * lda + _j];
        }
      }
#pragma unroll
      for (int _k = 0; _k < 16; _k++) {
        int _i = _row + _k;
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _j = _t * 128 + (_e * 32 + _lane);
          if (_j < _n && _j >= _i) {
            _p[_k] += _a_2[_k * 4 + _e] * _f_2[_e];
            if (_j != _i)
              _q[_e] += _a_2[_k * 4 + _e] * _s[_warp * 16 + _k];
          }
        }
      }
    }
#pragma unroll
    for (int _e = 0; _e < 4; _e++) {
      _c[_warp * 512 + ((_t - _first) * 128 + (_e * 32 + _lane))] = _q[_e];
    }
  }
  unsigned int _done = mesi_halves_leave<false, 256, 16>(_sums, _strips, _first, _last, _p, _c);
  for (int _w = 0; _w < 5; _w++) {
    if (_done >> _w & 1) {
      int _strip = _w == 0 ? (int)blockIdx.x : _first + _w - 1;
      unsigned int _sum = mesi_halves_total<false, 256, 16>(_sums, _strips, _strip, 1, _c);
      unsigned int _sum_2 = mesi_halves_total<false, 256, 16>(_sums, _strips, _strip, 2, _c);
      int _i = _strip * 128 + (int)threadIdx.x;
      if ((int)threadIdx.x < 128 && _i < _total_x) {
        if (_i < _total_x) {
          int i = _i;
          if (i < n) {
            int s = 0;
            {
              s = (int)((unsigned int)s + _sum);
            }
            y[i] = s;
            {
              s = (int)((unsigned int)s + _sum_2);
            }
            y[n + i] = s;
          }
        }
      }
    }
  }
}
// upper_plain: upper for other launches.
static __global__ void upper_plain(const int *a, const int *x, int *y, int n, int lda, int _total_x, mesi_sums _sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int s = 0;
    for (int j = i; j < n; j++) s += a[i * lda + j] * x[j];
    y[i] = s;
    for (int j = 0; j < i; j++) s += a[j * lda + i] * x[j];
    y[n + i] = s;
  }
}
// upper_written: upper for launches whose arguments may overlap.
static __global__ void upper_written(const int *a, const int *x, int *y, int n, int lda, int _total_x, mesi_sums _sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int s = 0;
    for (int j = i; j < n; j++) s += a[i * lda + j] * x[j];
    y[i] = s;
    for (int j = 0; j < i; j++) s += a[j * lda + i] * x[j];
    y[n + i] = s;
  }
}
// upper_halves_parts: how many blocks share a sum in upper_halves; 0: it is not for the launch.
static inline unsigned upper_halves_parts(int n) {
  static thread_local mesi_sums_known known;
  return mesi_halves_blocks(known, {{128, 1, 2, 2400, 3277}, {128, 1, 16, 90, 64}}, (long long)n, -1, 128, 2560, false, 0);
}

__global__ void shorter SYMV(float)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * x[j];
  for (int j = i + 1; j < n - 1; j++) s += a[j * lda + i] * x[j];
  y[i] = s;
}

__global__ void guarded SYMV(float)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (x[j] != 0) s += a[j <= i ? i * lda + j : j * lda + i] * x[j];
  y[i] = s;
}
// guarded_mapped: guarded with blocks of 256 x 1 elements for 128 x 1 threads.
// Predicted gain: 1.3.
static __global__ void __launch_bounds__(128) guarded_mapped(const float *__restrict__ a, const float *__restrict__ x, float *y, int n, int lda, int _total_x) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 2; _x++)
    _whole = _whole && ((int)(blockIdx.x * 256 + (_tx + _x * 128)) < _total_x && (int)(blockIdx.x * 256 + (_tx + _x * 128)) < n);
  if (_whole) {
    {
      {
        float s[2];
#pragma unroll
        for (int _x = 0; _x < 2; _x++)
          s[_x] = 0;
        for (int j = 0; j < n; j++) {
          if (x[j] != 0) {
            float _r_x;
            _r_x = x[j];
#pragma unroll
            for (int _x = 0; _x < 2; _x++) {
              int i = (int)(blockIdx.x * 256 + (_tx + _x * 128));
              s[_x] += a[j <= i ? i * lda + j : j * lda + i] * _r_x;
            }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 2; _x++) {
          int i = (int)(blockIdx.x * 256 + (_tx + _x * 128));
          y[i] = s[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 2; _x++) {
      if ((int)(blockIdx.x * 256 + (_tx + _x * 128)) < _total_x) {
        int i = (int)(blockIdx.x * 256 + (_tx + _x * 128));
        if (i < n) {
          float s = 0;
          for (int j = 0; j < n; j++)
            if (x[j] != 0) s += a[j <= i ? i * lda + j : j * lda + i] * x[j];
          y[i] = s;
        }
      }
    }
}
// guarded_mapped_large: guarded with blocks of 512 x 1 elements for 128 x 1 threads.
static __global__ void __launch_bounds__(128) guarded_mapped_large(const float *__restrict__ a, const float *__restrict__ x, float *y, int n, int lda, int _total_x) {
  int _tx = (int)threadIdx.x;
  bool _whole = true;
#pragma unroll
  for (int _x = 0; _x < 4; _x += 3)
    _whole = _whole && ((int)(blockIdx.x * 512 + (_tx + _x * 128)) < _total_x && (int)(blockIdx.x * 512 + (_tx + _x * 128)) < n);
  if (_whole) {
    {
      {
        float s[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          s[_x] = 0;
        for (int j = 0; j < n; j++) {
          if (x[j] != 0) {
            float _r_x;
            _r_x = x[j];
#pragma unroll
            for (int _x = 0; _x < 4; _x++) {
              int i = (int)(blockIdx.x * 512 + (_tx + _x * 128));
              s[_x] += a[j <= i ? i * lda + j : j * lda + i] * _r_x;
            }
          }
        }
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          int i = (int)(blockIdx.x * 512 + (_tx + _x * 128));
          y[i] = s[_x];
        }
      }
    }
  } else
#pragma unroll 1
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 512 + (_tx + _x * 128)) < _total_x) {
        int i = (int)(blockIdx.x * 512 + (_tx + _x * 128));
        if (i < n) {
          float s = 0;
          for (int j = 0; j < n; j++)
            if (x[j] != 0) s += a[j <= i ? i * lda + j : j * lda + i] * x[j];
          y[i] = s;
        }
      }
    }
}
// guarded_plain: guarded for smaller launches.
static __global__ void guarded_plain(const float *a, const float *x, float *y, int n, int lda, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (x[j] != 0) s += a[j <= i ? i * lda + j : j * lda + i] * x[j];
  y[i] = s;
}
// guarded_written: guarded for launches whose arguments may overlap.
static __global__ void guarded_written(const float *a, const float *x, float *y, int n, int lda, int _total_x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (x[j] != 0) s += a[j <= i ? i * lda + j : j * lda + i] * x[j];
  y[i] = s;
}

__global__ void own SYMV(float)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += a[i * lda + j] * (x[j] - x[i]);
  for (int j = i + 1; j < n; j++) s += a[j * lda + i] * (x[j] - x[i]);
  y[i] = s;
}

void all(const float *a, const float *x, float *y, const int *b, const int *u, int *v, int n)
{
  (mesi_map((n + 127) / 128, 128), mesi_map_if(((long long)n >= (long long)n) && mesi_allocated_apart(a, y) && mesi_no_alias(x, 0, (long long)n * 4, y, 0, (long long)n * 4)), mesi_stream_is(0), mesi_choose(true, {{}, {}, {128, 1, 256, 1, 0, false, lower_halves_parts(n), 2560}}), mesi_pick(lower_written, lower_plain, lower_halves)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, x, y, n, n, mesi_mapped().total_x, mesi_mapped().sums));
  (mesi_map((n + 127) / 128, 128), mesi_map_if(((long long)n >= (long long)n) && mesi_allocated_apart(b, v) && mesi_no_alias(u, 0, (long long)n * 4, v, 0, (long long)n * 8)), mesi_stream_is(0), mesi_choose(true, {{}, {}, {128, 1, 256, 1, 0, false, upper_halves_parts(n), 2560}}), mesi_pick(upper_written, upper_plain, upper_halves)<<<mesi_mapped().grid, mesi_mapped().block>>>(b, u, v, n, n, mesi_mapped().total_x, mesi_mapped().sums));
  shorter<<<(n + 127) / 128, 128>>>(a, x, y, n, n);
  (mesi_map((n + 127) / 128, 128), mesi_map_if(mesi_no_alias(x, 0, (long long)n * 4, y, 0, (long long)n * 4) && mesi_allocated_apart(a, y)), mesi_choose(true, {{}, {}, {256, 1, 128, 1, 202752}, {512, 1, 128, 1, 519744}}), mesi_pick(guarded_written, guarded_plain, guarded_mapped, guarded_mapped_large)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, x, y, n, n, mesi_mapped().total_x));
  own<<<(n + 127) / 128, 128>>>(a, x, y, n, n);
}
