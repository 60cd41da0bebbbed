#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_efef5404; }
// args: -arch=sm_80 -O1 --no-line --shared-memory=98304
// More than 48 KB: the copy lies in dynamic shared memory, which the kernel opts into.
#define N 16384
static float ga[N] MESI_VS(_vs_ga_efef5404), gb[N] MESI_VS(_vs_gb_efef5404); static MESI_CONSTANT decltype(ga) *_d_ga; static MESI_CONSTANT decltype(gb) *_d_gb;

__global__ void sums(const float *a, float *b) {
  float sum = 0;
  for (int k = 0; k < N; k++)
    sum += a[k];
  b[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// sums_cached: sums with the following in shared memory, for blocks of 128 threads.
//   a[0 .. +16384]  65536 bytes, copied in, 1.638e+04 accesses per thread, 0.25 per byte
//   b[blockIdx.x * 128 .. +128]  512 bytes, copied out, 1 accesses per thread, 0.001953 per byte
__global__ void sums_cached(const float *a, float *b) {
  extern __shared__ __align__(16) unsigned char _mesi_shared[];
  float (&_s_a)[16384] = *(float (*)[16384])(_mesi_shared + 0);
  float (&_s_b)[128] = *(float (*)[128])(_mesi_shared + 65536);
  const int _t = threadIdx.x;
  const int _o_b_0 = blockIdx.x * 128;
  for (int _i0 = _t; _i0 < 16384; _i0 += 128)
    _s_a[_i0] = a[_i0];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16384; k++)
    sum += _s_a[k];
  _s_b[threadIdx.x] = sum;
  __syncthreads();
  for (int _i0 = _t; _i0 < 128; _i0 += 128)
    b[_o_b_0 + _i0] = _s_b[_i0];
}

int main() {
  (mesi_launch_begin(&_mesi_efef5404, 0), mesi_stream(0), cudaFuncSetAttribute(sums_cached, cudaFuncAttributeMaxDynamicSharedMemorySize, 66048), sums_cached<<<N / 128, 128, 66048>>>(mesi_arg(ga, MESI_READ), mesi_arg_range(gb, 0, 0, 0, 65536, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(gb, 0, 4, MESI_READ); return gb[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(ga)> _vs_ga_efef5404; }
extern "C" { MESI_HIDDEN mesi_page<decltype(gb)> _vs_gb_efef5404; }
static const struct mesi_var _mesi_efef5404_vars[] = {
  {"ga", (void *)&ga, sizeof(ga), &_d_ga, MESI_VAR_FLOAT, 0, "stage_dynamic_shared.mcu:4"},
  {"gb", (void *)&gb, sizeof(gb), &_d_gb, MESI_VAR_FLOAT, 0, "stage_dynamic_shared.mcu:4"},
};
static const struct mesi_site _mesi_efef5404_sites[] = {
  {"sums", "stage_dynamic_shared.mcu:14", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_efef5404 = {MESI_ABI, "stage_dynamic_shared.mcu", _mesi_efef5404_vars, 2, _mesi_efef5404_sites, 1}; }
MESI_REGISTER(_mesi_efef5404)
