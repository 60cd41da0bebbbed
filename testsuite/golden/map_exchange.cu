#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_da26c1b9; }
// args: -O2 --no-line
#define M 4096
#define N 2048
extern float a[M][N] MESI_VS(_vs_a), b[N][M] MESI_VS(_vs_b), c[M][N] MESI_VS(_vs_c), limit[N] MESI_VS(_vs_limit); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(c) *_d_c; static MESI_CONSTANT decltype(limit) *_d_limit;
__global__ void store_apart() { auto &b = *_d_b; auto &a = *_d_a;
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M - 1 && j < N)
    b[j][i] = a[i][j];
}
// store_apart_mapped: store_apart with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 4224 bytes of shared memory.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(256) store_apart_mapped() {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_b[32][33];
  {
    int j = (int)(blockIdx.x * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int i = (int)(blockIdx.y * 32 + (_ty + _y * 8));
      if (i < 4096 - 1 && j < 2048)
        _s_b[threadIdx.x][_ty + _y * 8] = a[i][j];
    }
  }
  __syncthreads();
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)(blockIdx.y * 32 + threadIdx.x) < 4096 - 1 && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < 2048)
      b[(int)(blockIdx.x * 32 + (_ty + _y * 8))][(int)(blockIdx.y * 32 + threadIdx.x)] = _s_b[_ty + _y * 8][threadIdx.x];
}
// store_apart_mapped_part: store_apart_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) store_apart_mapped_part(const mesi_run _run) {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_b[32][33];
  {
    int j = (int)(blockIdx.x * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y * 8));
      if (i < 4096 - 1 && j < 2048)
        _s_b[threadIdx.x][_ty + _y * 8] = a[i][j];
    }
  }
  __syncthreads();
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)((blockIdx.y + _run.first) * 32 + threadIdx.x) < 4096 - 1 && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < 2048)
      b[(int)(blockIdx.x * 32 + (_ty + _y * 8))][(int)((blockIdx.y + _run.first) * 32 + threadIdx.x)] = _s_b[_ty + _y * 8][threadIdx.x];
}
__global__ void load_apart(const short *in, short *out, int height, int width) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= height || j >= width) return;
  out[i * width + j] = in[j * height + i];
}
// load_apart_mapped: load_apart with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 2176 bytes of shared memory.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(256) load_apart_mapped(const short *in, short *out, int height, int width) {
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) short _s_in[32][34];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)(blockIdx.y * 32 + threadIdx.x) < height && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < width)
      _s_in[_ty + _y * 8][threadIdx.x] = in[(int)(blockIdx.x * 32 + (_ty + _y * 8)) * height + (int)(blockIdx.y * 32 + threadIdx.x)];
  __syncthreads();
  {
    int j = (int)(blockIdx.x * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int i = (int)(blockIdx.y * 32 + (_ty + _y * 8));
      if (i < height && j < width) {
        out[i * width + j] = _s_in[threadIdx.x][_ty + _y * 8];
      }
    }
  }
}
// load_apart_mapped_part: load_apart_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) load_apart_mapped_part(const short *in, short *out, int height, int width, const mesi_run _run) {
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) short _s_in[32][34];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    if ((int)((blockIdx.y + _run.first) * 32 + threadIdx.x) < height && (int)(blockIdx.x * 32 + (_ty + _y * 8)) < width)
      _s_in[_ty + _y * 8][threadIdx.x] = in[(int)(blockIdx.x * 32 + (_ty + _y * 8)) * height + (int)((blockIdx.y + _run.first) * 32 + threadIdx.x)];
  __syncthreads();
  {
    int j = (int)(blockIdx.x * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int i = (int)((blockIdx.y + _run.first) * 32 + (_ty + _y * 8));
      if (i < height && j < width) {
        out[i * width + j] = _s_in[threadIdx.x][_ty + _y * 8];
      }
    }
  }
}
__global__ void down() { auto &c = *_d_c; auto &a = *_d_a;
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  c[i][j] = a[i][j] * 2;
}
// down_mapped: down with blocks of 32 x 32 elements for 32 x 8 threads.
// Predicted gain: 6.4.
static __global__ void __launch_bounds__(256) down_mapped() {
  auto &c = *_d_c;
  auto &a = *_d_a;
  int _ty = (int)threadIdx.y;
  {
    int j = (int)(blockIdx.y * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int i = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      c[i][j] = a[i][j] * 2;
    }
  }
}
// down_mapped_part: down_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) down_mapped_part(const mesi_run _run) {
  auto &c = *_d_c;
  auto &a = *_d_a;
  int _ty = (int)threadIdx.y;
  {
    int j = (int)((blockIdx.y + _run.first) * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int i = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      c[i][j] = a[i][j] * 2;
    }
  }
}
__global__ void depends() { auto &a = *_d_a; auto &limit = *_d_limit; auto &b = *_d_b;
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i][j] < limit[j]) b[j][i] = a[i][j];
}
// depends_mapped: depends with blocks of 256 x 1 elements for 64 x 1 threads.
// Predicted gain: 1.1.
static __global__ void __launch_bounds__(64) depends_mapped() {
  auto &a = *_d_a;
  auto &limit = *_d_limit;
  auto &b = *_d_b;
  int _tx = (int)threadIdx.x * 4;
  bool _whole = true;
  _whole = _whole && (mesi_vector_at(&a[(int)blockIdx.y][(int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&limit[(int)(blockIdx.x * 256 + 0)]));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)blockIdx.y][(int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    float _w_limit[4];
    mesi_vector_load(&_w_limit[0], &limit[(int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    {
      int i = (int)blockIdx.y;
#pragma unroll
      for (int _x = 0; _x < 4; _x++) {
        int j = (int)(blockIdx.x * 256 + (_tx + _x));
        if (_w_a[_x] < _w_limit[_x]) b[j][i] = _w_a[_x];
      }
    }
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)blockIdx.y, j = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64));
      if (__ldg(&a[i][j]) < __ldg(&limit[j])) b[j][i] = __ldg(&a[i][j]);
    }
}
// depends_mapped_part: depends_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(64) depends_mapped_part(const mesi_run _run) {
  auto &a = *_d_a;
  auto &limit = *_d_limit;
  auto &b = *_d_b;
  int _tx = (int)threadIdx.x * 4;
  bool _whole = true;
  _whole = _whole && (mesi_vector_at(&a[(int)(blockIdx.y + _run.first)][(int)(blockIdx.x * 256 + 0)]) && mesi_vector_at(&limit[(int)(blockIdx.x * 256 + 0)]));
  if (_whole) {
    float _w_a[4];
    mesi_vector_load(&_w_a[0], &a[(int)(blockIdx.y + _run.first)][(int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    float _w_limit[4];
    mesi_vector_load(&_w_limit[0], &limit[(int)(blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    {
      int i = (int)(blockIdx.y + _run.first);
#pragma unroll
      for (int _x = 0; _x < 4; _x++) {
        int j = (int)(blockIdx.x * 256 + (_tx + _x));
        if (_w_a[_x] < _w_limit[_x]) b[j][i] = _w_a[_x];
      }
    }
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      int i = (int)(blockIdx.y + _run.first), j = (int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64));
      if (__ldg(&a[i][j]) < __ldg(&limit[j])) b[j][i] = __ldg(&a[i][j]);
    }
}
__global__ void twice() { auto &b = *_d_b; auto &a = *_d_a; auto &c = *_d_c;
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  b[j][i] = a[i][j];
  b[j][i] += c[i][j];
}
// twice_mapped: twice with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 8448 bytes of shared memory.
// Predicted gain: 2.1.
static __global__ void __launch_bounds__(256) twice_mapped() {
  auto &b = *_d_b;
  auto &a = *_d_a;
  auto &c = *_d_c;
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_a[32][33];
  __shared__ __align__(16) float _s_c[32][33];
#pragma unroll
  for (int _y = 0; _y < 4; _y++) {
    _s_a[threadIdx.x][_ty + _y * 8] = a[(int)(blockIdx.y * 32 + (_ty + _y * 8))][(int)(blockIdx.x * 32 + threadIdx.x)];
    _s_c[threadIdx.x][_ty + _y * 8] = c[(int)(blockIdx.y * 32 + (_ty + _y * 8))][(int)(blockIdx.x * 32 + threadIdx.x)];
  }
  __syncthreads();
  {
    int i = (int)(blockIdx.y * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int j = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      b[j][i] = _s_a[_ty + _y * 8][threadIdx.x];
      b[j][i] += _s_c[_ty + _y * 8][threadIdx.x];
    }
  }
}
// twice_mapped_part: twice_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) twice_mapped_part(const mesi_run _run) {
  auto &b = *_d_b;
  auto &a = *_d_a;
  auto &c = *_d_c;
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_a[32][33];
  __shared__ __align__(16) float _s_c[32][33];
#pragma unroll
  for (int _y = 0; _y < 4; _y++) {
    _s_a[threadIdx.x][_ty + _y * 8] = a[(int)((blockIdx.y + _run.first) * 32 + (_ty + _y * 8))][(int)(blockIdx.x * 32 + threadIdx.x)];
    _s_c[threadIdx.x][_ty + _y * 8] = c[(int)((blockIdx.y + _run.first) * 32 + (_ty + _y * 8))][(int)(blockIdx.x * 32 + threadIdx.x)];
  }
  __syncthreads();
  {
    int i = (int)((blockIdx.y + _run.first) * 32 + threadIdx.x);
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int j = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      b[j][i] = _s_a[_ty + _y * 8][threadIdx.x];
      b[j][i] += _s_c[_ty + _y * 8][threadIdx.x];
    }
  }
}
__global__ void in_loop() { auto &b = *_d_b; auto &a = *_d_a;
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 2; k++) b[j][i] = a[i][j] + k;
}
// in_loop_mapped: in_loop with blocks of 32 x 32 elements for 32 x 8 threads; tiles in 4224 bytes of shared memory.
// Predicted gain: 3.0.
static __global__ void __launch_bounds__(256) in_loop_mapped() {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_a[32][33];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    _s_a[threadIdx.x][_ty + _y * 8] = a[(int)(blockIdx.y * 32 + (_ty + _y * 8))][(int)(blockIdx.x * 32 + threadIdx.x)];
  __syncthreads();
  {
    int i = (int)(blockIdx.y * 32 + threadIdx.x);
    float _r_b[4];
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int j = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      _r_b[_y] = b[j][i];
    }
    {
      float _r_a[4];
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
        _r_a[_y] = _s_a[_ty + _y * 8][threadIdx.x];
      for (int k = 0; k < 2; k++) {
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
          _r_b[_y] = _r_a[_y] + k;
      }
    }
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int j = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      b[j][i] = _r_b[_y];
    }
  }
}
// in_loop_mapped_part: in_loop_mapped for a run of blocks along y, from _run.first of _run.blocks.
static __global__ void __launch_bounds__(256) in_loop_mapped_part(const mesi_run _run) {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int _ty = (int)threadIdx.y;
  __shared__ __align__(16) float _s_a[32][33];
#pragma unroll
  for (int _y = 0; _y < 4; _y++)
    _s_a[threadIdx.x][_ty + _y * 8] = a[(int)((blockIdx.y + _run.first) * 32 + (_ty + _y * 8))][(int)(blockIdx.x * 32 + threadIdx.x)];
  __syncthreads();
  {
    int i = (int)((blockIdx.y + _run.first) * 32 + threadIdx.x);
    float _r_b[4];
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int j = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      _r_b[_y] = b[j][i];
    }
    {
      float _r_a[4];
#pragma unroll
      for (int _y = 0; _y < 4; _y++)
        _r_a[_y] = _s_a[_ty + _y * 8][threadIdx.x];
      for (int k = 0; k < 2; k++) {
#pragma unroll
        for (int _y = 0; _y < 4; _y++)
          _r_b[_y] = _r_a[_y] + k;
      }
    }
#pragma unroll
    for (int _y = 0; _y < 4; _y++) {
      int j = (int)(blockIdx.x * 32 + (_ty + _y * 8));
      b[j][i] = _r_b[_y];
    }
  }
}
int main() {
  dim3 block(16, 16), grid(N / 16, M / 16);
  short *in, *out;
  int height = M, width = N;
  cudaMalloc(&in, M * N * 2);
  cudaMalloc(&out, M * N * 2);
  (mesi_launch_begin(&_mesi_da26c1b9, 0), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 0, 33554428, MESI_WRITE, {}, {64, 0, 33538112}), mesi_launch_range(1, 0, 33546240, 0, 0, MESI_READ, {131072, 0, 131072}, {}), mesi_stream(0), mesi_map(grid, block, 32, 32, dim3(32, 8), 0), mesi_parted(mesi_runs(store_apart_mapped, {store_apart_mapped_part}, 0, 1), dim3(64, 128), dim3(32, 8))(), mesi_launch_end());
  mesi_use_bytes(limit, 0, 4, MESI_READ); (mesi_launch_begin(&_mesi_da26c1b9, 1), mesi_launch_on_devices(), mesi_stream(0), mesi_map(dim3((width + 15) / 16, (height + 15) / 16), block, 32, 32, dim3(32, 8), 0), mesi_parted(mesi_runs(load_apart_mapped, {load_apart_mapped_part}, 0, 1), dim3(64, 128), dim3(32, 8))(mesi_arg_range(in, 0, mesi_times(4094, (height + (int)limit[0])) + ((long long)(height + (int)limit[0]) >= 4096 ? (long long)8192 : (long long)(height + (int)limit[0]) * 2), 0, 0, MESI_READ, {32, 0, mesi_times(4094, (height + (int)limit[0])) + 32}, {}), mesi_arg_range(out, 0, 0, 0, (long long)(height + (int)limit[0]) >= 4096 ? (long long)16777216 : (long long)(height + (int)limit[0]) * 4096, MESI_WRITE | ((long long)(height + (int)limit[0]) >= 1 ? MESI_OVERWRITE : 0u), {}, {65536, 0, 65536}), height + (int)limit[0], width), mesi_launch_end());
  (mesi_launch_begin(&_mesi_da26c1b9, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 0, 33554432, MESI_WRITE | MESI_OVERWRITE, {}, {64, 0, 33546304}), mesi_launch_range(1, 0, 33554432, 0, 0, MESI_READ, {64, 0, 33546304}, {}), mesi_stream(0), mesi_map(dim3(M / 16, N / 16), block, 32, 32, dim3(32, 8), 0), mesi_parted(mesi_runs(down_mapped, {down_mapped_part}, 0, 1), dim3(128, 64), dim3(32, 8))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_da26c1b9, 3), mesi_launch_on_devices(), mesi_launch_range(0, 0, 33554432, 0, 0, MESI_READ, {131072, 0, 131072}, {}), mesi_launch_range(1, 0, 8192, 0, 0, MESI_READ), mesi_launch_range(2, 0, 0, 0, 33554432, MESI_WRITE, {}, {64, 0, 33538112}), mesi_stream(0), mesi_map(grid, block, 256, 1, 64, 0), mesi_parted(mesi_runs(depends_mapped, {depends_mapped_part}, 0, 1), dim3(8, 4096), 64)(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_da26c1b9, 4), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 0, 33554432, MESI_WRITE | MESI_OVERWRITE, {}, {64, 0, 33538112}), mesi_launch_range(1, 0, 33554432, 0, 0, MESI_READ, {131072, 0, 131072}, {}), mesi_launch_range(2, 0, 33554432, 0, 0, MESI_READ, {131072, 0, 131072}, {}), mesi_stream(0), mesi_map(grid, block, 32, 32, dim3(32, 8), 0), mesi_parted(mesi_runs(twice_mapped, {twice_mapped_part}, 0, 1), dim3(64, 128), dim3(32, 8))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_da26c1b9, 5), mesi_launch_on_several(), mesi_launch_range(0, 0, 0, 0, 33554432, MESI_WRITE | MESI_OVERWRITE, {}, {64, 0, 33538112}), mesi_launch_range(1, 0, 33554432, 0, 0, MESI_READ, {131072, 0, 131072}, {}), mesi_stream(0), mesi_map(grid, block, 32, 32, dim3(32, 8), 0), mesi_parted(mesi_runs(in_loop_mapped, {in_loop_mapped_part}, 0, 1), dim3(64, 128), dim3(32, 8))(), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
