#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_7185d3ca; }
// args: -O2 -arch=sm_90 --no-line
// Some threads of a block leave early, by another way than those that go through the loop.
const int N = 1024;
extern float a[N][N] MESI_VS(_vs_a), b[N][N] MESI_VS(_vs_b), c[N][N] MESI_VS(_vs_c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(c) *_d_c;

__global__ void causal()
{ auto &c = *_d_c; auto &a = *_d_a; auto &b = *_d_b;
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i < N) {
    if (j > i) {
      c[i][j] = -1;
      return;
    }
    float sum = 0;
    for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
    c[i][j] = sum;
  }
}
// causal_mapped: causal with blocks of 128 x 64 elements for 16 x 8 threads; tiles in 25088 bytes of shared memory.
// Predicted gain: 8.8.
static __global__ void __launch_bounds__(128, 4) causal_mapped() {
  auto &c = *_d_c;
  auto &a = *_d_a;
  auto &b = *_d_b;
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    {
      bool _p[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int i = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)); int j = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
          _p[_y][_x] = j <= i;
        }
      bool _p_2[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          _p_2[_y][_x] = !_p[_y][_x];
      bool _any = 0;
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          _any = _any || _p[_y][_x];
      if (__syncthreads_or(_any)) {
        float sum[8][8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            sum[_y][_x] = 0;
        {
          int _b = 0;
#pragma unroll
          for (int _e = 0; _e < 8; _e++) {
            int _i1 = _t % 16;
            int _i0 = _e * 8 + _t / 16;
            int _j0 = blockIdx.y * 64 + _i0;
            mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0][_i1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e * 4 + _t / 32;
            int _j1 = blockIdx.x * 128 + _i1;
            mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0][_j1]);
          }
          mesi_copy_commit();
          for (int _k = 0; _k < N; _k += 16) {
            mesi_copy_wait();
            __syncthreads();
            if (_k + 16 < N) {
#pragma unroll
              for (int _e = 0; _e < 8; _e++) {
                int _i1 = _t % 16;
                int _i0 = _e * 8 + _t / 16;
                int _j0 = blockIdx.y * 64 + _i0;
                int _j1 = _k + 16 + _i1;
                mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0][_j1]);
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
              float _r_a[8];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
                _r_a[_y] = _s_a[_b][k - _k][_ty + _y / 4 * 32 + _y % 4];
              float _r_b[8];
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                _r_b[_x] = _s_b[_b][k - _k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  sum[_y][_x] += _r_a[_y] * _r_b[_x];
            }
            _b = 1 - _b;
          }
          __syncthreads();
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++) {
            int i = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)); int j = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
            if (_p[_y][_x])
              c[i][j] = sum[_y][_x];
          }
      }
      {
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++) {
            int i = (int)(blockIdx.y * 64 + (_ty + _y / 4 * 32 + _y % 4)); int j = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
            if (_p_2[_y][_x])
              c[i][j] = -1;
          }
      }
    }
  }
}
// causal_mapped_part: causal_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(128, 4) causal_mapped_part(const mesi_run _run) {
  auto &c = *_d_c;
  auto &a = *_d_a;
  auto &b = *_d_b;
  __shared__ __align__(16) float _s_a[2][16][68];
  __shared__ __align__(16) float _s_b[2][16][128];
  int _t = (int)threadIdx.y * 16 + (int)threadIdx.x;
  int _tx = (int)threadIdx.x * 4;
  int _ty = (int)threadIdx.y * 4;
  {
    {
      bool _p[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++) {
          int i = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y / 4 * 32 + _y % 4)); int j = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
          _p[_y][_x] = j <= i;
        }
      bool _p_2[8][8];
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          _p_2[_y][_x] = !_p[_y][_x];
      bool _any = 0;
#pragma unroll
      for (int _y = 0; _y < 8; _y++)
