#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_45c0359f; }
// args: -O1 --no-line
// An early return becomes a predicate, so that all threads reach the barrier; the write-back is guarded by it.
#define N 1000
static float ga[N] MESI_VS(_vs_ga_45c0359f), gb[N] MESI_VS(_vs_gb_45c0359f); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb;

__global__ void smooth(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i + 7 >= N) return;
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += a[i + k];
  b[i] = sum;
}
// smooth_cached: smooth with the following in shared memory, for blocks of 128 threads.
//   a[blockIdx.x * 128 .. +135]  540 bytes, copied in, 8 accesses per thread, 0.01481 per byte
//   b[blockIdx.x * 128 .. +128]  512 bytes, copied out, 1 accesses per thread, 0.001953 per byte
__global__ void smooth_cached(const float *a, float *b, int n) {
  __shared__ float _s_a[135];
  __shared__ float _s_b[128];
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x * 128;
  const int _o_b_0 = blockIdx.x * 128;
  for (int _i0 = _t; _i0 < 135; _i0 += 128)
    if (999 >= (_o_a_0 + _i0))
      _s_a[_i0] = a[_o_a_0 + _i0];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i + 7 < 1000) {
      float sum = 0;
      for (int k = 0; k < 8; k++) sum += _s_a[k + threadIdx.x];
      _s_b[threadIdx.x] = sum;
    }
  }
  __syncthreads();
  for (int _i0 = _t; _i0 < 128; _i0 += 128)
    if (992 >= (_o_b_0 + _i0))
      b[_o_b_0 + _i0] = _s_b[_i0];
}

int main() {
  (mesi_launch_begin(&_mesi_45c0359f, 0), mesi_stream(0), smooth_cached<<<(N + 127) / 128, 128>>>(mesi_arg(ga, MESI_READ), mesi_arg_range(gb, 0, 0, 0, 3972, MESI_WRITE | MESI_OVERWRITE), N), mesi_launch_end());
  mesi_use_bytes(gb, 0, 4, MESI_READ); return gb[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_45c0359f; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_45c0359f; }
static const struct mesi_var _mesi_45c0359f_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_early_return.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_early_return.mcu:4"},
};
static const struct mesi_site _mesi_45c0359f_sites[] = {
  {"smooth", "stage_early_return.mcu:16", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_45c0359f = {MESI_ABI, "stage_early_return.mcu", _mesi_45c0359f_vars, 2, _mesi_45c0359f_sites, 1}; }
MESI_REGISTER(_mesi_45c0359f)
