#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_f255bfc3; }
// args: -O2 --no-line
enum { N = 1 << 24 };
extern float a[N] MESI_VS(_vs_a), b[N] MESI_VS(_vs_b), c[N] MESI_VS(_vs_c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(c) *_d_c;
extern int marks[N] MESI_VS(_vs_marks); static MESI_CONSTANT decltype(marks) *_d_marks;

__global__ void relu(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (in[i] > 0)
      out[i] = in[i];
    else
      out[i] = 0;
  }
}
// relu_mapped: relu with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) relu_mapped(const float *__restrict__ in, float *out, int n) {
  bool _whole = true;
  _whole = _whole && (mesi_vector_at(&in[(int)(blockIdx.x * 1024 + 0)]) && mesi_vector_at(&out[(int)(blockIdx.x * 1024 + 0)]));
  if (_whole) {
    float _w_in[4];
    mesi_vector_load(&_w_in[0], &in[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    float _w_out[4];
    {
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++) {
            float _v = _w_in[_x];
            _w_out[_x] = _v > 0 ? _v : 0;
          }
        }
      }
    }
    mesi_vector_store(&out[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));
      if (i < n) {
        {
          float _v = in[i];
          out[i] = _v > 0 ? _v : 0;
        }
      }
    }
}
// relu_mapped_part: relu_mapped for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) relu_mapped_part(const float *__restrict__ in, float *out, int n, const mesi_run _run) {
  bool _whole = true;
  _whole = _whole && (mesi_vector_at(&in[(int)((blockIdx.x + _run.first) * 1024 + 0)]) && mesi_vector_at(&out[(int)((blockIdx.x + _run.first) * 1024 + 0)]));
  if (_whole) {
    float _w_in[4];
    mesi_vector_load(&_w_in[0], &in[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)]);
    float _w_out[4];
    {
      {
        {
#pragma unroll
          for (int _x = 0; _x < 4; _x++) {
            float _v = _w_in[_x];
            _w_out[_x] = _v > 0 ? _v : 0;
          }
        }
      }
    }
    mesi_vector_store(&out[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)], &_w_out[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)((blockIdx.x + _run.first) * 1024 + ((int)threadIdx.x + _x * 256));
      if (i < n) {
        {
          float _v = in[i];
          out[i] = _v > 0 ? _v : 0;
        }
      }
    }
}

__global__ void below() { auto &a = *_d_a; auto &b = *_d_b; auto &marks = *_d_marks;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] < b[i]) {
    b[i] = a[i];
    marks[i] = 1;
  } else {
    b[i] = 1;
    marks[i] = a[i];
  }
}
// below_mapped: below with blocks of 1024 x 1 elements for 256 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(256) below_mapped() {
  auto &a = *_d_a;
  auto &b = *_d_b;
  auto &marks = *_d_marks;
  bool _whole = true;
  _whole = _whole && (mesi_vector_at(&a[(int)(blockIdx.x * 1024 + 0)]) && mesi_vector_at(&b[(int)(blockIdx.x * 1024 + 0)]) && mesi_vector_at(&marks[(int)(blockIdx.x * 1024 + 0)]));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    float _w_b[4];
    mesi_vector_load(&_w_b[0], &b[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)]);
    int _w_marks[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          float _v = _w_a[_x];
          bool _c = _v < _w_b[_x];
          _w_b[_x] = _c ? _v : 1;
          _w_marks[_x] = _c ? 1 : (int)_w_a[_x];
        }
      }
    }
    mesi_vector_store(&b[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_b[0]);
    mesi_vector_store(&marks[(int)(blockIdx.x * 1024 + (int)threadIdx.x * 4)], &_w_marks[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)(blockIdx.x * 1024 + ((int)threadIdx.x + _x * 256));
      {
        float _v = __ldg(&a[i]);
        bool _c = _v < b[i];
        b[i] = _c ? _v : 1;
        marks[i] = _c ? 1 : (int)__ldg(&a[i]);
      }
    }
}
// below_mapped_part: below_mapped for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) below_mapped_part(const mesi_run _run) {
  auto &a = *_d_a;
  auto &b = *_d_b;
  auto &marks = *_d_marks;
  bool _whole = true;
  _whole = _whole && (mesi_vector_at(&a[(int)((blockIdx.x + _run.first) * 1024 + 0)]) && mesi_vector_at(&b[(int)((blockIdx.x + _run.first) * 1024 + 0)]) && mesi_vector_at(&marks[(int)((blockIdx.x + _run.first) * 1024 + 0)]));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)]);
    float _w_b[4];
    mesi_vector_load(&_w_b[0], &b[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)]);
    int _w_marks[4];
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++) {
          float _v = _w_a[_x];
          bool _c = _v < _w_b[_x];
          _w_b[_x] = _c ? _v : 1;
          _w_marks[_x] = _c ? 1 : (int)_w_a[_x];
        }
      }
    }
    mesi_vector_store(&b[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)], &_w_b[0]);
    mesi_vector_store(&marks[(int)((blockIdx.x + _run.first) * 1024 + (int)threadIdx.x * 4)], &_w_marks[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)((blockIdx.x + _run.first) * 1024 + ((int)threadIdx.x + _x * 256));
      {
        float _v = __ldg(&a[i]);
        bool _c = _v < b[i];
        b[i] = _c ? _v : 1;
        marks[i] = _c ? 1 : (int)__ldg(&a[i]);
      }
    }
}

