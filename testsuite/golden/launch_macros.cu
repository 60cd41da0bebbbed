#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_267ba836; }
// args: -O1 --no-line --hook-launches
// Launches whose parts macros write: these are expanded, so that what stands there can be edited.
#define OPEN <<<
#define CLOSE >>>
#define SHAPE <<<1, 32>>>
#define ARGS (a, 3)
#define PAIR a, 2
#define NOTHING
#define RUN(kernel, ...) kernel<<<1, 32>>>(a, ##__VA_ARGS__)
#define RUN_ON(...) k<<<1, 32>>>(a , ## __VA_ARGS__)
#define RUN_WITH(kernel, last...) kernel<<<1, 32>>>(a, ##last)
static int a[64] MESI_VS(_vs_a_267ba836); static MESI_CONSTANT decltype(a) *_d_a;
__global__ void k(int *p, int n = 7) { p[threadIdx.x] = n; }
// k_cached: k with the following in shared memory, for blocks of 32 threads.
//   p[0 .. +32]  128 bytes, copied out, 1 accesses per thread, 0.007812 per byte
__global__ void k_cached(int *p, int n = 7) {
  __shared__ int _s_p[32];
  const int _t = threadIdx.x;
  _s_p[threadIdx.x] = n;
  __syncthreads();
  for (int _i0 = _t; _i0 < 32; _i0 += 32)
    p[_i0] = _s_p[_i0];
}
int main() {
  (mesi_launch_begin(&_mesi_267ba836, 0), mesi_stream(0), k_cached <<< 1, 32 >>> (mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE), 1), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 1), mesi_stream(0), k_cached <<<1, 32>>> (mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE), 2), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 2), mesi_stream(0), k_cached<<<1, 32>>> (mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE), 3), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 3), mesi_stream(0), k_cached<<<1, 32>>>(mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE), 2), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 4), mesi_stream(0), k_cached NOTHING <<<1, NOTHING 32>>>  (mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE), NOTHING 4), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 5), mesi_stream(0), k<<<1, 32>>>(mesi_arg(a, MESI_READ_WRITE)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 6), mesi_stream(0), k_cached<<<1, 32>>>(mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE),5), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 7), mesi_stream(0), k<<<1, 32>>>(mesi_arg(a, MESI_READ_WRITE) ), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 8), mesi_stream(0), k_cached<<<1, 32>>>(mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE) ,6), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 9), mesi_stream(0), k<<<1, 32>>>(mesi_arg(a, MESI_READ_WRITE)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_267ba836, 10), mesi_stream(0), k_cached<<<1, 32>>>(mesi_arg_range(a, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE),8), mesi_launch_end());
  return a[0] != 8;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_267ba836; }
static const struct mesi_var _mesi_267ba836_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED, 0, "launch_macros.mcu:12"},
};
static const struct mesi_site _mesi_267ba836_sites[] = {
  {"k", "launch_macros.mcu:15", 0, 0, 0},
  {"k", "launch_macros.mcu:16", 0, 0, 0},
  {"k", "launch_macros.mcu:17", 0, 0, 0},
  {"k", "launch_macros.mcu:18", 0, 0, 0},
  {"k", "launch_macros.mcu:19", 0, 0, 0},
  {"k", "launch_macros.mcu:20", 0, 0, 0},
  {"k", "launch_macros.mcu:21", 0, 0, 0},
  {"k", "launch_macros.mcu:22", 0, 0, 0},
  {"k", "launch_macros.mcu:23", 0, 0, 0},
  {"k", "launch_macros.mcu:24", 0, 0, 0},
  {"k", "launch_macros.mcu:25", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_267ba836 = {MESI_ABI, "launch_macros.mcu", _mesi_267ba836_vars, 1, _mesi_267ba836_sites, 11}; }
MESI_REGISTER(_mesi_267ba836)
