#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_af6c558b; }
// args: -O2 --no-line -arch=sm_90 --mapping=always
#define N 1024
extern float c[N][N] MESI_VS(_vs_c), a[N][N] MESI_VS(_vs_a), b[N][N] MESI_VS(_vs_b), w[N] MESI_VS(_vs_w); static MESI_CONSTANT decltype(c) *_d_c; static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(w) *_d_w;
#define IDS int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y
// As written the product is stored, and the right one of two products is rounded.
__global__ void scaled(float *x, const float *y, const float *z, int n) { IDS; for (int k = 0; k < n; k++) x[j * N + i] = (x[j * N + i] + y[j * N + k] + z[k * N + i]) * 0.9f; }
// scaled_mapped: scaled with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
// Predicted gain: 4.2.
static __global__ void __launch_bounds__(128, 4) scaled_mapped(float *x, const float *y, const float *z, int n) {
  __shared__ __align__(16) float _s_y[2][16][68];
  __shared__ __align__(16) float _s_z[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    float _r_x[8][8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
        _r_x[_y][_x] = x[j * 1024 + i];
      }
    {
      int _b = 0;
      if (0 < n) {
#pragma unroll
        for (int _e = 0; _e < 8; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = blockIdx.y * 64 + _i0;
          mesi_copy_async<4>(&_s_y[0][_i1][_i0], &y[_j0 * 1024 + _i1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_z[0][_i0][_i1], &z[_i0 * 1024 + _j1]);
        }
      }
      mesi_copy_commit();
      for (int _k = 0; _k < n; _k += 16) {
        mesi_copy_wait();
        __syncthreads();
        if (_k + 16 < n) {
#pragma unroll
          for (int _e = 0; _e < 8; _e++) {
            int _i1 = _t % 16;
            int _i0 = _e * 8 + _t / 16;
            int _j0 = blockIdx.y * 64 + _i0;
            int _j1 = _k + 16 + _i1;
            mesi_copy_async<4>(&_s_y[1 - _b][_i1][_i0], &y[_j0 * 1024 + _j1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e * 4 + _t / 32;
            int _j0 = _k + 16 + _i0;
            int _j1 = blockIdx.x * 128 + _i1;
            mesi_copy_async<16>(&_s_z[1 - _b][_i0][_i1], &z[_j0 * 1024 + _j1]);
          }
        }
        mesi_copy_commit();
#pragma unroll 8
        for (int k = _k; k < _k + 16; k++) {
          float _r_y[8];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
            _r_y[_y] = _s_y[_b][k - _k][_ty + _y / 4 * 32 + _y % 4];
          float _r_z[8];
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            _r_z[_x] = _s_z[_b][k - _k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              _r_x[_y][_x] = __fmul_rn((_r_x[_y][_x] + _r_y[_y] + _r_z[_x]), 0.9f);
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4));
        x[j * 1024 + i] = _r_x[_y][_x];
      }
  }
}
// scaled_mapped_part: scaled_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128, 4) scaled_mapped_part(float *x, const float *y, const float *z, int n, const mesi_run _run) {
  __shared__ __align__(16) float _s_y[2][16][68];
  __shared__ __align__(16) float _s_z[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    float _r_x[8][8];
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y / 4 * 32 + _y % 4));
        _r_x[_y][_x] = x[j * 1024 + i];
      }
    {
      int _b = 0;
      if (0 < n) {
#pragma unroll
        for (int _e = 0; _e < 8; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = (blockIdx.y + _run.first) * 64 + _i0;
          mesi_copy_async<4>(&_s_y[0][_i1][_i0], &y[_j0 * 1024 + _i1]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_z[0][_i0][_i1], &z[_i0 * 1024 + _j1]);
        }
      }
      mesi_copy_commit();
      for (int _k = 0; _k < n; _k += 16) {
        mesi_copy_wait();
        __syncthreads();
        if (_k + 16 < n) {
#pragma unroll
          for (int _e = 0; _e < 8; _e++) {
            int _i1 = _t % 16;
            int _i0 = _e * 8 + _t / 16;
            int _j0 = (blockIdx.y + _run.first) * 64 + _i0;
            int _j1 = _k + 16 + _i1;
            mesi_copy_async<4>(&_s_y[1 - _b][_i1][_i0], &y[_j0 * 1024 + _j1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e * 4 + _t / 32;
            int _j0 = _k + 16 + _i0;
            int _j1 = blockIdx.x * 128 + _i1;
            mesi_copy_async<16>(&_s_z[1 - _b][_i0][_i1], &z[_j0 * 1024 + _j1]);
          }
        }
        mesi_copy_commit();
#pragma unroll 8
        for (int k = _k; k < _k + 16; k++) {
          float _r_y[8];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
            _r_y[_y] = _s_y[_b][k - _k][_ty + _y / 4 * 32 + _y % 4];
          float _r_z[8];
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            _r_z[_x] = _s_z[_b][k - _k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
          for (int _y = 0; _y < 8; _y++)
#pragma unroll
            for (int _x = 0; _x < 8; _x++)
              _r_x[_y][_x] = __fmul_rn((_r_x[_y][_x] + _r_y[_y] + _r_z[_x]), 0.9f);
        }
        _b = 1 - _b;
      }
      __syncthreads();
    }
#pragma unroll
    for (int _y = 0; _y < 8; _y++)
#pragma unroll
      for (int _x = 0; _x < 8; _x++) {
        int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y / 4 * 32 + _y % 4));
        x[j * 1024 + i] = _r_x[_y][_x];
      }
  }
}
__global__ void paired(int n) { auto &a = *_d_a; auto &w = *_d_w; auto &b = *_d_b; auto &c = *_d_c; IDS; float s = 0; for (int k = 0; k < n; k++) s += a[j][k] * w[k] + b[k][i] * w[k]; c[j][i] = s; }
// paired_mapped: paired with blocks of 128 x 32 elements for 16 x 8 threads; tiles in 21120 bytes of shared memory.
// Predicted gain: 9.8.
static __global__ void __launch_bounds__(128) paired_mapped(int n) {
  auto &a = *_d_a;
  auto &w = *_d_w;
  auto &b = *_d_b;
  auto &c = *_d_c;
  __shared__ __align__(16) float _s_a[2][16][36];
  __shared__ __align__(16) float _s_w[2][16];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  float s[4][8];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++)
      s[_y][_x] = 0;
  {
    int _b = 0;
    if (0 < n) {
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = blockIdx.y * 32 + _i0;
        mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0][_i1]);
      }
      for (int _q = _t; _q < 4; _q += 128) {
        int _i0 = _q * 4;
        mesi_copy_async<16>(&_s_w[0][_i0], &w[_i0]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e * 4 + _t / 32;
        int _j1 = blockIdx.x * 128 + _i1;
        mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0][_j1]);
      }
    }
    mesi_copy_commit();
    for (int _k = 0; _k < n; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < n) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = blockIdx.y * 32 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0][_j1]);
        }
        for (int _q = _t; _q < 4; _q += 128) {
          int _i0 = _q * 4;
          int _j0 = _k + 16 + _i0;
          mesi_copy_async<16>(&_s_w[1 - _b][_i0], &w[_j0]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0][_j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll
      for (int k = _k; k < _k + 16; k++) {
        float _r_a[4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
          _r_a[_y] = _s_a[_b][k - _k][_ty + _y] * _s_w[_b][k - _k];
        float _r_b[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          _r_b[_x] = __fmul_rn(_s_b[_b][k - _k][_tx + _x / 4 * 64 + _x % 4], _s_w[_b][k - _k]);
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            s[_y][_x] += _r_a[_y] + _r_b[_x];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)(blockIdx.y * 32 + (_ty + _y)); c[j][i] = s[_y][_x];
    }
}
// paired_mapped_part: paired_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128) paired_mapped_part(int n, const mesi_run _run) {
  auto &a = *_d_a;
  auto &w = *_d_w;
  auto &b = *_d_b;
  auto &c = *_d_c;
  __shared__ __align__(16) float _s_a[2][16][36];
  __shared__ __align__(16) float _s_w[2][16];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  float s[4][8];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++)
      s[_y][_x] = 0;
  {
    int _b = 0;
    if (0 < n) {
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 16;
        int _i0 = _e * 8 + _t / 16;
        int _j0 = (blockIdx.y + _run.first) * 32 + _i0;
        mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0][_i1]);
      }
      for (int _q = _t; _q < 4; _q += 128) {
        int _i0 = _q * 4;
        mesi_copy_async<16>(&_s_w[0][_i0], &w[_i0]);
      }
