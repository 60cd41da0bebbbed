#include <mesi_cuda.h>
// args: -O2 --mapping=always --no-line -arch=sm_90
// A row a thread: a product with a vector, a step over a graph that writes what it reads; a stride of the grid; declined: rows of a list of vertices,
// a result that a constant scales, a loop that is left early.
__global__ void product(const int *row, const int *col, const float *val, const float *x, float *y, float a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = row[i]; j < row[i + 1]; j++) sum += val[j] * x[col[j]];
  y[i] = a * sum + y[i];
}
// product_ranges: product with ranges of neighbouring threads in shared memory: val, x, 1024 elements at a time of the threads' ranges, of any length, 8192 bytes.
__global__ void product_ranges(const int *row, const int *col, const float *val, const float *x, float *y, float a, int n)
{
  __shared__ __align__(16) float _s_val[1024];
  __shared__ __align__(16) float _s_x[1024];
  int _t = (int)threadIdx.x;
  {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((int)(blockIdx.x * blockDim.x + (unsigned int)0) < n && (int)(blockIdx.x * blockDim.x + (unsigned int)255) < n) {
      float sum = 0;
      {
        int _first = (int)row[i];
        int _end = (int)row[i + 1];
        int _low = (int)row[(int)(blockIdx.x * blockDim.x + (unsigned int)0)];
        int _high = (int)row[(int)(blockIdx.x * blockDim.x + (unsigned int)255) + 1];
        if (_low < _high && (unsigned int)_high - (unsigned int)_low > 0 && !__syncthreads_or(_first < _end && (_first < _low || _end > _high))) {
          int j = _first;
          for (int _at = _low; _at < _high;) {
            int _n = _high - _at < 1024 ? (int)(_high - _at) : 1024;
            for (int _q = _t; _q < _n; _q += 256) {
              int _j = _at + (int)_q;
              mesi_copy_async<4>(&_s_val[_q], &val[_j]);
              mesi_copy_async<4>(&_s_x[_q], &x[col[_j]]);
            }
            int _to = _end < _at + (int)_n ? _end : _at + (int)_n;
            mesi_copy_wait();
            __syncthreads();
            for (; j < _to; j++) sum += _s_val[(int)(j - _at)] * _s_x[(int)(j - _at)];
            __syncthreads();
            _at += (int)_n;
          }
        } else {
          for (int j = _first; j < _end; j++) sum += val[j] * x[col[j]];
        }
      }
      y[i] = a * sum + y[i];
    } else if (i < n) {
      float sum = 0;
      for (int j = row[i]; j < row[i + 1]; j++) sum += val[j] * x[col[j]];
      y[i] = a * sum + y[i];
    }
  }
}

__global__ void step(const long long *first, const int *to, int *seen, int n)
{
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += blockDim.x * gridDim.x)
    for (long long e = first[v]; e < first[v + 1]; e++)
      if (!seen[to[e]]) seen[to[e]] = 1;
}
// step_ranges: step with ranges of neighbouring threads in shared memory: to, 1024 elements at a time of the threads' ranges, of any length, 4096 bytes.
__global__ void step_ranges(const long long *first, const int *to, int *seen, int n)
{
  __shared__ __align__(16) int _s_to[1024];
  int _t = (int)threadIdx.x;
  {
    for (int _v = (int)(blockIdx.x * blockDim.x + (unsigned int)0); _v < n; _v += blockDim.x * gridDim.x) {
      int v = _v + (int)_t;
      if (_v + (int)127 < n) {
        long long _first = (long long)first[v];
        long long _end = (long long)first[v + 1];
        long long _low = (long long)first[_v + (int)0];
        long long _high = (long long)first[_v + (int)127 + 1];
        if (_low < _high && (unsigned long long)_high - (unsigned long long)_low > 0 && !__syncthreads_or(_first < _end && (_first < _low || _end > _high))) {
          long long e = _first;
          for (long long _at = _low; _at < _high;) {
            int _n = _high - _at < 1024 ? (int)(_high - _at) : 1024;
            for (int _q = _t; _q < _n; _q += 128) {
              long long _e = _at + (long long)_q;
              mesi_copy_async<4>(&_s_to[_q], &to[_e]);
            }
            long long _to = _end < _at + (long long)_n ? _end : _at + (long long)_n;
            mesi_copy_wait();
            __syncthreads();
            for (; e < _to; e++)
              if (!seen[_s_to[(int)(e - _at)]]) seen[_s_to[(int)(e - _at)]] = 1;
            __syncthreads();
            _at += (long long)_n;
          }
        } else {
          for (long long e = _first; e < _end; e++)
            if (!seen[to[e]]) seen[to[e]] = 1;
        }
      } else if (v < n)
        for (long long e = first[v]; e < first[v + 1]; e++)
          if (!seen[to[e]]) seen[to[e]] = 1;
    }
  }
}

__global__ void kept(const int *list, const int *row, const float *val, float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = list[i];
    float sum = 0;
    for (int j = row[v]; j < row[v + 1]; j++) sum += val[j];
    for (int j = row[i]; j < row[i + 1]; j++) sum += val[j];
    y[i] = 0.85f * sum + 0.15f;
    for (int j = row[i]; j < row[i + 1] && val[j] > 0; j++) y[i] += val[j];
  }
}
// kept_promoted: kept with array elements in registers over loops.
__global__ void kept_promoted(const int *list, const int *row, const float *val, float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = list[i];
    float sum = 0;
    for (int j = row[v]; j < row[v + 1]; j++) sum += val[j];
    for (int j = row[i]; j < row[i + 1]; j++) sum += val[j];
    float _r_y = 0.85f * sum + 0.15f;
    for (int j = row[i]; j < row[i + 1] && val[j] > 0; j++) _r_y += val[j];
    y[i] = _r_y;
  }
}

void run(const int *row, const long long *first, int *col, float *val, float *x, float *y, float a, int n)
{
  mesi_pick_if(mesi_no_alias(row, 0, (long long)n * 4 + 4, y, 0, (long long)n * 4) && mesi_allocated_apart(val, y) && mesi_allocated_apart(col, y) && mesi_allocated_apart(x, y), product_ranges, product)<<<(n + 255) / 256, 256>>>(row, col, val, x, y, a, n);
  mesi_pick_if(mesi_allocated_apart(first, col + n) && mesi_allocated_apart(col, col + n), step_ranges, step)<<<64, 128>>>(first, col, col + n, n);
  mesi_pick_if(mesi_no_alias(col, 0, (long long)n * 4, y, 0, (long long)n * 4) && mesi_allocated_apart(row, y) && mesi_allocated_apart(val, y), kept_promoted, kept)<<<(n + 255) / 256, 256>>>(col, row, val, y, n);
}
