#include <mesi_cuda.h>
// args: -O2 --no-line
#include <cstdlib>
__global__ void filter(const float *in, const float *weights, float *out, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (k < 1 || k >= n - 1 || j < 1 || j >= n - 1) return;
  for (int i = 1; i < n - 1; i++) {
    float sum = 0;
    for (int x = 0; x < 3; x++)
      for (int y = 0; y < 3; y++)
        for (int z = 0; z < 3; z++) sum += weights[(x * 3 + y) * 3 + z] * in[((i + x - 1) * n + j + y - 1) * n + k + z - 1];
    out[(i * n + j) * n + k] = sum;
  }
}
// filter_mapped: filter with blocks of 32 x 16 elements for 32 x 8 threads.
// Predicted gain: 1.5.
static __global__ void __launch_bounds__(256) filter_mapped(const float *__restrict__ in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
    _whole = _whole && ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 1 && (int)(blockIdx.x * 32 + threadIdx.x) < n - 1 && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 16 + (_ty + _y)) < n - 1);
  if (_whole) {
    {
      int k = (int)(blockIdx.x * 32 + threadIdx.x);
      {
        {
          float _r_weights[3][3][3];
          float _r_in[2][3][3][3];
          {
#pragma unroll
            for (int x = 0; x < 3; x++) {
#pragma unroll
              for (int y = 0; y < 3; y++) {
#pragma unroll
                for (int z = 0; z < 3; z++) {
                  _r_weights[x][y][z] = weights[(x * 3 + y) * 3 + z];
                }
              }
            }
#pragma unroll
            for (int x = 0; x < 2; x++) {
#pragma unroll
              for (int y = 0; y < 3; y++) {
#pragma unroll
                for (int z = 0; z < 3; z++) {
#pragma unroll
                  for (int _y = 0; _y < 2; _y++) {
                    int j = (int)(blockIdx.y * 16 + (_ty + _y));
                    _r_in[_y][x + 1][y][z] = in[((1 + x - 1) * n + j + y - 1) * n + k + z - 1];
                  }
                }
              }
            }
          }
#pragma unroll 3
          for (int i = 1; i < n - 1; i++) {
#pragma unroll
            for (int x = 0; x < 2; x++) {
#pragma unroll
              for (int y = 0; y < 3; y++) {
#pragma unroll
                for (int z = 0; z < 3; z++) {
#pragma unroll
                  for (int _y = 0; _y < 2; _y++)
                    _r_in[_y][x][y][z] = _r_in[_y][x + 1][y][z];
                }
              }
            }
#pragma unroll
            for (int y = 0; y < 3; y++) {
#pragma unroll
              for (int z = 0; z < 3; z++) {
#pragma unroll
                for (int _y = 0; _y < 2; _y++) {
                  int j = (int)(blockIdx.y * 16 + (_ty + _y));
                  _r_in[_y][2][y][z] = in[((i + 2 - 1) * n + j + y - 1) * n + k + z - 1];
                }
              }
            }
            {
              float sum[2];
#pragma unroll
              for (int _y = 0; _y < 2; _y++)
                sum[_y] = 0;
#pragma unroll
              for (int x = 0; x < 3; x++) {
#pragma unroll
                for (int y = 0; y < 3; y++) {
#pragma unroll
                  for (int z = 0; z < 3; z++) {
#pragma unroll
                    for (int _y = 0; _y < 2; _y++)
                      sum[_y] += _r_weights[x][y][z] * _r_in[_y][x][y][z];
                  }
                }
              }
#pragma unroll
              for (int _y = 0; _y < 2; _y++) {
                int j = (int)(blockIdx.y * 16 + (_ty + _y));
                out[(i * n + j) * n + k] = sum[_y];
              }
            }
          }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 2; _y++) {
      if ((int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int k = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 16 + (_ty + _y));
        if (k >= 1 && k < n - 1 && j >= 1 && j < n - 1) {
          {
            float _r_weights[3][3][3];
            float _r_in[3][3][3];
            if (1 < n - 1) {
#pragma unroll
              for (int x = 0; x < 3; x++)
#pragma unroll
                for (int y = 0; y < 3; y++)
#pragma unroll
                  for (int z = 0; z < 3; z++)
                    _r_weights[x][y][z] = weights[(x * 3 + y) * 3 + z];
#pragma unroll
              for (int x = 0; x < 2; x++)
#pragma unroll
                for (int y = 0; y < 3; y++)
#pragma unroll
                  for (int z = 0; z < 3; z++)
                    _r_in[x + 1][y][z] = in[((1 + x - 1) * n + j + y - 1) * n + k + z - 1];
            }
#pragma unroll 3
            for (int i = 1; i < n - 1; i++) {
#pragma unroll
              for (int x = 0; x < 2; x++)
#pragma unroll
                for (int y = 0; y < 3; y++)
#pragma unroll
                  for (int z = 0; z < 3; z++)
                    _r_in[x][y][z] = _r_in[x + 1][y][z];
#pragma unroll
              for (int y = 0; y < 3; y++)
#pragma unroll
                for (int z = 0; z < 3; z++)
                  _r_in[2][y][z] = in[((i + 2 - 1) * n + j + y - 1) * n + k + z - 1];
              {
                float sum = 0;
#pragma unroll
                for (int x = 0; x < 3; x++)
#pragma unroll
                  for (int y = 0; y < 3; y++)
#pragma unroll
                    for (int z = 0; z < 3; z++) sum += _r_weights[x][y][z] * _r_in[x][y][z];
                out[(i * n + j) * n + k] = sum;
              }
            }
          }
        }
      }
    }
}
// filter_swept: filter with blocks of 128 x 16 elements for 32 x 8 threads, which load each layer once and add it to the sums that need it; 8 blocks share the layers.
static __global__ void __launch_bounds__(256, 2) filter_swept(const float *in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  float _m_in[1][4][6] = {};
  bool _in[4];
  bool _rows[2];
  float _w_out[2][4];
  {
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      _in[_x] = (int)(blockIdx.x * 128 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 128 + (_tx + _x)) >= 1 && (int)(blockIdx.x * 128 + (_tx + _x)) < n - 1;
  }
  {
#pragma unroll
    for (int _y = 0; _y < 2; _y++)
      _rows[_y] = (int)(blockIdx.y * 16 + (_ty + _y)) < _total_y && (int)(blockIdx.y * 16 + (_ty + _y)) >= 1 && (int)(blockIdx.y * 16 + (_ty + _y)) < n - 1;
  }
  int _part = (n - 1 - 1 + 7) / 8;
  int _first = 1 + (int)blockIdx.z * _part;
  int _last = _first + _part < n - 1 ? _first + _part : n - 1;
  if (_first < _last && (_rows[0] || _rows[1]) && (_in[0] || _in[1] || _in[2] || _in[3])) {
    float _r_weights[3][3][3];
    if (1 < n - 1) {
#pragma unroll
      for (int x = 0; x < 3; x++) {
#pragma unroll
        for (int y = 0; y < 3; y++) {
#pragma unroll
          for (int z = 0; z < 3; z++) {
            _r_weights[x][y][z] = weights[(x * 3 + y) * 3 + z];
          }
        }
      }
    }
    float _sum[2][4];
    float _sum_2[2][4];
    float _sum_3[2][4];
#pragma unroll
    for (int _y = 0; _y < 2; _y++)
#pragma unroll
      for (int _x = 0; _x < 4; _x++) {
        _sum[_y][_x] = 0;
        _sum_2[_y][_x] = 0;
        _sum_3[_y][_x] = 0;
      }
#pragma unroll 1
    for (int _p = _first; _p < _last + 2; _p++) {
      if (_rows[0])
        mesi_row_load<1, 1>(_m_in[0][0], &in[((_p + 0 - 1) * n + (int)(blockIdx.y * 16 + threadIdx.y * 2) + 0 - 1) * n + (int)(blockIdx.x * 128 + (threadIdx.x * 4 + 1)) + 0 - 1], _in);
      mesi_row_load<1, 1>(_m_in[0][1], &in[((_p + 0 - 1) * n + (int)(blockIdx.y * 16 + (threadIdx.y * 2 + 1)) + 0 - 1) * n + (int)(blockIdx.x * 128 + (threadIdx.x * 4 + 1)) + 0 - 1], _in); mesi_row_load<1, 1>(_m_in[0][2], &in[((_p + 0 - 1) * n + (int)(blockIdx.y * 16 + (threadIdx.y * 2 + 2)) + 0 - 1) * n + (int)(blockIdx.x * 128 + (threadIdx.x * 4 + 1)) + 0 - 1], _in);
      if (_rows[1])
        mesi_row_load<1, 1>(_m_in[0][3], &in[((_p + 0 - 1) * n + (int)(blockIdx.y * 16 + (threadIdx.y * 2 + 3)) + 0 - 1) * n + (int)(blockIdx.x * 128 + (threadIdx.x * 4 + 1)) + 0 - 1], _in);
      {
#pragma unroll
        for (int _y = 0; _y < 2; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _sum[_y][_x] = 0;
#pragma unroll
        for (int y = 0; y < 3; y++) {
#pragma unroll
          for (int z = 0; z < 3; z++) {
#pragma unroll
            for (int _y = 0; _y < 2; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                _sum[_y][_x] += _r_weights[0][y][z] * _m_in[0][_y + y][_x + z];
          }
        }
      }
      {
#pragma unroll
        for (int y = 0; y < 3; y++) {
#pragma unroll
          for (int z = 0; z < 3; z++) {
#pragma unroll
            for (int _y = 0; _y < 2; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                _sum_2[_y][_x] += _r_weights[1][y][z] * _m_in[0][_y + y][_x + z];
          }
        }
      }
      {
#pragma unroll
        for (int y = 0; y < 3; y++) {
#pragma unroll
          for (int z = 0; z < 3; z++) {
#pragma unroll
            for (int _y = 0; _y < 2; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                _sum_3[_y][_x] += _r_weights[2][y][z] * _m_in[0][_y + y][_x + z];
          }
        }
      }
      if (_p >= _first + 2) {
#pragma unroll
        for (int _y = 0; _y < 2; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++) {
            int k = (int)(blockIdx.x * 128 + (_tx + _x)); int j = (int)(blockIdx.y * 16 + (_ty + _y));
            if (_rows[_y])
              mesi_lane_store_in(&out[((_p - 2) * n + j) * n + k], _w_out[_y], _in, _x, _sum_3[_y][_x]);
          }
      }
#pragma unroll
      for (int _y = 0; _y < 2; _y++)
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          _sum_3[_y][_x] = _sum_2[_y][_x];
          _sum_2[_y][_x] = _sum[_y][_x];
        }
    }
  }
}
// filter_plain: filter for smaller launches.
static __global__ void filter_plain(const float *__restrict__ in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (k < 1 || k >= n - 1 || j < 1 || j >= n - 1) return;
  {
    float _r_weights[3][3][3];
    float _r_in[3][3][3];
    if (1 < n - 1) {
#pragma unroll
      for (int x = 0; x < 3; x++)
#pragma unroll
        for (int y = 0; y < 3; y++)
#pragma unroll
          for (int z = 0; z < 3; z++)
            _r_weights[x][y][z] = weights[(x * 3 + y) * 3 + z];
#pragma unroll
      for (int x = 0; x < 2; x++)
#pragma unroll
        for (int y = 0; y < 3; y++)
#pragma unroll
          for (int z = 0; z < 3; z++)
            _r_in[x + 1][y][z] = in[((1 + x - 1) * n + j + y - 1) * n + k + z - 1];
    }
#pragma unroll 3
    for (int i = 1; i < n - 1; i++) {
#pragma unroll
      for (int x = 0; x < 2; x++)
#pragma unroll
        for (int y = 0; y < 3; y++)
#pragma unroll
          for (int z = 0; z < 3; z++)
            _r_in[x][y][z] = _r_in[x + 1][y][z];
#pragma unroll
      for (int y = 0; y < 3; y++)
#pragma unroll
        for (int z = 0; z < 3; z++)
          _r_in[2][y][z] = in[((i + 2 - 1) * n + j + y - 1) * n + k + z - 1];
      {
        float sum = 0;
#pragma unroll
        for (int x = 0; x < 3; x++)
#pragma unroll
          for (int y = 0; y < 3; y++)
#pragma unroll
            for (int z = 0; z < 3; z++) sum += _r_weights[x][y][z] * _r_in[x][y][z];
        out[(i * n + j) * n + k] = sum;
      }
    }
  }
}
// filter_swept_if: what filter_swept is for.
static inline bool filter_swept_if(const float *in, float *out, int n) {
  return n % 4 == 0 && n - 1 - 1 >= 64 && n >= 1 && mesi_aligned(in) && mesi_aligned(out);
}
__global__ void large(const float *in, const float *weights, float *out, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (k < 2 || k >= n - 2 || j < 2 || j >= n - 2) return;
  for (int i = 2; i < n - 2; i++) {
    float sum = 0;
    for (int x = 0; x < 5; x++)
      for (int y = 0; y < 5; y++)
        for (int z = 0; z < 5; z++) sum += weights[(x * 5 + y) * 5 + z] * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
    out[(i * n + j) * n + k] = sum;
  }
}
// large_mapped: large with blocks of 32 x 64 elements for 32 x 8 threads.
// Predicted gain: 3.1.
static __global__ void __launch_bounds__(256) large_mapped(const float *__restrict__ in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 8;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 8; _y += 7)
    _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 2 && (int)(blockIdx.x * 32 + threadIdx.x) < n - 2 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 2 && (int)(blockIdx.y * 64 + (_ty + _y)) < n - 2);
  if (_whole) {
    {
      int k = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll 2
        for (int i = 2; i < n - 2; i++) {
          float sum[8];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
            sum[_y] = 0;
#pragma unroll
          for (int x = 0; x < 5; x++) {
#pragma unroll
            for (int y = 0; y < 5; y++) {
#pragma unroll
              for (int z = 0; z < 5; z++) {
                float _r_weights;
                _r_weights = weights[(x * 5 + y) * 5 + z];
#pragma unroll
                for (int _y = 0; _y < 8; _y++) {
                  int j = (int)(blockIdx.y * 64 + (_ty + _y));
                  sum[_y] += _r_weights * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
                }
              }
            }
          }
#pragma unroll
          for (int _y = 0; _y < 8; _y++) {
            int j = (int)(blockIdx.y * 64 + (_ty + _y));
            out[(i * n + j) * n + k] = sum[_y];
          }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 8; _y++) {
      if ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int k = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 64 + (_ty + _y));
        if (k >= 2 && k < n - 2 && j >= 2 && j < n - 2) {
          for (int i = 2; i < n - 2; i++) {
            float sum = 0;
            for (int x = 0; x < 5; x++)
              for (int y = 0; y < 5; y++)
                for (int z = 0; z < 5; z++) sum += weights[(x * 5 + y) * 5 + z] * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
            out[(i * n + j) * n + k] = sum;
          }
        }
      }
    }
}
// large_mapped_large: large with blocks of 32 x 128 elements for 32 x 8 threads.
static __global__ void __launch_bounds__(256) large_mapped_large(const float *__restrict__ in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int _ty = (int)threadIdx.y * 16;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 16; _y += 15)
    _whole = _whole && ((int)(blockIdx.y * 128 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x && (int)(blockIdx.x * 32 + threadIdx.x) >= 2 && (int)(blockIdx.x * 32 + threadIdx.x) < n - 2 && (int)(blockIdx.y * 128 + (_ty + _y)) >= 2 && (int)(blockIdx.y * 128 + (_ty + _y)) < n - 2);
  if (_whole) {
    {
      int k = (int)(blockIdx.x * 32 + threadIdx.x);
      {
#pragma unroll 2
        for (int i = 2; i < n - 2; i++) {
          float sum[16];
#pragma unroll
          for (int _y = 0; _y < 16; _y++)
            sum[_y] = 0;
#pragma unroll
          for (int x = 0; x < 5; x++) {
#pragma unroll
            for (int y = 0; y < 5; y++) {
#pragma unroll
              for (int z = 0; z < 5; z++) {
                float _r_weights;
                _r_weights = weights[(x * 5 + y) * 5 + z];
#pragma unroll
                for (int _y = 0; _y < 16; _y++) {
                  int j = (int)(blockIdx.y * 128 + (_ty + _y));
                  sum[_y] += _r_weights * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
                }
              }
            }
          }
#pragma unroll
          for (int _y = 0; _y < 16; _y++) {
            int j = (int)(blockIdx.y * 128 + (_ty + _y));
            out[(i * n + j) * n + k] = sum[_y];
          }
        }
      }
    }
  } else
#pragma unroll 1
    for (int _y = 0; _y < 16; _y++) {
      if ((int)(blockIdx.y * 128 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
        int k = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 128 + (_ty + _y));
        if (k >= 2 && k < n - 2 && j >= 2 && j < n - 2) {
          for (int i = 2; i < n - 2; i++) {
            float sum = 0;
            for (int x = 0; x < 5; x++)
              for (int y = 0; y < 5; y++)
                for (int z = 0; z < 5; z++) sum += weights[(x * 5 + y) * 5 + z] * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
            out[(i * n + j) * n + k] = sum;
          }
        }
      }
    }
}
// large_mapped_large_2: large with blocks of 64 x 32 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) large_mapped_large_2(const float *in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 2;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 2; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 32 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 2 && (int)(blockIdx.x * 64 + (_tx + _x)) < n - 2 && (int)(blockIdx.y * 32 + (_ty + _y)) >= 2 && (int)(blockIdx.y * 32 + (_ty + _y)) < n - 2);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
#pragma unroll 2
          for (int i = 2; i < n - 2; i++) {
            float sum[2][4];
#pragma unroll
            for (int _y = 0; _y < 2; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                sum[_y][_x] = 0;
#pragma unroll
            for (int x = 0; x < 5; x++) {
#pragma unroll
              for (int _d = 0; _d < 6; _d++)
#pragma unroll
                for (int _y = 0; _y < 2; _y++)
                  if (_d - _y >= 0 && _d - _y < 5) {
                    int y = _d - _y;
                    {
#pragma unroll
                      for (int z = 0; z < 5; z++) {
                        float _r_weights;
                        _r_weights = weights[(x * 5 + y) * 5 + z];
#pragma unroll
                        for (int _x = 0; _x < 4; _x++) {
                          int k = (int)(blockIdx.x * 64 + (_tx + _x)); int j = (int)(blockIdx.y * 32 + (_ty + _y));
                          sum[_y][_x] += _r_weights * mesi_lane_load(&in[((i + x - 2) * n + j + y - 2) * n + k + z - 2 - (_x + (int)z - 2)], _x + (int)z - 2);
                        }
                      }
                    }
                  }
            }
#pragma unroll
            for (int _y = 0; _y < 2; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++) {
                int k = (int)(blockIdx.x * 64 + (_tx + _x)); int j = (int)(blockIdx.y * 32 + (_ty + _y));
                mesi_lane_store(&out[(i * n + j) * n + k], _w_out, _x, sum[_y][_x]);
              }
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
          int k = (int)(blockIdx.x * 64 + (_tx + _x)), j = (int)(blockIdx.y * 32 + (_ty + _y));
          if (k >= 2 && k < n - 2 && j >= 2 && j < n - 2) {
            for (int i = 2; i < n - 2; i++) {
              float sum = 0;
              for (int x = 0; x < 5; x++)
                for (int y = 0; y < 5; y++)
                  for (int z = 0; z < 5; z++) sum += weights[(x * 5 + y) * 5 + z] * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
              out[(i * n + j) * n + k] = sum;
            }
          }
        }
      }
}
// large_mapped_large_3: large with blocks of 64 x 64 elements for 16 x 16 threads.
static __global__ void __launch_bounds__(256) large_mapped_large_3(const float *in, const float *__restrict__ weights, float *out, int n, int _total_x, int _total_y) {
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  bool _whole = true;
#pragma unroll
  for (int _y = 0; _y < 4; _y += 3)
#pragma unroll
    for (int _x = 0; _x < 4; _x += 3)
      _whole = _whole && ((int)(blockIdx.y * 64 + (_ty + _y)) < _total_y && (int)(blockIdx.x * 64 + (_tx + _x)) < _total_x && (int)(blockIdx.x * 64 + (_tx + _x)) >= 2 && (int)(blockIdx.x * 64 + (_tx + _x)) < n - 2 && (int)(blockIdx.y * 64 + (_ty + _y)) >= 2 && (int)(blockIdx.y * 64 + (_ty + _y)) < n - 2);
  if (_whole) {
    float _w_out[4];
    {
      {
        {
#pragma unroll 2
          for (int i = 2; i < n - 2; i++) {
            float sum[4][4];
#pragma unroll
            for (int _y = 0; _y < 4; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++)
                sum[_y][_x] = 0;
#pragma unroll
            for (int x = 0; x < 5; x++) {
#pragma unroll
              for (int _d = 0; _d < 8; _d++)
#pragma unroll
                for (int _y = 0; _y < 4; _y++)
                  if (_d - _y >= 0 && _d - _y < 5) {
                    int y = _d - _y;
                    {
#pragma unroll
                      for (int z = 0; z < 5; z++) {
                        float _r_weights;
                        _r_weights = weights[(x * 5 + y) * 5 + z];
#pragma unroll
                        for (int _x = 0; _x < 4; _x++) {
                          int k = (int)(blockIdx.x * 64 + (_tx + _x)); int j = (int)(blockIdx.y * 64 + (_ty + _y));
                          sum[_y][_x] += _r_weights * mesi_lane_load(&in[((i + x - 2) * n + j + y - 2) * n + k + z - 2 - (_x + (int)z - 2)], _x + (int)z - 2);
                        }
                      }
                    }
                  }
            }
#pragma unroll
            for (int _y = 0; _y < 4; _y++)
#pragma unroll
              for (int _x = 0; _x < 4; _x++) {
                int k = (int)(blockIdx.x * 64 + (_tx + _x)); int j = (int)(blockIdx.y * 64 + (_ty + _y));
                mesi_lane_store(&out[(i * n + j) * n + k], _w_out, _x, sum[_y][_x]);
              }
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
          int k = (int)(blockIdx.x * 64 + (_tx + _x)), j = (int)(blockIdx.y * 64 + (_ty + _y));
          if (k >= 2 && k < n - 2 && j >= 2 && j < n - 2) {
            for (int i = 2; i < n - 2; i++) {
              float sum = 0;
              for (int x = 0; x < 5; x++)
                for (int y = 0; y < 5; y++)
                  for (int z = 0; z < 5; z++) sum += weights[(x * 5 + y) * 5 + z] * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
              out[(i * n + j) * n + k] = sum;
            }
          }
        }
      }
}
// large_plain: large for smaller launches.
static __global__ void large_plain(const float *in, const float *weights, float *out, int n, int _total_x, int _total_y) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (k < 2 || k >= n - 2 || j < 2 || j >= n - 2) return;
  for (int i = 2; i < n - 2; i++) {
    float sum = 0;
    for (int x = 0; x < 5; x++)
      for (int y = 0; y < 5; y++)
        for (int z = 0; z < 5; z++) sum += weights[(x * 5 + y) * 5 + z] * in[((i + x - 2) * n + j + y - 2) * n + k + z - 2];
    out[(i * n + j) * n + k] = sum;
  }
}
// large_version_if: what large_mapped_large_2 is for.
static inline bool large_version_if(const float *in, float *out, int n) {
  return n % 4 == 0 && mesi_aligned(in) && mesi_aligned(out);
}
// large_version_if_2: what large_mapped_large_3 is for.
static inline bool large_version_if_2(const float *in, float *out, int n) {
  return n % 4 == 0 && mesi_aligned(in) && mesi_aligned(out);
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a, *b, *w;
  cudaMalloc(&a, (size_t)n * n * n * 4);
  cudaMalloc(&b, (size_t)n * n * n * 4);
  cudaMalloc(&w, 500);
  (mesi_map(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)), mesi_choose(true, {{}, {32, 16, 32, 8, 202752}, {128, 16, 32, 8, 12672, false, filter_swept_if(a, b, n), 8}}), mesi_pick(filter_plain, filter_mapped, filter_swept)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, w, b, n, mesi_mapped().total_x, mesi_mapped().total_y));
  (mesi_map(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)), mesi_choose(true, {{}, {32, 64, 32, 8, 811008}, {32, 128, 32, 8, 1622016}, {64, 32, 16, 16, 811008, false, mesi_rows_of(512) && large_version_if(a, b, n)}, {64, 64, 16, 16, 1622016, false, mesi_rows_of(512) && large_version_if_2(a, b, n)}}), mesi_pick(large_plain, large_mapped, large_mapped_large, large_mapped_large_2, large_mapped_large_3)<<<mesi_mapped().grid, mesi_mapped().block>>>(a, w, b, n, mesi_mapped().total_x, mesi_mapped().total_y));
}
