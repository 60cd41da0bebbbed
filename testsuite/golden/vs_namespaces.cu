#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_e6d062ef; }
// args: -O0 --no-line
// Two variables of one name in two namespaces; a kernel that uses both, one that hides a name.
namespace left { extern int a[4] MESI_VS(_vs_a_e6d062ef); static MESI_CONSTANT decltype(a) *_d_a; }
namespace right { extern int a[4] MESI_VS(_vs_a_e6d062ef_2); static MESI_CONSTANT decltype(a) *_d_a_2; }

__global__ void both() { (*::left::_d_a)[threadIdx.x] = (*::right::_d_a_2)[threadIdx.x]; }
namespace left { __global__ void own(int *b) { auto &a = *_d_a; b[threadIdx.x] = a[threadIdx.x]; } }
__global__ void hides(int *a) { a[threadIdx.x] = (*::left::_d_a)[threadIdx.x] + 1; }

int main() {
  mesi_use_bytes(::right::a, 12, 16, MESI_WRITE | MESI_OVERWRITE); right::a[3] = 9;
  (mesi_launch_begin(&_mesi_e6d062ef, 0), mesi_launch_range(0, 0, 0, 0, 16, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), both<<<1, 4>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_e6d062ef, 1), mesi_stream(0), left::own<<<1, 4>>>(mesi_arg_range(right::a, 0, 0, 0, 16, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_e6d062ef, 2), mesi_stream(0), hides<<<1, 4>>>(mesi_arg_range(right::a, 0, 0, 0, 16, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  mesi_use_bytes(::right::a, 12, 16, MESI_READ); return right::a[3] != 10;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(::left::a)> _vs_a_e6d062ef; }
extern "C" { MESI_HIDDEN mesi_page<decltype(::right::a)> _vs_a_e6d062ef_2; }
static const struct mesi_var _mesi_e6d062ef_vars[] = {
  {"left::a", (void *)&::left::a, sizeof(::left::a), &::left::_d_a, MESI_VAR_GUARDED, 0, "vs_namespaces.mcu:3"},
  {"right::a", (void *)&::right::a, sizeof(::right::a), &::right::_d_a_2, MESI_VAR_GUARDED, 0, "vs_namespaces.mcu:4"},
};
static const struct mesi_site_use _mesi_e6d062ef_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site_use _mesi_e6d062ef_uses_1[] = {{0, MESI_READ}};
static const struct mesi_site_use _mesi_e6d062ef_uses_2[] = {{0, MESI_READ}};
static const struct mesi_site _mesi_e6d062ef_sites[] = {
  {"both", "vs_namespaces.mcu:12", _mesi_e6d062ef_uses_0, 2, 0},
  {"left::own", "vs_namespaces.mcu:13", _mesi_e6d062ef_uses_1, 1, 0},
  {"hides", "vs_namespaces.mcu:14", _mesi_e6d062ef_uses_2, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_e6d062ef = {MESI_ABI, "vs_namespaces.mcu", _mesi_e6d062ef_vars, 2, _mesi_e6d062ef_sites, 3}; }
MESI_REGISTER(_mesi_e6d062ef)
