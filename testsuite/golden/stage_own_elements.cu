#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_ab38e9f5; }
#line 1 "stage_own_elements.mcu"
// args: -O2 -Rmesi -arch=sm_90
/* Each thread reads 94 elements of its own eight times: nvcc keeps them in registers, and a copy of
 * the block's tile would cost barriers and blocks that are resident. With 376 elements a copy
 * pays. */
extern int tiles[64 * 12032] MESI_VS(_vs_tiles); static MESI_CONSTANT decltype(tiles) *_d_tiles;
extern int sums[64 * 128] MESI_VS(_vs_sums); static MESI_CONSTANT decltype(sums) *_d_sums;

__global__ void kept(void)
{ auto &tiles = *_d_tiles; auto &sums = *_d_sums;
  int sum = 0;
  for (int use = 0; use < 8; use++)
    for (int k = 0; k < 47; k++)
      for (int j = 0; j < 2; j++)
        sum += tiles[blockIdx.x * 12032 + 2 * (k * 128 + threadIdx.x) + j] * (use + 1);
  sums[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void staged(void)
{ auto &tiles = *_d_tiles; auto &sums = *_d_sums;
  int sum = 0;
  for (int use = 0; use < 32; use++)
    for (int k = 0; k < 188; k++)
      for (int j = 0; j < 2; j++)
        sum += tiles[blockIdx.x * 12032 + 2 * (k * 32 + threadIdx.x) + j] * (use + 1);
  sums[blockIdx.x * 32 + threadIdx.x] = sum;
}
// staged_cached: staged with the following in shared memory, for blocks of 32 threads.
//   tiles[blockIdx.x * 12032 .. +12032]  48128 bytes, copied in, 1.203e+04 accesses per thread, 0.25 per byte
#line 18 "stage_own_elements.mcu"
__global__ void staged_cached(void)
{
  auto &tiles = *_d_tiles;
  auto &sums = *_d_sums;
  __shared__ int _s_tiles[12032];
  const int _t = threadIdx.x;
  const int _o_tiles_0 = blockIdx.x * 12032;
  for (int _i0 = _t; _i0 < 12032; _i0 += 32)
    _s_tiles[_i0] = tiles[_o_tiles_0 + _i0];
  __syncthreads();
#line 20 "stage_own_elements.mcu"
  int sum = 0;
  for (int use = 0; use < 32; use++)
    for (int k = 0; k < 188; k++)
      for (int j = 0; j < 2; j++)
        sum += _s_tiles[j + threadIdx.x * 2 + k * 64] * (use + 1);
  sums[blockIdx.x * 32 + threadIdx.x] = sum;
}
#line 27 "stage_own_elements.mcu"

int main()
{
  mesi_use_bytes(tiles, 0, 3080192, MESI_WRITE | MESI_OVERWRITE); for (int i = 0; i < 64 * 12032; i++) tiles[i] = i % 1013 - 506;
  (mesi_launch_begin(&_mesi_ab38e9f5, 0), mesi_launch_range(1, 0, 0, 0, 32768, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), kept<<<64, 128>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_ab38e9f5, 1), mesi_launch_range(1, 0, 0, 0, 8192, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), staged_cached<<<64, 32>>>(), mesi_launch_end());
  mesi_use_bytes(sums, 0, 4, MESI_READ); return sums[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(tiles)> _vs_tiles; }
extern "C" { MESI_HIDDEN mesi_page<decltype(sums)> _vs_sums; }
static const struct mesi_var _mesi_ab38e9f5_vars[] = {
  {"tiles", (void *)&tiles, sizeof(tiles), &_d_tiles, MESI_VAR_GUARDED, 0, "stage_own_elements.mcu:5"},
  {"sums", (void *)&sums, sizeof(sums), &_d_sums, MESI_VAR_GUARDED, 0, "stage_own_elements.mcu:6"},
};
static const struct mesi_site_use _mesi_ab38e9f5_uses_0[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_ab38e9f5_uses_1[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site _mesi_ab38e9f5_sites[] = {
  {"kept", "stage_own_elements.mcu:31", _mesi_ab38e9f5_uses_0, 2, 0},
  {"staged", "stage_own_elements.mcu:32", _mesi_ab38e9f5_uses_1, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_ab38e9f5 = {MESI_ABI, "stage_own_elements.mcu", _mesi_ab38e9f5_vars, 2, _mesi_ab38e9f5_sites, 2}; }
MESI_REGISTER(_mesi_ab38e9f5)
