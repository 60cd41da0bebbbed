#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_f57452ec; }
// args: -O3 --no-line -arch=sm_90
// Loops that several threads share: rows with 16-byte loads where the launch allows it, columns, integers; one with a sum that is looked at.
extern int counts[4096][512] MESI_VS(_vs_counts), most[4096] MESI_VS(_vs_most); static MESI_CONSTANT decltype(counts) *_d_counts; static MESI_CONSTANT decltype(most) *_d_most;

__global__ void rows(const float *a, const float *x, float *y, int m, int n)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = y[row];
  for (int j = 0; j < n; j++)
    sum += a[row * n + j] * x[j];
  y[row] = sum;
}
// rows_shared: rows with 128 threads that share the loop for sum, 16-byte loads where the launch allows it; sums of floats are rounded in another order.
// Predicted gain: 59.7.
static __global__ void __launch_bounds__(128) rows_shared(const float *a, const float *x, float *y, int m, int n) {
  int _l = threadIdx.x;
  float _p_sum = 0;
  __shared__ float _s_sum[4];
  {
    int row = (int)blockIdx.x;
    if (row < m) {
      {
#pragma unroll 8
        for (int j = _l; j < n; j += 128)
          _p_sum += a[row * n + j] * x[j];
      }
    }
  }
  _p_sum = mesi_lanes<32>(_p_sum, mesi_sum());
  if (_l % 32 == 0)
    _s_sum[_l / 32] = _p_sum;
  __syncthreads();
  if (_l == 0) {
#pragma unroll
    for (int _i = 1; _i < 4; _i++)
      _p_sum += _s_sum[_i];
    {
      int row = (int)blockIdx.x;
      if (row < m) {
        float sum = y[row];
        {
          sum += _p_sum;
        }
        y[row] = sum;
      }
    }
  }
}
// rows_exact: rows with 128 threads that share the loop for sum, 16-byte loads where the launch allows it; sums of floats are rounded in another order.
static __global__ void __launch_bounds__(128) rows_exact(const float *a, const float *x, float *y, int m, int n) {
  int _l = threadIdx.x;
  float _p_sum = 0;
  __shared__ float _s_sum[4];
  {
    int row = (int)blockIdx.x;
    if (row < m) {
      {
#pragma unroll 4
        for (int _j = _l * 4; _j < n; _j += 512) {
          mesi_vector<float, 4> _v_a = mesi_wide<4>(&a[row * n + _j]);
          mesi_vector<float, 4> _v_x = mesi_wide<4>(&x[_j]);
#pragma unroll
          for (int j = _j; j < _j + 4; j++)
            _p_sum += _v_a.e[j - _j] * _v_x.e[j - _j];
        }
      }
    }
  }
  _p_sum = mesi_lanes<32>(_p_sum, mesi_sum());
  if (_l % 32 == 0)
    _s_sum[_l / 32] = _p_sum;
  __syncthreads();
  if (_l == 0) {
#pragma unroll
    for (int _i = 1; _i < 4; _i++)
      _p_sum += _s_sum[_i];
    {
      int row = (int)blockIdx.x;
      if (row < m) {
        float sum = y[row];
        {
          sum += _p_sum;
        }
        y[row] = sum;
      }
    }
  }
}
// rows_plain: rows for other launches.
static __global__ void rows_plain(const float *a, const float *x, float *y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = y[row];
  for (int j = 0; j < n; j++)
    sum += a[row * n + j] * x[j];
  y[row] = sum;
}
// rows_fits: what the exact versions take for granted.
static inline bool rows_fits(int n) {
  return n % 4 == 0;
}
// rows_worth: is it worth while.
static inline bool rows_worth(int n) {
  return n >= 256;
}

__global__ void columns(const double *a, double *y, int m, int n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    y[j] = 0;
    for (int i = 0; i < m; i++)
      y[j] += a[i * n + j];
  }
}
// columns_shared: columns with 32 threads that share the loop for _r_y; sums of floats are rounded in another order.
// Predicted gain: 17.6.
static __global__ void __launch_bounds__(512) columns_shared(const double *a, double *y, int m, int n, int _total_x) {
  int _l = threadIdx.y;
  double _p_y = 0;
  __shared__ double _s_y[32][16];
  {
    if ((int)(blockIdx.x * 16 + threadIdx.x) < _total_x) {
      int j = (int)(blockIdx.x * 16 + threadIdx.x);
      if (j < n) {
        {
#pragma unroll 8
          for (int i = _l; i < m; i += 32)
            _p_y += a[i * n + j];
        }
      }
    }
  }
  _s_y[_l][threadIdx.x] = _p_y;
  __syncthreads();
  if (_l == 0) {
#pragma unroll
    for (int _i = 1; _i < 32; _i++)
      _p_y += _s_y[_i][threadIdx.x];
    {
      if ((int)(blockIdx.x * 16 + threadIdx.x) < _total_x) {
        int j = (int)(blockIdx.x * 16 + threadIdx.x);
        if (j < n) {
          double _r_y = 0;
          {
            _r_y += _p_y;
          }
          y[j] = _r_y;
        }
      }
    }
  }
}
// columns_plain: columns for other launches.
static __global__ void columns_plain(const double *a, double *y, int m, int n, int _total_x) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    double _r_y = 0;
    for (int i = 0; i < m; i++)
      _r_y += a[i * n + j];
    y[j] = _r_y;
  }
}
// columns_worth: is it worth while.
static inline bool columns_worth(int m) {
  return m >= 64;
}

