#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_824338a3; }
#line 1 "touch_at_argument.mcu"
// args: -O0
// A call that is made several times, on memory with pointers in it: everything is announced at its argument, each time.
struct list { int *items; int count; };
extern "C" int store(list *);
static int a[16] MESI_VS(_vs_a_824338a3); static MESI_CONSTANT decltype(a) *_d_a;
__global__ void k() { auto &a = *_d_a; a[threadIdx.x]++; }
int main() {
  list l = { a, 16 };
  (mesi_launch_begin(&_mesi_824338a3, 0), mesi_stream(0), k<<<1, 16>>>(), mesi_launch_end());
  for (int i = 0; i < 2 && store(mesi_all(&l, MESI_READ_WRITE)); i++) (mesi_launch_begin(&_mesi_824338a3, 1), mesi_stream(0), k<<<1, 16>>>(), mesi_launch_end());
  return 0;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_824338a3; }
static const struct mesi_var _mesi_824338a3_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED, 0, "touch_at_argument.mcu:5"},
};
static const struct mesi_site_use _mesi_824338a3_uses_0[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_824338a3_uses_1[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_824338a3_sites[] = {
  {"k", "touch_at_argument.mcu:9", _mesi_824338a3_uses_0, 1, 0},
  {"k", "touch_at_argument.mcu:10", _mesi_824338a3_uses_1, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_824338a3 = {MESI_ABI, "touch_at_argument.mcu", _mesi_824338a3_vars, 1, _mesi_824338a3_sites, 2}; }
MESI_REGISTER(_mesi_824338a3)
