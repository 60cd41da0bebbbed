#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_88e58ed1; }
// args: -O2 --no-line -arch=sm_90
// Counters of each block in shared memory: blocks take turns at the launch's elements, or keep the launch's shape.
extern int bins[256] MESI_VS(_vs_bins), total MESI_VS(_vs_total), mixed[4] MESI_VS(_vs_mixed); static MESI_CONSTANT decltype(bins) *_d_bins; static MESI_CONSTANT decltype(total) *_d_total; static MESI_CONSTANT decltype(mixed) *_d_mixed;
extern unsigned char pixels[1 << 22] MESI_VS(_vs_pixels); static MESI_CONSTANT decltype(pixels) *_d_pixels;

__global__ void histogram(int n)
{ auto &bins = *_d_bins; auto &pixels = *_d_pixels;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[pixels[i]], 1);
}
// histogram_private: histogram with what it updates of bins in shared memory, 8192 bytes; at most 528 blocks, which take turns.
// Predicted gain: 108.3.
static __global__ void __launch_bounds__(512) histogram_private(int n) {
  auto &bins = *_d_bins;
  auto &pixels = *_d_pixels;
  int _t = (int)threadIdx.x;
  __shared__ int _s_bins[256][8];
  for (int _e = _t; _e < 256; _e += 512)
    for (int _c = 0; _c < 8; _c++)
      _s_bins[_e][_c] = 0;
  __syncthreads();
  for (unsigned int _i = blockIdx.x * 2048 + threadIdx.x; _i < 4194304; _i += gridDim.x * 2048) {
    int _k[4];
#pragma unroll
    for (int _u = 0; _u < 4; _u++) {
      unsigned int _x = _i + _u * 512;
      _k[_u] = -1;
      if (_x < 4194304) {
        int i = (int)_x;
        if (i < n) {
          {
            _k[_u] = (int)pixels[i];
          }
        }
      }
    }
#pragma unroll
    for (int _u = 0; _u < 4; _u++)
      if (_k[_u] >= 0)
        atomicAdd(&_s_bins[_k[_u]][_t & 7], 1);
  }
  __syncthreads();
  for (int _e_2 = _t; _e_2 < 256; _e_2 += 512) {
    unsigned int _v = 0;
#pragma unroll
    for (int _c_2 = 0; _c_2 < 8; _c_2++)
      _v += (unsigned int)_s_bins[_e_2][_c_2 + _t & 7];
    if ((int)_v != 0)
      atomicAdd(&bins[_e_2], (int)_v);
  }
}
// histogram_private_2: histogram with what it updates of bins in shared memory, 8192 bytes; at most 528 blocks, which take turns.
// Predicted gain: 135.2.
static __global__ void __launch_bounds__(512) histogram_private_2(int n, int _total_x) {
  auto &bins = *_d_bins;
  auto &pixels = *_d_pixels;
  int _t = (int)threadIdx.x;
  __shared__ int _s_bins[256][8];
  for (int _e = _t; _e < 256; _e += 512)
    for (int _c = 0; _c < 8; _c++)
      _s_bins[_e][_c] = 0;
  __syncthreads();
  for (unsigned int _i = blockIdx.x * 2048 + threadIdx.x; _i < (unsigned int)_total_x; _i += gridDim.x * 2048) {
    int _k[4];
#pragma unroll
    for (int _u = 0; _u < 4; _u++) {
      unsigned int _x = _i + _u * 512;
      _k[_u] = -1;
      if (_x < (unsigned int)_total_x) {
        int i = (int)_x;
        if (i < n) {
          {
            _k[_u] = (int)pixels[i];
          }
        }
      }
    }
#pragma unroll
    for (int _u = 0; _u < 4; _u++)
      if (_k[_u] >= 0)
        atomicAdd(&_s_bins[_k[_u]][_t & 7], 1);
  }
  __syncthreads();
  for (int _e_2 = _t; _e_2 < 256; _e_2 += 512) {
    unsigned int _v = 0;
#pragma unroll
    for (int _c_2 = 0; _c_2 < 8; _c_2++)
      _v += (unsigned int)_s_bins[_e_2][_c_2 + _t & 7];
    if ((int)_v != 0)
      atomicAdd(&bins[_e_2], (int)_v);
  }
}
// histogram_plain: histogram for launches of less than 2048 threads.
static __global__ void histogram_plain(int n, int _total_x) {
  auto &bins = *_d_bins;
  auto &pixels = *_d_pixels;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[pixels[i]], 1);
}
// histogram_plain_part: histogram_plain for a run of blocks along x, from _run.first of _run.blocks.
static __global__ void histogram_plain_part(int n, int _total_x, const mesi_run _run) {
  auto &bins = *_d_bins;
  auto &pixels = *_d_pixels;
  int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[pixels[i]], 1);
}

