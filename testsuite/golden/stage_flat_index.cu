#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_755a0c3d; }
// args: -O1 --no-line
// Flat indices with a constant stride: rows of a and c, and for b a box of two dimensions, too large to stage.
#define N 512
static float ga[N * N] MESI_VS(_vs_ga_755a0c3d), gb[N * N] MESI_VS(_vs_gb_755a0c3d), gc[N * N] MESI_VS(_vs_gc_755a0c3d); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb; static MESI_CONSTANT decltype(gc) *_d_gc;

__global__ void matmul(const float *a, const float *b, float *c) {
  int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < N; k++)
    sum += a[row * N + k] * b[k * N + col];
  c[row * N + col] = sum;
}
// matmul_cached: matmul with the following in shared memory, for blocks of 64 threads.
//   a[blockIdx.y * 512 .. +512]  2048 bytes, copied in, 512 accesses per thread, 0.25 per byte
//   c[blockIdx.y * 512 + blockIdx.x * 64 .. +64]  256 bytes, copied out, 1 accesses per thread, 0.003906 per byte
__global__ void matmul_cached(const float *a, const float *b, float *c) {
  __shared__ float _s_a[512];
  __shared__ float _s_c[64];
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.y * 512;
  const int _o_c_0 = blockIdx.y * 512 + blockIdx.x * 64;
  for (int _i0 = _t; _i0 < 512; _i0 += 64)
    _s_a[_i0] = a[_o_a_0 + _i0];
  __syncthreads();
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 512; k++)
    sum += _s_a[k] * b[k * 512 + col];
  _s_c[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    c[_o_c_0 + _i0] = _s_c[_i0];
}

int main() {
  (mesi_launch_begin(&_mesi_755a0c3d, 0), mesi_stream(0), matmul_cached<<<dim3(N / 64, N), 64>>>(mesi_arg(ga, MESI_READ), mesi_arg(gb, MESI_READ), mesi_arg_range(gc, 0, 0, 0, 1048576, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(gc, 0, 4, MESI_READ); return gc[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_755a0c3d; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_755a0c3d; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gc)> _vs_gc_755a0c3d; }
static const struct mesi_var _mesi_755a0c3d_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_flat_index.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_flat_index.mcu:4"},
  {"gc", (void *)&gc, sizeof(gc), &_d_gc, MESI_VAR_FLOAT, 0, "stage_flat_index.mcu:4"},
};
static const struct mesi_site _mesi_755a0c3d_sites[] = {
  {"matmul", "stage_flat_index.mcu:15", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_755a0c3d = {MESI_ABI, "stage_flat_index.mcu", _mesi_755a0c3d_vars, 3, _mesi_755a0c3d_sites, 1}; }
MESI_REGISTER(_mesi_755a0c3d)
