#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_ccc8215c; }
// args: -O1 --no-line
// Sums of table elements as indices: a segment for each f, whose base changes with the page; and one of the block's own.
__global__ void pages(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o,
                      int functions, int page_count, int summands)
{
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}
// pages_planned: pages for launches at which nothing is staged.
__global__ void pages_planned(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_o: pages with the following in shared memory, where it fits at the launch.
//   o[0 .. +(long long)summands][0 .. +(long long)functions]  copied in; accesses per thread: 5.0 * (mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1))
__global__ void pages_planned_o(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_o_0 = _plan.size[0][0];
  const int _n_o_1 = _plan.size[0][1];
  int *const _s_o = (int *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  for (int _i0 = 0; _i0 < _n_o_0; _i0++)
    for (int _i1 = _t; _i1 < _n_o_1; _i1 += _threads)
      _s_o[_i0 * _n_o_1 + _i1] = o[_i0 * functions + _i1];
  __syncthreads();
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + _s_o[s * _n_o_1 + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_v: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[1][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_o_v: pages with the following in shared memory, where it fits at the launch.
//   o[0 .. +(long long)summands][0 .. +(long long)functions]  copied in; accesses per thread: 5.0 * (mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1))
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_o_v(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_o_0 = _plan.size[0][0];
  const int _n_o_1 = _plan.size[0][1];
  int *const _s_o = (int *)(_mesi_shared + _plan.offset[0]);
  const int _n_v_0 = _plan.size[1][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  for (int _i0 = 0; _i0 < _n_o_0; _i0++)
    for (int _i1 = _t; _i1 < _n_o_1; _i1 += _threads)
      _s_o[_i0 * _n_o_1 + _i1] = o[_i0 * functions + _i1];
  __syncthreads();
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + _s_o[s * _n_o_1 + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_out: pages with the following in shared memory, where it fits at the launch.
//   out[blockIdx.x * 5 .. +5][0 .. +(long long)blockDim.x]  copied out; accesses per thread: 5.0
__global__ void pages_planned_out(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_out_1 = _plan.size[2][1];
  float *const _s_out = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  const int _o_out_0 = blockIdx.x * 5;
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    _s_out[page * _n_out_1 + threadIdx.x] = sum;
  }
  __syncthreads();
  for (int _i0 = 0; _i0 < 5; _i0++)
    for (int _i1 = _t; _i1 < _n_out_1; _i1 += _threads)
      out[(long long)(_o_out_0 + _i0) * blockDim.x + _i1] = _s_out[_i0 * _n_out_1 + _i1];
}

// pages_planned_o_out: pages with the following in shared memory, where it fits at the launch.
//   o[0 .. +(long long)summands][0 .. +(long long)functions]  copied in; accesses per thread: 5.0 * (mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1))
//   out[blockIdx.x * 5 .. +5][0 .. +(long long)blockDim.x]  copied out; accesses per thread: 5.0
__global__ void pages_planned_o_out(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_o_0 = _plan.size[0][0];
  const int _n_o_1 = _plan.size[0][1];
  int *const _s_o = (int *)(_mesi_shared + _plan.offset[0]);
  const int _n_out_1 = _plan.size[2][1];
  float *const _s_out = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  const int _o_out_0 = blockIdx.x * 5;
  for (int _i0 = 0; _i0 < _n_o_0; _i0++)
    for (int _i1 = _t; _i1 < _n_o_1; _i1 += _threads)
      _s_o[_i0 * _n_o_1 + _i1] = o[_i0 * functions + _i1];
  __syncthreads();
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + _s_o[s * _n_o_1 + f]];
    _s_out[page * _n_out_1 + threadIdx.x] = sum;
  }
  __syncthreads();
  for (int _i0 = 0; _i0 < 5; _i0++)
    for (int _i1 = _t; _i1 < _n_out_1; _i1 += _threads)
      out[(long long)(_o_out_0 + _i0) * blockDim.x + _i1] = _s_out[_i0 * _n_out_1 + _i1];
}

// pages_planned_v_out: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
//   out[blockIdx.x * 5 .. +5][0 .. +(long long)blockDim.x]  copied out; accesses per thread: 5.0
__global__ void pages_planned_v_out(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[1][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[1]);
  const int _n_out_1 = _plan.size[2][1];
  float *const _s_out = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  const int _o_out_0 = blockIdx.x * 5;
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    _s_out[page * _n_out_1 + threadIdx.x] = sum;
  }
  __syncthreads();
  for (int _i0 = 0; _i0 < 5; _i0++)
    for (int _i1 = _t; _i1 < _n_out_1; _i1 += _threads)
      out[(long long)(_o_out_0 + _i0) * blockDim.x + _i1] = _s_out[_i0 * _n_out_1 + _i1];
}

// pages_planned_o_v_out: pages with the following in shared memory, where it fits at the launch.
//   o[0 .. +(long long)summands][0 .. +(long long)functions]  copied in; accesses per thread: 5.0 * (mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1))
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
//   out[blockIdx.x * 5 .. +5][0 .. +(long long)blockDim.x]  copied out; accesses per thread: 5.0
__global__ void pages_planned_o_v_out(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_o_0 = _plan.size[0][0];
  const int _n_o_1 = _plan.size[0][1];
  int *const _s_o = (int *)(_mesi_shared + _plan.offset[0]);
  const int _n_v_0 = _plan.size[1][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[1]);
  const int _n_out_1 = _plan.size[2][1];
  float *const _s_out = (float *)(_mesi_shared + _plan.offset[2]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  const int _o_out_0 = blockIdx.x * 5;
  for (int _i0 = 0; _i0 < _n_o_0; _i0++)
    for (int _i1 = _t; _i1 < _n_o_1; _i1 += _threads)
      _s_o[_i0 * _n_o_1 + _i1] = o[_i0 * functions + _i1];
  __syncthreads();
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + _s_o[s * _n_o_1 + f])];
    _s_out[page * _n_out_1 + threadIdx.x] = sum;
  }
  __syncthreads();
  for (int _i0 = 0; _i0 < 5; _i0++)
    for (int _i1 = _t; _i1 < _n_out_1; _i1 += _threads)
      out[(long long)(_o_out_0 + _i0) * blockDim.x + _i1] = _s_out[_i0 * _n_out_1 + _i1];
}

// pages_planned_v_part: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v_part(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[1][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = _segments.length[_g] != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[12], _plan.value[13])))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

__global__ void rows(const float *__restrict__ v, const int *start, float *__restrict__ out, int n)
{
  float sum = 0;
  int at = start[blockIdx.x];
  for (int s = 0; s < n; s++)
    sum += v[at + s * 3 + (int)threadIdx.x] * 2;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// rows_planned: rows for launches at which nothing is staged.
__global__ void rows_planned(const float *__restrict__ v, const int *start, float *__restrict__ out, int n, const mesi_plan _plan, const mesi_segments _segments) {
  float sum = 0;
  int at = start[blockIdx.x];
  for (int s = 0; s < n; s++)
    sum += v[at + s * 3 + (int)threadIdx.x] * 2;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// rows_planned_v: rows with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)n - 1, 1)
__global__ void rows_planned_v(const float *__restrict__ v, const int *start, float *__restrict__ out, int n, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  for (int _g = 0; _g < _segments.count; _g++) {
    const long long _o_v = mesi_element(start, (long long)blockIdx.x, _plan.value[2], _plan.value[3]) + _segments.low[_g];
    for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
      if (_o_v + _i0 >= _plan.value[4] && _o_v + _i0 < _plan.value[5])
        _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
  }
  __syncthreads();
  float sum = 0;
  for (int s = 0; s < n; s++)
    sum += _s_v[_segments.shift[0] + (threadIdx.x + s * 3)] * 2;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// rows_planned_out: rows with the following in shared memory, where it fits at the launch.
//   out[blockIdx.x * 64 .. +64]  copied out; accesses per thread: 1.0
__global__ void rows_planned_out(const float *__restrict__ v, const int *start, float *__restrict__ out, int n, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  float *const _s_out = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = threadIdx.x;
  const int _o_out_0 = blockIdx.x * 64;
  float sum = 0;
  int at = start[blockIdx.x];
  for (int s = 0; s < n; s++)
    sum += v[at + s * 3 + (int)threadIdx.x] * 2;
  _s_out[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    out[_o_out_0 + _i0] = _s_out[_i0];
}

// rows_planned_v_out: rows with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)n - 1, 1)
//   out[blockIdx.x * 64 .. +64]  copied out; accesses per thread: 1.0
__global__ void rows_planned_v_out(const float *__restrict__ v, const int *start, float *__restrict__ out, int n, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  float *const _s_out = (float *)(_mesi_shared + _plan.offset[1]);
  const int _t = threadIdx.x;
  const int _o_out_0 = blockIdx.x * 64;
  for (int _g = 0; _g < _segments.count; _g++) {
    const long long _o_v = mesi_element(start, (long long)blockIdx.x, _plan.value[2], _plan.value[3]) + _segments.low[_g];
    for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
      if (_o_v + _i0 >= _plan.value[4] && _o_v + _i0 < _plan.value[5])
        _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
  }
  __syncthreads();
  float sum = 0;
  for (int s = 0; s < n; s++)
    sum += _s_v[_segments.shift[0] + (threadIdx.x + s * 3)] * 2;
  _s_out[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    out[_o_out_0 + _i0] = _s_out[_i0];
}

void f(float *v, float *out, int *b, int *p, short *t, int *o, int n)
{
  (mesi_launch_begin(&_mesi_ccc8215c, 0), mesi_stream(0), mesi_plan_measure(4, b, 4), mesi_plan_measure(6, p, 4), mesi_plan_measure(7, v, 4), [&]() { static thread_local mesi_segments_memory _mesi_m; mesi_plan_segments(_mesi_m, {mesi_shape_key(10), mesi_shape_key(n), (long long)(v), (long long)(out), (long long)(b), (long long)(p), (long long)(t), (long long)(o), (long long)(n / 8), (long long)(5), (long long)(n)}, 12288, (long long)(n / 8) - 1 + 1, [&](long long _mesi_g) { const mesi_bounds _mesi_b0 = mesi_plan_elements(_mesi_m, 0, o, 4, true, (long long)_mesi_g, (long long)_mesi_g + ((long long)n - 1) * (n / 8), (n / 8)); const mesi_bounds _mesi_b1 = mesi_plan_elements_unsigned(_mesi_m, 1, t, 2, true, (long long)_mesi_g * dim3(n).x, (long long)((int)dim3(n).x - 1) + (long long)_mesi_g * dim3(n).x, 1); return mesi_bounds_of(_mesi_b0.known && _mesi_b1.known, _mesi_b0.low + _mesi_b1.low, _mesi_b0.high + _mesi_b1.high); }); }(), mesi_plan_launch_segments(n, 49152, 0, {mesi_plan_of(true, 4, 5.0 * (mesi_trips((long long)n - 1, 1) * mesi_trips((long long)(n / 8) - 1, 1)), {(long long)n, (long long)(n / 8)}), mesi_plan_of(mesi_plan_knows(208), 4, mesi_planned_segments().share * 1.0 * mesi_trips((long long)n - 1, 1) * mesi_trips((long long)(n / 8) - 1, 1), {mesi_planned_segments().elements}, false, true), mesi_plan_of(true, 4, 5.0, {5, (long long)dim3(n).x})}), mesi_plan_kernel_segments(pages_planned, pages_planned_o, pages_planned_v, pages_planned_o_v, pages_planned_out, pages_planned_o_out, pages_planned_v_out, pages_planned_o_v_out, pages_planned_v_part)<<<10, n, mesi_planned().bytes>>>(mesi_arg(v, MESI_READ), mesi_arg_range(out, 0, 0, 0, mesi_times(196, dim3(n).x) + (long long)(dim3(n).x * 4), MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(b, 0, 17179869184ll, 0, 0, MESI_READ), mesi_arg_range(p, 0, mesi_times(16, (n / 8)) + (long long)(n / 8) * 4, 0, 0, MESI_READ), mesi_arg_range(t, 0, 8589934592ll, 0, 0, MESI_READ), mesi_arg_range(o, 0, mesi_times((long long)n * 4 - 4, (n / 8)) + (long long)(n / 8) * 4, 0, 0, MESI_READ), n / 8, 5, n, mesi_planned(), mesi_planned_segments()), mesi_launch_end());
  (mesi_launch_begin(&_mesi_ccc8215c, 1), mesi_stream(0), mesi_plan_measure(1, b, 4), mesi_plan_measure(2, v, 4), [&]() { static thread_local mesi_segments_memory _mesi_m; mesi_plan_segments(_mesi_m, {mesi_shape_key(n), mesi_shape_key(64), (long long)(v), (long long)(b), (long long)(out), (long long)(n)}, 0, 1, [&](long long) { return mesi_bounds_of(true, (long long)0, (long long)n * 3 + 60); }); }(), mesi_plan_launch_segments(64, 49152, 0, {mesi_plan_of(mesi_plan_knows(6), 4, mesi_planned_segments().share * 1.0 * mesi_trips((long long)n - 1, 1), {mesi_planned_segments().elements}, false, true), mesi_plan_of(true, 4, 1.0, {64})}), mesi_plan_kernel(rows_planned, rows_planned_v, rows_planned_out, rows_planned_v_out)<<<n, 64, mesi_planned().bytes>>>(mesi_arg(v, MESI_READ), mesi_arg_range(b, 0, (long long)(dim3(n).x * 4), 0, 0, MESI_READ), mesi_arg_range(out, 0, 0, 0, (long long)dim3(n).x * 256, MESI_WRITE | MESI_OVERWRITE), n, mesi_planned(), mesi_planned_segments()), mesi_launch_end());
}

extern int base[100] MESI_VS(_vs_base); static MESI_CONSTANT decltype(base) *_d_base;

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(base)> _vs_base; }
static const struct mesi_var _mesi_ccc8215c_vars[] = {
  {"base", (void *)&base, sizeof(base), &_d_base, MESI_VAR_GUARDED, 0, "plan_pages.mcu:30"},
};
static const struct mesi_site _mesi_ccc8215c_sites[] = {
  {"pages", "plan_pages.mcu:26", 0, 0, 0},
  {"rows", "plan_pages.mcu:27", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_ccc8215c = {MESI_ABI, "plan_pages.mcu", _mesi_ccc8215c_vars, 1, _mesi_ccc8215c_sites, 2}; }
MESI_REGISTER(_mesi_ccc8215c)