__global__ void totals(int n)
{ auto &pixels = *_d_pixels; auto &bins = *_d_bins;
  __shared__ int part[128];
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
    part[threadIdx.x] = pixels[i];
    if (part[threadIdx.x] == 7) return;
    atomicAdd(&bins[part[threadIdx.x] % 16 + 16], part[threadIdx.x]);
  }
}
// totals_private: totals with what it updates of bins in shared memory, 3968 bytes.
__global__ void totals_private(int n)
{
  auto &pixels = *_d_pixels;
  auto &bins = *_d_bins;
  int _t = (int)threadIdx.x;
  __shared__ int _s_bins[31][32];
  for (int _e = _t; _e < 31; _e += 128)
    for (int _c = 0; _c < 32; _c++)
      _s_bins[_e][_c] = 0;
  __syncthreads();
  {
    {
      __shared__ int part[128];
      for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        part[threadIdx.x] = pixels[i];
        if (part[threadIdx.x] == 7) goto _mesi_end;
        atomicAdd(&_s_bins[part[threadIdx.x] % 16 + 16 - 1][_t & 31], part[threadIdx.x]);
      }
    }
    _mesi_end:;
  }
  __syncthreads();
  for (int _e_2 = _t; _e_2 < 31; _e_2 += 128) {
    unsigned int _v = 0;
#pragma unroll 4
    for (int _c_2 = 0; _c_2 < 32; _c_2++)
      _v += (unsigned int)_s_bins[_e_2][_c_2 + _t & 31];
    if ((int)_v != 0)
      atomicAdd(&bins[_e_2 + 1], (int)_v);
  }
}
// totals_part: totals for a run of blocks along x, from _run.first of _run.blocks.
__global__ void totals_part(int n, const mesi_run _run) {
  auto &pixels = *_d_pixels;
  auto &bins = *_d_bins;
  int _t = (int)threadIdx.x;
  __shared__ int _s_bins[31][32];
  for (int _e = _t; _e < 31; _e += 128)
    for (int _c = 0; _c < 32; _c++)
      _s_bins[_e][_c] = 0;
  __syncthreads();
  {
    {
      __shared__ int part[128];
      for (int i = (blockIdx.x + _run.first) * 128 + threadIdx.x; i < n; i += _run.blocks * 128) {
        part[threadIdx.x] = pixels[i];
        if (part[threadIdx.x] == 7) goto _mesi_end;
        atomicAdd(&_s_bins[part[threadIdx.x] % 16 + 16 - 1][_t & 31], part[threadIdx.x]);
      }
    }
    _mesi_end:;
  }
  __syncthreads();
  for (int _e_2 = _t; _e_2 < 31; _e_2 += 128) {
    unsigned int _v = 0;
#pragma unroll 4
    for (int _c_2 = 0; _c_2 < 32; _c_2++)
      _v += (unsigned int)_s_bins[_e_2][_c_2 + _t & 31];
    if ((int)_v != 0)
      atomicAdd(&bins[_e_2 + 1], (int)_v);
  }
}

__global__ void mixture(int n)
{ auto &mixed = *_d_mixed;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&mixed[i & 3], 1);
    atomicMax(&mixed[i & 3], 5);
  }
}

