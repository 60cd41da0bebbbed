#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_23d73e31; }
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

/* 16 of 256 threads write an element each: it is used once, not 8 times. */
extern int counts[16 * 64] MESI_VS(_vs_counts); static MESI_CONSTANT decltype(counts) *_d_counts;

__global__ void counted(void)
{ auto &counts = *_d_counts; auto &tiles = *_d_tiles;
  if (threadIdx.x < 16) counts[threadIdx.x * 64 + blockIdx.x] += tiles[blockIdx.x];
}
// counted_mapped: counted with blocks of 32 x 8 elements for 32 x 8 threads.
// Predicted gain: 3.6.
#line 31 "stage_own_elements.mcu"
static __global__ void __launch_bounds__(256) counted_mapped(int _total_x, int _total_y) {
  auto &counts = *_d_counts;
  auto &tiles = *_d_tiles;
  if ((int)(blockIdx.y * 8 + threadIdx.y) < _total_y && (int)(blockIdx.x * 32 + threadIdx.x) < _total_x) {
#line 33 "stage_own_elements.mcu"
    if (blockIdx.y * 8 + threadIdx.y < 16) {
#line 33 "stage_own_elements.mcu"
      counts[(blockIdx.y * 8 + threadIdx.y) * 64 + (blockIdx.x * 32 + threadIdx.x)] += tiles[blockIdx.x * 32 + threadIdx.x];
    }
  }
}
// counted_mapped_large: counted with blocks of 256 x 1 elements for 64 x 1 threads.
#line 31 "stage_own_elements.mcu"
static __global__ void __launch_bounds__(64) counted_mapped_large(int _total_x, int _total_y) {
  auto &counts = *_d_counts;
  auto &tiles = *_d_tiles;
  bool _whole = true;
  _whole = _whole && ((int)(blockIdx.x * 256 + 0) < _total_x && blockIdx.y < 16 && ((int)(blockIdx.x * 256 + 255) < _total_x && blockIdx.y < 16) && (mesi_vector_at(&counts[blockIdx.y * 64 + (blockIdx.x * 256 + 0)]) && mesi_vector_at(&tiles[blockIdx.x * 256 + 0])));
  if (_whole) {
    int _w_counts[4];
    mesi_vector_load(&_w_counts[0], &counts[blockIdx.y * 64 + (blockIdx.x * 256 + (int)threadIdx.x * 4)]);
    int _w_tiles[4];
    mesi_vector_load(&_w_tiles[0], &tiles[blockIdx.x * 256 + (int)threadIdx.x * 4]);
    {
      {
#pragma unroll
        for (int _x = 0; _x < 4; _x++)
#line 33 "stage_own_elements.mcu"
          _w_counts[_x] = _w_counts[_x] + _w_tiles[_x];
      }
    }
    mesi_vector_store(&counts[blockIdx.y * 64 + (blockIdx.x * 256 + (int)threadIdx.x * 4)], &_w_counts[0]);
  } else
#pragma unroll
    for (int _x = 0; _x < 4; _x++) {
      if ((int)(blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)) < _total_x) {
#line 33 "stage_own_elements.mcu"
        if (blockIdx.y < 16) counts[blockIdx.y * 64 + (blockIdx.x * 256 + ((int)threadIdx.x + _x * 64))] += __ldg(&tiles[blockIdx.x * 256 + ((int)threadIdx.x + _x * 64)]);
      }
    }
}
// counted_written: counted for launches whose rows are short or whose arguments may overlap.
#line 31 "stage_own_elements.mcu"
static __global__ void counted_written(int _total_x, int _total_y) {
  auto &counts = *_d_counts;
  auto &tiles = *_d_tiles;
#line 33 "stage_own_elements.mcu"
  if (threadIdx.x < 16) counts[threadIdx.x * 64 + blockIdx.x] += tiles[blockIdx.x];
}
#line 35 "stage_own_elements.mcu"

int main()
{
  mesi_use_bytes(tiles, 0, 3080192, MESI_WRITE | MESI_OVERWRITE); for (int i = 0; i < 64 * 12032; i++) tiles[i] = i % 1013 - 506;
  (mesi_launch_begin(&_mesi_23d73e31, 0), mesi_launch_range(1, 0, 0, 0, 32768, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), kept<<<64, 128>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_23d73e31, 1), mesi_launch_range(1, 0, 0, 0, 8192, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), staged_cached<<<64, 32>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_23d73e31, 2), mesi_launch_range(1, 0, 256, 0, 0, MESI_READ), mesi_stream(0), mesi_map(64, 256), mesi_extents(0, 1, (long long)mesi_mapped().written_block.x, 1, -1), mesi_choose(true, {{}, {32, 8, 32, 8, 33792}, {256, 1, 64, 1, 4325376, false, mesi_rows_of(1024)}}), mesi_pick(counted_written, counted_mapped, counted_mapped_large)<<<mesi_mapped().grid, mesi_mapped().block>>>(mesi_mapped().total_x, mesi_mapped().total_y), mesi_launch_end());
  mesi_use_bytes(sums, 0, 4, MESI_READ); return sums[0] != 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(tiles)> _vs_tiles; }
extern "C" { MESI_HIDDEN mesi_page<decltype(sums)> _vs_sums; }
extern "C" { MESI_HIDDEN mesi_page<decltype(counts)> _vs_counts; }
static const struct mesi_var _mesi_23d73e31_vars[] = {
  {"tiles", (void *)&tiles, sizeof(tiles), &_d_tiles, MESI_VAR_GUARDED, 0, "stage_own_elements.mcu:5"},
  {"sums", (void *)&sums, sizeof(sums), &_d_sums, MESI_VAR_GUARDED, 0, "stage_own_elements.mcu:6"},
  {"counts", (void *)&counts, sizeof(counts), &_d_counts, MESI_VAR_GUARDED, 0, "stage_own_elements.mcu:29"},
};
static const struct mesi_site_use _mesi_23d73e31_uses_0[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_23d73e31_uses_1[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_23d73e31_uses_2[] = {{2, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site _mesi_23d73e31_sites[] = {
  {"kept", "stage_own_elements.mcu:39", _mesi_23d73e31_uses_0, 2, 0},
  {"staged", "stage_own_elements.mcu:40", _mesi_23d73e31_uses_1, 2, 0},
  {"counted", "stage_own_elements.mcu:41", _mesi_23d73e31_uses_2, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_23d73e31 = {MESI_ABI, "stage_own_elements.mcu", _mesi_23d73e31_vars, 3, _mesi_23d73e31_sites, 3}; }
MESI_REGISTER(_mesi_23d73e31)
