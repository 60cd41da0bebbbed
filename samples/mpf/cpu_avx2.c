/* cpu_avx2.c - the vector loops for AVX2 with FMA. */
#pragma GCC target("avx2,fma")
#define BYTES 32
#define ROWS 6
#define VECTORS 2
#define ISA mpf_cpu_avx2
#include "cpu_loops.h"
