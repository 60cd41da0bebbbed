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

// pages_planned_v: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
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

// pages_planned_v_rows: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v_rows(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
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
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_v_part: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v_part(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
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

// pages_planned_1: the same for functions = 1.
__global__ void pages_planned_1(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_1: the same for functions = 1.
__global__ void pages_planned_v_1(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[1];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[1];
    for (int _g = 0; _g < 1; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 1; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_1: the same for functions = 1.
__global__ void pages_planned_v_part_1(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[1];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[1];
    for (int _g = 0; _g < 1; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 1; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_2: the same for functions = 2.
__global__ void pages_planned_2(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_2: the same for functions = 2.
__global__ void pages_planned_v_2(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[2];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[2];
    for (int _g = 0; _g < 2; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 2; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_2: the same for functions = 2.
__global__ void pages_planned_v_part_2(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[2];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[2];
    for (int _g = 0; _g < 2; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 2; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_3: the same for functions = 3.
__global__ void pages_planned_3(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_3: the same for functions = 3.
__global__ void pages_planned_v_3(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[3];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[3];
    for (int _g = 0; _g < 3; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 3; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_3: the same for functions = 3.
__global__ void pages_planned_v_part_3(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[3];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[3];
    for (int _g = 0; _g < 3; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 3; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_4: the same for functions = 4.
__global__ void pages_planned_4(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_4: the same for functions = 4.
__global__ void pages_planned_v_4(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[4];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[4];
    for (int _g = 0; _g < 4; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 4; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_4: the same for functions = 4.
__global__ void pages_planned_v_part_4(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[4];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[4];
    for (int _g = 0; _g < 4; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 4; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + o[s * functions + f])] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + o[s * functions + f]]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_even: the same, elements of 'o' computed.
__global__ void pages_planned_even(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + (_segments.first[f] + s * _segments.increment[f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_v_even: the same, elements of 'o' computed.
__global__ void pages_planned_v_even(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
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
        sum += _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + (_segments.first[f] + s * _segments.increment[f]))];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_v_rows_even: the same, elements of 'o' computed.
__global__ void pages_planned_v_rows_even(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
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
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * blockDim.x] - _segments.row_low[f], _segments.rows[f])) + (t[f * blockDim.x + threadIdx.x] + (_segments.first[f] + s * _segments.increment[f]))];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_v_part_even: the same, elements of 'o' computed.
__global__ void pages_planned_v_part_even(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
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
        sum += (_segments.length[f] ? _s_v[_segments.shift[f] + (t[f * blockDim.x + threadIdx.x] + (_segments.first[f] + s * _segments.increment[f]))] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + t[f * blockDim.x + threadIdx.x] + (_segments.first[f] + s * _segments.increment[f])]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}

// pages_planned_even_1: the same for functions = 1, elements of 'o' computed.
__global__ void pages_planned_even_1(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  short _k1_t[1];
  for (int _g = 0; _g < 1; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_even_1: the same for functions = 1, elements of 'o' computed.
__global__ void pages_planned_v_even_1(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  short _k1_t[1];
  for (int _g = 0; _g < 1; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[1];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[1];
    for (int _g = 0; _g < 1; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 1; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_even_1: the same for functions = 1, elements of 'o' computed.
__global__ void pages_planned_v_part_even_1(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  short _k1_t[1];
  for (int _g = 0; _g < 1; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[1];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[1];
    for (int _g = 0; _g < 1; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 1; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_even_2: the same for functions = 2, elements of 'o' computed.
__global__ void pages_planned_even_2(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  short _k1_t[2];
  for (int _g = 0; _g < 2; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_even_2: the same for functions = 2, elements of 'o' computed.
__global__ void pages_planned_v_even_2(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  short _k1_t[2];
  for (int _g = 0; _g < 2; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[2];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[2];
    for (int _g = 0; _g < 2; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 2; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_even_2: the same for functions = 2, elements of 'o' computed.
__global__ void pages_planned_v_part_even_2(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  short _k1_t[2];
  for (int _g = 0; _g < 2; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[2];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[2];
    for (int _g = 0; _g < 2; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 2; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_even_3: the same for functions = 3, elements of 'o' computed.
__global__ void pages_planned_even_3(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  short _k1_t[3];
  for (int _g = 0; _g < 3; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_even_3: the same for functions = 3, elements of 'o' computed.
__global__ void pages_planned_v_even_3(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  short _k1_t[3];
  for (int _g = 0; _g < 3; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[3];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[3];
    for (int _g = 0; _g < 3; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 3; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_even_3: the same for functions = 3, elements of 'o' computed.
__global__ void pages_planned_v_part_even_3(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  short _k1_t[3];
  for (int _g = 0; _g < 3; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[3];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[3];
    for (int _g = 0; _g < 3; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 3; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_even_4: the same for functions = 4, elements of 'o' computed.
__global__ void pages_planned_even_4(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  short _k1_t[4];
  for (int _g = 0; _g < 4; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  for (int page = 0; page < page_count; page++) {
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_even_4: the same for functions = 4, elements of 'o' computed.
__global__ void pages_planned_v_even_4(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  short _k1_t[4];
  for (int _g = 0; _g < 4; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[4];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[4];
    for (int _g = 0; _g < 4; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 4; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))];
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

// pages_planned_v_part_even_4: the same for functions = 4, elements of 'o' computed.
__global__ void pages_planned_v_part_even_4(const float *__restrict__ v, float *__restrict__ out, const int *b, const int *p, const short *t, const int *o, int functions, int page_count, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  short _k1_t[4];
  for (int _g = 0; _g < 4; _g++) {
    _k1_t[_g] = t[(long long)threadIdx.x + (long long)_g * blockDim.x];
  }
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int _threads = blockDim.x * blockDim.y * blockDim.z;
  long long _b_v[4];
  for (int page = 0; page < page_count; page++) {
    bool _new_v = page == 0;
    long long _now_v[4];
    for (int _g = 0; _g < 4; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 4; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[12], _plan.value[13]) + mesi_element(b, (unsigned)((long long)_g + (long long)blockIdx.x * functions), _plan.value[8], _plan.value[9]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += _threads)
          if (_o_v + _i0 >= _plan.value[14] && _o_v + _i0 < _plan.value[15])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(_k1_t[f] - _segments.row_low[f], _segments.rows[f])) + (_k1_t[f] + (_segments.first[f] + s * _segments.increment[f]))] : v[b[blockIdx.x * functions + f] + p[page * functions + f] + _k1_t[f] + (_segments.first[f] + s * _segments.increment[f])]);
    out[(blockIdx.x * page_count + page) * blockDim.x + threadIdx.x] = sum;
  }
}}

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
  (mesi_launch_begin(&_mesi_ccc8215c, 0), mesi_stream(0), mesi_plan_measure(4, b, 4), mesi_plan_measure(6, p, 4), mesi_plan_measure(7, v, 4), [&]() { static thread_local mesi_segments_memory _mesi_m; mesi_plan_segments(_mesi_m, {mesi_shape_key(10), mesi_shape_key(n), (long long)(v), (long long)(out), (long long)(b), (long long)(p), (long long)(t), (long long)(o), (long long)(n / 8), (long long)(5), (long long)(n)}, 12288, (long long)(n / 8) - 1 + 1, [&](long long _mesi_g) { const mesi_bounds _mesi_b0 = mesi_plan_elements(_mesi_m, 0, o, 4, true, (long long)_mesi_g, (long long)_mesi_g + ((long long)n - 1) * (n / 8), (n / 8)); mesi_plan_evenly(_mesi_g, o, 4, true, (long long)_mesi_g, (long long)_mesi_g + ((long long)n - 1) * (n / 8), (n / 8)); const mesi_bounds _mesi_b1 = mesi_plan_elements_unsigned(_mesi_m, 1, t, 2, true, (long long)_mesi_g * dim3(n).x, (long long)((int)dim3(n).x - 1) + (long long)_mesi_g * dim3(n).x, 1); mesi_plan_worth(_mesi_m, 2, _mesi_g, (mesi_planned_segments().share * 1.0 * mesi_trips((long long)n - 1, 1) * mesi_trips((long long)(n / 8) - 1, 1)) * mesi_threads_of(n) / (double)((long long)(n / 8) - 1 + 1), p, 4, true, (long long)_mesi_g, (long long)_mesi_g + (long long)4 * (n / 8), (n / 8)); mesi_plan_rows(_mesi_m, {2, 4, 12288}, _mesi_g, 4, t, 2, true, (long long)_mesi_g * dim3(n).x, (long long)((int)dim3(n).x - 1) + (long long)_mesi_g * dim3(n).x, 1); return mesi_bounds_of(_mesi_b0.known && _mesi_b1.known, _mesi_b0.low + _mesi_b1.low, _mesi_b0.high + _mesi_b1.high); }); }(), mesi_plan_launch_segments(n, 49152, 0, {mesi_plan_of(mesi_plan_knows(208), 4, mesi_planned_segments().share * 1.0 * mesi_trips((long long)n - 1, 1) * mesi_trips((long long)(n / 8) - 1, 1), {mesi_planned_segments().elements}, false, true)}), mesi_plan_kernel_even((long long)(n / 8) - 1 + 1, 4, 4, pages_planned, pages_planned_v, pages_planned_v_rows, pages_planned_v_part, pages_planned_1, pages_planned_v_1, pages_planned_v_1, pages_planned_v_part_1, pages_planned_2, pages_planned_v_2, pages_planned_v_2, pages_planned_v_part_2, pages_planned_3, pages_planned_v_3, pages_planned_v_3, pages_planned_v_part_3, pages_planned_4, pages_planned_v_4, pages_planned_v_4, pages_planned_v_part_4, pages_planned_even, pages_planned_v_even, pages_planned_v_rows_even, pages_planned_v_part_even, pages_planned_even_1, pages_planned_v_even_1, pages_planned_v_even_1, pages_planned_v_part_even_1, pages_planned_even_2, pages_planned_v_even_2, pages_planned_v_even_2, pages_planned_v_part_even_2, pages_planned_even_3, pages_planned_v_even_3, pages_planned_v_even_3, pages_planned_v_part_even_3, pages_planned_even_4, pages_planned_v_even_4, pages_planned_v_even_4, pages_planned_v_part_even_4)<<<10, n, mesi_planned().bytes>>>(mesi_arg(v, MESI_READ), mesi_arg_range(out, 0, 0, 0, mesi_times(196, dim3(n).x) + (long long)(dim3(n).x * 4), MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(b, 0, 17179869184ll, 0, 0, MESI_READ), mesi_arg_range(p, 0, mesi_times(16, (n / 8)) + (long long)(n / 8) * 4, 0, 0, MESI_READ), mesi_arg_range(t, 0, 8589934592ll, 0, 0, MESI_READ), mesi_arg_range(o, 0, mesi_times((long long)n * 4 - 4, (n / 8)) + (long long)(n / 8) * 4, 0, 0, MESI_READ), n / 8, 5, n, mesi_planned(), mesi_planned_segments()), mesi_launch_end());
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