#pragma unroll
        for (int _x = 0; _x < 8; _x++)
          _any = _any || _p[_y][_x];
      if (__syncthreads_or(_any)) {
        float sum[8][8];
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++)
            sum[_y][_x] = 0;
        {
          int _b = 0;
#pragma unroll
          for (int _e = 0; _e < 8; _e++) {
            int _i1 = _t % 16;
            int _i0 = _e * 8 + _t / 16;
            int _j0 = (blockIdx.y + _run.first) * 64 + _i0;
            mesi_copy_async<4>(&_s_a[0][_i1][_i0], &a[_j0][_i1]);
          }
#pragma unroll
          for (int _e = 0; _e < 4; _e++) {
            int _i1 = _t % 32 * 4;
            int _i0 = _e * 4 + _t / 32;
            int _j1 = blockIdx.x * 128 + _i1;
            mesi_copy_async<16>(&_s_b[0][_i0][_i1], &b[_i0][_j1]);
          }
          mesi_copy_commit();
          for (int _k = 0; _k < N; _k += 16) {
            mesi_copy_wait();
            __syncthreads();
            if (_k + 16 < N) {
#pragma unroll
              for (int _e = 0; _e < 8; _e++) {
                int _i1 = _t % 16;
                int _i0 = _e * 8 + _t / 16;
                int _j0 = (blockIdx.y + _run.first) * 64 + _i0;
                int _j1 = _k + 16 + _i1;
                mesi_copy_async<4>(&_s_a[1 - _b][_i1][_i0], &a[_j0][_j1]);
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
              float _r_a[8];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
                _r_a[_y] = _s_a[_b][k - _k][_ty + _y / 4 * 32 + _y % 4];
              float _r_b[8];
#pragma unroll
              for (int _x = 0; _x < 8; _x++)
                _r_b[_x] = _s_b[_b][k - _k][_tx + _x / 4 * 64 + _x % 4];
#pragma unroll
              for (int _y = 0; _y < 8; _y++)
#pragma unroll
                for (int _x = 0; _x < 8; _x++)
                  sum[_y][_x] += _r_a[_y] * _r_b[_x];
            }
            _b = 1 - _b;
          }
          __syncthreads();
        }
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++) {
            int i = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y / 4 * 32 + _y % 4)); int j = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
            if (_p[_y][_x])
              c[i][j] = sum[_y][_x];
          }
      }
      {
#pragma unroll
        for (int _y = 0; _y < 8; _y++)
#pragma unroll
          for (int _x = 0; _x < 8; _x++) {
            int i = (int)((blockIdx.y + _run.first) * 64 + (_ty + _y / 4 * 32 + _y % 4)); int j = (int)(blockIdx.x * 128 + (_tx + _x / 4 * 64 + _x % 4));
            if (_p_2[_y][_x])
              c[i][j] = -1;
          }
      }
    }
  }
}

int main() { (mesi_launch_begin(&_mesi_7185d3ca, 0), mesi_launch_on_several(), mesi_launch_range(0, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {65536, 0, 65536}), mesi_launch_range(1, 0, 4194304, 0, 0, MESI_READ, {65536, 0, 65536}, {}), mesi_launch_range(2, 0, 4194304, 0, 0, MESI_READ), mesi_stream(0), mesi_map(dim3(64, 64), dim3(16, 16), 128, 64, dim3(16, 8), 0), mesi_parted(mesi_runs(causal_mapped, {causal_mapped_part}, 0, 1), dim3(8, 16), dim3(16, 8))(), mesi_launch_end()); }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
static const struct mesi_var _mesi_7185d3ca_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_else.mcu:4"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_else.mcu:4"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_else.mcu:4"},
};
static const struct mesi_site_use _mesi_7185d3ca_uses_0[] = {{2, MESI_READ_WRITE}, {0, MESI_READ}, {1, MESI_READ}};
static const struct mesi_site _mesi_7185d3ca_sites[] = {
  {"causal", "map_else.mcu:20", _mesi_7185d3ca_uses_0, 3, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_7185d3ca = {MESI_ABI, "map_else.mcu", _mesi_7185d3ca_vars, 3, _mesi_7185d3ca_sites, 1}; }
MESI_REGISTER(_mesi_7185d3ca)
