#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_4fa002b2; }
#line 1 "header_nesting.mcu"
// args: -O0
// Headers in headers: names that are relative to another folder, #pragma once, headers without edits, a last line without an end.
#line 1 "./include/outer.h"

#line 1 "./include/sub/inner.h"

#include "./include/sub/../plain.h"
# /* why */ include "./include/sub/leaf.h" // twice
#include "./include/sub/leaf.h"
#include <cstddef>
#pragma pack(8)
static int inner_table[LIMIT] MESI_VS(_vs_inner_table_4fa002b2); static MESI_CONSTANT decltype(inner_table) *_d_inner_table;
#line 3 "./include/outer.h"
#include "./include/sub/leaf.h"
#include "./include/plain.h"
static int outer_table[LEAF_VALUE] MESI_VS(_vs_outer_table_4fa002b2); static MESI_CONSTANT decltype(outer_table) *_d_outer_table;
#line 4 "header_nesting.mcu"


  #  include "include/plain.h"
#if 0
#include "include/none.h"
#include "include/plain.h
#endif
__global__ void k() { auto &inner_table = *_d_inner_table; auto &outer_table = *_d_outer_table; inner_table[threadIdx.x] = outer_table[0]; }
int main() { (mesi_launch_begin(&_mesi_4fa002b2, 0), mesi_launch_range(0, 0, 0, 0, 64, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, 0, 4, 0, 0, MESI_READ), mesi_stream(0), k<<<1, LIMIT>>>(), mesi_launch_end()); mesi_use_bytes(inner_table, 0, 4, MESI_READ); return inner_table[0]; }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(inner_table)> _vs_inner_table_4fa002b2; }
extern "C" { MESI_HIDDEN mesi_page<decltype(outer_table)> _vs_outer_table_4fa002b2; }
static const struct mesi_var _mesi_4fa002b2_vars[] = {
  {"inner_table", (void *)&inner_table, sizeof(inner_table), &_d_inner_table, 0, 0, "./include/sub/inner.h:7"},
  {"outer_table", (void *)&outer_table, sizeof(outer_table), &_d_outer_table, 0, 0, "./include/outer.h:5"},
};
static const struct mesi_site_use _mesi_4fa002b2_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}};
static const struct mesi_site _mesi_4fa002b2_sites[] = {
  {"k", "header_nesting.mcu:12", _mesi_4fa002b2_uses_0, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_4fa002b2 = {MESI_ABI, "header_nesting.mcu", _mesi_4fa002b2_vars, 2, _mesi_4fa002b2_sites, 1}; }
MESI_REGISTER(_mesi_4fa002b2)
