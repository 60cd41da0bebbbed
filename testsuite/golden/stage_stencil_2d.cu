#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_0ae1319c; }
// args: -O1 --no-line
// A five-point stencil: a box with its halo, clipped to the array at the borders; b is written inside only.
#define N 256
static float ga[N][N] MESI_VS(_vs_ga_0ae1319c), gb[N][N] MESI_VS(_vs_gb_0ae1319c); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb;

__global__ void stencil(const float (*a)[N], float (*b)[N]) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < N - 1 && y > 0 && y < N - 1)
    b[y][x] = a[y][x] + a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1];
}
// stencil_cached: stencil with the following in shared memory, for blocks of 32 x 8 x 1 threads.
//   a[(int)blockIdx.y * 8 - 1 .. +10][(int)blockIdx.x * 32 - 1 .. +34]  1360 bytes, copied in, 2.5 accesses per thread, 0.001838 per byte
//   b[blockIdx.y * 8 .. +8][blockIdx.x * 32 .. +32]  1024 bytes, copied out, 0.5 accesses per thread, 0.0004883 per byte
__global__ void stencil_cached(const float (*a)[N], float (*b)[N]) {
  __shared__ float _s_a[10][34];
  __shared__ float _s_b[8][32];
  const int _t = threadIdx.y * 32 + threadIdx.x;
  const int _o_a_0 = (int)blockIdx.y * 8 - 1;
  const int _o_a_1 = (int)blockIdx.x * 32 - 1;
  const int _o_b_0 = blockIdx.y * 8;
  const int _o_b_1 = blockIdx.x * 32;
  for (int _e = _t; _e < 340; _e += 256) {
    const int _i0 = _e / 34;
    const int _i1 = _e % 34;
    if (255 >= (_o_a_1 + _i1) && (_o_a_0 + _i0) >= 0 && 255 >= (_o_a_0 + _i0) && (_o_a_1 + _i1) >= 0)
      _s_a[_i0][_i1] = a[_o_a_0 + _i0][_o_a_1 + _i1];
  }
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < 256 - 1 && y > 0 && y < 256 - 1)
    _s_b[threadIdx.y][threadIdx.x] = _s_a[threadIdx.y + 1][threadIdx.x + 1] + _s_a[threadIdx.y][threadIdx.x + 1] + _s_a[threadIdx.y + 2][threadIdx.x + 1] + _s_a[threadIdx.y + 1][threadIdx.x] + _s_a[threadIdx.y + 1][threadIdx.x + 2];
  __syncthreads();
  for (int _e = _t; _e < 256; _e += 256) {
    const int _i0 = _e / 32;
    const int _i1 = _e % 32;
    if (254 >= (_o_b_1 + _i1) && (_o_b_0 + _i0) >= 1 && 254 >= (_o_b_0 + _i0) && (_o_b_1 + _i1) >= 1)
      b[_o_b_0 + _i0][_o_b_1 + _i1] = _s_b[_i0][_i1];
  }
}

int main() {
  (mesi_launch_begin(&_mesi_0ae1319c, 0), mesi_stream(0), stencil_cached<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(mesi_arg_range(ga, -4, 262140, 0, 0, MESI_READ), mesi_arg_range(gb, 0, 0, 1028, 261116, MESI_WRITE)), mesi_launch_end());
  mesi_use_bytes(gb, 1028, 1032, MESI_READ); return gb[1][1] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_0ae1319c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_0ae1319c; }
static const struct mesi_var _mesi_0ae1319c_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_stencil_2d.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_stencil_2d.mcu:4"},
};
static const struct mesi_site _mesi_0ae1319c_sites[] = {
  {"stencil", "stage_stencil_2d.mcu:14", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_0ae1319c = {MESI_ABI, "stage_stencil_2d.mcu", _mesi_0ae1319c_vars, 2, _mesi_0ae1319c_sites, 1}; }
MESI_REGISTER(_mesi_0ae1319c)
