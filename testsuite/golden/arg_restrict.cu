#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_32cb40a0; }
// args: -O0 --no-line
// What a parameter `const T *__restrict__` points to is read only, also where its address is stored; without __restrict__ it may be written.
struct view { const float *from; int n; };

static __device__ float first(view v) { return v.n ? v.from[0] : 0; }

__global__ void promised(const float *__restrict__ a, float *__restrict__ b, int n)
{
  view v = { a, n };
  b[threadIdx.x] = first(v);
}

__global__ void not_promised(const float *a, float *b, int n)
{
  view v = { a, n };
  b[threadIdx.x] = first(v);
}

extern float x[32] MESI_VS(_vs_x), y[32] MESI_VS(_vs_y); static MESI_CONSTANT decltype(x) *_d_x; static MESI_CONSTANT decltype(y) *_d_y;

int main()
{
  (mesi_launch_begin(&_mesi_32cb40a0, 0), mesi_stream(0), promised<<<1, 32>>>(mesi_arg(x, MESI_READ), mesi_arg(y, MESI_READ_WRITE), 32), mesi_launch_end());
  (mesi_launch_begin(&_mesi_32cb40a0, 1), mesi_stream(0), not_promised<<<1, 32>>>(mesi_arg(x, MESI_READ_WRITE), mesi_arg(y, MESI_READ_WRITE), 32), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(x)> _vs_x; }
extern "C" { MESI_HIDDEN mesi_page<decltype(y)> _vs_y; }
static const struct mesi_var _mesi_32cb40a0_vars[] = {
  {"x", (void *)&x, sizeof(x), &_d_x, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "arg_restrict.mcu:19"},
  {"y", (void *)&y, sizeof(y), &_d_y, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "arg_restrict.mcu:19"},
};
static const struct mesi_site _mesi_32cb40a0_sites[] = {
  {"promised", "arg_restrict.mcu:23", 0, 0, 0},
  {"not_promised", "arg_restrict.mcu:24", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_32cb40a0 = {MESI_ABI, "arg_restrict.mcu", _mesi_32cb40a0_vars, 2, _mesi_32cb40a0_sites, 2}; }
MESI_REGISTER(_mesi_32cb40a0)
