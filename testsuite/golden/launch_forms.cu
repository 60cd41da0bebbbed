#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_18e5cc55; }
// args: -O0 --no-line
// The forms a launch can take: 1 to 4 configuration arguments, braces, casts, an interior pointer, null, in an if.
static int a[64] MESI_VS(_vs_a_18e5cc55); static MESI_CONSTANT decltype(a) *_d_a;
__global__ void k(int *p, int n) { if (p) p[threadIdx.x] = n; }

int main(int argc, char **) {
  cudaStream_t stream = 0;
  int count = argc + 1;
  dim3 grid(2), block(8, 2);
  (mesi_launch_begin(&_mesi_18e5cc55, 0), mesi_stream(0), k<<<1, 16>>>(mesi_arg_range(a, 0, 0, 0, 64, MESI_WRITE), 1), mesi_launch_end());
  (mesi_launch_begin(&_mesi_18e5cc55, 1), mesi_stream(0), k<<<grid, block, 64>>>(mesi_arg_range(&a[8], 0, 0, 0, 32, MESI_WRITE), 2), mesi_launch_end());
  (mesi_launch_begin(&_mesi_18e5cc55, 2), k<<<dim3(1, 1, 1), 16, 0, mesi_stream(stream)>>>(mesi_arg_range((int *)a + count, 0, 0, 0, 64, MESI_WRITE), 3), mesi_launch_end());
  (mesi_launch_begin(&_mesi_18e5cc55, 3), mesi_stream(0), k<<<dim3{2}, dim3{4, 4}>>>(mesi_arg_range(a, 0, 0, 0, 16, MESI_WRITE), 4), mesi_launch_end());
  if (count > 1)
    (mesi_launch_begin(&_mesi_18e5cc55, 4), mesi_stream(0), k<<<1, 16>>>(nullptr, 5), mesi_launch_end());
  else for (int i = 0; i < 2; i++) (mesi_launch_begin(&_mesi_18e5cc55, 5), mesi_stream(0), k<<<1, 16>>>(mesi_arg_range(a, 0, 0, 0, 64, MESI_WRITE), i), mesi_launch_end());
  mesi_use_bytes(a, 0, 4, MESI_READ); return a[0] != 4;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_18e5cc55; }
static const struct mesi_var _mesi_18e5cc55_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, 0, 0, "launch_forms.mcu:3"},
};
static const struct mesi_site _mesi_18e5cc55_sites[] = {
  {"k", "launch_forms.mcu:10", 0, 0, 0},
  {"k", "launch_forms.mcu:11", 0, 0, 0},
  {"k", "launch_forms.mcu:12", 0, 0, 0},
  {"k", "launch_forms.mcu:13", 0, 0, 0},
  {"k", "launch_forms.mcu:15", 0, 0, 0},
  {"k", "launch_forms.mcu:16", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_18e5cc55 = {MESI_ABI, "launch_forms.mcu", _mesi_18e5cc55_vars, 1, _mesi_18e5cc55_sites, 6}; }
MESI_REGISTER(_mesi_18e5cc55)