extern "C" { MESI_HIDDEN mesi_page<decltype(c)> _vs_c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(limit)> _vs_limit; }
static const struct mesi_var _mesi_da26c1b9_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_exchange.mcu:4"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_exchange.mcu:4"},
  {"c", (void *)&c, sizeof(c), &_d_c, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_exchange.mcu:4"},
  {"limit", (void *)&limit, sizeof(limit), &_d_limit, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "map_exchange.mcu:4"},
};
static const struct mesi_site_use _mesi_da26c1b9_uses_0[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_da26c1b9_uses_2[] = {{2, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_da26c1b9_uses_3[] = {{0, MESI_READ}, {3, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_da26c1b9_uses_4[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}, {2, MESI_READ}};
static const struct mesi_site_use _mesi_da26c1b9_uses_5[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site _mesi_da26c1b9_sites[] = {
  {"store_apart", "map_exchange.mcu:38", _mesi_da26c1b9_uses_0, 2, 0},
  {"load_apart", "map_exchange.mcu:39", 0, 0, 0},
  {"down", "map_exchange.mcu:40", _mesi_da26c1b9_uses_2, 2, 0},
  {"depends", "map_exchange.mcu:41", _mesi_da26c1b9_uses_3, 3, 0},
  {"twice", "map_exchange.mcu:42", _mesi_da26c1b9_uses_4, 3, 0},
  {"in_loop", "map_exchange.mcu:43", _mesi_da26c1b9_uses_5, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_da26c1b9 = {MESI_ABI, "map_exchange.mcu", _mesi_da26c1b9_vars, 4, _mesi_da26c1b9_sites, 6}; }
MESI_REGISTER(_mesi_da26c1b9)
