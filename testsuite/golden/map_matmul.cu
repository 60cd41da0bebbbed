#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_59c5d64c; }
// args: -O2 --no-line --mapping=64x64
#define N 256
extern float a[N][N] MESI_VS(_vs_a), b[N][N] MESI_VS(_vs_b), c[N][N] MESI_VS(_vs_c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(c) *_d_c;
__global__ void matmul(float a[][N], float b[][N], float c[][N]) {
  int k;
  int row = blockDim.y * blockIdx.y + threadIdx.y;
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  c[row][col] = 0;
  for (k = 0; k < N; k++) {
    c[row][col] += a[row][k] * b[k][col];
  }
}
// matmul_mapped: matmul with blocks of 64 x 64 elements for 16 x 16 threads; tiles in 16896 bytes of shared memory.
// Predicted gain: 0.5.
static __global__ void __launch_bounds__(256) matmul_mapped(float (*a)[256], float (*b)[256], float (*c)[256]) {
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][64];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  int k;
  float _r_c[4][4];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x++)
      _r_c[_y][_x] = 0;
  {
    int _b = 0;
#pragma unroll
    for (int _e = 0; _e < 4; _e++) {
      int _i1 = _t % 16;
      int _i0 = _e * 16 + _t / 16;
      int _j0 = blockIdx.y * 64 + _i0;
      mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0][_i1]);
    }
    {
      int _i1 = _t % 16 * 4;
      int _i0 = _t / 16;
      int _j1 = blockIdx.x * 64 + _i1;
      mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0][_j1]);
    }
    mesi_copy_commit();
    for (int _k = 0; _k < 256; _k += 16) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 16 < 256) {
#pragma unroll
        for (int _e = 0; _e < 4; _e++) {
          int _i1 = _t % 16;
          int _i0 = _e * 16 + _t / 16;
          int _j0 = blockIdx.y * 64 + _i0;
          int _j1 = _k + 16 + _i1;
          mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0][_j1]);
        }
        {
          int _i1 = _t % 16 * 4;
          int _i0 = _t / 16;
          int _j0 = _k + 16 + _i0;
          int _j1 = blockIdx.x * 64 + _i1;
          mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0][_j1]);
        }
      }
      mesi_copy_commit();
#pragma unroll
      for (k = _k; k < _k + 16; k++) {
        float _r_a[4];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
          _r_a[_y] = _s_a[_b][k - _k][_ty + _y];
        float _r_b[4];
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
          _r_b[_x] = _s_b[_b][k - _k][_tx + _x];
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _r_c[_y][_x] += _r_a[_y] * _r_b[_x];
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int row = (int)(blockIdx.y * 64 + (_ty + _y));
      int col = (int)(blockIdx.x * 64 + (_tx + _x));
      c[row][col] = _r_c[_y][_x];
    }
}
int main() {
  (mesi_launch_begin(&_mesi_59c5d64c, 0), mesi_stream(0), matmul_mapped<<<dim3(4, 4), dim3(16, 16)>>>(mesi_arg(a, MESI_READ), mesi_arg(b, MESI_READ), mesi_arg_range(c, 0, 0, 0, 262144, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
static const struct mesi_var _mesi_59c5d64c_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_matmul.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_matmul.mcu:3"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_matmul.mcu:3"},
};
static const struct mesi_site _mesi_59c5d64c_sites[] = {
  {"matmul", "map_matmul.mcu:14", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_59c5d64c = {MESI_ABI, "map_matmul.mcu", _mesi_59c5d64c_vars, 3, _mesi_59c5d64c_sites, 1}; }
MESI_REGISTER(_mesi_59c5d64c)
