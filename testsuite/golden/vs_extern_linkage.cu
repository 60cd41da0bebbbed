#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_25821810; }
// args: -O0 --no-line
// VS variables with external linkage: array, scalar, struct, several declarators, size from the initialiser.
struct point { float x, y; };
extern float a[4][8] MESI_VS(_vs_a); static MESI_CONSTANT decltype(a) *_d_a;
extern int n MESI_VS(_vs_n); static MESI_CONSTANT decltype(n) *_d_n; extern "C" { MESI_HIDDEN mesi_page<decltype(n)> _vs_n = { 5 }; }
extern point p MESI_VS(_vs_p), q MESI_VS(_vs_q); static MESI_CONSTANT decltype(p) *_d_p; extern "C" { MESI_HIDDEN mesi_page<decltype(p)> _vs_p = { { 1, 2 } }; } static MESI_CONSTANT decltype(q) *_d_q;
extern int sizes[3] MESI_VS(_vs_sizes); static MESI_CONSTANT decltype(sizes) *_d_sizes; extern "C" { MESI_HIDDEN mesi_page<decltype(sizes)> _vs_sizes = { { 3, 1, 2 } }; }

__global__ void k() { auto &a = *_d_a; auto &p = *_d_p; auto &n = *_d_n; auto &q = *_d_q; auto &sizes = *_d_sizes; a[0][threadIdx.x] = p.x * n + q.y + sizes[0]; }

int main() {
  (mesi_launch_begin(&_mesi_25821810, 0), mesi_launch_range(0, 0, 0, 0, 32, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(4, 0, 4, 0, 0, MESI_READ), mesi_stream(0), k<<<1, 8>>>(), mesi_launch_end());
  mesi_use_bytes(a, 0, 4, MESI_READ); return a[0][0] != 5;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
extern "C" { MESI_HIDDEN mesi_page<decltype(q)> _vs_q; }
static const struct mesi_var _mesi_25821810_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "vs_extern_linkage.mcu:4"},
  {"n", (void *)&n, sizeof(n), &_d_n, MESI_VAR_GUARDED, 0, "vs_extern_linkage.mcu:5"},
  {"p", (void *)&p, sizeof(p), &_d_p, MESI_VAR_GUARDED, 0, "vs_extern_linkage.mcu:6"},
  {"q", (void *)&q, sizeof(q), &_d_q, MESI_VAR_GUARDED, 0, "vs_extern_linkage.mcu:6"},
  {"sizes", (void *)&sizes, sizeof(sizes), &_d_sizes, MESI_VAR_GUARDED, 0, "vs_extern_linkage.mcu:7"},
};
static const struct mesi_site_use _mesi_25821810_uses_0[] = {{0, MESI_READ_WRITE}, {2, MESI_READ}, {1, MESI_READ}, {3, MESI_READ}, {4, MESI_READ}};
static const struct mesi_site _mesi_25821810_sites[] = {
  {"k", "vs_extern_linkage.mcu:12", _mesi_25821810_uses_0, 5, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_25821810 = {MESI_ABI, "vs_extern_linkage.mcu", _mesi_25821810_vars, 5, _mesi_25821810_sites, 1}; }
MESI_REGISTER(_mesi_25821810)
