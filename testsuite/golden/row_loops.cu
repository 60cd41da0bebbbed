#include <mesi_cuda.h>
// args: -O2 -arch=sm_90 --no-line
// A thread a row: a weighted sum of other rows, each gone through in a loop; the sum stays in registers.
__global__ void values(float *__restrict__ out, const float *__restrict__ att,
                       const float *__restrict__ in, int rows, int places, int channels, int heads)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    int n = channels / heads;
    float *o = out + r * n;
    for (int i = 0; i < n; i++) o[i] = 0;
    for (int t = 0; t <= r % places; t++) {
      const float *v = in + (r / places * places + t) * n;
      for (int i = 0; i < n; i++) o[i] += att[r * places + t] * v[i];
    }
  }
}
// values_row32: values with 32 threads a row.
// Predicted gain: 24.2.
static __global__ void __launch_bounds__(256) values_row32(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int _l = threadIdx.x % 32;
  if ((int)(blockIdx.x * 8 + threadIdx.x / 32) < _total_x) {
    int r = (int)(blockIdx.x * 8 + threadIdx.x / 32);
    if (r < rows) {
      int n = mesi_quotient(channels, _by);
      float *o = out + r * n;
      {
#pragma unroll 4
        for (int _i_2 = _l; _i_2 < n; _i_2 += 32) {
          {
            int i_2_2 = _i_2;
            o[i_2_2] = 0;
          }
        }
      }
      for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
        const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
        {
          float _r_att;
          if (0 < n) {
            _r_att = att[r * places + t];
          }
          {
#pragma unroll 4
            for (int _i_4 = _l; _i_4 < n; _i_4 += 32) {
              {
                int i_4 = _i_4;
                o[i_4] += _r_att * v[i_4];
              }
            }
          }
        }
      }
    }
  }
}
// values_row32_kept: values with 32 threads a row of up to 512 elements in registers.
static __global__ void __launch_bounds__(256) values_row32_kept(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int _l = threadIdx.x % 32;
  float _r_out[16];
  if ((int)(blockIdx.x * 8 + threadIdx.x / 32) < _total_x) {
    int r = (int)(blockIdx.x * 8 + threadIdx.x / 32);
    if (r < rows) {
      int n = mesi_quotient(channels, _by);
      float *o = out + r * n;
      {
#pragma unroll
        for (int _k_2 = 0; _k_2 < 16; _k_2++) {
          int _i_2 = _k_2 * 32 + _l;
          if (_i_2 < n) {
            {
              _r_out[_k_2] = 0;
            }
          }
        }
      }
      for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
        const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
        {
          float _r_att;
          if (0 < n) {
            _r_att = att[r * places + t];
          }
          {
#pragma unroll
            for (int _k_4 = 0; _k_4 < 16; _k_4++) {
              int _i_4 = _k_4 * 32 + _l;
              if (_i_4 < n) {
                {
                  int i_4 = _i_4;
                  _r_out[_k_4] += _r_att * v[i_4];
                }
              }
            }
          }
        }
      }
#pragma unroll
      for (int _k_5 = 0; _k_5 < 16; _k_5++) {
        int _i_5 = _k_5 * 32 + _l;
        if (_i_5 < n) {
          o[_i_5] = _r_out[_k_5];
        }
      }
    }
  }
}
// values_row32_kept_2: values with 32 threads a row of up to 128 elements in registers.
static __global__ void __launch_bounds__(256) values_row32_kept_2(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int _l = threadIdx.x % 32;
  float _r_out[4];
  if ((int)(blockIdx.x * 8 + threadIdx.x / 32) < _total_x) {
    int r = (int)(blockIdx.x * 8 + threadIdx.x / 32);
    if (r < rows) {
      int n = mesi_quotient(channels, _by);
      float *o = out + r * n;
      {
#pragma unroll
        for (int _k_2 = 0; _k_2 < 4; _k_2++) {
          int _i_2 = _k_2 * 32 + _l;
          if (_i_2 < n) {
            {
              _r_out[_k_2] = 0;
            }
          }
        }
      }
      for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
        const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
        {
          float _r_att;
          if (0 < n) {
            _r_att = att[r * places + t];
          }
          {
#pragma unroll
            for (int _k_4 = 0; _k_4 < 4; _k_4++) {
              int _i_4 = _k_4 * 32 + _l;
              if (_i_4 < n) {
                {
                  int i_4 = _i_4;
                  _r_out[_k_4] += _r_att * v[i_4];
                }
              }
            }
          }
        }
      }
#pragma unroll
      for (int _k_5 = 0; _k_5 < 4; _k_5++) {
        int _i_5 = _k_5 * 32 + _l;
        if (_i_5 < n) {
          o[_i_5] = _r_out[_k_5];
        }
      }
    }
  }
}
// values_row128: values with 128 threads a row.
static __global__ void __launch_bounds__(128) values_row128(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int _l = threadIdx.x;
  int r = (int)blockIdx.x;
  if (r < rows) {
    int n = mesi_quotient(channels, _by);
    float *o = out + r * n;
    {
#pragma unroll 4
      for (int _i_2 = _l; _i_2 < n; _i_2 += 128) {
        {
          int i_2_2 = _i_2;
          o[i_2_2] = 0;
        }
      }
    }
    for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
      const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
      {
        float _r_att;
        if (0 < n) {
          _r_att = att[r * places + t];
        }
        {
#pragma unroll 4
          for (int _i_4 = _l; _i_4 < n; _i_4 += 128) {
            {
              int i_4 = _i_4;
              o[i_4] += _r_att * v[i_4];
            }
          }
        }
      }
    }
  }
}
// values_row256: values with 256 threads a row.
static __global__ void __launch_bounds__(256) values_row256(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int _l = threadIdx.x;
  int r = (int)blockIdx.x;
  if (r < rows) {
    int n = mesi_quotient(channels, _by);
    float *o = out + r * n;
    {
#pragma unroll 4
      for (int _i_2 = _l; _i_2 < n; _i_2 += 256) {
        {
          int i_2_2 = _i_2;
          o[i_2_2] = 0;
        }
      }
    }
    for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
      const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
      {
        float _r_att;
        if (0 < n) {
          _r_att = att[r * places + t];
        }
        {
#pragma unroll 4
          for (int _i_4 = _l; _i_4 < n; _i_4 += 256) {
            {
              int i_4 = _i_4;
              o[i_4] += _r_att * v[i_4];
            }
          }
        }
      }
    }
  }
}
// values_row128_kept: values with 128 threads a row of up to 2048 elements in registers.
static __global__ void __launch_bounds__(128) values_row128_kept(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int _l = threadIdx.x;
  float _r_out[16];
  int r = (int)blockIdx.x;
  if (r < rows) {
    int n = mesi_quotient(channels, _by);
    float *o = out + r * n;
    {
#pragma unroll
      for (int _k_2 = 0; _k_2 < 16; _k_2++) {
        int _i_2 = _k_2 * 128 + _l;
        if (_i_2 < n) {
          {
            _r_out[_k_2] = 0;
          }
        }
      }
    }
    for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
      const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
      {
        float _r_att;
        if (0 < n) {
          _r_att = att[r * places + t];
        }
        {
#pragma unroll
          for (int _k_4 = 0; _k_4 < 16; _k_4++) {
            int _i_4 = _k_4 * 128 + _l;
            if (_i_4 < n) {
              {
                int i_4 = _i_4;
                _r_out[_k_4] += _r_att * v[i_4];
              }
            }
          }
        }
      }
    }
#pragma unroll
    for (int _k_5 = 0; _k_5 < 16; _k_5++) {
      int _i_5 = _k_5 * 128 + _l;
      if (_i_5 < n) {
        o[_i_5] = _r_out[_k_5];
      }
    }
  }
}
// values_plain: values for other launches.
static __global__ void values_plain(float *__restrict__ out, const float *__restrict__ att, const float *__restrict__ in, int rows, int places, int channels, int heads, int _total_x, const mesi_divisor<int> _by, const mesi_divisor<int> _by_2) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    int n = mesi_quotient(channels, _by);
    float *o = out + r * n;
    for (int i = 0; i < n; i++) o[i] = 0;
    for (int t = 0; t <= mesi_remainder(r, _by_2); t++) {
      const float *v = in + (mesi_quotient(r, _by_2) * places + t) * n;
      {
        float _r_att;
        if (0 < n) {
          _r_att = att[r * places + t];
        }
        for (int i = 0; i < n; i++) o[i] += _r_att * v[i];
      }
    }
  }
}
// values_row32_if: what values_row32 is for.
static inline bool values_row32_if(int channels) {
  return channels / 12 >= 64;
}
// values_row32_kept_if: what values_row32_kept is for.
static inline bool values_row32_kept_if(int channels) {
  return channels / 12 >= 64 && channels / 12 <= 512;
}
// values_row32_kept_if_2: what values_row32_kept_2 is for.
static inline bool values_row32_kept_if_2(int channels) {
  return channels / 12 >= 64 && channels / 12 <= 128;
}
// values_row128_if: what values_row128 is for.
static inline bool values_row128_if(int channels) {
  return channels / 12 >= 257;
}
// values_row256_if: what values_row256 is for.
static inline bool values_row256_if(int channels) {
  return channels / 12 >= 1024;
}
// values_row128_kept_if: what values_row128_kept is for.
static inline bool values_row128_kept_if(int channels) {
  return channels / 12 >= 257 && channels / 12 <= 2048;
}

void go(float *out, const float *att, const float *in, int rows, int places, int channels)
{
  (mesi_map((rows + 127) / 128, 128), mesi_choose(true, {{}, {8, 1, 256, 1, 0, false, values_row32_if(channels)}, {8, 1, 256, 1, 0, false, values_row32_kept_if(channels)}, {8, 1, 256, 1, 0, false, values_row32_kept_if_2(channels)}, {1, 1, 128, 1, 0, false, mesi_below(2048) && values_row128_if(channels)}, {1, 1, 256, 1, 0, false, values_row256_if(channels)}, {1, 1, 128, 1, 0, false, values_row128_kept_if(channels)}}), mesi_pick(values_plain, values_row32, values_row32_kept, values_row32_kept_2, values_row128, values_row256, values_row128_kept)<<<mesi_mapped().grid, mesi_mapped().block>>>(out, att, in, rows, places, channels, 12, mesi_mapped().total_x, mesi_divisor<int>(12), mesi_divisor<int>(places)));
}
