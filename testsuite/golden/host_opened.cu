#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_42a3848c; }
// args: --target=cuda --whole-program --no-line
// A system call on a variable of which every use is announced: by its range, and its pages for MESI_VERIFY.
#include <stdio.h>

extern float a[100] MESI_VS(_vs_a); static MESI_CONSTANT decltype(a) *_d_a;

__global__ void fill(float *p)
{
  p[threadIdx.x] = 1.0f;
}

int main()
{
  (mesi_launch_begin(&_mesi_42a3848c, 0), mesi_stream(0), fill<<<1, 100>>>(mesi_arg_range(a, 0, 0, 0, 400, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(a, 40, 120, MESI_READ); fwrite(mesi_opened(a + 10, MESI_READ), sizeof a[0], 20, stdout);
  return 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
static const struct mesi_var _mesi_42a3848c_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "host_opened.mcu:5"},
};
static const struct mesi_site _mesi_42a3848c_sites[] = {
  {"fill", "host_opened.mcu:14", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_42a3848c = {MESI_ABI, "host_opened.mcu", _mesi_42a3848c_vars, 1, _mesi_42a3848c_sites, 1}; }
MESI_REGISTER(_mesi_42a3848c)
