#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_d7a06472; }
// args: -O1 --no-line
// The published outcome: one row of a and 128 elements of c are staged, b is not.
#define N 1024
static int ga[N][N] MESI_VS(_vs_ga_d7a06472), gb[N][N] MESI_VS(_vs_gb_d7a06472), gc[N][N] MESI_VS(_vs_gc_d7a06472); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb; static MESI_CONSTANT decltype(gc) *_d_gc;

__global__ void matmul(const int (*a)[N], const int (*b)[N], int (*c)[N]) {
  int row = blockDim.y * blockIdx.y + threadIdx.y;
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  c[row][col] = 0;
  for (int k = 0; k < N; k++)
    c[row][col] += a[row][k] * b[k][col];
}
// matmul_cached: matmul with the following in shared memory, for blocks of 128 threads.
//   c[blockIdx.y .. +1][blockIdx.x * 128 .. +128]  512 bytes, copied out, 1025 accesses per thread, 2.002 per byte
//   a[blockIdx.y .. +1][0 .. +1024]  4096 bytes, copied in, 1024 accesses per thread, 0.25 per byte
__global__ void matmul_cached(const int (*a)[N], const int (*b)[N], int (*c)[N]) {
  __shared__ int _s_c[1][128];
  __shared__ int _s_a[1][1024];
  const int _t = threadIdx.x;
  const int _o_c_0 = blockIdx.y;
  const int _o_c_1 = blockIdx.x * 128;
  const int _o_a_0 = blockIdx.y;
  for (int _i1 = _t; _i1 < 1024; _i1 += 128)
    _s_a[0][_i1] = a[_o_a_0][_i1];
  __syncthreads();
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  _s_c[threadIdx.y][threadIdx.x] = 0;
  for (int k = 0; k < 1024; k++)
    _s_c[threadIdx.y][threadIdx.x] += _s_a[threadIdx.y][k] * b[k][col];
  __syncthreads();
  for (int _i1 = _t; _i1 < 128; _i1 += 128)
    c[_o_c_0][_o_c_1 + _i1] = _s_c[0][_i1];
}
// matmul_cached_part: matmul_cached for a run of blocks along y, from _run.first of _run.blocks.
__global__ void matmul_cached_part(const int (*a)[N], const int (*b)[N], int (*c)[N], const mesi_run _run) {
  __shared__ int _s_c[1][128];
  __shared__ int _s_a[1][1024];
  const int _t = threadIdx.x;
  const int _o_c_0 = (blockIdx.y + _run.first);
  const int _o_c_1 = blockIdx.x * 128;
  const int _o_a_0 = (blockIdx.y + _run.first);
  for (int _i1 = _t; _i1 < 1024; _i1 += 128)
    _s_a[0][_i1] = a[_o_a_0][_i1];
  __syncthreads();
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  _s_c[threadIdx.y][threadIdx.x] = 0;
  for (int k = 0; k < 1024; k++)
    _s_c[threadIdx.y][threadIdx.x] += _s_a[threadIdx.y][k] * b[k][col];
  __syncthreads();
  for (int _i1 = _t; _i1 < 128; _i1 += 128)
    c[_o_c_0][_o_c_1 + _i1] = _s_c[0][_i1];
}

int main() {
  dim3 grid(N / 128, N);
  (mesi_launch_begin(&_mesi_d7a06472, 0), mesi_launch_on_several(), mesi_stream(0), mesi_parted(matmul_cached, matmul_cached_part, 1, grid, 128)(mesi_arg_range(ga, 0, 4194304, 0, 0, MESI_READ, {4096, 0, 4096}, {}), mesi_arg_range(gb, 0, 4194304, 0, 0, MESI_READ), mesi_arg_range(gc, 0, 0, 0, 4194304, MESI_WRITE | MESI_OVERWRITE, {}, {4096, 0, 4096})), mesi_launch_end());
  mesi_use_bytes(gc, 0, 4, MESI_READ); return gc[0][0];
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_d7a06472; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_d7a06472; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gc)> _vs_gc_d7a06472; }
static const struct mesi_var _mesi_d7a06472_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, 0, 0, "stage_matmul.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, 0, 0, "stage_matmul.mcu:4"},
  {"gc", (void *)&gc, sizeof(gc), &_d_gc, 0, 0, "stage_matmul.mcu:4"},
};
static const struct mesi_site _mesi_d7a06472_sites[] = {
  {"matmul", "stage_matmul.mcu:16", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_d7a06472 = {MESI_ABI, "stage_matmul.mcu", _mesi_d7a06472_vars, 3, _mesi_d7a06472_sites, 1}; }
MESI_REGISTER(_mesi_d7a06472)