__global__ void greatest()
{ auto &counts = *_d_counts; auto &most = *_d_most;
  int row = blockIdx.x * blockDim.x + threadIdx.x, high = 0;
  for (int j = 0; j < 512; j++)
    high = max(high, counts[row][j]);
  most[row] = high;
}
// greatest_shared: greatest with 128 threads that share the loop for high, 16-byte loads where the launch allows it.
// Predicted gain: 16.7.
static __global__ void __launch_bounds__(128) greatest_shared() {
  auto &counts = *_d_counts;
  auto &most = *_d_most;
  int _l = threadIdx.x;
  int _p_high = 0;
  __shared__ int _s_high[4];
  {
    int row = (int)blockIdx.x, high = 0;
    {
      _p_high = high;
#pragma unroll 4
      for (int _j = _l * 4; _j < 512; _j += 512) {
        mesi_vector<int, 4> _v_counts = mesi_wide<4>(&counts[row][_j]);
#pragma unroll
        for (int j = _j; j < _j + 4; j++)
          _p_high = max(_p_high, _v_counts.e[j - _j]);
      }
    }
  }
  _p_high = mesi_lanes<32>(_p_high, mesi_greatest());
  if (_l % 32 == 0)
    _s_high[_l / 32] = _p_high;
  __syncthreads();
  if (_l == 0) {
#pragma unroll
    for (int _i = 1; _i < 4; _i++)
      _p_high = mesi_max(_p_high, _s_high[_i]);
    {
      int row = (int)blockIdx.x, high = 0;
      {
        high = _p_high;
      }
      most[row] = high;
    }
  }
}

__global__ void looks(float *y, const float *a, int n)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; j++)
    if (sum < 100) sum += a[row * n + j];
  y[row] = sum;
}
// looks_part: looks for a run of blocks along x, from _run.first of _run.blocks.
__global__ void looks_part(float *y, const float *a, int n, const mesi_run _run) {
  int row = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; j++)
    if (sum < 100) sum += a[row * n + j];
  y[row] = sum;
}

int main(int argc, char **argv)
{
  float *a, *x, *y;
  double *b, *z;
  cudaMalloc(&a, 1 << 24), cudaMalloc(&x, 1 << 12), cudaMalloc(&y, 1 << 12), cudaMalloc(&b, 1 << 24), cudaMalloc(&z, 1 << 13);
  (mesi_launch_begin(&_mesi_f57452ec, 0), mesi_stream(0), mesi_map(argc * 8, 128), mesi_choose(rows_worth(argc * 1000), rows_fits(argc * 1000), {{}, {1, 1, 128, 1, 64}, {1, 1, 128, 1, 64, true}}), mesi_pick(rows_plain, rows_shared, rows_exact)<<<mesi_mapped().grid, mesi_mapped().block>>>(mesi_arg_range(a, 0, mesi_times((long long)(argc * 1024) * 4 - 4, (argc * 1000)) + (long long)(argc * 1000) * 4, 0, 0, MESI_READ), mesi_arg_range(x, 0, (long long)(argc * 1000) * 4, 0, 0, MESI_READ), mesi_arg_range(y, 0, (long long)(argc * 1024) * 4, 0, (long long)(argc * 1024) * 4, MESI_READ_WRITE), argc * 1024, argc * 1000), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f57452ec, 1), mesi_stream(0), mesi_map(argc * 8, 128), mesi_choose(columns_worth(argc * 1000), true, {{}, {16, 1, 16, 32, 64}, {0, 0, 0, 0, 32768}}), mesi_pick(columns_plain, columns_shared, columns_plain)<<<mesi_mapped().grid, mesi_mapped().block>>>(mesi_arg_range(b, 0, mesi_times((long long)(argc * 1000) * 8 - 8, (argc * 1024)) + (long long)(argc * 1024) * 8, 0, 0, MESI_READ), mesi_arg_range(z, 0, 0, 0, (long long)(argc * 1024) * 8, MESI_WRITE | ((long long)dim3(argc * 8).x * 128 >= (long long)(argc * 1024) ? MESI_OVERWRITE : 0u)), argc * 1000, argc * 1024, mesi_mapped().total_x), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f57452ec, 2), mesi_launch_range(1, 0, 0, 0, 16384, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), greatest_shared<<<4096, 128>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f57452ec, 3), mesi_launch_in_parts(), mesi_stream(0), mesi_parted(looks, looks_part, 0, 8, 128)(mesi_arg_range(y, 0, 0, 0, 4096, MESI_WRITE | MESI_OVERWRITE, {}, {512, 0, 512}), mesi_arg_range(a, 0, mesi_times(4092, argc) + (long long)argc * 4, 0, 0, MESI_READ, {mesi_times(512, argc), 0, mesi_times(508, argc) + (long long)argc * 4}, {}), argc), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(counts)> _vs_counts; }
extern "C" { MESI_HIDDEN mesi_page<decltype(most)> _vs_most; }
static const struct mesi_var _mesi_f57452ec_vars[] = {
  {"counts", (void *)&counts, sizeof(counts), &_d_counts, MESI_VAR_GUARDED, 0, "share_rows.mcu:3"},
  {"most", (void *)&most, sizeof(most), &_d_most, MESI_VAR_GUARDED, 0, "share_rows.mcu:3"},
};
static const struct mesi_site_use _mesi_f57452ec_uses_2[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site _mesi_f57452ec_sites[] = {
  {"rows", "share_rows.mcu:47", 0, 0, 0},
  {"columns", "share_rows.mcu:48", 0, 0, 0},
  {"greatest", "share_rows.mcu:49", _mesi_f57452ec_uses_2, 2, 0},
  {"looks", "share_rows.mcu:50", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_f57452ec = {MESI_ABI, "share_rows.mcu", _mesi_f57452ec_vars, 2, _mesi_f57452ec_sites, 4}; }
MESI_REGISTER(_mesi_f57452ec)
