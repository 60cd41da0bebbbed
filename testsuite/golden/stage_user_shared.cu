#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_258bb08c; }
// args: -O1 --no-line --shared-memory=768
// The kernel's own shared array and barriers stay; what it takes counts against the capacity.
#define N 4096
static float ga[N] MESI_VS(_vs_ga_258bb08c), gw[64] MESI_VS(_vs_gw_258bb08c), gb[N] MESI_VS(_vs_gb_258bb08c); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gw) *_d_gw; static MESI_CONSTANT decltype(gb) *_d_gb;

__global__ void mix(const float *a, const float *w, float *b) {
  __shared__ float own[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  own[threadIdx.x] = a[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; k++)
    sum += own[k] * w[(k + threadIdx.x) & 63];
  b[i] = sum;
}
// mix_cached: mix with the following in shared memory, for blocks of 64 threads.
//   w[0 .. +64]  256 bytes, copied in, 64 accesses per thread, 0.25 per byte
//   a[blockIdx.x * 64 .. +64]  256 bytes, copied in, 1 accesses per thread, 0.003906 per byte
__global__ void mix_cached(const float *a, const float *w, float *b) {
  __shared__ float _s_w[64];
  __shared__ float _s_a[64];
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x * 64;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_w[_i0] = w[_i0];
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_a[_i0] = a[_o_a_0 + _i0];
  __syncthreads();
  __shared__ float own[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  own[threadIdx.x] = _s_a[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; k++)
    sum += own[k] * _s_w[(k + threadIdx.x) & 63];
  b[i] = sum;
}

int main() {
  (mesi_launch_begin(&_mesi_258bb08c, 0), mesi_stream(0), mix_cached<<<N / 64, 64>>>(mesi_arg(ga, MESI_READ), mesi_arg(gw, MESI_READ), mesi_arg_range(gb, 0, 0, 0, 16384, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(gb, 0, 4, MESI_READ); return gb[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_258bb08c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gw)> _vs_gw_258bb08c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_258bb08c; }
static const struct mesi_var _mesi_258bb08c_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_user_shared.mcu:4"},
  {"gw", (void *)&gw, sizeof(gw), &_d_gw, MESI_VAR_FLOAT, 0, "stage_user_shared.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_user_shared.mcu:4"},
};
static const struct mesi_site _mesi_258bb08c_sites[] = {
  {"mix", "stage_user_shared.mcu:18", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_258bb08c = {MESI_ABI, "stage_user_shared.mcu", _mesi_258bb08c_vars, 3, _mesi_258bb08c_sites, 1}; }
MESI_REGISTER(_mesi_258bb08c)
