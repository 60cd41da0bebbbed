#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_2ea7b5f7; }
// args: -O2 --no-line --mapping=never
// A kernel for each number of segments up to 4, for all of them in shared memory, for some and for none.
__global__ void pages(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands)
{
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++)
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[p[page * functions + f] + t[f * 64 + thread] + s];
  out[blockIdx.x * 64 + thread] = sum;
}
// pages_planned: pages for launches at which nothing is staged.
__global__ void pages_planned(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++)
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[p[page * functions + f] + t[f * 64 + thread] + s];
  out[blockIdx.x * 64 + thread] = sum;
}

// pages_planned_v: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[4], _plan.value[5]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[4], _plan.value[5]))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[_segments.shift[f] + (t[f * 64 + thread] + s)];
  }
  out[blockIdx.x * 64 + thread] = sum;
}

// pages_planned_v_rows: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v_rows(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[4], _plan.value[5]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[4], _plan.value[5]))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)];
  }
  out[blockIdx.x * 64 + thread] = sum;
}

// pages_planned_v_part: pages with the following in shared memory, where it fits at the launch.
//   v[0 .. +_segments.elements]  copied in; accesses per thread: _segments.share * 1.0 * mesi_trips((long long)summands - 1, 1) * mesi_trips((long long)functions - 1, 1)
__global__ void pages_planned_v_part(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    for (int _g = 0; _g < _segments.count && !_new_v; _g++)
      _new_v = _segments.length[_g] != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) != mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[4], _plan.value[5]);
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < _segments.count; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) == mesi_element(p, (long long)_g + (long long)(page - 1) * functions, _plan.value[4], _plan.value[5])))
          continue;
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[_segments.shift[f] + (t[f * 64 + thread] + s)] : v[p[page * functions + f] + t[f * 64 + thread] + s]);
  }
  out[blockIdx.x * 64 + thread] = sum;
}

// pages_planned_1: the same for functions = 1.
__global__ void pages_planned_1(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++)
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[p[page * functions + f] + t[f * 64 + thread] + s];
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_1: the same for functions = 1.
__global__ void pages_planned_v_1(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[1];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[1];
    for (int _g = 0; _g < 1; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 1; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)];
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_part_1: the same for functions = 1.
__global__ void pages_planned_v_part_1(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 1;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[1];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[1];
    for (int _g = 0; _g < 1; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 1; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)] : v[p[page * functions + f] + t[f * 64 + thread] + s]);
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_2: the same for functions = 2.
__global__ void pages_planned_2(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++)
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[p[page * functions + f] + t[f * 64 + thread] + s];
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_2: the same for functions = 2.
__global__ void pages_planned_v_2(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[2];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[2];
    for (int _g = 0; _g < 2; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 2; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)];
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_part_2: the same for functions = 2.
__global__ void pages_planned_v_part_2(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 2;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[2];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[2];
    for (int _g = 0; _g < 2; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 2; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)] : v[p[page * functions + f] + t[f * 64 + thread] + s]);
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_3: the same for functions = 3.
__global__ void pages_planned_3(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++)
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[p[page * functions + f] + t[f * 64 + thread] + s];
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_3: the same for functions = 3.
__global__ void pages_planned_v_3(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[3];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[3];
    for (int _g = 0; _g < 3; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 3; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)];
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_part_3: the same for functions = 3.
__global__ void pages_planned_v_part_3(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 3;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[3];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[3];
    for (int _g = 0; _g < 3; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 3; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)] : v[p[page * functions + f] + t[f * 64 + thread] + s]);
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_4: the same for functions = 4.
__global__ void pages_planned_4(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++)
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += v[p[page * functions + f] + t[f * 64 + thread] + s];
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_4: the same for functions = 4.
__global__ void pages_planned_v_4(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[4];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[4];
    for (int _g = 0; _g < 4; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 4; _g++) {
        if (page != 0 && _now_v[_g] == _b_v[_g])
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)];
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

