#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_2a446f2e; }
// args: -O0 --no-line -I include
// A header with a VS variable and a kernel is put in; a header without edits stays an #include.
#include "plain.h"
#ifndef VS_H
#define VS_H
#include "include/plain.h"
static int shared_table[LIMIT] MESI_VS(_vs_shared_table_2a446f2e); static MESI_CONSTANT decltype(shared_table) *_d_shared_table;
static __global__ void scale(int factor) { auto &shared_table = *_d_shared_table; shared_table[threadIdx.x] *= factor; }
#endif
#include "vs.h"

int main() {
  mesi_use_bytes(shared_table, 0, 4, MESI_WRITE | MESI_OVERWRITE); shared_table[0] = 3;
  (mesi_launch_begin(&_mesi_2a446f2e, 0), mesi_stream(0), scale<<<1, LIMIT>>>(2), mesi_launch_end());
  mesi_use_bytes(shared_table, 0, 4, MESI_READ); return shared_table[0] != 6;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(shared_table)> _vs_shared_table_2a446f2e; }
static const struct mesi_var _mesi_2a446f2e_vars[] = {
  {"shared_table", (void *)&shared_table, sizeof(shared_table), &_d_shared_table, 0, 0, "include/vs.h:4"},
};
static const struct mesi_site_use _mesi_2a446f2e_uses_0[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_2a446f2e_sites[] = {
  {"scale", "header_inlining.mcu:9", _mesi_2a446f2e_uses_0, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_2a446f2e = {MESI_ABI, "header_inlining.mcu", _mesi_2a446f2e_vars, 1, _mesi_2a446f2e_sites, 1}; }
MESI_REGISTER(_mesi_2a446f2e)