__global__ void kept(float *out, int n) { auto &a = *_d_a; auto &b = *_d_b;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (a[i] > 1) out[i] = 1; else out[i] = a[i];
    if (b[i] > 1) out[i] += 1; else out[i] += 2;
  }
}

void run() {
  (mesi_launch_begin(&_mesi_f255bfc3, 0), mesi_launch_on_devices(), mesi_stream(0), mesi_map(N / 256, 256, 1024, 1, 256, 0), mesi_parted(mesi_runs(relu_mapped, {relu_mapped_part}, 0, 0), 16384, 256)(mesi_arg_range(a, 0, 67108864, 0, 0, MESI_READ, {1024, 0, 1024}, {}), mesi_arg_range(b, 0, 0, 0, 67108864, MESI_WRITE, {}, {1024, 0, 1024}), N), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f255bfc3, 1), mesi_launch_on_devices(), mesi_launch_range(0, 0, 67108864, 0, 0, MESI_READ, {1024, 0, 1024}, {}), mesi_launch_range(1, 0, 67108864, 0, 67108864, MESI_READ_WRITE, {1024, 0, 1024}, {1024, 0, 1024}), mesi_launch_range(2, 0, 0, 0, 67108864, MESI_WRITE, {}, {1024, 0, 1024}), mesi_stream(0), mesi_map(N / 256, 256, 1024, 1, 256, 0), mesi_parted(mesi_runs(below_mapped, {below_mapped_part}, 0, 0), 16384, 256)(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_f255bfc3, 2), mesi_stream(0), kept<<<256, 256>>>(mesi_arg(c, MESI_READ_WRITE), N), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(marks)> _vs_marks; }
static const struct mesi_var _mesi_f255bfc3_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "if_convert.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "if_convert.mcu:3"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "if_convert.mcu:3"},
  {"marks", (void *)&marks, sizeof(marks), &_d_marks, MESI_VAR_GUARDED, 0, "if_convert.mcu:4"},
};
static const struct mesi_site_use _mesi_f255bfc3_uses_1[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}, {3, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_f255bfc3_uses_2[] = {{0, MESI_READ}, {1, MESI_READ}};
static const struct mesi_site _mesi_f255bfc3_sites[] = {
  {"relu", "if_convert.mcu:35", 0, 0, 0},
  {"below", "if_convert.mcu:36", _mesi_f255bfc3_uses_1, 3, 0},
  {"kept", "if_convert.mcu:37", _mesi_f255bfc3_uses_2, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_f255bfc3 = {MESI_ABI, "if_convert.mcu", _mesi_f255bfc3_vars, 4, _mesi_f255bfc3_sites, 3}; }
MESI_REGISTER(_mesi_f255bfc3)