int main(int argc, char **argv)
{
  (mesi_launch_begin(&_mesi_88e58ed1, 0), mesi_launch_on_several(), mesi_launch_range(1, 0, (long long)(argc << 20) >= 4194304 ? (long long)4194304 : (long long)(argc << 20), 0, 0, MESI_READ, {256, 0, 256}, {}), mesi_stream(0), mesi_map(1 << 14, 256, 2048, 1, 512, 0), mesi_parted(mesi_runs(histogram_private, {nullptr}, 0, 0), 528, 512)(argc << 20), mesi_launch_end());
  (mesi_launch_begin(&_mesi_88e58ed1, 1), mesi_launch_on_several(), mesi_launch_range(1, 0, (long long)(argc << 16), 0, 0, MESI_READ, {256, 0, 256}, {}), mesi_stream(0), mesi_map(argc * 256, 256, 2048, 1, 512, 2048), mesi_few(528), mesi_parted(mesi_runs((mesi_mapped().mapped ? histogram_private_2 : histogram_plain), {histogram_plain_part, nullptr}, mesi_mapped().mapped, 0), mesi_mapped().grid, mesi_mapped().block)(argc << 16, mesi_mapped().total_x), mesi_launch_end());
  (mesi_launch_begin(&_mesi_88e58ed1, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, (long long)(argc << 20), 0, 0, MESI_READ), mesi_stream(0), mesi_parted(totals_private, totals_part, 0, 512, 128)(argc << 20), mesi_launch_end());
  (mesi_launch_begin(&_mesi_88e58ed1, 3), mesi_stream(0), mixture<<<1 << 14, 256>>>(argc << 20), mesi_launch_end());
  mesi_use_bytes(total, 0, 4, MESI_READ); return total;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(bins)> _vs_bins; }
extern "C" { MESI_HIDDEN mesi_page<decltype(total)> _vs_total; }
extern "C" { MESI_HIDDEN mesi_page<decltype(mixed)> _vs_mixed; }
extern "C" { MESI_HIDDEN mesi_page<decltype(pixels)> _vs_pixels; }
static const struct mesi_var _mesi_88e58ed1_vars[] = {
  {"bins", (void *)&bins, sizeof(bins), &_d_bins, MESI_VAR_GUARDED, 0, "private_counters.mcu:3"},
  {"total", (void *)&total, sizeof(total), &_d_total, MESI_VAR_GUARDED, 0, "private_counters.mcu:3"},
  {"mixed", (void *)&mixed, sizeof(mixed), &_d_mixed, MESI_VAR_GUARDED, 0, "private_counters.mcu:3"},
  {"pixels", (void *)&pixels, sizeof(pixels), &_d_pixels, MESI_VAR_GUARDED, 0, "private_counters.mcu:4"},
};
static const struct mesi_site_use _mesi_88e58ed1_uses_0[] = {{0, MESI_READ_WRITE | MESI_SUM_INT}, {3, MESI_READ}};
static const struct mesi_site_use _mesi_88e58ed1_uses_1[] = {{0, MESI_READ_WRITE | MESI_SUM_INT}, {3, MESI_READ}};
static const struct mesi_site_use _mesi_88e58ed1_uses_2[] = {{3, MESI_READ}, {0, MESI_READ_WRITE | MESI_SUM_INT}};
static const struct mesi_site_use _mesi_88e58ed1_uses_3[] = {{2, MESI_READ_WRITE}};
static const struct mesi_site _mesi_88e58ed1_sites[] = {
  {"histogram", "private_counters.mcu:34", _mesi_88e58ed1_uses_0, 2, 0},
  {"histogram", "private_counters.mcu:35", _mesi_88e58ed1_uses_1, 2, 0},
  {"totals", "private_counters.mcu:36", _mesi_88e58ed1_uses_2, 2, 0},
  {"mixture", "private_counters.mcu:37", _mesi_88e58ed1_uses_3, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_88e58ed1 = {MESI_ABI, "private_counters.mcu", _mesi_88e58ed1_vars, 4, _mesi_88e58ed1_sites, 4}; }
MESI_REGISTER(_mesi_88e58ed1)
