#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_88a653eb; }
// args: --no-line
// A loop that counts down has the iterations of a tile where its start, not its end, is the larger.
extern unsigned char text[4096 * 512] MESI_VS(_vs_text); static MESI_CONSTANT decltype(text) *_d_text;
extern unsigned hashes[4096] MESI_VS(_vs_hashes); static MESI_CONSTANT decltype(hashes) *_d_hashes;

__global__ void fnv(const unsigned char *t, unsigned *h, int rows, int length)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const unsigned char *p = t + row * length;
  unsigned hash = 2166136261u;
  for (int left = length; left > 0; left--) hash = (hash ^ *p++) * 16777619u;
  h[row] = hash;
}
// fnv_mapped: fnv with blocks of 32 x 1 elements for 32 x 1 threads; tiles in 4160 bytes of shared memory, the next one on its way in 64 registers of each thread.
// Predicted gain: 5.1.
static __global__ void __launch_bounds__(32, 19) fnv_mapped(const unsigned char *t, unsigned int *h, int rows, int length, int _total_x) {
  __shared__ __align__(16) unsigned char _s_t[2][32][65];
  int _t = (int)threadIdx.x;
  {
    bool _p;
    _p = (int)(blockIdx.x * 32 + threadIdx.x) < _total_x;
    int row = (int)(blockIdx.x * 32 + threadIdx.x);
    {
      bool _p_2;
      _p_2 = row < rows;
      unsigned int hash = 2166136261u;
      {
        int _b = 0;
        unsigned char _n_t[64];
        if (length > 0) {
          {
            int _m = _total_x < rows ? _total_x : rows;
#pragma unroll
            for (int _e = 0; _e < 64; _e++) {
              int _i1 = _e % 2 * 32 + _t;
              int _i0 = _e / 2;
              int _j0 = blockIdx.x * 32 + _i0;
              int _j1 = length - length + _i1;
              _n_t[_e] = length >= _j1 + 1 && _m >= _j0 + 1 ? t[(long long)_j0 * length + _j1] : 0;
            }
          }
        }
        for (int _left = length; _left > 0; _left += -64) {
#pragma unroll
          for (int _e = 0; _e < 64; _e++) {
            int _i1 = _e % 2 * 32 + _t;
            int _i0 = _e / 2;
            _s_t[_b][_i0][_i1] = _n_t[_e];
          }
          __syncthreads();
          if (_left + -64 > 0) {
            {
              int _m = _total_x < rows ? _total_x : rows;
#pragma unroll
              for (int _e = 0; _e < 64; _e++) {
                int _i1 = _e % 2 * 32 + _t;
                int _i0 = _e / 2;
                int _j0 = blockIdx.x * 32 + _i0;
                int _j1 = length - (_left + -64) + _i1;
                _n_t[_e] = length >= _j1 + 1 && _m >= _j0 + 1 ? t[(long long)_j0 * length + _j1] : 0;
              }
            }
          }
          if (_left + -64 >= 0) {
#pragma unroll 8
            for (int left = _left; left > _left + -64; left--) {
              hash = (hash ^ _s_t[_b][threadIdx.x][_left - left]) * 16777619u;
            }
          } else {
            for (int left = _left; left > 0; left--) {
              hash = (hash ^ _s_t[_b][threadIdx.x][_left - left]) * 16777619u;
            }
          }
          _b = 1 - _b;
        }
        __syncthreads();
      }
      if (_p && _p_2)
        h[row] = hash;
    }
  }
}
// fnv_plain: fnv for launches of less than 4238 threads.
static __global__ void fnv_plain(const unsigned char *t, unsigned int *h, int rows, int length, int _total_x) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const unsigned char *_from_p = t + row * length;
  unsigned int hash = 2166136261u;
  for (int left = length; left > 0; left--) {
    hash = (hash ^ _from_p[length - left]) * 16777619u;
  }
  h[row] = hash;
}
// fnv_version_if: what fnv_mapped is for.
static inline bool fnv_version_if(int length) {
  return length >= 64;
}

void run(int rows, int length)
{
  (mesi_launch_begin(&_mesi_88a653eb, 0), mesi_stream(0), mesi_map((rows + 255) / 256, 256), mesi_choose(true, {{}, {32, 1, 32, 1, 4238, false, fnv_version_if(length)}}), mesi_pick(fnv_plain, fnv_mapped)<<<mesi_mapped().grid, mesi_mapped().block>>>(mesi_arg(text, MESI_READ), mesi_arg_range(hashes, 0, 0, 0, (long long)rows * 4, MESI_WRITE), rows, length, mesi_mapped().total_x), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(text)> _vs_text; }
extern "C" { MESI_HIDDEN mesi_page<decltype(hashes)> _vs_hashes; }
static const struct mesi_var _mesi_88a653eb_vars[] = {
  {"text", (void *)&text, sizeof(text), &_d_text, MESI_VAR_GUARDED, 0, "tile_down.mcu:3"},
  {"hashes", (void *)&hashes, sizeof(hashes), &_d_hashes, MESI_VAR_GUARDED, 0, "tile_down.mcu:4"},
};
static const struct mesi_site _mesi_88a653eb_sites[] = {
  {"fnv", "tile_down.mcu:18", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_88a653eb = {MESI_ABI, "tile_down.mcu", _mesi_88a653eb_vars, 2, _mesi_88a653eb_sites, 1}; }
MESI_REGISTER(_mesi_88a653eb)
