#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_6e6bfa00; }
// args: -O0 --no-line
// Defined in another file: an array of known size, one of unknown size, a pointer.
extern float a[16]; static MESI_CONSTANT decltype(a) *_d_a;
extern float b[]; static MESI_CONSTANT decltype(b) *_d_b;
extern float *p; static MESI_CONSTANT decltype(p) *_d_p;

__global__ void k() { auto &a = *_d_a; auto &b = *_d_b; auto &p = *_d_p; a[threadIdx.x] = b[threadIdx.x] + p[threadIdx.x]; }

void run() { (mesi_launch_begin(&_mesi_6e6bfa00, 0), mesi_launch_range(1, 0, 64, 0, 0, MESI_READ), mesi_stream(0), k<<<1, 16>>>(), mesi_launch_end()); }

/* ---- for the runtime ---- */
static const size_t _mesi_6e6bfa00_map_2_offsets[] = {0};
static const struct mesi_pointer_map _mesi_6e6bfa00_map_2 = {8, 1, _mesi_6e6bfa00_map_2_offsets};
static const struct mesi_var _mesi_6e6bfa00_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_GUARDED | MESI_VAR_EXTERN | MESI_VAR_FLOAT, 0, "vs_extern.mcu:3"},
  {"b", (void *)&b, 0, &_d_b, MESI_VAR_GUARDED | MESI_VAR_EXTERN | MESI_VAR_FLOAT, 0, "vs_extern.mcu:4"},
  {"p", (void *)&p, sizeof(p), &_d_p, MESI_VAR_GUARDED | MESI_VAR_EXTERN, &_mesi_6e6bfa00_map_2, "vs_extern.mcu:5"},
};
static const struct mesi_site_use _mesi_6e6bfa00_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}, {2, MESI_READ}};
static const struct mesi_site _mesi_6e6bfa00_sites[] = {
  {"k", "vs_extern.mcu:9", _mesi_6e6bfa00_uses_0, 3, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_6e6bfa00 = {MESI_ABI, "vs_extern.mcu", _mesi_6e6bfa00_vars, 3, _mesi_6e6bfa00_sites, 1}; }
MESI_REGISTER(_mesi_6e6bfa00)
