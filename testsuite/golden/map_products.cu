#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_75d8d638; }
// args: -O3 --no-line --mapping=64x64/8x16/8/mma
#define N 256
#define K 100
extern double a[N][K] MESI_VS(_vs_a), b[K][N] MESI_VS(_vs_b), c[N][N] MESI_VS(_vs_c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(c) *_d_c;
__global__ void update(double alpha) { auto &a = *_d_a; auto &c = *_d_c; auto &b = *_d_b;
  int row = blockDim.y * blockIdx.y + threadIdx.y;
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  for (int k = 0; k < K; k++) {
    double x = alpha * a[row][k];
    c[row][col] -= x * b[k][col];
  }
}
// update_mapped: update with blocks of 64 x 64 elements for 8 x 16 threads; tiles in 20992 bytes of shared memory; products of doubles on tensor cores.
// Predicted gain: 0.5.
static __global__ void __launch_bounds__(128, 4) update_mapped(double alpha) {
  auto &a = *_d_a;
  auto &c = *_d_c;
  auto &b = *_d_b;
  __shared__ __align__(16) double _s_a[2][64][12];
  __shared__ __align__(16) double _s_b[2][8][68];
  int _t = (int)threadIdx.y * 8 + (int)threadIdx.x;
  int _tx = _t / 32 % 2 * 8 + _t % 4 * 2;
  int _fx = _t / 32 % 2 * 8 + _t % 32 / 4;
  int _ty = _t / 32 / 2 * 8 + _t % 32 / 4;
  double _r_c[4][8];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      int row = (int)(blockIdx.y * 64 + (_ty + _y * 16));
      int col = (int)(blockIdx.x * 64 + (_tx + _x / 2 * 16 + _x % 2));
      _r_c[_y][_x] = c[row][col];
    }
  {
    int _b = 0;
    {
      int _i1 = _t % 4 * 2;
      bool _f = 99 >= _i1;
#pragma unroll
      for (int _e = 0; _e < 2; _e++) {
        int _i0 = _e * 32 + _t / 4;
        int _j0 = blockIdx.y * 64 + _i0;
        mesi_copy_async<16>(&_s_a[0][_i0][_i1], &a[_j0][_i1], _f);
      }
    }
#pragma unroll
    for (int _e = 0; _e < 2; _e++) {
      int _i1 = _t % 32 * 2;
      int _i0 = _e * 4 + _t / 32;
      int _j1 = blockIdx.x * 64 + _i1;
      mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0][_j1], 99 >= _i0);
    }
    mesi_copy_commit();
    for (int _k = 0; _k < 100; _k += 8) {
      mesi_copy_wait();
      __syncthreads();
      if (_k + 8 < 100) {
        {
          int _i1 = _t % 4 * 2;
          int _j1 = _k + 8 + _i1;
          bool _f = 99 >= _j1;
#pragma unroll
          for (int _e = 0; _e < 2; _e++) {
            int _i0 = _e * 32 + _t / 4;
            int _j0 = blockIdx.y * 64 + _i0;
            mesi_copy_async<16>(&_s_a[1 - _b][_i0][_i1], &a[_j0][_j1], _f);
          }
        }
#pragma unroll
        for (int _e = 0; _e < 2; _e++) {
          int _i1 = _t % 32 * 2;
          int _i0 = _e * 4 + _t / 32;
          int _j0 = _k + 8 + _i0;
          int _j1 = blockIdx.x * 64 + _i1;
          mesi_copy_async<16>(&_s_b[1 - _b][_i0][_i1], &b[_j0][_j1], 99 >= _j0);
        }
      }
      mesi_copy_commit();
      if (_k + 8 <= 100) {
#pragma unroll
        for (int k = _k; k < _k + 8; k += 4) {
          int _own = k + _t % 4;
          double _r_a[4];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
            _r_a[_y] = -(alpha * _s_a[_b][_ty + _y * 16][_own - _k]);
          double _r_b[4];
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _r_b[_x] = _s_b[_b][_own - _k][_fx + _x * 16];
          mesi_multiply(_r_c, _r_a, _r_b);
        }
      } else {
        for (int k = _k; k < 100; k += 4) {
          int _own_2 = k + _t % 4;
          double _r_a_2[4];
#pragma unroll
          for (int _y = 0; _y < 4; _y++)
            _r_a_2[_y] = -(alpha * _s_a[_b][_ty + _y * 16][_own_2 - _k]);
          double _r_b_2[4];
#pragma unroll
          for (int _x = 0; _x < 4; _x++)
            _r_b_2[_x] = _s_b[_b][_own_2 - _k][_fx + _x * 16];
          mesi_multiply(_r_c, _r_a_2, _r_b_2);
        }
      }
      _b = 1 - _b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
#pragma unroll
    for (int _x = 0; _x < 8; _x++) {
      int row = (int)(blockIdx.y * 64 + (_ty + _y * 16));
      int col = (int)(blockIdx.x * 64 + (_tx + _x / 2 * 16 + _x % 2));
      c[row][col] = _r_c[_y][_x];
    }
}
int main() {
  (mesi_launch_begin(&_mesi_75d8d638, 0), mesi_stream(0), update_mapped<<<dim3(4, 4), dim3(8, 16)>>>(2), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
static const struct mesi_var _mesi_75d8d638_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_products.mcu:4"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_products.mcu:4"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "map_products.mcu:4"},
};
static const struct mesi_site_use _mesi_75d8d638_uses_0[] = {{0, MESI_READ}, {2, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site _mesi_75d8d638_sites[] = {
  {"update", "map_products.mcu:14", _mesi_75d8d638_uses_0, 3, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_75d8d638 = {MESI_ABI, "map_products.mcu", _mesi_75d8d638_vars, 3, _mesi_75d8d638_sites, 1}; }
MESI_REGISTER(_mesi_75d8d638)
