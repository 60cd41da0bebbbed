#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_212a96e4; }
// args: -O1 --no-line
// Only even elements below n are written: the copy has room for these alone, and the write-back stores exactly these.
static int a[2048] MESI_VS(_vs_a_212a96e4); static MESI_CONSTANT decltype(a) *_d_a;

__global__ void even(int n) { auto &a = *_d_a;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 4; k++)
      a[2 * i] += k;
}
// even_cached: even with the following in shared memory, for blocks of 64 threads.
//   a[blockIdx.x * 64 .. +64][0 .. +1]  256 bytes, copied in and out, 2 accesses per thread, 0.007812 per byte
__global__ void even_cached(int n) {
  auto &a = *_d_a;
  __shared__ int _s_a[64][1];
  const int _t = threadIdx.x;
  const int _o_a_0 = blockIdx.x * 64;
  for (int _e = _t; _e < 64; _e += 64) {
    const int _i0 = _e;
    _s_a[_i0][0] = a[(_o_a_0 + _i0) * 2];
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 4; k++)
      _s_a[threadIdx.x][0] += k;
  __syncthreads();
  for (int _e = _t; _e < 64; _e += 64) {
    const int _i0 = _e;
    if (899 >= (_o_a_0 + _i0))
      a[(_o_a_0 + _i0) * 2] = _s_a[_i0][0];
  }
}

int main(int argc, char **) {
  (mesi_launch_begin(&_mesi_212a96e4, 0), mesi_launch_range(0, 0, 7196, 0, 7196, MESI_READ_WRITE), mesi_stream(0), even_cached<<<1024 / 64, 64>>>(900), mesi_launch_end());
  mesi_use_bytes(a, 0, 4, MESI_READ); return a[0] != 6 * argc;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_212a96e4; }
static const struct mesi_var _mesi_212a96e4_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, 0, 0, "stage_write_guard.mcu:3"},
};
static const struct mesi_site_use _mesi_212a96e4_uses_0[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_212a96e4_sites[] = {
  {"even", "stage_write_guard.mcu:13", _mesi_212a96e4_uses_0, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_212a96e4 = {MESI_ABI, "stage_write_guard.mcu", _mesi_212a96e4_vars, 1, _mesi_212a96e4_sites, 1}; }
MESI_REGISTER(_mesi_212a96e4)
