#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_b56e8b6c; }
// args: -O1 --no-line
// The halo of a window is clipped to the extent of the VS variable, the grid does not divide it.
#define N 1000
static float ga[N] MESI_VS(_vs_ga_b56e8b6c), gb[N] MESI_VS(_vs_gb_b56e8b6c); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb;

__global__ void window(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = -3; k <= 3; k++)
    if (i + k >= 0 && i + k < N)
      sum += a[i + k];
  if (i < N)
    b[i] = sum;
}
// window_cached: window with the following in shared memory, for blocks of 64 threads.
//   a[(int)blockIdx.x * 64 - 3 .. +70]  280 bytes, copied in, 3.5 accesses per thread, 0.0125 per byte
//   b[blockIdx.x * 64 .. +64]  256 bytes, copied out, 0.5 accesses per thread, 0.001953 per byte
__global__ void window_cached(const float *a, float *b) {
  __shared__ float _s_a[70];
  __shared__ float _s_b[64];
  const int _t = threadIdx.x;
  const int _o_a_0 = (int)blockIdx.x * 64 - 3;
  const int _o_b_0 = blockIdx.x * 64;
  for (int _i0 = _t; _i0 < 70; _i0 += 64)
    if (999 >= (_o_a_0 + _i0) && (_o_a_0 + _i0) >= 0)
      _s_a[_i0] = a[_o_a_0 + _i0];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = -3; k <= 3; k++)
    if (i + k >= 0 && i + k < 1000)
      sum += _s_a[k + threadIdx.x + 3];
  if (i < 1000)
    _s_b[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    if (999 >= (_o_b_0 + _i0))
      b[_o_b_0 + _i0] = _s_b[_i0];
}

int main() {
  (mesi_launch_begin(&_mesi_b56e8b6c, 0), mesi_stream(0), window_cached<<<(N + 63) / 64, 64>>>(mesi_arg(ga, MESI_READ), mesi_arg_range(gb, 0, 0, 0, 4000, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(gb, 0, 4, MESI_READ); return gb[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_b56e8b6c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_b56e8b6c; }
static const struct mesi_var _mesi_b56e8b6c_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_halo_clipped.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_halo_clipped.mcu:4"},
};
static const struct mesi_site _mesi_b56e8b6c_sites[] = {
  {"window", "stage_halo_clipped.mcu:17", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_b56e8b6c = {MESI_ABI, "stage_halo_clipped.mcu", _mesi_b56e8b6c_vars, 2, _mesi_b56e8b6c_sites, 1}; }
MESI_REGISTER(_mesi_b56e8b6c)
