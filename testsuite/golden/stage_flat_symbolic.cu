#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_4094ea5c; }
// args: -O1 --no-line
// A symbolic stride: blocks own rows of n elements, n is the same constant at every launch.
static float ga[64 * 96] MESI_VS(_vs_ga_4094ea5c), gb[64 * 96] MESI_VS(_vs_gb_4094ea5c); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb;

__global__ void rows(const float *a, float *b, int n) {
  int i = blockIdx.y, j = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k];
  b[i * n + j] = sum;
}
// rows_cached: rows with the following in shared memory, for blocks of 96 threads.
//   a[blockIdx.y * 96 .. +96]  384 bytes, copied in, 96 accesses per thread, 0.25 per byte
//   b[blockIdx.y * 96 .. +96]  384 bytes, copied out, 1 accesses per thread, 0.002604 per byte
__global__ void rows_cached(const float *a, float *b, int n) {
  __shared__ float _s_a[96];
  __shared__ float _s_b[96];
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.y * 96;
  const int _o_b_0 = blockIdx.y * 96;
  for (int _i0 = _t; _i0 < 96; _i0 += 96)
    _s_a[_i0] = a[_o_a_0 + _i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += _s_a[k];
  _s_b[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 96; _i0 += 96)
    b[_o_b_0 + _i0] = _s_b[_i0];
}

int main() {
  int n = 96;
  (mesi_launch_begin(&_mesi_4094ea5c, 0), mesi_stream(0), rows_cached<<<dim3(1, 64), 96>>>(mesi_arg(ga, MESI_READ), mesi_arg_range(gb, 0, 0, 0, 24576, MESI_WRITE | MESI_OVERWRITE), n), mesi_launch_end());
  mesi_use_bytes(gb, 0, 4, MESI_READ); return gb[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_4094ea5c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_4094ea5c; }
static const struct mesi_var _mesi_4094ea5c_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_flat_symbolic.mcu:3"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_flat_symbolic.mcu:3"},
};
static const struct mesi_site _mesi_4094ea5c_sites[] = {
  {"rows", "stage_flat_symbolic.mcu:15", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_4094ea5c = {MESI_ABI, "stage_flat_symbolic.mcu", _mesi_4094ea5c_vars, 2, _mesi_4094ea5c_sites, 1}; }
MESI_REGISTER(_mesi_4094ea5c)