#pragma unroll
      for (int _e = 0; _e < 4; _e++) {
        int _i1 = _t % 32 * 4;
        int _i0 = _e * 4 + _t / 32;
        int _j1 = blockIdx.x * 128 + _i1;
        mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0][_j1]);
      }
    }
    mesi_copy_commit();
    for (int _k = 0; _k < n; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < n) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 8 + _t / 16;
          int _j0 = (blockIdx.y + _run.first) * 32 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0][_j1]);
        }
        for (int _q = _t; _q < 4; _q += 128) {
          int _i0 = _q * 4;
          int _j0 = _k + 16 + _i0;
          mesi_copy_async<16>(&_s_w[1 - _b][_i0], &w[_j0]);
        }
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 32 * 4;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 128 + _i1;
          mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0][_j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll
      for (int k = _k; k < _k + 16; k++) {
        float _r_a[4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
          _r_a[_y] = _s_a[_b][k - _k][_ty + _y] * _s_w[_b][k - _k];
        float _r_b[8];
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          _r_b[_x] = __fmul_rn(_s_b[_b][k - _k][_tx + _x / 4 * 64 + _x % 4], _s_w[_b][k - _k]);
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            s[_y][_x] += _r_a[_y] + _r_b[_x];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      int i = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4)); int j = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y)); c[j][i] = s[_y][_x];
    }
}
// The product stands in front of the loop.
__global__ void in_front(float by, int n) { auto &a = *_d_a; auto &b = *_d_b; auto &c = *_d_c; IDS; float s = 0; for (int k = 0; k < n; k++) s += (by * by + a[j][k]) * b[k][i]; c[j][i] = s; }
// in_front_part: in_front for a run of blocks along y, from _run.first of _run.blocks.
__global__ void in_front_part(float by, int n, const mesi_run _run) {
  auto &a = *_d_a;
  auto &b = *_d_b;
  auto &c = *_d_c;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = (blockIdx.y + _run.first) * blockDim.y + threadIdx.y; float s = 0;
  for (int k = 0; k < n; k++) s += (by * by + a[j][k]) * b[k][i];
  c[j][i] = s;
}
// A stored product that is read again.
__global__ void again(float *x, const float *y, float *z) { IDS; x[i] = x[i] * 0.3f; float t = y[i + 1]; z[i] = t; x[i] += t; z[i + N] = y[i + 7] + x[i]; }
int main() {
  (mesi_launch_begin(&_mesi_af6c558b, 0), mesi_launch_on_several(), mesi_stream(0), mesi_map(dim3(N / 16, N / 16), dim3(16, 16), 128, 64, dim3(16, 8), 0), mesi_parted(mesi_runs(scaled_mapped, {scaled_mapped_part}, 0, 1), dim3(8, 16), dim3(16, 8))(mesi_arg_range(&c[0][0], 0, 4194304, 0, 4194304, MESI_READ_WRITE, {65536, 0, 65536}, {65536, 0, 65536}), mesi_arg_range(&a[0][0], 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_arg_range(&b[0][0], 0, 4194304, 0, 0, MESI_READ), N), mesi_launch_end());
  (mesi_launch_begin(&_mesi_af6c558b, 1), mesi_launch_on_several(), mesi_launch_range(0, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(1, 0, 4096, 0, 0, MESI_READ), mesi_launch_range(2, 0, 4194304, 0, 0, MESI_READ), mesi_launch_range(3, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {65536, 0, 65536}), mesi_stream(0), mesi_map(dim3(N / 16, N / 16), dim3(16, 16), 128, 32, dim3(16, 8), 0), mesi_parted(mesi_runs(paired_mapped, {paired_mapped_part}, 0, 1), dim3(8, 32), dim3(16, 8))(N), mesi_launch_end());
  (mesi_launch_begin(&_mesi_af6c558b, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(1, 0, 4194304, 0, 0, MESI_READ), mesi_launch_range(2, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {65536, 0, 65536}), mesi_stream(0), mesi_parted(in_front, in_front_part, 1, dim3(N / 16, N / 16), dim3(16, 16))(0.3f, N), mesi_launch_end());
  (mesi_launch_begin(&_mesi_af6c558b, 3), mesi_stream(0), again<<<2, 256>>>(mesi_arg_range(&c[0][0], 0, 2048, 0, 2048, MESI_READ_WRITE), mesi_arg_range(&a[0][0], 4, 2076, 0, 0, MESI_READ), mesi_arg_range(&b[0][0], 0, 0, 0, 6144, MESI_WRITE)), mesi_launch_end());
  mesi_use_bytes(c, 12304, 12308, MESI_READ); return c[3][4] > 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(w)> _vs_w; }
static const struct mesi_var _mesi_af6c558b_vars[] = {
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_pinned.mcu:3"},
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_pinned.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_pinned.mcu:3"},
  {"w", (void *)&w, sizeof(w), &_d_w, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "rounding_pinned.mcu:3"},
};
static const struct mesi_site_use _mesi_af6c558b_uses_1[] = {{1, MESI_READ}, {3, MESI_READ}, {2, MESI_READ}, {0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_af6c558b_uses_2[] = {{1, MESI_READ}, {2, MESI_READ}, {0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_af6c558b_sites[] = {
  {"scaled", "rounding_pinned.mcu:13", 0, 0, 0},
  {"paired", "rounding_pinned.mcu:14", _mesi_af6c558b_uses_1, 4, 0},
  {"in_front", "rounding_pinned.mcu:15", _mesi_af6c558b_uses_2, 3, 0},
  {"again", "rounding_pinned.mcu:16", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_af6c558b = {MESI_ABI, "rounding_pinned.mcu", _mesi_af6c558b_vars, 4, _mesi_af6c558b_sites, 4}; }
MESI_REGISTER(_mesi_af6c558b)
