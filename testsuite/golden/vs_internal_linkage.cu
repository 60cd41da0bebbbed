#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_f6e357d7; }
// args: -O0 --no-line
// VS variables with internal linkage, by `static`, by an anonymous namespace and by const.
static float a[8] MESI_VS(_vs_a_f6e357d7); static MESI_CONSTANT decltype(a) *_d_a;
static int n MESI_VS(_vs_n_f6e357d7), m MESI_VS(_vs_m_f6e357d7); static MESI_CONSTANT decltype(n) *_d_n; extern "C" { MESI_HIDDEN mesi_page<decltype(n)> _vs_n_f6e357d7 = { 5 }; } static MESI_CONSTANT decltype(m) *_d_m;
namespace { extern int hidden[2] __asm__("_vs_hidden_f6e357d7"); static MESI_CONSTANT decltype(hidden) *_d_hidden; extern "C" { MESI_HIDDEN mesi_page<decltype(hidden)> _vs_hidden_f6e357d7 = { { 7, 8 } }; } }
const int table[4] = { 1, 2, 3, 4 }; static MESI_CONSTANT decltype(table) *_d_table;

__global__ void k() { auto &a = *_d_a; auto &n = *_d_n; auto &m = *_d_m; auto &hidden = *_d_hidden; auto &table = *_d_table; a[threadIdx.x] = n + m + hidden[0] + table[threadIdx.x & 3]; }

int main() {
  mesi_use_bytes(m, 0, 4, MESI_WRITE | MESI_OVERWRITE); m = 2;
  (mesi_launch_begin(&_mesi_f6e357d7, 0), mesi_launch_range(0, 0, 0, 0, 32, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(3, 0, 4, 0, 0, MESI_READ), mesi_stream(0), k<<<1, 8>>>(), mesi_launch_end());
  mesi_use_bytes(a, 0, 4, MESI_READ); return a[0] != 15;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_f6e357d7; }
extern "C" { MESI_HIDDEN mesi_page<decltype(m)> _vs_m_f6e357d7; }
static const struct mesi_var _mesi_f6e357d7_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "vs_internal_linkage.mcu:3"},
  {"n", (void *)&n, sizeof(n), &_d_n, 0, 0, "vs_internal_linkage.mcu:4"},
  {"m", (void *)&m, sizeof(m), &_d_m, 0, 0, "vs_internal_linkage.mcu:4"},
  {"hidden", (void *)&hidden, sizeof(hidden), &_d_hidden, 0, 0, "vs_internal_linkage.mcu:5"},
  {"table", (void *)&table, sizeof(table), &_d_table, MESI_VAR_CONST, 0, "vs_internal_linkage.mcu:6"},
};
static const struct mesi_site_use _mesi_f6e357d7_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}, {2, MESI_READ}, {3, MESI_READ}, {4, MESI_READ}};
static const struct mesi_site _mesi_f6e357d7_sites[] = {
  {"k", "vs_internal_linkage.mcu:12", _mesi_f6e357d7_uses_0, 5, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_f6e357d7 = {MESI_ABI, "vs_internal_linkage.mcu", _mesi_f6e357d7_vars, 5, _mesi_f6e357d7_sites, 1}; }
MESI_REGISTER(_mesi_f6e357d7)
