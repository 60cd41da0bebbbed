#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_c175d86c; }
// args: -O0 --no-line
// A structure by value with pointers in it; a launch in a template; a kernel through a function pointer.
static float a[32] MESI_VS(_vs_a_c175d86c), b[32] MESI_VS(_vs_b_c175d86c); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;
struct view { const float *from; int n; float *to[2]; };
__global__ void copy(view v) { v.to[0][threadIdx.x] = v.from[threadIdx.x]; }
template<class T> __global__ void fill(T *p, T x) { p[threadIdx.x] = x; }
template<class T> void run(T *p, T x) { (mesi_launch_begin(&_mesi_c175d86c, 0), mesi_stream(0), fill<T><<<1, 32>>>(mesi_arg_any(p, MESI_READ_WRITE), mesi_arg_any(x, MESI_READ_WRITE)), mesi_launch_end()); }

int main() {
  view v = { a, 32, { b, nullptr } };
  void (*kernel)(view) = copy;
  run(a, 2.0f);
  (mesi_launch_begin(&_mesi_c175d86c, 1), mesi_stream(0), copy<<<1, 32>>>(mesi_arg_record(v, MESI_READ_WRITE, {0, 16, 24})), mesi_launch_end());
  (mesi_launch_begin(&_mesi_c175d86c, 2), mesi_stream(0), kernel<<<1, 32>>>(mesi_arg_record(v, MESI_READ_WRITE, {0, 16, 24})), mesi_launch_end());
  return b[31] != 2;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_c175d86c; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_c175d86c; }
static const struct mesi_var _mesi_c175d86c_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "launch_struct_argument.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "launch_struct_argument.mcu:3"},
};
static const struct mesi_site _mesi_c175d86c_sites[] = {
  {"fill<T>", "launch_struct_argument.mcu:7", 0, 0, MESI_READ_WRITE},
  {"copy", "launch_struct_argument.mcu:13", 0, 0, 0},
  {"kernel", "launch_struct_argument.mcu:14", 0, 0, MESI_READ_WRITE},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_c175d86c = {MESI_ABI, "launch_struct_argument.mcu", _mesi_c175d86c_vars, 2, _mesi_c175d86c_sites, 3}; }
MESI_REGISTER(_mesi_c175d86c)
