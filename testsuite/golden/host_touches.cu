#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_d0a12962; }
// args: -O0 --no-line
// Host use that can be announced is; a variable whose every use is seen needs no page guard.
extern "C" long write(int, const void *, unsigned long);
static int seen[16] MESI_VS(_vs_seen_d0a12962); static MESI_CONSTANT decltype(seen) *_d_seen;
static int escapes[16] MESI_VS(_vs_escapes_d0a12962); static MESI_CONSTANT decltype(escapes) *_d_escapes;
int *alias;

__global__ void k(int *p) { p[threadIdx.x]++; }

int main(int argc, char **) {
  alias = escapes;
  (mesi_launch_begin(&_mesi_d0a12962, 0), mesi_stream(0), k<<<1, 16>>>(mesi_arg(seen, MESI_READ_WRITE)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_d0a12962, 1), mesi_stream(0), k<<<1, 16>>>(mesi_arg(escapes, MESI_READ_WRITE)), mesi_launch_end());
  mesi_use_bytes(seen, 4, 8, MESI_READ_WRITE); if (argc > 1) seen[1] = 5;
  mesi_use_bytes(seen, 0, 8, MESI_READ_WRITE); for (int i = 0; i < 2; i++)
    seen[i] += alias[i];
  write(1, mesi_touch(escapes, MESI_READ), sizeof escapes);
  mesi_use_bytes(seen, 0, 4, MESI_READ); return seen[0] != 2;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(seen)> _vs_seen_d0a12962; }
extern "C" { MESI_HIDDEN mesi_page<decltype(escapes)> _vs_escapes_d0a12962; }
static const struct mesi_var _mesi_d0a12962_vars[] = {
  {"seen", (void *)&seen, sizeof(seen), &_d_seen, 0, 0, "host_touches.mcu:4"},
  {"escapes", (void *)&escapes, sizeof(escapes), &_d_escapes, MESI_VAR_GUARDED, 0, "host_touches.mcu:5"},
};
static const struct mesi_site _mesi_d0a12962_sites[] = {
  {"k", "host_touches.mcu:12", 0, 0, 0},
  {"k", "host_touches.mcu:13", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_d0a12962 = {MESI_ABI, "host_touches.mcu", _mesi_d0a12962_vars, 2, _mesi_d0a12962_sites, 2}; }
MESI_REGISTER(_mesi_d0a12962)