// pages_planned_v_part_4: the same for functions = 4.
__global__ void pages_planned_v_part_4(const float *__restrict__ v, float *__restrict__ out, const int *p, const int *t, int functions, int pages, int summands, const mesi_plan _plan, const mesi_segments _segments) {
  { const int functions = 4;
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  const int _n_v_0 = _plan.size[0][0];
  float *const _s_v = (float *)(_mesi_shared + _plan.offset[0]);
  const int _t = threadIdx.x;
  long long _b_v[4];
  int sum = 0, thread = threadIdx.x;
  for (int page = 0; page < pages; page++) {
    bool _new_v = page == 0;
    long long _now_v[4];
    for (int _g = 0; _g < 4; _g++) {
      _now_v[_g] = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]);
      _new_v = _new_v || (_segments.length[_g] != 0 && _now_v[_g] != _b_v[_g]);
    }
    if (_new_v) {
      __syncthreads();
      for (int _g = 0; _g < 4; _g++) {
        if (_segments.length[_g] == 0 || (page != 0 && _now_v[_g] == _b_v[_g]))
          continue;
        _b_v[_g] = _now_v[_g];
        const long long _o_v = mesi_element(p, (long long)_g + (long long)page * functions, _plan.value[4], _plan.value[5]) + _segments.low[_g];
        for (int _i0 = _t; _i0 < _segments.length[_g]; _i0 += 64)
          if (_o_v + _i0 >= _plan.value[6] && _o_v + _i0 < _plan.value[7])
            _s_v[_segments.at[_g] + _i0 + mesi_segment_row(_i0, _segments.rows[_g])] = v[_o_v + _i0];
      }
      __syncthreads();
    }
    for (int s = 0; s < summands; s++)
      for (int f = 0; f < functions; f++)
        sum += (_segments.length[f] ? _s_v[(_segments.shift[f] + mesi_segment_row(t[(long long)threadIdx.x + (long long)f * 64] - _segments.row_low[f], _segments.rows[f])) + (t[f * 64 + thread] + s)] : v[p[page * functions + f] + t[f * 64 + thread] + s]);
  }
  out[blockIdx.x * 64 + thread] = sum;
}}

void f(float *v, float *out, int *p, int *t, int n)
{
  (mesi_launch_begin(&_mesi_2ea7b5f7, 0), mesi_stream(0), mesi_plan_measure(2, p, 4), mesi_plan_measure(3, v, 4), [&]() { static thread_local mesi_segments_memory _mesi_m; mesi_plan_segments(_mesi_m, {mesi_shape_key(10), mesi_shape_key(64), (long long)(v), (long long)(out), (long long)(p), (long long)(t), (long long)(n + 1), (long long)(5), (long long)(n)}, 12288, (long long)(n + 1) - 1 + 1, [&](long long _mesi_g) { const mesi_bounds _mesi_b0 = mesi_plan_elements(_mesi_m, 0, t, 4, true, (long long)_mesi_g * 64, (long long)_mesi_g * 64 + 63, 1); mesi_plan_rows(_mesi_m, {2, 4, 12288}, _mesi_g, 4, t, 4, true, (long long)_mesi_g * 64, (long long)_mesi_g * 64 + 63, 1); return mesi_bounds_of(_mesi_b0.known, _mesi_b0.low, (long long)n - 1 + _mesi_b0.high); }); }(), mesi_plan_launch_segments(64, 49152, 8, {mesi_plan_of(mesi_plan_knows(12), 4, mesi_planned_segments().share * 1.0 * mesi_trips((long long)n - 1, 1) * mesi_trips((long long)(n + 1) - 1, 1), {mesi_planned_segments().elements}, false, true, 64)}), mesi_plan_kernel_number((long long)(n + 1) - 1 + 1, 4, 4, pages_planned, pages_planned_v, pages_planned_v_rows, pages_planned_v_part, pages_planned_1, pages_planned_v_1, pages_planned_v_1, pages_planned_v_part_1, pages_planned_2, pages_planned_v_2, pages_planned_v_2, pages_planned_v_part_2, pages_planned_3, pages_planned_v_3, pages_planned_v_3, pages_planned_v_part_3, pages_planned_4, pages_planned_v_4, pages_planned_v_4, pages_planned_v_part_4)<<<10, 64, mesi_planned().bytes>>>(mesi_arg(v, MESI_READ), mesi_arg_range(out, 0, 0, 0, 2560, MESI_WRITE | MESI_OVERWRITE), mesi_arg_range(p, 0, mesi_times(16, (n + 1)) + (long long)(n + 1) * 4, 0, 0, MESI_READ), mesi_arg_range(t, 0, (long long)(n + 1) * 256, 0, 0, MESI_READ), n + 1, 5, n, mesi_planned(), mesi_planned_segments()), mesi_launch_end());
}

static int base[100] MESI_VS(_vs_base_2ea7b5f7); static MESI_CONSTANT decltype(base) *_d_base;

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(base)> _vs_base_2ea7b5f7; }
static const struct mesi_var _mesi_2ea7b5f7_vars[] = {
  {"base", (void *)&base, sizeof(base), &_d_base, 0, 0, "plan_numbers.mcu:18"},
};
static const struct mesi_site _mesi_2ea7b5f7_sites[] = {
  {"pages", "plan_numbers.mcu:15", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_2ea7b5f7 = {MESI_ABI, "plan_numbers.mcu", _mesi_2ea7b5f7_vars, 1, _mesi_2ea7b5f7_sites, 1}; }
MESI_REGISTER(_mesi_2ea7b5f7)
