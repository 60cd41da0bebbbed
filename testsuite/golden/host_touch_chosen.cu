#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_af019034; }
// args: -O0 --no-line
// A call of one of several functions that are defined here is like a call of it by name; through a pointer, or where one is not defined, it may be
// any function, which the arguments are brought up to date for.
extern int a[100] MESI_VS(_vs_a); static MESI_CONSTANT decltype(a) *_d_a;
__global__ void k(int *p) { p[threadIdx.x] = 1; }
static int launches(int *p) { (mesi_launch_begin(&_mesi_af019034, 0), mesi_stream(0), k<<<1, 32>>>(mesi_arg_range(p, 0, 0, 0, 128, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end()); return 1; }
static int reads(int *p) { return p[3]; }
int elsewhere(int *p);

int main(int argc, char **)
{
  int sum = (argc > 1 ? launches : reads)(a);
  sum += (argc > 2 ? &launches : argc > 3 ? reads : *launches)(a);
  sum += (argc > 2 ? launches : elsewhere)(mesi_touch(a, MESI_READ_WRITE));
  int (*chosen)(int *) = argc > 4 ? launches : reads;
  return sum + chosen(mesi_touch(a, MESI_READ_WRITE));
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
static const struct mesi_var _mesi_af019034_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED, 0, "host_touch_chosen.mcu:4"},
};
static const struct mesi_site _mesi_af019034_sites[] = {
  {"k", "host_touch_chosen.mcu:6", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_af019034 = {MESI_ABI, "host_touch_chosen.mcu", _mesi_af019034_vars, 1, _mesi_af019034_sites, 1}; }
MESI_REGISTER(_mesi_af019034)
