#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_044fb88e; }
// args: -O0 --no-line
// Macros that hold what is edited are expanded by one level at their use; others stay.
#define N 32
#define VS(type, name) static __global__ type name[N]
#define RUN(kernel, ...) kernel<<<1, N>>>(__VA_ARGS__)
#define RUN_TWICE(kernel, x) do { RUN(kernel, x); RUN(kernel, x); } while (0)
#define SQUARE(x) ((x) * (x))

static int a[N] MESI_VS(_vs_a_044fb88e); static MESI_CONSTANT decltype(a) *_d_a;
__global__ void k(int *p) { p[threadIdx.x] += SQUARE(N); }

int main() {
  (mesi_launch_begin(&_mesi_044fb88e, 0), mesi_stream(0), k<<<1, N>>>(mesi_arg(a, MESI_READ_WRITE)), mesi_launch_end());
  do { (mesi_launch_begin(&_mesi_044fb88e, 1), mesi_stream(0), k<<<1, N>>>(mesi_arg(a, MESI_READ_WRITE)), mesi_launch_end()); (mesi_launch_begin(&_mesi_044fb88e, 2), mesi_stream(0), k<<<1, N>>>(mesi_arg(a, MESI_READ_WRITE)), mesi_launch_end()); } while (0);
  mesi_use_bytes(a, 0, 4, MESI_READ); int bad = 3 * SQUARE(N) - a[0];
  return bad;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_044fb88e; }
static const struct mesi_var _mesi_044fb88e_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, 0, 0, "macro_flattening.mcu:9"},
};
static const struct mesi_site _mesi_044fb88e_sites[] = {
  {"k", "macro_flattening.mcu:13", 0, 0, 0},
  {"k", "macro_flattening.mcu:14", 0, 0, 0},
  {"k", "macro_flattening.mcu:14", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_044fb88e = {MESI_ABI, "macro_flattening.mcu", _mesi_044fb88e_vars, 1, _mesi_044fb88e_sites, 3}; }
MESI_REGISTER(_mesi_044fb88e)
